/* Which element of an operand an output is made of, or which input met which weight there, on the
 * port and as it should be: what is the matter with it, in words. */
#ifndef LB_HARNESS_DIAGNOSE_INDEX_MAP_H
#define LB_HARNESS_DIAGNOSE_INDEX_MAP_H

#include "harness/suite/case.h"
#include "reference/describe/map_walk.h"

/* An index as a * output + b * weight + c, and as a formula of labels. */
typedef struct lb_index_form {
    bool is_linear;
    int64_t a, b, c;
    const char *formula; /* "row * stride_height - padding_top + kernel row * dilation_height" */
} lb_index_form;

/* No element is met; several are, or something else. */
enum { LB_MET_NONE = -1, LB_MET_SEVERAL = -2 };

/* Of one geometry. */
typedef struct lb_index_map {
    lb_role role; /* of `in` */
    const lb_case_tensor *in, *out;
    const lb_case_tensor *weights; /* NULL: the function has none, or they are not told apart */
    size_t inputs, weight_count, outputs; /* weight_count: meetings of an output */
    const uint32_t *chosen; /* flat numbers of the weights, where not all are probed; else NULL */
    int32_t *right, *port;  /* [weight][output]: flat number of the input, or LB_MET_* */
    lb_index_form row[2];   /* the input's row and column as they should be */
} lb_index_map;

/* Fills `right` and `row`: what each chosen weight meets in the call, from the index map of its
 * function. False: it has none. */
bool lb_index_map_expect(lb_index_map *map, const lb_call *call, lb_arena *arena);

/* Is another element met than should be? Of several that should be met nothing is known. */
static inline bool lb_index_map_is_wrong(const lb_index_map *map, size_t meeting)
{
    return map->right[meeting] != map->port[meeting] && map->right[meeting] != LB_MET_SEVERAL;
}

/* The flat number of a weight that was probed. */
static inline size_t lb_index_map_weight(const lb_index_map *map, size_t number)
{
    return map->chosen ? map->chosen[number] : number;
}

/* The number under which a weight was probed; weight_count: it was not. */
size_t lb_index_map_number(const lb_index_map *map, size_t flat);

/* "takes in[y, x+1, c] where in[y, x, c] is expected, where the distance of the output to the end
 * of dimension 1 is 0", of all maps; NULL: no short way to say it. */
const char *lb_index_map_words(const lb_index_map *maps, size_t count, lb_arena *arena);
/* The same in numbers: what the commonest of the wrong meetings have in common. */
enum { LB_MAP_NUMBERS = 4 };
void lb_index_map_shown(const lb_index_map *maps, size_t count, int32_t shown[LB_MAP_NUMBERS]);
/* "the index in dimension 1 of out is 0": which meetings are wrong, of all maps; NULL: no rule. */
const char *lb_index_map_rule(const lb_index_map *maps, size_t count, lb_arena *arena);
/* The first meeting that is wrong. */
const char *lb_index_map_example(const lb_index_map *map, lb_arena *arena);
bool lb_index_map_is_right(const lb_index_map *map);

#endif
