/* The places of the steps of functions, and what can happen at each, as reference/litert has them
 * for coverage: heard from the models on all cases of the suites, with the ranges that follow from
 * formats and checks (faults/ranges.h). `--print` prints the file, where the models have changed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/base/xalloc.h"
#include "harness/coverage/observe.h"
#include "harness/faults/ranges.h"
#include "harness/suite/suite.h"
#include "reference/core/arith.h"
#include "reference/litert/kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUITES   LASTBIT_SOURCE_DIR "/vectors/litert"
#define EXPECTED LASTBIT_SOURCE_DIR "/reference/litert/step_places.c"

/* ---- Names of the codes ---- */

#define NAME_OF(name, ...) #name,
static const char *const sites[] = {LB_SITES(NAME_OF)};
static const char *const parts[] = {LB_PARTS(NAME_OF)};
static const char *const terms[] = {LB_TERMS(NAME_OF)};
static const char *const owners[] = {LB_OWNERS(NAME_OF)};

/* ---- What can happen ---- */

static unsigned bit(bool can, unsigned event)
{
    return can ? 1u << event : 0;
}

/* Some number of the range, shifted to the right by some count, lies on a half. */
static unsigned ties(const lb_num_step *s, const lb_range *v, const lb_range *n, int width)
{
    const int64_t least = n->low < 1 ? 1 : n->low, most = n->high < width ? n->high : width - 1;
    if (least > most || v->zeros >= most)
        return 0;
    const int64_t half = (int64_t)1 << (least - 1);
    const bool positive = v->high >= half, negative = v->low <= -half;
    const bool is_away = s->rounding == LB_ROUND_AWAY;
    return bit(positive, LB_EVENT_TIE_UP_POSITIVE) |
           bit(negative, is_away ? LB_EVENT_TIE_DOWN_NEGATIVE : LB_EVENT_TIE_UP_NEGATIVE);
}

static unsigned shifts(const lb_num_step *s, const struct lb_fault_flow *f, int width)
{
    const lb_range *v = &f->operand[0], *n = &f->operand[1];
    const bool leaves = !lb_range_within(&f->unlimited, width) || f->unlimited.low == INT64_MIN ||
                        f->unlimited.high == INT64_MAX;
    if (s->operation == LB_STEP_SHL)
        return bit(leaves && v->low < 0, LB_EVENT_LEFT_LOW) |
               bit(leaves && v->high > 0, LB_EVENT_LEFT_HIGH);
    return ties(s, v, n, width) | bit(n->high >= width, LB_EVENT_VANISHES) |
           bit(n->low < 0 && leaves && v->low < 0, LB_EVENT_LEFT_LOW) |
           bit(n->low < 0 && leaves && v->high > 0, LB_EVENT_LEFT_HIGH);
}

static unsigned ends(const struct lb_fault_flow *f, int width)
{
    return width >= 64 ? 0
                       : bit(f->unlimited.low < lb_min_of(width), LB_EVENT_SATURATES_LOW) |
                             bit(f->unlimited.high > lb_max_of(width), LB_EVENT_SATURATES_HIGH);
}

static unsigned events_of(const lb_num_step *s, const struct lb_fault_flow *f)
{
    const int width = s->width > 0 ? s->width : 64;
    switch (s->operation) {
    case LB_STEP_RSH:
    case LB_STEP_SHL:
        return shifts(s, f, width);
    case LB_STEP_SAT:
    case LB_STEP_ADD:
    case LB_STEP_SUB:
        return ends(f, width);
    case LB_STEP_WRAP:
        return bit(!lb_range_within(&f->unlimited, width), LB_EVENT_WRAPS);
    case LB_STEP_MIN:
        return bit(f->operand[0].high > f->operand[1].low, LB_EVENT_CLAMPED_HIGH);
    case LB_STEP_MAX:
        return bit(f->operand[0].low < f->operand[1].high, LB_EVENT_CLAMPED_LOW);
    default:
        return 0;
    }
}

static bool is_place(const lb_num_step *s)
{
    static const lb_operation told[] = {LB_STEP_RSH, LB_STEP_SHL, LB_STEP_SAT,
                                        LB_STEP_ADD, LB_STEP_SUB, LB_STEP_WRAP,
                                        LB_STEP_MIN, LB_STEP_MAX, LB_STEP_COPY};
    bool is = false;
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        is = is || s->operation == told[i];
    return is && s->site != LB_SITE_NONE;
}

