/* lastbit completion: scripts by which shells complete command lines, made from the tables. */
#include "harness/base/installed.h"
#include "harness/base/spec_text.h"
#include "harness/command/commands.h"
#include "harness/port/provided.h"

#include "reports/doc.h"

#include <glob.h>
#include <string.h>

static void put_choices(lb_doc *doc, const char *const *choices)
{
    for (size_t i = 0; choices[i]; i++)
        lb_doc_printf(doc, "%s%s", i ? " " : "", choices[i]);
}

static void put_sections(lb_doc *doc)
{
    for (const lb_spec_page *page = lb_spec_pages; page->name; page++) {
        lb_spec_section s;
        char name[64];
        for (bool more = lb_spec_first(page, &s); more; more = lb_spec_next(&s))
            lb_doc_printf(doc, "%s ", lb_spec_name(&s, name, sizeof name));
    }
}

static void put_functions(lb_doc *doc)
{
    for (size_t i = 0; i < lb_kernel_total(); i++)
        if (lb_function_is_tried(lb_kernel_at(i)))
            lb_doc_printf(doc, "%s ", lb_kernel_at(i)->name);
}

/* A file of YAML or JSON in the folder of the suites may be something else. */
static bool is_suite(const char *path)
{
    char text[4096];
    FILE *file = fopen(path, "r");
    size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[length] = '\0';
    return strstr(text, "lastbit/cases-1") != NULL;
}

/* "vectors/..." of those that come with the program. */
static void put_suites(lb_doc *doc)
{
    static const char *const patterns[] = {"*.yaml", "*.jsonl", "recorded/*.jsonl",
                                           "networks/*.jsonl", "*/recorded/*.jsonl"};
    char folder[4096], pattern[8192];
    if (!lb_installed("vectors", "cases.schema.json", folder, sizeof folder))
        return;
    lb_doc_puts(doc, "vectors/ vectors/recorded/ vectors/networks/ ");
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        glob_t found;
        snprintf(pattern, sizeof pattern, "%s/%s", folder, patterns[i]);
        if (glob(pattern, 0, NULL, &found) != 0)
            continue;
        for (size_t j = 0; j < found.gl_pathc; j++)
            if (is_suite(found.gl_pathv[j]))
                lb_doc_printf(doc, "vectors%s ", found.gl_pathv[j] + strlen(folder));
        globfree(&found);
    }
}

/* Lists of names stand in a script once, each in a variable. */
static const struct {
    lb_offer offer;
    const char *variable;
    void (*put)(lb_doc *doc);
} lists[] = {{LB_OFFER_FUNCTIONS, "kernels", put_functions},
             {LB_OFFER_SECTIONS, "sections", put_sections},
             {LB_OFFER_SUITES, "suites", put_suites}};

/* `start` sets a variable; `before` and `after` stand around its value. */
static void put_lists(lb_doc *doc, const char *start, const char *before, const char *after)
{
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        lb_doc_printf(doc, "%s%s%s", start, lists[i].variable, before);
        lists[i].put(doc);
        lb_doc_puts(doc, after);
    }
}

static const char *variable_of(lb_offer offers)
{
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        if (lists[i].offer == offers)
            return lists[i].variable;
    return NULL;
}

/* Inside '...' of bash and zsh. */
static void put_offered(lb_doc *doc, lb_offer offers)
{
    const char *variable = variable_of(offers);
    if (variable)
        lb_doc_printf(doc, "'\"$%s\"'", variable);
}

static bool is_file(lb_offer offers)
{
    return offers == LB_OFFER_FILES || offers == LB_OFFER_SUITES;
}

/* A number is no file, nor is one of some words. */
static lb_offer offer_of(const lb_option *option)
{
    switch (option->kind) {
    case LB_NUMBER:
    case LB_SECONDS:
    case LB_PERCENT:
    case LB_BYTES:
    case LB_CHOICE:
    case LB_WORD:
    case LB_FLAG:
        return LB_OFFER_NOTHING;
    case LB_TEXT:
    case LB_LIST:
    case LB_CALLBACK:
        break;
    }
    return option->offers;
}

static lb_offer offer_of_operand(const lb_command *c)
{
    return c->operand.name ? c->operand.offers : LB_OFFER_NOTHING;
}

/* Calls `each` for every command. */
static void walk(lb_doc *doc, const lb_command *c,
                 void (*each)(lb_doc *doc, const lb_command *command))
{
    each(doc, c);
    for (size_t i = 0; c->commands && c->commands[i]; i++)
        walk(doc, c->commands[i], each);
}

