/* The look-up tables: every entry by its formula, against recorded tables where they are, and the
 * look-up at its edges. */
#include "tensors.h"

#include "core/lut.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The function that a table samples, as recurrent.md 3 and elementwise.md 6 give it. */
static double sampled(lb_lut_kind kind, int i)
{
    switch (kind) {
    case LB_LUT_SIGM:
        return 32768.0 / (1.0 + exp(-(i - 160) / 16.0));
    case LB_LUT_TANH:
        return 32768.0 * tanh((i - 172) / 32.0);
    case LB_LUT_SOFTMAX:
        return fmin(32768.0 * exp((i - 356) / 32.0), 32767.0);
    default:
        return 131072.0 / sqrt(i + 32.0);
    }
}

static void every_entry_follows_its_formula(void **state)
{
    (void)state;
    int entries = 0;
    for (int kind = 0; kind < LB_LUT_COUNT; kind++) {
        for (int i = 0; i < lb_luts[kind].length; i++, entries++) {
            assert_int_equal(lb_luts[kind].table[i],
                             (int)floor(sampled((lb_lut_kind)kind, i) + 0.5));
        }
    }
    assert_int_equal(entries, 320 + 344 + 358 + 97);
}

static void fields_and_sizes(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int length, in_frac, out_frac, input_offset, bytes;
    } expected[LB_LUT_COUNT] = {
        {"sigm", 320, 4, 15, 160, 640},
        {"tanh", 344, 5, 15, 172, 688},
        {"softmax", 358, 5, 15, 356, 716},
        {"l2_normalize", 97, 0, 17, -32, 194},
    };
    for (int kind = 0; kind < LB_LUT_COUNT; kind++) {
        const lb_lut *lut = &lb_luts[kind];
        assert_string_equal(lut->name, expected[kind].name);
        assert_int_equal(lut->length, expected[kind].length);
        assert_int_equal(lut->in_frac_bits, expected[kind].in_frac);
        assert_int_equal(lut->out_frac_bits, expected[kind].out_frac);
        assert_int_equal(lut->input_offset, expected[kind].input_offset);
        assert_int_equal(lut->output_offset, 0);
        assert_int_equal(lb_lut_size_bytes((lb_lut_kind)kind), expected[kind].bytes);
    }
}

static void size_functions(void **state)
{
    (void)state;
    static const char *const functions[] = {
        "mli_krn_sigm_get_lut_size", "mli_krn_tanh_get_lut_size", "mli_krn_softmax_get_lut_size",
        "mli_krn_l2_normalize_get_lut_size"};
    static const int bytes[] = {640, 688, 716, 194};
    for (size_t i = 0; i < COUNT_OF(functions); i++) {
        lb_call call = make_call(functions[i]);
        assert_string_equal(run(&call, 0), "");
        assert_int_equal(call.return_value, bytes[i]);
    }
}

/* A whole file as text, or NULL. */
static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    enum { MOST = 1 << 20 };
    char *text = malloc(MOST);
    assert_non_null(text);
    size_t length = fread(text, 1, MOST - 1, file);
    fclose(file);
    text[length] = '\0';
    return text;
}

/* The list of numbers after `key`, from the object named `name` on. */
static void compare_recorded(const char *text, const char *name, const char *key, lb_lut_kind kind)
{
    const char *at = strstr(text, name);
    assert_non_null(at);
    at = strstr(at, key);
    assert_non_null(at);
    at = strchr(at, '[');
    assert_non_null(at);
    for (int i = 0; i < lb_luts[kind].length; i++) {
        char *end;
        long entry = strtol(at + 1, &end, 10);
        assert_ptr_not_equal(end, at + 1);
        assert_int_equal(entry, lb_luts[kind].table[i]);
        assert_true(*end == (i + 1 < lb_luts[kind].length ? ',' : ']'));
        at = end;
    }
}

/* The number after `key`, from the object named `name` on. */
static long recorded_number(const char *text, const char *name, const char *key)
{
    const char *at = strstr(text, name);
    assert_non_null(at);
    at = strstr(at, key);
    assert_non_null(at);
    return strtol(at + strlen(key), NULL, 10);
}

