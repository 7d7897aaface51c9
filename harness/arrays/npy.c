/* NumPy arrays: see array.h. A header is a Python dictionary of three keys; it is read strictly,
 * for what one does not understand one must not compute with. */
#include "harness/arrays/array.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAGIC_BYTES = 6, MOST_HEADER = 65536 };
static const unsigned char magic[MAGIC_BYTES] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

typedef struct reader {
    const char *at, *end; /* of the header's text */
    lb_arena *arena;
    const char *why;
} reader;

typedef struct header {
    bool has_descr, has_order, has_shape;
    char kind; /* 'b', 'i', 'u', 'f' */
    unsigned element_bytes;
    bool big_endian, fortran;
} header;

static bool refuse(reader *r, const char *why)
{
    if (!r->why)
        r->why = why;
    return false;
}

static void skip_blanks(reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\t'))
        r->at++;
}

static bool take(reader *r, char c)
{
    skip_blanks(r);
    if (r->at == r->end || *r->at != c)
        return false;
    r->at++;
    return true;
}

static bool take_word(reader *r, const char *word)
{
    size_t length = strlen(word);
    skip_blanks(r);
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0)
        return false;
    r->at += length;
    return true;
}

/* A text in single or double quotes, without escapes. */
static bool take_text(reader *r, char *text, size_t room)
{
    size_t length = 0;
    skip_blanks(r);
    if (r->at == r->end || (*r->at != '\'' && *r->at != '"'))
        return refuse(r, "its header is no dictionary of Python with texts as keys");
    char quote = *r->at++;
    while (r->at < r->end && *r->at != quote && length + 1 < room)
        text[length++] = *r->at++;
    text[length] = '\0';
    if (r->at == r->end || *r->at != quote)
        return refuse(r, "a text of its header does not end, or is too long");
    r->at++;
    return true;
}

static bool take_descr(reader *r, header *h)
{
    char text[16];
    skip_blanks(r);
    if (r->at < r->end && *r->at == '[')
        return refuse(r, "its elements are records; integers or floating-point numbers are needed");
    if (!take_text(r, text, sizeof text))
        return false;
    bool sized = strlen(text) == 3 && strchr("<>|=", text[0]) && strchr("1248", text[2]);
    if (!sized || !strchr("biuf", text[1]) || (text[1] == 'f' && text[2] == '1') ||
        (text[1] == 'b' && text[2] != '1') || (text[0] == '|' && text[2] != '1'))
        return refuse(r, lb_arena_printf(r->arena,
                                         "its dtype is '%.15s'; integers of 1 to 8 bytes (i1 ... "
                                         "u8), or f2, f4, f8 are needed",
                                         text));
    *h = (header){.has_descr = true,
                  .has_order = h->has_order,
                  .has_shape = h->has_shape,
                  .fortran = h->fortran,
                  .kind = text[1],
                  .element_bytes = (unsigned)(text[2] - '0'),
                  .big_endian = text[0] == '>'};
    return true;
}

static bool take_shape(reader *r, lb_array *array)
{
    if (!take(r, '('))
        return refuse(r, "\"shape\" of its header is no tuple");
    while (!take(r, ')')) {
        uint64_t extent = 0;
        skip_blanks(r);
        if (r->at == r->end || *r->at < '0' || *r->at > '9')
            return refuse(r, "\"shape\" of its header has something that is no extent");
        for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++) {
            if (extent > (UINT64_MAX >> 8))
                return refuse(r, "an extent in its header is too large");
            extent = extent * 10 + (uint64_t)(*r->at - '0');
        }
        if (array->rank == LB_ARRAY_RANK)
            return refuse(r, "it has more than 8 dimensions");
        array->shape[array->rank++] = extent;
        if (!take(r, ',')) {
            if (!take(r, ')'))
                return refuse(r, "\"shape\" of its header does not end");
            return true;
        }
    }
    return true;
}

