/* lastbit pack: cases and their results as C sources. */
#include "harness/base/command_line.h"
#include "harness/base/xalloc.h"
#include "harness/command/commands.h"
#include "harness/command/selection.h"
#include "harness/pack/pack_port.h"
#include "harness/pack/write.h"
#include "harness/run/shared_options.h"
#include "harness/trial/trial.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct packing {
    lb_plan plan;
    lb_case_choice choice;
    bool c, no_names, digests, selects;
    lb_budget budget;
    lb_strength_cases cases; /* that are chosen from */
    lb_selection selection;
    enum { LITTLE, BIG } byte_order;
    size_t max_memory;
    lb_pack_writer writer;
    lb_pack_port ports[LB_PROFILE_COUNT]; /* one for each profile, so that their scripts can be held
                                             to each other */
    lb_arena arena;
    lb_pack_bytes record;
    uint64_t results, left_out, disagreeing;
    const char *why; /* the case at work is left out in some profile, or NULL */
    bool wanted[LB_PROFILE_COUNT];
} packing;

/* ---- A case ---- */

typedef struct attempt {
    packing *p;
    size_t profile;
    bool good;
} attempt;

static void note_result(void *user, size_t profile_index, lb_result *result)
{
    attempt *a = user;
    (void)profile_index;
    a->good = result->verdict == LB_PASS && !a->p->ports[a->profile].cannot_run;
    if (result->verdict == LB_PASS || result->verdict == LB_SKIP) {
        if (!a->good)
            a->p->why = result->verdict == LB_SKIP ? lb_arena_strdup(&a->p->arena, result->reason)
                                                   : a->p->ports[a->profile].cannot_run;
        return;
    }
    fprintf(stderr,
            "%s:%u: case %s [%s]: what is recorded is not what the exact model gives; \"%s\" shows "
            "it\n",
            result->file, result->line, result->id, result->profile, result->reproduce);
    a->p->disagreeing++;
}

/* In each profile, on the port that writes. */
static void try_profiles(packing *p, const lb_suite *suite, const lb_case *c)
{
    static const bool yes = true;
    for (size_t i = 0; i < p->plan.profile_count; i++) {
        attempt a = {.p = p, .profile = i};
        lb_trial_setup setup = {.port = &p->ports[i].port,
                                .suite = lb_suite_name(suite),
                                .file = lb_suite_path(suite),
                                .arena = &p->arena};
        p->ports[i].cannot_run = NULL;
        lb_trial_run(&setup, c, &p->plan.profiles[i], &yes, 1, NULL, note_result, &a);
        p->wanted[i] = a.good;
    }
}

static const lb_pack_script *script_of(const packing *p, size_t profile)
{
    return &p->ports[profile].script;
}

static bool same_script(const lb_pack_script *a, const lb_pack_script *b)
{
    return a->bytes.count == b->bytes.count &&
           memcmp(a->bytes.at, b->bytes.at, a->bytes.count) == 0;
}

/* Profiles with the same script are one group. */
static unsigned put_groups(packing *p, size_t common)
{
    bool done[LB_PROFILE_COUNT] = {false};
    unsigned groups = 0;
    for (size_t i = 0; i < p->plan.profile_count; i++) {
        const lb_pack_script *s = script_of(p, i);
        uint32_t mask = 0;
        if (!p->wanted[i] || done[i])
            continue;
        for (size_t j = i; j < p->plan.profile_count; j++)
            if (p->wanted[j] && !done[j] && same_script(s, script_of(p, j))) {
                mask |= 1u << lb_profile_number(p->plan.profiles[j]);
                done[j] = true;
            }
        lb_pack_put(&p->record, mask, 2);
        lb_pack_put(&p->record, (uint32_t)(s->bytes.count - common), 4);
        lb_pack_put_bytes(&p->record, s->bytes.at + common, s->bytes.count - common);
        groups++;
    }
    return groups;
}

