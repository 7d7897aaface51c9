/* Difference maps: see difference_map.h. */
#include "harness/trial/difference_map.h"

typedef struct grid {
    size_t rows, columns;           /* of elements */
    size_t cell_rows, cell_columns; /* of cells, at most LB_MAX_MAP_SIDE each */
} grid;

static grid make_grid(const lb_layout *layout)
{
    grid g = {.rows = 1, .columns = 1};
    for (unsigned d = 0; d < layout->rank; d++) {
        if (d < layout->rank / 2)
            g.rows *= layout->shape[d];
        else
            g.columns *= layout->shape[d];
    }
    g.cell_rows = g.rows < LB_MAX_MAP_SIDE ? g.rows : LB_MAX_MAP_SIDE;
    g.cell_columns = g.columns < LB_MAX_MAP_SIDE ? g.columns : LB_MAX_MAP_SIDE;
    return g;
}

static uint64_t distance(int32_t a, int32_t b)
{
    int64_t difference = (int64_t)a - b;
    return (uint64_t)(difference < 0 ? -difference : difference);
}

void lb_difference_map_draw(lb_result *result, const char *role, const lb_layout *layout,
                            lb_map_values values, const void *user, lb_arena *arena)
{
    grid g = make_grid(layout);
    size_t count = lb_layout_count(layout);
    if (result->map_rows > 0 || count == 0 || g.rows * g.columns != count)
        return;
    char *map = lb_arena_alloc(arena, g.cell_rows * g.cell_columns + 1);
    for (size_t i = 0; i < g.cell_rows * g.cell_columns; i++)
        map[i] = lb_map_class(0);
    for (size_t i = 0; i < count; i++) {
        int32_t expected, got;
        values(user, i, &expected, &got);
        char class = lb_map_class(distance(expected, got));
        size_t row = i / g.columns * g.cell_rows / g.rows,
               column = i % g.columns * g.cell_columns / g.columns;
        char *cell = &map[row * g.cell_columns + column];
        *cell = class > *cell ? class : *cell; /* '.' comes before the digits */
    }
    result->map = map;
    result->map_role = role;
    result->map_rows = (unsigned)g.cell_rows;
    result->map_columns = (unsigned)g.cell_columns;
}
