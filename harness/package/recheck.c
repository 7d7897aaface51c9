/* Stored results held against the exact model: see recheck.h. The model stands in for the port: the
 * trial is the one of every run. */
#include "harness/package/recheck.h"
#include "harness/base/format_checked.h"
#include "harness/base/progress.h"
#include "harness/base/xalloc.h"
#include "harness/package/recount.h"
#include "harness/run/analyses.h"
#include "harness/trial/compare.h"
#include "harness/trial/trial.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A port that is the exact model, and remembers its last call. */
typedef struct model_port {
    lb_port port;
    lb_call *last;
} model_port;

static bool model_provides(const lb_port *port, const lb_kernel *kernel)
{
    (void)port;
    return kernel->exact != NULL;
}

static void model_call(lb_port *port, const lb_profile *profile, lb_call *call)
{
    model_port *model = (model_port *)port;
    lb_context context = {.profile = profile};
    lb_run_exact(&context, call);
    model->last = call;
}

static const lb_port model = {.name = "exact",
                              .described = "the exact model",
                              .provides = model_provides,
                              .call = model_call};

typedef struct work {
    lb_recheck *recheck;
    const lb_run_info *info;
    lb_suite_reader **readers;
    uint64_t *first_case;
    const lb_result *stored;
    const lb_case *c;
    model_port port;
    lb_arena arena;
    bool known;  /* the model gave a result */
    bool judged; /* the result at hand is held to that; else it counts for coverage alone */
    lb_recount recount;
    size_t policy;  /* that the limits of the result at hand are held to: 0: none, or 1 + which */
    bool is_silent; /* one of several policies is tried: what does not fit is only counted */
    uint64_t unfit;
} work;

static void contradict(work *w, const char *format, ...) LB_FORMAT_CHECKED(2, 3);

static void contradict(work *w, const char *format, ...)
{
    char text[600];
    va_list arguments;
    w->unfit++;
    if (w->is_silent)
        return;
    int used = snprintf(text, sizeof text, "%.160s [%.60s]: ", w->stored->id, w->stored->profile);
    va_start(arguments, format);
    vsnprintf(text + used, sizeof text - (size_t)used, format, arguments);
    va_end(arguments);
    w->recheck->wrong++;
    w->recheck->contradiction(w->recheck->user, text);
}

/* ---- One result ---- */

static void hold_text(work *w, const char *what, const char *stored, const char *model_says)
{
    if (strcmp(stored, model_says) != 0)
        contradict(w, "%s is \"%.80s\" in the results, but \"%.80s\" by the exact model", what,
                   stored, model_says);
}

static void hold_number(work *w, const char *what, int64_t stored, int64_t model_says)
{
    if (stored != model_says)
        contradict(w, "%s is %" PRId64 " in the results, but %" PRId64 " by the exact model", what,
                   stored, model_says);
}

static void hold_accumulator(work *w, const lb_accumulator_use *stored,
                             const lb_accumulator_use *fresh)
{
    hold_number(w, "acc_bits", stored->acc_bits, fresh->acc_bits);
    hold_number(w, "peak_low", stored->peak_low, fresh->peak_low);
    hold_number(w, "peak_high", stored->peak_high, fresh->peak_high);
    hold_number(w, "peak_bits", stored->peak_bits, fresh->peak_bits);
    hold_number(w, "macs", (int64_t)stored->macs, (int64_t)fresh->macs);
    hold_number(w, "saturated", (int64_t)stored->saturated, (int64_t)fresh->saturated);
    hold_number(w, "bound_bits", stored->bound_bits, fresh->bound_bits);
    hold_number(w, "bound_low", stored->bound_low, fresh->bound_low);
    hold_number(w, "bound_high", stored->bound_high, fresh->bound_high);
    hold_number(w, "separate_peak_low", stored->separate_peak_low, fresh->separate_peak_low);
    hold_number(w, "separate_peak_high", stored->separate_peak_high, fresh->separate_peak_high);
    hold_number(w, "separate_bound_low", stored->separate_bound_low, fresh->separate_bound_low);
    hold_number(w, "separate_bound_high", stored->separate_bound_high, fresh->separate_bound_high);
    hold_text(w, "overflow", stored->overflow, fresh->overflow ? fresh->overflow : "none");
}

/* "2,0,7" to the flat index in the layout; false: no element of it. */
static bool read_index(const char *text, const lb_layout *layout, size_t *flat)
{
    *flat = 0;
    for (unsigned d = 0; d < layout->rank; d++) {
        char *end;
        unsigned long value = strtoul(text, &end, 10);
        if (end == text || value >= layout->shape[d] || *end != (d + 1 < layout->rank ? ',' : '\0'))
            return false;
        *flat = *flat * layout->shape[d] + value;
        text = end + 1;
    }
    return layout->rank > 0;
}

