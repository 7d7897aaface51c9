/* Coverpoints of quantization: zero points, scales and fractional bits at their ends and between,
 * per tensor and per axis, ReLU limits at the places where their formula changes. Shifts and
 * multipliers made of them: points_shift.c. Spec: numerics.md 1, 2, 5, 6. */
#include "harness/coverage/class.h"
#include "reference/describe/element_copy.h"

/* Does the function compute with the format of this role? Where it overwrites or ignores it there
 * is nothing to tell apart. */
static bool format_counts(const lb_kernel *kernel, lb_role role)
{
    const lb_family_set none = LB_OF_PATTERN(SLICES) | LB_OF_PATTERN(ORDER) | LB_OF_PATTERN(TABLE) |
                               LB_OF_PATTERN(HELPER) | LB_OF_PATTERN(MOVEMENT) |
                               LB_IN_FAMILY(MAXPOOL) | LB_OF_PATTERN(CODES);
    const lb_family_set written = LB_OF_PATTERN(LIMITS) | LB_ACTIVATED | LB_NORMALIZED;
    if (lb_cover_in(kernel, none) || role == LB_ROLE_EPSILON || !lb_cover_has(kernel, role))
        return false;
    return role != LB_ROLE_OUT || !lb_cover_in(kernel, written);
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

/* ---- One number of a quantization ---- */

/* Calls `classify` for every quantization of the role's tensors: all entries of lists, all tensors
 * of a list. */
static uint64_t every_quant(const lb_observation *o, const lb_cover_group *group, bool sa,
                            uint64_t (*classify)(lb_quant quant, const lb_tensor *t,
                                                 const lb_cover_group *group))
{
    uint64_t hit = 0;
    for (unsigned i = 0; i < LB_MAX_LIST; i++) {
        const lb_tensor *t = lb_cover_tensor(o->before, group->id, i);
        if (!t)
            break;
        if (sa ? !lb_is_sa(t->el_type) : !lb_is_fx(t->el_type))
            continue;
        uint32_t entries = lb_is_per_axis(t) ? t->shape[t->sa.dim] : 1;
        for (uint32_t j = 0; j < entries; j++)
            hit |= classify(lb_quant_at(t, j), t, group);
    }
    return hit;
}

static const char *const zero_point_points[] = {"lowest",   "negative", "zero",
                                                "positive", "highest",  NULL};

/* detail: bits of the range that the checks allow. */
static uint64_t zero_point_class(lb_quant quant, const lb_tensor *t, const lb_cover_group *group)
{
    int32_t high = (int32_t)((1u << (group->detail - 1)) - 1);
    int32_t z = quant.zero_point;
    (void)t;
    return LB_BIT(z == -high - 1, 0) | LB_BIT(z < 0, 1) | LB_BIT(z == 0, 2) | LB_BIT(z > 0, 3) |
           LB_BIT(z == high, 4);
}

static uint64_t observe_zero_point(const lb_observation *o, const lb_cover_group *group)
{
    return every_quant(o, group, true, zero_point_class);
}

static const char *const scale_points[] = {"1", "power_of_two", "32767", "other", NULL};

static uint64_t scale_class(lb_quant quant, const lb_tensor *t, const lb_cover_group *group)
{
    int32_t s = quant.scale;
    (void)t;
    (void)group;
    if (s == 1)
        return 1;
    return (s & (s - 1)) == 0 ? 2 : s == 32767 ? 4 : 8;
}

static uint64_t observe_scale(const lb_observation *o, const lb_cover_group *group)
{
    return every_quant(o, group, true, scale_class);
}

static const char *const sa_frac_points[] = {"negative", "zero", "positive", "beyond_30", NULL};

static uint64_t sa_frac_class(lb_quant quant, const lb_tensor *t, const lb_cover_group *group)
{
    (void)t;
    (void)group;
    return quant.frac < 0 ? 1 : quant.frac == 0 ? 2 : quant.frac <= 30 ? 4 : 8;
}

static uint64_t observe_sa_frac(const lb_observation *o, const lb_cover_group *group)
{
    return every_quant(o, group, true, sa_frac_class);
}

static const char *const frac_points[] = {"lowest",       "negative", "zero", "inside",
                                          "beyond_width", "highest",  NULL};

static uint64_t frac_class(lb_quant quant, const lb_tensor *t, const lb_cover_group *group)
{
    int32_t f = quant.frac;
    int bits = lb_container_bits(t->el_type);
    (void)group;
    return LB_BIT(f == -128, 0) | LB_BIT(f < 0, 1) | LB_BIT(f == 0, 2) |
           LB_BIT(f > 0 && f < bits, 3) | LB_BIT(f >= bits, 4) | LB_BIT(f == 127, 5);
}

static uint64_t observe_frac(const lb_observation *o, const lb_cover_group *group)
{
    return every_quant(o, group, false, frac_class);
}

/* ---- Per tensor, per axis ---- */

static const char *const axis_points[] = {"per_tensor", "per_axis", NULL};

static uint64_t observe_axis(const lb_observation *o, const lb_cover_group *group)
{
    const lb_tensor *t = lb_cover_tensor(o->before, group->id, 0);
    return !t || !lb_is_sa(t->el_type) ? 0 : t->sa.dim < 0 ? 1 : 2;
}

static bool axis_counts(const lb_kernel *kernel, lb_role role)
{
    if (!may_be_sa(kernel, role) || !lb_cover_has(kernel, role))
        return false;
    if (lb_cover_in(kernel, LB_WEIGHTED | LB_CELLS))
        return lb_role_is_weights(role) || role == LB_ROLE_BIAS;
    bool any = lb_cover_in(kernel, LB_OF_PATTERN(CONVERSION));
    bool moved =
        lb_cover_in(kernel, LB_OF_PATTERN(ORDER) | LB_OF_PATTERN(MOVEMENT) | LB_OF_PATTERN(HELPER));
    return any || (moved && role == LB_ROLE_IN && lb_pattern_of(kernel) != LB_PATTERN_HELPER) ||
           (moved && role == LB_ROLE_IN && kernel->config_kind != LB_CONFIG_NONE);
}

/* Where the lists of a per-axis result go. */
static const char *const lists_points[] = {"null", "same", "own", NULL};

static uint64_t observe_lists(const lb_observation *o, const lb_cover_group *group)
{
    const lb_tensor *in = lb_cover_tensor(o->before, LB_ROLE_IN, 0);
    const lb_tensor *out = lb_cover_tensor(o->before, LB_ROLE_OUT, 0);
    (void)group;
    if (!in || !out || !lb_is_per_axis(in))
        return 0;
    lb_axis_lists lists = lb_axis_lists_of(out, in);
    return lists == LB_LISTS_NULL ? 1 : lists == LB_LISTS_SAME ? 2 : lists == LB_LISTS_OWN ? 4 : 0;
}

/* ---- ReLU limits ---- */

static const char *const limit_points[] = {"gen",
                                           "relu6.frac_negative",
                                           "relu6.inside",
                                           "relu6.frac_28+",
                                           "relu1.frac_negative",
                                           "relu1.inside",
                                           "relu1.frac_30+",
                                           NULL};

static uint64_t observe_limit(const lb_observation *o, const lb_cover_group *group)
{
    int32_t f = lb_quant_at(lb_cover_tensor(o->before, group->id, 0), 0).frac;
    switch (o->before->config.relu) {
    case 1:
        return 1;
    case 2:
        return f < 0 ? 16 : f < 30 ? 32 : 64;
    case 3:
        return f < 0 ? 2 : f < 28 ? 4 : 8;
    default:
        return 0;
    }
}

/* ---- The groups ---- */

static void add(lb_cover_list *list, const char *class_name, lb_role role,
                const char *const *points, int detail,
                uint64_t (*observe)(const lb_observation *o, const lb_cover_group *group),
                const char *spec)
{
    lb_cover_add(list, (lb_cover_group){.class_name = class_name,
                                        .instance = lb_role_name(role),
                                        .spec = spec,
                                        .points = points,
                                        .observe = observe,
                                        .id = (int)role,
                                        .detail = detail});
}

static void add_role(lb_cover_list *list, lb_role role)
{
    const lb_kernel *kernel = list->kernel;
    bool zero_only = lb_role_is_weights(role) || role == LB_ROLE_BIAS;
    int zero_bits = lb_pattern_of(kernel) == LB_PATTERN_CONVERSION ? 16
                    : role == LB_ROLE_SLOPE                        ? 15
                                                                   : 8;
    if (format_counts(kernel, role) && may_be_sa(kernel, role)) {
        if (!zero_only) {
            add(list, "zero_point", role, zero_point_points, zero_bits, observe_zero_point,
                "numerics.md 1, 2");
        }
        if (role != LB_ROLE_BIAS) {
            add(list, "scale", role, scale_points, 0, observe_scale, "numerics.md 1, 5");
            add(list, "scale_frac_bits", role, sa_frac_points, 0, observe_sa_frac,
                "numerics.md 1, 5");
        }
    }
    if (format_counts(kernel, role) && may_be_fx(kernel, role))
        add(list, "frac_bits", role, frac_points, 0, observe_frac, "numerics.md 1, 4.2");
    if (axis_counts(kernel, role))
        add(list, "quantized", role, axis_points, 0, observe_axis, "numerics.md 1, 2");
}

void lb_cover_quant(lb_cover_list *list)
{
    const lb_kernel *kernel = list->kernel;
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        add_role(list, (lb_role)role);
    if (lb_cover_in(kernel, LB_WEIGHTED))
        add(list, "relu_limit", LB_ROLE_OUT, limit_points, 0, observe_limit, "numerics.md 6");
    if (lb_cover_in(kernel, LB_OF_PATTERN(LIMITS)))
        add(list, "relu_limit", LB_ROLE_IN, limit_points, 0, observe_limit, "numerics.md 6");
    bool has_lists = may_be_sa(kernel, LB_ROLE_IN) && lb_kernel_refuses(kernel);
    if (has_lists && lb_cover_in(kernel, LB_OF_PATTERN(ORDER) | LB_OF_PATTERN(MOVEMENT))) {
        add(list, "lists", LB_ROLE_OUT, lists_points, 0, observe_lists,
            "pooling_and_movement.md 3, 4.4");
    }
}
