/* The table of coverpoints: its form, and for each kind of point calls of which a person can tell
 * what they reach. */
#include "reference/tests/conv_calls.h"

#include "harness/coverage/coverpoints.h"
#include "harness/coverage/map.h"
#include "reference/core/arith.h"
#include "reference/mli/pool_divisor.h"

/* ---- Form ---- */

static void names_are_unique(void **state)
{
    (void)state;
    static char names[4096][LB_COVERPOINT_BYTES];
    static lb_cover_group groups[LB_MAX_COVER_GROUPS];
    for (size_t k = 0; k < lb_kernel_count; k++) {
        size_t count = lb_cover_groups(&lb_kernels[k], groups);
        size_t used = 0;
        assert_in_range(count, 1, LB_MAX_COVER_GROUPS - 1);
        for (size_t g = 0; g < count; g++) {
            assert_in_range(lb_cover_points(&groups[g]), 1, LB_MAX_GROUP_POINTS);
            assert_true(strlen(groups[g].spec) > 0);
            for (unsigned p = 0; p < lb_cover_points(&groups[g]); p++) {
                assert_true(used < COUNT_OF(names));
                lb_cover_name(&groups[g], p, names[used]);
                assert_true(strlen(names[used]) < LB_COVERPOINT_BYTES - 1);
                for (size_t i = 0; i < used; i++)
                    assert_string_not_equal(names[used], names[i]);
                used++;
            }
        }
    }
}

/* Every field of every configuration has points, a field without a row of its own too. */
static void every_field_has_points(void **state)
{
    (void)state;
    static lb_cover_group groups[LB_MAX_COVER_GROUPS];
    for (size_t k = 0; k < lb_kernel_count; k++) {
        const lb_config_field *fields = lb_config_fields(lb_kernels[k].config_kind);
        size_t count = lb_cover_groups(&lb_kernels[k], groups);
        for (size_t f = 0; fields[f].name && lb_kernels[k].exact; f++) {
            bool found = false;
            for (size_t g = 0; g < count; g++)
                found = found || strcmp(groups[g].class_name, fields[f].name) == 0;
            assert_true(found);
        }
    }
}

/* The reason in one profile. */
static const char *why_not(const lb_kernel *kernel, const lb_cover_group *group, unsigned point,
                           int profile)
{
    const char *why[LB_PROFILE_COUNT];
    lb_cover_unreachable(kernel, group, point, why);
    return why[profile];
}

/* Does a reason fit a point of some function? */
static bool fits_some_point(const lb_cover_exception *e, int profile)
{
    static lb_cover_group groups[LB_MAX_COVER_GROUPS];
    for (size_t k = 0; k < lb_kernel_count; k++) {
        size_t count = lb_cover_groups(&lb_kernels[k], groups);
        for (size_t g = 0; g < count; g++)
            for (unsigned p = 0; p < lb_cover_points(&groups[g]); p++)
                if (why_not(&lb_kernels[k], &groups[g], p, profile) == e->why)
                    return true;
    }
    return false;
}

/* A reason that fits no point any more is out of date. */
static void every_reason_fits_a_point(void **state)
{
    (void)state;
    for (size_t i = 0; i < lb_cover_exception_count; i++) {
        const lb_cover_exception *e = &lb_cover_exceptions[i];
        for (int p = 0; p < LB_PROFILE_COUNT; p++)
            if ((e->profiles >> p & 1) != 0 && !fits_some_point(e, p))
                fail_msg("no point in profile %d for %s: %s", p, e->functions, e->points);
    }
}

/* Does some sum of n 8-bit elements show that the reciprocal of n is off, whatever the formats? */
static bool shows_in_8_bits(const lb_profile *profile, const lb_call *call, int n, int by)
{
    enum { MOST_APART = 8 };
    const lb_pool_divisor d = lb_pool_divisor_of(profile, call, (uint32_t)n);
    for (int apart = -MOST_APART; apart <= MOST_APART; apart++)
        for (int64_t sum = -128 * n; sum <= 127 * n; sum++)
            if (lb_cast(profile->rounding, sum * d.factor, 64, 8, d.shift + apart) !=
                lb_cast(profile->rounding, sum * (d.factor + by), 64, 8, d.shift + apart))
                return true;
    return false;
}

