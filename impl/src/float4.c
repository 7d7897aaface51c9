/* mli_ext_*: casts to and from float4e2m1, elements of four bits, MXFP4 blocks (float4.md).
 * Integers throughout: no rounding mode matters. */
#include "mli_lastbit.h"

#include <stdbool.h>
#include <string.h>

enum { BLOCK = 32, SCALE_NAN = 255, SCALE_BIAS = 127 };

/* ---- Checks ---- */

static bool is_sound(const mli_tensor *t)
{
    if (!t || !t->data.mem.pi8 || t->rank == 0 || t->rank > MLI_MAX_RANK ||
        t->data.capacity > INT32_MAX)
        return false;
    int64_t inner = 1;
    for (uint32_t d = t->rank; d-- > 0;) {
        if (t->shape[d] == 0 || t->shape[d] > INT32_MAX || t->mem_stride[d] <= 0 ||
            t->mem_stride[d] < inner)
            return false;
        inner = (int64_t)t->shape[d] * t->mem_stride[d];
    }
    return true;
}

/* Elements of a sound tensor; more than 64 bits count becomes the largest number. */
static uint64_t count_of(const mli_tensor *t)
{
    uint64_t count = 1;
    for (uint32_t d = 0; d < t->rank; d++) {
        if (count > UINT64_MAX / t->shape[d])
            return UINT64_MAX;
        count *= t->shape[d];
    }
    return count;
}

static bool is_dense(const mli_tensor *t)
{
    int64_t stride = 1;
    for (uint32_t d = t->rank; d-- > 0;) {
        if (t->mem_stride[d] != stride)
            return false;
        stride *= t->shape[d];
        stride = stride > INT32_MAX ? INT32_MAX : stride;
    }
    return true;
}

static unsigned width_of(uint32_t type)
{
    if (type == (uint32_t)MLI_EL_FP_32)
        return 4;
    return type == MLI_EXT_EL_FLOAT16 || type == MLI_EXT_EL_BFLOAT16 ? 2 : 1;
}

static bool has_room(const mli_tensor *t, uint64_t count)
{
    return count <= t->data.capacity / width_of((uint32_t)t->el_type);
}

static bool overlaps(const mli_tensor *a, const mli_tensor *b)
{
    uintptr_t x = (uintptr_t)a->data.mem.pi8, y = (uintptr_t)b->data.mem.pi8;
    return x <= y ? y - x < a->data.capacity : x - y < b->data.capacity;
}

/* What goes in and comes out, how many elements for how many, and whether both may lie in one
 * place. */
typedef struct shape_rule {
    uint32_t in_type, out_type;
    enum { SAME, TWO_TO_ONE, ONE_TO_TWO, BLOCK_TO_ONE, BLOCKS } sizes;
    bool in_place;
} shape_rule;

static bool sizes_fit(const shape_rule *rule, uint64_t in, uint64_t out)
{
    switch (rule->sizes) {
    case TWO_TO_ONE:
        return out == in / 2 + in % 2;
    case ONE_TO_TWO:
        return in == out / 2 + out % 2;
    case BLOCK_TO_ONE:
        return in % BLOCK == 0 && out == in / BLOCK;
    case BLOCKS:
        return in % BLOCK == 0 && out == in;
    default:
        return out == in;
    }
}

static mli_status check(const shape_rule *rule, const mli_tensor *in, const mli_tensor *out)
{
    if (!is_sound(in) || !is_sound(out))
        return MLI_STATUS_BAD_TENSOR;
    if ((uint32_t)in->el_type != rule->in_type || (uint32_t)out->el_type != rule->out_type)
        return MLI_STATUS_TYPE_MISMATCH;
    if (!is_dense(in) || !is_dense(out))
        return MLI_STATUS_INCOMPATEBLE_TENSORS;
    uint64_t in_count = count_of(in), out_count = count_of(out);
    if (!sizes_fit(rule, in_count, out_count))
        return MLI_STATUS_SIZE_MISMATCH;
    if (!has_room(in, in_count) || !has_room(out, out_count))
        return MLI_STATUS_NOT_ENGH_MEM;
    bool same_place = rule->in_place && in->data.mem.pi8 == out->data.mem.pi8;
    return !same_place && overlaps(in, out) ? MLI_STATUS_INCOMPATEBLE_TENSORS : MLI_STATUS_OK;
}

