/* lastbit cast: the command line, and the cast of lines. See cast_command.h. */
#include "harness/base/command_line.h"
#include "harness/command/cast.h"
#include "harness/command/commands.h"

#include <getopt.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help_text[] =
    "Usage: lastbit cast --from TYPE --to TYPE [OPTION...]\n"
    "       lastbit cast --pack PACKED [--from TYPE] [OPTION...]\n"
    "       lastbit cast --unpack PACKED [--to TYPE] [--count N] [OPTION...]\n"
    "\n"
    "Casts numbers from one element format to another: one rounding, to nearest, ties to even, "
    "with the sign of zero\n"
    "kept and subnormals counted in full. Numbers come on standard input, one a line; results go "
    "to standard output,\n"
    "one a line. TYPE: float32, float16, bfloat16, float8e4m3fn, float8e5m2, float4e2m1. PACKED: "
    "float4e2m1, int4,\n"
    "uint4 (two elements a byte, the first in the low four bits), mxfp4 (blocks of 32 float4e2m1 "
    "and a scale).\n"
    "\n"
    "A line is one of\n"
    "  a value        0.3  -1e-40  0x1.8p-2  nan  -inf    rounded once, to the nearest value of "
    "the --from type\n"
    "  a bit pattern  0x3e800001  0x7  0b0111             of the --from type, hexadecimal without "
    "p, or binary\n"
    "Empty lines are passed over. The answer to a value is a value, the shortest decimal that "
    "reads back as it; the\n"
    "answer to a pattern is a pattern (--output says otherwise).\n"
    "\n"
    "Options:\n"
    "      --from TYPE        what the numbers are\n"
    "      --to TYPE          what they become\n"
    "      --output FORM      value, bits, or both (the pattern, a blank, the value); default: as "
    "the line was\n"
    "      --nan RULE         what a NaN becomes in float4e2m1, which has none. document "
    "(default): 6, code 7,\n"
    "                         whatever its sign; library: -0, code 8, and a negative NaN 0, code "
    "0; error: none, and\n"
    "                         the line is named (in every type)\n"
    "      --overflow RULE    numbers beyond the largest, and infinities. saturate: the largest "
    "number; infinity: "
    "that,\n"
    "                         or NaN in float8e4m3fn, which has none. Default: saturate to the "
    "8-bit types, infinity\n"
    "                         to the wider ones. float4e2m1 always saturates\n"
    "      --pack PACKED      packs codes (0..15; int4 -8..7, also 0x7 or 0b0111), or with --from "
    "numbers of that "
    "type,\n"
    "                         which are cast first. All bytes in hexadecimal on one line, an "
    "unused last nibble 0.\n"
    "                         mxfp4: numbers of the --from type (default float32); a line for each "
    "block, its scale "
    "and\n"
    "                         its 16 bytes; scale 2^(byte - 127) with the exponent of the largest, "
    "minus 2\n"
    "      --unpack PACKED    bytes in hexadecimal, as many lines as you like, to codes, one a "
    "line, or with --to to\n"
    "                         numbers. mxfp4: lines as --pack writes them, to float32\n"
    "      --count N          elements to unpack: an odd count leaves a nibble over (default: two "
    "for every byte)\n"
    "      --binary           bytes as they are, not in hexadecimal: output of --pack, input of "
    "--unpack\n"
    "  -h, --help             this text\n"
    "\n"
    "Exit status:\n"
    "  0  every line has its result\n"
    "  1  a NaN was refused (--nan error), or the bytes are too-short or too-long for --count; a "
    "nibble left over "
    "that\n"
    "     is not 0 is only a warning, padding-nonzero\n"
    "  2  the command line or a line of input is wrong; the lines before it have their results\n"
    "  3  the output cannot be written\n"
    "\n"
    "Examples:\n"
    "  echo 0.3 | lastbit cast --from float32 --to float4e2m1               prints 0.5\n"
    "  echo 0x3e800001 | lastbit cast --from float32 --to float4e2m1        prints 0x1\n"
    "  printf '1\\n2\\n3\\n' | lastbit cast --pack float4e2m1                  prints 2103\n"
    "  echo 2103 | lastbit cast --unpack float4e2m1 --count 3 --to float32  prints 0.5, 1, 1.5\n";

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
    if (is_pattern(line) || o->from == LB_FLOAT4_E2M1) {
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

enum { FROM = 256, TO, NAN_RULE, OVERFLOW_RULE, OUTPUT, PACK, UNPACK, COUNT, BINARY };

/* One of the names; its number, or -1 (told). */
static int choose(const char *option, const char *argument, const char *const *names)
{
    char all[200] = "";
    for (int i = 0; names[i]; i++) {
        if (strcmp(argument, names[i]) == 0)
            return i;
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? ", " : "", names[i]);
    }
    lb_usage_error("cast", "--%s %s: one of %s is due", option, argument, all);
    return -1;
}

