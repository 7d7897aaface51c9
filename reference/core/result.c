/* The result programs, and their run: see result.h. */
#include "result.h"

#include <string.h>

/* clang-format off */
#define BITS(n)       .bits = (n)
#define SITE(name)    .site = LB_SITE_##name
#define IN_PART(p, s) .part = LB_PART_##p, .section = (s)
#define IF(condition) .when = LB_RESULT_ZERO_POINT_##condition
#define DO(name)      .operation = LB_RESULT_##name

#define ADD_BIAS(section_) \
    {DO(ADD_BIAS), SITE(WEIGHTED_ACCUMULATOR_WITH_THE_BIAS), IN_PART(BIAS, section_)}
#define NARROW          {DO(NARROW), SITE(WEIGHTED_AS_WIDE_AS_THE_NEXT_STEP_TAKES_IT)}
#define KEPT(n)         {DO(SATURATE), BITS(n), SITE(KEPT_WITHIN_ITS_WIDTH)}
#define ZERO(n, site_)  {DO(ZERO_POINT), BITS(n), SITE(site_)}
#define CONTAINER       {DO(CONTAINER)}
#define LIMIT           {DO(LIMIT), IN_PART(RELU, "conv.md 5")}
#define IF_LAST(site_)  {DO(SATURATE), BITS(8), SITE(site_), IF(LAST)}

const lb_result_program lb_results[LB_RESULT_COUNT] = {
    [LB_RESULT_WEIGHTED_SA8] = {{
        ADD_BIAS("conv.md 4.4"), NARROW,
        {DO(MULTIPLY), IN_PART(REQUANTIZE, "numerics.md 5.3")},
        {DO(ZERO_POINT), BITS(64), SITE(RESULT_WITH_THE_OUTPUTS_ZERO_POINT), IF(FIRST)},
        {DO(SHIFT)},
        {DO(SATURATE), BITS(16), SITE(KEPT_WITHIN_ITS_WIDTH), IF(NOT_FIRST)},
        IF_LAST(IN_8_BITS_BEFORE_THE_ZERO_POINT),
        {DO(ZERO_POINT), BITS(16), SITE(RESULT_WITH_THE_OUTPUTS_ZERO_POINT), IF(NOT_FIRST)},
        {DO(SATURATE), BITS(8), SITE(RESULT_IN_THE_CONTAINER)},
        LIMIT,
    }},
    [LB_RESULT_WEIGHTED_FX] = {{
        ADD_BIAS("conv.md 3"), NARROW,
        {DO(CAST), SITE(WEIGHTED_IN_STEPS_OF_THE_OUTPUT), IN_PART(REQUANTIZE, "conv.md 3")},
        KEPT(0), LIMIT,
    }},
    [LB_RESULT_SUMS] = {{KEPT(16), IF_LAST(IN_THE_CONTAINER_BEFORE_THE_ZERO_POINT), ZERO(16, WITH_THE_ZERO_POINT), CONTAINER}},
    [LB_RESULT_CELL] = {{KEPT(16), IF_LAST(IN_THE_CONTAINER_BEFORE_THE_ZERO_POINT), ZERO(16, WITH_THE_ZERO_POINT), CONTAINER}},
    [LB_RESULT_ELTWISE] = {{KEPT(16), IF_LAST(IN_THE_CONTAINER_BEFORE_THE_ZERO_POINT), ZERO(16, ELTWISE_WITH_THE_OUTPUTS_ZERO_POINT), CONTAINER}},
    [LB_RESULT_SLOPE] = {{IF_LAST(IN_THE_CONTAINER_BEFORE_THE_ZERO_POINT), ZERO(32, RELU_WITH_THE_OUTPUTS_ZERO_POINT), CONTAINER}},
    [LB_RESULT_CONVERTED] = {{ZERO(32, CONVERT_WITH_THE_OUTPUTS_ZERO_POINT), CONTAINER}},
    [LB_RESULT_WIDENED] = {{ZERO(32, CONVERT_WITH_THE_OUTPUTS_ZERO_POINT), {DO(SATURATE), BITS(32), SITE(IN_THE_CONTAINER)}}},
    [LB_RESULT_TABLE] = {{ZERO(0, FX_TO_SA8_WITH_THE_OUTPUTS_ZERO_POINT), CONTAINER}},
};
/* clang-format on */

/* A number at work. */
typedef struct value {
    lb_num v;
    lb_num shift;   /* that is left, behind its multiplication */
    bool is_scaled; /* it is a product that was not shifted yet */
} value;

typedef struct run {
    const lb_result_call *call;
    const lb_result_number *number;
    lb_steps *steps;
    value values[LB_RESULT_VALUES];
} run;

/* The zero point is added before the shift where that gives it room (features.md 11). */
static bool adds_zero_point_first(const run *r)
{
    const uint8_t *at = r->call->profile->at.value;
    return at[LB_FEATURE_OUT_ZERO_POINT] == LB_OUT_ZERO_POINT_BEFORE &&
           at[LB_FEATURE_REQUANTIZE] != LB_REQUANTIZE_HIGH && r->values[LB_RESULT_SUM].shift.v > 0;
}

static bool applies(const run *r, lb_result_when when)
{
    switch (when) {
    case LB_RESULT_ZERO_POINT_LAST:
        return r->call->profile->at.value[LB_FEATURE_OUT_ZERO_POINT] == LB_OUT_ZERO_POINT_LAST;
    case LB_RESULT_ZERO_POINT_FIRST:
        return adds_zero_point_first(r);
    case LB_RESULT_ZERO_POINT_NOT_FIRST:
        return !adds_zero_point_first(r);
    case LB_RESULT_ALWAYS:
        break;
    }
    return true;
}

