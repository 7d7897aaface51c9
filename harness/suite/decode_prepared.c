/* The decoder: calls whose integers are made of encodings. See decode_prepared.h. */
#include "harness/suite/decode_prepared.h"
#include "harness/encodings/plain.h"

#include <math.h>
#include <string.h>

bool lb_has_encodings(const cJSON *operands)
{
    for (const cJSON *t = cJSON_IsObject(operands) ? operands->child : NULL; t; t = t->next)
        if (cJSON_IsObject(t) && cJSON_GetObjectItemCaseSensitive(t, "encoding"))
            return true;
    return false;
}

bool lb_is_model_type(const lb_decoder *d, lb_el_type type)
{
    return d->model && lb_is_plain(type);
}

/* ---- The configuration ---- */

bool lb_is_prepared_field(const lb_decoder *d, const lb_config_field *field)
{
    return d->model && (field->sort == LB_SORT_ZERO_POINT || field->sort == LB_SORT_MULTIPLIER ||
                        field->sort == LB_SORT_SHIFT || field->sort == LB_SORT_LIMIT);
}

static void read_real(lb_decoder *d, const cJSON *member, float *value)
{
    *value = cJSON_IsNumber(member) ? (float)member->valuedouble : NAN;
    if (!isfinite(*value))
        lb_complain(d, member, NULL, "", "expected a number, found %s", lb_describe(member).text);
}

bool lb_decode_model_key(lb_decoder *d, const cJSON *member)
{
    lb_prepared_call *m = d->model;
    bool *has = !m                                          ? NULL
                : strcmp(member->string, "activation") == 0 ? &m->has_activation
                : strcmp(member->string, "beta") == 0       ? &m->has_beta
                : strcmp(member->string, "alpha") == 0      ? &m->has_alpha
                                                            : NULL;
    if (!has)
        return false;
    if (*has)
        lb_complain_key(d, member, "each key stands once in an object",
                        "the key \"%s\" stands here a second time", member->string);
    *has = true;
    if (has == &m->has_activation)
        lb_read_choice(d, member, lb_kernel_set_of(d->c->kernel)->activations, &m->activation);
    else
        read_real(d, member, has == &m->has_beta ? &m->beta : &m->alpha);
    if (has == &m->has_beta && m->beta <= 0)
        lb_complain(d, member, NULL, "a number above 0", "beta is %g", (double)m->beta);
    return true;
}

/* ---- Operands ---- */

static unsigned bits_of(lb_el_type type)
{
    return type == LB_S8 ? 8 : type == LB_S16 ? 16 : type == LB_S32 ? 32 : 64;
}

bool lb_take_model_tensor(lb_decoder *d, const cJSON *node, const lb_enc_tensor *source,
                          const lb_case_tensor *t, lb_real_rule *rule)
{
    lb_enc_plain plain;
    const char *why = lb_enc_map_plain(source, bits_of(t->type), d->arena, &plain);
    if (why) {
        lb_complain(d, node, NULL, "another type, or another encoding",
                    "the encoding \"%.100s\" cannot be %s: %s", source->name,
                    lb_el_type_name((uint32_t)t->type), why);
        return false;
    }
    rule->grid_count = plain.count;
    rule->grids = plain.grids;
    d->model->operand[d->role] = (lb_model_quant){
        .scales = plain.scales, .count = plain.count, .zero_point = plain.zero_point};
    return true;
}

void lb_take_model_bias(lb_decoder *d, const cJSON *node, const lb_enc_tensor *input,
                        const lb_enc_tensor *weights, lb_case_tensor *t, lb_real_rule *rule)
{
    const size_t count = weights->grids ? weights->scale_count : 0;
    if (t->type != LB_S32 && t->type != LB_S64) {
        lb_complain(d, node, NULL, "type s32 or s64",
                    "\"input\" and \"weights\" give the encoding of a bias");
    } else if (!input->grids || input->scale_count != 1 || count == 0) {
        lb_complain(d, node, NULL, "an input with one scale, and weights with scales",
                    "\"%.100s\" and \"%.100s\" give no bias its scale", input->name, weights->name);
    } else if (count > 1 && (t->rank != 1 || t->shape[0] != count)) {
        lb_complain(d, node, NULL, "a number for each channel",
                    "U_AXIS: %zu channels of the weights, and a bias of another shape", count);
    } else {
        rule->grids = lb_arena_array(d->arena, count, sizeof *rule->grids);
        rule->grid_count = count;
        for (size_t i = 0; i < count; i++)
            rule->grids[i] = (lb_grid){.step = (double)(float)input->grids[0].scale *
                                               (double)(float)weights->grids[i].scale,
                                       .low = INT32_MIN,
                                       .high = INT32_MAX};
        t->axis = count > 1 ? 0 : -1;
        rule->is_ready = rule->grids[0].step > 0;
    }
}

