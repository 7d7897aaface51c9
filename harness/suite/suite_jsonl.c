/* JSON Lines suites: checked and read line by line, in the memory of the longest line; and the
 * reader of all suites. */
#include "harness/base/sha256.h"
#include "harness/base/utf8.h"
#include "harness/suite/suite_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    HEADER_LINES = 1,
    OUTER_DEPTH =
        2 /* a case stands as deep here as in a JSON file: inside the suite and its list */
};

/* Keys of a case that say nothing about others: a case with these alone can be left unread. */
static const char *const plain_keys[] = {"config", "inputs", "outputs", "expect", "null", "note"};

static bool is_blank(const char *line, size_t length)
{
    return lb_json_skip_space(line, 0, length) == length;
}

/* False: reported. */
static bool scan_line(const char *line, size_t length, unsigned line_number, unsigned outer_depth,
                      lb_problems *problems)
{
    lb_json_fault fault;
    if (lb_json_scan(line, length, outer_depth, &fault))
        return true;
    if (fault.cut_short)
        snprintf(fault.remedy, sizeof fault.remedy, "a case is one line; was the file cut short?");
    lb_report_fault(problems, line, line_number, &fault);
    if (fault.cut_short)
        lb_problems_stop(problems); /* the rest of the value would be taken for a case */
    return false;
}

static lb_document document_of(const char *line, size_t length, unsigned line_number)
{
    const size_t start = lb_json_skip_space(line, 0, length);
    return (lb_document){.prefix = "",
                         .text = line,
                         .text_length = length,
                         .first_line = line_number,
                         .root_line = line_number,
                         .key_offset = start,
                         .value_offset = start};
}

/* Most lines are plain, and need no scan of their own. False: reported. */
static bool parse_line(const char *line, size_t length, unsigned line_number, unsigned outer_depth,
                       lb_arena *tree, lb_document *document, lb_problems *problems)
{
    *document = document_of(line, length, line_number);
    lb_arena_reset(tree);
    if (lb_document_parse_plain(document, tree, outer_depth))
        return true;
    lb_arena_reset(tree);
    if (!scan_line(line, length, line_number, outer_depth, problems))
        return false;
    lb_document_parse(document, tree, length);
    return true;
}

static bool read_line(const char *text, size_t length, bool prepares, lb_problems *problems,
                      unsigned line, lb_arena *arena, lb_case *c)
{
    lb_document document;
    lb_arena tree = {0};
    bool good = parse_line(text, length, line, OUTER_DEPTH, &tree, &document, problems);
    document.prepares = prepares;
    good = good && lb_decode_case(&document, problems, arena, c);
    lb_arena_free(&tree);
    return good;
}

bool lb_case_from_line(const char *text, size_t length, const char *file, unsigned line,
                       lb_diagnostics *diagnostics, lb_arena *arena, lb_case *c)
{
    lb_problems problems = {.diagnostics = diagnostics, .file = file};
    return read_line(text, length, false, &problems, line, arena, c);
}

bool lb_prepared_case_from_line(const char *text, size_t length, const char *file, unsigned line,
                                lb_diagnostics *diagnostics, lb_arena *arena, lb_case *c)
{
    lb_problems problems = {.diagnostics = diagnostics, .file = file};
    return read_line(text, length, true, &problems, line, arena, c);
}

bool lb_case_from_json(const char *text, size_t length, lb_arena *arena, lb_case *c)
{
    return lb_case_from_line(text, length, NULL, 1, NULL, arena, c);
}

/* ---- Checking a file ---- */

typedef struct line_loader {
    lb_suite *suite;
    lb_problems *problems;
    lb_line_reader reader;
    lb_line_reader
        second; /* for a look at an earlier line; its descriptor is opened when it is needed */
    lb_arena tree, case_arena, second_tree;
    lb_arena_mark kept_to; /* in the suite's arena of kept cases */
    lb_id_set ids;
    unsigned blank_line; /* the first one after a case; 0: none */
} line_loader;

static unsigned line_of(void *user, size_t number)
{
    (void)user;
    return (unsigned)(number + HEADER_LINES + 1);
}

/* Hashes agree: the earlier line itself decides. */
static bool is_same(void *user, size_t earlier, const char *id)
{
    line_loader *l = user;
    const char *line = NULL;
    size_t length = 0;
    lb_document document;
    lb_problems silent = {0};
    if (l->second.fd < 0 && l->suite->opened) /* a suite that is no file cannot be read again */
        l->second.fd = open(l->suite->opened, O_RDONLY | O_CLOEXEC);
    bool read = l->second.fd >= 0 &&
                lb_line_reader_seek(&l->second, l->suite->offsets[earlier / LB_LINES_PER_BLOCK]);
    for (size_t i = 0; read && i <= earlier % LB_LINES_PER_BLOCK; i++)
        read = lb_line_reader_next(&l->second, &line, &length) == LB_LINE_OK;
    if (!read || !parse_line(line, length, 1, OUTER_DEPTH, &l->second_tree, &document, &silent))
        return true; /* it changed under us: the ids are not known to differ */
    const cJSON *other = cJSON_GetObjectItemCaseSensitive(document.root, "id");
    return cJSON_IsString(other) && strcmp(other->valuestring, id) == 0;
}

