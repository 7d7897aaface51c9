/* The built-in port: our own implementation, linked in. The one file of the harness that includes
 * impl/. */
#include "harness/port/port.h"
#include "harness/port_kit/lb_kit_about.h"

#include "impl/bench/peaks.h"

#include <mli_api.h>
#include <mli_lastbit.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LB_GARBAGE = 0x5A };

/* ---- Tensors and configurations: the harness's form to the API's, and back ---- */

static mli_data_container container_to_mli(const lb_container *c)
{
    mli_data_container m;
    memset(&m, 0, sizeof m);
    m.capacity = c->capacity_bytes;
    memcpy(&m.mem, &c->mem, sizeof m.mem);
    return m;
}

static lb_container container_from_mli(const mli_data_container *m)
{
    lb_container c;
    memset(&c, 0, sizeof c);
    c.capacity_bytes = m->capacity;
    memcpy(&c.mem, &m->mem, sizeof c.mem);
    return c;
}

_Static_assert(sizeof(((mli_data_container *)0)->mem) == sizeof(lb_memory),
               "both are one pointer wide");

static void tensor_to_mli(const lb_tensor *t, mli_tensor *m)
{
    memset(m, 0, sizeof *m);
    m->data = container_to_mli(&t->data);
    memcpy(m->mem_stride, t->mem_stride, sizeof m->mem_stride);
    memcpy(m->shape, t->shape, sizeof m->shape);
    m->rank = t->rank;
    m->el_type = (mli_element_type)t->el_type;
    /* The parameters are a union: the zeroed sa half leaves room for frac_bits, which only fx
     * tensors carry. */
    m->el_params.sa.zero_point = container_to_mli(&t->sa.zero_point);
    m->el_params.sa.scale = container_to_mli(&t->sa.scale);
    m->el_params.sa.scale_frac_bits = container_to_mli(&t->sa.scale_frac_bits);
    m->el_params.sa.dim = t->sa.dim;
    m->el_params.sa.type = (mli_el_param_type)t->sa.type;
    if (t->frac_bits != 0)
        m->el_params.fx.frac_bits = t->frac_bits;
}

static void tensor_from_mli(const mli_tensor *m, lb_tensor *t)
{
    t->data = container_from_mli(&m->data);
    memcpy(t->mem_stride, m->mem_stride, sizeof t->mem_stride);
    memcpy(t->shape, m->shape, sizeof t->shape);
    t->rank = m->rank;
    t->el_type = (uint32_t)m->el_type;
    if (lb_is_fx(t->el_type)) {
        t->frac_bits = m->el_params.fx.frac_bits;
    } else if (lb_is_sa(t->el_type)) {
        t->sa.type = (int32_t)m->el_params.sa.type;
        t->sa.zero_point = container_from_mli(&m->el_params.sa.zero_point);
        t->sa.scale = container_from_mli(&m->el_params.sa.scale);
        t->sa.scale_frac_bits = container_from_mli(&m->el_params.sa.scale_frac_bits);
        t->sa.dim = m->el_params.sa.dim;
    }
}

/* One call in the API's terms. A role that is NULL stays NULL. */
typedef struct api_call {
    lb_call *call;
    mli_tensor tensors[LB_ROLE_COUNT][LB_MAX_LIST];
    const struct tables *tables;
} api_call;

static mli_tensor *role(api_call *a, lb_role r)
{
    return a->call->tensor[r] ? a->tensors[r] : NULL;
}

static void tensors_to_mli(api_call *a)
{
    for (int r = 0; r < LB_ROLE_COUNT; r++)
        for (unsigned i = 0; a->call->tensor[r] && i < a->call->list_count[r]; i++)
            tensor_to_mli(&a->call->tensor[r][i], &a->tensors[r][i]);
}

static void tensors_from_mli(api_call *a)
{
    for (int r = 0; r < LB_ROLE_COUNT; r++)
        for (unsigned i = 0; a->call->tensor[r] && i < a->call->list_count[r]; i++)
            tensor_from_mli(&a->tensors[r][i], &a->call->tensor[r][i]);
}

/* The configuration's address, or NULL where the case says so. */
#define CFG(a, object) ((a)->call->config_null ? NULL : &(object))

static mli_conv2d_cfg conv2d_cfg(const lb_config *c)
{
    return (mli_conv2d_cfg){.relu = {(mli_relu_type)c->relu},
                            .stride_width = c->stride_width,
                            .stride_height = c->stride_height,
                            .padding_left = c->padding_left,
                            .padding_right = c->padding_right,
                            .padding_top = c->padding_top,
                            .padding_bottom = c->padding_bottom,
                            .dilation_width = c->dilation_width,
                            .dilation_height = c->dilation_height};
}

static mli_pool_cfg pool_cfg(const lb_config *c)
{
    return (mli_pool_cfg){.kernel_width = c->kernel_width,
                          .kernel_height = c->kernel_height,
                          .stride_width = c->stride_width,
                          .stride_height = c->stride_height,
                          .padding_left = c->padding_left,
                          .padding_right = c->padding_right,
                          .padding_top = c->padding_top,
                          .padding_bottom = c->padding_bottom};
}

