/* Coverage as the results model has it: see results.h. */
#include "harness/coverage/results.h"

/* Names and reasons of a function's points that were not reached. */
static void add_rest(const lb_cover_map *map, const lb_cover_function *function, lb_arena *arena,
                     lb_coverage *row, const char **missed, lb_unreachable *unreachable)
{
    char name[LB_COVER_SPOT_BYTES];
    const char *why;
    lb_cover_state state;
    for (size_t at = 0; lb_cover_next_rest(map, function, &at, name, &state, &why);) {
        const char *kept = lb_arena_strdup(arena, name);
        if (state == LB_COVER_MISSED)
            missed[row->missed_count++] = kept;
        else
            unreachable[row->unreachable_count++] = (lb_unreachable){.point = kept, .why = why};
    }
    row->missed = missed;
    row->unreachable = unreachable;
}

void lb_cover_results(const lb_cover_map *map, lb_arena *arena, lb_run_info *info)
{
    lb_coverage *rows = lb_arena_array(arena, lb_kernel_total(), sizeof *rows);
    size_t count = 0;
    for (size_t i = 0; i < lb_kernel_total(); i++) {
        const lb_cover_function *function = &map->functions[i];
        if (!lb_cover_is_called(map, function))
            continue;
        lb_cover_figures figures = lb_cover_map_figures(map, function);
        if (figures.hit + figures.contradicted == 0)
            continue;
        lb_coverage *row = &rows[count++];
        *row = (lb_coverage){.function = function->kernel->name,
                             .points = (unsigned)figures.points,
                             .hit = (unsigned)figures.hit};
        add_rest(map, function, arena, row,
                 lb_arena_array(arena, figures.missed + 1, sizeof(char *)),
                 lb_arena_array(arena, figures.unreachable + 1, sizeof(lb_unreachable)));
    }
    lb_coverage_sort(rows, count);
    info->coverage = rows;
    info->coverage_count = count;
}
