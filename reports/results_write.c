/* results.json, written: one result as a line of JSON, and the head and tail that make a stream of
 * such lines one valid JSON document. */
#include "causes.h"
#include "doc.h"
#include "escape.h"
#include "results.h"
#include "results_members.h"
#include "results_parts.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_LINE_BYTES = 1 << 16, MAX_LINE_BYTES = 1 << 28 };

static bool has_accumulator(const lb_accumulator_use *use)
{
    return use->acc_bits != 0 || use->peak_bits != 0 || use->peak_low != 0 || use->peak_high != 0 ||
           use->macs != 0 || use->saturated != 0;
}

static void write_object(lb_doc *doc, const lb_members *members, const void *base)
{
    lb_doc_char(doc, '{');
    lb_members_write(members, base, doc);
    lb_doc_char(doc, '}');
}

static void write_lists(lb_doc *doc, const lb_result *result)
{
    for (unsigned i = 0; i < result->difference_count && i < LB_MAX_DIFFERENCES; i++) {
        lb_doc_puts(doc, i == 0 ? ",\"differences\":[" : ",");
        write_object(doc, &lb_difference_members, &result->differences[i]);
    }
    lb_doc_puts(doc, result->difference_count > 0 ? "]" : "");
    for (unsigned i = 0; i < result->tolerance_count && i < LB_MAX_TOLERANCES; i++) {
        lb_doc_puts(doc, i == 0 ? ",\"tolerances\":[" : ",");
        write_object(doc, &lb_tolerance_members, &result->tolerances[i]);
    }
    lb_doc_puts(doc, result->tolerance_count > 0 ? "]" : "");
}

size_t lb_result_to_json(const lb_result *result, char *text, size_t text_bytes)
{
    lb_doc doc = lb_doc_in(text, text_bytes);
    lb_doc_char(&doc, '{');
    lb_members_write(&lb_result_members, result, &doc);
    write_lists(&doc, result);
    if (has_accumulator(&result->accumulator)) {
        lb_doc_puts(&doc, ",\"accumulator\":");
        write_object(&doc, &lb_accumulator_members, &result->accumulator);
    }
    lb_doc_bytes(&doc, "}", 2); /* and the end of the string */
    return doc.failed ? 0 : doc.length - 1;
}

static void write_names(lb_doc *doc, const char *key, const char *const *names, size_t count)
{
    lb_doc_printf(doc, ",\"%s\":[", key);
    for (size_t i = 0; i < count; i++) {
        lb_doc_puts(doc, i == 0 ? "" : ",");
        lb_escape_json(doc, names[i]);
    }
    lb_doc_char(doc, ']');
}

static void write_run(lb_doc *doc, const lb_run_info *info)
{
    lb_doc_puts(doc, "\"run\":{");
    lb_members_write(&lb_run_members, info, doc);
    for (size_t i = 0; i < LB_CHOICE_LISTS; i++) {
        const lb_words *words = lb_chosen_words(&info->chosen, i);
        if (words->count > 0)
            write_names(doc, lb_choice_lists[i].key, words->list, words->count);
    }
    write_names(doc, "profiles", info->profiles, info->profile_count);
    if (info->profile_file_count > 0)
        write_names(doc, "profile_files", info->profile_files, info->profile_file_count);
    lb_doc_puts(doc, "},\n");
}

/* A list at a key of the head, one object a line; nothing where it is empty. */
static void open_list(lb_doc *doc, const char *key, size_t count)
{
    if (count > 0)
        lb_doc_printf(doc, "\"%s\":[\n", key);
}

static void close_item(lb_doc *doc, size_t index, size_t count)
{
    lb_doc_puts(doc, index + 1 < count ? "},\n" : "}\n],\n");
}

/* Files beside the suites, and what the user says of the product. */
static void write_files(lb_doc *doc, const lb_run_info *info)
{
    open_list(doc, "files", info->file_count);
    for (size_t i = 0; i < info->file_count; i++) {
        lb_doc_char(doc, '{');
        lb_members_write(&lb_file_members, &info->files[i], doc);
        close_item(doc, i, info->file_count);
    }
    open_list(doc, "meta", info->meta_count);
    for (size_t i = 0; i < info->meta_count; i++) {
        lb_doc_char(doc, '{');
        lb_members_write(&lb_meta_members, &info->meta[i], doc);
        close_item(doc, i, info->meta_count);
    }
}

