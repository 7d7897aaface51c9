/* UTF-8, strictly: no overlong forms, no surrogates, nothing beyond U+10FFFF. */
#ifndef LB_HARNESS_BASE_UTF8_H
#define LB_HARNESS_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the character at text[0] (1..4) and its code point, or 0 if the bytes there (of `left`)
 * are no UTF-8. */
unsigned lb_utf8_decode(const char *text, size_t left, uint32_t *code_point);

/* Offset of the first byte that is no UTF-8, or `length` if all is well. */
size_t lb_utf8_check(const char *text, size_t length);

/* Is this a control character (C0, DEL, C1, line and paragraph separators, byte order mark,
 * bidirectional controls)? */
bool lb_utf8_is_control(uint32_t code_point);

/* Is the text non-empty and free of control characters? It must be UTF-8. */
bool lb_utf8_is_printable(const char *text, size_t length);

#endif
