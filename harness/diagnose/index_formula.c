/* Index maps that are right for another order of a tensor's dimensions: see index_map.h. */
#include "harness/diagnose/features.h"
#include "harness/diagnose/index_map.h"

#include <string.h>

static void split(size_t flat, const uint32_t *shape, const unsigned *order, unsigned rank,
                  uint32_t *index)
{
    for (unsigned d = rank; d-- > 0;) {
        index[order[d]] = (uint32_t)(flat % shape[order[d]]);
        flat /= shape[order[d]];
    }
}

size_t lb_formula_place(const lb_formula *f, const lb_case_tensor *t, size_t flat)
{
    uint32_t index[LB_MAX_RANK] = {0};
    size_t place = 0;
    split(flat, t->shape, f->order, t->rank, index);
    for (unsigned d = 0; d < t->rank; d++) {
        uint32_t at = f->backwards >> d & 1 ? t->shape[d] - 1 - index[d] : index[d];
        place = place * t->shape[d] + at;
    }
    return place;
}

/* Of weights whose partner was not probed nothing is known; some must be. */
static bool weights_fit(const lb_index_map *p, const lb_formula *f)
{
    enum { LEAST_SHARE = 4 };
    size_t known = 0;
    for (size_t k = 0; k < p->weight_count; k++) {
        size_t from =
            lb_index_map_number(p, lb_formula_place(f, p->weights, lb_index_map_weight(p, k)));
        if (from == p->weight_count)
            continue;
        known++;
        if (memcmp(p->port + k * p->outputs, p->right + from * p->outputs,
                   p->outputs * sizeof *p->port) != 0)
            return false;
    }
    return known * LEAST_SHARE >= p->weight_count;
}

/* The inputs that the port takes, told in the places that the formula gives them. */
static bool inputs_fit(const lb_index_map *p, const lb_formula *f)
{
    for (size_t i = 0; i < p->weight_count * p->outputs; i++) {
        if ((p->port[i] < 0) != (p->right[i] < 0))
            return false;
        if (p->port[i] >= (int32_t)p->inputs ||
            (p->port[i] >= 0 &&
             lb_formula_place(f, p->in, (size_t)p->port[i]) != (size_t)p->right[i]))
            return false;
    }
    return true;
}

const char *lb_formula_words(const lb_formula *f, unsigned rank, lb_arena *arena)
{
    const char *what = f->role == LB_ROLE_IN ? "the input" : "weights";
    const char *order = "", *backwards = "";
    bool moved = false;
    for (unsigned d = 0; d < rank; d++) {
        moved = moved || f->order[d] != d;
        order = lb_arena_printf(arena, "%s[%u]", order, f->order[d]);
        if (f->backwards >> d & 1)
            backwards = lb_arena_printf(arena, "%s%s%u", backwards, backwards[0] ? ", " : "", d);
    }
    return lb_arena_printf(arena, "reads %s%s%s%s%s%s", what,
                           moved ? " as if its dimensions lay in the order " : "",
                           moved ? order : "", moved && f->backwards ? ", and" : "",
                           f->backwards ? " backwards in dimension " : "", backwards);
}

static bool next_order(unsigned *order, unsigned rank)
{
    unsigned i = rank - 1, k = rank - 1;
    while (i > 0 && order[i - 1] >= order[i])
        i--;
    if (i == 0)
        return false;
    while (order[k] <= order[i - 1])
        k--;
    unsigned kept = order[i - 1];
    order[i - 1] = order[k];
    order[k] = kept;
    for (unsigned a = i, b = rank - 1; a < b; a++, b--) {
        kept = order[a];
        order[a] = order[b];
        order[b] = kept;
    }
    return true;
}

static bool fits_all(const lb_index_map *maps, size_t count,
                     bool (*fits)(const lb_index_map *p, const lb_formula *f), const lb_formula *f)
{
    for (size_t i = 0; i < count; i++)
        if (!fits(&maps[i], f))
            return false;
    return true;
}

static size_t add_formulas(const lb_index_map *maps, size_t count, lb_role role,
                           bool (*fits)(const lb_index_map *p, const lb_formula *f),
                           lb_formula *list, size_t listed)
{
    const lb_case_tensor *t = role == LB_ROLE_IN ? maps->in : maps->weights;
    lb_formula f = {.role = role, .order = {0, 1, 2, 3}};
    bool plain = true;
    if (t->rank == 0 || t->rank > LB_MAX_RANK)
        return listed;
    do {
        for (f.backwards = plain; f.backwards < 1u << t->rank; f.backwards++)
            if (listed < LB_MOST_FORMULAS && fits_all(maps, count, fits, &f))
                list[listed++] = f;
        plain = false;
    } while (next_order(f.order, t->rank));
    return listed;
}

size_t lb_index_map_formulas(const lb_index_map *maps, size_t count,
                             lb_formula formulas[LB_MOST_FORMULAS])
{
    size_t listed = add_formulas(maps, count, LB_ROLE_WEIGHTS, weights_fit, formulas, 0);
    return add_formulas(maps, count, LB_ROLE_IN, inputs_fit, formulas, listed);
}
