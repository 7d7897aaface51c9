/* Coverpoints of the steps inside the exact model: rounding ties of each sign, saturation,
 * wrapping, clamping, part by part as the models name them (steps.h). Spec: numerics.md 3, 4.2, 5,
 * 6; conv.md 3 to 5; recurrent.md 4 to 8; elementwise.md 3 to 8; pooling_and_movement.md 2. */
#include "harness/coverage/class.h"

/* ---- Sets of events: what can happen in a part ---- */

typedef struct event_set {
    const char *const *points; /* ended by NULL, as many as events */
    const lb_event *events;
} event_set;

static const char *const tie_points[] = {"tie_up.positive", "tie_up.negative", "tie_down.positive",
                                         "tie_down.negative", NULL};
static const lb_event tie_events[] = {LB_EVENT_TIE_UP_POSITIVE, LB_EVENT_TIE_UP_NEGATIVE,
                                      LB_EVENT_TIE_DOWN_POSITIVE, LB_EVENT_TIE_DOWN_NEGATIVE};
/* Differences of a rising function: no sum that is rounded is positive. */
static const char *const falling_points[] = {"tie_up.negative", "tie_down.negative", NULL};
static const lb_event falling_events[] = {LB_EVENT_TIE_UP_NEGATIVE, LB_EVENT_TIE_DOWN_NEGATIVE};
static const char *const rising_points[] = {"tie_up.positive", "tie_down.positive", NULL};
static const lb_event rising_events[] = {LB_EVENT_TIE_UP_POSITIVE, LB_EVENT_TIE_DOWN_POSITIVE};
static const char *const saturate_points[] = {"saturates.low", "saturates.high", NULL};
static const lb_event saturate_events[] = {LB_EVENT_SATURATES_LOW, LB_EVENT_SATURATES_HIGH};
static const char *const clamp_points[] = {"clamped.low", "clamped.high", NULL};
static const lb_event clamp_events[] = {LB_EVENT_CLAMPED_LOW, LB_EVENT_CLAMPED_HIGH};
static const char *const low_points[] = {"clamped.low", NULL};
static const char *const left_points[] = {"left_shift_saturates.low", "left_shift_saturates.high",
                                          NULL};
static const lb_event left_events[] = {LB_EVENT_LEFT_LOW, LB_EVENT_LEFT_HIGH};
static const char *const half_points[] = {"half_saturates", NULL};
static const lb_event half_events[] = {LB_EVENT_HALF_SATURATES};
static const char *const vanish_points[] = {"vanishes", NULL};
static const lb_event vanish_events[] = {LB_EVENT_VANISHES};
static const char *const wrap_points[] = {"wraps", NULL};
static const lb_event wrap_events[] = {LB_EVENT_WRAPS};

enum { TIES, FALLING, RISING, SATURATES, CLAMPS, CLAMPS_LOW, LEFT, HALF, VANISHES, WRAPS };

static const event_set sets[] = {
    [TIES] = {tie_points, tie_events},           [FALLING] = {falling_points, falling_events},
    [RISING] = {rising_points, rising_events},   [SATURATES] = {saturate_points, saturate_events},
    [CLAMPS] = {clamp_points, clamp_events},     [CLAMPS_LOW] = {low_points, clamp_events},
    [LEFT] = {left_points, left_events},         [HALF] = {half_points, half_events},
    [VANISHES] = {vanish_points, vanish_events}, [WRAPS] = {wrap_points, wrap_events},
};

/* ---- Parts of the functions ---- */

enum {
    FX8 = 1,
    FX16 = 2,
    FX16_FX8 = 4,
    SA8 = 8,
    FX = FX8 | FX16 | FX16_FX8,
    NARROW = FX8 | FX16_FX8,
    ALL = FX | SA8
};

typedef struct row {
    lb_family_set families;
    int variants;
    lb_part part;
    const char *name; /* of the class, behind "value." */
    int set;
    const char *spec;
    lb_step_term term; /* of the several that the part's code works on; none: whichever */
} row;

#define CONVERTS LB_OF_PATTERN(CONVERSION)

