/* Preloaded into lastbit: the n-th allocation, write or fork of a whole run fails, counted over all
 * processes of lastbit (not of ports) in a file that they share. See run_torture.
 *
 * TORTURE_KIND: malloc, write or fork. TORTURE_N: which one, from 1. TORTURE_ON: set: and all that
 * come after it. TORTURE_COUNT: the file, of eight bytes. */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The C library's own names for what stands behind these functions. */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t each);
void *__libc_realloc(void *memory, size_t bytes);
pid_t __libc_fork(void);

void *malloc(size_t bytes);
void *calloc(size_t count, size_t each);
void *realloc(void *memory, size_t bytes);

static atomic_uint_fast64_t *count;
static uint64_t wanted;
static bool goes_on;
static char kind;

__attribute__((constructor)) static void start(void)
{
    const char *which = getenv("TORTURE_KIND"), *n = getenv("TORTURE_N"),
               *file = getenv("TORTURE_COUNT");
    int fd = file && which && n && strcmp(program_invocation_short_name, "lastbit") == 0
                 ? open(file, O_RDWR | O_CLOEXEC)
                 : -1;
    if (fd < 0)
        return;
    void *memory = mmap(NULL, 8, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (memory == MAP_FAILED)
        return;
    count = memory;
    wanted = strtoull(n, NULL, 10);
    goes_on = getenv("TORTURE_ON") != NULL;
    kind = which[0];
}

static bool fails(char what)
{
    if (!count || kind != what)
        return false;
    uint64_t now = atomic_fetch_add(count, 1) + 1;
    return now == wanted || (goes_on && now > wanted);
}

void *malloc(size_t bytes)
{
    return fails('m') ? (errno = ENOMEM, NULL) : __libc_malloc(bytes);
}

void *calloc(size_t number, size_t each)
{
    return fails('m') ? (errno = ENOMEM, NULL) : __libc_calloc(number, each);
}

void *realloc(void *memory, size_t bytes)
{
    return fails('m') ? (errno = ENOMEM, NULL) : __libc_realloc(memory, bytes);
}

ssize_t write(int fd, const void *bytes, size_t number)
{
    if (fails('w'))
        return errno = ENOSPC, -1;
    return syscall(SYS_write, fd, bytes, number);
}

pid_t fork(void)
{
    return fails('f') ? (errno = EAGAIN, -1) : __libc_fork();
}
