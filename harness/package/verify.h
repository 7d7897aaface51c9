/* A package that is being verified, for the files verify*.c alone. */
#ifndef LB_HARNESS_PACKAGE_VERIFY_H
#define LB_HARNESS_PACKAGE_VERIFY_H

#include "harness/base/format_checked.h"
#include "harness/base/sha256.h"
#include "harness/package/archive.h"
#include "harness/package/package.h"

#include "reports/results.h"

#include <stdio.h>

typedef struct lb_verified_member {
    char name[LB_MAX_MEMBER_NAME + 1]; /* without the folder */
    char sha256[LB_SHA256_TEXT];
    bool used; /* something in the package accounts for it */
} lb_verified_member;

typedef struct lb_verifier {
    const char *path, *public_key; /* public_key: NULL: nobody's is asked for */
    char signer[300];              /* "": it is not signed */
    char folder[4096];
    lb_verified_member *members;
    size_t count, capacity;
    uint64_t findings;
    bool spoilt; /* members are not those that the manifest names */
    /* of the member that is being unpacked */
    FILE *out;
    lb_sha256 digest;
    bool failed;    /* the disk */
    bool has_tally; /* what the results say is known */
    lb_tally tally;
    uint64_t expected;
    uint32_t *slots; /* 1 + place in members, by name; 0: none */
    size_t slot_count;
    lb_results_reader *reader;
    const lb_run_info *info;
} lb_verifier;

/* Counts what is wrong, and tells it. */
void lb_verifier_find(lb_verifier *v, const char *format, ...) LB_FORMAT_CHECKED(2, 3);
void lb_verifier_path(const lb_verifier *v, const char *name, char path[4300]);
/* The member of that name, or NULL. */
lb_verified_member *lb_verifier_member(const lb_verifier *v, const char *name);
/* Its text, to be freed; NULL: it cannot be read. */
char *lb_verifier_read(lb_verifier *v, const char *name, size_t *length);

/* Are the documents what the results make? */
void lb_verifier_documents(lb_verifier *v);

#endif
