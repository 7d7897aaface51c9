/* Stored runs read and put in order: see history.h. */
#include "history.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool out_of_memory(char *error, size_t error_bytes)
{
    snprintf(error, error_bytes, "out of memory");
    return false;
}

/* ---- One run ---- */

/* What decides which results come out: the port's file and the suites. */
static char *digest_of(const lb_run_info *info)
{
    lb_doc doc = lb_doc_make();
    lb_doc_puts(&doc, info->port_sha256);
    for (size_t i = 0; i < info->suite_count; i++)
        lb_doc_puts(&doc, info->suites[i].sha256);
    if (info->port_sha256[0] == '\0')
        lb_doc_cut(&doc, 0);
    lb_doc_char(&doc, '\0');
    char *text = doc.failed ? NULL : strdup(doc.text);
    lb_doc_free(&doc);
    return text;
}

static const char *product_of(const lb_run_info *info)
{
    for (size_t i = 0; i < info->meta_count; i++)
        if (strcmp(info->meta[i].key, "revision") == 0 || strcmp(info->meta[i].key, "product") == 0)
            return info->meta[i].value;
    return "";
}

static bool keep_speed(lb_history_run *run, const lb_run_info *info)
{
    run->rows = calloc(info->speed_count + 1, sizeof *run->rows);
    for (size_t i = 0; run->rows && i < info->speed_count; i++) {
        lb_speed *row = &run->rows[run->row_count];
        *row = (lb_speed){.row = strdup(info->speed[i].row),
                          .cpu = strdup(info->speed[i].cpu),
                          .rate = info->speed[i].rate};
        run->row_count++;
        if (!row->row || !row->cpu)
            return false;
    }
    return run->rows != NULL;
}

static bool keep_head(lb_history_run *run, const char *path, const lb_run_info *info)
{
    *run = (lb_history_run){.path = strdup(path),
                            .started = strdup(info->started),
                            .port = strdup(info->port),
                            .commit = strdup(info->tool_commit),
                            .product = strdup(product_of(info)),
                            .sha256 = digest_of(info),
                            .is_part = lb_run_is_part(info),
                            .faults = info->strength_faults,
                            .caught = info->strength_caught,
                            .headroom = INT_MAX};
    lb_run_coverage(info, &run->points, &run->hit);
    return run->path && run->started && run->port && run->commit && run->product && run->sha256 &&
           keep_speed(run, info);
}

/* Puts a byte at `number` of an array that grows; new places hold 0. */
static bool put_byte(unsigned char **list, size_t *room, size_t number, unsigned char byte)
{
    if (number >= *room) {
        size_t more = (number + 1) * 2;
        unsigned char *larger = realloc(*list, more);
        if (!larger)
            return false;
        memset(larger + *room, 0, more - *room);
        *list = larger;
        *room = more;
    }
    (*list)[number] = byte;
    return true;
}

static bool keep_result(lb_history *h, lb_history_run *run, const lb_result *result, lb_doc *key)
{
    lb_doc_cut(key, 0);
    lb_doc_puts(key, result->suite);
    lb_doc_char(key, '\n');
    lb_doc_puts(key, result->id);
    lb_doc_char(key, '\n');
    lb_doc_puts(key, result->profile);
    lb_doc_puts(key, result->cpu[0] != '\0' ? " " : "");
    lb_doc_puts(key, result->cpu);
    lb_doc_char(key, '\0');
    size_t number = key->failed ? LB_NO_NAME : lb_names_add(&h->cases, key->text);
    const lb_accumulator_use *use = &result->accumulator;
    run->tally.count[result->verdict]++;
    if (result->verdict == LB_PASS)
        run->microseconds += result->microseconds;
    if (use->acc_bits > 0 && !lb_result_overflows_on_purpose(result) &&
        use->acc_bits - lb_accumulator_needed(use) < run->headroom)
        run->headroom = use->acc_bits - lb_accumulator_needed(use);
    return number != LB_NO_NAME &&
           put_byte(&run->verdicts, &run->verdict_count, number,
                    (unsigned char)(1 + result->verdict)) &&
           (result->again[0] == '\0' || put_byte(&h->again, &h->again_room, number, 1));
}

