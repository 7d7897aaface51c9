/* lastbit cast: the command line, and the cast of lines. */
#include "harness/base/command_line.h"
#include "harness/command/cast.h"
#include "harness/command/commands.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Lines ---- */

char *lb_cast_next(lb_cast_input *input)
{
    ssize_t length;
    while ((length = getline(&input->line, &input->capacity, stdin)) >= 0) {
        char *start = input->line + strspn(input->line, " \t\r\n");
        char *end = input->line + length;
        input->number++;
        while (end > start && strchr(" \t\r\n", end[-1]))
            *--end = '\0';
        if (start < end)
            return start;
    }
    return NULL;
}

void lb_cast_input_free(lb_cast_input *input)
{
    free(input->line);
}

void lb_cast_complain(const lb_cast_input *input, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "lastbit cast: line %lu: ", input->number);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

/* "0x..." without p, or "0b...": a pattern. */
static bool is_pattern(const char *line)
{
    bool is_hex = line[0] == '0' && (line[1] == 'x' || line[1] == 'X');
    bool is_binary = line[0] == '0' && (line[1] == 'b' || line[1] == 'B');
    return is_binary || (is_hex && !strpbrk(line, "pP.,"));
}

static bool read_pattern(const char *line, unsigned bits, uint32_t *pattern)
{
    bool is_hex = line[1] == 'x' || line[1] == 'X';
    const char *digits = line + 2;
    const char *known = is_hex ? "0123456789abcdefABCDEF" : "01";
    if (!*digits || strspn(digits, known) != strlen(digits))
        return false;
    while (digits[0] == '0' && digits[1])
        digits++;
    if (strlen(digits) > (is_hex ? 8 : 32))
        return false;
    unsigned long value = strtoul(digits, NULL, is_hex ? 16 : 2);
    *pattern = (uint32_t)value;
    return bits == 32 || value >> bits == 0;
}

int lb_cast_read(const lb_cast_options *o, const lb_cast_input *input, lb_float_type type,
                 const char *line, uint32_t *pattern, bool *is_bits)
{
    const char *name = lb_float_type_name(type);
    bool is_nan;
    *is_bits = is_pattern(line);
    if (*is_bits) {
        if (read_pattern(line, lb_float_bits(type), pattern))
            return LB_CAST_OK;
        lb_cast_complain(input, "%.60s is no bit pattern of %s, which has %u bits", line, name,
                         lb_float_bits(type));
        return LB_CAST_WRONG;
    }
    if (lb_float_from_text(type, line, o->nan, o->overflow, pattern, &is_nan))
        return LB_CAST_OK;
    if (is_nan)
        lb_cast_complain(input, "NaN, which --nan error refuses");
    else
        lb_cast_complain(
            input,
            "%.60s is neither a value (0.3, 0x1p-2, nan, inf) nor a bit pattern (0x3e800000)",
            line);
    return is_nan ? LB_CAST_REFUSED : LB_CAST_WRONG;
}

void lb_cast_write(lb_doc *doc, const lb_cast_options *o, lb_float_type type, uint32_t pattern,
                   bool is_bits)
{
    bool bits = o->form == LB_CAST_AS_INPUT ? is_bits : o->form != LB_CAST_VALUE;
    bool value = o->form == LB_CAST_AS_INPUT ? !is_bits : o->form != LB_CAST_BITS;
    char text[64];
    if (bits)
        lb_doc_printf(doc, "0x%0*x", (int)(lb_float_bits(type) + 3) / 4, (unsigned)pattern);
    if (value) {
        lb_float_to_text(type, pattern, text, sizeof text);
        lb_doc_printf(doc, "%s%s", bits ? " " : "", text);
    }
    lb_doc_char(doc, '\n');
}

/* ---- The cast ---- */

/* NaN in the source type counts where it is read as a pattern too. */
static int cast_line(const lb_cast_options *o, const lb_cast_input *input, const char *line,
                     lb_doc *doc)
{
    uint32_t pattern, result;
    bool is_bits, is_nan;
    lb_float_type from = o->from;
    if (is_pattern(line) || !lb_float_has_nan(o->from)) {
        int status = lb_cast_read(o, input, from, line, &pattern, &is_bits);
        if (status != LB_CAST_OK)
            return status;
    } else {
        /* The source type keeps a NaN as it is: the rule is that of the target. */
        is_bits = false;
        if (!lb_float_from_text(from, line, LB_NAN_DOCUMENT, o->overflow, &pattern, &is_nan))
            return lb_cast_read(o, input, from, line, &pattern, &is_bits);
    }
    if (!lb_float_cast(from, o->to, pattern, o->nan, o->overflow, &result)) {
        lb_cast_complain(input, "NaN, which --nan error refuses");
        return LB_CAST_REFUSED;
    }
    lb_cast_write(doc, o, o->to, result, is_bits);
    return LB_CAST_OK;
}

