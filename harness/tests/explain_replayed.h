/* A replayer of printed explanations, for tests: it reads the JSON text of `lastbit explain
 * --json`, knows the operations of reference/core/steps.h by their names, and nothing of kernels.
 * Each step's result is computed again from its operands, and each operand must be what its source
 * gave. Its arithmetic is written for this purpose alone (numerics.md 3). */
#ifndef LB_TEST_EXPLAIN_REPLAYED_H
#define LB_TEST_EXPLAIN_REPLAYED_H

#include "fixture.h"

#include "reference/core/lut.h"

#include <inttypes.h>
#include <math.h>

/* A given number as it is printed. */
typedef struct printed {
    char kind[16], name[32], field[24];
    int64_t index[5], frame, result;
    unsigned rank;
} printed;

typedef struct replayed {
    size_t step_count, given_count;
    int64_t *results; /* by number, from 1 */
    printed *givens;  /* by minus number, from 1 */
} replayed;

/* The text behind `key` in [text, end), or NULL. */
static inline const char *after(const char *text, const char *end, const char *key)
{
    const char *at = memmem(text, (size_t)(end - text), key, strlen(key));
    return at ? at + strlen(key) : NULL;
}

static inline int64_t number_after(const char *text, const char *end, const char *key,
                                   int64_t otherwise)
{
    const char *at = after(text, end, key);
    return at ? strtoll(at, NULL, 10) : otherwise;
}

static inline unsigned list_after(const char *text, const char *end, const char *key,
                                  int64_t *numbers, unsigned room)
{
    unsigned count = 0;
    const char *at = after(text, end, key);
    assert_non_null(at);
    while (*at != ']') {
        char *next;
        assert_true(count < room);
        numbers[count++] = strtoll(at, &next, 10);
        at = next + (*next == ',');
    }
    return count;
}

static inline void text_after(const char *text, const char *end, const char *key, char *word,
                              size_t room)
{
    const char *at = after(text, end, key);
    size_t length = at ? strcspn(at, "\"") : 0;
    assert_true(length < room);
    memcpy(word, at ? at : "", length);
    word[length] = '\0';
}

/* ---- Arithmetic ---- */

static inline int64_t two_to(int64_t n)
{
    assert_true(n >= 0 && n <= 62);
    return (int64_t)1 << n;
}

static inline int64_t top(int64_t width)
{
    return width == 64 ? INT64_MAX : two_to(width - 1) - 1;
}

static inline int64_t clipped(int64_t v, int64_t width)
{
    return v > top(width) ? top(width) : v < -top(width) - 1 ? -top(width) - 1 : v;
}

