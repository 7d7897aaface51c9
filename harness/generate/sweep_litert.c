/* Domains of LiteRT's functions of one operand, and of its softmax over rows of two, as the set has
 * them (domains.h). */
#include "harness/generate/sweep_block.h"
#include "reference/litert/domains.h"

/* ---- How inputs are laid out ---- */

static void fill_rows(lb_sweep_call *call, int32_t *data, uint32_t rows, uint32_t columns)
{
    const uint32_t shape[] = {rows, columns};
    lb_sweep_put(call, LB_ROLE_IN, 2, shape, data);
    lb_sweep_put(call, LB_ROLE_OUT, 2, shape, NULL);
}

static void fill_twos(lb_sweep_call *call)
{
    fill_rows(call, call->inputs->rows_8, LB_SWEEP_PAIRS, 2);
}

static void fill_long_rows(lb_sweep_call *call)
{
    fill_rows(call, call->inputs->rows_8, LB_SWEEP_8, 2 * LB_SWEEP_8);
}

static void fill_twos_16(lb_sweep_call *call)
{
    fill_rows(call, call->inputs->rows_16, LB_SWEEP_16, 2);
}

/* ---- Blocks ---- */

/* clang-format off */
#define fill_all lb_sweep_fill_all
#define BLOCK(label_, inputs_, laid, words_, ...) \
    {.label = label_, .words = words_, .inputs = LB_SWEEP_##inputs_, .fill = fill_##laid, .axes = {__VA_ARGS__}},
#define BLOCKS(name, kind, in, out, ...) static const lb_sweep_block blocks_of_##name[] = {__VA_ARGS__ {.fill = NULL}};
#define ROW(name, kind, in, out, ...) \
    {blocks_of_##name, LB_PATTERN_LITERT, .in_type = TYPE_##in, .out_type = TYPE_##out, .config_kind = LB_CONFIG_LITERT_##kind},

enum { TYPE_NONE = 0, TYPE_S8 = LB_S8, TYPE_S16 = LB_S16 };

LB_LITE_DOMAINS(BLOCKS, BLOCK, LB_TWO, LB_THREE, LB_LIST, LB_RANGE)

const lb_sweep_row lb_sweep_litert[] = {LB_LITE_DOMAINS(ROW, BLOCK, LB_TWO, LB_THREE, LB_LIST, LB_RANGE) {.blocks = NULL}};
/* clang-format on */
