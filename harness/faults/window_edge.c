/* Windows that begin before the input and are moved to its edge, with their full size, in place of
 * being cut: start = max(start, 0); end = start + kernel. */
#include "harness/faults/reading_runs.h"
#include "harness/faults/views.h"

#include <stdlib.h>

enum { MOST_RUNS = 64 };

/* The first outputs of a dimension, whose windows begin before the input. */
typedef struct early {
    uint32_t count, stride, size;
} early;

static early early_of(const lb_fault_run *run, const lb_tensor *out, int dim)
{
    const lb_config *cfg = &run->test_case->config;
    uint32_t before = dim == 0 ? cfg->padding_top : cfg->padding_left;
    uint32_t stride = dim == 0 ? cfg->stride_height : cfg->stride_width;
    bool is_meant = run->fault->dim == dim || run->fault->dim == LB_BOTH_SIDES;
    uint32_t count = stride > 0 && is_meant ? (before + stride - 1) / stride : 0;
    return (early){count < out->shape[dim] ? count : out->shape[dim], stride, out->shape[dim]};
}

/* Is this index the one that the run is for? Number `count` is for all that are not early. */
static bool is_of_run(const early *e, uint32_t run, uint32_t index)
{
    return run < e->count ? index == run : index >= e->count;
}

/* Elements that one run of the model is for. */
static bool run_part(lb_fault_run *run, const early *rows, uint32_t row, const early *columns,
                     uint32_t column, int64_t *values)
{
    lb_fault_view view;
    if (!lb_view_begin(&view, run))
        return false;
    lb_config *cfg = &view.call->config;
    lb_tensor *out = view.call->tensor[LB_ROLE_OUT];
    if (row < rows->count) {
        cfg->padding_top = (uint8_t)(row * rows->stride);
        out->shape[0] = row + 1; /* the right shape comes back when the view ends */
    }
    if (column < columns->count) {
        cfg->padding_left = (uint8_t)(column * columns->stride);
        out->shape[1] = column + 1;
    }
    lb_view_run(&view);
    const lb_tensor *whole = &run->out->tensors[LB_ROLE_OUT][0];
    size_t count = lb_element_count(whole);
    for (size_t flat = 0; flat < count; flat++) {
        uint32_t index[LB_MAX_RANK] = {0};
        lb_unflatten(whole, flat, index);
        if (is_of_run(rows, row, index[0]) && is_of_run(columns, column, index[1]))
            values[flat] = lb_load(whole, lb_offset_of(whole, index));
    }
    return true;
}

static bool run_parts(lb_fault_run *run, const early *rows, const early *columns, int64_t *values)
{
    for (uint32_t row = 0; row <= rows->count && row < rows->size; row++)
        for (uint32_t column = 0; column <= columns->count && column < columns->size; column++)
            if (!run_part(run, rows, row, columns, column, values))
                return false;
    return true;
}

bool lb_read_window_at_edge(lb_fault_run *run)
{
    if (!lb_fault_has_result(run))
        return false;
    const lb_tensor *right = &run->right->tensors[LB_ROLE_OUT][0];
    early rows = early_of(run, right, 0), columns = early_of(run, right, 1);
    size_t count = lb_element_count(right);
    if (rows.count + columns.count == 0 || (rows.count + 1) * (columns.count + 1) > MOST_RUNS)
        return false;
    int64_t *values = calloc(count, sizeof *values);
    bool done = values && run_parts(run, &rows, &columns, values);
    if (done)
        lb_fault_take_values(run, values);
    else
        lb_fault_take_right(run);
    free(values);
    return done;
}