/* The element that a difference shows, as the model has it; NULL: it cannot be looked up (views,
 * lists, chains). */
static const char *model_element(work *w, const lb_difference *d)
{
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        const lb_case_operand *operand = &w->c->operand[role];
        const lb_tensor *tensor = w->port.last ? w->port.last->tensor[role] : NULL;
        if (!operand->present || strcmp(lb_role_name((lb_role)role), d->role) != 0)
            continue;
        const lb_case_tensor *t = &operand->tensors[0];
        lb_layout layout = lb_layout_of(t);
        size_t flat;
        if (operand->is_list || t->has_data_in || t->has_buffer_elements || t->null_data ||
            !tensor || !tensor->data.mem.ptr || w->c->chain.steps > 0 ||
            lb_families[w->c->kernel->family].written == LB_WRITTEN_OWN)
            return NULL;
        if (!read_index(d->index, &layout, &flat))
            return "no such element";
        const unsigned char *at =
            (const unsigned char *)tensor->data.mem.ptr + lb_layout_offset(&layout, flat);
        return lb_container_text(&w->arena, t->type, lb_read_container(at, layout.element_bytes));
    }
    return "no such tensor";
}

static void hold_differences(work *w)
{
    for (unsigned i = 0; i < w->stored->difference_count; i++) {
        const lb_difference *d = &w->stored->differences[i];
        if (strcmp(d->oracle, "exact") != 0 || d->what != LB_DIFFERS_DATA)
            continue;
        const char *element = model_element(w, d);
        if (element)
            hold_text(w, "the element expected", d->expected, element);
    }
}

/* A line that readers paste into a shell is one call of lastbit: outside quotes nothing in it means
 * anything to a shell. */
static void hold_reproduce(work *w)
{
    const char *line = w->stored->reproduce;
    static const char *const commands[] = {"lastbit run ", "lastbit sweep ", "lastbit certify "};
    bool quoted = false, plain = *line == '\0';
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        plain = plain || strncmp(line, commands[i], strlen(commands[i])) == 0;
    for (; *line != '\0' && plain; line++) {
        quoted = *line == '\'' ? !quoted : quoted;
        plain = (unsigned char)*line >= ' ' && (quoted || !strchr(";|&$`<>()\\\"#!", *line) ||
                                                (*line == '\\' && line[1] == '\'' && line++));
    }
    if (!plain || quoted)
        contradict(w, "reproduce is no plain call of lastbit: %.80s", w->stored->reproduce);
}

/* What the parts of a result say of each other, whatever the model says. */
static void hold_verdict(work *w)
{
    const lb_result *r = w->stored;
    bool tolerant = strcmp(w->info->judge, "tolerance") == 0 && r->real == LB_AGREEMENT_AGREES;
    if (r->verdict == LB_PASS && !tolerant &&
        (r->exact != LB_AGREEMENT_AGREES || r->recorded == LB_AGREEMENT_DIFFERS ||
         r->difference_count > 0))
        contradict(w, "the verdict is pass, but an oracle differs or has no agreement");
    if (r->verdict == LB_FAIL && r->exact == LB_AGREEMENT_AGREES &&
        r->recorded != LB_AGREEMENT_DIFFERS && r->difference_count == 0 &&
        r->real != LB_AGREEMENT_DIFFERS && strcmp(w->info->guard, "error") != 0)
        contradict(w, "the verdict is fail, but nothing differs");
    for (unsigned i = 0; i < r->tolerance_count; i++)
        if (r->tolerances[i].used_percent > 100 && r->real == LB_AGREEMENT_AGREES)
            contradict(w, "the real model agrees, but %g %% of a limit are used",
                       r->tolerances[i].used_percent);
}

/* As stored with nine digits. */
static bool are_alike(double a, double b)
{
    return a == b || fabs(a - b) <= 1e-6 * fmax(fabs(a), fabs(b));
}

static void hold_figure(work *w, const char *what, double stored, double model_says)
{
    if (!are_alike(stored, model_says))
        contradict(w, "%s is %.9g in the results, but %.9g by the models", what, stored,
                   model_says);
}

/* Of two limits that are used alike either may be told, by the arithmetic of the machine. */
static bool is_tie(const lb_tolerance *have, const lb_tolerance *want)
{
    return have->limit_metric[0] != '\0' && want->limit_metric[0] != '\0' &&
           fabs(have->used_percent - want->used_percent) <= 1e-6;
}

