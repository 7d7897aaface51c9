/* The asynchronous movement calls in sequences. Spec: pooling_and_movement.md 6. */
#include "tensors.h"

#include "mli/mov_state.h"

/* What the callbacks said. */
typedef struct record {
    const char *name[8];
    int32_t cookie[8];
    int count;
} record;

static void note(void *user, const char *callback, int32_t cookie)
{
    record *r = user;
    assert_in_range(r->count, 0, 7);
    r->name[r->count] = callback;
    r->cookie[r->count++] = cookie;
}

typedef struct scene {
    record calls;
    lb_mov_state state;
    lb_mov_handle a, b, c;
    int8_t data[4], result[4];
    lb_tensor src, dst;
    lb_config config;
} scene;

static void make_scene(scene *s)
{
    memset(s, 0, sizeof *s);
    lb_mov_state_init(&s->state, note, &s->calls);
    for (int i = 0; i < 4; i++)
        s->data[i] = (int8_t)(i + 1);
    s->src = make_fx(LB_FX8, 2, SHAPE(2, 2), s->data);
    s->dst = make_fx(LB_FX8, 0, SHAPE(2, 2), s->result);
    lb_call call = make_call("mli_mov_cfg_for_copy");
    (void)run(&call, 0);
    s->config = call.config;
}

static void assert_handle(const lb_mov_handle *h, int32_t dma_ch, int32_t num_ch,
                          lb_mov_handle_state state)
{
    assert_int_equal(h->dma_ch, dma_ch);
    assert_int_equal(h->num_ch, num_ch);
    assert_int_equal(h->state, state);
}

static void test_life_cycle(void **unused)
{
    (void)unused;
    scene s;
    make_scene(&s);
    assert_int_equal(lb_mov_set_num_dma_ch(&s.state, 0, 4), LB_OK);
    assert_int_equal(lb_mov_acquire(&s.state, 1, &s.a), LB_OK);
    assert_handle(&s.a, 0, 1, LB_MOV_OPEN);
    assert_int_equal(lb_mov_prepare(&s.state, &s.a, &s.src, &s.config, &s.dst), LB_OK);
    assert_handle(&s.a, 0, 1, LB_MOV_PREPARED);
    assert_memory_equal(s.result, s.data, sizeof s.data); /* QUIRK: there before start */
    assert_int_equal(s.dst.frac_bits, 2);
    assert_false(lb_mov_is_done(&s.state, &s.a));
    assert_false(lb_mov_wait_returns(&s.a));
    assert_int_equal(lb_mov_start(&s.state, &s.a), LB_OK);
    assert_true(lb_mov_is_done(&s.state, &s.a));
    assert_true(lb_mov_wait_returns(&s.a));
    assert_int_equal(lb_mov_release(&s.state, &s.a), LB_OK);
    assert_handle(&s.a, 0, 0, LB_MOV_INVALID);
    assert_int_equal(s.calls.count, 0);
}

static void test_fresh_state(void **unused)
{
    (void)unused;
    scene s;
    make_scene(&s);
    assert_int_equal(lb_mov_acquire(&s.state, 1, &s.a), LB_NOT_ENOUGH_MEM);
    assert_handle(&s.a, 0, 0, LB_MOV_INVALID);
    assert_int_equal(lb_mov_acquire(&s.state, 0, &s.a), LB_OK);
    assert_handle(&s.a, 0, 0, LB_MOV_OPEN);
    assert_int_equal(lb_mov_tensor_sync(&s.state, &s.src, &s.config, &s.dst), LB_OK);
    assert_memory_equal(s.result, s.data, sizeof s.data);
}

