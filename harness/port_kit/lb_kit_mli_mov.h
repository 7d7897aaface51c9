/* Data movement: filling configurations, and the asynchronous calls with handles and callbacks.
 * Part of lb_kit.c, behind lb_kit_mli_calls.h. */

/* ---- Functions that fill a mli_mov_cfg_t: what they leave out must be seen, so it starts as
 * garbage ---- */

#if !defined LB_WITHOUT_mov_cfg
static void lb_kit_garble(mli_mov_cfg_t *cfg)
{
    memset(cfg, LB_KIT_GARBAGE, sizeof *cfg);
}

static void lb_kit_cfg_out(lb_kit_call *c, const mli_mov_cfg_t *cfg)
{
    unsigned d;
    for (d = 0; d < 4; d++) {
        c->config_out[d] = cfg->offset[d];
        c->config_out[4 + d] = cfg->size[d];
        c->config_out[8 + d] = cfg->sub_sample_step[d];
        c->config_out[12 + d] = cfg->dst_offset[d];
        c->config_out[16 + d] = (uint32_t)cfg->dst_mem_stride[d];
        c->config_out[20 + d] = cfg->perm_dim[d];
        c->config_out[24 + d] = cfg->padding_pre[d];
        c->config_out[28 + d] = cfg->padding_post[d];
    }
}

/* Up to five lists of four integers from the configuration words. */
typedef struct lb_kit_lists {
    int list[5][4];
    uint8_t bytes[4];
} lb_kit_lists;

static void lb_kit_take_lists(lb_kit_lists *l, const lb_kit_call *c, unsigned first, unsigned count)
{
    unsigned i;
    for (i = 0; i < count * 4; i++)
        l->list[i / 4][i % 4] = (int)(int32_t)LB_WORD(first + i);
}

static void lb_kit_take_bytes(lb_kit_lists *l, const lb_kit_call *c, unsigned first)
{
    unsigned i;
    for (i = 0; i < 4; i++)
        l->bytes[i] = (uint8_t)LB_WORD(first + i);
}
#endif

#ifndef LB_WITHOUT_mov_cfg_copy
static void lb_kit_do_mov_cfg_copy(lb_kit_call *c, const lb_kit_fn *f)
{
    mli_mov_cfg_t cfg;
    lb_kit_garble(&cfg);
    lb_kit_status(c, f->mov_cfg_copy(&cfg));
    lb_kit_cfg_out(c, &cfg);
}
#endif

#ifndef LB_WITHOUT_mov_cfg_slice
static void lb_kit_do_mov_cfg_slice(lb_kit_call *c, const lb_kit_fn *f)
{
    mli_mov_cfg_t cfg;
    lb_kit_lists l;
    lb_kit_garble(&cfg);
    lb_kit_take_lists(&l, c, 0, 3);
    lb_kit_status(c, f->mov_cfg_slice(&cfg, l.list[0], l.list[1], l.list[2]));
    lb_kit_cfg_out(c, &cfg);
}
#endif

#ifndef LB_WITHOUT_mov_cfg_concat
static void lb_kit_do_mov_cfg_concat(lb_kit_call *c, const lb_kit_fn *f)
{
    mli_mov_cfg_t cfg;
    lb_kit_lists l;
    lb_kit_garble(&cfg);
    lb_kit_take_lists(&l, c, 0, 2);
    lb_kit_status(c, f->mov_cfg_concat(&cfg, l.list[0], l.list[1]));
    lb_kit_cfg_out(c, &cfg);
}
#endif

#ifndef LB_WITHOUT_mov_cfg_subsample
static void lb_kit_do_mov_cfg_subsample(lb_kit_call *c, const lb_kit_fn *f)
{
    mli_mov_cfg_t cfg;
    lb_kit_lists l;
    lb_kit_garble(&cfg);
    lb_kit_take_lists(&l, c, 0, 2);
    lb_kit_status(c, f->mov_cfg_subsample(&cfg, l.list[0], l.list[1]));
    lb_kit_cfg_out(c, &cfg);
}
#endif

