/* mli_krn_lstm_cell_*: a frame by hand, random cells with every choice of the configuration against
 * recurrent.md 7 at every level in every profile (out, cell, scratch, the fields of out), statuses
 * in order. */
#include "cell_support.h"

static mli_status run(const struct cell_call *c, enum variant v)
{
    static mli_status (*const kernels[])(const mli_tensor *, const mli_tensor *, const mli_tensor *,
                                         const mli_tensor *, const mli_tensor *, const mli_lut *,
                                         const mli_lut *, const mli_rnn_cell_cfg *, mli_tensor *,
                                         mli_tensor *) = {
        mli_krn_lstm_cell_fx16, mli_krn_lstm_cell_fx16_fx8_fx8, mli_krn_lstm_cell_sa8_sa8_sa32};
    return kernels[v](c->p_in, c->p_prev_out, c->p_weights_in, c->p_weights_out, c->p_bias,
                      c->p_tanh, c->p_sigm, c->p_cfg, c->p_cell, c->p_out);
}

/* recurrent.md 7: one frame. h: hidden state in format h_q. */
static void model_frame_lstm(const struct problem *p, int profile, const int16_t *x,
                             const int16_t *h, struct fmt h_q, struct memory *memory,
                             ptrdiff_t out_first)
{
    const int convergent = is_convergent(profile);
    const mli_element_type type = variants[p->v].in;
    const struct fmt sigm = activation_format(SIGM, p->type),
                     tanh = activation_format(TANH, p->type);
    static int16_t result[M_MAX];
    for (int c = 0; c < p->m; c++) {
        int64_t gate[GATES];
        for (int g = 0; g < GATES; g++) {
            const int64_t sum = model_gate(p, g, c, x, h, h_q, p->wi_q[g], p->wo_q[g], profile);
            gate[g] = model_activation(g == 1 ? TANH : SIGM, p->type,
                                       g == 1 ? &tanh_table.lut : &sigm_table.lut, p->ir, sum,
                                       convergent);
        }
        int64_t cell = element(type, memory->cell, c);
        cell = model_mul(p->type, cell, gate[2], p->cell_q, sigm, p->cell_q, convergent);
        gate[1] = model_mul(p->type, gate[1], gate[0], tanh, sigm, tanh, convergent);
        cell = model_add(p->type, cell, gate[1], p->cell_q, tanh, p->cell_q, convergent);
        set_element(type, memory->cell, c, cell);
        struct fmt shown = p->cell_q;
        if (p->act != RNN_ACT_NONE) {
            const enum function function = p->act == RNN_ACT_TANH ? TANH : SIGM;
            cell = model_activation(function, p->type,
                                    function == TANH ? &tanh_table.lut : &sigm_table.lut, p->cell_q,
                                    cell, convergent);
            shown = activation_format(function, p->type);
        }
        set_element(type, result, c,
                    model_mul(p->type, cell, gate[3], shown, sigm, p->out_q, convergent));
        for (int g = 0; g < GATES; g++)
            set_element(type, memory->scratch, g * p->m + c, gate[g]);
    }
    for (int c = 0; c < p->m; c++)
        set_element(type, memory->out, out_first + c, element(type, result, c));
}

static void model(const struct problem *p, int profile, struct memory *memory)
{
    static int16_t h[M_MAX];
    const mli_element_type type = variants[p->v].in;
    memcpy(h, p->start.prev, sizeof h);
    for (int t = 0; t < p->frames; t++) {
        const ptrdiff_t first = p->all ? t * p->m : 0;
        model_frame_lstm(p, profile, model_frame(p, t), h, t == 0 ? p->prev_q : p->out_q, memory,
                         first);
        for (int c = 0; c < p->m; c++)
            set_element(type, h, c, element(type, memory->out, first + c));
    }
}

/* Weights and bias 0: every gate is a half, the new information 0, the cell halves, and shows half
 * of itself. */
static void test_example(void **state)
{
    (void)state;
    for (int p = 0; p < 4; p++) {
        struct cell_call c;
        int16_t cell_data[1] = {4096}, out_data[2] = {0}, scratch[4], zero[4] = {0};
        memset(&c, 0, sizeof c);
        c.in = with_frac(tensor(MLI_EL_FX_16, zero, SHAPE2(2, 1), NULL), 12);
        c.prev_out = with_frac(tensor(MLI_EL_FX_16, zero, SHAPE1(1), NULL), 12);
        c.weights_in = with_frac(tensor(MLI_EL_FX_16, zero, SHAPE3(4, 1, 1), NULL), 12);
        c.weights_out = with_frac(tensor(MLI_EL_FX_16, zero, SHAPE3(4, 1, 1), NULL), 12);
        c.bias = with_frac(tensor(MLI_EL_FX_16, zero, SHAPE2(4, 1), NULL), 12);
        c.cell = with_frac(tensor(MLI_EL_FX_16, cell_data, SHAPE1(1), NULL), 12);
        c.out = with_frac(tensor(MLI_EL_FX_16, out_data, SHAPE1(2), NULL), 11);
        c.cfg.results = RNN_OUT_ALL;
        c.cfg.scratch_data.capacity = sizeof scratch;
        c.cfg.scratch_data.mem.pi16 = scratch;
        point_to_all(&c);
        use_profile(p);
        assert_int_equal(run(&c, V_FX16), MLI_STATUS_OK);
        assert_int_equal(cell_data[0], 1024); /* 4096 / 2 / 2 */
        assert_true(out_data[0] == 512 &&
                    out_data[1] == 256); /* half of 2048 and of 1024, with a bit less */
        assert_true(scratch[0] == 16384 && scratch[1] == 0 && scratch[2] == 16384 &&
                    scratch[3] == 16384);
        assert_true(c.out.rank == 2 && c.out.shape[0] == 2 && c.out.shape[1] == 1 &&
                    c.out.mem_stride[0] == 1);
    }
}

static void test_random(void **state)
{
    (void)state;
    for (int i = 0; i < 600; i++)
        if (random_problem(&problem, (enum variant)(i % 3), GATES, 10, (struct fmt){1, 0, 4}) &&
            use_level((size_t)i / 3 % COUNT(levels)))
            run_problem(&problem, run, model);
}

static void test_status(void **state)
{
    (void)state;
    needs_checks();
    struct cell_call c;
    use_profile(0);
    good_sa8_call(&c, GATES);
    assert_int_equal(run(&c, V_SA8), MLI_STATUS_OK);
    check_cell_faults(run, GATES);
    check_fx_formats(run, GATES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_example),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_status),
    };
    return cmocka_run_group_tests(tests, set_up_tables, NULL);
}
