/* From the bytes of a .tflite file to tensors and operators: see model.h. The numbers of fields are
 * those of version 3 of the format. */
#include "harness/tflite/model.h"

#include <stdio.h>
#include <string.h>

#define FIELD(number, name) ((lb_flat_field){number, name})

enum { NOT_SIGNED = 0xFF };

typedef struct reader {
    lb_flat *f;
    lb_tflite_model *model;
    lb_flat_vector codes, subgraphs, buffers;
    lb_flat_vector tensors, operators;
} reader;

static void set_place(reader *r, const char *list, size_t i)
{
    snprintf(r->f->place, sizeof r->f->place, "%s[%zu]", list, i);
}

/* ---- Tensors ---- */

/* Bytes of a buffer stand in it, or behind the FlatBuffer. */
static bool read_buffer(reader *r, int64_t number, lb_flat_vector *data)
{
    lb_flat_table buffer;
    int64_t offset, bytes;
    if (number < 0 || number >= r->buffers.count)
        return lb_flat_refuse(r->f, r->buffers.at, "buffer: there is no buffer %lld, only %u",
                              (long long)number, r->buffers.count);
    if (!lb_flat_table_of(r->f, &r->buffers, (uint32_t)number, &buffer) ||
        !lb_flat_vector_of(r->f, &buffer, FIELD(0, "buffer.data"), 1, data) ||
        !lb_flat_number(r->f, &buffer, FIELD(1, "buffer.offset"), 8, 0, &offset) ||
        !lb_flat_number(r->f, &buffer, FIELD(2, "buffer.size"), 8, 0, &bytes))
        return false;
    const bool is_outside = offset > 1 && data->count == 0;
    if (is_outside) {
        if ((uint64_t)offset > r->f->size || (uint64_t)bytes > r->f->size - (uint64_t)offset)
            return lb_flat_refuse(r->f, buffer.at,
                                  "buffer.offset, buffer.size: %lld bytes from byte %lld on lie "
                                  "outside of the file of %zu bytes",
                                  (long long)bytes, (long long)offset, r->f->size);
        *data = (lb_flat_vector){.at = (size_t)offset, .count = (uint32_t)bytes};
    }
    data->is_there = data->count > 0;
    return true;
}

static bool read_quantization(reader *r, const lb_flat_table *table, lb_tflite_tensor *t)
{
    lb_flat_table q;
    bool there;
    int64_t details, dimension;
    if (!lb_flat_table_in(r->f, table, FIELD(4, "quantization"), &there, &q))
        return false;
    if (!there)
        return true;
    if (!lb_flat_vector_of(r->f, &q, FIELD(2, "quantization.scale"), 4, &t->scale) ||
        !lb_flat_vector_of(r->f, &q, FIELD(3, "quantization.zero_point"), 8, &t->zero_point) ||
        !lb_flat_number(r->f, &q, FIELD(4, "quantization.details_type"), 1, 0, &details) ||
        !lb_flat_number(r->f, &q, FIELD(6, "quantization.quantized_dimension"), 4, 0, &dimension))
        return false;
    t->has_other_quantization = details != 0;
    t->quantized_dimension = (int32_t)dimension;
    return true;
}

static bool read_shape(reader *r, const lb_flat_table *table, lb_tflite_tensor *t)
{
    lb_flat_vector shape;
    if (!lb_flat_vector_of(r->f, table, FIELD(0, "shape"), 4, &shape))
        return false;
    t->rank = shape.count;
    for (uint32_t i = 0; i < shape.count && i < LB_TFLITE_MAX_RANK; i++) {
        t->shape[i] = lb_flat_int32(r->f, &shape, i);
        if (t->shape[i] < LB_TFLITE_UNKNOWN_SIZE)
            return lb_flat_refuse(r->f, shape.at + 4 * (size_t)i, "shape: dimension %u is %d", i,
                                  t->shape[i]);
    }
    return true;
}

