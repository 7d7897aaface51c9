/* Distance to the real model, judged: see tolerance.h. Formats: numerics.md 1. */
#include "harness/trial/tolerance.h"

#include <math.h>

/* One output tensor, element by element. */
typedef struct subject {
    const lb_case_tensor *given;
    const lb_tensor *format;
    lb_real_output real;
    lb_layout layout;
    size_t count;
    double *containers; /* what the port left */
    size_t inner;       /* elements per index of the quantized axis; 0: per tensor */
} subject;

/* Steps of a format can be counted: of plain integers, whose scale no call has, too. */
static bool format_is_usable(const lb_tensor *t)
{
    if (lb_element_bytes(t->el_type) == 0 || t->el_type == LB_FP32)
        return false;
    return !lb_is_sa(t->el_type) || t->sa.dim < 0 || (uint32_t)t->sa.dim < t->rank;
}

/* The elements as the port's buffer holds them. A wrong port may have written anything into the
 * fields of its tensor, so type and place are those of the exact model's: both instances are laid
 * out alike. NULL: the data lie in no buffer. */
static double *read_containers(const subject *s, const lb_instance *exact, const lb_instance *port,
                               lb_arena *arena)
{
    unsigned buffer;
    size_t offset;
    if (!s->format->data.mem.ptr ||
        !lb_instance_locate(exact, s->format->data.mem.ptr, &buffer, &offset))
        return NULL;
    lb_tensor got = *s->format;
    got.data.mem.ptr =
        port->block + ((const unsigned char *)s->format->data.mem.ptr - exact->block);
    double *containers = lb_arena_array(arena, s->count, sizeof *containers);
    for (size_t i = 0; i < s->count; i++)
        containers[i] = lb_load(&got, lb_layout_offset(&s->layout, i) / s->layout.element_bytes);
    return containers;
}

static bool open_subject(subject *s, const lb_instance *exact, const lb_instance *port,
                         lb_role role, lb_real_output real, lb_arena *arena)
{
    s->given = &exact->memory->test_case->operand[role].tensors[0];
    s->format = &exact->tensors[role][0];
    s->real = real;
    if (s->given->rank == 0 || s->given->has_buffer_elements || !format_is_usable(s->format))
        return false;
    s->layout = lb_layout_of(s->given);
    if (s->layout.element_bytes != lb_element_bytes(s->format->el_type))
        return false;
    s->count = lb_layout_count(&s->layout);
    s->containers = read_containers(s, exact, port, arena);
    s->inner = 0;
    if (lb_is_sa(s->format->el_type) && s->format->sa.dim >= 0) {
        s->inner = 1;
        for (unsigned d = s->given->rank; d-- > (unsigned)s->format->sa.dim + 1;)
            s->inner *= s->layout.shape[d];
    }
    return s->containers != NULL;
}

static lb_quant quant_of(const subject *s, size_t i)
{
    uint32_t entry = s->inner ? (uint32_t)(i / s->inner % s->layout.shape[s->format->sa.dim]) : 0;
    return lb_quant_at(s->format, entry);
}

/* The metrics; elements of an overflowed accumulator are left out. */
static lb_metrics measure(const subject *s)
{
    lb_metrics m = {0};
    lb_quant quant = quant_of(s, 0);
    double step = ldexp(quant.scale, -quant.frac);
    for (size_t i = 0; i < s->count; i++) {
        if (s->inner) {
            quant = quant_of(s, i);
            step = ldexp(quant.scale, -quant.frac);
        }
        if (quant.scale > 0 && isfinite(s->real.value[i]) && lb_span_is_known(&s->real.span[i]))
            lb_metrics_add(&m, s->containers[i], s->real.span[i].value, quant.zero_point, step);
    }
    return m;
}

static lb_derived judge_elements(const subject *s, double signal)
{
    lb_derived d = {0};
    for (size_t i = 0; i < s->count; i++)
        if (isfinite(s->real.value[i]))
            lb_derived_add(&d, s->containers[i], &s->real.span[i], signal);
    return d;
}

/* ---- Limits ---- */

static void take_limit(lb_tolerance *t, const char *metric, const char *source, lb_limit_use use)
{
    if (t->limit_metric[0] && use.used_percent <= t->used_percent)
        return;
    t->limit_metric = metric;
    t->limit_source = source;
    t->limit = use.limit;
    t->used_percent = use.used_percent;
}

static double figure_of(const lb_tolerance *t, lb_metric metric)
{
    const double figures[LB_METRIC_COUNT] = {[LB_METRIC_MAX_STEPS] = t->max_steps,
                                             [LB_METRIC_MAX_REAL] = t->max_real,
                                             [LB_METRIC_MEAN_STEPS] = fabs(t->mean_steps),
                                             [LB_METRIC_RMS_STEPS] = t->rms_steps,
                                             [LB_METRIC_NOISE_RATIO] = t->noise_ratio,
                                             [LB_METRIC_SNR_DB] = t->snr_db,
                                             [LB_METRIC_QUANT_SHARE_PERCENT] =
                                                 t->quant_share_percent};
    return figures[metric];
}

