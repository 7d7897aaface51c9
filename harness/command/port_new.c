/* lastbit port new: a folder with a starting port. */
#include "harness/base/command_line.h"
#include "harness/base/installed.h"
#include "harness/base/xalloc.h"
#include "harness/command/commands.h"
#include "harness/command/port_scaffold.h"
#include "harness/trial/reproduce.h"

#include "reports/doc.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct options {
    bool mli, native, litert, agent, bare_metal;
    const char *cmsis_nn; /* a checkout; NULL: none */
    lb_list include_dirs, libraries;
    const char *folder;
    char name[64]; /* of the port: an identifier */
} options;

/* The folder that a path lies in; false: the current one. */
static bool name_parent(const char *path, char *parent, size_t bytes)
{
    size_t length = strlen(path);
    while (length > 0 && path[length - 1] == '/')
        length--;
    while (length > 0 && path[length - 1] != '/')
        length--;
    snprintf(parent, bytes, "%.*s", (int)length, path);
    return length > 0;
}

static bool make_folder(const char *path)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return true;
    char parent[PATH_MAX];
    int error = errno;
    bool is_lone = !name_parent(path, parent, sizeof parent) || access(parent, F_OK) == 0;
    if (error == ENOENT && !is_lone)
        fprintf(stderr,
                "lastbit: %s: expected a name in a folder that exists; make this one first: "
                "mkdir -p %s\n",
                path, parent);
    else
        fprintf(stderr, "lastbit: %s: %s\n", path, strerror(error));
    return false;
}

/* Makes the folder; one that is there must be empty. */
static bool make_empty_folder(const char *path)
{
    unsigned entries = 0;
    if (!make_folder(path))
        return false;
    DIR *folder = opendir(path);
    if (!folder)
        return fprintf(stderr, "lastbit: %s: %s\n", path, strerror(errno)), false;
    while (readdir(folder))
        entries++;
    closedir(folder);
    if (entries > 2) /* itself and the one above */
        return fprintf(
                   stderr,
                   "lastbit: %s: is not empty; expected a folder that is, or that does not exist\n",
                   path),
               false;
    return true;
}

/* ---- Files ---- */

/* What stands in files for something else. */
typedef struct replacement {
    const char *from, *to;
} replacement;

static void put_replaced(lb_doc *doc, const lb_scaffold_file *file, const replacement *list)
{
    const char *at = (const char *)file->bytes, *end = at + file->count;
    while (at < end) {
        const replacement *r = list;
        while (r->from &&
               ((size_t)(end - at) < strlen(r->from) || memcmp(at, r->from, strlen(r->from)) != 0))
            r++;
        if (r->from)
            lb_doc_puts(doc, r->to);
        else
            lb_doc_char(doc, *at);
        at += r->from ? strlen(r->from) : 1;
    }
}

static bool write_file(const options *o, const char *name, const lb_scaffold_file *file,
                       const replacement *list)
{
    static const replacement none = {NULL, NULL};
    char path[PATH_MAX];
    lb_doc doc = lb_doc_make();
    if (snprintf(path, sizeof path, "%s/%s", o->folder, name) >= (int)sizeof path)
        return fprintf(stderr, "lastbit: %s: the name is too long\n", o->folder), false;
    put_replaced(&doc, file, strncmp(name, "kit/", 4) == 0 ? &none : list);
    FILE *out = fopen(path, "wb");
    bool good = out && lb_doc_flush(&doc, out);
    good = out && fclose(out) == 0 && good;
    if (!good)
        fprintf(stderr, "lastbit: %s: %s\n", path, strerror(errno));
    lb_doc_free(&doc);
    return good;
}

static bool is_of_litert(const options *o)
{
    return o->litert || o->cmsis_nn;
}

/* The kit, and the files of the kind: "native/kernels.c" becomes "kernels.c". */
static bool write_files(const options *o, const replacement *list)
{
    const char *kind = o->native       ? "native/"
                       : o->litert     ? "litert/"
                       : o->cmsis_nn   ? "cmsis_nn/"
                       : o->bare_metal ? "bare/"
                                       : "mli/";
    char inner[PATH_MAX];
    for (int i = 0; i < 2; i++) {
        snprintf(inner, sizeof inner, "%s/%s", o->folder, i ? "board" : "kit");
        if ((i == 0 || o->bare_metal) && !make_folder(inner))
            return false;
    }
    for (const lb_scaffold_file *file = lb_scaffold_files; file->name; file++) {
        bool is_kit = strncmp(file->name, "kit/", 4) == 0;
        bool is_kind = strncmp(file->name, kind, strlen(kind)) == 0;
        if ((is_kit || is_kind) &&
            !write_file(o, file->name + (is_kind ? strlen(kind) : 0), file, list))
            return false;
    }
    return true;
}

/* ---- Names and places ---- */

