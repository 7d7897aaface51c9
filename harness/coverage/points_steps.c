/* Coverpoints of the steps inside the exact model: rounding ties of each sign, saturation,
 * wrapping, clamping, part by part as the models name them (steps.h). Spec: numerics.md 3, 4.2, 5,
 * 6; conv.md 3 to 5; recurrent.md 4 to 8; elementwise.md 3 to 8; pooling_and_movement.md 2. */
#include "harness/coverage/class.h"

/* ---- Sets of events: what can happen in a part ---- */

/* The low end of a point is the event. */
#define EVENT(name, event) LB_POINT(name, LB_EVENT_##event, LB_EVENT_##event)
#define UP(sign, SIGN)     EVENT("tie_up." sign, TIE_UP_##SIGN)
#define DOWN(sign, SIGN)   EVENT("tie_down." sign, TIE_DOWN_##SIGN)
typedef lb_cover_point events[];

/* clang-format off */
static const events ties = {UP("positive", POSITIVE), UP("negative", NEGATIVE), DOWN("positive", POSITIVE), DOWN("negative", NEGATIVE), {0}};
/* Differences of a rising function: no sum that is rounded is positive. */
static const events falling = {UP("negative", NEGATIVE), DOWN("negative", NEGATIVE), {0}};
static const events rising = {UP("positive", POSITIVE), DOWN("positive", POSITIVE), {0}};
static const events ties_away = {UP("positive", POSITIVE), DOWN("negative", NEGATIVE), {0}};
static const events ties_up = {UP("positive", POSITIVE), UP("negative", NEGATIVE), {0}};
static const events saturates = {EVENT("saturates.low", SATURATES_LOW), EVENT("saturates.high", SATURATES_HIGH), {0}};
static const events clamps = {EVENT("clamped.low", CLAMPED_LOW), EVENT("clamped.high", CLAMPED_HIGH), {0}};
static const events clamps_low = {EVENT("clamped.low", CLAMPED_LOW), {0}};
static const events left = {EVENT("left_shift_saturates.low", LEFT_LOW), EVENT("left_shift_saturates.high", LEFT_HIGH), {0}};
static const events half = {EVENT("half_saturates", HALF_SATURATES), {0}};
static const events vanishes = {EVENT("vanishes", VANISHES), {0}};
static const events wraps = {EVENT("wraps", WRAPS), {0}};
/* clang-format on */

/* Those that are in the mask. */
static uint64_t events_in(const lb_cover_group *group, uint64_t mask)
{
    uint64_t hit = 0;
    for (unsigned i = 0; mask != 0 && group->points[i].name; i++)
        hit |= (mask >> group->points[i].low & 1) << i;
    return hit;
}

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
    const lb_cover_point *points;
    const char *spec;
    lb_step_term term; /* of the several that the part's code works on; none: whichever */
} row;

#define CONVERTS LB_OF_PATTERN(CONVERSION)

