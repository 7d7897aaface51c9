/* Causes of failures in the Markdown summary: see markdown_causes.h. */
#include "markdown_causes.h"

#include "causes.h"
#include "escape.h"

enum { TEXT_LIMIT = 400, NAME_LIMIT = 120, SHOWN_FACTS = 4 };

static void put_where(lb_doc *doc, const lb_found_fault *fault)
{
    lb_doc_puts(doc, " in ");
    if (fault->function[0] != '\0') {
        lb_escape_code_span(doc, fault->function, NAME_LIMIT, false);
    } else {
        lb_doc_printf(doc, "%u functions", fault->functions);
        lb_doc_puts(doc, fault->family[0] != '\0' ? " of " : "");
        lb_escape_markdown(doc, fault->family, NAME_LIMIT);
    }
    if (fault->condition[0] != '\0') {
        lb_doc_puts(doc, ", only where ");
        lb_escape_markdown(doc, fault->condition, TEXT_LIMIT);
    }
}

static void put_item(lb_doc *doc, const char *label, const char *text)
{
    if (text[0] != '\0') {
        lb_doc_printf(doc, "   - %s", label);
        lb_escape_markdown(doc, text, TEXT_LIMIT);
        lb_doc_char(doc, '\n');
    }
}

static void put_cause(lb_doc *doc, const lb_found_fault *fault)
{
    lb_doc_printf(doc, "1. %s**", lb_certainty_hedge(fault->certainty));
    lb_escape_markdown(doc, fault->sentence, TEXT_LIMIT);
    lb_doc_puts(doc, "**");
    put_where(doc, fault);
    lb_doc_puts(doc, ": ");
    lb_doc_grouped(doc, fault->results);
    lb_doc_puts(doc, " failing results\n");
    put_item(doc, "or: ", fault->other_count > 0 ? fault->others[0] : "");
    put_item(doc, "specification: ", fault->section);
    put_item(doc, "look for: ", fault->look_for);
    for (size_t i = 0; i < fault->fact_count && i < SHOWN_FACTS; i++)
        put_item(doc, "", fault->facts[i]);
    lb_doc_puts(doc, "   - smallest case: ");
    lb_escape_code_span(doc, fault->id, NAME_LIMIT, false);
    lb_doc_puts(doc, ": ");
    lb_escape_markdown(doc, fault->differs, TEXT_LIMIT);
    lb_doc_char(doc, '\n');
    if (fault->reproduce[0] != '\0') {
        lb_doc_puts(doc, "   - reproduce: ");
        lb_escape_code_span(doc, fault->reproduce, TEXT_LIMIT, false);
        lb_doc_char(doc, '\n');
    }
}

void lb_markdown_causes(lb_doc *doc, const lb_run_info *info)
{
    lb_doc rest = lb_doc_make();
    if (info->fault_count > 0)
        lb_doc_puts(doc, "\n### Causes\n\n");
    for (size_t i = 0; i < info->fault_count; i++)
        put_cause(doc, &info->faults[i]);
    lb_causes_put_rest(&rest, info);
    lb_doc_char(&rest, '\0');
    if (rest.length > 1) {
        lb_doc_char(doc, '\n');
        lb_escape_markdown(doc, rest.text, TEXT_LIMIT);
        lb_doc_puts(doc, ".\n");
    }
    lb_doc_free(&rest);
}
