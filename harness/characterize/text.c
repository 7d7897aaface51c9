/* Telling what was found: see text.h. */
#include "harness/characterize/text.h"
#include "harness/characterize/absolute.h"
#include "harness/characterize/by_profile.h"

#include "harness/characterize/measure.h"
#include "harness/characterize/probe.h"
#include "harness/suite/profile_file.h"

#include <string.h>

static void put_group_name(lb_doc *doc, const lb_character_group *g)
{
    lb_doc_printf(doc, "%s %s", lb_family_name((lb_family)g->family), lb_types_name(g->types));
}

static void put_value(lb_doc *doc, lb_feature feature, uint8_t value)
{
    char text[8];
    lb_doc_puts(doc, value ? lb_feature_value_name(feature, value, text) : "as the profile says");
}

/* ---- The file ---- */

static void put_features(lb_doc *doc, const lb_feature_set *features)
{
    const char *separator = "";
    lb_doc_puts(doc, "{");
    for (int f = 0; f < LB_FEATURE_COUNT; f++)
        if (features->value[f]) {
            lb_doc_printf(doc, "%s%s: ", separator, lb_feature_rows[f].name);
            put_value(doc, (lb_feature)f, features->value[f]);
            separator = ", ";
        }
    lb_doc_puts(doc, "}");
}

static void put_unsettled(lb_doc *doc, const lb_character *character)
{
    for (size_t i = 0; i < character->count; i++) {
        const lb_character_group *g = &character->groups[i];
        if (g->alignment) {
            lb_doc_puts(doc, "# alignment: ");
            put_group_name(doc, g);
            lb_doc_printf(doc, ": holds where buffers are aligned to %u bytes\n", g->alignment);
        }
        if (g->settled == LB_SETTLED)
            continue;
        lb_doc_puts(doc, "# unknown: ");
        put_group_name(doc, g);
        lb_doc_printf(doc, ": %s\n", g->reason);
    }
}

void lb_character_yaml(lb_doc *doc, const lb_character *character, const char *name)
{
    const lb_profile *p = &character->profile;
    lb_doc_puts(doc, "format: lastbit/profile-1\n");
    lb_doc_printf(doc, "name: %s\n", name);
    lb_doc_printf(doc, "note: Found by %u calls of a port (lastbit characterize).\n",
                  character->calls);
    if (character->calls > 0)
        lb_doc_printf(doc, "characterized_by_calls: %u\n", character->calls);
    lb_doc_printf(doc, "rounding: %s\naccumulator: %s\n", lb_rounding_name(p->rounding),
                  p->reduced ? "reduced" : "full");
    lb_doc_printf(doc, "width: {8x8: %d, 16x8: %d, 16x16: %d}\n", p->acc_bits[LB_OPERANDS_8X8],
                  p->acc_bits[LB_OPERANDS_16X8], p->acc_bits[LB_OPERANDS_16X16]);
    lb_doc_printf(doc, "overflow: %s\n", p->acc_saturates ? "saturate" : "wrap");
    if (p->avepool16)
        lb_doc_puts(doc, "avepool_multiplier_bits: 16\n");
    if (p->asked)
        lb_doc_printf(doc, "asked: %s\n", lb_numerics_name(p->asked - 1));
    if (p->has_features)
        lb_doc_puts(doc, "features:\n");
    for (size_t i = 0; p->has_features && i < character->count; i++) {
        const lb_character_group *g = &character->groups[i];
        if (g->settled != LB_SETTLED || !lb_features_any(&g->features))
            continue;
        lb_doc_puts(doc, "  ");
        put_group_name(doc, g);
        lb_doc_puts(doc, ": ");
        put_features(doc, &g->features);
        lb_doc_puts(doc, "\n");
    }
    put_unsettled(doc, character);
}

/* ---- For people ---- */

/* Is the choice told already, or none to tell? A neighbour may have the same choice beside another
 * one that it needs. */
static bool is_told(const lb_character_group *g, const lb_feature_set *all, size_t at)
{
    uint8_t value = g->untold[at].value;
    bool told = value == 0 || value == all->value[g->untold[at].feature];
    for (size_t i = 0; i < at; i++)
        told = told || (g->untold[i].feature == g->untold[at].feature &&
                        g->untold[i].value == g->untold[at].value);
    return told;
}

static void put_untold(lb_doc *doc, const lb_character_group *g, const lb_feature_set *all)
{
    for (int f = 0; f < LB_FEATURE_COUNT; f++) {
        const char *separator = "";
        for (size_t i = 0; i < g->untold_count; i++) {
            if (g->untold[i].feature != (lb_feature)f || is_told(g, all, i))
                continue;
            if (!*separator)
                lb_doc_printf(doc, "    unknown: %s: %s told it from ", lb_feature_rows[f].name,
                              g->cut_short ? "no experiment was left that" : "no experiment");
            lb_doc_puts(doc, separator);
            put_value(doc, (lb_feature)f, g->untold[i].value);
            separator = ", ";
        }
        if (*separator)
            lb_doc_puts(doc, "\n");
    }
}

/* A limit that is one step off shows in sums that pass it and come back, in no others. */
static void put_limits(lb_doc *doc, const lb_character_group *g, const lb_feature_set *all)
{
    if (all->value[LB_FEATURE_OVERFLOW] <= LB_SUM_WRAP || g->limits_told ||
        !lb_probe_has_limits(g->family))
        return;
    lb_doc_printf(
        doc,
        "    unknown: %s: no experiment passed the limits of sums of %u bits and came back: "
        "limits that lie beside them are not told from them\n",
        lb_feature_rows[LB_FEATURE_OVERFLOW].name, all->value[LB_FEATURE_ACC_BITS]);
}

