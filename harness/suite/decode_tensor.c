/* The decoder: one TENSOR, and the rules between tensors of a case. */
#include "harness/base/suggest.h"
#include "harness/suite/decode_encoding.h"

#include <stdlib.h>
#include <string.h>

enum {
    T_TYPE,
    T_SHAPE,
    T_MEM_STRIDE,
    T_FRAC_BITS,
    T_SCALE,
    T_SCALE_FRAC_BITS,
    T_ZERO_POINT,
    T_AXIS,
    T_DATA,
    T_DATA_IN,
    T_QUANT_IN,
    T_NULL_DATA,
    T_RANK,
    T_EL_TYPE,
    T_CAPACITY,
    T_QUANT_CAPACITY,
    T_BUFFER_ELEMENTS,
    T_ENCODING,
    T_REAL_DATA,
    T_REAL_HALVES,
    T_KEY_COUNT
};

static const lb_key tensor_keys[] = {{"type", true},
                                     {"shape", true},
                                     {"mem_stride", false},
                                     {"frac_bits", false},
                                     {"scale", false},
                                     {"scale_frac_bits", false},
                                     {"zero_point", false},
                                     {"axis", false},
                                     {"data", false},
                                     {"data_in", false},
                                     {"quant_in", false},
                                     {"null_data", false},
                                     {"rank", false},
                                     {"el_type", false},
                                     {"capacity", false},
                                     {"quant_capacity", false},
                                     {"buffer_elements", false},
                                     {"encoding", false},
                                     {"real_data", false},
                                     {"real_halves", false},
                                     {NULL, false}};

/* ---- Shape and memory ---- */

static bool dimension_is_bad(uint32_t extent)
{
    return extent == 0 || extent > INT32_MAX;
}

/* Products of up to four dimensions, cut where they would no longer matter. */
static uint64_t times(uint64_t a, uint64_t b)
{
    const uint64_t limit = LB_MAX_CASE_ELEMENTS * 2;
    if (a > limit || b > limit || a * b > limit)
        return a == 0 || b == 0 ? 0 : limit;
    return a * b;
}

uint64_t lb_data_count(const lb_case_tensor *t)
{
    uint64_t count = 1;
    if (t->has_buffer_elements)
        return t->buffer_elements;
    for (unsigned i = 0; i < t->rank; i++)
        count = dimension_is_bad(t->shape[i]) ? 0 : times(count, t->shape[i]);
    return count;
}

/* Strides that keep all elements apart, as the tensor check wants them (numerics.md 2, rows 4 and
 * 5). */
static bool strides_are_valid(const lb_case_tensor *t)
{
    for (unsigned i = 0; i < t->rank; i++) {
        int64_t inner = i + 1 < t->rank ? (int64_t)t->shape[i + 1] * t->mem_stride[i + 1] : 1;
        if (dimension_is_bad(t->shape[i]) || t->mem_stride[i] < 1 || t->mem_stride[i] < inner)
            return false;
    }
    return true;
}

/* Elements of the tensor's buffer, gaps included. */
static uint64_t buffer_count(const lb_case_tensor *t)
{
    uint64_t count = 1;
    if (t->has_buffer_elements)
        return t->buffer_elements;
    if (t->has_mem_stride && strides_are_valid(t)) {
        for (unsigned i = 0; i < t->rank; i++)
            count += times(t->shape[i] - 1, (uint64_t)t->mem_stride[i]);
        return count;
    }
    for (unsigned i = 0; i < t->rank; i++)
        count = times(count, dimension_is_bad(t->shape[i]) ? 1 : t->shape[i]);
    return count;
}

