/* Arrays that grow: see xalloc.h. */
#include "harness/base/xalloc.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void (*lb_out_of_memory_hook)(void);

void lb_out_of_memory(size_t bytes)
{
    fprintf(stderr, "lastbit: out of memory (%zu bytes asked for)\n", bytes);
    if (lb_out_of_memory_hook)
        lb_out_of_memory_hook();
    exit(3);
}

void *lb_resized(void *memory, size_t bytes)
{
    void *grown = realloc(memory, bytes);
    if (!grown)
        lb_out_of_memory(bytes);
    return grown;
}

void *lb_zeroed(size_t count, size_t each_bytes)
{
    void *memory = calloc(count > 0 ? count : 1, each_bytes);
    if (!memory)
        lb_out_of_memory(count * each_bytes);
    return memory;
}

char *lb_text_copy(const char *text)
{
    const size_t bytes = strlen(text) + 1;
    return memcpy(lb_resized(NULL, bytes), text, bytes);
}

void *lb_zeroed_shared(size_t bytes)
{
    void *memory = mmap(NULL, bytes > 0 ? bytes : 1, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        lb_out_of_memory(bytes);
    return memory;
}

void lb_shared_give_back(void *memory, size_t bytes)
{
    munmap(memory, bytes > 0 ? bytes : 1);
}

void *lb_room_for_one(void *array, size_t count, size_t *capacity, size_t each_bytes)
{
    if (count < *capacity)
        return array;
    size_t wider = *capacity ? *capacity * 2 : 64;
    if (wider > SIZE_MAX / each_bytes)
        lb_out_of_memory(SIZE_MAX);
    *capacity = wider;
    return lb_resized(array, wider * each_bytes);
}

void *lb_room_at(void *list, size_t each_bytes, size_t *count, size_t most, size_t place)
{
    unsigned char *at = (unsigned char *)list + place * each_bytes;
    if (place >= most)
        return NULL;
    *count += *count < most;
    memmove(at + each_bytes, at, (*count - 1 - place) * each_bytes);
    return at;
}
