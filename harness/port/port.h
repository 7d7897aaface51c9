/* A port: an implementation on trial. The harness gives it calls; it fills the outputs in place. */
#ifndef LB_HARNESS_PORT_PORT_H
#define LB_HARNESS_PORT_PORT_H

#include "reference/describe/kernels.h"
#include "reference/mli/mov_state.h"

typedef struct lb_port lb_port;

/* One call of a sequence of movement calls (pooling_and_movement.md 6). */
typedef enum lb_mov_call {
    LB_MOV_CALL_SET_NUM_DMA_CH,
    LB_MOV_CALL_ACQUIRE_HANDLE,
    LB_MOV_CALL_PREPARE,
    LB_MOV_CALL_REGISTERCALLBACK,
    LB_MOV_CALL_START,
    LB_MOV_CALL_ISDONE,
    LB_MOV_CALL_WAIT,
    LB_MOV_CALL_RELEASE_HANDLE,
    LB_MOV_CALL_TENSOR_SYNC,
    LB_MOV_CALL_COUNT
} lb_mov_call;

const char *lb_mov_call_name(lb_mov_call call); /* "mli_mov_prepare", ... */

enum { LB_MOV_MAX_CALLBACKS = 8 };

typedef struct lb_mov_step {
    lb_mov_call call;
    lb_mov_handle *handle; /* read and written; NULL where the call has none */
    int32_t num_ch, ch_offset, cookie;
    const char *callback; /* for registercallback: a name, each another function; NULL removes */
    const lb_tensor *src;
    lb_tensor *dst;
    const lb_config *config; /* NULL: the configuration pointer is NULL */
    /* results */
    int32_t status;          /* of calls that return one */
    bool done;               /* of isdone */
    bool endless;            /* of wait, told by the model: it does not return */
    lb_unsaid undefined;     /* of a movement, told by the model: the API promises nothing */
    unsigned callback_count; /* callbacks made during the call; more than fit are counted only */
    struct {
        const char *name;
        int32_t cookie;
    } callbacks[LB_MOV_MAX_CALLBACKS];
} lb_mov_step;

/* What a processor can do at best, measured: 10^9 multiply-accumulates a second on registers alone;
 * 10^9 bytes a second loaded from a cache. */
typedef enum lb_peak {
    LB_PEAK_MAC_S8,
    LB_PEAK_MAC_S16,
    LB_PEAK_LOAD_L1,
    LB_PEAK_LOAD_L2,
    LB_PEAK_LOAD_L3,
    LB_PEAK_COUNT
} lb_peak;

struct lb_instance;
struct lb_call_memory;
struct lb_stop;
struct lb_arena;

struct lb_port {
    const char *name;      /* as the user wrote it: "builtin" */
    const char *described; /* one line for reports: implementation, version, compiler, platform */
    /* What it says of its build; "" where it says nothing: processor and system that it was
     * compiled for, compiler and version, options, and its mli_hlp_compile_options_string. */
    const char *target, *compiler, *build_options, *library_options;
    /* What the last says against the profiles that the port declares, as a sentence; "". */
    const char *contradiction;
    /* What keeps it apart from everything else, and what does not, in words; NULL: it runs
     * elsewhere or is linked in. */
    const char *sandbox;
    const char
        *failure; /* set by call and move: what was seen instead of a result; NULL: all is well */
    bool host_failed; /* set with failure: the host ran short of something, the port is not to blame
                       */
    bool out_of_time; /* set with failure: the call took longer than it may */
    const struct lb_stop *stop; /* set with failure: at which buffer a forbidden page stopped it;
                                   NULL: it was not that */
    bool fenced;                /* set by call: the buffers stood between forbidden pages */
    bool unsupported;           /* set by call: the port is not made for such arguments */
    bool whole_block;     /* buffers stand side by side, as the case lays them out, also where each
                             could stand between forbidden pages: what is read beside them is then told
                             by what it does to results */
    uint64_t seed;        /* of what stands in memory that no call may touch */
    unsigned calls_again; /* so often each call is made again, with its buffers at other places and
                             other bytes around them: what it leaves must be the same. Of ports that
                             run elsewhere */
    bool repeats_calls;   /* it does so */
    bool computes_only;   /* native kernels: no refusals are asked for, and outputs come with the
                             format they must have */
    bool aligned_only;    /* its buffers must begin on boundaries of 64 bytes */
    bool
        formats_given; /* fields of outputs are not the port's to tell: they come as they must be */
    unsigned most_jobs;  /* processes that can use it at the same time; 0: any number */
    double seconds_left; /* a call may take no longer than this; 0: as long as the port lets it.
                            Kept by ports that watch time */
    bool watches_time; /* it stops a call that takes too long by itself, and says so in `failure` */
    unsigned profiles; /* bit i: it computes in the numerics lb_profile_number i; 0: in all, or in
                          none that is told */
    bool keeps_library; /* it cannot be started anew, so that a library is never as it was loaded */
    /* Does the port have this function? false: its cases are skipped, "not provided". */
    bool (*provides)(const lb_port *port, const lb_kernel *kernel);
    /* Why a case of this memory cannot be tried in this profile, from the arena; NULL: it can. NULL
     * as a function: all can. */
    const char *(*cannot_run)(const lb_port *port, const lb_profile *profile,
                              const struct lb_call_memory *memory, struct lb_arena *arena);
    /* Said before the calls of a case: their tensors point into this instance, and their time
     * starts. May be NULL. */
    void (*begin)(lb_port *port, const struct lb_instance *instance);
    /* Runs the call in the profile's numerics. Tensors keep their pointers; fields that the
     * function wrote are written back. */
    void (*call)(lb_port *port, const lb_profile *profile, lb_call *call);
    /* Makes one movement call; NULL: the port has no asynchronous movement. */
    void (*move)(lb_port *port, const lb_profile *profile, lb_mov_step *step);
    /* Ends the port's process, so that what it was called with leaves no trace: the next case meets
     * a new one. NULL: it cannot. */
    void (*forget)(lb_port *port);
    void (*close)(lb_port *port);
    /* CPU levels: instruction sets that the port can be held to. The name of each that this machine
     * has, the best last; NULL behind them. The function is NULL where the port has no levels or
     * does not tell. */
    const char *(*level)(const lb_port *port, size_t index);
    /* Makes all later calls at a level that level() names; false: it cannot. NULL as level() is. */
    bool (*set_level)(lb_port *port, const char *level);
    /* The best that the machine does with a level's instructions (a name from level()), measured
     * now, or 0 if nobody knows; NULL: no measure. */
    double (*peak)(lb_port *port, const char *level, lb_peak what);
};

/* Our own implementation, linked in (the one file of the harness that includes impl/). */
lb_port *lb_port_builtin(void);

#endif
