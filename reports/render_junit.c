/* JUnit XML, in the subset that Ant's schema and Jenkins' share: one testsuite per suite, one
 * testcase per result, failures and errors apart, reasons of what was skipped, what was tested as
 * properties. */
#include "annotations.h"
#include "causes.h"
#include "escape.h"
#include "explanation.h"
#include "failures.h"
#include "names.h"
#include "render.h"
#include "renderer.h"
#include "scope.h"
#include "spool.h"
#include "tested.h"

#include <stdlib.h>
#include <string.h>

typedef struct suite_sums {
    const char *name; /* the end of its key */
    lb_tally tally;
    double seconds;
} suite_sums;

/* The failure that was told last: further profiles in which the same is seen have its message, and
 * point to it in place of telling it again. */
typedef struct told_failure {
    lb_doc identity, message; /* the message is escaped already */
    char profile[200];
} told_failure;

typedef struct junit {
    const lb_run_info *info;
    const lb_tally *tally;
    lb_names keys; /* "FILE\nNAME" of each suite: two files may hold suites of one name */
    suite_sums *suites;
    size_t room;
    lb_spool *cases; /* a stream for each suite */
    told_failure told;
} junit;

static void put_attribute(lb_doc *doc, const char *name, const char *value)
{
    lb_doc_char(doc, ' ');
    lb_doc_puts(doc, name);
    lb_doc_puts(doc, "=\"");
    lb_escape_xml(doc, value, 0);
    lb_doc_char(doc, '"');
}

static void put_count(lb_doc *doc, const char *name, uint64_t value)
{
    lb_doc_char(doc, ' ');
    lb_doc_puts(doc, name);
    lb_doc_puts(doc, "=\"");
    lb_doc_u64(doc, value);
    lb_doc_char(doc, '"');
}

static void put_seconds(lb_doc *doc, double seconds)
{
    /* Schemas take no exponent; a year is more than any run takes. */
    lb_doc_printf(doc, " time=\"%.6f\"", seconds >= 0 && seconds < 3.2e7 ? seconds : 0.0);
}

/* ---- One result ---- */

static void put_labelled(lb_doc *doc, const char *label, const char *text)
{
    if (text[0] != '\0') {
        lb_doc_puts(doc, label);
        lb_escape_xml(doc, text, 0);
        lb_doc_char(doc, '\n');
    }
}

static void put_difference(lb_doc *doc, const lb_difference *difference)
{
    lb_escape_xml(doc, difference->oracle, 0);
    lb_doc_puts(doc, ": ");
    lb_escape_xml(doc, lb_differs_name(difference->what), 0);
    lb_doc_puts(doc, difference->role[0] != '\0' ? " of " : "");
    lb_escape_xml(doc, difference->role, 0);
    lb_doc_puts(doc, difference->field[0] != '\0' ? " " : "");
    lb_escape_xml(doc, difference->field, 0);
    if (difference->index[0] != '\0') {
        lb_doc_puts(doc, " [");
        lb_escape_xml(doc, difference->index, 0);
        lb_doc_char(doc, ']');
    }
    lb_doc_puts(doc, ": expected ");
    lb_escape_xml(doc, difference->expected, 0);
    lb_doc_puts(doc, ", got ");
    lb_escape_xml(doc, difference->got, 0);
    lb_doc_puts(doc, " (");
    lb_doc_u64(doc, difference->count);
    lb_doc_puts(doc, " of ");
    lb_doc_u64(doc, difference->total);
    lb_doc_puts(doc, " differ)\n");
    put_labelled(doc, "  operands: ", difference->operands);
}

/* Every step behind the element that differs, of the simplest case of a function or a fault: line
 * by line, for a line feed is no character of a name. */
