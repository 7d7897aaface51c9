/* What the tests of the LSTM and the GRU cell share: random problems with every choice that a call
 * has, the sums of a gate by recurrent.md 5 and 6, the comparison of all that a call leaves, and
 * the list of faults, which is the same for both but for the cell. */
#ifndef LB_TEST_CELL_SUPPORT_H
#define LB_TEST_CELL_SUPPORT_H

#include "rnn_support.h"

enum { GATES = 4, T_MAX = 33, N_MAX = 24, M_MAX = 270, PITCH = M_MAX + 6, GUARD = 9 };

static struct table tanh_table, sigm_table;

/* Linked with --wrap=aligned_alloc: the allocation of a call can fail. */
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
static int refuse;

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return refuse ? NULL : __real_aligned_alloc(alignment, size);
}

static inline int set_up_tables(void **state)
{
    (void)state;
    make_table(&tanh_table, mli_krn_tanh_create_lut);
    make_table(&sigm_table, mli_krn_sigm_create_lut);
    return 0;
}

/* What a call leaves, in containers of the variant. */
struct memory {
    int16_t prev[M_MAX], cell[M_MAX], out[T_MAX * M_MAX + GUARD], scratch[GATES * M_MAX + GUARD];
};

static struct problem {
    enum variant v;
    enum type type; /* of all operands that are no weights */
    int gates, frames, inputs, m;
    int backward, all, act, per_gate, alias; /* alias: out starts on prev_out */
    struct fmt in_q, prev_q, cell_q, out_q, ir;
    struct fmt wi_q[GATES], wo_q[GATES], b_q[GATES];
    ptrdiff_t w_row, wi_gate, wo_gate, b_gate; /* strides */
    int16_t in[T_MAX * N_MAX];
    int16_t wi[GATES * N_MAX * PITCH], wo[GATES * M_MAX * PITCH];
    int32_t bias[GATES * PITCH];
    int16_t zeros[GATES], wi_scale[GATES], wo_scale[GATES], b_scale[GATES];
    int8_t wi_bits[GATES], wo_bits[GATES], b_bits[GATES];
    struct memory start;
} problem;

/* Formats of a fx variant; 0 if out of range. Biases leave the accumulator room. */
static inline int random_fx_formats(struct problem *p, int ir_max)
{
    p->in_q = (struct fmt){1, 0, random_in(0, 15)};
    p->prev_q = (struct fmt){1, 0, random_in(0, 15)};
    p->cell_q = (struct fmt){1, 0, random_in(0, 3) ? random_in(8, 15) : random_in(-40, 60)};
    p->out_q = (struct fmt){1, 0, random_in(0, 3) ? random_in(8, 15) : random_in(-40, 60)};
    const int wi = random_in(0, 3) ? random_in(0, 15) : random_in(-30, 60);
    const int wo = random_in(0, 3) ? random_in(0, 15) : random_in(-30, 30);
    const int up = p->v == V_FX16 ? random_in(0, random_in(0, 1) ? 15 : 50) : random_in(0, 20);
    const int bias = p->in_q.f + wi - up;
    for (int g = 0; g < p->gates; g++) {
        p->wi_q[g] = (struct fmt){1, 0, wi};
        p->wo_q[g] = (struct fmt){1, 0, wo};
        p->b_q[g] = (struct fmt){1, 0, bias};
    }
    const int product = p->in_q.f + wi;
    p->ir = (struct fmt){1, 0, product < ir_max ? product : ir_max};
    return bias >= -128 && bias <= 127;
}

static inline int random_sa8_formats(struct problem *p, struct fmt ir)
{
    p->in_q =
        (struct fmt){random_scale(), random_in(-128, 127) * random_in(0, 1), random_in(0, 20)};
    p->prev_q = (struct fmt){random_scale(), random_in(-128, 127), random_in(0, 20)};
    p->cell_q = (struct fmt){random_scale(), random_in(-128, 127), random_in(5, 20)};
    p->out_q = (struct fmt){random_scale(), random_in(-128, 127),
                            random_in(0, 3) ? random_in(5, 20) : random_in(-60, 60)};
    p->ir = ir;
    for (int g = 0; g < p->gates; g++) {
        const int same = g > 0 && !p->per_gate;
        p->wi_q[g] = same ? p->wi_q[0] : (struct fmt){random_scale(), 0, random_in(5, 28)};
        p->wo_q[g] = same ? p->wo_q[0] : (struct fmt){random_scale(), 0, random_in(5, 28)};
        if (!fit_bias_scale(p->in_q, p->wi_q[g], &p->b_q[g]))
            return 0;
        p->wi_scale[g] = (int16_t)p->wi_q[g].s, p->wi_bits[g] = (int8_t)p->wi_q[g].f;
        p->wo_scale[g] = (int16_t)p->wo_q[g].s, p->wo_bits[g] = (int8_t)p->wo_q[g].f;
        p->b_scale[g] = (int16_t)p->b_q[g].s, p->b_bits[g] = (int8_t)p->b_q[g].f;
    }
    return 1;
}

