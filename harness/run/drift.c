/* Networks at the end of a run: see drift.h. */
#include "harness/run/drift.h"
#include "harness/base/xalloc.h"
#include "harness/trial/network.h"
#include "reference/mli/real_values.h"
#include "reports/networks.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One network in one profile. */
typedef struct measure {
    lb_drift *drift;
    const lb_suite *suite;
    const char **fed_from; /* ids of cases that feed others */
    size_t fed_count, fed_room;
    lb_network exact, port;
} measure;

static double real_of(const lb_layer_output *out, size_t i)
{
    return (out->codes[i] - (double)out->quant.zero_point) * lb_real_step(out->quant);
}

typedef struct distance {
    double max, squares, signal;
} distance;

static void add(distance *d, double value, double real)
{
    d->max = fmax(d->max, fabs(value - real));
    d->squares += (value - real) * (value - real);
    d->signal += real * real;
}

static double noise_of(const distance *d)
{
    return d->signal > 0 ? sqrt(d->squares / d->signal) : NAN;
}

/* Codes that the port has other than the exact model, in all outputs. */
static void count_different(lb_layer_drift *d, const lb_layer *exact, const lb_layer *port)
{
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        const lb_layer_output *e = &exact->output[role], *p = &port->output[role];
        d->elements += e->count;
        for (size_t i = 0; i < e->count && i < p->count; i++)
            d->different += e->codes[i] != p->codes[i];
    }
}

static void note_layer(measure *m, const char *id)
{
    const lb_layer *exact = lb_network_layer(&m->exact, id), *port = lb_network_layer(&m->port, id);
    const lb_layer_output *e = &exact->output[LB_ROLE_OUT], *p = &port->output[LB_ROLE_OUT];
    distance of_exact = {0}, of_port = {0};
    lb_layer_drift d = {.suite = lb_suite_name(m->suite),
                        .profile = m->exact.profile->name,
                        .layer = lb_arena_strdup(&m->drift->arena, id),
                        .failed = port->failed ? port->failed : ""};
    count_different(&d, exact, port);
    for (size_t i = 0; i < e->count && e->reals && e->type != LB_FP32; i++) {
        if (!isfinite(e->reals[i]))
            continue;
        add(&of_exact, real_of(e, i), e->reals[i]);
        if (p->count == e->count)
            add(&of_port, real_of(p, i), e->reals[i]);
    }
    d.exact_noise = noise_of(&of_exact);
    d.exact_max = of_exact.signal > 0 ? of_exact.max : NAN;
    d.port_noise = noise_of(&of_port);
    d.port_max = of_port.signal > 0 ? of_port.max : NAN;
    m->drift->list =
        lb_room_for_one(m->drift->list, m->drift->count, &m->drift->room, sizeof *m->drift->list);
    m->drift->list[m->drift->count++] = d;
}

static bool feeds_others(const measure *m, const char *id)
{
    for (size_t i = 0; i < m->fed_count; i++)
        if (strcmp(m->fed_from[i], id) == 0)
            return true;
    return false;
}

static void find_layers(measure *m, lb_suite_reader *reader)
{
    for (size_t i = 0; i < lb_suite_case_count(m->suite); i++) {
        const lb_case *c = lb_suite_reader_case(reader, i, NULL);
        for (unsigned k = 0; c && k < c->layer_feed_count; k++) {
            if (feeds_others(m, c->layer_feeds[k].layer))
                continue;
            m->fed_from =
                lb_room_for_one(m->fed_from, m->fed_count, &m->fed_room, sizeof *m->fed_from);
            m->fed_from[m->fed_count++] =
                lb_arena_strdup(&m->drift->arena, c->layer_feeds[k].layer);
        }
    }
}

static void measure_profile(measure *m, lb_suite_reader *reader, const lb_profile *profile,
                            lb_port *port)
{
    lb_arena *arena = &m->drift->arena;
    m->exact = (lb_network){.profile = profile, .with_reals = true, .arena = arena};
    m->port = (lb_network){.port = port, .profile = profile, .arena = arena};
    for (size_t i = 0; i < lb_suite_case_count(m->suite); i++) {
        const lb_case *c = lb_suite_reader_case(reader, i, NULL);
        if (!c || !c->kernel || (c->layer_feed_count == 0 && !feeds_others(m, c->id)))
            continue;
        lb_network_run(&m->exact, c);
        lb_network_run(&m->port, c);
        note_layer(m, c->id);
    }
    free(m->exact.layers);
    free(m->port.layers);
}

void lb_drift_measure(lb_drift *drift, const lb_plan *plan, lb_port *port)
{
    for (size_t s = 0; s < plan->suite_count; s++) {
        measure m = {.drift = drift, .suite = plan->suites[s]};
        if (!lb_suite_has_layers(m.suite))
            continue;
        lb_suite_reader *reader = lb_suite_reader_open(m.suite);
        if (!reader)
            continue; /* it has changed: the run itself says so */
        find_layers(&m, reader);
        for (size_t p = 0; p < plan->profile_count && !plan->levels[p]; p++)
            measure_profile(&m, reader, plan->profiles[p], port);
        free(m.fed_from);
        lb_suite_reader_close(reader);
    }
}

void lb_drift_free(lb_drift *drift)
{
    free(drift->list);
    lb_arena_free(&drift->arena);
    *drift = (lb_drift){.list = NULL};
}

/* ---- For people ---- */

/* What there is to say of a network in a profile; "" where its first layer gave nothing: why, the
 * result of that case says. */
static void tell_network(const lb_layer_drift *layers, size_t count, char *text, size_t bytes)
{
    const lb_layer_drift *last = &layers[count - 1], *parts = NULL, *failed = NULL;
    size_t used;
    text[0] = '\0';
    for (size_t i = count; i-- > 0;) {
        parts = layers[i].different > 0 ? &layers[i] : parts;
        failed = layers[i].failed[0] ? &layers[i] : failed;
    }
    if (failed == layers)
        return;
    if (parts)
        snprintf(text, bytes,
                 "the port parts from the exact model at layer %s (%" PRIu64 " of %" PRIu64
                 " elements)",
                 parts->layer, parts->different, parts->elements);
    else if (failed)
        snprintf(text, bytes, "the port gives nothing at layer %s: %s", failed->layer,
                 failed->failed);
    else
        snprintf(text, bytes, "the port's outputs are the exact model's");
    used = strlen(text);
    if (isfinite(last->exact_noise))
        snprintf(text + used, bytes - used, "; noise at the end: %.3g %% exact",
                 100 * last->exact_noise);
    used = strlen(text);
    if (isfinite(last->port_noise))
        snprintf(text + used, bytes - used, ", %.3g %% port", 100 * last->port_noise);
}

/* A line for a network; profiles that agree stand in it together. */
void lb_drift_print(const lb_run_info *info, FILE *out)
{
    lb_network_walk walk = {0};
    while (lb_network_next(&walk, info)) {
        char text[1024];
        tell_network(walk.layers, walk.count, text, sizeof text);
        if (text[0])
            fprintf(out, "network %s [%s], %zu layers: %s\n", walk.layers->suite,
                    walk.profiles.text, walk.count, text);
    }
    if (walk.profiles.failed)
        lb_out_of_memory(walk.profiles.length);
    lb_doc_free(&walk.profiles);
}