/* clang-format off */
static const row rows[] = {
    {LB_WEIGHTED,             ALL,    LB_PART_REQUANTIZE, "requantize", TIES,      "conv.md 3, 4.5, numerics.md 5.3", LB_TERM_NONE},
    {LB_WEIGHTED,             ALL,    LB_PART_REQUANTIZE, "requantize", SATURATES, "conv.md 3, 4.5, numerics.md 5.3", LB_TERM_NONE},
    {LB_WEIGHTED,             NARROW | SA8, LB_PART_REQUANTIZE, "requantize", HALF, "numerics.md 3, up", LB_TERM_NONE},
    {LB_WEIGHTED,             FX,     LB_PART_REQUANTIZE, "requantize", VANISHES,  "numerics.md 3", LB_TERM_NONE},
    {LB_WEIGHTED,             NARROW, LB_PART_BIAS,       "bias",       LEFT,      "conv.md 3, numerics.md 4.2", LB_TERM_NONE},
    {LB_WEIGHTED | LB_OF_PATTERN(DENSE_LISTS) | LB_CELLS, FX16, LB_PART_BIAS, "bias", WRAPS, "conv.md 3, numerics.md 4.2", LB_TERM_NONE},
    {LB_WEIGHTED | LB_OF_PATTERN(LIMITS), ALL, LB_PART_RELU, "relu",       CLAMPS,    "conv.md 5, elementwise.md 3", LB_TERM_NONE},
    {LB_WEIGHTED | LB_OF_PATTERN(DENSE_LISTS), SA8, LB_PART_RATIO_OF_THE_SCALES, "ratio", RISING, "numerics.md 5.2", LB_TERM_NONE},
    {LB_OF_PATTERN(DENSE_LISTS), ALL,    LB_PART_REQUANTIZE, "requantize", TIES,      "recurrent.md 5.2, 5.3", LB_TERM_NONE},
    {LB_OF_PATTERN(DENSE_LISTS), ALL,    LB_PART_RESULT,     "sum",        SATURATES, "recurrent.md 5.2, 5.3", LB_TERM_NONE},
    {LB_CELLS,                ALL,    LB_PART_REQUANTIZE, "requantize", TIES,      "recurrent.md 5.2, 5.3, 6", LB_TERM_NONE},
    {LB_CELLS,                ALL,    LB_PART_RESULT,     "gate",       SATURATES, "recurrent.md 5.2, 5.3, 6", LB_TERM_NONE},
    {LB_CELLS,                ALL,    LB_PART_SIGM,       "sigm",       CLAMPS,    "recurrent.md 4", LB_TERM_NONE},
    {LB_CELLS,                ALL,    LB_PART_TANH,       "tanh",       CLAMPS,    "recurrent.md 4", LB_TERM_NONE},
    {LB_IN_FAMILY(LSTM),      ALL,    LB_PART_CELL_SUM, "cell", SATURATES, "recurrent.md 7, step 5", LB_TERM_NONE},
    {LB_IN_FAMILY(LSTM),      ALL,    LB_PART_CELL_KEPT, "kept", TIES, "recurrent.md 7, step 3", LB_TERM_NONE},
    {LB_IN_FAMILY(GRU),       ALL,    LB_PART_STATE_SUM, "state", SATURATES, "recurrent.md 8, step 9", LB_TERM_NONE},
    {LB_IN_FAMILY(GRU),       ALL,    LB_PART_STATE_KEPT, "kept",      TIES,      "recurrent.md 8, step 4", LB_TERM_NONE},
    {LB_OF_PATTERN(PAIR),     ALL,    LB_PART_REQUANTIZE, "requantize", TIES,      "elementwise.md 5", LB_TERM_NONE},
    {LB_OF_PATTERN(PAIR),     SA8,    LB_PART_REQUANTIZE, "requantize_in1", TIES,  "elementwise.md 5", LB_TERM_IN1},
    {LB_OF_PATTERN(PAIR),     SA8,    LB_PART_REQUANTIZE, "requantize_in2", TIES,  "elementwise.md 5", LB_TERM_IN2},
    {LB_OF_PATTERN(PAIR),     ALL,    LB_PART_REQUANTIZE, "requantize", SATURATES, "elementwise.md 5", LB_TERM_NONE},
    {LB_SLOPED,               ALL,    LB_PART_REQUANTIZE, "requantize", TIES,      "elementwise.md 4", LB_TERM_NONE},
    {LB_SLOPED,               SA8,    LB_PART_REQUANTIZE, "requantize_negative", TIES, "elementwise.md 4", LB_TERM_NEGATIVE},
    {LB_SLOPED,               ALL,    LB_PART_REQUANTIZE, "requantize", SATURATES, "elementwise.md 4", LB_TERM_NONE},
    {CONVERTS,                ALL,    LB_PART_REQUANTIZE, "requantize", TIES,      "numerics.md 7.2", LB_TERM_NONE},
    {CONVERTS,                ALL,    LB_PART_REQUANTIZE, "requantize", SATURATES, "numerics.md 7.2", LB_TERM_NONE},
    {CONVERTS,                ALL,    LB_PART_REQUANTIZE, "requantize", LEFT,      "numerics.md 7.2", LB_TERM_NONE},
    {CONVERTS,                ALL,    LB_PART_REQUANTIZE, "requantize", VANISHES,  "numerics.md 7.2", LB_TERM_NONE},
    {LB_IN_FAMILY(SIGM),      FX8 | SA8, LB_PART_SIGM,    "table",      TIES,      "recurrent.md 4", LB_TERM_NONE},
    {LB_IN_FAMILY(SIGM),      FX16,   LB_PART_SIGM,       "table",      FALLING,   "recurrent.md 4", LB_TERM_NONE},
    {LB_IN_FAMILY(SIGM),      ALL,    LB_PART_SIGM,       "table",      CLAMPS,    "recurrent.md 4", LB_TERM_NONE},
    {LB_IN_FAMILY(TANH),      FX8 | SA8, LB_PART_TANH,    "table",      TIES,      "recurrent.md 4", LB_TERM_NONE},
    {LB_IN_FAMILY(TANH),      FX16,   LB_PART_TANH,       "table",      FALLING,   "recurrent.md 4", LB_TERM_NONE},
    {LB_IN_FAMILY(TANH),      ALL,    LB_PART_TANH,       "table",      CLAMPS,    "recurrent.md 4", LB_TERM_NONE},
    {LB_IN_FAMILY(SOFTMAX),   FX16 | SA8, LB_PART_EXPONENTIAL_OF_THE_ELEMENT, "table", FALLING, "elementwise.md 6, 7", LB_TERM_NONE},
    {LB_IN_FAMILY(SOFTMAX),   FX16 | SA8, LB_PART_EXPONENTIAL_OF_THE_ELEMENT, "table", CLAMPS_LOW, "elementwise.md 6, 7", LB_TERM_NONE},
    {LB_IN_FAMILY(SOFTMAX),   FX16 | SA8, LB_PART_RECIPROCAL_OF_THE_SUM, "reciprocal", RISING, "elementwise.md 7", LB_TERM_NONE},
    {LB_IN_FAMILY(L2_NORMALIZE), ALL, LB_PART_INVERSE_ROOT_OF_THE_SUM, "root", RISING, "elementwise.md 6, 8", LB_TERM_NONE},
    {LB_IN_FAMILY(L2_NORMALIZE), FX16, LB_PART_NORMALIZE, "normalize",  TIES,      "elementwise.md 8", LB_TERM_NONE},
    {LB_IN_FAMILY(AVEPOOL),   ALL,    LB_PART_REQUANTIZE, "requantize", TIES,      "pooling_and_movement.md 2.5, 2.6", LB_TERM_NONE},
    {LB_IN_FAMILY(AVEPOOL),   ALL,    LB_PART_REQUANTIZE, "requantize", SATURATES, "pooling_and_movement.md 2.5, 2.6", LB_TERM_NONE},
};
/* clang-format on */

