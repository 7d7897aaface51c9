/* Two runs compared: A is read into short records, B is held against them. See diff.h. */
#include "diff.h"

#include "escape.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Calls that take less than this longer are not called slower: an interrupt takes as long. So long,
 * and longer, may it take once; a median of so many times it does not move. */
static const double least_microseconds = 100;
enum { ENOUGH_TIMES = 5 };
/* A row of the benchmark is measured many times over, and tells by how much it scatters. Where it
 * does not, this is a change; where it does, several times the noise of both runs, and never less
 * than the least. */
static const double row_percent = 10, least_row_percent = 3, noises = 3;

typedef struct errors {
    double max_steps, mean_steps, rms_steps;
} errors;

typedef struct lb_diff_record {
    lb_verdict verdict;
    bool seen; /* in B */
    unsigned tolerance_count;
    errors tolerances[LB_MAX_TOLERANCES];
    int headroom; /* INT_MAX: no accumulator */
    double microseconds;
} record;

static bool is_failing(lb_verdict verdict)
{
    return verdict == LB_FAIL || verdict == LB_ERROR;
}

static const struct {
    const char *name, *title;
} changes[LB_CHANGE_COUNT] = {[LB_NEWLY_FAILING] = {"newly_failing", "newly failing"},
                              [LB_NEWLY_PASSING] = {"newly_passing", "newly passing"},
                              [LB_CHANGED] = {"changed", "verdict changed otherwise"},
                              [LB_VANISHED] = {"vanished", "vanished (in A only)"},
                              [LB_NEW] = {"new", "new (in B only)"},
                              [LB_DRIFTED] = {"drifted", "drifted inside tolerance"},
                              [LB_HEADROOM_LOST] = {"headroom_lost", "accumulator headroom lost"},
                              [LB_SLOWER] = {"slower", "slower, beyond the noise"},
                              [LB_WEAKER] = {"weaker", "weaker suites"}};

const char *lb_change_name(lb_change change)
{
    return changes[change].name;
}

const char *lb_change_title(lb_change change)
{
    return changes[change].title;
}

/* ---- Keys ---- */

/* What makes a result of A and one of B the same: suite, case and profile; a suite may hold a name
 * twice, then their turn. */
static void put_key(lb_doc *key, const lb_result *result, unsigned turn)
{
    lb_doc_cut(key, 0);
    lb_doc_puts(key, result->suite);
    lb_doc_char(key, '\n');
    lb_doc_puts(key, result->id);
    lb_doc_char(key, '\n');
    lb_doc_puts(key, result->profile);
    for (unsigned i = 0; i < turn; i++)
        lb_doc_char(key, '\n');
    lb_doc_char(key, '\0');
}

static size_t add_key(lb_diff *diff, lb_doc *key, const lb_result *result)
{
    for (unsigned turn = 0; turn < 1000; turn++) {
        size_t known = diff->keys.count;
        put_key(key, result, turn);
        size_t number = key->failed ? LB_NO_NAME : lb_names_add(&diff->keys, key->text);
        if (number == LB_NO_NAME || number >= known)
            return number;
    }
    return LB_NO_NAME;
}

/* The record of A that this result of B belongs to, and that no other has taken; NULL: there is
 * none. */
static record *find_record(lb_diff *diff, lb_doc *key, const lb_result *result)
{
    for (unsigned turn = 0; turn < 1000; turn++) {
        put_key(key, result, turn);
        size_t number = key->failed ? LB_NO_NAME : lb_names_find(&diff->keys, key->text);
        if (number == LB_NO_NAME)
            return NULL;
        if (!diff->records[number].seen)
            return &diff->records[number];
    }
    return NULL;
}

/* ---- Records ---- */

static record make_record(const lb_result *result)
{
    record made = {
        .verdict = result->verdict, .headroom = INT_MAX, .microseconds = result->microseconds};
    for (unsigned i = 0; i < result->tolerance_count; i++) {
        const lb_tolerance *t = &result->tolerances[i];
        made.tolerances[i] = (errors){t->max_steps, t->mean_steps, t->rms_steps};
        made.tolerance_count++;
    }
    if (result->accumulator.acc_bits > 0)
        made.headroom = result->accumulator.acc_bits - lb_accumulator_needed(&result->accumulator);
    return made;
}

static bool keep_record(lb_diff *diff, size_t number, const lb_result *result)
{
    if (number >= diff->record_room) {
        size_t room = diff->record_room == 0 ? 1024 : diff->record_room * 2;
        record *records = realloc(diff->records, room * sizeof *records);
        if (!records)
            return false;
        diff->records = records;
        diff->record_room = room;
    }
    diff->records[number] = make_record(result);
    return true;
}

