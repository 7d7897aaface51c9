/* A deviant: kernels in numerics of their own, for the tests of `lastbit characterize`. The
 * environment says which. Written from the formulas of reference/mli/spec alone; it shares no code
 * with the models. */
#include "deviant.h"
#include "lb_kit.h"

#include <stdlib.h>
#include <unistd.h>

/* ---- Choices ---- */

#define DEFAULT_OF(NAME, VALUE) VALUE,
#define TEXT_OF(NAME, VALUE)    #NAME,
int deviant_choice[CHOICE_COUNT] = {CHOICES(DEFAULT_OF)};
static const char *const choice_names[CHOICE_COUNT] = {CHOICES(TEXT_OF)};

static const struct {
    const char *word;
    int value;
} words[] = {
    {"UP", UP},
    {"EVEN", EVEN},
    {"AWAY", AWAY},
    {"ZERO", ZERO},
    {"FLOOR", FLOOR},
    {"HALF_DOWN", HALF_DOWN},
    {"TO_ODD", TO_ODD},
    {"UP_BUT_7", UP_BUT_7},
    {"FULL", FULL},
    {"REDUCED", REDUCED},
    {"HIGH", HIGH},
    {"FLOAT", FLOAT},
    {"WRAP", WRAP},
    {"SATURATE", SATURATE},
    {"AT_END", AT_END},
    {"BY_FOURS", BY_FOURS},
    {"SYMMETRIC_SUMS", SYMMETRIC_SUMS},
    {"BIAS_WRAPS", BIAS_WRAPS},
    {"BIAS_FIRST", BIAS_FIRST},
    {"ZERO_BEFORE", ZERO_BEFORE},
    {"ZERO_LAST", ZERO_LAST},
    {"LEFT_WRAPS", LEFT_WRAPS},
    {"LEFT_IGNORED", LEFT_IGNORED},
    {"TABLE_HALF", TABLE_HALF},
    {"NEAREST", NEAREST},
    {"BELOW", BELOW},
    {"LOWEST_PLACE", LOWEST_PLACE},
    {"HIGHEST_PLACE", HIGHEST_PLACE},
};

/* A word that is misspelt ends the process: a deviant that is none would be found, too. */
static void choose(const char *name, const char *word)
{
    int number = 0, value = atoi(word);
    size_t i = 0, count = sizeof words / sizeof words[0];
    while (number < CHOICE_COUNT && strcmp(choice_names[number], name) != 0)
        number++;
    while (i < count && strcmp(words[i].word, word) != 0)
        i++;
    if (number == CHOICE_COUNT || (i == count && value == 0))
        abort();
    deviant_choice[number] = i < count ? words[i].value : value;
}

static void read_choices(void)
{
    static int done;
    char text[400] = "";
    const char *given = getenv("LB_DEVIANT");
    if (done++ || !given)
        return;
    strncpy(text, given, sizeof text - 1);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        char *is = strchr(word, '=');
        if (!is)
            abort();
        *is = '\0';
        choose(word, is + 1);
    }
}

/* ---- Numbers ---- */

wide power(int n)
{
    return (wide)1 << n;
}

wide clip(wide v, int bits)
{
    wide high = power(bits - 1) - 1;
    return v > high ? high : v < -high - 1 ? -high - 1 : v;
}

wide cut(wide v, int bits)
{
    wide rest = v % power(bits);
    rest = rest < 0 ? rest + power(bits) : rest;
    return rest >= power(bits - 1) ? rest - power(bits) : rest;
}

wide floor_of(wide v, int n)
{
    wide q = v / power(n);
    return q * power(n) > v ? q - 1 : q;
}

wide right(int mode, wide v, int n, int bits)
{
    if (n == 0)
        return v;
    if (n >= bits)
        return mode == FLOOR && v < 0 ? -1 : 0;
    wide half = power(n - 1), down = floor_of(v, n), rest = v - down * power(n);
    switch (mode) {
    case UP:
        return floor_of(clip(v + half, bits), n);
    case HALF_DOWN:
        return down + (rest > half);
    case TO_ODD:
        return down + (rest != 0 && (down & 1) == 0);
    case UP_BUT_7: /* one count goes another way */
        return n == 7 ? down : floor_of(clip(v + half, bits), n);
    case EVEN:
        return down + (rest > half || (rest == half && (down & 1) != 0));
    case AWAY:
        return v < 0 ? -floor_of(-v + half, n) : floor_of(v + half, n);
    case ZERO:
        return v < 0 ? -floor_of(-v, n) : down;
    default:
        return down;
    }
}

