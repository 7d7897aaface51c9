/* Cases as plain files, for devices that have no library and no agent: a folder a case, every
 * input in a file that its tools read, parameters as the kernel needs them, names of the outputs
 * that are to be put there. The port files:DIR reads the answers. */
#ifndef LB_HARNESS_EXPORT_EXPORT_H
#define LB_HARNESS_EXPORT_EXPORT_H

#include "harness/port/files_index.h"

#include <stdio.h>

typedef struct lb_export {
    const char *folder;
    lb_files_form form;
    unsigned word_bits; /* of hex: 8, 32, 64, 128 */
    bool big_endian;    /* of raw and hex */
    bool with_expected; /* the exact model's outputs too */
    const lb_profile *profile;
    FILE *index, *suite;
    char *suite_path;
    const char *suite_name;
    unsigned suites, cases;
    lb_arena names;
} lb_export;

/* Makes the folder; one that exists must be empty. False: a message on standard error. */
bool lb_export_open(lb_export *e);
bool lb_export_begin_suite(lb_export *e, const char *name);
/* Writes a case. *left_out: why it cannot be a folder of files, or NULL. */
bool lb_export_case(lb_export *e, const lb_case *c, lb_arena *arena, const char **left_out);
bool lb_export_end_suite(lb_export *e);
bool lb_export_close(lb_export *e);

#endif