static inline int64_t wrapped(uint64_t bits, int64_t width)
{
    if (width < 64) {
        bits &= ((uint64_t)1 << width) - 1;
        if (bits >> (width - 1))
            return (int64_t)bits - 2 * two_to(width - 1 < 62 ? width - 1 : 62);
    }
    int64_t v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* a + b with the sum taken apart, so that nothing overflows. */
static inline int64_t added(int64_t a, int64_t b, int64_t width)
{
    int64_t low = (a & 0xffffffff) + (b & 0xffffffff);
    int64_t high = (a - (a & 0xffffffff)) / 4294967296 + (b - (b & 0xffffffff)) / 4294967296;
    high += low / 4294967296;
    low %= 4294967296;
    if (high > INT32_MAX)
        return top(width);
    if (high < INT32_MIN)
        return -top(width) - 1;
    return clipped(high * 4294967296 + low, width);
}

static inline int64_t floored(int64_t v, int64_t n)
{
    if (n > 62)
        return v < 0 ? -1 : 0;
    int64_t q = v / two_to(n);
    return v % two_to(n) < 0 ? q - 1 : q;
}

static inline int64_t shifted_right(int64_t v, int64_t n, int64_t width, const char *rounding)
{
    if (n >= width)
        return 0;
    uint64_t rest = (uint64_t)v & ((UINT64_C(1) << n) - 1), half = UINT64_C(1) << (n - 1);
    int64_t whole = floored(v, n);
    if (strcmp(rounding, "up") == 0)
        return v > top(width) - (int64_t)half ? floored(top(width), n) : whole + (rest >= half);
    assert_string_equal(rounding, "convergent");
    return whole + (rest > half || (rest == half && whole % 2 != 0));
}

static inline int64_t shifted_left(int64_t v, int64_t n, int64_t width)
{
    for (; n > 0 && v != 0 && v != top(width) && v != -top(width) - 1; n--)
        v = v > top(width) / 2        ? top(width)
            : v < -top(width) / 2 - 1 ? -top(width) - 1
                                      : clipped(v * 2, width);
    return v;
}

static inline int64_t pattern(float value)
{
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float float_of(int64_t v)
{
    int32_t bits = (int32_t)v;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline int64_t entry_of(const char *table, int64_t i)
{
    for (int k = 0; k < LB_LUT_COUNT; k++)
        if (strcmp(lb_luts[k].name, table) == 0) {
            assert_true(i >= 0 && i < lb_luts[k].length);
            return lb_luts[k].table[i];
        }
    fail_msg("no table %s", table);
    return 0;
}

static inline int64_t replay_float(const char *op, int64_t a, int64_t b)
{
    if (strcmp(op, "fdiv") == 0)
        return pattern(float_of(a) / float_of(b));
    if (strcmp(op, "fmul") == 0)
        return pattern(float_of(a) * float_of(b));
    if (strcmp(op, "fadd") == 0)
        return pattern(float_of(a) + float_of(b));
    if (strcmp(op, "fscale") == 0)
        return pattern(ldexpf(float_of(a), (int)b));
    if (strcmp(op, "float") == 0)
        return pattern((float)a);
    if (strcmp(op, "ftrunc") == 0) {
        double v = trunc((double)float_of(a));
        return isnan(v)            ? 0
               : v > 2147483647.0  ? INT32_MAX
               : v < -2147483648.0 ? INT32_MIN
                                   : (int64_t)v;
    }
    fail_msg("an unknown operation: %s", op);
    return 0;
}

/* A step from its printed text. */
static inline int64_t replay_step(const char *text, const char *end, const int64_t *v,
                                  int64_t printed_result)
{
    char op[16], how[16], table[16];
    int64_t width = number_after(text, end, "\"width\":", 0), w = width ? width : 64;
    text_after(text, end, "\"operation\":\"", op, sizeof op);
    text_after(text, end, "\"rounding\":\"", how, sizeof how);
    text_after(text, end, "\"table\":\"", table, sizeof table);
#define IS(name) (strcmp(op, name) == 0)
    if (IS("copy") || IS("skip"))
        return v[0];
    if (IS("mac")) {
        assert_int_equal(number_after(text, end, "\"product\":", 0), v[1] * v[2]);
        return after(text, end, "\"overflow\":\"wrap\"")
                   ? wrapped((uint64_t)v[0] + (uint64_t)(v[1] * v[2]), w)
                   : added(v[0], v[1] * v[2], w);
    }
    if (IS("add"))
        return added(v[0], v[1], w);
    if (IS("sub"))
        return v[1] == INT64_MIN ? added(added(v[0], INT64_MAX, w), 1, w) : added(v[0], -v[1], w);
    if (IS("mul"))
        return v[0] * v[1];
    if (IS("tdiv"))
        return v[0] / v[1];
    if (IS("norm")) {
        int64_t n = width - 1;
        while (n > 0 && (v[0] > top(width - n) || v[0] < -top(width - n) - 1))
            n--;
        return n;
    }
    if (IS("shl"))
        return v[1] >= 0 ? shifted_left(v[0], v[1], w) : floored(v[0], -v[1]);
    if (IS("asr"))
        return v[1] >= 0 ? floored(v[0], v[1]) : shifted_left(v[0], -v[1], w);
    if (IS("rsh"))
        return v[1] > 0 ? shifted_right(v[0], v[1], w, how) : shifted_left(v[0], -v[1], w);
    if (IS("sat"))
        return clipped(v[0], w);
    if (IS("wrap"))
        return wrapped((uint64_t)v[0], w);
    if (IS("min"))
        return v[0] < v[1] ? v[0] : v[1];
    if (IS("max"))
        return v[0] > v[1] ? v[0] : v[1];
    if (IS("mod"))
        return v[0] - floored(v[0], v[1]) * two_to(v[1]);
    if (IS("lookup"))
        return entry_of(table, v[0]);
    if (IS("place")) /* what the model found: nothing to compute */
        return printed_result;
#undef IS
    return replay_float(op, v[0], v[1]);
}

/* ---- The document ---- */

/* The end of the object that begins at `text`; strings hold no quotes. */
static inline const char *object_end(const char *text)
{
    for (bool in_text = false; *text != '}' || in_text; text++)
        in_text ^= *text == '"';
    return text + 1;
}

static inline void read_given(const char *text, const char *end, printed *p)
{
    text_after(text, end, "\"kind\":\"", p->kind, sizeof p->kind);
    text_after(text, end, "\"name\":\"", p->name, sizeof p->name);
    text_after(text, end, "\"field\":\"", p->field, sizeof p->field);
    p->rank = list_after(text, end, "\"index\":[", p->index, 5);
    p->frame = number_after(text, end, "\"frame\":", 0);
    p->result = number_after(text, end, "\"value\":", 0);
}

static inline int64_t source_value(const replayed *r, int64_t source, int64_t value)
{
    if (source > 0) {
        assert_true((size_t)source <= r->step_count);
        return r->results[source];
    }
    if (source < 0) {
        assert_true((size_t)-source <= r->given_count);
        return r->givens[-source].result;
    }
    return value;
}

static inline void take_step(replayed *r, const char *text, const char *end)
{
    int64_t operands[3] = {0}, from[3] = {0}, number = number_after(text, end, "\"number\":", 0);
    unsigned count = list_after(text, end, "\"operands\":[", operands, 3);
    assert_int_equal(list_after(text, end, "\"from\":[", from, 3), count);
    assert_int_equal(number, r->step_count + 1);
    for (unsigned k = 0; k < count; k++)
        assert_int_equal(source_value(r, from[k], operands[k]), operands[k]);
    int64_t result = number_after(text, end, "\"result\":", 0),
            again = replay_step(text, end, operands, result);
    if (again != result)
        fail_msg("step gives %" PRId64 ": %.*s", again, (int)(end - text), text);
    r->results[++r->step_count] = again;
}

/* Replays the one object of the document. To be freed. */
static inline replayed replay_document(const char *text, size_t length)
{
    replayed r = {0};
    const char *end = text + length, *at = after(text, end, "\"given\":[");
    assert_non_null(at);
    r.givens = calloc(length / 40 + 2, sizeof *r.givens); /* no object is shorter */
    r.results = calloc(length / 40 + 2, sizeof *r.results);
    for (; *at != ']'; at += *at == ',') {
        const char *object = at;
        at = object_end(object);
        assert_int_equal(number_after(object, at, "\"number\":", 0), -(int64_t)(r.given_count + 1));
        read_given(object, at, &r.givens[++r.given_count]);
    }
    at = after(text, end, "\"steps\":[");
    for (assert_non_null(at); *at != ']'; at += *at == ',') {
        const char *object = at;
        at = object_end(object);
        take_step(&r, object, at);
    }
    int64_t from = number_after(text, end, "\"result_from\":", 0);
    assert_int_equal(from, r.step_count);
    if (from > 0 && r.results[from] != number_after(text, end, "\"exact\":", 0))
        fail_msg("the steps end in %" PRId64 ": %.300s", r.results[from], text);
    return r;
}

static inline void replayed_free(replayed *r)
{
    free(r->results);
    free(r->givens);
}

#endif
