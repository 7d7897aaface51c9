/* Encodings converted: what comes out is a valid file with the same grids, what is lost is said,
 * and parameters for cases are those of the mapping. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/encodings/convert.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const versions[] = {"0.6.1", "1.0.0", "2.0.0", "2.1.0"};

#define ASYM                                                                                       \
    "\"bitwidth\":8,\"dtype\":\"int\",\"is_symmetric\":\"False\",\"min\":-1,\"max\":2.984375,"     \
    "\"scale\":0.015625,"                                                                          \
    "\"offset\":-64"
#define SYM                                                                                        \
    "\"bitwidth\":8,\"dtype\":\"int\",\"is_symmetric\":\"True\",\"min\":-2,\"max\":1.984375,"      \
    "\"scale\":0.015625,"                                                                          \
    "\"offset\":-128"
#define STRICT                                                                                     \
    "\"bitwidth\":8,\"dtype\":\"int\",\"is_symmetric\":\"True\",\"min\":-127,\"max\":127,"         \
    "\"scale\":1,\"offset\":-127"
#define ZERO                                                                                       \
    "\"bitwidth\":8,\"dtype\":\"int\",\"is_symmetric\":\"True\",\"min\":0,\"max\":2.55,\"scale\":" \
    "0.01,\"offset\":0"
#define WIDE                                                                                       \
    "\"bitwidth\":32,\"dtype\":\"int\",\"is_symmetric\":\"True\",\"min\":-2147483648,\"max\":"     \
    "2147483647,\"scale\":1,"                                                                      \
    "\"offset\":-2147483648"
#define ODD                                                                                        \
    "\"bitwidth\":6,\"dtype\":\"int\",\"is_symmetric\":\"False\",\"min\":-1,\"max\":62,\"scale\":" \
    "1,\"offset\":-1"

static const char source[] =
    "{\"version\":\"0.6.1\",\"activation_encodings\":{\"asym\":[{" ASYM "}],\"zero\":[{" ZERO
    "}],\"odd\":[{" ODD "}],"
    "\"half\":[{\"bitwidth\":16,\"dtype\":\"float\"}],\"partial\":[{\"bitwidth\":8,\"dtype\":"
    "\"int\"}]},"
    "\"param_encodings\":{\"sym\":[{" SYM "},{" SYM "}],\"strict\":[{" STRICT "}],\"bias\":[{" WIDE
    "}]},"
    "\"quantizer_args\":{\"quant_scheme\":\"a \\\"b\\\"\"},\"excluded_layers\":[\"x\"]}";

static lb_enc_file *read_valid(const char *text, size_t length)
{
    lb_enc_file *file = lb_enc_read_text("t", text, length, NULL);
    if (!file->is_valid)
        fail_msg("%.*s\n%s at %s", (int)length, text, file->error.code, file->error.where);
    return file;
}

/* The file in another version, read back; what was said of it goes to `said` (500 bytes and more
 * are cut). */
static lb_enc_file *converted(const lb_enc_file *file, const char *version, char *said,
                              size_t said_bytes)
{
    lb_enc_axes none = {0};
    lb_doc doc = lb_doc_make();
    lb_enc_remarks remarks = {.lines = lb_doc_make()};
    lb_enc_write_version(&doc, file, version, &none, &remarks);
    assert_false(doc.failed || remarks.lines.failed);
    lb_enc_file *result = read_valid(doc.text, doc.length);
    assert_string_equal(result->version, version);
    snprintf(said, said_bytes, "%.*s", (int)remarks.lines.length,
             remarks.lines.length ? remarks.lines.text : "");
    lb_doc_free(&doc);
    lb_doc_free(&remarks.lines);
    return result;
}

/* The same real numbers have the same codes: parameters in MLI terms are equal, but for the strict
 * mark. */
