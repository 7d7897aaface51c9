/* What entries of encodings files become in MLI. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/encodings/show.h"
#include "harness/encodings/tests/texts.h"

#include <stdlib.h>
#include <string.h>

static lb_enc_file *only(const char *text, lb_enc_map *map, const lb_enc_axis *axis)
{
    static lb_arena arena;
    lb_arena_reset(&arena);
    lb_enc_file *file = lb_enc_read_text("t", text, strlen(text), NULL);
    if (!file->is_valid)
        fail_msg("%s: %s at %s", text, file->error.code, file->error.where);
    assert_int_equal(file->tensor_count, 1);
    lb_enc_map_tensor(&file->tensors[0], axis, &arena, map);
    return file;
}

/* encodings.md 1.1, 5.2 */
static void test_map_symmetries(void **state)
{
    lb_enc_map map;
    (void)state;
    lb_enc_free(only(ENTRY(INT8 RANGE), &map, NULL)); /* zero point = 64 - 128 */
    assert_null(map.sa_code);
    assert_int_equal(map.zero_points[0], -64);
    assert_int_equal(map.scales[0].mantissa, 16384);
    assert_int_equal(map.scales[0].frac, 20);
    assert_int_equal(map.lows[0], -128);
    assert_int_equal(map.frac_bits[0], 13);
    assert_int_equal(map.frac_bits[1], 5);
    lb_enc_free(only(ENTRY(SYM8 FULL), &map, NULL));
    assert_int_equal(map.zero_points[0], 0);
    lb_enc_free(
        only(ENTRY(SYM8 "\"min\":-1.984375,\"max\":1.984375,\"scale\":0.015625,\"offset\":-127"),
             &map, NULL));
    assert_int_equal(map.zero_points[0], 0);
    assert_int_equal(map.lows[0], -127);
    assert_int_equal(map.highs[0], 127);
    lb_enc_free(
        only(ENTRY(SYM8 "\"min\":0,\"max\":3.984375,\"scale\":0.015625,\"offset\":0"), &map, NULL));
    assert_int_equal(map.zero_points[0], -128);
    lb_enc_free(
        only(V2("{\"name\":\"a\",\"output_dtype\":\"uint8\",\"y_scale\":1,\"y_zero_point\":3}"),
             &map, NULL));
    assert_int_equal(map.zero_points[0], -125);
    lb_enc_free(
        only(V2("{\"name\":\"a\",\"output_dtype\":\"int8\",\"y_scale\":1,\"y_zero_point\":3}"),
             &map, NULL));
    assert_int_equal(map.zero_points[0], 3);
}

/* encodings.md 1.1: the offset alone does not make a grid strict, its range does */
static void test_map_wide(void **state)
{
    lb_enc_map map;
    lb_doc doc = lb_doc_make();
    lb_enc_axes none = {0};
    (void)state;
    lb_enc_file *file =
        only(V0("0.6.1", "{}",
                "{\"w\":[{\"bitwidth\":8,\"dtype\":\"int\",\"is_symmetric\":\"True\",\"max\":3."
                "755411386489868,\"min\":-3.7191641330718994,\"offset\":-127,\"scale\":0."
                "02931206086102654}]}",
                ARGS),
             &map, NULL);
    assert_null(map.sa_code);
    assert_int_equal(map.zero_points[0], -1);
    assert_int_equal(map.lows[0], -128);
    assert_int_equal(map.highs[0], 127);
    assert_int_equal(file->warning_count, 1);
    assert_string_equal(file->warnings[0].code, "W_PARAM_ZERO_POINT");
    lb_enc_free(file);
    file = only(V0("0.6.1", "{}", "{\"w\":[" STRICT_SYM "," WIDE_SYM "," GOOD_SYM "]}", ARGS), &map,
                NULL);
    static const int16_t zero_points[] = {0, -1, 0};
    static const int64_t lows[] = {-127, -128, -128};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(map.zero_points[i], zero_points[i]);
        assert_int_equal(map.lows[i], lows[i]);
    }
    lb_enc_show_text(&doc, file, &none);
    lb_doc_char(&doc, '\0');
    assert_non_null(
        strstr(doc.text, "symmetric, strict (1 of 3), with one code more above 0 (1 of 3)"));
    lb_doc_free(&doc);
    lb_enc_free(file);
}

