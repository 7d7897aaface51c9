/* UTF-8, strictly: see utf8.h. */
#include "harness/base/utf8.h"

#include <string.h>

unsigned lb_utf8_decode(const char *text, size_t left, uint32_t *code_point)
{
    const unsigned char *s = (const unsigned char *)text;
    static const uint32_t smallest[5] = {0, 0, 0x80, 0x800,
                                         0x10000}; /* by length: below it, the form is overlong */
    if (left == 0)
        return 0;
    if (s[0] < 0x80) {
        *code_point = s[0];
        return 1;
    }
    unsigned length = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
    if (s[0] < 0xC0 || s[0] > 0xF4 || left < length)
        return 0;
    uint32_t value = s[0] & (0x7Fu >> length);
    for (unsigned i = 1; i < length; i++) {
        if ((s[i] & 0xC0) != 0x80)
            return 0;
        value = value << 6 | (s[i] & 0x3Fu);
    }
    bool surrogate = value >= 0xD800 && value <= 0xDFFF;
    if (value < smallest[length] || value > 0x10FFFF || surrogate)
        return 0;
    *code_point = value;
    return length;
}

size_t lb_utf8_check(const char *text, size_t length)
{
    size_t at = 0;
    while (at < length) {
        uint32_t code_point;
        unsigned bytes = lb_utf8_decode(text + at, length - at, &code_point);
        if (bytes == 0)
            return at;
        at += bytes;
    }
    return length;
}

bool lb_utf8_is_control(uint32_t c)
{
    bool invisible = c == 0xFEFF || (c >= 0x200E && c <= 0x200F) || (c >= 0x2066 && c <= 0x2069);
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x2028 && c <= 0x202E) || invisible;
}

bool lb_utf8_is_printable(const char *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        uint32_t code_point;
        unsigned bytes = lb_utf8_decode(text + at, length - at, &code_point);
        if (bytes == 0 || lb_utf8_is_control(code_point))
            return false;
        at += bytes;
    }
    return length > 0;
}
