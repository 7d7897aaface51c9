/* The decoder: "expect", what a case says must come out. */
#include "harness/base/suggest.h"
#include "harness/suite/decode.h"

#include <stdio.h>
#include <string.h>

enum {
    E_PROFILES,
    E_STATUS,
    E_RETURN,
    E_OUTPUTS,
    E_CHANGED,
    E_CONFIG,
    E_STEPS,
    E_CHECKPOINTS,
    E_AVEPOOL_BITS,
    E_FROM,
    E_KEY_COUNT
};

static const lb_key expect_keys[] = {
    {"profiles", true}, {"status", false},      {"return", false},
    {"outputs", false}, {"changed", false},     {"config", false},
    {"steps", false},   {"checkpoints", false}, {"avepool_multiplier_bits", false},
    {"from", false},    {NULL, false}};

/* ---- Profiles ---- */

static const char *profile_name_at(const void *set, size_t index)
{
    const lb_kernel_set *of = set;
    return index < of->profile_count ? of->profiles[index].name : NULL;
}

/* The one of this name that the set of the function has; NULL (reported): it has none. */
static const lb_profile *find_profile(lb_decoder *d, const cJSON *node, const char *name)
{
    const lb_kernel_set *set = d->c->kernel ? lb_kernel_set_of(d->c->kernel) : &lb_set_mli;
    const lb_profile *profile = lb_profile_named(name);
    char remedy[400];
    if (profile && lb_kernel_sets[profile->set] == set)
        return profile;
    lb_suggest_text(name, profile_name_at, set, remedy, sizeof remedy);
    if (profile)
        lb_complain(d, node, NULL, remedy,
                    "\"%s\" is a profile of %s, and %.80s is a function of %s", name,
                    lb_kernel_sets[profile->set]->name, d->c->function, set->name);
    else
        lb_complain(d, node, NULL, remedy, "unknown profile \"%s\"", name);
    return NULL;
}

/* Of a platform whose average pooling keeps 15 bits of its multiplier: numerics of their own. */
static bool is_avepool16(lb_decoder *d, const cJSON *node)
{
    if (!node || !lb_read_avepool_bits(d, node))
        return false;
    if (d->c->kernel && lb_kernel_has_avepool16(d->c->kernel))
        return true;
    lb_complain_key(d, node, "leave it out",
                    "only average pooling of sa8 depends on it (pooling_and_movement.md 2.6)");
    return false;
}

static void decode_profiles(lb_decoder *d, const cJSON *node, int first, lb_expect *expect,
                            unsigned *taken)
{
    size_t count;
    if (!node || !lb_read_list(d, node, 1, LB_PROFILE_COUNT, "profiles", &count))
        return;
    for (const cJSON *child = node->child; child; child = child->next) {
        const char *name = lb_read_text(d, child);
        if (!name)
            continue;
        const lb_profile *profile = find_profile(d, child, name);
        if (!profile)
            continue;
        const unsigned bit = 1u << (first + lb_profile_number(profile));
        if (*taken & bit) {
            lb_complain(d, child, NULL, "each profile stands once in all of \"expect\"",
                        "the profile \"%s\" stands here a second time", name);
        } else {
            *taken |= bit;
            expect->profile_mask |= bit;
        }
    }
}

/* ---- Changed fields ---- */

enum {
    H_RANK,
    H_SHAPE,
    H_MEM_STRIDE,
    H_TYPE,
    H_FRAC_BITS,
    H_SCALE,
    H_ZERO_POINT,
    H_SCALE_FRAC_BITS,
    H_AXIS,
    H_CAPACITY,
    H_DATA_IN,
    H_QUANT_IN,
    H_KEY_COUNT
};

static const lb_key changed_keys[] = {
    {"rank", false},      {"shape", false},    {"mem_stride", false}, {"type", false},
    {"frac_bits", false}, {"scale", false},    {"zero_point", false}, {"scale_frac_bits", false},
    {"axis", false},      {"capacity", false}, {"data_in", false},    {"quant_in", false},
    {NULL, false}};

