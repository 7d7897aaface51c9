/* Cases of rnn_dense, LSTM and GRU whose sums stand where a result turns into the next: of each
 * unit the bias of one gate is found with the exact model, by halving. A result turns where
 * something on the way to it turns, so that rounding, widths and tables that are off by anything
 * show. */
#include "harness/generate/random_build.h"

enum { SUMS_LEFT = 1 << 24 };

typedef struct unit_knobs {
    const lb_profile *profile;
    lb_case_tensor *bias;
    uint32_t units;
    size_t knob[LB_MOST_TURNED]; /* the entry of the bias that is turned */
} unit_knobs;

/* Results with these biases, of the first units of the output. */
static bool look_at(const lb_build *b, void *user, const int64_t *at, int32_t *results,
                    lb_arena *arena)
{
    unit_knobs *k = user;
    for (uint32_t n = 0; n < k->units; n++)
        k->bias->data.items[k->knob[n]] = (int32_t)at[n];
    return lb_build_results(b, k->profile, k->units, results, arena);
}

bool lb_random_aimed_units(lb_build *b)
{
    bool dense = lb_pattern_of(b->c->kernel) == LB_PATTERN_DENSE_LISTS;
    unit_knobs k = {.profile = &lb_profiles[lb_random_in(&b->random, 0, LB_PROFILE_COUNT - 1)]};
    if (dense)
        lb_random_rnn_dense(b);
    else
        lb_random_cell(b);
    k.bias = b->c->operand[LB_ROLE_BIAS].tensors;
    k.bias->may_be_uniform = false;
    uint32_t units = k.bias->shape[k.bias->rank - 1], gates = dense ? 1 : k.bias->shape[0];
    if (units > LB_MOST_TURNED)
        return false;
    k.units = units;
    for (uint32_t n = 0; n < units; n++)
        k.knob[n] = (size_t)lb_random_in(&b->random, 0, gates - 1) * units + n;
    const int64_t reach = k.bias->type == LB_SA32   ? INT32_MAX - SUMS_LEFT
                          : k.bias->type == LB_FX16 ? INT16_MAX
                                                    : INT8_MAX;
    return lb_random_turned(b, &(lb_turning){units, reach, false, look_at, &k});
}
