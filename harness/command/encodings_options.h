/* Options that all commands on encodings files share: how a file is read, and what it does not say.
 */
#ifndef LB_HARNESS_COMMAND_ENCODINGS_OPTIONS_H
#define LB_HARNESS_COMMAND_ENCODINGS_OPTIONS_H

#include "harness/encodings/show.h"

enum { LB_ENC_OPTION_TF_OFFSETS = 512, LB_ENC_OPTION_BARE, LB_ENC_OPTION_AXIS };

#define LB_ENC_LONG_OPTIONS                                                                        \
    {"tf-offsets", required_argument, NULL, LB_ENC_OPTION_TF_OFFSETS},                             \
    {                                                                                              \
        "bare-parameters", no_argument, NULL, LB_ENC_OPTION_BARE                                   \
    }
#define LB_ENC_AXIS_OPTION                                                                         \
    {                                                                                              \
        "axis", required_argument, NULL, LB_ENC_OPTION_AXIS                                        \
    }

#define LB_ENC_OPTIONS_HELP                                                                        \
    "      --tf-offsets HOW  refuse (default): a positive offset is an error. recompute: it is "   \
    "what the first "                                                                              \
    "TensorFlow\n"                                                                                 \
    "                        exporter wrote, floor(-min/scale), and becomes the right one, with "  \
    "a warning\n"                                                                                  \
    "      --bare-parameters the top level is no object of sections, but one section of "          \
    "parameters (adaptive "                                                                        \
    "rounding\n"                                                                                   \
    "                        exports such files)\n"
#define LB_ENC_AXIS_HELP                                                                           \
    "      --axis NAME=AXIS[:EXTENT]\n"                                                            \
    "                        the channels of tensor NAME lie along this axis, 0 the outermost; "   \
    "with EXTENT their "                                                                           \
    "count\n"                                                                                      \
    "                        is held to it. Versions 0.x and 1.0 do not say. May be given for "    \
    "many tensors\n"

/* Takes one option as getopt gave it; false (told on standard error) for what is wrong. */
bool lb_enc_take_option(lb_enc_command_options *o, const char *command, int option,
                        const char *argument);
/* Was every --axis for a tensor that there is? Otherwise says which is not. */
bool lb_enc_axes_are_used(const lb_enc_command_options *o, const char *command);
void lb_enc_options_free(lb_enc_command_options *o);

#endif
