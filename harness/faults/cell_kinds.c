/* Faults of a recurrent cell as a whole: what its steps take, formats on the way, activations,
 * state from frame to frame. */
#include "harness/faults/places.h"
#include "harness/faults/program_edits.h"

enum { OF_LSTM = 1, OF_GRU };

static bool is_lstm(const lb_fault_scope *scope)
{
    return scope->kernel->family == LB_FAMILY_LSTM;
}

static int role_of(const lb_fault_scope *scope)
{
    return is_lstm(scope) ? OF_LSTM : OF_GRU;
}

static const lb_program_step *steps_of(const lb_fault_scope *scope)
{
    return lb_program_of(scope->kernel)->step;
}

static int length_of(const lb_fault_scope *scope)
{
    return (int)lb_program_length(lb_program_of(scope->kernel));
}

static int gates_of(const lb_fault_scope *scope)
{
    return lb_program_of(scope->kernel)->gates;
}

/* ---- In words ---- */

static const lb_program *program_of(const lb_fault *fault)
{
    return lb_program_of_family(fault->role == OF_LSTM ? LB_FAMILY_LSTM : LB_FAMILY_GRU);
}

static const char *gate_name(const lb_fault *fault, int gate)
{
    return gate == LB_CELL_ALL_GATES ? "all gates" : program_of(fault)->vector[gate].label;
}

static const char *vector_name(const lb_fault *fault, int vector, lb_arena *arena)
{
    const char *name = program_of(fault)->vector[vector % LB_VECTOR_BEFORE].label;
    return vector < LB_VECTOR_BEFORE ? name
                                     : lb_arena_printf(arena, "%s of the frame before", name);
}

static const char *format_name(int format)
{
    static const char *const names[LB_FORMAT_COUNT] = {
        "", "gates before their activation", "sigm", "tanh", "h", "in", "prev_out", "cell", "out"};
    return names[format];
}

static const lb_program_step *step_of(const lb_fault *fault, int step)
{
    return &program_of(fault)->step[step];
}

static const char *step_name(const lb_fault *fault, int step, lb_arena *arena)
{
    const lb_program_step *s = step_of(fault, step);
    return s->operation == LB_PROGRAM_SUM
               ? lb_arena_printf(arena, "gate %s", gate_name(fault, s->out))
               : vector_name(fault, s->out, arena);
}

static const char *when_text(const lb_fault *fault)
{
    static const char *const texts[LB_CELL_WHENS] = {"", ", in the first frame alone",
                                                     ", in all frames but the first"};
    return texts[fault->argument % LB_CELL_WHENS];
}

static LB_DESCRIBES(tell_operand)
{
    const lb_program_step *s = step_of(fault, fault->dim / 2);
    const char *step = step_name(fault, fault->dim / 2, arena);
    const char *right = vector_name(fault, fault->dim % 2 ? s->b.vector : s->a.vector, arena);
    return lb_arena_printf(
        arena, "%s in place of %s for %s%s%s", vector_name(fault, fault->other_dim, arena), right,
        step, fault->argument / LB_CELL_WHENS ? ", in the format of that" : "", when_text(fault));
}

static LB_DESCRIBES(tell_read_as)
{
    const lb_program_step *s = step_of(fault, fault->dim / 2);
    const char *right = vector_name(fault, fault->dim % 2 ? s->b.vector : s->a.vector, arena);
    return lb_arena_printf(arena, "%s as %s, for %s", right, format_name(fault->other_dim),
                           step_name(fault, fault->dim / 2, arena));
}

static LB_DESCRIBES(tell_format)
{
    return lb_arena_printf(arena, "%s as %s%s", step_name(fault, fault->dim, arena),
                           format_name(fault->other_dim), when_text(fault));
}

static LB_DESCRIBES(tell_activation)
{
    static const char *const names[] = {"none", "tanh", "sigm"};
    if (fault->dim == LB_CELL_ALL_GATES)
        return "tanh and sigm exchanged in all gates";
    if (fault->dim == LB_CELL_TANH_MOVED)
        return lb_arena_printf(arena, "gate %s takes tanh, and all others sigm",
                               gate_name(fault, fault->other_dim));
    return lb_arena_printf(
        arena, "gate %s, %s for %s%s%s", gate_name(fault, fault->dim), names[fault->other_dim],
        names[lb_program_maker(program_of(fault), fault->dim)->activation],
        fault->argument / LB_CELL_WHENS ? ", in the format of that" : "", when_text(fault));
}

