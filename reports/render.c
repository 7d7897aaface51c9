/* From a kind of document and two file names to the document. */
#include "render.h"

#include "output.h"

#include <string.h>

enum { BAD_INPUT = 2 };

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

typedef struct rendering {
    lb_render_fn render;
    lb_results_reader *reader;
} rendering;

static bool render(void *user, FILE *out, char *error, size_t error_bytes)
{
    const rendering *job = user;
    return job->render(job->reader, out, error, error_bytes);
}

int lb_render_file(const char *kind, const char *results_path, const char *out_path)
{
    return lb_render_waived_file(kind, results_path, NULL, out_path);
}

int lb_render_waived_file(const char *kind, const char *results_path, lb_waivers *waivers, const char *out_path)
{
    char error[700] = "";
    rendering job = {.render = lb_render_find(kind)};
    if (job.render == NULL) {
        fprintf(stderr, "lastbit: there is no document of kind \"%s\"; there are html, junit, markdown and csv\n",
                kind);
        return BAD_INPUT;
    }
    job.reader = waivers == NULL ? lb_results_open(results_path, error, sizeof error)
                                 : lb_waivers_open(waivers, results_path, error, sizeof error);
    if (job.reader == NULL) {
        fprintf(stderr, "lastbit: %s\n", error);
        return BAD_INPUT;
    }
    int status = lb_output_file(out_path, render, &job);
    lb_results_close(job.reader);
    return status;
}
