/* Faults in single steps of the computation: a step of the exact model gives another result, in
 * every place of the model's code that looks like the site of the fault. */
#include "harness/faults/places.h"
#include "harness/faults/step_proofs.h"
#include "harness/faults/step_rows.h"

/* ---- Values ---- */

/* How many places to the right, of asr, rsh and (to the left) shl. */
static int64_t right_count(const lb_num_step *step)
{
    int64_t n = lb_sat(lb_step_operand(step, 1), 16);
    return step->operation == LB_STEP_SHL ? -n : n;
}

/* The step's value moved by another count, as the step itself would. */
static int64_t shifted(const lb_num_step *step, int64_t right)
{
    int64_t v = lb_step_operand(step, 0);
    int n = (int)lb_sat(right, 16), width = lb_step_width(step);
    return step->operation == LB_STEP_RSH ? lb_rsh(step->rounding, v, n, width)
                                          : lb_asr(v, n, width);
}

/* What lb_step_floor drops, as a part of 2^64. */
static uint64_t dropped(int64_t v, int64_t n)
{
    return n <= 0 ? 0 : n > 63 ? (v < 0 ? UINT64_MAX : 0) : (uint64_t)v << (64 - n);
}

static const uint64_t HALF = (uint64_t)1 << 63;

/* ---- Rounding ---- */

static int64_t truncates(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    int64_t n = right_count(step);
    return n > 0 ? lb_step_floor(lb_step_operand(step, 0), n) : step->result;
}

static int64_t towards_zero(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    int64_t n = right_count(step), v = lb_step_operand(step, 0);
    return n > 0 ? lb_step_floor(v, n) + (v < 0 && dropped(v, n) != 0) : step->result;
}

/* Halves go up if `up` says so. */
static int64_t nearest(const lb_num_step *step, bool (*up)(int64_t v, int64_t floor))
{
    int64_t n = right_count(step), v = lb_step_operand(step, 0);
    if (n <= 0)
        return step->result;
    int64_t low = lb_step_floor(v, n);
    uint64_t rest = dropped(v, n);
    return low + (rest > HALF || (rest == HALF && up(v, low)));
}

static bool is_positive(int64_t v, int64_t low)
{
    (void)low;
    return v >= 0;
}

static bool is_negative(int64_t v, int64_t low)
{
    (void)low;
    return v < 0;
}

static bool is_odd(int64_t v, int64_t low)
{
    (void)v;
    return low & 1;
}

static bool always(int64_t v, int64_t low)
{
    (void)v, (void)low;
    return true;
}

static bool never(int64_t v, int64_t low)
{
    (void)v, (void)low;
    return false;
}

static int64_t half_away(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return nearest(step, is_positive);
}

static int64_t half_to_zero(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return nearest(step, is_negative);
}

static int64_t half_down(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return nearest(step, never);
}

static int64_t other_rounding(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return nearest(step, step->rounding == LB_ROUND_UP ? is_odd : always);
}

static int64_t up(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    int64_t n = right_count(step), v = lb_step_operand(step, 0);
    return n > 0 ? lb_step_floor(v, n) + (dropped(v, n) != 0) : step->result;
}

/* The half does not saturate where the value is near the end of the width. */
static int64_t half_wraps(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return step->rounding == LB_ROUND_UP && right_count(step) < lb_step_width(step)
               ? nearest(step, always)
               : step->result;
}

/* First by all but `last` places, then by those: each rounded, ties of the second as `second`. */
static int64_t in_two(const lb_num_step *step, int64_t last, lb_rounding second)
{
    int64_t n = right_count(step);
    if (last <= 0 || n <= last)
        return step->result;
    int64_t once = lb_rsh(LB_ROUND_UP, lb_step_operand(step, 0), (int)(n - last), 64);
    return lb_rsh(second, once, (int)last, 64);
}

static int64_t twice_last(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return in_two(step, run->fault->argument, step->rounding);
}

/* A high multiply that rounds `argument` places away, then a rounding shift by the rest. */
static int64_t twice_first(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return in_two(step, right_count(step) - run->fault->argument, step->rounding);
}

