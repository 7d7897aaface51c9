/* Coverpoints of chosen crosses: pairs of classes of which each may be right alone while both
 * together are not. Spec: conv.md 4.3 (padding and zero points), 6; recurrent.md 6; elementwise.md
 * 2, 10; pooling_and_movement.md 2.2, 3, 4. */
#include "harness/coverage/class.h"
#include "reference/core/arith.h"
#include "reference/describe/element_copy.h"
#include "reference/describe/rules.h"

static const char *const one_point[] = {"", NULL};

static const lb_tensor *role_of(const lb_observation *o, lb_role role)
{
    return lb_cover_tensor(o->before, (int)role, 0);
}

static bool is_padded(const lb_observation *o)
{
    const lb_config *c = &o->before->config;
    return c->padding_left > 0 || c->padding_top > 0 || c->padding_right > 0 ||
           c->padding_bottom > 0;
}

static bool has_gaps(const lb_tensor *t)
{
    return t && t->rank > 0 && !lb_is_contiguous(t);
}

static bool any_gaps(const lb_observation *o)
{
    bool any = false;
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        any = any || has_gaps(lb_cover_tensor(o->before, role, 0));
    return any;
}

static bool padding_and_zero_point(const lb_observation *o)
{
    return is_padded(o) && lb_quant_at(role_of(o, LB_ROLE_IN), 0).zero_point != 0;
}

static bool padding_and_stride(const lb_observation *o)
{
    const lb_config *c = &o->before->config;
    return is_padded(o) && (c->stride_width > 1 || c->stride_height > 1);
}

static bool stride_and_dilation(const lb_observation *o)
{
    const lb_config *c = &o->before->config;
    return (c->stride_width > 1 && c->dilation_width > 1) ||
           (c->stride_height > 1 && c->dilation_height > 1);
}

static bool uneven_padding(const lb_observation *o)
{
    const lb_config *c = &o->before->config;
    return c->padding_left != c->padding_right && c->padding_top != c->padding_bottom;
}

static bool uneven_strides(const lb_observation *o)
{
    return o->before->config.stride_width != o->before->config.stride_height;
}

static bool relu_and_per_axis(const lb_observation *o)
{
    return o->before->config.relu != 0 && lb_is_per_axis(role_of(o, LB_ROLE_WEIGHTS));
}

/* Whole vectors and a rest, on rows that do not lie one behind the other. */
static bool gaps_and_tail(const lb_observation *o)
{
    const lb_tensor *out = role_of(o, LB_ROLE_OUT);
    uint32_t inner = out->rank > 0 ? out->shape[out->rank - 1] : 1;
    return any_gaps(o) && inner > 8 && inner % 8 != 0;
}

static bool per_axis_and_tail(const lb_observation *o)
{
    const lb_tensor *weights = role_of(o, LB_ROLE_WEIGHTS);
    return lb_is_per_axis(weights) && weights->shape[weights->sa.dim] > 8 &&
           weights->shape[weights->sa.dim] % 8 != 0;
}

static bool has_lowest(const lb_tensor *t)
{
    size_t count = lb_element_count(t);
    int64_t low = lb_min_of(lb_container_bits(t->el_type));
    bool found = false;
    for (size_t i = 0; i < count && !found; i++)
        found = lb_load(t, lb_offset_of_flat(t, i)) == low;
    return found;
}

/* The product of the two lowest values is the largest there is, and the only one of its sign that
 * needs its last bit. */
static bool lowest_operands(const lb_observation *o)
{
    lb_role second = lb_cover_has(o->kernel, LB_ROLE_WEIGHTS)      ? LB_ROLE_WEIGHTS
                     : lb_cover_has(o->kernel, LB_ROLE_WEIGHTS_IN) ? LB_ROLE_WEIGHTS_IN
                                                                   : LB_ROLE_IN2;
    lb_role first = second == LB_ROLE_IN2 ? LB_ROLE_IN1 : LB_ROLE_IN;
    return has_lowest(role_of(o, first)) && has_lowest(role_of(o, second));
}

static bool on(const lb_observation *o, lb_role role)
{
    const lb_tensor *in = role_of(o, role);
    const lb_tensor *out = role_of(o, LB_ROLE_OUT);
    return in && out && in->rank > 0 && out->rank > 0 && in->data.mem.ptr == out->data.mem.ptr;
}

static bool in_place_and_gaps(const lb_observation *o)
{
    return any_gaps(o) && (on(o, LB_ROLE_IN) || on(o, LB_ROLE_IN1) || on(o, LB_ROLE_IN2));
}

static bool scalar_and_gaps(const lb_observation *o)
{
    return any_gaps(o) &&
           (lb_is_scalar(role_of(o, LB_ROLE_IN1)) || lb_is_scalar(role_of(o, LB_ROLE_IN2)));
}

static bool backward_and_last(const lb_observation *o)
{
    return o->before->config.direction == 1 && o->before->config.results == 0 &&
           role_of(o, LB_ROLE_IN)->shape[0] > 1;
}

static bool backward_and_all(const lb_observation *o)
{
    return o->before->config.direction == 1 && o->before->config.results == 1 &&
           role_of(o, LB_ROLE_IN)->shape[0] > 1;
}

static bool forward_and_all(const lb_observation *o)
{
    return o->before->config.direction == 0 && o->before->config.results == 1 &&
           role_of(o, LB_ROLE_IN)->shape[0] > 1;
}

