/* Classes of all fields of a call, so that pairs of them can be counted: a kernel may be right for
 * every class of every field, and wrong where two meet. */
#ifndef LB_HARNESS_COVERAGE_FIELDS_H
#define LB_HARNESS_COVERAGE_FIELDS_H

#include "harness/suite/case.h"
#include "reference/describe/check.h"

/* A class of a field, as a number; what a call has no field for has none. */
typedef struct lb_field_item {
    uint16_t id;
    int8_t dimension; /* the field is about this dimension of the input alone; -1: about none */
} lb_field_item;

enum { LB_MAX_FIELD_ITEMS = 96, LB_FIELD_ITEM_BYTES = 64 };

/* The classes of the case's fields, in ascending order of ids; gives how many. 0: it is none of
 * those that count (a chain, a sequence). */
size_t lb_field_items(const lb_case *c, lb_field_item items[LB_MAX_FIELD_ITEMS]);
/* The field that a class is of. */
unsigned lb_field_of(uint16_t id);
/* "in.stride[1]=gaps" */
void lb_field_item_name(const lb_kernel *kernel, uint16_t id, char name[LB_FIELD_ITEM_BYTES]);

/* What a call of this class has, for checks to be asked; gives how many facts. Some classes have
 * none: gaps, element types, places. */
enum { LB_MOST_FIELD_FACTS = 3 };
unsigned lb_field_facts(const lb_kernel *kernel, uint16_t id, lb_fact facts[LB_MOST_FIELD_FACTS]);

/* Are triples of fields of one dimension counted too? Of functions that place elements: movement,
 * windows, groups along an axis. */
bool lb_field_triples(const lb_kernel *kernel);

#endif