static bool read_tensor(reader *r, size_t i)
{
    lb_tflite_tensor *t = &r->model->tensors[i];
    lb_flat_table table;
    int64_t type, buffer;
    bool sparse;
    lb_flat_table sparsity;
    set_place(r, "tensors", i);
    if (!lb_flat_table_of(r->f, &r->tensors, (uint32_t)i, &table) ||
        !lb_flat_number(r->f, &table, FIELD(1, "type"), 1, 0, &type) ||
        !lb_flat_number(r->f, &table, FIELD(2, "buffer"), 4, 0, &buffer) ||
        !lb_flat_text(r->f, &table, FIELD(3, "name"), &t->name) ||
        !lb_flat_table_in(r->f, &table, FIELD(6, "sparsity"), &sparse, &sparsity) ||
        !read_shape(r, &table, t) || !read_quantization(r, &table, t) ||
        !read_buffer(r, buffer, &t->data))
        return false;
    t->at = table.at;
    t->type = (int)type;
    t->is_sparse = sparse;
    return true;
}

/* ---- Operators ---- */

/* A field of the options of an operator: a number of 1 or 4 bytes, or (bytes 0) a float. */
typedef struct option_field {
    int code; /* of the operator */
    int kind; /* of the table of options, as the file numbers them */
    lb_flat_field field;
    unsigned bytes;
    int32_t otherwise;
    size_t offset; /* in lb_tflite_options */
} option_field;

#define OF(member) offsetof(lb_tflite_options, member)
#define BYTE       1, 0
#define INT        4, 0
#define INT_ONE    4, 1
#define REAL       0, 0

/* clang-format off */
static const option_field option_fields[] = {
    {LB_TFLITE_CONV_2D, 1, {0, "options.padding"}, BYTE, OF(padding)},
    {LB_TFLITE_CONV_2D, 1, {1, "options.stride_w"}, INT, OF(stride_w)},
    {LB_TFLITE_CONV_2D, 1, {2, "options.stride_h"}, INT, OF(stride_h)},
    {LB_TFLITE_CONV_2D, 1, {3, "options.fused_activation_function"}, BYTE, OF(fused)},
    {LB_TFLITE_CONV_2D, 1, {4, "options.dilation_w_factor"}, INT_ONE, OF(dilation_w)},
    {LB_TFLITE_CONV_2D, 1, {5, "options.dilation_h_factor"}, INT_ONE, OF(dilation_h)},
    {LB_TFLITE_DEPTHWISE_CONV_2D, 2, {0, "options.padding"}, BYTE, OF(padding)},
    {LB_TFLITE_DEPTHWISE_CONV_2D, 2, {1, "options.stride_w"}, INT, OF(stride_w)},
    {LB_TFLITE_DEPTHWISE_CONV_2D, 2, {2, "options.stride_h"}, INT, OF(stride_h)},
    {LB_TFLITE_DEPTHWISE_CONV_2D, 2, {3, "options.depth_multiplier"}, INT, OF(depth_multiplier)},
    {LB_TFLITE_DEPTHWISE_CONV_2D, 2, {4, "options.fused_activation_function"}, BYTE, OF(fused)},
    {LB_TFLITE_DEPTHWISE_CONV_2D, 2, {5, "options.dilation_w_factor"}, INT_ONE, OF(dilation_w)},
    {LB_TFLITE_DEPTHWISE_CONV_2D, 2, {6, "options.dilation_h_factor"}, INT_ONE, OF(dilation_h)},
    {LB_TFLITE_AVERAGE_POOL_2D, 5, {0, "options.padding"}, BYTE, OF(padding)},
    {LB_TFLITE_AVERAGE_POOL_2D, 5, {1, "options.stride_w"}, INT, OF(stride_w)},
    {LB_TFLITE_AVERAGE_POOL_2D, 5, {2, "options.stride_h"}, INT, OF(stride_h)},
    {LB_TFLITE_AVERAGE_POOL_2D, 5, {3, "options.filter_width"}, INT, OF(filter_w)},
    {LB_TFLITE_AVERAGE_POOL_2D, 5, {4, "options.filter_height"}, INT, OF(filter_h)},
    {LB_TFLITE_AVERAGE_POOL_2D, 5, {5, "options.fused_activation_function"}, BYTE, OF(fused)},
    {LB_TFLITE_MAX_POOL_2D, 5, {0, "options.padding"}, BYTE, OF(padding)},
    {LB_TFLITE_MAX_POOL_2D, 5, {1, "options.stride_w"}, INT, OF(stride_w)},
    {LB_TFLITE_MAX_POOL_2D, 5, {2, "options.stride_h"}, INT, OF(stride_h)},
    {LB_TFLITE_MAX_POOL_2D, 5, {3, "options.filter_width"}, INT, OF(filter_w)},
    {LB_TFLITE_MAX_POOL_2D, 5, {4, "options.filter_height"}, INT, OF(filter_h)},
    {LB_TFLITE_MAX_POOL_2D, 5, {5, "options.fused_activation_function"}, BYTE, OF(fused)},
    {LB_TFLITE_FULLY_CONNECTED, 8, {0, "options.fused_activation_function"}, BYTE, OF(fused)},
    {LB_TFLITE_FULLY_CONNECTED, 8, {1, "options.weights_format"}, BYTE, OF(weights_format)},
    {LB_TFLITE_SOFTMAX, 9, {0, "options.beta"}, REAL, OF(beta)},
    {LB_TFLITE_ADD, 11, {0, "options.fused_activation_function"}, BYTE, OF(fused)},
    {LB_TFLITE_ADD, 11, {1, "options.pot_scale_int16"}, 1, 1, OF(pot_scale_int16)},
    {LB_TFLITE_L2_NORMALIZATION, 12, {0, "options.fused_activation_function"}, BYTE, OF(fused)},
    {LB_TFLITE_MUL, 21, {0, "options.fused_activation_function"}, BYTE, OF(fused)},
    {LB_TFLITE_SUB, 28, {0, "options.fused_activation_function"}, BYTE, OF(fused)},
    {LB_TFLITE_SUB, 28, {1, "options.pot_scale_int16"}, 1, 1, OF(pot_scale_int16)},
    {LB_TFLITE_TRANSPOSE_CONV, 49, {0, "options.padding"}, BYTE, OF(padding)},
    {LB_TFLITE_TRANSPOSE_CONV, 49, {1, "options.stride_w"}, INT, OF(stride_w)},
    {LB_TFLITE_TRANSPOSE_CONV, 49, {2, "options.stride_h"}, INT, OF(stride_h)},
    {LB_TFLITE_TRANSPOSE_CONV, 49, {3, "options.fused_activation_function"}, BYTE, OF(fused)},
    {LB_TFLITE_LEAKY_RELU, 75, {0, "options.alpha"}, REAL, OF(alpha)},
};
/* clang-format on */

