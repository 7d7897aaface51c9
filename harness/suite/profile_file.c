/* Platform profiles: see profile_file.h. */
#include "harness/suite/profile_file.h"
#include "harness/base/suggest.h"
#include "harness/json/text_file.h"
#include "harness/suite/config_file.h"
#include "reference/describe/kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WIDTH = 64 };

static const char *const operand_names[] = {"8x8", "16x8", "16x16"};
static const int product_bits[] = {16, 24, 32};

const char *lb_operands_name(lb_operands operands)
{
    return operand_names[operands];
}

int lb_product_bits(lb_operands operands)
{
    return product_bits[operands];
}

bool lb_is_profile_file(const char *argument)
{
    const char *dot = strrchr(argument, '.');
    return strchr(argument, '/') ||
           (dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0));
}

/* Features that several families have are told once. */
static void describe_features(const lb_profile *p, char *text, size_t text_bytes)
{
    for (int f = 0; f < LB_FEATURE_COUNT; f++) {
        uint8_t told = 0;
        for (int i = 0; i < LB_FAMILY_COUNT * LB_TYPES_COUNT; i++) {
            uint8_t value = p->features.of[i / LB_TYPES_COUNT][i % LB_TYPES_COUNT].value[f];
            size_t used = strlen(text);
            char name[8];
            if (value != 0 && value != told)
                snprintf(text + used, text_bytes - used, ", %s %s %s",
                         lb_family_name((lb_family)(i / LB_TYPES_COUNT)), lb_feature_rows[f].name,
                         lb_feature_value_name((lb_feature)f, value, name));
            told = value != 0 ? value : told;
        }
    }
}

void lb_profile_describe(const lb_profile *p, char *text, size_t text_bytes)
{
    snprintf(text, text_bytes,
             "rounding %s, accumulator %s, 8x8 %d bits, 16x8 %d bits, 16x16 %d bits, %s%s",
             lb_rounding_name(p->rounding), p->reduced ? "reduced" : "full",
             p->acc_bits[LB_OPERANDS_8X8], p->acc_bits[LB_OPERANDS_16X8],
             p->acc_bits[LB_OPERANDS_16X16], p->acc_saturates ? "saturates" : "wraps",
             p->avepool16 ? ", avepool multiplier 16 bits" : "");
    if (p->has_features)
        describe_features(p, text, text_bytes);
}

bool lb_profile_same_widths(const lb_profile *a, const lb_profile *b)
{
    return memcmp(a->acc_bits, b->acc_bits, sizeof a->acc_bits) == 0 &&
           a->acc_saturates == b->acc_saturates && a->has_features == b->has_features &&
           (!a->has_features || memcmp(&a->features, &b->features, sizeof a->features) == 0);
}

/* ---- The members of a file ---- */

enum {
    P_NAME = LB_MEMBER_FORMAT + 1,
    P_NOTE,
    P_ROUNDING,
    P_ACCUMULATOR,
    P_WIDTH,
    P_OVERFLOW,
    P_AVEPOOL_BITS,
    P_ASKED,
    P_FEATURES,
    P_CALLS,
    P_KEY_COUNT
};

static const lb_member_key keys[P_KEY_COUNT] = {{"format", "lastbit/profile-1"},
                                                {"name", "a name of its own, as results show it"},
                                                {"note", NULL},
                                                {"rounding", "up or convergent"},
                                                {"accumulator", "full or reduced"},
                                                {"width", "{8x8: N, 16x8: N, 16x16: N}"},
                                                {"overflow", "wrap or saturate"},
                                                {"avepool_multiplier_bits", NULL},
                                                {"asked", NULL},
                                                {"features", NULL},
                                                {"characterized_by_calls", NULL}};

static const lb_key width_keys[] = {{"8x8", true}, {"16x8", true}, {"16x16", true}, {NULL, false}};

typedef struct loader {
    lb_profile *profile;
    lb_place name_place;
} loader;

/* A name stands in lists with commas, and where a file may stand, so that it must look like
 * neither. */