/* Tried out: the entries of a table of reciprocals that averages of 8 bits never show to be off. */
static void reciprocals_of_8_bits(void **state)
{
    (void)state;
    static lb_cover_group groups[LB_MAX_COVER_GROUPS];
    const lb_kernel *kernel = lb_kernel_find("mli_krn_avepool_hwc_fx8");
    lb_tensor in = {.rank = 3, .el_type = LB_FX8}, out = in;
    const lb_call call = {.kernel = kernel, .tensor = {[LB_ROLE_IN] = &in, [LB_ROLE_OUT] = &out}};
    const size_t count = lb_cover_groups(kernel, groups);
    int tried = 0;
    for (size_t g = 0; g < count; g++) {
        const int by = strcmp(groups[g].class_name, "each_reciprocal_too_large") == 0   ? 1
                       : strcmp(groups[g].class_name, "each_reciprocal_too_small") == 0 ? -1
                                                                                        : 0;
        for (unsigned p = 0; by != 0 && p < lb_cover_points(&groups[g]); p++, tried++)
            for (int profile = 0; profile < LB_PROFILE_COUNT; profile += 2)
                assert_int_equal(shows_in_8_bits(&lb_profiles[profile], &call, (int)p + 1, by),
                                 !why_not(kernel, &groups[g], p, profile));
    }
    assert_int_equal(tried, 128);
}

/* Steps are listened to as long as a point of theirs is open in the profile at hand; in runs,
 * points that nothing reaches keep nobody listening. */
static void steps_are_wanted_while_points_are_open(void **state)
{
    lb_cover_map *map = lb_cover_map_new(1 | 2);
    const lb_kernel *kernel = lb_kernel_find("mli_krn_sigm_fx8");
    const lb_cover_function *function = lb_cover_map_function(map, kernel);
    const char *why;
    size_t unreachable = 0;
    (void)state;
    for (size_t i = 0; i < function->point_count; i++) {
        const size_t spot = lb_cover_spot(map, 0, function->first_point + i);
        const bool is_missed = lb_cover_map_state(map, function, spot, &why) == LB_COVER_MISSED;
        assert_true(lb_cover_map_wants_steps(map, kernel, &lb_profiles[1]));
        unreachable += !is_missed;
        if (is_missed)
            lb_cover_map_keep(map, &spot, 1);
    }
    assert_true(unreachable > 0);
    assert_true(lb_cover_map_wants_steps(map, kernel, &lb_profiles[0]));
    map->only_reachable = true;
    assert_false(lb_cover_map_wants_steps(map, kernel, &lb_profiles[0]));
    assert_true(lb_cover_map_wants_steps(map, kernel, &lb_profiles[1]));
    assert_false(lb_cover_map_wants_steps(map, kernel, &lb_profiles[2]));
    lb_cover_map_free(map);
}

/* One call that is observed in two profiles: each counts for itself. */
static void profiles_count_apart(void **state)
{
    (void)state;
    lb_cover_map *both = lb_cover_map_new(1 | 4), *one = lb_cover_map_new(1);
    assert_non_null(both);
    assert_non_null(one);
    const lb_cover_function *function = lb_cover_map_function(both, &lb_kernels[0]);
    lb_cover_figures before = lb_cover_map_figures(both, function),
                     alone = lb_cover_map_figures(one, lb_cover_map_function(one, &lb_kernels[0]));
    assert_true(before.points > alone.points && before.hit == 0);
    const char *why;
    size_t spot = lb_cover_spot(both, 0, function->first_point);
    while (lb_cover_map_state(both, function, spot, &why) != LB_COVER_MISSED)
        spot++;
    lb_cover_map_keep(both, &spot, 1);
    lb_cover_figures after = lb_cover_map_figures(both, function);
    assert_int_equal(after.hit, 1);
    assert_int_equal(after.points, before.points);
    size_t other = lb_cover_spot(both, 2, lb_cover_spot_point(both, spot));
    assert_int_equal(lb_cover_map_state(both, function, other, &why), LB_COVER_MISSED);
    char line[4096];
    size_t length = lb_cover_map_line(both, &lb_kernels[0], &other, 1, line, sizeof line);
    assert_non_null(strstr(line, "\"profile\":\"convergent-full\""));
    assert_true(lb_cover_map_read(both, line, length));
    assert_int_equal(lb_cover_map_figures(both, function).hit, 2);
    lb_cover_map_free(both);
    lb_cover_map_free(one);
}

