/* Commands and their options, told once: from these tables the command line is read, and messages,
 * help, manual pages and completions are written. */
#ifndef LB_HARNESS_BASE_OPTIONS_H
#define LB_HARNESS_BASE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { LB_LIST_MAX = 256, LB_MAX_GROUPS = 24, LB_MAX_STATUS = 4 };

typedef enum lb_option_kind {
    LB_FLAG,    /* bool: becomes true */
    LB_TEXT,    /* const char * */
    LB_NUMBER,  /* an unsigned integer of 4 or 8 bytes, from low to high */
    LB_SECONDS, /* double: above 0, at most high */
    LB_PERCENT, /* double: from 0 to high */
    LB_BYTES,   /* size_t: 65536, 64K, 2M; from 1 to below 2 GiB */
    LB_CHOICE,  /* an enum: the place of the word in `choices` */
    LB_WORD,    /* const char *: one of `choices` */
    LB_LIST,    /* lb_list: may be given several times */
    LB_CALLBACK /* whatever `take` makes of it */
} lb_option_kind;

/* What a shell offers where nothing else is told. */
typedef enum lb_offer {
    LB_OFFER_FILES,
    LB_OFFER_SUITES, /* files, and "vectors/..." of those that are installed */
    LB_OFFER_FUNCTIONS,
    LB_OFFER_SECTIONS,
    LB_OFFER_NOTHING
} lb_offer;

/* Words of the command line that are not copied. */
typedef struct lb_list {
    size_t count;
    const char *items[LB_LIST_MAX];
} lb_list;

/* Reads the value of an option into `into`. False: told (lb_usage_error). */
typedef bool (*lb_option_take)(const char *command, const char *value, void *into);

typedef struct lb_option {
    const char *name;
    char letter; /* 0: none */
    lb_option_kind kind;
    const char *argument;       /* its name in the help: "FILE" */
    size_t offset, bytes;       /* of where the value goes: LB_INTO(type, member) */
    size_t given;               /* of a bool that becomes true: LB_GIVEN(type, member); 0: none */
    unsigned long low, high;    /* of numbers; high 0: no limit */
    const char *const *choices; /* ended by NULL; of texts: words that a shell may offer */
    const char *otherwise;      /* the value where it may be left out: --unpack[=TYPE] */
    lb_option_take take;
    const char *help;
    bool reads; /* LB_TEXT: the name of a file to be read, see lb_input_path */
    lb_offer offers;
} lb_option;

#define LB_INTO(type, member)                                                                      \
    .offset = offsetof(type, member), .bytes = sizeof(((type *)NULL)->member)
#define LB_GIVEN(type, member) .given = offsetof(type, member) + 1

/* A table of options, ended by a name of NULL, and where its values go in the command's struct. A
 * table that several commands include stands in each with an offset of its own. */
typedef struct lb_option_group {
    const lb_option *options;
    size_t offset;
    const char *title; /* a heading in the help; NULL: goes on under the one before */
} lb_option_group;

/* What stands behind the options. */
typedef struct lb_arguments {
    char *const *items;
    size_t count;
} lb_arguments;

typedef struct lb_operand_kind {
    const char *name, *help;    /* "PATH", "a suite or a folder"; NULL: the command takes none */
    size_t least, most;         /* most 0: no limit */
    const char *const *choices; /* what each may be; with least 0: what a shell may offer */
    bool reads;                 /* names of files to be read, see lb_input_paths */
    lb_offer offers;
} lb_operand_kind;

typedef struct lb_command {
    const char *name;    /* in full, behind "lastbit": "vectors check" */
    const char *summary; /* one line */
    const char *usage; /* what follows the name, a line for each form; NULL: made from the table */
    const char *about; /* paragraphs; lines that begin with a blank stay as they are */
    lb_option_group groups[LB_MAX_GROUPS];
    lb_operand_kind operand;
    const char *statuses[LB_MAX_STATUS + 1];  /* what an exit status means; NULL: does not occur */
    const char *after;                        /* what else is to be known, after the statuses */
    const char *examples;                     /* a line each */
    int (*run)(int argc, char **argv);        /* argv[0] is the last word of the name */
    const struct lb_command *const *commands; /* behind this one's name; ended by NULL */
    const char *const *headings; /* over the commands: heading, name of the first under it, ... */
} lb_command;

/* Reads a command line into the struct that the tables speak of. False: *status is the exit status,
 * after help or a message. */
bool lb_options_parse(const lb_command *command, int argc, char **argv, void *into,
                      lb_arguments *operands, int *status);

/* Runs the command, or the one behind it that argv[1] names; gives the exit status. */
int lb_command_call(const lb_command *command, int argc, char **argv);

/* The last word of its name. */
const char *lb_command_word(const lb_command *command);

/* The command of these words, below `command`; NULL: told. */
const lb_command *lb_command_find(const lb_command *command, int count, char *const *words);

/* The help of a command, in lines of at most 80 characters. */
void lb_command_help(const lb_command *command, FILE *out);

/* After help: 0, or 3 if standard output is gone. */
int lb_help_status(void);

/* The usage lines of a command, without its name: "[OPTION...] PATH...". Gives the length; 0: no
 * more lines. */
size_t lb_command_usage(const lb_command *command, size_t index, char *line, size_t bytes);

/* All options in turn: the table's, then --help. False: there are no more. */
typedef struct lb_option_walk {
    size_t group, option;
    const char *title; /* of the group, at its first option */
} lb_option_walk;
const lb_option *lb_option_next(const lb_command *command, lb_option_walk *walk);

#endif
