/* A failing result on a terminal: see print_failure.h. */
#include "harness/run/print_failure.h"
#include "harness/base/spec_text.h"
#include "harness/base/terminal.h"
#include "harness/base/xalloc.h"
#include "harness/call/call_memory.h"
#include "harness/suite/suite_level.h"
#include "harness/trial/blank.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Text from a suite or a port: control bytes must not reach the terminal. */
static void put_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < 0x20 || c == 0x7f)
            fprintf(out, "\\x%02x", c);
        else
            fputc(c, out);
    }
}

static void put_place(FILE *out, const lb_difference *d)
{
    put_text(out, d->role);
    if (d->what == LB_DIFFERS_DATA)
        fprintf(out, "[%s]", d->index);
    else if (d->what == LB_DIFFERS_FIELD)
        fprintf(out, ".%s", d->field);
    else if (d->what == LB_DIFFERS_CONFIG)
        fprintf(out, "cfg.%s", d->field);
    else if (d->what == LB_DIFFERS_STEP)
        fprintf(out, "step %s, %s", d->index, d->field);
    else if (d->what == LB_DIFFERS_GAP)
        fprintf(out, ", between the elements");
    else if (d->what == LB_DIFFERS_INPUT)
        fprintf(out, " (an input!) %s", d->index);
    else if (d->what == LB_DIFFERS_GUARD)
        fprintf(out, ", %s", d->index);
    else
        fprintf(out, "%s", lb_differs_name(d->what));
}

static void put_difference(FILE *out, const lb_difference *d, const char *who_says)
{
    put_place(out, d);
    fprintf(out, ": %s ", who_says);
    put_text(out, d->expected);
    fprintf(out, ", the port gave ");
    put_text(out, d->got);
    if (d->total > 1)
        fprintf(out, "; %" PRIu64 " of %" PRIu64 " differ", d->count, d->total);
}

static void show_difference(FILE *out, const lb_difference *d, const char *who_says)
{
    fprintf(out, "  ");
    put_difference(out, d, who_says);
    fputc('\n', out);
    if (d->operands[0]) {
        fprintf(out, "    made from ");
        put_text(out, d->operands);
        fputc('\n', out);
    }
}

/* The same finding told by a second oracle adds nothing. */
static bool is_told(const lb_result *result, unsigned i)
{
    const lb_difference *d = &result->differences[i];
    for (unsigned j = 0; j < i; j++) {
        const lb_difference *e = &result->differences[j];
        if (d->what == e->what && strcmp(d->role, e->role) == 0 &&
            strcmp(d->field, e->field) == 0 && strcmp(d->index, e->index) == 0 &&
            strcmp(d->expected, e->expected) == 0)
            return true;
    }
    return false;
}

static const char *who_says(const lb_result *result, const lb_difference *d)
{
    bool both = result->recorded == LB_AGREEMENT_DIFFERS && result->exact == LB_AGREEMENT_DIFFERS &&
                strcmp(result->outlier, "port") == 0;
    if (strcmp(d->oracle, "rules") == 0)
        return "the rule says";
    if (both)
        return "recorded result and exact model say";
    return strcmp(d->oracle, "exact") == 0 ? "exact model says" : "recorded result says";
}

static void write_differences(FILE *out, const lb_result *result)
{
    for (unsigned i = 0; i < result->difference_count; i++) {
        const lb_difference *d = &result->differences[i];
        if (!is_told(result, i))
            show_difference(out, d, who_says(result, d));
    }
}

/* What two profiles of a case have in common when they fail in the same way: distances from the
 * real model are another's in each. */
static void write_seen(FILE *out, const lb_result *result)
{
    fputs(lb_verdict_name(result->verdict), out);
    if (result->verdict == LB_ERROR)
        put_text(out, result->reason);
    write_differences(out, result);
    fprintf(out, "%s %s %s", result->status_got, result->rule, result->diverges_at);
}

