/* The encodings files read last: see cache.h. A suite has many cases and few encodings
 * files, and cases of JSON Lines are decoded again whenever they are run, one by one, by code that
 * has no place to keep things: so they stand here, for the process. */
#include "harness/encodings/cache.h"

#include <string.h>
#include <sys/stat.h>

enum { PLACES = 8 };

typedef struct place {
    lb_enc_file *file; /* NULL: free */
    lb_enc_options options;
    struct stat info;
    unsigned long used; /* when it was asked for last */
} place;

static place places[PLACES];
static unsigned long requests;

static bool is_unchanged(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

const lb_enc_file *lb_enc_cached(const char *path, const lb_enc_options *options)
{
    struct stat info = {0};
    place *oldest = &places[0];
    bool there = stat(path, &info) == 0;
    requests++;
    for (place *p = places; p < places + PLACES; p++) {
        if (p->file && strcmp(p->file->path, path) == 0 && there && is_unchanged(&p->info, &info) &&
            p->options.bare_parameters == options->bare_parameters &&
            p->options.recompute_tf_offsets == options->recompute_tf_offsets) {
            p->used = requests;
            return p->file;
        }
        if (p->used < oldest->used)
            oldest = p;
    }
    lb_enc_free(oldest->file);
    *oldest = (place){
        .file = lb_enc_read(path, options), .options = *options, .info = info, .used = requests};
    return oldest->file;
}
