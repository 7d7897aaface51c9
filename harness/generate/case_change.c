/* Changes of leaves made in cases: see case_change.h. */
#include "harness/generate/case_change.h"
#include "harness/call/model.h"
#include "reference/describe/signature.h"

#include <string.h>

/* ---- Tensors ---- */

static lb_case_tensor *tensor_of(const lb_case *c, lb_leaf leaf)
{
    const lb_case_operand *operand = &c->operand[leaf.role];
    return operand->present && (unsigned)leaf.at < operand->count ? &operand->tensors[leaf.at]
                                                                  : NULL;
}

enum { MOST_ELEMENTS = 1 << 14 }; /* a large tensor is a slow one */

/* Elements and entries for the shape that there is now; false where these are too many: a shape
   that a call refuses may be of any size. */
static bool refill(lb_build *b, lb_case_tensor *t)
{
    const size_t count = t->has_buffer_elements ? t->data.count : lb_build_count(t);
    if (count == 0)
        t->has_data = false;
    if (t->has_data && count > MOST_ELEMENTS)
        return false;
    if (t->has_data)
        lb_build_some_data(b, t, count);
    if (t->axis >= 0 && t->scale)
        lb_build_spread(b, t, t->axis < (int)t->rank ? t->axis : -1);
    return true;
}

static bool set_extent(lb_build *b, lb_case_tensor *t, unsigned dim, int64_t value)
{
    if (dim >= t->rank || value > MOST_ELEMENTS || t->has_data_in || t->has_buffer_elements)
        return false;
    const uint32_t before = t->shape[dim];
    t->shape[dim] = (uint32_t)value;
    if (lb_build_count(t) > MOST_ELEMENTS) {
        t->shape[dim] = before;
        return false;
    }
    lb_build_dense_strides(t);
    return refill(b, t);
}

static bool set_stride(lb_case_tensor *t, lb_leaf leaf, int64_t value)
{
    enum { MOST_STRIDE = 1 << 12 };
    bool is_innermost = leaf.by == LB_BY_INNERMOST;
    int d = is_innermost ? (int)t->rank - 1 : leaf.dim;
    if (d < 0 || d >= (int)t->rank || value > MOST_STRIDE)
        return false;
    if (!t->has_mem_stride)
        lb_build_dense_strides(t);
    t->has_mem_stride = true;
    t->mem_stride[d] = (int32_t)value;
    for (int outer = d; is_innermost && value > 0 && outer-- > 0;)
        t->mem_stride[outer] *= (int32_t)value; /* the others make room */
    return true;
}

/* Of a rank that is one less or more the shape is as it must be; others are numbers alone. */
static bool set_rank(lb_build *b, lb_case_tensor *t, int64_t value)
{
    bool is_near = value == (int64_t)t->rank + 1 || value + 1 == (int64_t)t->rank;
    if (!is_near || value == 0 || value > LB_MAX_RANK || t->axis >= 0 || t->has_data_in) {
        t->has_rank = true;
        t->rank_override = (uint32_t)value;
        return true;
    }
    if (value > (int64_t)t->rank) {
        memmove(t->shape + 1, t->shape, t->rank * sizeof *t->shape);
        t->shape[0] = 1;
    } else {
        memmove(t->shape, t->shape + 1, (t->rank - 1) * sizeof *t->shape);
    }
    t->rank = (unsigned)value;
    t->has_mem_stride = false;
    return refill(b, t);
}

/* A tensor that is of this type, and holds it. */
static bool set_type(lb_build *b, lb_case_tensor *t, uint32_t type)
{
    if (!lb_el_type_name(type) || (type != LB_FP32 && lb_container_bits(type) == 0) ||
        t->has_data_in) {
        t->has_el_type = true;
        t->el_type = type;
        return true;
    }
    lb_build_type(b, t, type);
    return refill(b, t);
}

static bool set_axis(lb_build *b, lb_case_tensor *t, int64_t value)
{
    if (!t->scale || value < -1 || value >= (int64_t)t->rank || t->has_quant_in)
        return false;
    lb_build_spread(b, t, (int)value);
    return true;
}