static mli_rnn_cell_cfg rnn_cell_cfg(const lb_config *c)
{
    mli_rnn_cell_cfg cfg;
    memset(&cfg, 0, sizeof cfg);
    cfg.direction = (mli_rnn_direction)c->direction;
    cfg.results = (mli_rnn_results)c->results;
    cfg.act = (mli_rnn_out_activation)c->act;
    cfg.scratch_data.capacity = c->scratch_bytes;
    cfg.scratch_data.mem.pi8 = c->scratch;
    return cfg;
}

static mli_mov_cfg_t mov_cfg(const lb_config *c)
{
    mli_mov_cfg_t cfg;
    memcpy(cfg.offset, c->offset, sizeof cfg.offset);
    memcpy(cfg.size, c->size, sizeof cfg.size);
    memcpy(cfg.sub_sample_step, c->sub_sample_step, sizeof cfg.sub_sample_step);
    memcpy(cfg.dst_offset, c->dst_offset, sizeof cfg.dst_offset);
    memcpy(cfg.dst_mem_stride, c->dst_mem_stride, sizeof cfg.dst_mem_stride);
    memcpy(cfg.perm_dim, c->perm_dim, sizeof cfg.perm_dim);
    memcpy(cfg.padding_pre, c->padding_pre, sizeof cfg.padding_pre);
    memcpy(cfg.padding_post, c->padding_post, sizeof cfg.padding_post);
    return cfg;
}

static void mov_cfg_back(const mli_mov_cfg_t *cfg, lb_config *c)
{
    memcpy(c->offset, cfg->offset, sizeof c->offset);
    memcpy(c->size, cfg->size, sizeof c->size);
    memcpy(c->sub_sample_step, cfg->sub_sample_step, sizeof c->sub_sample_step);
    memcpy(c->dst_offset, cfg->dst_offset, sizeof c->dst_offset);
    memcpy(c->dst_mem_stride, cfg->dst_mem_stride, sizeof c->dst_mem_stride);
    memcpy(c->perm_dim, cfg->perm_dim, sizeof c->perm_dim);
    memcpy(c->padding_pre, cfg->padding_pre, sizeof c->padding_pre);
    memcpy(c->padding_post, cfg->padding_post, sizeof c->padding_post);
}

/* Tables that activations ask for, made once with the port's own create_lut (recurrent.md 3,
 * elementwise.md 6). */
typedef struct tables {
    int16_t memory[4][512];
    mli_lut sigm, tanh, softmax, l2_normalize;
} tables;

static void make_table(mli_lut *lut, int16_t memory[512], mli_status (*create)(mli_lut *))
{
    memset(lut, 0, sizeof *lut);
    lut->data.mem.pi16 = memory;
    lut->data.capacity = 512 * sizeof memory[0];
    create(lut);
}

static void make_tables(tables *t)
{
    make_table(&t->sigm, t->memory[0], mli_krn_sigm_create_lut);
    make_table(&t->tanh, t->memory[1], mli_krn_tanh_create_lut);
    make_table(&t->softmax, t->memory[2], mli_krn_softmax_create_lut);
    make_table(&t->l2_normalize, t->memory[3], mli_krn_l2_normalize_create_lut);
}

/* ---- Shapes of calls: how arguments are handed to a function ---- */

typedef mli_status (*conv2d_fn)(const mli_tensor *, const mli_tensor *, const mli_tensor *,
                                const mli_conv2d_cfg *, mli_tensor *);
typedef mli_status (*fully_connected_fn)(const mli_tensor *, const mli_tensor *, const mli_tensor *,
                                         const mli_fully_connected_cfg *, mli_tensor *);
typedef mli_status (*relu_fn)(const mli_tensor *, const mli_relu_cfg *, mli_tensor *);
typedef mli_status (*binary_fn)(const mli_tensor *, const mli_tensor *, mli_tensor *);
typedef mli_status (*prelu_fn)(const mli_tensor *, const mli_tensor *, const mli_prelu_cfg *,
                               mli_tensor *);
typedef mli_status (*activation_fn)(const mli_tensor *, const mli_lut *, mli_tensor *);
typedef mli_status (*softmax_fn)(const mli_tensor *, const mli_lut *, const mli_softmax_cfg *,
                                 mli_tensor *);
typedef mli_status (*l2_normalize_fn)(const mli_tensor *, const mli_tensor *, const mli_lut *,
                                      const mli_l2_normalize_cfg *, mli_tensor *);
typedef mli_status (*argmax_fn)(const mli_tensor *, const mli_argmax_cfg *, mli_tensor *);
typedef mli_status (*pool_fn)(const mli_tensor *, const mli_pool_cfg *, mli_tensor *);
typedef mli_status (*permute_fn)(const mli_tensor *, const mli_permute_cfg *, mli_tensor *);
typedef mli_status (*rnn_dense_fn)(const mli_tensor **, const mli_tensor **, const mli_tensor *,
                                   const mli_rnn_dense_cfg *, mli_tensor *);
