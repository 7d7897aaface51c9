/* mli_krn_*_get_lut_size and mli_krn_*_create_lut (recurrent.md 3, elementwise.md 6). */
#include <string.h>

#include "api/mli_kernels_api.h"
#include "internal.h"
#include "lut_tables.h"

/* A table and what create_lut says of it. */
struct source {
    const int16_t *table;
    int32_t length, in_frac_bits, out_frac_bits, input_offset;
};

static const struct source sigm = {lb_mli_sigm_table, LB_MLI_SIGM_LENGTH, 4, 15, 160};
static const struct source hyperbolic = {lb_mli_tanh_table, LB_MLI_TANH_LENGTH, 5, 15, 172};
static const struct source softmax = {lb_mli_softmax_table, LB_MLI_SOFTMAX_LENGTH, 5, 15, 356};
static const struct source l2_normalize = {lb_mli_l2_table, LB_MLI_L2_LENGTH, 0, 17, -32};

static int32_t size_of(const struct source *source)
{
    return source->length * (int32_t)sizeof source->table[0];
}

/* The type is set even if there is no room, as in the original; the capacity counts as a signed
 * number. */
static mli_status create(const struct source *source, mli_lut *lut)
{
    LB_MLI_REQUIRE(lut, MLI_STATUS_BAD_FUNC_CFG);
    lut->type = MLI_EL_FX_16;
    LB_MLI_REQUIRE(!LB_MLI_CHECKS || (int32_t)lut->data.capacity >= size_of(source),
                   MLI_STATUS_NOT_ENGH_MEM);
    LB_MLI_REQUIRE(lut->data.mem.pi16, MLI_STATUS_BAD_FUNC_CFG);
    memcpy(lut->data.mem.pi16, source->table, (size_t)size_of(source));
    lut->length = source->length;
    lut->in_frac_bits = source->in_frac_bits;
    lut->out_frac_bits = source->out_frac_bits;
    lut->input_offset = source->input_offset;
    lut->output_offset = 0;
    return MLI_STATUS_OK;
}

int32_t mli_krn_sigm_get_lut_size(void)
{
    return size_of(&sigm);
}

int32_t mli_krn_tanh_get_lut_size(void)
{
    return size_of(&hyperbolic);
}

int32_t mli_krn_softmax_get_lut_size(void)
{
    return size_of(&softmax);
}

int32_t mli_krn_l2_normalize_get_lut_size(void)
{
    return size_of(&l2_normalize);
}

mli_status mli_krn_sigm_create_lut(mli_lut *lut)
{
    return create(&sigm, lut);
}

mli_status mli_krn_tanh_create_lut(mli_lut *lut)
{
    return create(&hyperbolic, lut);
}

mli_status mli_krn_softmax_create_lut(mli_lut *lut)
{
    return create(&softmax, lut);
}

mli_status mli_krn_l2_normalize_create_lut(mli_lut *lut)
{
    return create(&l2_normalize, lut);
}
