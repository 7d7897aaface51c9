/* Domains of relu, sigm and tanh. Spec: elementwise.md 3, numerics.md 6, recurrent.md 4. */
#include "domains.h"

/* clang-format off */
#define INPUTS_8(REST)  "all 256 inputs" REST, LB_ALL_OF_8, LB_LAY_ALL
#define INPUTS_16(REST) "all 65,536 inputs" REST, LB_ALL_OF_16, LB_LAY_ALL
#define FRACS           LB_RANGE("frac_bits", -128, 127)
#define ZERO_POINTS     LB_RANGE("zero_point", -128, 127)
#define OF_RELU " at every frac_bits, for the relu types 0 to 3 and for 4, which is none (elementwise.md 3)"
/* clang-format on */

/* ---- relu ---- */

static const lb_domain_block relu_fx8[] = {
    {"", INPUTS_8(OF_RELU), .axes = {LB_RANGE("type", 0, 4), FRACS}}, {0}};
static const lb_domain_block relu_fx16[] = {
    {"", INPUTS_16(OF_RELU), .axes = {LB_RANGE("type", 0, 4), FRACS}}, {0}};

/* ---- relu_sa8: the result depends on two limits alone, and these on zero point, type and the
 * number called six or one ---- */

enum { RELU1 = 2, RELU6 = 3 };

/* A format in which floor(real * 2^frac / scale) is `quotient`: the largest frac where that can be
 * (below the border at which the limit is replaced), and a scale that brings the true quotient to
 * just below the next number (a limit that is rounded is found) or to just above this one. n = zero
 * point, quotient; behind them go relu type, scale and scale_frac_bits */
static void add_format(int type, int *n)
{
    const int real = type == RELU6 ? 6 : 1, quotient = n[1];
    const bool below_next = (n[0] + quotient) & 1 || quotient == 0;
    int64_t scale = 0;
    int frac = type == RELU6 ? 28 : 30;
    do {
        frac--;
        int64_t numerator = (int64_t)real << frac;
        scale = below_next ? numerator / (quotient + 1) + 1 : numerator / quotient;
    } while (scale > INT16_MAX);
    n[2] = type;
    n[3] = (int)scale;
    n[4] = frac;
}

static int lesser(int a, int b)
{
    return a < b ? a : b;
}

/* The last number that moves a limit: of relu6 beyond the range, of relu1 where one of the two
 * limits is an end of it. */
static int last_of(int type, int zero_point)
{
    const int above = 127 - zero_point;
    return (type == RELU6 ? above : lesser(above, zero_point + 128)) + 1;
}

/* Point by point: for every zero point the numbers from 0 to the last. */
static void make_limits(int first, size_t point, int *numbers)
{
    int zero_point = -128;
    for (; point > (size_t)last_of(first, zero_point); zero_point++)
        point -= (size_t)last_of(first, zero_point) + 1;
    numbers[0] = zero_point;
    numbers[1] = (int)point;
    add_format(first, numbers);
}

/* The numbers at which the second limit reaches its end too. */
static void make_one_beyond(int first, size_t point, int *numbers)
{
    numbers[0] = (int)(point / 3) - 128;
    numbers[1] = 256 - last_of(first, numbers[0]) - 1 + (int)(point % 3);
    add_format(first, numbers);
}

/* With the zero point at an end, one limit stands and the other takes every value. */
static void make_one_from_end(int first, size_t point, int *numbers)
{
    numbers[0] = point < 256 ? -128 : 127;
    numbers[1] = (int)(point % 256) + 1;
    add_format(first, numbers);
}

enum {
    SIX_COUNT = 33152, /* sum of last_of + 1: 257 + 256 + ... + 2 */
    ONE_COUNT = 16768, /* the same: twice 2 + 3 + ... + 129 */
};

/* clang-format off */
#define LIMITS(COUNT, TYPE, MAKE, NAME) \
    {.names = {"zero_point", NAME, "type", "scale", "scale_frac_bits"}, .hidden = 3, .count = COUNT, .first = TYPE, .make = MAKE}

