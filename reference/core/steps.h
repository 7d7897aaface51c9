/* The integer steps behind one output element, as a model takes them: what `lastbit explain` prints
 * and replays. Every number of a model is an lb_num: its value, and the step that gave it. The
 * named operations of num.h compute with lb_nums and tell a listener each operation with its
 * operands; without a listener nothing is told. A step's operands are results of earlier steps,
 * given numbers, or constants of the formula: the steps add up. */
#ifndef LB_REFERENCE_STEPS_H
#define LB_REFERENCE_STEPS_H

#include "profile.h"
#include "sites.h"
#include "tensor.h"

/* A number and where it comes from. */
typedef struct lb_num {
    int64_t v;    /* of binary32 operations: the bit pattern, sign-extended */
    int32_t step; /* > 0: number of the operation that gave it; < 0: of a given number; 0: a
                     constant of the formula; below LB_NUM_NO_STEP: see lb_num_of_field */
} lb_num;

/* Numbers that no step gives and that differ from call to call: `step` says of which field of the
 * configuration, by its offset in lb_config; or only that it is none of the formula. */
enum { LB_NUM_FIELD = INT32_MIN, LB_NUM_VARIES = INT32_MIN + 0xffff, LB_NUM_NO_STEP };

/* The operations: their names, and a bit for each operand (bit 3: the result) that is a binary32
 * pattern. Operands in brackets; "width": saturated there, or exact where the width is 0.
 * Spec: numerics.md 3. */
/* clang-format off */
#define LB_OPERATIONS(X) \
    X(GIVEN, "given", 0)     /* a number from outside: the place says which */ \
    X(COPY, "copy", 0)       /* [a] */ \
    X(MAC, "mac", 0)         /* [acc, x, w] acc + x * w, wrapped (or, `saturates`, saturated) \
                                at the width */ \
    X(SKIP, "skip", 0)       /* [acc, x, w] or [acc, x] acc as it is: place lies outside, \
                                where an x might be thought to stand */ \
    X(ADD, "add", 0)         /* [a, b] */ \
    X(SUB, "sub", 0)         /* [a, b] */ \
    X(MUL, "mul", 0)         /* [a, b] exact */ \
    X(TDIV, "tdiv", 0)       /* [a, b] towards zero */ \
    X(NORM, "norm", 0)       /* [v] redundant sign bits in the width */ \
    X(SHL, "shl", 0)         /* [v, n] saturating at the width */ \
    X(ASR, "asr", 0)         /* [v, n] floor(v / 2^n) */ \
    X(RSH, "rsh", 0)         /* [v, n] rounding, in the width */ \
    X(SAT, "sat", 0)         /* [v] to the width */ \
    X(WRAP, "wrap", 0)       /* [v] to the width */ \
    X(MIN, "min", 0)         /* [a, b] */ \
    X(MAX, "max", 0)         /* [a, b] */ \
    X(MOD, "mod", 0)         /* [v, n] v mod 2^n */ \
    X(LOOKUP, "lookup", 0)   /* [i] entry of a table */ \
    X(PLACE, "place", 0)     /* [x, rank] the offset, in elements, of x in its tensor: it \
                                stands at this rank by size */ \
    X(FDIV, "fdiv", 0xF)     /* [a, b] binary32 */ \
    X(FMUL, "fmul", 0xF)     /* [a, b] binary32 */ \
    X(FADD, "fadd", 0xF)     /* [a, b] binary32 */ \
    X(FSCALE, "fscale", 0xD) /* [a, n] binary32 a * 2^n */ \
    X(FLOAT, "float", 0x8)   /* [v] integer to binary32 */ \
    X(FTRUNC, "ftrunc", 0x1) /* [a] binary32 towards zero, to int32 (saturating; NaN: 0) */
/* clang-format on */

#define LB_OPERATION_CODE(name, text, real) LB_STEP_##name,
typedef enum lb_operation { LB_OPERATIONS(LB_OPERATION_CODE) LB_STEP_COUNT } lb_operation;

/* "mac", "rsh", ... */
const char *lb_operation_name(lb_operation operation);
/* Is the operand (or, number 3, the result) of this operation a binary32 pattern? */
bool lb_operation_is_real(lb_operation operation, unsigned operand);

