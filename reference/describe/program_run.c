/* The run of vector programs: see program.h. Every step works on views of scratch, cell and out;
 * nothing is read from scratch that this call has not written. Spec: recurrent.md 5 to 8. */
#include "program.h"

#include "cell_ops.h"
#include "core/arith.h"
#include "core/view.h"

#include <string.h>

enum { BACKWARD = 1, ALL = 1 };

/* A call at work. */
typedef struct run {
    lb_context context; /* its profile is that of the step at hand */
    const lb_profile *profile;
    lb_call *call;
    const lb_program *own, *program; /* that of the frame at hand may be an edited one */
    uint32_t frames, frame;
    uint32_t units; /* M */
    uint32_t el_type;
    bool activates;  /* the configuration asks for an activation */
    lb_steps *steps; /* who listens to this frame; NULL: nobody */
    uint32_t unit;   /* the one that is listened to */
    lb_tensor vector[LB_VECTOR_COUNT];
    lb_tensor *before; /* of edits: vectors as the frame before has left them */
} run;

uint32_t lb_program_input_frame(const lb_call *call, uint32_t n)
{
    uint32_t frames = call->tensor[LB_ROLE_IN]->shape[0];
    return call->config.direction == BACKWARD ? frames - 1 - n : n;
}

bool lb_program_has_all_results(const lb_call *call)
{
    return call->config.results == ALL;
}

unsigned lb_program_length(const lb_program *program)
{
    unsigned n = 0;
    while (n < LB_PROGRAM_STEPS && program->step[n].operation != LB_PROGRAM_END)
        n++;
    return n;
}

const lb_program_step *lb_program_maker(const lb_program *program, int vector)
{
    for (unsigned n = 0; n < lb_program_length(program); n++)
        if (program->step[n].out == vector)
            return &program->step[n];
    return NULL;
}

const lb_program_step *lb_program_step_of(const lb_program *program, lb_part part)
{
    for (unsigned n = 0; part != LB_PART_NONE && n < lb_program_length(program); n++)
        if (program->step[n].part == part || program->step[n].plain_part == part)
            return &program->step[n];
    return NULL;
}

/* ---- Formats ---- */

static int frac_of_products(const lb_call *call)
{
    return call->tensor[LB_ROLE_IN]->frac_bits + call->tensor[LB_ROLE_WEIGHTS_IN]->frac_bits;
}

lb_quant lb_program_sums_format(const lb_program_sums *sums, uint32_t el_type, int products)
{
    int most = sums->most_frac_bits;
    return lb_is_fx(el_type) ? (lb_quant){1, products < most ? products : most, 0} : sums->sa8;
}

static lb_quant format_of_role(const run *r, lb_role role)
{
    return lb_quant_at(r->call->tensor[role], 0);
}

/* own: where the format is the vector's own. */
static lb_quant format_as(const run *r, unsigned format, lb_quant own)
{
    lb_quant sums = {0};
    switch ((lb_vector_format)format) {
    case LB_FORMAT_SIGM:
        return lb_activation_format(LB_ACTIVATION_SIGM, r->el_type);
    case LB_FORMAT_TANH:
        return lb_activation_format(LB_ACTIVATION_TANH, r->el_type);
    case LB_FORMAT_HIDDEN:
        return lb_quant_at(&r->vector[LB_VECTOR_HIDDEN], 0);
    case LB_FORMAT_IN:
        return format_of_role(r, LB_ROLE_IN);
    case LB_FORMAT_PREV_OUT:
        return format_of_role(r, LB_ROLE_PREV_OUT);
    case LB_FORMAT_CELL:
        return format_of_role(r, r->call->tensor[LB_ROLE_CELL] ? LB_ROLE_CELL : LB_ROLE_OUT);
    case LB_FORMAT_OUT:
        return format_of_role(r, LB_ROLE_OUT);
    case LB_FORMAT_OTHER_SUMS:
        return lb_program_sums_format(&r->program->other_sums, r->el_type,
                                      frac_of_products(r->call));
    case LB_FORMAT_SUMS:
    case LB_FORMAT_UNLIMITED_SUMS:
    case LB_FORMAT_PRODUCTS:
        sums = lb_program_sums_format(&r->program->sums, r->el_type, frac_of_products(r->call));
        if (lb_is_fx(r->el_type) && format != LB_FORMAT_SUMS)
            sums.frac = format == LB_FORMAT_PRODUCTS ? frac_of_products(r->call)
                                                     : r->program->sums.most_frac_bits;
        return sums;
    case LB_FORMAT_OWN:
    case LB_FORMAT_COUNT:
    case LB_FORMAT_OF:
        break;
    }
    return format >= LB_FORMAT_OF ? lb_quant_at(&r->vector[format - LB_FORMAT_OF], 0) : own;
}