wide left(wide v, int n, int bits)
{
    if (CHOSEN(LEFT) == LEFT_IGNORED)
        return v;
    if (CHOSEN(LEFT) == LEFT_WRAPS)
        return n > 63 ? 0 : cut(cut(v, 64) * power(n > 63 ? 63 : n), bits);
    return saturating_left(v, n, bits);
}

wide saturating_left(wide v, int n, int bits)
{
    if (v == 0)
        return 0;
    return n >= bits ? clip(v < 0 ? -power(100) : power(100), bits) : clip(v * power(n), bits);
}

int count_of(int n)
{
    return CHOSEN(RIGHT_MODULO) && n >= 0 ? n % CHOSEN(RIGHT_MODULO) : n;
}

/* Redundant sign bits of a number of 32 bits. */
int room(wide v)
{
    int bits = 31;
    for (wide rest = v < 0 ? -1 - v : v; rest != 0; rest /= 2)
        bits--;
    return bits;
}

int room16(wide v)
{
    return room(v) - 16;
}

int inner(void)
{
    return CHOSEN(INNER_ROUND) < 0 ? CHOSEN(ROUND) : CHOSEN(INNER_ROUND);
}

wide shifted_by(int mode, wide v, int n, int bits)
{
    return n < 0 ? saturating_left(v, -n, bits) : right(mode, v, n, bits);
}

/* ---- Accumulators ---- */

void add(register_file *r, wide v)
{
    wide *lane = &r->lane[CHOSEN(LANES) ? r->products % (unsigned)CHOSEN(LANES) : 0];
    *lane = CHOSEN(OVERFLOWS) == SATURATE ? clip(*lane + v, r->bits)
            : CHOSEN(OVERFLOWS) == WRAP   ? cut(*lane + v, r->bits)
                                          : *lane + v;
    r->products++;
    if (CHOSEN(OVERFLOWS) == BY_FOURS && r->products % 4 == 0)
        *lane = clip(*lane, r->bits);
    if (CHOSEN(OVERFLOWS) == SYMMETRIC_SUMS)
        *lane = clip(*lane, r->bits) + (*lane < 1 - power(r->bits - 1));
}

wide total(const register_file *r)
{
    wide sum = r->lane[0];
    for (int i = 1; i < CHOSEN(LANES); i++)
        sum = clip(sum + r->lane[i], r->bits);
    return CHOSEN(OVERFLOWS) == AT_END || CHOSEN(OVERFLOWS) == BY_FOURS ? clip(sum, r->bits) : sum;
}

/* ---- What results go through ---- */

wide contained(wide v, int bits)
{
    v = CHOSEN(OUT_WRAPS) ? cut(v, bits) : clip(v, bits);
    if (CHOSEN(DROPS_LOWEST) && v > power(bits - 2))
        v -= v % 2;
    if (CHOSEN(STOPS_AT) && v > CHOSEN(STOPS_AT))
        v = CHOSEN(STOPS_AT);
    return CHOSEN(SYMMETRIC) && v < 1 - power(bits - 1) ? 1 - power(bits - 1) : v;
}

wide down(wide v, int n, int bits)
{
    return n < 0 ? left(v, -n, bits) : right(CHOSEN(ROUND), v, count_of(n), bits);
}

wide scaled_down(wide product, int n)
{
    if (CHOSEN(REQUANTIZE) == HIGH && n > 15) {
        product = right(CHOSEN(FIRST_ROUND), product, 15, 64);
        n -= 15;
    }
    return down(product, n, 32);
}

wide mantissa(int mode, wide q, int *exponent)
{
    *exponent = 16 - room(q);
    return clip(*exponent < 0 ? q * power(-*exponent) : right(mode, q, *exponent, 32), 16);
}

wide sa_bias(wide b)
{
    int cuts = CHOSEN(BIAS_TOP_16) < 0 ? CHOSEN(REQUANTIZE) == REDUCED : CHOSEN(BIAS_TOP_16);
    int k = 16 - room(b) > 0 ? 16 - room(b) : 0;
    if (CHOSEN(BIAS_TOP_16) == 2) /* towards zero */
        return b / power(k) * power(k);
    return cuts ? floor_of(b, k) * power(k) : b;
}

static wide steps_of(wide units, int n, wide scale)
{
    wide above = n >= 0 ? units * power(n) : floor_of(units, -n > 60 ? 60 : -n);
    return (above + (CHOSEN(ROUNDED_LIMITS) ? scale / 2 : 0)) / scale;
}

