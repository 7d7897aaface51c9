/* Faults of a recurrent cell as a whole: what its steps take, formats on the way, activations,
 * state from frame to frame. */
#include "harness/faults/places.h"
#include "harness/faults/program_edits.h"
#include "harness/faults/reading_runs.h"
#include "harness/faults/views.h"

#include <string.h>

/* `role` of a fault that is of one cell alone: its number. */
static bool has_cell(const lb_kernel *kernel)
{
    return lb_is_recurrent(kernel) && lb_program_has(lb_program_of(kernel), LB_VECTOR_OLD);
}

static const lb_program_step *steps_of(const lb_kernel *kernel)
{
    return lb_program_of(kernel)->step;
}

static int length_of(const lb_kernel *kernel)
{
    return (int)lb_program_length(lb_program_of(kernel));
}

static int gates_of(const lb_kernel *kernel)
{
    return lb_program_of(kernel)->gates;
}

/* ---- In words ---- */

static const lb_program *program_of(const lb_fault *fault)
{
    return lb_program_of_cell(fault->role);
}

static const char *vector_name(const lb_fault *fault, int vector, lb_arena *arena)
{
    const char *name = program_of(fault)->vector[vector % LB_VECTOR_BEFORE].label;
    return vector < LB_VECTOR_BEFORE ? name
                                     : lb_arena_printf(arena, "%s of the frame before", name);
}

static const char *step_name(const lb_fault *fault, int step, lb_arena *arena)
{
    const lb_program_step *s = &program_of(fault)->step[step];
    const char *name = vector_name(fault, s->out, arena);
    return s->operation == LB_PROGRAM_SUM ? lb_arena_printf(arena, "gate %s", name) : name;
}

static const char *operand_name(const lb_fault *fault, lb_arena *arena)
{
    const lb_program_step *s = &program_of(fault)->step[fault->dim / 2];
    return vector_name(fault, fault->dim % 2 ? s->b.vector : s->a.vector, arena);
}

/* Words of patterns: what the members of a fault are in its program. */
static const char *cell_word(const void *of, const char *word, int32_t *n, lb_arena *arena)
{
    const lb_fault *f = of;
    const bool is_every = f->dim >= LB_CELL_EVERY_SUM;
    if (strcmp(word, "vector") == 0)
        return vector_name(f, f->other_dim, arena);
    if (strcmp(word, "operand") == 0)
        return operand_name(f, arena);
    if (strcmp(word, "step") == 0)
        return is_every ? "" : step_name(f, f->dim / 2, arena);
    if (strcmp(word, "result") == 0)
        return f->dim == LB_CELL_CARRIED ? "the hidden state" : step_name(f, f->dim, arena);
    if (strcmp(word, "gate") == 0)
        return f->dim == LB_CELL_ALL_GATES ? "all gates" : vector_name(f, f->dim, arena);
    *n = strcmp(word, "when") == 0    ? f->argument % LB_CELL_WHENS
         : strcmp(word, "alone") == 0 ? f->argument / LB_CELL_WHENS
         : strcmp(word, "part") == 0  ? !is_every && f->dim % 2
         : strcmp(word, "own") == 0   ? lb_program_maker(program_of(f), f->dim)->activation
         : strcmp(word, "every") == 0 ? (is_every ? f->dim - LB_CELL_EVERY_SUM + 1 : 0)
         : strcmp(word, "mixed") == 0 ? f->other_dim & (LB_MIXED_ZERO_POINT | LB_MIXED_SCALE)
         : strcmp(word, "back") == 0  ? (f->other_dim & LB_CELL_MIXED_BACK) != 0
                                      : *n;
    return NULL;
}

#define WHEN      "{when=|, in the first frame alone|, in all frames but the first}"
#define IN_FORMAT "{alone=|, in the format of that}"
#define FORMAT    "{to=|gates before their activation|sigm|tanh|h|in|prev_out|cell|out}"
#define RESULT    "{result} as " FORMAT WHEN
#define OPERAND   .place = "{vector} in place of {operand} for {step}" IN_FORMAT WHEN
#define EVERY                                                                                      \
    "{every=|sums of all gates|all activations|all products and sums of vectors|all products of "  \
    "vectors|all sums of vectors}"
