/* Element formats, held to what was recorded: scales, biases, ranges and values of quantization,
 * and all of float4. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reference/core/float4.h"
#include "reference/core/formats.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A recorded table. */
static cJSON *recorded(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/vectors/recorded/tables/%s", LASTBIT_SOURCE_DIR, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = calloc(1, (size_t)size + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, file), size);
    fclose(file);
    cJSON *root = cJSON_Parse(text);
    assert_non_null(root);
    free(text);
    return root;
}

static const cJSON *member(const cJSON *object, const char *key)
{
    const cJSON *found = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!found)
        fail_msg("no %s", key);
    return found;
}

static int number(const cJSON *object, const char *key)
{
    return (int)member(object, key)->valuedouble;
}

static uint32_t pattern(const cJSON *text)
{
    return (uint32_t)strtoul(text->valuestring, NULL, 16);
}

static float real(const cJSON *text)
{
    uint32_t bits = pattern(text);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static lb_scale pair_of(const cJSON *list)
{
    return (lb_scale){(int16_t)list->child->valueint, (int8_t)list->child->next->valueint};
}

static void test_scales(const cJSON *rows)
{
    for (const cJSON *r = rows->child; r; r = r->next) {
        lb_scale pair;
        double scale = strtod(member(r, "hex")->valuestring, NULL);
        bool good = lb_scale_from_real(scale, &pair);
        assert_int_equal(good, !cJSON_HasObjectItem(r, "error"));
        if (good && (pair.mantissa != number(r, "m") || pair.frac != number(r, "n")))
            fail_msg("%a: %d, %d", scale, pair.mantissa, pair.frac);
    }
}

static void test_biases(const cJSON *rows)
{
    for (const cJSON *r = rows->child; r; r = r->next) {
        double product = lb_scale_product(pair_of(member(r, "in")), pair_of(member(r, "w")));
        lb_scale due = pair_of(member(r, "bias")), pair;
        lb_grid grid = {.step = product, .low = INT32_MIN, .high = INT32_MAX};
        assert_true(lb_scale_from_real(product, &pair));
        assert_int_equal(pair.mantissa, due.mantissa);
        assert_int_equal(pair.frac, due.frac);
        for (const cJSON *v = member(r, "values")->child; v; v = v->next) {
            int64_t q;
            assert_true(lb_quantize(grid, real(member(v, "b")), LB_HALVES_TO_EVEN, &q));
            assert_int_equal(q, (int64_t)member(v, "q")->valuedouble);
        }
    }
}

static void test_ranges(const cJSON *rows)
{
    static const char *const keys[2] = {"fx16", "fx8"};
    for (const cJSON *r = rows->child; r; r = r->next)
        for (unsigned w = 0; w < 2; w++) {
            const cJSON *due = member(r, keys[w]);
            int frac = lb_frac_bits_of_range(member(r, "min")->valuedouble,
                                             member(r, "max")->valuedouble, w ? 8 : 16);
            assert_int_equal(frac, cJSON_IsNull(due) ? -1 : due->valueint);
        }
}

static void test_values(const cJSON *rows)
{
    for (const cJSON *r = rows->child; r; r = r->next) {
        lb_scale pair = {(int16_t)number(r, "m"), (int8_t)number(r, "n")};
        lb_grid grid = lb_grid_of(pair, number(r, "zero_point"), -128, 127);
        for (const cJSON *v = member(r, "x_q_qhalfup")->child; v; v = v->next) {
            int64_t even, up;
            assert_true(lb_quantize(grid, real(v->child), LB_HALVES_TO_EVEN, &even));
            assert_true(lb_quantize(grid, real(v->child), LB_HALVES_UP, &up));
            if (even != v->child->next->valueint || up != v->child->next->next->valueint)
                fail_msg("%s: %lld, %lld", v->child->valuestring, (long long)even, (long long)up);
        }
    }
}

static void test_quantization(void **state)
{
    (void)state;
    cJSON *root = recorded("quant_params.json");
    test_scales(member(root, "scale"));
    test_biases(member(root, "bias"));
    test_ranges(member(root, "fx"));
    test_values(member(root, "quantize"));
    cJSON_Delete(root);
}

/* ---- float4 ---- */

static lb_float_type type_of(const char *short_name)
{
    static const struct {
        const char *name;
        lb_float_type type;
    } names[] = {{"f32", LB_FLOAT32},
                 {"f16", LB_FLOAT16},
                 {"bf16", LB_BFLOAT16},
                 {"e4m3fn", LB_FLOAT8_E4M3FN},
                 {"e5m2", LB_FLOAT8_E5M2}};
    for (size_t i = 0; i < 5; i++)
        if (strcmp(short_name, names[i].name) == 0)
            return names[i].type;
    fail_msg("no type %s", short_name);
    return LB_FLOAT32;
}

static void assert_code(lb_float_type type, uint32_t bits, lb_nan_rule nan, uint32_t due)
{
    uint32_t code;
    assert_true(lb_float_cast(type, LB_FLOAT4_E2M1, bits, nan, LB_OVERFLOW_OF_TYPE, &code));
    if (code != due)
        fail_msg("%s 0x%x: %x, not %x", lb_float_type_name(type), (unsigned)bits, (unsigned)code,
                 (unsigned)due);
}

/* Ends of every recorded range, and the whole of the narrow types. */
static void test_code_ranges(const cJSON *ranges)
{
    for (const cJSON *list = ranges->child; list; list = list->next) {
        lb_float_type type = type_of(list->string);
        uint64_t next = 0;
        for (const cJSON *r = list->child; r; r = r->next) {
            uint64_t first = pattern(member(r, "first")), last = pattern(member(r, "last"));
            const cJSON *code = member(r, "code");
            uint64_t step = type == LB_FLOAT32 ? (last - first) / 1000 + 1 : 1;
            assert_int_equal(first, next);
            next = last + 1;
            for (uint64_t b = first; b <= last;
                 b += b + step > last && b < last ? last - b : step) {
                uint32_t got;
                bool good = lb_float_cast(type, LB_FLOAT4_E2M1, (uint32_t)b, LB_NAN_ERROR,
                                          LB_OVERFLOW_OF_TYPE, &got);
                assert_int_equal(good, cJSON_IsNumber(code));
                if (good)
                    assert_int_equal(got, code->valueint);
            }
        }
        assert_int_equal(next, (uint64_t)1 << lb_float_bits(type));
    }
}

static void test_decoded(const cJSON *rows)
{
    static const char *const types[] = {"f32", "f16", "bf16", "e4m3fn", "e5m2"};
    for (const cJSON *r = rows->child; r; r = r->next)
        for (size_t t = 0; t < 5; t++) {
            uint32_t wide;
            assert_true(lb_float_cast(LB_FLOAT4_E2M1, type_of(types[t]),
                                      (uint32_t)number(r, "code"), LB_NAN_ERROR,
                                      LB_OVERFLOW_OF_TYPE, &wide));
            assert_int_equal(wide, pattern(member(r, types[t])));
        }
}

static void test_codes(const cJSON *root)
{
    for (const cJSON *r = member(root, "f32_to_code")->child; r; r = r->next) {
        uint32_t bits = pattern(member(r, "f32")), read;
        bool is_nan;
        const char *text = member(r, "value")->valuestring;
        char shown[64];
        assert_code(LB_FLOAT32, bits, LB_NAN_ERROR, (uint32_t)number(r, "code"));
        assert_true(lb_float_from_text(LB_FLOAT32, text, LB_NAN_ERROR, LB_OVERFLOW_OF_TYPE, &read,
                                       &is_nan));
        assert_int_equal(read, bits);
        lb_float_to_text(LB_FLOAT32, bits, shown, sizeof shown);
        assert_true(strlen(shown) <= strlen(text));
    }
    for (const cJSON *r = member(root, "nan")->child; r; r = r->next) {
        assert_code(LB_FLOAT32, pattern(member(r, "f32")), LB_NAN_DOCUMENT,
                    (uint32_t)number(r, "code_document"));
        assert_code(LB_FLOAT32, pattern(member(r, "f32")), LB_NAN_LIBRARY,
                    (uint32_t)number(r, "code_onnx_1_19_and_later"));
    }
    for (const cJSON *r = member(root, "other_to_code")->child; r; r = r->next)
        assert_code(type_of(member(r, "from")->valuestring), pattern(member(r, "bits")),
                    LB_NAN_ERROR, (uint32_t)number(r, "code"));
}

/* ---- Packing ---- */

static size_t read_list(const cJSON *list, uint8_t *items)
{
    size_t count = 0;
    for (const cJSON *i = list->child; i; i = i->next)
        items[count++] = (uint8_t)i->valueint;
    return count;
}

static size_t read_hex(const char *text, uint8_t *bytes)
{
    size_t count = strlen(text) / 2;
    for (size_t i = 0; i < count; i++) {
        char digits[3] = {text[2 * i], text[2 * i + 1], '\0'};
        bytes[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
    return count;
}

static void test_packed(const cJSON *rows, const char *key)
{
    for (const cJSON *r = rows->child; r; r = r->next) {
        uint8_t codes[64], packed[64] = {0}, due[64];
        size_t count = read_list(member(r, key), codes);
        size_t bytes = read_hex(member(r, "bytes")->valuestring, due);
        lb_nibbles_pack(codes, count, packed);
        assert_int_equal(lb_nibble_bytes(count), bytes);
        assert_memory_equal(packed, due, bytes);
    }
}

static void test_unpacked(const cJSON *rows)
{
    for (const cJSON *r = rows->child; r; r = r->next) {
        uint8_t bytes[64], codes[128], due[128];
        size_t count = read_hex(member(r, "bytes")->valuestring, bytes);
        const cJSON *error = cJSON_GetObjectItem(r, "error");
        const cJSON *warning = cJSON_GetObjectItem(r, "warning");
        lb_unpack_result result = lb_nibbles_unpack(bytes, count, (size_t)number(r, "n"), codes);
        const char *word = cJSON_IsString(error)     ? error->valuestring
                           : cJSON_IsString(warning) ? warning->valuestring
                                                     : "ok";
        assert_string_equal(lb_unpack_result_name(result), word);
        if (!error)
            assert_memory_equal(codes, due, read_list(member(r, "codes"), due));
    }
}

static void test_blocks(const cJSON *rows)
{
    for (const cJSON *r = rows->child; r; r = r->next) {
        uint32_t block[LB_MX_BLOCK];
        uint8_t codes[LB_MX_BLOCK], due[LB_MX_BLOCK], packed[16], bytes[64];
        size_t i = 0;
        for (const cJSON *x = member(r, "f32")->child; x; x = x->next)
            block[i++] = pattern(x);
        assert_int_equal(i, LB_MX_BLOCK);
        assert_int_equal(lb_mx_encode(block, codes), number(r, "scale_e8m0"));
        assert_int_equal(read_list(member(r, "codes"), due), LB_MX_BLOCK);
        assert_memory_equal(codes, due, LB_MX_BLOCK);
        lb_nibbles_pack(codes, LB_MX_BLOCK, packed);
        assert_int_equal(read_hex(member(r, "bytes")->valuestring, bytes), 16);
        assert_memory_equal(packed, bytes, 16);
    }
}

static void test_float4(void **state)
{
    (void)state;
    cJSON *root = recorded("float4.json");
    test_code_ranges(member(root, "ranges"));
    test_decoded(member(root, "decode"));
    test_codes(root);
    test_packed(member(root, "pack"), "codes");
    test_packed(member(root, "pack_unmasked_operands"), "operands");
    test_unpacked(member(root, "unpack"));
    test_unpacked(member(root, "unpack_errors"));
    test_blocks(member(root, "mxfp4_blocks_later_option"));
    cJSON_Delete(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_quantization),
                                       cmocka_unit_test(test_float4)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
