/* The decoder: "config", by the table of fields that stands beside the kernels. */
#include "harness/base/suggest.h"
#include "harness/suite/decode.h"
#include "harness/suite/decode_prepared.h"

#include <stdio.h>
#include <string.h>

static const char *field_name_at(const void *set, size_t index)
{
    return ((const lb_config_field *)set)[index].name;
}

static void decode_number(lb_decoder *d, const cJSON *node, const lb_config_field *field,
                          unsigned entry, lb_config *config)
{
    static const struct {
        int64_t low, high;
        const char *what;
    } range[] = {[LB_FIELD_U8] = {0, UINT8_MAX, "8 bits without sign"},
                 [LB_FIELD_I32] = {INT32_MIN, INT32_MAX, "32 bits"},
                 [LB_FIELD_U32] = {0, UINT32_MAX, "32 bits without sign"}};
    int64_t value;
    unsigned number;
    if (field->enum_names && cJSON_IsString(node)) {
        if (lb_read_choice(d, node, field->enum_names, &number))
            lb_config_set(config, field, entry, number);
    } else if (lb_read_integer(d, node, range[field->type].low, range[field->type].high,
                               range[field->type].what, &value)) {
        lb_config_set(config, field, entry, value);
    }
}

static void decode_field(lb_decoder *d, const cJSON *node, const lb_config_field *field,
                         lb_config *config)
{
    size_t count;
    unsigned entry = 0;
    if (field->count == 1) {
        decode_number(d, node, field, 0, config);
        return;
    }
    if (!lb_read_list(d, node, 1, field->count, "entries; those left out are 0", &count))
        return;
    for (const cJSON *child = node->child; child; child = child->next)
        decode_number(d, child, field, entry++, config);
}

static void complain_unknown(lb_decoder *d, const cJSON *member, const lb_config_field *fields)
{
    char remedy[400];
    const char *function = d->c->function ? d->c->function : "the function";
    if (!fields->name) {
        lb_complain_key(d, member, "leave it out", "%.80s takes no configuration", function);
        return;
    }
    lb_suggest_text(member->string, field_name_at, fields, remedy, sizeof remedy);
    lb_complain_key(d, member, remedy, "not a field of the configuration of %.80s", function);
}

void lb_decode_config(lb_decoder *d, const cJSON *node, lb_config_kind kind, bool all_required,
                      lb_config *config)
{
    const lb_config_field *fields = lb_config_fields(kind);
    uint64_t seen = 0; /* bit i: field i */
    if (!cJSON_IsObject(node)) {
        lb_complain(d, node, NULL, "", "expected an object, found %s", lb_describe(node).text);
        return;
    }
    unsigned next = 0;
    for (const cJSON *member = node->child; member && !lb_problems_full(d->problems);
         member = member->next) {
        unsigned i = next; /* fields usually come in the order of the table */
        if (!fields[i].name || strcmp(fields[i].name, member->string) != 0)
            for (i = 0; fields[i].name && strcmp(fields[i].name, member->string) != 0;)
                i++;
        if (!fields[i].name && lb_decode_model_key(d, member)) {
            continue;
        } else if (!fields[i].name) {
            complain_unknown(d, member, fields);
        } else if (seen & (uint64_t)1 << i) {
            lb_complain_key(d, member, "each key stands once in an object",
                            "the key \"%s\" stands here a second time", fields[i].name);
        } else if (lb_is_prepared_field(d, &fields[i])) {
            lb_complain_key(d, member, "leave it out", "%s is made of the encodings",
                            fields[i].name);
        } else {
            seen |= (uint64_t)1 << i;
            decode_field(d, member, &fields[i], config);
            next = i + 1;
        }
    }
    for (unsigned i = 0; fields[i].name; i++)
        if ((all_required || fields[i].required) && !(seen & (uint64_t)1 << i) &&
            !lb_is_prepared_field(d, &fields[i]))
            lb_complain(d, node, fields[i].name, "", "the key is missing");
}