static bool read_a(lb_diff *diff, lb_doc *key, char *error, size_t error_bytes)
{
    const lb_result *result;
    while ((result = lb_results_next(diff->a, error, error_bytes)) != NULL) {
        size_t number = add_key(diff, key, result);
        if (number == LB_NO_NAME || !keep_record(diff, number, result)) {
            snprintf(error, error_bytes,
                     "out of memory, or a case stands there more than a thousand times");
            return false;
        }
    }
    return error[0] == '\0';
}

/* ---- Entries ---- */

static void put_pair(lb_doc *json, const char *key, const char *text)
{
    lb_doc_printf(json, ",\"%s\":", key);
    lb_escape_json(json, text);
}

/* Opens an entry with the members that all entries have. */
static lb_change_list *open_entry(lb_diff *diff, lb_change change, const lb_result *now)
{
    lb_change_list *list = &diff->lists[change];
    list->count++;
    lb_doc_puts(&list->json, list->count > 1 ? ",\n{\"suite\":" : "{\"suite\":");
    lb_escape_json(&list->json, now->suite);
    put_pair(&list->json, "id", now->id);
    put_pair(&list->json, "profile", now->profile);
    return list;
}

/* `says`: what changed, for people; freed here. */
static void close_entry(const lb_diff *diff, lb_change_list *list, const lb_result *now,
                        lb_doc *says, const char *reproduce)
{
    lb_doc_char(&list->json, '}');
    lb_doc_char(says, '\0');
    if (says->failed)
        list->json.failed = true;
    else
        lb_diff_lines_add(
            &list->lines, diff->options->show,
            &(lb_diff_line){now->suite, now->id, now->profile, says->text, reproduce});
    lb_doc_free(says);
}

/* An entry that is a change of verdict; `was` is NULL where A does not know the case. */
static void note_verdict(lb_diff *diff, lb_change change, const lb_result *now, const char *was)
{
    lb_change_list *list = open_entry(diff, change, now);
    lb_doc says = lb_doc_make();
    put_pair(&list->json, "function", now->function);
    put_pair(&list->json, "was", was ? was : "absent");
    put_pair(&list->json, "now", lb_verdict_name(now->verdict));
    if (now->reason[0] != '\0')
        put_pair(&list->json, "reason", now->reason);
    if (now->diverges_at[0] != '\0')
        put_pair(&list->json, "diverges_at", now->diverges_at);
    if (now->reproduce[0] != '\0')
        put_pair(&list->json, "reproduce", now->reproduce);
    lb_doc_printf(&says, "%s -> %s", was ? was : "absent", lb_verdict_name(now->verdict));
    lb_doc_puts(&says, now->reason[0] != '\0' ? ": " : "");
    lb_escape_line(&says, now->reason);
    close_entry(diff, list, now, &says, change == LB_NEWLY_FAILING ? now->reproduce : NULL);
}

/* An entry with a figure before and after. */
static void note_figure(lb_diff *diff, lb_change change, const lb_result *now, const char *figure,
                        const char *unit, double before, double after)
{
    lb_change_list *list = open_entry(diff, change, now);
    lb_doc says = lb_doc_make();
    put_pair(&list->json, "function", now->function);
    put_pair(&list->json, "figure", figure);
    lb_doc_puts(&list->json, ",\"was\":");
    lb_doc_double(&list->json, before, 9, "null");
    lb_doc_puts(&list->json, ",\"now\":");
    lb_doc_double(&list->json, after, 9, "null");
    lb_doc_printf(&says, "%s ", figure);
    lb_doc_double(&says, before, 6, "none");
    lb_doc_puts(&says, " -> ");
    lb_doc_double(&says, after, 6, "none");
    lb_doc_printf(&says, " %s", unit);
    close_entry(diff, list, now, &says, NULL);
}

/* ---- Comparing ---- */

/* Figures have 9 digits in the file; what differs by less is the same. */
static bool is_same_figure(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-8 * (fabs(a) + fabs(b));
}

static void compare_errors(lb_diff *diff, const record *before, const record *after,
                           const lb_result *now)
{
    static const struct {
        const char *name;
        size_t offset;
    } figures[] = {{"max_steps", offsetof(errors, max_steps)},
                   {"rms_steps", offsetof(errors, rms_steps)},
                   {"mean_steps", offsetof(errors, mean_steps)}};
    unsigned count = before->tolerance_count < after->tolerance_count ? before->tolerance_count
                                                                      : after->tolerance_count;
    for (unsigned t = 0; t < count; t++) {
        for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
            double a, b;
            memcpy(&a, (const char *)&before->tolerances[t] + figures[i].offset, sizeof a);
            memcpy(&b, (const char *)&after->tolerances[t] + figures[i].offset, sizeof b);
            if (!is_same_figure(a, b)) {
                note_figure(diff, LB_DRIFTED, now, figures[i].name, "steps", a, b);
                return;
            }
        }
    }
}

