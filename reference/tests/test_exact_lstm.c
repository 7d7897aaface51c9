/* The LSTM cell: worked numbers, directions and results, hidden state, scratch, trace. Spec:
 * recurrent.md 6, 7. The order of its checks: test_rules_recurrent.c. */
#include "cells.h"

#include <math.h>

static const char *const functions[] = {"mli_krn_lstm_cell_fx16", "mli_krn_lstm_cell_fx16_fx8_fx8",
                                        "mli_krn_lstm_cell_sa8_sa8_sa32"};

/* Gates of 0 without weights and bias: i = f = o = 1/2, g = 0. So the cell halves, and the result
 * is half of it. */
static void worked_example_fx16(void **state)
{
    (void)state;
    for (int p = 0; p < LB_PROFILE_COUNT; p++) {
        fixture f;
        make_cell_call(&f, "mli_krn_lstm_cell_fx16", 1);
        memset(f.weights_in_data, 0, sizeof f.weights_in_data);
        memset(f.weights_out_data, 0, sizeof f.weights_out_data);
        memset(f.bias_data, 0, sizeof f.bias_data);
        lb_store(&f.cell, 0, 1000);
        run_well(&f, p);
        /* frames: 1000, 500, 250, 125 at 12 fractional bits; results at 13 */
        assert_int_equal(lb_load(&f.out, 0), 500);
        assert_int_equal(lb_load(&f.out, WIDTH), 250);
        assert_int_equal(lb_load(&f.out, 2 * WIDTH), 125);
        assert_int_equal(lb_load(&f.cell, 0), 125);
    }
}

/* The bias alone decides: gates i and f closed or open, g at its ends (sa8: the cell keeps, or
 * takes, a value). */
static void worked_example_sa8(void **state)
{
    (void)state;
    fixture f;
    make_cell_call(&f, "mli_krn_lstm_cell_sa8_sa8_sa32", 1);
    memset(f.weights_in_data, 0, sizeof f.weights_in_data);
    memset(f.weights_out_data, 0, sizeof f.weights_out_data);
    f.call.config.results = 0;
    f.in.shape[0] = 1;
    f.cell = make_sa(LB_SA8, (lb_quant){1, 5, 0}, SHAPE(WIDTH), f.cell_data); /* steps of 1/32 */
    f.out = make_sa(LB_SA8, (lb_quant){1, 6, -3}, SHAPE(WIDTH), f.out_data);
    for (int m = 0; m < WIDTH; m++) {
        lb_store(&f.cell, (size_t)m, 64);                     /* 2.0 */
        lb_store(&f.bias, (size_t)m, 100000000);              /* i = 255/256 */
        lb_store(&f.bias, WIDTH + (size_t)m, 100000000);      /* g = 127/128 */
        lb_store(&f.bias, 2 * WIDTH + (size_t)m, -100000000); /* f = 0 */
        lb_store(&f.bias, 3 * WIDTH + (size_t)m, 0);          /* o = 1/2 */
    }
    run_well(&f, 0);
    /* i*g = 126.5/128, rounded to 127 in g's format; 127/128 = 31.75 steps of the cell: 32; times
     * 1/2 at 1/64: 32 -
     * 3 */
    assert_int_equal(lb_load(&f.cell, 0), 32);
    assert_int_equal(lb_load(&f.out, 0), 29);
    lb_store(&f.bias, 0, -100000000);        /* i = 0 */
    lb_store(&f.bias, 2 * WIDTH, 100000000); /* f = 255/256 */
    lb_store(&f.cell, 0, 64);
    run_well(&f, 0);
    assert_int_equal(lb_load(&f.cell, 0), 64); /* 63.75 */
    assert_int_equal(lb_load(&f.out, 0), 61);
}

/* QUIRK: result rows stand in the order of processing, backward too. */
static void backward_is_forward_on_reversed_frames(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(functions); i++) {
        fixture forward;
        fixture backward;
        make_cell_call(&forward, functions[i], 77);
        make_cell_call(&backward, functions[i], 77);
        for (size_t k = 0; k < FRAMES * INPUTS; k++) {
            size_t mirrored = (FRAMES - 1 - k / INPUTS) * INPUTS + k % INPUTS;
            lb_store(&backward.in, mirrored, lb_load(&forward.in, k));
        }
        backward.call.config.direction = 1;
        run_well(&forward, 0);
        run_well(&backward, 0);
        assert_same_results(&forward, &backward);
        backward.call.config.direction = 0;
        run_well(&backward, 0);
        assert_memory_not_equal(forward.out_data, backward.out_data, sizeof forward.out_data);
    }
}

