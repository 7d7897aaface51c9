/* mli_mov_tensor_sync and the configuration helpers (pooling_and_movement.md 4, 5): random
 * configurations against the definition at every level of inner loops, fields of dst, parameters
 * per axis, statuses in order, and what the original leaves undefined. */
#include "levels.h"
#include "support.h"

static const mli_element_type types[] = {MLI_EL_SA_8, MLI_EL_FX_8, MLI_EL_FX_16, MLI_EL_SA_32,
                                         MLI_EL_FP_32};

enum { BYTES = 1 << 18 };
static uint8_t src_bytes[BYTES], dst_bytes[BYTES], want_bytes[BYTES];

static mli_mov_cfg_t neutral(void)
{
    mli_mov_cfg_t cfg;
    memset(&cfg, 0xA5, sizeof cfg);
    assert_int_equal(mli_mov_cfg_for_copy(&cfg), MLI_STATUS_OK);
    return cfg;
}

/* dst's fields after the call (4.1 step 5); its parameters are left alone. */
static mli_tensor model_fields(const mli_tensor *src, const mli_mov_cfg_t *cfg,
                               const mli_tensor *dst, int64_t *count)
{
    mli_tensor t = *dst;
    t.rank = src->rank;
    t.el_type = src->el_type;
    for (uint32_t i = 0; i < MLI_MAX_RANK; i++) {
        if (i >= src->rank) {
            t.shape[i] = 1, t.mem_stride[i] = 0;
            continue;
        }
        const uint8_t p = cfg->perm_dim[i];
        const int64_t length = cfg->size[p] ? (int64_t)cfg->size[p]
                                            : (int64_t)src->shape[p] - cfg->offset[p] +
                                                  cfg->padding_pre[p] + cfg->padding_post[p];
        count[i] = (length + cfg->sub_sample_step[p] - 1) / cfg->sub_sample_step[p];
        t.shape[i] = (uint32_t)(count[i] + cfg->dst_offset[i]);
    }
    for (uint32_t i = src->rank; i-- > 0;) {
        if (cfg->dst_mem_stride[i])
            t.mem_stride[i] = cfg->dst_mem_stride[i];
        else if (!dst->mem_stride[i])
            t.mem_stride[i] =
                i == src->rank - 1 ? 1 : t.mem_stride[i + 1] * (int32_t)t.shape[i + 1];
    }
    return t;
}

/* Whole copy (4.2): all of src, whatever the offsets. */
static int is_whole(const mli_tensor *src, const mli_mov_cfg_t *cfg, const mli_tensor *out)
{
    int32_t packed = 1;
    for (uint32_t i = src->rank; i-- > 0;) {
        if (src->mem_stride[i] != packed || out->mem_stride[i] != packed ||
            out->shape[i] != src->shape[i] || cfg->perm_dim[i] != i ||
            cfg->sub_sample_step[i] != 1 || cfg->padding_pre[i] || cfg->padding_post[i])
            return 0;
        packed *= (int32_t)src->shape[i];
    }
    return 1;
}

/* want_bytes: 0x5A but for the elements of the block. */
static void model_data(const mli_tensor *src, const mli_mov_cfg_t *cfg, const mli_tensor *out,
                       const int64_t *count)
{
    const size_t size = bytes_of(src->el_type);
    memset(want_bytes, 0x5A, sizeof want_bytes);
    if (is_whole(src, cfg, out)) {
        memcpy(want_bytes, src_bytes, src->data.capacity);
        return;
    }
    int64_t i[MLI_MAX_RANK] = {0};
    uint32_t k;
    for (k = 0; k < src->rank; k++)
        if (count[k] == 0)
            return;
    do {
        int64_t from = 0, to = 0;
        int inside = 1;
        for (k = 0; k < src->rank; k++) {
            const uint8_t p = cfg->perm_dim[k];
            const int64_t at =
                i[k] * cfg->sub_sample_step[p] + cfg->offset[p] - cfg->padding_pre[p];
            inside &= at >= 0 && at < src->shape[p];
            from += at * src->mem_stride[p];
            to += (i[k] + cfg->dst_offset[k]) * out->mem_stride[k];
        }
        if (inside)
            memcpy(want_bytes + (size_t)to * size, src_bytes + (size_t)from * size, size);
        else
            memset(want_bytes + (size_t)to * size, 0, size);
        for (k = src->rank; k-- > 0;) {
            if (++i[k] < count[k])
                break;
            i[k] = 0;
        }
    } while (k < src->rank);
}

