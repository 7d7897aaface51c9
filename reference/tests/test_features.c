/* The features of platforms (features.md): each choice in the smallest call, against numbers worked
 * out by hand from its formula; and which of them go together. */
#include "conv_calls.h"

#include "core/arith.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- A fully connected layer of sa8 with one output ---- */

typedef struct layer {
    int8_t x[8], w[8];
    uint32_t taps;
    int32_t bias;
    int zero_in, zero_out;
    int shift;         /* out = acc * 2^-shift, where nothing else is said */
    int scale;         /* of weights; 0: 2^14 */
    int scale_out;     /* 0: 2^14 */
    const char *wants; /* features: "overflow=saturate lanes=2" */
} layer;

static uint8_t value_of(int feature, const char *name)
{
    char text[8];
    if (name[0] >= '0' && name[0] <= '9')
        return (uint8_t)atoi(name);
    for (unsigned i = 1; i <= 5; i++) {
        if (!lb_feature_rows[feature].choices[i - 1].name)
            break;
        if (strcmp(lb_feature_value_name((lb_feature)feature, (uint8_t)i, text), name) == 0)
            return (uint8_t)i;
    }
    fail_msg("%s: no such choice of %s", name, lb_feature_rows[feature].name);
    return 0;
}

static lb_feature_set features_of(const char *wants)
{
    lb_feature_set set = {.value = {0}};
    char words[200];
    snprintf(words, sizeof words, "%s", wants);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        char *is = strchr(word, '=');
        *is = '\0';
        int feature = lb_feature_find(word);
        assert_true(feature >= 0);
        set.value[feature] = value_of(feature, is + 1);
    }
    return set;
}

static int output_of(const layer *l)
{
    lb_profile profile = lb_profiles[0];
    int8_t x[8], w[8], y[1] = {0};
    int32_t b[1] = {l->bias};
    int scale = l->scale ? l->scale : 1 << 14, scale_out = l->scale_out ? l->scale_out : 1 << 14;
    memcpy(x, l->x, sizeof x);
    memcpy(w, l->w, sizeof w);
    lb_tensor in = make_sa(LB_SA8, (lb_quant){1 << 14, 14, l->zero_in}, SHAPE(l->taps), x);
    lb_tensor weights = make_sa(LB_SA8, (lb_quant){scale, 14, 0}, SHAPE(l->taps, 1), w);
    lb_tensor bias = make_sa(LB_SA32, (lb_quant){scale, 14, 0}, SHAPE(1), b);
    lb_tensor out = make_sa(LB_SA8, (lb_quant){scale_out, 14 - l->shift, l->zero_out}, SHAPE(1), y);
    lb_call call = make_call("mli_krn_fully_connected_sa8_sa8_sa32");
    set_role(&call, LB_ROLE_IN, &in);
    set_role(&call, LB_ROLE_WEIGHTS, &weights);
    set_role(&call, LB_ROLE_BIAS, &bias);
    set_role(&call, LB_ROLE_OUT, &out);
    profile.has_features = true;
    profile.features.of[LB_FAMILY_FULLY_CONNECTED][LB_TYPES_SA8] = features_of(l->wants);
    assert_null(
        lb_features_conflict(&profile.features.of[LB_FAMILY_FULLY_CONNECTED][LB_TYPES_SA8]));
    lb_context context = {.profile = &profile};
    const lb_rule *rule = lb_run_exact(&context, &call);
    assert_string_equal(rule ? rule->name : "", "");
    return y[0];
}

/* The accumulator is the bias alone. */
static int of_sum(int32_t sum, int shift, const char *wants)
{
    return output_of(&(layer){.taps = 1, .bias = sum, .shift = shift, .wants = wants});
}

/* ---- features.md 2 ---- */

static void roundings(void **state)
{
    (void)state;
    static const int64_t v[] = {5, -5, 6, -6, 7, -7}; /* in quarters */
    static const int64_t expected[LB_ROUND_COUNT][6] = {
        {1, -1, 2, -1, 2, -2}, {1, -1, 2, -2, 2, -2}, {1, -1, 2, -2, 2, -2},
        {1, -1, 1, -1, 1, -1}, {1, -2, 1, -2, 1, -2},
    };
    for (int mode = 0; mode < LB_ROUND_COUNT; mode++)
        for (size_t i = 0; i < COUNT_OF(v); i++)
            assert_int_equal(lb_rsh((lb_rounding)mode, v[i], 2, 32), expected[mode][i]);
    assert_int_equal(lb_rsh(LB_ROUND_AWAY, 10, 2, 32), 3); /* 2.5: not to even */
    assert_int_equal(lb_rsh(LB_ROUND_AWAY, INT32_MAX, 1, 32), 1 << 30);
    assert_int_equal(lb_rsh(LB_ROUND_FLOOR, -1, 40, 32), -1);
    assert_int_equal(lb_rsh(LB_ROUND_ZERO, -1, 40, 32), 0);
    assert_int_equal(of_sum(-10, 2, "rounding=up"), -2);
    assert_int_equal(of_sum(-10, 2, "rounding=away"), -3);
    assert_int_equal(of_sum(-11, 2, "rounding=zero"), -2);
    assert_int_equal(of_sum(-9, 2, "rounding=floor"), -3);
}