#define NUMERICS                                                                                   \
    "{to=cuts towards minus infinity|cuts towards zero|rounds ties away from zero|rounds ties to " \
    "even|rounds ties up|wraps in the container|keeps -128 or -32768 out|rounds twice, after a "   \
    "high multiplication|rounds the sum once|saturates before the zero point is added}"

static LB_DESCRIBES(tell_activation)
{
    if (fault->dim == LB_CELL_ALL_GATES)
        return "tanh and sigm exchanged in all gates";
    return lb_text_by(
        fault->dim == LB_CELL_TANH_MOVED
            ? "gate {vector} takes tanh, and all others sigm"
            : "gate {gate}, {to=none|tanh|sigm} for {own=none|tanh|sigm}" IN_FORMAT WHEN,
        lb_fault_word, fault, arena);
}

/* ---- Places ---- */

static bool is_made(const lb_kernel *kernel, int vector, int step)
{
    const lb_program *program = lb_program_of(kernel);
    const lb_program_step *maker = lb_program_maker(program, vector);
    if (vector == LB_VECTOR_STATE_PLACE) /* by what is written over the state */
        maker = lb_program_maker(program, LB_VECTOR_KEPT);
    return program->vector[vector].place != LB_PLACE_NONE &&
           (!maker || maker < &program->step[step]);
}

/* The same number as of another change: r * h for h * z is r for z. */
static bool is_other_change(int right, int other)
{
    return right == LB_VECTOR_KEPT && other == LB_VECTOR_RESET;
}

/* Vectors whose formats are always the same have the same number. */
static int class_of(const lb_kernel *kernel, int vector)
{
    const lb_program *program = lb_program_of(kernel);
    const lb_program_step *maker = lb_program_maker(program, vector);
    if (!maker)
        return (int)program->vector[vector].given;
    if (maker->operation == LB_PROGRAM_ACTIVATE) /* that of the function, whichever it is */
        return LB_FORMAT_COUNT + vector;
    if (maker->operation != LB_PROGRAM_SUM)
        return maker->format;
    return maker->activation == LB_ACTIVATION_TANH ? LB_FORMAT_TANH : LB_FORMAT_SIGM;
}

static bool takes_two(const lb_program_step *s)
{
    return s->operation == LB_PROGRAM_MUL || s->operation == LB_PROGRAM_ADD;
}

/* Places of a change. */
#define CELLS(name, change, condition, ...)                                                        \
    LB_OWN_PLACES(name, condition, .other = {change, change}, __VA_ARGS__)
#define OF_EITHER .role = {1, LB_PROGRAM_CELLS}

/* One vector for another, in these frames; and its data in the format of the other. */
static bool is_operand(const lb_kernel *kernel, const lb_fault *f)
{
    const lb_program_step *s = &steps_of(kernel)[f->dim / 2];
    const int right = f->dim % 2 ? s->b.vector : s->a.vector, v = f->other_dim;
    if ((f->dim % 2 && !takes_two(s)) || (v >= LB_VECTOR_INPUT && v != LB_VECTOR_BEFORE + right))
        return false;
    if (v >= LB_VECTOR_BEFORE)
        return f->argument == LB_CELL_ALWAYS;
    return v != right && is_made(kernel, v, f->dim / 2) && !is_other_change(right, v) &&
           (f->argument < LB_CELL_WHENS || class_of(kernel, right) != class_of(kernel, v));
}

static bool has_format(const lb_kernel *kernel, int format)
{
    return has_cell(kernel) || format != LB_FORMAT_CELL;
}

static bool is_read_as(const lb_kernel *kernel, const lb_fault *f)
{
    const lb_program_step *s = &steps_of(kernel)[f->dim / 2];
    return (f->dim % 2 == 0 || takes_two(s)) && s->operation != LB_PROGRAM_ONE_LESS &&
           class_of(kernel, f->dim % 2 ? s->b.vector : s->a.vector) != f->other_dim &&
           has_format(kernel, f->other_dim);
}

static bool is_of(const lb_kernel *kernel, const lb_fault *at, int step)
{
    return at->role == lb_program_cell(kernel) && step < length_of(kernel);
}

