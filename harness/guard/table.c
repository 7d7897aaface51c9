/* Guard bits as a person reads them: see table.h. */
#include "harness/guard/table.h"
#include "harness/base/xalloc.h"
#include "harness/suite/profile_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The worst of what a row stands for, and how many there are. */
struct lb_guard_row {
    size_t section;        /* index of the first profile with these accumulators */
    char *function, *name; /* name: of the group or case; "" for a function */
    char *worst_id;
    lb_guard_use worst;
    uint64_t results, narrow, macs;
    int format_bits;
    bool transient, persistent;
};

size_t lb_guard_group_length(const char *id)
{
    const char *dot = strrchr(id, '.');
    return dot && dot > id ? (size_t)(dot - id) : strlen(id);
}

static size_t section_of(const lb_guard_table *table, size_t profile)
{
    for (size_t i = 0; i < profile; i++)
        if (lb_profile_same_widths(table->profiles[i], table->profiles[profile]))
            return i;
    return profile;
}

static char *copy_text(const char *text, size_t length)
{
    char *copy = lb_resized(NULL, length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

/* ---- Rows ---- */

static size_t name_length(const lb_guard_table *table, const char *id)
{
    return table->by == LB_GUARD_BY_FUNCTION ? 0
           : table->by == LB_GUARD_BY_GROUP  ? lb_guard_group_length(id)
                                             : strlen(id);
}

/* Cases come in order, so a row is mostly among the last; a case is only there. */
static lb_guard_row *find_row(const lb_guard_table *table, const lb_case *c, size_t section)
{
    size_t length = name_length(table, c->id);
    size_t oldest = table->by == LB_GUARD_BY_CASE && table->count > LB_MAX_PROFILES
                        ? table->count - LB_MAX_PROFILES
                        : 0;
    for (size_t i = table->count; i-- > oldest;) {
        lb_guard_row *row = &table->rows[i];
        if (row->section == section && strlen(row->name) == length &&
            memcmp(row->name, c->id, length) == 0 && strcmp(row->function, c->function) == 0)
            return row;
    }
    return NULL;
}

static lb_guard_row *append_row(lb_guard_table *table, const lb_case *c, size_t section)
{
    table->rows = lb_room_for_one(table->rows, table->count, &table->capacity, sizeof *table->rows);
    lb_guard_row *row = &table->rows[table->count++];
    *row = (lb_guard_row){.section = section,
                          .function = copy_text(c->function, strlen(c->function)),
                          .name = copy_text(c->id, name_length(table, c->id))};
    return row;
}

void lb_guard_table_add(lb_guard_table *table, const lb_case *c, size_t profile,
                        const lb_guard_use *use)
{
    size_t section = section_of(table, profile);
    lb_guard_row *row = find_row(table, c, section);
    if (!row)
        row = append_row(table, c, section);
    if (row->results == 0 || use->headroom_bits < row->worst.headroom_bits) {
        free(row->worst_id);
        row->worst_id = copy_text(c->id, strlen(c->id));
        row->worst = *use;
    }
    row->results++;
    row->narrow += use->exceeds;
    row->macs = use->macs > row->macs ? use->macs : row->macs;
    row->format_bits = use->format_bits > row->format_bits ? use->format_bits : row->format_bits;
    row->transient |= strcmp(use->overflow, "transient") == 0;
    row->persistent |= strcmp(use->overflow, "persistent") == 0;
}

void lb_guard_table_free(lb_guard_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        free(table->rows[i].function);
        free(table->rows[i].name);
        free(table->rows[i].worst_id);
    }
    free(table->rows);
    table->rows = NULL;
    table->count = table->capacity = 0;
}

/* ---- Printing ---- */

static int by_section_and_headroom(const void *a, const void *b)
{
    const lb_guard_row *x = a, *y = b;
    if (x->section != y->section)
        return x->section < y->section ? -1 : 1;
    if (x->worst.headroom_bits != y->worst.headroom_bits)
        return x->worst.headroom_bits < y->worst.headroom_bits ? -1 : 1;
    int function = strcmp(x->function, y->function);
    return function != 0 ? function : strcmp(x->name, y->name);
}

static void print_section_head(const lb_guard_table *table, size_t section, FILE *out)
{
    const lb_profile *p = table->profiles[section];
    for (size_t i = section; i < table->profile_count; i++)
        if (section_of(table, i) == section)
            fprintf(out, "%s%s", i == section ? "" : ", ", table->profiles[i]->name);
    fprintf(out, ": 8x8 %d bits, 16x8 %d bits, 16x16 %d bits, past them the sum %s%s\n",
            p->acc_bits[LB_OPERANDS_8X8], p->acc_bits[LB_OPERANDS_16X8],
            p->acc_bits[LB_OPERANDS_16X16], p->acc_saturates ? "saturates" : "wraps",
            p->has_features ? ", where a family has no features of its own" : "");
    fprintf(out,
            "headroom  needed  width  guard  used  format  operands     MACs  results  too narrow  "
            "overflow    %s\n",
            table->by == LB_GUARD_BY_FUNCTION ? "function, tightest case"
            : table->by == LB_GUARD_BY_GROUP  ? "group, function, tightest case"
                                              : "case, function");
}

/* The tightest row of a section in words: the inputs that could come, those of the case, the
 * register. */
static void print_in_words(const lb_guard_row *row, FILE *out)
{
    const lb_guard_use *use = &row->worst;
    fprintf(out, "Tightest: some inputs of %s reach %d bits; its own reach %d; the register has %d",
            row->worst_id, use->needed_bits, use->peak_bits, use->acc_bits);
    if (use->headroom_bits < 0)
        fprintf(out, ", which is %d too few.\n", -use->headroom_bits);
    else if (use->headroom_bits == 0)
        fprintf(out, ", which is just enough.\n");
    else
        fprintf(out, ", which leaves %d.\n", use->headroom_bits);
}

static void print_legend(FILE *out)
{
    fprintf(
        out,
        "headroom: width less needed. needed: bits of the largest sum that any inputs reach with "
        "these weights and\nbiases. guard: bits of the width beyond one product. used: of these, "
        "how many are needed. format: what the\ntypes and the number of products alone would "
        "need. overflow: what the inputs of the cases did; persistent:\nthe sum came out wrong, "
        "transient: it came back.\n\n");
}

static void print_row(const lb_guard_table *table, const lb_guard_row *row, FILE *out)
{
    const lb_guard_use *use = &row->worst;
    int used = use->needed_bits > use->product_bits ? use->needed_bits - use->product_bits : 0;
    fprintf(out,
            "%8d  %6d  %5d  %5d  %4d  %6d  %8s  %7" PRIu64 "  %7" PRIu64 "  %10" PRIu64 "  %-10s  ",
            use->headroom_bits, use->needed_bits, use->acc_bits, use->acc_bits - use->product_bits,
            used, row->format_bits, lb_operands_name(use->operands), row->macs, row->results,
            row->narrow,
            row->persistent  ? "persistent"
            : row->transient ? "transient"
                             : "none");
    if (row->name[0])
        fprintf(out, "%s  ", row->name);
    fprintf(out, "%s", row->function);
    if (table->by != LB_GUARD_BY_CASE)
        fprintf(out, "  %s", row->worst_id);
    fputc('\n', out);
}

void lb_guard_table_print(lb_guard_table *table, size_t limit, FILE *out)
{
    size_t shown = 0;
    if (table->count > 0)
        qsort(table->rows, table->count, sizeof *table->rows, by_section_and_headroom);
    for (size_t i = 0; i < table->count; i++) {
        bool first = i == 0 || table->rows[i].section != table->rows[i - 1].section;
        bool last = i + 1 == table->count || table->rows[i].section != table->rows[i + 1].section;
        if (first) {
            print_in_words(&table->rows[i], out);
            print_section_head(table, table->rows[i].section, out);
            shown = 0;
        }
        if (limit == 0 || shown < limit)
            print_row(table, &table->rows[i], out);
        shown++;
        if (last && limit > 0 && shown > limit)
            fprintf(out, "... and %zu more with no less headroom\n", shown - limit);
        if (last)
            fputc('\n', out);
    }
    if (table->count > 0)
        print_legend(out);
}
