/* The comparison of two runs for a merge request: what changed, in Markdown. */
#include "diff.h"

#include "escape.h"

#include <ctype.h>

static void put_run(lb_doc *doc, const char *letter, lb_results_reader *reader)
{
    const lb_run_info *info = lb_results_info(reader);
    const lb_tally *tally = lb_results_tally(reader);
    lb_doc_printf(doc, "| %s | ", letter);
    lb_escape_code_span(doc, info->port, 160, true);
    lb_doc_puts(doc, " | ");
    lb_escape_markdown(doc, info->started, 40);
    lb_doc_puts(doc, " | ");
    lb_doc_grouped(doc, lb_tally_passed(tally));
    lb_doc_puts(doc, " | ");
    lb_doc_grouped(doc, lb_tally_failed(tally));
    lb_doc_puts(doc, " | ");
    lb_doc_grouped(doc, lb_tally_skipped(tally));
    lb_doc_puts(doc, " |\n");
}

/* Lines as code: what stands four blanks in means nothing in Markdown, whatever it is. */
static void put_lines(lb_doc *doc, const char *text, size_t length)
{
    for (size_t at = 0, end; at < length; at = end + 1) {
        end = at;
        while (end < length && text[end] != '\n')
            end++;
        lb_doc_puts(doc, "    ");
        lb_doc_bytes(doc, text + at, end - at);
        lb_doc_char(doc, '\n');
    }
}

static void put_list(const lb_diff *diff, lb_doc *doc, lb_change change)
{
    const lb_change_list *list = &diff->lists[change];
    const char *title = lb_change_title(change);
    if (list->count == 0)
        return;
    bool open = change == LB_NEWLY_FAILING;
    lb_doc_puts(doc, open ? "\n<details open>" : "\n<details>");
    lb_doc_printf(doc, "<summary>%c%s: ", toupper((unsigned char)title[0]), title + 1);
    lb_doc_grouped(doc, list->count);
    lb_doc_puts(doc, "</summary>\n\n");
    put_lines(doc, list->lines.text.text, list->lines.text.length);
    if (list->count > list->lines.results) {
        lb_doc_puts(doc, "\nand ");
        lb_doc_grouped(doc, list->count - list->lines.results);
        lb_doc_puts(doc, " more\n");
    }
    lb_doc_puts(doc, "\n</details>\n");
}

void lb_diff_put_markdown(const lb_diff *diff, lb_doc *doc)
{
    uint64_t failing = diff->lists[LB_NEWLY_FAILING].count, all = 0;
    lb_doc notes = lb_doc_make();
    for (int i = 0; i < LB_CHANGE_COUNT; i++)
        all += diff->lists[i].count;
    lb_doc_puts(doc, failing > 0 ? "### ❌ lastbit: " : "### ✅ lastbit: ");
    if (failing > 0) {
        lb_doc_grouped(doc, failing);
        lb_doc_puts(doc, failing == 1 ? " result newly fails" : " results newly fail");
    } else {
        lb_doc_puts(doc, all == 0 ? "no difference between the results" : "nothing newly fails");
    }
    lb_doc_puts(
        doc, "\n\n| | Port | Started | Passed | Failed | Skipped |\n|---|---|---|--:|--:|--:|\n");
    put_run(doc, "A, before", diff->a);
    put_run(doc, "B, after", diff->b);
    for (int i = 0; i < LB_CHANGE_COUNT; i++)
        put_list(diff, doc, (lb_change)i);
    lb_diff_put_notes(lb_results_info(diff->a), lb_results_info(diff->b), &notes);
    if (notes.length > 0) {
        lb_doc_puts(doc, "\n<details><summary>What was not the same</summary>\n\n");
        put_lines(doc, notes.text, notes.length);
        lb_doc_puts(doc, "\n</details>\n");
    }
    doc->failed = doc->failed || notes.failed;
    lb_doc_free(&notes);
}
