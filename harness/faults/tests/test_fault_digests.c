/* What faults leave is as it was: for each function and kind a digest of the names of its faults
 * and of the status, fields and memory that each leaves on a few cases in each profile, held
 * against fault_digests.txt. Steps that should change nothing change none of them. `--print` prints
 * the file; a function and a kind print each fault with what it leaves. ci/fault-digests uses it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/base/xalloc.h"
#include "harness/call/call_memory.h"
#include "harness/faults/faults.h"
#include "harness/faults/tests/fixed_cases.h"
#include "harness/suite/case_write.h"
#include "reference/describe/families.h"

#include <inttypes.h>

#define EXPECTED LASTBIT_SOURCE_DIR "/harness/faults/tests/fault_digests.txt"

/* Of faults beside the bank, which are many, one in so many is looked at. What a fault leaves in
 * the arena is little; after so many it is made anew. */
enum { MOST_CASES = 12, BESIDE = 64, FAULTS_PER_BENCH = 512, MOST_SHOWN = 6 };

typedef struct kind_digest {
    const lb_fault_kind *kind;
    uint64_t sum; /* the order of faults does not count */
    struct kind_digest *next;
} kind_digest;

typedef struct function {
    const lb_kernel *kernel;
    char *ids[MOST_CASES], *texts[MOST_CASES]; /* of its cases */
    size_t count;
    char *tag;          /* that its cases have instead of their own; NULL: none */
    kind_digest *kinds; /* in the order in which they are met */
} function;

static function *functions;

/* ---- Numbers ---- */

static uint64_t mix(uint64_t h, uint64_t number)
{
    for (int byte = 0; byte < 8; byte++)
        h = (h ^ (number >> 8 * byte & 0xFF)) * 1099511628211u;
    return h;
}

static uint64_t mix_text(uint64_t h, const char *text)
{
    while (*text)
        h = (h ^ (unsigned char)*text++) * 1099511628211u;
    return mix(h, 0);
}

static uint64_t start(void)
{
    return 14695981039346656037u;
}

static uint64_t digest_of_config(const lb_call *call)
{
    uint64_t h = start();
    lb_config_kind filled = lb_filled_config(call->kernel);
    const lb_config_field *f =
        lb_config_fields(filled != LB_CONFIG_NONE ? filled : call->kernel->config_kind);
    for (; f->name; f++)
        for (size_t i = 0; i < lb_config_field_bytes(f); i++)
            h = (h ^ ((const unsigned char *)&call->config)[f->offset + i]) * 1099511628211u;
    return h;
}

/* ---- Cases ---- */

static void keep_case(void *user, const lb_case *c)
{
    lb_arena *arena = user;
    if (!c->kernel)
        return;
    function *f = &functions[lb_kernel_number(c->kernel)];
    assert_true(f->count < MOST_CASES);
    f->kernel = c->kernel;
    f->ids[f->count] = lb_arena_strdup(arena, c->id);
    f->texts[f->count++] = lb_case_to_json(c, arena);
}

static void read_case(function *f, size_t number, lb_arena *arena, lb_case *c)
{
    *c = (lb_case){0};
    assert_true(lb_case_from_json(f->texts[number], strlen(f->texts[number]), arena, c));
    if (f->tag) {
        c->tags = &f->tag;
        c->tag_count = 1;
    }
}

/* ---- Faults ---- */

static void list_faults(function *f, const lb_profile *profile, lb_fault_list *list)
{
    lb_arena arena = {0};
    for (size_t i = 0; i < f->count; i++) {
        lb_case c;
        lb_arena_reset(&arena);
        read_case(f, i, &arena, &c);
        lb_fault_list_hear(list, &c, profile, &arena);
    }
    lb_fault_list_fill(list, f->kernel, profile);
    lb_arena_free(&arena);
}

static void add_beside(const function *f, lb_fault_list *list)
{
    lb_fault_list_add_cells(list, f->kernel);
    lb_fault_list_add_early(list);
    lb_fault_list_add_values(list, f->kernel);
}

static kind_digest *digest_of(function *f, const lb_fault_kind *kind)
{
    kind_digest **at = &f->kinds;
    while (*at && (*at)->kind != kind)
        at = &(*at)->next;
    if (!*at) {
        *at = lb_resized(NULL, sizeof **at);
        **at = (kind_digest){.kind = kind};
    }
    return *at;
}

/* The faults of a function in a profile that are looked at. */
typedef struct looked_at {
    lb_fault_list list;
    uint64_t *names; /* 0: it is not looked at */
    bool *wanted, *acts;
} looked_at;

