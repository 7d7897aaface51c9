/* Faults of the extensions for element formats (float4.md): how real numbers become codes of four
 * bits, what codes are worth, how two of them share a byte, and the scales of blocks. The functions
 * tell no steps; what a kernel with the fault writes is worked out here, element by element. */
#include "harness/faults/places.h"
#include "harness/faults/views.h"
#include "reference/mli/float4_function.h"
#include "reference/mli/models.h"

#include <math.h>
#include <string.h>

/* Rows of the table, in its order. */
typedef enum way {
    TIES_AWAY,
    TIES_TO_ZERO,
    TRUNCATES,
    ROUNDS_UP,
    FLUSHES_HALF,
    FLUSHES_BELOW_ONE,
    BEYOND_IS_ZERO,
    BEYOND_WRAPS,
    ZERO_LOSES_SIGN,
    LOSES_SIGN,
    NAN_IS_ZERO,
    NAN_KEEPS_SIGN,
    NAN_OF_OTHER_RULE,
    NAN_SIGN_AS_IS,
    NAN_SIGN_IGNORED,
    THROUGH_BFLOAT16,
    THROUGH_FLOAT16,
    HALF_IS_ZERO,
    HALF_IS_NORMAL,
    ZERO_IS_HALF,
    FIRST_IN_HIGH_BITS,
    ODD_REPEATED,
    ODD_KEPT,
    ODD_ALL_ONES,
    SIGN_NOT_EXTENDED,
    SIGN_EXTENDED,
    SCALE_NEAREST,
    SCALE_UP,
    SCALE_UP_BEYOND_LARGEST,
    SCALE_ONE_MORE,
    SCALE_ONE_LESS,
    SCALE_OF_SIGNED,
    SCALE_OF_FIRST,
    SCALE_OF_NEXT_BLOCK,
    SCALE_OF_HALF_BLOCKS,
    SCALE_NAN_IGNORED,
    SCALE_ZERO_IS_ZERO,
    RESULT_FLUSHED,
    RESULT_HELD,
    WAY_COUNT
} way;

typedef enum float4_job {
    ENCODES, /* a cast to float4e2m1 */
    DECODES, /* a cast from it */
    PACKS,
    UNPACKS,
    MAKES_SCALES, /* of blocks */
    MAKES_CODES,
    MAKES_VALUES
} float4_job;

/* ---- Functions ---- */

static bool job_of(const lb_kernel *kernel, float4_job *job)
{
    const lb_float4_function *f =
        kernel->family == LB_FAMILY_FLOAT4 ? lb_float4_function_of(kernel) : NULL;
    if (kernel->exact == lb_exact_mxfp4_values) {
        *job = MAKES_VALUES;
        return true;
    }
    if (!f)
        return false;
    *job = f->kind == LB_FLOAT4_CAST        ? (f->to == LB_FLOAT4_E2M1 ? ENCODES : DECODES)
           : f->kind == LB_FLOAT4_PACK      ? PACKS
           : f->kind == LB_FLOAT4_UNPACK    ? UNPACKS
           : f->kind == LB_FLOAT4_MX_SCALES ? MAKES_SCALES
                                            : MAKES_CODES;
    return true;
}

static uint32_t bits_at(const lb_tensor *t, size_t i)
{
    unsigned bytes = lb_storage_bytes(t->el_type);
    uint32_t bits = 0;
    if (bytes == 4)
        memcpy(&bits, (const unsigned char *)t->data.mem.ptr + 4 * i, 4);
    else
        bits = (uint32_t)lb_load(t, i) & (bytes == 2 ? 0xFFFFu : 0xFFu);
    return bits;
}

static void put_bits(lb_tensor *t, size_t i, uint32_t bits)
{
    if (lb_storage_bytes(t->el_type) == 4)
        memcpy((unsigned char *)t->data.mem.ptr + 4 * i, &bits, 4);
    else
        lb_store(t, i, bits);
}

/* ---- Numbers to codes ---- */

static const double values[8] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};

static bool goes_up(way w, double v, unsigned low)
{
    double middle = (values[low] + values[low + 1]) / 2;
    switch (w) {
    case TIES_AWAY:
        return v >= middle;
    case TIES_TO_ZERO:
        return v > middle;
    case TRUNCATES:
        return false;
    case ROUNDS_UP:
        return v > values[low];
    default:
        return v > middle || (v == middle && (low & 1) != 0);
    }
}