#ifndef LB_WITHOUT_mov_cfg_permute
static void lb_kit_do_mov_cfg_permute(lb_kit_call *c, const lb_kit_fn *f)
{
    mli_mov_cfg_t cfg;
    lb_kit_lists l;
    lb_kit_garble(&cfg);
    lb_kit_take_bytes(&l, c, 0);
    lb_kit_status(c, f->mov_cfg_permute(&cfg, l.bytes));
    lb_kit_cfg_out(c, &cfg);
}
#endif

#ifndef LB_WITHOUT_mov_cfg_padding2d
static void lb_kit_do_mov_cfg_padding2d(lb_kit_call *c, const lb_kit_fn *f)
{
    mli_mov_cfg_t cfg;
    lb_kit_lists l;
    lb_kit_garble(&cfg);
    lb_kit_take_bytes(&l, c, 0);
    lb_kit_take_lists(&l, c, 4, 1);
    lb_kit_status(
        c, f->mov_cfg_padding2d(&cfg, l.bytes[0], l.bytes[1], l.bytes[2], l.bytes[3], l.list[0]));
    lb_kit_cfg_out(c, &cfg);
}
#endif

#ifndef LB_WITHOUT_mov_cfg_all
static void lb_kit_do_mov_cfg_all(lb_kit_call *c, const lb_kit_fn *f)
{
    mli_mov_cfg_t cfg;
    lb_kit_lists l;
    lb_kit_garble(&cfg);
    lb_kit_take_lists(&l, c, 0, 5);
    lb_kit_take_bytes(&l, c, 20);
    lb_kit_status(c, f->mov_cfg_all(&cfg, l.list[0], l.list[1], l.list[2], l.list[3], l.list[4],
                                    l.bytes, (uint8_t)LB_WORD(24), (uint8_t)LB_WORD(25),
                                    (uint8_t)LB_WORD(26), (uint8_t)LB_WORD(27)));
    lb_kit_cfg_out(c, &cfg);
}
#endif

/* ---- Asynchronous movement. Callbacks are told apart by the function that is called ---- */

#ifndef LB_WITHOUT_mov_async

static void lb_kit_note(unsigned which, int32_t cookie)
{
    lb_kit_call *c = &lb_kit.call;
    uint32_t made = c->result[LB_WIRE_R_CALLBACKS]++;
    if (made >= LB_WIRE_CALLBACKS)
        return;
    c->callbacks[made].which = (uint8_t)which;
    c->callbacks[made].cookie = cookie;
}

#define LB_KIT_CALLBACK(n)                                                                         \
    static void lb_kit_callback_##n(int32_t cookie)                                                \
    {                                                                                              \
        lb_kit_note(n, cookie);                                                                    \
    }
LB_KIT_CALLBACK(1)
LB_KIT_CALLBACK(2)
LB_KIT_CALLBACK(3)
LB_KIT_CALLBACK(4)
LB_KIT_CALLBACK(5)
LB_KIT_CALLBACK(6)
LB_KIT_CALLBACK(7)
LB_KIT_CALLBACK(8)

static void (*lb_kit_callback(uint32_t which))(int32_t)
{
    static void (*const functions[LB_WIRE_CALLBACKS + 1])(int32_t) = {
        NULL,
        lb_kit_callback_1,
        lb_kit_callback_2,
        lb_kit_callback_3,
        lb_kit_callback_4,
        lb_kit_callback_5,
        lb_kit_callback_6,
        lb_kit_callback_7,
        lb_kit_callback_8,
    };
    return functions[which <= LB_WIRE_CALLBACKS ? which : 0];
}

static const uint32_t lb_kit_states_own[] = {
    MLI_MOV_STATE_INVALID,        MLI_MOV_STATE_OPEN,        MLI_MOV_STATE_PREPARED,
    MLI_MOV_STATE_DMA_CONFIGURED, MLI_MOV_STATE_DMA_RUNNING, MLI_MOV_STATE_DONE};
