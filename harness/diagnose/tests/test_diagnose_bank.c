/* Faults of the bank, as ports: how many of them diagnose names. A self-test: its ports are made
 * from the bank that names them, so it shows that the search finds what the bank holds, and nothing
 * about mistakes of people, for which ci/mistakes is. Arguments: how many faults, from which number
 * of a sequence on; a line for each. Without any: a few, which must be named. */
#include "harness/base/clock.h"
#include "harness/base/xalloc.h"
#include "harness/call/model.h"
#include "harness/diagnose/diagnosis.h"
#include "harness/tests/fixture.h"

#include <stdlib.h>
#include <string.h>

/* ---- A port that is the exact model with a fault of the bank in one function ---- */

typedef struct fault_port {
    lb_port port;
    const lb_instance *instance; /* of the case at hand */
    const lb_kernel *kernel;
    lb_fault fault;
} fault_port;

static bool provides(const lb_port *port, const lb_kernel *kernel)
{
    (void)port;
    return kernel->exact != NULL;
}

static void begin(lb_port *port, const lb_instance *instance)
{
    ((fault_port *)port)->instance = instance;
}

static void close_port(lb_port *port)
{
    (void)port;
}

/* Makes `to` what `from` is: another instance of the same memory. */
static void take_instance(lb_instance *to, const lb_instance *from)
{
    lb_instance_take(to, from);
    to->call.status = from->call.status;
    to->call.return_value = from->call.return_value;
    void *scratch = to->call.config.scratch;
    to->call.config = from->call.config;
    to->call.config.scratch = scratch;
}

static void call_with_fault(lb_port *port, const lb_profile *profile, lb_call *call)
{
    fault_port *p = (fault_port *)port;
    lb_context context = {.profile = profile};
    lb_arena arena = {0};
    lb_instance *given = (lb_instance *)(uintptr_t)p->instance;
    if (call->kernel != p->kernel) {
        lb_run_exact(&context, call);
        return;
    }
    lb_fault_bench *bench = lb_arena_alloc(&arena, sizeof *bench);
    *bench = (lb_fault_bench){.test_case = given->memory->test_case,
                              .profile = profile,
                              .arena = &arena,
                              .memory = *given->memory,
                              .call = 2};
    lb_instance_make(&bench->before, &bench->memory, &arena);
    lb_instance_make(&bench->right, &bench->memory, &arena);
    lb_instance_make(&bench->out, &bench->memory, &arena);
    take_instance(&bench->before, given);
    take_instance(&bench->right, given);
    lb_ran ran = lb_model_call(&context, &bench->right);
    bench->violated = ran.violated;
    bench->computed = ran.computed;
    bool acts = lb_fault_try(bench, &p->fault);
    bool status_alone = p->fault.kind->group == LB_FAULTS_STATUS;
    take_instance(given, acts && !status_alone ? &bench->out : &bench->right);
    if (acts && status_alone)
        call->status = bench->out.call.status;
    lb_arena_free(&arena);
}

/* ---- A fault of the bank by chance ---- */

typedef struct choice {
    lb_suite **suites;
    size_t suite_count;
    const lb_kernel *kernel;
    unsigned wanted; /* cases, so far */
} choice;

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

/* As the command has it: cases up to the level standard. */
static bool wants(void *user, const lb_case *c)
{
    enum { MOST_CASES = 400 };
    choice *chosen = user;
    return c->kernel == chosen->kernel && lb_level_of(c) <= LB_LEVEL_STANDARD &&
           chosen->wanted < MOST_CASES && ++chosen->wanted > 0;
}

static void hear_some(choice *chosen, lb_fault_list *list)
{
    enum { HEARD = 40, EACH = 7 };
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    unsigned met = 0;
    lb_arena arena = {0};
    for (size_t s = 0; s < chosen->suite_count && met < HEARD * EACH; s++) {
        lb_suite_reader *reader = lb_suite_reader_open(chosen->suites[s]);
        for (size_t i = 0; i < lb_suite_case_count(chosen->suites[s]); i++) {
            const lb_case *c = lb_suite_reader_case(reader, i, &diagnostics);
            if (c->kernel == chosen->kernel && c->step_count == 0 && met++ % EACH == 0)
                lb_fault_list_hear(list, c, &lb_profiles[0], &arena);
            lb_arena_reset(&arena);
        }
        lb_suite_reader_close(reader);
    }
    lb_arena_free(&arena);
    lb_fault_list_fill(list, chosen->kernel, NULL);
}

typedef struct tally {
    unsigned tried, uncaught, named, among, same, unknown, wrong, convinced, missed;
} tally;

