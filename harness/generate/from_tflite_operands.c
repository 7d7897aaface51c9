/* Tensors of a .tflite model as operands of a case: see from_tflite_case.h. */
#include "harness/generate/from_tflite_case.h"
#include "harness/generate/random_build.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { MOST_ELEMENTS = 1 << 24 };

bool lb_tflite_refuse(lb_tflite_build *b, const char *format, ...)
{
    char text[300];
    va_list arguments;
    if (b->why)
        return false;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    b->why = lb_arena_strdup(b->arena, text);
    return false;
}

static const lb_tflite_tensor *operand(lb_tflite_build *b, const int32_t *numbers, unsigned count,
                                       unsigned place, const char *what)
{
    if (place >= count || place >= LB_TFLITE_MAX_OPERANDS || numbers[place] < 0) {
        lb_tflite_refuse(b, "it has no %s %u", what, place);
        return NULL;
    }
    return &b->model->tensors[numbers[place]];
}

const lb_tflite_tensor *lb_tflite_input(lb_tflite_build *b, unsigned place)
{
    return operand(b, b->o->inputs, b->o->input_count, place, "input");
}

const lb_tflite_tensor *lb_tflite_output(lb_tflite_build *b)
{
    return operand(b, b->o->outputs, b->o->output_count, 0, "output");
}

uint64_t lb_tflite_elements(const lb_tflite_tensor *t)
{
    uint64_t count = 1;
    for (unsigned d = 0; d < t->rank && d < LB_TFLITE_MAX_RANK; d++) {
        count *= t->shape[d] > 0 ? (uint64_t)t->shape[d] : 0;
        if (count == 0 || count > MOST_ELEMENTS)
            return 0;
    }
    return count;
}

bool lb_tflite_el_type(lb_tflite_build *b, const lb_tflite_tensor *t, lb_el_type *type)
{
    char name[24];
    *type = t->type == LB_TFLITE_INT8    ? LB_S8
            : t->type == LB_TFLITE_INT16 ? LB_S16
            : t->type == LB_TFLITE_INT32 ? LB_S32
                                         : LB_S64;
    return *type != LB_S64 || t->type == LB_TFLITE_INT64 ||
           lb_tflite_refuse(b, "\"%s\" is %s", t->name, lb_tflite_type_name(t->type, name));
}

bool lb_tflite_quant(lb_tflite_build *b, const lb_tflite_tensor *t, lb_lite_quant *quant)
{
    const lb_flat *f = &b->model->flat;
    lb_el_type type = LB_S8;
    if (t->scale.count != 1 || t->zero_point.count > 1 || t->has_other_quantization)
        return lb_tflite_refuse(b, "\"%s\" has %u scales and %u zero points, not one each", t->name,
                                t->scale.count, t->zero_point.count);
    if (!lb_tflite_el_type(b, t, &type))
        return false;
    const int64_t zero = t->zero_point.count ? lb_flat_int64(f, &t->zero_point, 0) : 0;
    const lb_range holds = lb_build_range(type == LB_S64 ? (uint32_t)LB_S32 : (uint32_t)type);
    quant->scale = lb_flat_float32(f, &t->scale, 0);
    quant->zero_point = (int32_t)zero;
    if (!(quant->scale > 0) || !isfinite(quant->scale))
        return lb_tflite_refuse(b, "\"%s\" has the scale %g, which is not above 0", t->name,
                                (double)quant->scale);
    if (zero > holds.high || zero < holds.low)
        return lb_tflite_refuse(b, "\"%s\" has the zero point %lld, which its type does not hold",
                                t->name, (long long)zero);
    return true;
}

/* ---- Operands ---- */

static lb_case_tensor *new_tensor(lb_tflite_build *b, lb_role role, bool is_output)
{
    lb_case_operand *o = &b->c->operand[role];
    *o = (lb_case_operand){.present = true, .is_output = is_output, .count = 1};
    o->tensors = lb_arena_alloc(b->arena, sizeof *o->tensors);
    return o->tensors;
}

/* An operand of the tensor's type and shape; a number alone has one dimension. */
static lb_case_tensor *put(lb_tflite_build *b, lb_role role, const lb_tflite_tensor *t,
                           bool is_output)
{
    lb_el_type type = LB_S8;
    if (!lb_tflite_el_type(b, t, &type))
        return NULL;
    for (unsigned d = 0; d < t->rank && d < LB_TFLITE_MAX_RANK; d++)
        if (t->shape[d] == LB_TFLITE_UNKNOWN_SIZE) {
            lb_tflite_refuse(b, "dimension %u of \"%s\" is known at run time only", d, t->name);
            return NULL;
        }
    if (t->rank > LB_MAX_RANK || lb_tflite_elements(t) == 0) {
        lb_tflite_refuse(b, "\"%s\" has %u dimensions, or none of its elements, or more than %d",
                         t->name, t->rank, MOST_ELEMENTS);
        return NULL;
    }
    lb_case_tensor *made = new_tensor(b, role, is_output);
    made->type = type;
    made->rank = t->rank ? t->rank : 1;
    made->shape[0] = 1;
    for (unsigned d = 0; d < t->rank; d++)
        made->shape[d] = (uint32_t)t->shape[d];
    made->axis = -1;
    return made;
}

