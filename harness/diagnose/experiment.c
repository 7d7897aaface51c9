/* Experiments between theories: see experiment.h. */
#include "harness/diagnose/experiment.h"
#include "harness/diagnose/asking.h"
#include "harness/diagnose/work.h"
#include "harness/generate/case_change.h"
#include "harness/suite/case_write.h"

#include <string.h>

/* With so many confirmations one that nobody contests is believed; after so many cases in a row on
 * which rivals agree they are held to be the same. */
enum { ENOUGH_CONFIRMED = 10, ENOUGH_ALIKE = 120, ENOUGH_FOREIGN = 4, ENOUGH_SHARED = 12 };

typedef struct state {
    lb_experiments *x;
    lb_arena work; /* of the case at hand */
    uint64_t digest[LB_MOST_RIVALS];
    unsigned alike, confirmed;
} state;

static bool is_over(const state *s)
{
    const lb_experiments *x = s->x;
    return lb_work_seconds(x->evidence) > x->deadline || x->made >= x->most ||
           x->foreign >= (x->shared ? ENOUGH_SHARED : ENOUGH_FOREIGN) || s->alike >= ENOUGH_ALIKE ||
           (x->rival_count == 1 && s->confirmed >= ENOUGH_CONFIRMED);
}

/* ---- Ties ---- */

/* Numbers of all operands stay within -SMALL .. SMALL, so that few results leave the width. */
enum { SMALL = 6, UNIT_SCALE = 16384, UNIT_FRAC_BITS = 14 };

static void set_scale(lb_case_tensor *t, int frac_bits)
{
    for (size_t i = 0; t->scale && t->scale_frac_bits && i < t->quant_count; i++) {
        t->scale[i] = UNIT_SCALE;
        t->scale_frac_bits[i] = (int8_t)frac_bits;
    }
}

static void make_small(lb_case_tensor *t)
{
    int32_t zero = lb_is_sa(t->type) && t->zero_point && t->quant_count > 0 ? t->zero_point[0] : 0;
    t->may_be_uniform = false;
    for (size_t i = 0; t->has_data && t->type != LB_FP32 && i < t->data.count; i++) {
        int32_t small = (int32_t)((int64_t)t->data.items[i] % (SMALL + 1));
        bool fits = zero + small >= -128 && zero + small <= 127;
        t->data.items[i] = fits ? zero + small : small;
    }
}

/* Fractional bits of what an fx function computes before it is brought to the output. */
static int bits_before(const lb_case *c)
{
    int bits = 0, most = 0;
    bool adds = c->kernel->family == LB_FAMILY_ELTWISE && c->operand[LB_ROLE_IN1].present;
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        const lb_case_operand *o = &c->operand[role];
        bool counts = role == LB_ROLE_IN || role == LB_ROLE_IN1 || role == LB_ROLE_IN2 ||
                      role == LB_ROLE_WEIGHTS;
        if (!counts || !o->present || o->count == 0)
            continue;
        bits += o->tensors[0].frac_bits;
        most = o->tensors[0].frac_bits > most ? o->tensors[0].frac_bits : most;
    }
    return adds && bits > 2 * most ? most : bits;
}

/* Changes formats and data so that results are brought to the output by a shift of `places` to the
 * right, from small numbers: one of 2^places stands half-way between two steps, where what rounds
 * otherwise differs, and almost nowhere else. The result may break the rules of the function. */
static void make_ties(lb_case *c, unsigned places)
{
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        for (unsigned i = 0; c->operand[role].present && i < c->operand[role].count; i++) {
            lb_case_tensor *t = &c->operand[role].tensors[i];
            bool is_output = c->operand[role].is_output;
            if (lb_is_sa(t->type))
                set_scale(t, UNIT_FRAC_BITS - (is_output ? (int)places : 0));
            else if (is_output && t->type != LB_FP32)
                t->frac_bits = (int8_t)(bits_before(c) - (int)places);
            if (!is_output)
                make_small(t);
        }
}

/* ---- Cases ---- */

/* A failing result that goes with the first rival, from number `from` on in the order of results.
 */
static uint32_t explained_item(const lb_experiments *x, size_t from)
{
    const lb_function *f = x->function;
    const lb_suspect *s = lb_theory_part_in(x->rivals[0], f)->suspect;
    size_t r = from % f->failing_used;
    for (size_t i = 0; i < f->failing_used && !lb_suspect_goes_with(s, r); i++)
        r = (r + 1) % f->failing_used;
    return f->failing[r];
}

