/* Domains of eltwise add, sub, mul, min and max on 8 bits: all pairs of operands at once. Spec:
 * elementwise.md 5; names of numbers as there: f, s, z are frac_bits, scale and zero point; 1, 2, o
 * stand for in1, in2, out. */
#include "domains.h"

#include <stdlib.h>

enum { CAP_FX8 = 15, CAP_PICK_FX8 = 7 }; /* of the shift right (elementwise.md 5) */

/* ---- fx8 ---- */

static int clamp_8(int v)
{
    return v < -128 ? -128 : v > 127 ? 127 : v;
}

/* Formats with these differences: f1 - f2, and the larger of them - fo. */
static void add_formats(int difference, int shift, int *n)
{
    n[0] = difference >= 0 ? shift : shift + difference;
    n[1] = difference >= 0 ? shift - difference : shift;
    n[2] = 0;
}

enum { MAX_DIFFERENCE = 24, SHIFT_LOW = -8, SHIFT_HIGH = CAP_FX8 + 1 };

/* The least shift at which the operand that is moved left by `difference` can still bring anything
 * but the ends. */
static int least_shift(int difference)
{
    int shift = abs(difference) - 9;
    return shift < SHIFT_LOW ? SHIFT_LOW : shift;
}

static void make_add(int first, size_t point, int *n)
{
    (void)first;
    int difference = -MAX_DIFFERENCE;
    for (; point > (size_t)(SHIFT_HIGH - least_shift(difference)); difference++)
        point -= (size_t)(SHIFT_HIGH - least_shift(difference)) + 1;
    add_formats(difference, least_shift(difference) + (int)point, n);
}

enum { ADD_COUNT = 673 }; /* 25 at no difference, 25 + 24 + ... + 2 on either side */

static const int far_add_differences[] = {25, 26, 31, 32, 33, 64, 127, 255};
static const int far_add_shifts[] = {-9, 0, 7, 15, 16, 17, 32};
static const int far_shifts[] = {-255, -128, -64, -33, -32, -31, -24, -17, -16, 17,
                                 24,   31,   32,  33,  63,  64,  65,  128, 255};

/* Differences past the region, to both sides, as far as eight bits let them be. */
static void make_far_add(int first, size_t point, int *n)
{
    (void)first;
    size_t shifts = LB_COUNT_OF(far_add_shifts);
    int difference = far_add_differences[point / (2 * shifts)],
        shift = far_add_shifts[point / 2 % shifts];
    int high = shift < 0 ? 127 + shift : 127;
    n[0] = point & 1 ? high : clamp_8(high - difference);
    n[1] = point & 1 ? clamp_8(high - difference) : high;
    n[2] = high - shift;
}

static void make_far_shift(int first, size_t point, int *n)
{
    (void)first;
    lb_axis_split(far_shifts[point], &n[0], &n[2]);
    n[1] = n[0];
}

/* Every f1 + f2 - fo, in two ways. */
static void make_mul(int first, size_t point, int *n)
{
    int shift = first + (int)(point / 2);
    n[0] = point & 1 ? 0 : shift;
    n[1] = point & 1 ? shift - 5 : 0;
    n[2] = point & 1 ? -5 : 0;
}

/* clang-format off */
#define FAR_DIFFERENCES -255, -128, -127, -64, 64, 127, 128, 255
#define SCALARS -128, -127, -64, -1, 0, 1, 2, 63, 64, 126, 127
#define OF_FORMATS   "f1", "f2", "fo"
#define FORMATS(...) LB_THREE("f1", "f2", "fo", __VA_ARGS__)
#define SCALAR       LB_RANGE("scalar", 1, 2), LB_ONE("value", SCALARS)
#define SCALAR_WORDS "either operand one of 11 scalars, the other all 256 inputs, in 3 formats"