static void patterns(void **state)
{
    (void)state;
    assert_true(lb_cover_matches("*", ""));
    assert_true(lb_cover_matches("conv2d*_k1x1", "conv2d_hwcn_fx16_k1x1"));
    assert_true(lb_cover_matches("a*b*c", "axxbyybzc"));
    assert_false(lb_cover_matches("conv2d*_k1x1", "conv2d_hwcn_fx16_k1x11"));
    assert_false(lb_cover_matches("", "a"));
    assert_false(lb_cover_matches("a*b", "ac"));
}

/* ---- What calls reach ---- */

/* Runs the call in a profile on a copy of it and says whether it reaches the point of this name. */
static bool reaches_in(const lb_call *call, int profile, const char *name)
{
    static lb_cover_group groups[LB_MAX_COVER_GROUPS];
    lb_watch watch = {0};
    lb_seen seen;
    lb_steps listener = lb_seen_listener(&seen, NULL);
    lb_context context = {.profile = &lb_profiles[profile], .watch = &watch, .steps = &listener};
    lb_call after = *call;
    const lb_rule *violated = lb_run_exact(&context, &after);
    lb_observation o = {.kernel = call->kernel,
                        .profile = &lb_profiles[profile],
                        .before = call,
                        .after = &after,
                        .violated = violated,
                        .watch = &watch,
                        .seen = &seen};
    size_t count = lb_cover_groups(call->kernel, groups);
    for (size_t g = 0; g < count; g++) {
        uint64_t hit = lb_cover_observe(&o, &groups[g], UINT64_MAX);
        for (unsigned p = 0; p < lb_cover_points(&groups[g]); p++) {
            char own[LB_COVERPOINT_BYTES];
            lb_cover_name(&groups[g], p, own);
            if (strcmp(own, name) == 0)
                return (hit >> p & 1) != 0;
        }
        assert_int_equal(hit >> (lb_cover_points(&groups[g]) - 1) >> 1,
                         0); /* no point that has no name */
    }
    fail_msg("no point %s", name);
    return false;
}

#define ASSERT_REACHES(call, ...)                                                                  \
    do {                                                                                           \
        static const char *const names_[] = {__VA_ARGS__};                                         \
        for (size_t n_ = 0; n_ < COUNT_OF(names_); n_++)                                           \
            if (!reaches_in((call), UP_FULL, names_[n_]))                                          \
                fail_msg("%s is not reached", names_[n_]);                                         \
    } while (0)
#define ASSERT_MISSES(call, ...)                                                                   \
    do {                                                                                           \
        static const char *const names_[] = {__VA_ARGS__};                                         \
        for (size_t n_ = 0; n_ < COUNT_OF(names_); n_++)                                           \
            if (reaches_in((call), UP_FULL, names_[n_]))                                           \
                fail_msg("%s is reached", names_[n_]);                                             \
    } while (0)

/* A 3x3 convolution on a 5x4 map of one channel, stride 2 by 1, one row of padding above and two
 * columns at the right; fx16: four fractional bits in, two in the weights, five in the bias, six
 * out. */
