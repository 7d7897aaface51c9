/* Tolerance policies, from file to limits: see tolerance_policy.h. */
#include "harness/suite/tolerance_policy.h"
#include "harness/base/suggest.h"
#include "harness/json/text_file.h"
#include "harness/suite/config_file.h"

#include <fnmatch.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What a limit may be. Outside, it could never be exceeded, or never be kept: a limit larger than
 * the signal means nothing. */
static const struct {
    const char *name;
    double low, high;
    bool open; /* the ends themselves are no limits */
    const char *due;
} metrics[LB_METRIC_COUNT] = {
    [LB_METRIC_MAX_STEPS] = {"max_steps", 0, 65535, false,
                             "expected steps of the output's format, 0..65535"},
    [LB_METRIC_MAX_REAL] = {"max_real", 0, HUGE_VAL, true, "expected a real number above 0"},
    [LB_METRIC_MEAN_STEPS] = {"mean_steps", 0, 65535, false,
                              "expected steps of the output's format, 0..65535"},
    [LB_METRIC_RMS_STEPS] = {"rms_steps", 0, 65535, false,
                             "expected steps of the output's format, 0..65535"},
    [LB_METRIC_NOISE_RATIO] =
        {"noise_ratio", 0, 1, true,
         "expected a number above 0 and below 1: at 1 the noise is as large as the signal"},
    [LB_METRIC_SNR_DB] =
        {"snr_db", 0, 300, true,
         "expected decibels above 0 and below 300: at 0 the noise is as large as the signal"},
    [LB_METRIC_QUANT_SHARE_PERCENT] = {"quant_share_percent", 0, 100, true,
                                       "expected percent above 0 and below 100"},
};

const char *lb_metric_name(lb_metric metric)
{
    return metrics[metric].name;
}

/* ---- One entry ---- */

enum { E_FUNCTION, E_VARIANT, E_TAG, E_NOTE, E_METRICS, E_KEY_COUNT = E_METRICS + LB_METRIC_COUNT };

static const lb_key entry_keys[E_KEY_COUNT + 1] = {{"function", false},
                                                   {"variant", false},
                                                   {"tag", false},
                                                   {"note", false},
                                                   {"max_steps", false},
                                                   {"max_real", false},
                                                   {"mean_steps", false},
                                                   {"rms_steps", false},
                                                   {"noise_ratio", false},
                                                   {"snr_db", false},
                                                   {"quant_share_percent", false},
                                                   {NULL, false}};

static const char *read_pattern(lb_decoder *d, const cJSON *node)
{
    const char *text = node ? lb_read_text(d, node) : NULL;
    if (text && !*text)
        lb_complain(d, node, NULL, "leave the key out to mean all",
                    "an empty pattern matches nothing");
    return text && *text ? lb_arena_strdup(d->arena, text) : NULL;
}

/* A pattern that no function matches is a typing error: it would limit nothing, and nobody would
 * notice. */
static void check_patterns(lb_decoder *d, const cJSON *const *slots, const lb_policy_entry *e)
{
    bool function_known = false, both_known = false;
    char remedy[400];
    for (size_t k = 0; k < lb_kernel_total(); k++) {
        const lb_kernel *kernel = lb_kernel_at(k);
        bool function = !e->function || fnmatch(e->function, kernel->name, 0) == 0;
        function_known = function_known || function;
        both_known = both_known ||
                     (function && (!e->variant || fnmatch(e->variant, kernel->variant, 0) == 0));
    }
    if (!function_known) {
        lb_suggest_text(e->function, lb_kernel_name_at, NULL, remedy, sizeof remedy);
        lb_complain(d, slots[E_FUNCTION], NULL, remedy, "no function matches \"%.100s\"",
                    e->function);
    } else if (!both_known) {
        lb_complain(d, slots[E_VARIANT], NULL, "operand types as in sa8_sa8_sa32 or fx16*",
                    "no such function has a variant that matches \"%.100s\"", e->variant);
    }
}

