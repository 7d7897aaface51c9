/* Encodings files: every error class and warning of encodings.md with its pointer, the order of
 * checks, and what the parser must not let pass. The texts are this test's own;
 * where the recorded files are at hand, they are held to their index too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/encodings/show.h"
#include "harness/encodings/tests/broken_texts.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const row warnings[] = {
    {V0("0.6.1", "{}", "{}", ARGS), NULL, NULL},
    {V0("0.6.1", "{}", "{}", ""), "W_NO_QUANTIZER_ARGS", "/quantizer_args"},
    {V0("1.0.0", "[]", "[]", ""), "W_NO_QUANTIZER_ARGS", "/quantizer_args"},
    {V0("0.5.0", "{}", "{}", ""), NULL, NULL},
    {V0("0.6.0", "{}", "{}", ARGS), "W_VERSION_PATCH", "/version"},
    {V0("0.4.12", "{}", "{}", ""), "W_VERSION_PATCH", "/version"},
    {V0("0.0.1", "{}", "{}", ""), "W_VERSION_PATCH", "/version"},
    {"{\"activation_encodings\":{},\"param_encodings\":{}}", "W_NO_VERSION", "/version"},
    {"\xEF\xBB\xBF" V0("0.6.1", "{}", "{}", ARGS), "W_BOM", ""},
    {V0("0.5.0", "{}", "{}", ARGS), "W_UNKNOWN_FIELD", "/quantizer_args"},
    {V0("0.6.1", "{}", "{}", ARGS ",\"excluded_layers\":[]"), NULL, NULL},
    {V0("0.6.1", "{}", "{}", ",\"quantizer_args\":{\"x/y\":1}"), "W_UNKNOWN_FIELD",
     "/quantizer_args/x~1y"},
    {V0("0.6.1", "{}", "{}", ",\"quantizer_args\":{\"is_symmetric\":true}"), NULL, NULL},
    {ENTRY(INT8 RANGE ",\"Scale\":1"), "W_UNKNOWN_FIELD", "/activation_encodings/a/0/Scale"},
    {ENTRY("\"dtype\":\"float\",\"bitwidth\":16,\"scale\":\"x\""), "W_UNKNOWN_FIELD",
     "/activation_encodings/a/0/scale"},
    {V0("0.4.0", "{\"a\":[" GOOD "]}", "{}", ""), "W_UNKNOWN_FIELD",
     "/activation_encodings/a/0/dtype"},
    {ENTRY("\"dtype\":\"int\",\"bitwidth\":8,\"is_symmetric\":false," RANGE), "W_BOOL_LITERAL",
     "/activation_encodings/a/0/is_symmetric"},
    {V0("0.6.1", "{}", "{\"w\":[" GOOD "]}", ARGS), "W_PARAM_ZERO_POINT", "/param_encodings/w"},
    {V0("0.6.1", "{}", "{\"w\":[" GOOD_SYM "]}", ARGS), NULL, NULL},
    {ENTRY(INT8 "\"min\":0,\"max\":2.55e-36,\"scale\":1e-38,\"offset\":0"), "W_SCALE_PRECISION",
     "/activation_encodings/a"},
    {ENTRY(INT8 "\"min\":0,\"max\":255e-50,\"scale\":1e-50,\"offset\":0"), NULL,
     NULL}, /* out of range: no precision left to lose */
    {V1("{" INT2 "\"scale\":[1,1],\"offset\":[-2,-2],\"zero_point_shift\":[0.5,0]}"), NULL, NULL},
    {V1("{" INT2 "\"scale\":[1,1],\"offset\":[-2,-2],\"zero_point_shift\":[0.5,-0.5]}"),
     "W_SHIFT_SIGN", "/param_encodings/0/zero_point_shift"},
    {V1("{" HEAD1("PER_TENSOR") "\"scale\":[1],\"offset\":[-128],\"zero_point_shift\":[0]}"), NULL,
     NULL},
    /* strict or not: 1.0 does not tell, and neither do 32 bits beside a scale of 24 */
    {V0("0.6.1", "{}", "{\"w\":[" STRICT_SYM "," STRICT_SYM "]}", ARGS), NULL, NULL},
    {V1("{" HEAD1("PER_CHANNEL") "\"scale\":[1,1],\"offset\":[-128,-127]}"), "W_SYM_RANGE",
     "/param_encodings/0/offset"},
    {ENTRY("\"bitwidth\":32,\"dtype\":\"int\",\"is_symmetric\":\"True\",\"min\":-2147483647,"
           "\"max\":2147483640,\"scale\":1,\"offset\":-2147483647"),
     "W_SYM_RANGE", "/activation_encodings/a"},
    {V1("{\"name\":\"f\",\"enc_type\":\"PER_TENSOR\",\"dtype\":\"FLOAT\",\"bw\":16,\"is_sym\":1}"),
     "W_UNKNOWN_FIELD", "/param_encodings/0/is_sym"},
    /* 2.1 is 2.0 and more; what it may gain is told where it stands */
    {V21("{\"name\":\"a\",\"output_dtype\":\"uint8\",\"y_scale\":1}"), NULL, NULL},
    {META("\"x\":[[3,5],[11,9],[7,16]],\"x_scale\":[0.001,0.002,0.003],\"axis\":0"), NULL, NULL},
    {META("\"x\":[[0.5,1],[2,1.5]],\"x_scale\":0.0009,\"input_dtype\":\"float8e4m3fn\""), NULL,
     NULL},
    {META("\"x\":[[3]],\"x_scale\":1,\"y\":1"), "W_UNKNOWN_FIELD", "/encodings/0/y_scale/y"},
    {META("\"x\":[[3]],\"x_scale\":1,\"input_dtype\":\"float8e8m0\""), "W_UNKNOWN_DTYPE",
     "/encodings/0/y_scale/input_dtype"},
    {V21("{\"name\":\"a\",\"output_dtype\":\"float6e2m3\",\"y_scale\":\"?\"}"), "W_UNKNOWN_DTYPE",
     "/encodings/0/output_dtype"},
    {V2("{\"name\":\"a\",\"output_dtype\":\"uint8\",\"y_scale\":1,\"z\":0}"), "W_UNKNOWN_FIELD",
     "/encodings/0/z"},
};

