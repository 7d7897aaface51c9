/* Members of encodings files, one check each, in words that say what would be right. See
 * reader.h. */
#include "harness/encodings/reader.h"

#include <math.h>
#include <string.h>

lb_pointer lb_step_key(const lb_pointer *above, const char *key)
{
    return (lb_pointer){.above = above, .key = key};
}

lb_pointer lb_step_index(const lb_pointer *above, size_t index)
{
    return (lb_pointer){.above = above, .index = index};
}

const char *lb_enc_describe(lb_enc_reader *r, const cJSON *node)
{
    if (cJSON_IsString(node))
        return lb_arena_printf(&r->file->arena, "the text \"%.60s%s\"", node->valuestring,
                               strlen(node->valuestring) > 60 ? "..." : "");
    if (cJSON_IsNumber(node))
        return lb_arena_printf(&r->file->arena, "the number %.17g", node->valuedouble);
    return cJSON_IsArray(node)    ? "a list"
           : cJSON_IsObject(node) ? "an object"
           : cJSON_IsBool(node)   ? (cJSON_IsTrue(node) ? "true" : "false")
                                  : "null";
}

const cJSON *lb_enc_member(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

/* What a member that is missing may be. */
static const char *example_of(lb_enc_family family, const char *key)
{
    static const struct {
        const char *key, *before_1, *from_1;
    } examples[] = {
        {"name", NULL, "the name of the tensor"},
        {"bitwidth", "\"bitwidth\": 8, or another width", NULL},
        {"bw", NULL, "\"bw\": 8, or another width"},
        {"dtype", "\"dtype\": \"int\", or \"float\"", "\"dtype\": \"INT\", or \"FLOAT\""},
        {"is_symmetric", "\"is_symmetric\": \"False\", or \"True\"", NULL},
        {"is_sym", NULL, "\"is_sym\": false, or true"},
        {"enc_type", NULL, "\"enc_type\": \"PER_TENSOR\", or another"},
        {"output_dtype", NULL, "\"output_dtype\": \"int8\", or another type"},
        {"scale", NULL, "a list of scales, [0.1] for one"},
        {"offset", NULL, "a list with an offset for each scale"},
        {"y_scale", NULL, "a number, a list, or lists of lists"},
        {"block_size", NULL, "the elements that share a scale"},
        {"compressed_bw", NULL, "the width of the codes, less than bw"},
        {"per_block_int_scale", NULL, "a list of whole numbers, one for each block"},
        {"per_channel_float_scale", NULL, "a list of scales, one for each channel"},
        {"x", NULL, "the list of quantized scales"},
        {"x_scale", NULL, "what makes scales of x, a number or a list"},
    };
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++)
        if (strcmp(key, examples[i].key) == 0) {
            const char *text = family < LB_ENC_10 ? examples[i].before_1 : examples[i].from_1;
            return text ? text : "";
        }
    return "a number"; /* of VECTOR; min, max, scale and offset of 0.x come with their own */
}

bool lb_enc_require_with(lb_enc_reader *r, const cJSON *object, const lb_pointer *above,
                         const char *key, const char *remedy, const cJSON **member)
{
    lb_pointer where = lb_step_key(above, key);
    *member = lb_enc_member(object, key);
    if (*member)
        return true;
    return lb_enc_fail(r, "E_MISSING_FIELD", &where, object, remedy, "the member \"%s\" is missing",
                       key);
}

bool lb_enc_require(lb_enc_reader *r, const cJSON *object, const lb_pointer *above, const char *key,
                    const cJSON **member)
{
    return lb_enc_require_with(r, object, above, key, example_of(r->file->family, key), member);
}

bool lb_enc_text_of(lb_enc_reader *r, const cJSON *node, const lb_pointer *where, const char **text)
{
    if (!cJSON_IsString(node))
        return lb_enc_fail(r, "E_FIELD_TYPE", where, node, "write a string",
                           "expected a text, found %s", lb_enc_describe(r, node));
    *text = node->valuestring;
    return true;
}

bool lb_enc_number(lb_enc_reader *r, const cJSON *node, const lb_pointer *where, double *number)
{
    if (!cJSON_IsNumber(node))
        return lb_enc_fail(r, "E_FIELD_TYPE", where, node, "write a number, without quotes",
                           "expected a number, found %s", lb_enc_describe(r, node));
    if (!isfinite(node->valuedouble))
        return lb_enc_fail(r, "E_NONFINITE", where, node, "a binary64 number reaches to 1.8e308",
                           "the number is too large");
    *number = node->valuedouble;
    return true;
}

bool lb_enc_integer(lb_enc_reader *r, const cJSON *node, const lb_pointer *where, double *number)
{
    if (!lb_enc_number(r, node, where, number))
        return false;
    if (*number != floor(*number))
        return lb_enc_fail(r, "E_NOT_INTEGER", where, node, "a whole number; -114.0 is one",
                           "%.17g has a fraction", *number);
    return true;
}

bool lb_enc_width(lb_enc_reader *r, const cJSON *node, const lb_pointer *where, int low, int high,
                  int *width)
{
    double number = 0;
    if (!lb_enc_integer(r, node, where, &number))
        return false;
    if (!(number >= low && number <= high))
        return lb_enc_fail(r, "E_BITWIDTH_RANGE", where, node,
                           lb_arena_printf(&r->file->arena, "a width from %d to %d", low, high),
                           "%.17g bits", number);
    *width = (int)number;
    return true;
}

