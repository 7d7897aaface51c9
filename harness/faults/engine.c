/* Running faults on a case: see faults.h. */
#include "harness/call/fields.h"
#include "harness/call/model.h"
#include "harness/faults/step_run.h"
#include "harness/faults/views.h"

#include <string.h>

/* Steps of a call on which many faults are tried (a smaller case shows the same), and one alone. */
enum { MOST_STEPS = 1 << 21, MOST_STEPS_FOR_ONE = 1 << 24 };

bool lb_fault_bench_make(lb_fault_bench *bench, const lb_case *c, const lb_profile *profile,
                         lb_arena *arena)
{
    return lb_fault_bench_make_at(bench, c, 1, profile, arena);
}

bool lb_fault_bench_make_at(lb_fault_bench *bench, const lb_case *c, uint32_t call,
                            const lb_profile *profile, lb_arena *arena)
{
    *bench = (lb_fault_bench){.test_case = c, .profile = profile, .arena = arena, .call = call};
    if (!c->kernel || !c->kernel->exact)
        return false;
    lb_call_memory_make(&bench->memory, c, arena);
    lb_instance_make(&bench->before, &bench->memory, arena);
    lb_instance_make(&bench->right, &bench->memory, arena);
    lb_instance_make(&bench->out, &bench->memory, arena);
    uint32_t calls = lb_calls_of(c);
    lb_model_go_to(profile, &bench->before, 1, call < calls ? call : calls);
    if (call > 1)
        lb_instance_take(&bench->right, &bench->before);
    lb_ran ran = lb_model_call(&(lb_context){.profile = profile}, &bench->right);
    if (ran.undefined != LB_SAID)
        return false;
    bench->violated = ran.violated;
    bench->computed = ran.computed;
    return true;
}

/* What only some kinds of faults can act on: calls that compute, statuses of calls that do not. */
static bool can_act(const lb_fault_bench *bench, const lb_fault *fault)
{
    switch (fault->kind->group) {
    case LB_FAULTS_READING:
        return bench->computed || fault->early;
    case LB_FAULTS_STEP:
    case LB_FAULTS_EXTENT:
    case LB_FAULTS_PLATFORM:
        return bench->computed;
    case LB_FAULTS_WRITING:
    case LB_FAULTS_STATUS:
    case LB_FAULTS_STATE:
    case LB_FAULTS_GROUP_COUNT:
        break;
    }
    return true;
}

/* As the call finds it. */
void lb_fault_bench_reset(lb_fault_bench *bench)
{
    lb_instance_reset(&bench->out);
    if (bench->call > 1)
        lb_instance_take(&bench->out, &bench->before);
}

void lb_fault_bench_for_one(lb_fault_bench *bench)
{
    bench->for_one = true;
    if (bench->steps >= MOST_STEPS)
        bench->steps = 0; /* to be counted again */
}

/* Taps are counted once for all faults of a case. */
bool lb_fault_bench_count(lb_fault_bench *bench)
{
    uint64_t most = bench->for_one ? MOST_STEPS_FOR_ONE : MOST_STEPS;
    if (bench->steps == 0) {
        lb_fault_bench_reset(bench);
        bench->counts = lb_fault_count_taps(bench->profile, &bench->out, most, &bench->steps,
                                            &bench->told, bench->arena);
    }
    return bench->steps < most;
}

double lb_fault_bench_cost(lb_fault_bench *bench, bool listened)
{
    /* Of one step or given number that is listened to, of one step that is not, of a byte of memory
     * that is reset and compared, and of what every run costs beside. */
    static const double LISTENED = 36e-9, PLAIN = 15e-9, BYTE = 1e-9, RUN = 4e-6;
    double cost = RUN + BYTE * (double)bench->memory.block_bytes;
    if (!bench->computed)
        return cost;
    if (bench->steps == 0) {
        (void)lb_fault_bench_count(bench);
        cost += (double)bench->told * LISTENED;
    }
    return cost + (listened ? (double)bench->told * LISTENED : (double)bench->steps * PLAIN);
}

/* What nobody can know is as it would be right. */
static void leave_unsaid(lb_fault_bench *bench)
{
    for (size_t i = 0; bench->unsaid && i < bench->memory.block_bytes; i++)
        if (bench->unsaid[i])
            bench->out.block[i] = bench->right.block[i];
}

