/* An explanation in JSON: see json.h. All steps are there, however long a sum is. */
#include "harness/explain/json.h"
#include "harness/base/spec_text.h"
#include "harness/explain/operations.h"
#include "harness/explain/rule.h"
#include "harness/explain/text.h"
#include "harness/explain/words.h"
#include "reference/core/lut.h"

#include "reports/json_put.h"

#include <inttypes.h>
#include <string.h>

static const char *const kinds[] = {"element", "parameter", "intermediate", "geometry"};
static const char *const oracle_names[] = {"port", "recorded"};

static void put_real(lb_doc *doc, const char *key, double value)
{
    lb_put_key(doc, key);
    lb_doc_double(doc, value, 17, "null");
}

static void put_hex(lb_doc *doc, const char *key, const lb_explanation *e, int64_t value)
{
    unsigned bytes = lb_replayed_layout(e->replayed, e->role).element_bytes;
    uint64_t bits = (uint64_t)value & (bytes >= 4 ? UINT32_MAX : bytes == 2 ? 0xffffu : 0xffu);
    lb_put_key(doc, key);
    lb_doc_printf(doc, "\"0x%0*" PRIx64 "\"", (int)(bytes * 2), bits);
}

static void put_list(lb_doc *doc, const char *key, const int64_t *numbers, size_t count)
{
    lb_put_key(doc, key);
    lb_doc_char(doc, '[');
    for (size_t i = 0; i < count; i++) {
        lb_doc_puts(doc, i ? "," : "");
        lb_doc_i64(doc, numbers[i]);
    }
    lb_doc_char(doc, ']');
}

/* ---- Steps ---- */

static void put_given(lb_doc *doc, const lb_num_step *given)
{
    const lb_num_place *place = &given->place;
    lb_doc_char(doc, '{');
    lb_put_number(doc, "number", given->number);
    lb_put_text(doc, "kind", kinds[place->kind]);
    lb_put_text(doc, "name", lb_owner_name(place->owner));
    if (place->field)
        lb_put_text(doc, "field", lb_quant_field_name(place->field));
    put_list(doc, "index", place->index, place->rank);
    if (place->kind == LB_NUM_INTERMEDIATE)
        lb_put_number(doc, "frame", place->frame);
    lb_put_number(doc, "value", given->result);
    lb_doc_char(doc, '}');
}

static void put_operands(lb_doc *doc, const lb_num_step *step)
{
    int64_t values[LB_STEP_OPERANDS], sources[LB_STEP_OPERANDS];
    for (unsigned k = 0; k < step->operand_count; k++) {
        values[k] = step->operand[k].v;
        sources[k] = step->operand[k].step;
    }
    put_list(doc, "operands", values, step->operand_count);
    put_list(doc, "from", sources, step->operand_count);
}

/* How the operation is done, where it can be done in more than one way. */
static void put_manner(lb_doc *doc, const lb_num_step *step)
{
    if (step->width > 0)
        lb_put_number(doc, "width", step->width);
    if (step->operation == LB_STEP_MAC)
        lb_put_text(doc, "overflow", step->saturates ? "saturate" : "wrap");
    if (step->operation == LB_STEP_RSH)
        lb_put_text(doc, "rounding", lb_rounding_name(step->rounding));
    if (step->operation == LB_STEP_LOOKUP)
        lb_put_text(doc, "table", lb_luts[step->table].name);
    if (step->operation == LB_STEP_SKIP)
        put_list(doc, "outside", step->place.index, step->place.rank);
}

static void put_place_in_computation(lb_doc *doc, const lb_num_step *step)
{
    char title[120];
    lb_put_text(doc, "part", lb_part_words(step->part));
    lb_put_text(doc, "section", step->section ? step->section : "");
    lb_put_text(doc, "section_title",
                lb_spec_title(step->section ? step->section : "", title, sizeof title));
    if (step->block)
        lb_put_text(doc, "block", lb_block_name(step->block));
    if (step->term)
        lb_put_text(doc, "term", lb_term_name(step->term));
    if (step->block || step->frame > 0)
        lb_put_number(doc, "frame", step->frame);
    if (step->tap > 0)
        lb_put_number(doc, "tap", (int64_t)step->tap);
}

