/* The results model: what one run found, one result per case and profile, as it is stored (results.json, journal) and read again.
 * Renderers know this file alone: no kernels, no cases. Schema: results.schema.json. */
#ifndef LB_REPORTS_RESULTS_H
#define LB_REPORTS_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define LB_RESULTS_FORMAT "lastbit/results-1"

typedef enum lb_verdict { LB_PASS, LB_FAIL, LB_ERROR, LB_SKIP, LB_WAIVED, LB_VERDICT_COUNT } lb_verdict;
const char *lb_verdict_name(lb_verdict verdict); /* "pass" ... */
int lb_verdict_find(const char *name);           /* -1: none */

/* What an oracle says of the port's output. */
typedef enum lb_opinion { LB_OPINION_NONE, LB_OPINION_AGREES, LB_OPINION_DIFFERS, LB_OPINION_COUNT } lb_opinion;
const char *lb_opinion_name(lb_opinion opinion); /* "none", "agrees", "differs" */

/* One kind of difference, found against one oracle; the first element is shown, the others are counted. */
typedef struct lb_difference {
    const char *oracle;   /* "recorded", "exact", "rules" (gaps, inputs, guard zones: nobody may touch them) */
    const char *what;     /* "data", "status", "return", "field", "gap", "input", "guard", "config", "step" */
    const char *role;     /* "out", ...; "" if none */
    const char *field;    /* "frac_bits", ...; "" if none */
    const char *index;    /* "2,0,7" in the role's shape, or a byte offset for gaps and guards; "" if none */
    const char *operands; /* where the operands of that element lie, "in[2,0,*], weights[*,7]"; "" if unknown */
    const char *expected; /* decimal, with hex where it is a container: "-12 (0xf4)" */
    const char *got;
    uint64_t count; /* elements that differ */
    uint64_t total; /* elements compared */
} lb_difference;

enum { LB_MAX_DIFFERENCES = 8 };

/* Error of an output tensor against the real model, in steps (LSB) of the output's format. */
typedef struct lb_tolerance {
    const char *role;
    uint64_t elements;
    double max_steps;  /* largest |got - real| */
    double mean_steps; /* mean of got - real: the bias */
    double rms_steps;
} lb_tolerance;

enum { LB_MAX_TOLERANCES = 2 };

/* What the exact model's accumulators did. */
typedef struct lb_accumulator_use {
    int acc_bits; /* width that the profile gives; 0: the function has no accumulator */
    int64_t peak_low, peak_high;
    int peak_bits;        /* bits needed for the peaks */
    uint64_t macs;        /* longest chain */
    const char *overflow; /* "none", "transient", "persistent" */
    uint64_t saturated;   /* saturating additions that clipped */
    int format_bits;      /* bits that any data of these formats need; this and the next three 0: not looked at */
    int64_t bound_low, bound_high; /* no sum leaves this range with the case's weights, whatever its inputs hold */
    int bound_bits;                /* bits needed for it */
} lb_accumulator_use;

/* Bits that the sums of the case need, or can be made to need: the larger of peak and bound. More than acc_bits: a mark. */
static inline int lb_accumulator_needed(const lb_accumulator_use *use)
{
    return use->peak_bits > use->bound_bits ? use->peak_bits : use->bound_bits;
}

/* One case in one profile. All strings are borrowed. */
typedef struct lb_result {
    uint64_t order;    /* place in the run: results are stored in this order */
    const char *suite; /* name of the suite */
    const char *file;  /* its path, as given */
    unsigned line;     /* of the case */
    const char *id;
    const char *function, *family, *variant;
    const char *profile;
    lb_verdict verdict;
    const char *reason; /* of skip, error, waived; a short sentence for fail; "" for pass */
    lb_opinion recorded, exact, real;
    const char *alone; /* the voice that stands alone: "port", "recorded", "exact", "real", or "" */
    const char *status_expected, *status_got; /* names; "" where the function returns none */
    const char *rule;                         /* violated rule of the exact model's checks, "" if none */
    const char *reproduce;                    /* a shell line; "" for pass and skip */
    double microseconds;                      /* of the port's call */
    unsigned difference_count;
    lb_difference differences[LB_MAX_DIFFERENCES];
    unsigned tolerance_count;
    lb_tolerance tolerances[LB_MAX_TOLERANCES];
    lb_accumulator_use accumulator;
} lb_result;

/* What was tested, when, where. All strings are borrowed. */
typedef struct lb_run_suite {
    const char *name, *file, *sha256;
    uint64_t cases;
} lb_run_suite;

typedef struct lb_run_info {
    const char *tool_version;
    const char *started; /* ISO 8601, UTC */
    double seconds;      /* wall clock; 0 while running */
    const char *command; /* the command line */
    const char *port, *port_described;
    const char *platform, *compiler;
    size_t profile_count;
    const char *const *profiles;
    size_t suite_count;
    const lb_run_suite *suites;
    unsigned shard_index, shard_count; /* 1, 1: everything */
    const char
        *exhaustive; /* of a sweep: the domain that all shards together try every input of, in words; "": no sweep */
    const char
        *platforms; /* numerics and accumulators of the profiles that were read from files, in words; "": none were */
    const char *guard; /* what became of accumulators that are too narrow: "warn", "error", "off"; "": not told */
} lb_run_info;

typedef struct lb_tally {
    uint64_t count[LB_VERDICT_COUNT];
} lb_tally;

/* passed, failed (errors too), skipped (waived too): the last line of a run. */
uint64_t lb_tally_passed(const lb_tally *tally);
uint64_t lb_tally_failed(const lb_tally *tally);
uint64_t lb_tally_skipped(const lb_tally *tally);

/* ---- Text of one result: one line of JSON, without the newline ---- */

/* Writes the result as a JSON object into text; gives its length, or 0 if text_bytes is too small. Strings are cut to valid UTF-8 and escaped. */
size_t lb_result_to_json(const lb_result *result, char *text, size_t text_bytes);

/* ---- results.json, written as a stream: valid JSON, one result a line ---- */

/* Writes the head up to the opening bracket of "results". The tally and the seconds stand in the head, so they are known before. */
bool lb_results_write_head(FILE *file, const lb_run_info *info, const lb_tally *tally);
/* Writes one result line as made by lb_result_to_json; `first` tells whether a comma is due. */
bool lb_results_write_line(FILE *file, const char *json, size_t length, bool first);
bool lb_results_write_tail(FILE *file);

/* ---- results.json, read as a stream ---- */

typedef struct lb_results_reader lb_results_reader;

/* Opens a results file and reads its head. On failure gives NULL and a message ("FILE:LINE: ...") in error. */
lb_results_reader *lb_results_open(const char *path, char *error, size_t error_bytes);
const lb_run_info *lb_results_info(const lb_results_reader *reader);
const lb_tally *lb_results_tally(const lb_results_reader *reader);
/* The next result, valid until the next call; NULL at the end or on an error (then error is not empty). */
const lb_result *lb_results_next(lb_results_reader *reader, char *error, size_t error_bytes);
/* Back to the first result. */
bool lb_results_rewind(lb_results_reader *reader);
void lb_results_close(lb_results_reader *reader);

#endif