/* clang-format off */
static const row rows[] = {
    {LB_WEIGHTED,             ALL,    LB_PART_REQUANTIZE, "requantize", ties,      "conv.md 3, 4.5, numerics.md 5.3", LB_TERM_NONE},
    {LB_WEIGHTED,             ALL,    LB_PART_REQUANTIZE, "requantize", saturates, "conv.md 3, 4.5, numerics.md 5.3", LB_TERM_NONE},
    {LB_WEIGHTED,             NARROW | SA8, LB_PART_REQUANTIZE, "requantize", half, "numerics.md 3, up", LB_TERM_NONE},
    {LB_WEIGHTED,             FX,     LB_PART_REQUANTIZE, "requantize", vanishes,  "numerics.md 3", LB_TERM_NONE},
    {LB_WEIGHTED,             NARROW, LB_PART_BIAS,       "bias",       left,      "conv.md 3, numerics.md 4.2", LB_TERM_NONE},
    {LB_WEIGHTED | LB_OF_PATTERN(DENSE_LISTS) | LB_CELLS, FX16, LB_PART_BIAS, "bias", wraps, "conv.md 3, numerics.md 4.2", LB_TERM_NONE},
    {LB_WEIGHTED | LB_OF_PATTERN(LIMITS), ALL, LB_PART_RELU, "relu",       clamps,    "conv.md 5, elementwise.md 3", LB_TERM_NONE},
    {LB_WEIGHTED | LB_OF_PATTERN(DENSE_LISTS), SA8, LB_PART_RATIO_OF_THE_SCALES, "ratio", rising, "numerics.md 5.2", LB_TERM_NONE},
    {LB_OF_PATTERN(DENSE_LISTS), ALL,    LB_PART_REQUANTIZE, "requantize", ties,      "recurrent.md 5.2, 5.3", LB_TERM_NONE},
    {LB_OF_PATTERN(DENSE_LISTS), ALL,    LB_PART_RESULT,     "sum",        saturates, "recurrent.md 5.2, 5.3", LB_TERM_NONE},
    {LB_CELLS,                ALL,    LB_PART_REQUANTIZE, "requantize", ties,      "recurrent.md 5.2, 5.3, 6", LB_TERM_NONE},
    {LB_CELLS,                ALL,    LB_PART_RESULT,     "gate",       saturates, "recurrent.md 5.2, 5.3, 6", LB_TERM_NONE},
    {LB_CELLS,                ALL,    LB_PART_SIGM,       "sigm",       clamps,    "recurrent.md 4", LB_TERM_NONE},
    {LB_CELLS,                ALL,    LB_PART_TANH,       "tanh",       clamps,    "recurrent.md 4", LB_TERM_NONE},
    {LB_IN_FAMILY(LSTM),      ALL,    LB_PART_CELL_SUM, "cell", saturates, "recurrent.md 7, step 5", LB_TERM_NONE},
    {LB_IN_FAMILY(LSTM),      ALL,    LB_PART_CELL_KEPT, "kept", ties, "recurrent.md 7, step 3", LB_TERM_NONE},
    {LB_IN_FAMILY(GRU),       ALL,    LB_PART_STATE_SUM, "state", saturates, "recurrent.md 8, step 9", LB_TERM_NONE},
    {LB_IN_FAMILY(GRU),       ALL,    LB_PART_STATE_KEPT, "kept",      ties,      "recurrent.md 8, step 4", LB_TERM_NONE},
    {LB_OF_PATTERN(PAIR),     ALL,    LB_PART_REQUANTIZE, "requantize", ties,      "elementwise.md 5", LB_TERM_NONE},
    {LB_OF_PATTERN(PAIR),     SA8,    LB_PART_REQUANTIZE, "requantize_in1", ties,  "elementwise.md 5", LB_TERM_IN1},
    {LB_OF_PATTERN(PAIR),     SA8,    LB_PART_REQUANTIZE, "requantize_in2", ties,  "elementwise.md 5", LB_TERM_IN2},
    {LB_OF_PATTERN(PAIR),     ALL,    LB_PART_REQUANTIZE, "requantize", saturates, "elementwise.md 5", LB_TERM_NONE},
    {LB_SLOPED,               ALL,    LB_PART_REQUANTIZE, "requantize", ties,      "elementwise.md 4", LB_TERM_NONE},
    {LB_SLOPED,               SA8,    LB_PART_REQUANTIZE, "requantize_negative", ties, "elementwise.md 4", LB_TERM_NEGATIVE},
    {LB_SLOPED,               ALL,    LB_PART_REQUANTIZE, "requantize", saturates, "elementwise.md 4", LB_TERM_NONE},
    {CONVERTS,                ALL,    LB_PART_REQUANTIZE, "requantize", ties,      "numerics.md 7.2", LB_TERM_NONE},
    {CONVERTS,                ALL,    LB_PART_REQUANTIZE, "requantize", saturates, "numerics.md 7.2", LB_TERM_NONE},
    {CONVERTS,                ALL,    LB_PART_REQUANTIZE, "requantize", left,      "numerics.md 7.2", LB_TERM_NONE},
    {CONVERTS,                ALL,    LB_PART_REQUANTIZE, "requantize", vanishes,  "numerics.md 7.2", LB_TERM_NONE},
    {LB_IN_FAMILY(SIGM),      FX8 | SA8, LB_PART_SIGM,    "table",      ties,      "recurrent.md 4", LB_TERM_NONE},
    {LB_IN_FAMILY(SIGM),      FX16,   LB_PART_SIGM,       "table",      falling,   "recurrent.md 4", LB_TERM_NONE},
    {LB_IN_FAMILY(SIGM),      ALL,    LB_PART_SIGM,       "table",      clamps,    "recurrent.md 4", LB_TERM_NONE},
    {LB_IN_FAMILY(TANH),      FX8 | SA8, LB_PART_TANH,    "table",      ties,      "recurrent.md 4", LB_TERM_NONE},
    {LB_IN_FAMILY(TANH),      FX16,   LB_PART_TANH,       "table",      falling,   "recurrent.md 4", LB_TERM_NONE},
    {LB_IN_FAMILY(TANH),      ALL,    LB_PART_TANH,       "table",      clamps,    "recurrent.md 4", LB_TERM_NONE},
    {LB_IN_FAMILY(SOFTMAX),   FX16 | SA8, LB_PART_EXPONENTIAL_OF_THE_ELEMENT, "table", falling, "elementwise.md 6, 7", LB_TERM_NONE},
    {LB_IN_FAMILY(SOFTMAX),   FX16 | SA8, LB_PART_EXPONENTIAL_OF_THE_ELEMENT, "table", clamps_low, "elementwise.md 6, 7", LB_TERM_NONE},
    {LB_IN_FAMILY(SOFTMAX),   FX16 | SA8, LB_PART_RECIPROCAL_OF_THE_SUM, "reciprocal", rising, "elementwise.md 7", LB_TERM_NONE},
    {LB_IN_FAMILY(L2_NORMALIZE), ALL, LB_PART_INVERSE_ROOT_OF_THE_SUM, "root", rising, "elementwise.md 6, 8", LB_TERM_NONE},
    {LB_IN_FAMILY(L2_NORMALIZE), FX16, LB_PART_NORMALIZE, "normalize",  ties,      "elementwise.md 8", LB_TERM_NONE},
    {LB_IN_FAMILY(AVEPOOL),   ALL,    LB_PART_REQUANTIZE, "requantize", ties,      "pooling_and_movement.md 2.5, 2.6", LB_TERM_NONE},
    {LB_IN_FAMILY(AVEPOOL),   ALL,    LB_PART_REQUANTIZE, "requantize", saturates, "pooling_and_movement.md 2.5, 2.6", LB_TERM_NONE},
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
    const row *r = &rows[group->id];
    return events_in(group, o->seen ? lb_seen_events(o->seen, r->part, r->term) : 0);
}

