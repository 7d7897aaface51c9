/* Exact models of the functions that tell the size of a table and fill one. Spec: recurrent.md 3,
 * elementwise.md 6. */
#include "core/lut.h"
#include "core/num.h"
#include "describe/rules.h"
#include "models.h"

#include <string.h>

lb_lut_kind lb_lut_of(const lb_kernel *kernel)
{
    static const char prefix[] = "mli_krn_";
    const char *name = kernel->name + sizeof prefix - 1;
    int kind = 0;
    while (kind < LB_LUT_COUNT - 1 &&
           strncmp(name, lb_luts[kind].name, strlen(lb_luts[kind].name)) != 0)
        kind++;
    return (lb_lut_kind)kind;
}

void lb_exact_lut_size(const lb_context *context, lb_call *call)
{
    (void)context;
    call->return_value = lb_lut_size_bytes(lb_lut_of(call->kernel));
}

/* Undefined: a table without memory, though the capacity says so much. */
static lb_status check_memory(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    const lb_tensor *out = lb_role_tensor(call, rule->a);
    (void)context;
    return out && out->rank > 0 && out->data.mem.ptr ? LB_OK : LB_BAD_FUNC_CFG;
}

/* Undefined: entries are int16; what elements of another size get depends on the order of bytes. */
static lb_status check_elements(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    const lb_tensor *out = lb_role_tensor(call, rule->a);
    (void)context;
    uint32_t type = out && out->set_for ? out->set_for : out ? out->el_type : 0;
    return lb_element_bytes(type) == sizeof(int16_t) ? LB_OK : LB_BAD_FUNC_CFG;
}

/* The capacity is read as a signed number (recurrent.md 3). */
static lb_status check_capacity(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    const lb_tensor *out = lb_role_tensor(call, rule->a);
    (void)context;
    uint32_t capacity_bytes = out ? out->data.capacity_bytes : 0;
    uint32_t needed_bytes = (uint32_t)lb_lut_size_bytes(lb_lut_of(call->kernel));
    return capacity_bytes <= INT32_MAX && capacity_bytes >= needed_bytes ? LB_OK
                                                                         : LB_NOT_ENOUGH_MEM;
}

const lb_rule lb_rules_create_lut[] = {
    LB_GIVEN_ROLE("out", LB_ROLE_OUT),
    {"out.rank", LB_RANK_NOT_0(LB_ROLE_OUT)},
    {"out.capacity", LB_IN_C(check_capacity, LB_ROLE_OUT, 0, 0)},
    {"out.memory", LB_IN_C(check_memory, LB_ROLE_OUT, 0, LB_UNDEFINED)},
    {"out.elements", LB_IN_C(check_elements, LB_ROLE_OUT, 0, LB_UNDEFINED)},
    LB_RULES_END,
};

void lb_refused_create_lut(lb_call *call)
{
    call->config.lut_type = LB_FX16;
}

void lb_exact_create_lut(const lb_context *context, lb_call *call)
{
    lb_lut_kind kind = lb_lut_of(call->kernel);
    lb_steps *s = lb_steps_of(context->steps, LB_ROLE_OUT);
    if (s && s->element < (size_t)lb_luts[kind].length) {
        lb_steps_enter(s, LB_PART_ENTRY_OF_THE_TABLE, "recurrent.md 3, elementwise.md 6");
        lb_num entry = lb_num_geometry(s, LB_GEOMETRY_ENTRY, (int64_t)s->element);
        lb_steps_note(s, call->tensor[LB_ROLE_OUT], s->element,
                      lb_num_lookup(s, kind, entry, LB_SITE_AS_THE_SPEC_HAS_IT));
    }
    lb_config *written = &call->config;
    written->lut_type = LB_FX16;
    written->lut_length = lb_luts[kind].length;
    written->lut_in_frac_bits = lb_luts[kind].in_frac_bits;
    written->lut_out_frac_bits = lb_luts[kind].out_frac_bits;
    written->lut_input_offset = lb_luts[kind].input_offset;
    written->lut_output_offset = lb_luts[kind].output_offset;
    memcpy(call->tensor[LB_ROLE_OUT]->data.mem.ptr, lb_luts[kind].table,
           (size_t)lb_lut_size_bytes(kind));
}