static void put_steps(lb_doc *doc, const lb_found_fault *fault, const lb_result *result)
{
    lb_doc line = lb_doc_make(), all = lb_doc_make();
    bool smallest = fault && strcmp(fault->id, result->id) == 0 &&
                    strcmp(fault->profile, result->profile) == 0 &&
                    strcmp(fault->file, result->file) == 0;
    lb_explanation_aligned(&all, result->explanation[0] != '\0' ? result->explanation
                                 : smallest                     ? fault->explanation
                                                                : "");
    lb_doc_char(&all, '\0');
    const char *text = all.failed ? "" : all.text;
    lb_doc_puts(doc, text[0] != '\0' ? "\n" : "");
    for (size_t length; *text != '\0'; text += length + (text[length] == '\n')) {
        length = strcspn(text, "\n");
        lb_doc_cut(&line, 0);
        lb_doc_bytes(&line, text, length);
        lb_doc_char(&line, '\0');
        lb_escape_xml(doc, line.failed ? "" : line.text, 0);
        lb_doc_char(doc, '\n');
    }
    lb_doc_free(&line);
    lb_doc_free(&all);
}

static void put_details(lb_doc *doc, const lb_found_fault *fault, const lb_result *result)
{
    put_labelled(doc, "", result->reason);
    for (unsigned i = 0; i < result->difference_count; i++)
        put_difference(doc, &result->differences[i]);
    if (strcmp(result->status_expected, result->status_got) != 0) {
        put_labelled(doc, "status expected: ", result->status_expected);
        put_labelled(doc, "status got: ", result->status_got);
    }
    put_labelled(doc, "violated rule: ", result->rule);
    put_labelled(doc, "stands alone: ", result->outlier);
    put_labelled(doc, "tried again: ", result->again);
    put_labelled(doc, "cause: ", result->fault);
    put_labelled(doc, "diverges at: ", result->diverges_at);
    put_labelled(doc, "instruction-set level: ", result->cpu);
    lb_doc_puts(doc, "case: ");
    lb_escape_xml(doc, result->file, 0);
    lb_doc_printf(doc, ":%u\n", result->line);
    put_labelled(doc, "reproduce: ", result->reproduce);
    put_labelled(doc, "explain: ", result->explain);
    put_steps(doc, fault, result);
}

/* What kind of failure, for tools that group by type. */
static const char *failure_type(const lb_result *result)
{
    return result->difference_count > 0 ? lb_differs_name(result->differences[0].what) : "mismatch";
}

/* All results of one cause have one message, so that servers which group by message group by it. */
static void put_message(lb_doc *doc, const lb_found_fault *fault, const lb_result *result)
{
    if (result->fault[0] != '\0') {
        lb_escape_xml(doc, result->fault, 0);
        lb_doc_puts(doc, ": ");
    }
    lb_doc_puts(doc, fault ? lb_certainty_hedge(fault->certainty) : "");
    lb_escape_xml(doc,
                  fault                       ? fault->sentence
                  : result->reason[0] != '\0' ? result->reason
                                              : "no reason given",
                  0);
}

/* Is it the failure told before it, in another profile? */
static bool is_told(told_failure *told, const lb_result *result)
{
    lb_doc identity = lb_doc_make();
    lb_failure_put_identity(&identity, result);
    bool same = !identity.failed && identity.length == told->identity.length &&
                memcmp(identity.text, told->identity.text, identity.length) == 0;
    if (same) {
        lb_doc_free(&identity);
        return true;
    }
    lb_doc_free(&told->identity);
    told->identity = identity;
    lb_doc_cut(&told->message, 0);
    snprintf(told->profile, sizeof told->profile, "%s", result->profile);
    return false;
}

static void put_failure(lb_doc *doc, const lb_run_info *info, told_failure *told,
                        const lb_result *result)
{
    const lb_found_fault *fault = lb_fault_named(info, result->fault);
    const char *element = result->verdict == LB_FAIL ? "failure" : "error";
    bool again = is_told(told, result);
    if (!again)
        put_message(&told->message, fault, result);
    lb_doc_printf(doc, "><%s", element);
    put_attribute(doc, "type", result->verdict == LB_FAIL ? failure_type(result) : "error");
    lb_doc_puts(doc, " message=\"");
    lb_doc_bytes(doc, told->message.text, told->message.length);
    lb_doc_puts(doc, "\">");
    doc->failed = doc->failed || told->message.failed || told->identity.failed;
    if (again) {
        lb_doc_puts(doc, "the same as in profile ");
        lb_escape_xml(doc, told->profile, 0);
        lb_doc_char(doc, '\n');
        put_labelled(doc, "reproduce: ", result->reproduce);
    } else {
        put_details(doc, fault, result);
    }
    lb_doc_printf(doc, "</%s></testcase>\n", element);
}