/* 0 if the formats came out impossible. */
static inline int random_problem(struct problem *p, enum variant v, int gates, int fx_ir_max,
                                 struct fmt sa8_ir)
{
    random_bytes(p, sizeof *p);
    memset(p->zeros, 0, sizeof p->zeros);
    p->v = v;
    p->type = v == V_SA8 ? T_SA8 : T_FX16;
    p->gates = gates;
    p->frames = random_in(1, random_in(0, 7) ? 4 : T_MAX);
    p->inputs = random_in(1, N_MAX);
    p->m = p->frames > 4 || random_in(0, 9) ? random_in(1, 40) : random_in(60, M_MAX);
    p->m = random_in(0, 1) && p->m > 4 ? p->m / 4 * 4 : p->m; /* whole steps of four rows */
    p->backward = random_in(0, 1), p->all = random_in(0, 1), p->act = random_in(0, 2);
    p->per_gate = v == V_SA8 && random_in(0, 1);
    p->alias = random_in(0, 2) == 0;
    p->w_row = p->m + random_in(0, 4);
    p->wi_gate = p->inputs * p->w_row + random_in(0, 4);
    p->wo_gate = p->m * p->w_row + random_in(0, 4);
    p->b_gate = p->m + random_in(0, 4);
    for (size_t i = 0; i < COUNT(p->bias); i++)
        p->bias[i] >>= v == V_SA8 ? random_in(2, 31) : 0; /* fx: bytes or halves of it */
    memset(p->start.scratch, 0x5A, sizeof p->start.scratch);
    memset(p->start.out, 0x5A, sizeof p->start.out);
    return v == V_SA8 ? random_sa8_formats(p, sa8_ir) : random_fx_formats(p, fx_ir_max);
}

/* Element c of gate g before its activation: frame x, hidden state h in format h_q, weights in
 * formats wi, wo. */
static inline int64_t model_gate(const struct problem *p, int g, int c, const int16_t *x,
                                 const int16_t *h, struct fmt h_q, struct fmt wi, struct fmt wo,
                                 int profile)
{
    const struct operand operands[] = {
        {x, p->wi, p->inputs, g * p->wi_gate, p->w_row, p->in_q, wi},
        {h, p->wo, p->m, g * p->wo_gate, p->w_row, h_q, wo},
    };
    const int64_t bias = element(variants[p->v].bias, p->bias, g * p->b_gate + c);
    return model_dense(p->v, operands, 2, c, bias, p->b_q[g], p->ir, profile);
}

/* The frame that is processed as number t. */
static inline const int16_t *model_frame(const struct problem *p, int t)
{
    const int frame = p->backward ? p->frames - 1 - t : t;
    const uint32_t bytes = bytes_of(variants[p->v].in);
    return (const int16_t *)(const void *)((const char *)p->in +
                                           (uint32_t)(frame * p->inputs) * bytes);
}

/*
 * Calls
 */
struct cell_call {
    mli_tensor in, prev_out, weights_in, weights_out, bias, cell, out;
    mli_rnn_cell_cfg cfg;
    mli_lut tanh_lut, sigm_lut;
    const mli_tensor *p_in, *p_prev_out, *p_weights_in, *p_weights_out, *p_bias;
    const mli_lut *p_tanh, *p_sigm;
    const mli_rnn_cell_cfg *p_cfg;
    mli_tensor *p_cell, *p_out;
};

typedef mli_status run_fn(const struct cell_call *, enum variant);