static uint32_t code_of_finite(way w, double v, bool negative)
{
    uint32_t sign = negative && w != LOSES_SIGN ? 8 : 0, low = 0;
    while (low < 7 && values[low + 1] <= v)
        low++;
    if (w == BEYOND_IS_ZERO && v > 6)
        return sign;
    if (w == BEYOND_WRAPS && v >= 7)
        return sign ^ 8;
    uint32_t code = low + (low < 7 && goes_up(w, v, low));
    if ((w == FLUSHES_HALF && code == 1) || (w == FLUSHES_BELOW_ONE && v < 1))
        code = 0;
    return code == 0 && w == ZERO_LOSES_SIGN ? 0 : sign | code;
}

static uint32_t code_of_nan(way w, bool negative, lb_nan_rule rule)
{
    bool library = (rule == LB_NAN_LIBRARY) != (w == NAN_OF_OTHER_RULE);
    if (w == NAN_IS_ZERO)
        return 0;
    if (w == NAN_KEEPS_SIGN)
        return negative ? 15 : 7;
    if (library && w == NAN_SIGN_IGNORED)
        return 8;
    return library ? (negative != (w == NAN_SIGN_AS_IS) ? 0 : 8) : 7;
}

static uint32_t code_of(way w, lb_float number, lb_nan_rule rule)
{
    if (number.kind == LB_FLOAT_NAN)
        return code_of_nan(w, number.negative, rule);
    double v = number.kind == LB_FLOAT_INFINITE ? (double)INFINITY
                                                : ldexp((double)number.mantissa, number.exponent);
    return code_of_finite(w, v, number.negative);
}

static lb_float through(lb_float_type from, lb_float_type to, uint32_t pattern)
{
    uint32_t between;
    lb_float_cast(from, to, pattern, LB_NAN_DOCUMENT, LB_OVERFLOW_OF_TYPE, &between);
    return lb_float_unpack(to, between);
}

static uint32_t encoded(way w, const lb_float4_function *f, uint32_t pattern)
{
    lb_float number = lb_float_unpack(f->from, pattern);
    if (w == THROUGH_BFLOAT16 || w == THROUGH_FLOAT16)
        number = through(f->from, w == THROUGH_BFLOAT16 ? LB_BFLOAT16 : LB_FLOAT16, pattern);
    return code_of(w, number, f->nan);
}

/* ---- Codes to numbers ---- */

/* The number of a code, mantissa in halves. */
static lb_float number_of(way w, uint32_t code)
{
    lb_float number = lb_float_unpack(LB_FLOAT4_E2M1, code & 15);
    bool is_half = (code & 7) == 1, is_zero = (code & 7) == 0;
    if (is_half && w == HALF_IS_ZERO)
        number.mantissa = 0;
    if (is_half && w == HALF_IS_NORMAL)
        number = (lb_float){.negative = number.negative, .mantissa = 3, .exponent = -2};
    if (is_zero && w == ZERO_IS_HALF)
        number = (lb_float){.negative = number.negative, .mantissa = 1, .exponent = -1};
    if (w == LOSES_SIGN || (is_zero && w == ZERO_LOSES_SIGN))
        number.negative = false;
    return number;
}

static uint32_t decoded(way w, const lb_float4_function *f, uint32_t code)
{
    uint32_t pattern;
    lb_float_pack(f->to, number_of(w, code), LB_NAN_DOCUMENT, LB_OVERFLOW_OF_TYPE, &pattern);
    return pattern;
}

/* ---- Two in a byte ---- */

static void pack(way w, const lb_tensor *in, lb_tensor *out)
{
    size_t count = lb_element_count(in);
    for (size_t i = 0; i < count; i += 2) {
        uint32_t low = bits_at(in, i) & 15, before = bits_at(out, i / 2);
        uint32_t alone = w == ODD_REPEATED   ? low
                         : w == ODD_KEPT     ? before >> 4
                         : w == ODD_ALL_ONES ? 15
                                             : 0;
        uint32_t high = i + 1 < count ? bits_at(in, i + 1) & 15 : alone;
        put_bits(out, i / 2, w == FIRST_IN_HIGH_BITS ? low << 4 | high : high << 4 | low);
    }
}

