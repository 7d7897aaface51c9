/* The GRU cell: worked numbers, the per-tensor QUIRK, formats of the hidden state, scratch, trace.
 * Spec: recurrent.md 6, 8. The order of its checks: test_rules_recurrent.c. */
#include "cells.h"

static const char *const functions[] = {"mli_krn_gru_cell_fx16", "mli_krn_gru_cell_fx16_fx8_fx8",
                                        "mli_krn_gru_cell_sa8_sa8_sa32"};

static void clear_weights(fixture *f)
{
    memset(f->weights_in_data, 0, sizeof f->weights_in_data);
    memset(f->weights_out_data, 0, sizeof f->weights_out_data);
    memset(f->bias_data, 0, sizeof f->bias_data);
}

/* Gates of 0 without weights and bias: z = 1/2, n = 0, so the hidden state halves. */
static void worked_example_fx16(void **state)
{
    (void)state;
    for (int p = 0; p < LB_PROFILE_COUNT; p++) {
        fixture f;
        make_cell_call(&f, "mli_krn_gru_cell_fx16", 1);
        clear_weights(&f);
        lb_store(&f.prev_out, 0, 1000); /* 14 fractional bits; results at 13 */
        run_well(&f, p);
        assert_int_equal(lb_load(&f.out, 0), 250);
        assert_int_equal(lb_load(&f.out, WIDTH), 125);
        assert_int_equal(lb_load(&f.out, 2 * WIDTH), p < 2 ? 63 : 62);
    }
}

/* The biases of z and n alone: h' = z*h + (1-z)*n, where "1" is 255/256 in sa8. */
static void worked_example_sa8(void **state)
{
    (void)state;
    fixture f;
    make_cell_call(&f, "mli_krn_gru_cell_sa8_sa8_sa32", 1);
    clear_weights(&f);
    f.call.config.results = 0;
    f.in.shape[0] = 1;
    f.prev_out = make_sa(LB_SA8, (lb_quant){1, 6, 10}, SHAPE(WIDTH), f.prev_out_data);
    f.out = make_sa(LB_SA8, (lb_quant){1, 5, -7}, SHAPE(WIDTH), f.out_data);
    for (size_t m = 0; m < WIDTH; m++) {
        lb_store(&f.prev_out, m, 10 + 64);            /* 1.0 */
        lb_store(&f.bias, 2 * WIDTH + m, -100000000); /* n = -1 */
    }
    run_well(&f, 0);
    /* keep = 0.5; n = -128/128 times 127/256 = -15.9 steps of 1/32, which is -16; keep is 16 steps
     */
    assert_int_equal(lb_load(&f.out, 0), -7);
    lb_store(&f.bias, 1, 100000000);  /* z = 255/256: keeps, and 1-z = 0 */
    lb_store(&f.bias, 2, -100000000); /* z = 0: takes n times 255/256 = -31.9 steps */
    run_well(&f, 0);
    assert_int_equal(lb_load(&f.out, 1), 32 - 7);
    assert_int_equal(lb_load(&f.out, 2), -32 - 7);
}

/* recurrent.md 8, the big QUIRK: per tensor, the weights of the new gate count as scale + 4 and
 * scale_frac_bits + 2. Lists that say so give the same results. */
static void per_tensor_weights_of_the_new_gate(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed < 20; seed++) {
        for (int p = 0; p < LB_PROFILE_COUNT; p++) {
            fixture single;
            fixture lists;
            make_cell_call(&single, functions[2], seed);
            make_cell_call(&lists, functions[2], seed);
            make_per_gate(&lists);
            for (int tensor = 0; tensor < 2; tensor++) {
                lists.lists[tensor].scale[2] += 4;
                lists.lists[tensor].frac[2] += 2;
            }
            lists.lists[2].scale[2] =
                21 * (17 + 4); /* the bias follows its weights: a condition of the call */
            lists.lists[2].frac[2] += 2;
            run_well(&single, p);
            run_well(&lists, p);
            assert_same_results(&single, &lists);
            if (p == 0 && seed == 1) {
                make_per_gate(&lists);
                run_well(&lists, p);
                assert_memory_not_equal(single.out_data, lists.out_data, sizeof lists.out_data);
            }
        }
    }
}

/* Both sums wrap: 32766 + 4 in int16, 127 + 2 in int8. With such a scale the sign of the weights
 * turns. */
static void wrapping_of_the_quirk(void **state)
{
    (void)state;
    fixture f;
    kept_trace kept;
    lb_watch watch;
    make_cell_call(&f, functions[2], 2);
    f.in = make_sa(LB_SA8, (lb_quant){1, 0, 0}, SHAPE(FRAMES, INPUTS), f.in_data);
    f.weights_in =
        make_sa(LB_SA8, (lb_quant){32766, 127, 0}, SHAPE(3, INPUTS, WIDTH), f.weights_in_data);
    f.bias = make_sa(LB_SA32, (lb_quant){32766, 127, 0}, SHAPE(3, WIDTH), f.bias_data);
    run_traced(&f, 0, &kept, &watch);
    unsigned n = kept_index(&kept, "n.x.mul");
    unsigned z = kept_index(&kept, "z.x.mul");
    assert_true(kept.kept[z].value[0] > 0 && kept.kept[n].value[0] < 0);
    assert_int_equal(kept.kept[kept_index(&kept, "n.x.shift")].value[0],
                     kept.kept[kept_index(&kept, "z.x.shift")].value[0] + 2 - 256);
}

