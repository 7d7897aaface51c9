/* The extensions for element formats, to the last bit: casts to and from float4e2m1, nibbles, MXFP4
 * blocks. Spec: float4.md. Tensors are dense (the rules see to it), elements are bit patterns.
 * An element is read before its place is written. The form of the context (float4_function.h) is
 * asked wherever a kernel may do otherwise. */
#include "float4_function.h"
#include "models.h"

#include <math.h>
#include <string.h>

#define CAST(NAME, IN, FROM, OUT, TO, NAN_RULE)                                                    \
    {                                                                                              \
        .name = "mli_ext_cast_" NAME, .kind = LB_FLOAT4_CAST, .in_type = IN, .out_type = OUT,      \
        .from = FROM, .to = TO, .nan = NAN_RULE                                                    \
    }
#define BOTH_WAYS(NAME, TYPE, FORMAT)                                                              \
    CAST(NAME "_float4e2m1", TYPE, FORMAT, LB_EL_FLOAT4E2M1, LB_FLOAT4_E2M1, LB_NAN_DOCUMENT),     \
        CAST("float4e2m1_" NAME, LB_EL_FLOAT4E2M1, LB_FLOAT4_E2M1, TYPE, FORMAT, LB_NAN_DOCUMENT)
#define NIBBLES(NAME, TYPE)                                                                        \
    {.name = "mli_ext_pack_" NAME,                                                                 \
     .kind = LB_FLOAT4_PACK,                                                                       \
     .in_type = TYPE,                                                                              \
     .out_type = LB_EL_PACKED4},                                                                   \
    {                                                                                              \
        .name = "mli_ext_unpack_" NAME, .kind = LB_FLOAT4_UNPACK, .in_type = LB_EL_PACKED4,        \
        .out_type = TYPE                                                                           \
    }

static const lb_float4_function functions[] = {
    BOTH_WAYS("fp32", LB_FP32, LB_FLOAT32),
    CAST("fp32_float4e2m1_nan_library", LB_FP32, LB_FLOAT32, LB_EL_FLOAT4E2M1, LB_FLOAT4_E2M1,
         LB_NAN_LIBRARY),
    BOTH_WAYS("float16", LB_EL_FLOAT16, LB_FLOAT16),
    BOTH_WAYS("bfloat16", LB_EL_BFLOAT16, LB_BFLOAT16),
    BOTH_WAYS("float8e4m3fn", LB_EL_FLOAT8E4M3FN, LB_FLOAT8_E4M3FN),
    BOTH_WAYS("float8e5m2", LB_EL_FLOAT8E5M2, LB_FLOAT8_E5M2),
    NIBBLES("float4e2m1", LB_EL_FLOAT4E2M1),
    NIBBLES("int4", LB_EL_INT4),
    NIBBLES("uint4", LB_EL_UINT4),
    {.name = "mli_ext_mxfp4_scales",
     .kind = LB_FLOAT4_MX_SCALES,
     .in_type = LB_FP32,
     .out_type = LB_EL_FLOAT8E8M0},
    {.name = "mli_ext_mxfp4_elements",
     .kind = LB_FLOAT4_MX_ELEMENTS,
     .in_type = LB_FP32,
     .out_type = LB_EL_FLOAT4E2M1},
};

const lb_float4_function *lb_float4_function_of(const lb_kernel *kernel)
{
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (strcmp(functions[i].name, kernel->name) == 0)
            return &functions[i];
    return NULL;
}

/* ---- Elements of a dense tensor ---- */

static uint32_t load_bits(const lb_tensor *t, size_t i)
{
    uint32_t bits = 0;
    unsigned bytes = lb_storage_bytes(t->el_type);
    if (bytes == 4) {
        memcpy(&bits, (const unsigned char *)t->data.mem.ptr + 4 * i, 4);
        return bits;
    }
    return (uint32_t)lb_load(t, i) & (bytes == 2 ? 0xFFFFu : 0xFFu);
}

static void store_bits(lb_tensor *t, size_t i, uint32_t bits)
{
    if (lb_storage_bytes(t->el_type) == 4)
        memcpy((unsigned char *)t->data.mem.ptr + 4 * i, &bits, 4);
    else
        lb_store(t, i, bits);
}

/* ---- Numbers to codes ---- */

