/* Domains: see domain.h. */
#include "describe/domain.h"

#include <string.h>

static bool is_for(const lb_domain *row, const lb_kernel *kernel)
{
    return row->pattern == lb_pattern_of(kernel) && row->config_kind == kernel->config_kind &&
           (row->in_type == 0 || row->in_type == kernel->in_type) &&
           (row->out_type == 0 || row->out_type == kernel->out_type) &&
           (row->ops == 0 || row->ops >> kernel->op & 1) &&
           (!row->function || strcmp(row->function, kernel->name) == 0);
}

const lb_domain_block *lb_domain_of(const lb_kernel *kernel)
{
    for (const lb_domain *const *table = lb_kernel_set_of(kernel)->domains; *table; table++)
        for (const lb_domain *row = *table; row->blocks; row++)
            if (is_for(row, kernel))
                return row->blocks;
    return NULL;
}

/* ---- Points ---- */

static size_t axes_of(const lb_axis axes[LB_DOMAIN_AXES])
{
    size_t count = 0;
    while (count < LB_DOMAIN_AXES && axes[count].count)
        count++;
    return count;
}

uint64_t lb_block_calls(const lb_domain_block *block)
{
    uint64_t count = 1;
    for (size_t a = axes_of(block->axes); a-- > 0;)
        count *= block->axes[a].count;
    return count;
}

unsigned lb_axis_numbers(const lb_axis *axis)
{
    unsigned count = 0;
    while (count < LB_AXIS_NUMBERS && axis->names[count])
        count++;
    return count;
}

unsigned lb_axis_told(const lb_axis *axis)
{
    return lb_axis_numbers(axis) - axis->hidden;
}

void lb_axis_split(int difference, int *in, int *out)
{
    *in = (difference - (difference & 1)) / 2;
    *out = *in - difference;
}

void lb_axis_point(const lb_axis *axis, size_t point, int numbers[LB_AXIS_NUMBERS])
{
    const size_t in_range = axis->count - axis->list_count;
    const unsigned count = axis->splits ? 1 : lb_axis_numbers(axis);
    if (axis->make)
        axis->make(axis->first, point, numbers);
    else if (point < in_range)
        numbers[0] = axis->first + (axis->step ? axis->step : 1) * (int)point;
    else
        memcpy(numbers, axis->list + (point - in_range) * count, count * sizeof *numbers);
    if (axis->splits)
        lb_axis_split(numbers[0], &numbers[0], &numbers[1]);
}

void lb_axes_point(const lb_axis axes[LB_DOMAIN_AXES], uint64_t index,
                   int numbers[LB_DOMAIN_NUMBERS])
{
    size_t point[LB_DOMAIN_AXES] = {0};
    const size_t count = axes_of(axes);
    for (size_t a = count; a-- > 0;) {
        point[a] = (size_t)(index % axes[a].count);
        index /= axes[a].count;
    }
    for (size_t a = 0; a < count; a++) {
        lb_axis_point(&axes[a], point[a], numbers);
        numbers += lb_axis_numbers(&axes[a]);
    }
}