/* ---- Of functions whose steps are listed ---- */

static const events done = {LB_POINT("done", LB_STEP_IS_DONE, LB_STEP_IS_DONE), {0}};
/* Halves that go up, of numbers below 0 too, or away from it: one of the first two. */
static const lb_cover_point *const place_sets[] = {done, ties_up, ties_away, saturates, clamps,
                                                   left, half,    vanishes,  wraps};

static unsigned events_at(const lb_step_place *place)
{
    return place->can[0] | place->can[1];
}

static uint64_t observe_place(const lb_observation *o, const lb_cover_group *group)
{
    return o->seen && o->seen->places
               ? events_in(group, o->seen->of_place[group->place - o->seen->places])
               : 0;
}

static const char *place_unreachable(const lb_kernel *kernel, const lb_cover_group *group,
                                     unsigned point, int profile)
{
    const unsigned can = group->place->can[profile];
    (void)kernel;
    if (!(can >> LB_STEP_IS_DONE & 1))
        return "the step is none of this profile";
    return !(can >> group->points[point].low & 1)
               ? "no operands that the step can have make it: so say their ranges"
               : NULL;
}

static void add_place(lb_cover_list *list, const lb_step_place *place)
{
    lb_cover_group group = {.class_name = "step",
                            .instance = "",
                            .spec = lb_families[list->kernel->family].refusals,
                            .observe = observe_place,
                            .of_steps = true,
                            .place = place,
                            .unreachable = place_unreachable};
    const bool is_away = (events_at(place) >> LB_EVENT_TIE_DOWN_NEGATIVE & 1) != 0;
    for (size_t s = 0; s < sizeof place_sets / sizeof *place_sets; s++) {
        group.points = place_sets[s];
        if (group.points != (is_away ? ties_up : ties_away) &&
            (group.points == done || events_in(&group, events_at(place)) != 0))
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
                                                .points = rows[i].points,
                                                .observe = observe_part,
                                                .of_steps = true,
                                                .id = i});
        }
    }
}
