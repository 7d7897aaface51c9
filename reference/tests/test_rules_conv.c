/* What convolutions check, and in which order: every rule by a fault of its own, then every two
 * faults together. conv.md 11; its steps are named here by single letters, in the order in which
 * they are checked:
 *
 * - A: types of in, weights, bias (Q1 of sa8); B, C: frac_bits of bias, out; K: kernel size
 * - i, w, b, o: tensor checks; T: type of out; 1 to 5: the table D1 to D5
 * - m, n, p, q: quantization of in, out, weights, bias; e, f, g: Q4, Q5, Q6
 * - X, Y: strides and kernel of the transpose specializations */
#include "conv_faults.h"

static const char *order_of(const lb_kernel *kernel)
{
    bool sa = kernel->in_type == LB_SA8;
    bool special = kernel->kernel_size != 0;
    if (kernel->family == LB_FAMILY_TRANSPOSE_CONV2D) {
        return sa ? (special ? "iwboT12345AmnpqefgXY" : "iwboT12345Amnpqefg")
                  : (special ? "ABCiwboT12345XY" : "ABCiwboT12345");
    }
    return sa ? (special ? "KiwboT12345Amnpqefg" : "iwboT12345Amnpqefg")
              : (special ? "ABCKiwboT12345" : "ABCiwboT12345");
}

static bool is_convolution(const lb_kernel *kernel)
{
    return kernel->config_kind == LB_CONFIG_CONV2D;
}

static bool has_rule(const lb_kernel *kernel, const char *name)
{
    for (const lb_rule *rule = kernel->rules; rule->check; rule++)
        if (strcmp(rule->name, name) == 0)
            return true;
    return false;
}

/* Place of a fault's step in the order of a function, or NULL if the function cannot have it. */
static const char *place_of(const lb_kernel *kernel, const fault *f)
{
    return has_rule(kernel, f->rule) ? strchr(order_of(kernel), f->step) : NULL;
}

static void expect_first(const lb_kernel *kernel, const fault *first, const fault *second)
{
    fixture *x = valid_call(kernel);
    if (second) {
        second->apply(
            x); /* the later one first: the earlier one must be the last to touch a field */
    }
    first->apply(x);
    const char *rule = run_watched(&x->c, UP_FULL);
    if (x->c.call.undefined != LB_SAID)
        return; /* a rank that leaves no channels (conv.md 11) */
    if (strcmp(rule, first->rule) != 0 || x->c.call.status != first->status) {
        fail_msg("%s: %s and then %s: found \"%s\", %s", kernel->name, first->rule,
                 second ? second->rule : "none", rule, lb_status_name((int)x->c.call.status));
    }
    assert_int_equal(x->c.watch.chains, 0);
}

static void valid_calls_pass(void **state)
{
    (void)state;
    int functions = 0;
    for (size_t k = 0; k < lb_kernel_count; k++) {
        if (is_convolution(&lb_kernels[k])) {
            fixture *x = valid_call(&lb_kernels[k]);
            assert_string_equal(run_watched(&x->c, UP_FULL), "");
            assert_int_equal(x->c.watch.chains, lb_element_count(&x->c.out));
            functions++;
        }
    }
    assert_int_equal(functions, 39);
}

/* Each fault alone is found by its rule; and there is no rule in any list that no fault here
 * reaches. */
static void every_rule_has_its_fault(void **state)
{
    (void)state;
    for (size_t k = 0; k < lb_kernel_count; k++) {
        const lb_kernel *kernel = &lb_kernels[k];
        if (!is_convolution(kernel))
            continue;
        size_t rules_found = 0;
        for (size_t i = 0; i < COUNT_OF(faults); i++) {
            if (place_of(kernel, &faults[i])) {
                expect_first(kernel, &faults[i], NULL);
                rules_found += i == 0 || strcmp(faults[i - 1].rule, faults[i].rule) != 0;
            }
        }
        size_t rules = 0;
        for (const lb_rule *rule = kernel->rules; rule->check; rule++)
            rules += !lb_rule_is_undefined(rule);
        assert_int_equal(rules_found, rules);
    }
}

