/* The table of functions: complete, consistent in itself, and with the roles and configuration keys
 * of the API. Spec: api.md 3, 4. */
#include "tensors.h"

#include <stdbool.h>
#include <stdio.h>

/* How functions begin that do not have their family's name behind mli_krn_. */
static const struct {
    lb_family family;
    const char *start;
} starts[] = {
    {LB_FAMILY_LUT, "mli_krn_"},    {LB_FAMILY_CONVERT, "mli_hlp_convert_"},
    {LB_FAMILY_HELPER, "mli_hlp_"}, {LB_FAMILY_MOV, "mli_mov_"},
    {LB_FAMILY_FLOAT4, "mli_ext_"}, /* no part of the API */
};

static bool is_named_after(const lb_kernel *kernel)
{
    char start[64];
    snprintf(start, sizeof start, "mli_krn_%s_", lb_family_name(kernel->family));
    for (size_t i = 0; i < COUNT_OF(starts); i++)
        if (starts[i].family == kernel->family)
            snprintf(start, sizeof start, "%s", starts[i].start);
    return strncmp(kernel->name, start, strlen(start)) == 0 &&
           (strstr(kernel->name, "_lut") != NULL) == (kernel->family == LB_FAMILY_LUT) &&
           (strstr(kernel->name, "_convert_") != NULL) == (kernel->family == LB_FAMILY_CONVERT);
}

static void families_are_complete(void **state)
{
    unsigned functions[LB_FAMILY_COUNT] = {0};
    (void)state;
    assert_int_equal(lb_kernel_count, 151 + 20);
    for (size_t k = 0; k < lb_kernel_count; k++) {
        if (!is_named_after(&lb_kernels[k]))
            fail_msg("%s: of %s", lb_kernels[k].name, lb_family_name(lb_kernels[k].family));
        functions[lb_kernels[k].family]++;
    }
    for (int family = 0; family < LB_FAMILY_COUNT; family++) {
        assert_true(functions[family] > 0);
        assert_int_equal(lb_family_find(lb_family_name((lb_family)family)), family);
    }
    assert_int_equal(lb_family_find("conv3d"), -1);
}

static void names_are_unique(void **state)
{
    (void)state;
    for (size_t i = 0; i < lb_kernel_count; i++)
        assert_ptr_equal(lb_kernel_find(lb_kernels[i].name), &lb_kernels[i]);
    assert_null(lb_kernel_find("mli_krn_fully_connected_fx8w16d"));
    assert_null(lb_kernel_find(""));
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text);
    size_t end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static uint32_t type_named(const char *name, size_t length)
{
    static const uint32_t types[] = {LB_FX8, LB_FX16, LB_SA8, LB_SA32};
    for (size_t i = 0; i < COUNT_OF(types); i++) {
        const char *type_name = lb_el_type_name(types[i]);
        if (strlen(type_name) == length && strncmp(type_name, name, length) == 0)
            return types[i];
    }
    return 0;
}

/* "fx16_fx8_fx8" names the types of in, weights and bias; one name alone stands for all that the
 * family has. */
static void check_types(const lb_kernel *kernel)
{
    uint32_t named[3] = {0, 0, 0};
    const char *rest = kernel->variant;
    unsigned count = 0;
    while (*rest != '\0' && count < 3) {
        size_t length = strcspn(rest, "_");
        named[count++] = type_named(rest, length);
        rest += length + (rest[length] == '_' ? 1 : 0);
    }
    bool has_weights = lb_kernel_role(kernel, LB_ROLE_BIAS) != NULL;
    assert_int_equal(kernel->in_type, named[0]);
    assert_int_equal(kernel->weights_type, has_weights ? (count == 3 ? named[1] : named[0]) : 0);
    assert_int_equal(kernel->bias_type, has_weights ? (count == 3 ? named[2] : named[0]) : 0);
}

