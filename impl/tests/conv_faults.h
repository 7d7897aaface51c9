/* Every fault that a convolution may report, in the order of conv.md 11. Two at once must give the
 * status of the earlier one. */
#ifndef LB_TEST_CONV_FAULTS_H
#define LB_TEST_CONV_FAULTS_H

#include "conv_support.h"

/* A call that is valid before faults are put in. The problem is a copy: its tensors may be spoilt.
 */
struct call {
    struct problem p;
    const mli_conv2d_cfg *cfg;
};

static inline void fault_in_type(struct call *c)
{
    c->p.t_in.el_type = MLI_EL_SA_8;
}

static inline void fault_bias_frac(struct call *c)
{
    c->p.t_bias.el_params.fx.frac_bits =
        (int8_t)(c->p.t_in.el_params.fx.frac_bits + c->p.t_weights.el_params.fx.frac_bits + 1);
}

static inline void fault_out_frac(struct call *c)
{
    c->p.t_out.el_params.fx.frac_bits =
        (int8_t)(c->p.t_in.el_params.fx.frac_bits + c->p.t_weights.el_params.fx.frac_bits + 1);
}

static inline void fault_kernel(struct call *c)
{
    c->p.t_weights.shape[0]--;
}

static inline void fault_in_null(struct call *c)
{
    c->p.t_in.data.mem.pi8 = NULL;
}

static inline void fault_in_room(struct call *c)
{
    c->p.t_in.data.capacity = 0;
}

static inline void fault_weights_shape(struct call *c)
{
    c->p.t_weights.shape[2] = 0;
}

static inline void fault_weights_room(struct call *c)
{
    c->p.t_weights.data.capacity = 0;
}

static inline void fault_bias_rank(struct call *c)
{
    c->p.t_bias.rank = 5;
}

static inline void fault_bias_room(struct call *c)
{
    c->p.t_bias.data.capacity = 0;
}

static inline void fault_out_stride(struct call *c)
{
    c->p.t_out.mem_stride[1] = (int32_t)c->p.channels - 1;
}

static inline void fault_out_room(struct call *c)
{
    c->p.t_out.data.capacity = 0;
}

static inline void fault_out_type(struct call *c)
{
    c->p.t_out.el_type = MLI_EL_FX_8; /* needs no more room than the right one */
}

static inline void fault_bias_channels(struct call *c)
{
    c->p.t_bias.shape[0]--;
}

static inline void fault_inner_stride(struct call *c)
{
    c->p.t_weights.mem_stride[3] = 2;
    for (int d = 0; d < 3; d++)
        c->p.t_weights.mem_stride[d] *= 2;
    c->p.t_weights.data.capacity = INT32_MAX;
}

static inline void fault_cfg_null(struct call *c)
{
    c->cfg = NULL;
}

static inline void fault_cfg_stride(struct call *c)
{
    c->p.cfg.stride_width = 0;
}

static inline void fault_overlap(struct call *c)
{
    c->p.t_out.data.mem.pi8 = c->p.t_in.data.mem.pi8 + c->p.t_in.data.capacity - 2;
}

static inline void fault_weights_type(struct call *c)
{
    c->p.t_weights.el_type = MLI_EL_FX_8;
}

static inline void fault_in_scale(struct call *c)
{
    c->p.t_in.el_params.sa.scale.mem.i16 = 0;
}

static inline void fault_out_zero(struct call *c)
{
    static int16_t many[64];
    for (size_t i = 0; i < COUNT(many); i++)
        many[i] = 128;
    if (c->p.t_out.el_params.sa.dim >= 0)
        c->p.t_out.el_params.sa.zero_point.mem.pi16 = many;
    else
        c->p.t_out.el_params.sa.zero_point.mem.i16 = 128;
}

static inline void fault_weights_quant(struct call *c)
{
    c->p.t_weights.el_params.sa.scale
        .capacity++; /* no room for the channels; or, per tensor, not 0 */
    if (c->p.per_axis)
        c->p.t_weights.el_params.sa.scale.capacity = 2 * c->p.channels - 1;
}

static inline void fault_bias_zero(struct call *c)
{
    static int16_t ones[64];
    for (size_t i = 0; i < COUNT(ones); i++)
        ones[i] = 1;
    if (c->p.t_bias.el_params.sa.dim >= 0)
        c->p.t_bias.el_params.sa.zero_point.mem.pi16 = ones;
    else
        c->p.t_bias.el_params.sa.zero_point.mem.i16 = 1;
}

