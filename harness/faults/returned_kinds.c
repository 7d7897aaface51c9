/* Results that helpers return, kept in too few bits or off by a number: no usual mistakes by name,
 * for what no kind of the bank explains. */
#include "harness/faults/step_run.h"
#include "harness/faults/writing_fields.h"

/* clang-format off */
#define RETURNED(name_, text, look, likely, does_, ...)                                         \
    {.name = "writing.returned." name_, .group = LB_FAULTS_WRITING, .words = text, .look_for = look, .sections = "numerics.md 4.4, 8.1; recurrent.md 3", .prior = likely, .run = lb_write_returned, .does.how = LB_##does_, .argument_count = (int)(sizeof((int16_t[]){__VA_ARGS__}) / sizeof(int16_t)), .arguments = {__VA_ARGS__}}
static const lb_fault_kind kinds[] = {
    RETURNED("wraps", "returns a signed number of too few bits", "the type of the result or of a variable", 4, WRAPS, 8, 16, 24, 32),
    RETURNED("wraps_unsigned", "returns an unsigned number of too few bits", "the type of the result or of a variable", 4, WRAPS_UNSIGNED, 8, 16, 24, 32),
    RETURNED("saturates", "returns a number held to too few bits", "the type of the result or of a variable", 3, SATURATES, 8, 16, 24, 32),
    RETURNED("off_by", "returns a number that is off by so much", "how the result is formed", 2, PLUS, -1, 2, -2, 3, -3, 4, -4),
};
/* clang-format on */

void lb_fault_returned(const lb_fault_scope *scope, lb_fault_sink sink, void *user)
{
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int a = 0; !scope->kernel->returns_status && a < kinds[k].argument_count; a++)
            sink(user, &(lb_fault){.kind = &kinds[k], .argument = kinds[k].arguments[a]});
}
