/* The story of a run's failures: see story.h. */
#include "harness/run/story.h"
#include "harness/base/xalloc.h"

#include "reports/journal_line.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = 5, NAME_COLUMNS = 38, MAX_LINES = 40 };

static const char *const kinds[KINDS] = {"numbers", "status", "contract", "crash", "time"};

typedef struct function_line {
    char name[128];
    uint64_t count[KINDS], all;
} function_line;

typedef struct effort {
    uint64_t case_number;
    uint64_t value;
} effort;

typedef struct reading {
    lb_story *story;
    const unsigned char *verdicts;
    effort *efforts; /* of failing cases */
    size_t count, room;
} reading;

static uint64_t number_of(const char *line, size_t length, const char *key)
{
    const char *at = lb_line_member(line, length, key);
    return at ? strtoull(*at == '"' ? at + 1 : at, NULL, 10) : 0;
}

/* Suites are JSON Lines where programs write them. */
static bool is_made_up(const char *line, size_t length)
{
    const char *file;
    int bytes;
    return lb_line_text(line, length, "file", &file, &bytes) && bytes > 6 &&
           strncmp(file + bytes - 6, ".jsonl", 6) == 0;
}

uint64_t lb_story_effort(const char *line, size_t length)
{
    uint64_t elements = number_of(line, length, "elements");
    uint64_t calls = number_of(line, length, "calls");
    elements = elements < (uint64_t)1 << 40 ? elements : (uint64_t)1 << 40;
    calls = calls < 1u << 20 ? calls : 1u << 20;
    return (calls << 42) + ((uint64_t)is_made_up(line, length) << 41) + elements;
}

static function_line *find_function(lb_story *story, const char *name, int bytes)
{
    function_line *lines = story->functions;
    for (size_t i = 0; i < story->function_count; i++)
        if (strncmp(lines[i].name, name, (size_t)bytes) == 0 && lines[i].name[bytes] == '\0')
            return &lines[i];
    lines = lb_room_for_one(lines, story->function_count, &story->function_room, sizeof *lines);
    story->functions = lines;
    function_line *made = &lines[story->function_count++];
    *made = (function_line){.all = 0};
    snprintf(made->name, sizeof made->name, "%.*s", bytes, name);
    return made;
}

static void count_kind(lb_story *story, const char *name, int name_bytes, const char *kind,
                       int kind_bytes)
{
    function_line *f = find_function(story, name, name_bytes < 120 ? name_bytes : 120);
    f->all++;
    for (int k = 0; k < KINDS; k++)
        f->count[k] +=
            (int)strlen(kinds[k]) == kind_bytes && strncmp(kinds[k], kind, (size_t)kind_bytes) == 0;
}

void lb_story_add(lb_story *story, const char *function, const char *kind)
{
    count_kind(story, function, (int)strlen(function), kind, (int)strlen(kind));
}

static void count_line(lb_story *story, const char *line, size_t length)
{
    const char *name = "", *kind = "";
    int name_bytes = 0, kind_bytes = 0;
    lb_line_text(line, length, "function", &name, &name_bytes);
    lb_line_text(line, length, "kind", &kind, &kind_bytes);
    count_kind(story, name, name_bytes, kind, kind_bytes);
}

static bool read_line(void *user, uint64_t order, const char *line, size_t length)
{
    reading *r = user;
    const unsigned char known = r->verdicts[order];
    const uint64_t case_number = order / r->story->profile_count;
    if (known != 1 + LB_FAIL && known != 1 + LB_ERROR)
        return true;
    count_line(r->story, line, length);
    if (r->count > 0 && r->efforts[r->count - 1].case_number == case_number)
        return true;
    r->efforts = lb_room_for_one(r->efforts, r->count, &r->room, sizeof *r->efforts);
    r->efforts[r->count++] = (effort){case_number, lb_story_effort(line, length)};
    return true;
}

static int by_effort(const void *a, const void *b)
{
    const effort *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return x->case_number < y->case_number ? -1 : x->case_number > y->case_number;
}

static int by_failures(const void *a, const void *b)
{
    const function_line *x = a, *y = b;
    if (x->all != y->all)
        return x->all > y->all ? -1 : 1;
    return strcmp(x->name, y->name);
}

bool lb_story_read(lb_story *story, const lb_journal *journal, const unsigned char *verdicts,
                   uint64_t order_count, size_t profile_count, unsigned long limit)
{
    *story = (lb_story){.case_count = order_count / profile_count, .profile_count = profile_count};
    reading r = {.story = story, .verdicts = verdicts};
    story->chosen = lb_resized(NULL, story->case_count + 1);
    story->rank = lb_resized(NULL, (story->case_count + 1) * sizeof *story->rank);
    memset(story->chosen, 0, story->case_count + 1);
    bool good = lb_journal_in_order(journal, order_count, read_line, &r);
    qsort(r.efforts, r.count, sizeof *r.efforts, by_effort);
    for (size_t i = 0; i < r.count && i < limit; i++) {
        story->chosen[r.efforts[i].case_number] = 1;
        story->rank[r.efforts[i].case_number] = (uint32_t)i;
    }
    free(r.efforts);
    return good;
}

void lb_story_free(lb_story *story)
{
    free(story->chosen);
    free(story->rank);
    free(story->functions);
    *story = (lb_story){.chosen = NULL};
}

/* A long name keeps its beginning and its end. */
static void put_name(FILE *out, const char *name)
{
    enum { TAIL = 16 };
    size_t length = strlen(name);
    if (length <= NAME_COLUMNS)
        fprintf(out, "  %-*s", NAME_COLUMNS, name);
    else
        fprintf(out, "  %.*s...%s", NAME_COLUMNS - TAIL - 3, name, name + length - TAIL);
}

size_t lb_story_wrong_numbers(const lb_story *story)
{
    const function_line *lines = story->functions;
    size_t count = 0;
    for (size_t i = 0; i < story->function_count; i++)
        count += lines[i].count[0] > 0;
    return count;
}

void lb_story_table(lb_story *story, FILE *out)
{
    const function_line *lines = story->functions;
    if (story->function_count == 0)
        return;
    qsort(story->functions, story->function_count, sizeof(function_line), by_failures);
    fprintf(out, "  %-*s %7s %7s %8s %6s %5s\n", NAME_COLUMNS, "what failed, by function", kinds[0],
            kinds[1], kinds[2], kinds[3], kinds[4]);
    for (size_t i = 0; i < story->function_count && i < MAX_LINES; i++) {
        static const int widths[KINDS] = {7, 7, 8, 6, 5};
        put_name(out, lines[i].name);
        for (int k = 0; k < KINDS; k++)
            if (lines[i].count[k] > 0)
                fprintf(out, " %*" PRIu64, widths[k], lines[i].count[k]);
            else
                fprintf(out, " %*s", widths[k], "-");
        fputc('\n', out);
    }
    if (story->function_count > MAX_LINES)
        fprintf(out, "  ... and %zu more functions\n", story->function_count - MAX_LINES);
    fputc('\n', out);
}
