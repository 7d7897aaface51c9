/* Calls of kernels with an interface of their own: part of lb_kit.c, in the place of lb_kit_mli.h.
 */
#include "lb_native.h"

enum { LB_KIT_COMPUTES_ONLY = LB_WIRE_COMPUTES_ONLY };

static const char *lb_kit_library_options(void)
{
    return "";
}

/* ---- Names of the functions, and of the words of their configuration ---- */

typedef struct lb_kit_row {
    const char *name, *config;
} lb_kit_row;

#define LB_KIT_ROW(shape, name) {#name, LB_KIT_CONFIG_##shape},
static const lb_kit_row lb_kit_rows[] = {LB_KIT_FUNCTIONS(LB_KIT_ROW)
                                             LB_KIT_LITERT_FUNCTIONS(LB_KIT_ROW)};
enum { LB_KIT_ROWS = sizeof lb_kit_rows / sizeof lb_kit_rows[0] };

/* The row of a function by its number on the wire, or NULL. */
static const lb_kit_row *lb_kit_row_of(uint32_t function)
{
    if (function < LB_KIT_FUNCTION_COUNT)
        return &lb_kit_rows[function];
    function -= LB_WIRE_LITERT * LB_WIRE_SET_NUMBERS;
    return function < LB_KIT_LITERT_COUNT ? &lb_kit_rows[LB_KIT_FUNCTION_COUNT + function] : NULL;
}

static int lb_kit_has(uint32_t function)
{
    const lb_kit_row *row = lb_kit_row_of(function);
    return row && row->config && lb_native_has(row->name);
}

/* The first key that the running call asked for and that no function has; "": none. */
static char lb_kit_no_key[64];

static const char *lb_kit_no_such_key(void)
{
    return lb_kit_no_key;
}

/* Does the name at `at` (up to a blank, "*4" or the end) read `name`? */
static int lb_kit_is_name(const char *at, const char *name)
{
    while (*name && *at == *name) {
        at++;
        name++;
    }
    return !*name && (!*at || *at == ' ' || *at == '*');
}

static int lb_kit_is_key(const char *at, const char *name)
{
    while (*at) {
        if (lb_kit_is_name(at, name))
            return 1;
        while (*at && *at++ != ' ') {
        }
    }
    return 0;
}

/* A key of other functions is 0 here, so that kernels can share what reads their configuration; one
 * that no function has is misspelt. */
static void lb_kit_note_key(const char *name)
{
    unsigned i;
    for (i = 0; i < LB_KIT_ROWS; i++)
        if (lb_kit_rows[i].config && lb_kit_is_key(lb_kit_rows[i].config, name))
            return;
    for (i = 0; !lb_kit_no_key[0] && i + 1 < sizeof lb_kit_no_key && name[i]; i++) {
    }
    if (!lb_kit_no_key[0])
        memcpy(lb_kit_no_key, name[0] ? name : "?", name[0] ? i : 1);
}

int32_t lb_native_number(const lb_native_call *call, const char *name, uint32_t index)
{
    const char *at = call->config_names;
    uint32_t word = 0;
    while (*at) {
        int found = lb_kit_is_name(at, name);
        uint32_t words = 1;
        for (; *at && *at != ' '; at++)
            if (*at == '*')
                words = (uint32_t)(at[1] - '0');
        if (found)
            return index < words ? (int32_t)call->config[word + index] : 0;
        word += words;
        if (*at == ' ')
            at++;
    }
    lb_kit_note_key(name);
    return 0;
}

/* ---- Tensors: the words as they came, what the kernel sees, and values that stand in no buffer
 * ---- */

typedef union lb_kit_value {
    int8_t i8;
    int16_t i16;
    int32_t i32;
} lb_kit_value;

static uint32_t lb_kit_words[LB_WIRE_SLOTS][LB_WIRE_T_WORDS];
static lb_native_tensor lb_kit_tensors[LB_WIRE_SLOTS];
static lb_kit_value lb_kit_values[LB_WIRE_SLOTS]
                                 [4]; /* element, scale, zero point, scale_frac_bits */

static void lb_kit_put_value(lb_kit_value *value, uint32_t word, uint32_t width)
{
    if (width == 1)
        value->i8 = (int8_t)word;
    else if (width == 2)
        value->i16 = (int16_t)word;
    else
        value->i32 = (int32_t)word;
}