static inline void point_to_all(struct cell_call *c)
{
    c->p_in = &c->in, c->p_prev_out = &c->prev_out, c->p_weights_in = &c->weights_in;
    c->p_weights_out = &c->weights_out, c->p_bias = &c->bias, c->p_cell = &c->cell,
    c->p_out = &c->out;
    c->p_tanh = &c->tanh_lut, c->p_sigm = &c->sigm_lut, c->p_cfg = &c->cfg;
    c->tanh_lut = tanh_table.lut, c->sigm_lut = sigm_table.lut;
}

/* The tensors of a problem on memory. Shapes of out differ: it need only have room. */
static inline void make_call(struct problem *p, struct memory *memory, struct cell_call *c)
{
    const uint32_t gates = (uint32_t)p->gates, m = (uint32_t)p->m, n = (uint32_t)p->inputs;
    const uint32_t rows = p->all ? (uint32_t)p->frames : 1, bytes = bytes_of(variants[p->v].in);
    const mli_element_type type = variants[p->v].in, weights = variants[p->v].weights;
    memset(c, 0, sizeof *c);
    c->in = with_fmt(tensor(type, p->in, SHAPE2((uint32_t)p->frames, n), NULL), p->in_q);
    c->prev_out =
        with_fmt(tensor(type, p->alias ? memory->out : memory->prev, SHAPE1(m), NULL), p->prev_q);
    c->weights_in = tensor(weights, p->wi, SHAPE3(gates, n, m),
                           (const int32_t[]){(int32_t)p->wi_gate, (int32_t)p->w_row, 1});
    c->weights_out = tensor(weights, p->wo, SHAPE3(gates, m, m),
                            (const int32_t[]){(int32_t)p->wo_gate, (int32_t)p->w_row, 1});
    c->bias = tensor(variants[p->v].bias, p->bias, SHAPE2(gates, m),
                     (const int32_t[]){(int32_t)p->b_gate, 1});
    if (p->per_gate) {
        c->weights_in = with_axis(c->weights_in, 0, gates, p->wi_scale, p->wi_bits, p->zeros);
        c->weights_out = with_axis(c->weights_out, 0, gates, p->wo_scale, p->wo_bits, p->zeros);
        c->bias = with_axis(c->bias, 0, gates, p->b_scale, p->b_bits, p->zeros);
    } else {
        c->weights_in = with_fmt(c->weights_in, p->wi_q[0]);
        c->weights_out = with_fmt(c->weights_out, p->wo_q[0]);
        c->bias = with_fmt(c->bias, p->b_q[0]);
    }
    c->cell = with_fmt(tensor(type, memory->cell, SHAPE1(m), NULL), p->cell_q);
    c->out = p->all ? tensor(type, memory->out, SHAPE3(m, 1, rows), NULL)
                    : tensor(type, memory->out, SHAPE1(m), NULL);
    c->out = with_fmt(c->out, p->out_q);
    c->cfg.direction = p->backward ? RNN_DIR_BACKWARD : RNN_DIR_FORWARD;
    c->cfg.results = p->all ? RNN_OUT_ALL : RNN_OUT_LAST;
    c->cfg.act = (mli_rnn_out_activation)p->act;
    c->cfg.scratch_data.mem.pi16 = memory->scratch;
    c->cfg.scratch_data.capacity = gates * m * bytes;
    point_to_all(c);
}

/* Every byte that a call leaves, and the fields of out. */
static inline void compare_call(const struct problem *p, const struct cell_call *c,
                                const mli_tensor *out_before, const struct memory *got,
                                const struct memory *expected)
{
    const mli_element_type type = variants[p->v].in;
    mli_tensor out = *out_before;
    out.rank = 2;
    out.shape[0] = p->all ? (uint32_t)p->frames : 1;
    out.shape[1] = (uint32_t)p->m;
    out.mem_stride[0] = p->m;
    out.mem_stride[1] = 1;
    for (int i = 0; i < p->frames * p->m; i++) {
        if (element(type, got->out, i) != element(type, expected->out, i))
            fail_msg("variant %d, %d frames, %d elements: out[%d] is %d, should be %d", p->v,
                     p->frames, p->m, i, (int)element(type, got->out, i),
                     (int)element(type, expected->out, i));
    }
    assert_memory_equal(got->scratch, expected->scratch, sizeof got->scratch);
    assert_memory_equal(got->cell, expected->cell, sizeof got->cell);
    assert_memory_equal(got->prev, expected->prev, sizeof got->prev);
    assert_memory_equal(got->out, expected->out, sizeof got->out);
    assert_memory_equal(&c->out, &out, sizeof out);
}

