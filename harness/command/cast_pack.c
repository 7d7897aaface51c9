/* lastbit cast --pack and --unpack: nibbles and blocks, as text or as bytes. See cast.h. */
#include "harness/base/xalloc.h"
#include "harness/command/cast.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const lb_cast_packed[] = {"float4e2m1", "int4",      "uint4",     "int4excess8",
                                      "mxfp4",      "mxfp6e2m3", "mxfp6e3m2", "mxfp8e4m3",
                                      "mxfp8e5m2",  NULL};

bool lb_cast_is_packed(const char *name)
{
    for (size_t i = 0; lb_cast_packed[i]; i++)
        if (strcmp(name, lb_cast_packed[i]) == 0)
            return true;
    return false;
}

static bool is_mx(const char *packed)
{
    return lb_mx_format_of(packed) != NULL;
}

static bool is_excess(const char *packed)
{
    return strcmp(packed, "int4excess8") == 0;
}

static bool is_signed_pack(const char *packed)
{
    return strcmp(packed, "int4") == 0 || is_excess(packed);
}

/* Codes of -8 to 7 as they stand in the byte: in excess 8, 0 is -8. */
static uint8_t excess_of(const char *packed, uint8_t code)
{
    return is_excess(packed) ? code ^ 8 : code;
}

/* The first element in the high four bits, or back. */
static void swap_nibbles(uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        bytes[i] = (uint8_t)(bytes[i] << 4 | bytes[i] >> 4);
}

typedef struct bytes {
    uint8_t *items;
    size_t count, capacity;
} bytes;

static void add_byte(bytes *b, uint8_t byte)
{
    b->items = lb_room_for_one(b->items, b->count, &b->capacity, 1);
    b->items[b->count++] = byte;
}

static void put_hex(lb_doc *doc, const uint8_t *items, size_t count)
{
    for (size_t i = 0; i < count; i++)
        lb_doc_printf(doc, "%02x", items[i]);
}

/* Ends the output; the status so far, or LB_CAST_FAILED. */
static int finish(lb_doc *doc, int status)
{
    if (!lb_doc_flush(doc, stdout) || fflush(stdout) != 0)
        status = LB_CAST_FAILED;
    lb_doc_free(doc);
    return status;
}

/* ---- Pack ---- */

/* A code as it is: 0..15, -8..7 for int4, or a pattern. What does not fit in four bits is cut to
 * them, with a warning (float4.md 3.1). */
static int read_code(const lb_cast_options *o, const lb_cast_input *input, const char *line,
                     uint8_t *code)
{
    bool is_signed = is_signed_pack(o->pack);
    bool is_binary = line[0] == '0' && (line[1] == 'b' || line[1] == 'B');
    bool is_hex = line[0] == '0' && (line[1] == 'x' || line[1] == 'X');
    char *end;
    long value = is_binary ? strtol(line + 2, &end, 2) : strtol(line, &end, is_hex ? 16 : 10);
    if (*end != '\0' || end == line || (is_binary && end == line + 2)) {
        lb_cast_complain(input,
                         "%.60s is no code: expected %s (numbers with --from TYPE are cast first)",
                         line, is_signed ? "-8 to 7" : "0 to 15");
        return LB_CAST_WRONG;
    }
    bool fits =
        is_signed && !is_hex && !is_binary ? value >= -8 && value <= 7 : value >= 0 && value <= 15;
    if (!fits && (value < -128 || value > 255)) {
        lb_cast_complain(input, "the code %ld is out of range: %s", value,
                         is_signed ? "-8 to 7" : "0 to 15");
        return LB_CAST_WRONG;
    }
    if (!fits)
        lb_cast_complain(input, "warning: the code %ld has more than four bits; the low ones count",
                         value);
    *code = (uint8_t)((unsigned long)value & 15);
    return LB_CAST_OK;
}

/* A number, cast to the packed type. */
static int read_number(const lb_cast_options *o, const lb_cast_input *input, const char *line,
                       uint8_t *code)
{
    uint32_t pattern, wide;
    bool is_bits, is_float4 = strcmp(o->pack, "float4e2m1") == 0;
    lb_cast_options source = *o; /* a NaN of the source meets the rule when it is cast */
    int8_t value = 0;
    source.nan = o->from == LB_FLOAT4_E2M1 ? o->nan : LB_NAN_DOCUMENT;
    int status = lb_cast_read(&source, input, o->from, line, &pattern, &is_bits);
    if (status != LB_CAST_OK)
        return status;
    bool good =
        is_float4
            ? lb_float_cast(o->from, LB_FLOAT4_E2M1, pattern, o->nan, o->overflow, &wide)
            : lb_float_cast(o->from, LB_FLOAT32, pattern, LB_NAN_DOCUMENT, o->overflow, &wide) &&
                  lb_int4_from_float32(wide, is_signed_pack(o->pack), &value);
    if (!good) {
        lb_cast_complain(input, "NaN, which %s",
                         is_float4 ? "--nan error refuses" : "no integer is");
        return LB_CAST_REFUSED;
    }
    *code = is_float4 ? (uint8_t)wide : (uint8_t)(value & 15);
    return LB_CAST_OK;
}