static void assert_same_grids(const lb_enc_tensor *a, const lb_enc_tensor *b)
{
    lb_arena arena = {0};
    lb_enc_map x, y;
    lb_enc_map_tensor(a, NULL, &arena, &x);
    lb_enc_map_tensor(b, NULL, &arena, &y);
    assert_string_equal(x.sa_code ? x.sa_code : "", y.sa_code ? y.sa_code : "");
    for (size_t i = 0; x.has_sa && !x.sa_code && i < x.count; i++) {
        assert_int_equal(x.scales[i].mantissa, y.scales[i].mantissa);
        assert_int_equal(x.scales[i].frac, y.scales[i].frac);
        assert_int_equal(x.zero_points[i], y.zero_points[i]);
    }
    lb_arena_free(&arena);
}

/* Converts and compares all that is there on both sides; the number of tensors that are. */
static size_t hold_to(const lb_enc_file *file, const char *version, char *said, size_t said_bytes)
{
    lb_enc_file *result = converted(file, version, said, said_bytes);
    size_t found = 0;
    for (size_t i = 0; i < file->tensor_count; i++) {
        const lb_enc_tensor *t = &file->tensors[i];
        const lb_enc_tensor *other = lb_enc_find(result, t->name);
        bool is_said = strstr(said, "left out") != NULL;
        if (!other)
            assert_true(is_said);
        else if (t->form != LB_ENC_PER_CHANNEL || strcmp(t->section, "encodings") != 0)
            assert_same_grids(t, other);
        found += other != NULL;
    }
    assert_int_equal(found, result->tensor_count);
    lb_enc_free(result);
    return found;
}

/* encodings.md 1.2: what each version has */
static void test_versions(void **state)
{
    static const size_t due[] = {8, 7, 5, 5};
    char said[4000];
    (void)state;
    lb_enc_file *file = read_valid(source, sizeof source - 1);
    for (size_t v = 0; v < 4; v++)
        assert_int_equal(hold_to(file, versions[v], said, sizeof said), due[v]);
    /* the last was 2.1.0 */
    assert_non_null(strstr(said, "\"odd\": left out: 2.x has integers of"));
    assert_non_null(strstr(said, "\"half\": left out"));
    assert_non_null(strstr(said, "\"partial\": left out"));
    assert_non_null(strstr(said, "\"zero\": lost: that the encoding is called symmetric"));
    assert_non_null(strstr(said, "\"strict\": lost: the lowest code"));
    assert_non_null(strstr(said, "\"sym\": axis 0 is assumed for 2 channels"));
    assert_non_null(strstr(said, "lost: \"quantizer_args\""));
    assert_non_null(strstr(said, "lost: which tensors"));
    lb_enc_free(file);
}

/* A way round all versions changes no grid, and 0.6.1 to 0.6.1 says nothing at all. */
static void test_round_trip(void **state)
{
    char said[4000];
    (void)state;
    lb_enc_file *file = read_valid(source, sizeof source - 1);
    lb_enc_file *same = converted(file, "0.6.1", said, sizeof said);
    assert_string_equal(said, "");
    lb_enc_file *one = converted(same, "1.0.0", said, sizeof said);
    lb_enc_file *two = converted(one, "2.0.0", said, sizeof said);
    lb_enc_file *back = converted(two, "0.6.1", said, sizeof said);
    assert_non_null(strstr(said, "assumed: tensors with one scale are activations"));
    assert_int_equal(back->tensor_count, 5);
    for (size_t i = 0; i < back->tensor_count; i++)
        assert_same_grids(lb_enc_find(file, back->tensors[i].name), &back->tensors[i]);
    assert_string_equal(lb_enc_find(back, "sym")->section, "param_encodings");
    assert_true(lb_enc_find(back, "asym")->grids[0].offset == -64 &&
                lb_enc_find(back, "asym")->grids[0].low == -1);
    lb_enc_free(file);
    lb_enc_free(same);
    lb_enc_free(one);
    lb_enc_free(two);
    lb_enc_free(back);
}

/* Symmetric, with the offset of a strict grid, and all codes in use: the numbers stay, and what
 * cannot be said is told. */
