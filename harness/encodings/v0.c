/* Sections of versions 0.x: tensor name -> list of encodings. The order of checks is that of
 * encodings.md 2.1, rows 3 and 4. */
#include "harness/encodings/reader.h"

#include <math.h>
#include <string.h>

static const char *const range_keys[] = {"is_symmetric", "min", "max", "scale", "offset", NULL};

/* One entry of a list, as read. */
typedef struct entry {
    bool is_float, is_partial, is_symmetric;
    bool may_be_wide; /* taken for strict, and the range does not tell */
    int bits;
    lb_enc_grid grid;
} entry;

static bool has_range_key(const cJSON *node)
{
    for (const char *const *key = range_keys; *key; key++)
        if (lb_enc_member(node, *key))
            return true;
    return false;
}

/* ---- dtype and bitwidth ---- */

/* Version 0.4 knows integers alone, and no dtype: "int" there is a member too many. */
static bool read_dtype_04(lb_enc_reader *r, const cJSON *node, const lb_pointer *where)
{
    const char *text;
    if (!lb_enc_text_of(r, node, where, &text))
        return false;
    if (strcmp(text, "int") != 0)
        return lb_enc_fail(r, "E_DTYPE", where, node,
                           strcmp(text, "float") == 0
                               ? "\"version\": \"0.5.0\": version 0.4 has integers alone"
                               : "leave dtype out: version 0.4 has integers alone",
                           "%s", lb_enc_describe(r, node));
    lb_enc_warn(r, "W_UNKNOWN_FIELD", where, node, "", "version 0.4 has no dtype; it is ignored");
    return true;
}

static bool read_dtype(lb_enc_reader *r, const cJSON *object, const lb_pointer *above, entry *e)
{
    const cJSON *node = lb_enc_member(object, "dtype");
    lb_pointer where = lb_step_key(above, "dtype");
    const char *text;
    if (r->file->family == LB_ENC_04)
        return !node || read_dtype_04(r, node, &where);
    if (!lb_enc_require(r, object, above, "dtype", &node) ||
        !lb_enc_text_of(r, node, &where, &text))
        return false;
    e->is_float = strcmp(text, "float") == 0;
    if (e->is_float || strcmp(text, "int") == 0)
        return true;
    return lb_enc_fail(r, "E_DTYPE", &where, node, "\"int\" or \"float\", in lower case", "%s",
                       lb_enc_describe(r, node));
}

static bool read_bitwidth(lb_enc_reader *r, const cJSON *object, const lb_pointer *above, entry *e)
{
    const cJSON *node;
    lb_pointer where = lb_step_key(above, "bitwidth");
    return lb_enc_require(r, object, above, "bitwidth", &node) &&
           lb_enc_width(r, node, &where, 4, 32, &e->bits);
}

/* ---- Presence and type of the five others ---- */

static bool read_symmetry(lb_enc_reader *r, const cJSON *node, const lb_pointer *where, entry *e)
{
    if (cJSON_IsBool(node)) {
        e->is_symmetric = cJSON_IsTrue(node);
        lb_enc_warn(r, "W_BOOL_LITERAL", where, node, "write \"True\" or \"False\"",
                    "is_symmetric is a JSON boolean; readers differ about those");
        return true;
    }
    if (!cJSON_IsString(node))
        return lb_enc_fail(r, "E_FIELD_TYPE", where, node, "write \"True\" or \"False\"",
                           "expected a text, found %s", lb_enc_describe(r, node));
    e->is_symmetric = strcmp(node->valuestring, "True") == 0;
    if (e->is_symmetric || strcmp(node->valuestring, "False") == 0)
        return true;
    return lb_enc_fail(r, "E_BOOL_STRING", where, node, "exactly \"True\" or \"False\"", "%s",
                       lb_enc_describe(r, node));
}

/* A number of an entry, or NaN. */
static double number_at(const cJSON *object, const char *key)
{
    const cJSON *node = lb_enc_member(object, key);
    return cJSON_IsNumber(node) ? node->valuedouble : (double)NAN;
}