typedef mli_status (*lstm_fn)(const mli_tensor *, const mli_tensor *, const mli_tensor *,
                              const mli_tensor *, const mli_tensor *, const mli_lut *,
                              const mli_lut *, const mli_rnn_cell_cfg *, mli_tensor *,
                              mli_tensor *);
typedef mli_status (*gru_fn)(const mli_tensor *, const mli_tensor *, const mli_tensor *,
                             const mli_tensor *, const mli_tensor *, const mli_lut *,
                             const mli_lut *, const mli_rnn_cell_cfg *, mli_tensor *);
typedef mli_status (*convert_fn)(const mli_tensor *, mli_tensor *);
typedef mli_status (*sub_tensor_fn)(const mli_tensor *, const mli_sub_tensor_cfg *, mli_tensor *);
typedef mli_status (*point_to_fn)(const mli_tensor *, const mli_point_to_subtsr_cfg *,
                                  mli_tensor *);
typedef mli_status (*mov_fn)(const mli_tensor *, const mli_mov_cfg_t *, mli_tensor *);
typedef mli_status (*create_table_fn)(mli_lut *);
typedef int32_t (*size_fn)(void);
typedef uint8_t (*constant_fn)(void);

typedef union function {
    conv2d_fn conv2d;
    fully_connected_fn fully_connected;
    relu_fn relu;
    binary_fn binary;
    prelu_fn prelu;
    activation_fn activation;
    softmax_fn softmax;
    l2_normalize_fn l2_normalize;
    argmax_fn argmax;
    pool_fn pool;
    permute_fn permute;
    rnn_dense_fn rnn_dense;
    lstm_fn lstm;
    gru_fn gru;
    convert_fn convert;
    sub_tensor_fn sub_tensor;
    point_to_fn point_to;
    mov_fn mov;
    create_table_fn create_table;
    size_fn size;
    constant_fn constant;
} function;

static void set_status(api_call *a, mli_status status)
{
    a->call->status = (lb_status)status;
}

static void call_fully_connected(api_call *a, function f)
{
    mli_fully_connected_cfg cfg = {.relu = {(mli_relu_type)a->call->config.relu}};
    set_status(a, f.fully_connected(role(a, LB_ROLE_IN), role(a, LB_ROLE_WEIGHTS),
                                    role(a, LB_ROLE_BIAS), CFG(a, cfg), role(a, LB_ROLE_OUT)));
}

static void call_relu(api_call *a, function f)
{
    mli_relu_cfg cfg = {(mli_relu_type)a->call->config.relu};
    set_status(a, f.relu(role(a, LB_ROLE_IN), CFG(a, cfg), role(a, LB_ROLE_OUT)));
}

static void call_leaky_relu(api_call *a, function f)
{
    set_status(a, f.binary(role(a, LB_ROLE_IN), role(a, LB_ROLE_SLOPE), role(a, LB_ROLE_OUT)));
}

static void call_prelu(api_call *a, function f)
{
    mli_prelu_cfg cfg = {a->call->config.axis};
    set_status(
        a, f.prelu(role(a, LB_ROLE_IN), role(a, LB_ROLE_SLOPE), CFG(a, cfg), role(a, LB_ROLE_OUT)));
}

static void call_eltwise(api_call *a, function f)
{
    set_status(a, f.binary(role(a, LB_ROLE_IN1), role(a, LB_ROLE_IN2), role(a, LB_ROLE_OUT)));
}

static void call_conv2d(api_call *a, function f)
{
    mli_conv2d_cfg cfg = conv2d_cfg(&a->call->config);
    set_status(a, f.conv2d(role(a, LB_ROLE_IN), role(a, LB_ROLE_WEIGHTS), role(a, LB_ROLE_BIAS),
                           CFG(a, cfg), role(a, LB_ROLE_OUT)));
}

static void call_sigm(api_call *a, function f)
{
    set_status(a, f.activation(role(a, LB_ROLE_IN), &a->tables->sigm, role(a, LB_ROLE_OUT)));
}

static void call_tanh(api_call *a, function f)
{
    set_status(a, f.activation(role(a, LB_ROLE_IN), &a->tables->tanh, role(a, LB_ROLE_OUT)));
}

static void call_softmax(api_call *a, function f)
{
    mli_softmax_cfg cfg = {a->call->config.axis};
    set_status(
        a, f.softmax(role(a, LB_ROLE_IN), &a->tables->softmax, CFG(a, cfg), role(a, LB_ROLE_OUT)));
}

static void call_l2_normalize(api_call *a, function f)
{
    mli_l2_normalize_cfg cfg = {a->call->config.axis};
    set_status(a, f.l2_normalize(role(a, LB_ROLE_IN), role(a, LB_ROLE_EPSILON),
                                 &a->tables->l2_normalize, CFG(a, cfg), role(a, LB_ROLE_OUT)));
}

