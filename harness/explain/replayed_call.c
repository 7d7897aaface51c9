/* The call that an explanation is about: see replayed_call.h. */
#include "harness/explain/replayed_call.h"
#include "harness/call/chain.h"
#include "harness/explain/sandboxed_call.h"
#include "harness/trial/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* ---- Moments ---- */

static void take_snapshot(lb_snapshot *snapshot, const lb_instance *instance, lb_arena *arena)
{
    if (!snapshot->block)
        snapshot->block = lb_arena_alloc(arena, instance->image->block_bytes + 1);
    memcpy(snapshot->block, instance->block, instance->image->block_bytes);
    memcpy(snapshot->tensors, instance->tensors, sizeof snapshot->tensors);
    snapshot->call = instance->call;
}

static void put_back(lb_instance *instance, const lb_snapshot *snapshot)
{
    memcpy(instance->block, snapshot->block, instance->image->block_bytes);
    memcpy(instance->tensors, snapshot->tensors, sizeof snapshot->tensors);
    instance->call = snapshot->call;
}

void lb_scene_repeat(lb_scene *scene, const lb_context *context)
{
    put_back(&scene->exact, &scene->before);
    lb_run_exact(context, &scene->exact.call);
}

/* ---- The call ---- */

static void run_real(lb_scene *scene, const lb_context *context)
{
    const lb_case *c = scene->test_case;
    lb_real_outputs outputs = {.value = {0}};
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        const lb_case_operand *operand = &c->operand[role];
        if (!operand->present || !operand->is_output || c->null_role[role])
            continue;
        lb_layout layout = lb_layout_of(&operand->tensors[0]);
        outputs.value[role] =
            lb_arena_array(scene->arena, lb_layout_count(&layout) + 1, sizeof(double));
        scene->real[role] = outputs.value[role];
    }
    put_back(&scene->exact, &scene->before);
    c->kernel->real(context, &scene->exact.call, &outputs);
}

static void run_exact(lb_scene *scene)
{
    lb_context context = {.profile = scene->profile};
    const lb_kernel *kernel = scene->test_case->kernel;
    scene->rule = lb_run_exact(&context, &scene->exact.call);
    scene->computed =
        !scene->rule && (!kernel->returns_status || scene->exact.call.status == LB_OK);
}

/* Without a port, the exact model stands in its place: only what is recorded can differ. */
static void judge(lb_scene *scene)
{
    lb_trial trial = {.image = &scene->image,
                      .profile = scene->profile,
                      .exact = &scene->exact,
                      .port = scene->port_ran ? &scene->port : &scene->exact,
                      .given = (const lb_fields(*)[LB_MAX_LIST])scene->given,
                      .expect = scene->expect,
                      .rule = scene->rule};
    scene->result =
        (lb_result){.alone = "", .reason = "", .rule = "", .status_expected = "", .status_got = ""};
    lb_judge(&trial, &scene->result, scene->arena);
}

static void find_expectation(lb_scene *scene)
{
    const lb_case *c = scene->test_case;
    uint32_t step = c->chain.steps ? scene->call_number : 0;
    scene->expect = lb_chain_expect(c, lb_case_expect(c, scene->profile), step, &scene->checkpoint);
}

static void begin(lb_scene *scene, const lb_case *c, const lb_profile *profile, lb_arena *arena)
{
    *scene = (lb_scene){.test_case = c,
                        .profile = profile,
                        .arena = arena,
                        .call_number = 1,
                        .calls = c->chain.steps ? c->chain.steps : 1};
    lb_image_make(&scene->image, c, arena);
    lb_instance_make(&scene->exact, &scene->image, arena);
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        if (c->operand[role].present && c->operand[role].is_output)
            scene->given[role][0] = lb_fields_of(&scene->exact, &scene->exact.tensors[role][0]);
}

/* Most calls of a long chain are alike: then there is nothing to judge. */
static bool call_agrees(lb_scene *scene)
{
    find_expectation(scene);
    if (!scene->expect && scene->exact.call.status == scene->port.call.status &&
        memcmp(scene->exact.block, scene->port.block, scene->image.block_bytes) == 0)
        return true;
    judge(scene);
    return scene->result.verdict == LB_PASS;
}