static void put_outcome(lb_doc *doc, const lb_run_info *info, told_failure *told,
                        const lb_result *result)
{
    switch (result->verdict) {
    case LB_FAIL:
    case LB_ERROR:
        put_failure(doc, info, told, result);
        break;
    case LB_SKIP:
    case LB_WAIVED:
        lb_doc_puts(doc, "><skipped message=\"");
        lb_doc_puts(doc, result->verdict == LB_WAIVED ? "waived: " : "");
        lb_escape_xml(doc, lb_result_excuse(result), 0);
        lb_doc_puts(doc, "\"/></testcase>\n");
        break;
    case LB_PASS:
    default:
        lb_doc_puts(doc, "/>\n");
        break;
    }
}

static double seconds_of(const lb_result *result)
{
    return result->microseconds > 0 && result->microseconds < 1e12 ? result->microseconds * 1e-6
                                                                   : 0;
}

static void put_case(lb_doc *doc, const lb_run_info *info, told_failure *told,
                     const lb_result *result)
{
    lb_doc_puts(doc, "<testcase");
    put_attribute(doc, "classname", result->function);
    lb_doc_puts(doc, " name=\"");
    lb_escape_xml(doc, result->id, 0);
    lb_doc_puts(doc, " [");
    lb_escape_xml(doc, result->profile, 0);
    lb_doc_puts(doc, "]\"");
    put_seconds(doc, seconds_of(result));
    put_attribute(doc, "file", result->file);
    lb_doc_printf(doc, " line=\"%u\"", result->line);
    put_outcome(doc, info, told, result);
}

/* ---- Suites ---- */

/* The number of a result's suite; LB_NO_NAME: out of memory. */
static size_t find_suite(junit *out, const char *file, const char *name)
{
    lb_doc key = lb_doc_make();
    lb_doc_puts(&key, file);
    lb_doc_char(&key, '\n');
    lb_doc_puts(&key, name);
    lb_doc_char(&key, '\0');
    size_t known = out->keys.count;
    size_t number = key.failed ? LB_NO_NAME : lb_names_add(&out->keys, key.text);
    lb_doc_free(&key);
    if (number == LB_NO_NAME || number < known)
        return number;
    if (number == out->room) {
        size_t room = out->room == 0 ? 16 : out->room * 2;
        suite_sums *suites = realloc(out->suites, room * sizeof *suites);
        if (!suites)
            return LB_NO_NAME;
        out->suites = suites;
        out->room = room;
    }
    /* The name is the end of its key, however many lines the file's name has. */
    const char *kept = out->keys.list[number];
    out->suites[number] = (suite_sums){.name = kept + strlen(kept) - strlen(name)};
    return number;
}

static bool add_result(junit *out, const lb_result *result)
{
    size_t number = find_suite(out, result->file, result->suite);
    lb_doc *doc = number == LB_NO_NAME ? NULL : lb_spool_stream(out->cases, number);
    if (!doc)
        return false;
    out->suites[number].tally.count[result->verdict]++;
    out->suites[number].seconds += seconds_of(result);
    put_case(doc, out->info, &out->told, result);
    return !doc->failed;
}

static void put_property(lb_doc *doc, const char *name, const char *value)
{
    if (value[0] != '\0') {
        lb_doc_puts(doc, "<property");
        put_attribute(doc, "name", name);
        put_attribute(doc, "value", value);
        lb_doc_puts(doc, "/>\n");
    }
}

