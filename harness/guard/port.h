/* What the port on trial has to say about guard bits: the numbers that it tells, and its results on
 * witnesses. */
#ifndef LB_HARNESS_GUARD_PORT_H
#define LB_HARNESS_GUARD_PORT_H

#include "harness/guard/json.h"
#include "harness/trial/trial.h"

#include <stdio.h>

/* Guard bits that the port's own function tells for an operand pair (numerics.md 4.4); -1: it has
 * no such function, or the profile's kernel set has none. */
int lb_guard_port_bits(lb_port *port, const lb_profile *profile, lb_operands operands);
/* Are the port's accumulators for these operands as wide as the profile says? One that does not
 * tell is held to the profile. */
bool lb_guard_port_has_width(lb_port *port, const lb_profile *profile, lb_operands operands);
/* Those of all operand pairs. */
void lb_guard_port_ask(lb_port *port, const lb_profile *profile, int bits[LB_OPERANDS_COUNT]);
/* Prints a line for each function of the port that says something else than the profile; gives
 * their number. */
unsigned lb_guard_port_tell(const lb_profile *profile, const int bits[LB_OPERANDS_COUNT],
                            FILE *out);

/* Makes the witness of one end and tries it on the port: its result must be that of the exact
 * model, unless the accumulator leaves its width there. setup->arena holds the witness. */
lb_guard_trial lb_guard_try(const lb_trial_setup *setup, const lb_guard_prover *prover,
                            const lb_guard_bound *bound, const lb_profile *profile, bool high,
                            const char *id);

#endif
