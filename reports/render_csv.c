/* Results as a table for spreadsheets: RFC 4180 with a header line, one result a line. Of several
 * differences and tolerances the first difference and the largest error are shown; results.json
 * holds all of them. */
#include "escape.h"
#include "render.h"

#include <string.h>

static const char *const columns[] = {
    "order",
    "suite",
    "file",
    "line",
    "id",
    "function",
    "family",
    "variant",
    "profile",
    "verdict",
    "reason",
    "recorded",
    "exact",
    "real",
    "outlier",
    "rule",
    "microseconds",
    "status_expected",
    "status_got",
    "differences",
    "diff_oracle",
    "diff_what",
    "diff_role",
    "diff_field",
    "diff_index",
    "diff_operands",
    "diff_expected",
    "diff_got",
    "diff_count",
    "diff_total",
    "tolerance_role",
    "elements",
    "max_steps",
    "mean_steps",
    "rms_steps",
    "max_real",
    "snr_db",
    "noise_ratio",
    "limit_metric",
    "limit",
    "limit_source",
    "used_percent",
    "acc_bits",
    "peak_low",
    "peak_high",
    "peak_bits",
    "headroom_bits",
    "macs",
    "overflow",
    "saturated",
    "format_bits",
    "bound_low",
    "bound_high",
    "bound_bits",
    "diverges_at",
    "vacuous",
    "cpu",
    "was",
    "waiver",
    "reproduce",
};

static void put_text(lb_doc *doc, const char *text)
{
    lb_escape_csv(doc, text, true);
    lb_doc_char(doc, ',');
}

static void put_u64(lb_doc *doc, uint64_t value)
{
    lb_doc_u64(doc, value);
    lb_doc_char(doc, ',');
}

static void put_i64(lb_doc *doc, int64_t value)
{
    lb_doc_i64(doc, value);
    lb_doc_char(doc, ',');
}

static void put_double(lb_doc *doc, double value)
{
    lb_doc_double(doc, value, 9, "");
    lb_doc_char(doc, ',');
}

static void put_empty(lb_doc *doc, unsigned cells)
{
    for (unsigned i = 0; i < cells; i++)
        lb_doc_char(doc, ',');
}

static void put_identity(lb_doc *doc, const lb_result *result)
{
    put_u64(doc, result->order);
    put_text(doc, result->suite);
    put_text(doc, result->file);
    put_u64(doc, result->line);
    put_text(doc, result->id);
    put_text(doc, result->function);
    put_text(doc, result->family);
    put_text(doc, result->variant);
    put_text(doc, result->profile);
}

static void put_judgement(lb_doc *doc, const lb_result *result)
{
    put_text(doc, lb_verdict_name(result->verdict));
    put_text(doc, result->reason);
    put_text(doc, lb_agreement_name(result->recorded));
    put_text(doc, lb_agreement_name(result->exact));
    put_text(doc, lb_agreement_name(result->real));
    put_text(doc, result->outlier);
    put_text(doc, result->rule);
    put_double(doc, result->microseconds);
    put_text(doc, result->status_expected);
    put_text(doc, result->status_got);
    put_u64(doc, result->difference_count);
}

static void put_difference(lb_doc *doc, const lb_result *result)
{
    if (result->difference_count == 0) {
        put_empty(doc, 10);
        return;
    }
    const lb_difference *difference = &result->differences[0];
    put_text(doc, difference->oracle);
    put_text(doc, lb_differs_name(difference->what));
    put_text(doc, difference->role);
    put_text(doc, difference->field);
    put_text(doc, difference->index);
    put_text(doc, difference->operands);
    put_text(doc, difference->expected);
    put_text(doc, difference->got);
    put_u64(doc, difference->count);
    put_u64(doc, difference->total);
}

static void put_tolerance(lb_doc *doc, const lb_result *result)
{
    if (result->tolerance_count == 0) {
        put_empty(doc, 12);
        return;
    }
    const lb_tolerance *largest = &result->tolerances[0];
    for (unsigned i = 1; i < result->tolerance_count; i++) {
        largest =
            result->tolerances[i].max_steps > largest->max_steps ? &result->tolerances[i] : largest;
    }
    put_text(doc, largest->role);
    put_u64(doc, largest->elements);
    put_double(doc, largest->max_steps);
    put_double(doc, largest->mean_steps);
    put_double(doc, largest->rms_steps);
    put_double(doc, largest->max_real);
    put_double(doc, largest->snr_db);
    put_double(doc, largest->noise_ratio);
    put_text(doc, largest->limit_metric);
    put_double(doc, largest->limit);
    put_text(doc, largest->limit_source);
    put_double(doc, largest->used_percent);
}

static void put_accumulator(lb_doc *doc, const lb_result *result)
{
    const lb_accumulator_use *use = &result->accumulator;
    if (use->acc_bits == 0) {
        put_empty(doc, 12);
        return;
    }
    put_i64(doc, use->acc_bits);
    put_i64(doc, use->peak_low);
    put_i64(doc, use->peak_high);
    put_i64(doc, use->peak_bits);
    put_i64(doc, (int64_t)use->acc_bits - lb_accumulator_needed(use));
    put_u64(doc, use->macs);
    put_text(doc, use->overflow);
    put_u64(doc, use->saturated);
    if (use->bound_bits == 0) {
        put_empty(doc, 4);
        return;
    }
    put_i64(doc, use->format_bits);
    put_i64(doc, use->bound_low);
    put_i64(doc, use->bound_high);
    put_i64(doc, use->bound_bits);
}

static void put_header(lb_doc *doc)
{
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        lb_doc_puts(doc, i == 0 ? "" : ",");
        lb_doc_puts(doc, columns[i]);
    }
    lb_doc_puts(doc, "\r\n");
}

bool lb_render_csv(lb_results_reader *reader, const lb_render_extras *extras, FILE *out,
                   char *error, size_t error_bytes)
{
    (void)extras;
    const lb_result *result;
    lb_doc doc = lb_doc_make();
    bool written = lb_results_rewind(reader);
    snprintf(error, error_bytes, "%s",
             written ? "" : "the results cannot be read from their start");
    put_header(&doc);
    while (written && (result = lb_results_next(reader, error, error_bytes)) != NULL) {
        put_identity(&doc, result);
        put_judgement(&doc, result);
        put_difference(&doc, result);
        put_tolerance(&doc, result);
        put_accumulator(&doc, result);
        put_text(&doc, result->diverges_at);
        put_text(&doc, result->vacuous);
        put_text(&doc, result->cpu);
        put_text(&doc, result->was);
        put_text(&doc, result->waiver);
        lb_escape_csv(&doc, result->reproduce, true);
        lb_doc_puts(&doc, "\r\n");
        written = lb_doc_flush_full(&doc, out);
    }
    written = lb_doc_flush(&doc, out) && written;
    if (!written && error[0] == '\0')
        snprintf(error, error_bytes, "out of memory, or the document cannot be written");
    lb_doc_free(&doc);
    return written && error[0] == '\0';
}
