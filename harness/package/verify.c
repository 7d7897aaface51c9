/* lastbit report verify: see package.h. A package is unpacked into a folder, and everything in it
 * is held to everything else. */
#include "harness/package/verify.h"
#include "harness/base/command_line.h"
#include "harness/base/sha256.h"
#include "harness/base/xalloc.h"
#include "harness/generate/certify.h"
#include "harness/json/document.h"
#include "harness/package/complete.h"
#include "harness/package/recheck.h"
#include "harness/package/signature.h"

#include "reports/doc.h"
#include "reports/escape.h"
#include "reports/json_read.h"
#include "reports/results_parts.h"
#include "reports/statement.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { NOT_VERIFIED = 1, BAD_USAGE = 2, FAILED = 3, MAX_SHOWN = 30, MAX_MEMBERS = 100000 };
/* So many of a certification are made again however few of them were chosen: it takes seconds. */
enum { FEW_CASES = 20000 };

void lb_verifier_find(lb_verifier *v, const char *format, ...)
{
    char text[1200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (v->findings++ >= MAX_SHOWN)
        return;
    /* Names of members and what results say are nobody's we know. */
    lb_doc line = lb_doc_make();
    lb_escape_line(&line, text);
    printf("%s: %.*s\n", v->path, (int)line.length, line.text ? line.text : "");
    lb_doc_free(&line);
}

void lb_verifier_path(const lb_verifier *v, const char *name, char path[4300])
{
    snprintf(path, 4300, "%s/%s", v->folder, name);
}

/* The slot of a name: that of the member, or the free one where it belongs. */
static uint32_t *find_slot(const lb_verifier *v, const char *name)
{
    uint64_t hash = 14695981039346656037u;
    for (const char *at = name; *at != '\0'; at++)
        hash = (hash ^ (unsigned char)*at) * 1099511628211u;
    size_t i = (size_t)(hash % v->slot_count);
    while (v->slots[i] != 0 && strcmp(v->members[v->slots[i] - 1].name, name) != 0)
        i = (i + 1) % v->slot_count;
    return &v->slots[i];
}

lb_verified_member *lb_verifier_member(const lb_verifier *v, const char *name)
{
    uint32_t place = v->slot_count > 0 ? *find_slot(v, name) : 0;
    return place > 0 ? &v->members[place - 1] : NULL;
}

/* Half of the slots stay free. */
static void note_name(lb_verifier *v)
{
    if (v->count * 2 > v->slot_count) {
        v->slot_count = v->slot_count ? v->slot_count * 4 : 256;
        v->slots = lb_resized(v->slots, v->slot_count * sizeof *v->slots);
        memset(v->slots, 0, v->slot_count * sizeof *v->slots);
        for (size_t i = 0; i + 1 < v->count; i++)
            *find_slot(v, v->members[i].name) = (uint32_t)i + 1;
    }
    *find_slot(v, v->members[v->count - 1].name) = (uint32_t)v->count;
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

static bool open_member(lb_verifier *v, const char *name)
{
    char path[4300];
    const char *inner = inner_name(name);
    if (!inner || lb_verifier_member(v, inner) || v->count == MAX_MEMBERS) {
        lb_verifier_find(v, "%s: a package has no such member, or has it once", name);
        return false;
    }
    v->members = lb_room_for_one(v->members, v->count, &v->capacity, sizeof *v->members);
    lb_verified_member *m = &v->members[v->count++];
    *m = (lb_verified_member){.used = false};
    snprintf(m->name, sizeof m->name, "%s", inner);
    note_name(v);
    lb_verifier_path(v, inner, path);
    v->out = fopen(path, "wb");
    v->failed = v->failed || !v->out;
    if (!v->out)
        fprintf(stderr, "lastbit: %s: cannot write: %s\n", path, strerror(errno));
    lb_sha256_start(&v->digest);
    return v->out != NULL;
}

static bool take_piece(void *user, const char *name, uint64_t size, const unsigned char *bytes,
                       size_t count)
{
    lb_verifier *v = user;
    (void)size;
    if (!v->out && !open_member(v, name))
        return false;
    lb_sha256_add(&v->digest, bytes, count);
    bool good = count == 0 || fwrite(bytes, 1, count, v->out) == count;
    if (count == 0) {
        lb_sha256_end(&v->digest, v->members[v->count - 1].sha256);
        good = fclose(v->out) == 0;
        v->out = NULL;
    }
    if (!good)
        fprintf(stderr, "lastbit: %s: cannot write: %s\n", v->folder, strerror(errno));
    v->failed = v->failed || !good;
    return good;
}

static bool make_folders(const lb_verifier *v)
{
    static const char *const folders[] = {"suites", "profiles", "files"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        char path[4300];
        lb_verifier_path(v, folders[i], path);
        if (mkdir(path, 0777) != 0)
            return fprintf(stderr, "lastbit: %s: cannot make this folder: %s\n", path,
                           strerror(errno)),
                   false;
    }
    return true;
}

/* False: there is nothing more to look at. */
static bool unpack(lb_verifier *v, FILE *in)
{
    char error[400];
    bool regular = true;
    bool same = lb_archive_check_bytes(in, error, sizeof error);
    if (!same)
        lb_verifier_find(v, "%s", error);
    bool good = lb_archive_read(in, take_piece, v, &regular, error, sizeof error);
    if (v->out)
        fclose(v->out);
    v->out = NULL;
    if (!good && error[0])
        lb_verifier_find(v, "%s", error);
    else if (good && same && !regular)
        lb_verifier_find(v, "the archive has another form than the one that lastbit writes");
    return good;
}

/* ---- The manifest ---- */

/* All of a small member as text; NULL: not there, or told. */
char *lb_verifier_read(lb_verifier *v, const char *name, size_t *length)
{
    char path[4300];
    lb_doc text = lb_doc_make();
    char block[1 << 14];
    size_t got;
    lb_verifier_path(v, name, path);
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
static void compare_lines(lb_verifier *v, char *manifest)
{
    for (char *line = manifest, *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        end += *end == '\n';
        char *name = line + 66;
        if (end - line < 68 || strncmp(line + 64, "  ", 2) != 0) {
            lb_verifier_find(v, LB_PACKAGE_MANIFEST ": a line is not a sum and a name");
            v->spoilt = true;
            continue;
        }
        char kept = *(end - 1);
        if (kept == '\n')
            end[-1] = '\0';
        lb_verified_member *m = lb_verifier_member(v, name);
        line[64] = '\0';
        if (!m)
            lb_verifier_find(v, "%.100s: is named in the manifest, but missing", name);
        else if (strcmp(m->sha256, line) != 0)
            lb_verifier_find(v, "%s: was changed: its SHA-256 is %s, the manifest says %s", name,
                             m->sha256, line);
        v->spoilt = v->spoilt || !m || strcmp(m->sha256, line) != 0;
        if (m)
            m->used = true;
        line[64] = ' ';
        if (kept == '\n')
            end[-1] = '\n';
    }
    for (size_t i = 0; i < v->count; i++)
        if (!v->members[i].used && strcmp(v->members[i].name, LB_PACKAGE_MANIFEST) != 0) {
            lb_verifier_find(v, "%s: is not named in the manifest", v->members[i].name);
            v->spoilt = true;
        }
}

static void check_manifest(lb_verifier *v)
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
    char *manifest = lb_verifier_read(v, LB_PACKAGE_MANIFEST, &length);
    if (!manifest)
        lb_verifier_find(v, LB_PACKAGE_MANIFEST ": is missing"), v->spoilt = true;
    else if (length != wanted.length ||
             (length > 0 && memcmp(manifest, wanted.text, length) != 0)) {
        uint64_t before = v->findings;
        compare_lines(v, manifest);
        if (v->findings == before)
            lb_verifier_find(v, LB_PACKAGE_MANIFEST
                             ": has another form than the one that lastbit writes");
    }
    free(manifest);
    lb_doc_free(&wanted);
    for (size_t i = 0; i < v->count; i++)
        v->members[i].used = strcmp(v->members[i].name, LB_PACKAGE_MANIFEST) == 0;
}

/* ---- Suites and the model ---- */

/* What a suite that is open points to. */
typedef struct opened_suite {
    lb_certify_maker maker; /* of one that is made */
    lb_moved_file *moved;
    size_t moved_count;
    lb_arena arena;
} opened_suite;

static void close_suite(lb_suite *suite, opened_suite *opened)
{
    lb_certify_close(suite, &opened->maker);
    lb_arena_free(&opened->arena);
}

static void tell_contradiction(void *user, const char *text)
{
    lb_verifier_find(user, "results.json: %s", text);
}

/* A file of the run in the package, with the digest that the results name; false: told. */
static bool hold_file(lb_verifier *v, const char *name, const lb_run_file *file)
{
    lb_verified_member *m = lb_verifier_member(v, name);
    if (!m) {
        lb_verifier_find(v, "%s: %.300s is missing", name, file->file);
        return false;
    }
    m->used = true;
    if (strcmp(m->sha256, file->sha256) == 0)
        return true;
    lb_verifier_find(
        v, "%s: is not the file of the results: its SHA-256 is %s, the results name %.64s", name,
        m->sha256, file->sha256);
    return false;
}

static void check_files(lb_verifier *v)
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
static void find_moved(const lb_verifier *v, const lb_run_suite *suite, opened_suite *opened)
{
    opened->moved = lb_arena_array(&opened->arena, v->info->file_count + 1, sizeof *opened->moved);
    for (size_t i = 0; i < v->info->file_count; i++) {
        const lb_run_file *file = &v->info->files[i];
        char name[LB_PACKAGE_NAME_BYTES];
        if (!file->named[0] || strcmp(file->suite, suite->file) != 0)
            continue;
        char *path = lb_arena_alloc(&opened->arena, 4300);
        lb_package_file_name(name, i, file->file);
        lb_verifier_path(v, name, path);
        opened->moved[opened->moved_count++] = (lb_moved_file){.named = file->named, .path = path};
    }
}

/* The cases of a certification, made again from its seed. */
static lb_suite *make_suite(lb_verifier *v, const lb_run_suite *told, opened_suite *opened)
{
    lb_certify_wish wish;
    char *end = NULL;
    const char *seed = v->info->certify_seed;
    if (!lb_certify_read_command(told->file, &wish) ||
        (wish.seed = strtoull(seed, &end, 10), end == seed || *end != '\0')) {
        lb_verifier_find(v, "results.json: seed \"%.40s\" and \"%.80s\" make no certification",
                         seed, told->file);
        return NULL;
    }
    /* A few bytes could ask for a year. */
    if (told->cases > FEW_CASES &&
        told->cases / *lb_kernel_sets[wish.set]->kernel_count > lb_tally_total(&v->tally)) {
        lb_verifier_find(v,
                         "results.json: \"%.80s\" makes more cases than its %zu results are worth: "
                         "none was made again",
                         told->file, (size_t)lb_tally_total(&v->tally));
        return NULL;
    }
    if (lb_certify_count(&wish) != told->cases) {
        lb_verifier_find(v, "results.json: \"%.80s\" makes %zu cases here; the results tell of %zu",
                         told->file, lb_certify_count(&wish), (size_t)told->cases);
        return NULL;
    }
    lb_suite *suite = lb_certify_suite(&wish, LB_PROGRESS_LINES, &opened->maker);
    if (strcmp(lb_suite_sha256(suite), told->sha256) == 0)
        return suite;
    lb_verifier_find(v,
                     "results.json: seed %.40s makes other cases here: their SHA-256 is %s, the "
                     "results of lastbit %.60s name %.64s",
                     seed, lb_suite_sha256(suite), v->info->tool_version, told->sha256);
    lb_suite_close(suite);
    return NULL;
}

static lb_suite *open_suite(lb_verifier *v, size_t index, opened_suite *opened)
{
    const lb_run_suite *told = &v->info->suites[index];
    if (lb_suite_is_certified(told))
        return make_suite(v, told, opened);
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    char name[LB_PACKAGE_NAME_BYTES], path[4300];
    lb_package_suite_name(name, index, told->file);
    lb_verified_member *m = lb_verifier_member(v, name);
    if (!m) {
        lb_verifier_find(v, "%s: suite \"%.100s\" is missing", name, told->name);
        return NULL;
    }
    m->used = true;
    if (strcmp(m->sha256, told->sha256) != 0) {
        lb_verifier_find(
            v, "%s: is not the suite of the results: its SHA-256 is %s, the results name %.64s",
            name, m->sha256, told->sha256);
        return NULL;
    }
    lb_verifier_path(v, name, path);
    find_moved(v, told, opened);
    lb_suite *suite = lb_suite_open_moved(path, opened->moved, opened->moved_count, &diagnostics);
    if (!suite || strcmp(lb_suite_name(suite), told->name) != 0 ||
        lb_suite_case_count(suite) != told->cases)
        lb_verifier_find(v, "%s: the results name another suite, or another number of cases", name);
    return suite;
}

static const lb_profile *choose_profile(lb_verifier *v, const char *name, lb_profile *loaded)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    char inner[LB_PACKAGE_NAME_BYTES], path[4300];
    const lb_profile *built_in = lb_profile_named(name);
    if (built_in)
        return built_in;
    lb_package_profile_name(inner, name);
    lb_verified_member *m = lb_verifier_member(v, inner);
    if (m)
        m->used = true;
    lb_verifier_path(v, inner, path);
    if (!m || !lb_profile_load(path, loaded, &diagnostics) || strcmp(loaded->name, name) != 0) {
        lb_verifier_find(v, "%s: profile %.60s is missing or wrong", inner, name);
        return NULL;
    }
    loaded->file = ""; /* the folder is gone later; that it is from a file is what counts */
    return loaded;
}

/* The policies of the run, under the names that it had for them; those that cannot be read are
 * told.
 */
static size_t load_policies(lb_verifier *v, lb_policy *policies)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    size_t count = 0;
    for (size_t i = 0; i < v->info->file_count; i++) {
        char name[LB_PACKAGE_NAME_BYTES], path[4300];
        if (strcmp(v->info->files[i].role, "policy") != 0)
            continue;
        lb_package_file_name(name, i, v->info->files[i].file);
        lb_verifier_path(v, name, path);
        if (!lb_policy_load(path, &policies[count], &diagnostics))
            lb_verifier_find(v, "%s: is no policy", name);
        policies[count++].file = v->info->files[i].file;
    }
    return count;
}

