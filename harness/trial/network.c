/* Networks: see network.h. */
#include "harness/trial/network.h"
#include "harness/base/xalloc.h"
#include "harness/call/fields.h"
#include "harness/trial/compare.h"
#include "reference/mli/real_values.h"

#include <math.h>
#include <string.h>

const lb_layer *lb_network_layer(const lb_network *n, const char *id)
{
    for (size_t i = n->count; i-- > 0;)
        if (strcmp(n->layers[i].id, id) == 0)
            return &n->layers[i];
    return NULL;
}

/* ---- What goes into a layer ---- */

static lb_quant quant_of(const lb_case_tensor *t)
{
    if (lb_is_fx((uint32_t)t->type))
        return (lb_quant){1, t->frac_bits, 0};
    if (lb_is_sa((uint32_t)t->type) && t->quant_count > 0 && t->scale)
        return (lb_quant){t->scale[0], t->scale_frac_bits[0], t->zero_point[0]};
    return (lb_quant){1, 0, 0};
}

/* Codes mean nothing in another format: the two tensors must agree in theirs. */
static const char *reason_against(const lb_layer_feed *f, const lb_layer_output *from,
                                  const lb_case_tensor *to, lb_arena *arena)
{
    lb_quant due = quant_of(to);
    lb_layout layout = lb_layout_of(to);
    size_t count = lb_layout_count(&layout);
    if (from->count == 0)
        return lb_arena_printf(arena, "the layer %s has no output \"%s\"", f->layer,
                               lb_role_name(f->from));
    if (from->type != to->type)
        return lb_arena_printf(arena, "\"%s\" of the layer %s is %s, and \"%s\" is %s",
                               lb_role_name(f->from), f->layer,
                               lb_el_type_name((uint32_t)from->type), lb_role_name(f->to),
                               lb_el_type_name((uint32_t)to->type));
    if (from->count != count)
        return lb_arena_printf(arena, "\"%s\" of the layer %s has %zu elements, and \"%s\" has %zu",
                               lb_role_name(f->from), f->layer, from->count, lb_role_name(f->to),
                               count);
    if (from->quant.scale != due.scale || from->quant.frac != due.frac ||
        from->quant.zero_point != due.zero_point)
        return lb_arena_printf(
            arena,
            "\"%s\" of the layer %s has scale %d, fraction bits %d, zero point %d, and \"%s\" has "
            "%d, %d, %d: its codes would mean other numbers",
            lb_role_name(f->from), f->layer, from->quant.scale, from->quant.frac,
            from->quant.zero_point, lb_role_name(f->to), due.scale, due.frac, due.zero_point);
    return NULL;
}

static const lb_layer_output *output_of(const lb_network *n, const lb_case *c,
                                        const lb_layer_feed *f, lb_arena *arena, const char **why)
{
    const lb_layer *layer = lb_network_layer(n, f->layer);
    *why = !layer ? lb_arena_printf(arena, "no case before it is called %s", f->layer)
           : layer->failed
               ? lb_arena_printf(arena, "the layer %s gave nothing: %s", f->layer, layer->failed)
               : reason_against(f, &layer->output[f->from], &c->operand[f->to].tensors[f->to_index],
                                arena);
    return *why ? NULL : &layer->output[f->from];
}

lb_case *lb_network_fed(const lb_network *n, const lb_case *c, lb_arena *arena, const char **why)
{
    lb_case *fed = lb_case_copy(arena, c);
    *why = NULL;
    for (unsigned i = 0; i < c->layer_feed_count; i++) {
        const lb_layer_feed *f = &c->layer_feeds[i];
        const lb_layer_output *from = output_of(n, c, f, arena, why);
        if (!from)
            return NULL;
        lb_case_tensor *t = &fed->operand[f->to].tensors[f->to_index];
        t->has_data = true;
        t->may_be_uniform = false;
        t->data = (lb_values){.items = lb_arena_array(arena, from->count, sizeof(int32_t)),
                              .count = from->count};
        memcpy(t->data.items, from->codes, from->count * sizeof(int32_t));
    }
    return fed;
}