static void check_header(line_loader *l)
{
    const char *line;
    size_t length;
    lb_header header = {0};
    lb_document document;
    size_t cases_offset = 0;
    if (lb_line_reader_next(&l->reader, &line, &length) != LB_LINE_OK)
        return; /* reported by who reads on */
    if (!parse_line(line, length, 1, 0, &l->tree, &document, l->problems)) {
        lb_problems_stop(l->problems); /* no case can be understood without it */
        return;
    }
    if (!cJSON_IsObject(document.root)) {
        lb_problem(l->problems, (lb_place){.line = 1, .column = 1},
                   "{\"format\": \"lastbit/cases-1\", \"suite\": ...}",
                   "the first line is not the header object");
    } else if (cJSON_GetObjectItemCaseSensitive(document.root, "function")) {
        lb_problem(l->problems, (lb_place){.line = 1, .column = 1},
                   "the first line is {\"format\": \"lastbit/cases-1\", \"suite\": ...}",
                   "expected the header, found a case");
    } else {
        lb_read_json_header(l->suite, &header, &document, &l->tree, l->problems, &cases_offset);
        lb_decode_header_end(&header, true, 1, l->problems);
    }
    l->suite->name = header.name;
    if (!header.format_is_known)
        lb_problems_stop(l->problems);
}

/* Where the next case is decoded: it is kept, or gone when its line has been checked. */
static lb_arena *arena_for_case(line_loader *l)
{
    if (!l->suite->room) {
        lb_arena_reset(&l->case_arena);
        return &l->case_arena;
    }
    lb_arena_rewind(&l->suite->kept, l->kept_to);
    return &l->suite->kept;
}

/* Keeps the case (NULL: it is left out) where there is room. Large ones are quick to read again
 * beside the time that they run. */
static void keep_case(line_loader *l, lb_case *c)
{
    enum { LARGEST_KEPT_BYTES = 1 << 16 };
    lb_suite *suite = l->suite;
    const size_t bytes = suite->kept.used_bytes - l->kept_to.used_bytes;
    bool fits = suite->room && c && bytes <= LARGEST_KEPT_BYTES && bytes <= *suite->room;
    if (suite->room)
        suite->cases = lb_room_for_one(suite->cases, suite->count - 1, &suite->case_capacity,
                                       sizeof *suite->cases);
    if (suite->room)
        suite->cases[suite->count - 1] = fits ? c : NULL;
    if (!fits)
        return;
    *suite->room -= bytes;
    l->kept_to = lb_arena_mark_of(&suite->kept);
}

/* ---- Cases above the level that is wanted ---- */

static bool is_key(const char *line, const lb_json_item *item, const char *key)
{
    const size_t length = strlen(key);
    return item->key_end - item->key_start == length + 2 &&
           memcmp(line + item->key_start + 1, key, length) == 0;
}

static bool is_plain_key(const char *line, const lb_json_item *item)
{
    for (size_t i = 0; i < sizeof plain_keys / sizeof plain_keys[0]; i++)
        if (is_key(line, item, plain_keys[i]))
            return true;
    return false;
}

/* Gives the case a text that the decoder would take as it stands. */
static bool take_text(const cJSON *node, size_t max_bytes, char **text)
{
    const size_t length = cJSON_IsString(node) ? strlen(node->valuestring) : 0;
    const bool good = !*text && length > 0 && length <= max_bytes &&
                      lb_utf8_is_printable(node->valuestring, length);
    if (good)
        *text = node->valuestring;
    return good;
}

static bool take_tags(line_loader *l, const cJSON *node, lb_case *c)
{
    if (c->tags || !cJSON_IsArray(node) || cJSON_GetArraySize(node) > LB_MAX_TAGS)
        return false;
    c->tags = lb_arena_array(&l->tree, LB_MAX_TAGS, sizeof *c->tags);
    for (const cJSON *tag = node->child; tag; tag = tag->next)
        if (!take_text(tag, LB_MAX_TAG_BYTES, &c->tags[c->tag_count++]))
            return false;
    return true;
}

static bool take_member(line_loader *l, const char *line, const lb_json_item *item,
                        const cJSON *node, lb_case *c)
{
    if (is_key(line, item, "id"))
        return take_text(node, LB_MAX_ID_BYTES, &c->id);
    if (is_key(line, item, "function"))
        return take_text(node, LB_MAX_ID_BYTES, &c->function);
    return is_key(line, item, "tags") && take_tags(l, node, c);
}

