/* lastbit rule: sections of the specifications, in the terminal. */
#include "harness/base/command_line.h"
#include "harness/base/spec_text.h"
#include "harness/base/suggest.h"
#include "harness/command/commands.h"

#include <stdio.h>
#include <string.h>

static void list_page(const lb_spec_page *page)
{
    lb_spec_section s;
    for (bool there = lb_spec_first(page, &s); there; there = lb_spec_next(&s)) {
        char name[64];
        printf("%-28s %.*s\n", lb_spec_name(&s, name, sizeof name), (int)s.title_bytes, s.title);
    }
}

static const char *page_name(const void *set, size_t index)
{
    (void)set;
    return lb_spec_pages[index].name;
}

/* Tells what a name may be that means nothing. */
static int complain(const char *name)
{
    char page[64], near[400];
    snprintf(page, sizeof page, "%.*s", (int)strcspn(name, ". "), name);
    lb_suggest_text(page, page_name, NULL, near, sizeof near);
    for (const lb_spec_page *p = lb_spec_pages; p->name; p++)
        if (lb_spec_is_of(p, page))
            snprintf(near, sizeof near, "\"lastbit rule --list %s\" has those there are", page);
    lb_usage_error("rule", "%s: there is no such section; %s", name, near);
    return 2;
}

static int list(char *const *names, int count)
{
    lb_spec_section s;
    for (int i = 0; i < count; i++)
        if (!lb_spec_find(names[i], &s))
            return complain(names[i]);
    for (const lb_spec_page *page = lb_spec_pages; page->name && count == 0; page++)
        list_page(page);
    for (int i = 0; i < count; i++)
        for (const lb_spec_page *page = lb_spec_pages; page->name; page++)
            if (lb_spec_is_of(page, names[i]))
                list_page(page);
    return 0;
}

/* "numerics.md" and "4.2" that no quotes hold together are one name. */
static bool goes_on(const char *name, const char *next)
{
    size_t length = strlen(name);
    return length > 3 && strcmp(name + length - 3, ".md") == 0 && next && *next >= '0' &&
           *next <= '9';
}

/* The section, or of a folder of pages all of them. */
static void print_section(const char *name, const lb_spec_section *s)
{
    printf("%s.md\n\n%.*s", s->page->name, (int)s->text_bytes, s->text);
    for (const lb_spec_page *page = s->page + 1; page->name && !*s->number; page++) {
        lb_spec_section whole;
        if (lb_spec_is_of(page, name) && lb_spec_first(page, &whole))
            printf("\n%s.md\n\n%.*s", page->name, (int)whole.text_bytes, whole.text);
    }
}

static int print(char *const *names, int count)
{
    for (int i = 0; i < count; i++) {
        lb_spec_section s;
        char name[256];
        bool two = goes_on(names[i], i + 1 < count ? names[i + 1] : NULL);
        snprintf(name, sizeof name, "%s%s%s", names[i], two ? " " : "", two ? names[i + 1] : "");
        i += two;
        if (!lb_spec_find(name, &s))
            return complain(name);
        printf("%s", i > two ? "\n" : "");
        print_section(name, &s);
        for (unsigned more = 1; lb_spec_named(name, more, &s); more++)
            printf("\n%.*s", (int)s.text_bytes, s.text);
    }
    return 0;
}

static int rule(int argc, char **argv)
{
    bool wants_list = false;
    lb_arguments names;
    int status;
    if (!lb_options_parse(&lb_rule_command, argc, argv, &wants_list, &names, &status))
        return status;
    if (names.count == 0 && !wants_list)
        return lb_usage_error("rule", "no NAME given; \"lastbit rule --list\" has them"), 2;
    status = (wants_list ? list : print)(names.items, (int)names.count);
    return fflush(stdout) == 0 && !ferror(stdout) ? status : 3;
}

static const lb_option table[] = {
    {"list", 'l', LB_FLAG, .bytes = sizeof(bool),
     .help = "names and titles of all sections, or of those of the pages named"},
    {.name = NULL}};

const lb_command lb_rule_command = {
    .name = "rule",
    .summary = "print a section of the specifications, such as numerics.4.2",
    .usage = "NAME...\n--list [PAGE...]",
    .about = "Prints sections of the specifications, which say what every bit must be: of MLI 2.0, "
             "page by page, and of the LiteRT kernels, whose names begin with litert.",
    .groups = {{table, 0, NULL}},
    .operand = {.name = "NAME",
                "what messages of lastbit say, \"numerics.md 4.2\", or in short numerics.4.2; a "
                "page alone is the whole page, litert alone all pages of LiteRT",
                0,
                0,
                NULL,
                .offers = LB_OFFER_SECTIONS},
    .statuses = {"done", NULL, "the command line is wrong, or there is no such section",
                 "lastbit itself failed"},
    .examples = "lastbit rule numerics.4.2\n"
                "lastbit rule 'conv.md 11 D4'\n"
                "lastbit rule --list conv\n"
                "lastbit rule litert.2.3",
    .run = rule};
