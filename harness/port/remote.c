/* Ports at the end of a line: see remote.h. */
#include "harness/port/remote.h"
#include "harness/base/clock.h"
#include "harness/base/suggest.h"
#include "harness/base/xalloc.h"
#include "harness/port/call.h"
#include "harness/port/facts.h"
#include "harness/port/open.h"
#include "harness/port/steady.h"
#include "harness/port/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    START_SECONDS = 30,    /* an emulator may take its time */
    MOST_FAILED_STARTS = 3 /* in a row: then it is not tried again */
};

typedef struct remote_port {
    lb_port port;
    char *name;
    lb_link_target target;
    lb_port_facts facts;
    double time_limit_seconds;
    short *function_of_kernel; /* number on the wire, by lb_kernel_number; -1: none */
    lb_port_line line;
    const lb_instance *instance; /* of the case that has begun */
    unsigned char *hangs;        /* by lb_kernel_number, of all processes that try this port: 1: it
                                    did not return once */
    double call_limit_seconds;
    uint64_t left_ns; /* of the time of a call, or of all calls of a sequence */
    unsigned failed_starts;
    lb_steady steady;
    char failure[600];
    char sandbox[2 * LB_LINK_WORDS + 100];
} remote_port;

static uint64_t deadline_in(double seconds)
{
    return lb_awake_ns() + (uint64_t)(seconds * 1e9);
}

/* ---- Who are you? ---- */

/* Opens the line and asks. */
static bool start(remote_port *r, lb_port_facts *facts, char *why, size_t why_bytes)
{
    lb_wire *w = &r->line.wire;
    lb_link_close(&w->link);
    lb_wire_reset(w);
    r->line.shared_is_known = r->line.pages_are_known = false;
    w->may_lose = r->target.kind == LB_LINK_SERIAL;
    if (!lb_link_open(&w->link, &r->target, why, why_bytes))
        return false;
    bool good = lb_port_ask(w, START_SECONDS, facts, why, why_bytes);
    if (!good)
        lb_link_close(&w->link);
    return good;
}

/* ---- Calls ---- */

static void note_failure(remote_port *r, const char *why)
{
    snprintf(r->failure, sizeof r->failure, "%s", why);
    r->port.failure = r->failure;
    r->port.host_failed = r->line.wire.link.host_failed || r->line.host_failed;
    r->port.out_of_time = r->line.wire.out_of_time;
    lb_link_close(&r->line.wire.link);
}

/* Is the line that is open one that this process may use? A line to a device is handed on from
 * process to process; a command is started anew, for two processes must not talk to one. */
static bool is_ours(const remote_port *r)
{
    const lb_link *link = &r->line.wire.link;
    return link->is_open && (link->owner == getpid() || r->port.keeps_library);
}

static bool connect_line(remote_port *r)
{
    char why[400] = "";
    lb_port_facts facts;
    if (is_ours(r))
        return true;
    if (r->failed_starts >= MOST_FAILED_STARTS) {
        r->port.failure = r->failure; /* of the last attempt */
        r->port.host_failed = r->line.wire.link.host_failed;
        return false;
    }
    bool started = start(r, &facts, why, sizeof why);
    if (started && !lb_port_is_another(&r->facts, &facts, why, sizeof why)) {
        r->failed_starts = 0;
        return true;
    }
    r->failed_starts++;
    char text[500];
    snprintf(text, sizeof text, "the port %s%s: %s",
             started ? "was started again and describes itself otherwise" : "could not be started",
             r->failed_starts >= MOST_FAILED_STARTS ? " and is given up" : "", why);
    note_failure(r, text);
    return false;
}

/* So many seconds a call may take. */
static double limit_of(const remote_port *r)
{
    bool is_shorter = r->port.seconds_left > 0 && r->port.seconds_left < r->time_limit_seconds;
    return is_shorter ? r->port.seconds_left : r->time_limit_seconds;
}

/* Of a function that did not return once, further calls are not waited for as long. */
static double limit_for(const remote_port *r, const lb_kernel *kernel)
{
    enum { SHARE = 10 };
    const double limit = limit_of(r), least = limit < 1 ? limit : 1;
    if (!r->hangs[lb_kernel_number(kernel)])
        return limit;
    return limit / SHARE > least ? limit / SHARE : least;
}

