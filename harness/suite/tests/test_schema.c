/* vectors/cases.schema.json knows the functions, roles and configurations that the table of kernels
 * has, and no others. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/suite/decode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cJSON *schema;

static int load_schema(void **state)
{
    (void)state;
    FILE *file = fopen(LASTBIT_SOURCE_DIR "/vectors/cases.schema.json", "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        return -1;
    size_t length = (size_t)ftell(file);
    rewind(file);
    char *text = calloc(1, length + 1);
    if (!text || fread(text, 1, length, file) != length)
        return -1;
    fclose(file);
    schema = cJSON_Parse(text);
    free(text);
    return schema ? 0 : -1;
}

static int free_schema(void **state)
{
    (void)state;
    cJSON_Delete(schema);
    return 0;
}

/* The node at a path of keys, NULL-ended. */
static const cJSON *at(const cJSON *node, const char *const *keys)
{
    for (; *keys && node; keys++)
        node = cJSON_GetObjectItemCaseSensitive(node, *keys);
    return node;
}
#define AT(node, ...) at(node, (const char *const[]){__VA_ARGS__, NULL})

static bool holds(const cJSON *list, const char *name)
{
    const cJSON *entry;
    cJSON_ArrayForEach(entry, list)
    {
        if (strcmp(entry->valuestring, name) == 0)
            return true;
    }
    return false;
}

/* The rule of the schema for a function: what stands behind "then". */
static const cJSON *rule_for(const char *function)
{
    const cJSON *rule, *found = NULL;
    cJSON_ArrayForEach(rule, AT(schema, "$defs", "case", "allOf"))
    {
        const char *reference = AT(rule, "if", "properties", "function", "$ref")->valuestring;
        const cJSON *names = AT(schema, "$defs", "functions", strrchr(reference, '/') + 1, "enum");
        if (names && holds(names, function)) {
            assert_null(found); /* one rule per function */
            found = cJSON_GetObjectItemCaseSensitive(rule, "then");
        }
    }
    return found;
}

static void check_roles(const lb_kernel *kernel, const cJSON *rule)
{
    const cJSON *in = AT(rule, "properties", "inputs", "propertyNames", "enum");
    const cJSON *out = AT(rule, "properties", "outputs", "propertyNames", "enum");
    int inputs = 0, outputs = 0;
    for (const lb_role_spec *spec = kernel->roles; spec && spec->use != LB_USE_NONE; spec++) {
        const char *name = lb_role_name(spec->role);
        inputs += spec->use == LB_USE_INPUT;
        outputs += spec->use != LB_USE_INPUT;
        if (!holds(spec->use == LB_USE_INPUT ? in : out, name))
            fail_msg("%s: the schema has no role %s", kernel->name, name);
        const cJSON *required = AT(rule, "then", "properties",
                                   spec->use == LB_USE_INPUT ? "inputs" : "outputs", "required");
        if (holds(required, name) == spec->optional)
            fail_msg("%s: %s is wrongly %s", kernel->name, name,
                     spec->optional ? "required" : "optional");
    }
    assert_int_equal(cJSON_GetArraySize(in), inputs);
    assert_int_equal(cJSON_GetArraySize(out), outputs);
}

static void check_config(const lb_kernel *kernel, const cJSON *rule)
{
    const cJSON *config = AT(rule, "properties", "config");
    const cJSON *names = AT(config, "propertyNames", "enum");
    const cJSON *required = AT(config, "required");
    int fields = 0, due = 0;
    for (const lb_config_field *field = lb_config_fields(kernel->config_kind); field->name;
         field++) {
        fields++;
        due += field->required;
        if (!holds(names, field->name) || (field->required && !holds(required, field->name)))
            fail_msg("%s: config.%s", kernel->name, field->name);
        const cJSON *values = AT(schema, "$defs", "config", "properties", field->name, "anyOf");
        for (int i = 0; field->enum_names && field->enum_names[i]; i++)
            assert_true(holds(AT(values->child, "enum"), field->enum_names[i]));
    }
    assert_int_equal(cJSON_GetArraySize(names), fields);
    assert_int_equal(cJSON_GetArraySize(required), due);
}

static void functions_agree(void **state)
{
    (void)state;
    const cJSON *group;
    size_t names = 0;
    for (size_t i = 0; i < lb_kernel_count; i++) {
        const cJSON *rule = rule_for(lb_kernels[i].name);
        if (!rule)
            fail_msg("the schema does not know %s", lb_kernels[i].name);
        check_roles(&lb_kernels[i], rule);
        check_config(&lb_kernels[i], rule);
        bool requires_status =
            holds(AT(rule, "properties", "expect", "items", "required"), "status");
        assert_int_equal(requires_status, lb_kernels[i].returns_status);
    }
    assert_non_null(rule_for(LB_SEQUENCE_FUNCTION));
    cJSON_ArrayForEach(group, AT(schema, "$defs", "functions"))
    {
        names += (size_t)cJSON_GetArraySize(AT(group, "enum"));
    }
    assert_int_equal(names, lb_kernel_count + 1);
}

static void names_agree(void **state)
{
    (void)state;
    const cJSON *statuses = AT(schema, "$defs", "status", "enum");
    const cJSON *profiles =
        AT(schema, "$defs", "expect", "properties", "profiles", "items", "enum");
    const cJSON *inputs = AT(schema, "$defs", "case", "properties", "inputs", "properties");
    assert_int_equal(cJSON_GetArraySize(statuses), LB_STATUS_COUNT);
    for (int i = 0; i < LB_STATUS_COUNT; i++)
        assert_true(holds(statuses, lb_status_name(i)));
    assert_int_equal(cJSON_GetArraySize(profiles), LB_PROFILE_COUNT);
    for (int i = 0; i < LB_PROFILE_COUNT; i++)
        assert_true(holds(profiles, lb_profiles[i].name));
    assert_int_equal(cJSON_GetArraySize(inputs), LB_ROLE_COUNT);
    for (int i = 0; i < LB_ROLE_COUNT; i++)
        assert_non_null(AT(inputs, lb_role_name((lb_role)i)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(functions_agree),
                                       cmocka_unit_test(names_agree)};
    return cmocka_run_group_tests(tests, load_schema, free_schema);
}
