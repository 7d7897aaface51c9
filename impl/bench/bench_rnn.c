/* Speed of activations, softmax, L2 normalization, argmax and recurrent layers at every level of
 * this processor: bench_rnn [NAME] (rows whose name contains NAME). Each figure is the median of
 * RUNS runs of at least RUN_NS of processor time each, one thread. Elements are those of the input;
 * multiplications those of the matrices. */
#define _POSIX_C_SOURCE 199309L

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mli_api.h"
#include "mli_lastbit.h"

enum { RUNS = 9 };
#define RUN_NS 5000000.0

enum how { SIGM, TANH, SOFTMAX, L2, ARGMAX, DENSE, LSTM, GRU };

/* in: shape of the input (element-wise), or frames and elements of a frame. */
static const struct row {
    const char *name;
    enum how how;
    mli_element_type type, weights;
    uint32_t rank, in[3];
    int32_t axis, topk; /* of softmax and argmax */
    uint32_t cols;      /* elements of the hidden state, of the output of the dense layer */
} rows[] = {
    {"sigm_sa8 64K", SIGM, MLI_EL_SA_8, 0, 1, {65536}, 0, 0, 0},
    {"sigm_sa8 128", SIGM, MLI_EL_SA_8, 0, 1, {128}, 0, 0, 0},
    {"sigm_sa8 16", SIGM, MLI_EL_SA_8, 0, 1, {16}, 0, 0, 0},
    {"tanh_fx8 64K", TANH, MLI_EL_FX_8, 0, 1, {65536}, 0, 0, 0},
    {"tanh_fx16 64K", TANH, MLI_EL_FX_16, 0, 1, {65536}, 0, 0, 0},
    {"tanh_fx16 128", TANH, MLI_EL_FX_16, 0, 1, {128}, 0, 0, 0},
    {"tanh_fx16 16", TANH, MLI_EL_FX_16, 0, 1, {16}, 0, 0, 0},
    {"softmax_sa8 1x1000", SOFTMAX, MLI_EL_SA_8, 0, 2, {1, 1000}, 1, 0, 0},
    {"softmax_fx16 1x1000", SOFTMAX, MLI_EL_FX_16, 0, 2, {1, 1000}, 1, 0, 0},
    {"softmax_sa8 1x10", SOFTMAX, MLI_EL_SA_8, 0, 2, {1, 10}, 1, 0, 0},
    {"softmax_fx16 1x10", SOFTMAX, MLI_EL_FX_16, 0, 2, {1, 10}, 1, 0, 0},
    {"softmax_sa8 1000x21 lines of 21", SOFTMAX, MLI_EL_SA_8, 0, 2, {1000, 21}, 1, 0, 0},
    {"softmax_fx16 1000x21 lines of 21", SOFTMAX, MLI_EL_FX_16, 0, 2, {1000, 21}, 1, 0, 0},
    {"softmax_sa8 21x1000 columns of 21", SOFTMAX, MLI_EL_SA_8, 0, 2, {21, 1000}, 0, 0, 0},
    {"l2_normalize_fx16 64K", L2, MLI_EL_FX_16, 0, 1, {65536}, -1, 0, 0},
    {"l2_normalize_fx16 1x128", L2, MLI_EL_FX_16, 0, 2, {1, 128}, 1, 0, 0},
    {"l2_normalize_sa8 64K", L2, MLI_EL_SA_8, 0, 1, {65536}, -1, 0, 0},
    {"l2_normalize_sa8 100x128 lines", L2, MLI_EL_SA_8, 0, 2, {100, 128}, 1, 0, 0},
    {"argmax_sa8 1000", ARGMAX, MLI_EL_SA_8, 0, 1, {1000}, -1, 1, 0},
    {"argmax_fx16 1000", ARGMAX, MLI_EL_FX_16, 0, 1, {1000}, -1, 1, 0},
    {"argmax_sa8 1000 top 5", ARGMAX, MLI_EL_SA_8, 0, 1, {1000}, -1, 5, 0},
    {"argmax_sa8 1000x64 axis 1", ARGMAX, MLI_EL_SA_8, 0, 2, {1000, 64}, 1, 1, 0},
    {"argmax_sa8 64x1000 axis 0", ARGMAX, MLI_EL_SA_8, 0, 2, {64, 1000}, 0, 1, 0},
    {"rnn_dense_sa8 2x 128 to 128", DENSE, MLI_EL_SA_8, MLI_EL_SA_8, 2, {1, 128}, 0, 0, 128},
    {"rnn_dense_fx16 2x 128 to 128", DENSE, MLI_EL_FX_16, MLI_EL_FX_16, 2, {1, 128}, 0, 0, 128},
    {"lstm_sa8 128 to 128, 16 frames", LSTM, MLI_EL_SA_8, MLI_EL_SA_8, 2, {16, 128}, 0, 0, 128},
    {"lstm_sa8 128 to 128, 1 frame", LSTM, MLI_EL_SA_8, MLI_EL_SA_8, 2, {1, 128}, 0, 0, 128},
    {"lstm_sa8 16 to 16, 16 frames", LSTM, MLI_EL_SA_8, MLI_EL_SA_8, 2, {16, 16}, 0, 0, 16},
    {"lstm_fx16_fx8 128 to 128, 16 frames",
     LSTM,
     MLI_EL_FX_16,
     MLI_EL_FX_8,
     2,
     {16, 128},
     0,
     0,
     128},
    {"lstm_fx16 128 to 128, 16 frames", LSTM, MLI_EL_FX_16, MLI_EL_FX_16, 2, {16, 128}, 0, 0, 128},
    {"gru_sa8 128 to 128, 16 frames", GRU, MLI_EL_SA_8, MLI_EL_SA_8, 2, {16, 128}, 0, 0, 128},
    {"gru_fx16 128 to 128, 16 frames", GRU, MLI_EL_FX_16, MLI_EL_FX_16, 2, {16, 128}, 0, 0, 128},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

/* A call with everything it needs. */
struct job {
    const struct row *row;
    mli_tensor in, in2, hidden, weights_in, weights_out, bias, cell, out;
    mli_lut tanh, sigm, other;
    int16_t tables[3][400];
    mli_rnn_cell_cfg cfg;
};

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* A dense tensor with random contents; FX: frac fractional bits; SA: scale 2^-frac. */
static mli_tensor make(mli_element_type type, uint32_t rank, const uint32_t *shape, int frac)
{
    mli_tensor t;
    memset(&t, 0, sizeof t);
    t.rank = rank;
    t.el_type = type;
    memcpy(t.shape, shape, rank * sizeof shape[0]);
    mli_hlp_set_tensor_mem_strides(&t);
    t.data.capacity = mli_hlp_count_elem_num(&t, 0) * mli_hlp_tensor_element_size(&t);
    t.data.mem.pi8 = malloc(t.data.capacity);
    if (!t.data.mem.pi8)
        exit(1);
    for (uint32_t i = 0; i < t.data.capacity; i++)
        t.data.mem.pi8[i] = (int8_t)(rand() >> 8);
    if (type == MLI_EL_SA_8 || type == MLI_EL_SA_32) {
        t.el_params.sa.dim = -1;
        t.el_params.sa.scale.mem.i16 = 1;
        t.el_params.sa.scale_frac_bits.mem.i8 = (int8_t)frac;
    } else {
        t.el_params.fx.frac_bits = (int8_t)frac;
    }
    return t;
}

static mli_lut table(int16_t memory[400], mli_status (*create)(mli_lut *))
{
    mli_lut lut = {.data = {.capacity = 800, .mem = {.pi16 = memory}}};
    create(&lut);
    return lut;
}

/* Weights, bias and state of a recurrent layer. Small biases: an accumulator must not leave its
 * width. */
static void make_layer(struct job *job)
{
    const struct row *r = job->row;
    const bool sa = r->type == MLI_EL_SA_8;
    const uint32_t gates = r->how == LSTM ? 4 : 3, m = r->cols;
    const int bits = sa ? 5 : 12, w_bits = r->weights == MLI_EL_FX_16 ? 14 : 7;
    const mli_element_type bias = sa ? MLI_EL_SA_32 : r->weights;
    job->hidden = make(r->type, 1, &m, bits);
    job->cell = make(r->type, 1, &m, bits);
    if (r->how == DENSE) {
        job->in2 = make(r->type, 1, &r->in[1], bits);
        job->weights_in = make(r->weights, 2, (const uint32_t[]){r->in[1], m}, w_bits);
        job->weights_out = make(r->weights, 2, (const uint32_t[]){m, m}, w_bits);
        job->bias = make(bias, 1, &m, bits + w_bits);
        job->out = make(r->type, 1, &m, sa ? 2 : 8);
    } else {
        job->weights_in = make(r->weights, 3, (const uint32_t[]){gates, r->in[1], m}, w_bits);
        job->weights_out = make(r->weights, 3, (const uint32_t[]){gates, m, m}, w_bits);
        job->bias = make(bias, 2, (const uint32_t[]){gates, m}, bits + w_bits);
        job->out = make(r->type, 2, (const uint32_t[]){r->in[0], m}, bits);
        job->cfg.results = RNN_OUT_ALL;
        job->cfg.act = RNN_ACT_TANH;
        job->cfg.scratch_data.capacity = 8 * m;
        job->cfg.scratch_data.mem.pi8 = malloc(8 * m);
    }
    memset(job->bias.data.mem.pi8, 0, job->bias.data.capacity);
    if (sa) {
        job->in.el_params.sa.zero_point.mem.i16 = 3;
        job->hidden.el_params.sa.zero_point.mem.i16 = -4;
        job->out.el_params.sa.zero_point.mem.i16 = -4;
    }
}

static void make_job(struct job *job, const struct row *row)
{
    memset(job, 0, sizeof *job);
    job->row = row;
    job->tanh = table(job->tables[0], mli_krn_tanh_create_lut);
    job->sigm = table(job->tables[1], mli_krn_sigm_create_lut);
    job->other = table(job->tables[2], row->how == L2 ? mli_krn_l2_normalize_create_lut
                                                      : mli_krn_softmax_create_lut);
    job->in = make(row->type, row->rank, row->in, row->type == MLI_EL_FX_16 ? 12 : 5);
    if (row->how >= DENSE) {
        make_layer(job);
    } else if (row->how == ARGMAX) {
        const uint32_t slices = row->axis < 0 ? 1 : row->in[row->axis];
        job->out = make(MLI_EL_SA_32, 2, (const uint32_t[]){slices, (uint32_t)row->topk}, 0);
    } else {
        job->out = make(row->type, row->rank, row->in, 0);
    }
}

static void free_job(struct job *job)
{
    mli_tensor *const all[] = {&job->in,          &job->in2,  &job->hidden, &job->weights_in,
                               &job->weights_out, &job->bias, &job->cell,   &job->out};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]->data.mem.pi8);
    free(job->cfg.scratch_data.mem.pi8);
}

