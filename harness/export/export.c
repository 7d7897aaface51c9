/* The folder of an export: see export.h. */
#include "harness/export/export.h"
#include "harness/base/sha256.h"
#include "harness/call/call_memory.h"
#include "harness/export/describe.h"
#include "harness/export/elements.h"
#include "harness/guard/verdict.h"
#include "harness/suite/case_write.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- Files and folders ---- */

static bool complain(const char *path)
{
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return false;
}

static bool make_folder(const char *path)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST || complain(path);
}

static bool write_file(const char *path, const void *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return complain(path);
    bool good = fwrite(bytes, 1, count, file) == count;
    if (fclose(file) != 0 || !good)
        return complain(path);
    return true;
}

/* A line of JSON. */
static bool write_line(FILE *file, const char *path, cJSON *node)
{
    char *text = cJSON_PrintUnformatted(node);
    bool good = fprintf(file, "%s\n", text) > 0;
    free(text);
    cJSON_Delete(node);
    return good || complain(path);
}

static bool is_empty(const char *path)
{
    DIR *folder = opendir(path);
    bool empty = true;
    for (const struct dirent *entry; empty && folder && (entry = readdir(folder));)
        empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    if (folder)
        closedir(folder);
    return empty;
}

bool lb_export_open(lb_export *e)
{
    if (!make_folder(e->folder))
        return false;
    if (!is_empty(e->folder)) {
        fprintf(stderr, "%s: the folder is not empty; choose another, or take away what is in it\n",
                e->folder);
        return false;
    }
    char *index = lb_arena_printf(&e->names, "%s/%s", e->folder, LB_FILES_INDEX);
    if (!make_folder(lb_arena_printf(&e->names, "%s/%s", e->folder, LB_FILES_SUITES)) ||
        !make_folder(lb_arena_printf(&e->names, "%s/%s", e->folder, LB_FILES_ALL_CASES)))
        return false;
    e->index = fopen(index, "w");
    if (!e->index)
        return complain(index);
    cJSON *head = cJSON_CreateObject();
    cJSON_AddStringToObject(head, "format", LB_FILES_FORMAT);
    cJSON_AddStringToObject(head, "files", lb_files_forms[e->form]);
    cJSON_AddNumberToObject(head, "word_bits", e->word_bits);
    cJSON_AddStringToObject(head, "byte_order", e->big_endian ? "big" : "little");
    cJSON_AddStringToObject(head, "profile", e->profile->name);
    return write_line(e->index, index, head);
}

bool lb_export_begin_suite(lb_export *e, const char *name)
{
    e->suites++;
    e->suite_name = name;
    e->suite_path =
        lb_arena_printf(&e->names, "%s/%s/%03u.jsonl", e->folder, LB_FILES_SUITES, e->suites);
    e->suite = fopen(e->suite_path, "w");
    if (!e->suite)
        return complain(e->suite_path);
    return fprintf(e->suite, "%s\n", lb_suite_header_json(name, &e->names)) > 0 ||
           complain(e->suite_path);
}

bool lb_export_end_suite(lb_export *e)
{
    bool good = fclose(e->suite) == 0;
    e->suite = NULL;
    return good || complain(e->suite_path);
}

bool lb_export_close(lb_export *e)
{
    bool good = !e->index || fclose(e->index) == 0 || complain(e->folder);
    if (e->suite)
        fclose(e->suite);
    e->index = e->suite = NULL;
    lb_arena_free(&e->names);
    return good;
}

/* ---- One case ---- */

/* Why it cannot be told in files, or NULL. */
static const char *reason_against(const lb_case *c)
{
    bool any = false;
    if (!c->kernel || c->step_count > 0)
        return "sequences of movement calls are more than one call";
    if (c->chain.steps > 0)
        return "chains are more than one call";
    if (!c->kernel->exact || lb_pattern_of(c->kernel) == LB_PATTERN_TABLE ||
        lb_pattern_of(c->kernel) == LB_PATTERN_HELPER)
        return "the function gives no elements: what it gives are fields or addresses";
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        any = any || (c->operand[role].present && c->operand[role].is_output);
    return any ? NULL : "it has no output";
}

typedef struct job {
    lb_export *e;
    const lb_case *c;
    lb_arena *arena;
    lb_call_memory *memory;
    lb_instance before, after;
    const char *folder; /* inside the export */
    cJSON *node;        /* case.json */
    cJSON *files;       /* what nobody may change, with digests, for the index */
    bool good;
} job;

static const char *path_of(const job *j, const char *name)
{
    return lb_arena_printf(j->arena, "%s/%s/%s", j->e->folder, j->folder, name);
}

static void put_file(job *j, const char *name, const void *bytes, size_t count)
{
    j->good = j->good && write_file(path_of(j, name), bytes, count);
}

