/* From a kind of document and two file names to the document: written beside its target and renamed when it is whole. */
#include "render.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DONE = 0, BAD_INPUT = 2, CANNOT_WRITE = 3 };

lb_render_fn lb_render_find(const char *name)
{
    static const struct {
        const char *name;
        lb_render_fn render;
    } kinds[] = {
        {"html", lb_render_html}, {"junit", lb_render_junit}, {"markdown", lb_render_markdown}, {"csv", lb_render_csv}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(name, kinds[i].name) == 0) {
            return kinds[i].render;
        }
    }
    return NULL;
}

static int cannot_write(const char *path)
{
    fprintf(stderr, "lastbit: %s: cannot write: %s\n", path, strerror(errno));
    return CANNOT_WRITE;
}

/* Renders to an open file. 0, 2 or 3, with the message printed. */
static int render_to(lb_render_fn render, lb_results_reader *reader, FILE *out, const char *out_path)
{
    char error[700] = "";
    errno = 0;
    if (render(reader, out, error, sizeof error) && fflush(out) == 0) {
        return DONE;
    }
    if (ferror(out)) {
        return cannot_write(out_path);
    }
    fprintf(stderr, "lastbit: %s\n", error);
    return BAD_INPUT;
}

/* A pipe or a device is written to directly: to rename a file over it would replace it. */
static int render_directly(lb_render_fn render, lb_results_reader *reader, const char *out_path)
{
    FILE *out = fopen(out_path, "wb");
    if (out == NULL) {
        return cannot_write(out_path);
    }
    int status = render_to(render, reader, out, out_path);
    if (fclose(out) != 0 && status == DONE) {
        status = cannot_write(out_path);
    }
    return status;
}

/* Opens a new file beside the target, with the rights that a new file has; fills temporary with its name. */
static FILE *open_beside(char *temporary)
{
    int descriptor = mkstemp(temporary);
    if (descriptor < 0) {
        return NULL;
    }
    mode_t mask = umask(0);
    umask(mask);
    FILE *out = fchmod(descriptor, 0666 & ~mask) == 0 ? fdopen(descriptor, "wb") : NULL;
    if (out == NULL) {
        int cause = errno;
        close(descriptor);
        unlink(temporary);
        errno = cause;
    }
    return out;
}

static int render_and_rename(lb_render_fn render, lb_results_reader *reader, const char *target)
{
    static const char ending[] = ".XXXXXX";
    size_t length = strlen(target);
    char *temporary = malloc(length + sizeof ending);
    if (temporary == NULL) {
        return cannot_write(target);
    }
    memcpy(temporary, target, length);
    memcpy(temporary + length, ending, sizeof ending);
    FILE *out = open_beside(temporary);
    int status = out == NULL ? cannot_write(target) : render_to(render, reader, out, target);
    if (out != NULL && fclose(out) != 0 && status == DONE) {
        status = cannot_write(target);
    }
    if (status == DONE && rename(temporary, target) != 0) {
        status = cannot_write(target);
    }
    if (out != NULL && status != DONE) {
        unlink(temporary);
    }
    free(temporary);
    return status;
}

/* Renders to a path: through a link to the file that it names. */
static int render_to_path(lb_render_fn render, lb_results_reader *reader, const char *out_path)
{
    struct stat there;
    if (stat(out_path, &there) != 0) {
        return render_and_rename(render, reader, out_path);
    }
    if (!S_ISREG(there.st_mode)) {
        return render_directly(render, reader, out_path);
    }
    char *target = realpath(out_path, NULL);
    if (target == NULL) {
        return cannot_write(out_path);
    }
    int status = render_and_rename(render, reader, target);
    free(target);
    return status;
}

int lb_render_file(const char *kind, const char *results_path, const char *out_path)
{
    char error[700] = "";
    lb_render_fn render = lb_render_find(kind);
    if (render == NULL) {
        fprintf(stderr, "lastbit: there is no document of kind \"%s\"; there are html, junit, markdown and csv\n",
                kind);
        return BAD_INPUT;
    }
    lb_results_reader *reader = lb_results_open(results_path, error, sizeof error);
    if (reader == NULL) {
        fprintf(stderr, "lastbit: %s\n", error);
        return BAD_INPUT;
    }
    int status = strcmp(out_path, "-") == 0 ? render_to(render, reader, stdout, "standard output")
                                            : render_to_path(render, reader, out_path);
    lb_results_close(reader);
    return status;
}
