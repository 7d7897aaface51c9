/* The first look of the HTML report at where it fails: families by types and profiles in one heat
 * map, and two histograms, of headroom and of deviation. */
#include "escape.h"
#include "html_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FAMILIES = 80, MAX_TYPES = 24, MAX_PROFILES = 16, SQUARE = 15, GAP = 2 };

typedef struct heat {
    const char *families[MAX_FAMILIES], *types[MAX_TYPES];
    size_t family_count, type_count, profile_count;
    lb_tally of_family[MAX_FAMILIES];
    size_t order[MAX_FAMILIES]; /* those that fail first */
    lb_tally *cells;            /* [family][type][profile] */
} heat;

/* Place of a word in a list, at the end if it is new; the list's room where it is full. */
static size_t place_of(const char **list, size_t *count, size_t room, const char *word)
{
    size_t i = 0;
    while (i < *count && strcmp(list[i], word) != 0)
        i++;
    if (i == *count && i < room)
        list[(*count)++] = word;
    return i;
}

static lb_tally *cell_at(const heat *map, size_t family, size_t type, size_t profile)
{
    return &map->cells[(family * MAX_TYPES + type) * MAX_PROFILES + profile];
}

static void add_function(heat *map, const lb_function_facts *function)
{
    size_t family = place_of(map->families, &map->family_count, MAX_FAMILIES, function->family);
    size_t type = place_of(map->types, &map->type_count, MAX_TYPES, function->variant);
    if (family == MAX_FAMILIES || type == MAX_TYPES)
        return; /* no API has so many; the matrix shows all functions */
    for (int v = 0; v < LB_VERDICT_COUNT; v++)
        map->of_family[family].count[v] += function->tally.count[v];
    for (size_t p = 0; p < function->profile_room && p < map->profile_count; p++)
        for (int v = 0; v < LB_VERDICT_COUNT; v++)
            cell_at(map, family, type, p)->count[v] += function->by_profile[p].count[v];
}

/* Nothing of it was tried. */
static bool is_idle(const lb_tally *tally)
{
    return lb_tally_total(tally) == tally->count[LB_SKIP];
}

/* 0: it fails; 1: it was tried; 2: it was not. */
static int place_in_order(const lb_tally *tally)
{
    return lb_tally_failed(tally) > 0 ? 0 : is_idle(tally) ? 2 : 1;
}

static void order_families(heat *map)
{
    size_t count = 0;
    for (int place = 0; place < 3; place++)
        for (size_t i = 0; i < map->family_count; i++)
            if (place_in_order(&map->of_family[i]) == place)
                map->order[count++] = i;
}

static bool make_heat(heat *map, const lb_facts *facts)
{
    size_t count;
    const lb_function_facts **functions = lb_facts_sorted(facts, LB_BY_FAMILY, &count);
    map->cells = calloc((size_t)MAX_FAMILIES * MAX_TYPES * MAX_PROFILES, sizeof *map->cells);
    map->profile_count =
        facts->profiles.count < MAX_PROFILES ? facts->profiles.count : MAX_PROFILES;
    bool made = functions && map->cells;
    for (size_t i = 0; made && i < count; i++)
        add_function(map, functions[i]);
    order_families(map);
    free(functions);
    return made;
}

static const char *status_of(const lb_tally *tally)
{
    static const lb_verdict worst_first[] = {LB_FAIL, LB_ERROR, LB_WAIVED, LB_PASS, LB_SKIP};
    for (int i = 0; i < LB_VERDICT_COUNT; i++)
        if (tally->count[worst_first[i]] > 0)
            return lb_verdict_name(worst_first[i]);
    return "none";
}

