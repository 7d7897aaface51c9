/* Inside the table of coverpoints: its parts, one file each, and what they share. See
 * coverpoints.h. */
#ifndef LB_HARNESS_COVERAGE_CLASS_H
#define LB_HARNESS_COVERAGE_CLASS_H

#include "harness/coverage/coverpoints.h"

/* The groups of a function as they are gathered. */
typedef struct lb_cover_list {
    const lb_kernel *kernel;
    lb_cover_group *groups;
    size_t count;
} lb_cover_list;

/* Appends a group. More than LB_MAX_COVER_GROUPS are left out (tests/test_coverpoints.c sees that
 * there are never so many). */
void lb_cover_add(lb_cover_list *list, lb_cover_group group);

/* Where the numbers of a point go: anywhere, from one on, up to one. */
#define LB_COVER_ANY          INT64_MIN, INT64_MAX
#define LB_COVER_ABOVE(LEAST) LEAST, INT64_MAX
#define LB_COVER_BELOW(MOST)  INT64_MIN, MOST
/* A point that is held to no end: its name, and from where to where numbers go. */
#define LB_POINT(...) LB_POINT_OF(__VA_ARGS__)
#define LB_POINT_OF(NAME, LOW, HIGH)                                                               \
    {                                                                                              \
        .name = (NAME), .low = (LOW), .high = (HIGH)                                               \
    }
/* A point without a name of its own: what the group says is 1. */
extern const lb_cover_point lb_cover_yes[];

/* The parts, in the order of the names. */
void lb_cover_status(lb_cover_list *list);
void lb_cover_config(lb_cover_list *list);
void lb_cover_call(lb_cover_list *list);
void lb_cover_quant(lb_cover_list *list);
void lb_cover_numbers(lb_cover_list *list);
void lb_cover_value(lb_cover_list *list);
void lb_cover_computed(lb_cover_list *list);
void lb_cover_meetings(lb_cover_list *list);
/* Those that follow from what describes a function: its map, its signature, the places of its
 * steps; of functions whose steps are listed. */
void lb_cover_described(lb_cover_list *list);
void lb_cover_places(lb_cover_list *list);
/* Why no window lies outside of its input as a whole; NULL: one may. */
const char *lb_cover_window_is_never_empty(const lb_kernel *kernel);
/* Which ends the elements of a role hold: lowest, zero, highest. */
void lb_cover_add_ends(lb_cover_list *list, lb_role role, bool result, const lb_step_place *place);

/* Sets of families, one bit each; of those of a pattern; and as far as they have an axis. */
typedef uint64_t lb_family_set;
#define LB_IN_FAMILY(name)  ((lb_family_set)1 << LB_FAMILY_##name)
#define LB_OF_PATTERN(name) ((lb_family_set)1 << (LB_FAMILY_COUNT_OF_ALL + LB_PATTERN_##name))
#define LB_WITH_AXIS        ((lb_family_set)1 << (LB_FAMILY_COUNT_OF_ALL + LB_PATTERN_COUNT))
_Static_assert(LB_FAMILY_COUNT_OF_ALL + LB_PATTERN_COUNT < 64, "a set has 64 bits");
#define LB_CONVOLUTIONS LB_OF_PATTERN(CONVOLUTION)
#define LB_WEIGHTED     (LB_CONVOLUTIONS | LB_OF_PATTERN(DENSE))
#define LB_CELLS        LB_OF_PATTERN(CELL)
#define LB_POOLS        LB_OF_PATTERN(POOL)
#define LB_SLOPED       LB_OF_PATTERN(SLOPES)
#define LB_ACTIVATED    LB_OF_PATTERN(CURVE)
#define LB_NORMALIZED   LB_OF_PATTERN(GROUP)
/* Out has the shape of in. */
#define LB_LIKE_INPUT (LB_OF_PATTERN(LIMITS) | LB_SLOPED | LB_ACTIVATED | LB_NORMALIZED)
#define LB_MAPS       (LB_CONVOLUTIONS | LB_POOLS) /* rows, columns and channels */
#define LB_FLAT                                                                                    \
    (LB_LIKE_INPUT | LB_OF_PATTERN(SLICES) | LB_OF_PATTERN(ORDER) |                                \
     LB_OF_PATTERN(CONVERSION)) /* one input of any rank */
#define LB_BIT(condition, bit) ((uint64_t)((condition) ? 1 : 0) << (bit))

bool lb_cover_in(const lb_kernel *kernel, lb_family_set families);

/* The tensor of a role in the arguments; of a list, entry `i`. NULL: there is none. */
const lb_tensor *lb_cover_tensor(const lb_call *call, int role, unsigned i);
/* The same of what is observed: as the call found it, the first of a list. */
static inline const lb_tensor *lb_cover_role(const lb_observation *o, lb_role role)
{
    return lb_cover_tensor(o->before, (int)role, 0);
}
/* Whether the function has the role. */
bool lb_cover_has(const lb_kernel *kernel, lb_role role);

#endif