static void read_limit(lb_decoder *d, const cJSON *node, lb_metric metric, lb_set_limit *to)
{
    unsigned column;
    double v = cJSON_IsNumber(node) ? node->valuedouble : NAN;
    if (!cJSON_IsNumber(node)) {
        lb_complain(d, node, NULL, metrics[metric].due, "expected a number, found %s",
                    lb_describe(node).text);
    } else if (!isfinite(v) || v < metrics[metric].low || v > metrics[metric].high ||
               (metrics[metric].open && (v == metrics[metric].low || v == metrics[metric].high))) {
        lb_complain(d, node, NULL, metrics[metric].due, "%g is no limit for %s", v,
                    metrics[metric].name);
    } else {
        to->limit = v;
        lb_document_position(d->document, node, true, &to->line, &column);
    }
}

static void read_entry(lb_decoder *d, const cJSON *node, lb_policy_entry *e)
{
    const cJSON *slots[E_KEY_COUNT] = {NULL};
    unsigned limits = 0;
    if (!lb_read_members(d, node, entry_keys, slots))
        return;
    if (slots[E_NOTE])
        lb_read_text(d, slots[E_NOTE]);
    e->function = read_pattern(d, slots[E_FUNCTION]);
    e->variant = read_pattern(d, slots[E_VARIANT]);
    e->tag = read_pattern(d, slots[E_TAG]);
    check_patterns(d, slots, e);
    for (int m = 0; m < LB_METRIC_COUNT; m++) {
        limits += slots[E_METRICS + m] != NULL;
        if (slots[E_METRICS + m])
            read_limit(d, slots[E_METRICS + m], (lb_metric)m, &e->limits[m]);
    }
    if (limits == 0)
        lb_complain(d, node, NULL, "max_steps, mean_steps, snr_db or another metric",
                    "the entry limits nothing");
}

/* ---- The file ---- */

enum { P_NOTE = LB_MEMBER_FORMAT + 1, P_LIMITS, P_KEY_COUNT };

static const lb_member_key keys[P_KEY_COUNT] = {
    {"format", "lastbit/tolerance-1"}, {"note", NULL}, {"limits", "a list of entries"}};

static void read_entries(lb_decoder *d, const cJSON *node, lb_policy *policy)
{
    size_t count, i = 0;
    if (!lb_read_list(d, node, 0, 100000, "entries", &count))
        return;
    policy->entries = lb_arena_array(&policy->arena, count + 1, sizeof *policy->entries);
    policy->entry_count = count;
    for (const cJSON *entry = node->child; entry; entry = entry->next)
        read_entry(d, entry, &policy->entries[i++]);
}

static void take_value(void *user, lb_decoder *d, int key, const lb_document *document)
{
    if (key == P_LIMITS)
        read_entries(d, document->root, user);
    else
        lb_read_text(d, document->root);
}

static const lb_member_format policy_format = {"a tolerance policy",
                                               "a tolerance policy has the keys format and limits",
                                               keys, P_KEY_COUNT, take_value};

bool lb_policy_load(const char *path, lb_policy *policy, lb_diagnostics *diagnostics)
{
    lb_problems problems = {.diagnostics = diagnostics, .file = path};
    size_t length;
    *policy = (lb_policy){.file = path};
    char *text =
        lb_small_file_read(path, "tolerance policy", LB_SMALL_FILE_BYTES, &length, &problems);
    if (text) {
        lb_sha256_of(text, length, policy->sha256);
        lb_member_file_read(text, length, &policy_format, policy, &policy->arena, &problems);
    }
    free(text);
    return problems.found == 0;
}

void lb_policy_free(lb_policy *policy)
{
    lb_arena_free(&policy->arena);
    *policy = (lb_policy){.file = NULL};
}

/* ---- Limits of a case ---- */

static bool matches(const lb_policy_entry *e, const lb_case *c)
{
    bool tagged = !e->tag;
    if (e->function && fnmatch(e->function, c->function, 0) != 0)
        return false;
    if (e->variant && fnmatch(e->variant, c->kernel ? c->kernel->variant : "", 0) != 0)
        return false;
    for (size_t t = 0; t < c->tag_count && !tagged; t++)
        tagged = fnmatch(e->tag, c->tags[t], 0) == 0;
    return tagged;
}

lb_case_limits lb_policy_limits(const lb_policy *policy, const lb_case *c)
{
    lb_case_limits limits = {.file = policy->file};
    for (size_t i = 0; i < policy->entry_count; i++)
        for (int m = 0; matches(&policy->entries[i], c) && m < LB_METRIC_COUNT; m++)
            if (policy->entries[i].limits[m].line > 0)
                limits.of[m] = policy->entries[i].limits[m];
    return limits;
}
