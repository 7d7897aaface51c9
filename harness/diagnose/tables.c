/* Tables that create_lut makes wrong. */
#include "harness/diagnose/diagnosis.h"
#include "reference/core/lut.h"

#include <inttypes.h>
#include <string.h>

static bool looks_up(const lb_kernel *kernel, lb_lut_kind table)
{
    return lb_families[kernel->family].tables >> table & 1;
}

static bool makes(const lb_kernel *kernel, lb_lut_kind table)
{
    return kernel && lb_filled_config(kernel) == LB_CONFIG_LUT && lb_lut_of(kernel) == table;
}

/* What a call of create_lut left. */
typedef struct table_left {
    const lb_config *given, *right, *got;
    const unsigned char *entries, *before; /* the table's memory after and before the call */
    lb_lut_kind table;
    int wrong_entries;
    bool is_moved;       /* the caller's data pointer is another */
    int64_t moved_bytes; /* by how much, where it still points into the table's memory; else 0 */
} table_left;

static int16_t entry_at(const unsigned char *entries, int i)
{
    int16_t entry;
    memcpy(&entry, entries + 2 * (size_t)i, sizeof entry);
    return entry;
}

static unsigned count_wrong_fields(const table_left *t)
{
    unsigned wrong = 0;
    const lb_config_field *f = lb_config_fields(LB_CONFIG_LUT);
    for (; f->name; f++)
        wrong += lb_config_get(t->right, f, 0) != lb_config_get(t->got, f, 0);
    return wrong;
}

static void look_at_pointer(table_left *t, const lb_instance *right, const lb_left *left)
{
    lb_place was = lb_fields_of(right, &right->tensors[LB_ROLE_OUT][0]).data;
    lb_place is = left->fields[LB_ROLE_OUT].data;
    t->is_moved =
        was.kind != is.kind || was.buffer != is.buffer || was.offset_bytes != is.offset_bytes;
    if (t->is_moved && was.kind == is.kind && was.buffer == is.buffer)
        t->moved_bytes = (int64_t)is.offset_bytes - (int64_t)was.offset_bytes;
}

/* Nothing but the table and the fields is wrong. False: it is another matter. */
static bool look_at(table_left *t, const lb_fault_bench *bench, const lb_left *left)
{
    const lb_tensor *out = bench->right.call.tensor[LB_ROLE_OUT];
    if (left->status != LB_OK || bench->right.call.status != LB_OK || !out || out->rank == 0 ||
        left->block_bytes != bench->memory.block_bytes)
        return false;
    size_t at = (size_t)((const unsigned char *)out->data.mem.ptr - bench->right.block);
    size_t behind = at + (size_t)lb_lut_size_bytes(t->table);
    t->given = &bench->before.call.config;
    t->right = &bench->right.call.config;
    t->got = &left->config;
    t->entries = left->block + at;
    t->before = bench->before.block + at;
    t->wrong_entries = 0;
    for (int i = 0; i < lb_luts[t->table].length; i++)
        t->wrong_entries += entry_at(t->entries, i) != lb_luts[t->table].table[i];
    look_at_pointer(t, &bench->right, left);
    return behind <= left->block_bytes && memcmp(left->block, bench->right.block, at) == 0 &&
           memcmp(left->block + behind, bench->right.block + behind, left->block_bytes - behind) ==
               0 &&
           (t->is_moved || t->wrong_entries + (int)count_wrong_fields(t) > 0);
}

/* One number that all wrong entries are off by, or 0. */
static int all_off_by(const table_left *t)
{
    const lb_lut *lut = &lb_luts[t->table];
    int off = 0;
    for (int i = 0; i < lut->length; i++) {
        int by = entry_at(t->entries, i) - lut->table[i];
        if (by == 0)
            continue;
        if (off != 0 && by != off)
            return 0;
        off = by;
    }
    return off;
}

/* Are the wrong entries those that nothing was written to? */
static bool are_left(const table_left *t)
{
    const lb_lut *lut = &lb_luts[t->table];
    bool left = t->wrong_entries > 0;
    for (int i = 0; left && i < lut->length; i++)
        left = entry_at(t->entries, i) == lut->table[i] ||
               entry_at(t->entries, i) == entry_at(t->before, i);
    return left;
}