static int64_t number_at(const lb_flat *f, const lb_tflite_tensor *t, lb_el_type type, uint32_t i)
{
    switch (type) {
    case LB_S8:
        return (int8_t)f->bytes[t->data.at + i];
    case LB_S16:
        return (int16_t)(uint16_t)(f->bytes[t->data.at + 2 * (size_t)i] |
                                   f->bytes[t->data.at + 2 * (size_t)i + 1] << 8);
    case LB_S32:
        return lb_flat_int32(f, &t->data, i);
    default:
        return lb_flat_int64(f, &t->data, i);
    }
}

bool lb_tflite_fill_constant(lb_tflite_build *b, const lb_tflite_tensor *t, lb_case_tensor *made)
{
    const int64_t most = (int64_t)1 << 53; /* that JSON holds */
    const uint64_t count = lb_tflite_elements(t);
    const unsigned bytes = lb_storage_bytes(made->type);
    if (t->is_sparse)
        return lb_tflite_refuse(b, "\"%s\" is sparse", t->name);
    if (t->data.count != count * bytes)
        return lb_tflite_refuse(b, "\"%s\" has %u bytes of data, and its shape asks for %llu",
                                t->name, t->data.count, (unsigned long long)(count * bytes));
    lb_case_make_data(made, (size_t)count, b->arena);
    for (uint32_t i = 0; i < count; i++) {
        const int64_t v = number_at(&b->model->flat, t, made->type, i);
        if (v > most || v < -most)
            return lb_tflite_refuse(b, "\"%s\" has the element %lld, beyond 2^53", t->name,
                                    (long long)v);
        lb_case_put_number(made, i, v);
    }
    return true;
}

bool lb_tflite_put_input(lb_tflite_build *b, lb_role role, unsigned place)
{
    const lb_tflite_tensor *t = lb_tflite_input(b, place);
    lb_case_tensor *made = t ? put(b, role, t, false) : NULL;
    if (!made)
        return false;
    if (t->data.is_there)
        return lb_tflite_fill_constant(b, t, made);
    b->source[role] = b->o->inputs[place];
    return true;
}

bool lb_tflite_put_output(lb_tflite_build *b)
{
    const lb_tflite_tensor *t = lb_tflite_output(b);
    return t && put(b, LB_ROLE_OUT, t, true);
}

bool lb_tflite_put_weights(lb_tflite_build *b, unsigned place)
{
    char name[24];
    const lb_tflite_tensor *t = lb_tflite_input(b, place);
    if (!t)
        return false;
    if (t->type != LB_TFLITE_INT8 || !t->data.is_there)
        return lb_tflite_refuse(b, "its weights \"%s\" are %s%s", t->name,
                                lb_tflite_type_name(t->type, name),
                                t->data.is_there ? "" : ", and no constant");
    lb_case_tensor *made = put(b, LB_ROLE_WEIGHTS, t, false);
    return made && lb_tflite_fill_constant(b, t, made);
}

bool lb_tflite_put_bias(lb_tflite_build *b, unsigned place, uint32_t channels)
{
    if (place >= b->o->input_count || place >= LB_TFLITE_MAX_OPERANDS || b->o->inputs[place] < 0) {
        b->c->null_role[LB_ROLE_BIAS] = true;
        return true;
    }
    const lb_tflite_tensor *t = lb_tflite_input(b, place);
    lb_case_tensor *made = put(b, LB_ROLE_BIAS, t, false);
    if (!made)
        return false;
    if (!t->data.is_there || lb_tflite_elements(t) != channels)
        return lb_tflite_refuse(b, "its bias \"%s\" is no constant of %u numbers", t->name,
                                channels);
    made->rank = 1;
    made->shape[0] = channels;
    return lb_tflite_fill_constant(b, t, made);
}

int32_t *lb_tflite_put_list(lb_tflite_build *b, lb_role role, uint32_t count)
{
    lb_case_tensor *made = new_tensor(b, role, false);
    *made = (lb_case_tensor){.type = LB_S32, .rank = 1, .shape = {count}, .axis = -1};
    lb_case_make_data(made, count, b->arena);
    return made->data.items;
}
