/* Annotations in the words of CI systems: workflow commands of GitHub, logging commands of Azure
 * Pipelines, service messages of TeamCity, and GitLab's code quality report. */
#include "annotations.h"
#include "causes.h"
#include "escape.h"
#include "render.h"

#include <string.h>

/* GitHub and Azure show few annotations a step and drop the rest; the last one says how many. */
enum { SHOWN = 50 };

/* ---- Escapes: a text of strangers must not end a command, nor begin another ---- */

/* Each of these bytes as what stands beside it. */
typedef struct spelling {
    char byte;
    const char *as;
} spelling;

static const spelling github_text[] = {{'%', "%25"}, {'\r', "%0D"}, {'\n', "%0A"}, {0, NULL}};
static const spelling github_value[] = {{'%', "%25"}, {'\r', "%0D"}, {'\n', "%0A"},
                                        {':', "%3A"}, {',', "%2C"},  {0, NULL}};
static const spelling azure_text[] = {{'%', "%AZP25"}, {'\r', "%0D"}, {'\n', "%0A"}, {0, NULL}};
static const spelling azure_value[] = {{'%', "%AZP25"}, {'\r', "%0D"}, {'\n', "%0A"},
                                       {';', "%3B"},    {']', "%5D"},  {0, NULL}};
static const spelling teamcity_value[] = {{'|', "||"}, {'\'', "|'"}, {'\n', "|n"}, {'\r', "|r"},
                                          {'[', "|["}, {']', "|]"},  {0, NULL}};

static void put(lb_doc *doc, const char *text, const spelling *spellings)
{
    lb_doc plain = lb_doc_make();
    lb_escape_line(&plain, text); /* no controls, no line ends */
    for (size_t i = 0; i < plain.length; i++) {
        const spelling *s = spellings;
        while (s->as && s->byte != plain.text[i])
            s++;
        if (s->as)
            lb_doc_puts(doc, s->as);
        else
            lb_doc_char(doc, plain.text[i]);
    }
    doc->failed = doc->failed || plain.failed;
    lb_doc_free(&plain);
}

static void put_profiles(lb_doc *doc, const lb_annotation *a, const spelling *spellings)
{
    lb_doc names = lb_doc_make();
    lb_doc_bytes(&names, a->profiles.text, a->profiles.length);
    lb_doc_char(&names, '\0');
    put(doc, names.failed ? "" : names.text, spellings);
    lb_doc_free(&names);
}

/* "ID [profiles]: what differs; fault: ...; the line that reproduces" */
static void put_sentence(lb_doc *doc, const lb_run_info *info, const lb_annotation *a,
                         const spelling *spellings)
{
    const lb_found_fault *fault = lb_fault_named(info, a->fault);
    put(doc, a->id, spellings);
    lb_doc_puts(doc, " (");
    put_profiles(doc, a, spellings);
    lb_doc_puts(doc, ") ");
    put(doc, a->message, spellings);
    if (fault) {
        put(doc, "; ", spellings);
        put(doc, lb_certainty_hedge(fault->certainty), spellings);
        put(doc, fault->sentence, spellings);
    }
    if (a->reproduce[0] != '\0') {
        put(doc, "; reproduce: ", spellings);
        put(doc, a->reproduce, spellings);
    }
}

static void put_github(lb_doc *doc, const lb_run_info *info, const lb_annotation *a)
{
    lb_doc_puts(doc, "::error file=");
    put(doc, a->file, github_value);
    lb_doc_printf(doc, ",line=%u,title=", a->line);
    put(doc, a->function, github_value);
    lb_doc_puts(doc, "::");
    put_sentence(doc, info, a, github_text);
    lb_doc_char(doc, '\n');
}

static void put_azure(lb_doc *doc, const lb_run_info *info, const lb_annotation *a)
{
    lb_doc_puts(doc, "##vso[task.logissue type=error;sourcepath=");
    put(doc, a->file, azure_value);
    lb_doc_printf(doc, ";linenumber=%u;code=", a->line);
    put(doc, a->kind, azure_value);
    lb_doc_char(doc, ']');
    put_sentence(doc, info, a, azure_text);
    lb_doc_char(doc, '\n');
}

static void put_teamcity(lb_doc *doc, const lb_run_info *info, const lb_annotation *a)
{
    static const char *const messages[] = {"testStarted", "testFailed", "testFinished"};
    for (int i = 0; i < 3; i++) {
        lb_doc_printf(doc, "##teamcity[%s name='", messages[i]);
        put(doc, a->id, teamcity_value);
        if (i == 1) {
            lb_doc_puts(doc, "' message='");
            put(doc, a->message, teamcity_value);
            lb_doc_puts(doc, "' details='");
            put(doc, a->file, teamcity_value);
            lb_doc_printf(doc, ":%u: ", a->line);
            put_sentence(doc, info, a, teamcity_value);
        }
        lb_doc_puts(doc, "']\n");
    }
}

