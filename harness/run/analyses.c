/* The analyses that listen to the trials of a run: see analyses.h. */
#include "harness/run/analyses.h"

static void add(lb_run_analyses *a, lb_analysis analysis)
{
    a->items[a->count] = analysis;
    a->list[a->count] = &a->items[a->count];
    a->count++;
}

void lb_run_analyses_start(lb_run_analyses *a, lb_guard_mode mode, double diverges_seconds,
                           lb_cover_listener cover)
{
    *a = (lb_run_analyses){
        .guard = {.mode = mode}, .diverges = {.seconds_left = diverges_seconds}, .cover = cover};
    /* Guard bits first: they may take a failing verdict back. */
    add(a, lb_guard_analysis(&a->guard));
    if (diverges_seconds > 0)
        add(a, lb_diverges_analysis(&a->diverges));
    add(a, lb_vacuous_analysis(&a->vacuous));
    if (cover.observe)
        add(a, lb_cover_analysis(&a->cover));
}