/* What create_lut fills, and what it leaves. */
static void recorded_fields(void **state)
{
    (void)state;
    static const struct {
        const char *function, *name, *file;
    } tables[] = {
        {"mli_krn_sigm_create_lut", "\"sigm\"", "luts.json"},
        {"mli_krn_tanh_create_lut", "\"tanh\"", "luts.json"},
        {"mli_krn_softmax_create_lut", "\"softmax\"", "luts_softmax_l2.json"},
        {"mli_krn_l2_normalize_create_lut", "\"l2_normalize\"", "luts_softmax_l2.json"},
    };
    for (size_t i = 0; i < COUNT_OF(tables); i++) {
        int16_t entries[400] = {0};
        char path[300];
        snprintf(path, sizeof path, "%s/vectors/recorded/tables/%s", LASTBIT_SOURCE_DIR,
                 tables[i].file);
        char *text = read_text(path);
        assert_non_null(text);
        lb_tensor out = {.data = {.capacity_bytes = sizeof entries, .mem.ptr = entries},
                         .mem_stride = {1},
                         .shape = {COUNT_OF(entries)},
                         .rank = 1,
                         .el_type = LB_FX16};
        lb_call call = make_call(tables[i].function);
        call.tensor[LB_ROLE_OUT] = &out;
        call.list_count[LB_ROLE_OUT] = 1;
        assert_string_equal(run(&call, 0), "");
        assert_int_equal(call.config.lut_type, LB_FX16);
        assert_int_equal(call.config.lut_length,
                         recorded_number(text, tables[i].name, "\"length\":"));
        assert_int_equal(call.config.lut_in_frac_bits,
                         recorded_number(text, tables[i].name, "\"in_frac_bits\":"));
        assert_int_equal(call.config.lut_out_frac_bits,
                         recorded_number(text, tables[i].name, "\"out_frac_bits\":"));
        assert_int_equal(call.config.lut_input_offset,
                         recorded_number(text, tables[i].name, "\"input_offset\":"));
        assert_int_equal(call.config.lut_output_offset,
                         recorded_number(text, tables[i].name, "\"output_offset\":"));
        call.config = (lb_config){.lut_type = 90, .lut_length = 90, .lut_output_offset = 90};
        out.data.capacity_bytes = (uint32_t)lb_lut_size_bytes(lb_lut_of(call.kernel)) - 1;
        assert_string_equal(run(&call, 0), "out.capacity");
        assert_int_equal(call.config.lut_type, LB_FX16);
        assert_int_equal(call.config.lut_length, 90);
        assert_int_equal(call.config.lut_output_offset, 90);
        free(text);
    }
}

static void recorded_tables(void **state)
{
    (void)state;
    char *activations = read_text(LASTBIT_SOURCE_DIR "/vectors/recorded/tables/luts.json");
    char *others = read_text(LASTBIT_SOURCE_DIR "/vectors/recorded/tables/luts_softmax_l2.json");
    assert_non_null(activations);
    assert_non_null(others);
    compare_recorded(activations, "\"sigm\"", "\"values\"", LB_LUT_SIGM);
    compare_recorded(activations, "\"tanh\"", "\"values\"", LB_LUT_TANH);
    compare_recorded(others, "\"softmax\"", "\"data\"", LB_LUT_SOFTMAX);
    compare_recorded(others, "\"l2_normalize\"", "\"data\"", LB_LUT_L2_NORMALIZE);
    free(activations);
    free(others);
}

/* At the arguments of the entries both ways give the entries, but for the last one, where
 * interpolation stops one short. */
static void look_up_at_entries(void **state)
{
    (void)state;
    for (int kind = 0; kind < LB_LUT_COUNT; kind++) {
        const lb_lut *lut = &lb_luts[kind];
        for (int i = 0; i + 1 < lut->length; i++) {
            int64_t x = i - lut->input_offset;
            assert_int_equal(lb_lut_lookup((lb_lut_kind)kind, LB_ROUND_UP, x, lut->in_frac_bits),
                             lut->table[i]);
            assert_int_equal(lb_lut_lookup((lb_lut_kind)kind, LB_ROUND_CONVERGENT, x * 256,
                                           lut->in_frac_bits + 8),
                             lut->table[i]);
        }
    }
}

