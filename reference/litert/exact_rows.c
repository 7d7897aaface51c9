/* Pooling, softmax, mean and sum, and L2 normalization of LiteRT, to the last bit. Spec: litert.8,
 * litert.11, litert.12, litert.19, litert.20. */
#include "describe/map_cursor.h"
#include "fixed.h"
#include "models.h"

#define CONST(v)   lb_num_const(v)
#define SITE(name) LB_SITE_LITE_##name

/* The outer loops of a map, and the sum at each of their positions. */
typedef struct row_walk {
    lb_fix f;
    lb_steps *listener; /* of the call */
    lb_map_cursor at;
    int out_bits;
} row_walk;

static bool first_row(row_walk *w, const lb_context *context, lb_call *call)
{
    w->f = (lb_fix){.context = context, .call = call};
    w->listener = lb_steps_of(context->steps, LB_ROLE_OUT);
    w->out_bits = lb_container_bits(call->tensor[LB_ROLE_OUT]->el_type);
    return lb_cursor_first(&w->at, context, call);
}

/* Who listens to an element of the row at hand; else nobody. */
static void listen_to_row(row_walk *w)
{
    const lb_steps *wanted = w->listener;
    const size_t length = w->at.bound.extent[1];
    bool is_here =
        wanted && (wanted->element == LB_STEPS_EVERY || wanted->element / length == w->at.at[0]);
    w->f.s = is_here ? w->listener : NULL;
}

static void listen_to_element(row_walk *w)
{
    w->f.s = lb_cursor_steps(&w->at, w->listener);
}

static lb_num element(const row_walk *w)
{
    return lb_cursor_load(&w->at, LB_MAP_X, LB_NAMED(IN), w->f.s);
}

static lb_num without_zero_point(const row_walk *w)
{
    lb_num x = element(w);
    return lb_num_sub_zero_point(w->f.s, x, lb_fix_field(&w->f, LB_LITE_input_zero_point), 0,
                                 SITE(INPUT_WITHOUT_ITS_ZERO_POINT));
}

static void store(row_walk *w, lb_num v)
{
    lb_cursor_store(&w->at, w->f.s, v);
}

/* A sum of 32 bits. */
static lb_acc start_sum(const row_walk *w)
{
    return lb_acc_followed(lb_acc_start(w->f.context->profile, LB_OPERANDS_8X8), true, w->f.s);
}

static lb_num close_sum(const row_walk *w, const lb_acc *acc)
{
    lb_fix_sum_within_32(&w->f, acc);
    lb_steps_tap(w->f.s, 0);
    return lb_num_acc_close(w->f.s, acc, w->f.context->watch);
}

/* ---- 8. Pooling ---- */

/* Halves go away from zero. */
static lb_num average_of(const row_walk *w, lb_num sum, uint64_t positions)
{
    lb_steps *s = w->f.s;
    lb_num n = lb_num_geometry(s, LB_GEOMETRY_WINDOW, (int64_t)positions);
    lb_fix_demand(&w->f, positions > 0, LB_UNSAID_RANGE);
    if (positions == 0)
        return CONST(0);
    lb_num half = lb_num_asr(s, n, CONST(1), 32, SITE(HALF_OF_THE_POSITIONS));
    lb_fix_known(&w->f, sum, sum.v > 0 ? 1 : INT32_MIN, sum.v > 0 ? INT32_MAX : 0);
    lb_num top = sum.v > 0 ? lb_num_add(s, sum, half, 0, SITE(SUM_AND_HALF))
                           : lb_num_sub(s, sum, half, 0, SITE(SUM_LESS_HALF));
    return lb_num_tdiv(s, lb_fix_within_32(&w->f, top), n, SITE(AVERAGE));
}

void lb_lite_exact_average_pool(const lb_context *context, lb_call *call)
{
    row_walk w;
    for (bool more = first_row(&w, context, call); more; more = lb_cursor_next(&w.at)) {
        listen_to_element(&w);
        lb_acc acc = start_sum(&w);
        uint64_t positions = 0;
        lb_steps_enter(w.f.s, LB_PART_TAPS, "litert.8");
        do {
            if (!lb_cursor_is_inside(&w.at, LB_MAP_X))
                continue;
            lb_steps_tap(w.f.s, ++positions);
            lb_num_mac(w.f.s, &acc, element(&w), CONST(1));
        } while (lb_cursor_next_in_sum(&w.at));
        lb_num sum = close_sum(&w, &acc);
        lb_steps_enter(w.f.s, LB_PART_RESULT, "litert.8");
        store(&w, lb_fix_act(&w.f,
                             average_of(&w, sum, lb_map_counted(&w.at.bound, w.at.at, positions))));
    }
}

