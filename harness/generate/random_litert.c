/* Made-up cases of the functions of LiteRT: shapes by family, numbers of the configuration by what
 * they are for, so that results are neither all zero nor all at a limit. What comes out undefined
 * is made anew (random_case.c). Rules: litert.2 to litert.20. */
#include "harness/generate/random_build.h"
#include "reference/describe/map.h"

#include <string.h>

typedef struct range {
    int64_t low, high;
} range;

/* ---- Numbers ---- */

static bool is_narrow(const lb_build *b)
{
    return b->c->kernel->in_type == LB_S8;
}

static int bits_of(uint32_t type)
{
    return lb_container_bits(type);
}

static range of_bits(int bits)
{
    return (range){-((int64_t)1 << (bits - 1)), ((int64_t)1 << (bits - 1)) - 1};
}

/* Of any size: as many bits as come up. */
static int64_t of_any_size(lb_build *b, range r)
{
    const int bits = lb_build_bits((uint64_t)(r.high > -r.low ? r.high : -r.low));
    const int64_t most = ((int64_t)1 << lb_build_pick(b, 1, bits < 2 ? 2 : bits)) - 1;
    return lb_random_in(&b->random, r.low > -most ? r.low : -most, r.high < most ? r.high : most);
}

static int64_t end_of(lb_build *b, range r)
{
    const int64_t ends[] = {r.low, r.high, r.low + 1, r.high - 1, 0, 1, -1};
    const int64_t v = LB_RANDOM_OF(&b->random, ends);
    return v < r.low ? r.low : v > r.high ? r.high : v;
}

/* Number i of those that follow `first`, round and round. */
static int64_t row_from(range r, int64_t first, size_t i)
{
    const uint64_t count = (uint64_t)(r.high - r.low) + 1;
    return r.low + (int64_t)(((uint64_t)(first - r.low) + i) % count);
}

/* Data of one of several kinds: the whole range, all sizes, ends, one number, one after the other.
 */
static void fill(lb_build *b, lb_case_tensor *t, range r)
{
    enum { WHOLE, SIZES, WHOLE_AGAIN, ENDS, ONE, ROW, KINDS };
    const int kind = lb_build_pick(b, 0, KINDS - 1);
    const int64_t one = kind == ROW ? lb_random_in(&b->random, r.low, r.high) : end_of(b, r);
    if (t->type != LB_S64 && (kind == WHOLE || kind == WHOLE_AGAIN)) {
        lb_build_data_in(b, t, r.low, r.high);
        return;
    }
    t->has_data = true;
    t->data.count = lb_build_count(t);
    t->data.items = lb_arena_array(b->arena, t->data.count, sizeof *t->data.items);
    if (t->type == LB_S64)
        t->data.high = lb_arena_array(b->arena, t->data.count, sizeof *t->data.high);
    for (size_t i = 0; i < t->data.count; i++) {
        const int64_t v = kind == SIZES  ? of_any_size(b, r)
                          : kind == ENDS ? end_of(b, r)
                          : kind == ONE  ? one
                          : kind == ROW  ? row_from(r, one, i)
                                         : lb_random_in(&b->random, r.low, r.high);
        if (t->type == LB_S64)
            lb_set_wide_value(&t->data, i, v);
        else
            t->data.items[i] = (int32_t)v;
    }
}

/* As conversion from real scales makes them, most of the time (litert.22). */
static int32_t multiplier(lb_build *b)
{
    static const int32_t ends[] = {1 << 30, INT32_MAX, 0, 1, INT32_MAX - 1, (1 << 30) + 1, 32767};
    if (lb_build_once_in(b, 8))
        return LB_RANDOM_OF(&b->random, ends);
    return (int32_t)lb_random_in(&b->random, lb_build_once_in(b, 12) ? 0 : 1 << 30, INT32_MAX);
}

/* A multiplier and its shift, of any two that take numbers of `from` bits to results of `to`: one
 * by which little is left of the other, too. */
typedef struct factor {
    int32_t multiplier;
    int shift;
} factor;