static void put_rest(lb_doc *doc, const char *before, uint64_t left, const char *after)
{
    if (left > 0) {
        lb_doc_puts(doc, before);
        lb_doc_grouped(doc, left);
        lb_doc_puts(doc, after);
    }
}

/* How a CI system has them in its log. */
typedef struct log_lines {
    void (*one)(lb_doc *doc, const lb_run_info *info, const lb_annotation *a);
    const char *rest; /* before the number of those that are not shown */
} log_lines;

static void put_lines(lb_doc *doc, const lb_run_info *info, const lb_annotations *all,
                      const void *user)
{
    const log_lines *lines = user;
    for (size_t i = 0; i < all->count && i < SHOWN; i++)
        lines->one(doc, info, &all->list[i]);
    if (all->count > SHOWN)
        put_rest(doc, lines->rest, all->count - SHOWN, " more failures are not annotated\n");
}

bool lb_render_github(lb_results_reader *reader, const lb_render_extras *extras, FILE *out,
                      char *error, size_t error_bytes)
{
    static const log_lines lines = {put_github, "::notice::"};
    (void)extras;
    return lb_annotations_render(reader, put_lines, &lines, out, error, error_bytes);
}

bool lb_render_azure(lb_results_reader *reader, const lb_render_extras *extras, FILE *out,
                     char *error, size_t error_bytes)
{
    static const log_lines lines = {put_azure, "##vso[task.logissue type=warning]"};
    (void)extras;
    return lb_annotations_render(reader, put_lines, &lines, out, error, error_bytes);
}

bool lb_render_teamcity(lb_results_reader *reader, const lb_render_extras *extras, FILE *out,
                        char *error, size_t error_bytes)
{
    static const log_lines lines = {put_teamcity, "lastbit: "};
    (void)extras;
    return lb_annotations_render(reader, put_lines, &lines, out, error, error_bytes);
}

/* ---- GitLab's code quality report ---- */

static void put_member(lb_doc *doc, const char *key, const char *text)
{
    lb_doc_printf(doc, "\"%s\":", key);
    lb_escape_json(doc, text);
}

/* The same failure has the same fingerprint in every run: it says what is new in a merge request.
 * FNV-1a, twice with other beginnings. */
static void put_fingerprint(lb_doc *doc, const lb_annotation *a)
{
    const char *const parts[] = {a->file, a->id, a->kind, a->cpu};
    for (uint64_t start = 0; start < 2; start++) {
        uint64_t hash = 14695981039346656037u ^ start;
        for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
            for (const char *at = parts[i];; at++) {
                hash = (hash ^ (unsigned char)*at) * 1099511628211u;
                if (*at == '\0')
                    break;
            }
        }
        lb_doc_printf(doc, "%016llx", (unsigned long long)hash);
    }
}

static void put_gitlab(lb_doc *doc, const lb_run_info *info, const lb_annotation *a)
{
    static const spelling nothing[] = {{0, NULL}};
    lb_doc sentence = lb_doc_make();
    put_sentence(&sentence, info, a, nothing);
    lb_doc_char(&sentence, '\0');
    lb_doc_char(doc, '{');
    put_member(doc, "description", sentence.failed ? "" : sentence.text);
    lb_doc_char(doc, ',');
    put_member(doc, "check_name", a->kind);
    lb_doc_puts(doc, ",\"fingerprint\":\"");
    put_fingerprint(doc, a);
    lb_doc_printf(doc, "\",\"severity\":\"%s\",\"location\":{",
                  a->verdict == LB_ERROR ? "critical" : "major");
    put_member(doc, "path", a->file);
    lb_doc_printf(doc, ",\"lines\":{\"begin\":%u}}}", a->line);
    lb_doc_free(&sentence);
}

static void put_report(lb_doc *doc, const lb_run_info *info, const lb_annotations *all,
                       const void *user)
{
    (void)user;
    lb_doc_char(doc, '[');
    for (size_t i = 0; i < all->count; i++) {
        lb_doc_puts(doc, i == 0 ? "\n" : ",\n");
        put_gitlab(doc, info, &all->list[i]);
    }
    lb_doc_puts(doc, "\n]\n");
}

bool lb_render_gitlab(lb_results_reader *reader, const lb_render_extras *extras, FILE *out,
                      char *error, size_t error_bytes)
{
    (void)extras;
    return lb_annotations_render(reader, put_report, NULL, out, error, error_bytes);
}