enum { LB_STEP_OPERANDS = 3, LB_STEP_RESULT = 3 };

typedef enum lb_num_place_kind {
    LB_NUM_ELEMENT,      /* of a tensor of the call */
    LB_NUM_PARAMETER,    /* a number of a tensor's quantization */
    LB_NUM_INTERMEDIATE, /* element of a vector that the call itself has made */
    LB_NUM_GEOMETRY /* a number that follows from shapes and configuration: positions in a window */
} lb_num_place_kind;

typedef enum lb_geometry {
    LB_GEOMETRY_NONE,
    LB_GEOMETRY_WINDOW,
    LB_GEOMETRY_ENTRY,
    LB_GEOMETRY_RANK
} lb_geometry;

/* Where a given number stands. */
typedef struct lb_num_place {
    lb_num_place_kind kind;
    lb_owner owner;
    lb_quant_field field; /* of parameters; else LB_QUANT_NONE */
    uint32_t rank;        /* entries of index; parameters: 1 per axis, else 0 */
    int64_t index[LB_MAX_RANK + 1];
    unsigned frame; /* of an intermediate */
    lb_geometry geometry;
} lb_num_place;

/* The parts of computations, with what people call them. */
/* clang-format off */
#define LB_PARTS(X) \
    X(NONE, "") \
    X(ACTIVATED_RESULT, "result: act(cell) * o") \
    X(BIAS, "bias") \
    X(CELL_KEPT, "kept of the cell: cell * f") \
    X(CELL_NEW, "new: g * i") \
    X(CELL_RESULT, "result: cell * o") \
    X(CELL_SUM, "cell: kept + new") \
    X(ENTRY_OF_THE_TABLE, "entry of the table") \
    X(EXPONENTIAL_OF_THE_ELEMENT, "exponential of the element") \
    X(INPUT_ZERO_POINT, "input zero point") \
    X(INVERSE_ROOT_OF_THE_SUM, "inverse root of the sum") \
    X(LARGEST_OF_THE_GROUP, "largest of the group") \
    X(MAXIMUM_OF_THE_WINDOW, "maximum of the window") \
    X(MULTIPLIER_AND_SHIFT, "multiplier and shift") \
    X(MULTIPLIER_OF_THE_WINDOW, "multiplier of the window") \
    X(NORMALIZE, "normalize") \
    X(OFFSET, "offset") \
    X(RATIO_OF_THE_SCALES, "ratio of the scales") \
    X(RECIPROCAL, "reciprocal") \
    X(RECIPROCAL_OF_THE_SUM, "reciprocal of the sum") \
    X(RELU, "relu") \
    X(RELU_LIMITS, "relu limits") \
    X(REQUANTIZE, "requantize") \
    X(RESULT, "result") \
    X(SCALE_AND_SHIFT, "scale and shift") \
    X(SELECTION, "selection") \
    X(SHIFT, "shift") \
    X(SHIFTS, "shifts") \
    X(SIGM, "sigm") \
    X(SLOPE, "slope") \
    X(SOURCE, "source") \
    X(SOURCE_OF_COPY, "source, of a copy of the whole") \
    X(STATE_COMPLEMENT, "1 - z") \
    X(STATE_KEPT, "kept: h * z") \
    X(STATE_NEW, "new: n * (1 - z)") \
    X(STATE_RESET, "r * h") \
    X(STATE_SUM, "result: new + kept") \
    X(SUM_OF_SQUARES, "sum of squares") \
    X(SUM_OF_THE_EXPONENTIALS, "sum of the exponentials") \
    X(TANH, "tanh") \
    X(TAPS, "taps") \
    X(WEIGHTS_OF_THIS_GATE, "weights of this gate") \
    X(ZERO_POINT_TERMS, "zero-point terms")
/* clang-format on */

#define LB_PART_CODE(name, words) LB_PART_##name,
typedef enum lb_part { LB_PARTS(LB_PART_CODE) LB_PART_COUNT } lb_part;

const char *lb_part_words(lb_part part);

