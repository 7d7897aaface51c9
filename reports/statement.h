/* What a conformance statement says beside the results. */
#ifndef LB_REPORTS_STATEMENT_H
#define LB_REPORTS_STATEMENT_H

#include "render.h"

/* Is it "LABEL=TEXT", as extras.meta has them? */
bool lb_statement_is_line(const char *text);

/* What "lastbit vectors strength --json" measured. */
typedef struct lb_strength_told {
    uint64_t faults, caught; /* faults 0: not measured */
    char level[32];
    struct cJSON *document; /* all that it says */
} lb_strength_told;

/* Reads it, to be freed; false: nothing to free, a message in error. */
bool lb_strength_read(const char *path, lb_strength_told *told, char *error, size_t error_bytes);
void lb_strength_told_free(lb_strength_told *told);

/* What "report verify" cannot compute again from a package, in words. */
#define LB_NOT_RECOMPUTED                                                                          \
    "what a port gave that differs; times; what port and host say of themselves; coverage of "     \
    "movement in steps and of sweeps; strength and lines; which policy holds for a suite; marks "  \
    "of what proves little; causes and explanations"

#endif
