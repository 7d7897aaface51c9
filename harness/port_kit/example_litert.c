/* An example of a port of LiteRT kernels: two kernels of int8 with an interface of their own, and
 * what lets lastbit try them. */
#include "lb_kit.h"
#include "lb_native.h"

#include <string.h>

/* ---- The kernels on trial, as they are in some other library ---- */

static int32_t clamp(int32_t value, int32_t low, int32_t high)
{
    return value < low ? low : value > high ? high : value;
}

static void my_relu6_s8(const int8_t *in, int8_t *out, uint32_t count, int32_t zero, int32_t six)
{
    for (uint32_t i = 0; i < count; i++)
        out[i] = (int8_t)clamp(in[i], zero, six);
}

/* x * multiplier * 2^(shift - 31), rounded once, or twice: the high half of the product to nearest,
 * then what is left of the shift, halves away from zero ("lastbit rule litert.2.3"). */
static int32_t my_scale(int32_t x, int32_t multiplier, int32_t shift, int once)
{
    int64_t product = (int64_t)x * multiplier;
    if (once)
        return (int32_t)((product + ((int64_t)1 << (30 - shift))) >> (31 - shift));
    if (shift > 0)
        product = (int64_t)(int32_t)((uint32_t)x << shift) * multiplier;
    int64_t high = (product + (1 << 30)) >> 31;
    if (shift >= 0)
        return (int32_t)high;
    int64_t half = (int64_t)1 << (-shift - 1);
    return (int32_t)(high < 0 ? -((-high + half) >> -shift) : (high + half) >> -shift);
}

typedef struct my_numbers {
    int32_t input_offset, weights_offset, output_offset, multiplier, shift, low, high;
    int rounds_once;
} my_numbers;

static void my_fully_connected_s8(const int8_t *in, const int8_t *weights, const int32_t *bias,
                                  int8_t *out, uint32_t rows, uint32_t inputs, uint32_t units,
                                  const my_numbers *n)
{
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t unit = 0; unit < units; unit++) {
            int32_t sum = bias ? bias[unit] : 0;
            for (uint32_t i = 0; i < inputs; i++)
                sum += (in[row * inputs + i] + n->input_offset) *
                       (weights[unit * inputs + i] + n->weights_offset);
            sum = my_scale(sum, n->multiplier, n->shift, n->rounds_once) + n->output_offset;
            out[row * units + unit] = (int8_t)clamp(sum, n->low, n->high);
        }
}

/* ---- What lastbit asks for, as calls of those ---- */

static uint32_t count_of(const lb_native_tensor *t)
{
    uint32_t count = 1;
    for (uint32_t d = 0; d < t->rank; d++)
        count *= t->shape[d];
    return count;
}

static int run_relu6(const lb_native_call *call)
{
    const lb_native_tensor *in = call->tensor[LB_NATIVE_IN], *out = call->tensor[LB_NATIVE_OUT];
    my_relu6_s8(in->data, out->data, count_of(in), lb_native_number(call, "zero", 0),
                lb_native_number(call, "six", 0));
    return LB_NATIVE_DONE;
}

static int run_fully_connected(const lb_native_call *call)
{
    const lb_native_tensor *in = call->tensor[LB_NATIVE_IN],
                           *weights = call->tensor[LB_NATIVE_WEIGHTS],
                           *bias = call->tensor[LB_NATIVE_BIAS], /* NULL: the call has none */
                               *out = call->tensor[LB_NATIVE_OUT];
    const uint32_t units = weights->shape[0], inputs = weights->shape[1];
    const my_numbers n = {.input_offset = lb_native_number(call, "input_offset", 0),
                          .weights_offset = lb_native_number(call, "weights_offset", 0),
                          .output_offset = lb_native_number(call, "output_offset", 0),
                          .multiplier = lb_native_number(call, "multiplier", 0),
                          .shift = lb_native_number(call, "shift", 0),
                          .low = lb_native_number(call, "activation_min", 0),
                          .high = lb_native_number(call, "activation_max", 0),
                          .rounds_once = strcmp(call->profile, "litert-single") == 0};
    my_fully_connected_s8(in->data, weights->data, bias ? bias->data : NULL, out->data,
                          count_of(in) / inputs, inputs, units, &n);
    return LB_NATIVE_DONE;
}

static const struct {
    const char *function;
    int (*run)(const lb_native_call *call);
} kernels[] = {{LB_NATIVE_NAME(litert_relu6_s8), run_relu6},
               {LB_NATIVE_NAME(litert_fully_connected_s8), run_fully_connected}};
enum { KERNELS = sizeof kernels / sizeof kernels[0] };

int lb_native_has(const char *function)
{
    for (unsigned i = 0; i < KERNELS; i++)
        if (strcmp(kernels[i].function, function) == 0)
            return 1;
    return 0;
}

int lb_native_run(const lb_native_call *call)
{
    for (unsigned i = 0; i < KERNELS; i++)
        if (strcmp(kernels[i].function, call->function) == 0)
            return kernels[i].run(call);
    return LB_NATIVE_DECLINED;
}

/* What it is, and which roundings it has: LB_KIT_LITERT_DOUBLE, LB_KIT_LITERT_SINGLE, or both. */
const lb_kit_port lb_port = {"my_port, a starting port of LiteRT kernels", LB_KIT_BOTH_LITERT, 0};
