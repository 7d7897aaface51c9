/* What all results together say, gathered in one pass: see facts.h. */
#include "facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Notes ---- */

static bool keep_text(char **slot, const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = realloc(*slot, bytes);
    if (!copy)
        return false;
    memcpy(copy, text, bytes);
    *slot = copy;
    return true;
}

static bool keep_note(lb_case_note *note, const lb_result *result)
{
    note->order = result->order;
    return keep_text(&note->id, result->id) && keep_text(&note->profile, result->profile);
}

static void free_note(lb_case_note *note)
{
    free(note->id);
    free(note->profile);
}

/* ---- Functions ---- */

static const char *keep_word(lb_facts *facts, const char *word)
{
    size_t number = lb_names_add(&facts->words, word);
    return number == LB_NO_NAME ? NULL : facts->words.list[number];
}

static lb_function_facts *append_function(lb_facts *facts, size_t number, const lb_result *result)
{
    if (number == facts->list_room) {
        size_t room = facts->list_room == 0 ? 64 : facts->list_room * 2;
        lb_function_facts *list = realloc(facts->list, room * sizeof *list);
        if (!list)
            return NULL;
        memset(list + facts->list_room, 0, (room - facts->list_room) * sizeof *list);
        facts->list = list;
        facts->list_room = room;
    }
    lb_function_facts *function = &facts->list[number];
    function->number = number;
    function->name = facts->functions.list[number];
    function->family = keep_word(facts, result->family);
    function->variant = keep_word(facts, result->variant);
    return !function->family || !function->variant ? NULL : function;
}

static lb_function_facts *find_function(lb_facts *facts, const lb_result *result)
{
    size_t known = facts->functions.count;
    size_t number = lb_names_add(&facts->functions, result->function);
    if (number == LB_NO_NAME)
        return NULL;
    return number < known ? &facts->list[number] : append_function(facts, number, result);
}

static bool count_profile(lb_function_facts *function, size_t profile, lb_verdict verdict)
{
    if (profile >= function->profile_room) {
        lb_tally *tallies = realloc(function->by_profile, (profile + 1) * sizeof *tallies);
        if (!tallies)
            return false;
        memset(tallies + function->profile_room, 0,
               (profile + 1 - function->profile_room) * sizeof *tallies);
        function->by_profile = tallies;
        function->profile_room = profile + 1;
    }
    function->by_profile[profile].count[verdict]++;
    return true;
}

/* ---- Figures ---- */

static bool add_step(lb_function_facts *function, const lb_result *result)
{
    for (size_t i = 0; i < function->step_count; i++) {
        if (strcmp(function->steps[i].name, result->diverges_at) == 0) {
            function->steps[i].count++;
            return true;
        }
    }
    if (function->step_count == LB_MAX_STEPS)
        return true;
    lb_step_facts *step = &function->steps[function->step_count];
    if (!keep_text(&step->name, result->diverges_at))
        return false;
    step->count = 1;
    function->step_count++;
    return true;
}

static bool add_failure(lb_function_facts *function, const lb_result *result)
{
    if (!add_step(function, result))
        return false;
    if (function->first_failure.id)
        return true;
    function->first_verdict = result->verdict;
    return keep_note(&function->first_failure, result) &&
           keep_text(&function->first_reason, result->reason);
}

static bool add_budget(lb_function_facts *function, const lb_result *result,
                       const lb_tolerance *tolerance)
{
    lb_budget_facts *budget = &function->budget;
    if (!(tolerance->used_percent > budget->used_percent) || tolerance->limit_metric[0] == '\0')
        return true;
    budget->used_percent = tolerance->used_percent;
    budget->limit = tolerance->limit;
    return keep_text(&budget->metric, tolerance->limit_metric) &&
           keep_text(&budget->source, tolerance->limit_source) && keep_note(&budget->note, result);
}