static unsigned values_of(const lb_range *r, int bits)
{
    return bit(r->low <= lb_min_of(bits), LB_CAN_BE_LOWEST) |
           bit(r->low <= 0 && r->high >= 0, LB_CAN_BE_ZERO) |
           bit(r->high >= lb_max_of(bits), LB_CAN_BE_HIGHEST) |
           bit(r->low < 0, LB_CAN_BE_NEGATIVE) | bit(r->high > 0, LB_CAN_BE_POSITIVE) |
           bit(r->high >= (int64_t)1 << 30, LB_CAN_BE_HALF);
}

/* ---- The places of a function ---- */

typedef struct places {
    size_t count;
    lb_step_place items[LB_MOST_STEP_PLACES];
} places;

static void put(places *p, lb_step_place place, int profile, unsigned can)
{
    size_t i = 0;
    while (i < p->count && !(p->items[i].site == place.site && p->items[i].part == place.part &&
                             p->items[i].term == place.term && p->items[i].owner == place.owner &&
                             p->items[i].field == place.field))
        i++;
    assert_true(i + 1 < LB_MOST_STEP_PLACES);
    if (i == p->count)
        p->items[p->count++] = place;
    p->items[i].can[profile] |= (uint16_t)can;
}

static int bits_of(const lb_kernel *kernel, lb_owner owner)
{
    const uint32_t type = lb_variant_type(kernel, (lb_role)lb_owner_role(owner));
    return lb_container_bits(owner == LB_OWNER_WEIGHTS ? LB_S8
                             : type == 0 || owner == LB_OWNER_MULTIPLIER || owner == LB_OWNER_SHIFT
                                 ? LB_S32
                                 : type);
}

static void put_steps(places *p, const lb_fault_list *list, const lb_kernel *kernel, int profile)
{
    lb_range out = {INT64_MAX, INT64_MIN, 0};
    for (size_t i = 0; i < list->site_count; i++) {
        const lb_num_step *s = &list->sites[i];
        const struct lb_fault_flow *f = &list->flows[i];
        const lb_owner owner = s->place.owner;
        const bool is_element = s->operation == LB_STEP_GIVEN && s->place.kind == LB_NUM_ELEMENT;
        assert_true(f->known);
        if (is_element && owner != LB_OWNER_BIAS)
            put(p, (lb_step_place){.site = LB_SITE_NONE, .owner = (uint8_t)owner}, profile,
                values_of(&f->result, bits_of(kernel, owner)));
        else if (is_place(s))
            put(p,
                (lb_step_place){
                    .site = (uint16_t)s->site, .part = (uint8_t)s->part, .term = (uint8_t)s->term},
                profile, events_of(s, f) | 1u << LB_STEP_IS_DONE);
        out = f->leaves && s->operation != LB_STEP_GIVEN ? lb_range_joined(out, f->result) : out;
    }
    put(p, (lb_step_place){.site = LB_SITE_NONE, .owner = LB_OWNER_OUT}, profile,
        values_of(&out, lb_container_bits(kernel->out_type)));
}

static void put_fields(places *p, const lb_fault_list *list, const lb_kernel *kernel, int profile)
{
    const lb_config_field *fields = lb_config_fields(kernel->config_kind);
    for (size_t d = 0; d < list->demand_count; d++)
        for (int i = 0; fields[i].name; i++)
            if (list->demands[d].field == LB_NUM_FIELD + (int32_t)fields[i].offset)
                put(p, (lb_step_place){.site = LB_SITE_NONE, .field = (uint8_t)(i + 1)}, profile,
                    values_of(&list->demands[d].range, 32));
}

/* ---- All functions ---- */

typedef struct heard {
    lb_fault_list *lists; /* by function and profile */
    lb_arena arena;
} heard;

static lb_fault_list *list_of(const heard *h, size_t kernel, int profile)
{
    return &h->lists[kernel * LB_LITE_PROFILE_COUNT + (size_t)profile];
}

static void hear_suite(heard *h, const char *path)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    lb_suite *suite = lb_suite_open(path, &diagnostics);
    lb_suite_reader *reader = lb_suite_reader_open(suite);
    for (size_t i = 0; i < lb_suite_case_count(suite); i++) {
        const lb_case *c = lb_suite_reader_case(reader, i, &diagnostics);
        for (int p = 0; c && lb_cover_may_listen(c) && p < LB_LITE_PROFILE_COUNT; p++) {
            lb_arena_reset(&h->arena);
            lb_fault_list_hear(list_of(h, (size_t)(c->kernel - lb_lite_kernels), p), c,
                               &lb_lite_profiles[p], &h->arena);
        }
    }
    lb_suite_reader_close(reader);
    lb_suite_close(suite);
}