static void read_profile_name(lb_decoder *d, const cJSON *node, lb_profile *profile)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.+";
    const char *name = lb_read_name(d, node, sizeof profile->name - 1);
    if (!name)
        return;
    if (strspn(name, plain) != strlen(name) || lb_is_profile_file(name))
        lb_complain(d, node, NULL, "letters, digits, and any of _ - . +; no ending .yaml",
                    "\"%s\" cannot be a name", name);
    else if (strcmp(name, "all") == 0)
        lb_complain(d, node, NULL, "choose another",
                    "the name \"all\" means all built-in profiles");
    else
        snprintf(profile->name, sizeof profile->name, "%s", name);
}

/* One of two words. */
static bool read_word(lb_decoder *d, const cJSON *node, const char *zero, const char *one)
{
    const char *const names[] = {zero, one, NULL};
    unsigned number = 0;
    lb_read_choice(d, node, names, &number);
    return number == 1;
}

static void read_widths(lb_decoder *d, const cJSON *node, lb_profile *profile)
{
    const cJSON *slots[LB_OPERANDS_COUNT];
    lb_read_members(d, node, width_keys, slots);
    for (int i = 0; cJSON_IsObject(node) && i < LB_OPERANDS_COUNT; i++) {
        char what[64];
        int64_t bits;
        snprintf(what, sizeof what, "bits, one product has %d", product_bits[i]);
        if (slots[i] && lb_read_integer(d, slots[i], product_bits[i], MAX_WIDTH, what, &bits))
            profile->acc_bits[i] = (int)bits;
    }
}

/* The numerics in which a port is asked for this profile. */
static void read_asked(lb_decoder *d, const cJSON *node, lb_profile *profile)
{
    const char *names[LB_NUMERICS_COUNT + 1] = {NULL};
    unsigned number = 0;
    for (int i = 0; i < LB_NUMERICS_COUNT; i++)
        names[i] = lb_numerics_name(i);
    if (lb_read_choice(d, node, names, &number))
        profile->asked = 1 + (int)number;
}

/* One feature: a name, or a number. */
static void read_feature(lb_decoder *d, const cJSON *node, lb_feature feature,
                         lb_feature_set *features)
{
    const lb_feature_row *row = &lb_feature_rows[feature];
    if (!row->choices) {
        int64_t number;
        if (lb_read_integer(d, node, row->low, row->high, row->words, &number))
            features->value[feature] = (uint8_t)number;
        return;
    }
    const char *names[16] = {NULL};
    unsigned number = 0;
    for (unsigned i = 0; row->choices[i].name; i++)
        names[i] = row->choices[i].name;
    if (lb_read_choice(d, node, names, &number))
        features->value[feature] = (uint8_t)(number + 1);
}

/* "conv2d sa8": a family and its operand types. False: reported. */
static bool read_group(lb_decoder *d, const cJSON *node, int *family, int *types)
{
    char name[64];
    const char *space = strchr(node->string, ' ');
    *family = *types = -1;
    if (space && (size_t)(space - node->string) < sizeof name) {
        snprintf(name, sizeof name, "%.*s", (int)(space - node->string), node->string);
        *family = lb_family_find(name);
        *types = lb_types_find(space + 1);
    }
    if (*family >= 0 && *family < LB_FAMILY_COUNT && *types >= 0)
        return true;
    lb_complain_key(d, node, "a family, a space, and one of fx8, fx16, fx16_fx8, sa8, any",
                    "not a family and its operand types");
    return false;
}

static const char *feature_name_at(const void *set, size_t index)
{
    (void)set;
    return index < LB_FEATURE_COUNT ? lb_feature_rows[index].name : NULL;
}

/* The features of one family. */
static void read_group_features(lb_decoder *d, const cJSON *group, lb_profile *profile)
{
    int family, types;
    if (!read_group(d, group, &family, &types))
        return;
    if (!cJSON_IsObject(group)) {
        lb_complain(d, group, NULL, "{FEATURE: CHOICE, ...}", "features are named");
        return;
    }
    lb_feature_set *features = &profile->features.of[family][types];
    const cJSON *node;
    cJSON_ArrayForEach(node, group)
    {
        int feature = lb_feature_find(node->string);
        char remedy[400];
        if (feature < 0) {
            lb_suggest_text(node->string, feature_name_at, NULL, remedy, sizeof remedy);
            lb_complain_key(d, node, remedy, "unknown feature");
        } else if (!lb_feature_applies((lb_feature)feature, family, (lb_types)types)) {
            lb_complain_key(d, node, lb_feature_rows[feature].section, "%s has no such feature",
                            group->string);
        } else {
            read_feature(d, node, (lb_feature)feature, features);
            if (!lb_feature_allows((lb_feature)feature, features->value[feature], family))
                lb_complain(d, node, NULL, lb_feature_rows[feature].section,
                            "not a choice of %s in this family", node->string);
        }
    }
    const char *conflict = lb_features_conflict(features);
    if (conflict)
        lb_complain(d, group, NULL, conflict, "these features do not go together");
}

