/* The decoder: a case as a whole, and the header of a suite. */
#include "harness/base/suggest.h"
#include "harness/base/utf8.h"
#include "harness/suite/decode.h"
#include "harness/suite/decode_prepared.h"

#include <stdio.h>
#include <string.h>

#define FORMAT "lastbit/cases-1"

enum {
    C_ID,
    C_FUNCTION,
    C_CONFIG,
    C_INPUTS,
    C_OUTPUTS,
    C_TAGS,
    C_EXPECT,
    C_NULL,
    C_HANDLES,
    C_STEPS,
    C_CHAIN,
    C_NOTE,
    C_FEED,
    C_KEY_COUNT
};

static const lb_key case_keys[] = {
    {"id", true},     {"function", true}, {"config", false}, {"inputs", false},  {"outputs", false},
    {"tags", false},  {"expect", false},  {"null", false},   {"handles", false}, {"steps", false},
    {"chain", false}, {"note", false},    {"feed", false},   {NULL, false}};

enum { MAX_NOTE_BYTES = 4096 };

/* Tensors of a sequence: they have no row in the table of kernels (pooling_and_movement.md 7). */
static const lb_role_spec sequence_roles[] = {{LB_ROLE_IN, LB_USE_INPUT, false, false},
                                              {LB_ROLE_IN_BAD, LB_USE_INPUT, false, true},
                                              {LB_ROLE_OUT, LB_USE_INOUT, false, false},
                                              {LB_ROLE_COUNT, LB_USE_NONE, false, false}};

static const lb_role_spec no_roles[] = {{LB_ROLE_COUNT, LB_USE_NONE, false, false}};

/* The role's row for this case, or NULL: not a role of its function. */
static const lb_role_spec *role_of_case(const lb_decoder *d, int role)
{
    for (const lb_role_spec *spec = d->roles; spec->use != LB_USE_NONE; spec++)
        if ((int)spec->role == role)
            return spec;
    return NULL;
}

/* ---- Function ---- */

static const char *function_name_at(const void *set, size_t index)
{
    return index == lb_kernel_total() ? LB_SEQUENCE_FUNCTION : lb_kernel_name_at(set, index);
}

static bool decode_function(lb_decoder *d, const cJSON *node)
{
    const char *name = lb_read_text(d, node);
    if (!name)
        return false;
    d->c->function = lb_arena_strdup(d->arena, name);
    d->c->kernel = lb_kernel_find(name);
    d->roles = d->c->kernel ? d->c->kernel->roles : sequence_roles;
    if (!d->roles)
        d->roles = no_roles;
    if (d->c->kernel || strcmp(name, LB_SEQUENCE_FUNCTION) == 0)
        return true;
    const char *near = lb_suggest(name, function_name_at, NULL);
    char remedy[400] = "\"lastbit port functions\" lists the functions";
    if (near)
        snprintf(remedy, sizeof remedy, "did you mean %s?", near);
    lb_complain(d, node, NULL, remedy, "unknown function \"%s\"", name);
    return false;
}

/* ---- Operands ---- */

static bool belongs_to_outputs(const lb_role_spec *spec)
{
    return spec->use == LB_USE_OUTPUT || spec->use == LB_USE_INOUT;
}

static const char *role_name_at(const void *set, size_t index)
{
    const lb_role_spec *specs = set;
    return specs[index].use == LB_USE_NONE ? NULL : lb_role_name(specs[index].role);
}

/* The row of the role that a member of inputs or outputs names, or NULL (reported). */
static const lb_role_spec *role_for_member(lb_decoder *d, const cJSON *member, bool outputs)
{
    const lb_role_spec *spec = role_of_case(d, lb_role_find(member->string));
    char remedy[400];
    if (!spec) {
        lb_suggest_text(member->string, role_name_at, d->roles, remedy, sizeof remedy);
        lb_complain_key(d, member, remedy, "not a role of %.80s", d->c->function);
        return NULL;
    }
    if (belongs_to_outputs(spec) != outputs) {
        snprintf(remedy, sizeof remedy, "put it under \"%s\"", outputs ? "inputs" : "outputs");
        lb_complain_key(d, member, remedy, "\"%s\" is an %s of this function", member->string,
                        outputs ? "input" : "output");
        return NULL;
    }
    if (d->is_named[spec->role]) {
        lb_complain_key(d, member, "each key stands once in an object",
                        "the key \"%s\" stands here a second time", member->string);
        return NULL;
    }
    d->is_named[spec->role] = true;
    return spec;
}