static const lb_kit_enum lb_kit_states = {lb_kit_counting, lb_kit_states_own, 6};

static mli_mov_handle_t lb_kit_handle;

static mli_mov_handle_t *lb_kit_handle_in(const lb_kit_call *c)
{
    const uint32_t *words = c->more + LB_WIRE_M_HANDLE;
    memset(&lb_kit_handle, 0, sizeof lb_kit_handle);
    lb_kit_handle.dma_ch = (int)(int32_t)words[0];
    lb_kit_handle.num_ch = (int)(int32_t)words[1];
    lb_kit_handle.state = (mli_mov_state)lb_kit_to_own(&lb_kit_states, words[2]);
    return c->more[LB_WIRE_M_HAS_HANDLE] ? &lb_kit_handle : NULL;
}

static void lb_kit_handle_out(lb_kit_call *c)
{
    uint32_t *words = c->result + LB_WIRE_R_HANDLE;
    words[0] = (uint32_t)lb_kit_handle.dma_ch;
    words[1] = (uint32_t)lb_kit_handle.num_ch;
    words[2] = lb_kit_to_published(&lb_kit_states, (uint32_t)lb_kit_handle.state);
}

#endif

#ifndef LB_WITHOUT_mov_set_num_dma_ch
static void lb_kit_do_mov_set_num_dma_ch(lb_kit_call *c, const lb_kit_fn *f)
{
    lb_kit_status(c, f->mov_set_num_dma_ch((int)(int32_t)c->more[LB_WIRE_M_CH_OFFSET],
                                           (int)(int32_t)c->more[LB_WIRE_M_NUM_CH]));
}
#endif

#ifndef LB_WITHOUT_mov_acquire_handle
static void lb_kit_do_mov_acquire_handle(lb_kit_call *c, const lb_kit_fn *f)
{
    mli_mov_handle_t *h = lb_kit_handle_in(c);
    lb_kit_status(c, f->mov_acquire_handle((int)(int32_t)c->more[LB_WIRE_M_NUM_CH], h));
    lb_kit_handle_out(c);
}
#endif

#ifndef LB_WITHOUT_mov_prepare
static void lb_kit_do_mov_prepare(lb_kit_call *c, const lb_kit_fn *f)
{
    const lb_kit_field *const fields = lb_kit_mov_fields;
    mli_mov_cfg_t cfg = lb_kit_mov_cfg(c);
    mli_mov_handle_t *h = lb_kit_handle_in(c);
    lb_kit_status(c, f->mov_prepare(h, LB_T(LB_WIRE_IN), LB_CFG(cfg), LB_T(LB_WIRE_OUT)));
    lb_kit_handle_out(c);
}
#endif

#ifndef LB_WITHOUT_mov_registercallback
static void lb_kit_do_mov_registercallback(lb_kit_call *c, const lb_kit_fn *f)
{
    mli_mov_handle_t *h = lb_kit_handle_in(c);
    lb_kit_status(c, f->mov_registercallback(h, lb_kit_callback(c->more[LB_WIRE_M_CALLBACK]),
                                             (int32_t)c->more[LB_WIRE_M_COOKIE]));
    lb_kit_handle_out(c);
}
#endif

#ifndef LB_WITHOUT_mov_isdone
static void lb_kit_do_mov_isdone(lb_kit_call *c, const lb_kit_fn *f)
{
    c->result[LB_WIRE_R_DONE] = f->mov_isdone(lb_kit_handle_in(c)) ? 1 : 0;
    lb_kit_handle_out(c);
}
#endif

#ifndef LB_WITHOUT_mov_wait
static void lb_kit_do_mov_wait(lb_kit_call *c, const lb_kit_fn *f)
{
    lb_kit_status(c, f->mov_wait(lb_kit_handle_in(c)));
    lb_kit_handle_out(c);
}
#endif