/* Of a tensor, whatever the frame: of gates and of the state as well. */
static bool is_of_other(const lb_kernel *kernel, const lb_fault *at)
{
    if (!lb_is_recurrent(kernel) || at->role != lb_program_cell(kernel) ||
        !has_format(kernel, at->other_dim))
        return false;
    if (at->dim == LB_CELL_CARRIED)
        return at->other_dim != LB_FORMAT_OUT;
    return at->dim < length_of(kernel) &&
           (steps_of(kernel)[at->dim].operation == LB_PROGRAM_ACTIVATE ||
            steps_of(kernel)[at->dim].format != at->other_dim);
}

static bool is_formatted(const lb_kernel *kernel, const lb_fault *at)
{
    return (at->argument != LB_CELL_ALWAYS || !is_of_other(kernel, at) ||
            at->other_dim < LB_FORMAT_IN) &&
           takes_two(&steps_of(kernel)[at->dim]) &&
           at->other_dim != steps_of(kernel)[at->dim].format && has_format(kernel, at->other_dim);
}

#define OPERANDS OF_EITHER, .dim = {0, 2 * LB_PROGRAM_STEPS - 1}
#define VECTORS  .to = {0, LB_VECTOR_BEFORE + LB_VECTOR_COUNT}, .most = 5
#define FORMATS  .to = {LB_FORMAT_SUMS, LB_FORMAT_COUNT - 1}

CELLS(operands, LB_CELL_OPERAND,
      is_of(kernel, at, at->dim / 2) && at->argument % LB_CELL_WHENS == LB_CELL_ALWAYS &&
          is_operand(kernel, at),
      OPERANDS, VECTORS)
CELLS(operands_of_frames, LB_CELL_OPERAND,
      is_of(kernel, at, at->dim / 2) && at->argument % LB_CELL_WHENS != LB_CELL_ALWAYS &&
          is_operand(kernel, at),
      OPERANDS, VECTORS)
CELLS(readings, LB_CELL_READ_AS, is_of(kernel, at, at->dim / 2) && is_read_as(kernel, at), OPERANDS,
      FORMATS)
CELLS(formats_of_others, LB_CELL_FORMAT, is_of_other(kernel, at), OF_EITHER,
      .dim = {0, LB_CELL_CARRIED}, .to = {LB_FORMAT_IN, LB_FORMAT_OUT})
CELLS(formats, LB_CELL_FORMAT, is_of(kernel, at, at->dim) && is_formatted(kernel, at), OF_EITHER,
      .dim = {0, LB_PROGRAM_STEPS - 1}, FORMATS, .most = LB_CELL_WHENS - 1)

static LB_PLACES(activations)
{
    const lb_program *program = lb_program_of(scope->kernel);
    bool is_sa = lb_is_sa(scope->kernel->in_type);
    lb_fault fault = {.kind = kind, .other_role = LB_CELL_ACTIVATION, .dim = LB_CELL_ALL_GATES};
    sink(user, &fault);
    fault.role = (int8_t)lb_program_cell(scope->kernel);
    fault.dim = LB_CELL_TANH_MOVED;
    for (fault.other_dim = 0; fault.other_dim < gates_of(scope->kernel); fault.other_dim++)
        if (lb_program_maker(program, fault.other_dim)->activation != LB_ACTIVATION_TANH)
            sink(user, &fault);
    for (fault.dim = 0; fault.dim < gates_of(scope->kernel); fault.dim++)
        for (fault.other_dim = 0; fault.other_dim <= LB_ACTIVATION_SIGM; fault.other_dim++)
            for (fault.argument = 0; fault.argument < 2 * LB_CELL_WHENS; fault.argument++) {
                bool alone = fault.argument / LB_CELL_WHENS != 0;
                bool none = fault.other_dim == LB_ACTIVATION_NONE;
                bool own = fault.other_dim == lb_program_maker(program, fault.dim)->activation;
                if (!own && (!alone || (is_sa && !none)))
                    sink(user, &fault);
            }
}

static bool is_gate_format(const lb_kernel *kernel, const lb_fault *at)
{
    const bool is_sa = lb_is_sa(kernel->in_type), is_of_all = at->dim == LB_CELL_ALL_GATES;
    return at->role == (is_of_all ? 0 : lb_program_cell(kernel)) &&
           (is_of_all || at->dim < gates_of(kernel)) &&
           !(is_sa && (at->other_dim == LB_CELL_FORMAT_UNLIMITED ||
                       at->other_dim == LB_CELL_FORMAT_OF_PRODUCTS));
}
CELLS(gate_formats, LB_CELL_GATE_FORMAT, is_gate_format(kernel, at), .role = {0, LB_PROGRAM_CELLS},
      .dim = {0, LB_CELL_ALL_GATES}, .to = {0, LB_CELL_FORMAT_OF_PRODUCTS})

