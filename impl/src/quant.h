/* Scale arithmetic (numerics.md 5, 6): quantization parameters of a tensor, ratios of scales as a
 * mantissa and a shift, requantization from one tensor to another, ReLU limits. All of it is
 * planning: once a call or a channel. */
#ifndef LB_MLI_QUANT_H
#define LB_MLI_QUANT_H

#include "fixed.h"

/* One set of parameters: value = (container - zero) * scale * 2^-shift. FX: scale 1, zero 0, shift
 * frac_bits; FP_32: 1, 0, 0. */
struct lb_mli_quant {
    int32_t scale; /* above 0 in a valid tensor, int16 range */
    int32_t zero;  /* int16 range */
    int32_t shift; /* int8 range */
};

/* Parameters of t: entry index of the arrays if t is per axis, else the single values. */
static inline struct lb_mli_quant lb_mli_quant_at(const mli_tensor *t, uint32_t index)
{
    switch (t->el_type) {
    case MLI_EL_FX_8:
    case MLI_EL_FX_16:
        return (struct lb_mli_quant){1, 0, t->el_params.fx.frac_bits};
    case MLI_EL_SA_8:
    case MLI_EL_SA_32:
        if (t->el_params.sa.dim < 0)
            return (struct lb_mli_quant){t->el_params.sa.scale.mem.i16,
                                         t->el_params.sa.zero_point.mem.i16,
                                         t->el_params.sa.scale_frac_bits.mem.i8};
        return (struct lb_mli_quant){t->el_params.sa.scale.mem.pi16[index],
                                     t->el_params.sa.zero_point.mem.pi16[index],
                                     t->el_params.sa.scale_frac_bits.mem.pi8[index]};
    default:
        return (struct lb_mli_quant){1, 0, 0};
    }
}

/* A factor mul * 2^-shift. */
struct lb_mli_factor {
    int32_t mul;
    int32_t shift;
};

/* num / den as a factor whose mul has 15 bits, 16384..32767 (numerics.md 5.2 "ratio",
 * elementwise.md 5 "ratio" before its step c). num, den > 0, den < 2^15. */
LB_MLI_HIDDEN struct lb_mli_factor lb_mli_ratio(int32_t num, int32_t den, enum lb_mli_round round);

/* Keeps the shift of a factor in lo..hi, at the cost of bits of its mul where it is above hi; below
 * lo, mul saturates at 16 bits (elementwise.md 5, step c). */
LB_MLI_HIDDEN struct lb_mli_factor lb_mli_fit_shift(struct lb_mli_factor f, int32_t lo, int32_t hi,
                                                    enum lb_mli_round round);

/* Requantization from one set of parameters to another (numerics.md 5.1):
 * to's container ~ (from's - from.zero) * scale * 2^-shift + to.zero ~ from's * scale * 2^-shift +
 * offset. */
struct lb_mli_requant {
    int32_t scale;  /* 16384..32767 */
    int32_t shift;  /* any sign */
    int32_t offset; /* int16 range */
};
LB_MLI_HIDDEN struct lb_mli_requant lb_mli_requant(struct lb_mli_quant from, struct lb_mli_quant to,
                                                   enum lb_mli_round round);

/* Range of containers, lo <= hi. */
struct lb_mli_range {
    int32_t lo, hi;
};

/* Range that a ReLU leaves (numerics.md 6); container is the range of the element type, q the
 * parameters that say where 0, 1 and 6 lie. Types that do not exist leave the container's range. */
LB_MLI_HIDDEN struct lb_mli_range lb_mli_relu_range(mli_relu_type type, struct lb_mli_quant q,
                                                    struct lb_mli_range container);

/* Range of the containers of 8 and 16 bits. */
#define LB_MLI_RANGE_8  ((struct lb_mli_range){INT8_MIN, INT8_MAX})
#define LB_MLI_RANGE_16 ((struct lb_mli_range){INT16_MIN, INT16_MAX})

#endif
