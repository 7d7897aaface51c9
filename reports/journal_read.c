/* Journals made into results files: see journal_read.h. */
#include "journal_read.h"
#include "journal_line.h"
#include "json_read.h"
#include "temporary.h"

#include "names.h"
#include "results.h"
#include "results_read.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

/* journal-1 has other sums (journal_line.h). */
static const char journal_starts[][sizeof "{\"journal\":\"lastbit/journal-2\""] = {
    "{\"journal\":\"lastbit/journal-2\"", "{\"journal\":\"lastbit/journal-1\""};

/* Where the line of a result stands. */
typedef struct place {
    uint64_t order;
    off_t offset;
} place;

typedef struct converter {
    FILE *journal;
    const char *path;
    uint64_t line_number;
    char *line;
    size_t line_bytes;
    cJSON *head;
    lb_run_info info;
    const char **profiles, **chosen[LB_CHOICE_LISTS];
    lb_run_suite *suites;
    lb_run_file *files;
    lb_run_meta *meta;
    uint64_t *last_case; /* [suite]: number of the case seen last + 1 */
    lb_names names;      /* of suites, as results tell them */
    place *places;
    size_t count, room;
    lb_tally tally;
    char *error;
    size_t error_bytes;
} converter;

bool lb_is_journal(FILE *file)
{
    char start[sizeof journal_starts[0]] = "";
    bool same = fread(start, 1, sizeof start - 1, file) == sizeof start - 1 &&
                (strcmp(start, journal_starts[0]) == 0 || strcmp(start, journal_starts[1]) == 0);
    rewind(file); /* whoever reads on meets the same error, if there is one */
    return same;
}

static bool refuse(converter *c, const char *cause)
{
    snprintf(c->error, c->error_bytes, "%s:%llu: %s", c->path, (unsigned long long)c->line_number,
             cause);
    return false;
}

/* Length of the next whole line, without its end; -1: there is none. */
static ssize_t next_line(converter *c)
{
    ssize_t length = getline(&c->line, &c->line_bytes, c->journal);
    if (length <= 0 || c->line[length - 1] != '\n')
        return -1; /* a run that was killed leaves half a line */
    c->line_number++;
    length--;
    size_t object = lb_journal_line_check(c->line, (size_t)length);
    if (object > 0) /* others are judged by what they say, or do not say */
        length = (ssize_t)object;
    c->line[length] = '\0';
    return length;
}

/* ---- The head ---- */

static const char *text_of(const cJSON *object, const char *key)
{
    const char *text = lb_json_text(object, key);
    return text ? text : "";
}

static unsigned number_of(const cJSON *object, const char *key)
{
    uint64_t number;
    return lb_json_count(object, key, &number) && number >= 1 && number <= 1000000000
               ? (unsigned)number
               : 1;
}

/* What the run chose: patterns. */
static bool read_chosen(converter *c)
{
    for (size_t i = 0; i < LB_CHOICE_LISTS; i++) {
        const cJSON *list = cJSON_GetObjectItemCaseSensitive(c->head, lb_choice_lists[i].key);
        const cJSON *item;
        lb_words *words = lb_choice_words(&c->info.chosen, i);
        c->chosen[i] = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *c->chosen[i]);
        if (!c->chosen[i])
            return refuse(c, "out of memory");
        cJSON_ArrayForEach(item, list)
        {
            c->chosen[i][words->count++] = cJSON_IsString(item) ? item->valuestring : "";
        }
        words->list = c->chosen[i];
    }
    return true;
}

static bool read_lists(converter *c)
{
    const cJSON *profiles = cJSON_GetObjectItemCaseSensitive(c->head, "profiles");
    const cJSON *suites = cJSON_GetObjectItemCaseSensitive(c->head, "suites");
    const cJSON *item;
    if (!cJSON_IsArray(profiles) || !cJSON_IsArray(suites))
        return refuse(c, "the journal's head has no profiles or no suites");
    c->profiles = calloc((size_t)cJSON_GetArraySize(profiles) + 1, sizeof *c->profiles);
    c->suites = calloc((size_t)cJSON_GetArraySize(suites) + 1, sizeof *c->suites);
    c->last_case = calloc((size_t)cJSON_GetArraySize(suites) + 1, sizeof *c->last_case);
    if (!c->profiles || !c->suites || !c->last_case)
        return refuse(c, "out of memory");
    cJSON_ArrayForEach(item, profiles)
    {
        c->profiles[c->info.profile_count++] = cJSON_IsString(item) ? item->valuestring : "";
    }
    cJSON_ArrayForEach(item, suites)
    {
        const char *file = text_of(item, "file");
        c->suites[c->info.suite_count++] = (lb_run_suite){file, file, text_of(item, "sha256"), 0};
    }
    return true;
}