static void call_argmax(api_call *a, function f)
{
    mli_argmax_cfg cfg = {a->call->config.axis, a->call->config.topk};
    set_status(a, f.argmax(role(a, LB_ROLE_IN), CFG(a, cfg), role(a, LB_ROLE_OUT)));
}

static void call_pool(api_call *a, function f)
{
    mli_pool_cfg cfg = pool_cfg(&a->call->config);
    set_status(a, f.pool(role(a, LB_ROLE_IN), CFG(a, cfg), role(a, LB_ROLE_OUT)));
}

static void call_permute(api_call *a, function f)
{
    mli_permute_cfg cfg;
    memcpy(cfg.perm_dim, a->call->config.perm_dim, sizeof cfg.perm_dim);
    set_status(a, f.permute(role(a, LB_ROLE_IN), CFG(a, cfg), role(a, LB_ROLE_OUT)));
}

/* Lists shorter than what the configuration asks for end in NULL pointers, which the kernel must
 * refuse. */
static void call_rnn_dense(api_call *a, function f)
{
    mli_rnn_dense_cfg cfg = {a->call->config.inputs_num};
    const mli_tensor *in[UINT8_MAX] = {NULL}, *weights[UINT8_MAX] = {NULL};
    for (unsigned i = 0; i < a->call->list_count[LB_ROLE_IN]; i++)
        in[i] = &a->tensors[LB_ROLE_IN][i];
    for (unsigned i = 0; i < a->call->list_count[LB_ROLE_WEIGHTS]; i++)
        weights[i] = &a->tensors[LB_ROLE_WEIGHTS][i];
    set_status(a,
               f.rnn_dense(in, weights, role(a, LB_ROLE_BIAS), CFG(a, cfg), role(a, LB_ROLE_OUT)));
}

static void call_lstm(api_call *a, function f)
{
    mli_rnn_cell_cfg cfg = rnn_cell_cfg(&a->call->config);
    set_status(a,
               f.lstm(role(a, LB_ROLE_IN), role(a, LB_ROLE_PREV_OUT), role(a, LB_ROLE_WEIGHTS_IN),
                      role(a, LB_ROLE_WEIGHTS_OUT), role(a, LB_ROLE_BIAS), &a->tables->tanh,
                      &a->tables->sigm, CFG(a, cfg), role(a, LB_ROLE_CELL), role(a, LB_ROLE_OUT)));
}

static void call_gru(api_call *a, function f)
{
    mli_rnn_cell_cfg cfg = rnn_cell_cfg(&a->call->config);
    set_status(a, f.gru(role(a, LB_ROLE_IN), role(a, LB_ROLE_PREV_OUT), role(a, LB_ROLE_WEIGHTS_IN),
                        role(a, LB_ROLE_WEIGHTS_OUT), role(a, LB_ROLE_BIAS), &a->tables->tanh,
                        &a->tables->sigm, CFG(a, cfg), role(a, LB_ROLE_OUT)));
}

static void call_convert(api_call *a, function f)
{
    set_status(a, f.convert(role(a, LB_ROLE_IN), role(a, LB_ROLE_OUT)));
}

static void call_sub_tensor(api_call *a, function f)
{
    mli_sub_tensor_cfg cfg;
    memcpy(cfg.offset, a->call->config.offset, sizeof cfg.offset);
    memcpy(cfg.size, a->call->config.size, sizeof cfg.size);
    cfg.sub_tensor_rank = a->call->config.sub_tensor_rank;
    set_status(a, f.sub_tensor(role(a, LB_ROLE_IN), CFG(a, cfg), role(a, LB_ROLE_OUT)));
}

static void call_point_to(api_call *a, function f)
{
    mli_point_to_subtsr_cfg cfg = {.coord_num = a->call->config.coord_num,
                                   .first_out_dim_size = a->call->config.first_out_dim_size};
    memcpy(cfg.start_coord, a->call->config.start_coord, sizeof cfg.start_coord);
    set_status(a, f.point_to(role(a, LB_ROLE_IN), CFG(a, cfg), role(a, LB_ROLE_OUT)));
}

static void call_mov(api_call *a, function f)
{
    mli_mov_cfg_t cfg = mov_cfg(&a->call->config);
    set_status(a, f.mov(role(a, LB_ROLE_IN), CFG(a, cfg), role(a, LB_ROLE_OUT)));
}

/* The table's memory is the buffer of `out`. */
static void call_create_table(api_call *a, function f)
{
    const lb_tensor *out = a->call->tensor[LB_ROLE_OUT];
    mli_lut lut;
    memset(&lut, 0, sizeof lut);
    if (out)
        lut.data = container_to_mli(&out->data);
    set_status(a, f.create_table(out ? &lut : NULL));
}

static void call_size(api_call *a, function f)
{
    a->call->return_value = f.size();
}

static void call_constant(api_call *a, function f)
{
    a->call->return_value = f.constant();
}

/* ---- Functions of a shape that no other has ---- */

static void call_count_elem_num(api_call *a, function f)
{
    (void)f;
    a->call->return_value = mli_hlp_count_elem_num(role(a, LB_ROLE_IN), a->call->config.start_dim);
}