/* Which tensor an operand comes from, for places. */
typedef struct lb_origin {
    lb_owner owner;
    int32_t
        lead; /* index of a dimension in front, of which the tensor at hand is a slice; -1: none */
    bool intermediate;
} lb_origin;

typedef struct lb_num_step {
    int32_t number; /* > 0: operations, from 1; < 0: given numbers, from -1 */
    lb_operation operation;
    unsigned operand_count;
    lb_num operand[LB_STEP_OPERANDS];
    int width;
    bool saturates;
    bool of_zero_point;   /* of add, sub: one operand is a zero point */
    lb_rounding rounding; /* of rsh */
    unsigned table;       /* lb_lut_kind of lookup */
    int64_t result;
    lb_site site;        /* of operations: which one of the models */
    lb_part part;        /* of the computation */
    const char *section; /* of the spec */
    lb_block block;      /* of a function with several sums: a gate */
    lb_step_term term;   /* of that block, or of the function */
    unsigned frame;
    uint64_t tap;       /* which tap of a sum, from 1; 0: none */
    lb_num_place place; /* given, skip */
} lb_num_step;

/* What can happen at a step. */
typedef enum lb_event {
    LB_EVENT_TIE_UP_POSITIVE, /* exactly one half was dropped, of a number >= 0, and the result is
                                 the larger neighbour */
    LB_EVENT_TIE_UP_NEGATIVE,
    LB_EVENT_TIE_DOWN_POSITIVE,
    LB_EVENT_TIE_DOWN_NEGATIVE,
    LB_EVENT_HALF_SATURATES, /* adding the half left the width (up) */
    LB_EVENT_VANISHES,       /* shifted by the width or more: 0 */
    LB_EVENT_LEFT_LOW,       /* a left shift saturated */
    LB_EVENT_LEFT_HIGH,
    LB_EVENT_SATURATES_LOW,
    LB_EVENT_SATURATES_HIGH,
    LB_EVENT_WRAPS,
    LB_EVENT_CLAMPED_LOW, /* to a limit of ReLU, or the first entry of a table */
    LB_EVENT_CLAMPED_HIGH,
    LB_EVENT_COUNT
} lb_event;

/* What the model wrote itself, so that it knows a number again when it reads it back. */
typedef struct lb_stored {
    const void *address;
    lb_num number;
} lb_stored;

enum { LB_STEPS_MEMORY = 16 };

/* What a model says of a number and two ends. */
typedef enum lb_claim {
    LB_LIES_WITHIN,            /* in every call that is defined */
    LB_LIES_WITHIN_ON_THE_WAY, /* all sums on the way to this one do */
    LB_LIES_OF_POSITIVE,       /* it does where the first operand of its step is positive */
    LB_IS_MULTIPLE,            /* of the upper end, a power of two */
    LB_SAME_BEYOND /* all that can be from the upper end on give the same results, and all
                      down from the lower */
} lb_claim;

/* The listener: which output element it wants to hear of, and what it is told. Zeroed but for the
 * first five. */
typedef struct lb_steps {
    int role;       /* an output (lb_role) */
    size_t element; /* row-major number in it */
    const void
        *address; /* and where it stands: for functions that write by places rather than by shape */
    void (*step)(void *user, const lb_num_step *step);
    void *user;
    /* Gives the result that the model goes on with: a step can be changed, to see what comes of it.
     * NULL: the result stays. Told before `step`, which may be NULL then. */
    int64_t (*alter)(void *user, const lb_num_step *step);
    /* Is told what the model says of its numbers. NULL: nobody asks. */
    void (*demanded)(void *user, lb_num number, int64_t low, int64_t high, lb_claim claim);
    /* Is told what is stored; false: nobody wants to hear the rest of the call. NULL: all is heard.
     */
    bool (*goes_on)(void *user, const lb_tensor *t, size_t offset, int64_t value);
    bool is_alone;  /* nobody looks at other elements: models need not make them */
    bool stopped;   /* nobody does any more: models may compute the rest as where nobody listens */
    uint32_t heard; /* a bit for each lb_operation of which `step` and `alter` are told; 0: all */
    int32_t operations, givens; /* told so far */
    lb_part part;
    const char *section;
    lb_block block;
    lb_step_term term;
    unsigned frame;
    uint64_t tap;
    lb_stored memory[LB_STEPS_MEMORY];
    unsigned stored;
} lb_steps;

