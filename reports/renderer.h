/* Documents that are made from results one by one: several of them in one pass. */
#ifndef LB_REPORTS_RENDERER_H
#define LB_REPORTS_RENDERER_H

#include "results.h"

#include <stdio.h>

typedef struct lb_renderer {
    const char *kind;
    size_t bytes; /* of its state, which is all zero before begin */
    bool (*begin)(void *state, const lb_results_reader *reader);
    bool (*add)(void *state, const lb_result *result);
    bool (*write)(void *state, FILE *out); /* after the last result */
    void (*end)(void *state); /* frees what begin and add took, however far they came */
} lb_renderer;

extern const lb_renderer lb_html_renderer, lb_junit_renderer, lb_markdown_renderer;

/* The one of this kind; NULL: the document is made otherwise. */
const lb_renderer *lb_renderer_find(const char *kind);

/* Documents in the making. */
enum { LB_MOST_RENDERERS = 3 };
typedef struct lb_rendered {
    const lb_renderer *renderer[LB_MOST_RENDERERS];
    void *state[LB_MOST_RENDERERS];
    size_t count;
} lb_rendered;

void lb_rendered_add(lb_rendered *rendered, const lb_renderer *renderer);
/* Gives all results to all of them. On failure gives false and a message in error. */
bool lb_rendered_read(lb_rendered *rendered, lb_results_reader *reader, char *error,
                      size_t error_bytes);
/* Writes one of them, as a render function does. */
bool lb_rendered_write(const lb_rendered *rendered, size_t i, FILE *out, char *error,
                       size_t error_bytes);
void lb_rendered_end(lb_rendered *rendered);

/* All of it for one document. */
bool lb_render_with(const lb_renderer *renderer, lb_results_reader *reader, FILE *out, char *error,
                    size_t error_bytes);

#endif
