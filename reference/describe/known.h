/* Differences that a library is known to have from the kernels of a set: who meets one of them has
 * found no new fault. Each set has a table of them (kernels.h, lb_kernel_set). They judge nothing:
 * a result that is wrong stays wrong, and gets a name. */
#ifndef LB_REFERENCE_KNOWN_H
#define LB_REFERENCE_KNOWN_H

#include "kernels.h"

/* How a difference shows, as bits. Of those with LB_KNOWN_EXACT it is known what they leave: the
 * members behind `applies` say it. */
enum {
    LB_KNOWN_EXACT = 1,   /* other numbers, which are known */
    LB_KNOWN_NUMBERS = 2, /* other numbers in elements that are known */
    LB_KNOWN_OUTSIDE = 4  /* memory beside a buffer is touched: the call may be stopped */
};

enum { LB_KNOWN_FUNCTIONS = 4 };

typedef struct lb_known_difference {
    const char *name;     /* "D5" */
    const char *library;  /* that has it: "CMSIS-NN" */
    const char *section;  /* of the specification, that says more: "litert.24" */
    const char *sentence; /* what the library does */
    const char *function[LB_KNOWN_FUNCTIONS]; /* in these functions; NULL behind the last */
    unsigned shows;
    /* Can it show in this call? NULL: in any. */
    bool (*applies)(const lb_call *call);
    /* EXACT: makes of the arguments what the library takes them for. NULL: as they are. */
    void (*takes)(lb_call *call);
    /* EXACT: what the library has as the result of this step; NULL: that of the model. */
    int64_t (*step)(const lb_num_step *step);
    /* EXACT and NUMBERS: may the element of `out` differ? NULL: any may. */
    bool (*reaches)(const lb_call *call, const uint32_t *index);
    /* EXACT and NUMBERS: of those elements, what stands there in place of `right`, where `before`
     * stood. EXACT: NULL: what the model gives with `takes` and `step`. NUMBERS: NULL: nobody
     * knows; else *known tells whether it is known of this element. */
    int64_t (*leaves)(const lb_call *call, const uint32_t *index, int64_t right, int64_t before,
                      bool *known);
} lb_known_difference;

/* Is it one of this function? */
bool lb_known_is_of(const lb_known_difference *known, const lb_kernel *kernel);

#endif
