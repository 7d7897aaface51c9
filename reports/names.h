/* Strings seen once each and numbered in the order of their first appearance. */
#ifndef LB_REPORTS_NAMES_H
#define LB_REPORTS_NAMES_H

#include <stddef.h>
#include <stdint.h>

#define LB_NO_NAME SIZE_MAX

typedef struct lb_names {
    char **list; /* list[number]; stays where it is until lb_names_free */
    size_t count;
    size_t *slots; /* hash table: number + 1, 0 where empty */
    size_t slot_count;
} lb_names;

/* The number of a string, new or known; LB_NO_NAME if memory is exhausted. An lb_names starts as
 * all zero. */
size_t lb_names_add(lb_names *names, const char *text);
/* The number of a known string, else LB_NO_NAME. */
size_t lb_names_find(const lb_names *names, const char *text);
void lb_names_free(lb_names *names);

#endif
