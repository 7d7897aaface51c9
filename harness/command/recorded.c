/* Recorded results and the exact model: see recorded.h. */
#include "harness/command/recorded.h"
#include "harness/base/arena.h"
#include "harness/command/model_port.h"
#include "harness/trial/trial.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void lb_recorded_numerics_make(lb_recorded_numerics *numerics)
{
    size_t count = 0;
    for (int n = 0; n < LB_NUMERICS_COUNT; n++) {
        lb_profile *profile = &numerics->profiles[count++];
        *profile = lb_profiles[n % LB_PROFILE_COUNT];
        profile->avepool16 = n >= LB_PROFILE_COUNT;
        snprintf(profile->name, sizeof profile->name, "%s", lb_numerics_name(n));
    }
    for (unsigned s = 0; s < LB_SET_COUNT; s++)
        for (unsigned p = 0; s != LB_SET_MLI && p < lb_kernel_sets[s]->profile_count; p++)
            numerics->profiles[count++] = lb_kernel_sets[s]->profiles[p];
    for (size_t n = 0; n < count; n++)
        numerics->list[n] = &numerics->profiles[n];
    numerics->count = count;
}

bool lb_recorded_in(const lb_recorded_numerics *numerics, const lb_case *c,
                    bool wanted[LB_MOST_RECORDED])
{
    const lb_set set = c->kernel ? c->kernel->set : LB_SET_MLI;
    bool any = false;
    for (size_t n = 0; n < numerics->count; n++) {
        const lb_profile *p = &numerics->profiles[n];
        const bool counts =
            p->set == set && (!p->avepool16 || (c->kernel && lb_kernel_has_avepool16(c->kernel)));
        wanted[n] = counts && lb_case_expect(c, p);
        any |= wanted[n];
    }
    return any;
}

/* ---- Held against the exact model ---- */

enum { MOST_TOLD = 20 };

typedef struct checking {
    const char *path;
    const char *id, *names, *differs; /* the case that is told next; id NULL: none */
    unsigned line;
    uint64_t wrong, told;
    lb_arena arena;
} checking;

/* One line of all profiles in which a case differs in the same way. */
static void tell(checking *x)
{
    if (x->id && x->told++ < MOST_TOLD)
        fprintf(stderr,
                "%s:%u: case %s [%s]: the recorded result is not what the exact model gives: %s; "
                "see lastbit explain\n",
                x->path, x->line, x->id, x->names, x->differs);
    x->id = NULL;
}

static const char *first_difference(const lb_result *r, lb_arena *arena)
{
    const lb_difference *d = &r->differences[0];
    if (r->difference_count == 0)
        return r->reason;
    bool is_element = d->what == LB_DIFFERS_DATA;
    const char *what = d->field[0] ? d->field : is_element ? "" : lb_differs_name(d->what);
    const char *place =
        lb_arena_printf(arena, "%s%s%s%s%s%s", d->role, d->role[0] && what[0] ? "." : "", what,
                        d->index[0] ? "[" : "", d->index, d->index[0] ? "]" : "");
    return lb_arena_printf(arena,
                           "%s: recorded %s, exact model %s; %" PRIu64 " of %" PRIu64 " differ",
                           place, d->expected, d->got, d->count, d->total);
}

static void take_result(void *user, size_t profile, lb_result *r)
{
    checking *x = user;
    (void)profile;
    if (r->verdict != LB_FAIL)
        return;
    const char *differs = first_difference(r, &x->arena);
    x->wrong++;
    if (x->id && strcmp(x->differs, differs) == 0) {
        x->names = lb_arena_printf(&x->arena, "%s,%s", x->names, r->profile);
        return;
    }
    tell(x);
    x->id = lb_arena_strdup(&x->arena, r->id);
    x->names = lb_arena_strdup(&x->arena, r->profile);
    x->line = r->line;
    x->differs = differs;
}

uint64_t lb_recorded_check(const lb_suite *suite, const char *path)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    lb_recorded_numerics numerics;
    lb_model_port model;
    checking x = {.path = path};
    lb_arena arena = {0};
    lb_suite_reader *reader = lb_suite_reader_open(suite);
    lb_model_port_make(&model);
    lb_recorded_numerics_make(&numerics);
    lb_trial_setup setup = {.port = &model.port,
                            .suite = lb_suite_name(suite),
                            .file = path,
                            .tolerance_off = true,
                            .arena = &arena};
    for (size_t i = 0; reader && i < lb_suite_case_count(suite); i++) {
        bool wanted[LB_MOST_RECORDED];
        const lb_case *c = lb_suite_reader_case(reader, i, &diagnostics);
        if (!c || !lb_recorded_in(&numerics, c, wanted))
            continue;
        lb_trial_run(&setup, c, numerics.list, wanted, numerics.count, NULL, take_result, &x);
        tell(&x);
        lb_arena_reset(&arena);
        lb_arena_reset(&x.arena);
    }
    if (x.told > MOST_TOLD)
        fprintf(stderr, "%s: ... and %" PRIu64 " more\n", path, x.told - MOST_TOLD);
    lb_suite_reader_close(reader);
    lb_arena_free(&arena);
    lb_arena_free(&x.arena);
    return x.wrong;
}