static bool has_excess(const lb_kernel *kernel)
{
    const lb_program *program = lb_program_of(kernel);
    return lb_program_maker(program, program->gates - 1)->excess[0].scale != 0;
}

CELLS(excesses, LB_CELL_EXCESS,
      at->role == lb_program_cell(kernel) && has_excess(kernel) && lb_is_sa(kernel->in_type) &&
          at->dim == (at->other_dim == LB_CELL_EXCESS_OF_ALL ? LB_CELL_ALL_GATES : 2),
      OF_EITHER, .dim = {2, LB_CELL_ALL_GATES}, .to = {0, LB_CELL_EXCESS_OF_ALL})

/* In one of the first frames; the format in all. */
CELLS(holds, LB_CELL_HOLD,
      at->other_dim == LB_CELL_HELD_FORMAT
          ? at->dim == 0 && at->argument == 0
          : at->argument % LB_CELL_ALONE == 0 &&
                (has_cell(kernel) || at->other_dim == LB_CELL_HELD_STATE),
      .dim = {0, 3}, .to = {LB_CELL_HELD_STATE, LB_CELL_HELD_FORMAT}, .most = LB_CELL_ALONE)

/* The hidden state, the cell or both; but for its format, the hidden state. */
static bool is_state(const lb_kernel *kernel, int what)
{
    const int most = has_cell(kernel) ? LB_CELL_HELD_STATE | LB_CELL_HELD_CELL : LB_CELL_HELD_STATE;
    const int which = what & ~LB_CELL_HELD_FORMAT;
    return lb_is_recurrent(kernel) && which >= LB_CELL_HELD_STATE && which <= most &&
           (which == what || (which & LB_CELL_HELD_STATE));
}

enum { MOST_FRAMES = 3 };
#define STATES                                                                                     \
    .to = {LB_CELL_HELD_STATE, LB_CELL_HELD_STATE | LB_CELL_HELD_CELL | LB_CELL_HELD_FORMAT}
CELLS(states, LB_CELL_BEGIN, is_state(kernel, at->other_dim), STATES)
CELLS(states_of_a_frame, LB_CELL_BEGIN, is_state(kernel, at->other_dim), .dim = {1, MOST_FRAMES},
      STATES)
CELLS(states_two_back, LB_CELL_TWO_BACK, lb_is_recurrent(kernel), .dim = {2, MOST_FRAMES + 1})

CELLS(shares, LB_CELL_SHARES,
      lb_is_recurrent(kernel) && lb_program_has(lb_program_of(kernel), LB_VECTOR_COMPLEMENT), )

CELLS(sums, LB_CELL_SUMS, lb_is_recurrent(kernel) && at->other_dim != 0, .to = {-2, 2})
CELLS(sums_scales, LB_CELL_SUMS_SCALE,
      lb_is_recurrent(kernel) && lb_is_sa(kernel->in_type) && at->other_dim != 0 &&
          lb_program_of(kernel)->sums.sa8.scale + at->other_dim > 0,
      .to = {-2, 2})

CELLS(rows, LB_CELL_ROWS, true, .to = {LB_ROWS_AS_INPUT, LB_ROWS_REVERSED})

/* Can this way make a difference in such a step? */
static bool may_be_so(const lb_kernel *kernel, const lb_program_step *s, int part, int how)
{
    bool is_sa = lb_is_sa(kernel->in_type),
         looks_up = s->operation == LB_PROGRAM_ACTIVATE || (s->operation == LB_PROGRAM_SUM && part);
    if (how == LB_CELL_ONE_ROUNDING)
        return is_sa && s->operation == LB_PROGRAM_ADD;
    if (how == LB_CELL_CLIPS_EARLY)
        return is_sa && takes_two(s);
    return how != LB_CELL_HIGH_PRODUCT || (is_sa && !looks_up);
}