/* ---- bash ---- */

/* "command|words|option:choices|..." for the function below. */
static void put_bash_case(lb_doc *doc, const lb_command *c)
{
    lb_option_walk options = {0};
    const lb_option *option;
    lb_doc_printf(doc, "    '%s')\n        words='", c->name);
    for (size_t i = 0; c->commands && c->commands[i]; i++)
        lb_doc_printf(doc, "%s ", lb_command_word(c->commands[i]));
    if (!*c->name)
        lb_doc_puts(doc, "help ");
    while ((option = lb_option_next(c, &options)) != NULL) {
        lb_doc_printf(doc, "--%s ", option->name);
        if (option->letter)
            lb_doc_printf(doc, "-%c ", option->letter);
    }
    if (c->operand.choices)
        put_choices(doc, c->operand.choices);
    if (offer_of_operand(c) != LB_OFFER_SUITES)
        put_offered(doc, offer_of_operand(c));
    lb_doc_printf(doc, "' files=%s\n        case $previous in\n",
                  offer_of_operand(c) == LB_OFFER_SUITES  ? "\"$suites\""
                  : offer_of_operand(c) == LB_OFFER_FILES ? "yes"
                                                          : "");
    for (options = (lb_option_walk){0}; (option = lb_option_next(c, &options)) != NULL;) {
        if (option->kind == LB_FLAG || option->otherwise)
            continue;
        lb_doc_printf(doc, "        --%s", option->name);
        if (option->letter)
            lb_doc_printf(doc, " | -%c", option->letter);
        lb_doc_printf(doc, ") value=yes files=%s words='",
                      offer_of(option) == LB_OFFER_FILES ? "yes" : "");
        if (option->choices)
            put_choices(doc, option->choices);
        put_offered(doc, offer_of(option));
        lb_doc_puts(doc, "' ;;\n");
    }
    lb_doc_puts(doc, "        esac\n        ;;\n");
}

/* What the word before and this one make the command, as both shells' `case` has it. */
static void put_command_words(lb_doc *doc)
{
    for (size_t i = 0; lb_lastbit.commands[i]; i++) {
        const lb_command *c = lb_lastbit.commands[i];
        lb_doc_printf(doc, "        ' %s') command='%s' ;;\n", c->name, c->name);
        for (size_t j = 0; c->commands && c->commands[j]; j++)
            lb_doc_printf(doc, "        '%s') command='%s' ;;\n", c->commands[j]->name,
                          c->commands[j]->name);
    }
}

static void put_bash(lb_doc *doc)
{
    lb_doc_puts(doc,
                "# bash completion for lastbit\n"
                "_lastbit()\n"
                "{\n"
                "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
                "    local command= words= value= files= at\n");
    put_lists(doc, "    local ", "='", "'\n");
    lb_doc_puts(doc,
                "    [ \"$previous\" != = ] || previous=${COMP_WORDS[COMP_CWORD-2]}\n"
                "    [ \"$current\" != = ] || { current= previous=${COMP_WORDS[COMP_CWORD-1]}; }\n"
                "    for ((at = 1; at < COMP_CWORD; at++)); do\n"
                "        case \"$command ${COMP_WORDS[at]}\" in\n");
    put_command_words(doc);
    lb_doc_puts(doc, "        esac\n"
                     "    done\n"
                     "    case $command in\n");
    walk(doc, &lb_lastbit, put_bash_case);
    lb_doc_puts(doc, "    esac\n"
                     "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
                     "    if [ -n \"$files\" ] && { [ -n \"$value\" ] || [ \"${current#-}\" = "
                     "\"$current\" ]; }; "
                     "then\n"
                     "        COMPREPLY+=($(compgen -f -- \"$current\"))\n"
                     "        [ -z \"$current\" ] || [ \"$files\" = yes ] || "
                     "COMPREPLY+=($(compgen -W \"$files\" -- \"$current\"))\n"
                     "        compopt -o filenames 2>/dev/null\n"
                     "    fi\n"
                     "}\n"
                     "complete -F _lastbit lastbit\n");
}

/* ---- zsh ---- */

/* Text inside '...' of an argument of _arguments: no quote, no bracket, no colon. */
static void put_zsh_text(lb_doc *doc, const char *text)
{
    for (; *text; text++) {
        if (strchr("[]:\\", *text))
            lb_doc_char(doc, '\\');
        if (*text == '\'')
            lb_doc_puts(doc, "'\\''");
        else
            lb_doc_char(doc, *text);
    }
}