/* ---- What comes out ---- */

static void keep_codes(lb_network *n, const lb_instance *after, int role, lb_layer_output *out)
{
    lb_elements v = lb_instance_elements(after, (lb_role)role, 0);
    const lb_tensor *t = &after->tensors[role][0];
    *out = (lb_layer_output){.type = (lb_el_type)t->el_type,
                             .quant = lb_quant_at(t, 0),
                             .count = v.count,
                             .codes = lb_read_elements(v.base, &v.layout, n->arena).items};
}

/* The exact model's; it is also what tells whether the call is defined. */
static const char *call_exact(const lb_network *n, lb_instance *instance)
{
    lb_watch watch = {0};
    lb_context context = {.profile = n->profile, .watch = &watch};
    const lb_rule *rule = lb_run_exact(&context, &instance->call);
    return rule                             ? rule->name
           : instance->call.status != LB_OK ? lb_status_name((int)instance->call.status)
                                            : NULL;
}

/* The port's call, on a copy of the same bytes; NULL, or why it gave nothing. */
static const char *call_port(const lb_network *n, lb_instance *instance, lb_arena *arena)
{
    lb_port *port = n->port;
    if (!port->provides(port, instance->call.kernel))
        return "not provided by the port";
    const char *cannot =
        port->cannot_run ? port->cannot_run(port, n->profile, instance->memory, arena) : NULL;
    if (cannot)
        return cannot;
    port->failure = NULL;
    port->unsupported = port->host_failed = false;
    if (port->begin)
        port->begin(port, instance);
    if (port->computes_only || port->formats_given) {
        lb_instance exact;
        lb_instance_make(&exact, instance->memory, arena);
        if (call_exact(n, &exact))
            return "the exact model gives nothing";
        lb_instance_give_formats(&exact, instance);
    }
    port->call(port, n->profile, &instance->call);
    return port->failure                    ? lb_arena_strdup(n->arena, port->failure)
           : port->unsupported              ? "not supported by the port"
           : instance->call.status != LB_OK ? lb_status_name((int)instance->call.status)
                                            : NULL;
}

/* ---- Real numbers ---- */

/* Gives the tensor containers with fractions: what the real model made of the layer before. */
static bool feed_reals(const lb_network *n, const lb_layer_feed *f, lb_instance *instance,
                       lb_arena *arena)
{
    const lb_layer *layer = lb_network_layer(n, f->layer);
    const double *reals = layer ? layer->output[f->from].reals : NULL;
    lb_tensor *t = &instance->tensors[f->to][f->to_index];
    lb_elements v = lb_instance_elements(instance, f->to, f->to_index);
    lb_quant quant = lb_quant_at(t, 0);
    double step = lb_real_step(quant);
    if (!reals || step == 0 || v.layout.element_bytes == 0)
        return false;
    double *fine = lb_arena_array(arena, v.span_bytes / v.layout.element_bytes + 1, sizeof *fine);
    for (size_t i = 0; i < v.count; i++)
        fine[lb_layout_offset(&v.layout, i) / v.layout.element_bytes] =
            reals[i] / step + quant.zero_point;
    t->fine = fine;
    return true;
}

static void run_real(lb_network *n, const lb_case *c, lb_instance *instance, lb_layer *layer,
                     lb_arena *arena)
{
    lb_real_outputs real = {{NULL}, {NULL}};
    lb_context context = {.profile = n->profile};
    if (!c->kernel->real)
        return;
    for (unsigned i = 0; i < c->layer_feed_count; i++)
        if (!feed_reals(n, &c->layer_feeds[i], instance, arena))
            return;
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        size_t count = layer->output[role].count;
        if (count == 0)
            continue;
        double *values = lb_arena_array(n->arena, count, sizeof *values);
        for (size_t i = 0; i < count; i++)
            values[i] = NAN;
        layer->output[role].reals = real.value[role] = values;
        real.span[role] = lb_arena_array(arena, count, sizeof *real.span[role]);
    }
    lb_model_real(&context, &instance->call, &real);
}