static LB_DESCRIBES(tell_gate_format)
{
    static const char *const names[] = {"that of the other cell (LSTM, GRU)",
                                        "the constant one, whatever the products have",
                                        "that of out", "that of the products"};
    return lb_arena_printf(arena, "%s: %s", gate_name(fault, fault->dim), names[fault->other_dim]);
}

static LB_DESCRIBES(tell_excess)
{
    static const char *const names[] = {
        "it is left out",      "weights with a scale for each gate have it too",
        "of the scale alone",  "of scale_frac_bits alone",
        "of weights_in alone", "of weights_out alone",
        "all gates have it"};
    (void)arena;
    return names[fault->other_dim];
}

static LB_DESCRIBES(tell_hold)
{
    static const char *const names[] = {"", "the hidden state", "the cell", "both"};
    if (fault->other_dim == LB_CELL_HELD_FORMAT)
        return "the hidden state keeps the format of prev_out";
    return lb_arena_printf(arena, "%s, frame %d (from 0)%s", names[fault->other_dim], fault->dim,
                           fault->argument / LB_CELL_WHENS ? " alone" : " and all later ones");
}

static LB_DESCRIBES(tell_rows)
{
    (void)arena;
    return fault->other_dim == LB_ROWS_AS_INPUT ? "in the order of the input"
                                                : "from the last back";
}

static LB_DESCRIBES(tell_numerics)
{
    static const char *const names[LB_CELL_NUMERICS_COUNT] = {
        "cuts towards minus infinity",
        "cuts towards zero",
        "rounds ties away from zero",
        "rounds ties to even",
        "rounds ties up",
        "wraps in the container",
        "keeps -128 or -32768 out",
        "rounds twice, after a high multiplication",
        "rounds the sum once",
        "saturates before the zero point is added"};
    const char *how = names[fault->other_dim];
    if (fault->dim == LB_CELL_EVERY_SUM)
        return lb_arena_printf(arena, "sums of all gates: %s", how);
    if (fault->dim == LB_CELL_EVERY_ACTIVATION)
        return lb_arena_printf(arena, "all activations: %s", how);
    if (fault->dim == LB_CELL_EVERY_VECTOR)
        return lb_arena_printf(arena, "all products and sums of vectors: %s", how);
    if (fault->dim == LB_CELL_EVERY_PRODUCT)
        return lb_arena_printf(arena, "all products of vectors: %s", how);
    if (fault->dim == LB_CELL_EVERY_ADDITION)
        return lb_arena_printf(arena, "all sums of vectors: %s", how);
    return lb_arena_printf(arena, "%s%s: %s", step_name(fault, fault->dim / 2, arena),
                           fault->dim % 2 ? ", activation" : "", how);
}

static LB_DESCRIBES(tell_mixture)
{
    static const char *const steps[] = {"all products and sums of vectors",
                                        "all products of vectors", "all sums of vectors"};
    static const char *const whats[] = {"", "zero point", "scale or fractional bits",
                                        "whole format"};
    bool back = (fault->other_dim & LB_CELL_MIXED_BACK) != 0;
    return lb_arena_printf(arena, "%s: the %s of the %s for the %s",
                           steps[fault->dim - LB_CELL_EVERY_VECTOR],
                           whats[fault->other_dim & (LB_MIXED_ZERO_POINT | LB_MIXED_SCALE)],
                           back ? "second" : "first", back ? "first" : "second");
}

/* ---- Places ---- */

static bool is_made(const lb_fault_scope *scope, int vector, int step)
{
    const lb_program *program = lb_program_of(scope->kernel);
    const lb_program_step *maker = lb_program_maker(program, vector);
    if (vector == LB_VECTOR_STATE_PLACE) /* by what is written over the state */
        maker = lb_program_maker(program, LB_VECTOR_KEPT);
    return program->vector[vector].place != LB_PLACE_NONE &&
           (!maker || maker < &program->step[step]);
}

/* The same number as of another change: r * h for h * z is r for z. */
static bool is_other_change(const lb_fault_scope *scope, int right, int other)
{
    return !is_lstm(scope) && right == LB_VECTOR_KEPT && other == LB_VECTOR_RESET;
}