/* A number, or the new contents of the output's own array, entry by entry. */
static void decode_changed_param(lb_decoder *d, const cJSON *node, const lb_param *param,
                                 const lb_case_tensor *t, lb_changed_param *changed)
{
    const bool own_lists = t->scale && t->axis >= 0;
    changed->is_list = cJSON_IsArray(node);
    changed->has = lb_read_param(d, node, param, &changed->values);
    const size_t count = changed->values.count;
    if (!changed->has || !changed->is_list || (own_lists && count == t->quant_count))
        return;
    lb_complain(d, node, NULL, "a list is the whole array of the output tensor afterwards",
                "%zu entries, and the output tensor has %s%zu", count,
                own_lists ? "" : "no list: ", own_lists ? t->quant_count : 0);
    changed->has = false;
}

static bool changed_reference(lb_decoder *d, const cJSON *node, const char *start_key,
                              lb_tensor_ref *ref)
{
    if (!lb_read_tensor_ref(d, node, start_key, ref))
        return false;
    if (!lb_referred_tensor(d->c, ref))
        lb_complain(d, node, NULL, "name a tensor of inputs or outputs",
                    "the case has no such tensor");
    return true;
}

static void decode_changed_quantization(lb_decoder *d, const cJSON **slots, const lb_case_tensor *t,
                                        lb_changed *changed)
{
    static const unsigned params[LB_PARAMS] = {H_SCALE, H_ZERO_POINT, H_SCALE_FRAC_BITS};
    int64_t number;
    if (slots[H_FRAC_BITS] &&
        lb_read_integer(d, slots[H_FRAC_BITS], INT8_MIN, INT8_MAX, "frac_bits", &number)) {
        changed->has_frac_bits = true;
        changed->frac_bits = (int32_t)number;
    }
    for (unsigned p = 0; p < LB_PARAMS; p++)
        if (slots[params[p]])
            decode_changed_param(d, slots[params[p]], &lb_params[p], t, &changed->param[p]);
    if (slots[H_AXIS])
        changed->has_axis = lb_read_i32(d, slots[H_AXIS], "axis", &changed->axis);
    if (slots[H_QUANT_IN]) {
        changed->quant_null = cJSON_IsNull(slots[H_QUANT_IN]);
        changed->has_quant_in =
            changed->quant_null ||
            changed_reference(d, slots[H_QUANT_IN], "entry", &changed->quant_in);
    }
}

static void decode_changed(lb_decoder *d, const cJSON *node, const lb_case_tensor *t,
                           lb_changed *changed)
{
    const cJSON *slots[H_KEY_COUNT];
    lb_read_members(d, node, changed_keys, slots);
    if (!cJSON_IsObject(node))
        return;
    if (slots[H_RANK])
        changed->has_rank = lb_read_u32(d, slots[H_RANK], "rank", &changed->rank);
    if (slots[H_SHAPE])
        changed->has_shape =
            lb_read_shape(d, slots[H_SHAPE], changed->shape, &changed->shape_count);
    if (slots[H_MEM_STRIDE])
        changed->has_mem_stride = lb_read_strides(d, slots[H_MEM_STRIDE], changed->mem_stride,
                                                  &changed->mem_stride_count);
    if (slots[H_TYPE])
        changed->has_type = lb_read_type(d, slots[H_TYPE], &changed->type);
    if (slots[H_CAPACITY])
        changed->has_capacity =
            lb_read_u32(d, slots[H_CAPACITY], "bytes", &changed->capacity_bytes);
    if (slots[H_DATA_IN])
        changed->has_data_in = changed_reference(d, slots[H_DATA_IN], "element", &changed->data_in);
    decode_changed_quantization(d, slots, t, changed);
}

/* ---- Outputs ---- */

/* The output role that a member of "outputs" or "changed" names; -1 (reported) if it names none. */
static int output_role(lb_decoder *d, const cJSON *member, const bool *taken)
{
    int role = lb_role_find(member->string);
    const lb_case_operand *operand = role >= 0 ? &d->c->operand[role] : NULL;
    if (!operand || !operand->present || !operand->is_output) {
        lb_complain_key(d, member, "expectations are about tensors under \"outputs\"",
                        "the case has no such output");
        return -1;
    }
    if (taken[role]) {
        lb_complain_key(d, member, "each key stands once in an object",
                        "the key \"%s\" stands here a second time", member->string);
        return -1;
    }
    return role;
}

