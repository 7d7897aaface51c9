/* Steps in words: operands with their places, what is done with them, and what is worth knowing
 * about it. */
#ifndef LB_HARNESS_EXPLAIN_WORDS_H
#define LB_HARNESS_EXPLAIN_WORDS_H

#include "harness/explain/slice.h"

#include "reports/doc.h"

/* Text from a suite or a port: control bytes must not reach a terminal. */
void lb_explain_plain(lb_doc *doc, const char *text);
/* "in[2,0,1]", "weights.scale[3]", "h[4] of frame 1", "positions in the window". */
void lb_explain_place(lb_doc *doc, const lb_num_place *place);
/* The number of an operand or of the result (LB_STEP_RESULT): an integer, or of binary32 operations
 * its value. */
void lb_explain_number(lb_doc *doc, const lb_num_step *step, unsigned operand);
/* "100 + in[1]=-7 * weights[1,1]=9", "#13 >> #3, up", with values beside the numbers of steps:
 * "#13=431". */
void lb_explain_operation(lb_doc *doc, const lb_slice *slice, const lb_num_step *step);
/* Has a step to the right dropped bits, and which: "drops 0x7 of 2^3 (0.875), a tie". */
bool lb_explain_drops(const lb_num_step *step);
/* What the result is, and what happened on the way: dropped bits, saturation, wrap. */
void lb_explain_remark(lb_doc *doc, const lb_num_step *step);

#endif