/* ---- Places ---- */

static lb_tensor row_of_out(const run *r, uint32_t row)
{
    const lb_tensor *out = r->call->tensor[LB_ROLE_OUT];
    size_t start = (size_t)row * r->units * lb_element_bytes(out->el_type);
    return lb_vector((unsigned char *)out->data.mem.ptr + start, out->el_type, r->units,
                     lb_quant_at(out, 0));
}

/* Of the n-th processed frame. */
static uint32_t row_of_frame(const run *r, uint32_t n)
{
    if (!lb_program_has_all_results(r->call))
        return 0;
    switch (r->program->rows) {
    case LB_ROWS_AS_INPUT:
        return lb_program_input_frame(r->call, n);
    case LB_ROWS_REVERSED:
        return r->frames - 1 - n;
    case LB_ROWS_AS_PROCESSED:
        break;
    }
    return n;
}

/* Does each frame have the vector elsewhere? */
static bool moves(const lb_program_vector *v)
{
    return v->place == LB_PLACE_ROW || v->place == LB_PLACE_HIDDEN || v->place == LB_PLACE_FRAME;
}

/* Where the function has the vector, in this frame. */
static void find_place(run *r, int v)
{
    const lb_program_vector *described = &r->own->vector[v];
    const lb_call *call = r->call;
    lb_tensor *t = &r->vector[v];
    switch (described->place) {
    case LB_PLACE_NONE:
        break;
    case LB_PLACE_SCRATCH:
        *t = lb_vector((unsigned char *)call->config.scratch +
                           (size_t)described->item * r->units * lb_element_bytes(r->el_type),
                       r->el_type, r->units, (lb_quant){0});
        break;
    case LB_PLACE_CELL:
        *t = *call->tensor[LB_ROLE_CELL];
        break;
    case LB_PLACE_ROW:
        *t = row_of_out(r, row_of_frame(r, r->frame));
        break;
    case LB_PLACE_HIDDEN:
        *t = r->frame == 0 ? *call->tensor[LB_ROLE_PREV_OUT]
                           : row_of_out(r, row_of_frame(r, r->frame - 1));
        break;
    case LB_PLACE_PREV_OUT:
        *t = *call->tensor[LB_ROLE_PREV_OUT];
        break;
    case LB_PLACE_FRAME:
        *t = lb_slice(call->tensor[LB_ROLE_IN], lb_program_input_frame(call, r->frame));
        break;
    case LB_PLACE_LIST:
        if (described->item < call->config.inputs_num)
            *t = call->tensor[LB_ROLE_IN][described->item];
        break;
    }
}

/* ---- Listeners ---- */

/* The unit is the same in all frames. To an element of out somebody listens until the frame whose
 * result it is; to one of the cell, always. */
static void choose_listener(run *r)
{
    lb_steps *steps = r->context.steps;
    r->steps = NULL;
    if (!steps || r->units == 0 || (steps->role != LB_ROLE_OUT && steps->role != LB_ROLE_CELL))
        return;
    uint32_t row = (uint32_t)(steps->element / r->units);
    bool every = steps->element == LB_STEPS_EVERY;
    bool wanted = every || steps->role == LB_ROLE_CELL || !lb_program_has_all_results(r->call) ||
                  r->frame <= row;
    r->unit = every ? LB_STEPS_EVERY : (uint32_t)(steps->element % r->units);
    r->steps = wanted ? steps : NULL;
    if (wanted)
        steps->frame = r->frame;
}

/* The next steps belong to this gate. */
static void enter_block(const run *r, lb_block block)
{
    if (r->steps)
        r->steps->block = block;
}

