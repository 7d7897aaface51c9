/* A case as text: one JSON object on one line, as it stands in a JSON Lines suite. */
#ifndef LB_HARNESS_SUITE_CASE_WRITE_H
#define LB_HARNESS_SUITE_CASE_WRITE_H

#include "harness/suite/case.h"

/* Decoding the text gives an equal case. Sequences of movement calls (`steps`) with
 * expectations are not written: NULL. The text comes from the arena. */
char *lb_case_to_json(const lb_case *c, lb_arena *arena);
/* The case as the loader takes it; NULL: what was changed in it breaks the format. */
const lb_case *lb_case_read_again(const lb_case *c, lb_arena *arena);
/* Its id and its expectations alone. */
char *lb_expect_to_json(const lb_case *c, lb_arena *arena);
/* First line of a JSON Lines suite. */
char *lb_suite_header_json(const char *suite_name, lb_arena *arena);

#endif
