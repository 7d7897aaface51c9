/* The one table of all public functions: what each takes, and which models stand behind it.
 * Spec: api.md 4. A row without models says so (!exact); the harness then skips its cases
 * with that reason. */
#ifndef LB_REFERENCE_KERNELS_H
#define LB_REFERENCE_KERNELS_H

#include "config.h"
#include "core/accumulator.h"
#include "core/profile.h"
#include "core/span.h"
#include "core/status.h"
#include "core/steps.h"
#include "core/tensor.h"
#include "core/trace.h"
#include "families.h"

/* Place of a tensor in a call. Case files use the lower-case names. */
typedef enum lb_role {
    LB_ROLE_IN,
    LB_ROLE_IN1,
    LB_ROLE_IN2,
    LB_ROLE_IN_BAD, /* second source of a movement sequence */
    LB_ROLE_PREV_OUT,
    LB_ROLE_WEIGHTS,
    LB_ROLE_WEIGHTS_IN,
    LB_ROLE_WEIGHTS_OUT,
    LB_ROLE_BIAS,
    LB_ROLE_SLOPE,
    LB_ROLE_EPSILON,
    LB_ROLE_CELL,
    LB_ROLE_OUT,
    /* of LiteRT (litert.21.2) */
    LB_ROLE_MULTIPLIER,
    LB_ROLE_SHIFT,
    LB_ROLE_AXIS,
    LB_ROLE_BITS_OVER_UNIT,
    LB_ROLE_COUNT
} lb_role;
enum { LB_ROLES_OF_MLI = LB_ROLE_OUT + 1 };

const char *lb_role_name(lb_role role);
int lb_role_find(const char *name); /* -1: no such role */

/* How a function uses a role. */
typedef enum lb_role_use { LB_USE_NONE, LB_USE_INPUT, LB_USE_OUTPUT, LB_USE_INOUT } lb_role_use;

typedef struct lb_role_spec {
    lb_role role;
    lb_role_use use;
    bool list;     /* an array of tensors (in and weights of rnn_dense) */
    bool optional; /* a case may leave it out */
} lb_role_spec;

enum {
    LB_MAX_LIST = 8
}; /* tensors in a list: more than the four that rnn_dense allows, so that bad counts can be tried
    */

/* ---- Calls ---- */

typedef struct lb_kernel lb_kernel;

/* What a function fills beside tensors: a kind of configuration; LB_CONFIG_NONE: nothing. */
lb_config_kind lb_filled_config(const lb_kernel *kernel);

/* Why the API promises nothing for a call. Then it is not judged. */
typedef enum lb_unsaid {
    LB_SAID,              /* it promises something */
    LB_UNSAID_RULE,       /* the call breaks a rule that is marked as undefined */
    LB_UNSAID_WIDTH,      /* a product of shape and stride leaves 31 bits (numerics.md 2) */
    LB_UNSAID_PARAMETERS, /* parameters are read that nobody set for this element type */
    LB_UNSAID_OVERFLOW,   /* a number leaves the width in which it is computed (litert.1.5) */
    LB_UNSAID_RANGE,      /* a multiplier, shift or limit beyond where it is defined */
    LB_UNSAID_COUNT
} lb_unsaid;
/* In words, for what people read: "" for the first two, which the rule's name says. */
const char *lb_unsaid_words(lb_unsaid unsaid);

/* One call: arguments in, result out. Models and ports read and write the same struct (each its own
 * copy). */
typedef struct lb_call {
    const lb_kernel *kernel;
    lb_tensor *tensor[LB_ROLE_COUNT];   /* NULL: passed as NULL, or not a role of this function;
                                           lists: an array */
    unsigned list_count[LB_ROLE_COUNT]; /* tensors in the array; 1 for a plain role that is there */
    bool config_null;                   /* the configuration pointer is NULL */
    lb_config config;
    lb_status status;     /* result of functions that return one */
    int64_t return_value; /* result of the others (bool: 0 or 1) */
    lb_unsaid undefined;  /* set by lb_run_exact; status and results mean nothing then */
} lb_call;

