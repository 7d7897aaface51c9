/* The cases of a certification: made of a seed, all functions in turn. Nobody has seen them before
 * the seed is drawn; the same seed makes the same ones on every machine. */
#ifndef LB_HARNESS_GENERATE_CERTIFY_H
#define LB_HARNESS_GENERATE_CERTIFY_H

#include "harness/base/progress.h"
#include "harness/suite/suite.h"

typedef struct lb_certify_wish {
    uint64_t seed;
    lb_set set;      /* whose functions */
    unsigned cases;  /* of every function; every second one is the one before it, changed */
    bool extensions; /* those of lastbit's own functions of MLI too */
} lb_certify_wish;

enum { LB_CERTIFY_MOST_CASES = 1000000 };

typedef struct lb_certify_maker {
    lb_certify_wish wish;
    const struct lb_kernel *kernels[256];
    size_t kernel_count;
    uint8_t *tries; /* of each case, in vain: made again it is found at once */
} lb_certify_maker;

/* Cases that there are of it: of all functions together. */
size_t lb_certify_count(const lb_certify_wish *wish);
/* The suite; *maker must outlive it. Its command is lb_certify_command's, its digest that of all
 * cases: each is made here once, which takes seconds of thousands. */
lb_suite *lb_certify_suite(const lb_certify_wish *wish, lb_progress_way shown,
                           lb_certify_maker *maker);
/* Ends both; the suite may be NULL. */
void lb_certify_close(lb_suite *suite, lb_certify_maker *maker);

/* "certify --cases 60": what stands where a suite's file would, without the seed. */
enum { LB_CERTIFY_COMMAND_BYTES = 80 };
/* It read again, but for the seed. False: it is no such command. */
bool lb_certify_read_command(const char *text, lb_certify_wish *wish);

#endif
