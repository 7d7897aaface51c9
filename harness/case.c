/* Small questions that many ask of a case. */
#include "case.h"

#include <string.h>

bool lb_case_has_tag(const lb_case *c, const char *tag)
{
    for (size_t i = 0; i < c->tag_count; i++)
        if (strcmp(c->tags[i], tag) == 0)
            return true;
    return false;
}

const lb_expect *lb_case_expect(const lb_case *c, const lb_profile *profile)
{
    int numerics = lb_profile_numerics(profile);
    for (size_t i = 0; i < c->expect_count; i++)
        if (numerics >= 0 && c->expect[i].profile_mask & 1u << numerics)
            return &c->expect[i];
    return NULL;
}