static void write_suites(lb_doc *doc, const lb_run_info *info)
{
    lb_doc_puts(doc, "\"suites\":[\n");
    for (size_t i = 0; i < info->suite_count; i++) {
        write_object(doc, &lb_suite_members, &info->suites[i]);
        lb_doc_puts(doc, i + 1 < info->suite_count ? ",\n" : "\n");
    }
    lb_doc_puts(doc, "],\n");
}

static void write_coverage(lb_doc *doc, const lb_run_info *info)
{
    open_list(doc, "coverage", info->coverage_count);
    for (size_t i = 0; i < info->coverage_count; i++) {
        const lb_coverage *coverage = &info->coverage[i];
        lb_doc_char(doc, '{');
        lb_members_write(&lb_coverage_members, coverage, doc);
        for (size_t m = 0; m < coverage->missed_count; m++) {
            lb_doc_puts(doc, m == 0 ? ",\"missed\":[" : ",");
            lb_escape_json(doc, coverage->missed[m]);
        }
        lb_doc_puts(doc, coverage->missed_count > 0 ? "]" : "");
        for (size_t u = 0; u < coverage->unreachable_count; u++) {
            lb_doc_puts(doc, u == 0 ? ",\"unreachable\":[" : ",");
            write_object(doc, &lb_unreachable_members, &coverage->unreachable[u]);
        }
        lb_doc_puts(doc, coverage->unreachable_count > 0 ? "]" : "");
        close_item(doc, i, info->coverage_count);
    }
}

static void write_figures(lb_doc *doc, const lb_run_info *info)
{
    open_list(doc, "lines", info->lines_count);
    for (size_t i = 0; i < info->lines_count; i++) {
        lb_doc_char(doc, '{');
        lb_members_write(&lb_line_coverage_members, &info->lines[i], doc);
        close_item(doc, i, info->lines_count);
    }
    open_list(doc, "drift", info->drift_count);
    for (size_t i = 0; i < info->drift_count; i++) {
        lb_doc_char(doc, '{');
        lb_members_write(&lb_drift_members, &info->drift[i], doc);
        close_item(doc, i, info->drift_count);
    }
    open_list(doc, "speed", info->speed_count);
    for (size_t i = 0; i < info->speed_count; i++) {
        lb_doc_char(doc, '{');
        lb_members_write(&lb_speed_members, &info->speed[i], doc);
        close_item(doc, i, info->speed_count);
    }
}

static void write_texts(lb_doc *doc, const char *key, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        lb_doc_printf(doc, i == 0 ? ",\"%s\":[" : ",", key);
        lb_escape_json(doc, texts[i]);
    }
    lb_doc_puts(doc, count > 0 ? "]" : "");
}

void lb_results_put_text(lb_doc *doc, const char *text)
{
    lb_escape_json(doc, text);
}

/* The word of all documents, without the colon. */
static void put_hedge(lb_doc *doc, lb_certainty certainty)
{
    const char *hedge = lb_certainty_hedge(certainty);
    if (hedge[0])
        lb_doc_printf(doc, ",\"hedge\":\"%.*s\"", (int)strlen(hedge) - 2, hedge);
}

void lb_results_put_faults(lb_doc *doc, const lb_found_fault *faults, size_t count)
{
    lb_doc_char(doc, '[');
    for (size_t i = 0; i < count; i++) {
        lb_doc_puts(doc, i == 0 ? "\n{" : ",\n{");
        lb_members_write(&lb_fault_members, &faults[i], doc);
        put_hedge(doc, faults[i].certainty);
        write_texts(doc, "others", faults[i].others, faults[i].other_count);
        write_texts(doc, "facts", faults[i].facts, faults[i].fact_count);
        lb_doc_char(doc, '}');
    }
    lb_doc_char(doc, ']');
}

void lb_results_put_without_cause(lb_doc *doc, const lb_without_cause *list, size_t count)
{
    lb_doc_char(doc, '[');
    for (size_t i = 0; i < count; i++) {
        lb_doc_puts(doc, i == 0 ? "{" : ",{");
        lb_members_write(&lb_without_cause_members, &list[i], doc);
        lb_doc_char(doc, '}');
    }
    lb_doc_char(doc, ']');
}

static void write_faults(lb_doc *doc, const lb_run_info *info)
{
    if (info->fault_count > 0) {
        lb_doc_puts(doc, "\"faults\":");
        lb_results_put_faults(doc, info->faults, info->fault_count);
        lb_doc_puts(doc, ",\n");
    }
    if (info->without_cause_count > 0) {
        lb_doc_puts(doc, "\"without_cause\":");
        lb_results_put_without_cause(doc, info->without_cause, info->without_cause_count);
        lb_doc_puts(doc, ",\n");
    }
}

