/* The results model: what one run found, one result per case and profile, as it is stored
 * (results.json, journal) and read again. Renderers know this file alone: no kernels, no cases.
 * Schema: results.schema.json. */
#ifndef LB_REPORTS_RESULTS_H
#define LB_REPORTS_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define LB_RESULTS_FORMAT "lastbit/results-1"

typedef enum lb_verdict {
    LB_PASS,
    LB_FAIL,
    LB_ERROR,
    LB_SKIP,
    LB_WAIVED,
    LB_VERDICT_COUNT
} lb_verdict;
const char *lb_verdict_name(lb_verdict verdict); /* "pass" ... */
int lb_verdict_find(const char *name);           /* -1: none */

/* What an oracle says of the port's output. */
typedef enum lb_agreement {
    LB_AGREEMENT_NONE,
    LB_AGREEMENT_AGREES,
    LB_AGREEMENT_DIFFERS,
    LB_AGREEMENT_COUNT
} lb_agreement;
const char *lb_agreement_name(lb_agreement agreement); /* "none", "agrees", "differs" */

/* What differs. */
#define LB_DIFFERENCES(X)                                                                          \
    X(DATA, "data")                                                                                \
    X(STATUS, "status")                                                                            \
    X(RETURN, "return")                                                                            \
    X(FIELD, "field")                                                                              \
    X(GAP, "gap")                                                                                  \
    X(INPUT, "input")                                                                              \
    X(GUARD, "guard")                                                                              \
    X(CONFIG, "config")                                                                            \
    X(STEP, "step")

#define LB_DIFFERS_CODE(name, text) LB_DIFFERS_##name,
typedef enum lb_differs { LB_DIFFERENCES(LB_DIFFERS_CODE) LB_DIFFERS_COUNT } lb_differs;
const char *lb_differs_name(lb_differs what); /* "data" */

/* One kind of difference, found against one oracle; the first element is shown, the others are
 * counted. */
typedef struct lb_difference {
    const char *oracle; /* "recorded", "exact", "rules" (gaps, inputs, guard zones: nobody may touch
                           them) */
    lb_differs what;
    const char *role;  /* "out", ...; "" if none */
    const char *field; /* "frac_bits", ...; "" if none */
    const char
        *index; /* "2,0,7" in the role's shape, or a byte offset for gaps and guards; "" if none */
    const char *operands; /* where the operands of that element lie, "in[2,0,*], weights[*,7]"; ""
                             if unknown */
    const char *expected; /* decimal, with hex where it is a container: "-12 (0xf4)" */
    const char *got;
    uint64_t count; /* elements that differ */
    uint64_t total; /* elements compared */
} lb_difference;

enum { LB_MAX_DIFFERENCES = 8 };

/* Bins of signed errors: below -16, between two neighbours of -16 -8 -4 -2 -1 -0.5 0.5 1 2 4 8 16,
 * above 16. An error on an edge belongs to the bin that is nearer to zero. */
enum { LB_TOLERANCE_EDGES = 12, LB_TOLERANCE_BINS = LB_TOLERANCE_EDGES + 1 };
extern const double lb_tolerance_edges[LB_TOLERANCE_EDGES];
/* The bin of a signed error in steps, 0 to LB_TOLERANCE_BINS - 1. What is not a number counts as
 * too large. */
unsigned lb_tolerance_bin(double steps);

/* Error of an output tensor against the real model, in steps (LSB) of the output's format. What is
 * 0 or "" was not measured. */
typedef struct lb_tolerance {
    const char *role;
    uint64_t elements;
    double max_steps;  /* largest |got - real| */
    double mean_steps; /* mean of got - real: the bias */
    double rms_steps;
    double max_real;            /* largest |got - real| in real units */
    double snr_db, noise_ratio; /* norm of the error against that of the signal: in decibels, and
                                   error / signal */
    double quant_share_percent; /* of the noise power, the share that quantization alone explains */
    uint64_t
        histogram[LB_TOLERANCE_BINS]; /* elements by signed error in steps; all 0: not counted */
    const char *limit_metric;         /* the limit that was used up most: "max_steps", "mean_steps",
                                         "snr_db", ...; "": no limit */
    const char *limit_source;         /* where it comes from: "derived", or "FILE:LINE" */
    double limit;                     /* in the metric's unit */
    double used_percent;              /* of the limit; above 100: exceeded */
} lb_tolerance;

enum { LB_MAX_TOLERANCES = 2 };

