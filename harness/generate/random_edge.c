/* Cases aimed at where a result turns into the next: numbers that move results are set, by halving,
 * to where they do that, or right before. Rounding, widths, limits, tables and parameters that are
 * off by anything move such places. */
#include "harness/call/model.h"
#include "harness/generate/random_build.h"
#include "harness/trial/compare.h"

enum { MOST_TURNED = 64, MOST_LINES = 3 };

/* Numbers that each move a result of their own: elements that lie side by side, of a bias, of
 * weights, of an input of the output's shape. */
typedef struct line {
    lb_case_tensor *t;
    size_t first;   /* element of the tensor */
    lb_range range; /* as far as they go */
} line;

typedef struct aim {
    lb_build *b;
    const lb_profile *profile;
    size_t first; /* of the results, in the output */
    unsigned count;
    bool is_chosen[MOST_TURNED]; /* which result is aimed at */
    int32_t wanted[MOST_TURNED];
    lb_arena arena;
} aim;

/* ---- Numbers and results ---- */

static int64_t get(const line *l, unsigned n)
{
    return lb_wide_value(&l->t->data, l->first + n);
}

static void put(const aim *a, const line *l, const int64_t *numbers)
{
    for (unsigned n = 0; n < a->count; n++)
        lb_case_put_number(l->t, l->first + n, numbers[n]);
}

/* The results of the exact model with these numbers. False: it computes nothing. */
static bool look_at(aim *a, const line *l, const int64_t *numbers, int32_t *results)
{
    const lb_context context = {.profile = a->profile};
    put(a, l, numbers);
    lb_arena_reset(&a->arena);
    lb_instance *instance = lb_instance_of(a->b->c, &a->arena);
    if (!lb_model_call(&context, instance).computed)
        return false;
    const lb_elements out = lb_instance_elements(instance, LB_ROLE_OUT, 0);
    for (unsigned n = 0; n < a->count && a->first + n < out.count; n++)
        results[n] = lb_read_container(out.base + lb_layout_offset(&out.layout, a->first + n),
                                       out.layout.element_bytes);
    return a->first + a->count <= out.count;
}

/* ---- Halving ---- */

/* A result that is not the lowest of them; the ends often. */
static int32_t choose_result(lb_build *b, int32_t lowest, int32_t highest)
{
    if (lb_build_once_in(b, 4))
        return lb_build_once_in(b, 2) ? lowest + 1 : highest;
    return (int32_t)lb_random_in(&b->random, (int64_t)lowest + 1, highest);
}

/* Two numbers with results on either side of the wanted one; equal ones: there are none, and the
 * number stays. */
typedef struct ends {
    int64_t below[MOST_TURNED], above[MOST_TURNED];
} ends;

static bool begin(aim *a, const line *l, ends *e)
{
    int64_t low[MOST_TURNED], high[MOST_TURNED];
    int32_t at_low[MOST_TURNED], at_high[MOST_TURNED];
    for (unsigned n = 0; n < a->count; n++) {
        e->below[n] = e->above[n] = get(l, n);
        low[n] = l->range.low;
        high[n] = l->range.high;
    }
    if (!look_at(a, l, low, at_low) || !look_at(a, l, high, at_high))
        return false;
    for (unsigned n = 0; n < a->count; n++) {
        const bool falls = at_low[n] > at_high[n];
        const int32_t lowest = falls ? at_high[n] : at_low[n],
                      highest = falls ? at_low[n] : at_high[n];
        if (!a->is_chosen[n] && lowest < highest) {
            a->wanted[n] = choose_result(a->b, lowest, highest);
            a->is_chosen[n] = true;
        }
        if (a->is_chosen[n] && lowest < a->wanted[n] && a->wanted[n] <= highest) {
            e->below[n] = falls ? high[n] : low[n];
            e->above[n] = falls ? low[n] : high[n];
        }
    }
    return true;
}

/* Wherever results go on the way, halving ends at two neighbours on either side of the wanted one;
 * one of them is taken. */