#define BY_TYPE(name, type, ...)                                                                   \
    ((type) == MLI_EL_SA_8    ? mli_krn_##name##_sa8(__VA_ARGS__)                                  \
     : (type) == MLI_EL_FX_16 ? mli_krn_##name##_fx16(__VA_ARGS__)                                 \
                              : mli_krn_##name##_fx8(__VA_ARGS__))
#define BY_WEIGHTS(name, type, ...)                                                                \
    ((type) == MLI_EL_SA_8    ? mli_krn_##name##_sa8_sa8_sa32(__VA_ARGS__)                         \
     : (type) == MLI_EL_FX_16 ? mli_krn_##name##_fx16(__VA_ARGS__)                                 \
                              : mli_krn_##name##_fx16_fx8_fx8(__VA_ARGS__))
#define CELL_OPERANDS                                                                              \
    &job->in, &job->hidden, &job->weights_in, &job->weights_out, &job->bias, &job->tanh,           \
        &job->sigm, &job->cfg

static mli_status run(struct job *job)
{
    const struct row *r = job->row;
    const mli_argmax_cfg argmax = {r->axis, r->topk};
    const mli_softmax_cfg axis = {r->axis};
    const mli_rnn_dense_cfg dense = {2};
    const mli_tensor *ins[] = {&job->in2, &job->hidden},
                     *weights[] = {&job->weights_in, &job->weights_out};
    const bool wide = r->type == MLI_EL_FX_16;
    switch (r->how) {
    case SIGM:
        return BY_TYPE(sigm, r->type, &job->in, &job->sigm, &job->out);
    case TANH:
        return BY_TYPE(tanh, r->type, &job->in, &job->tanh, &job->out);
    case SOFTMAX:
        return BY_TYPE(softmax, r->type, &job->in, &job->other, &axis, &job->out);
    case L2:
        return wide ? mli_krn_l2_normalize_fx16(&job->in, NULL, &job->other, &axis, &job->out)
                    : mli_krn_l2_normalize_sa8(&job->in, NULL, &job->other, &axis, &job->out);
    case ARGMAX:
        return wide ? mli_krn_argmax_fx16(&job->in, &argmax, &job->out)
                    : mli_krn_argmax_sa8(&job->in, &argmax, &job->out);
    case DENSE:
        return BY_WEIGHTS(rnn_dense, r->weights, ins, weights, &job->bias, &dense, &job->out);
    case LSTM:
        return BY_WEIGHTS(lstm_cell, r->weights, CELL_OPERANDS, &job->cell, &job->out);
    default:
        return BY_WEIGHTS(gru_cell, r->weights, CELL_OPERANDS, &job->out);
    }
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median time of a call in ns. */
static double time_job(struct job *job)
{
    double times[RUNS];
    long calls = 1;
    for (int r = -1; r < RUNS; r++) { /* run -1 warms up and finds the number of calls */
        double elapsed;
        for (;;) {
            const double start = now_ns();
            for (long i = 0; i < calls; i++)
                if (run(job) != MLI_STATUS_OK)
                    exit(1);
            elapsed = now_ns() - start;
            if (elapsed >= RUN_NS || r >= 0)
                break;
            calls *= 2;
        }
        if (r >= 0)
            times[r] = elapsed / (double)calls;
    }
    qsort(times, RUNS, sizeof times[0], compare);
    return times[RUNS / 2];
}

static void bench(const struct row *row, const char *level)
{
    static struct job job;
    make_job(&job, row);
    const double ns = time_job(&job);
    if (row->how < DENSE) {
        const double elements = mli_hlp_count_elem_num(&job.in, 0);
        printf("%-38s %-9s %9.2f us %9.1f Melem/s\n", row->name, level, ns / 1000,
               elements / ns * 1000);
    } else {
        const double products = row->how == DENSE  ? row->in[1] + row->cols
                                : row->how == LSTM ? 4.0 * row->in[0] * (row->in[1] + row->cols)
                                                   : 3.0 * row->in[0] * (row->in[1] + row->cols);
        printf("%-38s %-9s %9.2f us %9.2f GMAC/s\n", row->name, level, ns / 1000,
               products * row->cols / ns);
    }
    free_job(&job);
}

int main(int argc, char **argv)
{
    const char *level;
    for (int r = 0; r < ROWS; r++) {
        for (uint32_t l = 0; (level = mli_ext_cpu_level(l)) != NULL; l++)
            if ((argc < 2 || strstr(rows[r].name, argv[1])) &&
                mli_ext_set_cpu(level) == MLI_STATUS_OK)
                bench(&rows[r], level);
    }
    return 0;
}
