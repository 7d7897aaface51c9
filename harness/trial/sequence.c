/* Sequences of movement calls: see sequence.h. Rules: pooling_and_movement.md 6 and 7. */
#include "harness/trial/sequence.h"

#include <stdio.h>
#include <string.h>

static const char *const state_names[] = {"invalid",        "open",        "prepared",
                                          "dma_configured", "dma_running", "done"};

static lb_mov_call call_of(const char *name)
{
    int call = 0;
    while (call < LB_MOV_CALL_COUNT - 1 && strcmp(lb_mov_call_name((lb_mov_call)call), name) != 0)
        call++;
    return (lb_mov_call)call;
}

/* ---- Playing ---- */

void lb_sequence_note_callback(void *user, const char *callback, int32_t cookie)
{
    lb_mov_step *step = *(lb_mov_step **)user;
    if (step->callback_count < LB_MOV_MAX_CALLBACKS) {
        step->callbacks[step->callback_count].name = callback;
        step->callbacks[step->callback_count].cookie = cookie;
    }
    step->callback_count++;
}

static void note_status(lb_mov_step *step, lb_status status)
{
    bool said = status < LB_STATUS_COUNT;
    step->status = said ? (int32_t)status : (int32_t)LB_BAD_TENSOR;
    step->undefined = said ? LB_SAID : (lb_unsaid)((int)status - LB_UNSAID_STATUS);
}

void lb_sequence_model_move(lb_mov_state *state, lb_mov_step *s)
{
    switch (s->call) {
    case LB_MOV_CALL_SET_NUM_DMA_CH:
        s->status = (int32_t)lb_mov_set_num_dma_ch(state, s->ch_offset, s->num_ch);
        break;
    case LB_MOV_CALL_ACQUIRE_HANDLE:
        s->status = (int32_t)lb_mov_acquire(state, s->num_ch, s->handle);
        break;
    case LB_MOV_CALL_PREPARE:
        note_status(s, lb_mov_prepare(state, s->handle, s->src, s->config, s->dst));
        break;
    case LB_MOV_CALL_REGISTERCALLBACK:
        s->status = (int32_t)lb_mov_register_callback(state, s->handle, s->callback, s->cookie);
        break;
    case LB_MOV_CALL_START:
        s->status = (int32_t)lb_mov_start(state, s->handle);
        break;
    case LB_MOV_CALL_ISDONE:
        s->done = lb_mov_is_done(state, s->handle);
        break;
    case LB_MOV_CALL_RELEASE_HANDLE:
        s->status = (int32_t)lb_mov_release(state, s->handle);
        break;
    case LB_MOV_CALL_TENSOR_SYNC:
        note_status(s, lb_mov_tensor_sync(state, s->src, s->config, s->dst));
        break;
    case LB_MOV_CALL_WAIT:
        s->endless = !lb_mov_wait_returns(s->handle);
        break;
    case LB_MOV_CALL_COUNT:
        break;
    }
}

static lb_mov_step make_step(lb_instance *instance, const lb_step *step, lb_mov_handle *handles)
{
    const lb_case *c = instance->memory->test_case;
    lb_role source = step->in_is_bad ? LB_ROLE_IN_BAD : LB_ROLE_IN;
    return (lb_mov_step){.call = call_of(step->call),
                         .handle = step->handle >= 0 ? &handles[step->handle] : NULL,
                         .num_ch = step->num_ch,
                         .ch_offset = step->ch_offset,
                         .cookie = step->cookie,
                         .callback = step->callback,
                         .src = instance->call.tensor[source],
                         .dst = instance->call.tensor[LB_ROLE_OUT],
                         .config = c->null_config ? NULL : &instance->call.config};
}

static int32_t *snapshot(const lb_instance *instance, lb_arena *arena)
{
    const lb_call_memory *memory = instance->memory;
    short buffer = memory->buffer_of[LB_ROLE_OUT][0][LB_BUFFER_DATA];
    if (!memory->test_case->operand[LB_ROLE_OUT].present || buffer < 0)
        return NULL;
    lb_layout layout = lb_layout_of(&memory->test_case->operand[LB_ROLE_OUT].tensors[0]);
    size_t count = lb_layout_count(&layout);
    int32_t *items = lb_arena_array(arena, count, sizeof *items);
    for (size_t i = 0; i < count; i++)
        items[i] = lb_read_container(instance->block + memory->buffers[buffer].offset +
                                         lb_layout_offset(&layout, i),
                                     layout.element_bytes);
    return items;
}

typedef struct port_player {
    lb_port *port;
    const lb_profile *profile;
} port_player;

static void move_on_port(void *user, lb_mov_state *state, lb_mov_step *step)
{
    const port_player *p = user;
    (void)state;
    p->port->move(p->port, p->profile, step);
}

