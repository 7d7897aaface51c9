/* Vector programs with one thing done otherwise: see program_edits.h. */
#include "harness/faults/program_edits.h"
#include "harness/faults/views.h"

/* A call at work. A second fault may stand beside the first. */
typedef struct edits {
    const lb_fault *fault;
    const lb_call *call;
    const lb_profile *right;
    lb_profile other[2]; /* of steps whose numerics are changed, for each fault */
    const lb_program *own;
    lb_program program; /* that of the frame at hand */
    uint32_t frame;
} edits;

static bool is_alone(const lb_fault *f)
{
    return f->argument / LB_CELL_WHENS != 0;
}

static bool is_of_gate(const lb_fault *f, const lb_program_step *s)
{
    return s->operation == LB_PROGRAM_SUM && (f->dim == LB_CELL_ALL_GATES || f->dim == s->out);
}

/* ---- Operands and formats ---- */

static lb_program_operand *operand_at(lb_program *p, int place)
{
    lb_program_step *s = &p->step[place / 2];
    return place % 2 ? &s->b : &s->a;
}

static unsigned right_vector(const edits *e, int place)
{
    const lb_program_step *s = &e->own->step[place / 2];
    return place % 2 ? s->b.vector : s->a.vector;
}

static void take_vector(edits *e, const lb_fault *f)
{
    unsigned format = is_alone(f) ? LB_FORMAT_OF + right_vector(e, f->dim) : LB_FORMAT_OWN;
    if (f->other_dim < LB_VECTOR_BEFORE || e->frame > 0)
        *operand_at(&e->program, f->dim) =
            (lb_program_operand){.vector = (uint8_t)f->other_dim, .format = (uint8_t)format};
}

/* What another vector is taken for stays as it is. */
static void read_as(edits *e, const lb_fault *f)
{
    lb_program_operand *operand = operand_at(&e->program, f->dim);
    if (operand->vector == right_vector(e, f->dim))
        operand->format = (uint8_t)f->other_dim;
}

/* Of a gate before its activation and behind it; where the step says itself which one it leaves,
 * whoever takes the vector takes it for another. */
static void leave_in_format(edits *e, const lb_fault *f)
{
    const uint8_t format = (uint8_t)f->other_dim;
    if (f->dim == LB_CELL_CARRIED) {
        e->program.carry[LB_CARRY_STATE].format = format;
        return;
    }
    lb_program_step *s = &e->program.step[f->dim];
    const bool is_its_own =
        s->operation == LB_PROGRAM_ACTIVATE || s->operation == LB_PROGRAM_ONE_LESS;
    s->format = s->activated = format;
    for (int n = 0; is_its_own && n < 2 * LB_PROGRAM_STEPS; n++)
        if (right_vector(e, n) == s->out)
            operand_at(&e->program, n)->format = format;
}

static bool is_of_every(int place, const lb_program_step *s, int part)
{
    switch (place) {
    case LB_CELL_EVERY_SUM:
        return s->operation == LB_PROGRAM_SUM && part == 0;
    case LB_CELL_EVERY_ACTIVATION:
        return s->operation == LB_PROGRAM_SUM ? part == 1 : s->operation == LB_PROGRAM_ACTIVATE;
    case LB_CELL_EVERY_PRODUCT:
        return s->operation == LB_PROGRAM_MUL;
    case LB_CELL_EVERY_ADDITION:
        return s->operation == LB_PROGRAM_ADD;
    case LB_CELL_EVERY_VECTOR:
        return s->operation == LB_PROGRAM_MUL || s->operation == LB_PROGRAM_ADD;
    default:
        return false;
    }
}