/* Runs a defined call at every level and compares all memory and all fields. */
static void check(const mli_tensor *src, const mli_mov_cfg_t *cfg, const mli_tensor *dst)
{
    int64_t count[MLI_MAX_RANK] = {0};
    mli_tensor want = model_fields(src, cfg, dst, count);
    want.el_params = src->el_params;
    model_data(src, cfg, &want, count);
    for (size_t level = 0; level < COUNT(levels); level++) {
        if (mli_ext_set_cpu(levels[level]) != MLI_STATUS_OK)
            continue;
        mli_tensor out = *dst;
        memset(dst_bytes, 0x5A, sizeof dst_bytes);
        assert_int_equal(mli_mov_tensor_sync(src, cfg, &out), MLI_STATUS_OK);
        assert_memory_equal(&out, &want, sizeof out);
        if (memcmp(dst_bytes, want_bytes, sizeof dst_bytes) != 0) {
            fail_msg("%s, type %#x rank %u shape %u %u %u %u perm %d %d %d %d offset %u %u %u %u "
                     "size %u %u %u %u step "
                     "%u %u %u %u pre %d %d %d %d",
                     levels[level], (unsigned)src->el_type, src->rank, src->shape[0], src->shape[1],
                     src->shape[2], src->shape[3], cfg->perm_dim[0], cfg->perm_dim[1],
                     cfg->perm_dim[2], cfg->perm_dim[3], cfg->offset[0], cfg->offset[1],
                     cfg->offset[2], cfg->offset[3], cfg->size[0], cfg->size[1], cfg->size[2],
                     cfg->size[3], cfg->sub_sample_step[0], cfg->sub_sample_step[1],
                     cfg->sub_sample_step[2], cfg->sub_sample_step[3], cfg->padding_pre[0],
                     cfg->padding_pre[1], cfg->padding_pre[2], cfg->padding_pre[3]);
        }
    }
}

static void random_order(uint32_t rank, uint8_t *perm)
{
    for (uint32_t k = rank; k-- > 1;) {
        const int other = random_in(0, (int)k);
        const uint8_t swap = perm[k];
        perm[k] = perm[other];
        perm[other] = swap;
    }
}

static mli_tensor random_source(int k)
{
    uint32_t shape[MLI_MAX_RANK];
    int32_t stride[MLI_MAX_RANK], next = 1;
    const uint32_t rank = (uint32_t)random_in(1, 4);
    const int gaps = random_in(0, 2) == 0;
    for (uint32_t d = rank; d-- > 0;) {
        shape[d] = (uint32_t)random_in(1, rank == 1 ? 100 : rank == 2 ? 40 : rank == 3 ? 17 : 7);
        stride[d] = next + (gaps ? random_in(0, 2) : 0);
        next = stride[d] * (int32_t)shape[d];
    }
    mli_tensor src = tensor(types[k % 5], src_bytes, rank, shape, stride);
    src.el_params.sa.dim = -1;
    if (src.el_type == MLI_EL_SA_8 || src.el_type == MLI_EL_SA_32)
        src = with_scale(src, 100 + k, 3, -4);
    return src;
}