/* "up-full: 12 failed of 340" */
static void put_words(lb_doc *doc, const lb_facts *facts, size_t profile, const lb_tally *tally)
{
    static const char *const words[LB_VERDICT_COUNT] = {"passed", "failed", "errors", "skipped",
                                                        "waived"};
    bool any = false;
    lb_escape_html(doc, facts->profiles.list[profile], LB_HTML_NAME);
    lb_doc_puts(doc, ": ");
    for (int v = 0; v < LB_VERDICT_COUNT; v++) {
        if (tally->count[v] > 0) {
            lb_doc_puts(doc, any ? ", " : "");
            lb_doc_grouped(doc, tally->count[v]);
            lb_doc_printf(doc, " %s", words[v]);
            any = true;
        }
    }
    lb_doc_puts(doc, any ? "" : "no results");
}

static void put_square(lb_doc *doc, const lb_facts *facts, size_t profile, const lb_tally *tally)
{
    const char *status = status_of(tally);
    size_t x = profile * (SQUARE + GAP);
    lb_doc_printf(doc, "<g class=\"q %s\" data-p=\"%zu\"><title>", status, profile);
    put_words(doc, facts, profile, tally);
    lb_doc_printf(doc, "</title><rect x=\"%zu\" width=\"%d\" height=\"%d\" rx=\"2\"/>", x, SQUARE,
                  SQUARE);
    if (lb_tally_failed(tally) > 0) /* a sign beside the colour */
        lb_doc_printf(doc, "<path d=\"M%zu 4.5l6 6m0-6l-6 6\"/>", x + 4);
    lb_doc_puts(doc, "</g>");
}

static const char *type_name(const char *type)
{
    return type[0] != '\0' ? type : "any";
}

static void put_cell(lb_doc *doc, const heat *map, const lb_facts *facts, size_t family,
                     size_t type)
{
    uint64_t total = 0, failed = 0;
    for (size_t p = 0; p < map->profile_count; p++) {
        const lb_tally *tally = cell_at(map, family, type, p);
        total += lb_tally_total(tally);
        failed += lb_tally_failed(tally);
    }
    if (total == 0) {
        lb_doc_puts(doc, "<td class=\"none\"><span class=\"unseen\">no results</span></td>");
        return;
    }
    lb_doc_puts(doc, "<td data-t=\"");
    lb_escape_html(doc, type_name(map->types[type]), 40);
    lb_doc_puts(doc, "\"><a href=\"#all\" data-family=\"");
    lb_escape_html(doc, map->families[family], LB_HTML_NAME);
    lb_doc_puts(doc, "\" data-type=\"");
    lb_escape_html(doc, map->types[type], LB_HTML_NAME);
    lb_doc_printf(doc, "\" data-v=\"%s\"><span class=\"unseen\">", failed > 0 ? "fe" : "");
    lb_doc_grouped(doc, failed);
    lb_doc_puts(doc, " of ");
    lb_doc_grouped(doc, total);
    lb_doc_printf(doc,
                  " failed</span><svg viewBox=\"0 0 %zu %d\" width=\"%zu\" height=\"%d\" "
                  "aria-hidden=\"true\">",
                  map->profile_count * (SQUARE + GAP), SQUARE, map->profile_count * (SQUARE + GAP),
                  SQUARE);
    for (size_t p = 0; p < map->profile_count; p++)
        put_square(doc, facts, p, cell_at(map, family, type, p));
    lb_doc_puts(doc, "</svg></a></td>");
}

/* A name of types may break where one type ends. */
static void put_type(lb_doc *doc, const char *type)
{
    lb_doc_puts(doc, "<th scope=\"col\">");
    lb_doc name = lb_doc_make();
    lb_escape_html(&name, type_name(type), 40);
    for (size_t i = 0; i < name.length; i++) {
        lb_doc_char(doc, name.text[i]);
        lb_doc_puts(doc, name.text[i] == '_' ? "<wbr>" : "");
    }
    doc->failed = doc->failed || name.failed;
    lb_doc_free(&name);
    lb_doc_puts(doc, "</th>");
}

