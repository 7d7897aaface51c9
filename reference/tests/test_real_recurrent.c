/* Real models of rnn_dense, LSTM and GRU: close to the exact ones in ordinary formats, and what
 * they fill. Spec: recurrent.md 5.1, 7, 8. */
#include "cells.h"

#include <math.h>

/* Real values of a call, before it is run. */
typedef struct real_values {
    double out[FRAMES * WIDTH + 1]; /* one more, to see that it stays */
    double cell[WIDTH];
} real_values;

static void run_real(const fixture *f, real_values *values)
{
    for (size_t i = 0; i < COUNT_OF(values->out); i++)
        values->out[i] = 4711.0;
    lb_context context = {.profile = &lb_profiles[0]};
    lb_real_outputs outputs = {
        .value = {[LB_ROLE_OUT] = values->out, [LB_ROLE_CELL] = values->cell}};
    f->call.kernel->real(&context, &f->call, &outputs);
    assert_true(values->out[FRAMES * WIDTH] == 4711.0);
}

/* Largest distance of the exact results from the real ones, where the real one fits the format. */
static double distance(const lb_tensor *exact, const double *real, size_t count)
{
    lb_quant q = lb_quant_at(exact, 0);
    int bits = lb_container_bits(exact->el_type);
    double low = ldexp((-ldexp(1.0, bits - 1) - q.zero_point) * q.scale, -q.frac);
    double high = ldexp((ldexp(1.0, bits - 1) - 1.0 - q.zero_point) * q.scale, -q.frac);
    double worst = 0.0;
    for (size_t i = 0; i < count; i++) {
        double ideal = fmax(low, fmin(high, real[i]));
        worst = fmax(worst, fabs(lb_load_real(exact, i, 0) - ideal));
    }
    return worst;
}

/* How far the exact results may stray, as real numbers: about 1.4 times the largest distance seen
 * over the seeds below. Steps of out and cell are 0.00012 and 0.00024 (fx), 0.0085 and 0.039 (sa8).
 */
static const struct {
    const char *function;
    bool per_gate;
    double out, cell;
} cells[] = {
    {"mli_krn_lstm_cell_fx16", false, 0.001, 0.0013},
    {"mli_krn_lstm_cell_fx16_fx8_fx8", false, 0.001, 0.0013},
    {"mli_krn_lstm_cell_sa8_sa8_sa32", false, 0.06, 0.07},
    {"mli_krn_lstm_cell_sa8_sa8_sa32", true, 0.06, 0.07},
    {"mli_krn_gru_cell_fx16", false, 0.0006, 0.0},
    {"mli_krn_gru_cell_fx16_fx8_fx8", false, 0.0006, 0.0},
    {"mli_krn_gru_cell_sa8_sa8_sa32", false, 0.05, 0.0},
    {"mli_krn_gru_cell_sa8_sa8_sa32", true, 0.035, 0.0},
};

static void cells_near_their_exact_models(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cells); i++) {
        double out = 0.0;
        double cell = 0.0;
        for (uint32_t seed = 1; seed <= 60; seed++) {
            fixture f;
            real_values real;
            make_cell_call(&f, cells[i].function, seed * 2654435761u);
            f.call.config.act = (int32_t)(seed % 3);
            f.call.config.direction = (int32_t)(seed % 2);
            if (cells[i].per_gate)
                make_per_gate(&f);
            run_real(&f, &real);
            run_well(&f, (int)(seed % 4));
            out = fmax(out, distance(&f.out, real.out, FRAMES * WIDTH));
            if (f.call.tensor[LB_ROLE_CELL])
                cell = fmax(cell, distance(&f.cell, real.cell, WIDTH));
        }
        assert_true(out > 0.0 && out <= cells[i].out);
        assert_true(cell <= cells[i].cell);
    }
}

/* recurrent.md 8: per tensor, the new gate of the sa8 GRU sees (1 + 4/s) / 4 of its pre-activation,
 * bias included. */
