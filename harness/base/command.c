/* Commands behind a command's name: see options.h. */
#include "harness/base/command_line.h"
#include "harness/base/options.h"
#include "harness/base/suggest.h"

#include <string.h>

const char *lb_command_word(const lb_command *c)
{
    const char *blank = strrchr(c->name, ' ');
    return blank ? blank + 1 : c->name;
}

static const char *command_name(const void *set, size_t index)
{
    const lb_command *const *commands = set;
    return commands[index] ? lb_command_word(commands[index]) : NULL;
}

static const lb_command *find_one(const lb_command *c, const char *word)
{
    for (size_t i = 0; c->commands && c->commands[i]; i++)
        if (strcmp(word, lb_command_word(c->commands[i])) == 0)
            return c->commands[i];
    const char *near = c->commands ? lb_suggest(word, command_name, c->commands) : NULL;
    lb_usage_error(c->name, "%s: no such command%s%s%s", word, near ? "; did you mean " : "",
                   near ? near : "", near ? "?" : "");
    return NULL;
}

const lb_command *lb_command_find(const lb_command *command, int count, char *const *words)
{
    for (int i = 0; command && i < count; i++)
        command = find_one(command, words[i]);
    return command;
}

static bool asks_for_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

int lb_command_call(const lb_command *c, int argc, char **argv)
{
    char all[400];
    if (!c->commands)
        return c->run(argc, argv);
    if (argc > 1 && asks_for_help(argv[1]))
        return lb_command_help(c, stdout), lb_help_status();
    if (argc > 1 && argv[1][0] == '-')
        return lb_usage_error(c->name, "unknown option %s; options stand behind the command",
                              argv[1]),
               2;
    if (argc > 1) {
        const lb_command *found = find_one(c, argv[1]);
        return found ? lb_command_call(found, argc - 1, argv + 1) : 2;
    }
    lb_suggest_text("", command_name, c->commands, all, sizeof all);
    lb_usage_error(c->name, "no command given: expected %s", all);
    return 2;
}
