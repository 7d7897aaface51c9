/* Encodings files held against networks: ONNX files that this test writes itself, archives, lists
 * of names; and files that are none of them, or broken on purpose. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/arrays/array.h"
#include "harness/encodings/against.h"
#include "harness/encodings/tests/texts.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

/* ---- A writer of protocol buffers ---- */

typedef struct buffer {
    uint8_t bytes[8192];
    size_t count;
} buffer;

static void put_byte(buffer *b, unsigned byte)
{
    assert_true(b->count < sizeof b->bytes);
    b->bytes[b->count++] = (uint8_t)byte;
}

static void put_varint(buffer *b, uint64_t value)
{
    for (; value >= 128; value >>= 7)
        put_byte(b, (unsigned)(value & 127) | 128);
    put_byte(b, (unsigned)value);
}

static void put_number(buffer *b, unsigned field, uint64_t value)
{
    put_varint(b, field << 3);
    put_varint(b, value);
}

static void put_bytes(buffer *b, unsigned field, const void *bytes, size_t count)
{
    put_varint(b, field << 3 | 2);
    put_varint(b, count);
    for (size_t i = 0; i < count; i++)
        put_byte(b, ((const uint8_t *)bytes)[i]);
}

static void put_text(buffer *b, unsigned field, const char *text)
{
    put_bytes(b, field, text, strlen(text));
}

static void put_message(buffer *b, unsigned field, const buffer *message)
{
    put_bytes(b, field, message->bytes, message->count);
}

/* An extent below 0 is a dim_param. */
static buffer value_info(const char *name, unsigned rank, const int64_t *shape)
{
    buffer dims = {.count = 0}, tensor = {.count = 0}, type = {.count = 0}, info = {.count = 0};
    for (unsigned d = 0; d < rank; d++) {
        buffer dim = {.count = 0};
        if (shape[d] < 0)
            put_text(&dim, 2, "N");
        else
            put_number(&dim, 1, (uint64_t)shape[d]);
        put_message(&dims, 1, &dim);
    }
    put_number(&tensor, 1, 1);
    put_message(&tensor, 2, &dims);
    put_message(&type, 1, &tensor);
    put_text(&info, 1, name);
    put_message(&info, 2, &type);
    return info;
}

static buffer initializer(const char *name, unsigned type, unsigned rank, const int64_t *shape,
                          bool packed)
{
    buffer t = {.count = 0}, dims = {.count = 0};
    for (unsigned d = 0; d < rank && packed; d++)
        put_varint(&dims, (uint64_t)shape[d]);
    if (packed)
        put_message(&t, 1, &dims);
    for (unsigned d = 0; d < rank && !packed; d++)
        put_number(&t, 1, (uint64_t)shape[d]);
    put_number(&t, 2, type);
    put_text(&t, 8, name);
    put_text(&t, 9, "raw data that nobody reads");
    return t;
}

/* x -> conv(w, b) -> y -> relu -> z, as exporters write it. */
static buffer small_model(void)
{
    static const int64_t x[] = {-1, 3, 8, 8}, w[] = {16, 3, 3, 3}, b[] = {16}, z[] = {-1, 16, 8, 8};
    buffer graph = {.count = 0}, model = {.count = 0}, node = {.count = 0}, relu = {.count = 0};
    buffer part = initializer("w", 1, 4, w, true);
    put_text(&node, 1, "x");
    put_text(&node, 1, "w");
    put_text(&node, 1, "b");
    put_text(&node, 2, "y");
    put_text(&node, 4, "Conv");
    put_text(&relu, 1, "y");
    put_text(&relu, 2, "z");
    put_text(&relu, 2, ""); /* left out */
    put_message(&graph, 1, &node);
    put_message(&graph, 1, &relu);
    put_text(&graph, 2, "main");
    put_message(&graph, 5, &part);
    part = initializer("b", 1, 1, b, false);
    put_message(&graph, 5, &part);
    part = initializer("axes", 7, 1, b, false); /* int64: no encoding is due */
    put_message(&graph, 5, &part);
    part = value_info("x", 4, x);
    put_message(&graph, 11, &part);
    part = value_info("z", 4, z);
    put_message(&graph, 12, &part);
    put_number(&model, 1, 8);
    put_text(&model, 2, "a test");
    put_message(&model, 7, &graph);
    return model;
}