static void known_fault_of_gru(void **state)
{
    (void)state;
    fixture f;
    real_values real;
    make_cell_call(&f, "mli_krn_gru_cell_sa8_sa8_sa32", 1);
    memset(f.weights_out_data, 0, sizeof f.weights_out_data);
    memset(f.bias_data, 0, sizeof f.bias_data);
    f.in.shape[0] = 1;
    for (size_t m = 0; m < WIDTH; m++) {
        lb_store(&f.bias, m, -100000000); /* z = 0: the result is n */
        lb_store(&f.bias, 2 * WIDTH + m, 2000);
    }
    double right[WIDTH];
    for (size_t m = 0; m < WIDTH; m++) {
        right[m] = 2000.0 * 21 * 17 / 2097152;
        for (size_t k = 0; k < INPUTS; k++) {
            right[m] += lb_load_real(&f.in, k, 0) *
                        lb_load_real(&f.weights_in, (2 * INPUTS + k) * WIDTH + m, 0);
        }
    }
    run_real(&f, &real);
    for (size_t m = 0; m < WIDTH; m++)
        assert_true(fabs(real.out[m] - tanh(right[m] * (1.0 + 4.0 / 17.0) / 4.0)) < 1e-12);
    make_per_gate(&f);
    run_real(&f, &real);
    for (size_t m = 0; m < WIDTH; m++)
        assert_true(fabs(real.out[m] - tanh(right[m])) < 1e-12);
}

/* LAST fills one row; what no result reaches, and what does not fit the declared shape, is not a
 * number or left alone. */
static void what_is_filled(void **state)
{
    (void)state;
    fixture f;
    real_values all;
    real_values last;
    make_cell_call(&f, "mli_krn_lstm_cell_fx16", 12);
    run_real(&f, &all);
    f.call.config.results = 0;
    run_real(&f, &last);
    for (size_t m = 0; m < WIDTH; m++) {
        assert_true(last.out[m] == all.out[2 * WIDTH + m] && last.cell[m] == all.cell[m]);
        assert_true(isnan(last.out[WIDTH + m]));
    }
    f.call.config.results = 1;
    f.out = make_fx(LB_FX16, 13, SHAPE(WIDTH + 1),
                    f.out_data); /* the buffer may be larger than the shape */
    run_real(&f, &last);
    assert_memory_equal(last.out, all.out, (WIDTH + 1) * sizeof last.out[0]);
    assert_true(last.out[WIDTH + 1] == 4711.0);
    lb_context context = {.profile = &lb_profiles[0]};
    lb_real_outputs nothing = {0};
    f.call.kernel->real(&context, &f.call, &nothing);
}

/* rnn_dense: half a step per input, and the error of the sa8 multipliers. */
static void rnn_dense(void **state)
{
    (void)state;
    static const char *const functions[] = {"mli_krn_rnn_dense_fx16",
                                            "mli_krn_rnn_dense_fx16_fx8_fx8",
                                            "mli_krn_rnn_dense_sa8_sa8_sa32"};
    for (size_t i = 0; i < COUNT_OF(functions); i++) {
        double worst = 0.0;
        for (uint32_t seed = 1; seed <= 100; seed++) {
            fixture f;
            real_values real;
            make_cell_call(
                &f, functions[i],
                seed * 2654435761u); /* gate 0 of a cell is a dense function of two inputs */
            lb_tensor in[2] = {f.in, f.prev_out};
            lb_tensor weights[2] = {f.weights_in, f.weights_out};
            in[0].shape[0] = 1;
            for (int j = 0; j < 2; j++) {
                weights[j].rank = 2;
                weights[j].shape[0] = j == 0 ? INPUTS : WIDTH;
                weights[j].shape[1] = (uint32_t)(weights[j].mem_stride[0] = WIDTH);
                weights[j].mem_stride[1] = 1;
            }
            f.bias.rank = 1;
            f.bias.shape[0] = WIDTH;
            f.bias.mem_stride[0] = 1;
            lb_quant coarse = {90, 12, -10};
            f.out = lb_is_fx(f.in.el_type) ? make_fx(LB_FX16, 11, SHAPE(WIDTH), f.out_data)
                                           : make_sa(LB_SA8, coarse, SHAPE(WIDTH), f.out_data);
            set_role(&f.call, LB_ROLE_IN, in);
            set_role(&f.call, LB_ROLE_WEIGHTS, weights);
            f.call.list_count[LB_ROLE_IN] = f.call.list_count[LB_ROLE_WEIGHTS] = 2;
            f.call.config.inputs_num = 2;
            run_real(&f, &real);
            run_well(&f, (int)(seed % 4));
            double step = lb_is_fx(f.in.el_type) ? 1.0 / 2048 : 90.0 / 4096;
            worst = fmax(worst, distance(&f.out, real.out, WIDTH) / step);
        }
        assert_true(worst > 0.5 && worst < 1.02);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_near_their_exact_models),
        cmocka_unit_test(known_fault_of_gru),
        cmocka_unit_test(what_is_filled),
        cmocka_unit_test(rnn_dense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
