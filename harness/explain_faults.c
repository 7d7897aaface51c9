/* Where a wrong value could come from: see explain_faults.h. */
#include "explain_faults.h"
#include "explain_arith.h"

#include "reports/doc.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_CANDIDATES = 256, MAX_SAMPLES = 12, MAX_STEPS = 200000, MAX_MISSED_TAPS = 16 };

bool lb_voice_value(const lb_scene *scene, lb_voice voice, lb_role role, size_t flat, int64_t *value)
{
    if (voice == LB_VOICE_RECORDED)
        return lb_scene_recorded(scene, role, flat, value);
    if (!scene->port_ran || !lb_scene_address(scene, &scene->port, role, flat))
        return false;
    *value = lb_scene_value(scene, &scene->port, role, flat);
    return true;
}

static bool differs(const lb_scene *scene, lb_voice voice, lb_role role, size_t flat)
{
    int64_t value;
    return lb_voice_value(scene, voice, role, flat, &value) &&
           value != lb_scene_value(scene, &scene->exact, role, flat);
}

bool lb_voice_first_difference(const lb_scene *scene, lb_voice voice, lb_role role, size_t *flat)
{
    lb_layout layout = lb_scene_layout(scene, role);
    size_t count = lb_layout_count(&layout);
    for (*flat = 0; *flat < count; ++*flat)
        if (differs(scene, voice, role, *flat))
            return true;
    return false;
}

static double now_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* ---- Faults that give the value ---- */

typedef struct hunt {
    lb_scene *scene;
    lb_voice voice;
    lb_role role;
    size_t flat;
    int bits; /* of the container */
    int64_t wanted;
    int64_t whole_window;
    int64_t *right;  /* values of the trail's steps without a fault */
    int64_t *values; /* room for a replay */
    size_t values_room;
    double end; /* when to stop looking */
    unsigned count;
    lb_suspect candidates[MAX_CANDIDATES];
} hunt;

static bool make_room(hunt *h, const lb_trail *trail)
{
    if (trail->step_count <= h->values_room)
        return true;
    int64_t *values = realloc(h->values, trail->step_count * sizeof *values);
    if (!values)
        return false;
    h->values = values;
    h->values_room = trail->step_count;
    return true;
}

/* The value with this fault, as the container holds it. */
static bool value_with(hunt *h, const lb_trail *trail, const lb_fault *fault, int64_t *value)
{
    if (!make_room(h, trail) || !lb_replay(trail, fault, h->values, value))
        return false;
    *value = lb_x_wrap(*value, h->bits);
    return true;
}

/* `first`: index of the first step that the fault can change. */
static void try_fault(hunt *h, const lb_trail *trail, const lb_num_step *step, lb_fault fault, size_t first)
{
    int64_t value;
    fault.site = *step;
    fault.whole_window = h->whole_window;
    if (h->count == MAX_CANDIDATES || !lb_fault_fits(fault.kind, step) || now_seconds() > h->end)
        return;
    if (!lb_replay_from(trail, &fault, h->right, first, h->values, &value))
        return;
    if (lb_x_wrap(value, h->bits) == h->wanted)
        h->candidates[h->count++] = (lb_suspect){.fault = fault, .step = step};
}

/* Is this the first step of its site? */
static bool is_new_site(const lb_num_step *steps, size_t i)
{
    lb_fault fault = {.site = steps[i]};
    for (size_t k = i; k-- > 0;) {
        if (lb_fault_sits_in(&fault, &steps[k]))
            return false;
        if (steps[i].tap > 1 && steps[k].tap == 0)
            break; /* before the taps of a sum there is no tap of it */
    }
    return true;
}

/* Elements are what the case gives: only parameters, the geometry and a bias can be taken wrongly. */
static bool can_be_wrong(const lb_num_step *step)
{
    const lb_num_place *place = &step->place;
    return step->operation != LB_STEP_GIVEN || (place->kind != LB_NUM_ELEMENT && place->kind != LB_NUM_INTERMEDIATE) ||
           strcmp(place->name, "bias") == 0;
}

static void try_steps(hunt *h, const lb_trail *trail, const lb_num_step *steps, size_t count)
{
    for (size_t i = count; i-- > 0;) { /* the last steps are the likeliest */
        if (!can_be_wrong(&steps[i]) || !is_new_site(steps, i))
            continue;
        for (int kind = 1; kind < LB_FAULT_COUNT; kind++)
            try_fault(h, trail, &steps[i], (lb_fault){.kind = (lb_fault_kind)kind}, steps == trail->steps ? i : 0);
    }
}

