/* Lines for a terminal: see terminal.h. */
#include "harness/base/terminal.h"
#include "harness/base/xalloc.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Wider lines are hard to read, narrower ones break too often. */
enum { USUAL = 80, LEAST = 40, MOST = 100 };

typedef struct terminal {
    FILE *to;
    size_t columns;
    char *line; /* what has come of a line that has not ended */
    size_t length, room;
} terminal;

/* Bytes of an escape sequence that sets a colour; 0: there is none. */
static size_t escape_bytes(const char *text, size_t length)
{
    size_t bytes = 2;
    if (length < 3 || text[0] != '\033' || text[1] != '[')
        return 0;
    while (bytes < length && text[bytes] != 'm')
        bytes++;
    return bytes < length ? bytes + 1 : 0;
}

/* Columns that the text takes: escape sequences and bytes inside a letter of UTF-8 take none. */
static size_t width_of(const char *text, size_t length)
{
    size_t columns = 0;
    for (size_t i = 0; i < length;) {
        size_t skipped = escape_bytes(text + i, length - i);
        columns += skipped == 0 && ((unsigned char)text[i] & 0xC0) != 0x80;
        i += skipped ? skipped : 1;
    }
    return columns;
}

/* How much of the text stands on a line of so many columns: up to a blank, or a word that is longer
 * than a line. */
static size_t fitting(const char *text, size_t length, size_t columns)
{
    size_t taken = 0;
    for (size_t at = 0; at < length;) {
        size_t end = at + strspn(text + at, " ");
        end += strcspn(text + end, " ");
        end = end < length ? end : length;
        if (taken > 0 && width_of(text, end) > columns)
            return taken;
        taken = at = end;
    }
    return length;
}

/* Goes on under the first letter of the line, two columns further in. */
static void put_broken(const terminal *t, const char *text, size_t length)
{
    size_t indent = strspn(text, " ");
    size_t taken = fitting(text, length, t->columns);
    fwrite(text, 1, taken, t->to);
    while (taken < length) {
        text += taken;
        length -= taken;
        size_t blanks = strspn(text, " ");
        text += blanks;
        length -= blanks;
        taken = fitting(text, length, t->columns - indent - 2);
        fprintf(t->to, "\n%*s", (int)indent + 2, "");
        fwrite(text, 1, taken, t->to);
    }
}

static void put_line(terminal *t)
{
    bool is_whole = t->length > 0 && t->line[0] == LB_WHOLE_LINE[0];
    const char *text = t->line + is_whole;
    size_t length = t->length - is_whole;
    if (is_whole || t->columns == 0 || width_of(text, length) <= t->columns ||
        strspn(text, " ") > t->columns / 2)
        fwrite(text, 1, length, t->to);
    else
        put_broken(t, text, length);
    t->length = 0;
}

static void add(terminal *t, const char *bytes, size_t count)
{
    if (t->room < t->length + count + 1) {
        t->room = 2 * (t->length + count + 1);
        t->line = lb_resized(t->line, t->room);
    }
    memcpy(t->line + t->length, bytes, count);
    t->length += count;
    t->line[t->length] = '\0';
}

static ssize_t take(void *cookie, const char *bytes, size_t count)
{
    terminal *t = cookie;
    for (size_t at = 0; at < count;) {
        const char *feed = memchr(bytes + at, '\n', count - at);
        size_t end = feed ? (size_t)(feed - bytes) : count;
        add(t, bytes + at, end - at);
        if (feed) {
            put_line(t);
            fputc('\n', t->to);
        }
        at = end + (feed != NULL);
    }
    return (ssize_t)count;
}

static int end(void *cookie)
{
    terminal *t = cookie;
    if (t->length > 0)
        put_line(t);
    int status = fflush(t->to);
    free(t->line);
    free(t);
    return status;
}

/* A stream over `to` with lines of at most so many columns; 0: as long as they are. */
static FILE *terminal_of_width(FILE *to, size_t columns)
{
    terminal *t = lb_resized(NULL, sizeof *t);
    *t = (terminal){.to = to, .columns = columns};
    FILE *stream = fopencookie(t, "w", (cookie_io_functions_t){.write = take, .close = end});
    if (!stream)
        lb_out_of_memory(sizeof(FILE));
    return stream;
}

FILE *lb_terminal_over(FILE *to)
{
    struct winsize size = {0};
    if (!isatty(fileno(to)))
        return terminal_of_width(to, 0);
    size_t columns =
        ioctl(fileno(to), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : USUAL;
    return terminal_of_width(to, columns < LEAST ? LEAST : columns > MOST ? MOST : columns);
}
