/* Calls, steps and tensors as words of the wire, and back: see call.h. */
#include "harness/port/call.h"
#include "harness/port_kit/lb_kit_functions.h"

#include <stdio.h>
#include <string.h>

/* ---- Configurations: the words are the fields of the kind, in the order of its table ---- */

unsigned lb_config_to_words(const lb_config *config, lb_config_kind kind, uint32_t *words)
{
    unsigned count = 0;
    for (const lb_config_field *field = lb_config_fields(kind); field->name; field++)
        for (unsigned i = 0; i < field->count && count < LB_WIRE_CONFIG_WORDS; i++)
            words[count++] = (uint32_t)lb_config_get(config, field, i);
    return count;
}

static void config_from_words(lb_config *config, lb_config_kind kind, const uint32_t *words)
{
    for (const lb_config_field *field = lb_config_fields(kind); field->name; field++)
        for (unsigned i = 0; i < field->count; i++, words++)
            lb_config_set(config, field, i, *words);
}

/* ---- Tensors ---- */

static uint32_t where_of(const void *pointer, const lb_wire_block *place)
{
    uintptr_t at = (uintptr_t)pointer, start = (uintptr_t)place->block;
    if (!pointer)
        return LB_WIRE_NULL;
    if (!place->block || at < start || at - start > place->bytes)
        return LB_WIRE_VALUE;
    return place->fences ? (uint32_t)(lb_fences_offset(place->fences, place->memory, at - start) -
                                      place->front) +
                               1
                         : (uint32_t)(at - start) + place->base + 1;
}

/* The place in the block that the port calls so; false: it is none. */
static bool find_inside(uint32_t where, const lb_wire_block *place, size_t *in_block)
{
    if (!place->block || where == LB_WIRE_NULL)
        return false;
    if (place->fences)
        return lb_fences_in_block(place->fences, place->memory, place->front + where - 1, in_block);
    *in_block = where - 1 - place->base;
    return where > place->base && *in_block <= place->bytes;
}

static bool is_inside(uint32_t where, const lb_wire_block *place)
{
    size_t in_block;
    return find_inside(where, place, &in_block);
}

static int32_t value_of(const lb_memory *mem, unsigned width)
{
    return width == 1 ? mem->i8 : width == 2 ? mem->i16 : mem->i32;
}

/* `is_value`: the container holds one value, whatever the rest of its memory looks like: of a list
 * that it held before, or that a port wrote over, the upper half of a pointer may be left, which
 * points somewhere. */
static void container_words(const lb_container *c, bool is_value, unsigned width,
                            const lb_wire_block *place, uint32_t *words)
{
    words[0] = c->capacity_bytes;
    words[1] = is_value && c->mem.ptr ? LB_WIRE_VALUE : where_of(c->mem.ptr, place);
    words[2] = words[1] == LB_WIRE_VALUE ? (uint32_t)value_of(&c->mem, width) : 0;
}

static bool has_sa(const lb_tensor *t)
{
    return t->sa.dim != 0 || t->sa.scale.mem.ptr || t->sa.zero_point.mem.ptr ||
           t->sa.scale_frac_bits.mem.ptr;
}

/* Of a value that stands in the container: of a type that has no width, one byte, as in the kit. */
static unsigned value_bytes(uint32_t el_type)
{
    const unsigned bytes = lb_storage_bytes(el_type);
    return bytes ? bytes : 1;
}

