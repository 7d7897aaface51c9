/* Products where nobody listens, held against the accumulator fed one by one, and the whole-number
 * sums of the real models against additions in double precision. Spec: conv.md 12, 15. */
#include "tensors.h"

#include "core/products.h"
#include "mli/real_weighted.h"

#include <math.h>

enum { CHANNELS = 40, TAPS = 9, SPACE = 2048, LANES = 3 };

static const struct {
    uint32_t x, weights;
    lb_operands operands;
} types[] = {
    {LB_SA8, LB_SA8, LB_OPERANDS_8X8},
    {LB_FX16, LB_FX8, LB_OPERANDS_16X8},
    {LB_FX16, LB_FX16, LB_OPERANDS_16X16},
    {LB_FX8, LB_FX16, LB_OPERANDS_16X8}, /* no loop of its own */
};

static uint32_t random_state = 1;

static uint32_t draw(void)
{
    return next_random(&random_state);
}

/* Any bytes, and the ends of the range. */
static void fill(int16_t *data, size_t count)
{
    static const int16_t ends[] = {INT16_MIN, INT16_MAX, -128, 127, 0, -1};
    for (size_t i = 0; i < count; i++)
        data[i] = draw() % 4 == 0 ? ends[draw() % COUNT_OF(ends)]
                                  : (int16_t)((int32_t)(draw() % 65536) - 32768);
}

typedef struct scene {
    int16_t x_data[SPACE], w_data[SPACE];
    lb_tensor x, weights;
    lb_tap_offsets taps[TAPS];
    lb_products p;
} scene;

/* Elements at odd places, `tap_count` taps in no order, steps of more than one. */
static void set_scene(scene *s, size_t type, unsigned tap_count, size_t count)
{
    fill(s->x_data, SPACE);
    fill(s->w_data, SPACE);
    s->x = make_tensor(types[type].x, SHAPE(SPACE), s->x_data);
    s->weights = make_tensor(types[type].weights, SHAPE(SPACE), s->w_data);
    for (unsigned n = 0; n < TAPS; n++)
        s->taps[n] = (lb_tap_offsets){draw() % 500, draw() % 500};
    s->p = (lb_products){.x = &s->x,
                         .weights = &s->weights,
                         .taps = s->taps,
                         .tap_count = tap_count,
                         .first = {draw() % 100, draw() % 100},
                         .x_step = 1 + draw() % 7,
                         .weight_step = 1 + draw() % 7,
                         .count = count};
}

static int32_t x_of(const lb_products *p, size_t k, unsigned n)
{
    return lb_load(p->x, p->first.x + k * p->x_step + p->taps[n].x);
}

static int32_t weight_of(const lb_products *p, size_t k, unsigned n)
{
    return lb_load(p->weights, p->first.weight + k * p->weight_step + p->taps[n].weight);
}

static void add_one_by_one(lb_acc *acc, const lb_products *p)
{
    for (size_t k = 0; k < p->count; k++)
        for (unsigned n = 0; n < p->tap_count; n++)
            lb_acc_mac(acc, p->constant ? (int32_t)p->constant->v : x_of(p, k, n) - p->taken_off,
                       weight_of(p, k, n));
}

static void assert_same(const lb_acc *a, const lb_acc *b)
{
    lb_watch watch_a = {0}, watch_b = {0};
    assert_int_equal(a->exact, b->exact);
    assert_int_equal(a->low, b->low);
    assert_int_equal(a->high, b->high);
    assert_int_equal(a->macs, b->macs);
    assert_int_equal(a->owed, b->owed);
    for (unsigned i = 0; i < a->lanes; i++)
        assert_int_equal(a->lane[i], b->lane[i]);
    assert_int_equal(a->folded_low, b->folded_low);
    assert_int_equal(a->folded_high, b->folded_high);
    assert_int_equal(lb_acc_close(a, &watch_a), lb_acc_close(b, &watch_b));
    assert_memory_equal(&watch_a, &watch_b, sizeof watch_a);
}

/* The products, then the terms of a zero point: all that an accumulator knows, after each. */
static void hold_accumulator(scene *s, lb_acc start, int32_t zero_point, int32_t terms_of)
{
    const lb_num constant = lb_num_const(-(int64_t)terms_of);
    lb_acc ours = start, theirs = start;
    int64_t their_lanes[LANES] = {0};
    if (start.lanes > 0) {
        memcpy(their_lanes, start.lane, sizeof their_lanes);
        theirs.lane = their_lanes;
    }
    lb_acc_expect_zero_point(&ours, zero_point);
    lb_acc_expect_zero_point(&theirs, zero_point);
    lb_products_add(&ours, &s->p);
    add_one_by_one(&theirs, &s->p);
    assert_same(&ours, &theirs);
    lb_acc_expect_terms(&ours);
    lb_acc_expect_terms(&theirs);
    s->p.constant = &constant;
    lb_products_add(&ours, &s->p);
    add_one_by_one(&theirs, &s->p);
    assert_same(&ours, &theirs);
    s->p.constant = NULL;
}