/* Percent of a limit that a figure uses; of an SNR, the noise compared with the noise that is
 * allowed. */
static double used_percent(lb_metric metric, double figure, double limit)
{
    if (metric == LB_METRIC_SNR_DB)
        return 100 * pow(10, (limit - figure) / 20);
    if (metric == LB_METRIC_QUANT_SHARE_PERCENT)
        return figure > 0 ? 100 * limit / figure : 1e6;
    return 100 * lb_limit_share(figure, limit, 1e-9 * limit);
}

/* What a limit must not be larger than: the signal in the metric's unit, but not less than one
 * step, which no format can do without. Negative: the metric is a ratio to the signal already. */
static double signal_of(const lb_metrics *m, lb_metric metric)
{
    if (metric == LB_METRIC_MAX_REAL)
        return m->peak_real > m->step_real ? m->peak_real : m->step_real;
    if (metric == LB_METRIC_MAX_STEPS || metric == LB_METRIC_MEAN_STEPS ||
        metric == LB_METRIC_RMS_STEPS)
        return m->peak > 1 ? m->peak : 1;
    return -1;
}

/* A view on everything that is needed to hold one output to its limits. */
typedef struct judgement {
    const lb_metrics *m;
    const lb_derived *d;
    const lb_case_limits *limits;
    const char *case_id;
    lb_arena *arena;
    lb_tolerance_finding *finding;
} judgement;

static bool sets(const judgement *j, lb_metric metric)
{
    return j->limits && j->limits->of[metric].line > 0;
}

static void hold_to_policy(const judgement *j, lb_metric metric)
{
    lb_tolerance *t = &j->finding->figures;
    lb_set_limit set = j->limits->of[metric];
    double signal = signal_of(j->m, metric), figure = figure_of(t, metric);
    const char *source = lb_arena_printf(j->arena, "%s:%u", j->limits->file, set.line);
    if (signal >= 0 && set.limit > signal && !j->finding->refused)
        j->finding->refused =
            lb_arena_printf(j->arena,
                            "%s: %s %g is larger than the signal of case %s, whose %s reaches "
                            "%.4g: such a limit means nothing",
                            source, lb_metric_name(metric), set.limit, j->case_id, t->role, signal);
    take_limit(t, lb_metric_name(metric), source,
               (lb_limit_use){set.limit, used_percent(metric, figure, set.limit)});
}

/* All limits; gives whether the elements themselves were judged. */
static bool hold_to_limits(const judgement *j)
{
    lb_tolerance *t = &j->finding->figures;
    bool set_by_element = sets(j, LB_METRIC_MAX_STEPS) || sets(j, LB_METRIC_MAX_REAL);
    bool by_element = j->m->elements > 0 && (set_by_element || j->d->judged > 0);
    if (j->d->judged > 0 && !set_by_element)
        take_limit(t, "max_steps", "derived", lb_derived_max(j->d));
    if (j->d->judged > 0 && !sets(j, LB_METRIC_MEAN_STEPS))
        take_limit(t, "mean_steps", "derived", lb_derived_mean(j->d));
    for (lb_metric metric = 0; by_element && metric < LB_METRIC_COUNT; metric++)
        if (sets(j, metric))
            hold_to_policy(j, metric);
    return by_element;
}

/* Why not all elements were judged. */
static const char *gap_text(const lb_derived *d, lb_arena *arena)
{
    if (d->overflowed > 0)
        return lb_arena_printf(arena,
                               "not judged: the accumulator of %llu element%s left its width",
                               (unsigned long long)d->overflowed, d->overflowed == 1 ? "" : "s");
    return "not judged: the derived limit is larger than the signal";
}

bool lb_tolerance_measure(const lb_instance *exact, const lb_instance *port, lb_role role,
                          lb_real_output real, const lb_case_limits *limits, lb_arena *arena,
                          lb_tolerance_finding *finding)
{
    subject s;
    if (!open_subject(&s, exact, port, role, real, arena))
        return false;
    lb_metrics m = measure(&s);
    /* never more than half of what the container can hold: a limit beyond could hardly be missed */
    double half_range = ldexp(1.0, lb_container_bits(s.format->el_type) - 1);
    lb_derived d = judge_elements(&s, m.peak < half_range ? m.peak : half_range);
    if (m.elements == 0 && d.overflowed == 0)
        return false;
    lb_tolerance *t = &finding->figures;
    *finding = (lb_tolerance_finding){
        .figures = {.role = lb_role_name(role), .limit_metric = "", .limit_source = ""}};
    lb_metrics_fill(&m, t);
    judgement j = {&m, &d, limits, exact->memory->test_case->id, arena, finding};
    bool judged = hold_to_limits(&j);
    finding->agreement = t->used_percent > 100 ? LB_AGREEMENT_DIFFERS : LB_AGREEMENT_AGREES;
    if (finding->agreement == LB_AGREEMENT_AGREES && (!judged || d.overflowed > 0)) {
        finding->agreement = LB_AGREEMENT_NONE;
        t->limit_source = gap_text(&d, arena);
    }
    return true;
}