void lb_tensor_to_words(const lb_tensor *t, const lb_wire_block *place, uint32_t *words)
{
    const unsigned width = value_bytes(t->el_type);
    memset(words, 0, LB_WIRE_T_WORDS * sizeof *words);
    words[LB_WIRE_T_RANK] = t->rank;
    words[LB_WIRE_T_TYPE] = t->el_type;
    for (unsigned d = 0; d < LB_MAX_RANK; d++) {
        words[LB_WIRE_T_SHAPE + d] = t->shape[d];
        words[LB_WIRE_T_STRIDE + d] = (uint32_t)t->mem_stride[d];
    }
    container_words(&t->data, false, width, place, words + LB_WIRE_T_DATA);
    words[LB_WIRE_T_WIDTH] = width;
    if (has_sa(t) || (lb_is_sa(t->el_type) && t->frac_bits == 0)) {
        words[LB_WIRE_T_PARAMS] = 2;
        words[LB_WIRE_T_DIM] = (uint32_t)t->sa.dim;
        bool single = t->sa.dim < 0;
        container_words(&t->sa.zero_point, single, 2, place, words + LB_WIRE_T_ZERO_POINT);
        container_words(&t->sa.scale, single, 2, place, words + LB_WIRE_T_SCALE);
        container_words(&t->sa.scale_frac_bits, single, 1, place,
                        words + LB_WIRE_T_SCALE_FRAC_BITS);
    } else if (t->frac_bits != 0 || lb_is_fx(t->el_type)) {
        words[LB_WIRE_T_PARAMS] = 1;
        words[LB_WIRE_T_FRAC_BITS] = (uint32_t)(int32_t)t->frac_bits;
    }
}

static void *pointer_at(uint32_t where, const lb_wire_block *place)
{
    static unsigned char elsewhere; /* no buffer of any case */
    size_t in_block;
    if (where == LB_WIRE_NULL)
        return NULL;
    return find_inside(where, place, &in_block) ? place->block + in_block : &elsewhere;
}

/* A value keeps the rest of the container's memory as it was. */
static void container_from_words(lb_container *c, bool is_value, unsigned width,
                                 const lb_wire_block *place, const uint32_t *words)
{
    c->capacity_bytes = words[0];
    if (!is_value)
        c->mem.ptr = pointer_at(words[1], place);
    else if (width == 1)
        c->mem.i8 = (int8_t)words[2];
    else if (width == 2)
        c->mem.i16 = (int16_t)words[2];
    else
        c->mem.i32 = (int32_t)words[2];
}

/* A call that makes a view of a tensor gives it another rank or capacity with the pointer; one that
 * writes a value leaves both, and the value may look like a pointer. */
static bool is_view(const lb_tensor *before, const uint32_t *words)
{
    return words[LB_WIRE_T_RANK] != before->rank ||
           words[LB_WIRE_T_DATA] != before->data.capacity_bytes;
}

void lb_tensor_from_words(lb_tensor *t, const lb_wire_block *place, const uint32_t *words)
{
    bool in_block = is_inside(words[LB_WIRE_T_DATA + 1], place);
    bool was_value =
        where_of(t->data.mem.ptr, place) == LB_WIRE_VALUE && !(in_block && is_view(t, words));
    t->rank = words[LB_WIRE_T_RANK];
    t->el_type = words[LB_WIRE_T_TYPE];
    for (unsigned d = 0; d < LB_MAX_RANK; d++) {
        t->shape[d] = words[LB_WIRE_T_SHAPE + d];
        t->mem_stride[d] = (int32_t)words[LB_WIRE_T_STRIDE + d];
    }
    const unsigned width = value_bytes(t->el_type);
    bool is_value =
        was_value || (t->rank == 0 && !in_block && words[LB_WIRE_T_DATA + 1] != LB_WIRE_NULL);
    container_from_words(&t->data, is_value, width, place, words + LB_WIRE_T_DATA);
    if (words[LB_WIRE_T_PARAMS] == 1) {
        t->frac_bits = (int8_t)words[LB_WIRE_T_FRAC_BITS];
    } else if (words[LB_WIRE_T_PARAMS] == 2) {
        t->sa.dim = (int32_t)words[LB_WIRE_T_DIM];
        bool single = t->sa.dim < 0;
        container_from_words(&t->sa.zero_point, single, 2, place, words + LB_WIRE_T_ZERO_POINT);
        container_from_words(&t->sa.scale, single, 2, place, words + LB_WIRE_T_SCALE);
        container_from_words(&t->sa.scale_frac_bits, single, 1, place,
                             words + LB_WIRE_T_SCALE_FRAC_BITS);
    }
}

