/* Features held against observations: see fit.h. */
#include "harness/characterize/fit.h"
#include "harness/base/clock.h"
#include "harness/call/model.h"
#include "harness/characterize/absolute.h"

#include <string.h>

void lb_group_make(lb_group *group, int family, lb_types types, const lb_profile *asked)
{
    *group = (lb_group){.family = family, .types = types, .profile = *asked};
    group->profile.has_features = true;
}

void lb_group_free(lb_group *group)
{
    lb_id_set_free(&group->refuted);
    lb_arena_free(&group->arena);
}

/* ---- What models give ---- */

/* The call of an instance points to the tensors of that instance. */
static void move_observation(lb_observation *to, const lb_observation *from)
{
    *to = *from;
    lb_instance_reset(&to->work);
}

static void make_observation(lb_observation *o, const lb_case *c, const lb_left *left,
                             unsigned misaligned, lb_arena *arena)
{
    const lb_memory_options layout = {.misaligned = misaligned};
    *o = (lb_observation){.left = left};
    o->memory = lb_arena_alloc(arena, sizeof *o->memory);
    lb_call_memory_make_as(o->memory, c, &layout, arena);
    lb_instance_make(&o->work, o->memory, arena);
}

bool lb_group_observe(lb_group *group, const lb_case *c, const lb_left *left, unsigned misaligned)
{
    if (group->count == LB_MOST_OBSERVATIONS)
        return false;
    lb_observation o;
    make_observation(&o, c, left, misaligned, &group->arena);
    size_t at = group->count++;
    for (; at > 0 && group->observations[at - 1].memory->block_bytes > o.memory->block_bytes; at--)
        move_observation(&group->observations[at], &group->observations[at - 1]);
    move_observation(&group->observations[at], &o);
    group->latest = at;
    return true;
}

void lb_group_forget_last(lb_group *group)
{
    group->count--;
    lb_id_set_free(&group->refuted);
}

static void run_model(lb_group *group, lb_instance *work, const lb_feature_set *features)
{
    lb_context context = {.profile = &group->profile};
    group->profile.features.of[group->family][group->types] = *features;
    lb_instance_reset(work);
    lb_model_call(&context, work);
    group->models_run++;
}

static double misfit_of(lb_group *group, lb_observation *o, const lb_feature_set *features)
{
    run_model(group, &o->work, features);
    if (o->work.call.status != o->left->status)
        return 1;
    const lb_left_counts counts = lb_left_count(o->left, &o->work, &o->work);
    /* The share, and a little for being wrong at all: exactness is what counts in the end. */
    return counts.wrong == 0 ? 0 : 0.01 + (double)counts.wrong / (double)counts.elements;
}

double lb_group_misfit(lb_group *group, const lb_feature_set *features, double limit)
{
    double misfit = 0;
    for (size_t i = 0; i < group->count && misfit <= limit; i++)
        misfit += misfit_of(group, &group->observations[i], features);
    return misfit;
}

/* A combination as an id. */
typedef struct feature_id {
    char text[LB_FEATURE_COUNT + 1];
} feature_id;

static feature_id id_of(const lb_feature_set *features)
{
    feature_id id;
    for (size_t f = 0; f < LB_FEATURE_COUNT; f++)
        id.text[f] = (char)(features->value[f] + 1); /* no value ends the text */
    id.text[LB_FEATURE_COUNT] = 0;
    return id;
}

/* Of a few thousand combinations no two have one hash of 64 bits. */
static bool is_same(void *user, size_t earlier, const char *id)
{
    (void)user;
    (void)earlier;
    (void)id;
    return true;
}

bool lb_group_gives_all(lb_group *group, const lb_feature_set *features)
{
    size_t earlier;
    const feature_id id = id_of(features);
    if (group->count < group->refuted_count) /* it may be what is left out that refuted them */
        lb_id_set_free(&group->refuted);
    group->refuted_count = group->count;
    if (lb_id_set_find(&group->refuted, id.text, is_same, NULL, &earlier))
        return false;
    bool gives_all = lb_group_misfit(group, features, 0) == 0;
    if (!gives_all)
        (void)lb_id_set_add(&group->refuted, id.text, is_same, NULL, &earlier);
    return gives_all;
}

