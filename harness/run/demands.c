/* Was anything tested, and as much as was asked for? See demands.h. */
#include "harness/run/demands.h"
#include "harness/base/command_line.h"
#include "harness/base/suggest.h"
#include "harness/base/xalloc.h"
#include "harness/port/provided.h"
#include "harness/run/write_results.h"
#include "reports/journal_line.h"
#include "reports/json_read.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The journal's lines ---- */

static void count_skip(lb_gathered *g, const char *reason)
{
    for (size_t i = 0; i < g->skip_count; i++)
        if (strcmp(g->skips[i].text, reason) == 0) {
            g->skips[i].count++;
            return;
        }
    if (g->skip_count == LB_MAX_SKIP_REASONS) {
        g->other_skips++;
        return;
    }
    char *text = lb_resized(NULL, strlen(reason) + 1);
    memcpy(text, reason, strlen(reason) + 1);
    g->skips[g->skip_count++] = (lb_skip_reason){.text = text, .count = 1};
}

/* Functions that MLI does not have are skipped for a reason of their own: the port lacks nothing.
 */
static void gather_skip(lb_gathered *g, const char *line, size_t length)
{
    cJSON *object = cJSON_ParseWithLength(line, length);
    const char *reason = lb_json_text(object, "reason"), *name = lb_json_text(object, "function");
    const lb_kernel *kernel = name ? lb_kernel_find(name) : NULL;
    if (kernel && lb_function_is_extension(name) && !lb_port_has(g->port, kernel))
        reason = "of lastbit's extensions (mli_ext_*), which the port does not have";
    count_skip(g, reason && *reason ? reason : "no reason is told");
    cJSON_Delete(object);
}

/* Is this the word of an oracle on the result? */
static bool says(const char *line, size_t length, const char *oracle, lb_agreement word)
{
    const char *text, *name = lb_agreement_name(word);
    int text_length;
    return lb_line_text(line, length, oracle, &text, &text_length) &&
           (size_t)text_length == strlen(name) && memcmp(text, name, strlen(name)) == 0;
}

static bool gather_line(void *user, uint64_t order, const char *line, size_t length)
{
    lb_gathered *g = user;
    const char *text;
    int text_length;
    (void)order;
    int verdict = lb_line_verdict(line, length);
    if (verdict == LB_SKIP)
        gather_skip(g, line, length);
    if (verdict == LB_PASS) {
        g->far += says(line, length, "real", LB_AGREEMENT_DIFFERS);
        g->exact += says(line, length, "exact", LB_AGREEMENT_AGREES);
        g->recorded += says(line, length, "recorded", LB_AGREEMENT_AGREES);
    }
    if (verdict == LB_PASS && lb_line_text(line, length, "function", &text, &text_length)) {
        char name[128];
        snprintf(name, sizeof name, "%.*s", text_length, text);
        const lb_kernel *kernel = lb_kernel_find(name);
        if (kernel)
            g->passed[lb_kernel_number(kernel)]++;
        else
            g->sequences++;
    }
    return true;
}

bool lb_gather(const lb_journal *journal, uint64_t order_count, const lb_port *port, lb_gathered *g)
{
    *g = (lb_gathered){.port = port,
                       .passed = lb_resized(NULL, lb_kernel_total() * sizeof *g->passed)};
    memset(g->passed, 0, lb_kernel_total() * sizeof *g->passed);
    return lb_journal_in_order(journal, order_count, gather_line, g);
}

void lb_gathered_free(lb_gathered *g)
{
    for (size_t i = 0; i < g->skip_count; i++)
        free(g->skips[i].text);
    free(g->passed);
    *g = (lb_gathered){0};
}

void lb_print_far(const lb_gathered *g, FILE *out)
{
    if (g->far > 0)
        fprintf(out,
                "%" PRIu64 " of the results that pass %s farther from the real numbers than the "
                "limits say: so are the numerics of the characterized profile; with --tolerance "
                "derived, or a file, they fail\n",
                g->far, g->far == 1 ? "lies" : "lie");
}

void lb_print_skips(const lb_gathered *g, FILE *out)
{
    for (size_t i = 0; i < g->skip_count; i++)
        fprintf(out, "skipped: %" PRIu64 " %s: %s\n", g->skips[i].count,
                g->skips[i].count == 1 ? "result" : "results", g->skips[i].text);
    if (g->other_skips > 0)
        fprintf(out, "skipped: %" PRIu64 " more for other reasons: --report DIR lists them all\n",
                g->other_skips);
}

/* ---- Functions that are required ---- */

static const char *tried_name(const void *set, size_t index)
{
    (void)set;
    for (size_t i = 0; i < lb_kernel_total(); i++)
        if (lb_function_is_tried(lb_kernel_at(i)) && index-- == 0)
            return lb_kernel_at(i)->name;
    return NULL;
}

