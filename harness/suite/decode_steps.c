/* The decoder: sequences of mli_mov_* calls (pooling_and_movement.md 6 and 7). */
#include "harness/base/suggest.h"
#include "harness/suite/decode.h"

#include <stdio.h>
#include <string.h>

enum { MAX_HANDLES = 32, MAX_STEPS = 256, MAX_CALLBACKS = 16, MAX_NAME_BYTES = 64, CHANNELS = 16 };

/* Arguments of each call, as sets of bits of S_... */
enum { S_CALL, S_HANDLE, S_NUM_CH, S_CH_OFFSET, S_COOKIE, S_CALLBACK, S_IN, S_KEY_COUNT };

static const lb_key step_keys[] = {{"call", true},       {"handle", false}, {"num_ch", false},
                                   {"ch_offset", false}, {"cookie", false}, {"callback", false},
                                   {"in", false},        {NULL, false}};

#define A(key) (1u << (S_##key))
static const struct {
    const char *name;
    unsigned needs, may_have;
} calls[] = {
    {"mli_mov_set_num_dma_ch", A(CH_OFFSET) | A(NUM_CH), 0},
    {"mli_mov_acquire_handle", A(HANDLE) | A(NUM_CH), 0},
    {"mli_mov_prepare", A(HANDLE), A(IN)},
    {"mli_mov_registercallback", A(HANDLE) | A(CALLBACK) | A(COOKIE), 0},
    {"mli_mov_start", A(HANDLE), A(IN)},
    {"mli_mov_isdone", A(HANDLE), 0},
    {"mli_mov_wait", A(HANDLE), 0},
    {"mli_mov_release_handle", A(HANDLE), 0},
    {"mli_mov_tensor_sync", 0, A(IN)},
};
#undef A
enum { CALL_COUNT = sizeof calls / sizeof calls[0] };

/* ---- Handles ---- */

static const lb_key handle_keys[] = {
    {"dma_ch", true}, {"num_ch", true}, {"state", true}, {NULL, false}};

static void decode_handle(lb_decoder *d, const cJSON *node, lb_handle *handle)
{
    static const char *const states[] = {"invalid",     "open", "prepared", "dma_configured",
                                         "dma_running", "done", NULL};
    const cJSON *slots[3];
    int64_t number;
    unsigned state;
    if (!lb_read_members(d, node, handle_keys, slots))
        return;
    if (lb_read_integer(d, slots[0], 0, CHANNELS - 1, "channels", &number))
        handle->dma_ch = (int32_t)number;
    if (lb_read_integer(d, slots[1], 0, CHANNELS, "numbers of channels", &number))
        handle->num_ch = (int32_t)number;
    if (lb_read_choice(d, slots[2], states, &state))
        handle->state = (int32_t)state;
}

static int find_handle(const lb_case *c, const char *name)
{
    for (size_t i = 0; i < c->handle_count; i++)
        if (c->handles[i].name && strcmp(c->handles[i].name, name) == 0)
            return (int)i;
    return -1;
}

void lb_decode_handles(lb_decoder *d, const cJSON *node)
{
    size_t count = 0;
    if (!cJSON_IsObject(node)) {
        lb_complain(d, node, NULL, "", "expected an object, found %s", lb_describe(node).text);
        return;
    }
    for (const cJSON *member = node->child; member; member = member->next)
        count++;
    if (count > MAX_HANDLES) {
        lb_complain(d, node, NULL, "at most 32", "%zu handles", count);
        return;
    }
    d->c->handles = lb_arena_array(d->arena, count, sizeof *d->c->handles);
    for (const cJSON *member = node->child; member; member = member->next) {
        lb_handle *handle = &d->c->handles[d->c->handle_count];
        if (find_handle(d->c, member->string) >= 0)
            lb_complain_key(d, member, "each key stands once in an object",
                            "the key \"%s\" stands here a second time", member->string);
        handle->name = lb_arena_strdup(d->arena, member->string);
        decode_handle(d, member, handle);
        d->c->handle_count++;
    }
}

/* ---- Steps ---- */