/* The last part of the folder, as an identifier of C and a target of CMake. */
static bool name_port(options *o)
{
    char copy[PATH_MAX];
    size_t length = (size_t)snprintf(copy, sizeof copy, "%.*s", PATH_MAX - 1, o->folder);
    while (length > 1 && copy[length - 1] == '/')
        copy[--length] = '\0';
    const char *base = strrchr(copy, '/') ? strrchr(copy, '/') + 1 : copy;
    size_t to = 0;
    for (; base[to] && to + 1 < sizeof o->name; to++)
        o->name[to] = isalnum((unsigned char)base[to]) ? base[to] : '_';
    o->name[to] = '\0';
    if (isalpha((unsigned char)o->name[0]))
        return true;
    lb_usage_error("port new", "%s: expected a name that begins with a letter: the port's",
                   o->folder);
    return false;
}

/* Real paths with ";" between them, as CMake reads lists. A library may be a name for the linker.
 * NULL: told. */
static char *join(const lb_list *list, const char *option, bool may_be_name)
{
    lb_doc doc = lb_doc_make();
    for (size_t i = 0; i < list->count; i++) {
        char path[PATH_MAX];
        bool is_name = may_be_name && !strchr(list->items[i], '/') && !strchr(list->items[i], '.');
        if (!is_name && !realpath(list->items[i], path)) {
            lb_usage_error("port new", "--%s %s: %s", option, list->items[i], strerror(errno));
            lb_doc_free(&doc);
            return NULL;
        }
        lb_doc_printf(&doc, "%s%s", i ? ";" : "", is_name ? list->items[i] : path);
    }
    lb_doc_bytes(&doc, "", 1);
    return doc.text;
}

static bool is_in_path(const char *program, char *found, size_t bytes)
{
    const char *path = getenv("PATH");
    for (const char *at = path ? path : ""; *at; at += *at == ':') {
        size_t length = strcspn(at, ":");
        snprintf(found, bytes, "%.*s/%s", (int)length, at, program);
        if (access(found, X_OK) == 0)
            return true;
        at += length;
    }
    return false;
}

/* What starts this program: its name, if the shell finds it by that. */
static void name_program(char *name, size_t bytes)
{
    char found[PATH_MAX], real[PATH_MAX], self[PATH_MAX];
    bool known = realpath("/proc/self/exe", self) != NULL;
    if (known && is_in_path("lastbit", found, sizeof found) && realpath(found, real) &&
        strcmp(real, self) == 0)
        known = false;
    snprintf(name, bytes, "%s", known ? self : "lastbit");
}

/* ---- The command ---- */

/* --port of the next command: what it names, quoted for the shell that reads the line; an agent's
 * command is read by another shell when it is started. */
static void put_port(lb_doc *doc, const options *o, const char *folder)
{
    lb_doc command = lb_doc_make();
    if (o->bare_metal) {
        lb_doc_printf(doc, "\"exec:$(cat %s/emulator) %s/build/%s.elf\"", folder, folder, o->name);
    } else if (o->agent) {
        lb_doc_printf(&command, "exec:%s%s/build/%s_agent", *o->folder == '/' ? "" : "./", folder,
                      o->name);
        lb_doc_char(&command, '\0');
        lb_put_shell_word(doc, command.text);
    } else {
        lb_doc_printf(doc, "%s/build/lib%s.so", folder, o->name);
    }
    lb_doc_free(&command);
}

static char *quoted(const char *word)
{
    lb_doc doc = lb_doc_make();
    lb_put_shell_word(&doc, word);
    lb_doc_char(&doc, '\0');
    return doc.text;
}

static void print_next(const options *o)
{
    char program[PATH_MAX], found[PATH_MAX], suites[PATH_MAX];
    name_program(program, sizeof program);
    char *f = quoted(o->folder), *lastbit = quoted(program);
    bool ninja =
        !is_in_path("make", found, sizeof found) && is_in_path("ninja", found, sizeof found);
    bool installed = lb_installed("vectors", "cases.schema.json", suites, sizeof suites);
    lb_doc doc = lb_doc_make();
    lb_doc_printf(&doc, "%s: a starting port. Next:\n", o->folder);
    lb_doc_printf(&doc, "  cmake %s-S %s -B %s/build%s && cmake --build %s/build\n",
                  ninja ? "-G Ninja " : "", f, f,
                  o->bare_metal
                      ? " -DCMAKE_TOOLCHAIN_FILE=toolchain.cmake -DCMAKE_BUILD_TYPE=MinSizeRel"
                      : "",
                  f);
    lb_doc_printf(&doc, "  %s run --port ", lastbit);
    put_port(&doc, o, f);
    lb_doc_printf(&doc, "%s\n%s/README.md tells how it goes on.\n",
                  is_of_litert(o) ? " vectors/litert"
                  : installed     ? ""
                                  : " SUITES",
                  o->folder);
    lb_doc_flush(&doc, stdout);
    lb_doc_free(&doc);
    free(f);
    free(lastbit);
}