static void test_random(void **state)
{
    (void)state;
    random_bytes(src_bytes, sizeof src_bytes);
    for (int k = 0; k < 6000; k++) {
        const mli_tensor src = random_source(k);
        mli_mov_cfg_t cfg = neutral();
        mli_tensor dst;
        memset(&dst, 0, sizeof dst);
        const int pads = random_in(0, 1);
        if (random_in(0, 1))
            random_order(src.rank, cfg.perm_dim);
        for (uint32_t d = 0; d < src.rank; d++) {
            if (pads && random_in(0, 1)) {
                cfg.padding_pre[d] = (uint8_t)random_in(0, 3);
                cfg.padding_post[d] = (uint8_t)random_in(0, 3);
            }
            const int extent = (int)src.shape[d] + cfg.padding_pre[d] + cfg.padding_post[d];
            if (random_in(0, 2) == 0)
                cfg.offset[d] = (uint32_t)random_in(0, extent - 1);
            if (random_in(0, 2) == 0) /* with padding, and here without, past the end too */
                cfg.size[d] = (uint32_t)random_in(1, extent + 2);
            if (random_in(0, 3) == 0)
                cfg.sub_sample_step[d] = (uint32_t)random_in(1, 4);
            if (random_in(0, 3) == 0)
                cfg.dst_offset[d] = (uint32_t)random_in(0, 3);
        }
        dst.data.mem.pi8 = (int8_t *)dst_bytes;
        dst.data.capacity = sizeof dst_bytes;
        int64_t count[MLI_MAX_RANK];
        mli_tensor fields = model_fields(&src, &cfg, &dst, count);
        int32_t next = 1;
        for (uint32_t d = src.rank; d-- > 0;) { /* strides from cfg, from dst, or packed */
            const int32_t stride = next + random_in(0, 1);
            if (random_in(0, 2) == 0)
                cfg.dst_mem_stride[d] = stride;
            else if (random_in(0, 1))
                dst.mem_stride[d] = stride;
            fields = model_fields(&src, &cfg, &dst, count);
            next = fields.mem_stride[d] * (int32_t)fields.shape[d];
        }
        uint32_t last = 0;
        for (uint32_t d = 0; d < src.rank; d++)
            last += (fields.shape[d] - 1) * (uint32_t)fields.mem_stride[d];
        dst.data.capacity = (last + 1) * bytes_of(src.el_type); /* not a byte more */
        assert_true(dst.data.capacity < sizeof dst_bytes);
        check(&src, &cfg, &dst);
    }
}

/* The usual things that data movement is for, by hand. */
static void test_examples(void **state)
{
    (void)state;
    for (uint8_t i = 0; i < 6; i++)
        src_bytes[i] = (uint8_t)(i + 1);
    const mli_tensor src = with_frac(tensor(MLI_EL_FX_8, src_bytes, SHAPE2(2, 3), NULL), 4);
    mli_tensor bare;
    memset(&bare, 0, sizeof bare);
    bare.data.mem.pi8 = (int8_t *)dst_bytes;
    bare.data.capacity = 32;

    mli_tensor out = bare; /* container 0 around it, whatever its zero point */
    mli_mov_cfg_t cfg;
    int none[MLI_MAX_RANK] = {0};
    mli_mov_cfg_for_padding2d_hwc(&cfg, 1, 0, 1, 1, none);
    const mli_tensor sa = with_scale(tensor(MLI_EL_SA_8, src_bytes, SHAPE2(2, 3), NULL), 5, 6, 7);
    assert_int_equal(mli_mov_tensor_sync(&sa, &cfg, &out), MLI_STATUS_OK);
    assert_memory_equal(dst_bytes, ((uint8_t[]){0, 0, 0, 0, 0, 1, 2, 3, 0, 4, 5, 6, 0, 0, 0, 0}),
                        16);
    assert_memory_equal(&out.el_params, &sa.el_params, sizeof sa.el_params);

    out = bare; /* columns swapped with rows, every second row */
    cfg = neutral();
    cfg.perm_dim[0] = 1, cfg.perm_dim[1] = 0, cfg.sub_sample_step[1] = 2;
    assert_int_equal(mli_mov_tensor_sync(&src, &cfg, &out), MLI_STATUS_OK);
    assert_memory_equal(dst_bytes, ((uint8_t[]){1, 4, 3, 6, 0, 1}), 6);
    assert_memory_equal(out.shape, ((uint32_t[]){2, 2, 1, 1}), 16);
    assert_memory_equal(out.mem_stride, ((int32_t[]){2, 1, 0, 0}), 16);
    assert_int_equal(out.el_params.fx.frac_bits, 4);

    /* dst_offset + count is src's own shape, packed: all of src is copied, not the shifted part */
    const mli_tensor line = tensor(MLI_EL_FX_8, src_bytes, SHAPE1(4), NULL);
    out = bare, cfg = neutral();
    cfg.size[0] = 2, cfg.dst_offset[0] = 2;
    assert_int_equal(mli_mov_tensor_sync(&line, &cfg, &out), MLI_STATUS_OK);
    assert_memory_equal(dst_bytes, src_bytes, 4);
    out = bare, cfg.dst_mem_stride[0] = 2; /* with another stride it is the part */
    memset(dst_bytes, 0x5A, 32);
    assert_int_equal(mli_mov_tensor_sync(&line, &cfg, &out), MLI_STATUS_OK);
    assert_memory_equal(dst_bytes, ((uint8_t[]){0x5A, 0x5A, 0x5A, 0x5A, 1, 0x5A, 2, 0x5A}), 8);
    /* wholly outside the source, with padding and without: zeros */
    for (uint8_t pad = 0; pad < 2; pad++) {
        out = bare, cfg = neutral();
        cfg.offset[0] = 9, cfg.size[0] = 2, cfg.padding_post[0] = pad;
        memset(dst_bytes, 0x5A, 32);
        assert_int_equal(mli_mov_tensor_sync(&line, &cfg, &out), MLI_STATUS_OK);
        assert_memory_equal(dst_bytes, ((uint8_t[]){0, 0, 0x5A}), 3);
    }
    /* nothing left to move, and still a place for it */
    out = bare, cfg = neutral();
    cfg.offset[0] = 4, cfg.dst_offset[0] = 3;
    memset(dst_bytes, 0x5A, 32);
    assert_int_equal(mli_mov_tensor_sync(&line, &cfg, &out), MLI_STATUS_OK);
    assert_int_equal(out.shape[0], 3);
    assert_int_equal(dst_bytes[2], 0x5A);
    random_bytes(src_bytes, sizeof src_bytes);
}

