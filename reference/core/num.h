/* The named operations: the integer primitives of arith.h on numbers that know where they come from
 * (steps.h). Models compute with these. Without steps each is its primitive and nothing more;
 * else it also tells its step. `site` says which operation it is (sites.h). Spec: numerics.md 3. */
#ifndef LB_REFERENCE_NUM_H
#define LB_REFERENCE_NUM_H

#include "accumulator.h"
#include "arith.h"
#include "steps.h"

#define LB_NAMED(name) ((lb_origin){LB_OWNER_##name, -1, false})

/* A constant of the formula. */
static inline lb_num lb_num_const(int64_t v)
{
    return (lb_num){v, 0};
}

/* A field of the configuration, at that offset in it; a number that follows from some, or that the
 * formula takes from many. */
static inline lb_num lb_num_of_field(int64_t v, size_t offset)
{
    return (lb_num){v, LB_NUM_FIELD + (int32_t)offset};
}

static inline lb_num lb_num_that_varies(int64_t v)
{
    return (lb_num){v, LB_NUM_VARIES};
}

/* Tells an operation with one or two operands. */
lb_num lb_num_tell(lb_steps *steps, lb_operation operation, unsigned operands, lb_num a, lb_num b,
                   int width, int64_t result, lb_site site);

/* What the formula says of a number beyond the ranges of what it is made of: it lies in this one.
 */
static inline void lb_num_lies(lb_steps *steps, lb_num v, int64_t low, int64_t high)
{
    lb_steps_demand(steps, v, low, high, LB_LIES_WITHIN);
}

/* All sums on the way to this one, if it is one of 32 bits: a call in which one leaves them is
 * undefined. */
static inline void lb_num_sums_lie(lb_steps *steps, const lb_acc *acc)
{
    if (acc->width == 32)
        lb_steps_demand(steps, (lb_num){acc->held, acc->step}, INT32_MIN, INT32_MAX,
                        LB_LIES_WITHIN_ON_THE_WAY);
}

/* A number from outside: field of a tensor (entry < 0: per tensor), or of the geometry. */
lb_num lb_num_parameter(lb_steps *steps, lb_owner owner, lb_quant_field field, int64_t entry,
                        int64_t value);
lb_num lb_num_geometry(lb_steps *steps, lb_geometry geometry, int64_t value);

static inline lb_num lb_num_done(lb_steps *steps, lb_operation operation, unsigned operands,
                                 lb_num a, lb_num b, int width, int64_t result, lb_site site)
{
    return !steps ? lb_num_const(result)
                  : lb_num_tell(steps, operation, operands, a, b, width, result, site);
}

static inline lb_num lb_num_copy(lb_steps *steps, lb_num a, lb_site site)
{
    return lb_num_done(steps, LB_STEP_COPY, 1, a, a, 0, a.v, site);
}

/* Width 0: exact, for small numbers (counts, containers). */
static inline lb_num lb_num_add(lb_steps *steps, lb_num a, lb_num b, int width, lb_site site)
{
    return lb_num_done(steps, LB_STEP_ADD, 2, a, b, width,
                       width == 0 ? lb_add(a.v, b.v, 64) : lb_add(a.v, b.v, width), site);
}

static inline lb_num lb_num_sub(lb_steps *steps, lb_num a, lb_num b, int width, lb_site site)
{
    return lb_num_done(steps, LB_STEP_SUB, 2, a, b, width,
                       width == 0 ? lb_sub(a.v, b.v, 64) : lb_sub(a.v, b.v, width), site);
}

/* The same where an operand is a zero point: the step says so. */
lb_num lb_num_zero_point_told(lb_steps *steps, lb_operation operation, lb_num a, lb_num b,
                              int width, int64_t result, lb_site site);

static inline lb_num lb_num_add_zero_point(lb_steps *steps, lb_num a, lb_num b, int width,
                                           lb_site site)
{
    int64_t sum = lb_add(a.v, b.v, width == 0 ? 64 : width);
    return !steps ? lb_num_const(sum)
                  : lb_num_zero_point_told(steps, LB_STEP_ADD, a, b, width, sum, site);
}

static inline lb_num lb_num_sub_zero_point(lb_steps *steps, lb_num a, lb_num b, int width,
                                           lb_site site)
{
    int64_t difference = lb_sub(a.v, b.v, width == 0 ? 64 : width);
    return !steps ? lb_num_const(difference)
                  : lb_num_zero_point_told(steps, LB_STEP_SUB, a, b, width, difference, site);
}