static void put_step(lb_doc *doc, const lb_explanation *e, size_t i)
{
    const lb_num_step *step = &e->slice.steps[i];
    lb_doc_char(doc, '{');
    lb_put_number(doc, "number", step->number);
    lb_put_text(doc, "operation", lb_operation_name(step->operation));
    put_operands(doc, step);
    put_manner(doc, step);
    if (step->operation == LB_STEP_MAC)
        lb_put_number(doc, "product", lb_step_product(step));
    lb_put_number(doc, "result", step->result);
    put_real(doc, "unrounded", e->real[i]);
    if (lb_explain_drops(step) && step->operand[1].v < 63)
        lb_put_number(doc, "dropped",
                      step->operand[0].v & (int64_t)((UINT64_C(1) << step->operand[1].v) - 1));
    if (lb_step_is_clipped(step))
        lb_put_bool(doc, "clipped", true);
    lb_put_text(doc, "words", lb_site_label(step->site));
    put_place_in_computation(doc, step);
    lb_doc_char(doc, '}');
}

static void put_steps(lb_doc *doc, const lb_explanation *e)
{
    lb_put_key(doc, "given");
    lb_doc_char(doc, '[');
    for (size_t i = 0; i < e->slice.given_count; i++) {
        lb_doc_puts(doc, i ? "," : "");
        put_given(doc, &e->slice.givens[i]);
    }
    lb_doc_char(doc, ']');
    lb_put_key(doc, "steps");
    lb_doc_char(doc, '[');
    for (size_t i = 0; i < e->slice.step_count; i++) {
        lb_doc_puts(doc, i ? "," : "");
        put_step(doc, e, i);
    }
    lb_doc_char(doc, ']');
}

/* ---- Where a value could come from ---- */

static void put_candidate(lb_doc *doc, const lb_explanation *e, const lb_candidate *candidate)
{
    lb_doc_char(doc, '{');
    lb_put_text(doc, "at", lb_candidate_name(candidate, e->replayed->arena));
    lb_put_number(doc, "step", candidate->step ? candidate->step->number : 0);
    lb_put_text(doc, "fault", lb_fault_name(&candidate->fault, e->replayed->arena));
    lb_put_text(doc, "words", lb_fault_sentence(&candidate->fault, e->replayed->arena));
    lb_put_bool(doc, "everywhere", candidate->fault.everywhere || candidate->fault.all_blocks);
    lb_put_number(doc, "explains", (int64_t)candidate->explained);
    lb_put_number(doc, "wrong_tried", (int64_t)candidate->wrong);
    lb_put_number(doc, "leaves_right", (int64_t)candidate->left_right);
    lb_put_number(doc, "right_tried", (int64_t)candidate->right);
    lb_doc_char(doc, '}');
}

static void put_departure(lb_doc *doc, const lb_explanation *e, lb_oracle oracle)
{
    const lb_candidates *s = &e->candidates[oracle];
    lb_doc_char(doc, '{');
    lb_put_text(doc, "oracle", oracle_names[oracle]);
    lb_put_number(doc, "value", s->value);
    put_hex(doc, "hex", e, s->value);
    lb_put_number(doc, "by", s->value - s->exact);
    lb_put_number(doc, "differing", (int64_t)s->differing);
    lb_put_number(doc, "elements", (int64_t)s->elements);
    lb_put_text(doc, "diverges_at", lb_explanation_step(e, oracle));
    if (s->profile)
        lb_put_text(doc, "profile", s->profile);
    if (s->elsewhere_count > 0) {
        put_list(doc, "elsewhere", s->elsewhere.index, s->elsewhere.rank);
        lb_put_number(doc, "elsewhere_count", (int64_t)s->elsewhere_count);
    }
    lb_put_bool(doc, "untouched", s->untouched);
    lb_put_key(doc, "candidates");
    lb_doc_char(doc, '[');
    for (unsigned i = 0; i < s->candidate_count; i++) {
        lb_doc_puts(doc, i ? "," : "");
        put_candidate(doc, e, &s->candidates[i]);
    }
    lb_doc_puts(doc, "]}");
}

static void put_departures(lb_doc *doc, const lb_explanation *e)
{
    lb_put_key(doc, "departures");
    lb_doc_char(doc, '[');
    for (int oracle = 0; oracle < 2; oracle++)
        if (e->diverges[oracle]) {
            lb_doc_puts(doc, doc->text[doc->length - 1] == '[' ? "" : ",");
            put_departure(doc, e, (lb_oracle)oracle);
        }
    lb_doc_char(doc, ']');
}

/* ---- All ---- */

