/* Text in memory that grows as it is written: see doc.h. */
#include "doc.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BYTES = 4096, BLOCK_BYTES = 1 << 16 };

lb_doc lb_doc_make(void)
{
    return (lb_doc){NULL, 0, 0, false, false};
}

lb_doc lb_doc_in(char *text, size_t text_bytes)
{
    return (lb_doc){text, 0, text_bytes, true, false};
}

void lb_doc_free(lb_doc *doc)
{
    if (!doc->fixed) {
        free(doc->text);
        *doc = lb_doc_make();
    }
}

static bool make_room(lb_doc *doc, size_t count)
{
    if (doc->capacity - doc->length >= count)
        return true;
    if (doc->fixed || count > SIZE_MAX / 4 || doc->length > SIZE_MAX / 4) {
        doc->failed = true;
        return false;
    }
    size_t capacity = doc->capacity == 0 ? FIRST_BYTES : doc->capacity * 2;
    while (capacity < doc->length + count)
        capacity *= 2;
    char *text = realloc(doc->text, capacity);
    if (!text) {
        doc->failed = true;
        return false;
    }
    doc->text = text;
    doc->capacity = capacity;
    return true;
}

void lb_doc_bytes(lb_doc *doc, const char *bytes, size_t count)
{
    if (count > 0 && make_room(doc, count)) {
        memcpy(doc->text + doc->length, bytes, count);
        doc->length += count;
    }
}

void lb_doc_puts(lb_doc *doc, const char *text)
{
    lb_doc_bytes(doc, text, strlen(text));
}

/* Digits of value at the end of `end`; gives where they start. Written by hand: a results writer
 * spends most of its time in numbers, and printf is several times slower. */
