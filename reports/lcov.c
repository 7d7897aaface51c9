/* Tracefiles of lcov: see lcov.h. Of each source (SF) the sums count that lcov has made: LF, LH,
 * BRF, BRH. */
#include "lcov.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

typedef struct source_sums {
    uint64_t lines, lines_hit, branches, branches_hit;
} source_sums;

typedef struct scanner {
    FILE *file;
    const char *path;
    char *line;
    size_t line_bytes;
    uint64_t number;
    char *common; /* the folder of all sources so far, with its slash; NULL: none was seen */
    lb_lcov *lcov;
    bool gathering; /* the second pass: the common folder is known */
    char *source;
    source_sums sums;
    char *error;
    size_t error_bytes;
} scanner;

static bool refuse(scanner *s, const char *cause)
{
    snprintf(s->error, s->error_bytes, "%s:%llu: %s", s->path, (unsigned long long)s->number,
             cause);
    return false;
}

static char *copy_text(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    if (copy)
        memcpy(copy, text, strlen(text) + 1);
    return copy;
}

/* Cuts the common folder back to what this source shares with it. */
static bool note_source(scanner *s, const char *source)
{
    if (!s->common) {
        s->common = copy_text(source);
        if (!s->common)
            return refuse(s, "out of memory");
    }
    size_t same = 0, slash = 0;
    while (s->common[same] != '\0' && s->common[same] == source[same]) {
        same++;
        slash = s->common[same - 1] == '/' ? same : slash;
    }
    s->common[slash] = '\0';
    return true;
}

/* The room of a source: what follows the common folder, up to the next slash; a file right there is
 * in the folder itself. */
static size_t find_room(scanner *s, const char *source)
{
    const char *rest = source + strlen(s->common);
    size_t length = strcspn(rest, "/");
    char room[300];
    if (rest[length] == '/') {
        snprintf(room, sizeof room, "%.*s", (int)(length < 250 ? length : 250), rest);
        return lb_names_add(&s->lcov->rooms, room);
    }
    size_t end = strlen(s->common), start;
    end -= end > 0;
    for (start = end; start > 0 && s->common[start - 1] != '/';)
        start--;
    snprintf(room, sizeof room, "%.*s", (int)(end - start < 250 ? end - start : 250),
             s->common + start);
    return lb_names_add(&s->lcov->rooms, room[0] != '\0' ? room : ".");
}

static bool add_source(scanner *s)
{
    lb_lcov *lcov = s->lcov;
    size_t room = find_room(s, s->source);
    if (room == LB_NO_NAME)
        return refuse(s, "out of memory");
    if (room == lcov->count) {
        lb_line_coverage *list = realloc(lcov->list, (lcov->count + 1) * sizeof *list);
        if (!list)
            return refuse(s, "out of memory");
        lcov->list = list;
        lcov->list[lcov->count++] =
            (lb_line_coverage){.room = lcov->rooms.list[room], .link = lcov->link};
    }
    lb_line_coverage *sum = &lcov->list[room];
    sum->lines += s->sums.lines;
    sum->lines_hit += s->sums.lines_hit;
    sum->branches += s->sums.branches;
    sum->branches_hit += s->sums.branches_hit;
    return true;
}

static bool read_count(scanner *s, const char *text, uint64_t *count)
{
    char *end;
    errno = 0;
    unsigned long long value = text[0] >= '0' && text[0] <= '9' ? strtoull(text, &end, 10) : 0;
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value > UINT32_MAX)
        return refuse(s, "a count of lines or branches is no number");
    *count = value;
    return true;
}

static bool end_source(scanner *s)
{
    if (!s->source)
        return refuse(s, "a record ends that did not begin with SF:");
    if (s->sums.lines_hit > s->sums.lines || s->sums.branches_hit > s->sums.branches)
        return refuse(s, "more lines or branches were hit than there are");
    bool good = s->gathering ? add_source(s) : note_source(s, s->source);
    free(s->source);
    s->source = NULL;
    return good;
}

static bool take_line(scanner *s)
{
    static const struct {
        const char *start;
        size_t offset;
    } counts[] = {{"LF:", offsetof(source_sums, lines)},
                  {"LH:", offsetof(source_sums, lines_hit)},
                  {"BRF:", offsetof(source_sums, branches)},
                  {"BRH:", offsetof(source_sums, branches_hit)}};
    if (strncmp(s->line, "SF:", 3) == 0) {
        if (s->source)
            return refuse(s, "a source begins before the one before it has ended");
        s->source = copy_text(s->line + 3);
        s->sums = (source_sums){0};
        return s->source || refuse(s, "out of memory");
    }
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        size_t length = strlen(counts[i].start);
        if (strncmp(s->line, counts[i].start, length) == 0) {
            uint64_t count;
            if (!read_count(s, s->line + length, &count))
                return false;
            memcpy((char *)&s->sums + counts[i].offset, &count, sizeof count);
            return true;
        }
    }
    return strcmp(s->line, "end_of_record") != 0 || end_source(s);
}

static bool scan(scanner *s, bool gathering)
{
    ssize_t got;
    rewind(s->file);
    s->number = 0;
    s->gathering = gathering;
    while ((got = getline(&s->line, &s->line_bytes, s->file)) >= 0) {
        s->number++;
        while (got > 0 && strchr("\r\n", s->line[got - 1]))
            s->line[--got] = '\0';
        if (!take_line(s))
            return false;
    }
    if (ferror(s->file))
        return refuse(s, strerror(errno));
    if (s->source || !s->common) {
        return refuse(s, s->source ? "the file ends within a record: it was cut"
                                   : "no tracefile of lcov: it names no source (SF:)");
    }
    return true;
}

bool lb_lcov_read(lb_lcov *lcov, const char *path, const char *link, char *error,
                  size_t error_bytes)
{
    scanner s = {.path = path, .lcov = lcov, .error = error, .error_bytes = error_bytes};
    *lcov = (lb_lcov){.link = copy_text(link)};
    s.file = fopen(path, "rb");
    bool good = s.file && lcov->link;
    if (!good) {
        snprintf(error, error_bytes, "%s: %s", path,
                 !lcov->link ? "out of memory" : strerror(errno));
    }
    good = good && scan(&s, false) && scan(&s, true);
    if (s.file)
        fclose(s.file);
    free(s.line);
    free(s.common);
    free(s.source);
    return good;
}

void lb_lcov_free(lb_lcov *lcov)
{
    free(lcov->list);
    free(lcov->link);
    lb_names_free(&lcov->rooms);
    *lcov = (lb_lcov){0};
}