static void recheck(lb_verifier *v, lb_suite **suites, const lb_profile **profiles)
{
    char error[700];
    lb_policy *policies = lb_resized(NULL, (v->info->file_count + 1) * sizeof *policies);
    const size_t policy_count = load_policies(v, policies);
    lb_recheck job = {.suite_count = v->info->suite_count,
                      .suites = suites,
                      .profile_count = v->info->profile_count,
                      .profiles = profiles,
                      .policy_count = policy_count,
                      .policies = policies,
                      .contradiction = tell_contradiction,
                      .user = v};
    if (!lb_recheck_results(&job, v->reader, error, sizeof error))
        lb_verifier_find(v, "%s", error);
    lb_completeness whole = {.suites = suites, .contradiction = tell_contradiction, .user = v};
    if (!error[0] && !lb_completeness_check(&whole, v->reader, error, sizeof error))
        lb_verifier_find(v, "results.json: %s", error);
    printf("%" PRIu64 " results held against the exact model, %" PRIu64
           " not (skipped, errors, movement in steps%s)\n",
           job.held, job.not_held, lb_package_has_suites(v->info) ? "" : ", sweeps");
    printf("not recomputed: " LB_NOT_RECOMPUTED "\n");
    for (size_t i = 0; i < policy_count; i++)
        lb_policy_free(&policies[i]);
    free(policies);
}

