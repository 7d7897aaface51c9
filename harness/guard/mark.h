/* The mark of --guard warn, read back from stored results. */
#ifndef LB_HARNESS_GUARD_MARK_H
#define LB_HARNESS_GUARD_MARK_H

#include <stdbool.h>
#include <stddef.h>

/* Is this a line of a journal whose accumulator is too narrow: does it need more bits than it has,
 * measured or proved? */
bool lb_guard_is_marked(const char *line, size_t length);

#endif