static void make_record(packing *p, const lb_case *c, size_t memory_bytes)
{
    enum { MOST_NAME = 255, AT_GROUPS = 8 };
    size_t name_bytes = p->no_names ? 0 : strlen(c->id), common = 0;
    const lb_pack_script *scripts[LB_PROFILE_COUNT];
    size_t count = 0;
    for (size_t i = 0; i < p->plan.profile_count; i++)
        if (p->wanted[i])
            scripts[count++] = script_of(p, i);
    common = lb_pack_common(scripts, count);
    if (name_bytes > MOST_NAME)
        name_bytes = MOST_NAME;
    p->record.count = 0;
    lb_pack_put(&p->record, 0, 4);
    lb_pack_put(&p->record, (uint32_t)memory_bytes, 4);
    lb_pack_put(&p->record, 0, 1);
    lb_pack_put(&p->record, (uint32_t)name_bytes, 1);
    lb_pack_put_bytes(&p->record, c->id, name_bytes);
    lb_pack_put(&p->record, 0, 1);
    lb_pack_put(&p->record, (uint32_t)common, 4);
    lb_pack_put_bytes(&p->record, scripts[0]->bytes.at, common);
    unsigned groups = put_groups(p, common);
    p->record.at[AT_GROUPS] = (uint8_t)groups;
    lb_wire_put32(p->record.at, (uint32_t)p->record.count);
}

static void leave_out(packing *p, const lb_suite *suite, const lb_case *c, const char *why)
{
    fprintf(stderr, "%s:%u: case %s: left out: %s\n", lb_suite_path(suite), c->line, c->id, why);
    p->left_out++;
}

static bool add_record(packing *p, const lb_suite *suite, const lb_case *c, size_t memory_bytes)
{
    const char *profiles = "";
    for (size_t i = 0; i < p->plan.profile_count; i++)
        if (p->wanted[i]) {
            profiles = lb_arena_printf(&p->arena, "%s%s%s", profiles, *profiles ? "," : "",
                                       p->plan.profiles[i]->name);
            p->results++;
        }
    return lb_pack_writer_add(&p->writer, &p->record, memory_bytes, c->id, profiles,
                              lb_arena_printf(&p->arena, "%s:%u", lb_suite_path(suite), c->line));
}

static bool pack_case(packing *p, const lb_suite *suite, const lb_case *c)
{
    lb_call_memory *memory = lb_arena_alloc(&p->arena, sizeof *memory);
    bool any = false;
    if (lb_case_has_tag(c, "fresh_library"))
        return leave_out(p, suite, c, "it needs a library that has just been loaded"), true;
    lb_call_memory_make(memory, c, &p->arena);
    if (memory->block_bytes > p->max_memory)
        return leave_out(
                   p, suite, c,
                   lb_arena_printf(&p->arena,
                                   "it takes %zu bytes of memory, more than --max-memory allows",
                                   memory->block_bytes)),
               true;
    p->why = NULL;
    try_profiles(p, suite, c);
    for (size_t i = 0; i < p->plan.profile_count; i++)
        any = any || p->wanted[i];
    if (p->why)
        leave_out(p, suite, c,
                  any ? lb_arena_printf(&p->arena, "in some profiles: %s", p->why) : p->why);
    if (!any)
        return true;
    make_record(p, c, memory->block_bytes);
    if (p->record.count + LB_PACK_HEAD_BYTES > p->writer.max_bytes)
        return leave_out(p, suite, c,
                         lb_arena_printf(
                             &p->arena,
                             "a pack with it alone has %zu bytes, more than --max-bytes allows",
                             p->record.count + LB_PACK_HEAD_BYTES)),
               true;
    return add_record(p, suite, c, memory->block_bytes);
}

/* ---- All cases ---- */

static bool wants(const packing *p, const lb_suite *suite, const lb_case *c)
{
    return lb_plan_wants_case(&p->plan, c) &&
           (!p->selects || lb_selection_has(&p->selection, lb_suite_path(suite), c->id));
}