/* A difference map has at most so many rows and columns. */
enum { LB_MAX_MAP_SIDE = 64 };
/* The character of a map's cell for the largest |difference| in it: '.' 0; '1' 1; '2' 2; '3' to 4;
 * '4' to 8; '5' to 16; '6' to 32; '7' to 64; '8' to 256; '9' more. */
char lb_map_class(uint64_t difference);

/* What the exact model's accumulators did. */
typedef struct lb_accumulator_use {
    int acc_bits; /* width that the profile gives; 0: the function has no accumulator */
    int64_t peak_low, peak_high; /* folded: (x - zero point) * w is added */
    int peak_bits;               /* bits needed for the peaks */
    uint64_t macs;               /* longest chain */
    const char *overflow;        /* "none", "transient", "persistent" */
    uint64_t saturated;          /* saturating additions that clipped */
    int format_bits; /* bits that any data of these formats need; this and the next three 0: not
                        looked at */
    int64_t bound_low,
        bound_high; /* no sum leaves this range with the case's weights, whatever its inputs hold */
    int bound_bits; /* bits needed for it */
    /* The same two of sums that add products x * w, then the zero point's terms. */
    int64_t separate_peak_low, separate_peak_high, separate_bound_low, separate_bound_high;
} lb_accumulator_use;

/* Bits that the sums of the case need, or can be made to need: the larger of peak and bound. More
 * than acc_bits: a mark. */
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
    const char *kind;   /* of what failed: "numbers", "status", "contract" (a field, an input or
                           memory that nobody may touch), "crash", "time"; "" of others */
    const char *reason; /* of skip, error, waived; a short sentence for fail; "" for pass */
    lb_agreement recorded, exact, real;
    const char
        *outlier; /* the oracle that stands alone: "port", "recorded", "exact", "real", or "" */
    const char *status_expected, *status_got; /* names; "" where the function returns none */
    const char *rule;      /* violated rule of the exact model's checks, "" if none */
    const char *reproduce; /* a shell line; "" for pass and skip */
    const char *explain;   /* another, that tells every step behind the first element that differs;
                              "" if there is none */
    const char *tags;      /* of the case, with commas; "": none */
    uint64_t elements;     /* of all tensors of the case; 0: not told */
    unsigned calls;        /* of a chain; 0: the case is one call */
    double microseconds;   /* of the port's call */
    const char *vacuous;   /* why a case that passes proves little; "" if nothing is against it */
    const char *diverges_at; /* the first step that the difference can come from: "bias",
                               "requantize.rounding"; "": unknown */
    const char *again;       /* of a result that was made more than once: what differed; "" */
    const char *fault;       /* name of the cause that the diagnosis gives it; "": none */
    const char *section;     /* of the specification, that the difference is about: "numerics.md 6";
                               "": unknown */
    const char *cpu;         /* instruction-set level of the port in this call; "": not told */
    const char *waiver;      /* of a waived result: owner, reason, link and expiry in one line */
    const char *was;         /* what it was before it was waived: "fail" or "error" */
    const char *map_role;    /* the first output that differs, as a picture; "": none */
    unsigned map_rows, map_columns; /* 0: no map; at most LB_MAX_MAP_SIDE */
    const char
        *map; /* map_rows * map_columns of lb_map_class, row by row, and the end of the string */
    const char *map_shape;    /* of that output, "2,4,7"; "" */
    const char *map_values;   /* of the first cells that differ, between blanks: the cell's number,
                                 the element's, expected, got: "5:5:12:13"; "" */
    const char *map_operands; /* of the first of these cells, between tabs: where the operands of
                                 that element lie; "" */
    const char *explanation;  /* every step behind the first element that differs; the lines of the
                                 table have cells between tabs; "" */
    unsigned difference_count;
    lb_difference differences[LB_MAX_DIFFERENCES];
    unsigned tolerance_count;
    lb_tolerance tolerances[LB_MAX_TOLERANCES];
    lb_accumulator_use accumulator;
} lb_result;

/* The kind of a failing result, from what differs, unless it is told already; "": it did not fail.
 */
const char *lb_result_kind(const lb_result *result);

/* The tag of cases that overflow an accumulator or a format on purpose: what they need and how far
 * they lie from real numbers says nothing of the port, and stays out of headline figures. */
#define LB_OVERFLOW_ON_PURPOSE "overflow_on_purpose"
bool lb_result_overflows_on_purpose(const lb_result *result);

/* Why it does not count: of a waived result the waiver, of others the reason. */
const char *lb_result_excuse(const lb_result *result);

/* What was tested, when, where. All strings are borrowed. */
typedef struct lb_run_suite {
    const char *name, *file, *sha256;
    uint64_t cases;
} lb_run_suite;