static const double values[8] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};

static bool goes_up(lb_float4_form w, double v, unsigned low)
{
    double middle = (values[low] + values[low + 1]) / 2;
    switch (w) {
    case LB_F4_TIES_AWAY:
        return v >= middle;
    case LB_F4_TIES_TO_ZERO:
        return v > middle;
    case LB_F4_TRUNCATES:
        return false;
    case LB_F4_ROUNDS_UP:
        return v > values[low];
    default:
        return v > middle || (v == middle && (low & 1) != 0);
    }
}

static uint32_t code_of_finite(lb_float4_form w, double v, bool negative)
{
    uint32_t sign = negative && w != LB_F4_LOSES_SIGN ? 8 : 0, low = 0;
    while (low < 7 && values[low + 1] <= v)
        low++;
    if (w == LB_F4_BEYOND_IS_ZERO && v > 6)
        return sign;
    if (w == LB_F4_BEYOND_WRAPS && v >= 7)
        return sign ^ 8;
    uint32_t code = low + (low < 7 && goes_up(w, v, low));
    if ((w == LB_F4_FLUSHES_HALF && code == 1) || (w == LB_F4_FLUSHES_BELOW_ONE && v < 1))
        code = 0;
    return code == 0 && w == LB_F4_ZERO_LOSES_SIGN ? 0 : sign | code;
}

static uint32_t code_of_nan(lb_float4_form w, bool negative, lb_nan_rule rule)
{
    bool library = (rule == LB_NAN_LIBRARY) != (w == LB_F4_NAN_OF_OTHER_RULE);
    if (w == LB_F4_NAN_IS_ZERO)
        return 0;
    if (w == LB_F4_NAN_KEEPS_SIGN)
        return negative ? 15 : 7;
    if (library && w == LB_F4_NAN_SIGN_IGNORED)
        return 8;
    return library ? (negative != (w == LB_F4_NAN_SIGN_AS_IS) ? 0 : 8) : 7;
}

static uint32_t code_of(lb_float4_form w, lb_float number, lb_nan_rule rule)
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

static uint32_t encoded(lb_float4_form w, const lb_float4_function *f, uint32_t pattern)
{
    lb_float number = lb_float_unpack(f->from, pattern);
    if (w == LB_F4_THROUGH_BFLOAT16 || w == LB_F4_THROUGH_FLOAT16)
        number = through(f->from, w == LB_F4_THROUGH_BFLOAT16 ? LB_BFLOAT16 : LB_FLOAT16, pattern);
    return code_of(w, number, f->nan);
}

/* ---- Codes to numbers ---- */

/* The number of a code, mantissa in halves. */
static lb_float number_of(lb_float4_form w, uint32_t code)
{
    lb_float number = lb_float_unpack(LB_FLOAT4_E2M1, code & 15);
    bool is_half = (code & 7) == 1, is_zero = (code & 7) == 0;
    if (is_half && w == LB_F4_HALF_IS_ZERO)
        number.mantissa = 0;
    if (is_half && w == LB_F4_HALF_IS_NORMAL)
        number = (lb_float){.negative = number.negative, .mantissa = 3, .exponent = -2};
    if (is_zero && w == LB_F4_ZERO_IS_HALF)
        number = (lb_float){.negative = number.negative, .mantissa = 1, .exponent = -1};
    if (w == LB_F4_LOSES_SIGN || (is_zero && w == LB_F4_ZERO_LOSES_SIGN))
        number.negative = false;
    return number;
}

static uint32_t decoded(lb_float4_form w, const lb_float4_function *f, uint32_t code)
{
    uint32_t pattern;
    lb_float_pack(f->to, number_of(w, code), LB_NAN_DOCUMENT, LB_OVERFLOW_OF_TYPE, &pattern);
    return pattern;
}

/* ---- Two in a byte ---- */

static void pack(lb_float4_form w, const lb_tensor *in, lb_tensor *out)
{
    size_t count = lb_element_count(in);
    for (size_t i = 0; i < count; i += 2) {
        uint32_t low = load_bits(in, i) & 15, before = load_bits(out, i / 2);
        uint32_t alone = w == LB_F4_ODD_REPEATED   ? low
                         : w == LB_F4_ODD_KEPT     ? before >> 4
                         : w == LB_F4_ODD_ALL_ONES ? 15
                                                   : 0;
        uint32_t high = i + 1 < count ? load_bits(in, i + 1) & 15 : alone;
        store_bits(out, i / 2, w == LB_F4_FIRST_IN_HIGH_BITS ? low << 4 | high : high << 4 | low);
    }
}