/* ---- features.md 3, 4, 5 ---- */

static void requantizations(void **state)
{
    (void)state;
    /* mul 2^28, made 2^30; shift 28 + 2 + 2: 32. The high half of 5 * 2^30 is 2.5, rounded to 3; a
     * half of that is 1.5, rounded to 2. In one step 5 / 4 is 1. */
    assert_int_equal(of_sum(5, 2, "requantize=full"), 1);
    assert_int_equal(of_sum(5, 2, "requantize=high-multiply"), 2);
    assert_int_equal(of_sum(5, 2, "requantize=high-multiply first-rounding=floor"), 1);
    assert_int_equal(of_sum(5, 2, "requantize=high-multiply first-rounding=convergent"), 1);
    assert_int_equal(of_sum(-5, 2, "requantize=high-multiply rounding=away"), -1);
    assert_int_equal(of_sum(-5, 2, "requantize=high-multiply first-rounding=away rounding=away"),
                     -2);
    /* 21845 / 2^14 = 1.33331; in 8 bits 171 / 128 = 1.33594. Of 4224: 5631.9 and 5643; by 2^-6. */
    layer l = {.taps = 1, .bias = 4224, .shift = 6, .scale = 21845, .wants = "requantize=full"};
    assert_int_equal(output_of(&l), 88);
    l.wants = "multiplier-bits=8";
    assert_int_equal(output_of(&l), 88);
    l.bias = 5568; /* 7423.9 / 64 = 115.998, 7438.5 / 64 = 116.2 */
    l.shift = 4;   /* 463.99, 464.9: both clipped */
    assert_int_equal(output_of(&l), 127);
    l.bias = 1440; /* 1919.97 / 16 = 119.998, 1923.75 / 16 = 120.23 */
    assert_int_equal(output_of(&l), 120);
    l.bias = 1476; /* 1967.97 / 16 = 122.998, 1971.84 / 16 = 123.24 */
    l.shift = 2;
    assert_int_equal(output_of(&l), 127);
    l.bias = 93; /* 123.998, 124.24 without a shift: 124; floored in scales: 170 / 128: 123.5 */
    l.shift = 0;
    assert_int_equal(output_of(&l), 124);
    l.wants = "multiplier-bits=8 scale-rounding=floor rounding=floor";
    assert_int_equal(output_of(&l), 123);
    l.wants = "multiplier-bits=8 rounding=floor";
    assert_int_equal(output_of(&l), 124);
}

static void whole_ratios(void **state)
{
    (void)state;
    /* 2^14 * 2^14 / 20000 is 0.8192 * 2^14; r = 53687, in 15 bits 26844 / 2^15 = 0.819214. Of
     * 8039950 by 2^-16: 100.4994 and 100.5011. */
    layer l = {.taps = 1, .bias = 8039950, .shift = 16, .scale_out = 20000};
    l.wants = "requantize=full";
    assert_int_equal(output_of(&l), 101);
    l.wants = "scale-ratio=exact";
    assert_int_equal(output_of(&l), 100);
    l.wants = "scale-ratio=exact requantize=high-multiply";
    assert_int_equal(output_of(&l), 100);
    l.wants = "requantize=float";
    assert_int_equal(output_of(&l), 100);
    /* 2^25 - 1 and -2^24 - 1 have 25 bits: 2^25 and, to the even neighbour, -2^24. */
    assert_int_equal(of_sum((1 << 25) - 1, 19, "rounding=floor"), 63);
    assert_int_equal(of_sum((1 << 25) - 1, 19, "rounding=floor requantize=float"), 64);
    assert_int_equal(of_sum(-(1 << 24) - 1, 18, "rounding=floor"), -65);
    assert_int_equal(of_sum(-(1 << 24) - 1, 18, "rounding=floor requantize=float"), -64);
    assert_int_equal(of_sum(-10, 2, "requantize=float"), -2);
    assert_int_equal(of_sum(-10, 2, "requantize=float rounding=away"), -3);
    assert_int_equal(of_sum(1 << 30, -40, "requantize=float"), 127);
    assert_int_equal(of_sum(1, 127, "requantize=float"), 0);
}