static inline void fault_axes(struct call *c)
{
    if (c->p.per_axis)
        c->p.t_bias = with_scale(
            tensor(MLI_EL_SA_32, c->p.t_bias.data.mem.pi8, SHAPE1(c->p.channels), NULL), 1, 0, 0);
    else
        c->p.t_bias =
            with_axis(c->p.t_bias, 0, c->p.channels, c->p.b_scale, c->p.b_bits, c->p.no_zero);
}

static inline void fault_out_axis(struct call *c)
{
    static int16_t ones[64], zeros[64];
    static int8_t bits[64];
    for (size_t i = 0; i < COUNT(ones); i++)
        ones[i] = 1;
    c->p.t_out = with_axis(c->p.t_out, 2, c->p.channels, ones, bits, zeros);
}

static inline void fault_bias_scale(struct call *c)
{
    if (c->p.per_axis)
        c->p.b_bits[c->p.channels - 1] = (int8_t)(c->p.b_bits[c->p.channels - 1] + 8);
    else
        c->p.t_bias.el_params.sa.scale_frac_bits.mem.i8 =
            (int8_t)(c->p.t_bias.el_params.sa.scale_frac_bits.mem.i8 + 8);
}

enum { FX_ONLY = 1, SA8_ONLY = 2, KERNEL_ONLY = 4 }; /* _kNxN of conv2d, depthwise, group */

static const struct fault {
    const char *name;
    int when;
    mli_status status;
    void (*apply)(struct call *);
} fault_list[] = {
    {"in type", FX_ONLY, MLI_STATUS_TYPE_MISMATCH, fault_in_type},
    {"bias frac_bits", FX_ONLY, MLI_STATUS_INCOMPATEBLE_TENSORS, fault_bias_frac},
    {"out frac_bits", FX_ONLY, MLI_STATUS_INCOMPATEBLE_TENSORS, fault_out_frac},
    {"kernel", KERNEL_ONLY, MLI_STATUS_SHAPE_MISMATCH, fault_kernel},
    {"in NULL", 0, MLI_STATUS_BAD_TENSOR, fault_in_null},
    {"in room", 0, MLI_STATUS_NOT_ENGH_MEM, fault_in_room},
    {"weights shape", 0, MLI_STATUS_BAD_TENSOR, fault_weights_shape},
    {"weights room", 0, MLI_STATUS_NOT_ENGH_MEM, fault_weights_room},
    {"bias rank", 0, MLI_STATUS_BAD_TENSOR, fault_bias_rank},
    {"bias room", 0, MLI_STATUS_NOT_ENGH_MEM, fault_bias_room},
    {"out stride", 0, MLI_STATUS_BAD_TENSOR, fault_out_stride},
    {"out room", 0, MLI_STATUS_NOT_ENGH_MEM, fault_out_room},
    {"out type", 0, MLI_STATUS_TYPE_MISMATCH, fault_out_type},
    {"bias channels", 0, MLI_STATUS_SHAPE_MISMATCH, fault_bias_channels},
    {"inner stride", 0, MLI_STATUS_INCOMPATEBLE_TENSORS, fault_inner_stride},
    {"cfg NULL", 0, MLI_STATUS_BAD_FUNC_CFG, fault_cfg_null},
    {"cfg stride", 0, MLI_STATUS_BAD_FUNC_CFG, fault_cfg_stride},
    {"overlap", 0, MLI_STATUS_INCOMPATEBLE_TENSORS, fault_overlap},
    {"weights type", SA8_ONLY, MLI_STATUS_TYPE_MISMATCH, fault_weights_type},
    {"in scale", SA8_ONLY, MLI_STATUS_BAD_TENSOR, fault_in_scale},
    {"out zero point", SA8_ONLY, MLI_STATUS_INCOMPATEBLE_TENSORS, fault_out_zero},
    {"weights quantization", SA8_ONLY, MLI_STATUS_BAD_TENSOR, fault_weights_quant},
    {"bias zero point", SA8_ONLY, MLI_STATUS_INCOMPATEBLE_TENSORS, fault_bias_zero},
    {"axes", SA8_ONLY, MLI_STATUS_INCOMPATEBLE_TENSORS, fault_axes},
    {"out axis", SA8_ONLY, MLI_STATUS_INCOMPATEBLE_TENSORS, fault_out_axis},
    {"bias scale", SA8_ONLY, MLI_STATUS_INCOMPATEBLE_TENSORS, fault_bias_scale},
};

