/* From a kind of document and two file names to the document. */
#include "render.h"

#include "lcov.h"
#include "output.h"

#include <string.h>

enum { BAD_INPUT = 2 };

lb_render_fn lb_render_find(const char *name)
{
    static const struct {
        const char *name;
        lb_render_fn render;
    } kinds[] = {{"html", lb_render_html},
                 {"junit", lb_render_junit},
                 {"markdown", lb_render_markdown},
                 {"csv", lb_render_csv},
                 {"github", lb_render_github},
                 {"azure", lb_render_azure},
                 {"teamcity", lb_render_teamcity},
                 {"gitlab", lb_render_gitlab},
                 {"sarif", lb_render_sarif},
                 {"tap", lb_render_tap},
                 {"statement.html", lb_render_statement_html},
                 {"statement.md", lb_render_statement_markdown}};
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
    const lb_render_extras *extras;
} rendering;

static bool render(void *user, FILE *out, char *error, size_t error_bytes)
{
    const rendering *job = user;
    return job->render(job->reader, job->extras, out, error, error_bytes);
}

int lb_render_file(const char *kind, const char *results_path, const char *out_path)
{
    return lb_render_file_with(kind, results_path, &(lb_render_extras){.lcov_link = ""}, out_path);
}

static bool open_job(rendering *job, const char *results_path, const lb_render_extras *extras,
                     lb_lcov *lcov, char *error, size_t error_bytes)
{
    if (extras->lcov_path != NULL &&
        !lb_lcov_read(lcov, extras->lcov_path, extras->lcov_link, error, error_bytes)) {
        return false;
    }
    job->reader = extras->waivers == NULL
                      ? lb_results_open(results_path, error, error_bytes)
                      : lb_waivers_open(extras->waivers, results_path, error, error_bytes);
    if (job->reader != NULL && extras->lcov_path != NULL) {
        lb_results_set_lines(job->reader, lcov->list, lcov->count);
    }
    return job->reader != NULL;
}

int lb_render_file_with(const char *kind, const char *results_path, const lb_render_extras *extras,
                        const char *out_path)
{
    char error[700] = "";
    lb_lcov lcov = {0};
    rendering job = {.render = lb_render_find(kind), .extras = extras};
    int status = BAD_INPUT;
    if (job.render == NULL) {
        fprintf(stderr,
                "lastbit: there is no document of kind \"%s\"; there are html, junit, markdown and "
                "csv\n",
                kind);
        return BAD_INPUT;
    }
    if (open_job(&job, results_path, extras, &lcov, error, sizeof error)) {
        status = lb_output_file(out_path, render, &job);
    } else {
        fprintf(stderr, "lastbit: %s\n", error);
    }
    lb_results_close(job.reader);
    lb_lcov_free(&lcov);
    return status;
}