/* Reads id, function and tags of a line that passed the scan: all that a run needs to know of a
 * case that it leaves out. False: the whole case must be decoded. */
static bool read_head(line_loader *l, const char *line, size_t length, lb_case *c)
{
    const size_t start = lb_json_skip_space(line, 0, length);
    lb_json_item item;
    lb_arena_reset(&l->tree);
    if (line[start] != '{')
        return false;
    for (lb_json_walk walk = lb_json_enter(line, start); lb_json_next(&walk, &item);) {
        lb_document value = {
            .text = line, .text_length = length, .prefix = "", .value_offset = item.start};
        if (is_plain_key(line, &item))
            continue;
        lb_document_parse(&value, &l->tree, item.end);
        if (!take_member(l, line, &item, value.root, c))
            return false;
    }
    c->kernel = c->function ? lb_kernel_find(c->function) : NULL;
    return c->id && c->kernel;
}

static void note_case(line_loader *l, lb_case *c, bool keeps)
{
    lb_suite *suite = l->suite;
    keep_case(l, keeps ? c : NULL);
    suite->levels = lb_room_for_one(suite->levels, suite->count - 1, &suite->level_capacity, 1);
    suite->has_layers |= c->layer_feed_count > 0;
    suite->sets |= 1u << (c->kernel ? c->kernel->set : LB_SET_MLI);
    suite->levels[suite->count - 1] = (unsigned char)lb_level_of(c);
}

/* Is the case of this scanned line above the level that is wanted, and right as far as it was read?
 * Then it is noted, and not decoded. */
static bool leaves_out(line_loader *l, const char *line, size_t length)
{
    lb_case head = {0};
    size_t earlier;
    if (!read_head(l, line, length, &head) || lb_level_of(&head) <= l->suite->most)
        return false;
    if (!lb_id_set_add(&l->ids, head.id, is_same, l, &earlier)) {
        lb_id_set_take_back(&l->ids); /* who decodes it says where it stands twice */
        return false;
    }
    note_case(l, &head, false);
    return true;
}

static void note_offset(lb_suite *suite, uint64_t offset)
{
    if (suite->count++ % LB_LINES_PER_BLOCK != 0)
        return;
    suite->offsets = lb_room_for_one(suite->offsets, suite->offset_count, &suite->offset_capacity,
                                     sizeof *suite->offsets);
    suite->offsets[suite->offset_count++] = offset;
}

static void check_case(line_loader *l, const char *line, size_t length, uint64_t offset)
{
    const unsigned line_number = line_of(NULL, l->suite->count);
    lb_document document = {0};
    lb_arena *arena = arena_for_case(l);
    note_offset(l->suite, offset);
    const bool has_heads = l->suite->most < LB_LEVEL_DEEP;
    bool good = !has_heads || scan_line(line, length, line_number, OUTER_DEPTH, l->problems);
    if (has_heads && good && leaves_out(l, line, length))
        return;
    lb_case *c = lb_arena_alloc(arena, sizeof *c);
    good = good &&
           parse_line(line, length, line_number, OUTER_DEPTH, &l->tree, &document, l->problems);
    document.companions = &l->suite->companions;
    if (good)
        lb_decode_case(&document, l->problems, arena, c);
    note_case(l, c, true);
    lb_note_id(&l->ids, &document, c, is_same, l, line_of, l->problems);
}

static void check_line(line_loader *l, const char *line, size_t length, uint64_t offset)
{
    unsigned next_line = line_of(NULL, l->suite->count);
    if (is_blank(line, length)) {
        if (l->blank_line == 0)
            l->blank_line = next_line;
    } else if (l->blank_line > 0) {
        lb_problem(l->problems, (lb_place){.line = l->blank_line, .column = 1},
                   "blank lines may stand at the end only", "a blank line between cases");
        lb_problems_stop(l->problems); /* lines and cases no longer count alike */
    } else {
        check_case(l, line, length, offset);
    }
}

void lb_load_json_lines(lb_suite *suite, int fd, lb_problems *problems)
{
    line_loader l = {.suite = suite, .problems = problems};
    lb_line_result result = LB_LINE_OK;
    lb_sha256 digest;
    lb_sha256_start(&digest);
    suite->json_lines = true;
    lb_line_reader_start(&l.reader, fd, 0, &digest);
    lb_line_reader_start(&l.second, -1, 0, NULL);
    check_header(&l);
    while (!lb_problems_full(problems)) {
        const char *line;
        size_t length;
        uint64_t offset = l.reader.offset;
        result = lb_line_reader_next(&l.reader, &line, &length);
        if (result != LB_LINE_OK)
            break;
        check_line(&l, line, length, offset);
    }
    if (result == LB_LINE_ERROR)
        lb_problem(problems, (lb_place){0}, "", "cannot be read: %s", strerror(errno));
    lb_sha256_end(&digest, suite->sha256);
    lb_line_reader_free(&l.reader);
    lb_line_reader_free(&l.second);
    if (l.second.fd >= 0)
        close(l.second.fd);
    lb_arena_free(&l.tree);
    lb_arena_free(&l.second_tree);
    lb_arena_free(&l.case_arena);
    lb_id_set_free(&l.ids);
}

