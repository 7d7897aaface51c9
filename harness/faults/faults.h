/* The bank of faults: what can be wrong in a kernel, as data, and what a kernel with such a fault
 * gives. A kind is a row of the bank; a fault is a kind at a place of a function. Running a fault
 * gives the memory, fields and status that a kernel with it would leave, from the exact model: a
 * step of it is changed, it is run on a changed view of the call, or what it left is changed. */
#ifndef LB_HARNESS_FAULTS_FAULTS_H
#define LB_HARNESS_FAULTS_FAULTS_H

#include "harness/call/call_memory.h"
#include "harness/call/fields.h"
#include "harness/faults/edit.h"
#include "harness/faults/operators.h"

typedef enum lb_fault_group {
    LB_FAULTS_STEP,     /* a step of the computation is done otherwise */
    LB_FAULTS_READING,  /* the call is read otherwise: geometry, layout, addressing */
    LB_FAULTS_EXTENT,   /* a part of the work is left out: tails, edges, blocks */
    LB_FAULTS_WRITING,  /* results are written otherwise: gaps, fields, order */
    LB_FAULTS_STATUS,   /* a check is missing, or stands elsewhere */
    LB_FAULTS_STATE,    /* a call before has an influence */
    LB_FAULTS_PLATFORM, /* the whole library has other numerics: another profile */
    LB_FAULTS_GROUP_COUNT
} lb_fault_group;

/* "step", "reading", ... */
const char *lb_fault_group_name(lb_fault_group group);

struct lb_fault_kind;
struct lb_fault_flow;
struct lb_fault_view;

/* What a fault leaves nobody knows beforehand: it is only known what is wrong. Its run gives an
 * example; held against a port, anything but what is right is taken for it. */
typedef enum lb_fault_open {
    LB_OPEN_NOTHING, /* what it leaves is known, as of most kinds */
    LB_OPEN_STATUS,  /* another status */
    LB_OPEN_GARBLED, /* a number that is no status */
    LB_OPEN_FIELD,   /* a field of the role's tensor: the argument is an lb_open_field */
    LB_OPEN_INPUT,   /* bytes of the role's data */
    LB_OPEN_OUTSIDE  /* bytes that are no elements of outputs */
} lb_fault_open;

typedef enum lb_open_field {
    LB_OPEN_RANK,
    LB_OPEN_SHAPE,
    LB_OPEN_STRIDES,
    LB_OPEN_FORMAT,
    LB_OPEN_CAPACITY,
    LB_OPEN_TYPE,
    LB_OPEN_DATA,
    LB_OPEN_FIELD_COUNT
} lb_open_field;

/* Fields of an output, as bits. */
enum {
    LB_FIELD_RANK = 1,
    LB_FIELD_SHAPE = 2,
    LB_FIELD_STRIDES = 4,
    LB_FIELD_TYPE = 8,
    LB_FIELD_FRAC = 16,
    LB_FIELD_SCALE = 32,
    LB_FIELD_ZERO = 64,
    LB_FIELD_SCALE_FRAC = 128,
    LB_FIELD_AXIS = 256,
    LB_FIELD_LISTS = 512, /* entries of the lists of a tensor quantized per axis */
    LB_FIELD_CAPACITY = 1024,
    LB_FIELD_DATA = 2048,
    LB_FIELDS_SA = LB_FIELD_SCALE | LB_FIELD_ZERO | LB_FIELD_SCALE_FRAC | LB_FIELD_AXIS,
    LB_FIELDS_FORMAT = LB_FIELD_FRAC | LB_FIELDS_SA,
    LB_FIELDS_LAYOUT = LB_FIELD_RANK | LB_FIELD_SHAPE | LB_FIELD_STRIDES
};

/* What a fault makes of fields. */
typedef enum lb_field_way {
    LB_WAY_NONE, /* the kind is not about fields */
    LB_WAY_KEPT, /* they stay as they were given */
    LB_WAY_INPUT /* they become those of the input */
} lb_field_way;

typedef enum lb_holds_sums {
    LB_HOLDS_NO_SUMS,
    LB_HOLDS_STEPS,    /* in the steps of sums alone */
    LB_HOLDS_ANY_WIDTH /* what else goes by the width of accumulators changes, too */
} lb_holds_sums;

