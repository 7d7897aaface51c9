/* What the host has to say itself, to lastbit: see port/host.h. */
#ifndef LB_HARNESS_HOST_CHANNEL_H
#define LB_HARNESS_HOST_CHANNEL_H

#include "harness/base/format_checked.h"

/* One line, of one of the words LB_HOST_SAYS_... */
void lb_channel_say(const char *word, const char *format, ...) LB_FORMAT_CHECKED(2, 3);
/* Before foreign code runs. */
void lb_channel_close(void);

#endif