bool lb_group_agrees(lb_group *group, size_t i, const lb_feature_set *features)
{
    return misfit_of(group, &group->observations[i], features) == 0;
}

bool lb_group_case_agrees(lb_group *group, const lb_case *c, const lb_left *left,
                          unsigned misaligned, const lb_feature_set *features, lb_arena *arena)
{
    lb_observation o;
    make_observation(&o, c, left, misaligned, arena);
    return misfit_of(group, &o, features) == 0;
}

bool lb_group_last_agrees(lb_group *group, const lb_feature_set *features)
{
    return group->count == 0 || lb_group_agrees(group, group->latest, features);
}

size_t lb_group_told_apart(lb_group *group, const lb_case *c, const lb_feature_set *own,
                           const lb_neighbour *list, size_t count, lb_arena *arena, bool *told)
{
    lb_instance *work = lb_instance_of(c, arena);
    size_t apart = 0;
    run_model(group, work, own);
    const lb_left *first = lb_left_copy(work, arena);
    for (size_t i = 0; i < count; i++) {
        run_model(group, work, &list[i].features);
        told[i] = first->status != work->call.status || lb_left_count(first, work, work).wrong > 0;
        apart += told[i];
    }
    return apart;
}

/* ---- Neighbours ---- */

bool lb_features_possible(const lb_feature_set *features, int family, lb_types types)
{
    for (int f = 0; f < LB_FEATURE_COUNT; f++)
        if (features->value[f] && (!lb_feature_applies((lb_feature)f, family, types) ||
                                   !lb_feature_allows((lb_feature)f, features->value[f], family)))
            return false;
    return !lb_features_conflict(features);
}

static void add_neighbour(const lb_group *group, const lb_feature_set *from,
                          lb_feature_set features, lb_feature feature, uint8_t value,
                          lb_neighbour *list, size_t *count)
{
    features = lb_features_absolute_of(&group->profile, &features, group->family, group->types);
    if (*count < LB_MOST_NEIGHBOURS &&
        lb_features_possible(&features, group->family, group->types) &&
        memcmp(from, &features, sizeof *from) != 0)
        list[(*count)++] = (lb_neighbour){.feature = feature, .value = value, .features = features};
}

/* What stands beside a choice only because of another, or cannot stand beside it. */
static void make_room(lb_feature_set *features, lb_feature feature)
{
    uint8_t *v = features->value;
    if (feature == LB_FEATURE_REQUANTIZE)
        v[LB_FEATURE_BIAS_BITS] = 0; /* what goes with it */
    if (feature == LB_FEATURE_OVERFLOW && v[LB_FEATURE_BIAS] != LB_BIAS_FIRST)
        v[LB_FEATURE_BIAS] = 0;
    lb_features_make_room(features, feature);
}

/* Slopes may be negative; other ratios are not. */
static bool signed_ratios(const lb_group *group)
{
    return lb_families[group->family].pattern == LB_PATTERN_SLOPES;
}

/* Of positive numbers away is up, and zero is floor. */
static uint8_t of_positive(uint8_t rounding)
{
    return rounding == LB_ROUND_AWAY + 1   ? LB_ROUND_UP + 1
           : rounding == LB_ROUND_ZERO + 1 ? LB_ROUND_FLOOR + 1
                                           : rounding;
}

/* Sets the roundings of inner steps and tables, and maybe that of ratios, to the same. */
static void alike_roundings(const lb_group *group, lb_feature_set *features, uint8_t value,
                            bool ratios)
{
    static const lb_feature others[] = {LB_FEATURE_INNER_ROUNDING, LB_FEATURE_TABLE_ROUNDING,
                                        LB_FEATURE_SCALE_ROUNDING};
    for (size_t i = 0; i < (ratios ? 3 : 2); i++)
        if (lb_feature_applies(others[i], group->family, group->types))
            features->value[others[i]] =
                others[i] == LB_FEATURE_SCALE_ROUNDING && !signed_ratios(group) ? of_positive(value)
                                                                                : value;
    make_room(features, LB_FEATURE_ROUNDING);
}