/* The number and its bias (features.md 9). */
static lb_num with_bias(const run *r, lb_site site)
{
    const lb_acc *acc = r->number->acc;
    lb_num sum = r->values[LB_RESULT_SUM].v, bias = r->values[LB_RESULT_BIAS].v;
    switch (r->call->profile->at.value[LB_FEATURE_BIAS]) {
    case LB_BIAS_FIRST:
        return sum;
    case LB_BIAS_AFTER_WRAPPING:
        return lb_num_wrapping_add(r->steps, sum, bias, acc->width, site);
    default:
        return lb_num_acc_add(r->steps, acc, sum, bias, r->call->watch, site);
    }
}

/* Of a product, in its units, so that it is rounded with the rest. */
static lb_num with_zero_point(const run *r, const value *x, int bits, lb_site site)
{
    lb_steps *s = r->steps;
    if (!x->is_scaled)
        return lb_num_add_zero_point(s, x->v, r->call->zero_point, bits, site);
    lb_num wide = lb_num_shl(s, r->call->zero_point, x->shift, 64, LB_SITE_ZERO_POINT_ALIGNED);
    return lb_num_add(s, x->v, wide, bits, site);
}

static void run_step(run *r, const lb_result_step *step)
{
    const lb_result_call *call = r->call;
    value *x = &r->values[step->value];
    const lb_site site = (lb_site)step->site;
    const int bits =
        step->bits || step->operation == LB_RESULT_ZERO_POINT ? step->bits : call->out_bits;
    lb_steps *s = r->steps;
    switch ((lb_result_operation)step->operation) {
    case LB_RESULT_ADD_BIAS:
        x->v = with_bias(r, site);
        break;
    case LB_RESULT_NARROW:
        if (call->step_bits < r->number->acc->width) /* profiles with wider registers only */
            x->v = lb_num_sat(s, x->v, call->step_bits, site);
        break;
    case LB_RESULT_CAST:
        x->v = lb_num_rsh(s, call->profile->rounding, x->v,
                          lb_num_shift_count(s, call->profile, r->number->multiplier->shift),
                          call->step_bits, site);
        break;
    case LB_RESULT_MULTIPLY:
        x->shift = r->number->multiplier->shift;
        x->v = lb_num_multiplied(s, call->profile, x->v, r->number->multiplier->mul, &x->shift);
        x->is_scaled = true;
        break;
    case LB_RESULT_SHIFT:
        x->v = lb_num_multiplied_down(s, call->profile, x->v, x->shift);
        x->is_scaled = false;
        break;
    case LB_RESULT_SATURATE:
        x->v = lb_num_sat(s, x->v, bits, site);
        break;
    case LB_RESULT_CONTAINER:
        x->v = lb_num_container(s, call->profile, x->v, bits);
        break;
    case LB_RESULT_ZERO_POINT:
        x->v = with_zero_point(r, x, bits, site);
        break;
    case LB_RESULT_LIMIT:
        x->v = lb_num_clamp(s, x->v, call->limits);
        break;
    case LB_RESULT_END:
        break;
    }
}

lb_num lb_result_run(const lb_result_program *program, const lb_result_call *call,
                     const lb_result_number *number, lb_steps *steps)
{
    run r = {.call = call, .number = number, .steps = steps};
    r.values[LB_RESULT_SUM].v = number->sum;
    r.values[LB_RESULT_BIAS].v = number->bias;
    for (unsigned n = 0; n < LB_RESULT_STEPS && program->step[n].operation != LB_RESULT_END; n++) {
        const lb_result_step *step = &program->step[n];
        if (step->when != LB_RESULT_ALWAYS && !applies(&r, (lb_result_when)step->when))
            continue;
        if (step->part != LB_PART_NONE)
            lb_steps_enter(steps, (lb_part)step->part, step->section);
        run_step(&r, step);
    }
    return r.values[LB_RESULT_SUM].v;
}

/* ---- Edits ---- */

unsigned lb_result_length(const lb_result_program *program)
{
    unsigned n = 0;
    while (n < LB_RESULT_STEPS && program->step[n].operation != LB_RESULT_END)
        n++;
    return n;
}

unsigned lb_result_find(const lb_result_program *program, lb_result_operation operation)
{
    unsigned n = 0;
    while (n < LB_RESULT_STEPS && program->step[n].operation != operation)
        n++;
    return n;
}

void lb_result_leave_out(lb_result_program *program, unsigned at)
{
    lb_result_step *step = program->step;
    memmove(step + at, step + at + 1, (LB_RESULT_STEPS - 1 - at) * sizeof *step);
    step[LB_RESULT_STEPS - 1] = (lb_result_step){.operation = LB_RESULT_END};
}

bool lb_result_insert(lb_result_program *program, unsigned at, lb_result_step new_step)
{
    lb_result_step *step = program->step;
    if (lb_result_length(program) == LB_RESULT_STEPS)
        return false;
    memmove(step + at + 1, step + at, (LB_RESULT_STEPS - 1 - at) * sizeof *step);
    step[at] = new_step;
    return true;
}

void lb_result_move(lb_result_program *program, unsigned from, unsigned to)
{
    lb_result_step moved = program->step[from];
    lb_result_leave_out(program, from);
    (void)lb_result_insert(program, to, moved);
}