static void a_convolution(void **state)
{
    (void)state;
    int16_t in[20] = {-32768, 32767, 0};
    int16_t weights[9] = {1, 0, -32768};
    int16_t bias[1] = {3};
    int16_t out[6] = {0};
    conv_call c = {.in = make_fx(LB_FX16, 4, SHAPE(5, 4, 1), in),
                   .weights = make_fx(LB_FX16, 2, SHAPE(3, 3, 1, 1), weights),
                   .bias = make_fx(LB_FX16, 5, SHAPE(1), bias),
                   .out = make_fx(LB_FX16, 6, SHAPE(2, 3, 1), out)};
    bind_call(&c, "mli_krn_conv2d_hwcn_fx16");
    c.call.config.stride_height = 2;
    c.call.config.padding_top = 1;
    c.call.config.padding_right = 2;
    c.call.config.relu = RELU_6;
    ASSERT_REACHES(
        &c.call, "status.ok", "stride_height.2", "stride_width.1", "padding_top.inside",
        "padding_left.0", "padding_right.inside", "padding_right.largest", "dilation_width.1",
        "relu.relu6", "relu_limit.out.relu6.inside", "extent.in_height.3+", "extent.in_channels.1",
        "window.height.whole", "window.height.cut", "window.width.cut", "stride.in.dense",
        "frac_bits.in.inside", "shift.out.zero", "shift.bias.positive", "value.operand.in.lowest",
        "value.operand.in.highest", "value.operand.weights.lowest", "value.operand.weights.zero",
        "cross.padding_and_stride", "cross.uneven_strides", "cross.uneven_padding",
        "cross.lowest_operands");
    /* out has 2 of the 3 rows that fit: (5 + 1 - 3) / 2 + 1 = 2: all of them; 3 of (4 + 2 - 3) / 1
     * + 1 = 4 columns. */
    ASSERT_REACHES(&c.call, "window.width.out_smaller");
    ASSERT_MISSES(&c.call, "window.height.out_smaller", "window.height.no_tap",
                  "padding_top.largest", "padding_bottom.inside", "stride.in.gaps",
                  "shift.out.positive", "cross.stride_and_dilation", "status.cfg.present",
                  "value.accumulator.wraps");
}

/* Per-axis weights of 9 filters, all padding beside the input: a row of gaps behind every 9
 * channels of out. */
static void a_depthwise_of_sa8(void **state)
{
    (void)state;
    int8_t in[9] = {-128};
    int8_t weights[18] = {-128};
    int32_t bias[9] = {0};
    int8_t out[22] = {0};
    int16_t scale[9] = {1, 16384, 32767, 3, 16384, 16384, 16384, 16384, 16384};
    int8_t frac[9] = {0, 14, 14, 14, 14, 14, 14, 14, 14};
    int16_t bias_scale[9] = {1, 16384, 32767, 3, 16384, 16384, 16384, 16384, 16384};
    int8_t bias_frac[9] = {0, 14, 14, 14, 14, 14, 14, 14, 14};
    int16_t zero[9] = {0};
    conv_call c = {.in = make_sa(LB_SA8, (lb_quant){1, 0, -128}, SHAPE(1, 1, 9), in),
                   .weights = make_tensor(LB_SA8, SHAPE(2, 1, 1, 9), weights),
                   .bias = make_tensor(LB_SA32, SHAPE(9), bias),
                   .out = make_sa(LB_SA8, (lb_quant){1, 0, 127}, SHAPE(2, 1, 9), out)};
    set_per_axis(&c.weights, 3, scale, frac, zero);
    set_per_axis(&c.bias, 0, bias_scale, bias_frac, zero);
    c.out.mem_stride[0] = 11;
    c.out.mem_stride[1] = 11;
    c.out.data.capacity_bytes = 22;
    bind_call(&c, "mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32");
    c.call.config.padding_top = 1;
    c.call.config.padding_bottom = 1;
    c.call.config.relu = RELU_GEN;
    ASSERT_REACHES(&c.call, "status.ok", "zero_point.in.lowest", "zero_point.in.negative",
                   "zero_point.out.highest", "scale.weights.1", "scale.weights.32767",
                   "scale.weights.other", "scale.weights.power_of_two",
                   "scale_frac_bits.weights.zero", "quantized.weights.per_axis",
                   "quantized.bias.per_axis", "extent.out_channels.9..15", "stride.out.gaps",
                   "cross.gaps_and_tail", "cross.per_axis_and_tail", "cross.relu_and_per_axis",
                   "cross.padding_and_zero_point", "relu.gen", "relu_limit.out.gen");
    ASSERT_MISSES(&c.call, "zero_point.in.zero", "quantized.weights.per_tensor",
                  "extent.out_channels.8");
}