/* The next name of a list with commas, into `name`; false: there is none. */
static bool next_name(const char **list, char name[128])
{
    if (!*list || !**list)
        return false;
    size_t length = strcspn(*list, ",");
    snprintf(name, 128, "%.*s", (int)(length < 127 ? length : 127), *list);
    *list += length;
    *list += **list == ',';
    return true;
}

bool lb_demands_check(const lb_run_options *o)
{
    const char *list = o->require_functions;
    char name[128], near[400];
    if (!list || strcmp(list, "all") == 0)
        return true;
    if (!*list)
        return lb_usage_error(o->command, "--require-functions: expected names of functions with "
                                          "commas, or all"),
               false;
    while (next_name(&list, name)) {
        const lb_kernel *kernel = lb_kernel_find(name);
        if (kernel && lb_function_is_tried(kernel))
            continue;
        lb_suggest_text(name, tried_name, NULL, near, sizeof near);
        lb_usage_error(o->command,
                       kernel ? "--require-functions: %s: no case can try this function; %s"
                              : "--require-functions: no such function: %s; %s",
                       name, near);
        return false;
    }
    return true;
}

/* A call of the sequences counts where one passed and the run came by the call. */
static bool was_moved(const lb_kernel *kernel, const lb_run_info *info, const lb_gathered *g)
{
    for (size_t i = 0; g->sequences > 0 && i < info->coverage_count; i++)
        if (strcmp(info->coverage[i].function, kernel->name) == 0)
            return info->coverage[i].hit > 0;
    return false;
}

static bool check_function(const lb_kernel *kernel, const lb_port *port, const lb_run_info *info,
                           const lb_gathered *g)
{
    const char *what = !lb_port_has(port, kernel) ? "is not provided by the port" : NULL;
    bool passed = lb_function_moves(kernel) ? was_moved(kernel, info, g)
                                            : g->passed[lb_kernel_number(kernel)] > 0;
    if (!what && !passed)
        what = "has no result that passed";
    if (what)
        fprintf(stderr, "lastbit: --require-functions: %s %s\n", kernel->name, what);
    return !what;
}

static unsigned functions_unmet(const lb_run_options *o, const lb_port *port,
                                const lb_kernel_set *set, const lb_run_info *info,
                                const lb_gathered *g)
{
    const char *list = o->require_functions;
    unsigned unmet = 0;
    char name[128];
    bool all = list && strcmp(list, "all") == 0;
    /* "all" of the run's set: extensions (mli_ext_*) are asked of a port that has one. */
    bool extensions = all && lb_port_has_extensions(port);
    for (const lb_kernel *k = set->kernels; all && k < set->kernels + *set->kernel_count; k++)
        if (lb_function_is_tried(k) && (extensions || !lb_function_is_extension(k->name)))
            unmet += !check_function(k, port, info, g);
    while (!all && next_name(&list, name))
        unmet += !check_function(lb_kernel_find(name), port, info, g);
    return unmet;
}

unsigned lb_demands_unmet(const lb_run_options *o, const lb_port *port, lb_set set,
                          const lb_run_info *info, const lb_tally *tally, const lb_gathered *g)
{
    unsigned unmet = functions_unmet(o, port, lb_kernel_sets[set], info, g);
    uint64_t passed = lb_tally_passed(tally), skipped = tally->count[LB_SKIP];
    if (o->fail_on_skip && skipped > 0) {
        fprintf(stderr, "lastbit: --fail-on-skip: %" PRIu64 " %s skipped\n", skipped,
                skipped == 1 ? "result was" : "results were");
        unmet++;
    }
    if (passed < o->min_passed) {
        fprintf(stderr, "lastbit: --min-passed %lu: only %" PRIu64 " passed\n", o->min_passed,
                passed);
        unmet++;
    }
    return unmet;
}

/* ---- Nothing was tested ---- */

void lb_tell_nothing_tested(const lb_run_options *o, const lb_plan *plan, const lb_tally *tally)
{
    uint64_t cases = lb_plan_case_count(plan), waived = tally->count[LB_WAIVED];
    const char *option;
    char shard[64] = "";
    if (plan->shard_count > 1)
        snprintf(shard, sizeof shard, " in shard %u of %u", plan->shard_index, plan->shard_count);
    fprintf(stderr, "lastbit %s: nothing was tested: ", o->command);
    if (lb_tally_skipped(tally) > 0 && waived == 0)
        fprintf(stderr, "all %" PRIu64 " results were skipped, for the reasons above\n",
                lb_tally_skipped(tally));
    else if (lb_tally_skipped(tally) > 0)
        fprintf(stderr, "no result passed, %" PRIu64 " skipped, %" PRIu64 " waived\n",
                tally->count[LB_SKIP], waived);
    else if (cases == 0)
        fprintf(stderr, "the suites have no case\n");
    else if (lb_case_choice_first(&o->choice, &option) || o->choice.level.is_given)
        fprintf(stderr, "no case%s is one that the options choose\n", shard);
    else
        fprintf(stderr, "the suites have %" PRIu64 " %s, and none%s\n", cases,
                cases == 1 ? "case" : "cases", shard);
}
