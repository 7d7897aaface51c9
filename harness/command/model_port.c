/* The exact model in the place of a port: see model_port.h. */
#include "harness/command/model_port.h"
#include "harness/trial/sequence.h"

static bool provides(const lb_port *port, const lb_kernel *kernel)
{
    (void)port, (void)kernel;
    return true;
}

/* A sequence finds the library as it was loaded. */
static void begin(lb_port *port, const lb_instance *instance)
{
    lb_model_port *model = (lb_model_port *)port;
    (void)instance;
    lb_mov_state_init(&model->state, lb_sequence_note_callback, &model->step);
}

static void call(lb_port *port, const lb_profile *profile, lb_call *called)
{
    lb_watch watch = {0};
    lb_context context = {.profile = profile, .watch = &watch};
    (void)port;
    lb_run_exact(&context, called);
}

static void move(lb_port *port, const lb_profile *profile, lb_mov_step *step)
{
    lb_model_port *model = (lb_model_port *)port;
    (void)profile;
    model->step = step;
    lb_sequence_model_move(&model->state, step);
}

static void close_port(lb_port *port)
{
    (void)port;
}

void lb_model_port_make(lb_model_port *model)
{
    *model = (lb_model_port){.port = {.name = "exact",
                                      .described = "the exact model",
                                      .provides = provides,
                                      .begin = begin,
                                      .call = call,
                                      .move = move,
                                      .close = close_port}};
}