static void turn(aim *a, const line *l)
{
    enum { HALVINGS = 34 };
    int64_t middle[MOST_TURNED], before[MOST_TURNED];
    int32_t got[MOST_TURNED];
    ends e;
    for (unsigned n = 0; n < a->count; n++)
        before[n] = get(l, n);
    bool computes = begin(a, l, &e), is_open = true;
    for (int halving = 0; halving < HALVINGS && computes && is_open; halving++) {
        is_open = false;
        for (unsigned n = 0; n < a->count; n++) {
            middle[n] = e.below[n] + (e.above[n] - e.below[n]) / 2;
            is_open = is_open || middle[n] != e.below[n];
        }
        computes = look_at(a, l, middle, got);
        for (unsigned n = 0; n < a->count && computes; n++)
            *(got[n] >= a->wanted[n] ? &e.above[n] : &e.below[n]) = middle[n];
    }
    for (unsigned n = 0; n < a->count && computes; n++)
        before[n] = lb_build_once_in(a->b, 2) ? e.below[n] : e.above[n];
    put(a, l, before);
}

/* ---- Which numbers ---- */

/* Sums of products still stay in their accumulators. */
static lb_range range_of(uint32_t type)
{
    const int64_t most = INT32_MAX - (1 << 24);
    return lb_container_bits(type) > 16 ? (lb_range){-most, most} : lb_build_range(type);
}

static bool has_sums(const aim *a)
{
    return a->b->c->operand[LB_ROLE_BIAS].present;
}

/* Does a number of this tensor move one result? Of functions with sums bias and weights, where they
 * lie in the output's last dimension; of others what has the output's shape. */
static bool is_moving(const aim *a, lb_role role, const lb_case_tensor *t, size_t elements)
{
    const size_t count = t->has_data ? t->data.count : 0;
    return count > 0 && t->rank > 0 && count == lb_build_count(t) && t->type != LB_FP32 &&
           lb_container_bits((uint32_t)t->type) >= 8 && t->shape[t->rank - 1] == a->count &&
           (has_sums(a) ? role == LB_ROLE_BIAS || lb_role_is_weights(role) : count == elements);
}

static void add_line(const aim *a, lb_case_tensor *t, line lines[MOST_LINES], unsigned *count)
{
    const int64_t rows = (int64_t)(t->data.count / a->count);
    const size_t row =
        has_sums(a) ? (size_t)lb_random_in(&a->b->random, 0, rows - 1) : a->first / a->count;
    t->may_be_uniform = false;
    if (*count < MOST_LINES)
        lines[(*count)++] =
            (line){.t = t, .first = row * a->count, .range = range_of((uint32_t)t->type)};
}

/* A row of the bias first, as it moves results by large steps, then some of the others. */
static unsigned choose_lines(const aim *a, size_t elements, line lines[MOST_LINES])
{
    unsigned count = 0;
    for (int others = 0; others < 2; others++)
        for (lb_case_place p = LB_CASE_START; lb_case_next(a->b->c, &p);) {
            const bool is_bias = p.role == LB_ROLE_BIAS;
            if (is_bias == others || a->b->c->operand[p.role].is_output ||
                !is_moving(a, (lb_role)p.role, p.t, elements))
                continue;
            add_line(a, p.t, lines, &count);
            if (!is_bias && has_sums(a))
                add_line(a, p.t, lines, &count);
        }
    return count;
}

void lb_random_aim_edge(lb_build *b)
{
    lb_case_tensor *out = lb_build_tensor_of(b, LB_ROLE_OUT);
    const size_t elements = b->c->kernel && out && out->rank > 0 ? lb_build_count(out) : 0;
    line lines[MOST_LINES];
    aim a = {.b = b};
    if (elements == 0 || out->type == LB_FP32 || lb_container_bits((uint32_t)out->type) > 32 ||
        out->shape[out->rank - 1] > MOST_TURNED)
        return;
    const lb_kernel_set *kernels = lb_kernel_set_of(b->c->kernel);
    a.profile = &kernels->profiles[lb_build_pick(b, 0, (int)kernels->profile_count - 1)];
    a.count = out->shape[out->rank - 1];
    a.first = (size_t)lb_build_pick(b, 0, (int64_t)(elements / a.count) - 1) * a.count;
    const unsigned count = choose_lines(&a, elements, lines);
    for (unsigned i = 0; i < count; i++)
        turn(&a, &lines[i]);
    lb_arena_free(&a.arena);
}
