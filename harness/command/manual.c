/* lastbit manual: manual pages, made from the tables of the commands. */
#include "harness/base/command_line.h"
#include "harness/command/commands.h"

#include "reports/doc.h"

#include <errno.h>
#include <string.h>

/* ---- Words to roff ---- */

static void put(lb_doc *doc, const char *text, size_t length)
{
    static const char special[] = "\\-'`^~";
    static const char *const escapes[] = {"\\e", "\\-", "\\(aq", "\\(ga", "\\(ha", "\\(ti"};
    for (size_t i = 0; i < length; i++) {
        const char *found = strchr(special, text[i]);
        if (text[i] == '.' && (i == 0 || text[i - 1] == '\n'))
            lb_doc_puts(doc, "\\&");
        if (found)
            lb_doc_puts(doc, escapes[found - special]);
        else
            lb_doc_char(doc, text[i]);
    }
}

static void puts_plain(lb_doc *doc, const char *text)
{
    put(doc, text, strlen(text));
}

/* Words on one line. */
static void put_sentence(lb_doc *doc, const char *text)
{
    puts_plain(doc, text);
    lb_doc_char(doc, '\n');
}

/* Lines as they stand, where they begin with a blank; paragraphs otherwise. `first`: the heading
 * above has opened a paragraph. */
static void put_paragraphs(lb_doc *doc, const char *text)
{
    bool as_is = false, first = true;
    for (size_t length; *text; text += length + (text[length] == '\n')) {
        length = strcspn(text, "\n");
        bool indented = *text == ' ';
        if (indented != as_is)
            lb_doc_puts(doc, indented ? ".PP\n.nf\n" : ".fi\n.PP\n");
        else if (length == 0 && !first)
            lb_doc_puts(doc, as_is ? "\n" : ".PP\n");
        as_is = indented;
        if (length == 0)
            continue;
        put(doc, text, length);
        lb_doc_char(doc, '\n');
        first = false;
    }
    if (as_is)
        lb_doc_puts(doc, ".fi\n");
}

/* ---- A page ---- */

/* "lastbit-vectors-check" */
static void page_name(const lb_command *c, char *name, size_t bytes)
{
    snprintf(name, bytes, "lastbit%s%s", *c->name ? "-" : "", c->name);
    for (char *at = name; *at; at++)
        if (*at == ' ')
            *at = '-';
}

static void put_reference(lb_doc *doc, const lb_command *c)
{
    char name[80];
    page_name(c, name, sizeof name);
    lb_doc_puts(doc, "\\fB");
    puts_plain(doc, name);
    lb_doc_puts(doc, "\\fR(1)");
}

static void put_synopsis(lb_doc *doc, const lb_command *c)
{
    char line[400];
    lb_doc_puts(doc, ".SH SYNOPSIS\n");
    for (size_t i = 0; lb_command_usage(c, i, line, sizeof line) > 0; i++) {
        lb_doc_puts(doc, i ? ".br\n\\fBlastbit" : "\\fBlastbit");
        lb_doc_puts(doc, *c->name ? " " : "");
        puts_plain(doc, c->name);
        lb_doc_puts(doc, "\\fR ");
        put_sentence(doc, line);
    }
}

static void put_options(lb_doc *doc, const lb_command *c)
{
    lb_option_walk walk = {0};
    const lb_option *option;
    lb_doc_puts(doc, ".SH OPTIONS\n");
    while ((option = lb_option_next(c, &walk)) != NULL) {
        if (walk.title) {
            lb_doc_puts(doc, ".SS ");
            put_sentence(doc, walk.title);
        }
        lb_doc_puts(doc, ".TP\n\\fB");
        if (option->letter)
            lb_doc_printf(doc, "\\-%c\\fR, \\fB", option->letter);
        lb_doc_puts(doc, "\\-\\-");
        puts_plain(doc, option->name);
        lb_doc_puts(doc, "\\fR");
        lb_doc_puts(doc, option->otherwise ? "[=" : option->argument ? " " : "");
        if (option->argument) {
            lb_doc_puts(doc, "\\fI");
            puts_plain(doc, option->argument);
            lb_doc_puts(doc, "\\fR");
        }
        lb_doc_puts(doc, option->otherwise ? "]\n" : "\n");
        put_sentence(doc, option->help);
    }
}

static void put_commands(lb_doc *doc, const lb_command *c)
{
    lb_doc_puts(doc, ".SH COMMANDS\n");
    for (size_t i = 0; c->commands[i]; i++) {
        lb_doc_puts(doc, ".TP\n");
        put_reference(doc, c->commands[i]);
        lb_doc_char(doc, '\n');
        put_sentence(doc, c->commands[i]->summary);
    }
}

