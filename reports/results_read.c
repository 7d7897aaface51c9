/* results.json, read as a stream. A file as lastbit writes it has one result a line and is read
 * line by line in constant memory; a file that another tool has laid out anew (jq, prettier) is
 * parsed whole. Either way every key is checked, the order of the results, and the tally in the
 * head against the results that follow. */
#include "results_read.h"
#include "temporary.h"

#include "doc.h"
#include "escape.h"
#include "journal_read.h"
#include "json_block.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

struct lb_results_reader {
    FILE *file;
    char *path;
    cJSON *document; /* the head; with the results inside if the file was parsed whole */
    lb_results_head head;

    bool is_journal;
    bool by_line;
    off_t first_offset; /* of the first result */
    uint64_t first_line;
    uint64_t line_number;
    char *line;
    size_t line_bytes;
    lb_json_block line_json; /* what the strings of `result` point into */

    const cJSON *next_item; /* parsed whole: the next result */

    lb_result result;
    uint64_t count; /* results read */
    lb_tally counted;
    bool comma; /* a result is due */
    bool ended;
    char failure[600]; /* the first error, given again on every further call */
};

static const char *const was_cut = "the file ends before its closing \"]}\": it was cut";

/* ---- Messages ---- */

/* FILE:LINE: cause; without a line (0) FILE: cause. */
static void tell(char *error, size_t error_bytes, const char *path, uint64_t line,
                 const char *cause)
{
    lb_doc seen = lb_doc_make(); /* what a file says is nobody's we know */
    lb_escape_line(&seen, cause);
    lb_doc_char(&seen, '\0');
    const char *words = seen.failed ? "out of memory" : seen.text;
    if (line == 0)
        snprintf(error, error_bytes, "%s: %s", path, words);
    else
        snprintf(error, error_bytes, "%s:%llu: %s", path, (unsigned long long)line, words);
    lb_doc_free(&seen);
}

static uint64_t line_of(const char *text, const char *place)
{
    uint64_t line = 1;
    for (; text < place; text++)
        line += *text == '\n';
    return line;
}

/* The line where the key that a cause starts with ("\"run\": ...") stands; 1 if it is nowhere. */
static uint64_t line_of_key(const char *text, const char *cause)
{
    const char *end = cause[0] == '"' ? strchr(cause + 1, '"') : NULL;
    char key[40];
    if (!end || (size_t)(end - cause) + 2 > sizeof key)
        return 1;
    size_t length = (size_t)(end - cause) + 1;
    memcpy(key, cause, length);
    key[length] = '\0';
    const char *place = strstr(text, key);
    return !place ? 1 : line_of(text, place);
}

/* ---- Lines ---- */

static void trim(char *line, size_t *length)
{
    while (*length > 0 && strchr(" \t\r\n", line[*length - 1]))
        line[--*length] = '\0';
}

/* 1: a line; 0: the end of the file; -1: an error, with its cause. The line keeps its end. */
static int read_line(lb_results_reader *reader, size_t *length, const char **cause)
{
    errno = 0;
    ssize_t got = getline(&reader->line, &reader->line_bytes, reader->file);
    if (got < 0) {
        *cause = ferror(reader->file) || errno == ENOMEM ? strerror(errno) : NULL;
        return !*cause ? 0 : -1;
    }
    reader->line_number++;
    *length = (size_t)got;
    if (memchr(reader->line, '\0', *length)) {
        *cause = "not text: a byte of value 0";
        return -1;
    }
    return 1;
}

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " \t\r\n");
}

/* The object on a trimmed line, and whether a comma follows it; NULL: the line is not one object.
 * The text ends in a zero byte beyond its length: some releases of cJSON look at it. */
static const cJSON *parse_line(lb_results_reader *reader, size_t length, bool *comma,
                               size_t *stopped)
{
    const char *line = reader->line, *end = line;
    const cJSON *object = lb_json_block_parse(&reader->line_json, line, length, &end);
    if (object) {
        const char *rest = skip_blanks(end);
        *comma = *rest == ',';
        rest = skip_blanks(rest + *comma);
        if (*rest == '\0' && cJSON_IsObject(object))
            return object;
        end = rest;
    }
    *stopped = (size_t)(end - line) + 1;
    return NULL;
}

/* ---- Opening ---- */

