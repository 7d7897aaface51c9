/* lastbit report package: see package.h. */
#include "harness/package/package.h"
#include "harness/base/child.h"
#include "harness/base/command_line.h"
#include "harness/package/archive.h"
#include "harness/package/signature.h"
#include "harness/run/waiver_file.h"

#include "reports/doc.h"
#include "reports/output.h"
#include "reports/render.h"
#include "reports/results_parts.h"
#include "reports/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct packer {
    const char *results_path, *waiver_path;
    const lb_render_extras *extras;
    char folder[4096]; /* of documents on their way into the archive */
    lb_results_reader *reader;
    const lb_run_info *info;
    lb_archive_writer *archive;
    lb_doc manifest;
    char *error;
    size_t error_bytes;
} packer;

/* ---- Names and folders ---- */

/* Letters that every file system and every tar takes as they are; what a path ends in is kept, for
 * its ending. */
static void put_plain(char *to, size_t room, const char *path)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+";
    const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    size_t length = strlen(base);
    base += length >= room ? length - room + 1 : 0;
    size_t i = 0;
    for (; base[i]; i++)
        to[i] = strchr(plain, base[i]) ? base[i] : '_';
    to[i] = '\0';
}

void lb_package_suite_name(char name[LB_PACKAGE_NAME_BYTES], size_t index, const char *file)
{
    char base[50];
    put_plain(base, sizeof base, file);
    snprintf(name, LB_PACKAGE_NAME_BYTES, "suites/%03zu-%s", index + 1, base);
}

void lb_package_profile_name(char name[LB_PACKAGE_NAME_BYTES], const char *profile)
{
    char base[60];
    put_plain(base, sizeof base, profile);
    snprintf(name, LB_PACKAGE_NAME_BYTES, "profiles/%s.yaml", base);
}

void lb_package_file_name(char name[LB_PACKAGE_NAME_BYTES], size_t index, const char *file)
{
    char base[50];
    put_plain(base, sizeof base, file);
    snprintf(name, LB_PACKAGE_NAME_BYTES, "files/%03zu-%s", index + 1, base);
}

bool lb_package_has_file(const lb_run_file *file)
{
    static const char *const roles[] = {"encodings", "packed", "npy", "npz", "policy", "waivers"};
    for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++)
        if (strcmp(file->role, roles[i]) == 0)
            return true;
    return false;
}

bool lb_package_has_suites(const lb_run_info *info)
{
    return info->exhaustive[0] == '\0';
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status;
    (void)kind;
    (void)place;
    return remove(path);
}

