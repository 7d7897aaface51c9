/* Cases that take quantization from an encodings file, and data that are real numbers. */
#define _GNU_SOURCE
#include "harness/tests/fixture.h"

#include <math.h>

/* 8-bit activations of 1/64 with zero point -64, symmetric weights of two channels, 1/128 and 1/32,
 * and what cannot be had. */
static const char encodings[] = "{\"version\":\"0.5.0\",\"activation_encodings\":{"
                                "\"act\":[{\"bitwidth\":8,\"dtype\":\"int\",\"is_symmetric\":"
                                "\"False\",\"min\":-1,\"max\":2.984375,\"scale\":0."
                                "015625,\"offset\":-64}],"
                                "\"f32\":[{\"bitwidth\":32,\"dtype\":\"float\"}],\"none\":[{"
                                "\"bitwidth\":8,\"dtype\":\"int\"}]},"
                                "\"param_encodings\":{"
                                "\"w\":[{\"bitwidth\":8,\"dtype\":\"int\",\"is_symmetric\":"
                                "\"True\",\"min\":-1,\"max\":0.9921875,\"scale\":0."
                                "0078125,\"offset\":-128},"
                                "{\"bitwidth\":8,\"dtype\":\"int\",\"is_symmetric\":\"True\","
                                "\"min\":-4,\"max\":3.96875,\"scale\":0.03125,"
                                "\"offset\":-128}],"
                                "\"strict\":[{\"bitwidth\":8,\"dtype\":\"int\",\"is_symmetric\":"
                                "\"True\",\"min\":-127,\"max\":127,\"scale\":1,"
                                "\"offset\":-127}]}}";

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/lastbit-test-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

typedef struct heard {
    unsigned count;
    lb_diagnostic first;
} heard;

static void hear(void *user, const lb_diagnostic *diagnostic)
{
    heard *h = user;
    if (h->count++ == 0)
        h->first = *diagnostic;
}

static void write_text(const char *name, const char *text)
{
    char path[160];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0 && fclose(file) == 0);
}

/* A suite of one conversion: from `in` to `out`, TENSORs in JSON. NULL if it has problems. */
static lb_suite *load(const char *in, const char *out, heard *h)
{
    char path[160], text[4000];
    lb_diagnostics diagnostics = {.report = hear, .user = h};
    snprintf(text, sizeof text,
             SUITE("{\"id\":\"c\",\"function\":\"mli_hlp_convert_tensor\",\"inputs\":{\"in\":%s},"
                   "\"outputs\":{\"out\":%s}}"),
             in, out);
    *h = (heard){0};
    write_text("e.encodings", encodings);
    write_text("s.json", text);
    snprintf(path, sizeof path, "%s/s.json", folder);
    lb_suite *suite = lb_suite_open(path, &diagnostics);
    unlink(path);
    snprintf(path, sizeof path, "%s/e.encodings", folder);
    unlink(path);
    return suite;
}

static const char out_fp32[] = "{\"type\":\"fp32\",\"shape\":[1]}";

static void assert_data(const char *tensor, size_t count, const int32_t *data, lb_case_tensor *copy)
{
    heard h;
    lb_suite *suite = load(tensor, out_fp32, &h);
    if (!suite)
        fail_msg("%s: %s: %s", tensor, h.first.key, h.first.problem);
    lb_suite_reader *reader = lb_suite_reader_open(suite);
    const lb_case *c = lb_suite_reader_case(reader, 0, NULL);
    const lb_case_tensor *t = &c->operand[LB_ROLE_IN].tensors[0];
    assert_true(t->has_data);
    assert_int_equal(t->data.count, count);
    for (size_t i = 0; i < count; i++)
        if (t->data.items[i] != data[i])
            fail_msg("%s: [%zu] is %d, not %d", tensor, i, t->data.items[i], data[i]);
    *copy = *t;
    if (copy->scale) {
        copy->frac_bits =
            copy->scale_frac_bits[0]; /* what a test asks for, beyond the life of the suite */
        copy->capacity_bytes = (uint32_t)copy->scale[0];
    }
    if (copy->clamped) {
        static char clamped[256]; /* likewise */
        snprintf(clamped, sizeof clamped, "%s", copy->clamped);
        copy->clamped = clamped;
    }
    lb_suite_reader_close(reader);
    lb_suite_close(suite);
}
#define DATA(tensor, copy, ...)                                                                    \
    assert_data(tensor, sizeof((const int32_t[]){__VA_ARGS__}) / sizeof(int32_t),                  \
                (const int32_t[]){__VA_ARGS__}, copy)
#define ENC(more) "\"encoding\":{\"file\":\"e.encodings\"," more "}"