static char *digits_before(char *end, uint64_t value)
{
    do {
        *--end = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    return end;
}

void lb_doc_u64(lb_doc *doc, uint64_t value)
{
    if (value < 10) {
        lb_doc_char(doc, (char)('0' + value));
        return;
    }
    char digits[24];
    char *end = digits + sizeof digits;
    const char *start = digits_before(end, value);
    lb_doc_bytes(doc, start, (size_t)(end - start));
}

void lb_doc_i64(lb_doc *doc, int64_t value)
{
    if (value < 0) {
        lb_doc_char(doc, '-');
        lb_doc_u64(doc, (uint64_t)0 - (uint64_t)value);
    } else {
        lb_doc_u64(doc, (uint64_t)value);
    }
}

void lb_doc_grouped(lb_doc *doc, uint64_t value)
{
    char digits[24];
    char *end = digits + sizeof digits;
    const char *start = digits_before(end, value);
    size_t left = (size_t)(end - start);
    for (const char *digit = start; digit < end; digit++, left--) {
        if (digit != start && left % 3 == 0)
            lb_doc_char(doc, ',');
        lb_doc_char(doc, *digit);
    }
}

enum { DIGITS = 9, MOST_POWER = 22 };

/* The number as DIGITS decimal digits, the first one not 0, and the power of ten of the first;
 * false: double precision cannot tell to which side the last one is rounded. Powers of ten up to
 * the 22nd are exact, so that `scaled` is wrong by 2^-24 at most. */
static bool decimal_digits(double size, uint32_t *digits, int *power)
{
    static const double powers[MOST_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    int bits;
    frexp(size, &bits);
    int ten = (int)floor((bits - 1) * 0.30102999566398120);
    double scaled = 0;
    for (; scaled < 1e8; ten--) { /* twice at most: the bits tell the power or one below */
        int up = DIGITS - 1 - (ten + 1);
        if (up > MOST_POWER || up < -MOST_POWER)
            return false;
        scaled = up < 0 ? size / powers[-up] : size * powers[up];
    }
    *power = ten + 2;
    double whole = floor(scaled), rest = scaled - whole;
    *digits = (uint32_t)whole + (rest > 0.5);
    if (*digits == 1000000000) {
        *digits = 100000000;
        ++*power;
    }
    return fabs(rest - 0.5) > 1e-6;
}

/* As %.9g writes it, where that can be told quickly: printf takes several times as long, and a
 * result has a few such numbers. False: nothing is written. */
static bool put_nine_digits(lb_doc *doc, double value)
{
    uint32_t whole;
    int power;
    char text[DIGITS], *end = text + DIGITS;
    if (!decimal_digits(fabs(value), &whole, &power) || power < -4 || power >= DIGITS)
        return false;
    digits_before(end, whole);
    while (end > text + 1 && end[-1] == '0' && end - text > power + 1)
        end--;
    const size_t count = (size_t)(end - text), before = power < 0 ? 0 : (size_t)power + 1;
    lb_doc_bytes(doc, "-", value < 0);
    if (power < 0)
        lb_doc_bytes(doc, "0.000", (size_t)(1 - power));
    lb_doc_bytes(doc, text, before);
    lb_doc_bytes(doc, ".", before > 0 && count > before);
    lb_doc_bytes(doc, text + before, count - before);
    return true;
}

void lb_doc_double(lb_doc *doc, double value, int digits, const char *none)
{
    if (!isfinite(value)) {
        lb_doc_puts(doc, none);
        return;
    }
    if (value == 0) {
        lb_doc_char(doc, '0');
        return;
    }
    if (digits == DIGITS && put_nine_digits(doc, value))
        return;
    char text[40];
    int length = snprintf(text, sizeof text, "%.*g", digits, value);
    for (int i = 0; i < length; i++)
        if (text[i] == ',')
            text[i] = '.';
    lb_doc_bytes(doc, text, (size_t)length);
}

void lb_doc_figure(lb_doc *doc, double value, int decimals)
{
    double size = fabs(value);
    if (!(size < 1e15)) {
        lb_doc_double(doc, value, 4, "–");
        return;
    }
    if (size >= 999.95) {
        lb_doc_puts(doc, value < 0 ? "-" : "");
        lb_doc_grouped(doc, (uint64_t)(size + 0.5));
        return;
    }
    char text[40];
    int length = snprintf(text, sizeof text, "%.*f", size < 100 ? decimals : 1, value);
    for (int i = 0; i < length; i++)
        text[i] = text[i] == ',' ? '.' : text[i];
    /* what rounds to zero has no sign */
    const char *start =
        text[0] == '-' && strspn(text + 1, "0.") == (size_t)length - 1 ? text + 1 : text;
    lb_doc_puts(doc, start);
}

void lb_doc_percent(lb_doc *doc, uint64_t part, uint64_t whole)
{
    unsigned tenths = part >= whole ? 1000 : (unsigned)((double)part / (double)whole * 1000);
    tenths = part < whole && tenths > 999 ? 999 : tenths;
    lb_doc_u64(doc, tenths / 10);
    if (tenths % 10 != 0) {
        lb_doc_char(doc, '.');
        lb_doc_u64(doc, tenths % 10);
    }
    lb_doc_puts(doc, " %");
}

double lb_used_rounded(double percent)
{
    if (!(percent > 0) || percent > 10000)
        return percent;
    return (percent < 100 ? floor(percent * 10) : percent > 100 ? ceil(percent * 10) : 1000) / 10;
}

void lb_doc_used(lb_doc *doc, double percent)
{
    if (percent > 10000) {
        lb_doc_puts(doc, "over 10,000 %");
        return;
    }
    lb_doc_figure(doc, lb_used_rounded(percent), 1);
    lb_doc_puts(doc, " %");
}

double lb_rate_change_percent(double rate, double before)
{
    const double change = before > 0 ? 100 * (rate / before - 1) : NAN;
    return isfinite(change) && fabs(change) < 1e9 ? change : NAN;
}

void lb_doc_rate(lb_doc *doc, double rate)
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T", "P"};
    size_t prefix = 0;
    if (!(rate > 0) || !isfinite(rate))
        return;
    while (rate >= 1000 && prefix + 1 < sizeof prefixes / sizeof prefixes[0]) {
        rate /= 1000;
        prefix++;
    }
    lb_doc_figure(doc, rate, 2);
    lb_doc_printf(doc, " %s", prefixes[prefix]);
}

void lb_doc_printf(lb_doc *doc, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof text) {
        doc->failed = true;
        return;
    }
    lb_doc_bytes(doc, text, (size_t)length);
}

void lb_doc_codepoint(lb_doc *doc, uint32_t codepoint)
{
    char bytes[4];
    size_t count = 0;
    if (codepoint < 0x80) {
        bytes[count++] = (char)codepoint;
    } else if (codepoint < 0x800) {
        bytes[count++] = (char)(0xC0 | codepoint >> 6);
        bytes[count++] = (char)(0x80 | (codepoint & 0x3F));
    } else if (codepoint < 0x10000) {
        bytes[count++] = (char)(0xE0 | codepoint >> 12);
        bytes[count++] = (char)(0x80 | (codepoint >> 6 & 0x3F));
        bytes[count++] = (char)(0x80 | (codepoint & 0x3F));
    } else {
        bytes[count++] = (char)(0xF0 | (codepoint >> 18 & 0x07));
        bytes[count++] = (char)(0x80 | (codepoint >> 12 & 0x3F));
        bytes[count++] = (char)(0x80 | (codepoint >> 6 & 0x3F));
        bytes[count++] = (char)(0x80 | (codepoint & 0x3F));
    }
    lb_doc_bytes(doc, bytes, count);
}

void lb_doc_cut(lb_doc *doc, size_t length)
{
    if (length < doc->length)
        doc->length = length;
}

bool lb_doc_flush(lb_doc *doc, FILE *file)
{
    if (doc->length > 0 && fwrite(doc->text, 1, doc->length, file) != doc->length)
        doc->failed = true;
    doc->length = 0;
    return !doc->failed;
}

bool lb_doc_flush_full(lb_doc *doc, FILE *file)
{
    return doc->length < BLOCK_BYTES ? !doc->failed : lb_doc_flush(doc, file);
}