static bool take_member(reader *r, header *h, lb_array *array)
{
    char key[32];
    if (!take_text(r, key, sizeof key))
        return false;
    if (!take(r, ':'))
        return refuse(r, "a key of its header has no value");
    bool *seen = strcmp(key, "descr") == 0           ? &h->has_descr
                 : strcmp(key, "fortran_order") == 0 ? &h->has_order
                 : strcmp(key, "shape") == 0         ? &h->has_shape
                                                     : NULL;
    if (!seen)
        return refuse(r, lb_arena_printf(r->arena, "its header has the unknown key '%s'", key));
    if (*seen)
        return refuse(r, lb_arena_printf(r->arena, "its header has '%s' twice", key));
    *seen = true;
    if (seen == &h->has_descr)
        return take_descr(r, h);
    if (seen == &h->has_shape)
        return take_shape(r, array);
    h->fortran = take_word(r, "True");
    return h->fortran || take_word(r, "False") ||
           refuse(r, "\"fortran_order\" of its header is neither True nor False");
}

static bool read_header(reader *r, header *h, lb_array *array)
{
    if (!take(r, '{'))
        return refuse(r, "its header is no dictionary");
    while (!take(r, '}')) {
        if (!take_member(r, h, array))
            return false;
        if (!take(r, ',')) {
            if (!take(r, '}'))
                return refuse(r, "its header does not end");
            break;
        }
    }
    skip_blanks(r);
    if (r->at != r->end)
        return refuse(r, "something stands behind the dictionary of its header");
    return (h->has_descr && h->has_order && h->has_shape) ||
           refuse(r, "its header lacks one of 'descr', 'fortran_order', 'shape'");
}

/* The header's text, and where the elements begin. */
static bool find_header(reader *r, const unsigned char *bytes, size_t length, size_t *data_at)
{
    if (length < MAGIC_BYTES + 4 || memcmp(bytes, magic, MAGIC_BYTES) != 0)
        return refuse(r, "it is no .npy file: it does not begin with \\x93NUMPY");
    unsigned major = bytes[MAGIC_BYTES];
    size_t field = major == 1 ? 2 : 4, start = MAGIC_BYTES + 2 + field, size = 0;
    if (major < 1 || major > 3 || bytes[MAGIC_BYTES + 1] != 0)
        return refuse(r, "its version of the format is not 1.0, 2.0 or 3.0");
    if (length < start)
        return refuse(r, "it ends inside its header");
    for (size_t i = field; i-- > 0;)
        size = size << 8 | bytes[MAGIC_BYTES + 2 + i];
    if (size > MOST_HEADER)
        return refuse(r, "its header is longer than 65,536 bytes");
    if (size > length - start)
        return refuse(r, "it ends inside its header");
    r->at = (const char *)bytes + start;
    r->end = r->at + size;
    *data_at = start + size;
    return true;
}

static uint64_t load(const unsigned char *at, unsigned bytes, bool big_endian)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value = value << 8 | at[big_endian ? i : bytes - 1 - i];
    return value;
}

static int64_t as_integer(uint64_t bits, const header *h)
{
    unsigned spare = 64 - 8 * h->element_bytes;
    if (h->kind != 'i')
        return bits > INT64_MAX ? INT64_MAX : (int64_t)bits;
    uint64_t sign = UINT64_C(1) << (63 - spare);
    uint64_t wide = (bits ^ sign) - sign;
    int64_t value;
    memcpy(&value, &wide, sizeof value);
    return value;
}

static double as_half(uint64_t bits)
{
    int exponent = (int)(bits >> 10 & 31);
    double fraction = (double)(bits & 1023);
    double value = exponent == 31 ? (fraction > 0 ? (double)NAN : (double)INFINITY)
                   : exponent > 0 ? ldexp(1024 + fraction, exponent - 25)
                                  : ldexp(fraction, -24);
    return bits >> 15 & 1 ? -value : value;
}