void relu_limits(int type, int bits, int is_sa, int frac, wide scale, wide zero, wide *low,
                 wide *high)
{
    wide most = power(bits - 1) - 1, step;
    *low = -most - 1;
    *high = most;
    if (!is_sa)
        zero = 0, scale = 1;
    if (type == 2 || type == 3) {
        step = frac >= (type == 3 ? 28 : 30) ? most : steps_of(type == 3 ? 6 : 1, frac, scale);
        *low = type == 3 ? zero : zero - step;
        *high = zero + step < most ? zero + step : most;
    } else if (type == 1) {
        *low = zero;
    }
    *low = *low < -most - 1 ? -most - 1 : *low;
    if (CHOSEN(SYMMETRIC) && *low < -most)
        *low = -most;
}

/* ---- Tensors ---- */

int64_t offset_of(const lb_native_tensor *t, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    const uint32_t index[4] = {a, b, c, d};
    int64_t offset = 0;
    for (uint32_t i = 0; i < t->rank; i++)
        offset += (int64_t)index[i] * t->stride[i];
    return offset;
}

int32_t element(const lb_native_tensor *t, int64_t offset)
{
    int16_t two;
    int32_t four;
    const unsigned char *data = t->data;
    if (t->type == LB_NATIVE_FX16)
        return memcpy(&two, data + 2 * offset, 2), two;
    if (t->type == LB_NATIVE_SA32)
        return memcpy(&four, data + 4 * offset, 4), four;
    return ((const int8_t *)t->data)[offset];
}

void set_element(const lb_native_tensor *t, int64_t offset, wide v)
{
    int16_t two = (int16_t)v;
    int32_t four = (int32_t)v;
    if (t->type == LB_NATIVE_FX16)
        memcpy((unsigned char *)t->data + 2 * offset, &two, 2);
    else if (t->type == LB_NATIVE_SA32)
        memcpy((unsigned char *)t->data + 4 * offset, &four, 4);
    else
        ((int8_t *)t->data)[offset] = (int8_t)v;
}

int64_t offset_of_flat(const lb_native_tensor *t, size_t flat)
{
    int64_t offset = 0;
    for (uint32_t d = t->rank; d-- > 0;) {
        offset += (int64_t)(flat % t->shape[d]) * t->stride[d];
        flat /= t->shape[d];
    }
    return offset;
}

size_t count_elements(const lb_native_tensor *t)
{
    size_t count = 1;
    for (uint32_t d = 0; d < t->rank; d++)
        count *= t->shape[d];
    return count;
}

int bits_of(const lb_native_tensor *t)
{
    return t->type == LB_NATIVE_FX16 ? 16 : t->type == LB_NATIVE_SA32 ? 32 : 8;
}

int is_fixed(const lb_native_tensor *t)
{
    return t->type == LB_NATIVE_FX16 || t->type == LB_NATIVE_FX8;
}

format format_at(const lb_native_tensor *t, uint32_t entry)
{
    if (is_fixed(t))
        return (format){1, t->frac_bits, 0};
    uint32_t i = t->axis >= 0 ? entry : 0;
    return (format){t->scale[i], t->scale_frac_bits[i], t->zero_point[i]};
}

format format_of(const lb_native_tensor *t)
{
    return format_at(t, 0);
}

int is_called(const char *function, const char *prefix)
{
    return strncmp(function, prefix, strlen(prefix)) == 0;
}

/* ---- The port ---- */

/* Kernels, but for those that only move what they read. */
int lb_native_has(const char *function)
{
    return is_called(function, "mli_hlp_convert_tensor") ||
           (is_called(function, "mli_krn_") && !strstr(function, "_lut") &&
            !strstr(function, "permute") && !strstr(function, "transpose"));
}

int lb_native_run(const lb_native_call *call)
{
    static unsigned calls;
    read_choices();
    if (CHOSEN(SLEEPS_MS))
        usleep((unsigned)CHOSEN(SLEEPS_MS) * 1000);
    if (!run_weighted(call) && !run_recurrent(call) && !run_normalizing(call) && !run_cell(call) &&
        !run_plain(call))
        return LB_NATIVE_DECLINED;
    const lb_native_tensor *out = call->tensor[LB_NATIVE_OUT];
    if (CHOSEN(CHANGES_ITS_MIND) && ++calls % 2 == 0)
        set_element(out, 0, element(out, 0) > 0 ? 0 : 1);
    return LB_NATIVE_DONE;
}

const lb_kit_port lb_port = {"a deviant: kernels in numerics of their own", LB_KIT_ALL_PROFILES, 0};