/* ---- Reading ---- */

static bool read_memory(const uint8_t *bytes, size_t count, lb_model *model, const char **why)
{
    lb_onnx_source source = {.fd = -1, .bytes = bytes, .length = count};
    *model = (lb_model){.path = "m.onnx"};
    return lb_onnx_read(&source, model, why);
}

static void test_onnx(void **state)
{
    buffer b = small_model();
    lb_model model;
    const char *why = NULL;
    (void)state;
    if (!read_memory(b.bytes, b.count, &model, &why))
        fail_msg("%s", why);
    assert_int_equal(model.count, 6); /* y z w b axes x */
    const lb_model_tensor *w = lb_model_find(&model, "w"), *x = lb_model_find(&model, "x");
    assert_true(w && w->rank == 4 && w->shape[0] == 16 && w->shape[3] == 3 && w->is_due);
    assert_true(x && x->rank == 4 && x->shape[0] == -1 && x->shape[1] == 3 && x->is_due);
    assert_true(lb_model_find(&model, "z")->rank == 4 && !lb_model_find(&model, "z")->is_due);
    assert_true(!lb_model_find(&model, "y")->has_shape && !lb_model_find(&model, "axes")->is_due);
    assert_null(lb_model_find(&model, "v"));
    lb_model_free(&model);
}

/* A file that ends anywhere is refused (but where a field of the model ends), and so is one whose
 * lengths, kinds or numbers cannot be; in memory of exactly its size, so that a byte too far is
 * seen. */
