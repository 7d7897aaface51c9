/* How each shape of call is made, and the table of functions: part of lb_kit.c, behind
 * lb_kit_mli.h. */

/* Groups of shapes that a library without them leaves out together. */
#ifdef LB_WITHOUT_mov_async
#define LB_WITHOUT_mov_set_num_dma_ch   1
#define LB_WITHOUT_mov_acquire_handle   1
#define LB_WITHOUT_mov_prepare          1
#define LB_WITHOUT_mov_registercallback 1
#define LB_WITHOUT_mov_isdone           1
#define LB_WITHOUT_mov_wait             1
#endif
#ifdef LB_WITHOUT_mov_cfg
#define LB_WITHOUT_mov_cfg_copy      1
#define LB_WITHOUT_mov_cfg_slice     1
#define LB_WITHOUT_mov_cfg_concat    1
#define LB_WITHOUT_mov_cfg_subsample 1
#define LB_WITHOUT_mov_cfg_permute   1
#define LB_WITHOUT_mov_cfg_padding2d 1
#define LB_WITHOUT_mov_cfg_all       1
#endif

enum { LB_KIT_GARBAGE = 0x5A }; /* in fields that a function is to fill */

/* Functions that are no part of the API: the kit brings their prototypes, because no header of MLI
 * has them. */
#define LB_KIT_ARGUMENTS_ext           const mli_tensor *, mli_tensor *
#define LB_KIT_ARGUMENTS_ext_blocks    const mli_tensor *, const mli_tensor *, mli_tensor *
#define LB_KIT_PROTOTYPE(shape, name_) mli_status name_(LB_KIT_ARGUMENTS_##shape);
LB_KIT_EXT_FUNCTIONS(LB_KIT_PROTOTYPE)
#ifndef LB_WITH_ext
#define LB_WITHOUT_ext        1
#define LB_WITHOUT_ext_blocks 1
#endif

/* -DLB_KIT_WEAK: functions that the linker does not find are "not provided", instead of an error.
 * For gcc and clang; an archive's members are not fetched for weak names, so link it whole
 * (-Wl,--whole-archive). */
#ifdef LB_KIT_WEAK
#define LB_KIT_PRAGMA(text)         _Pragma(#text)
#define LB_KIT_WEAKEN(shape, name_) LB_KIT_PRAGMA(weak name_)
LB_KIT_FUNCTIONS(LB_KIT_WEAKEN)
#endif

typedef const mli_tensor *lb_kit_in; /* short, for the prototypes below */

/* A function of each shape, with the published prototype: the compiler says where the porter's
 * header has another. */