static void test_activations(void **state)
{
    lb_case_tensor t;
    (void)state;
    DATA("{\"type\":\"sa8\",\"shape\":[7]," ENC(
             "\"tensor\":\"act\"") ",\"real_data\":[0,0.015625,0.0078125,-0.0078125,9,\"-inf\",1]}",
         &t, -64, -63, -64, -64, 127, -128, 0);
    assert_int_equal(t.axis, -1);
    assert_int_equal(t.capacity_bytes, 16384);
    assert_int_equal(t.frac_bits, 20);
    DATA("{\"type\":\"sa8\",\"shape\":[3],\"real_halves\":\"up\"," ENC(
             "\"tensor\":\"act\"") ",\"real_data\":[0.0078125,-0.0078125,-0.0234375]}",
         &t, -63, -64, -65);
    DATA("{\"type\":\"fx16\",\"shape\":[3]," ENC(
             "\"tensor\":\"act\"") ",\"real_data\":[1,-4.5,0.00006103515625]}",
         &t, 8192, -32768, 0);
    assert_int_equal(t.frac_bits, 13);
    DATA("{\"type\":\"fx8\",\"shape\":[2]," ENC(
             "\"tensor\":\"act\"") ",\"real_data\":{\"generator\":\"constant\",\"value\":0.5}}",
         &t, 16, 16);
    DATA("{\"type\":\"fp32\",\"shape\":[1]," ENC("\"tensor\":\"f32\"") ",\"real_data\":[1]}", &t,
         0x3F800000);
    DATA("{\"type\":\"sa8\",\"shape\":[2]," ENC(
             "\"tensor\":\"strict\"") ",\"real_data\":[-200,200]}",
         &t, -127, 127);
}

static void test_channels(void **state)
{
    lb_case_tensor t;
    (void)state;
    DATA("{\"type\":\"sa8\",\"shape\":[2,2]," ENC(
             "\"tensor\":\"w\"") ",\"real_data\":[0.5,-0.5,0.5,-0.5]}",
         &t, 64, -64, 16, -16);
    assert_int_equal(t.axis, 0);
    DATA("{\"type\":\"sa8\",\"shape\":[2,2]," ENC(
             "\"tensor\":\"w\",\"axis\":1") ",\"real_data\":[0.5,-0.5,0.5,-0.5]}",
         &t, 64, -16, 64, -16);
    assert_int_equal(t.axis, 1);
    /* 1/64 * 1/128 and 1/64 * 1/32 */
    DATA("{\"type\":\"sa32\",\"shape\":[2]," ENC(
             "\"input\":\"act\",\"weights\":\"w\"") ",\"real_data\":[0.5,0.5]}",
         &t, 4096, 1024);
    assert_int_equal(t.capacity_bytes, 16384);
    assert_int_equal(t.frac_bits, 27);
}

/* A bias that 32 bits do not hold keeps the first number that did not fit; sa8 is meant to clamp.
 */
static void test_clamped_bias(void **state)
{
    lb_case_tensor t;
    (void)state;
    DATA("{\"type\":\"sa32\",\"shape\":[3],\"scale\":[1,1,1],\"scale_frac_bits\":[31,31,31],"
         "\"zero_point\":[0,0,0],\"axis\":0,\"real_data\":[0.5,1.5,-2]}",
         &t, 1073741824, INT32_MAX, INT32_MIN);
    assert_string_equal(t.clamped, "channel 1: 1.5 is stored as 1, and 1 more");
    DATA("{\"type\":\"sa32\",\"shape\":[2],\"scale\":1,\"scale_frac_bits\":31,\"zero_point\":0,"
         "\"axis\":-1,"
         "\"real_data\":[-1,\"inf\"]}",
         &t, INT32_MIN, INT32_MAX);
    assert_null(t.clamped);
    DATA("{\"type\":\"sa8\",\"shape\":[1],\"scale\":1,\"scale_frac_bits\":0,\"zero_point\":0,"
         "\"axis\":-1,"
         "\"real_data\":[1000]}",
         &t, 127);
    assert_null(t.clamped);
}

static void test_own_quantization(void **state)
{
    lb_case_tensor t;
    (void)state;
    DATA("{\"type\":\"sa8\",\"shape\":[2],\"scale\":3,\"scale_frac_bits\":4,\"zero_point\":2,"
         "\"axis\":-1,\"real_data\":"
         "[0.375,-99]}",
         &t, 4, -128);
    DATA("{\"type\":\"fx8\",\"shape\":[2],\"frac_bits\":-2,\"real_data\":[12,1e9]}", &t, 3, 127);
    DATA("{\"type\":\"sa8\",\"shape\":[2],\"scale\":[1,2],\"scale_frac_bits\":[0,0],\"zero_point\":"
         "[0,1],\"axis\":0,"
         "\"real_data\":[5,5]}",
         &t, 5, 3);
}