/* Where the number or the numbers of a container stand. */
static void *lb_kit_place(const uint32_t *container, lb_kit_value *value, uint32_t width,
                          int is_value)
{
    if (!is_value && container[1] != LB_WIRE_VALUE)
        return lb_kit_pointer(container[1]);
    lb_kit_put_value(value, container[1] == LB_WIRE_VALUE ? container[2] : 0, width);
    return value;
}

static void lb_kit_set_tensor(unsigned slot, const uint32_t *words)
{
    lb_native_tensor *t = &lb_kit_tensors[slot];
    lb_kit_value *values = lb_kit_values[slot];
    int single = (int32_t)words[LB_WIRE_T_DIM] < 0;
    unsigned d;
    memcpy(lb_kit_words[slot], words, sizeof lb_kit_words[slot]);
    memset(t, 0, sizeof *t);
    t->type = (int32_t)words[LB_WIRE_T_TYPE];
    t->rank = words[LB_WIRE_T_RANK];
    for (d = 0; d < 4; d++) {
        t->shape[d] = words[LB_WIRE_T_SHAPE + d];
        t->stride[d] = (int32_t)words[LB_WIRE_T_STRIDE + d];
    }
    t->data =
        lb_kit_place(words + LB_WIRE_T_DATA, &values[0], words[LB_WIRE_T_WIDTH], t->rank == 0);
    t->frac_bits = (int32_t)words[LB_WIRE_T_FRAC_BITS];
    t->axis = single ? -1 : (int32_t)words[LB_WIRE_T_DIM];
    if (words[LB_WIRE_T_PARAMS] != 2)
        return;
    t->scale = (const int16_t *)lb_kit_place(words + LB_WIRE_T_SCALE, &values[1], 2, single);
    t->zero_point =
        (const int16_t *)lb_kit_place(words + LB_WIRE_T_ZERO_POINT, &values[2], 2, single);
    t->scale_frac_bits =
        (const int8_t *)lb_kit_place(words + LB_WIRE_T_SCALE_FRAC_BITS, &values[3], 1, single);
}

/* Fields are as they were given; the one element of a rank 0 tensor may be new. */
static void lb_kit_get_tensor(unsigned slot, uint32_t *words)
{
    const lb_kit_value *value = &lb_kit_values[slot][0];
    uint32_t width = lb_kit_words[slot][LB_WIRE_T_WIDTH];
    memcpy(words, lb_kit_words[slot], sizeof lb_kit_words[slot]);
    if (lb_kit_tensors[slot].rank != 0)
        return;
    words[LB_WIRE_T_DATA + 1] = LB_WIRE_VALUE;
    words[LB_WIRE_T_DATA + 2] = (uint32_t)(width == 1   ? value->i8
                                           : width == 2 ? value->i16
                                                        : value->i32);
}

static void lb_kit_invoke(lb_kit_call *c)
{
    const lb_kit_row *row = lb_kit_row_of(c->function);
    lb_native_call call;
    unsigned place;
    int result;
    memset(&call, 0, sizeof call);
    call.function = row->name;
    call.profile = lb_wire_profile_name(lb_kit.profile);
    if (!call.profile)
        call.profile = lb_wire_profile_name(0);
    call.config_names = row->config;
    call.config = c->config;
    if (lb_kit_is_key(row->config, "scratch_bytes"))
        call.scratch = lb_kit_pointer(c->config[4]);
    for (place = 0; place < LB_NATIVE_PLACES; place++) {
        call.tensor[place] = c->count[place] ? &lb_kit_tensors[c->slot[place]] : NULL;
        call.count[place] = c->count[place];
    }
    memset(lb_kit_no_key, 0, sizeof lb_kit_no_key);
    result = lb_native_run(&call);
    c->result[LB_WIRE_R_STATUS] = lb_kit_no_key[0]               ? LB_WIRE_MISNAMED
                                  : result == LB_NATIVE_DECLINED ? LB_WIRE_DECLINED
                                  : result ? (uint32_t)result | LB_WIRE_FOREIGN_STATUS
                                           : 0;
}

static uint8_t *lb_kit_calls_start(uint8_t *memory, uint32_t *memory_bytes)
{
    (void)memory_bytes;
    return memory;
}
