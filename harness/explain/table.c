/* The table of steps: see table.h. */
#include "harness/explain/table.h"
#include "harness/base/spec_text.h"
#include "harness/base/texts.h"
#include "harness/base/xalloc.h"
#include "harness/explain/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TAP_LINES = 12, MOST_TAPS = 8, WIDEST_OPERATION = 60 };

enum { SHOWN, TAP_HIDDEN, FRAME_HIDDEN };

typedef struct table {
    lb_doc *doc;
    const lb_explanation *e;
    const lb_slice *slice;
    char *hidden;          /* by step: why it is not shown */
    int operation, result; /* widths of columns */
    bool cells;            /* between tabs, and not in aligned columns */
} table;

static bool same_part(const lb_num_step *a, const lb_num_step *b)
{
    return a->part == b->part && a->block == b->block && a->term == b->term && a->frame == b->frame;
}

/* ---- What is hidden ---- */

/* Behind the last step of the sum that begins at `first`. */
static size_t end_of_sum(const lb_slice *slice, size_t first)
{
    size_t i = first + 1;
    while (i < slice->step_count && slice->steps[i].tap >= slice->steps[i - 1].tap &&
           same_part(&slice->steps[first], &slice->steps[i]))
        i++;
    return i;
}

/* Of a sum: its first taps, as many as go into a few lines, and its last are shown. */
static void hide_taps(table *t, size_t first, size_t end)
{
    uint64_t last = t->slice->steps[end - 1].tap;
    uint64_t shown = TAP_LINES * last / (end - first);
    shown = shown < 1 ? 1 : shown > MOST_TAPS ? MOST_TAPS : shown;
    for (size_t i = first; last > shown + 2 && i < end; i++)
        if (t->slice->steps[i].tap > shown && t->slice->steps[i].tap < last)
            t->hidden[i] = TAP_HIDDEN;
}

/* Frames are alike: of a cell the last one is shown, whose result the element is. */
static void hide_frames(table *t)
{
    unsigned last = t->slice->step_count > 0 ? t->slice->steps[t->slice->step_count - 1].frame : 0;
    for (size_t i = 0; i < t->slice->step_count; i++)
        if (t->slice->steps[i].frame < last)
            t->hidden[i] = FRAME_HIDDEN;
}

static void choose_hidden(table *t)
{
    for (size_t i = 0; i < t->slice->step_count;) {
        if (t->slice->steps[i].tap == 0) {
            i++;
            continue;
        }
        size_t end = end_of_sum(t->slice, i);
        hide_taps(t, i, end);
        i = end;
    }
    hide_frames(t);
}

/* ---- Lines ---- */

static int length_of(void (*put)(lb_doc *doc, const lb_slice *slice, const lb_num_step *step),
                     const lb_slice *slice, const lb_num_step *step)
{
    char text[400];
    lb_doc doc = lb_doc_in(text, sizeof text);
    put(&doc, slice, step);
    return (int)doc.length;
}

static void put_result(lb_doc *doc, const lb_slice *slice, const lb_num_step *step)
{
    (void)slice;
    lb_explain_number(doc, step, LB_STEP_RESULT);
}

static void measure(table *t)
{
    t->operation = 10;
    t->result = 6;
    for (size_t i = 0; i < t->slice->step_count; i++) {
        const lb_num_step *step = &t->slice->steps[i];
        int operation = t->hidden[i] ? 0 : length_of(lb_explain_operation, t->slice, step);
        int result = t->hidden[i] ? 0 : length_of(put_result, t->slice, step);
        if (operation <= WIDEST_OPERATION && operation > t->operation)
            t->operation = operation;
        t->result = result > t->result ? result : t->result;
    }
}

static void pad(lb_doc *doc, size_t from, int width)
{
    for (size_t used = doc->length - from; used < (size_t)width; used++)
        lb_doc_char(doc, ' ');
}

/* Only where it is another number: a column that repeats the one before it tells nothing. */
static void put_unrounded(lb_doc *doc, const lb_num_step *step, double real)
{
    bool is_float = lb_operation_is_real(step->operation, LB_STEP_RESULT);
    if (!is_float && fabs(real - (double)step->result) > 1e-9 * (1.0 + fabs(real)))
        lb_doc_double(doc, real, 9, "");
}

static void put_heading(table *t, const lb_num_step *step)
{
    lb_doc_puts(t->doc, t->cells ? "\t" : "  ");
    if (step->block)
        lb_doc_printf(t->doc, "frame %u, %s%s%s: ", step->frame, lb_block_name(step->block),
                      step->term ? ", " : "", lb_term_name(step->term));
    else if (step->term)
        lb_doc_printf(t->doc, "%s: ", lb_term_name(step->term));
    else if (step->frame > 0)
        lb_doc_printf(t->doc, "frame %u: ", step->frame);
    char title[120];
    const char *section = step->section ? step->section : "";
    lb_spec_title(section, title, sizeof title);
    lb_doc_printf(t->doc, "%s  (%s%s%s)\n", lb_part_words(step->part), section, *title ? ": " : "",
                  title);
}

