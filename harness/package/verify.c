/* lastbit report verify: see package.h. A package is unpacked into a folder, and everything in it
 * is held to everything else. */
#include "harness/base/command_line.h"
#include "harness/base/xalloc.h"
#include "harness/json/document.h"
#include "harness/package/archive.h"
#include "harness/package/complete.h"
#include "harness/package/package.h"
#include "harness/package/recheck.h"
#include "harness/run/waiver_file.h"

#include "reports/doc.h"
#include "reports/json_read.h"
#include "reports/render.h"
#include "reports/results_parts.h"
#include "reports/statement.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <inttypes.h>
#include <sha2.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { NOT_VERIFIED = 1, BAD_USAGE = 2, FAILED = 3, MAX_SHOWN = 30, MAX_MEMBERS = 100000 };

typedef struct member {
    char name[LB_MAX_MEMBER_NAME + 1]; /* without the folder */
    char sha256[LB_SHA256_TEXT];
    bool used; /* something in the package accounts for it */
} member;

typedef struct verifier {
    const char *path;
    char folder[4096];
    member *members;
    size_t count, capacity;
    uint64_t findings;
    bool spoilt; /* members are not those that the manifest names */
    /* of the member that is being unpacked */
    FILE *out;
    SHA2_CTX digest;
    bool failed; /* the disk */
    lb_results_reader *reader;
    const lb_run_info *info;
} verifier;

static void find(verifier *v, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void find(verifier *v, const char *format, ...)
{
    char text[1200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (v->findings++ < MAX_SHOWN)
        printf("%s: %s\n", v->path, text);
}

static void path_of(const verifier *v, const char *name, char path[4300])
{
    snprintf(path, 4300, "%s/%s", v->folder, name);
}

static member *find_member(const verifier *v, const char *name)
{
    for (size_t i = 0; i < v->count; i++)
        if (strcmp(v->members[i].name, name) == 0)
            return &v->members[i];
    return NULL;
}

/* ---- Unpacking ---- */

static bool is_plain_name(const char *name)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+";
    return name[0] != '\0' && name[0] != '.' && name[strspn(name, plain)] == '\0';
}

/* The name inside the package's folder, if it may be unpacked: plain, or plain in suites/,
 * profiles/ or files/. NULL: not. */
static const char *inner_name(const char *name)
{
    static const char *const folders[] = {"", "suites/", "profiles/", "files/"};
    size_t outer = strlen(LB_PACKAGE_FOLDER);
    if (strncmp(name, LB_PACKAGE_FOLDER, outer) != 0)
        return NULL;
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        size_t length = strlen(folders[i]);
        if (strncmp(name + outer, folders[i], length) == 0 && is_plain_name(name + outer + length))
            return name + outer;
    }
    return NULL;
}

static bool open_member(verifier *v, const char *name)
{
    char path[4300];
    const char *inner = inner_name(name);
    if (!inner || find_member(v, inner) || v->count == MAX_MEMBERS) {
        find(v, "%s: a package has no such member, or has it once", name);
        return false;
    }
    v->members = lb_room_for_one(v->members, v->count, &v->capacity, sizeof *v->members);
    member *m = &v->members[v->count++];
    *m = (member){.used = false};
    snprintf(m->name, sizeof m->name, "%s", inner);
    path_of(v, inner, path);
    v->out = fopen(path, "wb");
    v->failed = v->failed || !v->out;
    if (!v->out)
        fprintf(stderr, "lastbit: %s: cannot write: %s\n", path, strerror(errno));
    SHA256Init(&v->digest);
    return v->out != NULL;
}

static bool take_piece(void *user, const char *name, uint64_t size, const unsigned char *bytes,
                       size_t count)
{
    verifier *v = user;
    (void)size;
    if (!v->out && !open_member(v, name))
        return false;
    SHA256Update(&v->digest, bytes, count);
    bool good = count == 0 || fwrite(bytes, 1, count, v->out) == count;
    if (count == 0) {
        SHA256End(&v->digest, v->members[v->count - 1].sha256);
        good = fclose(v->out) == 0;
        v->out = NULL;
    }
    if (!good)
        fprintf(stderr, "lastbit: %s: cannot write: %s\n", v->folder, strerror(errno));
    v->failed = v->failed || !good;
    return good;
}

