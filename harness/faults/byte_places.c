/* Places counted in bytes that should be counted in elements: only the innermost dimension goes on
 * by whole elements. */
#include "harness/faults/places.h"
#include "harness/faults/views.h"
#include "harness/faults/writing_fields.h"

#include <string.h>

/* From the first element, in bytes; `outermost`: that dimension alone is counted so. */
static size_t byte_place(const lb_tensor *t, const uint32_t *index, size_t bytes, bool outermost)
{
    const uint32_t counted = outermost ? 1 : t->rank - 1;
    size_t place = 0;
    for (uint32_t d = 0; d < t->rank; d++)
        place += (size_t)index[d] * (size_t)t->mem_stride[d] * (d < counted ? 1 : bytes);
    return place;
}

static bool has_places(const lb_tensor *t)
{
    bool has = t->rank > 1;
    for (uint32_t d = 0; has && d < t->rank; d++)
        has = t->mem_stride[d] >= 0;
    return has;
}

/* Results that lie upon one another are written in their order. */
static bool write_by_bytes(lb_fault_run *run)
{
    lb_write_memory w;
    uint32_t index[LB_MAX_RANK] = {0};
    bool moved = false;
    if (!lb_write_elements(&w, run) || w.bytes < 2 || !has_places(w.t))
        return false;
    for (size_t flat = 0; flat < w.count; flat++) {
        const size_t at = lb_offset_of_flat(w.t, flat);
        if (at >= w.places)
            return false;
        memcpy(w.start + at * w.bytes, w.given + at * w.bytes, w.bytes);
    }
    for (size_t flat = 0; flat < w.count; flat++) {
        const size_t at = lb_offset_of_flat(w.t, flat) * w.bytes;
        lb_unflatten(w.t, flat, index);
        const size_t place = byte_place(w.t, index, w.bytes, run->fault->argument == 1);
        memcpy(w.start + place, w.right + at, w.bytes);
        moved = moved || place != at;
    }
    return moved;
}

static bool read_by_bytes(lb_fault_view *view)
{
    const int role = view->run->fault->role;
    const bool outermost = view->run->fault->argument == 1;
    uint32_t index[LB_MAX_RANK] = {0};
    bool moved = false;
    for (unsigned i = 0; i < view->call->list_count[role]; i++) {
        lb_tensor *t = lb_view_tensor(view, role, i);
        const size_t bytes = lb_storage_bytes(t->el_type), room = lb_view_available(view, t);
        const unsigned char *given = t->data.mem.ptr;
        unsigned char *own =
            bytes > 1 && has_places(t) ? lb_view_own_memory(view, role, i, 0) : NULL;
        for (size_t flat = 0; own && flat < lb_element_count(t); flat++) {
            const size_t at = lb_offset_of_flat(t, flat) * bytes;
            lb_unflatten(t, flat, index);
            const size_t place = byte_place(t, index, bytes, outermost);
            if (at + bytes > room)
                break;
            memcpy(own + at, given + place, bytes);
            moved = moved || place != at;
        }
    }
    return moved;
}

/* Elements of more than a byte, in more than one dimension; in more than two the outermost alone is
 * another matter. */
static bool has_bytes(const lb_kernel *kernel, const lb_fault *at)
{
    const uint32_t type = lb_type_of_role(kernel, at->role);
    return (int)lb_dims_of(kernel, at->role) > 1 + at->argument &&
           (type == 0 || lb_storage_bytes(type) > 1);
}

LB_OWN_ROLES(places_read, LB_NO_DIMS,
             lb_reads_data(kernel, at->role) && has_bytes(kernel, at) && at->role != LB_ROLE_CELL &&
                 at->role != LB_ROLE_BIAS,
             0, 1)

LB_OWN_ROLES(places_written, LB_NO_DIMS, lb_writes_data(kernel, at->role) && has_bytes(kernel, at),
             0)

#define ADDRESSES "pointers to bytes, moved by strides that count elements"

/* clang-format off */
const lb_fault_kind lb_fault_byte_kinds[] = {
    LB_CHANGE_BY("in_bytes", "counts in bytes where rows and pixels of an operand lie", ADDRESSES, LAYOUT_SECTIONS, 4, places_read, "{role}{n=|, the outermost dimension alone}", read_by_bytes, .how = LB_AS_IS),
    LB_WRITING_BY("in_bytes", "counts in bytes where rows and pixels of the output lie", ADDRESSES, LAYOUT_SECTIONS, 4, places_written, "{role}{n=|, the outermost dimension alone}", write_by_bytes, .how = LB_AS_IS),
    {.name = NULL},
};
/* clang-format on */