/* ---- float4e2m1 ---- */

/* mantissa / 2^shift, to nearest, ties to even; shift 1 to 31. */
static uint32_t shift_to_even(uint32_t mantissa, unsigned shift)
{
    uint32_t floor_part = mantissa >> shift;
    return (mantissa + ((uint32_t)1 << (shift - 1)) - 1 + (floor_part & 1)) >> shift;
}

/* Code of a magnitude mantissa * 2^(exponent - 23), its leading bit at 23: steps of a half below 2,
 * of one below 4, of two above. */
static uint32_t code_of_magnitude(uint32_t mantissa, int exponent)
{
    uint32_t code;
    if (exponent < -2)
        return 0;
    if (exponent >= 3)
        return 7;
    if (exponent < 1)
        code = shift_to_even(mantissa, (unsigned)(22 - exponent));
    else
        code = shift_to_even(mantissa, 22) + (exponent == 1 ? 2u : 4u);
    return code > 7 ? 7 : code;
}

/* From a binary32 pattern. nan_code: of a positive NaN; flips: a negative one has another sign bit.
 */
static uint8_t to_float4(uint32_t bits, uint8_t nan_code, bool nan_flips)
{
    uint32_t sign = bits >> 31 << 3;
    uint32_t exponent = bits >> 23 & 255, fraction = bits & 0x7FFFFF;
    if (exponent == 255 && fraction != 0)
        return (uint8_t)(nan_flips ? nan_code ^ sign : nan_code);
    if (exponent < 120)
        return (uint8_t)sign;
    return (uint8_t)(sign | code_of_magnitude(fraction | 0x800000, (int)exponent - 127));
}

/* Small formats widened to binary32: the fields are moved, subnormals normalised. */
typedef struct small {
    unsigned exponent_bits, fraction_bits;
    int bias;
    bool finite_only; /* the highest exponent is one of numbers, but for all ones */
} small;

static const small half_format = {5, 10, 15, false}, brain_format = {8, 7, 127, false},
                   e4m3_format = {4, 3, 7, true}, e5m2_format = {5, 2, 15, false},
                   e2m1_format = {2, 1, 1, true};

static uint32_t widen(const small *f, uint32_t bits)
{
    uint32_t sign = bits >> (f->exponent_bits + f->fraction_bits) << 31;
    uint32_t top = ((uint32_t)1 << f->exponent_bits) - 1;
    uint32_t exponent = bits >> f->fraction_bits & top;
    uint32_t fraction = (bits & (((uint32_t)1 << f->fraction_bits) - 1)) << (23 - f->fraction_bits);
    bool is_nan = f->finite_only && f->exponent_bits == 4 && (bits & 0x7F) == 0x7F;
    if ((exponent == top && !f->finite_only) || is_nan)
        return sign | 0x7F800000 | fraction;
    if (exponent == 0 && fraction == 0)
        return sign;
    int power = (int)exponent - f->bias;
    if (exponent == 0) {
        power = 1 - f->bias;
        if (power > -126)
            for (; !(fraction & 0x800000); power--)
                fraction <<= 1;
        else
            return sign | fraction; /* a subnormal of binary32 too */
        fraction &= 0x7FFFFF;
    }
    return sign | (uint32_t)(power + 127) << 23 | fraction;
}

