/* A movement whose inner loop ignores the step where rows of the destination have gaps: that loop
 * is another one. */
#include "broken.h"

/* Offset of the element at these coordinates, which begin at `first` and go `step` by `step`; the
 * innermost dimension one by one. */
static size_t place(const mli_tensor *t, const uint32_t at[4], const uint32_t first[4],
                    const uint32_t step[4])
{
    size_t offset = 0;
    for (uint32_t d = 0; d < t->rank; d++)
        offset += (first[d] + at[d] * (d + 1 < t->rank ? step[d] : 1)) * (size_t)t->mem_stride[d];
    return offset;
}

static bool is_plain(const mli_tensor *in, const mli_mov_cfg_t *cfg)
{
    for (uint32_t d = 0; d < in->rank; d++)
        if (cfg->padding_pre[d] || cfg->padding_post[d] || cfg->perm_dim[d] != d)
            return false;
    return true;
}

static mli_status broken_sync(const mli_tensor *in, const mli_mov_cfg_t *cfg, mli_tensor *out)
{
    static const uint32_t ones[4] = {1, 1, 1, 1};
    const mli_status status = mli_mov_tensor_sync(in, cfg, out);
    if (status != MLI_STATUS_OK || in->rank < 2 || in->rank > 4 || !is_plain(in, cfg))
        return status;
    const uint32_t last = in->rank - 1;
    uint32_t shape[4], at[4] = {0}, count = 1;
    if (cfg->sub_sample_step[last] < 2 ||
        out->mem_stride[last - 1] <= out->mem_stride[last] * (int32_t)out->shape[last])
        return status;
    for (uint32_t d = 0; d < in->rank; d++)
        count *= shape[d] = out->shape[d] - cfg->dst_offset[d];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t rest = i;
        for (uint32_t d = in->rank; d-- > 0; rest /= shape[d])
            at[d] = rest % shape[d];
        broken_put(out, place(out, at, cfg->dst_offset, ones),
                   broken_get(in, place(in, at, cfg->offset, cfg->sub_sample_step)));
    }
    return status;
}

BROKEN_PORT("broken: a movement ignores the inner step in rows with gaps")
#define mli_mov_tensor_sync broken_sync
#include "../../port_kit/lb_kit.c"
