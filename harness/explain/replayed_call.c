/* The call that an explanation is about: see replayed_call.h. */
#include "harness/explain/replayed_call.h"
#include "harness/base/xalloc.h"
#include "harness/call/chain.h"
#include "harness/call/model.h"
#include "harness/explain/sandboxed_call.h"
#include "harness/faults/faults.h"
#include "harness/trial/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Moments ---- */

static void take_snapshot(lb_snapshot *snapshot, const lb_instance *instance, lb_arena *arena)
{
    if (!snapshot->block)
        snapshot->block = lb_arena_alloc(arena, instance->memory->block_bytes + 1);
    memcpy(snapshot->block, instance->block, instance->memory->block_bytes);
    memcpy(snapshot->tensors, instance->tensors, sizeof snapshot->tensors);
    snapshot->call = instance->call;
}

static void put_back(lb_instance *instance, const lb_snapshot *snapshot)
{
    memcpy(instance->block, snapshot->block, instance->memory->block_bytes);
    memcpy(instance->tensors, snapshot->tensors, sizeof snapshot->tensors);
    instance->call = snapshot->call;
}

void lb_replayed_repeat(lb_replayed *replayed, const lb_context *context)
{
    put_back(&replayed->exact, &replayed->before);
    lb_run_exact(context, &replayed->exact.call);
}

/* ---- The call ---- */

static void run_real(lb_replayed *replayed)
{
    lb_real_outputs outputs = {.value = {0}};
    put_back(&replayed->exact, &replayed->before);
    lb_model_real_values(replayed->profile, &replayed->exact, &outputs, replayed->arena);
    memcpy(replayed->real, outputs.value, sizeof replayed->real);
}

static void run_exact(lb_replayed *replayed)
{
    lb_ran ran = lb_model_call(&(lb_context){.profile = replayed->profile}, &replayed->exact);
    replayed->rule = ran.violated;
    replayed->computed = ran.computed;
}

/* Without a port, the exact model stands in its place: only what is recorded can differ. */
static void judge(lb_replayed *replayed)
{
    lb_trial trial = {.memory = &replayed->memory,
                      .profile = replayed->profile,
                      .exact = &replayed->exact,
                      .port = replayed->port_ran ? &replayed->port : &replayed->exact,
                      .given = (const lb_fields(*)[LB_MAX_LIST])replayed->given,
                      .expect = replayed->expect,
                      .rule = replayed->rule};
    replayed->result = (lb_result){
        .outlier = "", .reason = "", .rule = "", .status_expected = "", .status_got = ""};
    lb_judge(&trial, &replayed->result, replayed->arena);
}

static void find_expectation(lb_replayed *replayed)
{
    const lb_case *c = replayed->test_case;
    uint32_t step = c->chain.steps ? replayed->call_number : 0;
    replayed->expect =
        lb_chain_expect(c, lb_case_expect(c, replayed->profile), step, &replayed->checkpoint);
}

static void begin(lb_replayed *replayed, const lb_case *c, const lb_profile *profile,
                  unsigned misaligned, lb_arena *arena)
{
    *replayed = (lb_replayed){.test_case = c,
                              .profile = profile,
                              .arena = arena,
                              .call_number = 1,
                              .calls = lb_calls_of(c)};
    lb_call_memory_make_as(&replayed->memory, c, &(lb_memory_options){.misaligned = misaligned},
                           arena);
    lb_instance_make(&replayed->exact, &replayed->memory, arena);
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        if (c->operand[role].present && c->operand[role].is_output)
            replayed->given[role][0] =
                lb_fields_of(&replayed->exact, &replayed->exact.tensors[role][0]);
}

/* Most calls of a long chain are alike: then there is nothing to judge. */
static bool call_agrees(lb_replayed *replayed)
{
    find_expectation(replayed);
    if (!replayed->expect && replayed->exact.call.status == replayed->port.call.status &&
        memcmp(replayed->exact.block, replayed->port.block, replayed->memory.block_bytes) == 0 &&
        !lb_instances_differ_in_fields(&replayed->exact, &replayed->port))
        return true;
    judge(replayed);
    return replayed->result.verdict == LB_PASS;
}

/* What both processes see: the call that is made, and why the port could not make it. */
typedef struct shared {
    uint32_t call_number;
    bool refusal_asked; /* the port tells no refusals: it was not called */
    char failure[400];
} shared;

/* What goes on in the port's process: model and port side by side, to the first call that diverges.
 */