/* The same with halves away from zero in the second shift. */
static int64_t twice_away(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    int64_t n = right_count(step), first = run->fault->argument;
    if (n <= first)
        return step->result;
    lb_num_step rest = *step;
    rest.operand[0].v = lb_rsh(LB_ROUND_UP, lb_step_operand(step, 0), (int)first, 64);
    rest.operand[1].v = n - first;
    return nearest(&rest, is_positive);
}

/* Places are dropped before the rest is shifted and rounded. */
static int64_t drops_first(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    int64_t n = right_count(step), first = run->fault->argument;
    return n <= first ? step->result
                      : lb_rsh(step->rounding, lb_step_floor(lb_step_operand(step, 0), first),
                               (int)(n - first), lb_step_width(step));
}

/* tdiv and asr: to the nearest, halves away from zero. */
static int64_t rounds(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    int64_t a = lb_step_operand(step, 0), b = lb_step_operand(step, 1);
    if (step->operation == LB_STEP_ASR)
        return nearest(step, always);
    if (b == 0 || b == -1)
        return step->result;
    int64_t q = a / b, rest = a % b, size = b < 0 ? -(b + 1) : b - 1; /* |b| - 1 */
    int64_t over = rest < 0 ? -rest : rest;
    return over > size - over ? q + ((a < 0) == (b < 0) ? 1 : -1) : q;
}

