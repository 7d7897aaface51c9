/* The built-in port: our own implementation behind the port kit, both linked in. Calls are those of
 * the kit; tensors are handed over as they are, so that nothing is copied. With
 * builtin_litert.c the one place of the harness that includes impl/. */
#include "harness/base/xalloc.h"
#include "harness/port/builtin_litert.h"
#include "harness/port/call.h"
#include "harness/port_kit/lb_kit_about.h"
#include "harness/port_kit/lb_kit_call.h"

#include "impl/bench/peaks.h"

#include <mli_lastbit.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The kit ---- */

/* What its calls look at: the block is the scratch memory of a cell, the one thing that they are
 * told by its offset. */
static struct {
    uint8_t *block;
    uint32_t block_bytes;
    lb_kit_call call;
} lb_kit;

static void *lb_kit_pointer(uint32_t where)
{
    return where == LB_WIRE_NULL ? NULL : lb_kit.block + (where - 1);
}

#define LB_WITH_ext                            1
#define LB_WITH_mli_hlp_compile_options_string 1
#include "harness/port_kit/lb_kit_mli.h"

/* ---- Tensors: the harness's form to the API's, and back ---- */

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

_Static_assert(sizeof(((mli_data_container *)0)->mem) == sizeof(lb_memory),
               "both are one pointer wide");

