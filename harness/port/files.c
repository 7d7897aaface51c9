/* Ports that are only files: see files.h. A call of the port reads what lies in the case's folder:
 * ROLE.npy, ROLE.raw or ROLE.hex for every output, or the case's line of results.jsonl; the status,
 * where somebody tells it, from status.json. */
#include "harness/port/files.h"
#include "harness/arrays/array.h"
#include "harness/base/sha256.h"
#include "harness/base/whole_file.h"
#include "harness/base/xalloc.h"
#include "harness/call/call_memory.h"
#include "harness/json/document.h"
#include "harness/json/lines.h"
#include "harness/port/files_fields.h"
#include "harness/port/files_index.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct files_port {
    lb_port port;
    char *folder;
    lb_files_index index;
    char described[240];
    cJSON *results; /* by folder; NULL: there is no results.jsonl */
    const lb_instance *instance;
    const lb_files_case *at; /* of the case at work */
    const lb_case *asked;    /* cannot_run has looked it up, begin has not: `at` is of it */
    lb_arena arena;          /* of the case at work */
} files_port;

static bool fail(files_port *f, const char *why)
{
    if (!f->port.failure)
        f->port.failure = why;
    return false;
}

/* ---- Files ---- */

/* All of a file of at most `most` bytes. missing: there is none, which is no failure yet. */
static bool read_file(files_port *f, const char *path, size_t most, lb_bytes *bytes, bool *missing)
{
    lb_whole_file file = lb_whole_file_read(path, most, &f->arena);
    *missing = file.state == LB_FILE_UNREADABLE && errno == ENOENT;
    *bytes = (lb_bytes){(unsigned char *)file.text, file.length};
    if (file.text || *missing)
        return !*missing;
    if (file.state == LB_FILE_TOO_LARGE)
        return fail(f,
                    lb_arena_printf(&f->arena, "%s: it has %zu bytes, and at most %zu are expected",
                                    path, file.length, most));
    return fail(f, lb_arena_printf(&f->arena, "%s: %s", path, lb_whole_file_problem(&file)));
}

/* ---- Outputs ---- */

/* An output as the case lays it out. */
typedef struct target {
    const lb_case_tensor *tensor;
    lb_elements at;
    int64_t low, high; /* of containers */
} target;

static target target_of(const lb_instance *instance, lb_role role)
{
    target t = {.tensor = &instance->memory->test_case->operand[role].tensors[0],
                .at = lb_instance_elements(instance, role, 0)};
    unsigned bits = 8 * t.at.layout.element_bytes;
    t.low = -(INT64_C(1) << (bits - 1));
    t.high = (INT64_C(1) << (bits - 1)) - 1;
    return t;
}

/* As the host has it, which is little-endian. */
static void store(unsigned char *at, int64_t value, unsigned bytes)
{
    uint64_t bits = (uint64_t)value;
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (unsigned char)(bits >> (8 * i));
}

static bool put_integer(files_port *f, const target *t, size_t i, int64_t value, const char *path)
{
    if (value < t->low || value > t->high)
        return fail(f, lb_arena_printf(&f->arena,
                                       "%s: element %zu is %" PRId64 ", outside of %" PRId64
                                       "..%" PRId64,
                                       path, i, value, t->low, t->high));
    store(t->at.base + lb_layout_offset(&t->at.layout, i), value, t->at.layout.element_bytes);
    return true;
}

static bool put_real(files_port *f, const target *t, size_t i, double value, const char *path)
{
    float narrow = (float)value;
    if ((double)narrow != value && value == value)
        return fail(f,
                    lb_arena_printf(&f->arena, "%s: element %zu is no binary32 number", path, i));
    memcpy(t->at.base + lb_layout_offset(&t->at.layout, i), &narrow, sizeof narrow);
    return true;
}

static bool same_shape(const lb_array *array, const lb_layout *layout)
{
    bool same = array->rank == layout->rank;
    for (unsigned d = 0; same && d < layout->rank; d++)
        same = array->shape[d] == layout->shape[d];
    return same;
}

static const char *shape_text(files_port *f, unsigned rank, const uint64_t *shape)
{
    const char *text = "";
    for (unsigned d = 0; d < rank; d++)
        text = lb_arena_printf(&f->arena, "%s%s%" PRIu64, text, d ? "," : "", shape[d]);
    return text;
}