static bool set_entry(lb_case_tensor *t, lb_leaf leaf, int64_t value)
{
    if (!t->scale || (size_t)leaf.dim >= t->quant_count)
        return false;
    if (leaf.kind == LB_LEAF_SCALE)
        t->scale[leaf.dim] = (int16_t)value;
    else if (leaf.kind == LB_LEAF_ZERO_POINT)
        t->zero_point[leaf.dim] = (int16_t)value;
    else
        t->scale_frac_bits[leaf.dim] = (int8_t)value;
    return true;
}

static bool lie_on(lb_build *b, lb_case_tensor *t, lb_leaf leaf)
{
    lb_case_operand *other = &b->c->operand[leaf.dim];
    if (!other->present || other->tensors[0].rank == 0 || t->rank == 0 || t->has_buffer_elements)
        return false;
    t->has_data_in = true;
    t->has_data = false;
    t->data_in = (lb_tensor_ref){.role = (lb_role)leaf.dim};
    return true;
}

static bool change_tensor(lb_build *b, lb_case_tensor *t, const lb_change *change)
{
    lb_leaf leaf = change->leaf;
    switch ((lb_leaf_kind)leaf.kind) {
    case LB_LEAF_EXTENT:
        return set_extent(b, t, (unsigned)leaf.dim, change->value);
    case LB_LEAF_STRIDE:
        return set_stride(t, leaf, change->value);
    case LB_LEAF_RANK:
        return set_rank(b, t, change->value);
    case LB_LEAF_TYPE:
        return set_type(b, t, (uint32_t)change->value);
    case LB_LEAF_FRAC_BITS:
        t->frac_bits = (int8_t)change->value;
        return !t->scale;
    case LB_LEAF_AXIS:
        return set_axis(b, t, change->value);
    case LB_LEAF_SCALE:
    case LB_LEAF_ZERO_POINT:
    case LB_LEAF_SCALE_FRAC_BITS:
        return set_entry(t, leaf, change->value);
    case LB_LEAF_DATA_GIVEN:
        t->null_data = change->value == 0;
        t->has_data_in = t->has_data_in && !t->null_data;
        return t->rank > 0;
    case LB_LEAF_CAPACITY:
        t->has_capacity = true;
        t->capacity_bytes = (uint32_t)change->value;
        return t->rank > 0;
    case LB_LEAF_LIST_CAPACITY:
        if (!t->scale)
            return false;
        t->has_quant_capacity[leaf.dim] = true;
        t->quant_capacity[leaf.dim] = (uint32_t)change->value;
        return true;
    case LB_LEAF_LIES_ON:
        return lie_on(b, t, leaf);
    default:
        return false;
    }
}

/* ---- Everything ---- */

static bool set_field(lb_config *config, lb_leaf leaf, int64_t value)
{
    static const int64_t MOST_SCRATCH_BYTES = 1 << 20; /* memory that is made */
    if (leaf.at == offsetof(lb_config, scratch_bytes) && value > MOST_SCRATCH_BYTES)
        return false;
    lb_config_set(config, &(lb_config_field){.offset = (uint16_t)leaf.at, .type = leaf.type},
                  (unsigned)leaf.dim, value);
    return true;
}

bool lb_case_change(lb_build *b, const lb_change *change)
{
    lb_leaf leaf = change->leaf;
    if (leaf.kind == LB_LEAF_CONFIG)
        return set_field(&b->c->config, leaf, change->value);
    if (leaf.kind == LB_LEAF_CONFIG_GIVEN) {
        b->c->null_config = change->value == 0;
        return lb_config_is_struct(b->c->kernel->config_kind);
    }
    if (leaf.kind == LB_LEAF_GIVEN) {
        b->c->null_role[leaf.role] = change->value == 0;
        return b->c->operand[leaf.role].present;
    }
    lb_case_tensor *t = lb_leaf_is_of_tensor(leaf) ? tensor_of(b->c, leaf) : NULL;
    return t && change_tensor(b, t, change);
}