static void call_element_size(api_call *a, function f)
{
    (void)f;
    a->call->return_value = mli_hlp_tensor_element_size(role(a, LB_ROLE_IN));
}

static void call_data_ptr_cmp(api_call *a, function f)
{
    (void)f;
    a->call->return_value = mli_hlp_tensor_data_ptr_cmp(role(a, LB_ROLE_IN1), role(a, LB_ROLE_IN2));
}

static void call_scale(api_call *a, function f)
{
    (void)f;
    a->call->return_value = mli_hlp_tensor_scale(role(a, LB_ROLE_IN), a->call->config.scale_idx);
}

static void call_scale_shift(api_call *a, function f)
{
    (void)f;
    a->call->return_value =
        mli_hlp_tensor_scale_shift(role(a, LB_ROLE_IN), a->call->config.scale_idx);
}

static void call_zero_offset(api_call *a, function f)
{
    (void)f;
    a->call->return_value =
        mli_hlp_tensor_zero_offset(role(a, LB_ROLE_IN), a->call->config.zero_idx);
}

static void call_set_strides(api_call *a, function f)
{
    (void)f;
    mli_hlp_set_tensor_mem_strides(role(a, LB_ROLE_IN));
}

/* The functions that fill a mli_mov_cfg_t, told apart by their configuration. What they leave out
 * must be written too, so the struct starts as garbage. */
static void call_mov_cfg(api_call *a, function f)
{
    lb_config *c = &a->call->config;
    mli_mov_cfg_t cfg;
    (void)f;
    memset(&cfg, LB_GARBAGE, sizeof cfg);
    switch (a->call->kernel->config_kind) {
    case LB_CONFIG_MOV_SLICE:
        set_status(
            a, mli_mov_cfg_for_slice(&cfg, c->arg_offsets, c->arg_sizes, c->arg_dst_mem_stride));
        break;
    case LB_CONFIG_MOV_CONCAT:
        set_status(a, mli_mov_cfg_for_concat(&cfg, c->arg_dst_offsets, c->arg_dst_mem_stride));
        break;
    case LB_CONFIG_MOV_SUBSAMPLE:
        set_status(a,
                   mli_mov_cfg_for_subsample(&cfg, c->arg_subsample_step, c->arg_dst_mem_stride));
        break;
    case LB_CONFIG_MOV_PERMUTE:
        set_status(a, mli_mov_cfg_for_permute(&cfg, c->arg_perm_dim));
        break;
    case LB_CONFIG_MOV_PADDING2D:
        set_status(a,
                   (strstr(a->call->kernel->name, "_chw") ? mli_mov_cfg_for_padding2d_chw
                                                          : mli_mov_cfg_for_padding2d_hwc)(
                       &cfg, c->padleft, c->padright, c->padtop, c->padbot, c->arg_dst_mem_stride));
        break;
    case LB_CONFIG_MOV_ALL:
        set_status(a, mli_mov_cfg_all(&cfg, c->arg_offsets, c->arg_sizes, c->arg_subsample_step,
                                      c->arg_dst_offsets, c->arg_dst_mem_stride, c->arg_perm_dim,
                                      c->padleft, c->padright, c->padtop, c->padbot));
        break;
    default:
        set_status(a, mli_mov_cfg_for_copy(&cfg));
        break;
    }
    mov_cfg_back(&cfg, c);
}

/* ---- The table of what is linked in ---- */

typedef struct row {
    const char *name;
    void (*call)(api_call *a, function f);
    function f;
} row;

#define ROW(name_, shape, member)                                                                  \
    {                                                                                              \
        .name = #name_, .call = call_##shape, .f = {.member = name_ }                              \
    }