/* The eight magnitudes in the wider formats: exact, so they are moved, not rounded. */
static uint32_t from_float4(const small *f, uint32_t code)
{
    uint32_t wide = widen(&e2m1_format, code & 15);
    uint32_t sign = (code >> 3 & 1) << (f->exponent_bits + f->fraction_bits);
    uint32_t magnitude = wide & 0x7FFFFFFF;
    if (magnitude == 0)
        return sign;
    uint32_t exponent = (uint32_t)((int)(magnitude >> 23) - 127 + f->bias);
    return sign | exponent << f->fraction_bits | (magnitude & 0x7FFFFF) >> (23 - f->fraction_bits);
}

static uint32_t load32(const mli_tensor *t, uint64_t i)
{
    uint32_t bits;
    memcpy(&bits, (const unsigned char *)t->data.mem.pi8 + 4 * i, sizeof bits);
    return bits;
}

static void store32(mli_tensor *t, uint64_t i, uint32_t bits)
{
    memcpy((unsigned char *)t->data.mem.pi8 + 4 * i, &bits, sizeof bits);
}

static uint32_t load_small(const mli_tensor *t, uint64_t i, unsigned width)
{
    uint16_t bits;
    if (width == 1)
        return (uint8_t)t->data.mem.pi8[i];
    memcpy(&bits, (const unsigned char *)t->data.mem.pi8 + 2 * i, sizeof bits);
    return bits;
}

static void store_small(mli_tensor *t, uint64_t i, unsigned width, uint32_t value)
{
    uint8_t byte = (uint8_t)value;
    uint16_t pair = (uint16_t)value;
    if (width == 1)
        memcpy(t->data.mem.pi8 + i, &byte, sizeof byte);
    else
        memcpy((unsigned char *)t->data.mem.pi8 + 2 * i, &pair, sizeof pair);
}

static mli_status cast_fp32(const mli_tensor *in, mli_tensor *out, uint8_t nan_code, bool nan_flips)
{
    const shape_rule rule = {(uint32_t)MLI_EL_FP_32, MLI_EXT_EL_FLOAT4E2M1, SAME, false};
    mli_status status = check(&rule, in, out);
    uint64_t count = status == MLI_STATUS_OK ? count_of(in) : 0;
    for (uint64_t i = 0; i < count; i++)
        store_small(out, i, 1, to_float4(load32(in, i), nan_code, nan_flips));
    return status;
}

static mli_status cast_small(const mli_tensor *in, mli_tensor *out, uint32_t type,
                             const small *format)
{
    const shape_rule rule = {type, MLI_EXT_EL_FLOAT4E2M1, SAME, width_of(type) == 1};
    mli_status status = check(&rule, in, out);
    uint64_t count = status == MLI_STATUS_OK ? count_of(in) : 0;
    for (uint64_t i = 0; i < count; i++)
        store_small(out, i, 1,
                    to_float4(widen(format, load_small(in, i, width_of(type))), 7, false));
    return status;
}

static mli_status cast_back(const mli_tensor *in, mli_tensor *out, uint32_t type,
                            const small *format)
{
    const shape_rule rule = {MLI_EXT_EL_FLOAT4E2M1, type, SAME, width_of(type) == 1};
    mli_status status = check(&rule, in, out);
    uint64_t count = status == MLI_STATUS_OK ? count_of(in) : 0;
    for (uint64_t i = 0; i < count; i++)
        store_small(out, i, width_of(type), from_float4(format, load_small(in, i, 1)));
    return status;
}

#define CASTS(name, type, format)                                                                  \
    mli_status mli_ext_cast_##name##_float4e2m1(const mli_tensor *in, mli_tensor *out)             \
    {                                                                                              \
        return cast_small(in, out, type, format);                                                  \
    }                                                                                              \
    mli_status mli_ext_cast_float4e2m1_##name(const mli_tensor *in, mli_tensor *out)               \
    {                                                                                              \
        return cast_back(in, out, type, format);                                                   \
    }
CASTS(float16, MLI_EXT_EL_FLOAT16, &half_format)
CASTS(bfloat16, MLI_EXT_EL_BFLOAT16, &brain_format)
CASTS(float8e4m3fn, MLI_EXT_EL_FLOAT8E4M3FN, &e4m3_format)
CASTS(float8e5m2, MLI_EXT_EL_FLOAT8E5M2, &e5m2_format)

