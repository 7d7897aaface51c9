/* Forms of formulas: what a kernel with a mistake does otherwise in one place of an exact model
 * that is better said in C than as data. Each is asked by the model where it stands (lb_context's
 * `form`); 0: as it should be. */
#ifndef LB_REFERENCE_FORMS_H
#define LB_REFERENCE_FORMS_H

/* Movement: exact_mov.c. */
enum {
    LB_MOV_PART_ALONE = 1, /* what is asked for, where everything is copied */
    LB_MOV_WHOLE_IN_BYTES, /* everything: as many bytes as there are elements */
    LB_MOV_PADDING_STALE,
    LB_MOV_PADDING_ZERO_POINT,
    LB_MOV_PACKED_WITHOUT_OFFSET, /* strides of the destination */
    LB_MOV_LISTS_ZERO_OUTSIDE     /* scales */
};

/* Views: exact_subtensor.c. */
enum {
    LB_VIEW_DENSE = 1, /* where it begins */
    LB_VIEW_SIZES,     /* those of dimensions that are left out */
    LB_VIEW_STRIDES
};

/* The largest: exact_argmax.c. */
enum {
    LB_LARGEST_EQUAL_STAYS = 1, /* in the heap */
    LB_LARGEST_FIRST,
    LB_LARGEST_LAST,
    LB_LARGEST_SMALLEST_FIRST,
    LB_LARGEST_LAST_IN_FIRST_ROW, /* of memory */
    LB_LARGEST_FIRST_IN_LAST_ROW,
    LB_LARGEST_FIRST_TWO_EXCHANGED, /* the sort ends a step early */
    LB_LARGEST_RIGHT_OF_EQUALS,     /* of two entries of the heap below another */
    LB_LARGEST_BY_ELEMENT,          /* places: numbers of elements */
    LB_LARGEST_BY_SLICE,            /* ... within the slice */
    LB_LARGEST_FROM_SLICE           /* ... counted from its first */
};

/* Slopes: exact_relu.c. Along an axis, by the number of the element: the blocks that have one. Of
 * 16 bits: which fill them before they are a factor. */
enum {
    LB_SLOPE_OF_ONE = 1,
    LB_SLOPE_WITHOUT_NEXT,
    LB_SLOPE_WITH_AXIS,
    LB_SLOPE_EACH_NORMALIZED,
    LB_SLOPE_NONE_NORMALIZED
};

#endif
