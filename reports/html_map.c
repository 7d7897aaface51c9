/* The difference map of a failing output in the HTML report: a picture of where it differs, in nine
 * classes. */
#include "escape.h"
#include "html_parts.h"

#include <string.h>

enum { LARGEST_SIDE = 240, LARGEST_CELL = 14 };

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
                   class_at(result, row, column + run) == class) {
                run++;
            }
            if (run > 0) {
                if (!open) {
                    lb_doc_printf(doc, "<path class=\"m%u\" d=\"", class);
                }
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
    const char *const parts[][2] = {
        {"map", result->map}, {"shape", result->map_shape}, {"values", result->map_values}};
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

void lb_html_map(lb_doc *doc, const lb_result *result)
{
    unsigned cells = result->map_rows * result->map_columns, differ = 0, largest = 0;
    if (cells == 0) {
        return;
    }
    for (unsigned i = 0; i < cells; i++) {
        unsigned class = class_at(result, i / result->map_columns, i % result->map_columns);
        differ += class > 0;
        largest = class > largest ? class : largest;
    }
    unsigned side = result->map_rows > result->map_columns ? result->map_rows : result->map_columns;
    unsigned scale = LARGEST_SIDE / side < LARGEST_CELL ? LARGEST_SIDE / side : LARGEST_CELL;
    scale = scale < 3 ? 3 : scale;
    put_figure(doc, result);
    lb_doc_printf(doc, "<svg role=\"img\" viewBox=\"0 0 %u %u\" width=\"%u\" height=\"%u\" ",
                  result->map_columns, result->map_rows, result->map_columns * scale,
                  result->map_rows * scale);
    lb_doc_printf(doc,
                  "aria-label=\"%u of %u cells differ, the largest difference is %s\"><rect "
                  "class=\"m0\" width=\"%u\" "
                  "height=\"%u\"/>",
                  differ, cells, class_words[largest], result->map_columns, result->map_rows);
    for (unsigned class = 1; class < sizeof class_words / sizeof class_words[0]; class ++) {
        put_class(doc, result, class);
    }
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