static bool read_files(converter *c)
{
    const cJSON *files = cJSON_GetObjectItemCaseSensitive(c->head, "files");
    const cJSON *meta = cJSON_GetObjectItemCaseSensitive(c->head, "meta");
    const cJSON *item;
    c->files = calloc((size_t)cJSON_GetArraySize(files) + 1, sizeof *c->files);
    c->meta = calloc((size_t)cJSON_GetArraySize(meta) + 1, sizeof *c->meta);
    if (!c->files || !c->meta)
        return refuse(c, "out of memory");
    cJSON_ArrayForEach(item, files)
    {
        c->files[c->info.file_count++] =
            (lb_run_file){text_of(item, "role"), text_of(item, "file"), text_of(item, "named"),
                          text_of(item, "suite"), text_of(item, "sha256")};
    }
    cJSON_ArrayForEach(item, meta)
    {
        c->meta[c->info.meta_count++] = (lb_run_meta){text_of(item, "key"), text_of(item, "value")};
    }
    c->info.files = c->files;
    c->info.meta = c->meta;
    return true;
}

/* Journals of before 2026-11-26 do not tell. */
static uint64_t expected_of(const cJSON *head)
{
    const cJSON *told = cJSON_GetObjectItemCaseSensitive(head, "expected");
    const double most = (double)LB_EXPECTED_UNKNOWN;
    return cJSON_IsNumber(told) && told->valuedouble >= 0 && told->valuedouble < most
               ? (uint64_t)told->valuedouble
               : LB_EXPECTED_UNKNOWN;
}

static bool read_head(converter *c)
{
    ssize_t length = next_line(c);
    c->head = length < 0 ? NULL : cJSON_ParseWithLength(c->line, (size_t)length);
    if (!cJSON_IsObject(c->head))
        return refuse(c, "the first line is no head of a journal");
    c->info = (lb_run_info){
        .tool_version = text_of(c->head, "tool"),
        .started = "",
        .command = "not known: from the journal of a run that may not have come to its end",
        .port = text_of(c->head, "port"),
        .tool_commit = text_of(c->head, "commit"),
        .port_sha256 = text_of(c->head, "port_sha256"),
        .port_described = text_of(c->head, "port_described"),
        .port_target = text_of(c->head, "port_target"),
        .port_compiler = text_of(c->head, "port_compiler"),
        .port_options = text_of(c->head, "port_options"),
        .port_library_options = text_of(c->head, "port_library_options"),
        .port_contradiction = "",
        .port_sandbox = text_of(c->head, "port_sandbox"),
        .host = "",
        .host_compiler = "",
        .exhaustive = "",
        .certify_seed = text_of(c->head, "certify_seed"),
        .certify_drawn = text_of(c->head, "certify_drawn"),
        .calls = cJSON_HasObjectItem(c->head, "calls") ? number_of(c->head, "calls") : 0,
        .platforms = text_of(c->head, "platforms"),
        .guard = text_of(c->head, "guard"),
        .coverage_level = text_of(c->head, "level"),
        .judge = text_of(c->head, "judge"),
        .tolerance = text_of(c->head, "tolerance"),
        .cpu = "",
        .buffers =
            cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(c->head, "misalign")) ? "misaligned" : "",
        .shard_index = number_of(c->head, "shard"),
        .shard_count = number_of(c->head, "shards"),
        .expected = expected_of(c->head)};
    if (!read_lists(c) || !read_chosen(c) || !read_files(c))
        return false;
    if (c->info.shard_index > c->info.shard_count)
        return refuse(c, "\"shard\" is beyond \"shards\"");
    c->info.profiles = c->profiles;
    c->info.suites = c->suites;
    return true;
}

/* ---- Results ---- */

/* The head tells files; names and cases come from the results. */
static bool note_suite(converter *c, const lb_result *result)
{
    uint64_t number = result->order / (c->info.profile_count > 0 ? c->info.profile_count : 1) + 1;
    for (size_t i = 0; i < c->info.suite_count; i++) {
        if (strcmp(c->suites[i].file, result->file) == 0) {
            size_t name = lb_names_add(&c->names, result->suite);
            if (name == LB_NO_NAME)
                return refuse(c, "out of memory");
            c->suites[i].name = c->names.list[name];
            c->suites[i].cases += c->last_case[i] != number;
            c->last_case[i] = number;
        }
    }
    return true;
}