typedef void model_fn(const struct problem *, int profile, struct memory *);

static inline void run_problem(struct problem *p, run_fn *run, model_fn *model)
{
    static struct memory got, expected;
    for (int profile = 0; profile < 4; profile++) {
        struct cell_call c;
        use_profile(profile);
        got = expected = p->start;
        if (p->alias)
            memcpy(got.out, p->start.prev, (size_t)p->m * bytes_of(variants[p->v].in));
        make_call(p, &got, &c);
        const mli_tensor out_before = c.out;
        refuse = random_in(0, 4) == 0;
        const mli_status status = run(&c, p->v);
        refuse = 0;
        if (status == MLI_STATUS_INCOMPATEBLE_TENSORS && p->v == V_SA8 && is_convergent(profile))
            continue; /* the rule for bias scales rounds too */
        assert_int_equal(status, MLI_STATUS_OK);
        model(p, profile, &expected);
        compare_call(p, &c, &out_before, &got, &expected);
    }
}

/*
 * Statuses: one good call, in SA_8 or FX_16, and faults in the order of recurrent.md 7.
 */
static int8_t status_memory[5][64];
static int32_t status_bias[16];
static int16_t status_out[8], status_scratch[16];

static inline void good_sa8_call(struct cell_call *c, uint32_t gates)
{
    memset(c, 0, sizeof *c);
    memset(status_out, 0x5A, sizeof status_out);
    memset(status_scratch, 0x5A, sizeof status_scratch);
    c->in = with_scale(tensor(MLI_EL_SA_8, status_memory[0], SHAPE2(2, 3), NULL), 100, 3, 1);
    c->prev_out = with_scale(tensor(MLI_EL_SA_8, status_memory[1], SHAPE1(2), NULL), 1, 7, 0);
    c->weights_in =
        with_scale(tensor(MLI_EL_SA_8, status_memory[2], SHAPE3(gates, 3, 2), NULL), 20, 2, 0);
    c->weights_out =
        with_scale(tensor(MLI_EL_SA_8, status_memory[3], SHAPE3(gates, 2, 2), NULL), 20, 2, 0);
    c->bias = with_scale(tensor(MLI_EL_SA_32, status_bias, SHAPE2(gates, 2), NULL), 2000, 5, 0);
    c->cell = with_scale(tensor(MLI_EL_SA_8, status_memory[4], SHAPE1(2), NULL), 1, 5, 0);
    c->out = with_scale(tensor(MLI_EL_SA_8, status_out, SHAPE1(4), NULL), 1, 7, 3);
    c->cfg.results = RNN_OUT_ALL;
    c->cfg.act = RNN_ACT_TANH;
    c->cfg.scratch_data.mem.pi16 = status_scratch;
    c->cfg.scratch_data.capacity = 2 * gates;
    point_to_all(c);
}

#define FAULT(name, statement)                                                                     \
    static void name(struct cell_call *c)                                                          \
    {                                                                                              \
        statement;                                                                                 \
    }

FAULT(cfg_null, c->p_cfg = NULL)
FAULT(tanh_null, c->p_tanh = NULL)
FAULT(sigm_null, c->p_sigm = NULL)
FAULT(tanh_small, c->tanh_lut.data.capacity = 687)
FAULT(sigm_small, c->sigm_lut.data.capacity = 639)
FAULT(in_null, c->p_in = NULL)
FAULT(prev_null, c->p_prev_out = NULL)
FAULT(in_rank, (c->in.rank = 1, c->in.shape[0] = 6, c->in.mem_stride[0] = 1))
FAULT(in_gap, (c->in.mem_stride[0] = 4, c->in.data.capacity = 64))
FAULT(weights_in_small, c->weights_in.data.capacity = 5)
FAULT(weights_out_null, c->p_weights_out = NULL)
FAULT(weights_in_gates, c->weights_in.shape[0] = 2)
FAULT(weights_out_stride, (c->weights_out.mem_stride[2] = 2, c->weights_out.mem_stride[1] = 4,
                           c->weights_out.mem_stride[0] = 8, c->weights_out.data.capacity = 64))
