/* A call of rnn_dense_sa8 with two inputs for tests: every input is real 0, every weight and bias
 * is 0. */
#ifndef LB_REFERENCE_TESTS_RNN_DENSE_CALLS_H
#define LB_REFERENCE_TESTS_RNN_DENSE_CALLS_H

#include "tensors.h"

typedef struct fixture {
    lb_call call;
    lb_tensor in[LB_MAX_LIST], weights[LB_MAX_LIST], bias, out;
    int8_t x[LB_MAX_LIST][6];
    int8_t w[LB_MAX_LIST][12];
    int32_t b[3];
    int8_t y[8];
    int16_t scale[2], zero_point[2]; /* valid lists of two entries */
    int8_t frac[2];
} fixture;

/* in: [2, 3] and [3]; two outputs. */
static inline void make_two_inputs(void *memory)
{
    fixture *f = memory;
    memset(f, 0, sizeof *f);
    memset(f->x[0], 10, sizeof f->x[0]);
    memset(f->x[1], -20, sizeof f->x[1]);
    f->scale[0] = f->scale[1] = 1;
    f->call = make_call("mli_krn_rnn_dense_sa8_sa8_sa32");
    f->in[0] = make_sa(LB_SA8, (lb_quant){1, 2, 10}, SHAPE(2, 3), f->x[0]);
    f->in[1] = make_sa(LB_SA8, (lb_quant){3, 4, -20}, SHAPE(3), f->x[1]);
    f->weights[0] = make_sa(LB_SA8, (lb_quant){5, 3, 0}, SHAPE(6, 2), f->w[0]);
    f->weights[1] = make_sa(LB_SA8, (lb_quant){7, 5, 0}, SHAPE(3, 2), f->w[1]);
    f->bias = make_sa(LB_SA32, (lb_quant){5, 5, 0}, SHAPE(2), f->b);
    f->out = make_sa(LB_SA8, (lb_quant){1, 1, 4}, SHAPE(2), f->y);
    f->out.data.capacity_bytes = 4; /* enough for fx16 */
    set_role(&f->call, LB_ROLE_IN, f->in);
    set_role(&f->call, LB_ROLE_WEIGHTS, f->weights);
    set_role(&f->call, LB_ROLE_BIAS, &f->bias);
    set_role(&f->call, LB_ROLE_OUT, &f->out);
    f->call.list_count[LB_ROLE_IN] = f->call.list_count[LB_ROLE_WEIGHTS] = 2;
    f->call.config.inputs_num = 2;
}

#endif