/* ---- Reading cases ---- */

struct lb_suite_reader {
    const lb_suite *suite;
    lb_line_reader lines; /* JSON Lines only, as are the next two */
    size_t next;          /* the case that the next line is */
    size_t unchanged;     /* the file is as it was checked: looked at for this case's block */
    lb_arena tree;
    lb_arena case_arena; /* of the one case, c, where cases are not kept */
    lb_case c;
};

lb_suite_reader *lb_suite_reader_open(const lb_suite *suite)
{
    lb_suite_reader *reader = lb_resized(NULL, sizeof *reader);
    *reader = (lb_suite_reader){.suite = suite, .next = SIZE_MAX, .unchanged = SIZE_MAX};
    lb_line_reader_start(&reader->lines,
                         suite->json_lines ? open(suite->opened, O_RDONLY | O_CLOEXEC) : -1, 0,
                         NULL);
    return reader;
}

/* Why no case may be taken from the file, or from what was kept of it; NULL: nothing is wrong. */
static const char *look_at_file(lb_suite_reader *reader, size_t index)
{
    const size_t block = index / LB_LINES_PER_BLOCK;
    if (index >= reader->suite->count)
        return "has no such case";
    if (block == reader->unchanged)
        return NULL;
    if (reader->lines.fd < 0)
        return "cannot be read any more";
    if (lb_file_has_changed(reader->lines.fd, &reader->suite->stat))
        return "the file changed since it was checked";
    reader->unchanged = block;
    return NULL;
}

static const char *go_to(lb_suite_reader *reader, size_t index)
{
    const lb_suite *suite = reader->suite;
    size_t block = index / LB_LINES_PER_BLOCK;
    const char *line;
    size_t length;
    bool near = reader->next <= index && index - reader->next < LB_LINES_PER_BLOCK;
    if (!near) {
        if (!lb_line_reader_seek(&reader->lines, suite->offsets[block]))
            return "cannot be read any more";
        reader->next = block * LB_LINES_PER_BLOCK;
    }
    for (; reader->next < index; reader->next++)
        if (lb_line_reader_next(&reader->lines, &line, &length) != LB_LINE_OK)
            return "the file changed since it was checked";
    return NULL;
}

static const lb_case *read_case(lb_suite_reader *reader, size_t index, lb_problems *problems)
{
    const char *line;
    size_t length;
    lb_document document;
    const char *problem = look_at_file(reader, index);
    if (!problem && reader->suite->cases && reader->suite->cases[index])
        return reader->suite->cases[index];
    problem = problem ? problem : go_to(reader, index);
    if (!problem && lb_line_reader_next(&reader->lines, &line, &length) != LB_LINE_OK)
        problem = "the file changed since it was checked";
    if (problem) {
        reader->next = SIZE_MAX;
        lb_problem(problems, (lb_place){0}, "", "%s", problem);
        return NULL;
    }
    reader->next = index + 1;
    lb_arena_reset(&reader->case_arena);
    if (!parse_line(line, length, line_of(NULL, index), OUTER_DEPTH, &reader->tree, &document,
                    problems))
        return NULL;
    lb_companions companions = reader->suite->companions;
    document.companions = &companions; /* nothing new is noted */
    return lb_decode_case(&document, problems, &reader->case_arena, &reader->c) ? &reader->c : NULL;
}

const lb_case *lb_suite_reader_case(lb_suite_reader *reader, size_t index,
                                    lb_diagnostics *diagnostics)
{
    lb_problems problems = {.diagnostics = diagnostics, .file = reader->suite->path};
    if (reader->suite->json_lines)
        return read_case(reader, index, &problems);
    if (index < reader->suite->count && reader->suite->make) {
        lb_arena_reset(&reader->case_arena);
        reader->suite->make(reader->suite->make_user, index, &reader->case_arena, &reader->c);
        return &reader->c;
    }
    if (index < reader->suite->count)
        return reader->suite->cases[index];
    lb_problem(&problems, (lb_place){0}, "", "has no such case");
    return NULL;
}

void lb_suite_reader_close(lb_suite_reader *reader)
{
    if (!reader)
        return;
    if (reader->lines.fd >= 0)
        close(reader->lines.fd);
    lb_line_reader_free(&reader->lines);
    lb_arena_free(&reader->tree);
    lb_arena_free(&reader->case_arena);
    free(reader);
}
