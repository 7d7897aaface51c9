/* Where faults of readings, extents and writing can sit in a function. */
#ifndef LB_HARNESS_FAULTS_PLACES_H
#define LB_HARNESS_FAULTS_PLACES_H

#include "harness/faults/faults.h"

#define LB_PLACES(name)                                                                            \
    void name(const lb_fault_kind *kind, const lb_fault_scope *scope, lb_fault_sink sink,          \
              void *user)

/* Places by what they hold: every fault of the kind whose members lie in these ranges, and for
 * which the condition on `kernel` and `at` holds. The argument is one of the numbers, or from 0 to
 * `most`. */
typedef struct lb_place_span {
    struct {
        int8_t first, last;
    } role, other, dim, to;
    int32_t most;
    const int32_t *numbers; /* ended by LB_NO_NUMBER; NULL: `most` says it */
} lb_place_span;
enum { LB_NO_NUMBER = INT32_MIN };
typedef bool (*lb_place_fits)(const lb_kernel *kernel, const lb_fault *at);
void lb_put_places(const lb_fault_kind *kind, const lb_fault_scope *scope, lb_place_fits fits,
                   const lb_place_span *span, lb_fault_sink sink, void *user);
#define LB_PLACES_OF(linkage, name, condition, ...)                                                \
    static bool name##_fits(const lb_kernel *kernel, const lb_fault *at)                           \
    {                                                                                              \
        (void)kernel, (void)at;                                                                    \
        return condition;                                                                          \
    }                                                                                              \
    linkage LB_PLACES(name)                                                                        \
    {                                                                                              \
        const lb_place_span span = {__VA_ARGS__};                                                  \
        lb_put_places(kind, scope, name##_fits, &span, sink, user);                                \
    }
#define LB_OWN_PLACES(name, ...) LB_PLACES_OF(static, name, __VA_ARGS__)
#define LB_ANY_ROLE                                                                                \
    {                                                                                              \
        0, LB_ROLE_COUNT - 1                                                                       \
    }
#define LB_ANY_DIM                                                                                 \
    {                                                                                              \
        0, LB_MAX_RANK - 1                                                                         \
    }
#define LB_ONE_OF(...)                                                                             \
    .numbers = (const int32_t[])                                                                   \
    {                                                                                              \
        __VA_ARGS__, LB_NO_NUMBER                                                                  \
    }
/* Dimensions of the role: none, each, or all but the innermost. */
typedef enum lb_place_dims { LB_NO_DIMS, LB_EACH_DIM, LB_OUTER_DIMS } lb_place_dims;
#define LB_PLACES_OF_ROLES(linkage, name, dims, condition, ...)                                    \
    LB_PLACES_OF(linkage, name,                                                                    \
                 ((dims) == LB_NO_DIMS ||                                                          \
                  at->dim + ((dims) == LB_OUTER_DIMS) < (int)lb_dims_of(kernel, at->role)) &&      \
                     (condition),                                                                  \
                 .role = LB_ANY_ROLE, .dim = {0, (dims) == LB_NO_DIMS ? 0 : LB_MAX_RANK - 1},      \
                 LB_ONE_OF(__VA_ARGS__))
/* With numbers: (name, dims, condition, numbers), (name, condition, numbers); own: static ones. */
#define LB_OWN_ROLES(name, dims, ...)    LB_PLACES_OF_ROLES(static, name, dims, __VA_ARGS__)
#define LB_NUMBERS(name, condition, ...) LB_PLACES_OF(, name, condition, LB_ONE_OF(__VA_ARGS__))
#define LB_OWN_NUMBERS(name, condition, ...)                                                       \
    LB_PLACES_OF(static, name, condition, LB_ONE_OF(__VA_ARGS__))

#define LB_DESCRIBES(name) const char *name(const lb_fault *fault, lb_arena *arena)

/* What initialises a kind of reading or writing; rows; rows with an operator (operators.h), of
 * which their run says more. */
#define LB_KIND_OF_CALL(group_, name_, words_, look_, sections_, prior_, places_, place_, run_)    \
    .name = name_, .group = group_, .words = words_, .look_for = look_, .sections = sections_,     \
    .prior = prior_, .places = places_, .place = place_, .run = run_
#define LB_KIND(...) LB_KIND_BY(__VA_ARGS__, .how = 0)
#define LB_KIND_BY(group_, name_, words_, look_, sections_, prior_, places_, place_, run_, ...)    \
    {                                                                                              \
        LB_KIND_OF_CALL(group_, name_, words_, look_, sections_, prior_, places_, place_, run_),   \
            .does = {                                                                              \
                __VA_ARGS__                                                                        \
            }                                                                                      \
    }
#define LB_READING(name, ...)    LB_KIND(LB_FAULTS_READING, "reading." name, __VA_ARGS__)
#define LB_READING_BY(name, ...) LB_KIND_BY(LB_FAULTS_READING, "reading." name, __VA_ARGS__)
/* Readings that change the call: the model runs on what their function makes of it. */
#define LB_CHANGE_OF_CALL(name_, words_, look_, sections_, prior_, places_, place_, change_)       \
    LB_KIND_OF_CALL(LB_FAULTS_READING, name_, words_, look_, sections_, prior_, places_, place_,   \
                    lb_view_change_run),                                                           \
        .change = change_
#define LB_CHANGE(...) LB_CHANGE_BY(__VA_ARGS__, .how = 0)
#define LB_CHANGE_BY(name_, words_, look_, sections_, prior_, places_, place_, change_, ...)       \
    {                                                                                              \
        LB_CHANGE_OF_CALL("reading." name_, words_, look_, sections_, prior_, places_, place_,     \
                          change_),                                                                \
            .does = {                                                                              \
                __VA_ARGS__                                                                        \
            }                                                                                      \
    }
#define LB_WRITING(name, ...)    LB_KIND(LB_FAULTS_WRITING, "writing." name, __VA_ARGS__)
#define LB_WRITING_BY(name, ...) LB_KIND_BY(LB_FAULTS_WRITING, "writing." name, __VA_ARGS__)

bool lb_is_conv(const lb_kernel *kernel);        /* the four convolutions */
bool lb_is_direct_conv(const lb_kernel *kernel); /* one that is not transposed */
bool lb_is_pool(const lb_kernel *kernel);
bool lb_is_average(const lb_kernel *kernel);    /* ... that sums its windows */
bool lb_sums_channels(const lb_kernel *kernel); /* windows and channels in one sum */
bool lb_is_recurrent(const lb_kernel *kernel);  /* LSTM and GRU */
bool lb_has_weights(const lb_kernel *kernel);   /* ... fully connected and rnn_dense too */
bool lb_has_relu(const lb_kernel *kernel);      /* a ReLU type in the configuration */
bool lb_has_axis(const lb_kernel *kernel);      /* an axis in it, along which elements are read */
unsigned lb_gate_count(const lb_kernel *kernel);
/* Does a dimension of the output go in groups, whose size no tensor names as one of its extents?
 * How large they are in a call, and how many; 0: it does not. */
bool lb_goes_in_groups(const lb_kernel *kernel, int dim);
typedef struct lb_groups {
    size_t size, count;
} lb_groups;
lb_groups lb_groups_in(const lb_call *call, int dim);
/* Dimensions that a tensor of the role can have in calls that the function accepts. */
unsigned lb_dims_of(const lb_kernel *kernel, int role);
/* The type of a role's elements that the variant asks for; 0: any. */
uint32_t lb_type_of_role(const lb_kernel *kernel, int role);
/* False: the function refuses tensors of the role that have gaps. */
bool lb_may_have_gaps(const lb_kernel *kernel, int role);
/* ... between elements of the innermost dimension. */
bool lb_may_have_inner_gaps(const lb_kernel *kernel, int role);
/* A dimension that is the innermost one, whatever the rank. */
enum { LB_LAST_DIMENSION = LB_MAX_RANK };
/* Does the function read elements of the role (and not its fields alone)? */
bool lb_reads_data(const lb_kernel *kernel, int role);
/* Does it write elements of the role? */
bool lb_writes_data(const lb_kernel *kernel, int role);

/* One place of the function, where it is of the family */
LB_PLACES(lb_places_gates);
LB_PLACES(lb_places_argmax);
LB_PLACES(lb_places_mov);

/* The longest that a dimension of the role can be in calls that the function accepts; UINT32_MAX:
 * any length. */
uint32_t lb_longest(const lb_kernel *kernel, int role, unsigned dim);

#endif