static int variant_of(const lb_kernel *kernel)
{
    switch (kernel->in_type) {
    case LB_SA8:
        return SA8;
    case LB_FX8:
        return FX8;
    case LB_FX16:
        return kernel->weights_type == LB_FX8 ? FX16_FX8 : FX16;
    default:
        return ALL; /* conversion: any pair */
    }
}

static uint64_t observe_part(const lb_observation *o, const lb_cover_group *group)
{
    const event_set *set = &sets[group->detail];
    const row *r = &rows[group->id];
    uint64_t mask = o->seen ? lb_seen_events(o->seen, r->part, r->term) : 0;
    uint64_t hit = 0;
    for (unsigned i = 0; mask != 0 && set->points[i]; i++)
        hit |= (mask >> set->events[i] & 1) << i;
    return hit;
}

/* ---- Of functions whose steps are listed ---- */

static const char *const done_points[] = {"done", NULL};
static const char *const ties_away_points[] = {"tie_up.positive", "tie_down.negative", NULL};
static const lb_event ties_away_events[] = {LB_EVENT_TIE_UP_POSITIVE, LB_EVENT_TIE_DOWN_NEGATIVE};
static const char *const ties_up_points[] = {"tie_up.positive", "tie_up.negative", NULL};
static const lb_event ties_up_events[] = {LB_EVENT_TIE_UP_POSITIVE, LB_EVENT_TIE_UP_NEGATIVE};
static const event_set place_sets[] = {
    {ties_up_points, ties_up_events},   {ties_away_points, ties_away_events},
    {saturate_points, saturate_events}, {clamp_points, clamp_events},
    {left_points, left_events},         {half_points, half_events},
    {vanish_points, vanish_events},     {wrap_points, wrap_events},
};