enum { OPTION_FIELDS = sizeof option_fields / sizeof option_fields[0] };

static bool read_option(reader *r, const option_field *row, const lb_flat_table *options,
                        lb_tflite_operator *o)
{
    char *into = (char *)&o->options + row->offset;
    int64_t number = row->otherwise;
    float real = 0;
    if (row->bytes == 0) {
        if (options->bytes && !lb_flat_float(r->f, options, row->field, 0, &real))
            return false;
        memcpy(into, &real, sizeof real);
        return true;
    }
    if (options->bytes &&
        !lb_flat_number(r->f, options, row->field, row->bytes, row->otherwise, &number))
        return false;
    const int32_t kept = (int32_t)number;
    memcpy(into, &kept, sizeof kept);
    return true;
}

static bool read_options(reader *r, const lb_flat_table *table, lb_tflite_operator *o)
{
    lb_flat_table options = {.bytes = 0};
    int64_t kind;
    bool there;
    if (!lb_flat_number(r->f, table, FIELD(3, "builtin_options_type"), 1, 0, &kind) ||
        !lb_flat_table_in(r->f, table, FIELD(4, "builtin_options"), &there, &options))
        return false;
    for (unsigned i = 0; i < OPTION_FIELDS; i++) {
        const option_field *row = &option_fields[i];
        if (row->code != o->code)
            continue;
        if (there && (kind & NOT_SIGNED) != row->kind)
            return lb_flat_refuse(r->f, table->at,
                                  "builtin_options_type: %lld, and operator %d has options %d",
                                  (long long)(kind & NOT_SIGNED), o->code, row->kind);
        if (!read_option(r, row, &options, o))
            return false;
    }
    return true;
}

static bool read_operands(reader *r, const lb_flat_table *table, lb_flat_field field,
                          int32_t *operands, unsigned *count)
{
    lb_flat_vector v;
    if (!lb_flat_vector_of(r->f, table, field, 4, &v))
        return false;
    *count = v.count;
    for (uint32_t i = 0; i < v.count && i < LB_TFLITE_MAX_OPERANDS; i++) {
        operands[i] = lb_flat_int32(r->f, &v, i);
        if (operands[i] < LB_TFLITE_NO_TENSOR ||
            (operands[i] >= 0 && (size_t)operands[i] >= r->model->tensor_count))
            return lb_flat_refuse(r->f, v.at + 4 * (size_t)i, "%s: there is no tensor %d, only %zu",
                                  field.name, operands[i], r->model->tensor_count);
    }
    return true;
}