/* What an operand is called. */
static lb_origin origin_of(const run *r, int v)
{
    const lb_program_vector *described = &r->own->vector[v];
    if (described->place == LB_PLACE_HIDDEN && r->frame == 0)
        return (lb_origin){LB_OWNER_PREV_OUT, -1, false};
    int32_t lead = -1;
    if (described->place == LB_PLACE_FRAME)
        lead = (int32_t)lb_program_input_frame(r->call, r->frame);
    return (lb_origin){described->owner, lead, described->is_on_the_way};
}

/* Tells a vector to the trace. */
static void trace_vector(const run *r, const char *label, const lb_tensor *vector)
{
    lb_trace_step step = {label, NULL, NULL, r->frame};
    for (uint32_t i = 0; r->context.trace && i < r->units; i++)
        lb_trace_value(r->context.trace, step, i, lb_load(vector, i), lb_load_real(vector, i, 0));
}

/* ---- Steps ---- */

/* The step, or the activation of its sum, begins: in the numerics that it has. */
static void enter_numerics(run *r, const lb_program_step *s, int part)
{
    r->context.profile = s->numerics[part] ? s->numerics[part] : r->profile;
}

/* From the vector of one to that of the other, units and format. */
static void copy_vector(const run *r, lb_tensor *to, const lb_tensor *from)
{
    if (to->data.mem.ptr != from->data.mem.ptr)
        memmove(to->data.mem.ptr, from->data.mem.ptr,
                r->units * (size_t)lb_element_bytes(r->el_type));
    lb_set_quant(to, lb_quant_at(from, 0));
}

static lb_tensor taken(const run *r, lb_program_operand operand, lb_program_operand other)
{
    lb_tensor t = operand.vector < LB_VECTOR_BEFORE ? r->vector[operand.vector]
                                                    : r->before[operand.vector - LB_VECTOR_BEFORE];
    if (operand.mixed == 0 && operand.format == LB_FORMAT_OWN)
        return t;
    lb_quant quant = lb_quant_at(&t, 0);
    if (operand.mixed != 0) {
        lb_quant mixed = lb_quant_at(&r->vector[other.vector], 0);
        if (operand.mixed & LB_MIXED_ZERO_POINT)
            quant.zero_point = mixed.zero_point;
        if (operand.mixed & LB_MIXED_SCALE)
            quant = (lb_quant){mixed.scale, mixed.frac, quant.zero_point};
    }
    lb_set_quant(&t, format_as(r, operand.format, quant));
    return t;
}

/* Weights of the pair with what this gate adds to their scale; the whole tensor where there are no
 * gates. */
static lb_tensor weights_of(const run *r, const lb_program_step *s, unsigned pair)
{
    const lb_program_pair *p = &r->program->pair[pair];
    const lb_tensor *weights = &r->call->tensor[p->role][p->item];
    if (r->program->gates == 0)
        return *weights;
    lb_program_excess excess = s->excess[pair];
    lb_tensor slice = lb_slice(weights, s->out);
    if (lb_is_sa(weights->el_type) &&
        (weights->sa.dim < 0 || (s->excess_per_axis && weights->sa.dim == 0))) {
        lb_quant q = lb_quant_at(&slice, 0);
        q.scale = (int32_t)lb_wrap(q.scale + excess.scale, 16);
        q.frac = (int32_t)lb_wrap(q.frac + excess.frac, 8);
        lb_set_quant(&slice, q);
    }
    return slice;
}

/* An input and its weights, as a listener hears of them. */
static lb_dense_term term_of(const run *r, const lb_program_step *s, unsigned pair)
{
    const lb_program_pair *p = &r->program->pair[pair];
    bool has_gates = r->program->gates > 0;
    bool per_gate = has_gates && r->call->tensor[p->role]->sa.dim >= 0;
    int32_t gate = has_gates ? s->out : -1;
    return (lb_dense_term){
        .name = p->term,
        .x_origin = origin_of(r, p->x == LB_VECTOR_COUNT ? s->a.vector % LB_VECTOR_BEFORE : p->x),
        .weights_origin = {p->weights, gate, false},
        .weights_entry = per_gate ? gate : -1,
        .scale_excess = per_gate ? 0 : s->excess[pair % 2].scale,
        .frac_excess = per_gate ? 0 : s->excess[pair % 2].frac,
    };
}