bool lb_fault_try(lb_fault_bench *bench, const lb_fault *fault)
{
    bench->is_undefined = false;
    if (!can_act(bench, fault) ||
        (fault->kind->group == LB_FAULTS_STEP && !lb_fault_bench_count(bench)))
        return false;
    lb_fault_bench_reset(bench);
    bench->unsaid = NULL;
    lb_fault_run run = {.fault = fault,
                        .profile = bench->profile,
                        .test_case = bench->test_case,
                        .before = &bench->before,
                        .right = &bench->right,
                        .violated = bench->violated,
                        .out = &bench->out,
                        .arena = bench->arena,
                        .counts = bench->counts,
                        .wanted = bench->wanted,
                        .wanted_role = bench->wanted_role};
    if (fault->kind->group != LB_FAULTS_STATUS) {
        bench->out.call.status = bench->right.call.status;
        bench->out.call.return_value = bench->right.call.return_value;
    }
    bench->out.call.undefined = LB_SAID;
    bool has_a_say = fault->kind->run(&run);
    bench->is_undefined =
        bench->out.call.undefined != LB_SAID && fault->kind->group != LB_FAULTS_STATUS;
    bench->unsaid = run.unsaid;
    leave_unsaid(bench);
    return has_a_say && !bench->is_undefined;
}

/* ---- What differs ---- */

static bool config_differs(const lb_call *a, const lb_call *b)
{
    lb_config_kind filled = lb_filled_config(a->kernel);
    return !lb_config_same(filled != LB_CONFIG_NONE ? filled : a->kernel->config_kind, &a->config,
                           &b->config);
}

/* ---- Digests ---- */

static uint64_t digest(uint64_t h, const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    while (count-- > 0)
        h = (h ^ *at++) * 1099511628211u;
    return h;
}

static uint64_t digest_place(uint64_t h, const lb_place *place)
{
    const uint64_t words[] = {(uint64_t)place->kind, place->buffer, place->offset_bytes};
    return digest(h, words, sizeof words);
}

static uint64_t digest_fields(uint64_t h, const lb_fields *f)
{
    const lb_param_field *lists[] = {&f->scale, &f->zero_point, &f->scale_frac_bits};
    const uint32_t words[] = {f->rank, f->el_type, f->capacity_bytes, (uint32_t)f->frac_bits,
                              (uint32_t)f->axis};
    unsigned rank = f->rank < LB_MAX_RANK ? f->rank : LB_MAX_RANK;
    h = digest(h, words, sizeof words);
    h = digest(h, f->shape, rank * sizeof *f->shape);
    h = digest(h, f->mem_stride, rank * sizeof *f->mem_stride);
    h = digest_place(h, &f->data);
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        h = digest_place(digest(h, &lists[i]->value, sizeof lists[i]->value), &lists[i]->place);
    return h;
}

/* What stands beside buffers counts by its distance from the nearer one, up to the width of a zone:
 * where buffers begin depends on the level and the id of a case, and no fault knows that. */
static uint64_t digest_zone(uint64_t h, const lb_instance *left, size_t from, size_t to)
{
    const unsigned char *block = left->block, fill = left->memory->guard_fill;
    for (size_t i = from; i < to; i++)
        if (block[i] != fill) {
            const bool behind = from > 0 && i - from <= to - i;
            const size_t distance = behind ? i - from : to - i;
            const uint64_t words[] = {behind, distance < LB_GUARD_BYTES ? distance : LB_GUARD_BYTES,
                                      block[i]};
            h = digest(h, words, sizeof words);
        }
    return h;
}

static uint64_t digest_memory(uint64_t h, const lb_instance *left)
{
    const lb_call_memory *m = left->memory;
    size_t end = 0;
    for (unsigned b = 0; b < m->buffer_count; b++) {
        const lb_buffer *buffer = &m->buffers[b];
        h = digest_zone(h, left, end, buffer->offset);
        if (buffer->kind != LB_BUFFER_SCRATCH)
            h = digest(h, left->block + buffer->offset, buffer->size_bytes);
        end = buffer->offset + buffer->size_bytes;
    }
    return digest_zone(h, left, end, m->block_bytes);
}

uint64_t lb_fault_digest(const lb_instance *left)
{
    const lb_case *c = left->memory->test_case;
    const int64_t told[] = {left->call.status, left->call.return_value};
    uint64_t h = digest_memory(digest(14695981039346656037u, told, sizeof told), left);
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        for (unsigned i = 0; c->operand[role].present && i < c->operand[role].count; i++) {
            lb_fields fields = lb_fields_of(left, &left->tensors[role][i]);
            h = digest_fields(h, &fields);
        }
    return h;
}

bool lb_fault_is_caught(const lb_fault_bench *bench)
{
    const lb_call *right = &bench->right.call, *out = &bench->out.call;
    return right->status != out->status || right->return_value != out->return_value ||
           lb_instances_differ_in_bytes(&bench->right, &bench->out) ||
           lb_instances_differ_in_fields(&bench->right, &bench->out) || config_differs(right, out);
}
