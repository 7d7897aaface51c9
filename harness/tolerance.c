/* Distance to the real model, judged: see tolerance.h. Formats: numerics.md 1. */
#include "tolerance.h"

#include <math.h>

/* One output tensor, element by element. */
typedef struct subject {
    const lb_case_tensor *given;
    const lb_tensor *format, *got;
    lb_real_output real;
    lb_layout layout;
    size_t inner; /* elements per index of the quantized axis; 0: per tensor */
} subject;

static bool format_is_usable(const lb_tensor *t)
{
    if (!lb_is_fx(t->el_type) && !lb_is_sa(t->el_type))
        return false;
    if (lb_element_bytes(t->el_type) == 0)
        return false;
    return !lb_is_sa(t->el_type) || t->sa.dim < 0 || (uint32_t)t->sa.dim < t->rank;
}

static bool open_subject(subject *s, const lb_instance *exact, const lb_instance *port, lb_role role,
                         lb_real_output real)
{
    s->given = &exact->image->test_case->operand[role].tensors[0];
    s->format = &exact->tensors[role][0];
    s->got = &port->tensors[role][0];
    s->real = real;
    if (s->given->rank == 0 || s->given->has_buffer_elements || !s->got->data.mem.ptr || !format_is_usable(s->format))
        return false;
    s->layout = lb_layout_of(s->given);
    s->inner = 0;
    if (lb_is_sa(s->format->el_type) && s->format->sa.dim >= 0) {
        s->inner = 1;
        for (unsigned d = s->given->rank; d-- > (unsigned)s->format->sa.dim + 1;)
            s->inner *= s->layout.shape[d];
    }
    return true;
}

static double container(const subject *s, size_t i)
{
    return lb_load(s->got, lb_layout_offset(&s->layout, i) / s->layout.element_bytes);
}

static lb_quant quant_of(const subject *s, size_t i)
{
    uint32_t entry = s->inner ? (uint32_t)(i / s->inner % s->layout.shape[s->format->sa.dim]) : 0;
    return lb_quant_at(s->format, entry);
}

/* The metrics; elements of an overflowed accumulator are left out. */
static lb_metrics measure(const subject *s, size_t count)
{
    lb_metrics m = {0};
    lb_quant quant = quant_of(s, 0);
    double step = ldexp(quant.scale, -quant.frac);
    for (size_t i = 0; i < count; i++) {
        if (s->inner) {
            quant = quant_of(s, i);
            step = ldexp(quant.scale, -quant.frac);
        }
        if (quant.scale > 0 && isfinite(s->real.value[i]) && lb_span_is_known(&s->real.span[i]))
            lb_metrics_add(&m, container(s, i), s->real.span[i].value, quant.zero_point, step);
    }
    return m;
}

static lb_derived judge_elements(const subject *s, size_t count, double peak)
{
    lb_derived d = {0};
    for (size_t i = 0; i < count; i++)
        if (isfinite(s->real.value[i]))
            lb_derived_add(&d, container(s, i), &s->real.span[i], peak);
    return d;
}

static void take_limit(lb_tolerance *t, const char *metric, const char *source, lb_limit_use use)
{
    if (t->limit_metric[0] && use.used_percent <= t->used_percent)
        return;
    t->limit_metric = metric;
    t->limit_source = source;
    t->limit = use.limit;
    t->used_percent = use.used_percent;
}

/* Why not all elements were judged. */
static const char *gap_text(const lb_derived *d, lb_arena *arena)
{
    if (d->overflowed > 0)
        return lb_arena_printf(arena, "not judged: the accumulator of %llu element%s left its width",
                               (unsigned long long)d->overflowed, d->overflowed == 1 ? "" : "s");
    return "not judged: the derived limit is larger than the signal";
}

bool lb_tolerance_measure(const lb_instance *exact, const lb_instance *port, lb_role role, lb_real_output real,
                          lb_arena *arena, lb_tolerance *tolerance, lb_opinion *opinion)
{
    subject s;
    if (!open_subject(&s, exact, port, role, real))
        return false;
    size_t count = lb_layout_count(&s.layout);
    lb_metrics m = measure(&s, count);
    lb_derived d = judge_elements(&s, count, m.peak);
    if (m.elements == 0 && d.overflowed == 0)
        return false;
    *tolerance = (lb_tolerance){.role = lb_role_name(role), .limit_metric = "", .limit_source = ""};
    lb_metrics_fill(&m, tolerance);
    if (d.judged > 0) {
        take_limit(tolerance, "max_steps", "derived", lb_derived_max(&d));
        take_limit(tolerance, "mean_steps", "derived", lb_derived_mean(&d));
    }
    *opinion = tolerance->used_percent > 100 ? LB_OPINION_DIFFERS : LB_OPINION_AGREES;
    if (*opinion == LB_OPINION_AGREES && (d.judged == 0 || d.overflowed > 0)) {
        *opinion = LB_OPINION_NONE;
        tolerance->limit_source = gap_text(&d, arena);
    }
    return true;
}
