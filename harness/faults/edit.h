/* Edits: a fault as one place of a description that says something else. An edit is an operator,
 * the place that it is applied to, and what it takes; the exact model runs what has been edited.
 * Which edits a function has follows from its description: the numbers that it reads, by what they
 * are for, and the terms, bounds and loops of its index map. Names and sentences are made from
 * operator and place, so that nobody writes them. */
#ifndef LB_HARNESS_FAULTS_EDIT_H
#define LB_HARNESS_FAULTS_EDIT_H

#include "harness/base/arena.h"
#include "reference/describe/map.h"

typedef enum lb_edit_op {
    LB_EDIT_NONE,
    /* Of a leaf: */
    LB_EDIT_SIBLING,    /* takes `other` for it */
    LB_EDIT_EXCHANGED,  /* takes it and `other` for each other */
    LB_EDIT_NEUTRAL,    /* as if it were not there: `n` */
    LB_EDIT_OFF_BY,     /* n more */
    LB_EDIT_TIMES,      /* multiplied by `other` */
    LB_EDIT_HALF,       /* half of it and `other` together */
    LB_EDIT_COMPLEMENT, /* `other` less 1 and it */
    LB_EDIT_SIGN,       /* added for subtracted, in terms */
    LB_EDIT_NUMBER,     /* `n`, whatever it is */
    LB_EDIT_INVERTED,   /* of a permutation */
    LB_EDIT_CHOICE,     /* `n`, where it is `other` */
    LB_EDIT_CHOICES,    /* these two for each other */
    LB_EDIT_PLUS,       /* `other` more, and all numbers of its sort */
    LB_EDIT_CAPPED,     /* no more than `n`; of a list 0 from this entry on */
    /* Of a term of an index, or of all of them: */
    LB_EDIT_DROPPED,
    LB_EDIT_MIRRORED, /* its loop from the end */
    LB_EDIT_CLAMPED,  /* the loops of the sum begin inside: not cut (n 0), or cut as they should (1)
                       */
    LB_EDIT_DENSE,    /* without gaps where windows begin (n 0), or within them (n 1) */
    LB_EDIT_READS_ON, /* behind the end */
    LB_EDIT_CUT,      /* windows that an end cuts: counted otherwise */
    LB_EDIT_COUNTED,  /* what lies outside at an end, in the divisor of an average */
    LB_EDIT_LOST      /* of a loop of the sum: the last position, or those behind whole blocks */
} lb_edit_op;

/* What is edited. */
typedef enum lb_edit_in {
    LB_EDIT_IN_CALL,  /* a number of the configuration, or an argument: `leaf` */
    LB_EDIT_IN_TERM,  /* term `term` of index `index` of access `access` of the map */
    LB_EDIT_IN_BOUND, /* where that index lies inside: its low end (n < 0) or the high one */
    LB_EDIT_IN_INDEX, /* the index as a whole */
    LB_EDIT_IN_LOOP   /* loop `index` of the map; `n` positions are a block, 0: the last is lost */
} lb_edit_in;

/* How far an edit of a number goes; bits. */
enum {
    LB_REACH_ALL = 1,     /* each direction, or dimension: it and its siblings there */
    LB_REACH_ENDS = 2,    /* of a padding: both ends */
    LB_REACH_INDICES = 4, /* in indices alone: loops and fields as they should be */
    LB_REACH_LISTS = 8,   /* of a movement: for lists of parameters alone */
    LB_REACH_BLOCKS =
        16, /* of a term: wherever but in the operand's access a loop goes in blocks as there */
    LB_REACH_ADDRESSES = 32 /* in addresses alone: what lies inside the operand as it should be */
};

/* All that means nothing is 0: equal edits have equal members. */
typedef struct lb_edit {
    uint8_t op, in, reach;
    uint8_t access, index, term;
    lb_leaf leaf, other;
    int32_t n;
    /* No part of what it is: */
    uint8_t prior;           /* how common it is: 1 rare .. 10 */
    const char *hint;        /* where in code such a thing comes from */
    const char *section;     /* of the specification; NULL: the map says it */
    const lb_kernel *kernel; /* in which it has been met: for words */
} lb_edit;

bool lb_edit_equal(const lb_edit *a, const lb_edit *b);

/* All edits of a function. */
typedef void (*lb_edit_sink)(void *user, const lb_edit *edit);
void lb_edit_each(const lb_kernel *kernel, lb_edit_sink sink, void *user);

/* An edit of numbers (LB_EDIT_IN_CALL) in this configuration of the call. `is_checked`: checks look
 * at it afterwards, so that it may be what they refuse. False: all is as it was. */
bool lb_edit_numbers(const lb_edit *edit, const lb_call *call, bool is_checked, lb_config *config);
/* Any other, in this copy of the function's map. */
void lb_edit_map(const lb_edit *edit, lb_map *map);
/* May the number be read before the checks? Those see the edited one then. */
bool lb_edit_may_be_early(const lb_edit *edit);

/* The exact model, edited. False: the edit changes nothing in this call, or nobody knows what. */
struct lb_fault_run;
bool lb_edit_run(struct lb_fault_run *run);

/* ---- In words ---- */

/* What is edited, for names: "stride_height, stride_width"; the same for equal edits. */
const char *lb_edit_place(const lb_edit *edit, lb_arena *arena);
/* What a kernel with it does: "takes stride_width for stride_height". */
const char *lb_edit_sentence(const lb_edit *edit, lb_arena *arena);

/* ---- Parts ---- */

void lb_edit_each_number(const lb_kernel *kernel, lb_edit_sink sink, void *user);
void lb_edit_each_place(const lb_kernel *kernel, lb_edit_sink sink, void *user);
/* "stride_height", "offset of dimension 2", "height of weights"; "offset", of a list as a whole. */
const char *lb_edit_leaf_label(const lb_kernel *kernel, lb_leaf leaf, lb_arena *arena);
const char *lb_edit_list_label(const lb_kernel *kernel, lb_leaf leaf);

#endif
