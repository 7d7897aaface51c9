/* Made-up cases: which pattern is made by whom, and the faults that some of them get. See
 * random_case.h. */
#include "harness/coverage/class.h"
#include "harness/coverage/defined.h"
#include "harness/generate/case_change.h"
#include "harness/port/provided.h"

#include <string.h>

static void (*const makers[LB_PATTERN_COUNT])(lb_build *b) = {
    [LB_PATTERN_CONVOLUTION] = lb_random_weighted,
    [LB_PATTERN_DENSE] = lb_random_weighted,
    [LB_PATTERN_DENSE_LISTS] = lb_random_rnn_dense,
    [LB_PATTERN_CELL] = lb_random_cell,
    [LB_PATTERN_POOL] = lb_random_pool,
    [LB_PATTERN_TABLE] = lb_random_table,
    [LB_PATTERN_HELPER] = lb_random_helper,
    [LB_PATTERN_MOVEMENT] = lb_random_movement,
    [LB_PATTERN_CODES] = lb_random_float4,
    [LB_PATTERN_LITERT] = lb_random_litert,
};

/* Families that allow the output in the memory of an input, element on element. */
static const lb_family_set in_place =
    LB_LIKE_INPUT | LB_OF_PATTERN(PAIR) | LB_OF_PATTERN(CONVERSION);

/* Out in the memory of its input. */
static void share_memory(lb_build *b)
{
    lb_case_operand *out = &b->c->operand[LB_ROLE_OUT];
    lb_role role = b->c->operand[LB_ROLE_IN].present ? LB_ROLE_IN
                   : lb_build_once_in(b, 2)          ? LB_ROLE_IN1
                                                     : LB_ROLE_IN2;
    const lb_case_operand *in = &b->c->operand[role];
    if (!in->present || !out->present || in->tensors[0].rank != out->tensors[0].rank ||
        in->tensors[0].rank == 0)
        return;
    if (!lb_cover_in(b->c->kernel, in_place))
        return;
    lb_case_tensor *t = out->tensors;
    t->has_data_in = true;
    t->data_in = (lb_tensor_ref){.role = role};
    t->has_mem_stride = in->tensors[0].has_mem_stride;
    memcpy(t->mem_stride, in->tensors[0].mem_stride, sizeof t->mem_stride);
}

static void name_case(lb_build *b, const lb_kernel *kernel, uint64_t index)
{
    b->c->kernel = kernel;
    b->c->function = lb_arena_strdup(b->arena, kernel->name);
    b->c->id = lb_arena_printf(b->arena, "%s.seed%llu.%llu", lb_kernel_short_name(kernel),
                               (unsigned long long)b->options->seed, (unsigned long long)index);
}

/* What a sequence moves is that of a movement. */
static void make_sequence(lb_build *b, const lb_kernel *kernel)
{
    b->c->kernel = lb_kernel_find("mli_mov_tensor_sync");
    lb_random_movement(b);
    bool defined = lb_cover_is_defined(b->c);
    lb_random_sequence(b, kernel->name);
    if (!defined) /* made anew */
        b->c->kernel = lb_kernel_find("mli_mov_tensor_sync");
}

static void make_once(lb_build *b, const lb_kernel *kernel, bool may_spoil)
{
    unsigned faults = b->options->fault_one_in;
    const lb_pattern pattern = lb_pattern_of(kernel);
    (makers[pattern] ? makers[pattern] : lb_random_plain)(b);
    if (lb_build_once_in(b, 6))
        share_memory(b);
    if (!may_spoil || faults == 0 || !lb_build_once_in(b, faults) ||
        kernel->set != LB_SET_MLI) /* nothing of LiteRT's is refused: it is undefined */
        return;
    lb_case_break(b);
    if (lb_build_once_in(b, 3)) /* which of two is told */
        lb_case_break(b);
}

/* What the specification leaves undefined proves nothing: another one is made. */
enum { ATTEMPTS = 40 };

bool lb_random_case(const lb_kernel *kernel, const lb_random_options *options, uint64_t index,
                    lb_arena *arena, lb_case *c)
{
    if (!lb_function_is_tried(kernel))
        return false;
    for (uint64_t attempt = 0; attempt < ATTEMPTS; attempt++) {
        memset(c, 0, sizeof *c);
        lb_build b = {.random = lb_random_start(options->seed ^ attempt << 40, index),
                      .arena = arena,
                      .c = c,
                      .options = options};
        name_case(&b, kernel, index);
        if (lb_function_moves(kernel)) {
            make_sequence(&b, kernel);
            if (!c->kernel)
                return true;
            continue;
        }
        make_once(&b, kernel, attempt < ATTEMPTS / 2);
        if (lb_cover_is_defined(c))
            return true;
    }
    return false;
}