/* The product must fit 64 bits. */
static inline lb_num lb_num_mul(lb_steps *steps, lb_num a, lb_num b, lb_site site)
{
    return lb_num_done(steps, LB_STEP_MUL, 2, a, b, 0, (int64_t)((uint64_t)a.v * (uint64_t)b.v),
                       site);
}

static inline lb_num lb_num_tdiv(lb_steps *steps, lb_num a, lb_num b, lb_site site)
{
    return lb_num_done(steps, LB_STEP_TDIV, 2, a, b, 0, lb_tdiv(a.v, b.v), site);
}

static inline lb_num lb_num_norm(lb_steps *steps, lb_num a, int width, lb_site site)
{
    return lb_num_done(steps, LB_STEP_NORM, 1, a, a, width, lb_norm(a.v, width), site);
}

/* A shift count as the primitives take it: counts past every width act alike. */
static inline int lb_num_count(lb_num n)
{
    return (int)lb_sat(n.v, 32);
}

static inline lb_num lb_num_shl(lb_steps *steps, lb_num v, lb_num n, int width, lb_site site)
{
    return lb_num_done(steps, LB_STEP_SHL, 2, v, n, width, lb_shl(v.v, lb_num_count(n), width),
                       site);
}

static inline lb_num lb_num_asr(lb_steps *steps, lb_num v, lb_num n, int width, lb_site site)
{
    return lb_num_done(steps, LB_STEP_ASR, 2, v, n, width, lb_asr(v.v, lb_num_count(n), width),
                       site);
}

static inline lb_num lb_num_sat(lb_steps *steps, lb_num v, int width, lb_site site)
{
    return lb_num_done(steps, LB_STEP_SAT, 1, v, v, width, lb_sat(v.v, width), site);
}

static inline lb_num lb_num_wrap(lb_steps *steps, lb_num v, int width, lb_site site)
{
    return lb_num_done(steps, LB_STEP_WRAP, 1, v, v, width, lb_wrap(v.v, width), site);
}

static inline lb_num lb_num_min(lb_steps *steps, lb_num a, lb_num b, lb_site site)
{
    return lb_num_done(steps, LB_STEP_MIN, 2, a, b, 0, a.v < b.v ? a.v : b.v, site);
}

static inline lb_num lb_num_max(lb_steps *steps, lb_num a, lb_num b, lb_site site)
{
    return lb_num_done(steps, LB_STEP_MAX, 2, a, b, 0, a.v > b.v ? a.v : b.v, site);
}

/* v mod 2^n, 0 <= n <= 32; v of 32 bits. */
static inline lb_num lb_num_mod(lb_steps *steps, lb_num v, lb_num n, lb_site site)
{
    int count = lb_num_count(n);
    int64_t rest = v.v - lb_shl(lb_asr(v.v, count, 64), count, 64);
    return lb_num_done(steps, LB_STEP_MOD, 2, v, n, 0, rest, site);
}

lb_num lb_num_rsh_told(lb_steps *steps, lb_rounding rounding, lb_num v, lb_num n, int width,
                       int64_t result, lb_site site);

static inline lb_num lb_num_rsh(lb_steps *steps, lb_rounding rounding, lb_num v, lb_num n,
                                int width, lb_site site)
{
    int64_t result = lb_rsh(rounding, v.v, lb_num_count(n), width);
    return !steps ? lb_num_const(result)
                  : lb_num_rsh_told(steps, rounding, v, n, width, result, site);
}

/* cast(v, src, dst, n): the table "Casts", as its steps; dst <= src, as models need it. */
lb_num lb_num_cast(lb_steps *steps, lb_rounding rounding, lb_num v, int src_bits, int dst_bits,
                   lb_num n, lb_site site);
/* norm_cast(v, dst): the exponent goes to *k. */
lb_num lb_num_norm_cast(lb_steps *steps, lb_rounding rounding, lb_num v, int dst_bits, lb_num *k,
                        lb_site site);
/* v, shifted to the left by its redundant sign bits; as many are left as 32 bits take. */
static inline lb_num lb_num_widened(lb_steps *steps, lb_num v, lb_num norm, lb_site site)
{
    lb_num wide = lb_num_shl(steps, v, norm, 32, site);
    lb_steps_demand(steps, wide, 1 << 30, INT32_MAX, LB_LIES_OF_POSITIVE);
    return wide;
}