/* Said where the time was short for that reason. */
static void note_hang(remote_port *r, const lb_kernel *kernel)
{
    const size_t length = strlen(r->failure);
    if (!r->port.failure || !r->port.out_of_time)
        return;
    if (r->hangs[lb_kernel_number(kernel)] && r->call_limit_seconds < limit_of(r))
        snprintf(r->failure + length, sizeof r->failure - length,
                 "; the function did not return before, so that the limit of %g s is lower now",
                 limit_of(r));
    r->hangs[lb_kernel_number(kernel)] = 1;
}

static void remote_begin(lb_port *port, const lb_instance *instance)
{
    remote_port *r = (remote_port *)port;
    r->instance = instance;
    port->failure = NULL;
    connect_line(r);
    r->call_limit_seconds = limit_of(r);
    r->left_ns = (uint64_t)(r->call_limit_seconds * 1e9);
}

static void perform(remote_port *r, lb_port_request *request)
{
    r->port.failure = NULL;
    r->port.stop = NULL;
    r->port.fenced = false;
    if (!connect_line(r))
        return;
    /* Under AddressSanitizer the guard zones are forbidden to calls in this process; here they are
     * sent and read. */
    if (request->instance)
        lb_instance_guard(request->instance, false);
    r->line.big_endian = r->facts.big_endian;
    r->line.memory_bytes = r->facts.memory_bytes;
    r->line.ends_guarded = r->target.kind == LB_LINK_LIBRARY;
    r->line.seed = r->port.seed;
    r->line.turns = r->port.calls_again;
    r->line.aligned = r->facts.aligned;
    r->line.whole_block = r->port.whole_block;
    const uint64_t begun_ns = lb_awake_ns();
    r->line.wire.out_of_time = false;
    r->line.deadline_ns = begun_ns + r->left_ns;
    r->line.limit_seconds = r->call_limit_seconds;
    if (!lb_port_perform(&r->line, request))
        note_failure(r, r->line.wire.failure);
    r->port.fenced = r->line.fenced;
    r->port.stop = r->port.failure && r->line.stop.touch != LB_TOUCH_NONE ? &r->line.stop : NULL;
    const uint64_t spent_ns = lb_awake_ns() - begun_ns;
    r->left_ns -= spent_ns < r->left_ns ? spent_ns : r->left_ns;
}

/* ---- A native port that asks for a key that no function has ---- */

static const char *field_at(const void *set, size_t index)
{
    return ((const lb_config_field *)set)[index].name;
}

/* A verdict of this case alone: the line stays open. */
static void note_no_such_key(remote_port *r, const lb_kernel *kernel)
{
    char key[LB_PORT_TEXT_BYTES], near[300] = "";
    const lb_config_field *fields = lb_config_fields(kernel->config_kind);
    lb_port_ask_key(&r->line.wire, r->time_limit_seconds, key);
    if (fields && fields->name)
        lb_suggest_text(key, field_at, fields, near, sizeof near);
    snprintf(r->failure, sizeof r->failure,
             "the port asks lb_native_number for \"%.64s\", and no function has such a key: %s",
             key, near[0] ? near : "this function has none");
    r->port.failure = r->failure;
    r->port.host_failed = false;
    r->port.out_of_time = false;
}

/* ---- Calls that are made again ---- */

static void note_unsteady(remote_port *r, const char *what)
{
    snprintf(r->failure, sizeof r->failure,
             "not the same when the call is made again (time %u of %u), with its buffers elsewhere "
             "and other bytes around them: %s",
             r->line.turn, r->port.calls_again, what);
    r->port.failure = r->failure;
}

