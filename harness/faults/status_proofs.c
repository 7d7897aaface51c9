/* Faults of checks that no call can show: see status_proofs.h. */
#include "harness/faults/status_proofs.h"
#include "reference/describe/rules.h"

/* Statuses as bits. */
static const uint32_t ANY = UINT32_MAX;

static uint32_t bit(int status)
{
    return status >= 0 && status < LB_STATUS_COUNT ? (uint32_t)1 << status : ANY;
}

/* ---- What a check can give ---- */

typedef lb_status (*check_fn)(const lb_context *context, const lb_call *call, const lb_rule *rule);

/* Which numbers of a rule name roles. */
typedef enum role_numbers { NO_ROLES, A, A_B, A_B_C, DIM_A, DIMS_A_B, A_DIM_B } role_numbers;

typedef struct known_check {
    check_fn check;
    int status; /* the one that it gives; OF_C: the rule's c */
    role_numbers roles;
} known_check;

enum { OF_C = -1 };

/* Others may give any. */
static const known_check known_checks[] = {
    {lb_check_config, LB_BAD_FUNC_CFG, NO_ROLES},
    {lb_check_axis, LB_BAD_FUNC_CFG, A},
    {lb_check_type, LB_TYPE_MISMATCH, A},
    {lb_check_variant_type, LB_TYPE_MISMATCH, A},
    {lb_check_same_type, OF_C, A_B},
    {lb_check_rank, LB_SHAPE_MISMATCH, A},
    {lb_check_same_shape, LB_SHAPE_MISMATCH, A_B},
    {lb_check_dim, OF_C, DIM_A},
    {lb_check_dims_equal, LB_SHAPE_MISMATCH, DIMS_A_B},
    {lb_check_count_is_dim, LB_SHAPE_MISMATCH, A_DIM_B},
    {lb_check_kernel_size, OF_C, A},
    {lb_check_inner_stride, LB_INCOMPATIBLE_TENSORS, A},
    {lb_check_contiguous, LB_INCOMPATIBLE_TENSORS, A},
    {lb_check_apart, LB_INCOMPATIBLE_TENSORS, A_B},
    {lb_check_per_tensor, LB_INCOMPATIBLE_TENSORS, A},
    {lb_check_channel_axes, LB_INCOMPATIBLE_TENSORS, A_B},
    {lb_check_bias_scale, LB_INCOMPATIBLE_TENSORS, A_B_C},
    {lb_check_frac_bits, LB_INCOMPATIBLE_TENSORS, A_B_C},
};

/* Have the rules before this one, but for `left_out`, refused a role that is NULL? */
static bool is_present(const lb_kernel *kernel, const lb_rule *until, const lb_rule *left_out,
                       int role)
{
    for (const lb_rule *rule = kernel->rules; rule != until; rule++) {
        bool looks = rule->check == lb_check_tensor || rule->check == lb_check_operand ||
                     rule->check == lb_check_scalar || rule->check == lb_check_given;
        if (rule != left_out && looks && rule->a == role)
            return true;
    }
    return false;
}

/* Of a role that may be NULL there, every check says LB_BAD_TENSOR. */
static uint32_t statuses_of(const lb_kernel *kernel, const lb_rule *rule, const lb_rule *until,
                            const lb_rule *left_out)
{
    for (size_t i = 0; i < sizeof known_checks / sizeof known_checks[0]; i++) {
        const known_check *known = &known_checks[i];
        if (known->check != rule->check)
            continue;
        bool of_dims = known->roles == DIM_A || known->roles == DIMS_A_B;
        bool second = known->roles == A_B || known->roles == A_B_C || known->roles == DIMS_A_B ||
                      known->roles == A_DIM_B;
        int a = of_dims ? rule->a / LB_MAX_RANK : rule->a;
        int b =
            known->roles == DIMS_A_B || known->roles == A_DIM_B ? rule->b / LB_MAX_RANK : rule->b;
        bool present = (known->roles == NO_ROLES || is_present(kernel, until, left_out, a)) &&
                       (!second || is_present(kernel, until, left_out, b)) &&
                       (known->roles != A_B_C || is_present(kernel, until, left_out, rule->c));
        uint32_t own = bit(known->status == OF_C ? rule->c : known->status);
        return present ? own : own | bit(LB_BAD_TENSOR);
    }
    return ANY;
}

static bool is_one(uint32_t statuses)
{
    return statuses != 0 && (statuses & (statuses - 1)) == 0;
}

/* ---- Proofs ---- */

/* Every check behind it gives its own status, if the call is defined at all. */
static bool ends_alike(const lb_rule *rule, const lb_kernel *kernel)
{
    uint32_t own = statuses_of(kernel, rule, rule, NULL), later = 0;
    for (const lb_rule *other = rule + 1; other->check; other++)
        if (!lb_rule_is_undefined(other))
            later |= statuses_of(kernel, other, other, rule);
    return later == 0 || (is_one(own) && later == own);
}

/* Every check before it gives its own status. The one that is broken is `other`. */
static bool begins_alike(const lb_rule *rule, const lb_kernel *kernel)
{
    for (const lb_rule *other = kernel->rules; other != rule; other++) {
        uint32_t own = statuses_of(kernel, rule, other, NULL);
        if (!lb_rule_is_undefined(other) &&
            (!is_one(own) || statuses_of(kernel, other, other, NULL) != own))
            return false;
    }
    return true;
}

const char *lb_status_proof(const lb_fault *fault, const lb_kernel *kernel)
{
    const lb_rule *rule = fault->rule;
    if (fault->kind->position == LB_POSITION_LATER) {
        if (!rule[1].check)
            return "it is the last check of the function: none comes later";
        return ends_alike(rule, kernel)
                   ? "all checks that come later give the same status, or the call is undefined"
                   : NULL;
    }
    if (fault->kind->position != LB_POSITION_EARLIER)
        return NULL;
    if (rule == kernel->rules)
        return "it is the first check of the function: none comes earlier";
    if (lb_rule_is_undefined(rule))
        return "a call that breaks it is undefined";
    return begins_alike(rule, kernel)
               ? "all checks that come earlier give the same status, or the call is undefined"
               : NULL;
}
