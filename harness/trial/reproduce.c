/* Lines that make a case again: see reproduce.h. */
#include "harness/trial/reproduce.h"
#include "harness/call/call_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Words ---- */

static bool is_control(char c)
{
    unsigned char byte = (unsigned char)c;
    return (byte < 0x20 && byte != '\n') || byte == 0x7F;
}

/* A byte within single quotes. Those are left for what cannot stand in them; a control character
 * must not reach the terminal that shows the line, so the shell makes it. */
static void put_quoted(lb_doc *doc, char c)
{
    if (c == '\'')
        lb_doc_puts(doc, "'\\''");
    else if (is_control(c))
        lb_doc_printf(doc, "'\"$(printf '\\%03o')\"'", (unsigned)(unsigned char)c);
    else
        lb_doc_char(doc, c);
}

void lb_put_shell_word(lb_doc *doc, const char *text)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+:,@%=";
    size_t length = strlen(text);
    if (length > 0 && strspn(text, plain) == length) {
        lb_doc_puts(doc, text);
        return;
    }
    lb_doc_char(doc, '\'');
    for (; *text; text++)
        put_quoted(doc, *text);
    lb_doc_char(doc, '\'');
}

void lb_put_shell_command(lb_doc *doc, const char *name, int argc, char *const *argv)
{
    lb_doc_puts(doc, name);
    for (int i = 0; i < argc; i++) {
        lb_doc_char(doc, ' ');
        lb_put_shell_word(doc, argv[i]);
    }
}

/* ---- Options ---- */

static void put_option(lb_doc *doc, const char *option, const char *value)
{
    lb_doc_char(doc, ' ');
    lb_doc_puts(doc, option);
    if (!value)
        return;
    lb_doc_char(doc, ' ');
    lb_put_shell_word(doc, value);
}

/* In as few digits as give the same number back. */
static void put_time_limit(lb_doc *doc, double seconds)
{
    char text[40];
    if (seconds == 0 || seconds == LB_TIME_LIMIT_SECONDS)
        return;
    for (int digits = 6; digits <= 17; digits++) {
        lb_doc number = lb_doc_in(text, sizeof text - 1);
        lb_doc_double(&number, seconds, digits, "");
        text[number.length] = '\0';
        if (strtod(text, NULL) == seconds)
            break;
    }
    put_option(doc, "--time-limit", text);
}

/* What the call itself depends on. */
static void put_call_options(lb_doc *doc, const lb_reproduce *run)
{
    if (run->port && strcmp(run->port, "builtin") != 0)
        put_option(doc, "--port", run->port);
    if (run->cpu)
        put_option(doc, "--cpu", run->cpu);
    if (run->misalign) {
        char option[32];
        snprintf(option, sizeof option, "--misalign=%u",
                 run->misalign == LB_ALIGNED ? 0 : run->misalign);
        put_option(doc, option, NULL);
    }
    put_time_limit(doc, run->time_limit_seconds);
}

static void put_seed(lb_doc *doc, unsigned long seed)
{
    char text[24];
    snprintf(text, sizeof text, "%lu", seed);
    if (seed != 0)
        put_option(doc, "--seed", text);
}

/* And what its verdict depends on. */
static void put_judging_options(lb_doc *doc, const lb_reproduce *run)
{
    put_seed(doc, run->seed);
    if (run->feed)
        put_option(doc, "--feed", run->feed);
    if (run->guard_error)
        put_option(doc, "--guard", "error");
    if (run->judge_tolerance)
        put_option(doc, "--judge", "tolerance");
    if (run->tolerance)
        put_option(doc, "--tolerance", run->tolerance);
}

/* ---- The case ---- */

/* A name that begins like an option is no option. */
static void put_file(lb_doc *doc, const char *file)
{
    lb_doc_puts(doc, file[0] == '-' && file[1] ? " ./" : " "); /* "-" is standard input */
    lb_put_shell_word(doc, file);
}

/* An id as a pattern that matches it alone: the pattern characters are escaped. */
static void put_case(lb_doc *doc, const char *id)
{
    lb_doc pattern = lb_doc_make();
    for (; *id; id++) {
        if (strchr("*?[\\", *id))
            lb_doc_char(&pattern, '\\');
        lb_doc_char(&pattern, *id);
    }
    lb_doc_char(&pattern, '\0');
    if (pattern.failed)
        doc->failed = true;
    else
        put_option(doc, "--case", pattern.text);
    lb_doc_free(&pattern);
}

void lb_put_reproduce(lb_doc *doc, const lb_reproduce *run, const lb_reproduce_case *c)
{
    lb_doc_puts(doc, "lastbit ");
    lb_doc_puts(doc, c->is_made ? c->file : "run");
    put_call_options(doc, run);
    put_judging_options(doc, run);
    if (!c->is_made)
        put_file(doc, c->file);
    put_case(doc, c->id);
    put_option(doc, "--profile", c->profiles);
}

void lb_put_explain(lb_doc *doc, const lb_reproduce *run, const lb_reproduce_case *c,
                    const char *role, const char *index)
{
    lb_doc_puts(doc, "lastbit explain");
    put_call_options(doc, run);
    put_file(doc, c->file);
    put_case(doc, c->id);
    put_option(doc, "--profile", c->profiles);
    if (strcmp(role, "out") != 0)
        put_option(doc, "--role", role);
    if (index[0])
        put_option(doc, "--index", index);
}
