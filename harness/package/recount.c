/* Coverage counted again: see recount.h. */
#include "harness/package/recount.h"
#include "harness/coverage/map.h"
#include "harness/coverage/results.h"
#include "harness/port/provided.h"

#include <stdio.h>
#include <string.h>

void lb_recount_start(lb_recount *recount, const lb_profile *const *profiles, size_t count)
{
    *recount = (lb_recount){.sure = lb_cover_map_new(lb_cover_profiles(profiles, count)),
                            .most = lb_cover_map_new(lb_cover_profiles(profiles, count))};
}

void lb_recount_end(lb_recount *recount)
{
    lb_cover_map_free(recount->sure);
    lb_cover_map_free(recount->most);
}

static void keep(lb_cover_map *map, const lb_observation *o)
{
    size_t fresh[LB_COVER_LINE_POINTS], count;
    while ((count = lb_cover_map_look(map, o, fresh, LB_COVER_LINE_POINTS)) > 0)
        lb_cover_map_keep(map, fresh, count);
}

static void observe(void *user, const lb_observation *o)
{
    const lb_recount *recount = user;
    keep(recount->most, o);
    if (recount->is_sure)
        keep(recount->sure, o);
}

static bool wants_steps(void *user, const lb_kernel *kernel, const lb_profile *profile)
{
    const lb_recount *recount = user;
    return lb_cover_map_wants_steps(recount->is_sure ? recount->sure : recount->most, kernel,
                                    profile);
}

lb_cover_listener lb_recount_listener(lb_recount *recount)
{
    return (lb_cover_listener){.observe = observe, .wants_steps = wants_steps, .user = recount};
}

static const lb_coverage *row_of(const lb_run_info *info, const char *function)
{
    for (size_t i = 0; i < info->coverage_count; i++)
        if (strcmp(info->coverage[i].function, function) == 0)
            return &info->coverage[i];
    return NULL;
}

/* The first point that only one of the two has missed. */
static const char *other_point(const lb_coverage *stored, const lb_coverage *fresh)
{
    unsigned i = 0;
    while (i < stored->missed_count && i < fresh->missed_count &&
           strcmp(stored->missed[i], fresh->missed[i]) == 0)
        i++;
    return i < stored->missed_count  ? stored->missed[i]
           : i < fresh->missed_count ? fresh->missed[i]
                                     : "";
}

void lb_recount_hold(const lb_recount *recount, const lb_run_info *info,
                     void (*contradiction)(void *user, const char *text), void *user)
{
    lb_arena arena = {0};
    lb_run_info sure = {0}, most = {0};
    lb_cover_results(recount->sure, &arena, &sure);
    lb_cover_results(recount->most, &arena, &most);
    for (size_t i = 0; i < lb_kernel_total(); i++) {
        const char *name = lb_kernel_at(i)->name;
        const lb_coverage *stored = row_of(info, name), *low = row_of(&sure, name),
                          *high = row_of(&most, name);
        const unsigned hit = stored ? stored->hit : 0, least = low ? low->hit : 0,
                       all = high ? high->hit : 0;
        const char *point = stored && low && high ? other_point(stored, high) : "";
        char text[400];
        if (lb_function_moves(lb_kernel_at(i)))
            continue;
        if (stored && high && stored->points != high->points)
            snprintf(text, sizeof text,
                     "%s: %u points of coverage in the results, and there are %u", name,
                     stored->points, high->points);
        else if (hit < least || hit > all)
            snprintf(text, sizeof text,
                     "%s: %u points of coverage are reached in the results, but %u%s by its cases",
                     name, hit, least == all || hit < least ? least : all,
                     least == all  ? ""
                     : hit < least ? " at least"
                                   : " at most");
        else if (least == all && *point)
            snprintf(text, sizeof text,
                     "%s: point of coverage %.100s is missed by one of results and models", name,
                     point);
        else
            continue;
        contradiction(user, text);
    }
    lb_arena_free(&arena);
}
