/* Rules that separate cases: see rule.h. */
#include "harness/diagnose/rule.h"
#include "harness/call/call_memory.h"

#include <inttypes.h>
#include <string.h>

/* ---- Features ---- */

/* Of each role: rank, shape, gaps of each dimension, then numbers of its format. */
enum {
    OF_RANK = 0,
    OF_SHAPE = 1,
    OF_GAP = 5,
    OF_ZERO_POINT = 9,
    OF_FRAC_BITS,
    OF_PER_AXIS,
    OF_COUNT,
    OF_ROLE /* how many */
};

enum { OF_CONFIG = OF_ROLE * LB_ROLE_COUNT, OF_REDUCED = LB_MAX_FEATURES - 2, OF_ROUNDING };

static void tensor_features(const lb_case_tensor *t, int64_t *value)
{
    lb_layout layout = lb_layout_of(t);
    int64_t dense = 1;
    value[OF_RANK] = t->rank;
    for (unsigned d = t->rank < LB_MAX_RANK ? t->rank : LB_MAX_RANK; d-- > 0;) {
        value[OF_SHAPE + d] = t->shape[d];
        value[OF_GAP + d] = t->has_mem_stride && t->mem_stride[d] != dense;
        dense = t->has_mem_stride ? (int64_t)t->mem_stride[d] * t->shape[d] : dense * t->shape[d];
    }
    value[OF_COUNT] = (int64_t)lb_layout_count(&layout);
    value[OF_FRAC_BITS] = t->frac_bits;
    value[OF_PER_AXIS] = t->axis >= 0 && t->quant_count > 1;
    if (t->zero_point && t->quant_count > 0) {
        value[OF_ZERO_POINT] = t->zero_point[0];
        value[OF_FRAC_BITS] = t->scale_frac_bits ? t->scale_frac_bits[0] : 0;
    }
}

static int64_t config_value(const lb_config *config, const lb_config_field *field, unsigned i)
{
    const unsigned char *at =
        (const unsigned char *)config + field->offset + i * (field->type == LB_FIELD_U8 ? 1 : 4);
    int32_t number = 0;
    if (field->type == LB_FIELD_U8)
        return *at;
    memcpy(&number, at, sizeof number);
    return number;
}

void lb_features_of(const lb_case *c, const lb_profile *profile, lb_features *features)
{
    for (unsigned i = 0; i < LB_MAX_FEATURES; i++)
        features->value[i] = INT64_MIN;
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        if (c->operand[role].present && c->operand[role].count > 0 && !c->null_role[role])
            tensor_features(&c->operand[role].tensors[0], features->value + role * OF_ROLE);
    unsigned at = OF_CONFIG;
    const lb_config_field *field = c->kernel ? lb_config_fields(c->kernel->config_kind) : NULL;
    for (; field && field->name; field++)
        for (unsigned i = 0; i < field->count && at < OF_REDUCED; i++)
            features->value[at++] = config_value(&c->config, field, i);
    features->value[OF_REDUCED] = profile->reduced;
    features->value[OF_ROUNDING] = (int64_t)profile->rounding;
}

static const char *config_name(const lb_case *c, unsigned wanted, lb_arena *arena)
{
    const lb_config_field *field = lb_config_fields(c->kernel->config_kind);
    for (; field && field->name; field++)
        for (unsigned i = 0; i < field->count; i++)
            if (wanted-- == 0)
                return field->count > 1 ? lb_arena_printf(arena, "%s[%u]", field->name, i)
                                        : field->name;
    return "";
}

const char *lb_feature_name(const lb_case *c, unsigned feature, lb_arena *arena)
{
    if (feature == OF_REDUCED)
        return "reduced";
    if (feature == OF_ROUNDING)
        return "rounding";
    if (feature >= OF_CONFIG)
        return config_name(c, feature - OF_CONFIG, arena);
    const char *role = lb_role_name((lb_role)(feature / OF_ROLE));
    unsigned what = feature % OF_ROLE;
    switch (what) {
    case OF_RANK:
        return lb_arena_printf(arena, "the rank of %s", role);
    case OF_ZERO_POINT:
        return lb_arena_printf(arena, "%s.zero_point", role);
    case OF_FRAC_BITS:
        return lb_arena_printf(arena, "the number of fractional bits of %s", role);
    case OF_PER_AXIS:
        return lb_arena_printf(arena, "quantization per axis of %s", role);
    case OF_COUNT:
        return lb_arena_printf(arena, "the number of elements of %s", role);
    default:
        return what >= OF_GAP
                   ? lb_arena_printf(arena, "a gap in %s.mem_stride[%u]", role, what - OF_GAP)
                   : lb_arena_printf(arena, "%s.shape[%u]", role, what - OF_SHAPE);
    }
}

