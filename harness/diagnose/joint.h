/* Two different mistakes in one function: where one fault explains a part of what fails, or none
 * does, a second one is looked for with the first applied. */
#ifndef LB_HARNESS_DIAGNOSE_JOINT_H
#define LB_HARNESS_DIAGNOSE_JOINT_H

#include "harness/diagnose/suspects.h"

enum { LB_MOST_JOINT = 4 };

/* Pairs of faults of the list that explain results which none of the suspects does, the best ones
 * first; how many. What they point to lives in `keep`. They cost effort up to the deadline. */
size_t lb_joint_find(lb_function *f, lb_evidence *evidence, double deadline, lb_arena *keep,
                     lb_fault found[LB_MOST_JOINT]);

/* The two as one: the reading of a call first, else what the list names first. */
lb_fault lb_joint_of(const lb_fault *a, const lb_fault *b, lb_arena *keep);

#endif
