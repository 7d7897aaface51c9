/* An explanation in text: see text.h. */
#include "harness/explain/text.h"
#include "harness/base/spec_text.h"
#include "harness/explain/rule.h"
#include "harness/explain/table.h"
#include "harness/explain/words.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *const oracle_names[] = {"port", "recorded"};

/* ---- Numbers of the output ---- */

/* "12 (0x0c)"; fp32: "0.5 (0x3f000000)". */
static void explain_container(lb_doc *doc, uint32_t el_type, int64_t value)
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
    return &e->replayed->exact.tensors[e->role][0];
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
    const lb_replayed *replayed = e->replayed;
    lb_doc_puts(doc, "case      ");
    lb_explain_plain(doc, e->test_case->id);
    lb_doc_puts(doc, "  (");
    lb_explain_plain(doc, e->file);
    lb_doc_printf(doc, ":%u)\nfunction  ", e->test_case->line);
    lb_explain_plain(doc, e->test_case->function);
    lb_doc_puts(doc, "\nprofile   ");
    lb_explain_plain(doc, replayed->profile->name);
    if (e->diverging > 1) {
        lb_doc_puts(doc, "; something diverges in ");
        lb_explain_plain(doc, e->diverging_names);
    }
    lb_doc_char(doc, '\n');
    if (replayed->calls > 1)
        lb_doc_printf(doc, "call      %u of %u of the chain\n", replayed->call_number,
                      replayed->calls);
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
    explain_container(doc, element_type(e), value);
    if (element_type(e) != LB_FP32 && e->test_case->kernel->real) {
        while (doc->length < before + 16)
            lb_doc_char(doc, ' ');
        lb_doc_puts(doc, " = ");
        lb_doc_double(doc, real_of_container(e, value), 7, "nan");
    }
}

static void put_oracle(lb_doc *doc, const lb_explanation *e, lb_oracle oracle)
{
    int64_t value, exact = lb_replayed_value(e->replayed, &e->replayed->exact, e->role, e->flat);
    if (!lb_oracle_value(e->replayed, oracle, e->role, e->flat, &value))
        return;
    put_value_line(doc, e, oracle_names[oracle], value);
    if (value != exact && element_type(e) == LB_FP32)
        lb_doc_puts(doc, "  diverges");
    else if (value != exact)
        lb_doc_printf(doc, "  differs by %+" PRId64, value - exact);
    lb_doc_char(doc, '\n');
}

static void put_real(lb_doc *doc, const lb_explanation *e)
{
    const double *real = e->replayed->real[e->role];
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
    put_value_line(doc, e, "exact",
                   lb_replayed_value(e->replayed, &e->replayed->exact, e->role, e->flat));
    lb_doc_char(doc, '\n');
    put_oracle(doc, e, LB_ORACLE_PORT);
    put_oracle(doc, e, LB_ORACLE_RECORDED);
    put_real(doc, e);
}

/* Which elements the function reads for this one. */
static void put_indices(lb_doc *doc, const lb_explanation *e)
{
    lb_index_line lines[LB_MOST_INDEX_LINES];
    const size_t count = lb_explain_indices(e, lines);
    for (size_t i = 0; i < count; i++) {
        const lb_index_line *line = &lines[i];
        lb_doc_printf(doc, "%-9s %s = %s", i == 0 ? "reads" : "", line->name, line->formula);
        if (!line->is_plain)
            lb_doc_printf(doc, "\n%10s%*s = %s", "", (int)strlen(line->name), "", line->numbers);
        if (line->low > line->high)
            lb_doc_puts(doc, ": no element");
        else
            lb_doc_printf(doc, " = %" PRId64, line->low);
        if (line->low < line->high)
            lb_doc_printf(doc, " to %" PRId64, line->high);
        lb_doc_printf(doc, " of %" PRId64 "%s\n", line->extent,
                      line->can_leave && (line->low < 0 || line->high >= line->extent)
                          ? "; nothing is read outside"
                          : "");
    }
}

static void put_trouble(lb_doc *doc, const lb_explanation *e)
{
    if (!e->replayed->port_trouble)
        return;
    lb_doc_puts(doc, "port      ");
    lb_explain_plain(doc, e->replayed->port_trouble);
    lb_doc_char(doc, '\n');
}

/* ---- A status that is not ok ---- */

