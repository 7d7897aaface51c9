/* The built-in port: our own implementation, linked in. The one file of the harness that includes impl/. */
#include "port.h"

#include <mli_api.h>
#include <mli_lastbit.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Tensors and configurations: the harness's form to the API's, and back ---- */

static mli_data_container container_to_mli(const lb_container *c)
{
    mli_data_container m;
    memset(&m, 0, sizeof m);
    m.capacity = c->capacity_bytes;
    memcpy(&m.mem, &c->mem, sizeof m.mem);
    return m;
}

static lb_container container_from_mli(const mli_data_container *m)
{
    lb_container c;
    memset(&c, 0, sizeof c);
    c.capacity_bytes = m->capacity;
    memcpy(&c.mem, &m->mem, sizeof c.mem);
    return c;
}

_Static_assert(sizeof(((mli_data_container *)0)->mem) == sizeof(lb_memory), "both are one pointer wide");

static void tensor_to_mli(const lb_tensor *t, mli_tensor *m)
{
    memset(m, 0, sizeof *m);
    m->data = container_to_mli(&t->data);
    memcpy(m->mem_stride, t->mem_stride, sizeof m->mem_stride);
    memcpy(m->shape, t->shape, sizeof m->shape);
    m->rank = t->rank;
    m->el_type = (mli_element_type)t->el_type;
    /* The parameters are a union: the zeroed sa half leaves room for frac_bits, which only fx tensors carry. */
    m->el_params.sa.zero_point = container_to_mli(&t->sa.zero_point);
    m->el_params.sa.scale = container_to_mli(&t->sa.scale);
    m->el_params.sa.scale_frac_bits = container_to_mli(&t->sa.scale_frac_bits);
    m->el_params.sa.dim = t->sa.dim;
    m->el_params.sa.type = (mli_el_param_type)t->sa.type;
    if (t->frac_bits != 0)
        m->el_params.fx.frac_bits = t->frac_bits;
}

static void tensor_from_mli(const mli_tensor *m, lb_tensor *t)
{
    t->data = container_from_mli(&m->data);
    memcpy(t->mem_stride, m->mem_stride, sizeof t->mem_stride);
    memcpy(t->shape, m->shape, sizeof t->shape);
    t->rank = m->rank;
    t->el_type = (uint32_t)m->el_type;
    if (lb_is_fx(t->el_type)) {
        t->frac_bits = m->el_params.fx.frac_bits;
    } else if (lb_is_sa(t->el_type)) {
        t->sa.type = (int32_t)m->el_params.sa.type;
        t->sa.zero_point = container_from_mli(&m->el_params.sa.zero_point);
        t->sa.scale = container_from_mli(&m->el_params.sa.scale);
        t->sa.scale_frac_bits = container_from_mli(&m->el_params.sa.scale_frac_bits);
        t->sa.dim = m->el_params.sa.dim;
    }
}

/* One call in the API's terms. A role that is NULL stays NULL. */
typedef struct api_call {
    lb_call *call;
    mli_tensor tensors[LB_ROLE_COUNT][LB_MAX_LIST];
    const mli_tensor *lists[2][LB_MAX_LIST]; /* in and weights of rnn_dense */
} api_call;

static mli_tensor *role(api_call *a, lb_role r)
{
    return a->call->tensor[r] ? a->tensors[r] : NULL;
}

static void tensors_to_mli(api_call *a)
{
    for (int r = 0; r < LB_ROLE_COUNT; r++)
        for (unsigned i = 0; a->call->tensor[r] && i < a->call->list_count[r]; i++)
            tensor_to_mli(&a->call->tensor[r][i], &a->tensors[r][i]);
}

static void tensors_from_mli(api_call *a)
{
    for (int r = 0; r < LB_ROLE_COUNT; r++)
        for (unsigned i = 0; a->call->tensor[r] && i < a->call->list_count[r]; i++)
            tensor_from_mli(&a->tensors[r][i], &a->call->tensor[r][i]);
}

/* The configuration's address, or NULL where the case says so. */
#define CFG(a, object) ((a)->call->config_null ? NULL : &(object))

/* ---- Shapes of calls: how arguments are handed to a function ---- */

typedef mli_status (*conv2d_fn)(const mli_tensor *, const mli_tensor *, const mli_tensor *, const mli_conv2d_cfg *,
                                mli_tensor *);
typedef mli_status (*fully_connected_fn)(const mli_tensor *, const mli_tensor *, const mli_tensor *,
                                         const mli_fully_connected_cfg *, mli_tensor *);
typedef mli_status (*relu_fn)(const mli_tensor *, const mli_relu_cfg *, mli_tensor *);
typedef mli_status (*binary_fn)(const mli_tensor *, const mli_tensor *, mli_tensor *);
typedef mli_status (*prelu_fn)(const mli_tensor *, const mli_tensor *, const mli_prelu_cfg *, mli_tensor *);
typedef int32_t (*indexed_fn)(const mli_tensor *, uint32_t);
typedef uint8_t (*constant_fn)(void);

typedef union function {
    conv2d_fn conv2d;
    fully_connected_fn fully_connected;
    relu_fn relu;
    binary_fn binary;
    prelu_fn prelu;
    indexed_fn indexed;
    constant_fn constant;
} function;

