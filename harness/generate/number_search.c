/* The search for numbers that no case has tried: see search.h. A point is a number that a call has,
 * a fractional bit or the count of a shift; a made-up case is aimed at it by moving one field of a
 * format by what is missing, and then at as many more of them as it can take. */
#include "harness/call/call_memory.h"
#include "harness/call/model.h"
#include "harness/coverage/defined.h"
#include "harness/coverage/observe.h"
#include "harness/coverage/vacuous.h"
#include "harness/generate/case_change.h"
#include "harness/generate/random_case.h"
#include "harness/generate/search_tries.h"
#include "harness/generate/sum_domain.h"
#include "harness/suite/case_write.h"

#include <stdio.h>
#include <string.h>

enum {
    TRIES = 400, /* cases that are made up for a point, at most */
    ENOUGH = 40, /* after which one that has the number must do: it cannot decide */
    MOST_ELEMENTS = 160,
    LEAST_ELEMENTS = 4, /* of the largest operand: room for both ends and something between */
    MORE = 24,          /* further points that a case is aimed at */
    MAX_HELD = 32,
    MAX_FIELDS = 256
};

/* ---- Fields that move numbers ---- */

/* Entries that are moved together: one, or all of a list. */
typedef struct field {
    int8_t *at;
    size_t count;
    bool is_whole; /* all that the tensor has */
} field;

static void add_field(field fields[MAX_FIELDS], size_t *count, int8_t *at, size_t entries,
                      bool is_whole)
{
    if (*count < MAX_FIELDS)
        fields[(*count)++] = (field){at, entries, is_whole};
}

static size_t fields_of(const lb_case *c, field fields[MAX_FIELDS])
{
    size_t count = 0;
    for (lb_case_place p = LB_CASE_START; lb_case_next(c, &p);) {
        lb_case_tensor *t = p.t;
        if (lb_is_fx((uint32_t)t->type))
            add_field(fields, &count, &t->frac_bits, 1, true);
        if (!t->scale_frac_bits)
            continue;
        for (size_t j = 0; j < t->quant_count && t->quant_count > 1; j++)
            add_field(fields, &count, &t->scale_frac_bits[j], 1, false);
        add_field(fields, &count, t->scale_frac_bits, t->quant_count, true);
    }
    return count;
}

static bool move(const field *f, int64_t by)
{
    for (size_t i = 0; i < f->count; i++)
        if (f->at[i] + by < INT8_MIN || f->at[i] + by > INT8_MAX)
            return false;
    for (size_t i = 0; i < f->count; i++)
        f->at[i] = (int8_t)(f->at[i] + by);
    return by != 0;
}

/* ---- What a case has ---- */

typedef struct want {
    const lb_cover_group *group;
    int number;
} want;

typedef struct view {
    const want *wants;
    size_t count, met;
    lb_cover_values values; /* of the last want */
    bool computed;
} view;

static void look(void *user, const lb_observation *o)
{
    view *v = user;
    v->computed = !o->violated && (!o->kernel->returns_status || o->after->status == LB_OK);
    for (size_t i = 0; v->computed && i < v->count; i++) {
        v->values.count = 0;
        v->wants[i].group->tell(o, v->wants[i].group, &v->values);
        for (size_t j = 0; j < v->values.count; j++)
            if (v->values.items[j] == v->wants[i].number) {
                v->met++;
                break;
            }
    }
}

static view view_of(const lb_case *c, const lb_profile *profile, const want *wants, size_t count)
{
    view v = {.wants = wants, .count = count};
    lb_arena arena = {0};
    if (lb_cover_is_defined(c))
        lb_cover_case(c, profile, false, &arena, look, &v);
    lb_arena_free(&arena);
    return v;
}

/* ---- Aiming ---- */

typedef struct aim {
    lb_cover_search *search;
    const lb_cover_function *function;
    const lb_profile *profile;
    want held[MAX_HELD]; /* what the case has and must keep */
    size_t held_count;
    field moved; /* the last that was */
} aim;

static bool meets_all(const aim *a, const lb_case *c)
{
    return view_of(c, a->profile, a->held, a->held_count + 1).met > a->held_count;
}

