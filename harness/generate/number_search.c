/* Cases aimed at numbers that no case has tried: see cover_search.h. A point is a number that a
 * call has, a fractional bit or the count of a shift; a made-up case is aimed at it by moving one
 * field of a format by what is missing, and then at as many more of them as it can take. */
#include "harness/call/call_memory.h"
#include "harness/call/model.h"
#include "harness/coverage/defined.h"
#include "harness/coverage/observe.h"
#include "harness/generate/case_change.h"
#include "harness/generate/cover_search.h"
#include "harness/generate/random_case.h"

enum {
    ENOUGH = 40, /* tries, after which a case that has the number must do: it cannot decide */
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
} field;

static void add_field(field fields[MAX_FIELDS], size_t *count, int8_t *at, size_t entries)
{
    if (*count < MAX_FIELDS)
        fields[(*count)++] = (field){at, entries};
}

static size_t fields_of(const lb_case *c, field fields[MAX_FIELDS])
{
    size_t count = 0;
    for (lb_case_place p = LB_CASE_START; lb_case_next(c, &p);) {
        lb_case_tensor *t = p.t;
        if (lb_is_fx((uint32_t)t->type))
            add_field(fields, &count, &t->frac_bits, 1);
        if (!t->scale_frac_bits)
            continue;
        for (size_t j = 0; j < t->quant_count && t->quant_count > 1; j++)
            add_field(fields, &count, &t->scale_frac_bits[j], 1);
        add_field(fields, &count, t->scale_frac_bits, t->quant_count);
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
        v->values.hit = v->values.count = 0;
        v->values.asked = UINT64_MAX;
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
    const lb_cover_search *search;
    want held[MAX_HELD]; /* what the case has and must keep */
    size_t held_count;
    field moved; /* the last that was */
} aim;

static bool meets_all(const aim *a, const lb_case *c)
{
    return view_of(c, a->search->profile, a->held, a->held_count + 1).met > a->held_count;
}

/* Moves a field so that the case has what is wanted, and keeps what is held. */
static bool aim_at(aim *a, lb_case *c, want wanted)
{
    field fields[MAX_FIELDS];
    a->held[a->held_count] = wanted;
    const view now = view_of(c, a->search->profile, a->held, a->held_count + 1);
    if (!now.computed || now.met > a->held_count)
        return now.computed;
    const size_t count = fields_of(c, fields);
    for (size_t f = 0; f < count; f++)
        for (size_t i = 0; i < 2 * now.values.count; i++) {
            const int64_t by = wanted.number - now.values.items[i / 2],
                          signed_by = i % 2 ? -by : by;
            if (!move(&fields[f], signed_by))
                continue;
            a->moved = fields[f];
            if (meets_all(a, c))
                return true;
            move(&fields[f], -signed_by);
        }
    return false;
}

/* Other numbers that nobody has tried, in the order of the groups and round and round, so that a
 * list of scales takes as many as it has entries. */
static void aim_at_more(aim *a, lb_case *c, uint64_t seed)
{
    const lb_cover_function *function = a->search->function;
    size_t tries = 0;
    for (size_t g = 0; g < function->group_count && tries < MORE; g++) {
        const lb_cover_group *group = &function->groups[g];
        if (!lb_cover_is_of_numbers(group))
            continue;
        const unsigned points = lb_cover_points(group);
        for (unsigned i = 0; i < points && tries < MORE && a->held_count + 1 < MAX_HELD; i++) {
            const unsigned place = (unsigned)((i + seed) % points);
            const want wanted = {group, group->first + (int)place};
            bool is_held = false;
            for (size_t h = 0; h < a->held_count; h++)
                is_held =
                    is_held || (a->held[h].group == group && a->held[h].number == wanted.number);
            if (is_held || !lb_cover_is_missed(a->search, g, place, -1))
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
        return !lb_case_same_outputs(c, &other, a->search->profile);
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
        differs = !lb_case_same_outputs(kept, c, a->search->profile);
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

bool lb_cover_make_number(void *user, uint64_t index, lb_arena *arena, lb_case *c)
{
    lb_cover_search *search = user;
    const lb_random_options options = {.seed = search->search.seed, .small = true};
    const uint64_t number = index + search->spot * LB_AIM_PATIENCE;
    aim a = {.search = search};
    const bool must_decide = search->aimed++ < ENOUGH;
    if (!lb_random_case(search->function->kernel, &options, number, arena, c) || !has_good_size(c))
        return false;
    if (number % 3 != 0)
        put_ends(c);
    if (!aim_at(&a, c, (want){search->group, search->group->first + (int)search->place}))
        return false;
    a.held_count = 1;
    if (must_decide && !decides(&a, c))
        return false;
    aim_at_more(&a, c, number);
    return true;
}
