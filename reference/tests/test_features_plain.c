/* The features of platforms (features.md 12 to 21) in families without weights: each choice in the
 * smallest call, against numbers worked out by hand from its formula. */
#include "tensors.h"

#include "core/feature_table.h"

#include <stdio.h>
#include <stdlib.h>

/* "rounding=floor inner-rounding=up" */
static lb_feature_set features_of(const char *wants)
{
    lb_feature_set set = {.value = {0}};
    char words[200], text[8];
    snprintf(words, sizeof words, "%s", wants);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        char *is = strchr(word, '=');
        *is = '\0';
        int feature = lb_feature_find(word);
        assert_true(feature >= 0);
        uint8_t value = 1;
        while (strcmp(lb_feature_value_name((lb_feature)feature, value, text), is + 1) != 0)
            value++;
        set.value[feature] = value;
    }
    return set;
}

/* Runs a call whose tensors are set, and gives its first result. */
static int32_t run_with(lb_call *call, const char *wants)
{
    lb_profile profile = lb_profiles[0];
    lb_types types = lb_types_of(call->kernel);
    int family = (int)call->kernel->family;
    lb_feature_set set = features_of(wants);
    for (int f = 0; f < LB_FEATURE_COUNT; f++) {
        assert_true(set.value[f] == 0 || lb_feature_applies((lb_feature)f, family, types));
        assert_true(lb_feature_allows((lb_feature)f, set.value[f], family));
    }
    assert_null(lb_features_conflict(&set));
    profile.has_features = true;
    profile.features.of[family][types] = set;
    lb_context context = {.profile = &profile};
    const lb_rule *rule = lb_run_exact(&context, call);
    assert_string_equal(rule ? rule->name : "", "");
    return lb_load(call->tensor[LB_ROLE_OUT], 0);
}

/* ---- eltwise: features.md 12, 13, 14, 16 ---- */

static int32_t eltwise(const char *function, lb_tensor a, lb_tensor b, lb_tensor out,
                       const char *wants)
{
    lb_call call = make_call(function);
    set_role(&call, LB_ROLE_IN1, &a);
    set_role(&call, LB_ROLE_IN2, &b);
    set_role(&call, LB_ROLE_OUT, &out);
    return run_with(&call, wants);
}

static int32_t eltwise_fx8(const char *function, int a, int b, int frac_out, const char *wants)
{
    int8_t x[1] = {(int8_t)a}, y[1] = {(int8_t)b}, z[1] = {0};
    return eltwise(function, make_fx(LB_FX8, 0, SHAPE(1), x), make_fx(LB_FX8, 0, SHAPE(1), y),
                   make_fx(LB_FX8, frac_out, SHAPE(1), z), wants);
}

static int32_t eltwise_sa8(const char *function, int a, int b, int frac, const char *wants)
{
    int8_t x[1] = {(int8_t)a}, y[1] = {(int8_t)b}, z[1] = {0};
    return eltwise(function, make_sa(LB_SA8, (lb_quant){1, frac, 0}, SHAPE(1), x),
                   make_sa(LB_SA8, (lb_quant){1, frac, 0}, SHAPE(1), y),
                   make_sa(LB_SA8, (lb_quant){1, 0, 0}, SHAPE(1), z), wants);
}

static void eltwise_features(void **state)
{
    (void)state;
    /* features.md 12: the product of 2^14 is shifted by 15, or by 20 */
    assert_int_equal(eltwise_fx8("mli_krn_eltwise_mul_fx8", -128, -128, -20, ""), 1);
    assert_int_equal(eltwise_fx8("mli_krn_eltwise_mul_fx8", -128, -128, -20, "shift-cap=none"), 0);
    /* features.md 13 */
    assert_int_equal(eltwise_fx8("mli_krn_eltwise_add_fx8", 100, 100, 0, "output-overflow=wrap"),
                     -56);
    assert_int_equal(
        eltwise_fx8("mli_krn_eltwise_add_fx8", -100, -100, 0, "lowest-output=symmetric"), -127);
    /* features.md 14: 127 is halved before it is divided by 2^7 */
    assert_int_equal(eltwise_sa8("mli_krn_eltwise_mul_sa8", 127, 1, 4, ""), 1);
    assert_int_equal(eltwise_sa8("mli_krn_eltwise_mul_sa8", 127, 1, 4, "inner-rounding=floor"), 0);
    /* features.md 16: 1/2 + 1/2 */
    assert_int_equal(eltwise_sa8("mli_krn_eltwise_add_sa8", 1, 1, 1, ""), 2);
    assert_int_equal(eltwise_sa8("mli_krn_eltwise_add_sa8", 1, 1, 1, "sum=one-rounding"), 1);
}

/* ---- tables: features.md 15 ---- */

