/* Edits of steps, carried out: see operators.h. */
#include "harness/faults/step_rows.h"
#include "reference/core/lut.h"

/* ---- A step done with other operands ---- */

static int64_t held_sum(const lb_num_step *s, int64_t sum)
{
    return s->saturates ? lb_sat(sum, lb_step_width(s)) : lb_wrap(sum, lb_step_width(s));
}

static int64_t entry_of(const lb_lut *lut, int64_t i)
{
    return lut->table[i < 0 ? 0 : i >= lut->length ? lut->length - 1 : i];
}

int64_t lb_step_evaluate(const lb_num_step *s)
{
    int width = lb_step_width(s), count = (int)lb_sat(s->operand[1].v, 16);
    int64_t a = s->operand[0].v, b = s->operand[1].v;
    switch (s->operation) {
    case LB_STEP_MAC:
        return held_sum(s, (int64_t)((uint64_t)a + (uint64_t)lb_step_product(s)));
    case LB_STEP_ADD:
        return lb_add(lb_sat(a, width), lb_sat(b, width), width);
    case LB_STEP_SUB:
        return lb_sub(lb_sat(a, width), lb_sat(b, width), width);
    case LB_STEP_MUL:
        return (int64_t)((uint64_t)a * (uint64_t)b);
    case LB_STEP_SHL:
        return lb_shl(lb_sat(a, width), count, width);
    case LB_STEP_ASR:
        return lb_asr(lb_sat(a, width), count, width);
    case LB_STEP_RSH:
        return lb_rsh(s->rounding, lb_sat(a, width), count, width);
    case LB_STEP_SAT:
        return lb_sat(a, width);
    case LB_STEP_WRAP:
        return lb_wrap(a, width);
    case LB_STEP_MIN:
        return a < b ? a : b;
    case LB_STEP_MAX:
        return a > b ? a : b;
    case LB_STEP_TDIV:
        return b == 0 || b == -1 ? s->result : a / b;
    case LB_STEP_LOOKUP:
        return entry_of(&lb_luts[s->table], a);
    default:
        return s->result;
    }
}

int64_t lb_step_with_product(const lb_num_step *step, int64_t product)
{
    return held_sum(step, (int64_t)((uint64_t)lb_step_operand(step, 0) + (uint64_t)product));
}

/* ---- Numbers of a step ---- */

/* How many places to the right, of asr, rsh and (to the left) shl. */
static int64_t right_count(const lb_num_step *step)
{
    int64_t n = lb_sat(lb_step_operand(step, 1), 16);
    return step->operation == LB_STEP_SHL ? -n : n;
}

/* The exact result of the step, before it was held to its width. */
static int64_t exact_result(const lb_num_step *step)
{
    int64_t a = lb_step_operand(step, 0), b = lb_step_operand(step, 1), left;
    switch (step->operation) {
    case LB_STEP_ADD:
        return (int64_t)((uint64_t)a + (uint64_t)b);
    case LB_STEP_SUB:
        return (int64_t)((uint64_t)a - (uint64_t)b);
    case LB_STEP_SHL:
    case LB_STEP_ASR:
    case LB_STEP_RSH:
        left = -right_count(step);
        return left >= 64  ? 0
               : left >= 0 ? (int64_t)((uint64_t)a << left)
                           : lb_step_floor(a, -left);
    default:
        return a;
    }
}

/* The step's value moved by another count, as the step itself would. */
static int64_t shifted(const lb_num_step *step, int64_t right)
{
    int64_t v = lb_step_operand(step, 0);
    int n = (int)lb_sat(right, 16), width = lb_step_width(step);
    return step->operation == LB_STEP_RSH ? lb_rsh(step->rounding, v, n, width)
                                          : lb_asr(v, n, width);
}

static const lb_tensor *tensor_of(const lb_fault_run *run, lb_role role)
{
    return run->before->call.tensor[role];
}

static int64_t zero_point_of_input(const lb_fault_run *run)
{
    const lb_tensor *in = tensor_of(run, LB_ROLE_IN);
    return in && in->el_type == LB_SA8 ? lb_quant_at(in, 0).zero_point : INT64_MAX;
}

