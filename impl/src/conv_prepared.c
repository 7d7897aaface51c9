/* Weights of a convolution packed once, in memory of the caller: a header that tells what they are
 * for, then the blocks of channels, each with its sums of weights behind it. */
#include "conv_prepared.h"

#include <string.h>

#include "check.h"
#include "mli_lastbit.h"

/* What packing looks at. */
struct lb_mli_prepared {
    const struct lb_mli_loops *loops;
    enum lb_mli_conv_kind kind;
    bool near;          /* taps of a row are neighbours */
    int64_t rows, cols; /* taps */
    size_t depth, channels;
    const void *weights;
    ptrdiff_t w_row, w_col, w_depth;
    bool bytes; /* packed as such */
    uint64_t digest;
};

enum {
    HEADER_BYTES = (sizeof(struct lb_mli_prepared) + LB_MLI_PANEL_LINE - 1) / LB_MLI_PANEL_LINE *
                   LB_MLI_PANEL_LINE
};

static void *aligned(const void *memory)
{
    const uintptr_t at = (uintptr_t)memory;
    return (void *)((at + LB_MLI_PANEL_LINE - 1) / LB_MLI_PANEL_LINE * LB_MLI_PANEL_LINE);
}

static size_t block_bytes(const struct lb_mli_panel_layout *l)
{
    const size_t weights = (l->weight_bytes + LB_MLI_PANEL_LINE - 1) / LB_MLI_PANEL_LINE;
    return weights * LB_MLI_PANEL_LINE + LB_MLI_BLOCK * sizeof(int32_t);
}

bool lb_mli_prepared_bytes(const struct lb_mli_prepared *prepared)
{
    return prepared->bytes;
}

struct lb_mli_packed lb_mli_prepared_block(const struct lb_mli_prepared *prepared,
                                           const struct lb_mli_panel_layout *l, size_t index)
{
    const char *const block = (const char *)prepared + HEADER_BYTES + index * block_bytes(l);
    const char *const behind = block + block_bytes(l) - LB_MLI_BLOCK * sizeof(int32_t);
    return (struct lb_mli_packed){block, (const int32_t *)(const void *)behind};
}

#ifdef NDEBUG
static uint64_t digest_of(const struct lb_mli_conv *conv)
{
    (void)conv;
    return 0;
}
#else
/* FNV-1a of all weights. */
static uint64_t digest_of(const struct lb_mli_conv *conv)
{
    const size_t size = lb_mli_conv_w_size(conv->plan->kind);
    uint64_t digest = UINT64_C(0xCBF29CE484222325);
    for (int64_t i = 0; i < conv->rows.taps; i++) {
        for (int64_t j = 0; j < conv->cols.taps; j++) {
            for (size_t k = 0; k < conv->depth; k++) {
                const ptrdiff_t at = (ptrdiff_t)i * conv->w_row + (ptrdiff_t)j * conv->w_col +
                                     (ptrdiff_t)k * conv->w_depth;
                const uint8_t *const bytes = lb_mli_at(conv->weights, at, size);
                for (size_t b = 0; b < conv->channels * size; b++)
                    digest = (digest ^ bytes[b]) * UINT64_C(0x100000001B3);
            }
        }
    }
    return digest;
}
#endif

static struct lb_mli_prepared header_of(const struct lb_mli_conv *conv)
{
    return (struct lb_mli_prepared){.loops = conv->plan->loops,
                                    .kind = conv->plan->kind,
                                    .near = conv->cols.dilation == 1,
                                    .rows = conv->rows.taps,
                                    .cols = conv->cols.taps,
                                    .depth = conv->depth,
                                    .channels = conv->channels,
                                    .weights = conv->weights,
                                    .w_row = conv->w_row,
                                    .w_col = conv->w_col,
                                    .w_depth = conv->w_depth};
}