/*
 * Parameters per axis (4.4)
 */
static int16_t scale[4] = {10, 20, 30, 40}, zero[4] = {1, 2, 3, 4}, own_scale[8], own_zero[8];
static int8_t bits[4] = {5, 6, 7, 8}, own_bits[8];

static mli_tensor axis_source(void)
{
    return with_axis(tensor(MLI_EL_SA_8, src_bytes, SHAPE3(2, 3, 4), NULL), 2, 4, scale, bits,
                     zero);
}

static mli_tensor axis_destination(uint32_t entries)
{
    mli_tensor dst;
    memset(&dst, 0, sizeof dst);
    dst.data.mem.pi8 = (int8_t *)dst_bytes;
    dst.data.capacity = 4096;
    if (entries > 0)
        dst = with_axis(dst, -1, entries, own_scale, own_bits, own_zero);
    for (int i = 0; i < 8; i++)
        own_scale[i] = own_zero[i] = own_bits[i] = 99;
    return dst;
}

static void test_axis(void **state)
{
    (void)state;
    needs_checks();
    const mli_tensor src = axis_source();
    mli_mov_cfg_t cfg = neutral();
    cfg.perm_dim[0] = 2, cfg.perm_dim[1] = 0, cfg.perm_dim[2] = 1;
    cfg.offset[0] = 1; /* another dimension: free */
    mli_tensor dst = axis_destination(0);
    dst.el_params.sa.type = (mli_el_param_type)55; /* not written */
    assert_int_equal(mli_mov_tensor_sync(&src, &cfg, &dst), MLI_STATUS_OK);
    mli_element_params want = src.el_params;
    want.sa.type = (mli_el_param_type)55;
    want.sa.dim = 0;
    assert_memory_equal(&dst.el_params, &want, sizeof want);
    /* its own arrays: padded, subsampled, placed */
    cfg.padding_pre[2] = 2, cfg.padding_post[2] = 3, cfg.sub_sample_step[2] = 2, cfg.offset[2] = 1;
    cfg.dst_offset[0] = 1;
    dst = axis_destination(5);
    want = dst.el_params;
    want.sa.dim = 0;
    assert_int_equal(mli_mov_tensor_sync(&src, &cfg, &dst), MLI_STATUS_OK);
    assert_memory_equal(&dst.el_params, &want, sizeof want);
    assert_memory_equal(own_scale, ((int16_t[]){99, 1, 20, 40, 1, 99, 99, 99}), 16);
    assert_memory_equal(own_zero, ((int16_t[]){99, 0, 2, 4, 0, 99, 99, 99}), 16);
    assert_memory_equal(own_bits, ((int8_t[]){99, 0, 6, 8, 0, 99, 99, 99}), 8);
    dst = axis_destination(4);
    assert_int_equal(mli_mov_tensor_sync(&src, &cfg, &dst), MLI_STATUS_SPEC_PARAM_MISMATCH);
    /* copied parameters stay where the data have no room */
    dst = axis_destination(5);
    dst.data.capacity = 3;
    memset(dst_bytes, 0x5A, 64);
    assert_int_equal(mli_mov_tensor_sync(&src, &cfg, &dst), MLI_STATUS_NOT_ENGH_MEM);
    assert_int_equal(own_scale[2], 20);
    assert_int_equal(dst.shape[0], 5);
    assert_int_equal(dst.rank, 3);
    assert_int_equal(dst_bytes[0], 0x5A);
}

