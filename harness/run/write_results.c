/* The end of a run: see write_results.h. */
#include "harness/run/write_results.h"
#include "harness/base/terminal.h"
#include "harness/base/xalloc.h"
#include "harness/diagnose/text.h"
#include "harness/run/demands.h"
#include "harness/run/drift.h"
#include "harness/run/print_failure.h"
#include "harness/run/story.h"

#include "reports/journal_line.h"
#include "reports/render.h"
#include "reports/scope.h"
#include "reports/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool lb_make_folder(const char *path)
{
    char partial[4096];
    struct stat status;
    if ((size_t)snprintf(partial, sizeof partial, "%s", path) >= sizeof partial)
        return fprintf(stderr, "lastbit: %.60s...: path too long\n", path), false;
    for (char *slash = partial + 1; *slash; slash++)
        if (*slash == '/') {
            *slash = '\0';
            (void)mkdir(partial, 0777); /* judged by the last one */
            *slash = '/';
        }
    if (mkdir(partial, 0777) == 0 ||
        (errno == EEXIST && stat(partial, &status) == 0 && S_ISDIR(status.st_mode)))
        return true;
    fprintf(stderr, "lastbit: %s: cannot make this folder: %s\n", path, strerror(errno));
    return false;
}

/* ---- results files ---- */

typedef struct writer {
    const lb_finish_options *options;
    FILE *file;
    const lb_story *story; /* only its cases, and of them what failed; NULL: all results */
    bool first;
    bool bare; /* an object a line, and nothing around them */
    lb_doc line;
} writer;

static bool is_failure(unsigned char known)
{
    return known == 1 + LB_FAIL || known == 1 + LB_ERROR;
}

/* The line with another time of the call. */
static void put_time(lb_doc *doc, const char *line, size_t length, double microseconds)
{
    const char *at = lb_line_member(line, length, "microseconds");
    size_t before = at ? (size_t)(at - line) : length;
    size_t digits = 0;
    while (before + digits < length && strchr("0123456789.+-eE", line[before + digits]))
        digits++;
    lb_doc_cut(doc, 0);
    lb_doc_bytes(doc, line, before);
    if (at)
        lb_doc_double(doc, microseconds, 6, "0");
    lb_doc_bytes(doc, line + before + digits, length - before - digits);
}

static bool write_line(void *user, uint64_t order, const char *line, size_t length)
{
    writer *w = user;
    unsigned char known = w->options->verdicts[order];
    if (known == 0 ||
        (w->story && (!is_failure(known) || !w->story->chosen[order / w->story->profile_count])))
        return true;
    if (w->options->microseconds) {
        put_time(&w->line, line, length, w->options->microseconds[order]);
        if (w->line.failed)
            return false;
        line = w->line.text;
        length = w->line.length;
    }
    unsigned cause = w->options->causes ? w->options->causes[order] : 0;
    const char *fault = cause ? w->options->info->faults[cause - 1].name : NULL;
    if (w->bare)
        return lb_results_write_bare(w->file, line, length, fault, NULL) &&
               fputc('\n', w->file) != EOF;
    bool good = lb_results_write_line_of(
        w->file, line, length, w->first, fault,
        w->options->steps ? lb_run_steps_of(w->options->steps, order) : NULL);
    w->first = false;
    return good;
}

/* For programs that read them: a verdict a line. */
static bool write_verdicts(const lb_finish_options *options)
{
    writer w = {
        .options = options, .file = options->verdict_lines, .bare = true, .line = lb_doc_make()};
    bool good = lb_journal_in_order(options->journal, options->order_count, write_line, &w) &&
                fflush(w.file) == 0;
    lb_doc_free(&w.line);
    if (good)
        return true;
    fprintf(stderr, "lastbit: --json: cannot write: %s\n", strerror(errno));
    return false;
}

static bool write_results(writer *w, const lb_tally *tally)
{
    w->first = true;
    w->line = lb_doc_make();
    bool good = lb_results_write_head(w->file, w->options->info, tally) &&
                lb_journal_in_order(w->options->journal, w->options->order_count, write_line, w) &&
                lb_results_write_tail(w->file);
    lb_doc_free(&w->line);
    return good;
}