/* A pipe cannot be read twice: its contents go to a temporary file. */
static bool make_seekable(lb_results_reader *reader)
{
    struct stat kind;
    if (fstat(fileno(reader->file), &kind) != 0)
        return false;
    if (S_ISCHR(kind.st_mode) || S_ISBLK(kind.st_mode)) {
        errno = ENODEV; /* a device may never end */
        return false;
    }
    if (S_ISREG(kind.st_mode) && fseeko(reader->file, 0, SEEK_CUR) == 0)
        return true;
    FILE *copy = lb_temporary_file();
    char block[1 << 14];
    size_t got;
    if (!copy)
        return false;
    while ((got = fread(block, 1, sizeof block, reader->file)) > 0)
        if (fwrite(block, 1, got, copy) != got)
            break;
    bool copied = got == 0 && !ferror(reader->file) && fflush(copy) == 0;
    fclose(reader->file);
    reader->file = copy;
    rewind(copy);
    return copied;
}

/* Reads lines into text up to the one that opens the results. 1: found; 0: the file ended; -1:
 * error. */
static int read_to_marker(lb_results_reader *reader, lb_doc *text, const char **cause)
{
    for (;;) {
        size_t length;
        int got = read_line(reader, &length, cause);
        if (got <= 0)
            return got;
        lb_doc_bytes(text, reader->line, length);
        if (text->failed) {
            *cause = "out of memory";
            return -1;
        }
        trim(reader->line, &length);
        if (strcmp(reader->line, "\"results\":[") == 0)
            return 1;
    }
}

/* Whether the line after the marker is what lastbit writes there: one result, or the end. */
static bool next_line_fits(lb_results_reader *reader)
{
    const char *cause;
    size_t length, stopped;
    bool comma;
    reader->first_offset = ftello(reader->file);
    reader->first_line = reader->line_number;
    if (read_line(reader, &length, &cause) != 1)
        return false;
    trim(reader->line, &length);
    if (strcmp(reader->line, "]}") == 0)
        return true;
    return parse_line(reader, length, &comma, &stopped) != NULL;
}

/* Closes the head's text by hand and parses it. */
static bool try_by_line(lb_results_reader *reader, const lb_doc *text)
{
    lb_doc head = lb_doc_make();
    lb_doc_bytes(&head, text->text, text->length);
    lb_doc_bytes(&head, "]}", 3);
    if (!head.failed)
        reader->document = cJSON_ParseWithLength(head.text, head.length - 1);
    lb_doc_free(&head);
    reader->by_line = reader->document && next_line_fits(reader);
    if (!reader->by_line) {
        cJSON_Delete(reader->document);
        reader->document = NULL;
    }
    return reader->by_line;
}

/* Reads the file to its end and parses all of it. False: error is filled. */
static bool parse_whole(lb_results_reader *reader, lb_doc *text, char *error, size_t error_bytes)
{
    const char *cause = NULL;
    reader->line_number = 0;
    lb_doc_cut(text, 0);
    rewind(reader->file);
    while (read_to_marker(reader, text, &cause) == 1) {
    }
    lb_doc_char(text, '\0');
    if (cause || text->failed) {
        tell(error, error_bytes, reader->path, reader->line_number,
             cause ? cause : "out of memory");
        return false;
    }
    if (*skip_blanks(text->text) == '\0') {
        tell(error, error_bytes, reader->path, 0, "the file is empty");
        return false;
    }
    const char *end = text->text;
    reader->document = cJSON_ParseWithLengthOpts(text->text, text->length - 1, &end, 0);
    if (!reader->document || *skip_blanks(end) != '\0') {
        bool at_end = *skip_blanks(end) == '\0' || *skip_blanks(end + 1) == '\0';
        tell(error, error_bytes, reader->path, line_of(text->text, end),
             at_end ? "not valid JSON: the file ends too early, it was cut" : "not valid JSON");
        return false;
    }
    return true;
}

static bool start_results(lb_results_reader *reader, char *error, size_t error_bytes)
{
    const cJSON *results = cJSON_GetObjectItemCaseSensitive(reader->document, "results");
    if (!cJSON_IsArray(results)) {
        tell(error, error_bytes, reader->path, 1, "\"results\" must be a list");
        return false;
    }
    if (lb_results_rewind(reader))
        return true;
    tell(error, error_bytes, reader->path, 0, strerror(errno));
    return false;
}

