/* Which coverpoints have been reached, in which profile: one byte for each point of each function
 * and built-in profile, in memory that worker processes share. A point in a profile is a spot. */
#ifndef LB_HARNESS_COVERAGE_MAP_H
#define LB_HARNESS_COVERAGE_MAP_H

#include "harness/coverage/coverpoints.h"

/* What is known of a group's points, bit i of point i, by profile. */
typedef struct lb_cover_left {
    unsigned count;
    unsigned is_known;                      /* bit p: whether they can be reached has been asked */
    uint64_t unreachable[LB_PROFILE_COUNT]; /* where that has been asked */
    uint64_t reached[LB_PROFILE_COUNT];     /* at the last look */
} lb_cover_left;

/* A function's points are numbered first_point ... in the order of its groups. */
typedef struct lb_cover_function {
    const lb_kernel *kernel;
    size_t group_count;
    lb_cover_group *groups;
    size_t *group_first; /* number of each group's first point */
    size_t first_point, point_count;
    /* Why nothing reaches them, of each point by profile; "": it can be reached; NULL: nobody has
     * asked yet. */
    const char **why;
    lb_cover_left *left; /* of each group */
} lb_cover_function;

typedef struct lb_cover_map {
    lb_cover_function *functions; /* by lb_kernel_number */
    size_t point_count;
    bool only_reachable;    /* nobody looks for points that are said to be unreachable: that is
                               asked by "vectors coverage" */
    unsigned profiles;      /* those in which points count: a bit each, lb_cover_bit */
    unsigned char *reached; /* shared memory: by spot */
} lb_cover_map;

/* The bit of a set's built-in profile by its number. */
static inline unsigned lb_cover_bit(lb_set set, int profile)
{
    return 1u << ((int)set * LB_PROFILE_COUNT + profile);
}
/* Do the function's points count in the built-in profile of its set? */
static inline bool lb_cover_counts_in(const lb_cover_map *map, const lb_kernel *kernel, int profile)
{
    return (map->profiles & lb_cover_bit(kernel->set, profile)) != 0;
}

/* `profiles`: those whose points count, as such bits. */
lb_cover_map *lb_cover_map_new(unsigned profiles);
/* The numerics of these profiles as such a set. */
unsigned lb_cover_profiles(const lb_profile *const *profiles, size_t count);
void lb_cover_map_free(lb_cover_map *map);

/* Point number `point` in a built-in profile, and back. */
size_t lb_cover_spot(const lb_cover_map *map, int profile, size_t point);
size_t lb_cover_spot_point(const lb_cover_map *map, size_t spot);

/* Spots that the call reaches and that have not been reached before; gives how many, at most
 * `room`. Nothing is kept yet: whoever must write them down first can. */
size_t lb_cover_map_look(const lb_cover_map *map, const lb_observation *o, size_t *fresh,
                         size_t room);
void lb_cover_map_keep(lb_cover_map *map, const size_t *spots, size_t count);

/* Does the function have points that only its steps can show, and that have not been reached in the
 * profile? Listening to them costs time. */
bool lb_cover_map_wants_steps(const lb_cover_map *map, const lb_kernel *kernel,
                              const lb_profile *profile);

/* ---- As a line of a journal: {"coverage":{"FUNCTION":["POINT",...]},"profile":"up-full"} ---- */

enum { LB_COVER_LINE_POINTS = 256 }; /* points in a line, at most */

/* Writes the line of spots of one profile, without a newline; gives its length.
 * LB_COVER_LINE_POINTS points fit into 65536 bytes. */
size_t lb_cover_map_line(const lb_cover_map *map, const lb_kernel *kernel, const size_t *spots,
                         size_t count, char *line, size_t line_bytes);
/* Keeps what the line names; functions and points that the table does not have are passed over.
 * False: it is no such line. */
bool lb_cover_map_read(lb_cover_map *map, const char *line, size_t length);

/* The row of a function. */
const lb_cover_function *lb_cover_map_function(const lb_cover_map *map, const lb_kernel *kernel);
/* Group and place in the group of a function's point. */
const lb_cover_group *lb_cover_map_group(const lb_cover_function *function, size_t point,
                                         unsigned *place);
void lb_cover_map_name(const lb_cover_function *function, size_t point,
                       char name[LB_COVERPOINT_BYTES]);
/* The name of a point with its profile: "value.requantize.tie_up_positive [up-full]". */
enum { LB_COVER_SPOT_BYTES = LB_COVERPOINT_BYTES + 32 };
void lb_cover_spot_name(const lb_cover_map *map, const lb_cover_function *function, size_t spot,
                        char name[LB_COVER_SPOT_BYTES]);

/* ---- Figures ---- */

/* State of a spot. Whether it counts follows from the table alone, never from what was reached: a
 * point that the table calls unreachable and that was reached is contradicted, an error of ours. */
typedef enum lb_cover_state {
    LB_COVER_MISSED,
    LB_COVER_REACHED,
    LB_COVER_UNREACHABLE,
    LB_COVER_CONTRADICTED
} lb_cover_state;
lb_cover_state lb_cover_map_state(const lb_cover_map *map, const lb_cover_function *function,
                                  size_t spot, const char **why);

/* Steps through a function's spots that were not reached in the profiles that count: `at` is 0 at
 * the beginning. False: there are no more. `state` and `why` as above, and its name with the
 * profile.
 */
bool lb_cover_next_rest(const lb_cover_map *map, const lb_cover_function *function, size_t *at,
                        char name[LB_COVER_SPOT_BYTES], lb_cover_state *state, const char **why);

/* Each spot counts: a point counts once for every profile. */
typedef struct lb_cover_figures {
    size_t points; /* that can be reached */
    size_t hit, missed, unreachable;
    size_t contradicted; /* of the unreachable ones */
} lb_cover_figures;
/* Has any point of the function been reached? */
bool lb_cover_is_called(const lb_cover_map *map, const lb_cover_function *function);
/* Takes out of `wanted` (by function) those of which nothing has been reached: no case calls them.
 */
void lb_cover_keep_called(const lb_cover_map *map, bool *wanted);
lb_cover_figures lb_cover_map_figures(const lb_cover_map *map, const lb_cover_function *function);

#endif
