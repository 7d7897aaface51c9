/* What the extensions for element formats check, in their order: tensors that are there, types,
 * strides, sizes, room. A decision of this project: float4.md gives the sizes (3, 4.2) and no
 * statuses. */
#include "describe/rules.h"
#include "float4_function.h"
#include "models.h"

enum { IN = LB_ROLE_IN, IN1 = LB_ROLE_IN1, IN2 = LB_ROLE_IN2, OUT = LB_ROLE_OUT };

uint32_t lb_asked_type(const lb_kernel *kernel, lb_role role)
{
    const lb_float4_function *f =
        kernel->family == LB_FAMILY_FLOAT4 ? lb_float4_function_of(kernel) : NULL;
    if (!f)
        return lb_variant_type(kernel, role);
    return role == LB_ROLE_IN ? f->in_type : f->out_type;
}

/* a: role. The tensor check without its last row, the room, and not rank 0. */
static lb_status check_present(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    const lb_tensor *t = lb_role_tensor(call, rule->a);
    lb_status status = !t || t->rank == 0 ? LB_BAD_TENSOR : lb_chk(t);
    return status == LB_NOT_ENOUGH_MEM ? LB_OK : status;
}

/* a: role. The buffer holds all elements. */
static lb_status check_room(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    const lb_tensor *t = lb_role_tensor(call, rule->a);
    unsigned bytes = !t ? 0 : lb_storage_bytes(t->el_type);
    if (bytes == 0)
        return LB_BAD_TENSOR; /* no type that has elements: the rules before this one refuse it */
    return lb_element_count(t) <= t->data.capacity_bytes / bytes ? LB_OK : LB_NOT_ENOUGH_MEM;
}

/* Elements that go in (a) and come out (b): as many, two to a byte, or 32 to a scale. */
static lb_status check_sizes(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    LB_FETCH(in, rule->a);
    LB_FETCH(out, rule->b);
    size_t from = lb_element_count(in);
    size_t to = lb_element_count(out);
    bool whole = from % LB_MX_BLOCK == 0;
    switch (lb_float4_function_of(call->kernel)->kind) {
    case LB_FLOAT4_PACK:
        return to == lb_nibble_bytes(from) ? LB_OK : LB_SIZE_MISMATCH;
    case LB_FLOAT4_UNPACK:
        return from == lb_nibble_bytes(to) ? LB_OK : LB_SIZE_MISMATCH;
    case LB_FLOAT4_MX_SCALES:
        return whole && to == from / LB_MX_BLOCK ? LB_OK : LB_SIZE_MISMATCH;
    case LB_FLOAT4_MX_ELEMENTS:
        return whole && to == from ? LB_OK : LB_SIZE_MISMATCH;
    case LB_FLOAT4_CAST:
        break;
    }
    return to == from ? LB_OK : LB_SIZE_MISMATCH;
}

/* a, b: roles. Tensors of other widths must not lie on each other; equal ones may, element on
 * element. */
lb_status lb_check_float4_apart(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    LB_FETCH(in, rule->a);
    LB_FETCH(out, rule->b);
    const lb_float4_function *f = lb_float4_function_of(call->kernel);
    bool same_width = lb_storage_bytes(in->el_type) == lb_storage_bytes(out->el_type);
    if (f && f->kind == LB_FLOAT4_CAST && same_width && in->data.mem.ptr == out->data.mem.ptr)
        return LB_OK;
    return lb_check_apart(context, call, rule);
}

const lb_rule lb_rules_float4[] = {
    {"in.tensor", LB_IN_C(check_present, IN, 0, 0)},
    {"out.tensor", LB_IN_C(check_present, OUT, 0, 0)},
    {"in.type", LB_TYPE_OF_VARIANT(IN)},
    {"out.type", LB_TYPE_OF_VARIANT(OUT)},
    {"in.dense", LB_DENSE(IN)},
    {"out.dense", LB_DENSE(OUT)},
    {"out.size", LB_IN_C(check_sizes, IN, OUT, 0)},
    {"in.room", LB_IN_C(check_room, IN, 0, 0)},
    {"out.room", LB_IN_C(check_room, OUT, 0, 0)},
    {"out.apart", LB_IN_C(lb_check_float4_apart, IN, OUT, 0)},
    LB_RULES_END,
};

/* clang-format off */
/* Elements of in2 in whole blocks, a scale of in1 for each, and as many numbers in out. */
#define BLOCKS \
    LB_ASKS(LB_SIZE_MISMATCH, LB_THAT(LB_WHOLE, LB_X(1, LB_OF_TENSOR(COUNT, IN2)), LB_N(LB_MX_BLOCK)), \
            LB_THAT(LB_EQUAL, LB_X(LB_MX_BLOCK, LB_OF_TENSOR(COUNT, IN1)), LB_X(-1, LB_OF_TENSOR(COUNT, IN2))), \
            LB_THAT(LB_EQUAL, LB_X(1, LB_OF_TENSOR(COUNT, OUT)), LB_X(-1, LB_OF_TENSOR(COUNT, IN2))))
/* clang-format on */

const lb_rule lb_rules_mxfp4_values[] = {
    {"in1.tensor", LB_IN_C(check_present, IN1, 0, 0)},
    {"in2.tensor", LB_IN_C(check_present, IN2, 0, 0)},
    {"out.tensor", LB_IN_C(check_present, OUT, 0, 0)},
    {"in1.type", LB_TYPE_IS(IN1, LB_EL_FLOAT8E8M0)},
    {"in2.type", LB_TYPE_IS(IN2, LB_EL_FLOAT4E2M1)},
    {"out.type", LB_TYPE_IS(OUT, LB_FP32)},
    {"in1.dense", LB_DENSE(IN1)},
    {"in2.dense", LB_DENSE(IN2)},
    {"out.dense", LB_DENSE(OUT)},
    {"out.size", BLOCKS},
    {"in1.room", LB_IN_C(check_room, IN1, 0, 0)},
    {"in2.room", LB_IN_C(check_room, IN2, 0, 0)},
    {"out.room", LB_IN_C(check_room, OUT, 0, 0)},
    {"out.apart_from_in1", LB_IN_C(lb_check_float4_apart, IN1, OUT, 0)},
    {"out.apart_from_in2", LB_IN_C(lb_check_float4_apart, IN2, OUT, 0)},
    LB_RULES_END,
};