/* In all rounding shifts at once, where there is more than one. */
static void try_all_shifts(hunt *h, const lb_trail *trail)
{
    static const lb_fault_kind kinds[] = {LB_FAULT_TRUNCATES, LB_FAULT_HALF_AWAY, LB_FAULT_TOWARDS_ZERO};
    const lb_num_step *last = NULL;
    size_t sites = 0, first = 0;
    for (size_t i = 0; i < trail->step_count; i++)
        if (trail->steps[i].operation == LB_STEP_RSH && is_new_site(trail->steps, i)) {
            last = &trail->steps[i];
            first = sites++ == 0 ? i : first;
        }
    for (size_t k = 0; sites > 1 && k < sizeof kinds / sizeof kinds[0]; k++)
        try_fault(h, trail, last, (lb_fault){.kind = kinds[k], .everywhere = true}, first);
}

/* Vector loops that leave something over at the end of a sum. */
static void try_missed_taps(hunt *h, const lb_trail *trail)
{
    for (size_t i = 0; i < trail->step_count; i++)
        if (trail->steps[i].operation == LB_STEP_MAC && trail->steps[i].tap > 0 && is_new_site(trail->steps, i))
            for (unsigned taps = 2; taps <= MAX_MISSED_TAPS; taps++)
                try_fault(h, trail, &trail->steps[i], (lb_fault){.kind = LB_FAULT_LAST_TAP, .taps = taps}, i);
}

/* ---- The same faults in other elements ---- */

/* How each candidate does on one element. */
static void try_element(hunt *h, size_t flat)
{
    lb_trail trail;
    int64_t wanted = 0, value;
    if (!lb_voice_value(h->scene, h->voice, h->role, flat, &wanted) || !lb_trail_make(&trail, h->scene, h->role, flat))
        return;
    bool wrong = differs(h->scene, h->voice, h->role, flat);
    for (unsigned i = 0; i < h->count; i++) {
        bool gives = trail.written && value_with(h, &trail, &h->candidates[i].fault, &value) && value == wanted;
        *(wrong ? &h->candidates[i].wrong : &h->candidates[i].right) += 1;
        *(wrong ? &h->candidates[i].explained : &h->candidates[i].left_right) += gives;
    }
    lb_trail_free(&trail);
}

/* Some of the wrong elements, from the first on, and as many of the right ones. */
static void try_elements(hunt *h)
{
    lb_layout layout = lb_scene_layout(h->scene, h->role);
    size_t count = lb_layout_count(&layout);
    for (int wrong = 1; wrong >= 0; wrong--)
        for (size_t flat = 0, tried = 0; flat < count && tried < MAX_SAMPLES && now_seconds() < h->end; flat++)
            if (flat != h->flat && differs(h->scene, h->voice, h->role, flat) == (wrong != 0)) {
                try_element(h, flat);
                tried++;
            }
}

/* How many of the elements tried a fault accounts for; among equals, the order in which they were found stays. */
static int by_merit(const void *a, const void *b)
{
    const lb_suspect *x = a, *y = b;
    unsigned merit_x = x->explained + x->left_right, merit_y = y->explained + y->left_right;
    if (merit_x != merit_y)
        return merit_x > merit_y ? -1 : 1;
    if (x->fault.everywhere != y->fault.everywhere)
        return x->fault.everywhere ? 1 : -1;
    if (x->fault.kind != y->fault.kind)
        return x->fault.kind < y->fault.kind ? -1 : 1;
    return x->step->number > y->step->number ? -1 : x->step->number < y->step->number;
}

/* ---- Other explanations ---- */

/* A profile in which the exact model gives all that the voice says. */
static const char *matching_profile(lb_scene *scene, lb_voice voice, lb_role role, double end)
{
    const char *name = NULL;
    lb_layout layout = lb_scene_layout(scene, role);
    size_t count = lb_layout_count(&layout), flat = 0;
    for (int p = 0; p < LB_PROFILE_COUNT && !name && now_seconds() < end; p++) {
        lb_context other = {.profile = &lb_profiles[p]};
        lb_scene_repeat(scene, &other);
        if (!lb_voice_first_difference(scene, voice, role, &flat) && count > 0)
            name = lb_profiles[p].name;
    }
    lb_context own = {.profile = scene->profile};
    lb_scene_repeat(scene, &own);
    return name;
}

static int64_t kernel_area(const lb_scene *scene)
{
    const lb_config *config = &scene->test_case->config;
    return (int64_t)config->kernel_height * config->kernel_width;
}

