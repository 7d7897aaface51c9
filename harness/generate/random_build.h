/* Bricks of made-up cases: tensors with formats, gaps and data. Shared by the random_<family>.c
 * files. */
#ifndef LB_HARNESS_GENERATE_RANDOM_BUILD_H
#define LB_HARNESS_GENERATE_RANDOM_BUILD_H

#include "harness/generate/random.h"
#include "harness/generate/random_case.h"

typedef struct lb_build {
    lb_random random;
    lb_arena *arena;
    lb_case *c;
    const lb_random_options *options;
    unsigned extents; /* drawn so far */
} lb_build;

/* A number from low to high; true once in n times. */
static inline int lb_build_pick(lb_build *b, int64_t low, int64_t high)
{
    return (int)lb_random_in(&b->random, low, high);
}

static inline bool lb_build_once_in(lb_build *b, unsigned n)
{
    return lb_random_once_in(&b->random, n);
}

/* A dense tensor without format and data under a role (a list grows by one). */
lb_case_tensor *lb_build_tensor(lb_build *b, lb_role role, bool output, lb_el_type type,
                                unsigned rank, const uint32_t *shape);
/* The same of the type and use that the signature of the function gives the role. */
lb_case_tensor *lb_build_operand(lb_build *b, lb_role role, unsigned rank, const uint32_t *shape);
size_t lb_build_count(const lb_case_tensor *t);
/* The first tensor of a role. NULL: there is none. */
lb_case_tensor *lb_build_tensor_of(lb_build *b, lb_role role);
/* Sometimes gives the tensor gaps between its rows; the innermost stride stays 1. */
void lb_build_gaps(lb_build *b, lb_case_tensor *t);
/* The same, and sometimes an innermost stride above 1: of functions that honour it. */
void lb_build_strides(lb_build *b, lb_case_tensor *t);
/* One of fx8, fx16, sa8, sa32, fp32. */
lb_el_type lb_build_any_type(lb_build *b);
/* An sa format with any scale and zero point. */
void lb_build_any_sa(lb_build *b, lb_case_tensor *t, int frac_bits);
/* Which formats a family likes: fractional bits of fx, scale_frac_bits of sa; once in `wild` (0:
 * never) fx has any. */
typedef struct lb_format_taste {
    int fx_low, fx_high, sa_low, sa_high;
    unsigned wild;
} lb_format_taste;
void lb_build_format(lb_build *b, lb_case_tensor *t, lb_format_taste taste);
/* A format of any kind for the tensor's type; sa per axis, if it has an axis and that is asked for.
 */
void lb_build_any_format(lb_build *b, lb_case_tensor *t, bool per_axis);
/* An sa tensor gets lists along the axis, of any entries; below 0 it stays as it is. */
void lb_build_per_axis(lb_build *b, lb_case_tensor *t, int axis);
/* Formats. The sa ones give the tensor its own arrays. */
void lb_build_fx(lb_case_tensor *t, int frac_bits);
void lb_build_sa(lb_build *b, lb_case_tensor *t, int scale, int frac_bits, int zero_point);
void lb_build_sa_axis(lb_build *b, lb_case_tensor *t, int axis); /* -1: one entry */
/* The same of a tensor that has parameters: all entries are as the first; axis -1: back to one. */
void lb_build_spread(lb_build *b, lb_case_tensor *t, int axis);
/* The tensor is of this type, with the parameters that the type has; its data stay as they are. */
void lb_build_type(lb_build *b, lb_case_tensor *t, uint32_t type);
/* Strides without gaps, at most 2^24; whether the case tells them, has_mem_stride says as before.
 */
void lb_build_dense_strides(lb_case_tensor *t);
/* Scale and frac bits of a bias entry that passes the rule of numerics.md 5.6. */
void lb_build_bias_format(const lb_case_tensor *in, const lb_case_tensor *weights,
                          lb_case_tensor *bias, size_t j);
/* Data of one of several kinds: whole range, all sizes, ends, constant, ramp; or real numbers of
 * many sizes, or codes of formats without integers. Of so many elements: those of a whole buffer.
 */