/* The format in which a vector is left for others; OWN: that of the configuration's activation. */
static unsigned left_in(const lb_program *program, unsigned vector)
{
    const lb_program_step *maker = lb_program_maker(program, (int)vector);
    return !maker                                    ? program->vector[vector].given
           : maker->operation == LB_PROGRAM_ACTIVATE ? LB_FORMAT_OWN
           : maker->operation != LB_PROGRAM_SUM      ? maker->format
           : maker->activation == LB_ACTIVATION_TANH ? LB_FORMAT_TANH
                                                     : LB_FORMAT_SIGM;
}

/* What is known of a format, whatever the call; NULL: nothing. */
static const lb_known_format *known_of(const run *r, unsigned format, lb_known_format *known)
{
    const lb_quant sigm = lb_activation_format(LB_ACTIVATION_SIGM, r->el_type),
                   tanh = lb_activation_format(LB_ACTIVATION_TANH, r->el_type);
    switch ((lb_vector_format)format) {
    case LB_FORMAT_SIGM:
        *known = (lb_known_format){sigm, sigm};
        return known;
    case LB_FORMAT_TANH:
        *known = (lb_known_format){tanh, tanh};
        return known;
    case LB_FORMAT_OWN:
        *known =
            (lb_known_format){{1, tanh.frac, sigm.zero_point}, {1, sigm.frac, tanh.zero_point}};
        return r->activates ? known : NULL;
    case LB_FORMAT_SUMS:
        *known = (lb_known_format){lb_program_sums_format(&r->own->sums, r->el_type, INT8_MIN),
                                   lb_program_sums_format(&r->own->sums, r->el_type, INT8_MAX)};
        return known;
    default:
        return NULL;
    }
}

static void run_sum(run *r, const lb_program_step *s, lb_tensor *out)
{
    lb_tensor weights[LB_DENSE_TERMS], state = taken(r, s->a, s->b);
    lb_dense_term terms[LB_DENSE_TERMS];
    bool has_gates = r->program->gates > 0;
    unsigned count = r->program->pairs > 0 ? r->program->pairs : r->call->config.inputs_num;
    for (unsigned j = 0; j < count; j++) {
        unsigned x = r->program->pair[j].x;
        terms[j] = term_of(r, s, j);
        weights[j] = weights_of(r, s, j);
        terms[j].x = x == LB_VECTOR_COUNT ? &state : &r->vector[x];
        terms[j].weights = &weights[j];
    }
    const lb_tensor *whole = r->call->tensor[LB_ROLE_BIAS];
    lb_tensor bias = has_gates ? lb_slice(whole, s->out) : *whole;
    lb_owner owner = r->own->vector[s->out].owner;
    lb_known_format known;
    lb_dense_place place = {s->block,
                            r->frame,
                            r->steps,
                            r->unit,
                            {LB_OWNER_BIAS, has_gates ? s->out : -1, false},
                            owner,
                            known_of(r, s->format, &known)};
    lb_activation_place activation = {r->steps, r->unit, {owner, -1, true}, place.known};
    enter_block(r, s->block);
    lb_dense(&r->context, &r->program->form, terms, count, &bias, out, place);
    enter_numerics(r, s, 1);
    if (s->activation != LB_ACTIVATION_NONE)
        lb_activate(r->context.profile, (lb_activation)s->activation, out, out, activation);
    lb_set_quant(out, format_as(r, s->activated, lb_quant_at(out, 0)));
    if (s->block)
        trace_vector(r, lb_block_name(s->block), out);
    enter_block(r, LB_BLOCK_NONE);
}

/* Without an activation the vector is the operand itself. */
static void run_activation(run *r, const lb_program_step *s, lb_tensor *out)
{
    lb_tensor a = taken(r, s->a, s->b);
    bool is_of_call = s->activation == LB_ACTIVATION_OF_CALL;
    lb_activation_place place = {r->steps, r->unit, origin_of(r, s->a.vector % LB_VECTOR_BEFORE),
                                 NULL};
    if (is_of_call && !r->activates) {
        *out = a;
        return;
    }
    int activation = is_of_call ? r->call->config.act : s->activation;
    lb_activate(r->context.profile, (lb_activation)activation, &a, out, place);
    trace_vector(r, s->label, out);
}

