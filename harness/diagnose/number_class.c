/* Classes of numbers at which a cast is wrong: ties, subnormal numbers, NaN. */
#include "harness/diagnose/few_values.h"
#include "reference/mli/float4_function.h"

#include <math.h>

/* A number that was met: as it went in, as it should come out, as it came. */
typedef struct number {
    const lb_float4_function *cast;
    uint32_t in_bits, right_bits;
    double in, right, got;
    bool is_negative;
} number;

static bool is_any(const number *n)
{
    (void)n;
    return true;
}

static bool is_nan(const number *n)
{
    return isnan(n->in);
}

static bool is_infinite(const number *n)
{
    return isinf(n->in);
}

static bool is_zero(const number *n)
{
    return n->in == 0;
}

static bool is_subnormal(const number *n)
{
    static const unsigned mantissa_bits[LB_FLOAT_TYPE_COUNT] = {
        [LB_FLOAT32] = 23,      [LB_FLOAT16] = 10,    [LB_BFLOAT16] = 7,
        [LB_FLOAT8_E4M3FN] = 3, [LB_FLOAT8_E5M2] = 2, [LB_FLOAT4_E2M1] = 1};
    double normal = lb_float_value(n->cast->from, UINT32_C(1) << mantissa_bits[n->cast->from]);
    return n->in != 0 && fabs(n->in) < normal;
}

/* It lies in the middle between its result and a neighbour of that. */
static bool is_tie(const number *n)
{
    double off = fabs(n->in - n->right);
    for (int step = -1; step <= 1; step += 2) {
        double other = lb_float_value(n->cast->to, n->right_bits + (uint32_t)step);
        if (isfinite(n->in) && off > 0 && isfinite(other) && fabs(n->in - other) == off)
            return true;
    }
    return false;
}

static bool is_tie_down(const number *n)
{
    return is_tie(n) && fabs(n->right) < fabs(n->in);
}

static bool is_tie_up(const number *n)
{
    return is_tie(n) && fabs(n->right) > fabs(n->in);
}

static bool is_lost(const number *n)
{
    return n->right == 0 && n->in != 0;
}

static bool is_too_large(const number *n)
{
    double beyond = lb_float_value(n->cast->to, n->right_bits + 1);
    return isfinite(n->in) && fabs(n->in) > fabs(n->right) &&
           !(isfinite(beyond) && fabs(beyond) > fabs(n->right));
}

static bool is_rounded(const number *n)
{
    return isfinite(n->in) && n->in != n->right;
}

static bool is_exact(const number *n)
{
    return isfinite(n->in) && n->in == n->right;
}

typedef struct number_class {
    bool (*has)(const number *n);
    const char *words;
} number_class;

/* The narrowest first. */
static const number_class classes[] = {
    {is_nan, "NaN"},
    {is_infinite, "infinity"},
    {is_zero, "zero"},
    {is_tie, "ties: numbers in the middle between two results"},
    {is_tie_down, "ties whose even neighbour is the one nearer to zero"},
    {is_tie_up, "ties whose even neighbour is the one farther from zero"},
    {is_subnormal, "subnormal numbers"},
    {is_lost, "numbers that round to zero"},
    {is_too_large, "numbers beyond the largest result"},
    {is_rounded, "numbers that have to be rounded"},
    {is_exact, "numbers that the result can hold exactly"},
    {is_any, "numbers"},
};

enum { ANY_SIGN, NEGATIVE, POSITIVE, SIGNS };

static const char *const sign_words[SIGNS] = {
    [ANY_SIGN] = "", [NEGATIVE] = "negative ", [POSITIVE] = "positive "};

static bool has_sign(const number *n, int sign)
{
    return sign == ANY_SIGN || (sign == NEGATIVE) == n->is_negative;
}

static double value_of(lb_float_type type, int32_t container, unsigned bytes, uint32_t *bits)
{
    *bits = (uint32_t)container & (bytes < 4 ? (UINT32_C(1) << 8 * bytes) - 1 : UINT32_MAX);
    return lb_float_value(type, *bits);
}

static bool is_negative(lb_float_type type, uint32_t bits)
{
    return lb_float_unpack(type, bits).negative;
}

static number number_of(const lb_float4_function *cast, const lb_value_met *v)
{
    uint32_t got;
    number n = {.cast = cast};
    n.in = value_of(cast->from, v->in, lb_storage_bytes(cast->in_type), &n.in_bits);
    n.right = value_of(cast->to, v->right, lb_storage_bytes(cast->out_type), &n.right_bits);
    n.got = value_of(cast->to, v->got, lb_storage_bytes(cast->out_type), &got);
    n.is_negative = is_negative(cast->from, n.in_bits);
    return n;
}

/* The wrong numbers are those of the class, and no others: how many; 0: they are not. */
static size_t count_of_class(const lb_few_values *few, const lb_float4_function *cast,
                             const number_class *class, int sign)
{
    size_t wrong = 0, others = 0;
    for (size_t i = 0; i < LB_VALUE_PLACES; i++) {
        const lb_value_met *v = &few->table[i];
        if (!v->is_used)
            continue;
        number n = number_of(cast, v);
        bool is_in = class->has(&n) && has_sign(&n, sign);
        if (is_in != v->is_wrong)
            return 0;
        wrong += is_in;
        others += !is_in;
    }
    return others > 0 ? wrong : 0;
}

/* How all wrong results lie to the right ones. */
enum { TURNED, ZERO, LARGER, SMALLER, ANYHOW, CHANGES };

static const char *const change_words[CHANGES] = {", and gives the other sign", ", and gives 0",
                                                  ", and gives a result farther from zero",
                                                  ", and gives a result nearer to zero", ""};

static int change_of(const lb_few_values *few, const lb_float4_function *cast)
{
    bool zero = true, turned = true, larger = true, smaller = true;
    for (size_t i = 0; i < LB_VALUE_PLACES; i++) {
        const lb_value_met *v = &few->table[i];
        number n = {.cast = NULL};
        if (!v->is_used || !v->is_wrong)
            continue;
        n = number_of(cast, v);
        zero = zero && n.got == 0;
        turned = turned && n.got == -n.right && signbit(n.got) != signbit(n.right);
        larger = larger && fabs(n.got) > fabs(n.right);
        smaller = smaller && fabs(n.got) < fabs(n.right);
    }
    return turned ? TURNED : zero ? ZERO : larger ? LARGER : smaller ? SMALLER : ANYHOW;
}

const char *lb_few_values_class(const lb_few_values *few, const lb_case *c, lb_arena *arena,
                                int32_t shown[LB_SHOWN_NUMBERS])
{
    const lb_float4_function *cast = c && c->kernel ? lb_float4_function_of(c->kernel) : NULL;
    if (few->is_contradicted || few->wrong == 0 || !cast || cast->kind != LB_FLOAT4_CAST)
        return NULL;
    for (size_t k = 0; k < sizeof classes / sizeof *classes; k++)
        for (int sign = 0; sign < SIGNS; sign++)
            if (count_of_class(few, cast, &classes[k], sign) > 0) {
                const int change = change_of(few, cast);
                shown[0] = (int32_t)k;
                shown[1] = sign;
                shown[2] = change;
                return lb_arena_printf(arena, "is wrong at %s%s alone%s", sign_words[sign],
                                       classes[k].words, change_words[change]);
            }
    return NULL;
}