/* One that the port's outputs rest on: the index knows its digest. */
static const char *put_kept_file(job *j, const char *name, const void *bytes, size_t count)
{
    char sha256[LB_SHA256_TEXT];
    lb_sha256_of(bytes, count, sha256);
    put_file(j, name, bytes, count);
    return cJSON_AddStringToObject(j->files, name, sha256)->valuestring;
}

/* "in", or "in_1" of a list. */
static const char *tensor_name(const job *j, lb_role role, unsigned i)
{
    return j->c->operand[role].count > 1 ? lb_arena_printf(j->arena, "%s_%u", lb_role_name(role), i)
                                         : lb_role_name(role);
}

static bool has_files(const job *j)
{
    return j->e->form != LB_FILES_JSON && j->e->form != LB_FILES_C;
}

/* Writes the elements; the tensor's description goes into `group`. */
static void write_tensor(job *j, const lb_instance *instance, lb_role role, unsigned i,
                         const char *folder, cJSON *group)
{
    const char *name = tensor_name(j, role, i);
    const char *file =
        lb_arena_printf(j->arena, "%s/%s.%s", folder, name, lb_files_forms[j->e->form]);
    const lb_case_tensor *t = &j->c->operand[role].tensors[i];
    if (!has_files(j)) {
        cJSON_AddItemToObject(group, name, lb_describe_tensor(t, NULL, NULL));
        return;
    }
    lb_bytes bytes = lb_export_elements(j->e, instance, role, i, j->arena);
    const char *sha256 = put_kept_file(j, file, bytes.at, bytes.count);
    cJSON_AddItemToObject(group, name, lb_describe_tensor(t, file, sha256));
}

static bool is_input(const lb_case *c, int role)
{
    const lb_case_operand *o = &c->operand[role];
    return o->present && !c->null_role[role] && (!o->is_output || o->tensors[0].has_data);
}

static bool is_output(const lb_case *c, int role)
{
    return c->operand[role].present && c->operand[role].is_output && !c->null_role[role];
}

static bool can_be_read(const lb_case_tensor *t)
{
    return !t->null_data && !t->has_rank && !t->has_el_type;
}

static void write_inputs(job *j)
{
    cJSON *group = cJSON_AddObjectToObject(j->node, "inputs");
    if (has_files(j))
        j->good = j->good && make_folder(path_of(j, "inputs"));
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        for (unsigned i = 0; is_input(j->c, role) && i < j->c->operand[role].count; i++)
            if (can_be_read(&j->c->operand[role].tensors[i]))
                write_tensor(j, &j->before, (lb_role)role, i, "inputs", group);
}

static void describe_outputs(job *j)
{
    cJSON *group = cJSON_AddObjectToObject(j->node, "outputs");
    const char *ending = has_files(j) ? lb_files_forms[j->e->form] : "npy";
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        if (is_output(j->c, role))
            cJSON_AddItemToObject(
                group, lb_role_name((lb_role)role),
                lb_describe_tensor(
                    &j->c->operand[role].tensors[0],
                    lb_arena_printf(j->arena, "%s.%s", lb_role_name((lb_role)role), ending), NULL));
}

static void write_expected(job *j)
{
    cJSON *status = cJSON_CreateObject(), *group = cJSON_CreateObject();
    j->good = j->good && make_folder(path_of(j, "expected"));
    cJSON_AddStringToObject(status, "status", lb_status_name((int)j->after.call.status));
    char *text = cJSON_Print(status);
    put_file(j, "expected/" LB_FILES_STATUS, text, strlen(text));
    free(text);
    for (int role = 0; j->after.call.status == LB_OK && role < LB_ROLE_COUNT; role++)
        if (is_output(j->c, role))
            write_tensor(j, &j->after, (lb_role)role, 0, "expected", group);
    cJSON_AddItemToObject(j->node, "expected", group);
    cJSON_Delete(status);
}

/* The same inside of case.json, as a line of results.jsonl has it. */
static void list_expected(job *j)
{
    cJSON *node = cJSON_AddObjectToObject(j->node, "expected");
    cJSON_AddStringToObject(node, "status", lb_status_name((int)j->after.call.status));
    cJSON *group = cJSON_AddObjectToObject(node, "outputs");
    for (int role = 0; j->after.call.status == LB_OK && role < LB_ROLE_COUNT; role++)
        if (is_output(j->c, role))
            cJSON_AddItemToObject(group, lb_role_name((lb_role)role),
                                  lb_export_list(&j->after, (lb_role)role, 0));
}

