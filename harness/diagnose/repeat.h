/* Failing calls made again: alone, in a fresh process, in another order, at other alignments.
 * Whether a call before has a part in it, or chance, is found here, before any arithmetic. */
#ifndef LB_HARNESS_DIAGNOSE_REPEAT_H
#define LB_HARNESS_DIAGNOSE_REPEAT_H

#include "harness/diagnose/evidence.h"
#include "harness/diagnose/zones.h"

typedef enum lb_repeated {
    LB_REPEATED_SAME,      /* the same wrong result again */
    LB_REPEATED_ZONES,     /* with other bytes around the buffers it gives something else */
    LB_REPEATED_STATE,     /* alone in a fresh process it passes, or gives something else */
    LB_REPEATED_CHANCE,    /* alone in fresh processes it is not always the same */
    LB_REPEATED_ALIGNMENT, /* with buffers aligned it passes */
    LB_REPEATED_COUNT
} lb_repeated;

typedef struct lb_repeats {
    unsigned char *of; /* lb_repeated of each item of the evidence */
    size_t count[LB_REPEATED_COUNT];
    uint32_t first[LB_REPEATED_COUNT]; /* the smallest item of each */
    bool has_cause;                    /* of the first of STATE: a call before it that suffices */
    uint32_t cause;
    lb_zone_read read; /* of the first of ZONES: where it reads, if that is known */
} lb_repeats;

void lb_repeat_failures(lb_evidence *evidence, const char *port_name, double deadline,
                        lb_repeats *repeats);
void lb_repeats_free(lb_repeats *repeats);

#endif
