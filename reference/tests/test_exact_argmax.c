/* argmax: ties as elementwise.md 9 gives them, slices, memory offsets, order of checks. */
#include "order.h"

static lb_call argmax_call(const char *function, int32_t axis, int32_t topk, lb_tensor *in,
                           lb_tensor *out)
{
    lb_call call = make_call(function);
    call.config.axis = axis;
    call.config.topk = topk;
    set_role(&call, LB_ROLE_IN, in);
    set_role(&call, LB_ROLE_OUT, out);
    return call;
}

static void select_flat(int16_t *values, uint32_t count, uint32_t topk, int32_t *places)
{
    lb_tensor in = make_fx(LB_FX16, 0, SHAPE(count), values);
    lb_tensor out = make_sa(LB_SA32, (lb_quant){7, 7, 7}, SHAPE(1, topk), places);
    lb_call call = argmax_call("mli_krn_argmax_fx16", -1, (int32_t)topk, &in, &out);
    assert_string_equal(run(&call, 0), "");
    lb_quant q = lb_quant_at(&out, 0);
    assert_true(q.scale == 1 && q.frac == 0 && q.zero_point == 0 && out.sa.dim == -1);
}

/* elementwise.md 9, QUIRK ties */
static void order_among_equals(void **state)
{
    (void)state;
    int16_t values[] = {5, 9, 9, 1, 9, 9};
    static const int32_t expected[6][6] = {{5},          {1, 5},          {1, 2, 5},
                                           {4, 2, 1, 5}, {5, 2, 1, 4, 0}, {5, 2, 1, 4, 0, 3}};
    for (uint32_t k = 1; k <= 6; k++) {
        int32_t places[6];
        select_flat(values, 6, k, places);
        assert_memory_equal(places, expected[k - 1], k * sizeof places[0]);
    }
    int16_t equal[] = {3, 3, 3, 3, 3};
    static const int32_t four[] = {1, 2, 3, 4};
    static const int32_t five[] = {1, 2, 3, 4, 0};
    int32_t places[5];
    select_flat(equal, 5, 4, places);
    assert_memory_equal(places, four, sizeof four);
    select_flat(equal, 5, 5, places);
    assert_memory_equal(places, five, sizeof five);
}

/* With distinct values the order is that of the values, whatever the heap does. */
static void distinct_values_are_sorted(void **state)
{
    (void)state;
    enum { N = 101 };
    int16_t values[N];
    int32_t places[N];
    for (int i = 0; i < N; i++)
        values[i] = (int16_t)(i * 37 % N - 50);
    for (uint32_t k = 1; k <= N; k += 9) {
        select_flat(values, N, k, places);
        for (uint32_t i = 0; i < k; i++)
            assert_int_equal(values[places[i]], 50 - (int)i);
    }
}

/* A slice holds all elements of one index along the axis; results are offsets with strides counted.
 */
static void slices_and_strides(void **state)
{
    (void)state;
    /* [2, 3], rows 5 apart: 1 7 3 . . / 9 2 8 */
    int8_t x[] = {1, 7, 3, 100, 100, 9, 2, 8};
    int32_t places[6];
    lb_tensor in = make_sa(LB_SA8, (lb_quant){1, 0, 0}, SHAPE(2, 3), x);
    in.mem_stride[0] = 5;
    in.data.capacity_bytes = 8;
    lb_tensor out = make_tensor(LB_SA32, SHAPE(2, 2), places);
    lb_call call = argmax_call("mli_krn_argmax_sa8", 0, 2, &in, &out);
    assert_string_equal(run(&call, 0), "");
    static const int32_t by_row[] = {1, 2, 5, 7};
    assert_memory_equal(places, by_row, sizeof by_row);
    out = make_tensor(LB_SA32, SHAPE(3, 2), places);
    call.config.axis = 1;
    assert_string_equal(run(&call, 0), "");
    static const int32_t by_column[] = {5, 0, 1, 6, 7, 2};
    assert_memory_equal(places, by_column, sizeof by_column);
    assert_null(call.kernel->real);
}

/* out's rank is never compared with 2 (a QUIRK): shape[0], shape[1] count whatever it is. */
static void rank_of_out(void **state)
{
    (void)state;
    int16_t x[] = {4, 6, 5};
    int32_t places[4] = {-1, -1, -1, -1};
    lb_tensor in = make_fx(LB_FX16, 0, SHAPE(3), x);
    lb_tensor out = make_tensor(LB_SA32, SHAPE(1, 2, 1), places);
    lb_call call = argmax_call("mli_krn_argmax_fx16", -1, 2, &in, &out);
    assert_string_equal(run(&call, 0), "");
    assert_true(places[0] == 1 && places[1] == 2 && places[2] == -1);
    /* [1] with a second extent beyond the rank: the buffer must hold it */
    out = make_tensor(LB_SA32, SHAPE(1), places);
    out.shape[1] = 2;
    assert_string_equal(run(&call, 0), "out.room");
    out.shape[1] = 0;
    call.config.topk = 0;
    assert_string_equal(run(&call, 0), "out.room");
}

