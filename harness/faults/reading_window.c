/* Windows of convolutions and pooling read otherwise: strides, dilations, paddings, kernel sizes,
 * and what stands in for the input in padding. dim 0 is height, dim 1 width. */
#include "harness/faults/reading_runs.h"
#include "harness/faults/views.h"

#include <string.h>

/* ---- Numbers of the configuration by direction ---- */

static uint8_t *stride_at(lb_config *cfg, int dim)
{
    return dim == 0 ? &cfg->stride_height : &cfg->stride_width;
}

static uint8_t *dilation_at(lb_config *cfg, int dim)
{
    return dim == 0 ? &cfg->dilation_height : &cfg->dilation_width;
}

uint8_t *lb_padding_before(lb_config *cfg, int dim)
{
    return dim == 0 ? &cfg->padding_top : &cfg->padding_left;
}

static uint8_t *after_at(lb_config *cfg, int dim)
{
    return dim == 0 ? &cfg->padding_bottom : &cfg->padding_right;
}

static uint8_t *size_at(lb_config *cfg, int dim)
{
    return dim == 0 ? &cfg->kernel_height : &cfg->kernel_width;
}

static void swap(uint8_t *a, uint8_t *b)
{
    uint8_t kept = *a;
    *a = *b;
    *b = kept;
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
    lb_config *cfg = &view->call->config;
    const lb_tensor *in = view->call->tensor[LB_ROLE_IN];
    lb_tensor *out = view->call->tensor[LB_ROLE_OUT];
    uint8_t *stride = stride_at(cfg, dim), *kernel = size_at(cfg, dim);
    *stride = *stride == 0 ? 1 : *stride;
    *kernel = *kernel == 0 ? 1 : *kernel;
    *lb_padding_before(cfg, dim) = at_most(*lb_padding_before(cfg, dim), *kernel - 1u);
    uint32_t reached = (in->shape[dim] + *lb_padding_before(cfg, dim) + *stride - 1u) / *stride;
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

static bool run_windows(lb_fault_view *view)
{
    if (memcmp(&view->kept_config, &view->call->config, sizeof view->kept_config) == 0)
        return lb_view_drop(view);
    return view->run->fault->early ? lb_view_run_checked(view) : lb_read_run_windows(view);
}

#define WINDOW_READING(name, change)                                                               \
    bool name(lb_fault_run *run)                                                                   \
    {                                                                                              \
        lb_fault_view view;                                                                        \
        if (!lb_view_begin(&view, run))                                                            \
            return false;                                                                          \
        lb_config *cfg = &view.call->config;                                                       \
        int dim = run->fault->dim, other = 1 - dim;                                                \
        (void)dim;                                                                                 \
        (void)other;                                                                               \
        change;                                                                                    \
        return run_windows(&view);                                                                 \
    }

/* The same for one side, or for both. */
#define SIDE_READING(name, change)                                                                 \
    bool name(lb_fault_run *run)                                                                   \
    {                                                                                              \
        lb_fault_view view;                                                                        \
        if (!lb_view_begin(&view, run))                                                            \
            return false;                                                                          \
        lb_config *cfg = &view.call->config;                                                       \
        int wanted = run->fault->dim;                                                              \
        for (int dim = 0; dim < 2; dim++)                                                          \
            if (wanted == dim || wanted == LB_BOTH_SIDES)                                          \
                change;                                                                            \
        return run_windows(&view);                                                                 \
    }

static uint8_t more(uint8_t value)
{
    return value < UINT8_MAX ? (uint8_t)(value + 1) : value;
}

static uint8_t less(uint8_t value, uint8_t least)
{
    return value > least ? (uint8_t)(value - 1) : value;
}

/* Kernel size that the call has: pooling's is told, that of the others is the weights' shape. */
static uint8_t kernel_size(const lb_fault_view *view, int dim)
{
    const lb_tensor *weights = view->call->tensor[LB_ROLE_WEIGHTS];
    lb_config *cfg = &view->call->config;
    return weights ? at_most(UINT8_MAX, weights->shape[dim]) : *size_at(cfg, dim);
}

WINDOW_READING(lb_read_stride_swapped, swap(stride_at(cfg, 0), stride_at(cfg, 1)))
WINDOW_READING(lb_read_stride_one_for_both, *stride_at(cfg, other) = *stride_at(cfg, dim))
SIDE_READING(lb_read_stride_ignored, *stride_at(cfg, dim) = 1)
SIDE_READING(lb_read_stride_one_more, *stride_at(cfg, dim) = more(*stride_at(cfg, dim)))
WINDOW_READING(lb_read_stride_as_kernel, *stride_at(cfg, dim) = kernel_size(&view, dim))
WINDOW_READING(lb_read_dilation_swapped, swap(dilation_at(cfg, 0), dilation_at(cfg, 1)))
WINDOW_READING(lb_read_dilation_one_for_both, *dilation_at(cfg, other) = *dilation_at(cfg, dim))
SIDE_READING(lb_read_dilation_ignored, *dilation_at(cfg, dim) = 1)
SIDE_READING(lb_read_dilation_one_more, *dilation_at(cfg, dim) = more(*dilation_at(cfg, dim)))
SIDE_READING(lb_read_stride_times_dilation,
             *stride_at(cfg, dim) = at_most(UINT8_MAX, (uint32_t)*stride_at(cfg, dim) *
                                                           *dilation_at(cfg, dim)))
SIDE_READING(lb_read_dilation_times_stride,
             *dilation_at(cfg, dim) = at_most(UINT8_MAX, (uint32_t)*dilation_at(cfg, dim) *
                                                             *stride_at(cfg, dim)))
SIDE_READING(lb_read_stride_dilation_swapped, swap(stride_at(cfg, dim), dilation_at(cfg, dim)))
WINDOW_READING(lb_read_padding_axes_swapped,
               swap(lb_padding_before(cfg, 0), lb_padding_before(cfg, 1));
               swap(after_at(cfg, 0), after_at(cfg, 1)))
WINDOW_READING(lb_read_padding_one_for_both,
               *lb_padding_before(cfg, other) = *lb_padding_before(cfg, dim))
SIDE_READING(lb_read_padding_ends_swapped, swap(lb_padding_before(cfg, dim), after_at(cfg, dim)))
SIDE_READING(lb_read_padding_ignored, *lb_padding_before(cfg, dim) = 0)
SIDE_READING(lb_read_padding_one_more,
             *lb_padding_before(cfg, dim) = more(*lb_padding_before(cfg, dim)))
SIDE_READING(lb_read_padding_one_less,
             *lb_padding_before(cfg, dim) = less(*lb_padding_before(cfg, dim), 0))
/* Both ends taken together and halved, as where "same" padding is worked out anew. */
SIDE_READING(lb_read_padding_halved,
             *lb_padding_before(cfg, dim) =
                 (uint8_t)((*lb_padding_before(cfg, dim) + *after_at(cfg, dim)) / 2))
SIDE_READING(lb_read_padding_times_dilation,
             *lb_padding_before(cfg, dim) = at_most(UINT8_MAX,
                                                    (uint32_t)*lb_padding_before(cfg, dim) *
                                                        *dilation_at(cfg, dim)))
SIDE_READING(lb_read_padding_times_stride,
             *lb_padding_before(cfg, dim) = at_most(UINT8_MAX,
                                                    (uint32_t)*lb_padding_before(cfg, dim) *
                                                        *stride_at(cfg, dim)))
/* The padding of the convolution that a transposed one is turned into. */
SIDE_READING(lb_read_padding_complement,
             *lb_padding_before(cfg, dim) = (uint8_t)(kernel_size(&view, dim) - 1 -
                                                      *lb_padding_before(cfg, dim)))
WINDOW_READING(lb_read_kernel_swapped, swap(size_at(cfg, 0), size_at(cfg, 1)))
WINDOW_READING(lb_read_kernel_one_for_both, *size_at(cfg, other) = *size_at(cfg, dim))
SIDE_READING(lb_read_kernel_one_more, *size_at(cfg, dim) = more(*size_at(cfg, dim)))
SIDE_READING(lb_read_kernel_one_less, *size_at(cfg, dim) = less(*size_at(cfg, dim), 1))

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

static bool run_framed(lb_fault_run *run, fill how)
{
    lb_fault_view view;
    if (!lb_view_begin(&view, run))
        return false;
    lb_config *cfg = &view.call->config;
    lb_tensor *in = lb_view_tensor(&view, LB_ROLE_IN, 0);
    framed f = {.inner = *in, .whole = *in, .top = cfg->padding_top, .left = cfg->padding_left};
    unsigned around = 0;
    for (int dim = 0; dim < 2; dim++) {
        around += *lb_padding_before(cfg, dim) + (unsigned)*after_at(cfg, dim);
        f.whole.shape[dim] += *lb_padding_before(cfg, dim) + (unsigned)*after_at(cfg, dim);
        *lb_padding_before(cfg, dim) = 0;
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

bool lb_read_padding_filled_zero(lb_fault_run *run)
{
    return run_framed(run, FILL_ZERO);
}

bool lb_read_padding_filled_lowest(lb_fault_run *run)
{
    return run_framed(run, FILL_LOWEST);
}

bool lb_read_padding_filled_edge(lb_fault_run *run)
{
    return run_framed(run, FILL_EDGE);
}
