/* Running faults on a case: see faults.h. */
#include "harness/call/chain.h"
#include "harness/faults/step_run.h"
#include "harness/faults/views.h"

#include <string.h>

/* Makes `to` what `from` is: another instance of the same memory. */
static void take_instance(lb_instance *to, const lb_instance *from)
{
    memcpy(to->block, from->block, from->memory->block_bytes);
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        for (unsigned i = 0; i < from->call.list_count[role]; i++)
            to->tensors[role][i] = lb_fault_moved_tensor(&from->tensors[role][i], from, to);
}

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
    lb_context context = {.profile = profile};
    lb_call_memory_make(&bench->memory, c, arena);
    lb_instance_make(&bench->before, &bench->memory, arena);
    lb_instance_make(&bench->right, &bench->memory, arena);
    lb_instance_make(&bench->out, &bench->memory, arena);
    for (uint32_t step = 2; step <= call && step <= c->chain.steps; step++) {
        lb_run_exact(&context, &bench->before.call);
        lb_chain_feed(&bench->before, step);
    }
    if (call > 1)
        take_instance(&bench->right, &bench->before);
    bench->violated = lb_run_exact(&context, &bench->right.call);
    bench->computed =
        !bench->violated && (!c->kernel->returns_status || bench->right.call.status == LB_OK);
    return true;
}

/* What only some kinds of faults can act on: calls that compute, statuses of calls that do not. */
static bool can_act(const lb_fault_bench *bench, const lb_fault *fault)
{
    switch (fault->kind->group) {
    case LB_FAULTS_STEP:
    case LB_FAULTS_READING:
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
        take_instance(&bench->out, &bench->before);
}

/* Taps are counted once for all faults of a case. */
bool lb_fault_bench_count(lb_fault_bench *bench)
{
    if (bench->steps == 0) {
        lb_fault_bench_reset(bench);
        bench->counts =
            lb_fault_count_taps(bench->profile, &bench->out, &bench->steps, bench->arena);
    }
    return bench->steps < LB_FAULT_MAX_STEPS;
}

bool lb_fault_try(lb_fault_bench *bench, const lb_fault *fault)
{
    if (!can_act(bench, fault) ||
        (fault->kind->group == LB_FAULTS_STEP && !lb_fault_bench_count(bench)))
        return false;
    lb_fault_bench_reset(bench);
    lb_fault_run run = {.fault = fault,
                        .profile = bench->profile,
                        .test_case = bench->test_case,
                        .before = &bench->before,
                        .right = &bench->right,
                        .violated = bench->violated,
                        .out = &bench->out,
                        .arena = bench->arena,
                        .counts = bench->counts};
    if (fault->kind->group != LB_FAULTS_STATUS) {
        bench->out.call.status = bench->right.call.status;
        bench->out.call.return_value = bench->right.call.return_value;
    }
    return fault->kind->run(&run);
}

/* ---- What differs ---- */

static void pass_over(void *user, const char *field, const char *expected, const char *got)
{
    (void)user, (void)field, (void)expected, (void)got;
}

bool lb_instances_differ_in_fields(const lb_instance *a, const lb_instance *b)
{
    const lb_case *c = a->memory->test_case;
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        for (unsigned i = 0; c->operand[role].present && i < c->operand[role].count; i++) {
            lb_fields want = lb_fields_of(a, &a->tensors[role][i]);
            lb_fields have = lb_fields_of(b, &b->tensors[role][i]);
            if (lb_fields_compare(a->memory, &want, &have, pass_over, NULL) > 0)
                return true;
        }
    return false;
}

/* All bytes, guard zones too, but what lies in the scratch memory. */
bool lb_instances_differ_in_bytes(const lb_instance *a, const lb_instance *b)
{
    const lb_call_memory *m = a->memory;
    if (m->scratch_buffer < 0)
        return memcmp(a->block, b->block, m->block_bytes) != 0;
    const lb_buffer *scratch = &m->buffers[m->scratch_buffer];
    size_t end = scratch->offset + scratch->size_bytes;
    return memcmp(a->block, b->block, scratch->offset) != 0 ||
           memcmp(a->block + end, b->block + end, m->block_bytes - end) != 0;
}

static bool config_differs(const lb_call *a, const lb_call *b)
{
    lb_config_kind kind = a->kernel->config_kind;
    bool is_filled = kind >= LB_CONFIG_MOV_SLICE && kind <= LB_CONFIG_MOV_COPY;
    const lb_config_field *f = lb_config_fields(is_filled ? LB_CONFIG_MOV : kind);
    for (; f && f->name; f++) {
        size_t bytes = (f->type == LB_FIELD_U8 ? 1 : 4) * f->count;
        if (memcmp((const char *)&a->config + f->offset, (const char *)&b->config + f->offset,
                   bytes) != 0)
            return true;
    }
    return false;
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

uint64_t lb_fault_digest(const lb_instance *left)
{
    const lb_call_memory *m = left->memory;
    const lb_case *c = m->test_case;
    uint64_t h = 14695981039346656037u;
    size_t hidden = 0, hidden_end = 0;
    if (m->scratch_buffer >= 0) {
        hidden = m->buffers[m->scratch_buffer].offset;
        hidden_end = hidden + m->buffers[m->scratch_buffer].size_bytes;
    }
    const unsigned char *block = (const unsigned char *)left->block;
    const int64_t told[] = {left->call.status, left->call.return_value};
    h = digest(h, told, sizeof told);
    h = digest(digest(h, block, hidden), block + hidden_end, m->block_bytes - hidden_end);
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