/* A file beside the suites that has a say in the verdicts, or is a part of the port. */
typedef struct lb_run_file {
    const char
        *role; /* "encodings", "packed", "npy", "npz", "profile", "policy", "waivers", "port" */
    const char *file;  /* as this run opened it */
    const char *named; /* as the suite names it; of a profile its name; "" else */
    const char *suite; /* the suite's file, where a suite names it; "" else */
    const char *sha256;
} lb_run_file;

/* What the user says of the product: --meta KEY=VALUE. */
typedef struct lb_run_meta {
    const char *key, *value;
} lb_run_meta;

/* A point of behaviour that no case can reach, and why. */
typedef struct lb_unreachable {
    const char *point, *why;
} lb_unreachable;

/* Points of behaviour of one function that the run came by. */
typedef struct lb_coverage {
    const char *function;
    unsigned points, hit; /* reachable ones, and how many of them were hit */
    size_t missed_count;  /* points - hit */
    const char *const *missed;
    size_t unreachable_count;
    const lb_unreachable *unreachable;
} lb_coverage;

/* Coverage of source lines, one entry per room. */
typedef struct lb_line_coverage {
    const char *room;
    uint64_t lines, lines_hit, branches, branches_hit;
    const char *link; /* to lcov's pages of it; "": none */
} lb_line_coverage;

/* A layer of a network: how far its output lies from that of the real model, each fed with its own
 * outputs from the first layer on. Deviations are in real numbers; noise: root of the mean square
 * of the deviation over that of the signal. NAN: nobody knows. */
typedef struct lb_layer_drift {
    const char *suite, *profile, *layer;
    uint64_t elements, different; /* codes that the port has other than the exact model */
    double exact_max, exact_noise, port_max, port_noise;
    const char *failed; /* why the port gave nothing; "": it did */
} lb_layer_drift;

/* Speed of one row of the benchmark on one instruction-set level. */
typedef struct lb_speed {
    const char *row, *function, *cpu, *unit; /* the unit of the rates: "MAC/s", ... */
    double seconds;                          /* of one call */
    double rate, peak, percent_of_peak;      /* peak: what the machine can do at best */
    double noise_percent; /* half the distance between the quartiles of its runs; 0: not told */
    double baseline_rate; /* of the run that this one is compared with; 0: none */
} lb_speed;

/* How sure a diagnosis is of what it names. */
typedef enum lb_certainty {
    LB_CERTAIN_ONE,     /* one fault is left: it alone gives all that was seen */
    LB_CERTAIN_SEVERAL, /* others give the same in all that was tried: they are named too */
    LB_CERTAIN_PARTLY,  /* it gives what was seen, with a condition, or not everywhere */
    LB_CERTAIN_UNKNOWN, /* no known fault gives it: only facts are told */
    LB_CERTAINTY_COUNT
} lb_certainty;
const char *lb_certainty_name(lb_certainty certainty); /* "one", "several", "partly", "unknown" */

/* One cause of failures, as the diagnosis found it. */
typedef struct lb_found_fault {
    const char *name;     /* stable, for programs: "rounding.truncates at ..."; results are grouped
                             under it */
    const char *sentence; /* for people: what the code does, and where */
    lb_certainty certainty;
    const char *function; /* the one function concerned; "" if there are several */
    const char *family;   /* their family; "" if they are of several */
    unsigned functions;
    const char *condition; /* it shows only where this holds: "in.shape[2] is 64 or more"; "" */
    const char *section;   /* of the specification; "" */
    uint64_t explained, against; /* failing results that it gives; results that speak against it */
    uint64_t results;            /* failing results that are grouped under it */
    bool is_symptom;             /* what the port does, and not why: it crashed */
    const char *numerics; /* of a diagnosis at hand: the whole port has those of this built-in
                             profile; NULL: none is known */
    const char *file, *id, *profile; /* the smallest case that shows it */
    const char *differs;             /* in that case: what was expected and what came */
    const char *look_for;            /* in the code; "" */
    const char *reproduce;           /* a shell line; "" */
    const char *explain;             /* another, that explains it; "" */
    const char *explanation;         /* every step behind the element that differs, as text; "" */
    size_t other_count, fact_count;
    const char *const *others; /* sentences of faults that cannot be told from it */
    const char *const *facts;  /* what is known beside: experiments made, rules found */
} lb_found_fault;

/* Failing results that belong to no cause, by reason. */
typedef struct lb_without_cause {
    const char *why; /* in words: "the recording is wrong" */
    uint64_t results;
} lb_without_cause;

typedef struct lb_words {
    size_t count;
    const char *const *list;
} lb_words;

