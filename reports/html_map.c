/* The difference map of a failing output in the HTML report: a picture of where it differs, in nine
 * classes. */
#include "escape.h"
#include "html_parts.h"

#include <stdlib.h>
#include <string.h>

/* Pixels; room for the numbers and words of the axes. */
enum {
    LARGEST_SIDE = 240,
    LARGEST_CELL = 14,
    LEFT = 44,
    RIGHT = 18,
    TOP = 4,
    BELOW = 32,
    LEAST_WIDTH = 220
};

/* Bounds of the classes, for people; the first is "equal". */
static const char *const class_words[] = {
    "equal",   "1",        "2",        "3 to 4",    "5 to 8",
    "9 to 16", "17 to 32", "33 to 64", "65 to 256", "more than 256"};

static unsigned class_at(const lb_result *result, unsigned row, unsigned column)
{
    char c = result->map[(size_t)row * result->map_columns + column];
    return c >= '1' && c <= '9' ? (unsigned)(c - '0') : 0;
}

/* All cells of a class as one path of runs; nothing where there are none. */
static void put_class(lb_doc *doc, const lb_result *result, unsigned class)
{
    bool open = false;
    for (unsigned row = 0; row < result->map_rows; row++) {
        for (unsigned column = 0; column < result->map_columns; column++) {
            unsigned run = 0;
            while (column + run < result->map_columns &&
                   class_at(result, row, column + run) == class)
                run++;
            if (run > 0) {
                if (!open)
                    lb_doc_printf(doc, "<path class=\"m%u\" d=\"", class);
                lb_doc_printf(doc, "M%u %uh%uv1h-%uz", column, row, run, run);
                open = true;
                column += run;
            }
        }
    }
    lb_doc_puts(doc, open ? "\"/>" : "");
}

/* The figure with what its script tells of a cell under the pointer. */
static void put_figure(lb_doc *doc, const lb_result *result)
{
    const char *const parts[][2] = {{"map", result->map},
                                    {"shape", result->map_shape},
                                    {"values", result->map_values},
                                    {"operands", result->map_operands}};
    lb_doc_printf(doc, "<figure class=\"map\" data-rows=\"%u\" data-columns=\"%u\"",
                  result->map_rows, result->map_columns);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (parts[i][1][0] != '\0') {
            lb_doc_printf(doc, " data-%s=\"", parts[i][0]);
            lb_escape_html(doc, parts[i][1], LB_MAX_MAP_SIDE * LB_MAX_MAP_SIDE);
            lb_doc_char(doc, '"');
        }
    }
    lb_doc_char(doc, '>');
}

/* The dimensions from `first` up to `end` of a shape "2,4,7": their product, and their sizes in
 * words, "4 × 7". */
static uint64_t extent(const char *shape, unsigned first, unsigned end, lb_doc *words)
{
    uint64_t product = 1;
    for (unsigned d = 0; *shape != '\0'; d++) {
        size_t digits = strcspn(shape, ",");
        if (d >= first && d < end) {
            product *= strtoull(shape, NULL, 10);
            lb_doc_puts(words, words->length > 0 ? " × " : "");
            lb_doc_bytes(words, shape, strspn(shape, "0123456789")); /* the rest is no shape */
        }
        shape += digits + (shape[digits] == ',');
    }
    return product;
}

