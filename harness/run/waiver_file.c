/* Waiver files: see waiver_file.h. */
#include "harness/run/waiver_file.h"
#include "harness/base/utf8.h"
#include "harness/base/xalloc.h"
#include "harness/json/text_file.h"
#include "harness/json/yaml_reader.h"
#include "harness/suite/decode.h"

#include "reports/journal_line.h"
#include "reports/results_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

enum { MAX_FILE_BYTES = 16 << 20, MAX_WORD_BYTES = 400, MAX_REASON_BYTES = 2000 };
enum { W_CASE, W_PORT, W_PROFILE, W_OWNER, W_REASON, W_LINK, W_EXPIRES, W_KEY_COUNT };

static const lb_key keys[W_KEY_COUNT + 1] = {
    {"case", true},   {"port", false}, {"profile", false}, {"owner", true},
    {"reason", true}, {"link", false}, {"expires", true},  {NULL, false}};

typedef struct loader {
    lb_problems *problems;
    lb_arena *arena;
    lb_waivers *waivers;
    size_t capacity;
    char today[11];
} loader;

/* ---- One waiver ---- */

/* "dsp-team: rounding of the vector unit (https://bugs.example/41), until 2031-12-31" */
static char *make_words(const lb_waiver *w, lb_arena *arena)
{
    bool link = w->link[0] != '\0';
    return lb_arena_printf(arena, "%s: %s%s%s%s, until %s", w->owner, w->reason, link ? " (" : "",
                           w->link, link ? ")" : "", w->expires);
}

/* A reason may run over several lines of the file; it becomes one. */
static const char *read_reason(lb_decoder *d, const cJSON *node)
{
    const char *text = lb_read_text(d, node);
    if (!text)
        return NULL;
    char *line = lb_arena_strdup(d->arena, text);
    for (char *c = line; *c; c++)
        if (*c == '\n' || *c == '\t')
            *c = ' ';
    size_t length = strlen(line);
    while (length > 0 && line[length - 1] == ' ')
        line[--length] = '\0';
    if (length == 0 || length > MAX_REASON_BYTES || !lb_utf8_is_printable(line, length))
        lb_complain(d, node, NULL, "say in printable words why it may fail",
                    "a reason of %zu bytes", length);
    return line;
}

static const char *read_text_of(lb_decoder *d, const cJSON *const *slots, int key)
{
    const char *text = NULL;
    if (slots[key])
        text = key == W_REASON ? read_reason(d, slots[key])
                               : lb_read_name(d, slots[key], MAX_WORD_BYTES);
    return text ? text : key == W_PORT || key == W_PROFILE ? "*" : "";
}

static void check_date(lb_decoder *d, const cJSON *node, const loader *l, const lb_waiver *waiver)
{
    if (waiver->expires[0] == '\0')
        return;
    if (!lb_waiver_date_is_good(waiver->expires))
        lb_complain(d, node, NULL, "YYYY-MM-DD, the last day on which the waiver holds",
                    "\"%.40s\" is not a date", waiver->expires);
    else if (lb_waiver_has_expired(waiver, l->today))
        lb_complain(d, node, NULL, "mend what it covers, or have its owner sign again",
                    "the waiver of %.60s for \"%.100s\" has expired, today is %s", waiver->owner,
                    waiver->case_pattern, l->today);
}

static void take_waiver(void *user, const lb_document *document)
{
    loader *l = user;
    const cJSON *slots[W_KEY_COUNT] = {NULL};
    lb_decoder d = {
        .document = document, .problems = l->problems, .arena = l->arena, .case_id = ""};
    lb_waiver w = {.line = document->root_line};
    lb_read_members(&d, document->root, keys, slots);
    const char **texts[W_KEY_COUNT] = {&w.case_pattern, &w.port, &w.profile, &w.owner,
                                       &w.reason,       &w.link, &w.expires};
    for (int key = 0; key < W_KEY_COUNT; key++)
        *texts[key] = read_text_of(&d, slots, key);
    check_date(&d, slots[W_EXPIRES], l, &w);
    w.words = make_words(&w, l->arena);
    l->waivers->list = lb_room_for_one(l->waivers->list, l->waivers->count, &l->capacity,
                                       sizeof *l->waivers->list);
    l->waivers->list[l->waivers->count++] = w;
}

/* ---- The file ---- */

static void refuse_member(void *user, const lb_document *document)
{
    (void)user;
    (void)document;
}

/* All of a file or a pipe, as a text; NULL (reported) if it cannot be had. */
static char *read_whole(const char *path, size_t *length, lb_problems *problems)
{
    FILE *file = fopen(path, "rb");
    char *text = lb_resized(NULL, MAX_FILE_BYTES + 1);
    *length = 0;
    errno = 0;
    if (file)
        *length = fread(text, 1, MAX_FILE_BYTES + 1, file);
    bool good = file && !ferror(file) && *length <= MAX_FILE_BYTES;
    if (!good)
        lb_problem(problems, (lb_place){0}, *length > MAX_FILE_BYTES ? "at most 16 MiB" : "", "%s",
                   *length > MAX_FILE_BYTES ? "too large for a waiver file"
                                            : strerror(errno ? errno : ENOENT));
    if (file)
        fclose(file);
    if (good) {
        text[*length] = '\0';
        return text;
    }
    free(text);
    return NULL;
}

static void read_list(loader *l, const char *text, size_t length)
{
    lb_yaml_sink sink = {
        .member = refuse_member,
        .test_case = take_waiver,
        .user = l,
        .is_list = true,
        .rule =
            "a waiver file is a list of waivers: \"- case: PATTERN\" and the keys owner, reason, "
            "expires and, if need be, port, profile, link"};
    if (lb_is_utf8(text, length, l->problems))
        lb_yaml_read(text, length, &sink, l->problems);
}

bool lb_waiver_file_read(const char *path, const char *today, lb_arena *arena, lb_waivers *waivers,
                         char sha256[LB_SHA256_TEXT])
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    lb_problems problems = {.diagnostics = &diagnostics, .file = path};
    loader l = {.problems = &problems, .arena = arena, .waivers = waivers};
    size_t length;
    *waivers = (lb_waivers){.path = path};
    if (today)
        snprintf(l.today, sizeof l.today, "%s", today);
    else
        lb_waiver_today(l.today);
    char *text = read_whole(path, &length, &problems);
    if (text) {
        lb_sha256_of(text, length, sha256);
        read_list(&l, text, length);
    }
    free(text);
    if (problems.found > 0) {
        free(waivers->list);
        waivers->list = NULL;
        waivers->count = 0;
    }
    return problems.found == 0;
}

/* ---- Use ---- */

typedef struct use {
    lb_waivers *waivers;
    const char *port;
} use;

static bool count_line(void *user, uint64_t order, const char *line, size_t length)
{
    const use *u = user;
    char error[300];
    lb_result result;
    (void)order;
    if (lb_line_verdict(line, length) != LB_WAIVED)
        return true;
    cJSON *object = cJSON_ParseWithLength(line, length);
    bool good = object && lb_result_from_json(object, &result, error, sizeof error);
    if (good)
        lb_waivers_apply(u->waivers, u->port, &result);
    cJSON_Delete(object);
    return good;
}

bool lb_waivers_count_use(lb_waivers *waivers, const char *port, const lb_journal *journal,
                          uint64_t order_count)
{
    use u = {waivers, port};
    for (size_t i = 0; i < waivers->count; i++)
        waivers->list[i].used = 0; /* in this process: calls that no worker made */
    return lb_journal_in_order(journal, order_count, count_line, &u);
}