/* What takes longer is kept until all times are known, and with them how much they scatter. */
static bool compare_times(lb_diff *diff, double before, double after, const lb_result *now)
{
    if (before <= 0 || !diff->has_call_times)
        return true;
    bool good = lb_call_times_add(&diff->times, before, after);
    if (after - before < least_microseconds ||
        (after - before) * 100 <= before * diff->options->slower_percent)
        return good;
    const lb_longer_call call = {.suite = strdup(now->suite),
                                 .id = strdup(now->id),
                                 .profile = strdup(now->profile),
                                 .function = strdup(now->function),
                                 .before = before,
                                 .after = after};
    return lb_call_times_add_longer(&diff->times, &call) && good;
}

static void note_slower(lb_diff *diff)
{
    diff->noise = lb_call_times_noise(&diff->times);
    for (size_t i = 0; i < diff->times.longer_count; i++) {
        const lb_longer_call *call = &diff->times.longer[i];
        const lb_result now = {.suite = call->suite,
                               .id = call->id,
                               .profile = call->profile,
                               .function = call->function};
        if (call->after > call->before * diff->noise.beyond)
            note_figure(diff, LB_SLOWER, &now, "microseconds", "us", call->before, call->after);
    }
}

static bool compare_figures(lb_diff *diff, const record *before, const record *after,
                            const lb_result *now)
{
    if (before->verdict == LB_PASS && after->verdict == LB_PASS)
        compare_errors(diff, before, after, now);
    if (before->headroom != INT_MAX && after->headroom < before->headroom) {
        note_figure(diff, LB_HEADROOM_LOST, now, "headroom", "bits", before->headroom,
                    after->headroom);
    }
    return compare_times(diff, before->microseconds, after->microseconds, now);
}

static bool compare_result(lb_diff *diff, record *before, const lb_result *now)
{
    if (!before) {
        note_verdict(diff, LB_NEW, now, NULL);
        if (is_failing(now->verdict))
            note_verdict(diff, LB_NEWLY_FAILING, now, NULL);
        return true;
    }
    record after = make_record(now);
    const char *was = lb_verdict_name(before->verdict);
    before->seen = true;
    if (is_failing(now->verdict) && !is_failing(before->verdict))
        note_verdict(diff, LB_NEWLY_FAILING, now, was);
    else if (now->verdict == LB_PASS &&
             (is_failing(before->verdict) || before->verdict == LB_WAIVED))
        note_verdict(diff, LB_NEWLY_PASSING, now, was);
    else if (now->verdict != before->verdict)
        note_verdict(diff, LB_CHANGED, now, was);
    return compare_figures(diff, before, &after, now);
}

static bool read_b(lb_diff *diff, lb_doc *key, char *error, size_t error_bytes)
{
    const lb_result *result;
    while ((result = lb_results_next(diff->b, error, error_bytes)) != NULL) {
        if (!compare_result(diff, find_record(diff, key, result), result)) {
            snprintf(error, error_bytes, "out of memory");
            return false;
        }
    }
    return error[0] == '\0';
}

/* A key is cut at its line ends, which no name holds: one that did is shown cut. */
static void note_vanished(lb_diff *diff)
{
    for (size_t i = 0; i < diff->keys.count; i++) {
        if (diff->records[i].seen)
            continue;
        char *suite = diff->keys.list[i];
        char *id = suite + strcspn(suite, "\n");
        char *profile = id + 1 + strcspn(id + 1, "\n");
        *id++ = '\0';
        *profile++ = '\0';
        profile[strcspn(profile, "\n")] = '\0';
        const lb_result gone = {.suite = suite, .id = id, .profile = profile};
        lb_change_list *list = open_entry(diff, LB_VANISHED, &gone);
        lb_doc says = lb_doc_make();
        put_pair(&list->json, "was", lb_verdict_name(diff->records[i].verdict));
        lb_doc_printf(&says, "%s -> absent", lb_verdict_name(diff->records[i].verdict));
        close_entry(diff, list, &gone, &says, NULL);
    }
}