static bool complain(const char *path)
{
    fprintf(stderr, "lastbit: %s: cannot write: %s\n", path,
            errno == ELOOP ? LB_IS_LINK : strerror(errno));
    return false;
}

/* Not through a link: what it names is another's file. */
static FILE *open_new(const char *path)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    if (fd >= 0 && !file)
        close(fd);
    return file;
}

static bool write_results_file(const lb_finish_options *options, const lb_tally *tally,
                               const char *path)
{
    char temporary[4096 + 8];
    snprintf(temporary, sizeof temporary, "%s.part", path);
    writer w = {.options = options, .file = open_new(temporary)};
    if (!w.file)
        return complain(temporary);
    bool good = write_results(&w, tally);
    good = good && fflush(w.file) == 0 && fsync(fileno(w.file)) == 0;
    good = fclose(w.file) == 0 && good;
    if (good && rename(temporary, path) == 0)
        return true;
    complain(path);
    unlink(temporary);
    return false;
}

static bool write_documents(const lb_finish_options *options, const lb_tally *tally)
{
    char results[4096];
    snprintf(results, sizeof results, "%s/results.json", options->report_folder);
    return write_results_file(options, tally, results) &&
           lb_render_all(LB_OF_RUN, results, &(lb_render_extras){.lcov_link = ""},
                         options->report_folder) == 0;
}

static bool remove_document(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (unlink(path) == 0 || errno == ENOENT)
        return true;
    fprintf(stderr, "lastbit: %s: cannot be taken away: %s\n", path, strerror(errno));
    return false;
}

bool lb_documents_remove(const char *folder, unsigned kinds)
{
    const lb_document_kind *kind;
    bool good = remove_document(folder, "results.json");
    for (size_t i = 0; good && (kind = lb_document_of(kinds, i)) != NULL; i++)
        good = !kind->file || remove_document(folder, kind->file);
    return good;
}

/* Annotations are made from results, as every document: from those in the folder, or of a file that
 * is gone afterwards. */
static bool annotate(const lb_finish_options *options, const lb_tally *tally)
{
    char results[4096], path[4096] = "-";
    const char *file = lb_document_find(options->annotate)->file;
    writer w = {.options = options};
    if (file && !options->report_folder)
        return true; /* there is no place for a file that nobody asked for */
    if (file)
        snprintf(path, sizeof path, "%s/%s", options->report_folder, file);
    if (options->report_folder) {
        snprintf(results, sizeof results, "%s/results.json", options->report_folder);
        return fflush(stdout) == 0 && lb_render_file(options->annotate, results, path) == 0;
    }
    w.file = lb_temporary_file();
    if (!w.file)
        return complain(lb_temporary_folder());
    snprintf(results, sizeof results, "/proc/self/fd/%d", fileno(w.file));
    bool good = write_results(&w, tally) && fflush(w.file) == 0 && fflush(stdout) == 0 &&
                lb_render_file(options->annotate, results, path) == 0;
    fclose(w.file);
    return good;
}

/* ---- What a person sees ---- */

/* What a file of the failures that are shown holds. */
static lb_tally count_failures(const lb_finish_options *options, const lb_story *story)
{
    lb_tally tally = {{0}};
    for (uint64_t order = 0; order < options->order_count; order++)
        if (is_failure(options->verdicts[order]) && story->chosen[order / story->profile_count])
            tally.count[options->verdicts[order] - 1]++;
    return tally;
}

/* One block as it is printed, and the place of its case among the simplest. */
typedef struct block {
    size_t start, bytes;
    uint32_t rank;
} block;

static int by_rank(const void *a, const void *b)
{
    const block *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->start < y->start ? -1 : x->start > y->start;
}