/* What a missing member of the range is, where the others tell: a file that overrides encodings
 * often has min and max alone. */
static const char *due_of(lb_enc_reader *r, const cJSON *object, const entry *e, const char *key)
{
    double steps = ldexp(1, e->bits) - 1;
    double low = number_at(object, "min"), high = number_at(object, "max");
    double scale = number_at(object, "scale"), offset = number_at(object, "offset");
    double due = strcmp(key, "min") == 0     ? scale * offset
                 : strcmp(key, "max") == 0   ? scale * (steps + offset)
                 : strcmp(key, "scale") == 0 ? (high - low) / steps
                                             : rint(low / scale);
    if (strcmp(key, "is_symmetric") == 0)
        return "\"is_symmetric\": \"False\", or \"True\"";
    bool is_scale = strcmp(key, "scale") == 0;
    if (!isfinite(due) || !(is_scale ? due > 0 : scale > 0))
        return "a number";
    return lb_arena_printf(&r->file->arena, "\"%s\": %.17g, as its neighbours say", key,
                           due == 0 ? 0 : due);
}

/* The offset as the file has it, to be checked later. */
static bool read_range(lb_enc_reader *r, const cJSON *object, const lb_pointer *above, entry *e,
                       double *offset)
{
    double *const numbers[] = {NULL, &e->grid.low, &e->grid.high, &e->grid.scale, offset};
    for (size_t i = 0; range_keys[i]; i++) {
        const cJSON *node;
        lb_pointer where = lb_step_key(above, range_keys[i]);
        node = lb_enc_member(object, range_keys[i]);
        if (!node)
            return lb_enc_require_with(r, object, above, range_keys[i],
                                       due_of(r, object, e, range_keys[i]), &node);
        bool good = !numbers[i]         ? read_symmetry(r, node, &where, e)
                    : range_keys[i + 1] ? lb_enc_number(r, node, &where, numbers[i])
                                        : lb_enc_integer(r, node, &where, numbers[i]);
        if (!good)
            return false;
    }
    return true;
}

/* ---- Values ---- */

static bool check_scale(lb_enc_reader *r, const cJSON *object, const lb_pointer *above,
                        const entry *e)
{
    const lb_enc_grid *g = &e->grid;
    lb_pointer max = lb_step_key(above, "max");
    lb_pointer scale = lb_step_key(above, "scale");
    const cJSON *scale_node = lb_enc_member(object, "scale");
    double steps = ldexp(1, e->bits) - 1;
    double tolerance = lb_enc_tolerance(e->bits);
    if (!(g->high > g->low))
        return lb_enc_fail(r, "E_RANGE_ORDER", &max, lb_enc_member(object, "max"),
                           "max is greater than min", "max is %.17g, and min %.17g", g->high,
                           g->low);
    if (!(g->scale > 0))
        return lb_enc_fail(r, "E_SCALE_NONPOS", &scale, scale_node, "a scale is greater than 0",
                           "the scale is %.17g", g->scale);
    double range = (g->high - g->low) / g->scale;
    if (isinf(g->high - g->low))
        return lb_enc_fail(r, "E_SCALE_MISMATCH", &scale, scale_node,
                           "min and max that lie less than 1.8e308 apart",
                           "the range from min to max is too large");
    bool fits = fabs(range - steps) <= tolerance ||
                (e->is_symmetric && fabs(range - (steps - 1)) <= tolerance);
    if (!fits)
        return lb_enc_fail(
            r, "E_SCALE_MISMATCH", &scale, scale_node,
            lb_arena_printf(
                &r->file->arena, "(max - min) / scale is %.17g%s at %d bits: a scale of %.17g",
                steps,
                e->is_symmetric ? lb_arena_printf(&r->file->arena, " or %.17g", steps - 1) : "",
                e->bits, (g->high - g->low) / steps),
            "the range has %.17g steps of this scale", range);
    return true;
}

/* A positive offset of the first TensorFlow exporter, floor(-min / scale), put right
 * (encodings.md 2.5). */