/* The limit that the most was used of, or why there is none. */
static void hold_limit(work *w, const lb_tolerance *have, const lb_tolerance *want)
{
    if (strcmp(have->limit_metric, want->limit_metric) != 0 && is_tie(have, want))
        return;
    hold_text(w, "the source of a limit", have->limit_source, want->limit_source);
    hold_text(w, "what is limited", have->limit_metric, want->limit_metric);
    hold_figure(w, "the limit", have->limit, want->limit);
    hold_figure(w, "used_percent", have->used_percent, want->used_percent);
}

/* Where the port gave what the exact model gives, it is as far from the real model. */
static void hold_tolerances(work *w, const lb_result *fresh)
{
    const lb_result *r = w->stored;
    const bool off = r->tolerance_count == 0 && strstr(w->info->tolerance, "off");
    if (!off && r->tolerance_count != fresh->tolerance_count)
        hold_number(w, "the number of outputs held against the real model", r->tolerance_count,
                    fresh->tolerance_count);
    for (unsigned i = 0; i < r->tolerance_count && i < fresh->tolerance_count; i++) {
        const lb_tolerance *have = &r->tolerances[i], *want = &fresh->tolerances[i];
        hold_text(w, "the role of a tolerance", have->role, want->role);
        hold_number(w, "elements", (int64_t)have->elements, (int64_t)want->elements);
        hold_figure(w, "max_steps", have->max_steps, want->max_steps);
        hold_figure(w, "mean_steps", have->mean_steps, want->mean_steps);
        hold_figure(w, "rms_steps", have->rms_steps, want->rms_steps);
        hold_figure(w, "max_real", have->max_real, want->max_real);
        hold_figure(w, "snr_db", have->snr_db, want->snr_db);
        hold_figure(w, "noise_ratio", have->noise_ratio, want->noise_ratio);
        hold_figure(w, "quant_share_percent", have->quant_share_percent, want->quant_share_percent);
        hold_limit(w, have, want);
    }
}

static void take_fresh(void *user, size_t profile_index, lb_result *fresh)
{
    work *w = user;
    const lb_result *r = w->stored;
    (void)profile_index;
    w->known = w->judged && fresh->verdict != LB_SKIP;
    if (!w->known)
        return;
    bool same_output = r->exact == LB_AGREEMENT_AGREES;
    hold_text(w, "rule", r->rule, fresh->rule ? fresh->rule : "");
    hold_text(w, "status_expected", r->status_expected, fresh->status_expected);
    if (same_output)
        hold_text(w, "the agreement of the recorded result", lb_agreement_name(r->recorded),
                  lb_agreement_name(fresh->recorded));
    if (same_output)
        hold_tolerances(w, fresh);
    if (same_output || w->c->chain.steps == 0)
        hold_accumulator(w, &r->accumulator, &fresh->accumulator);
    hold_differences(w);
}

/* ---- All results ---- */

/* Suite and case that the result's number stands for; NULL: not at hand, or (told) there is none.
 */
static const lb_case *find_case(work *w, size_t *suite)
{
    uint64_t number = w->stored->order / w->recheck->profile_count;
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    *suite = 0;
    while (*suite < w->info->suite_count && number >= w->first_case[*suite + 1])
        (*suite)++;
    if (*suite == w->info->suite_count) {
        contradict(w, "its order %" PRIu64 " is beyond the cases of the suites", w->stored->order);
        return NULL;
    }
    if (!w->recheck->suites[*suite])
        return NULL;
    if (!w->readers[*suite])
        w->readers[*suite] = lb_suite_reader_open(w->recheck->suites[*suite]);
    return w->readers[*suite]
               ? lb_suite_reader_case(w->readers[*suite], (size_t)(number - w->first_case[*suite]),
                                      &diagnostics)
               : NULL;
}

static lb_guard_mode guard_of(const lb_run_info *info)
{
    return strcmp(info->guard, "off") == 0     ? LB_GUARD_OFF
           : strcmp(info->guard, "error") == 0 ? LB_GUARD_ERROR
                                               : LB_GUARD_WARN;
}

static bool is_judged(const lb_result *r)
{
    bool was_error =
        r->verdict == LB_ERROR || (r->verdict == LB_WAIVED && strcmp(r->was, "error") == 0);
    return r->verdict != LB_SKIP && !was_error;
}