static void test_channels(void **unused)
{
    (void)unused;
    scene s;
    make_scene(&s);
    (void)lb_mov_set_num_dma_ch(&s.state, 1, 5);
    assert_int_equal(lb_mov_acquire(&s.state, 1, &s.a), LB_OK);
    assert_int_equal(lb_mov_acquire(&s.state, 2, &s.b), LB_OK);
    assert_handle(&s.b, 2, 2, LB_MOV_OPEN);
    (void)lb_mov_release(&s.state, &s.a);
    assert_int_equal(lb_mov_acquire(&s.state, 2, &s.a), LB_OK); /* the free one at 1 is too small */
    assert_handle(&s.a, 4, 2, LB_MOV_OPEN);
    assert_int_equal(lb_mov_acquire(&s.state, 2, &s.c), LB_NOT_ENOUGH_MEM);
    assert_int_equal(lb_mov_acquire(&s.state, 1, &s.c), LB_OK);
    assert_handle(&s.c, 1, 1, LB_MOV_OPEN);
    (void)lb_mov_set_num_dma_ch(&s.state, 1, 1); /* frees a channel in use, and only that one */
    assert_int_equal(lb_mov_acquire(&s.state, 2, &s.c), LB_NOT_ENOUGH_MEM);
    assert_int_equal(lb_mov_acquire(&s.state, 1, &s.c), LB_OK);
}

/* QUIRK: into channels that a larger pool left available. */
static void test_block_past_the_end_of_the_pool(void **unused)
{
    (void)unused;
    scene s;
    make_scene(&s);
    (void)lb_mov_set_num_dma_ch(&s.state, 0, 6);
    (void)lb_mov_set_num_dma_ch(&s.state, 0, 2);
    assert_int_equal(lb_mov_acquire(&s.state, 1, &s.a), LB_OK);
    assert_int_equal(lb_mov_acquire(&s.state, 3, &s.b), LB_OK);
    assert_handle(&s.b, 1, 3, LB_MOV_OPEN);
}

static void test_callbacks_belong_to_channels(void **unused)
{
    (void)unused;
    scene s;
    make_scene(&s);
    (void)lb_mov_set_num_dma_ch(&s.state, 2, 2);
    (void)lb_mov_acquire(&s.state, 1, &s.a);
    assert_int_equal(lb_mov_register_callback(&s.state, &s.a, "first", INT32_MIN), LB_OK);
    (void)lb_mov_release(&s.state, &s.a);
    (void)lb_mov_acquire(&s.state, 1, &s.b);
    (void)lb_mov_start(&s.state,
                       &s.b); /* the next owner inherits it; start without prepare moves nothing */
    (void)lb_mov_start(&s.state, &s.b);
    assert_int_equal(s.calls.count, 2);
    assert_string_equal(s.calls.name[1], "first");
    assert_int_equal(s.calls.cookie[1], INT32_MIN);
    assert_int_equal(s.result[0], 0);
    (void)lb_mov_tensor_sync(&s.state, &s.src, &s.config,
                             &s.dst); /* QUIRK: fires for the channel at the base too */
    assert_int_equal(s.calls.count, 3);
    (void)lb_mov_register_callback(&s.state, &s.b, "second", 5);
    (void)lb_mov_start(&s.state, &s.b);
    assert_string_equal(s.calls.name[3], "second");
    (void)lb_mov_register_callback(&s.state, &s.b, NULL, 6);
    (void)lb_mov_start(&s.state, &s.b);
    assert_int_equal(s.calls.count, 4);
}

static void test_failed_prepare_keeps_the_state(void **unused)
{
    (void)unused;
    scene s;
    make_scene(&s);
    (void)lb_mov_set_num_dma_ch(&s.state, 0, 1);
    (void)lb_mov_acquire(&s.state, 1, &s.a);
    lb_tensor bad = s.src;
    bad.shape[0] = 0;
    assert_int_equal(lb_mov_prepare(&s.state, &s.a, &bad, &s.config, &s.dst), LB_BAD_TENSOR);
    assert_handle(&s.a, 0, 1, LB_MOV_OPEN);
    assert_int_equal(lb_mov_prepare(&s.state, &s.a, &s.src, NULL, &s.dst), LB_BAD_FUNC_CFG);
    assert_int_equal(lb_mov_prepare(&s.state, &s.a, NULL, &s.config, &s.dst), LB_BAD_TENSOR);
    (void)lb_mov_start(&s.state, &s.a);
    s.dst.data.capacity_bytes = 3; /* step 6 fails after the fields are written */
    assert_int_equal(lb_mov_prepare(&s.state, &s.a, &s.src, &s.config, &s.dst), LB_NOT_ENOUGH_MEM);
    assert_handle(&s.a, 0, 1, LB_MOV_DONE);
    s.dst.data.capacity_bytes = 4;
    assert_int_equal(lb_mov_prepare(&s.state, &s.a, &s.src, &s.config, &s.dst), LB_OK);
    assert_handle(&s.a, 0, 1, LB_MOV_PREPARED);
}

