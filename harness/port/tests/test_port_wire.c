/* The wire: frames are found among noise, words and tensors come back as they went, every function
 * has a number, and memory is turned for a port of the other byte order. */
#include "harness/tests/fixture.h"

#include "harness/port/call.h"
#include "harness/port/memory.h"
#include "harness/port_kit/lb_kit_functions.h"

#include <zlib.h>

enum { ROOM = 300 };

static uint32_t make_frame(uint8_t *at, uint32_t sequence, const char *payload)
{
    uint32_t length = (uint32_t)strlen(payload);
    memcpy(at + LB_WIRE_HEAD_BYTES, payload, length);
    return lb_wire_seal(at, LB_WIRE_WORK, sequence, length);
}

static void test_crc_is_that_of_zlib(void **state)
{
    uint8_t bytes[1000];
    (void)state;
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * i + 3 * i);
    for (uint32_t count = 0; count <= sizeof bytes; count += 37)
        assert_int_equal(lb_wire_crc(0, bytes, count), crc32(0, bytes, count));
    assert_int_equal(lb_wire_crc(lb_wire_crc(0, bytes, 10), bytes + 10, 90), crc32(0, bytes, 100));
}

static void test_frame_is_found_behind_noise(void **state)
{
    uint8_t line[200] = {
        1, 2, LB_WIRE_SYNC_0, LB_WIRE_SYNC_0, 9, LB_WIRE_SYNC_0, LB_WIRE_SYNC_1, 1, 0, 0, 0};
    uint32_t noise = 11, bytes = make_frame(line + noise, 77, "abc");
    (void)state;
    lb_wire_frame f = lb_wire_find(line, noise + bytes, ROOM);
    assert_int_equal(f.skip, noise);
    assert_int_equal(f.bytes, bytes);
    assert_int_equal(f.sequence, 77);
    assert_int_equal(f.length, 3);
    assert_memory_equal(f.payload, "abc", 3);
    /* Cut off at any place: nothing yet, and never more than the noise is given up. */
    for (uint32_t count = 0; count < noise + bytes; count++) {
        f = lb_wire_find(line, count, ROOM);
        assert_int_equal(f.bytes, 0);
        assert_true(f.skip <= noise);
    }
}

static void test_broken_frame_costs_itself_alone(void **state)
{
    uint8_t line[200];
    uint32_t first = make_frame(line, 1, "first"), second;
    (void)state;
    for (uint32_t wrong = 0; wrong < first; wrong++) {
        make_frame(line, 1, "first");
        second = make_frame(line + first, 2, "second");
        line[wrong] ^= 0x10;
        lb_wire_frame f = lb_wire_find(line, first + second, ROOM);
        assert_int_equal(f.skip, first);
        assert_int_equal(f.sequence, 2);
        assert_int_equal(f.bytes, second);
    }
}

static void test_length_beyond_the_room_is_no_frame(void **state)
{
    uint8_t line[64] = {0};
    (void)state;
    uint32_t bytes = make_frame(line, 1, "0123456789");
    assert_int_equal(lb_wire_find(line, bytes, 10).bytes, bytes);
    assert_int_equal(lb_wire_find(line, bytes, 9).bytes, 0);
    assert_int_equal(lb_wire_find(line, bytes, 9).skip, bytes);
}

static void test_words(void **state)
{
    uint32_t words[LB_WIRE_MOST_WORDS] = {0}, back[LB_WIRE_MOST_WORDS];
    uint8_t bytes[4 + 4 * LB_WIRE_MOST_WORDS];
    (void)state;
    words[0] = 1;
    words[5] = 0xFFFFFFFF;
    words[31] = 0x12345678;
    uint8_t *end = lb_wire_put_words(bytes, words, LB_WIRE_MOST_WORDS);
    assert_int_equal(end - bytes, 4 + 3 * 4);
    assert_ptr_equal(lb_wire_get_words(bytes, end, back, LB_WIRE_MOST_WORDS), end);
    assert_memory_equal(words, back, sizeof words);
    /* Cut short, or with more words than there can be. */
    for (uint8_t *early = bytes; early < end; early++)
        assert_null(lb_wire_get_words(bytes, early, back, LB_WIRE_MOST_WORDS));
    assert_null(lb_wire_get_words(bytes, end, back, 31));
}