static bool add_tolerances(lb_function_facts *function, const lb_result *result)
{
    for (unsigned i = 0; i < result->tolerance_count; i++) {
        const lb_tolerance *tolerance = &result->tolerances[i];
        if (!isfinite(tolerance->max_steps) || !isfinite(tolerance->mean_steps) ||
            !isfinite(tolerance->rms_steps))
            continue;
        if (!add_budget(function, result, tolerance))
            return false;
        for (unsigned bin = 0; bin < LB_TOLERANCE_BINS; bin++)
            function->histogram[bin] += tolerance->histogram[bin];
        double elements = (double)tolerance->elements;
        if (function->elements == 0 || tolerance->max_steps > function->max_steps) {
            function->max_steps = tolerance->max_steps;
            if (!keep_note(&function->max_case, result))
                return false;
        }
        function->elements += tolerance->elements;
        function->mean_sum += tolerance->mean_steps * elements;
        function->square_sum += tolerance->rms_steps * tolerance->rms_steps * elements;
    }
    return true;
}

static bool add_accumulator(lb_function_facts *function, const lb_result *result)
{
    const lb_accumulator_use *use = &result->accumulator;
    if (use->acc_bits == 0)
        return true;
    int needed_bits = lb_accumulator_needed(use);
    bool tightest =
        function->accumulations == 0 || use->acc_bits - needed_bits < lb_headroom(function);
    function->accumulations++;
    function->longest_macs =
        use->macs > function->longest_macs ? use->macs : function->longest_macs;
    function->transient += strcmp(use->overflow, "transient") == 0;
    function->persistent += strcmp(use->overflow, "persistent") == 0;
    function->saturated += use->saturated;
    function->narrow += needed_bits > use->acc_bits;
    if (!tightest)
        return true;
    function->acc_bits = use->acc_bits;
    function->needed_bits = needed_bits;
    return keep_note(&function->tight_case, result);
}

/* Why a result does not say what its verdict seems to say; NULL: it does. */
static const char *doubt_of(const lb_result *result)
{
    if (result->verdict == LB_SKIP || result->verdict == LB_WAIVED)
        return lb_result_excuse(result);
    return result->verdict == LB_PASS && result->vacuous[0] != '\0' ? result->vacuous : NULL;
}

static bool add_reason(lb_facts *facts, const lb_result *result)
{
    const char *doubt = doubt_of(result);
    if (!doubt)
        return true;
    facts->vacuous += result->verdict == LB_PASS;
    for (size_t i = 0; i < facts->reason_count; i++) {
        lb_reason_facts *reason = &facts->reasons[i];
        if (reason->verdict == result->verdict && strcmp(reason->text, doubt) == 0) {
            reason->count++;
            return true;
        }
    }
    if (facts->reason_count == LB_MAX_REASONS) {
        facts->other_reasons++;
        return true;
    }
    lb_reason_facts *reason = &facts->reasons[facts->reason_count++];
    reason->verdict = result->verdict;
    reason->count = 1;
    return keep_text(&reason->text, doubt) && keep_note(&reason->example, result);
}

/* Keeps the slowest, in order; the one that falls out lends its strings to the newcomer. */
static bool add_slow(lb_facts *facts, const lb_result *result, const char *function)
{
    if (!(result->microseconds > 0))
        return true;
    bool full = facts->slow_count == LB_MAX_SLOW;
    if (full && result->microseconds <= facts->slow[LB_MAX_SLOW - 1].microseconds)
        return true;
    size_t place = full ? LB_MAX_SLOW - 1 : facts->slow_count++;
    lb_slow_facts newcomer = facts->slow[place];
    for (; place > 0 && facts->slow[place - 1].microseconds < result->microseconds; place--)
        facts->slow[place] = facts->slow[place - 1];
    newcomer.microseconds = result->microseconds;
    newcomer.function = function;
    bool kept = keep_note(&newcomer.note, result);
    facts->slow[place] = newcomer;
    return kept;
}

