/* Calls to be timed of functions whose set makes integers of scales: see operands.h. */
#include "harness/bench/operands.h"
#include "reference/describe/map.h"
#include "reference/describe/prepared_call.h"

#include <string.h>

/* ---- The configuration ---- */

/* What is no number of a scale, by its sort. */
static void set_geometry(const lb_bench_row *row, lb_call *call)
{
    for (const lb_config_field *f = lb_config_fields(call->kernel->config_kind); f->name; f++) {
        const bool of_window = f->dimension >= 0;
        const int64_t value = f->sort == LB_SORT_STEP      ? row->stride
                              : f->sort == LB_SORT_PADDING ? row->pad
                              : f->sort == LB_SORT_GAP     ? 1
                              : f->sort == LB_SORT_SIZE    ? of_window ? row->kernel : 1
                              : f->sort == LB_SORT_CHOICE  ? 64 /* the width of sums */
                                                           : 0;
        lb_config_set(&call->config, f, 0, value);
    }
}

/* ---- Shapes ---- */

static const lb_access *access_of(const lb_call *call, lb_map_access access)
{
    return &lb_map_of(call->kernel)->access[access];
}

static uint32_t side_of(const lb_bench_row *row, const lb_call *call, unsigned d)
{
    const bool is_spread = access_of(call, LB_MAP_X)->index[d].divisor.kind != LB_LEAF_NONE;
    return is_spread ? (row->in[d] - 1) * row->stride + row->kernel - 2 * row->pad
                     : (row->in[d] + 2 * row->pad - row->kernel) / row->stride + 1;
}

/* The last dimension holds channels; reduced: the two before are left out. */
static void shape_out(const lb_bench_row *row, const lb_call *call, uint32_t shape[4])
{
    memcpy(shape, row->in, 4 * sizeof shape[0]);
    for (unsigned d = 1; row->kernel > 0 && d < 3; d++)
        shape[d] = side_of(row, call, d);
    if (row->channels > 0)
        shape[row->kernel > 0 ? 3 : 1] = row->channels;
    if (lb_kernel_role(call->kernel, LB_ROLE_AXIS)) {
        shape[1] = row->in[3];
        shape[2] = shape[3] = 0;
    }
}

/* Filters along the first dimension; or along the last, one for each channel. */
static void shape_weights(const lb_bench_row *row, const lb_call *call, uint32_t shape[4])
{
    const uint32_t window[4] = {row->channels, row->kernel, row->kernel, row->in[3]},
                   dense[4] = {row->channels, row->in[1]},
                   of_channels[4] = {1, row->kernel, row->kernel, row->channels};
    const lb_leaf *filters = &access_of(call, LB_MAP_W)->index[0].term[0].times[0];
    const bool has_one = filters->kind == LB_LEAF_NUMBER && filters->at == 0;
    memcpy(shape, row->kernel == 0 ? dense : has_one ? of_channels : window, sizeof window);
}

/* ---- Numbers ---- */

/* Formats with three bits before the point (of 32 bits: more, so that none leaves them); zero
 * points of 8 bits alone. */
static lb_model_quant quant_of(uint32_t type, int coarser, float *scale)
{
    const int bits = lb_container_bits(type);
    *scale = 8;
    for (int i = 1; i < (bits < 24 ? bits : 24); i++)
        *scale /= 2;
    for (int i = 0; i < coarser; i++)
        *scale *= 2;
    return (lb_model_quant){.scales = scale, .count = 1, .zero_point = bits == 8 ? 3 : 0};
}

/* Of sums with their bias nothing leaves 32 bits. */
static void fill_bias(lb_tensor *t)
{
    const uint32_t bytes = lb_element_bytes(t->el_type);
    for (uint32_t i = 0; i < t->data.capacity_bytes / bytes; i++)
        if (bytes == sizeof(int64_t))
            ((int64_t *)t->data.mem.ptr)[i] %= 100000;
        else
            t->data.mem.pi32[i] %= 100000;
}

static int32_t *put_list(lb_arena *arena, lb_call *call, lb_role role, uint32_t count)
{
    const uint32_t shape[4] = {count};
    lb_bench_put(call, role, lb_bench_tensor(arena, LB_S32, shape));
    return call->tensor[role]->data.mem.pi32;
}

static void put_weights(const lb_bench_row *row, lb_arena *arena, lb_call *call,
                        lb_prepared_call *m)
{
    const bool is_short = call->kernel->in_type == LB_S8;
    const uint32_t flat[4] = {row->channels};
    uint32_t shape[4];
    shape_weights(row, call, shape);
    lb_bench_put(call, LB_ROLE_WEIGHTS, lb_bench_tensor(arena, LB_S8, shape));
    lb_bench_put(call, LB_ROLE_BIAS, lb_bench_tensor(arena, is_short ? LB_S32 : LB_S64, flat));
    fill_bias(call->tensor[LB_ROLE_BIAS]);
    m->channels = row->channels;
    if (lb_kernel_role(call->kernel, LB_ROLE_MULTIPLIER)) {
        m->multiplier = put_list(arena, call, LB_ROLE_MULTIPLIER, row->channels);
        m->shift = put_list(arena, call, LB_ROLE_SHIFT, row->channels);
    }
}

void lb_bench_prepare(const lb_bench_row *row, lb_arena *arena, lb_call *call)
{
    const lb_kernel *k = call->kernel;
    const lb_kernel_set *set = lb_kernel_set_of(k);
    float in_scale, weights_scale, out_scale;
    uint32_t shape[4];
    set_geometry(row, call);
    lb_prepared_call m = {.kernel = k, .config = call->config};
    m.has_alpha = set->brings(k) & LB_BRINGS_ALPHA;
    m.alpha = 0.1F;
    for (const lb_role_spec *spec = k->roles; spec->use != LB_USE_NONE; spec++)
        if (spec->role == LB_ROLE_IN || spec->role == LB_ROLE_IN1 || spec->role == LB_ROLE_IN2) {
            lb_bench_put(call, spec->role, lb_bench_tensor(arena, k->in_type, row->in));
            m.operand[spec->role] = quant_of(k->in_type, 0, &in_scale);
        }
    if (lb_kernel_role(k, LB_ROLE_AXIS)) {
        int32_t *axis = put_list(arena, call, LB_ROLE_AXIS, 2);
        axis[0] = 1;
        axis[1] = 2;
    }
    int growth = 0;
    if (row->channels > 0) {
        put_weights(row, arena, call, &m);
        const uint32_t filters = call->tensor[LB_ROLE_WEIGHTS]->shape[0];
        growth = lb_bench_growth((double)lb_element_count(call->tensor[LB_ROLE_WEIGHTS]) /
                                 (filters > 1 ? filters : row->channels));
        m.operand[LB_ROLE_WEIGHTS] = quant_of(LB_S8, 0, &weights_scale);
        m.operand[LB_ROLE_WEIGHTS].zero_point = 0;
    }
    shape_out(row, call, shape);
    lb_bench_put(call, LB_ROLE_OUT, lb_bench_tensor(arena, k->out_type, shape));
    m.operand[LB_ROLE_OUT] = quant_of(k->out_type, growth, &out_scale);
    /* Some know one format of their output, whatever is said of it. */
    if (!set->prepare(&set->profiles[0], &m) && m.wrong == LB_ROLE_OUT) {
        m.operand[LB_ROLE_OUT].count = 0;
        (void)set->prepare(&set->profiles[0], &m);
    }
    call->config = m.config;
}