static void mix_formats(edits *e, const lb_fault *f)
{
    int back = f->other_dim & LB_CELL_MIXED_BACK ? 0 : 1;
    for (int n = 0; n < LB_PROGRAM_STEPS; n++)
        if (is_of_every(f->dim, &e->program.step[n], 0) &&
            operand_at(&e->program, 2 * n + back)->vector == right_vector(e, 2 * n + back))
            operand_at(&e->program, 2 * n + back)->mixed =
                (uint8_t)(f->other_dim & (LB_MIXED_ZERO_POINT | LB_MIXED_SCALE));
}

/* ---- Gates ---- */

static int other_function(int activation)
{
    return activation == LB_ACTIVATION_TANH ? LB_ACTIVATION_SIGM : LB_ACTIVATION_TANH;
}

static void activate(edits *e, const lb_fault *f, lb_program_step *s)
{
    bool is_tanh = s->activation == LB_ACTIVATION_TANH;
    if (s->operation != LB_PROGRAM_SUM)
        return;
    if (f->dim == LB_CELL_ALL_GATES) {
        s->activation = (uint8_t)other_function(s->activation);
    } else if (f->dim == LB_CELL_TANH_MOVED) {
        s->activation = s->out == f->other_dim ? LB_ACTIVATION_TANH : LB_ACTIVATION_SIGM;
    } else if (f->dim == s->out) {
        s->activation = (uint8_t)f->other_dim;
        if (is_alone(f))
            s->activated = is_tanh ? LB_FORMAT_TANH : LB_FORMAT_SIGM;
    }
    (void)e;
}

static void keep_gate_as(edits *e, const lb_fault *f, lb_program_step *s)
{
    static const uint8_t formats[] = {LB_FORMAT_OTHER_SUMS, LB_FORMAT_UNLIMITED_SUMS, LB_FORMAT_OUT,
                                      LB_FORMAT_PRODUCTS};
    const int other = LB_PROGRAM_CELLS + 1 - lb_program_cell(e->call->kernel);
    if (!is_of_gate(f, s))
        return;
    s->format = formats[f->other_dim];
    e->program.other_sums = lb_program_of_cell(other)->sums;
}

static lb_program_excess changed_excess(lb_program_excess own, lb_cell_excess what, bool is_in)
{
    bool spared = (what == LB_CELL_EXCESS_IN_ALONE && !is_in) ||
                  (what == LB_CELL_EXCESS_OUT_ALONE && is_in) || what == LB_CELL_EXCESS_NONE;
    if (spared || what == LB_CELL_EXCESS_FRAC_ALONE)
        own.scale = 0;
    if (spared || what == LB_CELL_EXCESS_SCALE_ALONE)
        own.frac = 0;
    return own;
}

static void change_excess(edits *e, const lb_fault *f, lb_program_step *s)
{
    lb_cell_excess what = (lb_cell_excess)f->other_dim;
    const lb_program_step *last = lb_program_maker(e->own, e->own->gates - 1);
    for (int j = 0; is_of_gate(f, s) && j < 2; j++) {
        lb_program_excess own = what == LB_CELL_EXCESS_OF_ALL ? last->excess[j] : s->excess[j];
        s->excess[j] = changed_excess(own, what, j == 0);
        s->excess_per_axis = what == LB_CELL_EXCESS_PER_AXIS_TOO;
    }
}

static void each_step(edits *e, const lb_fault *f,
                      void (*change)(edits *e, const lb_fault *f, lb_program_step *s))
{
    for (int n = 0; n < LB_PROGRAM_STEPS; n++)
        change(e, f, &e->program.step[n]);
}

/* ---- From frame to frame ---- */

static void hold(edits *e, const lb_fault *f)
{
    lb_program_carry *carry = e->program.carry;
    uint32_t from = (uint32_t)f->dim;
    if (is_alone(f) ? e->frame != from : e->frame < from)
        return;
    if (f->other_dim & LB_CELL_HELD_STATE)
        carry[LB_CARRY_STATE].from = LB_VECTOR_HIDDEN;
    if (f->other_dim & LB_CELL_HELD_CELL)
        carry[LB_CARRY_CELL].from = LB_VECTOR_OLD;
    if (f->other_dim & LB_CELL_HELD_FORMAT)
        carry[LB_CARRY_STATE].format = LB_FORMAT_OWN;
}