/* The combinations with this value of a feature. */
static void add_value(const lb_group *group, const lb_feature_set *from, lb_feature feature,
                      uint8_t value, lb_neighbour *list, size_t *count)
{
    lb_feature_set features = *from;
    features.value[feature] = value;
    make_room(&features, feature);
    add_neighbour(group, from, features, feature, value, list, count);
    /* What rounds one step in a way mostly rounds all of them so. */
    if (feature == LB_FEATURE_ROUNDING && value != 0) {
        lb_feature_set alike = features;
        alike_roundings(group, &alike, value, false);
        add_neighbour(group, from, alike, feature, value, list, count);
        alike_roundings(group, &alike, value, true);
        add_neighbour(group, from, alike, feature, value, list, count);
    }
    /* A width shows best together with what happens past it. */
    for (uint8_t past = LB_SUM_WRAP; feature == LB_FEATURE_ACC_BITS && past <= LB_SUM_AT_END;
         past++) {
        features.value[LB_FEATURE_OVERFLOW] = past;
        make_room(&features, LB_FEATURE_OVERFLOW);
        if (past != from->value[LB_FEATURE_OVERFLOW])
            add_neighbour(group, from, features, feature, value, list, count);
    }
}

/* Can the number be that of the feature, and is it none of those that are tried anyway? */
static bool is_other_number(lb_feature feature, int number)
{
    const lb_feature_row *row = &lb_feature_rows[feature];
    for (const uint8_t *n = row->numbers; n && *n; n++)
        if (*n == number)
            return false;
    return row->high > 0 && number >= row->low && number <= row->high;
}

size_t lb_group_neighbours(const lb_group *group, const lb_feature_set *from,
                           lb_neighbour list[LB_MOST_NEIGHBOURS])
{
    size_t count = 0;
    for (int f = 0; f < LB_FEATURE_COUNT; f++) {
        lb_feature feature = (lb_feature)f;
        if (!lb_feature_applies(feature, group->family, group->types))
            continue;
        unsigned values = lb_feature_value_count(feature);
        for (unsigned i = 0; i <= values; i++)
            add_value(group, from, feature, i == values ? 0 : lb_feature_value(feature, i), list,
                      &count);
        /* Of numbers not all are tried: those beside the one that was found are, and of lanes all,
         * for a count may look like any other. */
        int number = from->value[f], reach = feature == LB_FEATURE_LANES ? 32 : 1;
        for (int n = number - reach; number > 0 && n <= number + reach; n++)
            if (n > 0 && is_other_number(feature, n))
                add_value(group, from, feature, (uint8_t)n, list, &count);
    }
    return count;
}

/* ---- Search ---- */

enum { BEAM = 10, DEPTH = 7 };

typedef struct beam {
    lb_group *group;
    double deadline;
    lb_feature_set features[BEAM];
    double misfit[BEAM];
    bool extended[BEAM];
    size_t count;
    lb_id_set seen; /* what was tried: the beam only gets better */
} beam;

static double worst_of(const beam *b)
{
    return b->count < BEAM ? 1e9 : b->misfit[BEAM - 1];
}

static void take(beam *b, const lb_feature_set *features, double misfit)
{
    size_t at = b->count < BEAM ? b->count++ : BEAM - 1;
    while (at > 0 && b->misfit[at - 1] > misfit) {
        b->features[at] = b->features[at - 1];
        b->misfit[at] = b->misfit[at - 1];
        b->extended[at] = b->extended[at - 1];
        at--;
    }
    b->features[at] = *features;
    b->misfit[at] = misfit;
    b->extended[at] = false;
}

