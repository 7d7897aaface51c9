/* From scales to integers (litert.22): every recorded preparation comes out, in both profiles,
 * field by field. */
#include "recorded.h"

#include "litert/fields.h"
#include "litert/kernels.h"
#include "litert/prepare.h"

static struct {
    int lines, fields;
} total;

static const cJSON *keys; /* of the line at hand */

static double number(const char *key)
{
    const cJSON *item = item_of(keys, key);
    return item ? item->valuedouble : 0;
}

static lb_lite_quant quant(const char *of)
{
    char scale[40], zero[40];
    snprintf(scale, sizeof scale, "%s_scale", of);
    snprintf(zero, sizeof zero, "%s_zero_point", of);
    return (lb_lite_quant){(float)number(scale), (int32_t)number(zero)};
}

static lb_lite_fused fused(void)
{
    static const char *const names[] = {"none", "relu", "relu6", "relu_n1_to_1"};
    const char *name = text_of(keys, "activation");
    for (int i = 1; i < 4; i++)
        if (strcmp(name, names[i]) == 0)
            return (lb_lite_fused)i;
    return LB_LITE_FUSED_NONE;
}

static lb_el_type type_of(void)
{
    return strcmp(text_of(keys, "type"), "s16") == 0 ? LB_S16 : LB_S8;
}

/* The function that the preparation is of: "litert_conv_2d_s8". */
static const lb_kernel *kernel_of(const char *name)
{
    char function[80];
    const char *type = type_of() == LB_S16 ? "s16" : "s8";
    const bool mixed =
        *text_of(keys, "output_type") && strcmp(text_of(keys, "output_type"), type) != 0;
    snprintf(function, sizeof function, "litert_%s%s_%s%s", name,
             strcmp(name, "conv") == 0 ? "_2d" : "", type, mixed ? "_s16" : "");
    const lb_kernel *kernel = lb_kernel_find(function);
    assert_non_null(kernel);
    return kernel;
}

static void put_quant(lb_prepared_call *call, lb_role role, const char *of, float *scale)
{
    const lb_lite_quant q = quant(of);
    *scale = q.scale;
    call->operand[role] =
        (lb_model_quant){.scales = scale, .count = q.scale > 0, .zero_point = q.zero_point};
}

static bool prepare(const char *name, const lb_profile *p, lb_config *config)
{
    static const char *const of[] = {"input", "input1", "input2", "output", "filter"};
    static const lb_role roles[] = {LB_ROLE_IN, LB_ROLE_IN1, LB_ROLE_IN2, LB_ROLE_OUT,
                                    LB_ROLE_WEIGHTS};
    enum { OPERANDS = sizeof roles / sizeof roles[0] };
    lb_lite_factor f = {0, 0};
    if (strcmp(name, "multiplier") == 0) {
        f = lb_lite_prepare_multiplier(p, number("real"));
        config->litert.multiplier = f.multiplier;
        config->litert.shift = f.shift;
        return true;
    }
    const bool per_channel = strcmp(name, "conv") == 0;
    float scales[OPERANDS];
    lb_prepared_call call = {.kernel = kernel_of(name),
                             .channels = 1,
                             .has_activation = fused() != LB_LITE_FUSED_NONE,
                             .activation = (unsigned)fused(),
                             .has_beta = item_of(keys, "beta") != NULL,
                             .beta = (float)number("beta"),
                             .has_alpha = item_of(keys, "alpha") != NULL,
                             .alpha = (float)number("alpha"),
                             .multiplier = per_channel ? &f.multiplier : NULL,
                             .shift = per_channel ? &f.shift : NULL};
    for (int i = 0; i < OPERANDS; i++)
        put_quant(&call, roles[i], of[i], &scales[i]);
    if (strcmp(name, "relu6") == 0) /* which has one format */
        call.operand[LB_ROLE_OUT] = call.operand[LB_ROLE_IN];
    if (!lb_lite_prepare_call(p, &call)) {
        print_message("%s\n", call.why);
        return false;
    }
    *config = call.config;
    if (per_channel) {
        config->litert.multiplier = f.multiplier;
        config->litert.shift = f.shift;
    }
    return true;
}

