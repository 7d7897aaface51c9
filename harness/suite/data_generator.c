/* Data generators: see data_generator.h. */
#include "harness/suite/data_generator.h"

#define GOLDEN_GAMMA                                                                               \
    0x9E3779B97F4A7C15u /* the odd number nearest to 2^64 / golden ratio: SplitMix64's step */

uint64_t lb_generate_word(uint64_t seed, uint64_t index)
{
    uint64_t z = seed + (index + 1) * GOLDEN_GAMMA;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

uint64_t lb_generate_below(uint64_t word, uint64_t n)
{
    /* The product has up to 96 bits: added up from its two halves, of which each fits 64. */
    uint64_t low = (word & 0xFFFFFFFFu) * n;
    uint64_t high = (word >> 32) * n;
    return (high + (low >> 32)) >> 32;
}

static uint64_t codes_in(int32_t low, int32_t high)
{
    return (uint64_t)((int64_t)high - low) + 1;
}

static int32_t code_at(int32_t low, uint64_t number)
{
    return (int32_t)(low + (int64_t)number);
}

int32_t lb_generate_uniform(uint64_t seed, uint64_t index, int32_t low, int32_t high)
{
    return code_at(low, lb_generate_below(lb_generate_word(seed, index), codes_in(low, high)));
}

float lb_generate_uniform_real(uint64_t seed, uint64_t index, double low, double high)
{
    double unit = (double)(lb_generate_word(seed, index) >> 11) * 0x1p-53;
    /* volatile: product and sum are rounded one by one, whatever the compiler would like to fuse.
     */
    volatile double scaled = (high - low) * unit;
    volatile double value = low + scaled;
    return (float)value;
}

int32_t lb_generate_ramp(uint64_t index, int32_t start, int64_t step, int32_t low, int32_t high)
{
    uint64_t n = codes_in(low, high);
    int64_t rest = step % (int64_t)n;
    uint64_t forward = (uint64_t)(rest < 0 ? rest + (int64_t)n : rest);
    uint64_t from_low = (uint64_t)((int64_t)start - low);
    return code_at(low, (from_low + index % n * forward % n) % n);
}

float lb_generate_ramp_real(uint64_t index, double start, double step)
{
    volatile double climbed = (double)index * step;
    volatile double value = start + climbed;
    return (float)value;
}

/* A Feistel network on 2 * half_bits bits: a permutation whatever the round function is. */
static uint64_t feistel(uint64_t seed, uint64_t x, unsigned half_bits)
{
    uint64_t mask = ((uint64_t)1 << half_bits) - 1;
    uint64_t left = x >> half_bits;
    uint64_t right = x & mask;
    for (uint64_t round = 0; round < 4; round++) {
        uint64_t next = left ^ (lb_generate_word(seed, round << 32 | right) & mask);
        left = right;
        right = next;
    }
    return left << half_bits | right;
}

int32_t lb_generate_unique(uint64_t seed, uint64_t index, int32_t low, int32_t high)
{
    uint64_t n = codes_in(low, high);
    unsigned half_bits = 1;
    while ((uint64_t)1 << (2 * half_bits) < n)
        half_bits++;
    uint64_t x = index;
    do
        x = feistel(seed, x,
                    half_bits); /* walks on along the cycle until it is back among the n codes */
    while (x >= n);
    return code_at(low, x);
}
