/* Options that all commands on encodings files share: how a file is read, and what it does not say.
 */
#ifndef LB_HARNESS_COMMAND_ENCODINGS_OPTIONS_H
#define LB_HARNESS_COMMAND_ENCODINGS_OPTIONS_H

#include "harness/base/options.h"
#include "harness/encodings/convert.h"

/* Tables on lb_enc_command_options: how files are read; and --axis. */
extern const lb_option lb_enc_read_options[], lb_enc_axis_option[];

/* Was every --axis for a tensor that there is? Otherwise says which is not. */
bool lb_enc_axes_are_used(const lb_enc_command_options *o, const char *command);
/* The arguments of --bias, NAME=INPUT,WEIGHTS, as tensors of the file; false: told. */
bool lb_enc_find_biases(const char *command, const lb_list *texts, const lb_enc_file *file,
                        lb_enc_bias **biases, lb_arena *arena);
/* Writes the document to the file, NULL: standard output. 0, or 3 after a message. */
int lb_enc_write_out(const char *command, const char *path, lb_doc *doc);
void lb_enc_options_free(lb_enc_command_options *o);

#endif
