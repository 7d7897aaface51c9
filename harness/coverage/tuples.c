/* Pairs and triples of field classes: see tuples.h. */
#include "harness/coverage/tuples.h"
#include "harness/base/xalloc.h"
#include "harness/call/model.h"
#include "harness/coverage/defined.h"

#include <stdlib.h>

/* 16 bits for each class, plus one so that none is 0. */
static uint64_t key_of(uint16_t a, uint16_t b, uint64_t third)
{
    return (uint64_t)(a + 1u) | (uint64_t)(b + 1u) << 16 | third << 32;
}

unsigned lb_tuple_ids(uint64_t key, uint16_t ids[3])
{
    for (unsigned i = 0; i < 3; i++)
        ids[i] = (uint16_t)((key >> (16 * i) & 0xFFFF) - 1);
    return key >> 32 ? 3 : 2;
}

static size_t place_of(const lb_tuples *set, uint64_t key)
{
    size_t at = (size_t)((key * 0x9E3779B97F4A7C15u) >> 20) & (set->room - 1);
    while (set->keys[at] && set->keys[at] != key)
        at = (at + 1) & (set->room - 1);
    return at;
}

bool lb_tuples_has(const lb_tuples *set, uint64_t key)
{
    return set->room > 0 && set->keys[place_of(set, key)] == key;
}

static void grow(lb_tuples *set)
{
    lb_tuples larger = {.count = set->count, .room = set->room ? set->room * 2 : 1024};
    larger.keys = lb_resized(NULL, larger.room * sizeof *larger.keys);
    for (size_t i = 0; i < larger.room; i++)
        larger.keys[i] = 0;
    for (size_t i = 0; i < set->room; i++)
        if (set->keys[i])
            larger.keys[place_of(&larger, set->keys[i])] = set->keys[i];
    free(set->keys);
    *set = larger;
}

static size_t look(lb_tuples *set, uint64_t key, bool keep)
{
    if (lb_tuples_has(set, key))
        return 0;
    if (!keep)
        return 1;
    if (set->count * 2 >= set->room)
        grow(set);
    set->keys[place_of(set, key)] = key;
    set->count++;
    return 1;
}

void lb_tuples_put(lb_tuples *set, uint64_t key)
{
    look(set, key, true);
}

/* Triples of one dimension: a fault of an index sits where its offset, step, extent and stride
 * meet. */
static bool is_of_one_dimension(const lb_field_item *a, const lb_field_item *b,
                                const lb_field_item *c)
{
    return a->dimension >= 0 && a->dimension == b->dimension && a->dimension == c->dimension;
}

size_t lb_tuples_look(lb_tuples *set, const lb_kernel *kernel, const lb_field_item *items,
                      size_t count, bool keep)
{
    const bool triples = lb_field_triples(kernel);
    size_t fresh = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++) {
            fresh += look(set, key_of(items[i].id, items[j].id, 0), keep);
            for (size_t k = j + 1; triples && k < count; k++)
                if (is_of_one_dimension(&items[i], &items[j], &items[k]))
                    fresh += look(set, key_of(items[i].id, items[j].id, items[k].id + 1u), keep);
        }
    return fresh;
}

void lb_tuples_free(lb_tuples *set)
{
    free(set->keys);
    *set = (lb_tuples){.count = 0};
}

static bool counts_in(const lb_profile *profile, const lb_case *c, lb_arena *arena)
{
    lb_watch watch = {0};
    const lb_context context = {.profile = profile, .watch = &watch};
    const lb_ran ran = lb_model_call(&context, lb_instance_of(c, arena));
    return ran.computed && watch.persistent == 0 && watch.transient == 0;
}

bool lb_tuples_case_counts(const lb_case *c)
{
    lb_arena arena = {0};
    const lb_kernel_set *set = lb_cover_set_of(c);
    bool counts = c->kernel && c->kernel->exact && lb_cover_is_defined(c);
    for (unsigned i = 0; counts && i < set->profile_count; i++)
        counts = counts_in(&set->profiles[i], c, &arena);
    lb_arena_free(&arena);
    return counts;
}
