/* An example of a native port: two kernels with an interface of their own, and what lets lastbit
 * try them. */
#include "lb_kit.h"
#include "lb_native.h"

#include <string.h>

/* ---- The kernels on trial, as they are in some other library ---- */

static void my_relu_s8(const int8_t *in, int8_t *out, uint32_t count, int8_t low, int8_t high)
{
    for (uint32_t i = 0; i < count; i++)
        out[i] = in[i] < low ? low : in[i] > high ? high : in[i];
}

static void my_transpose_s16(const int16_t *in, int16_t *out, uint32_t rows, uint32_t columns)
{
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t column = 0; column < columns; column++)
            out[column * rows + row] = in[row * columns + column];
}

/* ---- What lastbit asks for, as calls of those ---- */

static int is_dense(const lb_native_tensor *t)
{
    int32_t stride = 1;
    for (uint32_t d = t->rank; d-- > 0;) {
        if (t->stride[d] != stride)
            return 0;
        stride *= (int32_t)t->shape[d];
    }
    return 1;
}

static uint32_t count_of(const lb_native_tensor *t)
{
    uint32_t count = 1;
    for (uint32_t d = 0; d < t->rank; d++)
        count *= t->shape[d];
    return count;
}

/* One or six in the input's format; beyond a few bits it is more than any element. */
static int32_t limit_of(int32_t units, int32_t frac_bits)
{
    if (frac_bits < 0)
        return frac_bits < -8 ? 0 : units >> -frac_bits;
    return frac_bits > 8 ? 1000 : units << frac_bits;
}

static int run_relu(const lb_native_call *call)
{
    const lb_native_tensor *in = call->tensor[LB_NATIVE_IN], *out = call->tensor[LB_NATIVE_OUT];
    int32_t type = lb_native_number(call, "type", 0), low = INT8_MIN,
            high = INT8_MAX; /* 0 none, 1 gen, 2 relu1, 3 relu6 */
    if (!is_dense(in) || !is_dense(out) || in->frac_bits >= 30)
        return LB_NATIVE_DECLINED;
    if (type == 2 || type == 3) {
        high = limit_of(type == 2 ? 1 : 6, in->frac_bits);
        low = type == 2 ? -high : 0;
    } else if (type == 1) {
        low = 0;
    }
    my_relu_s8(in->data, out->data, count_of(in), (int8_t)(low < INT8_MIN ? INT8_MIN : low),
               (int8_t)(high > INT8_MAX ? INT8_MAX : high));
    return LB_NATIVE_DONE;
}

static int run_permute(const lb_native_call *call)
{
    const lb_native_tensor *in = call->tensor[LB_NATIVE_IN], *out = call->tensor[LB_NATIVE_OUT];
    if (in->rank != 2 || lb_native_number(call, "perm_dim", 0) != 1 || !is_dense(in) ||
        !is_dense(out))
        return LB_NATIVE_DECLINED;
    my_transpose_s16(in->data, out->data, in->shape[0], in->shape[1]);
    return LB_NATIVE_DONE;
}

static const struct {
    const char *function;
    int (*run)(const lb_native_call *call);
} kernels[] = {{LB_NATIVE_NAME(mli_krn_relu_fx8), run_relu},
               {LB_NATIVE_NAME(mli_krn_permute_fx16), run_permute}};
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

const lb_kit_port lb_port = {"example of a native port: relu of int8, transposition of int16",
                             LB_KIT_ALL_PROFILES, 0};
