/* Lines of hexadecimal words: see array.h. */
#include "harness/arrays/array.h"

#include <stdio.h>
#include <string.h>

static const char digits[] = "0123456789abcdef";

lb_bytes lb_hex_write(const unsigned char *bytes, size_t count, unsigned word_bits, bool big_endian,
                      lb_arena *arena)
{
    size_t word = word_bits / 8, words = (count + word - 1) / word;
    lb_bytes text = {.at = lb_arena_alloc(arena, words * (2 * word + 1) + 1), .count = 0};
    for (size_t w = 0; w < words; w++) {
        for (size_t i = 0; i < word; i++) {
            size_t place = w * word + (big_endian ? i : word - 1 - i);
            unsigned char byte = place < count ? bytes[place] : 0;
            text.at[text.count++] = (unsigned char)digits[byte >> 4];
            text.at[text.count++] = (unsigned char)digits[byte & 15];
        }
        text.at[text.count++] = '\n';
    }
    return text;
}

typedef struct reader {
    const char *at, *end;
    unsigned line;
    lb_arena *arena;
    const char *why;
} reader;

static bool refuse(reader *r, const char *what)
{
    r->why = lb_arena_printf(r->arena, "line %u: %s", r->line, what);
    return false;
}

/* strchr that finds no end of text. */
static bool is_one_of(char c, const char *set)
{
    return c && strchr(set, c);
}

/* Blanks and comments; false: a comment does not end. */
static bool skip(reader *r)
{
    for (;;) {
        while (r->at < r->end && is_one_of(*r->at, " \t\r\n"))
            r->line += *r->at++ == '\n';
        if (r->end - r->at < 2 || r->at[0] != '/' || (r->at[1] != '/' && r->at[1] != '*'))
            return true;
        bool block = r->at[1] == '*';
        r->at += 2;
        while (
            r->at < r->end &&
            (block ? !(r->end - r->at >= 2 && r->at[0] == '*' && r->at[1] == '/') : *r->at != '\n'))
            r->line += *r->at++ == '\n';
        if (block && r->at == r->end)
            return refuse(r, "a comment does not end");
        r->at += block ? 2 : 0;
    }
}

static int digit_of(char c)
{
    const char *found = c ? strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c) : NULL;
    return found ? (int)(found - digits) : -1;
}

/* One word into out[0 .. word): digits that are missing in front are 0. */
static bool take_word(reader *r, unsigned char *out, size_t word, bool big_endian)
{
    size_t count = 0;
    unsigned char nibbles[32];
    for (; r->at < r->end && !is_one_of(*r->at, " \t\r\n/"); r->at++) {
        int digit = digit_of(*r->at);
        if (*r->at == '_')
            continue;
        if (digit < 0)
            return refuse(r, is_one_of(*r->at, "xXzZ")
                                 ? "a digit is x or z: the simulation never gave it a value"
                                 : "something is no hexadecimal digit");
        if (count == 2 * word)
            return refuse(r, "a word has more digits than the index says");
        nibbles[count++] = (unsigned char)digit;
    }
    if (count == 0)
        return refuse(r, "something is no hexadecimal digit");
    memset(out, 0, word);
    for (size_t i = 0; i < count; i++) { /* from the lowest */
        size_t byte = i / 2;
        unsigned char *place = &out[big_endian ? word - 1 - byte : byte];
        *place = (unsigned char)(*place | nibbles[count - 1 - i] << (i % 2 * 4));
    }
    return true;
}

static bool take_address(reader *r, size_t *word, size_t most_words)
{
    size_t value = 0;
    r->at++;
    for (; r->at < r->end && digit_of(*r->at) >= 0; r->at++) {
        value = value * 16 + (size_t)digit_of(*r->at);
        if (value > most_words)
            return refuse(r, "an address lies behind the end of the tensor");
    }
    *word = value;
    return true;
}

bool lb_hex_read(const char *text, size_t length, unsigned word_bits, bool big_endian, size_t most,
                 lb_arena *arena, lb_bytes *bytes, const char **why)
{
    reader r = {.at = text, .end = text + length, .line = 1, .arena = arena};
    size_t word = word_bits / 8, words = (most + word - 1) / word, at = 0;
    bool good = true;
    *bytes = (lb_bytes){.at = lb_arena_alloc(arena, words * word + 1), .count = 0};
    memset(bytes->at, 0, words * word + 1);
    while (good && (good = skip(&r)) && r.at < r.end) {
        if (*r.at == '@') {
            good = take_address(&r, &at, words);
            continue;
        }
        if (at >= words) {
            good = refuse(&r, "there are more words than the tensor has");
            break;
        }
        good = take_word(&r, bytes->at + at * word, word, big_endian);
        at++;
        if (at * word > bytes->count)
            bytes->count = at * word;
    }
    *why = r.why;
    return good;
}