typedef struct play {
    lb_replayed *replayed;
    lb_port *port;
    shared *told;
} play;

/* False: the port could not make it, and says why. */
static bool port_call(play *p)
{
    lb_replayed *replayed = p->replayed;
    if (!p->port->failure) {
        lb_instance_guard(&replayed->port, true);
        p->port->call(p->port, replayed->profile, &replayed->port.call);
        lb_instance_guard(&replayed->port, false);
    }
    if (p->port->failure)
        snprintf(p->told->failure, sizeof p->told->failure, "%s", p->port->failure);
    return !p->port->failure;
}

/* Fields of outputs that are not the port's to tell come as they must be. False: it is a refusal
 * that the port does not tell. */
static bool give_what_is_not_told(play *p)
{
    const lb_port *port = p->port;
    if (port->computes_only && !p->replayed->computed) {
        p->told->refusal_asked = true;
        return false;
    }
    if (port->computes_only || port->formats_given)
        lb_instance_give_formats(&p->replayed->exact, &p->replayed->port);
    return true;
}

static void play_calls(void *user)
{
    play *p = user;
    lb_replayed *replayed = p->replayed;
    p->port->failure = NULL;
    if (p->port->begin)
        p->port->begin(p->port, &replayed->port);
    for (;; replayed->call_number++) {
        p->told->call_number = replayed->call_number;
        run_exact(replayed);
        if (!give_what_is_not_told(p) || !port_call(p))
            return;
        replayed->port_ran = true; /* in this process: what is judged is the port's call */
        if (replayed->call_number == replayed->calls || !replayed->computed ||
            !call_agrees(replayed))
            return;
        lb_chain_feed(&replayed->exact, replayed->call_number + 1);
        lb_chain_feed(&replayed->port, replayed->call_number + 1);
    }
}

/* The port's calls; gives the number of the last one. */
static uint32_t play_port(lb_replayed *replayed, lb_port *port, double seconds)
{
    shared *told = lb_zeroed_shared(sizeof *told);
    play p = {.replayed = replayed, .port = port, .told = told};
    lb_instance_make(&replayed->port, &replayed->memory, replayed->arena);
    replayed->port_trouble =
        lb_explain_apart(play_calls, &p, &replayed->port, seconds, replayed->arena);
    if (!replayed->port_trouble && told->failure[0])
        replayed->port_trouble = lb_arena_strdup(replayed->arena, told->failure);
    if (!replayed->port_trouble && told->refusal_asked) {
        replayed->port_trouble =
            "is not called: the case asks for a refusal, which it does not tell";
        replayed->port_skipped = true;
    }
    uint32_t last = told->call_number > 0 ? told->call_number : 1;
    lb_shared_give_back(told, sizeof *told);
    return last;
}

/* Why the port is not tried; NULL: it is. */
static const char *reason_to_skip(const lb_replayed *replayed, const lb_port *port)
{
    if (!port->provides(port, replayed->test_case->kernel))
        return "not provided by the port";
    return port->cannot_run
               ? port->cannot_run(port, replayed->profile, &replayed->memory, replayed->arena)
               : NULL;
}

/* The exact model's calls, up to number `last`; without a port to the first one that diverges from
 * what is recorded. */
static void play_exact(lb_replayed *replayed, uint32_t last)
{
    for (;; replayed->call_number++) {
        take_snapshot(&replayed->before, &replayed->exact, replayed->arena);
        run_exact(replayed);
        find_expectation(replayed);
        bool judged = replayed->call_number == last || !replayed->port_ran;
        if (judged)
            judge(replayed);
        if (replayed->call_number == last || !replayed->computed ||
            (judged && replayed->result.verdict != LB_PASS))
            return;
        lb_chain_feed(&replayed->exact, replayed->call_number + 1);
    }
}

void lb_replayed_open(lb_replayed *replayed, const lb_case *c, const lb_profile *profile,
                      lb_port *port, unsigned misaligned, double seconds, lb_arena *arena)
{
    begin(replayed, c, profile, misaligned, arena);
    uint32_t last = replayed->calls;
    replayed->port_trouble = reason_to_skip(replayed, port);
    replayed->port_skipped = replayed->port_trouble != NULL;
    if (!replayed->port_skipped) {
        last = play_port(replayed, port, seconds);
        replayed->port_ran = !replayed->port_trouble;
    }
    play_exact(replayed, last);
    lb_context context = {.profile = profile};
    if (replayed->computed && c->kernel->real) {
        run_real(replayed);
        lb_replayed_repeat(replayed, &context);
    }
}