/* ---- Rules ---- */

/* The kinds of short rules, the plainest first. */
typedef enum test_kind { IS, AT_LEAST, AT_MOST, IS_NOT, REST_IS, REST_IS_NOT, TESTS } test_kind;

typedef struct test {
    test_kind kind;
    unsigned feature;
    int64_t number, modulus;
} test;

static int64_t rest_of(int64_t value, int64_t modulus)
{
    return ((value % modulus) + modulus) % modulus;
}

static bool holds(const test *t, const lb_features *row)
{
    int64_t v = row->value[t->feature];
    if (v == INT64_MIN)
        return false;
    switch (t->kind) {
    case IS:
        return v == t->number;
    case AT_LEAST:
        return v >= t->number;
    case AT_MOST:
        return v <= t->number;
    case IS_NOT:
        return v != t->number;
    case REST_IS:
        return rest_of(v, t->modulus) == t->number;
    case REST_IS_NOT:
        return rest_of(v, t->modulus) != t->number;
    case TESTS:
        break;
    }
    return false;
}

static bool separates(const test *t, const lb_features *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (holds(t, &rows[i]) != rows[i].inside)
            return false;
    return true;
}

/* The number that a test of this kind must have, from the rows inside (or, of IS_NOT, outside).
 */
static bool fill_test(test *t, const lb_features *rows, size_t count)
{
    bool outside = t->kind == IS_NOT || t->kind == REST_IS_NOT, any = false;
    for (size_t i = 0; i < count; i++) {
        int64_t v = rows[i].value[t->feature];
        if (v == INT64_MIN)
            return false;
        if (rows[i].inside == outside)
            continue;
        if (t->kind == REST_IS || t->kind == REST_IS_NOT)
            v = rest_of(v, t->modulus);
        if (!any || (t->kind == AT_LEAST && v < t->number) || (t->kind == AT_MOST && v > t->number))
            t->number = v;
        any = true;
    }
    return any;
}

static const char *words_of(const test *t, const lb_case *c, lb_arena *arena)
{
    const char *name = lb_feature_name(c, t->feature, arena);
    switch (t->kind) {
    case IS:
        return lb_arena_printf(arena, "%s is %" PRId64, name, t->number);
    case AT_LEAST:
        return lb_arena_printf(arena, "%s is %" PRId64 " or more", name, t->number);
    case AT_MOST:
        return lb_arena_printf(arena, "%s is %" PRId64 " or less", name, t->number);
    case IS_NOT:
        return lb_arena_printf(arena, "%s is not %" PRId64, name, t->number);
    case REST_IS:
        return lb_arena_printf(arena, "%s mod %" PRId64 " is %" PRId64, name, t->modulus,
                               t->number);
    case REST_IS_NOT:
        return lb_arena_printf(arena, "%s mod %" PRId64 " is not %" PRId64, name, t->modulus,
                               t->number);
    case TESTS:
        break;
    }
    return NULL;
}

static const char *try_kind(test_kind kind, const lb_features *rows, size_t count, const lb_case *c,
                            lb_arena *arena)
{
    static const int64_t moduli[] = {2, 4, 8, 16, 32, 3};
    bool with_rest = kind == REST_IS || kind == REST_IS_NOT;
    for (unsigned m = 0; m < (with_rest ? sizeof moduli / sizeof *moduli : 1); m++)
        for (unsigned feature = 0; feature < LB_MAX_FEATURES; feature++) {
            test t = {.kind = kind, .feature = feature, .modulus = moduli[m]};
            if (fill_test(&t, rows, count) && separates(&t, rows, count))
                return words_of(&t, c, arena);
        }
    return NULL;
}

/* With fewer rows than this, some rule always fits. */
enum { LEAST_INSIDE = 2, LEAST_ROWS = 8 };

const char *lb_rule_find(const lb_features *rows, size_t count, const lb_case *c, lb_arena *arena)
{
    size_t inside = 0;
    const char *rule = NULL;
    for (size_t i = 0; i < count; i++)
        inside += rows[i].inside;
    if (inside < LEAST_INSIDE || inside == count || count < LEAST_ROWS)
        return NULL;
    for (int kind = 0; !rule && kind < TESTS; kind++)
        rule = try_kind((test_kind)kind, rows, count, c, arena);
    return rule;
}