/* kind: NULL: all. */
static void look_at(looked_at *l, function *f, const lb_profile *profile, const char *kind)
{
    lb_arena arena = {0};
    *l = (looked_at){.names = NULL};
    list_faults(f, profile, &l->list);
    size_t bank = l->list.count;
    add_beside(f, &l->list);
    l->names = lb_resized(NULL, (l->list.count + 1) * sizeof *l->names);
    l->wanted = lb_resized(NULL, l->list.count + 1);
    l->acts = lb_resized(NULL, l->list.count + 1);
    for (size_t i = 0; i < l->list.count; i++) {
        const lb_fault *fault = &l->list.items[i];
        lb_arena_reset(&arena);
        uint64_t name = mix_text(start(), lb_fault_name(fault, &arena));
        bool looked =
            (i < bank || name % BESIDE == 0) && (!kind || strcmp(kind, fault->kind->name) == 0);
        l->names[i] = looked ? name : 0;
        l->wanted[i] = looked;
    }
    lb_arena_free(&arena);
}

static void leave(looked_at *l)
{
    lb_fault_list_free(&l->list);
    free(l->names);
    free(l->wanted);
    free(l->acts);
}

/* ---- Running them ---- */

typedef void (*left_fn)(void *user, const lb_fault_bench *bench, const lb_fault *fault,
                        uint64_t name, uint64_t left);

static uint64_t run_fault(lb_fault_bench *bench, const looked_at *l, size_t i)
{
    const lb_fault *fault = &l->list.items[i];
    bool silent = fault->kind->group == LB_FAULTS_STEP && (!bench->computed || !l->acts[i]);
    if (silent || !lb_fault_try(bench, fault))
        return 0;
    if (fault->kind->group == LB_FAULTS_STATUS)
        return mix(start(), (uint64_t)bench->out.call.status);
    return mix(lb_fault_digest(&bench->out), digest_of_config(&bench->out.call));
}

static void run_case(function *f, size_t number, const lb_profile *profile, looked_at *l,
                     lb_arena *arena, left_fn left, void *user)
{
    for (size_t i = 0; i < l->list.count;) {
        lb_case c;
        lb_fault_bench bench;
        lb_arena_reset(arena);
        read_case(f, number, arena, &c);
        if (!lb_fault_bench_make(&bench, &c, profile, arena))
            return;
        if (i == 0)
            lb_fault_screen(&bench, &l->list, l->wanted, l->acts);
        for (int tried = 0; i < l->list.count && tried < FAULTS_PER_BENCH; i++)
            if (l->names[i]) {
                uint64_t gave = run_fault(&bench, l, i);
                left(user, &bench, &l->list.items[i], l->names[i], gave);
                tried++;
            }
    }
}

static void run_function(function *f, const char *kind, left_fn left, void *user)
{
    lb_arena arena = {0};
    const lb_kernel_set *set = lb_kernel_set_of(f->kernel);
    for (unsigned p = 0; p < set->profile_count; p++) {
        looked_at l;
        look_at(&l, f, &set->profiles[p], kind);
        for (size_t i = 0; i < f->count; i++)
            run_case(f, i, &set->profiles[p], &l, &arena, left, user);
        leave(&l);
    }
    lb_arena_free(&arena);
}

/* ---- The file ---- */

static void add_to_digest(void *user, const lb_fault_bench *bench, const lb_fault *fault,
                          uint64_t name, uint64_t left)
{
    uint64_t h = mix_text(mix_text(name, bench->profile->name), bench->test_case->id);
    digest_of(user, fault->kind)->sum += mix(h, left);
}

/* 24 bits. */
static void put_digest(FILE *out, const function *f, const lb_fault_kind *kind)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+_";
    const kind_digest *d = f->kinds;
    while (d && d->kind != kind)
        d = d->next;
    uint64_t sum = d ? d->sum ^ d->sum >> 24 ^ d->sum >> 48 : 0;
    if (!d)
        fputs(" -", out);
    else
        fprintf(out, " %c%c%c%c", digits[sum & 63], digits[sum >> 6 & 63], digits[sum >> 12 & 63],
                digits[sum >> 18 & 63]);
}

static int by_name(const void *a, const void *b)
{
    return strcmp((*(const lb_fault_kind *const *)a)->name,
                  (*(const lb_fault_kind *const *)b)->name);
}

/* Functions of a family in the first line; then a line for each kind that any of them has. */
static void put_family(FILE *out, lb_family family)
{
    const lb_fault_kind **kinds = NULL;
    size_t count = 0, room = 0;
    for (size_t k = 0; k < lb_kernel_total(); k++)
        if (functions[k].kernel && functions[k].kernel->family == family) {
            fprintf(out, "%s%s", count ? " " : "", functions[k].kernel->name);
            for (const kind_digest *d = functions[k].kinds; d; d = d->next) {
                bool met = false;
                for (size_t i = 0; i < count && !met; i++)
                    met = kinds[i] == d->kind;
                kinds = lb_room_for_one(kinds, count, &room, sizeof *kinds);
                if (!met)
                    kinds[count++] = d->kind;
            }
        }
    if (count > 0)
        fputc('\n', out);
    if (count > 0)
        qsort(kinds, count, sizeof *kinds, by_name);
    for (size_t i = 0; i < count; i++) {
        fputs(kinds[i]->name, out);
        for (size_t k = 0; k < lb_kernel_total(); k++)
            if (functions[k].kernel && functions[k].kernel->family == family)
                put_digest(out, &functions[k], kinds[i]);
        fputc('\n', out);
    }
    free(kinds);
}

