/* How far something is: see progress.h. */
#include "harness/base/progress.h"
#include "harness/base/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BAR_CELLS = 24 };
static const uint64_t FRAME_NS = 100000000u, LINE_NS = 10000000000u;

void lb_progress_start(lb_progress *progress, lb_progress_way way, const char *what, uint64_t total)
{
    const bool is_bar = isatty(STDERR_FILENO) != 0;
    const uint64_t now = lb_now_ns();
    *progress = (lb_progress){.visible = total > 0 && way != LB_PROGRESS_OFF &&
                                         (is_bar || way == LB_PROGRESS_LINES),
                              .is_bar = is_bar,
                              .what = what,
                              .total = total,
                              .started_ns = now,
                              .shown_ns = is_bar ? 0 : now};
}

/* ", 1:05 left"; nothing in the first second. */
static void write_rest(const lb_progress *progress, uint64_t done, double seconds, char text[32])
{
    const double rest = seconds / (double)(done > 0 ? done : 1) * (double)(progress->total - done);
    text[0] = '\0';
    if (done > 0 && done < progress->total && seconds >= 1 && rest < 86400)
        snprintf(text, 32, ", %u:%02u left", (unsigned)rest / 60, (unsigned)rest % 60);
}

void lb_progress_show(lb_progress *progress, uint64_t done)
{
    const uint64_t now = lb_now_ns();
    if (!progress->visible || now < progress->shown_ns + (progress->is_bar ? FRAME_NS : LINE_NS))
        return;
    progress->shown_ns = now;
    done = done < progress->total ? done : progress->total;
    const double seconds = (double)(now - progress->started_ns) * 1e-9;
    char rest[32];
    write_rest(progress, done, seconds, rest);
    if (!progress->is_bar) {
        fprintf(stderr, "lastbit: %" PRIu64 " of %" PRIu64 " %s%s\n", done, progress->total,
                progress->what, rest);
        return;
    }
    char bar[BAR_CELLS + 1];
    const size_t filled = (size_t)(done * BAR_CELLS / progress->total);
    memset(bar, '.', BAR_CELLS);
    memset(bar, '#', filled);
    bar[BAR_CELLS] = '\0';
    fprintf(stderr, "\r[%s] %" PRIu64 " of %" PRIu64 " %s  %.0f/s%s\033[K", bar, done,
            progress->total, progress->what, seconds > 0 ? (double)done / seconds : 0, rest);
    fflush(stderr);
}

void lb_progress_end(lb_progress *progress)
{
    if (progress->visible && progress->is_bar) {
        fprintf(stderr, "\r\033[K");
        fflush(stderr);
    }
}