/* in lowest * weights lowest = 2^14, which needs 16 bits; 511 of 16x8 bits are 511 * 2^22, 32 bits;
 * 512 leave them. */
static void accumulators(void **state)
{
    (void)state;
    static int16_t in[512];
    static int8_t weights[512];
    int8_t bias[1] = {127};
    int16_t out[1];
    memset(weights, -128, sizeof weights);
    for (size_t i = 0; i < COUNT_OF(in); i++)
        in[i] = INT16_MIN;
    conv_call c = {.in = make_fx(LB_FX16, 0, SHAPE(511), in),
                   .weights = make_fx(LB_FX8, 0, SHAPE(511, 1), weights),
                   .bias = make_fx(LB_FX8, -20, SHAPE(1), bias),
                   .out = make_fx(LB_FX16, 0, SHAPE(1), out)};
    bind_call(&c, "mli_krn_fully_connected_fx16_fx8_fx8");
    ASSERT_REACHES(&c.call, "value.accumulator.bits.32", "value.bias.saturates_high",
                   "value.result.out.highest", "extent.inputs.65+", "extent.outputs.1",
                   "shift.bias.positive");
    ASSERT_MISSES(&c.call, "value.accumulator.bits.31", "value.accumulator.wraps",
                  "value.bias.saturates_low");
    c.in = make_fx(LB_FX16, 0, SHAPE(512), in);
    c.weights = make_fx(LB_FX8, 0, SHAPE(512, 1), weights);
    ASSERT_REACHES(&c.call, "value.accumulator.wraps");
    in[511] = INT16_MAX; /* the last product takes the sum back: 511 * 2^22 - 2^22 + 2^7 */
    ASSERT_MISSES(&c.call, "value.accumulator.wraps", "value.accumulator.comes_back");
    in[511] = INT16_MIN;
    in[0] = INT16_MAX;
    ASSERT_MISSES(&c.call, "value.accumulator.wraps");
}

/* Rules: the first violated one, with its status; a refused call reaches nothing else. */
static void statuses(void **state)
{
    (void)state;
    int8_t data[4] = {0};
    lb_tensor in = make_fx(LB_FX8, 0, SHAPE(4), data);
    lb_tensor out = make_fx(LB_FX8, 0, SHAPE(4), data);
    lb_call call = make_call("mli_krn_relu_fx8");
    set_role(&call, LB_ROLE_IN, &in);
    set_role(&call, LB_ROLE_OUT, &out);
    ASSERT_REACHES(&call, "status.ok", "place.in.in_place", "type.none", "rank.in.1");
    in.data.capacity_bytes = 3;
    ASSERT_REACHES(&call, "status.in.tensor.not_enough_mem");
    ASSERT_MISSES(&call, "status.ok", "status.in.tensor.bad_tensor",
                  "status.out.tensor.not_enough_mem", "type.none");
    in.data.capacity_bytes = 4;
    in.mem_stride[0] = 0;
    ASSERT_REACHES(&call, "status.in.tensor.bad_tensor");
    in.mem_stride[0] = 1;
    call.config_null = true;
    ASSERT_REACHES(&call, "status.cfg.present");
}

/* Shifts of element-wise functions: mul of 3 and 4 fractional bits into 7 shifts by nothing, into 8
 * to the left. */
