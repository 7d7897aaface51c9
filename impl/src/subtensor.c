/* mli_hlp_create_subtensor and mli_hlp_point_to_subtensor (numerics.md 8.3, 8.4): views, no data
 * are moved. */
#include <string.h>

#include "api/mli_helpers_api.h"
#include "check.h"

static mli_status check_subtensor(const mli_tensor *in, const mli_sub_tensor_cfg *cfg,
                                  const mli_tensor *out)
{
    LB_MLI_TRY(lb_mli_check_tensor(in));
    LB_MLI_REQUIRE(out, MLI_STATUS_BAD_TENSOR);
    LB_MLI_REQUIRE(cfg, MLI_STATUS_BAD_FUNC_CFG);
    LB_MLI_REQUIRE(cfg->sub_tensor_rank <= in->rank, MLI_STATUS_BAD_FUNC_CFG);
    LB_MLI_REQUIRE(in->rank > 0, MLI_STATUS_NOT_SUPPORTED);
    for (uint32_t d = 0; d < in->rank; d++) {
        LB_MLI_REQUIRE(cfg->offset[d] < in->shape[d], MLI_STATUS_BAD_FUNC_CFG);
        LB_MLI_REQUIRE((uint64_t)cfg->offset[d] + cfg->size[d] <= in->shape[d],
                       MLI_STATUS_BAD_FUNC_CFG);
    }
    if (lb_mli_is_sa(in) && lb_mli_per_axis(in))
        LB_MLI_REQUIRE((uint32_t)in->el_params.sa.dim < in->rank, MLI_STATUS_BAD_TENSOR);
    return MLI_STATUS_OK;
}

/* in's data from an element on. */
static mli_data_container data_from(const mli_tensor *in, uint64_t element)
{
    const uint64_t bytes = element * lb_mli_element_size(in->el_type);
    mli_data_container data = in->data;
    data.mem.pi8 += bytes;
    data.capacity -= (uint32_t)bytes;
    return data;
}

/* Which dimensions of in stay, outermost first; returns how many. Dimensions of size 1 go, from the
 * outermost on, until the wanted rank is reached. */
static uint32_t kept_dimensions(const mli_tensor *in, const mli_sub_tensor_cfg *cfg,
                                uint32_t kept[MLI_MAX_RANK])
{
    uint32_t skip = in->rank - cfg->sub_tensor_rank, count = 0;
    for (uint32_t d = 0; d < in->rank; d++)
        if (skip > 0 && cfg->size[d] == 1)
            skip--;
        else
            kept[count++] = d;
    return count;
}

/* Parameters per axis: those of the box. axis is the new index of their dimension, below 0 if it is
 * gone: then the one entry that is left becomes that of the tensor. A pointer may be NULL: the
 * tensor check does not look at parameters. */
static void view_axis(uint32_t first, int32_t axis, mli_element_params *params)
{
    mli_data_container *scale = &params->sa.scale, *zero = &params->sa.zero_point,
                       *bits = &params->sa.scale_frac_bits;
    params->sa.dim = axis;
    if (axis < 0) {
        const int16_t *scales = scale->mem.pi16, *zeros = zero->mem.pi16;
        const int8_t *shifts = bits->mem.pi8;
        memset(scale, 0, sizeof *scale);
        memset(zero, 0, sizeof *zero);
        memset(bits, 0, sizeof *bits);
        scale->mem.i16 = scales ? scales[first] : 0;
        zero->mem.i16 = zeros ? zeros[first] : 0;
        bits->mem.i8 = shifts ? shifts[first] : 0;
        return;
    }
    scale->mem.pi16 += scale->mem.pi16 ? first : 0;
    zero->mem.pi16 += zero->mem.pi16 ? first : 0;
    bits->mem.pi8 += bits->mem.pi8 ? first : 0;
}

