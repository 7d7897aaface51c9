/* The help of a command, from its tables: see options.h. */
#include "harness/base/options.h"

#include <string.h>

enum { WIDTH = 80, NAMES = 22 }; /* columns; those before the sentence of an option */

/* Prints words up to `end` in lines that begin at the column `indent`; the first begins at `at`. */
static void wrap(FILE *out, const char *text, const char *end, size_t indent, size_t at)
{
    bool first = true;
    while (text < end) {
        size_t length = strcspn(text, " \n");
        if (text + length > end)
            length = (size_t)(end - text);
        if (!first && at + 1 + length > WIDTH) {
            fprintf(out, "\n%*s", (int)indent, "");
            at = indent;
            first = true;
        }
        at += (size_t)fprintf(out, "%s%.*s", first ? "" : " ", (int)length, text);
        first = false;
        text += length;
        while (text < end && (*text == ' ' || *text == '\n'))
            text++;
    }
    fputc('\n', out);
}

/* Paragraphs are wrapped; lines that begin with a blank stay. */
static void put_paragraphs(FILE *out, const char *text)
{
    while (*text) {
        const char *end = text;
        if (*text == ' ' || *text == '\n') {
            end += strcspn(text, "\n");
            fprintf(out, "%.*s\n", (int)(end - text), text);
            text = *end ? end + 1 : end;
            continue;
        }
        do {
            end += strcspn(end, "\n");
            end += *end == '\n';
        } while (*end && *end != ' ' && *end != '\n');
        wrap(out, text, end, 0, 0);
        text = end;
    }
}

/* "name", then its sentence in the column. */
static void put_row(FILE *out, const char *name, size_t column, const char *sentence)
{
    size_t at = (size_t)fprintf(out, "  %s", name);
    if (at + 2 > column) {
        fputc('\n', out);
        at = 0;
    }
    fprintf(out, "%*s", (int)(column - at), "");
    wrap(out, sentence, sentence + strlen(sentence), column, column);
}

static void put_options(FILE *out, const lb_command *c)
{
    lb_option_walk walk = {0};
    const lb_option *option;
    bool any = false;
    while ((option = lb_option_next(c, &walk)) != NULL) {
        char name[80], letter[8] = "    ";
        if (walk.title || !any)
            fprintf(out, "\n%s:\n", walk.title ? walk.title : "Options");
        any = true;
        if (option->letter)
            snprintf(letter, sizeof letter, "-%c, ", option->letter);
        snprintf(name, sizeof name, "%s--%s%s%s%s", letter, option->name,
                 option->otherwise  ? "[="
                 : option->argument ? " "
                                    : "",
                 option->argument ? option->argument : "", option->otherwise ? "]" : "");
        put_row(out, name, NAMES, option->help);
    }
}

static void put_commands(FILE *out, const lb_command *c)
{
    const char *const *heading = c->headings;
    size_t column = 0;
    for (size_t i = 0; c->commands[i]; i++) {
        size_t length =
            strlen(strrchr(c->commands[i]->name, ' ') ? strrchr(c->commands[i]->name, ' ')
                                                      : c->commands[i]->name);
        column = length > column ? length : column;
    }
    if (!heading)
        fputs("\nCommands:\n", out);
    for (size_t i = 0; c->commands[i]; i++) {
        const char *name = strrchr(c->commands[i]->name, ' ');
        name = name ? name + 1 : c->commands[i]->name;
        if (heading && heading[0] && strcmp(heading[1], name) == 0) {
            fprintf(out, "\n%s:\n", heading[0]);
            heading += 2;
        }
        put_row(out, name, column + 4, c->commands[i]->summary);
    }
}

size_t lb_command_usage(const lb_command *c, size_t index, char *line, size_t bytes)
{
    const char *usage = c->usage;
    if (!usage && index > 0)
        return 0;
    if (!usage)
        return (size_t)snprintf(line, bytes,
                                c->commands        ? "COMMAND [OPTION...] [ARGUMENT...]"
                                : !c->operand.name ? "[OPTION...]"
                                : c->operand.least ? "[OPTION...] %s%s"
                                                   : "[OPTION...] [%s%s]",
                                c->operand.name, c->operand.most == 1 ? "" : "...");
    for (; index > 0 && *usage; index--) {
        usage += strcspn(usage, "\n");
        usage += *usage == '\n';
    }
    return *usage ? (size_t)snprintf(line, bytes, "%.*s", (int)strcspn(usage, "\n"), usage) : 0;
}

static void put_usage(FILE *out, const lb_command *c)
{
    char line[400];
    for (size_t i = 0; lb_command_usage(c, i, line, sizeof line) > 0; i++) {
        size_t at = (size_t)fprintf(out, "%slastbit%s%s ",
                                    i ? "       " : "Usage: ", *c->name ? " " : "", c->name);
        wrap(out, line, line + strlen(line), at, at);
    }
}

void lb_command_help(const lb_command *c, FILE *out)
{
    put_usage(out, c);
    fputc('\n', out);
    put_paragraphs(out, c->about);
    if (c->commands)
        put_commands(out, c);
    if (c->operand.name)
        fputs("\nArguments:\n", out), put_row(out, c->operand.name, NAMES, c->operand.help);
    put_options(out, c);
    fputs("\nExit status:\n", out);
    for (int i = 0; i <= LB_MAX_STATUS; i++)
        if (c->statuses[i]) {
            fprintf(out, "  %d  ", i);
            wrap(out, c->statuses[i], c->statuses[i] + strlen(c->statuses[i]), 5, 5);
        }
    if (c->after)
        fputc('\n', out), put_paragraphs(out, c->after);
    if (c->examples) {
        fputs(strchr(c->examples, '\n') ? "\nExamples:\n" : "\nExample:\n", out);
        for (const char *line = c->examples; *line; line += *line == '\n') {
            size_t length = strcspn(line, "\n");
            fprintf(out, "  %.*s\n", (int)length, line);
            line += length;
        }
    }
}
