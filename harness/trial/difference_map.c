/* Difference maps: see difference_map.h. */
#include "harness/trial/difference_map.h"
#include "harness/trial/receptive_field.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct grid {
    size_t rows, columns;           /* of elements */
    size_t cell_rows, cell_columns; /* of cells, at most LB_MAX_MAP_SIDE each */
} grid;

static grid make_grid(const lb_layout *layout)
{
    grid g = {.rows = 1, .columns = 1};
    for (unsigned d = 0; d < layout->rank; d++)
        if (d < layout->rank / 2)
            g.rows *= layout->shape[d];
        else
            g.columns *= layout->shape[d];
    g.cell_rows = g.rows < LB_MAX_MAP_SIDE ? g.rows : LB_MAX_MAP_SIDE;
    g.cell_columns = g.columns < LB_MAX_MAP_SIDE ? g.columns : LB_MAX_MAP_SIDE;
    return g;
}

/* The cell that element number i is shown in. */
static size_t cell_of(const grid *g, size_t i)
{
    return i / g->columns * g->cell_rows / g->rows * g->cell_columns +
           i % g->columns * g->cell_columns / g->columns;
}

static uint64_t distance(int32_t a, int32_t b)
{
    int64_t difference = (int64_t)a - b;
    return (uint64_t)(difference < 0 ? -difference : difference);
}

/* What was expected and what came, of the first cells that differ: of each the element that differs
 * most. */
static char *list_values(const grid *g, const char *map, lb_map_values values, const void *user,
                         lb_arena *arena)
{
    enum { SHOWN = 24, ENTRY_BYTES = 64 };
    char *text = lb_arena_alloc(arena, SHOWN * ENTRY_BYTES);
    size_t length = 0, shown = 0, count = g->rows * g->columns;
    bool told[LB_MAX_MAP_SIDE * LB_MAX_MAP_SIDE] = {false};
    text[0] = '\0';
    for (size_t i = 0; i < count && shown < SHOWN; i++) {
        int32_t expected, got;
        size_t cell = cell_of(g, i);
        values(user, i, &expected, &got);
        if (map[cell] == lb_map_class(0) || told[cell] ||
            lb_map_class(distance(expected, got)) != map[cell])
            continue;
        told[cell] = true;
        length += (size_t)snprintf(text + length, ENTRY_BYTES, "%s%zu:%zu:%" PRId32 ":%" PRId32,
                                   shown++ ? " " : "", cell, i, expected, got);
    }
    return text;
}

/* Where the operands of the first of these elements lie. */
static char *list_operands(const lb_case *c, const lb_layout *layout, const char *values,
                           lb_arena *arena)
{
    enum { SHOWN = 8 };
    char *text = lb_arena_strdup(arena, "");
    for (unsigned i = 0; c && *values && i < SHOWN; i++) {
        uint32_t index[LB_MAX_RANK] = {0};
        size_t rest = strtoull(strchr(values, ':') + 1, NULL, 10);
        for (unsigned d = layout->rank; d-- > 0; rest /= layout->shape[d])
            index[d] = (uint32_t)(rest % layout->shape[d]);
        text = lb_arena_printf(arena, "%s%s%s", text, i > 0 ? "\t" : "",
                               lb_operands_text(c, index, layout->rank, arena));
        values += strcspn(values, " ");
        values += *values == ' ';
    }
    return text[strspn(text, "\t")] ? text : lb_arena_strdup(arena, "");
}

static char *list_shape(const lb_layout *layout, lb_arena *arena)
{
    enum { NUMBER_BYTES = 12 };
    char *text = lb_arena_alloc(arena, LB_MAX_RANK * NUMBER_BYTES + 1);
    size_t length = 0;
    text[0] = '\0';
    for (unsigned d = 0; d < layout->rank; d++)
        length += (size_t)snprintf(text + length, NUMBER_BYTES, "%s%" PRIu32, d ? "," : "",
                                   (uint32_t)layout->shape[d]);
    return text;
}

void lb_difference_map_draw(lb_result *result, const char *role, const lb_layout *layout,
                            lb_map_values values, const void *user, const lb_case *c,
                            lb_arena *arena)
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
        char *cell = &map[cell_of(&g, i)];
        *cell = class > *cell ? class : *cell; /* '.' comes before the digits */
    }
    result->map = map;
    result->map_role = role;
    result->map_rows = (unsigned)g.cell_rows;
    result->map_columns = (unsigned)g.cell_columns;
    result->map_shape = list_shape(layout, arena);
    result->map_values = list_values(&g, map, values, user, arena);
    result->map_operands = list_operands(c, layout, result->map_values, arena);
}
