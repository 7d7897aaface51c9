/* What is known of a port before any fault is thought of: a verdict for every case in every
 * profile, and of those that fail the whole memory that the port left. */
#ifndef LB_HARNESS_DIAGNOSE_EVIDENCE_H
#define LB_HARNESS_DIAGNOSE_EVIDENCE_H

#include "harness/diagnose/left.h"
#include "harness/faults/faults.h"
#include "harness/faults/sequence_faults.h"
#include "harness/port/port.h"
#include "harness/suite/profile_choice.h"
#include "harness/suite/suite.h"
#include "harness/trial/trial.h"

/* A result that fails and says nothing against the port. */
typedef enum lb_lone {
    LB_LONE_NOBODY,
    LB_LONE_RECORDING, /* port and exact model agree: as good a result as one that passes */
    LB_LONE_MODEL,     /* port and recording agree */
    LB_LONE_COUNT
} lb_lone;

/* One case in one profile. */
typedef struct lb_tried {
    const lb_kernel *kernel; /* NULL: a sequence of movement calls */
    uint32_t suite, index;   /* the case: place of its suite, place in it */
    uint32_t profile;
    uint64_t case_number; /* over all suites */
    lb_verdict verdict;
    lb_lone lone;        /* it failed, and the port is not to blame: verdict is not LB_FAIL */
    const char *kind;    /* of what failed (lb_result_kind); "" of others */
    uint64_t size;       /* elements of all its tensors */
    bool single;         /* it has an exact model: faults can be run on it */
    uint32_t call;       /* of a chain: the first call that differs, from 1; else 1 */
    const lb_left *left; /* of a failing one; NULL: it passes, or is too large to be kept */
    bool other_status;   /* of a failing one: it gave another status than it should */
    /* Beside a buffer it touched what nobody may; touch NONE: what is wrong is also seen with the
     * buffers side by side. */
    lb_stop stop;
    bool fenced;         /* it was called between forbidden pages */
    const char *trouble; /* of an error: what was seen in place of a result */
    const char *differs; /* of a failing one: what differs first, in words */
    const char *field;   /* the name of it, where it is no element: "out.mem_stride" */
    /* Of a failing sequence: the faults that give all that the port gave, by number; and the step
     * and the part of it that differ first. */
    uint64_t sequence_faults;
    lb_step_part differs_in;
    uint32_t differs_at;
} lb_tried;

typedef struct lb_evidence {
    lb_suite *const *suites;
    size_t suite_count;
    const lb_profile *const *profiles;
    size_t profile_count;
    lb_port *port;
    unsigned misalign; /* as in lb_memory_options */
    /* Which cases are wanted; NULL: all. */
    bool (*wants)(void *user, const lb_case *c);
    void *wants_user;
    /* Verdicts that are known, 1 + lb_verdict, 0: not tried; case number * profile_count + profile.
     * Then only failing results are made again. NULL: nothing is known. */
    const unsigned char *verdicts;
    /* gathered */
    lb_tried *items;
    size_t count, capacity;
    size_t failing;   /* by the port's doing */
    bool cut_short;   /* the limit for safety was reached before all cases were tried */
    bool passed_over; /* cases of a function that hangs were left out */
    lb_arena arena, scratch;
    lb_suite_reader **readers;
    unsigned *lost;   /* of each function: calls that gave no result; more for those that hung */
    double work;      /* nominal seconds: see work.h */
    double ends;      /* lb_now_seconds: the limit for safety; 0: none */
    bool out_of_time; /* it was reached: what is told may not be all */
} lb_evidence;

/* Tries what is wanted. False: a suite could not be read (message on standard error). */
bool lb_evidence_gather(lb_evidence *evidence);
void lb_evidence_free(lb_evidence *evidence);

bool lb_tried_failed(const lb_tried *tried);
/* Results looked at one by one: the bench of the last one, for faults; of a chain the call that
 * differs. */
typedef struct lb_look {
    lb_fault_bench bench;
    lb_arena arena;
} lb_look;
/* False: the result has none. What was looked at before is gone. */
bool lb_look_at(lb_look *look, lb_evidence *evidence, const lb_tried *tried);
void lb_look_end(lb_look *look);
/* The case of a result; valid until the next one of the same suite is asked for. */
const lb_case *lb_evidence_case(lb_evidence *evidence, const lb_tried *tried);
/* The same of a made case, which the port is called for as well, side by side; what it left. NULL:
 * it passed and is too large to be kept, or the case is not computed, or the port gave no result.
 */
const lb_left *lb_evidence_try(lb_evidence *evidence, const lb_case *c, const lb_profile *profile,
                               unsigned misalign, lb_fault_bench *bench, lb_arena *arena,
                               bool *passed);
/* Calls the port once more for any case; what it left, from the arena, or NULL with *trouble. */
const lb_left *lb_evidence_call(lb_evidence *evidence, lb_port *port, const lb_case *c,
                                const lb_profile *profile, unsigned misalign, lb_arena *arena,
                                bool *passed, const char **trouble);

#endif
