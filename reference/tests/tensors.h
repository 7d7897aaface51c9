/* Tensors and calls for the tests of this room: short ways to lay out what a test needs on its
 * stack. */
#ifndef LB_REFERENCE_TESTS_TENSORS_H
#define LB_REFERENCE_TESTS_TENSORS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "describe/kernels.h"
#include "describe/rules.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
#define SHAPE(...)      ((const uint32_t[LB_MAX_RANK]){__VA_ARGS__})

/* Dense, with the capacity of its elements. shape: LB_MAX_RANK entries, 0 from the rank on. */
static inline lb_tensor make_tensor(uint32_t el_type, const uint32_t *shape, void *data)
{
    lb_tensor t;
    memset(&t, 0, sizeof t);
    t.el_type = el_type;
    t.data.mem.ptr = data;
    uint32_t count = 1;
    for (uint32_t d = LB_MAX_RANK; d-- > 0;) {
        t.shape[d] = shape[d];
        if (shape[d] != 0) {
            t.rank = t.rank == 0 ? d + 1 : t.rank;
            t.mem_stride[d] = (int32_t)count;
            count *= shape[d];
        }
    }
    t.data.capacity_bytes = count * lb_element_bytes(el_type);
    return t;
}

static inline lb_tensor make_fx(uint32_t el_type, int frac_bits, const uint32_t *shape, void *data)
{
    lb_tensor t = make_tensor(el_type, shape, data);
    t.frac_bits = (int8_t)frac_bits;
    return t;
}

/* Per-tensor quantization. */
static inline lb_tensor make_sa(uint32_t el_type, lb_quant q, const uint32_t *shape, void *data)
{
    lb_tensor t = make_tensor(el_type, shape, data);
    t.sa.dim = -1;
    t.sa.scale.mem.i16 = (int16_t)q.scale;
    t.sa.scale_frac_bits.mem.i8 = (int8_t)q.frac;
    t.sa.zero_point.mem.i16 = (int16_t)q.zero_point;
    return t;
}

static inline void set_per_axis(lb_tensor *t, int dim, int16_t *scale, int8_t *frac,
                                int16_t *zero_point)
{
    uint32_t count = t->shape[dim];
    t->sa.dim = dim;
    t->sa.scale = (lb_container){2 * count, {.pi16 = scale}};
    t->sa.scale_frac_bits = (lb_container){count, {.pi8 = frac}};
    t->sa.zero_point = (lb_container){2 * count, {.pi16 = zero_point}};
}

/* An empty call of a function of the table. */
static inline lb_call make_call(const char *function)
{
    lb_call call;
    memset(&call, 0, sizeof call);
    call.kernel = lb_kernel_find(function);
    assert_non_null(call.kernel);
    return call;
}

static inline void set_role(lb_call *call, lb_role role, lb_tensor *t)
{
    call->tensor[role] = t;
    call->list_count[role] = t ? 1 : 0;
}

/* Runs on one of the four profiles; gives the name of the violated rule, "" if none. */
static inline const char *run(lb_call *call, int profile)
{
    lb_context context = {.profile = &lb_profiles[profile]};
    const lb_rule *rule = lb_run_exact(&context, call);
    return rule ? rule->name : "";
}

/* A small generator of pseudo-random numbers (xorshift), the same on every machine. */
static inline uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* In low..high. */
static inline int32_t random_in(uint32_t *state, int32_t low, int32_t high)
{
    int64_t values = (int64_t)high - low + 1;
    return (int32_t)(low + (int64_t)next_random(state) % values);
}

#endif
