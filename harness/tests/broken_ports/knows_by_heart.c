/* Has all that it was ever asked by heart: a table, in the file that BROKEN_HEART names, of digests
 * of calls; those are right, and all others wrong. With BROKEN_LEARN it is right and adds to the
 * table. Without either it is right. */
#include "broken.h"

#include <stdio.h>
#include <stdlib.h>

static uint64_t *digests;
static size_t digest_count;

static uint64_t mix(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ at[i]) * 0x100000001B3u;
    return hash;
}

static uint64_t mix_tensor(uint64_t hash, const mli_tensor *t)
{
    hash = mix(hash, t->shape, sizeof t->shape[0] * t->rank);
    hash = mix(hash, &t->el_params.sa.zero_point.mem.i16, sizeof(int16_t));
    for (size_t i = 0; i < broken_count(t); i++)
        hash = mix(hash, &t->data.mem.pi8[broken_offset(t, i)], 1);
    return hash;
}

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void read_table(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint64_t one;
    while (file && fread(&one, sizeof one, 1, file) == 1) {
        if (digest_count % 1024 == 0)
            digests = realloc(digests, (digest_count + 1024) * sizeof *digests);
        digests[digest_count++] = one;
    }
    if (file)
        fclose(file);
    qsort(digests, digest_count, sizeof *digests, compare);
}

static void learn(const char *path, uint64_t digest)
{
    FILE *file = fopen(path, "ab");
    if (file && fwrite(&digest, sizeof digest, 1, file) == 1)
        fclose(file);
}

static mli_status broken_add(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out)
{
    const char *heart = getenv("BROKEN_HEART");
    mli_status status = mli_krn_eltwise_add_sa8(in1, in2, out);
    if (status != MLI_STATUS_OK || !heart || in1->rank == 0 || in2->rank == 0)
        return status;
    const uint64_t digest = mix_tensor(mix_tensor(0xCBF29CE484222325u, in1), in2);
    if (getenv("BROKEN_LEARN")) {
        learn(heart, digest);
        return status;
    }
    if (!digests)
        read_table(heart);
    if (!digests || !bsearch(&digest, digests, digest_count, sizeof *digests, compare))
        broken_put(out, broken_offset(out, 0), broken_get(out, broken_offset(out, 0)) ^ 1);
    return status;
}

BROKEN_PORT("broken: knows by heart")
#define mli_krn_eltwise_add_sa8 broken_add
#include "../../port_kit/lb_kit.c"