/* A second field goes along, where the formats of two tensors hang together. */
static bool move_another(const aim *a, const lb_case *c, const field *fields, size_t count,
                         const field *first, int64_t by)
{
    for (size_t f = 0; f < count; f++)
        for (int sign = 1; sign >= -1; sign -= 2) {
            if (fields[f].at == first->at || !fields[f].is_whole || !move(&fields[f], sign * by))
                continue;
            if (meets_all(a, c))
                return true;
            move(&fields[f], -sign * by);
        }
    return false;
}

/* Moves a field so that the case has what is wanted, and keeps what is held. */
static bool aim_at(aim *a, lb_case *c, want wanted)
{
    field fields[MAX_FIELDS];
    a->held[a->held_count] = wanted;
    const view now = view_of(c, a->profile, a->held, a->held_count + 1);
    if (!now.computed || now.met > a->held_count)
        return now.computed;
    const size_t count = fields_of(c, fields);
    for (int both = 0; both < 2; both++)
        for (size_t f = 0; f < count; f++)
            for (size_t i = 0; i < now.values.count; i++)
                for (int sign = 1; sign >= -1; sign -= 2) {
                    const int64_t by = sign * (wanted.number - now.values.items[i]);
                    if ((both && !fields[f].is_whole) || !move(&fields[f], by))
                        continue;
                    a->moved = fields[f];
                    if (both ? move_another(a, c, fields, count, &fields[f], by) : meets_all(a, c))
                        return true;
                    move(&fields[f], -by);
                }
    return false;
}

static bool is_missed(const aim *a, size_t g, unsigned place, int *profile)
{
    const size_t point = a->function->group_first[g] + place;
    const char *why;
    for (*profile = 0; *profile < LB_PROFILE_COUNT; ++*profile) {
        const size_t spot = lb_cover_spot(a->search->map, *profile, point);
        if (lb_cover_map_state(a->search->map, a->function, spot, &why) == LB_COVER_MISSED)
            return true;
    }
    return false;
}

/* Other numbers that nobody has tried, in the order of the groups and round and round, so that a
 * list of scales takes as many as it has entries. */
static void aim_at_more(aim *a, lb_case *c, uint64_t seed)
{
    const lb_cover_function *function = a->function;
    size_t tries = 0;
    for (size_t g = 0; g < function->group_count && tries < MORE; g++) {
        const lb_cover_group *group = &function->groups[g];
        if (!lb_cover_is_of_numbers(group))
            continue;
        const unsigned points = lb_cover_points(group);
        for (unsigned i = 0; i < points && tries < MORE && a->held_count + 1 < MAX_HELD; i++) {
            int profile;
            const unsigned place = (unsigned)((i + seed) % points);
            const want wanted = {group, group->first + (int)place};
            bool is_held = false;
            for (size_t h = 0; h < a->held_count; h++)
                is_held =
                    is_held || (a->held[h].group == group && a->held[h].number == wanted.number);
            if (is_held || !is_missed(a, g, place, &profile))
                continue;
            tries++;
            if (aim_at(a, c, wanted))
                a->held_count++;
        }
    }
}

/* ---- Whether the number decides ---- */

/* Is the result another one where the number is? */
static bool decides(const aim *a, lb_case *c)
{
    lb_case other = *c;
    if (a->held[0].group->take_away) {
        a->held[0].group->take_away(&other.config);
        return !lb_case_same_outputs(c, &other, a->profile);
    }
    if (!a->moved.at)
        return true;
    lb_case *kept = NULL;
    lb_arena arena = {0};
    bool differs = false;
    for (int by = -1; by <= 1 && !differs; by += 2) {
        kept = lb_case_copy(&arena, c);
        if (!move(&a->moved, by))
            continue;
        differs = !lb_case_same_outputs(kept, c, a->profile);
        move(&a->moved, -by);
    }
    lb_arena_free(&arena);
    return differs;
}

/* ---- Cases ---- */

/* Both ends of the containers stand in front, so that limits and shifts have something to act on.
 */
