/* The cases of a certification: see certify.h. */
#include "harness/generate/certify.h"
#include "harness/base/sha256.h"
#include "harness/base/xalloc.h"
#include "harness/coverage/defined.h"
#include "harness/generate/case_change.h"
#include "harness/generate/random_case.h"
#include "harness/port/provided.h"
#include "harness/suite/case_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The command ---- */

static const char CASES[] = "certify --cases ", SET[] = " --set ", EXTENSIONS[] = " --extensions";

/* Of MLI nothing is said: it was the only set once. */
static void command_text(const lb_certify_wish *wish, char text[LB_CERTIFY_COMMAND_BYTES])
{
    const bool says_set = wish->set != LB_SET_MLI;
    snprintf(text, LB_CERTIFY_COMMAND_BYTES, "%s%u%s%s%s", CASES, wish->cases, says_set ? SET : "",
             says_set ? lb_kernel_sets[wish->set]->name : "", wish->extensions ? EXTENSIONS : "");
}

bool lb_certify_read_command(const char *text, lb_certify_wish *wish)
{
    const char *number = text + strlen(CASES);
    if (strncmp(text, CASES, strlen(CASES)) != 0)
        return false;
    *wish = (lb_certify_wish){.cases = (unsigned)strtoul(number, NULL, 10),
                              .extensions = strstr(number, EXTENSIONS) != NULL};
    for (int set = 0; set < LB_SET_COUNT; set++) {
        char same[LB_CERTIFY_COMMAND_BYTES];
        wish->set = (lb_set)set;
        command_text(wish, same);
        if (strcmp(text, same) == 0)
            return wish->cases >= 1 && wish->cases <= LB_CERTIFY_MOST_CASES;
    }
    return false;
}

/* ---- Which function has its turn ---- */

/* In each round all functions, in another order. */
static const lb_kernel *kernel_at(const lb_certify_maker *m, size_t round, size_t place)
{
    size_t order[sizeof m->kernels / sizeof m->kernels[0]];
    lb_random random = lb_random_start(m->wish.seed ^ 0xCE27F1u, round);
    for (size_t i = 0; i < m->kernel_count; i++)
        order[i] = i;
    for (size_t i = m->kernel_count; i-- > 1;) {
        const size_t other = (size_t)lb_random_in(&random, 0, (int64_t)i), kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
    return m->kernels[order[place]];
}

/* ---- Cases ---- */

static const lb_random_options *options_of(const lb_certify_maker *m, size_t round,
                                           lb_random_options *options)
{
    /* Mostly small, where extents meet vector widths; some as large as they come. */
    *options = (lb_random_options){.seed = m->wish.seed,
                                   .fault_one_in = 8,
                                   .small = round % 10 != 9,
                                   .wide = (unsigned)(round / 2 % 7),
                                   .long_extent = round % 3 == 1};
    return options;
}

/* A number whose case cannot be made gives way to one far from all others. */
static bool make_base(const lb_certify_maker *m, const lb_kernel *kernel, size_t round,
                      lb_arena *arena, lb_case *c)
{
    enum { ATTEMPTS = 20, FAR = 1 << 24 };
    lb_random_options options;
    bool good = false;
    options_of(m, round, &options);
    for (uint64_t i = 0; i < ATTEMPTS && !good; i++)
        good = lb_random_case(kernel, &options, round + i * FAR, arena, c);
    return good;
}

/* Elements the other way round; false: that makes no difference. */
static bool turn_data(lb_case_tensor *t, lb_arena *arena)
{
    const lb_case_tensor before = *t;
    const size_t count = before.data.count;
    bool differs = false;
    if (count < 2 || t->has_data_in)
        return false;
    lb_case_make_data(t, count, arena);
    for (size_t i = 0; i < count; i++) {
        const int64_t v = lb_wide_value(&before.data, count - 1 - i);
        lb_case_put_number(t, i, v);
        differs = differs || v != lb_wide_value(&before.data, i);
    }
    if (!differs)
        *t = before;
    return differs;
}

/* All inputs but the first that has data. */
static bool turn_others(lb_case *c, lb_arena *arena)
{
    bool first = true, differs = false;
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        lb_case_operand *operand = &c->operand[role];
        if (!operand->present || operand->is_output || operand->tensors[0].data.count == 0)
            continue;
        for (unsigned i = 0; i < operand->count && !first; i++)
            differs = turn_data(&operand->tensors[i], arena) || differs;
        first = false;
    }
    return differs;
}

static bool has_same_input(const lb_case *a, const lb_case *b)
{
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        const lb_case_operand *one = &a->operand[role], *two = &b->operand[role];
        if (!one->present || one->tensors[0].data.count == 0)
            continue;
        return two->present && lb_values_same(&one->tensors[0].data, &two->tensors[0].data);
    }
    return false;
}

/* The configuration of another case. Functions of LiteRT take their numbers in C types of their own
 * and refuse nothing: what a small change makes of a number may not be one that they can be given.
 */
static void take_other_config(const lb_certify_maker *m, uint64_t number, lb_arena *scratch,
                              lb_case *changed)
{
    enum { FAR = 1 << 28 };
    lb_random_options options;
    lb_case other;
    if (lb_random_case(changed->kernel, options_of(m, 0, &options), FAR + number, scratch, &other))
        changed->config = other.config;
}

