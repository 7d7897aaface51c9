/* Names and shapes of an ONNX file: see model.h. The wire format of protocol buffers is fields of
 * number, kind and value; a message is a field of bytes. Every length is held to the message around
 * it, and what is not looked for is passed over, so nothing that a file says makes the reader run
 * away: its depth is that of the code, and its memory that of the names. */
#include "harness/encodings/model.h"

#include "harness/base/utf8.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum {
    WINDOW_BYTES = 1 << 16,
    MOST_NAME = 4096,
    MOST_TENSORS = 1 << 20,
    VARINT_BYTES = 10,
    /* kinds of the wire */
    VARINT = 0,
    FIXED64 = 1,
    BYTES = 2,
    FIXED32 = 5
};

typedef struct reader {
    const lb_onnx_source *source;
    lb_model *model;
    const char *why;
    uint8_t window[WINDOW_BYTES];
    uint64_t start; /* of the window */
    size_t held;
    size_t graphs;
} reader;

/* One field; of BYTES the place of its value. */
typedef struct field {
    uint64_t number, value, start, end;
    unsigned kind;
} field;

static bool refuse(reader *r, uint64_t at, const char *what)
{
    if (!r->why)
        r->why = lb_arena_printf(&r->model->arena, "byte %llu: %s", (unsigned long long)at, what);
    return false;
}

/* ---- Bytes ---- */