static void put_end(lb_doc *doc, const lb_command *c)
{
    lb_doc_puts(doc, ".SH \"EXIT STATUS\"\n");
    for (int i = 0; i <= LB_MAX_STATUS; i++)
        if (c->statuses[i]) {
            lb_doc_printf(doc, ".TP\n%d\n", i);
            put_sentence(doc, c->statuses[i]);
        }
    if (c->after) {
        lb_doc_puts(doc, ".SH NOTES\n");
        put_paragraphs(doc, c->after);
    }
    if (c->examples) {
        lb_doc_puts(doc, ".SH EXAMPLES\n.nf\n");
        puts_plain(doc, c->examples);
        lb_doc_puts(doc, "\n.fi\n");
    }
}

static void put_page(lb_doc *doc, const lb_command *c, const lb_command *above)
{
    char name[80];
    page_name(c, name, sizeof name);
    lb_doc_puts(doc, ".TH \"");
    for (const char *at = name; *at; at++)
        lb_doc_char(doc, *at >= 'a' && *at <= 'z' ? (char)(*at - 'a' + 'A') : *at);
    lb_doc_printf(doc, "\" \"1\" \"%s\" \"lastbit %s\" \"User Commands\"\n.SH NAME\n", LASTBIT_DATE,
                  lb_version());
    puts_plain(doc, name);
    lb_doc_puts(doc, " \\- ");
    put_sentence(doc, c->summary);
    put_synopsis(doc, c);
    lb_doc_puts(doc, ".SH DESCRIPTION\n");
    put_paragraphs(doc, c->about);
    if (c->commands)
        put_commands(doc, c);
    if (c->operand.name) {
        lb_doc_puts(doc, ".SH ARGUMENTS\n.TP\n\\fI");
        puts_plain(doc, c->operand.name);
        lb_doc_puts(doc, "\\fR\n");
        put_sentence(doc, c->operand.help);
    }
    put_options(doc, c);
    put_end(doc, c);
    if (above) {
        lb_doc_puts(doc, ".SH \"SEE ALSO\"\n");
        put_reference(doc, above);
        lb_doc_char(doc, '\n');
    }
}

/* ---- All pages ---- */

static bool write_page(const char *folder, const lb_command *c, const lb_command *above)
{
    char name[80], path[4096];
    lb_doc doc = lb_doc_make();
    page_name(c, name, sizeof name);
    snprintf(path, sizeof path, "%.4000s/%s.1", folder, name);
    put_page(&doc, c, above);
    FILE *out = fopen(path, "w");
    bool good = out && lb_doc_flush(&doc, out);
    good = out && fclose(out) == 0 && good;
    if (!good)
        fprintf(stderr, "lastbit manual: %s: %s\n", path, strerror(errno));
    lb_doc_free(&doc);
    for (size_t i = 0; good && c->commands && c->commands[i]; i++)
        good = write_page(folder, c->commands[i], c);
    return good;
}

typedef struct options {
    const char *folder;
} options;

static int manual(int argc, char **argv)
{
    options o = {NULL};
    lb_arguments words;
    int status;
    if (!lb_options_parse(&lb_manual_command, argc, argv, &o, &words, &status))
        return status;
    if (o.folder)
        return write_page(o.folder, &lb_lastbit, NULL) ? 0 : 3;
    const lb_command *found = lb_command_find(&lb_lastbit, (int)words.count, words.items);
    const lb_command *above =
        words.count > 0 ? lb_command_find(&lb_lastbit, (int)words.count - 1, words.items) : NULL;
    if (!found)
        return status;
    lb_doc doc = lb_doc_make();
    put_page(&doc, found, above);
    bool good = lb_doc_flush(&doc, stdout);
    lb_doc_free(&doc);
    return good && fflush(stdout) == 0 ? 0 : 3;
}

static const lb_option table[] = {
    {"output", 'o', LB_TEXT, "DIR", LB_INTO(options, folder),
     .help = "write the pages of all commands there: lastbit.1, lastbit-run.1, ..."},
    {.name = NULL}};

const lb_command lb_manual_command = {
    .name = "manual",
    .summary = "write manual pages",
    .usage = "[COMMAND...]\n--output DIR",
    .about = "Writes the manual page of a command, as \"man -l -\" reads it, or all pages.",
    .groups = {{table, 0, NULL}},
    .operand = {.name = "COMMAND", "the words of a command; none: lastbit itself", 0, 0, NULL},
    .statuses = {"done", NULL, "the command line is wrong", "a page cannot be written"},
    .examples = "lastbit manual vectors check | man -l -\n"
                "lastbit manual --output /usr/local/share/man/man1",
    .run = manual};