/* LAST gives the last row of ALL, and leaves the other rows' memory alone. */
static void last_result(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(functions); i++) {
        fixture all;
        fixture last;
        make_cell_call(&all, functions[i], 5);
        make_cell_call(&last, functions[i], 5);
        last.call.config.results = 0;
        run_well(&all, 3);
        run_well(&last, 3);
        for (size_t m = 0; m < WIDTH; m++) {
            assert_int_equal(lb_load(&last.out, m), lb_load(&all.out, 2 * WIDTH + m));
            assert_int_equal(lb_load(&last.out, WIDTH + m), 0);
        }
        assert_memory_equal(all.cell_data, last.cell_data, sizeof all.cell_data);
        assert_true(all.out.shape[0] == FRAMES && last.out.shape[0] == 1);
    }
}

/* After the first frame the hidden state is in out's format: frame by frame, with prev_out in that
 * format, gives the same. */
static void frame_by_frame(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(functions); i++) {
        fixture whole;
        fixture step;
        make_cell_call(&whole, functions[i], 31);
        make_cell_call(&step, functions[i], 31);
        run_well(&whole, 1);
        step.in.shape[0] = 1;
        unsigned bytes = lb_element_bytes(step.in.el_type);
        for (unsigned frame = 0; frame < FRAMES; frame++) {
            step.in.data.mem.ptr = (char *)step.in_data + frame * INPUTS * bytes;
            step.in.data.capacity_bytes = INPUTS * bytes;
            run_well(&step, 1);
            for (size_t m = 0; m < WIDTH; m++) {
                assert_int_equal(lb_load(&step.out, m), lb_load(&whole.out, frame * WIDTH + m));
                lb_store(&step.prev_out, m, lb_load(&step.out, m));
            }
            lb_quant q = lb_quant_at(&step.out, 0);
            step.prev_out = lb_is_fx(step.in.el_type)
                                ? make_fx(step.in.el_type, q.frac, SHAPE(WIDTH), step.prev_out_data)
                                : make_sa(step.in.el_type, q, SHAPE(WIDTH), step.prev_out_data);
        }
        assert_memory_equal(whole.cell_data, step.cell_data, sizeof whole.cell_data);
    }
}

/* out on prev_out, old contents of scratch, strides of weights and bias: no influence. */
static void memory_has_no_influence(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(functions); i++) {
        for (int results = 0; results < 2; results++) {
            fixture plain;
            fixture f;
            make_cell_call(&plain, functions[i], 9);
            make_cell_call(&f, functions[i], 9);
            plain.call.config.results = f.call.config.results = results;
            run_well(&plain, 2);
            memset(f.scratch, 0x77, sizeof f.scratch);
            memcpy(f.out_data, f.prev_out_data, sizeof f.prev_out_data);
            f.prev_out.data.mem.ptr = f.out_data;
            run_well(&f, 2);
            size_t rows = results ? FRAMES : 1;
            assert_memory_equal(plain.out_data, f.out_data,
                                rows * WIDTH * lb_element_bytes(f.in.el_type));
            assert_memory_equal(plain.cell_data, f.cell_data, sizeof f.cell_data);
            assert_memory_equal(plain.scratch, f.scratch, f.call.config.scratch_bytes);
            unsigned char *beyond = (unsigned char *)f.scratch + f.call.config.scratch_bytes;
            assert_true(beyond[0] == 0x77 && beyond[1] == 0x77);
        }
    }
}

/* out of another rank and shape: rewritten, and nothing but rank, two extents and two strides. */
static void fields_of_out(void **state)
{
    (void)state;
    fixture f;
    make_cell_call(&f, functions[2], 3);
    f.out = make_sa(LB_SA8, (lb_quant){35, 12, 11}, SHAPE(1, WIDTH, 1, FRAMES + 4), f.out_data);
    uint32_t capacity = f.out.data.capacity_bytes;
    run_well(&f, 0);
    assert_int_equal(f.out.rank, 2);
    static const uint32_t shape[] = {FRAMES, WIDTH, 1, FRAMES + 4};
    static const int32_t stride[] = {WIDTH, 1, FRAMES + 4, 1};
    assert_memory_equal(f.out.shape, shape, sizeof shape);
    assert_memory_equal(f.out.mem_stride, stride, sizeof stride);
    assert_int_equal(f.out.data.capacity_bytes, capacity);
    lb_quant q = lb_quant_at(&f.out, 0);
    assert_true(q.scale == 35 && q.frac == 12 && q.zero_point == 11);
    q = lb_quant_at(&f.cell, 0);
    assert_true(q.scale == 40 && q.frac == 10 && q.zero_point == 3);
}