static bool take_type(const char *option, const char *argument, bool *has, lb_float_type *type)
{
    const char *names[LB_FLOAT_TYPE_COUNT + 1] = {NULL};
    for (unsigned i = 0; i < LB_FLOAT_TYPE_COUNT; i++)
        names[i] = lb_float_type_name((lb_float_type)i);
    int chosen = choose(option, argument, names);
    *has = chosen >= 0;
    *type = (lb_float_type)(chosen < 0 ? 0 : chosen);
    return *has;
}

static bool take_packed(const char *option, const char *argument, const char **packed)
{
    static const char *const names[] = {"float4e2m1", "int4", "uint4", "mxfp4", NULL};
    *packed = argument;
    return choose(option, argument, names) >= 0;
}

static bool take(lb_cast_options *o, int option)
{
    static const char *const nans[] = {"document", "library", "error", NULL};
    static const char *const overflows[] = {"saturate", "infinity", NULL};
    static const char *const forms[] = {"value", "bits", "both", NULL};
    int chosen;
    switch (option) {
    case FROM:
        return take_type("from", optarg, &o->has_from, &o->from);
    case TO:
        return take_type("to", optarg, &o->has_to, &o->to);
    case NAN_RULE:
        chosen = choose("nan", optarg, nans);
        o->nan = (lb_nan_rule)(chosen < 0 ? 0 : chosen);
        return chosen >= 0;
    case OVERFLOW_RULE:
        chosen = choose("overflow", optarg, overflows);
        o->overflow = chosen == 0 ? LB_OVERFLOW_SATURATE : LB_OVERFLOW_INFINITY;
        return chosen >= 0;
    case OUTPUT:
        chosen = choose("output", optarg, forms);
        o->form = (lb_cast_form)(chosen + 1);
        return chosen >= 0;
    case PACK:
        return take_packed("pack", optarg, &o->pack);
    case UNPACK: /* its argument may stand behind "=" or alone; float4e2m1 if it is left out */
        return take_packed("unpack", optarg ? optarg : "float4e2m1", &o->unpack);
    case COUNT:
        o->has_count = lb_parse_number(optarg, 0, ULONG_MAX / 2, &o->count);
        if (!o->has_count)
            lb_usage_error("cast", "--count %s: a number of elements is due", optarg);
        return o->has_count;
    case BINARY:
        o->binary = true;
        return true;
    default:
        lb_usage_hint("cast");
        return false;
    }
}

static bool check_together(const lb_cast_options *o)
{
    const char *wrong = NULL;
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
    else if (!o->pack && !o->unpack && (!o->has_from || !o->has_to))
        wrong = "--from TYPE and --to TYPE are due, or --pack, or --unpack";
    if (wrong)
        lb_usage_error("cast", "%s", wrong);
    return !wrong;
}

int lb_command_cast(int argc, char **argv)
{
    static const struct option long_options[] = {
        {"from", required_argument, NULL, FROM},
        {"to", required_argument, NULL, TO},
        {"nan", required_argument, NULL, NAN_RULE},
        {"overflow", required_argument, NULL, OVERFLOW_RULE},
        {"output", required_argument, NULL, OUTPUT},
        {"pack", required_argument, NULL, PACK},
        {"unpack", optional_argument, NULL, UNPACK},
        {"count", required_argument, NULL, COUNT},
        {"binary", no_argument, NULL, BINARY},
        {"help", no_argument, NULL, 'h'},
        {0}};
    lb_cast_options o = {.nan = LB_NAN_DOCUMENT};
    int option;
    optind = 0;
    while ((option = lb_next_option("cast", argc, argv, "h", long_options)) != -1) {
        if (option == 'h') {
            fputs(help_text, stdout);
            return LB_CAST_OK;
        }
        if (!take(&o, option))
            return LB_CAST_WRONG;
    }
    if (optind + 1 == argc && o.unpack && lb_cast_is_packed(argv[optind]))
        o.unpack = argv[optind++];
    if (optind < argc) {
        lb_usage_error("cast", "%s: numbers come on standard input, not on the command line",
                       argv[optind]);
        return LB_CAST_WRONG;
    }
    if (!check_together(&o))
        return LB_CAST_WRONG;
    return o.pack ? lb_cast_pack(&o) : o.unpack ? lb_cast_unpack(&o) : cast(&o);
}
