/* What error messages of encodings files say would be right, is: each remedy is applied to a file
 * that gets it, and the file is valid then, or the next message is about something else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/encodings/encodings.h"
#include "harness/encodings/tests/broken_texts.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The remedy, applied to the first text that gets it: what of the text goes, and what comes into
 * its place. */
typedef struct fix {
    const char *remedy, *cut, *put;
    const char *next; /* code of the next error; "": the file is valid then */
} fix;

static const fix fixes[] = {
    {"export the encodings anew", "", "{}", "E_MISSING_FIELD"},
    {"was the file cut short?", "{\"version\":\"0.6.1\"", "{\"version\":\"0.6.1\"}",
     "E_MISSING_FIELD"},
    {"JSON knows the straight quotation mark \" alone", "\xE2\x80\x9Cversion\xE2\x80\x9D: 1",
     "\"version\": 1", "E_VERSION_TYPE"},
    {"leave it out", ",]", "]", "E_MISSING_FIELD"},
    {"is a comma missing before it?", "1 \"b\"", "1, \"b\"", "E_MISSING_FIELD"},
    {"write \"key\": value", "\"a\" 1", "\"a\": 1", "E_MISSING_FIELD"},
    {"export the tensor anew with finite numbers", "NaN", "0.5", "E_MISSING_FIELD"},
    {"JSON has no comments: take it out", "// note\x0A", "", "E_MISSING_FIELD"},
    {"JSON strings stand in \"double quotes\"", "'a'", "\"a\"", "E_MISSING_FIELD"},
    {"write out what they stand for", "...", "[]", "E_MISSING_FIELD"},
    {"the file is one JSON object and nothing more", " x", "", "E_MISSING_FIELD"},
    {"write the number without leading zeros", "08", "8", "E_MISSING_FIELD"},
    {"write 1.0 or 1 for 1.", "8.", "8.0", "E_MISSING_FIELD"},
    {"write the number without +", "+1", "1", "E_MISSING_FIELD"},
    {"write it in decimal", "0x8", "8", "E_MISSING_FIELD"},
    {"write it as \\uXXXX or leave it out", "\x09", "\\u0009", "E_MISSING_FIELD"},
    {"save the file as UTF-8", "\xFF", "\xC3\xBF", "E_MISSING_FIELD"},
    {"a pair \\uD8..\\uDC.. writes one character", "\\ud800", "\\ud83d\\ude00", "E_MISSING_FIELD"},
    {"leave the character out", "\\u0000", "", "E_MISSING_FIELD"},
    {"give each its own name, or take one out", ",\"version\":\"0.4.0\"", "", "E_MISSING_FIELD"},
    {"an encodings file is one object, {...}", "[]", "{}", "E_MISSING_FIELD"},
    {"a version is a text such as \"0.6.1\"", "0.6", "\"0.6.1\"", "E_MISSING_FIELD"},
    {"up to 0.4.x, 0.5.x, 0.6.x, 1.0.x, 2.0.x and 2.1.x are read", "0.7.0", "0.6.1",
     "E_MISSING_FIELD"},
    {"an empty section stands in the file all the same", "\"2.1.0\"", "\"2.1.0\",\"encodings\":[]",
     ""},
    {"an empty section is {}; \"--bare-parameters\" reads a file of parameters alone",
     "{\"w\":", "{\"activation_encodings\":{},\"param_encodings\":{},\"w\":", ""},
    {"write an object, {...}", "[]", "{}", ""},
    {"write a list, [...]", "\"activation_encodings\":{}", "\"activation_encodings\":[]", ""},
    {"leave the tensor out, or give it an encoding", "\"a~b/c\":[]", "", ""},
    {"one tensor has one encoding", ",\"param_encodings\":{\"a\":[]}", ",\"param_encodings\":{}",
     ""},
    {"\"dtype\": \"int\", or \"float\"", "\"x\":1", "\"dtype\": \"int\"", "E_MISSING_FIELD"},
    {"write a string", "\"dtype\":8", "\"dtype\":\"8\"", "E_DTYPE"},
    {"\"int\" or \"float\", in lower case", "\"INT\"", "\"int\"", "E_BITWIDTH_RANGE"},
    {"\"bitwidth\": 8, or another width", "\"dtype\":\"int\"", "\"dtype\":\"int\",\"bitwidth\": 8",
     ""},
    {"write a number, without quotes", "\"bitwidth\":\"8\"", "\"bitwidth\":8", ""},
    {"a binary64 number reaches to 1.8e308", "1e999", "1e308", "E_BITWIDTH_RANGE"},
    {"a whole number; -114.0 is one", "8.5", "8.0", ""},
    {"a width from 4 to 32", "\"bitwidth\":3", "\"bitwidth\":4", ""},
    {"\"is_symmetric\": \"False\", or \"True\"", "\"min\"", "\"is_symmetric\": \"False\",\"min\"",
     "E_FIELD_TYPE"},
    {"write \"True\" or \"False\"", "\"is_symmetric\":1", "\"is_symmetric\":\"True\"",
     "E_FIELD_TYPE"},
    {"exactly \"True\" or \"False\"", "\"is_symmetric\":\"\"", "\"is_symmetric\":\"False\"", ""},
    {"a number", "\"max\"", "\"min\": 1, \"max\"", "E_FIELD_TYPE"},
    {"\"offset\": -64, as its neighbours say", "\"scale\":0.015625",
     "\"scale\":0.015625,\"offset\": -64", ""},
    {"\"scale\": 0.015625, as its neighbours say", "\"max\":2.984375",
     "\"max\":2.984375,\"scale\": 0.015625", "E_MISSING_FIELD"},
    {"\"min\": -1, as its neighbours say", "\"max\":2.984375", "\"min\": -1,\"max\":2.984375", ""},
    {"\"max\": 2.984375, as its neighbours say", "\"min\":-1", "\"min\":-1,\"max\": 2.984375", ""},
    {"max is greater than min", "\"max\":1", "\"max\":2", "E_SCALE_NONPOS"},
    {"a scale is greater than 0", "\"scale\":0", "\"scale\":0.00392156862745098", "E_OFFSET_SIGN"},
    {"(max - min) / scale is 255 at 8 bits: a scale of 0.0039215686274509803", "\"scale\":1",
     "\"scale\":0.0039215686274509803", "E_OFFSET_SIGN"},
    {"offsets are 0 or negative; \"--tf-offsets recompute\" reads what the first TensorFlow "
     "exporter wrote",
     "\"offset\":64", "\"offset\":-64", ""},
    {"at 8 bits an offset is -255 to 0", "\"offset\":-256", "\"offset\":-255", "E_OFFSET_MISMATCH"},
    {"\"is_symmetric\": \"False\"", "\"is_symmetric\":\"True\"", "\"is_symmetric\": \"False\"", ""},
    {"min / scale, rounded: -64", "\"offset\":-63", "\"offset\":-64", ""},
    {"min and max that lie less than 1.8e308 apart", "\"min\":-1e308,\"max\":1e308",
     "\"min\":-8e307,\"max\":8e307", "E_SCALE_MISMATCH"},
    {"all channels of a tensor agree", "\"is_symmetric\":\"True\",\"min\":-2,\"max\":1.984375",
     "\"is_symmetric\":\"False\",\"min\":-2,\"max\":1.984375", ""},
    {"\"version\": \"0.5.0\", by which the file is valid", "\"version\":\"0.4.0\"",
     "\"version\": \"0.5.0\"", ""},
    {"leave dtype out: version 0.4 has integers alone", "\"dtype\":\"INT\",", "", ""},
    {"\"version\": \"0.5.0\": version 0.4 has integers alone", "\"version\":\"0.4.0\"",
     "\"version\": \"0.5.0\"", "E_MISSING_FIELD"},
    {"\"int\" or \"float\"", "\"dtype\":\"INT\"", "\"dtype\":\"int\"", ""},
    {"the name of the tensor", "\"enc_type\":\"x\"", "\"name\":\"w\",\"enc_type\":\"x\"",
     "E_ENC_TYPE"},
    {"\"enc_type\": \"PER_TENSOR\", or another", "\"name\":\"w\"",
     "\"name\":\"w\",\"enc_type\": \"PER_TENSOR\"", "E_MISSING_FIELD"},
    {"PER_TENSOR, PER_CHANNEL, PER_BLOCK, LPBQ or VECTOR", "per_tensor", "PER_TENSOR",
     "E_MISSING_FIELD"},
    {"\"dtype\": \"INT\", or \"FLOAT\"", "\"PER_TENSOR\"", "\"PER_TENSOR\",\"dtype\": \"INT\"",
     "E_MISSING_FIELD"},
    {"\"INT\" or \"FLOAT\", in upper case", "\"dtype\":\"int\"", "\"dtype\":\"INT\"",
     "E_MISSING_FIELD"},
    {"\"bw\": 8, or another width", "\"dtype\":\"INT\"", "\"dtype\":\"INT\",\"bw\": 8",
     "E_MISSING_FIELD"},
    {"\"is_sym\": false, or true", "\"bw\":8", "\"bw\":8,\"is_sym\": false", "E_MISSING_FIELD"},
    {"true or false, without quotes", "\"is_sym\":\"True\"", "\"is_sym\":true", "E_MISSING_FIELD"},
    {"a list of scales, [0.1] for one", "\"offset\":1", "\"scale\":[0.1],\"offset\":1",
     "E_FIELD_TYPE"},
    {"a list with an offset for each scale", "\"scale\":[1]", "\"scale\":[1],\"offset\":[-128]",
     ""},
    {"one scale at least", "\"scale\":[]", "\"scale\":[1]", "E_FIELD_TYPE"},
    {"one scale, or enc_type PER_CHANNEL", "PER_TENSOR", "PER_CHANNEL", "E_SCALE_NONPOS"},
    {"one offset for each scale", "\"offset\":[1]", "\"offset\":[1,1]", "E_SCALE_NONPOS"},
    {"\"is_sym\": false, or the offset -128, -127 or 0 of a symmetric encoding of 8 bits",
     "\"is_sym\":true", "\"is_sym\": false", ""},
    {"the elements that share a scale", "\"offset\":[-128]", "\"offset\":[-128],\"block_size\":2",
     "E_SCALE_NONPOS"},
    {"1 or more", "\"block_size\":0", "\"block_size\":1", "E_SCALE_NONPOS"},
    {"the width of the codes, less than bw", "\"block_size\":4",
     "\"block_size\":4,\"compressed_bw\":7", "E_MISSING_FIELD"},
    {"a list of whole numbers, one for each block", "\"compressed_bw\":4",
     "\"compressed_bw\":4,\"per_block_int_scale\":[1]", ""},
    {"1 to 16, 2^(bw - compressed_bw)", "[16,17]", "[16,16]", ""},
    {"as many as its neighbour has: 3", "[4]", "[4,5,6]", ""},
    {"as many blocks for each channel", "[[1],[2],[3],[4]]", "[[1,2],[3,4]]", ""},
    {"one number: this format has blocks along one dimension", "\"block_size\":[1,4]",
     "\"block_size\":4", ""},
    {"-128 for every channel of LPBQ", "[-127]", "[-128]", ""},
    {"one shift for each scale", "[0.5]", "[0.5,0.5]", ""},
    {"a fraction, as 0.5 is", "[0.5,1]", "[0.5,0.5]", ""},
    {"0: only grids of 2 bits are shifted", "\"zero_point_shift\":[0.5]",
     "\"zero_point_shift\":[0]", ""},
    {"int2: -2 to 1", "-2.5", "-2", ""},
    {"uint2: 0 to 3", "-1", "0", ""},
    {"\"output_dtype\": \"int8\", or another type", "\"y_scale\":0",
     "\"output_dtype\": \"int8\",\"y_scale\":0", "E_SCALE_NONPOS"},
    {"the dimension that the list of scales belongs to", "\"y_scale\":[0]",
     "\"y_scale\":[0],\"axis\":0", "E_SCALE_NONPOS"},
    {"a list with a scale for each block, or no block_size", ",\"block_size\":2", "", ""},
    {"a number, a list, or lists of lists", "\"int8\"", "\"int8\",\"y_scale\":1", ""},
    {"\"version\": \"2.1.0\", which has objects there", "\"version\":\"2.0.0\"",
     "\"version\": \"2.1.0\"", "E_MISSING_FIELD"},
    {"one entry at least", "\"y_scale\":[]", "\"y_scale\":[1]", ""},
    {"either y_scale, or per_block_int_scale and per_channel_float_scale",
     ",\"per_block_int_scale\":[1],\"block_size\":2", "", ""},
    {"a list of scales, one for each channel", "\"per_block_int_scale\":[1]",
     "\"per_block_int_scale\":[1],\"per_channel_float_scale\":[1]", ""},
    {"one number: this format has scales along one dimension", "\"axis\":[0]", "\"axis\":0", ""},
    {"the list of quantized scales", "\"x_scale\":1", "\"x\":[[1]],\"x_scale\":1", ""},
    {"what makes scales of x, a number or a list", "\"x\":[[3]]", "\"x\":[[3]],\"x_scale\":1", ""},
    {"a number, a list of numbers, or lists of lists of them", "\"x_scale\":\"1\"", "\"x_scale\":1",
     ""},
    {"the dimension of x that the list x_scale belongs to", "\"x_scale\":[1]",
     "\"x_scale\":[1],\"axis\":0", ""},
    {"a dimension of x, -2 to 1", "\"axis\":2", "\"axis\":-2", ""},
    {"1 along dimension 0 of x", "\"x_scale\":[1,1]", "\"x_scale\":[1]", ""},
    {"the entries of x that share an entry of x_scale", "\"axis\":0", "\"axis\":0,\"block_size\":1",
     ""},
    {"lists of x_scale, or no block_size", ",\"block_size\":1}", "}", ""},
    {"lists as deep as those of x, of 8 levels at most", "\"x_scale\":[1]", "\"x_scale\":[[1]]",
     ""},

    {"a number, as its neighbour is one", "\"x_zero_point\":[1]", "\"x_zero_point\":1", ""},
    {"a list, as its neighbour is one", "\"x_zero_point\":1", "\"x_zero_point\":[1]", ""},
    {"a whole number, or the name of a float type as input_dtype", "\"x_scale\":1",
     "\"x_scale\":1,\"input_dtype\":\"float8e4m3fn\"", ""},
    {"uint4: 0 to 15", "16", "15", ""},
};
enum { FIX_COUNT = sizeof fixes / sizeof fixes[0], TEXT_COUNT = sizeof errors / sizeof errors[0] };