/* Lists with equal entries act as single values. */
static void per_gate_quantization(void **state)
{
    (void)state;
    fixture single;
    fixture lists;
    make_cell_call(&single, functions[2], 123);
    make_cell_call(&lists, functions[2], 123);
    make_per_gate(&lists);
    run_well(&single, 0);
    run_well(&lists, 0);
    assert_same_results(&single, &lists);
    lists.lists[0].frac[1] += 1; /* gate g: half the weights, and the bias with them */
    lists.lists[2].frac[1] += 1;
    run_well(&lists, 0);
    assert_memory_not_equal(single.out_data, lists.out_data, sizeof single.out_data);
}

/* Every step by name, and what the scratch rows hold afterwards: i, g*i, f, o of the last frame. */
static void trace_and_watch(void **state)
{
    (void)state;
    static const char *const steps[] = {"i.x.bias", "i.x.acc", "i.x.sum",   "i.h.acc", "i.h.sum",
                                        "i.pre",    "i",       "g.x.acc",   "g.pre",   "g",
                                        "f.pre",    "f",       "o.pre",     "o",       "f*cell",
                                        "i*g",      "cell",    "act(cell)", "out"};
    for (size_t i = 0; i < COUNT_OF(functions); i++) {
        fixture f;
        kept_trace kept;
        lb_watch watch;
        make_cell_call(&f, functions[i], 8);
        f.call.config.act = 1;
        run_traced(&f, 0, &kept, &watch);
        for (size_t s = 0; s < COUNT_OF(steps); s++)
            assert_int_equal(kept.kept[kept_index(&kept, steps[s])].frame, FRAMES - 1);
        assert_int_equal(watch.chains, FRAMES * 4 * WIDTH * 2);
        static const char *const rows[] = {"i", "i*g", "f", "o"};
        lb_tensor scratch = make_fx(f.in.el_type, 0, SHAPE(4, WIDTH), f.scratch);
        for (size_t m = 0; m < WIDTH; m++) {
            for (size_t r = 0; r < COUNT_OF(rows); r++) {
                assert_int_equal(lb_load(&scratch, r * WIDTH + m),
                                 kept.kept[kept_index(&kept, rows[r])].value[m]);
            }
            unsigned out = kept_index(&kept, "out");
            assert_int_equal(lb_load(&f.out, 2 * WIDTH + m), kept.kept[out].value[m]);
            assert_true(kept.kept[out].real[m] == lb_load_real(&f.out, 2 * WIDTH + m, 0));
            unsigned cell = kept_index(&kept, "cell");
            assert_int_equal(lb_load(&f.cell, m), kept.kept[cell].value[m]);
            /* the sums of both parts, in the format of the gate, are the value before activation */
            double pre = kept.kept[kept_index(&kept, "o.x.sum")].real[m] +
                         kept.kept[kept_index(&kept, "o.h.sum")].real[m];
            assert_true(pre == kept.kept[kept_index(&kept, "o.pre")].real[m]);
        }
        assert_true(fabs(kept.kept[kept_index(&kept, "f")].real[0] -
                         1.0 / (1.0 + exp(-kept.kept[kept_index(&kept, "f.pre")].real[0]))) < 0.01);
    }
}

/* act: none multiplies the cell itself, tanh and sigm its activation, in 15 or 7 and 8 fractional
 * bits. */
static void activation_of_the_cell(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(functions); i++) {
        for (int act = 0; act < 3; act++) {
            fixture f;
            kept_trace kept;
            lb_watch watch;
            make_cell_call(&f, functions[i], 55);
            f.call.config.act = act;
            run_traced(&f, 2, &kept, &watch);
            double step = lb_is_fx(f.in.el_type) ? 1e-3 : 0.02;
            for (size_t m = 0; m < WIDTH; m++) {
                double cell = kept.kept[kept_index(&kept, "cell")].real[m];
                double activated = act == 0   ? cell
                                   : act == 1 ? tanh(cell)
                                              : 1.0 / (1.0 + exp(-cell));
                double out = kept.kept[kept_index(&kept, "out")].real[m];
                assert_true(fabs(out - activated * kept.kept[kept_index(&kept, "o")].real[m]) <
                            step);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_example_fx16),
        cmocka_unit_test(worked_example_sa8),
        cmocka_unit_test(backward_is_forward_on_reversed_frames),
        cmocka_unit_test(last_result),
        cmocka_unit_test(frame_by_frame),
        cmocka_unit_test(memory_has_no_influence),
        cmocka_unit_test(fields_of_out),
        cmocka_unit_test(per_gate_quantization),
        cmocka_unit_test(trace_and_watch),
        cmocka_unit_test(activation_of_the_cell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