static void count_differences(lb_suspicion *s, const lb_scene *scene, lb_voice voice, lb_role role)
{
    lb_layout layout = lb_scene_layout(scene, role);
    s->elements = lb_layout_count(&layout);
    for (size_t flat = 0; flat < s->elements; flat++)
        s->differing += differs(scene, voice, role, flat);
}

/* Faults that give the value; a fault that leaves several taps out only where no simpler one does. */
static void find_candidates(hunt *h, const lb_trail *trail)
{
    int64_t right;
    if (!lb_replay(trail, NULL, h->right, &right))
        return;
    try_steps(h, trail, trail->steps, trail->step_count);
    try_steps(h, trail, trail->givens, trail->given_count);
    try_all_shifts(h, trail);
    if (h->count == 0)
        try_missed_taps(h, trail);
}

static void hunt_faults(lb_suspicion *s, hunt *h, const lb_trail *trail)
{
    find_candidates(h, trail);
    for (unsigned i = 0; i < h->count; i++)
        h->candidates[i].explained = h->candidates[i].wrong = 1;
    if (h->count > 0)
        try_elements(h);
    qsort(h->candidates, h->count, sizeof h->candidates[0], by_merit);
    s->looked = true;
    s->found = h->count;
    s->suspect_count = h->count < LB_MAX_SUSPECTS ? h->count : LB_MAX_SUSPECTS;
    memcpy(s->suspects, h->candidates, s->suspect_count * sizeof s->suspects[0]);
}

void lb_suspect_find(lb_suspicion *s, lb_scene *scene, lb_voice voice, lb_role role, size_t flat, const lb_trail *trail,
                     double seconds)
{
    double end = now_seconds() + seconds;
    *s = (lb_suspicion){.exact = lb_scene_value(scene, &scene->exact, role, flat)};
    lb_voice_value(scene, voice, role, flat, &s->value);
    count_differences(s, scene, voice, role);
    s->untouched = s->value == lb_scene_value_before(scene, role, flat);
    s->profile = matching_profile(scene, voice, role, end);
    if (!trail->written || trail->step_count > MAX_STEPS)
        return;
    hunt *h = calloc(1, sizeof *h);
    if (!h)
        return;
    *h = (hunt){.scene = scene, .voice = voice, .role = role, .flat = flat, .wanted = s->value};
    h->bits = (int)lb_scene_layout(scene, role).element_bytes * 8;
    h->whole_window = kernel_area(scene);
    h->end = end;
    h->right = calloc(trail->step_count + 1, sizeof *h->right);
    if (h->right && make_room(h, trail))
        hunt_faults(s, h, trail);
    free(h->right);
    free(h->values);
    free(h);
}

/* ---- Names ---- */

/* "zero-point terms" as "zero_point_terms". */
static void put_slug(lb_doc *doc, const char *text)
{
    for (const char *c = text; *c; c++) {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9');
        bool upper = *c >= 'A' && *c <= 'Z';
        if (plain || upper)
            lb_doc_char(doc, upper ? (char)(*c - 'A' + 'a') : *c);
        else if (doc->length > 0 && doc->text[doc->length - 1] != '_' && c[1])
            lb_doc_char(doc, '_');
    }
}

static void put_part(lb_doc *doc, const char *text)
{
    if (!text || !text[0])
        return;
    if (doc->length > 0)
        lb_doc_char(doc, '.');
    put_slug(doc, text);
}

const char *lb_suspect_name(const lb_suspect *suspect, lb_arena *arena)
{
    char text[200];
    lb_doc doc = lb_doc_in(text, sizeof text - 1);
    const lb_num_step *step = suspect->step;
    if (step->operation == LB_STEP_GIVEN) {
        const char *aspect = lb_fault_aspect(suspect->fault.kind, step);
        lb_doc_puts(&doc, step->place.kind == LB_NUM_GEOMETRY ? "" : step->place.name);
        if (step->place.kind == LB_NUM_GEOMETRY)
            put_part(&doc, step->place.name);
        else
            put_part(&doc, aspect[0] ? aspect : step->place.field);
    } else {
        put_part(&doc, step->block);
        put_part(&doc, step->term);
        put_part(&doc, step->part);
        put_part(&doc, lb_fault_aspect(suspect->fault.kind, step));
    }
    text[doc.length] = '\0';
    return lb_arena_strdup(arena, text);
}

const char *lb_suspicion_step(const lb_suspicion *s, lb_arena *arena)
{
    const lb_suspect *first = &s->suspects[0];
    bool accounts_for_all = first->explained == first->wrong && first->left_right == first->right;
    if (s->suspect_count > 0 && accounts_for_all)
        return lb_suspect_name(first, arena);
    if (s->profile)
        return "profile";
    return s->untouched ? "store" : "";
}