/* What the last frame leaves is left. */
static void begin_again(edits *e, const lb_fault *f)
{
    lb_program_carry *carry = e->program.carry;
    const uint32_t next = e->frame + 1, frames = e->call->tensor[LB_ROLE_IN]->shape[0];
    if (next == frames || (f->dim != 0 && (uint32_t)f->dim != next))
        return;
    if (f->other_dim & LB_CELL_HELD_STATE)
        carry[LB_CARRY_STATE].from = LB_VECTOR_FIRST_HIDDEN;
    if (f->other_dim & LB_CELL_HELD_STATE && !(f->other_dim & LB_CELL_HELD_FORMAT))
        carry[LB_CARRY_STATE].format = LB_FORMAT_PREV_OUT;
    if (f->other_dim & LB_CELL_HELD_CELL)
        carry[LB_CARRY_CELL].from = LB_VECTOR_FIRST_OLD;
}

static void take_two_back(edits *e, const lb_fault *f)
{
    for (int n = 0; n < 2 * LB_PROGRAM_STEPS && e->frame >= (uint32_t)f->dim; n++)
        if (right_vector(e, n) == LB_VECTOR_HIDDEN)
            operand_at(&e->program, n)->vector = LB_VECTOR_BEFORE + LB_VECTOR_HIDDEN;
}

/* What is kept of the state, and the complement behind it, change places: it has been made then. */
static void exchange_shares(edits *e)
{
    lb_program_step *steps = e->program.step, kept, *fresh = NULL;
    for (int n = 0; n < LB_PROGRAM_STEPS; n++)
        if (steps[n].out == LB_VECTOR_FRESH)
            fresh = &steps[n];
    for (int n = 0; n + 1 < LB_PROGRAM_STEPS; n++)
        if (steps[n].out == LB_VECTOR_KEPT && steps[n + 1].out == LB_VECTOR_COMPLEMENT) {
            kept = steps[n];
            steps[n] = steps[n + 1];
            steps[n + 1] = kept;
            steps[n + 1].b = fresh->b;
            fresh->b = kept.b;
            return;
        }
}

/* ---- Numerics of a step ---- */

static lb_rounding rounding_for(lb_cell_numerics how, lb_rounding own)
{
    switch (how) {
    case LB_CELL_FLOORS:
        return LB_ROUND_FLOOR;
    case LB_CELL_TO_ZERO:
        return LB_ROUND_ZERO;
    case LB_CELL_TIES_AWAY:
        return LB_ROUND_AWAY;
    case LB_CELL_TIES_EVEN:
        return LB_ROUND_CONVERGENT;
    case LB_CELL_TIES_UP:
        return LB_ROUND_UP;
    default:
        return own;
    }
}

/* Constants of the step are worked out as they should be. */
static void change_numerics(lb_profile *p, lb_cell_numerics how)
{
    uint8_t *at = p->at.value;
    at[LB_FEATURE_SCALE_ROUNDING] = (uint8_t)(1 + lb_scale_rounding(p));
    p->rounding = rounding_for(how, p->rounding);
    if (how <= LB_CELL_TIES_UP)
        at[LB_FEATURE_INNER_ROUNDING] = at[LB_FEATURE_TABLE_ROUNDING] = 0;
    if (how == LB_CELL_WRAPS)
        at[LB_FEATURE_OUT_OVERFLOW] = LB_OUT_WRAPS;
    if (how == LB_CELL_SYMMETRIC)
        at[LB_FEATURE_LOWEST] = LB_LOWEST_SYMMETRIC;
    if (how == LB_CELL_HIGH_PRODUCT)
        at[LB_FEATURE_REQUANTIZE] = LB_REQUANTIZE_HIGH;
    if (how == LB_CELL_ONE_ROUNDING)
        at[LB_FEATURE_SUM] = LB_SUM_ONE_ROUNDING;
    if (how == LB_CELL_CLIPS_EARLY)
        at[LB_FEATURE_OUT_ZERO_POINT] = LB_OUT_ZERO_POINT_LAST;
}

