/* float4e2m1 and what comes packed in nibbles: see float4.h. */
#include "float4.h"

#include <math.h>

bool lb_float4_from_float32(uint32_t pattern, lb_nan_rule nan, uint8_t *code)
{
    uint32_t magnitude = pattern & 0x7FFFFFFF;
    uint32_t sign = pattern >> 31;
    if (magnitude > 0x7F800000) {
        *code = nan == LB_NAN_LIBRARY ? (sign ? 0 : 8) : 7;
        return nan != LB_NAN_ERROR;
    }
    static const uint32_t limits[7] = {
        0x3E800001, 0x3F400000, 0x3FA00001, 0x3FE00000,
        0x40200001, 0x40600000, 0x40A00001}; /* the first pattern of each code from 1 on */
    uint32_t passed = 0;
    for (unsigned i = 0; i < 7; i++)
        passed += magnitude >= limits[i] ? 1u : 0u;
    *code = (uint8_t)(passed | sign << 3);
    return true;
}

uint32_t lb_float4_to_float32(uint8_t code)
{
    static const uint32_t magnitudes[8] = {0x00000000, 0x3F000000, 0x3F800000, 0x3FC00000,
                                           0x40000000, 0x40400000, 0x40800000, 0x40C00000};
    return magnitudes[code & 7] | (uint32_t)(code & 8) << 28;
}

/* ---- Nibbles ---- */

size_t lb_nibble_bytes(size_t count)
{
    return count / 2 + count % 2;
}

void lb_nibbles_pack(const uint8_t *elements, size_t count, uint8_t *bytes)
{
    for (size_t i = 0; i < count; i += 2) {
        unsigned low = elements[i] & 15u;
        unsigned high = i + 1 < count ? elements[i + 1] & 15u : 0;
        bytes[i / 2] = (uint8_t)((high << 4) | low);
    }
}

const char *lb_unpack_result_name(lb_unpack_result result)
{
    static const char *const names[] = {"ok", "padding-nonzero", "too-short", "too-long"};
    return names[result];
}

lb_unpack_result lb_nibbles_unpack(const uint8_t *bytes, size_t byte_count, size_t count,
                                   uint8_t *elements)
{
    size_t due = lb_nibble_bytes(count);
    if (byte_count != due)
        return byte_count < due ? LB_UNPACK_TOO_SHORT : LB_UNPACK_TOO_LONG;
    for (size_t i = 0; i < count; i++)
        elements[i] = i % 2 == 0 ? bytes[i / 2] & 15 : bytes[i / 2] >> 4;
    return count % 2 == 1 && bytes[due - 1] >> 4 != 0 ? LB_UNPACK_PADDING : LB_UNPACK_OK;
}

bool lb_int4_from_float32(uint32_t pattern, bool is_signed, int8_t *value)
{
    double real = lb_float_value(LB_FLOAT32, pattern);
    double low = is_signed ? -8 : 0;
    double high = is_signed ? 7 : 15;
    if (isnan(real))
        return false;
    *value = (int8_t)(real < low ? low : real > high ? high : rint(real));
    return true;
}

int8_t lb_int4_of_nibble(uint8_t nibble, bool is_signed)
{
    int value = nibble & 15;
    return (int8_t)(is_signed && value >= 8 ? value - 16 : value);
}

/* ---- MXFP4 ---- */

static const lb_mx_format mxfp4 = {"mxfp4", LB_FLOAT4_E2M1, 2};

uint8_t lb_mx_scale(const uint32_t patterns[LB_MX_BLOCK])
{
    return lb_mx_block_scale(&mxfp4, LB_MX_FLOOR, patterns);
}

uint8_t lb_mx_encode(const uint32_t patterns[LB_MX_BLOCK], uint8_t codes[LB_MX_BLOCK])
{
    return lb_mx_block_encode(&mxfp4, LB_MX_FLOOR, patterns, codes);
}

uint32_t lb_mx_decode(uint8_t scale, uint8_t code)
{
    return lb_mx_block_decode(&mxfp4, scale, code & 15);
}
