/* Extents of a movement. Spec: pooling_and_movement.md 4.1, 4.2. */
#include "mov_plan.h"
#include "core/arith.h"

lb_mov_dim lb_mov_dim_of(const lb_tensor *src, const lb_config *config, uint32_t i)
{
    uint32_t d = config->perm_dim[i];
    int64_t before = config->padding_pre[d];
    int64_t length = config->size[d];
    if (length == 0)
        length = (int64_t)src->shape[d] - config->offset[d] + before + config->padding_post[d];
    int64_t step = config->sub_sample_step[d] == 0 ? 1 : config->sub_sample_step[d];
    return (lb_mov_dim){
        .source = d,
        .count = length < 0 ? -1 : (length + step - 1) / step,
        .step = step,
        .first = config->offset[d] - before,
        .dst_skip = config->dst_offset[i],
    };
}

int64_t lb_mov_coordinate(const lb_mov_dim *dim, int64_t j)
{
    return dim->first + j * dim->step;
}

uint32_t lb_mov_destination_of(const lb_config *config, uint32_t rank, uint32_t d)
{
    uint32_t i = 0;
    while (i + 1 < rank && config->perm_dim[i] != d)
        i++;
    return i;
}

bool lb_mov_is_whole_copy(const lb_tensor *src, const lb_config *config, const lb_tensor *dst)
{
    int64_t packed = 1;
    for (uint32_t d = src->rank; d-- > 0;) {
        bool plain = config->perm_dim[d] == d && config->sub_sample_step[d] == 1 &&
                     config->padding_pre[d] == 0 && config->padding_post[d] == 0;
        if (!plain || src->mem_stride[d] != packed || dst->mem_stride[d] != packed ||
            dst->shape[d] != src->shape[d])
            return false;
        packed = lb_sat(packed * src->shape[d],
                        32); /* past the width of a stride nothing is equal any more */
    }
    return true;
}