FAULT(bias_null, c->p_bias = NULL)
FAULT(bias_rank, (c->bias.rank = 1))
FAULT(cell_null, c->p_cell = NULL)
FAULT(cell_length, (c->cell.shape[0] = 3, c->cell.data.capacity = 64))
FAULT(out_null, c->p_out = NULL)
FAULT(out_type, c->out.el_type = MLI_EL_FX_8)
FAULT(out_room, (c->out.shape[0] = 3, c->out.data.capacity = 3))
FAULT(scratch_null, c->cfg.scratch_data.mem.pi8 = NULL)
FAULT(scratch_small, c->cfg.scratch_data.capacity -= 1)
FAULT(cell_stride, (c->cell.mem_stride[0] = 2, c->cell.data.capacity = 64))
FAULT(bias_stride,
      (c->bias.mem_stride[1] = 2, c->bias.mem_stride[0] = 4, c->bias.data.capacity = 64))
FAULT(scratch_on_in, c->cfg.scratch_data.mem.pi8 = status_memory[0] + 5)
FAULT(weights_type, c->weights_out.el_type = MLI_EL_FX_8)
FAULT(some_axes, c->bias.el_params.sa.dim = 0)
FAULT(in_axis, c->in.el_params.sa.dim = 0)
FAULT(in_zero, c->in.el_params.sa.zero_point.mem.i16 = 128)
FAULT(prev_scale, c->prev_out.el_params.sa.scale.mem.i16 = 0)
FAULT(cell_capacity, c->cell.el_params.sa.scale.capacity = 2)
FAULT(weights_in_zero, c->weights_in.el_params.sa.zero_point.mem.i16 = 1)
FAULT(weights_out_scale, c->weights_out.el_params.sa.scale.mem.i16 = -1)
FAULT(bias_scale, c->bias.el_params.sa.scale.mem.i16 = 2002)
FAULT(out_axis, c->out.el_params.sa.dim = 0)
FAULT(out_scale, c->out.el_params.sa.scale.mem.i16 = 0)
FAULT(out_zero, c->out.el_params.sa.zero_point.mem.i16 = 300)
FAULT(tanh_short, c->tanh_lut.length = 1)
FAULT(sigm_no_data, c->sigm_lut.data.mem.pi16 = NULL)

/* The last six are undefined in the original and refused here. */
static const struct {
    void (*apply)(struct cell_call *);
    mli_status status;
    int lstm_only;
} cell_faults[] = {
    {cfg_null, MLI_STATUS_BAD_FUNC_CFG, 0},
    {tanh_null, MLI_STATUS_BAD_FUNC_CFG, 0},
    {sigm_null, MLI_STATUS_BAD_FUNC_CFG, 0},
    {tanh_small, MLI_STATUS_NOT_ENGH_MEM, 0},
    {sigm_small, MLI_STATUS_NOT_ENGH_MEM, 0},
    {in_null, MLI_STATUS_BAD_TENSOR, 0},
    {prev_null, MLI_STATUS_BAD_TENSOR, 0},
    {in_rank, MLI_STATUS_SHAPE_MISMATCH, 0},
    {in_gap, MLI_STATUS_INCOMPATEBLE_TENSORS, 0},
    {weights_in_small, MLI_STATUS_NOT_ENGH_MEM, 0},
    {weights_out_null, MLI_STATUS_BAD_TENSOR, 0},
    {weights_in_gates, MLI_STATUS_SHAPE_MISMATCH, 0},
    {weights_out_stride, MLI_STATUS_INCOMPATEBLE_TENSORS, 0},
    {bias_null, MLI_STATUS_BAD_TENSOR, 0},
    {bias_rank, MLI_STATUS_SHAPE_MISMATCH, 0},
    {cell_null, MLI_STATUS_BAD_TENSOR, 1},
    {cell_length, MLI_STATUS_SHAPE_MISMATCH, 1},
    {out_null, MLI_STATUS_BAD_TENSOR, 0},
    {out_type, MLI_STATUS_TYPE_MISMATCH, 0},
    {out_room, MLI_STATUS_BAD_TENSOR, 0},
    {scratch_null, MLI_STATUS_BAD_FUNC_CFG, 0},
    {scratch_small, MLI_STATUS_BAD_FUNC_CFG, 0},
    {cell_stride, MLI_STATUS_INCOMPATEBLE_TENSORS, 1},
    {bias_stride, MLI_STATUS_INCOMPATEBLE_TENSORS, 0},
    {scratch_on_in, MLI_STATUS_INCOMPATEBLE_TENSORS, 0},
    {weights_type, MLI_STATUS_TYPE_MISMATCH, 0},
    {some_axes, MLI_STATUS_INCOMPATEBLE_TENSORS, 0},
    {in_axis, MLI_STATUS_INCOMPATEBLE_TENSORS, 0},
    {in_zero, MLI_STATUS_INCOMPATEBLE_TENSORS, 0},
    {prev_scale, MLI_STATUS_BAD_TENSOR, 0},
    {cell_capacity, MLI_STATUS_BAD_TENSOR, 1},
    {weights_in_zero, MLI_STATUS_INCOMPATEBLE_TENSORS, 0},
    {weights_out_scale, MLI_STATUS_BAD_TENSOR, 0},
    {bias_scale, MLI_STATUS_INCOMPATEBLE_TENSORS, 0},
    {out_axis, MLI_STATUS_NOT_SUPPORTED, 0},
    {out_scale, MLI_STATUS_NOT_SUPPORTED, 0},
    {out_zero, MLI_STATUS_NOT_SUPPORTED, 0},
    {tanh_short, MLI_STATUS_BAD_FUNC_CFG, 0},
    {sigm_no_data, MLI_STATUS_BAD_FUNC_CFG, 0},
};

