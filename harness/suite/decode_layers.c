/* The decoder: "feed" of a case, which makes it a layer of a network. */
#include "harness/suite/decode.h"

#include <string.h>

/* Why a tensor cannot be fed; NULL: it can. */
static const char *reason_against(const lb_case *c, const lb_case_tensor *t, lb_role role)
{
    if (!t)
        return "the case has no such tensor";
    if (c->null_role[role] || t->null_data || t->has_data_in || t->has_buffer_elements)
        return "that tensor has no buffer of its own in its shape";
    if (t->rank == 0 || t->has_rank || t->has_el_type || t->has_capacity)
        return "that tensor is not what its shape says";
    return lb_is_extension((uint32_t)t->type) ? "elements of this type are not fed" : NULL;
}

static void decode_one(lb_decoder *d, const cJSON *node)
{
    static const lb_key keys[] = {{"case", true}, {"from", false}, {"to", true}, {NULL, false}};
    const cJSON *slots[3];
    lb_case *c = d->c;
    lb_tensor_ref from = {.role = LB_ROLE_OUT}, to;
    if (!lb_read_members(d, node, keys, slots))
        return;
    char *layer = lb_read_name(d, slots[0], LB_MAX_ID_BYTES);
    if (!layer || (slots[1] && !lb_read_tensor_name(d, slots[1], &from)) ||
        !lb_read_tensor_name(d, slots[2], &to))
        return;
    const char *wrong = reason_against(c, lb_referred_tensor(c, &to), to.role);
    if (wrong) {
        lb_complain(d, slots[2], NULL, "name a tensor whose data another case can give", "%s",
                    wrong);
        return;
    }
    if (c->id && strcmp(layer, c->id) == 0) {
        lb_complain(d, slots[0], NULL, "name a case that stands before",
                    "a case cannot feed itself");
        return;
    }
    for (unsigned i = 0; i < c->layer_feed_count; i++)
        if (c->layer_feeds[i].to == to.role && c->layer_feeds[i].to_index == to.list_index) {
            lb_complain(d, slots[2], NULL, "", "an earlier entry feeds it");
            return;
        }
    c->layer_feeds[c->layer_feed_count++] = (lb_layer_feed){
        .layer = layer, .from = from.role, .to = to.role, .to_index = to.list_index};
}

void lb_decode_layer_feeds(lb_decoder *d, const cJSON *node)
{
    size_t count;
    if (!d->c->kernel || d->c->chain.steps > 0) {
        lb_complain_key(d, node, "leave it out", "a sequence or a chain is no layer");
        return;
    }
    d->c->layer_feeds = lb_arena_array(d->arena, LB_MAX_FEEDS, sizeof *d->c->layer_feeds);
    if (lb_read_list(d, node, 1, LB_MAX_FEEDS, "entries", &count))
        for (const cJSON *child = node->child; child; child = child->next)
            decode_one(d, child);
}
