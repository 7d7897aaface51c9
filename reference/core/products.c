/* The products of one output where nobody listens: see products.h. */
#include "products.h"

/* Elements of one and of two bytes, where they are. */
static inline int32_t load_8(const void *memory, size_t at)
{
    return ((const int8_t *)memory)[at];
}

static inline int32_t load_16(const void *memory, size_t at)
{
    int16_t value; /* nothing promises that it is aligned */
    memcpy(&value, (const unsigned char *)memory + 2 * at, sizeof value);
    return value;
}

/* A constant in place of the inputs. */
static inline int32_t load_constant(const void *memory, size_t at)
{
    (void)at;
    return *(const int32_t *)memory;
}

typedef enum widths { X8_W8, X16_W8, X16_W16, CONSTANT_W8, CONSTANT_W16, OTHER_WIDTHS } widths;

static bool is_8(const lb_tensor *t)
{
    return t->rank > 0 && lb_container_bits(t->el_type) == 8;
}

static bool is_16(const lb_tensor *t)
{
    return t->rank > 0 && lb_container_bits(t->el_type) == 16;
}

static widths widths_of(const lb_products *p)
{
    if (p->constant)
        return is_8(p->weights) ? CONSTANT_W8 : is_16(p->weights) ? CONSTANT_W16 : OTHER_WIDTHS;
    if (is_8(p->x) && is_8(p->weights))
        return X8_W8;
    if (is_16(p->x) && is_8(p->weights))
        return X16_W8;
    return is_16(p->x) && is_16(p->weights) ? X16_W16 : OTHER_WIDTHS;
}

/* ---- Into an accumulator ---- */

/* What lb_acc_mac_plain does to an accumulator, without what stays the same in a loop. */
typedef struct running {
    int64_t exact, low, high, folded, folded_low, folded_high;
    int64_t held, highest; /* where it saturates at every step */
    int64_t *lane;         /* partial sums, `lane_count` of them, the next one's turn */
    size_t lane_count, turn;
} running;

/* Wraps, as lb_acc_mac_plain does. */
#define ADD_TO(sum, x, w) (sum) = (int64_t)((uint64_t)(sum) + (uint64_t)((int64_t)(x) * (w)))

#define ADD_QUIET(s, x, w, zero_point) ADD_TO((s).exact, x, w)

#define ADD_WATCHED(s, x, w, zero_point)                                                           \
    do {                                                                                           \
        ADD_QUIET(s, x, w, zero_point);                                                            \
        (s).low = (s).exact < (s).low ? (s).exact : (s).low;                                       \
        (s).high = (s).exact > (s).high ? (s).exact : (s).high;                                    \
    } while (0)

#define ADD_FOLDED(s, x, w, zero_point)                                                            \
    do {                                                                                           \
        ADD_WATCHED(s, x, w, zero_point);                                                          \
        ADD_TO((s).folded, (int64_t)(x) - (zero_point), w);                                        \
        (s).folded_low = (s).folded < (s).folded_low ? (s).folded : (s).folded_low;                \
        (s).folded_high = (s).folded > (s).folded_high ? (s).folded : (s).folded_high;             \
    } while (0)

#define CLIPPED(s, sum)                                                                            \
    ((sum) > (s).highest ? (s).highest : (sum) < -(s).highest - 1 ? -(s).highest - 1 : (sum))

#define ADD_CLIPPED(s, x, w, zero_point)                                                           \
    do {                                                                                           \
        const int64_t product = (int64_t)(x) * (w), sum = (s).held + product;                      \
        ADD_TO((s).exact, x, w);                                                                   \
        (s).held = CLIPPED(s, sum);                                                                \
    } while (0)

#define ADD_IN_LANES(s, x, w, zero_point)                                                          \
    do {                                                                                           \
        const int64_t sum = (s).lane[(s).turn] + (int64_t)(x) * (w);                               \
        (s).lane[(s).turn] = CLIPPED(s, sum);                                                      \
        (s).turn = (s).turn + 1 == (s).lane_count ? 0 : (s).turn + 1;                              \
    } while (0)

/* Two loops: over the channels of one tap nothing but offsets changes. Nothing points to the copy,
 * so it is kept in registers. */
