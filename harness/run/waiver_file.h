/* Waiver files: a YAML list of failures that somebody has signed for. Format: reports/FORMAT.md,
 * "Waivers". */
#ifndef LB_HARNESS_RUN_WAIVER_FILE_H
#define LB_HARNESS_RUN_WAIVER_FILE_H

#include "harness/base/arena.h"
#include "harness/base/sha256.h"
#include "harness/run/journal.h"

#include "reports/waivers.h"

/* Reads a waiver file into the arena; `today` ("2031-12-31") decides what has expired, NULL: the
 * clock. sha256 gets the digest of its text. Every problem is told on standard error with its line,
 * an expired waiver among them; then false. `path` must outlive the waivers. */
bool lb_waiver_file_read(const char *path, const char *today, lb_arena *arena, lb_waivers *waivers,
                         char sha256[LB_SHA256_TEXT]);

/* Reads the waived results of a journal and counts for every waiver how many it covers: workers
 * cannot tell each other. False: the journal cannot be read, or memory is exhausted. */
bool lb_waivers_count_use(lb_waivers *waivers, const char *port, const lb_journal *journal,
                          uint64_t order_count);

#endif