static void test_axis_rules(void **state)
{
    (void)state;
    needs_checks();
    for (int i = 0; i < 12; i++) {
        mli_tensor src = axis_source(), dst = axis_destination(i < 7 ? 0 : 8);
        mli_mov_cfg_t cfg = neutral();
        mli_status want = MLI_STATUS_SPEC_PARAM_MISMATCH;
        switch (i) {
        case 0:
            cfg.size[2] = 3;
            break;
        case 1:
            cfg.padding_post[2] = 1;
            break;
        case 2:
            cfg.sub_sample_step[2] = 2;
            break;
        case 3:
            cfg.dst_offset[2] = 1;
            break;
        case 4:
            cfg.offset[2] = 1;
            break;
        case 5:
            dst.el_params.sa.scale.mem.pi16 = own_scale;
            break;
        case 6: /* the whole axis may be named */
            cfg.size[2] = 4;
            want = MLI_STATUS_OK;
            break;
        case 7:
            dst.el_params.sa.scale.mem.pi16 = NULL;
            break;
        case 8:
            dst.el_params.sa.scale_frac_bits.mem.pi8 = bits;
            break;
        case 9:
            dst.el_params.sa.zero_point.mem.pi16 = zero;
            break;
        case 10: /* undefined in the original: nothing to copy from */
            src.el_params.sa.scale.mem.pi16 = NULL;
            break;
        default:
            src.el_params.sa.dim = 3;
            want = MLI_STATUS_BAD_TENSOR;
            break;
        }
        assert_int_equal(mli_mov_tensor_sync(&src, &cfg, &dst), want);
    }
    /* the box is looked at for parameters per axis alone; it comes before the arrays, and before
     * overlap */
    mli_tensor src = axis_source();
    mli_tensor dst = src;
    mli_mov_cfg_t cfg = neutral();
    cfg.size[0] = 3;
    assert_int_equal(mli_mov_tensor_sync(&src, &cfg, &dst), MLI_STATUS_BAD_FUNC_CFG);
    cfg.size[0] = 0, cfg.offset[2] = 1;
    assert_int_equal(mli_mov_tensor_sync(&src, &cfg, &dst), MLI_STATUS_SPEC_PARAM_MISMATCH);
    cfg.offset[2] = 0;
    assert_int_equal(mli_mov_tensor_sync(&src, &cfg, &dst), MLI_STATUS_INCOMPATEBLE_TENSORS);
}

static void test_status(void **state)
{
    (void)state;
    needs_checks();
    const mli_tensor src = tensor(MLI_EL_FX_16, src_bytes, SHAPE2(2, 3), NULL);
    mli_mov_cfg_t cfg = neutral();
    mli_tensor bare = axis_destination(0), bad = src, dst = bare;
    bad.mem_stride[1] = 0;
    assert_int_equal(mli_mov_tensor_sync(&bad, NULL, NULL), MLI_STATUS_BAD_TENSOR);
    assert_int_equal(mli_mov_tensor_sync(&src, NULL, NULL), MLI_STATUS_BAD_FUNC_CFG);
    assert_int_equal(mli_mov_tensor_sync(&src, &cfg, NULL),
                     MLI_STATUS_BAD_TENSOR); /* undefined in the original */
    dst.data.mem.pi8 = (int8_t *)src_bytes + 11;
    assert_int_equal(mli_mov_tensor_sync(&src, &cfg, &dst), MLI_STATUS_INCOMPATEBLE_TENSORS);
    assert_int_equal(dst.rank, 0);
    dst.data.mem.pi8 = (int8_t *)src_bytes + 12; /* touching is no overlap */
    dst.data.capacity = 12;
    assert_int_equal(mli_mov_tensor_sync(&src, &cfg, &dst), MLI_STATUS_OK);
    dst = bare, dst.data.mem.pi8 = NULL; /* overlaps nothing, whatever its capacity */
    dst.data.capacity = UINT32_MAX;
    assert_int_equal(mli_mov_tensor_sync(&src, &cfg, &dst), MLI_STATUS_BAD_TENSOR);
    assert_int_equal(dst.rank, 2);
    dst = bare, dst.data.capacity = 11; /* fields stay written, data do not */
    memset(dst_bytes, 0x5A, 64);
    assert_int_equal(mli_mov_tensor_sync(&src, &cfg, &dst), MLI_STATUS_NOT_ENGH_MEM);
    assert_int_equal(dst.el_type, MLI_EL_FX_16);
    assert_int_equal(dst_bytes[0], 0x5A);
    dst = bare, dst.mem_stride[0] = 2; /* left by an earlier use: below the extent inside */
    assert_int_equal(mli_mov_tensor_sync(&src, &cfg, &dst), MLI_STATUS_BAD_TENSOR);
    dst = bare, cfg.dst_mem_stride[1] = -1;
    assert_int_equal(mli_mov_tensor_sync(&src, &cfg, &dst), MLI_STATUS_BAD_TENSOR);
    random_bytes(src_bytes, sizeof src_bytes);
}