#define LOOPS(name, load_x, load_w, ADD)                                                           \
    static void name(running *to, const lb_products *p, const void *x, int32_t zero_point)         \
    {                                                                                              \
        const void *const w = p->weights->data.mem.ptr;                                            \
        const int32_t off = p->constant ? 0 : p->taken_off;                                        \
        const size_t x_step = p->x_step, w_step = p->weight_step;                                  \
        const unsigned tap_count = p->tap_count;                                                   \
        const lb_tap_offsets *const taps = p->taps;                                                \
        size_t x_at = p->first.x, w_at = p->first.weight, count = p->count;                        \
        running s = *to;                                                                           \
        (void)zero_point;                                                                          \
        if (tap_count == 1) {                                                                      \
            x_at += taps->x;                                                                       \
            w_at += taps->weight;                                                                  \
            for (; count > 0; count--, x_at += x_step, w_at += w_step)                             \
                ADD(s, load_x(x, x_at) - off, load_w(w, w_at), zero_point);                        \
        }                                                                                          \
        for (; count > 0; count--, x_at += x_step, w_at += w_step)                                 \
            for (unsigned n = 0; n < tap_count; n++)                                               \
                ADD(s, load_x(x, x_at + taps[n].x) - off, load_w(w, w_at + taps[n].weight),        \
                    zero_point);                                                                   \
        *to = s;                                                                                   \
    }