static bool fill(reader *r, uint64_t at)
{
    r->start = at;
    r->held = 0;
    while (r->held == 0) {
        ssize_t got = pread(r->source->fd, r->window, sizeof r->window, (off_t)at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return refuse(r, at, "the file cannot be read to its end");
        r->held = (size_t)got;
    }
    return true;
}

static bool byte_at(reader *r, uint64_t at, uint8_t *byte)
{
    if (r->source->fd < 0) {
        *byte = r->source->bytes[at];
        return true;
    }
    if ((at < r->start || at - r->start >= r->held) && !fill(r, at))
        return false;
    *byte = r->window[at - r->start];
    return true;
}

static bool read_varint(reader *r, uint64_t *at, uint64_t end, uint64_t *value)
{
    *value = 0;
    for (unsigned i = 0; i < VARINT_BYTES; i++) {
        uint8_t byte;
        if (*at >= end)
            return refuse(r, *at, "the message around this ends in the middle of a number");
        if (!byte_at(r, *at, &byte))
            return false;
        if (i == VARINT_BYTES - 1 && byte > 1)
            return refuse(r, *at, "a number of more than 64 bits");
        *value |= (uint64_t)(byte & 0x7F) << (7 * i);
        ++*at;
        if (!(byte & 0x80))
            return true;
    }
    return refuse(r, *at, "a number of more than 10 bytes");
}

/* The field at *at, which then is behind it. */
static bool read_field(reader *r, uint64_t *at, uint64_t end, field *f)
{
    uint64_t key, start = *at, length = 0;
    if (!read_varint(r, at, end, &key))
        return false;
    *f = (field){.number = key >> 3, .kind = key & 7};
    if (f->number == 0 || f->number > 536870911)
        return refuse(r, start, "a field without a number: this is no ONNX file");
    switch (f->kind) {
    case VARINT:
        return read_varint(r, at, end, &f->value);
    case FIXED64:
        length = 8;
        break;
    case FIXED32:
        length = 4;
        break;
    case BYTES:
        if (!read_varint(r, at, end, &length))
            return false;
        break;
    default:
        return refuse(r, start, "a field of a kind that ONNX does not use: this is no ONNX file");
    }
    if (length > end - *at)
        return refuse(r, start, "a field is longer than the message around it: it is cut short");
    f->start = *at;
    f->end = *at += length;
    return true;
}

/* Calls for every field of a message. */
typedef bool (*field_fn)(reader *r, const field *f, void *user);

static bool each_field(reader *r, uint64_t at, uint64_t end, field_fn fn, void *user)
{
    field f;
    while (at < end)
        if (!read_field(r, &at, end, &f) || !fn(r, &f, user))
            return false;
    return true;
}

static bool must_be(reader *r, const field *f, unsigned kind)
{
    return f->kind == kind || refuse(r, f->start, "a field of another kind than ONNX gives it");
}

static bool read_name(reader *r, const field *f, char name[MOST_NAME + 1])
{
    size_t length = (size_t)(f->end - f->start);
    if (!must_be(r, f, BYTES))
        return false;
    if (f->end - f->start > MOST_NAME)
        return refuse(r, f->start, "a name of more than 4,096 bytes");
    for (size_t i = 0; i < length; i++) {
        uint8_t byte;
        if (!byte_at(r, f->start + i, &byte))
            return false;
        name[i] = (char)byte;
    }
    name[length] = '\0';
    for (size_t i = 0; i < length;) {
        uint32_t code_point;
        unsigned bytes = lb_utf8_decode(name + i, length - i, &code_point);
        if (bytes == 0 || code_point == 0)
            return refuse(r, f->start, "a name that is no UTF-8");
        i += bytes;
    }
    return true;
}

/* ---- Messages of ONNX ---- */

/* What a message says of one tensor. */
typedef struct found {
    char name[MOST_NAME + 1];
    bool has_shape;
    unsigned rank; /* may be more than fits */
    int64_t shape[LB_MODEL_RANK];
    uint64_t type;
} found;

static void add_extent(found *t, int64_t extent)
{
    if (t->rank < LB_MODEL_RANK)
        t->shape[t->rank] = extent < 0 ? -1 : extent;
    t->rank++;
}

/* TypeProto.Tensor.shape.dim: 1 dim_value, 2 dim_param */
static bool read_dimension(reader *r, const field *f, void *user)
{
    int64_t *extent = user;
    if (f->number != 1)
        return true;
    *extent = f->value <= INT64_MAX ? (int64_t)f->value : -1;
    return must_be(r, f, VARINT);
}

/* TensorShapeProto: 1 dim */
static bool read_shape(reader *r, const field *f, void *user)
{
    int64_t extent = -1;
    if (f->number != 1)
        return true;
    if (!must_be(r, f, BYTES) || !each_field(r, f->start, f->end, read_dimension, &extent))
        return false;
    add_extent(user, extent);
    return true;
}

/* TypeProto.Tensor: 1 elem_type, 2 shape */
static bool read_tensor_type(reader *r, const field *f, void *user)
{
    found *t = user;
    if (f->number == 1)
        t->type = f->value;
    if (f->number != 2)
        return true;
    t->has_shape = true;
    return must_be(r, f, BYTES) && each_field(r, f->start, f->end, read_shape, t);
}

/* TypeProto: 1 tensor_type */
static bool read_type(reader *r, const field *f, void *user)
{
    return f->number != 1 ||
           (must_be(r, f, BYTES) && each_field(r, f->start, f->end, read_tensor_type, user));
}

/* ValueInfoProto: 1 name, 2 type */
static bool read_value_info(reader *r, const field *f, void *user)
{
    found *t = user;
    if (f->number == 1)
        return read_name(r, f, t->name);
    return f->number != 2 ||
           (must_be(r, f, BYTES) && each_field(r, f->start, f->end, read_type, t));
}

/* TensorProto: 1 dims (one by one, or packed), 2 data_type, 8 name */
static bool read_tensor(reader *r, const field *f, void *user)
{
    found *t = user;
    t->has_shape = true;
    if (f->number == 8)
        return read_name(r, f, t->name);
    if (f->number == 2)
        t->type = f->value;
    if (f->number != 1)
        return true;
    if (f->kind == VARINT) {
        add_extent(t, f->value <= INT64_MAX ? (int64_t)f->value : -1);
        return true;
    }
    if (!must_be(r, f, BYTES))
        return false;
    for (uint64_t at = f->start, extent; at < f->end;) {
        if (!read_varint(r, &at, f->end, &extent))
            return false;
        add_extent(t, extent <= INT64_MAX ? (int64_t)extent : -1);
    }
    return true;
}

/* SparseTensorProto: 1 values, whose name is that of the tensor; 3 dims */
static bool read_sparse(reader *r, const field *f, void *user)
{
    found *t = user, values = {.name = ""};
    if (f->number == 3 && f->kind == VARINT) {
        t->has_shape = true;
        add_extent(t, f->value <= INT64_MAX ? (int64_t)f->value : -1);
    }
    if (f->number != 1)
        return true;
    if (!must_be(r, f, BYTES) || !each_field(r, f->start, f->end, read_tensor, &values))
        return false;
    memcpy(t->name, values.name, sizeof t->name);
    t->type = values.type;
    return true;
}

static bool take(reader *r, uint64_t at, const found *t, bool is_due)
{
    if (t->name[0] == '\0')
        return true; /* an output that is left out */
    if (r->model->count >= MOST_TENSORS)
        return refuse(r, at, "more than 1,048,576 tensors");
    lb_model_tensor *tensor = lb_model_add(r->model, t->name);
    tensor->is_due |= is_due;
    if (!t->has_shape || t->rank > LB_MODEL_RANK || tensor->has_shape)
        return true;
    tensor->has_shape = true;
    tensor->rank = t->rank;
    memcpy(tensor->shape, t->shape, sizeof tensor->shape);
    return true;
}

/* NodeProto: 2 output */
static bool read_node(reader *r, const field *f, void *user)
{
    found *t = user;
    if (f->number != 2)
        return true;
    t->has_shape = false;
    return read_name(r, f, t->name) && take(r, f->start, t, false);
}

static bool is_float(uint64_t type)
{
    return type == 1 || type == 10 || type == 11 || type == 16;
}

/* GraphProto: 1 node, 5 initializer, 11 input, 12 output, 13 value_info, 15 sparse_initializer */
static bool read_graph(reader *r, const field *f, void *user)
{
    static const struct {
        uint64_t number;
        field_fn fn;
        bool is_due, is_node;
    } parts[] = {{1, read_node, false, true},         {5, read_tensor, true, false},
                 {11, read_value_info, true, false},  {12, read_value_info, false, false},
                 {13, read_value_info, false, false}, {15, read_sparse, true, false}};
    (void)user;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (f->number != parts[i].number)
            continue;
        found t = {.name = ""};
        if (!must_be(r, f, BYTES) || !each_field(r, f->start, f->end, parts[i].fn, &t))
            return false;
        return parts[i].is_node || take(r, f->start, &t, parts[i].is_due && is_float(t.type));
    }
    return true;
}

/* ModelProto: 7 graph */
static bool read_model(reader *r, const field *f, void *user)
{
    if (f->number != 7)
        return true;
    if (++r->graphs > 1)
        return refuse(r, f->start, "a second graph");
    return must_be(r, f, BYTES) && each_field(r, f->start, f->end, read_graph, user);
}

bool lb_onnx_read(const lb_onnx_source *source, lb_model *model, const char **why)
{
    reader *r = lb_arena_alloc(&model->arena, sizeof *r);
    r->source = source;
    r->model = model;
    r->why = NULL;
    bool good =
        each_field(r, 0, source->length, read_model, NULL) &&
        (r->graphs == 1 || refuse(r, source->length, "it has no graph: is it an ONNX file?"));
    *why = r->why;
    return good;
}
