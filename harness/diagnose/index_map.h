/* Which element of an operand an output is made of, or which input met which weight there, on the
 * port and as it should be: what is the matter with it, in words. */
#ifndef LB_HARNESS_DIAGNOSE_INDEX_MAP_H
#define LB_HARNESS_DIAGNOSE_INDEX_MAP_H

#include "harness/diagnose/identity.h"
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

/* What an output meets, in the order of `right` and `port`. */
typedef enum lb_meets {
    LB_MEETS_WEIGHTS, /* the input that each weight meets */
    LB_MEETS_WINDOW,  /* each position of the input, of all channels: the first one, or none */
    LB_MEETS_ONE      /* the element that it is made of */
} lb_meets;

/* Of one geometry. */
typedef struct lb_index_map {
    lb_meets meets;
    lb_role role; /* of `in` */
    const lb_case_tensor *in, *out, *weights;
    size_t inputs, weight_count, outputs; /* weight_count: meetings of an output */
    const uint32_t *chosen; /* flat numbers of the weights, where not all are probed; else NULL */
    int32_t *right, *port;  /* [meeting][output]: flat number of the input, or LB_MET_* */
    lb_index_form row[2];   /* the input's row and column as they should be */
} lb_index_map;

/* Fills `row`, and of weights `right`: what each chosen one meets in the call, from the index map
 * of its function. False: it has none. */
bool lb_index_map_expect(lb_index_map *map, const lb_call *call, lb_arena *arena);

/* Is another element met than should be? Of several that should be met nothing is known. */
static inline bool lb_index_map_is_wrong(const lb_index_map *map, size_t meeting)
{
    return map->right[meeting] != map->port[meeting] && map->right[meeting] != LB_MET_SEVERAL;
}

/* Where the windows of the call hang over the input, would reading on there lead beyond this end of
 * its memory? */
bool lb_map_hangs_over(const lb_call *call, bool in_front);

bool lb_index_map_is_right(const lb_index_map *map);

/* The flat number of a weight that was probed. */
static inline size_t lb_index_map_weight(const lb_index_map *map, size_t number)
{
    return map->chosen ? map->chosen[number] : number;
}

/* The number under which a weight was probed; weight_count: it was not. */
size_t lb_index_map_number(const lb_index_map *map, size_t flat);

/* What is the matter with maps of one role, some of which are wrong. */
typedef struct lb_index_map_told {
    /* "takes in[y, x+1, c] where in[y, x, c] is expected, where the distance of the output to the
     * end of dimension 1 is 0"; NULL: there is no short way to say it */
    const char *words;
    const char *example;             /* the first meeting that is wrong */
    unsigned worth;                  /* the more is said */
    bool in_vain;                    /* mostly inputs are met where none is due */
    int32_t shown[LB_SHOWN_NUMBERS]; /* the same in numbers */
} lb_index_map_told;

lb_index_map_told lb_index_map_tell(const lb_index_map *maps, size_t count, lb_arena *arena);

#endif