static void check_model(lb_verifier *v)
{
    size_t count = v->info->suite_count, profile_count = v->info->profile_count;
    lb_suite **suites = lb_zeroed(count, sizeof(lb_suite *));
    opened_suite *opened = lb_zeroed(count, sizeof *opened);
    lb_profile *loaded = lb_zeroed(profile_count, sizeof *loaded);
    const lb_profile **profiles = lb_zeroed(profile_count, sizeof(const lb_profile *));
    bool good = true;
    for (size_t i = 0; good && i < profile_count; i++)
        good = (profiles[i] = choose_profile(v, v->info->profiles[i], &loaded[i])) != NULL;
    for (size_t i = 0; lb_package_has_suites(v->info) && i < count; i++)
        suites[i] = open_suite(v, i, &opened[i]);
    if (good)
        recheck(v, suites, profiles);
    for (size_t i = 0; i < count; i++)
        close_suite(suites[i], &opened[i]);
    free(suites);
    free(opened);
    free(loaded);
    free(profiles);
}

/* How much was tried, of how much there is: what the head says is counted again. */
static void check_scope(lb_verifier *v)
{
    const lb_run_info *info = v->info;
    const lb_profile *first = info->profile_count > 0 ? lb_profile_named(info->profiles[0]) : NULL;
    const lb_kernel_set *set = lb_kernel_sets[first ? first->set : LB_SET_MLI];
    unsigned tried = 0;
    if (lb_tally_total(&v->tally) == 0)
        return;
    if (info->profiles_all != set->profile_count)
        lb_verifier_find(v, "results.json: profiles_all is %u, and there are %u",
                         info->profiles_all, set->profile_count);
    for (unsigned n = 0; n < set->profile_count && info->profile_file_count == 0; n++) {
        bool there = false;
        for (size_t i = 0; i < info->profile_count; i++)
            there = there || strcmp(info->profiles[i], set->profiles[n].name) == 0;
        tried += there;
    }
    if (info->profile_file_count == 0 && info->profiles_tried != tried)
        lb_verifier_find(v, "results.json: profiles_tried is %u, and the run has %u",
                         info->profiles_tried, tried);
    if (info->functions_provided > info->functions_all)
        lb_verifier_find(v, "results.json: %u functions are provided, of %u",
                         info->functions_provided, info->functions_all);
}

