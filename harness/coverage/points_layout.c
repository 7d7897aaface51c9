/* Coverpoints of layouts: strides with and without gaps, inner strides above 1, results in place.
 * Spec: numerics.md 2, 7.4; conv.md 6; elementwise.md 2, 10; recurrent.md 4, 6;
 * pooling_and_movement.md 3, 4. */
#include "harness/coverage/class.h"
#include "reference/describe/rules.h"

static const char *const stride_points[] = {"dense", "gaps", NULL};
static const char *const inner_points[] = {"1", "more", NULL};
static const char *const place_points[] = {"apart", "in_place", NULL};

/* Movement gives out its strides. Gaps of a slope are undefined (elementwise.md 4, 12): whoever has
 * them has reached nothing. */
static uint64_t observe_gaps(const lb_observation *o, const lb_cover_group *group)
{
    bool given = group->id != LB_ROLE_OUT || lb_pattern_of(o->kernel) != LB_PATTERN_MOVEMENT;
    uint64_t hit = 0;
    for (unsigned i = 0; i < LB_MAX_LIST; i++) {
        const lb_tensor *t = lb_cover_tensor(given ? o->before : o->after, group->id, i);
        if (!t)
            break;
        hit |= t->rank == 0 ? 0 : lb_is_contiguous(t) ? 1 : 2;
    }
    return group->id == LB_ROLE_SLOPE ? hit & 1 : hit;
}

static uint64_t observe_inner(const lb_observation *o, const lb_cover_group *group)
{
    const lb_tensor *t = lb_cover_tensor(o->before, group->id, 0);
    return !t || t->rank == 0 ? 0 : lb_has_inner_stride_1(t) ? 1 : 2;
}

static uint64_t observe_place(const lb_observation *o, const lb_cover_group *group)
{
    const lb_tensor *in = lb_cover_tensor(o->before, group->id, 0);
    const lb_tensor *out = lb_cover_tensor(o->before, LB_ROLE_OUT, 0);
    bool has_pointers = in && out && in->rank > 0 && out->rank > 0;
    return !has_pointers ? 0 : in->data.mem.ptr == out->data.mem.ptr ? 2 : 1;
}

static void add_role(lb_cover_list *list, const char *class_name, lb_role role,
                     const char *const *points,
                     uint64_t (*observe)(const lb_observation *o, const lb_cover_group *group),
                     const char *spec)
{
    if (lb_cover_has(list->kernel, role)) {
        lb_cover_add(list, (lb_cover_group){.class_name = class_name,
                                            .instance = lb_role_name(role),
                                            .spec = spec,
                                            .points = points,
                                            .observe = observe,
                                            .id = (int)role});
    }
}

/* Roles that out may lie on: elsewhere an overlap is refused, or undefined. */
static void add_places(lb_cover_list *list)
{
    const lb_family_set on_in = LB_LIKE_INPUT | LB_OF_PATTERN(CONVERSION) | LB_OF_PATTERN(PAIR);
    if (lb_cover_in(list->kernel, on_in)) {
        add_role(list, "place", LB_ROLE_IN, place_points, observe_place,
                 "elementwise.md 10, numerics.md 7.4");
        add_role(list, "place", LB_ROLE_IN1, place_points, observe_place, "elementwise.md 10");
        add_role(list, "place", LB_ROLE_IN2, place_points, observe_place, "elementwise.md 10");
    }
    if (lb_cover_in(list->kernel, LB_CELLS)) {
        add_role(list, "place", LB_ROLE_PREV_OUT, place_points, observe_place,
                 "recurrent.md 6, aliasing");
    }
}

void lb_cover_layout(lb_cover_list *list)
{
    const lb_family_set plain = LB_OF_PATTERN(TABLE) | LB_OF_PATTERN(HELPER) | LB_OF_PATTERN(CODES);
    for (int role = 0; role < LB_ROLE_COUNT && !lb_cover_in(list->kernel, plain); role++)
        if (role != LB_ROLE_EPSILON)
            add_role(list, "stride", (lb_role)role, stride_points, observe_gaps, "numerics.md 2");
    if (lb_cover_in(list->kernel, LB_OF_PATTERN(ORDER) | LB_OF_PATTERN(MOVEMENT))) {
        add_role(list, "inner_stride", LB_ROLE_IN, inner_points, observe_inner,
                 "pooling_and_movement.md 3, 4");
        if (lb_cover_in(list->kernel, LB_OF_PATTERN(ORDER))) {
            add_role(list, "inner_stride", LB_ROLE_OUT, inner_points, observe_inner,
                     "pooling_and_movement.md 3");
        }
    }
    add_places(list);
}