static const lb_run_suite *described_suite(const junit *out, size_t number)
{
    /* The head's suites were numbered first; the same one may stand there twice. */
    for (size_t i = 0; i < out->info->suite_count; i++) {
        const lb_run_suite *suite = &out->info->suites[i];
        const char *key = out->keys.list[number];
        size_t file_bytes = strlen(suite->file);
        if (strncmp(key, suite->file, file_bytes) == 0 && key[file_bytes] == '\n' &&
            strcmp(key + file_bytes + 1, suite->name) == 0)
            return suite;
    }
    return NULL;
}

/* How much was tried, and how it was judged. */
static void put_scope(lb_doc *doc, const lb_run_info *info, const lb_tally *tally)
{
    if (info->shard_count > 1) {
        lb_doc_printf(doc, "<property name=\"shard\" value=\"%u/%u\"/>\n", info->shard_index,
                      info->shard_count);
    }
    char *lines = lb_scope_lines(info, tally);
    doc->failed = doc->failed || !lines;
    if (lines)
        put_property(doc, "scope", lines);
    free(lines);
}

static void put_properties(lb_doc *doc, const junit *out, size_t number)
{
    const lb_run_info *info = out->info;
    const lb_run_suite *suite = described_suite(out, number);
    lb_doc_puts(doc, "<properties>\n");
    char name[200];
    for (size_t i = 0; i < info->meta_count; i++) {
        snprintf(name, sizeof name, "meta.%.150s", info->meta[i].key);
        put_property(doc, name, info->meta[i].value);
    }
    for (size_t i = 0; i < lb_tested_count; i++)
        put_property(doc, lb_tested_facts[i].property, lb_tested_text(&lb_tested_facts[i], info));
    for (size_t i = 0; i < info->file_count; i++) {
        snprintf(name, sizeof name, "file.%.20s", info->files[i].role);
        put_property(doc, name, info->files[i].file);
        snprintf(name, sizeof name, "file.%.20s.sha256", info->files[i].role);
        put_property(doc, name, info->files[i].sha256);
    }
    for (size_t i = 0; i < info->profile_count; i++) {
        if (i > 0 && strcmp(info->profiles[i], info->profiles[i - 1]) == 0)
            continue; /* the same at another CPU level */
        put_property(doc, "profile", info->profiles[i]);
    }
    if (suite) {
        put_property(doc, "suite.file", suite->file);
        put_property(doc, "suite.sha256", suite->sha256);
    }
    put_property(doc, "lastbit.version", info->tool_version);
    put_property(doc, "lastbit.commit", info->tool_commit ? info->tool_commit : "");
    put_property(doc, "lastbit.command", info->command);
    put_scope(doc, info, out->tally);
    lb_doc_puts(doc, "</properties>\n");
}

/* Ant's schema wants a date and time without a zone; the zone is UTC. */
static void put_timestamp(lb_doc *doc, const char *started)
{
    static const char shape[] = "0000-00-00T00:00:00";
    size_t i = 0;
    while (shape[i] != '\0' &&
           (shape[i] == '0' ? started[i] >= '0' && started[i] <= '9' : started[i] == shape[i]))
        i++;
    lb_doc_printf(doc, " timestamp=\"%.19s\"", shape[i] == '\0' ? started : "1970-01-01T00:00:00");
}

static bool write_suite(junit *out, size_t number, FILE *file)
{
    const suite_sums *suite = &out->suites[number];
    lb_doc doc = lb_doc_make();
    lb_doc_puts(&doc, "<testsuite");
    lb_doc_printf(&doc, " id=\"%zu\"", number);
    put_attribute(&doc, "name", suite->name[0] != '\0' ? suite->name : "suite");
    put_attribute(&doc, "package", out->info->port);
    lb_doc_puts(&doc, " hostname=\"localhost\"");
    put_timestamp(&doc, out->info->started);
    put_count(&doc, "tests",
              suite->tally.count[LB_PASS] + lb_tally_failed(&suite->tally) +
                  lb_tally_skipped(&suite->tally));
    put_count(&doc, "failures", suite->tally.count[LB_FAIL]);
    put_count(&doc, "errors", suite->tally.count[LB_ERROR]);
    put_count(&doc, "skipped", lb_tally_skipped(&suite->tally));
    put_seconds(&doc, suite->seconds);
    lb_doc_puts(&doc, ">\n");
    put_properties(&doc, out, number);
    bool written = lb_doc_flush(&doc, file) && lb_spool_write(out->cases, number, file);
    lb_doc_puts(&doc, "<system-out/>\n<system-err/>\n</testsuite>\n");
    written = lb_doc_flush(&doc, file) && written;
    lb_doc_free(&doc);
    return written;
}