static int cast(const lb_cast_options *o)
{
    lb_cast_input input = {0};
    lb_doc doc = lb_doc_make();
    char *line;
    int status = LB_CAST_OK;
    while (status < LB_CAST_WRONG && (line = lb_cast_next(&input)) != NULL) {
        int one = cast_line(o, &input, line, &doc);
        status = one > status ? one : status;
        if (!lb_doc_flush_full(&doc, stdout))
            status = LB_CAST_FAILED;
    }
    if (!lb_doc_flush(&doc, stdout) || fflush(stdout) != 0)
        status = LB_CAST_FAILED;
    lb_doc_free(&doc);
    lb_cast_input_free(&input);
    return status;
}

/* ---- Command line ---- */

static bool check_together(const lb_cast_options *o)
{
    const char *wrong = NULL, *packed = o->pack ? o->pack : o->unpack;
    if (o->pack && o->unpack)
        wrong = "--pack and --unpack exclude each other";
    else if (o->pack && o->has_to)
        wrong = "--to does not go with --pack, which says what the numbers become";
    else if (o->unpack && o->has_from)
        wrong = "--from does not go with --unpack, which says what the numbers are";
    else if (o->has_count && !o->unpack)
        wrong = "--count goes with --unpack";
    else if (o->binary && !o->unpack && !o->pack)
        wrong = "--binary goes with --pack and --unpack";
    else if (o->has_scale && (!o->pack || !lb_mx_format_of(o->pack)))
        wrong = "--scale goes with --pack of blocks, mxfp4 and its like";
    else if (o->has_first && (packed ? lb_mx_format_of(packed) != NULL : true))
        wrong = "--first goes with --pack and --unpack of float4e2m1, int4, uint4 and int4excess8";
    else if (!o->pack && !o->unpack && (!o->has_from || !o->has_to))
        wrong = "expected --from TYPE and --to TYPE, or --pack, or --unpack";
    if (wrong)
        lb_usage_error("cast", "%s", wrong);
    return !wrong;
}

static int cast_command(int argc, char **argv)
{
    lb_cast_options o = {.nan = LB_NAN_DOCUMENT};
    lb_arguments operands;
    int status;
    if (!lb_options_parse(&lb_cast_command, argc, argv, &o, &operands, &status))
        return status;
    /* The argument of --unpack may stand behind "=" or alone. */
    if (operands.count == 1 && o.unpack && lb_cast_is_packed(operands.items[0]))
        o.unpack = operands.items[0];
    else if (operands.count > 0)
        return lb_usage_error("cast", "%s: numbers come on standard input, not on the command line",
                              operands.items[0]),
               status;
    if (!check_together(&o))
        return status;
    return o.pack ? lb_cast_pack(&o) : o.unpack ? lb_cast_unpack(&o) : cast(&o);
}

/* In the order of the enumerations. */
static const char *const nan_rules[] = {"document", "library", "error", NULL};
static const char *const overflow_rules[] = {"by-type", "saturate", "infinity", NULL};
static const char *const forms[] = {"as-input", "value", "bits", "both", NULL};

static const char *const scale_rules[] = {"floor", "ceil", "even", "fit", NULL};
static const char *const nibble_orders[] = {"low", "high", NULL};