static void unpack(way w, const lb_tensor *in, lb_tensor *out)
{
    size_t count = lb_element_count(out);
    for (size_t i = 0; i < count; i++) {
        bool in_high = (i % 2 == 1) != (w == FIRST_IN_HIGH_BITS);
        uint32_t nibble = bits_at(in, i / 2) >> (in_high ? 4 : 0) & 15;
        bool is_signed = (out->el_type == LB_EL_INT4 && w != SIGN_NOT_EXTENDED) ||
                         (out->el_type != LB_EL_INT4 && w == SIGN_EXTENDED);
        put_bits(out, i, is_signed && nibble >= 8 ? nibble | 0xF0 : nibble);
    }
}

/* ---- Blocks ---- */

static uint32_t largest_of(way w, const uint32_t *block)
{
    static const uint32_t INFINITE = 0x7F800000;
    uint32_t largest = 0;
    for (size_t i = 0; i < LB_MX_BLOCK; i++) {
        uint32_t magnitude = block[i] & 0x7FFFFFFF;
        bool counts = (w != SCALE_OF_SIGNED || magnitude == block[i]) &&
                      (w != SCALE_OF_FIRST || i == 0) &&
                      (w != SCALE_NAN_IGNORED || magnitude < INFINITE);
        largest = counts && magnitude > largest ? magnitude : largest;
    }
    return largest;
}

/* What the exponent of the largest is more for a scale that is not rounded down. */
static int rounded_exponent(way w, uint32_t largest)
{
    double mantissa =
        ldexp(lb_float_value(LB_FLOAT32, largest), -ilogb(lb_float_value(LB_FLOAT32, largest)));
    return (w == SCALE_NEAREST && mantissa >= 1.5) || (w == SCALE_UP && mantissa > 1.0) ||
           (w == SCALE_UP_BEYOND_LARGEST && mantissa >= 1.75);
}

static uint32_t scale_of(way w, const uint32_t *block)
{
    uint32_t largest = largest_of(w, block);
    if (largest >= 0x7F800000)
        return LB_MX_NAN;
    if (largest == 0)
        return 0;
    int scale = ilogb(lb_float_value(LB_FLOAT32, largest)) - 2 + 127 + rounded_exponent(w, largest);
    scale += w == SCALE_ONE_MORE ? 1 : w == SCALE_ONE_LESS ? -1 : 0;
    return (uint32_t)(scale < 0 ? 0 : scale);
}

static void make_block(way w, float4_job job, const lb_tensor *in, lb_tensor *out, size_t start)
{
    uint32_t block[LB_MX_BLOCK];
    for (size_t i = 0; i < LB_MX_BLOCK; i++)
        block[i] = bits_at(in, start + i);
    uint32_t scale = scale_of(w, block);
    if (job == MAKES_SCALES)
        put_bits(out, start / LB_MX_BLOCK, scale);
    for (size_t i = 0; job == MAKES_CODES && i < LB_MX_BLOCK; i++) {
        lb_float number = lb_float_unpack(LB_FLOAT32, block[i]);
        number.exponent -= (int)scale - 127;
        put_bits(out, start + i, scale == LB_MX_NAN ? 0 : code_of(w, number, LB_NAN_DOCUMENT));
    }
}

static size_t scale_place(way w, size_t i, size_t scales)
{
    size_t at = w == SCALE_OF_HALF_BLOCKS ? i / (LB_MX_BLOCK / 2)
                                          : i / LB_MX_BLOCK + (w == SCALE_OF_NEXT_BLOCK);
    return at < scales ? at : scales - 1;
}

static uint32_t block_value(way w, uint32_t scale, uint32_t code)
{
    static const uint32_t LARGEST = 0x7F7FFFFF, SMALLEST_NORMAL = 0x00800000;
    lb_float number = number_of(w, code);
    uint32_t pattern;
    number.exponent += (int)scale - 127 + (w == SCALE_ONE_MORE ? 1 : w == SCALE_ONE_LESS ? -1 : 0);
    if (scale == LB_MX_NAN && w != SCALE_NAN_IGNORED)
        number = (lb_float){.kind = LB_FLOAT_NAN};
    if (scale == 0 && w == SCALE_ZERO_IS_ZERO)
        number.mantissa = 0;
    lb_float_pack(LB_FLOAT32, number, LB_NAN_DOCUMENT, LB_OVERFLOW_INFINITY, &pattern);
    uint32_t sign = pattern & 0x80000000, magnitude = pattern & 0x7FFFFFFF;
    if (w == RESULT_FLUSHED && magnitude < SMALLEST_NORMAL)
        return sign;
    return w == RESULT_HELD && magnitude == LARGEST + 1 ? sign | LARGEST : pattern;
}

