/* Moves boxes of elements at the speed of memory. */
#include "copy.h"

#include <string.h>

#include "loops.h"

/* A dimension that is left after reduction. Steps in bytes. */
struct dimension {
    size_t extent;
    ptrdiff_t from, to;
};

/* A box without the dimensions that need no loop. */
struct reduced {
    size_t bytes;   /* of a run that is contiguous on both sides: an element, or many */
    unsigned count; /* of dimensions */
    struct dimension at[MLI_MAX_RANK]; /* innermost of the destination first */
};

/* Melts dimensions that continue each other on both sides. False if the box is empty. */
static bool reduce(const struct lb_mli_box *box, size_t size, struct reduced *r)
{
    r->bytes = size;
    r->count = 0;
    for (uint32_t d = box->rank; d-- > 0;) {
        if (box->extent[d] == 0)
            return false;
        if (box->extent[d] == 1)
            continue; /* its steps are never taken, and may be of any size */
        const struct dimension dim = {box->extent[d], box->from[d] * (ptrdiff_t)size,
                                      box->to[d] * (ptrdiff_t)size};
        struct dimension *inner = &r->at[r->count - (r->count > 0)];
        if (r->count == 0 && dim.from == (ptrdiff_t)r->bytes && dim.to == (ptrdiff_t)r->bytes)
            r->bytes *= dim.extent;
        else if (r->count > 0 && dim.from == inner->from * (ptrdiff_t)inner->extent &&
                 dim.to == inner->to * (ptrdiff_t)inner->extent)
            inner->extent *= dim.extent;
        else
            r->at[r->count++] = dim;
    }
    return true;
}

/* Rows of a plane that are read side by side, so that a cache line that was fetched for a few of
 * its bytes is still there when the next bytes are due. */
enum { ROWS_TOGETHER = 64 };

/* Transposes runs: dim across is contiguous, or nearly, in the source, dim along in the
 * destination. */
static void copy_plane(const struct lb_mli_loops *loops, const char *from, char *to, size_t bytes,
                       const struct dimension *across, const struct dimension *along)
{
    const bool dense = across->from == (ptrdiff_t)bytes && along->to == (ptrdiff_t)bytes;
    if (dense && bytes == 1 && across->extent == 3 && along->from == 3) {
        loops->split_3((const uint8_t *)from, along->extent, (uint8_t *)to, across->to);
        return;
    }
    if (dense && bytes == 1 && along->extent == 3 && across->to == 3) {
        loops->join_3((const uint8_t *)from, along->from, across->extent, (uint8_t *)to);
        return;
    }
    if (dense && (bytes == 1 || bytes == 2 || bytes == 4)) {
        const enum lb_mli_width width = bytes == 1   ? LB_MLI_8BIT
                                        : bytes == 2 ? LB_MLI_16BIT
                                                     : LB_MLI_32BIT;
        loops->transpose[width](from, along->from, along->extent, across->extent, to, across->to);
        return;
    }
    for (size_t row = 0; row < along->extent; row += ROWS_TOGETHER) {
        const size_t rows = lb_mli_min_size(along->extent - row, ROWS_TOGETHER);
        const char *a = from + (ptrdiff_t)row * along->from;
        char *b = to + (ptrdiff_t)row * along->to;
        for (ptrdiff_t i = 0; i < (ptrdiff_t)across->extent; i++)
            loops->copy_runs(a + i * across->from, along->from, bytes, rows, b + i * across->to,
                             along->to);
    }
}

/* The dimension with the smallest step in the source. */
static unsigned nearest(const struct reduced *r)
{
    unsigned best = 0;
    for (unsigned d = 1; d < r->count; d++)
        if (r->at[d].from < r->at[best].from)
            best = d;
    return best;
}

/* Everything that stays the same while the outer dimensions are counted through. */
struct job {
    const struct lb_mli_loops *loops;
    struct reduced r;
    unsigned across; /* index in r: 0 if the innermost dimension is also the nearest */
    unsigned outers; /* dimensions outside the run or the plane */
    struct dimension outer[MLI_MAX_RANK]; /* inner ones first */
};

static void copy_dimensions(const struct job *job, const char *from, char *to, unsigned outers)
{
    const struct dimension *inner = &job->r.at[0];
    if (outers > 0) {
        const struct dimension *dim = &job->outer[outers - 1];
        for (ptrdiff_t i = 0; i < (ptrdiff_t)dim->extent; i++)
            copy_dimensions(job, from + i * dim->from, to + i * dim->to, outers - 1);
    } else if (job->across > 0) {
        copy_plane(job->loops, from, to, job->r.bytes, &job->r.at[job->across], inner);
    } else {
        job->loops->copy_runs(from, inner->from, job->r.bytes, inner->extent, to, inner->to);
    }
}

void lb_mli_copy_box(const void *from, void *to, size_t size, const struct lb_mli_box *box)
{
    struct job job;
    if (!reduce(box, size, &job.r))
        return;
    if (job.r.count == 0) {
        memcpy(to, from, job.r.bytes);
        return;
    }
    job.loops = lb_mli_loops();
    job.across = nearest(&job.r);
    job.outers = 0;
    for (unsigned d = 1; d < job.r.count; d++)
        if (d != job.across)
            job.outer[job.outers++] = job.r.at[d];
    copy_dimensions(&job, from, to, job.outers);
}

/* Short runs of zeros are copied from here: one place, every time. */
static const char zeros[64];

static void clear_dimensions(const struct lb_mli_loops *loops, const struct reduced *r, char *to,
                             unsigned count)
{
    const struct dimension *dim = &r->at[count - (count > 0)];
    if (count == 0)
        memset(to, 0, r->bytes);
    else if (count == 1 && r->bytes <= sizeof zeros)
        loops->copy_runs(zeros, 0, r->bytes, dim->extent, to, dim->to);
    else
        for (ptrdiff_t i = 0; i < (ptrdiff_t)dim->extent; i++)
            clear_dimensions(loops, r, to + i * dim->to, count - 1);
}

void lb_mli_clear_box(void *to, size_t size, const struct lb_mli_box *box)
{
    struct lb_mli_box alone = *box;
    struct reduced r;
    memcpy(alone.from, box->to, sizeof alone.from); /* melts what the destination allows */
    if (reduce(&alone, size, &r))
        clear_dimensions(lb_mli_loops(), &r, to, r.count);
}