static void make_again(remote_port *r, const lb_port_request *request)
{
    char text[300];
    const char *id = request->instance->memory->test_case->id;
    for (r->line.turn = 1; r->line.turn <= r->port.calls_again && !r->port.failure;
         r->line.turn++) {
        lb_port_request again = *request;
        lb_steady_prepare(&r->steady, &again, lb_guard_fill(r->port.seed + r->line.turn, id));
        r->left_ns = (uint64_t)(r->call_limit_seconds * 1e9);
        perform(r, &again);
        if (r->port.failure) {
            snprintf(text, sizeof text, "%.290s", r->port.failure);
            note_unsteady(r, text);
        } else if (!lb_steady_is_same(&r->steady, &again, text, sizeof text)) {
            note_unsteady(r, text);
        }
    }
    r->line.turn = 0;
}

static void perform_steadily(remote_port *r, lb_port_request *request)
{
    const lb_port_request asked = *request;
    const bool again = r->port.calls_again > 0 && request->instance;
    if (again)
        lb_steady_begin(&r->steady, request);
    perform(r, request);
    if (!again || r->port.failure)
        return;
    lb_steady_keep(&r->steady, request);
    make_again(r, &asked);
    lb_steady_end(&r->steady, request);
}

/* Of a kernel that computes and has no status for cases to expect. */
static void note_refusal(remote_port *r, const lb_kernel *kernel, uint32_t status)
{
    if (r->port.failure || r->port.unsupported || !r->facts.computes_only ||
        kernel->returns_status || !(status & LB_WIRE_FOREIGN_STATUS))
        return;
    snprintf(r->failure, sizeof r->failure, "it refuses the call with the status %d",
             (int)(int32_t)(status >> 31 ? status : status & ~LB_WIRE_FOREIGN_STATUS));
    r->port.failure = r->failure;
    r->port.host_failed = r->port.out_of_time = false;
}

static void remote_call(lb_port *port, const lb_profile *profile, lb_call *call)
{
    remote_port *r = (remote_port *)port;
    bool has_memory = r->instance && call == &r->instance->call;
    for (int role = 0; role < LB_ROLE_COUNT && !has_memory; role++)
        if (call->tensor[role]) {
            port->failure = "a call with tensors that belong to no case cannot be sent to a port "
                            "that runs elsewhere";
            return;
        }
    lb_port_request request = {
        .function = (unsigned)r->function_of_kernel[lb_kernel_number(call->kernel)],
        .profile = (unsigned)lb_kernel_asked(call->kernel, profile),
        .instance = has_memory ? (lb_instance *)(uintptr_t)r->instance : NULL};
    lb_request_from_call(&request, call);
    r->call_limit_seconds = limit_for(r, call->kernel);
    r->left_ns = (uint64_t)(r->call_limit_seconds * 1e9); /* each call of a chain has its own */
    perform_steadily(r, &request);
    note_hang(r, call->kernel);
    if (!port->failure && r->facts.computes_only &&
        request.result[LB_WIRE_R_STATUS] == LB_WIRE_MISNAMED)
        note_no_such_key(r, call->kernel);
    port->unsupported = !port->failure && r->facts.computes_only &&
                        request.result[LB_WIRE_R_STATUS] == LB_WIRE_DECLINED;
    if (!port->failure && !port->unsupported)
        lb_request_to_call(&request, call);
    note_refusal(r, call->kernel, request.result[LB_WIRE_R_STATUS]);
    if (request.instance && lb_filled_config(call->kernel) == LB_CONFIG_NONE) {
        request.instance->table_found = request.config_out[LB_WIRE_TABLE];
        memcpy(request.instance->config_changed, request.config_out + LB_WIRE_CHANGED,
               sizeof request.instance->config_changed);
    }
}

static void remote_move(lb_port *port, const lb_profile *profile, lb_mov_step *step)
{
    remote_port *r = (remote_port *)port;
    lb_port_request request = {.function = (unsigned)lb_wire_function(lb_mov_call_name(step->call)),
                               .profile = (unsigned)(lb_profile_asked(profile) % LB_PROFILE_COUNT),
                               .instance = (lb_instance *)(uintptr_t)r->instance};
    lb_request_from_step(&request, step);
    perform(r, &request);
    if (!port->failure)
        lb_request_to_step(&request, step);
}

/* ---- The port ---- */

