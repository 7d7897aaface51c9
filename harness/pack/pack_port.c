/* The port that writes scripts: see pack_port.h. */
#include "harness/pack/pack_port.h"
#include "harness/guard/verdict.h"
#include "harness/trial/sequence.h"

static bool provides(const lb_port *port, const lb_kernel *kernel)
{
    (void)port;
    return lb_wire_function(kernel->name) >= 0;
}

static void begin(lb_port *port, const lb_instance *instance)
{
    lb_pack_port *p = (lb_pack_port *)port;
    p->instance = instance;
    p->cannot_run = NULL;
    p->step = NULL;
    lb_mov_state_init(&p->moves, lb_sequence_note_callback, &p->step);
    lb_pack_script_clear(&p->script);
}

/* In the other byte order an output inside a tensor whose elements have another width cannot be
 * told apart from it. */
static bool has_view_of_other_width(const lb_case *c)
{
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        const lb_case_operand *o = &c->operand[role];
        const lb_case_tensor *t = o->tensors;
        if (o->present && o->is_output && t->has_data_in && !t->null_data &&
            lb_element_bytes(t->type) !=
                lb_element_bytes(c->operand[t->data_in.role].tensors[t->data_in.list_index].type))
            return true;
    }
    return false;
}

static lb_port_request request_for(lb_pack_port *p, const char *function, const lb_profile *profile)
{
    if (p->script.big_endian && has_view_of_other_width(p->instance->memory->test_case))
        p->cannot_run =
            "an output lies in a tensor with elements of another width, which big-endian "
            "packs do not have";
    return (lb_port_request){.function = (unsigned)lb_wire_function(function),
                             .profile = (unsigned)lb_profile_number(profile),
                             .instance = (lb_instance *)(uintptr_t)p->instance};
}

/* Fields of out are not specified after a failed call of these (compare.c). */
static bool fields_count(const lb_call *call)
{
    return !call->kernel->returns_status || call->status == LB_OK ||
           (lb_pattern_of(call->kernel) != LB_PATTERN_MOVEMENT &&
            lb_pattern_of(call->kernel) != LB_PATTERN_HELPER);
}

static void write_call(lb_port *port, const lb_profile *profile, lb_call *call)
{
    lb_pack_port *p = (lb_pack_port *)port;
    lb_watch watch = {0};
    lb_context context = {.profile = profile, .watch = &watch};
    lb_port_request request = request_for(p, call->kernel->name, profile);
    lb_request_from_call(&request, call);
    /* The guard zones are forbidden to the call, and are part of what is written down. */
    lb_instance_guard(request.instance, false);
    lb_pack_script_call(&p->script, &request);
    lb_instance_guard(request.instance, true);
    lb_run_exact(&context, call);
    lb_instance_guard(request.instance, false);
    if (watch.chains > 0 && !lb_guard_is_specified(profile, call->kernel, &watch) &&
        !lb_case_expect(p->instance->memory->test_case, profile))
        p->cannot_run = "an accumulator leaves its width, and what comes out then is not specified";
    lb_config_kind filled = lb_filled_config(call->kernel);
    lb_pack_expect expect = {.config = filled != LB_CONFIG_NONE, .fields = fields_count(call)};
    if (call->kernel->returns_status) {
        expect.care = 1u << LB_WIRE_R_STATUS;
        request.result[LB_WIRE_R_STATUS] = (uint32_t)call->status;
    } else {
        /* Ports with an interface of their own say here that they refuse the call. */
        expect.care = 3u << LB_WIRE_R_RETURN | 1u << LB_WIRE_R_STATUS;
        request.result[LB_WIRE_R_RETURN] = (uint32_t)((uint64_t)call->return_value & 0xFFFFFFFFu);
        request.result[LB_WIRE_R_RETURN + 1] = (uint32_t)((uint64_t)call->return_value >> 32);
    }
    if (expect.config)
        lb_config_to_words(&call->config, filled, request.config_out);
    if (expect.config && filled == LB_CONFIG_LUT)
        request.config_out[LB_WIRE_LUT_IS_TOLD] = 1;
    lb_pack_script_result(&p->script, &request, &expect);
}

static void write_move(lb_port *port, const lb_profile *profile, lb_mov_step *step)
{
    lb_pack_port *p = (lb_pack_port *)port;
    lb_port_request request = request_for(p, lb_mov_call_name(step->call), profile);
    lb_pack_expect expect = {.care = 1u << LB_WIRE_R_CALLBACKS};
    lb_request_from_step(&request, step);
    lb_pack_script_call(&p->script, &request);
    p->step = step;
    lb_sequence_model_move(&p->moves, step);
    if (step->call == LB_MOV_CALL_ISDONE)
        expect.care |= 1u << LB_WIRE_R_DONE;
    else
        expect.care |= 1u << LB_WIRE_R_STATUS;
    if (step->handle && step->call != LB_MOV_CALL_SET_NUM_DMA_CH &&
        step->call != LB_MOV_CALL_TENSOR_SYNC)
        expect.care |= 7u << LB_WIRE_R_HANDLE;
    request.result[LB_WIRE_R_STATUS] = (uint32_t)step->status;
    request.result[LB_WIRE_R_DONE] = step->done;
    if (step->handle) {
        request.result[LB_WIRE_R_HANDLE] = (uint32_t)step->handle->dma_ch;
        request.result[LB_WIRE_R_HANDLE + 1] = (uint32_t)step->handle->num_ch;
        request.result[LB_WIRE_R_HANDLE + 2] = (uint32_t)step->handle->state;
    }
    request.result[LB_WIRE_R_CALLBACKS] = step->callback_count;
    for (unsigned i = 0; i < step->callback_count && i < LB_WIRE_CALLBACKS; i++) {
        request.callbacks[i].name = step->callbacks[i].name;
        request.callbacks[i].cookie = step->callbacks[i].cookie;
    }
    lb_pack_script_result(&p->script, &request, &expect);
}

static void close_port(lb_port *port)
{
    (void)port;
}

void lb_pack_port_make(lb_pack_port *p, bool big_endian, bool digests)
{
    *p = (lb_pack_port){.port = {.name = "pack",
                                 .described = "the exact model",
                                 .provides = provides,
                                 .begin = begin,
                                 .call = write_call,
                                 .move = write_move,
                                 .close = close_port},
                        .script = {.big_endian = big_endian, .digests = digests}};
}

void lb_pack_port_free(lb_pack_port *p)
{
    lb_pack_script_free(&p->script);
}
