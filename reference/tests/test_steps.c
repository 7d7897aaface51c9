/* The steps that models tell: which ones, with which operands, of which element, and that nobody is
 * told unasked. Whether the steps of every function add up is for harness/tests/test_explain.c,
 * which replays them. */
#include "violations.h"

#include "core/num.h"

enum { MAX_TOLD = 64 };

typedef struct told {
    lb_num_step given[MAX_TOLD], taken[MAX_TOLD];
    size_t givens, operations;
} told;

static void note(void *user, const lb_num_step *step)
{
    told *t = user;
    if (step->number < 0) {
        assert_true(t->givens < MAX_TOLD);
        t->given[t->givens++] = *step;
        assert_int_equal(step->number, -(int32_t)t->givens);
    } else {
        assert_true(t->operations < MAX_TOLD);
        t->taken[t->operations++] = *step;
        assert_int_equal(step->number, (int32_t)t->operations);
    }
}

static const lb_num_step *first(const told *t, lb_operation operation)
{
    for (size_t i = 0; i < t->operations; i++)
        if (t->taken[i].operation == operation)
            return &t->taken[i];
    fail_msg("no step %s", lb_operation_name(operation));
    return NULL;
}

typedef struct connected {
    int16_t x[2], y[2];
    int8_t w[4], b[2];
    lb_tensor in, weights, bias, out;
    lb_call call;
} connected;

/* conv.md 14, as the second of two outputs. */
static void make_connected(connected *c)
{
    *c = (connected){.x = {100, -7}, .w = {1, 5, 2, 9}, .b = {1, -3}};
    c->in = make_fx(LB_FX16, 3, SHAPE(2), c->x);
    c->weights = make_fx(LB_FX8, 2, SHAPE(2, 2), c->w);
    c->bias = make_fx(LB_FX8, 4, SHAPE(2), c->b);
    c->out = make_fx(LB_FX16, 2, SHAPE(2), c->y);
    c->call = make_call("mli_krn_fully_connected_fx16_fx8_fx8");
    set_role(&c->call, LB_ROLE_IN, &c->in);
    set_role(&c->call, LB_ROLE_WEIGHTS, &c->weights);
    set_role(&c->call, LB_ROLE_BIAS, &c->bias);
    set_role(&c->call, LB_ROLE_OUT, &c->out);
}

static void tell_element(connected *c, size_t element, told *t)
{
    lb_steps steps = {.role = LB_ROLE_OUT, .element = element, .step = note, .user = t};
    lb_context context = {.profile = &lb_profiles[0], .steps = &steps};
    *t = (told){.givens = 0};
    make_connected(c);
    assert_null(lb_run_exact(&context, &c->call));
}

/* 100 * 5 - 7 * 9 = 437; the bias, shifted by 1: 431; 431 / 8 = 53.875: 54 */
static void steps_of_an_element(void **state)
{
    connected c;
    told t;
    (void)state;
    tell_element(&c, 1, &t);
    const lb_num_step *mac = first(&t, LB_STEP_MAC);
    assert_int_equal(mac->tap, 1);
    assert_int_equal(mac->result, 500);
    assert_int_equal(mac->width, 32);
    assert_int_equal(mac->operand[1].v, 100);
    assert_int_equal(mac->operand[2].v, 5);
    assert_int_equal(mac[1].tap, 2);
    assert_int_equal(mac[1].operand[0].step, mac->number);
    assert_int_equal(mac[1].result, 437);
    const lb_num_step *weight = &t.given[-mac[1].operand[2].step - 1];
    assert_int_equal(weight->place.owner, LB_OWNER_WEIGHTS);
    assert_int_equal(weight->place.rank, 2);
    assert_int_equal(weight->place.index[0], 1);
    assert_int_equal(weight->place.index[1], 1);
    assert_int_equal(weight->result, 9);
    const lb_num_step *last = &t.taken[t.operations - 1];
    assert_int_equal(last->result, 54);
    assert_int_equal(last->part, LB_PART_RELU);
    for (size_t i = 0; i < t.operations; i++) {
        if (t.taken[i].operation == LB_STEP_RSH && t.taken[i].result == 54) {
            assert_int_equal(t.taken[i].operand[0].v, 431);
            assert_int_equal(t.taken[i].operand[1].v, 3);
        }
    }
}

/* Steps are those of the element that is asked for, and asking changes nothing. */
static void only_what_is_asked_for(void **state)
{
    connected c;
    told t, other;
    (void)state;
    tell_element(&c, 1, &t);
    assert_int_equal(c.y[0], 11); /* 86 + 2 = 88; 88 / 8 */
    assert_int_equal(c.y[1], 54);
    tell_element(&c, 0, &other);
    assert_int_equal(c.y[1], 54);
    assert_int_equal(other.taken[other.operations - 1].result, 11);
    assert_int_equal(first(&other, LB_STEP_MAC)->operand[2].v, 1);
    tell_element(&c, 2, &other); /* there is none: what is fixed for the call is all */
    for (size_t i = 0; i < other.operations; i++)
        assert_int_not_equal(other.taken[i].operation, LB_STEP_MAC);
}

/* A number that the model stored is known again when it is read back, and only there. */
static void stored_numbers_are_known_again(void **state)
{
    int8_t data[3] = {1, 2, 3};
    told t = {.givens = 0};
    lb_steps steps = {.role = LB_ROLE_OUT, .step = note, .user = &t};
    lb_tensor v = make_fx(LB_FX8, 0, SHAPE(3), data);
    const uint32_t one[] = {1}, two[] = {2};
    (void)state;
    lb_num sum = lb_num_add(&steps, lb_num_const(40), lb_num_const(2), 0, LB_SITE_RUNNING_SUM);
    lb_num_store(&steps, &v, 1, sum);
    assert_int_equal(data[1], 42);
    assert_int_equal(lb_num_at(&steps, &v, LB_NAMED(HIDDEN), one).step, 1);
    assert_int_equal(lb_num_at(&steps, &v, LB_NAMED(HIDDEN), two).step, -1);
    data[1] = 7; /* somebody else has written */
    assert_int_equal(lb_num_at(&steps, &v, LB_NAMED(HIDDEN), one).step, -2);
    assert_int_equal(lb_num_at(NULL, &v, LB_NAMED(HIDDEN), one).step, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_of_an_element),
        cmocka_unit_test(only_what_is_asked_for),
        cmocka_unit_test(stored_numbers_are_known_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