static const lb_domain_block add_fx8[] = {
    {"", "all 65,536 pairs at every difference of frac_bits of the operands up to 24 with every shift to out: from where all but 0 saturate to beyond the cap at 15 (elementwise.md 5)",
     LB_ALL_PAIRS, LB_LAY_PAIRS, .axes = {LB_MADE(ADD_COUNT, 0, make_add, OF_FORMATS)}},
    {"far", "differences from 25 to 255 on both sides, where the operand saturates at 32 bits, with 7 shifts",
     LB_ALL_PAIRS, LB_LAY_PAIRS, .axes = {LB_MADE(2 * LB_COUNT_OF(far_add_differences) * LB_COUNT_OF(far_add_shifts), 0, make_far_add, OF_FORMATS)}},
    {"far_shift", "equal frac_bits with 19 shifts from -255 to 255",
     LB_ALL_PAIRS, LB_LAY_PAIRS, .axes = {LB_MADE(LB_COUNT_OF(far_shifts), 0, make_far_shift, OF_FORMATS)}},
    {"scalar",
     SCALAR_WORDS,
     LB_ALL_OF_8, LB_LAY_SCALAR, .axes = {SCALAR, FORMATS({4, 4, 4}, {7, 4, 3}, {2, 5, 4})}},
    {0},
};

static const lb_domain_block mul_fx8[] = {
    {"", "all 65,536 pairs with every shift f1 + f2 - fo from -40 to 40, in two ways each: results differ from -7 to the cap at 15 (elementwise.md 5)",
     LB_ALL_PAIRS, LB_LAY_PAIRS, .axes = {LB_MADE(2 * 81, -40, make_mul, OF_FORMATS)}},
    {"far", "6 shifts from -383 to 382",
     LB_ALL_PAIRS, LB_LAY_PAIRS, .axes = {FORMATS({-128, -128, 127}, {127, 127, -128}, {127, 127, 127}, {-128, -128, -128}, {127, -128, -16}, {-128, 127, 15})}},
    {"scalar",
     SCALAR_WORDS,
     LB_ALL_OF_8, LB_LAY_SCALAR, .axes = {SCALAR, FORMATS({4, 4, 4}, {7, 7, 7}, {2, 5, 2})}},
    {0},
};

static const lb_domain_block pick_fx8[] = {
    {"", "all 65,536 pairs with every shift f1 - fo from -40 to 40 and 8 far beyond: results differ from -7 to the cap at 7 (elementwise.md 5)",
     LB_ALL_PAIRS, LB_LAY_PAIRS, .axes = {LB_SPLIT_AND(-40, 40, "f1", "fo", FAR_DIFFERENCES)}},
    {"scalar",
     SCALAR_WORDS,
     LB_ALL_OF_8, LB_LAY_SCALAR, .axes = {SCALAR, LB_TWO("f1", "fo", {4, 4}, {7, 5}, {3, 5})}},
    {0},
};
/* clang-format on */

/* ---- sa8 ---- */

/* With full mantissas the shift is f1 - fo + 14 or so: from -8 on all differences but 0 saturate,
 * from 10 on all of 9 bits vanish. */
enum { RATIO_LOW = -9, RATIO_HIGH = 10 };

/* f1 + f2 - fo. With full mantissas the shift of mul is that number or one less: from 6 on not all
 * saturate, from 33 on all vanish; 22 to 24 are the borders of the bits lost before the product is
 * scaled (elementwise.md 5). Small mantissas: with 1 * 1 / 32767 all saturate up to -24, with 32767
 * * 32767 / 1 all vanish from 47 on. */
enum { PRODUCT_LOW = 3, PRODUCT_HIGH = 36, SMALL_PRODUCT_LOW = -24, SMALL_PRODUCT_HIGH = 48 };

static void make_products(int first, size_t point, int *n)
{
    int shift = first + (int)point;
    n[0] = shift / 2;
    n[1] = shift - shift / 2;
    n[2] = 0;
}

