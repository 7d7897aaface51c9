/* Faults that no call can show: see equivalent.h. */
#include "harness/coverage/equivalent.h"
#include "harness/coverage/coverpoints.h"

#include <string.h>

/* Why no call breaks the rule first: none of its statuses is reachable. NULL: some call does. */
static const char *rule_proof(const lb_rule *rule, const lb_kernel *kernel,
                              const lb_profile *profile)
{
    static lb_cover_group groups[LB_MAX_COVER_GROUPS];
    size_t count = lb_cover_groups(kernel, groups);
    const char *why = NULL;
    for (size_t g = 0; g < count; g++) {
        if (strcmp(groups[g].class_name, "status") != 0 ||
            strcmp(groups[g].instance, rule->name) != 0)
            continue;
        for (unsigned point = 0; point < lb_cover_points(&groups[g]); point++) {
            why = lb_cover_unreachable(kernel, &groups[g], point, lb_profile_numerics(profile));
            if (!why)
                return NULL;
        }
    }
    return why;
}

const char *lb_equivalent(const lb_fault_list *list, const lb_fault *fault, const lb_kernel *kernel,
                          const lb_profile *profile, lb_arena *arena)
{
    const char *proof = lb_fault_proof(list, fault, kernel, profile, arena);
    bool speaks_first = fault->rule && fault->kind->position != LB_POSITION_EARLIER;
    return proof || !speaks_first ? proof : rule_proof(fault->rule, kernel, profile);
}
