/* A case as JSON: see case_write.h. Keys and their order: vectors/FORMAT.md. */
#include "harness/suite/case_write.h"
#include "harness/suite/case_text.h"
#include "harness/suite/data_generator.h"
#include "harness/suite/suite.h"

enum { LB_MAX_PERIOD = 8 }; /* values of an `alternate` that is written */

/* ---- Tensors ---- */

/* Length of the shortest piece of which the values are repetitions, if it is short; else 0. */
static size_t period_of(const lb_values *values)
{
    for (size_t period = 1; period <= LB_MAX_PERIOD && period * 4 <= values->count; period++) {
        size_t i = period;
        while (i < values->count && values->items[i] == values->items[i - period])
            i++;
        if (i == values->count)
            return period;
    }
    return 0;
}

/* The one element that differs from all others; false: there is not just one. */
static bool is_one_hot(const lb_values *values, size_t *index)
{
    int32_t rest = values->items[values->count - 1];
    size_t others = 0;
    for (size_t i = 0; i + 1 < values->count && others < 2; i++)
        if (values->items[i] != rest) {
            *index = i;
            others++;
        }
    return others == 1;
}

/* Are they what the generator that they may come from gives? */
static bool is_uniform(const lb_case_tensor *t)
{
    for (size_t i = 0; t->may_be_uniform && i < t->data.count; i++)
        if (t->data.items[i] !=
            lb_generate_uniform(t->uniform_seed, i, t->uniform_low, t->uniform_high))
            return false;
    return t->may_be_uniform;
}

static void put_uniform(text *t, const lb_case_tensor *tensor)
{
    open_with(t, "data", '{');
    put_text(t, "generator", "uniform");
    put_number(t, "seed", (int64_t)tensor->uniform_seed);
    put_number(t, "low", tensor->uniform_low);
    put_number(t, "high", tensor->uniform_high);
    close_with(t, '}');
}

/* One value, a few values in turn, or one among others. */
static void put_pattern(text *t, const lb_values *values, size_t period, size_t hot,
                        lb_el_type type)
{
    open_with(t, "data", '{');
    put_text(t, "generator", period == 1 ? "constant" : period > 1 ? "alternate" : "one_hot");
    if (period > 1) {
        lb_values piece = {.items = values->items, .count = period};
        put_values(t, "values", &piece, type);
    } else {
        put_key(t, "value");
        put_element(t, values->items[period == 1 ? 0 : hot], type);
    }
    if (period == 0) {
        put_number(t, "index", (int64_t)hot);
        put_key(t, "rest");
        put_element(t, values->items[values->count - 1], type);
    }
    close_with(t, '}');
}

/* Data as the shortest generator that gives them, or as a list. */
static void put_data(text *t, const lb_case_tensor *tensor)
{
    enum { SHORT = 12 };
    const lb_values *values = &tensor->data;
    const bool is_long = values->count > SHORT && !values->high;
    size_t period = is_long ? period_of(values) : 0, hot = 0;
    if (is_long && (period > 0 || is_one_hot(values, &hot)))
        put_pattern(t, values, period, hot, tensor->type);
    else if (is_long && is_uniform(tensor))
        put_uniform(t, tensor);
    else
        put_values(t, "data", values, tensor->type);
}

static void put_quantization(text *t, const lb_case_tensor *tensor)
{
    if (lb_is_fx(tensor->type)) {
        put_number(t, "frac_bits", tensor->frac_bits);
    } else if (lb_is_sa(tensor->type) && tensor->scale && tensor->axis < 0) {
        put_number(t, "scale", tensor->scale[0]);
        put_number(t, "scale_frac_bits", tensor->scale_frac_bits[0]);
        put_number(t, "zero_point", tensor->zero_point[0]);
        put_number(t, "axis", tensor->axis);
    } else if (lb_is_sa(tensor->type) && tensor->scale) {
        PUT_LIST(t, "scale", tensor->scale, tensor->quant_count);
        PUT_LIST(t, "scale_frac_bits", tensor->scale_frac_bits, tensor->quant_count);
        PUT_LIST(t, "zero_point", tensor->zero_point, tensor->quant_count);
        put_number(t, "axis", tensor->axis);
    }
}

static void put_overrides(text *t, const lb_case *c, const lb_case_tensor *tensor)
{
    if (tensor->null_data) {
        put_key(t, "null_data");
        put(t, "true");
    }
    if (tensor->has_rank)
        put_number(t, "rank", tensor->rank_override);
    if (tensor->has_el_type)
        put_number(t, "el_type", tensor->el_type);
    if (tensor->has_capacity)
        put_number(t, "capacity", tensor->capacity_bytes);
    if (tensor->has_buffer_elements)
        put_number(t, "buffer_elements", (int64_t)tensor->buffer_elements);
    if (tensor->has_data_in)
        put_ref(t, c, "data_in", &tensor->data_in, "element");
    if (tensor->has_quant_in && !tensor->quant_null)
        put_ref(t, c, "quant_in", &tensor->quant_in, "entry");
    if (tensor->quant_null) {
        put_key(t, "quant_in");
        put(t, "null");
    }
    if (tensor->has_quant_capacity[0] || tensor->has_quant_capacity[1] ||
        tensor->has_quant_capacity[2]) {
        open_with(t, "quant_capacity", '{');
        for (int i = 0; i < LB_PARAMS; i++)
            if (tensor->has_quant_capacity[i])
                put_number(t, lb_params[i].name, tensor->quant_capacity[i]);
        close_with(t, '}');
    }
}