/* Elements of four bits, packed in a text or a file, and real numbers of element formats. */
static void test_element_formats(void **state)
{
    lb_case_tensor t;
    char path[160], tensor[400];
    (void)state;
    DATA("{\"type\":\"float4e2m1\",\"shape\":[3],\"data\":{\"packed\":\"21 0D\"}}", &t, 1, 2, 13);
    DATA("{\"type\":\"float4e2m1\",\"shape\":[1],\"data\":{\"packed\":\"21\"}}", &t,
         1); /* padding-nonzero is a warning */
    DATA("{\"type\":\"int4\",\"shape\":[2],\"data\":{\"packed\":\"f8\"}}", &t, -8, -1);
    DATA("{\"type\":\"uint4\",\"shape\":[2],\"data\":{\"packed\":\"f8\"}}", &t, 8, 15);
    DATA("{\"type\":\"float4e2m1\",\"shape\":[4],\"real_data\":[0.3,-0.25,\"nan\",1e30]}", &t, 1, 8,
         7, 7);
    DATA("{\"type\":\"int4\",\"shape\":[3],\"real_data\":[2.5,-99,\"inf\"]}", &t, 2, -8, 7);
    DATA("{\"type\":\"float16\",\"shape\":[2],\"real_data\":[1,-2]}", &t, 0x3C00, (int16_t)0xC000);
    DATA("{\"type\":\"packed4\",\"shape\":[2],\"data\":[255,1]}", &t, -1, 1);
    snprintf(path, sizeof path, "%s/f4.bin", folder);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs("\x21\x03", file) >= 0 && fclose(file) == 0);
    DATA("{\"type\":\"float4e2m1\",\"shape\":[3],\"data\":{\"packed_file\":\"f4.bin\"}}", &t, 1, 2,
         3);
    snprintf(tensor, sizeof tensor,
             "{\"type\":\"uint4\",\"shape\":[2,2],\"data\":{\"packed_file\":\"%s\"}}", path);
    DATA(tensor, &t, 1, 2, 3, 0);
    unlink(path);
}

