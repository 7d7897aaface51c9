/* Operators: what an edit makes of one number, an index or an element; of steps also which number
 * of it, and in which steps. Most kinds of faults in steps and in what is read of a call are a row
 * of these; what is none has a function of its own. */
#ifndef LB_HARNESS_FAULTS_OPERATORS_H
#define LB_HARNESS_FAULTS_OPERATORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lb_fault_run;
struct lb_num_step;

/* The number that is changed, and what becomes of the result. */
typedef enum lb_step_at {
    LB_AT_RESULT,   /* the result itself */
    LB_AT_EXACT,    /* the result before it was held to its width, in place of the result */
    LB_AT_TAKEN,    /* an operand, in place of the result */
    LB_AT_OPERAND,  /* an operand: the step is done with it */
    LB_AT_COUNT,    /* places to the right: the shift is done by it */
    LB_AT_PRODUCT,  /* of a tap: it is added */
    LB_AT_SUM,      /* of a tap: the sum before it was held, in place of the result */
    LB_AT_DISTANCE, /* of a tap: the input less its zero point, which comes off later */
    LB_AT_FRACTION, /* what a shift or a division cuts off: `how` is an lb_step_cut */
    LB_AT_OPERATION /* the step itself: `how` is an lb_step_as */
} lb_step_at;

typedef enum lb_how {
    LB_AS_IS,
    LB_PLUS,
    LB_NO_LESS,
    LB_NO_MORE,  /* and at least the number below zero */
    LB_LOW_BITS, /* of a number above this one, which is 2^n - 1 */
    LB_NEGATED,
    LB_ABSOLUTE,
    LB_DOUBLED,
    LB_HALVED,     /* by this many places */
    LB_CLEARED,    /* the low bits */
    LB_COMPLEMENT, /* 2^n less the number, as far as it has bits */
    LB_AS_ZERO,
    LB_AS_ONE,
    LB_AS_OTHER,  /* what other_site gave */
    LB_AS_RESULT, /* what the step gave */
    LB_WRAPS,     /* from here on the number is bits */
    LB_SATURATES,
    LB_WRAPS_UNSIGNED,
    LB_SATURATES_UNSIGNED, /* above */
    LB_NOT_LOWEST,
    LB_MIRRORED, /* from here on the number is an index: from the end */
    LB_AS_LAST,
    LB_DELAYED,    /* one less, but for the first */
    LB_IN_BLOCK,   /* of so many */
    LB_BLOCK_LATE, /* of so many: from the third on that of the block before */
    LB_PAIRED,     /* neighbours for each other */
    LB_UNSIGNED,   /* from here on it is an element */
    LB_WITH_OFFSET,
    LB_LOW_HALF,
    LB_LOW_HALF_UNSIGNED,
    LB_HALVES_SIGNED, /* both: the high one is not one more where the low one is below 0 */
    LB_OTHER_BYTE_ORDER,
    LB_OTHER_NIBBLE_ORDER
} lb_how;

/* A number that the operator takes `n` or `other` for. */
int64_t lb_number_changed(lb_how how, int64_t n, int64_t v, int64_t other);
/* An index of `count`; LB_PLUS goes on behind the last one with the first. */
uint32_t lb_index_changed(lb_how how, int64_t n, uint32_t i, uint32_t count);
/* An element of so many bits. */
int64_t lb_element_changed(lb_how how, int64_t n, int64_t v, int bits);

/* Which positions of a loop are left out; {n} is the fault's argument. */
typedef enum lb_lost {
    LB_LOST_ALL,
    LB_LOST_LAST,
    LB_LOST_FIRST,
    LB_LOST_TAIL,              /* behind whole blocks of {n}, of more than {n} */
    LB_LOST_REST,              /* behind whole blocks of {n} */
    LB_LOST_BEYOND,            /* from {n} on */
    LB_LOST_BY_COUNTER,        /* that a counter of {n} bits does not reach */
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

typedef enum lb_step_cut {
    LB_TO_FLOOR,
    LB_TO_ZERO,
    LB_TO_CEILING,
    LB_HALF_UP,
    LB_HALF_DOWN,
    LB_HALF_AWAY,
    LB_HALF_TO_ZERO,
    LB_HALF_OTHER, /* to even in place of up, or up in place of even */
    LB_HALF_TO_ODD,
    LB_TWICE_LAST, /* two shifts that round: the last by the number */
    LB_TWICE_FIRST,
    LB_TWICE_FIRST_AWAY, /* halves of the second away from zero */
    LB_LOW_DROPPED,      /* so many places are cut off first */
    LB_ADDS_WHOLE,       /* 1 << n where 1 << (n - 1) is added */
    LB_ADDS_QUARTER
} lb_step_cut;

typedef enum lb_step_as {
    LB_OTHER_OPERATION,   /* its neighbour: add and sub, min and max */
    LB_EXCHANGED,         /* the operands for each other */
    LB_AT_WIDTH_UNSIGNED, /* saturates without a sign, and stores that */
    LB_AT_WIDTH_MORE,     /* saturates at some bits more, and stores that */
    LB_COMPARED_UNSIGNED, /* the smaller or the larger one, of patterns without a sign */
    LB_COMPARED_BY_SIZE   /* ... of absolute values */
} lb_step_as;

/* In which of the steps. */
typedef enum lb_step_when {
    LB_ALWAYS,
    LB_OF_NEGATIVE, /* the first operand */
    LB_OF_POSITIVE,
    LB_TO_THE_LEFT,
    LB_TO_THE_LEFT_IN_WIDTH,
    LB_HALF_IN_WIDTH, /* a half that goes up is added inside the width */
    LB_LIMITED,       /* the result is not the first operand */
    LB_FIRST_TAPS,
    LB_LAST_TAPS,
    LB_TAIL_TAPS, /* behind whole blocks */
    LB_TAPS_BEYOND,
    LB_TAPS_BEYOND_BYTE, /* their number as it is in 8 bits */
    LB_TAPS_OVERLAPPED,  /* by the last block, which ends with the last tap */
    LB_TAPS_OF_OTHER_ROWS,
    LB_BLOCK_BEGINS,
    LB_OTHER_GIVEN, /* other_site has been met */
    LB_OTHER_GIVEN_LATER,
    LB_OTHER_IN_FRAMES /* the argument says in which: every, the first, later ones */
} lb_step_when;

/* Numbers that are not written in the edit: the fault's argument, or the width of the step where
 * there is none; the container of a tensor; of a parameter its field in the tensor. */
enum { LB_BY_ARGUMENT = 0, LB_BITS_OF_FIELD = -201, LB_BITS_OF_OUT, LB_BITS_OF_IN };
enum { LB_OPERAND_BY_ARGUMENT = 3 };
/* Arguments of LB_OTHER_IN_FRAMES. */
enum { LB_EVERY_FRAME, LB_FIRST_FRAME, LB_LATER_FRAMES };

typedef struct lb_number_edit {
    uint8_t at, how, when; /* lb_step_at (of readings what their run says), lb_how, lb_step_when */
    uint8_t operand;       /* of LB_AT_TAKEN, LB_AT_OPERAND */
    int16_t number;
    bool held; /* the result is held to the step's width */
} lb_number_edit;

/* The result of the step with the edit of the run's fault. */
int64_t lb_step_edited(const struct lb_fault_run *run, const struct lb_num_step *step);

#endif