/* The fault that is told does, on every result that was looked at, what the fault does that is in
 * there. */
static bool is_same_there(lb_evidence *e, const lb_fault *a, const lb_fault *b)
{
    enum { ENOUGH = 60 };
    lb_look look = {.arena = {0}};
    bool same = true;
    size_t looked = 0;
    for (size_t i = 0; same && i < e->count && looked < ENOUGH; i += 1 + e->count / 997) {
        const lb_tried *t = &e->items[i];
        if (t->kernel && t->single && t->size < 4000 && lb_look_at(&look, e, t)) {
            uint64_t digest[2];
            const lb_fault *fault[2] = {a, b};
            for (int k = 0; k < 2; k++)
                digest[k] = lb_fault_digest(
                    lb_fault_try(&look.bench, fault[k]) ? &look.bench.out : &look.bench.right);
            same = digest[0] == digest[1];
            looked++;
        }
    }
    lb_look_end(&look);
    return same;
}

static bool is_among(const lb_found_fault *f, const char *sentence)
{
    for (size_t i = 0; i < f->other_count; i++)
        if (strcmp(f->others[i], sentence) == 0)
            return true;
    return false;
}

static const char *judge(const lb_diagnosis *d, lb_evidence *e, fault_port *port, lb_arena *arena,
                         tally *t)
{
    const char *name = lb_fault_name(&port->fault, arena);
    const char *sentence = lb_fault_sentence(&port->fault, arena);
    if (d->failing == 0)
        return t->uncaught++, "uncaught";
    t->tried++;
    if (d->found_count == 0)
        return t->missed++, "MISSED";
    const lb_found_fault *f = &d->found[0];
    /* What create_lut left is told entry by entry, not by what made it so. */
    bool is_table = lb_filled_config(port->kernel) == LB_CONFIG_LUT &&
                    strncmp(f->name, "table.wrong", strlen("table.wrong")) == 0;
    if (strcmp(f->name, name) == 0 || strcmp(f->sentence, sentence) == 0 || is_table)
        return t->named++, "named";
    if (is_among(f, sentence))
        return t->among++, "among";
    if (f->certainty == LB_CERTAIN_UNKNOWN)
        return t->unknown++, "UNKNOWN";
    if (d->meaning[0].fault.kind && is_same_there(e, &d->meaning[0].fault, &port->fault))
        return t->same++, "same";
    if (f->certainty == LB_CERTAIN_ONE)
        return t->convinced++, "CONVINCED";
    return t->wrong++, "WRONG";
}

static void try_fault(choice *chosen, fault_port *port, tally *t, bool told)
{
    const lb_reproduce reproduce = {.port = "fault"};
    lb_arena arena = {0};
    const lb_profile *profiles[] = {&lb_profiles[0], &lb_profiles[1]};
    chosen->wanted = 0;
    lb_evidence e = {.suites = chosen->suites,
                     .suite_count = chosen->suite_count,
                     .profiles = profiles,
                     .profile_count = 2,
                     .port = &port->port,
                     .wants = wants,
                     .wants_user = chosen};
    double begun = lb_now_seconds();
    assert_true(lb_evidence_gather(&e));
    lb_diagnosis d = {.evidence = &e, .port_name = "fault", .reproduce = &reproduce, .effort = 10};
    lb_diagnose(&d);
    const char *what = judge(&d, &e, port, &arena, t);
    if (told)
        printf("%s\t%s\t%s\t%llu\t%llu\t%.1f\t%s (%d)\n", what, chosen->kernel->name,
               lb_fault_name(&port->fault, &arena), (unsigned long long)d.failing,
               (unsigned long long)d.experiments, lb_now_seconds() - begun,
               d.found_count ? d.found[0].name : "",
               d.found_count ? (int)d.found[0].certainty : -1);
    fflush(stdout);
    lb_diagnosis_free(&d);
    lb_evidence_free(&e);
    lb_arena_free(&arena);
}

/* A function by chance, and a fault of it. */
static bool choose_fault(choice *chosen, fault_port *port, lb_fault_list *list, uint64_t *random)
{
    do
        chosen->kernel = &lb_kernels[next_random(random) % lb_kernel_count];
    while (!chosen->kernel->exact);
    hear_some(chosen, list);
    if (list->count == 0)
        return false;
    port->fault = list->items[next_random(random) % list->count];
    port->kernel = chosen->kernel;
    return true;
}