union lb_kit_fn {
    void (*any)(void);
/* ci/write-derived: prototypes */
#ifndef LB_WITHOUT_conv2d
    mli_status (*conv2d)(lb_kit_in, lb_kit_in, lb_kit_in, const mli_conv2d_cfg *, mli_tensor *);
#endif
#ifndef LB_WITHOUT_fully_connected
    mli_status (*fully_connected)(lb_kit_in, lb_kit_in, lb_kit_in, const mli_fully_connected_cfg *,
                                  mli_tensor *);
#endif
#ifndef LB_WITHOUT_lstm
    mli_status (*lstm)(lb_kit_in, lb_kit_in, lb_kit_in, lb_kit_in, lb_kit_in, const mli_lut *,
                       const mli_lut *, const mli_rnn_cell_cfg *, mli_tensor *, mli_tensor *);
#endif
#ifndef LB_WITHOUT_gru
    mli_status (*gru)(lb_kit_in, lb_kit_in, lb_kit_in, lb_kit_in, lb_kit_in, const mli_lut *,
                      const mli_lut *, const mli_rnn_cell_cfg *, mli_tensor *);
#endif
#ifndef LB_WITHOUT_pool
    mli_status (*pool)(lb_kit_in, const mli_pool_cfg *, mli_tensor *);
#endif
#ifndef LB_WITHOUT_argmax
    mli_status (*argmax)(lb_kit_in, const mli_argmax_cfg *, mli_tensor *);
#endif
#ifndef LB_WITHOUT_relu
    mli_status (*relu)(lb_kit_in, const mli_relu_cfg *, mli_tensor *);
#endif
#ifndef LB_WITHOUT_leaky_relu
    mli_status (*leaky_relu)(lb_kit_in, lb_kit_in, mli_tensor *);
#endif
#ifndef LB_WITHOUT_prelu
    mli_status (*prelu)(lb_kit_in, lb_kit_in, const mli_prelu_cfg *, mli_tensor *);
#endif
#ifndef LB_WITHOUT_sigm
    mli_status (*sigm)(lb_kit_in, const mli_lut *, mli_tensor *);
#endif
#ifndef LB_WITHOUT_tanh
    mli_status (*tanh)(lb_kit_in, const mli_lut *, mli_tensor *);
#endif
#ifndef LB_WITHOUT_softmax
    mli_status (*softmax)(lb_kit_in, const mli_lut *, const mli_softmax_cfg *, mli_tensor *);
#endif
#ifndef LB_WITHOUT_l2_normalize
    mli_status (*l2_normalize)(lb_kit_in, lb_kit_in, const mli_lut *, const mli_l2_normalize_cfg *,
                               mli_tensor *);
#endif
#ifndef LB_WITHOUT_eltwise
    mli_status (*eltwise)(lb_kit_in, lb_kit_in, mli_tensor *);
#endif
#ifndef LB_WITHOUT_permute
    mli_status (*permute)(lb_kit_in, const mli_permute_cfg *, mli_tensor *);
#endif
#ifndef LB_WITHOUT_convert
    mli_status (*convert)(lb_kit_in, mli_tensor *);
#endif
#ifndef LB_WITHOUT_create_subtensor
    mli_status (*create_subtensor)(lb_kit_in, const mli_sub_tensor_cfg *, mli_tensor *);
#endif
#ifndef LB_WITHOUT_point_to_subtensor
    mli_status (*point_to_subtensor)(lb_kit_in, const mli_point_to_subtsr_cfg *, mli_tensor *);
#endif
#ifndef LB_WITHOUT_mov_sync
    mli_status (*mov_sync)(lb_kit_in, const mli_mov_cfg_t *, mli_tensor *);
#endif
#ifndef LB_WITHOUT_ext
    mli_status (*ext)(lb_kit_in, mli_tensor *);
#endif
#ifndef LB_WITHOUT_ext_blocks
    mli_status (*ext_blocks)(lb_kit_in, lb_kit_in, mli_tensor *);
#endif
/* ci/write-derived: end */
#ifndef LB_WITHOUT_rnn_dense
    mli_status (*rnn_dense)(const mli_tensor **, const mli_tensor **, lb_kit_in,
                            const mli_rnn_dense_cfg *, mli_tensor *);
#endif
    mli_status (*create_lut)(mli_lut *);
    int32_t (*lut_size)(void);
    uint32_t (*count_elem_num)(lb_kit_in, uint32_t);
    uint32_t (*element_size)(lb_kit_in);
    bool (*data_ptr_cmp)(lb_kit_in, lb_kit_in);
    int32_t (*scale)(lb_kit_in, uint32_t);
    int16_t (*zero_offset)(lb_kit_in, uint32_t);
    void (*set_mem_strides)(mli_tensor *);
    uint8_t (*guard_bits)(void);
#ifndef LB_WITHOUT_mov_cfg_copy
    mli_status (*mov_cfg_copy)(mli_mov_cfg_t *);
#endif
#ifndef LB_WITHOUT_mov_cfg_slice
    mli_status (*mov_cfg_slice)(mli_mov_cfg_t *, int *, int *, int *);
#endif
#ifndef LB_WITHOUT_mov_cfg_concat
    mli_status (*mov_cfg_concat)(mli_mov_cfg_t *, int *, int *);
#endif
#ifndef LB_WITHOUT_mov_cfg_subsample
    mli_status (*mov_cfg_subsample)(mli_mov_cfg_t *, int *, int *);
#endif
#ifndef LB_WITHOUT_mov_cfg_permute
    mli_status (*mov_cfg_permute)(mli_mov_cfg_t *, uint8_t *);
#endif
#ifndef LB_WITHOUT_mov_cfg_padding2d
    mli_status (*mov_cfg_padding2d)(mli_mov_cfg_t *, uint8_t, uint8_t, uint8_t, uint8_t, int *);
#endif
#ifndef LB_WITHOUT_mov_cfg_all
    mli_status (*mov_cfg_all)(mli_mov_cfg_t *, int *, int *, int *, int *, int *, uint8_t *,
                              uint8_t, uint8_t, uint8_t, uint8_t);
#endif
#ifndef LB_WITHOUT_mov_set_num_dma_ch
    mli_status (*mov_set_num_dma_ch)(int, int);
#endif
#ifndef LB_WITHOUT_mov_acquire_handle
    mli_status (*mov_acquire_handle)(int, mli_mov_handle_t *);
#endif
#ifndef LB_WITHOUT_mov_prepare
    mli_status (*mov_prepare)(mli_mov_handle_t *, lb_kit_in, const mli_mov_cfg_t *, mli_tensor *);
#endif
#ifndef LB_WITHOUT_mov_registercallback
    mli_status (*mov_registercallback)(mli_mov_handle_t *, void (*)(int32_t), int32_t);
#endif
#ifndef LB_WITHOUT_mov_isdone
    bool (*mov_isdone)(mli_mov_handle_t *);
#endif
#ifndef LB_WITHOUT_mov_wait
    mli_status (*mov_wait)(mli_mov_handle_t *);
#endif
};

