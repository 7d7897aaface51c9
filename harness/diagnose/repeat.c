/* Failing calls made again: see repeat.h. */
#include "harness/diagnose/repeat.h"
#include "harness/base/xalloc.h"
#include "harness/diagnose/work.h"
#include "harness/port/open.h"

#include <stdlib.h>
#include <string.h>

typedef struct repeater {
    lb_evidence *e;
    const char *port_name;
    lb_repeats *repeats;
    double deadline; /* lb_work_seconds */
    lb_arena arena;
} repeater;

static const double CALL_SECONDS = 10;

static bool lefts_equal(const lb_left *a, const lb_left *b)
{
    return a->status == b->status && a->return_value == b->return_value &&
           a->block_bytes == b->block_bytes && memcmp(a->block, b->block, a->block_bytes) == 0;
}

typedef enum outcome { SAME, OTHER, PASSED } outcome;

static outcome call_again(repeater *r, lb_port *port, const lb_tried *t, unsigned misalign)
{
    bool passed = false;
    const char *trouble = NULL;
    const lb_case *c = lb_evidence_case(r->e, t);
    lb_arena_reset(&r->arena);
    const lb_left *left = c ? lb_evidence_call(r->e, port, c, r->e->profiles[t->profile], misalign,
                                               &r->arena, &passed, &trouble)
                            : NULL;
    if (passed)
        return PASSED;
    /* Of a chain only its last call is kept: it is compared by its verdict. */
    return !left || !t->left || lefts_equal(left, t->left) ? SAME : OTHER;
}

/* In a process that has made no call before. */
static outcome call_fresh(repeater *r, const lb_tried *t, const lb_tried *before)
{
    lb_port *port = lb_port_open(r->port_name, CALL_SECONDS);
    if (!port)
        return SAME;
    lb_work_processes(r->e, 1);
    if (before)
        (void)call_again(r, port, before, r->e->misalign);
    outcome end = call_again(r, port, t, r->e->misalign);
    port->close(port);
    return end;
}

static void note(repeater *r, size_t item, lb_repeated what)
{
    r->repeats->of[item] = (unsigned char)what;
    if (r->repeats->count[what]++ == 0 ||
        r->e->items[item].size < r->e->items[r->repeats->first[what]].size)
        r->repeats->first[what] = (uint32_t)item;
}

static lb_repeated look_closer(repeater *r, const lb_tried *t)
{
    outcome one = call_fresh(r, t, NULL), two = call_fresh(r, t, NULL);
    if (one != two)
        return LB_REPEATED_CHANCE;
    return one == SAME ? LB_REPEATED_SAME
                       : LB_REPEATED_STATE; /* another wrong result: what was there before counts */
}

static bool is_open(const repeater *r, size_t i)
{
    const lb_tried *t = &r->e->items[i];
    return t->verdict == LB_FAIL && t->left && r->repeats->of[i] == LB_REPEATED_SAME;
}

/* All failing calls once more, the last first: cheap, and most influences of calls before show. */
static void repeat_all(repeater *r)
{
    lb_port *port = lb_port_open(r->port_name, CALL_SECONDS);
    for (size_t i = r->e->count; port && i-- > 0 && lb_work_seconds(r->e) < r->deadline;) {
        const lb_tried *t = &r->e->items[i];
        if (!is_open(r, i))
            continue;
        outcome again = call_again(r, port, t, r->e->misalign);
        if (again != SAME) {
            lb_repeated what = look_closer(r, t);
            /* It fails alone as it did, but not here: a call before this one had a part. */
            note(r, i, what == LB_REPEATED_SAME ? LB_REPEATED_STATE : what);
        }
    }
    if (port)
        port->close(port);
}

enum { ALONE_EACH_FUNCTION = 2, ALONE_ALL = 60, MOST_BEFORE = 24 };

/* Of the failing results of a function: how many have been tried alone, and how many of them have
 * failed there as they did. */
typedef struct alone {
    unsigned tried, same;
} alone;

/* What could not be tried in the time: where everything that was tried depends on calls before, the
 * rest of the function does too, and of its family, which shares code. */
static void conclude(repeater *r, const alone *functions)
{
    for (size_t i = 0; i < r->e->count; i++)
        if (is_open(r, i)) {
            const lb_kernel *kernel = r->e->items[i].kernel;
            alone own = functions[lb_kernel_number(kernel)], all = {0};
            for (size_t k = 0; k < lb_kernel_total(); k++)
                if (lb_kernel_at(k)->family == kernel->family) {
                    all.tried += functions[k].tried;
                    all.same += functions[k].same;
                }
            bool few = own.tried < ALONE_EACH_FUNCTION;
            if (own.same == 0 && (few ? all.tried > ALONE_EACH_FUNCTION && all.same == 0 : true))
                note(r, i, LB_REPEATED_STATE);
        }
}