static void open_suites(choice *chosen)
{
    char *folder[] = {LASTBIT_SOURCE_DIR "/vectors"};
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    lb_paths paths = {0};
    assert_true(lb_paths_collect(folder, 1, &paths, &diagnostics));
    *chosen = (choice){.suites = lb_resized(NULL, paths.count * sizeof(lb_suite *))};
    for (size_t p = 0; p < paths.count; p++)
        if (!strstr(paths.items[p], "recorded"))
            chosen->suites[chosen->suite_count++] = lb_suite_open(paths.items[p], &diagnostics);
    lb_paths_free(&paths);
}

static void close_suites(choice *chosen)
{
    for (size_t s = 0; s < chosen->suite_count; s++)
        lb_suite_close(chosen->suites[s]);
    free(chosen->suites);
}

static fault_port new_port(void)
{
    return (fault_port){.port = {.name = "fault",
                                 .described = "",
                                 .most_jobs = 1,
                                 .provides = provides,
                                 .begin = begin,
                                 .call = call_with_fault,
                                 .close = close_port}};
}

static void try_faults(unsigned count, uint64_t seed, bool told, tally *t)
{
    choice chosen;
    open_suites(&chosen);
    while (t->tried < count) {
        lb_fault_list list = {0};
        fault_port port = new_port();
        uint64_t random = seed++;
        if (choose_fault(&chosen, &port, &list, &random))
            try_fault(&chosen, &port, t, told);
        lb_fault_list_free(&list);
    }
    close_suites(&chosen);
}

static const lb_fault *fault_named(const lb_fault_list *list, const char *name)
{
    const lb_fault *found = NULL;
    lb_arena arena = {0};
    for (size_t i = 0; !found && i < list->count; i++)
        if (strcmp(lb_fault_name(&list->items[i], &arena), name) == 0)
            found = &list->items[i];
    lb_arena_free(&arena);
    assert_non_null(found);
    return found;
}

static void test_faults_of_the_bank_are_named(void **state)
{
    tally t = {0};
    (void)state;
    try_faults(5, 1000, false, &t);
    assert_int_equal(t.convinced, 0);
    assert_true(t.named + t.among + t.same == 5);
}

/* Each of the two shows in results where the other one does not. */
static void test_two_faults_at_once_are_named(void **state)
{
    static const char *const first = "rounding.truncates at requantize, in steps of the output";
    static const char *const seconds[] = {
        "accumulator.saturates (16) at taps, running sum",
        "saturation.narrow (32) at bias, accumulator with the bias",
        "term.missing at shifts, frac_bits of the products"};
    enum { SECONDS = sizeof seconds / sizeof seconds[0] };
    tally t = {0};
    choice chosen;
    fault_port port = new_port();
    lb_fault_list list = {0};
    (void)state;
    open_suites(&chosen);
    chosen.kernel = port.kernel = lb_kernel_find("mli_krn_fully_connected_fx16");
    assert_non_null(chosen.kernel);
    hear_some(&chosen, &list);
    for (size_t i = 0; i < SECONDS; i++) {
        port.fault = *fault_named(&list, first);
        port.fault.beside = fault_named(&list, seconds[i]);
        try_fault(&chosen, &port, &t, false);
    }
    assert_int_equal(t.named + t.among + t.same, SECONDS);
    lb_fault_list_free(&list);
    close_suites(&chosen);
}

/* What is wrong with a whole gate is no fault of the bank, but has a name. */
static void test_a_gate_as_a_whole_is_named(void **state)
{
    tally t = {0};
    choice chosen;
    fault_port port = new_port();
    lb_fault_list list = {0};
    (void)state;
    open_suites(&chosen);
    chosen.kernel = port.kernel = lb_kernel_find("mli_krn_gru_cell_fx16");
    assert_non_null(chosen.kernel);
    lb_fault_list_add_cells(&list, chosen.kernel);
    port.fault = *fault_named(&list, "cell.activation at gate z, tanh for sigm");
    try_fault(&chosen, &port, &t, false);
    assert_int_equal(t.named, 1);
    lb_fault_list_free(&list);
    close_suites(&chosen);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_faults_of_the_bank_are_named),
                                       cmocka_unit_test(test_two_faults_at_once_are_named),
                                       cmocka_unit_test(test_a_gate_as_a_whole_is_named)};
    tally t = {0};
    if (argc < 3)
        return cmocka_run_group_tests(tests, NULL, NULL);
    try_faults((unsigned)strtoul(argv[1], NULL, 10), strtoull(argv[2], NULL, 10), true, &t);
    printf("tried %u: named %u, among %u, same %u, unknown %u, wrong %u, convinced %u, missed %u; "
           "uncaught %u\n",
           t.tried, t.named, t.among, t.same, t.unknown, t.wrong, t.convinced, t.missed,
           t.uncaught);
    return 0;
}
