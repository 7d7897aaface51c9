/* The failing results that a document shows, collected while the results go by: see failures.h. */
#include "failures.h"

#include <stdlib.h>
#include <string.h>

void lb_failures_begin(lb_failures *failures, const lb_failure_rules *rules)
{
    *failures = (lb_failures){.rules = rules, .open_group = LB_NO_NAME};
}

/* The group of a function, made if it is new. */
static lb_failure_group *group_of(lb_failures *failures, size_t number)
{
    if (number >= failures->count) {
        size_t count = (number + 1) * 2;
        lb_failure_group *groups = realloc(failures->groups, count * sizeof *groups);
        if (!groups)
            return NULL;
        memset(groups + failures->count, 0, (count - failures->count) * sizeof *groups);
        failures->groups = groups;
        failures->count = count;
    }
    return &failures->groups[number];
}

/* How many failures the group may show. */
static size_t places(const lb_failures *failures, const lb_failure_group *group)
{
    const lb_failure_rules *rules = failures->rules;
    size_t most = rules->per_function < LB_MAX_SHOWN ? rules->per_function : LB_MAX_SHOWN;
    if (failures->bytes < rules->max_bytes || group->shown > 1)
        return most;
    return group->shown == 1 || failures->bytes / 2 < rules->max_bytes ? 1 : 0;
}

/* Whether a failure of this effort would be shown. */
static bool has_place(const lb_failures *failures, const lb_failure_group *group, uint64_t effort)
{
    size_t most = places(failures, group);
    return group->shown < most || (most > 0 && group->list[group->shown - 1].effort > effort);
}

static size_t step_of(const lb_function_facts *function, const lb_result *result)
{
    size_t step = 0;
    while (step < function->step_count &&
           strcmp(function->steps[step].name, result->diverges_at) != 0)
        step++;
    return step;
}

/* Chains last, then by the elements that a case has. */
static uint64_t effort_of(const lb_result *result)
{
    uint64_t elements = result->elements;
    for (unsigned i = 0; i < result->difference_count && result->elements == 0; i++) {
        uint64_t total = result->differences[i].total;
        elements = total > elements ? total : elements;
    }
    elements = elements < (uint64_t)1 << 40 ? elements : (uint64_t)1 << 40;
    return ((uint64_t)result->calls << 40) + elements;
}

/* What makes a failure one: its case, its verdict, and the level it ran at. */
static char *key_of(const lb_result *result)
{
    const char *const parts[] = {
        result->file, "\n", result->id, "\n", result->cpu, "\n", lb_verdict_name(result->verdict)};
    lb_doc key = lb_doc_make();
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        lb_doc_puts(&key, parts[i]);
    lb_doc_printf(&key, "\n%u", result->line);
    lb_doc_char(&key, '\0');
    if (key.failed) {
        lb_doc_free(&key);
        return NULL;
    }
    return key.text;
}

/* What one profile saw. The reason of a failure tells figures that differ by profile anyhow. */
static void put_seen(lb_doc *doc, const lb_result *result)
{
    lb_doc_puts(doc, lb_verdict_name(result->verdict));
    lb_doc_puts(doc, result->verdict == LB_ERROR ? result->reason : "");
    lb_doc_puts(doc, result->status_got);
    for (unsigned i = 0; i < result->difference_count; i++) {
        const lb_difference *difference = &result->differences[i];
        const char *const parts[] = {"\n",
                                     difference->oracle,
                                     lb_differs_name(difference->what),
                                     difference->role,
                                     difference->field,
                                     difference->index,
                                     difference->expected,
                                     "\t",
                                     difference->got};
        for (size_t part = 0; part < sizeof parts / sizeof parts[0]; part++)
            lb_doc_puts(doc, parts[part]);
    }
}

void lb_failure_put_identity(lb_doc *doc, const lb_result *result)
{
    char *key = key_of(result);
    doc->failed = doc->failed || !key;
    lb_doc_puts(doc, !key ? "" : key);
    lb_doc_char(doc, '\n');
    put_seen(doc, result);
    free(key);
}

/* The finished failure takes its place; where there is none left, the hardest to read goes. */
static void close_open(lb_failures *failures)
{
    if (failures->open_group == LB_NO_NAME)
        return;
    lb_failure_group *group = &failures->groups[failures->open_group];
    lb_shown_failure *open = &failures->open;
    lb_doc_puts(&open->text, failures->open_body.text);
    if (group->shown == places(failures, group)) {
        lb_shown_failure *last = &group->list[--group->shown];
        failures->bytes -= last->text.length;
        lb_doc_free(&last->text);
    }
    size_t place = group->shown++;
    for (; place > 0 && group->list[place - 1].effort > open->effort; place--)
        group->list[place] = group->list[place - 1];
    group->list[place] = *open;
    failures->bytes += open->text.length;
    failures->open_group = LB_NO_NAME;
    *open = (lb_shown_failure){.text = lb_doc_make()};
    free(failures->open_key);
    failures->open_key = NULL;
}