/* ---- A layer ---- */

bool lb_network_run(lb_network *n, const lb_case *c)
{
    lb_arena work = {0};
    lb_layer layer = {.id = lb_arena_strdup(n->arena, c->id)};
    const lb_case *fed = lb_network_fed(n, c, &work, &layer.failed);
    if (fed) {
        lb_call_memory *memory = lb_arena_alloc(&work, sizeof *memory);
        lb_instance after;
        lb_call_memory_make(memory, fed, &work);
        lb_instance_make(&after, memory, &work);
        layer.failed = n->port ? call_port(n, &after, &work) : call_exact(n, &after);
        for (int role = 0; !layer.failed && role < LB_ROLE_COUNT; role++)
            if (c->operand[role].present && c->operand[role].is_output && !c->null_role[role])
                keep_codes(n, &after, role, &layer.output[role]);
        if (!layer.failed && n->with_reals) {
            lb_instance before;
            lb_instance_make(&before, memory, &work);
            run_real(n, c, &before, &layer, &work);
        }
    }
    if (layer.failed)
        layer.failed = lb_arena_strdup(n->arena, layer.failed);
    n->layers = lb_room_for_one(n->layers, n->count, &n->room, sizeof *n->layers);
    n->layers[n->count++] = layer;
    lb_arena_free(&work);
    return !layer.failed;
}

/* ---- All layers before one ---- */

/* The whole of a case, which its reader forgets with the next one; not what it expects. */
static lb_case *keep_case(const lb_case *c, lb_arena *arena)
{
    lb_case *kept = lb_case_copy(arena, c);
    kept->id = lb_arena_strdup(arena, c->id);
    kept->function = lb_arena_strdup(arena, c->function);
    kept->note = c->note ? lb_arena_strdup(arena, c->note) : NULL;
    kept->tags = lb_arena_array(arena, c->tag_count, sizeof *kept->tags);
    for (size_t i = 0; i < c->tag_count; i++)
        kept->tags[i] = lb_arena_strdup(arena, c->tags[i]);
    kept->layer_feeds = lb_arena_array(arena, c->layer_feed_count, sizeof *kept->layer_feeds);
    for (unsigned i = 0; i < c->layer_feed_count; i++) {
        kept->layer_feeds[i] = c->layer_feeds[i];
        kept->layer_feeds[i].layer = lb_arena_strdup(arena, c->layer_feeds[i].layer);
    }
    kept->expect_count = 0;
    return kept;
}

/* The case of this name, copied into the arena. */
static lb_case *find_case(lb_suite_reader *reader, size_t count, const char *id, lb_arena *arena)
{
    for (size_t i = 0; i < count; i++) {
        const lb_case *c = lb_suite_reader_case(reader, i, NULL);
        if (c && c->id && strcmp(c->id, id) == 0)
            return keep_case(c, arena);
    }
    return NULL;
}

enum { MOST_LAYERS = 4096 }; /* deeper than any network, and an end for cases in a circle */

static bool run_before(lb_network *n, lb_suite_reader *reader, size_t count, const lb_case *c,
                       unsigned depth, const char **why)
{
    for (unsigned i = 0; i < c->layer_feed_count; i++) {
        const char *id = c->layer_feeds[i].layer;
        if (lb_network_layer(n, id))
            continue;
        const lb_case *before = depth < MOST_LAYERS ? find_case(reader, count, id, n->arena) : NULL;
        if (!before) {
            *why = depth < MOST_LAYERS
                       ? lb_arena_printf(n->arena, "\"feed\": the suite has no case %s", id)
                       : "\"feed\": the cases feed each other in a circle";
            return false;
        }
        if (!run_before(n, reader, count, before, depth + 1, why))
            return false;
        lb_network_run(n, before);
    }
    return true;
}

bool lb_network_run_before(lb_network *n, lb_suite_reader *reader, size_t case_count,
                           const lb_case *c, const char **why)
{
    return run_before(n, reader, case_count, c, 0, why);
}