/* ---- Kernels ---- */

#ifndef LB_WITHOUT_rnn_dense
/* Lists shorter than what the configuration asks for end in NULL pointers, which the kernel must
 * refuse. */
static void lb_kit_do_rnn_dense(lb_kit_call *c, const lb_kit_fn *f)
{
    static const mli_tensor *in[256], *weights[256];
    static const lb_kit_field fields[] = {LB_FIELD(mli_rnn_dense_cfg, inputs_num), {0, 0}};
    mli_rnn_dense_cfg cfg;
    unsigned i;
    memset(&cfg, 0, sizeof cfg);
    cfg.inputs_num = (uint8_t)LB_WORD(0);
    for (i = 0; i < 256; i++) {
        in[i] = i < c->count[LB_WIRE_IN] ? &lb_kit_tensors[c->slot[LB_WIRE_IN] + i] : NULL;
        weights[i] =
            i < c->count[LB_WIRE_WEIGHTS] ? &lb_kit_tensors[c->slot[LB_WIRE_WEIGHTS] + i] : NULL;
    }
    lb_kit_status(c, f->rnn_dense(in, weights, LB_T(LB_WIRE_BIAS), LB_CFG(cfg), LB_T(LB_WIRE_OUT)));
}
#endif

#if !defined LB_WITHOUT_lstm || !defined LB_WITHOUT_gru
static const lb_kit_field lb_kit_cell_fields[] = {LB_FIELD(mli_rnn_cell_cfg, direction),
                                                  LB_FIELD(mli_rnn_cell_cfg, results),
                                                  LB_FIELD(mli_rnn_cell_cfg, act),
                                                  LB_FIELD(mli_rnn_cell_cfg, scratch_data.capacity),
                                                  LB_FIELD(mli_rnn_cell_cfg, scratch_data.mem),
                                                  {0, 0}};

static mli_rnn_cell_cfg lb_kit_cell_cfg(const lb_kit_call *c)
{
    mli_rnn_cell_cfg cfg;
    memset(&cfg, 0, sizeof cfg);
    cfg.direction = LB_WORD(0) == 0   ? RNN_DIR_FORWARD
                    : LB_WORD(0) == 1 ? RNN_DIR_BACKWARD
                                      : (mli_rnn_direction)(LB_WORD(0) ^ LB_KIT_ENUM_MOVE);
    cfg.results = LB_WORD(1) == 0   ? RNN_OUT_LAST
                  : LB_WORD(1) == 1 ? RNN_OUT_ALL
                                    : (mli_rnn_results)(LB_WORD(1) ^ LB_KIT_ENUM_MOVE);
    cfg.act = LB_WORD(2) == 0   ? RNN_ACT_NONE
              : LB_WORD(2) == 1 ? RNN_ACT_TANH
              : LB_WORD(2) == 2 ? RNN_ACT_SIGM
                                : (mli_rnn_out_activation)(LB_WORD(2) ^ LB_KIT_ENUM_MOVE);
    cfg.scratch_data.capacity = LB_WORD(3);
    cfg.scratch_data.mem.pi8 = (int8_t *)lb_kit_pointer(LB_WORD(4));
    return cfg;
}
#endif

/* The table's memory is the buffer of `out`. The other fields start as garbage, which fits whatever
 * width they have: what is left out must be seen, and what a refused call writes. */
#ifndef LB_WITHOUT_create_lut
static void lb_kit_do_create_lut(lb_kit_call *c, const lb_kit_fn *f)
{
    mli_tensor *out = LB_T(LB_WIRE_OUT);
    mli_lut lut;
    memset(&lut, 0, sizeof lut);
    lut.type = (mli_element_type)LB_KIT_GARBAGE;
    lut.length = lut.in_frac_bits = lut.out_frac_bits = LB_KIT_GARBAGE;
    lut.input_offset = lut.output_offset = LB_KIT_GARBAGE;
    if (out)
        lut.data = out->data;
    lb_kit_status(c, f->create_lut(out ? &lut : NULL));
    if (out)
        out->data = lut.data; /* as the call left it */
    c->config_out[0] = lb_kit_to_published(&lb_kit_types, (uint32_t)lut.type);
    c->config_out[1] = (uint32_t)lut.length;
    c->config_out[2] = (uint32_t)lut.in_frac_bits;
    c->config_out[3] = (uint32_t)lut.out_frac_bits;
    c->config_out[4] = (uint32_t)lut.input_offset;
    c->config_out[5] = (uint32_t)lut.output_offset;
    c->config_out[LB_WIRE_LUT_IS_TOLD] = 1;
}
#endif

