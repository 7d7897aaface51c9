/* Random numbers for made-up cases: see random.h. */
#include "harness/generate/random.h"
#include "harness/suite/data_generator.h"

lb_random lb_random_start(uint64_t seed, uint64_t index)
{
    return (lb_random){.seed = lb_generate_word(seed, index)};
}

uint64_t lb_random_bits(lb_random *random)
{
    return lb_generate_word(random->seed, random->next++);
}

int64_t lb_random_in(lb_random *random, int64_t low, int64_t high)
{
    uint64_t span = (uint64_t)high - (uint64_t)low + 1;
    uint64_t bits = lb_random_bits(random);
    return (int64_t)((uint64_t)low + (span ? bits % span : bits));
}

bool lb_random_once_in(lb_random *random, unsigned n)
{
    return lb_random_bits(random) % n == 0;
}
