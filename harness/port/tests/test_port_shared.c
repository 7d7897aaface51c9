/* Memory that two processes see: what one writes the other reads, and no one can make it smaller.
 */
#include "harness/tests/fixture.h"

#include "harness/port/shared_memory.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* The other end of send_and_hear. */
static bool come_back(lb_rings *rings)
{
    enum { ALL = 5 * LB_RING_BYTES + 17, MOST = 1000 };
    uint8_t piece[MOST];
    bool wake;
    for (size_t heard = 0, got; heard < ALL; heard += got) {
        if (!lb_ring_take(&rings->to_port, piece, MOST, &got))
            return false;
        for (size_t i = 0; i < got; i++)
            piece[i] = (uint8_t)~piece[i];
        for (size_t put = 0; put < got;)
            put += lb_ring_put(&rings->from_port, piece + put, got - put, &wake);
    }
    return true;
}

/* The port's side: gives what is wrong, 0 if nothing is. */
static int be_the_port(int descriptor)
{
    if (descriptor != LB_SHARED_DESCRIPTOR && dup2(descriptor, LB_SHARED_DESCRIPTOR) < 0)
        return 1;
    if (ftruncate(LB_SHARED_DESCRIPTOR, 4096) == 0)
        return 2;
    void *place =
        mmap(NULL, LB_SHARED_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    unsigned char *memory = place;
    lb_rings *rings = place == MAP_FAILED ? NULL : lb_shared_put(memory);
    if (!rings)
        return 3;
    if (fcntl(LB_SHARED_DESCRIPTOR, F_GETFD) >= 0)
        return 4;
    if (memory[LB_SHARED_BYTES - 1] != 77)
        return 5;
    memory[0] = 78;
    return come_back(rings) ? 0 : 6;
}

static uint8_t sent_byte(size_t i)
{
    return (uint8_t)(i * 7 + i / 251);
}

/* Far more than a ring holds goes out, and comes back turned, in pieces of any length. */
static void send_and_hear(lb_rings *rings)
{
    enum { ALL = 5 * LB_RING_BYTES + 17, MOST = 4099 };
    uint8_t piece[MOST];
    bool wake;
    for (size_t sent = 0, heard = 0, got; heard < ALL; heard += got) {
        const size_t count = sent + MOST < ALL ? MOST : ALL - sent;
        for (size_t i = 0; i < count; i++)
            piece[i] = sent_byte(sent + i);
        sent += lb_ring_put(&rings->to_port, piece, count, &wake);
        assert_true(lb_ring_take(&rings->from_port, piece, MOST - sent % 100, &got));
        for (size_t i = 0; i < got; i++)
            assert_int_equal(piece[i], (uint8_t)~sent_byte(heard + i));
    }
    atomic_store(&rings->from_port.put, atomic_load(&rings->from_port.taken) + LB_RING_BYTES + 1);
    size_t got;
    assert_false(lb_ring_take(&rings->from_port, piece, MOST, &got));
}

/* Who has looked in vain a few times goes to sleep at once; he tries it again now and then, and
 * looks as before when something came. What is there is seen in any case. */
static void test_looking_in_vain(void **state)
{
    enum { WAITS = 40 };
    lb_ring *ring = calloc(1, sizeof *ring);
    lb_ring_patience patience = {0};
    unsigned looked = 0, before;
    bool wake;
    (void)state;
    for (int i = 0; i < WAITS; i++, looked += patience.in_vain != before) {
        before = patience.in_vain;
        assert_false(lb_ring_watch(ring, &patience));
    }
    assert_in_range(looked, 3, WAITS / 4);
    assert_int_equal(lb_ring_put(ring, (const uint8_t *)"", 1, &wake), 1);
    for (int i = 0; i < WAITS; i++)
        assert_true(lb_ring_watch(ring, &patience));
    assert_int_equal(patience.in_vain, 0);
    free(ring);
}

/* Who puts bytes where somebody sleeps is told so once; where some are there nobody sleeps. */
static void test_who_sleeps_is_woken(void **state)
{
    lb_ring *ring = calloc(1, sizeof *ring);
    const uint8_t byte = 1;
    uint8_t taken;
    bool wake;
    size_t got;
    (void)state;
    lb_ring_patience patience = {0};
    assert_true(lb_ring_sleep(ring));
    assert_false(lb_ring_watch(ring, &patience));
    assert_int_equal(lb_ring_put(ring, &byte, 1, &wake), 1);
    assert_true(wake);
    assert_int_equal(lb_ring_put(ring, &byte, 1, &wake), 1);
    assert_false(wake);
    assert_true(lb_ring_watch(ring, &patience));
    assert_false(lb_ring_sleep(ring));
    assert_true(lb_ring_take(ring, &taken, 1, &got));
    assert_int_equal(got, 1);
    assert_int_equal(lb_ring_put(ring, &byte, 1, &wake), 1);
    assert_false(wake);
    free(ring);
}

static void test_both_see_the_same(void **state)
{
    int descriptor, status;
    unsigned char *memory;
    (void)state;
    assert_true(lb_shared_make(&descriptor, &memory));
    assert_int_equal(memory[0], 0);
    memory[LB_SHARED_BYTES - 1] = 77;
    pid_t port = fork();
    if (port == 0)
        _exit(be_the_port(descriptor));
    close(descriptor);
    send_and_hear(lb_shared_rings(memory));
    assert_int_equal(waitpid(port, &status, 0), port);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(memory[0], 78);
    lb_shared_forget(memory);
}

/* Where the system gives no file of that size there is none, and nobody is stopped. */
static void test_there_may_be_none(void **state)
{
    const struct rlimit least = {1 << 20, 1 << 20};
    int status;
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        int descriptor;
        unsigned char *memory;
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &least);
        _exit(lb_shared_make(&descriptor, &memory) || descriptor >= 0 || memory ? 1 : 0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_see_the_same),
        cmocka_unit_test(test_who_sleeps_is_woken),
        cmocka_unit_test(test_looking_in_vain),
        cmocka_unit_test(test_there_may_be_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
