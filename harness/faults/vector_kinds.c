/* Steps again: what vector instructions, their tails and macros make of sums, products and limits.
 */
#include "harness/faults/places.h"
#include "harness/faults/step_proofs.h"
#include "harness/faults/step_rows.h"

/* ---- Sums ---- */

static int64_t added(const lb_num_step *step, int64_t sum, int64_t value)
{
    int64_t result = (int64_t)((uint64_t)sum + (uint64_t)value);
    return step->saturates ? lb_sat(result, lb_step_width(step))
                           : lb_wrap(result, lb_step_width(step));
}

/* The last whole block of loads begins so far before the end that it overlaps the one before. */
static int64_t overlaps(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    int64_t block = run->fault->argument, tap = (int64_t)step->tap, count = tap + left;
    bool twice = left >= 0 && count > block && count % block != 0 && tap > count - block &&
                 tap <= count - count % block;
    return twice ? added(step, step->result, lb_step_product(step)) : step->result;
}

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

/* What lies in other rows of memory than the first one is left out. */
static int64_t first_row(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return step->tap > row_length(run) ? step->operand[0].v : step->result;
}

/* Every block of taps begins a new sum. */
static int64_t restarts(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    uint64_t block = (uint64_t)run->fault->argument;
    return step->tap > 1 && (step->tap - 1) % block == 0 ? added(step, 0, lb_step_product(step))
                                                         : step->result;
}

/* Two products are added in 16 bits before they join the sum. */
static int64_t pairs(const lb_fault_run *run, const lb_num_step *step,
                     int64_t (*limit)(int64_t v, int width))
{
    int64_t own = lb_step_product(step), first = *run->carry;
    if (step->tap % 2 == 1) {
        *run->carry = own;
        return step->result;
    }
    int64_t pair = (int64_t)((uint64_t)first + (uint64_t)own);
    int64_t kept = limit(pair, 16);
    return kept == pair
               ? step->result
               : added(step, step->operand[0].v, (int64_t)((uint64_t)kept - (uint64_t)first));
}

static int64_t pairs_saturate(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return pairs(run, step, lb_sat);
}

static int64_t pairs_wrap(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    return pairs(run, step, lb_wrap);
}

/* ---- Products ---- */

static int64_t drops_low(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    int n = run->fault->argument;
    return (int64_t)((uint64_t)lb_asr(step->result, n, 64) << n);
}

/* ---- Rounding ---- */

/* floor((v + add) / 2^n), for 0 < n below the width. */
static int64_t with_constant(const lb_num_step *step, int less)
{
    int64_t v = step->operand[0].v, n = step->operand[1].v;
    if (n <= less || n >= lb_step_width(step) || n > 62)
        return step->result;
    return lb_asr(lb_add(v, (int64_t)1 << (n - less), 64), (int)n, 64);
}

static int64_t adds_whole(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return with_constant(step, 0);
}

static int64_t adds_quarter(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    return with_constant(step, 2);
}

/* ---- Limits ---- */

/* To 0 .. 2^width - 1, and stored in the container as it is. */
static int64_t without_sign(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)run, (void)left;
    int64_t a = step->operand[0].v, most = (int64_t)(((uint64_t)1 << lb_step_width(step)) - 1);
    return lb_wrap(a < 0 ? 0 : a > most ? most : a, lb_step_width(step));
}

/* One bit more, so that what is beyond wraps when it is stored; or one bit less. */
static int64_t other_bits(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    int width = lb_step_width(step);
    return lb_wrap(lb_sat(step->operand[0].v, width + run->fault->argument), width);
}

/* ---- Where they sit ---- */

static bool is_tap(const lb_num_step *site)
{
    return site->tap > 0;
}

static bool is_narrow(const lb_num_step *site)
{
    return site->width > 1 && site->width < 33;
}

static LB_NEVER(never_beyond_less)
{
    lb_fault narrower = *fault;
    narrower.argument = site->width - (fault->argument < 0);
    return lb_never_narrow(&narrower, site, flow) && lb_never_saturates(fault, site, flow);
}

static LB_NEVER(never_negative_or_beyond)
{
    return lb_never_negative_first(fault, site, flow) && lb_never_saturates(fault, site, flow);
}

/* Sums over all of a tensor, row by row of its memory. */
static LB_PLACES(sums_of_tensors)
{
    lb_family family = scope->kernel->family;
    if (family == LB_FAMILY_SOFTMAX || family == LB_FAMILY_L2_NORMALIZE)
        lb_fault_step_places(kind, scope, sink, user);
}

/* clang-format off */
const lb_fault_kind lb_fault_vector_kinds[] = {
    {STEP_ROW("taps.tail_overlaps", "adds taps twice: the last block of loads overlaps the one before", "the rest of a vector loop, done by loads that end with the last tap", 4, IN(MAC), overlaps), .places = lb_fault_step_places, .counts_taps = true, .fits = is_tap, WITH(4, 8, 16), UP_TO(2, 32)},
    {STEP_ROW("taps.first_row_alone", "takes the elements of the first row of memory alone", "the loop over rows of a tensor with gaps", 5, IN(MAC) | IN(MAX), first_row), .fits = is_tap, .places = sums_of_tensors},
    {STEP_ROW("accumulator.restarts", "begins a new sum with every block of {n} taps", "accumulators set to zero in the outer loop over blocks", 4, IN(MAC), restarts), .places = lb_fault_step_places, .counts_taps = true, .fits = is_tap, WITH(4, 8, 16, 32, 64), UP_TO(2, 128)},
    {STEP_ROW("taps.pairs_saturate", "adds two products in 16 bits, which saturate", "multiply and add of pairs into 16 bits", 5, IN(MAC), pairs_saturate), .never = lb_never_wide_pair, .places = lb_fault_step_places, .fits = is_tap},
    {STEP_ROW("taps.pairs_wrap", "adds two products in 16 bits, which wrap", "multiply and add of pairs into 16 bits", 4, IN(MAC), pairs_wrap), .never = lb_never_wide_pair, .places = lb_fault_step_places, .fits = is_tap},
    {STEP_ROW("product.drops_low", "loses low bits of a product", "high multiplies, products of halves", 4, IN(MUL), drops_low), .never = lb_never_has_low_bits, .places = lb_fault_step_places, WITH(8, 15, 16), UP_TO(1, 30)},
    {STEP_ROW("rounding.adds_whole", "adds 1 << n in place of 1 << (n - 1) before the shift", "the constant that is added before the shift", 4, IN(RSH), adds_whole), .places = lb_fault_step_places, .never = lb_never_to_the_right},
    {STEP_ROW("rounding.adds_quarter", "adds 1 << (n - 2) in place of 1 << (n - 1) before the shift", "the constant that is added before the shift", 3, IN(RSH), adds_quarter), .places = lb_fault_step_places, .never = lb_never_a_fraction},
    {STEP_ROW("saturation.unsigned", "saturates to numbers without a sign", "usat for ssat, uint8_t for int8_t", 5, IN(SAT), without_sign), .places = lb_fault_step_places, .fits = is_narrow, .never = never_negative_or_beyond},
    {STEP_ROW("saturation.bits", "saturates at one bit more, and wraps, or one bit less", "the width that the macro or the instruction takes", 5, IN(SAT), other_bits), .places = lb_fault_step_places, .fits = is_narrow, .never = never_beyond_less, WITH(1, -1)},
    {.name = NULL},
};
/* clang-format on */