static const char *handle_name_at(const void *set, size_t index)
{
    const lb_case *c = set;
    return index < c->handle_count ? c->handles[index].name : NULL;
}

static void decode_step_handle(lb_decoder *d, const cJSON *node, lb_step *step)
{
    const char *name = lb_read_text(d, node);
    if (!name)
        return;
    step->handle = find_handle(d->c, name);
    if (step->handle < 0) {
        char remedy[400];
        lb_suggest_text(name, handle_name_at, d->c, remedy, sizeof remedy);
        lb_complain(d, node, NULL, remedy, "unknown handle \"%s\"", name);
    }
}

static void decode_step_source(lb_decoder *d, const cJSON *node, lb_step *step)
{
    static const char *const names[] = {"in", "in_bad", NULL};
    unsigned which;
    if (!lb_read_choice(d, node, names, &which))
        return;
    step->in_is_bad = which == 1;
    if (step->in_is_bad && !d->c->operand[LB_ROLE_IN_BAD].present)
        lb_complain(d, node, NULL, "add it under \"inputs\"", "the case has no tensor \"in_bad\"");
}

/* Channel numbers outside the process-wide pool of 16, and negative counts, are undefined
 * (pooling_and_movement.md 6). */
static void decode_step_numbers(lb_decoder *d, const cJSON **slots, lb_step *step)
{
    int64_t number;
    if (slots[S_NUM_CH] &&
        lb_read_integer(d, slots[S_NUM_CH], 0, CHANNELS, "numbers of channels", &number)) {
        step->has_num_ch = true;
        step->num_ch = (int32_t)number;
    }
    if (slots[S_CH_OFFSET] &&
        lb_read_integer(d, slots[S_CH_OFFSET], 0, CHANNELS - 1, "channels", &number)) {
        step->has_ch_offset = true;
        step->ch_offset = (int32_t)number;
    }
    if (slots[S_COOKIE])
        step->has_cookie = lb_read_i32(d, slots[S_COOKIE], "cookies", &step->cookie);
}

static void decode_step(lb_decoder *d, const cJSON *node, lb_step *step)
{
    const cJSON *slots[S_KEY_COUNT];
    const char *names[CALL_COUNT + 1] = {NULL};
    unsigned which;
    step->handle = -1;
    for (unsigned i = 0; i < CALL_COUNT; i++)
        names[i] = calls[i].name;
    if (!lb_read_members(d, node, step_keys, slots) ||
        !lb_read_choice(d, slots[S_CALL], names, &which))
        return;
    step->call = lb_arena_strdup(d->arena, names[which]);
    for (unsigned key = S_HANDLE; key < S_KEY_COUNT; key++) {
        bool needs = calls[which].needs & 1u << key;
        if (needs && !slots[key])
            lb_complain(d, node, step_keys[key].name, "", "the key is missing: %s takes it",
                        names[which]);
        else if (slots[key] && !needs && !(calls[which].may_have & 1u << key))
            lb_complain_key(d, slots[key], "leave it out", "%s has no \"%s\"", names[which],
                            step_keys[key].name);
    }
    if (slots[S_HANDLE])
        decode_step_handle(d, slots[S_HANDLE], step);
    if (slots[S_IN])
        decode_step_source(d, slots[S_IN], step);
    decode_step_numbers(d, slots, step);
    if (slots[S_CALLBACK]) {
        step->has_callback = true;
        if (!cJSON_IsNull(slots[S_CALLBACK]))
            step->callback = lb_read_name(d, slots[S_CALLBACK], MAX_NAME_BYTES);
    }
}

void lb_decode_steps(lb_decoder *d, const cJSON *node)
{
    size_t count;
    if (!lb_read_list(d, node, 1, MAX_STEPS, "steps", &count))
        return;
    d->c->steps = lb_arena_array(d->arena, count, sizeof *d->c->steps);
    d->c->step_count = count;
    const cJSON *child = node->child;
    for (size_t i = 0; i < count; i++, child = child->next)
        decode_step(d, child, &d->c->steps[i]);
}

/* ---- Expected steps ---- */

enum { X_STATUS, X_DONE, X_HANDLE, X_CALLBACKS, X_OUT, X_KEY_COUNT };