static bool make_folders(const verifier *v)
{
    static const char *const folders[] = {"suites", "profiles", "files"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        char path[4300];
        path_of(v, folders[i], path);
        if (mkdir(path, 0777) != 0)
            return fprintf(stderr, "lastbit: %s: cannot make this folder: %s\n", path,
                           strerror(errno)),
                   false;
    }
    return true;
}

/* False: there is nothing more to look at. */
static bool unpack(verifier *v, FILE *in)
{
    char error[400];
    bool regular = true;
    bool same = lb_archive_check_bytes(in, error, sizeof error);
    if (!same)
        find(v, "%s", error);
    bool good = lb_archive_read(in, take_piece, v, &regular, error, sizeof error);
    if (v->out)
        fclose(v->out);
    v->out = NULL;
    if (!good && error[0])
        find(v, "%s", error);
    else if (good && same && !regular)
        find(v, "the archive has another form than the one that lastbit writes");
    return good;
}

/* ---- The manifest ---- */

/* All of a small member as text; NULL: not there, or told. */
static char *read_member(verifier *v, const char *name, size_t *length)
{
    char path[4300];
    lb_doc text = lb_doc_make();
    char block[1 << 14];
    size_t got;
    path_of(v, name, path);
    FILE *file = fopen(path, "rb");
    *length = 0;
    if (!file)
        return NULL;
    while ((got = fread(block, 1, sizeof block, file)) > 0)
        lb_doc_bytes(&text, block, got);
    fclose(file);
    *length = text.length;
    lb_doc_bytes(&text, "", 1);
    if (!text.failed)
        return text.text;
    lb_doc_free(&text);
    return NULL;
}

/* Which members the lines of a manifest that does not fit are wrong about. */
static void compare_lines(verifier *v, char *manifest)
{
    for (char *line = manifest, *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        end += *end == '\n';
        char *name = line + 66;
        if (end - line < 68 || strncmp(line + 64, "  ", 2) != 0) {
            find(v, LB_PACKAGE_MANIFEST ": a line is not a sum and a name");
            v->spoilt = true;
            continue;
        }
        char kept = *(end - 1);
        if (kept == '\n')
            end[-1] = '\0';
        member *m = find_member(v, name);
        line[64] = '\0';
        if (!m)
            find(v, "%.100s: is named in the manifest, but missing", name);
        else if (strcmp(m->sha256, line) != 0)
            find(v, "%s: was changed: its SHA-256 is %s, the manifest says %s", name, m->sha256,
                 line);
        v->spoilt = v->spoilt || !m || strcmp(m->sha256, line) != 0;
        if (m)
            m->used = true;
        line[64] = ' ';
        if (kept == '\n')
            end[-1] = '\n';
    }
    for (size_t i = 0; i < v->count; i++)
        if (!v->members[i].used && strcmp(v->members[i].name, LB_PACKAGE_MANIFEST) != 0) {
            find(v, "%s: is not named in the manifest", v->members[i].name);
            v->spoilt = true;
        }
}

static void check_manifest(verifier *v)
{
    size_t length;
    lb_doc wanted = lb_doc_make();
    for (size_t i = 0; i < v->count; i++)
        if (strcmp(v->members[i].name, LB_PACKAGE_MANIFEST) != 0) {
            lb_doc_puts(&wanted, v->members[i].sha256);
            lb_doc_puts(&wanted, "  ");
            lb_doc_puts(&wanted, v->members[i].name);
            lb_doc_char(&wanted, '\n');
        }
    char *manifest = read_member(v, LB_PACKAGE_MANIFEST, &length);
    if (!manifest)
        find(v, LB_PACKAGE_MANIFEST ": is missing"), v->spoilt = true;
    else if (length != wanted.length ||
             (length > 0 && memcmp(manifest, wanted.text, length) != 0)) {
        uint64_t before = v->findings;
        compare_lines(v, manifest);
        if (v->findings == before)
            find(v, LB_PACKAGE_MANIFEST ": has another form than the one that lastbit writes");
    }
    free(manifest);
    lb_doc_free(&wanted);
    for (size_t i = 0; i < v->count; i++)
        v->members[i].used = strcmp(v->members[i].name, LB_PACKAGE_MANIFEST) == 0;
}

/* ---- Documents against results ---- */