static void put_legend(lb_doc *doc, const lb_facts *facts, const heat *map)
{
    lb_doc_puts(doc, "<p class=\"small quiet\">A square is a profile, from the left: ");
    for (size_t p = 0; p < map->profile_count; p++) {
        lb_doc_puts(doc, p == 0 ? "" : ", ");
        lb_escape_html(doc, facts->profiles.list[p], 60);
    }
    lb_doc_puts(doc, ". Its colour is the worst verdict in it: ");
    for (int i = 0; i < LB_VERDICT_COUNT; i++) {
        static const lb_verdict order[] = {LB_FAIL, LB_ERROR, LB_WAIVED, LB_PASS, LB_SKIP};
        lb_doc_printf(doc,
                      "%s<span class=\"key\"><svg width=\"11\" height=\"11\" "
                      "aria-hidden=\"true\"><g class=\"q %s\"><rect width=\"11\" height=\"11\" "
                      "rx=\"2\"/></g></svg> %s</span>",
                      i == 0 ? "" : " ", lb_verdict_name(order[i]), lb_html_verdict(order[i]));
    }
    lb_doc_puts(doc, "</p>\n");
}

static void put_family_name(lb_doc *doc, const heat *map, size_t family)
{
    lb_html_name(doc, map->families[family][0] != '\0' ? map->families[family] : "other");
}

static void put_family(lb_doc *doc, const heat *map, const lb_facts *facts, size_t family)
{
    lb_doc_puts(doc, "<tr><th scope=\"row\">");
    put_family_name(doc, map, family);
    lb_doc_puts(doc, "</th>");
    for (size_t type = 0; type < map->type_count; type++)
        put_cell(doc, map, facts, family, type);
    lb_doc_puts(doc, "</tr>\n");
}

/* Families of which nothing was tried, behind those that were: in a line. */
static void put_idle(lb_doc *doc, const heat *map, size_t shown)
{
    if (shown == 0 || shown == map->family_count)
        return;
    lb_doc_puts(doc, "<p class=\"small quiet idle\">Only skipped: ");
    for (size_t i = shown; i < map->family_count; i++) {
        lb_doc_puts(doc, i > shown ? ", " : "");
        put_family_name(doc, map, map->order[i]);
    }
    lb_doc_puts(doc, ".</p>\n");
}

void lb_html_heat_map(lb_html *page)
{
    heat map = {0};
    lb_doc *doc = &page->doc;
    if (page->facts->count == 0)
        return;
    if (!make_heat(&map, page->facts)) {
        doc->failed = true;
    } else {
        lb_html_section(doc, "heat", "Where");
        lb_doc_puts(doc,
                    "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Families "
                    "by types and profiles\"><table class=\"heatmap\"><caption "
                    "class=\"unseen\">Worst verdict of each family, by types and "
                    "profiles</caption>\n<thead><tr><th scope=\"col\">Family</th>");
        for (size_t type = 0; type < map.type_count; type++)
            put_type(doc, map.types[type]);
        lb_doc_puts(doc, "</tr></thead>\n<tbody>");
        size_t shown = 0;
        for (; shown < map.family_count && !is_idle(&map.of_family[map.order[shown]]); shown++)
            put_family(doc, &map, page->facts, map.order[shown]);
        for (size_t i = 0; shown == 0 && i < map.family_count; i++)
            put_family(doc, &map, page->facts, map.order[i]);
        lb_doc_puts(doc, "</tbody></table></div>\n");
        put_idle(doc, &map, shown);
        put_legend(doc, page->facts, &map);
        lb_doc_puts(doc, "</section>\n");
    }
    free(map.cells);
}

/* ---- Histograms ---- */

typedef struct bars {
    const char *title, *link, *words;
    const uint64_t *counts;
    size_t count;
    void (*label)(lb_doc *doc, size_t bar); /* what the bar stands for */
    bool (*is_bad)(size_t bar);
    const char *unit;
    const char *x_axis; /* what lies along it */
    const char *y_axis;
    const char *legend; /* what the second colour says; NULL: there is one colour */
} bars;

static void label_headroom(lb_doc *doc, size_t bar)
{
    int bits = (int)bar + LB_LEAST_HEADROOM;
    lb_doc_printf(doc, "%d", bits);
    lb_doc_puts(doc, bits == LB_LEAST_HEADROOM  ? " or less"
                     : bits == LB_MOST_HEADROOM ? " or more"
                                                : "");
}