/* Numbers of the first and the last element along an axis, and what it is. */
static void put_axes(lb_doc *doc, const lb_result *result, unsigned width, unsigned height)
{
    unsigned rank = result->map_shape[0] != '\0';
    for (const char *at = result->map_shape; *at != '\0'; at++)
        rank += *at == ',';
    if (rank == 0)
        return;
    lb_doc rows = lb_doc_make(), columns = lb_doc_make();
    uint64_t row_count = extent(result->map_shape, 0, rank / 2, &rows);
    uint64_t column_count = extent(result->map_shape, rank / 2, rank, &columns);
    lb_doc_printf(doc, "<text class=\"to\" x=\"%d\" y=\"%d\">0</text>", LEFT - 5, TOP + 9);
    if (row_count > 1 && height >= 20) {
        lb_doc_printf(doc, "<text class=\"to\" x=\"%d\" y=\"%u\">", LEFT - 5, TOP + height);
        lb_doc_u64(doc, row_count - 1);
        lb_doc_puts(doc, "</text>");
    }
    lb_doc_printf(doc, "<text x=\"%d\" y=\"%u\">0</text>", LEFT, TOP + height + 13);
    if (column_count > 1 && width >= 20) {
        lb_doc_printf(doc, "<text class=\"to\" x=\"%u\" y=\"%u\">", LEFT + width,
                      TOP + height + 13);
        lb_doc_u64(doc, column_count - 1);
        lb_doc_puts(doc, "</text>");
    }
    lb_doc_printf(doc, "<text x=\"2\" y=\"%u\">rows ", TOP + height + 28);
    lb_doc_bytes(doc, rows.length > 0 ? rows.text : "1", rows.length > 0 ? rows.length : 1);
    lb_doc_puts(doc, ", columns ");
    lb_doc_bytes(doc, columns.length > 0 ? columns.text : "1",
                 columns.length > 0 ? columns.length : 1);
    lb_doc_puts(doc, "</text>");
    lb_doc_free(&rows);
    lb_doc_free(&columns);
}

void lb_html_map(lb_doc *doc, const lb_result *result)
{
    unsigned cells = result->map_rows * result->map_columns, differ = 0, largest = 0;
    if (cells == 0)
        return;
    for (unsigned i = 0; i < cells; i++) {
        unsigned class = class_at(result, i / result->map_columns, i % result->map_columns);
        differ += class > 0;
        largest = class > largest ? class : largest;
    }
    unsigned side = result->map_rows > result->map_columns ? result->map_rows : result->map_columns;
    unsigned scale = LARGEST_SIDE / side < LARGEST_CELL ? LARGEST_SIDE / side : LARGEST_CELL;
    scale = scale < 3 ? 3 : scale;
    const unsigned width = result->map_columns * scale, height = result->map_rows * scale;
    put_figure(doc, result);
    lb_doc_printf(
        doc,
        "<svg class=\"axes\" role=\"img\" width=\"%u\" height=\"%u\" aria-label=\"%u of %u "
        "cells differ, the largest difference is %s\">",
        LEFT + width + RIGHT < LEAST_WIDTH ? LEAST_WIDTH : LEFT + width + RIGHT,
        TOP + height + BELOW, differ, cells, class_words[largest]);
    put_axes(doc, result, width, height);
    lb_doc_printf(doc,
                  "<svg class=\"cells\" x=\"%d\" y=\"%d\" width=\"%u\" height=\"%u\" viewBox=\"0 0 "
                  "%u %u\" preserveAspectRatio=\"none\"><rect class=\"m0\" width=\"%u\" "
                  "height=\"%u\"/>",
                  LEFT, TOP, width, height, result->map_columns, result->map_rows,
                  result->map_columns, result->map_rows);
    for (unsigned class = 1; class < sizeof class_words / sizeof class_words[0]; class ++)
        put_class(doc, result, class);
    lb_doc_puts(doc, "</svg>");
    lb_doc_puts(doc, "</svg><figcaption>Where ");
    lb_html_code(doc, result->map_role[0] != '\0' ? result->map_role : "the output");
    lb_doc_printf(doc, " differs: %u of %u cells; largest difference: %s</figcaption></figure>\n",
                  differ, cells, class_words[largest]);
}

void lb_html_map_legend(lb_doc *doc)
{
    lb_doc_puts(doc, "<ul class=\"legend maps\" aria-label=\"Colours of the difference maps\">");
    for (unsigned class = 1; class < sizeof class_words / sizeof class_words[0]; class ++) {
        lb_doc_printf(doc,
                      "<li><svg width=\"12\" height=\"12\" aria-hidden=\"true\"><rect "
                      "class=\"m%u\" width=\"12\" "
                      "height=\"12\"/></svg>%s</li>",
                      class, class_words[class]);
    }
    lb_doc_puts(doc, "</ul>\n");
}
