/* Faults of checks that no call can show: see proofs.h. */
#include "harness/faults/proofs.h"
#include "reference/describe/rules.h"

/* Statuses as bits. */
static const uint32_t ANY = UINT32_MAX;

static uint32_t bit(int status)
{
    return status >= 0 && status < LB_STATUS_COUNT ? (uint32_t)1 << status : ANY;
}

/* ---- What a check can give ---- */

typedef lb_status (*check_fn)(const lb_context *context, const lb_call *call, const lb_rule *rule);

/* Checks in C with one status beside that of a role that is NULL; their a, b and, of three, c are
 * roles. Others may give any. */
static const struct {
    check_fn check;
    bool has_three;
} known_checks[] = {
    {lb_check_apart, false}, {lb_check_channel_axes, false}, {lb_check_bias_scale, true}};

/* Does the rule refuse a role that is NULL? */
static bool refuses_null(const lb_rule *rule, int role)
{
    bool looks = rule->check == lb_check_tensor || rule->check == lb_check_operand ||
                 rule->check == lb_check_scalar;
    const lb_leaf given = {.kind = LB_LEAF_GIVEN, .role = (int8_t)role};
    return (looks && rule->a == role) ||
           (rule->all && rule->all->is == LB_UNLIKE && lb_leaf_is(rule->all->term[0].of[0], given));
}

/* Have the rules before this one, but for `left_out`, refused roles that are NULL? */
static bool are_present(const lb_kernel *kernel, const lb_rule *until, const lb_rule *left_out,
                        uint32_t roles)
{
    for (const lb_rule *rule = kernel->rules; rule != until; rule++)
        for (int role = 0; rule != left_out && role < LB_ROLE_COUNT; role++)
            if (refuses_null(rule, role))
                roles &= ~((uint32_t)1 << role);
    return roles == 0;
}

/* Of a role that may be NULL there, every check says LB_BAD_TENSOR. */
static uint32_t statuses_of(const lb_kernel *kernel, const lb_rule *rule, const lb_rule *until,
                            const lb_rule *left_out)
{
    if (rule->all)
        return bit(rule->c) | (are_present(kernel, until, left_out, lb_check_roles(kernel, rule))
                                   ? 0
                                   : bit(LB_BAD_TENSOR));
    for (size_t i = 0; i < sizeof known_checks / sizeof known_checks[0]; i++) {
        const uint32_t one = 1;
        if (known_checks[i].check != rule->check)
            continue;
        uint32_t roles =
            one << rule->a | one << rule->b | (known_checks[i].has_three ? one << rule->c : 0);
        return bit(LB_INCOMPATIBLE_TENSORS) |
               (are_present(kernel, until, left_out, roles) ? 0 : bit(LB_BAD_TENSOR));
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
