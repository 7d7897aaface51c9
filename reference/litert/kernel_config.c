/* Keys of `config` in cases of LiteRT's functions, by the kinds of config.h. All are required, and
 * all are arguments: no kernel takes NULL in their place. Spec: litert.21.2. */
#include "describe/kernels.h"
#include "fields.h"

#include <string.h>

#define LB_LITE_FIELD_NAME(name, sort, dimension) #name,
static const char *const field_names[LB_LITE_FIELD_COUNT] = {LB_LITE_FIELDS(LB_LITE_FIELD_NAME)};

int lb_lite_field_find(const char *name)
{
    for (int i = 0; i < LB_LITE_FIELD_COUNT; i++)
        if (strcmp(field_names[i], name) == 0)
            return i;
    return -1;
}

/* clang-format off */

#define CODES(name, sort, dimension) LB_SORT_LITE_##name = LB_SORT_##sort, DIMENSION_##name = dimension,
enum { LB_LITE_FIELDS(CODES) };

#define FIELD(name) LB_CONFIG_FIELD(#name, litert.name, LITE_##name, DIMENSION_##name, false, true, NULL),
#define USUAL(field, usual_low, usual_high, low, high) \
    {.name = #field, .offset = offsetof(lb_config, litert.field), .type = LB_FIELD_I32, .count = 1, .sort = LB_SORT_LITE_##field, \
     .dimension = -1, .required = true, .usual = {usual_low, usual_high}, .whole = {low, high}},
#define KIND(kind, members) \
    [LB_CONFIG_LITERT_##kind - LB_CONFIG_OF_LITERT] = {.fields = (const lb_config_field[]){members {.name = NULL}}, .use = LB_CONFIG_IS_ARGUMENTS},

const lb_config_form lb_litert_configs[LB_CONFIG_END_OF_LITERT - LB_CONFIG_OF_LITERT] = {LB_LITE_KINDS(KIND, FIELD, USUAL)};

/* clang-format on */