static int32_t tanh_of(int x, const char *wants)
{
    int16_t in_data[1] = {(int16_t)x}, out_data[1] = {0};
    lb_tensor in = make_fx(LB_FX16, 6, SHAPE(1), in_data);
    lb_tensor out = make_fx(LB_FX16, 0, SHAPE(1), out_data);
    lb_call call = make_call("mli_krn_tanh_fx16");
    set_role(&call, LB_ROLE_IN, &in);
    set_role(&call, LB_ROLE_OUT, &out);
    return run_with(&call, wants);
}

/* Entries 0, 1024, 2045 at 0, 1/32, 2/32; arguments in steps of 1/64. */
static void table_features(void **state)
{
    (void)state;
    assert_int_equal(tanh_of(1, ""), 512);
    assert_int_equal(tanh_of(1, "interpolation=none"), 0);
    assert_int_equal(tanh_of(1, "interpolation=nearest"), 1024);
    assert_int_equal(tanh_of(1, "table=half"), 511);
    assert_int_equal(tanh_of(1, "table=double"), 512);
    assert_int_equal(tanh_of(1, "table=computed"), 512);
    assert_int_equal(tanh_of(3, ""), 1534);
    assert_int_equal(tanh_of(3, "table-rounding=floor"), 1535);
    assert_int_equal(tanh_of(32767, ""), 32766);
    assert_int_equal(tanh_of(32767, "table-ends=clamped"), 32767);
}

/* ---- pooling: features.md 17 ---- */

static int32_t pooled(const char *function, int width, const int8_t *x, int frac, int padding,
                      const char *wants)
{
    int8_t in_data[8], out_data[8] = {0};
    memcpy(in_data, x, sizeof in_data);
    lb_tensor in = make_fx(LB_FX8, frac, SHAPE(1, (uint32_t)width, 1), in_data);
    lb_tensor out = make_fx(LB_FX8, 0, SHAPE(1, 1, 1), out_data);
    lb_call call = make_call(function);
    call.config.kernel_width = (uint8_t)(width + padding);
    call.config.kernel_height = call.config.stride_width = call.config.stride_height = 1;
    call.config.padding_left = (uint8_t)padding;
    set_role(&call, LB_ROLE_IN, &in);
    set_role(&call, LB_ROLE_OUT, &out);
    return run_with(&call, wants);
}

/* 1 in 64 positions, with 21 more fractional bits in the output: 2^21 / 64 = 2^15. */
static void average_far_to_the_left(void **state)
{
    (void)state;
    int16_t in_data[64] = {1}, out_data[1] = {0};
    lb_tensor in = make_fx(LB_FX16, 0, SHAPE(1, 64, 1), in_data);
    lb_tensor out = make_fx(LB_FX16, 21, SHAPE(1, 1, 1), out_data);
    lb_call call = make_call("mli_krn_avepool_hwc_fx16");
    call.config.kernel_width = 64;
    call.config.kernel_height = call.config.stride_width = call.config.stride_height = 1;
    set_role(&call, LB_ROLE_IN, &in);
    set_role(&call, LB_ROLE_OUT, &out);
    assert_int_equal(run_with(&call, "average=division"), 32767);
}

static void pooling_features(void **state)
{
    (void)state;
    const int8_t seven[8] = {7, 0, 0, 0, 0, 0, 0}, four[8] = {4}, less[8] = {-5};
    /* 7 / 7 of half a step: 7 * 18724 * 2^-18 is below a half, 7 * 18725 is not */
    assert_int_equal(pooled("mli_krn_avepool_hwc_fx8", 7, seven, 1, 0, ""), 0);
    assert_int_equal(
        pooled("mli_krn_avepool_hwc_fx8", 7, seven, 1, 0, "average=rounded-reciprocal"), 1);
    assert_int_equal(pooled("mli_krn_avepool_hwc_fx8", 7, seven, 1, 0, "average=division"), 1);
    assert_int_equal(pooled("mli_krn_avepool_hwc_fx8", 1, four, 0, 1, ""), 4);
    assert_int_equal(pooled("mli_krn_avepool_hwc_fx8", 1, four, 0, 1, "divisor=kernel"), 2);
    assert_int_equal(pooled("mli_krn_maxpool_hwc_fx8", 1, less, 0, 1, ""), -5);
    assert_int_equal(pooled("mli_krn_maxpool_hwc_fx8", 1, less, 0, 1, "window-padding=raw-zero"),
                     0);
}

/* ---- softmax: features.md 18 ---- */

