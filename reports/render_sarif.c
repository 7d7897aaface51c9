/* SARIF 2.1.0: failures as results of a static analysis, for servers that take those. A rule is a
 * kind of failure; what is told of a place is at the line of the case. */
#include "annotations.h"
#include "causes.h"
#include "escape.h"
#include "render.h"

#include <string.h>

static const struct {
    const char *kind, *says;
} rules[] = {{"numbers", "An output differs from the right one."},
             {"status", "The call gives another status than it should."},
             {"contract", "The call changes what it may not, or leaves a field otherwise."},
             {"crash", "The port crashed, exited or answered garbage."},
             {"time", "The port did not return in time."},
             {"incomplete", "Results that the run was to have are missing."}};

enum { RULES = sizeof rules / sizeof rules[0] };

static void put_text(lb_doc *doc, const char *key, const char *text)
{
    lb_doc_printf(doc, "\"%s\":", key);
    lb_escape_json(doc, text);
}

static void put_driver(lb_doc *doc, const lb_run_info *info)
{
    lb_doc_puts(doc, "\"tool\":{\"driver\":{\"name\":\"lastbit\",");
    put_text(doc, "version", info->tool_version);
    lb_doc_puts(doc, ",\"rules\":[");
    for (int i = 0; i < RULES; i++) {
        lb_doc_printf(doc, "%s{\"id\":\"%s\",\"shortDescription\":{\"text\":\"%s\"}}",
                      i == 0 ? "" : ",", rules[i].kind, rules[i].says);
    }
    lb_doc_puts(doc, "]}}");
}

static int rule_of(const char *kind)
{
    for (int i = 0; i < RULES; i++)
        if (strcmp(rules[i].kind, kind) == 0)
            return i;
    return 0;
}

/* A path as a URI reference: what is not plain in one is spelled. */
static void put_uri(lb_doc *doc, const char *path)
{
    lb_doc uri = lb_doc_make();
    for (const char *at = path; *at != '\0'; at++) {
        unsigned char c = (unsigned char)*at;
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     strchr("-._~/", c);
        if (plain)
            lb_doc_char(&uri, (char)c);
        else
            lb_doc_printf(&uri, "%%%02X", c);
    }
    lb_doc_char(&uri, '\0');
    put_text(doc, "uri", uri.failed ? "" : uri.text);
    lb_doc_free(&uri);
}

static void put_message(lb_doc *doc, const lb_run_info *info, const lb_annotation *a)
{
    const lb_found_fault *fault = lb_fault_named(info, a->fault);
    lb_doc text = lb_doc_make();
    lb_doc_puts(&text, a->function);
    lb_doc_puts(&text, ", ");
    lb_doc_puts(&text, a->id);
    lb_doc_puts(&text, " (");
    lb_doc_bytes(&text, a->profiles.text, a->profiles.length);
    lb_doc_puts(&text, "): ");
    lb_doc_puts(&text, a->message);
    if (fault) {
        lb_doc_puts(&text, "; ");
        lb_doc_puts(&text, lb_certainty_hedge(fault->certainty));
        lb_doc_puts(&text, fault->sentence);
    }
    if (a->reproduce[0] != '\0') {
        lb_doc_puts(&text, ". Reproduce: ");
        lb_doc_puts(&text, a->reproduce);
    }
    lb_doc_char(&text, '\0');
    lb_doc_puts(doc, "\"message\":{");
    put_text(doc, "text", text.failed ? "" : text.text);
    lb_doc_char(doc, '}');
    lb_doc_free(&text);
}

static void put_result(lb_doc *doc, const lb_run_info *info, const lb_annotation *a)
{
    int rule = rule_of(a->kind);
    lb_doc_printf(doc, "{\"ruleId\":\"%s\",\"ruleIndex\":%d,\"level\":\"error\",", rules[rule].kind,
                  rule);
    put_message(doc, info, a);
    lb_doc_puts(doc, ",\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{");
    put_uri(doc, a->file);
    lb_doc_printf(doc, "},\"region\":{\"startLine\":%u}}}],\"partialFingerprints\":{",
                  a->line > 0 ? a->line : 1);
    put_text(doc, "lastbitCase/v1", a->id);
    lb_doc_puts(doc, "},\"properties\":{");
    put_text(doc, "fault", a->fault);
    lb_doc_char(doc, ',');
    put_text(doc, "specification", a->section);
    lb_doc_puts(doc, "}}");
}

static void put_log(lb_doc *doc, const lb_run_info *info, const lb_annotations *all,
                    const void *user)
{
    (void)user;
    lb_doc_puts(doc, "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":"
                     "\"2.1.0\",\"runs\":[{");
    put_driver(doc, info);
    lb_doc_puts(doc, ",\"columnKind\":\"utf16CodeUnits\",\"results\":[");
    for (size_t i = 0; i < all->count; i++) {
        lb_doc_puts(doc, i == 0 ? "\n" : ",\n");
        put_result(doc, info, &all->list[i]);
    }
    lb_doc_printf(doc, "],\"invocations\":[{\"executionSuccessful\":%s}]}]}\n",
                  all->is_short ? "false" : "true");
}

bool lb_render_sarif(lb_results_reader *reader, const lb_render_extras *extras, FILE *out,
                     char *error, size_t error_bytes)
{
    (void)extras;
    return lb_annotations_render(reader, put_log, NULL, out, error, error_bytes);
}
