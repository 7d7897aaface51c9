/* What a fault is wherever it sits: see key.h. */
#include "harness/faults/key.h"

#include "reference/describe/check.h"

#include <string.h>

static bool is_same_leaf(lb_leaf a, lb_leaf b)
{
    return a.kind == b.kind && a.by == b.by && a.dim == b.dim && a.at == b.at && a.type == b.type;
}

static bool is_same_condition(const lb_condition *a, const lb_condition *b)
{
    if (a->is != b->is || !is_same_leaf(a->each, b->each))
        return false;
    for (int i = 0; i < LB_CHECK_TERMS && (a->term[i].n != 0 || b->term[i].n != 0); i++) {
        if (a->term[i].n != b->term[i].n)
            return false;
        for (int k = 0; k < LB_CHECK_FACTORS; k++)
            if (!is_same_leaf(a->term[i].of[k], b->term[i].of[k]))
                return false;
    }
    return true;
}

/* Do they ask the same, whichever tensor they ask it of? */
static bool is_same_check(const lb_rule *a, const lb_rule *b)
{
    if (a->check != b->check || !a->all != !b->all)
        return false;
    for (size_t i = 0; a->all && (i == 0 || a->all[i - 1].is != LB_NO_CONDITION); i++)
        if (!is_same_condition(&a->all[i], &b->all[i]))
            return false;
    return true;
}

/* One check may stand in the rules of several tensors and functions: it is one piece of code. The
 * number of the first rule of all that makes it, from 1. */
static int32_t check_number(const lb_rule *wanted)
{
    int32_t number = 1;
    for (size_t k = 0; wanted && k < lb_kernel_count; k++)
        for (const lb_rule *rule = lb_kernels[k].rules; rule && rule->check; rule++, number++)
            if (is_same_check(rule, wanted))
                return number;
    return 0;
}

/* Where what stands in the numbers of a key. */
enum {
    PLACE_NUMBERS = 7,
    ROLE = 3 * PLACE_NUMBERS,
    DIM = ROLE + 2,
    ARGUMENT = DIM + 2,
    WIDTH_OF_PLACE
};

/* Of a step only what the fault asks of it. */
static void put_place(int32_t *at, const lb_num_step *s, const lb_fault *fault)
{
    const bool is_given = s && s->operation == LB_STEP_GIVEN;
    const bool any_part = fault->all_parts || fault->everywhere;
    const bool any_block = fault->all_blocks || any_part || fault->kind->whole_part;
    if (!s)
        return;
    at[0] = 1 + (int32_t)s->operation;
    if (is_given) {
        at[1] = (int32_t)s->place.kind;
        at[2] = (int32_t)s->place.owner;
        at[3] = fault->all_blocks ? 0 : (int32_t)s->place.field;
        return;
    }
    at[1] = fault->everywhere || fault->kind->whole_part ? 0 : (int32_t)s->site;
    at[2] = any_part ? 0 : (int32_t)s->part;
    at[3] = any_block ? 0 : (int32_t)s->block;
    at[4] = any_block ? 0 : (int32_t)s->term;
}

static int32_t number_of_leaf(lb_leaf leaf)
{
    return leaf.kind + 64 * (leaf.by + 32 * (leaf.role + 64 * leaf.dim));
}

static void put_edit(int32_t *at, const lb_edit *e)
{
    const int32_t numbers[] = {e->in,
                               e->reach,
                               e->access + 16 * e->index + 256 * e->term,
                               number_of_leaf(e->leaf),
                               e->leaf.at,
                               number_of_leaf(e->other),
                               e->other.at,
                               e->n};
    memcpy(at, numbers, sizeof numbers);
}

static void put_numbers(int32_t *at, const lb_fault *f)
{
    if (f->rule) { /* whichever tensor it is made for */
        at[0] = check_number(f->rule);
        at[1] = f->argument;
        return;
    }
    if (f->kind->edit)
        put_edit(at, &f->edit);
    put_place(at, f->site, f);
    put_place(at + PLACE_NUMBERS, f->other_site, f);
    put_place(at + 2 * PLACE_NUMBERS, f->second_site, f);
    at[ROLE] = f->role;
    at[ROLE + 1] = f->other_role;
    at[DIM] = f->dim;
    at[DIM + 1] = f->other_dim;
    at[ARGUMENT] = f->argument;
    at[WIDTH_OF_PLACE] = f->all_blocks + 2 * f->everywhere + 4 * f->all_parts + 8 * f->early;
}

lb_fault_key lb_fault_key_of(const lb_fault *fault)
{
    lb_fault_key key;
    memset(&key, 0, sizeof key);
    for (int i = 0; i < 2 && fault; i++, fault = fault->beside) {
        key.of[i].kind = fault->kind;
        key.of[i].profile = fault->profile;
        put_numbers(key.of[i].number, fault);
    }
    return key;
}

bool lb_fault_key_equal(const lb_fault_key *a, const lb_fault_key *b)
{
    for (int i = 0; i < 2; i++)
        if (a->of[i].kind != b->of[i].kind || a->of[i].profile != b->of[i].profile ||
            memcmp(a->of[i].number, b->of[i].number, sizeof a->of[i].number) != 0)
            return false;
    return true;
}

bool lb_fault_keys_share_operation(const lb_fault_key *a, const lb_fault_key *b)
{
    const lb_fault_kind *kind = a->of[0].kind;
    return kind == b->of[0].kind && kind->group == LB_FAULTS_STEP && !a->of[1].kind &&
           !b->of[1].kind && a->of[0].number[ARGUMENT] == b->of[0].number[ARGUMENT] &&
           a->of[0].number[0] != 0 && a->of[0].number[0] == b->of[0].number[0];
}

int lb_fault_kind_compare(const lb_fault_kind *a, const lb_fault_kind *b)
{
    const lb_fault_kind *kind = NULL;
    if (a == b || !a || !b)
        return (a != NULL) - (b != NULL);
    for (size_t i = 0; (kind = lb_fault_kind_at(i)) != NULL; i++)
        if (kind == a || kind == b)
            return kind == a ? -1 : 1;
    return strcmp(a->name, b->name); /* neither is of the bank */
}

int lb_fault_key_compare(const lb_fault_key *a, const lb_fault_key *b)
{
    for (int i = 0; i < 2; i++) {
        int order = lb_fault_kind_compare(a->of[i].kind, b->of[i].kind);
        for (int n = 0; order == 0 && n < LB_KEY_NUMBERS; n++)
            order = (a->of[i].number[n] > b->of[i].number[n]) -
                    (a->of[i].number[n] < b->of[i].number[n]);
        if (order == 0 && a->of[i].profile != b->of[i].profile)
            order = !a->of[i].profile   ? -1
                    : !b->of[i].profile ? 1
                                        : strcmp(a->of[i].profile->name, b->of[i].profile->name);
        if (order != 0)
            return order;
    }
    return 0;
}
