/* Sums of 16-bit values that bytes stand for, in pieces: the two bytes of a value by two look- ups,
 * then sums of bytes. What includes it has lut8. */

enum { SUM_PIECE = 512 };

/* Of n bytes, n up to SUM_PIECE; 0 behind them up to a whole vector. */
static inline int64_t sum_bytes(const int8_t *bytes, size_t n)
{
    V sums = SET(0);
    int64_t each[LANES / 2], total = 0;
    for (size_t i = 0; i < n; i += LANES * 4)
        sums = ADD(sums, SUMS_OF_8(LOAD(bytes + i)));
    STORE(each, sums);
    for (size_t i = 0; i < LANES / 2; i++)
        total += each[i];
    return total;
}

static int32_t sum_lut8(const int8_t *in, size_t n, const struct lb_mli_values *of)
{
    int8_t low[SUM_PIECE], high[SUM_PIECE];
    int64_t sum = 0;
    for (size_t at = 0; at < n; at += SUM_PIECE) {
        const size_t part = lb_mli_min_size(n - at, SUM_PIECE);
        const size_t last = (part - 1) / (LANES * 4) * (LANES * 4);
        STORE(low + last, SET(0));
        STORE(high + last, SET(0));
        lut8(in + at, part, of->low, low);
        lut8(in + at, part, of->high, high);
        sum += sum_bytes(low, part) + 256 * (sum_bytes(high, part) - 128 * (int64_t)part);
    }
    return lb_mli_wrap32(sum);
}