static bool recompute_offset(lb_enc_reader *r, const cJSON *node, const lb_pointer *where,
                             const entry *e, double *offset)
{
    double due = -e->grid.low / e->grid.scale;
    if (!(fabs(due - *offset) <= 1 + lb_enc_tolerance(e->bits)))
        return lb_enc_fail(r, "E_OFFSET_MISMATCH", where, node,
                           "an offset that was cut off is floor(-min / scale)",
                           "the offset is %.17g, and -min / scale is %.17g", *offset, due);
    *offset = -floor(due + 0.5);
    lb_enc_warn(r, "W_OFFSET_RECOMPUTED", where, node, "",
                "the positive offset was taken for floor(-min / scale) and is now %.17g", *offset);
    return true;
}

/* A symmetric grid with the offset of a strict one is strict where its range has one step less. At
 * 19 bits and more the numbers of a file, which may have been binary32, need not tell the two
 * apart.
 */
static void find_strictness(entry *e)
{
    double steps = ldexp(1, e->bits) - 1;
    double range = (e->grid.high - e->grid.low) / e->grid.scale;
    if (!lb_enc_may_be_strict(e->is_symmetric, e->bits, e->grid.offset))
        return;
    e->grid.is_strict = !(fabs(range - steps) < 0.25);
    e->may_be_wide = e->grid.is_strict && !(fabs(range - (steps - 1)) < 0.25);
}

/* Of a symmetric encoding whose offset is not: the offset that min and scale say, or another name.
 */
static const char *remedy_of_symmetry(lb_enc_reader *r, double due, int bits)
{
    return lb_enc_is_symmetric_offset(rint(due), bits)
               ? lb_arena_printf(&r->file->arena, "min / scale, rounded: %.17g", rint(due))
               : "\"is_symmetric\": \"False\"";
}

static bool check_values(lb_enc_reader *r, const cJSON *object, const lb_pointer *above, entry *e,
                         double offset)
{
    const cJSON *node = lb_enc_member(object, "offset");
    lb_pointer where = lb_step_key(above, "offset");
    if (!check_scale(r, object, above, e))
        return false;
    if (offset > 0 && r->options.recompute_tf_offsets &&
        !recompute_offset(r, node, &where, e, &offset))
        return false;
    double due = e->grid.low / e->grid.scale;
    bool is_off = e->is_symmetric && !lb_enc_is_symmetric_offset(offset, e->bits);
    const char *remedy = is_off ? remedy_of_symmetry(r, due, e->bits) : NULL;
    if (!lb_enc_check_offset(r, node, &where, offset, e->bits, e->is_symmetric, remedy))
        return false;
    if (!(fabs(due - offset) <= 0.5 + lb_enc_tolerance(e->bits)))
        return lb_enc_fail(
            r, "E_OFFSET_MISMATCH", &where, node,
            lb_arena_printf(&r->file->arena, "min / scale, rounded: %.17g", rint(due)),
            "the offset is %.17g, and min / scale is %.17g", offset, due);
    e->grid.offset = (int64_t)offset;
    find_strictness(e);
    return true;
}

/* ---- Entries, lists, sections ---- */

static bool read_entry(lb_enc_reader *r, const cJSON *node, const lb_pointer *where, entry *e)
{
    static const char *const all[] = {"dtype", "bitwidth", "is_symmetric", "min",
                                      "max",   "scale",    "offset",       NULL};
    static const char *const of_float[] = {"dtype", "bitwidth", NULL};
    double offset;
    *e = (entry){.bits = 0};
    if (!lb_enc_object(r, node, where) || !read_dtype(r, node, where, e) ||
        !read_bitwidth(r, node, where, e))
        return false;
    lb_enc_unknown_members(r, node, where, e->is_float ? of_float : all);
    if (e->is_float)
        return true;
    e->is_partial = r->file->family != LB_ENC_04 && !has_range_key(node);
    return e->is_partial ||
           (read_range(r, node, where, e, &offset) && check_values(r, node, where, e, offset));
}

