/* Why a call has a status that is not ok: the violated rule in words, and the fields that it looks
 * at. */
#ifndef LB_HARNESS_EXPLAIN_RULE_H
#define LB_HARNESS_EXPLAIN_RULE_H

#include "harness/explain/replayed_call.h"

#include "reports/doc.h"

/* "in must be a tensor that can be read: ..." for the rule "in.tensor"; the name itself where
 * nothing better is known. */
void lb_explain_rule_sentence(lb_doc *doc, const char *rule);
/* One line for each tensor (or the configuration) that the rule's name and condition speak of:
 * type, shape, strides, capacity and quantization as the call found them. */
void lb_explain_rule_facts(lb_doc *doc, const lb_replayed *replayed, const char *rule);

#endif