static bool is_numerics(const lb_kernel *kernel, const lb_fault *at)
{
    if (at->dim >= LB_CELL_EVERY_SUM || !is_of(kernel, at, at->dim / 2))
        return at->dim >= LB_CELL_EVERY_SUM && at->role == 0;
    const lb_program_step *s = &steps_of(kernel)[at->dim / 2];
    return s->operation != LB_PROGRAM_ONE_LESS &&
           (at->dim % 2 == 0 || s->operation == LB_PROGRAM_SUM) &&
           may_be_so(kernel, s, at->dim % 2, at->other_dim);
}
CELLS(numerics, LB_CELL_NUMERICS, is_numerics(kernel, at), .role = {0, LB_PROGRAM_CELLS},
      .dim = {0, LB_CELL_EVERY_ADDITION}, .to = {0, LB_CELL_NUMERICS_COUNT - 1})

static bool is_mixture(const lb_kernel *kernel, int what)
{
    return what == LB_MIXED_SCALE || (what != 0 && lb_is_sa(kernel->in_type));
}
CELLS(mixtures, LB_CELL_MIXED,
      is_mixture(kernel, at->other_dim &(LB_MIXED_ZERO_POINT | LB_MIXED_SCALE)),
      .dim = {LB_CELL_EVERY_VECTOR, LB_CELL_EVERY_ADDITION}, .to = {0, LB_CELL_MIXED_COUNT - 1})

/* ---- Sums of pairs: rnn_dense, and every gate ---- */

/* Changes with the first and the last of other_dim; in words, and for the last pair, or all. */
#define OF_ALL "and aligned to the products of that"
static const struct {
    int8_t first, last;
    bool of_fx, of_sa;
    const char *words[2];
} pair_changes[LB_PAIRS_CHANGES] = {
    /* clang-format off */
    [LB_PAIRS_BIAS_AGAIN] = {1, LB_PAIRS_ALL, true, true, {"the bias is added with number {to} (from 0) again", "the bias is added with each of them"}},
    [LB_PAIRS_BIAS_AGAIN_ALIGNED] = {1, LB_PAIRS_ALL, true, false, {"the bias is added with number {to} (from 0) again, aligned to the products of that", "the bias is added with each of them, aligned to the products of each"}},
    [LB_PAIRS_BIAS_ALIGNED] = {1, LB_PAIRS_ALL, true, false, {"the bias is aligned to the products of number {to}", "the bias is aligned to the products of the last"}},
    [LB_PAIRS_BIAS_LAST] = {0, 0, true, false, {"the bias is added behind all of them, in steps of the result"}},
    [LB_PAIRS_SCALES_OF_FIRST] = {1, 3, true, true, {"the scale of the first is taken for all, of {to=|inputs|weights|inputs and weights}"}},
    [LB_PAIRS_ONE_ROUNDING] = {0, 1, true, true, {"they are added up first and rounded once, {to=where formats are equal|in the format of the first}"}},
    [LB_PAIRS_BIAS_MOVED] = {1, LB_PAIRS_ALL, true, true, {"the bias is added with number {to} (from 0), in place of the first", "the bias is added with the last, in place of the first"}},
    [LB_PAIRS_BIAS_MOVED_ALIGNED] = {1, LB_PAIRS_ALL, true, false, {"the bias is added with number {to} (from 0), " OF_ALL, "the bias is added with the last, " OF_ALL}},
    [LB_PAIRS_BIAS_MIXED] = {0, 1, true, false, {"the bias is aligned to the {to=first|last} input and the {to=last|first} weights"}},
    [LB_PAIRS_NOT_CLEARED] = {0, 0, true, true, {"each sum begins with that of the pair before"}},
    [LB_PAIRS_ZERO_OF] = {0, 1, false, true, {"the zero point of the {to=first|last} input is taken for all"}},
    /* clang-format on */
};

static bool is_pair(const lb_kernel *kernel, const lb_fault *f)
{
    const bool is_sa = lb_is_sa(kernel->in_type);
    return (is_sa ? pair_changes[f->dim].of_sa : pair_changes[f->dim].of_fx) &&
           f->other_dim >= pair_changes[f->dim].first && f->other_dim <= pair_changes[f->dim].last;
}
CELLS(pairs, LB_CELL_PAIRS, is_pair(kernel, at), .dim = {LB_PAIRS_RIGHT + 1, LB_PAIRS_CHANGES - 1},
      .to = {0, LB_PAIRS_ALL})

static LB_PLACES(pairs_of_lists)
{
    if (lb_pattern_of(scope->kernel) == LB_PATTERN_DENSE_LISTS)
        pairs(kind, scope, sink, user);
}