static const char *entries_words(const table_left *t, lb_arena *arena)
{
    const lb_lut *lut = &lb_luts[t->table];
    int first = 0, off = all_off_by(t);
    while (first < lut->length && entry_at(t->entries, first) == lut->table[first])
        first++;
    if (are_left(t))
        return lb_arena_printf(arena, "%d of %d entries are left as they were, from entry %d on; ",
                               t->wrong_entries, lut->length, first);
    const char *all = t->wrong_entries > 1 ? lb_arena_printf(arena, "%d of %d entries are wrong, ",
                                                             t->wrong_entries, lut->length)
                                           : "";
    const char *by =
        t->wrong_entries > 1 && off != 0 ? lb_arena_printf(arena, "all by %d, ", off) : "";
    return lb_arena_printf(arena, "%s%s%sentry %d is %d, not %d; ", all, by,
                           t->wrong_entries > 1 ? "the first: " : "", first,
                           entry_at(t->entries, first), lut->table[first]);
}

static const char *fields_words(const table_left *t, lb_arena *arena)
{
    const char *words = "";
    for (const lb_config_field *f = lb_config_fields(LB_CONFIG_LUT); f->name; f++) {
        const int64_t right = lb_config_get(t->right, f, 0), got = lb_config_get(t->got, f, 0);
        if (right == got)
            continue;
        words = got == lb_config_get(t->given, f, 0)
                    ? lb_arena_printf(arena, "%s%s is left as it was, not set to %" PRId64 "; ",
                                      words, f->name, right)
                    : lb_arena_printf(arena, "%s%s is %" PRId64 ", not %" PRId64 "; ", words,
                                      f->name, got, right);
    }
    return words;
}

static const char *sentence_of(lb_diagnosing *g, const table_left *t)
{
    lb_arena *arena = &g->d->arena;
    const char *pointer =
        !t->is_moved ? ""
        : t->moved_bytes != 0
            ? lb_arena_printf(arena, "the data pointer is moved by %" PRId64 " bytes; ",
                              t->moved_bytes)
            : "the data pointer is another; ";
    char *words = lb_arena_printf(
        arena, "fills the table of %s wrong: %s%s%s", lb_luts[t->table].name,
        t->wrong_entries > 0 ? entries_words(t, arena) : "", fields_words(t, arena), pointer);
    words[strlen(words) - strlen("; ")] = '\0';
    return words;
}

/* What the first result shows that is no other matter, in words; NULL: none does. */
static const char *what_is_wrong(lb_diagnosing *g, lb_lut_kind table)
{
    lb_look look = {.arena = {0}};
    const char *sentence = NULL;
    for (size_t i = 0; i < g->e->count && !sentence; i++) {
        const lb_tried *tried = &g->e->items[i];
        table_left t = {.table = table};
        if (tried->verdict == LB_FAIL && tried->left && makes(tried->kernel, table) &&
            lb_look_at(&look, g->e, tried) && look_at(&t, &look.bench, tried->left))
            sentence = sentence_of(g, &t);
    }
    lb_look_end(&look);
    return sentence;
}

static void tell_users(lb_diagnosing *g, lb_found_fault *found, lb_lut_kind table)
{
    uint64_t own = found->results;
    for (size_t i = 0; i < g->e->count; i++) {
        const lb_tried *t = &g->e->items[i];
        if (t->kernel && t->verdict == LB_FAIL && looks_up(t->kernel, table))
            lb_diagnosis_claim(g, (uint32_t)i);
    }
    if (found->results == own)
        return;
    lb_diagnosis_fact(g, found,
                      lb_arena_printf(&g->d->arena,
                                      "%" PRIu64
                                      " failing results of functions that look up in it stand here "
                                      "and were not looked into: mend the table, and run again",
                                      found->results - own));
}

static void add_finding(lb_diagnosing *g, lb_lut_kind table, const char *sentence)
{
    lb_found_fault *found = lb_diagnosis_add(g);
    if (!found)
        return;
    found->name = lb_arena_printf(&g->d->arena, "table.wrong at %s", lb_luts[table].name);
    found->sentence = sentence;
    found->section = "recurrent.md 3; elementwise.md 6";
    found->look_for = "the numbers of the table, and what create_lut sets beside them";
    found->certainty = LB_CERTAIN_ONE;
    for (size_t i = 0; i < g->e->count; i++)
        if (makes(g->e->items[i].kernel, table) && g->e->items[i].verdict == LB_FAIL)
            lb_diagnosis_claim(g, (uint32_t)i);
    found->explained = found->results;
    lb_diagnosis_place(g);
    tell_users(g, found, table);
}

void lb_diagnose_tables(lb_diagnosing *g)
{
    for (int table = 0; table < LB_LUT_COUNT; table++) {
        const char *sentence = what_is_wrong(g, (lb_lut_kind)table);
        if (sentence)
            add_finding(g, (lb_lut_kind)table, sentence);
    }
}