/* One that is there under a condition is shown by what fails with one thing changed: where it still
 * does, and where it does no longer. */
static uint32_t item_to_change(const lb_experiments *x, uint64_t number)
{
    const lb_function *f = x->function;
    const size_t failing = f->failing_used, passing = f->passing_used;
    const size_t pick = (size_t)(number / 2) % (failing + passing);
    if (x->conditional && passing > 0)
        return explained_item(x, pick);
    return number % 2 == 0 || passing == 0 ? f->failing[pick % failing]
                                           : f->passing[pick % passing];
}

/* Of a result its case, to be changed. NULL: there is none. */
static lb_case *case_of(state *s, uint32_t item)
{
    lb_evidence *e = s->x->evidence;
    const lb_case *from = lb_evidence_case(e, &e->items[item]);
    return from ? lb_asking_case(from, &s->work) : NULL;
}

static const lb_case *changed_case(state *s, uint64_t number)
{
    lb_random_options options = {.seed = 77, .small = true};
    lb_build b = {.random = lb_random_start(77, number),
                  .arena = &s->work,
                  .c = case_of(s, item_to_change(s->x, number)),
                  .options = &options};
    if (!b.c)
        return NULL;
    for (uint64_t changes = 1 + number % 3; changes > 0; changes--)
        lb_case_mutate(&b);
    return lb_case_read_again(b.c, &s->work);
}

static const lb_case *made_case(state *s, uint64_t number)
{
    bool statuses = lb_theory_fault(s->x->rivals[0])->kind->group == LB_FAULTS_STATUS;
    lb_random_options options = {.seed = 4711,
                                 .small = number % 4 != 3,
                                 .wide = number % 8 == 1 ? (unsigned)(number / 8 % 6) : 0,
                                 .fault_one_in = statuses ? 2 : 0};
    lb_case *c = lb_arena_alloc(&s->work, sizeof *c);
    return lb_random_case(s->x->function->kernel, &options, number, &s->work, c)
               ? lb_case_read_again(c, &s->work)
               : NULL;
}

/* One of the cases, with ties: rounding modes differ in nothing else. */
static const lb_case *tied_case(state *s, uint64_t number)
{
    enum { MOST_PLACES = 4 };
    const lb_function *f = s->x->function;
    lb_case *c = case_of(s, f->failing[number / MOST_PLACES % f->failing_used]);
    if (!c)
        return NULL;
    make_ties(c, 1 + (unsigned)(number % MOST_PLACES));
    return lb_case_read_again(c, &s->work);
}

/* A number of the configuration of a case, one more or one less: what a condition compares. */
static const lb_case *neighbour_case(state *s, uint64_t number)
{
    const lb_function *f = s->x->function;
    lb_case *c = case_of(s, f->failing[number / 64 % f->failing_used]);
    unsigned entry = (unsigned)(number % 64 / 2);
    const lb_config_field *field = c ? lb_config_entry(c->kernel->config_kind, &entry) : NULL;
    if (!field)
        return NULL;
    const int64_t value = lb_config_get(&c->config, field, entry);
    lb_config_set(&c->config, field, entry, value + (number % 2 ? 1 : -1));
    return lb_case_read_again(c, &s->work);
}

static bool is_about_rounding(const state *s)
{
    const lb_fault *fault = lb_theory_fault(s->x->rivals[0]);
    return fault->kind->group == LB_FAULTS_PLATFORM ||
           (fault->site && fault->site->operation == LB_STEP_RSH);
}

static bool is_about_status(const state *s)
{
    return lb_theory_fault(s->x->rivals[0])->kind->group == LB_FAULTS_STATUS;
}

static const lb_case *next_case(state *s, uint64_t number)
{
    if (number % 3 == 2 && is_about_rounding(s))
        return tied_case(s, number / 3);
    if (number % 4 == 3 && s->x->conditional && is_about_status(s))
        return neighbour_case(s, number / 4);
    const unsigned made_one_in = s->x->conditional ? 4 : 2;
    const lb_case *c = number % made_one_in == 0 ? made_case(s, number / made_one_in) : NULL;
    return c ? c : changed_case(s, number);
}

/* ---- One experiment ---- */

static const lb_fault *fault_of(const lb_experiments *x, size_t rival)
{
    return lb_theory_fault_in(x->rivals[rival], x->function);
}