/* All arrays of a case in one header. */
static void write_header(job *j)
{
    const char *path = path_of(j, "case.h");
    FILE *file = fopen(path, "w");
    if (!file) {
        j->good = complain(path);
        return;
    }
    fprintf(file,
            "/* %s [%s]: %s. Made by lastbit; strides and formats: case.json. */\n"
            "#include <stdint.h>\n",
            j->c->id, j->e->profile->name, j->c->function);
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        for (unsigned i = 0; is_input(j->c, role) && i < j->c->operand[role].count; i++) {
            if (!can_be_read(&j->c->operand[role].tensors[i]))
                continue;
            lb_bytes text = lb_export_c_array(&j->before, (lb_role)role, i,
                                              tensor_name(j, (lb_role)role, i), j->arena);
            fprintf(file, "\n%s", (const char *)text.at);
        }
        if (j->e->with_expected && is_output(j->c, role) && j->after.call.status == LB_OK) {
            const char *name =
                lb_arena_printf(j->arena, "expected_%s", lb_role_name((lb_role)role));
            lb_bytes text = lb_export_c_array(&j->after, (lb_role)role, 0, name, j->arena);
            fprintf(file, "\n%s", (const char *)text.at);
        }
    }
    bool good = !ferror(file);
    j->good = (fclose(file) == 0 && good) || complain(path);
}

/* Letters, digits, dots, dashes and underscores of an id. */
static const char *folder_of(job *j, unsigned number)
{
    char *name = lb_arena_printf(j->arena, "%s/%05u_%s", LB_FILES_ALL_CASES, number, j->c->id);
    for (char *at = name + strlen(LB_FILES_ALL_CASES) + 1; *at; at++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-", *at))
            *at = '_';
    return name;
}

/* What the exact model gives; a reason if that is not defined. */
static const char *run_exact(job *j)
{
    lb_watch watch = {0};
    lb_context context = {.profile = j->e->profile, .watch = &watch};
    lb_instance_make(&j->before, j->memory, j->arena);
    lb_instance_make(&j->after, j->memory, j->arena);
    const lb_rule *rule = lb_run_exact(&context, &j->after.call);
    if (j->after.call.undefined != LB_SAID)
        return "the API promises nothing for the call";
    if (!rule && !lb_guard_is_specified(j->e->profile, j->c->kernel, &watch))
        return "an accumulator leaves its width, and what comes out then is not specified";
    return NULL;
}

static bool note_case(job *j, const char *digest, const char *text)
{
    char *described = cJSON_Print(j->node);
    put_kept_file(j, "case.json", described, strlen(described));
    free(described);
    cJSON *line = cJSON_CreateObject();
    cJSON_AddStringToObject(line, "id", j->c->id);
    cJSON_AddStringToObject(line, "suite", j->e->suite_name);
    cJSON_AddStringToObject(line, "function", j->c->function);
    cJSON_AddStringToObject(line, "folder", j->folder);
    cJSON_AddStringToObject(line, "digest", digest);
    cJSON_AddItemToObject(line, "files", j->files);
    return write_line(j->e->index, j->e->folder, line) && j->good &&
           (fprintf(j->e->suite, "%s\n", text) > 0 || complain(j->e->suite_path));
}

bool lb_export_case(lb_export *e, const lb_case *c, lb_arena *arena, const char **left_out)
{
    char digest[LB_SHA256_TEXT];
    job j = {.e = e, .c = c, .arena = arena, .good = true};
    *left_out = reason_against(c);
    if (*left_out)
        return true;
    j.memory = lb_arena_alloc(arena, sizeof *j.memory);
    lb_call_memory_make(j.memory, c, arena);
    *left_out = run_exact(&j);
    if (*left_out)
        return true;
    const char *text = lb_files_question(c, arena, digest);
    j.folder = folder_of(&j, ++e->cases);
    j.node = cJSON_CreateObject();
    j.files = cJSON_CreateObject();
    cJSON_AddStringToObject(j.node, "id", c->id);
    cJSON_AddStringToObject(j.node, "function", c->function);
    cJSON_AddStringToObject(j.node, "family", lb_family_name(c->kernel->family));
    cJSON_AddStringToObject(j.node, "profile", e->profile->name);
    cJSON_AddStringToObject(j.node, "digest", digest);
    cJSON_AddItemToObject(j.node, "case", cJSON_CreateRaw(text));
    j.good = make_folder(lb_arena_printf(arena, "%s/%s", e->folder, j.folder));
    write_inputs(&j);
    describe_outputs(&j);
    cJSON *numbers = j.after.call.status == LB_OK
                         ? lb_describe_requantization(e->profile, &j.before.call)
                         : NULL;
    if (numbers)
        cJSON_AddItemToObject(j.node, "requantization", numbers);
    if (e->with_expected && has_files(&j))
        write_expected(&j);
    if (e->with_expected && e->form == LB_FILES_JSON)
        list_expected(&j);
    if (e->form == LB_FILES_C)
        write_header(&j);
    j.good = note_case(&j, digest, text);
    cJSON_Delete(j.node);
    return j.good;
}