typedef enum lb_check_position {
    LB_POSITION_OWN,
    LB_POSITION_LATER,
    LB_POSITION_EARLIER
} lb_check_position;

/* A kind at a place. Which members mean something is the kind's affair; all others are 0, so that
 * two faults are the same where all members are. */
typedef struct lb_fault {
    const struct lb_fault_kind *kind;
    const lb_num_step *site; /* steps: the first one heard of those that look alike, or NULL */
    const lb_num_step *other_site;  /* values: whose value is taken in place of the site's */
    const lb_num_step *second_site; /* steps: the same mistake in another place as well, or NULL */
    const struct lb_fault *beside;  /* steps, readings: a mistake in steps that is there as well, or
                                       NULL; it has none beside itself */
    bool all_blocks; /* steps: whatever the block (gate) and term; given numbers: all fields of the
                        tensor */
    bool all_parts;  /* steps: whatever the part of the computation too: code that several share */
    bool everywhere; /* steps: in every step of this operation */
    bool early;      /* readings of the configuration: before the checks, which see the same */
    int8_t role, other_role;   /* lb_role of the tensor concerned, and of a second one */
    int8_t dim, other_dim;     /* dimensions of it */
    int32_t argument;          /* a width, a distance, a modulus, a permutation, ... */
    lb_edit edit;              /* of a description */
    const lb_rule *rule;       /* statuses: the check */
    const lb_profile *profile; /* platform: whose numerics */
} lb_fault;

bool lb_fault_equal(const lb_fault *a, const lb_fault *b);
/* The same, with all that it points to of its list in the arena. */
lb_fault lb_fault_copy(const lb_fault *fault, lb_arena *arena);

/* One run of a fault. */
typedef struct lb_fault_run {
    const lb_fault *fault;
    const lb_profile *profile;
    const lb_case *test_case;
    const lb_instance *before; /* arguments, untouched */
    const lb_instance *right;  /* as the exact model leaves them */
    const lb_rule *violated;   /* by the arguments; NULL: the exact model has computed */
    lb_instance
        *out; /* equal to `before` when a kind's run is called; then as the fault leaves it */
    lb_arena *arena;
    const struct lb_fault_counts *counts; /* steps: how many taps each sum has; lb_fault_try's */
    int64_t other;                        /* values: what other_site gave last, where has_other */
    bool has_other;
    int64_t left;               /* steps: taps of its sum behind the one at hand; -1: not known */
    int64_t *carry;             /* steps: what a kind keeps from step to step; starts as 0 */
    struct lb_kept_sums **sums; /* ... and of sums; starts as NULL */
    unsigned char *unsaid;      /* lb_fault_unsay's */
    const lb_map *map;          /* edited, to run the model by; NULL: its own */
    const lb_map *lists;        /* the same, for a movement's lists of parameters */
    int form;                   /* of the model's formulas; 0: as they should be */
    const lb_instance *wanted;  /* lb_fault_bench's */
    lb_role wanted_role;
    bool is_all; /* what the model gives is all that is left: nothing is unsaid afterwards */
} lb_fault_run;

/* Gets the faults of a kind one by one. */
typedef void (*lb_fault_sink)(void *user, const lb_fault *fault);

/* What places of a function are made from: the function, and the steps of its exact model that
 * cases have shown so far. */
typedef struct lb_fault_scope {
    const lb_kernel *kernel;
    const lb_num_step *sites; /* one of each place of the model's code (steps) or field (given) */
    size_t site_count;
    const struct lb_fault_flow *flows; /* what feeds each of them; NULL: steps have no places */
    const lb_profile *profile;         /* that the port is on trial in; NULL: any */
    bool other_arguments;              /* steps: those that kinds do not list */
} lb_fault_scope;

/* What stands in a pattern for a word in braces: its text, NULL where that is the number, and the
 * number, which {word=a|b} chooses by. */
typedef const char *(*lb_word_fn)(const void *of, const char *word, int32_t *n, lb_arena *arena);
const char *lb_text_by(const char *pattern, lb_word_fn word, const void *of, lb_arena *arena);
/* Words of a fault. */
const char *lb_fault_word(const void *of, const char *word, int32_t *n, lb_arena *arena);
/* A step of the fault in words, as far as the fault tells it from others. */
const char *lb_fault_site_text(const lb_fault *fault, const lb_num_step *step, lb_arena *arena);

