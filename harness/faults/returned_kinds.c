/* Results that helpers return, kept in too few bits or off by a number: no usual mistakes by name,
 * for what no kind of the bank explains. */
#include "harness/faults/step_run.h"
#include "harness/faults/views.h"
#include "reference/core/arith.h"

static bool give(lb_fault_run *run, int64_t value)
{
    run->out->call.return_value = value;
    return value != run->right->call.return_value;
}

static bool wraps(lb_fault_run *run)
{
    if (!lb_fault_has_result(run))
        return false;
    lb_fault_take_right(run);
    return give(run, lb_wrap(run->right->call.return_value, run->fault->argument));
}

static bool wraps_unsigned(lb_fault_run *run)
{
    if (!lb_fault_has_result(run))
        return false;
    lb_fault_take_right(run);
    uint64_t mask = ((uint64_t)1 << run->fault->argument) - 1;
    return give(run, (int64_t)((uint64_t)run->right->call.return_value & mask));
}

static bool saturates(lb_fault_run *run)
{
    if (!lb_fault_has_result(run))
        return false;
    lb_fault_take_right(run);
    return give(run, lb_sat(run->right->call.return_value, run->fault->argument));
}

static bool is_off(lb_fault_run *run)
{
    if (!lb_fault_has_result(run))
        return false;
    lb_fault_take_right(run);
    return give(run, run->right->call.return_value + run->fault->argument);
}

/* clang-format off */
#define RETURNED(name_, text, look, likely, function, ...)                                         \
    {.name = "writing.returned." name_, .group = LB_FAULTS_WRITING, .words = text, .look_for = look, .sections = "numerics.md 4.4, 8.1; recurrent.md 3", .prior = likely, .run = function, .argument_count = (int)(sizeof((int16_t[]){__VA_ARGS__}) / sizeof(int16_t)), .arguments = {__VA_ARGS__}}
static const lb_fault_kind kinds[] = {
    RETURNED("wraps", "returns a signed number of too few bits", "the type of the result or of a variable", 4, wraps, 8, 16, 24, 32),
    RETURNED("wraps_unsigned", "returns an unsigned number of too few bits", "the type of the result or of a variable", 4, wraps_unsigned, 8, 16, 24, 32),
    RETURNED("saturates", "returns a number held to too few bits", "the type of the result or of a variable", 3, saturates, 8, 16, 24, 32),
    RETURNED("off_by", "returns a number that is off by so much", "how the result is formed", 2, is_off, -1, 2, -2, 3, -3, 4, -4),
};
/* clang-format on */

void lb_fault_returned(const lb_fault_scope *scope, lb_fault_sink sink, void *user)
{
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int a = 0; !scope->kernel->returns_status && a < kinds[k].argument_count; a++)
            sink(user, &(lb_fault){.kind = &kinds[k], .argument = kinds[k].arguments[a]});
}
