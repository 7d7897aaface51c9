/* What the port on trial has to say about guard bits: see port.h. */
#include "harness/guard/port.h"
#include "harness/guard/verdict.h"
#include "harness/suite/profile_file.h"

#include <string.h>

/* "mli_hlp_accu_guard_bits_sa8_sa8" ...; NULL: the profile's kernel set has no such function. */
static const lb_kernel *guard_port_function(const lb_profile *profile, lb_operands operands)
{
    static const char *const names[] = {"mli_hlp_accu_guard_bits_sa8_sa8",
                                        "mli_hlp_accu_guard_bits_fx16_fx8",
                                        "mli_hlp_accu_guard_bits_fx16_fx16"};
    const lb_kernel *kernel = lb_kernel_find(names[operands]);
    return kernel && lb_kernel_is_in(kernel, profile) ? kernel : NULL;
}

int lb_guard_port_bits(lb_port *port, const lb_profile *profile, lb_operands operands)
{
    lb_call call = {.kernel = guard_port_function(profile, operands), .return_value = -1};
    if (!call.kernel || !port->provides(port, call.kernel))
        return -1;
    port->call(port, profile, &call);
    bool told = !port->failure && call.return_value >= 0 && call.return_value <= UINT8_MAX;
    return told ? (int)call.return_value : -1;
}

bool lb_guard_port_has_width(lb_port *port, const lb_profile *profile, lb_operands operands)
{
    int told = lb_guard_port_bits(port, profile, operands);
    return told < 0 || told == profile->acc_bits[operands] - lb_product_bits(operands);
}

void lb_guard_port_ask(lb_port *port, const lb_profile *profile, int bits[LB_OPERANDS_COUNT])
{
    for (int i = 0; i < LB_OPERANDS_COUNT; i++)
        bits[i] = lb_guard_port_bits(port, profile, (lb_operands)i);
}

unsigned lb_guard_port_tell(const lb_profile *profile, const int bits[LB_OPERANDS_COUNT], FILE *out)
{
    unsigned differing = 0;
    for (int i = 0; i < LB_OPERANDS_COUNT; i++) {
        int given = profile->acc_bits[i] - lb_product_bits((lb_operands)i);
        const lb_kernel *function = guard_port_function(profile, (lb_operands)i);
        if (!function)
            continue;
        if (bits[i] < 0)
            fprintf(out, "the port has no %s, or it gives no answer\n", function->name);
        else if (bits[i] != given)
            fprintf(out, "%s of the port says %d guard bits, the profile %s gives %d\n",
                    function->name, bits[i], profile->name, given);
        differing += bits[i] != given;
    }
    return differing;
}

/* What came of a witness on the port. */
typedef struct outcome {
    lb_verdict verdict;
    char reason[512];
} outcome;

static void take_result(void *user, size_t profile_index, lb_result *result)
{
    outcome *o = user;
    (void)profile_index;
    o->verdict = result->verdict;
    snprintf(o->reason, sizeof o->reason, "%s", result->reason ? result->reason : "");
}

/* Is the exact model's result one that the port owes? A platform's only where the port has its
 * width, if that makes a difference. */
static bool is_owed(lb_port *port, const lb_profile *profile, const lb_kernel *kernel,
                    const lb_watch *watch)
{
    if (!lb_guard_left_width(watch))
        return true;
    return lb_guard_is_specified(profile, kernel, watch) &&
           lb_guard_port_has_width(port, profile, watch->operands);
}

lb_guard_trial lb_guard_try(const lb_trial_setup *setup, const lb_guard_prover *prover,
                            const lb_guard_bound *bound, const lb_profile *profile, bool high,
                            const char *id)
{
    const bool wanted = true;
    lb_guard_trial trial = {.verdict = LB_SKIP, .reason = ""};
    lb_guard_listener listener = {.mode = LB_GUARD_OFF};
    const lb_analysis guard = lb_guard_analysis(&listener), *analyses[] = {&guard};
    lb_trial_setup quiet = *setup;
    outcome result = {.verdict = LB_SKIP};
    lb_guard_bound reached;
    lb_watch watch;
    trial.witness = lb_guard_witness_of(prover, bound, high, id, setup->arena);
    if (!trial.witness.test_case) {
        trial.reason = trial.witness.reason;
        return trial;
    }
    lb_guard_prover measured = {.test_case = trial.witness.test_case, .arena = setup->arena};
    lb_guard_measure(&measured, profile, &reached, &watch);
    trial.reached = lb_guard_witness_reached(&trial.witness, high, &watch);
    if (!is_owed(setup->port, profile, measured.test_case->kernel, &watch)) {
        trial.overflows = true;
        return trial;
    }
    quiet.analyses = analyses;
    quiet.analysis_count = 1;
    lb_trial_run(&quiet, measured.test_case, &profile, &wanted, 1, NULL, take_result, &result);
    trial.verdict = result.verdict;
    trial.reason = lb_arena_strdup(setup->arena, result.reason);
    return trial;
}
