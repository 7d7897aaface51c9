/* Witnesses: what is proved of accumulators is what the worst inputs do, tried over all inputs of
 * small calls and over every suite. */
#include "harness/tests/guard_cases.h"

#include "harness/guard/port.h"
#include "harness/suite/case_write.h"

/* ---- All inputs of small calls ---- */

/* Sums at the ends of the chains, over all inputs made from a list of values. */
typedef struct extremes {
    int64_t low, high;
} extremes;

/* Runs the case for every way to choose its input's data from the values. */
static extremes try_all_inputs(lb_case *c, const lb_profile *profile, const int32_t *values,
                               unsigned value_count)
{
    lb_values data = c->operand[LB_ROLE_IN].tensors[0].data;
    extremes e = {0, 0};
    unsigned digits[8] = {0};
    size_t place = 0;
    assert_in_range(data.count, 1, 8);
    while (place < data.count) {
        lb_arena arena = {0};
        lb_guard_prover prover = {.test_case = c, .arena = &arena};
        lb_guard_bound bound;
        lb_watch watch;
        for (size_t i = 0; i < data.count; i++)
            data.items[i] = values[digits[i]];
        assert_true(lb_guard_measure(&prover, profile, &bound, &watch));
        e.low = watch.final_low < e.low ? watch.final_low : e.low;
        e.high = watch.final_high > e.high ? watch.final_high : e.high;
        lb_arena_free(&arena);
        for (place = 0; place < data.count && ++digits[place] == value_count; place++)
            digits[place] = 0;
    }
    return e;
}

/* The first case of a suite, which the test changes. */
typedef struct opened {
    lb_suite *suite;
    lb_suite_reader *reader;
    lb_case test_case;
} opened;

static opened open_first(const char *text)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    opened o = {.suite = open_suite(text)};
    o.reader = lb_suite_reader_open(o.suite);
    const lb_case *c = lb_suite_reader_case(o.reader, 0, &diagnostics);
    assert_non_null(c);
    o.test_case = *c;
    return o;
}

static void close_opened(opened *o)
{
    lb_suite_reader_close(o->reader);
    lb_suite_close(o->suite);
}

/* The bound without a bias is what the worst of all inputs do: no less, and no more. */
static void check_tight(const char *text, const int32_t *values, unsigned value_count, int64_t low,
                        int64_t high)
{
    for (int p = 0; p < LB_PROFILE_COUNT; p++) {
        opened o = open_first(text);
        extremes e = try_all_inputs(&o.test_case, &lb_profiles[p], values, value_count);
        finding f = find(text, &lb_profiles[p]);
        assert_range(e.low, e.high, low, high);
        assert_range(f.use.bound_low, f.use.bound_high, low, high);
        close_opened(&o);
    }
}

/* Two inputs with a zero point, 256 * 256 of them: -131 * 7 - 124 * 2 and the like. */
static void test_all_inputs(void **state)
{
    (void)state;
    int32_t every[256];
    for (int i = 0; i < 256; i++)
        every[i] = i - 128;
    check_tight(
        SUITE(FC("a", "sa8_sa8_sa32", SA("sa8", "[2]", 3, "[0,0]"), SA("sa8", "[2,1]", 0, "[7,-2]"),
                 SA("sa32", "[1]", 0, "[0]"), SA_OUT("[1]"))),
        every, 256, -131 * 7 - 124 * 2, 124 * 7 + 131 * 2);
}

#define CONV_SA(padding, stride, in, weights, out)                                                 \
    SUITE("{\"id\":\"a\",\"function\":\"mli_krn_conv2d_hwcn_sa8_sa8_sa32\",\"config\":{\"relu\":"  \
          "\"none\","                                                                              \
          "\"stride_width\":" #stride ",\"stride_height\":" #stride ",\"padding_left\":" #padding  \
          ",\"padding_right\":" #padding ",\"padding_top\":" #padding                              \
          ",\"padding_bottom\":" #padding                                                          \
          ",\"dilation_width\":1,\"dilation_height\":1},\"inputs\":{\"in\":" in                    \
          ",\"weights\":" weights                                                                  \
          ",\"bias\":" SA("sa32", "[1]", 0, "[0]") "},\"outputs\":{\"out\":" out "}}")
