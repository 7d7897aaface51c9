/* float4e2m1: the cast from binary32 by its limits, packing of nibbles, blocks with a shared scale.
 * Spec: float4.md 2.1, 3, 4.1, 4.2. */
#ifndef LB_REFERENCE_FLOAT4_H
#define LB_REFERENCE_FLOAT4_H

#include "mx.h"

/* Code 0..15 of a binary32 pattern, by counting the limits that it passes: no floating point, no
 * rounding mode. False: a NaN that the rule refuses. */
bool lb_float4_from_float32(uint32_t pattern, lb_nan_rule nan, uint8_t *code);
/* Pattern of a code 0..15 in binary32. */
uint32_t lb_float4_to_float32(uint8_t code);

/* ---- Nibbles: element 2k is the low one of byte k (float4.md 3) ---- */

size_t lb_nibble_bytes(size_t count);
/* Only the low four bits of an element count. The unused nibble behind an odd count is 0. */
void lb_nibbles_pack(const uint8_t *elements, size_t count, uint8_t *bytes);

typedef enum lb_unpack_result {
    LB_UNPACK_OK,
    LB_UNPACK_PADDING, /* all elements are there; the unused nibble is not 0 */
    LB_UNPACK_TOO_SHORT,
    LB_UNPACK_TOO_LONG
} lb_unpack_result;

/* "ok", "padding-nonzero", "too-short", "too-long" */
const char *lb_unpack_result_name(lb_unpack_result result);
/* Elements 0..15. Nothing is written where the length is wrong. */
lb_unpack_result lb_nibbles_unpack(const uint8_t *bytes, size_t byte_count, size_t count,
                                   uint8_t *elements);

/* int4 and uint4 from real numbers: nearest, ties to even, saturating (float4.md 4.1). False for
 * NaN. */
bool lb_int4_from_float32(uint32_t pattern, bool is_signed, int8_t *value);
/* The element of a nibble: sign-extended, or as it is. */
int8_t lb_int4_of_nibble(uint8_t nibble, bool is_signed);

/* ---- MXFP4: 32 elements and one scale of 8 bits, 2^(byte - 127), 255: NaN (float4.md 4.2) ---- */

/* The scale of a block by the rule "floor of log2 of the largest, minus 2". */
uint8_t lb_mx_scale(const uint32_t patterns[LB_MX_BLOCK]);
/* The block's codes at that scale. A block with NaN or infinity has the scale 255, and codes 0. */
uint8_t lb_mx_encode(const uint32_t patterns[LB_MX_BLOCK], uint8_t codes[LB_MX_BLOCK]);
/* The binary32 pattern of scale * element; beyond binary32: infinity. */
uint32_t lb_mx_decode(uint8_t scale, uint8_t code);

#endif
