/* Making a failing case small: see shrink.h. A step makes a changed copy; the copy is kept if it
 * still fails. */
#include "harness/generate/shrink.h"
#include "harness/generate/random_build.h"
#include "reference/describe/map.h"

#include <string.h>

/* ---- Taking a slice of a tensor ---- */

/* Keeps `keep` indices of dimension `dim`, from `start` on: shape, data, per-axis parameters. */
static void crop(lb_case_tensor *t, unsigned dim, uint32_t start, uint32_t keep)
{
    size_t inner = 1, outer = 1, old = t->shape[dim], used = 0;
    for (unsigned d = dim + 1; d < t->rank; d++)
        inner *= t->shape[d];
    for (unsigned d = 0; d < dim; d++)
        outer *= t->shape[d];
    for (size_t o = 0; t->has_data && o < outer; o++)
        for (size_t k = start; k < (size_t)start + keep; k++)
            for (size_t i = 0; i < inner; i++)
                lb_case_put_number(t, used++, lb_wide_value(&t->data, (o * old + k) * inner + i));
    if (t->has_data)
        t->data.count = used;
    if (t->axis == (int32_t)dim && t->quant_count == old) {
        memmove(t->scale, t->scale + start, keep * sizeof *t->scale);
        memmove(t->zero_point, t->zero_point + start, keep * sizeof *t->zero_point);
        memmove(t->scale_frac_bits, t->scale_frac_bits + start, keep);
        t->quant_count = keep;
    }
    t->shape[dim] = keep;
}

/* Does it have an element for each of its shape? Where a dimension is bad on purpose there are
 * none. */
static bool is_filled(const lb_case_tensor *t)
{
    uint64_t count = 1;
    for (unsigned d = 0; d < t->rank; d++)
        count = t->shape[d] < 1u << 28 && count < 1u << 28 ? count * t->shape[d] : UINT64_MAX;
    return !t->has_data || count == t->data.count;
}

/* Dimensions that have one size: all shrink together. */
typedef struct link {
    lb_role role;
    int dim;
} link;
enum { MAX_LINKS = 5 };

static bool has_dimension(const lb_case *c, const link *l)
{
    const lb_case_operand *operand = &c->operand[l->role];
    return operand->present && operand->count == 1 && l->dim < (int)operand->tensors[0].rank;
}

static bool crop_linked(lb_case *c, const link *links, unsigned count, bool from_end, uint32_t keep)
{
    bool any = false;
    for (unsigned i = 0; i < count; i++) {
        if (!has_dimension(c, &links[i]))
            continue;
        lb_case_tensor *t = &c->operand[links[i].role].tensors[0];
        uint32_t extent = t->shape[links[i].dim];
        if (extent <= keep)
            continue; /* small already, or of size one, which takes part in any size */
        if (t->has_buffer_elements || t->has_data_in || !is_filled(t))
            return false;
        crop(t, (unsigned)links[i].dim, from_end ? extent - keep : 0, keep);
        t->has_mem_stride = false;
        any = true;
    }
    return any;
}

/* ---- The search ---- */

typedef struct search {
    const lb_case *best;
    lb_still_fails still_fails;
    void *user;
    unsigned tries;
    lb_arena *arena;
} search;

static bool accept(search *s, const lb_case *candidate)
{
    if (s->tries == 0)
        return false;
    s->tries--;
    if (!s->still_fails(s->user, candidate))
        return false;
    s->best = candidate;
    return true;
}

static uint32_t extent_of(const lb_case *c, const link *links, unsigned count)
{
    uint32_t largest = 0;
    for (unsigned i = 0; i < count; i++)
        if (has_dimension(c, &links[i])) {
            uint32_t extent = c->operand[links[i].role].tensors[0].shape[links[i].dim];
            largest = extent > largest ? extent : largest;
        }
    return largest;
}

static bool try_crop(search *s, const link *links, unsigned count, bool from_end, uint32_t keep)
{
    lb_case *candidate = lb_case_copy(s->arena, s->best);
    return crop_linked(candidate, links, count, from_end, keep) && accept(s, candidate);
}

/* To half from either side as long as that goes, then one by one. */
static bool shrink_extent(search *s, const link *links, unsigned count)
{
    bool any = false, progress = true;
    while (progress && s->tries > 0) {
        uint32_t extent = extent_of(s->best, links, count);
        progress = false;
        if (extent < 2)
            break;
        for (int side = 0; side < 2 && !progress; side++)
            progress = try_crop(s, links, count, side == 1, extent / 2) ||
                       try_crop(s, links, count, side == 1, extent - 1);
        any = any || progress;
    }
    return any;
}

