/* Networks of a run: profiles that agree are one, wherever they stand. */
#include "networks.h"

#include <math.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define LAYER(suite_, profile_, layer_, different_)                                                \
    {                                                                                              \
        .suite = suite_, .profile = profile_, .layer = layer_, .elements = 4,                      \
        .different = different_, .exact_noise = 0.5, .exact_max = NAN                              \
    }

static void test_profiles_that_agree(void **state)
{
    (void)state;
    const lb_layer_drift layers[] = {
        LAYER("n", "p", "1", 0), LAYER("n", "p", "2", 1), LAYER("n", "q", "1", 0),
        LAYER("n", "q", "2", 2), LAYER("n", "r", "1", 0), LAYER("n", "r", "2", 1),
        LAYER("n", "s", "1", 0), LAYER("m", "p", "1", 0), LAYER("m", "q", "1", 0)};
    static const struct {
        const char *suite, *profiles;
        size_t count;
    } expected[] = {{"n", "p, r", 2}, {"n", "q", 2}, {"n", "s", 1}, {"m", "p, q", 1}};
    const lb_run_info info = {.drift = layers, .drift_count = sizeof layers / sizeof layers[0]};
    lb_network_walk walk = {0};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        assert_true(lb_network_next(&walk, &info));
        assert_string_equal(walk.layers->suite, expected[i].suite);
        assert_string_equal(walk.profiles.text, expected[i].profiles);
        assert_int_equal(walk.count, expected[i].count);
    }
    assert_false(lb_network_next(&walk, &info));
    assert_false(walk.profiles.failed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_profiles_that_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
