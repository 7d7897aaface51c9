/* The decoder: `data` as a generator object. What each generator gives: data_generator.h and
 * vectors/FORMAT.md. */
#include "harness/suite/data_generator.h"
#include "harness/suite/decode.h"

#include <float.h>
#include <string.h>

enum {
    G_GENERATOR,
    G_SEED,
    G_LOW,
    G_HIGH,
    G_VALUE,
    G_VALUES,
    G_START,
    G_STEP,
    G_INDEX,
    G_REST,
    G_KEY_COUNT
};

static const lb_key generator_keys[] = {{"generator", true}, {"seed", false},  {"low", false},
                                        {"high", false},     {"value", false}, {"values", false},
                                        {"start", false},    {"step", false},  {"index", false},
                                        {"rest", false},     {NULL, false}};

typedef struct generator {
    lb_el_type type;
    size_t count;
    uint64_t seed;
    int32_t low, high;          /* containers */
    double real_low, real_high; /* fp32 */
    int32_t value, rest;        /* of constant and one_hot */
    lb_values values;           /* of alternate and choice */
    int32_t start;              /* of ramp */
    int64_t step;
    double real_start, real_step;
    int64_t index; /* of one_hot */
} generator;

static int32_t make_uniform(const generator *g, size_t i)
{
    if (g->type == LB_FP32)
        return lb_bits_of_real(lb_generate_uniform_real(g->seed, i, g->real_low, g->real_high));
    return lb_generate_uniform(g->seed, i, g->low, g->high);
}

static int32_t make_constant(const generator *g, size_t i)
{
    (void)i;
    return g->value;
}

static int32_t make_ramp(const generator *g, size_t i)
{
    if (g->type == LB_FP32)
        return lb_bits_of_real(lb_generate_ramp_real(i, g->real_start, g->real_step));
    return lb_generate_ramp(i, g->start, g->step, g->low, g->high);
}

static int32_t make_alternate(const generator *g, size_t i)
{
    return g->values.items[i % g->values.count];
}

static int32_t make_choice(const generator *g, size_t i)
{
    return g->values.items[lb_generate_below(lb_generate_word(g->seed, i), g->values.count)];
}

static int32_t make_one_hot(const generator *g, size_t i)
{
    return (int64_t)i == g->index ? g->value : g->rest;
}

static int32_t make_unique(const generator *g, size_t i)
{
    return lb_generate_unique(g->seed, i, g->low, g->high);
}

/* Keys that each generator takes, as sets of bits; `needs` are those without a default. */
#define K(key) (1u << (G_##key))
static const struct {
    const char *name;
    unsigned takes, needs;
    int32_t (*make)(const generator *g, size_t i);
} generators[] = {
    {"uniform", K(SEED) | K(LOW) | K(HIGH), K(SEED), make_uniform},
    {"constant", K(VALUE), K(VALUE), make_constant},
    {"ramp", K(START) | K(STEP) | K(LOW) | K(HIGH), 0, make_ramp},
    {"alternate", K(VALUES), K(VALUES), make_alternate},
    {"choice", K(SEED) | K(VALUES), K(SEED) | K(VALUES), make_choice},
    {"one_hot", K(INDEX) | K(VALUE) | K(REST), K(INDEX), make_one_hot},
    {"unique", K(SEED) | K(LOW) | K(HIGH), K(SEED), make_unique},
};
#undef K
enum { GENERATOR_COUNT = sizeof generators / sizeof generators[0] };

static bool read_generator_name(lb_decoder *d, const cJSON *node, unsigned *which)
{
    const char *names[GENERATOR_COUNT + 1] = {NULL};
    for (unsigned i = 0; i < GENERATOR_COUNT; i++)
        names[i] = generators[i].name;
    return lb_read_choice(d, node, names, which);
}

static void check_keys(lb_decoder *d, const cJSON *node, const cJSON **slots, unsigned which)
{
    for (unsigned k = G_SEED; k < G_KEY_COUNT; k++) {
        const char *key = generator_keys[k].name;
        if (slots[k] && !(generators[which].takes & 1u << k))
            lb_complain_key(d, slots[k], "", "the generator \"%s\" has no \"%s\"",
                            generators[which].name, key);
        else if (!slots[k] && generators[which].needs & 1u << k)
            lb_complain(d, node, key, "", "the key is missing: the generator \"%s\" needs it",
                        generators[which].name);
    }
}

/* A finite number that fp32 can hold, kept as the binary64 it was read as. */
static void read_real_bound(lb_decoder *d, const cJSON *node, double *value)
{
    int32_t bits;
    if (!node)
        return;
    if (!cJSON_IsNumber(node))
        lb_complain(d, node, NULL, "", "expected a number, found %s", lb_describe(node).text);
    else if (lb_read_element(d, node, LB_FP32, &bits))
        *value = node->valuedouble;
}