/* Every one of these reads or writes beside its memory, divides by zero or does not return in the
 * original. */
static void test_undefined(void **state)
{
    (void)state;
    needs_checks();
    const mli_tensor src = tensor(MLI_EL_FX_8, src_bytes, SHAPE2(2, 3), NULL);
    memset(dst_bytes, 0x5A, sizeof dst_bytes);
    for (int i = 0; i < 9; i++) {
        mli_mov_cfg_t cfg = neutral();
        mli_tensor from = src, dst = axis_destination(0);
        mli_status want = MLI_STATUS_BAD_FUNC_CFG;
        switch (i) {
        case 0:
            cfg.sub_sample_step[1] = 0;
            break;
        case 1:
            cfg.perm_dim[0] = 1;
            break;
        case 2:
            cfg.perm_dim[1] = 200;
            break;
        case 3:
            cfg.offset[0] = 3;
            break;
        case 4:
            from.rank = 0;
            want = MLI_STATUS_NOT_SUPPORTED;
            break;
        case 5:
            from.el_type = MLI_EL_FX_4;
            want = MLI_STATUS_NOT_SUPPORTED;
            break;
        case 6: /* extents that would wrap in 32 bits */
            cfg.dst_offset[0] = UINT32_MAX;
            want = MLI_STATUS_BAD_TENSOR;
            break;
        case 7:
            cfg.size[0] = UINT32_MAX;
            want = MLI_STATUS_BAD_TENSOR;
            break;
        default:
            cfg.size[1] = UINT32_MAX, cfg.dst_offset[1] = 4;
            want = MLI_STATUS_BAD_TENSOR;
            break;
        }
        assert_int_equal(mli_mov_tensor_sync(&from, &cfg, &dst), want);
    }
    for (size_t i = 0; i < 4096; i++)
        assert_int_equal(dst_bytes[i], 0x5A);
    /* a huge step takes the first element alone */
    mli_mov_cfg_t cfg = neutral();
    mli_tensor dst = axis_destination(0);
    cfg.sub_sample_step[0] = cfg.sub_sample_step[1] = UINT32_MAX;
    check(&src, &cfg, &dst);
}

