/* Ids seen so far, told apart by a hash each: a million ids take some 16 MB, however long they are.
 */
#ifndef LB_HARNESS_BASE_ID_SET_H
#define LB_HARNESS_BASE_ID_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct lb_id_set {
    uint64_t *hashes; /* of id 0, 1, 2 ... */
    size_t count, capacity;
    uint32_t *slots; /* open addressing: number of an id plus 1; 0: free */
    size_t slot_count, slots_used;
} lb_id_set;

/* Is id number `earlier` really this one? Asked when the hashes agree. */
typedef bool (*lb_id_is_same)(void *user, size_t earlier, const char *id);

/* Adds the next id (NULL: a number without an id). False if it is there already; *earlier is the
 * number it has. */
bool lb_id_set_add(lb_id_set *set, const char *id, lb_id_is_same is_same, void *user,
                   size_t *earlier);
/* Is the id there? Then *number is its number. */
bool lb_id_set_find(const lb_id_set *set, const char *id, lb_id_is_same is_same, void *user,
                    size_t *number);
/* Takes back the id that was added last and was there already: the next has its number. */
void lb_id_set_take_back(lb_id_set *set);
void lb_id_set_free(lb_id_set *set);

#endif