static int pack_nibbles(const lb_cast_options *o, lb_cast_input *input)
{
    bytes codes = {0}, packed = {0};
    lb_doc doc = lb_doc_make();
    int status = LB_CAST_OK;
    char *line;
    while (status == LB_CAST_OK && (line = lb_cast_next(input)) != NULL) {
        uint8_t code = 0;
        status =
            o->has_from ? read_number(o, input, line, &code) : read_code(o, input, line, &code);
        add_byte(&codes, excess_of(o->pack, code));
    }
    if (status == LB_CAST_OK && codes.count > 0) {
        packed.items = lb_resized(NULL, lb_nibble_bytes(codes.count));
        lb_nibbles_pack(codes.items, codes.count, packed.items);
        packed.count = lb_nibble_bytes(codes.count);
        if (o->first == LB_HIGH_FIRST)
            swap_nibbles(packed.items, packed.count);
    }
    if (status == LB_CAST_OK && o->binary) {
        lb_doc_bytes(&doc, (const char *)packed.items, packed.count);
    } else if (status == LB_CAST_OK) {
        put_hex(&doc, packed.items, packed.count);
        lb_doc_char(&doc, '\n');
    }
    free(codes.items);
    free(packed.items);
    return finish(&doc, status);
}

static void put_block(lb_doc *doc, const lb_cast_options *o, const uint32_t block[LB_MX_BLOCK])
{
    const lb_mx_format *format = lb_mx_format_of(o->pack);
    unsigned bits = lb_float_bits(format->element);
    uint8_t codes[LB_MX_BLOCK], packed[LB_MX_BLOCK];
    uint8_t scale = lb_mx_block_encode(format, o->scale, block, codes);
    size_t count = lb_bits_bytes(LB_MX_BLOCK, bits);
    lb_bits_pack(codes, LB_MX_BLOCK, bits, packed);
    if (o->binary) {
        lb_doc_char(doc, (char)scale);
        lb_doc_bytes(doc, (const char *)packed, count);
        return;
    }
    lb_doc_printf(doc, "%02x ", scale);
    put_hex(doc, packed, count);
    lb_doc_char(doc, '\n');
}

static int pack_blocks(const lb_cast_options *o, lb_cast_input *input)
{
    lb_cast_options source = *o;
    lb_float_type from = o->has_from ? o->from : LB_FLOAT32;
    uint32_t block[LB_MX_BLOCK];
    size_t count = 0;
    lb_doc doc = lb_doc_make();
    int status = LB_CAST_OK;
    char *line;
    source.nan = LB_NAN_DOCUMENT;
    while (status == LB_CAST_OK && (line = lb_cast_next(input)) != NULL) {
        uint32_t pattern = 0;
        bool is_bits;
        status = lb_cast_read(&source, input, from, line, &pattern, &is_bits);
        lb_float_cast(from, LB_FLOAT32, pattern, LB_NAN_DOCUMENT, LB_OVERFLOW_INFINITY,
                      &block[count++]);
        if (count == LB_MX_BLOCK && status == LB_CAST_OK) {
            put_block(&doc, o, block);
            count = 0;
        }
    }
    if (status == LB_CAST_OK && count > 0) {
        fprintf(stderr, "lastbit cast: too-short: the last block has %zu numbers, expected %d\n",
                count, LB_MX_BLOCK);
        status = LB_CAST_REFUSED;
    }
    return finish(&doc, status);
}

int lb_cast_pack(const lb_cast_options *o)
{
    lb_cast_input input = {0};
    int status = is_mx(o->pack) ? pack_blocks(o, &input) : pack_nibbles(o, &input);
    lb_cast_input_free(&input);
    return status;
}

/* ---- Unpack ---- */

/* Hexadecimal digits, two a byte; blanks between bytes, and 0x before one, are passed over. */
static int read_hex(const lb_cast_input *input, const char *line, bytes *b)
{
    while (*line) {
        unsigned value;
        if (*line == ' ' || *line == '\t' || *line == ',') {
            line++;
            continue;
        }
        if (line[0] == '0' && (line[1] == 'x' || line[1] == 'X'))
            line += 2;
        if (strspn(line, "0123456789abcdefABCDEF") < 2) {
            lb_cast_complain(input, "%.40s are no bytes: expected two hexadecimal digits for each",
                             line);
            return LB_CAST_WRONG;
        }
        char digits[3] = {line[0], line[1], '\0'};
        value = (unsigned)strtoul(digits, NULL, 16);
        add_byte(b, (uint8_t)value);
        line += 2;
    }
    return LB_CAST_OK;
}

static int read_bytes(const lb_cast_options *o, bytes *b)
{
    lb_cast_input input = {0};
    int status = LB_CAST_OK;
    char *line;
    int c;
    while (o->binary && (c = getchar()) != EOF)
        add_byte(b, (uint8_t)c);
    while (!o->binary && status == LB_CAST_OK && (line = lb_cast_next(&input)) != NULL)
        status = read_hex(&input, line, b);
    lb_cast_input_free(&input);
    return status;
}

