/* What the LSTM and the GRU cell share. Spec: recurrent.md 6. Every step works on views of scratch,
 * cell and out; nothing is read from scratch that this call has not written. */
#include "recurrent.h"

#include "core/view.h"
#include "dense.h"

enum { BACKWARD = 1, ALL = 1 };

uint32_t lb_recurrent_input_frame(const lb_call *call, uint32_t n)
{
    uint32_t frames = call->tensor[LB_ROLE_IN]->shape[0];
    return call->config.direction == BACKWARD ? frames - 1 - n : n;
}

uint32_t lb_recurrent_output_row(const lb_call *call, uint32_t n)
{
    return call->config.results == ALL ? n
                                       : 0; /* QUIRK: in the order of processing, backward too */
}

lb_recurrent lb_recurrent_start(const lb_context *context, lb_call *call, const lb_gate *gates,
                                unsigned gate_count, lb_quant intermediate_sa8,
                                int intermediate_frac)
{
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    lb_recurrent run = {
        .context = context,
        .call = call,
        .gates = gates,
        .intermediate = intermediate_sa8,
        .frames = in->shape[0],
        .width = call->tensor[LB_ROLE_PREV_OUT]->shape[0],
    };
    if (lb_is_fx(in->el_type)) {
        int frac = in->frac_bits + call->tensor[LB_ROLE_WEIGHTS_IN]->frac_bits;
        run.intermediate = (lb_quant){1, frac < intermediate_frac ? frac : intermediate_frac, 0};
    }
    unsigned char *scratch = call->config.scratch;
    size_t row_bytes = (size_t)run.width * lb_element_bytes(in->el_type);
    for (unsigned g = 0; g < gate_count; g++)
        run.row[g] = lb_vector(scratch + g * row_bytes, in->el_type, run.width, run.intermediate);
    return run;
}

static lb_tensor out_row(const lb_recurrent *run, uint32_t row)
{
    const lb_tensor *out = run->call->tensor[LB_ROLE_OUT];
    size_t start = (size_t)row * run->width * lb_element_bytes(out->el_type);
    return lb_vector((unsigned char *)out->data.mem.ptr + start, out->el_type, run->width,
                     lb_quant_at(out, 0));
}

/* The next steps belong to this gate. */
static void enter_block(const lb_recurrent *run, lb_block block)
{
    if (run->steps)
        run->steps->block = block;
}

/* Who listens to this frame. The unit is the same in all of them. */
static void choose_listener(lb_recurrent *run)
{
    lb_steps *steps = run->context->steps;
    run->steps = NULL;
    if (!steps || run->width == 0)
        return;
    uint32_t row = (uint32_t)(steps->element / run->width);
    bool every = steps->element == LB_STEPS_EVERY;
    bool wanted = every || steps->role == LB_ROLE_CELL || run->call->config.results != ALL ||
                  run->frame <= row;
    run->unit = every ? LB_STEPS_EVERY : (uint32_t)(steps->element % run->width);
    run->steps = wanted ? steps : NULL;
    if (wanted)
        steps->frame = run->frame;
}

lb_origin lb_recurrent_hidden(const lb_recurrent *run)
{
    return run->frame == 0 ? (lb_origin){LB_OWNER_PREV_OUT, -1, false}
                           : (lb_origin){LB_OWNER_HIDDEN, -1, true};
}

void lb_recurrent_enter_frame(lb_recurrent *run, unsigned frame)
{
    const lb_call *call = run->call;
    run->frame = frame;
    run->x = lb_slice(call->tensor[LB_ROLE_IN], lb_recurrent_input_frame(call, frame));
    /* QUIRK: the format of the hidden state changes after the first frame. */
    run->h = frame == 0 ? *call->tensor[LB_ROLE_PREV_OUT]
                        : out_row(run, lb_recurrent_output_row(call, frame - 1));
    run->out = out_row(run, lb_recurrent_output_row(call, frame));
    choose_listener(run);
}

/* For a listener: where the weights of a gate come from, and what lb_gate_weights has done to them.
 */
static void name_weights(lb_dense_term *term, const lb_call *call, lb_role role, lb_owner owner,
                         const lb_gate *gate, int32_t index)
{
    bool per_gate = call->tensor[role]->sa.dim >= 0;
    term->weights_origin = (lb_origin){owner, index, false};
    term->weights_entry = per_gate ? index : -1;
    term->scale_excess = per_gate ? 0 : gate->scale_excess;
    term->frac_excess = per_gate ? 0 : gate->frac_excess;
}

void lb_recurrent_gate(lb_recurrent *run, unsigned index, const lb_tensor *h, lb_origin h_origin)
{
    const lb_call *call = run->call;
    const lb_gate *gate = &run->gates[index];
    lb_tensor weights_in = lb_gate_weights(gate, call->tensor[LB_ROLE_WEIGHTS_IN], index);
    lb_tensor weights_out = lb_gate_weights(gate, call->tensor[LB_ROLE_WEIGHTS_OUT], index);
    lb_tensor bias = lb_slice(call->tensor[LB_ROLE_BIAS], index);
    int32_t lead = (int32_t)index;
    int32_t input = (int32_t)lb_recurrent_input_frame(call, run->frame);
    lb_dense_term terms[] = {
        {.name = LB_TERM_INPUT,
         .x = &run->x,
         .weights = &weights_in,
         .x_origin = {LB_OWNER_IN, input, false}},
        {.name = LB_TERM_HIDDEN, .x = h, .weights = &weights_out, .x_origin = h_origin},
    };
    name_weights(&terms[0], call, LB_ROLE_WEIGHTS_IN, LB_OWNER_WEIGHTS_IN, gate, lead);
    name_weights(&terms[1], call, LB_ROLE_WEIGHTS_OUT, LB_OWNER_WEIGHTS_OUT, gate, lead);
    lb_dense_place place = {
        gate->block, run->frame, run->steps, run->unit, {LB_OWNER_BIAS, lead, false}, gate->vector};
    lb_activation_place activation = {run->steps, run->unit, {gate->vector, -1, true}};
    lb_tensor *row = &run->row[index];
    enter_block(run, gate->block);
    lb_set_quant(row, run->intermediate);
    lb_dense(run->context, terms, 2, &bias, row, place);
    lb_activate(run->context->profile, gate->activation, row, row, activation);
    lb_recurrent_tell(run, lb_block_name(gate->block), row);
    enter_block(run, LB_BLOCK_NONE);
}

void lb_recurrent_tell(const lb_recurrent *run, const char *name, const lb_tensor *vector)
{
    lb_trace_step step = {name, NULL, NULL, run->frame};
    for (uint32_t i = 0; run->context->trace && i < run->width; i++) {
        lb_trace_value(run->context->trace, step, i, lb_load(vector, i),
                       lb_load_real(vector, i, 0));
    }
}

void lb_recurrent_finish(const lb_recurrent *run)
{
    lb_tensor *out = run->call->tensor[LB_ROLE_OUT];
    out->rank = 2;
    out->shape[0] = lb_recurrent_output_row(run->call, run->frames - 1) + 1;
    out->shape[1] = run->width;
    out->mem_stride[0] = (int32_t)run->width;
    out->mem_stride[1] = 1;
}