static void shifts(void **state)
{
    (void)state;
    int8_t a[2] = {3, -128};
    int8_t b[2] = {5, -128};
    int8_t to[2];
    lb_tensor in1 = make_fx(LB_FX8, 3, SHAPE(2), a);
    lb_tensor in2 = make_fx(LB_FX8, 4, SHAPE(2), b);
    lb_tensor out = make_fx(LB_FX8, 7, SHAPE(2), to);
    lb_call call = make_call("mli_krn_eltwise_mul_fx8");
    set_role(&call, LB_ROLE_IN1, &in1);
    set_role(&call, LB_ROLE_IN2, &in2);
    set_role(&call, LB_ROLE_OUT, &out);
    ASSERT_REACHES(&call, "shift.out.zero", "scalar.in1.no", "cross.lowest_operands");
    out.frac_bits = 8;
    ASSERT_REACHES(&call, "shift.out.negative");
    out.frac_bits = -8; /* 15 = 2 * 8 - 1: the last count that is not cut */
    ASSERT_REACHES(&call, "shift.out.positive");
    out.frac_bits = -9;
    ASSERT_REACHES(&call, "shift.out.beyond");
}

/* Steps: 3 fractional bits go. Weights 1; 4 / 8 is a tie that up rounds to 1 and convergent to 0,
 * -4 / 8 one to 0 and to 0, 12 / 8 one to 2 and to 2, -12 / 8 one to -1 and to -2; 32767 and -32768
 * with two more bits out leave the container. */
static void values(void **state)
{
    (void)state;
    int16_t in[1] = {1};
    int16_t weights[4] = {4, -4, 12, -12};
    int16_t bias[4] = {0};
    int16_t out[4];
    conv_call c = {.in = make_fx(LB_FX16, 0, SHAPE(1), in),
                   .weights = make_fx(LB_FX16, 3, SHAPE(1, 4), weights),
                   .bias = make_fx(LB_FX16, 0, SHAPE(4), bias),
                   .out = make_fx(LB_FX16, 0, SHAPE(4), out)};
    bind_call(&c, "mli_krn_fully_connected_fx16");
    assert_true(reaches_in(&c.call, UP_FULL, "value.requantize.tie_up.positive"));
    assert_true(reaches_in(&c.call, UP_FULL, "value.requantize.tie_up.negative"));
    assert_false(reaches_in(&c.call, UP_FULL, "value.requantize.tie_down.positive"));
    assert_false(reaches_in(&c.call, UP_FULL, "value.requantize.tie_down.negative"));
    assert_true(reaches_in(&c.call, CONVERGENT_FULL, "value.requantize.tie_down.positive"));
    assert_true(reaches_in(&c.call, CONVERGENT_FULL, "value.requantize.tie_down.negative"));
    weights[0] = 5; /* 5 / 8: nearest, and no tie */
    weights[1] = -5;
    weights[2] = 13;
    weights[3] = -11;
    ASSERT_MISSES(&c.call, "value.requantize.tie_up.positive", "value.requantize.tie_up.negative",
                  "value.requantize.saturates.high", "value.bias.wraps");
    in[0] = 32767; /* 32767 * 13 / 8 and 32767 * -11 / 8 leave 16 bits */
    ASSERT_REACHES(&c.call, "value.requantize.saturates.high", "value.requantize.saturates.low");
    c.in.frac_bits = 28; /* bias_shift 31: 1000 * 2^31 is cut to 32 bits */
    bias[0] = 1001;
    ASSERT_REACHES(&c.call, "value.bias.wraps");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_unique),
        cmocka_unit_test(every_field_has_points),
        cmocka_unit_test(every_reason_fits_a_point),
        cmocka_unit_test(reciprocals_of_8_bits),
        cmocka_unit_test(profiles_count_apart),
        cmocka_unit_test(steps_are_wanted_while_points_are_open),
        cmocka_unit_test(patterns),
        cmocka_unit_test(a_convolution),
        cmocka_unit_test(a_depthwise_of_sa8),
        cmocka_unit_test(accumulators),
        cmocka_unit_test(statuses),
        cmocka_unit_test(shifts),
        cmocka_unit_test(values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
