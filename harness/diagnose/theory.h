/* Theories: one fault in all functions where it explains failures. Siblings share code, so what
 * explains several is one cause; and as few causes as explain all failures are chosen. */
#ifndef LB_HARNESS_DIAGNOSE_THEORY_H
#define LB_HARNESS_DIAGNOSE_THEORY_H

#include "harness/diagnose/suspects.h"

typedef struct lb_theory_part {
    lb_function *function;
    lb_suspect *suspect;
} lb_theory_part;

/* How well a fault goes with the results of a function. */
typedef enum lb_fit {
    LB_FIT_CLEAN,  /* no result speaks against it */
    LB_FIT_SHARED, /* failing results do, which may have another cause as well */
    LB_FIT_NARROW  /* passing results do: it can only be there under a condition */
} lb_fit;

/* How near a theory is that is not told as it stands. */
typedef enum lb_near {
    LB_NEAR_NOT,
    LB_NEAR_IN_PART, /* it explains much of what fails */
    LB_NEAR_MAKES    /* it makes all the wrong elements of nearly all that fails: no chance */
} lb_near;

typedef struct lb_theory {
    lb_theory_part *parts;
    size_t part_count;
    /* of experiments */
    unsigned tried, confirmed, refuted;
    unsigned limited; /* of those that refute it: the port was right, it may have a condition */
    bool dropped;     /* it goes with too little to be told */
    lb_near near;     /* ... and how near it is */
    /* Of a whole library: results of functions that never fail in which it would show. */
    unsigned elsewhere;
} lb_theory;

typedef struct lb_theories {
    lb_theory *items;
    size_t count;
    lb_theory_part *parts;
} lb_theories;

/* Of all suspects of all functions. */
void lb_theories_make(lb_theories *theories, lb_function *functions, size_t count);
void lb_theories_free(lb_theories *theories);

/* The theory's part in the function; NULL: it has none. */
const lb_theory_part *lb_theory_part_in(const lb_theory *theory, const lb_function *function);
lb_fit lb_part_fit(const lb_theory_part *part);
/* What the theory explains of the results that are not covered yet, in bits, less where results
 * speak against it. */
double lb_theory_gain(const lb_theory *theory);
/* The worst fit of its parts that explain something that is not covered. */
lb_fit lb_theory_fit(const lb_theory *theory);
/* Does `other` explain all the uncovered results that the part, or `theory`, explains? */
bool lb_theory_holds_part(const lb_theory *other, const lb_theory_part *part);
bool lb_theory_holds(const lb_theory *other, const lb_theory *theory);
/* ... and fit as well? */
bool lb_theory_is_rival(const lb_theory *theory, const lb_theory *other);
/* How many results say what of it, those of experiments among them. */
typedef struct lb_standing {
    uint64_t exact;    /* it gives them to the last bit */
    uint64_t in_part;  /* ... or goes with them */
    uint64_t against;  /* they pass, or refute it */
    uint64_t narrow;   /* failing ones of which it would change right elements as well */
    uint64_t elements; /* wrong ones that it gives, of results with which it goes in part */
    uint64_t varied;   /* of them: other than the one before */
    double bits;       /* evidence of what it explains */
} lb_standing;
lb_standing lb_theory_standing(const lb_theory *theory);
bool lb_theory_spans_families(const lb_theory *theory);
/* Between two that explain as much: what is likelier. */
bool lb_theory_is_likelier(const lb_theory *a, const lb_theory *b);
/* The best one by gain, then by how common its kind is; NULL: nothing is explained by any. */
lb_theory *lb_theories_best(lb_theories *theories);
/* What it explains is covered from now on. */
void lb_theory_cover(const lb_theory *theory);
const lb_fault *lb_theory_fault(const lb_theory *theory);
/* The theory's fault in this function; NULL: it has no part there. */
const lb_fault *lb_theory_fault_in(const lb_theory *theory, const lb_function *function);

#endif