static void decode_operand(lb_decoder *d, const cJSON *member, const lb_role_spec *spec)
{
    lb_case_operand *operand = &d->c->operand[spec->role];
    size_t count = 1;
    if (spec->list && !lb_read_list(d, member, 1, LB_MAX_LIST, "tensors in the list", &count))
        return;
    operand->present = true;
    operand->is_output = belongs_to_outputs(spec);
    operand->is_list = spec->list;
    operand->count = (unsigned)count;
    operand->tensors = lb_arena_array(d->arena, count, sizeof *operand->tensors);
    const cJSON *node = spec->list ? member->child : member;
    for (unsigned i = 0; i < count; i++, node = node->next) {
        d->tensor_node[spec->role][i] = node;
        d->role = spec->role;
        lb_decode_tensor(d, node, &operand->tensors[i]);
    }
}

static void decode_operands(lb_decoder *d, const cJSON *node, bool outputs)
{
    if (!node)
        return;
    if (!cJSON_IsObject(node)) {
        lb_complain(d, node, NULL, "", "expected an object, found %s", lb_describe(node).text);
        return;
    }
    for (const cJSON *member = node->child; member && !lb_problems_full(d->problems);
         member = member->next) {
        const lb_role_spec *spec = role_for_member(d, member, outputs);
        if (spec)
            decode_operand(d, member, spec);
    }
}

static void check_roles(lb_decoder *d, const cJSON *root, const cJSON **slots)
{
    for (const lb_role_spec *spec = d->roles; spec->use != LB_USE_NONE; spec++) {
        const char *group = belongs_to_outputs(spec) ? "outputs" : "inputs";
        const cJSON *node = slots[belongs_to_outputs(spec) ? C_OUTPUTS : C_INPUTS];
        char key[64];
        if ((node && !cJSON_IsObject(node)) || d->is_named[spec->role] ||
            d->c->null_role[spec->role] || spec->optional)
            continue;
        snprintf(key, sizeof key, "%s%s%s", node ? "" : group, node ? "" : ".",
                 lb_role_name(spec->role));
        lb_complain(d, node ? node : root, key, "every role has a tensor, or stands in \"null\"",
                    "the role is missing");
    }
}

/* rnn_dense reads as many tensors as inputs_num says; outside 1..4 it refuses before it reads
 * (recurrent.md 5). */
static void check_inputs_num(lb_decoder *d, const cJSON *node)
{
    unsigned inputs = d->c->config.inputs_num;
    if (!node || !d->c->kernel || d->c->kernel->config_kind != LB_CONFIG_RNN_DENSE || inputs < 1 ||
        inputs > 4)
        return;
    for (const lb_role_spec *spec = d->roles; spec->use != LB_USE_NONE; spec++) {
        const lb_case_operand *operand = &d->c->operand[spec->role];
        if (spec->list && operand->present && operand->count < inputs)
            lb_complain(d, lb_member_or_self(node, "inputs_num"), NULL,
                        "at most the length of the lists", "%u, and \"%s\" has %u %s", inputs,
                        lb_role_name(spec->role), operand->count,
                        operand->count == 1 ? "tensor" : "tensors");
    }
}

/* ---- The smaller keys ---- */

static void decode_null(lb_decoder *d, const cJSON *node)
{
    size_t count;
    bool has_struct = d->c->kernel && lb_config_is_struct(d->c->kernel->config_kind);
    if (!node || !lb_read_list(d, node, 0, LB_ROLE_COUNT + 1, "roles", &count))
        return;
    for (const cJSON *child = node->child; child; child = child->next) {
        const char *name = lb_read_text(d, child);
        if (!name)
            continue;
        const lb_role_spec *spec = role_of_case(d, lb_role_find(name));
        bool is_config = strcmp(name, "cfg") == 0;
        bool again = is_config ? d->c->null_config : spec && d->c->null_role[spec->role];
        if (again)
            lb_complain(d, child, NULL, "", "\"%s\" stands here a second time", name);
        else if (!d->c->kernel)
            lb_complain(d, child, NULL, "", "nothing can be NULL in a sequence");
        else if (is_config && !has_struct)
            lb_complain(d, child, NULL, "", "%.80s takes no configuration struct", d->c->function);
        else if (is_config)
            d->c->null_config = true;
        else if (spec)
            d->c->null_role[spec->role] = true;
        else
            lb_complain(d, child, NULL, "a role of the function, or \"cfg\"",
                        "%s is not a role of %.80s", lb_describe(child).text, d->c->function);
    }
}