static void compute_otherwise(edits *e, const lb_fault *f)
{
    lb_profile *other = &e->other[f == e->fault];
    *other = *e->right;
    change_numerics(other, (lb_cell_numerics)f->other_dim);
    for (int n = 0; n < LB_PROGRAM_STEPS; n++)
        for (int part = 0; part < 2; part++) {
            lb_program_step *s = &e->program.step[n];
            if (f->dim != 2 * n + part && !is_of_every(f->dim, s, part))
                continue;
            s->numerics[part] = other;
        }
}

/* ---- Sums of pairs ---- */

/* Number `other_dim` of the pairs, or the last; the first where there are fewer. */
static unsigned meant_pair(const lb_fault *f, unsigned count)
{
    int other = f->other_dim;
    return other == LB_PAIRS_ALL ? count - 1 : other < (int)count ? (unsigned)other : 0;
}

static void align_bias(lb_dense_pair *pair, unsigned x, unsigned w)
{
    pair->bias_x = (uint8_t)x;
    pair->bias_w = (uint8_t)w;
}

/* What concerns the bias. */
static void change_bias(lb_dense_form *form, const lb_fault *f, unsigned count)
{
    unsigned meant = meant_pair(f, count);
    lb_dense_pair *first = &form->pair[0];
    switch ((lb_pairs_change)f->dim) {
    case LB_PAIRS_BIAS_AGAIN:
    case LB_PAIRS_BIAS_AGAIN_ALIGNED:
        for (unsigned j = 1; j < count; j++) {
            form->pair[j].has_bias = f->other_dim == LB_PAIRS_ALL || f->other_dim == (int)j;
            if (f->dim == LB_PAIRS_BIAS_AGAIN_ALIGNED)
                align_bias(&form->pair[j], j, j);
        }
        break;
    case LB_PAIRS_BIAS_ALIGNED:
        align_bias(first, meant, meant);
        break;
    case LB_PAIRS_BIAS_LAST:
        first->has_bias = false;
        form->bias_last = true;
        break;
    case LB_PAIRS_BIAS_MOVED:
    case LB_PAIRS_BIAS_MOVED_ALIGNED:
        first->has_bias = false;
        form->pair[meant].has_bias = true;
        if (f->dim == LB_PAIRS_BIAS_MOVED_ALIGNED)
            align_bias(&form->pair[meant], meant, meant);
        break;
    case LB_PAIRS_BIAS_MIXED:
        align_bias(first, f->other_dim == 0 ? 0 : count - 1, f->other_dim == 0 ? count - 1 : 0);
        break;
    default:
        break;
    }
}

static void change_pair(lb_dense_pair *pair, const lb_fault *f, unsigned number, unsigned count)
{
    if (f->dim == LB_PAIRS_SCALES_OF_FIRST && (f->other_dim & 1))
        pair->x_scale = 0;
    if (f->dim == LB_PAIRS_SCALES_OF_FIRST && (f->other_dim & 2))
        pair->w_scale = 0;
    if (f->dim == LB_PAIRS_ZERO_OF)
        pair->zero_point = (uint8_t)(f->other_dim == 0 ? 0 : count - 1);
    if (f->dim == LB_PAIRS_NOT_CLEARED)
        pair->continues = number > 0;
}

static void change_pairs(edits *e, const lb_fault *f)
{
    lb_dense_form *form = &e->program.form;
    unsigned count = e->own->pairs > 0 ? e->own->pairs : e->call->config.inputs_num;
    if (e->right->has_features)
        return;
    change_bias(form, f, count);
    for (unsigned j = 0; j < count; j++)
        change_pair(&form->pair[j], f, j, count);
    if (f->dim == LB_PAIRS_ONE_ROUNDING)
        form->rounding = f->other_dim == 1 ? LB_DENSE_ONCE : LB_DENSE_ONCE_IF_EQUAL;
}

