/* Faults found, on the page: in short on its first screen, with all that is known before the
 * failing cases. */
#include "html_parts.h"

#include "causes.h"
#include "escape.h"

enum { FIRST_SHOWN = 6 };

static void put_line(lb_doc *doc, const char *label, const char *text)
{
    if (text[0] == '\0')
        return;
    lb_doc_printf(doc, "<div><dt>%s</dt><dd>", label);
    lb_escape_html(doc, text, LB_HTML_TEXT);
    lb_doc_puts(doc, "</dd></div>");
}

static void put_sentence(lb_doc *doc, const lb_found_fault *fault)
{
    lb_doc_puts(doc, lb_certainty_hedge(fault->certainty));
    lb_escape_html(doc, fault->sentence, LB_HTML_TEXT);
}

static void put_place(lb_doc *doc, const lb_found_fault *fault)
{
    if (fault->function[0] != '\0') {
        lb_html_name(doc, fault->function);
    } else {
        lb_doc_printf(doc, "%u functions", fault->functions);
        lb_doc_puts(doc, fault->family[0] != '\0' ? " of " : "");
        lb_escape_html(doc, fault->family, LB_HTML_NAME);
    }
}

static void put_counts(lb_doc *doc, const lb_found_fault *fault)
{
    lb_doc_puts(doc, "<div><dt>Failing results</dt><dd>");
    lb_doc_grouped(doc, fault->results);
    if (fault->certainty != LB_CERTAIN_UNKNOWN && fault->explained > 0) {
        lb_doc_puts(doc, ", of which it gives ");
        lb_doc_grouped(doc, fault->explained);
        lb_doc_puts(doc, " to the last bit");
    }
    lb_doc_puts(doc, "</dd></div>");
    if (fault->against > 0) {
        lb_doc_puts(doc, "<div><dt>Against it</dt><dd>");
        lb_doc_grouped(doc, fault->against);
        lb_doc_puts(doc, "</dd></div>");
    }
}

/* ---- On the first screen ---- */

static void put_short_fault(lb_doc *doc, const lb_found_fault *fault, size_t number)
{
    lb_doc_printf(doc, "<li class=\"fail\"><div><a href=\"#fault-%zu\">", number + 1);
    put_sentence(doc, fault);
    lb_doc_puts(doc, "</a><p class=\"quiet\">");
    lb_doc_grouped(doc, fault->results);
    lb_doc_puts(doc, fault->results == 1 ? " failing result, in " : " failing results, in ");
    put_place(doc, fault);
    lb_doc_puts(doc, "</p></div></li>\n");
}

/* Without a diagnosis: the functions with the most failures. */
static void put_short_group(lb_doc *doc, const lb_failure_group *group)
{
    const lb_function_facts *function = group->function;
    uint64_t failed = lb_tally_failed(&function->tally);
    lb_doc_printf(doc, "<li class=\"%s\">", lb_verdict_name(function->first_verdict));
    lb_html_icon(doc, lb_verdict_name(function->first_verdict));
    lb_doc_printf(doc, "<div><a href=\"#f%zu\">", function->number);
    lb_html_name(doc, function->name);
    lb_doc_puts(doc, "</a><p>");
    lb_escape_html(doc, function->first_reason, LB_HTML_TEXT);
    lb_doc_puts(doc, "</p><p class=\"quiet\">");
    lb_doc_grouped(doc, failed);
    lb_doc_puts(doc, " of ");
    lb_doc_grouped(doc, lb_tally_total(&function->tally));
    lb_doc_puts(doc, failed == 1 ? " results is wrong</p></div></li>\n"
                                 : " results are wrong</p></div></li>\n");
}

/* What has no cause. */
static void put_rest(lb_html *page)
{
    lb_doc rest = lb_doc_make();
    lb_causes_put_rest(&rest, page->info);
    lb_doc_char(&rest, '\0');
    if (rest.length > 1) {
        lb_doc_puts(&page->doc, "<p>");
        lb_escape_html(&page->doc, rest.text, LB_HTML_TEXT);
        lb_doc_puts(&page->doc, ".</p>\n");
    }
    lb_doc_free(&rest);
}

void lb_html_found(lb_html *page)
{
    lb_doc *doc = &page->doc;
    size_t all = page->info->fault_count > 0 ? page->info->fault_count : page->failures->count;
    bool diagnosed = page->info->fault_count > 0;
    lb_html_section(doc, "first", diagnosed ? "Faults found" : "Look at first");
    lb_doc_puts(doc, diagnosed ? "<p>What explains the failures, the most first.</p>\n"
                               : "<p>The functions with the most failures.</p>\n");
    lb_doc_puts(doc, "<ol class=\"first\">\n");
    for (size_t i = 0; i < all && i < FIRST_SHOWN; i++)
        if (diagnosed)
            put_short_fault(doc, &page->info->faults[i], i);
        else
            put_short_group(doc, &page->failures->groups[i]);
    lb_doc_puts(doc, "</ol>\n");
    if (!diagnosed)
        put_rest(page);
    if (all > FIRST_SHOWN) {
        lb_doc_printf(doc, "<p><a href=\"#%s\">%zu more</a></p>\n",
                      diagnosed ? "faults" : "failures", all - FIRST_SHOWN);
    }
    lb_doc_puts(doc, "</section>\n");
}

/* ---- All that is known ---- */

static void put_smallest(lb_doc *doc, const lb_found_fault *fault)
{
    lb_doc_puts(doc, "<div><dt>Smallest case</dt><dd>");
    lb_html_code(doc, fault->id);
    lb_doc_puts(doc, " <span class=\"profile\">");
    lb_escape_html(doc, fault->profile, LB_HTML_NAME);
    lb_doc_puts(doc, "</span> ");
    lb_escape_html(doc, fault->differs, LB_HTML_TEXT);
    lb_doc_puts(doc, "</dd></div>");
}

static void put_fault(lb_doc *doc, const lb_found_fault *fault, size_t number)
{
    lb_doc_printf(doc, "<article class=\"case fail\" id=\"fault-%zu\"><h3>", number + 1);
    put_sentence(doc, fault);
    lb_doc_puts(doc, "</h3><dl class=\"lines\"><div><dt>In</dt><dd>");
    put_place(doc, fault);
    lb_doc_puts(doc, "</dd></div>");
    put_line(doc, "Only where", fault->condition);
    put_counts(doc, fault);
    for (size_t i = 0; i < fault->other_count && i < 3; i++)
        put_line(doc, "Or", fault->others[i]);
    put_line(doc, "Look for", fault->look_for);
    for (size_t i = 0; i < fault->fact_count; i++)
        put_line(doc, "Known", fault->facts[i]);
    put_line(doc, "Specification", fault->section);
    put_smallest(doc, fault);
    lb_doc_puts(doc, "</dl>\n");
    lb_html_steps(doc, fault->explanation);
    lb_html_shell(doc, "To reproduce", fault->reproduce);
    lb_html_shell(doc, "To explain", fault->explain);
    lb_doc_puts(doc, "<p class=\"more\"><a href=\"#all\" data-c=\"");
    lb_escape_html(doc, fault->name, LB_HTML_TEXT);
    lb_doc_puts(doc, "\" data-v=\"fe\">Its failing results</a></p></article>\n");
}

void lb_html_causes(lb_html *page)
{
    if (page->info->fault_count == 0)
        return;
    lb_html_section(&page->doc, "faults", "Faults");
    for (size_t i = 0; i < page->info->fault_count; i++)
        put_fault(&page->doc, &page->info->faults[i], i);
    put_rest(page);
    lb_doc_puts(&page->doc, "</section>\n");
}
