/* Steps again: products of a convolution left out by their place in the kernel, and padding that
 * counts at one side alone. */
#include "harness/faults/places.h"
#include "harness/faults/step_proofs.h"
#include "harness/faults/step_rows.h"

/* ---- Places of taps ---- */

/* Where in the kernel a tap lies, and how far the kernel reaches. */
typedef struct kernel_place {
    uint64_t row, column, channel;
    uint64_t rows, columns, channels;
} kernel_place;

/* Sums go through the input channels, for each through the rows, for each through the columns; taps
 * in padding are counted. */
static bool find_place(const lb_fault_run *run, const lb_num_step *step, kernel_place *p)
{
    const lb_tensor *weights = &run->before->tensors[LB_ROLE_WEIGHTS][0];
    if (weights->rank != LB_MAX_RANK || step->tap == 0)
        return false;
    p->rows = weights->shape[0];
    p->columns = weights->shape[1];
    p->channels = weights->shape[2];
    if (p->rows == 0 || p->columns == 0 || step->tap > p->rows * p->columns * p->channels)
        return false;
    p->column = (step->tap - 1) % p->columns;
    p->row = (step->tap - 1) / p->columns % p->rows;
    p->channel = (step->tap - 1) / p->columns / p->rows;
    return true;
}

/* The number of indices in whole blocks. */
static uint64_t in_blocks(uint64_t count, const lb_fault_run *run)
{
    return count - count % (uint64_t)run->fault->argument;
}

#define LOST(name, condition)                                                                      \
    static int64_t name(const lb_fault_run *run, const lb_num_step *step, int64_t left)            \
    {                                                                                              \
        kernel_place p;                                                                            \
        (void)left;                                                                                \
        return find_place(run, step, &p) && (condition) ? step->operand[0].v : step->result;       \
    }

/* What is taken off for the zero point, worked out beforehand for the whole kernel: padding holds
 * the zero point then, and what is left out is missing in padding as well. */
static int64_t not_corrected(const lb_num_step *step)
{
    int64_t sum = step->operand[0].v;
    uint64_t product = (uint64_t)step->operand[1].v * (uint64_t)step->operand[2].v;
    if (step->operation != LB_STEP_SKIP)
        return sum;
    sum = (int64_t)((uint64_t)sum - product);
    return step->saturates ? lb_sat(sum, lb_step_width(step)) : lb_wrap(sum, lb_step_width(step));
}

#define UNCORRECTED(name, condition)                                                               \
    static int64_t name(const lb_fault_run *run, const lb_num_step *step, int64_t left)            \
    {                                                                                              \
        kernel_place p;                                                                            \
        (void)left;                                                                                \
        return find_place(run, step, &p) && (condition) ? not_corrected(step) : step->result;      \
    }

