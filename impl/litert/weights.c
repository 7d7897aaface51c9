/* Products and the way from a sum to an output: see weights.h. */
#include "weights.h"

/* Offsets that the products of a chunk, below, leave room for: those of any zero point. */
enum { MOST_OFFSET_8 = 256, MOST_OFFSET_16 = 65536 };

bool lb_litert_sums_hold(const lb_litert_sums *s, int32_t channels)
{
    int32_t most = s->type == LB_LITERT_S8 ? MOST_OFFSET_8 : MOST_OFFSET_16;
    if (!lb_litert_in(s->input_offset, -most, most) ||
        !lb_litert_in(s->filter_offset, -MOST_OFFSET_8, MOST_OFFSET_8) ||
        !lb_litert_limits_hold(s->activation, s->type) || !s->multiplier || !s->shift)
        return false;
    for (int32_t o = 0; o < (s->per_channel ? channels : 1); o++)
        if (!lb_litert_scales(s->multiplier[o], s->shift[o], -31, s->wide ? 7 : 30))
            return false;
    return true;
}

/* Sums of 32 bits are taken over so many products that they cannot overflow: with the largest
 * offsets |(x + 256) * (w + 256)| is below 2^18 for int8, |(x + 65536) * (w + 256)| below 2^26 for
 * int16, and |x * w| at most 2^22 without offsets. Factors of 16 bits: for such sums of products
 * most instruction sets have an instruction, which compilers find. */
static int32_t chunk_s8(const int8_t *x, const int8_t *w, size_t count, int32_t x_offset)
{
    int32_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (int16_t)(x[i] + x_offset) * (int16_t)w[i];
    return sum;
}

static int32_t chunk_s8_offsets(const int8_t *x, const int8_t *w, size_t count, int32_t x_offset,
                                int32_t w_offset)
{
    int32_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (x[i] + x_offset) * (w[i] + w_offset);
    return sum;
}

static int32_t chunk_s16(const int16_t *x, const int8_t *w, size_t count)
{
    int32_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += x[i] * w[i];
    return sum;
}

static int32_t chunk_s16_offsets(const int16_t *x, const int8_t *w, size_t count, int32_t x_offset,
                                 int32_t w_offset)
{
    int32_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (x[i] + x_offset) * (w[i] + w_offset);
    return sum;
}

static size_t at_most(size_t count, size_t most)
{
    return count < most ? count : most;
}

int64_t lb_litert_dot(const lb_litert_sums *s, const void *input, size_t input_at,
                      const int8_t *filter, size_t count)
{
    int64_t sum = 0;
    bool offsets = s->input_offset != 0 || s->filter_offset != 0;
    size_t most = s->type == LB_LITERT_S8 ? 4096 : offsets ? 32 : 256, now;
    for (size_t i = 0; i < count; i += now) {
        now = at_most(count - i, most);
        if (s->type == LB_LITERT_S8) {
            const int8_t *x = (const int8_t *)input + input_at + i;
            sum += s->filter_offset == 0
                       ? chunk_s8(x, filter + i, now, s->input_offset)
                       : chunk_s8_offsets(x, filter + i, now, s->input_offset, s->filter_offset);
        } else {
            const int16_t *x = (const int16_t *)input + input_at + i;
            sum += !offsets
                       ? chunk_s16(x, filter + i, now)
                       : chunk_s16_offsets(x, filter + i, now, s->input_offset, s->filter_offset);
        }
    }
    return sum;
}

int32_t lb_litert_finish(const lb_litert_sums *s, int64_t sum, int32_t channel)
{
    int32_t at = s->per_channel ? channel : 0;
    int32_t scaled;
    if (s->bias32)
        sum += s->bias32[channel];
    else if (s->bias64) /* any 64 bits: unsigned, so that the sum wraps */
        sum = (int64_t)((uint64_t)sum + (uint64_t)s->bias64[channel]);
    if (s->wide)
        scaled = lb_litert_scale64(sum, s->multiplier[at], s->shift[at]);
    else
        scaled =
            lb_litert_scale32(s->profile, lb_litert_wrap32(sum), s->multiplier[at], s->shift[at]);
    return lb_litert_clamp((int64_t)scaled + s->output_offset, s->activation.min,
                           s->activation.max);
}