/* A row of the bank. */
typedef struct lb_fault_kind {
    const char *name; /* stable, for files and options: "rounding.truncates" */
    lb_fault_group group;
    uint8_t edit;      /* lb_edit_op: of edits, whose words, place and prior are their own */
    const char *words; /* what a kernel with it does: "cuts the fraction off where it should round";
                          as `place` has it, "{n}" stands for the argument */
    const char *look_for; /* where in code such a thing comes from */
    const char *sections; /* of the specification that it violates: "numerics.md 3"; "" where the
                             place says it (steps) */
    int prior;            /* how common it is among porters' faults: 1 rare .. 10 */
    uint32_t operations;  /* steps: bits 1 << lb_operation in which it can sit; else 0 */
    /* steps: can it sit in steps that look like this one? NULL: in all of these operations */
    bool (*fits)(const lb_num_step *site);
    /* Can it sit in this function? NULL: wherever `places` finds one */
    bool (*of)(const lb_kernel *kernel);
    /* steps: the changed result of a step that the fault sits in; lb_step_edited, by `does`, or a
     * function of its own */
    int64_t (*alter)(const lb_fault_run *run, const lb_num_step *step);
    lb_number_edit does;
    /* The place in words, for names ("weights, dimensions 1 and 2"); the same for equal faults.
     * Members of the fault stand in braces ({role}, {other} role, {dim}, {to}: other_dim, {n}), as
     * {+n}, {2^dim}, or one of several words by its number: {n=none|one}; <what is left out where
     * its member is 0>. Or a function. Neither: there is one place, or the argument says it. */
    const char *place;
    lb_word_fn word; /* other words in braces, of its own; NULL: none */
    const char *(*describe)(const lb_fault *fault, lb_arena *arena);
    int argument_count; /* of arguments that are tried; 0: the argument is 0, or places() says */
    int16_t arguments[8];
    /* steps: further arguments, which are no faults of the bank: for results that none explains */
    int16_t least, most;
    /* All places of the kind in a function; NULL: the sites of steps that it fits. */
    void (*places)(const struct lb_fault_kind *kind, const lb_fault_scope *scope,
                   lb_fault_sink sink, void *user);
    lb_fault_open open;
    /* Steps: can the change be seen in no step of this place, whatever the call? */
    bool (*never)(const lb_fault *fault, const lb_num_step *site, const struct lb_fault_flow *flow);
    lb_holds_sums holds_sums;   /* platform: sums are held in as many bits as the argument says */
    bool counts_taps;           /* steps: acts from one tap more than the argument on */
    lb_check_position position; /* statuses: the check is made elsewhere */
    lb_field_way way;           /* writing: what becomes of `fields` (bits) */
    uint32_t fields;
    bool is_narrow;  /* steps: in one place alone, and not in all that look like it */
    bool whole_part; /* steps: acts in all steps of its operations in the part of its site */
    /* steps: sits in more places than the site says; NULL: no */
    bool (*sits)(const lb_fault *fault, const lb_num_step *step);
    bool takes_other;    /* steps: it takes the value of other_site */
    bool keeps;          /* steps: its carry goes from one element to the next */
    bool of_channel;     /* given numbers: it takes that of another channel */
    bool is_value;       /* steps: no usual mistake by name, but any value in place of another */
    bool is_local;       /* platform: in a function, and not in a whole library */
    bool holds_elements; /* readings: elements are read in fewer bits than they have */
    bool is_rough;       /* statuses: a kind that says more, and gives the same, is told alone */
    /* Readings: what the call is changed to; its run is lb_view_change_run. False: nothing. */
    bool (*change)(struct lb_fault_view *view);
    /* Fills run->out. False: the fault has no say in this case (nothing there that it changes). */
    bool (*run)(lb_fault_run *run);
} lb_fault_kind;

/* Are its places told by the kind itself? */
static inline bool lb_fault_has_own_places(const lb_fault_kind *kind)
{
    return kind->place || kind->describe;
}

/* Is it a fault of a whole library? */
static inline bool lb_fault_is_whole(const lb_fault *fault)
{
    return fault->kind->group == LB_FAULTS_PLATFORM && !fault->kind->is_local;
}

