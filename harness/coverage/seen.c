/* What the steps of a model run did to the values: see seen.h. */
#include "harness/coverage/seen.h"

#include "reference/core/arith.h"
#include "reference/describe/kernels.h"

#include <string.h>

static uint64_t bit(lb_event event)
{
    return (uint64_t)1 << event;
}

static uint64_t ends(int64_t exact, int64_t result, lb_event low)
{
    return exact < result ? bit(low) : exact > result ? bit((lb_event)(low + 1)) : 0;
}

/* A left shift of v by n > 0 in a width: did it leave it? A shift that loses nothing can be undone.
 */
static uint64_t left(int64_t v, int64_t result, int64_t n)
{
    bool kept = n < 64 && lb_asr(result, (int)n, 64) == v &&
                lb_shl(lb_asr(result, (int)n, 64), (int)n, 64) == result;
    return kept || v == 0 ? 0 : v < 0 ? bit(LB_EVENT_LEFT_LOW) : bit(LB_EVENT_LEFT_HIGH);
}

static uint64_t rounded(const lb_num_step *step)
{
    int64_t v = step->operand[0].v;
    int64_t n = step->operand[1].v;
    if (n < 0)
        return left(v, step->result, -n);
    if (n == 0)
        return 0;
    if (n >= step->width)
        return v != 0 ? bit(LB_EVENT_VANISHES) : 0;
    int64_t down = lb_asr(v, (int)n, 64);
    uint64_t rest = (uint64_t)v & (((uint64_t)1 << n) - 1);
    uint64_t half = (uint64_t)1 << (n - 1);
    if (step->rounding == LB_ROUND_UP && v > lb_max_of(step->width) - (int64_t)half)
        return bit(LB_EVENT_HALF_SATURATES);
    if (rest != half)
        return 0;
    lb_event event = step->result > down ? LB_EVENT_TIE_UP_POSITIVE : LB_EVENT_TIE_DOWN_POSITIVE;
    return bit((lb_event)(event + (v < 0 ? 1 : 0)));
}

/* The sum or difference without a width; it is compared only where it fits 64 bits. */
static uint64_t added(const lb_num_step *step)
{
    int64_t a = step->operand[0].v;
    int64_t b = step->operand[1].v;
    if (step->width == 0)
        return 0;
    int64_t exact = step->operation == LB_STEP_ADD ? lb_add(a, b, 64) : lb_sub(a, b, 64);
    return ends(exact, step->result, LB_EVENT_SATURATES_LOW);
}

static uint64_t events_of(const lb_num_step *step)
{
    int64_t v = step->operand[0].v;
    switch (step->operation) {
    case LB_STEP_RSH:
        return rounded(step);
    case LB_STEP_SHL:
        return step->operand[1].v > 0 ? left(v, step->result, step->operand[1].v) : 0;
    case LB_STEP_SAT:
        return ends(v, step->result, LB_EVENT_SATURATES_LOW);
    case LB_STEP_ADD:
    case LB_STEP_SUB:
        return added(step);
    case LB_STEP_WRAP:
        return v != step->result ? bit(LB_EVENT_WRAPS) : 0;
    case LB_STEP_MIN:
        return step->result < v ? bit(LB_EVENT_CLAMPED_HIGH) : 0;
    case LB_STEP_MAX:
        return step->result > v ? bit(LB_EVENT_CLAMPED_LOW) : 0;
    default:
        return 0;
    }
}

/* The operations that can tell an event: those of events_of. */
static const uint32_t telling = 1u << LB_STEP_RSH | 1u << LB_STEP_SHL | 1u << LB_STEP_SAT |
                                1u << LB_STEP_ADD | 1u << LB_STEP_SUB | 1u << LB_STEP_WRAP |
                                1u << LB_STEP_MIN | 1u << LB_STEP_MAX;

static bool is_of_term(const lb_seen_term *seen, lb_part part, lb_step_term term)
{
    return seen->part == part && seen->term == term;
}

static void keep_of_term(lb_seen *seen, const lb_num_step *step, uint64_t events)
{
    unsigned i = 0;
    while (i < seen->term_count && !is_of_term(&seen->of_term[i], step->part, step->term))
        i++;
    if (i == LB_SEEN_TERMS)
        return;
    if (i == seen->term_count)
        seen->of_term[seen->term_count++] = (lb_seen_term){step->part, step->term, 0};
    seen->of_term[i].events |= events;
}

static bool stands_at(const lb_step_place *place, const lb_num_step *step)
{
    return place->site == step->site && place->part == step->part && place->term == step->term;
}

/* Steps follow each other as their places do, most of the time. */
static void keep_at_place(lb_seen *seen, const lb_num_step *step, uint64_t events)
{
    const lb_step_place *places = seen->places;
    unsigned i = seen->place;
    if (places[i].site != LB_SITE_COUNT)
        i++;
    if (places[i].site == LB_SITE_COUNT || !stands_at(&places[i], step))
        for (i = 0; places[i].site != LB_SITE_COUNT && !stands_at(&places[i], step);)
            i++;
    seen->place = i;
    if (places[i].site != LB_SITE_COUNT)
        seen->of_place[i] |= (uint16_t)(events | 1u << LB_STEP_IS_DONE);
}

static void hear(void *user, const lb_num_step *step)
{
    lb_seen *seen = user;
    uint64_t events = events_of(step);
    if (seen->places && step->number > 0)
        keep_at_place(seen, step, events);
    seen->events[step->part] |= events;
    if (events != 0 && step->term)
        keep_of_term(seen, step, events);
}

uint64_t lb_seen_events(const lb_seen *seen, lb_part part, lb_step_term term)
{
    uint64_t events = term ? 0 : seen->events[part];
    for (unsigned i = 0; term && i < seen->term_count; i++)
        if (is_of_term(&seen->of_term[i], part, term))
            events |= seen->of_term[i].events;
    return events;
}

lb_steps lb_seen_listener(lb_seen *seen, const lb_step_place *places)
{
    *seen = (lb_seen){.places = places};
    return (lb_steps){.role = LB_ROLE_OUT,
                      .element = LB_STEPS_EVERY,
                      .step = hear,
                      .user = seen,
                      .heard = telling | (places ? 1u << LB_STEP_COPY : 0)};
}
