/* Tensors: types, addressing, containers, real values; and the names of statuses. Spec: numerics.md
 * 1, 2; api.md 2. */
#include "tensors.h"

#include "core/status.h"

#include <stdlib.h>

static void element_types(void **state)
{
    (void)state;
    static const struct {
        uint32_t type;
        const char *name;
        unsigned bytes;
        bool fx, sa;
    } rows[] = {
        {0x8, "fx8", 1, true, false},     {0x10, "fx16", 2, true, false},
        {0x108, "sa8", 1, false, true},   {0x120, "sa32", 4, false, true},
        {0x220, "fp32", 4, false, false}, {0x4, NULL, 0, false, false},
        {0x210, NULL, 0, false, false},   {119, NULL, 0, false, false},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        assert_int_equal(lb_element_bytes(rows[i].type), rows[i].bytes);
        assert_int_equal(lb_container_bits(rows[i].type), 8 * rows[i].bytes);
        assert_int_equal(lb_is_fx(rows[i].type), rows[i].fx);
        assert_int_equal(lb_is_sa(rows[i].type), rows[i].sa);
        if (!rows[i].name)
            assert_null(lb_el_type_name(rows[i].type));
        else
            assert_string_equal(lb_el_type_name(rows[i].type), rows[i].name);
    }
}

static void quantization_at_an_index(void **state)
{
    (void)state;
    lb_tensor t = make_fx(LB_FX16, -7, SHAPE(3), NULL);
    lb_quant q = lb_quant_at(&t, 2);
    assert_true(q.scale == 1 && q.frac == -7 && q.zero_point == 0);

    t = make_sa(LB_SA8, (lb_quant){32767, -128, -32768}, SHAPE(3), NULL);
    q = lb_quant_at(&t, 2);
    assert_true(q.scale == 32767 && q.frac == -128 && q.zero_point == -32768);

    int16_t scale[] = {1, 2, 3};
    int8_t frac[] = {10, -20, 30};
    int16_t zero[] = {7, 8, -9};
    set_per_axis(&t, 0, scale, frac, zero);
    q = lb_quant_at(&t, 1);
    assert_true(q.scale == 2 && q.frac == -20 && q.zero_point == 8);
    q = lb_quant_at(&t, 2);
    assert_true(q.scale == 3 && q.frac == 30 && q.zero_point == -9);

    t = make_fx(LB_FP32, 5, SHAPE(3), NULL);
    q = lb_quant_at(&t, 0);
    assert_true(q.scale == 1 && q.frac == 0 && q.zero_point == 0);
}

static void element_counts(void **state)
{
    (void)state;
    lb_tensor t = make_tensor(LB_FX8, SHAPE(2, 3, 4, 5), NULL);
    assert_int_equal(lb_element_count(&t), 120);
    t.rank = 2;
    assert_int_equal(lb_element_count(&t), 6);
    t.rank = 0;
    assert_int_equal(lb_element_count(&t), 1);
    t.rank = 4;
    for (int d = 0; d < 4; d++)
        t.shape[d] = INT32_MAX;
    assert_true(lb_element_count(&t) == SIZE_MAX);
    t.shape[1] = 0;
    t.rank = 2;
    assert_int_equal(lb_element_count(&t), 0);
}

/* Row-major order of the logical index, whatever the strides are. */
static void addresses(void **state)
{
    (void)state;
    lb_tensor t = make_tensor(LB_FX8, SHAPE(2, 3, 4), NULL);
    t.mem_stride[0] = 50;
    t.mem_stride[1] = 10;
    t.mem_stride[2] = 2;
    size_t flat = 0;
    for (uint32_t i = 0; i < 2; i++) {
        for (uint32_t j = 0; j < 3; j++) {
            for (uint32_t k = 0; k < 4; k++, flat++) {
                uint32_t index[LB_MAX_RANK] = {i, j, k, 0};
                uint32_t back[LB_MAX_RANK];
                assert_int_equal(lb_offset_of(&t, index), 50 * i + 10 * j + 2 * k);
                assert_int_equal(lb_offset_of_flat(&t, flat), 50 * i + 10 * j + 2 * k);
                lb_unflatten(&t, flat, back);
                assert_memory_equal(back, index, 3 * sizeof index[0]);
            }
        }
    }
}

