/* conv2d, depthwise, group and transpose convolution, to the last bit: the families differ in which
 * taps meet an output element (conv_taps.h) and in nothing else. Spec: conv.md 6 to 9, order of
 * additions 12. */
#include "conv_taps.h"
#include "models.h"
#include "products.h"
#include "weighted.h"

typedef struct place {
    uint32_t row, column, channel;
} place;

typedef struct conv_walk {
    const lb_weighted *weighted;
    const lb_call *call;
    const lb_tensor *in, *weights;
    lb_conv_side height, width;
    lb_conv_channels channels; /* of the output channel at hand */
} conv_walk;

/* What meets the weights: inputs, or a constant in their place. */
typedef struct tap_source {
    const lb_num *constant; /* NULL: the inputs themselves */
    lb_steps *steps;
    uint64_t taps; /* so far */
} tap_source;

/* The taps of an output element, where they can be listed. */
typedef struct listed_taps {
    bool are_listed;
    unsigned count;
    lb_tap_offsets list[LB_MOST_TAPS];
} listed_taps;

/* Where a tap of a direct convolution points to in one direction, inside the input or not (conv.md
 * 6). */
static int64_t tap_place(const lb_conv_side *side, uint32_t out, uint32_t n)
{
    return out * side->stride - side->padding_before + n * side->dilation;
}

/* For a listener: a tap that adds nothing. Between the inputs of a transposed convolution there is
 * nothing to tell. */
static void tell_outside(lb_acc *acc, const conv_walk *walk, place out, uint32_t k, uint32_t i,
                         uint32_t j, tap_source *source)
{
    if (!source->steps || walk->height.transposed)
        return;
    int64_t x_index[] = {tap_place(&walk->height, out.row, i),
                         tap_place(&walk->width, out.column, j), walk->channels.first + k};
    uint32_t w_index[] = {i, j, k, out.channel};
    lb_steps_tap(source->steps, ++source->taps);
    lb_num_mac_outside(source->steps, acc, LB_NAMED(IN), x_index, 3,
                       source->constant ? *source->constant : lb_num_const(0),
                       lb_num_at(source->steps, walk->weights, LB_NAMED(WEIGHTS), w_index));
}

/* For a listener: a tap that counts. */
static void tell_tap(lb_acc *acc, const conv_walk *walk, const uint32_t *x_index,
                     const uint32_t *w_index, tap_source *source)
{
    lb_steps *s = source->steps;
    lb_steps_tap(s, ++source->taps);
    lb_num x =
        source->constant
            ? *source->constant
            : lb_weighted_input(walk->weighted, lb_num_at(s, walk->in, LB_NAMED(IN), x_index), s);
    lb_num_mac(s, acc, x, lb_num_at(s, walk->weights, LB_NAMED(WEIGHTS), w_index));
}

/* Padding that holds the container 0 (features.md 10): the real number minus zero point. */
static void add_raw_padding(lb_acc *acc, const conv_walk *walk, place out, uint32_t k, uint32_t i,
                            uint32_t j, tap_source *source)
{
    lb_steps *s = source->steps;
    uint32_t w_index[] = {i, j, k, out.channel};
    lb_num x = source->constant ? *source->constant
                                : lb_weighted_input(walk->weighted, lb_num_const(0), s);
    lb_steps_tap(s, ++source->taps);
    lb_num_mac(s, acc, x, lb_num_at(s, walk->weights, LB_NAMED(WEIGHTS), w_index));
}

/* One kernel row of one input channel. */
static void add_row(lb_acc *acc, const conv_walk *walk, place out, uint32_t k, uint32_t i,
                    tap_source *source)
{
    lb_tap row = {0, 0};
    bool row_exists = lb_conv_tap(&walk->height, out.row, i, &row);
    bool pads = walk->weighted->pads_raw_zero && !walk->height.transposed;
    if (!row_exists && !source->steps && !pads)
        return;
    uint32_t x_index[] = {row.in, 0, walk->channels.first + k};
    uint32_t w_index[] = {row.kernel, 0, k, out.channel};
    size_t x_row = lb_offset_of(walk->in, x_index);
    size_t w_row = lb_offset_of(walk->weights, w_index);
    for (uint32_t j = 0; j < walk->width.kernel; j++) {
        lb_tap column;
        if (!lb_conv_tap(&walk->width, out.column, j, &column) || !row_exists) {
            (pads ? add_raw_padding : tell_outside)(acc, walk, out, k, i, j, source);
            continue;
        }
        if (source->steps) {
            x_index[1] = column.in;
            w_index[1] = column.kernel;
            tell_tap(acc, walk, x_index, w_index, source);
            continue;
        }
        size_t x_offset = x_row + column.in * (size_t)walk->in->mem_stride[1];
        size_t w_offset = w_row + column.kernel * (size_t)walk->weights->mem_stride[1];
        int32_t x = source->constant ? (int32_t)source->constant->v
                                     : lb_load(walk->in, x_offset) -
                                           (int32_t)walk->weighted->zero_point_in_products.v;
        lb_acc_mac(acc, x, lb_load(walk->weights, w_offset));
    }
}

