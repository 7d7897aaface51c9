/* CMSIS-NN, or a library with its interface, as lastbit asks for it: each call becomes one of
 * arm_nnfunctions.h ("lastbit rule litert.23"). */
#include "lb_kit.h"
#include "lb_native.h"
#include <cmsis_nn_library.h> /* of the build: the library's headers, and what it has not */

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- Buffers that the library asks for ---- */

enum { BUFFERS = 2, FILL = 0xA5, ALIGNED = 4 };

/* Pages, the first and the last of which nobody may touch. */
typedef struct fenced {
    unsigned char *pages, *start;
    size_t pages_bytes, bytes, front_bytes, slack_bytes;
} fenced;

static fenced buffers[BUFFERS];

static int is_filled(const unsigned char *at, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (at[i] != FILL)
            return 0;
    return 1;
}

/* A buffer of this size for the context; it ends where the forbidden page begins, as near as its
 * boundary of four bytes allows. Of size 0 it is that page: not NULL, and not to be touched. */
static void give(cmsis_nn_context *ctx, unsigned number, int32_t bytes)
{
    fenced *f = &buffers[number];
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), asked = bytes > 0 ? (size_t)bytes : 0;
    const size_t inner = (asked + page - 1) / page * page;
    f->bytes = asked;
    f->pages_bytes = inner + 2 * page;
    f->pages = mmap(NULL, f->pages_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (f->pages == MAP_FAILED ||
        (inner && mprotect(f->pages + page, inner, PROT_READ | PROT_WRITE)))
        abort();
    f->slack_bytes = (ALIGNED - asked % ALIGNED) % ALIGNED;
    f->front_bytes = inner - asked - f->slack_bytes;
    f->start = f->pages + page + f->front_bytes;
    if (inner)
        memset(f->pages + page, FILL, inner);
    ctx->buf = f->start;
    ctx->size = bytes;
}

/* Takes all buffers back. 0: bytes beside one were written. */
static int take_back(void)
{
    int good = 1;
    for (unsigned i = 0; i < BUFFERS; i++) {
        fenced *f = &buffers[i];
        if (!f->pages)
            continue;
        good = good && is_filled(f->start - f->front_bytes, f->front_bytes) &&
               is_filled(f->start + f->bytes, f->slack_bytes);
        munmap(f->pages, f->pages_bytes);
        memset(f, 0, sizeof *f);
    }
    return good;
}

/* ---- A call ---- */

/* Statuses of lastbit's: those of the library are negative numbers. */
enum { REFUSED = 1, FAILED = 3, WROTE_BESIDE_ITS_BUFFER = 100 };

static int status_of(int status)
{
    return status == ARM_CMSIS_NN_SUCCESS         ? LB_NATIVE_DONE
           : status == ARM_CMSIS_NN_NO_IMPL_ERROR ? LB_NATIVE_DECLINED
           : status == ARM_CMSIS_NN_ARG_ERROR     ? REFUSED
                                                  : FAILED;
}

/* A number of the configuration; of a key that the function does not have, 0. */
#define F(name) lb_native_number(call, #name, 0)

static void *data(const lb_native_call *call, unsigned place)
{
    return call->tensor[place] ? call->tensor[place]->data : NULL;
}

#define IN      data(call, LB_NATIVE_IN)
#define WEIGHTS data(call, LB_NATIVE_WEIGHTS)
#define BIAS    data(call, LB_NATIVE_BIAS)
#define OUT     data(call, LB_NATIVE_OUT)

static int32_t count_of(const lb_native_tensor *t)
{
    uint32_t count = 1;
    for (uint32_t d = 0; d < t->rank; d++)
        count *= t->shape[d];
    return (int32_t)count;
}

static int is_s8(const lb_native_call *call)
{
    return call->tensor[LB_NATIVE_IN]->type == LB_NATIVE_S8;
}

/* The last four dimensions; those in front that a tensor lacks are 1. */
static cmsis_nn_dims dims(const lb_native_call *call, unsigned place)
{
    int32_t d[4] = {1, 1, 1, 1};
    const lb_native_tensor *t = call->tensor[place];
    for (uint32_t i = 0; t && i < t->rank; i++)
        d[4 - t->rank + i] = (int32_t)t->shape[i];
    return (cmsis_nn_dims){.n = d[0], .h = d[1], .w = d[2], .c = d[3]};
}

