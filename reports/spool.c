/* Interleaved streams of text: a block of memory for each, and the blocks that are full in one
 * temporary file. */
#include "spool.h"
#include "temporary.h"

#include <stdlib.h>
#include <sys/types.h>

enum { BLOCK_BYTES = 1 << 16, COPY_BYTES = 1 << 14 };

typedef struct block {
    off_t offset; /* in the temporary file */
    size_t bytes;
} block;

typedef struct stream {
    lb_doc tail; /* what is not in the file yet */
    block *blocks;
    size_t block_count;
} stream;

struct lb_spool {
    FILE *file; /* NULL until the first full block */
    stream *streams;
    size_t count;
};

lb_spool *lb_spool_make(void)
{
    return calloc(1, sizeof(lb_spool));
}

void lb_spool_free(lb_spool *spool)
{
    if (!spool)
        return;
    for (size_t i = 0; i < spool->count; i++) {
        lb_doc_free(&spool->streams[i].tail);
        free(spool->streams[i].blocks);
    }
    free(spool->streams);
    if (spool->file)
        fclose(spool->file);
    free(spool);
}

static bool add_stream(lb_spool *spool)
{
    if ((spool->count & (spool->count - 1)) == 0) {
        size_t room = spool->count == 0 ? 1 : spool->count * 2;
        stream *streams = realloc(spool->streams, room * sizeof *streams);
        if (!streams)
            return false;
        spool->streams = streams;
    }
    spool->streams[spool->count++] = (stream){lb_doc_make(), NULL, 0};
    return true;
}

static bool store_block(lb_spool *spool, stream *full)
{
    if (!spool->file && (spool->file = lb_temporary_file()) == NULL)
        return false;
    block *blocks = realloc(full->blocks, (full->block_count + 1) * sizeof *blocks);
    if (!blocks)
        return false;
    full->blocks = blocks;
    blocks[full->block_count++] = (block){ftello(spool->file), full->tail.length};
    return lb_doc_flush(&full->tail, spool->file);
}

lb_doc *lb_spool_stream(lb_spool *spool, size_t number)
{
    while (spool->count <= number)
        if (!add_stream(spool))
            return NULL;
    stream *chosen = &spool->streams[number];
    if (chosen->tail.failed || (chosen->tail.length >= BLOCK_BYTES && !store_block(spool, chosen)))
        return NULL;
    return &chosen->tail;
}

static bool copy_block(FILE *file, block part, FILE *out)
{
    char bytes[COPY_BYTES];
    if (fseeko(file, part.offset, SEEK_SET) != 0)
        return false;
    for (size_t left = part.bytes; left > 0;) {
        size_t count = left < sizeof bytes ? left : sizeof bytes;
        if (fread(bytes, 1, count, file) != count || fwrite(bytes, 1, count, out) != count)
            return false;
        left -= count;
    }
    return true;
}

bool lb_spool_write(lb_spool *spool, size_t number, FILE *out)
{
    if (number >= spool->count)
        return true;
    stream *chosen = &spool->streams[number];
    for (size_t i = 0; i < chosen->block_count; i++)
        if (!copy_block(spool->file, chosen->blocks[i], out))
            return false;
    return lb_doc_flush(&chosen->tail, out);
}
