/* Checks as data: asked, and the ranges behind them. Those of the functions themselves are tried
 * where their models are (test_exact_*.c, test_rules_*.c). */
#include "tensors.h"

#include "describe/check.h"

enum { IN = LB_ROLE_IN, WEIGHTS = LB_ROLE_WEIGHTS, OUT = LB_ROLE_OUT };

/* A call whose operands have these shapes. */
typedef struct fixture {
    int8_t data[64];
    lb_tensor in, weights, out;
    lb_call call;
} fixture;

static void set_up(fixture *f, const char *function)
{
    memset(f, 0, sizeof *f);
    f->call = make_call(function);
    f->in = make_tensor(LB_FX8, SHAPE(4, 5, 6), f->data);
    f->weights = make_tensor(LB_FX8, SHAPE(2, 3, 2, 9), f->data);
    f->out = make_tensor(LB_FX8, SHAPE(4, 5, 9), f->data);
    set_role(&f->call, LB_ROLE_IN, &f->in);
    set_role(&f->call, LB_ROLE_WEIGHTS, &f->weights);
    set_role(&f->call, LB_ROLE_OUT, &f->out);
}

/* clang-format off */
#define ASK(f, ...) lb_check_ask(NULL, &(f)->call, &(lb_rule){"row", LB_ASKS(LB_BAD_FUNC_CFG, __VA_ARGS__)})
#define STRIDE LB_FIELD(stride_height, LB_FIELD_U8)
/* clang-format on */

static void relations(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, "mli_krn_group_conv2d_hwcn_fx16");
    for (int v = 0; v < 4; v++) { /* stride * 2 - 4 */
        f.call.config.stride_height = (uint8_t)v;
        assert_int_equal(ASK(&f, LB_THAT(LB_AT_MOST, LB_X(2, STRIDE), LB_N(-4))) == LB_OK, v <= 2);
        assert_int_equal(ASK(&f, LB_THAT(LB_EQUAL, LB_X(2, STRIDE), LB_N(-4))) == LB_OK, v == 2);
        assert_int_equal(ASK(&f, LB_THAT(LB_UNLIKE, LB_X(2, STRIDE), LB_N(-4))) == LB_OK, v != 2);
        assert_int_equal(
            ASK(&f, LB_THAT(LB_WHOLE, LB_X(1, LB_EXTENT_OF(IN, 0)), LB_X(1, STRIDE))) == LB_OK,
            v == 1 || v == 2); /* 4 by 0, 1, 2, 3 */
    }
    assert_int_equal(ASK(&f, LB_THAT_CONFIG_GIVEN), LB_OK);
    f.call.config_null = true;
    assert_int_equal(ASK(&f, LB_THAT_CONFIG_GIVEN), LB_BAD_FUNC_CFG);
}

/* Of several conditions all have to hold; a NULL role comes before them, wherever it stands. */
static void several(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, "mli_krn_group_conv2d_hwcn_fx16");
#define TWO                                                                                        \
    LB_THAT(LB_EQUAL, LB_X(1, LB_EXTENT_OF(IN, 0)), LB_N(-4)),                                     \
        LB_THAT(LB_EQUAL, LB_X(1, LB_EXTENT_OF(OUT, 2)), LB_N(-9))
    assert_int_equal(ASK(&f, TWO), LB_OK);
    f.out.shape[2] = 8;
    assert_int_equal(ASK(&f, TWO), LB_BAD_FUNC_CFG);
    f.out.shape[2] = 9;
    f.in.shape[0] = 5;
    assert_int_equal(ASK(&f, TWO), LB_BAD_FUNC_CFG);
    set_role(&f.call, LB_ROLE_OUT, NULL);
    assert_int_equal(ASK(&f, TWO), LB_BAD_TENSOR);
}

/* 2^32 - 1 and 2^31 - 1, and more: no sum overflows. */
static void large_numbers(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, "mli_krn_group_conv2d_hwcn_fx16");
    f.in.shape[0] = f.in.shape[1] = f.in.shape[2] = UINT32_MAX;
    f.in.mem_stride[0] = INT32_MIN;
#define BIG        LB_XY(INT16_MAX, LB_EXTENT_OF(IN, 0), LB_EXTENT_OF(IN, 1))
#define LOW        LB_XY(INT16_MAX, LB_EXTENT_OF(IN, 0), LB_STRIDE_OF(IN, 0))
#define COUNT_LEAF LB_XY(1, LB_OF_TENSOR(COUNT, IN), LB_OF_TENSOR(COUNT, IN))
    assert_int_equal(ASK(&f, LB_THAT(LB_AT_MOST, BIG, BIG, BIG, BIG, BIG, BIG, BIG, BIG)),
                     LB_BAD_FUNC_CFG);
    assert_int_equal(ASK(&f, LB_THAT(LB_AT_MOST, LOW, LOW, LOW, LOW, LOW, LOW, LOW, LOW)), LB_OK);
    assert_int_equal(ASK(&f, LB_THAT(LB_AT_MOST, COUNT_LEAF)), LB_BAD_FUNC_CFG);
}

