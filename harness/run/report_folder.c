/* What a run finds in its report folder: see report_folder.h. */
#include "harness/run/report_folder.h"
#include "reports/render.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

/* The lock that journal.c holds as long as a run goes on. */
static bool is_being_written(const char *folder)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/journal.jsonl", folder);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool locked = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (fd >= 0)
        close(fd);
    return locked;
}

void lb_report_folder_begin(const char *folder)
{
    char path[PATH_BYTES], previous[PATH_BYTES];
    const lb_document_kind *kind;
    if (!folder || is_being_written(folder))
        return;
    if ((size_t)snprintf(path, sizeof path, "%s/results.json", folder) >= sizeof path ||
        (size_t)snprintf(previous, sizeof previous, "%s/" LB_PREVIOUS_RESULTS, folder) >=
            sizeof previous ||
        rename(path, previous) != 0)
        return; /* no results, so no documents of them */
    for (size_t i = 0; (kind = lb_document_of(LB_OF_RUN | LB_OF_ANNOTATIONS, i)) != NULL; i++)
        if (kind->file &&
            (size_t)snprintf(path, sizeof path, "%s/%s", folder, kind->file) < sizeof path)
            unlink(path);
}