/* CI systems look at test cases alone: that results are missing is an error of a suite of its own.
 */
static void put_short(lb_doc *doc, const junit *out)
{
    lb_doc words = lb_doc_make();
    lb_scope_short(out->info, out->tally, &words);
    lb_doc_char(&words, '\0');
    doc->failed = doc->failed || words.failed;
    lb_doc_puts(doc, "<testsuite");
    lb_doc_printf(doc, " id=\"%zu\"", out->keys.count);
    lb_doc_puts(doc, " name=\"INCOMPLETE\"");
    put_attribute(doc, "package", out->info->port);
    lb_doc_puts(doc, " hostname=\"localhost\"");
    put_timestamp(doc, out->info->started);
    lb_doc_puts(doc, " tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\" time=\"0\">\n"
                     "<properties/>\n<testcase name=\"all results are there\" "
                     "classname=\"lastbit\" time=\"0\"><error type=\"incomplete\"");
    put_attribute(doc, "message", words.failed ? "" : words.text);
    lb_doc_puts(doc, "/></testcase>\n<system-out/>\n<system-err/>\n</testsuite>\n");
    lb_doc_free(&words);
}

static bool write_document(junit *out, const lb_tally *tally, FILE *file)
{
    const bool is_short = lb_run_is_short(out->info, tally);
    lb_doc doc = lb_doc_make();
    lb_doc_puts(&doc, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"lastbit\"");
    put_count(&doc, "tests",
              lb_tally_passed(tally) + lb_tally_failed(tally) + lb_tally_skipped(tally) + is_short);
    put_count(&doc, "failures", tally->count[LB_FAIL]);
    put_count(&doc, "errors", tally->count[LB_ERROR] + is_short);
    put_seconds(&doc, out->info->seconds);
    lb_doc_puts(&doc, ">\n");
    bool written = lb_doc_flush(&doc, file);
    for (size_t i = 0; written && i < out->keys.count; i++)
        written = write_suite(out, i, file);
    if (is_short)
        put_short(&doc, out);
    lb_doc_puts(&doc, "</testsuites>\n");
    written = lb_doc_flush(&doc, file) && written;
    lb_doc_free(&doc);
    return written;
}

static bool begin(void *state, const lb_results_reader *reader)
{
    junit *document = state;
    *document = (junit){.info = lb_results_info(reader),
                        .tally = lb_results_tally(reader),
                        .cases = lb_spool_make(),
                        .told = {lb_doc_make(), lb_doc_make(), ""}};
    bool good = document->cases != NULL;
    /* Suites of the head come first and in its order, those without a result among them. */
    for (size_t i = 0; good && i < document->info->suite_count; i++)
        good = find_suite(document, document->info->suites[i].file,
                          document->info->suites[i].name) != LB_NO_NAME;
    return good;
}

static bool add(void *state, const lb_result *result)
{
    return add_result(state, result);
}

static bool write_page(void *state, FILE *out)
{
    junit *document = state;
    return write_document(document, document->tally, out);
}

static void end(void *state)
{
    junit *document = state;
    lb_doc_free(&document->told.identity);
    lb_doc_free(&document->told.message);
    lb_spool_free(document->cases);
    lb_names_free(&document->keys);
    free(document->suites);
}

const lb_renderer lb_junit_renderer = {"junit", sizeof(junit), begin, add, write_page, end};

bool lb_render_junit(lb_results_reader *reader, const lb_render_extras *extras, FILE *out,
                     char *error, size_t error_bytes)
{
    (void)extras;
    return lb_render_with(&lb_junit_renderer, reader, out, error, error_bytes);
}
