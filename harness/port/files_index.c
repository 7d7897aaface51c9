/* The index of an export: see files_index.h. */
#include "harness/port/files_index.h"
#include "harness/base/inside.h"
#include "harness/base/xalloc.h"
#include "harness/json/lines.h"
#include "harness/suite/case_write.h"
#include "reports/json_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const lb_files_forms[LB_FILES_FORM_COUNT + 1] = {"npy",  "raw", "hex",
                                                             "json", "c",   NULL};

const char *lb_files_question(const lb_case *c, lb_arena *arena, char digest[LB_SHA256_TEXT])
{
    lb_case bare = *c;
    bare.expect_count = 0;
    bare.expect = NULL;
    const char *text = lb_case_to_json(&bare, arena);
    text = text ? text : "";
    lb_sha256_of(text, strlen(text), digest);
    return text;
}

static const char *take_header(lb_files_index *index, const cJSON *line)
{
    const char *format = lb_json_text(line, "format"), *form = lb_json_text(line, "files");
    const char *order = lb_json_text(line, "byte_order"), *profile = lb_json_text(line, "profile");
    const cJSON *bits = cJSON_GetObjectItemCaseSensitive(line, "word_bits");
    unsigned known = 0;
    if (!format || strcmp(format, LB_FILES_FORMAT) != 0)
        return "\"format\" is not \"" LB_FILES_FORMAT "\"";
    while (form && lb_files_forms[known] && strcmp(lb_files_forms[known], form) != 0)
        known++;
    if (!form || !lb_files_forms[known])
        return "\"files\" is none of npy, raw, hex, json, c";
    if (!order || (strcmp(order, "little") != 0 && strcmp(order, "big") != 0))
        return "\"byte_order\" is neither little nor big";
    if (!profile)
        return "\"profile\" is missing";
    if (!cJSON_IsNumber(bits) || (bits->valuedouble != 8 && bits->valuedouble != 32 &&
                                  bits->valuedouble != 64 && bits->valuedouble != 128))
        return "\"word_bits\" is none of 8, 32, 64, 128";
    index->form = (lb_files_form)known;
    index->big_endian = strcmp(order, "big") == 0;
    index->word_bits = (unsigned)bits->valuedouble;
    index->profile = lb_arena_strdup(&index->arena, profile);
    return NULL;
}

/* {"inputs/in.npy": "3f2a...", ...} */
static const char *take_files(lb_files_index *index, lb_files_case *c, const cJSON *line)
{
    const cJSON *files = cJSON_GetObjectItemCaseSensitive(line, "files");
    size_t count = cJSON_IsObject(files) ? (size_t)cJSON_GetArraySize(files) : 0;
    if (!cJSON_IsObject(files))
        return "\"files\" is missing";
    c->files = lb_arena_array(&index->arena, count, sizeof *c->files);
    for (const cJSON *file = files->child; file; file = file->next) {
        lb_files_file *f = &c->files[c->file_count++];
        if (!lb_name_is_inside(file->string) || !cJSON_IsString(file) ||
            strlen(file->valuestring) != sizeof f->sha256 - 1)
            return "\"files\" has something that is no name inside the folder with a digest of 64 "
                   "digits";
        f->name = lb_arena_strdup(&index->arena, file->string);
        memcpy(f->sha256, file->valuestring, sizeof f->sha256);
    }
    return NULL;
}

static const char *take_case(lb_files_index *index, const cJSON *line)
{
    const char *id = lb_json_text(line, "id"), *function = lb_json_text(line, "function");
    const char *folder = lb_json_text(line, "folder"), *digest = lb_json_text(line, "digest");
    if (!id || !function || !folder || !digest)
        return "one of \"id\", \"function\", \"folder\", \"digest\" is missing";
    if (!lb_name_is_inside(folder))
        return "\"folder\" is no name inside the export";
    if (strlen(digest) != LB_SHA256_TEXT - 1)
        return "\"digest\" has not 64 digits";
    index->cases = lb_room_for_one(index->cases, index->count, &index->room, sizeof *index->cases);
    lb_files_case *c = &index->cases[index->count++];
    *c = (lb_files_case){.id = lb_arena_strdup(&index->arena, id),
                         .function = lb_arena_strdup(&index->arena, function),
                         .folder = lb_arena_strdup(&index->arena, folder)};
    memcpy(c->digest, digest, sizeof c->digest);
    return take_files(index, c, line);
}

static const char *take_line(void *user, cJSON **line)
{
    lb_files_index *index = user;
    return index->profile ? take_case(index, *line) : take_header(index, *line);
}

/* ---- Lookups: an export has thousands of cases, and every result asks ---- */

static int by_digest(const void *a, const void *b)
{
    return strcmp((*(const lb_files_case *const *)a)->digest,
                  (*(const lb_files_case *const *)b)->digest);
}

static int by_id(const void *a, const void *b)
{
    return strcmp((*(const lb_files_case *const *)a)->id, (*(const lb_files_case *const *)b)->id);
}

static int digest_is(const void *digest, const void *item)
{
    return strcmp(digest, (*(const lb_files_case *const *)item)->digest);
}

static int id_is(const void *id, const void *item)
{
    return strcmp(id, (*(const lb_files_case *const *)item)->id);
}

typedef int order_fn(const void *, const void *);

static const lb_files_case **sorted(lb_files_index *index, order_fn *order)
{
    const lb_files_case **list = lb_arena_array(&index->arena, index->count, sizeof *list);
    for (size_t i = 0; i < index->count; i++)
        list[i] = &index->cases[i];
    qsort(list, index->count, sizeof *list, order);
    return list;
}

bool lb_files_index_read(lb_files_index *index, const char *folder)
{
    *index = (lb_files_index){0};
    char *path = lb_arena_printf(&index->arena, "%s/%s", folder, LB_FILES_INDEX);
    bool good = lb_json_lines_read(
        path, "\"lastbit vectors export\" makes such a folder; export the cases again", take_line,
        index);
    if (good && !index->profile)
        fprintf(stderr, "%s:1: it is empty; export the cases again\n", path);
    if (!good || !index->profile) {
        lb_files_index_free(index);
        return false;
    }
    index->by_digest = sorted(index, by_digest);
    index->by_id = sorted(index, by_id);
    return true;
}

void lb_files_index_free(lb_files_index *index)
{
    free(index->cases);
    lb_arena_free(&index->arena);
    *index = (lb_files_index){0};
}

const lb_files_case *lb_files_index_find(const lb_files_index *index, const char *digest)
{
    const lb_files_case **found =
        bsearch(digest, index->by_digest, index->count, sizeof *index->by_digest, digest_is);
    return found ? *found : NULL;
}

const lb_files_case *lb_files_index_find_id(const lb_files_index *index, const char *id)
{
    const lb_files_case **found =
        bsearch(id, index->by_id, index->count, sizeof *index->by_id, id_is);
    return found ? *found : NULL;
}
