/* Made-up cases: which family is made by whom, and the faults that some of them get. See
 * random_case.h. */
#include "harness/coverage/class.h"
#include "harness/coverage/defined.h"
#include "harness/generate/random_build.h"

#include <string.h>

static void make(lb_family family, lb_build *b)
{
    switch (family) {
    /* clang-format off */
    case LB_FAMILY_CONV2D: case LB_FAMILY_DEPTHWISE_CONV2D: case LB_FAMILY_GROUP_CONV2D:
        lb_random_convolution(b);
        break;
    case LB_FAMILY_TRANSPOSE_CONV2D:
        lb_random_transpose(b);
        break;
    case LB_FAMILY_FULLY_CONNECTED:
        lb_random_fully_connected(b);
        break;
    case LB_FAMILY_RNN_DENSE:
        lb_random_rnn_dense(b);
        break;
    case LB_FAMILY_LSTM: case LB_FAMILY_GRU:
        lb_random_cell(b);
        break;
    case LB_FAMILY_MAXPOOL: case LB_FAMILY_AVEPOOL:
        lb_random_pool(b);
        break;
    case LB_FAMILY_ARGMAX:
        lb_random_argmax(b);
        break;
    case LB_FAMILY_RELU:
        lb_random_relu(b);
        break;
    case LB_FAMILY_LEAKY_RELU: case LB_FAMILY_PRELU:
        lb_random_prelu(b);
        break;
    case LB_FAMILY_SIGM: case LB_FAMILY_TANH:
        lb_random_activation(b);
        break;
    case LB_FAMILY_SOFTMAX: case LB_FAMILY_L2_NORMALIZE:
        lb_random_grouped(b);
        break;
    case LB_FAMILY_ELTWISE:
        lb_random_eltwise(b);
        break;
    case LB_FAMILY_PERMUTE:
        lb_random_permute(b);
        break;
    case LB_FAMILY_CONVERT:
        lb_random_convert(b);
        break;
    case LB_FAMILY_LUT:
        lb_random_table(b);
        break;
    case LB_FAMILY_HELPER:
        lb_random_helper(b);
        break;
    case LB_FAMILY_MOV:
        lb_random_movement(b);
        break;
    case LB_FAMILY_FLOAT4:
        lb_random_float4(b);
        break;
    LB_CASES_OF_LITERT
        break;
        /* clang-format on */
    }
}

/* Asynchronous movement is called in sequences. */
static bool is_called_in_sequence(const lb_kernel *kernel)
{
    return kernel->family == LB_FAMILY_MOV && !kernel->exact;
}

bool lb_random_case_possible(const lb_kernel *kernel)
{
    return kernel->set == LB_SET_MLI && (kernel->exact || is_called_in_sequence(kernel));
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
    if (count == 0)
        return NULL;
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
        t->capacity_bytes = (uint32_t)(lb_build_count(t) * lb_storage_bytes((uint32_t)t->type) - 1);
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
        t->has_data_in = false;
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
    else if (t && t->rank > 0)
        spoil_tensor(b, t);
}

/* Families that allow the output in the memory of an input, element on element. */
static const lb_family_set in_place = LB_LIKE_INPUT | LB_IN_FAMILY(ELTWISE) | LB_IN_FAMILY(CONVERT);

/* Out in the memory of its input. */
static void share_memory(lb_build *b)
{
    lb_family family = b->c->kernel->family;
    lb_case_operand *out = &b->c->operand[LB_ROLE_OUT];
    lb_role role = b->c->operand[LB_ROLE_IN].present  ? LB_ROLE_IN
                   : lb_random_once_in(&b->random, 2) ? LB_ROLE_IN1
                                                      : LB_ROLE_IN2;
    const lb_case_operand *in = &b->c->operand[role];
    if (!in->present || !out->present || in->tensors[0].rank != out->tensors[0].rank ||
        in->tensors[0].rank == 0)
        return;
    if (!(in_place >> family & 1))
        return;
    lb_case_tensor *t = out->tensors;
    t->has_data_in = true;
    t->data_in = (lb_tensor_ref){.role = role};
    t->has_mem_stride = in->tensors[0].has_mem_stride;
    memcpy(t->mem_stride, in->tensors[0].mem_stride, sizeof t->mem_stride);
}

static void name_case(lb_build *b, const lb_kernel *kernel, uint64_t index)
{
    static const char *const prefixes[] = {"mli_krn_", "mli_hlp_", "mli_"};
    const char *name = kernel->name;
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0] && name == kernel->name; i++)
        if (strncmp(kernel->name, prefixes[i], strlen(prefixes[i])) == 0)
            name += strlen(prefixes[i]);
    b->c->kernel = kernel;
    b->c->function = lb_arena_strdup(b->arena, kernel->name);
    b->c->id = lb_arena_printf(b->arena, "%s.seed%llu.%llu", name,
                               (unsigned long long)b->options->seed, (unsigned long long)index);
}

/* What a sequence moves is that of a movement. */
static void make_sequence(lb_build *b, const lb_kernel *kernel)
{
    b->c->kernel = lb_kernel_find("mli_mov_tensor_sync");
    lb_random_movement(b);
    bool defined = lb_cover_is_defined(b->c);
    lb_random_sequence(b, kernel->name);
    if (!defined) /* made anew */
        b->c->kernel = lb_kernel_find("mli_mov_tensor_sync");
}

static void make_once(lb_build *b, const lb_kernel *kernel, bool may_spoil)
{
    unsigned faults = b->options->fault_one_in;
    make(kernel->family, b);
    if (lb_random_once_in(&b->random, 6))
        share_memory(b);
    if (!may_spoil || faults == 0 || !lb_random_once_in(&b->random, faults))
        return;
    spoil(b);
    if (lb_random_once_in(&b->random, 3)) /* which of two is told */
        spoil(b);
}

/* What the specification leaves undefined proves nothing: another one is made. */
enum { ATTEMPTS = 40 };

bool lb_random_case(const lb_kernel *kernel, const lb_random_options *options, uint64_t index,
                    lb_arena *arena, lb_case *c)
{
    if (!lb_random_case_possible(kernel))
        return false;
    for (uint64_t attempt = 0; attempt < ATTEMPTS; attempt++) {
        memset(c, 0, sizeof *c);
        lb_build b = {.random = lb_random_start(options->seed ^ attempt << 40, index),
                      .arena = arena,
                      .c = c,
                      .options = options};
        name_case(&b, kernel, index);
        if (is_called_in_sequence(kernel)) {
            make_sequence(&b, kernel);
            if (!c->kernel)
                return true;
            continue;
        }
        make_once(&b, kernel, attempt < ATTEMPTS / 2);
        if (lb_cover_is_defined(c))
            return true;
    }
    return false;
}
