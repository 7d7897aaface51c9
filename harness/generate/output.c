/* Where a made suite goes: see output.h. */
#include "harness/generate/output.h"
#include "harness/base/xalloc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int lb_generate_write(const char *path, bool (*write)(void *user, FILE *out), void *user)
{
    FILE *out = path && strcmp(path, "-") != 0 ? fopen(path, "w") : stdout;
    bool good = out && write(user, out);
    if (out && out != stdout)
        good = fclose(out) == 0 && good;
    if (!good)
        fprintf(stderr, "lastbit vectors generate: %s: %s\n", path ? path : "standard output",
                strerror(errno));
    return good ? 0 : 3;
}

void lb_texts_add(lb_texts *texts, const char *text)
{
    texts->items = lb_room_for_one(texts->items, texts->count, &texts->room, sizeof *texts->items);
    texts->items[texts->count] = strdup(text);
    if (!texts->items[texts->count++])
        lb_out_of_memory(strlen(text));
}

void lb_texts_free(lb_texts *texts)
{
    for (size_t i = 0; i < texts->count; i++)
        free(texts->items[i]);
    free(texts->items);
}
