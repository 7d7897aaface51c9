/* The list of all results in the HTML report: its controls; the page's script fills it. */
#include "escape.h"
#include "html_parts.h"

static void put_select(lb_doc *doc, const char *id, const char *title, const char *first)
{
    lb_doc_printf(doc,
                  "<p><label for=\"%s\">%s</label><select id=\"%s\"><option "
                  "value=\"\">%s</option></select></p>\n",
                  id, title, id, first);
}

void lb_html_all(lb_html *page)
{
    lb_doc *doc = &page->doc;
    lb_html_section(doc, "all", "All results");
    lb_doc_puts(doc,
                "<noscript><p>The list of all results needs scripting. Everything above does not, "
                "and the results "
                "file holds every result.</p></noscript>\n"
                "<form id=\"filters\" role=\"search\" aria-label=\"Filter the results\" hidden>\n"
                "<p class=\"wide\"><label for=\"q\">Search</label><input id=\"q\" type=\"search\" "
                "autocomplete=\"off\" "
                "spellcheck=\"false\" placeholder=\"case, function, file, reason\"></p>\n");
    put_select(doc, "qa", "Family", "All families");
    put_select(doc, "qt", "Types", "All types");
    put_select(doc, "qf", "Function", "All functions");
    put_select(doc, "qp", "Profile", "All profiles");
    put_select(doc, "qs", "Suite", "All suites");
    put_select(doc, "qg", "Tag", "All tags");
    put_select(doc, "qd", "Diverges at", "Any step");
    put_select(doc, "qc", "Fault", "Any");
    lb_doc_puts(
        doc,
        "<p><label for=\"qh\">Headroom below</label><input id=\"qh\" type=\"number\" "
        "step=\"1\" placeholder=\"bits\"></p>\n"
        "<p><label for=\"qo\">Order</label><select id=\"qo\"><option value=\"\">As run</option>"
        "<option value=\"us\">Slowest first</option><option value=\"headroom\">Least headroom "
        "first</option>"
        "<option value=\"steps\">Largest deviation first</option></select></p>\n"
        "<fieldset><legend>Verdict</legend>");
    for (int i = 0; i < LB_VERDICT_COUNT; i++) {
        const char *name = lb_verdict_name((lb_verdict)i);
        lb_doc_printf(
            doc, "<label class=\"%s\"><input type=\"checkbox\" name=\"v\" value=\"%c\" checked>",
            name, name[0]);
        lb_html_icon(doc, name);
        lb_doc_printf(doc, "%s <span class=\"count\">", lb_html_verdict((lb_verdict)i));
        lb_doc_grouped(doc, page->facts->tally.count[i]);
        lb_doc_puts(doc, "</span></label>");
    }
    if (page->facts->vacuous > 0) {
        lb_doc_puts(doc, "<label class=\"doubt\"><input type=\"checkbox\" id=\"qm\">Only passes "
                         "that prove little "
                         "<span class=\"count\">");
        lb_doc_grouped(doc, page->facts->vacuous);
        lb_doc_puts(doc, "</span></label>");
    }
    lb_doc_puts(
        doc,
        "</fieldset>\n<p class=\"end\"><button type=\"reset\">Clear filters</button></p></form>\n"
        "<p id=\"found\" role=\"status\"></p>\n<div id=\"list\" hidden></div>\n"
        "<dialog id=\"detail\" aria-labelledby=\"detail-title\"></dialog>\n</section>\n");
}