/* encodings.md 2.1, 2.2, 2.6, 2.7: what is no JSON, and what a parser might let pass */
static void test_errors(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        const row *r = &errors[i];
        lb_enc_file *file = lb_enc_read_text("t", r->text, strlen(r->text), NULL);
        if (file->is_valid || strcmp(file->error.code, r->code) != 0 ||
            strcmp(file->error.where, r->where) != 0)
            fail_msg("%s\nexpected %s at %s, got %s at %s", r->text, r->code, r->where,
                     file->is_valid ? "valid" : file->error.code,
                     file->is_valid ? "" : file->error.where);
        assert_true(file->error.line > 0 && file->error.column > 0 && file->error.problem[0]);
        assert_int_equal(file->tensor_count, 0);
        lb_enc_free(file);
    }
}

/* encodings.md 2.3 */
static void test_warnings(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof warnings / sizeof warnings[0]; i++) {
        const row *r = &warnings[i];
        lb_enc_file *file = lb_enc_read_text("t", r->text, strlen(r->text), NULL);
        if (!file->is_valid)
            fail_msg("%s\nexpected a valid file, got %s at %s", r->text, file->error.code,
                     file->error.where);
        size_t due = r->code ? 1 : 0;
        if (file->warning_count != due || (due && (strcmp(file->warnings[0].code, r->code) != 0 ||
                                                   strcmp(file->warnings[0].where, r->where) != 0)))
            fail_msg("%s\nexpected %s, got %zu warnings, the first %s at %s", r->text,
                     due ? r->code : "no warning", file->warning_count,
                     file->warning_count ? file->warnings[0].code : "-",
                     file->warning_count ? file->warnings[0].where : "-");
        lb_enc_free(file);
    }
}

/* Every value that is cut short is an error, and none is a crash. */
static void test_cut_short(void **state)
{
    static const char whole[] = V0("0.6.1", "{\"a\":[" GOOD "]}", "{\"w\":[" GOOD_SYM "]}", ARGS);
    (void)state;
    for (size_t length = 0; length < sizeof whole - 1; length++) {
        char *copy = malloc(length + 1); /* of exactly that size, so that a byte too far is seen */
        assert_non_null(copy);
        memcpy(copy, whole, length);
        lb_enc_file *file = lb_enc_read_text("t", copy, length, NULL);
        assert_false(file->is_valid);
        assert_string_equal(file->error.code, "E_JSON_SYNTAX");
        lb_enc_free(file);
        free(copy);
    }
}

