/* The rows of families.h as a table, and a family by its name. */
#include "families.h"

#include <string.h>

#define FAMILY_ROW(code, name, refusals, reach, formats, written, sums, tables, pattern)           \
    [LB_FAMILY_##code] = {name,                                                                    \
                          refusals,                                                                \
                          LB_REACH_##reach,                                                        \
                          LB_FORMATS_##formats,                                                    \
                          LB_WRITTEN_##written,                                                    \
                          LB_SUMS_##sums,                                                          \
                          LB_TABLES_##tables,                                                      \
                          LB_PATTERN_##pattern},
const lb_family_row lb_families[LB_FAMILY_COUNT_OF_ALL] = {LB_FAMILIES(FAMILY_ROW)
                                                               LB_LITERT_FAMILIES(FAMILY_ROW)};

const char *lb_family_name(lb_family family)
{
    return lb_families[family].name;
}

int lb_family_find(const char *name)
{
    for (int i = 0; i < LB_FAMILY_COUNT_OF_ALL; i++)
        if (strcmp(lb_families[i].name, name) == 0)
            return i;
    return -1;
}