static const lb_option table[] = {
    {"from", 0, LB_CHOICE, "TYPE", LB_INTO(lb_cast_options, from),
     LB_GIVEN(lb_cast_options, has_from), .choices = lb_float_type_names,
     .help = "what the numbers are"},
    {"to", 0, LB_CHOICE, "TYPE", LB_INTO(lb_cast_options, to), LB_GIVEN(lb_cast_options, has_to),
     .choices = lb_float_type_names, .help = "what they become"},
    {"output", 0, LB_CHOICE, "FORM", LB_INTO(lb_cast_options, form), .choices = forms,
     .help = "value, bits, or both (the pattern, a blank, the value); as-input (default): as the "
             "line was"},
    {"nan", 0, LB_CHOICE, "RULE", LB_INTO(lb_cast_options, nan), .choices = nan_rules,
     .help =
         "what a NaN becomes in float4e2m1 and float6, which have none. document (default): the "
         "largest, code 7 of float4e2m1, whatever its sign; library: -0, and a negative NaN 0; "
         "error: none, and the line is named (in every type)"},
    {"overflow", 0, LB_CHOICE, "RULE", LB_INTO(lb_cast_options, overflow),
     .choices = overflow_rules,
     .help = "numbers beyond the largest, and infinities. saturate: the largest number; infinity: "
             "that, or NaN in the 8-bit types that have none; by-type (default): saturate to the "
             "8-bit types, infinity to the wider ones. float4e2m1 and float6 always saturate"},
    {"pack", 0, LB_WORD, "PACKED", LB_INTO(lb_cast_options, pack), .choices = lb_cast_packed,
     .help = "packs codes (0..15; int4 and int4excess8 -8..7, also 0x7 or 0b0111), or with --from "
             "numbers of that type, which are cast first. All bytes in hexadecimal on one line, an "
             "unused last nibble 0. mxfp4 and its like: numbers of the --from type (default "
             "float32); a line for each block, its scale and its elements; scale 2^(byte - 127), "
             "whose exponent --scale finds"},
    {"scale", 0, LB_CHOICE, "RULE", LB_INTO(lb_cast_options, scale),
     LB_GIVEN(lb_cast_options, has_scale), .choices = scale_rules,
     .help = "exponent of the scale of a block, with e that of the largest number of its elements. "
             "floor (default, the standard): floor(log2(largest)) - e; ceil: the same upwards; "
             "even: floor, of the largest rounded to the fraction bits of the elements; fit: the "
             "least with which nothing saturates"},
    {"first", 0, LB_CHOICE, "NIBBLE", LB_INTO(lb_cast_options, first),
     LB_GIVEN(lb_cast_options, has_first), .choices = nibble_orders,
     .help = "which four bits of a byte hold its first element: low (default) or high"},
    {"unpack", 0, LB_WORD, "PACKED", LB_INTO(lb_cast_options, unpack), .choices = lb_cast_packed,
     .otherwise = "float4e2m1",
     .help = "bytes in hexadecimal, as many lines as you like, to codes, one a line, or with --to "
             "to numbers. mxfp4 and its like: lines as --pack writes them, to float32"},
    {"count", 0, LB_NUMBER, "N", LB_INTO(lb_cast_options, count),
     LB_GIVEN(lb_cast_options, has_count), .high = LONG_MAX,
     .help = "elements to unpack: an odd count leaves a nibble over (default: two for every byte)"},
    {"binary", 0, LB_FLAG, NULL, LB_INTO(lb_cast_options, binary),
     .help = "bytes as they are, not in hexadecimal: output of --pack, input of --unpack"},
    {.name = NULL}};

const lb_command lb_cast_command = {
    .name = "cast",
    .summary = "numbers from one element format to another; nibbles packed and unpacked",
    .usage = "--from TYPE --to TYPE [OPTION...]\n"
             "--pack PACKED [--from TYPE] [OPTION...]\n"
             "--unpack PACKED [--to TYPE] [--count N] [OPTION...]",
    .about =
        "Casts numbers from one element format to another: one rounding, to nearest, ties to even, "
        "with the sign of zero kept and subnormals counted in full. Numbers come on standard "
        "input, one a line; results go to standard output, one a line. TYPE: float32, float16, "
        "bfloat16, float8e4m3fn, float8e5m2, float8e4m3fnuz, float8e5m2fnuz, float8e8m0, "
        "float6e2m3, float6e3m2, float4e2m1. PACKED: float4e2m1, int4, uint4, int4excess8 (a "
        "nibble of value + 8), two elements a byte; mxfp4, mxfp6e2m3, mxfp6e3m2, mxfp8e4m3, "
        "mxfp8e5m2 (blocks of 32 elements and a scale).\n"
        "\n"
        "A line is one of\n"
        "  a value        0.3  -1e-40  0x1.8p-2  nan  -inf\n"
        "                 rounded once, to the nearest value of the --from type\n"
        "  a bit pattern  0x3e800001  0x7  0b0111\n"
        "                 of the --from type, hexadecimal without p, or binary\n"
        "Empty lines are passed over. The answer to a value is a value, the shortest decimal that "
        "reads back as it; the answer to a pattern is a pattern.",
    .groups = {{table, 0, NULL}},
    .operand =
        {.name = "PACKED", "the argument of --unpack, where it stands alone", 0, 0, lb_cast_packed},
    .statuses = {"every line has its result",
                 "a NaN was refused (--nan error), or the bytes are too-short or too-long for "
                 "--count; a nibble left over that is not 0 is only a warning, padding-nonzero",
                 "the command line or a line of input is wrong; the lines before it have their "
                 "results",
                 "the output cannot be written"},
    .examples = "echo 0.3 | lastbit cast --from float32 --to float4e2m1\n"
                "echo 0x3e800001 | lastbit cast --from float32 --to float4e2m1\n"
                "printf '1\\n2\\n3\\n' | lastbit cast --pack float4e2m1\n"
                "echo 2103 | lastbit cast --unpack float4e2m1 --count 3 --to float32",
    .run = cast_command};
