/* Worker processes: started, watched, replaced when they die. See pool.h. */
#include "harness/run/pool.h"
#include "harness/base/child.h"
#include "harness/base/clock.h"
#include "harness/base/progress.h"
#include "harness/base/xalloc.h"
#include "harness/run/worker.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { POLL_MILLISECONDS = 50, NO_PROCESS = 0, LATE_SECONDS = 120, MOST_DEATHS = 3 };

/* How long a port has been at work on a result, as seen from here. */
typedef struct spent_time {
    uint64_t order, works, ns;
} spent_time;

static volatile sig_atomic_t interrupted;

static void note_interrupt(int signal_number)
{
    interrupted = signal_number;
}

typedef struct pool {
    const lb_pool_options *options;
    unsigned char *verdicts;
    lb_worker_shared *shared;
    size_t shared_bytes;
    pid_t *processes;
    unsigned running;
    bool *timed_out; /* we killed it */
    spent_time *spent;
    unsigned *deaths;      /* of workers at the same place, one after another */
    uint64_t *death_place; /* the result in work; UINT64_MAX: between two */
    uint64_t looked_ns;    /* the last look at who is at work (lb_awake_ns) */
    lb_progress progress;
    bool failed;
} pool;

static bool start_worker(pool *p, unsigned slot)
{
    pid_t child = lb_child_start();
    if (child < 0) {
        fprintf(stderr, "lastbit: cannot start a worker process: %s\n", strerror(errno));
        return false;
    }
    if (child == 0) {
        signal(SIGINT, SIG_IGN); /* the parent decides */
        signal(SIGTERM, SIG_DFL);
        signal(SIGHUP, SIG_IGN);
        bool good = lb_worker_run(p->options, p->verdicts, p->shared, slot);
        if (!good)
            atomic_store(&p->shared->slots[slot].failed, true);
        fflush(NULL);
        lb_child_exit(0);
    }
    p->processes[slot] = child;
    p->timed_out[slot] = false;
    p->running++;
    return true;
}

/* Signals that a process does not get for what it does: somebody else sent them. */
static bool is_from_outside(int status)
{
    int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return number == SIGKILL || number == SIGTERM || number == SIGINT || number == SIGHUP ||
           number == SIGQUIT;
}

/* What the port, at work in this process, has done. */
static void describe_end(const pool *p, unsigned slot, int status, char *text, size_t text_bytes)
{
    if (p->timed_out[slot])
        snprintf(text, text_bytes, "the port did not return within %g s and was stopped",
                 p->options->time_limit_seconds);
    else
        lb_child_describe_end(status, text, text_bytes);
}

/* The result in work is an error. */
static bool put_error(pool *p, unsigned slot, const char *reason)
{
    lb_worker_slot *s = &p->shared->slots[slot];
    atomic_store(&s->at_work, false);
    atomic_store(&s->port_works, false);
    if (!lb_worker_append_error(p->options, p->verdicts, atomic_load(&s->order), reason,
                                p->timed_out[slot]))
        return false;
    atomic_fetch_add(&p->shared->results, 1);
    atomic_fetch_add(&p->shared->failing, 1);
    return true;
}

static bool blame_port(pool *p, unsigned slot, int status)
{
    char reason[160];
    describe_end(p, slot, status, reason, sizeof reason);
    return put_error(p, slot, reason);
}

/* One result that cannot be made must not cost the others. */
static bool blame_lastbit(pool *p, unsigned slot, int status)
{
    char reason[160];
    snprintf(reason, sizeof reason,
             "no result: lastbit itself was ended here %d times, last by signal %d (%s), not while "
             "the port was at work",
             MOST_DEATHS, WTERMSIG(status), strsignal(WTERMSIG(status)));
    fprintf(stderr, "lastbit: %s\n", reason);
    return put_error(p, slot, reason);
}

/* The worker died for no reason of the port's. Another tries the same result again, a few times. */
static bool try_again(pool *p, unsigned slot, int status)
{
    lb_worker_slot *s = &p->shared->slots[slot];
    const bool at_work = atomic_load(&s->at_work);
    const uint64_t place = at_work ? atomic_load(&s->order) : UINT64_MAX;
    p->deaths[slot] = p->death_place[slot] == place ? p->deaths[slot] + 1 : 1;
    p->death_place[slot] = place;
    atomic_store(&s->at_work, false);
    atomic_store(&s->port_works, false);
    if (p->deaths[slot] < MOST_DEATHS)
        return true;
    if (at_work && !is_from_outside(status))
        return blame_lastbit(p, slot, status);
    fprintf(stderr,
            "lastbit: a worker process was ended %d times at one place, last by signal %d (%s)%s\n",
            MOST_DEATHS, WTERMSIG(status), strsignal(WTERMSIG(status)),
            is_from_outside(status) ? ": from outside, or for want of memory" : "");
    return false;
}