bool lb_read_shape(lb_decoder *d, const cJSON *node, uint32_t shape[LB_MAX_RANK], unsigned *rank)
{
    size_t count;
    unsigned i = 0;
    unsigned found = d->found;
    if (!lb_read_list(d, node, 0, LB_MAX_RANK, "dimensions (the key \"rank\" overrides the rank)",
                      &count))
        return false;
    for (const cJSON *child = node->child; child; child = child->next, i++)
        lb_read_u32(d, child, "dimensions", &shape[i]);
    *rank = i;
    return d->found == found;
}

bool lb_read_strides(lb_decoder *d, const cJSON *node, int32_t mem_stride[LB_MAX_RANK],
                     unsigned *count)
{
    size_t entries;
    unsigned i = 0;
    unsigned found = d->found;
    if (!lb_read_list(d, node, 0, LB_MAX_RANK, "strides", &entries))
        return false;
    for (const cJSON *child = node->child; child; child = child->next, i++)
        lb_read_i32(d, child, "strides", &mem_stride[i]);
    *count = i;
    return d->found == found;
}

/* Adds a buffer to those of the case. What the first too many asks for is reported, not all that
 * follow. */
static bool check_size(lb_decoder *d, const cJSON *shape, uint64_t buffer)
{
    bool was_full = d->elements > LB_MAX_CASE_ELEMENTS;
    bool fits = buffer <= LB_MAX_BUFFER_ELEMENTS;
    if (fits)
        d->elements += buffer;
    if (!fits || (d->elements > LB_MAX_CASE_ELEMENTS && !was_full))
        lb_complain(d, shape, NULL,
                    "at most 134217728 elements a tensor and 268435456 a case, gaps included",
                    "the buffer is too large");
    return fits && d->elements <= LB_MAX_CASE_ELEMENTS;
}

static bool decode_shape(lb_decoder *d, const cJSON **slots, lb_case_tensor *t)
{
    unsigned strides;
    int64_t elements;
    if (!slots[T_SHAPE] || !lb_read_shape(d, slots[T_SHAPE], t->shape, &t->rank))
        return false;
    if (slots[T_MEM_STRIDE]) {
        if (!lb_read_strides(d, slots[T_MEM_STRIDE], t->mem_stride, &strides))
            return false;
        t->has_mem_stride = true;
        if (strides != t->rank) {
            lb_complain(d, slots[T_MEM_STRIDE], NULL, "one stride per dimension of shape",
                        "%u strides for %u dimensions", strides, t->rank);
            return false;
        }
    }
    if (slots[T_BUFFER_ELEMENTS]) {
        if (!lb_read_integer(d, slots[T_BUFFER_ELEMENTS], 1, (int64_t)LB_MAX_BUFFER_ELEMENTS,
                             "elements", &elements))
            return false;
        t->has_buffer_elements = true;
        t->buffer_elements = (uint64_t)elements;
        if (t->rank == 0)
            lb_complain_key(d, slots[T_BUFFER_ELEMENTS], "leave it out",
                            "a tensor of rank 0 has no buffer");
    }
    return check_size(d, slots[T_SHAPE], buffer_count(t));
}

/* `rule`: how real numbers become containers; NULL: the data are containers. */
static void decode_data(lb_decoder *d, const cJSON *node, const lb_real_rule *rule,
                        lb_case_tensor *t)
{
    uint64_t due = lb_data_count(t);
    if (!rule && lb_is_packed_data(node)) {
        t->has_data = lb_read_packed_data(d, node, t->type, (size_t)due, &t->data);
        return;
    }
    if (!rule && lb_is_npy_data(node)) {
        t->has_data = lb_read_npy_data(d, node, t, t->type, due, &t->data);
        return;
    }
    if (cJSON_IsObject(node) && !rule) {
        t->has_data = lb_read_generator(d, node, t->type, (size_t)due, &t->data);
        return;
    }
    if (rule ? !lb_read_real_data(d, node, t, rule, due, &t->data)
             : !lb_read_data(d, node, t->type, &t->data))
        return;
    t->has_data = true;
    if (t->data.count == due)
        return;
    const char *source = t->has_buffer_elements ? "buffer_elements" : "the shape";
    lb_complain(d, node, NULL, "", "%zu %s where %s asks for %llu", t->data.count,
                t->data.count == 1 ? "number" : "numbers", source, (unsigned long long)due);
}

