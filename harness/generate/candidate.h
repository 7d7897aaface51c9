/* Cases that a search tries: made up, or changed from those that are there. */
#ifndef LB_HARNESS_GENERATE_CANDIDATE_H
#define LB_HARNESS_GENERATE_CANDIDATE_H

#include "harness/suite/case.h"

/* Cases to change, by function. */
typedef struct lb_cover_corpus lb_cover_corpus;

lb_cover_corpus *lb_cover_corpus_new(void);
void lb_cover_corpus_add(lb_cover_corpus *corpus, const lb_case *c);
void lb_cover_corpus_free(lb_cover_corpus *corpus);

typedef struct lb_candidates {
    const lb_cover_corpus *corpus;
    uint64_t seed;
} lb_candidates;

/* Candidate number `index`: made up, or a changed case of the function. Memory comes from the
 * arena. False: there is none of this number. */
bool lb_candidate_make(const lb_candidates *from, const lb_kernel *kernel, uint64_t index,
                       lb_arena *arena, lb_case *c);

/* What was found gets its tags (level NULL: none of it); the text on one line. */
const char *lb_found_text(lb_case *c, const char *tag, const char *level, bool vacuous,
                          lb_arena *arena);

#endif