static void unpack(lb_float4_form w, const lb_tensor *in, lb_tensor *out)
{
    size_t count = lb_element_count(out);
    for (size_t i = 0; i < count; i++) {
        bool in_high = (i % 2 == 1) != (w == LB_F4_FIRST_IN_HIGH_BITS);
        uint32_t nibble = load_bits(in, i / 2) >> (in_high ? 4 : 0) & 15;
        bool is_signed = (out->el_type == LB_EL_INT4 && w != LB_F4_SIGN_NOT_EXTENDED) ||
                         (out->el_type != LB_EL_INT4 && w == LB_F4_SIGN_EXTENDED);
        store_bits(out, i, is_signed && nibble >= 8 ? nibble | 0xF0 : nibble);
    }
}

/* ---- Blocks ---- */

static uint32_t largest_of(lb_float4_form w, const uint32_t *block)
{
    static const uint32_t INFINITE = 0x7F800000;
    uint32_t largest = 0;
    for (size_t i = 0; i < LB_MX_BLOCK; i++) {
        uint32_t magnitude = block[i] & 0x7FFFFFFF;
        bool counts = (w != LB_F4_SCALE_OF_SIGNED || magnitude == block[i]) &&
                      (w != LB_F4_SCALE_OF_FIRST || i == 0) &&
                      (w != LB_F4_SCALE_NAN_IGNORED || magnitude < INFINITE);
        largest = counts && magnitude > largest ? magnitude : largest;
    }
    return largest;
}

/* What the exponent of the largest is more for a scale that is not rounded down. */
static int rounded_exponent(lb_float4_form w, uint32_t largest)
{
    double mantissa =
        ldexp(lb_float_value(LB_FLOAT32, largest), -ilogb(lb_float_value(LB_FLOAT32, largest)));
    return (w == LB_F4_SCALE_NEAREST && mantissa >= 1.5) ||
           (w == LB_F4_SCALE_UP && mantissa > 1.0) ||
           (w == LB_F4_SCALE_UP_BEYOND_LARGEST && mantissa >= 1.75);
}

static uint32_t scale_of(lb_float4_form w, const uint32_t *block)
{
    uint32_t largest = largest_of(w, block);
    if (largest >= 0x7F800000)
        return LB_MX_NAN;
    if (largest == 0)
        return 0;
    int scale = ilogb(lb_float_value(LB_FLOAT32, largest)) - 2 + 127 + rounded_exponent(w, largest);
    scale += w == LB_F4_SCALE_ONE_MORE ? 1 : w == LB_F4_SCALE_ONE_LESS ? -1 : 0;
    return (uint32_t)(scale < 0 ? 0 : scale);
}

static void make_block(lb_float4_form w, lb_float4_kind kind, const lb_tensor *in, lb_tensor *out,
                       size_t start)
{
    uint32_t block[LB_MX_BLOCK];
    for (size_t i = 0; i < LB_MX_BLOCK; i++)
        block[i] = load_bits(in, start + i);
    uint32_t scale = scale_of(w, block);
    if (kind == LB_FLOAT4_MX_SCALES)
        store_bits(out, start / LB_MX_BLOCK, scale);
    for (size_t i = 0; kind == LB_FLOAT4_MX_ELEMENTS && i < LB_MX_BLOCK; i++) {
        lb_float number = lb_float_unpack(LB_FLOAT32, block[i]);
        number.exponent -= (int)scale - 127;
        store_bits(out, start + i, scale == LB_MX_NAN ? 0 : code_of(w, number, LB_NAN_DOCUMENT));
    }
}

static size_t scale_place(lb_float4_form w, size_t i, size_t scales)
{
    size_t at = w == LB_F4_SCALE_OF_HALF_BLOCKS
                    ? i / (LB_MX_BLOCK / 2)
                    : i / LB_MX_BLOCK + (w == LB_F4_SCALE_OF_NEXT_BLOCK);
    return at < scales ? at : scales - 1;
}