/* Reads the head, in either form. */
static bool read_head(lb_results_reader *reader, lb_doc *text, char *error, size_t error_bytes)
{
    const char *cause = NULL;
    int found = read_to_marker(reader, text, &cause);
    if (found < 0) {
        tell(error, error_bytes, reader->path, reader->line_number, cause);
        return false;
    }
    bool by_line = found == 1 && try_by_line(reader, text);
    if (!by_line && !parse_whole(reader, text, error, error_bytes))
        return false;
    char head_cause[400];
    if (!lb_results_head_read(reader->document, &reader->head, head_cause, sizeof head_cause)) {
        lb_doc_char(text, '\0');
        tell(error, error_bytes, reader->path, line_of_key(text->text, head_cause), head_cause);
        return false;
    }
    return start_results(reader, error, error_bytes);
}

/* A journal is read as the results file that it would become. */
static bool replace_journal(lb_results_reader *reader, char *error, size_t error_bytes)
{
    if (!lb_is_journal(reader->file))
        return true;
    FILE *results = lb_journal_convert(reader->file, reader->path, error, error_bytes);
    if (!results)
        return false;
    fclose(reader->file);
    reader->file = results;
    reader->is_journal = true;
    return true;
}

/* Why there are none: the last run into this folder came to no results. */
static void tell_missing(const char *path, char *error, size_t error_bytes)
{
    char previous[4096];
    const int cause = errno;
    const char *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash + 1 - path) : 0;
    int length = snprintf(previous, sizeof previous, "%.*s" LB_PREVIOUS_RESULTS, folder, path);
    if (cause == ENOENT && length < (int)sizeof previous && access(previous, R_OK) == 0)
        snprintf(
            error, error_bytes,
            "%.300s: the last run came to no results; those of the run before it are in %.300s",
            path, previous);
    else
        tell(error, error_bytes, path, 0, strerror(cause));
}

char *lb_results_file(const char *path)
{
    struct stat there;
    bool is_folder = stat(path, &there) == 0 && S_ISDIR(there.st_mode);
    const char *file = !is_folder                      ? ""
                       : path[strlen(path) - 1] == '/' ? "results.json"
                                                       : "/results.json";
    char *whole = malloc(strlen(path) + strlen(file) + 1);
    if (whole)
        sprintf(whole, "%s%s", path, file);
    return whole;
}

/* A pipe that nobody writes to is empty: nobody waits for one who does. */
static FILE *open_now(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    FILE *file = fd >= 0 && fcntl(fd, F_SETFL, O_RDONLY) == 0 ? fdopen(fd, "rb") : NULL;
    if (!file && fd >= 0)
        close(fd);
    return file;
}

lb_results_reader *lb_results_open(const char *path, char *error, size_t error_bytes)
{
    lb_results_reader *reader = calloc(1, sizeof *reader);
    if (!reader || (reader->path = lb_results_file(path)) == NULL) {
        tell(error, error_bytes, path, 0, "out of memory");
        free(reader);
        return NULL;
    }
    path = reader->path;
    reader->file = open_now(path);
    if (!reader->file || !make_seekable(reader)) {
        tell_missing(path, error, error_bytes);
        lb_results_close(reader);
        return NULL;
    }
    if (!replace_journal(reader, error, error_bytes)) {
        lb_results_close(reader);
        return NULL;
    }
    lb_doc text = lb_doc_make();
    bool opened = read_head(reader, &text, error, error_bytes);
    lb_doc_free(&text);
    if (!opened) {
        lb_results_close(reader);
        return NULL;
    }
    return reader;
}

void lb_results_close(lb_results_reader *reader)
{
    if (!reader)
        return;
    if (reader->file)
        fclose(reader->file);
    lb_results_head_free(&reader->head);
    cJSON_Delete(reader->document);
    lb_json_block_free(&reader->line_json);
    free(reader->line);
    free(reader->path);
    free(reader);
}

const lb_run_info *lb_results_info(const lb_results_reader *reader)
{
    return &reader->head.info;
}

bool lb_results_is_journal(const lb_results_reader *reader)
{
    return reader->is_journal;
}

void lb_results_set_lines(lb_results_reader *reader, const lb_line_coverage *lines, size_t count)
{
    reader->head.info.lines = lines;
    reader->head.info.lines_count = count;
}

const lb_tally *lb_results_tally(const lb_results_reader *reader)
{
    return &reader->head.tally;
}

/* ---- Results ---- */