/* ---- Functions ---- */

#define NAME_OF(shape, name_) #name_,
static const char *const mli_names[] = {LB_KIT_FUNCTIONS(NAME_OF)};
static const char *const litert_names[] = {LB_KIT_LITERT_FUNCTIONS(NAME_OF)};
static const struct {
    const char *const *names;
    int count;
} wire_sets[LB_WIRE_SETS] = {
    [LB_WIRE_MLI] = {mli_names, sizeof mli_names / sizeof mli_names[0]},
    [LB_WIRE_LITERT] = {litert_names, sizeof litert_names / sizeof litert_names[0]},
};

int lb_wire_function(const char *name)
{
    for (int s = 0; s < LB_WIRE_SETS; s++)
        for (int i = 0; i < wire_sets[s].count; i++)
            if (strcmp(wire_sets[s].names[i], name) == 0)
                return s * LB_WIRE_SET_NUMBERS + i;
    return -1;
}

const char *lb_mov_call_name(lb_mov_call call)
{
    static const char *const names[LB_MOV_CALL_COUNT] = {
        "mli_mov_set_num_dma_ch", "mli_mov_acquire_handle",
        "mli_mov_prepare",        "mli_mov_registercallback",
        "mli_mov_start",          "mli_mov_isdone",
        "mli_mov_wait",           "mli_mov_release_handle",
        "mli_mov_tensor_sync"};
    return names[call];
}

void lb_name_callback(lb_port_request *request, lb_callback_names *names)
{
    unsigned which = 0, oldest = 0;
    if (!request->callback)
        return;
    for (unsigned i = 0; i < LB_WIRE_CALLBACKS; i++) {
        if (strcmp(names->name[i], request->callback) == 0)
            which = i + 1;
        oldest = names->used[i] < names->used[oldest] ? i : oldest;
    }
    if (which == 0) {
        snprintf(names->name[oldest], sizeof names->name[oldest], "%s", request->callback);
        which = oldest + 1;
    }
    names->used[which - 1] = ++names->uses;
    request->more[LB_WIRE_M_CALLBACK] = which;
}

void lb_note_callback(lb_port_request *request, unsigned i, unsigned which, int32_t cookie,
                      const lb_callback_names *names)
{
    bool known = which >= 1 && which <= LB_WIRE_CALLBACKS && names->used[which - 1] > 0;
    request->callbacks[i].name = known ? names->name[which - 1] : "?";
    request->callbacks[i].cookie = cookie;
}

/* ---- Calls ---- */

static const uint8_t wire_roles[LB_ROLE_COUNT] = {
    [LB_ROLE_IN] = LB_WIRE_IN,
    [LB_ROLE_IN1] = LB_WIRE_IN1,
    [LB_ROLE_IN2] = LB_WIRE_IN2,
    [LB_ROLE_IN_BAD] = LB_WIRE_IN,
    [LB_ROLE_PREV_OUT] = LB_WIRE_PREV_OUT,
    [LB_ROLE_WEIGHTS] = LB_WIRE_WEIGHTS,
    [LB_ROLE_WEIGHTS_IN] = LB_WIRE_WEIGHTS_IN,
    [LB_ROLE_WEIGHTS_OUT] = LB_WIRE_WEIGHTS_OUT,
    [LB_ROLE_BIAS] = LB_WIRE_BIAS,
    [LB_ROLE_SLOPE] = LB_WIRE_SLOPE,
    [LB_ROLE_EPSILON] = LB_WIRE_EPSILON,
    [LB_ROLE_CELL] = LB_WIRE_CELL,
    [LB_ROLE_OUT] = LB_WIRE_OUT,
    [LB_ROLE_MULTIPLIER] = LB_WIRE_MULTIPLIER,
    [LB_ROLE_SHIFT] = LB_WIRE_SHIFT,
    [LB_ROLE_AXIS] = LB_WIRE_AXIS,
    [LB_ROLE_BITS_OVER_UNIT] = LB_WIRE_BITS_OVER_UNIT,
};