static void check_name(const lb_kernel *kernel)
{
    char tail[64] = "";
    if (kernel->special != LB_SPECIAL_NONE) {
        assert_true(strlen(lb_special_name(kernel->special)) + 1 < sizeof tail);
        tail[0] = '_';
        strcpy(tail + 1, lb_special_name(kernel->special));
    }
    assert_true(ends_with(kernel->name, tail));
    assert_non_null(strstr(kernel->name, kernel->variant));
    assert_non_null(strstr(kernel->name, lb_op_name(kernel->op)));
    bool sized = tail[0] != '\0' && tail[1] == 'k';
    assert_int_equal(kernel->kernel_size, sized ? tail[2] - '0' : 0);
    /* A specialization stands beside its generic function, with the same arguments (api.md 4.5). */
    if (tail[0] != '\0') {
        char generic[96] = "";
        size_t generic_length = strlen(kernel->name) - strlen(tail);
        assert_true(generic_length < sizeof generic);
        memcpy(generic, kernel->name, generic_length);
        const lb_kernel *other = lb_kernel_find(generic);
        assert_non_null(other);
        assert_ptr_equal(other->roles, kernel->roles);
        assert_int_equal(other->config_kind, kernel->config_kind);
        assert_ptr_equal(other->exact, kernel->exact);
        assert_ptr_equal(other->real, kernel->real);
    }
}

static void check_roles(const lb_kernel *kernel)
{
    bool seen[LB_ROLE_COUNT] = {false};
    bool writes = false;
    for (const lb_role_spec *spec = kernel->roles; spec->use != LB_USE_NONE; spec++) {
        assert_true(spec->role < LB_ROLE_COUNT);
        assert_false(seen[spec->role]);
        seen[spec->role] = true;
        writes = writes || spec->use != LB_USE_INPUT;
        assert_ptr_equal(lb_kernel_role(kernel, spec->role), spec);
        if (spec->list)
            assert_int_equal(kernel->family, LB_FAMILY_RNN_DENSE);
    }
    bool kernel_function = strncmp(kernel->name, "mli_krn_", 8) == 0;
    if (kernel_function && kernel->family != LB_FAMILY_LUT) {
        assert_true(writes && seen[LB_ROLE_OUT] && kernel->returns_status &&
                    kernel->variant[0] != '\0');
        assert_int_equal(kernel->rules != NULL, kernel->exact != NULL);
    }
}

static void rows_are_consistent(void **state)
{
    (void)state;
    for (size_t i = 0; i < lb_kernel_count; i++) {
        const lb_kernel *kernel = &lb_kernels[i];
        assert_non_null(kernel->roles);
        assert_true(kernel->config_kind < LB_CONFIG_KIND_COUNT);
        check_types(kernel);
        check_name(kernel);
        check_roles(kernel);
        if (!kernel->exact)
            assert_null(kernel->real);
        for (const lb_rule *rule = kernel->rules; rule && rule->check; rule++) {
            assert_non_null(rule->name);
            assert_non_null(strchr(rule->name, '.'));
        }
    }
}

/* No row is left without a model, but for two kinds that no single call can judge: the asynchronous
 * movement calls, which are played in sequences on mov_state.h, and the string that describes a
 * build. */
static void every_row_has_a_model(void **state)
{
    static const char *const others[] = {
        "mli_hlp_compile_options_string", "mli_mov_prepare",        "mli_mov_start",
        "mli_mov_registercallback",       "mli_mov_isdone",         "mli_mov_wait",
        "mli_mov_set_num_dma_ch",         "mli_mov_acquire_handle", "mli_mov_release_handle"};
    (void)state;
    for (size_t i = 0; i < lb_kernel_count; i++) {
        bool other = false;
        for (size_t j = 0; j < sizeof others / sizeof others[0]; j++)
            other = other || strcmp(lb_kernels[i].name, others[j]) == 0;
        if ((!lb_kernels[i].exact) != other) {
            fail_msg("%s: %s", lb_kernels[i].name,
                     other ? "has a model now; take it off the list" : "has no model");
        }
    }
}