mli_status mli_ext_cast_fp32_float4e2m1(const mli_tensor *in, mli_tensor *out)
{
    return cast_fp32(in, out, 7, false);
}

mli_status mli_ext_cast_fp32_float4e2m1_nan_library(const mli_tensor *in, mli_tensor *out)
{
    return cast_fp32(in, out, 8, true);
}

mli_status mli_ext_cast_float4e2m1_fp32(const mli_tensor *in, mli_tensor *out)
{
    const shape_rule rule = {MLI_EXT_EL_FLOAT4E2M1, (uint32_t)MLI_EL_FP_32, SAME, false};
    mli_status status = check(&rule, in, out);
    uint64_t count = status == MLI_STATUS_OK ? count_of(in) : 0;
    for (uint64_t i = 0; i < count; i++)
        store32(out, i, widen(&e2m1_format, load_small(in, i, 1) & 15));
    return status;
}

/* ---- Nibbles ---- */

static mli_status pack(const mli_tensor *in, mli_tensor *out, uint32_t type)
{
    const shape_rule rule = {type, MLI_EXT_EL_PACKED4, TWO_TO_ONE, false};
    mli_status status = check(&rule, in, out);
    uint64_t count = status == MLI_STATUS_OK ? count_of(in) : 0;
    for (uint64_t i = 0; i < count; i += 2) {
        uint32_t low = load_small(in, i, 1);
        uint32_t high = i + 1 < count ? load_small(in, i + 1, 1) : 0;
        store_small(out, i / 2, 1, ((high & 15) << 4) | (low & 15));
    }
    return status;
}

static mli_status unpack(const mli_tensor *in, mli_tensor *out, uint32_t type, uint32_t sign)
{
    const shape_rule rule = {MLI_EXT_EL_PACKED4, type, ONE_TO_TWO, false};
    mli_status status = check(&rule, in, out);
    uint64_t count = status == MLI_STATUS_OK ? count_of(out) : 0;
    for (uint64_t i = 0; i < count; i++) {
        uint32_t nibble = load_small(in, i / 2, 1) >> (i % 2 * 4) & 15;
        store_small(out, i, 1, (nibble ^ sign) - sign); /* sign-extends where sign is 8 */
    }
    return status;
}

#define NIBBLES(name, type, sign)                                                                  \
    mli_status mli_ext_pack_##name(const mli_tensor *in, mli_tensor *out)                          \
    {                                                                                              \
        return pack(in, out, type);                                                                \
    }                                                                                              \
    mli_status mli_ext_unpack_##name(const mli_tensor *in, mli_tensor *out)                        \
    {                                                                                              \
        return unpack(in, out, type, sign);                                                        \
    }
NIBBLES(float4e2m1, MLI_EXT_EL_FLOAT4E2M1, 0)
NIBBLES(int4, MLI_EXT_EL_INT4, 8)
NIBBLES(uint4, MLI_EXT_EL_UINT4, 0)

/* ---- MXFP4 ---- */

static int exponent_of(uint32_t magnitude)
{
    int exponent = (int)(magnitude >> 23) - 127;
    if (exponent > -127)
        return exponent;
    for (exponent = -126; magnitude < 0x800000; exponent--)
        magnitude <<= 1;
    return exponent;
}

static uint32_t scale_of(const mli_tensor *in, uint64_t start)
{
    uint32_t largest = 0;
    for (uint64_t i = start; i < start + BLOCK; i++) {
        uint32_t magnitude = load32(in, i) & 0x7FFFFFFF;
        if (magnitude >= 0x7F800000)
            return SCALE_NAN;
        largest = magnitude > largest ? magnitude : largest;
    }
    int scale = largest == 0 ? 0 : exponent_of(largest) - 2 + SCALE_BIAS;
    return scale < 0 ? 0 : (uint32_t)scale;
}

