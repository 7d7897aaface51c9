/* Made-up cases: which family is made by whom, and the one fault that some of them get. See
 * random_case.h. */
#include "harness/generate/random_build.h"

#include <string.h>

/* Families without a row (helpers, movement, tables) have nothing that random numbers would find.
 */
static void (*const makers[LB_FAMILY_COUNT])(lb_build *) = {
    [LB_FAMILY_CONV2D] = lb_random_convolution,
    [LB_FAMILY_DEPTHWISE_CONV2D] = lb_random_convolution,
    [LB_FAMILY_GROUP_CONV2D] = lb_random_convolution,
    [LB_FAMILY_TRANSPOSE_CONV2D] = lb_random_transpose,
    [LB_FAMILY_FULLY_CONNECTED] = lb_random_fully_connected,
    [LB_FAMILY_RNN_DENSE] = lb_random_rnn_dense,
    [LB_FAMILY_LSTM] = lb_random_cell,
    [LB_FAMILY_GRU] = lb_random_cell,
    [LB_FAMILY_MAXPOOL] = lb_random_pool,
    [LB_FAMILY_AVEPOOL] = lb_random_pool,
    [LB_FAMILY_ARGMAX] = lb_random_argmax,
    [LB_FAMILY_RELU] = lb_random_relu,
    [LB_FAMILY_LEAKY_RELU] = lb_random_prelu,
    [LB_FAMILY_PRELU] = lb_random_prelu,
    [LB_FAMILY_SIGM] = lb_random_activation,
    [LB_FAMILY_TANH] = lb_random_activation,
    [LB_FAMILY_SOFTMAX] = lb_random_grouped,
    [LB_FAMILY_L2_NORMALIZE] = lb_random_grouped,
    [LB_FAMILY_ELTWISE] = lb_random_eltwise,
    [LB_FAMILY_PERMUTE] = lb_random_permute,
    [LB_FAMILY_CONVERT] = lb_random_convert,
};

bool lb_random_case_possible(const lb_kernel *kernel)
{
    return makers[kernel->family] != NULL;
}

/* Does the function look at the quantization of this tensor? Where it does not, a bad scale is
 * undefined (numerics.md 7.2, recurrent.md 6). */
static bool quantization_is_checked(const lb_build *b, const lb_case_tensor *t)
{
    lb_family family = b->c->kernel->family;
    bool is_out = t == b->c->operand[LB_ROLE_OUT].tensors;
    return family != LB_FAMILY_CONVERT &&
           !(is_out && (family == LB_FAMILY_LSTM || family == LB_FAMILY_GRU));
}

static lb_case_tensor *any_tensor(lb_build *b)
{
    lb_role roles[LB_ROLE_COUNT];
    int count = 0;
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        if (b->c->operand[role].present)
            roles[count++] = (lb_role)role;
    lb_case_operand *operand = &b->c->operand[roles[lb_random_in(&b->random, 0, count - 1)]];
    return &operand->tensors[lb_random_in(&b->random, 0, operand->count - 1)];
}

/* One fault in a tensor, such that every status it can lead to is defined. A scalar of rank 0 has
 * no fields to spoil. */
static void spoil_tensor(lb_build *b, lb_case_tensor *t)
{
    static const uint32_t types[] = {LB_FX4,  LB_FX8,  LB_FX16, LB_SA8,
                                     LB_SA32, LB_FP16, LB_FP32, 119};
    enum { CAPACITY, STRIDE, TYPE, NO_DATA, SCALE, ZERO_POINT, FAULTS };
    int64_t last_fault = t->quant_count && quantization_is_checked(b, t) ? FAULTS - 1 : SCALE - 1;
    size_t quant =
        t->quant_count ? (size_t)lb_random_in(&b->random, 0, (int64_t)t->quant_count - 1) : 0;
    switch (lb_random_in(&b->random, 0, last_fault)) {
    case CAPACITY:
        t->has_capacity = true;
        t->capacity_bytes = (uint32_t)(lb_build_count(t) * lb_element_bytes((uint32_t)t->type) - 1);
        break;
    case STRIDE:
        if (!t->has_mem_stride) {
            int32_t dense = 1;
            for (unsigned d = t->rank; d-- > 0; dense *= (int32_t)t->shape[d])
                t->mem_stride[d] = dense;
            t->has_mem_stride = true;
        }
        t->mem_stride[lb_random_in(&b->random, 0, t->rank - 1)] = 0;
        break;
    case TYPE:
        t->has_el_type = true;
        t->el_type = LB_RANDOM_OF(&b->random, types);
        break;
    case NO_DATA:
        t->null_data = true;
        break;
    case SCALE:
        t->scale[quant] = (int16_t)lb_random_in(&b->random, -1, 0);
        break;
    default:
        t->zero_point[quant] = lb_random_once_in(&b->random, 2) ? 1 : 128;
    }
}

static void spoil_config(lb_build *b)
{
    lb_config *cfg = &b->c->config;
    switch (lb_random_in(&b->random, 0, 4)) {
    case 0:
        cfg->stride_width = 0;
        break;
    case 1:
        cfg->dilation_height = 0;
        break;
    case 2:
        cfg->padding_left = 200;
        break;
    case 3:
        cfg->padding_bottom = (uint8_t)(cfg->padding_bottom + 1);
        break;
    default:
        b->c->null_config = true;
    }
}

static void spoil(lb_build *b)
{
    bool has_config = b->c->kernel->config_kind == LB_CONFIG_CONV2D;
    lb_case_tensor *t = any_tensor(b);
    if (has_config && lb_random_once_in(&b->random, 3))
        spoil_config(b);
    else if (t->rank > 0)
        spoil_tensor(b, t);
}

bool lb_random_case(const lb_kernel *kernel, const lb_random_options *options, uint64_t index,
                    lb_arena *arena, lb_case *c)
{
    static const char prefix[] = "mli_krn_";
    void (*make)(lb_build *) = makers[kernel->family];
    if (!make)
        return false;
    memset(c, 0, sizeof *c);
    lb_build b = {.random = lb_random_start(options->seed, index),
                  .arena = arena,
                  .c = c,
                  .options = options};
    const char *name = strncmp(kernel->name, prefix, sizeof prefix - 1) == 0
                           ? kernel->name + sizeof prefix - 1
                           : kernel->name;
    c->kernel = kernel;
    c->function = lb_arena_strdup(arena, kernel->name);
    c->id = lb_arena_printf(arena, "%s.seed%llu.%llu", name, (unsigned long long)options->seed,
                            (unsigned long long)index);
    make(&b);
    if (options->fault_one_in && lb_random_once_in(&b.random, options->fault_one_in))
        spoil(&b);
    return true;
}
