/* Handles, channels and callbacks of data movement (pooling_and_movement.md 6; api.md 4.3): the
 * state when the library is loaded, life cycles, the pool, arguments that the original leaves
 * undefined, and many threads at once. */
#include "support.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static int8_t src_data[4] = {1, 2, 3, 4}, dst_data[4];

static mli_tensor source(void)
{
    return with_frac(tensor(MLI_EL_FX_8, src_data, SHAPE2(2, 2), NULL), 3);
}

static mli_tensor destination(void)
{
    memset(dst_data, 0x5A, sizeof dst_data);
    return tensor(MLI_EL_FX_8, dst_data, SHAPE2(2, 2), NULL);
}

static mli_mov_cfg_t neutral(void)
{
    mli_mov_cfg_t cfg;
    assert_int_equal(mli_mov_cfg_for_copy(&cfg), MLI_STATUS_OK);
    return cfg;
}

/* Movement checks its tensors. */
static int is_checked(void)
{
    return !strstr(mli_hlp_compile_options_string(), "DBG_MODE_RELEASE");
}

static void assert_handle(const mli_mov_handle_t *h, int dma_ch, int num_ch, mli_mov_state state)
{
    assert_int_equal(h->dma_ch, dma_ch);
    assert_int_equal(h->num_ch, num_ch);
    assert_int_equal(h->state, state);
}

static int calls_a, calls_b;
static int32_t last_cookie;

static void callback_a(int32_t cookie)
{
    calls_a++;
    last_cookie = cookie;
}

static void callback_b(int32_t cookie)
{
    calls_b++;
    last_cookie = cookie;
}

/* Must run before any other call of this program: the pool is 0..15, no channel of it is available
 * yet. */
static void test_fresh(void **state)
{
    (void)state;
    const mli_tensor src = source();
    mli_tensor dst = destination();
    const mli_mov_cfg_t cfg = neutral();
    mli_mov_handle_t h = {7, 7, MLI_MOV_STATE_DMA_RUNNING};
    assert_int_equal(mli_mov_acquire_handle(1, &h), MLI_STATUS_NOT_ENGH_MEM);
    assert_handle(&h, 7, 7, MLI_MOV_STATE_DMA_RUNNING);
    assert_int_equal(mli_mov_tensor_sync(&src, &cfg, &dst), MLI_STATUS_OK);
    assert_memory_equal(dst_data, src_data, 4);
    assert_int_equal(mli_mov_acquire_handle(0, &h), MLI_STATUS_OK);
    assert_handle(&h, 0, 0, MLI_MOV_STATE_OPEN);
    assert_int_equal(mli_mov_release_handle(&h), MLI_STATUS_OK);
    assert_int_equal(mli_mov_acquire_handle(1, &h), MLI_STATUS_NOT_ENGH_MEM);
}

static void test_life_cycle(void **state)
{
    (void)state;
    const mli_tensor src = source();
    mli_tensor dst = destination(), bad = src;
    const mli_mov_cfg_t cfg = neutral();
    mli_mov_handle_t h;
    assert_int_equal(mli_mov_set_num_dma_ch(3, 2), MLI_STATUS_OK);
    assert_int_equal(mli_mov_acquire_handle(1, &h), MLI_STATUS_OK);
    assert_handle(&h, 3, 1, MLI_MOV_STATE_OPEN);
    assert_false(mli_mov_isdone(&h));
    bad.rank = 9;
    if (is_checked())
        assert_int_equal(mli_mov_prepare(&h, &bad, &cfg, &dst), MLI_STATUS_BAD_TENSOR);
    assert_handle(&h, 3, 1, MLI_MOV_STATE_OPEN);
    assert_int_equal(mli_mov_prepare(&h, &src, &cfg, &dst), MLI_STATUS_OK); /* here the data move */
    assert_handle(&h, 3, 1, MLI_MOV_STATE_PREPARED);
    assert_memory_equal(dst_data, src_data, 4);
    assert_int_equal(dst.el_params.fx.frac_bits, 3);
    assert_false(mli_mov_isdone(&h));
    assert_int_equal(mli_mov_wait(&h), MLI_STATUS_ARGUMENT_ERROR); /* instead of for ever */
    assert_int_equal(mli_mov_start(&h, NULL, NULL, NULL), MLI_STATUS_OK);
    assert_handle(&h, 3, 1, MLI_MOV_STATE_DONE);
    assert_true(mli_mov_isdone(&h));
    assert_int_equal(mli_mov_wait(&h), MLI_STATUS_OK);
    if (is_checked())
        assert_int_equal(mli_mov_prepare(&h, &bad, &cfg, &dst), MLI_STATUS_BAD_TENSOR);
    assert_true(mli_mov_isdone(&h));
    dst = destination();
    assert_int_equal(mli_mov_prepare(&h, &src, &cfg, &dst), MLI_STATUS_OK); /* from any state */
    assert_false(mli_mov_isdone(&h));
    assert_int_equal(mli_mov_release_handle(&h), MLI_STATUS_OK);
    assert_handle(&h, 0, 0, MLI_MOV_STATE_INVALID);
    assert_int_equal(mli_mov_release_handle(&h), MLI_STATUS_OK);
    dst = destination(); /* start alone moves nothing */
    assert_int_equal(mli_mov_start(&h, &src, &cfg, &dst), MLI_STATUS_OK);
    assert_int_equal(dst_data[0], 0x5A);
}