/* The members of an object that has output roles as keys; `each` gets what stands under one. */
static void for_each_output(lb_decoder *d, const cJSON *node, lb_expect *expect, bool *taken,
                            void (*each)(lb_decoder *, const cJSON *, int, lb_expect *))
{
    if (!cJSON_IsObject(node)) {
        lb_complain(d, node, NULL, "", "expected an object, found %s", lb_describe(node).text);
        return;
    }
    for (const cJSON *member = node->child; member && !lb_problems_full(d->problems);
         member = member->next) {
        int role = output_role(d, member, taken);
        if (role < 0)
            continue;
        taken[role] = true;
        each(d, member, role, expect);
    }
}

static void decode_one_changed(lb_decoder *d, const cJSON *node, int role, lb_expect *expect)
{
    decode_changed(d, node, &d->c->operand[role].tensors[0], &expect->changed[role]);
}

/* Elements of a shape that the call leaves behind. */
static uint64_t changed_count(const lb_changed *changed)
{
    lb_case_tensor t = {.rank = changed->shape_count};
    if (changed->has_rank && changed->rank < t.rank)
        t.rank = changed->rank;
    memcpy(t.shape, changed->shape, sizeof t.shape);
    return lb_data_count(&t);
}

/* Sub-tensors are read through the tensor that the call returns; other outputs as their own shape
 * says, or the new one. */
static bool read_through_result(const lb_case *c)
{
    if (!c->kernel)
        return false;
    return c->kernel->config_kind == LB_CONFIG_SUB_TENSOR ||
           c->kernel->config_kind == LB_CONFIG_POINT_TO_SUBTENSOR;
}

static void decode_one_output(lb_decoder *d, const cJSON *node, int role, lb_expect *expect)
{
    const lb_case_tensor *t = &d->c->operand[role].tensors[0];
    static const lb_changed none;
    const lb_changed *changed = expect->changed ? &expect->changed[role] : &none;
    lb_values *values = &expect->output[role];
    if (!lb_read_data(d, node, changed->has_type ? changed->type : t->type, values))
        return;
    uint64_t given = lb_data_count(t);
    uint64_t after = changed->has_shape ? changed_count(changed) : given;
    bool by_buffer = t->has_buffer_elements;
    bool by_result = !by_buffer && changed->has_shape && read_through_result(d->c);
    bool fits = by_buffer   ? values->count == given
                : by_result ? values->count == after
                            : values->count == given || values->count == after;
    if (!fits)
        lb_complain(d, node, NULL, "", "%zu numbers where %s asks for %llu", values->count,
                    by_buffer   ? "buffer_elements"
                    : by_result ? "the changed shape"
                                : "the shape of the output",
                    (unsigned long long)(by_result ? after : given));
}

void lb_decode_outputs(lb_decoder *d, const cJSON *node, lb_expect *expect)
{
    for_each_output(d, node, expect, expect->has_output, decode_one_output);
}

/* ---- One expectation ---- */

static bool fills_config(const lb_case *c)
{
    return c->kernel && lb_filled_config(c->kernel) != LB_CONFIG_NONE;
}

static void check_result_kind(lb_decoder *d, const cJSON *node, const cJSON **slots)
{
    bool sequence = !d->c->kernel;
    bool returns_status = sequence || d->c->kernel->returns_status;
    const char *function = d->c->function;
    if (!returns_status && slots[E_STATUS])
        lb_complain_key(d, slots[E_STATUS], "say what it returns in \"return\"",
                        "%.80s returns no status", function);
    if (returns_status && slots[E_RETURN])
        lb_complain_key(d, slots[E_RETURN], "say which in \"status\"", "%.80s returns a status",
                        function);
    if (returns_status && !sequence && !slots[E_STATUS])
        lb_complain(d, node, "status", "\"ok\", or the status that the call returns",
                    "the key is missing");
    if (!returns_status && !slots[E_STATUS] && !slots[E_RETURN] && !slots[E_CHANGED] &&
        !slots[E_OUTPUTS])
        lb_complain(d, node, NULL, "give \"return\", \"changed\" or \"outputs\"",
                    "nothing is expected");
    if (slots[E_CONFIG] && !fills_config(d->c))
        lb_complain_key(d, slots[E_CONFIG], "leave it out", "%.80s fills no configuration",
                        function);
    if (slots[E_STEPS] && !sequence)
        lb_complain_key(d, slots[E_STEPS], "leave it out",
                        "only " LB_SEQUENCE_FUNCTION " has \"steps\"");
    if (slots[E_CHECKPOINTS] && d->c->chain.steps == 0)
        lb_complain_key(d, slots[E_CHECKPOINTS], "leave it out",
                        "only a case with \"chain\" has \"checkpoints\"");
    if (sequence && !slots[E_STEPS])
        lb_complain(d, node, "steps", "one entry per step of the case", "the key is missing");
    if (sequence && slots[E_OUTPUTS])
        lb_complain_key(d, slots[E_OUTPUTS], "put \"out\" into the steps",
                        "a sequence says step by step what comes out");
}