#define WEIGHTS_3X3 SA("sa8", "[3,3,1,1]", 0, "[9,-8,7,-6,5,-4,3,-2,1]")

/* A window over the corner of 2x2 pixels: padding is no tap, so -8 and 9 never meet both a pixel
 * with 1. The ends of the range and the zero point are enough: a product is furthest at one of
 * them. */
static void test_all_corners(void **state)
{
    (void)state;
    static const int32_t ends[] = {-128, 100, 127};
    /* less the zero point: -228..27. Positions: [5 -4; -2 1], [-6 5; 3 -2], [-8 7; 5 -4], [9 -8; -6
     * 5]: the last is worst */
    check_tight(
        CONV_SA(1, 1, SA("sa8", "[2,2,1]", 100, "[0,0,0,0]"), WEIGHTS_3X3, SA_OUT("[2,2,1]")), ends,
        3, -228 * 14 - 27 * 14, 27 * 14 + 228 * 14);
    /* with a stride of 2 only the first window is left: rows and columns 1, 2 of the kernel */
    check_tight(
        CONV_SA(1, 2, SA("sa8", "[2,2,1]", 100, "[0,0,0,0]"), WEIGHTS_3X3, SA_OUT("[1,1,1]")), ends,
        3, -228 * 6 - 27 * 6, 27 * 6 + 228 * 6);
}

/* ---- Witnesses ---- */

/* Of inputs without a zero point every running sum is one of the proof's: the witness's peak is the
 * bound. */
static void test_peak_of_a_witness_is_the_bound(void **state)
{
    (void)state;
    opened o = open_first(SUITE(FC("a", "fx16_fx8_fx8", FX("fx16", "[3]", 3, "[0,0,0]"),
                                   FX("fx8", "[3,2]", 2, "[5,1,-9,2,100,3]"),
                                   FX("fx8", "[2]", 4, "[-3,-2]"), FX_OUT("fx16", "[2]", 2))));
    lb_arena arena = {0};
    lb_guard_prover prover = {.test_case = &o.test_case, .arena = &arena};
    lb_guard_bound bound, of_witness;
    lb_watch watch;
    assert_true(lb_guard_measure(&prover, &lb_profiles[UP_FULL], &bound, &watch));
    lb_guard_witness high = lb_guard_witness_of(&prover, &bound, true, "high", &arena);
    lb_guard_prover second = {.test_case = high.test_case, .arena = &arena};
    assert_true(lb_guard_measure(&second, &lb_profiles[UP_FULL], &of_witness, &watch));
    assert_true(bound.high == 105 * 32767 + 9 * 32768);
    assert_true(watch.peak_high == bound.high && watch.final_high == bound.high);
    const lb_values *x = &high.test_case->operand[LB_ROLE_IN].tensors[0].data;
    assert_int_equal(x->count, 3);
    assert_true(x->items[0] == 32767 && x->items[1] == -32768 && x->items[2] == 32767);
    /* the lower end has the bias -3 << 1 behind it */
    lb_guard_witness low = lb_guard_witness_of(&prover, &bound, false, "low", &arena);
    second.test_case = low.test_case;
    second.have_first = false;
    assert_true(lb_guard_measure(&second, &lb_profiles[UP_FULL], &of_witness, &watch));
    assert_true(low.sum == bound.low && bound.low == -105 * 32768 - 9 * 32767 - 6);
    assert_true(watch.peak_low == low.products && low.products == bound.low + 6);
    lb_arena_free(&arena);
    close_opened(&o);
}