static void test_wide_symmetric(void **state)
{
    static const char text[] =
        "{\"version\":\"0.6.1\",\"activation_encodings\":{},\"quantizer_args\":{},"
        "\"param_encodings\":{\"w\":[{" STRICT
        "},{\"bitwidth\":8,\"dtype\":\"int\",\"is_symmetric\":"
        "\"True\",\"min\":-127,\"max\":128,\"scale\":1,\"offset\":-127}]}}";
    char said[4000];
    (void)state;
    lb_enc_file *file = read_valid(text, sizeof text - 1);
    lb_enc_file *one = converted(file, "1.0.0", said, sizeof said);
    assert_non_null(strstr(said, "is_sym is written as false"));
    lb_enc_file *back = converted(one, "0.6.1", said, sizeof said);
    assert_true(lb_enc_find(back, "w")->grids[1].high == 128);
    lb_enc_free(back);
    lb_enc_free(one);
    lb_enc_file *two = converted(file, "2.0.0", said, sizeof said);
    assert_non_null(strstr(said, "the lowest code is not used in 1 of 2 channels"));
    assert_non_null(strstr(said, "is called symmetric"));
    assert_true(lb_enc_find(two, "w")->grids[0].zero_point == 0 &&
                lb_enc_find(two, "w")->grids[1].zero_point == -1 &&
                lb_enc_find(two, "w")->grids[1].high == 128);
    lb_enc_free(two);
    lb_enc_free(file);
}

/* 1.0.0 does not tell whether such a grid is strict: it is read so, and that is told. */
static void test_assumed_strict(void **state)
{
    static const char text[] =
        "{\"version\":\"1.0.0\",\"activation_encodings\":[],\"quantizer_args\":{},"
        "\"param_encodings\":[{\"name\":\"w\",\"enc_type\":\"PER_TENSOR\",\"dtype\":\"INT\",\"bw\":"
        "8,"
        "\"is_sym\":true,\"scale\":[1],\"offset\":[-127]}]}";
    char said[4000];
    (void)state;
    lb_enc_file *file = read_valid(text, sizeof text - 1);
    static const char *const others[] = {"0.6.1", "2.0.0"};
    for (size_t i = 0; i < 2; i++) {
        lb_enc_free(converted(file, others[i], said, sizeof said));
        assert_non_null(strstr(said, "\"w\": assumed: strict"));
    }
    lb_enc_free(file);
}

/* A shift of half a step goes from 2.0.0 to 1.0.0 and back, and stays at home where a type has no
 * such zero point. */
static void test_shifted(void **state)
{
    static const char text[] =
        "{\"version\":\"2.0.0\",\"encodings\":[{\"name\":\"w\",\"axis\":0,\"y_scale\":[2,4],"
        "\"y_zero_point\":[-0.5,-0.5],\"output_dtype\":\"int2\"}]}";
    static const char outside[] =
        "{\"version\":\"1.0.0\",\"activation_encodings\":[],\"quantizer_args\":{},"
        "\"param_encodings\":[{\"name\":\"w\",\"enc_type\":\"PER_TENSOR\",\"dtype\":\"INT\",\"bw\":"
        "2,"
        "\"is_sym\":false,\"scale\":[1],\"offset\":[0],\"zero_point_shift\":[0.5]}]}";
    char said[4000];
    (void)state;
    lb_enc_file *file = read_valid(text, sizeof text - 1);
    lb_enc_file *one = converted(file, "1.0.0", said, sizeof said);
    const lb_enc_tensor *t = lb_enc_find(one, "w");
    assert_true(t->is_symmetric && t->grids[1].offset == -2 && t->grids[1].shift == 0.5);
    assert_true(t->grids[1].low == -6 && t->grids[1].high == 6);
    lb_enc_file *two = converted(one, "2.0.0", said, sizeof said);
    t = lb_enc_find(two, "w");
    assert_true(t->is_signed && t->grids[0].low == -3 && t->grids[0].high == 3);
    lb_enc_free(two);
    lb_enc_free(one);
    lb_enc_free(file);
    file = read_valid(outside, sizeof outside - 1);
    two = converted(file, "2.0.0", said, sizeof said);
    assert_int_equal(two->tensor_count, 0);
    assert_non_null(strstr(said, "\"w\": left out: with its shift"));
    lb_enc_free(two);
    lb_enc_free(file);
}