static void test_hostile(void **state)
{
    static const struct {
        const char *bytes;
        size_t count;
        const char *why;
    } rows[] = {
        {"", 0, "no graph"},
        {"\x08\x08", 2, "no graph"},
        {"\x3a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11, "longer than the message"},
        {"\x3a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 11, "more than 64 bits"},
        {"\x3a\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", 12, "more than 64 bits"},
        {"\x3a", 1, "in the middle of a number"},
        {"\x3a\x80", 2, "in the middle of a number"},
        {"\x3b\x3c", 2, "a kind that ONNX does not use"},
        {"\x00\x01", 2, "without a number"},
        {"\x38\x01", 2, "another kind"},
        {"\x3a\x00\x3a\x00", 4, "a second graph"},
        {"\x3a\x04\x0a\x02\x12\x01", 6, "longer than the message"},
        {"\x3a\x05\x0a\x03\x12\x01\xff", 7, "no UTF-8"},
        {"\x3a\x05\x0a\x03\x12\x01\x00", 7, "no UTF-8"},
        {"\x3a\x04\x0a\x02\x10\x01", 6, "another kind"},
        {"\x39\x01\x02\x03", 4, "longer than the message"},
    };
    buffer b = small_model();
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        lb_model model;
        const char *why = NULL;
        uint8_t *copy = malloc(rows[i].count + 1);
        assert_non_null(copy);
        memcpy(copy, rows[i].bytes, rows[i].count);
        assert_false(read_memory(copy, rows[i].count, &model, &why));
        if (!strstr(why, rows[i].why))
            fail_msg("row %zu: %s", i, why);
        lb_model_free(&model);
        free(copy);
    }
    for (size_t length = 0; length < b.count; length++) {
        lb_model model;
        const char *why = NULL;
        uint8_t *copy = malloc(length + 1);
        assert_non_null(copy);
        memcpy(copy, b.bytes, length);
        assert_false(read_memory(copy, length, &model, &why));
        assert_non_null(why);
        lb_model_free(&model);
        free(copy);
    }
}

/* Graphs in graphs in graphs are bytes that are passed over: depth costs nothing. */
static void test_deep(void **state)
{
    buffer inner = {.count = 0}, graph = {.count = 0}, model = {.count = 0};
    lb_model read;
    const char *why = NULL;
    (void)state;
    for (unsigned depth = 0; depth < 300; depth++) {
        buffer outer = {.count = 0};
        put_message(&outer, depth % 2 ? 6 : 5, &inner); /* attribute of a node, graph of it */
        inner = outer;
    }
    put_message(&graph, 1, &inner);
    put_message(&model, 7, &graph);
    assert_true(read_memory(model.bytes, model.count, &read, &why));
    assert_int_equal(read.count, 0);
    lb_model_free(&read);
}

/* ---- Held against ---- */

static char folder[64];

static const char *in_folder(const char *name)
{
    static char path[160];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const void *bytes, size_t count)
{
    FILE *file = fopen(in_folder(name), "wb");
    assert_non_null(file);
    assert_true(fwrite(bytes, 1, count, file) == count && fclose(file) == 0);
}

/* The findings of a file (2.0.0) against the network in this file, one a line: "M_NAME
 * /encodings/0". */
static size_t hold(const char *name, const char *text, lb_enc_axis *axis, char *found,
                   size_t found_bytes)
{
    lb_model model;
    const char *why;
    lb_enc_axes axes = {.items = axis, .count = axis ? 1 : 0};
    lb_enc_file *file = lb_enc_read_text("t", text, strlen(text), NULL);
    if (!file->is_valid)
        fail_msg("%s at %s: %s", file->error.code, file->error.where, text);
    if (!lb_model_read(in_folder(name), &model, &why))
        fail_msg("%s", why);
    size_t before = file->warning_count, faults = lb_enc_hold_against(file, &model, &axes);
    found[0] = '\0';
    for (size_t i = before; i < file->warning_count; i++) {
        const lb_enc_note *note = &file->warnings[i];
        size_t length = strlen(found);
        snprintf(found + length, found_bytes - length, "%s %s%s; %s\n", note->code, note->where,
                 note->problem, note->remedy);
        assert_true(note->line == (note->where[0] ? 1u : 0u));
    }
    lb_model_free(&model);
    lb_enc_free(file);
    return faults;
}

#define Q(name, fields) "{\"name\":\"" name "\",\"output_dtype\":\"int8\"," fields "}"
#define FOUR            "\"y_scale\":[1,1,1,1]"
#define THREE           "\"y_scale\":[1,1,1]"

static const struct {
    const char *text, *found; /* found NULL: nothing but what is missing */
    size_t faults;
} rows[] = {
    {V2(Q("x", "\"y_scale\":1") "," Q("w", THREE ",\"axis\":1") "," Q("b", "\"y_scale\":1")), NULL,
     0},
    {V2(Q("z", "\"y_scale\":1")), NULL, 0},
    {V2(Q("conv", "\"y_scale\":1")),
     "M_NAME /encodings/0the network has no tensor of this name; \n", 1},
    {V2(Q("axis", "\"y_scale\":1")), "did you mean \"axes\"?", 1},
    {V2(Q("w", FOUR ",\"axis\":0")),
     "M_CHANNELS /encodings/04 channels, and the tensor is [16, 3, 3, 3]; 16 scales along axis 0",
     1},
    {V2(Q("w", THREE ",\"axis\":0")),
     "M_AXIS /encodings/03 channels along axis 0, and the tensor is [16, 3, 3, 3]; axis 1 or 2 or "
     "3 has 3",
     1},
    {V2(Q("w", THREE ",\"axis\":-3")), NULL, 0},
    {V2(Q("w", THREE ",\"axis\":4")), "M_AXIS /encodings/0axis 4", 1},
    {V2(Q("w", THREE ",\"axis\":-5")), "M_AXIS", 1},
    {V2(Q("x", FOUR ",\"axis\":0")), NULL, 0}, /* an extent that nobody knows */
    {V2(Q("y", FOUR ",\"axis\":9")), NULL, 0}, /* a shape that nobody knows */
    {V0("1.0.0", "[]", "[{" HEAD1("PER_CHANNEL") "\"scale\":[1,1,1,1],\"offset\":[0,0,0,0]}]",
        ARGS),
     "M_CHANNELS /param_encodings/04 channels", 1},
    {V0("1.0.0", "[]", "[{" HEAD1("PER_CHANNEL") "\"scale\":[1,1,1],\"offset\":[0,0,0]}]", ARGS),
     NULL, 0},
    /* blocks */
    {V2(Q("m", "\"y_scale\":[[1,2],[3,4],[5,6]],\"axis\":1,\"block_size\":32")), NULL, 0},
    {V2(Q("m", "\"y_scale\":[[1,2],[3,4],[5,6]],\"axis\":1,\"block_size\":16")),
     "M_BLOCKS /encodings/02 scales along dimension 1, where 3 are due; lists in the dimensions of "
     "the "
     "tensor, [3, 48]",
     1},
    {V2(Q("m", "\"y_scale\":[[1,2],[3,4],[5,6]],\"axis\":0,\"block_size\":1")), "M_BLOCKS", 1},
    {V2(Q("m", "\"y_scale\":[1,2],\"axis\":1,\"block_size\":32")),
     "M_BLOCKS /encodings/0lists 1 deep", 1},
    {V2(Q("m", "\"y_scale\":[[1,2],[3,4],[5,6]],\"axis\":3,\"block_size\":32")), "M_AXIS", 1},
    {V2(Q("m",
          "\"per_block_int_scale\":[[1,2],[3,4],[5,6]],\"per_channel_float_scale\":[[1],[1],[1]],"
          "\"axis\":1,\"block_size\":32")),
     NULL, 0},
    {V0("1.0.0", "[]",
        "[{\"name\":\"m\",\"enc_type\":\"PER_BLOCK\",\"dtype\":\"INT\",\"bw\":8,\"is_sym\":true,"
        "\"scale\":[1,1,1,1,1],\"offset\":[0,0,0,0,0],\"block_size\":32}]",
        ARGS),
     "M_BLOCKS", 1},
    {V0("1.0.0", "[]",
        "[{\"name\":\"m\",\"enc_type\":\"PER_BLOCK\",\"dtype\":\"INT\",\"bw\":8,\"is_sym\":true,"
        "\"scale\":[1,1,1,1,1,1],\"offset\":[0,0,0,0,0,0],\"block_size\":24}]",
        ARGS),
     NULL, 0},
};

static void test_findings(void **state)
{
    buffer b = small_model();
    static const char list[] =
        "# a list\nx [?, 3, 8, 8]\nw [16, 3, 3, 3]\nb [16]\n\nm [3, 48]\r\ny\nz\naxes [ 16 ]\n";
    (void)state;
    write_file("m.onnx", b.bytes, b.count);
    write_file("m.txt", list, sizeof list - 1);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (unsigned way = 0; way < 2; way++) {
            char found[4000];
            if (way == 1 && strstr(rows[i].text, "\"m\""))
                continue; /* the ONNX file has no matrix */
            size_t faults = hold(way ? "m.onnx" : "m.txt", rows[i].text, NULL, found, sizeof found);
            if (faults != rows[i].faults || (rows[i].found && !strstr(found, rows[i].found)))
                fail_msg("row %zu: %zu: %s", i, faults, found);
        }
    char found[4000];
    assert_int_equal(hold("m.onnx", V2(Q("x", "\"y_scale\":1")), NULL, found, sizeof found), 0);
    assert_string_equal(found, "M_MISSING the tensor \"w\" has no encoding; \n"
                               "M_MISSING the tensor \"b\" has no encoding; \n");
    lb_enc_axis axis = {.name = "w", .axis = 0};
    assert_int_equal(hold("m.onnx",
                          V0("1.0.0", "[]",
                             "[{" HEAD1("PER_CHANNEL") "\"scale\":[1,1,1],"
                                                       "\"offset\":[0,0,0]}]",
                             ARGS),
                          &axis, found, sizeof found),
                     1);
    assert_non_null(strstr(found, "M_AXIS"));
    unlink(in_folder("m.onnx"));
    unlink(in_folder("m.txt"));
}

/* One stored member. */
static void write_npz(const char *name, const char *member, const lb_bytes *npy, size_t cut)
{
    uint8_t zip[2000] = "PK\3\4";
    size_t length = strlen(member), at = 30 + length + npy->count;
    uint32_t crc = (uint32_t)crc32(crc32(0, NULL, 0), npy->at, (uInt)npy->count);
    uint8_t numbers[12];
    for (unsigned i = 0; i < 12; i++)
        numbers[i] = (uint8_t)((i < 4 ? crc : (uint32_t)npy->count) >> 8 * (i % 4));
    zip[26] = (uint8_t)length;
    memcpy(zip + 14, numbers, 12);
    memcpy(zip + 30, member, length);
    memcpy(zip + 30 + length, npy->at, npy->count);
    memcpy(zip + at, "PK\1\2", 4);
    memcpy(zip + at + 16, numbers, 12);
    zip[at + 28] = (uint8_t)length;
    memcpy(zip + at + 46, member, length);
    size_t end = at + 46 + length;
    memcpy(zip + end, "PK\5\6", 4);
    zip[end + 10] = 1;
    zip[end + 12] = (uint8_t)(46 + length);
    zip[end + 16] = (uint8_t)at;
    zip[end + 17] = (uint8_t)(at >> 8);
    write_file(name, zip, end + 22 - cut);
}

static void test_npz(void **state)
{
    static const uint32_t shape[] = {16, 3};
    unsigned char data[48 * 4] = {0};
    lb_arena arena = {0};
    char found[1000];
    lb_model model;
    const char *why = NULL;
    (void)state;
    lb_bytes npy = lb_npy_write("<f4", 2, shape, data, sizeof data, &arena);
    write_npz("m.npz", "w.npy", &npy, 0);
    assert_int_equal(hold("m.npz", V2(Q("w", THREE ",\"axis\":0")), NULL, found, sizeof found), 1);
    assert_non_null(strstr(found, "the tensor is [16, 3]; axis 1 has 3"));
    assert_int_equal(hold("m.npz", V2(Q("w", THREE ",\"axis\":1")), NULL, found, sizeof found), 0);
    for (size_t cut = 1; cut < 60; cut++) {
        write_npz("m.npz", "w.npy", &npy, cut);
        assert_false(lb_model_read(in_folder("m.npz"), &model, &why));
        assert_non_null(why);
        lb_model_free(&model);
    }
    npy.at[0] = 0;
    write_npz("m.npz", "w.npy", &npy, 0);
    assert_false(lb_model_read(in_folder("m.npz"), &model, &why));
    assert_non_null(strstr(why, "member \"w\": it is no .npy file"));
    lb_model_free(&model);
    lb_arena_free(&arena);
    unlink(in_folder("m.npz"));
}

static void test_bad_lists(void **state)
{
    static const char *const texts[][2] = {
        {"a\na\n", "line 2: the name stands there already"},
        {"a [1, 2\xff]\n", "line 1: a name in printable UTF-8"},
        {"a [1, x]\n", "line 1: a shape is"},
        {"a [1 2]\n", "line 1: a shape is"},
        {"a [1,2,3,4,5,6,7,8,9]\n", "line 1: a shape is"},
        {"a [1234567890123456789]\n", "line 1: a shape is"},
    };
    lb_model model;
    const char *why = NULL;
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        write_file("bad", texts[i][0], strlen(texts[i][0]));
        assert_false(lb_model_read(in_folder("bad"), &model, &why));
        if (!strstr(why, texts[i][1]))
            fail_msg("%s: %s", texts[i][0], why);
        lb_model_free(&model);
    }
    write_file("bad", "a\0b", 3);
    assert_false(lb_model_read(in_folder("bad"), &model, &why));
    lb_model_free(&model);
    unlink(in_folder("bad"));
    static const char *const none[] = {"none", "none.onnx", "none.npz", "."};
    for (size_t i = 0; i < 4; i++) {
        assert_false(lb_model_read(in_folder(none[i]), &model, &why));
        assert_non_null(why);
        lb_model_free(&model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_onnx), cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_deep), cmocka_unit_test(test_findings),
        cmocka_unit_test(test_npz),  cmocka_unit_test(test_bad_lists),
    };
    snprintf(folder, sizeof folder, "%s", "/tmp/lastbit-test-XXXXXX");
    if (!mkdtemp(folder))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