/* In a line, for profiles that see something else than the first. */
static void write_summary(FILE *out, const lb_result *result)
{
    if (result->verdict == LB_ERROR)
        fputs("ERROR: ", out);
    if (result->verdict == LB_ERROR || result->difference_count == 0)
        put_text(out, result->reason);
    else
        put_difference(out, &result->differences[0], who_says(result, &result->differences[0]));
}

static void write_body(FILE *out, const lb_result *result)
{
    fprintf(out, "  ");
    put_text(out, result->file);
    fprintf(out, ":%u: ", result->line);
    put_text(out, result->reason);
    fputc('\n', out);
    write_differences(out, result);
    if (result->tolerance_count > 0)
        fprintf(out, "  the port's %s is at most %.3g steps from the real model (mean %+.3g)\n",
                result->tolerances[0].role, result->tolerances[0].max_steps,
                result->tolerances[0].mean_steps);
    if (result->again[0])
        fprintf(out, "  tried again: %s\n", result->again);
    if (result->rule[0])
        fprintf(out, "  rule of the exact model: %s\n", result->rule);
    if (result->section && result->section[0]) {
        char title[120];
        lb_spec_title(result->section, title, sizeof title);
        fprintf(out, "  the rule: %s%s%s (lastbit rule '%s')\n", result->section,
                *title ? ": " : "", title, result->section);
    }
    if (result->diverges_at && result->diverges_at[0])
        fprintf(out, "  the first step that it can come from: %s\n", result->diverges_at);
}

static void write_head(FILE *out, const lb_result *result)
{
    fputs(result->verdict == LB_ERROR ? "ERROR " : "FAIL ", out);
    put_text(out, result->id);
}

/* What --profile says for it: a file for a platform profile. */
static const char *profile_word(const lb_show *show, const lb_result *result)
{
    for (size_t i = 0; i < show->profile_count; i++)
        if (show->profiles[i]->file && strcmp(show->profiles[i]->name, result->profile) == 0)
            return show->profiles[i]->file;
    return result->profile;
}

/* Adds a word to a list with commas. */
static void add_word(char **list, const char *word)
{
    const size_t length = strlen(*list), bytes = strlen(word) + 1;
    *list = lb_resized(*list, length + 1 + bytes);
    (*list)[length] = ',';
    memcpy(*list + length + 1, word, bytes);
}

static char *text_of(void (*write)(FILE *out, const lb_result *result), const lb_result *result)
{
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    if (memory)
        write(memory, result);
    if (!memory || fclose(memory) != 0)
        lb_out_of_memory(length);
    return text;
}

/* Every profile that the block names, as --profile says them. */
static char *all_options(const lb_show *show)
{
    char *list = lb_text_copy(show->groups[0].options);
    for (size_t i = 1; i < show->group_count; i++)
        add_word(&list, show->groups[i].options);
    return list;
}

/* The lines that make the open block's case again. */
static void put_lines(const lb_show *show)
{
    static const lb_reproduce plain = {0};
    lb_reproduce run = show->reproduce ? *show->reproduce : plain;
    char *profiles = all_options(show);
    lb_reproduce_case which = {
        .file = show->file, .is_made = show->is_made, .id = show->id, .profiles = profiles};
    lb_doc doc = lb_doc_make();
    run.cpu = show->cpu[0] ? show->cpu : NULL;
    if (run.misalign == 0)
        run.misalign = show->misaligned;
    if (run.misalign && run.misalign != LB_ALIGNED)
        lb_doc_printf(&doc, "  buffers begin %u bytes past a boundary of 64 (--misalign)\n",
                      run.misalign);
    lb_doc_puts(&doc, LB_WHOLE_LINE "  reproduce: ");
    lb_put_reproduce(&doc, &run, &which);
    if (show->role && !show->is_made) {
        lb_doc_puts(&doc, "\n" LB_WHOLE_LINE "  explain:   ");
        which.profiles = show->groups[0].options; /* the element is of these */
        lb_put_explain(&doc, &run, &which, show->role, show->index);
    }
    lb_doc_puts(&doc, "\n\n");
    lb_doc_flush(&doc, show->out);
    lb_doc_free(&doc);
    free(profiles);
}