static LB_DESCRIBES(tell_pairs)
{
    const bool is_last = fault->other_dim == LB_PAIRS_ALL;
    return lb_text_by(pair_changes[fault->dim].words[is_last], lb_fault_word, fault, arena);
}

/* ---- Where each gate begins ---- */

/* As if there were no gap between gates; rows have theirs. */
static int64_t close_gates(const lb_tensor *t, const uint32_t *index, const void *user)
{
    bool with_gaps = *(const int32_t *)user != 0;
    int64_t row = t->rank <= 2 ? 1 : with_gaps ? t->mem_stride[1] : (int64_t)t->shape[2];
    int64_t at = (int64_t)index[0] * t->shape[1] * row;
    for (uint32_t d = 1; d < t->rank; d++)
        at += (int64_t)index[d] * t->mem_stride[d];
    return at;
}

/* role: of one operand, or LB_ROLE_COUNT: of all. */
static bool run_close_gates(lb_fault_view *view)
{
    const lb_fault *fault = view->run->fault;
    bool changed = false;
    for (size_t r = 0; r < LB_GATE_ROLES; r++)
        if (fault->role == lb_gate_roles[r] || fault->role == LB_ROLE_COUNT)
            changed |= lb_view_remap(view, lb_gate_roles[r], 0, close_gates, &fault->argument);
    return changed;
}

static LB_PLACES(gate_starts)
{
    static const int roles[] = {LB_ROLE_COUNT, LB_ROLE_WEIGHTS_IN, LB_ROLE_WEIGHTS_OUT,
                                LB_ROLE_BIAS};
    for (size_t r = 0; lb_is_recurrent(scope->kernel) && r < sizeof roles / sizeof *roles; r++)
        for (int rows_too = 0; rows_too < 2; rows_too++)
            sink(user, &(lb_fault){.kind = kind, .role = (int8_t)roles[r], .argument = rows_too});
}

static LB_DESCRIBES(tell_gate_starts)
{
    const char *role =
        fault->role == LB_ROLE_COUNT ? "weights and bias" : lb_role_name((lb_role)fault->role);
    return lb_arena_printf(arena, "%s%s", role, fault->argument ? ", rows with their gaps" : "");
}

/* ---- More orders of gates than the bank has ---- */

/* One for all from a gate on, the one before, moved round. */
static void put_more_orders(const lb_fault_scope *scope, lb_fault_sink sink, void *user)
{
    static const int of_4[] = {1111, 1211, 1222, 1123, 2341, 4123, 0};
    static const int of_3[] = {111, 112, 231, 312, 0};
    const lb_fault_kind *kind = lb_fault_kind_find("reading.gates.of_one");
    for (size_t r = 0; kind && r < LB_GATE_ROLES; r++)
        for (const int *order = gates_of(scope->kernel) == 4 ? of_4 : of_3; *order != 0; order++)
            sink(user,
                 &(lb_fault){.kind = kind, .role = (int8_t)lb_gate_roles[r], .argument = *order});
}

/* ---- The table ---- */

#define CELL(name_, words_, look_, prior_, places_, place_)                                        \
    {                                                                                              \
        .name = "cell." name_, .group = LB_FAULTS_READING, .words = words_, .look_for = look_,     \
        .sections = "recurrent.md 6 to 8", .prior = prior_, .places = places_, .word = cell_word,  \
        place_, .run = lb_program_fault_run                                                        \
    }

#define STATE(name_, words_, look_, prior_, places_, place_)                                       \
    LB_KIND(LB_FAULTS_READING, name_, words_, look_, "recurrent.md 6 to 8", prior_, places_,       \
            place_, lb_program_fault_run)
#define STATE_NAMES                                                                                \
    "{to=|the hidden state|the cell|both||the hidden state, in the format of out||both, in the "   \
    "format of out}"

