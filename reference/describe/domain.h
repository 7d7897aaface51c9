/* Domains: what is small enough to be tried whole. Of a function every input, at all sets of
 * parameters that are worth trying, as data: a domain is a list of blocks, a block a product of
 * axes, and every point of a block is one call on a tensor of all inputs. */
#ifndef LB_REFERENCE_DESCRIBE_DOMAIN_H
#define LB_REFERENCE_DESCRIBE_DOMAIN_H

#include "kernels.h"

enum {
    LB_DOMAIN_AXES = 6,
    LB_AXIS_NUMBERS = 5,
    LB_ALL_OF_8 = 256, /* inputs of 8 bits, and pairs of them */
    LB_ALL_OF_16 = 65536,
    LB_ALL_PAIRS = 65536,
    LB_ROWS_OF_16 = 8 /* of all inputs of 16 bits, in one call */
};

/* How the inputs of a call lie. */
typedef enum lb_lay {
    LB_NOT_LAID,   /* ends the blocks */
    LB_LAY_ALL,    /* one after the other */
    LB_LAY_ROWS,   /* those of 8 bits again and again, in rows with parameters of their own */
    LB_LAY_TWOS,   /* rows of two: all pairs, or the largest number of 16 bits beside each */
    LB_LAY_LONG,   /* rows of 512, in each one number 256 times among all of 8 bits */
    LB_LAY_PAIRS,  /* of two operands */
    LB_LAY_SCALAR, /* one operand all inputs; of the other ("scalar": 1 or 2) one number ("value")
                    */
    LB_LAY_SLOPE,  /* all with one slope ("slope"): of rank 0, or one element, in turns */
    LB_LAY_SLOPES, /* a row of all inputs to each slope of 8 bits, or of a list ("set") */
    LB_LAY_ACROSS  /* the same the other way: along the second dimension */
} lb_lay;

/* One direction in which parameters vary. A point of an axis is a few numbers, mostly one; their
 * names say what they are of the call. The points are first, first + step, ... and then those of
 * the list; or what `make` says. */
typedef struct lb_axis {
    const char *names[LB_AXIS_NUMBERS];
    unsigned hidden;          /* so many of the last follow from the others, and are not told */
    size_t count, list_count; /* points in all, points in the list */
    int first, step;          /* step 0: 1 */
    const int *list;          /* the numbers, point by point */
    bool splits;              /* a number of first and list is the difference of two */
    void (*make)(int first, size_t point, int *numbers);
} lb_axis;

typedef struct lb_domain_block {
    const char *label; /* tells blocks apart whose axes are named alike; "" for the main one */
    const char *words; /* what is tried, why, where the spec says so */
    uint64_t inputs;   /* of one call */
    lb_lay lay;
    lb_el_type from, to; /* conversions */
    lb_axis axes[LB_DOMAIN_AXES];
    const lb_axis *rows; /* LB_DOMAIN_AXES, of LB_LAY_ROWS: what its rows have, row by row */
    const int32_t (*slopes)[LB_ROWS_OF_16]; /* lists of LB_LAY_SLOPES; NULL: all of 8 bits */
} lb_domain_block;

/* Which functions a list of blocks is for, by what describes them; 0 or NULL: any. Of several rows
 * the first. */
typedef struct lb_domain {
    const lb_domain_block *blocks; /* NULL: no more rows */
    lb_pattern pattern;
    lb_config_kind config_kind; /* that they have */
    uint32_t in_type, out_type;
    unsigned ops; /* bits 1 << lb_op */
    const char *function;
} lb_domain;

/* The blocks of a function; NULL: it has no small domain. */
const lb_domain_block *lb_domain_of(const lb_kernel *kernel);

/* Calls of a block. */
uint64_t lb_block_calls(const lb_domain_block *block);
/* How many numbers a point of the axis has, and how many of them are told. */
unsigned lb_axis_numbers(const lb_axis *axis);
unsigned lb_axis_told(const lb_axis *axis);
void lb_axis_point(const lb_axis *axis, size_t point, int numbers[LB_AXIS_NUMBERS]);
/* The numbers of a point of the product of all axes, the last axis fastest, axis by axis. */
enum { LB_DOMAIN_NUMBERS = LB_DOMAIN_AXES * LB_AXIS_NUMBERS };
void lb_axes_point(const lb_axis axes[LB_DOMAIN_AXES], uint64_t index,
                   int numbers[LB_DOMAIN_NUMBERS]);
/* in - out = difference, from -255 to 255, with both in -128..127 and as near to 0 as they can be.
 */
void lb_axis_split(int difference, int *in, int *out);

/* ---- How axes are written ---- */

#define LB_COUNT_OF(ARRAY) (sizeof(ARRAY) / sizeof(ARRAY)[0])

/* clang-format off */
#define LB_NUMBERS(TYPE, FIRST, LOW_TO_HIGH, ...) \
    .count = (LOW_TO_HIGH) + LB_COUNT_OF(((const int TYPE){__VA_ARGS__})), .first = FIRST, \
    .list = (const int *)(const int TYPE){__VA_ARGS__}, .list_count = LB_COUNT_OF(((const int TYPE){__VA_ARGS__}))

/* One number: those from low to high, those of a list, or both. */
#define LB_RANGE(NAME, LOW, HIGH)          {.names = {NAME}, .count = (HIGH) - (LOW) + 1, .first = LOW}
#define LB_ONE(NAME, ...)                  {.names = {NAME}, LB_NUMBERS([], 0, 0, __VA_ARGS__)}
#define LB_RANGE_AND(NAME, LOW, HIGH, ...) {.names = {NAME}, LB_NUMBERS([], LOW, (HIGH) - (LOW) + 1, __VA_ARGS__)}
/* Several numbers a point. */
#define LB_TWO(A, B, ...)                  {.names = {A, B}, LB_NUMBERS([][2], 0, 0, __VA_ARGS__)}
#define LB_THREE(A, B, C, ...)             {.names = {A, B, C}, LB_NUMBERS([][3], 0, 0, __VA_ARGS__)}
#define LB_MADE(COUNT, FIRST, MAKE, ...)   {.names = {__VA_ARGS__}, .count = COUNT, .first = FIRST, .make = MAKE}
/* Two numbers with each of these differences. */
#define LB_SPLIT(LOW, HIGH, STEP, ...) \
    {.names = {__VA_ARGS__}, .count = ((HIGH) - (LOW)) / (STEP) + 1, .first = LOW, .step = STEP, .splits = true}
#define LB_SPLIT_AND(LOW, HIGH, A, B, ...) {.names = {A, B}, .splits = true, LB_NUMBERS([], LOW, (HIGH) - (LOW) + 1, __VA_ARGS__)}
/* clang-format on */

#endif