/* ---- How a number is changed ---- */

/* As many bits as the edit says: where it says nothing, all. */
static int bits_of(const lb_fault_run *run, const lb_num_step *step, int64_t number)
{
    if (number == LB_BITS_OF_FIELD)
        return lb_quant_field_bits(step->place.field);
    if (number == LB_BITS_OF_OUT && tensor_of(run, LB_ROLE_OUT))
        return lb_container_bits(run->right->tensors[LB_ROLE_OUT][0].el_type);
    if (number == LB_BITS_OF_IN && tensor_of(run, LB_ROLE_IN))
        return lb_container_bits(tensor_of(run, LB_ROLE_IN)->el_type);
    return number > 0 ? (int)number : number == 0 ? lb_step_width(step) : 0;
}

/* Most edits of steps name bits that are not written in them. */
static int64_t changed(const lb_fault_run *run, const lb_num_step *step, lb_how how, int64_t n,
                       int64_t v)
{
    bool in_bits = how >= LB_WRAPS && how <= LB_NOT_LOWEST;
    int bits = in_bits ? bits_of(run, step, n) : 1;
    int64_t other = how == LB_AS_OTHER ? run->other : step->result;
    return bits <= 0 ? v : lb_number_changed(how, in_bits ? bits : n, v, other);
}

/* ---- Rounding ---- */

static const uint64_t HALF = (uint64_t)1 << 63;

/* What lb_step_floor drops, as a part of 2^64. */
static uint64_t dropped(int64_t v, int64_t n)
{
    return n <= 0 ? 0 : n > 63 ? (v < 0 ? UINT64_MAX : 0) : (uint64_t)v << (64 - n);
}

/* Does a half go up? */
static bool half_goes_up(const lb_num_step *step, lb_step_cut how, int64_t v, int64_t low)
{
    switch (how) {
    case LB_HALF_AWAY:
        return v >= 0;
    case LB_HALF_TO_ZERO:
        return v < 0;
    case LB_HALF_OTHER:
        return step->rounding != LB_ROUND_UP || (low & 1);
    case LB_HALF_TO_ODD:
        return !(low & 1);
    default:
        return how == LB_HALF_UP;
    }
}

static int64_t rounded(const lb_num_step *step, lb_step_cut how, int64_t v, int64_t n)
{
    int64_t low = lb_step_floor(v, n);
    uint64_t rest = dropped(v, n);
    switch (how) {
    case LB_TO_FLOOR:
        return low;
    case LB_TO_ZERO:
        return low + (v < 0 && rest != 0);
    case LB_TO_CEILING:
        return low + (rest != 0);
    default:
        return low + (rest > HALF || (rest == HALF && half_goes_up(step, how, v, low)));
    }
}

/* Of a quotient: to minus infinity, or to the nearest, halves away from zero. */
static int64_t divided(const lb_num_step *step, lb_step_cut how)
{
    int64_t a = lb_step_operand(step, 0), b = lb_step_operand(step, 1);
    if (b == 0 || b == -1)
        return step->result;
    int64_t q = a / b, rest = a % b, size = b < 0 ? -(b + 1) : b - 1; /* |b| - 1 */
    int64_t over = rest < 0 ? -rest : rest;
    if (how == LB_TO_FLOOR)
        return q - (rest != 0 && (a < 0) != (b < 0));
    return over > size - over ? q + ((a < 0) == (b < 0) ? 1 : -1) : q;
}

/* First by all but `last` places, then by those. */
static int64_t in_two(const lb_num_step *step, lb_step_cut how, int64_t n, int64_t last)
{
    int64_t v = lb_step_operand(step, 0);
    if (last <= 0 || n <= last)
        return step->result;
    int64_t once = how == LB_LOW_DROPPED ? lb_step_floor(v, n - last)
                                         : lb_rsh(LB_ROUND_UP, v, (int)(n - last), 64);
    if (how == LB_TWICE_FIRST_AWAY)
        return rounded(step, LB_HALF_AWAY, once, last);
    return lb_rsh(step->rounding, once, (int)last,
                  how == LB_LOW_DROPPED ? lb_step_width(step) : 64);
}