#ifndef LB_WITHOUT_lut_size
static void lb_kit_do_lut_size(lb_kit_call *c, const lb_kit_fn *f)
{
    int32_t size = f->lut_size();
    lb_kit_return(c, (uint32_t)size, size < 0);
}
#endif

/* ---- Helpers ---- */

#ifndef LB_WITHOUT_count_elem_num
static void lb_kit_do_count_elem_num(lb_kit_call *c, const lb_kit_fn *f)
{
    lb_kit_return(c, f->count_elem_num(LB_T(LB_WIRE_IN), LB_WORD(0)), 0);
}
#endif

#ifndef LB_WITHOUT_element_size
static void lb_kit_do_element_size(lb_kit_call *c, const lb_kit_fn *f)
{
    lb_kit_return(c, f->element_size(LB_T(LB_WIRE_IN)), 0);
}
#endif

#ifndef LB_WITHOUT_data_ptr_cmp
static void lb_kit_do_data_ptr_cmp(lb_kit_call *c, const lb_kit_fn *f)
{
    lb_kit_return(c, f->data_ptr_cmp(LB_T(LB_WIRE_IN1), LB_T(LB_WIRE_IN2)), 0);
}
#endif

#ifndef LB_WITHOUT_scale
static void lb_kit_do_scale(lb_kit_call *c, const lb_kit_fn *f)
{
    int32_t value = f->scale(LB_T(LB_WIRE_IN), LB_WORD(0));
    lb_kit_return(c, (uint32_t)value, value < 0);
}
#endif

#ifndef LB_WITHOUT_zero_offset
static void lb_kit_do_zero_offset(lb_kit_call *c, const lb_kit_fn *f)
{
    int32_t value = f->zero_offset(LB_T(LB_WIRE_IN), LB_WORD(0));
    lb_kit_return(c, (uint32_t)value, value < 0);
}
#endif

#ifndef LB_WITHOUT_set_mem_strides
static void lb_kit_do_set_mem_strides(lb_kit_call *c, const lb_kit_fn *f)
{
    f->set_mem_strides(LB_T(LB_WIRE_IN));
}
#endif

#ifndef LB_WITHOUT_guard_bits
static void lb_kit_do_guard_bits(lb_kit_call *c, const lb_kit_fn *f)
{
    lb_kit_return(c, f->guard_bits(), 0);
}
#endif

/* ---- Data movement ---- */

#if !defined LB_WITHOUT_mov_sync || !defined LB_WITHOUT_mov_prepare
static const lb_kit_field lb_kit_mov_fields[] = {LB_FIELD4(mli_mov_cfg_t, offset),
                                                 LB_FIELD4(mli_mov_cfg_t, size),
                                                 LB_FIELD4(mli_mov_cfg_t, sub_sample_step),
                                                 LB_FIELD4(mli_mov_cfg_t, dst_offset),
                                                 LB_FIELD4(mli_mov_cfg_t, dst_mem_stride),
                                                 LB_FIELD4(mli_mov_cfg_t, perm_dim),
                                                 LB_FIELD4(mli_mov_cfg_t, padding_pre),
                                                 LB_FIELD4(mli_mov_cfg_t, padding_post),
                                                 {0, 0}};

static mli_mov_cfg_t lb_kit_mov_cfg(const lb_kit_call *c)
{
    mli_mov_cfg_t cfg;
    unsigned d;
    memset(&cfg, 0, sizeof cfg);
    for (d = 0; d < 4; d++) {
        cfg.offset[d] = LB_WORD(d);
        cfg.size[d] = LB_WORD(4 + d);
        cfg.sub_sample_step[d] = LB_WORD(8 + d);
        cfg.dst_offset[d] = LB_WORD(12 + d);
        cfg.dst_mem_stride[d] = (int32_t)LB_WORD(16 + d);
        cfg.perm_dim[d] = (uint8_t)LB_WORD(20 + d);
        cfg.padding_pre[d] = (uint8_t)LB_WORD(24 + d);
        cfg.padding_post[d] = (uint8_t)LB_WORD(28 + d);
    }
    return cfg;
}
#endif

