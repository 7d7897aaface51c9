/* Several documents in one pass over the results: see renderer.h. */
#include "renderer.h"

#include <stdlib.h>
#include <string.h>

const lb_renderer *lb_renderer_find(const char *kind)
{
    static const lb_renderer *const all[LB_MOST_RENDERERS] = {&lb_html_renderer, &lb_junit_renderer,
                                                              &lb_markdown_renderer};
    for (size_t i = 0; i < LB_MOST_RENDERERS; i++)
        if (strcmp(kind, all[i]->kind) == 0)
            return all[i];
    return NULL;
}

void lb_rendered_add(lb_rendered *rendered, const lb_renderer *renderer)
{
    rendered->state[rendered->count] = calloc(1, renderer->bytes);
    rendered->renderer[rendered->count++] = renderer;
}

static bool explain(bool good, char *error, size_t error_bytes)
{
    if (!good && error[0] == '\0')
        snprintf(error, error_bytes, "out of memory, or the document cannot be written");
    return good;
}

static bool add_to_all(lb_rendered *rendered, const lb_result *result)
{
    for (size_t i = 0; i < rendered->count; i++)
        if (!rendered->renderer[i]->add(rendered->state[i], result))
            return false;
    return true;
}

bool lb_rendered_read(lb_rendered *rendered, lb_results_reader *reader, char *error,
                      size_t error_bytes)
{
    const lb_result *result;
    bool good = lb_results_rewind(reader);
    snprintf(error, error_bytes, "%s", "");
    for (size_t i = 0; i < rendered->count; i++)
        good =
            good && rendered->state[i] && rendered->renderer[i]->begin(rendered->state[i], reader);
    while (good && (result = lb_results_next(reader, error, error_bytes)) != NULL)
        good = add_to_all(rendered, result);
    return explain(good && error[0] == '\0', error, error_bytes);
}

bool lb_rendered_write(const lb_rendered *rendered, size_t i, FILE *out, char *error,
                       size_t error_bytes)
{
    return explain(rendered->renderer[i]->write(rendered->state[i], out), error, error_bytes);
}

void lb_rendered_end(lb_rendered *rendered)
{
    for (size_t i = 0; i < rendered->count; i++) {
        if (rendered->state[i])
            rendered->renderer[i]->end(rendered->state[i]);
        free(rendered->state[i]);
    }
    rendered->count = 0;
}

bool lb_render_with(const lb_renderer *renderer, lb_results_reader *reader, FILE *out, char *error,
                    size_t error_bytes)
{
    lb_rendered one = {.count = 0};
    lb_rendered_add(&one, renderer);
    bool written = lb_rendered_read(&one, reader, error, error_bytes) &&
                   lb_rendered_write(&one, 0, out, error, error_bytes);
    lb_rendered_end(&one);
    return written;
}