static void decode_tags(lb_decoder *d, const cJSON *node)
{
    size_t count;
    if (!node || !lb_read_list(d, node, 0, LB_MAX_TAGS, "tags", &count))
        return;
    d->c->tags = lb_arena_array(d->arena, count, sizeof *d->c->tags);
    for (const cJSON *child = node->child; child; child = child->next) {
        char *tag = lb_read_name(d, child, LB_MAX_TAG_BYTES);
        if (tag)
            d->c->tags[d->c->tag_count++] = tag;
    }
}

static char *decode_note(lb_decoder *d, const cJSON *node)
{
    const char *text = node ? lb_read_text(d, node) : NULL;
    if (!text)
        return NULL;
    if (strlen(text) > MAX_NOTE_BYTES) {
        lb_complain(d, node, NULL, "at most 4096 bytes", "a note of %zu bytes", strlen(text));
        return NULL;
    }
    return lb_arena_strdup(d->arena, text);
}

static void decode_case_config(lb_decoder *d, const cJSON *root, const cJSON *node)
{
    lb_config_kind kind = d->c->kernel ? d->c->kernel->config_kind : LB_CONFIG_MOV;
    if (node) {
        lb_decode_config(d, node, kind, false, &d->c->config);
    } else if (d->model) {
        return; /* what is missing is told when the call is made */
    } else if (!d->c->null_config) {
        for (const lb_config_field *field = lb_config_fields(kind); field->name; field++)
            if (field->required) {
                lb_complain(d, root, "config", "give it, or pass NULL: \"null\": [\"cfg\"]",
                            "the key is missing");
                break;
            }
    }
    if (node && d->c->config.scratch_bytes > LB_MAX_SCRATCH_BYTES)
        lb_complain(d, node, "scratch_bytes", "at most 268435456",
                    "the scratch buffer is too large");
}

static void decode_sequence(lb_decoder *d, const cJSON *root, const cJSON **slots)
{
    bool sequence = strcmp(d->c->function, LB_SEQUENCE_FUNCTION) == 0;
    for (unsigned key = C_HANDLES; key <= C_STEPS; key++) {
        if (!sequence && slots[key])
            lb_complain_key(d, slots[key], "leave it out",
                            "only " LB_SEQUENCE_FUNCTION " has \"%s\"", case_keys[key].name);
        if (sequence && !slots[key])
            lb_complain(d, root, case_keys[key].name, "", "the key is missing: a sequence has it");
    }
    if (sequence && slots[C_HANDLES])
        lb_decode_handles(d, slots[C_HANDLES]);
    if (sequence && slots[C_STEPS])
        lb_decode_steps(d, slots[C_STEPS]);
}

/* The name of the case in messages, even where the rest is wrong. */
static void decode_id(lb_decoder *d, const cJSON *node)
{
    if (!node)
        return;
    d->c->id = lb_read_name(d, node, LB_MAX_ID_BYTES);
    if (d->c->id)
        d->case_id = d->c->id;
}