/* Remembers the error; always NULL. */
static const lb_result *fail(lb_results_reader *reader, const char *format, ...)
{
    char cause[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(cause, sizeof cause, format, arguments);
    va_end(arguments);
    tell(reader->failure, sizeof reader->failure, reader->path,
         reader->by_line ? reader->line_number : 0, cause);
    return NULL;
}

/* At the end of the list: the head's tally must be what was read. */
static const lb_result *finish(lb_results_reader *reader)
{
    reader->ended = true;
    for (int i = 0; i < LB_VERDICT_COUNT; i++) {
        unsigned long long said = reader->head.tally.count[i], found = reader->counted.count[i];
        if (said != found) {
            return fail(reader, "\"tally\" says %llu %s, but the file holds %llu", said,
                        lb_verdict_name((lb_verdict)i), found);
        }
    }
    return NULL;
}

/* Moves on to the next character that is not blank, over line ends; false: there is none, or (with
 * a cause) an error. */
static bool find_text(lb_results_reader *reader, const char **rest, const char **cause)
{
    size_t length;
    while (*(*rest = skip_blanks(*rest)) == '\0') {
        if (read_line(reader, &length, cause) != 1)
            return false;
        *rest = reader->line;
    }
    return true;
}

/* A line that opens with "]": the list and the document must end here. */
static const lb_result *finish_lines(lb_results_reader *reader)
{
    const char *cause = NULL;
    const char *rest = reader->line + 1;
    if (reader->comma && reader->count > 0)
        return fail(reader, "a result is missing after the last comma");
    if (!find_text(reader, &rest, &cause))
        return fail(reader, "%s", cause ? cause : was_cut);
    bool closed = *rest == '}';
    rest++;
    if (!closed || find_text(reader, &rest, &cause))
        return fail(reader, "unexpected text after the results");
    return cause ? fail(reader, "%s", cause) : finish(reader);
}

static const lb_result *accept(lb_results_reader *reader, const cJSON *object)
{
    char cause[300];
    uint64_t last_order = reader->result.order;
    unsigned long long number = reader->count + 1;
    if (!lb_result_from_json(object, &reader->result, cause, sizeof cause))
        return fail(reader, "result %llu: %s", number, cause);
    if (reader->count > 0 && reader->result.order <= last_order) {
        return fail(reader, "result %llu: \"order\" is %llu after %llu, it must grow", number,
                    (unsigned long long)reader->result.order, (unsigned long long)last_order);
    }
    reader->count++;
    reader->counted.count[reader->result.verdict]++;
    return &reader->result;
}

static const lb_result *next_by_line(lb_results_reader *reader)
{
    const char *cause = NULL;
    size_t length, stopped;
    do {
        int got = read_line(reader, &length, &cause);
        if (got <= 0)
            return fail(reader, "%s", got < 0 ? cause : was_cut);
        trim(reader->line, &length);
    } while (length == 0);
    if (reader->line[0] == ']')
        return finish_lines(reader);
    if (!reader->comma)
        return fail(reader, "the result before this line has no comma after it");
    const cJSON *object = parse_line(reader, length, &reader->comma, &stopped);
    if (!object)
        return fail(reader, "not one whole result (column %zu)", stopped);
    return accept(reader, object);
}

static const lb_result *next_item(lb_results_reader *reader)
{
    const cJSON *item = reader->next_item;
    if (!item)
        return finish(reader);
    reader->next_item = item->next;
    return accept(reader, item);
}

const lb_result *lb_results_next(lb_results_reader *reader, char *error, size_t error_bytes)
{
    const lb_result *result = NULL;
    if (reader->failure[0] == '\0' && !reader->ended)
        result = reader->by_line ? next_by_line(reader) : next_item(reader);
    snprintf(error, error_bytes, "%s", reader->failure);
    return result;
}

bool lb_results_rewind(lb_results_reader *reader)
{
    reader->count = 0;
    reader->comma = true;
    reader->ended = false;
    reader->failure[0] = '\0';
    memset(&reader->counted, 0, sizeof reader->counted);
    if (!reader->by_line) {
        reader->next_item = cJSON_GetObjectItemCaseSensitive(reader->document, "results")->child;
        return true;
    }
    reader->line_number = reader->first_line;
    clearerr(reader->file);
    return fseeko(reader->file, reader->first_offset, SEEK_SET) == 0;
}