/* Those that catch most faults of the bank for what the budget allows. 0: chosen. */
static int select_cases(packing *p, const lb_arguments *paths)
{
    lb_strength_choice choice = lb_strength_choice_start();
    if (p->choice.level.is_given)
        choice.measure.level = p->choice.level;
    choice.measure.profile_count = p->plan.profile_count;
    for (size_t i = 0; i < p->plan.profile_count; i++)
        choice.measure.profiles[i] = p->plan.profiles[i];
    for (size_t i = 0; i < lb_kernel_total(); i++)
        choice.measure.wanted[i] = true;
    int status = 0;
    if (!lb_strength_cases_read(&p->cases, paths->items, paths->count, choice.measure.level.level))
        status = 2;
    else if (!lb_selection_make(&p->selection, &choice, &p->budget, &p->cases))
        status = 3;
    else
        lb_selection_tell_sums(&p->selection);
    return status;
}

static bool pack_suite(packing *p, const lb_suite *suite)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    lb_suite_reader *reader = lb_suite_reader_open(suite);
    bool good = reader != NULL;
    for (size_t i = 0; good && i < lb_suite_case_count(suite); i++) {
        const lb_case *c = lb_suite_reader_case(reader, i, &diagnostics);
        good = c && (!wants(p, suite, c) || pack_case(p, suite, c));
        lb_arena_reset(&p->arena);
    }
    lb_suite_reader_close(reader);
    return good;
}

static int pack_all(packing *p)
{
    lb_pack_writer *w = &p->writer;
    if (!lb_pack_writer_open(w))
        return 2;
    for (size_t i = 0; i < p->plan.suite_count; i++)
        if (!pack_suite(p, p->plan.suites[i]))
            return 3;
    if (p->disagreeing > 0)
        return fprintf(stderr,
                       "lastbit pack: %" PRIu64
                       " recorded results are not those of the exact model; no packs\n",
                       p->disagreeing),
               lb_pack_writer_discard(w), 1;
    if (!lb_pack_writer_close(w))
        return 3;
    if (w->packs == 0)
        return fprintf(stderr, "lastbit pack: no case %s\n", p->left_out ? "is left" : "matches"),
               2;
    printf("%s: %u packs, %u cases, %" PRIu64 " results, %" PRIu64
           " left out; %zu bytes of constant data, the largest pack %zu; memory for tensors: %zu "
           "bytes\n",
           w->folder, w->packs, w->all_cases, p->results, p->left_out, w->all_bytes,
           w->largest_bytes, w->all_memory_bytes);
    return 0;
}

/* A pack tells its profiles apart by their numerics alone. */
static bool choose_profiles(packing *p)
{
    if (!lb_case_choice_plan(&p->choice, "pack", &p->plan))
        return false;
    for (size_t i = 0; i < p->plan.profile_count; i++)
        if (p->plan.profiles[i]->file)
            return lb_usage_error("pack",
                                  "--profile %s: packs know the built-in profiles, and no files",
                                  p->plan.profiles[i]->file),
                   false;
    return true;
}

static void release(packing *p)
{
    for (size_t i = 0; i < LB_PROFILE_COUNT; i++)
        lb_pack_port_free(&p->ports[i]);
    lb_selection_free(&p->selection);
    lb_strength_cases_free(&p->cases);
    lb_plan_close_suites(&p->plan);
    lb_pack_writer_free(&p->writer);
    lb_pack_bytes_free(&p->record);
    lb_arena_free(&p->arena);
    free(p);
}

static int pack(int argc, char **argv)
{
    packing *p = lb_resized(NULL, sizeof *p);
    lb_arguments paths;
    int status;
    *p = (packing){.max_memory = SIZE_MAX,
                   .writer = {.folder = "packs", .max_bytes = (size_t)1 << 20}};
    if (lb_options_parse(&lb_pack_command, argc, argv, p, &paths, &status)) {
        p->writer.big_endian = p->byte_order == BIG;
        for (size_t i = 0; i < LB_PROFILE_COUNT; i++)
            lb_pack_port_make(&p->ports[i], p->writer.big_endian, p->digests);
        if (choose_profiles(p) && lb_plan_open_suites(&p->plan, paths.items, paths.count))
            status = p->selects ? select_cases(p, &paths) : 0;
        else
            status = 2;
        if (status == 0)
            status = pack_all(p);
    }
    release(p);
    return status;
}