/* QUIRK: the activation of the configuration is ignored. */
static void act_is_ignored(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(functions); i++) {
        fixture none;
        fixture sigm;
        make_cell_call(&none, functions[i], 6);
        make_cell_call(&sigm, functions[i], 6);
        sigm.call.config.act = 2;
        run_well(&none, 0);
        run_well(&sigm, 0);
        assert_same_results(&none, &sigm);
    }
}

/* Backward, LAST, in place on prev_out, old scratch: as recurrent.md 6 says for both cells. */
static void directions_results_and_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(functions); i++) {
        fixture all;
        fixture last;
        make_cell_call(&all, functions[i], 41);
        make_cell_call(&last, functions[i], 41);
        run_well(&all, 1);
        for (size_t k = 0; k < FRAMES * INPUTS; k++) {
            lb_store(&last.in, (FRAMES - 1 - k / INPUTS) * INPUTS + k % INPUTS,
                     lb_load(&all.in, k));
        }
        last.call.config.direction = 1;
        last.call.config.results = 0;
        memset(last.scratch, 0x77, sizeof last.scratch);
        memcpy(last.out_data, last.prev_out_data, sizeof last.prev_out_data);
        last.prev_out.data.mem.ptr = last.out_data;
        run_well(&last, 1);
        for (size_t m = 0; m < WIDTH; m++)
            assert_int_equal(lb_load(&last.out, m), lb_load(&all.out, 2 * WIDTH + m));
        assert_memory_equal(last.scratch, all.scratch, all.call.config.scratch_bytes);
        assert_int_equal(((unsigned char *)last.scratch)[all.call.config.scratch_bytes], 0x77);
        assert_true(last.out.rank == 2 && last.out.shape[0] == 1 && last.out.shape[1] == WIDTH);
        assert_true(all.out.shape[0] == FRAMES && all.out.mem_stride[0] == WIDTH &&
                    all.out.mem_stride[1] == 1);
    }
}

/* The first frame works in prev_out's format, the later ones in out's. */
static void frame_by_frame(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(functions); i++) {
        fixture whole;
        fixture step;
        make_cell_call(&whole, functions[i], 31);
        make_cell_call(&step, functions[i], 31);
        run_well(&whole, 0);
        step.in.shape[0] = 1;
        unsigned bytes = lb_element_bytes(step.in.el_type);
        for (unsigned frame = 0; frame < FRAMES; frame++) {
            step.in.data.mem.ptr = (char *)step.in_data + frame * INPUTS * bytes;
            step.in.data.capacity_bytes = INPUTS * bytes;
            run_well(&step, 0);
            for (size_t m = 0; m < WIDTH; m++) {
                assert_int_equal(lb_load(&step.out, m), lb_load(&whole.out, frame * WIDTH + m));
                lb_store(&step.prev_out, m, lb_load(&step.out, m));
            }
            lb_quant q = lb_quant_at(&step.out, 0);
            step.prev_out = lb_is_fx(step.in.el_type)
                                ? make_fx(step.in.el_type, q.frac, SHAPE(WIDTH), step.prev_out_data)
                                : make_sa(step.in.el_type, q, SHAPE(WIDTH), step.prev_out_data);
        }
    }
}

/* Steps by name; scratch afterwards: 1-z, r*h, (1-z)*n of the last frame. */
static void trace_and_watch(void **state)
{
    (void)state;
    static const char *const steps[] = {"z.x.bias", "z.x.acc", "z.h.sum", "z.pre", "z",
                                        "r.pre",    "r",       "r*h",     "z*h",   "1-z",
                                        "n.pre",    "n",       "(1-z)*n", "out"};
    for (size_t i = 0; i < COUNT_OF(functions); i++) {
        fixture f;
        kept_trace kept;
        lb_watch watch;
        make_cell_call(&f, functions[i], 8);
        run_traced(&f, 0, &kept, &watch);
        for (size_t s = 0; s < COUNT_OF(steps); s++)
            assert_int_equal(kept.kept[kept_index(&kept, steps[s])].frame, FRAMES - 1);
        assert_int_equal(watch.chains, FRAMES * 3 * WIDTH * 2);
        static const char *const rows[] = {"1-z", "r*h", "(1-z)*n"};
        lb_tensor scratch = make_fx(f.in.el_type, 0, SHAPE(3, WIDTH), f.scratch);
        for (size_t m = 0; m < WIDTH; m++) {
            for (size_t r = 0; r < COUNT_OF(rows); r++) {
                assert_int_equal(lb_load(&scratch, r * WIDTH + m),
                                 kept.kept[kept_index(&kept, rows[r])].value[m]);
            }
            unsigned out = kept_index(&kept, "out");
            assert_int_equal(lb_load(&f.out, 2 * WIDTH + m), kept.kept[out].value[m]);
            double sum = kept.kept[kept_index(&kept, "z*h")].real[m] +
                         kept.kept[kept_index(&kept, "(1-z)*n")].real[m];
            double half = lb_is_fx(f.in.el_type) ? 1.0 / 16384 : 35.0 / 8192;
            assert_true(sum - kept.kept[out].real[m] <= half &&
                        kept.kept[out].real[m] - sum <= half);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_example_fx16),
        cmocka_unit_test(worked_example_sa8),
        cmocka_unit_test(per_tensor_weights_of_the_new_gate),
        cmocka_unit_test(wrapping_of_the_quirk),
        cmocka_unit_test(act_is_ignored),
        cmocka_unit_test(directions_results_and_memory),
        cmocka_unit_test(frame_by_frame),
        cmocka_unit_test(trace_and_watch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