static bool take_npy(files_port *f, const target *t, const lb_bytes *file, const char *path)
{
    lb_array array;
    const char *why;
    bool real = t->tensor->type == LB_FP32;
    if (!lb_npy_read(file->at, file->count, t->at.count ? t->at.count : 1, &f->arena, &array, &why))
        return fail(f, lb_arena_printf(&f->arena, "%s: %s", path, why));
    if (!same_shape(&array, &t->at.layout)) {
        uint64_t shape[LB_MAX_RANK] = {0};
        for (unsigned d = 0; d < t->at.layout.rank; d++)
            shape[d] = t->at.layout.shape[d];
        return fail(f, lb_arena_printf(&f->arena, "%s: its shape is [%s], and [%s] is expected",
                                       path, shape_text(f, array.rank, array.shape),
                                       shape_text(f, t->at.layout.rank, shape)));
    }
    if (array.is_real != real)
        return fail(f, lb_arena_printf(&f->arena, "%s: its elements are %s; %s are expected", path,
                                       array.is_real ? "floating-point numbers" : "integers",
                                       real ? "floating-point numbers" : "integers"));
    for (size_t i = 0; i < array.count; i++)
        if (real ? !put_real(f, t, i, array.reals[i], path)
                 : !put_integer(f, t, i, array.integers[i], path))
            return false;
    return true;
}

/* A memory image, gaps included. */
static bool take_image(files_port *f, const target *t, const lb_bytes *image, size_t slack,
                       const char *path)
{
    unsigned width = t->at.layout.element_bytes;
    if (image->count < t->at.span_bytes || image->count > t->at.span_bytes + slack)
        return fail(f, lb_arena_printf(&f->arena, "%s: %zu bytes, and %zu are expected%s", path,
                                       image->count, t->at.span_bytes,
                                       image->count < t->at.span_bytes ? ": it is cut short" : ""));
    for (size_t i = 0; i < t->at.span_bytes; i++)
        t->at.base[i] =
            image->at[f->index.big_endian ? i / width * width + width - 1 - i % width : i];
    return true;
}

static bool take_hex(files_port *f, const target *t, const lb_bytes *file, const char *path)
{
    lb_bytes image;
    const char *why;
    /* Words are read lowest byte first in either byte order: take_image turns elements. */
    if (!lb_hex_read((const char *)file->at, file->count, f->index.word_bits, f->index.big_endian,
                     t->at.span_bytes, &f->arena, &image, &why))
        return fail(f, lb_arena_printf(&f->arena, "%s: %s", path, why));
    return take_image(f, t, &image, f->index.word_bits / 8 - 1, path);
}

static bool take_list(files_port *f, const target *t, const cJSON *list, const char *path)
{
    size_t i = 0;
    if (!cJSON_IsArray(list) || (size_t)cJSON_GetArraySize(list) != t->at.count)
        return fail(f, lb_arena_printf(&f->arena, "%s: a list of %zu elements is expected", path,
                                       t->at.count));
    for (const cJSON *node = list->child; node; node = node->next, i++) {
        double value = cJSON_IsNumber(node) ? node->valuedouble : 0.5;
        bool real = t->tensor->type == LB_FP32 && cJSON_IsNumber(node);
        if (!real && (value != (double)(int64_t)value))
            return fail(f,
                        lb_arena_printf(&f->arena, "%s: element %zu is no whole number", path, i));
        if (real ? !put_real(f, t, i, value, path) : !put_integer(f, t, i, (int64_t)value, path))
            return false;
    }
    return true;
}

typedef bool (*taker)(files_port *f, const target *t, const lb_bytes *file, const char *path);

static bool take_raw(files_port *f, const target *t, const lb_bytes *file, const char *path)
{
    return take_image(f, t, file, 0, path);
}

/* ROLE.npy, ROLE.raw, ROLE.hex: the first that is there. */
static bool take_file(files_port *f, const target *t, lb_role role)
{
    static const struct {
        const char *ending;
        taker take;
    } kinds[] = {{"npy", take_npy}, {"raw", take_raw}, {"hex", take_hex}};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        const char *path = lb_arena_printf(&f->arena, "%s/%s/%s.%s", f->folder, f->at->folder,
                                           lb_role_name(role), kinds[k].ending);
        lb_bytes file;
        bool missing;
        /* A word of text for a byte of data and more is a comment nobody needs. */
        if (read_file(f, path, 65536 + 64 * t->at.span_bytes, &file, &missing))
            return kinds[k].take(f, t, &file, path);
        if (!missing)
            return false;
    }
    return fail(f, lb_arena_printf(&f->arena, "no output: %s/%s/%s.npy (or .raw, .hex) is missing",
                                   f->folder, f->at->folder, lb_role_name(role)));
}

/* ---- What was told beside the elements ---- */