static inline int fault_applies(const struct fault *f, const struct problem *p, int has_kernel)
{
    if ((f->when & FX_ONLY && p->kind == SA8) || (f->when & SA8_ONLY && p->kind != SA8))
        return 0;
    return !(f->when & KERNEL_ONLY) || has_kernel;
}

/* Runs a call with faults a and b (which may be one); nothing may be written. */
static inline void check_faults(const struct problem *p, conv_fn *run, const struct fault *a,
                                const struct fault *b)
{
    struct call call = {.p = *p};
    call.cfg = &call.p.cfg;
    int8_t last_bits = p->b_bits ? p->b_bits[p->channels - 1] : 0;
    b->apply(&call);
    if (a != b)
        a->apply(&call);
    memset(p->t_out.data.mem.pi8, 0x5A, p->out_bytes);
    const mli_status status =
        run(&call.p.t_in, &call.p.t_weights, &call.p.t_bias, call.cfg, &call.p.t_out);
    if (p->b_bits)
        p->b_bits[p->channels - 1] = last_bits;
    if (status != a->status)
        print_message("family %d kind %d: %s, %s\n", p->family, p->kind, a->name, b->name);
    assert_int_equal(status, a->status);
    for (size_t i = 0; i < p->out_bytes; i++)
        assert_int_equal(((uint8_t *)p->t_out.data.mem.pi8)[i], 0x5A);
}

/* All faults alone and in pairs. has_kernel: run is a _kNxN function of conv2d, depthwise or group.
 */
static inline void check_all_faults(struct problem *p, conv_fn *run, int has_kernel)
{
    needs_checks();
    build(p);
    use_profile(0);
    for (size_t i = 0; i < COUNT(fault_list); i++) {
        if (!fault_applies(&fault_list[i], p, has_kernel))
            continue;
        for (size_t j = i; j < COUNT(fault_list); j++)
            if (fault_applies(&fault_list[j], p, has_kernel))
                check_faults(p, run, &fault_list[i], &fault_list[j]);
    }
    assert_int_equal(run(&p->t_in, &p->t_weights, &p->t_bias, &p->cfg, &p->t_out), MLI_STATUS_OK);
    assert_int_equal(run(NULL, &p->t_weights, &p->t_bias, &p->cfg, &p->t_out),
                     MLI_STATUS_BAD_TENSOR);
    assert_int_equal(run(&p->t_in, NULL, &p->t_bias, &p->cfg, &p->t_out), MLI_STATUS_BAD_TENSOR);
    assert_int_equal(run(&p->t_in, &p->t_weights, NULL, &p->cfg, &p->t_out), MLI_STATUS_BAD_TENSOR);
    assert_int_equal(run(&p->t_in, &p->t_weights, &p->t_bias, &p->cfg, NULL),
                     MLI_STATUS_BAD_TENSOR);
    destroy(p);
}

/* A function for one kernel size. */
struct specialized {
    conv_fn *run;
    enum conv_kind kind;
    uint32_t kernel;
};

/* A problem of a family that no check refuses. */
typedef struct problem plain_fn(enum conv_kind kind, uint32_t kernel);

static inline void check_specializations(plain_fn *plain, const struct specialized *list,
                                         size_t count)
{
    for (size_t s = 0; s < count; s++) {
        struct problem p = plain(list[s].kind, list[s].kernel);
        build(&p);
        check_with(&p, list[s].run);
        destroy(&p);
    }
}

/* All faults on the generic functions of a family, per tensor and per axis, at one kernel size, and
 * on the specialized ones. */
static inline void check_status_order(plain_fn *plain, uint32_t kernel,
                                      const struct specialized *list, size_t count)
{
    for (int kind = 0; kind < KINDS; kind++) {
        for (int per_axis = 0; per_axis < 2; per_axis++) {
            struct problem p = plain((enum conv_kind)kind, kernel);
            p.per_axis = per_axis;
            check_all_faults(&p, generic[p.family][kind], 0);
        }
    }
    for (size_t s = 0; s < count; s++) {
        struct problem p = plain(list[s].kind, list[s].kernel);
        check_all_faults(&p, list[s].run,
                         p.family != TRANSPOSE); /* the transposed ones ask for no kernel size */
    }
}

/* The status of a call whose configuration alone is changed. */
static inline mli_status status_with(const struct problem *p, conv_fn *run,
                                     const mli_conv2d_cfg *cfg)
{
    mli_tensor out = p->t_out;
    return run(&p->t_in, &p->t_weights, &p->t_bias, cfg, &out);
}

#endif