static void softmax_features(void **state)
{
    (void)state;
    int16_t x[2] = {0, -32}, y[2] = {0};
    int8_t a[2] = {1, 1}, b[2] = {0};
    lb_tensor in = make_fx(LB_FX16, 5, SHAPE(2), x), out = make_fx(LB_FX16, 0, SHAPE(2), y);
    lb_call call = make_call("mli_krn_softmax_fx16");
    call.config.axis = -1;
    set_role(&call, LB_ROLE_IN, &in);
    set_role(&call, LB_ROLE_OUT, &out);
    /* 32767 of 32767 + 12055: 23955 * 32767 * 2^-15, or 32767 * 2^15 / 44822 */
    assert_int_equal(run_with(&call, ""), 23954);
    assert_int_equal(run_with(&call, "normalize=division"), 23955);
    lb_tensor in8 = make_fx(LB_FX8, 5, SHAPE(2), a), out8 = make_fx(LB_FX8, 0, SHAPE(2), b);
    call = make_call("mli_krn_softmax_fx8");
    call.config.axis = -1;
    set_role(&call, LB_ROLE_IN, &in8);
    set_role(&call, LB_ROLE_OUT, &out8);
    assert_int_equal(run_with(&call, ""), 0);
    assert_int_equal(run_with(&call, "fx8-softmax=computed"), 64);
}

/* ---- argmax, relu, convert, mov: features.md 19, 20, 21 ---- */

static void order_of_equals(void **state)
{
    (void)state;
    int16_t x[3] = {3, 5, 5};
    int32_t y[2] = {0};
    lb_tensor in = make_fx(LB_FX16, 0, SHAPE(3), x);
    lb_tensor out = make_sa(LB_SA32, (lb_quant){1, 0, 0}, SHAPE(1, 2), y);
    lb_call call = make_call("mli_krn_argmax_fx16");
    call.config.axis = -1;
    call.config.topk = 2;
    set_role(&call, LB_ROLE_IN, &in);
    set_role(&call, LB_ROLE_OUT, &out);
    assert_int_equal(run_with(&call, "ties=lowest-place"), 1);
    assert_int_equal(y[1], 2);
    assert_int_equal(run_with(&call, "ties=highest-place"), 2);
    assert_int_equal(y[1], 1);
}

static void relu_limits(void **state)
{
    (void)state;
    int8_t x[1] = {5}, y[1] = {0};
    lb_tensor in = make_sa(LB_SA8, (lb_quant){4, 0, 0}, SHAPE(1), x);
    lb_tensor out = make_sa(LB_SA8, (lb_quant){4, 0, 0}, SHAPE(1), y);
    lb_call call = make_call("mli_krn_relu_sa8");
    call.config.relu = 3;
    set_role(&call, LB_ROLE_IN, &in);
    set_role(&call, LB_ROLE_OUT, &out);
    assert_int_equal(run_with(&call, ""), 1); /* 6 / 4 */
    assert_int_equal(run_with(&call, "relu-limits=rounded"), 2);
}

static void wide_products(void **state)
{
    (void)state;
    int32_t x[1] = {INT32_MAX}, y[1] = {0};
    lb_tensor in = make_sa(LB_SA32, (lb_quant){1, 0, 0}, SHAPE(1), x);
    lb_tensor out = make_sa(LB_SA32, (lb_quant){1, 0, 0}, SHAPE(1), y);
    lb_call call = make_call("mli_hlp_convert_tensor");
    set_role(&call, LB_ROLE_IN, &in);
    set_role(&call, LB_ROLE_OUT, &out);
    assert_int_equal(run_with(&call, ""), INT32_MAX - 3);
    assert_int_equal(run_with(&call, "wide-product=all-bits"), INT32_MAX);
}

static void moved_padding(void **state)
{
    (void)state;
    int8_t x[2] = {1, 2}, y[4] = {9, 9, 9, 9};
    lb_tensor in = make_sa(LB_SA8, (lb_quant){1, 0, 7}, SHAPE(2), x);
    lb_call call = make_call("mli_mov_cfg_for_copy");
    (void)run(&call, 0);
    call.kernel = lb_kernel_find("mli_mov_tensor_sync");
    call.config.padding_pre[0] = 1;
    set_role(&call, LB_ROLE_IN, &in);
    lb_tensor out = make_sa(LB_SA8, (lb_quant){1, 0, 7}, SHAPE(3), y);
    set_role(&call, LB_ROLE_OUT, &out);
    assert_int_equal(run_with(&call, ""), 0);
    assert_int_equal(run_with(&call, "moved-padding=zero-point"), 7);
    assert_int_equal(y[1], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eltwise_features), cmocka_unit_test(table_features),
        cmocka_unit_test(pooling_features), cmocka_unit_test(average_far_to_the_left),
        cmocka_unit_test(softmax_features), cmocka_unit_test(order_of_equals),
        cmocka_unit_test(relu_limits),      cmocka_unit_test(wide_products),
        cmocka_unit_test(moved_padding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
