/* Ranges of numbers: see number_range.h. */
#include "harness/diagnose/number_range.h"

#include <inttypes.h>
#include <stdlib.h>

int64_t lb_number_roundest(int64_t low, int64_t high)
{
    for (int64_t unit = INT64_C(1) << 40; unit > 1; unit /= 2) {
        if (high < INT64_MIN + unit)
            continue; /* there is no multiple of it below */
        int64_t n = high - (high % unit + unit) % unit;
        if (n >= low && (n != 0 || low == 0))
            return n;
    }
    return high;
}

const char *lb_number_sides(int64_t inside, int64_t outside, lb_arena *arena)
{
    uint64_t apart = inside > outside ? (uint64_t)inside - (uint64_t)outside
                                      : (uint64_t)outside - (uint64_t)inside;
    return apart <= 1 ? ""
                      : lb_arena_printf(arena,
                                        " (seen at %" PRId64 ", not at %" PRId64
                                        "; none between was tried)",
                                        inside, outside);
}

/* Less is chance: of wrong elements, of different numbers among them, and of right elements on each
 * side. */
enum { LEAST_WRONG = 5, LEAST_NUMBERS = 3, LEAST_RIGHT = 8, LEAST_OTHERS = 4 };

static int by_number(const void *a, const void *b)
{
    const lb_number_of *x = a, *y = b;
    return x->number != y->number ? (x->number < y->number ? -1 : 1)
                                  : (int)x->wrong - (int)y->wrong;
}

/* Numbers in order: from `from` to before `to` those of wrong elements lie. */
typedef struct span {
    size_t from, to;
    size_t wrong, right_inside; /* elements */
    size_t below, above;        /* different numbers of right elements */
    size_t numbers;             /* different numbers of wrong ones */
} span;

static bool is_new(const lb_number_of *n, size_t i)
{
    return i == 0 || n[i].number != n[i - 1].number || n[i].wrong != n[i - 1].wrong;
}

static span span_of(const lb_number_of *n, size_t count)
{
    span s = {.from = count};
    for (size_t i = 0; i < count; i++) {
        s.from = n[i].wrong && s.from == count ? i : s.from;
        s.to = n[i].wrong ? i + 1 : s.to;
        s.wrong += n[i].wrong;
    }
    while (s.from > 0 && s.from < count && n[s.from - 1].number == n[s.from].number)
        s.from--;
    for (size_t i = 0; i < count; i++) {
        bool inside = i >= s.from && i < s.to;
        s.right_inside += !n[i].wrong && inside;
        s.numbers += n[i].wrong && is_new(n, i);
        s.below += !n[i].wrong && i < s.from && is_new(n, i);
        s.above += !n[i].wrong && i >= s.to && is_new(n, i);
    }
    return s;
}

static bool fits(int64_t v, int bits)
{
    int64_t most = INT64_C(1) << (bits - 1);
    return v >= -most && v < most;
}

/* All right ones fit in so many bits, and no wrong one does. */
static const char *beyond_bits(const lb_number_of *n, size_t count, lb_arena *arena)
{
    for (int bits = 2; bits < 63; bits++) {
        size_t right = 0, low = 0, high = 0;
        bool holds = true;
        for (size_t i = 0; i < count && holds; i++) {
            holds = fits(n[i].number, bits) != n[i].wrong;
            right += !n[i].wrong;
            low += n[i].wrong && n[i].number < 0;
            high += n[i].wrong && n[i].number >= 0;
        }
        if (holds && right >= LEAST_RIGHT && low > 0 && high > 0)
            return lb_arena_printf(arena, "a number that needs more than %d bits", bits);
    }
    return NULL;
}

static const char *words_of(const lb_number_of *n, size_t count, const span *s, lb_arena *arena)
{
    int64_t low = n[s->from].number, high = n[s->to - 1].number;
    if (s->numbers == 1)
        return s->below + s->above >= LEAST_RIGHT ? lb_arena_printf(arena, "%" PRId64, low) : NULL;
    if (s->numbers < LEAST_NUMBERS)
        return NULL;
    if (s->to == count && s->below >= LEAST_OTHERS)
        return lb_arena_printf(arena, "%" PRId64 " or more%s",
                               lb_number_roundest(n[s->from - 1].number + 1, low),
                               lb_number_sides(low, n[s->from - 1].number, arena));
    if (s->from == 0 && s->above >= LEAST_OTHERS)
        return lb_arena_printf(arena, "a number below %" PRId64 "%s",
                               lb_number_roundest(high + 1, n[s->to].number),
                               lb_number_sides(high, n[s->to].number, arena));
    if (s->below >= LEAST_OTHERS && s->above >= LEAST_OTHERS)
        return lb_arena_printf(arena, "a number from %" PRId64 " to %" PRId64, low, high);
    return NULL;
}

const char *lb_number_range(lb_number_of *n, size_t count, lb_arena *arena)
{
    if (count == 0)
        return NULL;
    qsort(n, count, sizeof *n, by_number);
    span s = span_of(n, count);
    if (s.wrong < LEAST_WRONG || count - s.wrong < LEAST_RIGHT)
        return NULL;
    return s.right_inside > 0 ? beyond_bits(n, count, arena) : words_of(n, count, &s, arena);
}
