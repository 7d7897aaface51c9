/* Sums in their defined domain: see sum_domain.h. */
#include "harness/generate/sum_domain.h"
#include "harness/call/chain.h"
#include "harness/call/model.h"

bool lb_sum_domain_applies(const lb_kernel *kernel)
{
    return lb_families[kernel->family].sums == LB_SUMS_OF_MANY;
}

bool lb_sum_width_binds(const lb_kernel *kernel)
{
    return lb_sum_domain_applies(kernel) || kernel->family == LB_FAMILY_AVEPOOL ||
           kernel->family == LB_FAMILY_SOFTMAX;
}

enum { DOMAIN_BITS = 32 };
static const uint64_t LIMIT = (uint64_t)1 << (DOMAIN_BITS - 1);

/* The accumulator at hand, and whether any so far was too large. */
typedef struct magnitudes {
    int width;
    uint64_t sum;
    bool is_left;
} magnitudes;

static uint64_t magnitude(int64_t v)
{
    return v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
}

/* A term has 32 bits, and a case has no more than 2^28 of them: the sum does not wrap. */
static void add(magnitudes *m, int64_t term)
{
    m->sum += magnitude(term);
    m->is_left = m->is_left || (m->width == DOMAIN_BITS && m->sum >= LIMIT);
}

/* An accumulator begins with a constant. */
static void hear(void *user, const lb_num_step *step)
{
    magnitudes *m = user;
    if (step->operation == LB_STEP_MAC) {
        m->sum = step->operand[0].step == 0 ? 0 : m->sum;
        m->width = step->width;
        add(m, step->operand[1].v * step->operand[2].v);
    } else if (step->part == LB_PART_BIAS) {
        add(m, step->operand[1].v);
    }
}

bool lb_sum_domain_holds(const lb_case *c, const lb_profile *profile, lb_arena *arena)
{
    magnitudes m = {0};
    if (!c->kernel || !lb_sum_domain_applies(c->kernel))
        return true;
    lb_steps listener = {.role = LB_ROLE_OUT,
                         .element = LB_STEPS_EVERY,
                         .step = hear,
                         .user = &m,
                         .heard = 1u << LB_STEP_MAC | 1u << LB_STEP_ADD};
    const lb_context context = {.profile = profile, .steps = &listener};
    lb_instance *instance = lb_instance_of(c, arena);
    for (uint32_t call = 1; lb_model_call(&context, instance).computed && call < lb_calls_of(c);)
        lb_chain_feed(instance, ++call);
    return !m.is_left;
}