/* Do the rivals differ on this case? *acts: the first one changes something. */
static bool rivals_differ(state *s, lb_fault_bench *bench, bool *acts)
{
    lb_experiments *x = s->x;
    bool differ = false;
    for (size_t i = 0; i < x->rival_count; i++) {
        s->digest[i] = lb_suspect_say(x->evidence, bench, fault_of(x, i), NULL).digest;
        differ = differ || s->digest[i] != s->digest[0];
    }
    *acts = s->digest[0] != 0;
    return differ;
}

/* A check may be made in part; of numbers, what explains some of them alone is mostly chance. */
static void refute(lb_theory *theory, bool passed)
{
    theory->refuted++;
    theory->limited += passed && lb_theory_fault(theory)->kind->group == LB_FAULTS_STATUS;
}

static void drop_rivals(state *s, const bool *stays, bool passed)
{
    lb_experiments *x = s->x;
    size_t kept = 0;
    for (size_t i = 0; i < x->rival_count; i++)
        if (!stays[i])
            refute(x->rivals[i], passed);
        else
            x->rivals[kept++] = x->rivals[i];
    if (kept < x->rival_count)
        s->confirmed = 0;
    x->rival_count = kept;
}

static void hold_against(state *s, lb_fault_bench *bench, const lb_left *left, bool passed)
{
    lb_experiments *x = s->x;
    const double work = x->evidence->work; /* counted when the rivals were told apart */
    bool stays[LB_MOST_RIVALS], any = false;
    lb_word first = LB_WORD_NONE;
    for (size_t i = 0; i < x->rival_count; i++) {
        lb_word word =
            lb_suspect_say(x->evidence, bench, fault_of(x, i), passed ? NULL : left).word;
        first = i == 0 ? word : first;
        if (i == 0 && (lb_word_goes_with(word) || (word == LB_WORD_AGAINST && passed)))
            lb_rows_take(&x->rows, bench, passed ? NULL : left, false);
        stays[i] = word == LB_WORD_EXPLAINS || word == LB_WORD_UNDEFINED ||
                   (passed && word == LB_WORD_UNTOUCHED) ||
                   (x->conditional && (passed || lb_word_goes_with(word)));
        any = any || stays[i];
        x->rivals[i]->tried++;
        x->rivals[i]->confirmed += word == LB_WORD_EXPLAINS;
    }
    x->evidence->work = work;
    s->confirmed += first == LB_WORD_EXPLAINS || (x->conditional && lb_word_goes_with(first));
    if (any) {
        drop_rivals(s, stays, passed);
        return;
    }
    x->foreign++;
    for (size_t i = 0; i < x->rival_count && (passed || !x->shared); i++)
        refute(x->rivals[i], passed);
}

static void try_case(state *s, const lb_case *c, const lb_profile *profile)
{
    lb_experiments *x = s->x;
    lb_fault_bench *bench = lb_arena_alloc(&s->work, sizeof *bench);
    bool acts = false, passed = false;
    const char *trouble = NULL;
    if (!lb_fault_bench_make(bench, c, profile, &s->work))
        return;
    lb_work_run(x->evidence, bench, false);
    bool differ = rivals_differ(s, bench, &acts);
    s->alike = differ ? 0 : s->alike + 1;
    if (!differ && (!acts || s->confirmed >= ENOUGH_CONFIRMED))
        return;
    const lb_left *left = lb_evidence_call(x->evidence, x->evidence->port, c, profile,
                                           x->evidence->misalign, &s->work, &passed, &trouble);
    if (trouble || (!left && !passed))
        return;
    x->made++;
    hold_against(s, bench, left, passed);
}

/* The profiles in which the function fails, in turn. */
static const lb_profile *profile_for(const lb_experiments *x, uint64_t number)
{
    const lb_function *f = x->function;
    uint32_t item = f->failing[number % f->failing_count];
    return x->evidence->profiles[x->evidence->items[item].profile];
}

void lb_experiments_make(lb_experiments *x)
{
    state s = {.x = x};
    for (uint64_t number = 0; !is_over(&s); number++) {
        lb_arena_reset(&s.work);
        const lb_case *c = next_case(&s, number);
        if (c && c->kernel == x->function->kernel)
            try_case(&s, c, profile_for(x, number));
        else
            s.alike++;
    }
    lb_arena_free(&s.work);
}
