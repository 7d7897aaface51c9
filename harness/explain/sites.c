/* Sites of steps: see sites.h. */
#include "harness/explain/sites.h"

#include <stdlib.h>

bool lb_same_site(const lb_num_step *a, const lb_num_step *b, bool shared)
{
    return a->operation == b->operation && a->words == b->words && a->part == b->part &&
           (shared || (a->block == b->block && a->term == b->term));
}

static size_t mixed(size_t hash, size_t value)
{
    return (hash ^ value) * (size_t)0x9E3779B97F4A7C15;
}

static size_t hash_of(const lb_num_step *step, bool shared)
{
    size_t hash = mixed(mixed((size_t)step->operation, (size_t)step->words), (size_t)step->part);
    hash = shared ? hash : mixed(mixed(hash, (size_t)step->block), (size_t)step->term);
    return hash ^ hash >> 29;
}

/* Sites found so far, by hash: number + 1, or 0. */
typedef struct finder {
    uint32_t *slots;
    size_t mask;
    const lb_num_step *steps;
    uint32_t *first;
    uint32_t count;
    bool shared;
} finder;

static uint32_t site_of(finder *f, size_t i)
{
    size_t at = hash_of(&f->steps[i], f->shared) & f->mask;
    while (f->slots[at] &&
           !lb_same_site(&f->steps[f->first[f->slots[at] - 1]], &f->steps[i], f->shared))
        at = (at + 1) & f->mask;
    if (!f->slots[at]) {
        f->first[f->count] = (uint32_t)i;
        f->slots[at] = ++f->count;
    }
    return f->slots[at] - 1;
}

static bool find_sites(lb_sites *sites, const lb_num_step *steps, size_t count, bool shared)
{
    size_t room = 64;
    while (room < count * 2)
        room *= 2;
    finder f = {.mask = room - 1, .steps = steps, .shared = shared};
    f.first = shared ? sites->shared_first : sites->first;
    f.slots = calloc(room, sizeof *f.slots);
    for (size_t i = 0; f.slots && i < count; i++)
        *(shared ? &sites->steps[i].shared : &sites->steps[i].site) = site_of(&f, i);
    *(shared ? &sites->shared_count : &sites->count) = f.count;
    free(f.slots);
    return f.slots != NULL;
}

bool lb_sites_make(lb_sites *sites, const lb_num_step *steps, size_t count)
{
    *sites = (lb_sites){.steps = calloc(count + 1, sizeof *sites->steps),
                        .first = calloc(count + 1, sizeof *sites->first),
                        .shared_first = calloc(count + 1, sizeof *sites->shared_first)};
    bool good = sites->steps && sites->first && sites->shared_first;
    for (size_t i = 0; good && i < count; i++) {
        sites->steps[i].operation = (uint8_t)steps[i].operation;
        for (unsigned k = 0; k < steps[i].operand_count; k++)
            sites->steps[i].source[k] = steps[i].operand[k].step;
    }
    good = good && find_sites(sites, steps, count, false) && find_sites(sites, steps, count, true);
    if (!good)
        lb_sites_free(sites);
    return good;
}

void lb_sites_free(lb_sites *sites)
{
    free(sites->steps);
    free(sites->first);
    free(sites->shared_first);
    *sites = (lb_sites){0};
}