/* The whole bank: the tables of all groups, in one order. */
const lb_fault_kind *lb_fault_kind_at(size_t index);
const lb_fault_kind *lb_fault_kind_find(const char *name);
/* In the order of the bank; kinds that are not of it stand behind, by their names. As of strcmp. */
int lb_fault_kind_compare(const lb_fault_kind *a, const lb_fault_kind *b);

/* Tables of the groups, each ended by a row without a name. One file each. */
extern const lb_fault_kind lb_fault_step_kinds[], lb_fault_padding_kinds[],
    lb_fault_operand_kinds[], lb_fault_exchange_kinds[], lb_fault_element_kinds[],
    lb_fault_parameter_kinds[], lb_fault_meaning_kinds[], lb_fault_movement_kinds[],
    lb_fault_helper_kinds[], lb_fault_window_step_kinds[], lb_fault_recurrent_kinds[],
    lb_fault_program_kinds[], lb_fault_form_kinds[], lb_fault_extent_kinds[],
    lb_fault_writing_kinds[], lb_fault_table_kinds[], lb_fault_float4_kinds[],
    lb_fault_status_kinds[], lb_fault_platform_kinds[], lb_fault_edit_kinds[],
    lb_fault_byte_kinds[], lb_fault_order_kinds[];
/* Not of the bank: steps done otherwise for some numbers alone; any value in place of another;
 * features of platforms; results that helpers return. */
extern const lb_fault_kind lb_fault_condition_kinds[], lb_fault_value_kinds[],
    lb_fault_feature_kinds[], lb_fault_returned_kinds[];

/* ---- Faults of a function ---- */

typedef struct lb_fault_list {
    size_t count, capacity;
    lb_fault *items;
    size_t site_count, site_capacity;
    lb_num_step *sites;
    struct lb_fault_flow *flows; /* by site: where its operands come from; ranges.h */
    size_t flow_capacity;
    struct lb_fault_demand *demands; /* of fields of the configuration; ranges.h */
    size_t demand_count, demand_room;
    /* The same flows where a number that the model takes the larger of it and 0 of (a shift, which
     * is to the left or to the right) is 0 at most, and where it is more: two for each such number;
     * ranges.h. */
    struct lb_fault_flow **branches;
    size_t branch_count;
    uint64_t known_cases;
} lb_fault_list;

/* Hears the steps of a case and keeps the places that were not known. Few cases of a function are
 * enough; more show more (gates, ReLU, tables). Memory outside arenas. */
void lb_fault_list_hear(lb_fault_list *list, const lb_case *c, const lb_profile *profile,
                        lb_arena *arena);
/* Then: all faults that can sit in the function, in the order of the bank. What can be proved of
 * them is told by proofs.h. */
void lb_fault_list_fill(lb_fault_list *list, const lb_kernel *kernel, const lb_profile *profile);
/* The same where nobody asks what can be proved of them. */
void lb_fault_list_place(lb_fault_list *list, const lb_kernel *kernel, const lb_profile *profile);
/* Then: faults of a recurrent cell as a whole (program_edits.h). They are no kinds of the bank. */
void lb_fault_list_add_cells(lb_fault_list *list, const lb_kernel *kernel);
/* Does it cost little to try: one run of the model, to which nobody listens? */
bool lb_fault_is_cheap(const lb_fault *fault);
/* Then: readings of the configuration that come before the checks. They are the faults of the bank
 * once more, in a library that copies its configuration first. */
void lb_fault_list_add_early(lb_fault_list *list);
/* Then: one mistake in two places, and any value in place of another in its steps. They are no
 * kinds of the bank: they are for results that no kind of it explains. So are arguments that its
 * kinds do not list. Gives the place of the first. */
size_t lb_fault_list_add_values(lb_fault_list *list, const lb_kernel *kernel);
/* Statuses as bits 1 << lb_status: what a port has given in the place of others, and what each
 * check was seen to give, by its place in the function's rules. */
enum { LB_MOST_RULES = 96 };
typedef struct lb_statuses_seen {
    uint32_t given, of_rule[LB_MOST_RULES];
} lb_statuses_seen;

/* Then: checks that fail or pass where they should not, and give a status that the port has given.
 * They are no kinds of the bank. */
void lb_fault_list_add_statuses(lb_fault_list *list, const lb_kernel *kernel,
                                const lb_statuses_seen *seen);
