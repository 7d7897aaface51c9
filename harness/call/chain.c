/* Chains of calls: see chain.h. */
#include "harness/call/chain.h"
#include "harness/suite/data_generator.h"

#include <string.h>

/* Where the data of a tensor begin: its own buffer, or the one it points into. */
static unsigned char *data_of(lb_instance *instance, lb_role role, unsigned list_index)
{
    return instance->tensors[role][list_index].data.mem.ptr;
}

static void feed(lb_instance *instance, const lb_feed *f)
{
    const lb_case *c = instance->memory->test_case;
    lb_layout from = lb_layout_of(&c->operand[f->from].tensors[0]);
    lb_layout to = lb_layout_of(&c->operand[f->to].tensors[f->to_index]);
    unsigned char *source = data_of(instance, f->from, 0),
                  *target = data_of(instance, f->to, f->to_index);
    size_t from_count = lb_layout_count(&from), to_count = lb_layout_count(&to);
    for (size_t i = 0; source && target && i < to_count; i++)
        memmove(target + lb_layout_offset(&to, i),
                source + lb_layout_offset(&from, from_count - to_count + i), to.element_bytes);
    lb_tensor *input = &instance->tensors[f->to][f->to_index];
    const lb_tensor *output = &instance->tensors[f->from][0];
    input->frac_bits = output->frac_bits;
    input->sa = output->sa;
}

static void draw(lb_instance *instance, const lb_fresh *f, uint32_t step)
{
    lb_tensor *t = &instance->tensors[f->role][f->list_index];
    lb_layout layout =
        lb_layout_of(&instance->memory->test_case->operand[f->role].tensors[f->list_index]);
    size_t count = lb_layout_count(&layout);
    for (size_t i = 0; i < count; i++)
        lb_store(t, lb_layout_offset(&layout, i) / layout.element_bytes,
                 lb_generate_uniform(f->seed, (uint64_t)(step - 1) * count + i, f->low, f->high));
}

void lb_chain_feed(lb_instance *instance, uint32_t step)
{
    const lb_chain *chain = &instance->memory->test_case->chain;
    for (unsigned i = 0; i < chain->feed_count; i++)
        feed(instance, &chain->feeds[i]);
    for (unsigned i = 0; i < chain->fresh_count; i++)
        draw(instance, &chain->fresh[i], step);
}

const lb_expect *lb_chain_expect(const lb_case *c, const lb_expect *expect, uint32_t step,
                                 lb_expect *room)
{
    if (!expect || step == c->chain.steps)
        return expect;
    for (size_t i = 0; i < expect->checkpoint_count; i++)
        if (expect->checkpoints[i].step == step) {
            *room = *expect;
            memcpy(room->has_output, expect->checkpoints[i].has_output, sizeof room->has_output);
            memcpy(room->output, expect->checkpoints[i].output, sizeof room->output);
            return room;
        }
    return NULL;
}
