/* The comparison of two runs in words and as JSON: see diff.h. */
#include "diff.h"

#include "escape.h"
#include "scope.h"
#include "tested.h"

#include <string.h>

static void put_run(lb_doc *doc, const char *letter, const char *path, lb_results_reader *reader)
{
    const lb_run_info *info = lb_results_info(reader);
    const lb_tally *tally = lb_results_tally(reader);
    lb_doc_printf(doc, "%s: ", letter);
    lb_escape_line(doc, path);
    lb_doc_puts(doc, ": ");
    lb_escape_line(doc, info->port);
    lb_doc_puts(doc, ", ");
    lb_escape_line(doc, info->started);
    lb_doc_puts(doc, ", ");
    lb_doc_grouped(doc, lb_tally_passed(tally));
    lb_doc_puts(doc, " passed, ");
    lb_doc_grouped(doc, lb_tally_failed(tally));
    lb_doc_puts(doc, " failed, ");
    lb_doc_grouped(doc, lb_tally_skipped(tally));
    lb_doc_puts(doc, lb_run_is_short(info, tally) ? " skipped; " : " skipped");
    lb_scope_short(info, tally, doc);
    lb_doc_char(doc, '\n');
}

static void put_note(lb_doc *doc, const char *what, const char *a, const char *b)
{
    a = !a ? "" : a;
    b = !b ? "" : b;
    if (strcmp(a, b) != 0) {
        lb_doc_printf(doc, "note: the %s differs: ", what);
        lb_escape_line(doc, a[0] != '\0' ? a : "none");
        lb_doc_puts(doc, " / ");
        lb_escape_line(doc, b[0] != '\0' ? b : "none");
        lb_doc_char(doc, '\n');
    }
}

static const lb_run_suite *find_suite(const lb_run_info *info, const char *name)
{
    for (size_t i = 0; i < info->suite_count; i++)
        if (strcmp(info->suites[i].name, name) == 0)
            return &info->suites[i];
    return NULL;
}

static const lb_run_file *find_file(const lb_run_info *info, const lb_run_file *file)
{
    for (size_t i = 0; i < info->file_count; i++)
        if (strcmp(info->files[i].role, file->role) == 0 &&
            strcmp(info->files[i].file, file->file) == 0)
            return &info->files[i];
    return NULL;
}

static void put_file_notes(const lb_run_info *a, const lb_run_info *b, lb_doc *doc)
{
    for (size_t i = 0; i < a->file_count; i++) {
        const lb_run_file *other = find_file(b, &a->files[i]);
        if (other && strcmp(other->sha256, a->files[i].sha256) != 0) {
            lb_doc_puts(doc, "note: the file ");
            lb_escape_line(doc, other->file);
            lb_doc_puts(doc, " differs: it was changed between the runs\n");
        }
    }
}

void lb_diff_put_notes(const lb_run_info *a, const lb_run_info *b, lb_doc *doc)
{
    put_note(doc, "lastbit version", a->tool_version, b->tool_version);
    put_note(doc, "lastbit commit", a->tool_commit, b->tool_commit);
    for (size_t i = 0; i < lb_tested_count; i++) {
        put_note(doc, lb_tested_facts[i].property, lb_tested_text(&lb_tested_facts[i], a),
                 lb_tested_text(&lb_tested_facts[i], b));
    }
    put_file_notes(a, b, doc);
    for (size_t i = 0; i < a->suite_count; i++) {
        const lb_run_suite *other = find_suite(b, a->suites[i].name);
        if (other && strcmp(other->sha256, a->suites[i].sha256) != 0) {
            lb_doc_puts(doc, "note: the suite ");
            lb_escape_line(doc, other->name);
            lb_doc_puts(doc, " differs: it was edited between the runs\n");
        }
    }
}