static lb_enc_file *read_text(const char *text)
{
    return lb_enc_read_text("t", text, strlen(text), NULL);
}

/* Remedies that differ in numbers alone are one. */
static bool is_same_kind(const char *a, const char *b)
{
    while (*a && *b) {
        size_t in_a = strspn(a, "-.0123456789"), in_b = strspn(b, "-.0123456789");
        if ((in_a > 0) != (in_b > 0) || (in_a == 0 && *a != *b))
            return false;
        a += in_a ? in_a : 1;
        b += in_b ? in_b : 1;
    }
    return *a == *b;
}

static void apply(const fix *f, const char *text, const lb_enc_note *was)
{
    const char *at = strstr(text, f->cut);
    char fixed[2000];
    if (!at)
        fail_msg("\"%s\": no %s in %s", f->remedy, f->cut, text);
    snprintf(fixed, sizeof fixed, "%.*s%s%s", (int)(at - text), text, f->put, at + strlen(f->cut));
    lb_enc_file *file = read_text(fixed);
    const char *got = file->is_valid ? "" : file->error.code;
    bool is_same = !file->is_valid && strcmp(got, was->code) == 0 &&
                   strcmp(file->error.where, was->where) == 0 &&
                   strcmp(file->error.problem, was->problem) == 0;
    if (strcmp(got, f->next) != 0 || is_same)
        fail_msg("\"%s\": %s\nexpected \"%s\", got \"%s\" at %s: %s", f->remedy, fixed, f->next,
                 got, file->is_valid ? "" : file->error.where,
                 file->is_valid ? "" : file->error.problem);
    lb_enc_free(file);
}

