/* Moving elements and quantization parameters without looking at them. Spec:
 * pooling_and_movement.md 3, 4. */
#include "element_copy.h"

#include "core/num.h"
#include "rules.h"

#include <string.h>

static unsigned char *place_of(const lb_tensor *t, size_t offset, unsigned bytes)
{
    return (unsigned char *)t->data.mem.ptr + offset * bytes;
}

void lb_element_copy(lb_tensor *to, size_t to_offset, const lb_tensor *from, size_t from_offset)
{
    unsigned bytes = lb_element_bytes(from->el_type);
    memcpy(place_of(to, to_offset, bytes), place_of(from, from_offset, bytes), bytes);
}

void lb_element_clear(lb_tensor *to, size_t to_offset)
{
    unsigned bytes = lb_element_bytes(to->el_type);
    memset(place_of(to, to_offset, bytes), 0, bytes);
}

void lb_element_tell_copy(lb_steps *steps, const lb_tensor *to, size_t to_offset,
                          const lb_tensor *from, size_t from_offset, const uint32_t *from_index)
{
    if (!steps)
        return;
    lb_num value = lb_num_const(0);
    if (from) {
        int32_t bits = 0;
        if (from->el_type == LB_FP32) {
            memcpy(&bits, (const unsigned char *)from->data.mem.ptr + from_offset * sizeof bits,
                   sizeof bits);
        } else {
            bits = lb_load(from, from_offset);
        }
        value = lb_steps_loaded(steps, from, LB_NAMED(IN), from_offset, from_index, bits);
    }
    value = lb_num_copy(steps, value,
                        from ? LB_SITE_ELEMENT_COPY_COPIED_AS_IT_IS
                             : LB_SITE_OUTSIDE_THE_SOURCE_ZERO_BITS);
    lb_steps_note(steps, to, to_offset, value);
}

void lb_params_copy(lb_tensor *to, const lb_tensor *from)
{
    to->frac_bits = from->frac_bits;
    to->sa = from->sa;
    to->set_for = from->set_for;
}

void lb_axis_lists_share(lb_tensor *to, const lb_tensor *from)
{
    to->sa.scale = from->sa.scale;
    to->sa.zero_point = from->sa.zero_point;
    to->sa.scale_frac_bits = from->sa.scale_frac_bits;
}

void lb_axis_entry_set(lb_tensor *to, uint32_t entry, lb_quant quant)
{
    int16_t scale = (int16_t)quant.scale;
    int16_t zero_point = (int16_t)quant.zero_point;
    int8_t frac = (int8_t)quant.frac;
    memcpy((unsigned char *)to->sa.scale.mem.ptr + (size_t)entry * sizeof scale, &scale,
           sizeof scale);
    memcpy((unsigned char *)to->sa.zero_point.mem.ptr + (size_t)entry * sizeof zero_point,
           &zero_point, sizeof zero_point);
    memcpy((unsigned char *)to->sa.scale_frac_bits.mem.ptr + entry, &frac, sizeof frac);
}

lb_axis_lists lb_axis_lists_of(const lb_tensor *to, const lb_tensor *from)
{
    const lb_container *own[] = {&to->sa.scale, &to->sa.zero_point, &to->sa.scale_frac_bits};
    const lb_container *source[] = {&from->sa.scale, &from->sa.zero_point,
                                    &from->sa.scale_frac_bits};
    int null_count = 0;
    int same_count = 0;
    int either_count = 0;
    for (int i = 0; i < 3; i++) {
        bool is_null = !own[i]->mem.ptr;
        bool is_same = own[i]->mem.ptr == source[i]->mem.ptr;
        null_count += is_null;
        same_count += is_same;
        either_count += is_null || is_same;
    }
    if (null_count == 3)
        return LB_LISTS_NULL;
    if (same_count == 3)
        return LB_LISTS_SAME;
    return either_count == 0 ? LB_LISTS_OWN : LB_LISTS_MIXED;
}

bool lb_axis_lists_present(const lb_tensor *t)
{
    return t->sa.scale.mem.ptr && t->sa.zero_point.mem.ptr && t->sa.scale_frac_bits.mem.ptr;
}

bool lb_axis_lists_hold(const lb_tensor *t, uint64_t count)
{
    return t->sa.scale.capacity_bytes >= 2 * count &&
           t->sa.zero_point.capacity_bytes >= 2 * count &&
           t->sa.scale_frac_bits.capacity_bytes >= count;
}

bool lb_axis_lists_are_pointers(const lb_tensor *t)
{
    bool empty =
        !t->sa.scale.mem.ptr && !t->sa.zero_point.mem.ptr && !t->sa.scale_frac_bits.mem.ptr;
    return empty || (t->sa.dim >= 0 && (t->set_for == 0 || lb_is_sa(t->set_for)));
}

bool lb_axis_lists_apart(const lb_tensor *a, const lb_tensor *b)
{
    const lb_container *of_a[] = {&a->sa.scale, &a->sa.zero_point, &a->sa.scale_frac_bits};
    const lb_container *of_b[] = {&b->sa.scale, &b->sa.zero_point, &b->sa.scale_frac_bits};
    bool apart = true;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            apart = apart && lb_is_apart(of_a[i], of_b[j]);
    return apart;
}

bool lb_is_per_axis(const lb_tensor *t)
{
    return lb_is_sa(t->el_type) && t->sa.dim >= 0;
}
