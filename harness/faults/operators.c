/* What operators make of numbers, indices and elements: see operators.h. */
#include "harness/faults/operators.h"
#include "reference/core/arith.h"

static int64_t complement(int64_t v, int64_t bits)
{
    int64_t one = bits == 0 ? 0 : (int64_t)1 << bits, most = bits == 0 ? INT8_MAX : one - 1;
    int64_t value = lb_sub(one, v, 64);
    return value > most ? most : value;
}

static int64_t in_bits(lb_how how, int64_t v, int bits)
{
    int64_t most = (int64_t)(bits < 64 ? ((uint64_t)1 << bits) - 1 : INT64_MAX);
    switch (how) {
    case LB_WRAPS:
        return lb_wrap(v, bits);
    case LB_SATURATES:
        return lb_sat(v, bits);
    case LB_WRAPS_UNSIGNED:
        return v & most;
    case LB_SATURATES_UNSIGNED:
        return v > most ? most : v;
    case LB_NOT_LOWEST:
        return v == lb_min_of(bits) ? v + 1 : v;
    default:
        return v;
    }
}

int64_t lb_number_changed(lb_how how, int64_t n, int64_t v, int64_t other)
{
    switch (how) {
    case LB_PLUS:
        return lb_add(v, n, 64);
    case LB_NO_LESS:
        return v < n ? n : v;
    case LB_NO_MORE:
        return v > n ? n : v < -n ? -n : v;
    case LB_LOW_BITS:
        return v > n ? v & n : v;
    case LB_NEGATED:
        return lb_neg(v, 64);
    case LB_ABSOLUTE:
        return v < 0 ? lb_neg(v, 64) : v;
    case LB_DOUBLED:
        return lb_add(v, v, 64);
    case LB_HALVED:
        return lb_asr(v, n > 63 ? 63 : (int)n, 64);
    case LB_CLEARED:
        return (int64_t)((uint64_t)lb_asr(v, (int)n, 64) << n);
    case LB_COMPLEMENT:
        return complement(v, n);
    case LB_AS_ZERO:
        return 0;
    case LB_AS_ONE:
        return 1;
    case LB_AS_OTHER:
    case LB_AS_RESULT:
        return other;
    default:
        return in_bits(how, v, (int)n);
    }
}

uint32_t lb_index_changed(lb_how how, int64_t n, uint32_t i, uint32_t count)
{
    switch (how) {
    case LB_AS_ZERO:
        return 0;
    case LB_AS_LAST:
        return count - 1;
    case LB_PLUS:
        return (uint32_t)(((int64_t)i + n) % count + count) % count;
    case LB_DELAYED:
        return i == 0 ? 0 : i - 1;
    case LB_MIRRORED:
        return count - 1 - i;
    case LB_IN_BLOCK:
        return n > 0 ? i % (uint32_t)n : i;
    case LB_BLOCK_LATE:
        return n > 0 && i >= 2 * (uint32_t)n ? i - (uint32_t)n : i;
    case LB_PAIRED:
        return (i | 1) < count ? i ^ 1 : i;
    default:
        return i;
    }
}

static int64_t other_byte_order(int64_t value, int bits)
{
    uint64_t result = 0;
    for (int done = 0; done < bits; done += 8, value = lb_asr(value, 8, 64))
        result = result << 8 | (uint64_t)(value & 0xFF);
    return lb_wrap((int64_t)result, bits);
}

int64_t lb_element_changed(lb_how how, int64_t n, int64_t v, int bits)
{
    const int64_t half = (int64_t)1 << bits / 2;
    switch (how) {
    case LB_UNSIGNED: /* of 64 bits the model holds no more */
        return v < 0 && bits < 63 ? v + ((int64_t)1 << bits) : v;
    case LB_WITH_OFFSET:
        return lb_wrap((int64_t)((uint64_t)v + ((uint64_t)1 << (bits - 1))), bits);
    case LB_LOW_HALF:
        return lb_wrap(v, bits / 2);
    case LB_LOW_HALF_UNSIGNED:
        return (v % half + half) % half;
    case LB_HALVES_SIGNED:
        return lb_wrap(v, bits / 2) < 0 ? v - half : v;
    case LB_OTHER_BYTE_ORDER:
        return other_byte_order(v, bits);
    case LB_OTHER_NIBBLE_ORDER:
        return lb_wrap((v & 15) << 4 | (v >> 4 & 15), bits);
    case LB_NOT_LOWEST:
        return lb_number_changed(how, bits, v, 0);
    default:
        return lb_number_changed(how, n, v, 0);
    }
}

bool lb_is_lost(lb_lost what, size_t i, size_t n, size_t of, size_t bytes)
{
    switch (what) {
    case LB_LOST_ALL:
        return true;
    case LB_LOST_LAST:
        return n > 1 && i == n - 1;
    case LB_LOST_FIRST:
        return n > 1 && i == 0;
    case LB_LOST_TAIL:
        return n > of && i >= n - n % of;
    case LB_LOST_REST:
        return i >= n - n % of;
    case LB_LOST_BEYOND:
        return n > 1 && i >= of;
    case LB_LOST_BY_COUNTER:
        return n >> of != 0 && i >= n % ((size_t)1 << of);
    case LB_LOST_BEFORE_LAST_BLOCK:
        return n > of && i < n - of;
    case LB_LOST_SEAM:
        return i % of == of - 1 && i + 1 < n;
    case LB_LOST_ODD:
        return i % 2 == 1;
    case LB_LOST_EVEN:
        return n > 1 && i % 2 == 0;
    case LB_LOST_FEW:
        return n < of;
    case LB_LOST_BYTE_TAIL:
        return n * bytes > of && (i + 1) * bytes > n * bytes / of * of;
    case LB_LOST_AS_BYTES:
        return (i + 1) * bytes > n;
    case LB_LOST_COUNT:
        break;
    }
    return false;
}
