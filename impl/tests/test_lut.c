/* Look-up tables: every entry against its formula and, where they are at hand, against the recorded
 * tables; the fields that create_lut writes, room, NULL (recurrent.md 3, elementwise.md 6). */
#include <math.h>
#include <stdlib.h>

#include "rnn_support.h"

static double entry_sigm(int i)
{
    return floor(32768 / (1 + exp(-(i - 160) / 16.0)) + 0.5);
}
static double entry_tanh(int i)
{
    return floor(32768 * tanh((i - 172) / 32.0) + 0.5);
}
static double entry_softmax(int i)
{
    return fmin(32767, floor(32768 * exp((i - 356) / 32.0) + 0.5));
}
static double entry_l2(int i)
{
    return floor(131072 / sqrt(i + 32) + 0.5);
}

static const struct {
    const char *name;
    create_fn *create;
    int32_t (*size)(void);
    double (*entry)(int);
    int32_t length, in_frac_bits, out_frac_bits, input_offset;
} kinds[] = {
    {"sigm", mli_krn_sigm_create_lut, mli_krn_sigm_get_lut_size, entry_sigm, 320, 4, 15, 160},
    {"tanh", mli_krn_tanh_create_lut, mli_krn_tanh_get_lut_size, entry_tanh, 344, 5, 15, 172},
    {"softmax", mli_krn_softmax_create_lut, mli_krn_softmax_get_lut_size, entry_softmax, 358, 5, 15,
     356},
    {"l2_normalize", mli_krn_l2_normalize_create_lut, mli_krn_l2_normalize_get_lut_size, entry_l2,
     97, 0, 17, -32},
};

static void test_entries(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(kinds); k++) {
        struct table t;
        make_table(&t, kinds[k].create);
        assert_int_equal(kinds[k].size(), 2 * kinds[k].length);
        assert_int_equal(t.lut.length, kinds[k].length);
        assert_int_equal(t.lut.type, MLI_EL_FX_16);
        assert_int_equal(t.lut.in_frac_bits, kinds[k].in_frac_bits);
        assert_int_equal(t.lut.out_frac_bits, kinds[k].out_frac_bits);
        assert_int_equal(t.lut.input_offset, kinds[k].input_offset);
        assert_int_equal(t.lut.output_offset, 0);
        assert_int_equal(t.lut.data.capacity, sizeof t.data);
        assert_ptr_equal(t.lut.data.mem.pi16, t.data);
        for (int i = 0; i < kinds[k].length; i++) {
            if (t.data[i] != (int16_t)kinds[k].entry(i))
                fail_msg("%s: entry %d is %d, should be %g", kinds[k].name, i, t.data[i],
                         kinds[k].entry(i));
        }
    }
}

/* Landmarks of recurrent.md 3 and elementwise.md 6, which need no mathematical library. */
static void test_landmarks(void **state)
{
    (void)state;
    static const struct {
        int kind, index, value;
    } marks[] = {{0, 0, 1},      {0, 1, 2},      {0, 160, 16384}, {0, 318, 32766}, {0, 319, 32766},
                 {1, 0, -32767}, {1, 1, -32767}, {1, 172, 0},     {1, 342, 32766}, {1, 343, 32767},
                 {2, 0, 0},      {2, 1, 0},      {2, 356, 32767}, {2, 357, 32767}, {3, 0, 23170},
                 {3, 32, 16384}, {3, 96, 11585}};
    for (size_t i = 0; i < COUNT(marks); i++) {
        struct table t;
        make_table(&t, kinds[marks[i].kind].create);
        assert_int_equal(t.data[marks[i].index], marks[i].value);
    }
}

/* Text of a file, to be freed; NULL if there is none. */
static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    if (!file)
        return NULL;
    if (fseek(file, 0, SEEK_END) == 0) {
        const long size = ftell(file);
        rewind(file);
        text = size > 0 ? malloc((size_t)size + 1) : NULL;
        if (text)
            text[fread(text, 1, (size_t)size, file)] = 0;
    }
    fclose(file);
    return text;
}

/* The list of numbers under a key of an object, itself under a name. */
static void compare_list(const char *text, const char *name, const char *key, const int16_t *table,
                         int length)
{
    char quoted[32];
    snprintf(quoted, sizeof quoted, "\"%s\":", name);
    const char *at = strstr(text, quoted);
    assert_non_null(at);
    snprintf(quoted, sizeof quoted, "\"%s\":[", key);
    at = strstr(at, quoted);
    assert_non_null(at);
    at += strlen(quoted);
    for (int i = 0; i < length; i++) {
        char *end;
        assert_int_equal(strtol(at, &end, 10), table[i]);
        assert_true(*end == (i + 1 < length ? ',' : ']'));
        at = end + 1;
    }
}

static void test_recorded(void **state)
{
    (void)state;
    static const char *const files[] = {LASTBIT_SOURCE_DIR "/vectors/recorded/tables/luts.json",
                                        LASTBIT_SOURCE_DIR
                                        "/vectors/recorded/tables/luts_softmax_l2.json"};
    for (size_t f = 0; f < COUNT(files); f++) {
        char *text = read_file(files[f]);
        assert_non_null(text);
        for (size_t k = 2 * f; k < 2 * f + 2; k++) {
            struct table t;
            make_table(&t, kinds[k].create);
            compare_list(text, kinds[k].name, f == 0 ? "values" : "data", t.data, kinds[k].length);
        }
        free(text);
    }
}

/* Exactly enough room; a byte less, and a negative number of bytes, set the type alone. */
static void test_room(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(kinds); k++) {
        struct table t;
        memset(&t, 0x5A, sizeof t);
        t.lut.data.mem.pi16 = t.data;
        t.lut.data.capacity = 2 * (uint32_t)kinds[k].length;
        assert_int_equal(kinds[k].create(&t.lut), MLI_STATUS_OK);
        for (size_t i = (size_t)kinds[k].length; i < COUNT(t.data); i++)
            assert_int_equal(t.data[i], 0x5A5A);
        assert_int_equal(kinds[k].create(NULL), MLI_STATUS_BAD_FUNC_CFG);
        needs_checks();
        const uint32_t little[] = {2 * (uint32_t)kinds[k].length - 1, 0, 0x80000000U};
        for (size_t i = 0; i < COUNT(little); i++) {
            struct table before;
            memset(&t, 0x5A, sizeof t);
            t.lut.data.mem.pi16 = t.data;
            t.lut.data.capacity = little[i];
            before = t;
            before.lut.type = MLI_EL_FX_16;
            assert_int_equal(kinds[k].create(&t.lut), MLI_STATUS_NOT_ENGH_MEM);
            assert_memory_equal(&t, &before, sizeof t);
        }
        t.lut.data.mem.pi16 = NULL;
        t.lut.data.capacity = 1000;
        assert_int_equal(kinds[k].create(&t.lut), MLI_STATUS_BAD_FUNC_CFG);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entries),
        cmocka_unit_test(test_landmarks),
        cmocka_unit_test(test_recorded),
        cmocka_unit_test(test_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
