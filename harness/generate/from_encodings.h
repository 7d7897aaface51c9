/* lastbit vectors from-encodings: a suite of cases from an encodings file. Format of templates:
 * vectors/FORMAT.md. */
#ifndef LB_HARNESS_GENERATE_FROM_ENCODINGS_H
#define LB_HARNESS_GENERATE_FROM_ENCODINGS_H

#include "harness/encodings/show.h"
#include "harness/json/problems.h"
#include "harness/trial/network.h"

#include <cjson/cJSON.h>

/* What a template says of a tensor that its file does not. */
typedef struct lb_template_tensor {
    const char *name;
    const char *type; /* NULL: the first of sa8, sa32, fx16, fx8 that it can be */
    bool no_round_trip;
    bool is_used;
} lb_template_tensor;

typedef struct lb_template {
    const char *path;
    const char *suite; /* NULL: the name of the encodings file */
    bool no_round_trips;
    const lb_kernel_set *set; /* of its cases; NULL: it has none with a function of a set */
    lb_template_tensor *tensors;
    size_t tensor_count, tensor_capacity;
    cJSON **cases; /* as they stand, checked */
    size_t case_count, case_capacity;
    lb_arena arena; /* of all texts and trees */
    char *text;
} lb_template;

/* Reads a template. Its cases are held to the case format, with `encodings` (a path from anywhere)
 * for tensors whose "encoding" names no file. False: something is wrong (told to the diagnostics).
 */
bool lb_template_read(const char *path, const char *encodings, lb_template *t,
                      lb_diagnostics *diagnostics);
void lb_template_free(lb_template *t);

/* What the cases are made from. */
typedef struct lb_from_encodings {
    const lb_enc_file *file;
    const char *path_in_suite; /* of the encodings file, from the folder of the suite */
    const char *suite_path;    /* of the suite, as far as paths in it are meant */
    const char *arrays; /* the way from the suite's folder to the template's: "", "a/b/", "../" */
    const char *array_outside; /* an array that is not below the suite's folder; NULL: none */
    const lb_enc_command_options *options;
    lb_network
        *network; /* that gives inputs of layers ("feed") their data; NULL: no case has any */
    lb_template *template;
    lb_doc *doc;
    lb_doc *remarks; /* tensors that get no case, and why: a line each */
} lb_from_encodings;

/* The round trip of every tensor: codes to real numbers and back. */
void lb_write_round_trips(lb_from_encodings *f);
/* The template's cases, with the file's name filled in (or the integers that its scales become),
 * and data where inputs have none: random ones, or those of the layer that feeds them. False: told
 * on standard error. */
bool lb_write_template_cases(lb_from_encodings *f);
/* Is any case of the template fed by another? */
bool lb_template_has_layers(const lb_template *t);

#endif