/* A status by name or number; -1: not told, -2: not understood. */
static int status_of(const cJSON *node)
{
    const cJSON *status = node ? cJSON_GetObjectItemCaseSensitive(node, "status") : NULL;
    if (!status)
        return -1;
    int number = cJSON_IsString(status)   ? lb_status_find(status->valuestring)
                 : cJSON_IsNumber(status) ? status->valueint
                                          : -1;
    return number >= 0 && number < LB_STATUS_COUNT ? number : -2;
}

/* The line of results.jsonl, or status.json as a tree of the caller's; NULL: neither, or a failure.
 */
static cJSON *told(files_port *f, bool *owned)
{
    *owned = false;
    cJSON *line = f->results ? cJSON_GetObjectItemCaseSensitive(f->results, f->at->folder) : NULL;
    if (line)
        return line;
    const char *path =
        lb_arena_printf(&f->arena, "%s/%s/%s", f->folder, f->at->folder, LB_FILES_STATUS);
    lb_bytes file;
    bool missing;
    if (!read_file(f, path, 65536, &file, &missing))
        return NULL;
    cJSON *tree = lb_json_read((const char *)file.at, file.count);
    *owned = tree != NULL;
    if (status_of(tree) < 0) {
        fail(f, lb_arena_printf(&f->arena, "%s: {\"status\": \"ok\"} or another status is expected",
                                path));
    }
    return tree;
}

/* ---- The port ---- */

static bool provides(const lb_port *port, const lb_kernel *kernel)
{
    const files_port *f = (const files_port *)port;
    for (size_t i = 0; i < f->index.count; i++)
        if (strcmp(f->index.cases[i].function, kernel->name) == 0)
            return true;
    return false;
}

/* A digest is of all that a case says, and dear: of what cannot_run has just been asked, begin
 * need not make it again. */
static void look_up(files_port *f, const lb_case *c, lb_arena *arena)
{
    char digest[LB_SHA256_TEXT];
    lb_files_question(c, arena, digest);
    f->at = lb_files_index_find(&f->index, digest);
    f->asked = c;
}

static const char *cannot_run(const lb_port *port, const lb_profile *profile,
                              const lb_call_memory *memory, lb_arena *arena)
{
    files_port *f = (files_port *)(uintptr_t)port; /* what it remembers is no part of its state */
    if (strcmp(profile->name, f->index.profile) != 0)
        return lb_arena_printf(arena, "the cases were exported for %s", f->index.profile);
    look_up(f, memory->test_case, arena);
    if (f->at || lb_files_index_find_id(&f->index, memory->test_case->id))
        return NULL; /* one that has changed since is an error, not a skip */
    return "the case is not in the export";
}

static bool tells_status(files_port *f)
{
    const cJSON *line =
        f->results ? cJSON_GetObjectItemCaseSensitive(f->results, f->at->folder) : NULL;
    const char *path =
        lb_arena_printf(&f->arena, "%s/%s/%s", f->folder, f->at->folder, LB_FILES_STATUS);
    return line ? status_of(line) >= 0 : access(path, F_OK) == 0;
}

static void begin(lb_port *port, const lb_instance *instance)
{
    files_port *f = (files_port *)port;
    lb_arena_reset(&f->arena);
    f->instance = instance;
    f->port.failure = NULL;
    if (f->asked != instance->memory->test_case)
        look_up(f, instance->memory->test_case, &f->arena);
    f->asked = NULL;
    /* Who tells no status is not asked for refusals. */
    port->computes_only = f->at && !tells_status(f);
}

static void take_outputs(files_port *f, const cJSON *line)
{
    const lb_case *c = f->instance->memory->test_case;
    const cJSON *outputs = line ? cJSON_GetObjectItemCaseSensitive(line, "outputs") : NULL;
    for (int role = 0; role < LB_ROLE_COUNT && !f->port.failure; role++) {
        if (!c->operand[role].present || !c->operand[role].is_output || c->null_role[role])
            continue;
        target t = target_of(f->instance, (lb_role)role);
        const char *name = lb_role_name((lb_role)role);
        const cJSON *list = outputs ? cJSON_GetObjectItemCaseSensitive(outputs, name) : NULL;
        if (list)
            take_list(f, &t, list,
                      lb_arena_printf(&f->arena, "%s/%s: %s: outputs.%s", f->folder,
                                      LB_FILES_RESULTS, f->at->folder, name));
        else
            take_file(f, &t, (lb_role)role);
    }
}

/* What was exported is still what it was: else the outputs are those of other inputs. What is gone
 * was not changed. */
