/* What the deviants share: which of all choices this one makes, numbers, tensors. */
#ifndef LB_DEVIANT_H
#define LB_DEVIANT_H

#include "lb_native.h"

#include <string.h>

enum {
    UP,
    EVEN,
    AWAY,
    ZERO,
    FLOOR,
    HALF_DOWN,
    TO_ODD,
    UP_BUT_7
};                                                         /* roundings; the last no port names */
enum { FULL, REDUCED, HIGH, FLOAT };                       /* requantization */
enum { WRAP, SATURATE, AT_END, BY_FOURS, SYMMETRIC_SUMS }; /* past the width */
enum { BIAS_SATURATES, BIAS_WRAPS, BIAS_FIRST };
enum { ZERO_AFTER, ZERO_BEFORE, ZERO_LAST }; /* the output's zero point */
enum { LEFT_SATURATES, LEFT_WRAPS, LEFT_IGNORED };
enum { TABLE_AS_IT_IS, TABLE_HALF };
enum { INTERPOLATES, NEAREST, BELOW };
enum { SIGM, TANH, EXPONENTIAL, INVERSE_ROOT }; /* tables */
enum { HEAP, LOWEST_PLACE, HIGHEST_PLACE };

/* The environment variable LB_DEVIANT makes them: "ROUND=EVEN ACC_8X8=24". Each with what it is
 * without a word there; -1: what goes with the others. */
#define CHOICES(X)                                                                                 \
    X(ROUND, UP)                                                                                   \
    X(SCALE_ROUND, UP)                                                                             \
    X(INNER_ROUND, -1)                                                                             \
    X(TABLE_ROUND, -1)                                                                             \
    X(REQUANTIZE, FULL)                                                                            \
    X(EXACT_RATIO, 0) /* of all three scales, in 31 bits */                                        \
    X(FIRST_ROUND, UP)                                                                             \
    X(MULTIPLIER_BITS, 0)                                                                          \
    X(ACC_8X8, 32)                                                                                 \
    X(ACC_16X8, 32)                                                                                \
    X(ACC_16X16, 64)                                                                               \
    X(OVERFLOWS, WRAP)                                                                             \
    X(LANES, 0)                                                                                    \
    X(BIAS, BIAS_SATURATES)                                                                        \
    X(BIAS_TOP_16, -1)                                                                             \
    X(ZERO_IN_PRODUCTS, 0)                                                                         \
    X(RAW_PADDING, 0)                                                                              \
    X(OUT_ZERO, ZERO_AFTER)                                                                        \
    X(RIGHT_MODULO, 0)                                                                             \
    X(LEFT, LEFT_SATURATES)                                                                        \
    X(SYMMETRIC, 0)                                                                                \
    X(OUT_WRAPS, 0)                                                                                \
    X(TABLE, TABLE_AS_IT_IS)                                                                       \
    X(INTERPOLATION, INTERPOLATES)                                                                 \
    X(ENDS_CLAMPED, 0)                                                                             \
    X(ONE_ROUNDING, 0)                                                                             \
    X(POOL_BITS, 7)                                                                                \
    X(ROUNDED_RECIPROCAL, 0)                                                                       \
    X(KERNEL_DIVISOR, 0)                                                                           \
    X(ZERO_PADDING, 0)                                                                             \
    X(DIVIDES, 0)                                                                                  \
    X(FX8_SOFTMAX, 0)                                                                              \
    X(TIES, HEAP)                                                                                  \
    X(ROUNDED_LIMITS, 0)                                                                           \
    X(SLEEPS_MS, 0)                                                                                \
    X(CHANGES_ITS_MIND, 0)                                                                         \
    X(DROPS_LOWEST, 0)                                                                             \
    X(STOPS_AT, 0)                                                                                 \
    X(UNHEARD_OF, 0)

#define NUMBER_OF(NAME, VALUE) NUMBER_##NAME,
enum { CHOICES(NUMBER_OF) CHOICE_COUNT };
extern int deviant_choice[CHOICE_COUNT];
#define CHOSEN(NAME) deviant_choice[NUMBER_##NAME]

__extension__ typedef __int128 wide;

/* ---- Numbers ---- */

wide power(int n);
wide clip(wide v, int bits);
wide cut(wide v, int bits);
wide floor_of(wide v, int n);
wide right(int mode, wide v, int n, int bits);
/* To the left by n >= 0, as the deviant does it. */
wide left(wide v, int n, int bits);
/* To the left by n >= 0, saturating. */
wide saturating_left(wide v, int n, int bits);
int count_of(int n);
/* Redundant sign bits in 32 bits, in 16. */
int room(wide v);
int room16(wide v);
/* The rounding of steps before the last. */
int inner(void);
/* To the right as `right`, to the left for n < 0, saturating. */
wide shifted_by(int mode, wide v, int n, int bits);
/* v in its container. */
wide contained(wide v, int bits);
/* The rounding shift of results, to the left for n < 0. */
wide down(wide v, int n, int bits);
/* Of a product with a factor of 16 bits: in one rounding or two. */
wide scaled_down(wide product, int n);
/* q in 15 bits, and the exponent that goes with it. */
wide mantissa(int mode, wide q, int *exponent);

/* ---- Tensors ---- */

int64_t offset_of(const lb_native_tensor *t, uint32_t a, uint32_t b, uint32_t c, uint32_t d);
int64_t offset_of_flat(const lb_native_tensor *t, size_t flat);
size_t count_elements(const lb_native_tensor *t);
int32_t element(const lb_native_tensor *t, int64_t offset);
void set_element(const lb_native_tensor *t, int64_t offset, wide v);
int bits_of(const lb_native_tensor *t);
int is_fixed(const lb_native_tensor *t); /* fx8, fx16 */
int is_called(const char *function, const char *prefix);

/* Format of a tensor: real = (x - zero) * scale * 2^-frac. */
typedef struct format {
    wide scale;
    int frac;
    wide zero;
} format;

format format_at(const lb_native_tensor *t, uint32_t entry);
format format_of(const lb_native_tensor *t);

/* ---- Tables ---- */

wide look_up(int kind, wide x, int frac);
/* sigm or tanh of an element, in the format of its results. */
wide activated(int kind, wide v, format f, int is_fx, int bits);

/* ---- Accumulators ---- */

typedef struct register_file {
    int bits;
    wide lane[32];
    unsigned products;
} register_file;

void add(register_file *r, wide v);
wide total(const register_file *r);
/* A bias of sa32 as it is added. */
wide sa_bias(wide b);
void relu_limits(int type, int bits, int is_sa, int frac, wide scale, wide zero, wide *low,
                 wide *high);

/* A layer of several inputs, each with its weights; the bias goes to the first. */
typedef struct dense_layer {
    uint32_t inputs;
    const lb_native_tensor *x[4], *weights[4], *bias, *out;
} dense_layer;

void run_dense(const dense_layer *layer);

/* ---- The families; 0: none of theirs ---- */

int run_weighted(const lb_native_call *call);
int run_recurrent(const lb_native_call *call);
int run_normalizing(const lb_native_call *call);
int run_cell(const lb_native_call *call);
int run_plain(const lb_native_call *call);

#endif