static void decode_return(lb_decoder *d, const cJSON *node, lb_expect *expect)
{
    expect->has_return = true;
    if (cJSON_IsBool(node))
        expect->return_value = cJSON_IsTrue(node);
    else
        lb_read_integer(d, node, -LB_MAX_EXACT_INTEGER, LB_MAX_EXACT_INTEGER, "return values",
                        &expect->return_value);
}

/* A text of a source, kept with the case. */
static const char *source_text(lb_decoder *d, const cJSON *node)
{
    enum { MOST = 400 };
    return node ? lb_read_name(d, node, MOST) : NULL;
}

static void decode_source(lb_decoder *d, const cJSON *node, lb_source *from)
{
    static const lb_key source_keys[] = {
        {"port", true}, {"described", false}, {"sha256", false}, {NULL, false}};
    const cJSON *slots[3];
    lb_read_members(d, node, source_keys, slots);
    if (!cJSON_IsObject(node))
        return;
    from->port = source_text(d, slots[0]);
    from->described = source_text(d, slots[1]);
    from->sha256 = source_text(d, slots[2]);
}

static void decode_expectation(lb_decoder *d, const cJSON *node, lb_expect *expect, unsigned *taken)
{
    const cJSON *slots[E_KEY_COUNT];
    lb_read_members(d, node, expect_keys, slots);
    if (!cJSON_IsObject(node))
        return;
    decode_profiles(d, slots[E_PROFILES],
                    is_avepool16(d, slots[E_AVEPOOL_BITS]) ? LB_PROFILE_COUNT : 0, expect, taken);
    check_result_kind(d, node, slots);
    if (slots[E_FROM])
        decode_source(d, slots[E_FROM], &expect->from);
    if (slots[E_STATUS])
        expect->has_status = lb_read_status(d, slots[E_STATUS], &expect->status);
    if (slots[E_RETURN])
        decode_return(d, slots[E_RETURN], expect);
    if (slots[E_CHANGED]) {
        expect->changed = lb_arena_array(d->arena, LB_ROLE_COUNT, sizeof *expect->changed);
        for_each_output(d, slots[E_CHANGED], expect, expect->has_changed, decode_one_changed);
    }
    if (slots[E_OUTPUTS])
        lb_decode_outputs(d, slots[E_OUTPUTS], expect);
    if (slots[E_CONFIG] && fills_config(d->c)) {
        expect->config = lb_arena_alloc(d->arena, sizeof *expect->config);
        lb_decode_config(d, slots[E_CONFIG], lb_filled_config(d->c->kernel), true, expect->config);
    }
    if (slots[E_STEPS] && !d->c->kernel)
        lb_decode_step_expectations(d, slots[E_STEPS], expect);
    if (slots[E_CHECKPOINTS] && d->c->chain.steps > 0)
        lb_decode_checkpoints(d, slots[E_CHECKPOINTS], expect);
}

void lb_decode_expectations(lb_decoder *d, const cJSON *node)
{
    size_t count;
    unsigned taken = 0;
    if (!lb_read_list(d, node, 1, LB_NUMERICS_COUNT,
                      "expectations (leave the key out to trust the exact model)", &count))
        return;
    d->c->expect = lb_arena_array(d->arena, count, sizeof *d->c->expect);
    d->c->expect_count = count;
    const cJSON *child = node->child;
    for (size_t i = 0; i < count; i++, child = child->next)
        decode_expectation(d, child, &d->c->expect[i], &taken);
}
