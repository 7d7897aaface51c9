/* Windows of convolutions and pooling with other numbers, and what stands in for the input in
 * padding. dim 0 is height, dim 1 width. */
#include "harness/faults/reading_runs.h"
#include "harness/faults/views.h"

/* ---- Numbers of the configuration by direction ---- */

typedef struct side {
    uint8_t *stride, *before, *after, *size;
} side;

static side side_of(lb_config *c, int dim)
{
    return dim == 0
               ? (side){&c->stride_height, &c->padding_top, &c->padding_bottom, &c->kernel_height}
               : (side){&c->stride_width, &c->padding_left, &c->padding_right, &c->kernel_width};
}

/* ---- Windows that the model can take ---- */

static uint8_t at_most(uint8_t value, uint32_t most)
{
    return value > most ? (uint8_t)most : value;
}

/* Pooling knows no empty window: a padding stays below the kernel, and positions whose window lies
 * behind the input are not computed. Convolutions take every window. */
static void fit_pool_side(lb_fault_view *view, int dim)
{
    const side s = side_of(&view->call->config, dim);
    const lb_tensor *in = view->call->tensor[LB_ROLE_IN];
    lb_tensor *out = view->call->tensor[LB_ROLE_OUT];
    *s.stride = *s.stride == 0 ? 1 : *s.stride;
    *s.size = *s.size == 0 ? 1 : *s.size;
    *s.before = at_most(*s.before, *s.size - 1u);
    uint32_t reached = (in->shape[dim] + *s.before + *s.stride - 1u) / *s.stride;
    if (out->shape[dim] > reached)
        out->shape[dim] = reached; /* the right shape comes back when the view ends */
}

/* What the positions behind hold is not known: a kernel may have read anything. */
static bool run_pool(lb_fault_view *view)
{
    const lb_tensor *out = view->call->tensor[LB_ROLE_OUT];
    for (int dim = 0; dim < 2; dim++)
        fit_pool_side(view, dim);
    uint32_t reached[2] = {out->shape[0], out->shape[1]};
    lb_view_run(view);
    for (unsigned dim = 0; dim < 2; dim++)
        lb_fault_unsay_from(view->run, dim, reached[dim]);
    return true;
}

bool lb_read_run_windows(lb_fault_view *view)
{
    return lb_is_pool(view->call->kernel) ? run_pool(view) : lb_view_run(view);
}

/* ---- Padding that is there, as elements ---- */

typedef enum fill { FILL_ZERO, FILL_LOWEST, FILL_EDGE } fill;

/* The input with its padding around it, in memory of its own. */
typedef struct framed {
    lb_tensor inner, whole;
    int64_t top, left;
} framed;

static int64_t cut(int64_t value, int64_t size)
{
    return value < 0 ? 0 : value >= size ? size - 1 : value;
}

static int64_t framed_value(const framed *f, const uint32_t *index, fill how)
{
    int64_t y = index[0] - f->top, x = index[1] - f->left;
    int64_t inside_y = cut(y, f->inner.shape[0]), inside_x = cut(x, f->inner.shape[1]);
    uint32_t from[LB_MAX_RANK] = {(uint32_t)inside_y, (uint32_t)inside_x, index[2]};
    if (how == FILL_EDGE || (inside_y == y && inside_x == x))
        return lb_load(&f->inner, lb_offset_of(&f->inner, from));
    return how == FILL_ZERO ? 0 : -((int64_t)1 << (lb_container_bits(f->inner.el_type) - 1));
}

static bool run_framed(lb_fault_run *run)
{
    const fill how = (fill)run->fault->kind->does.at;
    lb_fault_view view;
    if (!lb_view_begin(&view, run))
        return false;
    lb_config *cfg = &view.call->config;
    lb_tensor *in = lb_view_tensor(&view, LB_ROLE_IN, 0);
    framed f = {.inner = *in, .whole = *in, .top = cfg->padding_top, .left = cfg->padding_left};
    unsigned around = 0;
    for (int dim = 0; dim < 2; dim++) {
        const side s = side_of(cfg, dim);
        around += *s.before + (unsigned)*s.after;
        f.whole.shape[dim] += *s.before + (unsigned)*s.after;
        *s.before = 0;
    }
    f.whole.mem_stride[1] = (int32_t)in->shape[2];
    f.whole.mem_stride[0] = f.whole.mem_stride[1] * (int32_t)f.whole.shape[1];
    f.whole.mem_stride[2] = 1;
    size_t count = lb_element_count(&f.whole);
    if (around == 0 || lb_view_available(&view, in) == 0)
        return lb_view_drop(&view);
    f.whole.data.mem.ptr = lb_arena_array(&view.scratch, count, lb_element_bytes(in->el_type));
    for (size_t flat = 0; flat < count; flat++) {
        uint32_t index[LB_MAX_RANK];
        lb_unflatten(&f.whole, flat, index);
        lb_store(&f.whole, flat, framed_value(&f, index, how));
    }
    *in = f.whole;
    return lb_view_run(&view);
}

/* ---- Places ---- */

/* A padding is less than the kernel. */
static bool may_be_padded(const lb_kernel *kernel)
{
    return (lb_is_conv(kernel) || lb_is_pool(kernel)) && kernel->kernel_size != 1;
}

LB_OWN_NUMBERS(places_zero_padded,
               may_be_padded(kernel) &&
                   (lb_is_pool(kernel) || (lb_is_direct_conv(kernel) && lb_is_sa(kernel->in_type))),
               0)
LB_OWN_NUMBERS(places_other_padded,
               may_be_padded(kernel) && (lb_is_direct_conv(kernel) || lb_is_average(kernel)), 0)

/* ---- The table ---- */

/* clang-format off */
const lb_fault_kind lb_fault_padding_kinds[] = {
    LB_READING_BY("padding.filled_zero", "takes zeros for what lies in padding, where nothing counts", "padded copies of the input: zero is not the zero point; averages over the full window", "conv.md 4.3, 6; pooling_and_movement.md 2.2", 8, places_zero_padded, NULL, run_framed, .at = FILL_ZERO),
    LB_READING_BY("padding.filled_lowest", "takes the lowest number for what lies in padding", "padded copies of the input made for maxima", "conv.md 6; pooling_and_movement.md 2.2", 3, places_other_padded, NULL, run_framed, .at = FILL_LOWEST),
    LB_READING_BY("padding.filled_edge", "takes the nearest element for what lies in padding", "clamped coordinates", "conv.md 6; pooling_and_movement.md 2.2", 3, places_other_padded, NULL, run_framed, .at = FILL_EDGE),
    {.name = NULL},
};
/* clang-format on */