static void test_map_codes(void **state)
{
    lb_enc_map map;
    (void)state;
    lb_enc_free(only(V2("{\"name\":\"a\",\"output_dtype\":\"int16\",\"y_scale\":1}"), &map, NULL));
    assert_string_equal(map.sa_code, "U_BITWIDTH");
    lb_enc_free(
        only(V2("{\"name\":\"a\",\"output_dtype\":\"int32\",\"y_scale\":1,\"y_zero_point\":7}"),
             &map, NULL));
    assert_string_equal(map.sa_code, "U_BIAS_ZERO_POINT");
    lb_enc_free(
        only(V2("{\"name\":\"a\",\"output_dtype\":\"int32\",\"y_scale\":1,\"y_zero_point\":40000}"),
             &map, NULL));
    assert_string_equal(map.sa_code, "U_ZERO_POINT_RANGE");
    lb_enc_free(
        only(V2("{\"name\":\"a\",\"output_dtype\":\"int8\",\"y_scale\":1e-60}"), &map, NULL));
    assert_string_equal(map.sa_code, "U_SCALE_RANGE");
    assert_int_equal(map.frac_bits[0], 15);
    lb_enc_free(
        only(V2("{\"name\":\"a\",\"output_dtype\":\"int8\",\"y_scale\":1e50}"), &map, NULL));
    assert_string_equal(map.sa_code, "U_SCALE_RANGE");
    assert_string_equal(map.fx_code[0], "U_FX_RANGE");
    lb_enc_free(
        only(V2("{\"name\":\"a\",\"output_dtype\":\"float8e5m2\",\"y_scale\":1}"), &map, NULL));
    assert_string_equal(map.fp32_code, "U_FLOAT_WIDTH");
    lb_enc_free(only(ENTRY("\"dtype\":\"float\",\"bitwidth\":32"), &map, NULL));
    assert_true(map.is_fp32 && !map.fp32_code);
    lb_enc_free(only(ENTRY("\"dtype\":\"int\",\"bitwidth\":8"), &map, NULL));
    assert_string_equal(map.all, "U_PARTIAL");
    lb_enc_free(only(V06("{\"a\":[" GOOD "," GOOD "]}"), &map, NULL));
    assert_string_equal(map.sa_code, "U_ACT_PER_CHANNEL");
    assert_null(map.fx_code[0]);
    lb_enc_free(only(
        V1("{" HEAD1(
            "VECTOR") "\"scale\":[1],\"offset\":[-128],\"rows_per_block\":1,\"cols_per_block\":2,"
                      "\"vector_dim\":2,\"vector_stride\":1,\"index_bw\":4}"),
        &map, NULL));
    assert_string_equal(map.all, "U_VECTOR");
}

/* Blocks along the only dimension are blocks, not channels. */
static void test_map_flat_blocks(void **state)
{
    lb_enc_map map;
    (void)state;
    lb_enc_file *file =
        only(V2("{\"name\":\"b\",\"output_dtype\":\"int8\",\"y_scale\":[0.021,0.022,0.023,0.024],"
                "\"y_zero_point\":[0,-8,7,-3],\"axis\":0,\"block_size\":2}"),
             &map, NULL);
    assert_int_equal(file->tensors[0].form, LB_ENC_PER_BLOCK);
    assert_string_equal(map.all, "U_BLOCK");
    lb_enc_free(file);
}

/* Grids of 2 bits may lie between the multiples of their scale: scale * (q + 0.5). */
static void test_map_shifted(void **state)
{
    static const char *const texts[] = {
        V2("{\"name\":\"w\",\"axis\":0,\"y_scale\":[2,4],\"y_zero_point\":[-0.5,-0.5],"
           "\"output_dtype\":\"int2\"}"),
        V2("{\"name\":\"w\",\"axis\":0,\"y_scale\":[2,4],\"y_zero_point\":[1.5,1.5],"
           "\"output_dtype\":\"uint2\"}"),
        V1("{\"name\":\"w\",\"enc_type\":\"PER_CHANNEL\",\"dtype\":\"INT\",\"bw\":2,\"is_sym\":"
           "true,"
           "\"scale\":[2,4],\"offset\":[-2,-2],\"zero_point_shift\":[0.5,0.5]}")};
    lb_enc_map map;
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        lb_enc_file *file = only(texts[i], &map, NULL);
        assert_true(file->tensors[0].grids[0].low == -3 && file->tensors[0].grids[0].high == 3);
        assert_true(map.low == -6 && map.high == 6);
        assert_string_equal(map.sa_code, "U_BITWIDTH");
        lb_enc_free(file);
    }
}