/* The trial of the run, with the model as the port. */
static void run_models(work *w, const lb_case *c, const lb_profile *profile)
{
    static const bool wanted[] = {true};
    lb_run_analyses analyses;
    w->recount.is_sure = w->stored->verdict == LB_PASS;
    w->judged = is_judged(w->stored);
    w->unfit = 0;
    lb_run_analyses_start(&analyses, guard_of(w->info), 0, lb_recount_listener(&w->recount));
    lb_trial_setup setup = {.port = &w->port.port,
                            .suite = w->stored->suite,
                            .file = w->stored->file,
                            .tolerance_off = !w->judged,
                            .policy = w->policy > 0 ? &w->recheck->policies[w->policy - 1] : NULL,
                            .analyses = analyses.list,
                            .analysis_count = analyses.count,
                            .arena = &w->arena};
    w->c = c;
    w->port.last = NULL;
    lb_arena_reset(&w->arena);
    lb_trial_run(&setup, c, &profile, wanted, 1, NULL, take_fresh, w);
}

/* Which policy holds for a suite the results do not say: that of the result before, else any of the
 * run's that explains all limits, or none. Where nothing does, what explains most is told against.
 */
static void try_policies(work *w, const lb_case *c, const lb_profile *profile)
{
    const size_t choices = w->recheck->policy_count + 1, first = w->policy;
    uint64_t least = UINT64_MAX;
    size_t best = first;
    w->is_silent = choices > 1;
    for (size_t i = 0; w->is_silent && i < choices && least > 0; i++) {
        w->policy = (first + i) % choices;
        run_models(w, c, profile);
        if (w->unfit < least) {
            least = w->unfit;
            best = w->policy;
        }
    }
    w->is_silent = false;
    w->policy = best;
    if (least > 0)
        run_models(w, c, profile);
}

static void hold_result(work *w)
{
    size_t suite, profile = (size_t)(w->stored->order % w->recheck->profile_count);
    const lb_case *c = find_case(w, &suite);
    w->known = false;
    if (c) {
        const lb_profile *chosen = w->recheck->profiles[profile];
        hold_text(w, "the case", w->stored->id, c->id);
        hold_text(w, "the function", w->stored->function, c->function);
        hold_text(w, "the suite", w->stored->suite, w->info->suites[suite].name);
        hold_text(w, "the file", w->stored->file, w->info->suites[suite].file);
        hold_text(w, "the profile", w->stored->profile, chosen->name);
        hold_number(w, "the line of the case", w->stored->line, c->line);
        try_policies(w, c, chosen);
    }
    hold_verdict(w);
    hold_reproduce(w);
    w->recheck->held += w->known;
    w->recheck->not_held += !w->known;
}

static void make_room(work *w)
{
    size_t count = w->info->suite_count;
    w->readers = lb_zeroed(count, sizeof(lb_suite_reader *));
    w->first_case = lb_zeroed(count + 1, sizeof *w->first_case);
    for (size_t i = 0; i < count; i++)
        w->first_case[i + 1] = w->first_case[i] + w->info->suites[i].cases;
}

/* Cases that are not at hand may reach anything. */
static bool has_all_suites(const work *w)
{
    bool all = w->info->suite_count > 0;
    for (size_t i = 0; i < w->info->suite_count; i++)
        all = all && w->recheck->suites[i];
    return all;
}

bool lb_recheck_results(lb_recheck *recheck, lb_results_reader *reader, char *error,
                        size_t error_bytes)
{
    work w = {.recheck = recheck, .info = lb_results_info(reader), .port = {.port = model}};
    error[0] = '\0';
    make_room(&w);
    lb_recount_start(&w.recount, recheck->profiles, recheck->profile_count);
    lb_progress progress;
    lb_progress_start(&progress, LB_PROGRESS_LINES, "results",
                      lb_tally_total(lb_results_tally(reader)));
    for (uint64_t done = 0; recheck->profile_count > 0 &&
                            (w.stored = lb_results_next(reader, error, error_bytes)) != NULL;) {
        hold_result(&w);
        lb_progress_show(&progress, ++done);
    }
    lb_progress_end(&progress);
    if (error[0] == '\0' && has_all_suites(&w))
        lb_recount_hold(&w.recount, w.info, recheck->contradiction, recheck->user);
    lb_recount_end(&w.recount);
    for (size_t i = 0; w.readers && i < w.info->suite_count; i++)
        if (w.readers[i])
            lb_suite_reader_close(w.readers[i]);
    free(w.readers);
    free(w.first_case);
    lb_arena_free(&w.arena);
    return error[0] == '\0';
}