static void run_operation(run *r, const lb_program_step *s, lb_tensor *out)
{
    lb_tensor a = taken(r, s->a, s->b), b = a;
    unsigned va = s->a.vector % LB_VECTOR_BEFORE, vb = s->b.vector % LB_VECTOR_BEFORE;
    bool is_plain = s->plain_part != LB_PART_NONE && !r->activates;
    const lb_program_step *maker = is_plain ? lb_program_maker(r->own, (int)va) : NULL;
    lb_known_format known[3];
    lb_cell_place place = {
        .steps = r->steps,
        .unit = r->unit,
        .part = is_plain ? s->plain_part : s->part,
        .section = r->own->section,
        .a = origin_of(r, maker ? maker->a.vector : (int)va),
        .out = r->own->vector[s->out].owner,
        .of_a = known_of(r, left_in(r->own, va), &known[0]),
        .of_b = known_of(r, left_in(r->own, vb), &known[1]),
        .of_out = known_of(r, s->format, &known[2]),
        .keeps_format = left_in(r->own, va) == s->format &&
                        (s->operation == LB_PROGRAM_ADD || left_in(r->own, vb) == LB_FORMAT_SIGM),
    };
    if (s->operation == LB_PROGRAM_ONE_LESS) {
        copy_vector(r, out, &a);
        lb_cell_complement(out, &place);
    } else {
        b = taken(r, s->b, s->a);
        place.b = origin_of(r, (int)vb);
        (s->operation == LB_PROGRAM_MUL ? lb_cell_mul : lb_cell_add)(&r->context, &a, &b, out,
                                                                     &place);
    }
    trace_vector(r, s->label, out);
}

static void run_step(run *r, const lb_program_step *s)
{
    lb_tensor *out = &r->vector[s->out];
    lb_set_quant(out, format_as(r, s->format, lb_quant_at(out, 0)));
    enter_numerics(r, s, 0);
    switch (s->operation) {
    case LB_PROGRAM_SUM:
        run_sum(r, s, out);
        break;
    case LB_PROGRAM_ACTIVATE:
        run_activation(r, s, out);
        break;
    case LB_PROGRAM_MUL:
    case LB_PROGRAM_ADD:
    case LB_PROGRAM_ONE_LESS:
        run_operation(r, s, out);
        break;
    case LB_PROGRAM_END:
        break;
    }
}

/* ---- Calls ---- */

static uint32_t units_of(const lb_call *call)
{
    bool has_frames = lb_program_of(call->kernel)->has_frames;
    return call->tensor[has_frames ? LB_ROLE_PREV_OUT : LB_ROLE_OUT]->shape[0];
}

static run begin(const lb_context *context, lb_call *call)
{
    const lb_program *program = lb_program_of(call->kernel);
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    int32_t act = call->config.act;
    run r = {
        .context = *context,
        .profile = context->profile,
        .call = call,
        .own = program,
        .program = program,
        .frames = program->has_frames ? in->shape[0] : 1,
        .units = units_of(call),
        .el_type = in->el_type,
        .activates = act == LB_ACTIVATION_TANH || act == LB_ACTIVATION_SIGM,
    };
    return r;
}

/* recurrent.md 6, "Fields written" */
static void write_fields(const run *r)
{
    lb_tensor *out = r->call->tensor[LB_ROLE_OUT];
    out->rank = 2;
    out->shape[0] = lb_program_has_all_results(r->call) ? r->frames : 1;
    out->shape[1] = r->units;
    out->mem_stride[0] = (int32_t)r->units;
    out->mem_stride[1] = 1;
}

/* ---- Edits ---- */

size_t lb_program_bytes(const lb_call *call)
{
    size_t element = lb_element_bytes(call->tensor[LB_ROLE_OUT]->el_type);
    return 2 * (size_t)LB_VECTOR_COUNT * units_of(call) * element;
}

/* Does it stay where the function has it? */
static bool is_given(const run *r, int v)
{
    return !lb_program_maker(r->own, v) && r->own->vector[v].place != LB_PLACE_HIDDEN;
}

static bool has_vector(const run *r, int v)
{
    return r->own->vector[v].place != LB_PLACE_NONE && v < LB_VECTOR_INPUT;
}