static bool remote_provides(const lb_port *port, const lb_kernel *kernel)
{
    const remote_port *r = (const remote_port *)port;
    return lb_port_facts_have(&r->facts, r->function_of_kernel[lb_kernel_number(kernel)]);
}

/* For one case; where buffers may stand in slots, what is behind those. */
static size_t room_of(const remote_port *r)
{
    const bool is_library = r->target.kind == LB_LINK_LIBRARY;
    const size_t all = r->facts.memory_bytes,
                 slots = lb_pages_end(is_library ? LB_PAGES_CLASSES : lb_pages_classes_in(all));
    return all > slots ? all - slots : all;
}

static const char *remote_unfit(const lb_port *port, const lb_profile *profile,
                                const lb_call_memory *memory, lb_arena *arena)
{
    const lb_port_facts *f = &((const remote_port *)port)->facts;
    const lb_kernel_set *set = lb_kernel_sets[profile->set];
    const int asked = lb_profile_asked(profile);
    const bool asks_avepool16 = profile->set == LB_SET_MLI && asked >= LB_PROFILE_COUNT;
    if (!(f->profiles >> (asks_avepool16 ? asked - LB_PROFILE_COUNT : asked) & 1)) {
        const char *list = "";
        for (unsigned i = 0; i < set->profile_count; i++)
            if (f->profiles >> lb_profile_number(&set->profiles[i]) & 1)
                list = lb_arena_printf(arena, "%s%s%s", list, *list ? ", " : "",
                                       set->profiles[i].name);
        return lb_arena_printf(arena, "the port is built for %s", *list ? list : "no profile");
    }
    const lb_kernel *kernel = memory->test_case->kernel;
    if (kernel && lb_kernel_has_avepool16(kernel) &&
        (asks_avepool16 ? !f->avepool16 : f->only_avepool16))
        return asks_avepool16 ? "the port does not have avepool_multiplier_bits 16"
                              : "the port is built for avepool_multiplier_bits 16";
    const size_t room = room_of((const remote_port *)port);
    if (memory->block_bytes > room)
        return lb_arena_printf(arena, "the case takes %zu bytes of memory, and the port has %zu",
                               memory->block_bytes, room);
    if (port->keeps_library && lb_case_has_tag(memory->test_case, "fresh_library"))
        return "the case needs a library that has just been loaded, and this port cannot be "
               "started anew";
    return NULL;
}

static void remote_forget(lb_port *port)
{
    lb_link_close(&((remote_port *)port)->line.wire.link);
}

static void remote_close(lb_port *port)
{
    remote_port *r = (remote_port *)port;
    lb_link_close(&r->line.wire.link);
    lb_port_line_free(&r->line);
    lb_steady_free(&r->steady);
    free(r->function_of_kernel);
    free(r->name);
    lb_shared_give_back(r->hangs, lb_kernel_total());
    free(r);
}