static void check_padding(const char *id, const cJSON *due)
{
    const lb_lite_padding p = lb_lite_prepare_padding(
        strcmp(text_of(keys, "padding"), "same") == 0, (int64_t)number("in"),
        (int64_t)number("filter"), (int64_t)number("stride"), (int64_t)number("dilation"));
    const bool good = (double)p.out == item_of(due, "out")->valuedouble &&
                      (double)p.before == item_of(due, "before")->valuedouble &&
                      (double)p.after_extra == item_of(due, "after_extra")->valuedouble;
    if (!good)
        fail_msg("%s: out %lld, before %lld, after_extra %lld", id, (long long)p.out,
                 (long long)p.before, (long long)p.after_extra);
    total.fields += 3;
}

static void check_profile(const char *id, const char *name, const lb_profile *p, const cJSON *due)
{
    lb_config config = {.litert = {0}};
    const cJSON *field;
    if (strcmp(name, "padding") == 0) {
        check_padding(id, due);
        return;
    }
    if (!prepare(name, p, &config))
        fail_msg("%s [%s]: refused", id, p->name);
    cJSON_ArrayForEach(field, due)
    {
        const int which = lb_lite_field_find(field->string);
        assert_true(which >= 0);
        if (config.of_litert[which] != (int32_t)field->valuedouble)
            fail_msg("%s [%s]: %s is %d, and %.0f is recorded", id, p->name, field->string,
                     config.of_litert[which], field->valuedouble);
        total.fields++;
    }
}

static const lb_profile *profile_of(const char *name)
{
    for (int i = 0; i < LB_LITE_PROFILE_COUNT; i++)
        if (strcmp(lb_lite_profiles[i].name, name) == 0)
            return &lb_lite_profiles[i];
    fail_msg("%s: no profile", name);
    return NULL;
}

static void take(const char *text)
{
    cJSON *line = cJSON_Parse(text);
    const char *function = text_of(line, "function"), prefix[] = "litert_prepare_";
    const cJSON *entry, *profile;
    if (strncmp(function, prefix, strlen(prefix)) == 0) {
        keys = item_of(line, "config");
        total.lines++;
        cJSON_ArrayForEach(entry, item_of(line, "expect"))
        {
            cJSON_ArrayForEach(profile, item_of(entry, "profiles"))
            {
                check_profile(text_of(line, "id"), function + strlen(prefix),
                              profile_of(profile->valuestring), item_of(entry, "config"));
            }
        }
    }
    cJSON_Delete(line);
}

static void test_recorded(void **state)
{
    (void)state;
    each_recorded_line(take);
    assert_int_equal(total.lines, 748);
    assert_true(total.fields > 2 * total.lines);
}

static bool is_refused(const char *function, float in, float out)
{
    lb_prepared_call call = {.kernel = lb_kernel_find(function)};
    assert_non_null(call.kernel);
    for (int r = 0; r < LB_ROLE_COUNT; r++)
        call.operand[r] = (lb_model_quant){.scales = r == LB_ROLE_OUT ? &out : &in, .count = 1};
    call.operand[LB_ROLE_OUT].count = out > 0;
    return !lb_lite_prepare_call(&lb_lite_profiles[0], &call) && strstr(call.why, "refuses");
}

/* What the reference refuses is refused. */
static void test_refused(void **state)
{
    (void)state;
    assert_true(is_refused("litert_add_s8", 1, 1e-9F));
    assert_true(is_refused("litert_sub_s16", 1, 1e-9F));
    assert_true(is_refused("litert_softmax_s8", 1e-9F, 0));
    assert_true(is_refused("litert_hard_swish_s8", 1000, 1e-9F));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recorded),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
