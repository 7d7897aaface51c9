/* Coverpoints of quantization: zero points, scales and fractional bits at their ends and between,
 * per tensor and per axis, ReLU limits at the places where their formula changes. Shifts and
 * multipliers made of them: points_numbers.c. Spec: numerics.md 1, 2, 5, 6. */
#include "harness/coverage/class.h"
#include "reference/describe/element_copy.h"

/* Does the function compute with the format of this role? Where it overwrites or ignores it there
 * is nothing to tell apart. */
static bool format_counts(const lb_kernel *kernel, lb_role role)
{
    const lb_formats formats = lb_families[kernel->family].formats;
    return formats != LB_FORMATS_NONE && role != LB_ROLE_EPSILON && lb_cover_has(kernel, role) &&
           (role != LB_ROLE_OUT || formats == LB_FORMATS_ALL);
}

static bool may_be_sa(const lb_kernel *kernel, lb_role role)
{
    uint32_t type = lb_variant_type(kernel, role);
    return type == 0 || lb_is_sa(type);
}

static bool may_be_fx(const lb_kernel *kernel, lb_role role)
{
    uint32_t type = lb_variant_type(kernel, role);
    return type == 0 || lb_is_fx(type);
}

/* ---- Numbers of a quantization ---- */

enum { ZERO_POINT, SCALE, SA_FRAC, FRAC }; /* detail */

/* A scale that is no power of two, 1 or the highest. */
enum { OTHER_SCALE = -1, POWER_OF_TWO = -2 };

static int64_t number_of(lb_quant quant, int what)
{
    const bool is_power = (quant.scale & (quant.scale - 1)) == 0;
    if (what == ZERO_POINT)
        return quant.zero_point;
    if (what != SCALE)
        return quant.frac;
    return quant.scale == 1 || quant.scale == INT16_MAX ? quant.scale
           : is_power                                   ? POWER_OF_TWO
                                                        : OTHER_SCALE;
}

/* Of all entries of lists, of all tensors of a list; fractional bits end with the container. */
static LB_TELLS(tell_quant)
{
    const lb_tensor *t;
    for (unsigned i = 0; (t = lb_cover_tensor(o->before, group->id, i)) != NULL; i++) {
        if (group->detail == FRAC ? !lb_is_fx(t->el_type) : !lb_is_sa(t->el_type))
            continue;
        const uint32_t entries = lb_is_per_axis(t) ? t->shape[t->sa.dim] : 1;
        for (uint32_t j = 0; j < entries; j++)
            lb_cover_say(group, values, number_of(lb_quant_at(t, j), group->detail),
                         lb_container_bits(t->el_type));
    }
}

/* clang-format off */
/* By the range that the checks allow. */
#define ZERO_POINTS(HIGH) {LB_POINT("lowest", -(HIGH) - 1, -(HIGH) - 1), LB_POINT("negative", LB_COVER_BELOW(-1)), LB_POINT("zero", 0, 0), \
                           LB_POINT("positive", LB_COVER_ABOVE(1)), LB_POINT("highest", HIGH, HIGH), {0}}
static const lb_cover_point zero_points[] = ZERO_POINTS(INT8_MAX), zero_points_15[] = ZERO_POINTS((1 << 14) - 1), zero_points_16[] = ZERO_POINTS(INT16_MAX);
static const lb_cover_point scales[] = {LB_POINT("1", 1, 1), LB_POINT("power_of_two", POWER_OF_TWO, POWER_OF_TWO), LB_POINT("32767", INT16_MAX, INT16_MAX), LB_POINT("other", OTHER_SCALE, OTHER_SCALE), {0}};
static const lb_cover_point sa_fracs[] = {LB_POINT("negative", LB_COVER_BELOW(-1)), LB_POINT("zero", 0, 0), LB_POINT("positive", 1, 30), LB_POINT("beyond_30", LB_COVER_ABOVE(31)), {0}};
static const lb_cover_point fracs[] = {LB_POINT("lowest", -128, -128), LB_POINT("negative", LB_COVER_BELOW(-1)), LB_POINT("zero", 0, 0), {"inside", LB_COVER_ABOVE(1), true, LB_COVER_BELOW(-1)},
    {"beyond_width", LB_COVER_ANY, true, LB_COVER_ABOVE(0)}, LB_POINT("highest", 127, 127), {0}};
static const lb_cover_point of_axes[] = {LB_POINT("per_tensor", LB_COVER_BELOW(-1)), LB_POINT("per_axis", LB_COVER_ABOVE(0)), {0}};
/* Where the lists of a per-axis result go. */
static const lb_cover_point lists[] = {LB_POINT("null", LB_LISTS_NULL, LB_LISTS_NULL), LB_POINT("same", LB_LISTS_SAME, LB_LISTS_SAME), LB_POINT("own", LB_LISTS_OWN, LB_LISTS_OWN), {0}};
/* ReLU limits at the places where their formula changes: the type and the fractional bits. */
#define LIMIT(TYPE, LOW, HIGH) 1000 * (TYPE) + (LOW), 1000 * (TYPE) + (HIGH)
static const lb_cover_point limits[] = {LB_POINT("gen", LIMIT(1, -128, 127)),
    LB_POINT("relu6.frac_negative", LIMIT(3, -128, -1)), LB_POINT("relu6.inside", LIMIT(3, 0, 27)), LB_POINT("relu6.frac_28+", LIMIT(3, 28, 127)),
    LB_POINT("relu1.frac_negative", LIMIT(2, -128, -1)), LB_POINT("relu1.inside", LIMIT(2, 0, 29)), LB_POINT("relu1.frac_30+", LIMIT(2, 30, 127)), {0}};