/* Conditions for each dimension: the stride of one is the next one's extent times its stride. */
static void each_dimension(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, "mli_krn_group_conv2d_hwcn_fx16");
    const lb_rule dense = {"dense", LB_DENSE(IN)};
    assert_int_equal(lb_check_ask(NULL, &f.call, &dense), LB_OK);
    for (int d = 0; d < 3; d++) {
        f.in.mem_stride[d]++;
        assert_int_equal(lb_check_ask(NULL, &f.call, &dense), LB_INCOMPATIBLE_TENSORS);
        f.in.mem_stride[d]--;
    }
    f.in.rank = 9; /* another check's matter */
    lb_check_ask(NULL, &f.call, &dense);
}

/* ---- Ranges behind the checks ---- */

static lb_leaf_range range_of(const char *function, lb_leaf leaf)
{
    return lb_checks_bound(lb_kernel_find(function), leaf);
}

#define ASSERT_RANGE(function, low_, high_, ...)                                                   \
    do {                                                                                           \
        lb_leaf_range range = range_of(function, (lb_leaf)__VA_ARGS__);                            \
        assert_int_equal(range.low, low_);                                                         \
        assert_int_equal(range.high, high_);                                                       \
    } while (0)

static void ranges(void **state)
{
    (void)state;
    const char *k3x3 = "mli_krn_conv2d_hwcn_fx16_k3x3", *any = "mli_krn_conv2d_hwcn_sa8_sa8_sa32";
    const char *k4x4 = "mli_krn_transpose_conv2d_hwcn_fx16_k4x4_str2";
    const char *deep = "mli_krn_depthwise_conv2d_hwcn_fx16";
    ASSERT_RANGE(k3x3, 3, 3, LB_EXTENT_OF(WEIGHTS, 0));
    ASSERT_RANGE(k3x3, 3, 3, LB_EXTENT_OF(WEIGHTS, 1));
    ASSERT_RANGE(k3x3, 0, UINT32_MAX, LB_EXTENT_OF(WEIGHTS, 2));
    ASSERT_RANGE(deep, 1, 1, LB_EXTENT_OF(WEIGHTS, 2));
    ASSERT_RANGE(any, 3, 3, LB_OF_TENSOR(RANK, OUT));
    ASSERT_RANGE(any, LB_SA8, LB_SA8, LB_OF_TENSOR(TYPE, OUT)); /* that of in */
    ASSERT_RANGE(any, 1, INT16_MAX, LB_OF_TENSOR(SCALE, WEIGHTS));
    ASSERT_RANGE(any, 0, 0, LB_OF_TENSOR(ZERO_POINT, WEIGHTS));
    ASSERT_RANGE(any, -128, 127, LB_OF_TENSOR(ZERO_POINT, OUT));
    ASSERT_RANGE(any, INT32_MIN, -1, LB_OF_TENSOR(AXIS, OUT));
    ASSERT_RANGE(k4x4, 4, 4, LB_EXTENT_OF(WEIGHTS, 0));
    ASSERT_RANGE("mli_krn_rnn_dense_fx16", -128, 127, LB_OF_TENSOR(FRAC_BITS, OUT));
    ASSERT_RANGE("mli_krn_rnn_dense_sa8_sa8_sa32", 0, 0, LB_OF_TENSOR(ZERO_POINT, WEIGHTS));
    ASSERT_RANGE("mli_ext_pack_int4", LB_EL_INT4, LB_EL_INT4, LB_OF_TENSOR(TYPE, IN));
}

/* A condition is known again whatever the order of its products; an equation with either sign. */
static void conditions_are_known(void **state)
{
    (void)state;
    const lb_kernel *conv = lb_kernel_find("mli_krn_conv2d_hwcn_fx16");
    const lb_condition within =
        LB_THAT(LB_AT_MOST, LB_X(-1, LB_OF_TENSOR(FRAC_BITS, WEIGHTS)),
                LB_X(1, LB_OF_TENSOR(FRAC_BITS, OUT)), LB_X(-1, LB_OF_TENSOR(FRAC_BITS, IN)));
    lb_condition other = within;
    assert_true(lb_checks_have(conv, &within));
    other.term[0].n = -2;
    assert_false(lb_checks_have(conv, &other));
    other = within;
    other.is = LB_EQUAL;
    assert_false(lb_checks_have(conv, &other));
    const lb_condition channels =
        LB_THAT(LB_EQUAL, LB_X(1, LB_EXTENT_OF(WEIGHTS, 2)), LB_X(-1, LB_EXTENT_OF(IN, 2)));
    assert_true(lb_checks_have(conv, &channels));
    assert_false(lb_checks_have(lb_kernel_find("mli_krn_group_conv2d_hwcn_fx16"), &channels));
    const lb_rule rank = {"in.rank", LB_RANK_IS(IN, 3)};
    const lb_rule bits = {"bits", LB_FRAC_BITS_WITHIN(IN, WEIGHTS, OUT)};
    const lb_rule given = {"given", LB_PRESENT(IN, LB_UNDEFINED)};
    assert_int_equal(lb_check_roles(conv, &rank), 1 << IN);
    assert_int_equal(lb_check_roles(conv, &bits), 1 << IN | 1 << WEIGHTS | 1 << OUT);
    assert_int_equal(lb_check_roles(conv, &given), 0); /* asked of what may be NULL */
}