mli_status mli_hlp_create_subtensor(const mli_tensor *in, const mli_sub_tensor_cfg *cfg,
                                    mli_tensor *out)
{
    LB_MLI_CHECK(check_subtensor(in, cfg, out));
    const mli_tensor whole = *in; /* out may be in */
    uint64_t element = 0;
    for (uint32_t d = 0; d < whole.rank; d++)
        element += (uint64_t)cfg->offset[d] * (uint64_t)whole.mem_stride[d];
    out->data = data_from(&whole, element);
    out->el_type = whole.el_type;
    LB_MLI_REQUIRE(lb_mli_element_size(whole.el_type) > 0 && whole.el_type != MLI_EL_FP_32,
                   MLI_STATUS_NOT_SUPPORTED);

    uint32_t kept[MLI_MAX_RANK];
    const uint32_t count = kept_dimensions(&whole, cfg, kept);
    int32_t axis = -1;
    for (uint32_t d = 0; d < count; d++) {
        out->shape[d] = cfg->size[kept[d]];
        out->mem_stride[d] = whole.mem_stride[kept[d]];
        if (lb_mli_is_sa(&whole) && whole.el_params.sa.dim == (int32_t)kept[d])
            axis = (int32_t)d;
    }
    out->rank = cfg->sub_tensor_rank;
    out->el_params = whole.el_params;
    if (lb_mli_is_sa(&whole) && lb_mli_per_axis(&whole))
        view_axis(cfg->offset[whole.el_params.sa.dim], axis, &out->el_params);
    return MLI_STATUS_OK;
}

static mli_status check_point(const mli_tensor *in, const mli_point_to_subtsr_cfg *cfg,
                              const mli_tensor *out)
{
    LB_MLI_TRY(lb_mli_check_tensor(in));
    LB_MLI_REQUIRE(out, MLI_STATUS_BAD_TENSOR);
    LB_MLI_REQUIRE(cfg, MLI_STATUS_BAD_FUNC_CFG);
    const uint32_t coords = cfg->coord_num;
    LB_MLI_REQUIRE(coords > 0 && coords <= in->rank, MLI_STATUS_BAD_FUNC_CFG);
    for (uint32_t d = 0; d < coords; d++)
        LB_MLI_REQUIRE(cfg->start_coord[d] < in->shape[d], MLI_STATUS_BAD_FUNC_CFG);
    LB_MLI_REQUIRE((uint64_t)cfg->start_coord[coords - 1] + cfg->first_out_dim_size <=
                       in->shape[coords - 1],
                   MLI_STATUS_BAD_FUNC_CFG);
    LB_MLI_REQUIRE(lb_mli_is_dense(in), MLI_STATUS_INCOMPATEBLE_TENSORS);
    LB_MLI_REQUIRE(coords == in->rank && out->mem_stride[0] == 1, MLI_STATUS_INCOMPATEBLE_TENSORS);
    LB_MLI_REQUIRE(lb_mli_element_size(in->el_type) > 0 && in->el_type != MLI_EL_FP_32,
                   MLI_STATUS_NOT_SUPPORTED);
    return MLI_STATUS_OK;
}

mli_status mli_hlp_point_to_subtensor(const mli_tensor *in, const mli_point_to_subtsr_cfg *cfg,
                                      mli_tensor *out)
{
    LB_MLI_CHECK(check_point(in, cfg, out));
    const mli_tensor whole = *in; /* out may be in */
    uint64_t element = 0;
    for (uint32_t d = 0; d < cfg->coord_num; d++)
        element = element * whole.shape[d] + cfg->start_coord[d]; /* dense: row by row */
    out->data = data_from(&whole, element);
    out->data.capacity = cfg->first_out_dim_size * lb_mli_element_size(whole.el_type);
    out->rank = 1;
    out->shape[0] = cfg->first_out_dim_size;
    out->el_type = whole.el_type;
    out->el_params = whole.el_params;
    return MLI_STATUS_OK;
}
