/* TAP 14: a test point a result, in the order of the run; a YAML block under what failed. */
#include "escape.h"
#include "render.h"
#include "scope.h"

#include <string.h>

/* A description or a reason: a number sign would begin a directive, a backslash an escape. */
static void put_text(lb_doc *doc, const char *text)
{
    lb_doc line = lb_doc_make();
    lb_escape_line(&line, text);
    for (size_t i = 0; i < line.length; i++) {
        lb_doc_puts(doc, line.text[i] == '#' || line.text[i] == '\\' ? "\\" : "");
        lb_doc_char(doc, line.text[i]);
    }
    doc->failed = doc->failed || line.failed;
    lb_doc_free(&line);
}

/* JSON strings are YAML strings. */
static void put_member(lb_doc *doc, const char *key, const char *text)
{
    if (text[0] != '\0') {
        lb_doc_printf(doc, "    %s: ", key);
        lb_escape_json(doc, text);
        lb_doc_char(doc, '\n');
    }
}

static void put_details(lb_doc *doc, const lb_result *result)
{
    lb_doc_puts(doc, "  ---\n");
    lb_doc_printf(doc, "  severity: %s\n", result->verdict == LB_ERROR ? "error" : "fail");
    lb_doc_puts(doc, "  message: ");
    lb_escape_json(doc, result->reason);
    lb_doc_puts(doc, "\n  at:\n");
    put_member(doc, "file", result->file);
    lb_doc_printf(doc, "    line: %u\n", result->line);
    lb_doc_puts(doc, "  data:\n");
    put_member(doc, "function", result->function);
    put_member(doc, "kind", lb_result_kind(result));
    put_member(doc, "fault", result->fault);
    put_member(doc, "specification", result->section);
    if (result->difference_count > 0) {
        put_member(doc, "index", result->differences[0].index);
        put_member(doc, "expected", result->differences[0].expected);
        put_member(doc, "got", result->differences[0].got);
    }
    lb_doc_puts(doc, "    profile: ");
    lb_escape_json(doc, result->profile);
    lb_doc_char(doc, '\n');
    put_member(doc, "reproduce", result->reproduce);
    lb_doc_puts(doc, "  ...\n");
}

static void put_point(lb_doc *doc, const lb_result *result, uint64_t number)
{
    bool failed = result->verdict == LB_FAIL || result->verdict == LB_ERROR;
    lb_doc_puts(doc, failed || result->verdict == LB_WAIVED ? "not ok " : "ok ");
    lb_doc_u64(doc, number);
    lb_doc_puts(doc, " - ");
    put_text(doc, result->id);
    lb_doc_puts(doc, " [");
    put_text(doc, result->profile);
    lb_doc_char(doc, ']');
    if (result->verdict == LB_SKIP || result->verdict == LB_WAIVED) {
        lb_doc_puts(doc, result->verdict == LB_SKIP ? " # SKIP "
                                                    : " # TO"
                                                      "DO waived: ");
        put_text(doc, lb_result_excuse(result));
    }
    lb_doc_char(doc, '\n');
    if (failed)
        put_details(doc, result);
}

bool lb_render_tap(lb_results_reader *reader, const lb_render_extras *extras, FILE *out,
                   char *error, size_t error_bytes)
{
    const lb_result *result;
    const lb_tally *tally = lb_results_tally(reader);
    const lb_run_info *info = lb_results_info(reader);
    const bool is_short = lb_run_is_short(info, tally);
    uint64_t number = 0;
    lb_doc doc = lb_doc_make();
    (void)extras;
    bool written = lb_results_rewind(reader);
    snprintf(error, error_bytes, "%s",
             written ? "" : "the results cannot be read from their start");
    lb_doc_puts(&doc, "TAP version 14\n1..");
    lb_doc_u64(&doc, is_short && info->expected != LB_EXPECTED_UNKNOWN ? info->expected
                                                                       : lb_tally_total(tally));
    lb_doc_char(&doc, '\n');
    while (written && (result = lb_results_next(reader, error, error_bytes)) != NULL) {
        put_point(&doc, result, ++number);
        written = lb_doc_flush_full(&doc, out);
    }
    if (is_short) {
        lb_doc_puts(&doc, "Bail out! ");
        lb_scope_short(info, tally, &doc);
        lb_doc_char(&doc, '\n');
    }
    written = lb_doc_flush(&doc, out) && written;
    if (!written && error[0] == '\0')
        snprintf(error, error_bytes, "out of memory, or the document cannot be written");
    lb_doc_free(&doc);
    return written && error[0] == '\0';
}