/* ---- Quantization ---- */

static const unsigned quant_slots[LB_PARAMS] = {T_SCALE, T_ZERO_POINT, T_SCALE_FRAC_BITS};

bool lb_read_param(lb_decoder *d, const cJSON *node, const lb_param *param, lb_values *values)
{
    int64_t number;
    if (cJSON_IsArray(node))
        return lb_read_integers(d, node, param->low, param->high, param->name, values);
    if (!lb_read_integer(d, node, param->low, param->high, param->name, &number))
        return false;
    values->items = lb_arena_alloc(d->arena, sizeof *values->items);
    values->items[0] = (int32_t)number;
    values->count = 1;
    return true;
}

/* One number per tensor, or the list of an axis; its entries end up in the narrow array of the
 * tensor. */
static bool read_quant(lb_decoder *d, const cJSON *node, unsigned q, bool per_axis,
                       lb_values *values)
{
    if (per_axis != cJSON_IsArray(node)) {
        lb_complain(d, node, NULL, "axis -1 goes with numbers, any other axis with lists",
                    "%s beside axis %s", lb_describe(node).text, per_axis ? ">= 0" : "-1");
        return false;
    }
    return lb_read_param(d, node, &lb_params[q], values);
}

static void store_quant(lb_decoder *d, const lb_values values[3], lb_case_tensor *t)
{
    size_t count = values[0].count;
    t->quant_count = count;
    t->scale = lb_arena_array(d->arena, count, sizeof *t->scale);
    t->zero_point = lb_arena_array(d->arena, count, sizeof *t->zero_point);
    t->scale_frac_bits = lb_arena_array(d->arena, count, sizeof *t->scale_frac_bits);
    for (size_t i = 0; i < count; i++) {
        t->scale[i] = (int16_t)values[0].items[i];
        t->zero_point[i] = (int16_t)values[1].items[i];
        t->scale_frac_bits[i] = (int8_t)values[2].items[i];
    }
}

static void decode_own_quant(lb_decoder *d, const cJSON *node, const cJSON **slots,
                             lb_case_tensor *t)
{
    lb_values values[3] = {{NULL, 0, NULL}, {NULL, 0, NULL}, {NULL, 0, NULL}};
    unsigned found = d->found;
    int64_t axis = -1;
    for (unsigned q = 0; q < 3; q++)
        if (!slots[quant_slots[q]])
            lb_complain(
                d, node, lb_params[q].name, "",
                "the key is missing: sa types have scale, scale_frac_bits, zero_point and axis");
    if (!slots[T_AXIS])
        lb_complain(d, node, "axis", "-1: one scale for the tensor", "the key is missing");
    else if (lb_read_integer(d, slots[T_AXIS], -1, INT32_MAX, "axis", &axis))
        t->axis = (int32_t)axis;
    if (d->found != found)
        return;
    for (unsigned q = 0; q < 3; q++)
        read_quant(d, slots[quant_slots[q]], q, axis >= 0, &values[q]);
    if (d->found != found)
        return;
    for (unsigned q = 0; q < 3; q++)
        if (values[q].count != values[0].count || values[q].count == 0) {
            lb_complain(d, slots[quant_slots[q]], NULL,
                        "the three lists have one entry per index of the axis, at least one",
                        "%zu entries, and scale has %zu", values[q].count, values[0].count);
            return;
        }
    store_quant(d, values, t);
}