static void test_every_function_has_a_number(void **state)
{
#define NAME_OF(shape, name) #name,
    static const char *const names[] = {LB_KIT_FUNCTIONS(NAME_OF) LB_KIT_LITERT_FUNCTIONS(NAME_OF)};
    (void)state;
    for (size_t k = 0; k < lb_kernel_total(); k++) {
        const lb_kernel *kernel = lb_kernel_at(k);
        unsigned found = 0;
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
            found += strcmp(names[i], kernel->name) == 0;
        if (!kernel->exact) /* it has no cases */
            continue;
        if (found != 1)
            print_error("%s stands %u times in the kit's lists\n", kernel->name, found);
        assert_int_equal(found, 1);
    }
}

static void test_configurations_fit_the_words(void **state)
{
    (void)state;
    for (int kind = 0; kind < LB_CONFIG_KIND_COUNT; kind++) {
        unsigned words = 0;
        for (const lb_config_field *field = lb_config_fields((lb_config_kind)kind); field->name;
             field++)
            words += field->count;
        assert_in_range(
            words, 0, kind == LB_CONFIG_RNN_CELL ? LB_WIRE_CONFIG_WORDS - 1 : LB_WIRE_CONFIG_WORDS);
    }
}

static void test_tensors_come_back(void **state)
{
    static unsigned char block[256];
    const lb_wire_block place = {.block = block, .bytes = sizeof block, .base = 4096};
    uint32_t words[LB_WIRE_T_WORDS];
    lb_tensor per_axis = {
        .rank = 2, .shape = {3, 4}, .mem_stride = {5, -1}, .el_type = LB_SA8, .sa = {.dim = 1}};
    lb_tensor scalar = {.rank = 0, .el_type = LB_FX16, .frac_bits = -3};
    lb_tensor elsewhere = {.rank = 1, .el_type = LB_SA8, .sa = {.dim = -1}}, back;
    (void)state;
    per_axis.data = (lb_container){12, {.ptr = block + 7}};
    per_axis.sa.scale = (lb_container){8, {.ptr = block + 64}};
    per_axis.sa.zero_point = (lb_container){8, {.ptr = block}};
    per_axis.sa.scale_frac_bits = (lb_container){4, {.ptr = block + sizeof block}};
    scalar.data.mem.i16 = -2;
    elsewhere.sa.scale.mem.i16 = 300;
    elsewhere.sa.zero_point.mem.i16 = -9;
    elsewhere.sa.scale_frac_bits.mem.i8 = -4;
    const lb_tensor *tensors[] = {&per_axis, &scalar, &elsewhere};
    for (unsigned i = 0; i < 3; i++) {
        lb_tensor_to_words(tensors[i], &place, words);
        back = *tensors[i];
        lb_tensor_from_words(&back, &place, words);
        assert_memory_equal(&back, tensors[i], sizeof back);
    }
    /* A pointer to nowhere we know stays one that no buffer holds. */
    lb_tensor_to_words(&per_axis, &place, words);
    words[LB_WIRE_T_DATA + 1] = LB_WIRE_ELSEWHERE;
    lb_tensor_from_words(&back, &place, words);
    assert_non_null(back.data.mem.ptr);
    words[LB_WIRE_T_DATA + 1] = place.base + sizeof block + 2;
    back = per_axis;
    lb_tensor_from_words(&back, &place, words);
    assert_true((uintptr_t)back.data.mem.ptr < (uintptr_t)block ||
                (uintptr_t)back.data.mem.ptr > (uintptr_t)block + sizeof block);
}

/* A tensor that held one value and is a view of another after the call; a value that looks like a
 * pointer is none. */
static void test_views_of_scalars(void **state)
{
    static unsigned char block[128];
    const lb_wire_block place = {.block = block, .bytes = sizeof block, .base = 320};
    uint32_t words[LB_WIRE_T_WORDS];
    const lb_tensor scalar = {.rank = 0, .el_type = LB_FX16, .data.mem.i16 = 77};
    lb_tensor back = scalar;
    (void)state;
    lb_tensor_to_words(&scalar, &place, words);
    words[LB_WIRE_T_DATA + 1] = place.base + 1 + 6;
    words[LB_WIRE_T_DATA + 2] = 5;
    lb_tensor_from_words(&back, &place, words);
    assert_int_equal(back.data.mem.i16, 5);
    words[LB_WIRE_T_DATA] = 10;
    for (unsigned rank = 0; rank < 2; rank++) {
        words[LB_WIRE_T_RANK] = rank;
        back = scalar;
        lb_tensor_from_words(&back, &place, words);
        assert_ptr_equal(back.data.mem.ptr, block + 6);
    }
}

