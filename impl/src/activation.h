/* Sigmoid and hyperbolic tangent of vectors (recurrent.md 4): for the kernels of that name and for
 * the gates of recurrent cells. */
#ifndef LB_MLI_ACTIVATION_H
#define LB_MLI_ACTIVATION_H

#include "lookup.h"
#include "quant.h"

enum lb_mli_function { LB_MLI_SIGM, LB_MLI_TANH };

/* The format of the results: FX 7 or 15 fractional bits; SA_8 as recurrent.md 4 says. */
LB_MLI_HIDDEN struct lb_mli_quant lb_mli_activation_format(enum lb_mli_function function,
                                                           enum lb_mli_kind kind);

/* What is the same for all elements. Large: keep it where it is made. */
struct lb_mli_activation {
    enum lb_mli_kind kind;
    enum lb_mli_round round;
    struct lb_mli_quant in;
    int32_t in_shift; /* sa8: right, from (container - zero) * scale to the argument of the look-up,
                         any sign */
    int32_t out_shift; /* 8 bits: right, from the table's values to the result, any sign */
    int32_t out_zero;
    const struct lb_mli_loops *loops;
    bool mapped;     /* 8 bits: map holds the result for each container */
    int8_t map[256]; /* at container + 128 */
    struct lb_mli_lookup lookup;
};

/* lut is usable; in: parameters of the arguments (FX: frac_bits as shift), any that a valid tensor
 * can have. count: elements to expect, by which the plan decides whether tables pay. kind FX8, FX16
 * or SA8. */
LB_MLI_HIDDEN void lb_mli_activation_plan(enum lb_mli_function function, enum lb_mli_kind kind,
                                          const mli_lut *lut, struct lb_mli_quant in,
                                          uint64_t count, enum lb_mli_round round,
                                          struct lb_mli_activation *plan);

/* n contiguous elements (int8_t, or int16_t for FX16). out may be in; no other overlap. */
LB_MLI_HIDDEN void lb_mli_activation_run(const struct lb_mli_activation *plan, const void *in,
                                         size_t n, void *out);

#endif