/* ci/write-derived: calls */
#ifndef LB_WITHOUT_conv2d
static void lb_kit_do_conv2d(lb_kit_call *c, const lb_kit_fn *f)
{
    static const lb_kit_field fields[] = {
        LB_FIELD(mli_conv2d_cfg, relu.type),       LB_FIELD(mli_conv2d_cfg, stride_width),
        LB_FIELD(mli_conv2d_cfg, stride_height),   LB_FIELD(mli_conv2d_cfg, padding_left),
        LB_FIELD(mli_conv2d_cfg, padding_right),   LB_FIELD(mli_conv2d_cfg, padding_top),
        LB_FIELD(mli_conv2d_cfg, padding_bottom),  LB_FIELD(mli_conv2d_cfg, dilation_width),
        LB_FIELD(mli_conv2d_cfg, dilation_height), {0, 0}};
    mli_conv2d_cfg cfg;
    memset(&cfg, 0, sizeof cfg);
    cfg.relu.type = lb_kit_relu(LB_WORD(0));
    cfg.stride_width = (uint8_t)LB_WORD(1);
    cfg.stride_height = (uint8_t)LB_WORD(2);
    cfg.padding_left = (uint8_t)LB_WORD(3);
    cfg.padding_right = (uint8_t)LB_WORD(4);
    cfg.padding_top = (uint8_t)LB_WORD(5);
    cfg.padding_bottom = (uint8_t)LB_WORD(6);
    cfg.dilation_width = (uint8_t)LB_WORD(7);
    cfg.dilation_height = (uint8_t)LB_WORD(8);
    lb_kit_status(c, f->conv2d(LB_T(LB_WIRE_IN), LB_T(LB_WIRE_WEIGHTS), LB_T(LB_WIRE_BIAS),
                               LB_CFG(cfg), LB_T(LB_WIRE_OUT)));
}
#endif

#ifndef LB_WITHOUT_fully_connected
static void lb_kit_do_fully_connected(lb_kit_call *c, const lb_kit_fn *f)
{
    static const lb_kit_field fields[] = {LB_FIELD(mli_fully_connected_cfg, relu.type), {0, 0}};
    mli_fully_connected_cfg cfg;
    memset(&cfg, 0, sizeof cfg);
    cfg.relu.type = lb_kit_relu(LB_WORD(0));
    lb_kit_status(c, f->fully_connected(LB_T(LB_WIRE_IN), LB_T(LB_WIRE_WEIGHTS), LB_T(LB_WIRE_BIAS),
                                        LB_CFG(cfg), LB_T(LB_WIRE_OUT)));
}
#endif

#ifndef LB_WITHOUT_lstm
static void lb_kit_do_lstm(lb_kit_call *c, const lb_kit_fn *f)
{
    const lb_kit_field *const fields = lb_kit_cell_fields;
    mli_rnn_cell_cfg cfg = lb_kit_cell_cfg(c);
    lb_kit_status(c, f->lstm(LB_T(LB_WIRE_IN), LB_T(LB_WIRE_PREV_OUT), LB_T(LB_WIRE_WEIGHTS_IN),
                             LB_T(LB_WIRE_WEIGHTS_OUT), LB_T(LB_WIRE_BIAS), lb_kit_lut(LB_KIT_TANH),
                             lb_kit_lut(LB_KIT_SIGM), LB_CFG(cfg), LB_T(LB_WIRE_CELL),
                             LB_T(LB_WIRE_OUT)));
}
#endif

#ifndef LB_WITHOUT_gru
static void lb_kit_do_gru(lb_kit_call *c, const lb_kit_fn *f)
{
    const lb_kit_field *const fields = lb_kit_cell_fields;
    mli_rnn_cell_cfg cfg = lb_kit_cell_cfg(c);
    lb_kit_status(c, f->gru(LB_T(LB_WIRE_IN), LB_T(LB_WIRE_PREV_OUT), LB_T(LB_WIRE_WEIGHTS_IN),
                            LB_T(LB_WIRE_WEIGHTS_OUT), LB_T(LB_WIRE_BIAS), lb_kit_lut(LB_KIT_TANH),
                            lb_kit_lut(LB_KIT_SIGM), LB_CFG(cfg), LB_T(LB_WIRE_OUT)));
}
#endif