static bool lacks_bits(size_t bar)
{
    return bar < (size_t)-LB_LEAST_HEADROOM;
}

static void label_deviation(lb_doc *doc, size_t bar)
{
    if (bar == 0) {
        lb_doc_puts(doc, "below ");
        lb_doc_double(doc, lb_tolerance_edges[0], 3, "");
    } else if (bar == LB_TOLERANCE_EDGES) {
        lb_doc_puts(doc, "above ");
        lb_doc_double(doc, lb_tolerance_edges[LB_TOLERANCE_EDGES - 1], 3, "");
    } else {
        lb_doc_double(doc, lb_tolerance_edges[bar - 1], 3, "");
        lb_doc_puts(doc, " to ");
        lb_doc_double(doc, lb_tolerance_edges[bar], 3, "");
    }
}

static bool never(size_t bar)
{
    (void)bar;
    return false;
}

enum { HEIGHT = 96, WIDTH = 400, LEFT = 44 };

/* Logarithmic: one result is seen beside a million. */
static double height_of(uint64_t count, uint64_t most)
{
    return count == 0 ? 0 : 3 + (HEIGHT - 14) * log1p((double)count) / log1p((double)most);
}

/* Lines at 1 and at powers of ten, at most four of them, with their numbers in front. */
static void put_scale(lb_doc *doc, uint64_t most)
{
    unsigned powers = 0;
    for (uint64_t ten = 10; ten <= most && powers < 19; ten *= 10)
        powers++;
    unsigned every = powers / 4 + 1;
    uint64_t at = 1;
    for (unsigned power = 0; power <= powers; power++, at *= 10) {
        double y = HEIGHT - height_of(at, most);
        if (power % every != 0)
            continue;
        lb_doc_printf(doc,
                      "<path class=\"axis scale\" d=\"M%d %.1fH%d\"/><text class=\"to\" x=\"%d\" "
                      "y=\"%.1f\">",
                      LEFT, y, WIDTH, LEFT - 5, y + 4);
        static const char *const thousands[] = {"", " k", " M", " G", " T", " P", " E"};
        lb_doc_printf(doc, "%s%s</text>",
                      power % 3 == 0   ? "1"
                      : power % 3 == 1 ? "10"
                                       : "100",
                      thousands[power / 3]);
    }
}

static void put_bars(lb_doc *doc, const bars *chart, size_t first, size_t last)
{
    uint64_t most = 1;
    double unit = (double)(WIDTH - LEFT) / (double)(last - first + 1);
    for (size_t i = first; i <= last; i++)
        most = chart->counts[i] > most ? chart->counts[i] : most;
    put_scale(doc, most);
    for (size_t i = first; i <= last; i++) {
        double height = height_of(chart->counts[i], most);
        lb_doc_puts(doc, "<g><title>");
        chart->label(doc, i);
        lb_doc_printf(doc, " %s: ", chart->unit);
        lb_doc_grouped(doc, chart->counts[i]);
        lb_doc_printf(doc,
                      "</title><rect class=\"hit\" x=\"%.1f\" width=\"%.1f\" height=\"%d\"/>"
                      "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                      "height=\"%.1f\"/></g>",
                      LEFT + unit * (double)(i - first), unit, HEIGHT,
                      chart->is_bad(i) ? "fill far" : "fill", LEFT + unit * (double)(i - first) + 1,
                      HEIGHT - height, unit - 2, height);
    }
    lb_doc_printf(doc, "<path class=\"axis\" d=\"M%d %d.5H%d\"/>", LEFT, HEIGHT, WIDTH);
    for (size_t i = first; i <= last; i++) {
        if ((last - first) < 14 || i % 4 == 0) {
            lb_doc_printf(doc, "<text x=\"%.1f\" y=\"%d\">",
                          LEFT + unit * ((double)(i - first) + 0.5), HEIGHT + 14);
            if (chart->count == LB_HEADROOM_BINS) {
                lb_doc_printf(doc, "%d", (int)i + LB_LEAST_HEADROOM);
            } else if (i == LB_TOLERANCE_BINS / 2) {
                lb_doc_puts(doc, "±½");
            } else {
                lb_doc_double(doc, lb_tolerance_edges[i < LB_TOLERANCE_BINS / 2 ? i : i - 1], 3,
                              "");
            }
            lb_doc_puts(doc, "</text>");
        }
    }
}

