/* Small questions that many ask of a case. */
#include "harness/suite/case.h"

#include <string.h>

const lb_param lb_params[LB_PARAMS] = {{"scale", INT16_MIN, INT16_MAX, 2},
                                       {"zero_point", INT16_MIN, INT16_MAX, 2},
                                       {"scale_frac_bits", INT8_MIN, INT8_MAX, 1}};

bool lb_values_same(const lb_values *a, const lb_values *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = lb_wide_value(a, i) == lb_wide_value(b, i);
    return same;
}

bool lb_case_has_tag(const lb_case *c, const char *tag)
{
    for (size_t i = 0; i < c->tag_count; i++)
        if (strcmp(c->tags[i], tag) == 0)
            return true;
    return false;
}

const lb_expect *lb_case_expect(const lb_case *c, const lb_profile *profile)
{
    int numerics =
        c->kernel ? lb_kernel_numerics(c->kernel, profile) : lb_profile_numerics(profile);
    for (size_t i = 0; i < c->expect_count; i++)
        if (c->expect[i].profile_mask & 1u << numerics)
            return &c->expect[i];
    return NULL;
}

/* ---- Copies ---- */

static void *copy_bytes(lb_arena *arena, const void *from, size_t bytes)
{
    void *to = lb_arena_alloc(arena, bytes);
    if (bytes > 0)
        memcpy(to, from, bytes);
    return to;
}

static void copy_arrays(lb_arena *arena, lb_case_tensor *t)
{
    if (t->has_data)
        t->data.items = copy_bytes(arena, t->data.items, t->data.count * sizeof *t->data.items);
    if (!t->scale)
        return;
    t->scale = copy_bytes(arena, t->scale, t->quant_count * sizeof *t->scale);
    t->zero_point = copy_bytes(arena, t->zero_point, t->quant_count * sizeof *t->zero_point);
    t->scale_frac_bits =
        copy_bytes(arena, t->scale_frac_bits, t->quant_count * sizeof *t->scale_frac_bits);
}

lb_case *lb_case_copy(lb_arena *arena, const lb_case *from)
{
    lb_case *to = copy_bytes(arena, from, sizeof *from);
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        lb_case_operand *operand = &to->operand[role];
        if (!operand->present)
            continue;
        operand->tensors =
            copy_bytes(arena, operand->tensors, operand->count * sizeof *operand->tensors);
        for (unsigned i = 0; i < operand->count; i++)
            copy_arrays(arena, &operand->tensors[i]);
    }
    return to;
}
