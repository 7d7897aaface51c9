/* A suite file: checked whole, then read case by case, in constant memory where the format allows
 * it (JSON Lines). */
#ifndef LB_HARNESS_SUITE_SUITE_H
#define LB_HARNESS_SUITE_SUITE_H

#include "harness/json/diagnostics.h"
#include "harness/suite/case.h"
#include "harness/suite/companions.h"
#include "harness/suite/suite_level.h"

typedef struct lb_suite lb_suite;

/* Reads and checks a whole file (.json, .jsonl, .yaml, .yml; "-": standard input, whose format its
 * first bytes tell): every rule of the format, unique ids.
 * Problems go to `diagnostics`. Gives NULL if there was any. JSON and YAML cases are kept in
 * memory; of JSON Lines only the place of each block of lines. */
lb_suite *lb_suite_open(const char *path, lb_diagnostics *diagnostics);
/* The same for a run of the cases of a level and below it. Cases of JSON Lines are kept too as long
 * as they fit into *room bytes, which become fewer: whoever reads them soon need not read the file
 * again. Of cases of JSON Lines above `most` the line is held to the rules of JSON, and its id,
 * function and tags to those of the format; the rest when the case is read. */
lb_suite *lb_suite_open_kept(const char *path, size_t *room, lb_level most,
                             lb_diagnostics *diagnostics);
/* The same as lb_suite_open of a suite whose files lie elsewhere than it says; `moved` outlives the
 * suite. */
lb_suite *lb_suite_open_moved(const char *path, const lb_moved_file *moved, size_t moved_count,
                              lb_diagnostics *diagnostics);
void lb_suite_close(lb_suite *suite);

/* One case as it stands on a line of a JSON Lines suite, held to every rule of the format. False:
 * it breaks one; nothing is reported. */
bool lb_case_from_json(const char *text, size_t length, lb_arena *arena, lb_case *c);
/* The same as line number `line` of a file: what is wrong is told. */
bool lb_case_from_line(const char *text, size_t length, const char *file, unsigned line,
                       lb_diagnostics *diagnostics, lb_arena *arena, lb_case *c);
/* The same of a case whose configuration is to be made of its encodings (FORMAT.md). */
bool lb_prepared_case_from_line(const char *text, size_t length, const char *file, unsigned line,
                                lb_diagnostics *diagnostics, lb_arena *arena, lb_case *c);

/* A suite without a file: its cases are made when they are asked for. `make` fills *c with case
 * `index` (0 .. count-1), the same every time; what it points at lives in the arena or as long as
 * `user`. `command` stands where a file's path would, and is what reproduces a case: "lastbit
 * COMMAND
 * --case ID". The digest is that of `described`, which tells all that the cases depend on. `sets`
 * as lb_suite_sets. */
typedef void (*lb_make_case_fn)(void *user, size_t index, lb_arena *arena, lb_case *c);
lb_suite *lb_suite_made(const char *name, const char *command, const char *described, size_t count,
                        unsigned sets, lb_make_case_fn make, void *user);

const char *lb_suite_path(const lb_suite *suite);   /* as given */
const char *lb_suite_name(const lb_suite *suite);   /* the key "suite" */
const char *lb_suite_sha256(const lb_suite *suite); /* of the file's bytes, 64 hex digits */
/* Does the file system say that nobody has written to the file since it was checked? False: its
 * bytes must be looked at. */
bool lb_suite_is_untouched(const lb_suite *suite);
const char *
lb_suite_command(const lb_suite *suite); /* of a suite that is made; NULL: it is a file */
size_t lb_suite_case_count(const lb_suite *suite);
/* Kernel sets whose functions its cases call: bit s is the lb_set s. */
unsigned lb_suite_sets(const lb_suite *suite);
/* Is any case fed by another? */
bool lb_suite_has_layers(const lb_suite *suite);
/* Is the case certain to be above the level? Told without a look at the file. */
bool lb_suite_case_is_above(const lb_suite *suite, size_t index, lb_level level);
/* Files that its cases name, each once. */
size_t lb_suite_companion_count(const lb_suite *suite);
const lb_companion *lb_suite_companion(const lb_suite *suite, size_t index);

/* A reader of its own per worker process: cases in order, from any index. */
typedef struct lb_suite_reader lb_suite_reader;
lb_suite_reader *lb_suite_reader_open(const lb_suite *suite);
/* Case `index` (0 .. count-1); valid until the next call or close. NULL only if the file changed
 * under us (message in diagnostics). */
const lb_case *lb_suite_reader_case(lb_suite_reader *reader, size_t index,
                                    lb_diagnostics *diagnostics);
void lb_suite_reader_close(lb_suite_reader *reader);

/* Suite files under the paths, in order and each once: files as given, folders recursively in byte
 * order of their names (in folders, names with a dot in front, *.schema.json, and files that say
 * they are another lastbit file are passed over). "vectors" and what begins with "vectors/" are the
 * installed suites where the current folder has nothing of that name. A path that does not exist,
 * is not readable, or a folder without a suite file is a problem. The list and its strings belong
 * to the caller (lb_paths_free). */
typedef struct lb_paths {
    char **items;
    size_t count;
} lb_paths;
bool lb_paths_collect(char *const *arguments, size_t argument_count, lb_paths *paths,
                      lb_diagnostics *diagnostics);
void lb_paths_free(lb_paths *paths);

#endif
