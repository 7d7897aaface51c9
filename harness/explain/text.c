/* An explanation in text: see text.h. */
#include "harness/explain/text.h"
#include "harness/explain/rule.h"
#include "harness/explain/table.h"
#include "harness/explain/words.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *const voice_names[] = {"port", "recorded"};

/* ---- Numbers of the output ---- */

void lb_explain_container(lb_doc *doc, uint32_t el_type, int64_t value)
{
    unsigned bytes = lb_element_bytes(el_type);
    uint64_t bits = (uint64_t)value & (bytes >= 4 ? UINT32_MAX : bytes == 2 ? 0xffffu : 0xffu);
    if (el_type == LB_FP32) {
        int32_t pattern = (int32_t)value;
        float real;
        memcpy(&real, &pattern, sizeof real);
        lb_doc_printf(doc, "%.9g", (double)real);
    } else {
        lb_doc_i64(doc, value);
    }
    lb_doc_printf(doc, " (0x%0*" PRIx64 ")", (int)(bytes * 2), bits);
}

static const lb_tensor *output_of(const lb_explanation *e)
{
    return &e->scene->exact.tensors[e->role][0];
}

static uint32_t element_type(const lb_explanation *e)
{
    return e->test_case->operand[e->role].tensors[0].type;
}

/* The output's format after the call, at this element. */
static lb_quant format_of(const lb_explanation *e)
{
    const lb_tensor *t = output_of(e);
    bool along = lb_is_sa(t->el_type) && t->sa.dim >= 0 && t->sa.dim < LB_MAX_RANK;
    return lb_quant_at(t, along ? e->index[t->sa.dim] : 0);
}

double lb_explain_in_steps(const lb_explanation *e, double real)
{
    lb_quant q = format_of(e);
    if (output_of(e)->el_type == LB_FP32 || q.scale == 0)
        return real;
    return ldexp(real / q.scale, q.frac) + q.zero_point;
}

static double real_of_container(const lb_explanation *e, int64_t value)
{
    lb_quant q = format_of(e);
    return ldexp((double)(value - q.zero_point) * q.scale, -q.frac);
}

static void put_place(lb_doc *doc, const lb_explanation *e)
{
    lb_doc_puts(doc, lb_role_name(e->role));
    for (unsigned d = 0; d < e->rank; d++)
        lb_doc_printf(doc, "%s%u", d ? "," : "[", e->index[d]);
    if (e->rank > 0)
        lb_doc_char(doc, ']');
}

/* ---- Head ---- */

static void put_head(lb_doc *doc, const lb_explanation *e)
{
    const lb_scene *scene = e->scene;
    lb_doc_puts(doc, "case      ");
    lb_explain_plain(doc, e->test_case->id);
    lb_doc_puts(doc, "  (");
    lb_explain_plain(doc, e->file);
    lb_doc_printf(doc, ":%u)\nfunction  ", e->test_case->line);
    lb_explain_plain(doc, e->test_case->function);
    lb_doc_puts(doc, "\nprofile   ");
    lb_explain_plain(doc, scene->profile->name);
    if (e->departing > 1) {
        lb_doc_puts(doc, "; something departs in ");
        lb_explain_plain(doc, e->departing_names);
    }
    lb_doc_char(doc, '\n');
    if (scene->calls > 1)
        lb_doc_printf(doc, "call      %u of %u of the chain\n", scene->call_number, scene->calls);
}

static void put_format(lb_doc *doc, const lb_explanation *e)
{
    uint32_t type = output_of(e)->el_type;
    lb_quant q = format_of(e);
    const char *name = lb_el_type_name(type);
    lb_doc_puts(doc, name ? name : "?");
    if (lb_is_fx(type))
        lb_doc_printf(doc, ", frac_bits %d", q.frac);
    if (lb_is_sa(type))
        lb_doc_printf(doc, ", scale %d * 2^%d, zero_point %d", q.scale, -q.frac, q.zero_point);
}