/* A worker is gone. If its port was at work on a result, that result is an error. A new worker
 * takes over, unless this one had nothing left to do. */
static void bury_worker(pool *p, unsigned slot, int status)
{
    lb_worker_slot *s = &p->shared->slots[slot];
    /* A port that runs elsewhere tells its end by itself: that of a worker is not its doing. */
    bool at_fault =
        atomic_load(&s->port_works) && !p->options->port->watches_time && !is_from_outside(status);
    bool good = false;
    p->processes[slot] = NO_PROCESS;
    p->running--;
    if (atomic_load(&s->failed)) {
        p->failed = true;
        return;
    }
    if (!WIFSIGNALED(status) && WEXITSTATUS(status) == 0 && !atomic_load(&s->at_work))
        return;
    if (p->timed_out[slot] || at_fault)
        good = blame_port(p, slot, status);
    else if (WIFSIGNALED(status))
        good = try_again(p, slot, status);
    else
        fprintf(stderr, "lastbit: a worker process ended with exit status %d\n",
                WEXITSTATUS(status));
    p->failed = p->failed || !good;
    if (!p->failed && !interrupted)
        p->failed = !start_worker(p, slot);
}

/* The port of a slot has worked for another moment, or not at all: models may take their time, and
 * so may the person who stopped us. */
static bool is_overdue(spent_time *spent, lb_worker_slot *slot, uint64_t moment_ns,
                       uint64_t limit_ns)
{
    uint64_t order = atomic_load(&slot->order), works = atomic_load(&slot->works);
    if (!atomic_load(&slot->at_work) || spent->order != order || spent->works != works)
        *spent = (spent_time){.order = order, .works = works};
    else if (atomic_load(&slot->port_works))
        spent->ns += moment_ns;
    return spent->ns > limit_ns;
}

static void stop_overdue(pool *p)
{
    uint64_t now = lb_awake_ns(), limit = (uint64_t)(p->options->time_limit_seconds * 1e9);
    if (p->options->port
            ->watches_time) /* it tells a hang by itself; this is for the case that it cannot */
        limit += (uint64_t)LATE_SECONDS * 1000000000u;
    for (unsigned slot = 0; slot < p->options->jobs; slot++) {
        if (p->processes[slot] == NO_PROCESS || p->timed_out[slot] ||
            !is_overdue(&p->spent[slot], &p->shared->slots[slot], now - p->looked_ns, limit))
            continue;
        p->timed_out[slot] = true;
        kill(p->processes[slot], SIGKILL);
    }
    p->looked_ns = now;
}

static void kill_all(pool *p)
{
    for (unsigned slot = 0; slot < p->options->jobs; slot++)
        if (p->processes[slot] != NO_PROCESS) {
            kill(p->processes[slot], SIGKILL);
            waitpid(p->processes[slot], NULL, 0);
            p->processes[slot] = NO_PROCESS;
        }
    p->running = 0;
}

/* Waits for a worker to end, for a moment at most. */
static bool reap_one(pool *p)
{
    for (unsigned slot = 0; slot < p->options->jobs; slot++) {
        int status = 0;
        if (p->processes[slot] == NO_PROCESS ||
            waitpid(p->processes[slot], &status, WNOHANG | WUNTRACED) != p->processes[slot])
            continue;
        if (WIFSTOPPED(status)) { /* by its port, or whoever: it has to watch the time */
            kill(p->processes[slot], SIGCONT);
            continue;
        }
        bury_worker(p, slot, status);
        return true;
    }
    return false;
}

/* Sleeps until a child ends, a signal comes or the time for a look has come. */
static void nap(const sigset_t *child_signal)
{
    struct timespec moment = {.tv_nsec = POLL_MILLISECONDS * 1000000L};
    uint64_t begun = lb_now_ns();
    sigtimedwait(child_signal, NULL, &moment);
    lb_awake_note(begun, (uint64_t)moment.tv_nsec);
}