/* What a model run may look at and report beside the call itself. */
typedef struct lb_context {
    const lb_profile *profile;
    lb_watch *watch;          /* may be NULL */
    const lb_trace *trace;    /* may be NULL; the recurrent functions tell it their vectors */
    lb_steps *steps;          /* may be NULL: nobody asks for the steps behind an element */
    const struct lb_map *map; /* an edited index map (describe/map.h); NULL: the function's own */
    const struct lb_program_edit *program; /* the same of its vector program (describe/program.h) */
    const struct lb_result_edit *result;   /* the same of how results go into their container
                                              (core/result.h) */
    const struct lb_map *lists; /* the map by which a movement takes lists of parameters; NULL: the
                                   function's own */
    int form; /* the same of a family's formulas, by its own enumeration; 0: as they should be */
} lb_context;

/* Bit-exact model; called only when every rule of the row has passed. */
typedef void (*lb_exact_fn)(const lb_context *context, lb_call *call);

/* Real model in double precision: fills value[role] (row-major order of the role's shape, real
 * numbers, not clamped) for each output whose pointer is not NULL, and likewise span[role]: the
 * same in containers of the output's format, clamped to its range, with how far the definition of
 * the function in the profile of the context may lie from it (span.h). What the spec names as
 * behaviour (saturation of what is stored, wrapped bias, capped shifts) is part of the real
 * function; what it names as inaccuracy (rounding, multipliers, tables) is part of the span.
 * Elements that mean nothing: value NAN. Elements whose accumulator left its width: span unknown.
 * Called with the arguments as they were before the exact model ran. */
typedef struct lb_real_outputs {
    double *value[LB_ROLE_COUNT];
    lb_span *span[LB_ROLE_COUNT];
} lb_real_outputs;
typedef void (*lb_real_fn)(const lb_context *context, const lb_call *call,
                           lb_real_outputs *outputs);

/* What a function checks, in its order. `check` gives LB_OK, the status of the violation, or, where
 * the API does not say what comes of it, LB_UNSAID_STATUS and an lb_unsaid. Most checks are
 * conditions as data (describe/check.h): `c` is the status of a violation. The others have no
 * conditions; a, b, c are roles or numbers as the check function documents. */
typedef struct lb_rule {
    const char *name; /* "in.valid", "bias.scale", ...: what the results call it */
    lb_status (*check)(const lb_context *context, const lb_call *call, const struct lb_rule *rule);
    int a, b, c;
    const struct lb_condition *all; /* NULL: in C */
} lb_rule;

/* `c` of a rule that refuses what the specification leaves undefined, because no model should
 * compute with it: the API promises nothing there, and no port is judged by it. Such rules use `c`
 * for nothing else. */
enum { LB_UNDEFINED = 1 << 12 };

static inline bool lb_rule_is_undefined(const lb_rule *rule)
{
    return rule->c == LB_UNDEFINED;
}

/* Beyond all statuses of the API: what a check gives in place of one. */
enum { LB_UNSAID_STATUS = 1 << 12 };

/* Does this violation of the rule leave the call undefined, and why? */
lb_unsaid lb_violation_unsaid(const lb_rule *rule, lb_status status);
/* Does the function refuse anything that the API says it refuses? */
bool lb_kernel_refuses(const lb_kernel *kernel);

/* What a specialization is made for: the end of its name. */
#define LB_SPECIALS(X)                                                                             \
    X(NONE, "")                                                                                    \
    X(K1X1, "k1x1")                                                                                \
    X(K2X2, "k2x2")                                                                                \
    X(K3X3, "k3x3")                                                                                \
    X(K5X5, "k5x5")                                                                                \
    X(K2X2_STR2, "k2x2_str2")                                                                      \
    X(K4X4_STR2, "k4x4_str2")                                                                      \
    X(EXT_BIAS, "ext_bias") /* the bias holds the input's zero point (conv.md 4.3) */

#define LB_SPECIAL_CODE(name, text) LB_SPECIAL_##name,
typedef enum lb_special { LB_SPECIALS(LB_SPECIAL_CODE) LB_SPECIAL_COUNT } lb_special;