static void put_status(lb_doc *doc, const lb_explanation *e)
{
    const lb_replayed *replayed = e->replayed;
    lb_doc_printf(doc, "status    %s by the exact model",
                  lb_status_name((int)replayed->exact.call.status));
    if (replayed->port_ran)
        lb_doc_printf(doc, ", %s by the port", lb_status_name((int)replayed->port.call.status));
    if (replayed->expect && replayed->expect->has_status)
        lb_doc_printf(doc, ", %s recorded", lb_status_name((int)replayed->expect->status));
    lb_doc_char(doc, '\n');
    if (!replayed->rule)
        return;
    const char *section = lb_families[replayed->exact.call.kernel->family].refusals;
    char title[120];
    lb_doc_printf(doc, "rule      %s (%s: %s): ", replayed->rule->name, section,
                  lb_spec_title(section, title, sizeof title));
    lb_explain_rule_sentence(doc, replayed->rule->name);
    lb_doc_puts(doc, ".\nThe rules before it hold. The call has\n");
    lb_explain_rule_facts(doc, replayed, replayed->rule->name);
}

/* A function that returns a number, or nothing. */
static void put_returned(lb_doc *doc, const lb_explanation *e)
{
    const lb_replayed *replayed = e->replayed;
    if (e->test_case->kernel->returns_status)
        return;
    lb_doc_printf(doc, "returns   %" PRId64 " by the exact model",
                  replayed->exact.call.return_value);
    if (replayed->port_ran)
        lb_doc_printf(doc, ", %" PRId64 " by the port", replayed->port.call.return_value);
    if (replayed->expect && replayed->expect->has_return)
        lb_doc_printf(doc, ", %" PRId64 " recorded", replayed->expect->return_value);
    lb_doc_char(doc, '\n');
}

/* ---- Where a value could come from ---- */

static void put_step_words(lb_doc *doc, const lb_candidate *candidate)
{
    const lb_num_step *step = candidate->step;
    if (!step)
        return;
    lb_doc_puts(doc, " (");
    if (step->operation == LB_STEP_GIVEN) {
        lb_explain_place(doc, &step->place);
        lb_doc_printf(doc, "=%" PRId64, step->result);
    } else {
        lb_doc_printf(doc, "step #%" PRId32 ", %s: %s", step->number,
                      lb_operation_name(step->operation), lb_site_label(step->site));
    }
    lb_doc_char(doc, ')');
}

static void put_candidate(lb_doc *doc, const lb_explanation *e, const lb_candidate *candidate,
                          unsigned number)
{
    lb_doc_printf(doc, "  %u. ", number);
    lb_doc_puts(doc, lb_candidate_name(candidate, e->replayed->arena));
    put_step_words(doc, candidate);
    lb_doc_puts(doc, ": ");
    lb_doc_puts(doc, lb_fault_sentence(&candidate->fault, e->replayed->arena));
    lb_doc_printf(doc,
                  "; it explains %" PRIu64 " of %" PRIu64 " wrong elements, and leaves %" PRIu64
                  " of %" PRIu64 " others right\n",
                  candidate->explained, candidate->wrong, candidate->left_right, candidate->right);
}

/* What more results than this one say. */
static void put_diagnosed(lb_doc *doc, const lb_diagnosed *d)
{
    lb_doc_puts(doc, "\nDiagnosis: ");
    lb_doc_puts(doc, d->hedge);
    lb_explain_plain(doc, d->sentence);
    lb_doc_printf(doc, "\n  %" PRIu64 " of %" PRIu64 " failing results are under it\n", d->results,
                  d->failing);
}

static void put_suspicion(lb_doc *doc, const lb_explanation *e, lb_oracle oracle)
{
    const lb_candidates *s = &e->candidates[oracle];
    lb_doc_printf(doc,
                  "\nWhere the %s value could come from (%s differs in %" PRIu64 " of %" PRIu64
                  " elements):\n",
                  oracle == LB_ORACLE_PORT ? "port's" : "recorded", lb_role_name(e->role),
                  s->differing, s->elements);
    for (unsigned i = 0; i < s->candidate_count; i++)
        put_candidate(doc, e, &s->candidates[i], i + 1);
    if (s->found > s->candidate_count)
        lb_doc_printf(doc, "  %u other faults give this value in this element too\n",
                      s->found - s->candidate_count);
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
        lb_doc_puts(doc, s->late ? "  none of the faults tried gives this value; the effort was "
                                   "spent before all were\n"
                                 : "  no fault of the bank gives this value\n");
    if (!s->looked)
        lb_doc_puts(doc, "  faults were not tried: the call computes nothing here\n");
}