/* One element on its line: its code, or its number in the --to type. */
static int put_element(lb_doc *doc, const lb_cast_options *o, uint8_t nibble)
{
    bool is_float4 = strcmp(o->unpack, "float4e2m1") == 0;
    int value = is_float4
                    ? nibble
                    : lb_int4_of_nibble(excess_of(o->unpack, nibble), is_signed_pack(o->unpack));
    uint32_t pattern;
    if (!o->has_to && o->form != LB_CAST_BITS && !(is_float4 && o->form != LB_CAST_AS_INPUT)) {
        lb_doc_printf(doc, "%d\n", value);
        return LB_CAST_OK;
    }
    if (!o->has_to) {
        if (is_float4)
            lb_cast_write(doc, o, LB_FLOAT4_E2M1, nibble, true);
        else
            lb_doc_printf(doc, "0x%x\n", nibble);
        return LB_CAST_OK;
    }
    if (is_float4) {
        lb_float_cast(LB_FLOAT4_E2M1, o->to, nibble, o->nan, o->overflow, &pattern);
    } else {
        lb_float number = {.negative = value < 0,
                           .mantissa = (uint64_t)(value < 0 ? -value : value)};
        lb_float_pack(o->to, number, o->nan, o->overflow, &pattern);
    }
    lb_cast_write(doc, o, o->to, pattern, false);
    return LB_CAST_OK;
}

static int unpack_nibbles(const lb_cast_options *o, const bytes *b)
{
    if (o->first == LB_HIGH_FIRST)
        swap_nibbles(b->items, b->count);
    size_t count = o->has_count ? o->count : b->count * 2;
    size_t due = lb_nibble_bytes(count);
    lb_doc doc = lb_doc_make();
    if (b->count != due) {
        fprintf(stderr, "lastbit cast: %s: %zu bytes for %zu elements, which take %zu\n",
                lb_unpack_result_name(b->count < due ? LB_UNPACK_TOO_SHORT : LB_UNPACK_TOO_LONG),
                b->count, count, due);
        return LB_CAST_REFUSED;
    }
    uint8_t *codes = lb_resized(NULL, count + 1);
    lb_unpack_result result =
        count > 0 ? lb_nibbles_unpack(b->items, b->count, count, codes) : LB_UNPACK_OK;
    for (size_t i = 0; i < count; i++)
        put_element(&doc, o, codes[i]);
    if (result == LB_UNPACK_PADDING)
        fprintf(
            stderr,
            "lastbit cast: warning: padding-nonzero: the nibble behind the last element is %x\n",
            b->items[b->count - 1] >> 4);
    free(codes);
    return finish(&doc, LB_CAST_OK);
}

static int unpack_blocks(const lb_cast_options *o, const bytes *b)
{
    const lb_mx_format *format = lb_mx_format_of(o->unpack);
    unsigned bits = lb_float_bits(format->element);
    size_t block_bytes = 1 + lb_bits_bytes(LB_MX_BLOCK, bits);
    size_t count = o->has_count ? o->count : b->count / block_bytes * LB_MX_BLOCK;
    lb_float_type to = o->has_to ? o->to : LB_FLOAT32;
    lb_doc doc = lb_doc_make();
    if (count % LB_MX_BLOCK != 0 || b->count != count / LB_MX_BLOCK * block_bytes) {
        bool is_short = count % LB_MX_BLOCK == 0 && b->count < count / LB_MX_BLOCK * block_bytes;
        fprintf(stderr, "lastbit cast: %s: %zu bytes for %zu elements; a block of %d takes %zu\n",
                is_short || (!o->has_count && b->count % block_bytes) ? "too-short" : "too-long",
                b->count, count, LB_MX_BLOCK, block_bytes);
        return LB_CAST_REFUSED;
    }
    for (size_t i = 0; i < count; i++) {
        const uint8_t *block = b->items + i / LB_MX_BLOCK * block_bytes;
        uint8_t code = lb_bits_at(block + 1, i % LB_MX_BLOCK, bits);
        uint32_t wide = lb_mx_block_decode(format, block[0], code);
        uint32_t pattern;
        if (!lb_float_cast(LB_FLOAT32, to, wide, o->nan, o->overflow, &pattern)) {
            fprintf(stderr, "lastbit cast: element %zu: NaN, which --nan error refuses\n", i);
            return finish(&doc, LB_CAST_REFUSED);
        }
        lb_cast_write(&doc, o, to, pattern, false);
    }
    return finish(&doc, LB_CAST_OK);
}

int lb_cast_unpack(const lb_cast_options *o)
{
    bytes b = {0};
    int status = read_bytes(o, &b);
    if (status == LB_CAST_OK)
        status = is_mx(o->unpack) ? unpack_blocks(o, &b) : unpack_nibbles(o, &b);
    free(b.items);
    return status;
}