/* The operation of an element-wise function, as in its name. */
#define LB_OPS(X)                                                                                  \
    X(NONE, "")                                                                                    \
    X(ADD, "add")                                                                                  \
    X(SUB, "sub")                                                                                  \
    X(MUL, "mul")                                                                                  \
    X(MIN, "min")                                                                                  \
    X(MAX, "max")

#define LB_OP_CODE(name, text) LB_OP_##name,
typedef enum lb_op { LB_OPS(LB_OP_CODE) LB_OP_COUNT } lb_op;

struct lb_kernel {
    const char *name; /* the public symbol */
    lb_family family;
    const char *variant; /* operand types: "sa8", "fx16_fx8_fx8", ... or "" */
    lb_special special;
    lb_op op; /* of eltwise */
    uint32_t in_type, weights_type,
        bias_type;             /* element types that the variant asks for; 0: not applicable */
    uint32_t out_type;         /* of LiteRT: that of its output */
    int kernel_size;           /* of a _kNxN specialization; else 0 */
    const lb_role_spec *roles; /* in argument order, ended by use LB_USE_NONE */
    lb_config_kind config_kind;
    bool returns_status;            /* false: returns a number or nothing */
    const lb_rule *rules;           /* ended by one without a check; NULL: none */
    lb_exact_fn exact;              /* NULL: no models yet */
    lb_real_fn real;                /* NULL: real numbers mean nothing here, or no models yet */
    void (*refused)(lb_call *call); /* what it writes where it refuses; NULL: nothing */
    const struct lb_map *map;       /* of its own; NULL: that of its family, if that has one */
    lb_set set;                     /* that it belongs to */
};

/* "k3x3"; "": none */
const char *lb_special_name(lb_special special);
/* "add"; "": none */
const char *lb_op_name(lb_op op);
/* Minimum or maximum: one of two elements, and no number between them. */
static inline bool lb_op_picks(lb_op op)
{
    return op == LB_OP_MIN || op == LB_OP_MAX;
}

static inline lb_pattern lb_pattern_of(const lb_kernel *kernel)
{
    return lb_families[kernel->family].pattern;
}

/* Those of MLI. */
extern const lb_kernel lb_kernels[];
extern const size_t lb_kernel_count;

/* ---- Sets of kernels: a row for each ---- */

/* A place of the steps of a function's exact model, and what can happen there in any call, in each
 * profile of its set: bits 1 << lb_event, and LB_STEP_IS_DONE. Of numbers that no step gives (site
 * NONE), which values they can have (lb_value_bit): elements that are given and those of an output
 * (`owner`), fields of the configuration (`field`: their place in it, from 1). */
typedef enum lb_value_bit {
    LB_CAN_BE_LOWEST, /* of its type */
    LB_CAN_BE_ZERO,
    LB_CAN_BE_HIGHEST,
    LB_CAN_BE_NEGATIVE,
    LB_CAN_BE_POSITIVE,
    LB_CAN_BE_HALF /* of 2^31, or more */
} lb_value_bit;
enum { LB_STEP_IS_DONE = 15, LB_PLACE_PROFILES = 2, LB_MOST_STEP_PLACES = 128 };
typedef struct lb_step_place {
    uint16_t site; /* lb_site; LB_SITE_COUNT: no more places */
    uint8_t part, term, owner, field;
    uint16_t can[LB_PLACE_PROFILES];
} lb_step_place;

struct lb_prepared_call;

typedef struct lb_kernel_set {
    const char *name;   /* "mli", "litert" */
    const char *title;  /* for people: "MLI", "LiteRT" */
    const char *prefix; /* with which the names of its functions begin */
    const lb_kernel *kernels;
    const size_t *kernel_count;
    const lb_profile *profiles; /* built in */
    unsigned profile_count;
    const struct lb_known_difference *known; /* of libraries (known.h), ended by one without a name;
                                                NULL: none */
    /* From scales to the integers of a call (prepared_call.h), in a profile; false: it says why
     * not. NULL: calls of this set are not prepared. */
    bool (*prepare)(const lb_profile *profile, struct lb_prepared_call *call);
    unsigned (*brings)(const lb_kernel *kernel); /* what its operator brings with it */
    const char *const *activations;              /* that operators bring with them, ended by NULL */
    const lb_step_place *const *step_places;     /* by kernel; NULL: they are not listed */
    const struct lb_domain *const *domains;      /* tables (domain.h), ended by NULL */
    bool has_features; /* its platforms differ in features too (core/feature_table.h) */
} lb_kernel_set;

