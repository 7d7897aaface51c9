/* What an encodings file holds, as JSON for programs and as text for people. Spec:
 * encodings.md 5.6. */
#ifndef LB_HARNESS_ENCODINGS_SHOW_H
#define LB_HARNESS_ENCODINGS_SHOW_H

#include "harness/encodings/map.h"
#include "reports/doc.h"

/* The axes that the caller gave, to be looked up by name. */
typedef struct lb_enc_axes {
    lb_enc_axis *items;
    size_t count;
} lb_enc_axes;

/* How a command reads a file, and what the file does not say. */
typedef struct lb_enc_command_options {
    lb_enc_options read;
    lb_enc_axes axes;
    size_t axis_capacity;
} lb_enc_command_options;

/* The axis given for a tensor, marked as used, or NULL. */
const lb_enc_axis *lb_enc_axis_of(const lb_enc_axes *axes, const char *name);

/* One JSON object on one line. */
void lb_enc_show_json(lb_doc *doc, const lb_enc_file *file, const lb_enc_axes *axes);
/* One line for the file, one for each error and warning, a few for each tensor. */
void lb_enc_show_text(lb_doc *doc, const lb_enc_file *file, const lb_enc_axes *axes);
/* "FILE:LINE:COLUMN: /pointer: CODE: what is wrong; what would be right" */
void lb_enc_show_note(lb_doc *doc, const lb_enc_file *file, const lb_enc_note *note);

#endif