static char *whole_file(void)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    for (size_t k = 0; k < lb_kernel_total(); k++)
        if (functions[k].kernel)
            run_function(&functions[k], NULL, add_to_digest, &functions[k]);
    for (int family = 0; family < LB_FAMILY_COUNT_OF_ALL; family++)
        put_family(out, (lb_family)family);
    fclose(out);
    return text;
}

/* ---- One kind ---- */

static void show(void *user, const lb_fault_bench *bench, const lb_fault *fault, uint64_t name,
                 uint64_t left)
{
    lb_arena arena = {0};
    FILE *out = user;
    (void)name;
    fprintf(out, "%s\t%s\t%s\t", lb_fault_name(fault, &arena), bench->profile->name,
            bench->test_case->id);
    const unsigned char *right = bench->right.block, *got = bench->out.block;
    unsigned differ = 0;
    if (left == 0)
        fputs("no say", out);
    else
        fprintf(out, "%016" PRIx64 " %s", left, lb_status_name((int)bench->out.call.status));
    for (size_t i = 0;
         left && fault->kind->group != LB_FAULTS_STATUS && i < bench->memory.block_bytes; i++)
        if (right[i] != got[i] && differ++ < MOST_SHOWN)
            fprintf(out, " [%zu] %d for %d", i, got[i], right[i]);
    if (differ > MOST_SHOWN)
        fprintf(out, " and %u more bytes", differ - MOST_SHOWN);
    fputc('\n', out);
    lb_arena_free(&arena);
}

static int show_kind(const char *name, const char *kind)
{
    for (size_t k = 0; k < lb_kernel_total(); k++)
        if (functions[k].kernel && strcmp(functions[k].kernel->name, name) == 0) {
            run_function(&functions[k], kind, show, stdout);
            return 0;
        }
    fprintf(stderr, "no cases of a function %s stand in %s\n", name, FIXED_CASES);
    return 2;
}

/* ---- The tests ---- */

static void digests_are_as_they_were(void **state)
{
    (void)state;
    char *got = whole_file();
    if (!lines_are_those_of(EXPECTED, got))
        fail_msg("ci/fault-digests tells more");
    free(got);
}

/* What faults leave of one case, without what its id adds. */
static void add_to_sum(void *user, const lb_fault_bench *bench, const lb_fault *fault,
                       uint64_t name, uint64_t left)
{
    uint64_t *sum = user;
    (void)bench;
    (void)fault;
    *sum += mix(name, left);
}

static uint64_t left_of_case(const function *of, size_t number, const char *tag)
{
    char text[16];
    lb_arena arena = {0};
    uint64_t sum = 0;
    const lb_profile *profile = lb_kernel_set_of(of->kernel)->profiles;
    function one = {.kernel = of->kernel, .texts = {of->texts[number]}, .count = 1, .tag = text};
    snprintf(text, sizeof text, "%s", tag);
    looked_at l;
    look_at(&l, &one, profile, NULL);
    run_case(&one, 0, profile, &l, &arena, add_to_sum, &sum);
    leave(&l);
    lb_arena_free(&arena);
    return sum;
}

/* Buffers of a case of the level smoke may begin elsewhere. */
static void levels_change_no_digest(void **state)
{
    enum { LEAST = 60 };
    size_t held = 0;
    (void)state;
    for (size_t k = 0; k < lb_kernel_total(); k++) {
        const function *f = &functions[k];
        size_t i = 0;
        while (i < f->count && lb_id_misaligned(f->ids[i]) == 0)
            i++;
        if (i == f->count)
            continue;
        if (left_of_case(f, i, "smoke") != left_of_case(f, i, "deep"))
            fail_msg("%s: faults leave something else at the level smoke", f->ids[i]);
        held++;
    }
    assert_true(held >= LEAST);
}

static int run(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(digests_are_as_they_were),
                                       cmocka_unit_test(levels_change_no_digest)};
    if (argc == 1)
        return cmocka_run_group_tests(tests, NULL, NULL);
    if (argc == 3)
        return show_kind(argv[1], argv[2]);
    char *text = whole_file();
    fputs(text, stdout);
    free(text);
    return 0;
}

int main(int argc, char **argv)
{
    lb_arena arena = {0};
    functions = lb_resized(NULL, lb_kernel_total() * sizeof *functions);
    memset(functions, 0, lb_kernel_total() * sizeof *functions);
    for_each_fixed_case(keep_case, &arena);
    int status = run(argc, argv);
    for (size_t k = 0; k < lb_kernel_total(); k++)
        for (kind_digest *d = functions[k].kinds, *next; d; d = next) {
            next = d->next;
            free(d);
        }
    free(functions);
    lb_arena_free(&arena);
    return status;
}
