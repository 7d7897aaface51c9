/* What the host has to say itself, to lastbit: see port/host.h. */
#ifndef LB_HARNESS_HOST_CHANNEL_H
#define LB_HARNESS_HOST_CHANNEL_H

/* One line, of one of the words LB_HOST_SAYS_... */
void lb_channel_say(const char *word, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Before foreign code runs. */
void lb_channel_close(void);

#endif
