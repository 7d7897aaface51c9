/* Counts of shifts are sums of fractional bits: one term of such a sum is taken from another
 * tensor, where all other sums have the right one. No kinds of the bank; they are tried where no
 * kind of it explains a result. */
#include "harness/faults/places.h"
#include "harness/faults/step_run.h"
#include "harness/faults/views.h"
#include "reference/core/arith.h"

#include <string.h>

enum { MOST_DEPTH = 4 };

/* The tensor's fractional bits, or those of its scale. */
static int64_t bits_of(const lb_fault_run *run, int role)
{
    return lb_view_first_quant(run->before->call.tensor[role]).frac;
}

/* `argument` is the sign with which the term is in the sum. */
static int64_t term_of_other(const lb_fault_run *run, const lb_num_step *step, int64_t left)
{
    (void)left;
    int64_t own = bits_of(run, run->fault->role), other = bits_of(run, run->fault->other_role);
    return step->result + run->fault->argument * (other - own);
}

static const char *tell_term(const lb_fault *fault, lb_arena *arena)
{
    return lb_arena_printf(arena, "%s for %s", lb_role_name((lb_role)fault->other_role),
                           lb_role_name((lb_role)fault->role));
}

static bool is_count(const lb_num_step *site)
{
    return (site->operation == LB_STEP_ADD || site->operation == LB_STEP_SUB) && site->width == 0 &&
           site->tap == 0;
}

/* The role whose fractional bits the number is, or -1. */
static int role_of_bits(const lb_num_step *site)
{
    const lb_num_place *place = &site->place;
    bool is_bits = site->operation == LB_STEP_GIVEN && place->kind == LB_NUM_PARAMETER &&
                   (place->field == LB_QUANT_FRAC_BITS || place->field == LB_QUANT_SCALE_FRAC_BITS);
    return is_bits && lb_owner_item(place->owner) < 0 ? lb_owner_role(place->owner) : -1;
}

/* The place whose number this is, as it was heard first. */
static const lb_num_step *made_by(const lb_fault_scope *scope, const lb_num *number)
{
    for (size_t i = 0; number->step != 0 && i < scope->site_count; i++)
        if (scope->sites[i].number == number->step)
            return &scope->sites[i];
    return NULL;
}

/* A term of the sum, with each other tensor in its place. */
static void sink_term(const lb_fault_kind *kind, const lb_fault_scope *scope,
                      const lb_num_step *sum, int role, int sign, lb_fault_sink sink, void *user)
{
    lb_fault fault = {.kind = kind, .site = sum, .role = (int8_t)role, .argument = sign};
    for (int other = 0; other < LB_ROLE_COUNT; other++) {
        fault.other_role = (int8_t)other;
        if (other != role && lb_fault_role_use(scope->kernel, other) != LB_USE_NONE)
            sink(user, &fault);
    }
}

static void sink_terms(const lb_fault_kind *kind, const lb_fault_scope *scope,
                       const lb_num_step *sum, const lb_num_step *part, int sign, int depth,
                       lb_fault_sink sink, void *user)
{
    for (unsigned i = 0; i < part->operand_count && depth > 0; i++) {
        const lb_num_step *from = made_by(scope, &part->operand[i]);
        int own = i == 1 && part->operation == LB_STEP_SUB ? -sign : sign;
        int role = from ? role_of_bits(from) : -1;
        if (role >= 0)
            sink_term(kind, scope, sum, role, own, sink, user);
        else if (from && is_count(from))
            sink_terms(kind, scope, sum, from, own, depth - 1, sink, user);
    }
}

static LB_PLACES(counts)
{
    for (size_t i = 0; i < scope->site_count; i++)
        if (is_count(&scope->sites[i]))
            sink_terms(kind, scope, &scope->sites[i], &scope->sites[i], 1, MOST_DEPTH, sink, user);
}

static const lb_fault_kind count_kind = {
    .name = "shift.term_of_other",
    .group = LB_FAULTS_STEP,
    .words = "takes the fractional bits of another tensor in this count alone",
    .look_for = "how the count of this shift is formed",
    .sections = "",
    .prior = 6,
    .operations = 1u << LB_STEP_ADD | 1u << LB_STEP_SUB,
    .places = counts,
    .run = lb_fault_step_run,
    .alter = term_of_other,
    .describe = tell_term,
};

void lb_fault_counts_of_shifts(const lb_fault_scope *scope, lb_fault_sink sink, void *user)
{
    count_kind.places(&count_kind, scope, sink, user);
}