static bool read_run(lb_history *h, const char *path, char *error, size_t error_bytes)
{
    lb_doc key = lb_doc_make();
    lb_results_reader *reader = lb_results_open(path, error, error_bytes);
    if (!reader)
        return false;
    if (h->count == h->room) {
        size_t room = h->room == 0 ? 16 : h->room * 2;
        lb_history_run *runs = realloc(h->runs, room * sizeof *runs);
        if (!runs) {
            lb_results_close(reader);
            return out_of_memory(error, error_bytes);
        }
        h->runs = runs;
        h->room = room;
    }
    lb_history_run *run = &h->runs[h->count++];
    bool good = keep_head(run, path, lb_results_info(reader));
    run->is_short = lb_run_is_short(lb_results_info(reader), lb_results_tally(reader));
    const lb_result *result;
    while (good && (result = lb_results_next(reader, error, error_bytes)) != NULL)
        good = keep_result(h, run, result, &key);
    lb_results_close(reader);
    lb_doc_free(&key);
    return good ? error[0] == '\0' : out_of_memory(error, error_bytes);
}

/* ---- Files and folders ---- */

/* Does the file begin as results do? Other JSON files lie beside them. */
static bool holds_results(const char *path)
{
    static const char start[] = "\"lastbit/results-";
    char head[256];
    FILE *file = fopen(path, "rb");
    size_t length = file ? fread(head, 1, sizeof head - 1, file) : 0;
    head[length] = '\0';
    if (file)
        fclose(file);
    return strstr(head, start) != NULL;
}