static void test_nesting(void **state)
{
    (void)state;
    for (size_t depth = 999; depth <= 1001; depth++) {
        char *text = malloc(2 * depth + 1);
        assert_non_null(text);
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        lb_enc_file *file = lb_enc_read_text("t", text, 2 * depth, NULL);
        assert_string_equal(file->error.code, depth > 1000 ? "E_JSON_SYNTAX" : "E_ROOT_TYPE");
        lb_enc_free(file);
        free(text);
    }
}

static void test_places(void **state)
{
    static const char text[] =
        "{\r\n \"version\" : \"0.6.1\",\n \"activation_encodings\": {\"\xC3\xA4\": [{" INT8
        "\"min\":-1,\n\"max\":2.984375,\"scale\": -0.5,\"offset\":-64}]},\n\"param_encodings\":{}}";
    (void)state;
    lb_enc_file *file = lb_enc_read_text("t", text, sizeof text - 1, NULL);
    assert_string_equal(file->error.code, "E_SCALE_NONPOS");
    assert_string_equal(file->error.where, "/activation_encodings/\xC3\xA4/0/scale");
    assert_int_equal(file->error.line, 4);
    assert_int_equal(file->error.column, 25);
    assert_int_equal(file->error.offset, strstr(text, "-0.5") - text);
    lb_enc_free(file);
}

/* Numbers longer than the parser's buffer are numbers all the same. */
static void test_long_numbers(void **state)
{
    char text[2000], zeros[301];
    (void)state;
    memset(zeros, '0', 300);
    zeros[300] = '\0';
    snprintf(text, sizeof text,
             V06("{\"a\":[{" INT8
                 "\"min\":-1.%s,\"max\":2.984375%s,\"scale\":0.015625%s1,\"offset\":-64.%s}]}"),
             zeros, zeros, zeros, zeros);
    lb_enc_file *file = lb_enc_read_text("t", text, strlen(text), NULL);
    assert_true(file->is_valid);
    assert_true(file->tensors[0].grids[0].scale == 0.015625);
    assert_int_equal(file->tensors[0].grids[0].offset, -64);
    lb_enc_free(file);
    snprintf(text, sizeof text, V06("{\"a\":[{" INT8 "\"min\":-1%s%s,\"max\":1}]}"), zeros, zeros);
    file = lb_enc_read_text("t", text, strlen(text), NULL);
    assert_string_equal(file->error.code, "E_NONFINITE");
    lb_enc_free(file);
}

/* encodings.md 2.5 */
static void test_tf_offsets(void **state)
{
    static const char cut[] =
        V06("{\"a\":[{" INT8 "\"min\":-1,\"max\":2.984375,\"scale\":0.015625,\"offset\":63}]}");
    static const char far[] =
        V06("{\"a\":[{" INT8 "\"min\":-1,\"max\":2.984375,\"scale\":0.015625,\"offset\":62}]}");
    lb_enc_options options = {.recompute_tf_offsets = true};
    (void)state;
    lb_enc_file *file = lb_enc_read_text("t", cut, sizeof cut - 1, &options);
    assert_true(file->is_valid);
    assert_int_equal(file->tensors[0].grids[0].offset, -64);
    assert_string_equal(file->warnings[0].code, "W_OFFSET_RECOMPUTED");
    lb_enc_free(file);
    file = lb_enc_read_text("t", cut, sizeof cut - 1, NULL);
    assert_string_equal(file->error.code, "E_OFFSET_SIGN");
    lb_enc_free(file);
    file = lb_enc_read_text("t", far, sizeof far - 1, &options);
    assert_string_equal(file->error.code, "E_OFFSET_MISMATCH");
    lb_enc_free(file);
}

/* encodings.md 2.4, the last two points */
static void test_bare(void **state)
{
    static const char text[] = "{\"w\":[" GOOD_SYM "," GOOD_SYM "]}";
    lb_enc_options options = {.bare_parameters = true};
    (void)state;
    lb_enc_file *file = lb_enc_read_text("t", text, sizeof text - 1, &options);
    assert_true(file->is_valid);
    assert_int_equal(file->tensor_count, 1);
    assert_string_equal(file->tensors[0].section, "param_encodings");
    assert_string_equal(file->tensors[0].where, "/w");
    assert_int_equal(file->tensors[0].scale_count, 2);
    lb_enc_free(file);
}

