/* The host's own line to lastbit: see channel.h. */
#include "harness/host/channel.h"
#include "harness/port/host.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

void lb_channel_say(const char *word, const char *format, ...)
{
    char line[1000];
    va_list arguments;
    int length = snprintf(line, sizeof line, "%s", word);
    va_start(arguments, format);
    vsnprintf(line + length, sizeof line - (size_t)length - 1, format, arguments);
    va_end(arguments);
    for (length = 0; line[length] != '\0'; length++)
        ;
    line[length++] = '\n';
    /* Who listens is gone: then nobody needs it. */
    if (write(LB_HOST_CHANNEL, line, (size_t)length) != length)
        return;
}

void lb_channel_close(void)
{
    close(LB_HOST_CHANNEL);
}
