/* One element of an output with a fault in its steps: see one_element.h. */
#include "harness/explain/one_element.h"
#include "harness/base/xalloc.h"
#include "harness/faults/step_run.h"
#include "harness/trial/compare.h"

#include <stdlib.h>

/* ---- What is heard ---- */

/* Spots follow each other as they did before, most of the time. */
static lb_one_spot *spot_of(lb_one_element *e, const lb_num_step *step)
{
    for (size_t i = 0; i < e->spot_count; i++) {
        e->last_spot = (e->last_spot + 1) % e->spot_count;
        if (lb_fault_same_site(&e->told[e->spots[e->last_spot].first].step, step, false))
            return &e->spots[e->last_spot];
    }
    return NULL;
}

static void join_spot(lb_one_element *e, size_t at)
{
    lb_one_spot *spot = spot_of(e, &e->told[at].step);
    if (spot) {
        e->told[spot->last].next = at;
        spot->last = at;
        return;
    }
    e->spots = lb_room_for_one(e->spots, e->spot_count, &e->spot_room, sizeof *e->spots);
    e->last_spot = e->spot_count++;
    e->spots[e->last_spot] = (lb_one_spot){at, at};
}

/* Operations are numbered from 1 on, one after the other. */
static void number_step(lb_one_element *e, size_t at)
{
    if (e->told[at].step.number <= 0)
        return;
    e->numbered =
        lb_room_for_one(e->numbered, e->number_count, &e->number_room, sizeof *e->numbered);
    e->numbered[e->number_count++] = at;
}

/* Vectors that the call makes on the way, and outputs that it reads again, come from steps that
 * nobody tells this listener. */
static bool is_made_elsewhere(const lb_one_element *e, const lb_num_step *step)
{
    const int role = lb_owner_role(step->place.owner);
    return step->operation == LB_STEP_GIVEN && (step->place.kind == LB_NUM_INTERMEDIATE ||
                                                (step->place.kind == LB_NUM_ELEMENT && role >= 0 &&
                                                 e->bench->test_case->operand[role].is_output));
}

static void note_step(void *user, const lb_num_step *step)
{
    lb_one_element *e = user;
    e->told = lb_room_for_one(e->told, e->told_count, &e->told_room, sizeof *e->told);
    e->told[e->told_count] = (lb_told_step){.step = *step, .left = -1, .next = SIZE_MAX};
    e->stands_alone = e->stands_alone && !is_made_elsewhere(e, step);
    join_spot(e, e->told_count);
    number_step(e, e->told_count++);
}

static bool is_tap(const lb_num_step *step)
{
    return step->number > 0 && step->tap > 0 &&
           (step->operation == LB_STEP_MAC || step->operation == LB_STEP_MAX ||
            step->operation == LB_STEP_SKIP);
}

/* From the last one back; a sum ends where the taps behind it begin anew. */
static void count_taps(lb_one_element *e)
{
    uint64_t tap_behind = 0;
    int64_t behind = 0;
    for (size_t i = e->told_count; i-- > 0;) {
        const lb_num_step *step = &e->told[i].step;
        if (!is_tap(step))
            continue;
        behind = step->tap < tap_behind ? behind + 1 : 0;
        tap_behind = step->tap;
        e->told[i].left = behind;
    }
}

static void run_model(const lb_one_element *e, lb_steps *listener)
{
    const lb_context context = {.profile = e->bench->profile, .steps = listener};
    lb_fault_bench_reset(e->bench);
    listener->address = e->bench->out.block + e->offset;
    lb_model_exact(&context, &e->bench->out.call);
}

void lb_one_element_hear(lb_one_element *e, lb_fault_bench *bench, const lb_replayed *replayed,
                         lb_role role, size_t flat)
{
    const lb_layout layout = lb_replayed_layout(replayed, role);
    const lb_instance *before = &bench->before;
    const unsigned char *start = before->tensors[role][0].data.mem.ptr;
    *e = (lb_one_element){.bench = bench,
                          .listener = {.role = (int)role, .is_alone = true},
                          .bytes = layout.element_bytes};
    /* Of an output that is a state, elements come from all those of the frame before. */
    if (role != LB_ROLE_OUT || layout.rank == 0 || bench->call > 1 ||
        before->call.tensor[LB_ROLE_PREV_OUT] ||
        !lb_replayed_address(replayed, &replayed->exact, role, flat) ||
        !lb_replayed_model_element(replayed, role, flat, &e->listener.element))
        return;
    e->offset = (size_t)(start - before->block) + lb_layout_offset(&layout, flat);
    e->stands_alone = true;
    lb_steps listener = e->listener;
    listener.step = note_step;
    listener.user = e;
    run_model(e, &listener);
    count_taps(e);
    e->stands_alone = e->stands_alone && lb_steps_stored_at(&listener, listener.address) != NULL;
}

/* ---- Faults ---- */

bool lb_one_element_shows(const lb_one_element *e, const lb_fault *fault)
{
    const lb_fault_kind *kind = fault->kind;
    return e->stands_alone && kind->group == LB_FAULTS_STEP && kind->run == lb_fault_step_run &&
           !kind->takes_other && !kind->keeps && !fault->other_site && !fault->second_site &&
           !fault->beside;
}

static lb_fault_run run_of(const lb_one_element *e, const lb_fault *fault, int64_t *carry)
{
    return (lb_fault_run){.fault = fault,
                          .profile = e->bench->profile,
                          .test_case = e->bench->test_case,
                          .before = &e->bench->before,
                          .right = &e->bench->right,
                          .out = &e->bench->out,
                          .arena = e->bench->arena,
                          .carry = carry};
}

bool lb_one_element_feels(const lb_one_element *e, const lb_fault *fault)
{
    int64_t carry = 0;
    lb_fault_run run = run_of(e, fault, &carry);
    for (size_t s = 0; s < e->spot_count; s++) {
        if (!lb_fault_sits_in(fault, &e->told[e->spots[s].first].step))
            continue;
        for (size_t i = e->spots[s].first; i != SIZE_MAX; i = e->told[i].next) {
            run.left = e->told[i].left;
            if (fault->kind->alter(&run, &e->told[i].step) != e->told[i].step.result)
                return true;
        }
    }
    return false;
}

typedef struct changed {
    const lb_one_element *of;
    lb_fault_run run;
} changed;

static int64_t alter(void *user, const lb_num_step *step)
{
    changed *c = user;
    const lb_one_element *e = c->of;
    if (!lb_fault_sits_in(c->run.fault, step))
        return step->result;
    const bool is_known = step->number > 0 && (size_t)step->number <= e->number_count;
    c->run.left = is_known ? e->told[e->numbered[step->number - 1]].left : -1;
    return c->run.fault->kind->alter(&c->run, step);
}

int64_t lb_one_element_value(const lb_one_element *e, const lb_fault *fault)
{
    int64_t carry = 0;
    changed c = {.of = e, .run = run_of(e, fault, &carry)};
    lb_steps listener = e->listener;
    listener.alter = alter;
    listener.heard = lb_fault_heard(fault);
    listener.user = &c;
    run_model(e, &listener);
    return lb_read_container(e->bench->out.block + e->offset, e->bytes);
}

void lb_one_element_free(lb_one_element *e)
{
    free(e->told);
    free(e->spots);
    free(e->numbered);
    *e = (lb_one_element){0};
}