static void test_pool(void **state)
{
    (void)state;
    mli_mov_handle_t a, b, c, d;
    assert_int_equal(mli_mov_set_num_dma_ch(1, 5), MLI_STATUS_OK);
    assert_int_equal(mli_mov_acquire_handle(1, &a), MLI_STATUS_OK);
    assert_int_equal(mli_mov_acquire_handle(2, &b), MLI_STATUS_OK);
    assert_handle(&b, 2, 2, MLI_MOV_STATE_OPEN);
    assert_int_equal(mli_mov_release_handle(&a), MLI_STATUS_OK);
    assert_int_equal(mli_mov_acquire_handle(2, &c), MLI_STATUS_OK); /* 1 is free, but alone */
    assert_handle(&c, 4, 2, MLI_MOV_STATE_OPEN);
    assert_int_equal(mli_mov_acquire_handle(1, &a), MLI_STATUS_OK); /* the lowest that fits */
    assert_handle(&a, 1, 1, MLI_MOV_STATE_OPEN);
    assert_int_equal(mli_mov_acquire_handle(1, &d), MLI_STATUS_NOT_ENGH_MEM);
    assert_int_equal(mli_mov_acquire_handle(0, &d),
                     MLI_STATUS_OK); /* takes nothing, always at the start */
    assert_handle(&d, 1, 0, MLI_MOV_STATE_OPEN);
    /* the pool again: available, though in use; other channels as they were */
    assert_int_equal(mli_mov_set_num_dma_ch(1, 2), MLI_STATUS_OK);
    assert_int_equal(mli_mov_acquire_handle(3, &d), MLI_STATUS_NOT_ENGH_MEM);
    assert_int_equal(mli_mov_acquire_handle(2, &d), MLI_STATUS_OK);
    assert_handle(&d, 1, 2, MLI_MOV_STATE_OPEN);
    /* a block may run past the end of the pool, into channels that an earlier one left available */
    assert_int_equal(mli_mov_set_num_dma_ch(0, 16), MLI_STATUS_OK);
    assert_int_equal(mli_mov_set_num_dma_ch(12, 1), MLI_STATUS_OK);
    assert_int_equal(mli_mov_acquire_handle(5, &a), MLI_STATUS_NOT_ENGH_MEM);
    assert_int_equal(mli_mov_acquire_handle(4, &a), MLI_STATUS_OK);
    assert_handle(&a, 12, 4, MLI_MOV_STATE_OPEN);
    assert_int_equal(mli_mov_release_handle(&a), MLI_STATUS_OK);
    /* an empty pool: not even nothing can be taken */
    const mli_tensor src = source();
    mli_tensor dst = destination();
    const mli_mov_cfg_t cfg = neutral();
    assert_int_equal(mli_mov_set_num_dma_ch(4, 0), MLI_STATUS_OK);
    assert_int_equal(mli_mov_acquire_handle(0, &a), MLI_STATUS_NOT_ENGH_MEM);
    assert_int_equal(mli_mov_tensor_sync(&src, &cfg, &dst), MLI_STATUS_NOT_ENGH_MEM);
    assert_int_equal(mli_mov_tensor_sync(NULL, NULL, NULL), MLI_STATUS_NOT_ENGH_MEM);
    assert_int_equal(dst_data[0], 0x5A);
    assert_int_equal(mli_mov_set_num_dma_ch(0, 16), MLI_STATUS_OK);
}

