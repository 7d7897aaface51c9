/* Suites through the exact model, case by case, into a map of what they reach. */
#ifndef LB_HARNESS_COVERAGE_SUITES_H
#define LB_HARNESS_COVERAGE_SUITES_H

#include "harness/coverage/map.h"
#include "harness/suite/suite.h"
#include "harness/suite/suite_level.h"

typedef struct lb_cover_suites {
    lb_cover_map *map;
    lb_level level; /* cases of this level and those below */
    const lb_profile *const *profiles;
    size_t profile_count;
    size_t cases;  /* read so far */
    unsigned sets; /* of the functions that they call, as bits 1 << lb_set */
    /* Called for every case that counts; may be NULL. */
    void (*each)(void *user, const char *path, const lb_case *c);
    void *user;
    lb_arena arena; /* of the case at hand, while they are read */
} lb_cover_suites;

/* Reads the suites under the paths. False, here and below: a path or a suite is wrong, said on
 * standard error. */
bool lb_cover_suites_read(lb_cover_suites *suites, char *const *paths, size_t path_count);

/* Of wanted functions of several sets those of the sets that suites call (`sets` of above) stay; of
 * suites that call none: those of the first set. */
void lb_cover_keep_sets(bool *wanted, unsigned sets);

/* The suites under the paths, one after the other, as far as `each` is content; the cases of a
 * suite up to a level. */
bool lb_cover_each_suite(char *const *paths, size_t path_count,
                         bool (*each)(void *user, const lb_suite *suite), void *user);
bool lb_cover_each_case(const lb_suite *suite, lb_level level,
                        void (*each)(void *user, const char *path, const lb_case *c), void *user);

#endif