static bool is_same_file(const char *a_path, const char *b_path)
{
    FILE *a = fopen(a_path, "rb"), *b = fopen(b_path, "rb");
    char x[1 << 12], y[sizeof x];
    bool same = a && b;
    for (size_t got = 1; same && got > 0;) {
        got = fread(x, 1, sizeof x, a);
        same = fread(y, 1, sizeof y, b) == got && memcmp(x, y, got) == 0;
    }
    if (a)
        fclose(a);
    if (b)
        fclose(b);
    return same;
}

static void check_text(verifier *v, const char *name, lb_doc *wanted)
{
    size_t length;
    member *m = find_member(v, name);
    char *text = m ? read_member(v, name, &length) : NULL;
    if (!m)
        find(v, "%s: is missing", name);
    else if (!text || wanted->failed || length != wanted->length ||
             memcmp(text, wanted->text, length) != 0)
        find(v, "%s: does not say what the results say", name);
    if (m)
        m->used = true;
    free(text);
    lb_doc_free(wanted);
}

/* Who made the package, and what was said then for the statement: from its environment. */
typedef struct packer_told {
    char version[80]; /* "": not to be found */
    const char **stated;
    size_t stated_count;
    cJSON *environment; /* to which the texts belong */
} packer_told;

static void read_packer(verifier *v, packer_told *told)
{
    size_t length;
    char *text = read_member(v, "environment.json", &length);
    cJSON *environment = text ? lb_json_read(text, length) : NULL;
    const char *version = lb_json_text(environment, "packaged_by");
    const cJSON *stated = cJSON_GetObjectItemCaseSensitive(environment, "stated"), *one;
    size_t most = (size_t)cJSON_GetArraySize(stated);
    *told = (packer_told){.environment = environment,
                          .stated = lb_resized(NULL, (most + 1) * sizeof *told->stated)};
    snprintf(told->version, sizeof told->version, "%s", version ? version : "");
    cJSON_ArrayForEach(one, stated)
    {
        if (lb_statement_is_line(cJSON_GetStringValue(one)))
            told->stated[told->stated_count++] = one->valuestring;
    }
    if (told->version[0] == '\0')
        find(v, "environment.json: does not say which version made the package");
    if (told->stated_count != most)
        find(v, "environment.json: stated: expected LABEL=TEXT");
    free(text);
}

static void forget_packer(packer_told *told)
{
    free(told->stated);
    cJSON_Delete(told->environment);
}

static void check_rendered(verifier *v, const char *kind, const char *name,
                           const lb_render_extras *extras)
{
    char stored[4300], again[4320], results[4300];
    member *m = find_member(v, name);
    if (!m) {
        find(v, "%s: is missing", name);
        return;
    }
    m->used = true;
    path_of(v, name, stored);
    path_of(v, "results.json", results);
    snprintf(again, sizeof again, "%s.again", stored);
    if (lb_render_file_with(kind, results, extras, again) != 0 || !is_same_file(stored, again))
        find(v, "%s: is not what the results make", name);
}

static void check_documents(verifier *v)
{
    char own[80], path[4300], sha256[LB_SHA256_TEXT];
    packer_told told;
    lb_doc doc = lb_doc_make();
    lb_arena texts = {0};
    lb_waivers waivers = {.list = NULL};
    member *m = find_member(v, "waivers.yaml");
    const lb_document_kind *kind;
    read_packer(v, &told);
    lb_results_put_environment(&doc, v->info, told.version, told.stated, told.stated_count);
    check_text(v, "environment.json", &doc);
    lb_results_put_coverage(&doc, v->info);
    check_text(v, "coverage.json", &doc);
    path_of(v, "waivers.yaml", path);
    if (m && !lb_waiver_file_read(path, "0000-00-00", &texts, &waivers, sha256))
        find(v, "waivers.yaml: cannot be read");
    if (m)
        m->used = true;
    lb_version_with_commit(own);
    if (strcmp(told.version, own) == 0) {
        lb_render_extras extras = {.waivers = m ? &waivers : NULL,
                                   .lcov_link = "",
                                   .meta = told.stated,
                                   .meta_count = told.stated_count};
        for (size_t i = 0; (kind = lb_document_of(LB_OF_PACKAGE, i)) != NULL; i++)
            check_rendered(v, kind->name, kind->file, &extras);
    } else {
        printf("note: packaged by lastbit %.60s; this is %s, whose documents may look otherwise\n",
               told.version, own);
        for (size_t i = 0; (kind = lb_document_of(LB_OF_PACKAGE, i)) != NULL; i++)
            if ((m = find_member(v, kind->file)) != NULL)
                m->used = true;
    }
    forget_packer(&told);
    free(waivers.list);
    lb_arena_free(&texts);
}