static void test_unreadable(void **state)
{
    (void)state;
    lb_enc_file *file = lb_enc_read("/", NULL);
    assert_string_equal(file->error.code, "E_UNREADABLE");
    lb_enc_free(file);
    file = lb_enc_read("/dev/null", NULL);
    assert_string_equal(file->error.code, "E_UNREADABLE");
    lb_enc_free(file);
    file = lb_enc_read("/no/such/file", NULL);
    assert_string_equal(file->error.code, "E_UNREADABLE");
    lb_enc_free(file);
}

/* ---- The recorded files ---- */

static char *read_whole(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = calloc(1, (size_t)size + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, file), size);
    fclose(file);
    return text;
}

static bool same_warnings(const cJSON *a, const cJSON *b)
{
    if (cJSON_GetArraySize(a) != cJSON_GetArraySize(b))
        return false;
    for (const cJSON *x = a->child; x; x = x->next) {
        int in_a = 0, in_b = 0;
        for (const cJSON *y = a->child; y; y = y->next)
            in_a += cJSON_Compare(x, y, true);
        for (const cJSON *y = b->child; y; y = y->next)
            in_b += cJSON_Compare(x, y, true);
        if (in_a != in_b)
            return false;
    }
    return true;
}

/* When the files were recorded, 2.1.0 was not read: a file of older sections that calls itself so
 * fails another check now. */
static bool is_of_new_version(const lb_enc_file *file, const cJSON *record)
{
    return strcmp(cJSON_GetObjectItem(record, "file")->valuestring, "bad_version_v210.encodings") ==
               0 &&
           !file->is_valid && strcmp(file->error.code, "E_MISSING_FIELD") == 0 &&
           strcmp(file->error.where, "/encodings") == 0;
}

static void hold_to(const char *path, const cJSON *record, const lb_enc_options *options)
{
    lb_enc_axes none = {0};
    lb_doc doc = lb_doc_make();
    lb_enc_file *file = lb_enc_read(path, options);
    lb_enc_show_json(&doc, file, &none);
    lb_doc_char(&doc, '\0');
    cJSON *shown = cJSON_Parse(doc.text);
    assert_non_null(shown);
    bool valid = cJSON_IsTrue(cJSON_GetObjectItem(record, "valid"));
    bool good = valid == file->is_valid;
    if (good && !valid && !is_of_new_version(file, record))
        good = strcmp(file->error.code, cJSON_GetObjectItem(record, "error")->valuestring) == 0 &&
               strcmp(file->error.where, cJSON_GetObjectItem(record, "where")->valuestring) == 0;
    if (good && valid)
        good = cJSON_Compare(cJSON_GetObjectItem(record, "version"),
                             cJSON_GetObjectItem(shown, "version"), true) &&
               same_warnings(cJSON_GetObjectItem(record, "warnings"),
                             cJSON_GetObjectItem(shown, "warnings")) &&
               cJSON_Compare(cJSON_GetObjectItem(record, "tensors"),
                             cJSON_GetObjectItem(shown, "tensors"), true);
    if (!good)
        fail_msg("%s: %s", path, doc.text);
    cJSON_Delete(shown);
    lb_doc_free(&doc);
    lb_enc_free(file);
}

static void test_recorded(void **state)
{
    char path[1024];
    unsigned held = 0;
    (void)state;
    snprintf(path, sizeof path, "%s/vectors/recorded/encodings/index.json", LASTBIT_SOURCE_DIR);
    char *text = read_whole(path);
    assert_non_null(text);
    cJSON *index = cJSON_Parse(text);
    assert_non_null(index);
    for (const cJSON *r = cJSON_GetObjectItem(index, "files")->child; r; r = r->next, held++) {
        const cJSON *other = cJSON_GetObjectItem(r, "with_option_tf_offsets_recompute");
        lb_enc_options options = {.recompute_tf_offsets = true};
        snprintf(path, sizeof path, "%s/vectors/recorded/encodings/%s", LASTBIT_SOURCE_DIR,
                 cJSON_GetObjectItem(r, "file")->valuestring);
        hold_to(path, r, NULL);
        if (other)
            hold_to(path, other, &options);
    }
    print_message("%u recorded files\n", held);
    assert_int_equal(held, 123);
    cJSON_Delete(index);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors),     cmocka_unit_test(test_warnings),
        cmocka_unit_test(test_cut_short),  cmocka_unit_test(test_nesting),
        cmocka_unit_test(test_places),     cmocka_unit_test(test_long_numbers),
        cmocka_unit_test(test_tf_offsets), cmocka_unit_test(test_bare),
        cmocka_unit_test(test_unreadable), cmocka_unit_test(test_recorded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
