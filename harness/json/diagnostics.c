/* Messages about a suite, as one line of text each. */
#include "harness/json/diagnostics.h"
#include "harness/base/format_checked.h"
#include "harness/base/utf8.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Text that grows up to a limit and never ends in half a character. */
typedef struct line {
    char *text;
    size_t size_bytes;
    size_t length;
    bool full;
} line;

static void put(line *l, const char *bytes, size_t count)
{
    if (l->full || l->size_bytes - l->length <= count) {
        l->full = true;
        return;
    }
    memcpy(l->text + l->length, bytes, count);
    l->length += count;
    l->text[l->length] = '\0';
}

/* What could move a terminal's cursor or is no text at all is shown as \xNN. */
static void put_escaped(line *l, const char *text)
{
    size_t left = strlen(text);
    while (left > 0 && !l->full) {
        uint32_t code_point = 0;
        unsigned bytes = lb_utf8_decode(text, left, &code_point);
        if (bytes > 0 && !lb_utf8_is_control(code_point)) {
            put(l, text, bytes);
        } else {
            char escape[4 * 4 + 1] = "";
            bytes = bytes ? bytes : 1;
            for (unsigned i = 0; i < bytes; i++)
                snprintf(escape + 4 * i, 5, "\\x%02X", (unsigned)(unsigned char)text[i]);
            put(l, escape, 4 * (size_t)bytes);
        }
        text += bytes;
        left -= bytes;
    }
}

static void put_printf(line *l, const char *format, ...) LB_FORMAT_CHECKED(2, 3);

static void put_printf(line *l, const char *format, ...)
{
    char text[64];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    put(l, text, strlen(text));
}

void lb_diagnostic_format(const lb_diagnostic *d, char *text, size_t text_bytes)
{
    line l = {.text = text, .size_bytes = text_bytes};
    if (text_bytes == 0)
        return;
    text[0] = '\0';
    put_escaped(&l, d->file);
    if (d->line > 0)
        put_printf(&l, "%s%u", l.length ? ":" : "", d->line);
    if (d->line > 0 && d->column > 0)
        put_printf(&l, ":%u", d->column);
    if (d->case_id[0]) {
        put_printf(&l, "%scase ", l.length ? ": " : "");
        put_escaped(&l, d->case_id);
    }
    if (d->key[0]) {
        put_printf(&l, "%s", l.length ? ": " : "");
        put_escaped(&l, d->key);
    }
    if (d->problem[0]) {
        put_printf(&l, "%s", l.length ? ": " : "");
        put_escaped(&l, d->problem);
    }
    if (d->remedy[0]) {
        put_printf(&l, "%s", l.length ? "; " : "");
        put_escaped(&l, d->remedy);
    }
}

void lb_diagnostic_print(void *user, const lb_diagnostic *diagnostic)
{
    char text[4 * sizeof *diagnostic];
    (void)user;
    lb_diagnostic_format(diagnostic, text, sizeof text);
    fprintf(stderr, "%s\n", text);
}