static void put_cells(table *t, size_t i)
{
    lb_doc *doc = t->doc;
    const lb_num_step *step = &t->slice->steps[i];
    lb_doc_printf(doc, "#%" PRId32 "\t%s\t", step->number, lb_operation_name(step->operation));
    lb_explain_operation(doc, t->slice, step);
    lb_doc_char(doc, '\t');
    lb_explain_number(doc, step, LB_STEP_RESULT);
    lb_doc_char(doc, '\t');
    put_unrounded(doc, step, t->e->real[i]);
    lb_doc_char(doc, '\t');
    lb_explain_remark(doc, step);
    lb_doc_char(doc, '\n');
}

static void put_step(table *t, size_t i)
{
    lb_doc *doc = t->doc;
    const lb_num_step *step = &t->slice->steps[i];
    if (t->cells) {
        put_cells(t, i);
        return;
    }
    size_t before = doc->length;
    lb_doc_printf(doc, "#%" PRId32, step->number);
    size_t digits = doc->length - before;
    lb_doc_cut(doc, before);
    for (size_t k = digits; k < 6; k++)
        lb_doc_char(doc, ' ');
    lb_doc_printf(doc, "#%" PRId32 "  %-6s  ", step->number, lb_operation_name(step->operation));
    before = doc->length;
    lb_explain_operation(doc, t->slice, step);
    pad(doc, before, t->operation);
    lb_doc_puts(doc, "  ");
    for (int k = length_of(put_result, t->slice, step); k < t->result; k++)
        lb_doc_char(doc, ' ');
    lb_explain_number(doc, step, LB_STEP_RESULT);
    lb_doc_puts(doc, "  ");
    before = doc->length;
    put_unrounded(doc, step, t->e->real[i]);
    pad(doc, before, 13);
    lb_doc_puts(doc, "  ");
    lb_explain_remark(doc, step);
    lb_doc_char(doc, '\n');
}

static void put_hidden_taps(table *t, const lb_num_step *first, const lb_num_step *last)
{
    lb_doc_printf(t->doc,
                  "%s... %" PRIu64 " more taps, %s %" PRId64 " (step #%" PRId32
                  "); --all shows them\n",
                  t->cells ? "\t\t" : "        ", last->tap - first->tap + 1,
                  last->operation == LB_STEP_MAX ? "largest" : "sum", last->result, last->number);
}

static void put_hidden_frames(table *t, const lb_num_step *first, const lb_num_step *last)
{
    lb_doc_printf(t->doc, "%s... frame %u", t->cells ? "\t\t" : "        ", first->frame);
    if (last->frame > first->frame)
        lb_doc_printf(t->doc, " to %u", last->frame);
    lb_doc_printf(t->doc,
                  ": steps #%" PRId32 " to #%" PRId32 ", giving %" PRId64 "; --all shows them\n",
                  first->number, last->number, last->result);
}

/* Gives the index behind what is hidden. */
static size_t put_hidden(table *t, size_t first)
{
    const lb_num_step *steps = t->slice->steps;
    size_t end = first;
    while (end < t->slice->step_count && t->hidden[end] == t->hidden[first])
        end++;
    if (t->hidden[first] == TAP_HIDDEN)
        put_hidden_taps(t, &steps[first], &steps[end - 1]);
    else
        put_hidden_frames(t, &steps[first], &steps[end - 1]);
    return end;
}

static void put_titles(const table *t)
{
    if (t->cells)
        lb_doc_puts(t->doc, "step\t\toperation\tresult\tunrounded\tremark\n");
    else
        lb_doc_printf(t->doc, "  step  %-6s  %-*s  %*s  %-13s  %s\n", "", t->operation, "operation",
                      t->result, "result", "unrounded", "remark");
}

void lb_explain_table(lb_doc *doc, const lb_explanation *e, bool all, bool cells)
{
    table t = {.doc = doc, .e = e, .slice = &e->slice, .cells = cells};
    t.hidden = lb_zeroed(e->slice.step_count + 1, sizeof *t.hidden);
    if (!all)
        choose_hidden(&t);
    measure(&t);
    put_titles(&t);
    for (size_t i = 0; i < t.slice->step_count;) {
        const lb_num_step *step = &t.slice->steps[i];
        bool heads = i == 0 || !same_part(step, step - 1) ||
                     !lb_texts_equal(step->section, step[-1].section);
        if (heads && t.hidden[i] != FRAME_HIDDEN)
            put_heading(&t, step);
        if (t.hidden[i])
            i = put_hidden(&t, i);
        else
            put_step(&t, i++);
    }
    free(t.hidden);
}