/* ---- features.md 6, 7, 8 ---- */

static void sums(void **state)
{
    (void)state;
    layer l = {.x = {127, 127, 127, 127}, .w = {127, 127, 127, -127}, .taps = 4, .shift = 8};
    /* 16129, 32258, 48387, 32258 */
    l.wants = "accumulator-bits=32";
    assert_int_equal(output_of(&l), 126);
    l.wants = "accumulator-bits=16 overflow=wrap"; /* back inside at the end */
    assert_int_equal(output_of(&l), 126);
    l.wants = "accumulator-bits=16 overflow=saturate"; /* 32767 - 16129 = 16638 */
    assert_int_equal(output_of(&l), 65);
    l.wants = "accumulator-bits=16 overflow=saturate-at-end";
    assert_int_equal(output_of(&l), 126);
    l.wants = "accumulator-bits=16 overflow=saturate lanes=2"; /* 32258 + 0 */
    assert_int_equal(output_of(&l), 126);
    l.taps = 3;
    l.wants = "accumulator-bits=16 overflow=wrap"; /* 48387 - 65536 = -17149 */
    assert_int_equal(output_of(&l), -67);
    l.wants = "accumulator-bits=16 overflow=saturate-at-end"; /* 32767: 127.996 */
    assert_int_equal(output_of(&l), 127);
}

/* ---- features.md 9 ---- */

static void biases(void **state)
{
    (void)state;
    layer l = {.x = {127}, .w = {127}, .taps = 1, .bias = 32000, .shift = 8};
    l.wants = "accumulator-bits=16"; /* 48129, saturated: 32767 */
    assert_int_equal(output_of(&l), 127);
    l.wants = "accumulator-bits=16 bias=after-wrapping"; /* -17407 */
    assert_int_equal(output_of(&l), -68);
    l.wants = "accumulator-bits=16 bias=first";
    assert_int_equal(output_of(&l), -68);
    l.wants = "accumulator-bits=16 bias=first overflow=saturate";
    assert_int_equal(output_of(&l), 127);
    /* numerics.md 4.3: 712275 is cut to 712256, -100001 to -100004 */
    assert_int_equal(of_sum(712275 - 712192, 0, "bias-bits=top16"), 83);
    assert_int_equal(of_sum(-100001, 10, "bias-bits=all rounding=floor"), -98);
    l = (layer){
        .x = {1}, .w = {127}, .taps = 1, .bias = 65537, .shift = 0, .wants = "bias-bits=all"};
    assert_int_equal(output_of(&l), 127);
    l.x[0] = -1; /* 65537 is cut to 65536 */
    l.shift = 9;
    l.wants = "bias-bits=top16 rounding=floor"; /* 65409 / 512 = 127.75 */
    assert_int_equal(output_of(&l), 127);
    l.w[0] = 0;
    l.bias = -65537; /* cut to -65540: / 4 is -16385 */
    l.shift = 2;
    assert_int_equal(output_of(&l), -128);
    l.zero_out = 0;
    l.shift = 14; /* -4.0002: -5; full: -4.00006: -5 too; -65536 would be -4 */
    assert_int_equal(output_of(&l), -5);
}

/* ---- features.md 10 ---- */

static void zero_points(void **state)
{
    (void)state;
    /* (100 - 100) * 127 three times: products of 12700, which leave 16 bits on the way. */
    layer l = {.x = {100, 100, 100}, .w = {127, 127, 127}, .taps = 3, .zero_in = 100, .shift = 8};
    l.wants = "accumulator-bits=16 overflow=saturate"; /* 32767 - 38100 = -5333 */
    assert_int_equal(output_of(&l), -21);
    l.wants = "accumulator-bits=16 overflow=saturate zero-point=in-products";
    assert_int_equal(output_of(&l), 0);
}