static void check_results(lb_verifier *v)
{
    char path[4300], error[700] = "";
    lb_verified_member *m = lb_verifier_member(v, "results.json");
    lb_verifier_path(v, "results.json", path);
    v->reader = m ? lb_results_open(path, error, sizeof error) : NULL;
    if (!v->reader) {
        lb_verifier_find(v, "results.json: %s", m ? error : "is missing");
        return;
    }
    m->used = true;
    v->info = lb_results_info(v->reader);
    v->tally = *lb_results_tally(v->reader);
    v->expected = v->info->expected;
    v->has_tally = true;
    lb_verifier_documents(v);
    check_scope(v);
    check_files(v);
    check_model(v);
    for (size_t i = 0; i < v->count; i++)
        if (!v->members[i].used)
            lb_verifier_find(v, "%s: does not belong into the package of these results",
                             v->members[i].name);
    lb_results_close(v->reader);
}

/* ---- The command ---- */

/* That a package is what it says is not that its port passes. */
static void tell_verdict(const lb_verifier *v)
{
    uint64_t total = lb_tally_total(&v->tally);
    if (!v->has_tally)
        return;
    printf("; the results say %" PRIu64 " passed, %" PRIu64 " failed, %" PRIu64 " skipped",
           lb_tally_passed(&v->tally), lb_tally_failed(&v->tally), lb_tally_skipped(&v->tally));
    if (total < v->expected)
        printf("; INCOMPLETE: %" PRIu64 " of %" PRIu64 " results", total, v->expected);
}