static uint32_t block_value(lb_float4_form w, uint32_t scale, uint32_t code)
{
    static const uint32_t LARGEST = 0x7F7FFFFF, SMALLEST_NORMAL = 0x00800000;
    lb_float number = number_of(w, code);
    uint32_t pattern;
    number.exponent += (int)scale - 127 +
                       (w == LB_F4_SCALE_ONE_MORE   ? 1
                        : w == LB_F4_SCALE_ONE_LESS ? -1
                                                    : 0);
    if (scale == LB_MX_NAN && w != LB_F4_SCALE_NAN_IGNORED)
        number = (lb_float){.kind = LB_FLOAT_NAN};
    if (scale == 0 && w == LB_F4_SCALE_ZERO_IS_ZERO)
        number.mantissa = 0;
    lb_float_pack(LB_FLOAT32, number, LB_NAN_DOCUMENT, LB_OVERFLOW_INFINITY, &pattern);
    uint32_t sign = pattern & 0x80000000, magnitude = pattern & 0x7FFFFFFF;
    if (w == LB_F4_RESULT_FLUSHED && magnitude < SMALLEST_NORMAL)
        return sign;
    return w == LB_F4_RESULT_HELD && magnitude == LARGEST + 1 ? sign | LARGEST : pattern;
}

void lb_exact_mxfp4_values(const lb_context *context, lb_call *call)
{
    const lb_float4_form w = (lb_float4_form)context->form;
    const lb_tensor *scales = call->tensor[LB_ROLE_IN1];
    const lb_tensor *elements = call->tensor[LB_ROLE_IN2];
    size_t count = lb_element_count(elements), scale_count = lb_element_count(scales);
    for (size_t i = 0; i < count && scale_count > 0; i++)
        store_bits(call->tensor[LB_ROLE_OUT], i,
                   block_value(w, load_bits(scales, scale_place(w, i, scale_count)),
                               load_bits(elements, i)));
}

static void cast_all(lb_float4_form w, const lb_float4_function *f, const lb_tensor *in,
                     lb_tensor *out)
{
    size_t count = lb_element_count(in);
    for (size_t i = 0; i < count; i++) {
        uint32_t bits = load_bits(in, i);
        store_bits(out, i, f->to == LB_FLOAT4_E2M1 ? encoded(w, f, bits) : decoded(w, f, bits));
    }
}

void lb_exact_float4(const lb_context *context, lb_call *call)
{
    const lb_float4_form w = (lb_float4_form)context->form;
    const lb_float4_function *f = lb_float4_function_of(call->kernel);
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    lb_tensor *out = call->tensor[LB_ROLE_OUT];
    size_t count = lb_element_count(in);
    switch (f->kind) {
    case LB_FLOAT4_CAST:
        cast_all(w, f, in, out);
        break;
    case LB_FLOAT4_PACK:
        pack(w, in, out);
        break;
    case LB_FLOAT4_UNPACK:
        unpack(w, in, out);
        break;
    case LB_FLOAT4_MX_SCALES:
    case LB_FLOAT4_MX_ELEMENTS:
        for (size_t start = 0; start + LB_MX_BLOCK <= count; start += LB_MX_BLOCK)
            make_block(w, f->kind, in, out, start);
        break;
    }
}

/* ---- Where a form can show ---- */

enum { ENCODE, DECODE, PACK, UNPACK, MAKE_SCALES, MAKE_CODES, VALUES };

static unsigned job_of(const lb_float4_function *f)
{
    switch (f->kind) {
    case LB_FLOAT4_CAST:
        return f->to == LB_FLOAT4_E2M1 ? ENCODE : DECODE;
    case LB_FLOAT4_PACK:
        return PACK;
    case LB_FLOAT4_UNPACK:
        return UNPACK;
    case LB_FLOAT4_MX_SCALES:
        return MAKE_SCALES;
    case LB_FLOAT4_MX_ELEMENTS:
        break;
    }
    return MAKE_CODES;
}

#define BIT(job) (1u << (job))
enum {
    CODES = BIT(ENCODE) | BIT(MAKE_CODES),
    NUMBERS = BIT(DECODE) | BIT(VALUES),
    SCALES = BIT(MAKE_SCALES) | BIT(MAKE_CODES)
};

