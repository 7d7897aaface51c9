/* What a call chooses, read otherwise: the axis, tensors of a list, the state that goes from frame
 * to frame, the function itself. */
#include "harness/faults/reading_runs.h"
#include "harness/faults/views.h"

#include <string.h>

/* ---- The axis ---- */

/* By the operator, of as many as the input has. */
static bool run_axis(lb_fault_run *run)
{
    const lb_tensor *in = run->before->call.tensor[LB_ROLE_IN];
    lb_how how = (lb_how)run->fault->kind->does.how;
    int32_t axis = run->test_case->config.axis, rank = in ? (int32_t)in->rank : 0;
    int32_t other = how == LB_PLUS       ? axis + run->fault->argument
                    : how == LB_MIRRORED ? rank - 1 - axis
                                         : rank - 1;
    return in && axis >= 0 && other >= 0 && lb_run_on_axis(run, other);
}

static bool axis_for_all(lb_fault_run *run)
{
    const lb_tensor *in = run->before->call.tensor[LB_ROLE_IN];
    bool last = run->fault->kind->does.how == LB_AS_LAST;
    lb_fault_view view;
    if (!in || in->rank == 0 || run->test_case->config.axis >= 0 || !lb_view_begin(&view, run))
        return false;
    view.call->config.axis = last ? (int32_t)in->rank - 1 : 0;
    return lb_view_run_if(&view, lb_view_is_accepted(&view));
}

LB_OWN_NUMBERS(axes, lb_has_axis(kernel), 0)

LB_OWN_NUMBERS(axes_both_ways, lb_has_axis(kernel), -1, 1)

/* ---- Tensors of a list ---- */

/* What a tensor of a list takes of the first one. */
typedef enum taken { ZERO_POINT, FORMAT, DATA } taken;

static void take(lb_tensor *t, const lb_tensor *first, taken what)
{
    switch (what) {
    case ZERO_POINT:
        t->sa.zero_point = first->sa.zero_point;
        break;
    case FORMAT:
        t->frac_bits = first->frac_bits;
        t->sa = first->sa;
        break;
    case DATA:
        t->data = lb_element_count(t) <= lb_element_count(first) ? first->data : t->data;
        break;
    }
}

/* Every tensor of the list but the first is changed. */
static bool change_list(lb_fault_view *view, int role, taken what)
{
    bool changed = false;
    for (unsigned i = 1; i < view->call->list_count[role]; i++) {
        lb_tensor *t = lb_view_tensor(view, role, i), given = *t;
        take(t, lb_view_tensor(view, role, 0), what);
        changed |= memcmp(t, &given, sizeof given) != 0;
    }
    return changed;
}

static bool run_list(lb_fault_run *run)
{
    lb_fault_view view;
    int role = run->fault->role;
    const lb_tensor *t = run->before->call.tensor[role];
    taken what = (taken)run->fault->kind->does.at;
    bool fits = what != ZERO_POINT || (t && lb_is_sa(t->el_type));
    return fits && lb_view_begin(&view, run) &&
           lb_view_run_if(&view, change_list(&view, role, what));
}

static bool list_dense(lb_fault_view *view)
{
    bool changed = false;
    for (unsigned i = 1; i < view->call->list_count[view->run->fault->role]; i++)
        changed |= lb_view_remap(view, view->run->fault->role, i, lb_source_dense, NULL);
    return changed;
}

/* Formats of all inputs and of all weights as those of the first pair. */
static bool list_formats(lb_fault_view *view)
{
    bool changed = change_list(view, LB_ROLE_IN, FORMAT);
    changed |= change_list(view, LB_ROLE_WEIGHTS, FORMAT);
    return changed;
}

LB_OWN_ROLES(lists, LB_NO_DIMS,
             lb_pattern_of(kernel) == LB_PATTERN_DENSE_LISTS &&
                 (at->role == LB_ROLE_IN || at->role == LB_ROLE_WEIGHTS),
             0)

/* ---- Operands that are read without their gaps ---- */