/* Decoded again from its own text, does the witness still reach the end? */
static void check_written(const lb_guard_witness *witness, const lb_profile *profile, bool high)
{
    lb_arena arena = {0};
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    char *text = lb_arena_printf(&arena, "%s\n%s\n", lb_suite_header_json("w", &arena),
                                 lb_case_to_json(witness->test_case, &arena));
    char path[256];
    snprintf(path, sizeof path, "%s", write_file("witness.jsonl", text));
    lb_suite *suite = lb_suite_open(path, &diagnostics);
    assert_non_null(suite);
    lb_suite_reader *reader = lb_suite_reader_open(suite);
    lb_guard_prover prover = {.test_case = lb_suite_reader_case(reader, 0, &diagnostics),
                              .arena = &arena};
    lb_guard_bound bound;
    lb_watch watch;
    assert_true(lb_guard_measure(&prover, profile, &bound, &watch));
    assert_true(lb_guard_witness_reached(witness, high, &watch));
    lb_suite_reader_close(reader);
    lb_suite_close(suite);
    remove_file(path);
    lb_arena_free(&arena);
}

/* Both witnesses of a case: reached, and nothing in them leaves what was proved. */
static unsigned check_witnesses(const lb_case *c, const lb_profile *profile, bool write)
{
    lb_arena arena = {0};
    lb_guard_prover prover = {.test_case = c, .arena = &arena};
    lb_guard_bound bound, again;
    lb_watch watch;
    unsigned checked = 0;
    if (lb_guard_measure(&prover, profile, &bound, &watch)) {
        assert_true(watch.final_low >= bound.low && watch.final_high <= bound.high);
        for (int end = 0; end < 2; end++) {
            lb_guard_witness witness = lb_guard_witness_of(&prover, &bound, end == 0, "w", &arena);
            if (!witness.test_case)
                continue;
            lb_guard_prover second = {.test_case = witness.test_case, .arena = &arena};
            assert_true(lb_guard_measure(&second, profile, &again, &watch));
            assert_true(lb_guard_witness_reached(&witness, end == 0, &watch));
            assert_true(watch.final_low >= bound.low && watch.final_high <= bound.high);
            if (write)
                check_written(&witness, profile, end == 0);
            checked++;
        }
    }
    lb_arena_free(&arena);
    return checked;
}

/* Every case of the project's suites, chains of calls too: paddings, strides, dilations, groups,
 * zero points, formats. */
static void test_every_suite(void **state)
{
    (void)state;
    char folder[] = LASTBIT_SOURCE_DIR "/vectors";
    char *const roots[] = {folder};
    lb_paths paths = {0};
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    unsigned checked = 0;
    assert_true(lb_paths_collect(roots, 1, &paths, &diagnostics));
    for (size_t i = 0; i < paths.count; i++) {
        lb_suite *suite = lb_suite_open(paths.items[i], &diagnostics);
        assert_non_null(suite);
        lb_suite_reader *reader = lb_suite_reader_open(suite);
        for (size_t n = 0; n < lb_suite_case_count(suite); n++) {
            const lb_case *c = lb_suite_reader_case(reader, n, &diagnostics);
            if (c->kernel && c->kernel->exact && lb_guard_applies(c->kernel) &&
                c->chain.steps < 100)
                checked += check_witnesses(c, &lb_profiles[n % LB_PROFILE_COUNT], n % 8 == 0);
        }
        lb_suite_reader_close(reader);
        lb_suite_close(suite);
    }
    lb_paths_free(&paths);
    assert_true(checked > 400);
}

/* ---- The port on a witness ---- */

static void spoil_output(lb_call *call)
{
    if (call->tensor[LB_ROLE_OUT])
        call->tensor[LB_ROLE_OUT]->data.mem.pi16[0] ^= 1;
}