/* Who made the package is known from its signature alone. */
static void check_signature(lb_verifier *v)
{
    char text[LB_SIGNATURE_TEXT];
    const bool there = lb_signature_exists(v->path);
    if (!there && v->public_key)
        lb_verifier_find(v, "is not signed: there is no %.200s.sig", v->path);
    else if (there && !lb_signature_check(v->path, v->public_key, v->folder, text))
        lb_verifier_find(v, "%s", text);
    else if (there && v->public_key)
        snprintf(v->signer, sizeof v->signer, "; signed with the %.250s", text);
    else if (there)
        snprintf(v->signer, sizeof v->signer,
                 "; signed with the %.200s, whose that is nobody said (--key)", text);
}

static void check_members(lb_verifier *v, FILE *in)
{
    if (!unpack(v, in))
        return;
    check_manifest(v);
    if (v->spoilt) /* then they are not worth reading */
        printf("note: what the members say was not looked at\n");
    else
        check_results(v);
}

static int verify(lb_verifier *v, FILE *in)
{
    if (!lb_package_folder_make(v->folder))
        return FAILED;
    if (!make_folders(v)) {
        v->failed = true;
    } else {
        check_signature(v);
        check_members(v, in);
    }
    lb_package_folder_remove(v->folder);
    if (v->failed)
        return FAILED;
    if (v->findings > MAX_SHOWN)
        printf("... and %" PRIu64 " more\n", v->findings - MAX_SHOWN);
    if (v->findings == 0)
        printf("verified: %zu members", v->count);
    else
        printf("NOT verified: %" PRIu64 " %s", v->findings,
               v->findings == 1 ? "finding" : "findings");
    tell_verdict(v);
    lb_doc signer = lb_doc_make();
    lb_escape_line(&signer, v->signer);
    printf("%.*s\n", (int)signer.length, signer.text ? signer.text : "");
    lb_doc_free(&signer);
    return fflush(stdout) != 0 ? FAILED : v->findings > 0 ? NOT_VERIFIED : 0;
}

int lb_package_verify(const char *path, const char *public_key)
{
    lb_verifier v = {.path = path, .public_key = public_key};
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
    free(v.slots);
    return result;
}
