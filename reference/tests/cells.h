/* Calls of the recurrent cells for tests: everything that one call needs, in one struct, with
 * pseudo-random numbers in ordinary formats. prev_out, cell and out have formats of their own. */
#ifndef LB_REFERENCE_TESTS_CELLS_H
#define LB_REFERENCE_TESTS_CELLS_H

#include "tensors.h"

enum { FRAMES = 3, INPUTS = 4, WIDTH = 3, MOST_GATES = 4, LIST_ENTRIES = 4 };

/* Quantization lists of one tensor. */
typedef struct quant_lists {
    int16_t scale[LIST_ENTRIES];
    int8_t frac[LIST_ENTRIES];
    int16_t zero_point[LIST_ENTRIES];
} quant_lists;

typedef struct fixture {
    lb_call call;
    lb_tensor in, prev_out, weights_in, weights_out, bias, cell, out;
    int32_t in_data[FRAMES * INPUTS]; /* room for every element type */
    int32_t prev_out_data[WIDTH];
    int32_t weights_in_data[MOST_GATES * INPUTS * WIDTH];
    int32_t weights_out_data[MOST_GATES * WIDTH * WIDTH];
    int32_t bias_data[MOST_GATES * WIDTH];
    int32_t cell_data[WIDTH];
    int32_t out_data[FRAMES * WIDTH];
    int16_t scratch[MOST_GATES * WIDTH + 2];
    quant_lists lists[3]; /* weights_in, weights_out, bias */
} fixture;

static inline void fill_random(lb_tensor *t, uint32_t *seed, int32_t most)
{
    size_t count = lb_element_count(t);
    for (size_t i = 0; i < count; i++)
        lb_store(t, i, random_in(seed, -most, most));
}

static inline void set_cell_roles(fixture *f, bool has_cell)
{
    lb_tensor *const tensors[] = {&f->in,   &f->prev_out, &f->weights_in, &f->weights_out,
                                  &f->bias, &f->cell,     &f->out};
    static const lb_role roles[] = {LB_ROLE_IN,          LB_ROLE_PREV_OUT, LB_ROLE_WEIGHTS_IN,
                                    LB_ROLE_WEIGHTS_OUT, LB_ROLE_BIAS,     LB_ROLE_CELL,
                                    LB_ROLE_OUT};
    for (size_t i = 0; i < COUNT_OF(roles); i++)
        if (roles[i] != LB_ROLE_CELL || has_cell)
            set_role(&f->call, roles[i], tensors[i]);
}

static inline void make_cell_tensors(fixture *f, uint32_t gates)
{
    const lb_kernel *kernel = f->call.kernel;
    bool is_sa = lb_is_sa(kernel->in_type);
    bool fx8_weights = kernel->weights_type == LB_FX8;
    f->in = make_fx(kernel->in_type, 13, SHAPE(FRAMES, INPUTS), f->in_data);
    f->prev_out = make_fx(kernel->in_type, 14, SHAPE(WIDTH), f->prev_out_data);
    f->weights_in = make_fx(kernel->weights_type, fx8_weights ? 6 : 14, SHAPE(gates, INPUTS, WIDTH),
                            f->weights_in_data);
    f->weights_out = make_fx(kernel->weights_type, fx8_weights ? 5 : 13, SHAPE(gates, WIDTH, WIDTH),
                             f->weights_out_data);
    f->bias = make_fx(kernel->bias_type, fx8_weights ? 7 : 15, SHAPE(gates, WIDTH), f->bias_data);
    f->cell = make_fx(kernel->in_type, 12, SHAPE(WIDTH), f->cell_data);
    f->out = make_fx(kernel->in_type, 13, SHAPE(FRAMES, WIDTH), f->out_data);
    if (is_sa) {
        f->in = make_sa(LB_SA8, (lb_quant){21, 10, 7}, SHAPE(FRAMES, INPUTS), f->in_data);
        f->prev_out = make_sa(LB_SA8, (lb_quant){33, 12, -5}, SHAPE(WIDTH), f->prev_out_data);
        f->weights_in =
            make_sa(LB_SA8, (lb_quant){17, 11, 0}, SHAPE(gates, INPUTS, WIDTH), f->weights_in_data);
        f->weights_out =
            make_sa(LB_SA8, (lb_quant){19, 11, 0}, SHAPE(gates, WIDTH, WIDTH), f->weights_out_data);
        f->bias = make_sa(LB_SA32, (lb_quant){21 * 17, 21, 0}, SHAPE(gates, WIDTH), f->bias_data);
        f->cell = make_sa(LB_SA8, (lb_quant){40, 10, 3}, SHAPE(WIDTH), f->cell_data);
        f->out = make_sa(LB_SA8, (lb_quant){35, 12, 11}, SHAPE(FRAMES, WIDTH), f->out_data);
    }
}

