/* Vector programs: an edit that changes nothing changes no bit, and the real models, which know no
 * program, disagree with every program that takes another vector, activation or format. */
#include "cells.h"

#include "describe/program.h"

#include <math.h>
#include <stdlib.h>

static const char *const functions[] = {
    "mli_krn_lstm_cell_fx16", "mli_krn_lstm_cell_fx16_fx8_fx8", "mli_krn_lstm_cell_sa8_sa8_sa32",
    "mli_krn_gru_cell_fx16",  "mli_krn_gru_cell_fx16_fx8_fx8",  "mli_krn_gru_cell_sa8_sa8_sa32",
};

/* One program for all frames. */
static const lb_program *same(void *user, const lb_program *own, uint32_t frame)
{
    (void)frame;
    return user ? user : own;
}

static void run_edited(fixture *f, int profile, lb_program *program)
{
    lb_program_edit edit = {same, program, malloc(lb_program_bytes(&f->call))};
    assert_non_null(edit.memory);
    lb_context context = {.profile = &lb_profiles[profile], .program = &edit};
    assert_null(lb_run_exact(&context, &f->call));
    assert_int_equal(f->call.status, LB_OK);
    free(edit.memory);
}

/* The call of a seed, in all its variants. */
static void make_variant(fixture *f, const char *function, uint32_t seed)
{
    make_cell_call(f, function, seed * 2654435761u);
    f->call.config.act = (int32_t)(seed % 3);
    f->call.config.direction = (int32_t)(seed / 3 % 2);
    f->call.config.results = (int32_t)(seed / 6 % 2);
}

static void nothing_changed(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(functions); i++)
        for (uint32_t seed = 0; seed < 48; seed++) {
            fixture right, edited;
            make_variant(&right, functions[i], seed);
            make_variant(&edited, functions[i], seed);
            run_well(&right, (int)(seed % 4));
            run_edited(&edited, (int)(seed % 4), NULL);
            assert_same_results(&right, &edited);
            assert_int_equal(edited.out.shape[0], right.out.shape[0]);
        }
}

/* ---- Edits that the real models must see ---- */

/* Largest distance of a result from the real number, over some calls; results far beyond a format
 * are cut to it on both sides. */
static double distance(const char *function, lb_program *program)
{
    double worst = 0.0, real[FRAMES * WIDTH], cell[WIDTH];
    for (uint32_t seed = 6; seed < 12; seed++) {
        fixture f;
        make_variant(&f, function, seed);
        lb_context context = {.profile = &lb_profiles[0]};
        lb_real_outputs outputs = {.value = {[LB_ROLE_OUT] = real, [LB_ROLE_CELL] = cell}};
        f.call.kernel->real(&context, &f.call, &outputs);
        run_edited(&f, 0, program);
        double top = ldexp(32767.0, -lb_quant_at(&f.out, 0).frac);
        for (size_t k = 0; k < FRAMES * WIDTH; k++)
            worst = fmax(worst, fabs(lb_load_real(&f.out, k, 0) - fmax(-top, fmin(top, real[k]))));
    }
    return worst;
}

/* What the right programs keep to, of 16 bits (test_real_recurrent.c). */
static const double NEAR = 0.001;

static void check_seen(const char *function, lb_program *edited, const char *what, unsigned step,
                       int other)
{
    double worst = distance(function, edited);
    if (worst <= NEAR)
        fail_msg("%s: step %u, %s %d: the real model is as near as %g", function, step, what, other,
                 worst);
}

static bool is_made(const lb_program *p, int vector, unsigned step)
{
    const lb_program_step *maker = lb_program_maker(p, vector);
    return p->vector[vector].place != LB_PLACE_NONE && vector != LB_VECTOR_STATE_PLACE &&
           (!maker || maker < &p->step[step]);
}

static unsigned try_operands(const char *function, const lb_program *own, unsigned step)
{
    unsigned tried = 0;
    bool takes_two = own->step[step].b.vector != 0 || own->step[step].operation == LB_PROGRAM_MUL;
    for (int operand = 0; operand < (takes_two ? 2 : 1); operand++)
        for (int v = 0; v < LB_VECTOR_INPUT; v++) {
            lb_program edited = *own;
            lb_program_operand *o = operand ? &edited.step[step].b : &edited.step[step].a;
            if (o->vector == v || !is_made(own, v, step))
                continue;
            o->vector = (uint8_t)v;
            check_seen(function, &edited, operand ? "second operand" : "first operand", step, v);
            tried++;
        }
    return tried;
}

static unsigned try_sums(const char *function, const lb_program *own, unsigned step)
{
    lb_program edited = *own;
    edited.step[step].activation =
        own->step[step].activation == LB_ACTIVATION_TANH ? LB_ACTIVATION_SIGM : LB_ACTIVATION_TANH;
    check_seen(function, &edited, "activation", step, edited.step[step].activation);
    edited = *own;
    edited.step[step].format = LB_FORMAT_OUT;
    edited.step[step].activated = LB_FORMAT_OUT;
    check_seen(function, &edited, "format", step, LB_FORMAT_OUT);
    return 2;
}

static void real_models_see_edits(void **state)
{
    static const char *const of_16_bits[] = {"mli_krn_lstm_cell_fx16", "mli_krn_gru_cell_fx16"};
    unsigned tried = 0;
    (void)state;
    for (size_t i = 0; i < COUNT_OF(of_16_bits); i++) {
        const lb_program *own = lb_program_of(lb_kernel_find(of_16_bits[i]));
        lb_program edited = *own;
        assert_true(distance(of_16_bits[i], &edited) <= NEAR);
        edited.carry[LB_CARRY_STATE].from = LB_VECTOR_HIDDEN;
        check_seen(of_16_bits[i], &edited, "state that stays", 0, 0);
        for (unsigned n = 0; n < lb_program_length(own); n++) {
            tried += try_operands(of_16_bits[i], own, n);
            tried += own->step[n].operation == LB_PROGRAM_SUM ? try_sums(of_16_bits[i], own, n) : 0;
        }
    }
    assert_true(tried > 60);
}

/* ---- rnn_dense ---- */

static void shape_of_rnn_dense(void **state)
{
    (void)state;
    const lb_program *p = lb_program_of(lb_kernel_find("mli_krn_rnn_dense_fx16"));
    assert_int_equal(lb_program_length(p), 1);
    assert_int_equal(p->gates, 0);
    assert_null(lb_program_of(lb_kernel_find("mli_krn_relu_sa8")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_changed),
        cmocka_unit_test(real_models_see_edits),
        cmocka_unit_test(shape_of_rnn_dense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
