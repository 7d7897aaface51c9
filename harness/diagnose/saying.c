/* One result and one fault: see saying.h. */
#include "harness/diagnose/saying.h"
#include "harness/diagnose/open.h"
#include "harness/diagnose/work.h"

#include <math.h>

static bool status_alone(const lb_fault *fault)
{
    return fault->kind->group == LB_FAULTS_STATUS;
}

static lb_word word_of_status(const lb_fault_bench *bench, const lb_fault *fault,
                              const lb_left *left)
{
    bool changed = bench->out.call.status != bench->right.call.status;
    lb_status got = left ? left->status : bench->right.call.status;
    if (!changed)
        return LB_WORD_UNTOUCHED;
    if (fault->kind->open != LB_OPEN_NOTHING)
        return left && lb_open_explains(bench, fault, left) ? LB_WORD_EXPLAINS : LB_WORD_AGAINST;
    return got == bench->out.call.status ? LB_WORD_EXPLAINS : LB_WORD_AGAINST;
}

/* Kinds that leave work out, or old values behind, say which elements are wrong; what stands there
 * may be another thing. */
static bool may_be_partly(const lb_fault *fault)
{
    return fault->kind->group == LB_FAULTS_EXTENT || fault->kind->group == LB_FAULTS_STATE;
}

/* Where the port's result is another than the fault's: element by element. The fault may be there
 * for some elements alone, or beside another one. */
static void say_of_elements(lb_saying *say, const lb_fault_bench *bench, const lb_fault *fault,
                            const lb_left *left)
{
    if (left->status != bench->out.call.status || left->block_bytes != bench->memory.block_bytes)
        return;
    lb_left_counts n = lb_left_count(left, &bench->right, &bench->out);
    uint64_t least = may_be_partly(fault) ? 2 : 1;
    if (n.explained == 0)
        return;
    if (n.spoiled == 0 && (n.explained * least >= n.wrong || n.explained == n.wrong)) {
        say->word = LB_WORD_PARTLY;
        say->doubt = 1 + log2((double)n.wrong / (double)n.explained);
    } else if (n.explained == n.wrong) {
        say->word = LB_WORD_SOME;
        say->doubt = 1 + log2(1 + (double)n.spoiled / (double)n.wrong);
    }
}

/* All that is wrong lies where the fault says nothing: it goes with the result, and explains none
 * of it. A fault that says nothing of any element goes with whatever there is. */
static lb_saying say_of_unsaid(const lb_fault_bench *bench, const lb_left *left)
{
    static const double DOUBT = 2;
    bool goes_with = left && bench->unsaid && lb_left_equals(left, &bench->right) &&
                     lb_left_said(bench->unsaid, &bench->right) > 0;
    return goes_with ? (lb_saying){.word = LB_WORD_PARTLY, .doubt = DOUBT}
                     : (lb_saying){.word = LB_WORD_UNTOUCHED};
}

static lb_saying say_of_memory(lb_fault_bench *bench, const lb_fault *fault, const lb_left *left)
{
    lb_saying say = {.word = LB_WORD_UNTOUCHED};
    if (left && bench->unsaid)
        left = lb_left_as_right(left, bench->unsaid, &bench->right, bench->arena);
    if (!lb_fault_is_caught(bench))
        return say_of_unsaid(bench, left);
    say.word = LB_WORD_AGAINST;
    say.digest = lb_fault_digest(&bench->out);
    if (left && fault->kind->open != LB_OPEN_NOTHING)
        say.word = lb_open_explains(bench, fault, left) ? LB_WORD_EXPLAINS : LB_WORD_AGAINST;
    else if (left && lb_left_equals(left, &bench->out))
        say.word = LB_WORD_EXPLAINS;
    else if (left)
        say_of_elements(&say, bench, fault, left);
    return say;
}

static bool is_too_large(lb_fault_bench *bench, const lb_fault *fault)
{
    return bench->computed && fault->kind->group == LB_FAULTS_STEP && !lb_fault_bench_count(bench);
}

lb_saying lb_suspect_say(lb_evidence *e, lb_fault_bench *bench, const lb_fault *fault,
                         const lb_left *left)
{
    lb_saying say = {.word = LB_WORD_UNTOUCHED};
    lb_work_fault(e, bench, fault);
    if (!lb_fault_try(bench, fault)) {
        if (is_too_large(bench, fault))
            say.word = LB_WORD_TOO_LARGE;
        return say;
    }
    if (!status_alone(fault))
        return say_of_memory(bench, fault, left);
    say.word = word_of_status(bench, fault, left);
    say.digest = say.word == LB_WORD_UNTOUCHED ? 0 : 1 + (uint64_t)bench->out.call.status;
    return say;
}
