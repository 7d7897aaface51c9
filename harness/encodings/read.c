/* An encodings file from its bytes to its tensors: version, top level, quantizer_args. Spec:
 * encodings.md 1.2, 2.1. */
#include "harness/base/whole_file.h"
#include "harness/base/xalloc.h"
#include "harness/encodings/map.h"
#include "harness/encodings/reader.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_FILE_BYTES = 1 << 30 };

static const char activations[] = "activation_encodings", parameters[] = "param_encodings",
                  all_tensors[] = "encodings";

bool lb_enc_is_activation(const lb_enc_tensor *tensor)
{
    return strcmp(tensor->section, activations) == 0;
}

bool lb_enc_is_parameter(const lb_enc_tensor *tensor)
{
    return strcmp(tensor->section, parameters) == 0;
}

static lb_enc_file *new_file(const char *path)
{
    lb_enc_file *file = lb_resized(NULL, sizeof *file);
    *file = (lb_enc_file){.is_valid = false};
    file->path = lb_arena_strdup(&file->arena, path);
    return file;
}

/* ---- Tensors ---- */

static bool is_same_name(void *user, size_t earlier, const char *name)
{
    return strcmp(((const lb_enc_file *)user)->tensors[earlier].name, name) == 0;
}

bool lb_enc_new_tensor(lb_enc_reader *r, const char *name, const char *section, const cJSON *node,
                       const lb_pointer *duplicate_at, const lb_pointer *tensor_at,
                       lb_enc_tensor **tensor)
{
    lb_enc_file *file = r->file;
    size_t earlier = 0;
    if (!lb_id_set_add(&r->names, name, is_same_name, file, &earlier))
        return lb_enc_fail(r, "E_DUP_NAME", duplicate_at, node, "one tensor has one encoding",
                           "the tensor stands at %s already", file->tensors[earlier].where);
    file->tensors = lb_room_for_one(file->tensors, file->tensor_count, &file->tensor_capacity,
                                    sizeof *file->tensors);
    *tensor = &file->tensors[file->tensor_count++];
    **tensor = (lb_enc_tensor){.name = name,
                               .section = section,
                               .where = lb_pointer_text(&file->arena, tensor_at),
                               .offset = lb_node_place(node).key};
    return true;
}

bool lb_enc_read_named(lb_enc_reader *r, const cJSON *section, const lb_pointer *where,
                       const char *section_name, lb_enc_entry_fn read_entry)
{
    size_t i = 0;
    if (!lb_enc_list(r, section, where))
        return false;
    for (const cJSON *node = section->child; node; node = node->next, i++) {
        lb_pointer at = lb_step_index(where, i);
        lb_pointer name_at = lb_step_key(&at, "name");
        const cJSON *name_node;
        const char *text;
        lb_enc_tensor *tensor;
        if (!lb_enc_object(r, node, &at) || !lb_enc_require(r, node, &at, "name", &name_node) ||
            !lb_enc_text_of(r, name_node, &name_at, &text) ||
            !lb_enc_new_tensor(r, text, section_name, name_node, &name_at, &at, &tensor))
            return false;
        tensor->node = node;
        if (!read_entry(r, node, &at, tensor))
            return false;
    }
    return true;
}

/* ---- Version ---- */

/* One decimal number without leading zeros; its value up to 99, else 99. NULL: none stands there.
 */
static const char *read_part(const char *text, unsigned *value)
{
    size_t digits = strspn(text, "0123456789");
    if (digits == 0 || (digits > 1 && text[0] == '0'))
        return NULL;
    *value = digits > 2 ? 99 : (unsigned)atoi(text);
    return text + digits;
}