/* ---- What else differs ---- */

static void put_difference(lb_doc *doc, const lb_difference *d)
{
    lb_doc_puts(doc, "  ");
    lb_explain_plain(doc, d->role);
    if (d->what == LB_DIFFERS_DATA)
        lb_doc_char(doc, '[');
    else
        lb_doc_printf(doc, "%s%s", d->role[0] ? " " : "", lb_differs_name(d->what));
    if (d->field[0]) {
        lb_doc_char(doc, ' ');
        lb_explain_plain(doc, d->field);
    }
    lb_explain_plain(doc, d->index);
    if (d->what == LB_DIFFERS_DATA)
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
    const lb_result *result = &e->replayed->result;
    bool told = false;
    for (unsigned i = 0; i < result->difference_count; i++) {
        const lb_difference *d = &result->differences[i];
        bool here = e->has_element && d->what == LB_DIFFERS_DATA &&
                    strcmp(d->role, lb_role_name(e->role)) == 0 &&
                    (e->diverges[LB_ORACLE_PORT] || e->diverges[LB_ORACLE_RECORDED]);
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
    if (!e->replayed->port_ran && !e->replayed->port_skipped)
        return "error";
    if (lb_replayed_diverges(e->replayed))
        return "diverges";
    return e->failed ? "failed" : "agrees";
}

static void put_verdict_of(lb_doc *doc, const lb_explanation *e, lb_oracle oracle)
{
    int64_t value;
    if (!e->diverges[oracle] || !lb_oracle_value(e->replayed, oracle, e->role, e->flat, &value))
        return;
    const char *step = lb_explanation_step(e, oracle);
    lb_doc_printf(doc, "; %s ", oracle_names[oracle]);
    explain_container(doc, element_type(e), value);
    lb_doc_puts(doc, " diverges");
    if (step[0]) {
        lb_doc_puts(doc, " at ");
        lb_doc_puts(doc, step);
    }
}

static void put_end(lb_doc *doc, const lb_explanation *e)
{
    bool here = e->diverges[LB_ORACLE_PORT] || e->diverges[LB_ORACLE_RECORDED];
    lb_doc_puts(doc, "\nresult    ");
    if (e->has_element) {
        put_place(doc, e);
        lb_doc_puts(doc, " = ");
        explain_container(doc, element_type(e),
                          lb_replayed_value(e->replayed, &e->replayed->exact, e->role, e->flat));
        put_verdict_of(doc, e, LB_ORACLE_PORT);
        put_verdict_of(doc, e, LB_ORACLE_RECORDED);
        if (!here)
            lb_doc_puts(doc, e->replayed->port_ran || e->replayed->expect ? ": all oracles agree"
                                                                          : ": by the exact model");
    } else {
        lb_doc_puts(doc,
                    e->failed ? "no element is computed" : "the function computes no elements");
    }
    if (here)
        lb_doc_char(doc, '\n');
    else if (lb_replayed_diverges(e->replayed))
        lb_doc_puts(doc, e->has_element ? " here; the call diverges elsewhere\n"
                                        : "; the call diverges\n");
    else
        lb_doc_puts(doc, e->has_element ? " on the whole call\n" : "; all oracles agree\n");
}

static void put_all(lb_doc *doc, const lb_explanation *e, bool all, bool cells)
{
    put_head(doc, e);
    if (e->failed)
        put_status(doc, e);
    if (e->has_element)
        put_values(doc, e);
    else
        put_returned(doc, e);
    put_indices(doc, e);
    put_trouble(doc, e);
    if (e->slice.written) {
        lb_doc_char(doc, '\n');
        lb_explain_table(doc, e, all, cells);
    } else if (e->has_element) {
        lb_doc_puts(doc, "\nThe call writes nothing here by steps: the element stays what it was, "
                         "or the output is a view.\n");
    }
    if (e->diagnosed)
        put_diagnosed(doc, e->diagnosed);
    for (int oracle = 0; oracle < 2; oracle++)
        if (e->diverges[oracle])
            put_suspicion(doc, e, (lb_oracle)oracle);
    put_differences(doc, e);
    put_end(doc, e);
}

void lb_explain_text(lb_doc *doc, const lb_explanation *e, bool all)
{
    put_all(doc, e, all, false);
}

void lb_explain_cells(lb_doc *doc, const lb_explanation *e)
{
    put_all(doc, e, false, true);
}