static void move_on_model(void *user, lb_mov_state *state, lb_mov_step *step)
{
    (void)user;
    lb_sequence_model_move(state, step);
}

static lb_step_outcome *play(lb_instance *instance, lb_sequence_move_fn move, void *user,
                             lb_port *port, lb_arena *arena)
{
    const lb_case *c = instance->memory->test_case;
    lb_step_outcome *outcomes = lb_arena_array(arena, c->step_count, sizeof *outcomes);
    lb_mov_handle *handles = lb_arena_array(arena, c->handle_count, sizeof *handles);
    lb_mov_step *current = NULL;
    lb_mov_state state;
    lb_mov_state_init(&state, lb_sequence_note_callback, &current);
    for (size_t i = 0; i < c->handle_count; i++)
        handles[i] =
            (lb_mov_handle){c->handles[i].dma_ch, c->handles[i].num_ch, c->handles[i].state};
    for (size_t i = 0; i < c->step_count; i++) {
        lb_mov_step step = make_step(instance, &c->steps[i], handles);
        current = &step;
        if (port && port->failure)
            break;
        move(user, &state, &step);
        outcomes[i].step = step;
        if (step.handle)
            outcomes[i].handle = *step.handle;
        outcomes[i].out = snapshot(instance, arena);
    }
    return outcomes;
}

lb_step_outcome *lb_sequence_play(lb_instance *instance, lb_port *port, const lb_profile *profile,
                                  lb_arena *arena)
{
    port_player player = {port, profile};
    return play(instance, port ? move_on_port : move_on_model, &player, port, arena);
}

lb_step_outcome *lb_sequence_play_as(lb_instance *instance, lb_sequence_move_fn move, void *user,
                                     lb_arena *arena)
{
    return play(instance, move, user, NULL, arena);
}

bool lb_sequence_is_defined(const lb_case *c, const lb_step_outcome *of_model, size_t *step)
{
    for (*step = 0; *step < c->step_count; ++*step)
        if (of_model[*step].step.endless || of_model[*step].step.undefined != LB_SAID)
            return false;
    return true;
}

/* ---- Comparing ---- */

static bool callbacks_differ(const lb_mov_step *a, const lb_mov_step *b)
{
    bool differ = a->callback_count != b->callback_count;
    for (unsigned i = 0; !differ && i < a->callback_count && i < LB_MOV_MAX_CALLBACKS; i++)
        differ = strcmp(a->callbacks[i].name, b->callbacks[i].name) != 0 ||
                 a->callbacks[i].cookie != b->callbacks[i].cookie;
    return differ;
}

static lb_step_part part_that_differs(const lb_step_outcome *a, const lb_step_outcome *b,
                                      size_t elements)
{
    const lb_mov_step *x = &a->step, *y = &b->step;
    if (x->call != LB_MOV_CALL_ISDONE && x->status != y->status)
        return LB_STEP_STATUS;
    if ((x->call == LB_MOV_CALL_ISDONE && x->done != y->done) || x->endless != y->endless)
        return LB_STEP_DONE;
    if (x->handle && (a->handle.dma_ch != b->handle.dma_ch ||
                      a->handle.num_ch != b->handle.num_ch || a->handle.state != b->handle.state))
        return LB_STEP_HANDLE;
    if (callbacks_differ(x, y))
        return LB_STEP_CALLBACKS;
    return a->out && b->out && memcmp(a->out, b->out, elements * sizeof *a->out) != 0
               ? LB_STEP_ELEMENTS
               : LB_STEP_SAME;
}

lb_step_part lb_sequence_differs(const lb_case *c, const lb_step_outcome *a,
                                 const lb_step_outcome *b, size_t *step)
{
    size_t elements = 0;
    lb_step_part part = LB_STEP_SAME;
    if (c->operand[LB_ROLE_OUT].present) {
        lb_layout layout = lb_layout_of(&c->operand[LB_ROLE_OUT].tensors[0]);
        elements = lb_layout_count(&layout);
    }
    for (*step = 0; *step < c->step_count; ++*step)
        if ((part = part_that_differs(&a[*step], &b[*step], elements)) != LB_STEP_SAME)
            return part;
    return LB_STEP_SAME;
}

typedef struct place {
    lb_findings *findings;
    size_t step;
    const char *call;
} place;

static lb_difference *add(const place *p, const char *field)
{
    lb_difference *d = lb_findings_add(p->findings, LB_DIFFERS_STEP, "");
    d->index = lb_arena_printf(p->findings->arena, "%zu (%s)", p->step, p->call);
    d->field = field;
    return d;
}

static void differ(const place *p, const char *field, const char *expected, const char *got)
{
    if (strcmp(expected, got) == 0)
        return;
    lb_difference *d = add(p, field);
    d->expected = lb_arena_strdup(p->findings->arena, expected);
    d->got = lb_arena_strdup(p->findings->arena, got);
}