/* Two faults of different steps: the earlier step gives the status. */
static void earlier_steps_come_first(void **state)
{
    (void)state;
    for (size_t k = 0; k < lb_kernel_count; k++) {
        const lb_kernel *kernel = &lb_kernels[k];
        if (!is_convolution(kernel))
            continue;
        for (size_t i = 0; i < COUNT_OF(faults); i++) {
            for (size_t j = 0; j < COUNT_OF(faults); j++) {
                const char *first = place_of(kernel, &faults[i]);
                const char *second = place_of(kernel, &faults[j]);
                if (first && second && first < second)
                    expect_first(kernel, &faults[i], &faults[j]);
            }
        }
    }
}

/* conv.md 11, the end; and never a crash. */
static void undefined_calls_are_told(void **state)
{
    (void)state;
    static const lb_role roles[] = {LB_ROLE_IN, LB_ROLE_WEIGHTS, LB_ROLE_BIAS, LB_ROLE_OUT};
    for (size_t k = 0; k < lb_kernel_count; k++) {
        if (!is_convolution(&lb_kernels[k]))
            continue;
        for (size_t r = 0; r < COUNT_OF(roles); r++) {
            fixture *x = valid_call(&lb_kernels[k]);
            x->c.call.tensor[roles[r]] = NULL;
            run_watched(&x->c, UP_FULL);
            bool first = roles[r] == LB_ROLE_WEIGHTS && lb_kernels[k].kernel_size != 0 &&
                         lb_kernels[k].family != LB_FAMILY_TRANSPOSE_CONV2D;
            bool undefined = lb_kernels[k].in_type != LB_SA8 || first;
            assert_int_equal(x->c.call.undefined, undefined ? LB_UNSAID_RULE : LB_SAID);
            assert_int_equal(x->c.call.status, LB_BAD_TENSOR);
        }
    }
    fixture *x = valid_call(lb_kernel_find("mli_krn_group_conv2d_hwcn_fx16"));
    reshape(&x->c.weights, SHAPE(3, 3, 8, 4)); /* more channels in a group than there are */
    assert_string_equal(run_watched(&x->c, UP_FULL), "in.group_channels");
    assert_int_equal(x->c.call.undefined, LB_UNSAID_RULE);
    x = valid_call(lb_kernel_find("mli_krn_group_conv2d_hwcn_sa8_sa8_sa32"));
    reshape(&x->c.in, SHAPE(6, 24)); /* shape[2] is 0 */
    assert_string_equal(run_watched(&x->c, UP_FULL), "in.group_channels");
    /* every rule by itself, on nothing and on zeros */
    lb_tensor nothing;
    memset(&nothing, 0, sizeof nothing);
    for (size_t k = 0; k < lb_kernel_count; k++) {
        lb_context context = {.profile = &lb_profiles[UP_FULL], .watch = NULL};
        lb_call call = {.kernel = &lb_kernels[k]};
        for (const lb_rule *rule = lb_kernels[k].rules;
             is_convolution(&lb_kernels[k]) && rule->check; rule++) {
            if (lb_rule_is_undefined(rule))
                continue; /* rows before them have passed */
            memset(call.tensor, 0, sizeof call.tensor);
            bool of_tensors = !rule->all || lb_check_roles(call.kernel, rule) != 0;
            lb_status status = rule->check(&context, &call, rule);
            assert_in_range(status, LB_OK, LB_STATUS_COUNT - 1);
            assert_true(!of_tensors || status == LB_BAD_TENSOR);
            for (size_t r = 0; r < COUNT_OF(roles); r++)
                set_role(&call, roles[r], &nothing);
            assert_in_range(rule->check(&context, &call, rule), LB_OK, LB_STATUS_COUNT - 1);
        }
    }
}

/* The edges of D4: the largest padding and the largest output that pass, with dilation, and the
 * next ones that do not. */
