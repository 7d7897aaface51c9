/* Signatures of packages: see signature.h. ssh-keygen does the work. */
#include "harness/package/signature.h"
#include "harness/base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char NO_PROGRAM[] = "there is no program ssh-keygen here (Debian: openssh-client)";

/* What the signature is for: one that was made for something else is none of a package. */
#define PURPOSE "lastbit-package"
#define SIGNER  "signer"

enum { NOT_FOUND = 127, PATH = 4400 };

static void signature_path(const char *file, char path[PATH])
{
    snprintf(path, PATH, "%.4300s.sig", file);
}

/* Its exit status, or -1; it reads `in` and writes `out`, which stay open here. */
static int run_keygen(const char *const *words, int in, int out)
{
    pid_t child = lb_child_start();
    if (child == 0) {
        if (dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0)
            execvp(words[0], (char *const *)(const void *)words);
        _exit(NOT_FOUND);
    }
    int status = lb_child_wait(child);
    return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int open_told(const char *path, int flags)
{
    int fd = open(path, flags | O_CLOEXEC, 0666);
    if (fd < 0)
        fprintf(stderr, "lastbit: %s: %s\n", path, strerror(errno));
    return fd;
}

bool lb_signature_make(const char *file, const char *key)
{
    char path[PATH];
    const char *const words[] = {"ssh-keygen", "-Y", "sign", "-q", "-f", key, "-n", PURPOSE, NULL};
    signature_path(file, path);
    int in = open_told(file, O_RDONLY),
        out = in >= 0 ? open_told(path, O_WRONLY | O_CREAT | O_TRUNC) : -1;
    const int status = out >= 0 ? run_keygen(words, in, out) : -1;
    bool good = status == 0;
    if (out >= 0 && !good) {
        unlink(path);
        fprintf(stderr, "lastbit: %s: not signed: %s%s\n", file,
                status == NOT_FOUND ? NO_PROGRAM : key,
                status == NOT_FOUND ? "" : " signs nothing");
    }
    if (in >= 0)
        close(in);
    if (out >= 0)
        good = close(out) == 0 && good;
    return good;
}

bool lb_signature_exists(const char *file)
{
    char path[PATH];
    struct stat status;
    signature_path(file, path);
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* The first key of the file, as one of a signer; false: there is none. Private keys begin with a
 * line of dashes. */
static bool write_signers(const char *public_key, const char *path)
{
    char line[1 << 14];
    bool written = false;
    FILE *from = fopen(public_key, "re"), *to = from ? fopen(path, "we") : NULL;
    while (to && !written && fgets(line, sizeof line, from) && line[0] != '-')
        if (line[0] != '#' && strspn(line, " \t\r\n") != strlen(line))
            written = fprintf(to, SIGNER " namespaces=\"" PURPOSE "\" %s", line) > 0;
    if (from)
        fclose(from);
    if (to)
        written = fclose(to) == 0 && written;
    return written;
}

/* What ssh-keygen says of a good one ends with the kind of key and its digest. */
static void take_key(int pipe_end, char text[LB_SIGNATURE_TEXT])
{
    char said[LB_SIGNATURE_TEXT] = "";
    ssize_t got = read(pipe_end, said, sizeof said - 1);
    said[got > 0 ? got : 0] = '\0';
    said[strcspn(said, "\n")] = '\0';
    const char *with = strstr(said, " with ");
    snprintf(text, LB_SIGNATURE_TEXT, "%.290s", with ? with + strlen(" with ") : said);
}

/* The exit status of ssh-keygen, or -1. */
static int check(const char *const *words, int in, char text[LB_SIGNATURE_TEXT])
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    const int status = run_keygen(words, in, ends[1]);
    close(ends[1]);
    if (status == 0)
        take_key(ends[0], text);
    close(ends[0]);
    return status;
}

bool lb_signature_check(const char *file, const char *public_key, const char *folder,
                        char text[LB_SIGNATURE_TEXT])
{
    char path[PATH], signers[PATH];
    const char *const any[] = {"ssh-keygen", "-Y", "check-novalidate", "-n", PURPOSE, "-s",
                               path,         NULL};
    const char *const one[] = {"ssh-keygen", "-Y", "verify", "-f", signers, "-I",
                               SIGNER,       "-n", PURPOSE,  "-s", path,    NULL};
    signature_path(file, path);
    snprintf(signers, sizeof signers, "%.4300s/signers", folder);
    if (public_key && !write_signers(public_key, signers))
        return snprintf(text, LB_SIGNATURE_TEXT,
                        "%.200s holds no public key: expected the file of one, which ends in .pub",
                        public_key),
               false;
    int in = open(file, O_RDONLY | O_CLOEXEC);
    const int status = in >= 0 ? check(public_key ? one : any, in, text) : -1;
    if (in >= 0)
        close(in);
    if (status == NOT_FOUND)
        snprintf(text, LB_SIGNATURE_TEXT, "the signature was not looked at: %s", NO_PROGRAM);
    else if (status != 0)
        snprintf(text, LB_SIGNATURE_TEXT, "%s",
                 public_key ? "the signature is not that of this file and the key of --key"
                            : "the signature is not that of this file");
    return status == 0;
}
