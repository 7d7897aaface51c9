/* Numbers at which alone a function is wrong: see few_values.h. */
#include "harness/diagnose/few_values.h"
#include "harness/base/xalloc.h"
#include "harness/trial/compare.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_MET = LB_VALUE_PLACES / 4 * 3, LEAST_OTHERS = 4, LEAST_RIGHT = 16 };

static lb_value_met *find(lb_few_values *few, int32_t in)
{
    size_t at = (uint32_t)in * UINT32_C(2654435761) >> 17;
    while (few->table[at].is_used && few->table[at].in != in)
        at = (at + 1) % LB_VALUE_PLACES;
    return &few->table[at];
}

static void meet(lb_few_values *few, int32_t in, int32_t right, int32_t got)
{
    lb_value_met *v = find(few, in);
    bool is_wrong = right != got;
    few->right += !is_wrong;
    if (v->is_used) {
        few->is_contradicted |= v->is_wrong != is_wrong;
        return;
    }
    if (few->met == MOST_MET) { /* what was right before cannot be known any more */
        few->is_contradicted |= is_wrong;
        return;
    }
    few->wrong += is_wrong;
    few->met++;
    *v = (lb_value_met){true, is_wrong, in, right, got};
}

/* The one tensor of a role, as it lies in the block. */
typedef struct elements {
    lb_layout layout;
    size_t start, count;
} elements;

static bool find_elements(const lb_call_memory *memory, int role, elements *e)
{
    const lb_case *c = memory->test_case;
    short buffer = memory->buffer_of[role][0][LB_BUFFER_DATA];
    if (!c->operand[role].present || c->operand[role].is_list || c->null_role[role] || buffer < 0)
        return false;
    e->layout = lb_layout_of(&c->operand[role].tensors[0]);
    e->count = lb_layout_count(&e->layout);
    e->start = memory->buffers[buffer].offset;
    return e->layout.rank > 0 && e->layout.element_bytes > 0;
}

/* Nothing else has a say: neither operands nor quantization parameters. */
static bool has_one_operand(const lb_case *c)
{
    if (lb_families[c->kernel->family].formats != LB_FORMATS_NONE)
        return false;
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        if (role != LB_ROLE_IN && role != LB_ROLE_OUT && c->operand[role].present)
            return false;
    return true;
}

void lb_few_values_look(lb_few_values *few, const lb_fault_bench *bench, const lb_left *left)
{
    elements in, out;
    if (few->is_contradicted || !bench->computed || !has_one_operand(bench->test_case) ||
        (left && left->block_bytes != bench->memory.block_bytes) ||
        !find_elements(&bench->memory, LB_ROLE_IN, &in) ||
        !find_elements(&bench->memory, LB_ROLE_OUT, &out) || in.count != out.count)
        return;
    if (!few->table) {
        few->table = lb_resized(NULL, LB_VALUE_PLACES * sizeof *few->table);
        memset(few->table, 0, LB_VALUE_PLACES * sizeof *few->table);
    }
    const unsigned char *got = left ? left->block : bench->right.block;
    for (size_t i = 0; i < out.count && !few->is_contradicted; i++) {
        size_t x = in.start + lb_layout_offset(&in.layout, i),
               y = out.start + lb_layout_offset(&out.layout, i);
        meet(few, lb_read_container(bench->before.block + x, in.layout.element_bytes),
             lb_read_container(bench->right.block + y, out.layout.element_bytes),
             lb_read_container(got + y, out.layout.element_bytes));
    }
}

static const char *number(const lb_case *c, int role, int32_t value, lb_arena *arena)
{
    const lb_case_tensor *t = &c->operand[role].tensors[0];
    unsigned bytes = lb_layout_of(t).element_bytes;
    uint32_t pattern = (uint32_t)value & (bytes < 4 ? (UINT32_C(1) << 8 * bytes) - 1 : UINT32_MAX);
    float real;
    memcpy(&real, &pattern, sizeof real);
    if (t->type == LB_FP32)
        return lb_arena_printf(arena, "%.9g (0x%08x)", (double)real, pattern);
    return lb_arena_printf(arena, "%d (0x%0*x)", value, (int)(2 * bytes), pattern);
}

const char *lb_few_values_words(const lb_few_values *few, const lb_case *c, lb_arena *arena,
                                int32_t shown[LB_SHOWN_NUMBERS])
{
    const char *list = "";
    size_t met = 0;
    if (few->is_contradicted || few->wrong == 0 || few->wrong > LB_FEW_VALUES ||
        few->met - few->wrong < LEAST_OTHERS || few->right < LEAST_RIGHT)
        return NULL;
    for (size_t i = 0; i < LB_VALUE_PLACES; i++) {
        const lb_value_met *v = &few->table[i];
        if (!v->is_used || !v->is_wrong)
            continue;
        shown[met++] = v->in;
        shown[met++] = v->got - v->right;
        list = lb_arena_printf(arena, "%s%sin %s: expected %s, got %s", list, list[0] ? "; " : "",
                               number(c, LB_ROLE_IN, v->in, arena),
                               number(c, LB_ROLE_OUT, v->right, arena),
                               number(c, LB_ROLE_OUT, v->got, arena));
    }
    return list;
}

void lb_few_values_free(lb_few_values *few)
{
    free(few->table);
    few->table = NULL;
}