/* 2.1.0 keeps what it has; 2.0.0 gets the numbers that quantized scales are. */
static void test_quantized_scales(void **state)
{
    static const char text[] =
        "{\"version\":\"2.1.0\",\"encodings\":[{\"name\":\"w\",\"axis\":0,\"y_scale\":{\"x\":[1,3],"
        "\"x_scale\":0.25,\"input_dtype\":\"uint8\"},\"output_dtype\":\"int8\"},"
        "{\"name\":\"f\",\"axis\":1,\"block_size\":16,\"y_scale\":{\"x\":[[0.5,1],[2,1.5]],"
        "\"x_scale\":0.5,\"input_dtype\":\"float8e4m3fn\"},\"output_dtype\":\"float4e2m1\"},"
        "{\"name\":\"new\",\"output_dtype\":\"float6e2m3\"}]}";
    char said[4000];
    (void)state;
    lb_enc_file *file = read_valid(text, sizeof text - 1);
    lb_enc_file *same = converted(file, "2.1.0", said, sizeof said);
    assert_string_equal(said, "");
    assert_true(cJSON_Compare(file->root, same->root, true));
    lb_enc_free(same);
    lb_enc_file *two = converted(file, "2.0.0", said, sizeof said);
    assert_int_equal(two->tensor_count, 2);
    assert_true(lb_enc_find(two, "w")->grids[1].scale == 0.75);
    cJSON *due = cJSON_Parse("[[0.25,0.5],[1,0.75]]");
    assert_true(
        cJSON_Compare(due, cJSON_GetObjectItem(lb_enc_find(two, "f")->node, "y_scale"), true));
    cJSON_Delete(due);
    assert_non_null(strstr(said, "\"f\": lost: that the scales are quantized"));
    assert_non_null(strstr(said, "\"new\": left out"));
    lb_enc_free(two);
    lb_enc_free(file);
}

/* The encoding "w" in another version, with what the caller says of its axis; what was said of it
 * in `said`. NULL: it is left out. */
static char *block_in(const char *text, const char *version, lb_enc_axis *axis, char *said,
                      size_t said_bytes)
{
    lb_enc_axes axes = {.items = axis, .count = axis ? 1 : 0};
    lb_doc doc = lb_doc_make();
    lb_enc_remarks remarks = {.lines = lb_doc_make()};
    lb_enc_file *file = read_valid(text, strlen(text));
    lb_enc_write_version(&doc, file, version, &axes, &remarks);
    lb_enc_file *result = read_valid(doc.text, doc.length);
    const lb_enc_tensor *t = lb_enc_find(result, "w");
    char *line = NULL;
    if (t && t->node)
        line = cJSON_PrintUnformatted(t->node);
    assert_int_equal(remarks.has_failed, !t);
    snprintf(said, said_bytes, "%.*s", (int)remarks.lines.length,
             remarks.lines.length ? remarks.lines.text : "");
    lb_enc_free(result);
    lb_enc_free(file);
    lb_doc_free(&doc);
    lb_doc_free(&remarks.lines);
    return line;
}

#define AS_1(object)                                                                               \
    "{\"version\":\"1.0.0\",\"activation_encodings\":[],\"quantizer_args\":{},"                    \
    "\"param_encodings\":[" object "]}"
#define AS_2(version, object) "{\"version\":\"" version "\",\"encodings\":[" object "]}"

/* Two channels of three blocks: a scale for each, and its zero point; or 0.5 and 0.25 for the
 * channels, and whole numbers for the blocks. */
#define BLOCKS_1                                                                                   \
    "{\"name\":\"w\",\"enc_type\":\"PER_BLOCK\",\"dtype\":\"INT\",\"bw\":4,\"block_size\":32,"     \
    "\"is_sym\":false,\"scale\":[1,2,3,4,5,6],\"offset\":[0,-1,-2,-3,-4,-5]}"
#define BLOCKS_2                                                                                   \
    "{\"name\":\"w\",\"y_scale\":[[1,2,3],[4,5,6]],\"y_zero_point\":[[0,1,2],[3,4,5]],\"axis\":1," \
    "\"block_size\":32,\"output_dtype\":\"uint4\"}"