/* ---- Suites and the model ---- */

/* What a suite that is open points to. */
typedef struct opened_suite {
    lb_moved_file *moved;
    size_t moved_count;
    lb_arena arena;
} opened_suite;

static void close_suite(lb_suite *suite, opened_suite *opened)
{
    if (suite)
        lb_suite_close(suite);
    lb_arena_free(&opened->arena);
}

static void tell_contradiction(void *user, const char *text)
{
    find(user, "results.json: %s", text);
}

/* A file of the run in the package, with the digest that the results name; false: told. */
static bool hold_file(verifier *v, const char *name, const lb_run_file *file)
{
    member *m = find_member(v, name);
    if (!m) {
        find(v, "%s: %.300s is missing", name, file->file);
        return false;
    }
    m->used = true;
    if (strcmp(m->sha256, file->sha256) == 0)
        return true;
    find(v, "%s: is not the file of the results: its SHA-256 is %s, the results name %.64s", name,
         m->sha256, file->sha256);
    return false;
}

static void check_files(verifier *v)
{
    for (size_t i = 0; i < v->info->file_count; i++) {
        const lb_run_file *file = &v->info->files[i];
        char name[LB_PACKAGE_NAME_BYTES];
        if (strcmp(file->role, "profile") == 0)
            lb_package_profile_name(name, file->named);
        else
            lb_package_file_name(name, i, file->file);
        if (strcmp(file->role, "profile") == 0 || lb_package_has_file(file))
            hold_file(v, name, file);
    }
}

/* Where the files lie that the suite names. */
static void find_moved(const verifier *v, const lb_run_suite *suite, opened_suite *opened)
{
    opened->moved = lb_arena_array(&opened->arena, v->info->file_count + 1, sizeof *opened->moved);
    for (size_t i = 0; i < v->info->file_count; i++) {
        const lb_run_file *file = &v->info->files[i];
        char name[LB_PACKAGE_NAME_BYTES];
        if (!file->named[0] || strcmp(file->suite, suite->file) != 0)
            continue;
        char *path = lb_arena_alloc(&opened->arena, 4300);
        lb_package_file_name(name, i, file->file);
        path_of(v, name, path);
        opened->moved[opened->moved_count++] = (lb_moved_file){.named = file->named, .path = path};
    }
}

static lb_suite *open_suite(verifier *v, size_t index, opened_suite *opened)
{
    const lb_run_suite *told = &v->info->suites[index];
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    char name[LB_PACKAGE_NAME_BYTES], path[4300];
    lb_package_suite_name(name, index, told->file);
    member *m = find_member(v, name);
    if (!m) {
        find(v, "%s: suite \"%.100s\" is missing", name, told->name);
        return NULL;
    }
    m->used = true;
    if (strcmp(m->sha256, told->sha256) != 0) {
        find(v, "%s: is not the suite of the results: its SHA-256 is %s, the results name %.64s",
             name, m->sha256, told->sha256);
        return NULL;
    }
    path_of(v, name, path);
    find_moved(v, told, opened);
    lb_suite *suite = lb_suite_open_moved(path, opened->moved, opened->moved_count, &diagnostics);
    if (!suite || strcmp(lb_suite_name(suite), told->name) != 0 ||
        lb_suite_case_count(suite) != told->cases)
        find(v, "%s: the results name another suite, or another number of cases", name);
    return suite;
}

static const lb_profile *choose_profile(verifier *v, const char *name, lb_profile *loaded)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    char inner[LB_PACKAGE_NAME_BYTES], path[4300];
    int built_in = lb_profile_find(name);
    if (built_in >= 0)
        return &lb_profiles[built_in];
    lb_package_profile_name(inner, name);
    member *m = find_member(v, inner);
    if (m)
        m->used = true;
    path_of(v, inner, path);
    if (!m || !lb_profile_load(path, loaded, &diagnostics) || strcmp(loaded->name, name) != 0) {
        find(v, "%s: profile %.60s is missing or wrong", inner, name);
        return NULL;
    }
    loaded->file = ""; /* the folder is gone later; that it is from a file is what counts */
    return loaded;
}