static heard hear_all(void)
{
    heard h = {.lists = calloc(lb_lite_kernel_count * LB_LITE_PROFILE_COUNT, sizeof *h.lists)};
    char *paths[] = {(char *)(uintptr_t)SUITES};
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    lb_paths list = {0};
    assert_true(h.lists && lb_paths_collect(paths, 1, &list, &diagnostics));
    for (size_t i = 0; i < list.count; i++)
        hear_suite(&h, list.items[i]);
    lb_paths_free(&list);
    lb_arena_free(&h.arena);
    return h;
}

static char *rows_of(const heard *h, size_t kernel)
{
    places p = {0};
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    for (int profile = 0; profile < LB_LITE_PROFILE_COUNT; profile++) {
        lb_fault_list *list = list_of(h, kernel, profile);
        lb_fault_list_fill(list, &lb_lite_kernels[kernel], &lb_lite_profiles[profile]);
        put_steps(&p, list, &lb_lite_kernels[kernel], profile);
        put_fields(&p, list, &lb_lite_kernels[kernel], profile);
        lb_fault_list_free(list);
    }
    for (size_t i = 0; i < p.count; i++) {
        const lb_step_place *at = &p.items[i];
        fprintf(out, "    ");
        if (at->field > 0)
            fprintf(out, "F(%u", at->field);
        else if (at->site == LB_SITE_NONE)
            fprintf(out, "E(%s", owners[at->owner]);
        else
            fprintf(out, "S(%s, %s, %s", sites[at->site], parts[at->part], terms[at->term]);
        fprintf(out, ", 0x%x, 0x%x),\n", at->can[0], at->can[1]);
    }
    fclose(out);
    return text;
}

static const char *short_name(size_t kernel)
{
    return lb_kernel_short_name(&lb_lite_kernels[kernel]);
}

static const char head[] =
    "/* What the steps of LiteRT's exact models can meet: a list for each kernel, or for several "
    "that\n"
    " * have the same. Made by harness_test_step_places --print. */\n"
    "#include \"kernels.h\"\n\n/* clang-format off */\n"
    "#define S(site_, part_, term_, double_, single_) {LB_SITE_##site_, LB_PART_##part_, "
    "LB_TERM_##term_, 0, 0, {double_, single_}}\n"
    "#define E(owner_, double_, single_) {LB_SITE_NONE, 0, 0, LB_OWNER_##owner_, 0, {double_, "
    "single_}}\n"
    "#define F(field_, double_, single_) {LB_SITE_NONE, 0, 0, 0, field_, {double_, single_}}\n"
    "#define END {.site = LB_SITE_COUNT}\n\n";

static char *file_text(void)
{
    heard h = hear_all();
    char *text = NULL, **rows = calloc(lb_lite_kernel_count, sizeof *rows);
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    fputs(head, out);
    for (size_t k = 0, j = 0; k < lb_lite_kernel_count; k++) {
        rows[k] = rows_of(&h, k);
        for (j = 0; j < k && strcmp(rows[j], rows[k]) != 0;)
            j++;
        if (j == k)
            fprintf(out, "static const lb_step_place of_%s[] = {\n%s    END};\n", short_name(k),
                    rows[k]);
    }
    fprintf(out, "const lb_step_place *const lb_lite_step_places[LB_LITE_KERNEL_COUNT] = {\n");
    for (size_t k = 0, j = 0; k < lb_lite_kernel_count; k++) {
        for (j = 0; strcmp(rows[j], rows[k]) != 0;)
            j++;
        fprintf(out, "    [LB_LITE_AT_%s] = of_%s,\n", short_name(k), short_name(j));
    }
    fprintf(out, "};\n/* clang-format on */\n");
    fclose(out);
    for (size_t k = 0; k < lb_lite_kernel_count; k++)
        free(rows[k]);
    free(rows);
    free(h.lists);
    return text;
}

static char *file_as_it_is(void)
{
    FILE *in = fopen(EXPECTED, "rb");
    char *text = calloc(1, 1 << 20);
    assert_true(in && text && fread(text, 1, (1 << 20) - 1, in) > 0);
    fclose(in);
    return text;
}

static void the_list_is_that_of_the_models(void **state)
{
    (void)state;
    char *is = file_as_it_is(), *ought = file_text();
    assert_string_equal(is, ought);
    free(is);
    free(ought);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_list_is_that_of_the_models)};
    (void)argv;
    if (argc == 1)
        return cmocka_run_group_tests(tests, NULL, NULL);
    char *text = file_text();
    fputs(text, stdout);
    free(text);
    return 0;
}
