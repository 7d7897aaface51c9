/* What a failure needs: see needs.h. */
#include "harness/diagnose/needs.h"
#include "harness/diagnose/work.h"
#include "harness/suite/case_write.h"

#include <string.h>

typedef struct search {
    lb_needs *needs;
    lb_evidence *e;
    const lb_profile *profile;
    const lb_case *best; /* the plainest so far that fails */
    lb_arena *arena;
} search;

/* ---- Calls ---- */

typedef enum outcome { IMPOSSIBLE, PASSES, FAILS } outcome;

static outcome call(search *s, const lb_case *c)
{
    lb_fault_bench *bench = lb_arena_alloc(s->arena, sizeof *bench);
    bool passed = false;
    if (s->needs->calls >= s->needs->most_calls)
        return IMPOSSIBLE;
    const lb_left *left =
        lb_evidence_try(s->e, c, s->profile, s->e->misalign, bench, s->arena, &passed);
    s->needs->calls++; /* of a port that gives no result too */
    return passed ? PASSES : left ? FAILS : IMPOSSIBLE;
}

/* ---- Plainer tensors ---- */

/* Makes it plainer; false: it is plain already. */
typedef bool (*tensor_fn)(lb_case_tensor *t);

static bool is_own(const lb_case_tensor *t)
{
    return !t->has_quant_in && t->zero_point && t->scale && t->scale_frac_bits;
}

static bool no_zero_point(lb_case_tensor *t)
{
    bool changed = false;
    for (size_t i = 0; is_own(t) && i < t->quant_count; i++) {
        changed = changed || t->zero_point[i] != 0;
        t->zero_point[i] = 0;
    }
    return changed;
}

static bool one_entry(lb_case_tensor *t)
{
    bool per_axis = is_own(t) && t->axis >= 0;
    for (size_t i = 1; per_axis && i < t->quant_count; i++) {
        t->scale[i] = t->scale[0];
        t->zero_point[i] = t->zero_point[0];
        t->scale_frac_bits[i] = t->scale_frac_bits[0];
    }
    return per_axis && t->quant_count > 1;
}

static bool no_gaps(lb_case_tensor *t)
{
    int64_t dense = 1;
    bool gaps = false;
    for (unsigned d = t->rank < LB_MAX_RANK ? t->rank : LB_MAX_RANK; d-- > 0;) {
        gaps = gaps || (t->has_mem_stride && t->shape[d] > 1 && t->mem_stride[d] != dense);
        dense *= t->shape[d];
    }
    if (t->has_buffer_elements || t->has_data_in)
        return false;
    t->has_mem_stride = false;
    return gaps;
}

/* What takes the place of a value. */
typedef int32_t (*value_fn)(const lb_case_tensor *t, int32_t value);

static bool replace_values(lb_case_tensor *t, value_fn plainer)
{
    bool changed = false;
    for (size_t i = 0; t->has_data && i < t->data.count; i++) {
        int32_t value = plainer(t, t->data.items[i]);
        changed = changed || t->data.items[i] != value;
        t->data.items[i] = value;
    }
    t->may_be_uniform = false;
    return changed;
}

static int32_t zero_of(const lb_case_tensor *t, int32_t value)
{
    (void)value;
    return is_own(t) && t->quant_count > 0 ? t->zero_point[0] : 0;
}

static int32_t first_of(const lb_case_tensor *t, int32_t value)
{
    (void)value;
    return t->data.items[0];
}

static int32_t without_sign(const lb_case_tensor *t, int32_t value)
{
    return value < 0 && t->type != LB_FP32 ? -(value + 1) : value;
}

static int32_t below_9(const lb_case_tensor *t, int32_t value)
{
    return t->type == LB_FP32 ? value : value % 9;
}

/* Scale 1. */
static bool unit_scale(lb_case_tensor *t)
{
    bool changed = false;
    for (size_t i = 0; is_own(t) && i < t->quant_count; i++) {
        changed = changed || t->scale[i] != 16384 || t->scale_frac_bits[i] != 14;
        t->scale[i] = 16384;
        t->scale_frac_bits[i] = 14;
    }
    return changed;
}