/* floor((v + 2^(n - less)) / 2^n). */
static int64_t with_constant(const lb_num_step *step, int64_t n, int64_t less)
{
    if (n < less || n <= 0 || n >= lb_step_width(step) || n > 62)
        return step->result;
    return lb_asr(lb_add(step->operand[0].v, (int64_t)1 << (n - less), 64), (int)n, 64);
}

static int64_t cut(const lb_num_step *step, lb_step_cut how, int64_t places)
{
    int64_t n = right_count(step);
    if (step->operation == LB_STEP_TDIV)
        return divided(step, how);
    switch (how) {
    case LB_TWICE_LAST:
        return in_two(step, how, n, places);
    case LB_TWICE_FIRST:
    case LB_TWICE_FIRST_AWAY:
    case LB_LOW_DROPPED:
        return in_two(step, how, n, n - places);
    case LB_ADDS_WHOLE:
        return with_constant(step, n, 0);
    case LB_ADDS_QUARTER:
        return with_constant(step, n, 2);
    default:
        return n > 0 ? rounded(step, how, lb_step_operand(step, 0), n) : step->result;
    }
}

/* ---- In which steps ---- */

/* Elements of the input that lie side by side in memory. */
static uint64_t row_length(const lb_fault_run *run)
{
    const lb_tensor *in = &run->before->tensors[LB_ROLE_IN][0];
    uint64_t length = 1;
    for (uint32_t d = in->rank < LB_MAX_RANK ? in->rank : 0; d-- > 0;) {
        if (in->shape[d] > 1 && in->mem_stride[d] != (int64_t)length)
            break;
        length *= in->shape[d];
    }
    return length;
}

/* Those that count taps from the end. */
static bool is_of_last(lb_step_when when, int64_t n, int64_t tap, int64_t left)
{
    int64_t count = tap + left;
    if (left < 0)
        return false;
    switch (when) {
    case LB_LAST_TAPS:
        return left < n;
    case LB_TAIL_TAPS:
        return tap > count - count % n;
    case LB_TAPS_BEYOND_BYTE:
        return tap > (count & UINT8_MAX);
    default: /* LB_TAPS_OVERLAPPED */
        return count > n && count % n != 0 && tap > count - n && tap <= count - count % n;
    }
}

static bool is_in_frames(int32_t frames, const lb_num_step *step)
{
    return frames == LB_EVERY_FRAME || (frames == LB_FIRST_FRAME) == (step->frame == 0);
}

static bool is_done(const lb_fault_run *run, const lb_num_step *step, lb_step_when when)
{
    int64_t a = lb_step_operand(step, 0), n = run->fault->argument, tap = (int64_t)step->tap;
    switch (when) {
    case LB_ALWAYS:
        return true;
    case LB_OF_NEGATIVE:
        return a < 0;
    case LB_OF_POSITIVE:
        return a > 0;
    case LB_TO_THE_LEFT:
        return right_count(step) < 0;
    case LB_TO_THE_LEFT_IN_WIDTH:
        return right_count(step) < 0 && step->width > 0;
    case LB_HALF_IN_WIDTH:
        return step->rounding == LB_ROUND_UP && right_count(step) < lb_step_width(step);
    case LB_LIMITED:
        return step->result != a;
    case LB_FIRST_TAPS:
        return tap <= n;
    case LB_TAPS_BEYOND:
        return tap > n;
    case LB_TAPS_OF_OTHER_ROWS:
        return step->tap > row_length(run);
    case LB_BLOCK_BEGINS:
        return tap > 1 && (tap - 1) % n == 0;
    case LB_OTHER_GIVEN:
        return run->has_other;
    case LB_OTHER_GIVEN_LATER:
        return run->has_other && step->frame > 0;
    case LB_OTHER_IN_FRAMES:
        return run->has_other && is_in_frames(run->fault->argument, step);
    default:
        return is_of_last(when, n, tap, run->left);
    }
}

/* ---- The step ---- */

static int64_t with_operand(const lb_num_step *step, unsigned operand, int64_t value)
{
    lb_num_step other = *step;
    other.operand[operand].v = value;
    return lb_step_evaluate(&other);
}

