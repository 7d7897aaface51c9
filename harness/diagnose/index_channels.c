/* Index maps that meet another channel than they should, by a formula over groups and channels that
 * holds in every geometry that was probed. */
#include "harness/diagnose/index_map.h"

/* Of one meeting: numbers of channels, and how many there are. */
typedef struct channels {
    int64_t out, in, port;              /* of the output; the input that is due; that is met */
    int64_t inputs, of_group, outputs;  /* input channels, those of a group, output channels */
    int64_t groups, filters, at, inner; /* filters of a group; the group, the place in it */
} channels;

typedef enum channel_form {
    GROUP_BY_REST,
    GROUP_NEXT,
    GROUP_BEFORE,
    GROUP_BACKWARDS,
    GROUP_FIRST,
    GROUP_LAST,
    GROUP_OF_FILTER,
    INTERLEAVED,
    INNER_BACKWARDS,
    INNER_FIRST,
    PAIRS_SWAPPED,
    CHANNEL_FORMS
} channel_form;

static const char *const form_words[CHANNEL_FORMS] = {
    [GROUP_BY_REST] = "takes the group of input channels by the rest of the output channel "
                      "divided by the number of groups",
    [GROUP_NEXT] = "takes the input channels of the next group, and for the last group those of "
                   "the first",
    [GROUP_BEFORE] = "takes the input channels of the group before, and for the first group those "
                     "of the last",
    [GROUP_BACKWARDS] = "takes the groups of input channels from the last to the first",
    [GROUP_FIRST] = "takes the input channels of the first group for all",
    [GROUP_LAST] = "takes the input channels of the last group for all",
    [GROUP_OF_FILTER] = "takes the group of input channels by the filter's number in its group",
    [INTERLEAVED] = "takes every n-th input channel for a group of n groups",
    [INNER_BACKWARDS] = "takes the input channels of a group from the last to the first",
    [INNER_FIRST] = "takes the first input channel of its group for all",
    [PAIRS_SWAPPED] = "takes each two neighbouring input channels in exchange",
};

static int64_t channel_of(channel_form form, const channels *c)
{
    int64_t last = c->groups - 1, size = c->of_group;
    switch (form) {
    case GROUP_BY_REST:
        return c->out % c->groups * size + c->inner;
    case GROUP_NEXT:
        return (c->at + 1) % c->groups * size + c->inner;
    case GROUP_BEFORE:
        return (c->at + last) % c->groups * size + c->inner;
    case GROUP_BACKWARDS:
        return (last - c->at) * size + c->inner;
    case GROUP_FIRST:
        return c->inner;
    case GROUP_LAST:
        return last * size + c->inner;
    case GROUP_OF_FILTER:
        return c->out % c->filters % c->groups * size + c->inner;
    case INTERLEAVED:
        return c->inner * c->groups + c->at;
    case INNER_BACKWARDS:
        return c->at * size + size - 1 - c->inner;
    case INNER_FIRST:
        return c->at * size;
    case PAIRS_SWAPPED:
        return (c->in ^ 1) < c->inputs ? c->in ^ 1 : c->in;
    case CHANNEL_FORMS:
        break;
    }
    return c->in;
}

/* Of the flat place of an element its last index, and what comes before it. */
static int64_t last_index(size_t flat, const lb_case_tensor *t, size_t *before)
{
    *before = flat / t->shape[t->rank - 1];
    return (int64_t)(flat % t->shape[t->rank - 1]);
}

/* False: this meeting differs in more than its channel. */
static bool channels_at(const lb_index_map *m, size_t i, channels *c)
{
    size_t before, due, met;
    if (m->right[i] < 0 || m->port[i] < 0 || (size_t)m->port[i] >= m->inputs)
        return false;
    *c = (channels){.out = last_index(i % m->outputs, m->out, &before),
                    .in = last_index((size_t)m->right[i], m->in, &due),
                    .port = last_index((size_t)m->port[i], m->in, &met),
                    .inputs = m->in->shape[2],
                    .of_group = m->weights->shape[2],
                    .outputs = m->out->shape[2]};
    if (due != met || c->of_group == 0 || c->inputs % c->of_group != 0)
        return false;
    c->groups = c->inputs / c->of_group;
    c->filters = c->outputs / c->groups > 0 ? c->outputs / c->groups : 1;
    c->at = c->in / c->of_group;
    c->inner = c->in % c->of_group;
    return true;
}

static bool gives(channel_form form, const lb_index_map *m)
{
    for (size_t i = 0; i < m->weight_count * m->outputs; i++) {
        channels c;
        if (m->right[i] < 0 && m->port[i] < 0)
            continue;
        if (!channels_at(m, i, &c) || channel_of(form, &c) != c.port)
            return false;
    }
    return true;
}

const char *lb_index_map_channels(const lb_index_map *maps, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (maps[i].list || maps[i].in->rank != 3 || maps[i].out->rank != 3 ||
            maps[i].weights->rank != 4)
            return NULL;
    for (int form = 0; form < CHANNEL_FORMS; form++) {
        size_t i = 0;
        while (i < count && gives((channel_form)form, &maps[i]))
            i++;
        if (i == count)
            return form_words[form];
    }
    return NULL;
}