static void put_value_line(lb_doc *doc, const lb_explanation *e, const char *name, int64_t value)
{
    size_t before;
    lb_doc_printf(doc, "%-10s", name);
    before = doc->length;
    lb_explain_container(doc, element_type(e), value);
    if (element_type(e) != LB_FP32 && e->test_case->kernel->real) {
        while (doc->length < before + 16)
            lb_doc_char(doc, ' ');
        lb_doc_puts(doc, " = ");
        lb_doc_double(doc, real_of_container(e, value), 7, "nan");
    }
}

static void put_voice(lb_doc *doc, const lb_explanation *e, lb_voice voice)
{
    int64_t value, exact = lb_scene_value(e->scene, &e->scene->exact, e->role, e->flat);
    if (!lb_voice_value(e->scene, voice, e->role, e->flat, &value))
        return;
    put_value_line(doc, e, voice_names[voice], value);
    if (value != exact && element_type(e) == LB_FP32)
        lb_doc_puts(doc, "  departs");
    else if (value != exact)
        lb_doc_printf(doc, "  departs by %+" PRId64, value - exact);
    lb_doc_char(doc, '\n');
}

static void put_real(lb_doc *doc, const lb_explanation *e)
{
    const double *real = e->scene->real[e->role];
    if (!real)
        return;
    lb_doc_puts(doc, "real      ");
    lb_doc_double(doc, lb_explain_in_steps(e, real[e->flat]), 9, "nan");
    if (element_type(e) != LB_FP32) {
        lb_doc_puts(doc, " steps = ");
        lb_doc_double(doc, real[e->flat], 7, "nan");
    }
    lb_doc_char(doc, '\n');
}

static void put_values(lb_doc *doc, const lb_explanation *e)
{
    lb_doc_puts(doc, "element   ");
    put_place(doc, e);
    lb_doc_printf(doc, ", number %zu of %zu: ", e->flat, e->count);
    put_format(doc, e);
    lb_doc_puts(doc, "\n\n");
    put_value_line(doc, e, "exact", lb_scene_value(e->scene, &e->scene->exact, e->role, e->flat));
    lb_doc_char(doc, '\n');
    put_voice(doc, e, LB_VOICE_PORT);
    put_voice(doc, e, LB_VOICE_RECORDED);
    put_real(doc, e);
}

static void put_trouble(lb_doc *doc, const lb_explanation *e)
{
    if (!e->scene->port_trouble)
        return;
    lb_doc_puts(doc, "port      ");
    lb_explain_plain(doc, e->scene->port_trouble);
    lb_doc_char(doc, '\n');
}

/* ---- A status that is not ok ---- */

static void put_status(lb_doc *doc, const lb_explanation *e)
{
    const lb_scene *scene = e->scene;
    lb_doc_printf(doc, "status    %s by the exact model",
                  lb_status_name((int)scene->exact.call.status));
    if (scene->port_ran)
        lb_doc_printf(doc, ", %s by the port", lb_status_name((int)scene->port.call.status));
    if (scene->expect && scene->expect->has_status)
        lb_doc_printf(doc, ", %s recorded", lb_status_name((int)scene->expect->status));
    lb_doc_char(doc, '\n');
    if (!scene->rule)
        return;
    lb_doc_printf(doc, "rule      %s: ", scene->rule->name);
    lb_explain_rule_sentence(doc, scene->rule->name);
    lb_doc_puts(doc, ".\nThe rules before it hold. The call has\n");
    lb_explain_rule_facts(doc, scene, scene->rule->name);
}

/* A function that returns a number, or nothing. */
static void put_returned(lb_doc *doc, const lb_explanation *e)
{
    const lb_scene *scene = e->scene;
    if (e->test_case->kernel->returns_status)
        return;
    lb_doc_printf(doc, "returns   %" PRId64 " by the exact model", scene->exact.call.return_value);
    if (scene->port_ran)
        lb_doc_printf(doc, ", %" PRId64 " by the port", scene->port.call.return_value);
    if (scene->expect && scene->expect->has_return)
        lb_doc_printf(doc, ", %" PRId64 " recorded", scene->expect->return_value);
    lb_doc_char(doc, '\n');
}