static void test_callbacks(void **state)
{
    (void)state;
    const mli_tensor src = source();
    mli_tensor dst = destination();
    const mli_mov_cfg_t cfg = neutral();
    mli_mov_handle_t a, b;
    calls_a = calls_b = 0;
    assert_int_equal(mli_mov_set_num_dma_ch(2, 3), MLI_STATUS_OK);
    assert_int_equal(mli_mov_acquire_handle(1, &a), MLI_STATUS_OK);
    assert_int_equal(mli_mov_acquire_handle(1, &b), MLI_STATUS_OK);
    assert_int_equal(mli_mov_registercallback(&a, callback_a, INT32_MIN), MLI_STATUS_OK);
    assert_int_equal(mli_mov_registercallback(&b, callback_b, 77), MLI_STATUS_OK);
    assert_int_equal(mli_mov_prepare(&a, &src, &cfg, &dst), MLI_STATUS_OK);
    assert_int_equal(calls_a, 0);
    assert_int_equal(mli_mov_start(&a, &src, &cfg, &dst), MLI_STATUS_OK);
    assert_int_equal(mli_mov_start(&a, &src, &cfg, &dst), MLI_STATUS_OK);
    assert_int_equal(calls_a, 2);
    assert_int_equal(last_cookie, INT32_MIN);
    assert_int_equal(calls_b, 0);
    /* they belong to the channel: the next owner inherits, and so does the synchronous call at the
     * pool's start */
    assert_int_equal(mli_mov_release_handle(&a), MLI_STATUS_OK);
    assert_int_equal(mli_mov_acquire_handle(1, &a), MLI_STATUS_OK);
    assert_int_equal(mli_mov_start(&a, &src, &cfg, &dst), MLI_STATUS_OK);
    assert_int_equal(calls_a, 3);
    assert_int_equal(mli_mov_tensor_sync(&src, &cfg, &dst), MLI_STATUS_OK);
    assert_int_equal(calls_a, 4);
    if (is_checked()) /* not prepared: not started */
        assert_int_equal(mli_mov_tensor_sync(NULL, &cfg, &dst), MLI_STATUS_BAD_TENSOR);
    assert_int_equal(calls_a, 4);
    assert_int_equal(mli_mov_set_num_dma_ch(3, 1), MLI_STATUS_OK);
    assert_int_equal(mli_mov_tensor_sync(&src, &cfg, &dst), MLI_STATUS_OK);
    assert_int_equal(calls_b, 1);
    assert_int_equal(last_cookie, 77);
    assert_int_equal(mli_mov_registercallback(&a, NULL, 5), MLI_STATUS_OK);
    assert_int_equal(mli_mov_registercallback(&b, NULL, 5), MLI_STATUS_OK);
    assert_int_equal(mli_mov_start(&b, &src, &cfg, &dst), MLI_STATUS_OK);
    assert_int_equal(calls_b, 1);
    assert_int_equal(mli_mov_release_handle(&a), MLI_STATUS_OK);
    assert_int_equal(mli_mov_release_handle(&b), MLI_STATUS_OK);
}

static mli_mov_handle_t inner;

/* Uses everything that takes the lock. */
static void callback_that_moves(int32_t cookie)
{
    const mli_tensor src = source();
    mli_tensor dst = destination();
    mli_mov_cfg_t cfg;
    calls_a += cookie;
    if (mli_mov_cfg_for_copy(&cfg) != MLI_STATUS_OK ||
        mli_mov_acquire_handle(1, &inner) != MLI_STATUS_OK)
        return;
    mli_mov_registercallback(&inner, callback_b, 9);
    mli_mov_prepare(&inner, &src, &cfg, &dst);
    mli_mov_start(&inner, &src, &cfg, &dst);
    mli_mov_registercallback(&inner, NULL, 0);
    mli_mov_release_handle(&inner);
}