static void remove_all(const char *path)
{
    nftw(path, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

/* Who removes the folder if this process is killed: a child that waits for the end of a pipe. */
static struct {
    int end; /* 0: there is none */
    pid_t process;
} remover;

static void start_remover(const char *path)
{
    int ends[2];
    char nothing;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        setsid(); /* a Ctrl-C is not for it */
        dup2(ends[0], STDIN_FILENO);
        close_range(STDERR_FILENO, ~0U, 0);
        close(STDOUT_FILENO);
        while (read(STDIN_FILENO, &nothing, 1) < 0 && errno == EINTR)
            ;
        remove_all(path);
        lb_child_exit(0);
    }
    close(ends[0]);
    remover.end = ends[1];
    remover.process = child;
}

bool lb_package_folder_make(char path[4096])
{
    snprintf(path, 4096, "%.4000s/lastbit-package-XXXXXX", lb_temporary_folder());
    if (mkdtemp(path)) {
        start_remover(path);
        return true;
    }
    fprintf(stderr, "lastbit: %s: cannot make this folder: %s\n", path, strerror(errno));
    return false;
}

void lb_package_folder_remove(const char *path)
{
    if (remover.end > 0)
        close(remover.end);
    if (remover.end > 0 && remover.process > 0)
        lb_child_wait(remover.process);
    remover.end = 0;
    remove_all(path); /* whatever became of the other */
}

/* ---- Members ---- */

static bool note_member(packer *p, const char *name, const char *sha256)
{
    lb_doc_puts(&p->manifest, sha256);
    lb_doc_puts(&p->manifest, "  ");
    lb_doc_puts(&p->manifest, name);
    lb_doc_char(&p->manifest, '\n');
    return !p->manifest.failed;
}

static bool add_file(packer *p, const char *name, const char *path, char sha256[LB_SHA256_TEXT])
{
    char member[LB_MAX_MEMBER_NAME + 1];
    snprintf(member, sizeof member, LB_PACKAGE_FOLDER "%s", name);
    return lb_archive_add_file(p->archive, member, path, sha256, p->error, p->error_bytes) &&
           note_member(p, name, sha256);
}

static bool add_plain(packer *p, const char *name, const char *path)
{
    char sha256[LB_SHA256_TEXT];
    return add_file(p, name, path, sha256);
}

static bool add_text(packer *p, const char *name, lb_doc *doc)
{
    char member[LB_MAX_MEMBER_NAME + 1], sha256[LB_SHA256_TEXT];
    snprintf(member, sizeof member, LB_PACKAGE_FOLDER "%s", name);
    bool good = !doc->failed &&
                lb_archive_add_text(p->archive, member, doc->text, doc->length, sha256) &&
                note_member(p, name, sha256);
    lb_doc_free(doc);
    return good;
}

/* Documents made from the results as they are, with the waivers. */
static bool add_documents(packer *p)
{
    const lb_document_kind *kind;
    for (size_t i = 0; (kind = lb_document_of(LB_OF_PACKAGE, i)) != NULL; i++) {
        char path[4200];
        snprintf(path, sizeof path, "%s/%s", p->folder, kind->file);
        if (!add_plain(p, kind->file, path))
            return false;
    }
    char version[80];
    lb_doc doc = lb_doc_make();
    lb_version_with_commit(version);
    lb_results_put_environment(&doc, p->info, version, p->extras->meta, p->extras->meta_count);
    if (!add_text(p, "environment.json", &doc))
        return false;
    lb_results_put_coverage(&doc, p->info);
    return add_text(p, "coverage.json", &doc) &&
           (!p->waiver_path || add_plain(p, "waivers.yaml", p->waiver_path));
}

/* A file of the run, which must be what it was then. */
static bool add_unchanged(packer *p, const char *name, const char *path, const char *what,
                          const char *due)
{
    char sha256[LB_SHA256_TEXT];
    if (!add_file(p, name, path, sha256))
        return false;
    if (strcmp(sha256, due) == 0)
        return true;
    snprintf(p->error, p->error_bytes,
             "%s: this is not the %s that was run: its SHA-256 is %s, the results name %.64s", path,
             what, sha256, due);
    return false;
}

/* What suites name, policies and waivers. */
static bool add_files(packer *p)
{
    for (size_t i = 0; i < p->info->file_count; i++) {
        const lb_run_file *file = &p->info->files[i];
        char name[LB_PACKAGE_NAME_BYTES];
        lb_package_file_name(name, i, file->file);
        if (lb_package_has_file(file) && !add_unchanged(p, name, file->file, "file", file->sha256))
            return false;
    }
    return true;
}

static bool add_suites(packer *p)
{
    for (size_t i = 0; lb_package_has_suites(p->info) && i < p->info->suite_count; i++) {
        const lb_run_suite *suite = &p->info->suites[i];
        char name[LB_PACKAGE_NAME_BYTES];
        if (lb_suite_is_certified(suite))
            continue;
        lb_package_suite_name(name, i, suite->file);
        if (!add_unchanged(p, name, suite->file, "suite", suite->sha256))
            return false;
    }
    return true;
}

/* Profiles that are not built in come from files. */
static bool add_profiles(packer *p)
{
    for (size_t i = 0; i < p->info->file_count; i++) {
        const lb_run_file *file = &p->info->files[i];
        char name[LB_PACKAGE_NAME_BYTES];
        if (strcmp(file->role, "profile") != 0)
            continue;
        lb_package_profile_name(name, file->named);
        if (!add_unchanged(p, name, file->file, "profile", file->sha256))
            return false;
    }
    return true;
}

static bool write_package(void *user, FILE *out, char *error, size_t error_bytes)
{
    packer *p = user;
    p->error = error;
    p->error_bytes = error_bytes;
    p->manifest = lb_doc_make();
    p->archive = lb_archive_create(out);
    bool good = add_plain(p, "results.json", p->results_path) && add_documents(p) &&
                add_suites(p) && add_files(p) && add_profiles(p) &&
                lb_archive_add_text(p->archive, LB_PACKAGE_FOLDER LB_PACKAGE_MANIFEST,
                                    p->manifest.text, p->manifest.length, NULL);
    good = lb_archive_finish(p->archive) && good;
    lb_doc_free(&p->manifest);
    return good;
}

/* ---- The command ---- */

static int render_documents(const packer *p, lb_waivers *waivers)
{
    lb_render_extras extras = *p->extras;
    extras.waivers = waivers;
    return lb_render_all(LB_OF_PACKAGE, p->results_path, &extras, p->folder);
}

static int render_with_waivers(const packer *p)
{
    lb_waivers waivers = {.path = p->waiver_path};
    lb_arena texts = {0};
    char sha256[LB_SHA256_TEXT];
    int status = 2;
    if (!p->waiver_path)
        return render_documents(p, NULL);
    if (lb_waiver_file_read(p->waiver_path, NULL, &texts, &waivers, sha256))
        status = render_documents(p, &waivers);
    free(waivers.list);
    lb_arena_free(&texts);
    return status;
}

static int pack(packer *p, const char *output)
{
    char error[900] = "";
    if (!lb_package_folder_make(p->folder))
        return 3;
    int status = render_with_waivers(p);
    p->reader = status == 0 ? lb_results_open(p->results_path, error, sizeof error) : NULL;
    if (p->reader && lb_results_is_journal(p->reader)) {
        fprintf(stderr,
                "lastbit: %s: a journal, not results: end the run (run --resume) and package its "
                "results.json\n",
                p->results_path);
        lb_results_close(p->reader);
        status = 2;
    } else if (p->reader) {
        p->info = lb_results_info(p->reader);
        status = lb_output_file(output, write_package, p);
        lb_results_close(p->reader);
    } else if (status == 0) {
        fprintf(stderr, "lastbit: %s\n", error);
        status = 2;
    }
    lb_package_folder_remove(p->folder);
    return status;
}

int lb_package_write(const char *results, const lb_render_extras *extras, const char *waivers,
                     const char *output, const char *key)
{
    char *file = lb_results_file(results);
    packer p = {.results_path = file, .waiver_path = waivers, .extras = extras};
    int status = file ? pack(&p, output) : 3;
    if (status == 0 && key && !lb_signature_make(output, key))
        status = 2;
    free(file);
    return status;
}