/* elementwise.md 2: topk 0 ends as bad_tensor, too large as bad_func_cfg, negative as
 * shape_mismatch */
static void bad_topk(void **state)
{
    (void)state;
    int16_t x[] = {4, 6, 5};
    int32_t places[4];
    lb_tensor in = make_fx(LB_FX16, 0, SHAPE(3), x);
    lb_tensor out = make_tensor(LB_SA32, SHAPE(1, 2), places);
    lb_call call = argmax_call("mli_krn_argmax_fx16", 0, 0, &in, &out);
    out.shape[1] = 0;
    assert_string_equal(run(&call, 0), "out.tensor");
    assert_int_equal(call.status, LB_BAD_TENSOR);
    out.shape[1] = 2;
    call.config.topk = 4;
    assert_string_equal(run(&call, 0), "cfg.topk");
    assert_int_equal(call.status, LB_BAD_FUNC_CFG);
    call.config.topk = -1;
    assert_string_equal(run(&call, 0), "out.shape");
    assert_int_equal(call.status, LB_SHAPE_MISMATCH);
}

/* ---- Order of checks ---- */

typedef struct fixture {
    lb_call call;
    lb_tensor in, out;
    int8_t x[6];
    int32_t y[6];
    int16_t scale[2], zero_point[2];
    int8_t frac[2];
} fixture;

static void fresh(void *memory)
{
    fixture *f = memory;
    memset(f, 0, sizeof *f);
    f->in = make_sa(LB_SA8, (lb_quant){0, 4, 500}, SHAPE(2, 3),
                    f->x); /* its values are not looked at */
    f->out = make_tensor(LB_SA32, SHAPE(2, 2), f->y);
    f->call = argmax_call("mli_krn_argmax_sa8", 0, 2, &f->in, &f->out);
}

DAMAGE(null_in, f->in.data.mem.ptr = NULL)
DAMAGE(small_out, f->out.data.capacity_bytes = 3)
DAMAGE(other_type, f->out.el_type = LB_SA8)
DAMAGE(out_gaps, f->out.mem_stride[0] = 3; f->out.data.capacity_bytes = 24)
DAMAGE(null_cfg, f->call.config_null = true)
DAMAGE(axis_3, f->call.config.axis = 3)
DAMAGE(in_gaps, f->in.shape[1] = 1; f->in.mem_stride[1] = 2)
DAMAGE(axis_2, f->call.config.axis = 2)
DAMAGE(topk_7, f->call.config.topk = 7)
DAMAGE(other_shape, f->out.shape[1] = 1; f->out.mem_stride[0] = 1)
DAMAGE(in_fx8, f->in.el_type = LB_FX8)
DAMAGE(per_axis, set_per_axis(&f->in, 0, f->scale, f->frac, f->zero_point))
DAMAGE(rank_0, f->in.rank = 0; f->call.config = (lb_config){.axis = -1, .topk = 1};
       f->out = make_tensor(LB_SA32, SHAPE(1, 1), f->y))
DAMAGE(small_room, f->out.rank = 1; f->out.mem_stride[0] = 1; f->out.data.capacity_bytes = 8)

static const damage damages[] = {
    {"in.tensor", LB_BAD_TENSOR, null_in, false},
    {"out.tensor", LB_NOT_ENOUGH_MEM, small_out, false},
    {"out.type", LB_TYPE_MISMATCH, other_type, false},
    {"out.contiguous", LB_INCOMPATIBLE_TENSORS, out_gaps, false},
    {"cfg.present", LB_BAD_FUNC_CFG, null_cfg, false},
    {"cfg.axis_at_most_rank", LB_BAD_FUNC_CFG, axis_3, false},
    {"in.inner_stride", LB_INCOMPATIBLE_TENSORS, in_gaps, false},
    {"cfg.axis", LB_BAD_FUNC_CFG, axis_2, false},
    {"cfg.topk", LB_BAD_FUNC_CFG, topk_7, false},
    {"out.shape", LB_SHAPE_MISMATCH, other_shape, false},
    {"in.type", LB_TYPE_MISMATCH, in_fx8, false},
    {"in.per_tensor", LB_INCOMPATIBLE_TENSORS, per_axis, false},
    {"in.rank", LB_BAD_TENSOR, rank_0, true},
    {"out.room", LB_NOT_SUPPORTED, small_room, true},
};

static void order_of_checks(void **state)
{
    (void)state;
    static fixture f;
    check_order(damages, COUNT_OF(damages), &f, fresh, &f.call);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_among_equals), cmocka_unit_test(distinct_values_are_sorted),
        cmocka_unit_test(slices_and_strides), cmocka_unit_test(rank_of_out),
        cmocka_unit_test(bad_topk),           cmocka_unit_test(order_of_checks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