bool lb_enc_scale(lb_enc_reader *r, const cJSON *node, const lb_pointer *where, double *scale)
{
    if (!lb_enc_number(r, node, where, scale))
        return false;
    if (!(*scale > 0))
        return lb_enc_fail(r, "E_SCALE_NONPOS", where, node, "a scale is greater than 0",
                           "the scale is %.17g", *scale);
    return true;
}

/* A list where one dimension is meant is a mistake of its own: readers of other formats have them.
 */
static bool check_one(lb_enc_reader *r, const cJSON *node, const lb_pointer *where,
                      const char *what)
{
    return !cJSON_IsArray(node) ||
           lb_enc_fail(r, "E_FIELD_TYPE", where, node,
                       lb_arena_printf(&r->file->arena,
                                       "one number: this format has %s along one dimension", what),
                       "expected a number, found a list");
}

bool lb_enc_block_size(lb_enc_reader *r, const cJSON *node, const lb_pointer *where, double *size)
{
    if (!check_one(r, node, where, "blocks") || !lb_enc_integer(r, node, where, size))
        return false;
    return *size >= 1 || lb_enc_fail(r, "E_FIELD_RANGE", where, node, "1 or more",
                                     "a block of %.17g elements", *size);
}

bool lb_enc_axis_number(lb_enc_reader *r, const cJSON *node, const lb_pointer *where, double *axis)
{
    return check_one(r, node, where, "scales") && lb_enc_integer(r, node, where, axis);
}

bool lb_enc_list(lb_enc_reader *r, const cJSON *node, const lb_pointer *where)
{
    if (cJSON_IsArray(node))
        return true;
    return lb_enc_fail(r, "E_FIELD_TYPE", where, node, "write a list, [...]",
                       "expected a list, found %s", lb_enc_describe(r, node));
}

bool lb_enc_object(lb_enc_reader *r, const cJSON *node, const lb_pointer *where)
{
    if (cJSON_IsObject(node))
        return true;
    return lb_enc_fail(r, "E_FIELD_TYPE", where, node, "write an object, {...}",
                       "expected an object, found %s", lb_enc_describe(r, node));
}

void lb_enc_unknown_members(lb_enc_reader *r, const cJSON *object, const lb_pointer *where,
                            const char *const *known)
{
    for (const cJSON *member = object->child; member; member = member->next) {
        const char *const *name = known;
        while (*name && strcmp(*name, member->string) != 0)
            name++;
        lb_pointer at = lb_step_key(where, member->string);
        if (!*name)
            lb_enc_warn(r, "W_UNKNOWN_FIELD", &at, member, "",
                        "the member \"%.80s\" means nothing here in this version; it is ignored",
                        member->string);
    }
}

/* ---- Offsets ---- */

double lb_enc_tolerance(int bits)
{
    double steps = ldexp(1, bits) - 1;
    return fmax(0.01, ldexp(steps, -20));
}

bool lb_enc_is_symmetric_offset(double offset, int bits)
{
    double half = ldexp(1, bits - 1);
    return offset == 0 || offset == -half || offset == -(half - 1);
}

bool lb_enc_check_offset(lb_enc_reader *r, const cJSON *node, const lb_pointer *where,
                         double offset, int bits, bool is_symmetric, const char *remedy)
{
    double steps = ldexp(1, bits) - 1;
    double half = ldexp(1, bits - 1);
    if (offset > 0)
        return lb_enc_fail(r, "E_OFFSET_SIGN", where, node,
                           "offsets are 0 or negative; \"--tf-offsets recompute\" reads what the "
                           "first TensorFlow exporter wrote",
                           "the offset %.17g is positive", offset);
    if (offset < -steps)
        return lb_enc_fail(
            r, "E_OFFSET_RANGE", where, node,
            lb_arena_printf(&r->file->arena, "at %d bits an offset is %.17g to 0", bits, -steps),
            "the offset %.17g lies outside the grid", offset);
    if (is_symmetric && !lb_enc_is_symmetric_offset(offset, bits))
        return lb_enc_fail(
            r, "E_SYM_OFFSET", where, node,
            remedy ? remedy
                   : lb_arena_printf(&r->file->arena,
                                     "\"is_sym\": false, or the offset %.17g, %.17g or 0 of a "
                                     "symmetric encoding of %d bits",
                                     -half, -(half - 1), bits),
            "the offset %.17g is not symmetric", offset);
    return true;
}

bool lb_enc_may_be_strict(bool is_symmetric, int bits, int64_t offset)
{
    return is_symmetric && offset == -(((int64_t)1 << (bits - 1)) - 1);
}

void lb_enc_warn_wide(lb_enc_reader *r, const lb_pointer *where, const cJSON *node, size_t count,
                      lb_enc_tensor *tensor)
{
    long long highest = (1LL << (tensor->bits - 1)) - 1;
    if (count == 0)
        return;
    tensor->may_be_wide = true;
    lb_enc_warn(r, "W_SYM_RANGE", where, node,
                r->file->family == LB_ENC_10 ? "0.6.1 says it, by min and max" : "",
                "symmetric with the offset %lld: whether the last code is used, the file does not "
                "tell; %zu %s read as strict, codes %lld to %lld",
                -highest, count, count == 1 ? "grid is" : "grids are", -highest, highest);
}
