/* Explanations as plain text: see explanation.h. */
#include "explanation.h"

#include <string.h>

enum { COLUMNS = 8, WIDEST = 60 };

/* Rows have their first cell at the begin of the line; headings begin with a tab. */
static bool is_row(const char *line, size_t length)
{
    return length > 0 && line[0] != '\t' && memchr(line, '\t', length);
}

static void measure(const char *text, size_t widths[COLUMNS])
{
    for (size_t length; *text != '\0'; text += length + (text[length] == '\n')) {
        length = strcspn(text, "\n");
        for (size_t column = 0, at = 0; is_row(text, length) && at <= length && column < COLUMNS;
             column++) {
            size_t cell = strcspn(text + at, "\t\n");
            widths[column] = cell > widths[column] && cell <= WIDEST ? cell : widths[column];
            at += cell + 1;
        }
    }
}

static void put_row(lb_doc *doc, const char *line, size_t length, const size_t widths[COLUMNS])
{
    lb_doc_puts(doc, " ");
    for (size_t column = 0, at = 0; at <= length; column++) {
        size_t cell = strcspn(line + at, "\t\n");
        size_t width = column < COLUMNS ? widths[column] : 0;
        lb_doc_char(doc, ' ');
        lb_doc_bytes(doc, line + at, cell);
        at += cell + 1;
        for (size_t i = cell; i < width + 1 && at <= length; i++)
            lb_doc_char(doc, ' ');
    }
}

void lb_explanation_aligned(lb_doc *doc, const char *text)
{
    size_t widths[COLUMNS] = {0};
    measure(text, widths);
    for (size_t length; *text != '\0'; text += length + (text[length] == '\n')) {
        length = strcspn(text, "\n");
        size_t tabs = strspn(text, "\t");
        if (is_row(text, length)) {
            put_row(doc, text, length, widths);
        } else {
            lb_doc_puts(doc, tabs == 0 ? "" : tabs == 1 ? "  " : "        ");
            lb_doc_bytes(doc, text + tabs, length - tabs);
        }
        lb_doc_char(doc, '\n');
    }
}