#define BOTH(name, condition)                                                                      \
    LOST(name, condition)                                                                          \
    UNCORRECTED(un##name, condition)

BOTH(first_row, p.rows > 1 && p.row == 0)
BOTH(last_row, p.rows > 1 && p.row + 1 == p.rows)
BOTH(first_column, p.columns > 1 && p.column == 0)
BOTH(last_column, p.columns > 1 && p.column + 1 == p.columns)
LOST(rows_beyond, p.row >= (uint64_t)run->fault->argument)
LOST(columns_beyond, p.column >= (uint64_t)run->fault->argument)
BOTH(column_tail, p.column >= in_blocks(p.columns, run))
BOTH(last_channel, p.channels > 1 && p.channel + 1 == p.channels)
BOTH(channel_tail, p.channel >= in_blocks(p.channels, run))
UNCORRECTED(unall, true)
BOTH(channels_beyond, p.channel >= (uint64_t)run->fault->argument)

/* ---- Padding ---- */

/* Rows are cut to the input first, then columns: a row that is not there is padding as a whole, of
 * one that is there what lies beside it. */
typedef struct outside {
    bool above, below, before, behind;
} outside;

static outside find_side(const lb_fault_run *run, const lb_num_place *place)
{
    const lb_tensor *in = &run->before->tensors[LB_ROLE_IN][0];
    outside o = {.above = place->index[0] < 0, .below = place->index[0] >= (int64_t)in->shape[0]};
    bool is_row = !o.above && !o.below;
    o.before = is_row && place->index[1] < 0;
    o.behind = is_row && place->index[1] >= 0;
    return o;
}

static int64_t counted(const lb_num_step *step)
{
    uint64_t product = (uint64_t)step->operand[1].v * (uint64_t)step->operand[2].v;
    int64_t sum = (int64_t)((uint64_t)step->operand[0].v + product);
    return step->saturates ? lb_sat(sum, lb_step_width(step)) : lb_wrap(sum, lb_step_width(step));
}

#define COUNTED(name, condition)                                                                   \
    static int64_t name(const lb_fault_run *run, const lb_num_step *step, int64_t left)            \
    {                                                                                              \
        outside o = find_side(run, &step->place);                                                  \
        (void)left;                                                                                \
        return (condition) ? counted(step) : step->result;                                         \
    }

COUNTED(counts_above, o.above)
COUNTED(counts_below, o.below)
COUNTED(counts_rows, o.above || o.below)
COUNTED(counts_before, o.before)
COUNTED(counts_behind, o.behind)
COUNTED(counts_beside, o.before || o.behind)

/* ---- Where they sit ---- */

static bool is_tap(const lb_num_step *site)
{
    return site->tap > 0;
}

static bool has_kernel_taps(const lb_kernel *kernel)
{
    return lb_is_conv(kernel) && kernel->family != LB_FAMILY_TRANSPOSE_CONV2D;
}

/* A sum in the order of its taps: the whole of it, whatever its part. */
static LB_PLACES(sums_of_windows)
{
    if (has_kernel_taps(scope->kernel) && scope->kernel->kernel_size != 1)
        lb_fault_step_places(kind, scope, sink, user);
}

static LB_PLACES(sums_of_channels)
{
    if (has_kernel_taps(scope->kernel) && scope->kernel->family != LB_FAMILY_DEPTHWISE_CONV2D)
        lb_fault_step_places(kind, scope, sink, user);
}

static LB_PLACES(padding_of_zero_points)
{
    if (has_kernel_taps(scope->kernel) && lb_type_of_role(scope->kernel, LB_ROLE_IN) == LB_SA8)
        lb_fault_step_places(kind, scope, sink, user);
}

static bool is_correction(const lb_num_step *site)
{
    return site->tap > 0 && site->part == LB_PART_ZERO_POINT_TERMS &&
           site->operation == LB_STEP_MAC;
}

static LB_PLACES(corrections_of_windows)
{
    if (has_kernel_taps(scope->kernel) && scope->kernel->kernel_size != 1)
        lb_fault_step_places(kind, scope, sink, user);
}

static LB_PLACES(corrections)
{
    if (has_kernel_taps(scope->kernel))
        lb_fault_step_places(kind, scope, sink, user);
}

#define ROW(row, text, where, likely, in, sit, function)                                           \
    .name = row, .group = LB_FAULTS_STEP, .words = text, .look_for = where,                        \
    .sections = "conv.md 6", .prior = likely, .operations = in, .run = lb_fault_step_run,          \
    .alter = function, .places = sit
#define TAPS(row, text, where, likely, sit, function)                                              \
    ROW("taps." row, text, where, likely, IN(MAC), sit, function), .fits = is_tap
#define CORRECTION(row, text, likely, sit, function)                                               \
    ROW("correction." row, text, "how the sum of the weights is worked out", likely,               \
        IN(MAC) | IN(SKIP), sit, function),                                                        \
        .fits = is_correction, .whole_part = true
#define PADDING(row, text, likely, function)                                                       \
    ROW("padding.counted_" row, text, "corrections for the zero point at the borders", likely,     \
        IN(SKIP), padding_of_zero_points, function),                                               \
        .never = lb_never_adds

/* clang-format off */
const lb_fault_kind lb_fault_window_step_kinds[] = {
    {TAPS("first_row_lost", "leaves out the first row of the kernel", "bounds of the loop over kernel rows", 3, sums_of_windows, first_row)},
    {TAPS("last_row_lost", "leaves out the last row of the kernel", "bounds of the loop over kernel rows", 5, sums_of_windows, last_row)},
    {TAPS("first_column_lost", "leaves out the first column of the kernel", "bounds of the loop over kernel columns", 3, sums_of_windows, first_column)},
    {TAPS("last_column_lost", "leaves out the last column of the kernel", "bounds of the loop over kernel columns", 5, sums_of_windows, last_column)},
    {TAPS("column_tail_lost", "leaves out columns of the kernel beyond whole blocks of {n}", "the rest of an unrolled loop over kernel columns", 4, sums_of_windows, column_tail), WITH(2, 4)},
    {TAPS("rows_beyond_lost", "takes no more than {n} rows of the kernel", "kernels of fixed size", 4, sums_of_windows, rows_beyond), WITH(3), UP_TO(1, 16)},
    {TAPS("columns_beyond_lost", "takes no more than {n} columns of the kernel", "kernels of fixed size", 4, sums_of_windows, columns_beyond), WITH(3), UP_TO(1, 16)},
    {TAPS("last_channel_lost", "leaves out the last input channel", "bounds of the loop over input channels", 5, sums_of_channels, last_channel)},
    {TAPS("channel_tail_lost", "leaves out input channels beyond whole blocks of {n}", "the rest of a vector loop over input channels", 7, sums_of_channels, channel_tail), WITH(2, 4, 8, 16), UP_TO(2, 64)},
    {TAPS("channels_beyond_lost", "takes no more than {n} input channels", "buffers and bounds of the loop over input channels", 4, sums_of_channels, channels_beyond), WITH(8, 16, 32, 64, 128), UP_TO(1, 256)},
    {CORRECTION("missing", "does not take off the zero point of the input, and pads with it", 5, corrections, unall)},
    {CORRECTION("first_row_lost", "takes the zero point off without the first row of the kernel, and pads with it", 3, corrections_of_windows, unfirst_row)},
    {CORRECTION("last_row_lost", "takes the zero point off without the last row of the kernel, and pads with it", 4, corrections_of_windows, unlast_row)},
    {CORRECTION("first_column_lost", "takes the zero point off without the first column of the kernel, and pads with it", 3, corrections_of_windows, unfirst_column)},
    {CORRECTION("last_column_lost", "takes the zero point off without the last column of the kernel, and pads with it", 4, corrections_of_windows, unlast_column)},
    {CORRECTION("column_tail_lost", "takes the zero point off without columns beyond whole blocks of {n}, and pads with it", 3, corrections_of_windows, uncolumn_tail), WITH(2, 4)},
    {CORRECTION("last_channel_lost", "takes the zero point off without the last input channel, and pads with it", 4, sums_of_channels, unlast_channel)},
    {CORRECTION("channel_tail_lost", "takes the zero point off without channels beyond whole blocks of {n}, and pads with it", 5, sums_of_channels, unchannel_tail), WITH(2, 4, 8, 16), UP_TO(2, 64)},
    {CORRECTION("channels_beyond_lost", "takes the zero point off for no more than {n} channels, and pads with it", 3, sums_of_channels, unchannels_beyond), WITH(16, 32, 64)},
    {PADDING("above", "counts padding as container 0 above the first row", 3, counts_above)},
    {PADDING("below", "counts padding as container 0 below the last row", 4, counts_below)},
    {PADDING("rows", "counts padding as container 0 above and below the input", 4, counts_rows)},
    {PADDING("before", "counts padding as container 0 before the first column", 3, counts_before)},
    {PADDING("behind", "counts padding as container 0 behind the last column", 4, counts_behind)},
    {PADDING("beside", "counts padding as container 0 before and behind the input's rows", 4, counts_beside)},
    {.name = NULL},
};
/* clang-format on */
