/* Calls with other bytes around the buffers: see zones.h. */
#include "harness/diagnose/zones.h"
#include "harness/call/chain.h"
#include "harness/call/fields.h"
#include "harness/call/model.h"
#include "harness/diagnose/work.h"

#include <string.h>

typedef struct zones {
    lb_evidence *e;
    lb_port *port;
    const lb_profile *profile;
    lb_call_memory memory;
    lb_instance exact, instance;
    unsigned char *ours;  /* of each byte of the block: 1: no buffer has it */
    unsigned char *plain; /* the block as it is given */
    uint32_t calls;       /* of a chain: up to the first that differs; else 1 */
    bool failed;          /* the port gave no result */
} zones;

/* Each question makes the calls anew. */
enum { MOST_CALLS = 200 };

static bool make_zones(zones *z, lb_evidence *e, const lb_case *c, lb_arena *arena)
{
    const lb_memory_options layout = {.misaligned = e->misalign};
    lb_context context = {.profile = z->profile};
    /* What each call of a chain may tell of formats is known of its last one alone. */
    if (z->calls > MOST_CALLS ||
        (z->calls > 1 && (z->port->computes_only || z->port->formats_given)))
        return false;
    lb_call_memory_make_as(&z->memory, c, &layout, arena);
    lb_instance_make(&z->exact, &z->memory, arena);
    lb_instance_make(&z->instance, &z->memory, arena);
    if (z->calls > 1 && lb_model_go_to(z->profile, &z->exact, 1, z->calls) < z->calls)
        return false;
    lb_run_exact(&context, &z->exact.call);
    z->ours = lb_arena_raw(arena, z->memory.block_bytes + 1);
    z->plain = lb_arena_raw(arena, z->memory.block_bytes + 1);
    memset(z->ours, 1, z->memory.block_bytes);
    memcpy(z->plain, z->memory.pristine, z->memory.block_bytes);
    for (unsigned b = 0; b < z->memory.buffer_count; b++)
        memset(z->ours + z->memory.buffers[b].offset, 0, z->memory.buffers[b].size_bytes);
    return z->memory.buffer_count > 0;
}

/* What the call leaves in its buffers with `fill` in our bytes from `start` to before `end`. */
static uint64_t digest_with(zones *z, size_t start, size_t end, unsigned char fill)
{
    memcpy(z->memory.pristine, z->plain, z->memory.block_bytes);
    for (size_t i = start; i < end; i++)
        if (z->ours[i])
            z->memory.pristine[i] = fill;
    lb_instance_reset(&z->instance);
    z->port->failure = NULL;
    z->port->whole_block = true; /* with the bytes of the block around each buffer */
    z->port->unsupported = z->port->host_failed = false;
    if (z->port->begin)
        z->port->begin(z->port, &z->instance);
    for (uint32_t n = 1; n <= z->calls && !z->port->failure; n++) {
        if (n > 1)
            lb_chain_feed(&z->instance, n);
        if (z->port->computes_only || z->port->formats_given)
            lb_instance_give_formats(&z->exact, &z->instance);
        z->port->call(z->port, z->profile, &z->instance.call);
    }
    lb_work_calls(z->e, z->calls);
    z->failed = z->failed || z->port->failure || z->port->unsupported;
    for (size_t i = 0; i < z->memory.block_bytes; i++)
        if (z->ours[i])
            z->instance.block[i] = z->plain[i];
    return lb_fault_digest(&z->instance);
}

/* Notes the elements of the output that differ between two blocks. */
static void mark_differing(const zones *z, const unsigned char *a, const unsigned char *b,
                           unsigned char *marks)
{
    lb_left_output out;
    const size_t count = lb_left_output_of(&z->memory, LB_ROLE_OUT, &out) ? out.count : 0;
    for (size_t i = 0; i < count; i++) {
        size_t at = out.start + lb_layout_offset(&out.layout, i);
        marks[i] |= memcmp(a + at, b + at, out.layout.element_bytes) != 0;
    }
}

/* Bytes with which the result is another than with those that are always there. Each wrong element
 * hangs on them: where others are wrong as well, what is read outside is a part of something else.
 */
static bool find_fill(zones *z, uint64_t usual, unsigned char *fill, lb_arena *arena)
{
    static const unsigned char fills[] = {0x7F, 0x80, 0x01, 0x3C};
    const lb_case_operand *out = &z->memory.test_case->operand[LB_ROLE_OUT];
    lb_layout layout = lb_layout_of(&out->tensors[0]);
    size_t count = lb_layout_count(&layout);
    unsigned char *wrong = lb_arena_alloc(arena, count + 1);
    unsigned char *changed = lb_arena_alloc(arena, count + 1);
    unsigned char *block = lb_arena_raw(arena, z->memory.block_bytes + 1);
    bool any = false;
    memset(wrong, 0, count + 1);
    memset(changed, 0, count + 1);
    memcpy(block, z->instance.block, z->memory.block_bytes);
    mark_differing(z, block, z->exact.block, wrong);
    for (size_t i = 0; i < sizeof fills && !z->failed; i++)
        if (digest_with(z, 0, z->memory.block_bytes, fills[i]) != usual) {
            any = true;
            *fill = fills[i];
            mark_differing(z, block, z->instance.block, changed);
        }
    for (size_t i = 0; i < count; i++)
        any = any && (changed[i] || !wrong[i]);
    return any && !z->failed;
}