static void put_histogram(lb_doc *doc, const bars *chart)
{
    size_t first = 0, last = chart->count - 1;
    uint64_t all = 0, bad = 0;
    for (size_t i = 0; i < chart->count; i++) {
        all += chart->counts[i];
        bad += chart->is_bad(i) ? chart->counts[i] : 0;
    }
    if (all == 0)
        return;
    while (first < last && chart->count == LB_HEADROOM_BINS && chart->counts[first] == 0)
        first++;
    while (last > first && chart->count == LB_HEADROOM_BINS && chart->counts[last] == 0)
        last--;
    lb_doc_printf(doc,
                  "<figure class=\"chart\"><figcaption><a href=\"#%s\">%s</a> <span "
                  "class=\"quiet\">%s</span></figcaption><svg viewBox=\"0 0 400 130\" "
                  "role=\"img\" aria-label=\"%s: ",
                  chart->link, chart->title, chart->words, chart->title);
    for (size_t i = first, shown = 0; i <= last; i++) {
        if (chart->counts[i] > 0) {
            lb_doc_puts(doc, shown++ > 0 ? ", " : "");
            chart->label(doc, i);
            lb_doc_puts(doc, ": ");
            lb_doc_grouped(doc, chart->counts[i]);
        }
    }
    lb_doc_puts(doc, "\">");
    put_bars(doc, chart, first, last);
    lb_doc_printf(doc,
                  "<text class=\"end\" x=\"%d\" y=\"127\">%s</text><text class=\"start\" x=\"0\" "
                  "y=\"127\">%s</text></svg>",
                  WIDTH, chart->x_axis, chart->y_axis);
    if (bad > 0)
        lb_doc_printf(
            doc,
            "<p class=\"small quiet\"><span class=\"key\"><svg width=\"11\" height=\"11\" "
            "aria-hidden=\"true\"><rect class=\"fill far\" width=\"11\" height=\"11\"/>"
            "</svg> %s</span></p>",
            chart->legend);
    lb_doc_puts(doc, "</figure>\n");
}

void lb_html_histograms(lb_html *page)
{
    uint64_t errors[LB_TOLERANCE_BINS] = {0};
    bool accumulators = false;
    for (size_t i = 0; i < page->facts->functions.count; i++) {
        accumulators = accumulators || page->facts->list[i].accumulations > 0;
        for (unsigned bin = 0; bin < LB_TOLERANCE_BINS; bin++)
            errors[bin] += page->facts->list[i].histogram[bin];
    }
    const bars headroom = {.title = "Headroom",
                           .link = accumulators ? "accumulators" : "main",
                           .words = "how many bits of the accumulator the largest sum leaves",
                           .x_axis = "bits left over →",
                           .y_axis = "↑ results, logarithmic",
                           .legend = "too few bits: the sum can exceed the accumulator",
                           .counts = page->facts->by_headroom,
                           .count = LB_HEADROOM_BINS,
                           .label = label_headroom,
                           .is_bad = lacks_bits,
                           .unit = "bits"};
    const bars deviation = {.title = "Deviation",
                            .link = "tolerances",
                            .words = "how far outputs lie from the real numbers; ±½ is rounding",
                            .x_axis = "steps of the output →",
                            .y_axis = "↑ elements, logarithmic",
                            .counts = errors,
                            .count = LB_TOLERANCE_BINS,
                            .label = label_deviation,
                            .is_bad = never,
                            .unit = "steps"};
    lb_doc_puts(&page->doc, "<div class=\"charts\">\n");
    put_histogram(&page->doc, &headroom);
    put_histogram(&page->doc, &deviation);
    lb_doc_puts(&page->doc, "</div>\n");
}