static int64_t floors(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    int64_t a = lb_step_operand(step, 0), b = lb_step_operand(step, 1);
    if (b == 0 || b == -1)
        return step->result;
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* ---- Shifts ---- */

static int64_t shift_more(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return shifted(step, right_count(step) + run->fault->argument);
}

static int64_t not_shifted(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return lb_step_operand(step, 0);
}

static int64_t never_left(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return right_count(step) < 0 ? lb_step_operand(step, 0) : step->result;
}

static int64_t other_way(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return right_count(step) < 0 ? shifted(step, -right_count(step)) : step->result;
}

/* Counts go no further than this. */
static int64_t capped(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    int64_t n = right_count(step), most = run->fault->argument;
    return n > most ? shifted(step, most) : n < -most ? shifted(step, -most) : step->result;
}

/* Only the low bits of a count are looked at. */
static int64_t masked(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    int64_t n = right_count(step), most = run->fault->argument;
    return n > most ? shifted(step, n & most) : step->result;
}

/* ---- Widths and saturation ---- */

/* The exact result of the step, before it was held to its width. */
static int64_t unlimited(const lb_num_step *step)
{
    int64_t a = lb_step_operand(step, 0), b = lb_step_operand(step, 1), n;
    switch (step->operation) {
    case LB_STEP_ADD:
        return lb_wrap((int64_t)((uint64_t)a + (uint64_t)b), 64);
    case LB_STEP_SUB:
        return lb_wrap((int64_t)((uint64_t)a - (uint64_t)b), 64);
    case LB_STEP_SHL:
        n = lb_sat(b, 16);
        return n >= 64 ? 0 : n >= 0 ? (int64_t)((uint64_t)a << n) : lb_step_floor(a, -n);
    default:
        return a;
    }
}

static int64_t wraps(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return lb_wrap(unlimited(step), lb_step_width(step));
}

int64_t lb_step_left_out(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return lb_step_operand(step, 0);
}

/* Where the low bits should survive. */
static int64_t saturates(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return lb_sat(lb_step_operand(step, 0), lb_step_width(step));
}

/* The lowest value is one too high. */
static int64_t symmetric(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    int64_t lowest = lb_min_of(lb_step_width(step));
    return step->result == lowest ? lowest + 1 : step->result;
}

/* Held to another width first. */
static int64_t narrow(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return lb_sat(unlimited(step), run->fault->argument);
}

int64_t lb_step_wraps(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return lb_wrap(step->result, run->fault->argument);
}

static int64_t product_saturates(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return lb_sat(step->result, run->fault->argument);
}

static int64_t limit_zero(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return lb_step_operand(step, 0) > 0 ? lb_step_operand(step, 0) : 0;
}

static int64_t limit_off(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    int64_t a = lb_step_operand(step, 0), b = lb_step_operand(step, 1) + run->fault->argument;
    return (step->operation == LB_STEP_MIN) == (a < b) ? a : b;
}

static int64_t limit_wraps(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return step->result == lb_step_operand(step, 0)
               ? step->result
               : lb_wrap(lb_step_operand(step, 0), run->fault->argument);
}

static int64_t takes_other(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return step->result == lb_step_operand(step, 0) ? lb_step_operand(step, 1)
                                                    : lb_step_operand(step, 0);
}

/* ---- Where kinds can sit ---- */

static bool has_width(const lb_num_step *site)
{
    return site->width > 0;
}

static bool rounds_up(const lb_num_step *site)
{
    return site->rounding == LB_ROUND_UP;
}

/* The limit is an end of what so many bits hold. */
static bool is_limit_of(const lb_num_step *site, int bits)
{
    const lb_num *limit = &site->operand[1];
    return limit->step == 0 &&
           limit->v == (site->operation == LB_STEP_MIN ? lb_max_of(bits) : lb_min_of(bits));
}

static bool is_limit_of_8(const lb_num_step *site)
{
    return is_limit_of(site, 8);
}

static bool is_limit_of_16(const lb_num_step *site)
{
    return is_limit_of(site, 16);
}

/* ---- The table ---- */

#define ROUNDING                                                                                   \
    "the addition before the shift, its sign, the rounding mode of the shift instruction"
#define SHIFT    "how the count is formed from fractional bits and the multiplier, off by one"
#define ROW(...) STEP_ROW(__VA_ARGS__), .places = lb_fault_step_places

/* clang-format off */
const lb_fault_kind lb_fault_step_kinds[] = {
    {ROW("rounding.truncates", "cuts the fraction off (towards minus infinity) where it should round", ROUNDING, 10, IN(RSH), truncates), .never = lb_never_a_fraction},
    {ROW("rounding.other_mode", "rounds halves in the other mode (to even in place of up, or up in place of even)", ROUNDING, 9, IN(RSH), other_rounding), .never = lb_never_a_fraction},
    {ROW("rounding.half_away", "rounds halves away from zero", ROUNDING, 8, IN(RSH), half_away), .never = lb_never_half_away},
    {ROW("rounding.half_to_zero", "rounds halves towards zero", ROUNDING, 4, IN(RSH), half_to_zero), .never = lb_never_half_to_zero},
    {ROW("rounding.half_down", "rounds halves down", ROUNDING, 3, IN(RSH), half_down), .never = lb_never_a_fraction},
    {ROW("rounding.towards_zero", "cuts the fraction off towards zero where it should round", ROUNDING, 7, IN(RSH), towards_zero), .never = lb_never_a_fraction},
    {ROW("rounding.up", "rounds every fraction up", ROUNDING, 2, IN(RSH) | IN(ASR), up), .never = lb_never_a_fraction},
    {ROW("rounding.half_wraps", "adds the half without saturation", ROUNDING, 3, IN(RSH), half_wraps), .never = lb_never_half_wraps, .fits = rounds_up},
    {ROW("rounding.nearest", "rounds to nearest where it should cut", ROUNDING, 6, IN(ASR) | IN(TDIV), rounds), .never = lb_never_cut},
    {ROW("rounding.cuts_to_zero", "cuts towards zero where it should go to minus infinity", ROUNDING, 6, IN(ASR), towards_zero), .never = lb_never_a_negative_fraction},
    {ROW("rounding.floors", "rounds a quotient to minus infinity where it should cut towards zero", ROUNDING, 5, IN(TDIV), floors), .never = lb_never_a_negative_quotient},
    {ROW("rounding.twice_high", "rounds twice: a high multiply that rounds, then a rounding shift", "a rounding doubling high multiply followed by a rounding shift", 7, IN(RSH), twice_first), .never = lb_never_rounded_first, WITH(15, 16, 31)},
    {ROW("rounding.twice_high_away", "rounds twice: a high multiply that rounds, then a shift with halves away from zero", "a rounding doubling high multiply followed by a rounding shift", 6, IN(RSH), twice_away), .never = lb_never_rounded_first, WITH(15, 16, 31)},
    {ROW("rounding.twice_low", "rounds twice: first to a few bits more, then to the result", "a shift that is done in two parts", 5, IN(RSH), twice_last), .never = lb_never_beyond_argument, WITH(1, 2, 8), UP_TO(1, 24)},
    {ROW("rounding.drops_low", "drops low bits before the rounding shift", "a product that is narrowed before it is rounded", 5, IN(RSH), drops_first), .never = lb_never_low_bits, WITH(1, 8, 15, 16), UP_TO(1, 30)},
    {ROW("shift.off_by_one", "shifts by one place too many or too few", SHIFT, 8, IN(SHL) | IN(ASR) | IN(RSH), shift_more), WITH(1, -1)},
    {ROW("shift.missing", "does not shift", SHIFT, 5, IN(SHL) | IN(ASR) | IN(RSH), not_shifted), .never = lb_never_shifted},
    {ROW("shift.no_left", "does not shift to the left where the count is negative", SHIFT, 6, IN(ASR) | IN(RSH), never_left), .never = lb_never_negative_count},
    {ROW("shift.other_way", "shifts to the right where the count is negative", SHIFT, 3, IN(SHL) | IN(ASR) | IN(RSH), other_way), .never = lb_never_negative_count},
    {ROW("shift.capped", "caps the count of a shift too early", SHIFT, 4, IN(SHL) | IN(ASR) | IN(RSH), capped), .never = lb_never_capped, WITH(15, 31), UP_TO(1, 62)},
    {ROW("shift.masked", "looks at the low bits of a count alone", SHIFT, 4, IN(SHL) | IN(ASR) | IN(RSH), masked), .never = lb_never_masked, WITH(7, 15, 31)},
    {ROW("saturation.wraps", "wraps where it should saturate", WIDTH, 9, IN(SAT) | IN(ADD) | IN(SUB) | IN(SHL), wraps), .never = lb_never_saturates, .fits = has_width},
    {ROW("saturation.missing", "leaves the limit out", WIDTH, 6, IN(SAT) | IN(MIN) | IN(MAX) | IN(WRAP), lb_step_left_out), .never = lb_never_limited},
    {ROW("saturation.for_wrap", "saturates where it should wrap", WIDTH, 6, IN(WRAP), saturates), .never = lb_never_limited},
    {ROW("saturation.symmetric", "saturates at -127 or -32767 in place of the lowest value", WIDTH, 7, IN(SAT) | IN(SUB) | IN(ADD) | IN(SHL), symmetric), .never = lb_never_lowest, .fits = has_width},
    {ROW("saturation.narrow", "saturates at a smaller width", WIDTH, 5, IN(SAT) | IN(ADD) | IN(SUB) | IN(SHL), narrow), .never = lb_never_narrow, .fits = has_width, WITH(8, 16, 24, 31, 32), UP_TO(4, 62)},
    {ROW("limit.container_zero", "takes container 0 as the limit in place of the zero point", "ReLU of asymmetric tensors", 7, IN(MAX), limit_zero), .never = lb_never_other_limit_than_zero},
    {ROW("limit.wraps_8", "keeps what is limited to 8 bits in them, and leaves the limit out", "the type of the variable", 5, IN(MIN) | IN(MAX), limit_wraps), .never = lb_never_beyond_limit, .fits = is_limit_of_8, WITH(8)},
    {ROW("limit.wraps_16", "keeps what is limited to 16 bits in them, and leaves the limit out", "the type of the variable", 6, IN(MIN) | IN(MAX), limit_wraps), .never = lb_never_beyond_limit, .fits = is_limit_of_16, WITH(16)},
    {ROW("limit.off_by_one", "has a limit that is off by one", "how the limit is formed, < and <=", 5, IN(MIN) | IN(MAX), limit_off), .never = lb_never_off_limit, WITH(1, -1)},
    {ROW("limit.other_side", "takes the smaller where the larger is asked for, or the other way", "min and max", 4, IN(MIN) | IN(MAX), takes_other)},
    {ROW("product.wraps", "keeps a product in too few bits, and wraps", WIDTH, 6, IN(MUL), lb_step_wraps), .never = lb_never_wide_result, WITH(16, 32, 40), UP_TO(8, 62)},
    {ROW("product.saturates", "keeps a product in too few bits, and saturates", WIDTH, 5, IN(MUL), product_saturates), .never = lb_never_wide_saturated, WITH(16, 31, 32), UP_TO(8, 62)},
    {ROW("product.factor_missing", "leaves a factor out", "the multiplication itself", 3, IN(MUL), lb_step_left_out)},
    {.name = NULL},
};
/* clang-format on */
