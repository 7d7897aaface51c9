/* Where a made suite goes: see output.h. */
#include "harness/generate/output.h"
#include "harness/base/xalloc.h"
#include "harness/suite/case_write.h"

#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_file(const char *path)
{
    return path && strcmp(path, "-") != 0;
}

static int cannot_write(const char *path)
{
    fprintf(stderr, "lastbit vectors generate: %s: %s\n", path ? path : "standard output",
            strerror(errno));
    return 3;
}

int lb_generate_try_output(const char *path)
{
    char *copy = is_file(path) ? lb_text_copy(path) : NULL;
    const bool exists = copy && access(path, F_OK) == 0;
    const bool good = !copy || access(exists ? path : dirname(copy), W_OK) == 0;
    free(copy);
    return good ? 0 : cannot_write(path);
}

int lb_generate_write(const char *path, const char *suite, void (*write)(void *user, FILE *out),
                      void *user)
{
    FILE *out = is_file(path) ? fopen(path, "w") : stdout;
    if (out) {
        lb_arena arena = {0};
        fprintf(out, "%s\n", lb_suite_header_json(suite, &arena));
        write(user, out);
        lb_arena_free(&arena);
    }
    bool good = out && fflush(out) == 0 && !ferror(out);
    if (out && out != stdout)
        good = fclose(out) == 0 && good;
    return good ? 0 : cannot_write(path);
}

void lb_texts_add(lb_texts *texts, const char *text)
{
    texts->items = lb_room_for_one(texts->items, texts->count, &texts->room, sizeof *texts->items);
    texts->items[texts->count++] = lb_text_copy(text);
}

void lb_texts_free(lb_texts *texts)
{
    for (size_t i = 0; i < texts->count; i++)
        free(texts->items[i]);
    free(texts->items);
}
