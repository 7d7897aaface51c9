/* A search for cases: candidates are tried as long as they show something that none before has
 * shown. What that is, a goal says: coverpoints, faults, faults that are told apart. */
#ifndef LB_HARNESS_GENERATE_SEARCH_H
#define LB_HARNESS_GENERATE_SEARCH_H

#include "harness/generate/candidate.h"
#include "harness/generate/output.h"

/* Something that a case shows, as the goal counts it: a spot of the map of coverpoints; a fault in
 * a profile, of pairs with the one that it is told from. */
typedef struct lb_find {
    size_t profile, what, other;
} lb_find;

enum { LB_MAX_FINDS = 1024 };

typedef struct lb_finds {
    size_t count;
    bool news; /* nothing that counts, but worth changing further */
    lb_find items[LB_MAX_FINDS];
} lb_finds;

void lb_finds_add(lb_finds *finds, lb_find find);
bool lb_finds_hold(const lb_finds *finds, const lb_find *find);

typedef struct lb_goal {
    const char *tag;                                             /* of the cases */
    bool (*is_open)(void *user);                                 /* there is more to be found */
    void (*look)(void *user, const lb_case *c, lb_finds *finds); /* what the case shows anew */
    /* Does the case show all of that? NULL: look says it. */
    bool (*still)(void *user, const lb_case *c, const lb_finds *wanted);
    /* Are accumulators that do not hold their sums what it is about? Elsewhere they only blur what
     * a case shows. */
    bool (*is_about_width)(void *user, const lb_finds *finds);
    size_t (*worth)(void *user, const lb_finds *finds);
    /* Gives the case id and note. number: of the cases found so far. */
    void (*tell)(void *user, lb_case *c, const lb_finds *finds, size_t number, lb_arena *arena);
    void (*keep)(void *user, const lb_case *c, const lb_finds *finds);
} lb_goal;

typedef struct lb_search {
    const lb_goal *goal;
    void *user; /* of the goal and of make */
    const lb_kernel *kernel;
    const lb_profile *const *profiles;
    size_t profile_count;
    lb_cover_corpus *corpus; /* cases to change; what is found is added */
    uint64_t seed;
    unsigned long patience;                /* tries in a row without a find after which it ends */
    unsigned long gain;                    /* worth of a case that is kept; 0 and 1: any */
    double until;                          /* lb_now_seconds: no try begins after it; 0: no limit */
    size_t max_text_bytes, max_find_bytes; /* longer cases are not considered, or not kept */
    uint64_t max_steps;                    /* nor those that take so many of the model; 0: any */
    const char *level;                     /* tag of the cases; NULL: none */
    /* Candidate number `index`; false: there is none. NULL: any. */
    bool (*make)(void *user, uint64_t index, lb_arena *arena, lb_case *c);
    bool keeps_whole; /* what is found stays as it was made */
    bool never_twice; /* no case is found that is `known` */
    lb_texts known, found;
    lb_finds finds, now; /* of the case at hand */
} lb_search;

/* No more is to be begun. */
bool lb_search_is_time_up(const lb_search *search);
/* Tries the case, which it changes. True: it is among those found, made small. */
bool lb_search_try(lb_search *search, lb_case *c, bool may_be_vacuous);
/* Tries candidates; those that prove little count in the second half of its patience. */
void lb_search_run(lb_search *search);
/* A case that is not to be found again. */
void lb_search_know(lb_search *search, const lb_case *c);
/* Writes the cases found, the shortest first, each on a line; the search is empty then. Gives how
 * many there were. */
size_t lb_search_end(lb_search *search, FILE *out);

#endif
