/* Coverpoints: named behaviours of every function, each with the rule of the spec that it comes
 * from, so that suites can be asked what they reach. A point is reached by a call of the exact
 * model; nothing here looks at a port.
 *
 * Points stand in groups: a group looks at a call once and says which of its points the call
 * reaches. The names of a group's class, of its instance and of its point, joined by dots, are the
 * name of a point: "stride_width.2", "zero_point.in.lowest",
 * "status.weights.tensor.not_enough_mem". Which groups a function has follows from the table of
 * functions (kernels.h): its configuration fields, roles, element types and rules. A new field or
 * rule has points without a line here.
 *
 * This room allocates nothing: who counts keeps one byte for each point. */
#ifndef LB_HARNESS_COVERAGE_COVERPOINTS_H
#define LB_HARNESS_COVERAGE_COVERPOINTS_H

#include "harness/coverage/seen.h"
#include "reference/describe/kernels.h"
#include "reference/describe/leaf.h"

/* Which ends the operands of a role hold: the same in all profiles, and some hold millions. */
typedef struct lb_cover_ends {
    uint64_t hit[LB_ROLE_COUNT];
    bool known[LB_ROLE_COUNT];
} lb_cover_ends;

/* One call of the exact model. */
typedef struct lb_observation {
    const lb_kernel *kernel;
    const lb_profile *profile;
    const lb_call *before;   /* the arguments, untouched */
    const lb_call *after;    /* the call that the model has worked on: statuses, outputs */
    const lb_rule *violated; /* the first violated rule; NULL: all passed */
    const lb_watch *watch;   /* of this call alone; may be NULL */
    const lb_seen *seen;     /* of its steps; NULL: nobody listened */
    lb_cover_ends *ends;     /* kept from call to call of the same arguments; NULL: nothing is */
} lb_observation;

enum { LB_MAX_GROUP_POINTS = 64, LB_MAX_COVER_GROUPS = 256, LB_COVERPOINT_BYTES = 128 };

/* A point of a group: a number that the call has lies from `low` to `high`. Where the point is held
 * to it, the number's distance from its end, such as an extent, lies from `from` to `to` too. */
typedef struct lb_cover_point {
    const char *name;
    int64_t low, high;
    bool is_held;
    int64_t from, to;
} lb_cover_point;

/* Numbers that a call has of one kind, those of a list of scales, or of the windows of a map, are
 * many; and the points that they reach. */
typedef struct lb_cover_values {
    uint64_t hit;
    uint64_t asked; /* points that nobody asks for need not be told */
    size_t count;   /* of groups without names */
    int64_t items[LB_MAX_GROUP_POINTS];
} lb_cover_values;

typedef struct lb_cover_group lb_cover_group;
#define LB_TELLS(name)                                                                             \
    void name(const lb_observation *o, const lb_cover_group *group, lb_cover_values *values)
struct lb_cover_group {
    const char *class_name; /* "stride_width", "zero_point", "status" ... */
    const char *instance;   /* role, dimension, rule ...; "" if the class has one instance */
    const char *spec;       /* the rule */
    /* Ended by one without a name; at most LB_MAX_GROUP_POINTS. NULL: the numbers from `first` on,
     * `limit` of them. */
    const lb_cover_point *points;
    /* Says the call's numbers (lb_cover_say); NULL: `observe` gives bits, of point i bit i. */
    LB_TELLS((*tell));
    uint64_t (*observe)(const lb_observation *o, const lb_cover_group *group);
    /* Makes of the configuration one in which the number decides nothing; NULL: any other number
     * does. */
    void (*take_away)(lb_config *config);
    uint32_t aimed_extent; /* that a made-up case needs at least; 0: chance reaches the point */
    int first;
    unsigned limit;
    bool of_steps;   /* looks at what the listener to the steps has seen */
    bool of_refused; /* looks at calls that were refused too; else only at those that computed */
    /* What the instance is, for `tell` and `observe`. */
    int id;
    int detail;
    /* Whose number `tell` says, or that of each of a list; of no kind: it does not say. And the
     * range that the checks leave it (lb_cover_add). */
    lb_leaf leaf;
    lb_leaf_range left;
    const lb_step_place *place; /* of steps; NULL: the instance says it */
    /* Why no call reaches the point, as the description of the function has it; NULL: it does not
     * say. */
    const char *(*unreachable)(const lb_kernel *kernel, const lb_cover_group *group, unsigned point,
                               int profile);
};

/* Is there a point for each number, which a search can aim at? */
static inline bool lb_cover_is_of_numbers(const lb_cover_group *group)
{
    return !group->points && group->tell;
}

/* The call has this number, which ends at `end`. */
void lb_cover_say(const lb_cover_group *group, lb_cover_values *values, int64_t number,
                  int64_t end);

/* The groups of a function, in a fixed order; gives their number. */
size_t lb_cover_groups(const lb_kernel *kernel, lb_cover_group groups[LB_MAX_COVER_GROUPS]);

/* Number of points of a group. */
unsigned lb_cover_points(const lb_cover_group *group);
/* Writes the name of a point. */
void lb_cover_name(const lb_cover_group *group, unsigned point, char name[LB_COVERPOINT_BYTES]);
/* Why no call can reach the point (a sentence), in each built-in profile; NULL: it is reachable. */
void lb_cover_unreachable(const lb_kernel *kernel, const lb_cover_group *group, unsigned point,
                          const char *why[LB_PROFILE_COUNT]);

/* Which of the points that are asked for the group sees in a call; 0 where the call is none of its
 * business. */
uint64_t lb_cover_observe(const lb_observation *o, const lb_cover_group *group, uint64_t asked);

/* ---- The reasons, as a table: for whoever lists or tests it ---- */

/* Patterns with * for any text, and | between alternatives. */
typedef struct lb_cover_exception {
    unsigned profiles;     /* that cannot reach them, bit p: lb_profiles[p] */
    const char *functions; /* of the public name, without "mli_krn_", "mli_hlp_", "mli_" */
    const char *points;
    const char *why;
} lb_cover_exception;

extern const lb_cover_exception lb_cover_exceptions[];
extern const size_t lb_cover_exception_count;

bool lb_cover_matches(const char *pattern, const char *text);

#endif