static void test_fixes(void **state)
{
    (void)state;
    for (size_t i = 0; i < FIX_COUNT; i++) {
        bool found = false;
        for (size_t k = 0; k < TEXT_COUNT && !found; k++) {
            lb_enc_file *file = read_text(errors[k].text);
            found = strcmp(file->error.remedy, fixes[i].remedy) == 0;
            if (found)
                apply(&fixes[i], errors[k].text, &file->error);
            lb_enc_free(file);
        }
        if (!found)
            fail_msg("no text gets \"%s\"", fixes[i].remedy);
    }
}

/* No remedy that the broken texts get is left untried. */
static void test_all_tried(void **state)
{
    (void)state;
    for (size_t k = 0; k < TEXT_COUNT; k++) {
        lb_enc_file *file = read_text(errors[k].text);
        bool found = file->error.remedy[0] == '\0';
        for (size_t i = 0; i < FIX_COUNT && !found; i++)
            found = is_same_kind(file->error.remedy, fixes[i].remedy);
        if (!found)
            fail_msg("%s: no fix for \"%s\"", errors[k].text, file->error.remedy);
        lb_enc_free(file);
    }
}

/* ---- Warnings ---- */

/* What a warning says would be right has no warning. */
static void test_warnings(void **state)
{
    static const struct {
        const char *text, *remedy, *fixed;
    } rows[] = {
        {"{\"activation_encodings\":{},\"param_encodings\":{}}", "add \"version\": \"0.4.0\"",
         V0("0.4.0", "{}", "{}", "")},
        {V0("0.5.0",
            "{\"a\":[{\"dtype\":\"int\",\"bitwidth\":8,\"is_symmetric\":false," RANGE "}]}", "{}",
            ""),
         "write \"True\" or \"False\"", V0("0.5.0", "{\"a\":[" GOOD "]}", "{}", "")},
        {V0("0.5.0", "{}", "{\"w\":[" GOOD "]}", ""), "quantize parameters symmetrically",
         V0("0.5.0", "{}", "{\"w\":[" GOOD_SYM "]}", "")},
        {V1("{" HEAD1("PER_TENSOR") "\"scale\":[0.015625],\"offset\":[-127]}"),
         "0.6.1 says it, by min and max", V0("0.6.1", "{}", "{\"w\":[" STRICT_SYM "]}", ARGS)},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        lb_enc_file *file = read_text(rows[i].text);
        assert_int_equal(file->warning_count, 1);
        assert_string_equal(file->warnings[0].remedy, rows[i].remedy);
        lb_enc_free(file);
        file = read_text(rows[i].fixed);
        assert_true(file->is_valid);
        assert_int_equal(file->warning_count, 0);
        lb_enc_free(file);
    }
}