static cmsis_nn_tile tile(int32_t w, int32_t h)
{
    return (cmsis_nn_tile){.w = w, .h = h};
}

#define STRIDE   tile(F(stride_width), F(stride_height))
#define PADDING  tile(F(padding_left), F(padding_top))
#define DILATION tile(F(dilation_width), F(dilation_height))

static cmsis_nn_activation limits(const lb_native_call *call)
{
    return (cmsis_nn_activation){.min = F(activation_min), .max = F(activation_max)};
}

static cmsis_nn_per_channel_quant_params channels(const lb_native_call *call)
{
    return (cmsis_nn_per_channel_quant_params){.multiplier = data(call, LB_NATIVE_MULTIPLIER),
                                               .shift = data(call, LB_NATIVE_SHIFT)};
}

/* ---- Convolutions ---- */

static int convolve(const lb_native_call *call)
{
    const cmsis_nn_conv_params p = {.input_offset = F(input_offset),
                                    .output_offset = F(output_offset),
                                    .stride = STRIDE,
                                    .padding = PADDING,
                                    .dilation = DILATION,
                                    .activation = limits(call)};
    const cmsis_nn_per_channel_quant_params q = channels(call);
    const cmsis_nn_dims in = dims(call, LB_NATIVE_IN), w = dims(call, LB_NATIVE_WEIGHTS),
                        out = dims(call, LB_NATIVE_OUT), bias = {1, 1, 1, out.c};
    const cmsis_nn_bias_data of_s16 = {.data = BIAS, .is_int32_bias = F(accumulator_bits) == 32};
    cmsis_nn_context ctx;
    if (!is_s8(call)) {
        give(&ctx, 0, arm_convolve_wrapper_s16_get_buffer_size(&p, &in, &w, &out));
        return arm_convolve_wrapper_s16(&ctx, &p, &q, &in, IN, &w, WEIGHTS, &bias, &of_s16, &out,
                                        OUT);
    }
#ifdef CMSIS_NN_DIRECT
    give(&ctx, 0, arm_convolve_s8_get_buffer_size(&in, &w));
    return arm_convolve_s8(&ctx, &p, &q, &in, IN, &w, WEIGHTS, &bias, BIAS, NULL, &out, OUT);
#else
    give(&ctx, 0, arm_convolve_wrapper_s8_get_buffer_size(&p, &in, &w, &out));
    return arm_convolve_wrapper_s8(&ctx, &p, &q, &in, IN, &w, WEIGHTS, &bias, BIAS, &out, OUT);
#endif
}

static int depthwise(const lb_native_call *call)
{
    const cmsis_nn_dw_conv_params p = {.input_offset = F(input_offset),
                                       .output_offset = F(output_offset),
                                       .ch_mult = F(depth_multiplier),
                                       .stride = STRIDE,
                                       .padding = PADDING,
                                       .dilation = DILATION,
                                       .activation = limits(call)};
    const cmsis_nn_per_channel_quant_params q = channels(call);
    const cmsis_nn_dims in = dims(call, LB_NATIVE_IN), w = dims(call, LB_NATIVE_WEIGHTS),
                        out = dims(call, LB_NATIVE_OUT), bias = {1, 1, 1, out.c};
    cmsis_nn_context ctx;
    if (is_s8(call)) {
        give(&ctx, 0, arm_depthwise_conv_wrapper_s8_get_buffer_size(&p, &in, &w, &out));
        return arm_depthwise_conv_wrapper_s8(&ctx, &p, &q, &in, IN, &w, WEIGHTS, &bias, BIAS, &out,
                                             OUT);
    }
    give(&ctx, 0, arm_depthwise_conv_wrapper_s16_get_buffer_size(&p, &in, &w, &out));
    return arm_depthwise_conv_wrapper_s16(&ctx, &p, &q, &in, IN, &w, WEIGHTS, &bias, BIAS, &out,
                                          OUT);
}