static void put_checks(lb_doc *doc, const lb_character_group *g, const char *indent)
{
    for (unsigned i = 0; i < g->unchecked_count; i++) {
        const lb_unchecked *u = &g->unchecked[i];
        lb_doc_printf(doc, "%snot checked: %s: %s, not %s\n", indent, u->rule, u->given,
                      lb_status_name((int)u->due));
    }
}

static void put_group(lb_doc *doc, const lb_character *character, const lb_character_group *g)
{
    put_group_name(doc, g);
    if (g->settled != LB_SETTLED) {
        lb_doc_printf(doc, ": unknown: %s\n", g->reason);
        return;
    }
    lb_feature_set all = lb_features_absolute(&character->profile, g->family, g->types);
    lb_doc_printf(doc, " (%u calls)\n", g->calls);
    for (int f = 0; f < LB_FEATURE_COUNT; f++) {
        if (all.value[f] == 0)
            continue;
        const lb_feature_row *row = &lb_feature_rows[f];
        lb_doc_printf(doc, "    %s: ", row->name);
        put_value(doc, (lb_feature)f, all.value[f]);
        if (row->choices)
            lb_doc_printf(doc, ": %s", row->choices[all.value[f] - 1].words);
        lb_doc_printf(doc, " (%s)\n", row->section);
    }
    if (g->alignment)
        lb_doc_printf(
            doc, "    alignment: where buffers are not aligned to %u bytes results are others\n",
            g->alignment);
    put_untold(doc, g, &all);
    put_limits(doc, g, &all);
    if (g->checks_asked > 0)
        lb_doc_printf(doc, "    statuses: %u of %u checks that were tried are made; it has %u\n",
                      g->checks_made, g->checks_asked, g->check_count);
    put_checks(doc, g, "    ");
    if (g->held_out > 0)
        lb_doc_printf(doc, "    held-out calls: %u of %u agree\n", g->held_out - g->held_out_wrong,
                      g->held_out);
    if (g->called_count < g->function_count)
        lb_doc_printf(doc, "    functions held against it: %u of %u; --calls gives more\n",
                      g->called_count, g->function_count);
}

static bool any_is_settled(const lb_character *character)
{
    for (size_t i = 0; i < character->count; i++)
        if (character->groups[i].settled == LB_SETTLED)
            return true;
    return false;
}

void lb_character_text(lb_doc *doc, const lb_character *character)
{
    const char *name = lb_character_name(character);
    char described[200];
    if (lb_character_is_by_profile(character)) {
        lb_character_profiles_text(doc, character);
        return;
    }
    for (size_t i = 0; i < character->count; i++)
        put_group(doc, character, &character->groups[i]);
    lb_profile_describe(&character->profile, described, sizeof described);
    lb_doc_printf(doc, "characterized as: %s\n",
                  name                        ? name
                  : any_is_settled(character) ? described
                                              : "unknown");
    lb_doc_printf(doc, "%u calls, %.1f seconds\n", character->calls, character->spent_seconds);
    if (character->cut_short)
        lb_doc_puts(doc, "the time was up before all was found out: --seconds gives more\n");
}

/* ---- Against a profile ---- */

static void put_difference(lb_doc *doc, lb_feature feature, uint8_t own, uint8_t other)
{
    const lb_feature_row *row = &lb_feature_rows[feature];
    lb_doc_printf(doc, "    %s: ", row->name);
    put_value(doc, feature, own);
    lb_doc_puts(doc, ", not ");
    put_value(doc, feature, other);
    if (row->choices && own)
        lb_doc_printf(doc, ": %s; %s", row->choices[own - 1].words, row->choices[own - 1].means);
    lb_doc_printf(doc, " (%s)\n", row->section);
}

static void put_measured(lb_doc *doc, const lb_measured *m)
{
    if (m->elements == 0)
        return;
    if (m->different == 0) {
        lb_doc_printf(doc, "    in numbers: none of %llu random results differs\n",
                      (unsigned long long)m->elements);
        return;
    }
    lb_doc_printf(doc,
                  "    in numbers: 1 of %.4g of %llu random results differs, by %+.3g steps on "
                  "average, at most by %lld\n",
                  (double)m->elements / (double)m->different, (unsigned long long)m->elements,
                  m->sum / (double)m->different, (long long)m->most);
}

unsigned lb_character_against(lb_doc *doc, const lb_character *character, const lb_profile *other)
{
    unsigned differences = 0;
    if (lb_character_is_by_profile(character))
        return lb_character_profiles_against(doc, character, other);
    for (size_t i = 0; i < character->count; i++) {
        const lb_character_group *g = &character->groups[i];
        if (g->settled != LB_SETTLED)
            continue;
        lb_feature_set own = lb_features_absolute(&character->profile, g->family, g->types);
        lb_feature_set its = lb_features_absolute(other, g->family, g->types);
        if (memcmp(&own, &its, sizeof own) == 0)
            continue;
        put_group_name(doc, g);
        lb_doc_printf(doc, " departs from %s:\n", other->name);
        for (int f = 0; f < LB_FEATURE_COUNT; f++)
            if (own.value[f] != its.value[f]) {
                put_difference(doc, (lb_feature)f, own.value[f], its.value[f]);
                differences++;
            }
        lb_measured measured = lb_measure(character, g, other);
        put_measured(doc, &measured);
    }
    if (differences == 0)
        lb_doc_printf(doc, "nothing that was settled departs from %s\n", other->name);
    return differences;
}