static void put_zsh_offer(lb_doc *doc, lb_offer offers)
{
    if (offers == LB_OFFER_FILES)
        lb_doc_puts(doc, "_files");
    else if (offers == LB_OFFER_SUITES)
        lb_doc_puts(doc, "{_files; [[ -z $PREFIX ]] || compadd -- '\"$suites\"' }");
    else if (offers != LB_OFFER_NOTHING) {
        lb_doc_char(doc, '(');
        put_offered(doc, offers);
        lb_doc_char(doc, ')');
    }
}

static void put_zsh_option(lb_doc *doc, const lb_option *option)
{
    const char *many = option->kind == LB_LIST ? "*" : "";
    const char *value = option->kind == LB_FLAG ? "" : option->otherwise ? "=-" : "=";
    for (int pass = option->letter ? 0 : 1; pass < 2; pass++) {
        if (pass == 0)
            lb_doc_printf(doc, " \\\n            '%s-%c%s[", many, option->letter,
                          option->kind == LB_FLAG ? "" : "+");
        else
            lb_doc_printf(doc, " \\\n            '%s--%s%s[", many, option->name, value);
        put_zsh_text(doc, option->help);
        lb_doc_char(doc, ']');
        if (option->kind != LB_FLAG) {
            lb_doc_char(doc, ':');
            put_zsh_text(doc, option->argument);
            lb_doc_char(doc, ':');
            if (option->choices) {
                lb_doc_char(doc, '(');
                put_choices(doc, option->choices);
                lb_doc_char(doc, ')');
            } else {
                put_zsh_offer(doc, offer_of(option));
            }
        }
        lb_doc_char(doc, '\'');
    }
}

static void put_zsh_case(lb_doc *doc, const lb_command *c)
{
    lb_option_walk options = {0};
    const lb_option *option;
    lb_doc_printf(doc, "    '%s')\n", c->name);
    if (c->commands) {
        lb_doc_puts(doc, "        local -a commands=(");
        for (size_t i = 0; c->commands[i]; i++) {
            lb_doc_printf(doc, "\n            '%s:", lb_command_word(c->commands[i]));
            put_zsh_text(doc, c->commands[i]->summary);
            lb_doc_char(doc, '\'');
        }
        lb_doc_puts(doc, ")\n        _describe command commands\n        ;;\n");
        return;
    }
    lb_doc_puts(doc, "        _arguments -s");
    while ((option = lb_option_next(c, &options)) != NULL)
        put_zsh_option(doc, option);
    lb_doc_puts(doc, " \\\n            '*:");
    put_zsh_text(doc, c->operand.name ? c->operand.name : "");
    lb_doc_char(doc, ':');
    put_zsh_offer(doc, offer_of_operand(c));
    lb_doc_puts(doc, "'\n        ;;\n");
}

static void put_zsh(lb_doc *doc)
{
    lb_doc_puts(doc, "#compdef lastbit\n"
                     "# zsh completion for lastbit\n"
                     "_lastbit() {\n"
                     "    local command=\n");
    put_lists(doc, "    local ", "='", "'\n");
    lb_doc_puts(doc, "    while ((CURRENT > 2)); do\n"
                     "        case \"$command ${words[2]}\" in\n");
    put_command_words(doc);
    lb_doc_puts(doc, "        *) break ;;\n"
                     "        esac\n"
                     "        shift words\n"
                     "        ((CURRENT--))\n"
                     "    done\n"
                     "    case $command in\n");
    walk(doc, &lb_lastbit, put_zsh_case);
    lb_doc_puts(doc, "    esac\n"
                     "}\n"
                     "if [ \"$funcstack[1]\" = _lastbit ]; then\n"
                     "    _lastbit \"$@\"\n"
                     "else\n"
                     "    compdef _lastbit lastbit\n"
                     "fi\n");
}

/* ---- fish ---- */

static void put_fish_text(lb_doc *doc, const char *text)
{
    lb_doc_char(doc, '\'');
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            lb_doc_char(doc, '\\');
        lb_doc_char(doc, *text);
    }
    lb_doc_char(doc, '\'');
}

/* The variable is looked at when a line is completed. */
static void put_fish_offered(lb_doc *doc, lb_offer offers)
{
    const char *variable = variable_of(offers);
    lb_doc_printf(doc, "'%s%s'", variable ? "$__lastbit_" : "", variable ? variable : "");
}

