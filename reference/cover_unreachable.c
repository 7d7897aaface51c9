/* Coverpoints that no call reaches, each with its reason: what the checks refuse, what the spec leaves undefined, what a case cannot say.
 * Patterns with * over the function's name and the point's. A row that matches nothing, or something that a suite reaches, fails a test. */
#include "coverpoints.h"

/* clang-format off */
const lb_cover_exception lb_cover_exceptions[] = {
    {"compile_options_string", "*", "it returns a text about the build of the port, which no model can know (api.md 4)"},
};
/* clang-format on */

const size_t lb_cover_exception_count = sizeof lb_cover_exceptions / sizeof lb_cover_exceptions[0];