/* QUIRK: the synchronous call takes no channel, and still fails in a pool without any. */
static void test_synchronous_call(void **unused)
{
    (void)unused;
    scene s;
    make_scene(&s);
    (void)lb_mov_set_num_dma_ch(&s.state, 4, 0);
    assert_int_equal(lb_mov_tensor_sync(&s.state, &s.src, &s.config, &s.dst), LB_NOT_ENOUGH_MEM);
    assert_int_equal(s.result[0], 0);
    (void)lb_mov_set_num_dma_ch(&s.state, 4, 1);
    (void)lb_mov_acquire(&s.state, 1, &s.a);
    (void)lb_mov_register_callback(&s.state, &s.a, "done", 1);
    assert_int_equal(lb_mov_tensor_sync(&s.state, &s.src, NULL, &s.dst), LB_BAD_FUNC_CFG);
    assert_int_equal(s.calls.count, 0); /* a failed prepare is not started */
    assert_int_equal(lb_mov_tensor_sync(&s.state, &s.src, &s.config, &s.dst), LB_OK);
    assert_int_equal(s.calls.count, 1);
    assert_memory_equal(s.result, s.data, sizeof s.data);
}

/* Numbers that the API leaves undefined name no channel. */
static void test_numbers_outside_the_channels(void **unused)
{
    (void)unused;
    scene s;
    make_scene(&s);
    (void)lb_mov_set_num_dma_ch(&s.state, 14, 100);
    assert_int_equal(lb_mov_acquire(&s.state, 3, &s.a), LB_NOT_ENOUGH_MEM);
    assert_int_equal(lb_mov_acquire(&s.state, 2, &s.a), LB_OK);
    assert_handle(&s.a, 14, 2, LB_MOV_OPEN);
    s.b.dma_ch = 16;
    s.b.num_ch = INT32_MAX;
    (void)lb_mov_register_callback(&s.state, &s.b, "nobody", 1);
    (void)lb_mov_start(&s.state, &s.b);
    assert_int_equal(s.calls.count, 0);
    (void)lb_mov_release(&s.state, &s.b);
    (void)lb_mov_set_num_dma_ch(&s.state, INT32_MAX, INT32_MAX);
    assert_int_equal(lb_mov_acquire(&s.state, 1, &s.b), LB_NOT_ENOUGH_MEM);
    (void)lb_mov_set_num_dma_ch(&s.state, INT32_MIN, INT32_MAX);
    assert_int_equal(lb_mov_acquire(&s.state, 1, &s.b), LB_NOT_ENOUGH_MEM); /* and at once */
    (void)lb_mov_set_num_dma_ch(&s.state, INT32_MIN, -1);
    assert_int_equal(lb_mov_acquire(&s.state, 0, &s.b), LB_NOT_ENOUGH_MEM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_life_cycle),
        cmocka_unit_test(test_fresh_state),
        cmocka_unit_test(test_channels),
        cmocka_unit_test(test_block_past_the_end_of_the_pool),
        cmocka_unit_test(test_callbacks_belong_to_channels),
        cmocka_unit_test(test_failed_prepare_keeps_the_state),
        cmocka_unit_test(test_synchronous_call),
        cmocka_unit_test(test_numbers_outside_the_channels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