static const char *handle_text(lb_arena *arena, int32_t dma_ch, int32_t num_ch, int32_t state)
{
    return lb_arena_printf(arena, "{dma_ch %d, num_ch %d, %s}", dma_ch, num_ch,
                           state >= 0 && state < 6 ? state_names[state] : "?");
}

static const char *callbacks_text(lb_arena *arena, const lb_mov_step *step)
{
    const char *text = "";
    unsigned shown =
        step->callback_count < LB_MOV_MAX_CALLBACKS ? step->callback_count : LB_MOV_MAX_CALLBACKS;
    for (unsigned i = 0; i < shown; i++)
        text = lb_arena_printf(arena, "%s%s%s(%d)", text, i ? ", " : "", step->callbacks[i].name,
                               step->callbacks[i].cookie);
    return step->callback_count ? text : "none";
}

static void compare_out(const place *p, const int32_t *expected, const int32_t *got, size_t count)
{
    uint64_t differing = 0;
    size_t first = 0;
    for (size_t i = 0; expected && got && i < count; i++)
        if (expected[i] != got[i] && differing++ == 0)
            first = i;
    if (differing == 0)
        return;
    lb_difference *d = add(p, lb_arena_printf(p->findings->arena, "out[%zu]", first));
    d->expected = lb_arena_printf(p->findings->arena, "%d", expected[first]);
    d->got = lb_arena_printf(p->findings->arena, "%d", got[first]);
    d->count = differing;
    d->total = count;
}

static bool returns_status(lb_mov_call call)
{
    return call != LB_MOV_CALL_ISDONE;
}

static void compare_recorded_step(const place *p, const lb_step_expect *e,
                                  const lb_step_outcome *got)
{
    lb_arena *arena = p->findings->arena;
    if (e->has_status)
        differ(p, "status", lb_status_name((int)e->status), lb_status_name(got->step.status));
    if (e->has_done)
        differ(p, "done", e->done ? "true" : "false", got->step.done ? "true" : "false");
    if (e->has_handle)
        differ(p, "handle", handle_text(arena, e->handle.dma_ch, e->handle.num_ch, e->handle.state),
               handle_text(arena, got->handle.dma_ch, got->handle.num_ch, got->handle.state));
    if (e->has_out)
        compare_out(p, e->out.items, got->out, e->out.count);
    /* Callbacks that an expectation does not list must not have been made. */
    lb_mov_step expected = {.callback_count = (unsigned)e->callback_count};
    for (size_t i = 0; i < e->callback_count && i < LB_MOV_MAX_CALLBACKS; i++) {
        expected.callbacks[i].name = e->callbacks[i].name;
        expected.callbacks[i].cookie = e->callbacks[i].cookie;
    }
    differ(p, "callbacks", callbacks_text(arena, &expected), callbacks_text(arena, &got->step));
}

void lb_sequence_compare_recorded(lb_findings *findings, const lb_expect *expect,
                                  const lb_step_outcome *got)
{
    const lb_case *c = findings->memory->test_case;
    for (size_t i = 0; i < expect->step_count && i < c->step_count; i++) {
        place p = {findings, i, c->steps[i].call};
        compare_recorded_step(&p, &expect->steps[i], &got[i]);
    }
}

void lb_sequence_compare_exact(lb_findings *findings, const lb_step_outcome *exact,
                               const lb_step_outcome *port)
{
    const lb_case *c = findings->memory->test_case;
    lb_arena *arena = findings->arena;
    size_t count = 0;
    if (c->operand[LB_ROLE_OUT].present) {
        lb_layout layout = lb_layout_of(&c->operand[LB_ROLE_OUT].tensors[0]);
        count = lb_layout_count(&layout);
    }
    for (size_t i = 0; i < c->step_count; i++) {
        place p = {findings, i, c->steps[i].call};
        if (returns_status(exact[i].step.call))
            differ(&p, "status", lb_status_name(exact[i].step.status),
                   lb_status_name(port[i].step.status));
        else
            differ(&p, "done", exact[i].step.done ? "true" : "false",
                   port[i].step.done ? "true" : "false");
        if (exact[i].step.handle)
            differ(&p, "handle",
                   handle_text(arena, exact[i].handle.dma_ch, exact[i].handle.num_ch,
                               exact[i].handle.state),
                   handle_text(arena, port[i].handle.dma_ch, port[i].handle.num_ch,
                               port[i].handle.state));
        differ(&p, "callbacks", callbacks_text(arena, &exact[i].step),
               callbacks_text(arena, &port[i].step));
        compare_out(&p, exact[i].out, port[i].out, count);
    }
}