static void padding(void **state)
{
    (void)state;
    int8_t x[] = {3}, w[] = {1, 1, 1, 1, 5, 1, 1, 1, 1}, y[1];
    int32_t b[] = {0};
    conv_call c = {.in = make_sa(LB_SA8, (lb_quant){1 << 14, 14, -2}, SHAPE(1, 1, 1), x),
                   .weights = make_sa(LB_SA8, ONE, SHAPE(3, 3, 1, 1), w),
                   .bias = make_sa(LB_SA32, ONE, SHAPE(1), b),
                   .out = make_sa(LB_SA8, ONE, SHAPE(1, 1, 1), y)};
    lb_profile profile = lb_profiles[0];
    lb_context context = {.profile = &profile};
    bind_call(&c, "mli_krn_conv2d_hwcn_sa8_sa8_sa32");
    c.call.config.padding_left = c.call.config.padding_right = 1;
    c.call.config.padding_top = c.call.config.padding_bottom = 1;
    assert_null(lb_run_exact(&context, &c.call));
    assert_int_equal(y[0], 25); /* (3 + 2) * 5 */
    profile.has_features = true;
    lb_feature_set *features = &profile.features.of[LB_FAMILY_CONV2D][LB_TYPES_SA8];
    *features = features_of("padding=raw-zero");
    assert_null(lb_run_exact(&context, &c.call));
    assert_int_equal(y[0], 25 + 8 * 2);
    *features = features_of("padding=raw-zero zero-point=in-products");
    assert_null(lb_run_exact(&context, &c.call));
    assert_int_equal(y[0], 25 + 8 * 2);
}

/* ---- features.md 11, 12, 13 ---- */

static void ends(void **state)
{
    (void)state;
    /* -1.5 and 2: 0.5 goes away from zero, where -1.5 alone goes to -2 */
    layer l = {.taps = 1, .bias = -3, .shift = 1, .zero_out = 2, .wants = "rounding=away"};
    assert_int_equal(output_of(&l), 0);
    l.wants = "rounding=away output-zero-point=before-rounding";
    assert_int_equal(output_of(&l), 1);
    l = (layer){.taps = 1, .bias = 300, .zero_out = -100, .wants = "rounding=up"};
    assert_int_equal(output_of(&l), 127);
    l.wants = "output-zero-point=after-clipping";
    assert_int_equal(output_of(&l), 27);
    /* mul is 2^28, so the shift is 28 + n; 64 becomes 0 */
    assert_int_equal(of_sum(7, 36, "rounding=up"), 0);
    assert_int_equal(of_sum(7, 36, "right-shift-past-width=modulo-64"), 127);
    assert_int_equal(of_sum(7, 4, "right-shift-past-width=modulo-32"), 127);
    /* 28 - 40 = -12: 3 * 2^28 * 2^12, saturated; of 2^35 products 64 bits are left */
    assert_int_equal(of_sum(-3, -40, "rounding=up"), -128);
    assert_int_equal(of_sum(1 << 24, -40, "left-shift=wrap"), 0);
    assert_int_equal(of_sum(-7, -40, "requantize=high-multiply left-shift=ignored"), -3); /* -3.5 */
    assert_int_equal(of_sum(-200, 0, "rounding=up"), -128);
    assert_int_equal(of_sum(-200, 0, "lowest-output=symmetric"), -127);
}

/* ---- features.md 1 ---- */

static void combinations(void **state)
{
    (void)state;
    static const char *const refused[] = {
        "first-rounding=up",
        "first-rounding=up requantize=full",
        "multiplier-bits=16 requantize=reduced",
        "lanes=4",
        "lanes=4 overflow=wrap",
        "requantize=high-multiply output-zero-point=before-rounding"};
    for (size_t i = 0; i < COUNT_OF(refused); i++) {
        lb_feature_set set = features_of(refused[i]);
        assert_non_null(lb_features_conflict(&set));
    }
    assert_false(lb_feature_applies(LB_FEATURE_REQUANTIZE, LB_FAMILY_CONV2D, LB_TYPES_FX16));
    assert_false(lb_feature_applies(LB_FEATURE_PADDING, LB_FAMILY_FULLY_CONNECTED, LB_TYPES_SA8));
    assert_false(lb_feature_applies(LB_FEATURE_ROUNDING, LB_FAMILY_PERMUTE, LB_TYPES_SA8));
}

/* A profile without features is as it was, whatever its table holds for other families. */
static void others_stay(void **state)
{
    (void)state;
    lb_profile profile = lb_profiles[0];
    lb_profile_here here;
    const lb_kernel *relu = lb_kernel_find("mli_krn_relu_sa8");
    assert_ptr_equal(lb_profile_of(&lb_profiles[0], relu, &here), &lb_profiles[0]);
    profile.has_features = true;
    profile.features.of[LB_FAMILY_CONV2D][LB_TYPES_SA8] = features_of("rounding=away");
    assert_ptr_equal(lb_profile_of(&profile, relu, &here), &profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roundings),    cmocka_unit_test(requantizations),
        cmocka_unit_test(whole_ratios), cmocka_unit_test(sums),
        cmocka_unit_test(biases),       cmocka_unit_test(zero_points),
        cmocka_unit_test(padding),      cmocka_unit_test(ends),
        cmocka_unit_test(combinations), cmocka_unit_test(others_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
