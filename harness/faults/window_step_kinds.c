/* Steps again: products of a convolution left out by their place in the kernel, and padding that
 * counts at one side alone. */
#include "harness/faults/places.h"
#include "harness/faults/step_proofs.h"
#include "harness/faults/step_rows.h"
#include "reference/describe/map.h"

/* ---- Places of taps ---- */

/* Loops of the sum, by the dimension of the input that they run through. */
enum { ROWS, COLUMNS, CHANNELS };

/* Where a tap stands in that loop, by the function's index map: taps are counted in the order of
 * additions, those in padding too. False: it is none of the map's. */
static bool find_position(const lb_fault_run *run, uint64_t tap, unsigned d, size_t *i, size_t *n)
{
    const lb_call *call = &run->before->call;
    const lb_map *map = lb_map_of(call->kernel);
    uint64_t rest = tap - 1;
    bool found = false;
    if (!map || tap == 0)
        return false;
    for (int l = map->loops - 1; l >= map->outer; l--) {
        const uint64_t extent = (uint64_t)lb_leaf_value(map, call, map->loop[l].extent);
        if (extent == 0)
            return false;
        if (lb_index_follows(&map->access[LB_MAP_X].index[d], l)) {
            *i = (size_t)(rest % extent);
            *n = (size_t)extent;
            found = true;
        }
        rest /= extent;
    }
    return found && rest == 0;
}

/* `how` of a kind is the lb_lost, `operand` the loop. */
static bool is_left_out(const lb_fault_run *run, const lb_num_step *step)
{
    const lb_number_edit *does = &run->fault->kind->does;
    size_t i = 0, n = 0;
    return find_position(run, step->tap, does->operand, &i, &n) &&
           lb_is_lost((lb_lost)does->how, i, n, (size_t)run->fault->argument, 1);
}

static int64_t without_product(const lb_fault_run *run, const lb_num_step *step)
{
    return is_left_out(run, step) ? step->operand[0].v : step->result;
}

/* The sum and the product, or, sign -1, without it. */
static int64_t sum_with(const lb_num_step *step, int sign)
{
    uint64_t product = (uint64_t)step->operand[1].v * (uint64_t)step->operand[2].v;
    int64_t sum = (int64_t)((uint64_t)step->operand[0].v + (sign < 0 ? 0 - product : product));
    return step->saturates ? lb_sat(sum, lb_step_width(step)) : lb_wrap(sum, lb_step_width(step));
}

/* What is taken off for the zero point, worked out beforehand for the whole kernel: padding holds
 * the zero point then, and what is left out is missing in padding as well. */
static int64_t without_correction(const lb_fault_run *run, const lb_num_step *step)
{
    if (!is_left_out(run, step))
        return step->result;
    return step->operation == LB_STEP_SKIP ? sum_with(step, -1) : step->operand[0].v;
}

/* ---- Padding ---- */

/* Sides of the input: bits, `number` of a kind. */
enum { ABOVE = 1, BELOW = 2, BEFORE = 4, BEHIND = 8 };

/* Rows are cut to the input first, then columns: a row that is not there is padding as a whole, of
 * one that is there what lies beside it. */
static int64_t with_padding(const lb_fault_run *run, const lb_num_step *step)
{
    const lb_tensor *in = &run->before->tensors[LB_ROLE_IN][0];
    const int64_t row = step->place.index[0];
    const int side = row < 0                        ? ABOVE
                     : row >= (int64_t)in->shape[0] ? BELOW
                     : step->place.index[1] < 0     ? BEFORE
                                                    : BEHIND;
    return (run->fault->kind->does.number & side) ? sum_with(step, 1) : step->result;
}

/* ---- Where they sit ---- */

static bool is_tap(const lb_num_step *site)
{
    return site->tap > 0;
}

static bool is_correction(const lb_num_step *site)
{
    return site->tap > 0 && site->part == LB_PART_ZERO_POINT_TERMS &&
           site->operation == LB_STEP_MAC;
}

/* A sum in the order of its taps: the whole of it, whatever its part. */
#define STEPS_OF(name, condition)                                                                  \
    static LB_PLACES(name)                                                                         \
    {                                                                                              \
        const lb_kernel *kernel = scope->kernel;                                                   \
        if (lb_is_direct_conv(kernel) && (condition))                                              \
            lb_fault_step_places(kind, scope, sink, user);                                         \
    }
STEPS_OF(sums, true)
STEPS_OF(sums_of_windows, kernel->kernel_size != 1)
STEPS_OF(sums_of_channels, lb_sums_channels(kernel))
STEPS_OF(padding_of_zero_points, lb_type_of_role(kernel, LB_ROLE_IN) == LB_SA8)

#define ROW(row, text, where, likely, in, sit, function)                                           \
    .name = row, .group = LB_FAULTS_STEP, .words = text, .look_for = where,                        \
    .sections = "conv.md 6", .prior = likely, .operations = in, .run = lb_fault_step_run,          \
    .alter = function, .places = sit