static void geometry_edges(void **state)
{
    (void)state;
    static const struct {
        int stride, dilation, before, after;
        uint32_t out;
        const char *rule;
    } cases[] = {
        /* in 6, kernel 3: effective kernel 3 */
        {1, 1, 0, 0, 4, ""},
        {1, 1, 0, 0, 5, "out.width_fits"},
        {1, 1, 0, 0, 1, ""},
        {1, 1, 2, 2, 8, ""},
        {1, 1, 2, 2, 9, "out.width_fits"},
        {1, 1, 3, 0, 4, "cfg.padding_width"},
        {1, 1, 0, 3, 4, "cfg.padding_width"},
        {3, 1, 0, 0, 2, ""},
        {3, 1, 0, 0, 3, "out.width_fits"},
        {255, 1, 0, 0, 1, ""},
        /* dilation 2: effective kernel 5; 3: 7, wider than the input without padding */
        {1, 2, 4, 4, 10, ""},
        {1, 2, 5, 0, 1, "cfg.padding_width"},
        {1, 2, 0, 0, 2, ""},
        {1, 2, 0, 0, 3, "out.width_fits"},
        {1, 3, 0, 0, 1, "out.width_fits"},
        {1, 3, 0, 1, 1, ""},
        {1, 255, 252, 253, 1, ""},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        fixture *x = valid_call(lb_kernel_find("mli_krn_conv2d_hwcn_fx16"));
        x->c.call.config.stride_width = (uint8_t)cases[i].stride;
        x->c.call.config.dilation_width = (uint8_t)cases[i].dilation;
        x->c.call.config.padding_left = (uint8_t)cases[i].before;
        x->c.call.config.padding_right = (uint8_t)cases[i].after;
        reshape(&x->c.out, SHAPE(1, cases[i].out, 4));
        assert_string_equal(run_watched(&x->c, UP_FULL), cases[i].rule);
    }
}

/* Capacities count, not elements: touching ends are fine, one byte of overlap is not. */
static void overlap_edges(void **state)
{
    (void)state;
    fixture *x = valid_call(lb_kernel_find("mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32"));
    x->c.in.data.capacity_bytes += 10;
    x->c.out.data.mem.ptr = (char *)x->in + x->c.in.data.capacity_bytes;
    assert_string_equal(run_watched(&x->c, UP_FULL), "");
    x->c.in.data.capacity_bytes++;
    assert_string_equal(run_watched(&x->c, UP_FULL), "out.apart_from_in");
    /* weights and bias may overlap what is read; on what is written, any order gives another result
     */
    x = valid_call(lb_kernel_find("mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32"));
    x->c.weights.data.mem.ptr = x->in;
    assert_string_equal(run_watched(&x->c, UP_FULL), "");
    x->c.bias.data.mem.ptr = x->out;
    assert_string_equal(run_watched(&x->c, UP_FULL), "out.place");
}

/* conv.md 11, Q6: 5 * 1 / 2 is 3 or 2, and a bias scale of 4 is within 1 of the one only. Per axis
 * the last entry counts too. */
static void bias_scale_follows_the_rounding(void **state)
{
    (void)state;
    fixture *x = valid_call(lb_kernel_find("mli_krn_conv2d_hwcn_sa8_sa8_sa32"));
    make_per_axis(x, &x->c.weights, 1, 3);
    make_per_axis(x, &x->c.bias, 2, 0);
    x->c.in.sa.scale.mem.i16 = 5;
    for (int i = 0; i < 4; i++) {
        x->lists[1].scale[i] = 1;
        x->lists[2].scale[i] = i == 3 ? 4 : 3;
        x->lists[2].frac[i] = 27;
    }
    assert_string_equal(run_watched(&x->c, UP_FULL), "");
    assert_string_equal(run_watched(&x->c, UP_REDUCED), "");
    assert_string_equal(run_watched(&x->c, CONVERGENT_FULL), "bias.scale");
    assert_string_equal(run_watched(&x->c, CONVERGENT_REDUCED), "bias.scale");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(valid_calls_pass),
        cmocka_unit_test(every_rule_has_its_fault),
        cmocka_unit_test(earlier_steps_come_first),
        cmocka_unit_test(undefined_calls_are_told),
        cmocka_unit_test(geometry_edges),
        cmocka_unit_test(overlap_edges),
        cmocka_unit_test(bias_scale_follows_the_rounding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