static void count_result(lb_facts *facts, const lb_result *result)
{
    bool agrees = result->recorded == LB_AGREEMENT_AGREES || result->exact == LB_AGREEMENT_AGREES;
    facts->count++;
    facts->tally.count[result->verdict]++;
    facts->bit_exact += result->verdict == LB_PASS && agrees;
    facts->agreements[LB_RECORDED][result->recorded]++;
    facts->agreements[LB_EXACT][result->exact]++;
    facts->agreements[LB_REAL][result->real]++;
}

static void count_headroom(lb_facts *facts, const lb_accumulator_use *use)
{
    int bits = use->acc_bits - lb_accumulator_needed(use);
    if (use->acc_bits > 0) {
        bits = bits < LB_LEAST_HEADROOM  ? LB_LEAST_HEADROOM
               : bits > LB_MOST_HEADROOM ? LB_MOST_HEADROOM
                                         : bits;
        facts->by_headroom[bits - LB_LEAST_HEADROOM]++;
    }
}

bool lb_facts_add(lb_facts *facts, const lb_result *result)
{
    lb_function_facts *function = find_function(facts, result);
    size_t profile = lb_names_add(&facts->profiles, result->profile);
    if (!function || profile == LB_NO_NAME || !count_profile(function, profile, result->verdict))
        return false;
    count_result(facts, result);
    bool on_purpose = lb_result_overflows_on_purpose(result);
    facts->on_purpose += on_purpose;
    if (!on_purpose)
        count_headroom(facts, &result->accumulator);
    function->tally.count[result->verdict]++;
    bool failed = result->verdict == LB_FAIL || result->verdict == LB_ERROR;
    bool measured =
        on_purpose || (add_tolerances(function, result) && add_accumulator(function, result));
    return measured && (!failed || add_failure(function, result)) && add_reason(facts, result) &&
           add_slow(facts, result, function->name);
}

bool lb_facts_begin(lb_facts *facts, const lb_run_info *info)
{
    bool added = true;
    facts->timed = info->speed_count;
    facts->is_part = lb_run_is_part(info);
    facts->expected = info->expected;
    for (size_t i = 0; added && i < info->profile_count; i++)
        added = lb_names_add(&facts->profiles, info->profiles[i]) != LB_NO_NAME;
    return added;
}

bool lb_facts_gather(lb_facts *facts, lb_results_reader *reader, char *error, size_t error_bytes)
{
    const lb_result *result;
    snprintf(error, error_bytes, "%s", "");
    bool added = lb_results_rewind(reader) && lb_facts_begin(facts, lb_results_info(reader));
    while (added && (result = lb_results_next(reader, error, error_bytes)) != NULL)
        added = lb_facts_add(facts, result);
    if (!added) {
        snprintf(error, error_bytes,
                 "out of memory, or the results cannot be read from their start");
    }
    return added && error[0] == '\0';
}

void lb_facts_free(lb_facts *facts)
{
    for (size_t i = 0; i < facts->list_room; i++) {
        lb_function_facts *function = &facts->list[i];
        free(function->by_profile);
        free(function->first_reason);
        free_note(&function->first_failure);
        free_note(&function->max_case);
        free_note(&function->tight_case);
        free_note(&function->budget.note);
        free(function->budget.metric);
        free(function->budget.source);
        for (size_t step = 0; step < function->step_count; step++)
            free(function->steps[step].name);
    }
    free(facts->list);
    for (size_t i = 0; i < facts->reason_count; i++) {
        free(facts->reasons[i].text);
        free_note(&facts->reasons[i].example);
    }
    for (size_t i = 0; i < facts->slow_count; i++)
        free_note(&facts->slow[i].note);
    lb_names_free(&facts->functions);
    lb_names_free(&facts->profiles);
    lb_names_free(&facts->words);
    memset(facts, 0, sizeof *facts);
}
