/* Which input elements and weights meet at an output element: the geometry of the four convolution
 * families, for the real models, which share nothing with the index maps (describe/map.h). Spec:
 * conv.md 6 to 9, order of the taps 12. Feature maps are [height, width, channels], weights
 * [height, width, in, out]. */
#ifndef LB_REFERENCE_CONV_TAPS_H
#define LB_REFERENCE_CONV_TAPS_H

#include "core/products.h"
#include "describe/kernels.h"

/* One direction of a convolution, height or width; sizes and positions in elements. */
typedef struct lb_conv_side {
    int64_t in;
    int64_t kernel;
    int64_t out;
    int64_t stride;
    int64_t dilation;
    int64_t padding_before; /* top or left */
    bool transposed;
} lb_conv_side;

/* Position of a tap in one direction. */
typedef struct lb_tap {
    uint32_t in;
    uint32_t kernel;
} lb_tap;

/* Input channels that an output channel reads: `count` of them from `first` on. Weights count them
 * from 0. */
typedef struct lb_conv_channels {
    uint32_t first;
    uint32_t count;
} lb_conv_channels;

/* Height and width of a call; its in, weights and out must not be NULL. */
lb_conv_side lb_conv_height(const lb_call *call);
lb_conv_side lb_conv_width(const lb_call *call);

/* The n-th tap, 0 <= n < kernel, at position `out`, in library order. False: it lies in padding,
 * beyond the input or (transposed) between the inputs, and adds nothing; then *tap means nothing.
 * stride must be > 0. */
bool lb_conv_tap(const lb_conv_side *side, uint32_t out, uint32_t n, lb_tap *tap);

/* The taps of an output element lie alike in every input channel. */
enum { LB_MOST_TAPS = 64 };

/* Can they be listed? */
bool lb_conv_can_list(const lb_conv_side *height, const lb_conv_side *width);
/* Those that count, in order, in the first input channel and for the first output channel; gives
 * how many. */
unsigned lb_conv_list(const lb_call *call, const lb_conv_side *height, const lb_conv_side *width,
                      uint32_t out_row, uint32_t out_column, lb_tap_offsets list[LB_MOST_TAPS]);

/* conv2d and transpose: all. depthwise: its own. group: those of its group. The rules of the call
 * have passed. */
lb_conv_channels lb_conv_channels_of(const lb_call *call, uint32_t out_channel);

#endif