uint8_t lb_wire_role(lb_role role)
{
    return wire_roles[role];
}

static void add_argument(lb_port_request *request, lb_role role, lb_tensor *tensors, unsigned count)
{
    if (tensors && count > 0)
        request->arguments[request->argument_count++] =
            (lb_request_argument){wire_roles[role], (uint8_t)count, tensors};
}

void lb_request_from_call(lb_port_request *request, const lb_call *call)
{
    lb_config_kind kind = call->kernel->config_kind;
    unsigned words = lb_config_to_words(&call->config, kind, request->config);
    request->config_is_null = call->config_null;
    request->scratch_word = -1;
    if (kind == LB_CONFIG_RNN_CELL) {
        request->scratch = call->config.scratch;
        request->scratch_word = (int)words;
    }
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        add_argument(request, (lb_role)role, call->tensor[role], call->list_count[role]);
}

static int32_t status_of(uint32_t word)
{
    return (int32_t)word;
}

void lb_request_to_call(const lb_port_request *request, lb_call *call)
{
    uint64_t value =
        (uint64_t)request->result[LB_WIRE_R_RETURN + 1] << 32 | request->result[LB_WIRE_R_RETURN];
    if (call->kernel->returns_status)
        call->status = (lb_status)status_of(request->result[LB_WIRE_R_STATUS]);
    else
        memcpy(&call->return_value, &value, sizeof value);
    lb_config_kind filled = lb_filled_config(call->kernel);
    config_from_words(&call->config, filled, request->config_out);
}

/* ---- Steps of movement sequences ---- */

void lb_request_from_step(lb_port_request *request, const lb_mov_step *step)
{
    request->scratch_word = -1;
    request->config_is_null = !step->config;
    if (step->config)
        lb_config_to_words(step->config, LB_CONFIG_MOV, request->config);
    if (step->handle) {
        request->more[LB_WIRE_M_HAS_HANDLE] = 1;
        request->more[LB_WIRE_M_HANDLE] = (uint32_t)step->handle->dma_ch;
        request->more[LB_WIRE_M_HANDLE + 1] = (uint32_t)step->handle->num_ch;
        request->more[LB_WIRE_M_HANDLE + 2] = (uint32_t)step->handle->state;
    }
    request->more[LB_WIRE_M_NUM_CH] = (uint32_t)step->num_ch;
    request->more[LB_WIRE_M_CH_OFFSET] = (uint32_t)step->ch_offset;
    request->more[LB_WIRE_M_COOKIE] = (uint32_t)step->cookie;
    request->callback = step->call == LB_MOV_CALL_REGISTERCALLBACK ? step->callback : NULL;
    add_argument(request, LB_ROLE_IN, (lb_tensor *)(uintptr_t)step->src, step->src ? 1 : 0);
    add_argument(request, LB_ROLE_OUT, step->dst, step->dst ? 1 : 0);
}

void lb_request_to_step(const lb_port_request *request, lb_mov_step *step)
{
    const uint32_t *handle = request->result + LB_WIRE_R_HANDLE;
    step->status = status_of(request->result[LB_WIRE_R_STATUS]);
    step->done = request->result[LB_WIRE_R_DONE] != 0;
    if (step->handle && step->call != LB_MOV_CALL_SET_NUM_DMA_CH &&
        step->call != LB_MOV_CALL_TENSOR_SYNC)
        *step->handle = (lb_mov_handle){(int32_t)handle[0], (int32_t)handle[1], (int32_t)handle[2]};
    step->callback_count = request->result[LB_WIRE_R_CALLBACKS];
    for (unsigned i = 0; i < request->callback_count && i < LB_MOV_MAX_CALLBACKS; i++) {
        step->callbacks[i].name = request->callbacks[i].name;
        step->callbacks[i].cookie = request->callbacks[i].cookie;
    }
}