const struct lb_mli_prepared *lb_mli_prepared_for(const struct lb_mli_conv *conv,
                                                  const void *memory)
{
    if (!memory)
        return NULL;
    const struct lb_mli_prepared *const p = aligned(memory), wanted = header_of(conv);
    const bool same = p->loops == wanted.loops && p->kind == wanted.kind &&
                      p->near == wanted.near && p->rows == wanted.rows && p->cols == wanted.cols &&
                      p->depth == wanted.depth && p->channels == wanted.channels &&
                      p->weights == wanted.weights && p->w_row == wanted.w_row &&
                      p->w_col == wanted.w_col && p->w_depth == wanted.w_depth;
    return same ? p : NULL;
}

bool lb_mli_prepared_is_current(const struct lb_mli_conv *conv,
                                const struct lb_mli_prepared *prepared)
{
    return prepared->digest == digest_of(conv);
}

static void prepare(const struct lb_mli_conv *conv, struct lb_mli_panel_layout *l, void *memory)
{
    struct lb_mli_prepared *const p = aligned(memory);
    *p = header_of(conv);
    p->bytes = l->bytes;
    p->digest = digest_of(conv);
    for (size_t first = 0; first < conv->channels; first += l->block) {
        char *const packed = (char *)p + HEADER_BYTES + first / l->block * block_bytes(l);
        char *const behind = packed + block_bytes(l) - LB_MLI_BLOCK * sizeof(int32_t);
        const struct lb_mli_panel_block b = lb_mli_panel_block(conv, l, first, packed, NULL);
        memset(packed, 0, block_bytes(l));
        lb_mli_panel_pack(&b, packed, (int32_t *)(void *)behind);
    }
}

static mli_status check(const mli_tensor *in, const mli_tensor *weights, const mli_conv2d_cfg *cfg,
                        const uint32_t *size)
{
    LB_MLI_REQUIRE(in, MLI_STATUS_BAD_TENSOR);
    LB_MLI_TRY(lb_mli_check_tensor(weights));
    LB_MLI_REQUIRE(weights->rank == 4, MLI_STATUS_SHAPE_MISMATCH);
    LB_MLI_REQUIRE(lb_mli_inner_dense(weights), MLI_STATUS_INCOMPATEBLE_TENSORS);
    LB_MLI_REQUIRE(cfg && cfg->dilation_width > 0, MLI_STATUS_BAD_FUNC_CFG);
    LB_MLI_REQUIRE(size, MLI_STATUS_ARGUMENT_ERROR);
    return MLI_STATUS_OK;
}

mli_status mli_ext_prepare_conv2d(const mli_tensor *in, const mli_tensor *weights,
                                  const mli_conv2d_cfg *cfg, void *memory, uint32_t *size)
{
    struct lb_mli_panel_layout l;
    LB_MLI_TRY(check(in, weights, cfg, size));
    enum lb_mli_conv_kind kind;
    LB_MLI_REQUIRE(lb_mli_conv_kind_of(in, weights, &kind), MLI_STATUS_TYPE_MISMATCH);
    const struct lb_mli_conv_plan plan = {.kind = kind, .loops = lb_mli_loops()};
    const struct lb_mli_conv conv = lb_mli_conv_whole(&plan, in, weights, cfg, in);
    if (LB_MLI_SMALL || !lb_mli_panel_plan(&conv, &l)) {
        *size = 0;
        return MLI_STATUS_NOT_SUPPORTED;
    }
    const uint64_t blocks = (conv.channels + l.block - 1) / l.block;
    const uint64_t bytes = blocks * block_bytes(&l) + HEADER_BYTES + LB_MLI_PANEL_LINE;
    LB_MLI_REQUIRE(bytes <= UINT32_MAX, MLI_STATUS_NOT_SUPPORTED);
    const uint32_t there = *size;
    *size = (uint32_t)bytes;
    if (!memory)
        return MLI_STATUS_OK;
    LB_MLI_REQUIRE(there >= bytes, MLI_STATUS_NOT_ENGH_MEM);
    prepare(&conv, &l, memory);
    return MLI_STATUS_OK;
}
