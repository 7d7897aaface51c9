/* What all results together say: counts, per function and profile; figures of tolerance and
 * accumulators; reasons; the slowest. Gathered in one pass over the results; its memory grows with
 * the number of functions, not of results. */
#ifndef LB_REPORTS_FACTS_H
#define LB_REPORTS_FACTS_H

#include "doc.h"
#include "names.h"
#include "results.h"

typedef enum lb_oracle { LB_RECORDED, LB_EXACT, LB_REAL, LB_ORACLE_COUNT } lb_oracle;

/* One result, for a reader to find again. The strings are owned. */
typedef struct lb_case_note {
    uint64_t order;
    char *id, *profile;
} lb_case_note;

/* The limit of the tolerance policy that was used up most. */
typedef struct lb_budget_facts {
    double used_percent, limit; /* used_percent 0: no limit was told */
    char *metric, *source;
    lb_case_note note;
} lb_budget_facts;

/* A first differing step, and how many failures diverge there; the name is owned. */
/* Results by bits of headroom: from LB_LEAST_HEADROOM or less to LB_MOST_HEADROOM or more. */
enum { LB_LEAST_HEADROOM = -8, LB_MOST_HEADROOM = 32 };
enum { LB_HEADROOM_BINS = LB_MOST_HEADROOM - LB_LEAST_HEADROOM + 1 };

typedef struct lb_step_facts {
    char *name;
    uint64_t count;
} lb_step_facts;

enum { LB_MAX_STEPS = 16 };

typedef struct lb_function_facts {
    size_t number; /* place in lb_facts.functions */
    const char *name, *family, *variant;
    lb_tally tally;
    lb_tally *by_profile; /* [profile_room], by number in lb_facts.profiles */
    size_t profile_room;

    lb_case_note first_failure; /* of fail and error */
    lb_verdict first_verdict;
    char *first_reason;

    uint64_t elements; /* compared with the real model; 0: none */
    double max_steps, mean_sum, square_sum;
    lb_case_note max_case;
    uint64_t histogram[LB_TOLERANCE_BINS];
    lb_budget_facts budget;

    lb_step_facts steps[LB_MAX_STEPS]; /* of failures; further steps are not kept apart */
    size_t step_count;

    uint64_t accumulations;    /* results with an accumulator; 0: none */
    int acc_bits, needed_bits; /* where the headroom is smallest; needed: measured or proved */
    uint64_t narrow;           /* results that need more bits than there are */
    lb_case_note tight_case;
    uint64_t longest_macs, transient, persistent, saturated;
} lb_function_facts;

/* A reason that several skipped, waived or (pass) vacuous results share. */
typedef struct lb_reason_facts {
    lb_verdict verdict;
    char *text;
    uint64_t count;
    lb_case_note example;
} lb_reason_facts;

typedef struct lb_slow_facts {
    double microseconds;
    lb_case_note note;
    const char *function;
} lb_slow_facts;

enum { LB_MAX_REASONS = 200, LB_MAX_SLOW = 20 };

typedef struct lb_facts {
    lb_names functions, profiles, words;
    lb_function_facts *list; /* [functions.count] */
    size_t list_room;
    uint64_t count;
    size_t timed;      /* speeds that the run measured */
    bool is_part;      /* less was tried than there is: lb_run_is_part */
    uint64_t expected; /* results that the run was to have */
    lb_tally tally;
    uint64_t bit_exact; /* passed, and an oracle of bits agrees */
    uint64_t agreements[LB_ORACLE_COUNT][LB_AGREEMENT_COUNT];
    lb_reason_facts reasons[LB_MAX_REASONS];
    size_t reason_count;
    uint64_t other_reasons; /* results whose reason found no place any more */
    uint64_t vacuous;       /* passes that prove little */
    uint64_t on_purpose; /* results of cases that overflow on purpose: in no figure of headroom and
                            deviation */
    uint64_t by_headroom[LB_HEADROOM_BINS];
    lb_slow_facts slow[LB_MAX_SLOW]; /* the slowest first */
    size_t slow_count;
} lb_facts;

/* Facts start as all zero, are begun with what is known of the run, and take one result after the
 * other; freed by lb_facts_free either way. False: out of memory. */
bool lb_facts_begin(lb_facts *facts, const lb_run_info *info);
bool lb_facts_add(lb_facts *facts, const lb_result *result);
/* All of it: reads all results, from the first. */
bool lb_facts_gather(lb_facts *facts, lb_results_reader *reader, char *error, size_t error_bytes);
void lb_facts_free(lb_facts *facts);

static inline int lb_headroom(const lb_function_facts *function)
{
    return function->acc_bits - function->needed_bits;
}

/* Functions in an order and choice; the caller frees the list. NULL: out of memory. */
typedef enum lb_sorting {
    LB_BY_FAMILY,    /* all, by family and name */
    LB_BY_FAILURES,  /* those with failures, the most first */
    LB_BY_TOLERANCE, /* those compared with the real model, the largest error first */
    LB_BY_BUDGET,    /* the same, those first that used up most of a limit */
    LB_BY_HEADROOM   /* those with an accumulator, the smallest headroom first */
} lb_sorting;
const lb_function_facts **lb_facts_sorted(const lb_facts *facts, lb_sorting sorting, size_t *count);

/* The run measured speeds and tried no case: words about cases have no place. */
static inline bool lb_facts_only_timed(const lb_facts *facts)
{
    return facts->count == 0 && facts->timed > 0;
}

/* What the run comes to, in a word and in a sentence. */
typedef enum lb_outcome {
    LB_NOTHING, /* no result passed, none failed */
    LB_PASSED,
    LB_PASSED_PART, /* more was skipped than passed, or the run is a part: whoever reads only the
                       verdict must not take it for the whole */
    LB_PASSED_WAIVED,
    LB_FAILED,
    LB_INCOMPLETE /* nothing failed so far, and results are missing */
} lb_outcome;
/* Results that the run was to have are missing, whatever the others say. */
static inline bool lb_facts_are_short(const lb_facts *facts)
{
    return facts->count < facts->expected;
}
lb_outcome lb_facts_outcome(const lb_facts *facts);
const char *lb_outcome_words(const lb_facts *facts); /* "Passed", "Failed", ... */
void lb_facts_sentence(const lb_facts *facts, lb_doc *doc);

/* "2024-05-01 12:00:00 UTC" from the ISO form; any other text is given as it is (not escaped). */
void lb_readable_time(const char *iso, char *text, size_t text_bytes);

#endif