/* clang-format on */

static LB_TELLS(tell_axis)
{
    const lb_tensor *t = lb_cover_tensor(o->before, group->id, 0);
    if (t && lb_is_sa(t->el_type))
        lb_cover_say(group, values, t->sa.dim, 0);
}

static LB_TELLS(tell_lists)
{
    const lb_tensor *in = lb_cover_role(o, LB_ROLE_IN), *out = lb_cover_role(o, LB_ROLE_OUT);
    if (in && out && lb_is_per_axis(in))
        lb_cover_say(group, values, lb_axis_lists_of(out, in), 0);
}

static LB_TELLS(tell_limit)
{
    const int32_t frac = lb_quant_at(lb_cover_tensor(o->before, group->id, 0), 0).frac;
    lb_cover_say(group, values, 1000 * (int64_t)o->before->config.relu + frac, 0);
}

/* Of weights and bias; of what is converted; of an input that is moved, by whatever. */
static bool axis_counts(const lb_kernel *kernel, lb_role role)
{
    const bool moves =
        lb_cover_in(kernel, LB_OF_PATTERN(ORDER) | LB_OF_PATTERN(MOVEMENT)) ||
        (lb_cover_in(kernel, LB_OF_PATTERN(HELPER)) && kernel->config_kind != LB_CONFIG_NONE);
    return may_be_sa(kernel, role) && lb_cover_has(kernel, role) &&
           (lb_cover_in(kernel, LB_WEIGHTED | LB_CELLS)
                ? lb_role_is_weights(role) || role == LB_ROLE_BIAS
                : lb_cover_in(kernel, LB_OF_PATTERN(CONVERSION)) || (moves && role == LB_ROLE_IN));
}

/* ---- The groups ---- */

static void add(lb_cover_list *list, const char *class_name, lb_role role,
                const lb_cover_point *points, LB_TELLS((*tell)), int detail, const char *spec)
{
    const bool is_frac = points == fracs;
    lb_cover_add(list, (lb_cover_group){.class_name = class_name,
                                        .instance = lb_role_name(role),
                                        .spec = spec,
                                        .points = points,
                                        .tell = tell,
                                        .id = (int)role,
                                        .detail = detail,
                                        .leaf = {.kind = is_frac ? LB_LEAF_FRAC_BITS : LB_LEAF_NONE,
                                                 .role = (int8_t)role}});
}

static void add_role(lb_cover_list *list, lb_role role)
{
    const lb_kernel *kernel = list->kernel;
    const bool zero_only = lb_role_is_weights(role) || role == LB_ROLE_BIAS;
    const lb_cover_point *of_zero = lb_pattern_of(kernel) == LB_PATTERN_CONVERSION ? zero_points_16
                                    : role == LB_ROLE_SLOPE                        ? zero_points_15
                                                                                   : zero_points;
    const bool counts = format_counts(kernel, role), is_sa = counts && may_be_sa(kernel, role);
    if (is_sa && !zero_only)
        add(list, "zero_point", role, of_zero, tell_quant, ZERO_POINT, "numerics.md 1, 2");
    if (is_sa && role != LB_ROLE_BIAS) {
        add(list, "scale", role, scales, tell_quant, SCALE, "numerics.md 1, 5");
        add(list, "scale_frac_bits", role, sa_fracs, tell_quant, SA_FRAC, "numerics.md 1, 5");
    }
    if (counts && may_be_fx(kernel, role))
        add(list, "frac_bits", role, fracs, tell_quant, FRAC, "numerics.md 1, 4.2");
    if (axis_counts(kernel, role))
        add(list, "quantized", role, of_axes, tell_axis, 0, "numerics.md 1, 2");
}

void lb_cover_quant(lb_cover_list *list)
{
    const lb_kernel *kernel = list->kernel;
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        add_role(list, (lb_role)role);
    if (lb_cover_in(kernel, LB_WEIGHTED | LB_OF_PATTERN(LIMITS)))
        add(list, "relu_limit", lb_cover_in(kernel, LB_WEIGHTED) ? LB_ROLE_OUT : LB_ROLE_IN, limits,
            tell_limit, 0, "numerics.md 6");
    if (may_be_sa(kernel, LB_ROLE_IN) && lb_kernel_refuses(kernel) &&
        lb_cover_in(kernel, LB_OF_PATTERN(ORDER) | LB_OF_PATTERN(MOVEMENT)))
        add(list, "lists", LB_ROLE_OUT, lists, tell_lists, 0, "pooling_and_movement.md 3, 4.4");
}
