/* Tensors of an MLI-style library as words of the wire, and back: part of lb_kit.c, behind
 * lb_kit_mli.h. */

static uint32_t lb_kit_where(const void *pointer)
{
    uintptr_t at = (uintptr_t)pointer, start = (uintptr_t)lb_kit.block;
    if (!pointer)
        return LB_WIRE_NULL;
    return at >= start && at - start <= lb_kit.block_bytes ? (uint32_t)(at - start) + 1
                                                           : LB_WIRE_ELSEWHERE;
}

/* Which half of each tensor's el_params was set, and of what type the tensor was then: a case may
 * name a type that its parameters are not of. */
static struct {
    mli_element_type type;
    unsigned char params;
} lb_kit_given[LB_WIRE_SLOTS];

static void lb_kit_set_container(mli_data_container *c, const uint32_t *words, uint32_t width)
{
    c->capacity = words[0];
    if (words[1] != LB_WIRE_VALUE && width == 4)
        c->mem.pi32 = (int32_t *)lb_kit_pointer(words[1]);
    else if (words[1] != LB_WIRE_VALUE && width == 2)
        c->mem.pi16 = (int16_t *)lb_kit_pointer(words[1]);
    else if (words[1] != LB_WIRE_VALUE)
        c->mem.pi8 = (int8_t *)lb_kit_pointer(words[1]);
    else if (width == 4)
        c->mem.i32 = (int32_t)words[2];
    else if (width == 2)
        c->mem.i16 = (int16_t)words[2];
    else
        c->mem.i8 = (int8_t)words[2];
}

/* What stands in a container is a pointer or a value, and lastbit knows which: it gets both. */
static void lb_kit_get_container(const mli_data_container *c, uint32_t *words, uint32_t width)
{
    words[0] = (uint32_t)c->capacity;
    if (width == 4) {
        words[1] = lb_kit_where(c->mem.pi32);
        words[2] = (uint32_t)c->mem.i32;
    } else if (width == 2) {
        words[1] = lb_kit_where(c->mem.pi16);
        words[2] = (uint32_t)(int32_t)c->mem.i16;
    } else {
        words[1] = lb_kit_where(c->mem.pi8);
        words[2] = (uint32_t)(int32_t)c->mem.i8;
    }
}

static void lb_kit_set_tensor(unsigned slot, const uint32_t *words)
{
    mli_tensor *t = &lb_kit_tensors[slot];
    unsigned d;
    memset(t, 0, sizeof *t);
    lb_kit_set_container(&t->data, words + LB_WIRE_T_DATA, words[LB_WIRE_T_WIDTH]);
    for (d = 0; d < 4; d++) {
        t->shape[d] = words[LB_WIRE_T_SHAPE + d];
        t->mem_stride[d] = (int32_t)words[LB_WIRE_T_STRIDE + d];
    }
    t->rank = words[LB_WIRE_T_RANK];
    t->el_type = (mli_element_type)lb_kit_to_own(&lb_kit_types, words[LB_WIRE_T_TYPE]);
    lb_kit_given[slot].type = t->el_type;
    lb_kit_given[slot].params = (unsigned char)words[LB_WIRE_T_PARAMS];
    if (words[LB_WIRE_T_PARAMS] == 1) {
        t->el_params.fx.frac_bits = (int8_t)words[LB_WIRE_T_FRAC_BITS];
    } else if (words[LB_WIRE_T_PARAMS] == 2) {
        t->el_params.sa.type = MLI_EL_PARAM_SC16_ZP16;
        t->el_params.sa.dim = (int32_t)words[LB_WIRE_T_DIM];
        lb_kit_set_container(&t->el_params.sa.zero_point, words + LB_WIRE_T_ZERO_POINT, 2);
        lb_kit_set_container(&t->el_params.sa.scale, words + LB_WIRE_T_SCALE, 2);
        lb_kit_set_container(&t->el_params.sa.scale_frac_bits, words + LB_WIRE_T_SCALE_FRAC_BITS,
                             1);
    }
}

static uint32_t lb_kit_width(mli_element_type type)
{
    return type == MLI_EL_FX_16 ? 2 : type == MLI_EL_SA_32 || type == MLI_EL_FP_32 ? 4 : 1;
}

/* The half of el_params that means something after the call: that of the type if the call set it,
 * else the one that was given. */
static uint32_t lb_kit_params(unsigned slot)
{
    const mli_element_type type = lb_kit_tensors[slot].el_type;
    if (type == lb_kit_given[slot].type)
        return lb_kit_given[slot].params;
    if (type == MLI_EL_FX_4 || type == MLI_EL_FX_8 || type == MLI_EL_FX_16)
        return 1;
    return type == MLI_EL_SA_8 || type == MLI_EL_SA_32 ? 2 : 0;
}

static void lb_kit_get_tensor(unsigned slot, uint32_t *words)
{
    const mli_tensor *t = &lb_kit_tensors[slot];
    unsigned d;
    lb_kit_get_container(&t->data, words + LB_WIRE_T_DATA, lb_kit_width(t->el_type));
    for (d = 0; d < 4; d++) {
        words[LB_WIRE_T_SHAPE + d] = (uint32_t)t->shape[d];
        words[LB_WIRE_T_STRIDE + d] = (uint32_t)t->mem_stride[d];
    }
    words[LB_WIRE_T_RANK] = (uint32_t)t->rank;
    words[LB_WIRE_T_TYPE] = lb_kit_to_published(&lb_kit_types, (uint32_t)t->el_type);
    words[LB_WIRE_T_PARAMS] = lb_kit_params(slot);
    if (words[LB_WIRE_T_PARAMS] == 1) {
        words[LB_WIRE_T_FRAC_BITS] = (uint32_t)(int32_t)t->el_params.fx.frac_bits;
    } else if (words[LB_WIRE_T_PARAMS] == 2) {
        words[LB_WIRE_T_DIM] = (uint32_t)t->el_params.sa.dim;
        lb_kit_get_container(&t->el_params.sa.zero_point, words + LB_WIRE_T_ZERO_POINT, 2);
        lb_kit_get_container(&t->el_params.sa.scale, words + LB_WIRE_T_SCALE, 2);
        lb_kit_get_container(&t->el_params.sa.scale_frac_bits, words + LB_WIRE_T_SCALE_FRAC_BITS,
                             1);
    }
}