/* Which cases a run chose, as patterns of a shell: where a list has some, one of them matches (or,
 * of `excluded`, none). */
typedef struct lb_run_choice {
    lb_words cases, functions, tags; /* --case, --function, --tag */
    lb_words excluded;               /* --exclude: id, function or tag */
} lb_run_choice;

/* Its lists by the keys that they have in a file. */
typedef struct lb_choice_list {
    const char *key;
    size_t offset; /* of an lb_words in lb_run_choice */
} lb_choice_list;
enum { LB_CHOICE_LISTS = 4 };
extern const lb_choice_list lb_choice_lists[LB_CHOICE_LISTS];
lb_words *lb_choice_words(lb_run_choice *choice, size_t list);
/* The same, to be read. */
const lb_words *lb_chosen_words(const lb_run_choice *choice, size_t list);

/* Is it no file, but the cases of a certification? Its `file` is the command then. */
bool lb_suite_is_certified(const lb_run_suite *suite);

/* More results than any file holds: the run may have stopped short of its end. */
#define LB_EXPECTED_UNKNOWN (UINT64_C(1) << 53)

typedef struct lb_run_info {
    const char *tool_version;
    const char *tool_commit;   /* that lastbit was built from, "+" behind it where files had been
                                  changed; "": not known */
    const char *started;       /* ISO 8601, UTC */
    double seconds;            /* wall clock; 0 while running */
    const char *command;       /* the command line */
    const char *whole_command; /* of a shard: the same without --shard; "": it has none */
    const char *port, *port_described;
    const char *port_sha256; /* of the port's file; "": it is no file */
    /* What the port says of its build; "" where it says nothing. */
    const char *port_target, *port_compiler, *port_options, *port_library_options;
    const char *port_contradiction; /* what the last says against the profiles it is declared for */
    const char *port_sandbox; /* what keeps it apart from everything else, and what does not, in
                                 words; "": it runs elsewhere, or is lastbit's own */
    const char *host, *host_compiler; /* the machine that lastbit ran on, and what built lastbit */
    size_t meta_count;
    const lb_run_meta *meta;
    size_t file_count;
    const lb_run_file *files;
    size_t profile_count;
    const char *const *profiles;
    size_t profile_file_count;        /* 0: all profiles are built in; else as many as profiles */
    const char *const *profile_files; /* where each was read from; "": built in */
    size_t suite_count;
    const lb_run_suite *suites;
    unsigned shard_index, shard_count; /* 1, 1: everything */
    const char *exhaustive;   /* of a sweep: the domain that all shards together try every input of,
                                 in words; "": no sweep */
    const char *certify_seed; /* of a certification: the seed that its cases are made of; "": none
                               */
    const char *certify_drawn; /* when the seed was drawn, as `started`; "": it was given */
    unsigned calls; /* so often each call was made, its buffers at other places each time; 0: once
                     */
    const char *platforms; /* numerics and accumulators of the profiles that were read from files,
                              in words; "": none were */
    const char *guard; /* what became of accumulators that are too narrow: "warn", "error", "off";
                          "": not told */
    const char *coverage_level; /* --level: cases up to it were chosen, and their points count:
                                   "smoke", "standard", "deep"; "": all */
    const char *judge;          /* what passes: "exact", "tolerance"; "": not told */
    const char *tolerance;      /* what results were held to, in words; "": not told */
    const char *cpu;     /* CPU levels asked for, with commas; "": the one that the port takes */
    const char *buffers; /* "misaligned", or "": at boundaries of 64 bytes */
    uint64_t strength_faults, strength_caught;  /* of the bank, by the suites; 0: not told */
    const char *strength_level;                 /* of the cases that they were tried on; "" */
    unsigned repeats;                           /* how often every result was made; 0: once */
    double time_limit_seconds;                  /* of one case; 0: not told */
    unsigned functions_provided, functions_all; /* that the port has, of those of the API; 0, 0: not
                                                   told */
    unsigned extensions_provided, extensions_all; /* the same of lastbit's additions to the API */
    unsigned profiles_tried, profiles_all; /* numerics, of those of the API; 0, 0: not told */
    lb_run_choice chosen;                  /* nothing: all cases */
    unsigned stopped_at; /* --max-fail: the run stopped after so many failing results; 0: it did
                            not */
    uint64_t expected;   /* results that the run (or shard) has when it comes to its end; 0: not
                            told; LB_EXPECTED_UNKNOWN: a journal that does not tell */
    size_t coverage_count;
    const lb_coverage *coverage; /* one per function */
    size_t lines_count;
    const lb_line_coverage *lines; /* one per room */
    size_t drift_count;
    const lb_layer_drift *drift; /* layers of networks, in order */
    size_t speed_count;
    const lb_speed *speed; /* one per row and instruction-set level */
    size_t fault_count;
    const lb_found_fault *faults; /* causes of failures, the one that explains most first */
    size_t without_cause_count;
    const lb_without_cause *without_cause; /* the most first; nothing where none was looked for */
} lb_run_info;