static bool find_family(const char *version, lb_enc_family *family)
{
    unsigned part[3] = {0};
    const char *end = version;
    for (unsigned i = 0; i < 3; i++) {
        if (i > 0 && *end++ != '.')
            return false;
        end = read_part(end, &part[i]);
        if (!end)
            return false;
    }
    if (*end != '\0')
        return false;
    static const struct {
        unsigned major, low, high;
        lb_enc_family family;
    } known[] = {{0, 0, 4, LB_ENC_04}, {0, 5, 5, LB_ENC_05}, {0, 6, 6, LB_ENC_06},
                 {1, 0, 0, LB_ENC_10}, {2, 0, 0, LB_ENC_20}, {2, 1, 1, LB_ENC_21}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (part[0] == known[i].major && part[1] >= known[i].low && part[1] <= known[i].high) {
            *family = known[i].family;
            return true;
        }
    return false;
}

static const char *const documented[] = {"0.4.0", "0.5.0", "0.6.1", "1.0.0", "2.0.0", "2.1.0"};
enum { DOCUMENTED = sizeof documented / sizeof documented[0] };

static bool read_version(lb_enc_reader *r)
{
    const cJSON *node = lb_enc_member(r->root, "version");
    lb_pointer where = lb_step_key(NULL, "version");
    if (!node) {
        lb_enc_warn(r, "W_NO_VERSION", &where, NULL, "add \"version\": \"0.4.0\"",
                    "the file has no version; it is read by the rules of 0.4.0");
        r->file->family = LB_ENC_04;
        return true;
    }
    if (!cJSON_IsString(node))
        return lb_enc_fail(r, "E_VERSION_TYPE", &where, node,
                           "a version is a text such as \"0.6.1\"", "the version is %s",
                           lb_enc_describe(r, node));
    if (!find_family(node->valuestring, &r->file->family))
        return lb_enc_fail(r, "E_VERSION_UNKNOWN", &where, node,
                           "up to 0.4.x, 0.5.x, 0.6.x, 1.0.x, 2.0.x and 2.1.x are read",
                           "the version \"%.40s\" is not known", node->valuestring);
    r->file->version = node->valuestring;
    for (size_t i = 0; i < DOCUMENTED; i++)
        if (strcmp(node->valuestring, documented[i]) == 0)
            return true;
    lb_enc_warn(r, "W_VERSION_PATCH", &where, node, "",
                "the format document has no version %.40s; it is read as its family",
                node->valuestring);
    return true;
}

/* ---- quantizer_args ---- */

static bool read_args_flag(lb_enc_reader *r, const cJSON *node, const lb_pointer *where)
{
    if (cJSON_IsBool(node))
        return true;
    if (!cJSON_IsString(node))
        return lb_enc_fail(r, "E_FIELD_TYPE", where, node, "write \"True\" or \"False\"",
                           "expected a flag, found %s", lb_enc_describe(r, node));
    if (strcmp(node->valuestring, "True") == 0 || strcmp(node->valuestring, "False") == 0)
        return true;
    return lb_enc_fail(r, "E_BOOL_STRING", where, node, "write \"True\" or \"False\"", "%s",
                       lb_enc_describe(r, node));
}

static bool read_args_width(lb_enc_reader *r, const cJSON *node, const lb_pointer *where)
{
    int width;
    return lb_enc_width(r, node, where, 4, 32, &width);
}

static bool read_args_dtype(lb_enc_reader *r, const cJSON *node, const lb_pointer *where)
{
    const char *text;
    if (!lb_enc_text_of(r, node, where, &text))
        return false;
    if (strcmp(text, "int") == 0 || strcmp(text, "float") == 0)
        return true;
    return lb_enc_fail(r, "E_DTYPE", where, node, "\"int\" or \"float\"", "%s",
                       lb_enc_describe(r, node));
}

static bool read_args_text(lb_enc_reader *r, const cJSON *node, const lb_pointer *where)
{
    const char *text;
    return lb_enc_text_of(r, node, where, &text);
}

static bool enc_read_args(lb_enc_reader *r, const cJSON *args, const lb_pointer *where)
{
    static const struct {
        const char *key;
        bool (*read)(lb_enc_reader *r, const cJSON *node, const lb_pointer *where);
    } fields[] = {{"activation_bitwidth", read_args_width},
                  {"param_bitwidth", read_args_width},
                  {"dtype", read_args_dtype},
                  {"is_symmetric", read_args_flag},
                  {"per_channel_quantization", read_args_flag},
                  {"quant_scheme", read_args_text}};
    enum { FIELD_COUNT = sizeof fields / sizeof fields[0] };
    const char *known[FIELD_COUNT + 1] = {NULL};
    if (!lb_enc_object(r, args, where))
        return false;
    for (size_t i = 0; i < FIELD_COUNT; i++) {
        const cJSON *node = lb_enc_member(args, fields[i].key);
        lb_pointer at = lb_step_key(where, fields[i].key);
        known[i] = fields[i].key;
        if (node && !fields[i].read(r, node, &at))
            return false;
    }
    lb_enc_unknown_members(r, args, where, known);
    return true;
}

/* ---- Top level ---- */

static bool read_section(lb_enc_reader *r, const char *name)
{
    lb_enc_family family = r->file->family;
    lb_pointer where = lb_step_key(NULL, name);
    const cJSON *section = lb_enc_member(r->root, name);
    if (!section)
        return lb_enc_fail(
            r, "E_MISSING_FIELD", &where, r->root,
            family == LB_ENC_04
                ? "an empty section is {}; \"--bare-parameters\" reads a file of parameters alone"
                : "an empty section stands in the file all the same",
            "the section \"%s\" is missing", name);
    return (family >= LB_ENC_20   ? lb_enc_read_section_2
            : family == LB_ENC_10 ? lb_enc_read_section_1
                                  : lb_enc_read_section_0)(r, section, &where, name);
}

/* The whole file is one section of parameters. Its version, if it has one, stands among them. */
static bool read_bare(lb_enc_reader *r)
{
    cJSON *version = cJSON_DetachItemFromObjectCaseSensitive(r->root, "version");
    (void)version; /* in the arena */
    if (r->file->family <= LB_ENC_06)
        return lb_enc_read_section_0(r, r->root, NULL, parameters);
    return lb_enc_fail(r, "E_MISSING_FIELD", NULL, r->root, "leave \"--bare-parameters\" out",
                       "a file of version %s has sections", r->file->version);
}

/* All but the version, which is known. */
static bool read_body(lb_enc_reader *r)
{
    static const char *const known[][6] = {
        [LB_ENC_04] = {"version", activations, parameters},
        [LB_ENC_05] = {"version", activations, parameters},
        [LB_ENC_06] = {"version", activations, parameters, "quantizer_args", "excluded_layers"},
        [LB_ENC_10] = {"version", activations, parameters, "quantizer_args", "excluded_layers"},
        [LB_ENC_20] = {"version", all_tensors},
        [LB_ENC_21] = {"version", all_tensors},
    };
    lb_enc_family family = r->file->family;
    lb_enc_unknown_members(r, r->root, NULL, known[family]);
    if (family >= LB_ENC_20)
        return read_section(r, all_tensors);
    if (!read_section(r, activations) || !read_section(r, parameters))
        return false;
    if (family < LB_ENC_06)
        return true;
    lb_pointer where = lb_step_key(NULL, "quantizer_args");
    const cJSON *args = lb_enc_member(r->root, "quantizer_args");
    if (args)
        return enc_read_args(r, args, &where);
    lb_enc_warn(r, "W_NO_QUANTIZER_ARGS", &where, NULL, "",
                "the file does not say how it was made");
    return true;
}

static bool read_top(lb_enc_reader *r)
{
    if (!cJSON_IsObject(r->root))
        return lb_enc_fail(r, "E_ROOT_TYPE", NULL, r->root,
                           "an encodings file is one object, {...}", "%s stands at the top level",
                           lb_enc_describe(r, r->root));
    if (!read_version(r))
        return false;
    return r->options.bare_parameters ? read_bare(r) : read_body(r);
}

/* ---- A version by which the file would be right ---- */

/* Is the file valid by this version, with no member that it does not know? Then the number of its
 * warnings. */
static bool is_valid_by(const lb_enc_reader *r, const char *version, size_t *warnings)
{
    lb_enc_file *file = new_file(r->file->path);
    lb_enc_reader trial = {.file = file, .text = r->text, .length = r->length, .root = r->root};
    bool is_valid = find_family(version, &file->family) && read_body(&trial);
    *warnings = file->warning_count;
    for (size_t i = 0; i < file->warning_count; i++)
        is_valid &= strcmp(file->warnings[i].code, "W_UNKNOWN_FIELD") != 0;
    lb_id_set_free(&trial.names);
    lb_enc_free(file);
    return is_valid;
}

/* What a file says of itself is wrong more often than all else in it: files that override encodings
 * have no version, or that of others. So a remedy that is a version has been tried. */
static void try_versions(lb_enc_reader *r)
{
    static const char *const codes[] = {"E_DTYPE", "E_MISSING_FIELD", "E_FIELD_TYPE",
                                        "E_VERSION_TYPE", "E_VERSION_UNKNOWN"};
    lb_enc_note *error = &r->file->error;
    const char *best = NULL;
    size_t fewest = 0, warnings;
    bool is_about_versions = false;
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
        is_about_versions |= strcmp(error->code, codes[i]) == 0;
    if (!is_about_versions || r->options.bare_parameters || !cJSON_IsObject(r->root))
        return;
    for (size_t i = 0; i < DOCUMENTED; i++)
        if (is_valid_by(r, documented[i], &warnings) && (!best || warnings < fewest)) {
            best = documented[i];
            fewest = warnings;
        }
    if (best)
        error->remedy = lb_arena_printf(&r->file->arena,
                                        "\"version\": \"%s\", by which the file is valid", best);
    else if (strstr(error->remedy, "0.5.0"))
        best = "0.5.0";
    for (size_t i = 0; best && i < r->file->warning_count; i++)
        if (strcmp(r->file->warnings[i].code, "W_NO_VERSION") == 0)
            r->file->warnings[i].remedy =
                lb_arena_printf(&r->file->arena, "add \"version\": \"%s\"", best);
}

/* ---- The file ---- */

static int compare_offsets(const void *a, const void *b)
{
    const lb_enc_note *x = *(lb_enc_note *const *)a;
    const lb_enc_note *y = *(lb_enc_note *const *)b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

void lb_enc_place_warnings(lb_enc_file *file)
{
    size_t count = 0;
    lb_enc_note **placed = lb_resized(NULL, (file->warning_count + 1) * sizeof(lb_enc_note *));
    for (size_t i = 0; i < file->warning_count; i++)
        if (file->warnings[i].line > 0)
            placed[count++] = &file->warnings[i];
    qsort(placed, count, sizeof(lb_enc_note *), compare_offsets);
    unsigned line = 1;
    size_t start = 0; /* of the line */
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        for (; at < placed[i]->offset; at++)
            if (file->text[at] == '\n') {
                line++;
                start = at + 1;
            }
        placed[i]->line = line;
        placed[i]->column = (unsigned)(placed[i]->offset - start) + 1;
    }
    free(placed);
}

static void read_into(lb_enc_file *file, const char *text, size_t length,
                      const lb_enc_options *options)
{
    lb_enc_reader r = {.file = file, .text = text, .length = length};
    if (options)
        r.options = *options;
    file->text = text;
    bool is_json = lb_enc_parse(&r);
    file->is_valid = is_json && read_top(&r);
    if (is_json && !file->is_valid)
        try_versions(&r);
    file->root = file->is_valid ? r.root : NULL;
    if (file->is_valid)
        lb_enc_map_warnings(file);
    lb_enc_place_warnings(file);
    if (!file->is_valid)
        file->tensor_count = 0; /* no half-imported result */
    lb_id_set_free(&r.names);
}

lb_enc_file *lb_enc_read_text(const char *path, const char *text, size_t length,
                              const lb_enc_options *options)
{
    lb_enc_file *file = new_file(path);
    read_into(file, text, length, options);
    return file;
}

lb_enc_file *lb_enc_read(const char *path, const lb_enc_options *options)
{
    static const char *const remedies[] = {[LB_FILE_UNREADABLE] = "",
                                           [LB_FILE_IS_FOLDER] = "name an encodings file",
                                           [LB_FILE_IRREGULAR] = "copy its contents into a file",
                                           [LB_FILE_TOO_LARGE] = "at most 1 GiB"};
    lb_enc_file *file = new_file(path);
    lb_whole_file whole = lb_is_stdin(path)
                              ? lb_whole_stdin_read(MAX_FILE_BYTES, &file->arena)
                              : lb_whole_file_read(path, MAX_FILE_BYTES, &file->arena);
    if (whole.text)
        read_into(file, whole.text, whole.length, options);
    else
        file->error =
            (lb_enc_note){.code = "E_UNREADABLE",
                          .where = "",
                          .problem = lb_arena_strdup(&file->arena, lb_whole_file_problem(&whole)),
                          .remedy = remedies[whole.state]};
    return file;
}

void lb_enc_free(lb_enc_file *file)
{
    if (!file)
        return;
    lb_arena_free(&file->arena);
    free(file->warnings);
    free(file->tensors);
    free(file);
}

const char *lb_enc_name_at(const void *set, size_t index)
{
    const lb_enc_file *file = set;
    return index < file->tensor_count ? file->tensors[index].name : NULL;
}

const lb_enc_tensor *lb_enc_find(const lb_enc_file *file, const char *name)
{
    for (size_t i = 0; i < file->tensor_count; i++)
        if (strcmp(file->tensors[i].name, name) == 0)
            return &file->tensors[i];
    return NULL;
}