void lb_results_put_environment(lb_doc *doc, const lb_run_info *info, const char *made_by,
                                const char *const *stated, size_t stated_count)
{
    lb_doc_puts(doc, "{\"format\":\"lastbit/environment-1\",\n\"packaged_by\":");
    lb_escape_json(doc, made_by);
    lb_doc_puts(doc, ",\n");
    for (size_t i = 0; i < stated_count; i++) {
        lb_doc_puts(doc, i == 0 ? "\"stated\":[" : ",");
        lb_escape_json(doc, stated[i]);
        lb_doc_puts(doc, i + 1 == stated_count ? "],\n" : "");
    }
    write_run(doc, info);
    write_suites(doc, info);
    write_files(doc, info);
    lb_doc_puts(doc, "\"end\":true}\n");
}

void lb_results_put_coverage(lb_doc *doc, const lb_run_info *info)
{
    lb_doc_puts(doc, "{\"format\":\"lastbit/coverage-1\",\n");
    write_coverage(doc, info);
    write_figures(doc, info);
    lb_doc_puts(doc, "\"end\":true}\n");
}

static void write_tally(lb_doc *doc, const lb_tally *tally)
{
    lb_doc_puts(doc, "\"tally\":{");
    for (int i = 0; i < LB_VERDICT_COUNT; i++) {
        lb_doc_printf(doc, "%s\"%s\":", i == 0 ? "" : ",", lb_verdict_name((lb_verdict)i));
        lb_doc_u64(doc, tally->count[i]);
    }
    lb_doc_puts(doc, "},\n");
}

bool lb_results_write_head(FILE *file, const lb_run_info *info, const lb_tally *tally)
{
    lb_doc doc = lb_doc_make();
    lb_doc_puts(&doc, "{\"format\":\"" LB_RESULTS_FORMAT "\",\n");
    write_run(&doc, info);
    write_suites(&doc, info);
    write_files(&doc, info);
    write_coverage(&doc, info);
    write_figures(&doc, info);
    write_faults(&doc, info);
    write_tally(&doc, tally);
    lb_doc_puts(&doc, "\"results\":[");
    bool written = lb_doc_flush(&doc, file);
    lb_doc_free(&doc);
    return written;
}

bool lb_results_write_bare(FILE *file, const char *json, size_t length, const char *fault,
                           const char *explanation)
{
    const char *const parts[][2] = {{"fault", fault}, {"explanation", explanation}};
    if (!fault && !explanation)
        return fwrite(json, 1, length, file) == length;
    lb_doc doc = lb_doc_make();
    lb_doc_bytes(&doc, json, length - 1); /* without the brace that closes the object */
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (parts[i][1]) {
            lb_doc_printf(&doc, ",\"%s\":", parts[i][0]);
            lb_escape_json(&doc, parts[i][1]);
        }
    }
    lb_doc_char(&doc, '}');
    bool written = lb_doc_flush(&doc, file);
    lb_doc_free(&doc);
    return written;
}

bool lb_results_write_line_of(FILE *file, const char *json, size_t length, bool first,
                              const char *fault, const char *explanation)
{
    return fputs(first ? "\n" : ",\n", file) >= 0 &&
           lb_results_write_bare(file, json, length, fault, explanation);
}

bool lb_results_write_line(FILE *file, const char *json, size_t length, bool first)
{
    return lb_results_write_line_of(file, json, length, first, NULL, NULL);
}

bool lb_results_write_result(FILE *file, const lb_result *result, bool first, char **line,
                             size_t *line_bytes)
{
    size_t length = !*line ? 0 : lb_result_to_json(result, *line, *line_bytes);
    while (length == 0 && *line_bytes < MAX_LINE_BYTES) {
        size_t bytes = !*line ? FIRST_LINE_BYTES : *line_bytes * 2;
        char *more = realloc(*line, bytes);
        if (!more)
            return false;
        *line = more;
        *line_bytes = bytes;
        length = lb_result_to_json(result, *line, *line_bytes);
    }
    return length > 0 && lb_results_write_line(file, *line, length, first);
}

bool lb_results_write_tail(FILE *file)
{
    return fputs("\n]}\n", file) >= 0;
}
