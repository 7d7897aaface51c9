/* Property test: the exact models' results on made-up cases lie inside the derived limits, element
 * by element and in the mean, in all four profiles and on platforms; and inside the narrower ranges
 * that the means are made from. A step more than the limit is found. Prints the largest use per
 * function. LASTBIT_SEED and LASTBIT_COUNT (cases per function) choose others; the seed is printed.
 */
#include "harness/tests/fixture.h"

#include "harness/base/command_line.h"
#include "harness/call/call_memory.h"
#include "harness/generate/random_case.h"
#include "harness/port/provided.h"
#include "harness/trial/tolerance.h"

#include <math.h>

/* The built-in profiles, and platforms with other accumulators: narrower, wider, saturating. */
static const lb_profile platforms[] = {
    {.name = "narrow-saturating",
     .rounding = LB_ROUND_UP,
     .reduced = false,
     .acc_bits = {20, 28, 36},
     .acc_saturates = true,
     .file = "narrow",
     .avepool16 = false},
    {.name = "vector-like",
     .rounding = LB_ROUND_CONVERGENT,
     .reduced = true,
     .acc_bits = {24, 40, 40},
     .acc_saturates = false,
     .file = "vector",
     .avepool16 = false},
    {.name = "avepool16-up",
     .rounding = LB_ROUND_UP,
     .reduced = false,
     .acc_bits = {32, 32, 64},
     .acc_saturates = false,
     .file = "avepool16",
     .avepool16 = true},
    {.name = "avepool16-convergent",
     .rounding = LB_ROUND_CONVERGENT,
     .reduced = false,
     .acc_bits = {32, 32, 64},
     .acc_saturates = false,
     .file = "avepool16",
     .avepool16 = true},
};

typedef struct record {
    double max_used, mean_used; /* percent */
    double limit, widest;       /* steps: sum over elements, largest */
    unsigned long elements, unknown, wide, outside,
        missed; /* missed: altered by more than the limit, and not found */
    char worst[200];
} record;

static unsigned long setting(const char *name, unsigned long otherwise)
{
    unsigned long value = otherwise;
    const char *text = getenv(name);
    if (text && !lb_parse_number(text, 0, 1000000000, &value))
        fail_msg("%s=%s: expected a number", name, text);
    return value;
}

/* One output in one profile. */
static void check_output(const lb_instance *exact, lb_role role, const double *value,
                         const lb_span *span, record *r)
{
    const lb_case *c = exact->memory->test_case;
    lb_layout layout = lb_layout_of(&c->operand[role].tensors[0]);
    size_t count = lb_layout_count(&layout);
    lb_derived d = {0};
    if (exact->tensors[role][0].el_type == LB_FP32)
        return;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(value[i]))
            continue;
        double got =
            lb_load(&exact->tensors[role][0], lb_layout_offset(&layout, i) / layout.element_bytes);
        lb_derived_add(&d, got, &span[i], 1e9);
        if (!lb_span_is_known(&span[i])) {
            r->unknown++;
            continue;
        }
        double slack = 1e-6 + 1e-12 * fabs(got);
        if (got < span[i].from - slack || got > span[i].to + slack ||
            span[i].from < span[i].low - slack || span[i].to > span[i].high + slack) {
            if (r->outside++ == 0)
                snprintf(r->worst, sizeof r->worst, "%s[%zu]: %g, real %g, %g..%g, %g..%g", c->id,
                         i, got, span[i].value, span[i].from, span[i].to, span[i].low,
                         span[i].high);
        }
        double limit = fmax(span[i].high - span[i].value, span[i].value - span[i].low);
        lb_derived altered = {0};
        lb_derived_add(&altered,
                       (i % 2 ? ceil(span[i].value + limit) + 1 : floor(span[i].value - limit) - 1),
                       &span[i], 1e9);
        r->missed += lb_derived_max(&altered).used_percent <= 100;
        r->elements++;
        r->limit += limit;
        r->wide += limit > 2;
        r->widest = fmax(r->widest, limit);
    }
    if (d.judged == 0)
        return;
    r->max_used = fmax(r->max_used, lb_derived_max(&d).used_percent);
    r->mean_used = fmax(r->mean_used, lb_derived_mean(&d).used_percent);
}

static void check_case(const lb_case *c, const lb_profile *profile, lb_arena *arena, record *r)
{
    lb_call_memory memory;
    lb_instance exact;
    lb_context context = {.profile = profile};
    lb_real_outputs real = {.value = {NULL}};
    lb_call_memory_make(&memory, c, arena);
    lb_instance_make(&exact, &memory, arena);
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        if (!c->operand[role].present || !c->operand[role].is_output || c->null_role[role])
            continue;
        lb_layout layout = lb_layout_of(&c->operand[role].tensors[0]);
        size_t count = lb_layout_count(&layout);
        real.value[role] = lb_arena_array(arena, count, sizeof(double));
        real.span[role] = lb_arena_array(arena, count, sizeof(lb_span));
        for (size_t i = 0; i < count; i++)
            real.value[role][i] = NAN;
    }
    /* the rules decide whether the call computes: tried on a copy */
    lb_instance tried;
    lb_instance_make(&tried, &memory, arena);
    if (lb_run_exact(&context, &tried.call) || tried.call.status != LB_OK)
        return;
    c->kernel->real(&context, &exact.call, &real);
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        if (real.value[role])
            check_output(&tried, (lb_role)role, real.value[role], real.span[role], r);
}

static void test_exact_models_inside_derived_limits(void **state)
{
    lb_random_options options = {.seed = setting("LASTBIT_SEED", 1)};
    unsigned long count = setting("LASTBIT_COUNT", 100), tried = 0, failures = 0;
    lb_arena arena = {0};
    (void)state;
    printf("seed %llu, %lu cases per function\n", (unsigned long long)options.seed, count);
    printf("%-50s %9s %8s %8s %8s %8s %6s %6s\n", "function", "elements", "max %", "mean %",
           "limit", "widest", "> 2 %", "wrap %");
    for (size_t k = 0; k < lb_kernel_count; k++) {
        const lb_kernel *kernel = &lb_kernels[k];
        record r = {0};
        if (!kernel->real || !lb_function_is_tried(kernel))
            continue;
        for (unsigned long i = 0; i < count; i++) {
            lb_case c;
            lb_arena_reset(&arena);
            assert_true(lb_random_case(kernel, &options, i, &arena, &c));
            for (int p = 0; p < LB_PROFILE_COUNT; p++)
                check_case(&c, &lb_profiles[p], &arena, &r);
            for (size_t p = 0; p < sizeof platforms / sizeof platforms[0]; p++)
                check_case(&c, &platforms[p], &arena, &r);
            tried++;
        }
        double n = r.elements ? (double)r.elements : 1;
        printf("%-50s %9lu %8.2f %8.2f %8.3f %8.1f %6.2f %6.2f\n", kernel->name, r.elements,
               r.max_used, r.mean_used, r.limit / n, r.widest, 100 * (double)r.wide / n,
               100 * (double)r.unknown / (n + (double)r.unknown));
        if (r.outside > 0 || r.missed > 0 || r.max_used > 100 || r.mean_used > 100) {
            printf("  %lu outside, %lu missed; %s\n", r.outside, r.missed, r.worst);
            failures++;
        }
    }
    lb_arena_free(&arena);
    printf("%lu cases\n", tried);
    assert_int_equal(failures, 0);
    assert_true(tried > 0 || count == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_models_inside_derived_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
