/* Blocks of OCP Microscaling 1.0: 32 elements and one scale of 8 bits, 2^(byte - 127), 255: NaN;
 * and elements packed bit by bit. Spec: float4.md 4.2, 4.5. */
#ifndef LB_REFERENCE_MX_H
#define LB_REFERENCE_MX_H

#include "small_float.h"

enum { LB_MX_BLOCK = 32, LB_MX_NAN = 255 };

typedef struct lb_mx_format {
    const char *name; /* "mxfp6e2m3" */
    lb_float_type element;
    int top_exponent; /* of its largest number */
} lb_mx_format;

extern const lb_mx_format lb_mx_formats[]; /* ended by one without a name */
/* The format of this name, or NULL. */
const lb_mx_format *lb_mx_format_of(const char *name);

/* The exponent of the scale, from the largest magnitude of the block: e, the top exponent of the
 * elements, is taken away from */
typedef enum lb_mx_rule {
    LB_MX_FLOOR, /* floor(log2(largest)), the rule of the standard: up to twice too large, saturated
                  */
    LB_MX_CEIL,  /* ceil(log2(largest)) */
    LB_MX_EVEN,  /* floor(log2(largest rounded to the fraction bits of the elements, halves up)) */
    LB_MX_FIT    /* no e: the least exponent with which no element saturates */
} lb_mx_rule;

/* The scale of a block of binary32 patterns: LB_MX_NAN where NaN or infinity is among them, 0 where
 * all are zeros. */
uint8_t lb_mx_block_scale(const lb_mx_format *format, lb_mx_rule rule,
                          const uint32_t patterns[LB_MX_BLOCK]);
/* The block's codes at that scale. A block with NaN or infinity has the scale 255, and codes 0. */
uint8_t lb_mx_block_encode(const lb_mx_format *format, lb_mx_rule rule,
                           const uint32_t patterns[LB_MX_BLOCK], uint8_t codes[LB_MX_BLOCK]);
/* The binary32 pattern of scale * element; beyond binary32: infinity. */
uint32_t lb_mx_block_decode(const lb_mx_format *format, uint8_t scale, uint8_t code);

/* Bytes of so many elements of 4, 6 or 8 bits. */
size_t lb_bits_bytes(size_t count, unsigned bits);
/* Element i lies in the bits from i * bits on, the low bits of a byte first; what is left over is
 * 0.
 */
void lb_bits_pack(const uint8_t *elements, size_t count, unsigned bits, uint8_t *bytes);
uint8_t lb_bits_at(const uint8_t *bytes, size_t i, unsigned bits);

#endif