#define BLOCKS_2_FIRST                                                                             \
    "{\"name\":\"w\",\"y_scale\":[[1,4],[2,5],[3,6]],\"y_zero_point\":[[0,3],[1,4],[2,5]],"        \
    "\"axis\":0,"                                                                                  \
    "\"block_size\":32,\"output_dtype\":\"uint4\"}"
#define LPBQ_1                                                                                     \
    "{\"name\":\"w\",\"enc_type\":\"LPBQ\",\"dtype\":\"INT\",\"bw\":8,\"compressed_bw\":4,"        \
    "\"block_size\":32,\"is_sym\":true,\"scale\":[0.5,0.25],\"offset\":[-128,-128],"               \
    "\"per_block_int_scale\":[3,5,11,9,7,16]}"
#define LPBQ_2                                                                                     \
    "{\"name\":\"w\",\"per_block_int_scale\":[[3,5,11],[9,7,16]],"                                 \
    "\"per_channel_float_scale\":[[0.5],[0.25]],\"axis\":1,\"block_size\":32,"                     \
    "\"output_dtype\":\"int4\"}"
#define LPBQ_2_FIRST                                                                               \
    "{\"name\":\"w\",\"per_block_int_scale\":[[3,9],[5,7],[11,16]],"                               \
    "\"per_channel_float_scale\":[[0.5,0.25]],\"axis\":0,\"block_size\":32,"                       \
    "\"output_dtype\":\"int4\"}"
#define LPBQ_21                                                                                    \
    "{\"name\":\"w\",\"y_scale\":{\"x\":[[3,5,11],[9,7,16]],\"x_scale\":[0.5,0.25],\"axis\":0},"   \
    "\"axis\":1,\"block_size\":32,\"output_dtype\":\"int4\"}"