static int transpose(const lb_native_call *call)
{
    const cmsis_nn_transpose_conv_params p = {.input_offset = F(input_offset),
                                              .output_offset = F(output_offset),
                                              .stride = STRIDE,
                                              .padding = PADDING,
                                              .padding_offsets = tile(0, 0),
                                              .dilation = tile(1, 1),
                                              .activation = limits(call)};
    const cmsis_nn_per_channel_quant_params q = channels(call);
    const cmsis_nn_dims in = dims(call, LB_NATIVE_IN), w = dims(call, LB_NATIVE_WEIGHTS),
                        out = dims(call, LB_NATIVE_OUT), bias = {1, 1, 1, out.c};
    cmsis_nn_context ctx, of_out;
    give(&ctx, 0, arm_transpose_conv_s8_get_buffer_size(&p, &in, &w, &out));
    give(&of_out, 1, arm_transpose_conv_s8_get_reverse_conv_buffer_size(&p, &in, &w));
    return arm_transpose_conv_wrapper_s8(&ctx, &of_out, &p, &q, &in, IN, &w, WEIGHTS, &bias, BIAS,
                                         &out, OUT);
}

/* ---- Fully connected ---- */

typedef struct layer {
    cmsis_nn_fc_params p;
    cmsis_nn_per_tensor_quant_params one;
    cmsis_nn_dims in, w, bias, out;
} layer;

static layer layer_of(const lb_native_call *call)
{
    const int32_t units = (int32_t)call->tensor[LB_NATIVE_WEIGHTS]->shape[0];
    const int32_t inputs = (int32_t)call->tensor[LB_NATIVE_WEIGHTS]->shape[1];
    const int32_t rows = count_of(call->tensor[LB_NATIVE_IN]) / inputs;
    return (layer){.p = {.input_offset = F(input_offset),
                         .filter_offset = F(weights_offset),
                         .output_offset = F(output_offset),
                         .activation = limits(call)},
                   .one = {.multiplier = F(multiplier), .shift = F(shift)},
                   .in = {rows, 1, 1, inputs},
                   .w = {inputs, 1, 1, units},
                   .bias = {1, 1, 1, units},
                   .out = {rows, 1, 1, units}};
}

/* Where the library asks for a buffer of int8 kernels, it is to hold the sums of the weights. */
static void give_sums(const lb_native_call *call, const layer *l, cmsis_nn_context *ctx)
{
    give(ctx, 0, arm_fully_connected_s8_get_buffer_size(&l->w));
    if (ctx->size > 0)
        arm_vector_sum_s8(ctx->buf, l->w.n, l->w.c, WEIGHTS, l->p.input_offset, l->p.filter_offset,
                          BIAS);
}

static int fully_connected(const lb_native_call *call)
{
    const layer l = layer_of(call);
    cmsis_nn_context ctx;
    if (!is_s8(call)) {
        if (F(accumulator_bits) == 32)
            return ARM_CMSIS_NN_NO_IMPL_ERROR;
        give(&ctx, 0, arm_fully_connected_s16_get_buffer_size(&l.w));
        return arm_fully_connected_s16(&ctx, &l.p, &l.one, &l.in, IN, &l.w, WEIGHTS, &l.bias, BIAS,
                                       &l.out, OUT);
    }
    give_sums(call, &l, &ctx);
#ifdef CMSIS_NN_DIRECT
    int32_t multiplier = l.one.multiplier, shift = l.one.shift;
    const cmsis_nn_quant_params q = {
        .multiplier = &multiplier, .shift = &shift, .is_per_channel = 0};
    return arm_fully_connected_wrapper_s8(&ctx, &l.p, &q, &l.in, IN, &l.w, WEIGHTS, &l.bias, BIAS,
                                          &l.out, OUT);
#else
    return arm_fully_connected_s8(&ctx, &l.p, &l.one, &l.in, IN, &l.w, WEIGHTS, &l.bias, BIAS,
                                  &l.out, OUT);
#endif
}

