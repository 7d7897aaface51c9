/* Failures gathered as annotations: see annotations.h. */
#include "annotations.h"
#include "scope.h"

#include <stdlib.h>
#include <string.h>

const lb_found_fault *lb_fault_named(const lb_run_info *info, const char *name)
{
    for (size_t i = 0; i < info->fault_count && name[0] != '\0'; i++)
        if (strcmp(info->faults[i].name, name) == 0)
            return &info->faults[i];
    return NULL;
}

static char *copy_of(const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = malloc(bytes);
    return !copy ? NULL : memcpy(copy, text, bytes);
}

static uint64_t effort_of(const lb_result *result)
{
    uint64_t most = (uint64_t)1 << 40;
    return ((uint64_t)result->calls << 41) + (result->elements < most ? result->elements : most);
}

/* "out[0,0,0]: expected -12 (0xf4), got -22 (0xea); 1 of 3 differ" */
static void put_message(lb_doc *doc, const lb_result *result)
{
    const lb_difference *d = &result->differences[0];
    if (result->verdict == LB_ERROR || result->difference_count == 0) {
        lb_doc_puts(doc, result->reason[0] != '\0' ? result->reason : "failed");
        return;
    }
    lb_doc_puts(doc, d->role[0] != '\0' ? d->role : lb_differs_name(d->what));
    lb_doc_puts(doc, d->field[0] != '\0' ? "." : "");
    lb_doc_puts(doc, d->field);
    if (d->index[0] != '\0') {
        lb_doc_char(doc, '[');
        lb_doc_puts(doc, d->index);
        lb_doc_char(doc, ']');
    }
    lb_doc_puts(doc, ": expected ");
    lb_doc_puts(doc, d->expected);
    lb_doc_puts(doc, ", got ");
    lb_doc_puts(doc, d->got);
    lb_doc_printf(doc, "; %llu of %llu differ", (unsigned long long)d->count,
                  (unsigned long long)d->total);
}

static bool joins(const lb_annotation *last, const lb_result *result)
{
    return last->line == result->line && last->verdict == result->verdict &&
           strcmp(last->id, result->id) == 0 && strcmp(last->file, result->file) == 0 &&
           strcmp(last->cpu, result->cpu) == 0;
}

static bool is_whole(const lb_annotation *a)
{
    return a->file && a->id && a->function && a->kind && a->section && a->fault && a->cpu &&
           a->message && a->reproduce;
}

static bool append(lb_annotations *all, const lb_result *result)
{
    if (all->count == all->room) {
        size_t room = all->room == 0 ? 64 : all->room * 2;
        lb_annotation *list = realloc(all->list, room * sizeof *list);
        if (!list)
            return false;
        all->list = list;
        all->room = room;
    }
    lb_doc message = lb_doc_make();
    put_message(&message, result);
    lb_doc_char(&message, '\0');
    all->list[all->count++] = (lb_annotation){.file = copy_of(result->file),
                                              .id = copy_of(result->id),
                                              .function = copy_of(result->function),
                                              .kind = copy_of(lb_result_kind(result)),
                                              .section = copy_of(result->section),
                                              .fault = copy_of(result->fault),
                                              .cpu = copy_of(result->cpu),
                                              .line = result->line,
                                              .verdict = result->verdict,
                                              .message = message.failed ? NULL : message.text,
                                              .reproduce = copy_of(result->reproduce),
                                              .profiles = lb_doc_make(),
                                              .effort = effort_of(result)};
    return is_whole(&all->list[all->count - 1]);
}

static bool add_result(lb_annotations *all, const lb_result *result)
{
    if (result->verdict != LB_FAIL && result->verdict != LB_ERROR)
        return true;
    lb_annotation *last = all->count > 0 ? &all->list[all->count - 1] : NULL;
    if (!last || !joins(last, result)) {
        if (all->count == LB_MAX_ANNOTATIONS) {
            all->left_out++;
            return true;
        }
        if (!append(all, result))
            return false;
        last = &all->list[all->count - 1];
    }
    lb_doc_puts(&last->profiles, last->results > 0 ? ", " : "");
    lb_doc_puts(&last->profiles, result->profile);
    last->results++;
    return !last->profiles.failed;
}

static int by_effort(const void *a, const void *b)
{
    const lb_annotation *x = a, *y = b;
    if (x->effort != y->effort)
        return x->effort < y->effort ? -1 : 1;
    int file = strcmp(x->file, y->file);
    return file != 0 ? file : x->line < y->line ? -1 : x->line > y->line;
}

/* In front of all failures: a log that shows few must show it. */
static bool add_short(lb_annotations *all, lb_results_reader *reader)
{
    const lb_run_info *info = lb_results_info(reader);
    lb_doc words = lb_doc_make();
    lb_scope_short(info, lb_results_tally(reader), &words);
    lb_doc_char(&words, '\0');
    const lb_result note = {.file = info->suite_count > 0 ? info->suites[0].file : "",
                            .id = "all results are there",
                            .function = "INCOMPLETE",
                            .kind = "incomplete",
                            .section = "",
                            .fault = "",
                            .cpu = "",
                            .line = 1,
                            .verdict = LB_ERROR,
                            .reason = words.failed ? "INCOMPLETE" : words.text,
                            .reproduce = ""};
    bool good = append(all, &note);
    lb_doc_free(&words);
    lb_annotation last = all->list[all->count - 1];
    memmove(all->list + 1, all->list, (all->count - 1) * sizeof last);
    all->list[0] = last;
    lb_doc_puts(&all->list[0].profiles, "the run");
    all->is_short = true;
    return good;
}

bool lb_annotations_read(lb_annotations *all, lb_results_reader *reader, char *error,
                         size_t error_bytes)
{
    const lb_result *result;
    snprintf(error, error_bytes, "%s", "");
    bool good = lb_results_rewind(reader);
    while (good && (result = lb_results_next(reader, error, error_bytes)) != NULL)
        good = add_result(all, result);
    if (!good) {
        snprintf(error, error_bytes,
                 "out of memory, or the results cannot be read from their start");
    }
    if (all->count > 0)
        qsort(all->list, all->count, sizeof *all->list, by_effort);
    if (good && lb_run_is_short(lb_results_info(reader), lb_results_tally(reader)))
        good = add_short(all, reader);
    return good && error[0] == '\0';
}

void lb_annotations_free(lb_annotations *all)
{
    for (size_t i = 0; i < all->count; i++) {
        lb_annotation *a = &all->list[i];
        char *const texts[] = {a->file,  a->id,  a->function, a->kind,     a->section,
                               a->fault, a->cpu, a->message,  a->reproduce};
        for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
            free(texts[k]);
        lb_doc_free(&a->profiles);
    }
    free(all->list);
    *all = (lb_annotations){.list = NULL};
}

bool lb_annotations_render(lb_results_reader *reader, lb_annotations_fn put, const void *user,
                           FILE *out, char *error, size_t error_bytes)
{
    lb_annotations all = {.list = NULL};
    lb_doc doc = lb_doc_make();
    bool good = lb_annotations_read(&all, reader, error, error_bytes);
    if (good)
        put(&doc, lb_results_info(reader), &all, user);
    good = good && lb_doc_flush(&doc, out);
    if (!good && error[0] == '\0')
        snprintf(error, error_bytes, "out of memory, or the document cannot be written");
    lb_doc_free(&doc);
    lb_annotations_free(&all);
    return good;
}