/* Another profile of the open failure? */
static bool joins(lb_failures *failures, const lb_result *result, const char *key)
{
    if (failures->open_group == LB_NO_NAME || strcmp(failures->open_key, key) != 0)
        return false;
    lb_shown_failure *open = &failures->open;
    lb_doc seen = lb_doc_make();
    put_seen(&seen, result);
    lb_doc_char(&seen, '\0');
    /* What the first profile saw stands behind the end of the body's string. */
    const char *first = failures->open_body.text + strlen(failures->open_body.text) + 1;
    bool same = !seen.failed && strcmp(seen.text, first) == 0;
    open->text.failed = open->text.failed || seen.failed;
    lb_doc_free(&seen);
    failures->rules->profile(&open->text, result, same);
    open->results++;
    return true;
}

static bool open_failure(lb_failures *failures, const lb_function_facts *function,
                         const lb_result *result, char *key)
{
    lb_shown_failure *open = &failures->open;
    failures->open_key = key;
    failures->open_group = function->number;
    failures->rules->head(&open->text, result);
    failures->rules->profile(&open->text, result, true);
    lb_doc_cut(&failures->open_body, 0);
    failures->rules->body(&failures->open_body, result);
    lb_doc_char(&failures->open_body, '\0');
    put_seen(&failures->open_body, result);
    lb_doc_char(&failures->open_body, '\0');
    open->results = 1;
    open->step = step_of(function, result);
    open->effort = effort_of(result);
    if (strlen(result->section) < sizeof open->section)
        strcpy(open->section, result->section);
    return !failures->open_body.failed;
}

bool lb_failures_add(lb_failures *failures, const lb_facts *facts, const lb_result *result)
{
    if (result->verdict != LB_FAIL && result->verdict != LB_ERROR)
        return true;
    size_t number = lb_names_find(&facts->functions, result->function);
    lb_failure_group *group = number == LB_NO_NAME ? NULL : group_of(failures, number);
    char *key = !group ? NULL : key_of(result);
    if (!key)
        return false;
    if (joins(failures, result, key)) {
        free(key);
        return !failures->open.text.failed;
    }
    close_open(failures);
    if (!has_place(failures, group, effort_of(result))) {
        free(key);
        return true;
    }
    return open_failure(failures, &facts->list[number], result, key);
}

/* The sections that the failures shown name, each once. */
static void list_sections(lb_failures *failures, const lb_failure_group *group)
{
    for (size_t i = 0; i < group->shown; i++) {
        const char *section = group->list[i].section;
        size_t at = 0;
        while (at < failures->section_count && strcmp(failures->sections[at], section) != 0)
            at++;
        if (section[0] != '\0' && at == failures->section_count && at < LB_MAX_SECTIONS)
            strcpy(failures->sections[failures->section_count++], section);
    }
}

static bool is_whole(const lb_failure_group *group)
{
    bool whole = true;
    for (size_t i = 0; i < group->shown; i++)
        whole = whole && !group->list[i].text.failed;
    return whole;
}

bool lb_failures_end(lb_failures *failures, const lb_facts *facts)
{
    size_t count;
    close_open(failures);
    const lb_function_facts **sorted = lb_facts_sorted(facts, LB_BY_FAILURES, &count);
    lb_failure_group *groups = calloc(count + 1, sizeof *groups);
    if (!sorted || !groups) {
        free(sorted);
        free(groups);
        return false;
    }
    bool whole = true;
    for (size_t i = 0; i < count; i++) {
        groups[i] = failures->groups[sorted[i]->number];
        groups[i].function = sorted[i];
        whole = whole && is_whole(&groups[i]);
        list_sections(failures, &groups[i]);
    }
    free(failures->groups); /* the others have no failures, and so no text */
    failures->groups = groups;
    failures->count = count;
    free(sorted);
    return whole;
}

void lb_failures_free(lb_failures *failures)
{
    for (size_t i = 0; i < failures->count; i++)
        for (size_t place = 0; place < failures->groups[i].shown; place++)
            lb_doc_free(&failures->groups[i].list[place].text);
    free(failures->groups);
    free(failures->open_key);
    lb_doc_free(&failures->open.text);
    lb_doc_free(&failures->open_body);
    *failures = (lb_failures){.open_group = LB_NO_NAME};
}