/* Vectors whose formats are always the same have the same number. */
static int class_of(const lb_fault_scope *scope, int vector)
{
    const lb_program *program = lb_program_of(scope->kernel);
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

/* One vector for another, in these frames; and its data in the format of the other. */
static void put_operand(const lb_fault_scope *scope, const lb_fault *like, int right, int whens,
                        lb_fault_sink sink, void *user)
{
    int other = like->other_dim % LB_VECTOR_BEFORE;
    bool same = class_of(scope, right) == class_of(scope, other);
    for (int alone = 0; alone < (same ? 1 : 2); alone++)
        for (int when = 0; when < LB_CELL_WHENS; when++) {
            lb_fault fault = *like;
            fault.argument = alone * LB_CELL_WHENS + when;
            if (whens >> when & 1)
                sink(user, &fault);
        }
}

static void put_operands(const lb_fault_kind *kind, const lb_fault_scope *scope, int whens,
                         lb_fault_sink sink, void *user)
{
    const lb_program_step *steps = steps_of(scope);
    for (int n = 0; n < 2 * length_of(scope); n++) {
        const lb_program_step *s = &steps[n / 2];
        int right = n % 2 ? s->b.vector : s->a.vector;
        lb_fault like = {.kind = kind,
                         .role = (int8_t)role_of(scope),
                         .other_role = LB_CELL_OPERAND,
                         .dim = (int8_t)n};
        if (n % 2 && !takes_two(s))
            continue;
        for (int v = 0; v < LB_VECTOR_INPUT; v++) {
            like.other_dim = (int8_t)v;
            if (v != right && is_made(scope, v, n / 2) && !is_other_change(scope, right, v))
                put_operand(scope, &like, right, whens, sink, user);
        }
        like.other_dim = (int8_t)(LB_VECTOR_BEFORE + right);
        if (whens & 1 << LB_CELL_ALWAYS)
            put_operand(scope, &like, right, 1, sink, user);
    }
}

static LB_PLACES(operands)
{
    put_operands(kind, scope, 1 << LB_CELL_ALWAYS, sink, user);
}

static LB_PLACES(operands_of_frames)
{
    put_operands(kind, scope, 1 << LB_CELL_FIRST | 1 << LB_CELL_LATER, sink, user);
}

static LB_PLACES(readings)
{
    const lb_program_step *steps = steps_of(scope);
    for (int n = 0; n < 2 * length_of(scope); n++)
        for (int8_t format = LB_FORMAT_SUMS; format < LB_FORMAT_COUNT; format++) {
            const lb_program_step *s = &steps[n / 2];
            bool own = class_of(scope, n % 2 ? s->b.vector : s->a.vector) == format;
            bool here = (n % 2 == 0 || takes_two(s)) && s->operation != LB_PROGRAM_ONE_LESS;
            if (here && !own && (is_lstm(scope) || format != LB_FORMAT_CELL))
                sink(user, &(lb_fault){.kind = kind,
                                       .role = (int8_t)role_of(scope),
                                       .other_role = LB_CELL_READ_AS,
                                       .dim = (int8_t)n,
                                       .other_dim = format});
        }
}

static LB_PLACES(formats)
{
    const lb_program_step *steps = steps_of(scope);
    for (int8_t n = 0; n < length_of(scope); n++)
        for (int8_t format = LB_FORMAT_SUMS; takes_two(&steps[n]) && format < LB_FORMAT_COUNT;
             format++)
            for (int when = 0; when < LB_CELL_WHENS; when++)
                if (format != (int8_t)steps[n].format &&
                    (is_lstm(scope) || format != LB_FORMAT_CELL))
                    sink(user, &(lb_fault){.kind = kind,
                                           .role = (int8_t)role_of(scope),
                                           .other_role = LB_CELL_FORMAT,
                                           .dim = n,
                                           .other_dim = format,
                                           .argument = when});
}

static LB_PLACES(activations)
{
    const lb_program *program = lb_program_of(scope->kernel);
    bool is_sa = lb_is_sa(scope->kernel->in_type);
    lb_fault fault = {.kind = kind, .other_role = LB_CELL_ACTIVATION, .dim = LB_CELL_ALL_GATES};
    sink(user, &fault);
    fault.role = (int8_t)role_of(scope);
    fault.dim = LB_CELL_TANH_MOVED;
    for (fault.other_dim = 0; fault.other_dim < gates_of(scope); fault.other_dim++)
        if (lb_program_maker(program, fault.other_dim)->activation != LB_ACTIVATION_TANH)
            sink(user, &fault);
    for (fault.dim = 0; fault.dim < gates_of(scope); fault.dim++)
        for (fault.other_dim = 0; fault.other_dim <= LB_ACTIVATION_SIGM; fault.other_dim++)
            for (fault.argument = 0; fault.argument < 2 * LB_CELL_WHENS; fault.argument++) {
                bool alone = fault.argument / LB_CELL_WHENS != 0;
                bool none = fault.other_dim == LB_ACTIVATION_NONE;
                bool own = fault.other_dim == lb_program_maker(program, fault.dim)->activation;
                if (!own && (!alone || (is_sa && !none)))
                    sink(user, &fault);
            }
}

static LB_PLACES(gate_formats)
{
    int8_t most =
        lb_is_sa(scope->kernel->in_type) ? LB_CELL_FORMAT_OF_OUT : LB_CELL_FORMAT_OF_PRODUCTS;
    for (int8_t gate = LB_CELL_ALL_GATES; gate >= 0; gate--)
        for (int8_t format = 0; format <= most; format++)
            if ((gate < gates_of(scope) || gate == LB_CELL_ALL_GATES) &&
                !(most == LB_CELL_FORMAT_OF_OUT && format == LB_CELL_FORMAT_UNLIMITED))
                sink(user,
                     &(lb_fault){.kind = kind,
                                 .role = gate == LB_CELL_ALL_GATES ? 0 : (int8_t)role_of(scope),
                                 .other_role = LB_CELL_GATE_FORMAT,
                                 .dim = gate,
                                 .other_dim = format});
}

static LB_PLACES(excesses)
{
    for (int8_t what = 0; what <= LB_CELL_EXCESS_OF_ALL; what++)
        if (!is_lstm(scope) && lb_is_sa(scope->kernel->in_type))
            sink(user, &(lb_fault){.kind = kind,
                                   .role = OF_GRU,
                                   .other_role = LB_CELL_EXCESS,
                                   .dim = what == LB_CELL_EXCESS_OF_ALL ? LB_CELL_ALL_GATES : 2,
                                   .other_dim = what});
}

static LB_PLACES(holds)
{
    enum { MOST_FRAMES = 4 };
    for (int8_t frame = 0; frame < MOST_FRAMES; frame++)
        for (int8_t what = 1; what <= (is_lstm(scope) ? 3 : 1); what++)
            for (int alone = 0; alone < 2; alone++)
                sink(user, &(lb_fault){.kind = kind,
                                       .other_role = LB_CELL_HOLD,
                                       .dim = frame,
                                       .other_dim = what,
                                       .argument = alone * LB_CELL_ALONE});
    sink(user,
         &(lb_fault){.kind = kind, .other_role = LB_CELL_HOLD, .other_dim = LB_CELL_HELD_FORMAT});
}

static LB_PLACES(rows)
{
    for (int8_t how = LB_ROWS_AS_INPUT; how <= LB_ROWS_REVERSED; how++)
        sink(user, &(lb_fault){.kind = kind, .other_role = LB_CELL_ROWS, .other_dim = how});
    (void)scope;
}

/* Can this way make a difference in such a step? */
static bool may_be_so(const lb_fault_scope *scope, const lb_program_step *s, int part, int how)
{
    bool is_sa = lb_is_sa(scope->kernel->in_type),
         looks_up = s->operation == LB_PROGRAM_ACTIVATE || (s->operation == LB_PROGRAM_SUM && part);
    if (how == LB_CELL_ONE_ROUNDING)
        return is_sa && s->operation == LB_PROGRAM_ADD;
    if (how == LB_CELL_CLIPS_EARLY)
        return is_sa && takes_two(s);
    return how != LB_CELL_HIGH_PRODUCT || (is_sa && !looks_up);
}

static LB_PLACES(numerics)
{
    const lb_program_step *steps = steps_of(scope);
    lb_fault fault = {.kind = kind, .other_role = LB_CELL_NUMERICS};
    for (int8_t how = 0; how < LB_CELL_NUMERICS_COUNT; how++) {
        fault.other_dim = how;
        fault.role = 0;
        for (fault.dim = LB_CELL_EVERY_SUM; fault.dim <= LB_CELL_EVERY_ADDITION; fault.dim++)
            sink(user, &fault);
        fault.role = (int8_t)role_of(scope);
        for (int n = 0; n < 2 * length_of(scope); n++) {
            const lb_program_step *s = &steps[n / 2];
            fault.dim = (int8_t)n;
            if ((n % 2 == 0 || s->operation == LB_PROGRAM_SUM) &&
                s->operation != LB_PROGRAM_ONE_LESS && may_be_so(scope, s, n % 2, how))
                sink(user, &fault);
        }
    }
}

static LB_PLACES(mixtures)
{
    bool is_sa = lb_is_sa(scope->kernel->in_type);
    lb_fault fault = {.kind = kind, .other_role = LB_CELL_MIXED};
    for (fault.dim = LB_CELL_EVERY_VECTOR; fault.dim <= LB_CELL_EVERY_ADDITION; fault.dim++)
        for (fault.other_dim = 0; fault.other_dim < LB_CELL_MIXED_COUNT; fault.other_dim++) {
            int what = fault.other_dim & (LB_MIXED_ZERO_POINT | LB_MIXED_SCALE);
            if (what == LB_MIXED_SCALE || (is_sa && what != 0))
                sink(user, &fault);
        }
}

/* ---- More orders of gates than the bank has ---- */

/* One for all from a gate on, the one before, moved round. */
static void put_more_orders(const lb_fault_scope *scope, lb_fault_sink sink, void *user)
{
    static const int roles[] = {LB_ROLE_WEIGHTS_IN, LB_ROLE_WEIGHTS_OUT, LB_ROLE_BIAS};
    static const int of_4[] = {1111, 1211, 1222, 1123, 2341, 4123, 0};
    static const int of_3[] = {111, 112, 231, 312, 0};
    const lb_fault_kind *kind = lb_fault_kind_find("reading.gates.of_one");
    for (size_t r = 0; kind && r < sizeof roles / sizeof *roles; r++)
        for (const int *order = is_lstm(scope) ? of_4 : of_3; *order != 0; order++)
            sink(user, &(lb_fault){.kind = kind, .role = (int8_t)roles[r], .argument = *order});
}

/* ---- The table ---- */

#define CELL(name_, words_, look_, prior_, places_, describe_)                                     \
    {                                                                                              \
        .name = "cell." name_, .group = LB_FAULTS_READING, .words = words_, .look_for = look_,     \
        .sections = "recurrent.md 6 to 8", .prior = prior_, .places = places_,                     \
        .describe = describe_, .run = lb_program_fault_run                                         \
    }

/* clang-format off */
static const lb_fault_kind cell_kinds[] = {
    CELL("activation", "activates a gate with another function", "which function and which table each gate is given", 6, activations, tell_activation),
    CELL("operand", "takes another vector", "names and rows of vectors on the way", 6, operands, tell_operand),
    CELL("gate_format", "keeps gates in another format before their activation", "the constant format of the gates", 4, gate_formats, tell_gate_format),
    CELL("excess", "treats what this function adds to the scale of the weights of gate n otherwise", "the QUIRK of gate n: scale and 4, scale_frac_bits and 2", 6, excesses, tell_excess),
    CELL("hold", "does not keep the state that a frame leaves", "what a frame leaves for the next", 5, holds, tell_hold),
    CELL("format", "leaves a vector on the way in another format", "formats of vectors on the way", 5, formats, tell_format),
    CELL("read_as", "reads a vector on the way in another format", "formats of vectors on the way", 3, readings, tell_read_as),
    CELL("rows", "writes the rows of all results in another order", "which row a frame writes", 6, rows, tell_rows),
    CELL("numerics", "computes a whole step with another rounding or other limits", "rounding and saturation of this step, in all variants", 5, numerics, tell_numerics),
    CELL("mixed", "takes the format of one operand for that of the other", "parameters of both operands of eltwise functions", 5, mixtures, tell_mixture),
    CELL("operand_in_frames", "takes another vector", "what differs between first and later frames", 3, operands_of_frames, tell_operand),
    {.name = NULL},
};
/* clang-format on */

void lb_fault_cells(const lb_fault_scope *scope, lb_fault_sink sink, void *user)
{
    lb_fault_pairs(scope, sink, user);
    if (!lb_is_recurrent(scope->kernel))
        return;
    for (const lb_fault_kind *kind = cell_kinds; kind->name; kind++)
        kind->places(kind, scope, sink, user);
    put_more_orders(scope, sink, user);
}