/* ---- Where a value could come from ---- */

static void put_step_words(lb_doc *doc, const lb_suspect *suspect)
{
    const lb_num_step *step = suspect->step;
    if (step->operation == LB_STEP_GIVEN) {
        lb_explain_place(doc, &step->place);
        lb_doc_printf(doc, "=%" PRId64, step->result);
    } else {
        lb_doc_printf(doc, "step #%" PRId32 ", %s: %s", step->number,
                      lb_operation_name(step->operation), step->words);
    }
}

static void put_fault(lb_doc *doc, const lb_suspect *suspect)
{
    if (suspect->fault.taps > 1)
        lb_doc_printf(doc, "missing the last %u taps", suspect->fault.taps);
    else
        lb_doc_puts(doc, lb_fault_words(suspect->fault.kind));
    if (suspect->fault.everywhere)
        lb_doc_puts(doc, ", in every rounding shift");
    if (suspect->fault.all_blocks && (suspect->step->block || suspect->step->term))
        lb_doc_puts(doc, ", here and in all sums like this");
}

static void put_suspect(lb_doc *doc, const lb_explanation *e, const lb_suspect *suspect,
                        unsigned number)
{
    lb_doc_printf(doc, "  %u. ", number);
    lb_doc_puts(doc, lb_suspect_name(suspect, e->scene->arena));
    lb_doc_puts(doc, "  (");
    put_step_words(doc, suspect);
    lb_doc_puts(doc, "): this is what ");
    put_fault(doc, suspect);
    lb_doc_printf(
        doc,
        " gives; it explains %u of %u wrong elements tried, and leaves %u of %u others right\n",
        suspect->explained, suspect->wrong, suspect->left_right, suspect->right);
}

static void put_suspicion(lb_doc *doc, const lb_explanation *e, lb_voice voice)
{
    const lb_suspicion *s = &e->suspicion[voice];
    lb_doc_printf(doc,
                  "\nWhere the %s value could come from (%s differs in %" PRIu64 " of %" PRIu64
                  " elements):\n",
                  voice == LB_VOICE_PORT ? "port's" : "recorded", lb_role_name(e->role),
                  s->differing, s->elements);
    for (unsigned i = 0; i < s->suspect_count; i++)
        put_suspect(doc, e, &s->suspects[i], i + 1);
    if (s->found > s->suspect_count)
        lb_doc_printf(doc, "  %u other faults give this value in this element too\n",
                      s->found - s->suspect_count);
    if (s->profile)
        lb_doc_printf(doc, "  all %" PRIu64 " are what profile %s gives\n", s->elements,
                      s->profile);
    if (s->elsewhere_count > 0) {
        lb_doc_puts(doc, "  the value stands at ");
        lb_explain_place(doc, &s->elsewhere);
        if (s->elsewhere_count > 1)
            lb_doc_printf(doc, " and %" PRIu64 " more places", s->elsewhere_count - 1);
        lb_doc_puts(doc, ": perhaps it was taken from there\n");
    }
    if (s->untouched)
        lb_doc_puts(
            doc, "  it is what stood there before the call: perhaps the element was not written\n");
    if (s->looked && s->found == 0)
        lb_doc_puts(doc, "  none of the known faults, in one step alone, gives this value\n");
    if (!s->looked)
        lb_doc_puts(doc, "  faults were not tried: there are no steps, or too many of them\n");
}

/* ---- What else differs ---- */

static void put_difference(lb_doc *doc, const lb_difference *d)
{
    lb_doc_puts(doc, "  ");
    lb_explain_plain(doc, d->role);
    if (strcmp(d->what, "data") == 0)
        lb_doc_char(doc, '[');
    else
        lb_doc_printf(doc, "%s%s", d->role[0] ? " " : "", d->what);
    if (d->field[0]) {
        lb_doc_char(doc, ' ');
        lb_explain_plain(doc, d->field);
    }
    lb_explain_plain(doc, d->index);
    if (strcmp(d->what, "data") == 0)
        lb_doc_char(doc, ']');
    lb_doc_puts(doc, ": ");
    lb_explain_plain(doc, d->oracle);
    lb_doc_puts(doc, " says ");
    lb_explain_plain(doc, d->expected);
    lb_doc_puts(doc, ", there is ");
    lb_explain_plain(doc, d->got);
    if (d->total > 1)
        lb_doc_printf(doc, "; %" PRIu64 " of %" PRIu64 " differ", d->count, d->total);
    lb_doc_char(doc, '\n');
}

