/* Every step behind an element that differs, as a table that opens: from the text of an
 * explanation, whose table has its cells between tabs. */
#include "escape.h"
#include "html_parts.h"

#include <string.h>

enum { COLUMNS = 6 };

typedef enum block { NO_BLOCK, PROSE, TABLE } block;

static void close_block(lb_doc *doc, block open)
{
    lb_doc_puts(doc, open == PROSE ? "</pre>\n" : open == TABLE ? "</tbody></table>\n" : "");
}

static void put_text(lb_doc *doc, const char *text, size_t length)
{
    lb_doc part = lb_doc_make();
    lb_doc_bytes(&part, text, length);
    lb_doc_char(&part, '\0');
    lb_escape_html(doc, part.failed ? "" : part.text, LB_HTML_TEXT);
    doc->failed = doc->failed || part.failed;
    lb_doc_free(&part);
}

/* One row: `title` of the columns. Numbers stand on the right. */
static void put_row(lb_doc *doc, const char *line, size_t length, bool title)
{
    lb_doc_puts(doc, title ? "<thead><tr>" : "<tr>");
    for (size_t column = 0, at = 0; column < COLUMNS; column++) {
        size_t cell = at < length ? strcspn(line + at, "\t\n") : 0;
        bool number = column == 3 || column == 4;
        lb_doc_puts(doc, title && column == 1 ? "<td>"
                         : title              ? "<th scope=\"col\""
                         : number             ? "<td class=\"n\">"
                                              : "<td>");
        lb_doc_puts(doc, !title || column == 1 ? "" : number ? " class=\"n\">" : ">");
        put_text(doc, line + at, cell);
        lb_doc_puts(doc, title && column != 1 ? "</th>" : "</td>");
        at += cell + 1;
    }
    lb_doc_puts(doc, title ? "</tr></thead>\n<tbody>" : "</tr>\n");
}

static void put_line(lb_doc *doc, const char *line, size_t length, block *open)
{
    bool in_table = memchr(line, '\t', length) != NULL;
    block wanted = in_table ? TABLE : PROSE;
    bool first = *open != wanted;
    if (first && !in_table && length == 0)
        return;
    if (first) {
        close_block(doc, *open);
        lb_doc_puts(doc, in_table ? "<table class=\"explain\"><caption class=\"unseen\">Steps"
                                    "</caption>"
                                  : "<pre>");
        *open = wanted;
    }
    if (!in_table) {
        put_text(doc, line, length);
        lb_doc_char(doc, '\n');
    } else if (line[0] == '\t') {
        size_t tabs = strspn(line, "\t");
        lb_doc_printf(doc, "<tr><td colspan=\"%d\" class=\"%s\">", COLUMNS,
                      tabs > 1 ? "quiet" : "part");
        put_text(doc, line + tabs, length - tabs);
        lb_doc_puts(doc, "</td></tr>\n");
    } else {
        put_row(doc, line, length, first);
    }
}

void lb_html_steps(lb_doc *doc, const char *text)
{
    block open = NO_BLOCK;
    if (text[0] == '\0')
        return;
    lb_doc_puts(doc, "<details class=\"steps\"><summary>Every step behind the element that "
                     "differs</summary><div class=\"scroll\" tabindex=\"0\" role=\"group\" "
                     "aria-label=\"Steps\">");
    for (size_t length; *text != '\0'; text += length + (text[length] == '\n')) {
        length = strcspn(text, "\n");
        put_line(doc, text, length, &open);
    }
    close_block(doc, open);
    lb_doc_puts(doc, "</div></details>\n");
}
