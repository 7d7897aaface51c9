/* levels.h: the names of all levels; tests pass over one that the processor lacks. */
#ifndef LB_MLI_TESTS_LEVELS_H
#define LB_MLI_TESTS_LEVELS_H

static const char *const levels[] = {"portable", "avx2", "avxvnni", "avx512",
                                     "vnni",     "amx",  "neon",    "dotprod"};

#endif