/* clang-format off */
#define FAR_RATIOS {127, 127, -128}, {127, -128, -128}, {-128, 127, -128}, {-128, -128, 127}, {127, -128, 127}, {-128, 127, 127}, {64, 0, 0}, {0, 64, 0}, {-64, 0, 0}, {0, -64, 0}, {32, 0, 0}, {0, 32, 0}, {-32, 0, 0}, {0, -32, 0}, {24, 1, 0}, {1, 24, 0}, {-24, 1, 0}, {1, -24, 0}, {17, 16, 0}, {-45, -46, 0}, {-47, 0, 0}, {0, -47, 0}
#define FEW_RATIOS {0, 0, 0}, {-4, 3, 0}, {6, -2, 0}
#define THREE_SCALES {16384, 16384, 16384}, {16385, 32767, 21845}, {32767, 20001, 16385}
#define ONE_SCALES {16385, 32767, 21845}
#define MORE_SCALES {1, 1, 1}, {1, 1, 32767}, {32767, 32767, 1}, {1, 32767, 3}, {3, 2, 7}, {32767, 1, 32767}, {23170, 23171, 23169}, {255, 257, 2}
#define ONE_ZERO_POINTS {3, -4, 5}
#define ZERO    0
#define CLASSES -128, -1, 0, 1, 127
#define ONE_PICK_ZERO_POINTS {3, -4}
#define SCALES(...)      LB_THREE("s1", "s2", "so", __VA_ARGS__)
#define ZERO_POINTS(...) LB_THREE("z1", "z2", "zo", __VA_ARGS__)
#define RATIOS LB_RANGE("f1", RATIO_LOW, RATIO_HIGH), LB_RANGE("f2", RATIO_LOW, RATIO_HIGH), LB_ONE("fo", ZERO)
#define PICK_SCALES(...)      LB_TWO("s1", "so", __VA_ARGS__)
#define PICK_ZERO_POINTS(...) LB_TWO("z1", "zo", __VA_ARGS__)

static const lb_domain_block add_sa8[] = {
    {"", "all 65,536 pairs with every pair of shifts of the operands: from where all differences but 0 saturate to where all of 9 bits vanish, at 2 triples of scales (elementwise.md "
     "5)",
     LB_ALL_PAIRS, LB_LAY_PAIRS, .axes = {RATIOS, SCALES({16385, 32767, 21845}, {32767, 20001, 16385}), ZERO_POINTS(ONE_ZERO_POINTS)}},
    {"far", "22 shifts far beyond, to both sides and to their ends",
     LB_ALL_PAIRS, LB_LAY_PAIRS, .axes = {FORMATS(FAR_RATIOS), SCALES(THREE_SCALES), ZERO_POINTS(ONE_ZERO_POINTS)}},
    {"scales", "8 more triples of scales, small and lopsided ones among them, with 22 shifts",
     LB_ALL_PAIRS, LB_LAY_PAIRS, .axes = {FORMATS(FAR_RATIOS), SCALES(MORE_SCALES), ZERO_POINTS(ONE_ZERO_POINTS)}},
    {"zero_points", "every triple of zero points out of -128, -1, 0, 1, 127, with 3 shifts",
     LB_ALL_PAIRS, LB_LAY_PAIRS, .axes = {FORMATS(FEW_RATIOS), SCALES(ONE_SCALES), LB_ONE("z1", CLASSES), LB_ONE("z2", CLASSES), LB_ONE("zo", CLASSES)}},
    {"scalar",
     SCALAR_WORDS,
     LB_ALL_OF_8, LB_LAY_SCALAR, .axes = {SCALAR, FORMATS(FEW_RATIOS), SCALES(ONE_SCALES), ZERO_POINTS(ONE_ZERO_POINTS)}},
    {0},
};
#define FEW_PRODUCTS {9, 9, 0}, {12, 11, 0}, {14, 13, 0}