static inline void lb_steps_demand(lb_steps *steps, lb_num number, int64_t low, int64_t high,
                                   lb_claim claim)
{
    if (steps && steps->demanded)
        steps->demanded(steps->user, number, low, high, claim);
}

/* As the element of a listener: it wants every one (coverage counts them all). */
#define LB_STEPS_EVERY UINT32_MAX

/* Is `element` (or unit of a vector) the wanted one? */
static inline bool lb_steps_wants(size_t wanted, size_t element)
{
    return wanted == element || wanted == LB_STEPS_EVERY;
}

/* The listener, if this is the element that it wants; else NULL. steps may be NULL. */
static inline lb_steps *lb_steps_at(lb_steps *steps, int role, size_t element)
{
    return steps && steps->role == role && lb_steps_wants(steps->element, element) &&
                   !steps->stopped
               ? steps
               : NULL;
}

/* Need an output not be made? `at`: who listens to it, of the listeners to the call. */
static inline bool lb_steps_passes_over(const lb_steps *steps, const lb_steps *at)
{
    return steps && steps->is_alone && !at;
}

/* The listener, if it wants this output; else NULL. */
static inline lb_steps *lb_steps_of(lb_steps *steps, int role)
{
    return steps && steps->role == role ? steps : NULL;
}

/* The listener, if the element at this offset is the one that it wants; else NULL. Rank 0: never.
 */
lb_steps *lb_steps_at_offset(lb_steps *steps, const lb_tensor *t, size_t offset);

/* Is anybody told of this operation? Those that nobody hears of are counted all the same. */
static inline bool lb_steps_hears(const lb_steps *steps, lb_operation operation)
{
    return steps->heard == 0 || (steps->heard >> operation & 1) != 0;
}

/* The listener, if it is told of single products; else NULL: they may be added as where nobody
 * listens, and are not numbered. Other profiles than the four may have steps of their own among the
 * products (features.md 7, 8, 10), and are told whole. */
static inline lb_steps *lb_steps_of_products(const lb_profile *profile, lb_steps *steps)
{
    bool hears =
        steps && (profile->has_features || lb_steps_hears(steps, LB_STEP_MAC) ||
                  lb_steps_hears(steps, LB_STEP_SKIP) || lb_steps_hears(steps, LB_STEP_GIVEN));
    return hears ? steps : NULL;
}

/* The number of an operation that nobody hears of. */
static inline lb_num lb_steps_unheard(lb_steps *steps, int64_t result)
{
    return (lb_num){result, ++steps->operations};
}

/* What comes next: part of the computation, and its section of the spec. */
static inline void lb_steps_enter(lb_steps *steps, lb_part part, const char *section)
{
    if (steps) {
        steps->part = part;
        steps->section = section;
        steps->tap = 0;
    }
}

/* The next steps belong to this term: one of several that the same code works on. */
static inline void lb_steps_term(lb_steps *steps, lb_step_term term)
{
    if (steps)
        steps->term = term;
}

/* The next steps belong to this tap (from 1); 0: to none. */
static inline void lb_steps_tap(lb_steps *steps, uint64_t tap)
{
    if (steps)
        steps->tap = tap;
}

/* Tells an operation whose operation, operands, widths, site and result are filled in; the rest is
 * added. */
lb_num lb_steps_tell(lb_steps *steps, lb_num_step *step);
/* Tells a given number. */
lb_num lb_steps_given(lb_steps *steps, lb_num_place place, int64_t value);
/* Tells an element that was read from a tensor, or gives back the number that the model had stored
 * there. */
lb_num lb_steps_loaded(lb_steps *steps, const lb_tensor *t, lb_origin origin, size_t offset,
                       const uint32_t *index, int64_t value);
/* Notes what was stored at an offset of a tensor. */
void lb_steps_note(lb_steps *steps, const lb_tensor *t, size_t offset, lb_num number);
/* The number last stored at an address, or NULL. */
const lb_num *lb_steps_stored_at(const lb_steps *steps, const void *address);

#endif
