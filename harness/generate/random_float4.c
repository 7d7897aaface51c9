/* Made-up cases of the extensions for element formats: casts, nibbles, blocks. Rules: float4.md. */
#include "harness/generate/random_build.h"
#include "reference/mli/float4_function.h"

#include <string.h>

enum { BLOCK = 32 };

/* Any bit pattern of binary32; half of them near what four bits can hold. */
static int32_t pattern(lb_build *b)
{
    if (lb_random_once_in(&b->random, 2))
        return (int32_t)(uint32_t)lb_random_bits(&b->random);
    float real = (float)lb_build_pick(b, -130, 130) / 16.0f;
    int32_t bits;
    memcpy(&bits, &real, sizeof bits);
    return lb_random_once_in(&b->random, 4) ? bits + lb_build_pick(b, -1, 1) : bits;
}

static void fill(lb_build *b, lb_case_tensor *t)
{
    lb_build_any_data(b, t);
    for (size_t i = 0; i < t->data.count && t->type == LB_FP32; i++)
        t->data.items[i] = pattern(b);
}

/* A divisor of the count that is a size of an outer dimension. */
static uint32_t part_of(lb_build *b, uint32_t count)
{
    static const uint32_t sizes[] = {2, 3, 4, 5, 6, 8, 9, 16, 17, 32, 33, 64};
    uint32_t size = LB_RANDOM_OF(&b->random, sizes);
    return count % size == 0 ? size : 1;
}

/* `count` elements in one to four dimensions. */
static lb_case_tensor *add(lb_build *b, lb_role role, uint32_t type, uint32_t count)
{
    uint32_t shape[4] = {1, 1, 1, 1};
    unsigned rank = (unsigned)lb_build_pick(b, 1, 4);
    for (unsigned d = 0; d + 1 < rank; d++) {
        shape[d] = part_of(b, count);
        count /= shape[d];
    }
    shape[rank - 1] = count;
    lb_case_tensor *t =
        lb_build_tensor(b, role, role == LB_ROLE_OUT, (lb_el_type)type, rank, shape);
    if (role != LB_ROLE_OUT)
        fill(b, t);
    return t;
}

/* One number of elements, or one that many shapes have. */
static uint32_t any_count(lb_build *b)
{
    static const uint32_t counts[] = {72, 90, 120, 144, 180, 210, 288, 330, 594, 660, 1056};
    return lb_random_once_in(&b->random, 2) ? LB_RANDOM_OF(&b->random, counts)
                                            : lb_build_extent(b, 65);
}

void lb_random_float4(lb_build *b)
{
    const lb_float4_function *f = lb_float4_function_of(b->c->kernel);
    uint32_t blocks = (uint32_t)lb_build_pick(b, 1, 3), count = any_count(b);
    if (lb_random_once_in(&b->random, 12))
        blocks = 0;
    if (!f) {
        uint32_t elements = blocks ? blocks * BLOCK : count;
        add(b, LB_ROLE_IN1, LB_EL_FLOAT8E8M0, blocks ? blocks : 1);
        add(b, LB_ROLE_IN2, LB_EL_FLOAT4E2M1, elements);
        add(b, LB_ROLE_OUT, LB_FP32, elements);
        return;
    }
    bool is_mx = f->kind == LB_FLOAT4_MX_SCALES || f->kind == LB_FLOAT4_MX_ELEMENTS;
    uint32_t in = is_mx && blocks ? blocks * BLOCK : count, out = in;
    if (f->kind == LB_FLOAT4_PACK)
        out = (in + 1) / 2;
    else if (f->kind == LB_FLOAT4_UNPACK)
        in = (out + 1) / 2;
    else if (f->kind == LB_FLOAT4_MX_SCALES)
        out = blocks ? blocks : 1;
    add(b, LB_ROLE_IN, f->in_type, in);
    add(b, LB_ROLE_OUT, f->out_type, out);
}
