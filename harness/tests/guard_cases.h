/* For the tests of guard bits: short texts for cases, and what the analysis says of one. */
#ifndef LB_HARNESS_TESTS_GUARD_CASES_H
#define LB_HARNESS_TESTS_GUARD_CASES_H

#include "fixture.h"

#include "harness/guard/bound.h"

/* A fully connected layer: N inputs to M outputs. */
#define FC(id, variant, in, weights, bias, out)                                                    \
    "{\"id\":\"" id "\",\"function\":\"mli_krn_fully_connected_" variant                           \
    "\",\"config\":{\"relu\":\"none\"},"                                                           \
    "\"inputs\":{\"in\":" in ",\"weights\":" weights ",\"bias\":" bias                             \
    "},\"outputs\":{\"out\":" out "}}"
#define FX(type, shape, frac, data)                                                                \
    "{\"type\":\"" type "\",\"shape\":" shape ",\"frac_bits\":" #frac ",\"data\":" data "}"
#define FX_OUT(type, shape, frac)                                                                  \
    "{\"type\":\"" type "\",\"shape\":" shape ",\"frac_bits\":" #frac "}"
#define SA(type, shape, zero_point, data)                                                          \
    "{\"type\":\"" type "\",\"shape\":" shape                                                      \
    ",\"scale\":1,\"scale_frac_bits\":0,\"zero_point\":" #zero_point ",\"axis\":-1,\"data\":" data \
    "}"
#define SA_OUT(shape)                                                                              \
    "{\"type\":\"sa8\",\"shape\":" shape                                                           \
    ",\"scale\":1,\"scale_frac_bits\":0,\"zero_point\":0,\"axis\":-1}"
#define CONSTANT(value) "{\"generator\":\"constant\",\"value\":" #value "}"

/* N times the worst product of 16 by 8 bits. */
#define WORST(id, n)                                                                               \
    FC(id, "fx16_fx8_fx8", FX("fx16", "[" #n "]", 15, CONSTANT(-32768)),                           \
       FX("fx8", "[" #n ",1]", 7, CONSTANT(-128)), FX("fx8", "[1]", 7, "[0]"),                     \
       FX_OUT("fx16", "[1]", 6))

enum { UP_FULL, UP_REDUCED, CONVERGENT_FULL };

/* What the analysis says of the first case of a suite. */
typedef struct finding {
    bool measured;
    lb_guard_bound bound;
    lb_watch watch;
    lb_guard_use use;
    lb_guard_chains chains; /* its items are gone */
} finding;

static inline finding find(const char *suite_text, const lb_profile *profile)
{
    finding f = {.measured = false};
    lb_arena arena = {0};
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    lb_suite *suite = open_suite(suite_text);
    lb_suite_reader *reader = lb_suite_reader_open(suite);
    lb_guard_prover prover = {.test_case = lb_suite_reader_case(reader, 0, &diagnostics),
                              .arena = &arena};
    f.measured = lb_guard_measure(&prover, profile, &f.bound, &f.watch);
    if (f.measured)
        f.use = lb_guard_use_of(&prover, &f.bound, &f.watch, profile);
    f.chains = prover.first;
    lb_suite_reader_close(reader);
    lb_suite_close(suite);
    lb_arena_free(&arena);
    return f;
}

static inline void assert_range(int64_t low, int64_t high, int64_t wanted_low, int64_t wanted_high)
{
    assert_true(low == wanted_low);
    assert_true(high == wanted_high);
}

#endif