static void put_status(lb_doc *doc, const lb_explanation *e)
{
    const lb_replayed *replayed = e->replayed;
    lb_put_text(doc, "status", lb_status_name((int)replayed->exact.call.status));
    if (replayed->port_ran)
        lb_put_text(doc, "port_status", lb_status_name((int)replayed->port.call.status));
    if (replayed->expect && replayed->expect->has_status)
        lb_put_text(doc, "recorded_status", lb_status_name((int)replayed->expect->status));
    if (!replayed->rule)
        return;
    lb_doc sentence = lb_doc_make();
    lb_explain_rule_sentence(&sentence, replayed->rule->name);
    lb_doc_char(&sentence, '\0');
    lb_put_text(doc, "rule", replayed->rule->name);
    lb_put_text(doc, "rule_section", lb_families[replayed->exact.call.kernel->family].refusals);
    lb_put_text(doc, "rule_says", sentence.failed ? "" : sentence.text);
    lb_doc_free(&sentence);
}

static void put_indices(lb_doc *doc, const lb_explanation *e)
{
    lb_index_line lines[LB_MOST_INDEX_LINES];
    const size_t count = lb_explain_indices(e, lines);
    lb_put_key(doc, "reads");
    lb_doc_char(doc, '[');
    for (size_t i = 0; i < count; i++) {
        lb_doc_puts(doc, i > 0 ? ",{" : "{");
        lb_put_text(doc, "index", lines[i].name);
        lb_put_text(doc, "formula", lines[i].formula);
        lb_put_text(doc, "numbers", lines[i].numbers);
        lb_put_number(doc, "low", lines[i].low);
        lb_put_number(doc, "high", lines[i].high);
        lb_put_number(doc, "extent", lines[i].extent);
        lb_doc_char(doc, '}');
    }
    lb_doc_char(doc, ']');
}

static void put_element(lb_doc *doc, const lb_explanation *e)
{
    int64_t index[LB_MAX_RANK], value,
        exact = lb_replayed_value(e->replayed, &e->replayed->exact, e->role, e->flat);
    const char *type = lb_el_type_name(e->test_case->operand[e->role].tensors[0].type);
    for (unsigned d = 0; d < e->rank; d++)
        index[d] = e->index[d];
    lb_put_text(doc, "role", lb_role_name(e->role));
    put_list(doc, "index", index, e->rank);
    lb_put_number(doc, "element", (int64_t)e->flat);
    lb_put_number(doc, "elements", (int64_t)e->count);
    lb_put_text(doc, "type", type ? type : "");
    lb_put_number(doc, "exact", exact);
    put_hex(doc, "exact_hex", e, exact);
    for (int oracle = 0; oracle < 2; oracle++)
        if (lb_oracle_value(e->replayed, (lb_oracle)oracle, e->role, e->flat, &value))
            lb_put_number(doc, oracle_names[oracle], value);
    if (e->replayed->real[e->role]) {
        put_real(doc, "real", e->replayed->real[e->role][e->flat]);
        put_real(doc, "real_steps", lb_explain_in_steps(e, e->replayed->real[e->role][e->flat]));
    }
}

void lb_explain_json(lb_doc *doc, const lb_explanation *e)
{
    lb_doc_char(doc, '{');
    lb_put_text(doc, "case", e->test_case->id);
    lb_put_text(doc, "file", e->file);
    lb_put_number(doc, "line", e->test_case->line);
    lb_put_text(doc, "function", e->test_case->function);
    lb_put_text(doc, "profile", e->replayed->profile->name);
    if (e->replayed->calls > 1)
        lb_put_number(doc, "call", e->replayed->call_number);
    put_status(doc, e);
    if (e->replayed->port_trouble)
        lb_put_text(doc, "port_trouble", e->replayed->port_trouble);
    if (e->has_element) {
        put_element(doc, e);
        put_indices(doc, e);
        put_steps(doc, e);
        lb_put_key(doc, "result_from");
        lb_doc_i64(doc, e->slice.written ? e->slice.result.step : 0);
        put_departures(doc, e);
    }
    if (e->diagnosed) {
        lb_put_text(doc, "diagnosis", e->diagnosed->name);
        lb_put_text(doc, "diagnosis_says", e->diagnosed->sentence);
    }
    lb_put_text(doc, "verdict", lb_explain_verdict(e));
    lb_doc_puts(doc, "}\n");
}