static void make_values(way w, const lb_fault_run *run, lb_tensor *out)
{
    const lb_tensor *scales = run->before->call.tensor[LB_ROLE_IN1];
    const lb_tensor *elements = run->before->call.tensor[LB_ROLE_IN2];
    size_t count = lb_element_count(elements), scale_count = lb_element_count(scales);
    for (size_t i = 0; i < count && scale_count > 0; i++)
        put_bits(
            out, i,
            block_value(w, bits_at(scales, scale_place(w, i, scale_count)), bits_at(elements, i)));
}

/* ---- Runs ---- */

static void write_all(way w, float4_job job, const lb_fault_run *run, lb_tensor *out)
{
    const lb_float4_function *f = lb_float4_function_of(run->test_case->kernel);
    const lb_tensor *in = run->before->call.tensor[LB_ROLE_IN];
    size_t count = in ? lb_element_count(in) : 0;
    switch (job) {
    case ENCODES:
    case DECODES:
        for (size_t i = 0; i < count; i++) {
            uint32_t bits = bits_at(in, i);
            put_bits(out, i, job == ENCODES ? encoded(w, f, bits) : decoded(w, f, bits));
        }
        break;
    case PACKS:
        pack(w, in, out);
        break;
    case UNPACKS:
        unpack(w, in, out);
        break;
    case MAKES_SCALES:
    case MAKES_CODES:
        for (size_t start = 0; start + LB_MX_BLOCK <= count; start += LB_MX_BLOCK)
            make_block(w, job, in, out, start);
        break;
    case MAKES_VALUES:
        make_values(w, run, out);
        break;
    }
}

/* Bytes that were there before count where they are kept. */
static bool run_way(lb_fault_run *run)
{
    float4_job job;
    way w = (way)(run->fault->kind - lb_fault_float4_kinds);
    if (!lb_fault_has_result(run) || !job_of(run->test_case->kernel, &job))
        return false;
    lb_tensor *out = &run->out->tensors[LB_ROLE_OUT][0];
    if (!out->data.mem.ptr)
        return false;
    unsigned char *start = out->data.mem.ptr;
    size_t at = (size_t)(start - run->out->block);
    size_t bytes = lb_element_count(out) * lb_storage_bytes(out->el_type);
    lb_fault_take_right(run);
    if (w == ODD_KEPT)
        memcpy(start, run->before->block + at, bytes);
    write_all(w, job, run, &run->out->tensors[LB_ROLE_OUT][0]);
    return true;
}

/* ---- Places ---- */

#define JOB(job) (1u << (job))

enum {
    CODING = JOB(ENCODES) | JOB(MAKES_CODES),
    READING = JOB(DECODES) | JOB(MAKES_VALUES),
    SCALING = JOB(MAKES_SCALES) | JOB(MAKES_CODES)
};

static const uint32_t jobs[WAY_COUNT] = {
    [TIES_AWAY] = CODING,
    [TIES_TO_ZERO] = CODING,
    [TRUNCATES] = CODING,
    [ROUNDS_UP] = CODING,
    [FLUSHES_HALF] = CODING,
    [FLUSHES_BELOW_ONE] = CODING,
    [BEYOND_IS_ZERO] = CODING,
    [BEYOND_WRAPS] = CODING,
    [ZERO_LOSES_SIGN] = CODING | READING,
    [LOSES_SIGN] = CODING | READING,
    [NAN_IS_ZERO] = JOB(ENCODES),
    [NAN_KEEPS_SIGN] = JOB(ENCODES),
    [NAN_OF_OTHER_RULE] = JOB(ENCODES),
    [NAN_SIGN_AS_IS] = JOB(ENCODES),
    [NAN_SIGN_IGNORED] = JOB(ENCODES),
    [THROUGH_BFLOAT16] = JOB(ENCODES),
    [THROUGH_FLOAT16] = JOB(ENCODES),
    [HALF_IS_ZERO] = READING,
    [HALF_IS_NORMAL] = READING,
    [ZERO_IS_HALF] = READING,
    [FIRST_IN_HIGH_BITS] = JOB(UNPACKS), /* of packing: writing.nibble_order */
    [ODD_REPEATED] = JOB(PACKS),
    [ODD_KEPT] = JOB(PACKS),
    [ODD_ALL_ONES] = JOB(PACKS),
    [SIGN_NOT_EXTENDED] = JOB(UNPACKS),
    [SIGN_EXTENDED] = JOB(UNPACKS),
    [SCALE_NEAREST] = SCALING,
    [SCALE_UP] = SCALING,
    [SCALE_UP_BEYOND_LARGEST] = SCALING,
    [SCALE_ONE_MORE] = SCALING | JOB(MAKES_VALUES),
    [SCALE_ONE_LESS] = SCALING | JOB(MAKES_VALUES),
    [SCALE_OF_SIGNED] = SCALING,
    [SCALE_OF_FIRST] = SCALING,
    [SCALE_OF_NEXT_BLOCK] = JOB(MAKES_VALUES),
    [SCALE_OF_HALF_BLOCKS] = JOB(MAKES_VALUES),
    [SCALE_NAN_IGNORED] = SCALING | JOB(MAKES_VALUES),
    [SCALE_ZERO_IS_ZERO] = JOB(MAKES_VALUES),
    [RESULT_FLUSHED] = JOB(MAKES_VALUES),
    [RESULT_HELD] = JOB(MAKES_VALUES),
};

