/* A progress bar: see progress.h. */
#include "harness/run/progress.h"
#include "harness/base/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BAR_CELLS = 24 };
static const uint64_t FRAME_NS = 100000000u;

void lb_progress_start(lb_progress *progress, bool wanted, uint64_t total)
{
    *progress = (lb_progress){.visible = wanted && total > 0 && isatty(STDERR_FILENO),
                              .total = total,
                              .started_ns = lb_now_ns()};
}

void lb_progress_show(lb_progress *progress, uint64_t done)
{
    uint64_t now = lb_now_ns();
    if (!progress->visible || now < progress->shown_ns + FRAME_NS)
        return;
    progress->shown_ns = now;
    char bar[BAR_CELLS + 1];
    size_t filled = (size_t)(done * BAR_CELLS / progress->total);
    filled = filled > BAR_CELLS ? BAR_CELLS : filled;
    memset(bar, '.', BAR_CELLS);
    memset(bar, '#', filled);
    bar[BAR_CELLS] = '\0';
    double seconds = (double)(now - progress->started_ns) * 1e-9;
    double rate = seconds > 0 ? (double)done / seconds : 0;
    char left[32] = "";
    if (rate > 0 && seconds >= 1 && done < progress->total) {
        double rest = (double)(progress->total - done) / rate;
        if (rest < 86400)
            snprintf(left, sizeof left, ", %u:%02u left", (unsigned)rest / 60, (unsigned)rest % 60);
    }
    fprintf(stderr, "\r[%s] %" PRIu64 " of %" PRIu64 "  %.0f/s%s\033[K", bar, done, progress->total,
            rate, left);
    fflush(stderr);
}

void lb_progress_end(lb_progress *progress)
{
    if (progress->visible) {
        fprintf(stderr, "\r\033[K");
        fflush(stderr);
    }
}