/* Then: this entry of the tables that the function looks into has another value. */
void lb_fault_list_add_table_entry(lb_fault_list *list, int32_t entry);
void lb_fault_list_free(lb_fault_list *list);

/* "rounding.truncates at requantize.rounding": the same for equal faults, for files and messages.
 */
const char *lb_fault_name(const lb_fault *fault, lb_arena *arena);
/* A sentence for people: what the kernel does, and where: "cuts the fraction off where it should
 * round: requantize, a: in steps of the output". */
const char *lb_fault_sentence(const lb_fault *fault, lb_arena *arena);
/* Section of the specification: "numerics.md 5.2". Kinds name the pages of MLI; a function of
 * another set has the section of its family. */
const char *lb_fault_section(const lb_fault *fault, const lb_kernel *kernel);
/* Where in code such a thing comes from; "": it is not known. */
const char *lb_fault_hint(const lb_fault *fault);
/* How common it is among porters' faults: 1 rare .. 10. */
int lb_fault_prior(const lb_fault *fault);

/* ---- Running faults ---- */

/* A case in one profile, ready for faults: made once, tried with many. Memory from the arena. */
typedef struct lb_fault_bench {
    const lb_case *test_case;
    const lb_profile *profile;
    lb_arena *arena;
    lb_call_memory memory;
    lb_instance before, right, out;
    const lb_rule *violated;
    bool computed;
    uint64_t steps; /* of the exact model: what a run with a changed step costs; 0: not counted */
    uint64_t told;  /* steps and given numbers */
    bool for_one;   /* it is for one fault alone: a call may have many steps */
    uint32_t call;  /* of a chain: which of its calls, from 1 */
    const struct lb_fault_counts *counts;
    /* Only faults that leave this matter: a run with a changed step, or of a changed call, may be
     * given up as soon as it stores another number in the role's tensor, and what it leaves is
     * wrong then. NULL: all do. */
    const lb_instance *wanted;
    lb_role wanted_role;
    unsigned char *unsaid; /* of the last fault tried: 1 for each byte of the block of which it says
                              nothing; `out` holds what is right there. NULL: it says all */
    bool is_undefined; /* with the last fault tried the computation is: nobody knows what comes */
} lb_fault_bench;

/* Of a chain its first call. False: the case has no exact model, is a sequence, or is undefined. */
bool lb_fault_bench_make(lb_fault_bench *bench, const lb_case *c, const lb_profile *profile,
                         lb_arena *arena);
/* Call number `call` of a chain, on what the exact model's calls before have left. */
bool lb_fault_bench_make_at(lb_fault_bench *bench, const lb_case *c, uint32_t call,
                            const lb_profile *profile, lb_arena *arena);

/* Runs the fault: bench->out is what it leaves (of a fault of statuses, the status alone). False:
 * it has no say in this case, and out means nothing. */
bool lb_fault_try(lb_fault_bench *bench, const lb_fault *fault);

/* Counts the steps of the exact model, once: bench->steps, bench->counts. False: too many
 * for faults in steps to be tried. */
bool lb_fault_bench_count(lb_fault_bench *bench);
/* For one fault alone: it is tried on a call of many more steps. */
void lb_fault_bench_for_one(lb_fault_bench *bench);
/* What a run of the exact model on the bench's case costs, in nominal seconds: counted from its
 * steps and bytes, and never measured; `listened`: with a listener to its steps. What is counted
 * so gives the same on a busy machine. */
double lb_fault_bench_cost(lb_fault_bench *bench, bool listened);
/* Makes bench->out what a call finds. */
void lb_fault_bench_reset(lb_fault_bench *bench);

/* Which of the faults of steps that are wanted (by number in the list) have a step in this case
 * that they change: one run of the model for all of them, so that the others need none. Faults of
 * other groups are not looked at. False: the case has too many steps, nothing is known. */
bool lb_fault_screen(lb_fault_bench *bench, const lb_fault_list *list, const bool *wanted,
                     bool *acts);

/* Does out differ from right: in a status, a field, or any byte? That is: would a run catch it? */
bool lb_fault_is_caught(const lb_fault_bench *bench);

/* A number for what a run leaves, of the same memory: status, fields, bytes (scratch memory aside).
 * Equal for equal results. */
uint64_t lb_fault_digest(const lb_instance *left);

#endif