/* A case whose output lies in its input's buffer, with narrower elements. */
static const char in_place[] = "{\"id\":\"a\",\"function\":\"mli_hlp_convert_tensor\",\"inputs\":{"
                               "\"in\":{\"type\":\"fx16\",\"shape\":[3],\"frac_"
                               "bits\":0,"
                               "\"data\":[258,772,1286]}},\"outputs\":{\"out\":{\"type\":\"fx8\","
                               "\"shape\":[3],\"frac_bits\":0,"
                               "\"data_in\":{\"tensor\":\"in\",\"element\":0}}}}";

/* The memory of a case, and room for what a port has of it before and after a call. */
typedef struct turned_case {
    opened_case opened;
    lb_call_memory memory;
    lb_instance instance;
    unsigned char *before, *after;
} turned_case;

static void open_turned(turned_case *t, const char *case_text)
{
    char text[1000];
    snprintf(text, sizeof text, "{\"format\":\"lastbit/cases-1\",\"suite\":\"t\",\"cases\":[%s]}",
             case_text);
    t->opened = open_case(text);
    lb_arena *arena = &t->opened.arena;
    lb_call_memory_make(&t->memory, t->opened.c, arena);
    lb_instance_make(&t->instance, &t->memory, arena);
    t->before = lb_arena_alloc(arena, t->memory.block_bytes);
    t->after = lb_arena_alloc(arena, t->memory.block_bytes);
}

static void test_memory_is_turned(void **state)
{
    turned_case t;
    lb_instance expected;
    (void)state;
    open_turned(&t, in_place);
    lb_instance_make(&expected, &t.memory, &t.opened.arena);
    const size_t at = t.memory.buffers[0].offset;
    lb_memory_to_port(&t.instance, true, t.before);
    static const unsigned char turned[] = {1, 2, 3, 4, 5, 6};
    assert_memory_equal(t.before + at, turned, sizeof turned);
    /* Nothing written: nothing changes. */
    memcpy(t.after, t.before, t.memory.block_bytes);
    lb_memory_from_port(&t.instance, true, t.before, t.after);
    assert_memory_equal(t.instance.block, expected.block, t.memory.block_bytes);
    /* Three bytes written: those, and the rest of the element in the middle as it was. */
    memset(t.after + at, 0x77, 3);
    memset(expected.block + at, 0x77, 3);
    t.after[at - 1] = expected.block[at - 1] = 0;
    lb_memory_from_port(&t.instance, true, t.before, t.after);
    assert_memory_equal(t.instance.block, expected.block, t.memory.block_bytes);
    close_case(&t.opened);
}

/* Movement writes elements of its input's type, whatever type its output had. */
static void test_moved_elements_are_of_the_inputs_width(void **state)
{
    static const char moved[] =
        "{\"id\":\"a\","
        "\"function\":\"mli_mov_tensor_sync\",\"config\":{"
        "\"offset\":[0,0,0,0],\"size\":[0,0,0,0],\"sub_sample_step\":[1,1,1,1],"
        "\"dst_offset\":[0,0,0,0],\"dst_mem_stride\":[0,0,0,0],\"perm_dim\":[0,1,2,3],"
        "\"padding_pre\":[0,0,0,0],\"padding_post\":[0,0,0,0]},"
        "\"inputs\":{\"in\":{\"type\":\"fx8\",\"shape\":[2],\"frac_bits\":0,\"data\":[1,2]}},"
        "\"outputs\":{\"out\":{\"type\":\"fx16\",\"shape\":[2],\"frac_bits\":0,"
        "\"data\":[772,1286],\"buffer_elements\":2}}}";
    turned_case t;
    (void)state;
    open_turned(&t, moved);
    const size_t at = t.memory.buffers[t.memory.buffer_of[LB_ROLE_OUT][0][LB_BUFFER_DATA]].offset;
    lb_memory_to_port(&t.instance, true, t.before);
    memcpy(t.after, t.before, t.memory.block_bytes);
    t.after[at] = t.instance.block[at + 1]; /* what a turned element would have had there already */
    lb_memory_from_port(&t.instance, true, t.before, t.after);
    assert_memory_equal(t.instance.block + at, t.after + at, 4);
    assert_memory_equal(t.instance.block + at + 1, t.memory.pristine + at + 1, 3);
    close_case(&t.opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crc_is_that_of_zlib),
        cmocka_unit_test(test_frame_is_found_behind_noise),
        cmocka_unit_test(test_broken_frame_costs_itself_alone),
        cmocka_unit_test(test_length_beyond_the_room_is_no_frame),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_every_function_has_a_number),
        cmocka_unit_test(test_configurations_fit_the_words),
        cmocka_unit_test(test_tensors_come_back),
        cmocka_unit_test(test_views_of_scalars),
        cmocka_unit_test(test_memory_is_turned),
        cmocka_unit_test(test_moved_elements_are_of_the_inputs_width),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