static void read_range(lb_decoder *d, const cJSON **slots, generator *g)
{
    int64_t low, high;
    lb_container_range(g->type, &low, &high);
    g->low = (int32_t)low;
    g->high = (int32_t)high;
    g->real_low = -1;
    g->real_high = 1;
    if (g->type == LB_FP32) {
        read_real_bound(d, slots[G_LOW], &g->real_low);
        read_real_bound(d, slots[G_HIGH], &g->real_high);
    } else {
        if (slots[G_LOW])
            lb_read_element(d, slots[G_LOW], g->type, &g->low);
        if (slots[G_HIGH])
            lb_read_element(d, slots[G_HIGH], g->type, &g->high);
    }
    bool upside_down = g->type == LB_FP32 ? g->real_low > g->real_high : g->low > g->high;
    if (upside_down && (slots[G_LOW] || slots[G_HIGH]))
        lb_complain(d, slots[G_LOW] ? slots[G_LOW] : slots[G_HIGH], NULL, "", "low is above high");
}

static void read_ramp(lb_decoder *d, const cJSON *node, const cJSON **slots, generator *g)
{
    g->start = g->low;
    g->step = 1;
    g->real_step = 1;
    if (g->type == LB_FP32) {
        for (unsigned k = G_LOW; k <= G_HIGH; k++)
            if (slots[k])
                lb_complain_key(d, slots[k], "", "a ramp of fp32 does not wrap: no \"%s\"",
                                generator_keys[k].name);
        read_real_bound(d, slots[G_START], &g->real_start);
        read_real_bound(d, slots[G_STEP], &g->real_step);
        double last = g->real_start + g->real_step * (double)g->count;
        if (!(last > -FLT_MAX && last < FLT_MAX))
            lb_complain(d, node, NULL, "", "the ramp leaves the range of fp32");
        return;
    }
    if (slots[G_STEP])
        lb_read_integer(d, slots[G_STEP], -(int64_t)UINT32_MAX, UINT32_MAX, "step", &g->step);
    int64_t start = g->start;
    if (slots[G_START] && g->low <= g->high &&
        lb_read_integer(d, slots[G_START], g->low, g->high, "low..high", &start))
        g->start = (int32_t)start;
}

static void read_value(lb_decoder *d, const cJSON *node, lb_el_type type, int32_t *value)
{
    if (node)
        lb_read_element(d, node, type, value);
}

static void read_generator_keys(lb_decoder *d, const cJSON *node, const cJSON **slots,
                                unsigned which, generator *g)
{
    int64_t seed = 0;
    if (slots[G_SEED] &&
        lb_read_integer(d, slots[G_SEED], 0, LB_MAX_EXACT_INTEGER - 1, "seed", &seed))
        g->seed = (uint64_t)seed;
    read_range(d, slots, g);
    g->value = g->type == LB_FP32 ? lb_bits_of_real(1.0f) : g->high;
    read_value(d, slots[G_VALUE], g->type, &g->value);
    read_value(d, slots[G_REST], g->type, &g->rest);
    if (slots[G_VALUES] && lb_read_data(d, slots[G_VALUES], g->type, &g->values) &&
        g->values.count == 0)
        lb_complain(d, slots[G_VALUES], NULL, "at least one value", "a list of 0 entries");
    if (slots[G_INDEX])
        lb_read_integer(d, slots[G_INDEX], 0, g->count ? (int64_t)g->count - 1 : 0,
                        "elements of the tensor", &g->index);
    if (generators[which].make == make_ramp)
        read_ramp(d, node, slots, g);
    uint64_t codes = (uint64_t)((int64_t)g->high - g->low) + 1;
    if (generators[which].make == make_unique && g->type == LB_FP32)
        lb_complain(d, node, NULL, "use \"uniform\"", "\"unique\" has no meaning for fp32");
    else if (generators[which].make == make_unique && g->count > codes && g->low <= g->high)
        lb_complain(d, node, NULL, "a wider range or a smaller tensor",
                    "%zu elements cannot all differ in %d..%d: %llu codes", g->count, g->low,
                    g->high, (unsigned long long)codes);
}

/* After so many elements they begin anew. */
static size_t period_of(const generator *g, unsigned which)
{
    if (generators[which].make == make_constant)
        return 1;
    return generators[which].make == make_alternate ? g->values.count : SIZE_MAX;
}

/* The first `have` elements again and again, up to `count`. */
static void repeat(int32_t *items, size_t have, size_t count)
{
    while (have > 0 && have < count) {
        size_t more = count - have < have ? count - have : have;
        memcpy(items + have, items, more * sizeof *items);
        have += more;
    }
}

bool lb_read_generator(lb_decoder *d, const cJSON *node, lb_el_type type, size_t count,
                       lb_values *values)
{
    const cJSON *slots[G_KEY_COUNT];
    generator g = {.type = type, .count = count};
    unsigned which;
    unsigned found = d->found;
    if (!lb_read_members(d, node, generator_keys, slots) ||
        !read_generator_name(d, slots[G_GENERATOR], &which))
        return false;
    check_keys(d, node, slots, which);
    if (d->found == found)
        read_generator_keys(d, node, slots, which, &g);
    if (d->found != found)
        return false;
    values->items = lb_arena_array(d->arena, count, sizeof *values->items);
    values->count = count;
    const size_t period = period_of(&g, which), first = period < count ? period : count;
    for (size_t i = 0; i < first; i++)
        values->items[i] = generators[which].make(&g, i);
    repeat(values->items, first, count);
    return true;
}