/* How far from refusal: only limits have it, and only in calls in which they are asked. */
static void rooms(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, "mli_krn_group_conv2d_hwcn_fx16");
    const lb_condition twice = LB_THAT(LB_AT_MOST, LB_X(2, STRIDE), LB_N(-4)),
                       equal = LB_THAT(LB_EQUAL, LB_X(2, STRIDE), LB_N(-4));
    const lb_rule row = {"row", NULL, 0, 0, LB_BAD_FUNC_CFG, &twice};
    f.call.config.stride_height = 2;
    assert_int_equal(lb_check_room(&f.call, &row, &twice), 0);
    f.call.config.stride_height = 1;
    assert_int_equal(lb_check_room(&f.call, &row, &twice), 2);
    assert_int_equal(lb_check_room(&f.call, &row, &equal), INT64_MAX);
    const lb_condition size = LB_THAT(LB_AT_MOST, LB_X(1, LB_EXTENT_OF(IN, 0)), LB_N(-9));
    assert_int_equal(lb_check_room(&f.call, &row, &size), 5);
    f.call.tensor[LB_ROLE_IN] = NULL;
    assert_int_equal(lb_check_room(&f.call, &row, &size), INT64_MAX);
}

/* ---- What they exclude ---- */

#define FACT(low, high, parity_, ...)                                                              \
    {                                                                                              \
        .leaf = __VA_ARGS__, .range = {low, high}, .parity = (parity_)                             \
    }

/* The name of the check that excludes these facts; "itself"; "": none does. */
static const char *excluded_by(const char *function, const lb_fact *facts, unsigned count)
{
    const lb_exclusion e = lb_checks_exclude(lb_kernel_find(function), facts, count);
    return e.by ? e.by->name : e.is_excluded ? "itself" : "";
}

#define ASSERT_EXCLUDED(by, function, ...)                                                         \
    assert_string_equal(by, excluded_by(function, (const lb_fact[]){__VA_ARGS__},                  \
                                        sizeof(const lb_fact[]){__VA_ARGS__} / sizeof(lb_fact)))

static void exclusions(void **state)
{
    (void)state;
    const char *relu = "mli_krn_relu_fx8", *conv = "mli_krn_conv2d_hwcn_fx16";
    ASSERT_EXCLUDED("", relu, FACT(2, 9, LB_ANY_PARITY, LB_EXTENT_OF(IN, 0)),
                    FACT(9, 20, LB_ANY_PARITY, LB_EXTENT_OF(OUT, 0)));
    ASSERT_EXCLUDED("itself", relu, FACT(1, 1, LB_ANY_PARITY, {.kind = LB_LEAF_RANK, .role = IN}),
                    FACT(2, 4, LB_ANY_PARITY, {.kind = LB_LEAF_RANK, .role = IN}));
    /* Shapes are equal, for each dimension that both have; so are odd and even numbers. */
    const lb_fact two_ranks[] = {FACT(1, 4, LB_ANY_PARITY, {.kind = LB_LEAF_RANK, .role = IN}),
                                 FACT(1, 4, LB_ANY_PARITY, {.kind = LB_LEAF_RANK, .role = OUT}),
                                 FACT(2, 2, LB_ANY_PARITY, LB_EXTENT_OF(IN, 0)),
                                 FACT(3, 9, LB_ANY_PARITY, LB_EXTENT_OF(OUT, 0))};
    assert_string_equal(excluded_by(relu, two_ranks, 4), "out.shape_equals_in");
    const lb_fact parities[] = {two_ranks[0], two_ranks[1],
                                FACT(3, 15, LB_ODD, LB_EXTENT_OF(IN, 0)),
                                FACT(4, 16, LB_EVEN, LB_EXTENT_OF(OUT, 0))};
    assert_string_equal(excluded_by(relu, parities, 4), "out.shape_equals_in");
    /* A kernel of one row has no padding, whatever the gap; of two it has. */
    const lb_leaf padding = LB_FIELD(padding_top, LB_FIELD_U8);
    for (int rows = 1; rows <= 2; rows++) {
        const lb_fact facts[] = {{padding, {1, 200}, LB_ANY_PARITY},
                                 FACT(rows, rows, LB_ANY_PARITY, LB_EXTENT_OF(WEIGHTS, 0))};
        assert_string_equal(excluded_by(conv, facts, 2), rows == 1 ? "cfg.padding_height" : "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(relations),     cmocka_unit_test(several),
        cmocka_unit_test(large_numbers), cmocka_unit_test(each_dimension),
        cmocka_unit_test(ranges),        cmocka_unit_test(conditions_are_known),
        cmocka_unit_test(rooms),         cmocka_unit_test(exclusions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