void lb_lite_exact_max_pool(const lb_context *context, lb_call *call)
{
    row_walk w;
    for (bool more = first_row(&w, context, call); more; more = lb_cursor_next(&w.at)) {
        listen_to_element(&w);
        lb_num highest = CONST(lb_min_of(w.out_bits));
        uint64_t positions = 0;
        lb_steps_enter(w.f.s, LB_PART_MAXIMUM_OF_THE_WINDOW, "litert.8");
        do {
            if (!lb_cursor_is_inside(&w.at, LB_MAP_X))
                continue;
            lb_steps_tap(w.f.s, ++positions);
            highest = lb_num_max(w.f.s, highest, element(&w), SITE(POOL_THE_LARGER_ONE));
        } while (lb_cursor_next_in_sum(&w.at));
        lb_steps_enter(w.f.s, LB_PART_RESULT, "litert.8");
        store(&w, lb_fix_act(&w.f, highest));
    }
}

/* ---- 11, 12. Softmax ---- */

static lb_num largest_of(row_walk *w, const char *section)
{
    lb_num largest = CONST(INT32_MIN);
    uint64_t taps = 0;
    lb_steps_enter(w->f.s, LB_PART_LARGEST_OF_THE_GROUP, section);
    do {
        lb_steps_tap(w->f.s, ++taps);
        largest = lb_num_max(w->f.s, largest, element(w), SITE(ROW_THE_LARGER_ONE));
    } while (lb_cursor_next_in_sum(&w->at));
    return largest;
}

static lb_num below_largest(const row_walk *w, lb_num largest)
{
    lb_num d = lb_num_sub(w->f.s, element(w), largest, 0, SITE(X_LESS_THE_LARGEST));
    return lb_fix_known(&w->f, d, -UINT16_MAX, 0);
}

static bool counts(const row_walk *w, lb_num difference)
{
    return difference.v >= lb_lite_field_of(w->f.call, LB_LITE_diff_min);
}

static lb_num exponential_of(const row_walk *w, lb_num difference)
{
    lb_num scaled =
        lb_fix_scale_ge1(&w->f, difference, lb_fix_field(&w->f, LB_LITE_input_multiplier),
                         lb_fix_field(&w->f, LB_LITE_input_left_shift));
    return lb_fix_exp_neg(&w->f, scaled, 5);
}

static lb_num sum_of_exponentials(row_walk *w, lb_num largest)
{
    lb_acc acc = start_sum(w);
    uint64_t taps = 0;
    lb_steps_enter(w->f.s, LB_PART_SUM_OF_THE_EXPONENTIALS, "litert.11");
    do {
        lb_steps_tap(w->f.s, ++taps);
        lb_num d = below_largest(w, largest);
        if (counts(w, d))
            lb_num_mac(w->f.s, &acc, lb_fix_rdiv(&w->f, exponential_of(w, d), CONST(12)), CONST(1));
    } while (lb_cursor_next_in_sum(&w->at));
    return close_sum(w, &acc);
}

static lb_num softmax_s8_of(const row_walk *w, lb_num largest, lb_num reciprocal, lb_num bits)
{
    lb_steps *s = w->f.s;
    lb_steps_enter(s, LB_PART_EXPONENTIAL_OF_THE_ELEMENT, "litert.11");
    lb_num d = below_largest(w, largest);
    if (!counts(w, d))
        return lb_num_copy(s, CONST(lb_min_of(w->out_bits)), SITE(TOO_FAR_BELOW));
    lb_num e = exponential_of(w, d);
    lb_steps_enter(s, LB_PART_RESULT, "litert.11");
    lb_num product = lb_fix_srdhm(&w->f, reciprocal, e);
    lb_num n = lb_num_add(s, bits, CONST(31 - w->out_bits), 0, SITE(BITS_THAT_GO));
    lb_num y = lb_fix_rdiv(&w->f, product, n);
    y = lb_num_sub_zero_point(s, y, CONST((int64_t)1 << (w->out_bits - 1)), 32,
                              SITE(FROM_THE_LOWEST_RESULT));
    return lb_fix_clamp(&w->f, y, w->out_bits);
}

static void softmax_s8_row(row_walk *w)
{
    lb_num bits;
    listen_to_row(w);
    lb_num largest = largest_of(w, "litert.11");
    lb_num sum = sum_of_exponentials(w, largest);
    lb_steps_enter(w->f.s, LB_PART_RECIPROCAL_OF_THE_SUM, "litert.11");
    lb_num reciprocal = lb_fix_reciprocal(&w->f, sum, &bits);
    lb_fix_known(&w->f, bits, 0, 11); /* the largest element alone makes 2^19 of the sum */
    do {
        listen_to_element(w);
        store(w, softmax_s8_of(w, largest, reciprocal, bits));
    } while (lb_cursor_next_in_sum(&w->at));
}