static bool inputs_are_unchanged(files_port *f)
{
    for (size_t i = 0; i < f->at->file_count; i++) {
        const lb_files_file *file = &f->at->files[i];
        const char *path =
            lb_arena_printf(&f->arena, "%s/%s/%s", f->folder, f->at->folder, file->name);
        char sha256[LB_SHA256_TEXT];
        if (access(path, F_OK) != 0 && errno == ENOENT)
            continue;
        if (!lb_sha256_of_file(path, sha256))
            return fail(f, lb_arena_printf(&f->arena, "%s: %s", path, strerror(errno)));
        if (strcmp(sha256, file->sha256) != 0)
            return fail(f,
                        lb_arena_printf(&f->arena,
                                        "%s: it is not what was exported: its digest is another; "
                                        "export the cases again",
                                        path));
    }
    return true;
}

static void call(lb_port *port, const lb_profile *profile, lb_call *call)
{
    files_port *f = (files_port *)port;
    bool owned = false;
    (void)profile;
    if (!f->at) {
        fail(f, lb_arena_printf(&f->arena,
                                "the case has changed since it was exported to %s; export it again",
                                f->folder));
        return;
    }
    if (!inputs_are_unchanged(f))
        return;
    cJSON *line = told(f, &owned);
    int status = status_of(line);
    if (status == -2)
        fail(f, lb_arena_printf(&f->arena, "%s/%s: a status is expected, by name or number",
                                f->folder, f->at->folder));
    call->status = status < 0 ? LB_OK : (lb_status)status;
    if (!f->port.failure && call->status == LB_OK)
        take_outputs(f, line);
    const char *wrong =
        f->port.failure
            ? NULL
            : lb_files_take_changed(line, f->instance->memory->test_case, call, &f->arena);
    if (wrong)
        fail(f, lb_arena_printf(&f->arena, "%s/%s: %s", f->folder, f->at->folder, wrong));
    if (owned)
        cJSON_Delete(line);
}

static void close_port(lb_port *port)
{
    files_port *f = (files_port *)port;
    cJSON_Delete(f->results);
    lb_files_index_free(&f->index);
    lb_arena_free(&f->arena);
    free(f->folder);
    free(f);
}

/* ---- Opening ---- */

static const char *take_result_line(void *user, cJSON **line)
{
    files_port *f = user;
    const cJSON *folder = cJSON_GetObjectItemCaseSensitive(*line, "folder");
    const char *wrong = !cJSON_IsString(folder)  ? "\"folder\" is missing"
                        : status_of(*line) == -2 ? "\"status\" is no status"
                        : cJSON_GetObjectItemCaseSensitive(f->results, folder->valuestring)
                            ? "the case has a line already"
                            : NULL;
    if (wrong)
        return wrong;
    cJSON_AddItemToObject(f->results, folder->valuestring, *line);
    *line = NULL;
    return NULL;
}

/* results.jsonl, if it is there. */
static bool read_results(files_port *f)
{
    const char *path = lb_arena_printf(&f->arena, "%s/%s", f->folder, LB_FILES_RESULTS);
    if (access(path, F_OK) != 0 && errno == ENOENT)
        return true;
    f->results = cJSON_CreateObject();
    return lb_json_lines_read(path, "{\"folder\": ..., \"outputs\": {...}} is expected",
                              take_result_line, f);
}

/* What nobody tells is no part of a verdict, and the documents say so. */
static void describe(files_port *f)
{
    size_t told = 0;
    char statuses[48] = "not told";
    for (size_t i = 0; i < f->index.count; i++) {
        f->at = &f->index.cases[i];
        told += tells_status(f);
        lb_arena_reset(&f->arena);
    }
    f->at = NULL;
    if (told > 0)
        snprintf(statuses, sizeof statuses, "told for %zu", told);
    snprintf(f->described, sizeof f->described,
             "files of %zu cases, exported as %s for %.60s; statuses: %s; fields of outputs: not "
             "told but in \"changed\"",
             f->index.count, lb_files_forms[f->index.form], f->index.profile, statuses);
}

lb_port *lb_port_files(const char *name)
{
    files_port *f = lb_zeroed(1, sizeof *f);
    f->folder = lb_text_copy(name + strlen(LB_PORT_FILES));
    if (!lb_files_index_read(&f->index, f->folder) || !read_results(f)) {
        close_port(&f->port);
        return NULL;
    }
    describe(f);
    const lb_profile *profile = lb_profile_named(f->index.profile);
    f->port = (lb_port){.name = name,
                        .described = f->described,
                        .formats_given = true,
                        .profiles = profile ? 1u << lb_profile_number(profile) : 0,
                        .provides = provides,
                        .cannot_run = cannot_run,
                        .begin = begin,
                        .call = call,
                        .close = close_port};
    return &f->port;
}