/* Older files have a byte for the number of an operator, newer ones a wider field beside it. */
static bool read_code(reader *r, int64_t index, lb_tflite_operator *o)
{
    lb_flat_table code;
    int64_t old, wide, version;
    if (index < 0 || index >= r->codes.count)
        return lb_flat_refuse(r->f, r->codes.at,
                              "opcode_index: there is no operator code %lld, only %u",
                              (long long)index, r->codes.count);
    if (!lb_flat_table_of(r->f, &r->codes, (uint32_t)index, &code) ||
        !lb_flat_number(r->f, &code, FIELD(0, "operator_code.deprecated_builtin_code"), 1, 0,
                        &old) ||
        !lb_flat_text(r->f, &code, FIELD(1, "operator_code.custom_code"), &o->custom) ||
        !lb_flat_number(r->f, &code, FIELD(2, "operator_code.version"), 4, 1, &version) ||
        !lb_flat_number(r->f, &code, FIELD(3, "operator_code.builtin_code"), 4, 0, &wide))
        return false;
    o->code = (int)(wide > old ? wide : old);
    o->version = (int32_t)version;
    return true;
}

static bool read_operator(reader *r, size_t i)
{
    lb_tflite_operator *o = &r->model->operators[i];
    lb_flat_table table;
    int64_t index;
    set_place(r, "operators", i);
    if (!lb_flat_table_of(r->f, &r->operators, (uint32_t)i, &table) ||
        !lb_flat_number(r->f, &table, FIELD(0, "opcode_index"), 4, 0, &index) ||
        !read_code(r, index, o) ||
        !read_operands(r, &table, FIELD(1, "inputs"), o->inputs, &o->input_count) ||
        !read_operands(r, &table, FIELD(2, "outputs"), o->outputs, &o->output_count))
        return false;
    o->at = table.at;
    return read_options(r, &table, o);
}

/* ---- The model ---- */

static bool read_lists(reader *r)
{
    lb_flat_table model, subgraph;
    int64_t version;
    if (!lb_flat_root(r->f, "TFL3", &model))
        return false;
    set_place(r, "model", 0);
    if (!lb_flat_number(r->f, &model, FIELD(0, "version"), 4, 0, &version) ||
        !lb_flat_vector_of(r->f, &model, FIELD(1, "operator_codes"), 4, &r->codes) ||
        !lb_flat_vector_of(r->f, &model, FIELD(2, "subgraphs"), 4, &r->subgraphs) ||
        !lb_flat_vector_of(r->f, &model, FIELD(4, "buffers"), 4, &r->buffers))
        return false;
    if (version != 3)
        return lb_flat_refuse(r->f, model.at, "version: %lld, and this reads version 3",
                              (long long)version);
    if (r->subgraphs.count == 0)
        return lb_flat_refuse(r->f, model.at, "subgraphs: there is none");
    set_place(r, "subgraphs", 0);
    return lb_flat_table_of(r->f, &r->subgraphs, 0, &subgraph) &&
           lb_flat_vector_of(r->f, &subgraph, FIELD(0, "tensors"), 4, &r->tensors) &&
           lb_flat_vector_of(r->f, &subgraph, FIELD(3, "operators"), 4, &r->operators);
}

bool lb_tflite_read(lb_tflite_model *model, const uint8_t *bytes, size_t size)
{
    *model = (lb_tflite_model){.flat = {.bytes = bytes, .size = size}};
    model->flat.arena = &model->arena;
    reader r = {.f = &model->flat, .model = model};
    if (!read_lists(&r))
        return false;
    model->subgraphs = r.subgraphs.count;
    model->tensor_count = r.tensors.count;
    model->operator_count = r.operators.count;
    model->tensors = lb_arena_array(&model->arena, r.tensors.count, sizeof *model->tensors);
    model->operators = lb_arena_array(&model->arena, r.operators.count, sizeof *model->operators);
    for (size_t i = 0; i < model->tensor_count; i++)
        if (!read_tensor(&r, i))
            return false;
    for (size_t i = 0; i < model->operator_count; i++)
        if (!read_operator(&r, i))
            return false;
    return true;
}

void lb_tflite_free(lb_tflite_model *model)
{
    lb_arena_free(&model->arena);
}