/* recurrent.md 4: past the table the direct way gives the first or last entry, also when the shift
 * saturates. */
static void direct_look_up_outside(void **state)
{
    (void)state;
    assert_int_equal(lb_lut_lookup(LB_LUT_TANH, LB_ROUND_UP, 32767, 5), 32767);
    assert_int_equal(lb_lut_lookup(LB_LUT_TANH, LB_ROUND_UP, 1, -128), 32767);
    assert_int_equal(lb_lut_lookup(LB_LUT_TANH, LB_ROUND_UP, -1, -128), -32767);
    assert_int_equal(lb_lut_lookup(LB_LUT_SIGM, LB_ROUND_UP, INT32_MAX, 4), 32766);
    assert_int_equal(lb_lut_lookup(LB_LUT_SIGM, LB_ROUND_UP, INT32_MIN, 4), 1);
}

/* recurrent.md 4: with interpolation the low bits of x still count there (a QUIRK). */
static void interpolation_goes_on_outside(void **state)
{
    (void)state;
    bool seen[2] = {false, false};
    for (int x = -32768; x < -32000; x++) {
        int64_t y = lb_lut_lookup(LB_LUT_SIGM, LB_ROUND_UP, x, 8);
        assert_in_range(y, 1, 2);
        seen[y - 1] = true;
    }
    assert_true(seen[0] && seen[1]);
    seen[0] = seen[1] = false;
    for (int x = 32000; x < 32768; x++) {
        int64_t y = lb_lut_lookup(LB_LUT_TANH, LB_ROUND_UP, x, 9);
        assert_in_range(y, 32766, 32767);
        seen[y - 32766] = true;
    }
    assert_true(seen[0] && seen[1]);
}

/* Halfway between two entries: sigm [160], [161] = 16384, 16896; tanh [172], [173] = 0, 1024; a tie
 * tells the modes apart. */
static void interpolation_between_entries(void **state)
{
    (void)state;
    assert_int_equal(lb_lut_lookup(LB_LUT_SIGM, LB_ROUND_UP, 8, 8), 16640);
    assert_int_equal(lb_lut_lookup(LB_LUT_TANH, LB_ROUND_UP, 8, 9), 512);
    assert_int_equal(lb_luts[LB_LUT_L2_NORMALIZE].table[0] - lb_luts[LB_LUT_L2_NORMALIZE].table[1],
                     353);
    assert_int_equal(lb_lut_lookup(LB_LUT_L2_NORMALIZE, LB_ROUND_UP, 32 * 2 + 1, 1), 23170 - 177);
    assert_int_equal(lb_lut_lookup(LB_LUT_L2_NORMALIZE, LB_ROUND_CONVERGENT, 32 * 2 + 1, 1),
                     23170 - 176);
}

/* elementwise.md 7: fractional bits above 35 act as 35 in the softmax table. */
static void more_than_thirty_bits_act_as_thirty(void **state)
{
    (void)state;
    for (int x = -65535; x <= 0; x += 771) {
        int64_t at_35 = lb_lut_lookup(LB_LUT_SOFTMAX, LB_ROUND_UP, x, 35);
        assert_int_equal(lb_lut_lookup(LB_LUT_SOFTMAX, LB_ROUND_UP, x, 36), at_35);
        assert_int_equal(lb_lut_lookup(LB_LUT_SOFTMAX, LB_ROUND_UP, x, 127), at_35);
    }
    /* a large x shows where the shift in front stops: 2^30 >> 15 >> 15 is one entry on */
    assert_int_equal(lb_lut_lookup(LB_LUT_SIGM, LB_ROUND_UP, 1 << 30, 127),
                     lb_luts[LB_LUT_SIGM].table[161]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_entry_follows_its_formula),
        cmocka_unit_test(fields_and_sizes),
        cmocka_unit_test(size_functions),
        cmocka_unit_test(recorded_tables),
        cmocka_unit_test(recorded_fields),
        cmocka_unit_test(look_up_at_entries),
        cmocka_unit_test(direct_look_up_outside),
        cmocka_unit_test(interpolation_goes_on_outside),
        cmocka_unit_test(interpolation_between_entries),
        cmocka_unit_test(more_than_thirty_bits_act_as_thirty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