/* Is it so each time? A port that is wrong now and then is not taken for one that reads them. */
static bool is_steady(zones *z, uint64_t usual, unsigned char fill)
{
    uint64_t other = digest_with(z, 0, z->memory.block_bytes, fill);
    bool same = other != usual;
    for (int n = 0; same && n < 3; n++)
        same = digest_with(z, 0, 0, 0) == usual &&
               digest_with(z, 0, z->memory.block_bytes, fill) == other;
    return same && !z->failed;
}

/* The buffer that begins next at or behind a place; NULL: none. */
static const lb_buffer *next_buffer(const zones *z, size_t from)
{
    const lb_buffer *next = NULL;
    for (unsigned b = 0; b < z->memory.buffer_count; b++)
        if (z->memory.buffers[b].offset >= from &&
            (!next || z->memory.buffers[b].offset < next->offset))
            next = &z->memory.buffers[b];
    return next;
}

/* The first byte of a gap that counts, and the one behind the last that does. */
static void narrow(zones *z, uint64_t usual, unsigned char fill, size_t *start, size_t *end)
{
    size_t low = *start, high = *end; /* changed up to low: nothing; up to high: something */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        *(digest_with(z, *start, middle, fill) != usual ? &high : &low) = middle;
    }
    size_t first = high - 1;
    low = *start;
    high = *end; /* changed from high on: nothing; from low on: something */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        *(digest_with(z, middle, *end, fill) != usual ? &low : &high) = middle;
    }
    *start = first;
    *end = low + 1;
}

const char *lb_zone_buffer_name(const lb_case *c, const lb_stop *at, lb_arena *arena)
{
    const char *name = lb_role_name(at->role);
    if (at->kind == LB_BUFFER_SCRATCH)
        return "the scratch memory";
    if (at->kind != LB_BUFFER_DATA)
        return lb_arena_printf(arena, "the quantization parameters of %s", name);
    return c && c->operand[at->role].is_list
               ? lb_arena_printf(arena, "%s[%u]", name, at->list_index)
               : name;
}

/* The first gap that counts: behind the buffer before it, or in front of the one after it,
 * whichever is nearer. */
static bool find_gap(zones *z, uint64_t usual, unsigned char fill, lb_zone_read *read)
{
    const lb_buffer *before = NULL;
    for (size_t at = 0; at < z->memory.block_bytes && !z->failed;) {
        const lb_buffer *after = next_buffer(z, at);
        size_t start = at, end = after ? after->offset : z->memory.block_bytes, gap_end = end;
        if (end > start && digest_with(z, start, end, fill) != usual) {
            narrow(z, usual, fill, &start, &end);
            size_t from_before = before ? start - at : SIZE_MAX;
            size_t from_after = after ? gap_end - end : SIZE_MAX;
            bool is_behind = from_before <= from_after;
            const lb_buffer *buffer = is_behind ? before : after;
            *read =
                (lb_zone_read){.is_known = true,
                               .at = {.touch = LB_TOUCH_READS,
                                      .kind = buffer->kind,
                                      .role = buffer->role,
                                      .list_index = buffer->list_index,
                                      .in_front = !is_behind,
                                      .distance = is_behind ? start - at + 1 : gap_end - end + 1},
                               .farthest = is_behind ? end - at : gap_end - start};
            return !z->failed;
        }
        if (!after)
            return false;
        before = after;
        at = after->offset + after->size_bytes;
    }
    return false;
}

bool lb_reads_zones(lb_evidence *e, lb_port *port, const lb_tried *t, lb_zone_read *read,
                    lb_arena *arena)
{
    const lb_case *c = t->single && t->left ? lb_evidence_case(e, t) : NULL;
    zones z = {.e = e, .port = port, .profile = e->profiles[t->profile], .calls = t->call};
    unsigned char fill = 0;
    if (!c || !c->operand[LB_ROLE_OUT].present || !make_zones(&z, e, c, arena))
        return false;
    uint64_t usual = digest_with(&z, 0, 0, 0);
    if (digest_with(&z, 0, 0, 0) != usual || !find_fill(&z, usual, &fill, arena) ||
        !is_steady(&z, usual, fill))
        return false;
    return !read || find_gap(&z, usual, fill, read);
}