static void add_listed(lb_acc *acc, const conv_walk *walk, const listed_taps *taps, place out,
                       const lb_num *constant)
{
    const lb_tensor *in = walk->in, *weights = walk->weights;
    const size_t x_step = (size_t)in->mem_stride[2];
    lb_products_add(acc,
                    &(lb_products){.x = in,
                                   .weights = weights,
                                   .constant = constant,
                                   .taken_off = (int32_t)walk->weighted->zero_point_in_products.v,
                                   .taps = taps->list,
                                   .tap_count = taps->count,
                                   .first = {walk->channels.first * x_step,
                                             out.channel * (size_t)weights->mem_stride[3]},
                                   .x_step = x_step,
                                   .weight_step = (size_t)weights->mem_stride[2],
                                   .count = walk->channels.count});
}

/* Lists them where nobody listens and padding adds nothing. */
static void list_taps(const conv_walk *walk, place out, const lb_steps *steps, listed_taps *taps)
{
    bool pads = walk->weighted->pads_raw_zero && !walk->height.transposed;
    taps->are_listed = !steps && !pads && lb_conv_can_list(&walk->height, &walk->width);
    if (taps->are_listed)
        taps->count =
            lb_conv_list(walk->call, &walk->height, &walk->width, out.row, out.column, taps->list);
}

/* Multiplies and adds the taps of one output element: input channel outermost, then kernel row,
 * then kernel column. */
static void add_taps(lb_acc *acc, const conv_walk *walk, const listed_taps *taps, place out,
                     tap_source source)
{
    if (taps->are_listed) {
        add_listed(acc, walk, taps, out, source.constant);
        return;
    }
    for (uint32_t k = 0; k < walk->channels.count; k++)
        for (uint32_t i = 0; i < walk->height.kernel; i++)
            add_row(acc, walk, out, k, i, &source);
}

static lb_num output_of(const lb_weighted *weighted, const lb_channel *channel,
                        const conv_walk *walk, place out, lb_steps *steps)
{
    lb_steps *each = lb_steps_of_products(weighted->profile, steps);
    lb_acc acc = lb_weighted_acc(weighted, channel, each);
    listed_taps taps;
    list_taps(walk, out, each, &taps);
    lb_acc_expect_zero_point(&acc, weighted->in_zero_point);
    lb_steps_enter(steps, LB_PART_TAPS, "conv.md 6 to 9, 12");
    add_taps(&acc, walk, &taps, out, (tap_source){.steps = each});
    if (weighted->in_zero_point != 0) {
        lb_acc_expect_terms(&acc);
        lb_steps_enter(steps, LB_PART_ZERO_POINT_TERMS, "conv.md 4.3, 12");
        add_taps(&acc, walk, &taps, out,
                 (tap_source){.constant = &weighted->minus_zero_point, .steps = each});
    }
    return lb_weighted_finish(weighted, channel, &acc, steps);
}

static void run_channel(const lb_weighted *weighted, lb_call *call, uint32_t c)
{
    lb_tensor *out = call->tensor[LB_ROLE_OUT];
    lb_channel channel = lb_weighted_channel(weighted, call, c);
    conv_walk walk = {
        .weighted = weighted,
        .call = call,
        .in = call->tensor[LB_ROLE_IN],
        .weights = call->tensor[LB_ROLE_WEIGHTS],
        .height = lb_conv_height(call),
        .width = lb_conv_width(call),
        .channels = lb_conv_channels_of(call, c),
    };
    for (uint32_t y = 0; y < out->shape[0]; y++) {
        for (uint32_t x = 0; x < out->shape[1]; x++) {
            uint32_t index[] = {y, x, c};
            size_t flat = ((size_t)y * out->shape[1] + x) * out->shape[2] + c;
            lb_steps *steps = lb_steps_at(weighted->steps, LB_ROLE_OUT, flat);
            lb_num result = output_of(weighted, &channel, &walk, (place){y, x, c}, steps);
            lb_num_store(steps, out, lb_offset_of(out, index), result);
        }
    }
}

void lb_exact_conv2d(const lb_context *context, lb_call *call)
{
    lb_weighted weighted = lb_weighted_start(context, call);
    for (uint32_t c = 0; c < call->tensor[LB_ROLE_OUT]->shape[2]; c++)
        run_channel(&weighted, call, c);
}
