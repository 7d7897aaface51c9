/* How much of the suites a run tried, in words: see scope.h. */
#include "scope.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN_PATTERNS = 8 };

/* The next item of a list whose first item has a title before it. */
static void next_item(lb_doc *doc, bool *any, const char *title)
{
    lb_doc_puts(doc, *any ? "; " : title);
    *any = true;
}

static void put_patterns(const lb_words *words, lb_doc *doc)
{
    for (size_t i = 0; i < words->count && i < SHOWN_PATTERNS; i++) {
        lb_doc_puts(doc, i == 0 ? " " : i + 1 == words->count ? " or " : ", ");
        lb_doc_puts(doc, words->list[i]);
    }
    if (words->count > SHOWN_PATTERNS)
        lb_doc_printf(doc, " or one of %zu more patterns", words->count - SHOWN_PATTERNS);
}

static void put_chosen(const lb_run_choice *chosen, lb_doc *doc, bool *any, const char *title)
{
    /* In the order of lb_choice_lists. */
    static const char *const words[LB_CHOICE_LISTS] = {
        "only cases that match", "only functions that match", "only cases with a tag that matches",
        "without what matches"};
    for (size_t i = 0; i < LB_CHOICE_LISTS; i++) {
        const lb_words *list = lb_chosen_words(chosen, i);
        if (list->count > 0) {
            next_item(doc, any, title);
            lb_doc_puts(doc, words[i]);
            put_patterns(list, doc);
        }
    }
}

void lb_scope_short(const lb_run_info *info, const lb_tally *tally, lb_doc *doc)
{
    if (!lb_run_is_short(info, tally))
        return;
    lb_doc_puts(doc, "INCOMPLETE: ");
    lb_doc_grouped(doc, lb_tally_total(tally));
    if (info->expected == LB_EXPECTED_UNKNOWN) {
        lb_doc_puts(doc, " results; how many the run was to have is not told");
        return;
    }
    lb_doc_puts(doc, " of ");
    lb_doc_grouped(doc, info->expected);
    lb_doc_puts(doc, " results");
}

/* "Part of the suites: shard 1 of 2; only cases that match relu_*; 1 of 4 profiles; 2 of 170
 * functions provided"; nothing where the run is whole. Not escaped: patterns are the user's. */
static void scope_part(const lb_run_info *info, lb_doc *doc)
{
    static const char title[] = "Part of the suites: ";
    bool any = false;
    if (info->shard_count > 1) {
        next_item(doc, &any, title);
        lb_doc_printf(doc, "shard %u of %u", info->shard_index, info->shard_count);
    }
    put_chosen(&info->chosen, doc, &any, title);
    if (info->coverage_level && info->coverage_level[0] != '\0' &&
        strcmp(info->coverage_level, "deep") != 0) {
        next_item(doc, &any, title);
        lb_doc_puts(doc, "only cases up to the level ");
        lb_doc_puts(doc, info->coverage_level);
    }
    if (info->stopped_at > 0) {
        next_item(doc, &any, title);
        lb_doc_printf(doc, "the run stopped after %u failing result%s", info->stopped_at,
                      info->stopped_at == 1 ? "" : "s");
    }
    if (info->profiles_tried < info->profiles_all) {
        next_item(doc, &any, title);
        lb_doc_printf(doc, "%u of %u profiles", info->profiles_tried, info->profiles_all);
    }
    if (info->functions_provided < info->functions_all) {
        next_item(doc, &any, title);
        lb_doc_printf(doc, "%u of %u functions provided", info->functions_provided,
                      info->functions_all);
    }
}

/* "Functions provided: 150 of 150, and 20 of lastbit's 20 extensions. Profiles tried: 4 of 4.";
 * nothing where they are not told. */
static void scope_tried(const lb_run_info *info, lb_doc *doc)
{
    if (info->functions_all > 0) {
        lb_doc_printf(doc, "Functions provided: %u of %u", info->functions_provided,
                      info->functions_all);
        if (info->extensions_all > 0)
            lb_doc_printf(doc, ", and %u of lastbit's %u extensions", info->extensions_provided,
                          info->extensions_all);
        lb_doc_printf(doc, ". Profiles tried: %u of %u.", info->profiles_tried, info->profiles_all);
    }
}

