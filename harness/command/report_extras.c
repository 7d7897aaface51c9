/* What `lastbit report` takes from this room: see report_extras.h. */
#include "harness/command/report_extras.h"
#include "harness/base/spec_text.h"
#include "harness/base/xalloc.h"
#include "harness/package/package.h"
#include "harness/run/waiver_file.h"

#include <stdlib.h>

/* Waivers with the memory that their texts lie in; the waivers come first, so that one address
 * stands for both. */
typedef struct owned_waivers {
    lb_waivers waivers;
    lb_arena texts;
} owned_waivers;

static void close_waivers(lb_waivers *waivers)
{
    owned_waivers *owned = (owned_waivers *)(void *)waivers;
    free(owned->waivers.list);
    lb_arena_free(&owned->texts);
    free(owned);
}

static lb_waivers *open_waivers(const char *path)
{
    char sha256[65];
    owned_waivers *owned = lb_resized(NULL, sizeof *owned);
    *owned = (owned_waivers){.waivers = {.path = path}};
    if (lb_waiver_file_read(path, NULL, &owned->texts, &owned->waivers, sha256))
        return &owned->waivers;
    close_waivers(&owned->waivers);
    return NULL;
}

static void section_title(lb_doc *doc, const char *mention)
{
    char title[120];
    lb_doc_puts(doc, lb_spec_title(mention, title, sizeof title));
}

static void section_text(lb_doc *doc, const char *mention)
{
    lb_spec_section s;
    for (unsigned i = 0; lb_spec_named(mention, i, &s); i++)
        lb_doc_bytes(doc, s.text, s.text_bytes);
}

const lb_report_extras lb_harness_report_extras = {.open_waivers = open_waivers,
                                                   .close_waivers = close_waivers,
                                                   .package = lb_report_package,
                                                   .verify = lb_report_verify,
                                                   .section_title = section_title,
                                                   .section_text = section_text};