static const lb_key step_expect_keys[] = {{"status", false},    {"done", false}, {"handle", false},
                                          {"callbacks", false}, {"out", false},  {NULL, false}};

static bool callback_is_known(const lb_case *c, const char *name)
{
    for (size_t i = 0; i < c->step_count; i++)
        if (c->steps[i].callback && strcmp(c->steps[i].callback, name) == 0)
            return true;
    return false;
}

static void decode_callbacks(lb_decoder *d, const cJSON *node, lb_step_expect *expect)
{
    size_t count, parts;
    if (!lb_read_list(d, node, 0, MAX_CALLBACKS, "callbacks", &count))
        return;
    expect->has_callbacks = true;
    expect->callback_count = count;
    expect->callbacks = lb_arena_array(d->arena, count, sizeof *expect->callbacks);
    const cJSON *child = node->child;
    for (size_t i = 0; i < count; i++, child = child->next) {
        if (!lb_read_list(d, child, 2, 2, "name and cookie", &parts))
            continue;
        char *name = lb_read_name(d, child->child, MAX_NAME_BYTES);
        if (name && !callback_is_known(d->c, name))
            lb_complain(d, child->child, NULL, "a name that a mli_mov_registercallback step gives",
                        "unknown callback \"%s\"", name);
        expect->callbacks[i].name = name;
        lb_read_i32(d, child->child->next, "cookies", &expect->callbacks[i].cookie);
    }
}

static void decode_step_out(lb_decoder *d, const cJSON *node, lb_step_expect *expect)
{
    const lb_case_tensor *t = &d->c->operand[LB_ROLE_OUT].tensors[0];
    uint64_t due = lb_data_count(t);
    if (!lb_read_data(d, node, t->type, &expect->out))
        return;
    expect->has_out = true;
    if (expect->out.count != due)
        lb_complain(d, node, NULL, "", "%zu numbers where the output has %llu", expect->out.count,
                    (unsigned long long)due);
}

static void decode_step_expect(lb_decoder *d, const cJSON *node, const lb_step *step,
                               lb_step_expect *expect)
{
    const cJSON *slots[X_KEY_COUNT];
    bool asks = step->call && strcmp(step->call, "mli_mov_isdone") == 0;
    unsigned due = asks ? X_DONE : X_STATUS;
    unsigned other = asks ? X_STATUS : X_DONE;
    lb_read_members(d, node, step_expect_keys, slots);
    if (!cJSON_IsObject(node))
        return;
    if (!slots[due])
        lb_complain(d, node, step_expect_keys[due].name, "", "the key is missing: %s returns it",
                    step->call);
    if (slots[other])
        lb_complain_key(d, slots[other], "leave it out", "%s does not return it", step->call);
    if (slots[X_STATUS])
        expect->has_status = lb_read_status(d, slots[X_STATUS], &expect->status);
    if (slots[X_DONE])
        expect->has_done = lb_read_bool(d, slots[X_DONE], &expect->done);
    if (slots[X_HANDLE] && step->handle < 0) {
        lb_complain_key(d, slots[X_HANDLE], "leave it out", "%s takes no handle", step->call);
    } else if (slots[X_HANDLE]) {
        expect->has_handle = true;
        expect->handle.name = d->c->handles[step->handle].name;
        decode_handle(d, slots[X_HANDLE], &expect->handle);
    }
    if (slots[X_CALLBACKS])
        decode_callbacks(d, slots[X_CALLBACKS], expect);
    if (slots[X_OUT])
        decode_step_out(d, slots[X_OUT], expect);
}

void lb_decode_step_expectations(lb_decoder *d, const cJSON *node, lb_expect *expect)
{
    size_t count;
    if (!lb_read_list(d, node, d->c->step_count, d->c->step_count, "one entry per step of the case",
                      &count))
        return;
    expect->steps = lb_arena_array(d->arena, count, sizeof *expect->steps);
    expect->step_count = count;
    const cJSON *child = node->child;
    for (size_t i = 0; i < count; i++, child = child->next)
        decode_step_expect(d, child, &d->c->steps[i], &expect->steps[i]);
}