/* Differences that the steps of this element do not speak of. */
static void put_differences(lb_doc *doc, const lb_explanation *e)
{
    const lb_result *result = &e->scene->result;
    bool told = false;
    for (unsigned i = 0; i < result->difference_count; i++) {
        const lb_difference *d = &result->differences[i];
        bool here = e->has_element && strcmp(d->what, "data") == 0 &&
                    strcmp(d->role, lb_role_name(e->role)) == 0 &&
                    (e->departs[LB_VOICE_PORT] || e->departs[LB_VOICE_RECORDED]);
        if (here)
            continue;
        if (!told)
            lb_doc_puts(doc, "\nDifferences:\n");
        told = true;
        put_difference(doc, d);
    }
}

/* ---- End ---- */

const char *lb_explain_verdict(const lb_explanation *e)
{
    if (!e->scene->port_ran && !e->scene->port_skipped)
        return "error";
    if (lb_scene_departs(e->scene))
        return "departs";
    return e->failed ? "failed" : "agrees";
}

static void put_verdict_of(lb_doc *doc, const lb_explanation *e, lb_voice voice)
{
    int64_t value;
    if (!e->departs[voice] || !lb_voice_value(e->scene, voice, e->role, e->flat, &value))
        return;
    const char *step = lb_explanation_step(e, voice);
    lb_doc_printf(doc, "; %s ", voice_names[voice]);
    lb_explain_container(doc, element_type(e), value);
    lb_doc_puts(doc, " departs");
    if (step[0]) {
        lb_doc_puts(doc, " at ");
        lb_doc_puts(doc, step);
    }
}

static void put_end(lb_doc *doc, const lb_explanation *e)
{
    bool here = e->departs[LB_VOICE_PORT] || e->departs[LB_VOICE_RECORDED];
    lb_doc_puts(doc, "\nresult    ");
    if (e->has_element) {
        put_place(doc, e);
        lb_doc_puts(doc, " = ");
        lb_explain_container(doc, element_type(e),
                             lb_scene_value(e->scene, &e->scene->exact, e->role, e->flat));
        put_verdict_of(doc, e, LB_VOICE_PORT);
        put_verdict_of(doc, e, LB_VOICE_RECORDED);
        if (!here)
            lb_doc_puts(doc, e->scene->port_ran || e->scene->expect ? ": all voices agree"
                                                                    : ": by the exact model");
    } else {
        lb_doc_puts(doc,
                    e->failed ? "no element is computed" : "the function computes no elements");
    }
    if (here)
        lb_doc_char(doc, '\n');
    else if (lb_scene_departs(e->scene))
        lb_doc_puts(doc, e->has_element ? " here; the call departs elsewhere\n"
                                        : "; the call departs\n");
    else
        lb_doc_puts(doc, e->has_element ? " on the whole call\n" : "; all voices agree\n");
}

void lb_explain_text(lb_doc *doc, const lb_explanation *e, bool all)
{
    put_head(doc, e);
    if (e->failed)
        put_status(doc, e);
    if (e->has_element)
        put_values(doc, e);
    else
        put_returned(doc, e);
    put_trouble(doc, e);
    if (e->trail.written) {
        lb_doc_char(doc, '\n');
        lb_explain_table(doc, e, all);
    } else if (e->has_element) {
        lb_doc_puts(doc, "\nThe call writes nothing here by steps: the element stays what it was, "
                         "or the output is a view.\n");
    }
    for (int voice = 0; voice < 2; voice++)
        if (e->departs[voice])
            put_suspicion(doc, e, (lb_voice)voice);
    put_differences(doc, e);
    put_end(doc, e);
}