static const uint8_t jobs[LB_F4_COUNT] = {
    [LB_F4_TIES_AWAY] = CODES,
    [LB_F4_TIES_TO_ZERO] = CODES,
    [LB_F4_TRUNCATES] = CODES,
    [LB_F4_ROUNDS_UP] = CODES,
    [LB_F4_FLUSHES_HALF] = CODES,
    [LB_F4_FLUSHES_BELOW_ONE] = CODES,
    [LB_F4_BEYOND_IS_ZERO] = CODES,
    [LB_F4_BEYOND_WRAPS] = CODES,
    [LB_F4_ZERO_LOSES_SIGN] = CODES | NUMBERS,
    [LB_F4_LOSES_SIGN] = CODES | NUMBERS,
    [LB_F4_NAN_IS_ZERO] = BIT(ENCODE),
    [LB_F4_NAN_KEEPS_SIGN] = BIT(ENCODE),
    [LB_F4_NAN_OF_OTHER_RULE] = BIT(ENCODE),
    [LB_F4_NAN_SIGN_AS_IS] = BIT(ENCODE),
    [LB_F4_NAN_SIGN_IGNORED] = BIT(ENCODE),
    [LB_F4_THROUGH_BFLOAT16] = BIT(ENCODE),
    [LB_F4_THROUGH_FLOAT16] = BIT(ENCODE),
    [LB_F4_HALF_IS_ZERO] = NUMBERS,
    [LB_F4_HALF_IS_NORMAL] = NUMBERS,
    [LB_F4_ZERO_IS_HALF] = NUMBERS,
    [LB_F4_FIRST_IN_HIGH_BITS] = BIT(UNPACK), /* of packing: writing.nibble_order */
    [LB_F4_ODD_REPEATED] = BIT(PACK),
    [LB_F4_ODD_KEPT] = BIT(PACK),
    [LB_F4_ODD_ALL_ONES] = BIT(PACK),
    [LB_F4_SIGN_NOT_EXTENDED] = BIT(UNPACK),
    [LB_F4_SIGN_EXTENDED] = BIT(UNPACK),
    [LB_F4_SCALE_NEAREST] = SCALES,
    [LB_F4_SCALE_UP] = SCALES,
    [LB_F4_SCALE_UP_BEYOND_LARGEST] = SCALES,
    [LB_F4_SCALE_ONE_MORE] = SCALES | BIT(VALUES),
    [LB_F4_SCALE_ONE_LESS] = SCALES | BIT(VALUES),
    [LB_F4_SCALE_OF_SIGNED] = SCALES,
    [LB_F4_SCALE_OF_FIRST] = SCALES,
    [LB_F4_SCALE_OF_NEXT_BLOCK] = BIT(VALUES),
    [LB_F4_SCALE_OF_HALF_BLOCKS] = BIT(VALUES),
    [LB_F4_SCALE_NAN_IGNORED] = SCALES | BIT(VALUES),
    [LB_F4_SCALE_ZERO_IS_ZERO] = BIT(VALUES),
    [LB_F4_RESULT_FLUSHED] = BIT(VALUES),
    [LB_F4_RESULT_HELD] = BIT(VALUES),
};

/* Is there a number of the type that the form changes? */
static bool has_number(const lb_float4_function *f, lb_float4_form form)
{
    switch (form) {
    case LB_F4_THROUGH_BFLOAT16:
        return f->from == LB_FLOAT32 || f->from == LB_FLOAT16;
    case LB_F4_THROUGH_FLOAT16:
        return f->from == LB_FLOAT32;
    case LB_F4_NAN_SIGN_AS_IS:
    case LB_F4_NAN_SIGN_IGNORED:
        return f->nan == LB_NAN_LIBRARY;
    case LB_F4_SIGN_NOT_EXTENDED:
        return f->out_type == LB_EL_INT4;
    case LB_F4_SIGN_EXTENDED:
        return f->out_type != LB_EL_INT4;
    default:
        return true;
    }
}

bool lb_float4_form_shows(const lb_kernel *kernel, lb_float4_form form)
{
    const lb_float4_function *f = lb_float4_function_of(kernel);
    if (kernel->exact == lb_exact_mxfp4_values)
        return (jobs[form] & BIT(VALUES)) != 0;
    return f && (jobs[form] & BIT(job_of(f))) != 0 && has_number(f, form);
}
