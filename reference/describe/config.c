/* Configurations, by the tables of the kernel sets: see config.h. */
#include "config.h"

#include <string.h>

/* The sets, by the range of their kinds. */
static const struct {
    const lb_config_form *forms;
    int first, count;
} sets[] = {
    {lb_mli_configs, 0, LB_CONFIG_KIND_COUNT},
    {lb_litert_configs, LB_CONFIG_OF_LITERT, LB_CONFIG_END_OF_LITERT - LB_CONFIG_OF_LITERT},
};

static const lb_config_form *form_of(lb_config_kind kind)
{
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
        if (kind >= sets[i].first && kind - sets[i].first < sets[i].count)
            return &sets[i].forms[kind - sets[i].first];
    return NULL;
}

const lb_config_field *lb_config_fields(lb_config_kind kind)
{
    const lb_config_form *form = form_of(kind);
    return form ? form->fields : NULL;
}

const lb_config_field *lb_config_field_named(lb_config_kind kind, const char *name)
{
    const lb_config_field *f = lb_config_fields(kind);
    while (f->name && strcmp(f->name, name) != 0)
        f++;
    return f->name ? f : NULL;
}

bool lb_config_is_struct(lb_config_kind kind)
{
    return form_of(kind)->use == LB_CONFIG_IS_STRUCT;
}

lb_config_kind lb_config_filled_by(lb_config_kind kind)
{
    return form_of(kind)->fills;
}

/* ---- Values ---- */

size_t lb_config_field_bytes(const lb_config_field *field)
{
    return field->count * (field->type == LB_FIELD_U8 ? sizeof(uint8_t) : sizeof(uint32_t));
}

int64_t lb_config_get(const lb_config *config, const lb_config_field *field, unsigned entry)
{
    const unsigned char *at = (const unsigned char *)config + field->offset;
    int32_t word;
    if (field->type == LB_FIELD_U8)
        return at[entry];
    memcpy(&word, at + entry * sizeof word, sizeof word);
    return field->type == LB_FIELD_U32 ? (int64_t)(uint32_t)word : word;
}

void lb_config_set(lb_config *config, const lb_config_field *field, unsigned entry, int64_t value)
{
    unsigned char *at = (unsigned char *)config + field->offset;
    const uint32_t word = (uint32_t)value;
    if (field->type == LB_FIELD_U8)
        at[entry] = (unsigned char)value;
    else
        memcpy(at + entry * sizeof word, &word, sizeof word);
}

const lb_config_field *lb_config_entry(lb_config_kind kind, unsigned *entry)
{
    const lb_config_field *f = lb_config_fields(kind);
    for (; f && f->name && *entry >= f->count; f++)
        *entry -= f->count;
    return f && f->name ? f : NULL;
}

bool lb_config_same(lb_config_kind kind, const lb_config *a, const lb_config *b)
{
    const lb_config_field *f = lb_config_fields(kind);
    while (f->name && memcmp((const char *)a + f->offset, (const char *)b + f->offset,
                             lb_config_field_bytes(f)) == 0)
        f++;
    return !f->name;
}