/* Two different conditions of a function must not be reported under one name. */
static void rule_names_are_unique_in_a_list(void **state)
{
    (void)state;
    for (size_t i = 0; i < lb_kernel_count; i++) {
        for (const lb_rule *rule = lb_kernels[i].rules; rule && rule->check; rule++)
            for (const lb_rule *later = rule + 1; later->check; later++)
                assert_string_not_equal(rule->name, later->name);
    }
}

static void assert_roles(const char *function, const char *expected)
{
    char text[160] = "";
    for (const lb_role_spec *spec = lb_kernel_find(function)->roles; spec->use != LB_USE_NONE;
         spec++) {
        static const char *const use_marks[] = {"", "<", ">", "="};
        strcat(text, use_marks[spec->use]);
        strcat(text, lb_role_name(spec->role));
        strcat(text, spec->list ? "[]" : "");
        strcat(text, spec->optional ? "?" : "");
        strcat(text, " ");
    }
    assert_string_equal(text, expected);
}

/* api.md 4.1, 4.2: argument lists. < input, > output, = both, [] list, ? optional */
static void roles_of_families(void **state)
{
    (void)state;
    assert_roles("mli_krn_conv2d_hwcn_fx16_k5x5", "<in <weights <bias >out ");
    assert_roles("mli_krn_transpose_conv2d_hwcn_sa8_sa8_sa32_k4x4_str2",
                 "<in <weights <bias >out ");
    assert_roles("mli_krn_fully_connected_sa8_sa8_sa32_ext_bias", "<in <weights <bias >out ");
    assert_roles("mli_krn_rnn_dense_fx16", "<in[] <weights[] <bias >out ");
    assert_roles("mli_krn_lstm_cell_sa8_sa8_sa32",
                 "<in <prev_out <weights_in <weights_out <bias =cell >out ");
    assert_roles("mli_krn_gru_cell_fx16_fx8_fx8",
                 "<in <prev_out <weights_in <weights_out <bias >out ");
    assert_roles("mli_krn_relu_fx8", "<in >out ");
    assert_roles("mli_krn_leaky_relu_sa8", "<in <slope >out ");
    assert_roles("mli_krn_l2_normalize_fx16", "<in <epsilon? >out ");
    assert_roles("mli_krn_eltwise_min_fx8", "<in1 <in2 >out ");
    assert_roles("mli_hlp_convert_tensor_safx", "<in >out ");
    assert_roles("mli_hlp_tensor_data_ptr_cmp", "<in1 <in2 ");
    assert_roles("mli_hlp_set_tensor_mem_strides", "=in ");
    assert_roles("mli_hlp_accu_guard_bits_sa8_sa8", "");
    assert_roles("mli_mov_tensor_sync", "<in >out ");
}

static void role_names(void **state)
{
    (void)state;
    for (int i = 0; i < LB_ROLE_COUNT; i++)
        assert_int_equal(lb_role_find(lb_role_name((lb_role)i)), i);
    assert_string_equal(lb_role_name(LB_ROLE_IN_BAD), "in_bad");
    assert_int_equal(lb_role_find("cfg"), -1);
    assert_null(lb_kernel_role(lb_kernel_find("mli_krn_relu_fx8"), LB_ROLE_SLOPE));
}

static const lb_config_field *field_of(const char *function, const char *key)
{
    const lb_config_field *field = lb_config_fields(lb_kernel_find(function)->config_kind);
    while (field->name && strcmp(field->name, key) != 0)
        field++;
    return field->name ? field : NULL;
}