static factor any_factor(lb_build *b, int from, int to)
{
    factor f = {.shift = lb_build_pick(b, -31, 30)};
    const int bits = lb_build_clamp(31 + to - from - f.shift + lb_build_pick(b, -1, 1), 1, 31);
    const int64_t most = ((int64_t)1 << bits) - 1;
    f.multiplier = (int32_t)lb_random_in(&b->random, most / 2, most);
    return f;
}

/* The field of that name; NULL: the function has none. */
static const lb_config_field *field_of(const lb_build *b, const char *name)
{
    const lb_config_field *f = lb_config_fields(b->c->kernel->config_kind);
    while (f->name && strcmp(f->name, name) != 0)
        f++;
    return f->name ? f : NULL;
}

/* None of a model's operators. */
static bool is_fixed_point(const lb_kernel *kernel)
{
    return !kernel->real;
}

static void set(lb_build *b, const char *name, int64_t value)
{
    const lb_config_field *f = field_of(b, name);
    if (f)
        lb_config_set(&b->c->config, f, 0, value);
}

/* Zero points: of s16 mostly 0. */
static int64_t zero_point(lb_build *b, int bits)
{
    if (bits > 8)
        return lb_build_once_in(b, 3) ? lb_build_pick(b, -300, 300) : 0;
    return lb_build_once_in(b, 4) ? end_of(b, of_bits(8)) : lb_build_pick(b, -128, 127);
}

/* A multiplier's name, and that of its shift. */
static void set_factor(lb_build *b, const char *of_multiplier, const char *of_shift, int from)
{
    const factor f = any_factor(b, from, bits_of(b->c->kernel->out_type));
    set(b, of_multiplier, f.multiplier);
    set(b, of_shift, f.shift);
}

/* All fields, by what they are for. `shift`: about where results fit. */
static void fields(lb_build *b, int shift)
{
    const lb_kernel *kernel = b->c->kernel;
    const range all = of_bits(bits_of(kernel->out_type) > 32 ? 32 : bits_of(kernel->out_type));
    int64_t low = all.low, high = all.high;
    if (lb_build_once_in(b, 3)) {
        low = lb_random_in(&b->random, all.low, all.high / 4);
        high = lb_random_in(&b->random, low, all.high);
        high = high < 0 ? -high : high;
    }
    for (const lb_config_field *f = lb_config_fields(kernel->config_kind); f->name; f++) {
        const bool is_output = strncmp(f->name, "output", 6) == 0;
        int64_t v = 0;
        switch ((lb_sort)f->sort) {
        case LB_SORT_ZERO_POINT:
            v = zero_point(b, bits_of(is_output ? kernel->out_type : kernel->in_type));
            break;
        case LB_SORT_MULTIPLIER:
            v = multiplier(b);
            break;
        case LB_SORT_SHIFT:
            v = shift + lb_build_pick(b, -2, 2);
            break;
        case LB_SORT_LIMIT:
            v = strcmp(f->name, "activation_min") == 0 || strcmp(f->name, "zero") == 0 ? low : high;
            break;
        case LB_SORT_CHOICE: /* the width of sums */
            v = lb_build_once_in(b, 2) ? 32 : 64;
            break;
        case LB_SORT_FLAG:
            v = lb_build_once_in(b, 2);
            break;
        default:
            v = 1;
            break;
        }
        lb_config_set(&b->c->config, f, 0, v);
    }
}

static lb_case_tensor *tensor(lb_build *b, lb_role role, uint32_t type, unsigned rank,
                              const uint32_t *shape)
{
    return lb_build_tensor(b, role, lb_kernel_role(b->c->kernel, role)->use != LB_USE_INPUT,
                           (lb_el_type)type, rank, shape);
}

/* ---- Functions with weights ---- */

/* About how many bits a sum of so many products has. */
static int sum_bits(const lb_build *b, size_t macs)
{
    return (is_narrow(b) ? 12 : 19) + lb_build_bits(macs) / 2;
}