static void begin_edited(run *r, unsigned char *memory, lb_tensor *before)
{
    size_t bytes = r->units * (size_t)lb_element_bytes(r->el_type);
    lb_quant zero = {0};
    memset(memory, 0, 2 * LB_VECTOR_COUNT * bytes);
    for (size_t v = 0; v < LB_VECTOR_COUNT; v++) {
        r->vector[v] = lb_vector(memory + v * bytes, r->el_type, r->units, zero);
        before[v] = lb_vector(memory + (LB_VECTOR_COUNT + v) * bytes, r->el_type, r->units, zero);
    }
    r->before = before;
    if (r->own->has_frames)
        copy_vector(r, &r->vector[LB_VECTOR_HIDDEN], r->call->tensor[LB_ROLE_PREV_OUT]);
    if (r->call->tensor[LB_ROLE_CELL])
        copy_vector(r, &r->vector[LB_VECTOR_FIRST_OLD], r->call->tensor[LB_ROLE_CELL]);
}

/* Does the result of this frame go where its hidden state lies? */
static bool lies_on_state(const run *r)
{
    const lb_call *call = r->call;
    return r->frame == 0 ? call->tensor[LB_ROLE_PREV_OUT]->data.mem.ptr ==
                               call->tensor[LB_ROLE_OUT]->data.mem.ptr
                         : !lb_program_has_all_results(call);
}

/* Steps work where the function has its vectors; of edits on those that are given, and else in the
 * places of their own, where the state is found that the frame before has left. */
static void begin_frame(run *r)
{
    for (int v = 0; v < LB_VECTOR_COUNT; v++)
        if (r->before ? is_given(r, v) : r->frame == 0 || moves(&r->own->vector[v]))
            find_place(r, v);
    if (!r->before)
        choose_listener(r);
    else if (has_vector(r, LB_VECTOR_STATE_PLACE))
        copy_vector(r, &r->vector[LB_VECTOR_STATE_PLACE], &r->vector[LB_VECTOR_HIDDEN]);
}

/* Of edits: the result of a step goes over the state too, where it lies there. */
static void follow_state_place(run *r, const lb_program_step *s)
{
    if (has_vector(r, LB_VECTOR_STATE_PLACE) && r->own->vector[s->out].place == LB_PLACE_ROW &&
        lies_on_state(r))
        copy_vector(r, &r->vector[LB_VECTOR_STATE_PLACE], &r->vector[s->out]);
}

/* The result goes to its row, and to the next frame what it takes. */
static void end_edited_frame(run *r)
{
    lb_tensor row = row_of_out(r, row_of_frame(r, r->frame));
    size_t bytes = r->units * (size_t)lb_element_bytes(r->el_type);
    memcpy(row.data.mem.ptr, r->vector[LB_VECTOR_RESULT].data.mem.ptr, bytes);
    for (int v = 0; v < LB_VECTOR_COUNT; v++)
        if (has_vector(r, v))
            copy_vector(r, &r->before[v], &r->vector[v]);
    for (int c = 0; c < LB_CARRIES; c++) {
        const lb_program_carry *carry = &r->program->carry[c];
        lb_tensor *to = &r->vector[carry->to];
        if (carry->from != carry->to)
            memcpy(to->data.mem.ptr, r->vector[carry->from].data.mem.ptr, bytes);
        if (carry->format != LB_FORMAT_OWN)
            lb_set_quant(to, format_as(r, carry->format, lb_quant_at(to, 0)));
    }
}

static void run_frame(run *r)
{
    const unsigned length = lb_program_length(r->program);
    begin_frame(r);
    for (unsigned n = 0; n < length; n++) {
        run_step(r, &r->program->step[n]);
        if (r->before)
            follow_state_place(r, &r->program->step[n]);
    }
    if (r->before)
        end_edited_frame(r);
}

void lb_exact_program(const lb_context *context, lb_call *call)
{
    const lb_program_edit *edit = context->program;
    lb_tensor before[LB_VECTOR_COUNT];
    run r = begin(context, call);
    if (edit)
        begin_edited(&r, edit->memory, before);
    for (; r.frame < r.frames; r.frame++) {
        r.program = edit ? edit->of_frame(edit->user, r.own, r.frame) : r.own;
        run_frame(&r);
    }
    if (r.own->has_frames)
        write_fields(&r);
}
