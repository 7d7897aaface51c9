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
    if (place == MAP_FAILED || !lb_shared_put(memory))
        return 3;
    if (fcntl(LB_SHARED_DESCRIPTOR, F_GETFD) >= 0)
        return 4;
    if (memory[LB_SHARED_BYTES - 1] != 77)
        return 5;
    memory[0] = 78;
    return 0;
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
        cmocka_unit_test(test_there_may_be_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