#ifndef LB_WITHOUT_pool
static void lb_kit_do_pool(lb_kit_call *c, const lb_kit_fn *f)
{
    static const lb_kit_field fields[] = {LB_FIELD(mli_pool_cfg, kernel_width),
                                          LB_FIELD(mli_pool_cfg, kernel_height),
                                          LB_FIELD(mli_pool_cfg, stride_width),
                                          LB_FIELD(mli_pool_cfg, stride_height),
                                          LB_FIELD(mli_pool_cfg, padding_left),
                                          LB_FIELD(mli_pool_cfg, padding_right),
                                          LB_FIELD(mli_pool_cfg, padding_top),
                                          LB_FIELD(mli_pool_cfg, padding_bottom),
                                          {0, 0}};
    mli_pool_cfg cfg;
    memset(&cfg, 0, sizeof cfg);
    cfg.kernel_width = (uint8_t)LB_WORD(0);
    cfg.kernel_height = (uint8_t)LB_WORD(1);
    cfg.stride_width = (uint8_t)LB_WORD(2);
    cfg.stride_height = (uint8_t)LB_WORD(3);
    cfg.padding_left = (uint8_t)LB_WORD(4);
    cfg.padding_right = (uint8_t)LB_WORD(5);
    cfg.padding_top = (uint8_t)LB_WORD(6);
    cfg.padding_bottom = (uint8_t)LB_WORD(7);
    lb_kit_status(c, f->pool(LB_T(LB_WIRE_IN), LB_CFG(cfg), LB_T(LB_WIRE_OUT)));
}
#endif

#ifndef LB_WITHOUT_argmax
static void lb_kit_do_argmax(lb_kit_call *c, const lb_kit_fn *f)
{
    static const lb_kit_field fields[] = {
        LB_FIELD(mli_argmax_cfg, axis), LB_FIELD(mli_argmax_cfg, topk), {0, 0}};
    mli_argmax_cfg cfg;
    memset(&cfg, 0, sizeof cfg);
    cfg.axis = (int32_t)LB_WORD(0);
    cfg.topk = (int32_t)LB_WORD(1);
    lb_kit_status(c, f->argmax(LB_T(LB_WIRE_IN), LB_CFG(cfg), LB_T(LB_WIRE_OUT)));
}
#endif

#ifndef LB_WITHOUT_relu
static void lb_kit_do_relu(lb_kit_call *c, const lb_kit_fn *f)
{
    static const lb_kit_field fields[] = {LB_FIELD(mli_relu_cfg, type), {0, 0}};
    mli_relu_cfg cfg;
    memset(&cfg, 0, sizeof cfg);
    cfg.type = lb_kit_relu(LB_WORD(0));
    lb_kit_status(c, f->relu(LB_T(LB_WIRE_IN), LB_CFG(cfg), LB_T(LB_WIRE_OUT)));
}
#endif

#ifndef LB_WITHOUT_leaky_relu
static void lb_kit_do_leaky_relu(lb_kit_call *c, const lb_kit_fn *f)
{
    lb_kit_status(c, f->leaky_relu(LB_T(LB_WIRE_IN), LB_T(LB_WIRE_SLOPE), LB_T(LB_WIRE_OUT)));
}
#endif

#ifndef LB_WITHOUT_prelu
static void lb_kit_do_prelu(lb_kit_call *c, const lb_kit_fn *f)
{
    static const lb_kit_field fields[] = {LB_FIELD(mli_prelu_cfg, axis), {0, 0}};
    mli_prelu_cfg cfg;
    memset(&cfg, 0, sizeof cfg);
    cfg.axis = (int32_t)LB_WORD(0);
    lb_kit_status(c,
                  f->prelu(LB_T(LB_WIRE_IN), LB_T(LB_WIRE_SLOPE), LB_CFG(cfg), LB_T(LB_WIRE_OUT)));
}
#endif

#ifndef LB_WITHOUT_sigm
static void lb_kit_do_sigm(lb_kit_call *c, const lb_kit_fn *f)
{
    lb_kit_status(c, f->sigm(LB_T(LB_WIRE_IN), lb_kit_lut(LB_KIT_SIGM), LB_T(LB_WIRE_OUT)));
}
#endif

#ifndef LB_WITHOUT_tanh
static void lb_kit_do_tanh(lb_kit_call *c, const lb_kit_fn *f)
{
    lb_kit_status(c, f->tanh(LB_T(LB_WIRE_IN), lb_kit_lut(LB_KIT_TANH), LB_T(LB_WIRE_OUT)));
}
#endif

