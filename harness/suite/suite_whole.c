/* JSON and YAML suites: the file is read whole, its cases one by one; the decoded cases stay in
 * memory. */
#include "harness/base/sha256.h"
#include "harness/json/text_file.h"
#include "harness/json/yaml_reader.h"
#include "harness/suite/suite_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct kept_loader {
    lb_suite *suite;
    lb_problems *problems;
    lb_id_set ids;
    lb_header header;
} kept_loader;

/* ---- The file ---- */

/* All bytes of the file, whose size the suite knows; NULL (reported) if they cannot be had. */
static char *read_whole(lb_suite *suite, int fd, lb_problems *problems)
{
    size_t length = (size_t)suite->stat.st_size;
    size_t have = 0;
    char *text = lb_resized(NULL, length + 1);
    while (have < length) {
        ssize_t count = read(fd, text + have, length - have);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0) {
            lb_problem(problems, (lb_place){0}, "try again", "cannot be read: %s",
                       count < 0 ? strerror(errno) : "the file became shorter");
            free(text);
            return NULL;
        }
        have += (size_t)count;
    }
    text[length] = '\0';
    lb_sha256_of(text, length, suite->sha256);
    return text;
}

/* ---- Cases ---- */

static bool is_same(void *user, size_t earlier, const char *id)
{
    const kept_loader *k = user;
    return strcmp(k->suite->cases[earlier]->id, id) == 0;
}

static unsigned line_of(void *user, size_t number)
{
    const kept_loader *k = user;
    return k->suite->cases[number]->line;
}

static void add_case(kept_loader *k, const lb_document *document)
{
    lb_suite *suite = k->suite;
    lb_case *c = lb_arena_alloc(&suite->arena, sizeof *c);
    lb_document with_companions = *document;
    with_companions.companions = &suite->companions;
    lb_decode_case(&with_companions, k->problems, &suite->arena, c);
    suite->cases =
        lb_room_for_one(suite->cases, suite->count, &suite->case_capacity, sizeof *suite->cases);
    suite->cases[suite->count++] = c;
    suite->has_layers |= c->layer_feed_count > 0;
    suite->sets |= 1u << (c->kernel ? c->kernel->set : LB_SET_MLI);
    lb_note_id(&k->ids, document, c, is_same, k, line_of, k->problems);
    if (suite->arena.used_bytes > LB_MAX_KEPT_BYTES) {
        lb_problem(k->problems, (lb_place){.line = c->line, .case_id = c->id},
                   "write it as JSON Lines: those are read one by one",
                   "the cases of this file take more than 2 GiB of memory");
        lb_problems_stop(k->problems); /* no use in going on */
    }
}

/* ---- JSON ---- */

static unsigned count_lines(const char *text, size_t from, size_t to)
{
    unsigned lines = 0;
    const char *feed;
    while (from < to && (feed = memchr(text + from, '\n', to - from)) != NULL) {
        lines++;
        from = (size_t)(feed - text) + 1;
    }
    return lines;
}

static void read_json_cases(kept_loader *k, const char *text, size_t length, size_t cases_offset,
                            lb_arena *tree)
{
    lb_document document = {
        .prefix = "", .text = text, .text_length = length, .first_line = 1, .root_line = 1};
    lb_json_walk walk = lb_json_enter(text, cases_offset);
    lb_json_item item;
    size_t counted = 0;
    while (lb_json_next(&walk, &item) && !lb_problems_full(k->problems)) {
        document.root_line += count_lines(text, counted, item.start);
        counted = item.start;
        document.key_offset = document.value_offset = item.start;
        lb_document_parse(&document, tree, item.end);
        add_case(k, &document);
        lb_arena_reset(tree);
    }
}

static void read_json(kept_loader *k, const char *text, size_t length, lb_arena *tree)
{
    lb_json_fault fault;
    lb_document document = {.text = text, .text_length = length, .first_line = 1};
    size_t start = lb_json_skip_space(text, 0, length);
    size_t cases_offset = 0;
    lb_place place = {0};
    if (!lb_json_scan(text, length, 0, &fault)) {
        lb_report_fault(k->problems, text, 1, &fault);
        return;
    }
    lb_text_position(text, start, 1, &place.line, &place.column);
    if (text[start] != '{') {
        lb_problem(k->problems, place,
                   "{\"format\": \"lastbit/cases-1\", \"suite\": ..., \"cases\": [...]}",
                   "the file is not an object");
        return;
    }
    document.value_offset = start;
    lb_read_json_header(k->suite, &k->header, &document, tree, k->problems, &cases_offset);
    lb_decode_header_end(&k->header, false, place.line, k->problems);
    if (k->header.format_is_known && cases_offset > 0 && text[cases_offset] == '[')
        read_json_cases(k, text, length, cases_offset, tree);
}

void lb_load_json(lb_suite *suite, int fd, lb_problems *problems)
{
    kept_loader k = {.suite = suite, .problems = problems};
    lb_arena tree = {0};
    char *text = read_whole(suite, fd, problems);
    if (text)
        read_json(&k, text, (size_t)suite->stat.st_size, &tree);
    suite->name = k.header.name;
    lb_arena_free(&tree);
    lb_id_set_free(&k.ids);
    free(text);
}

/* ---- YAML ---- */

static void take_member(void *user, const lb_document *document)
{
    kept_loader *k = user;
    lb_decode_header_member(&k->header, document, k->problems, &k->suite->arena);
    if (k->header.has_format && !k->header.format_is_known)
        lb_problems_stop(k->problems); /* the rules of another format are not known */
}

static void take_case(void *user, const lb_document *document)
{
    add_case(user, document);
}

static void read_yaml(kept_loader *k, const char *text, size_t length)
{
    lb_yaml_sink sink = {.member = take_member, .test_case = take_case, .user = k};
    const char *byte_order_mark = "\xEF\xBB\xBF";
    if (!lb_is_utf8(text, length, k->problems))
        return;
    if (strncmp(text, byte_order_mark, 3) == 0) {
        lb_problem(k->problems, (lb_place){.line = 1, .column = 1},
                   "save the file as UTF-8 without BOM", "a byte order mark");
    } else {
        lb_yaml_read(text, length, &sink, k->problems);
        if (k->problems->found == 0 || k->header.has_cases)
            lb_decode_header_end(&k->header, false, 1, k->problems);
    }
}

void lb_load_yaml(lb_suite *suite, int fd, lb_problems *problems)
{
    kept_loader k = {.suite = suite, .problems = problems};
    char *text = read_whole(suite, fd, problems);
    if (text)
        read_yaml(&k, text, (size_t)suite->stat.st_size);
    suite->name = k.header.name;
    lb_id_set_free(&k.ids);
    free(text);
}
