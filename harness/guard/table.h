/* Guard bits as a person reads them: a table, the tightest first. */
#ifndef LB_HARNESS_GUARD_TABLE_H
#define LB_HARNESS_GUARD_TABLE_H

#include "harness/guard/bound.h"
#include "harness/suite/profile_choice.h"

#include <stdio.h>

/* What a row of the table stands for. A group is what an id says before its last dot: the cases of
 * one layer. */
typedef enum lb_guard_by { LB_GUARD_BY_FUNCTION, LB_GUARD_BY_GROUP, LB_GUARD_BY_CASE } lb_guard_by;

typedef struct lb_guard_row lb_guard_row;

/* Profiles with the same accumulators share a section: a row shows the worst of them. */
typedef struct lb_guard_table {
    lb_guard_by by;
    size_t profile_count;
    const lb_profile *const *profiles;
    lb_guard_row *rows;
    size_t count, capacity;
} lb_guard_table;

/* Takes one case in one profile (index into profiles). */
void lb_guard_table_add(lb_guard_table *table, const lb_case *c, size_t profile,
                        const lb_guard_use *use);
/* Prints the sections; at most `limit` rows in each (0: all). Sorts the rows. */
void lb_guard_table_print(lb_guard_table *table, size_t limit, FILE *out);
void lb_guard_table_free(lb_guard_table *table);

/* The length of the part of an id that names its group. */
size_t lb_guard_group_length(const char *id);

#endif
