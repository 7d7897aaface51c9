/* Fields of a look-up table that create_lut writes otherwise, beside those of writing_kinds.c:
 * recurrent.md 3, elementwise.md 6. */
#include "harness/faults/views.h"
#include "harness/faults/writing_fields.h"
#include "reference/core/lut.h"

/* In the order of lb_config_fields(LB_CONFIG_LUT), which is that of the struct. */
enum { TYPE, LENGTH, IN_FRAC_BITS, OUT_FRAC_BITS, INPUT_OFFSET, OUTPUT_OFFSET, FIELDS };

static const lb_config_field *field_of(int number)
{
    return &lb_config_fields(LB_CONFIG_LUT)[number];
}

/* What is right in the table of a function. */
static int32_t right_of(lb_lut_kind kind, int field)
{
    const lb_lut *lut = &lb_luts[kind];
    const int32_t value[FIELDS] = {LB_FX16,           lut->length,
                                   lut->in_frac_bits, lut->out_frac_bits,
                                   lut->input_offset, lut->output_offset};
    return value[field];
}

static const uint32_t other_types[] = {LB_FX8, LB_SA8, LB_SA32};

/* ---- Runs ---- */

/* The field as of another table (other_dim), or another type. */
static bool run_other(lb_fault_run *run)
{
    const int at = run->fault->argument;
    if (!lb_fault_has_result(run))
        return false;
    lb_fault_take_right(run);
    const int32_t value = at == TYPE ? (int32_t)other_types[run->fault->other_dim]
                                     : right_of((lb_lut_kind)run->fault->other_dim, at);
    lb_config_set(&run->out->call.config, field_of(at), 0, value);
    return value != lb_config_get(&run->right->call.config, field_of(at), 0);
}

static bool is_refused(const lb_fault_run *run)
{
    return run->violated && !run->right->call.undefined && run->right->call.status != LB_OK;
}

/* Where there is no room: its type as it was, or all other fields written. */
static bool run_refused(lb_fault_run *run)
{
    if (!is_refused(run))
        return false;
    lb_fault_take_right(run);
    lb_config *config = &run->out->call.config;
    if (run->fault->kind->does.at == TYPE)
        config->lut_type = run->before->call.config.lut_type;
    for (int field = LENGTH; run->fault->kind->does.at != TYPE && field < FIELDS; field++)
        lb_config_set(config, field_of(field), 0,
                      right_of(lb_lut_of(run->test_case->kernel), field));
    return true;
}

static bool run_pointer_moved(lb_fault_run *run)
{
    if (!lb_fault_has_result(run))
        return false;
    lb_fault_take_right(run);
    run->out->tensors[LB_ROLE_OUT][0].data.mem.pi8 +=
        lb_lut_size_bytes(lb_lut_of(run->test_case->kernel));
    return true;
}

/* ---- Places ---- */

static bool fills_table(const lb_kernel *kernel)
{
    return lb_filled_config(kernel) == LB_CONFIG_LUT;
}

LB_OWN_NUMBERS(functions, fills_table(kernel), 0)

#define A_FIELD .dim = {LB_CONFIG_LUT, LB_CONFIG_LUT}, .most = FIELDS - 1

/* One that is 0 is the same with any factor. */
LB_OWN_PLACES(numbers_but_zero,
              fills_table(kernel) && at->argument != TYPE &&
                  right_of(lb_lut_of(kernel), at->argument) != 0,
              A_FIELD)

LB_OWN_PLACES(those_of_others,
              fills_table(kernel) && right_of((lb_lut_kind)at->other_dim, at->argument) !=
                                         right_of(lb_lut_of(kernel), at->argument),
              A_FIELD, .to = {0, LB_LUT_COUNT - 1})

LB_OWN_PLACES(types, fills_table(kernel), .to = {0, sizeof other_types / sizeof *other_types - 1})

/* ---- The table ---- */

#define KIND(name_, words_, look_, prior_, places_, place_, run_)                                  \
    .name = "writing.table." name_, .group = LB_FAULTS_WRITING, .words = words_,                   \
    .look_for = look_, .sections = "recurrent.md 3; elementwise.md 6", .prior = prior_,            \
    .places = places_, .place = place_, .run = run_

/* clang-format off */
const lb_fault_kind lb_fault_table_kinds[] = {
    {KIND("of_other", "writes a field of another table", "lines copied from another create_lut, constants shared by tables", 6, those_of_others, "{field}, that of {to=sigm|tanh|softmax|l2_normalize}", run_other)},
    {KIND("doubled", "writes twice the number into a field of the table", "bytes counted in place of entries", 6, numbers_but_zero, "{field}", lb_write_config), .does.how = LB_DOUBLED},
    {KIND("type", "writes another element type for the table", "the type of the tensors in place of that of the table", 4, types, "{to=fx8|sa8|sa32}", run_other)},
    {KIND("refused.type_kept", "leaves the type of the table as it was where there is no room", "the check of the capacity before everything else", 6, functions, NULL, run_refused), .does.at = TYPE},
    {KIND("refused.filled", "writes the fields of the table where there is no room for it", "the check of the capacity behind the fields", 4, functions, NULL, run_refused), .does.at = LENGTH},
    {KIND("pointer_moved", "leaves the data pointer of the table behind its last entry", "the pointer of the structure used to write with", 3, functions, NULL, run_pointer_moved)},
    {.name = NULL},
};
/* clang-format on */