/* ---- The call ---- */

static bool has_role(const lb_decoder *d, lb_role role)
{
    for (const lb_role_spec *spec = d->roles; spec->use != LB_USE_NONE; spec++)
        if (spec->role == role && spec->use == LB_USE_INPUT)
            return true;
    return false;
}

/* A number for each channel, as an input; room for them. NULL: told. */
static int32_t *put_factors(lb_decoder *d, lb_role role, uint32_t channels)
{
    lb_case_operand *operand = &d->c->operand[role];
    if (d->is_named[role]) {
        lb_complain_key(d, d->tensor_node[role][0], "leave it out", "%s is made of the encodings",
                        lb_role_name(role));
        return NULL;
    }
    d->is_named[role] = true;
    *operand = (lb_case_operand){.present = true, .count = 1};
    lb_case_tensor *t = operand->tensors = lb_arena_array(d->arena, 1, sizeof *operand->tensors);
    t->type = LB_S32;
    t->rank = 1;
    t->shape[0] = channels;
    t->has_data = true;
    t->data.count = channels;
    return t->data.items = lb_arena_array(d->arena, channels, sizeof *t->data.items);
}

static uint32_t channels_of(const lb_decoder *d)
{
    const lb_case_operand *out = &d->c->operand[LB_ROLE_OUT];
    const lb_case_tensor *t = out->present ? out->tensors : NULL;
    return !t || t->rank == 0 ? 0 : t->shape[t->rank - 1];
}

static bool same_made(const lb_prepared_call *a, const lb_prepared_call *b)
{
    const size_t bytes = a->channels * sizeof(int32_t);
    return lb_config_same(a->kernel->config_kind, &a->config, &b->config) &&
           (!a->multiplier || (memcmp(a->multiplier, b->multiplier, bytes) == 0 &&
                               memcmp(a->shift, b->shift, bytes) == 0));
}

/* In all profiles of the set. */
static void make_call(lb_decoder *d, const cJSON *root)
{
    const lb_kernel_set *set = lb_kernel_set_of(d->c->kernel);
    lb_prepared_call other = *d->model;
    if (other.multiplier) {
        other.multiplier = lb_arena_array(d->arena, other.channels, sizeof *other.multiplier);
        other.shift = lb_arena_array(d->arena, other.channels, sizeof *other.shift);
    }
    for (unsigned p = 0; p < set->profile_count; p++) {
        lb_prepared_call *m = p == 0 ? d->model : &other;
        if (!set->prepare(&set->profiles[p], m)) {
            const cJSON *node = m->wrong < LB_ROLE_COUNT ? d->tensor_node[m->wrong][0] : NULL;
            lb_complain(d, node ? node : root, node ? "encoding" : NULL,
                        "what preparing does with it: lastbit rule litert.22", "%s", m->why);
            return;
        }
        if (p > 0 && !same_made(d->model, &other)) {
            lb_complain(d, root, NULL, "other scales, or a case with the integers of one profile",
                        "%s and %s make different integers of these scales", set->profiles[0].name,
                        set->profiles[p].name);
            return;
        }
    }
    d->c->config = d->model->config;
}

void lb_decode_prepared(lb_decoder *d, const cJSON *root, bool good)
{
    lb_prepared_call *m = d->model;
    const bool has_factors = has_role(d, LB_ROLE_MULTIPLIER) && has_role(d, LB_ROLE_SHIFT);
    m->kernel = d->c->kernel;
    m->config = d->c->config;
    m->channels = has_role(d, LB_ROLE_WEIGHTS) && good ? channels_of(d) : 0;
    if (has_factors) {
        m->multiplier = put_factors(d, LB_ROLE_MULTIPLIER, m->channels);
        m->shift = put_factors(d, LB_ROLE_SHIFT, m->channels);
    }
    if (good && d->found == 0 && (!has_factors || (m->multiplier && m->shift)))
        make_call(d, root);
}