/* Lists of a multiplier and a shift for each channel, where the function has them; and the bias. */
static void add_lists(lb_build *b, uint32_t channels, int shift, int sum)
{
    lb_config *config = &b->c->config;
    const bool is_short = is_narrow(b) || config->litert.accumulator_bits == 32;
    if (lb_kernel_role(b->c->kernel, LB_ROLE_MULTIPLIER)) {
        lb_case_tensor *m = tensor(b, LB_ROLE_MULTIPLIER, LB_S32, 1, &channels);
        lb_case_tensor *s = tensor(b, LB_ROLE_SHIFT, LB_S32, 1, &channels);
        fill(b, m, (range){0, 1});
        fill(b, s, (range){0, 1});
        m->may_be_uniform = s->may_be_uniform = false;
        const bool any = lb_build_once_in(b, 6);
        for (uint32_t i = 0; i < channels; i++) {
            const factor f = any_factor(b, sum, bits_of(b->c->kernel->out_type));
            m->data.items[i] = any ? f.multiplier : multiplier(b);
            s->data.items[i] = any ? f.shift : shift + lb_build_pick(b, -2, 2);
        }
    }
    if (lb_build_once_in(b, 8))
        return;
    fill(b, tensor(b, LB_ROLE_BIAS, is_short ? LB_S32 : LB_S64, 1, &channels), of_bits(sum + 1));
}

/* Sums as large as so many products can make them, of one sign. */
static void fill_with_ends(lb_build *b)
{
    const range in = of_bits(bits_of(b->c->kernel->in_type));
    lb_case_tensor *x = b->c->operand[LB_ROLE_IN].tensors,
                   *w = b->c->operand[LB_ROLE_WEIGHTS].tensors;
    const int64_t end = lb_build_once_in(b, 2) ? in.low : in.high;
    lb_build_data_in(b, x, end, end);
    lb_build_data_in(b, w, -127, -127);
    set(b, "input_offset", end < 0 ? -127 : 128);
}

static void finish_weights(lb_build *b, uint32_t channels, size_t macs)
{
    const bool is_short = is_narrow(b) || b->c->config.litert.accumulator_bits == 32;
    const int least = sum_bits(b, macs), most = is_short ? 30 : 45;
    const int sum = lb_build_once_in(b, 4) ? lb_build_pick(b, least, most) : least;
    const int shift = bits_of(b->c->kernel->out_type) - 1 - sum;
    set(b, "shift", shift + lb_build_pick(b, -2, 2));
    if (lb_build_once_in(b, 6))
        set_factor(b, "multiplier", "shift", sum);
    /* int8 weights have none, most of the time */
    set(b, "weights_offset", lb_build_once_in(b, 2) ? 0 : -zero_point(b, 8));
    add_lists(b, channels, shift, sum);
    if (lb_build_once_in(b, 8)) {
        fill_with_ends(b);
        return;
    }
    fill(b, b->c->operand[LB_ROLE_IN].tensors, of_bits(bits_of(b->c->kernel->in_type)));
    fill(b, b->c->operand[LB_ROLE_WEIGHTS].tensors,
         lb_build_once_in(b, 3) ? of_bits(8) : (range){-127, 127});
}

static void make_conv(lb_build *b)
{
    fields(b, 0);
    const size_t products = lb_random_window(b);
    b->c->operand[LB_ROLE_WEIGHTS].tensors->type = LB_S8;
    finish_weights(b, b->c->operand[LB_ROLE_OUT].tensors->shape[3], products);
}

static void make_fully_connected(lb_build *b)
{
    const lb_kernel *kernel = b->c->kernel;
    const bool is_long = !b->options->small && lb_build_once_in(b, 6);
    const uint32_t inputs =
        is_long ? (uint32_t)lb_build_pick(b, 257, 600) : lb_build_extent(b, 300);
    const uint32_t units = lb_build_extent(b, is_long ? 5 : 300);
    const unsigned rank = (unsigned)lb_build_pick(b, 1, lb_build_once_in(b, 2) ? 4 : 2);
    uint32_t in[4], out[4], weights[] = {units, inputs};
    for (unsigned d = 0; d + 1 < rank; d++)
        in[d] = out[d] = lb_build_once_in(b, 2) ? 1 : lb_build_side(b, 1, rank > 2 ? 3 : 5);
    in[rank - 1] = inputs;
    out[rank - 1] = units;
    fields(b, 0);
    tensor(b, LB_ROLE_IN, kernel->in_type, rank, in);
    tensor(b, LB_ROLE_WEIGHTS, LB_S8, 2, weights);
    finish_weights(b, units, inputs);
    tensor(b, LB_ROLE_OUT, kernel->out_type, rank, out);
}