static int64_t compared(const lb_num_step *step, uint64_t a, uint64_t b)
{
    const bool takes_first = step->operation == LB_STEP_MIN ? a < b : a > b;
    return step->operand[takes_first ? 0 : 1].v;
}

static uint64_t size_of(int64_t v)
{
    return v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
}

static int64_t done_otherwise(const lb_num_step *step, lb_step_as how, int64_t n)
{
    static const uint8_t neighbour[LB_STEP_COUNT] = {[LB_STEP_ADD] = LB_STEP_SUB,
                                                     [LB_STEP_SUB] = LB_STEP_ADD,
                                                     [LB_STEP_MIN] = LB_STEP_MAX,
                                                     [LB_STEP_MAX] = LB_STEP_MIN};
    lb_num_step other = *step;
    int width = lb_step_width(step);
    int64_t a = lb_step_operand(step, 0), most = (int64_t)(((uint64_t)1 << (width & 63)) - 1);
    switch (how) {
    case LB_OTHER_OPERATION:
        other.operation = (lb_operation)neighbour[step->operation];
        return lb_step_evaluate(&other);
    case LB_EXCHANGED:
        other.operand[0] = step->operand[1];
        other.operand[1] = step->operand[0];
        return lb_step_evaluate(&other);
    case LB_AT_WIDTH_UNSIGNED:
        return lb_wrap(a < 0 ? 0 : a > most ? most : a, width);
    case LB_AT_WIDTH_MORE:
        return lb_wrap(lb_sat(a, width + (int)n), width);
    case LB_COMPARED_UNSIGNED:
        return compared(step, (uint64_t)a, (uint64_t)lb_step_operand(step, 1));
    case LB_COMPARED_BY_SIZE:
        return compared(step, size_of(a), size_of(lb_step_operand(step, 1)));
    }
    return step->result;
}

/* Where the count stays, so does the result. */
static int64_t with_count(const lb_num_step *step, int64_t count)
{
    return count == right_count(step) ? step->result : shifted(step, count);
}

static int64_t edited(const lb_fault_run *run, const lb_num_step *step, const lb_number_edit *e)
{
    int64_t n = e->number != LB_BY_ARGUMENT ? e->number : run->fault->argument, zero;
    lb_how how = (lb_how)e->how;
    unsigned k = e->operand == LB_OPERAND_BY_ARGUMENT ? (unsigned)run->fault->argument : e->operand;
    switch ((lb_step_at)e->at) {
    case LB_AT_RESULT:
        return changed(run, step, how, n, step->result);
    case LB_AT_EXACT:
        return changed(run, step, how, n, exact_result(step));
    case LB_AT_TAKEN:
        return k < step->operand_count ? changed(run, step, how, n, step->operand[k].v)
                                       : step->result;
    case LB_AT_OPERAND:
        return k < step->operand_count
                   ? with_operand(step, k, changed(run, step, how, n, step->operand[k].v))
                   : step->result;
    case LB_AT_COUNT:
        return with_count(step, changed(run, step, how, n, right_count(step)));
    case LB_AT_PRODUCT:
        return lb_step_with_product(step, changed(run, step, how, n, lb_step_product(step)));
    case LB_AT_SUM:
        return changed(run, step, how, n,
                       (int64_t)((uint64_t)step->operand[0].v + (uint64_t)lb_step_product(step)));
    case LB_AT_DISTANCE:
        zero = zero_point_of_input(run);
        return zero == INT64_MAX
                   ? step->result
                   : with_operand(step, 1,
                                  changed(run, step, how, n, step->operand[1].v - zero) + zero);
    case LB_AT_FRACTION:
        return cut(step, (lb_step_cut)e->how, n);
    case LB_AT_OPERATION:
        return done_otherwise(step, (lb_step_as)e->how, n);
    }
    return step->result;
}

int64_t lb_step_edited(const lb_fault_run *run, const lb_num_step *step)
{
    const lb_number_edit *e = &run->fault->kind->does;
    if (!is_done(run, step, (lb_step_when)e->when))
        return step->result;
    int64_t result = edited(run, step, e);
    return e->held ? lb_sat(result, lb_step_width(step)) : result;
}