static void put_tensor(text *t, const lb_case *c, const char *key, const lb_case_tensor *tensor)
{
    open_with(t, key, '{');
    put_text(t, "type", lb_el_type_name((uint32_t)tensor->type));
    PUT_LIST(t, "shape", tensor->shape, tensor->rank);
    if (tensor->has_mem_stride)
        PUT_LIST(t, "mem_stride", tensor->mem_stride, tensor->rank);
    put_quantization(t, tensor);
    if (tensor->has_data)
        put_data(t, tensor);
    put_overrides(t, c, tensor);
    close_with(t, '}');
}

static void put_operands(text *t, const lb_case *c, const char *key, bool outputs)
{
    open_with(t, key, '{');
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        const lb_case_operand *operand = &c->operand[role];
        if (!operand->present || operand->is_output != outputs)
            continue;
        if (operand->is_list) {
            open_with(t, lb_role_name((lb_role)role), '[');
            for (unsigned i = 0; i < operand->count; i++) {
                if (i > 0)
                    put(t, ",");
                put_tensor(t, c, NULL, &operand->tensors[i]);
            }
            close_with(t, ']');
        } else {
            put_tensor(t, c, lb_role_name((lb_role)role), &operand->tensors[0]);
        }
    }
    close_with(t, '}');
}

/* ---- The rest of the case ---- */

static void put_config(text *t, const lb_case *c)
{
    const lb_config_field *field =
        lb_config_fields(c->kernel ? c->kernel->config_kind : LB_CONFIG_MOV);
    if (!field->name || c->null_config)
        return;
    open_with(t, "config", '{');
    for (; field->name; field++)
        put_field(t, &c->config, field);
    close_with(t, '}');
}

static void put_layer_feeds(text *t, const lb_case *c)
{
    if (c->layer_feed_count == 0)
        return;
    open_with(t, "feed", '[');
    for (unsigned i = 0; i < c->layer_feed_count; i++) {
        const lb_layer_feed *f = &c->layer_feeds[i];
        char to[40];
        put(t, i ? "," : "");
        t->fresh = true;
        open_with(t, NULL, '{');
        put_text(t, "case", f->layer);
        put_text(t, "from", lb_role_name(f->from));
        if (c->operand[f->to].is_list)
            snprintf(to, sizeof to, "%s[%u]", lb_role_name(f->to), f->to_index);
        else
            snprintf(to, sizeof to, "%s", lb_role_name(f->to));
        put_text(t, "to", to);
        close_with(t, '}');
    }
    close_with(t, ']');
}

static void put_nulls(text *t, const lb_case *c)
{
    bool any = c->null_config;
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        any = any || c->null_role[role];
    if (!any)
        return;
    open_with(t, "null", '[');
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        if (c->null_role[role]) {
            put(t, t->fresh ? "" : ",");
            put_string(t, lb_role_name((lb_role)role));
            t->fresh = false;
        }
    if (c->null_config)
        put(t, "%s\"cfg\"", t->fresh ? "" : ",");
    close_with(t, ']');
}

static void put_tags(text *t, const lb_case *c)
{
    if (c->tag_count == 0)
        return;
    open_with(t, "tags", '[');
    for (size_t i = 0; i < c->tag_count; i++) {
        put(t, i ? "," : "");
        put_string(t, c->tags[i]);
    }
    close_with(t, ']');
}

/* The object is at its end. */
static char *finished(text *t, lb_arena *arena)
{
    close_with(t, '}');
    char *kept = lb_arena_strdup(arena, t->bytes);
    free(t->bytes);
    return kept;
}

char *lb_case_to_json(const lb_case *c, lb_arena *arena)
{
    text t = {.fresh = true};
    bool is_sequence = !c->kernel && c->step_count > 0 && c->expect_count == 0;
    if (!c->kernel && !is_sequence)
        return NULL;
    open_with(&t, NULL, '{');
    put_text(&t, "id", c->id);
    put_text(&t, "function", c->function);
    if (c->note)
        put_text(&t, "note", c->note);
    put_config(&t, c);
    put_nulls(&t, c);
    put_layer_feeds(&t, c);
    put_operands(&t, c, "inputs", false);
    put_operands(&t, c, "outputs", true);
    if (is_sequence)
        lb_case_put_sequence(&t, c);
    put_tags(&t, c);
    if (!is_sequence)
        lb_case_put_expect(&t, c);
    return finished(&t, arena);
}

const lb_case *lb_case_read_again(const lb_case *c, lb_arena *arena)
{
    lb_case *read = lb_arena_alloc(arena, sizeof *read);
    const char *json = lb_case_to_json(c, arena);
    return json && lb_case_from_json(json, strlen(json), arena, read) ? read : NULL;
}

char *lb_expect_to_json(const lb_case *c, lb_arena *arena)
{
    text t = {.fresh = true};
    open_with(&t, NULL, '{');
    put_text(&t, "id", c->id);
    lb_case_put_expect(&t, c);
    return finished(&t, arena);
}

char *lb_suite_header_json(const char *suite_name, lb_arena *arena)
{
    text t = {.fresh = true};
    open_with(&t, NULL, '{');
    put_text(&t, "format", "lastbit/cases-1");
    put_text(&t, "suite", suite_name);
    return finished(&t, arena);
}
