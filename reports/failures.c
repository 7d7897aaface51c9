/* The failing results that a document shows, collected in one pass: see failures.h. */
#include "failures.h"

#include <stdlib.h>
#include <string.h>

typedef struct collector {
    const lb_failure_rules *rules;
    const lb_facts *facts;
    lb_failures *failures;
    size_t *group_of; /* [function number]: its group + 1, 0: none */
    size_t bytes;
} collector;

static bool make_groups(collector *collect)
{
    size_t count;
    lb_failures *failures = collect->failures;
    const lb_function_facts **sorted = lb_facts_sorted(collect->facts, LB_BY_FAILURES, &count);
    failures->groups = calloc(count + 1, sizeof *failures->groups);
    collect->group_of = calloc(collect->facts->functions.count + 1, sizeof *collect->group_of);
    bool made = sorted != NULL && failures->groups != NULL && collect->group_of != NULL;
    for (size_t i = 0; made && i < count; i++) {
        failures->groups[i].function = sorted[i];
        failures->groups[i].text = lb_doc_make();
        collect->group_of[sorted[i]->number] = i + 1;
        failures->count = i + 1;
    }
    free(sorted);
    return made;
}

/* Whether there is still room for a result of this group. */
static bool has_place(const collector *collect, size_t rank)
{
    const lb_failure_group *group = &collect->failures->groups[rank];
    size_t limit = collect->rules->max_bytes;
    return rank < collect->rules->max_groups && group->shown < collect->rules->per_function &&
           group->shown < LB_MAX_SHOWN &&
           (collect->bytes < limit || (group->shown == 0 && collect->bytes / 2 < limit));
}

static size_t step_of(const lb_function_facts *function, const lb_result *result)
{
    size_t step = 0;
    while (step < function->step_count &&
           strcmp(function->steps[step].name, result->diverges_at) != 0) {
        step++;
    }
    return step;
}

static void note_section(lb_failures *failures, const char *section)
{
    size_t i = 0;
    while (i < failures->section_count && strcmp(failures->sections[i], section) != 0) {
        i++;
    }
    if (section[0] != '\0' && strlen(section) < LB_SECTION_BYTES && i == failures->section_count &&
        i < LB_MAX_SECTIONS) {
        strcpy(failures->sections[failures->section_count++], section);
    }
}

static bool add_result(collector *collect, const lb_result *result)
{
    size_t number = lb_names_find(&collect->facts->functions, result->function);
    if (number == LB_NO_NAME) {
        return false; /* the first pass did not see it */
    }
    size_t rank = collect->group_of[number];
    if (rank == 0 || !has_place(collect, rank - 1)) {
        return true;
    }
    lb_failure_group *group = &collect->failures->groups[rank - 1];
    size_t before = group->text.length;
    collect->rules->write(&group->text, result);
    group->steps[group->shown] = step_of(group->function, result);
    group->ends[group->shown++] = group->text.length;
    collect->bytes += group->text.length - before;
    note_section(collect->failures, result->section);
    return !group->text.failed;
}

bool lb_failures_collect(lb_failures *failures, const lb_failure_rules *rules,
                         const lb_facts *facts, lb_results_reader *reader, char *error,
                         size_t error_bytes)
{
    collector collect = {.rules = rules, .facts = facts, .failures = failures};
    const lb_result *result;
    snprintf(error, error_bytes, "%s", "");
    bool added = make_groups(&collect) && lb_results_rewind(reader);
    while (added && failures->count > 0 &&
           (result = lb_results_next(reader, error, error_bytes)) != NULL) {
        if (result->verdict == LB_FAIL || result->verdict == LB_ERROR) {
            added = add_result(&collect, result);
        }
    }
    free(collect.group_of);
    if (!added) {
        snprintf(error, error_bytes, "out of memory, or the results changed while they were read");
    }
    return added && error[0] == '\0';
}

void lb_failures_free(lb_failures *failures)
{
    for (size_t i = 0; i < failures->count; i++) {
        lb_doc_free(&failures->groups[i].text);
    }
    free(failures->groups);
    *failures = (lb_failures){0};
}