mli_status mli_ext_mxfp4_scales(const mli_tensor *in, mli_tensor *scales)
{
    const shape_rule rule = {(uint32_t)MLI_EL_FP_32, MLI_EXT_EL_FLOAT8E8M0, BLOCK_TO_ONE, false};
    mli_status status = check(&rule, in, scales);
    uint64_t count = status == MLI_STATUS_OK ? count_of(scales) : 0;
    for (uint64_t b = 0; b < count; b++)
        store_small(scales, b, 1, scale_of(in, b * BLOCK));
    return status;
}

/* A number divided by the scale is the same mantissa with another exponent. */
static uint32_t element_of(uint32_t bits, uint32_t scale)
{
    uint32_t sign = bits >> 31 << 3, magnitude = bits & 0x7FFFFFFF;
    if (magnitude == 0)
        return sign;
    int exponent = exponent_of(magnitude);
    uint32_t mantissa =
        exponent >= -126 ? (magnitude & 0x7FFFFF) | 0x800000 : magnitude << (-126 - exponent);
    return sign | code_of_magnitude(mantissa, exponent - ((int)scale - SCALE_BIAS));
}

mli_status mli_ext_mxfp4_elements(const mli_tensor *in, mli_tensor *elements)
{
    const shape_rule rule = {(uint32_t)MLI_EL_FP_32, MLI_EXT_EL_FLOAT4E2M1, BLOCKS, false};
    mli_status status = check(&rule, in, elements);
    uint64_t count = status == MLI_STATUS_OK ? count_of(in) : 0;
    uint32_t scale = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (i % BLOCK == 0)
            scale = scale_of(in, i);
        store_small(elements, i, 1, scale == SCALE_NAN ? 0 : element_of(load32(in, i), scale));
    }
    return status;
}

static uint32_t value_of(uint32_t scale, uint32_t code)
{
    uint32_t wide = widen(&e2m1_format, code & 15);
    uint32_t sign = wide & 0x80000000, magnitude = wide & 0x7FFFFFFF;
    if (scale == SCALE_NAN)
        return 0x7FC00000;
    if (magnitude == 0)
        return sign;
    int exponent = (int)(magnitude >> 23) + (int)scale - SCALE_BIAS;
    uint32_t fraction = magnitude & 0x7FFFFF;
    if (exponent >= 255)
        return sign | 0x7F800000;
    if (exponent >= 1)
        return sign | (uint32_t)exponent << 23 | fraction;
    return sign | (fraction | 0x800000) >> (1 - exponent); /* two bits at most: nothing is lost */
}

mli_status mli_ext_mxfp4_values(const mli_tensor *scales, const mli_tensor *elements,
                                mli_tensor *out)
{
    if (!is_sound(scales) || !is_sound(elements) || !is_sound(out))
        return MLI_STATUS_BAD_TENSOR;
    if ((uint32_t)scales->el_type != MLI_EXT_EL_FLOAT8E8M0 ||
        (uint32_t)elements->el_type != MLI_EXT_EL_FLOAT4E2M1 || out->el_type != MLI_EL_FP_32)
        return MLI_STATUS_TYPE_MISMATCH;
    if (!is_dense(scales) || !is_dense(elements) || !is_dense(out))
        return MLI_STATUS_INCOMPATEBLE_TENSORS;
    uint64_t count = count_of(elements);
    if (count % BLOCK != 0 || count_of(scales) != count / BLOCK || count_of(out) != count)
        return MLI_STATUS_SIZE_MISMATCH;
    if (!has_room(scales, count / BLOCK) || !has_room(elements, count) || !has_room(out, count))
        return MLI_STATUS_NOT_ENGH_MEM;
    if (overlaps(scales, out) || overlaps(elements, out))
        return MLI_STATUS_INCOMPATEBLE_TENSORS;
    for (uint64_t i = 0; i < count; i++)
        store32(out, i, value_of(load_small(scales, i / BLOCK, 1), load_small(elements, i, 1)));
    return MLI_STATUS_OK;
}