static const lb_domain_block mul_sa8[] = {
    {"", "all 65,536 pairs with every shift: from where all products but 0 saturate to where all vanish, past the borders of the bits lost before the product is scaled, at 3 triples "
     "of scales and 5 of zero points (elementwise.md 5)",
     LB_ALL_PAIRS, LB_LAY_PAIRS, .axes = {LB_MADE(PRODUCT_HIGH - PRODUCT_LOW + 1, PRODUCT_LOW, make_products, OF_FORMATS), SCALES(THREE_SCALES), ZERO_POINTS({0, 0, 0}, {-128, 127, -128}, {127, 127, 127}, {-128, -128, 0}, {17, -1, 1})}},
    {"scales", "8 more triples of scales, small and lopsided ones among them, with 73 shifts",
     LB_ALL_PAIRS, LB_LAY_PAIRS, .axes = {LB_MADE(SMALL_PRODUCT_HIGH - SMALL_PRODUCT_LOW + 1, SMALL_PRODUCT_LOW, make_products, OF_FORMATS), SCALES(MORE_SCALES), ZERO_POINTS(ONE_ZERO_POINTS)}},
    {"far", "4 shifts to their ends",
     LB_ALL_PAIRS, LB_LAY_PAIRS, .axes = {FORMATS({-128, -128, 127}, {127, 127, -128}, {127, 127, 127}, {-128, -128, -128}), SCALES(THREE_SCALES), ZERO_POINTS({0, 0, 0}, {-128, 127, -128})}},
    {"zero_points", "every triple of zero points out of -128, -1, 0, 1, 127, with 3 shifts",
     LB_ALL_PAIRS, LB_LAY_PAIRS, .axes = {FORMATS(FEW_PRODUCTS), SCALES(ONE_SCALES), LB_ONE("z1", CLASSES), LB_ONE("z2", CLASSES), LB_ONE("zo", CLASSES)}},
    {"scalar",
     SCALAR_WORDS,
     LB_ALL_OF_8, LB_LAY_SCALAR, .axes = {SCALAR, FORMATS(FEW_PRODUCTS), SCALES(ONE_SCALES), ZERO_POINTS(ONE_ZERO_POINTS)}},
    {0},
};

static const lb_domain_block pick_sa8[] = {
    {"", "all 65,536 pairs with every shift: from where all differences but 0 saturate to where all of 9 bits vanish, at 6 pairs of scales and 5 of zero points (elementwise.md 5)",
     LB_ALL_PAIRS, LB_LAY_PAIRS, .axes = {LB_SPLIT(RATIO_LOW - 1, RATIO_HIGH + 1, 1, "f1", "fo"), PICK_SCALES({16384, 16384}, {16385, 32767}, {32767, 16385}, {21845, 20001}, {27001, 30011}, {32767, 32766}), PICK_ZERO_POINTS({0, 0}, {-128, -128}, {127, -128}, {-128, 127}, {-1, 5})}},
    {"scales", "4 more pairs of scales, small and lopsided ones, with shifts from -34 to 34 and 8 far beyond",
     LB_ALL_PAIRS, LB_LAY_PAIRS, .axes = {LB_SPLIT_AND(-34, 34, "f1", "fo", FAR_DIFFERENCES), PICK_SCALES({1, 1}, {1, 32767}, {32767, 1}, {3, 257}),
         PICK_ZERO_POINTS(ONE_PICK_ZERO_POINTS)}},
    {"scalar",
     SCALAR_WORDS,
     LB_ALL_OF_8, LB_LAY_SCALAR, .axes = {SCALAR, LB_TWO("f1", "fo", {0, 0}, {1, 4}, {5, 3}), PICK_SCALES({16385, 32767}), PICK_ZERO_POINTS(ONE_PICK_ZERO_POINTS)}},
    {0},
};

const lb_domain lb_mli_domains_eltwise[] = {
    {add_sa8, LB_PATTERN_PAIR, .in_type = LB_SA8, .ops = 1 << LB_OP_ADD | 1 << LB_OP_SUB},
    {add_fx8, LB_PATTERN_PAIR, .in_type = LB_FX8, .ops = 1 << LB_OP_ADD | 1 << LB_OP_SUB},
    {mul_sa8, LB_PATTERN_PAIR, .in_type = LB_SA8, .ops = 1 << LB_OP_MUL},
    {mul_fx8, LB_PATTERN_PAIR, .in_type = LB_FX8, .ops = 1 << LB_OP_MUL},
    {pick_sa8, LB_PATTERN_PAIR, .in_type = LB_SA8, .ops = 1 << LB_OP_MIN | 1 << LB_OP_MAX},
    {pick_fx8, LB_PATTERN_PAIR, .in_type = LB_FX8, .ops = 1 << LB_OP_MIN | 1 << LB_OP_MAX},
    {0},
};
/* clang-format on */
