/* A diagnosis for people: see text.h. */
#include "harness/diagnose/text.h"
#include "harness/base/terminal.h"
#include "reports/causes.h"
#include "reports/escape.h"

#include <inttypes.h>

static void line(lb_doc *doc, const char *head, const char *text)
{
    if (!text || !text[0])
        return;
    lb_doc_printf(doc, "   %s", head);
    lb_escape_line(doc, text);
    lb_doc_char(doc, '\n');
}

static void put_where(lb_doc *doc, const lb_found_fault *f)
{
    lb_doc_puts(doc, "   in ");
    if (f->function[0])
        lb_escape_line(doc, f->function);
    else if (f->family[0])
        lb_doc_printf(doc, "%u functions of %s", f->functions, f->family);
    else
        lb_doc_printf(doc, "%u functions of several families", f->functions);
    if (f->condition[0]) {
        lb_doc_puts(doc, ", only where ");
        lb_escape_line(doc, f->condition);
    }
    lb_doc_char(doc, '\n');
}

static void put_count(lb_doc *doc, const lb_found_fault *f, uint64_t failing)
{
    /* What probes show is not held against the results one by one. */
    const bool is_held = f->certainty != LB_CERTAIN_UNKNOWN && f->explained > 0;
    lb_doc_printf(doc, "   %s%" PRIu64 " of %" PRIu64 " failing results",
                  is_held ? "explains " : "", f->results, failing);
    if (is_held && f->explained < f->results)
        lb_doc_printf(doc, ", %" PRIu64 " of them to the last bit", f->explained);
    if (f->against > 0 && f->condition[0])
        lb_doc_printf(doc, "; %" PRIu64 " others, where the condition does not hold, pass",
                      f->against);
    else if (f->against > 0)
        lb_doc_printf(doc, "; %" PRIu64 " others contradict it as it stands", f->against);
    else if (is_held)
        lb_doc_puts(doc, "; nothing contradicts it");
    lb_doc_char(doc, '\n');
}

static void put_others(lb_doc *doc, const lb_found_fault *f)
{
    enum { SHOWN = 5 };
    if (f->certainty == LB_CERTAIN_SEVERAL && f->other_count == 0 && !f->condition[0])
        lb_doc_puts(doc, "   little evidence: the failing results would go with much else\n");
    for (size_t i = 0; i < f->other_count && i < SHOWN; i++)
        line(doc, i == 0 ? "or: " : "    ", f->others[i]);
    if (f->other_count > SHOWN)
        lb_doc_printf(doc, "    ... and %zu more that nothing tried tells apart\n",
                      f->other_count - SHOWN);
}

static void put_fault(lb_doc *doc, const lb_found_fault *f, size_t number, uint64_t failing)
{
    lb_doc_printf(doc, "%zu. %s", number, lb_certainty_hedge(f->certainty));
    lb_escape_line(doc, f->sentence);
    lb_doc_char(doc, '\n');
    put_where(doc, f);
    put_count(doc, f, failing);
    put_others(doc, f);
    line(doc, "specification: ", f->section);
    lb_doc_puts(doc, "   smallest case: ");
    lb_escape_line(doc, f->id);
    lb_doc_puts(doc, " [");
    lb_escape_line(doc, f->profile);
    lb_doc_puts(doc, "]\n");
    line(doc, "  ", f->differs);
    line(doc, "look for: ", f->look_for);
    for (size_t i = 0; i < f->fact_count; i++)
        line(doc, "", f->facts[i]);
    lb_doc_puts(doc, f->reproduce[0] ? LB_WHOLE_LINE : "");
    line(doc, "reproduce: ", f->reproduce);
    lb_doc_char(doc, '\n');
}

void lb_diagnosis_text(lb_doc *doc, const lb_run_info *info)
{
    lb_doc rest = lb_doc_make();
    uint64_t failing = 0;
    for (size_t i = 0; i < info->fault_count; i++)
        failing += info->faults[i].results;
    for (size_t i = 0; i < info->without_cause_count; i++)
        failing += info->without_cause[i].results;
    for (size_t i = 0; i < info->fault_count; i++)
        put_fault(doc, &info->faults[i], i + 1, failing);
    lb_causes_put_rest(&rest, info);
    if (rest.length > 0) {
        lb_doc_bytes(doc, rest.text, rest.length);
        lb_doc_puts(doc, "\n\n");
    }
    lb_doc_free(&rest);
}