static int fully_connected_per_channel(const lb_native_call *call)
{
    const layer l = layer_of(call);
    cmsis_nn_context ctx;
    give_sums(call, &l, &ctx);
#ifdef CMSIS_NN_DIRECT
    const cmsis_nn_quant_params q = {.multiplier = data(call, LB_NATIVE_MULTIPLIER),
                                     .shift = data(call, LB_NATIVE_SHIFT),
                                     .is_per_channel = 1};
    return arm_fully_connected_wrapper_s8(&ctx, &l.p, &q, &l.in, IN, &l.w, WEIGHTS, &l.bias, BIAS,
                                          &l.out, OUT);
#else
    const cmsis_nn_per_channel_quant_params q = channels(call);
    return arm_fully_connected_per_channel_s8(&ctx, &l.p, &q, &l.in, IN, &l.w, WEIGHTS, &l.bias,
                                              BIAS, &l.out, OUT);
#endif
}

/* ---- Pooling ---- */

static int pool(const lb_native_call *call, int is_average)
{
    const cmsis_nn_pool_params p = {
        .stride = STRIDE, .padding = PADDING, .activation = limits(call)};
    const cmsis_nn_dims in = dims(call, LB_NATIVE_IN), out = dims(call, LB_NATIVE_OUT),
                        window = {1, F(filter_height), F(filter_width), 1};
    cmsis_nn_context ctx;
    if (!is_average) {
        give(&ctx, 0, 0);
        return is_s8(call) ? arm_max_pool_s8(&ctx, &p, &in, IN, &window, &out, OUT)
                           : arm_max_pool_s16(&ctx, &p, &in, IN, &window, &out, OUT);
    }
    give(&ctx, 0,
         is_s8(call) ? arm_avgpool_s8_get_buffer_size(out.w, in.c)
                     : arm_avgpool_s16_get_buffer_size(out.w, in.c));
    return is_s8(call) ? arm_avgpool_s8(&ctx, &p, &in, IN, &window, &out, OUT)
                       : arm_avgpool_s16(&ctx, &p, &in, IN, &window, &out, OUT);
}

static int average_pool(const lb_native_call *call)
{
    return pool(call, 1);
}

static int max_pool(const lb_native_call *call)
{
    return pool(call, 0);
}

/* ---- Element by element ---- */

/* Is the call one without broadcasting? */
static int is_plain(const lb_native_call *call)
{
    const int32_t count = count_of(call->tensor[LB_NATIVE_OUT]);
    return count_of(call->tensor[LB_NATIVE_IN1]) == count &&
           count_of(call->tensor[LB_NATIVE_IN2]) == count;
}

static int add(const lb_native_call *call)
{
    const int32_t count = count_of(call->tensor[LB_NATIVE_OUT]);
    const cmsis_nn_activation to = limits(call);
#define ADD(function)                                                                              \
    function(data(call, LB_NATIVE_IN1), data(call, LB_NATIVE_IN2), F(input1_offset),               \
             F(input1_multiplier), F(input1_shift), F(input2_offset), F(input2_multiplier),        \
             F(input2_shift), F(left_shift), OUT, F(output_offset), F(output_multiplier),          \
             F(output_shift), to.min, to.max, count)
    if (!is_plain(call))
        return ARM_CMSIS_NN_NO_IMPL_ERROR;
    return call->tensor[LB_NATIVE_OUT]->type == LB_NATIVE_S8 ? ADD(arm_elementwise_add_s8)
                                                             : ADD(arm_elementwise_add_s16);
}

static int mul(const lb_native_call *call)
{
    const int32_t count = count_of(call->tensor[LB_NATIVE_OUT]);
    const cmsis_nn_activation to = limits(call);
#define MUL(function)                                                                              \
    function(data(call, LB_NATIVE_IN1), data(call, LB_NATIVE_IN2), F(input1_offset),               \
             F(input2_offset), OUT, F(output_offset), F(output_multiplier), F(output_shift),       \
             to.min, to.max, count)
    if (!is_plain(call))
        return ARM_CMSIS_NN_NO_IMPL_ERROR;
    return call->tensor[LB_NATIVE_OUT]->type == LB_NATIVE_S8 ? MUL(arm_elementwise_mul_s8)
                                                             : MUL(arm_elementwise_mul_s16);
}