#define ROWS_D(prefix, shape, member)                                                              \
    ROW(prefix##_sa8, shape, member), ROW(prefix##_fx8, shape, member),                            \
        ROW(prefix##_fx16, shape, member)
#define ROWS_POOL(prefix)                                                                          \
    ROWS_D(prefix, pool, pool), ROW(prefix##_sa8_k2x2, pool, pool),                                \
        ROW(prefix##_fx8_k2x2, pool, pool), ROW(prefix##_fx16_k2x2, pool, pool),                   \
        ROW(prefix##_sa8_k3x3, pool, pool), ROW(prefix##_fx8_k3x3, pool, pool),                    \
        ROW(prefix##_fx16_k3x3, pool, pool)
#define ROWS_V(prefix, suffix, shape, member)                                                      \
    ROW(prefix##_fx16##suffix, shape, member), ROW(prefix##_fx16_fx8_fx8##suffix, shape, member),  \
        ROW(prefix##_sa8_sa8_sa32##suffix, shape, member)

#define ROW_ALONE(name_, shape)                                                                    \
    {                                                                                              \
        .name = #name_, .call = call_##shape                                                       \
    }

static const row rows[] = {
    ROWS_V(mli_krn_conv2d_hwcn, , conv2d, conv2d),
    ROWS_V(mli_krn_conv2d_hwcn, _k1x1, conv2d, conv2d),
    ROWS_V(mli_krn_conv2d_hwcn, _k3x3, conv2d, conv2d),
    ROWS_V(mli_krn_conv2d_hwcn, _k5x5, conv2d, conv2d),
    ROWS_V(mli_krn_depthwise_conv2d_hwcn, , conv2d, conv2d),
    ROWS_V(mli_krn_depthwise_conv2d_hwcn, _k3x3, conv2d, conv2d),
    ROWS_V(mli_krn_depthwise_conv2d_hwcn, _k5x5, conv2d, conv2d),
    ROWS_V(mli_krn_group_conv2d_hwcn, , conv2d, conv2d),
    ROWS_V(mli_krn_group_conv2d_hwcn, _k3x3, conv2d, conv2d),
    ROWS_V(mli_krn_group_conv2d_hwcn, _k5x5, conv2d, conv2d),
    ROWS_V(mli_krn_transpose_conv2d_hwcn, , conv2d, conv2d),
    ROWS_V(mli_krn_transpose_conv2d_hwcn, _k2x2_str2, conv2d, conv2d),
    ROWS_V(mli_krn_transpose_conv2d_hwcn, _k4x4_str2, conv2d, conv2d),
    ROWS_V(mli_krn_rnn_dense, , rnn_dense, rnn_dense),
    ROWS_V(mli_krn_lstm_cell, , lstm, lstm),
    ROWS_V(mli_krn_gru_cell, , gru, gru),
    ROWS_POOL(mli_krn_maxpool_hwc),
    ROWS_POOL(mli_krn_avepool_hwc),
    ROWS_D(mli_krn_permute, permute, permute),
    ROWS_D(mli_krn_sigm, sigm, activation),
    ROWS_D(mli_krn_tanh, tanh, activation),
    ROWS_D(mli_krn_softmax, softmax, softmax),
    ROW(mli_krn_l2_normalize_fx16, l2_normalize, l2_normalize),
    ROW(mli_krn_l2_normalize_sa8, l2_normalize, l2_normalize),
    ROW(mli_krn_argmax_fx16, argmax, argmax),
    ROW(mli_krn_argmax_sa8, argmax, argmax),
    ROW(mli_krn_sigm_create_lut, create_table, create_table),
    ROW(mli_krn_tanh_create_lut, create_table, create_table),
    ROW(mli_krn_softmax_create_lut, create_table, create_table),
    ROW(mli_krn_l2_normalize_create_lut, create_table, create_table),
    ROW(mli_krn_sigm_get_lut_size, size, size),
    ROW(mli_krn_tanh_get_lut_size, size, size),
    ROW(mli_krn_softmax_get_lut_size, size, size),
    ROW(mli_krn_l2_normalize_get_lut_size, size, size),
    ROW(mli_hlp_convert_tensor, convert, convert),
    ROW(mli_hlp_convert_tensor_safx, convert, convert),
    ROW(mli_ext_cast_fp32_float4e2m1, convert, convert),
    ROW(mli_ext_cast_fp32_float4e2m1_nan_library, convert, convert),
    ROW(mli_ext_cast_float16_float4e2m1, convert, convert),
    ROW(mli_ext_cast_bfloat16_float4e2m1, convert, convert),
    ROW(mli_ext_cast_float8e4m3fn_float4e2m1, convert, convert),
    ROW(mli_ext_cast_float8e5m2_float4e2m1, convert, convert),
    ROW(mli_ext_cast_float4e2m1_fp32, convert, convert),
    ROW(mli_ext_cast_float4e2m1_float16, convert, convert),
    ROW(mli_ext_cast_float4e2m1_bfloat16, convert, convert),
    ROW(mli_ext_cast_float4e2m1_float8e4m3fn, convert, convert),
    ROW(mli_ext_cast_float4e2m1_float8e5m2, convert, convert),
    ROW(mli_ext_pack_float4e2m1, convert, convert),
    ROW(mli_ext_pack_int4, convert, convert),
    ROW(mli_ext_pack_uint4, convert, convert),
    ROW(mli_ext_unpack_float4e2m1, convert, convert),
    ROW(mli_ext_unpack_int4, convert, convert),
    ROW(mli_ext_unpack_uint4, convert, convert),
    ROW(mli_ext_mxfp4_scales, convert, convert),
    ROW(mli_ext_mxfp4_elements, convert, convert),
    ROW(mli_ext_mxfp4_values, eltwise, binary),
    ROW(mli_hlp_create_subtensor, sub_tensor, sub_tensor),
    ROW(mli_hlp_point_to_subtensor, point_to, point_to),
    ROW(mli_mov_tensor_sync, mov, mov),
    ROW(mli_hlp_accu_guard_bits_sa8_sa8, constant, constant),
    ROW(mli_hlp_accu_guard_bits_fx16_fx16, constant, constant),
    ROW(mli_hlp_accu_guard_bits_fx16_fx8, constant, constant),
    ROW_ALONE(mli_hlp_count_elem_num, count_elem_num),
    ROW_ALONE(mli_hlp_tensor_element_size, element_size),
    ROW_ALONE(mli_hlp_tensor_data_ptr_cmp, data_ptr_cmp),
    ROW_ALONE(mli_hlp_tensor_scale, scale),
    ROW_ALONE(mli_hlp_tensor_scale_shift, scale_shift),
    ROW_ALONE(mli_hlp_tensor_zero_offset, zero_offset),
    ROW_ALONE(mli_hlp_set_tensor_mem_strides, set_strides),
    ROW_ALONE(mli_mov_cfg_for_copy, mov_cfg),
    ROW_ALONE(mli_mov_cfg_for_slice, mov_cfg),
    ROW_ALONE(mli_mov_cfg_for_concat, mov_cfg),
    ROW_ALONE(mli_mov_cfg_for_subsample, mov_cfg),
    ROW_ALONE(mli_mov_cfg_for_permute, mov_cfg),
    ROW_ALONE(mli_mov_cfg_for_padding2d_chw, mov_cfg),
    ROW_ALONE(mli_mov_cfg_for_padding2d_hwc, mov_cfg),
    ROW_ALONE(mli_mov_cfg_all, mov_cfg),
    ROWS_V(mli_krn_fully_connected, , fully_connected, fully_connected),
    ROW(mli_krn_fully_connected_sa8_sa8_sa32_ext_bias, fully_connected, fully_connected),
    ROW(mli_krn_fully_connected_fx8, fully_connected, fully_connected),
    ROWS_D(mli_krn_relu, relu, relu),
    ROWS_D(mli_krn_leaky_relu, leaky_relu, binary),
    ROWS_D(mli_krn_prelu, prelu, prelu),
    ROWS_D(mli_krn_eltwise_add, eltwise, binary),
    ROWS_D(mli_krn_eltwise_sub, eltwise, binary),
    ROWS_D(mli_krn_eltwise_mul, eltwise, binary),
    ROWS_D(mli_krn_eltwise_min, eltwise, binary),
    ROWS_D(mli_krn_eltwise_max, eltwise, binary),
};
enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

/* ---- Asynchronous movement: callbacks are told apart by the function that is called ---- */

static lb_mov_step
    *current_step; /* callbacks carry no pointer of ours; the harness makes one call at a time */
enum { CALLBACK_NAME_BYTES = 65 };
static char callback_names[LB_MOV_MAX_CALLBACKS][CALLBACK_NAME_BYTES]; /* "": free */

static void note_callback(unsigned which, int32_t cookie)
{
    lb_mov_step *s = current_step;
    if (s->callback_count < LB_MOV_MAX_CALLBACKS) {
        s->callbacks[s->callback_count].name = callback_names[which];
        s->callbacks[s->callback_count].cookie = cookie;
    }
    s->callback_count++;
}

#define CALLBACK(n)                                                                                \
    static void callback_##n(int32_t cookie)                                                       \
    {                                                                                              \
        note_callback(n, cookie);                                                                  \
    }
CALLBACK(0)
CALLBACK(1)
CALLBACK(2)
CALLBACK(3)
CALLBACK(4)
CALLBACK(5)
CALLBACK(6)
CALLBACK(7)

static void (*callback_of(const char *name))(int32_t)
{
    static void (*const functions[LB_MOV_MAX_CALLBACKS])(int32_t) = {
        callback_0, callback_1, callback_2, callback_3,
        callback_4, callback_5, callback_6, callback_7};
    static unsigned oldest; /* cases end without callbacks, so that one of long ago can go */
    if (!name)
        return NULL;
    for (unsigned i = 0; i < LB_MOV_MAX_CALLBACKS; i++)
        if (strcmp(callback_names[i], name) == 0)
            return functions[i];
    unsigned slot = oldest++ % LB_MOV_MAX_CALLBACKS;
    snprintf(callback_names[slot], CALLBACK_NAME_BYTES, "%s", name);
    return functions[slot];
}

static void make_move(lb_mov_step *s, mli_mov_handle_t *h, const mli_tensor *src,
                      const mli_mov_cfg_t *cfg, mli_tensor *dst)
{
    switch (s->call) {
    case LB_MOV_CALL_SET_NUM_DMA_CH:
        s->status = (int32_t)mli_mov_set_num_dma_ch(s->ch_offset, s->num_ch);
        break;
    case LB_MOV_CALL_ACQUIRE_HANDLE:
        s->status = (int32_t)mli_mov_acquire_handle(s->num_ch, h);
        break;
    case LB_MOV_CALL_PREPARE:
        s->status = (int32_t)mli_mov_prepare(h, src, cfg, dst);
        break;
    case LB_MOV_CALL_REGISTERCALLBACK:
        s->status = (int32_t)mli_mov_registercallback(h, callback_of(s->callback), s->cookie);
        break;
    case LB_MOV_CALL_START:
        s->status = (int32_t)mli_mov_start(h, src, cfg, dst);
        break;
    case LB_MOV_CALL_ISDONE:
        s->done = mli_mov_isdone(h);
        break;
    case LB_MOV_CALL_WAIT:
        s->status = (int32_t)mli_mov_wait(h);
        break;
    case LB_MOV_CALL_RELEASE_HANDLE:
        s->status = (int32_t)mli_mov_release_handle(h);
        break;
    case LB_MOV_CALL_TENSOR_SYNC:
        s->status = (int32_t)mli_mov_tensor_sync(src, cfg, dst);
        break;
    case LB_MOV_CALL_COUNT:
        break;
    }
}

/* ---- The port ---- */

typedef struct builtin_port {
    lb_port port;
    const char *profile;       /* name of the numerics that the implementation is set to */
    const row **row_of_kernel; /* by index into lb_kernels; NULL: not there */
    char described[160];
    api_call call;
    tables tables;
} builtin_port;

static const row *find_row(const char *name)
{
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

static bool builtin_provides(const lb_port *port, const lb_kernel *kernel)
{
    return ((const builtin_port *)port)->row_of_kernel[kernel - lb_kernels] != NULL;
}

/* The implementation knows the numerics of the host. A platform profile is one of them with other
 * accumulators. */
static void set_profile(builtin_port *b, const lb_profile *profile)
{
    const char *name = lb_numerics_name(lb_profile_number(profile));
    if (b->profile != name)
        mli_ext_set_profile(name);
    b->profile = name;
}

static void builtin_move(lb_port *port, const lb_profile *profile, lb_mov_step *s)
{
    mli_tensor src, dst;
    mli_mov_cfg_t cfg = {.offset = {0}};
    mli_mov_handle_t handle = {0};
    set_profile((builtin_port *)port, profile);
    if (s->src)
        tensor_to_mli(s->src, &src);
    if (s->dst)
        tensor_to_mli(s->dst, &dst);
    if (s->config)
        cfg = mov_cfg(s->config);
    if (s->handle)
        handle = (mli_mov_handle_t){s->handle->dma_ch, s->handle->num_ch,
                                    (mli_mov_state)s->handle->state};
    current_step = s;
    make_move(s, s->handle ? &handle : NULL, s->src ? &src : NULL, s->config ? &cfg : NULL,
              s->dst ? &dst : NULL);
    if (s->dst)
        tensor_from_mli(&dst, s->dst);
    if (s->handle)
        *s->handle = (lb_mov_handle){handle.dma_ch, handle.num_ch, (int32_t)handle.state};
}

static void builtin_call(lb_port *port, const lb_profile *profile, lb_call *call)
{
    builtin_port *b = (builtin_port *)port;
    const row *r = b->row_of_kernel[call->kernel - lb_kernels];
    set_profile(b, profile);
    b->call.call = call;
    tensors_to_mli(&b->call);
    r->call(&b->call, r->f);
    tensors_from_mli(&b->call);
}

static const char *builtin_level(const lb_port *port, size_t index)
{
    (void)port;
    return mli_ext_cpu_level((uint32_t)index);
}

static bool builtin_set_level(lb_port *port, const char *level)
{
    (void)port;
    return mli_ext_set_cpu(level) == MLI_STATUS_OK;
}

static double builtin_peak(lb_port *port, const char *level, lb_peak what)
{
    static const enum lb_mli_peak peaks[LB_PEAK_COUNT] = {LB_MLI_PEAK_MAC_S8, LB_MLI_PEAK_MAC_S16,
                                                          LB_MLI_PEAK_LOAD_L1, LB_MLI_PEAK_LOAD_L2,
                                                          LB_MLI_PEAK_LOAD_L3};
    (void)port;
    return lb_mli_peak(level, peaks[what]);
}

static void builtin_close(lb_port *port)
{
    free(((builtin_port *)port)->row_of_kernel);
    free(port);
}

lb_port *lb_port_builtin(void)
{
    builtin_port *b = calloc(1, sizeof *b);
    const row **row_of_kernel = calloc(lb_kernel_count, sizeof *row_of_kernel);
    if (!b || !row_of_kernel) {
        fprintf(stderr, "lastbit: out of memory\n");
        free(b);
        free(row_of_kernel);
        return NULL;
    }
    for (size_t i = 0; i < lb_kernel_count; i++)
        row_of_kernel[i] = find_row(lb_kernels[i].name);
    snprintf(b->described, sizeof b->described, "lastbit's own implementation %s, inner loops: %s",
             mli_ext_version(), mli_ext_get_cpu());
    b->row_of_kernel = row_of_kernel;
    make_tables(&b->tables);
    b->call.tables = &b->tables;
    b->port = (lb_port){.name = "builtin",
                        .described = b->described,
                        .target = LB_KIT_TARGET,
                        .compiler = LB_KIT_COMPILER,
                        .build_options = LB_KIT_OPTIONS,
                        .library_options = mli_hlp_compile_options_string() + 1,
                        .contradiction = "",
                        .provides = builtin_provides,
                        .call = builtin_call,
                        .move = builtin_move,
                        .close = builtin_close,
                        .level = builtin_level,
                        .set_level = builtin_set_level,
                        .peak = builtin_peak};
    return &b->port;
}