bool lb_decode_case(const lb_document *document, lb_problems *problems, lb_arena *arena, lb_case *c)
{
    lb_decoder d = {.document = document,
                    .problems = problems,
                    .arena = arena,
                    .c = c,
                    .case_id = "",
                    .roles = no_roles};
    const cJSON *slots[C_KEY_COUNT];
    const cJSON *root = document->root;
    memset(c, 0, sizeof *c);
    c->line = document->root_line;
    for (const cJSON *member = cJSON_IsObject(root) ? root->child : NULL; member;
         member = member->next)
        if (strcmp(member->string, "id") == 0 && cJSON_IsString(member))
            d.case_id = member->valuestring;
    lb_read_members(&d, root, case_keys, slots);
    if (!cJSON_IsObject(root))
        return false;
    decode_id(&d, slots[C_ID]);
    decode_tags(&d, slots[C_TAGS]);
    c->note = decode_note(&d, slots[C_NOTE]);
    if (!slots[C_FUNCTION] || !decode_function(&d, slots[C_FUNCTION]))
        return false; /* all other rules hang on the function */
    decode_null(&d, slots[C_NULL]);
    if (document->prepares && c->kernel && lb_kernel_set_of(c->kernel)->prepare &&
        (lb_has_encodings(slots[C_INPUTS]) || lb_has_encodings(slots[C_OUTPUTS])))
        d.model = lb_arena_alloc(arena, sizeof *d.model);
    decode_case_config(&d, root, slots[C_CONFIG]);
    unsigned found = d.found;
    decode_operands(&d, slots[C_INPUTS], false);
    decode_operands(&d, slots[C_OUTPUTS], true);
    if (d.model)
        lb_decode_prepared(&d, root, d.found == found);
    check_roles(&d, root, slots);
    check_inputs_num(&d, slots[C_CONFIG]);
    decode_sequence(&d, root, slots);
    if (d.found == found)
        lb_check_references(&d);
    if (d.found == found && slots[C_CHAIN])
        lb_decode_chain(&d, slots[C_CHAIN]);
    if (d.found == found && slots[C_FEED])
        lb_decode_layer_feeds(&d, slots[C_FEED]);
    if (d.found == found && slots[C_EXPECT]) /* expectations are measured by the tensors: not worth
                                                it where those are wrong */
        lb_decode_expectations(&d, slots[C_EXPECT]);
    return d.found == 0;
}

/* ---- The header ---- */

static void decode_format(lb_decoder *d, const cJSON *node, lb_header *header)
{
    const char *text = lb_read_text(d, node);
    header->format_is_known = text && strcmp(text, FORMAT) == 0;
    if (text && !header->format_is_known)
        lb_complain(d, node, NULL, "this version reads \"" FORMAT "\"",
                    "the format \"%.80s\" is not known", text);
}

void lb_decode_header_member(lb_header *header, const lb_document *document, lb_problems *problems,
                             lb_arena *arena)
{
    static const char *const names[] = {"format", "suite", "note", "cases", NULL};
    bool *const flags[] = {&header->has_format, &header->has_suite, &header->has_note,
                           &header->has_cases};
    lb_case nothing = {0};
    lb_decoder d = {
        .document = document, .problems = problems, .arena = arena, .c = &nothing, .case_id = ""};
    unsigned which = 0;
    while (names[which] && strcmp(names[which], document->prefix) != 0)
        which++;
    if (!names[which]) {
        char remedy[400];
        lb_suggest_text(document->prefix, lb_name_in_array, names, remedy, sizeof remedy);
        lb_complain_key(&d, document->root, remedy, "unknown key");
    } else if (*flags[which]) {
        lb_complain_key(&d, document->root, "each key stands once in an object",
                        "the key \"%s\" stands here a second time", names[which]);
    } else {
        *flags[which] = true;
        if (which == 0)
            decode_format(&d, document->root, header);
        else if (which == 1)
            header->name = lb_read_name(&d, document->root, LB_MAX_ID_BYTES);
        else if (which == 2)
            decode_note(&d, document->root);
        else if (!cJSON_IsArray(document->root))
            lb_complain(&d, document->root, NULL, "", "expected the list of cases, found %s",
                        lb_describe(document->root).text);
    }
}

void lb_decode_header_end(const lb_header *header, bool json_lines, unsigned line,
                          lb_problems *problems)
{
    const struct {
        bool missing;
        const char *key, *remedy;
    } rows[] = {{!header->has_format, "format", "\"format\": \"" FORMAT "\""},
                {!header->has_suite, "suite", "the name of the suite"},
                {!json_lines && !header->has_cases, "cases", "the list of cases"}};
    size_t count = header->format_is_known ? sizeof rows / sizeof rows[0] : 1;
    for (size_t i = 0; i < count; i++)
        if (rows[i].missing)
            lb_problem(problems, (lb_place){.line = line, .key = rows[i].key}, rows[i].remedy,
                       "the key is missing");
    if (json_lines && header->format_is_known && header->has_cases)
        lb_problem(
            problems, (lb_place){.line = line, .key = "cases"},
            "in JSON Lines the cases follow, one a line; a file that is one value is called .json",
            "the header of JSON Lines holds no cases");
}
