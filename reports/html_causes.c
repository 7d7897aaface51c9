/* Causes of failures on the page: what is wrong, before what fails. */
#include "html_parts.h"

#include "escape.h"

static void put_line(lb_doc *doc, const char *label, const char *text)
{
    if (text[0] == '\0') {
        return;
    }
    lb_doc_printf(doc, "<div><dt>%s</dt><dd>", label);
    lb_escape_html(doc, text, LB_HTML_TEXT);
    lb_doc_puts(doc, "</dd></div>");
}

static void put_where(lb_doc *doc, const lb_found_fault *fault)
{
    lb_doc_puts(doc, "<div><dt>In</dt><dd>");
    if (fault->function[0] != '\0') {
        lb_html_code(doc, fault->function);
    } else {
        lb_doc_printf(doc, "%u functions", fault->functions);
        lb_doc_puts(doc, fault->family[0] != '\0' ? " of " : "");
        lb_escape_html(doc, fault->family, LB_HTML_NAME);
    }
    lb_doc_puts(doc, "</dd></div>");
}

static void put_counts(lb_doc *doc, const lb_found_fault *fault)
{
    lb_doc_puts(doc, "<div><dt>Failing results</dt><dd>");
    lb_doc_grouped(doc, fault->results);
    if (fault->certainty != LB_CERTAIN_UNKNOWN) {
        lb_doc_puts(doc, ", of which it gives ");
        lb_doc_grouped(doc, fault->explained);
        lb_doc_puts(doc, " to the last bit");
    }
    lb_doc_puts(doc, "</dd></div>");
}

static void put_cause(lb_doc *doc, const lb_found_fault *fault)
{
    static const char *const heads[LB_CERTAINTY_COUNT] = {"", "Probably: ", "Near: ", ""};
    lb_doc_printf(doc, "<li><strong>%s", heads[fault->certainty]);
    lb_escape_html(doc, fault->sentence, LB_HTML_TEXT);
    lb_doc_puts(doc, "</strong><dl class=\"lines\">");
    put_where(doc, fault);
    put_line(doc, "Only where", fault->condition);
    put_counts(doc, fault);
    for (size_t i = 0; i < fault->other_count && i < 3; i++) {
        put_line(doc, "Or", fault->others[i]);
    }
    put_line(doc, "Specification", fault->section);
    put_line(doc, "Look for", fault->look_for);
    for (size_t i = 0; i < fault->fact_count; i++) {
        put_line(doc, "Known", fault->facts[i]);
    }
    lb_doc_puts(doc, "<div><dt>Smallest case</dt><dd>");
    lb_html_code(doc, fault->id);
    lb_doc_char(doc, ' ');
    lb_escape_html(doc, fault->differs, LB_HTML_TEXT);
    lb_doc_puts(doc, "</dd></div></dl><p><code>");
    lb_escape_html(doc, fault->reproduce, LB_HTML_SHELL);
    lb_doc_puts(doc, "</code></p></li>\n");
}

void lb_html_causes(lb_html *page)
{
    if (page->info->fault_count == 0) {
        return;
    }
    lb_html_section(&page->doc, "causes", "Causes");
    lb_doc_puts(&page->doc, "<ol>\n");
    for (size_t i = 0; i < page->info->fault_count; i++) {
        put_cause(&page->doc, &page->info->faults[i]);
    }
    lb_doc_puts(&page->doc, "</ol></section>\n");
}
