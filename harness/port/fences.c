/* Buffers in slots between forbidden pages: see fences.h. */
#include "harness/port/fences.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { BOUNDARY = 64 };

/* As it lies to boundaries in the block: a port may count on that. Where it need not lie on one, it
 * stands at the very end. */
static size_t place_in(size_t slot, size_t slot_bytes, const lb_buffer *buffer, bool misaligned,
                       bool at_ends)
{
    const size_t off = buffer->offset % BOUNDARY, end = slot + slot_bytes - buffer->size_bytes;
    if (!at_ends)
        return slot + off;
    if (misaligned)
        return end;
    return end - (end % BOUNDARY + BOUNDARY - off) % BOUNDARY;
}

/* Anywhere, another place for each buffer. */
static size_t drawn_place(size_t slot, size_t slot_bytes, const lb_buffer *buffer, unsigned number,
                          lb_fences_wish wish)
{
    const size_t off = buffer->offset % wish.boundary,
                 places = (slot_bytes - buffer->size_bytes - off) / wish.boundary + 1;
    const uint64_t mixed = (wish.draw ^ number) * 0x9E3779B97F4A7C15u;
    return slot + off + (size_t)((mixed >> 20) % places) * wish.boundary;
}

bool lb_fences_place(lb_fences *fences, const lb_call_memory *memory, lb_fences_wish wish)
{
    unsigned used[LB_PAGES_CLASSES] = {0};
    for (unsigned b = 0; b < memory->buffer_count; b++) {
        const lb_buffer *buffer = &memory->buffers[b];
        unsigned class = 0;
        /* Room for where it lies to boundaries, too. */
        while (class < wish.classes &&
               (((size_t)LB_PAGE_BYTES << class) < buffer->size_bytes + BOUNDARY ||
                used[class] == lb_pages_count(class)))
            class ++;
        if (class >= wish.classes)
            return false;
        const size_t slot = lb_pages_slot(class, used[class]),
                     bytes = (size_t)LB_PAGE_BYTES << class;
        fences->place[b].slot = slot;
        fences->place[b].slot_bytes = bytes;
        fences->place[b].number = lb_pages_number(class, used[class]++);
        fences->place[b].at =
            wish.draw != 0 ? drawn_place(slot, bytes, buffer, b, wish)
                           : place_in(slot, bytes, buffer, memory->misaligned != 0, wish.at_ends);
    }
    fences->count = memory->buffer_count;
    return true;
}

size_t lb_fences_front(const lb_fences *fences, unsigned b)
{
    return fences->place[b].at - fences->place[b].slot;
}

size_t lb_fences_behind(const lb_fences *fences, const lb_call_memory *memory, unsigned b)
{
    return fences->place[b].slot_bytes - lb_fences_front(fences, b) - memory->buffers[b].size_bytes;
}

/* ---- There and back ---- */

/* Small slots are filled anew each time: nobody can leave anything in them for the next case. */
static void fill_slot(lb_fences *fences, unsigned char *shared, unsigned b)
{
    enum { SMALL = 4 * LB_PAGE_BYTES };
    const unsigned number = fences->place[b].number;
    unsigned char *slot = shared + fences->place[b].slot;
    const bool is_filled =
        fences->slot[number].is_filled && fences->slot[number].fill == fences->fill;
    if (fences->place[b].slot_bytes <= SMALL || !is_filled)
        memset(slot, fences->fill, fences->place[b].slot_bytes);
    else
        memset(slot + fences->slot[number].at, fences->fill, fences->slot[number].bytes);
    fences->slot[number].is_filled = true;
    fences->slot[number].fill = fences->fill;
}

void lb_fences_give(lb_fences *fences, unsigned char *shared, const lb_instance *instance)
{
    for (unsigned b = 0; b < fences->count; b++) {
        const lb_buffer *buffer = &instance->memory->buffers[b];
        const size_t at = fences->place[b].at;
        const unsigned number = fences->place[b].number;
        fill_slot(fences, shared, b);
        fences->slot[number].at = (uint32_t)(at - fences->place[b].slot);
        fences->slot[number].bytes = (uint32_t)buffer->size_bytes;
        memcpy(shared + at, instance->block + buffer->offset, buffer->size_bytes);
    }
}

static bool is_all(const unsigned char *bytes, size_t count, unsigned char value)
{
    return count == 0 || (bytes[0] == value && memcmp(bytes, bytes + 1, count - 1) == 0);
}

/* Counts what is not as it was; *nearest: the place closest to the buffer. */
static size_t count_touched(const unsigned char *bytes, size_t count, unsigned char fill,
                            bool in_front, size_t *nearest)
{
    size_t touched = 0;
    for (size_t i = 0; i < count; i++)
        if (bytes[i] != fill) {
            if (touched == 0 || in_front)
                *nearest = i;
            touched++;
        }
    return touched;
}

bool lb_fences_look(const unsigned char *bytes, size_t count, unsigned char fill, bool in_front,
                    unsigned buffer, lb_stray *stray)
{
    size_t nearest = 0;
    if (is_all(bytes, count, fill))
        return true;
    if (stray->count > 0)
        return false;
    stray->count = count_touched(bytes, count, fill, in_front, &nearest);
    stray->buffer = buffer;
    stray->in_front = in_front;
    stray->distance = in_front ? count - nearest : nearest + 1;
    return false;
}

