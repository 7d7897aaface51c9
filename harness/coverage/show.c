/* Figures of coverage: see show.h. */
#include "harness/coverage/show.h"
#include "reference/core/profile.h"

lb_cover_view lb_cover_view_of(const lb_cover_map *map, const bool *wanted)
{
    lb_cover_view view = {.map = map, .wanted = wanted};
    for (size_t i = 0; i < lb_kernel_total(); i++) {
        if (!wanted[i])
            continue;
        lb_cover_figures f = lb_cover_map_figures(map, &map->functions[i]);
        view.functions++;
        view.totals.points += f.points;
        view.totals.hit += f.hit;
        view.totals.missed += f.missed;
        view.totals.unreachable += f.unreachable;
        view.totals.contradicted += f.contradicted;
    }
    return view;
}

double lb_cover_percent(const lb_cover_figures *figures)
{
    return figures->points == 0 ? 100.0 : 100.0 * (double)figures->hit / (double)figures->points;
}

/* Downwards, to one place: 99.96 is not 100. */
static double shown_percent(const lb_cover_figures *figures)
{
    uint64_t tenths = figures->points == 0 ? 1000 : 1000 * figures->hit / figures->points;
    return (double)tenths / 10.0;
}

/* The profiles that count in which the point has this state: " in up-full, up-reduced"; "" where it
 * has it in all of them. Gives how many. */
static unsigned profiles_in(const lb_cover_map *map, const lb_cover_function *function,
                            size_t point, lb_cover_state wanted, char *text, size_t text_bytes,
                            const char **why)
{
    unsigned count = 0, all = 0;
    size_t length = 0;
    text[0] = '\0';
    *why = NULL;
    for (int p = 0; p < LB_PROFILE_COUNT; p++) {
        const char *reason;
        if (!lb_cover_counts_in(map, function->kernel, p))
            continue;
        all++;
        if (lb_cover_map_state(map, function, lb_cover_spot(map, p, point), &reason) != wanted)
            continue;
        *why = reason;
        length +=
            (size_t)snprintf(text + length, text_bytes - length, "%s%s", count++ ? ", " : " in ",
                             lb_kernel_set_of(function->kernel)->profiles[p].name);
    }
    if (count == all)
        text[0] = '\0';
    return count;
}

enum { PROFILES_BYTES = 32 * LB_PROFILE_COUNT };

static void print_missed(const lb_cover_map *map, const lb_cover_function *function, FILE *out)
{
    for (size_t i = 0; i < function->point_count; i++) {
        size_t point = function->first_point + i;
        char name[LB_COVERPOINT_BYTES], profiles[PROFILES_BYTES];
        const char *why;
        unsigned place;
        if (profiles_in(map, function, point, LB_COVER_MISSED, profiles, sizeof profiles, &why) ==
            0)
            continue;
        const lb_cover_group *group = lb_cover_map_group(function, point, &place);
        lb_cover_name(group, place, name);
        fprintf(out, "    missed %-44s %s%s\n", name, group->spec, profiles);
    }
}

void lb_cover_print(const lb_cover_view *view, FILE *out)
{
    size_t untouched = 0;
    fprintf(out, "%-56s %7s %7s %7s %12s\n", "function", "points", "hit", "percent", "unreachable");
    for (size_t i = 0; i < lb_kernel_total(); i++) {
        const lb_cover_function *function = &view->map->functions[i];
        if (!view->wanted[i])
            continue;
        lb_cover_figures f = lb_cover_map_figures(view->map, function);
        untouched += f.hit == 0 && f.points > 0;
        if (f.hit == 0 && f.points > 0)
            continue;
        fprintf(out, "%-56s %7zu %7zu %7.1f %12zu\n", function->kernel->name, f.points, f.hit,
                shown_percent(&f), f.unreachable);
        print_missed(view->map, function, out);
    }
    for (size_t i = 0; i < lb_kernel_total() && untouched > 0; i++) {
        lb_cover_figures f = lb_cover_map_figures(view->map, &view->map->functions[i]);
        if (view->wanted[i] && f.hit == 0 && f.points > 0)
            fprintf(out, "%-56s %7zu       0     0.0 %12zu  no case reaches anything\n",
                    view->map->functions[i].kernel->name, f.points, f.unreachable);
    }
    fprintf(out, "%zu functions: %zu of %zu points hit (%.1f %%), %zu missed, %zu unreachable\n",
            view->functions, view->totals.hit, view->totals.points, shown_percent(&view->totals),
            view->totals.missed, view->totals.unreachable);
}

/* A point and its states: "hit", "missed in up-full, hit in up-reduced". */
static void print_point(const lb_cover_map *map, const lb_cover_function *function, size_t point,
                        FILE *out)
{
    static const char *const states[] = {[LB_COVER_MISSED] = "missed",
                                         [LB_COVER_REACHED] = "hit",
                                         [LB_COVER_UNREACHABLE] = "unreachable",
                                         [LB_COVER_CONTRADICTED] =
                                             "REACHED, though said to be unreachable"};
    char name[LB_COVERPOINT_BYTES], profiles[PROFILES_BYTES];
    unsigned place, told = 0;
    const lb_cover_group *group = lb_cover_map_group(function, point, &place);
    lb_cover_name(group, place, name);
    fprintf(out, "%s\t%s\t%s\t", function->kernel->name, name, group->spec);
    for (lb_cover_state state = LB_COVER_MISSED; state <= LB_COVER_CONTRADICTED; state++) {
        const char *why;
        if (profiles_in(map, function, point, state, profiles, sizeof profiles, &why) > 0)
            fprintf(out, "%s%s%s%s%s", told++ ? "; " : "", states[state], profiles, why ? ": " : "",
                    why ? why : "");
    }
    fputc('\n', out);
}

void lb_cover_print_points(const lb_cover_view *view, FILE *out)
{
    for (size_t i = 0; i < lb_kernel_total(); i++) {
        const lb_cover_function *function = &view->map->functions[i];
        for (size_t p = 0; view->wanted[i] && p < function->point_count; p++)
            print_point(view->map, function, function->first_point + p, out);
    }
}