static void watch_workers(pool *p)
{
    sigset_t child_signal, before;
    sigemptyset(&child_signal);
    sigaddset(&child_signal, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child_signal, &before);
    p->looked_ns = lb_awake_ns();
    while (p->running > 0 && !p->failed && !interrupted) {
        if (reap_one(p))
            continue;
        stop_overdue(p);
        lb_progress_show(&p->progress, atomic_load(&p->shared->results));
        nap(&child_signal);
    }
    kill_all(p);
    sigprocmask(SIG_SETMASK, &before, NULL);
}

/* Signals that end a run in good order. */
static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
enum { ENDING = sizeof ending / sizeof ending[0] };

/* What nohup has switched off stays so. */
static void catch_signals(struct sigaction before[ENDING])
{
    struct sigaction action = {.sa_handler = note_interrupt};
    interrupted = 0;
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < ENDING; i++) {
        sigaction(ending[i], &action, &before[i]);
        if (ending[i] == SIGHUP && before[i].sa_handler == SIG_IGN)
            sigaction(ending[i], &before[i], NULL);
    }
}

static void run_workers(pool *p)
{
    struct sigaction before[ENDING];
    catch_signals(before);
    lb_child_adopt();
    for (unsigned slot = 0; slot < p->options->jobs && !p->failed; slot++)
        p->failed = !start_worker(p, slot);
    watch_workers(p);
    /* Keepers of ports whose worker is gone end by themselves, and with them what they keep;
     * nothing of a port is left when the run is over. */
    lb_child_end_all(LB_CHILD_GRACE);
    for (int i = 0; i < ENDING; i++)
        sigaction(ending[i], &before[i], NULL);
}

static uint64_t count_pending(const lb_plan *plan, const unsigned char *verdicts)
{
    uint64_t pending = 0, count = lb_plan_case_count(plan) * plan->profile_count;
    for (uint64_t order = 0; order < count; order++)
        pending += verdicts[order] == 0 && lb_plan_in_shard(plan, order / plan->profile_count);
    return pending;
}

static uint64_t count_failing(const lb_plan *plan, const unsigned char *verdicts)
{
    uint64_t failing = 0, count = lb_plan_case_count(plan) * plan->profile_count;
    for (uint64_t order = 0; order < count; order++)
        failing += verdicts[order] == 1 + LB_FAIL || verdicts[order] == 1 + LB_ERROR;
    return failing;
}

int lb_pool_signal(void)
{
    return interrupted;
}

lb_pool_end lb_pool_run(const lb_pool_options *options, unsigned char *verdicts)
{
    unsigned slots = options->jobs ? options->jobs : 1;
    pool p = {.options = options, .verdicts = verdicts};
    p.shared_bytes = sizeof *p.shared + slots * sizeof p.shared->slots[0];
    p.shared = lb_zeroed_shared(p.shared_bytes);
    p.processes = lb_zeroed(slots, sizeof *p.processes);
    p.timed_out = lb_zeroed(slots, sizeof *p.timed_out);
    p.spent = lb_zeroed(slots, sizeof *p.spent);
    p.deaths = lb_zeroed(slots, sizeof *p.deaths);
    p.death_place = lb_zeroed(slots, sizeof *p.death_place);
    lb_progress_start(&p.progress, options->show_progress ? LB_PROGRESS_BAR : LB_PROGRESS_OFF,
                      "results", count_pending(options->plan, verdicts));
    atomic_store(&p.shared->failing, count_failing(options->plan, verdicts));
    if (options->jobs == 0)
        p.failed = !lb_worker_run(options, verdicts, p.shared, 0);
    else
        run_workers(&p);
    lb_progress_end(&p.progress);
    if (options->stopped)
        *options->stopped = atomic_load(&p.shared->stopped);
    if (options->vacuous)
        *options->vacuous += atomic_load(&p.shared->vacuous);
    if (options->marked)
        *options->marked += atomic_load(&p.shared->marked);
    lb_shared_give_back(p.shared, p.shared_bytes);
    free(p.processes);
    free(p.timed_out);
    free(p.spent);
    free(p.deaths);
    free(p.death_place);
    return p.failed                       ? LB_POOL_FAILED
           : options->jobs && interrupted ? LB_POOL_INTERRUPTED
                                          : LB_POOL_DONE;
}
