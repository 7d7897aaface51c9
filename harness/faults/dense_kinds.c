/* Sums of pairs of inputs and weights, in rnn_dense and in gates, and where each gate begins. */
#include "harness/faults/places.h"
#include "harness/faults/program_edits.h"
#include "harness/faults/views.h"

/* ---- Sums of pairs: rnn_dense, and every gate ---- */

static LB_PLACES(pairs)
{
    /* the first and the last of other_dim */
    static const struct {
        int8_t first, last;
        bool of_fx, of_sa;
    } ranges[LB_PAIRS_CHANGES] = {
        [LB_PAIRS_BIAS_AGAIN] = {1, LB_PAIRS_ALL, true, true},
        [LB_PAIRS_BIAS_AGAIN_ALIGNED] = {1, LB_PAIRS_ALL, true, false},
        [LB_PAIRS_BIAS_ALIGNED] = {1, LB_PAIRS_ALL, true, false},
        [LB_PAIRS_BIAS_LAST] = {0, 0, true, false},
        [LB_PAIRS_SCALES_OF_FIRST] = {1, 3, true, true},
        [LB_PAIRS_ONE_ROUNDING] = {0, 1, true, true},
        [LB_PAIRS_BIAS_MOVED] = {1, LB_PAIRS_ALL, true, true},
        [LB_PAIRS_BIAS_MOVED_ALIGNED] = {1, LB_PAIRS_ALL, true, false},
        [LB_PAIRS_BIAS_MIXED] = {0, 1, true, false},
        [LB_PAIRS_NOT_CLEARED] = {0, 0, true, true},
        [LB_PAIRS_ZERO_OF] = {0, 1, false, true},
    };
    bool is_sa = lb_is_sa(scope->kernel->in_type);
    lb_fault fault = {.kind = kind, .other_role = LB_CELL_PAIRS};
    for (fault.dim = LB_PAIRS_RIGHT + 1; fault.dim < LB_PAIRS_CHANGES; fault.dim++) {
        bool sits = is_sa ? ranges[fault.dim].of_sa : ranges[fault.dim].of_fx;
        fault.other_dim = ranges[fault.dim].first;
        for (; sits && fault.other_dim <= ranges[fault.dim].last; fault.other_dim++)
            sink(user, &fault);
    }
}

/* Of a pair by its number. */
static const char *tell_pair(const lb_fault *fault, lb_arena *arena)
{
    return fault->other_dim == LB_PAIRS_ALL
               ? "the last"
               : lb_arena_printf(arena, "number %d (from 0)", fault->other_dim);
}

static LB_DESCRIBES(tell_pairs)
{
    static const char *const scales[] = {"", "inputs", "weights", "inputs and weights"};
    int pair = fault->other_dim;
    switch ((lb_pairs_change)fault->dim) {
    case LB_PAIRS_BIAS_AGAIN:
        return pair == LB_PAIRS_ALL
                   ? "the bias is added with each of them"
                   : lb_arena_printf(arena, "the bias is added with number %d (from 0) again",
                                     pair);
    case LB_PAIRS_BIAS_AGAIN_ALIGNED:
        return pair == LB_PAIRS_ALL
                   ? "the bias is added with each of them, aligned to the products of each"
                   : lb_arena_printf(arena,
                                     "the bias is added with number %d (from 0) again, aligned to "
                                     "the products of that",
                                     pair);
    case LB_PAIRS_BIAS_ALIGNED:
        return pair == LB_PAIRS_ALL
                   ? "the bias is aligned to the products of the last"
                   : lb_arena_printf(arena, "the bias is aligned to the products of number %d",
                                     pair);
    case LB_PAIRS_BIAS_LAST:
        return "the bias is added behind all of them, in steps of the result";
    case LB_PAIRS_SCALES_OF_FIRST:
        return lb_arena_printf(arena, "the scale of the first is taken for all, of %s",
                               scales[pair]);
    case LB_PAIRS_ONE_ROUNDING:
        return pair == 0 ? "they are added up first and rounded once, where formats are equal"
                         : "they are added up first and rounded once, in the format of the first";
    case LB_PAIRS_BIAS_MOVED:
        return lb_arena_printf(arena, "the bias is added with %s, in place of the first",
                               tell_pair(fault, arena));
    case LB_PAIRS_BIAS_MOVED_ALIGNED:
        return lb_arena_printf(arena,
                               "the bias is added with %s, and aligned to the products of that",
                               tell_pair(fault, arena));
    case LB_PAIRS_BIAS_MIXED:
        return pair == 0 ? "the bias is aligned to the first input and the last weights"
                         : "the bias is aligned to the last input and the first weights";
    case LB_PAIRS_NOT_CLEARED:
        return "each sum begins with that of the pair before";
    case LB_PAIRS_ZERO_OF:
        return pair == 0 ? "the zero point of the first input is taken for all"
                         : "the zero point of the last input is taken for all";
    case LB_PAIRS_RIGHT:
    case LB_PAIRS_CHANGES:
        break;
    }
    return "";
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
static bool run_close_gates(lb_fault_run *run)
{
    static const int roles[] = {LB_ROLE_WEIGHTS_IN, LB_ROLE_WEIGHTS_OUT, LB_ROLE_BIAS};
    lb_fault_view view;
    bool changed = false;
    if (!lb_view_begin(&view, run))
        return false;
    for (size_t r = 0; r < sizeof roles / sizeof *roles; r++)
        if (run->fault->role == roles[r] || run->fault->role == LB_ROLE_COUNT)
            changed |= lb_view_remap(&view, roles[r], 0, close_gates, &run->fault->argument);
    return lb_view_run_if(&view, changed);
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

/* ---- The table ---- */

static const lb_fault_kind pairs_kind = {
    .name = "pairs.otherwise",
    .group = LB_FAULTS_READING,
    .words = "adds up pairs of inputs and weights otherwise",
    .look_for = "the loop over inputs: what is worked out before it, with each, behind it",
    .sections = "recurrent.md 5",
    .prior = 5,
    .places = pairs,
    .describe = tell_pairs,
    .run = lb_program_fault_run};

static const lb_fault_kind close_kind = {
    .name = "cell.gates_close",
    .group = LB_FAULTS_READING,
    .words = "takes gates to lie one after the other, whatever the stride between them is",
    .look_for = "mem_stride of the first dimension",
    .sections = "numerics.md 2; recurrent.md 6",
    .prior = 5,
    .places = gate_starts,
    .describe = tell_gate_starts,
    .run = run_close_gates};

void lb_fault_pairs(const lb_fault_scope *scope, lb_fault_sink sink, void *user)
{
    if (lb_is_recurrent(scope->kernel) || scope->kernel->family == LB_FAMILY_RNN_DENSE)
        pairs_kind.places(&pairs_kind, scope, sink, user);
    close_kind.places(&close_kind, scope, sink, user);
}