static const char *difference(const entry *a, const entry *b)
{
    return a->is_float != b->is_float           ? "dtype"
           : a->bits != b->bits                 ? "bitwidth"
           : a->is_partial != b->is_partial     ? "completeness"
           : a->is_symmetric != b->is_symmetric ? "is_symmetric"
                                                : NULL;
}

static bool compare_entries(lb_enc_reader *r, const cJSON *list, const lb_pointer *where,
                            const entry *entries)
{
    size_t i = 0;
    for (const cJSON *node = list->child; node; node = node->next, i++) {
        lb_pointer at = lb_step_index(where, i);
        const char *what = difference(&entries[0], &entries[i]);
        if (what)
            return lb_enc_fail(r, "E_CHANNEL_MIXED", &at, node, "all channels of a tensor agree",
                               "the %s of this channel is another than that of channel 0", what);
    }
    return true;
}

/* AIMET writes two files: one by the names of tensors, and one for itself, NAME_torch.encodings, in
 * which activations stand below the layer, by input and output. */
static bool refuse_nested(lb_enc_reader *r, const cJSON *layer, const lb_pointer *where)
{
    static const char ending[] = "_torch.encodings";
    const char *path = r->file->path ? r->file->path : "", *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    size_t length = strlen(name);
    bool is_named = length > strlen(ending) && strcmp(name + length - strlen(ending), ending) == 0;
    return lb_enc_fail(
        r, "E_FIELD_TYPE", where, layer,
        is_named
            ? lb_arena_printf(&r->file->arena, "use %.*s.encodings, which is written beside it",
                              (int)(length - strlen(ending)), name)
            : "use the file without _torch in its name, which is written beside it",
        "activations by layer, input and output: this is AIMET's file for PyTorch alone");
}

static bool read_list(lb_enc_reader *r, const cJSON *list, const lb_pointer *where,
                      lb_enc_tensor *t)
{
    if (cJSON_IsObject(list) && (lb_enc_member(list, "input") || lb_enc_member(list, "output")))
        return refuse_nested(r, list, where);
    if (!lb_enc_list(r, list, where))
        return false;
    size_t count = (size_t)cJSON_GetArraySize(list);
    if (count == 0)
        return lb_enc_fail(r, "E_EMPTY_LIST", where, list,
                           "leave the tensor out, or give it an encoding",
                           "the tensor has no encoding");
    entry *entries = lb_arena_array(&r->file->arena, count, sizeof *entries);
    size_t i = 0;
    for (const cJSON *node = list->child; node; node = node->next, i++) {
        lb_pointer at = lb_step_index(where, i);
        if (!read_entry(r, node, &at, &entries[i]))
            return false;
    }
    if (!compare_entries(r, list, where, entries))
        return false;
    t->is_float = entries[0].is_float;
    t->is_partial = entries[0].is_partial;
    t->is_symmetric = entries[0].is_symmetric;
    t->bits = entries[0].bits;
    t->dtype = t->is_float ? "float" : "int";
    t->form = count > 1 ? LB_ENC_PER_CHANNEL : LB_ENC_PER_TENSOR;
    t->scale_count = count;
    if (t->is_float || t->is_partial)
        return true;
    t->grids = lb_arena_array(&r->file->arena, count, sizeof *t->grids);
    size_t wide = 0;
    for (i = 0; i < count; i++) {
        t->grids[i] = entries[i].grid;
        wide += entries[i].may_be_wide;
    }
    lb_enc_warn_wide(r, where, list, wide, t);
    return true;
}

bool lb_enc_read_section_0(lb_enc_reader *r, const cJSON *section, const lb_pointer *where,
                           const char *name)
{
    if (!lb_enc_object(r, section, where))
        return false;
    for (const cJSON *list = section->child; list; list = list->next) {
        lb_pointer at = lb_step_key(where, list->string);
        lb_enc_tensor *t;
        if (!lb_enc_new_tensor(r, list->string, name, list, &at, &at, &t) ||
            !read_list(r, list, &at, t))
            return false;
    }
    return true;
}