static bool frames_and_format(const lb_observation *o)
{
    lb_quant state = lb_quant_at(role_of(o, LB_ROLE_PREV_OUT), 0);
    lb_quant out = lb_quant_at(role_of(o, LB_ROLE_OUT), 0);
    bool other =
        state.scale != out.scale || state.frac != out.frac || state.zero_point != out.zero_point;
    return other && role_of(o, LB_ROLE_IN)->shape[0] > 1;
}

static bool in_place_and_all(const lb_observation *o)
{
    return on(o, LB_ROLE_PREV_OUT) && o->before->config.results == 1 &&
           role_of(o, LB_ROLE_IN)->shape[0] > 1;
}

static bool order_and_gaps(const lb_observation *o)
{
    bool moved = false;
    for (uint32_t d = 0; d < role_of(o, LB_ROLE_IN)->rank; d++)
        moved = moved || o->before->config.perm_dim[d] != d;
    return moved && any_gaps(o);
}

static bool axis_and_gaps(const lb_observation *o)
{
    return o->before->config.axis >= 0 && has_gaps(role_of(o, LB_ROLE_IN));
}

/* ---- The table ---- */

typedef struct row {
    lb_family_set families;
    bool sa_only;
    const char *name;
    bool (*reached)(const lb_observation *o);
    const char *spec;
} row;

#define DIRECT                                                                                     \
    (LB_IN_FAMILY(CONV2D) | LB_IN_FAMILY(DEPTHWISE_CONV2D) |                                       \
     LB_IN_FAMILY(GROUP_CONV2D)) /* may have a dilation */
#define MULTIPLIES (LB_WEIGHTED | LB_OF_PATTERN(DENSE_LISTS) | LB_CELLS | LB_OF_PATTERN(PAIR))
#define IN_PLACE   (LB_LIKE_INPUT | LB_OF_PATTERN(PAIR) | LB_OF_PATTERN(CONVERSION))
#define LINES      (LB_WITH_AXIS | LB_SLOPED | LB_NORMALIZED | LB_OF_PATTERN(SLICES))

/* clang-format off */
static const row rows[] = {
    {LB_CONVOLUTIONS | LB_IN_FAMILY(AVEPOOL), true, "padding_and_zero_point", padding_and_zero_point, "conv.md 4.3"},
    {LB_CONVOLUTIONS | LB_POOLS, false, "padding_and_stride",  padding_and_stride,  "conv.md 6, 9"},
    {LB_CONVOLUTIONS | LB_POOLS, false, "uneven_padding",      uneven_padding,      "conv.md 6, 9"},
    {LB_CONVOLUTIONS | LB_POOLS, false, "uneven_strides",      uneven_strides,      "conv.md 6, 9"},
    {DIRECT,                    false, "stride_and_dilation", stride_and_dilation, "conv.md 6"},
    {LB_WEIGHTED,               true,  "relu_and_per_axis",   relu_and_per_axis,   "conv.md 4.2, 5"},
    {LB_WEIGHTED,               true,  "per_axis_and_tail",   per_axis_and_tail,   "conv.md 4.2"},
    {LB_WEIGHTED | LB_POOLS | IN_PLACE, false, "gaps_and_tail", gaps_and_tail,     "numerics.md 2"},
    {MULTIPLIES,                false, "lowest_operands",     lowest_operands,     "numerics.md 4.1"},
    {IN_PLACE,                  false, "in_place_and_gaps",   in_place_and_gaps,   "elementwise.md 10, numerics.md 7.4"},
    {LB_OF_PATTERN(PAIR),       false, "scalar_and_gaps",     scalar_and_gaps,     "elementwise.md 2"},
    {LB_CELLS,                  false, "backward_and_last",   backward_and_last,   "recurrent.md 6, output"},
    {LB_CELLS,                  false, "backward_and_all",    backward_and_all,    "recurrent.md 6, output"},
    {LB_CELLS,                  false, "forward_and_all",     forward_and_all,     "recurrent.md 6, output"},
    {LB_CELLS,                  false, "frames_and_format",   frames_and_format,   "recurrent.md 6, hidden state format"},
    {LB_CELLS,                  false, "in_place_and_all",    in_place_and_all,    "recurrent.md 6, aliasing"},
    {LB_OF_PATTERN(ORDER),      false, "order_and_gaps",      order_and_gaps,      "pooling_and_movement.md 3"},
    {LINES,                     false, "axis_and_gaps",       axis_and_gaps,       "elementwise.md 4, 7, 8, 9"},
};
/* clang-format on */

static uint64_t observe_cross(const lb_observation *o, const lb_cover_group *group)
{
    return rows[group->id].reached(o) ? 1 : 0;
}

void lb_cover_cross(lb_cover_list *list)
{
    for (int i = 0; i < (int)(sizeof rows / sizeof rows[0]); i++) {
        bool fits = !rows[i].sa_only || lb_is_sa(list->kernel->in_type);
        if (fits && lb_cover_in(list->kernel, rows[i].families)) {
            lb_cover_add(list, (lb_cover_group){.class_name = "cross",
                                                .instance = rows[i].name,
                                                .spec = rows[i].spec,
                                                .points = one_point,
                                                .observe = observe_cross,
                                                .id = i});
        }
    }
}
