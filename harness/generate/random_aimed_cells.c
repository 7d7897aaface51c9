/* Cases of rnn_dense, LSTM and GRU whose sums stand where a result turns into the next: of each
 * unit the bias of one gate is found with the exact model, by halving. A result turns where
 * something on the way to it turns, so that rounding, widths and tables that are off by anything
 * show. */
#include "harness/call/model.h"
#include "harness/generate/random_build.h"

#include <string.h>

enum { MOST_UNITS = 64, HALVINGS = 33, SUMS_LEFT = 1 << 24 };

typedef struct unit_knobs {
    const lb_profile *profile;
    lb_case_tensor *bias;
    uint32_t units;
    size_t knob[MOST_UNITS]; /* the entry of the bias that is turned */
    int64_t reach;
} unit_knobs;

/* Results with these biases, of the first units of the output. False: the exact model computes
 * nothing. */
static bool look_at(const lb_build *b, unit_knobs *k, const int64_t *at, int32_t *results,
                    lb_arena *arena)
{
    for (uint32_t n = 0; n < k->units; n++)
        k->bias->data.items[k->knob[n]] = (int32_t)at[n];
    return lb_build_results(b, k->profile, k->units, results, arena);
}

/* Between two biases with results on either side of the wanted one, wherever results go on the way,
 * halving ends at two neighbours that are so too. */
static bool halve(lb_build *b, unit_knobs *k, int64_t *below, int64_t *above, lb_arena *arena)
{
    int32_t lowest[MOST_UNITS], highest[MOST_UNITS], wanted[MOST_UNITS], got[MOST_UNITS];
    int64_t middle[MOST_UNITS] = {0};
    for (uint32_t n = 0; n < k->units; n++) {
        below[n] = -k->reach;
        above[n] = k->reach;
    }
    if (!look_at(b, k, below, lowest, arena) || !look_at(b, k, above, highest, arena))
        return false;
    for (uint32_t n = 0; n < k->units; n++) {
        bool falls = lowest[n] > highest[n];
        int32_t low = falls ? highest[n] : lowest[n], high = falls ? lowest[n] : highest[n];
        wanted[n] = low < high ? (int32_t)lb_random_in(&b->random, low + 1, high) : high;
        below[n] = falls ? k->reach : -k->reach;
        above[n] = -below[n];
    }
    for (int halving = 0; halving < HALVINGS; halving++) {
        for (uint32_t n = 0; n < k->units; n++)
            middle[n] = below[n] + (above[n] - below[n]) / 2;
        if (!look_at(b, k, middle, got, arena))
            return false;
        for (uint32_t n = 0; n < k->units; n++)
            *(got[n] >= wanted[n] ? &above[n] : &below[n]) = middle[n];
    }
    return true;
}

bool lb_random_aimed_units(lb_build *b)
{
    bool dense = b->c->kernel->family == LB_FAMILY_RNN_DENSE;
    unit_knobs k = {.profile = &lb_profiles[lb_random_in(&b->random, 0, LB_PROFILE_COUNT - 1)]};
    int64_t below[MOST_UNITS], above[MOST_UNITS];
    int32_t results[MOST_UNITS];
    if (dense)
        lb_random_rnn_dense(b);
    else
        lb_random_cell(b);
    k.bias = b->c->operand[LB_ROLE_BIAS].tensors;
    k.bias->may_be_uniform = false;
    uint32_t units = k.bias->shape[k.bias->rank - 1], gates = dense ? 1 : k.bias->shape[0];
    if (units > MOST_UNITS)
        return false;
    k.units = units;
    for (uint32_t n = 0; n < units; n++)
        k.knob[n] = (size_t)lb_random_in(&b->random, 0, gates - 1) * units + n;
    k.reach = k.bias->type == LB_SA32   ? INT32_MAX - SUMS_LEFT
              : k.bias->type == LB_FX16 ? INT16_MAX
                                        : INT8_MAX;
    lb_arena arena = {0};
    bool aimed = halve(b, &k, below, above, &arena);
    for (uint32_t n = 0; n < units && aimed; n++)
        below[n] = lb_random_once_in(&b->random, 2) ? below[n] : above[n];
    aimed = aimed && look_at(b, &k, below, results, &arena);
    lb_arena_free(&arena);
    return aimed;
}
