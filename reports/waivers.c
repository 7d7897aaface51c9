/* Waivers held against results: see waivers.h. The file they come from is read elsewhere: this room
 * knows no YAML. */
#include "waivers.h"
#include "temporary.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- Dates ---- */

static bool read_digits(const char *text, size_t count, unsigned *value)
{
    *value = 0;
    for (size_t i = 0; i < count; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        *value = *value * 10 + (unsigned)(text[i] - '0');
    }
    return true;
}

bool lb_waiver_date_is_good(const char *text)
{
    static const unsigned days_of[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    unsigned year, month, day;
    if (strlen(text) != 10 || text[4] != '-' || text[7] != '-' || !read_digits(text, 4, &year) ||
        !read_digits(text + 5, 2, &month) || !read_digits(text + 8, 2, &day) || month < 1 ||
        month > 12)
        return false;
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return day >= 1 && day <= days_of[month - 1] + (month == 2 && leap);
}

void lb_waiver_today(char text[11])
{
    time_t now = time(NULL);
    struct tm utc;
    snprintf(text, 11, "9999-12-31"); /* without a clock no waiver holds */
    if (gmtime_r(&now, &utc))
        strftime(text, 11, "%Y-%m-%d", &utc);
}

bool lb_waiver_has_expired(const lb_waiver *waiver, const char *today)
{
    return strcmp(today, waiver->expires) > 0;
}

/* ---- Matching ---- */

static bool matches(const char *pattern, const char *text)
{
    return fnmatch(pattern, text, 0) == 0;
}

void lb_waivers_apply(lb_waivers *waivers, const char *port, lb_result *result)
{
    bool failed = result->verdict == LB_FAIL || result->verdict == LB_ERROR;
    bool waived = false;
    if (!failed && result->verdict != LB_WAIVED)
        return;
    for (size_t i = 0; i < waivers->count; i++) {
        lb_waiver *waiver = &waivers->list[i];
        if (!matches(waiver->case_pattern, result->id) ||
            !matches(waiver->profile, result->profile) || !matches(waiver->port, port))
            continue;
        waiver->used++;
        if (failed && !waived) { /* the first that matches signs */
            result->was = lb_verdict_name(result->verdict);
            result->verdict = LB_WAIVED;
            result->waiver = waiver->words;
            waived = true;
        }
    }
}

/* Whether this run could have used the waiver at all. */
static bool concerns(const lb_waiver *waiver, const lb_run_info *info)
{
    bool has_profile = false;
    for (size_t i = 0; i < info->profile_count; i++)
        has_profile = has_profile || matches(waiver->profile, info->profiles[i]);
    return has_profile && matches(waiver->port, info->port);
}

unsigned lb_waivers_tell_unused(const lb_waivers *waivers, const lb_run_info *info)
{
    unsigned unused = 0;
    if (info->shard_count > 1 || lb_run_chooses_cases(info))
        return 0;
    for (size_t i = 0; i < waivers->count; i++) {
        const lb_waiver *waiver = &waivers->list[i];
        if (waiver->used == 0 && concerns(waiver, info)) {
            fprintf(stderr,
                    "lastbit: %s:%u: unused waiver: nothing that matches case \"%.200s\", profile "
                    "\"%.60s\" and port "
                    "\"%.200s\" fails; remove it, or correct its pattern\n",
                    waivers->path, waiver->line, waiver->case_pattern, waiver->profile,
                    waiver->port);
            unused++;
        }
    }
    return unused;
}

/* ---- Stored results ---- */

static bool count_verdicts(lb_waivers *waivers, lb_results_reader *reader, lb_tally *tally,
                           char *error, size_t error_bytes)
{
    const lb_result *result;
    while ((result = lb_results_next(reader, error, error_bytes)) != NULL) {
        lb_result waived = *result;
        lb_waivers_apply(waivers, lb_results_info(reader)->port, &waived);
        tally->count[waived.verdict]++;
    }
    return error[0] == '\0' && lb_results_rewind(reader);
}

/* Writes the results again with waivers applied. On failure gives false and a message in error. */
static bool waivers_rewrite(lb_waivers *waivers, lb_results_reader *reader, FILE *out, char *error,
                            size_t error_bytes)
{
    const lb_run_info *info = lb_results_info(reader);
    const lb_result *result;
    lb_tally tally = {{0}};
    char *line = NULL;
    size_t line_bytes = 0;
    bool first = true;
    error[0] = '\0';
    bool written = count_verdicts(waivers, reader, &tally, error, error_bytes) &&
                   lb_results_write_head(out, info, &tally);
    while (written && (result = lb_results_next(reader, error, error_bytes)) != NULL) {
        lb_result waived = *result;
        lb_waivers_apply(waivers, info->port, &waived);
        written = lb_results_write_result(out, &waived, first, &line, &line_bytes);
        first = false;
    }
    for (size_t i = 0; i < waivers->count; i++)
        waivers->list[i].used /= 2; /* every result was seen twice */
    free(line);
    written = written && error[0] == '\0' && lb_results_write_tail(out) && fflush(out) == 0;
    if (!written && error[0] == '\0')
        snprintf(error, error_bytes, "out of memory, or the disk is full");
    return written;
}

static lb_results_reader *open_rewritten(lb_waivers *waivers, lb_results_reader *reader,
                                         char *error, size_t error_bytes)
{
    char path[4096];
    snprintf(path, sizeof path, "%.4000s/lastbit-waived-XXXXXX", lb_temporary_folder());
    int descriptor = mkstemp(path);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
    lb_results_reader *rewritten = NULL;
    if (!file)
        snprintf(error, error_bytes, "%s: cannot write: %s", path, strerror(errno));
    else if (waivers_rewrite(waivers, reader, file, error, error_bytes))
        rewritten = lb_results_open(path, error, error_bytes);
    if (file)
        fclose(file);
    else if (descriptor >= 0)
        close(descriptor);
    if (descriptor >= 0)
        unlink(path); /* the reader keeps it open */
    return rewritten;
}

lb_results_reader *lb_waivers_open(lb_waivers *waivers, const char *path, char *error,
                                   size_t error_bytes)
{
    lb_results_reader *reader = lb_results_open(path, error, error_bytes);
    if (!reader)
        return NULL;
    lb_results_reader *rewritten = open_rewritten(waivers, reader, error, error_bytes);
    lb_results_close(reader);
    if (!rewritten)
        return NULL;
    unsigned unused = lb_waivers_tell_unused(waivers, lb_results_info(rewritten));
    if (unused > 0) {
        snprintf(error, error_bytes, "%s: %u unused waiver%s for these results", waivers->path,
                 unused, unused == 1 ? "" : "s");
        lb_results_close(rewritten);
        return NULL;
    }
    return rewritten;
}