/* What both processes see: the call that is made, and why the port could not make it. */
typedef struct shared {
    uint32_t call_number;
    char failure[400];
} shared;

/* What goes on in the port's process: model and port side by side, to the first call that departs.
 */
typedef struct play {
    lb_scene *scene;
    lb_port *port;
    shared *told;
} play;

/* False: the port could not make it, and says why. */
static bool port_call(play *p)
{
    lb_scene *scene = p->scene;
    if (!p->port->failure) {
        lb_instance_guard(&scene->port, true);
        p->port->call(p->port, scene->profile, &scene->port.call);
        lb_instance_guard(&scene->port, false);
    }
    if (p->port->failure)
        snprintf(p->told->failure, sizeof p->told->failure, "%s", p->port->failure);
    return !p->port->failure;
}

static void play_calls(void *user)
{
    play *p = user;
    lb_scene *scene = p->scene;
    p->port->failure = NULL;
    if (p->port->begin)
        p->port->begin(p->port, &scene->port);
    for (;; scene->call_number++) {
        p->told->call_number = scene->call_number;
        run_exact(scene);
        if (!port_call(p))
            return;
        if (scene->call_number == scene->calls || !scene->computed || !call_agrees(scene))
            return;
        lb_chain_feed(&scene->exact, scene->call_number + 1);
        lb_chain_feed(&scene->port, scene->call_number + 1);
    }
}

/* The port's calls; gives the number of the last one. */
static uint32_t play_port(lb_scene *scene, lb_port *port, double seconds)
{
    shared *told =
        mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (told == MAP_FAILED) {
        scene->port_trouble = "could not be called: no memory";
        return scene->calls;
    }
    play p = {.scene = scene, .port = port, .told = told};
    lb_instance_make(&scene->port, &scene->image, scene->arena);
    scene->port_trouble = lb_explain_apart(play_calls, &p, &scene->port, seconds, scene->arena);
    if (!scene->port_trouble && told->failure[0])
        scene->port_trouble = lb_arena_strdup(scene->arena, told->failure);
    uint32_t last = told->call_number > 0 ? told->call_number : 1;
    munmap(told, sizeof *told);
    return last;
}

/* Why the port is not tried; NULL: it is. */
static const char *reason_to_skip(const lb_scene *scene, const lb_port *port)
{
    if (!port->provides(port, scene->test_case->kernel))
        return "not provided by the port";
    return port->unfit ? port->unfit(port, scene->profile, &scene->image, scene->arena) : NULL;
}

/* The exact model's calls, up to number `last`; without a port to the first one that departs from
 * what is recorded. */
static void play_exact(lb_scene *scene, uint32_t last)
{
    for (;; scene->call_number++) {
        take_snapshot(&scene->before, &scene->exact, scene->arena);
        run_exact(scene);
        find_expectation(scene);
        bool judged = scene->call_number == last || !scene->port_ran;
        if (judged)
            judge(scene);
        if (scene->call_number == last || !scene->computed ||
            (judged && scene->result.verdict != LB_PASS))
            return;
        lb_chain_feed(&scene->exact, scene->call_number + 1);
    }
}

void lb_scene_open(lb_scene *scene, const lb_case *c, const lb_profile *profile, lb_port *port,
                   double seconds, lb_arena *arena)
{
    begin(scene, c, profile, arena);
    uint32_t last = scene->calls;
    scene->port_trouble = reason_to_skip(scene, port);
    scene->port_skipped = scene->port_trouble != NULL;
    if (!scene->port_skipped) {
        last = play_port(scene, port, seconds);
        scene->port_ran = !scene->port_trouble;
    }
    play_exact(scene, last);
    lb_context context = {.profile = profile};
    if (scene->computed && c->kernel->real) {
        run_real(scene, &context);
        lb_scene_repeat(scene, &context);
    }
}