static void recheck(verifier *v, lb_suite **suites, const lb_profile **profiles)
{
    char error[700];
    lb_recheck job = {.suite_count = v->info->suite_count,
                      .suites = suites,
                      .profile_count = v->info->profile_count,
                      .profiles = profiles,
                      .contradiction = tell_contradiction,
                      .user = v};
    if (!lb_recheck_results(&job, v->reader, error, sizeof error))
        find(v, "%s", error);
    lb_completeness whole = {.suites = suites, .contradiction = tell_contradiction, .user = v};
    if (!error[0] && !lb_completeness_check(&whole, v->reader, error, sizeof error))
        find(v, "results.json: %s", error);
    printf("%" PRIu64 " results held against the exact model, %" PRIu64
           " not (skipped, errors, movement in steps%s)\n",
           job.held, job.not_held, lb_package_has_suites(v->info) ? "" : ", sweeps");
}

static void check_model(verifier *v)
{
    size_t count = v->info->suite_count, profile_count = v->info->profile_count;
    lb_suite **suites = calloc(count + 1, sizeof(lb_suite *));
    opened_suite *opened = calloc(count + 1, sizeof *opened);
    lb_profile *loaded = calloc(profile_count + 1, sizeof *loaded);
    const lb_profile **profiles = calloc(profile_count + 1, sizeof(const lb_profile *));
    bool good = suites && opened && loaded && profiles;
    for (size_t i = 0; good && i < profile_count; i++)
        good = (profiles[i] = choose_profile(v, v->info->profiles[i], &loaded[i])) != NULL;
    for (size_t i = 0; suites && opened && lb_package_has_suites(v->info) && i < count; i++)
        suites[i] = open_suite(v, i, &opened[i]);
    if (good)
        recheck(v, suites, profiles);
    for (size_t i = 0; suites && opened && i < count; i++)
        close_suite(suites[i], &opened[i]);
    free(suites);
    free(opened);
    free(loaded);
    free(profiles);
}

static void check_results(verifier *v)
{
    char path[4300], error[700] = "";
    member *m = find_member(v, "results.json");
    path_of(v, "results.json", path);
    v->reader = m ? lb_results_open(path, error, sizeof error) : NULL;
    if (!v->reader) {
        find(v, "results.json: %s", m ? error : "is missing");
        return;
    }
    m->used = true;
    v->info = lb_results_info(v->reader);
    check_documents(v);
    check_files(v);
    check_model(v);
    for (size_t i = 0; i < v->count; i++)
        if (!v->members[i].used)
            find(v, "%s: does not belong into the package of these results", v->members[i].name);
    lb_results_close(v->reader);
}

/* ---- The command ---- */

static int verify(verifier *v, FILE *in)
{
    if (!lb_package_folder_make(v->folder))
        return FAILED;
    if (!make_folders(v)) {
        v->failed = true;
    } else if (unpack(v, in)) {
        check_manifest(v);
        if (v->spoilt) /* then they are not worth reading */
            printf("note: what the members say was not looked at\n");
        else
            check_results(v);
    }
    lb_package_folder_remove(v->folder);
    if (v->failed)
        return FAILED;
    if (v->findings > MAX_SHOWN)
        printf("... and %" PRIu64 " more\n", v->findings - MAX_SHOWN);
    if (v->findings == 0)
        printf("verified: %zu members\n", v->count);
    else
        printf("NOT verified: %" PRIu64 " %s\n", v->findings,
               v->findings == 1 ? "finding" : "findings");
    return fflush(stdout) != 0 ? FAILED : v->findings > 0 ? NOT_VERIFIED : 0;
}

int lb_package_verify(const char *path)
{
    verifier v = {.path = path};
    FILE *in = fopen(v.path, "rb");
    struct stat status;
    if (!in || fstat(fileno(in), &status) != 0 || !S_ISREG(status.st_mode)) {
        fprintf(stderr, "lastbit: %s: %s\n", v.path, in ? "is no plain file" : strerror(errno));
        if (in)
            fclose(in);
        return BAD_USAGE;
    }
    int result = verify(&v, in);
    fclose(in);
    free(v.members);
    return result;
}