static void make_pool(lb_build *b)
{
    fields(b, 0);
    lb_random_window(b);
    fill(b, b->c->operand[LB_ROLE_IN].tensors, of_bits(bits_of(b->c->kernel->in_type)));
}

/* ---- Element by element ---- */

static unsigned any_shape(lb_build *b, uint32_t shape[4], uint32_t last)
{
    const unsigned rank = (unsigned)lb_build_pick(b, 1, 4);
    for (unsigned d = 0; d < rank; d++)
        shape[d] = d + 1 == rank ? lb_build_extent(b, last) : lb_build_side(b, 1, 4);
    return rank;
}

/* Inputs of the element-wise fixed-point functions, as far as they are defined. */
static range domain_of(const lb_build *b)
{
    const char *name = b->c->kernel->name + strlen("litert_");
    static const struct {
        const char *name;
        range domain;
    } rows[] = {{"exp_on", {-(int64_t)INT32_MAX - 1, 0}},
                {"one_", {0, INT32_MAX}},
                {"logistic_q4", {-(int64_t)INT32_MAX, INT32_MAX}},
                {"tanh_q4", {-(int64_t)INT32_MAX, INT32_MAX}},
                {"reciprocal", {1, INT32_MAX}},
                {"inverse", {0, INT32_MAX}},
                {"scale_s64", {1 - ((int64_t)1 << 47), ((int64_t)1 << 47) - 1}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strncmp(name, rows[i].name, strlen(rows[i].name)) == 0)
            return rows[i].domain;
    return of_bits(bits_of(b->c->kernel->in_type));
}

/* Numbers that leave room for the shift to the left. */
static range with_room(range r, int32_t shift)
{
    const int room = shift > 0 ? shift : 0;
    return (range){r.low / ((int64_t)1 << room), r.high / ((int64_t)1 << room)};
}

/* Multipliers and shifts of any size; of sums none to the left. */
static void set_any_factors(lb_build *b, int from, int most)
{
    static const char *const names[][2] = {{"output_multiplier", "output_shift"},
                                           {"input1_multiplier", "input1_shift"},
                                           {"input2_multiplier", "input2_shift"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        factor f = any_factor(b, from, i == 0 ? bits_of(b->c->kernel->out_type) : from);
        set(b, names[i][0], f.shift > most ? multiplier(b) : f.multiplier);
        set(b, names[i][1], f.shift > most ? most - lb_build_pick(b, 0, 3) : f.shift);
    }
}

static void make_two(lb_build *b)
{
    const lb_kernel *kernel = b->c->kernel;
    const int bits = bits_of(kernel->in_type), out = bits_of(kernel->out_type);
    const int left = bits == 8 ? 20 : 15;
    const bool is_pure = is_fixed_point(kernel);
    const bool scales = !is_pure && !field_of(b, "left_shift"); /* a product */
    uint32_t shape[4], other[4], whole[4];
    const unsigned rank = any_shape(b, shape, 65);
    for (unsigned d = 0; d < rank; d++) {
        const bool repeats = !is_pure && lb_build_once_in(b, 4), first = lb_build_once_in(b, 2);
        whole[d] = shape[d];
        other[d] = repeats && first ? 1 : shape[d];
        shape[d] = repeats && !first ? 1 : shape[d];
    }
    fields(b, scales ? out - 2 * bits + 1 : 0);
    const int widened = lb_build_once_in(b, 4) ? lb_build_pick(b, 0, bits == 8 ? 23 : 15) : left;
    set(b, "left_shift", widened);
    set(b, "input1_shift", lb_build_pick(b, -4, 0));
    set(b, "input2_shift", lb_build_pick(b, -4, 0));
    if (!scales)
        set(b, "output_shift", lb_build_clamp(-widened + lb_build_pick(b, -1, 2), -31, 0));
    if (lb_build_once_in(b, 4))
        set_any_factors(b, scales ? 2 * bits : bits + left, scales ? 30 : 0);
    const unsigned from = !is_pure && rank > 1 && other[0] == 1 && lb_build_once_in(b, 2) ? 1 : 0;
    fill(b, tensor(b, LB_ROLE_IN1, kernel->in_type, rank, shape), of_bits(bits));
    fill(b, tensor(b, LB_ROLE_IN2, kernel->in_type, rank - from, other + from), of_bits(bits));
    tensor(b, LB_ROLE_OUT, kernel->out_type, rank, whole);
}

static void make_one(lb_build *b)
{
    const lb_kernel *kernel = b->c->kernel;
    uint32_t shape[4];
    const unsigned rank = any_shape(b, shape, 300);
    const int in = bits_of(kernel->in_type), out = bits_of(kernel->out_type);
    const bool is_pure = is_fixed_point(kernel);
    fields(b, out - (in > 32 ? 32 : in));
    if (!is_pure && lb_build_once_in(b, 3)) {
        set_factor(b, "multiplier", "shift", in);
        set_factor(b, "alpha_multiplier", "alpha_shift", in);
        set_factor(b, "identity_multiplier", "identity_shift", in);
    }
    range r = domain_of(b);
    if (is_pure) {
        const char *name = kernel->name;
        const int shift = strstr(name, "smaller")   ? lb_build_pick(b, -31, 0)
                          : strstr(name, "greater") ? lb_build_pick(b, 0, 30)
                          : strstr(name, "s64")     ? lb_build_pick(b, -31, 7)
                                                    : lb_build_pick(b, -31, 30);
        set(b, "shift", shift);
        set(b, "exponent", lb_build_pick(b, 0, 31));
        r = with_room(r, strstr(name, "s64") ? 17 + shift : shift);
        if (r.low == r.high)
            r = (range){-1, 1};
    }
    fill(b, tensor(b, LB_ROLE_IN, kernel->in_type, rank, shape), r);
    for (const lb_role_spec *spec = kernel->roles; spec->use != LB_USE_NONE; spec++)
        if (spec->use == LB_USE_OUTPUT)
            tensor(b, spec->role, spec->role == LB_ROLE_OUT ? kernel->out_type : LB_S32, rank,
                   shape);
}

/* Fields of a sort of which the function says more. */
static void put_usual(lb_build *b, lb_sort sort)
{
    for (const lb_config_field *f = lb_config_fields(b->c->kernel->config_kind); f->name; f++) {
        const range whole = {f->whole[0], f->whole[1]};
        if (f->sort != sort || whole.low == whole.high)
            continue;
        lb_config_set(&b->c->config, f, 0,
                      !lb_build_once_in(b, 6)      ? lb_build_pick(b, f->usual[0], f->usual[1])
                      : sort == LB_SORT_MULTIPLIER ? end_of(b, whole)
                                                   : lb_build_pick(b, f->whole[0], f->whole[1]));
    }
}

/* Slopes and radii. */
static void make_activation(lb_build *b)
{
    const int left = lb_build_pick(b, 16, 27);
    make_one(b);
    if (lb_build_once_in(b, 2)) {
        set(b, "alpha_shift", lb_build_pick(b, -6, 1));
        set(b, "identity_shift", lb_build_pick(b, -2, 2));
    }
    if (lb_build_once_in(b, 3))
        set(b, "alpha_multiplier", -(int64_t)b->c->config.litert.alpha_multiplier);
    if (field_of(b, "input_multiplier")) {
        if (is_narrow(b)) {
            set(b, "input_left_shift", left);
            set(b, "input_range_radius",
                lb_random_in(&b->random, 1, ((int64_t)1 << (31 - left)) - 1));
        } else {
            const bool has_none = lb_build_once_in(b, 3);
            set(b, "input_multiplier", has_none ? 0 : lb_build_pick(b, 1, 65535));
            set(b, "input_left_shift", lb_build_pick(b, 0, has_none ? 3 : 14));
        }
    }
    put_usual(b, LB_SORT_MULTIPLIER);
    put_usual(b, LB_SORT_SHIFT);
}

/* ---- Rows and dimensions ---- */

static bool sums_rows(const lb_kernel *kernel)
{
    return kernel->map->loops > kernel->map->outer;
}

static void make_softmax(lb_build *b)
{
    make_one(b);
    if (!is_narrow(b)) {
        set(b, "input_left_shift", lb_build_pick(b, -3, 1));
        if (lb_build_once_in(b, 2))
            set(b, "input_left_shift", lb_build_pick(b, -31, 20));
        return;
    }
    const int left = lb_build_pick(b, 20, 28);
    set(b, "input_left_shift", left);
    set(b, "diff_min",
        lb_build_once_in(b, 3) ? -lb_build_pick(b, 0, 1 << (31 - left)) : -(1 << (31 - left)) + 1);
}

static void make_mean(lb_build *b)
{
    const lb_kernel *kernel = b->c->kernel;
    uint32_t shape[4], kept[4];
    const unsigned rank = any_shape(b, shape, 65);
    const uint32_t count = (uint32_t)lb_build_pick(b, 1, (int)rank);
    uint8_t order[4];
    lb_build_permutation(b, order, rank);
    fields(b, 0);
    fill(b, tensor(b, LB_ROLE_IN, kernel->in_type, rank, shape), of_bits(bits_of(kernel->in_type)));
    /* Entries may be there twice (litert.19). */
    const uint32_t entries =
        lb_build_once_in(b, 6) ? count * (uint32_t)lb_build_pick(b, 2, 9) : count;
    lb_case_tensor *axis = tensor(b, LB_ROLE_AXIS, LB_S32, 1, &entries);
    fill(b, axis, (range){0, 1});
    axis->may_be_uniform = false;
    unsigned kept_rank = 0;
    size_t summed = 1;
    const bool keeps = lb_build_once_in(b, 2);
    for (uint32_t i = 0; i < entries; i++)
        axis->data.items[i] = order[i % count] - (lb_build_once_in(b, 4) ? (int32_t)rank : 0);
    for (unsigned d = 0; d < rank; d++) {
        bool is_listed = false;
        for (uint32_t i = 0; i < count; i++)
            is_listed = is_listed || order[i] == d;
        summed *= is_listed ? shape[d] : 1;
        if (!is_listed || keeps)
            kept[kept_rank++] = is_listed ? 1 : shape[d];
    }
    if (kept_rank == 0)
        kept[kept_rank++] = 1;
    if (b->c->config.litert.sum)
        set(b, "shift", lb_build_pick(b, -1, 2) - lb_build_bits(summed) / 2);
    if (lb_build_once_in(b, 3))
        set_factor(b, "multiplier", "shift", bits_of(kernel->in_type) + lb_build_bits(summed) / 2);
    tensor(b, LB_ROLE_OUT, kernel->out_type, kept_rank, kept);
}

void lb_random_litert(lb_build *b)
{
    const lb_kernel *kernel = b->c->kernel;
    const bool has_window = field_of(b, "stride_height");
    if (lb_kernel_role(kernel, LB_ROLE_WEIGHTS))
        (has_window ? make_conv : make_fully_connected)(b);
    else if (has_window)
        make_pool(b);
    else if (lb_kernel_role(kernel, LB_ROLE_AXIS))
        make_mean(b);
    else if (lb_kernel_role(kernel, LB_ROLE_IN2))
        make_two(b);
    else if (is_fixed_point(kernel))
        make_one(b);
    else
        (field_of(b, "input_multiplier") && sums_rows(kernel) ? make_softmax : make_activation)(b);
}