/* Is there a number of the type that the way changes? */
static bool can_show(const lb_kernel *kernel, way w)
{
    const lb_float4_function *f = lb_float4_function_of(kernel);
    switch (w) {
    case THROUGH_BFLOAT16:
        return f->from == LB_FLOAT32 || f->from == LB_FLOAT16;
    case NAN_SIGN_AS_IS:
    case NAN_SIGN_IGNORED:
        return f->nan == LB_NAN_LIBRARY;
    case THROUGH_FLOAT16:
        return f->from == LB_FLOAT32;
    case SIGN_NOT_EXTENDED:
        return f->out_type == LB_EL_INT4;
    case SIGN_EXTENDED:
        return f->out_type != LB_EL_INT4;
    default:
        return true;
    }
}

static LB_PLACES(functions)
{
    float4_job job;
    way w = (way)(kind - lb_fault_float4_kinds);
    lb_fault fault = {.kind = kind, .role = LB_ROLE_OUT};
    if (job_of(scope->kernel, &job) && (jobs[w] >> job & 1) != 0 && can_show(scope->kernel, w))
        sink(user, &fault);
}

#define KIND(row, text, where, spec, likely)                                                       \
    {                                                                                              \
        .name = "float4." row, .group = LB_FAULTS_WRITING, .words = text, .look_for = where,       \
        .sections = "float4.md " spec, .prior = likely, .places = functions,                       \
        .describe = lb_tell_role, .run = run_way                                                   \
    }
#define ROUNDING "how the mantissa is rounded"
#define LARGEST  "saturation"
#define SIGN     "the sign bit"
#define NANS     "the branch for NaN"
#define MANTISSA "exponent 0: no leading 1"
#define BYTE     "order of shift and mask; the last byte"
#define SCALE    "how the exponent of the block is formed"