static void test_complaints(void **state)
{
    static const struct {
        const char *tensor, *key, *part;
    } rows[] = {
        {"{\"type\":\"sa8\",\"shape\":[1],\"encoding\":{\"file\":\"none\",\"tensor\":\"act\"}}",
         "encoding.file", "E_UNREADABLE"},
        {"{\"type\":\"sa8\",\"shape\":[1],\"encoding\":{\"tensor\":\"act\"}}", "encoding.file",
         "missing"},
        {"{\"type\":\"sa8\",\"shape\":[1]," ENC("\"tensor\":\"akt\"") "}", "encoding.tensor",
         "has no tensor"},
        {"{\"type\":\"sa8\",\"shape\":[1]," ENC("\"axis\":0") "}", "encoding", "not clear"},
        {"{\"type\":\"sa8\",\"shape\":[1]," ENC("\"tensor\":\"act\",\"input\":\"act\"") "}",
         "encoding", "not clear"},
        {"{\"type\":\"sa8\",\"shape\":[1]," ENC("\"tensor\":\"act\",\"x\":1") "}", "encoding.x",
         "unknown key"},
        {"{\"type\":\"sa32\",\"shape\":[1]," ENC("\"tensor\":\"act\"") "}", "encoding",
         "U_BITWIDTH"},
        {"{\"type\":\"fp32\",\"shape\":[1]," ENC("\"tensor\":\"act\"") "}", "encoding",
         "U_BITWIDTH"},
        {"{\"type\":\"sa8\",\"shape\":[1]," ENC("\"tensor\":\"f32\"") "}", "encoding",
         "U_FLOAT_WIDTH"},
        {"{\"type\":\"fx8\",\"shape\":[1]," ENC("\"tensor\":\"none\"") "}", "encoding",
         "U_PARTIAL"},
        {"{\"type\":\"sa8\",\"shape\":[3]," ENC("\"tensor\":\"w\"") "}", "encoding.axis", "U_AXIS"},
        {"{\"type\":\"sa8\",\"shape\":[2]," ENC("\"tensor\":\"w\",\"axis\":1") "}", "encoding.axis",
         "U_AXIS"},
        {"{\"type\":\"sa8\",\"shape\":[1]," ENC("\"input\":\"act\",\"weights\":\"strict\"") "}",
         "encoding", "bias"},
        {"{\"type\":\"sa8\",\"shape\":[1],\"axis\":0," ENC("\"tensor\":\"act\"") "}", "axis",
         "takes its place"},
        {"{\"type\":\"fx8\",\"shape\":[1],\"frac_bits\":0," ENC("\"tensor\":\"act\"") "}",
         "frac_bits", "takes its place"},
        {"{\"type\":\"fx8\",\"shape\":[1],\"frac_bits\":0,\"data\":[1],\"real_data\":[1]}", "data",
         "takes its place"},
        {"{\"type\":\"fx8\",\"shape\":[1],\"frac_bits\":0,\"data\":[1],\"real_halves\":\"up\"}",
         "real_halves", "there are none"},
        {"{\"type\":\"fx8\",\"shape\":[1],\"frac_bits\":0,\"real_data\":[\"nan\"]}", "real_data[0]",
         "NaN"},
        {"{\"type\":\"fx8\",\"shape\":[2],\"frac_bits\":0,\"real_data\":[1]}", "real_data",
         "1 number where the shape asks for 2"},
        {"{\"type\":\"fx8\",\"shape\":[1],\"frac_bits\":0,\"real_data\":[true]}", "real_data[0]",
         "true"},
        {"{\"type\":\"sa8\",\"shape\":[1],\"scale\":0,\"scale_frac_bits\":4,\"zero_point\":2,"
         "\"axis\":-1,\"real_data\":"
         "[1]}",
         "real_data", "scales above 0"},
        {"{\"type\":\"sa8\",\"shape\":[1],\"scale\":[1],\"scale_frac_bits\":[4],\"zero_point\":[2],"
         "\"axis\":2,\"real_"
         "data\":[1]}",
         "real_data", "a place in the shape"},
        {"{\"type\":\"sa8\",\"shape\":[3],\"scale\":[1],\"scale_frac_bits\":[4],\"zero_point\":[2],"
         "\"axis\":0,\"real_"
         "data\":[1,2,3]}",
         "real_data", "3 indices"},
        {"{\"type\":\"float4e2m1\",\"shape\":[3],\"data\":{\"packed\":\"21\"}}", "data",
         "too-short: 1 bytes for 3 elements"},
        {"{\"type\":\"float4e2m1\",\"shape\":[2],\"data\":{\"packed\":\"2103\"}}", "data",
         "too-long"},
        {"{\"type\":\"float4e2m1\",\"shape\":[2],\"data\":{\"packed\":\"2\"}}", "data.packed",
         "is no byte"},
        {"{\"type\":\"float4e2m1\",\"shape\":[2],\"data\":{\"packed\":21}}", "data.packed",
         "expected text"},
        {"{\"type\":\"float4e2m1\",\"shape\":[2],\"data\":{\"packed_file\":\"none.bin\"}}",
         "data.packed_file", "No such file"},
        {"{\"type\":\"float4e2m1\",\"shape\":[2],\"data\":{\"packed_file\":\".\"}}",
         "data.packed_file", "is a folder"},
        {"{\"type\":\"float4e2m1\",\"shape\":[2],\"data\":{\"packed\":\"21\",\"packed_file\":\"x\"}"
         "}",
         "data.packed_file", "beside packed"},
        {"{\"type\":\"sa8\",\"shape\":[2],\"scale\":1,\"scale_frac_bits\":0,\"zero_point\":0,"
         "\"axis\":-1,\"data\":{"
         "\"packed\":\"21\"}}",
         "data", "more than four bits"},
        {"{\"type\":\"float4e2m1\",\"shape\":[1],\"data\":[16]}", "data[0]", "16 is out of range"},
        {"{\"type\":\"int4\",\"shape\":[1],\"real_data\":[\"nan\"]}", "real_data[0]", "NaN"},
        {"{\"type\":\"packed4\",\"shape\":[1],\"real_data\":[1]}", "real_data", "no real numbers"},
        {"{\"type\":\"float4e2m1\",\"shape\":[1],\"frac_bits\":0,\"data\":[1]}", "frac_bits",
         "belongs to fx types"},
        {"{\"type\":\"float4e2m1\",\"shape\":[1]," ENC("\"tensor\":\"act\"") "}", "encoding", "U_"},
        {"{\"type\":\"sa8\",\"shape\":[3],\"quant_in\":null,\"real_data\":[1,2,3]}", "real_data",
         "scales above 0"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        heard h;
        char key[200];
        lb_suite *suite = load(rows[i].tensor, out_fp32, &h);
        snprintf(key, sizeof key, "inputs.in.%s", rows[i].key);
        if (suite || strcmp(h.first.key, key) != 0 || !strstr(h.first.problem, rows[i].part))
            fail_msg("%s: %s: %s", rows[i].tensor, h.first.key, h.first.problem);
        lb_suite_close(suite);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_activations),      cmocka_unit_test(test_channels),
        cmocka_unit_test(test_own_quantization), cmocka_unit_test(test_clamped_bias),
        cmocka_unit_test(test_element_formats),  cmocka_unit_test(test_complaints)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