static const lb_speed *find_speed(const lb_run_info *info, const lb_speed *wanted)
{
    for (size_t i = 0; i < info->speed_count; i++)
        if (strcmp(info->speed[i].row, wanted->row) == 0 &&
            strcmp(info->speed[i].cpu, wanted->cpu) == 0)
            return &info->speed[i];
    return NULL;
}

/* By how many percent the rate before must be the higher one, so that the row is slower. */
static double row_limit(const lb_speed *before, const lb_speed *after)
{
    double limit = noises * (before->noise_percent + after->noise_percent);
    return before->noise_percent <= 0 || after->noise_percent <= 0 ? row_percent
           : limit < least_row_percent                             ? least_row_percent
                                                                   : limit;
}

/* Rows of the benchmark stand among the slower ones as well: the row is the case, its level the
 * profile. */
static void compare_speed(lb_diff *diff)
{
    const lb_run_info *b = lb_results_info(diff->b);
    for (size_t i = 0; i < b->speed_count; i++) {
        const lb_speed *after = &b->speed[i], *before = find_speed(lb_results_info(diff->a), after);
        if (before && after->rate * (1 + row_limit(before, after) / 100) < before->rate) {
            const lb_result row = {.suite = "bench",
                                   .id = after->row,
                                   .profile = after->cpu,
                                   .function = after->function};
            note_figure(diff, LB_SLOWER, &row, "rate", after->unit, before->rate, after->rate);
        }
    }
}

/* Shares of the bank's faults that the suites catch, where both were measured on cases of the same
 * level: the level stands as the profile. */
static void compare_strength(lb_diff *diff)
{
    const lb_run_info *a = lb_results_info(diff->a), *b = lb_results_info(diff->b);
    if (a->strength_faults == 0 || b->strength_faults == 0 ||
        strcmp(a->strength_level, b->strength_level) != 0)
        return;
    double before = 100 * (double)a->strength_caught / (double)a->strength_faults,
           after = 100 * (double)b->strength_caught / (double)b->strength_faults;
    if (after < before && !is_same_figure(before, after)) {
        const lb_result suites = {.suite = "strength",
                                  .id = "faults that the suites catch",
                                  .profile = b->strength_level,
                                  .function = ""};
        note_figure(diff, LB_WEAKER, &suites, "share", "%", before, after);
    }
}

static bool has_medians(lb_results_reader *reader)
{
    return lb_results_info(reader)->repeats >= ENOUGH_TIMES;
}

static bool has_row_times(const lb_diff *diff)
{
    const lb_run_info *b = lb_results_info(diff->b);
    bool found = false;
    for (size_t i = 0; i < b->speed_count && !found; i++)
        found = find_speed(lb_results_info(diff->a), &b->speed[i]) != NULL;
    return found;
}

bool lb_diff_make(lb_diff *diff, const lb_diff_options *options, char *error, size_t error_bytes)
{
    lb_doc key = lb_doc_make();
    bool failed = false;
    *diff = (lb_diff){.options = options};
    for (int i = 0; i < LB_CHANGE_COUNT; i++)
        diff->lists[i] = (lb_change_list){0, lb_diff_lines_make(), lb_doc_make()};
    error[0] = '\0';
    diff->a = lb_results_open(options->a_path, error, error_bytes);
    diff->b = !diff->a ? NULL : lb_results_open(options->b_path, error, error_bytes);
    diff->has_call_times = diff->b && has_medians(diff->a) && has_medians(diff->b);
    diff->has_times = diff->has_call_times || (diff->b && has_row_times(diff));
    bool made =
        diff->b && read_a(diff, &key, error, error_bytes) && read_b(diff, &key, error, error_bytes);
    if (made) {
        note_vanished(diff);
        note_slower(diff);
        compare_speed(diff);
        compare_strength(diff);
    }
    for (int i = 0; made && i < LB_CHANGE_COUNT; i++) {
        lb_diff_lines_end(&diff->lists[i].lines);
        failed = failed || diff->lists[i].lines.text.failed || diff->lists[i].json.failed;
    }
    if (made && (failed || key.failed)) {
        snprintf(error, error_bytes, "out of memory");
        made = false;
    }
    lb_doc_free(&key);
    return made;
}

void lb_diff_free(lb_diff *diff)
{
    for (int i = 0; i < LB_CHANGE_COUNT; i++) {
        lb_diff_lines_free(&diff->lists[i].lines);
        lb_doc_free(&diff->lists[i].json);
    }
    lb_results_close(diff->a);
    lb_results_close(diff->b);
    lb_call_times_free(&diff->times);
    lb_names_free(&diff->keys);
    free(diff->records);
    *diff = (lb_diff){0};
}
