/* "expect" of a case as JSON: see case_write.h. Keys and their order: vectors/FORMAT.md. */
#include "harness/suite/case_text.h"

/* The numerics with avepool16. */
enum { AVEPOOL16 = (1 << LB_NUMERICS_COUNT) - (1 << LB_PROFILE_COUNT) };

static void put_profiles(text *t, unsigned mask)
{
    open_with(t, "profiles", '[');
    for (int p = 0; p < LB_PROFILE_COUNT; p++)
        if (((mask & AVEPOOL16) >> LB_PROFILE_COUNT | mask) & 1u << p) {
            put(t, t->fresh ? "" : ",");
            put_string(t, lb_profiles[p].name);
            t->fresh = false;
        }
    for (unsigned s = LB_SET_MLI + 1; s < LB_SET_COUNT; s++)
        for (unsigned p = 0; p < lb_kernel_sets[s]->profile_count; p++)
            if (mask >> lb_profile_number(&lb_kernel_sets[s]->profiles[p]) & 1) {
                put(t, t->fresh ? "" : ",");
                put_string(t, lb_kernel_sets[s]->profiles[p].name);
                t->fresh = false;
            }
    close_with(t, ']');
}

/* Where the result comes from; nothing where nobody has said. */
static void put_from(text *t, const lb_source *from)
{
    if (!from->port)
        return;
    open_with(t, "from", '{');
    put_text(t, "port", from->port);
    if (from->described)
        put_text(t, "described", from->described);
    if (from->sha256)
        put_text(t, "sha256", from->sha256);
    close_with(t, '}');
}

static void put_one_changed(text *t, const lb_case *c, const lb_changed *changed)
{
    if (changed->has_rank)
        put_number(t, "rank", changed->rank);
    if (changed->has_shape)
        PUT_LIST(t, "shape", changed->shape, changed->shape_count);
    if (changed->has_mem_stride)
        PUT_LIST(t, "mem_stride", changed->mem_stride, changed->mem_stride_count);
    if (changed->has_type)
        put_text(t, "type", lb_el_type_name((uint32_t)changed->type));
    if (changed->has_frac_bits)
        put_number(t, "frac_bits", changed->frac_bits);
    for (unsigned p = 0; p < LB_PARAMS; p++)
        if (changed->param[p].has && changed->param[p].is_list)
            put_values(t, lb_params[p].name, &changed->param[p].values, LB_SA32);
        else if (changed->param[p].has)
            put_number(t, lb_params[p].name, changed->param[p].values.items[0]);
    if (changed->has_axis)
        put_number(t, "axis", changed->axis);
    if (changed->has_capacity)
        put_number(t, "capacity", changed->capacity_bytes);
    if (changed->has_data_in)
        put_ref(t, c, "data_in", &changed->data_in, "element");
    if (changed->has_quant_in && !changed->quant_null)
        put_ref(t, c, "quant_in", &changed->quant_in, "entry");
    if (changed->quant_null) {
        put_key(t, "quant_in");
        put(t, "null");
    }
}

static void put_changed(text *t, const lb_case *c, const lb_expect *e)
{
    bool any = false;
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        any = any || e->has_changed[role];
    if (!any)
        return;
    open_with(t, "changed", '{');
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        if (e->has_changed[role]) {
            open_with(t, lb_role_name((lb_role)role), '{');
            put_one_changed(t, c, &e->changed[role]);
            close_with(t, '}');
        }
    close_with(t, '}');
}

static void put_outputs(text *t, const lb_case *c, const bool *has, const lb_values *output,
                        const lb_changed *changed)
{
    bool any = false;
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        any = any || has[role];
    if (!any)
        return;
    open_with(t, "outputs", '{');
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        if (has[role])
            put_values(t, lb_role_name((lb_role)role), &output[role],
                       changed && changed[role].has_type ? changed[role].type
                                                         : c->operand[role].tensors[0].type);
    close_with(t, '}');
}

static void put_checkpoints(text *t, const lb_case *c, const lb_expect *e)
{
    if (e->checkpoint_count == 0)
        return;
    open_with(t, "checkpoints", '[');
    for (size_t i = 0; i < e->checkpoint_count; i++) {
        put(t, i ? "," : "");
        open_with(t, NULL, '{');
        put_number(t, "step", e->checkpoints[i].step);
        put_outputs(t, c, e->checkpoints[i].has_output, e->checkpoints[i].output, NULL);
        close_with(t, '}');
    }
    close_with(t, ']');
}

static void put_expectation(text *t, const lb_case *c, const lb_expect *e)
{
    open_with(t, NULL, '{');
    put_profiles(t, e->profile_mask);
    if (e->profile_mask & AVEPOOL16)
        put_number(t, "avepool_multiplier_bits", 16);
    put_from(t, &e->from);
    if (e->has_status)
        put_text(t, "status", lb_status_name((int)e->status));
    if (e->has_return)
        put_number(t, "return", e->return_value);
    put_outputs(t, c, e->has_output, e->output, e->changed);
    put_changed(t, c, e);
    if (e->config) {
        open_with(t, "config", '{');
        for (const lb_config_field *f = lb_config_fields(lb_filled_config(c->kernel)); f->name; f++)
            put_field(t, e->config, f);
        close_with(t, '}');
    }
    put_checkpoints(t, c, e);
    close_with(t, '}');
}

void lb_case_put_expect(text *t, const lb_case *c)
{
    if (c->expect_count == 0)
        return;
    open_with(t, "expect", '[');
    for (size_t i = 0; i < c->expect_count; i++) {
        put(t, i ? "," : "");
        put_expectation(t, c, &c->expect[i]);
    }
    close_with(t, ']');
}