/* A port with accumulators of 25 bits for 16 by 8 bits, which says that there are 8 guard bits. */
static void spoil_past_25_bits(lb_call *call)
{
    lb_tensor *out = call->tensor[LB_ROLE_OUT];
    if (out && out->data.mem.pi16[0] == INT16_MAX)
        out->data.mem.pi16[0] = 0;
}

static lb_guard_trial try_witness(const char *text, void (*spoil)(lb_call *call), lb_arena *arena)
{
    fake_port fake = fake_port_make(spoil);
    opened o = open_first(text);
    lb_trial_setup setup = {.port = &fake.port, .suite = "t", .file = "t.json", .arena = arena};
    lb_guard_prover prover = {.test_case = &o.test_case, .arena = arena};
    lb_guard_bound bound;
    lb_watch watch;
    assert_true(lb_guard_measure(&prover, &lb_profiles[UP_FULL], &bound, &watch));
    lb_guard_trial trial = lb_guard_try(&setup, &prover, &bound, &lb_profiles[UP_FULL], true, "w");
    close_opened(&o);
    return trial;
}

#define SMALL_WORST(frac)                                                                          \
    SUITE(FC("a", "fx16_fx8_fx8", FX("fx16", "[8]", 15, CONSTANT(1)),                              \
             FX("fx8", "[8,1]", 7, CONSTANT(-128)), FX("fx8", "[1]", 7, "[0]"),                    \
             FX_OUT("fx16", "[1]", frac)))

static void test_port_on_a_witness(void **state)
{
    (void)state;
    lb_arena arena = {0};
    assert_int_equal(try_witness(SMALL_WORST(15), NULL, &arena).verdict, LB_PASS);
    assert_int_equal(try_witness(SMALL_WORST(15), spoil_output, &arena).verdict, LB_FAIL);
    /* the case's own data do not show it, the witness does */
    assert_int_equal(try_witness(SMALL_WORST(15), spoil_past_25_bits, &arena).verdict, LB_FAIL);
    /* 512 of them leave the width, where nothing is specified */
    lb_guard_trial past = try_witness(SUITE(WORST("a", 512)), spoil_output, &arena);
    assert_true(past.overflows && !lb_guard_trial_failed(&past));
    assert_true(past.reached && past.witness.sum == (int64_t)1 << 31);
    lb_arena_free(&arena);
}

static void tell_seven(lb_call *call)
{
    call->return_value = 7;
}

/* What the port's own functions say, against the profile. */
static void test_port_guard_bits(void **state)
{
    (void)state;
    fake_port honest = fake_port_make(NULL), other = fake_port_make(tell_seven);
    lb_profile narrow = lb_profiles[UP_FULL];
    narrow.acc_bits[LB_OPERANDS_16X8] = 31;
    static const int host[] = {16, 8, 32};
    for (int i = 0; i < LB_OPERANDS_COUNT; i++) {
        assert_int_equal(lb_guard_port_bits(&honest.port, &lb_profiles[UP_FULL], (lb_operands)i),
                         host[i]);
        assert_int_equal(lb_guard_port_bits(&other.port, &lb_profiles[UP_FULL], (lb_operands)i), 7);
        assert_true(lb_guard_port_has_width(&honest.port, &lb_profiles[UP_FULL], (lb_operands)i));
        assert_false(lb_guard_port_has_width(&other.port, &lb_profiles[UP_FULL], (lb_operands)i));
    }
    assert_true(lb_guard_port_has_width(&other.port, &narrow, LB_OPERANDS_16X8)); /* 24 + 7 */
    /* Functions of MLI are not asked in the profiles of another kernel set. */
    assert_int_equal(lb_guard_port_bits(&other.port, &lb_set_litert.profiles[0], LB_OPERANDS_8X8),
                     -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_inputs),
        cmocka_unit_test(test_all_corners),
        cmocka_unit_test(test_peak_of_a_witness_is_the_bound),
        cmocka_unit_test(test_every_suite),
        cmocka_unit_test(test_port_on_a_witness),
        cmocka_unit_test(test_port_guard_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