/* ---- Softmax, logistic, tanh ---- */

enum { LUT = 513, STEPS = LUT - 1 };

static float exp_of(float x)
{
    return (float)exp((double)x);
}

static float one_over_one_plus(float x)
{
    return 1 / (1 + x);
}

/* A function between lo and hi as a table of int16, which stands for -1 to 1: half the error in the
 * middle of a step is taken off ("lastbit rule litert.22.6"). */
static void make_table(int16_t *table, float (*function)(float), float scale, int32_t zero_point)
{
    const float lo = scale * (float)(-32768 - zero_point), hi = scale * (float)(32767 - zero_point);
    const float out = 2.0F / 65535.0F, high = out * 32767, low = out * -32768;
    const float step = (hi - lo) / STEPS, inverse = 65536.0F / (high - low);
    for (int i = 0; i <= STEPS; i++) {
        const float at = lo + (float)i * step, next = lo + (float)(i + 1) * step;
        const float here = roundf(function(at) * inverse);
        const float between = function(at + step / 2) * inverse;
        const float middle = roundf((function(next) * inverse + here) / 2);
        const float bent = roundf((middle - roundf(between)) / 2);
        const float value = i == STEPS ? roundf(function(hi) * inverse) : here - bent;
        table[i] = (int16_t)(value > 32767 ? 32767 : value < -32768 ? -32768 : value);
    }
}

static int softmax(const lb_native_call *call)
{
    static int16_t of_exp[LUT], of_inverse[LUT];
    const lb_native_tensor *in = call->tensor[LB_NATIVE_IN];
    const int32_t row = (int32_t)in->shape[in->rank - 1], rows = count_of(in) / row;
    const int32_t multiplier = F(input_multiplier), shift = F(input_left_shift);
    if (is_s8(call)) {
        if (call->tensor[LB_NATIVE_OUT]->type == LB_NATIVE_S8)
            arm_softmax_s8(IN, rows, row, multiplier, shift, F(diff_min), OUT);
        else
            arm_softmax_s8_s16(IN, rows, row, multiplier, shift, F(diff_min), OUT);
        return ARM_CMSIS_NN_SUCCESS;
    }
    if (!of_exp[0]) {
        make_table(of_exp, exp_of, 10.0F / 65535.0F, 32767);
        make_table(of_inverse, one_over_one_plus, 1.0F / 65535.0F, -32768);
    }
    const cmsis_nn_softmax_lut_s16 tables = {.exp_lut = of_exp, .one_by_one_lut = of_inverse};
    return arm_softmax_s16(IN, rows, row, multiplier, shift, &tables, OUT);
}

/* Of int16, with a scale that is a power of two. */
static int sigmoid(const lb_native_call *call, arm_nn_activation_type type)
{
    if (F(input_multiplier) != 0)
        return ARM_CMSIS_NN_NO_IMPL_ERROR;
    return arm_nn_activation_s16(IN, OUT, count_of(call->tensor[LB_NATIVE_IN]), F(input_left_shift),
                                 type);
}

static int logistic(const lb_native_call *call)
{
    return sigmoid(call, ARM_SIGMOID);
}

static int tangent(const lb_native_call *call)
{
    return sigmoid(call, ARM_TANH);
}

/* ---- All ---- */

