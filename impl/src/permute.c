/* mli_krn_permute_* (pooling_and_movement.md 3): a box copied in another order of dimensions, and
 * what becomes of the quantization parameters of out. */
#include <string.h>

#include "api/mli_kernels_api.h"
#include "check.h"
#include "copy.h"

/* sa per axis: out's three pointers are all NULL, all in's, or arrays of its own with room for
 * every entry. Decided by the zero points' pointer. */
static mli_status check_axis(const mli_tensor *in, const mli_tensor *out)
{
    const uint32_t axis = (uint32_t)in->el_params.sa.dim;
    const mli_data_container *zero = &out->el_params.sa.zero_point,
                             *from_zero = &in->el_params.sa.zero_point;
    const mli_data_container *scale = &out->el_params.sa.scale,
                             *from_scale = &in->el_params.sa.scale;
    const mli_data_container *bits = &out->el_params.sa.scale_frac_bits,
                             *from_bits = &in->el_params.sa.scale_frac_bits;
    LB_MLI_REQUIRE(axis < in->rank, MLI_STATUS_BAD_TENSOR);
    if (!zero->mem.pi16) {
        LB_MLI_REQUIRE(!scale->mem.pi16 && !bits->mem.pi8, MLI_STATUS_SPEC_PARAM_MISMATCH);
        return MLI_STATUS_OK;
    }
    if (zero->mem.pi16 == from_zero->mem.pi16) {
        LB_MLI_REQUIRE(scale->mem.pi16 == from_scale->mem.pi16 &&
                           bits->mem.pi8 == from_bits->mem.pi8,
                       MLI_STATUS_SPEC_PARAM_MISMATCH);
        return MLI_STATUS_OK;
    }
    const uint64_t entries = in->shape[axis];
    LB_MLI_REQUIRE(scale->mem.pi16 && scale->mem.pi16 != from_scale->mem.pi16 && bits->mem.pi8 &&
                       bits->mem.pi8 != from_bits->mem.pi8,
                   MLI_STATUS_SPEC_PARAM_MISMATCH);
    LB_MLI_REQUIRE(zero->capacity >= 2 * entries && scale->capacity >= 2 * entries &&
                       bits->capacity >= entries,
                   MLI_STATUS_SPEC_PARAM_MISMATCH);
    LB_MLI_REQUIRE(from_zero->mem.pi16 && from_scale->mem.pi16 && from_bits->mem.pi8,
                   MLI_STATUS_SPEC_PARAM_MISMATCH);
    return MLI_STATUS_OK;
}

/* Step 4: entries of perm_dim and the shape of out, dimension by dimension. */
static mli_status check_order(const mli_tensor *in, const mli_permute_cfg *cfg,
                              const mli_tensor *out)
{
    for (uint32_t k = 0; k < in->rank; k++) {
        LB_MLI_REQUIRE(cfg->perm_dim[k] < in->rank, MLI_STATUS_BAD_FUNC_CFG);
        for (uint32_t later = k + 1; later < in->rank; later++)
            LB_MLI_REQUIRE(cfg->perm_dim[k] != cfg->perm_dim[later], MLI_STATUS_BAD_FUNC_CFG);
        LB_MLI_REQUIRE(out->shape[k] == in->shape[cfg->perm_dim[k]], MLI_STATUS_SHAPE_MISMATCH);
    }
    return MLI_STATUS_OK;
}

/* out's rank is not compared with in's, and the first in->rank entries of its shape and strides
 * count: those that the tensor check of out has not seen must not lead outside its memory. */
static mli_status check_hidden_dimensions(const mli_tensor *in, const mli_tensor *out)
{
    if (out->rank >= in->rank)
        return MLI_STATUS_OK;
    mli_tensor whole = *out;
    whole.rank = in->rank;
    return lb_mli_check_tensor(&whole);
}