static void accumulators_are_the_same(void **state)
{
    (void)state;
    static const int32_t zero_points[] = {0, 1, -128, 127, -32768, 32767};
    static const size_t counts[] = {0, 1, 2, CHANNELS};
    lb_profile saturating = lb_profiles[0], in_lanes = lb_profiles[0];
    int64_t lanes[LANES];
    saturating.acc_saturates = true;
    /* So that lanes saturate. */
    in_lanes.acc_bits[LB_OPERANDS_8X8] = 18;
    in_lanes.acc_bits[LB_OPERANDS_16X8] = 26;
    in_lanes.acc_bits[LB_OPERANDS_16X16] = 34;
    in_lanes.lanes = lanes;
    in_lanes.at.value[LB_FEATURE_LANES] = LANES;
    lb_profile in_wide_lanes = in_lanes;
    in_wide_lanes.acc_bits[LB_OPERANDS_16X16] = 64;
    const lb_profile *const profiles[] = {&lb_profiles[0], &saturating, &in_lanes, &in_wide_lanes};
    for (unsigned round = 0; round < 4 * 6 * 4 * 4 * 2 * TAPS; round++) {
        const size_t type = round % COUNT_OF(types);
        const int32_t zero_point = zero_points[round / 4 % 6];
        const unsigned tap_count = 1 + draw() % TAPS;
        scene s;
        set_scene(&s, type, round % 3 == 0 ? 1 : tap_count, counts[round / 24 % 4]);
        lb_acc start = lb_acc_start(profiles[round / 96 % 4], types[type].operands);
        if (round % 5 == 0)
            lb_acc_mac(&start, -1000003, 1); /* the bias first */
        start = lb_acc_followed(start, round / 384 % 2 == 0, false);
        s.p.taken_off = round % 7 == 0 ? zero_point : 0;
        hold_accumulator(&s, start, zero_point, zero_point);
        hold_accumulator(&s, start, zero_point, zero_point + 1); /* terms of something else */
    }
}

static void real_sums_have_the_same_bits(void **state)
{
    (void)state;
    static const int32_t zero_points[] = {0, 5, -128, 32767, INT16_MIN};
    for (unsigned round = 0; round < 600; round++) {
        const int32_t zero_point = zero_points[round % COUNT_OF(zero_points)];
        scene s;
        set_scene(&s, round % 3, 1 + draw() % TAPS, draw() % CHANNELS);
        lb_real_sum whole = {0.0, 0.0}, plain = {0.0, 0.0};
        for (unsigned n = 0; n < s.p.tap_count; n++)
            for (size_t k = 0; k < s.p.count; k++) {
                const double x = x_of(&s.p, k, n), w = weight_of(&s.p, k, n);
                plain.sum += (x - zero_point) * w;
                plain.magnitude += (fabs(x) + fabs((double)zero_point)) * fabs(w);
            }
        assert_true(lb_real_whole(&whole, &s.p, zero_point));
        assert_memory_equal(&whole, &plain, sizeof whole);
    }
}

/* The worst that is taken: 2^22 products of 2^31 each. */
static void the_largest_sum_is_exact(void **state)
{
    (void)state;
    scene s;
    lb_real_sum sum = {0.0, 0.0};
    set_scene(&s, 2, 1, LB_WHOLE_PRODUCTS);
    s.x_data[0] = s.w_data[0] = INT16_MIN;
    s.taps[0] = s.p.first = (lb_tap_offsets){0, 0};
    s.p.x_step = s.p.weight_step = 0;
    assert_true(lb_real_whole(&sum, &s.p, INT16_MAX));
    assert_true(sum.sum == 65535.0 * 32768.0 * LB_WHOLE_PRODUCTS);
    assert_true(sum.magnitude == sum.sum);
    sum = (lb_real_sum){0.0, 0.0};
    assert_true(lb_real_whole(&sum, &s.p, INT16_MIN));
    assert_true(sum.sum == 0.0 && sum.magnitude == 0x1p53);
}

static void others_are_added_one_by_one(void **state)
{
    (void)state;
    scene s;
    double fine[SPACE];
    lb_real_sum sum = {0.0, 0.0};
    set_scene(&s, 2, 1, CHANNELS);
    assert_false(lb_real_whole(&sum, &s.p, INT16_MAX + 1));
    sum.sum = 0.5; /* of terms before */
    assert_false(lb_real_whole(&sum, &s.p, 0));
    sum = (lb_real_sum){0.0, 0.0};
    s.p.count = LB_WHOLE_PRODUCTS + 1;
    assert_false(lb_real_whole(&sum, &s.p, 0));
    s.p.count = CHANNELS;
    for (size_t i = 0; i < SPACE; i++)
        fine[i] = s.x_data[i] + 0.25;
    s.x.fine = fine;
    assert_false(lb_real_whole(&sum, &s.p, 0));
    lb_real_sum plain = sum;
    for (size_t k = 0; k < CHANNELS; k++) {
        const double w = s.w_data[100 + 2 * k];
        plain.sum += (fine[3 * k] - 7) * w;
        plain.magnitude += (fabs(fine[3 * k]) + 7) * fabs(w);
    }
    lb_real_macs(&sum, &s.x, 0, 3, 7, &s.weights, 100, 2, CHANNELS);
    assert_memory_equal(&sum, &plain, sizeof sum);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accumulators_are_the_same),
        cmocka_unit_test(real_sums_have_the_same_bits),
        cmocka_unit_test(the_largest_sum_is_exact),
        cmocka_unit_test(others_are_added_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
