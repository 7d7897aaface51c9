/* The fixed-point functions of LiteRT on numbers that know where they come from (litert.2,
 * litert.3): what its exact models compute with. What the specification leaves undefined is noted
 * in the call, and computed in some way all the same. */
#ifndef LB_REFERENCE_LITERT_FIXED_H
#define LB_REFERENCE_LITERT_FIXED_H

#include "core/num.h"
#include "fields.h"

/* A run of a model: the listener of the element at hand changes. */
typedef struct lb_fix {
    const lb_context *context;
    lb_call *call;
    lb_steps *s; /* NULL: nobody listens */
} lb_fix;

/* The number of a field. */
lb_num lb_fix_field(const lb_fix *f, lb_lite_field field);
/* Notes that the call is undefined, unless the condition holds. */
void lb_fix_demand(const lb_fix *f, bool holds, lb_unsaid otherwise);
/* The same of a number that leaves a range. */
void lb_fix_within(const lb_fix *f, lb_num v, int64_t low, int64_t high, lb_unsaid otherwise);
/* A fact of the formula that ranges of its operands do not show: the number lies within these two
 * in every call that is defined. Those of litert.3 were found by trying every input. */
lb_num lb_fix_known(const lb_fix *f, lb_num v, int64_t low, int64_t high);
/* The same of ends beyond which nothing changes: numbers from `high` on give the results of `high`,
 * numbers down from `low` those of `low`. */
lb_num lb_fix_settled(const lb_fix *f, lb_num v, int64_t low, int64_t high);
/* Of a sum, on the way too. */
void lb_fix_sum_within_32(const lb_fix *f, const lb_acc *acc);
/* Notes it where the number leaves 32 bits. */
lb_num lb_fix_within_32(const lb_fix *f, lb_num v);

/* 2.1 */
lb_num lb_fix_srdhm(const lb_fix *f, lb_num a, lb_num b);
lb_num lb_fix_srdhm16(const lb_fix *f, lb_num a, lb_num b);
/* 2.2; n may be any number. */
lb_num lb_fix_rdiv(const lb_fix *f, lb_num v, lb_num n);
lb_num lb_fix_rdiv16(const lb_fix *f, lb_num v, lb_num n);
/* 2.3: notes it where scale32 has no such multiplier or shift, though this element may need neither
 * (1.5). */
void lb_fix_scales(const lb_fix *f, int64_t multiplier, int64_t shift);
/* 2.3 */
lb_num lb_fix_scale32(const lb_fix *f, lb_num x, lb_num multiplier, lb_num shift);
/* 2.4 */
lb_num lb_fix_scale_le1(const lb_fix *f, lb_num x, lb_num multiplier, lb_num shift);
lb_num lb_fix_scale_ge1(const lb_fix *f, lb_num x, lb_num multiplier, lb_num shift);
/* 2.5 */
lb_num lb_fix_scale64(const lb_fix *f, lb_num x, lb_num multiplier, lb_num shift);
/* 2.6: with the limits of the configuration. */
lb_num lb_fix_act(const lb_fix *f, lb_num v);
/* To the range of so many bits. */
lb_num lb_fix_clamp(const lb_fix *f, lb_num v, int bits);

/* 3.2: input Q5.26 or Q4.27. */
lb_num lb_fix_exp_neg(const lb_fix *f, lb_num a, int integer_bits);
/* 3.3 */
lb_num lb_fix_one_over_one_plus(const lb_fix *f, lb_num a);
lb_num lb_fix_one_minus_over_one_plus(const lb_fix *f, lb_num a);
/* 3.4 */
lb_num lb_fix_logistic4(const lb_fix *f, lb_num a);
lb_num lb_fix_tanh4(const lb_fix *f, lb_num a);
/* 3.5 */
lb_num lb_fix_reciprocal(const lb_fix *f, lb_num x, lb_num *bits_over_unit);
/* 3.6 */
lb_num lb_fix_inverse_square_root(const lb_fix *f, lb_num v, lb_num *shift);
/* Leading zero bits of a word of 32 bits. */
lb_num lb_fix_leading_zeros(const lb_fix *f, lb_num v);

/* 3.7, and litert.14: the tables. */
enum { LB_FIX_LUT = 513, LB_FIX_SIGMOID = 256 };
extern const int16_t lb_fix_softmax_exp[LB_FIX_LUT];
extern const int16_t lb_fix_softmax_one_over_one_plus_x[LB_FIX_LUT];
extern const uint16_t lb_fix_sigmoid[LB_FIX_SIGMOID];
lb_num lb_fix_lut16(const lb_fix *f, const int16_t *table, lb_num v);

#endif