void lb_lite_exact_softmax_s8(const lb_context *context, lb_call *call)
{
    row_walk w;
    for (bool more = first_row(&w, context, call); more; more = lb_cursor_next(&w.at))
        softmax_s8_row(&w);
}

static lb_num exponential_s16_of(const row_walk *w, lb_num largest)
{
    lb_num d = below_largest(w, largest);
    lb_num scaled = lb_fix_scale32(&w->f, d, lb_fix_field(&w->f, LB_LITE_input_multiplier),
                                   lb_fix_field(&w->f, LB_LITE_input_left_shift));
    lb_num place = lb_num_add(w->f.s, scaled, CONST(32767), 0, SITE(FROM_THE_END_OF_THE_TABLE));
    place = lb_num_sat(w->f.s, place, 16, SITE(WITHIN_THE_TABLE));
    return lb_fix_lut16(&w->f, lb_fix_softmax_exp, place);
}

static lb_num sum_of_s16(row_walk *w, lb_num largest)
{
    lb_acc acc = start_sum(w);
    uint64_t taps = 0;
    lb_steps_enter(w->f.s, LB_PART_SUM_OF_THE_EXPONENTIALS, "litert.12");
    do {
        lb_steps_tap(w->f.s, ++taps);
        lb_num_mac(w->f.s, &acc, exponential_s16_of(w, largest), CONST(1));
    } while (lb_cursor_next_in_sum(&w->at));
    return close_sum(w, &acc);
}

/* 1 / sum, by a table; *zeros: leading zero bits of the sum. */
static lb_num reciprocal_s16(const row_walk *w, lb_num sum, lb_num *zeros)
{
    lb_steps *s = w->f.s;
    lb_steps_enter(s, LB_PART_RECIPROCAL_OF_THE_SUM, "litert.12");
    /* the largest element alone makes 32762 of the sum */
    *zeros = lb_fix_known(&w->f, lb_fix_leading_zeros(&w->f, sum), 1, 17);
    lb_num left = lb_num_sub(s, *zeros, CONST(1), 0, SITE(ZERO_BITS_LESS_1));
    lb_num full = lb_num_shl(s, sum, left, 64, SITE(SUM_FILLING_31_BITS));
    lb_fix_known(&w->f, full, (int64_t)1 << 30, INT32_MAX);
    lb_num top = lb_num_rsh(s, LB_ROUND_UP, full, CONST(14), 64, SITE(SUM_IN_17_BITS));
    lb_num place = lb_num_sub(s, top, CONST(98304), 0, SITE(PLACE_IN_THE_TABLE));
    place = lb_num_sat(s, place, 16, SITE(PLACE_WITHIN_THE_TABLE));
    lb_fix_settled(&w->f, place, INT16_MIN, INT16_MAX); /* the last entry begins at 32768 */
    return lb_fix_lut16(&w->f, lb_fix_softmax_one_over_one_plus_x, place);
}

static lb_num softmax_s16_of(const row_walk *w, lb_num largest, lb_num reciprocal, lb_num zeros)
{
    lb_steps *s = w->f.s;
    lb_steps_enter(s, LB_PART_EXPONENTIAL_OF_THE_ELEMENT, "litert.12");
    lb_num e = exponential_s16_of(w, largest);
    lb_steps_enter(s, LB_PART_RESULT, "litert.12");
    lb_num product = lb_num_mul(s, e, reciprocal, SITE(E_TIMES_THE_RECIPROCAL));
    lb_num n = lb_num_sub(s, CONST(31), zeros, 0, SITE(31_LESS_THE_ZERO_BITS));
    lb_num y = lb_num_rsh(s, LB_ROUND_UP, product, n, 64, SITE(E_OVER_THE_SUM));
    y = lb_num_max(s, y, CONST(0), SITE(NOT_BELOW_0));
    return lb_num_min(s, y, CONST(32767), SITE(AT_MOST_32767));
}

static void softmax_s16_row(row_walk *w)
{
    lb_num zeros;
    listen_to_row(w);
    lb_num largest = largest_of(w, "litert.12");
    lb_num sum = sum_of_s16(w, largest);
    lb_num reciprocal = reciprocal_s16(w, sum, &zeros);
    do {
        listen_to_element(w);
        store(w, softmax_s16_of(w, largest, reciprocal, zeros));
    } while (lb_cursor_next_in_sum(&w->at));
}

void lb_lite_exact_softmax_s16(const lb_context *context, lb_call *call)
{
    row_walk w;
    for (bool more = first_row(&w, context, call); more; more = lb_cursor_next(&w.at))
        softmax_s16_row(&w);
}

/* ---- 19. Mean and sum ---- */