/* encodings.md 1.3 */
static void test_blocks(void **state)
{
    lb_enc_axis one = {.name = "w", .axis = 1, .extent = 96}, zero = {.name = "w", .extent = 96};
    lb_enc_axis odd = {.name = "w", .axis = 1, .extent = 32 * 4};
    const struct {
        const char *from, *version;
        lb_enc_axis *axis;
        const char *due, *said; /* due NULL: left out */
    } rows[] = {
        {AS_2("2.0.0", BLOCKS_2), "1.0.0", NULL, BLOCKS_1, ""},
        {AS_2("2.1.0", BLOCKS_2_FIRST), "1.0.0", NULL, BLOCKS_1, "lost: axis 0"},
        {AS_1(BLOCKS_1), "2.0.0", &one, BLOCKS_2, ""},
        {AS_1(BLOCKS_1), "2.1.0", &zero, BLOCKS_2_FIRST, ""},
        {AS_1(BLOCKS_1), "2.0.0", NULL, NULL, "--axis NAME=1:EXTENT"},
        {AS_1(BLOCKS_1), "2.0.0", &odd, NULL, "whole channels"},
        {AS_1(BLOCKS_1), "0.6.1", NULL, NULL, "no blocks"},
        {AS_1(LPBQ_1), "2.0.0", NULL, LPBQ_2, "axis 1 is assumed"},
        {AS_1(LPBQ_1), "2.0.0", &zero, LPBQ_2_FIRST, "decompressed to 8 bits"},
        {AS_1(LPBQ_1), "2.1.0", &one, LPBQ_21, "decompressed to 8 bits"},
        {AS_2("2.0.0", LPBQ_2), "1.0.0", NULL, LPBQ_1, "assumed: codes are decompressed to 8 bits"},
        {AS_2("2.0.0", LPBQ_2_FIRST), "1.0.0", NULL, LPBQ_1, "assumed"},
        {AS_2("2.1.0", LPBQ_21), "1.0.0", NULL, LPBQ_1, "assumed"},
        {AS_2("2.1.0", LPBQ_21), "2.0.0", NULL, LPBQ_2, ""},
        /* quantized by one number: in 1.0.0 the numbers that the scales are */
        {AS_2("2.1.0", "{\"name\":\"w\",\"y_scale\":{\"x\":[[2,4,6],[8,10,12]],\"x_scale\":0.5},"
                       "\"y_zero_point\":[[0,1,2],[3,4,5]],\"axis\":1,\"block_size\":32,"
                       "\"output_dtype\":\"uint4\"}"),
         "1.0.0", NULL, BLOCKS_1, "lost: that the scales are quantized"},
        {AS_2("2.0.0",
              "{\"name\":\"w\",\"y_scale\":[[[1]]],\"axis\":1,\"block_size\":2,\"output_dtype\":"
              "\"int8\"}"),
         "1.0.0", NULL, NULL, "two dimensions"},
        {AS_2("2.0.0",
              "{\"name\":\"w\",\"y_scale\":[[1]],\"axis\":1,\"block_size\":2,\"output_dtype\":"
              "\"float4e2m1\"}"),
         "1.0.0", NULL, NULL, "integers alone"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char said[1000];
        char *got = block_in(rows[i].from, rows[i].version, rows[i].axis, said, sizeof said);
        cJSON *a = got ? cJSON_Parse(got) : NULL,
              *b = rows[i].due ? cJSON_Parse(rows[i].due) : NULL;
        if ((a != NULL) != (b != NULL) || (a && !cJSON_Compare(a, b, true)) ||
            !strstr(said, rows[i].said))
            fail_msg("row %zu: %s\n%s", i, got ? got : "left out", said);
        cJSON_Delete(a);
        cJSON_Delete(b);
        cJSON_free(got);
    }
}

/* ---- Parameters for cases ---- */

static void assert_mli(const char *text, const lb_enc_mli_request *request, bool fails,
                       const char *const *parts)
{
    lb_enc_file *file = read_valid(text, strlen(text));
    lb_enc_mli_request full = *request;
    lb_enc_axes none = {0};
    lb_enc_bias bias = {
        .name = "b", .input = lb_enc_find(file, "asym"), .weights = lb_enc_find(file, "sym")};
    lb_doc doc = lb_doc_make();
    lb_enc_remarks remarks = {.lines = lb_doc_make()};
    full.axes = full.axes ? full.axes : &none;
    full.biases = &bias;
    lb_enc_write_mli(&doc, file, &full, &remarks);
    lb_doc_char(&doc, '\0');
    assert_int_equal(remarks.has_failed, fails);
    for (; *parts; parts++)
        if (!strstr(doc.text, *parts))
            fail_msg("no \"%s\" in\n%s", *parts, doc.text);
    lb_doc_free(&doc);
    lb_doc_free(&remarks.lines);
    lb_enc_free(file);
}

static void test_mli(void **state)
{
    lb_enc_axis axis = {.name = "sym", .axis = 3};
    lb_enc_axes axes = {.items = &axis, .count = 1};
    (void)state;
    static const char *const parts[] = {
        "\"asym\":\n  sa8: {type: sa8, scale: 16384, scale_frac_bits: 20, zero_point: -64, axis: "
        "-1}\n",
        "  fx16: {type: fx16, frac_bits: 13}\n  fx8: {type: fx8, frac_bits: 5}\n",
        "\"sym\":\n  sa8: {type: sa8, scale: [16384, 16384], scale_frac_bits: [20, 20], "
        "zero_point: [0, 0], axis: 3}\n",
        "\"strict\":\n  sa8: {type: sa8, scale: 16384, scale_frac_bits: 14, zero_point: 0, axis: "
        "-1} # data -127 to "
        "127\n",
        "\"odd\":\n  # no sa8: U_BITWIDTH", "\"half\":\n  # no fp32: U_FLOAT_WIDTH",
        "\"partial\": {}\n  # nothing: U_PARTIAL",
        "\"bias\":\n  sa32: {type: sa32, scale: 16384, scale_frac_bits: 14, zero_point: 0, axis: "
        "-1}\n",
        /* 2^-6 * 2^-6 */
        "\"b\":\n  sa32: {type: sa32, scale: [16384, 16384], scale_frac_bits: [26, 26], "
        "zero_point: [0, 0], axis: 0} # "
        "from",
        NULL};
    assert_mli(source, &(lb_enc_mli_request){.axes = &axes, .bias_count = 1}, false, parts);
    static const char *const only[] = {"\"asym\":\n  fx8: {type: fx8, frac_bits: 5}\n\"zero\":\n",
                                       NULL};
    assert_mli(source, &(lb_enc_mli_request){.target = "fx8"}, true,
               only); /* floats cannot, and partial ones */
}

static void test_bias_scale(void **state)
{
    /* 2^-12 is due; the file says 2^-12 * (1 + 2^-14), one unit of the mantissa, and then two. */
    static const char head[] =
        "{\"version\":\"2.0.0\",\"encodings\":[{\"name\":\"x\",\"y_scale\":0.015625,\"output_"
        "dtype\":"
        "\"int8\"},{\"name\":\"w\",\"y_scale\":0.015625,\"output_dtype\":\"int8\"},";
    (void)state;
    for (int units = 1; units <= 2; units++) {
        char text[600];
        snprintf(text, sizeof text,
                 "%s{\"name\":\"b\",\"y_scale\":%.17g,\"output_dtype\":\"int32\"}]}", head,
                 ldexp(1 + units * 0x1p-14, -12));
        lb_enc_file *file = read_valid(text, strlen(text));
        lb_enc_bias bias = {
            .name = "b", .input = lb_enc_find(file, "x"), .weights = lb_enc_find(file, "w")};
        lb_enc_axes none = {0};
        lb_enc_mli_request request = {.axes = &none, .biases = &bias, .bias_count = 1};
        lb_doc doc = lb_doc_make();
        lb_enc_remarks remarks = {.lines = lb_doc_make()};
        lb_enc_write_mli(&doc, file, &request, &remarks);
        lb_doc_char(&remarks.lines, '\0');
        assert_int_equal(strstr(remarks.lines.text, "W_BIAS_SCALE") != NULL, units == 2);
        lb_doc_free(&doc);
        lb_doc_free(&remarks.lines);
        lb_enc_free(file);
    }
}

/* 0.5 in steps of 0.0004 * 2^-23 is more than int32 has: 0.1024 is the most. */
static void test_bias_range(void **state)
{
    static const char text[] =
        "{\"version\":\"2.0.0\",\"encodings\":["
        "{\"name\":\"x\",\"y_scale\":0.0004,\"output_dtype\":\"int8\"},"
        "{\"name\":\"w\",\"axis\":0,\"y_scale\":[1,1.1920928955078125e-07,1],\"output_dtype\":"
        "\"int8\"},"
        "{\"name\":\"b\",\"y_scale\":2.3283064365386963e-10,\"output_dtype\":\"int32\"}]}";
    (void)state;
    lb_enc_file *file = read_valid(text, sizeof text - 1);
    lb_enc_bias bias = {
        .name = "b", .input = lb_enc_find(file, "x"), .weights = lb_enc_find(file, "w")};
    lb_enc_axes none = {0};
    lb_enc_mli_request request = {.axes = &none, .biases = &bias, .bias_count = 1};
    lb_doc doc = lb_doc_make();
    lb_enc_remarks remarks = {.lines = lb_doc_make()};
    lb_enc_write_mli(&doc, file, &request, &remarks);
    lb_doc_char(&remarks.lines, '\0');
    assert_non_null(
        strstr(remarks.lines.text, "\"b\": W_BIAS_RANGE: channel 1: 0.5 is stored as 0.1024"));
    size_t before = file->warning_count;
    lb_enc_warn_of_bias(file, &bias, &none);
    assert_int_equal(file->warning_count, before + 2); /* one scale for three channels, too */
    assert_string_equal(file->warnings[before + 1].code, "W_BIAS_RANGE");
    assert_string_equal(file->warnings[before + 1].where, "/encodings/2");
    lb_doc_free(&doc);
    lb_doc_free(&remarks.lines);
    lb_enc_free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_versions),         cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_blocks),           cmocka_unit_test(test_shifted),
        cmocka_unit_test(test_quantized_scales), cmocka_unit_test(test_wide_symmetric),
        cmocka_unit_test(test_assumed_strict),   cmocka_unit_test(test_mli),
        cmocka_unit_test(test_bias_scale),       cmocka_unit_test(test_bias_range)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