/* clang-format off */
static const lb_fault_kind cell_kinds[] = {
    CELL("activation", "activates a gate with another function", "which function and which table each gate is given", 6, activations, .describe = tell_activation),
    CELL("operand", "takes another vector", "names and rows of vectors on the way", 6, operands, OPERAND),
    CELL("gate_format", "keeps gates in another format before their activation", "the constant format of the gates", 4, gate_formats, .place = "{gate}: {to=that of the other cell (LSTM, GRU)|the constant one, whatever the products have|that of out|that of the products}"),
    CELL("excess", "treats what this function adds to the scale of the weights of gate n otherwise", "the QUIRK of gate n: scale and 4, scale_frac_bits and 2", 6, excesses, .place = "{to=it is left out|weights with a scale for each gate have it too|of the scale alone|of scale_frac_bits alone|of weights_in alone|of weights_out alone|all gates have it}"),
    CELL("hold", "does not keep the state that a frame leaves", "what a frame leaves for the next", 5, holds, .place = "{to=|the hidden state|the cell|both|the format of the hidden state}, frame {dim} (from 0){n= and all later ones||| alone}"),
    CELL("format", "leaves a vector on the way in another format", "formats of vectors on the way", 5, formats, .place = RESULT),
    CELL("read_as", "reads a vector on the way in another format", "formats of vectors on the way", 3, readings, .place = "{operand} as " FORMAT ", for {step}"),
    CELL("rows", "writes the rows of all results in another order", "which row a frame writes", 6, rows, .place = "{to=|in the order of the input|from the last back}"),
    CELL("numerics", "computes a whole step with another rounding or other limits", "rounding and saturation of this step, in all variants", 5, numerics, .place = EVERY "{step}{part=|, activation}: " NUMERICS),
    CELL("mixed", "takes the format of one operand for that of the other", "parameters of both operands of eltwise functions", 5, mixtures, .place = EVERY ": the {mixed=|zero point|scale or fractional bits|whole format} of the {back=first|second} for the {back=second|first}"),
    CELL("operand_in_frames", "takes another vector", "what differs between first and later frames", 3, operands_of_frames, OPERAND),
    {.name = NULL},
};

const lb_fault_kind lb_fault_program_kinds[] = {
    {LB_KIND_OF_CALL(LB_FAULTS_READING, "pairs.otherwise", "adds up pairs of inputs and weights otherwise", "the loop over inputs: what is worked out before it, with each, behind it", "recurrent.md 5", 5, pairs_of_lists, NULL, lb_program_fault_run), .describe = tell_pairs},
    STATE("state.begins_again", "begins every frame with the state that the call began with", "what a frame leaves for the next one", 5, states, STATE_NAMES),
    STATE("state.begins_again_once", "begins one frame with the state that the call began with", "which buffer a frame finds the state in", 3, states_of_a_frame, STATE_NAMES ", in frame {dim} (from 0) alone"),
    STATE("state.two_back", "takes the hidden state of two frames before", "which row of out a frame reads, two buffers in turn", 3, states_two_back, "from frame {dim} (from 0) on"),
    STATE("gates.shares_exchanged", "takes 1 - z of the state and z of what is new", "which of both the gate z keeps: other frameworks have it the other way", 5, shares, "z and 1 - z"),
    {LB_KIND_OF_CALL(LB_FAULTS_READING, "format.of_other", "takes the format of another tensor for that of a vector on the way", "where formats of the state change: first frame, later frames", "recurrent.md 6 to 8", 5, formats_of_others, RESULT, lb_program_fault_run), .word = cell_word},
    STATE("format.gate_bits", "keeps gates with more or fewer fractional bits before their activation", "the constant format of the gates", 5, sums, "{+to}"),
    STATE("format.gate_scale", "keeps gates with another scale before their activation", "the constant format of the gates", 4, sums_scales, "{+to}"),
    {.name = NULL},
};

static const lb_fault_kind close_kind = {.name = "cell.gates_close", .group = LB_FAULTS_READING, .words = "takes gates to lie one after the other, whatever the stride between them is", .look_for = "mem_stride of the first dimension", .sections = "numerics.md 2; recurrent.md 6", .prior = 5, .places = gate_starts, .describe = tell_gate_starts, .run = lb_view_change_run, .change = run_close_gates};
/* clang-format on */

void lb_fault_cells(const lb_fault_scope *scope, lb_fault_sink sink, void *user)
{
    if (!lb_is_recurrent(scope->kernel))
        return;
    pairs(&lb_fault_program_kinds[0], scope, sink, user);
    close_kind.places(&close_kind, scope, sink, user);
    for (const lb_fault_kind *kind = cell_kinds; kind->name; kind++)
        kind->places(kind, scope, sink, user);
    put_more_orders(scope, sink, user);
}