/* ---- Files that override encodings ---- */

/* The remedy of the error and that of the missing version agree, and lead to a valid file. */
static void assert_version(const char *body, const char *version)
{
    char text[500], due[100];
    snprintf(text, sizeof text, "{%s}", body);
    lb_enc_file *file = read_text(text);
    snprintf(due, sizeof due, "\"version\": \"%s\"", version);
    assert_false(file->is_valid);
    assert_non_null(strstr(file->error.remedy, due));
    bool is_told = false;
    for (size_t i = 0; i < file->warning_count; i++)
        if (strcmp(file->warnings[i].code, "W_NO_VERSION") == 0)
            is_told = strstr(file->warnings[i].remedy, due) != NULL;
    assert_true(is_told);
    lb_enc_free(file);
    snprintf(text, sizeof text, "{\"version\":\"%s\",%s}", version, body);
    file = read_text(text);
    assert_true(file->is_valid);
    lb_enc_free(file);
}

static void test_overrides(void **state)
{
    (void)state;
    assert_version("\"activation_encodings\":{\"a\":[{\"bitwidth\":16,\"dtype\":\"float\"}]},"
                   "\"param_encodings\":{}",
                   "0.5.0");
    assert_version("\"activation_encodings\":{\"a\":[{\"bitwidth\":16,\"dtype\":\"int\"}]},"
                   "\"param_encodings\":{}",
                   "0.5.0");
    assert_version("\"activation_encodings\":{\"a\":[{\"bitwidth\":16,\"dtype\":\"float\"}]},"
                   "\"param_encodings\":{},\"quantizer_args\":{}",
                   "0.6.1");
    assert_version("\"activation_encodings\":[],\"param_encodings\":[]", "1.0.0");
    assert_version("\"encodings\":[{\"name\":\"a\",\"output_dtype\":\"int8\",\"y_scale\":1}]",
                   "2.0.0");
    assert_version("\"encodings\":[{\"name\":\"a\",\"output_dtype\":\"int8\",\"axis\":0,"
                   "\"y_scale\":{\"x\":[1],\"x_scale\":1}}]",
                   "2.1.0");
}