static bool gates_dense(lb_fault_view *view)
{
    static const int roles[] = {LB_ROLE_WEIGHTS_IN, LB_ROLE_WEIGHTS_OUT, LB_ROLE_BIAS};
    bool changed = false;
    for (size_t r = 0; r < sizeof roles / sizeof *roles; r++)
        changed |= lb_view_remap(view, roles[r], 0, lb_source_dense, NULL);
    return changed;
}

/* ---- Frames of the recurrent cells ---- */

/* What begins again, by the argument; that the hidden state is taken in the format that frames
 * leave it in; and the frame in which, from 1; 0: in every one. */
enum { HIDDEN = 1, CELL = 2, WHICH = 3, RAW = 4, FRAME = 8, MOST_FRAMES = 3 };

static bool begins_again(const lb_fault *fault, uint32_t frame, int what)
{
    int32_t only = fault->argument / FRAME;
    return frame > 0 && (fault->argument & what) && (only == 0 || only == (int32_t)frame);
}

/* dim: from this frame on the hidden state is that of two frames before; 0: in none. */
static bool two_back(const lb_fault *fault, uint32_t frame)
{
    return fault->dim > 0 && frame >= (uint32_t)fault->dim;
}

static void set_cell(lb_fault_view *view, const unsigned char *cell, size_t cell_bytes)
{
    lb_tensor *t = lb_view_tensor(view, LB_ROLE_CELL, 0);
    if (t && cell_bytes > 0)
        memcpy(t->data.mem.ptr, cell, cell_bytes);
}

/* The frames one by one, each as a call of its own, with state of its own. */
static bool run_frames(lb_fault_run *run)
{
    lb_fault_view view;
    if (!lb_view_begin(&view, run))
        return false;
    lb_call *call = view.call;
    lb_tensor in = *lb_view_tensor(&view, LB_ROLE_IN, 0), out = *call->tensor[LB_ROLE_OUT];
    lb_tensor prev = *call->tensor[LB_ROLE_PREV_OUT],
              *cell = lb_view_tensor(&view, LB_ROLE_CELL, 0);
    size_t row = prev.shape[0] * (size_t)lb_element_bytes(in.el_type);
    size_t cell_bytes = cell ? lb_view_available(&view, cell) : 0;
    unsigned char *kept = lb_arena_alloc(&view.scratch, cell_bytes + 1);
    uint32_t frames = in.shape[0];
    bool backward = call->config.direction == 1, all = call->config.results == 1;
    lb_context context = {.profile = run->profile};
    if (cell_bytes > 0)
        memcpy(kept, cell->data.mem.ptr, cell_bytes);
    for (uint32_t n = 0; n < frames && frames > 1; n++) {
        uint32_t frame = backward ? frames - 1 - n : n;
        lb_tensor *x = call->tensor[LB_ROLE_IN], *y = call->tensor[LB_ROLE_OUT];
        lb_tensor *h = call->tensor[LB_ROLE_PREV_OUT];
        if (begins_again(run->fault, n, CELL))
            set_cell(&view, kept, cell_bytes);
        uint32_t back = two_back(run->fault, n) && all ? 2 : 1;
        *h = prev;
        if (begins_again(run->fault, n, RAW)) {
            h->frac_bits = out.frac_bits;
            h->sa = out.sa;
        }
        if (n > 0 && !begins_again(run->fault, n, HIDDEN)) {
            *h = (lb_tensor){.el_type = out.el_type, .frac_bits = out.frac_bits, .sa = out.sa};
            h->rank = 1;
            h->shape[0] = prev.shape[0];
            h->mem_stride[0] = 1;
            h->data = y->data;
            h->data.mem.ptr = (unsigned char *)out.data.mem.ptr + (all ? (n - back) * row : 0);
        }
        *x = in;
        x->shape[0] = 1;
        x->data.mem.ptr = (unsigned char *)in.data.mem.ptr +
                          (size_t)frame * (size_t)in.mem_stride[0] * lb_element_bytes(in.el_type);
        *y = out;
        y->data.mem.ptr = (unsigned char *)out.data.mem.ptr + (all ? n * row : 0);
        lb_model_exact(&context, call);
    }
    return frames > 1 ? lb_view_end(&view) : lb_view_drop(&view);
}