/* In the order of packing.byte_order. */
static const char *const byte_orders[] = {"little", "big", NULL};

static const lb_option table[] = {
    {"c", 0, LB_FLAG, NULL, LB_INTO(packing, c),
     .help = "C sources: the only form, and the default"},
    {"max-bytes", 0, LB_BYTES, "N", LB_INTO(packing, writer.max_bytes),
     .help = "no pack has more than N bytes of constant data (K and M: 1024 and 1048576 of them); "
             "cases are dealt out to as many packs as it takes, in order. A case that alone is "
             "larger is left out, and named. Default: 1M"},
    {"max-memory", 0, LB_BYTES, "N", LB_INTO(packing, max_memory),
     .help =
         "leave out cases that take more than N bytes of the device's memory for their tensors"},
    {"select", 0, LB_CALLBACK, "AMOUNT", LB_INTO(packing, budget), LB_GIVEN(packing, selects),
     .take = lb_take_budget,
     .help =
         "only the cases that catch most faults of the bank for this: 500 cases, 2s or 64k (see "
         "\"lastbit vectors select --help\")"},
    {"output", 'o', LB_TEXT, "DIR", LB_INTO(packing, writer.folder), .help = "default: packs"},
    {"byte-order", 0, LB_CHOICE, "ORDER", LB_INTO(packing, byte_order), .choices = byte_orders,
     .help = "of the device: little (default) or big"},
    {"digests", 0, LB_FLAG, NULL, LB_INTO(packing, digests),
     .help = "outputs as CRC-32 alone: smaller, and a failure does not say which element"},
    {"no-names", 0, LB_FLAG, NULL, LB_INTO(packing, no_names),
     .help = "without ids: a failure gives numbers, which packs.txt explains"},
    {.name = NULL}};

const lb_command lb_pack_command = {
    .name = "pack",
    .summary = "write cases as C sources, for devices without any link",
    .usage = "--c [--max-bytes N] [-o DIR] [OPTION...] PATH...",
    .about =
        "Writes the cases of the suites as C sources into DIR: inputs, the calls, and what must be "
        "there after them. They need no link to a host, no files and no heap: compile everything "
        "in DIR with your own MLI headers and library and a definition of lb_port (lb_kit.h), on "
        "whatever runs it. Cases of LiteRT are for kernels with an interface of their own: compile "
        "with -DLB_KIT_NATIVE, without MLI's headers, and define lb_native_has and lb_native_run "
        "too "
        "(lb_native.h). lb_pack_run gives the verdict as its value, in words in memory "
        "(lb_pack_words), and as text if it is given a function that prints; it names the case "
        "that fails. Results are those of the exact model; a case whose recorded result is another "
        "one is an error, and nothing can be said of one past its accumulator.\n"
        "\n"
        "In DIR: lb_pack_000.c and so on (one constant array each), lb_packs.h, lb_pack.c and "
        "lb_pack_main.c (the player and an example of a program), files of the port kit, packs.txt "
        "(which case is where).",
    .groups = {{table, 0, NULL},
               {lb_profile_option, offsetof(packing, choice.profile_names), NULL},
               {lb_case_options, offsetof(packing, choice), NULL},
               {lb_level_option, offsetof(packing, choice.level), NULL}},
    .operand = LB_SUITE_OPERANDS,
    .statuses = {"packs were written", "a recorded result is not that of the exact model: no packs",
                 "the command line or a suite is wrong, or no case is left to write",
                 "lastbit itself failed"},
    .examples = "lastbit pack --c --max-bytes 64K --profile up-full -o packs vectors\n"
                "cc -I my_headers packs/lb_pack*.c my_port.c libmykernels.a -DLB_PACK_PRINT\n"
                "./a.out",
    .run = pack};
