/* The one place for an extension of compilers: arguments are checked against a format. */
#ifndef LB_HARNESS_BASE_FORMAT_CHECKED_H
#define LB_HARNESS_BASE_FORMAT_CHECKED_H

/* Behind a declaration: which parameter is the format of printf, and the first one of those that it
 * prints (from 1; 0: they are a va_list). */
#if defined(__GNUC__)
#define LB_FORMAT_CHECKED(format_at, first) __attribute__((format(printf, format_at, first)))
#else
#define LB_FORMAT_CHECKED(format_at, first)
#endif

#endif
