/* Steps taken once more, with an arithmetic that shares nothing with the models': as they stand, or
 * with a fault in some of them. So the steps of an explanation are known to add up, and a wrong
 * value finds the fault that would give it. */
#ifndef LB_HARNESS_EXPLAIN_INJECT_H
#define LB_HARNESS_EXPLAIN_INJECT_H

#include "harness/explain/slice.h"

/* Faults of the kind that implementations have. Which steps a fault can sit in: lb_injection_fits.
 * Among faults that explain as much, one that stands earlier here is the likelier. */
typedef enum lb_injection_kind {
    LB_INJECT_NONE,
    LB_INJECT_OTHER_ROUNDING, /* rsh: the other mode */
    LB_INJECT_TRUNCATES,      /* rsh: floor in place of rounding */
    LB_INJECT_HALF_AWAY,      /* rsh: halves go away from zero */
    LB_INJECT_TOWARDS_ZERO,   /* rsh: the fraction is cut off */
    LB_INJECT_HALF_WRAPS,    /* rsh, up: the addition of the half does not saturate (result as if it
                               had    room) */
    LB_INJECT_ROUNDS,        /* asr, tdiv: rounded to nearest in place of cut */
    LB_INJECT_NOT_SATURATED, /* sat, add, sub, shl: wraps at the width */
    LB_INJECT_NOT_LIMITED,   /* sat, min, max, wrap: left out */
    LB_INJECT_LIMIT_0,    /* max, at the end: container 0 is the lower limit, not the zero point */
    LB_INJECT_NOT_ADDED,  /* add, sub, fadd: the second operand is left out */
    LB_INJECT_TAKEN_AS_0, /* given: a parameter */
    LB_INJECT_COUNTS_PADDING, /* skip: the tap counts */
    LB_INJECT_WHOLE_WINDOW,   /* given: positions in the window, padding too */
    LB_INJECT_FIRST_ENTRY,    /* given: parameters or the bias of channel 0, for every channel */
    LB_INJECT_NOT_SHIFTED,    /* shl, asr, rsh */
    LB_INJECT_SHIFT_LESS,     /* shl, asr, rsh: by one */
    LB_INJECT_SHIFT_MORE,     /* shl, asr, rsh: by one */
    LB_INJECT_TWICE,          /* add: the second operand twice */
    LB_INJECT_SIGN,           /* add, sub: the other sign */
    LB_INJECT_NOT_SCALED,     /* mul: the second operand is left out */
    LB_INJECT_FIRST_TAP,      /* mac, max: the first one is left out */
    LB_INJECT_LAST_TAP,       /* mac, max: the last ones are left out */
    LB_INJECT_ALL_TAPS,       /* mac: all are left out */
    LB_INJECT_NARROW_SUM,     /* mac: saturates, or, where it would, wraps, at its width */
    LB_INJECT_SUM_16,         /* mac: the register has 16 bits and wraps */
    LB_INJECT_SUM_24,         /* mac: 24 bits */
    LB_INJECT_SUM_32,         /* mac: 32 bits */
    LB_INJECT_WRAPPED_INPUT,  /* mac of 8 bits: x less its zero point wraps in 8 bits */
    LB_INJECT_CUT_INPUT,      /* mac of 8 bits: x less its zero point saturates in 8 bits */
    LB_INJECT_EARLY_RELU,     /* add of the bias: negative sums are cut off before it */
    LB_INJECT_NORM_LESS,      /* norm: one less */
    LB_INJECT_NORM_MORE,      /* norm: one more */
    LB_INJECT_ENTRY_BEFORE,   /* lookup: the entry before */
    LB_INJECT_ENTRY_AFTER,    /* lookup: the entry after */
    LB_INJECT_COUNT
} lb_injection_kind;

/* A fault in all steps of one place of the code: those that look alike, whatever their numbers. */
typedef struct lb_injection {
    lb_injection_kind kind;
    lb_num_step site; /* operation, words, part, block, term; of a given number its place */
    bool all_blocks; /* whatever the block and term: in code that all gates, or all inputs, share */
    bool everywhere; /* in every step of the operation */
    int64_t whole_window; /* of LB_INJECT_WHOLE_WINDOW */
    int64_t zero_point;   /* of inputs that wrap or are cut */
    unsigned taps;        /* of LB_INJECT_LAST_TAP: how many; 0: one */
} lb_injection;

/* In words: "truncation in place of rounding". */
const char *lb_injection_words(lb_injection_kind kind);
/* What of a step the fault concerns, for names of steps: "rounding", "shift", ... or "": the step
 * itself. */
const char *lb_injection_aspect(lb_injection_kind kind, const lb_num_step *step);
/* Can it sit in this step (an operation or a given number)? */
bool lb_injection_fits(lb_injection_kind kind, const lb_num_step *step);
/* Does it sit in this step? */
bool lb_injection_sits_in(const lb_injection *fault, const lb_num_step *step);

/* Takes the steps from number first + 1 on that the fault changes. `before` are the results of all
 * steps without a fault (NULL: not known, and first is 0). The result goes to *result. `values` has
 * room for step_count numbers and receives those from `first` on. fault may be NULL where `before`
 * is. False: with this fault the steps cannot be taken (a table's end, a division by zero). */
bool lb_replay_from(const lb_slice *slice, const lb_injection *fault, const int64_t *before,
                    size_t first, int64_t *values, int64_t *result);
/* All of them. */
bool lb_replay(const lb_slice *slice, const lb_injection *fault, int64_t *values, int64_t *result);

#endif