static bool is_json(const char *path)
{
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    size_t length = strlen(name);
    return length > 5 && strcmp(name + length - 5, ".json") == 0 &&
           strcmp(name, LB_PREVIOUS_RESULTS) != 0;
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static bool read_folder(lb_history *h, const char *path, unsigned depth, char *error,
                        size_t error_bytes);

static bool read_entry(lb_history *h, const char *path, unsigned depth, char *error,
                       size_t error_bytes)
{
    struct stat there;
    if (lstat(path, &there) != 0)
        return true; /* gone in the meantime */
    if (S_ISDIR(there.st_mode))
        return read_folder(h, path, depth + 1, error, error_bytes);
    return !is_json(path) || !holds_results(path) || read_run(h, path, error, error_bytes);
}

static bool read_folder(lb_history *h, const char *path, unsigned depth, char *error,
                        size_t error_bytes)
{
    enum { DEEPEST = 32 };
    struct dirent **entries;
    int count = depth < DEEPEST ? scandir(path, &entries, is_visible, alphasort) : 0;
    bool good = true;
    if (count < 0) {
        snprintf(error, error_bytes, "%.400s: %s", path, strerror(errno));
        return false;
    }
    for (int i = 0; i < count; i++) {
        lb_doc name = lb_doc_make();
        lb_doc_puts(&name, path);
        lb_doc_char(&name, '/');
        lb_doc_puts(&name, entries[i]->d_name);
        lb_doc_char(&name, '\0');
        good = good && (name.failed ? out_of_memory(error, error_bytes)
                                    : read_entry(h, name.text, depth, error, error_bytes));
        lb_doc_free(&name);
        free(entries[i]);
    }
    if (depth < DEEPEST)
        free(entries);
    return good;
}

static bool read_path(lb_history *h, const char *path, char *error, size_t error_bytes)
{
    struct stat there;
    size_t before = h->count;
    if (stat(path, &there) == 0 && S_ISDIR(there.st_mode)) {
        if (read_folder(h, path, 0, error, error_bytes) && h->count == before) {
            snprintf(error, error_bytes,
                     "%.400s: no file of results is in this folder: expected .json files that "
                     "\"lastbit run --report\" wrote",
                     path);
        }
        return error[0] == '\0';
    }
    return read_run(h, path, error, error_bytes);
}

/* ---- What all runs together say ---- */

static int by_time(const void *a, const void *b)
{
    const lb_history_run *x = a, *y = b;
    int order = strcmp(x->started, y->started);
    return order != 0 ? order : strcmp(x->path, y->path);
}

/* 1 it fails, 0 it passes, -1 neither: it was not there, skipped or waived. */
static int fails_in(const lb_history_run *run, size_t number)
{
    unsigned known = number < run->verdict_count ? run->verdicts[number] : 0;
    return known == 1 + LB_PASS ? 0 : known == 1 + LB_FAIL || known == 1 + LB_ERROR ? 1 : -1;
}

static void follow_case(lb_history *h, size_t number)
{
    lb_history_case *c = &h->facts[number];
    const lb_history_run *before = NULL;
    *c = (lb_history_case){.failing_since = SIZE_MAX};
    for (size_t i = 0; i < h->count; i++) {
        const lb_history_run *run = &h->runs[i];
        int now = fails_in(run, number);
        if (now < 0)
            continue;
        if (before && fails_in(before, number) != now) {
            c->changes++;
            c->unsteady += run->sha256[0] != '\0' && strcmp(run->sha256, before->sha256) == 0;
        }
        c->failing_since = now == 0                       ? SIZE_MAX
                           : c->failing_since == SIZE_MAX ? i
                                                          : c->failing_since;
        before = run;
    }
    c->unsteady += number < h->again_room && h->again[number];
    if (h->count == 0 || fails_in(&h->runs[h->count - 1], number) != 1)
        c->failing_since = SIZE_MAX;
}

static double first_rate(const lb_history *h, const lb_speed *row)
{
    for (size_t i = 0; i < h->count; i++) {
        for (size_t r = 0; r < h->runs[i].row_count; r++) {
            const lb_speed *other = &h->runs[i].rows[r];
            if (strcmp(other->row, row->row) == 0 && strcmp(other->cpu, row->cpu) == 0)
                return other->rate;
        }
    }
    return 0;
}

static void compare_speed(lb_history *h, lb_history_run *run)
{
    double sum = 0;
    size_t count = 0;
    for (size_t r = 0; r < run->row_count; r++) {
        double first = first_rate(h, &run->rows[r]);
        if (first > 0 && run->rows[r].rate > 0) {
            sum += log(run->rows[r].rate / first);
            count++;
        }
    }
    run->speed = count > 0 ? exp(sum / (double)count) : 0;
}

bool lb_history_read(lb_history *h, char *const *paths, size_t count, char *error,
                     size_t error_bytes)
{
    *h = (lb_history){.count = 0};
    error[0] = '\0';
    for (size_t i = 0; i < count; i++)
        if (!read_path(h, paths[i], error, error_bytes))
            return false;
    qsort(h->runs, h->count, sizeof *h->runs, by_time);
    h->facts = calloc(h->cases.count + 1, sizeof *h->facts);
    if (!h->facts)
        return out_of_memory(error, error_bytes);
    for (size_t i = 0; i < h->cases.count; i++)
        follow_case(h, i);
    for (size_t i = 0; i < h->count; i++)
        compare_speed(h, &h->runs[i]);
    return true;
}

static void free_run(lb_history_run *run)
{
    for (size_t r = 0; r < run->row_count; r++) {
        free((char *)run->rows[r].row);
        free((char *)run->rows[r].cpu);
    }
    free(run->rows);
    free(run->path);
    free(run->started);
    free(run->port);
    free(run->commit);
    free(run->product);
    free(run->sha256);
    free(run->verdicts);
}

void lb_history_free(lb_history *h)
{
    for (size_t i = 0; i < h->count; i++)
        free_run(&h->runs[i]);
    free(h->runs);
    free(h->facts);
    free(h->again);
    lb_names_free(&h->cases);
    *h = (lb_history){.count = 0};
}