static bool no_fraction(lb_case_tensor *t)
{
    bool changed = !lb_is_sa(t->type) && t->type != LB_FP32 && t->frac_bits != 0;
    if (changed)
        t->frac_bits = 0;
    return changed;
}

typedef struct tensor_way {
    tensor_fn make; /* NULL: the values of an input are replaced */
    value_fn plainer;
    const char *words; /* of what is needed, for the role behind it */
} tensor_way;

static const tensor_way tensor_ways[] = {
    {no_gaps, NULL, "gaps between elements of"},
    {no_zero_point, NULL, "a zero point that is not 0 in"},
    {one_entry, NULL, "different entries of quantization per axis in"},
    {NULL, zero_of, "values that are not 0 in"},
    {NULL, first_of, "different values in"},
    {NULL, without_sign, "negative values in"},
    {NULL, below_9, "values of 9 or more in"},
    {unit_scale, NULL, "a scale other than 1 in"},
    {no_fraction, NULL, "fractional bits in"},
};

static bool make_plainer(const tensor_way *way, lb_case_operand *o, unsigned number)
{
    if (way->make)
        return way->make(&o->tensors[number]);
    return !o->is_output && replace_values(&o->tensors[number], way->plainer);
}

/* ---- Plainer configurations ---- */

static const struct {
    const char *field;
    int32_t plain;
    const char *words;
} config_ways[] = {
    {"padding_left", 0, "padding_left other than 0"},
    {"padding_right", 0, "padding_right other than 0"},
    {"padding_top", 0, "padding_top other than 0"},
    {"padding_bottom", 0, "padding_bottom other than 0"},
    {"dilation_width", 1, "dilation_width other than 1"},
    {"dilation_height", 1, "dilation_height other than 1"},
    {"stride_width", 1, "stride_width other than 1"},
    {"stride_height", 1, "stride_height other than 1"},
    {"relu", 0, "a ReLU"},
};

static bool set_field(lb_case *c, const char *name, int32_t plain)
{
    const lb_config_field *field = lb_config_fields(c->kernel->config_kind);
    while (field && field->name && strcmp(field->name, name) != 0)
        field++;
    if (!field || !field->name || lb_config_get(&c->config, field, 0) == plain)
        return false;
    lb_config_set(&c->config, field, 0, plain);
    return true;
}

/* ---- Is it so with other numbers as well? ---- */

/* Element `i` of `count`. */
static int32_t other_value(const lb_case_tensor *t, unsigned way, size_t i)
{
    const int32_t most = t->type == LB_FX16 ? INT16_MAX : t->type == LB_SA32 ? 1 << 20 : INT8_MAX;
    switch (way) {
    case 0:
        return 1;
    case 1:
        return (int32_t)(i % 8) + 1;
    case 2:
        return most;
    case 3:
        return i % 2 ? most : 8;
    case 4:
        return -(int32_t)(i % 8) - 1;
    default:
        return -most - 1;
    }
}
enum { OTHER_WAYS = 6 };

static void put_others(lb_case_tensor *t, unsigned way)
{
    for (size_t i = 0; t->has_data && t->type != LB_FP32 && i < t->data.count; i++)
        t->data.items[i] = other_value(t, way, i);
    t->may_be_uniform = false;
}

/* ---- The search ---- */

static void note(search *s, outcome end, const lb_case *c, const char *words, bool is_of_values)
{
    lb_needs *n = s->needs;
    /* of numbers much can be said; beside what a call is, it is no news */
    if (is_of_values && n->count > 0 && end == PASSES)
        return;
    if (end == FAILS) {
        s->best = c;
        n->spared++;
    } else if (end == PASSES && n->count < LB_MOST_NEEDS) {
        n->words[n->count++] = words;
    }
}

static lb_case *copy_of(search *s)
{
    lb_case *c = lb_case_copy(s->arena, s->best);
    c->expect_count = 0;
    return c;
}