int64_t lb_case_value(const lb_case *c, lb_leaf leaf, lb_arena *arena)
{
    const lb_call *call = &lb_instance_of(c, arena)->call;
    return lb_leaf_is_of_tensor(leaf) && !call->tensor[leaf.role] ? 0
                                                                  : lb_leaf_value(NULL, call, leaf);
}

/* ---- What checks ask for besides ---- */

/* A case on its way, and the leaves that were changed: they stay. wanted: the check that is to be
 * the first that is violated; NULL: none is to be. */
typedef struct fitting {
    lb_build build;
    lb_leaf stays[LB_MOST_FITTED];
    unsigned count;
    const lb_rule *wanted;
} fitting;

static bool stays(const fitting *f, lb_leaf leaf)
{
    for (unsigned i = 0; i < f->count; i++)
        if (lb_leaf_is(f->stays[i], leaf))
            return true;
    return false;
}

static const lb_context fitted_profile = {.profile = &lb_profiles[0]};

const lb_rule *lb_case_violates(const lb_case *c, lb_arena *arena, lb_instance **instance)
{
    *instance = lb_instance_of(c, arena);
    return lb_check_call(&fitted_profile, &(*instance)->call);
}

static bool change_in(fitting *f, const lb_change *change)
{
    if (f->count == LB_MOST_FITTED)
        return false;
    f->stays[f->count++] = change->leaf;
    return lb_case_change(&f->build, change);
}

/* How far a case has come that is to satisfy the rule: 0 it does not, or the wanted check holds; 1
 * it does, and an earlier check does not hold any more; then by the first that does not. */
static size_t progress(const fitting *f, const lb_rule *rule)
{
    lb_instance *instance;
    const lb_rule *violated = lb_case_violates(f->build.c, f->build.arena, &instance);
    const lb_call *call = &instance->call;
    if (violated == f->wanted)
        return SIZE_MAX;
    if (f->wanted && (!violated || violated > f->wanted || violated <= rule ||
                      f->wanted->check(&fitted_profile, call, f->wanted) == LB_OK))
        return 0;
    if (violated > rule)
        return 1 + (size_t)(violated - rule);
    return !f->wanted && violated < rule && rule->check(&fitted_profile, call, rule) == LB_OK;
}

/* One change more, after which this check holds: the one after which most checks do. Checks in C
 * are not solved, but for what leaves of the kind that was changed first make of them. */
static bool satisfy(fitting *f, const lb_rule *rule, const lb_call *call)
{
    lb_arena *arena = f->build.arena;
    lb_change *changes = lb_arena_array(arena, LB_MOST_CHANGES, sizeof *changes);
    const unsigned count = rule->all || f->wanted ? lb_check_changes(call, rule, changes) : 0;
    size_t furthest = 0;
    fitting best = *f;
    for (unsigned i = 0; i < count && furthest < SIZE_MAX; i++) {
        fitting next = *f;
        if (stays(f, changes[i].leaf) || (!rule->all && changes[i].leaf.kind != f->stays[0].kind))
            continue;
        const lb_arena_mark mark = lb_arena_mark_of(arena);
        next.build.c = lb_case_copy(arena, f->build.c);
        const size_t far = change_in(&next, &changes[i]) ? progress(&next, rule) : 0;
        if (far > furthest) {
            furthest = far;
            best = next;
        } else {
            lb_arena_rewind(arena, mark);
        }
    }
    *f = best;
    return furthest > 0;
}

unsigned lb_case_fit(lb_build *b, const lb_change *changes, unsigned count, const lb_rule *wanted,
                     const lb_rule **ends_at)
{
    fitting f = {.build = *b, .wanted = wanted};
    lb_instance *instance;
    *ends_at = NULL;
    bool good = true;
    for (unsigned i = 0; i < count && good; i++)
        good = change_in(&f, &changes[i]);
    while (good) {
        const lb_rule *violated = lb_case_violates(f.build.c, f.build.arena, &instance);
        *ends_at = violated;
        if (violated == wanted)
            break;
        good = violated && (!wanted || violated < wanted) && satisfy(&f, violated, &instance->call);
    }
    *b = f.build;
    return good ? f.count : 0;
}