#define ALL_LOOPS(what, ADD)                                                                       \
    LOOPS(what##_8_8, load_8, load_8, ADD)                                                         \
    LOOPS(what##_16_8, load_16, load_8, ADD)                                                       \
    LOOPS(what##_16_16, load_16, load_16, ADD)                                                     \
    LOOPS(what##_constant_8, load_constant, load_8, ADD)                                           \
    LOOPS(what##_constant_16, load_constant, load_16, ADD)                                         \
    static loops *const what[] = {what##_8_8, what##_16_8, what##_16_16, what##_constant_8,        \
                                  what##_constant_16};

typedef void loops(running *to, const lb_products *p, const void *x, int32_t zero_point);
ALL_LOOPS(quiet, ADD_QUIET)
ALL_LOOPS(watched, ADD_WATCHED)
ALL_LOOPS(folded, ADD_FOLDED)
ALL_LOOPS(clipped, ADD_CLIPPED)
ALL_LOOPS(in_lanes, ADD_IN_LANES)

static const void *inputs_of(const lb_products *p, const int32_t *constant)
{
    return p->constant ? (const void *)constant : p->x->data.mem.ptr;
}

/* `width`: not OTHER_WIDTHS. */
static void add_plain(lb_acc *acc, const lb_products *p, widths width)
{
    const int32_t constant = p->constant ? (int32_t)p->constant->v : 0;
    running s = {.exact = acc->exact,
                 .low = acc->low,
                 .high = acc->high,
                 .folded = (int64_t)((uint64_t)acc->exact - (uint64_t)acc->owed),
                 .folded_low = acc->folded_low,
                 .folded_high = acc->folded_high};
    const bool folds = !acc->quiet && acc->zero_point != 0 && !acc->adds_terms;
    (acc->quiet ? quiet
     : folds    ? folded
                : watched)[width](&s, p, inputs_of(p, &constant), acc->zero_point);
    acc->macs += acc->quiet ? 0 : p->count * p->tap_count;
    acc->exact = s.exact;
    acc->low = s.low;
    acc->high = s.high;
    acc->folded_low = s.folded_low;
    acc->folded_high = s.folded_high;
    /* Terms of the zero point leave the folded sum as it is: they are what was owed. */
    if (!acc->quiet && acc->zero_point != 0)
        acc->owed = (int64_t)((uint64_t)s.exact - (uint64_t)s.folded);
}

/* An accumulator that saturates at every step, or keeps sums apart, and that nobody watches. */
static void add_clipped(lb_acc *acc, const lb_products *p, widths width)
{
    const int32_t constant = p->constant ? (int32_t)p->constant->v : 0;
    running s = {.exact = acc->exact,
                 .held = acc->held,
                 .highest = acc->highest,
                 .lane = acc->lane,
                 .lane_count = acc->lanes,
                 .turn = acc->lanes > 0 ? acc->macs % acc->lanes : 0};
    (acc->lanes > 0 ? in_lanes : clipped)[width](&s, p, inputs_of(p, &constant), 0);
    acc->macs += acc->lanes > 0 ? p->count * p->tap_count : 0;
    acc->exact = s.exact;
    acc->held = s.held;
}

/* Every accumulator, all types. */
static void add_any(lb_acc *acc, const lb_products *p)
{
    for (size_t k = 0; k < p->count; k++)
        for (unsigned n = 0; n < p->tap_count; n++) {
            const size_t x_at = p->first.x + k * p->x_step + p->taps[n].x;
            const size_t w_at = p->first.weight + k * p->weight_step + p->taps[n].weight;
            const int32_t x =
                p->constant ? (int32_t)p->constant->v : lb_load(p->x, x_at) - p->taken_off;
            lb_acc_mac(acc, x, lb_load(p->weights, w_at));
        }
}

void lb_products_add(lb_acc *acc, const lb_products *p)
{
    const widths width = widths_of(p);
    const bool are_terms =
        p->constant && acc->adds_terms && p->constant->v == -(int64_t)acc->zero_point;
    if (acc->plain && width != OTHER_WIDTHS &&
        (acc->quiet || acc->zero_point == 0 || acc->adds_terms == are_terms))
        add_plain(acc, p, width);
    else if (acc->quiet && !acc->plain && (acc->width < 64 || acc->lanes > 0) &&
             width != OTHER_WIDTHS)
        add_clipped(acc, p, width);
    else
        add_any(acc, p);
}

/* ---- In whole numbers ---- */

#define SUM_WHOLE(s, x, w)                                                                         \
    do {                                                                                           \
        const int32_t product = (x) * (w);                                                         \
        (s).products += product;                                                                   \
        (s).product_sizes += product < 0 ? -product : product;                                     \
    } while (0)

#define SUM_WITH_WEIGHTS(s, x, w)                                                                  \
    do {                                                                                           \
        SUM_WHOLE(s, x, w);                                                                        \
        (s).weights += (w);                                                                        \
        (s).weight_sizes += (w) < 0 ? -(w) : (w);                                                  \
    } while (0)

#define SUM_LOOP(name, load_x, load_w, SUM)                                                        \
    static void name(const lb_products *p, lb_whole_sums *to)                                      \
    {                                                                                              \
        const void *const x = p->x->data.mem.ptr, *const w = p->weights->data.mem.ptr;             \
        const size_t x_step = p->x_step, w_step = p->weight_step;                                  \
        lb_whole_sums s = {0, 0, 0, 0};                                                            \
        for (unsigned n = 0; n < p->tap_count; n++) {                                              \
            size_t x_at = p->first.x + p->taps[n].x, w_at = p->first.weight + p->taps[n].weight;   \
            for (size_t k = p->count; k > 0; k--, x_at += x_step, w_at += w_step) {                \
                const int32_t weight = load_w(w, w_at);                                            \
                SUM(s, load_x(x, x_at), weight);                                                   \
            }                                                                                      \
        }                                                                                          \
        *to = s;                                                                                   \
    }

SUM_LOOP(sum_8_8, load_8, load_8, SUM_WHOLE)
SUM_LOOP(sum_16_8, load_16, load_8, SUM_WHOLE)
SUM_LOOP(sum_16_16, load_16, load_16, SUM_WHOLE)
SUM_LOOP(sum_weights_8_8, load_8, load_8, SUM_WITH_WEIGHTS)
SUM_LOOP(sum_weights_16_8, load_16, load_8, SUM_WITH_WEIGHTS)
SUM_LOOP(sum_weights_16_16, load_16, load_16, SUM_WITH_WEIGHTS)

bool lb_products_sum(const lb_products *p, bool with_weights, lb_whole_sums *sums)
{
    typedef void sum_function(const lb_products *p, lb_whole_sums *to);
    static sum_function *const sum[][2] = {
        {sum_8_8, sum_weights_8_8}, {sum_16_8, sum_weights_16_8}, {sum_16_16, sum_weights_16_16}};
    const widths w = widths_of(p);
    if (w > X16_W16 || p->count > LB_WHOLE_PRODUCTS / (p->tap_count ? p->tap_count : 1))
        return false;
    sum[w][with_weights](p, sums);
    return true;
}
