/* mli_krn_gru_cell_*: a frame by hand, the gate with the wrong scale, random cells with every
 * choice of the configuration against recurrent.md 8 at every level in every profile (out, scratch,
 * the fields of out), statuses in order. */
#include "cell_support.h"

enum { UPDATE, RESET, NEW, COUNT_OF_GATES };

static mli_status run(const struct cell_call *c, enum variant v)
{
    static mli_status (*const kernels[])(const mli_tensor *, const mli_tensor *, const mli_tensor *,
                                         const mli_tensor *, const mli_tensor *, const mli_lut *,
                                         const mli_lut *, const mli_rnn_cell_cfg *,
                                         mli_tensor *) = {
        mli_krn_gru_cell_fx16, mli_krn_gru_cell_fx16_fx8_fx8, mli_krn_gru_cell_sa8_sa8_sa32};
    return kernels[v](c->p_in, c->p_prev_out, c->p_weights_in, c->p_weights_out, c->p_bias,
                      c->p_tanh, c->p_sigm, c->p_cfg, c->p_out);
}

/* Per-tensor weights of gate n: scale + 4, wrapping in 16 bits, bits + 2, wrapping in 8. */
static struct fmt new_gate_weights(const struct problem *p, struct fmt q)
{
    if (p->v != V_SA8 || p->per_gate)
        return q;
    const int s = q.s + 4, f = q.f + 2;
    return (struct fmt){s > 32767 ? s - 65536 : s, q.z, f > 127 ? f - 256 : f};
}

/* recurrent.md 8: one frame. h: hidden state in format h_q. */
static void model_frame_gru(const struct problem *p, int profile, const int16_t *x,
                            const int16_t *h, struct fmt h_q, struct memory *memory,
                            ptrdiff_t out_first)
{
    const int convergent = is_convergent(profile);
    const mli_element_type type = variants[p->v].in;
    const struct fmt sigm = activation_format(SIGM, p->type),
                     tanh = activation_format(TANH, p->type);
    static int16_t reset[M_MAX];
    static int64_t z[M_MAX], keep[M_MAX];
    for (int c = 0; c < p->m; c++) {
        int64_t gate[2];
        for (int g = UPDATE; g <= RESET; g++) {
            const int64_t sum = model_gate(p, g, c, x, h, h_q, p->wi_q[g], p->wo_q[g], profile);
            gate[g] = model_activation(SIGM, p->type, &sigm_table.lut, p->ir, sum, convergent);
        }
        const int64_t hidden = element(type, h, c);
        set_element(type, reset, c,
                    model_mul(p->type, gate[RESET], hidden, sigm, h_q, h_q, convergent));
        keep[c] = model_mul(p->type, hidden, gate[UPDATE], h_q, sigm, h_q, convergent);
        z[c] = p->type == T_SA8 ? -1 - gate[UPDATE] : model_sat(32767 - gate[UPDATE], 16);
    }
    for (int c = 0; c < p->m; c++) {
        const int64_t sum = model_gate(p, NEW, c, x, reset, h_q, new_gate_weights(p, p->wi_q[NEW]),
                                       new_gate_weights(p, p->wo_q[NEW]), profile);
        int64_t n = model_activation(TANH, p->type, &tanh_table.lut, p->ir, sum, convergent);
        n = model_mul(p->type, n, z[c], tanh, sigm, p->out_q, convergent);
        set_element(type, memory->scratch, c, z[c]);
        set_element(type, memory->scratch, p->m + c, element(type, reset, c));
        set_element(type, memory->scratch, 2 * p->m + c, n);
        set_element(type, memory->out, out_first + c,
                    model_add(p->type, n, keep[c], p->out_q, h_q, p->out_q, convergent));
    }
}

static void model(const struct problem *p, int profile, struct memory *memory)
{
    static int16_t h[M_MAX];
    const mli_element_type type = variants[p->v].in;
    memcpy(h, p->start.prev, sizeof h);
    for (int t = 0; t < p->frames; t++) {
        const ptrdiff_t first = p->all ? t * p->m : 0;
        model_frame_gru(p, profile, model_frame(p, t), h, t == 0 ? p->prev_q : p->out_q, memory,
                        first);
        for (int c = 0; c < p->m; c++)
            set_element(type, h, c, element(type, memory->out, first + c));
    }
}

