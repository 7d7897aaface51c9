/* mli_hlp_* that read or set fields of a tensor, or tell facts of the build (numerics.md 4.4, 8.1,
 * 8.2). */
#include "api/mli_helpers_api.h"

#include "check.h"
#include "profile.h"
#include "quant.h"

uint32_t mli_hlp_count_elem_num(const mli_tensor *in, uint32_t start_dim)
{
    if (in->rank > MLI_MAX_RANK || (in->rank > 0 && start_dim >= in->rank))
        return 0;
    uint32_t count = 1;
    for (uint32_t d = start_dim; d < in->rank; d++)
        count *= in->shape[d];
    return count;
}

uint32_t mli_hlp_tensor_element_size(const mli_tensor *in)
{
    return lb_mli_element_size(in->el_type);
}

bool mli_hlp_tensor_data_ptr_cmp(const mli_tensor *in1, const mli_tensor *in2)
{
    return in1->el_type == in2->el_type && in1->rank > 0 && in2->rank > 0 &&
           lb_mli_element_size(in1->el_type) > 0 && in1->data.mem.pi8 == in2->data.mem.pi8;
}

/* Whether the type has parameters, or stands for itself (FP_32). */
static bool has_scale(const mli_tensor *t)
{
    return lb_mli_element_size(t->el_type) > 0;
}

int32_t mli_hlp_tensor_scale_shift(const mli_tensor *in, const uint32_t scale_idx)
{
    return lb_mli_quant_at(in, scale_idx).shift;
}

int32_t mli_hlp_tensor_scale(const mli_tensor *in, const uint32_t scale_idx)
{
    return has_scale(in) ? lb_mli_quant_at(in, scale_idx).scale : 0;
}

int16_t mli_hlp_tensor_zero_offset(const mli_tensor *in, const uint32_t zero_idx)
{
    return (int16_t)lb_mli_quant_at(in, zero_idx).zero;
}

void mli_hlp_set_tensor_mem_strides(mli_tensor *in)
{
    uint32_t stride = 1;
    if (in->rank > MLI_MAX_RANK)
        return; /* no tensor: its arrays end before */
    for (uint32_t d = in->rank; d-- > 0;) {
        in->mem_stride[d] = (int32_t)stride;
        stride *= in->shape[d];
    }
}

#if LB_MLI_CHECKS
#define DEBUG_MODE "DBG_MODE_RET_CODES"
#else
#define DEBUG_MODE "DBG_MODE_RELEASE"
#endif

const char *mli_hlp_compile_options_string(void)
{
    static const char *const texts[LB_MLI_ROUNDS] = {
        [LB_MLI_UP] = " MLI_BUILD_REFERENCE=OFF ROUND_MODE=UP MLI_DEBUG_MODE=" DEBUG_MODE,
        [LB_MLI_CONVERGENT] =
            " MLI_BUILD_REFERENCE=OFF ROUND_MODE=CONVERGENT MLI_DEBUG_MODE=" DEBUG_MODE,
    };
    return texts[lb_mli_round_now()];
}

/* Bits of the accumulator less bits of a product. */
uint8_t mli_hlp_accu_guard_bits_sa8_sa8(void)
{
    return 32 - 16;
}

uint8_t mli_hlp_accu_guard_bits_fx16_fx16(void)
{
    return 64 - 32;
}

uint8_t mli_hlp_accu_guard_bits_fx16_fx8(void)
{
    return 32 - 24;
}