/* ---- Broken ---- */

static const lb_rule *any_rule(lb_build *b)
{
    const lb_rule *rules = b->c->kernel->rules;
    int count = 0;
    while (rules && rules[count].check)
        count++;
    int at = count > 0 ? lb_build_pick(b, 0, count - 1) : 0;
    for (int i = 0; i < count; i++)
        if (!lb_rule_is_undefined(&rules[(at + i) % count]))
            return &rules[(at + i) % count];
    return NULL;
}

void lb_case_break(lb_build *b)
{
    enum { TRIES = 12 };
    lb_instance *instance;
    lb_change changes[LB_MOST_CHANGES];
    const lb_rule *rule = any_rule(b);
    unsigned count =
        rule ? lb_check_changes(&lb_instance_of(b->c, b->arena)->call, rule, changes) : 0;
    const lb_case *broken = NULL; /* an earlier check speaks first */
    const lb_rule *violated = NULL;
    for (unsigned i = 0; i < TRIES && count > 0 && violated != rule; i++) {
        lb_build tried = *b;
        tried.c = lb_case_copy(b->arena, b->c);
        bool made = lb_case_change(&tried, &changes[lb_build_pick(&tried, 0, (int64_t)count - 1)]);
        b->random = tried.random;
        violated = made ? lb_case_violates(tried.c, b->arena, &instance) : NULL;
        if (violated == rule || (violated && violated < rule && !broken))
            broken = tried.c;
    }
    if (broken)
        *b->c = *broken;
}

/* ---- Results ---- */

bool lb_case_same_outputs(const lb_case *a, const lb_case *b, const lb_profile *profile)
{
    lb_arena arena = {0};
    const lb_context context = {.profile = profile};
    lb_instance *one = lb_instance_of(a, &arena), *two = lb_instance_of(b, &arena);
    const lb_ran a_ran = lb_model_call(&context, one), b_ran = lb_model_call(&context, two);
    const bool computed = a_ran.computed && a_ran.undefined == LB_SAID && b_ran.computed &&
                          b_ran.undefined == LB_SAID;
    bool same = true; /* of what is refused nothing can be said */
    for (lb_case_place p = LB_CASE_START; computed && lb_case_next(a, &p);) {
        const lb_elements x = lb_instance_elements(one, (lb_role)p.role, p.at);
        const lb_elements y = lb_instance_elements(two, (lb_role)p.role, p.at);
        if (a->operand[p.role].is_output && x.span_bytes == y.span_bytes)
            same = same && memcmp(x.base, y.base, x.span_bytes) == 0;
    }
    lb_arena_free(&arena);
    return same;
}

/* ---- In words ---- */

const char *lb_case_change_text(const lb_change *change, int64_t before, const lb_kernel *kernel,
                                lb_arena *arena)
{
    const lb_leaf leaf = change->leaf;
    char label[LB_LEAF_LABEL_BYTES];
    lb_leaf_label(kernel, leaf, label);
    switch ((lb_leaf_kind)leaf.kind) {
    case LB_LEAF_CONFIG_GIVEN:
        return "cfg is NULL";
    case LB_LEAF_GIVEN:
        return lb_arena_printf(arena, "%s is NULL", lb_role_name((lb_role)leaf.role));
    case LB_LEAF_DATA_GIVEN:
        return lb_arena_printf(arena, "%s.data is NULL", lb_role_name((lb_role)leaf.role));
    case LB_LEAF_LIES_ON:
        return lb_arena_printf(arena, "%s lies on %s", lb_role_name((lb_role)leaf.role),
                               lb_role_name((lb_role)leaf.dim));
    case LB_LEAF_TYPE:
        if (lb_el_type_name((uint32_t)change->value))
            return lb_arena_printf(arena, "%s is %s", label,
                                   lb_el_type_name((uint32_t)change->value));
        return lb_arena_printf(arena, "%s is %lld", label, (long long)change->value);
    default:
        return lb_arena_printf(arena, "%s is %lld, not %lld", label, (long long)change->value,
                               (long long)before);
    }
}