static void sink_state(const lb_fault_kind *kind, int32_t what, lb_fault_sink sink, void *user)
{
    sink(user, &(lb_fault){.kind = kind, .argument = what});
    if (what & HIDDEN)
        sink(user, &(lb_fault){.kind = kind, .argument = what + RAW});
}

static LB_PLACES(states)
{
    int most = scope->kernel->family == LB_FAMILY_LSTM ? HIDDEN | CELL : HIDDEN;
    for (int which = 1; which <= most && lb_is_recurrent(scope->kernel); which++)
        sink_state(kind, which, sink, user);
}

static LB_PLACES(states_of_a_frame)
{
    int most = scope->kernel->family == LB_FAMILY_LSTM ? HIDDEN | CELL : HIDDEN;
    for (int frame = 1; frame <= MOST_FRAMES && lb_is_recurrent(scope->kernel); frame++)
        for (int which = 1; which <= most; which++)
            sink_state(kind, frame * FRAME + which, sink, user);
}

static LB_PLACES(states_two_back)
{
    for (int8_t frame = 2; frame <= MOST_FRAMES + 1 && lb_is_recurrent(scope->kernel); frame++)
        sink(user, &(lb_fault){.kind = kind, .dim = frame});
}

static LB_DESCRIBES(tell_state)
{
    static const char *const names[] = {"", "the hidden state", "the cell", "both"};
    const char *text = names[fault->argument & WHICH];
    if (fault->argument & RAW)
        text = lb_arena_printf(arena, "%s, in the format of out", text);
    return fault->argument < FRAME ? text
                                   : lb_arena_printf(arena, "%s, in frame %d (from 0) alone", text,
                                                     (int)(fault->argument / FRAME));
}

/* ---- Another function ---- */

static bool same_arguments(const lb_kernel *a, const lb_kernel *b)
{
    const lb_role_spec *x = a->roles, *y = b->roles;
    for (; x->use != LB_USE_NONE && y->use == x->use && y->role == x->role; x++, y++)
        ;
    return x->use == LB_USE_NONE && y->use == LB_USE_NONE && a->config_kind == b->config_kind &&
           a->in_type == b->in_type && a->weights_type == b->weights_type &&
           a->bias_type == b->bias_type;
}

static bool run_function(lb_fault_run *run)
{
    lb_fault_view view;
    const lb_kernel *other = &lb_kernels[run->fault->argument];
    if (!lb_view_begin(&view, run))
        return false;
    const lb_kernel *own = view.call->kernel;
    lb_context context = {.profile = run->profile};
    view.call->kernel = other;
    if (!lb_view_is_accepted(&view)) {
        view.call->kernel = own;
        return lb_view_drop(&view);
    }
    other->exact(&context, view.call);
    view.call->kernel = own;
    return lb_view_end_with_fields(&view);
}

/* Extensions, helpers and kernels stand in tables of their own. */
static bool in_one_table(const lb_kernel *a, const lb_kernel *b)
{
    bool apart = lb_pattern_of(a) == LB_PATTERN_CODES || lb_pattern_of(b) == LB_PATTERN_CODES ||
                 lb_pattern_of(a) == LB_PATTERN_HELPER || lb_pattern_of(b) == LB_PATTERN_HELPER;
    return a->family == b->family || !apart;
}

/* One of them refuses what the other asks for. */
static bool excludes(const lb_kernel *a, const lb_kernel *b)
{
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        uint32_t type = lb_type_of_role(a, role), other = lb_type_of_role(b, role);
        if (type != 0 && other != 0 && type != other)
            return true;
    }
    return false;
}

/* What differs in a kernel size alone, or in the shapes that it is made for, computes the same; a
 * bias that holds a share of the result makes it another. */
static bool computes_the_same(const lb_kernel *a, const lb_kernel *b)
{
    bool a_shares = a->special == LB_SPECIAL_EXT_BIAS;
    bool b_shares = b->special == LB_SPECIAL_EXT_BIAS;
    bool is_told_by_name = lb_pattern_of(a) == LB_PATTERN_CODES;
    return a->exact == b->exact && a_shares == b_shares && !is_told_by_name;
}