static double as_real(uint64_t bits, const header *h)
{
    if (h->element_bytes == 2)
        return as_half(bits);
    if (h->element_bytes == 4) {
        uint32_t narrow = (uint32_t)bits;
        float value;
        memcpy(&value, &narrow, sizeof value);
        return value;
    }
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Place in row-major order of the element with this place in column-major order. */
static size_t row_major(const lb_array *array, size_t place)
{
    size_t index[LB_ARRAY_RANK] = {0}, flat = 0;
    for (unsigned d = 0; d < array->rank; d++) {
        index[d] = place % array->shape[d];
        place /= array->shape[d];
    }
    for (unsigned d = 0; d < array->rank; d++)
        flat = flat * array->shape[d] + index[d];
    return flat;
}

static bool count_elements(reader *r, lb_array *array, size_t most)
{
    uint64_t count = 1;
    for (unsigned d = 0; d < array->rank; d++) {
        if (array->shape[d] > 0 && count > most / array->shape[d])
            return refuse(
                r, lb_arena_printf(r->arena, "it has more elements than the %zu expected", most));
        count *= array->shape[d];
    }
    array->count = count;
    return true;
}

static void take_elements(const unsigned char *at, const header *h, lb_array *array,
                          lb_arena *arena)
{
    array->is_real = h->kind == 'f';
    if (array->is_real)
        array->reals = lb_arena_array(arena, array->count, sizeof *array->reals);
    else
        array->integers = lb_arena_array(arena, array->count, sizeof *array->integers);
    for (size_t i = 0; i < array->count; i++, at += h->element_bytes) {
        uint64_t bits = load(at, h->element_bytes, h->big_endian);
        size_t place = h->fortran ? row_major(array, i) : i;
        if (array->is_real)
            array->reals[place] = as_real(bits, h);
        else
            array->integers[place] = as_integer(bits, h);
    }
}

bool lb_npy_read(const unsigned char *bytes, size_t length, size_t most, lb_arena *arena,
                 lb_array *array, const char **why)
{
    reader r = {.arena = arena};
    header h = {0};
    size_t data_at = 0;
    *array = (lb_array){0};
    bool good = find_header(&r, bytes, length, &data_at) && read_header(&r, &h, array) &&
                count_elements(&r, array, most);
    if (good && length - data_at != array->count * h.element_bytes)
        good = refuse(&r, lb_arena_printf(arena,
                                          "it has %zu bytes of elements, and its shape and dtype "
                                          "ask for %zu",
                                          length - data_at, array->count * h.element_bytes));
    if (good)
        take_elements(bytes + data_at, &h, array, arena);
    *why = r.why;
    return good;
}

bool lb_npy_read_shape(const unsigned char *bytes, size_t length, lb_arena *arena, lb_array *array,
                       const char **why)
{
    reader r = {.arena = arena};
    header h = {0};
    size_t data_at = 0;
    *array = (lb_array){0};
    bool good = find_header(&r, bytes, length, &data_at) && read_header(&r, &h, array);
    array->is_real = h.kind == 'f';
    *why = r.why;
    return good;
}

lb_bytes lb_npy_write(const char *descr, unsigned rank, const uint32_t *shape,
                      const unsigned char *elements, size_t bytes, lb_arena *arena)
{
    enum { ALIGNMENT = 64, FIXED = MAGIC_BYTES + 4 };
    const char *extents = "";
    for (unsigned d = 0; d < rank; d++)
        extents = lb_arena_printf(arena, "%s%s%u%s", extents, d ? ", " : "", shape[d],
                                  rank == 1 ? "," : "");
    const char *text = lb_arena_printf(
        arena, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr, extents);
    size_t length = strlen(text);
    size_t padded = (FIXED + length + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT - FIXED;
    lb_bytes file = {.at = lb_arena_alloc(arena, FIXED + padded + bytes),
                     .count = FIXED + padded + bytes};
    memcpy(file.at, magic, MAGIC_BYTES);
    file.at[MAGIC_BYTES] = 1;
    file.at[MAGIC_BYTES + 1] = 0;
    file.at[MAGIC_BYTES + 2] = (unsigned char)(padded & 0xFF);
    file.at[MAGIC_BYTES + 3] = (unsigned char)(padded >> 8);
    memset(file.at + FIXED, ' ', padded);
    memcpy(file.at + FIXED, text, length);
    file.at[FIXED + padded - 1] = '\n';
    if (bytes > 0)
        memcpy(file.at + FIXED + padded, elements, bytes);
    return file;
}