/* The blocks of all shown failures, in the order in which they are read best. */
static bool print_blocks(lb_results_reader *reader, lb_show *show, const lb_story *story,
                         unsigned long limit, char *error, size_t error_bytes)
{
    char *text = NULL;
    size_t bytes = 0, count = 0, room = 0;
    block *blocks = NULL;
    const lb_result *result;
    uint32_t rank = 0;
    FILE *out = show->out;
    show->out = open_memstream(&text, &bytes);
    if (!show->out)
        lb_out_of_memory(sizeof(FILE));
    for (bool more = true; more;) {
        unsigned long before = show->shown;
        size_t start = (size_t)ftell(show->out);
        result = lb_results_next(reader, error, error_bytes);
        more = result && lb_show_add(show, result);
        if (!more)
            lb_show_end(show);
        if (show->shown > before) {
            blocks = lb_room_for_one(blocks, count, &room, sizeof *blocks);
            blocks[count++] = (block){start, (size_t)ftell(show->out) - start, rank};
        }
        rank = result ? story->rank[result->order / story->profile_count] : 0;
    }
    bool good = fclose(show->out) == 0;
    show->out = out;
    qsort(blocks, count, sizeof *blocks, by_rank);
    for (size_t i = 0; i < count && i < limit; i++)
        fwrite(text + blocks[i].start, 1, blocks[i].bytes, out);
    free(blocks);
    free(text);
    return good;
}

/* The simplest failures, read back from a results file of their own: the same road as every other
 * reader takes. */
static bool show_failures(const lb_finish_options *options, const lb_story *story, FILE *out,
                          uint64_t *shown)
{
    lb_tally tally = count_failures(options, story);
    lb_show show = {.out = out,
                    .limit = options->show_limit * options->info->profile_count,
                    .color = options->color,
                    .reproduce = options->reproduce,
                    .profiles = options->plan->profiles,
                    .profile_count = options->plan->profile_count,
                    .is_made = lb_suite_command(options->plan->suites[0]) != NULL};
    char path[64], error[512] = "";
    writer w = {.options = options, .file = lb_temporary_file(), .story = story};
    if (!w.file)
        return complain(lb_temporary_folder());
    bool good = write_results(&w, &tally) && fflush(w.file) == 0;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(w.file));
    lb_results_reader *reader = good ? lb_results_open(path, error, sizeof error) : NULL;
    if (reader)
        good = print_blocks(reader, &show, story, show.limit, error, sizeof error);
    *shown = show.results;
    if (reader)
        lb_results_close(reader);
    fclose(w.file);
    if (error[0])
        fprintf(stderr, "lastbit: %s\n", error);
    return good && !error[0];
}

/* What --guard warn marks: a table of it is another command's. */
static void show_marks(const lb_finish_options *options, FILE *out)
{
    if (options->marked > 0)
        fprintf(
            out,
            "accumulator too narrow in %" PRIu64
            " %s: some inputs would overflow it, whatever the port; \"lastbit guard\" tells where "
            "and by how much\n",
            options->marked, options->marked == 1 ? "result" : "results");
}

bool lb_mistrust_is_told(const char *line, size_t length)
{
    const char *text;
    int text_length;
    return lb_line_text(line, length, "vacuous", &text, &text_length);
}

enum { SHOWN_MISTRUSTED = 10 };

typedef struct mistrust {
    FILE *out;
    uint64_t profile_count, last_case, cases;
    uint64_t limit; /* cases to name */
} mistrust;

/* A case once, whatever the profiles. */
static bool show_vacuous(void *user, uint64_t order, const char *line, size_t length)
{
    mistrust *m = user;
    const char *why, *id, *file;
    int why_length, id_length, file_length;
    if (!lb_line_text(line, length, "vacuous", &why, &why_length) ||
        !lb_line_text(line, length, "id", &id, &id_length) ||
        !lb_line_text(line, length, "file", &file, &file_length) ||
        order / m->profile_count + 1 == m->last_case)
        return true;
    m->last_case = order / m->profile_count + 1;
    if (m->cases++ < m->limit)
        fprintf(m->out, "vacuous: %.*s (%.*s): %.*s\n", id_length, id, file_length, file,
                why_length, why);
    return true;
}

