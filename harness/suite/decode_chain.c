/* The decoder: "chain", one call made many times, and the checkpoints that are recorded on the way.
 */
#include "harness/suite/data_generator.h"
#include "harness/suite/decode.h"

#include <stdio.h>
#include <string.h>

enum { MAX_CHAIN_STEPS = 1000000, MAX_CHECKPOINTS = 1024 };

/* The tensor that a feed names, with memory of its own to copy from or to; NULL (reported) if it is
 * none. */
static const lb_case_tensor *fed_tensor(lb_decoder *d, const cJSON *node, const lb_tensor_ref *ref)
{
    const lb_case_tensor *t = lb_referred_tensor(d->c, ref);
    if (!t)
        lb_complain(d, node, NULL, "name a tensor of inputs or outputs",
                    "the case has no such tensor");
    else if (t->rank == 0 || t->null_data || t->has_data_in || d->c->null_role[ref->role])
        lb_complain(d, node, NULL, "name a tensor with a buffer of its own",
                    "that tensor has no buffer of its own");
    else
        return t;
    return NULL;
}

/* Does an earlier entry of the chain write this tensor already? */
static bool is_taken(const lb_chain *chain, const lb_tensor_ref *ref)
{
    for (unsigned i = 0; i < chain->feed_count; i++)
        if (chain->feeds[i].to == ref->role && chain->feeds[i].to_index == ref->list_index)
            return true;
    for (unsigned i = 0; i < chain->fresh_count; i++)
        if (chain->fresh[i].role == ref->role && chain->fresh[i].list_index == ref->list_index)
            return true;
    return false;
}

static void decode_feed(lb_decoder *d, const cJSON *node)
{
    static const lb_key keys[] = {{"from", true}, {"to", true}, {NULL, false}};
    const cJSON *slots[2];
    lb_chain *chain = &d->c->chain;
    lb_tensor_ref from, to;
    if (!lb_read_members(d, node, keys, slots) || !lb_read_tensor_name(d, slots[0], &from) ||
        !lb_read_tensor_name(d, slots[1], &to))
        return;
    const lb_case_tensor *source = fed_tensor(d, slots[0], &from);
    const lb_case_tensor *target = fed_tensor(d, slots[1], &to);
    if (!source || !target)
        return;
    if (!d->c->operand[from.role].is_output)
        lb_complain(d, slots[0], NULL, "name an output", "\"from\" is an input");
    else if (d->c->operand[to.role].is_output)
        lb_complain(d, slots[1], NULL,
                    "name an input; an output keeps its contents from step to step",
                    "\"to\" is an output");
    else if (source->type != target->type)
        lb_complain(d, slots[1], NULL, "", "its type is %s, and that of \"from\" %s",
                    lb_el_type_name((uint32_t)target->type),
                    lb_el_type_name((uint32_t)source->type));
    else if (lb_data_count(source) < lb_data_count(target))
        lb_complain(d, slots[1], NULL, "the last elements of \"from\" go over",
                    "it has %llu elements, and \"from\" has %llu",
                    (unsigned long long)lb_data_count(target),
                    (unsigned long long)lb_data_count(source));
    else if (is_taken(chain, &to))
        lb_complain(d, slots[1], NULL, "", "an earlier entry of the chain writes it");
    else
        chain->feeds[chain->feed_count++] =
            (lb_feed){.to = to.role, .to_index = to.list_index, .from = from.role};
}

/* The first step's data, by the same rule as those of the steps that follow. */
static void draw_first(lb_decoder *d, const lb_fresh *fresh)
{
    lb_case_tensor *t = &d->c->operand[fresh->role].tensors[fresh->list_index];
    t->has_data = true;
    t->data.count = (size_t)lb_data_count(t);
    t->data.items = lb_arena_array(d->arena, t->data.count, sizeof *t->data.items);
    for (size_t i = 0; i < t->data.count; i++)
        t->data.items[i] = lb_generate_uniform(fresh->seed, i, fresh->low, fresh->high);
}