static void decode_quant_capacity(lb_decoder *d, const cJSON *node, lb_case_tensor *t)
{
    static const lb_key keys[] = {
        {"scale", false}, {"zero_point", false}, {"scale_frac_bits", false}, {NULL, false}};
    const cJSON *slots[3];
    if (!lb_read_members(d, node, keys, slots))
        return;
    for (unsigned q = 0; q < 3; q++)
        if (slots[q])
            t->has_quant_capacity[q] = lb_read_u32(d, slots[q], "bytes", &t->quant_capacity[q]);
}

/* Keys that do not go with the tensor's type, or with each other. */
static void refuse_slot(lb_decoder *d, const cJSON **slots, unsigned slot, const char *why)
{
    if (slots[slot])
        lb_complain_key(d, slots[slot], "leave it out", "\"%s\" %s", tensor_keys[slot].name, why);
}

static void decode_sa(lb_decoder *d, const cJSON *node, const cJSON **slots, lb_case_tensor *t)
{
    refuse_slot(d, slots, T_FRAC_BITS, "belongs to fx types");
    t->axis = -1;
    if (!slots[T_QUANT_IN]) {
        decode_own_quant(d, node, slots, t);
    } else {
        for (unsigned q = 0; q < 3; q++)
            refuse_slot(d, slots, quant_slots[q], "stands beside quant_in, which takes its place");
        refuse_slot(d, slots, T_AXIS, "stands beside quant_in, which takes its place");
        t->has_quant_in = true;
        t->quant_null = cJSON_IsNull(slots[T_QUANT_IN]);
        if (!t->quant_null)
            lb_read_tensor_ref(d, slots[T_QUANT_IN], "entry", &t->quant_in);
    }
    if (slots[T_QUANT_CAPACITY])
        decode_quant_capacity(d, slots[T_QUANT_CAPACITY], t);
}

/* What an encodings file says takes the place of everything else. */
static void decode_file_quant(lb_decoder *d, const cJSON **slots, bool has_shape, lb_case_tensor *t,
                              lb_real_rule *rule)
{
    static const unsigned replaced[] = {T_FRAC_BITS,  T_SCALE, T_SCALE_FRAC_BITS,
                                        T_ZERO_POINT, T_AXIS,  T_QUANT_IN};
    for (size_t i = 0; i < sizeof replaced / sizeof replaced[0]; i++)
        refuse_slot(d, slots, replaced[i], "stands beside encoding, which takes its place");
    if (slots[T_QUANT_CAPACITY] && !lb_is_sa((uint32_t)t->type))
        refuse_slot(d, slots, T_QUANT_CAPACITY, "belongs to sa types");
    else if (slots[T_QUANT_CAPACITY])
        decode_quant_capacity(d, slots[T_QUANT_CAPACITY], t);
    t->axis = -1;
    if (has_shape)
        lb_decode_encoding(d, slots[T_ENCODING], t, rule);
}

static void decode_quantization(lb_decoder *d, const cJSON *node, const cJSON **slots,
                                lb_case_tensor *t)
{
    static const unsigned sa_slots[] = {T_SCALE, T_SCALE_FRAC_BITS, T_ZERO_POINT,
                                        T_AXIS,  T_QUANT_IN,        T_QUANT_CAPACITY};
    int64_t frac_bits;
    if (lb_is_sa((uint32_t)t->type)) {
        decode_sa(d, node, slots, t);
        return;
    }
    for (size_t i = 0; i < sizeof sa_slots / sizeof sa_slots[0]; i++)
        refuse_slot(d, slots, sa_slots[i], "belongs to sa types");
    if (!lb_is_fx((uint32_t)t->type))
        refuse_slot(d, slots, T_FRAC_BITS, "belongs to fx types");
    else if (!slots[T_FRAC_BITS])
        lb_complain(d, node, "frac_bits", "", "the key is missing: fx types have frac_bits");
    else if (lb_read_integer(d, slots[T_FRAC_BITS], INT8_MIN, INT8_MAX, "frac_bits", &frac_bits))
        t->frac_bits = (int8_t)frac_bits;
}

/* ---- The tensor ---- */

