/* What a finding is: see identity.h. */
#include "harness/diagnose/identity.h"

#include <string.h>

bool lb_identity_equal(const lb_identity *a, const lb_identity *b)
{
    if (a->what != b->what || a->what == LB_FOUND_ALONE)
        return false;
    if (a->what == LB_FOUND_FAULT)
        return lb_fault_key_equal(&a->fault, &b->fault);
    bool same_field =
        a->field == b->field || (a->field && b->field && strcmp(a->field, b->field) == 0);
    return same_field && memcmp(a->number, b->number, sizeof a->number) == 0;
}

bool lb_identity_is_one_cause(const lb_identity *a, const lb_identity *b)
{
    return lb_identity_equal(a, b) || (a->what == LB_FOUND_FAULT && b->what == LB_FOUND_FAULT &&
                                       lb_fault_keys_share_operation(&a->fault, &b->fault));
}
