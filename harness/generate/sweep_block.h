/* How domains are written down: blocks and their axes, and the bricks that blocks build cases of.
 * Shared by the sweep_<family>.c files. */
#ifndef LB_HARNESS_GENERATE_SWEEP_BLOCK_H
#define LB_HARNESS_GENERATE_SWEEP_BLOCK_H

#include "harness/generate/random_build.h"
#include "harness/generate/sweep_domain.h"

enum {
    LB_SWEEP_MAX_AXES = 6,
    LB_SWEEP_AXIS_NUMBERS = 3,
    LB_SWEEP_MAX_NUMBERS = LB_SWEEP_MAX_AXES * LB_SWEEP_AXIS_NUMBERS,
    LB_SWEEP_8 = 256,    /* inputs of 8 bits, and pairs of them */
    LB_SWEEP_16 = 65536, /* inputs of 16 bits */
    LB_SWEEP_PAIRS = 65536,
    LB_SWEEP_16_ROWS = 8 /* how often the list of 16-bit inputs stands in memory */
};

struct lb_sweep_inputs {
    int32_t all_8[LB_SWEEP_8];                      /* -128 .. 127 */
    int32_t all_16[LB_SWEEP_16_ROWS * LB_SWEEP_16]; /* -32768 .. 32767, again and again */
    int32_t slow_8[LB_SWEEP_PAIRS]; /* with fast_8 all pairs: steps once in 256 elements */
    int32_t fast_8[LB_SWEEP_PAIRS];
    int32_t rows_8[2 * LB_SWEEP_PAIRS]; /* all pairs, their two numbers side by side */
    int32_t rows_16[2 * LB_SWEEP_16];   /* the largest number of 16 bits beside each */
};

/* One direction in which parameters vary. A point of an axis is a few numbers, mostly one; their
 * names stand in the ids of cases and say what they are of the call (sweep_domain.c). The points
 * are first, first + step, ... and then those of the list; or what `make` says. */
typedef struct lb_sweep_axis lb_sweep_axis;
struct lb_sweep_axis {
    const char *names[LB_SWEEP_AXIS_NUMBERS];
    size_t count, list_count; /* points in all, points in the list */
    int first, step;          /* step 0: 1 */
    const int *list;          /* the numbers, point by point */
    bool splits;              /* a number of first and list is the difference of two */
    void (*make)(const lb_sweep_axis *axis, size_t point, int *numbers);
};

#define LB_SWEEP_LENGTH(ARRAY) (sizeof(ARRAY) / sizeof(ARRAY)[0])

/* clang-format off */
#define LB_NUMBERS(TYPE, FIRST, LOW_TO_HIGH, ...) \
    .count = (LOW_TO_HIGH) + LB_SWEEP_LENGTH(((const int TYPE){__VA_ARGS__})), .first = FIRST, \
    .list = (const int *)(const int TYPE){__VA_ARGS__}, .list_count = LB_SWEEP_LENGTH(((const int TYPE){__VA_ARGS__}))

/* One number: those from low to high, those of a list, or both. */
#define LB_RANGE(NAME, LOW, HIGH)          {.names = {NAME}, .count = (HIGH) - (LOW) + 1, .first = LOW}
#define LB_LIST(NAME, ...)                 {.names = {NAME}, LB_NUMBERS([], 0, 0, __VA_ARGS__)}
#define LB_RANGE_AND(NAME, LOW, HIGH, ...) {.names = {NAME}, LB_NUMBERS([], LOW, (HIGH) - (LOW) + 1, __VA_ARGS__)}
/* Several numbers a point. */
#define LB_TWO(A, B, ...)                  {.names = {A, B}, LB_NUMBERS([][2], 0, 0, __VA_ARGS__)}
#define LB_THREE(A, B, C, ...)             {.names = {A, B, C}, LB_NUMBERS([][3], 0, 0, __VA_ARGS__)}
#define LB_SWEEP_MADE(COUNT, FIRST, MAKE, ...) {.names = {__VA_ARGS__}, .count = COUNT, .first = FIRST, .make = MAKE}
/* Two numbers with each of these differences. */
#define LB_SWEEP_SPLIT(LOW, HIGH, STEP, ...) \
    {.names = {__VA_ARGS__}, .count = ((HIGH) - (LOW)) / (STEP) + 1, .first = LOW, .step = STEP, .splits = true}
#define LB_SPLIT_AND(LOW, HIGH, A, B, ...) {.names = {A, B}, .splits = true, LB_NUMBERS([], LOW, (HIGH) - (LOW) + 1, __VA_ARGS__)}
/* clang-format on */

/* A case in the making. */
typedef struct lb_sweep_call {
    lb_build build;
    lb_sweep_inputs *inputs;
    const lb_sweep_block *block;
    const int *numbers; /* of the point, axis by axis, in the order of the names */
} lb_sweep_call;

struct lb_sweep_block {
    const char
        *label; /* in ids, to tell blocks apart whose axes are named alike; "" for the main one */
    const char *words;                 /* what is tried, why, where the spec says so */
    uint64_t inputs;                   /* of one call */
    void (*fill)(lb_sweep_call *call); /* operands, and what the names of numbers do not say */
    lb_el_type from, to;               /* conversions */
    lb_sweep_axis axes[LB_SWEEP_MAX_AXES];
};

/* An operand of the type that the block or the function gives it, its sa parameters 1, 0, 0; with a
 * list of data, but for the output. */
lb_case_tensor *lb_sweep_put(lb_sweep_call *call, lb_role role, unsigned rank,
                             const uint32_t *shape, int32_t *data);
/* All inputs of the type of `in`, one after the other; or one number. */
void lb_sweep_fill_all(lb_sweep_call *call);
int32_t *lb_sweep_one_number(lb_sweep_call *call, int value);

/* in - out = difference, from -255 to 255, with both in -128..127 and as near to 0 as they can be.
 */
void lb_sweep_split(int difference, int *in, int *out);

/* Which functions a list of blocks is for, by what describes them; 0 or NULL: any. */
typedef struct lb_sweep_row {
    const lb_sweep_block *blocks; /* NULL: no more rows */
    lb_pattern pattern;
    uint32_t in_type, out_type;
    bool has_axis;
    unsigned ops;         /* bits 1 << lb_op */
    unsigned config_kind; /* where the pattern has several that differ */
    const char *function;
} lb_sweep_row;

extern const lb_sweep_row lb_sweep_unary[], lb_sweep_slopes[], lb_sweep_pairs[],
    lb_sweep_conversions[], lb_sweep_litert[];

#endif
