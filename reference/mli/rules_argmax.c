/* What argmax checks, in its order. Spec: elementwise.md 2 and its QUIRKS: out's rank is never
 * looked at, its shape[0] and shape[1] are, whatever the rank. The last rows refuse what the spec
 * leaves undefined. */
#include "describe/rules.h"
#include "models.h"

enum { IN = LB_ROLE_IN, OUT = LB_ROLE_OUT };

/* Slices and their size: argmax groups by the index along the axis. The axis is below the rank, or
 * negative; rules that are looked at in another order may meet any (0: no slices). */
static uint64_t slice_count(const lb_call *call, const lb_tensor *in)
{
    int32_t axis = call->config.axis;
    return axis < 0 ? 1 : axis < LB_MAX_RANK ? in->shape[axis] : 0;
}

static uint64_t slice_size(const lb_call *call, const lb_tensor *in)
{
    uint64_t slices = slice_count(call, in);
    return slices == 0 ? 0 : lb_element_count(in) / slices; /* 0: refused by a rule before */
}

/* a: role. topk, a negative one too, is at most the size of a slice. */
static lb_status check_topk(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    LB_FETCH(in, rule->a);
    int32_t topk = call->config.topk;
    return topk < 0 || (uint64_t)topk <= slice_size(call, in) ? LB_OK : LB_BAD_FUNC_CFG;
}

/* a: in, b: out. out.shape = [slices, topk]. */
static lb_status check_out_shape(const lb_context *context, const lb_call *call,
                                 const lb_rule *rule)
{
    LB_FETCH(in, rule->a);
    LB_FETCH(out, rule->b);
    bool fits =
        out->shape[0] == slice_count(call, in) && (int64_t)out->shape[1] == call->config.topk;
    return fits ? LB_OK : LB_SHAPE_MISMATCH;
}

/* b: out. A shape beyond the rank says nothing of the buffer: it must hold what the call writes, at
 * least one entry. */
static lb_status check_out_room(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    LB_FETCH(out, rule->b);
    uint64_t entries = (uint64_t)out->shape[0] * out->shape[1];
    bool fits = out->rank != 0 && entries != 0 &&
                entries <= out->data.capacity_bytes / lb_element_bytes(LB_SA32);
    return fits ? LB_OK : LB_NOT_SUPPORTED;
}

/* clang-format off */

/* axis <= rank: QUIRK, the first of two looks at the axis; between them stands in's stride. */
#define AXIS_AT_MOST_RANK \
    LB_ASKS(LB_BAD_FUNC_CFG, LB_THAT(LB_AT_MOST, LB_X(1, LB_FIELD(axis, LB_FIELD_I32)), LB_X(-1, LB_OF_TENSOR(RANK, IN))))

#define COMMON                                                                  \
    {"in.tensor",        LB_IN_C(lb_check_tensor, IN, 0, 0)},                     \
    {"out.tensor",       LB_IN_C(lb_check_tensor, OUT, 0, 0)},                     \
    {"out.type",         LB_TYPE_IS(OUT, LB_SA32)},               \
    {"out.contiguous",   LB_DENSE(OUT)},                     \
    {"cfg.present",      LB_CONFIG_PRESENT},                     \
    {"cfg.axis_at_most_rank", AXIS_AT_MOST_RANK},                    \
    {"in.inner_stride",  LB_INNER_STRIDE_1(IN)},                     \
    {"cfg.axis",         LB_AXIS_BELOW_RANK(IN)},                     \
    {"cfg.topk",         LB_IN_C(check_topk, IN, 0, 0)},                     \
    {"out.shape",        LB_IN_C(check_out_shape, IN, OUT, 0)},                   \
    {"in.type",          LB_TYPE_OF_VARIANT(IN)}

#define GUARDS                                                                  \
    {"in.rank",  LB_RANK_NOT_0(IN)},                                 \
    {"out.room", LB_IN_C(check_out_room, IN, OUT, LB_UNDEFINED)},                               \
    LB_PARAMETERS, LB_PLACE(0)

const lb_rule lb_rules_argmax_fx[] = {COMMON, GUARDS, LB_RULES_END};

const lb_rule lb_rules_argmax_sa8[] = {
    COMMON,
    {"in.per_tensor", LB_PER_TENSOR(IN)},
    GUARDS,
    LB_RULES_END,
};

/* clang-format on */
