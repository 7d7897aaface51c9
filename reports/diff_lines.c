/* Changes of one kind, in lines for people: see diff_lines.h. */
#include "diff_lines.h"

#include "escape.h"

#include <string.h>

lb_diff_lines lb_diff_lines_make(void)
{
    lb_diff_lines lines = {.text = lb_doc_make(),
                           .suite = lb_doc_make(),
                           .id = lb_doc_make(),
                           .reproduce = lb_doc_make()};
    return lines;
}

static void close_case(lb_diff_lines *lines)
{
    for (size_t i = 0; i < lines->group_count; i++) {
        lb_doc_free(&lines->groups[i].profiles);
        lb_doc_free(&lines->groups[i].says);
    }
    lines->group_count = 0;
}

void lb_diff_lines_free(lb_diff_lines *lines)
{
    close_case(lines);
    lb_doc_free(&lines->text);
    lb_doc_free(&lines->suite);
    lb_doc_free(&lines->id);
    lb_doc_free(&lines->reproduce);
}

static void set(lb_doc *doc, const char *text)
{
    lb_doc_cut(doc, 0);
    lb_doc_puts(doc, text ? text : "");
    lb_doc_char(doc, '\0');
}

/* Is the profile one of a list with ", "? */
static bool is_listed(const char *list, const char *profile)
{
    const size_t length = strlen(profile);
    for (const char *at = list; (at = strstr(at, profile)) != NULL; at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ',' || at[length] == '\0'))
            return true;
    return false;
}

/* A suite may hold a name twice: the profiles of the second begin again. */
static bool is_of_open_case(const lb_diff_lines *lines, const lb_diff_line *line)
{
    if (lines->group_count == 0 || lines->group_count == LB_DIFF_GROUPS || lines->suite.failed ||
        lines->id.failed || strcmp(lines->suite.text, line->suite) != 0 ||
        strcmp(lines->id.text, line->id) != 0)
        return false;
    for (size_t i = 0; i < lines->group_count; i++)
        if (lines->groups[i].profiles.failed ||
            is_listed(lines->groups[i].profiles.text, line->profile))
            return false;
    return true;
}

/* A line that tries one more profile, where it says the same before. */
static void join_reproduce(lb_diff_lines *lines, const char *other)
{
    static const char option[] = " --profile ";
    const char *here = lines->reproduce.failed ? NULL : strstr(lines->reproduce.text, option);
    const char *there = other ? strstr(other, option) : NULL;
    if (!here || !there)
        return;
    const size_t before = (size_t)(there - other) + sizeof option - 1;
    const char *profile = other + before;
    if ((size_t)(here - lines->reproduce.text) + sizeof option - 1 != before ||
        strncmp(lines->reproduce.text, other, before) != 0 || strpbrk(profile, " '\"\\"))
        return;
    lb_doc_cut(&lines->reproduce, lines->reproduce.length - 1);
    lb_doc_char(&lines->reproduce, ',');
    lb_doc_puts(&lines->reproduce, profile);
    lb_doc_char(&lines->reproduce, '\0');
}

static void add_profile(lb_diff_lines *lines, const lb_diff_line *line)
{
    size_t i = 0;
    while (i < lines->group_count &&
           (lines->groups[i].says.failed || strcmp(lines->groups[i].says.text, line->says) != 0))
        i++;
    if (i < lines->group_count) {
        lb_doc *profiles = &lines->groups[i].profiles;
        lb_doc_cut(profiles, profiles->length - 1);
        lb_doc_puts(profiles, ", ");
        lb_doc_puts(profiles, line->profile);
        lb_doc_char(profiles, '\0');
    } else {
        lines->group_count++;
        lines->groups[i].profiles = lb_doc_make();
        lines->groups[i].says = lb_doc_make();
        set(&lines->groups[i].profiles, line->profile);
        set(&lines->groups[i].says, line->says);
    }
    lines->results++;
}

void lb_diff_lines_add(lb_diff_lines *lines, uint64_t limit, const lb_diff_line *line)
{
    if (is_of_open_case(lines, line)) {
        join_reproduce(lines, line->reproduce);
        add_profile(lines, line);
        return;
    }
    lb_diff_lines_end(lines);
    if (lines->cases >= limit)
        return;
    lines->cases++;
    set(&lines->suite, line->suite);
    set(&lines->id, line->id);
    set(&lines->reproduce, line->reproduce);
    add_profile(lines, line);
}

void lb_diff_lines_end(lb_diff_lines *lines)
{
    bool failed = lines->id.failed || lines->suite.failed || lines->reproduce.failed;
    for (size_t i = 0; i < lines->group_count; i++)
        failed = failed || lines->groups[i].profiles.failed || lines->groups[i].says.failed;
    lines->text.failed = lines->text.failed || failed;
    for (size_t i = 0; i < lines->group_count && !failed; i++) {
        lb_doc_puts(&lines->text, i == 0 ? "  " : "    and in");
        if (i == 0)
            lb_escape_line(&lines->text, lines->id.text);
        lb_doc_puts(&lines->text, " [");
        lb_escape_line(&lines->text, lines->groups[i].profiles.text);
        lb_doc_puts(&lines->text, "]: ");
        lb_doc_puts(&lines->text, lines->groups[i].says.text);
        lb_doc_char(&lines->text, '\n');
    }
    if (lines->group_count > 0 && !failed && lines->reproduce.text[0] != '\0') {
        lb_doc_puts(&lines->text, "      ");
        lb_escape_line(&lines->text, lines->reproduce.text);
        lb_doc_char(&lines->text, '\n');
    }
    close_case(lines);
}