static void consider(beam *b, const lb_feature_set *features)
{
    size_t earlier;
    const feature_id id = id_of(features);
    if (!lb_id_set_add(&b->seen, id.text, is_same, NULL, &earlier)) {
        lb_id_set_take_back(&b->seen);
        return;
    }
    double limit = worst_of(b), misfit = lb_group_misfit(b->group, features, limit);
    if (misfit < limit)
        take(b, features, misfit);
}

/* The best that has not been extended yet, or BEAM. */
static size_t next_of(const beam *b)
{
    for (size_t i = 0; i < b->count; i++)
        if (!b->extended[i])
            return i;
    return BEAM;
}

/* ---- Grids: features whose choices show only together ---- */

static const lb_feature result_features[] = {LB_FEATURE_REQUANTIZE,      LB_FEATURE_FIRST_ROUNDING,
                                             LB_FEATURE_ROUNDING,        LB_FEATURE_SCALE_RATIO,
                                             LB_FEATURE_MULTIPLIER_BITS, LB_FEATURE_SCALE_ROUNDING,
                                             LB_FEATURE_AVERAGE,         LB_FEATURE_COUNT};
static const lb_feature table_features[] = {LB_FEATURE_ROUNDING,       LB_FEATURE_INNER_ROUNDING,
                                            LB_FEATURE_TABLE_ROUNDING, LB_FEATURE_TABLE,
                                            LB_FEATURE_INTERPOLATION,  LB_FEATURE_TABLE_ENDS,
                                            LB_FEATURE_COUNT};
static const lb_feature sum_features[] = {LB_FEATURE_ACC_BITS,   LB_FEATURE_OVERFLOW,
                                          LB_FEATURE_LANES,      LB_FEATURE_BIAS,
                                          LB_FEATURE_ZERO_POINT, LB_FEATURE_COUNT};

static const lb_feature limit_features[] = {LB_FEATURE_LOWEST,     LB_FEATURE_OUT_OVERFLOW,
                                            LB_FEATURE_LEFT_SHIFT, LB_FEATURE_RIGHT_SHIFT,
                                            LB_FEATURE_SHIFT_CAP,  LB_FEATURE_COUNT};

/* All combinations of some features, the others as they are, for one that is told of them. */
typedef struct grid {
    const lb_group *group;
    double deadline;
    void (*tell)(void *user, const lb_feature_set *features);
    void *user;
} grid;

static void walk(const grid *g, const lb_feature_set *from, const lb_feature *features)
{
    const int family = g->group->family;
    const lb_types types = g->group->types;
    if (*features == LB_FEATURE_COUNT) {
        lb_feature_set all = lb_features_absolute_of(&g->group->profile, from, family, types);
        if (lb_features_possible(&all, family, types))
            g->tell(g->user, &all);
        return;
    }
    lb_feature_set set = *from;
    bool applies = lb_feature_applies(*features, family, types);
    unsigned values = applies ? lb_feature_value_count(*features) : 0;
    for (unsigned i = 0; i <= values && lb_worked_seconds() < g->deadline; i++) {
        set.value[*features] = i == 0 ? 0 : lb_feature_value(*features, i - 1);
        walk(g, &set, features + 1);
    }
}

static void consider_one(void *user, const lb_feature_set *features)
{
    beam *b = user;
    if (b->count == 0 || b->misfit[0] > 0)
        consider(b, features);
}

static void consider_grid(beam *b, const lb_feature_set *from, const lb_feature *features)
{
    walk(&(grid){b->group, b->deadline, consider_one, b}, from, features);
}

void lb_group_table_rivals(lb_group *group, const lb_feature_set *from, double deadline,
                           void (*tell)(void *user, const lb_feature_set *features), void *user)
{
    if (lb_feature_applies(LB_FEATURE_TABLE, group->family, group->types))
        walk(&(grid){group, deadline, tell, user}, from, table_features);
}