static void decode_fresh(lb_decoder *d, const cJSON *node)
{
    static const lb_key keys[] = {
        {"tensor", true}, {"seed", true}, {"low", false}, {"high", false}, {NULL, false}};
    const cJSON *slots[4];
    lb_chain *chain = &d->c->chain;
    lb_tensor_ref ref;
    int64_t seed, low, high;
    unsigned found = d->found;
    if (!lb_read_members(d, node, keys, slots) || !lb_read_tensor_name(d, slots[0], &ref) ||
        !lb_read_integer(d, slots[1], 0, LB_MAX_EXACT_INTEGER - 1, "seed", &seed))
        return;
    const lb_case_tensor *t = fed_tensor(d, slots[0], &ref);
    if (!t)
        return;
    lb_container_range(t->type, &low, &high);
    lb_fresh fresh = {.role = ref.role, .list_index = ref.list_index, .seed = (uint64_t)seed};
    fresh.low = (int32_t)low;
    fresh.high = (int32_t)high;
    if (d->c->operand[ref.role].is_output)
        lb_complain(d, slots[0], NULL, "name an input", "fresh data for an output");
    else if (t->type == LB_FP32)
        lb_complain(d, slots[0], NULL, "", "fresh data are for fx and sa types");
    else if (t->has_data)
        lb_complain(d, slots[0], NULL,
                    "leave its data out: the first step's are drawn like all others",
                    "the tensor has data");
    else if (is_taken(chain, &ref))
        lb_complain(d, slots[0], NULL, "", "an earlier entry of the chain writes it");
    if (slots[2])
        lb_read_element(d, slots[2], t->type, &fresh.low);
    if (slots[3])
        lb_read_element(d, slots[3], t->type, &fresh.high);
    if (d->found == found && fresh.low > fresh.high)
        lb_complain(d, slots[2] ? slots[2] : slots[3], NULL, "", "low is above high");
    if (d->found != found)
        return;
    chain->fresh[chain->fresh_count++] = fresh;
    draw_first(d, &fresh);
}

void lb_decode_chain(lb_decoder *d, const cJSON *node)
{
    static const lb_key keys[] = {
        {"steps", true}, {"feed", false}, {"fresh", false}, {NULL, false}};
    void (*const decode_entry[])(lb_decoder *, const cJSON *) = {decode_feed, decode_fresh};
    const cJSON *slots[3];
    int64_t steps;
    size_t count;
    if (!d->c->kernel) {
        lb_complain_key(d, node, "leave it out", "a sequence is no chain");
        return;
    }
    if (!lb_read_members(d, node, keys, slots) ||
        !lb_read_integer(d, slots[0], 1, MAX_CHAIN_STEPS, "steps of a chain", &steps))
        return;
    d->c->chain.steps = (uint32_t)steps;
    for (unsigned i = 0; i < 2; i++)
        if (slots[1 + i] && lb_read_list(d, slots[1 + i], 0, LB_MAX_FEEDS, "entries", &count))
            for (const cJSON *child = slots[1 + i]->child; child; child = child->next)
                decode_entry[i](d, child);
}

/* ---- Checkpoints ---- */

/* `room` is an expectation with the changed fields of the whole: what a checkpoint's outputs are
 * measured by. */
static void decode_checkpoint(lb_decoder *d, const cJSON *node, uint32_t before, lb_expect *room,
                              lb_checkpoint *checkpoint)
{
    static const lb_key keys[] = {{"step", true}, {"outputs", true}, {NULL, false}};
    const cJSON *slots[2];
    int64_t step;
    if (!lb_read_members(d, node, keys, slots))
        return;
    /* The last step's outputs are those of the expectation itself. */
    if (lb_read_integer(d, slots[0], (int64_t)before + 1, (int64_t)d->c->chain.steps - 1,
                        "steps in ascending order, before the last", &step))
        checkpoint->step = (uint32_t)step;
    memset(room->has_output, 0, sizeof room->has_output);
    lb_decode_outputs(d, slots[1], room);
    memcpy(checkpoint->has_output, room->has_output, sizeof room->has_output);
    memcpy(checkpoint->output, room->output, sizeof room->output);
}

void lb_decode_checkpoints(lb_decoder *d, const cJSON *node, lb_expect *expect)
{
    size_t count;
    uint32_t before = 0;
    if (!lb_read_list(d, node, 0, MAX_CHECKPOINTS, "checkpoints", &count))
        return;
    if (!expect->has_status || expect->status != LB_OK) {
        lb_complain_key(d, node, "leave it out", "checkpoints of a call that does not go well");
        return;
    }
    lb_expect *room = lb_arena_alloc(d->arena, sizeof *room);
    room->changed = expect->changed;
    expect->checkpoints = lb_arena_array(d->arena, count, sizeof *expect->checkpoints);
    expect->checkpoint_count = count;
    const cJSON *child = node->child;
    for (size_t i = 0; i < count; i++, child = child->next) {
        decode_checkpoint(d, child, before, room, &expect->checkpoints[i]);
        before = expect->checkpoints[i].step > before ? expect->checkpoints[i].step : before;
    }
}