/* 2.1: (x - x_zero_point) * x_scale, where x_scale is one number, a list along an axis of x, or one
 * for each of its blocks. */
static void test_map_meta(void **state)
{
    static const struct {
        const char *text;
        double scales[6];
    } rows[] = {
        {META("\"x\":[[3,5],[11,9],[7,16]],\"x_scale\":0.5"), {1.5, 2.5, 5.5, 4.5, 3.5, 8}},
        {META("\"x\":[[3,5],[11,9],[7,16]],\"x_scale\":[1,2,4],\"axis\":0"),
         {3, 5, 22, 18, 28, 64}},
        {META("\"x\":[[3,5],[11,9],[7,16]],\"x_scale\":[1,2],\"axis\":-1"), {3, 10, 11, 18, 7, 32}},
        {META("\"x\":[[3,5],[11,9],[7,16]],\"x_scale\":[[1,2],[4,8]],\"axis\":0,\"block_size\":2"),
         {3, 10, 11, 18, 28, 128}},
        {META(
             "\"x\":[[3,5],[11,9],[7,16]],\"x_scale\":[1,2,4],\"axis\":0,\"x_zero_point\":[1,2,3]"),
         {2, 4, 18, 14, 16, 52}},
    };
    lb_enc_map map;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        lb_enc_file *file = only(rows[i].text, &map, NULL);
        assert_string_equal(map.all, "U_BLOCK");
        for (size_t k = 0; k < 6; k++)
            assert_true(file->tensors[0].grids[k].scale == rows[i].scales[k]);
        lb_enc_free(file);
    }
    /* Without blocks of the tensor it is channels. */
    lb_enc_free(
        only(V21("{\"name\":\"w\",\"output_dtype\":\"int8\",\"axis\":3,\"y_scale\":{\"x\":[1,3],"
                 "\"x_scale\":0.25}}"),
             &map, NULL));
    assert_true(!map.all && !map.sa_code && map.per_axis && map.axis == 3 && map.count == 2);
    assert_int_equal(map.scales[1].mantissa, 24576);
    assert_int_equal(map.scales[1].frac, 15);
    lb_enc_free(only(V21("{\"name\":\"a\",\"output_dtype\":\"float6e2m3\"}"), &map, NULL));
    assert_string_equal(map.all, "U_UNKNOWN");
}

static void test_map_axis(void **state)
{
    lb_enc_axis axis = {.name = "w", .axis = 3, .extent = 2};
    lb_enc_map map;
    (void)state;
    const char *text = V0("0.6.1", "{}", "{\"w\":[" GOOD_SYM "," GOOD_SYM "]}", ARGS);
    lb_enc_free(only(text, &map, &axis));
    assert_true(!map.sa_code && map.per_axis && map.has_axis && map.axis == 3);
    axis.extent = 3;
    lb_enc_free(only(text, &map, &axis));
    assert_string_equal(map.sa_code, "U_AXIS");
    axis.extent = 0; /* the axis after a change of layout takes the place of the file's */
    lb_enc_free(only(V2("{\"name\":\"w\",\"output_dtype\":\"int8\",\"y_scale\":[1,2],\"axis\":1}"),
                     &map, &axis));
    assert_true(!map.sa_code && map.axis == 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_map_symmetries),  cmocka_unit_test(test_map_wide),
        cmocka_unit_test(test_map_flat_blocks), cmocka_unit_test(test_map_meta),
        cmocka_unit_test(test_map_shifted),     cmocka_unit_test(test_map_codes),
        cmocka_unit_test(test_map_axis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
