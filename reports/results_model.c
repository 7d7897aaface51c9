/* The words of the results model and the sums of a tally. */
#include "results.h"

#include <string.h>

static const char *const verdict_names[LB_VERDICT_COUNT] = {"pass", "fail", "error", "skip", "waived"};
static const char *const opinion_names[LB_OPINION_COUNT] = {"none", "agrees", "differs"};

const char *lb_verdict_name(lb_verdict verdict)
{
    return verdict_names[verdict];
}

int lb_verdict_find(const char *name)
{
    for (int i = 0; i < LB_VERDICT_COUNT; i++) {
        if (strcmp(name, verdict_names[i]) == 0) {
            return i;
        }
    }
    return -1;
}

const char *lb_opinion_name(lb_opinion opinion)
{
    return opinion_names[opinion];
}

uint64_t lb_tally_passed(const lb_tally *tally)
{
    return tally->count[LB_PASS];
}

uint64_t lb_tally_failed(const lb_tally *tally)
{
    return tally->count[LB_FAIL] + tally->count[LB_ERROR];
}

uint64_t lb_tally_skipped(const lb_tally *tally)
{
    return tally->count[LB_SKIP] + tally->count[LB_WAIVED];
}
