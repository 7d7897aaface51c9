/* The small words of the HTML report: icons, tables, cells. */
#include "escape.h"
#include "html_parts.h"

void lb_html_icon(lb_doc *doc, const char *name)
{
    lb_doc_printf(doc, "<svg class=\"i\" aria-hidden=\"true\"><use href=\"#i-%s\"/></svg>", name);
}

void lb_html_path(lb_doc *doc, const char *text, size_t limit)
{
    lb_doc escaped = lb_doc_make();
    lb_escape_html(&escaped, text, limit);
    for (size_t i = 0; i < escaped.length; i++) {
        lb_doc_char(doc, escaped.text[i]);
        if (escaped.text[i] == '/' && (i == 0 || escaped.text[i - 1] != '<'))
            lb_doc_puts(doc, "<wbr>");
    }
    doc->failed = doc->failed || escaped.failed;
    lb_doc_free(&escaped);
}

void lb_html_code(lb_doc *doc, const char *name)
{
    lb_doc_puts(doc, "<code>");
    lb_html_path(doc, name, LB_HTML_NAME);
    lb_doc_puts(doc, "</code>");
}

void lb_html_section(lb_doc *doc, const char *id, const char *title)
{
    lb_doc_printf(doc,
                  "<section id=\"%s\" aria-labelledby=\"%s-title\">\n<h2 id=\"%s-title\">%s</h2>\n",
                  id, id, id, title);
}

void lb_html_fold(lb_doc *doc, const char *id, const char *title, bool open)
{
    lb_doc_printf(doc,
                  "<section id=\"%s\" aria-labelledby=\"%s-title\">\n<details class=\"fold\"%s>"
                  "<summary><h2 id=\"%s-title\">%s</h2></summary>\n",
                  id, id, open ? " open" : "", id, title);
}

void lb_html_fold_end(lb_doc *doc)
{
    lb_doc_puts(doc, "</details></section>\n");
}

/* Both halves stand in the page, so that a copy has the whole name; which part of the first one is
 * seen is up to the width. */
void lb_html_name(lb_doc *doc, const char *name)
{
    enum { SHORT = 24, TAIL = 12 };
    const char *at = name, *tail = name;
    size_t characters = 0;
    while (lb_utf8_next(&at) != 0)
        characters++;
    if (characters <= SHORT || characters > LB_HTML_NAME) {
        lb_html_code(doc, name);
        return;
    }
    for (size_t i = 0; i + TAIL < characters; i++)
        lb_utf8_next(&tail);
    lb_doc_puts(doc, "<code class=\"mid\" title=\"");
    lb_escape_html(doc, name, LB_HTML_NAME);
    lb_doc_puts(doc, "\"><span>");
    char head[4 * LB_HTML_NAME + 1];
    snprintf(head, sizeof head, "%.*s", (int)(tail - name), name);
    lb_escape_html(doc, head, 0);
    lb_doc_puts(doc, "</span><span>");
    lb_escape_html(doc, tail, 0);
    lb_doc_puts(doc, "</span></code>");
}

void lb_html_table(lb_doc *doc, const char *kind, const char *caption, const char *const *columns,
                   size_t count)
{
    lb_doc_printf(
        doc,
        "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"%s\"><table class=\"%s\">"
        "<caption class=\"unseen\">%s</caption>\n<thead><tr>",
        caption, kind, caption);
    for (size_t i = 0; i < count; i++) {
        bool number = columns[i][0] == '#';
        lb_doc_puts(doc, number ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">");
        lb_doc_puts(doc, columns[i] + number);
        lb_doc_puts(doc, "</th>");
    }
    lb_doc_puts(doc, "</tr></thead>\n<tbody>\n");
}

void lb_html_table_end(lb_doc *doc)
{
    lb_doc_puts(doc, "</tbody></table></div>\n");
}

void lb_html_number(lb_doc *doc, uint64_t value)
{
    lb_doc_puts(doc, "<td class=\"n\">");
    lb_doc_grouped(doc, value);
    lb_doc_puts(doc, "</td>");
}

/* A name that may be broken over lines after a dot or an underscore: names of cases are long, and
 * tables with them narrow. */
static void put_breakable(lb_doc *doc, const char *name)
{
    lb_doc whole = lb_doc_make();
    lb_escape_html(&whole, name, LB_HTML_NAME);
    for (size_t i = 0; i < whole.length; i++) {
        lb_doc_char(doc, whole.text[i]);
        lb_doc_puts(doc, whole.text[i] == '.' || whole.text[i] == '_' ? "<wbr>" : "");
    }
    doc->failed = doc->failed || whole.failed;
    lb_doc_free(&whole);
}

void lb_html_note(lb_doc *doc, const lb_case_note *note)
{
    lb_doc_puts(doc, "<td>");
    if (note->id) {
        lb_doc_puts(doc, "<code>");
        put_breakable(doc, note->id);
        lb_doc_puts(doc, "</code>");
        lb_doc_puts(doc, " <span class=\"profile\">");
        lb_escape_html(doc, note->profile, LB_HTML_NAME);
        lb_doc_puts(doc, "</span>");
    }
    lb_doc_puts(doc, "</td>");
}

const char *lb_html_verdict(lb_verdict verdict)
{
    static const char *const titles[LB_VERDICT_COUNT] = {"Passed", "Failed", "Error", "Skipped",
                                                         "Waived"};
    return titles[verdict];
}

void lb_html_function(lb_doc *doc, const char *name, const char *label, const lb_case_note *note)
{
    lb_doc_puts(doc, "<tr><th scope=\"row\">");
    lb_html_code(doc, name);
    if (note->id) {
        lb_doc_printf(doc, "<br><span class=\"quiet small\">%s: ", label);
        lb_html_code(doc, note->id);
        lb_doc_char(doc, ' ');
        lb_escape_html(doc, note->profile, LB_HTML_NAME);
        lb_doc_puts(doc, "</span>");
    }
    lb_doc_puts(doc, "</th>");
}