static void decode_overrides(lb_decoder *d, const cJSON **slots, lb_case_tensor *t)
{
    if (slots[T_NULL_DATA])
        lb_read_bool(d, slots[T_NULL_DATA], &t->null_data);
    if (slots[T_RANK])
        t->has_rank = lb_read_u32(d, slots[T_RANK], "rank", &t->rank_override);
    if (slots[T_EL_TYPE])
        t->has_el_type = lb_read_u32(d, slots[T_EL_TYPE], "el_type", &t->el_type);
    if (slots[T_CAPACITY])
        t->has_capacity = lb_read_u32(d, slots[T_CAPACITY], "bytes", &t->capacity_bytes);
}

static void decode_data_in(lb_decoder *d, const cJSON **slots, lb_case_tensor *t)
{
    if (!slots[T_DATA_IN])
        return;
    t->has_data_in = lb_read_tensor_ref(d, slots[T_DATA_IN], "element", &t->data_in);
    t->has_data = false; /* what stands beside data_in is ignored */
    refuse_slot(d, slots, T_BUFFER_ELEMENTS, "stands beside data_in: such a tensor has no buffer");
    if (t->null_data)
        refuse_slot(d, slots, T_NULL_DATA, "stands beside data_in");
    if (t->rank == 0 && slots[T_SHAPE])
        lb_complain_key(d, slots[T_DATA_IN], "leave it out",
                        "a tensor of rank 0 has no data pointer");
}

/* Quantization and data, as the keys have them. Type and shape are known. */
static void decode_contents(lb_decoder *d, const cJSON *node, const cJSON **slots, bool has_shape,
                            lb_case_tensor *t)
{
    static const char *const halves[] = {"even", "up", NULL};
    lb_real_rule rule = {.halves = LB_HALVES_TO_EVEN};
    unsigned chosen = 0;
    unsigned found = d->found;
    if (slots[T_ENCODING])
        decode_file_quant(d, slots, has_shape, t, &rule);
    else
        decode_quantization(d, node, slots, t);
    if (slots[T_DATA] && slots[T_REAL_DATA])
        refuse_slot(d, slots, T_DATA, "stands beside real_data, which takes its place");
    else if (slots[T_DATA] && has_shape)
        decode_data(d, slots[T_DATA], NULL, t);
    if (slots[T_REAL_HALVES] && !slots[T_REAL_DATA])
        refuse_slot(d, slots, T_REAL_HALVES, "says how real_data are rounded, and there are none");
    if (!slots[T_REAL_DATA] || !has_shape || d->found != found)
        return;
    if (slots[T_REAL_HALVES] && lb_read_choice(d, slots[T_REAL_HALVES], halves, &chosen))
        rule.halves = chosen == 1 ? LB_HALVES_UP : LB_HALVES_TO_EVEN;
    if (!slots[T_ENCODING])
        lb_own_rule(d, t, &rule);
    decode_data(d, slots[T_REAL_DATA], &rule, t);
}

bool lb_decode_tensor(lb_decoder *d, const cJSON *node, lb_case_tensor *t)
{
    const cJSON *slots[T_KEY_COUNT];
    unsigned found = d->found;
    bool has_type = false;
    lb_read_members(d, node, tensor_keys, slots);
    if (!cJSON_IsObject(node))
        return false;
    bool has_shape = decode_shape(d, slots, t);
    if (slots[T_TYPE])
        has_type = lb_read_type(d, slots[T_TYPE], &t->type);
    decode_overrides(d, slots, t);
    if (has_type)
        decode_contents(d, node, slots, has_shape, t);
    decode_data_in(d, slots, t);
    return d->found == found;
}

/* ---- References between tensors ---- */