/* Every key lies inside lb_config with its entries, and no two keys of a kind share a place. */
static void config_fields_lie_apart(void **state)
{
    (void)state;
    static const size_t widths[] = {[LB_FIELD_U8] = 1, [LB_FIELD_I32] = 4, [LB_FIELD_U32] = 4};
    for (int kind = 0; kind < LB_CONFIG_KIND_COUNT; kind++) {
        unsigned char owner[sizeof(lb_config)] = {0};
        for (const lb_config_field *f = lb_config_fields((lb_config_kind)kind); f->name; f++) {
            assert_true(f->count == 1 || f->count == 4);
            size_t bytes = f->count * widths[f->type];
            assert_true(f->offset + bytes <= sizeof(lb_config));
            assert_int_equal(f->offset % widths[f->type], 0);
            for (size_t b = 0; b < bytes; b++) {
                assert_int_equal(owner[f->offset + b], 0);
                owner[f->offset + b] = 1;
            }
        }
    }
}

static void config_keys(void **state)
{
    (void)state;
    const lb_config_field *relu = field_of("mli_krn_conv2d_hwcn_fx16", "relu");
    assert_non_null(relu);
    assert_int_equal(relu->offset, offsetof(lb_config, relu));
    assert_string_equal(relu->enum_names[3], "relu6");
    assert_null(relu->enum_names[4]);
    assert_int_equal(field_of("mli_krn_relu_fx16", "type")->offset, offsetof(lb_config, relu));
    assert_null(field_of("mli_krn_relu_fx16", "relu"));
    assert_non_null(field_of("mli_krn_fully_connected_fx8", "relu"));
    assert_int_equal(field_of("mli_krn_conv2d_hwcn_fx16", "dilation_height")->offset,
                     offsetof(lb_config, dilation_height));
    assert_false(field_of("mli_krn_maxpool_hwc_sa8_k2x2", "padding_left")->required);
    assert_true(field_of("mli_krn_maxpool_hwc_sa8_k2x2", "stride_width")->required);
    assert_string_equal(field_of("mli_krn_lstm_cell_fx16", "act")->enum_names[2], "sigm");
    assert_string_equal(field_of("mli_krn_gru_cell_fx16", "direction")->enum_names[1], "backward");
    assert_int_equal(field_of("mli_krn_gru_cell_fx16", "scratch_bytes")->type, LB_FIELD_U32);
    assert_non_null(field_of("mli_krn_argmax_sa8", "topk"));
    assert_non_null(field_of("mli_krn_softmax_fx8", "axis"));
    assert_null(field_of("mli_krn_leaky_relu_fx8", "axis"));
    assert_true(field_of("mli_hlp_create_subtensor", "offset")->may_be_short);
    assert_true(field_of("mli_hlp_point_to_subtensor", "start_coord")->may_be_short);
    assert_false(field_of("mli_mov_tensor_sync", "offset")->may_be_short);
    assert_int_equal(field_of("mli_mov_cfg_for_subsample", "sub_sample_step")->offset,
                     offsetof(lb_config, arg_subsample_step));
    assert_int_equal(field_of("mli_mov_cfg_all", "subsample_step")->offset,
                     offsetof(lb_config, arg_subsample_step));
    assert_int_equal(field_of("mli_mov_cfg_for_permute", "perm_dim")->offset,
                     offsetof(lb_config, arg_perm_dim));
    assert_int_equal(field_of("mli_krn_permute_sa8", "perm_dim")->offset,
                     offsetof(lb_config, perm_dim));
    assert_null(lb_config_fields(LB_CONFIG_NONE)->name);
    assert_null(lb_config_fields(LB_CONFIG_MOV_COPY)->name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(families_are_complete),
        cmocka_unit_test(names_are_unique),
        cmocka_unit_test(rows_are_consistent),
        cmocka_unit_test(every_row_has_a_model),
        cmocka_unit_test(rule_names_are_unique_in_a_list),
        cmocka_unit_test(roles_of_families),
        cmocka_unit_test(role_names),
        cmocka_unit_test(config_fields_lie_apart),
        cmocka_unit_test(config_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
