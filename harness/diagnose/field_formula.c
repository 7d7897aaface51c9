/* What a wrong field of an output, or of a configuration that the function fills, was set to: a
 * number of the call, or two of them added, taken off, multiplied or divided. */
#include "harness/diagnose/diagnosis.h"
#include "harness/diagnose/features.h"
#include "reference/core/arith.h"

#include <stdlib.h>
#include <string.h>

/* The fields that are numbers: of a tensor, then those of the configuration. */
enum {
    OF_RANK,
    OF_SHAPE,
    OF_STRIDE = OF_SHAPE + LB_MAX_RANK,
    OF_FRAC_BITS = OF_STRIDE + LB_MAX_RANK,
    OF_AXIS,
    OF_ZERO_POINT,
    OF_SCALE,
    OF_SCALE_FRAC_BITS,
    OF_TENSOR,
    MOST_CONFIG = 16
};

static int64_t tensor_field(const lb_fields *f, unsigned number)
{
    if (number >= OF_STRIDE && number < OF_FRAC_BITS)
        return f->mem_stride[number - OF_STRIDE];
    if (number >= OF_SHAPE && number < OF_STRIDE)
        return f->shape[number - OF_SHAPE];
    switch (number) {
    case OF_RANK:
        return f->rank;
    case OF_FRAC_BITS:
        return f->frac_bits;
    case OF_AXIS:
        return f->axis;
    case OF_ZERO_POINT:
        return f->zero_point.value;
    case OF_SCALE:
        return f->scale.value;
    default:
        return f->scale_frac_bits.value;
    }
}

/* Is it the field that is told: "out.scale"? */
static bool is_told(const char *told, int role, unsigned number)
{
    static const char *const of_each[] = {[OF_FRAC_BITS - OF_FRAC_BITS] = "frac_bits",
                                          [OF_AXIS - OF_FRAC_BITS] = "axis",
                                          [OF_ZERO_POINT - OF_FRAC_BITS] = "zero_point",
                                          [OF_SCALE - OF_FRAC_BITS] = "scale",
                                          [OF_SCALE_FRAC_BITS - OF_FRAC_BITS] = "scale_frac_bits"};
    const char *field = number == OF_RANK       ? "rank"
                        : number < OF_STRIDE    ? "shape"
                        : number < OF_FRAC_BITS ? "mem_stride"
                                                : of_each[number - OF_FRAC_BITS];
    const char *name = lb_role_name((lb_role)role);
    const size_t length = strlen(name);
    return strncmp(told, name, length) == 0 && told[length] == '.' &&
           strcmp(told + length + 1, field) == 0;
}

/* One failing result: a field, what is right, what the port gave, and all numbers of its call; the
 * last one is what is right. */
enum { NUMBERS = LB_MAX_FEATURES + 1, MOST_RESULTS = 96 };

typedef struct wrong_field {
    int role; /* -1: of the configuration */
    unsigned number;
    int64_t got, of[NUMBERS];
} wrong_field;

static bool note(wrong_field *w, int role, unsigned number, int64_t right, int64_t got)
{
    if (right == got)
        return false;
    w->role = role;
    w->number = number;
    w->got = got;
    w->of[LB_MAX_FEATURES] = right;
    return true;
}

/* What is told of the tensors, or the first field of the configuration that is wrong. False: it is
 * no number. */
static bool find_wrong(wrong_field *w, const lb_fault_bench *bench, const lb_left *left,
                       const char *told)
{
    const lb_instance *right = &bench->right;
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        if (!lb_left_is_output(bench->test_case, role))
            continue;
        const lb_fields expected = lb_fields_of(right, right->call.tensor[role]);
        for (unsigned n = 0; n < OF_TENSOR; n++)
            if (is_told(told, role, n) &&
                note(w, role, n, tensor_field(&expected, n), tensor_field(&left->fields[role], n)))
                return true;
    }
    const lb_config_kind filled = lb_filled_config(bench->test_case->kernel);
    const lb_config_field *field = filled == LB_CONFIG_NONE ? NULL : lb_config_fields(filled);
    for (unsigned n = 0; field && field->name; field++)
        for (unsigned entry = 0; entry < field->count && n < MOST_CONFIG; entry++, n++)
            if (note(w, -1, n, lb_config_get(&right->call.config, field, entry),
                     lb_config_get(&left->config, field, entry)))
                return true;
    return false;
}

