/* The weighted sum of recurrent functions: several inputs, each with its own weights and
 * quantization, each requantized to the output's format before they are added. Spec:
 * recurrent.md 5.2 to 5.4; 6 (dense2 of the cells). */
#ifndef LB_REFERENCE_DENSE_H
#define LB_REFERENCE_DENSE_H

#include "core/scale_num.h"
#include "kernels.h"

/* One input. x: any shape, contiguous, N elements in memory order; weights: (N, M), inner stride 1.
 * Per-tensor quantization. */
typedef struct lb_dense_term {
    lb_step_term name;
    const lb_tensor *x;
    const lb_tensor *weights;
    lb_origin x_origin; /* what they are called, for a listener */
    lb_origin weights_origin;
    int32_t weights_entry; /* weights quantized per axis: the entry of this slice; else -1 */
    int scale_excess; /* what the quantization of weights has more than the caller gave (gates.h) */
    int frac_excess;
} lb_dense_term;

enum { LB_DENSE_TERMS = 4 };

/* What is done with the numbers of a term: others of the call may stand in place of its own. */
typedef struct lb_dense_pair {
    bool has_bias;            /* the bias is added to its accumulator */
    uint8_t bias_x, bias_w;   /* fx: the bias is aligned to products of this input, these weights */
    uint8_t x_scale, w_scale; /* of which terms scales or fractional bits are taken */
    uint8_t zero_point;       /* of which term the input's zero point is */
    bool continues;           /* its accumulator begins with the sum of the term before */
} lb_dense_pair;

/* When sums of terms are brought into steps of the result. */
typedef enum lb_dense_rounding {
    LB_DENSE_EACH,          /* each by itself */
    LB_DENSE_ONCE_IF_EQUAL, /* added up first, where all need the same factor */
    LB_DENSE_ONCE           /* added up first, with the factor of the first term */
} lb_dense_rounding;

/* How terms become a sum, as data. */
typedef struct lb_dense_form {
    lb_dense_pair pair[LB_DENSE_TERMS];
    lb_dense_rounding rounding;
    bool bias_last; /* fx: the bias is added behind all terms, in steps of the result */
} lb_dense_form;

/* The one of recurrent.md 5: every term by itself, the bias with the first. */
#define LB_DENSE_OF_ITS_OWN(j) .x_scale = (j), .w_scale = (j), .zero_point = (j)
#define LB_DENSE_FORM                                                                              \
    {                                                                                              \
        .pair = {                                                                                  \
            {.has_bias = true, LB_DENSE_OF_ITS_OWN(0)},                                            \
            {LB_DENSE_OF_ITS_OWN(1)},                                                              \
            {LB_DENSE_OF_ITS_OWN(2)},                                                              \
            {LB_DENSE_OF_ITS_OWN(3)},                                                              \
        }                                                                                          \
    }

/* Where the sums are told to the trace of the context: part and frame of the names (trace.h). Per
 * term: "bias" (of the first one, as it is added), "acc", for sa "mul" and its "shift", and the
 * requantized "sum"; after all terms "pre", without zero point. Steps are told of one unit. */
typedef struct lb_dense_place {
    lb_block part;
    unsigned frame;
    lb_steps *steps; /* NULL: nobody listens */
    uint32_t unit;
    lb_origin bias;
    lb_owner out;
    const lb_known_format *known; /* of the format of out; NULL: nothing */
} lb_dense_place;

/* out[m] = bias[m] + sum over terms and k of x[k] * weights[k][m], in the format of out. The bias
 * (M, inner stride 1) is in the format of the first term's products. out: (M), inner stride 1. out
 * must not share memory with x or weights. 1 to 4 terms. Another form than LB_DENSE_FORM: nobody
 * must listen. */
void lb_dense(const lb_context *context, const lb_dense_form *form, const lb_dense_term *terms,
              unsigned term_count, const lb_tensor *bias, lb_tensor *out, lb_dense_place place);

/* What formats alone make of one term: the shift that brings its sum into steps of out, and that
 * which aligns the bias to its products (sa: 0). */
typedef struct lb_dense_shifts {
    int64_t sum, bias;
} lb_dense_shifts;
lb_dense_shifts lb_dense_shifts_of(const lb_profile *profile, const lb_dense_term *term,
                                   const lb_tensor *bias, const lb_tensor *out);
/* What the bias of a unit adds to the sum of the term. */
int64_t lb_dense_bias(const lb_profile *profile, const lb_dense_term *term, const lb_tensor *bias,
                      const lb_tensor *out, uint32_t unit);

#endif