void lb_build_data(lb_build *b, lb_case_tensor *t);
void lb_build_some_data(lb_build *b, lb_case_tensor *t, size_t count);
/* Integers of a range; that of a type. */
typedef struct lb_range {
    int64_t low, high;
} lb_range;
lb_range lb_build_range(uint32_t type);
void lb_build_fill(lb_build *b, lb_case_tensor *t, lb_range r);
int64_t lb_build_in(lb_build *b, lb_range r);
/* An end of it, or beside one, or about 0. */
int64_t lb_build_end_of(lb_build *b, lb_range r);
/* A permutation of the first `rank` of four dimensions; the rest stay. */
void lb_build_permutation(lb_build *b, uint8_t perm[4], unsigned rank);
/* Room for data of so many elements; one of them; uniform data between two values, in the room that
 * there is. */
void lb_case_make_data(lb_case_tensor *t, size_t count, lb_arena *arena);
void lb_case_put_number(lb_case_tensor *t, size_t i, int64_t v);
void lb_case_fill_uniform(lb_case_tensor *t, uint64_t seed, int64_t low, int64_t high);
/* Numbers from end to end, which a generator tells in a few words: a fault of places shows on them.
 */
void lb_case_make_uniform(lb_case *c);
void lb_build_data_in(lb_build *b, lb_case_tensor *t, int64_t low, int64_t high);

/* A scale: mostly a full mantissa, sometimes 1, a power of two, 32767. */
int lb_build_scale(lb_build *b);
/* A zero point of sa8: mostly anything, sometimes an end or 0. */
int lb_build_zero_point(lb_build *b);
/* An extent from 1 to `high`, often 1, small, or beside a vector width. */
uint32_t lb_build_extent(lb_build *b, uint32_t high);
/* A rank from `lowest` to 4, which it gives, and a shape: the last extent and the others at most.
 */
unsigned lb_build_shape(lb_build *b, unsigned lowest, uint32_t last, uint32_t others,
                        uint32_t shape[4]);
/* So many elements in one to four dimensions. */
unsigned lb_build_split(lb_build *b, uint32_t count, uint32_t shape[4]);
/* An extent of a map from `low` to `high`; beside a vector width where the options say so. */
uint32_t lb_build_side(lb_build *b, uint32_t low, uint32_t high);
/* Number of bits of v >= 0. */
int lb_build_bits(uint64_t v);
int lb_build_clamp(int v, int low, int high);

/* ---- Numbers of the configuration: random_fields.c ---- */

/* All of them, by their sorts. rank: of the shape that was drawn; shift: about where results fit.
 */
void lb_build_fields(lb_build *b, unsigned rank, const uint32_t *shape, int shift);
/* Any numbers: of functions that check nothing. */
void lb_build_any_fields(lb_build *b);
/* The field of that name, NULL: the function has none; where it has, its number. */
const lb_config_field *lb_build_field(const lb_build *b, const char *name);
void lb_build_set(lb_build *b, const char *name, int64_t value);
/* A multiplier as conversion from real scales makes them, most of the time (litert.22); one of any
 * size with its shift, which take numbers of `from` bits to results of `to`. */
int32_t lb_build_multiplier(lb_build *b);
typedef struct lb_factor {
    int32_t multiplier;
    int shift;
} lb_factor;
lb_factor lb_build_factor(lb_build *b, int from, int to);

/* ---- Families ---- */

/* Operands of an index map, without data, and the fields about windows; gives how many products a
 * sum has. */
size_t lb_random_window(lb_build *b);

/* The patterns of families. Each fills operands and configuration of b->c. */
void lb_random_plain(lb_build *b);
void lb_random_weighted(lb_build *b);
/* Half of the time sets a multiplier of the case so that rounding behind it shows in an output.
 * False: it does not, or there is none. */
bool lb_random_aim_multiplier(lb_build *b);
/* Sets numbers of the case so that results turn into the next there, or would with one more or
 * less: random_edge.c. */
void lb_random_aim_edge(lb_build *b);
void lb_random_pool(lb_build *b);
void lb_random_rnn_dense(lb_build *b);
void lb_random_cell(lb_build *b);
void lb_random_helper(lb_build *b);
void lb_random_table(lb_build *b); /* functions about look-up tables */
void lb_random_movement(lb_build *b);
void lb_random_float4(lb_build *b);
void lb_random_litert(lb_build *b);
/* Calls of asynchronous movement, that of the name among them: a case of "mli_mov_sequence". */
void lb_random_sequence(lb_build *b, const char *name);

#endif