/* Passing cases that prove little: where something fails, only how many. */
static void list_vacuous(const lb_finish_options *options, bool any_fails, FILE *out)
{
    mistrust m = {.out = out,
                  .profile_count = options->info->profile_count,
                  .limit = any_fails ? 0 : SHOWN_MISTRUSTED};
    if (options->vacuous == 0 ||
        !lb_journal_in_order(options->journal, options->order_count, show_vacuous, &m))
        return;
    if (m.cases > m.limit)
        fprintf(out,
                "%s%" PRIu64
                " %scase%s that prove%s little: \"lastbit vectors coverage\" lists %s\n",
                m.limit > 0 ? "... and " : "vacuous: ", m.cases - m.limit,
                m.limit > 0 ? "more " : "", m.cases - m.limit == 1 ? "" : "s",
                m.cases - m.limit == 1 ? "s" : "", m.cases - m.limit == 1 ? "it" : "them");
}

static lb_tally count_verdicts(const lb_finish_options *options)
{
    lb_tally tally = {{0}};
    for (uint64_t order = 0; order < options->order_count; order++)
        if (options->verdicts[order] > 0)
            tally.count[options->verdicts[order] - 1]++;
    return tally;
}

/* What a sweep tried. Of long words only the first, with the numbers: all are in the report and in
 * "lastbit sweep --list". */
static void show_domain(const lb_run_info *info, FILE *out)
{
    enum { LONG_WORDS = 400 };
    const char *words = info->exhaustive;
    size_t length = strlen(words) > LONG_WORDS ? strcspn(words, ":") : strlen(words);
    if (length > 0)
        fprintf(out, "exhaustive%s: %.*s\n",
                info->shard_count > 1 ? " together with the other shards" : "", (int)length, words);
}

/* Of the functions that the run has called. Which points are missed is in the report, and another
 * command lists them. */
static void show_coverage(const lb_run_info *info, const char *before, FILE *out)
{
    uint64_t points = 0, hit = 0;
    for (size_t i = 0; i < info->coverage_count; i++) {
        points += info->coverage[i].points;
        hit += info->coverage[i].hit;
    }
    if (points == 0)
        return;
    fprintf(out, "%scoverage: %" PRIu64 " of %" PRIu64 " points of %zu %s (%.1f %%)%s", before, hit,
            points, info->coverage_count, info->coverage_count == 1 ? "function" : "functions",
            (double)(1000 * hit / points) / 10.0,
            hit < points && !info->exhaustive[0] ? "; \"lastbit vectors coverage\" lists the others"
                                                 : "");
}

/* What the passes rest on. */
static void show_agreement(const lb_finish_options *options, FILE *out)
{
    const lb_gathered *g = options->gathered;
    fprintf(out, "Bit for bit: %" PRIu64 " %s", g->exact,
            g->exact == 1 ? "result is the exact model's" : "results are the exact model's");
    if (g->recorded > 0)
        fprintf(out, ", %" PRIu64 " a recorded one as well", g->recorded);
    show_coverage(options->info, "; ", out);
    fputc('\n', out);
}

/* What is wrong, before what fails. */
static void show_causes(const lb_finish_options *options, FILE *out)
{
    lb_doc doc = lb_doc_make();
    lb_diagnosis_text(&doc, options->info);
    lb_doc_flush(&doc, out);
    lb_doc_free(&doc);
}

/* How much was tried, and how it was judged: the words of the documents. */
static void show_scope(const lb_run_info *info, const lb_tally *tally, FILE *out)
{
    char *lines = lb_scope_lines(info, tally);
    if (lines && *lines)
        fprintf(out, "%s\n", lines);
    free(lines);
}

/* What was tried, and how far that can be trusted. */
static void tell_background(const lb_finish_options *options, bool any_fails, FILE *out)
{
    show_domain(options->info, out);
    if (any_fails) {
        show_coverage(options->info, "", out);
        fputc('\n', out);
    }
    list_vacuous(options, any_fails, out);
    if (any_fails || !lb_plan_is_all_meant(options->plan))
        lb_drift_print(options->info, out);
    lb_print_far(options->gathered, out);
    lb_print_skips(options->gathered, out);
    show_marks(options, out);
}

