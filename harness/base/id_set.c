/* A set of ids by hash: see id_set.h. */
#include "harness/base/id_set.h"
#include "harness/base/xalloc.h"

#include <stdlib.h>
#include <string.h>

/* FNV-1a, and a finalizer because its low bits alone choose the slot. */
static uint64_t hash_of(const char *id)
{
    uint64_t hash = 0xCBF29CE484222325u;
    for (; *id; id++)
        hash = (hash ^ (unsigned char)*id) * 0x100000001B3u;
    hash = (hash ^ (hash >> 32)) * 0xD6E8FEB86659FD93u;
    return hash ^ (hash >> 32);
}

static void insert(lb_id_set *set, size_t number)
{
    size_t mask = set->slot_count - 1;
    size_t at = (size_t)set->hashes[number] & mask;
    while (set->slots[at])
        at = (at + 1) & mask;
    set->slots[at] = (uint32_t)number + 1;
    set->slots_used++;
}

/* Keeps at least half of the slots free. */
static void make_room(lb_id_set *set)
{
    if (set->slots_used * 2 < set->slot_count)
        return;
    size_t old_count = set->slot_count;
    uint32_t *old = set->slots;
    set->slot_count = old_count ? old_count * 2 : 1024;
    set->slots = lb_resized(NULL, set->slot_count * sizeof *set->slots);
    memset(set->slots, 0, set->slot_count * sizeof *set->slots);
    set->slots_used = 0;
    for (size_t i = 0; i < old_count; i++)
        if (old[i])
            insert(set, old[i] - 1);
    free(old);
}

static bool find(const lb_id_set *set, uint64_t hash, const char *id, lb_id_is_same is_same,
                 void *user, size_t *number)
{
    size_t mask = set->slot_count - 1;
    for (size_t at = (size_t)hash & mask; set->slots[at]; at = (at + 1) & mask) {
        *number = set->slots[at] - 1;
        if (set->hashes[*number] == hash && is_same(user, *number, id))
            return true;
    }
    return false;
}

bool lb_id_set_find(const lb_id_set *set, const char *id, lb_id_is_same is_same, void *user,
                    size_t *number)
{
    return set->slot_count > 0 && find(set, hash_of(id), id, is_same, user, number);
}

bool lb_id_set_add(lb_id_set *set, const char *id, lb_id_is_same is_same, void *user,
                   size_t *earlier)
{
    set->hashes = lb_room_for_one(set->hashes, set->count, &set->capacity, sizeof *set->hashes);
    uint64_t hash = id ? hash_of(id) : 0;
    size_t number;
    set->hashes[set->count++] = hash;
    if (!id)
        return true;
    make_room(set);
    if (find(set, hash, id, is_same, user, &number)) {
        *earlier = number;
        return false;
    }
    insert(set, set->count - 1);
    return true;
}

void lb_id_set_take_back(lb_id_set *set)
{
    set->count--;
}

void lb_id_set_free(lb_id_set *set)
{
    free(set->hashes);
    free(set->slots);
    *set = (lb_id_set){0};
}