extern const lb_kernel_set lb_set_mli, lb_set_litert;
extern const lb_kernel_set *const lb_kernel_sets[LB_SET_COUNT];

static inline const lb_kernel_set *lb_kernel_set_of(const lb_kernel *kernel)
{
    return lb_kernel_sets[kernel->set];
}
static inline const lb_step_place *lb_kernel_step_places(const lb_kernel *kernel)
{
    const lb_kernel_set *set = lb_kernel_set_of(kernel);
    return set->step_places ? set->step_places[kernel - set->kernels] : NULL;
}
/* Does the profile tell the numerics of this function's set? */
static inline bool lb_kernel_is_in(const lb_kernel *kernel, const lb_profile *profile)
{
    return kernel->set == profile->set;
}
/* The functions of all sets have numbers, those of MLI first: their places in lb_kernels. */
size_t lb_kernel_number(const lb_kernel *kernel);
size_t lb_kernel_total(void);
/* The function of a number; NULL behind the last. */
const lb_kernel *lb_kernel_at(size_t number);
/* Its name, for lists that are gone through to suggest one; NULL behind the last. */
const char *lb_kernel_name_at(const void *unused, size_t number);
/* A built-in profile of any set by name, or NULL. */
const lb_profile *lb_profile_named(const char *name);

/* Row by public name, or NULL: of any set. */
const lb_kernel *lb_kernel_find(const char *name);
/* The role's row in the kernel's list, or NULL. */
const lb_role_spec *lb_kernel_role(const lb_kernel *kernel, lb_role role);
/* Its name without what all names begin with: "sigm_fx8". */
const char *lb_kernel_short_name(const lb_kernel *kernel);
/* Weights of any kind. */
bool lb_role_is_weights(lb_role role);
/* The element type that the function's variant gives a role: that of its weights, its bias, or else
 * its input; 0: any. */
uint32_t lb_variant_type(const lb_kernel *kernel, lb_role role);
/* The same, where functions name the types of their operands one by one (float4.md) these. */
uint32_t lb_asked_type(const lb_kernel *kernel, lb_role role);

/* The profile as it is for one function: what its features change is filled in. The copy must live
 * as long as the model runs; `lanes` is room for its partial sums. */
enum { LB_MAX_LANES = 32 };
typedef struct lb_profile_here {
    lb_profile profile;
    int64_t lanes[LB_MAX_LANES];
} lb_profile_here;
const lb_profile *lb_profile_of(const lb_profile *profile, const lb_kernel *kernel,
                                lb_profile_here *here);
/* The operand types of a function, as far as features tell them apart. */
lb_types lb_types_of(const lb_kernel *kernel);

/* The models in the profile of the context, with its features. */
void lb_model_exact(const lb_context *context, lb_call *call);
void lb_model_real(const lb_context *context, const lb_call *call, lb_real_outputs *outputs);

/* Goes through the rules in order: the first that is violated, or NULL. Sets call->status and
 * call->undefined. */
const lb_rule *lb_check_call(const lb_context *context, lb_call *call);

/* Goes through the rules in order and, if all pass, runs the exact model. Sets call->status (or
 * return_value) and call->undefined. Gives the first violated rule, or NULL. kernel->exact must not
 * be NULL. */
const lb_rule *lb_run_exact(const lb_context *context, lb_call *call);

/* Does it write zeros, whatever comes (a QUIRK of elementwise.md 7)? */
bool lb_kernel_writes_zeros(const lb_kernel *kernel);
/* Is it a function whose numbers depend on avepool16 (pooling_and_movement.md 2.6)? */
bool lb_kernel_has_avepool16(const lb_kernel *kernel);
/* lb_profile_number, as far as it matters to this function: where avepool16 does not, without. */
int lb_kernel_numerics(const lb_kernel *kernel, const lb_profile *profile);
/* The same of the numerics in which a port is asked. */
int lb_kernel_asked(const lb_kernel *kernel, const lb_profile *profile);

#endif
