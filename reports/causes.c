/* Words on causes of failures: see causes.h. */
#include "causes.h"

const char *lb_certainty_hedge(lb_certainty certainty)
{
    static const char *const hedges[LB_CERTAINTY_COUNT] = {[LB_CERTAIN_ONE] = "",
                                                           [LB_CERTAIN_SEVERAL] = "probably: ",
                                                           [LB_CERTAIN_PARTLY] = "possible cause: ",
                                                           [LB_CERTAIN_UNKNOWN] = ""};
    return hedges[certainty];
}

void lb_causes_put_rest(lb_doc *doc, const lb_run_info *info)
{
    uint64_t all = 0;
    for (size_t i = 0; i < info->without_cause_count; i++)
        all += info->without_cause[i].results;
    if (all == 0)
        return;
    lb_doc_grouped(doc, all);
    lb_doc_puts(doc, all == 1 ? " failing result belongs to " : " failing results belong to ");
    lb_doc_puts(doc, info->fault_count > 0 ? "none of these (" : "no cause (");
    for (size_t i = 0; i < info->without_cause_count; i++) {
        lb_doc_puts(doc, i == 0 ? "" : "; ");
        lb_doc_puts(doc, info->without_cause[i].why);
        lb_doc_puts(doc, ": ");
        lb_doc_grouped(doc, info->without_cause[i].results);
    }
    lb_doc_char(doc, ')');
}