static const lb_domain_block relu_sa8[] = {
    {"", "all 256 inputs at every zero point, for the relu types without an upper limit: 0, 1, and 4, which is none (elementwise.md 3)",
     LB_ALL_OF_8, LB_LAY_ALL, .axes = {LB_ONE("type", 0, 1, 4), ZERO_POINTS}},
    {"relu6", "relu6 at every zero point with every distinct pair of limits: six from 0 to one beyond the range, by scales that bring the quotient just below the next number or just above "
     "this one (numerics.md 6)",
     LB_ALL_OF_8, LB_LAY_ALL, .axes = {LIMITS(SIX_COUNT, RELU6, make_limits, "six")}},
    {"relu1", "relu1 at every zero point with every distinct pair of limits: one from 0 to where the first limit is an end of the range",
     LB_ALL_OF_8, LB_LAY_ALL, .axes = {LIMITS(ONE_COUNT, RELU1, make_limits, "one")}},
    {"relu1_far", "relu1 at every zero point where the second limit reaches its end, too",
     LB_ALL_OF_8, LB_LAY_ALL, .axes = {LIMITS(256 * 3, RELU1, make_one_beyond, "one")}},
    {"relu1_end", "relu1 at the zero points -128 and 127, where one limit stands at its end and the other takes every value",
     LB_ALL_OF_8, LB_LAY_ALL, .axes = {LIMITS(256 * 2, RELU1, make_one_from_end, "one")}},
    {"border", "relu1 and relu6 with scale_frac_bits from below 0 to beyond the borders at 28 and 30, where the limit is replaced, at 7 zero points and 7 scales (numerics.md 6)",
     LB_ALL_OF_8, LB_LAY_ALL, .axes = {LB_ONE("type", RELU1, RELU6), LB_ONE("zero_point", -128, -127, -1, 0, 1, 126, 127), LB_ONE("scale", 1, 2, 3, 6, 7, 16384, 32767),
         LB_RANGE_AND("scale_frac_bits", -4, 32, -128, -64, 127)}},
    {0},
};
/* clang-format on */

/* ---- sigm and tanh ---- */

static const lb_domain_block activation_fx8[] = {
    {"", INPUTS_8(" at every frac_bits (recurrent.md 4)"), .axes = {FRACS}}, {0}};
static const lb_domain_block activation_fx16[] = {
    {"", INPUTS_16(" at every frac_bits (recurrent.md 4)"), .axes = {FRACS}}, {0}};

/* clang-format off */
/* The zero point moves the 256 inputs along the 511 differences that there are: -128 and 127 alone
 * bring them all.
 * recurrent.md 4: the shift is scale_frac_bits - 12 (sigm) or - 13 (tanh). Left by 32 every
 * difference but 0 saturates, even at scale 1; right by 32 every result is the middle of the table.
 */
static const lb_domain_block activation_sa8[] = {
    {"", "all 511 differences of input and zero point (zero points -128, -1, 0, 127) with every shift that matters: scale_frac_bits -24 to 47 and three far beyond, at 12 scales "
     "(recurrent.md 4)",
     LB_ALL_OF_8, LB_LAY_ALL, .axes = {LB_ONE("zero_point", -128, -1, 0, 127), LB_ONE("scale", 1, 2, 3, 255, 257, 16384, 16385, 21845, 23170, 27001, 32766, 32767),
         LB_RANGE_AND("scale_frac_bits", -24, 47, -128, -64, 127)}},
    {"zero_points", "all 256 inputs at every zero point, at 2 scales with 3 scale_frac_bits",
     LB_ALL_OF_8, LB_LAY_ALL, .axes = {ZERO_POINTS, LB_ONE("scale", 16385, 32767), LB_ONE("scale_frac_bits", 13, 17, 20)}},
    {0},
};

const lb_domain lb_mli_domains_unary[] = {
    {relu_sa8, LB_PATTERN_LIMITS, .config_kind = LB_CONFIG_RELU, .in_type = LB_SA8},
    {relu_fx8, LB_PATTERN_LIMITS, .config_kind = LB_CONFIG_RELU, .in_type = LB_FX8},
    {relu_fx16, LB_PATTERN_LIMITS, .config_kind = LB_CONFIG_RELU, .in_type = LB_FX16},
    {activation_sa8, LB_PATTERN_CURVE, .in_type = LB_SA8},
    {activation_fx8, LB_PATTERN_CURVE, .in_type = LB_FX8},
    {activation_fx16, LB_PATTERN_CURVE, .in_type = LB_FX16},
    {0},
};
/* clang-format on */