static void set_status(api_call *a, mli_status status)
{
    a->call->status = (lb_status)status;
}

static void call_fully_connected(api_call *a, function f)
{
    mli_fully_connected_cfg cfg = {.relu = {(mli_relu_type)a->call->config.relu}};
    set_status(a, f.fully_connected(role(a, LB_ROLE_IN), role(a, LB_ROLE_WEIGHTS), role(a, LB_ROLE_BIAS), CFG(a, cfg),
                                    role(a, LB_ROLE_OUT)));
}

static void call_relu(api_call *a, function f)
{
    mli_relu_cfg cfg = {(mli_relu_type)a->call->config.relu};
    set_status(a, f.relu(role(a, LB_ROLE_IN), CFG(a, cfg), role(a, LB_ROLE_OUT)));
}

static void call_leaky_relu(api_call *a, function f)
{
    set_status(a, f.binary(role(a, LB_ROLE_IN), role(a, LB_ROLE_SLOPE), role(a, LB_ROLE_OUT)));
}

static void call_prelu(api_call *a, function f)
{
    mli_prelu_cfg cfg = {a->call->config.axis};
    set_status(a, f.prelu(role(a, LB_ROLE_IN), role(a, LB_ROLE_SLOPE), CFG(a, cfg), role(a, LB_ROLE_OUT)));
}

static void call_eltwise(api_call *a, function f)
{
    set_status(a, f.binary(role(a, LB_ROLE_IN1), role(a, LB_ROLE_IN2), role(a, LB_ROLE_OUT)));
}

/* ---- The table of what is linked in ---- */

typedef struct row {
    const char *name;
    void (*call)(api_call *a, function f);
    function f;
} row;

#define ROW(name_, shape, member)                                                                                      \
    {                                                                                                                  \
        .name = #name_, .call = call_##shape, .f = {.member = name_ }                                                  \
    }
#define ROWS_D(prefix, shape, member)                                                                                  \
    ROW(prefix##_sa8, shape, member), ROW(prefix##_fx8, shape, member), ROW(prefix##_fx16, shape, member)
#define ROWS_V(prefix, suffix, shape, member)                                                                          \
    ROW(prefix##_fx16##suffix, shape, member), ROW(prefix##_fx16_fx8_fx8##suffix, shape, member),                      \
        ROW(prefix##_sa8_sa8_sa32##suffix, shape, member)

static const row rows[] = {
    ROWS_V(mli_krn_fully_connected, , fully_connected, fully_connected),
    ROW(mli_krn_fully_connected_sa8_sa8_sa32_ext_bias, fully_connected, fully_connected),
    ROW(mli_krn_fully_connected_fx8, fully_connected, fully_connected),
    ROWS_D(mli_krn_relu, relu, relu),
    ROWS_D(mli_krn_leaky_relu, leaky_relu, binary),
    ROWS_D(mli_krn_prelu, prelu, prelu),
    ROWS_D(mli_krn_eltwise_add, eltwise, binary),
    ROWS_D(mli_krn_eltwise_sub, eltwise, binary),
    ROWS_D(mli_krn_eltwise_mul, eltwise, binary),
    ROWS_D(mli_krn_eltwise_min, eltwise, binary),
    ROWS_D(mli_krn_eltwise_max, eltwise, binary),
};
enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

/* ---- The port ---- */

typedef struct builtin_port {
    lb_port port;
    const lb_profile *profile; /* the one that the implementation is set to */
    const row **row_of_kernel; /* by index into lb_kernels; NULL: not there */
    char described[160];
    api_call call;
} builtin_port;

static const row *find_row(const char *name)
{
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

static bool builtin_provides(const lb_port *port, const lb_kernel *kernel)
{
    return ((const builtin_port *)port)->row_of_kernel[kernel - lb_kernels] != NULL;
}

static void builtin_call(lb_port *port, const lb_profile *profile, lb_call *call)
{
    builtin_port *b = (builtin_port *)port;
    const row *r = b->row_of_kernel[call->kernel - lb_kernels];
    if (b->profile != profile) {
        mli_ext_set_profile(profile->name);
        b->profile = profile;
    }
    b->call.call = call;
    tensors_to_mli(&b->call);
    r->call(&b->call, r->f);
    tensors_from_mli(&b->call);
}

static void builtin_close(lb_port *port)
{
    free(((builtin_port *)port)->row_of_kernel);
    free(port);
}

lb_port *lb_port_builtin(void)
{
    builtin_port *b = calloc(1, sizeof *b);
    const row **row_of_kernel = calloc(lb_kernel_count, sizeof *row_of_kernel);
    if (!b || !row_of_kernel) {
        fprintf(stderr, "lastbit: out of memory\n");
        free(b);
        free(row_of_kernel);
        return NULL;
    }
    for (size_t i = 0; i < lb_kernel_count; i++)
        row_of_kernel[i] = find_row(lb_kernels[i].name);
    snprintf(b->described, sizeof b->described, "lastbit's own implementation %s, inner loops: %s", mli_ext_version(),
             mli_ext_get_cpu());
    b->row_of_kernel = row_of_kernel;
    b->port = (lb_port){.name = "builtin",
                        .described = b->described,
                        .provides = builtin_provides,
                        .call = builtin_call,
                        .close = builtin_close};
    return &b->port;
}