/* ---- Formulas ---- */

typedef enum operation { ALONE, SUM, DIFFERENCE, PRODUCT, QUOTIENT, OPERATIONS } operation;

static bool gives(const wrong_field *w, operation op, unsigned a, unsigned b)
{
    const int64_t x = w->of[a], y = w->of[b];
    if (x == INT64_MIN || y == INT64_MIN || llabs(x) > INT32_MAX || llabs(y) > INT32_MAX)
        return false;
    if (op == QUOTIENT && (y == 0 || x % y != 0))
        return false;
    const int64_t result = op == ALONE        ? x
                           : op == SUM        ? x + y
                           : op == DIFFERENCE ? x - y
                           : op == PRODUCT    ? x * y
                                              : x / y;
    const bool is_byte = w->number == OF_FRAC_BITS || w->number == OF_SCALE_FRAC_BITS;
    return w->got == (is_byte && w->role >= 0 ? lb_wrap(result, 8) : result);
}

static bool gives_all(const wrong_field *list, size_t count, operation op, unsigned a, unsigned b)
{
    for (size_t i = 0; i < count; i++)
        if (!gives(&list[i], op, a, b))
            return false;
    return true;
}

static const char *number_name(const lb_case *c, unsigned number, lb_arena *arena)
{
    return number == LB_MAX_FEATURES ? "its right value" : lb_feature_name(c, number, arena);
}

/* The first of the simplest ones; sums and products have one order. */
static const char *formula_of(const wrong_field *list, size_t count, const lb_case *c,
                              lb_arena *arena)
{
    static const char *const signs[OPERATIONS] = {"", " + ", " - ", " * ", " / "};
    for (int op = ALONE; op < OPERATIONS; op++)
        for (unsigned a = 0; a < NUMBERS; a++) {
            const unsigned from = op == SUM || op == PRODUCT ? a : 0;
            for (unsigned b = op == ALONE ? a : from; b < (op == ALONE ? a + 1 : NUMBERS); b++)
                if ((a != b || op == ALONE) && gives_all(list, count, (operation)op, a, b))
                    return op == ALONE ? number_name(c, a, arena)
                                       : lb_arena_printf(arena, "%s%s%s", number_name(c, a, arena),
                                                         signs[op], number_name(c, b, arena));
        }
    return NULL;
}

/* One constant is no formula, and a few results have many. */
static bool is_enough(const wrong_field *list, size_t count)
{
    enum { LEAST = 4 };
    for (size_t i = 1; i < count; i++)
        if (list[i].got != list[0].got)
            return count >= LEAST;
    return false;
}

const char *lb_field_formula(lb_diagnosing *g, size_t first)
{
    wrong_field *list = lb_arena_array(&g->d->arena, MOST_RESULTS, sizeof *list);
    size_t count = 0;
    lb_look look = {.arena = {0}};
    for (size_t n = 0; n <= g->e->count && count < MOST_RESULTS; n++) {
        const size_t i = n == 0 ? first : n - 1;
        const lb_tried *t = &g->e->items[i];
        wrong_field *w = &list[count];
        if ((n == 0 || i != first) && g->d->cause[i] == g->d->found_count && t->left && t->single &&
            !t->other_status && lb_look_at(&look, g->e, t) &&
            find_wrong(w, &look.bench, t->left, g->e->items[first].field) &&
            (count == 0 || (w->role == list[0].role && w->number == list[0].number))) {
            lb_features features;
            lb_features_of(look.bench.test_case, look.bench.profile, &features);
            memcpy(w->of, features.value, sizeof features.value);
            count++;
        }
    }
    lb_look_end(&look);
    const lb_case *c = is_enough(list, count) ? lb_evidence_case(g->e, &g->e->items[first]) : NULL;
    return c ? formula_of(list, count, c, &g->d->arena) : NULL;
}
