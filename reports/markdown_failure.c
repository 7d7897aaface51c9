/* One failing result in the Markdown summary: see markdown_failure.h. */
#include "markdown_failure.h"
#include "escape.h"

#include <string.h>

enum { REPRODUCE_LIMIT = 1000, SHOWN_DIFFERENCES = 3 };

static void put_code(lb_doc *doc, const char *text, size_t limit)
{
    lb_escape_code_span(doc, text, limit, false);
}

static void put_difference(lb_doc *doc, const lb_difference *difference)
{
    lb_doc_puts(doc, "- ");
    lb_escape_markdown(doc, difference->oracle, LB_MARKDOWN_NAME);
    lb_doc_puts(doc, ", ");
    lb_escape_markdown(doc, lb_differs_name(difference->what), LB_MARKDOWN_NAME);
    lb_doc_puts(doc, difference->role[0] != '\0' ? " of " : "");
    put_code(doc, difference->role, LB_MARKDOWN_NAME);
    lb_doc_puts(doc, difference->field[0] != '\0' ? " field " : "");
    put_code(doc, difference->field, LB_MARKDOWN_NAME);
    lb_doc_puts(doc, difference->index[0] != '\0' ? " at " : "");
    put_code(doc, difference->index, LB_MARKDOWN_NAME);
    lb_doc_puts(doc, ": expected ");
    put_code(doc, difference->expected, LB_MARKDOWN_NAME);
    lb_doc_puts(doc, ", got ");
    put_code(doc, difference->got, LB_MARKDOWN_NAME);
    lb_doc_puts(doc, "; ");
    lb_doc_grouped(doc, difference->count);
    lb_doc_puts(doc, " of ");
    lb_doc_grouped(doc, difference->total);
    lb_doc_puts(doc, difference->operands[0] != '\0' ? " differ; operands " : " differ");
    put_code(doc, difference->operands, LB_MARKDOWN_NAME);
    lb_doc_char(doc, '\n');
}

static void put_status(lb_doc *doc, const lb_result *result)
{
    if (strcmp(result->status_expected, result->status_got) != 0) {
        lb_doc_puts(doc, "- status: expected ");
        put_code(doc, result->status_expected[0] != '\0' ? result->status_expected : "none",
                 LB_MARKDOWN_NAME);
        lb_doc_puts(doc, ", got ");
        put_code(doc, result->status_got[0] != '\0' ? result->status_got : "none",
                 LB_MARKDOWN_NAME);
        lb_doc_char(doc, '\n');
    }
    if (result->rule[0] != '\0') {
        lb_doc_puts(doc, "- violated rule: ");
        put_code(doc, result->rule, LB_MARKDOWN_NAME);
        lb_doc_char(doc, '\n');
    }
    if (result->diverges_at[0] != '\0') {
        lb_doc_puts(doc, "- diverges at: ");
        put_code(doc, result->diverges_at, LB_MARKDOWN_NAME);
        lb_doc_char(doc, '\n');
    }
    if (result->outlier[0] != '\0') {
        lb_doc_puts(doc, "- stands alone: ");
        put_code(doc, result->outlier, LB_MARKDOWN_NAME);
        lb_doc_char(doc, '\n');
    }
}

void lb_markdown_failure_head(lb_doc *doc, const lb_result *result)
{
    lb_doc_puts(doc, "\n**");
    lb_doc_puts(doc, result->verdict == LB_ERROR ? "Error" : "Failed");
    lb_doc_puts(doc, "** ");
    put_code(doc, result->id, LB_MARKDOWN_NAME);
    lb_doc_puts(doc, " in");
}

void lb_markdown_failure_profile(lb_doc *doc, const lb_result *result, bool same)
{
    lb_doc_char(doc, ' ');
    put_code(doc, result->profile, LB_MARKDOWN_NAME);
    lb_doc_puts(doc, same ? "" : " (other values)");
}

void lb_markdown_failure_body(lb_doc *doc, const lb_result *result)
{
    lb_doc_puts(doc, result->reason[0] != '\0' ? ": " : "");
    lb_escape_markdown(doc, result->reason, LB_MARKDOWN_TEXT);
    lb_doc_puts(doc, "\n\n");
    for (unsigned i = 0; i < result->difference_count && i < SHOWN_DIFFERENCES; i++)
        put_difference(doc, &result->differences[i]);
    if (result->difference_count > SHOWN_DIFFERENCES) {
        lb_doc_printf(doc, "- and %u more kinds of difference\n",
                      result->difference_count - SHOWN_DIFFERENCES);
    }
    put_status(doc, result);
    if (result->again[0] != '\0') {
        lb_doc_puts(doc, "- tried again: ");
        lb_escape_markdown(doc, result->again, LB_MARKDOWN_TEXT);
        lb_doc_char(doc, '\n');
    }
    lb_doc_puts(doc, "- ");
    put_code(doc, result->file, LB_MARKDOWN_TEXT);
    lb_doc_printf(doc, " line %u\n", result->line);
    if (result->reproduce[0] != '\0') {
        lb_doc_puts(doc, "- reproduce: ");
        put_code(doc, result->reproduce, REPRODUCE_LIMIT);
        lb_doc_char(doc, '\n');
    }
}