/* ---- All ---- */

static void apply(edits *e, const lb_fault *f)
{
    switch ((lb_cell_change)f->other_role) {
    case LB_CELL_ACTIVATION:
        each_step(e, f, activate);
        break;
    case LB_CELL_OPERAND:
        take_vector(e, f);
        break;
    case LB_CELL_FORMAT:
        leave_in_format(e, f);
        break;
    case LB_CELL_READ_AS:
        read_as(e, f);
        break;
    case LB_CELL_GATE_FORMAT:
        each_step(e, f, keep_gate_as);
        break;
    case LB_CELL_EXCESS:
        each_step(e, f, change_excess);
        break;
    case LB_CELL_SUMS:
        e->program.sums.most_frac_bits = (int8_t)(e->program.sums.most_frac_bits + f->other_dim);
        e->program.sums.sa8.frac += f->other_dim;
        break;
    case LB_CELL_SUMS_SCALE:
        e->program.sums.sa8.scale += f->other_dim;
        break;
    case LB_CELL_HOLD:
        hold(e, f);
        break;
    case LB_CELL_BEGIN:
        begin_again(e, f);
        break;
    case LB_CELL_TWO_BACK:
        take_two_back(e, f);
        break;
    case LB_CELL_SHARES:
        exchange_shares(e);
        break;
    case LB_CELL_ROWS:
        e->program.rows = (lb_program_rows)f->other_dim;
        break;
    case LB_CELL_NUMERICS:
        compute_otherwise(e, f);
        break;
    case LB_CELL_PAIRS:
        change_pairs(e, f);
        break;
    case LB_CELL_MIXED:
        mix_formats(e, f);
        break;
    case LB_CELL_NOTHING:
        break;
    }
}

static bool acts_in_frame(const lb_fault *f, uint32_t frame)
{
    int when = f->argument % LB_CELL_WHENS;
    return when == LB_CELL_ALWAYS || (when == LB_CELL_FIRST) == (frame == 0);
}

/* Where both change one place, the fault has the last word, and not the one beside it. */
static const lb_program *edited_program(void *user, const lb_program *own, uint32_t frame)
{
    edits *e = user;
    const lb_fault *faults[] = {e->fault->beside, e->fault};
    e->program = *own;
    e->frame = frame;
    for (size_t i = 0; i < 2; i++)
        if (faults[i] && acts_in_frame(faults[i], frame))
            apply(e, faults[i]);
    return &e->program;
}

void lb_program_fault_compute(const lb_fault *fault, const lb_profile *profile, lb_call *call)
{
    lb_profile_here here;
    lb_arena arena = {0};
    edits e = {.fault = fault, .call = call, .own = lb_program_of(call->kernel)};
    e.right = lb_profile_of(profile, call->kernel, &here);
    lb_program_edit edit = {.of_frame = edited_program,
                            .user = &e,
                            .memory = lb_arena_alloc(&arena, lb_program_bytes(call) + 1)};
    lb_context context = {.profile = profile, .program = &edit};
    lb_model_exact(&context, call);
    lb_arena_free(&arena);
}

bool lb_program_fault_run(lb_fault_run *run)
{
    lb_fault_view view;
    if (!lb_view_begin(&view, run))
        return false;
    if (lb_pattern_of(run->test_case->kernel) == LB_PATTERN_DENSE_LISTS &&
        run->profile->has_features)
        return lb_view_drop(&view);
    lb_program_fault_compute(run->fault, run->profile, view.call);
    return lb_view_end(&view);
}

bool lb_fault_is_of_cell(const lb_fault *fault)
{
    return fault->kind->run == lb_program_fault_run && fault->other_role != LB_CELL_PAIRS;
}