static bool is_text(const char *text, const char *word)
{
    return text && strcmp(text, word) == 0;
}

/* "Judged otherwise than by default: other bits pass within tolerance"; nothing where all is by
 * default. */
static void scope_judged(const lb_run_info *info, lb_doc *doc)
{
    static const char title[] = "Judged otherwise than by default: ";
    bool any = false;
    if (is_text(info->judge, "tolerance")) {
        next_item(doc, &any, title);
        lb_doc_puts(doc, "other bits pass where they are within tolerance");
    }
    if (is_text(info->guard, "off")) {
        next_item(doc, &any, title);
        lb_doc_puts(doc, "accumulators that are too narrow are not looked for");
    }
    if (is_text(info->guard, "error")) {
        next_item(doc, &any, title);
        lb_doc_puts(doc, "an accumulator that is too narrow fails its case");
    }
    if (is_text(info->buffers, "misaligned")) {
        next_item(doc, &any, title);
        lb_doc_puts(doc, "buffers begin one element past a boundary of 64 bytes");
    }
    if (info->repeats > 1) {
        next_item(doc, &any, title);
        lb_doc_printf(doc, "every result was made %u times and had to be the same", info->repeats);
    }
    if (info->cpu && info->cpu[0] != '\0') {
        next_item(doc, &any, title);
        lb_doc_puts(doc, "at the CPU levels ");
        lb_doc_puts(doc, info->cpu);
    }
}

/* "Certification: 9,000 cases made of seed 7 (given), none from files. Each call was made 12 times,
 * ..."; nothing of other runs. */
static void scope_certification(const lb_run_info *info, lb_doc *doc)
{
    uint64_t made, shipped;
    if (!info->certify_seed || info->certify_seed[0] == '\0')
        return;
    lb_run_count_cases(info, &made, &shipped);
    lb_doc_puts(doc, "Certification: ");
    lb_doc_grouped(doc, made);
    lb_doc_puts(doc, " cases made of seed ");
    lb_doc_puts(doc, info->certify_seed);
    if (info->certify_drawn && info->certify_drawn[0] != '\0') {
        lb_doc_puts(doc, ", which was drawn at ");
        lb_doc_puts(doc, info->certify_drawn);
    } else {
        lb_doc_puts(doc, ", which was given");
    }
    lb_doc_puts(doc, "; from files: ");
    lb_doc_grouped(doc, shipped);
    if (info->calls > 1)
        lb_doc_printf(doc,
                      ". Each call was made %u times (of movement in steps once), its buffers at "
                      "other places each time, and had to leave the same",
                      info->calls);
}

/* What the port's library says against the profiles that the port is declared for; else nothing. */
static void scope_contradiction(const lb_run_info *info, lb_doc *doc)
{
    if (info->port_contradiction && info->port_contradiction[0] != '\0') {
        lb_doc_puts(doc, "Contradiction: ");
        lb_doc_puts(doc, info->port_contradiction);
    }
}

char *lb_scope_lines(const lb_run_info *info, const lb_tally *tally)
{
    static void (*const parts[])(const lb_run_info *, lb_doc *) = {
        scope_certification, scope_part, scope_tried, scope_judged, scope_contradiction};
    lb_doc doc = lb_doc_make();
    lb_scope_short(info, tally, &doc);
    lb_doc_puts(&doc, doc.length > 0 ? "." : "");
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        size_t before = doc.length;
        lb_doc_puts(&doc, before > 0 ? "\n" : "");
        size_t begun = doc.length;
        parts[i](info, &doc);
        if (doc.length == begun)
            lb_doc_cut(&doc, before);
        else if (doc.text[doc.length - 1] != '.')
            lb_doc_char(&doc, '.');
    }
    lb_doc_char(&doc, '\0');
    if (doc.failed) {
        lb_doc_free(&doc);
        return NULL;
    }
    return doc.text; /* the document's memory, which is the caller's now */
}