/* The very last line of a run that did not come to its end, for programs too. */
static void tell_stopped(const lb_finish_options *options, const lb_tally *tally, FILE *out)
{
    const lb_run_info *info = options->info;
    if (!lb_run_is_short(info, tally))
        return;
    fprintf(out, "stopped: %" PRIu64 " of %" PRIu64 " results", lb_tally_total(tally),
            info->expected);
    if (options->signal_number > 0)
        fprintf(out, " (signal %d, %s)\n", options->signal_number,
                strsignal(options->signal_number));
    else if (info->stopped_at > 0)
        fprintf(out, " (--max-fail %u)\n", info->stopped_at);
    else
        fprintf(out, "\n");
}

static void tell_tally(const lb_finish_options *options, const lb_tally *tally, FILE *out)
{
    const char *color = !options->color              ? ""
                        : lb_tally_failed(tally) > 0 ? "\033[1;31m"
                                                     : "\033[1;32m";
    fprintf(out, "%s%" PRIu64 " passed, %" PRIu64 " failed, %" PRIu64 " skipped%s\n", color,
            lb_tally_passed(tally), lb_tally_failed(tally), lb_tally_skipped(tally),
            options->color ? "\033[0m" : "");
    tell_stopped(options, tally, out);
}

/* The last lines: how much was tried, where the report is, and the numbers. */
static void tell_end(const lb_finish_options *options, const lb_tally *tally, bool has_report,
                     FILE *out)
{
    uint64_t failures = lb_tally_failed(tally);
    show_scope(options->info, tally, out);
    if (failures == 0 && lb_tally_passed(tally) > 0)
        show_agreement(options, out);
    if (tally->count[LB_WAIVED] > 0)
        fprintf(out, "%" PRIu64 " %s waived\n", tally->count[LB_WAIVED],
                tally->count[LB_WAIVED] == 1 ? "failure is" : "failures are");
    if (has_report)
        fprintf(out, LB_WHOLE_LINE "report: %s/report.html\n", options->report_folder);
    tell_tally(options, tally, out);
}

/* Where many functions give other numbers, they may be numerics of a platform: those of a built-in
 * profile, or of its own. */
static void suggest_numerics(const lb_run_info *info, const lb_story *story, FILE *out)
{
    enum { MANY = 4 };
    for (size_t i = 0; i < info->fault_count; i++)
        if (info->faults[i].numerics) {
            fprintf(out, "numerics of %s: \"--profile %s\" judges the port by these\n\n",
                    info->faults[i].numerics, info->faults[i].numerics);
            return;
        }
    if (lb_story_wrong_numbers(story) >= MANY)
        fprintf(out,
                "numerics of its own? \"lastbit characterize --port %s\" finds them, as a file for "
                "--profile\n\n",
                info->port);
}

/* The simplest failures, then, last because it is read first, the story: causes, which functions
 * fail and how, the numbers. */
static bool tell(const lb_finish_options *options, const lb_tally *tally, bool has_report,
                 FILE *out)
{
    bool good = true;
    uint64_t failures = lb_tally_failed(tally), shown = 0;
    if (options->quiet) {
        good = failures == 0 || !options->annotate || annotate(options, tally);
        tell_tally(options, tally, out);
        return good;
    }
    lb_story story = {.chosen = NULL};
    if (failures > 0)
        good = lb_story_read(&story, options->journal, options->verdicts, options->order_count,
                             options->info->profile_count, options->show_limit);
    if (failures > 0 && options->show_limit > 0)
        good = show_failures(options, &story, out, &shown) && good;
    if (failures > shown)
        fprintf(out, "... and %" PRIu64 " more that did not pass\n\n", failures - shown);
    if (failures > 0 && options->annotate)
        good = fflush(out) == 0 && annotate(options, tally) && good;
    tell_background(options, failures > 0, out);
    fputs(failures > 0 ? "\n" : "", out);
    show_causes(options, out);
    lb_story_table(&story, out);
    suggest_numerics(options->info, &story, out);
    lb_story_free(&story);
    tell_end(options, tally, has_report, out);
    return good;
}

bool lb_finish(const lb_finish_options *options, lb_tally *tally)
{
    *tally = count_verdicts(options);
    bool good = !options->report_folder || write_documents(options, tally);
    if (options->verdict_lines)
        good = write_verdicts(options) && good;
    FILE *out = lb_terminal_over(stdout);
    good = tell(options, tally, good && options->report_folder, out) && good;
    return fclose(out) == 0 && good;
}