#ifndef LB_WITHOUT_softmax
static void lb_kit_do_softmax(lb_kit_call *c, const lb_kit_fn *f)
{
    static const lb_kit_field fields[] = {LB_FIELD(mli_softmax_cfg, axis), {0, 0}};
    mli_softmax_cfg cfg;
    memset(&cfg, 0, sizeof cfg);
    cfg.axis = (int32_t)LB_WORD(0);
    lb_kit_status(c, f->softmax(LB_T(LB_WIRE_IN), lb_kit_lut(LB_KIT_SOFTMAX), LB_CFG(cfg),
                                LB_T(LB_WIRE_OUT)));
}
#endif

#ifndef LB_WITHOUT_l2_normalize
static void lb_kit_do_l2_normalize(lb_kit_call *c, const lb_kit_fn *f)
{
    static const lb_kit_field fields[] = {LB_FIELD(mli_l2_normalize_cfg, axis), {0, 0}};
    mli_l2_normalize_cfg cfg;
    memset(&cfg, 0, sizeof cfg);
    cfg.axis = (int32_t)LB_WORD(0);
    lb_kit_status(c,
                  f->l2_normalize(LB_T(LB_WIRE_IN), LB_T(LB_WIRE_EPSILON),
                                  lb_kit_lut(LB_KIT_L2_NORMALIZE), LB_CFG(cfg), LB_T(LB_WIRE_OUT)));
}
#endif

#ifndef LB_WITHOUT_eltwise
static void lb_kit_do_eltwise(lb_kit_call *c, const lb_kit_fn *f)
{
    lb_kit_status(c, f->eltwise(LB_T(LB_WIRE_IN1), LB_T(LB_WIRE_IN2), LB_T(LB_WIRE_OUT)));
}
#endif

#ifndef LB_WITHOUT_permute
static void lb_kit_do_permute(lb_kit_call *c, const lb_kit_fn *f)
{
    static const lb_kit_field fields[] = {LB_FIELD4(mli_permute_cfg, perm_dim), {0, 0}};
    mli_permute_cfg cfg;
    unsigned d;
    memset(&cfg, 0, sizeof cfg);
    for (d = 0; d < 4; d++)
        cfg.perm_dim[d] = (uint8_t)LB_WORD(d);
    lb_kit_status(c, f->permute(LB_T(LB_WIRE_IN), LB_CFG(cfg), LB_T(LB_WIRE_OUT)));
}
#endif

#ifndef LB_WITHOUT_convert
static void lb_kit_do_convert(lb_kit_call *c, const lb_kit_fn *f)
{
    lb_kit_status(c, f->convert(LB_T(LB_WIRE_IN), LB_T(LB_WIRE_OUT)));
}
#endif

#ifndef LB_WITHOUT_create_subtensor
static void lb_kit_do_create_subtensor(lb_kit_call *c, const lb_kit_fn *f)
{
    static const lb_kit_field fields[] = {LB_FIELD4(mli_sub_tensor_cfg, offset),
                                          LB_FIELD4(mli_sub_tensor_cfg, size),
                                          LB_FIELD(mli_sub_tensor_cfg, sub_tensor_rank),
                                          {0, 0}};
    mli_sub_tensor_cfg cfg;
    unsigned d;
    memset(&cfg, 0, sizeof cfg);
    for (d = 0; d < 4; d++) {
        cfg.offset[d] = LB_WORD(d);
        cfg.size[d] = LB_WORD(4 + d);
    }
    cfg.sub_tensor_rank = LB_WORD(8);
    lb_kit_status(c, f->create_subtensor(LB_T(LB_WIRE_IN), LB_CFG(cfg), LB_T(LB_WIRE_OUT)));
}
#endif

#ifndef LB_WITHOUT_point_to_subtensor
static void lb_kit_do_point_to_subtensor(lb_kit_call *c, const lb_kit_fn *f)
{
    static const lb_kit_field fields[] = {LB_FIELD4(mli_point_to_subtsr_cfg, start_coord),
                                          LB_FIELD(mli_point_to_subtsr_cfg, coord_num),
                                          LB_FIELD(mli_point_to_subtsr_cfg, first_out_dim_size),
                                          {0, 0}};
    mli_point_to_subtsr_cfg cfg;
    unsigned d;
    memset(&cfg, 0, sizeof cfg);
    for (d = 0; d < 4; d++)
        cfg.start_coord[d] = LB_WORD(d);
    cfg.coord_num = (uint8_t)LB_WORD(4);
    cfg.first_out_dim_size = (uint8_t)LB_WORD(5);
    lb_kit_status(c, f->point_to_subtensor(LB_T(LB_WIRE_IN), LB_CFG(cfg), LB_T(LB_WIRE_OUT)));
}
#endif

