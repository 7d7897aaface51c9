/* The index of an export: see files_index.h. */
#include "harness/port/files_index.h"
#include "harness/base/line_reader.h"
#include "harness/base/xalloc.h"
#include "harness/json/document.h"
#include "harness/suite/case_write.h"
#include "reports/json_read.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const lb_files_forms[LB_FILES_FORM_COUNT + 1] = {"npy",  "raw", "hex",
                                                             "json", "c",   NULL};

const char *lb_files_question(const lb_case *c, lb_arena *arena, char digest[LB_FILES_DIGEST])
{
    lb_case bare = *c;
    bare.expect_count = 0;
    bare.expect = NULL;
    const char *text = lb_case_to_json(&bare, arena);
    text = text ? text : "";
    SHA256Data((const uint8_t *)text, strlen(text), digest);
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

/* A folder's name stays inside the export. */
static bool is_inside(const char *folder)
{
    return *folder && *folder != '/' && !strstr(folder, "..");
}

static const char *take_case(lb_files_index *index, const cJSON *line)
{
    const char *id = lb_json_text(line, "id"), *function = lb_json_text(line, "function");
    const char *folder = lb_json_text(line, "folder"), *digest = lb_json_text(line, "digest");
    if (!id || !function || !folder || !digest)
        return "one of \"id\", \"function\", \"folder\", \"digest\" is missing";
    if (!is_inside(folder))
        return "\"folder\" is no name inside the export";
    if (strlen(digest) != LB_FILES_DIGEST - 1)
        return "\"digest\" has not 64 digits";
    index->cases = lb_room_for_one(index->cases, index->count, &index->room, sizeof *index->cases);
    lb_files_case *c = &index->cases[index->count++];
    *c = (lb_files_case){.id = lb_arena_strdup(&index->arena, id),
                         .function = lb_arena_strdup(&index->arena, function),
                         .folder = lb_arena_strdup(&index->arena, folder)};
    memcpy(c->digest, digest, sizeof c->digest);
    return NULL;
}

static const char *take_line(lb_files_index *index, const char *text, size_t length, bool first)
{
    cJSON *line = lb_json_read(text, length);
    const char *wrong = !line                   ? "it is no JSON"
                        : !cJSON_IsObject(line) ? "it is no JSON object"
                        : first                 ? take_header(index, line)
                                                : take_case(index, line);
    cJSON_Delete(line);
    return wrong;
}

bool lb_files_index_read(lb_files_index *index, const char *folder)
{
    *index = (lb_files_index){0};
    char *path = lb_arena_printf(&index->arena, "%s/%s", folder, LB_FILES_INDEX);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        fprintf(stderr, "%s: %s; \"lastbit vectors export\" makes such a folder\n", path,
                strerror(errno));
        lb_files_index_free(index);
        return false;
    }
    lb_line_reader reader;
    const char *text, *wrong = NULL;
    size_t length;
    unsigned number = 0;
    lb_line_result result;
    lb_line_reader_start(&reader, fd, 0, NULL);
    while (!wrong && (result = lb_line_reader_next(&reader, &text, &length)) == LB_LINE_OK)
        wrong = take_line(index, text, length, ++number == 1);
    if (!wrong && result == LB_LINE_ERROR)
        wrong = strerror(errno);
    if (!wrong && number == 0)
        wrong = "it is empty";
    lb_line_reader_free(&reader);
    close(fd);
    if (wrong)
        fprintf(stderr, "%s:%u: %s; export the cases again\n", path, number, wrong);
    if (wrong)
        lb_files_index_free(index);
    return !wrong;
}

void lb_files_index_free(lb_files_index *index)
{
    free(index->cases);
    lb_arena_free(&index->arena);
    *index = (lb_files_index){0};
}

const lb_files_case *lb_files_index_find(const lb_files_index *index, const char *digest)
{
    for (size_t i = 0; i < index->count; i++)
        if (strcmp(index->cases[i].digest, digest) == 0)
            return &index->cases[i];
    return NULL;
}

const lb_files_case *lb_files_index_find_id(const lb_files_index *index, const char *id)
{
    for (size_t i = 0; i < index->count; i++)
        if (strcmp(index->cases[i].id, id) == 0)
            return &index->cases[i];
    return NULL;
}
