/* Options of commands on encodings files: see encodings_options.h. */
#include "harness/command/encodings_options.h"
#include "harness/base/command_line.h"
#include "harness/base/xalloc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* NAME=AXIS or NAME=AXIS:EXTENT; the last "=" counts, because names may have others. */
static bool take_axis(const char *command, const char *argument, void *into)
{
    lb_enc_command_options *o = into;
    const char *equals = strrchr(argument, '=');
    unsigned long axis = 0, extent = 0;
    char number[32] = "";
    if (equals && strlen(equals + 1) < sizeof number)
        memcpy(number, equals + 1, strlen(equals + 1) + 1);
    char *colon = strchr(number, ':');
    if (colon)
        *colon++ = '\0';
    if (!equals || !lb_parse_number(number, 0, 31, &axis) ||
        (colon && !lb_parse_number(colon, 1, INT32_MAX, &extent))) {
        lb_usage_error(command,
                       "--axis %s: expected NAME=AXIS or NAME=AXIS:EXTENT, as in conv1.weight=0:64",
                       argument);
        return false;
    }
    o->axes.items =
        lb_room_for_one(o->axes.items, o->axes.count, &o->axis_capacity, sizeof *o->axes.items);
    char *name = lb_resized(NULL, (size_t)(equals - argument) + 1);
    memcpy(name, argument, (size_t)(equals - argument));
    name[equals - argument] = '\0';
    o->axes.items[o->axes.count++] =
        (lb_enc_axis){.name = name, .axis = (int32_t)axis, .extent = (uint32_t)extent};
    return true;
}

/* In the order of false and true. */
static const char *const tf_offsets[] = {"refuse", "recompute", NULL};

static bool take_tf_offsets(const char *command, const char *argument, void *into)
{
    bool *recompute = into;
    *recompute = strcmp(argument, tf_offsets[true]) == 0;
    if (*recompute || strcmp(argument, tf_offsets[false]) == 0)
        return true;
    return lb_usage_error(command, "--tf-offsets %s: expected refuse or recompute", argument),
           false;
}

const lb_option lb_enc_read_options[] = {
    {"tf-offsets", 0, LB_CALLBACK, "HOW",
     LB_INTO(lb_enc_command_options, read.recompute_tf_offsets), .take = take_tf_offsets,
     .choices = tf_offsets,
     .help = "refuse (default): a positive offset is an error. recompute: it is what the first "
             "TensorFlow exporter wrote, floor(-min/scale), and becomes the right one, with a "
             "warning"},
    {"bare-parameters", 0, LB_FLAG, NULL, LB_INTO(lb_enc_command_options, read.bare_parameters),
     .help = "the top level is no object of sections, but one section of parameters (adaptive "
             "rounding exports such files)"},
    {.name = NULL}};

const lb_option lb_enc_axis_option[] = {
    {"axis", 0, LB_CALLBACK, "NAME=AXIS[:EXTENT]", .bytes = sizeof(lb_enc_command_options),
     .take = take_axis,
     .help = "the channels of tensor NAME lie along this axis, 0 the outermost; with EXTENT their "
             "count is held to it. Versions 0.x and 1.0 do not say. May be given for many tensors"},
    {.name = NULL}};

bool lb_enc_axes_are_used(const lb_enc_command_options *o, const char *command)
{
    for (size_t i = 0; i < o->axes.count; i++)
        if (!o->axes.items[i].is_used) {
            lb_usage_error(command, "--axis %s=%d: no file has a tensor of this name",
                           o->axes.items[i].name, (int)o->axes.items[i].axis);
            return false;
        }
    return true;
}

/* NAME=INPUT,WEIGHTS. Names may have "=" and "," in them: the two places are those at which both
 * names are tensors of the file. */
static bool find_bias(const lb_enc_file *file, const char *text, lb_enc_bias *bias, lb_arena *arena)
{
    for (const char *equals = strchr(text, '='); equals; equals = strchr(equals + 1, '='))
        for (const char *comma = strchr(equals, ','); comma; comma = strchr(comma + 1, ',')) {
            char *copy = lb_arena_strdup(arena, text);
            copy[equals - text] = '\0';
            copy[comma - text] = '\0';
            *bias = (lb_enc_bias){.name = copy,
                                  .input = lb_enc_find(file, copy + (equals - text) + 1),
                                  .weights = lb_enc_find(file, comma + 1)};
            if (bias->input && bias->weights)
                return true;
        }
    return false;
}

bool lb_enc_find_biases(const char *command, const lb_list *texts, const lb_enc_file *file,
                        lb_enc_bias **biases, lb_arena *arena)
{
    *biases = lb_arena_array(arena, texts->count + 1, sizeof **biases);
    for (size_t i = 0; i < texts->count; i++)
        if (!find_bias(file, texts->items[i], &(*biases)[i], arena)) {
            lb_usage_error(command,
                           "--bias %s: expected NAME=INPUT,WEIGHTS, with two tensors of the file "
                           "behind the \"=\"",
                           texts->items[i]);
            return false;
        }
    return true;
}

int lb_enc_write_out(const char *command, const char *path, lb_doc *doc)
{
    FILE *out = path ? fopen(path, "w") : stdout;
    bool good = out && lb_doc_flush(doc, out);
    if (out && path)
        good &= fclose(out) == 0;
    else if (out)
        good &= fflush(out) == 0;
    if (!good)
        fprintf(stderr, "lastbit %s: %s: %s\n", command, path ? path : "standard output",
                strerror(errno));
    return good ? 0 : 3;
}

void lb_enc_options_free(lb_enc_command_options *o)
{
    for (size_t i = 0; i < o->axes.count; i++)
        free((char *)o->axes.items[i].name);
    free(o->axes.items);
}