/* The order may not matter, and the calls before all the same: some are tried alone. */
static void repeat_alone(repeater *r)
{
    alone *functions = lb_resized(NULL, (lb_kernel_total() + 1) * sizeof *functions);
    unsigned char *tried = lb_resized(NULL, r->e->count + 1);
    size_t all = 0;
    memset(functions, 0, (lb_kernel_total() + 1) * sizeof *functions);
    memset(tried, 0, r->e->count + 1);
    /* a few of each function; then, where one has shown an influence, more of it */
    for (int closer = 0; closer < 2; closer++)
        for (size_t i = 0;
             i < r->e->count && all < ALONE_ALL && lb_work_seconds(r->e) < r->deadline; i++) {
            const lb_tried *t = &r->e->items[i];
            alone *a = is_open(r, i) ? &functions[lb_kernel_number(t->kernel)] : NULL;
            if (!a || tried[i] ||
                (closer ? a->same == 0 || a->same == a->tried : a->tried >= ALONE_EACH_FUNCTION))
                continue;
            all++;
            tried[i] = 1;
            a->tried++;
            bool same = call_fresh(r, t, NULL) == SAME;
            lb_repeated what = same ? LB_REPEATED_SAME : look_closer(r, t);
            a->same += what == LB_REPEATED_SAME;
            if (what != LB_REPEATED_SAME)
                note(r, i, what);
        }
    if (r->repeats->count[LB_REPEATED_STATE] > 0)
        conclude(r, functions);
    free(tried);
    free(functions);
}

typedef bool shows_fn(repeater *r, lb_port *port, const lb_tried *t);

/* So many of each function are tried; where one shows it, all. */
static void try_each_function(repeater *r, lb_port *port, shows_fn *shows, unsigned each,
                              lb_repeated what)
{
    unsigned *tried = lb_resized(NULL, (lb_kernel_total() + 1) * sizeof *tried);
    bool *shown = lb_resized(NULL, (lb_kernel_total() + 1) * sizeof *shown);
    memset(tried, 0, (lb_kernel_total() + 1) * sizeof *tried);
    memset(shown, 0, (lb_kernel_total() + 1) * sizeof *shown);
    for (int closer = 0; closer < 2; closer++)
        for (size_t i = 0; i < r->e->count && lb_work_seconds(r->e) < r->deadline; i++) {
            const size_t kernel = is_open(r, i) ? lb_kernel_number(r->e->items[i].kernel) : 0;
            if (!is_open(r, i) || (closer ? !shown[kernel] : tried[kernel]++ >= each) ||
                !shows(r, port, &r->e->items[i]))
                continue;
            shown[kernel] = true;
            note(r, i, what);
        }
    free(shown);
    free(tried);
}

static bool reads_zones(repeater *r, lb_port *port, const lb_tried *t)
{
    lb_arena_reset(&r->arena);
    return lb_reads_zones(r->e, port, t, NULL, &r->arena);
}

/* What hangs on bytes around the buffers is no state, whatever calls before have left there. */
static void repeat_with_other_zones(repeater *r)
{
    enum { EACH_FUNCTION = 3 };
    lb_port *port = lb_port_open(r->port_name, CALL_SECONDS);
    if (!port)
        return;
    try_each_function(r, port, reads_zones, EACH_FUNCTION, LB_REPEATED_ZONES);
    if (r->repeats->count[LB_REPEATED_ZONES] > 0 &&
        !lb_reads_zones(r->e, port, &r->e->items[r->repeats->first[LB_REPEATED_ZONES]],
                        &r->repeats->read, &r->arena))
        r->repeats->read.is_known = false;
    port->close(port);
}

/* Does it pass where all buffers begin at a boundary? Theirs do not. */
static bool passes_aligned(repeater *r, lb_port *port, const lb_tried *t)
{
    const lb_case *c = lb_evidence_case(r->e, t);
    return c && (r->e->misalign || lb_case_misaligned(c)) &&
           call_again(r, port, t, LB_ALIGNED) == PASSED;
}

static void repeat_aligned(repeater *r)
{
    enum { EACH_FUNCTION = 6 };
    try_each_function(r, r->e->port, passes_aligned, EACH_FUNCTION, LB_REPEATED_ALIGNMENT);
}

/* A call before the first one that depends on it, after which it fails in a fresh process. */
static void find_cause(repeater *r)
{
    lb_repeats *found = r->repeats;
    const lb_tried *t = &r->e->items[found->first[LB_REPEATED_STATE]];
    size_t at = found->first[LB_REPEATED_STATE], looked = 0;
    while (at-- > 0 && looked < MOST_BEFORE && lb_work_seconds(r->e) < r->deadline) {
        const lb_tried *before = &r->e->items[at];
        if (!before->kernel || before->kernel->family != t->kernel->family)
            continue;
        looked++;
        if (call_fresh(r, t, before) == SAME) {
            found->has_cause = true;
            found->cause = (uint32_t)at;
            return;
        }
    }
}

void lb_repeat_failures(lb_evidence *e, const char *port_name, double deadline, lb_repeats *repeats)
{
    repeater r = {.e = e, .port_name = port_name, .repeats = repeats, .deadline = deadline};
    *repeats = (lb_repeats){.of = lb_resized(NULL, e->count + 1)};
    memset(repeats->of, LB_REPEATED_SAME, e->count + 1);
    repeat_aligned(&r);
    if (strcmp(port_name, "builtin") != 0 && e->port->most_jobs != 1) {
        r.deadline = lb_work_seconds(e) + (deadline - lb_work_seconds(e)) * 0.3;
        repeat_with_other_zones(&r);
        /* alone first: of many failing results, calls in another order take all the time */
        r.deadline = lb_work_seconds(e) + (deadline - lb_work_seconds(e)) * 0.6;
        repeat_alone(&r);
        r.deadline = deadline;
        repeat_all(&r);
        if (repeats->count[LB_REPEATED_STATE] > 0)
            find_cause(&r);
    }
    lb_arena_free(&r.arena);
}

void lb_repeats_free(lb_repeats *repeats)
{
    free(repeats->of);
    *repeats = (lb_repeats){0};
}
