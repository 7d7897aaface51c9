/* Options of commands on encodings files: see encodings_options.h. */
#include "harness/command/encodings_options.h"
#include "harness/base/command_line.h"
#include "harness/base/xalloc.h"

#include <stdlib.h>
#include <string.h>

/* NAME=AXIS or NAME=AXIS:EXTENT; the last "=" counts, because names may have others. */
static bool take_axis(lb_enc_command_options *o, const char *command, const char *argument)
{
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
                       "--axis %s: NAME=AXIS or NAME=AXIS:EXTENT is due, as in conv1.weight=0:64",
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

bool lb_enc_take_option(lb_enc_command_options *o, const char *command, int option,
                        const char *argument)
{
    switch (option) {
    case LB_ENC_OPTION_TF_OFFSETS:
        o->read.recompute_tf_offsets = strcmp(argument, "recompute") == 0;
        if (o->read.recompute_tf_offsets || strcmp(argument, "refuse") == 0)
            return true;
        lb_usage_error(command, "--tf-offsets %s: recompute or refuse is due", argument);
        return false;
    case LB_ENC_OPTION_BARE:
        o->read.bare_parameters = true;
        return true;
    case LB_ENC_OPTION_AXIS:
        return take_axis(o, command, argument);
    default:
        lb_usage_hint(command);
        return false;
    }
}

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

void lb_enc_options_free(lb_enc_command_options *o)
{
    for (size_t i = 0; i < o->axes.count; i++)
        free((char *)o->axes.items[i].name);
    free(o->axes.items);
}
