/* Which faults of steps act in a case, told by one run of the exact model for all of them: see
 * lb_fault_screen. Up to the first step that a fault changes its run is the exact model's own, so
 * listening to that tells whether there is such a step. */
#include "harness/base/xalloc.h"
#include "harness/faults/step_run.h"

#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 512 };
static const uint32_t NONE = UINT32_MAX;

/* Steps from one place of the model's code, and the faults in it that have not acted so far. */
typedef struct spot {
    lb_num_step site;
    uint32_t next; /* in the bucket */
    uint32_t *faults;
    uint32_t count;
} spot;

/* Faults that sit in the same steps, whatever they do there: they are looked for once. */
typedef struct group {
    uint32_t first; /* fault; the others follow through `follow` */
    uint32_t next;  /* in the bucket */
} group;

typedef struct screening {
    const lb_fault_list *list;
    group *groups;
    uint32_t group_count;
    uint32_t *follow; /* of each fault the next one of its group */
    bool *acts;
    int64_t *carry; /* of each fault */
    struct lb_kept_sums **sums;
    lb_fault_run run;
    spot *spots;
    size_t spot_count, spot_room;
    uint32_t buckets[BUCKETS];
    lb_arena *arena;
} screening;

static uint32_t mix(uint32_t h, uint32_t number)
{
    return (h ^ number) * 16777619u;
}

/* The same for steps that lb_fault_same_site finds alike. */
static uint32_t bucket_of(const lb_num_step *step)
{
    uint32_t h = 2166136261u ^ (uint32_t)step->operation;
    if (step->operation == LB_STEP_GIVEN)
        return mix(mix(h, step->place.field), step->place.owner) % BUCKETS;
    return mix(mix(h, step->site), step->block) % BUCKETS;
}

static bool is_of_steps(const lb_fault *f)
{
    return f->kind->group == LB_FAULTS_STEP && f->site;
}

static bool sit_alike(const lb_fault *a, const lb_fault *b)
{
    bool own_way = a->kind->sits || b->kind->sits || a->kind->whole_part || b->kind->whole_part;
    return a->site == b->site && a->second_site == b->second_site &&
           a->all_blocks == b->all_blocks && a->all_parts == b->all_parts &&
           a->everywhere == b->everywhere && (!own_way || a->kind == b->kind);
}

static uint32_t bucket_of_fault(const lb_fault *f)
{
    uintptr_t h = (uintptr_t)f->site / sizeof *f->site;
    h = h * 31 + (uintptr_t)f->second_site / sizeof *f->site;
    return (uint32_t)(h * 8 + f->all_blocks + 2u * f->all_parts + 4u * f->everywhere) % BUCKETS;
}

static void group_faults(screening *s, const bool *wanted)
{
    uint32_t buckets[BUCKETS];
    const lb_fault_list *list = s->list;
    memset(buckets, 0xFF, sizeof buckets);
    s->groups = lb_arena_array(s->arena, list->count + 1, sizeof *s->groups);
    s->follow = lb_arena_array(s->arena, list->count + 1, sizeof *s->follow);
    for (uint32_t f = 0; f < list->count; f++) {
        const lb_fault *fault = &list->items[f];
        if (!wanted[f] || !is_of_steps(fault))
            continue;
        uint32_t bucket = bucket_of_fault(fault), at = buckets[bucket];
        while (at != NONE && !sit_alike(&list->items[s->groups[at].first], fault))
            at = s->groups[at].next;
        if (at == NONE) {
            at = s->group_count++;
            s->groups[at] = (group){.first = NONE, .next = buckets[bucket]};
            buckets[bucket] = at;
        }
        s->follow[f] = s->groups[at].first;
        s->groups[at].first = f;
    }
}

/* The faults that sit in the step and have not acted so far; to: NULL: they are counted alone. */
static uint32_t faults_in(const screening *s, const lb_num_step *step, uint32_t *to)
{
    uint32_t count = 0;
    for (uint32_t g = 0; g < s->group_count; g++)
        if (lb_fault_sits_in(&s->list->items[s->groups[g].first], step))
            for (uint32_t f = s->groups[g].first; f != NONE; f = s->follow[f])
                if (!s->acts[f]) {
                    if (to)
                        to[count] = f;
                    count++;
                }
    return count;
}

static uint32_t new_spot(screening *s, const lb_num_step *step, uint32_t bucket)
{
    s->spots = lb_room_for_one(s->spots, s->spot_count, &s->spot_room, sizeof *s->spots);
    spot *p = &s->spots[s->spot_count];
    *p = (spot){.site = *step, .next = s->buckets[bucket]};
    p->faults = lb_arena_array(s->arena, faults_in(s, step, NULL) + 1u, sizeof *p->faults);
    p->count = faults_in(s, step, p->faults);
    return s->buckets[bucket] = (uint32_t)s->spot_count++;
}

static spot *spot_of(screening *s, const lb_num_step *step)
{
    uint32_t bucket = bucket_of(step), at = s->buckets[bucket];
    while (at != NONE && !lb_fault_same_site(&s->spots[at].site, step, false))
        at = s->spots[at].next;
    if (at == NONE)
        at = new_spot(s, step, bucket); /* moves the spots */
    return &s->spots[at];
}

static int64_t look(void *user, const lb_num_step *step)
{
    screening *s = user;
    spot *p = spot_of(s, step);
    s->run.left = lb_fault_taps_left(s->run.counts, step);
    for (uint32_t i = 0; i < p->count;) {
        uint32_t f = p->faults[i];
        s->run.fault = &s->list->items[f];
        s->run.carry = &s->carry[f];
        s->run.sums = &s->sums[f];
        s->acts[f] = s->acts[f] || s->run.fault->kind->takes_other ||
                     s->run.fault->kind->alter(&s->run, step) != step->result;
        if (s->acts[f])
            p->faults[i] = p->faults[--p->count];
        else
            i++;
    }
    return step->result;
}

bool lb_fault_screen(lb_fault_bench *bench, const lb_fault_list *list, const bool *wanted,
                     bool *acts)
{
    lb_arena arena = {0};
    memset(acts, 0, list->count * sizeof *acts);
    if (!bench->computed)
        return true; /* no step, no fault in it */
    if (!lb_fault_bench_count(bench))
        return false;
    lb_fault_bench_reset(bench);
    screening s = {.list = list,
                   .acts = acts,
                   .arena = &arena,
                   .carry = lb_arena_array(&arena, list->count + 1, sizeof(int64_t)),
                   .sums = lb_arena_array(&arena, list->count + 1, sizeof *s.sums)};
    s.run = (lb_fault_run){.profile = bench->profile,
                           .test_case = bench->test_case,
                           .before = &bench->before,
                           .right = &bench->right,
                           .out = &bench->out,
                           .arena = &arena,
                           .counts = bench->counts};
    memset(s.buckets, 0xFF, sizeof s.buckets);
    group_faults(&s, wanted);
    lb_steps listener = {.role = LB_ROLE_OUT, .element = LB_STEPS_EVERY, .user = &s, .alter = look};
    lb_context context = {.profile = bench->profile, .steps = &listener};
    lb_model_exact(&context, &bench->out.call);
    free(s.spots);
    lb_arena_free(&arena);
    return true;
}
