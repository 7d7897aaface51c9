/* Memory that is released all at once: blocks that grow, handed out from front to back.
 * See arena.h. */
#include "harness/base/arena.h"
#include "harness/base/xalloc.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LB_ARENA_ALIGN = 16,
    LB_ARENA_FIRST_BYTES = 16 * 1024, /* a small case fits */
    LB_ARENA_GROWTH_LIMIT =
        8 * 1024 * 1024 /* blocks double up to here, so that at most this much is left unused */
};

struct lb_arena_block {
    lb_arena_block *next; /* the older one */
    size_t size_bytes;    /* behind the header */
    size_t used_bytes;
};

/* The header takes whole alignment units, so that contents stay aligned. */
static const size_t header_bytes =
    (sizeof(lb_arena_block) + LB_ARENA_ALIGN - 1) / LB_ARENA_ALIGN * LB_ARENA_ALIGN;

static lb_arena_block *add_block(lb_arena *arena, size_t at_least)
{
    size_t size = LB_ARENA_FIRST_BYTES;
    if (arena->blocks) {
        size = arena->blocks->size_bytes;
        size = size < LB_ARENA_GROWTH_LIMIT ? size * 2 : LB_ARENA_GROWTH_LIMIT;
    }
    if (size < at_least)
        size = at_least;
    lb_arena_block *block = size <= SIZE_MAX - header_bytes ? malloc(header_bytes + size) : NULL;
    if (!block)
        lb_out_of_memory(at_least);
    block->next = arena->blocks;
    block->size_bytes = size;
    block->used_bytes = 0;
    arena->blocks = block;
    return block;
}

/* *rounded_bytes: how many there are. */
static void *take(lb_arena *arena, size_t bytes, size_t *rounded_bytes)
{
    if (bytes > SIZE_MAX - LB_ARENA_ALIGN)
        lb_out_of_memory(bytes);
    size_t rounded = (bytes + LB_ARENA_ALIGN - 1) / LB_ARENA_ALIGN * LB_ARENA_ALIGN;
    if (rounded == 0)
        rounded = LB_ARENA_ALIGN; /* so that every allocation has an address of its own */
    lb_arena_block *block = arena->blocks;
    if (!block || block->size_bytes - block->used_bytes < rounded)
        block = add_block(arena, rounded);
    unsigned char *memory = (unsigned char *)block + header_bytes + block->used_bytes;
    block->used_bytes += rounded;
    arena->used_bytes += rounded;
    *rounded_bytes = rounded;
    return memory;
}

void *lb_arena_raw(lb_arena *arena, size_t bytes)
{
    size_t rounded;
    return take(arena, bytes, &rounded);
}

void *lb_arena_alloc(lb_arena *arena, size_t bytes)
{
    size_t rounded;
    void *memory = take(arena, bytes, &rounded);
    return memset(memory, 0, rounded);
}

void *lb_arena_array(lb_arena *arena, size_t count, size_t each_bytes)
{
    if (each_bytes > 0 && count > SIZE_MAX / each_bytes)
        lb_out_of_memory(SIZE_MAX);
    return lb_arena_alloc(arena, count * each_bytes);
}

char *lb_arena_strdup(lb_arena *arena, const char *text)
{
    size_t bytes = strlen(text) + 1;
    return memcpy(lb_arena_alloc(arena, bytes), text, bytes);
}

char *lb_arena_printf(lb_arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0)
        return lb_arena_strdup(arena, "");
    char *text = lb_arena_alloc(arena, (size_t)length + 1);
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}

lb_arena_mark lb_arena_mark_of(const lb_arena *arena)
{
    return (lb_arena_mark){.block = arena->blocks,
                           .block_bytes = arena->blocks ? arena->blocks->used_bytes : 0,
                           .used_bytes = arena->used_bytes};
}

void lb_arena_rewind(lb_arena *arena, lb_arena_mark mark)
{
    while (arena->blocks != mark.block) {
        lb_arena_block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
    if (arena->blocks)
        arena->blocks->used_bytes = mark.block_bytes;
    arena->used_bytes = mark.used_bytes;
}

void lb_arena_reset(lb_arena *arena)
{
    lb_arena_block *largest = arena->blocks;
    for (lb_arena_block *block = arena->blocks; block; block = block->next)
        if (block->size_bytes > largest->size_bytes)
            largest = block;
    for (lb_arena_block *block = arena->blocks; block;) {
        lb_arena_block *next = block->next;
        if (block != largest)
            free(block);
        block = next;
    }
    if (largest) {
        largest->next = NULL;
        largest->used_bytes = 0;
    }
    arena->blocks = largest;
    arena->used_bytes = 0;
}

void lb_arena_free(lb_arena *arena)
{
    for (lb_arena_block *block = arena->blocks; block;) {
        lb_arena_block *next = block->next;
        free(block);
        block = next;
    }
    arena->blocks = NULL;
    arena->used_bytes = 0;
}