static void test_callback_may_call(void **state)
{
    (void)state;
    mli_mov_handle_t h;
    calls_a = calls_b = 0;
    assert_int_equal(mli_mov_set_num_dma_ch(0, 2), MLI_STATUS_OK);
    assert_int_equal(mli_mov_acquire_handle(1, &h), MLI_STATUS_OK);
    assert_int_equal(mli_mov_registercallback(&h, callback_that_moves, 1), MLI_STATUS_OK);
    assert_int_equal(mli_mov_start(&h, NULL, NULL, NULL), MLI_STATUS_OK);
    assert_int_equal(calls_a, 1);
    assert_int_equal(calls_b, 1);
    assert_memory_equal(dst_data, src_data, 4);
    assert_int_equal(mli_mov_registercallback(&h, NULL, 0), MLI_STATUS_OK);
    assert_int_equal(mli_mov_release_handle(&h), MLI_STATUS_OK);
}

/* A handle that was never acquired acts on channel 0; other misuse does nothing. */
static void test_misuse(void **state)
{
    (void)state;
    const mli_tensor src = source();
    mli_tensor dst = destination();
    const mli_mov_cfg_t cfg = neutral();
    mli_mov_handle_t zeroed = {0, 0, MLI_MOV_STATE_INVALID};
    assert_int_equal(mli_mov_prepare(&zeroed, &src, &cfg, &dst), MLI_STATUS_OK);
    assert_int_equal(mli_mov_start(&zeroed, &src, &cfg, &dst), MLI_STATUS_OK);
    assert_true(mli_mov_isdone(&zeroed));
    assert_int_equal(mli_mov_release_handle(&zeroed), MLI_STATUS_OK);

    assert_int_equal(mli_mov_set_num_dma_ch(0, 4), MLI_STATUS_OK);
    static const int pools[][2] = {
        {-1, 2}, {0, -1}, {0, 17}, {16, 1}, {15, 2}, {17, 0}, {INT32_MAX, INT32_MAX}};
    for (size_t i = 0; i < COUNT(pools); i++)
        assert_int_equal(mli_mov_set_num_dma_ch(pools[i][0], pools[i][1]),
                         MLI_STATUS_ARGUMENT_ERROR);
    mli_mov_handle_t h;
    assert_int_equal(mli_mov_acquire_handle(-1, &h), MLI_STATUS_ARGUMENT_ERROR);
    assert_int_equal(mli_mov_acquire_handle(INT32_MAX, &h), MLI_STATUS_NOT_ENGH_MEM);
    assert_int_equal(mli_mov_acquire_handle(4, &h), MLI_STATUS_OK); /* the pool is as it was */
    assert_int_equal(mli_mov_release_handle(&h), MLI_STATUS_OK);
    static const int channels[] = {-1, 16, INT32_MIN, INT32_MAX};
    for (size_t i = 0; i < COUNT(channels); i++) {
        mli_mov_handle_t bad = {channels[i], 1, MLI_MOV_STATE_OPEN};
        assert_int_equal(mli_mov_registercallback(&bad, callback_a, 0), MLI_STATUS_ARGUMENT_ERROR);
        assert_int_equal(mli_mov_start(&bad, &src, &cfg, &dst), MLI_STATUS_ARGUMENT_ERROR);
        assert_int_equal(mli_mov_release_handle(&bad), MLI_STATUS_ARGUMENT_ERROR);
        assert_handle(&bad, channels[i], 1, MLI_MOV_STATE_OPEN);
        bad = (mli_mov_handle_t){2, channels[i], MLI_MOV_STATE_OPEN};
        assert_int_equal(mli_mov_release_handle(&bad), MLI_STATUS_ARGUMENT_ERROR);
    }
    assert_int_equal(mli_mov_acquire_handle(1, NULL), MLI_STATUS_ARGUMENT_ERROR);
    assert_int_equal(mli_mov_prepare(NULL, &src, &cfg, &dst), MLI_STATUS_ARGUMENT_ERROR);
    assert_int_equal(mli_mov_registercallback(NULL, callback_a, 0), MLI_STATUS_ARGUMENT_ERROR);
    assert_int_equal(mli_mov_start(NULL, &src, &cfg, &dst), MLI_STATUS_ARGUMENT_ERROR);
    assert_false(mli_mov_isdone(NULL));
    assert_int_equal(mli_mov_wait(NULL), MLI_STATUS_ARGUMENT_ERROR);
    assert_int_equal(mli_mov_release_handle(NULL), MLI_STATUS_ARGUMENT_ERROR);
}

