/* The cases of suites that catch most faults of the bank for what they cost: vectors select, pack
 * --select. */
#ifndef LB_HARNESS_COMMAND_SELECTION_H
#define LB_HARNESS_COMMAND_SELECTION_H

#include "harness/command/measure_options.h"

/* What may be spent. */
typedef struct lb_budget {
    enum { LB_NO_BUDGET, LB_BUDGET_CASES, LB_BUDGET_SECONDS, LB_BUDGET_BYTES } unit;
    double amount;
} lb_budget;

/* The value of an option: "500 cases", "2s", "64k". */
bool lb_take_budget(const char *command, const char *text, void *into);

typedef struct lb_selected {
    lb_strength_case item; /* text NULL: none */
    double gain, cost, seconds;
} lb_selected;

typedef struct lb_selection {
    lb_selected *items; /* the chosen ones first, those that bring most for their cost in front */
    size_t count, chosen;
} lb_selection;

/* False: a process has failed, told. The cases are put in another order, and their texts have to
 * live as long as the selection. */
bool lb_selection_make(lb_selection *selection, const lb_strength_choice *choice,
                       const lb_budget *budget, lb_strength_cases *cases);
/* Is the case of this id, of the suite at this path, a chosen one? */
bool lb_selection_has(const lb_selection *selection, const char *path, const char *id);
/* On standard error: how many, what they take, what is lost. */
void lb_selection_tell_sums(const lb_selection *selection);
void lb_selection_free(lb_selection *selection);

#endif