#define TAPS(row, text, where, likely, sit, lost, loop)                                            \
    ROW("taps." row, text, where, likely, IN(MAC), sit, without_product),                          \
        .fits = is_tap, .does = {.how = LB_LOST_##lost, .operand = (loop)}
#define CORRECTION(row, text, likely, sit, lost, loop)                                             \
    ROW("correction." row, text, "how the sum of the weights is worked out", likely,               \
        IN(MAC) | IN(SKIP), sit, without_correction),                                              \
        .fits = is_correction, .whole_part = true,                                                 \
        .does = {.how = LB_LOST_##lost, .operand = (loop)}
#define PADDING(row, text, likely, sides)                                                          \
    ROW("padding.counted_" row, text, "corrections for the zero point at the borders", likely,     \
        IN(SKIP), padding_of_zero_points, with_padding),                                           \
        .never = lb_never_adds, .does = {.number = (sides)}

/* clang-format off */
const lb_fault_kind lb_fault_window_step_kinds[] = {
    {TAPS("first_row_lost", "leaves out the first row of the kernel", "bounds of the loop over kernel rows", 3, sums_of_windows, FIRST, ROWS)},
    {TAPS("last_row_lost", "leaves out the last row of the kernel", "bounds of the loop over kernel rows", 5, sums_of_windows, LAST, ROWS)},
    {TAPS("first_column_lost", "leaves out the first column of the kernel", "bounds of the loop over kernel columns", 3, sums_of_windows, FIRST, COLUMNS)},
    {TAPS("last_column_lost", "leaves out the last column of the kernel", "bounds of the loop over kernel columns", 5, sums_of_windows, LAST, COLUMNS)},
    {TAPS("column_tail_lost", "leaves out columns of the kernel beyond whole blocks of {n}", "the rest of an unrolled loop over kernel columns", 4, sums_of_windows, REST, COLUMNS), WITH(2, 4)},
    {TAPS("rows_beyond_lost", "takes no more than {n} rows of the kernel", "kernels of fixed size", 4, sums_of_windows, BEYOND, ROWS), WITH(3), UP_TO(1, 16)},
    {TAPS("columns_beyond_lost", "takes no more than {n} columns of the kernel", "kernels of fixed size", 4, sums_of_windows, BEYOND, COLUMNS), WITH(3), UP_TO(1, 16)},
    {TAPS("last_channel_lost", "leaves out the last input channel", "bounds of the loop over input channels", 5, sums_of_channels, LAST, CHANNELS)},
    {TAPS("channel_tail_lost", "leaves out input channels beyond whole blocks of {n}", "the rest of a vector loop over input channels", 7, sums_of_channels, REST, CHANNELS), WITH(2, 4, 8, 16), UP_TO(2, 64)},
    {TAPS("channels_beyond_lost", "takes no more than {n} input channels", "buffers and bounds of the loop over input channels", 4, sums_of_channels, BEYOND, CHANNELS), WITH(8, 16, 32, 64, 128), UP_TO(1, 256)},
    {CORRECTION("missing", "does not take off the zero point of the input, and pads with it", 5, sums, ALL, ROWS)},
    {CORRECTION("first_row_lost", "takes the zero point off without the first row of the kernel, and pads with it", 3, sums_of_windows, FIRST, ROWS)},
    {CORRECTION("last_row_lost", "takes the zero point off without the last row of the kernel, and pads with it", 4, sums_of_windows, LAST, ROWS)},
    {CORRECTION("first_column_lost", "takes the zero point off without the first column of the kernel, and pads with it", 3, sums_of_windows, FIRST, COLUMNS)},
    {CORRECTION("last_column_lost", "takes the zero point off without the last column of the kernel, and pads with it", 4, sums_of_windows, LAST, COLUMNS)},
    {CORRECTION("column_tail_lost", "takes the zero point off without columns beyond whole blocks of {n}, and pads with it", 3, sums_of_windows, REST, COLUMNS), WITH(2, 4)},
    {CORRECTION("last_channel_lost", "takes the zero point off without the last input channel, and pads with it", 4, sums_of_channels, LAST, CHANNELS)},
    {CORRECTION("channel_tail_lost", "takes the zero point off without channels beyond whole blocks of {n}, and pads with it", 5, sums_of_channels, REST, CHANNELS), WITH(2, 4, 8, 16), UP_TO(2, 64)},
    {CORRECTION("channels_beyond_lost", "takes the zero point off for no more than {n} channels, and pads with it", 3, sums_of_channels, BEYOND, CHANNELS), WITH(16, 32, 64)},
    {PADDING("above", "counts padding as container 0 above the first row", 3, ABOVE)},
    {PADDING("below", "counts padding as container 0 below the last row", 4, BELOW)},
    {PADDING("rows", "counts padding as container 0 above and below the input", 4, ABOVE | BELOW)},
    {PADDING("before", "counts padding as container 0 before the first column", 3, BEFORE)},
    {PADDING("behind", "counts padding as container 0 behind the last column", 4, BEHIND)},
    {PADDING("beside", "counts padding as container 0 before and behind the input's rows", 4, BEFORE | BEHIND)},
    {.name = NULL},
};
/* clang-format on */