/* Siblings that take the same arguments. */
static LB_PLACES(functions)
{
    const lb_kernel *own = scope->kernel;
    for (size_t k = 0; own->exact && k < lb_kernel_count; k++) {
        const lb_kernel *other = &lb_kernels[k];
        bool same = other->family == own->family && other->op == own->op &&
                    lb_pattern_of(own) != LB_PATTERN_MOVEMENT &&
                    lb_pattern_of(own) != LB_PATTERN_HELPER && other->special == own->special;
        bool siblings = in_one_table(own, other) && !excludes(own, other);
        if (other->exact && !computes_the_same(own, other) && !same && siblings &&
            same_arguments(own, other))
            sink(user, &(lb_fault){.kind = kind, .argument = (int32_t)k});
    }
}

/* ---- The table ---- */

#define KIND(...) LB_KIND_OF_CALL(LB_FAULTS_READING, __VA_ARGS__)
#define CHANGE    LB_CHANGE_OF_CALL

#define AXES   "elementwise.md 4, 7 to 9"
#define INPUTS "recurrent.md 5"

/* clang-format off */
const lb_fault_kind lb_fault_choice_kinds[] = {
    {KIND("axis.last", "works along the innermost dimension whatever the axis is", "an axis that is not read", AXES, 6, axes, NULL, run_axis), .does.how = LB_AS_LAST},
    {KIND("axis.from_end", "counts the axis from the innermost dimension", "rank - 1 - axis", AXES, 4, axes, NULL, run_axis), .does.how = LB_MIRRORED},
    {KIND("axis.moved", "works along the dimension beside the axis", "an axis counted from 1", AXES, 4, axes_both_ways, "{n}", run_axis), .does.how = LB_PLUS},
    {KIND("axis.last_for_all", "works along the innermost dimension where the whole tensor is asked for", "axis -1 taken for the last one", AXES, 7, axes, NULL, axis_for_all), .does.how = LB_AS_LAST},
    {KIND("axis.first_for_all", "works along the outermost dimension where the whole tensor is asked for", "axis -1", AXES, 3, axes, NULL, axis_for_all), .does.how = LB_AS_ZERO},
    {KIND("list.zero_point_of_first", "takes the zero point of the first tensor of a list for all", "loops over inputs: what is worked out before them", INPUTS, 6, lists, "{role}", run_list), .does.at = ZERO_POINT},
    {KIND("list.format_of_first", "takes the format of the first tensor of a list for all", "loops over inputs: what is worked out before them", INPUTS, 5, lists, "{role}", run_list), .does.at = FORMAT},
    {KIND("list.data_of_first", "reads the first tensor of a list for all", "loops over inputs: pointers that are not moved on", INPUTS, 4, lists, "{role}", run_list), .does.at = DATA},
    {CHANGE("list.dense_from_second", "reads the second tensor of a list, and on, as if without gaps", "loops over inputs: strides of the first", "numerics.md 2", 4, lists, "{role}", list_dense)},
    {CHANGE("list.formats_of_first", "takes the formats of the first input and of its weights for all", "loops over inputs: what is worked out before them", INPUTS, 5, lb_places_rnn_dense, NULL, list_formats)},
    {CHANGE("gates.dense", "reads weights and bias as if there were no gaps between gates", "mem_stride of the first dimension", "numerics.md 2; recurrent.md 6", 5, lb_places_gates, NULL, gates_dense)},
    {KIND("state.begins_again", "begins every frame with the state that the call began with", "what a frame leaves for the next one", "recurrent.md 6", 5, states, NULL, run_frames), .describe = tell_state},
    {KIND("state.begins_again_once", "begins one frame with the state that the call began with", "which buffer a frame finds the state in", "recurrent.md 6", 3, states_of_a_frame, NULL, run_frames), .describe = tell_state},
    {KIND("state.two_back", "takes the hidden state of two frames before, where all results are kept", "which row of out a frame reads", "recurrent.md 6", 3, states_two_back, "from frame {dim} (from 0) on", run_frames)},
    {KIND("function.other", "computes another function", "tables of functions, copied code", "", 4, functions, "{function}", run_function)},
    {.name = NULL},
};
/* clang-format on */