/* Bit width, min and max alone: remedy after remedy makes the file a valid one. */
static void test_min_max_alone(void **state)
{
    char members[300] = "\"bitwidth\":8,\"min\":-1.3,\"max\":2.7";
    (void)state;
    for (unsigned step = 0;; step++) {
        char text[500];
        snprintf(text, sizeof text,
                 "{\"version\":\"0.4.0\",\"activation_encodings\":{\"a\":[{%s}]},\"param_"
                 "encodings\":{}}",
                 members);
        lb_enc_file *file = read_text(text);
        if (file->is_valid) {
            assert_int_equal(step, 3);
            assert_int_equal(file->tensors[0].grids[0].offset, -83);
            lb_enc_free(file);
            return;
        }
        assert_true(step < 3);
        assert_string_equal(file->error.code, "E_MISSING_FIELD");
        size_t length = strlen(members);
        snprintf(members + length, sizeof members - length, ",%.*s",
                 (int)strcspn(file->error.remedy, ","), file->error.remedy);
        lb_enc_free(file);
    }
}

/* AIMET's twins in YAML are told as what they are. */
static void test_yaml(void **state)
{
    static const char text[] = "version: 0.6.1\nactivation_encodings: {}\n";
    static const char *const rows[][2] = {
        {"x/m.encodings.yaml", "use m.encodings, its twin in JSON beside it"},
        {"m.yml", "use m, its twin in JSON beside it"},
        {"m.encodings", "use its twin in JSON, which is written beside it"}};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        lb_enc_file *file = lb_enc_read_text(rows[i][0], text, sizeof text - 1, NULL);
        assert_string_equal(file->error.code, "E_JSON_SYNTAX");
        assert_non_null(strstr(file->error.problem, "this is YAML"));
        assert_string_equal(file->error.remedy, rows[i][1]);
        lb_enc_free(file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fixes),     cmocka_unit_test(test_all_tried),
        cmocka_unit_test(test_overrides), cmocka_unit_test(test_min_max_alone),
        cmocka_unit_test(test_yaml),      cmocka_unit_test(test_warnings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