void lb_diff_put_text(const lb_diff *diff, lb_doc *doc)
{
    uint64_t all = 0;
    put_run(doc, "A", diff->options->a_path, diff->a);
    put_run(doc, "B", diff->options->b_path, diff->b);
    lb_diff_put_notes(lb_results_info(diff->a), lb_results_info(diff->b), doc);
    for (int i = 0; i < LB_CHANGE_COUNT; i++) {
        const lb_change_list *list = &diff->lists[i];
        all += list->count;
        if (list->count == 0)
            continue;
        lb_doc_printf(doc, "\n%s: ", lb_change_title((lb_change)i));
        lb_doc_grouped(doc, list->count);
        lb_doc_char(doc, '\n');
        lb_doc_bytes(doc, list->lines.text.text, list->lines.text.length);
        if (list->count > list->lines.results) {
            lb_doc_puts(doc, "  and ");
            lb_doc_grouped(doc, list->count - list->lines.results);
            lb_doc_puts(doc, " more (--show N shows more, --json all)\n");
        }
    }
    if (diff->noise.known && diff->lists[LB_SLOWER].count > 0) {
        lb_doc_printf(doc,
                      "  (calls took %+.1f %% of time in the middle, half of them within %.1f %% "
                      "around it)\n",
                      diff->noise.drift_percent, diff->noise.spread_percent);
    }
    lb_doc_puts(doc, all == 0 ? "\nno difference between the results\n" : "");
    lb_doc_char(doc, '\n');
    lb_doc_grouped(doc, diff->lists[LB_NEWLY_FAILING].count);
    lb_doc_puts(doc, " newly failing, ");
    lb_doc_grouped(doc, diff->lists[LB_NEWLY_PASSING].count);
    lb_doc_puts(doc, " newly passing\n");
}

static void put_run_json(lb_doc *doc, const char *letter, const char *path,
                         lb_results_reader *reader)
{
    const lb_run_info *info = lb_results_info(reader);
    const lb_tally *tally = lb_results_tally(reader);
    const char *const pairs[][2] = {{"file", path},
                                    {"port", info->port},
                                    {"port_described", info->port_described},
                                    {"started", info->started},
                                    {"tool_version", info->tool_version}};
    lb_doc_printf(doc, ",\n\"%s\":{", letter);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        lb_doc_printf(doc, "%s\"%s\":", i == 0 ? "" : ",", pairs[i][0]);
        lb_escape_json(doc, pairs[i][1]);
    }
    lb_doc_puts(doc, ",\"tally\":{");
    for (int v = 0; v < LB_VERDICT_COUNT; v++) {
        lb_doc_printf(doc, "%s\"%s\":", v == 0 ? "" : ",", lb_verdict_name((lb_verdict)v));
        lb_doc_u64(doc, tally->count[v]);
    }
    lb_doc_puts(doc, "}}");
}

void lb_diff_put_json(const lb_diff *diff, lb_doc *doc)
{
    lb_doc_puts(doc, "{\"format\":\"lastbit/diff-1\"");
    put_run_json(doc, "a", diff->options->a_path, diff->a);
    put_run_json(doc, "b", diff->options->b_path, diff->b);
    lb_doc_puts(doc, ",\n\"counts\":{");
    for (int i = 0; i < LB_CHANGE_COUNT; i++) {
        lb_doc_printf(doc, "%s\"%s\":", i == 0 ? "" : ",", lb_change_name((lb_change)i));
        lb_doc_u64(doc, diff->lists[i].count);
    }
    lb_doc_puts(doc, "}");
    if (diff->noise.known) {
        lb_doc_puts(doc, ",\n\"noise\":{\"drift_percent\":");
        lb_doc_double(doc, diff->noise.drift_percent, 4, "null");
        lb_doc_puts(doc, ",\"spread_percent\":");
        lb_doc_double(doc, diff->noise.spread_percent, 4, "null");
        lb_doc_puts(doc, "}");
    }
    for (int i = 0; i < LB_CHANGE_COUNT; i++) {
        lb_doc_printf(doc, ",\n\"%s\":[", lb_change_name((lb_change)i));
        lb_doc_bytes(doc, diff->lists[i].json.text, diff->lists[i].json.length);
        lb_doc_char(doc, ']');
    }
    lb_doc_puts(doc, "}\n");
}