static void tensor_to_mli(const lb_tensor *t, mli_tensor *m)
{
    memset(m, 0, sizeof *m);
    m->data = container_to_mli(&t->data);
    memcpy(m->mem_stride, t->mem_stride, sizeof m->mem_stride);
    memcpy(m->shape, t->shape, sizeof m->shape);
    m->rank = t->rank;
    m->el_type = (mli_element_type)t->el_type;
    /* The parameters are a union: the zeroed sa half leaves room for frac_bits, which only fx
     * tensors carry. */
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

/* ---- Calls ---- */

enum { SCRATCH_AT = 1 }; /* where the block begins, in words of the wire */

static lb_callback_names callback_names;

static void begin_call(lb_port_request *request)
{
    lb_kit_call *c = &lb_kit.call;
    unsigned slot = 0;
    lb_name_callback(request, &callback_names);
    if (request->scratch_word >= 0)
        request->config[request->scratch_word] = request->scratch ? SCRATCH_AT : LB_WIRE_NULL;
    lb_kit.block = (uint8_t *)(uintptr_t)request->scratch;
    memset(c, 0, sizeof *c);
    c->function = request->function;
    c->config_is_null = request->config_is_null;
    memcpy(c->config, request->config, sizeof c->config);
    memcpy(c->more, request->more, sizeof c->more);
    for (unsigned a = 0; a < request->argument_count; a++) {
        const lb_request_argument *argument = &request->arguments[a];
        c->slot[argument->role] = (uint8_t)slot;
        c->count[argument->role] = argument->count;
        for (unsigned i = 0; i < argument->count; i++)
            tensor_to_mli(&argument->tensors[i], &lb_kit_tensors[slot++]);
    }
}

static void end_call(lb_port_request *request)
{
    const lb_kit_call *c = &lb_kit.call;
    uint32_t made = c->result[LB_WIRE_R_CALLBACKS];
    memcpy(request->result, c->result, sizeof c->result);
    memcpy(request->config_out, c->config_out, sizeof c->config_out);
    request->callback_count = made < LB_WIRE_CALLBACKS ? made : LB_WIRE_CALLBACKS;
    for (unsigned i = 0; i < request->callback_count; i++)
        lb_note_callback(request, i, c->callbacks[i].which, c->callbacks[i].cookie,
                         &callback_names);
    for (unsigned a = 0, slot = 0; a < request->argument_count; a++)
        for (unsigned i = 0; i < request->arguments[a].count; i++)
            tensor_from_mli(&lb_kit_tensors[slot++], &request->arguments[a].tensors[i]);
}

/* ---- The port ---- */

typedef struct builtin_port {
    lb_port port;
    const char *profile;       /* name of the numerics that the implementation is set to */
    short *function_of_kernel; /* its number, by index into lb_kernels; -1: not there */
    char described[160];
    uint8_t tables[4096]; /* of the activations */
} builtin_port;

static bool builtin_provides(const lb_port *port, const lb_kernel *kernel)
{
    if (kernel->set == LB_SET_LITERT)
        return lb_builtin_litert_has(kernel);
    int function = ((const builtin_port *)port)->function_of_kernel[kernel - lb_kernels];
    return function >= 0 && lb_kit_has((uint32_t)function);
}

/* The implementation knows the numerics of the host. A platform profile is one of them with other
 * accumulators. */
static void set_profile(builtin_port *b, const lb_profile *profile)
{
    const char *name = lb_numerics_name(lb_profile_asked(profile));
    if (b->profile != name)
        mli_ext_set_profile(name);
    b->profile = name;
}

static void perform(lb_port *port, const lb_profile *profile, lb_port_request *request)
{
    set_profile((builtin_port *)port, profile);
    begin_call(request);
    lb_kit_invoke(&lb_kit.call);
    end_call(request);
}

static void builtin_move(lb_port *port, const lb_profile *profile, lb_mov_step *step)
{
    lb_port_request request = {.function =
                                   (unsigned)lb_wire_function(lb_mov_call_name(step->call))};
    lb_request_from_step(&request, step);
    perform(port, profile, &request);
    lb_request_to_step(&request, step);
}

/* A kernel of LiteRT refuses nothing that is defined. */
static void call_litert(lb_port *port, const lb_profile *profile, lb_call *call)
{
    static char said[64];
    int status = lb_builtin_litert_call(profile, call);
    if (status == 0)
        return;
    snprintf(said, sizeof said, "it refuses the call with the status %d", status);
    port->failure = said;
}

static void builtin_call(lb_port *port, const lb_profile *profile, lb_call *call)
{
    if (call->kernel->set == LB_SET_LITERT) {
        call_litert(port, profile, call);
        return;
    }
    const builtin_port *b = (const builtin_port *)port;
    lb_port_request request = {.function =
                                   (unsigned)b->function_of_kernel[call->kernel - lb_kernels]};
    lb_request_from_call(&request, call);
    perform(port, profile, &request);
    lb_request_to_call(&request, call);
}

static const char *builtin_level(const lb_port *port, size_t index)
{
    (void)port;
    return mli_ext_cpu_level((uint32_t)index);
}

static bool builtin_set_level(lb_port *port, const char *level)
{
    (void)port;
    return mli_ext_set_cpu(level) == MLI_STATUS_OK;
}

static double builtin_peak(lb_port *port, const char *level, lb_peak what)
{
    static const enum lb_mli_peak peaks[LB_PEAK_COUNT] = {LB_MLI_PEAK_MAC_S8, LB_MLI_PEAK_MAC_S16,
                                                          LB_MLI_PEAK_LOAD_L1, LB_MLI_PEAK_LOAD_L2,
                                                          LB_MLI_PEAK_LOAD_L3};
    (void)port;
    return lb_mli_peak(level, peaks[what]);
}

static void builtin_close(lb_port *port)
{
    free(((builtin_port *)port)->function_of_kernel);
    free(port);
}

lb_port *lb_port_builtin(void)
{
    builtin_port *b = lb_zeroed(1, sizeof *b);
    short *function_of_kernel = lb_zeroed(lb_kernel_count, sizeof *function_of_kernel);
    for (size_t i = 0; i < lb_kernel_count; i++)
        function_of_kernel[i] = (short)lb_wire_function(lb_kernels[i].name);
    snprintf(b->described, sizeof b->described, "lastbit's own implementation %s, inner loops: %s",
             mli_ext_version(), mli_ext_get_cpu());
    b->function_of_kernel = function_of_kernel;
    uint32_t tables_bytes = sizeof b->tables;
    lb_kit_calls_start(b->tables, &tables_bytes);
    b->port = (lb_port){.name = "builtin",
                        .described = b->described,
                        .target = LB_KIT_TARGET,
                        .compiler = LB_KIT_COMPILER,
                        .build_options = LB_KIT_OPTIONS,
                        .library_options = lb_kit_library_options() + 1,
                        .contradiction = "",
                        .provides = builtin_provides,
                        .call = builtin_call,
                        .move = builtin_move,
                        .close = builtin_close,
                        .level = builtin_level,
                        .set_level = builtin_set_level,
                        .peak = builtin_peak};
    return &b->port;
}
