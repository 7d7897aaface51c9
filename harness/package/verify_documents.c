/* Documents of a package against its results: each is made again, and must be the same. */
#include "harness/package/verify.h"

#include "harness/base/command_line.h"
#include "harness/base/xalloc.h"
#include "harness/json/document.h"
#include "harness/run/waiver_file.h"

#include "reports/doc.h"
#include "reports/json_read.h"
#include "reports/render.h"
#include "reports/results_parts.h"
#include "reports/statement.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

static bool is_same_file(const char *a_path, const char *b_path)
{
    FILE *a = fopen(a_path, "rb"), *b = fopen(b_path, "rb");
    char x[1 << 12], y[sizeof x];
    bool same = a && b;
    for (size_t got = 1; same && got > 0;) {
        got = fread(x, 1, sizeof x, a);
        same = fread(y, 1, sizeof y, b) == got && memcmp(x, y, got) == 0;
    }
    if (a)
        fclose(a);
    if (b)
        fclose(b);
    return same;
}

static void check_text(lb_verifier *v, const char *name, lb_doc *wanted)
{
    size_t length;
    lb_verified_member *m = lb_verifier_member(v, name);
    char *text = m ? lb_verifier_read(v, name, &length) : NULL;
    if (!m)
        lb_verifier_find(v, "%s: is missing", name);
    else if (!text || wanted->failed || length != wanted->length ||
             memcmp(text, wanted->text, length) != 0)
        lb_verifier_find(v, "%s: does not say what the results say", name);
    if (m)
        m->used = true;
    free(text);
    lb_doc_free(wanted);
}

/* Who made the package, and what was said then for the statement: from its environment. */
typedef struct packer_told {
    char version[80]; /* "": not to be found */
    const char **stated;
    size_t stated_count;
    cJSON *environment; /* to which the texts belong */
} packer_told;

static void read_packer(lb_verifier *v, packer_told *told)
{
    size_t length;
    char *text = lb_verifier_read(v, "environment.json", &length);
    cJSON *environment = text ? lb_json_read(text, length) : NULL;
    const char *version = lb_json_text(environment, "packaged_by");
    const cJSON *stated = cJSON_GetObjectItemCaseSensitive(environment, "stated"), *one;
    size_t most = (size_t)cJSON_GetArraySize(stated);
    *told = (packer_told){.environment = environment,
                          .stated = lb_resized(NULL, (most + 1) * sizeof *told->stated)};
    snprintf(told->version, sizeof told->version, "%s", version ? version : "");
    cJSON_ArrayForEach(one, stated)
    {
        if (lb_statement_is_line(cJSON_GetStringValue(one)))
            told->stated[told->stated_count++] = one->valuestring;
    }
    if (told->version[0] == '\0')
        lb_verifier_find(v, "environment.json: does not say which version made the package");
    if (told->stated_count != most)
        lb_verifier_find(v, "environment.json: stated: expected LABEL=TEXT");
    free(text);
}

static void forget_packer(packer_told *told)
{
    free(told->stated);
    cJSON_Delete(told->environment);
}

static void check_rendered(lb_verifier *v, const char *kind, const char *name,
                           const lb_render_extras *extras)
{
    char stored[4300], again[4320], results[4300];
    lb_verified_member *m = lb_verifier_member(v, name);
    if (!m) {
        lb_verifier_find(v, "%s: is missing", name);
        return;
    }
    m->used = true;
    lb_verifier_path(v, name, stored);
    lb_verifier_path(v, "results.json", results);
    snprintf(again, sizeof again, "%s.again", stored);
    if (lb_render_file_with(kind, results, extras, again) != 0 || !is_same_file(stored, again))
        lb_verifier_find(v, "%s: is not what the results make", name);
}

void lb_verifier_documents(lb_verifier *v)
{
    char own[80], path[4300], sha256[LB_SHA256_TEXT];
    packer_told told;
    lb_doc doc = lb_doc_make();
    lb_arena texts = {0};
    lb_waivers waivers = {.list = NULL};
    lb_verified_member *m = lb_verifier_member(v, "waivers.yaml");
    const lb_document_kind *kind;
    read_packer(v, &told);
    lb_results_put_environment(&doc, v->info, told.version, told.stated, told.stated_count);
    check_text(v, "environment.json", &doc);
    lb_results_put_coverage(&doc, v->info);
    check_text(v, "coverage.json", &doc);
    lb_verifier_path(v, "waivers.yaml", path);
    if (m && !lb_waiver_file_read(path, "0000-00-00", &texts, &waivers, sha256))
        lb_verifier_find(v, "waivers.yaml: cannot be read");
    if (m)
        m->used = true;
    lb_version_with_commit(own);
    if (strcmp(told.version, own) == 0) {
        lb_render_extras extras = {.waivers = m ? &waivers : NULL,
                                   .lcov_link = "",
                                   .meta = told.stated,
                                   .meta_count = told.stated_count};
        for (size_t i = 0; (kind = lb_document_of(LB_OF_PACKAGE, i)) != NULL; i++)
            check_rendered(v, kind->name, kind->file, &extras);
    } else {
        printf("note: packaged by lastbit %.60s; this is %s, whose documents may look otherwise\n",
               told.version, own);
        for (size_t i = 0; (kind = lb_document_of(LB_OF_PACKAGE, i)) != NULL; i++)
            if ((m = lb_verifier_member(v, kind->file)) != NULL)
                m->used = true;
    }
    forget_packer(&told);
    free(waivers.list);
    lb_arena_free(&texts);
}