bool lb_read_tensor_name(lb_decoder *d, const cJSON *node, lb_tensor_ref *ref)
{
    const char *text = lb_read_text(d, node);
    if (!text)
        return false;
    char name[32] = "";
    size_t length = strcspn(text, "[");
    unsigned long index = 0;
    bool well_formed = length < sizeof name;
    if (well_formed && text[length] == '[') {
        char *end = NULL;
        index = strtoul(text + length + 1, &end, 10);
        well_formed = text[length + 1] >= '0' && text[length + 1] <= '9' && strcmp(end, "]") == 0 &&
                      index < LB_MAX_LIST;
    }
    if (well_formed)
        memcpy(name, text, length);
    int role = well_formed ? lb_role_find(name) : -1;
    if (role < 0) {
        lb_complain(d, node, NULL, "a role of the case, such as \"in\", or \"in[1]\" in a list",
                    "no tensor is called %s", lb_describe(node).text);
        return false;
    }
    *ref = (lb_tensor_ref){.role = (lb_role)role, .list_index = (unsigned)index};
    return true;
}

bool lb_read_tensor_ref(lb_decoder *d, const cJSON *node, const char *start_key, lb_tensor_ref *ref)
{
    const lb_key keys[] = {{"tensor", true}, {start_key, true}, {NULL, false}};
    const cJSON *slots[2];
    int64_t start;
    if (!lb_read_members(d, node, keys, slots) || !lb_read_tensor_name(d, slots[0], ref) ||
        !lb_read_integer(d, slots[1], 0, (int64_t)LB_MAX_BUFFER_ELEMENTS, start_key, &start))
        return false;
    ref->start = (uint64_t)start;
    return true;
}

const lb_case_tensor *lb_referred_tensor(const lb_case *c, const lb_tensor_ref *ref)
{
    const lb_case_operand *operand = &c->operand[ref->role];
    return operand->present && ref->list_index < operand->count ? &operand->tensors[ref->list_index]
                                                                : NULL;
}

static void check_data_in(lb_decoder *d, const cJSON *node, const lb_case_tensor *t)
{
    const lb_case_tensor *target = lb_referred_tensor(d->c, &t->data_in);
    node = lb_member_or_self(node, "data_in");
    if (!target)
        lb_complain(d, node, NULL, "name a tensor of inputs or outputs",
                    "the case has no such tensor");
    else if (target->has_data_in || target->rank == 0)
        lb_complain(d, node, NULL, "name the tensor that owns the buffer",
                    "that tensor has no buffer of its own");
    else if (t->data_in.start >= buffer_count(target))
        lb_complain(d, node, NULL, "an element of that buffer", "element %llu of a buffer of %llu",
                    (unsigned long long)t->data_in.start, (unsigned long long)buffer_count(target));
}

static void check_quant_in(lb_decoder *d, const cJSON *node, const lb_case_tensor *t)
{
    const lb_case_tensor *target = lb_referred_tensor(d->c, &t->quant_in);
    node = lb_member_or_self(node, "quant_in");
    if (!target)
        lb_complain(d, node, NULL, "name a tensor of inputs or outputs",
                    "the case has no such tensor");
    else if (!lb_is_sa((uint32_t)target->type) || target->has_quant_in)
        lb_complain(d, node, NULL, "name a tensor of an sa type with scales of its own",
                    "that tensor has no quantization parameters of its own");
    else if (t->quant_in.start >= target->quant_count)
        lb_complain(d, node, NULL, "an entry of those lists", "entry %llu of %zu",
                    (unsigned long long)t->quant_in.start, target->quant_count);
}

void lb_check_references(lb_decoder *d)
{
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        const lb_case_operand *operand = &d->c->operand[role];
        for (unsigned i = 0; operand->present && i < operand->count; i++) {
            const lb_case_tensor *t = &operand->tensors[i];
            if (t->has_data_in)
                check_data_in(d, d->tensor_node[role][i], t);
            if (t->has_quant_in && !t->quant_null)
                check_quant_in(d, d->tensor_node[role][i], t);
        }
    }
}
