/* Look-up in tables of 256 entries, and sums of what is looked up, in plain C. */
#include "portable/portable.h"

#include <string.h>

/* Eight elements in a word, looked up one by one: each comes back to the place in the word that it
 * came from, so the order of bytes in words does not matter. */
static inline uint64_t map_word(uint64_t in, const int8_t table[256])
{
    uint64_t out = 0;
    in ^= UINT64_C(0x8080808080808080);
    for (unsigned shift = 0; shift < 64; shift += 8)
        out |= (uint64_t)(uint8_t)table[in >> shift & 0xFF] << shift;
    return out;
}

static void lut8(const int8_t *restrict in, size_t n, const int8_t table[restrict 256],
                 int8_t *restrict out)
{
    size_t i = 0;
    for (uint64_t word; i + sizeof word <= n; i += sizeof word) {
        memcpy(&word, in + i, sizeof word);
        word = map_word(word, table);
        memcpy(out + i, &word, sizeof word);
    }
    for (; i < n; i++)
        out[i] = table[(uint8_t)in[i] ^ 0x80U];
}

/* Elements come as words of eight: one load for them, and the indices follow at once. */
static int32_t sum_lut8(const int8_t *in, size_t n, const struct lb_mli_values *of)
{
    const int16_t *values = of->values;
    int32_t sum = 0;
    size_t i = 0;
    for (uint64_t word; i + sizeof word <= n; i += sizeof word) {
        memcpy(&word, in + i, sizeof word);
        word ^= UINT64_C(0x8080808080808080);
        for (unsigned shift = 0; shift < 64; shift += 8)
            sum += values[word >> shift & 0xFF];
    }
    for (; i < n; i++)
        sum += values[in[i] - INT8_MIN];
    return sum;
}

void LB_MLI_FILL(lut8)(struct lb_mli_loops *loops)
{
    loops->lut8 = lut8;
    loops->sum_lut8 = sum_lut8;
}