static void containers(void **state)
{
    (void)state;
    int8_t bytes[] = {-128, 0, 127};
    int16_t words[] = {-32768, 0, 32767};
    int32_t longs[] = {INT32_MIN, 0, INT32_MAX};
    lb_tensor t = make_tensor(LB_SA8, SHAPE(3), bytes);
    assert_int_equal(lb_load(&t, 0), -128);
    lb_store(&t, 1, 0x1ff);
    assert_int_equal(bytes[1], -1);
    t = make_tensor(LB_FX16, SHAPE(3), words);
    assert_int_equal(lb_load(&t, 2), 32767);
    lb_store(&t, 0, 5);
    assert_int_equal(words[0], 5);
    t = make_tensor(LB_SA32, SHAPE(3), longs);
    assert_int_equal(lb_load(&t, 0), INT32_MIN);
    lb_store(&t, 1, -77);
    assert_true(longs[0] == INT32_MIN && longs[1] == -77 && longs[2] == INT32_MAX);
    t = make_tensor(119, SHAPE(3), longs);
    assert_int_equal(lb_load(&t, 1), 0);
    lb_store(&t, 1, 3);
    assert_int_equal(longs[1], -77);
}

static void scalars_of_rank_0(void **state)
{
    (void)state;
    lb_tensor t = make_sa(LB_SA8, (lb_quant){4, 1, 3}, SHAPE(0), NULL);
    assert_int_equal(t.rank, 0);
    t.data.mem.i8 = -9;
    assert_int_equal(lb_load(&t, 0), -9);
    assert_int_equal(lb_load(&t, 12345), -9);
    assert_true(lb_load_real(&t, 0, 0) == -24.0);
    lb_store(&t, 0, 7);
    assert_int_equal(t.data.mem.i8, 7);
    t = make_fx(LB_FX16, 3, SHAPE(0), NULL);
    t.data.mem.i16 = -300;
    assert_int_equal(lb_load(&t, 0), -300);
    t = make_tensor(LB_FP32, SHAPE(0), NULL);
    t.data.mem.f32 = 1.5f;
    assert_true(lb_load_real(&t, 0, 0) == 1.5);
}

static void unaligned_buffers(void **state)
{
    (void)state;
    char *raw = malloc(9);
    assert_non_null(raw);
    lb_tensor t = make_tensor(LB_SA32, SHAPE(2), raw + 1);
    lb_store(&t, 1, -123456789);
    assert_int_equal(lb_load(&t, 1), -123456789);
    free(raw);
}

static void real_values(void **state)
{
    (void)state;
    int16_t words[] = {-3, 100};
    lb_tensor t = make_fx(LB_FX16, 2, SHAPE(2), words);
    assert_true(lb_load_real(&t, 0, 0) == -0.75);
    t.frac_bits = -3;
    assert_true(lb_load_real(&t, 1, 0) == 800.0);
    int32_t longs[] = {INT32_MIN, 5};
    t = make_sa(LB_SA32, (lb_quant){3, 4, 32767}, SHAPE(2), longs);
    assert_true(lb_load_real(&t, 0, 0) == (-2147483648.0 - 32767.0) * 3.0 / 16.0);
    float reals[] = {0.1f, -2.0f};
    t = make_tensor(LB_FP32, SHAPE(2), reals);
    assert_true(lb_load_real(&t, 0, 0) == (double)0.1f);
    assert_int_equal(lb_load(&t, 0), 0);
    int8_t bytes[] = {10, 10};
    int16_t scale[] = {1, 2};
    int8_t frac[] = {0, 1};
    int16_t zero[] = {0, 4};
    t = make_tensor(LB_SA8, SHAPE(2), bytes);
    set_per_axis(&t, 0, scale, frac, zero);
    assert_true(lb_load_real(&t, 0, 0) == 10.0);
    assert_true(lb_load_real(&t, 1, 1) == 6.0);
}

static void status_names(void **state)
{
    (void)state;
    assert_string_equal(lb_status_name(LB_OK), "ok");
    assert_string_equal(lb_status_name(12), "type_mismatch");
    assert_string_equal(lb_status_name(14), "misalignment_error");
    assert_string_equal(lb_status_name(15), "?");
    assert_string_equal(lb_status_name(-1), "?");
    for (int i = 0; i < LB_STATUS_COUNT; i++)
        assert_int_equal(lb_status_find(lb_status_name(i)), i);
    assert_int_equal(lb_status_find("good"), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(element_types),     cmocka_unit_test(quantization_at_an_index),
        cmocka_unit_test(element_counts),    cmocka_unit_test(addresses),
        cmocka_unit_test(containers),        cmocka_unit_test(scalars_of_rank_0),
        cmocka_unit_test(unaligned_buffers), cmocka_unit_test(real_values),
        cmocka_unit_test(status_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