void lb_scene_adopt(lb_scene *scene, const lb_case *c, const lb_profile *profile,
                    const lb_instance *port, uint32_t call_number, lb_arena *arena)
{
    begin(scene, c, profile, arena);
    scene->port_ran = true;
    scene->port = *port;
    for (;; scene->call_number++) {
        take_snapshot(&scene->before, &scene->exact, arena);
        run_exact(scene);
        if (scene->call_number >= call_number || !scene->computed)
            break;
        lb_chain_feed(&scene->exact, scene->call_number + 1);
    }
    find_expectation(scene);
}

bool lb_scene_departs(const lb_scene *scene)
{
    bool failed = !scene->port_ran && !scene->port_skipped;
    return failed || scene->result.verdict != LB_PASS;
}

/* ---- Elements ---- */

static const lb_case_tensor *output_of(const lb_scene *scene, lb_role role)
{
    return &scene->test_case->operand[role].tensors[0];
}

lb_layout lb_scene_layout(const lb_scene *scene, lb_role role)
{
    return lb_layout_of(output_of(scene, role));
}

/* Where the output's memory begins before the call, as an offset in the block; false: it has none
 * there. */
static bool start_of(const lb_scene *scene, lb_role role, size_t *offset)
{
    const lb_tensor *t = &scene->before.tensors[role][0];
    uintptr_t at = (uintptr_t)t->data.mem.ptr, block = (uintptr_t)scene->exact.block;
    if (output_of(scene, role)->rank == 0 || at < block || at >= block + scene->image.block_bytes)
        return false;
    *offset = at - block;
    return true;
}

const unsigned char *lb_scene_address(const lb_scene *scene, const lb_instance *instance,
                                      lb_role role, size_t flat)
{
    lb_layout layout = lb_scene_layout(scene, role);
    size_t offset = 0;
    if (output_of(scene, role)->rank == 0)
        return (const unsigned char *)&instance->tensors[role][0].data.mem;
    if (layout.element_bytes == 0 || !start_of(scene, role, &offset))
        return NULL;
    return instance->block + offset + lb_layout_offset(&layout, flat);
}

int64_t lb_scene_value(const lb_scene *scene, const lb_instance *instance, lb_role role,
                       size_t flat)
{
    const unsigned char *at = lb_scene_address(scene, instance, role, flat);
    return at ? lb_read_container(at, lb_scene_layout(scene, role).element_bytes) : 0;
}

int64_t lb_scene_value_before(const lb_scene *scene, lb_role role, size_t flat)
{
    const unsigned char *at = lb_scene_address(scene, &scene->exact, role, flat);
    unsigned bytes = lb_scene_layout(scene, role).element_bytes;
    if (!at)
        return 0;
    if (output_of(scene, role)->rank == 0)
        return lb_read_container((const unsigned char *)&scene->before.tensors[role][0].data.mem,
                                 bytes);
    return lb_read_container(scene->before.block + (at - scene->exact.block), bytes);
}

bool lb_scene_recorded(const lb_scene *scene, lb_role role, size_t flat, int64_t *value)
{
    const lb_expect *expect = scene->expect;
    if (!expect || !expect->has_output[role] || flat >= expect->output[role].count)
        return false;
    *value = expect->output[role].items[flat];
    return true;
}

bool lb_scene_model_element(const lb_scene *scene, lb_role role, size_t flat, size_t *element)
{
    const lb_case_tensor *given = output_of(scene, role);
    const lb_tensor *t = &scene->before.tensors[role][0];
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

const lb_tensor *lb_scene_tensor(const lb_scene *scene, const char *name)
{
    char role[32];
    size_t length = strcspn(name, "[");
    unsigned long item = name[length] ? strtoul(name + length + 1, NULL, 10) : 0;
    snprintf(role, sizeof role, "%.*s", (int)length, name);
    int found = lb_role_find(role);
    bool known = found >= 0 && scene->test_case->operand[found].present && item < LB_MAX_LIST;
    return known ? &scene->before.tensors[found][item] : NULL;
}