static mli_status check_permute(mli_element_type type, const mli_tensor *in,
                                const mli_permute_cfg *cfg, const mli_tensor *out)
{
    LB_MLI_TRY(lb_mli_check_tensor(in));
    LB_MLI_TRY(lb_mli_check_tensor(out));
    LB_MLI_REQUIRE(in->el_type == out->el_type, MLI_STATUS_TYPE_MISMATCH);
    LB_MLI_REQUIRE(cfg, MLI_STATUS_BAD_FUNC_CFG);
    LB_MLI_TRY(check_order(in, cfg, out));
    LB_MLI_REQUIRE(!lb_mli_overlap(in, out), MLI_STATUS_INCOMPATEBLE_TENSORS);
    LB_MLI_REQUIRE(in->el_type == type, MLI_STATUS_TYPE_MISMATCH);
    LB_MLI_REQUIRE(in->rank > 0, MLI_STATUS_NOT_SUPPORTED);
    if (lb_mli_is_sa(in) && lb_mli_per_axis(in))
        LB_MLI_TRY(check_axis(in, out));
    return check_hidden_dimensions(in, out);
}

/* sa per axis, after check_axis. */
static void permute_axis(const mli_tensor *in, const mli_permute_cfg *cfg, mli_tensor *out)
{
    const uint32_t axis = (uint32_t)in->el_params.sa.dim;
    for (uint32_t k = 0; k < in->rank; k++)
        if (cfg->perm_dim[k] == axis)
            out->el_params.sa.dim = (int32_t)k;
    if (!out->el_params.sa.zero_point.mem.pi16) {
        out->el_params.sa.zero_point = in->el_params.sa.zero_point;
        out->el_params.sa.scale = in->el_params.sa.scale;
        out->el_params.sa.scale_frac_bits = in->el_params.sa.scale_frac_bits;
    } else if (out->el_params.sa.zero_point.mem.pi16 != in->el_params.sa.zero_point.mem.pi16) {
        const size_t entries = in->shape[axis];
        memmove(out->el_params.sa.zero_point.mem.pi16, in->el_params.sa.zero_point.mem.pi16,
                2 * entries);
        memmove(out->el_params.sa.scale.mem.pi16, in->el_params.sa.scale.mem.pi16, 2 * entries);
        memmove(out->el_params.sa.scale_frac_bits.mem.pi8, in->el_params.sa.scale_frac_bits.mem.pi8,
                entries);
    }
}

static void permute_quant(const mli_tensor *in, const mli_permute_cfg *cfg, mli_tensor *out)
{
    if (!lb_mli_is_sa(in)) {
        out->el_params.fx.frac_bits = in->el_params.fx.frac_bits;
    } else if (lb_mli_per_axis(in)) {
        permute_axis(in, cfg, out);
    } else { /* the capacities stay */
        out->el_params.sa.dim = -1;
        out->el_params.sa.zero_point.mem.i16 = in->el_params.sa.zero_point.mem.i16;
        out->el_params.sa.scale.mem.i16 = in->el_params.sa.scale.mem.i16;
        out->el_params.sa.scale_frac_bits.mem.i8 = in->el_params.sa.scale_frac_bits.mem.i8;
    }
}

static mli_status permute(mli_element_type type, const mli_tensor *in, const mli_permute_cfg *cfg,
                          mli_tensor *out)
{
    LB_MLI_CHECK(check_permute(type, in, cfg, out));
    struct lb_mli_box box = {.rank = in->rank};
    for (uint32_t k = 0; k < in->rank; k++) {
        box.extent[k] = in->shape[cfg->perm_dim[k]];
        box.from[k] = in->mem_stride[cfg->perm_dim[k]];
        box.to[k] = out->mem_stride[k];
    }
    permute_quant(in, cfg, out);
    lb_mli_copy_box(in->data.mem.pi8, out->data.mem.pi8, lb_mli_element_size(type), &box);
    return MLI_STATUS_OK;
}

mli_status mli_krn_permute_sa8(const mli_tensor *in, const mli_permute_cfg *cfg, mli_tensor *out)
{
    return permute(MLI_EL_SA_8, in, cfg, out);
}

mli_status mli_krn_permute_fx8(const mli_tensor *in, const mli_permute_cfg *cfg, mli_tensor *out)
{
    return permute(MLI_EL_FX_8, in, cfg, out);
}

mli_status mli_krn_permute_fx16(const mli_tensor *in, const mli_permute_cfg *cfg, mli_tensor *out)
{
    return permute(MLI_EL_FX_16, in, cfg, out);
}
