/* Packages: one archive with results, documents, suites, waivers, environment and their SHA-256
 * sums, to hand on. What is in it: reports/FORMAT.md, "package and verify". */
#ifndef LB_HARNESS_PACKAGE_PACKAGE_H
#define LB_HARNESS_PACKAGE_PACKAGE_H

#include "reports/render.h"
#include "reports/results.h"

#define LB_PACKAGE_FOLDER   "lastbit-package/"
#define LB_PACKAGE_MANIFEST "MANIFEST.sha256"

enum { LB_PACKAGE_NAME_BYTES = 80 };

/* `lastbit report package` (waivers NULL: none; of the extras only what stands in the statement;
 * key NULL: it is not signed) and `lastbit report verify` (public_key NULL: any): the exit status.
 */
int lb_package_write(const char *results, const lb_render_extras *extras, const char *waivers,
                     const char *output, const char *key);
int lb_package_verify(const char *path, const char *public_key);

/* Name of the member that holds suite number `index`: "suites/003-conv2d.yaml". */
void lb_package_suite_name(char name[LB_PACKAGE_NAME_BYTES], size_t index, const char *file);
/* Name of the member that holds a profile from a file. */
void lb_package_profile_name(char name[LB_PACKAGE_NAME_BYTES], const char *profile);
/* Name of the member that holds file number `index` of the results: "files/001-model.json". */
void lb_package_file_name(char name[LB_PACKAGE_NAME_BYTES], size_t index, const char *file);
/* Does it stand in the package under that name? Profiles have one of their own, and files of the
 * port stay where they are. */
bool lb_package_has_file(const lb_run_file *file);
/* Are the suites of this run files? Those of a sweep are made. */
bool lb_package_has_suites(const lb_run_info *info);

/* A folder for the time of the command, in $TMPDIR. False: message on standard error. */
bool lb_package_folder_make(char path[4096]);
/* Removes it with the files in it and in its folders. */
void lb_package_folder_remove(const char *path);

#endif
