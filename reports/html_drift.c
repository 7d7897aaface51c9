/* Networks in the HTML report: how far exact model and port drift from the real model with depth.
 */
#include "escape.h"
#include "html_parts.h"
#include "networks.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 640, HEIGHT = 200, LEFT = 60, BOTTOM = 24, TOP = 12, MAX_LAYERS = 500 };

/* The layers of one network, in the profiles that agree on them. */
typedef struct network {
    const lb_layer_drift *layers;
    size_t count;
    const char *profiles;
    double top; /* of the plot */
} network;

static network network_of(const lb_network_walk *walk)
{
    network n = {.layers = walk->layers, .count = walk->count, .profiles = walk->profiles.text};
    for (size_t i = 0; i < n.count; i++) {
        n.top = fmax(n.top, n.layers[i].exact_noise); /* fmax passes over NAN */
        n.top = fmax(n.top, n.layers[i].port_noise);
    }
    return n;
}

/* ---- The plot ---- */

static double x_of(const network *n, size_t i)
{
    double room = WIDTH - LEFT - 12;
    return LEFT + (n->count > 1 ? room * (double)i / (double)(n->count - 1) : room / 2);
}

static double y_of(const network *n, double noise)
{
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - noise / (n->top > 0 ? n->top : 1));
}

/* A line through the layers that have a figure, with a dot at each. */
static void put_line(lb_doc *doc, const network *n, bool port)
{
    const char *kind = port ? "port" : "exact";
    const char *start = "M";
    lb_doc_printf(doc, "<path class=\"drift-%s\" d=\"", kind);
    for (size_t i = 0; i < n->count; i++) {
        double noise = port ? n->layers[i].port_noise : n->layers[i].exact_noise;
        if (isfinite(noise))
            lb_doc_printf(doc, "%s%.1f %.1f", start, x_of(n, i), y_of(n, noise));
        start = isfinite(noise) ? "L" : "M";
    }
    lb_doc_puts(doc, "\"/>");
    for (size_t i = 0; i < n->count; i++) {
        double noise = port ? n->layers[i].port_noise : n->layers[i].exact_noise;
        if (isfinite(noise)) {
            lb_doc_printf(doc, "<circle class=\"drift-%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%d\"/>",
                          kind, x_of(n, i), y_of(n, noise), port ? 3 : 5);
        }
    }
}

static void put_plot(lb_doc *doc, const network *n)
{
    lb_doc_printf(doc,
                  "<figure><svg class=\"drift\" viewBox=\"0 0 %d %d\" role=\"img\" "
                  "aria-label=\"Noise by layer; the table below has the figures\">",
                  WIDTH, HEIGHT);
    lb_doc_printf(doc, "<line class=\"limit\" x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\"/>", LEFT,
                  WIDTH, HEIGHT - BOTTOM, HEIGHT - BOTTOM);
    lb_doc_printf(doc, "<text x=\"0\" y=\"%d\">%.3g %%</text><text x=\"0\" y=\"%d\">0 %%</text>",
                  TOP + 4, 100 * n->top, HEIGHT - BOTTOM + 4);
    for (size_t i = 0; i < n->count && n->count <= 40; i++) {
        lb_doc_printf(doc, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%zu</text>",
                      x_of(n, i), HEIGHT - 6, i + 1);
    }
    put_line(doc, n, false);
    put_line(doc, n, true);
    lb_doc_puts(doc,
                "</svg><figcaption><span class=\"drift-exact\">large dots: the exact "
                "model</span>, <span class=\"drift-port\">small dots: the port</span>; across: "
                "layers in order, up: noise</figcaption></figure>\n");
}

/* ---- The table ---- */

static void put_figure(lb_doc *doc, double value, double times, const char *unit)
{
    lb_doc_puts(doc, "<td class=\"n\">");
    if (isfinite(value))
        lb_doc_printf(doc, "%.4g%s", value * times, unit);
    lb_doc_puts(doc, "</td>");
}

static void put_row(lb_doc *doc, size_t number, const lb_layer_drift *layer)
{
    lb_doc_printf(doc, "<tr><td class=\"n\">%zu</td><th scope=\"row\">", number);
    lb_html_code(doc, layer->layer);
    lb_doc_puts(doc, "</th>");
    lb_html_number(doc, layer->elements);
    if (layer->failed && layer->failed[0]) {
        lb_doc_puts(doc, "<td class=\"bad\">");
        lb_escape_html(doc, layer->failed, LB_HTML_TEXT);
        lb_doc_puts(doc, "</td>");
    } else {
        lb_doc_puts(doc, layer->different > 0 ? "<td class=\"n bad\">" : "<td class=\"n\">");
        lb_doc_grouped(doc, layer->different);
        lb_doc_puts(doc, "</td>");
    }
    put_figure(doc, layer->exact_noise, 100, " %");
    put_figure(doc, layer->port_noise, 100, " %");
    put_figure(doc, layer->exact_max, 1, "");
    put_figure(doc, layer->port_max, 1, "");
    lb_doc_puts(doc, "</tr>\n");
}

static void put_network(lb_doc *doc, const network *n)
{
    static const char *const columns[] = {"#Layer",          "Case",          "#Elements",
                                          "#Port differs",   "#Exact, noise", "#Port, noise",
                                          "#Exact, largest", "#Port, largest"};
    lb_doc_puts(doc, "<h3>");
    lb_escape_html(doc, n->layers[0].suite, LB_HTML_NAME);
    lb_doc_puts(doc, " <span class=\"profile\">");
    lb_escape_html(doc, n->profiles, LB_HTML_TEXT);
    lb_doc_puts(doc, "</span></h3>\n");
    put_plot(doc, n);
    lb_html_table(doc, "figures", "Layers of a network and their distance from the real model",
                  columns, 8);
    for (size_t i = 0; i < n->count && i < MAX_LAYERS; i++)
        put_row(doc, i + 1, &n->layers[i]);
    lb_html_table_end(doc);
    if (n->count > MAX_LAYERS)
        lb_doc_printf(doc, "<p>%zu more layers are left out here.</p>\n", n->count - MAX_LAYERS);
}

void lb_html_drift(lb_html *page)
{
    const lb_run_info *info = page->info;
    if (info->drift_count == 0)
        return;
    lb_html_section(&page->doc, "drift", "Networks");
    lb_doc_puts(&page->doc,
                "<p>Each layer's input is the output of the layer before, of the same source: the "
                "real model in double precision, the exact model, the port. Noise is the root of "
                "the mean square of the distance from the real model, as a share of the signal. "
                "\"Port differs\" counts the elements that are not the exact model's; the first "
                "layer where it is above 0 is where they part.</p>\n");
    lb_network_walk walk = {0};
    while (lb_network_next(&walk, info)) {
        network n = network_of(&walk);
        put_network(&page->doc, &n);
    }
    page->doc.failed = page->doc.failed || walk.profiles.failed;
    lb_doc_puts(&page->doc, "</section>\n");
}