const lb_port_facts *lb_port_remote_facts(const lb_port *port)
{
    return port->close == remote_close ? &((const remote_port *)port)->facts : NULL;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool ask_again(remote_port *r)
{
    lb_answer answer;
    lb_wire *w = &r->line.wire;
    lb_wire_put32(lb_wire_payload(w), LB_WIRE_VERSION);
    return lb_wire_exchange(w, LB_WIRE_HELLO, 4, deadline_in(START_SECONDS), START_SECONDS,
                            &answer);
}

bool lb_port_remote_times(lb_port *port, lb_port_times *times)
{
    enum { ATTEMPTS = 7 };
    remote_port *r = (remote_port *)port;
    double restarts[ATTEMPTS], round_trips[ATTEMPTS];
    for (int i = 0; i < ATTEMPTS; i++) {
        char why[400] = "";
        lb_port_facts facts;
        uint64_t begun = lb_now_ns(), asked;
        bool good = start(r, &facts, why, sizeof why);
        asked = lb_now_ns();
        good = good && ask_again(r);
        round_trips[i] = (double)(lb_now_ns() - asked) * 1e-9;
        uint64_t closing = lb_now_ns();
        lb_link_close(&r->line.wire.link);
        restarts[i] = (double)(asked - begun + lb_now_ns() - closing) * 1e-9;
        if (!good) {
            fprintf(stderr, "lastbit: --port %s: %s\n", r->name, *why ? why : r->line.wire.failure);
            return false;
        }
    }
    qsort(restarts, ATTEMPTS, sizeof restarts[0], compare_doubles);
    qsort(round_trips, ATTEMPTS, sizeof round_trips[0], compare_doubles);
    *times = (lb_port_times){restarts[ATTEMPTS / 2], round_trips[ATTEMPTS / 2]};
    return true;
}

static bool has_movement(const lb_port_facts *facts)
{
    for (int i = 0; i < LB_MOV_CALL_COUNT; i++)
        if (!lb_port_facts_have(facts, lb_wire_function(lb_mov_call_name((lb_mov_call)i))))
            return false;
    return true;
}

static void make_tables(remote_port *r, const char *name, double time_limit_seconds)
{
    bool is_device = r->target.kind == LB_LINK_TCP || r->target.kind == LB_LINK_SERIAL;
    r->name = lb_text_copy(name);
    r->function_of_kernel = lb_zeroed(lb_kernel_total(), sizeof *r->function_of_kernel);
    for (size_t i = 0; i < lb_kernel_total(); i++)
        r->function_of_kernel[i] = (short)lb_wire_function(lb_kernel_at(i)->name);
    r->time_limit_seconds = time_limit_seconds;
    r->hangs = lb_zeroed_shared(lb_kernel_total());
    r->port = (lb_port){.name = r->name,
                        .described = r->facts.description,
                        .target = r->facts.texts[LB_WIRE_TARGET],
                        .compiler = r->facts.texts[LB_WIRE_COMPILER],
                        .build_options = r->facts.texts[LB_WIRE_OPTIONS],
                        .library_options = r->facts.texts[LB_WIRE_LIBRARY_OPTIONS],
                        .contradiction = r->facts.contradiction,
                        .most_jobs = is_device ? 1 : 0,
                        .watches_time = true,
                        .repeats_calls = true,
                        .keeps_library = is_device,
                        .provides = remote_provides,
                        .cannot_run = remote_unfit,
                        .begin = remote_begin,
                        .call = remote_call,
                        .forget = is_device ? NULL : remote_forget,
                        .close = remote_close};
}

/* In words, for whoever reads a report. */
static void describe_sandbox(remote_port *r)
{
    char by[LB_LINK_WORDS], open[LB_LINK_WORDS];
    lb_link_kept_apart(&r->line.wire.link, by, open);
    if (r->target.kind == LB_LINK_COMMAND)
        snprintf(r->sandbox, sizeof r->sandbox,
                 "a process of its own; it may do what its user may");
    else if (r->target.kind == LB_LINK_LIBRARY && lb_link_sandbox == LB_SANDBOX_OFF)
        snprintf(r->sandbox, sizeof r->sandbox, "a process of its own alone: --sandbox off");
    else if (r->target.kind == LB_LINK_LIBRARY)
        snprintf(r->sandbox, sizeof r->sandbox, "a process of its own%s%s%s%s", *by ? ", " : "", by,
                 *open ? "; not permitted here: " : "", open);
    r->port.sandbox = r->sandbox[0] ? r->sandbox : NULL;
}

lb_port *lb_port_remote(const char *name, double time_limit_seconds)
{
    char why[400] = "";
    remote_port *r = lb_zeroed(1, sizeof *r);
    lb_port_open_status = 2;
    if (!lb_link_parse(name, &r->target))
        return free(r), NULL;
    make_tables(r, name, time_limit_seconds);
    if (!start(r, &r->facts, why, sizeof why)) {
        fprintf(stderr, "lastbit: --port %s: %s\n", name, why);
        lb_port_open_status = r->line.wire.link.host_failed ? 3 : 2;
        remote_close(&r->port);
        return NULL;
    }
    describe_sandbox(r);
    lb_link_close(&r->line.wire.link);
    r->port.computes_only = r->facts.computes_only;
    r->port.aligned_only = r->facts.aligned;
    r->port.profiles = r->facts.profiles;
    r->port.move = has_movement(&r->facts) ? remote_move : NULL;
    return &r->port;
}
