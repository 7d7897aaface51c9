/* From a kind of document and two file names to the document. */
#include "render.h"

#include "lcov.h"
#include "output.h"
#include "renderer.h"
#include "scope.h"

#include <string.h>

enum { BAD_INPUT = 2 };

#define LB_KIND(name, file, writers, ...)            {#name, file, writers, lb_render_##name},
#define LB_STATEMENT_KIND(text, name, file, writers) {text, file, writers, lb_render_##name},

static const lb_document_kind kinds[] = {LB_DOCUMENTS(LB_KIND) LB_STATEMENTS(LB_STATEMENT_KIND)};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

const lb_document_kind *lb_document_find(const char *name)
{
    for (size_t i = 0; i < KINDS; i++)
        if (strcmp(name, kinds[i].name) == 0)
            return &kinds[i];
    return NULL;
}

const lb_document_kind *lb_document_of(unsigned writer, size_t i)
{
    for (size_t k = 0; k < KINDS; k++)
        if ((kinds[k].writers & writer) != 0 && i-- == 0)
            return &kinds[k];
    return NULL;
}

typedef struct rendering {
    lb_render_fn render;
    lb_results_reader *reader;
    const lb_render_extras *extras;
} rendering;

/* For documents that have no headline, and for whoever makes one. */
static void tell_short(const lb_results_reader *reader)
{
    lb_doc words = lb_doc_make();
    lb_scope_short(lb_results_info(reader), lb_results_tally(reader), &words);
    if (words.length > 0)
        fprintf(stderr, "lastbit: %.*s\n", (int)words.length, words.text);
    lb_doc_free(&words);
}

static bool render(void *user, FILE *out, char *error, size_t error_bytes)
{
    const rendering *job = user;
    tell_short(job->reader);
    return job->render(job->reader, job->extras, out, error, error_bytes);
}

int lb_render_file(const char *kind, const char *results_path, const char *out_path)
{
    return lb_render_file_with(kind, results_path, &(lb_render_extras){.lcov_link = ""}, out_path);
}

static bool open_job(rendering *job, const char *results_path, const lb_render_extras *extras,
                     lb_lcov *lcov, char *error, size_t error_bytes)
{
    if (extras->lcov_path &&
        !lb_lcov_read(lcov, extras->lcov_path, extras->lcov_link, error, error_bytes))
        return false;
    job->reader = !extras->waivers
                      ? lb_results_open(results_path, error, error_bytes)
                      : lb_waivers_open(extras->waivers, results_path, error, error_bytes);
    if (job->reader && extras->lcov_path)
        lb_results_set_lines(job->reader, lcov->list, lcov->count);
    return job->reader != NULL;
}

int lb_render_file_with(const char *kind, const char *results_path, const lb_render_extras *extras,
                        const char *out_path)
{
    char error[700] = "";
    lb_lcov lcov = {0};
    const lb_document_kind *known = lb_document_find(kind);
    rendering job = {.render = known ? known->render : NULL, .extras = extras};
    int status = BAD_INPUT;
    if (!known) {
        fprintf(stderr, "lastbit: there is no document of kind \"%s\"\n", kind);
        return BAD_INPUT;
    }
    if (open_job(&job, results_path, extras, &lcov, error, sizeof error))
        status = lb_output_file(out_path, render, &job);
    else
        fprintf(stderr, "lastbit: %s\n", error);
    lb_results_close(job.reader);
    lb_lcov_free(&lcov);
    return status;
}

/* One document of several that were read together. */
typedef struct one_of {
    const lb_rendered *rendered;
    size_t number;
} one_of;

static bool write_one(void *user, FILE *out, char *error, size_t error_bytes)
{
    const one_of *one = user;
    return lb_rendered_write(one->rendered, one->number, out, error, error_bytes);
}

static void put_path(char *path, size_t path_bytes, const char *folder, const char *kind)
{
    snprintf(path, path_bytes, "%s/%s", folder, lb_document_find(kind)->file);
}

/* Those that are made from results one by one: one pass for all of them. */
static int render_together(lb_rendered *rendered, const char *results_path,
                           const lb_render_extras *extras, const char *folder)
{
    char error[700] = "", path[4200];
    lb_lcov lcov = {0};
    rendering job = {.extras = extras};
    int status = 0;
    if (!open_job(&job, results_path, extras, &lcov, error, sizeof error) ||
        !lb_rendered_read(rendered, job.reader, error, sizeof error)) {
        fprintf(stderr, "lastbit: %s\n", error);
        status = BAD_INPUT;
    }
    for (size_t i = 0; status == 0 && i < rendered->count; i++) {
        put_path(path, sizeof path, folder, rendered->renderer[i]->kind);
        status = lb_output_file(path, write_one, &(one_of){rendered, i});
    }
    lb_rendered_end(rendered);
    lb_results_close(job.reader);
    lb_lcov_free(&lcov);
    return status;
}

int lb_render_all(unsigned writer, const char *results_path, const lb_render_extras *extras,
                  const char *folder)
{
    const lb_document_kind *kind;
    lb_rendered together = {.count = 0};
    for (size_t i = 0; (kind = lb_document_of(writer, i)) != NULL; i++)
        if (lb_renderer_find(kind->name))
            lb_rendered_add(&together, lb_renderer_find(kind->name));
    int status = together.count > 0 ? render_together(&together, results_path, extras, folder) : 0;
    for (size_t i = 0; status == 0 && (kind = lb_document_of(writer, i)) != NULL; i++) {
        char path[4200];
        put_path(path, sizeof path, folder, kind->name);
        if (!lb_renderer_find(kind->name))
            status = lb_render_file_with(kind->name, results_path, extras, path);
    }
    return status;
}
