/* What numbers of configurations are for: see edit_sorts.h. */
#include "harness/faults/edit_sorts.h"

lb_sorted lb_edit_sorted(const lb_config_field *field)
{
    static const struct {
        size_t at;
        lb_sorted is;
    } rows[] = {
        {offsetof(lb_config, stride_height), {LB_SORT_STEP, 0, 1}},
        {offsetof(lb_config, stride_width), {LB_SORT_STEP, 1, 1}},
        {offsetof(lb_config, dilation_height), {LB_SORT_GAP, 0, 1}},
        {offsetof(lb_config, dilation_width), {LB_SORT_GAP, 1, 1}},
        {offsetof(lb_config, kernel_height), {LB_SORT_SIZE, 0, 1}},
        {offsetof(lb_config, kernel_width), {LB_SORT_SIZE, 1, 1}},
        {offsetof(lb_config, padding_top), {LB_SORT_PADDING, 0, 0}},
        {offsetof(lb_config, padding_bottom), {LB_SORT_PADDING, 0, 0}},
        {offsetof(lb_config, padding_left), {LB_SORT_PADDING, 1, 0}},
        {offsetof(lb_config, padding_right), {LB_SORT_PADDING, 1, 0}},
        {offsetof(lb_config, sub_sample_step), {LB_SORT_STEP, -1, 1}},
        {offsetof(lb_config, offset), {LB_SORT_OFFSET, -1, 0}},
        {offsetof(lb_config, dst_offset), {LB_SORT_OFFSET, -1, 0}},
        {offsetof(lb_config, size), {LB_SORT_LENGTH, -1, 0}},
        {offsetof(lb_config, padding_pre), {LB_SORT_PADDING, -1, 0}},
        {offsetof(lb_config, padding_post), {LB_SORT_PADDING, -1, 0}},
        {offsetof(lb_config, perm_dim), {LB_SORT_ORDER, -1, 0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].at == field->offset)
            return rows[i].is;
    return (lb_sorted){LB_SORT_NUMBER, -1, 0};
}