/* Multiplier and shift of the mean: the division by n is in the multiplier, which is cut. */
static void divide_by(const row_walk *w, lb_num n, lb_num *multiplier, lb_num *shift)
{
    lb_steps *s = w->f.s;
    lb_num bits = lb_num_norm(s, n, 32, SITE(ROOM_ABOVE_N));
    lb_num log2 = lb_num_sub(s, CONST(30), bits, 0, SITE(LOGARITHM_OF_N));
    lb_num most = lb_num_add(s, CONST(31), *shift, 0, SITE(31_AND_THE_SHIFT));
    lb_num k = lb_num_min(s, lb_num_min(s, log2, CONST(32), SITE(K_AT_MOST_32)), most, SITE(K));
    lb_num wide = lb_num_shl(s, *multiplier, k, 64, SITE(MULTIPLIER_TIMES_2_TO_THE_K));
    *multiplier = lb_num_tdiv(s, wide, n, SITE(MULTIPLIER_OVER_N));
    *shift = lb_num_sub(s, *shift, k, 0, SITE(SHIFT_LESS_K));
}

static lb_num reduced_of(const row_walk *w, lb_num sum, int64_t count)
{
    lb_steps *s = w->f.s;
    lb_num multiplier = lb_fix_field(&w->f, LB_LITE_multiplier);
    lb_num shift = lb_fix_field(&w->f, LB_LITE_shift);
    lb_steps_enter(s, LB_PART_MULTIPLIER_AND_SHIFT, "litert.19");
    lb_num n = lb_num_geometry(s, LB_GEOMETRY_WINDOW, count);
    if (lb_lite_field_of(w->f.call, LB_LITE_sum) == 0)
        divide_by(w, n, &multiplier, &shift);
    lb_steps_enter(s, LB_PART_RESULT, "litert.19");
    lb_num zeros =
        lb_num_mul(s, lb_fix_field(&w->f, LB_LITE_input_zero_point), n, SITE(ZERO_POINT_TIMES_N));
    lb_num v = lb_num_sub_zero_point(s, sum, zeros, 0, SITE(SUM_WITHOUT_ZERO_POINTS));
    v = lb_fix_scale32(&w->f, lb_fix_within_32(&w->f, v), multiplier, shift);
    v = lb_num_add_zero_point(s, v, lb_fix_field(&w->f, LB_LITE_output_zero_point), 0,
                              SITE(WITH_THE_OUTPUTS_ZERO_POINT));
    return lb_fix_clamp(&w->f, lb_fix_within_32(&w->f, v), w->out_bits);
}

void lb_lite_exact_mean(const lb_context *context, lb_call *call)
{
    row_walk w;
    for (bool more = first_row(&w, context, call); more; more = lb_cursor_next(&w.at)) {
        listen_to_element(&w);
        lb_acc acc = start_sum(&w);
        uint64_t count = 0;
        lb_steps_enter(w.f.s, LB_PART_TAPS, "litert.19");
        do {
            lb_steps_tap(w.f.s, ++count);
            lb_num_mac(w.f.s, &acc, element(&w), CONST(1));
        } while (lb_cursor_next_in_sum(&w.at));
        store(&w, reduced_of(&w, close_sum(&w, &acc),
                             (int64_t)lb_map_counted(&w.at.bound, w.at.at, count)));
    }
}

/* ---- 20. L2 normalization ---- */

static lb_num sum_of_squares(row_walk *w)
{
    lb_acc acc = start_sum(w);
    uint64_t taps = 0;
    lb_steps_enter(w->f.s, LB_PART_SUM_OF_SQUARES, "litert.20");
    do {
        lb_steps_tap(w->f.s, ++taps);
        lb_num d = without_zero_point(w);
        lb_num_mac(w->f.s, &acc, d, d);
    } while (lb_cursor_next_in_sum(&w->at));
    return close_sum(w, &acc);
}

static void l2_row(row_walk *w)
{
    lb_num shift;
    listen_to_row(w);
    lb_num squares = sum_of_squares(w);
    lb_steps_enter(w->f.s, LB_PART_INVERSE_ROOT_OF_THE_SUM, "litert.3.6");
    lb_num root = lb_fix_inverse_square_root(&w->f, squares, &shift);
    shift = lb_num_add(w->f.s, shift, CONST(7), 0, SITE(SHIFT_AND_7));
    do {
        listen_to_element(w);
        lb_steps_enter(w->f.s, LB_PART_NORMALIZE, "litert.20");
        lb_num y = lb_fix_scale32(&w->f, without_zero_point(w), root, shift);
        store(w, lb_fix_clamp(&w->f, y, w->out_bits));
    } while (lb_cursor_next_in_sum(&w->at));
}

void lb_lite_exact_l2_normalization(const lb_context *context, lb_call *call)
{
    row_walk w;
    for (bool more = first_row(&w, context, call); more; more = lb_cursor_next(&w.at))
        l2_row(&w);
}