static void test_helpers(void **state)
{
    (void)state;
    int a[] = {1, -2, 3, 4}, b[] = {5, 6, 7, 8}, c[] = {9, 10, -11, 12}, d[] = {13, 14, 15, 16},
        e[] = {17, 18, 19, 20};
    uint8_t order[] = {3, 1, 0, 2};
    const uint32_t ua[] = {1, (uint32_t)-2, 3, 4}, ub[] = {5, 6, 7, 8};
    mli_mov_cfg_t want = neutral(), cfg;
    const mli_mov_cfg_t start = {{0}, {0}, {1, 1, 1, 1}, {0}, {0}, {0, 1, 2, 3}, {0}, {0}};
    assert_memory_equal(&want, &start, sizeof want);

    memcpy(want.offset, ua, sizeof ua), memcpy(want.size, ub, sizeof ub),
        memcpy(want.dst_mem_stride, c, sizeof c);
    memset(&cfg, 0xA5, sizeof cfg);
    assert_int_equal(mli_mov_cfg_for_slice(&cfg, a, b, c), MLI_STATUS_OK);
    assert_memory_equal(&cfg, &want, sizeof cfg);

    want = start, memcpy(want.dst_offset, ua, sizeof ua), memcpy(want.dst_mem_stride, c, sizeof c);
    memset(&cfg, 0xA5, sizeof cfg);
    assert_int_equal(mli_mov_cfg_for_concat(&cfg, a, c), MLI_STATUS_OK);
    assert_memory_equal(&cfg, &want, sizeof cfg);

    want = start, memcpy(want.sub_sample_step, ua, sizeof ua),
    memcpy(want.dst_mem_stride, c, sizeof c);
    memset(&cfg, 0xA5, sizeof cfg);
    assert_int_equal(mli_mov_cfg_for_subsample(&cfg, a, c), MLI_STATUS_OK);
    assert_memory_equal(&cfg, &want, sizeof cfg);

    want = start, memcpy(want.perm_dim, order, 4);
    memset(&cfg, 0xA5, sizeof cfg);
    assert_int_equal(mli_mov_cfg_for_permute(&cfg, order), MLI_STATUS_OK);
    assert_memory_equal(&cfg, &want, sizeof cfg);

    want = start, memcpy(want.dst_mem_stride, c, sizeof c);
    want.padding_pre[2] = 1, want.padding_post[2] = 2, want.padding_pre[1] = 3,
    want.padding_post[1] = 4;
    memset(&cfg, 0xA5, sizeof cfg);
    assert_int_equal(mli_mov_cfg_for_padding2d_chw(&cfg, 1, 2, 3, 4, c), MLI_STATUS_OK);
    assert_memory_equal(&cfg, &want, sizeof cfg);

    want = start, memcpy(want.dst_mem_stride, c, sizeof c);
    want.padding_pre[1] = 1, want.padding_post[1] = 2, want.padding_pre[0] = 3,
    want.padding_post[0] = 4;
    memset(&cfg, 0xA5, sizeof cfg);
    assert_int_equal(mli_mov_cfg_for_padding2d_hwc(&cfg, 1, 2, 3, 4, c), MLI_STATUS_OK);
    assert_memory_equal(&cfg, &want, sizeof cfg);

    memcpy(want.offset, ua, sizeof ua), memcpy(want.size, ub, sizeof ub),
        memcpy(want.perm_dim, order, 4);
    memcpy(want.sub_sample_step, d, sizeof d), memcpy(want.dst_offset, e, sizeof e);
    memset(&cfg, 0xA5, sizeof cfg);
    assert_int_equal(mli_mov_cfg_all(&cfg, a, b, d, e, c, order, 1, 2, 3, 4), MLI_STATUS_OK);
    assert_memory_equal(&cfg, &want, sizeof cfg);

    assert_int_equal(mli_mov_cfg_for_copy(NULL),
                     MLI_STATUS_BAD_FUNC_CFG); /* undefined in the original */
    assert_int_equal(mli_mov_cfg_for_slice(&cfg, NULL, b, c), MLI_STATUS_BAD_FUNC_CFG);
    assert_int_equal(mli_mov_cfg_for_concat(NULL, a, c), MLI_STATUS_BAD_FUNC_CFG);
    assert_int_equal(mli_mov_cfg_for_subsample(&cfg, a, NULL), MLI_STATUS_BAD_FUNC_CFG);
    assert_int_equal(mli_mov_cfg_for_permute(&cfg, NULL), MLI_STATUS_BAD_FUNC_CFG);
    assert_int_equal(mli_mov_cfg_for_padding2d_chw(&cfg, 1, 2, 3, 4, NULL),
                     MLI_STATUS_BAD_FUNC_CFG);
    assert_int_equal(mli_mov_cfg_all(&cfg, a, b, d, e, NULL, order, 1, 2, 3, 4),
                     MLI_STATUS_BAD_FUNC_CFG);
    assert_int_equal(mli_mov_cfg_all(&cfg, a, b, d, e, c, NULL, 1, 2, 3, 4),
                     MLI_STATUS_BAD_FUNC_CFG);
    assert_memory_equal(&cfg, &want, sizeof cfg);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples), cmocka_unit_test(test_random),
        cmocka_unit_test(test_axis),     cmocka_unit_test(test_axis_rules),
        cmocka_unit_test(test_status),   cmocka_unit_test(test_undefined),
        cmocka_unit_test(test_helpers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