/* clang-format off */
const lb_fault_kind lb_fault_float4_kinds[] = {
    [TIES_AWAY] = KIND("ties_away", "rounds ties away from zero where they go to the even code", ROUNDING, "2", 8),
    [TIES_TO_ZERO] = KIND("ties_to_zero", "rounds ties towards zero where they go to the even code", ROUNDING, "2", 6),
    [TRUNCATES] = KIND("truncates", "cuts the mantissa where it should round", ROUNDING, "2", 8),
    [ROUNDS_UP] = KIND("rounds_up", "rounds every fraction away from zero", ROUNDING, "2", 3),
    [FLUSHES_HALF] = KIND("half_flushed", "gives 0 in place of 0.5, the subnormal number", "flush to zero", "1, 2", 7),
    [FLUSHES_BELOW_ONE] = KIND("below_one_flushed", "gives 0 for all that is less than 1", "flush to zero before rounding", "1, 2", 5),
    [BEYOND_IS_ZERO] = KIND("beyond_is_zero", "gives 0 for what is more than 6", LARGEST, "2", 4),
    [BEYOND_WRAPS] = KIND("beyond_wraps", "lets what is too large run over into the sign", LARGEST, "2", 5),
    [ZERO_LOSES_SIGN] = KIND("zero_loses_sign", "gives +0 in place of -0", SIGN, "1.1, 2", 7),
    [LOSES_SIGN] = KIND("loses_sign", "loses the sign", SIGN, "1, 2", 5),
    [NAN_IS_ZERO] = KIND("nan_is_zero", "gives 0 for NaN", NANS, "2.2", 5),
    [NAN_KEEPS_SIGN] = KIND("nan_keeps_sign", "gives 6 with the sign of the NaN", NANS, "2.2", 6),
    [NAN_OF_OTHER_RULE] = KIND("nan_of_other_rule", "treats NaN by the other rule (document, library)", NANS, "2.2", 6),
    [NAN_SIGN_AS_IS] = KIND("nan_sign_as_is", "gives NaN its own sign, which should be turned", NANS, "2.2", 6),
    [NAN_SIGN_IGNORED] = KIND("nan_sign_ignored", "gives NaN of both signs the code of a positive one", NANS, "2.2", 5),
    [THROUGH_BFLOAT16] = KIND("through_bfloat16", "rounds twice, first to bfloat16", "conversions on the way", "2", 5),
    [THROUGH_FLOAT16] = KIND("through_float16", "rounds twice, first to float16", "conversions on the way", "2", 5),
    [HALF_IS_ZERO] = KIND("half_read_as_zero", "takes the code of 0.5, the subnormal number, for 0", MANTISSA, "1", 6),
    [HALF_IS_NORMAL] = KIND("half_read_as_normal", "takes the code of 0.5 for a normal number: 0.75", MANTISSA, "1", 6),
    [ZERO_IS_HALF] = KIND("zero_read_as_half", "takes the code of 0 for a normal number: 0.5", MANTISSA, "1", 4),
    [FIRST_IN_HIGH_BITS] = KIND("first_in_high_bits", "takes the first of two elements from the high bits", BYTE, "3", 7),
    [ODD_REPEATED] = KIND("odd_repeated", "repeats the last element of an odd number in the high bits, which should be 0", BYTE, "3", 6),
    [ODD_KEPT] = KIND("odd_kept", "leaves the high bits behind an odd number as they were, which should be 0", BYTE, "3", 6),
    [ODD_ALL_ONES] = KIND("odd_all_ones", "sets the high bits behind an odd number, which should be 0", BYTE, "3", 4),
    [SIGN_NOT_EXTENDED] = KIND("sign_not_extended", "does not extend the sign of an element", "the shift to the right of a signed byte", "4.1", 7),
    [SIGN_EXTENDED] = KIND("sign_extended", "extends a sign that elements do not have", "the shift to the right of a signed byte", "3", 6),
    [SCALE_NEAREST] = KIND("scale.nearest", "rounds the exponent of the scale to the nearest", SCALE, "4.2", 5),
    [SCALE_UP] = KIND("scale.up", "rounds the exponent of the scale up", SCALE, "4.2", 6),
    [SCALE_UP_BEYOND_LARGEST] = KIND("scale.up_beyond_largest", "takes the next exponent where the largest element would saturate (mantissas of 1.75 and more)", SCALE, "4.2", 6),
    [SCALE_ONE_MORE] = KIND("scale.one_more", "takes the exponent of the scale as one more", "the bias: 127", "4.2", 6),
    [SCALE_ONE_LESS] = KIND("scale.one_less", "takes the exponent of the scale as one less", "the bias: 127", "4.2", 6),
    [SCALE_OF_SIGNED] = KIND("scale.of_signed", "looks for the largest of the block among positive elements alone", "magnitudes", "4.2", 6),
    [SCALE_OF_FIRST] = KIND("scale.of_first", "takes the first element of the block for the largest", "how the search begins", "4.2", 3),
    [SCALE_OF_NEXT_BLOCK] = KIND("scale.of_next_block", "takes the scale of the next block", "the index into the scales", "4.2", 4),
    [SCALE_OF_HALF_BLOCKS] = KIND("scale.of_half_blocks", "goes on to the next scale after 16 elements in place of 32", "the size of a block", "4.2", 5),
    [SCALE_NAN_IGNORED] = KIND("scale.nan_ignored", "does not know the scale that stands for NaN", NANS, "4.2", 6),
    [SCALE_ZERO_IS_ZERO] = KIND("scale.zero_is_zero", "takes the scale with exponent 0 for the number 0", SCALE, "4.2", 5),
    [RESULT_FLUSHED] = KIND("result_flushed", "gives 0 for results below the normal numbers", "flush to zero", "4.2", 6),
    [RESULT_HELD] = KIND("result_held", "gives the largest number in place of infinity", LARGEST, "4.2", 4),
    [WAY_COUNT] = {.name = NULL},
};
/* clang-format on */