/* The case passes without what seems to be needed: does it with other numbers too? Of a tensor
 * whose numbers are in question these alone change, in the way that leaves them as they must be.
 * One that fails is a plainer case; *end says so. False: it could not be tried. */
static bool passes_with_others(search *s, const lb_case *plain, int role, unsigned number,
                               const tensor_way *again, outcome *end)
{
    *end = PASSES;
    for (unsigned way = 0; way < OTHER_WAYS && *end == PASSES; way++) {
        lb_case *c = lb_case_copy(s->arena, plain);
        lb_case_operand *o = &c->operand[role];
        if (!o->present || o->is_output || !o->tensors[number].has_data)
            return true; /* there are no numbers to change */
        put_others(&o->tensors[number], way);
        if (again)
            make_plainer(again, o, number);
        const lb_case *made = lb_case_read_again(c, s->arena);
        outcome tried = made ? call(s, made) : IMPOSSIBLE;
        if (tried == FAILS) {
            *end = FAILS;
            s->best = made;
        }
        if (s->needs->calls >= s->needs->most_calls)
            return false;
    }
    return true;
}

static void plain_tensor(search *s, int role, unsigned number)
{
    bool values_needed = false;
    for (size_t i = 0; i < sizeof tensor_ways / sizeof *tensor_ways; i++) {
        const tensor_way *way = &tensor_ways[i];
        /* finer ways, where values other than 0 are needed */
        const bool is_zero = way->plainer == zero_of, of_values = way->plainer && !is_zero;
        lb_case *c = copy_of(s);
        lb_case_operand *o = &c->operand[role];
        if ((of_values && !values_needed) || o->tensors[number].rank == 0 ||
            !make_plainer(way, o, number))
            continue;
        const lb_case *made = lb_case_read_again(c, s->arena);
        const char *of =
            o->is_list ? lb_arena_printf(s->arena, "%s[%u]", lb_role_name((lb_role)role), number)
                       : lb_role_name((lb_role)role);
        outcome end = made ? call(s, made) : IMPOSSIBLE;
        values_needed = values_needed || (is_zero && end == PASSES);
        if (is_zero && end == PASSES)
            continue; /* the finer ways say more: that numbers count is no news */
        if (end == PASSES &&
            !passes_with_others(s, made, of_values || !o->is_output ? role : LB_ROLE_IN,
                                of_values || !o->is_output ? number : 0, of_values ? way : NULL,
                                &end))
            return;
        note(s, end, end == FAILS ? s->best : made,
             lb_arena_printf(s->arena, "%s %s", way->words, of), of_values);
    }
}

static void plain_config(search *s)
{
    for (size_t way = 0; way < sizeof config_ways / sizeof *config_ways; way++) {
        lb_case *c = copy_of(s);
        if (!set_field(c, config_ways[way].field, config_ways[way].plain))
            continue;
        const lb_case *made = lb_case_read_again(c, s->arena);
        outcome end = made ? call(s, made) : IMPOSSIBLE;
        if (end == PASSES && !passes_with_others(s, made, LB_ROLE_IN, 0, NULL, &end))
            return;
        note(s, end, end == FAILS ? s->best : made, config_ways[way].words, false);
    }
}

bool lb_needs_find(lb_needs *needs, lb_evidence *e, const lb_tried *tried, lb_arena *arena)
{
    const lb_case *from = lb_evidence_case(e, tried);
    search s = {.needs = needs, .e = e, .profile = e->profiles[tried->profile], .arena = arena};
    if (!from || !tried->single || !tried->left || from->chain.steps > 0)
        return false;
    s.best = from;
    const lb_case *again = lb_case_read_again(copy_of(&s), arena);
    if (!again || call(&s, again) != FAILS)
        return false;
    s.best = again;
    plain_config(&s);
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        for (unsigned i = 0; from->operand[role].present && i < from->operand[role].count; i++)
            if (!from->null_role[role])
                plain_tensor(&s, role, i);
    return true;
}