void lb_fences_take(lb_fences *fences, const unsigned char *shared, lb_instance *instance)
{
    instance->stray.count = 0;
    for (unsigned b = 0; b < fences->count; b++) {
        const lb_buffer *buffer = &instance->memory->buffers[b];
        const size_t slot = fences->place[b].slot, at = fences->place[b].at,
                     end = at + buffer->size_bytes;
        bool good = lb_fences_look(shared + slot, lb_fences_front(fences, b), fences->fill, true, b,
                                   &instance->stray);
        good = lb_fences_look(shared + end, lb_fences_behind(fences, instance->memory, b),
                              fences->fill, false, b, &instance->stray) &&
               good;
        fences->slot[fences->place[b].number].is_filled = good;
        memcpy(instance->block + buffer->offset, shared + at, buffer->size_bytes);
    }
}

/* ---- Pointers ---- */

size_t lb_fences_offset(const lb_fences *fences, const lb_call_memory *memory, size_t in_block)
{
    unsigned b = 0;
    if (fences->count == 0)
        return 0;
    while (b + 1 < fences->count && in_block + LB_GUARD_BYTES / 2 >= memory->buffers[b + 1].offset)
        b++;
    return fences->place[b].at + in_block - memory->buffers[b].offset;
}

bool lb_fences_in_block(const lb_fences *fences, const lb_call_memory *memory, size_t offset,
                        size_t *in_block)
{
    for (unsigned b = 0; b < fences->count; b++) {
        const size_t slot = fences->place[b].slot, offset_in_block = memory->buffers[b].offset;
        if (offset < slot || offset > slot + fences->place[b].slot_bytes)
            continue;
        *in_block = offset_in_block + offset - fences->place[b].at;
        return offset + offset_in_block >= fences->place[b].at && *in_block <= memory->block_bytes;
    }
    return false;
}

/* ---- Where a port was stopped ---- */

lb_stop lb_fences_stop(const lb_fences *fences, const lb_call_memory *memory,
                       const lb_fault_told *fault)
{
    static const lb_touch touches[] = {LB_TOUCH_READS, LB_TOUCH_WRITES, LB_TOUCH_ANY};
    for (unsigned b = 0; fault->is_told && b < fences->count; b++) {
        const lb_buffer *buffer = &memory->buffers[b];
        const size_t at = fences->place[b].at, end = at + buffer->size_bytes;
        if (fault->offset + LB_PAGES_GAP < fences->place[b].slot ||
            fault->offset >= fences->place[b].slot + fences->place[b].slot_bytes + LB_PAGES_GAP)
            continue;
        const bool in_front = fault->offset < at;
        const uint64_t distance = in_front ? at - fault->offset : fault->offset - end + 1;
        /* Between two slots the nearer one is meant. */
        if (distance > LB_PAGES_GAP / 2 + fences->place[b].slot_bytes)
            continue;
        return (lb_stop){.touch = touches[fault->is_write < 3 ? fault->is_write : 2],
                         .kind = buffer->kind,
                         .role = buffer->role,
                         .list_index = buffer->list_index,
                         .in_front = in_front,
                         .distance = distance};
    }
    return (lb_stop){.touch = LB_TOUCH_NONE};
}

/* The row, or of a plain list the element, that would stand where the fault was: by the distance
 * from the first byte of the tensor. */
static void put_row(const lb_case *c, const lb_stop *stop, const lb_buffer *buffer, char *text,
                    size_t text_bytes)
{
    if (!c->operand[stop->role].present)
        return;
    const lb_layout layout = lb_layout_of(&c->operand[stop->role].tensors[stop->list_index]);
    const int64_t bytes = layout.rank > 0 ? layout.stride[0] * (int64_t)layout.element_bytes : 0;
    const int64_t from_start = stop->in_front ? -(int64_t)stop->distance
                                              : (int64_t)(buffer->size_bytes + stop->distance - 1);
    if (bytes <= 0)
        return;
    const int64_t row = from_start / bytes - (from_start % bytes < 0);
    snprintf(text, text_bytes, ", %s %" PRId64 " (its %s are 0 to %" PRIu32 ")",
             layout.rank == 1 ? "element" : "row", row, layout.rank == 1 ? "elements" : "rows",
             layout.shape[0] - 1);
}

void lb_fences_describe(const lb_stop *stop, const lb_call_memory *memory, char *text,
                        size_t text_bytes)
{
    static const char *const verbs[] = {
        [LB_TOUCH_READS] = "reads", [LB_TOUCH_WRITES] = "writes", [LB_TOUCH_ANY] = "touches"};
    char name[80], row[100] = "";
    text[0] = '\0';
    if (stop->touch == LB_TOUCH_NONE)
        return;
    lb_buffer_name(memory, stop->kind, stop->role, stop->list_index, name, sizeof name);
    if (stop->kind == LB_BUFFER_DATA)
        put_row(memory->test_case, stop,
                &memory->buffers[memory->buffer_of[stop->role][stop->list_index][LB_BUFFER_DATA]],
                row, sizeof row);
    snprintf(text, text_bytes, "it %s %" PRIu64 " byte%s %s %s%s", verbs[stop->touch],
             stop->distance, stop->distance == 1 ? "" : "s",
             stop->in_front ? "in front of" : "behind", name, row);
}
