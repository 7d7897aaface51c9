/* The operator `lost` on a loop: which of its positions are left out. */
#ifndef LB_HARNESS_FAULTS_LOST_H
#define LB_HARNESS_FAULTS_LOST_H

#include <stdbool.h>
#include <stddef.h>

/* {n} is the fault's argument. */
typedef enum lb_lost {
    LB_LOST_ALL,
    LB_LOST_LAST,
    LB_LOST_FIRST,
    LB_LOST_TAIL,              /* behind whole blocks of {n}, of more than {n} */
    LB_LOST_REST,              /* behind whole blocks of {n} */
    LB_LOST_BEYOND,            /* from {n} on */
    LB_LOST_BEFORE_LAST_BLOCK, /* of {n} */
    LB_LOST_SEAM,              /* the last one of each block of {n} */
    LB_LOST_ODD,
    LB_LOST_EVEN,
    LB_LOST_FEW,       /* all, where there are fewer than {n} */
    LB_LOST_BYTE_TAIL, /* behind whole words of {n} bytes */
    LB_LOST_AS_BYTES,  /* as many bytes are gone through as there are positions */
    LB_LOST_COUNT
} lb_lost;

/* Is the i-th of n positions, of so many bytes each? `of`: {n}. */
bool lb_is_lost(lb_lost what, size_t i, size_t n, size_t of, size_t bytes);

#endif