static bool keep_place(converter *c, uint64_t order, off_t offset)
{
    if (c->count == c->room) {
        size_t room = c->room == 0 ? 1024 : c->room * 2;
        place *places = realloc(c->places, room * sizeof *places);
        if (!places)
            return refuse(c, "out of memory");
        c->places = places;
        c->room = room;
    }
    c->places[c->count++] = (place){order, offset};
    return true;
}

static bool read_line(converter *c, size_t length, off_t offset)
{
    char cause[300] = "not one whole result";
    lb_result result;
    if (strncmp(c->line, "{\"coverage\":", 12) == 0)
        return true; /* points that were hit; which ones there are, only the finished run tells */
    cJSON *object = cJSON_ParseWithLength(c->line, length);
    bool good = object && lb_result_from_json(object, &result, cause, sizeof cause);
    if (!good)
        (void)refuse(c, cause);
    good = good && keep_place(c, result.order, offset);
    cJSON_Delete(object);
    return good;
}

static bool read_results(converter *c)
{
    off_t offset = ftello(c->journal);
    ssize_t length;
    while ((length = next_line(c)) >= 0) {
        if (!read_line(c, (size_t)length, offset))
            return false;
        offset = ftello(c->journal);
    }
    return true;
}

static int by_order(const void *a, const void *b)
{
    const place *left = a, *right = b;
    if (left->order != right->order)
        return left->order < right->order ? -1 : 1;
    return (left->offset > right->offset) - (left->offset < right->offset);
}

/* Of a result that stands there twice the first stays. */
static void sort_places(converter *c)
{
    size_t kept = 0;
    if (c->count > 0)
        qsort(c->places, c->count, sizeof *c->places, by_order);
    for (size_t i = 0; i < c->count; i++)
        if (kept == 0 || c->places[kept - 1].order != c->places[i].order)
            c->places[kept++] = c->places[i];
    c->count = kept;
}

/* ---- Written ---- */

/* Verdicts and suites of the results that stay, in their order. Every line was read as a result
 * before. */
static bool count_results(converter *c)
{
    for (size_t i = 0; i < c->count; i++) {
        char cause[300];
        lb_result result;
        ssize_t length = fseeko(c->journal, c->places[i].offset, SEEK_SET) == 0 ? next_line(c) : -1;
        cJSON *object = length < 0 ? NULL : cJSON_ParseWithLength(c->line, (size_t)length);
        bool good = object && lb_result_from_json(object, &result, cause, sizeof cause);
        if (good)
            c->tally.count[result.verdict]++;
        else
            (void)refuse(c, "the journal changed while it was read");
        good = good && note_suite(c, &result);
        cJSON_Delete(object);
        if (!good)
            return false;
    }
    return true;
}

static bool write_lines(converter *c, FILE *out)
{
    for (size_t i = 0; i < c->count; i++) {
        ssize_t length = fseeko(c->journal, c->places[i].offset, SEEK_SET) == 0 ? next_line(c) : -1;
        if (length < 0 || !lb_results_write_line(out, c->line, (size_t)length, i == 0))
            return refuse(c, "the journal changed while it was read, or the disk is full");
    }
    return true;
}

static FILE *write_results(converter *c)
{
    FILE *out = lb_temporary_file();
    sort_places(c);
    bool good = out && count_results(c) && lb_results_write_head(out, &c->info, &c->tally) &&
                write_lines(c, out) && lb_results_write_tail(out) && fflush(out) == 0;
    if (good) {
        rewind(out);
        return out;
    }
    if (c->error[0] == '\0') {
        snprintf(c->error, c->error_bytes, "%s: cannot be made into results: the disk may be full",
                 c->path);
    }
    if (out)
        fclose(out);
    return NULL;
}

FILE *lb_journal_convert(FILE *journal, const char *path, char *error, size_t error_bytes)
{
    converter c = {.journal = journal, .path = path, .error = error, .error_bytes = error_bytes};
    error[0] = '\0';
    FILE *out = read_head(&c) && read_results(&c) ? write_results(&c) : NULL;
    cJSON_Delete(c.head);
    lb_names_free(&c.names);
    free(c.line);
    free(c.profiles);
    for (size_t i = 0; i < LB_CHOICE_LISTS; i++)
        free(c.chosen[i]);
    free(c.suites);
    free(c.files);
    free(c.meta);
    free(c.last_case);
    free(c.places);
    return out;
}