/* Neighbours of the best, again and again. */
static void climb(beam *b, int steps)
{
    static lb_neighbour list[LB_MOST_NEIGHBOURS];
    for (int step = 0; step < steps && b->count > 0 && b->misfit[0] > 0; step++) {
        size_t at = next_of(b);
        if (at == BEAM || lb_worked_seconds() > b->deadline)
            break;
        b->extended[at] = true;
        size_t count = lb_group_neighbours(b->group, &b->features[at], list);
        for (size_t i = 0; i < count && b->misfit[0] > 0; i++)
            consider(b, &list[i].features);
    }
}

/* Numbers that are not among those tried before. */
static void consider_numbers(beam *b, const lb_feature_set *from, const lb_feature *features)
{
    static lb_neighbour list[LB_MOST_NEIGHBOURS];
    (void)features;
    for (int f = 0; f < LB_FEATURE_COUNT; f++) {
        const lb_feature_row *row = &lb_feature_rows[f];
        size_t count = 0;
        for (int n = row->low; n <= row->high; n++)
            if (lb_feature_applies((lb_feature)f, b->group->family, b->group->types) &&
                is_other_number((lb_feature)f, n))
                add_value(b->group, from, (lb_feature)f, (uint8_t)n, list, &count);
        for (size_t i = 0; i < count && b->misfit[0] > 0 && lb_worked_seconds() < b->deadline; i++)
            consider(b, &list[i].features);
    }
}

/* Neighbours of neighbours: two choices, neither of which gets nearer alone. */
static void consider_pairs(beam *b, const lb_feature_set *from, const lb_feature *features)
{
    static lb_neighbour near[LB_MOST_NEIGHBOURS], far[LB_MOST_NEIGHBOURS];
    size_t count = lb_group_neighbours(b->group, from, near);
    (void)features;
    for (size_t i = 0; i < count && b->misfit[0] > 0 && lb_worked_seconds() < b->deadline; i++) {
        size_t others = lb_group_neighbours(b->group, &near[i].features, far);
        for (size_t j = 0; j < others && b->misfit[0] > 0; j++)
            consider(b, &far[j].features);
    }
}

/* What is tried, one after the other, while nothing agrees: from the `tops` best, after so many
 * steps to neighbours. What looks best may have a wrong feature beside those of a grid: the asked
 * numerics, where all begins, have none. */
static const struct {
    int climbs, tops;
    bool from_asked;
    void (*consider)(beam *b, const lb_feature_set *from, const lb_feature *features);
    const lb_feature *features;
} tries[] = {
    {2, 1, true, consider_grid, result_features},
    {0, 1, false, consider_grid, table_features},
    {0, 3, false, consider_grid, sum_features},
    {0, 1, false, consider_grid, limit_features},
    {BEAM * DEPTH, 3, false, consider_numbers, NULL},
    {BEAM, 1, false, consider_pairs, NULL},
    {0, 0, true, consider_pairs, NULL},
};

double lb_group_search(lb_group *group, const lb_feature_set *seeds, size_t seed_count,
                       double deadline, lb_feature_set *best)
{
    enum { TOPS = 3 };
    beam b = {.group = group, .deadline = deadline};
    lb_feature_set from[1 + TOPS];
    for (size_t i = 0; i < seed_count; i++)
        if (lb_features_possible(&seeds[i], group->family, group->types))
            consider(&b, &seeds[i]);
    for (size_t t = 0; t < sizeof tries / sizeof *tries; t++) {
        size_t count = 0;
        climb(&b, tries[t].climbs);
        if (tries[t].from_asked && seed_count > 0)
            from[count++] = seeds[0];
        for (int i = 0; i < tries[t].tops && i < (int)b.count; i++)
            from[count++] = b.features[i];
        for (size_t i = 0; i < count && b.misfit[0] > 0; i++)
            tries[t].consider(&b, &from[i], tries[t].features);
    }
    climb(&b, BEAM);
    lb_id_set_free(&b.seen);
    *best = b.features[0];
    return b.misfit[0];
}
