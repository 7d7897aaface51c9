/* Where a failing result departs: see diverges.h. */
#include "harness/explain/diverges.h"
#include "harness/base/clock.h"
#include "harness/explain/faults.h"

static const double SECONDS_EACH = 0.2;

static const char *step_of(lb_scene *scene, lb_role role, double seconds)
{
    for (int voice = 0; voice < 2; voice++) {
        size_t flat;
        lb_trail trail;
        lb_suspicion suspicion;
        if (!lb_voice_first_difference(scene, (lb_voice)voice, role, &flat) ||
            !lb_trail_make(&trail, scene, role, flat))
            continue;
        lb_suspect_find(&suspicion, scene, (lb_voice)voice, role, flat, &trail, seconds);
        const char *step = lb_suspicion_step(&suspicion, scene->arena);
        lb_trail_free(&trail);
        return step;
    }
    return "";
}

const char *lb_departs_at(const lb_case *c, const lb_profile *profile, const lb_instance *port,
                          uint32_t call_number, double *seconds_left, lb_arena *arena)
{
    const char *step = "";
    double start = lb_now_seconds(),
           seconds = *seconds_left < SECONDS_EACH ? *seconds_left : SECONDS_EACH;
    if (seconds <= 0 || !c->kernel || !c->kernel->exact)
        return "";
    lb_scene *scene = lb_arena_alloc(arena, sizeof *scene);
    lb_scene_adopt(scene, c, profile, port, call_number, arena);
    for (int role = 0; scene->computed && !step[0] && role < LB_ROLE_COUNT; role++)
        if (c->operand[role].present && c->operand[role].is_output && !c->null_role[role])
            step = step_of(scene, (lb_role)role, seconds);
    *seconds_left -= lb_now_seconds() - start;
    return step;
}

static void note_result(void *self, const lb_trial_end *end, lb_result *result)
{
    lb_diverges_listener *l = self;
    if (result->verdict == LB_FAIL && end->computed)
        result->departs_at = lb_departs_at(end->test_case, end->profile, end->port, end->step,
                                           &l->seconds_left, end->arena);
}

lb_analysis lb_diverges_analysis(lb_diverges_listener *listener)
{
    return (lb_analysis){.self = listener, .result = note_result};
}
