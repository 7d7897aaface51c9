/* Making a case small that shows something: fewer elements and a plainer configuration, as long as
 * it still does. */
#ifndef LB_HARNESS_GENERATE_SHRINK_H
#define LB_HARNESS_GENERATE_SHRINK_H

#include "harness/suite/case.h"

/* Does the case still show what is hunted? Must not keep pointers into the case. */
typedef bool (*lb_still_fails)(void *user, const lb_case *test_case);

/* Gives the smallest case found; it fails, too. `test_case` (which must fail, without recorded
 * expectation) is not changed; memory comes from the arena. Data stay what they are, strides where
 * nothing shrinks. At most `tries` calls of still_fails. */
const lb_case *lb_shrink(const lb_case *c, lb_still_fails still_fails, void *user, unsigned tries,
                         lb_arena *arena);
/* Uniform data of as many bits as can be, tensor by tensor, where it fails with them too. */
const lb_case *lb_shrink_enrich(const lb_case *c, lb_still_fails still_fails, void *user,
                                lb_arena *arena);

#endif