static void put_fish_case(lb_doc *doc, const lb_command *c)
{
    lb_option_walk options = {0};
    const lb_option *option;
    for (size_t i = 0; c->commands && c->commands[i]; i++) {
        lb_doc_printf(doc, "complete -c lastbit -f -n '__lastbit_at \"%s\"' -a %s -d ", c->name,
                      lb_command_word(c->commands[i]));
        put_fish_text(doc, c->commands[i]->summary);
        lb_doc_char(doc, '\n');
    }
    while ((option = lb_option_next(c, &options)) != NULL) {
        lb_doc_printf(doc, "complete -c lastbit -n '__lastbit_at \"%s\"' -l %s", c->name,
                      option->name);
        if (option->letter)
            lb_doc_printf(doc, " -s %c", option->letter);
        if (option->choices) {
            lb_doc_puts(doc, " -x -a '");
            put_choices(doc, option->choices);
            lb_doc_char(doc, '\'');
        } else if (option->kind != LB_FLAG && is_file(offer_of(option))) {
            lb_doc_puts(doc, " -r");
        } else if (option->kind != LB_FLAG) {
            lb_doc_puts(doc, " -x -a ");
            put_fish_offered(doc, offer_of(option));
        }
        lb_doc_puts(doc, " -d ");
        put_fish_text(doc, option->help);
        lb_doc_char(doc, '\n');
    }
    if (offer_of_operand(c) != LB_OFFER_FILES) {
        lb_doc_printf(doc, "complete -c lastbit %s-n '__lastbit_at \"%s\"' -a ",
                      offer_of_operand(c) == LB_OFFER_SUITES ? "" : "-f ", c->name);
        put_fish_offered(doc, offer_of_operand(c));
        lb_doc_char(doc, '\n');
    }
}

static void put_fish(lb_doc *doc)
{
    lb_doc_puts(doc, "# fish completion for lastbit\n");
    put_lists(doc, "set -g __lastbit_", " ", "\n");
    lb_doc_puts(doc, "# Is the command line so far that of this command?\n"
                     "function __lastbit_at\n"
                     "    set -l command\n"
                     "    for word in (commandline -opc)[2..-1]\n"
                     "        switch \"$command $word\"\n");
    for (size_t i = 0; lb_lastbit.commands[i]; i++) {
        const lb_command *c = lb_lastbit.commands[i];
        lb_doc_printf(doc, "            case ' %s'\n                set command '%s'\n", c->name,
                      c->name);
        for (size_t j = 0; c->commands && c->commands[j]; j++)
            lb_doc_printf(doc, "            case '%s'\n                set command '%s'\n",
                          c->commands[j]->name, c->commands[j]->name);
    }
    lb_doc_puts(doc, "        end\n"
                     "    end\n"
                     "    test \"$command\" = \"$argv[1]\"\n"
                     "end\n");
    walk(doc, &lb_lastbit, put_fish_case);
}

/* ---- The command ---- */

static const char *const shells[] = {"bash", "zsh", "fish", NULL};

static int completion(int argc, char **argv)
{
    static void (*const put[])(lb_doc * doc) = {put_bash, put_zsh, put_fish};
    lb_arguments shell;
    int status;
    if (!lb_options_parse(&lb_completion_command, argc, argv, NULL, &shell, &status))
        return status;
    for (size_t i = 0; shells[i]; i++)
        if (strcmp(shells[i], shell.items[0]) == 0) {
            lb_doc doc = lb_doc_make();
            put[i](&doc);
            bool good = lb_doc_flush(&doc, stdout) && fflush(stdout) == 0;
            lb_doc_free(&doc);
            status = good ? 0 : 3;
        }
    return status;
}

const lb_command lb_completion_command = {
    .name = "completion",
    .summary = "write the script by which a shell completes command lines",
    .about = "Writes the script that bash, zsh or fish needs to complete commands, options and "
             "their choices. An installed lastbit has it in place.",
    .operand = {.name = "SHELL", "bash, zsh or fish", 1, 1, shells, .offers = LB_OFFER_NOTHING},
    .statuses = {"done", NULL, "the command line is wrong", "it cannot be written"},
    .examples = "eval \"$(lastbit completion bash)\"\n"
                "lastbit completion zsh >~/.zfunc/_lastbit\n"
                "lastbit completion fish >~/.config/fish/completions/lastbit.fish",
    .run = completion};