void lb_replayed_adopt(lb_replayed *replayed, const lb_case *c, const lb_profile *profile,
                       const lb_instance *port, uint32_t call_number, lb_arena *arena)
{
    begin(replayed, c, profile, port->memory->misaligned, arena);
    replayed->port_ran = true;
    replayed->port = *port;
    replayed->call_number = lb_model_go_to(profile, &replayed->exact, 1, call_number);
    take_snapshot(&replayed->before, &replayed->exact, arena);
    run_exact(replayed);
    find_expectation(replayed);
}

bool lb_replayed_diverges(const lb_replayed *replayed)
{
    bool failed = !replayed->port_ran && !replayed->port_skipped;
    return failed || replayed->result.verdict != LB_PASS;
}

/* ---- Elements ---- */

static const lb_case_tensor *output_of(const lb_replayed *replayed, lb_role role)
{
    return &replayed->test_case->operand[role].tensors[0];
}

lb_layout lb_replayed_layout(const lb_replayed *replayed, lb_role role)
{
    return lb_layout_of(output_of(replayed, role));
}

/* Where the output's memory begins before the call, as an offset in the block; false: it has none
 * there. */
static bool start_of(const lb_replayed *replayed, lb_role role, size_t *offset)
{
    const lb_tensor *t = &replayed->before.tensors[role][0];
    uintptr_t at = (uintptr_t)t->data.mem.ptr, block = (uintptr_t)replayed->exact.block;
    if (output_of(replayed, role)->rank == 0 || at < block ||
        at >= block + replayed->memory.block_bytes)
        return false;
    *offset = at - block;
    return true;
}

const unsigned char *lb_replayed_address(const lb_replayed *replayed, const lb_instance *instance,
                                         lb_role role, size_t flat)
{
    lb_layout layout = lb_replayed_layout(replayed, role);
    size_t offset = 0;
    if (output_of(replayed, role)->rank == 0)
        return (const unsigned char *)&instance->tensors[role][0].data.mem;
    if (layout.element_bytes == 0 || !start_of(replayed, role, &offset))
        return NULL;
    return instance->block + offset + lb_layout_offset(&layout, flat);
}

int64_t lb_replayed_value(const lb_replayed *replayed, const lb_instance *instance, lb_role role,
                          size_t flat)
{
    const unsigned char *at = lb_replayed_address(replayed, instance, role, flat);
    return at ? lb_read_container(at, lb_replayed_layout(replayed, role).element_bytes) : 0;
}

int64_t lb_replayed_value_before(const lb_replayed *replayed, lb_role role, size_t flat)
{
    const unsigned char *at = lb_replayed_address(replayed, &replayed->exact, role, flat);
    unsigned bytes = lb_replayed_layout(replayed, role).element_bytes;
    if (!at)
        return 0;
    if (output_of(replayed, role)->rank == 0)
        return lb_read_container((const unsigned char *)&replayed->before.tensors[role][0].data.mem,
                                 bytes);
    return lb_read_container(replayed->before.block + (at - replayed->exact.block), bytes);
}

bool lb_replayed_recorded(const lb_replayed *replayed, lb_role role, size_t flat, int64_t *value)
{
    const lb_expect *expect = replayed->expect;
    if (!expect || !expect->has_output[role] || flat >= expect->output[role].count)
        return false;
    *value = expect->output[role].items[flat];
    return true;
}

bool lb_replayed_model_element(const lb_replayed *replayed, lb_role role, size_t flat,
                               size_t *element)
{
    const lb_case_tensor *given = output_of(replayed, role);
    const lb_tensor *t = &replayed->before.tensors[role][0];
    lb_layout layout = lb_layout_of(given);
    if (!given->has_buffer_elements && !given->has_rank)
        return *element = flat, true;
    size_t count = lb_element_count(t),
           offset = lb_layout_offset(&layout, flat) / layout.element_bytes;
    for (size_t i = 0; i < count && count <= given->buffer_elements; i++)
        if (lb_offset_of_flat(t, i) == offset)
            return *element = i, true;
    return false;
}

const lb_tensor *lb_replayed_tensor(const lb_replayed *replayed, lb_owner owner)
{
    int role = lb_owner_role(owner), item = lb_owner_item(owner) > 0 ? lb_owner_item(owner) : 0;
    bool known = role >= 0 && replayed->test_case->operand[role].present;
    return known ? &replayed->before.tensors[role][item] : NULL;
}
