/* Memory outside arenas, for arrays that grow. Exhausted memory ends the process: message on
 * standard error, exit status 3. */
#ifndef LB_HARNESS_BASE_XALLOC_H
#define LB_HARNESS_BASE_XALLOC_H

#include <stddef.h>

_Noreturn void lb_out_of_memory(size_t bytes);
/* Called before that end, in a process that must tell another why it ends; NULL: in none. */
extern void (*lb_out_of_memory_hook)(void);
/* realloc that never gives NULL. */
void *lb_resized(void *memory, size_t bytes);
/* So many elements of zeros; a copy of a text. They never give NULL either. */
void *lb_zeroed(size_t count, size_t each_bytes);
char *lb_text_copy(const char *text);
/* Bytes of zeros that this process and its children share; to be given back with their number. */
void *lb_zeroed_shared(size_t bytes);
void lb_shared_give_back(void *memory, size_t bytes);
/* The array, with room for element number `count`; it doubles where it is full. */
void *lb_room_for_one(void *array, size_t count, size_t *capacity, size_t each_bytes);
/* Room at a place of a list in order that holds at most so many: what stands there moves on, the
 * last one falls off. NULL: that place is behind its end. */
void *lb_room_at(void *list, size_t each_bytes, size_t *count, size_t most, size_t place);

#endif
