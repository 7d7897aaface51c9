/* Steps in words: see words.h. */
#include "harness/explain/words.h"
#include "harness/explain/operations.h"
#include "reference/core/lut.h"

#include <inttypes.h>
#include <string.h>

void lb_explain_plain(lb_doc *doc, const char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < 0x20 || c == 0x7f)
            lb_doc_printf(doc, "\\x%02x", c);
        else
            lb_doc_char(doc, *text);
    }
}

void lb_explain_place(lb_doc *doc, const lb_num_place *place)
{
    lb_doc_puts(doc, lb_owner_name(place->owner));
    if (place->field) {
        lb_doc_char(doc, '.');
        lb_doc_puts(doc, lb_quant_field_name(place->field));
    }
    for (uint32_t d = 0; d < place->rank; d++)
        lb_doc_printf(doc, "%s%" PRId64, d ? "," : "[", place->index[d]);
    if (place->rank > 0)
        lb_doc_char(doc, ']');
    if (place->kind == LB_NUM_INTERMEDIATE)
        lb_doc_printf(doc, "@%u", place->frame);
}

static void put_real(lb_doc *doc, int64_t pattern)
{
    int32_t bits = (int32_t)pattern;
    float value;
    memcpy(&value, &bits, sizeof value);
    lb_doc_printf(doc, "%.9g", (double)value);
}

static int64_t number_of(const lb_num_step *step, unsigned operand)
{
    return operand == LB_STEP_RESULT ? step->result : step->operand[operand].v;
}

void lb_explain_number(lb_doc *doc, const lb_num_step *step, unsigned operand)
{
    if (lb_operation_is_real(step->operation, operand))
        put_real(doc, number_of(step, operand));
    else
        lb_doc_i64(doc, number_of(step, operand));
}

/* ---- Operations ---- */

/* Of a running sum only the value counts: it stands in the line above. */
static bool is_running(const lb_num_step *step, unsigned operand)
{
    return operand == 0 && (step->operation == LB_STEP_MAC || step->operation == LB_STEP_SKIP);
}

static void put_operand(lb_doc *doc, const lb_slice *slice, const lb_num_step *step, unsigned k)
{
    lb_num operand = step->operand[k];
    if (operand.step < 0) {
        lb_explain_place(doc, &slice->givens[-operand.step - 1].place);
        lb_doc_char(doc, '=');
    } else if (operand.step > 0 && !is_running(step, k)) {
        lb_doc_printf(doc, "#%" PRId32 "=", operand.step);
    }
    lb_explain_number(doc, step, k);
}

static const char *const rounding_words[LB_ROUND_COUNT] = {
    [LB_ROUND_UP] = "half up",          [LB_ROUND_CONVERGENT] = "half to even",
    [LB_ROUND_AWAY] = "half from zero", [LB_ROUND_ZERO] = "cut towards zero",
    [LB_ROUND_FLOOR] = "cut downwards",
};

void lb_explain_operation(lb_doc *doc, const lb_slice *slice, const lb_num_step *step)
{
    if (step->operation == LB_STEP_SKIP) {
        lb_doc_i64(doc, step->operand[0].v);
        lb_doc_puts(doc, ", not ");
        lb_explain_place(doc, &step->place);
        return;
    }
    for (const char *c = lb_operation_pattern(step->operation); *c; c++) {
        bool alone = !(c[1] >= 'a' && c[1] <= 'z');
        if (*c >= 'A' && *c <= 'C' && alone)
            put_operand(doc, slice, step, (unsigned)(*c - 'A'));
        else if (*c == 'W')
            lb_doc_i64(doc, step->width);
        else if (*c == 'R')
            lb_doc_puts(doc, rounding_words[step->rounding]);
        else if (*c == 'T')
            lb_doc_puts(doc, lb_luts[step->table].name);
        else
            lb_doc_char(doc, *c);
    }
}

/* ---- Remarks ---- */

bool lb_explain_drops(const lb_num_step *step)
{
    return lb_step_dropped(step) != 0;
}

static void put_dropped(lb_doc *doc, const lb_num_step *step)
{
    int64_t n = step->operand[1].v;
    if (n >= step->width || n > 62) {
        lb_doc_printf(doc, "; all of it is shifted out by %" PRId64, n);
        return;
    }
    uint64_t dropped = lb_step_dropped(step), whole = (uint64_t)1 << n;
    lb_doc_printf(doc, "; drops 0x%" PRIx64 " of 2^%" PRId64 " (%.3f)%s", dropped, n,
                  (double)dropped / (double)whole, dropped * 2 == whole ? ", a tie" : "");
}

static void put_clipped(lb_doc *doc, const lb_num_step *step)
{
    bool wraps =
        step->operation == LB_STEP_WRAP || (step->operation == LB_STEP_MAC && !step->saturates);
    lb_doc_printf(doc, "; %s at %d bits", wraps ? "WRAPS" : "SATURATES", step->width);
}

void lb_explain_remark(lb_doc *doc, const lb_num_step *step)
{
    int64_t n = step->operand[1].v;
    if (step->operation == LB_STEP_MAC)
        lb_doc_printf(doc, "product %" PRId64 "; ", lb_step_product(step));
    lb_doc_puts(doc, lb_site_label(step->site));
    if (lb_explain_drops(step))
        put_dropped(doc, step);
    if ((step->operation == LB_STEP_RSH || step->operation == LB_STEP_ASR) && n < 0)
        lb_doc_puts(doc, "; to the left");
    if (lb_step_is_clipped(step))
        put_clipped(doc, step);
    bool limits = step->operation == LB_STEP_MIN || step->operation == LB_STEP_MAX;
    if (limits && step->result != step->operand[0].v && step->part == LB_PART_RELU)
        lb_doc_puts(doc, "; LIMITED");
}