/* Weights and bias 0: both gates are a half, the new state is half of the old one. */
static void test_example(void **state)
{
    (void)state;
    for (int p = 0; p < 4; p++) {
        struct cell_call c;
        int16_t prev[1] = {4096}, out_data[2] = {0}, scratch[3], zero[4] = {0};
        memset(&c, 0, sizeof c);
        c.in = with_frac(tensor(MLI_EL_FX_16, zero, SHAPE2(2, 1), NULL), 12);
        c.prev_out = with_frac(tensor(MLI_EL_FX_16, prev, SHAPE1(1), NULL), 12);
        c.weights_in = with_frac(tensor(MLI_EL_FX_16, zero, SHAPE3(3, 1, 1), NULL), 12);
        c.weights_out = with_frac(tensor(MLI_EL_FX_16, zero, SHAPE3(3, 1, 1), NULL), 12);
        c.bias = with_frac(tensor(MLI_EL_FX_16, zero, SHAPE2(3, 1), NULL), 12);
        c.out = with_frac(tensor(MLI_EL_FX_16, out_data, SHAPE1(2), NULL), 14);
        c.cfg.results = RNN_OUT_ALL;
        c.cfg.scratch_data.capacity = sizeof scratch;
        c.cfg.scratch_data.mem.pi16 = scratch;
        point_to_all(&c);
        use_profile(p);
        assert_int_equal(run(&c, V_FX16), MLI_STATUS_OK);
        assert_true(out_data[0] == 8192 &&
                    out_data[1] == 4096); /* 4096 / 2, in out's format four times as many */
        assert_true(scratch[0] == 16383 && scratch[1] == 4096 && scratch[2] == 0);
    }
}

/* recurrent.md 8: the pre-activation of n with per-tensor weights is (1 + 4/s) / 4 of what it is
 * per gate. x*w = 16 with scale 4: 2 / 4 of it, so that n comes from 8 steps of 1/8 instead of 16:
 * tanh(1) = 97, tanh(2) = 123 of 128, and half of that is kept. */
static void test_wrong_scale(void **state)
{
    (void)state;
    static int16_t scales[3] = {4, 4, 4}, zeros[3];
    static int8_t bits[3] = {5, 5, 5};
    for (int per_gate = 0; per_gate < 2; per_gate++) {
        struct cell_call c;
        int8_t x = 16, weights[3] = {0, 0, 1}, prev = 0, out_data, scratch[3], none[3] = {0};
        int32_t bias[3] = {0};
        memset(&c, 0, sizeof c);
        c.in = with_scale(tensor(MLI_EL_SA_8, &x, SHAPE2(1, 1), NULL), 1, 0, 0);
        c.prev_out = with_scale(tensor(MLI_EL_SA_8, &prev, SHAPE1(1), NULL), 1, 7, 0);
        c.weights_in = with_scale(tensor(MLI_EL_SA_8, weights, SHAPE3(3, 1, 1), NULL), 4, 5, 0);
        c.weights_out = with_scale(tensor(MLI_EL_SA_8, none, SHAPE3(3, 1, 1), NULL), 4, 5, 0);
        c.bias = with_scale(tensor(MLI_EL_SA_32, bias, SHAPE2(3, 1), NULL), 4, 5, 0);
        c.out = with_scale(tensor(MLI_EL_SA_8, &out_data, SHAPE1(1), NULL), 1, 8,
                           0); /* twice as fine */
        if (per_gate) {
            c.weights_in = with_axis(c.weights_in, 0, 3, scales, bits, zeros);
            c.weights_out = with_axis(c.weights_out, 0, 3, scales, bits, zeros);
            c.bias = with_axis(c.bias, 0, 3, scales, bits, zeros);
        }
        c.cfg.scratch_data.capacity = sizeof scratch;
        c.cfg.scratch_data.mem.pi8 = scratch;
        point_to_all(&c);
        use_profile(0);
        assert_int_equal(run(&c, V_SA8), MLI_STATUS_OK);
        assert_in_range(out_data, per_gate ? 121 : 96, per_gate ? 124 : 99);
    }
}

static void test_random(void **state)
{
    (void)state;
    for (int i = 0; i < 600; i++)
        if (random_problem(&problem, (enum variant)(i % 3), COUNT_OF_GATES, 11,
                           (struct fmt){21, 0, 9}) &&
            use_level((size_t)i / 3 % COUNT(levels)))
            run_problem(&problem, run, model);
}

/* The corrected scale leaves 16 bits, the corrected shift 8. */
static void test_scale_wraps(void **state)
{
    (void)state;
    int done = 0;
    for (int i = 0; i < 200; i++) {
        if (!random_problem(&problem, V_SA8, COUNT_OF_GATES, 11, (struct fmt){21, 0, 9}) ||
            problem.per_gate)
            continue;
        for (int g = 0; g < COUNT_OF_GATES; g++)
            problem.wo_q[g] = (struct fmt){32764 + i % 4, 0, i % 3 ? 126 + i % 2 : 20};
        use_level((size_t)i % COUNT(levels));
        run_problem(&problem, run, model);
        done++;
    }
    assert_true(done > 20);
}

static void test_status(void **state)
{
    (void)state;
    needs_checks();
    struct cell_call c;
    use_profile(0);
    good_sa8_call(&c, COUNT_OF_GATES);
    assert_int_equal(run(&c, V_SA8), MLI_STATUS_OK);
    check_cell_faults(run, COUNT_OF_GATES);
    check_fx_formats(run, COUNT_OF_GATES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_example), cmocka_unit_test(test_wrong_scale),
        cmocka_unit_test(test_random),  cmocka_unit_test(test_scale_wraps),
        cmocka_unit_test(test_status),
    };
    return cmocka_run_group_tests(tests, set_up_tables, NULL);
}