/* Cases that a certification has made (lb_suite_is_certified), and those of files. */
void lb_run_count_cases(const lb_run_info *info, uint64_t *made, uint64_t *shipped);

/* Puts functions in the order of their names: shards have different ones, and merged they must read
 * as the whole run does. */
void lb_coverage_sort(lb_coverage *functions, size_t count);

/* Points of coverage of all functions. */
void lb_run_coverage(const lb_run_info *info, uint64_t *points, uint64_t *hit);

/* Did the run choose cases (--case, --level, ...) or stop early (--max-fail), so that not every
 * case of its suites has a result? */
bool lb_run_chooses_cases(const lb_run_info *info);
/* Is less tried than there is: cases, shards, profiles, functions? */
bool lb_run_is_part(const lb_run_info *info);

typedef struct lb_tally {
    uint64_t count[LB_VERDICT_COUNT];
} lb_tally;

/* All results, whatever their verdict. */
uint64_t lb_tally_total(const lb_tally *tally);
/* Are there fewer results than the run was to have? */
bool lb_run_is_short(const lb_run_info *info, const lb_tally *tally);

/* passed, failed (errors too), skipped (waived too): the last line of a run. */
uint64_t lb_tally_passed(const lb_tally *tally);
uint64_t lb_tally_failed(const lb_tally *tally);
uint64_t lb_tally_skipped(const lb_tally *tally);

/* ---- Text of one result: one line of JSON, without the newline ---- */

/* Writes the result as a JSON object into text; gives its length, or 0 if text_bytes is too small.
 * Strings are cut to valid UTF-8 and escaped. */
size_t lb_result_to_json(const lb_result *result, char *text, size_t text_bytes);

/* ---- results.json, written as a stream: valid JSON, one result a line ---- */

/* Writes the head up to the opening bracket of "results". The tally and the seconds stand in the
 * head, so they are known before. */
bool lb_results_write_head(FILE *file, const lb_run_info *info, const lb_tally *tally);
/* Writes one result line as made by lb_result_to_json; `first` tells whether a comma is due. */
bool lb_results_write_line(FILE *file, const char *json, size_t length, bool first);
/* The same with the name of the cause that the result's failure has, which was found later; NULL:
 * none. */
bool lb_results_write_line_of(FILE *file, const char *json, size_t length, bool first,
                              const char *fault, const char *explanation);
/* The same without a comma or a line's end: the object alone. */
bool lb_results_write_bare(FILE *file, const char *json, size_t length, const char *fault,
                           const char *explanation);
/* Makes the line and writes it. `line` is memory that grows as it is needed, for the next result
 * too: NULL at first, freed by the caller at the end. */
bool lb_results_write_result(FILE *file, const lb_result *result, bool first, char **line,
                             size_t *line_bytes);
bool lb_results_write_tail(FILE *file);

/* ---- results.json, read as a stream ---- */

typedef struct lb_results_reader lb_results_reader;

/* Opens a results file, or a journal in its place, and reads its head. On failure gives NULL and a
 * message ("FILE:LINE: ...") in error. */
/* Beside results.json, while a run goes on or where it came to no results: those of the run before.
 */
#define LB_PREVIOUS_RESULTS "results.previous.json"

/* The file that is meant: of a folder, the results that a run wrote there. Owned by the caller;
 * NULL: out of memory. */
char *lb_results_file(const char *path);

lb_results_reader *lb_results_open(const char *path, char *error, size_t error_bytes);
const lb_run_info *lb_results_info(const lb_results_reader *reader);
/* Is it a journal? Its run may not have come to its end. */
bool lb_results_is_journal(const lb_results_reader *reader);
/* Puts line coverage from elsewhere into the head, in place of what stands there; it must outlive
 * the reader. */
void lb_results_set_lines(lb_results_reader *reader, const lb_line_coverage *lines, size_t count);
const lb_tally *lb_results_tally(const lb_results_reader *reader);
/* The next result, valid until the next call; NULL at the end or on an error (then error is not
 * empty). */
const lb_result *lb_results_next(lb_results_reader *reader, char *error, size_t error_bytes);
/* Back to the first result. */
bool lb_results_rewind(lb_results_reader *reader);
void lb_results_close(lb_results_reader *reader);

#endif
