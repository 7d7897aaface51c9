/* Strings numbered in the order of their first appearance: a hash table with open addressing over
 * copies. */
#include "names.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 64 };

/* FNV-1a, 64 bits. */
static uint64_t hash_text(const char *text)
{
    uint64_t hash = 14695981039346656037u;
    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * 1099511628211u;
    return hash;
}

/* The slot of a string: where it stands, or the empty one where it would stand. */
static size_t find_slot(const lb_names *names, const char *text)
{
    size_t mask = names->slot_count - 1;
    size_t slot = (size_t)hash_text(text) & mask;
    while (names->slots[slot] != 0 && strcmp(names->list[names->slots[slot] - 1], text) != 0)
        slot = (slot + 1) & mask;
    return slot;
}

/* Doubles the table before it is more than half full. */
static bool make_room(lb_names *names)
{
    if (names->count * 2 < names->slot_count)
        return true;
    size_t slot_count = names->slot_count == 0 ? FIRST_SLOTS : names->slot_count * 2;
    size_t *slots = calloc(slot_count, sizeof *slots);
    char **list = realloc(names->list, slot_count / 2 * sizeof *list);
    if (list)
        names->list = list;
    if (!slots || !list) {
        free(slots);
        return false;
    }
    free(names->slots);
    names->slots = slots;
    names->slot_count = slot_count;
    for (size_t i = 0; i < names->count; i++)
        slots[find_slot(names, names->list[i])] = i + 1;
    return true;
}

size_t lb_names_add(lb_names *names, const char *text)
{
    if (!make_room(names))
        return LB_NO_NAME;
    size_t slot = find_slot(names, text);
    if (names->slots[slot] == 0) {
        size_t bytes = strlen(text) + 1;
        char *copy = malloc(bytes);
        if (!copy)
            return LB_NO_NAME;
        memcpy(copy, text, bytes);
        names->list[names->count++] = copy;
        names->slots[slot] = names->count;
    }
    return names->slots[slot] - 1;
}

size_t lb_names_find(const lb_names *names, const char *text)
{
    if (names->count == 0)
        return LB_NO_NAME;
    size_t slot = find_slot(names, text);
    return names->slots[slot] == 0 ? LB_NO_NAME : names->slots[slot] - 1;
}

void lb_names_free(lb_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->list[i]);
    free(names->list);
    free(names->slots);
    *names = (lb_names){0};
}