static void read_features(lb_decoder *d, const cJSON *node, lb_profile *profile)
{
    const cJSON *group;
    if (!cJSON_IsObject(node)) {
        lb_complain(d, node, NULL, "{FAMILY TYPES: {FEATURE: CHOICE, ...}, ...}",
                    "features stand under families");
        return;
    }
    cJSON_ArrayForEach(group, node) read_group_features(d, group, profile);
    for (int family = 0; family < LB_FEATURE_FAMILIES; family++)
        for (int types = 0; types < LB_TYPES_COUNT; types++)
            profile->has_features =
                profile->has_features || lb_features_any(&profile->features.of[family][types]);
}

/* What `lastbit characterize` notes of its own work. */
static void read_calls(lb_decoder *d, const cJSON *node, lb_profile *profile)
{
    int64_t calls;
    if (lb_read_integer(d, node, 1, 1000000, "calls of the port", &calls))
        profile->calls = (unsigned)calls;
}

static void take_value(void *user, lb_decoder *d, int key, const lb_document *document)
{
    loader *l = user;
    lb_profile *profile = l->profile;
    const cJSON *node = document->root;
    switch (key) {
    case P_NAME:
        lb_document_position(document, node, false, &l->name_place.line, &l->name_place.column);
        read_profile_name(d, node, profile);
        break;
    case P_NOTE:
        lb_read_text(d, node);
        break;
    case P_ROUNDING:
        profile->rounding =
            read_word(d, node, "up", "convergent") ? LB_ROUND_CONVERGENT : LB_ROUND_UP;
        break;
    case P_ACCUMULATOR:
        profile->reduced = read_word(d, node, "full", "reduced");
        break;
    case P_WIDTH:
        read_widths(d, node, profile);
        break;
    case P_OVERFLOW:
        profile->acc_saturates = read_word(d, node, "wrap", "saturate");
        break;
    case P_ASKED:
        read_asked(d, node, profile);
        break;
    case P_CALLS:
        read_calls(d, node, profile);
        break;
    case P_FEATURES:
        read_features(d, node, profile);
        break;
    default:
        profile->avepool16 = lb_read_avepool_bits(d, node);
        break;
    }
}

static const lb_member_format profile_format = {
    "a profile",
    "a profile has the keys format, name, rounding, accumulator, width and overflow, and may have "
    "avepool_multiplier_bits, asked, features and characterized_by_calls",
    keys, P_KEY_COUNT, take_value};

/* A file may say what a built-in profile is like, and nothing else under its name. */
static void check_built_in(loader *l, lb_problems *problems)
{
    const lb_profile *p = l->profile;
    int known = lb_profile_find(p->name);
    if (known < 0 || (lb_profile_number(p) == known && lb_profile_asked(p) == known &&
                      !p->has_features && lb_profile_same_widths(p, &lb_profiles[known])))
        return;
    l->name_place.key = "name";
    lb_problem(problems, l->name_place, "choose another name",
               "the built-in profile %s is not like this", p->name);
}

/* ---- The file ---- */

bool lb_profile_load(const char *path, lb_profile *profile, lb_diagnostics *diagnostics)
{
    lb_problems problems = {.diagnostics = diagnostics, .file = path};
    loader l = {.profile = profile};
    lb_arena arena = {0};
    size_t length;
    *profile = (lb_profile){.file = path};
    char *text = lb_small_file_read(path, "profile", LB_SMALL_FILE_BYTES, &length, &problems);
    if (text)
        lb_member_file_read(text, length, &profile_format, &l, &arena, &problems);
    if (problems.found == 0)
        check_built_in(&l, &problems);
    free(text);
    lb_arena_free(&arena);
    return problems.found == 0;
}
