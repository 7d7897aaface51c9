/* The command line by the tables: see options.h. */
#include "harness/base/options.h"
#include "harness/base/command_line.h"
#include "harness/base/installed.h"
#include "harness/base/suggest.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OPTIONS = 64, FIRST_NUMBER = 256, MESSAGE = 400 };

static const lb_option help_option = {"help", 'h', LB_FLAG, .help = "this text"};

const lb_option *lb_option_next(const lb_command *command, lb_option_walk *walk)
{
    for (; walk->group < LB_MAX_GROUPS && command->groups[walk->group].options; walk->group++) {
        const lb_option_group *group = &command->groups[walk->group];
        const lb_option *option = &group->options[walk->option];
        walk->title = walk->option == 0 ? group->title : NULL;
        if (option->name)
            return walk->option++, option;
        walk->option = 0;
    }
    walk->title = NULL;
    return walk->option++ == 0 ? &help_option : NULL;
}

/* ---- What getopt_long gets ---- */

typedef struct parser {
    const lb_command *command;
    char *into;
    struct option longs[MAX_OPTIONS + 1];
    const lb_option *options[MAX_OPTIONS];
    size_t offsets[MAX_OPTIONS]; /* of the group */
    size_t count;
    char letters[MAX_OPTIONS * 2 + 2];
} parser;

static void prepare(parser *p)
{
    lb_option_walk walk = {0};
    size_t length = 1;
    const lb_option *option;
    p->letters[0] = ':';
    while (p->count < MAX_OPTIONS && (option = lb_option_next(p->command, &walk)) != NULL) {
        int argument = option->kind == LB_FLAG ? no_argument
                       : option->otherwise     ? optional_argument
                                               : required_argument;
        p->longs[p->count] =
            (struct option){option->name, argument, NULL, FIRST_NUMBER + (int)p->count};
        p->options[p->count] = option;
        p->offsets[p->count++] = option == &help_option ? 0 : p->command->groups[walk.group].offset;
        if (option->letter)
            p->letters[length++] = option->letter;
        if (option->letter && argument == required_argument)
            p->letters[length++] = ':';
    }
}

/* What getopt_long found: a number of the table, or a letter. */
static size_t index_of(const parser *p, int found)
{
    for (size_t i = 0; found < FIRST_NUMBER && i < p->count; i++)
        if (p->options[i]->letter == found)
            return i;
    return (size_t)(found - FIRST_NUMBER);
}

/* ---- Messages ---- */

static const char *option_name(const void *set, size_t index)
{
    return ((const struct option *)set)[index].name;
}

/* What getopt did not understand: the word that it looked at last. */
static void tell_unknown(const parser *p, const char *word)
{
    char name[64];
    size_t length = strcspn(word, "="), alike = 0;
    if (strncmp(word, "--", 2) != 0) {
        lb_usage_error(p->command->name, "unknown option -%c", optopt);
        return;
    }
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length - 2 : 0), word + 2);
    for (size_t i = 0; i < p->count; i++)
        alike += strncmp(p->longs[i].name, name, strlen(name)) == 0;
    const char *near = lb_suggest(name, option_name, p->longs);
    if (alike > 1)
        lb_usage_error(p->command->name, "--%s may be more than one option: write it out", name);
    else if (alike == 1)
        lb_usage_error(p->command->name, "--%s takes no value", name);
    else
        lb_usage_error(p->command->name, "unknown option --%s%s%s%s", name,
                       near ? "; did you mean --" : "", near ? near : "", near ? "?" : "");
}

static bool wrong(const parser *p, const lb_option *option, const char *value, const char *expected)
{
    lb_usage_error(p->command->name, "--%s %s: expected %s", option->name, value, expected);
    return false;
}

/* "a, b or c" */
static void list_choices(const char *const *choices, char *text, size_t bytes)
{
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; choices[i] && length < bytes; i++)
        length += (size_t)snprintf(text + length, bytes - length, "%s%s",
                                   i == 0           ? ""
                                   : choices[i + 1] ? ", "
                                                    : " or ",
                                   choices[i]);
}

/* ---- Values ---- */

static bool take_choice(const parser *p, const lb_option *option, const char *value, void *into)
{
    char all[MESSAGE], expected[MESSAGE + 120];
    for (unsigned i = 0; option->choices[i]; i++)
        if (strcmp(value, option->choices[i]) == 0) {
            if (option->kind == LB_CHOICE)
                memcpy(into, &i, sizeof i);
            else
                memcpy(into, &option->choices[i], option->bytes);
            return true;
        }
    const char *near = lb_suggest(value, lb_name_in_array, option->choices);
    list_choices(option->choices, all, sizeof all);
    snprintf(expected, sizeof expected, "%s%s%s%s", all, near ? "; did you mean " : "",
             near ? near : "", near ? "?" : "");
    return wrong(p, option, value, expected);
}

static bool take_number(const parser *p, const lb_option *option, const char *value, void *into)
{
    unsigned long high = option->high ? option->high : option->bytes < 8 ? UINT32_MAX : ULONG_MAX;
    unsigned long number;
    char expected[MESSAGE];
    if (!lb_parse_number(value, option->low, high, &number)) {
        if (option->high)
            snprintf(expected, sizeof expected, "a number from %lu to %lu", option->low, high);
        else
            snprintf(expected, sizeof expected, "a number%s", option->low ? " from 1" : "");
        return wrong(p, option, value, expected);
    }
    uint32_t small = (uint32_t)number;
    memcpy(into, option->bytes < 8 ? (void *)&small : (void *)&number, option->bytes);
    return true;
}