#ifndef LB_WITHOUT_mov_sync
static void lb_kit_do_mov_sync(lb_kit_call *c, const lb_kit_fn *f)
{
    const lb_kit_field *const fields = lb_kit_mov_fields;
    mli_mov_cfg_t cfg = lb_kit_mov_cfg(c);
    lb_kit_status(c, f->mov_sync(LB_T(LB_WIRE_IN), LB_CFG(cfg), LB_T(LB_WIRE_OUT)));
}
#endif

#ifndef LB_WITHOUT_ext
static void lb_kit_do_ext(lb_kit_call *c, const lb_kit_fn *f)
{
    lb_kit_status(c, f->ext(LB_T(LB_WIRE_IN), LB_T(LB_WIRE_OUT)));
}
#endif

#ifndef LB_WITHOUT_ext_blocks
static void lb_kit_do_ext_blocks(lb_kit_call *c, const lb_kit_fn *f)
{
    lb_kit_status(c, f->ext_blocks(LB_T(LB_WIRE_IN1), LB_T(LB_WIRE_IN2), LB_T(LB_WIRE_OUT)));
}
#endif
/* ci/write-derived: end */

#include "lb_kit_mli_mov.h"

/* ---- The table ---- */

typedef struct lb_kit_row {
    void (*call)(lb_kit_call *c, const lb_kit_fn *f);
    lb_kit_fn f;
} lb_kit_row;

/* LB_KIT_LEFT_OUT(x) is 1 where x is a macro of value 1, as -Dx makes it, else 0. */
#define LB_KIT_SECOND(a, b, ...)   b
#define LB_KIT_SEEK(...)           LB_KIT_SECOND(__VA_ARGS__, 0, 0)
#define LB_KIT_FOUND_1             0, 1
#define LB_KIT_LEFT_OUT(x)         LB_KIT_LEFT_OUT_(x)
#define LB_KIT_LEFT_OUT_(x)        LB_KIT_SEEK(LB_KIT_FOUND_##x)
#define LB_KIT_CHOOSE(a, b)        LB_KIT_CHOOSE_(a, b)
#define LB_KIT_CHOOSE_(a, b)       LB_KIT_ROW_##a##b
#define LB_KIT_ROW_00(shape, name) {lb_kit_do_##shape, {.shape = name}},
#define LB_KIT_ROW_01(shape, name) {NULL, {NULL}},
#define LB_KIT_ROW_10(shape, name) {NULL, {NULL}},
#define LB_KIT_ROW_11(shape, name) {NULL, {NULL}},
#define LB_KIT_ROW(shape, name)                                                                    \
    LB_KIT_CHOOSE(LB_KIT_LEFT_OUT(LB_WITHOUT_##shape), LB_KIT_LEFT_OUT(LB_WITHOUT_##name))         \
    (shape, name)

static const lb_kit_row lb_kit_rows[] = {LB_KIT_FUNCTIONS(LB_KIT_ROW)};

static int lb_kit_has(uint32_t function)
{
    return function < LB_KIT_FUNCTION_COUNT && lb_kit_rows[function].call &&
           lb_kit_rows[function].f.any;
}

static void lb_kit_invoke(lb_kit_call *call)
{
    const lb_kit_row *row = &lb_kit_rows[call->function];
    uint32_t found;
    row->call(call, &row->f);
    found = lb_kit_look_at_tables();
    if (found)
        call->config_out[LB_WIRE_TABLE] = found;
}

#define LB_KIT_TABLE(which, name)                                                                  \
    lb_kit_luts[which].create =                                                                    \
        lb_kit_rows[LB_KIT_NUMBER_mli_krn_##name##_create_lut].f.create_lut;                       \
    lb_kit_luts[which].bytes = lb_kit_rows[LB_KIT_NUMBER_mli_krn_##name##_get_lut_size].f.lut_size

static uint8_t *lb_kit_calls_start(uint8_t *memory, uint32_t *memory_bytes)
{
    int i;
    LB_KIT_TABLE(LB_KIT_SIGM, sigm);
    LB_KIT_TABLE(LB_KIT_TANH, tanh);
    LB_KIT_TABLE(LB_KIT_SOFTMAX, softmax);
    LB_KIT_TABLE(LB_KIT_L2_NORMALIZE, l2_normalize);
    for (i = 0; i < LB_KIT_TABLES; i++)
        memory = lb_kit_take_table(&lb_kit_luts[i], memory, memory_bytes);
    return memory;
}