/* v as a mantissa of 15 bits, of 16 with the sign: n is what it has too many. Where rounding makes
 * it longer, it saturates; no quotient of two numbers of 15 bits is so close below a power of two:
 * they would differ by less than one in 2^15. */
lb_num lb_num_mantissa(lb_steps *steps, lb_rounding rounding, lb_num v, lb_num n, bool is_quotient,
                       lb_site site);

/* Entry i of a table (lb_lut_kind), 0 <= i < length. */
lb_num lb_num_lookup(lb_steps *steps, unsigned table, lb_num i, lb_site site);

/* ---- Memory ---- */

static inline lb_num lb_num_at(lb_steps *steps, const lb_tensor *t, lb_origin origin,
                               const uint32_t *index)
{
    size_t offset = lb_offset_of(t, index);
    int32_t value = lb_load(t, offset);
    return !steps ? lb_num_const(value) : lb_steps_loaded(steps, t, origin, offset, index, value);
}

/* Of a container of any width. */
static inline lb_num lb_num_at_wide(lb_steps *steps, const lb_tensor *t, lb_origin origin,
                                    const uint32_t *index)
{
    size_t offset = lb_offset_of(t, index);
    int64_t value = lb_load_wide(t, offset);
    return !steps ? lb_num_const(value) : lb_steps_loaded(steps, t, origin, offset, index, value);
}

/* By row-major number. */
static inline lb_num lb_num_at_flat(lb_steps *steps, const lb_tensor *t, lb_origin origin,
                                    size_t flat)
{
    uint32_t index[LB_MAX_RANK];
    lb_unflatten(t, flat, index);
    return lb_num_at(steps, t, origin, index);
}

/* At an offset, which needs no divisions; `flat` is its row-major number, for the place. */
static inline lb_num lb_num_at_offset(lb_steps *steps, const lb_tensor *t, lb_origin origin,
                                      size_t offset, size_t flat)
{
    int32_t value = lb_load(t, offset);
    if (!steps)
        return lb_num_const(value);
    uint32_t index[LB_MAX_RANK];
    lb_unflatten(t, flat, index);
    return lb_steps_loaded(steps, t, origin, offset, index, value);
}

static inline void lb_num_store(lb_steps *steps, lb_tensor *t, size_t offset, lb_num number)
{
    lb_store(t, offset, number.v);
    if (steps)
        lb_steps_note(steps, t, offset, number);
}

/* ---- Accumulators ---- */

void lb_num_mac_told(lb_steps *steps, lb_acc *acc, lb_num before, lb_num x, lb_num w);

/* One product, told. */
static inline void lb_num_mac(lb_steps *steps, lb_acc *acc, lb_num x, lb_num w)
{
    lb_num before = {acc->held, acc->step};
    lb_acc_mac(acc, (int32_t)x.v, (int32_t)w.v);
    if (steps)
        lb_num_mac_told(steps, acc, before, x, w);
}

/* Tells that a tap adds nothing, because its input lies outside the tensor: at `index`, of `rank`
 * entries. */
void lb_num_mac_outside(lb_steps *steps, lb_acc *acc, lb_origin origin, const int64_t *index,
                        uint32_t rank, lb_num x, lb_num w);

/* What the register holds after the chain; the watch may be NULL. */
static inline lb_num lb_num_acc_close(lb_steps *steps, const lb_acc *acc, lb_watch *watch)
{
    lb_num closed = {lb_acc_close(acc, watch), acc->step};
    if (!acc->at_end && acc->lanes == 0)
        return closed;
    lb_num held = {acc->held, acc->step};
    return lb_num_done(steps, LB_STEP_SAT, 1, held, held, acc->width, closed.v,
                       acc->at_end ? LB_SITE_SATURATED_WHEN_ALL_IS_ADDED
                                   : LB_SITE_ALL_LANES_TOGETHER);
}

/* The saturating addition after the chain. */
static inline lb_num lb_num_acc_add(lb_steps *steps, const lb_acc *acc, lb_num sum, lb_num addend,
                                    lb_watch *watch, lb_site site)
{
    int64_t result = lb_acc_add_saturating(acc, sum.v, addend.v, watch);
    return lb_num_done(steps, LB_STEP_ADD, 2, sum, addend, acc->width, result, site);
}

#endif