/*
 * Threads: each takes blocks of channels, marks them as its own, at times moves data of its own
 * through them, and gives them back. A channel with two owners, a lost callback or a foreign one,
 * or wrong data is counted.
 */
enum { THREADS = 4, ROUNDS = 64000, ROUNDS_A_MOVE = 16 };

static atomic_int owner[16];
static atomic_int ready, wrong;
static atomic_int called[THREADS + 1];

static void count_call(int32_t thread)
{
    atomic_fetch_add(&called[thread], 1);
}

static void expect(int condition)
{
    if (!condition)
        atomic_fetch_add(&wrong, 1);
}

static void move(mli_mov_handle_t *h, int thread, uint32_t seed)
{
    int8_t from[64], to[64];
    for (size_t i = 0; i < sizeof from; i++)
        from[i] = (int8_t)((seed = seed * 1664525 + 1013904223) >> 24);
    const mli_tensor src = tensor(MLI_EL_FX_8, from, SHAPE2(8, 8), NULL);
    mli_tensor dst = tensor(MLI_EL_FX_8, to, SHAPE2(8, 8), NULL);
    mli_mov_cfg_t cfg;
    expect(mli_mov_cfg_for_copy(&cfg) == MLI_STATUS_OK);
    const int before = atomic_load(&called[thread]);
    expect(mli_mov_registercallback(h, count_call, thread) == MLI_STATUS_OK);
    expect(mli_mov_prepare(h, &src, &cfg, &dst) == MLI_STATUS_OK);
    expect(memcmp(from, to, sizeof to) == 0);
    expect(mli_mov_start(h, &src, &cfg, &dst) == MLI_STATUS_OK && mli_mov_isdone(h));
    expect(atomic_load(&called[thread]) == before + 1);
}

static void *work(void *argument)
{
    const int thread = *(const int *)argument;
    uint32_t seed = (uint32_t)thread * 77777;
    atomic_fetch_add(&ready, 1);
    while (atomic_load(&ready) < THREADS) /* all at once */
        sched_yield();
    for (int done = 0; done < ROUNDS;) {
        mli_mov_handle_t h;
        seed = seed * 1664525 + 1013904223;
        const mli_status status = mli_mov_acquire_handle((int)(seed >> 30) + 1, &h);
        expect(status == MLI_STATUS_OK || status == MLI_STATUS_NOT_ENGH_MEM);
        if (status != MLI_STATUS_OK) {
            sched_yield(); /* the others have the channels */
            continue;
        }
        for (int i = 0; i < h.num_ch; i++)
            expect(atomic_exchange(&owner[h.dma_ch + i], thread) == 0);
        if (done % ROUNDS_A_MOVE == 0)
            move(&h, thread, seed);
        for (int i = 0; i < h.num_ch; i++)
            expect(atomic_exchange(&owner[h.dma_ch + i], 0) == thread);
        expect(mli_mov_release_handle(&h) == MLI_STATUS_OK);
        done++;
    }
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    int names[THREADS];
    assert_int_equal(mli_mov_set_num_dma_ch(2, 7), MLI_STATUS_OK);
    for (int i = 0; i < THREADS; i++) {
        names[i] = i + 1;
        assert_int_equal(pthread_create(&threads[i], NULL, work, &names[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(atomic_load(&wrong), 0);
    for (int i = 1; i <= THREADS; i++)
        assert_int_equal(atomic_load(&called[i]), ROUNDS / ROUNDS_A_MOVE);
    mli_mov_handle_t h;
    assert_int_equal(mli_mov_acquire_handle(7, &h), MLI_STATUS_OK); /* all of them are back */
    assert_handle(&h, 2, 7, MLI_MOV_STATE_OPEN);
    assert_int_equal(mli_mov_release_handle(&h), MLI_STATUS_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fresh), /* first */
        cmocka_unit_test(test_life_cycle), cmocka_unit_test(test_pool),
        cmocka_unit_test(test_callbacks),  cmocka_unit_test(test_callback_may_call),
        cmocka_unit_test(test_misuse),     cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