/* A call that passes; results: all frames, in order, no activation of the cell. */
static inline void make_cell_call(fixture *f, const char *function, uint32_t seed)
{
    memset(f, 0, sizeof *f);
    f->call = make_call(function);
    bool is_lstm = f->call.kernel->family == LB_FAMILY_LSTM;
    uint32_t gates = is_lstm ? 4 : 3;
    make_cell_tensors(f, gates);
    set_cell_roles(f, is_lstm);
    bool wide = f->call.kernel->in_type == LB_FX16;
    bool wide_weights = f->call.kernel->weights_type == LB_FX16;
    fill_random(&f->in, &seed, wide ? 32767 : 127);
    fill_random(&f->prev_out, &seed, wide ? 16384 : 127);
    fill_random(&f->weights_in, &seed, wide_weights ? 16384 : 64);
    fill_random(&f->weights_out, &seed, wide_weights ? 8192 : 64);
    fill_random(&f->bias, &seed, wide_weights ? 20000 : wide ? 100 : 4000);
    fill_random(&f->cell, &seed, wide ? 8192 : 50);
    f->call.config.results = 1;
    f->call.config.scratch = f->scratch;
    f->call.config.scratch_bytes = gates * WIDTH * lb_element_bytes(f->call.kernel->in_type);
}

/* sa8: weights and bias per gate, entries equal to the values per tensor. */
static inline void make_per_gate(fixture *f)
{
    lb_tensor *const tensors[] = {&f->weights_in, &f->weights_out, &f->bias};
    for (size_t i = 0; i < COUNT_OF(tensors); i++) {
        lb_quant q = lb_quant_at(tensors[i], 0);
        for (int g = 0; g < LIST_ENTRIES; g++) {
            f->lists[i].scale[g] = (int16_t)q.scale;
            f->lists[i].frac[g] = (int8_t)q.frac;
        }
        set_per_axis(tensors[i], 0, f->lists[i].scale, f->lists[i].frac, f->lists[i].zero_point);
    }
}

/* The bytes that a call leaves: out, and cell. */
static inline void assert_same_results(const fixture *a, const fixture *b)
{
    assert_memory_equal(a->out_data, b->out_data, sizeof a->out_data);
    assert_memory_equal(a->cell_data, b->cell_data, sizeof a->cell_data);
}

static inline void run_well(fixture *f, int profile)
{
    assert_string_equal(run(&f->call, profile), "");
    assert_int_equal(f->call.status, LB_OK);
}

/* A trace that keeps the last value of each name and index. */
enum { KEPT_NAMES = 128, KEPT_BYTES = 24 };

typedef struct kept_trace {
    unsigned names;
    unsigned calls;
    struct {
        char name[KEPT_BYTES];
        unsigned frame;
        int64_t value[WIDTH];
        double real[WIDTH];
    } kept[KEPT_NAMES];
} kept_trace;

static inline void keep(void *user, const char *name, unsigned frame, unsigned index, int64_t value,
                        double real)
{
    kept_trace *trace = user;
    unsigned n = 0;
    while (n < trace->names && strcmp(trace->kept[n].name, name) != 0)
        n++;
    assert_true(n < KEPT_NAMES && strlen(name) < KEPT_BYTES && index < WIDTH);
    if (n == trace->names) {
        strcpy(trace->kept[n].name, name);
        trace->names++;
    }
    trace->calls++;
    trace->kept[n].frame = frame;
    trace->kept[n].value[index] = value;
    trace->kept[n].real[index] = real;
}

static inline unsigned kept_index(const kept_trace *trace, const char *name)
{
    for (unsigned n = 0; n < trace->names; n++)
        if (strcmp(trace->kept[n].name, name) == 0)
            return n;
    fail_msg("no step named %s", name);
    return 0;
}

static inline void run_traced(fixture *f, int profile, kept_trace *kept, lb_watch *watch)
{
    memset(kept, 0, sizeof *kept);
    memset(watch, 0, sizeof *watch);
    lb_trace trace = {keep, kept};
    lb_context context = {.profile = &lb_profiles[profile], .watch = watch, .trace = &trace};
    assert_null(lb_run_exact(&context, &f->call));
}

#endif