/* The real path of the checkout. False: there is none (told). */
static bool find_checkout(const options *o, char path[PATH_MAX])
{
    static const char header[] = "Include/arm_nnfunctions.h";
    char file[PATH_MAX + sizeof header];
    bool is_there = realpath(o->cmsis_nn, path) != NULL;
    if (is_there) {
        snprintf(file, sizeof file, "%s/%s", path, header);
        is_there = access(file, R_OK) == 0;
    }
    if (!is_there)
        lb_usage_error("port new", "--cmsis-nn %s: %s: expected a checkout, with %s in it",
                       o->cmsis_nn, strerror(errno), header);
    return is_there;
}

static int make_port(const options *o)
{
    char prefix[PATH_MAX], checkout[PATH_MAX] = "";
    if (o->cmsis_nn && !find_checkout(o, checkout))
        return 2;
    char *dirs = join(&o->include_dirs, "include", false);
    char *libraries = dirs ? join(&o->libraries, "library", true) : NULL;
    int status = 2;
    if (!lb_program_prefix(prefix, sizeof prefix))
        prefix[0] = '\0';
    const replacement list[] = {{"my_port", o->name},
                                {"@MLI_INCLUDE_DIRS@", dirs},
                                {"@MLI_LIBRARIES@", libraries},
                                {"@AGENT_ONLY@", o->agent ? "ON" : "OFF"},
                                {"@LASTBIT@", prefix},
                                {"@CMSIS_NN_DIR@", checkout},
                                {NULL, NULL}};
    if (libraries && make_empty_folder(o->folder)) {
        status = write_files(o, list) ? 0 : 3;
        if (status == 0)
            print_next(o);
    }
    free(dirs);
    free(libraries);
    return status;
}

static int run_new(int argc, char **argv)
{
    options o = {.folder = NULL};
    lb_arguments operands;
    int status;
    if (!lb_options_parse(&lb_port_new_command, argc, argv, &o, &operands, &status))
        return status;
    o.folder = operands.items[0];
    if (o.mli + o.native + is_of_litert(&o) + o.agent + o.bare_metal > 1 ||
        (o.litert && o.cmsis_nn))
        return lb_usage_error("port new", "expected one of --mli, --native, --litert, --cmsis-nn, "
                                          "--agent, --bare-metal"),
               status;
    if ((o.native || is_of_litert(&o) || o.bare_metal) &&
        o.include_dirs.count + o.libraries.count > 0)
        return lb_usage_error("port new", "--include and --library go with --mli and --agent"),
               status;
    if (!o.include_dirs.count != !o.libraries.count)
        return lb_usage_error("port new", "--include and --library go together: your headers and "
                                          "the library that they belong to"),
               status;
    return name_port(&o) ? make_port(&o) : status;
}

static const lb_option table[] = {
    {"mli", 0, LB_FLAG, NULL, LB_INTO(options, mli),
     .help = "for a library with MLI-style headers: a shared library and a program (default)"},
    {"agent", 0, LB_FLAG, NULL, LB_INTO(options, agent),
     .help = "the same as a program alone, for an emulator or another machine"},
    {"native", 0, LB_FLAG, NULL, LB_INTO(options, native),
     .help = "for kernels with an interface of their own: no MLI headers are needed"},
    {"litert", 0, LB_FLAG, NULL, LB_INTO(options, litert),
     .help = "for kernels of LiteRT (TensorFlow Lite, TFLite Micro), whatever their interface"},
    {"cmsis-nn", 0, LB_TEXT, "CHECKOUT", LB_INTO(options, cmsis_nn),
     .help = "for CMSIS-NN, or a library with its interface, as it stands in CHECKOUT (Include, "
             "Source): an adapter for all functions that LiteRT has too, with buffers exactly as "
             "large as the library asks for, between pages that nobody may touch"},
    {"bare-metal", 0, LB_FLAG, NULL, LB_INTO(options, bare_metal),
     .help = "for a board without an operating system; as it stands, a Cortex-M4 in an emulator"},
    {"include", 'I', LB_LIST, "DIR", LB_INTO(options, include_dirs),
     .help = "a folder with your mli_api.h; may be given several times"},
    {"library", 'l', LB_LIST, "FILE", LB_INTO(options, libraries),
     .help = "your library: an archive, a shared library, or a name for the linker; may be given "
             "several times"},
    {.name = NULL}};

const lb_command lb_port_new_command = {
    .name = "port new",
    .summary = "write a starting port",
    .about =
        "Writes a starting port into DIR: the port kit, a description, a kernel of your own to "
        "begin with, CMakeLists.txt and a README. The last part of DIR names it: "
        "DIR/build/libNAME.so. "
        "It compiles as it is and passes the suites: calls go to your library, if you name one, "
        "else to lastbit's own. The commands that build and run it are printed.",
    .groups = {{table, 0, NULL}},
    .operand = {.name = "DIR", "a folder that does not exist, or is empty", 1, 1, NULL},
    .statuses = {"done", NULL, "the command line is wrong", "a file cannot be written"},
    .examples = "lastbit port new my_port\n"
                "lastbit port new my_port --include api --library build/libmykernels.a\n"
                "lastbit port new --native my_port\n"
                "lastbit port new --litert my_port\n"
                "lastbit port new --cmsis-nn ~/CMSIS-NN my_port",
    .run = run_new};