static void make_small_change(const lb_certify_maker *m, uint64_t number, lb_arena *scratch,
                              lb_case *changed)
{
    lb_random_options options;
    lb_build b = {.random = lb_random_start(m->wish.seed ^ 0x71A1Fu, number),
                  .arena = scratch,
                  .c = changed,
                  .options = options_of(m, 0, &options)};
    lb_case_mutate(&b);
}

/* One small change that leaves the first input as it is. */
static bool change(const lb_certify_maker *m, const lb_case *base, size_t index, lb_arena *arena,
                   lb_case *c)
{
    enum { ATTEMPTS = 24 };
    lb_arena scratch = {0};
    const char *before = lb_case_to_json(base, &scratch);
    const lb_arena_mark start = lb_arena_mark_of(arena), written = lb_arena_mark_of(&scratch);
    bool good = false;
    for (size_t i = m->tries[index]; i < ATTEMPTS && !good; i++) {
        m->tries[index] = (uint8_t)i;
        lb_arena_rewind(&scratch, written);
        lb_arena_rewind(arena, start);
        lb_case *changed = lb_case_copy(&scratch, base);
        (m->wish.set == LB_SET_MLI ? make_small_change : take_other_config)(
            m, (uint64_t)index * ATTEMPTS + i, &scratch, changed);
        const char *text = lb_case_to_json(changed, &scratch);
        good = strcmp(text, before) != 0 && has_same_input(base, changed) &&
               lb_case_from_json(text, strlen(text), arena, c) && c->kernel == base->kernel &&
               lb_cover_is_defined(c);
    }
    lb_arena_free(&scratch);
    return good;
}

static bool turn(const lb_case *base, lb_arena *arena, lb_case *c)
{
    lb_case *turned = base->kernel->exact ? lb_case_copy(arena, base) : NULL;
    if (!turned || !turn_others(turned, arena) || !lb_cover_is_defined(turned))
        return false;
    *c = *turned;
    return true;
}

/* The case before it, in the same place of memory but for something that its first input does not
 * tell: whoever remembers what that one gave is wrong now. A sequence, or one that nothing can be
 * changed of, is tried again. */
static void make_changed(const lb_certify_maker *m, size_t index, lb_arena *arena, lb_case *c)
{
    const lb_case base = *c;
    if (!base.kernel || (!turn(&base, arena, c) && !change(m, &base, index, arena, c)))
        *c = base;
    c->id = lb_arena_printf(arena, "%s.changed", base.id);
}

static void make_case(void *user, size_t index, lb_arena *arena, lb_case *c)
{
    const lb_certify_maker *m = user;
    const size_t pair = index / 2, round = pair / m->kernel_count;
    /* An odd number of cases: the last of each function has none beside it. */
    make_base(m, kernel_at(m, round, pair % m->kernel_count), round, arena, c);
    if (index % 2 == 1)
        make_changed(m, index, arena, c);
}

/* ---- The suite ---- */

static bool can_be_made(const lb_kernel *kernel, lb_certify_maker *m)
{
    lb_arena arena = {0};
    lb_case c;
    bool good = (m->wish.extensions || !lb_function_is_extension(kernel->name)) &&
                make_base(m, kernel, 0, &arena, &c);
    lb_arena_free(&arena);
    return good;
}

static void digest_of(lb_certify_maker *m, size_t count, lb_progress_way shown,
                      char hex[LB_SHA256_TEXT])
{
    lb_arena arena = {0};
    lb_progress progress;
    lb_sha256 digest;
    lb_sha256_start(&digest);
    lb_progress_start(&progress, shown, "cases made", count);
    for (size_t i = 0; i < count; i++) {
        lb_case c;
        lb_arena_reset(&arena);
        make_case(m, i, &arena, &c);
        const char *text = lb_case_to_json(&c, &arena);
        lb_sha256_add(&digest, text, strlen(text) + 1);
        lb_progress_show(&progress, i + 1);
    }
    lb_progress_end(&progress);
    lb_sha256_end(&digest, hex);
    lb_arena_free(&arena);
}

static size_t start_maker(const lb_certify_wish *wish, lb_certify_maker *maker)
{
    const lb_kernel_set *set = lb_kernel_sets[wish->set];
    *maker = (lb_certify_maker){.wish = *wish};
    for (size_t i = 0; i < *set->kernel_count; i++)
        if (can_be_made(&set->kernels[i], maker))
            maker->kernels[maker->kernel_count++] = &set->kernels[i];
    return maker->kernel_count * (((size_t)wish->cases + 1) / 2) * 2;
}

size_t lb_certify_count(const lb_certify_wish *wish)
{
    lb_certify_maker maker;
    return start_maker(wish, &maker);
}

lb_suite *lb_certify_suite(const lb_certify_wish *wish, lb_progress_way shown,
                           lb_certify_maker *maker)
{
    char command[LB_CERTIFY_COMMAND_BYTES], name[60], described[200], hex[LB_SHA256_TEXT];
    const size_t count = start_maker(wish, maker);
    maker->tries = lb_resized(NULL, count + 1);
    memset(maker->tries, 0, count + 1);
    digest_of(maker, count, shown, hex);
    command_text(wish, command);
    snprintf(name, sizeof name, "certify.seed%llu", (unsigned long long)wish->seed);
    snprintf(described, sizeof described, "%s, seed %llu, %s", command,
             (unsigned long long)wish->seed, hex);
    return lb_suite_made(name, command, described, count, 1u << wish->set, make_case, maker);
}

void lb_certify_close(lb_suite *suite, lb_certify_maker *maker)
{
    lb_suite_close(suite);
    free(maker->tries);
}