/* A scratch that is NULL and then lies on in: the second replaces the first. */
static inline int in_one_field(size_t i, size_t j)
{
    return cell_faults[i].apply == scratch_null && cell_faults[j].apply == scratch_on_in;
}

static inline void check_cell_faults(run_fn *run, uint32_t gates)
{
    for (size_t i = 0; i < COUNT(cell_faults); i++) {
        for (size_t j = i; j < COUNT(cell_faults); j++) {
            struct cell_call c;
            if (in_one_field(i, j) ||
                (gates < GATES && (cell_faults[i].lstm_only || cell_faults[j].lstm_only)))
                continue;
            good_sa8_call(&c, gates);
            cell_faults[i].apply(&c);
            if (j > i)
                cell_faults[j].apply(&c);
            const mli_tensor before = c.out;
            const mli_status got = run(&c, V_SA8);
            if (got != cell_faults[i].status)
                fail_msg("faults %zu and %zu: status %d, should be %d", i, j, got,
                         cell_faults[i].status);
            assert_memory_equal(&c.out, &before, sizeof before);
            for (size_t k = 0; k < COUNT(status_out); k++)
                assert_int_equal(status_out[k], 0x5A5A);
            for (size_t k = 0; k < COUNT(status_scratch); k++)
                assert_int_equal(status_scratch[k], 0x5A5A);
        }
    }
}

/* fx: only the bias has fractional bits that are checked. */
static inline void check_fx_formats(run_fn *run, uint32_t gates)
{
    struct cell_call c;
    good_sa8_call(&c, gates);
    mli_tensor *const wide[] = {&c.in,   &c.prev_out, &c.weights_in, &c.weights_out,
                                &c.bias, &c.cell,     &c.out};
    for (size_t i = 0; i < COUNT(wide); i++) {
        memset(&wide[i]->el_params, 0, sizeof wide[i]->el_params);
        wide[i]->el_type = MLI_EL_FX_16;
        wide[i]->data.capacity = 64;
        *wide[i] = with_frac(*wide[i], 5);
    }
    c.out.data.mem.pi16 = status_out;
    c.out.data.capacity = sizeof status_out;
    c.cfg.scratch_data.capacity = 4 * gates;
    c.bias.el_params.fx.frac_bits = 10;
    c.out.el_params.fx.frac_bits = 127;
    assert_int_equal(run(&c, V_FX16), MLI_STATUS_OK);
    c.out.data.capacity = 8;
    c.bias.el_params.fx.frac_bits = 11;
    assert_int_equal(run(&c, V_FX16), MLI_STATUS_INCOMPATEBLE_TENSORS);
    assert_int_equal(run(&c, V_FX16_FX8), MLI_STATUS_TYPE_MISMATCH);
}

#endif