/* The dimension of an access that a loop runs along; below 0: none. Of a flat one the terms are
 * those of the dimensions. */
static int dimension_along(const lb_access *access, int loop)
{
    for (int d = 0; d < (access->is_flat ? LB_MAP_TERMS : access->rank); d++) {
        const lb_term *term = access->index[access->is_flat ? 0 : d].term;
        if (access->is_flat)
            term += d;
        while (!access->is_flat && term->sign != 0 && term->loop == LB_NO_LOOP)
            term++;
        if (term->sign != 0 && term->loop == loop)
            return d;
    }
    return -1;
}

static unsigned along(const lb_map *map, int loop, link links[MAX_LINKS])
{
    unsigned count = 0;
    for (int a = 0; a < LB_MAP_ACCESSES; a++) {
        const lb_access *access = &map->access[a];
        const int d =
            access->of_parameters || access->rank == 0 ? -1 : dimension_along(access, loop);
        if (d >= 0 && count < MAX_LINKS)
            links[count++] = (link){(lb_role)access->role, d};
    }
    return count;
}

/* Element by element: the same dimension of every tensor. */
static bool shrink_elementwise(search *s)
{
    bool any = false;
    for (int dim = 0; dim < LB_MAX_RANK; dim++) {
        link links[MAX_LINKS];
        unsigned count = 0;
        const lb_role_spec *spec = s->best->kernel->roles;
        for (; spec->use != LB_USE_NONE && count < MAX_LINKS; spec++)
            links[count++] = (link){spec->role, dim};
        any = shrink_extent(s, links, count) || any;
    }
    return any;
}

/* What shrinks together is read from the map, channels before rows. */
static bool shrink_shapes(search *s)
{
    const lb_map *map = lb_map_of(s->best->kernel);
    bool any = false;
    if (!map)
        return shrink_elementwise(s);
    for (int i = 0; i < map->loops; i++) {
        const int loop = i < map->outer ? map->outer - 1 - i : map->loops - 1 - (i - map->outer);
        link links[MAX_LINKS];
        const unsigned count = along(map, loop, links);
        any = (count > 0 && shrink_extent(s, links, count)) || any;
    }
    return any;
}

/* Each number of the configuration to the plainest value that keeps the failure. */
static bool shrink_config(search *s)
{
    bool any = false;
    const lb_config_field *f = lb_config_fields(s->best->kernel->config_kind);
    for (; f->name; f++)
        for (int64_t plain = 0; plain < 2 && f->count == 1; plain++) {
            lb_case *candidate = lb_case_copy(s->arena, s->best);
            if (lb_config_get(&candidate->config, f, 0) <= plain)
                continue;
            lb_config_set(&candidate->config, f, 0, plain);
            any = accept(s, candidate) || any;
        }
    return any;
}

const lb_case *lb_shrink(const lb_case *c, lb_still_fails still_fails, void *user, unsigned tries,
                         lb_arena *arena)
{
    search s = {
        .best = c, .still_fails = still_fails, .user = user, .tries = tries, .arena = arena};
    bool progress = c->kernel != NULL;
    while (progress && s.tries > 0) {
        progress = shrink_shapes(&s);
        progress = shrink_config(&s) || progress;
    }
    return s.best;
}

/* ---- Data ---- */

/* Data of every value in place of what chance and shrinking have left, where the case keeps
 * what it is for: a port that is wrong in one lane, one tap or one sign shows on such data alone.
 */
const lb_case *lb_shrink_enrich(const lb_case *c, lb_still_fails still_fails, void *user,
                                lb_arena *arena)
{
    for (lb_case_place p = LB_CASE_START; lb_case_next(c, &p);) {
        const int own = lb_container_bits((uint32_t)p.t->type), bits = own > 32 ? 32 : own;
        bool is_rich = !p.t->has_data || p.t->type == LB_FP32 || p.t->data.count < 2;
        for (int range = bits - 1; range > 2 && !is_rich; range = range > 12  ? 12
                                                                  : range > 6 ? 6
                                                                              : range - 2) {
            lb_case *richer = lb_case_copy(arena, c);
            lb_case_fill_uniform(&richer->operand[p.role].tensors[p.at], p.t->data.count,
                                 -((int64_t)1 << range), ((int64_t)1 << range) - 1);
            is_rich = still_fails(user, richer);
            c = is_rich ? richer : c;
        }
    }
    return c;
}