static void put_ends(lb_case *c)
{
    for (lb_case_place p = LB_CASE_START; lb_case_next(c, &p);) {
        const int bits = lb_container_bits((uint32_t)p.t->type);
        if (p.t->type == LB_FP32 || bits < 8 || bits > 16 || p.t->data.count < LEAST_ELEMENTS)
            continue;
        p.t->data.items[0] = -(1 << (bits - 1));
        p.t->data.items[1] = (1 << (bits - 1)) - 1;
        p.t->may_be_uniform = false;
    }
}

static bool has_good_size(const lb_case *c)
{
    size_t all = 0, largest = 0;
    for (lb_case_place p = LB_CASE_START; lb_case_next(c, &p);) {
        all += p.t->data.count;
        largest = p.t->data.count > largest ? p.t->data.count : largest;
    }
    return all <= MOST_ELEMENTS && largest >= LEAST_ELEMENTS;
}

/* How well a case shows a number: it has it; something depends on what it computes with; the result
 * is another one where the number is. Below that, data with both ends show more than others. */
enum { NONE, HAS, HAS_ENDS, DEPENDS, DEPENDS_ENDS, DECIDES };

static int make_case(aim *a, want wanted, uint64_t index, lb_arena *arena, lb_case *c)
{
    const lb_random_options options = {.seed = a->search->seed, .small = true};
    a->held_count = 0;
    a->moved.at = NULL;
    if (!lb_random_case(a->function->kernel, &options, index, arena, c) || !has_good_size(c))
        return NONE;
    const bool ends = index % 3 != 0;
    if (ends)
        put_ends(c);
    if (!aim_at(a, c, wanted))
        return NONE;
    a->held_count = 1;
    const bool shows = decides(a, c);
    aim_at_more(a, c, index);
    for (int p = 0; p < LB_PROFILE_COUNT; p++) /* no order of adding leaves the accumulator */
        if (!lb_sum_domain_holds(c, &lb_profiles[p], arena))
            return NONE;
    const bool vacuous = lb_vacuous_reason(c, &lb_profiles[0], arena) != NULL;
    return vacuous ? HAS + ends : shows ? DECIDES : DEPENDS + ends;
}

static bool find(aim *a, size_t g, unsigned place, uint64_t index)
{
    const lb_cover_group *group = &a->function->groups[g];
    lb_arena arena = {0}, best_arena = {0};
    char name[LB_COVERPOINT_BYTES];
    const char *best = NULL;
    int quality = NONE;
    for (unsigned tries = 0; tries < TRIES && quality < DECIDES && !lb_cover_is_time_up(a->search);
         tries++) {
        lb_case c, read;
        lb_cover_finds f;
        if (tries >= ENOUGH && quality > NONE)
            break;
        lb_arena_reset(&arena);
        const int found =
            make_case(a, (want){group, group->first + (int)place}, index + tries, &arena, &c);
        if (found <= quality)
            continue;
        c.id = lb_arena_strdup(&arena, "candidate");
        const char *text = lb_case_to_json(&c, &arena);
        if (!lb_cover_try(a->search->map, text, &arena, &read, &f) || f.left_width)
            continue;
        quality = found;
        lb_arena_reset(&best_arena);
        best = lb_arena_strdup(&best_arena, text);
    }
    lb_cover_name(group, place, name);
    if (a->profile != &lb_profiles[0]) /* the first has it already */
        snprintf(name + strlen(name), sizeof name - strlen(name), ".%s", a->profile->name);
    const bool good = best && lb_cover_keep(a->search, a->function, best, name, quality < DEPENDS);
    lb_arena_free(&arena);
    lb_arena_free(&best_arena);
    return good;
}

size_t lb_cover_search_numbers(lb_cover_search *search, const lb_kernel *kernel)
{
    aim a = {.search = search, .function = lb_cover_map_function(search->map, kernel)};
    uint64_t index = 0;
    size_t found = 0;
    for (size_t g = 0; g < a.function->group_count; g++) {
        const lb_cover_group *group = &a.function->groups[g];
        for (unsigned place = 0; lb_cover_is_of_numbers(group) && place < lb_cover_points(group);
             place++) {
            int profile;
            for (int again = 0; again < 2 && is_missed(&a, g, place, &profile); again++) {
                a.profile = &lb_profiles[profile];
                found += find(&a, g, place, index += TRIES);
            }
        }
    }
    return found;
}