static unsigned events_at(const lb_step_place *place)
{
    return place->can[0] | place->can[1];
}

static uint64_t observe_place(const lb_observation *o, const lb_cover_group *group)
{
    if (!o->seen || !o->seen->places)
        return 0;
    const unsigned mask = o->seen->of_place[group->place - o->seen->places];
    uint64_t hit = 0;
    if (group->detail < 0)
        return mask >> LB_STEP_IS_DONE & 1;
    for (unsigned i = 0; group->points[i]; i++)
        hit |= (uint64_t)(mask >> place_sets[group->detail].events[i] & 1) << i;
    return hit;
}

static const char *place_unreachable(const lb_kernel *kernel, const lb_cover_group *group,
                                     unsigned point, int profile)
{
    const unsigned bit =
        group->detail < 0 ? LB_STEP_IS_DONE : place_sets[group->detail].events[point];
    const unsigned can = group->place->can[profile];
    (void)kernel;
    if (!(can >> LB_STEP_IS_DONE & 1))
        return "the step is none of this profile";
    return !(can >> bit & 1) ? "no operands that the step can have make it: so say their ranges"
                             : NULL;
}

static void add_place(lb_cover_list *list, const lb_step_place *place)
{
    lb_cover_group group = {.class_name = "step",
                            .instance = "",
                            .spec = lb_families[list->kernel->family].refusals,
                            .points = done_points,
                            .observe = observe_place,
                            .of_steps = true,
                            .detail = -1,
                            .place = place,
                            .unreachable = place_unreachable};
    lb_cover_add(list, group);
    for (int s = 0; s < (int)(sizeof place_sets / sizeof *place_sets); s++) {
        unsigned of_set = 0;
        for (unsigned i = 0; place_sets[s].points[i]; i++)
            of_set |= events_at(place) >> place_sets[s].events[i] & 1;
        /* Halves that go up, of numbers below 0 too, or away from it: one of the two sets. */
        const bool is_away = (events_at(place) >> LB_EVENT_TIE_DOWN_NEGATIVE & 1) != 0;
        if (of_set == 0 || (s == 0 && is_away) || (s == 1 && !is_away))
            continue;
        group.points = place_sets[s].points;
        group.detail = s;
        lb_cover_add(list, group);
    }
}

/* Elements of a tensor of the call that are no wider than what looks for their ends. */
static bool has_ends(const lb_kernel *kernel, lb_owner owner)
{
    const int role = lb_owner_role(owner);
    return role >= 0 && lb_container_bits(lb_variant_type(kernel, (lb_role)role)) <= 32;
}

void lb_cover_places(lb_cover_list *list)
{
    for (const lb_step_place *p = lb_kernel_step_places(list->kernel); p->site != LB_SITE_COUNT;
         p++)
        if (p->site != LB_SITE_NONE)
            add_place(list, p);
        else if (p->field == 0 && has_ends(list->kernel, (lb_owner)p->owner))
            lb_cover_add_ends(list, (lb_role)lb_owner_role((lb_owner)p->owner),
                              p->owner == LB_OWNER_OUT, p);
}

void lb_cover_computed(lb_cover_list *list)
{
    for (int i = 0; i < (int)(sizeof rows / sizeof rows[0]); i++) {
        bool fits = (rows[i].variants & variant_of(list->kernel)) != 0;
        if (fits && lb_cover_in(list->kernel, rows[i].families)) {
            lb_cover_add(list, (lb_cover_group){.class_name = "value",
                                                .instance = rows[i].name,
                                                .spec = rows[i].spec,
                                                .points = sets[rows[i].set].points,
                                                .observe = observe_part,
                                                .of_steps = true,
                                                .id = i,
                                                .detail = rows[i].set});
        }
    }
}