/* A function of LiteRT, and what of the library it calls. */
#define KERNEL(function, run, ...)                                                                 \
    {                                                                                              \
        LB_NATIVE_NAME(litert_##function), run, #__VA_ARGS__ ","                                   \
    }

static const struct {
    const char *function;
    int (*run)(const lb_native_call *call);
    const char *calls;
} kernels[] = {
#ifdef CMSIS_NN_DIRECT
    KERNEL(conv_2d_s8, convolve, arm_convolve_s8, arm_convolve_s8_get_buffer_size),
    KERNEL(fully_connected_s8, fully_connected, arm_fully_connected_wrapper_s8,
           arm_fully_connected_s8_get_buffer_size),
    KERNEL(fully_connected_per_channel_s8, fully_connected_per_channel,
           arm_fully_connected_wrapper_s8, arm_fully_connected_s8_get_buffer_size),
#else
    KERNEL(conv_2d_s8, convolve, arm_convolve_wrapper_s8, arm_convolve_wrapper_s8_get_buffer_size),
    KERNEL(fully_connected_s8, fully_connected, arm_fully_connected_s8,
           arm_fully_connected_s8_get_buffer_size),
    KERNEL(fully_connected_per_channel_s8, fully_connected_per_channel,
           arm_fully_connected_per_channel_s8, arm_fully_connected_s8_get_buffer_size),
#endif
    KERNEL(conv_2d_s16, convolve, arm_convolve_wrapper_s16,
           arm_convolve_wrapper_s16_get_buffer_size),
    KERNEL(depthwise_conv_2d_s8, depthwise, arm_depthwise_conv_wrapper_s8,
           arm_depthwise_conv_wrapper_s8_get_buffer_size),
    KERNEL(depthwise_conv_2d_s16, depthwise, arm_depthwise_conv_wrapper_s16,
           arm_depthwise_conv_wrapper_s16_get_buffer_size),
    KERNEL(transpose_conv_s8, transpose, arm_transpose_conv_wrapper_s8,
           arm_transpose_conv_s8_get_buffer_size,
           arm_transpose_conv_s8_get_reverse_conv_buffer_size),
    KERNEL(fully_connected_s16, fully_connected, arm_fully_connected_s16,
           arm_fully_connected_s16_get_buffer_size),
    KERNEL(average_pool_2d_s8, average_pool, arm_avgpool_s8, arm_avgpool_s8_get_buffer_size),
    KERNEL(average_pool_2d_s16, average_pool, arm_avgpool_s16, arm_avgpool_s16_get_buffer_size),
    KERNEL(max_pool_2d_s8, max_pool, arm_max_pool_s8),
    KERNEL(max_pool_2d_s16, max_pool, arm_max_pool_s16),
    KERNEL(add_s8, add, arm_elementwise_add_s8),
    KERNEL(add_s16, add, arm_elementwise_add_s16),
    KERNEL(mul_s8, mul, arm_elementwise_mul_s8),
    KERNEL(mul_s16, mul, arm_elementwise_mul_s16),
    KERNEL(softmax_s8, softmax, arm_softmax_s8),
    KERNEL(softmax_s8_s16, softmax, arm_softmax_s8_s16),
    KERNEL(softmax_s16, softmax, arm_softmax_s16),
    KERNEL(logistic_s16, logistic, arm_nn_activation_s16),
    KERNEL(tanh_s16, tangent, arm_nn_activation_s16),
};
enum { KERNELS = sizeof kernels / sizeof kernels[0] };

/* Has the library all that it calls? */
static int is_whole(const char *calls)
{
    for (const char *at = calls, *end; (end = strchr(at, ',')) != NULL; at = end + 1) {
        at += *at == ' ';
        for (unsigned i = 0; i < sizeof library / sizeof library[0]; i++)
            if (library[i].absent && strlen(library[i].function) == (size_t)(end - at) &&
                strncmp(library[i].function, at, (size_t)(end - at)) == 0)
                return 0;
    }
    return 1;
}

int lb_native_has(const char *function)
{
    for (unsigned i = 0; i < KERNELS; i++)
        if (strcmp(kernels[i].function, function) == 0)
            return is_whole(kernels[i].calls);
    return 0;
}

int lb_native_run(const lb_native_call *call)
{
    for (unsigned i = 0; i < KERNELS; i++)
        if (strcmp(kernels[i].function, call->function) == 0) {
            const int status = status_of(kernels[i].run(call));
            return take_back() ? status : WROTE_BESIDE_ITS_BUFFER;
        }
    return LB_NATIVE_DECLINED;
}

#ifdef CMSIS_NN_USE_SINGLE_ROUNDING
const lb_kit_port lb_port = {"my_port, CMSIS-NN rounding once", LB_KIT_LITERT_SINGLE, 0};
#else
const lb_kit_port lb_port = {"my_port, CMSIS-NN", LB_KIT_LITERT_DOUBLE, 0};
#endif