static bool take_real(const parser *p, const lb_option *option, const char *value, void *into)
{
    char *end = NULL, expected[MESSAGE];
    errno = 0;
    double number = strtod(value, &end);
    bool above = option->kind == LB_PERCENT ? number >= 0 : number > 0;
    bool good = errno == 0 && end != value && *end == '\0' && above;
    if (good && number <= (double)option->high) {
        memcpy(into, &number, sizeof number);
        return true;
    }
    snprintf(expected, sizeof expected,
             option->kind == LB_PERCENT ? "a percentage from 0 to %lu"
                                        : "seconds, above 0 and at most %lu",
             option->high);
    return wrong(p, option, value, expected);
}

static bool take_bytes(const parser *p, const lb_option *option, const char *value, void *into)
{
    char number[24];
    size_t length = strlen(value);
    unsigned long count = 0, unit = 1;
    if (length > 1 && length < sizeof number && strchr("kKmM", value[length - 1])) {
        unit = strchr("kK", value[length - 1]) ? 1024 : 1048576;
        length--;
    }
    snprintf(number, sizeof number, "%.*s", (int)length, value);
    if (length >= sizeof number || !lb_parse_number(number, 1, (1ul << 31) / unit - 1, &count))
        return wrong(p, option, value, "a number of bytes below 2 GiB, as in 65536 or 64K");
    size_t bytes = count * unit;
    memcpy(into, &bytes, sizeof bytes);
    return true;
}

static bool take_item(const parser *p, const lb_option *option, const char *value, lb_list *list)
{
    if (list->count == LB_LIST_MAX)
        return lb_usage_error(p->command->name, "--%s: at most %d times", option->name,
                              LB_LIST_MAX),
               false;
    list->items[list->count++] = value;
    return true;
}

static bool take(parser *p, size_t index, const char *value)
{
    const lb_option *option = p->options[index];
    void *into = p->into + p->offsets[index] + option->offset;
    bool yes = true;
    if (option->given)
        memcpy(p->into + p->offsets[index] + option->given - 1, &yes, sizeof yes);
    value = value ? value : option->otherwise;
    switch (option->kind) {
    case LB_FLAG:
        return memcpy(into, &yes, sizeof yes), true;
    case LB_TEXT:
        value = option->reads ? lb_input_path(value) : value;
        return memcpy(into, &value, sizeof value), true;
    case LB_NUMBER:
        return take_number(p, option, value, into);
    case LB_SECONDS:
    case LB_PERCENT:
        return take_real(p, option, value, into);
    case LB_BYTES:
        return take_bytes(p, option, value, into);
    case LB_CHOICE:
    case LB_WORD:
        return take_choice(p, option, value, into);
    case LB_LIST:
        return take_item(p, option, value, into);
    case LB_CALLBACK:
        return option->take(p->command->name, value, into);
    }
    return false;
}

/* ---- The command line ---- */

static bool check_choice(const lb_command *c, const lb_operand_kind *kind, const char *word)
{
    char all[MESSAGE];
    for (size_t i = 0; kind->choices[i]; i++)
        if (strcmp(kind->choices[i], word) == 0)
            return true;
    const char *near = lb_suggest(word, lb_name_in_array, kind->choices);
    list_choices(kind->choices, all, sizeof all);
    return lb_usage_error(c->name, "%s: expected %s%s%s%s", word, all,
                          near ? "; did you mean " : "", near ? near : "", near ? "?" : ""),
           false;
}

static bool check_operands(const lb_command *c, const lb_arguments *operands)
{
    const lb_operand_kind *kind = &c->operand;
    if (!kind->name && operands->count > 0)
        return lb_usage_error(c->name, "%s: no such argument; expected options only",
                              operands->items[0]),
               false;
    if (operands->count < kind->least)
        return lb_usage_error(c->name, "%s %s given: expected %s",
                              operands->count == 0 ? "no" : "only one", kind->name, kind->help),
               false;
    for (size_t i = 0; kind->choices && kind->least > 0 && i < operands->count; i++)
        if (!check_choice(c, kind, operands->items[i]))
            return false;
    if (kind->most > 0 && operands->count > kind->most)
        return lb_usage_error(c->name, "%s: expected no more than %s %s",
                              operands->items[kind->most], kind->most == 1 ? "one" : "two",
                              kind->name),
               false;
    return true;
}

/* Files that the operands name, wherever they lie. */
static lb_arguments find_files(lb_arguments named)
{
    static char **paths; /* as the words of a command line, which it stands for */
    static size_t room;
    lb_arguments found = {.count = 0};
    for (size_t i = 0; i < named.count; i++)
        lb_input_paths(named.items[i], &paths, &found.count, &room);
    found.items = paths;
    return found;
}

int lb_help_status(void)
{
    return fflush(stdout) == 0 ? 0 : 3;
}

bool lb_options_parse(const lb_command *command, int argc, char **argv, void *into,
                      lb_arguments *operands, int *status)
{
    parser p = {.command = command, .into = into};
    int found;
    prepare(&p);
    optind = 0; /* a fresh start: the command before this one used getopt too */
    opterr = 0;
    *status = 2;
    while ((found = getopt_long(argc, argv, p.letters, p.longs, NULL)) != -1) {
        const char *word = optind > 0 && optind <= argc ? argv[optind - 1] : "";
        if (found == ':')
            return lb_usage_error(command->name, "%s needs a value", word), false;
        if (found == '?')
            return tell_unknown(&p, word), false;
        size_t index = index_of(&p, found);
        if (p.options[index] == &help_option) {
            lb_command_help(command, stdout);
            *status = lb_help_status();
            return false;
        }
        if (!take(&p, index, optarg))
            return false;
    }
    lb_arguments rest = {.items = argv + optind, .count = (size_t)(argc - optind)};
    if (command->operand.reads)
        rest = find_files(rest);
    if (operands)
        *operands = rest;
    return check_operands(command, &rest);
}
