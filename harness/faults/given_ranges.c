/* Ranges of given numbers: see ranges.h. What a call that breaks a check gives does not come
 * to the steps, so that a checked field is within what the check lets pass. */
#include "harness/base/checked.h"
#include "harness/faults/places.h"
#include "harness/faults/ranges.h"
#include "reference/core/arith.h"
#include "reference/describe/check.h"
#include "reference/describe/program.h"

#include <string.h>

lb_range lb_range_of_width(int width)
{
    return (lb_range){lb_min_of(width), lb_max_of(width), 0};
}

/* Only a checked scale is known to be positive. */
static lb_range field_of_role(const lb_kernel *kernel, int role, lb_quant_field field)
{
    lb_leaf leaf = {.kind = field == LB_QUANT_SCALE ? LB_LEAF_SCALE : LB_LEAF_ZERO_POINT,
                    .role = (int8_t)role};
    lb_leaf_range range = lb_checks_bound(kernel, leaf);
    return (lb_range){range.low, range.high, 0};
}

lb_range lb_field_range(int32_t step, const lb_kernel *kernel)
{
    const int32_t offset = step - LB_NUM_FIELD;
    for (const lb_config_field *f = lb_config_fields(kernel->config_kind); f->name; f++)
        if (step < LB_NUM_VARIES && f->offset == (size_t)offset) {
            lb_leaf_range range = lb_checks_bound(kernel, lb_leaf_of_field(f, 0));
            return (lb_range){range.low, range.high, 0};
        }
    return lb_range_of_width(34);
}

/* Limits of a ReLU are worked out below 30 fractional bits alone (numerics.md 6). */
enum { MOST_LIMIT_FRAC = 29 };

void lb_given_range_in_part(const lb_num_step *site, lb_part part, lb_range *range)
{
    const lb_num_place *place = &site->place;
    if (site->operation != LB_STEP_GIVEN || place->kind != LB_NUM_PARAMETER || !place->field)
        return;
    bool is_frac = place->field == LB_QUANT_FRAC_BITS || place->field == LB_QUANT_SCALE_FRAC_BITS;
    if (part == LB_PART_RELU_LIMITS && is_frac && range->high > MOST_LIMIT_FRAC)
        range->high = MOST_LIMIT_FRAC;
}

/* ---- Numbers of the geometry ---- */

/* Positions in a window: one at least, as calls without any are refused or undefined
 * (pooling_and_movement.md 2.2, litert.8); as many as the checks and the types of its sides allow,
 * and as a case has elements. */
static lb_range positions_of(const lb_kernel *kernel)
{
    int64_t most = 1, side = kernel->kernel_size;
    bool has_sides = false, fits = true;
    if (side > 0)
        return (lb_range){1, side * side, 0};
    for (const lb_config_field *f = lb_config_fields(kernel->config_kind); f->name; f++)
        if (f->sort == LB_SORT_SIZE) {
            has_sides = true;
            fits = fits &&
                   lb_mul_fits(most, lb_checks_bound(kernel, lb_leaf_of_field(f, 0)).high, &most);
        }
    return (lb_range){1, has_sides && fits && most < LB_MOST_TAPS ? most : LB_MOST_TAPS, 0};
}

/* ---- All ---- */

static lb_range parameter_range(const lb_num_place *place, const lb_kernel *kernel)
{
    int role = lb_owner_role(place->owner);
    if (!place->field)
        return lb_range_of_width(64);
    if (role < 0 && place->field == LB_QUANT_SCALE) /* of a vector on the way, or of out */
        return (lb_range){1, INT16_MAX, 0};
    if (role < 0)
        return lb_range_of_width(8);
    if (place->field == LB_QUANT_SCALE || place->field == LB_QUANT_ZERO_POINT)
        return field_of_role(kernel, role, place->field);
    return lb_range_of_width(8);
}

lb_range lb_given_range(const lb_num_step *site, const lb_kernel *kernel)
{
    int role = lb_owner_role(site->place.owner);
    uint32_t type = role >= 0 ? lb_type_of_role(kernel, role) : 0;
    switch (site->place.kind) {
    case LB_NUM_ELEMENT:
        return lb_range_of_width(
            type && lb_pattern_of(kernel) != LB_PATTERN_CODES ? lb_container_bits(type) : 32);
    case LB_NUM_PARAMETER:
        return parameter_range(&site->place, kernel);
    case LB_NUM_INTERMEDIATE: /* in containers of the input's type */
        return lb_range_of_width(
            lb_is_recurrent(kernel) ? lb_container_bits(lb_type_of_role(kernel, LB_ROLE_IN)) : 32);
    case LB_NUM_GEOMETRY:
        if (site->place.geometry == LB_GEOMETRY_WINDOW)
            return positions_of(kernel);
        break;
    }
    return lb_range_of_width(33);
}