/* "up-full, up-reduced" */
static void put_names(FILE *out, const char *names)
{
    for (; *names; names++)
        fputs(*names == ',' ? ", " : (char[2]){*names, '\0'}, out);
}

static void put_block(const lb_show *show)
{
    fprintf(show->out, "%s%s%s [", show->color ? "\033[1;31m" : "", show->head,
            show->color ? "\033[0m" : "");
    put_names(show->out, show->groups[0].names);
    fprintf(show->out, "]  %s\n%s", show->function, show->body);
    for (size_t i = 1; i < show->group_count; i++) {
        fputs("  in [", show->out);
        put_names(show->out, show->groups[i].names);
        fprintf(show->out, "]: %s\n", show->groups[i].summary);
    }
    put_lines(show);
}

void lb_show_end(lb_show *show)
{
    char **texts[] = {&show->id,   &show->function, &show->head, &show->body,
                      &show->file, &show->index,    &show->role, &show->cpu};
    if (show->group_count > 0) {
        put_block(show);
        show->shown++;
        show->results += show->open_results;
    }
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        free(*texts[i]);
        *texts[i] = NULL;
    }
    for (size_t i = 0; i < show->group_count; i++) {
        free(show->groups[i].seen);
        free(show->groups[i].summary);
        free(show->groups[i].names);
        free(show->groups[i].options);
    }
    show->group_count = 0;
}

static bool is_of_open_case(const lb_show *show, const lb_result *result)
{
    return show->id && strcmp(show->id, result->id) == 0 && strcmp(show->file, result->file) == 0 &&
           show->line == result->line && strcmp(show->cpu, result->cpu ? result->cpu : "") == 0 &&
           show->group_count < LB_MAX_PROFILES;
}

/* The name of the profile joins those that saw the same. */
static void add_profile(lb_show *show, const lb_result *result)
{
    char *seen = text_of(write_seen, result);
    show->open_results++;
    for (size_t i = 0; i < show->group_count; i++) {
        lb_show_group *g = &show->groups[i];
        if (strcmp(g->seen, seen) == 0) {
            free(seen);
            add_word(&g->names, result->profile);
            add_word(&g->options, profile_word(show, result));
            return;
        }
    }
    show->groups[show->group_count++] =
        (lb_show_group){.seen = seen,
                        .summary = text_of(write_summary, result),
                        .names = lb_text_copy(result->profile),
                        .options = lb_text_copy(profile_word(show, result))};
}

static bool is_of_smoke_level(const lb_result *result)
{
    const char *level = lb_level_name(LB_LEVEL_SMOKE);
    const size_t length = strlen(level);
    for (const char *tag = result->tags; tag && *tag; tag += strcspn(tag, ","), tag += *tag == ',')
        if (strncmp(tag, level, length) == 0 && (tag[length] == ',' || tag[length] == '\0'))
            return true;
    return false;
}

static void open_block(lb_show *show, const lb_result *result)
{
    const lb_difference *d = lb_first_data(result);
    show->id = lb_text_copy(result->id);
    show->misaligned = is_of_smoke_level(result) ? lb_id_misaligned(result->id) : 0;
    show->function = lb_text_copy(result->function);
    show->head = text_of(write_head, result);
    show->body = text_of(write_body, result);
    show->file = lb_text_copy(result->file);
    show->line = result->line;
    show->cpu = lb_text_copy(result->cpu ? result->cpu : "");
    show->index = d ? lb_text_copy(d->index) : NULL;
    show->role = d ? lb_text_copy(d->role) : NULL;
    show->open_results = 0;
}

bool lb_show_add(lb_show *show, const lb_result *result)
{
    if (!is_of_open_case(show, result)) {
        lb_show_end(show);
        if (show->shown == show->limit)
            return false;
        open_block(show, result);
    }
    add_profile(show, result);
    return true;
}
