/* Small domains: from a call's number to its case, and a domain as a suite. See sweep_domain.h. */
#include "harness/generate/sweep_domain.h"
#include "harness/base/xalloc.h"
#include "harness/generate/random_build.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t lb_sweep_domains(lb_sweep_domain domains[LB_SWEEP_MOST])
{
    size_t count = 0;
    const lb_kernel *kernel;
    for (size_t k = 0; count < LB_SWEEP_MOST && (kernel = lb_kernel_at(k)) != NULL; k++) {
        const lb_domain_block *blocks = lb_domain_of(kernel);
        if (blocks)
            domains[count++] = (lb_sweep_domain){kernel->name, blocks};
    }
    return count;
}

uint64_t lb_sweep_call_count(const lb_sweep_domain *domain)
{
    uint64_t count = 0;
    for (const lb_domain_block *block = domain->blocks; block->lay; block++)
        count += lb_block_calls(block);
    return count;
}

uint64_t lb_sweep_input_count(const lb_sweep_domain *domain)
{
    uint64_t count = 0;
    for (const lb_domain_block *block = domain->blocks; block->lay; block++)
        count += lb_block_calls(block) * block->inputs;
    return count;
}

/* ---- Inputs ---- */

/* Lists of all inputs, made once and shared by all cases. */
typedef struct input_lists {
    int32_t all_8[LB_ALL_OF_8];                   /* -128 .. 127 */
    int32_t all_16[LB_ROWS_OF_16 * LB_ALL_OF_16]; /* -32768 .. 32767, again and again */
    int32_t slow_8[LB_ALL_PAIRS]; /* with fast_8 all pairs: steps once in 256 elements */
    int32_t fast_8[LB_ALL_PAIRS];
    int32_t twos_8[2 * LB_ALL_PAIRS];  /* all pairs, their two numbers side by side */
    int32_t twos_16[2 * LB_ALL_OF_16]; /* the largest number of 16 bits beside each */
} input_lists;

static input_lists *all_inputs(void)
{
    static input_lists list;
    static bool is_made;
    if (is_made)
        return &list;
    is_made = true;
    for (int i = 0; i < LB_ALL_OF_8; i++)
        list.all_8[i] = i - 128;
    for (int i = 0; i < LB_ROWS_OF_16 * LB_ALL_OF_16; i++)
        list.all_16[i] = i % LB_ALL_OF_16 - 32768;
    for (int i = 0; i < LB_ALL_PAIRS; i++) {
        list.twos_8[2 * i] = list.slow_8[i] = i / LB_ALL_OF_8 - 128;
        list.twos_8[2 * i + 1] = list.fast_8[i] = i % LB_ALL_OF_8 - 128;
    }
    for (int i = 0; i < LB_ALL_OF_16; i++) {
        list.twos_16[2 * i] = INT16_MAX;
        list.twos_16[2 * i + 1] = i - 32768;
    }
    return &list;
}

/* ---- How they lie ---- */

/* A case in the making, and the numbers of its point. */
typedef struct call {
    lb_build build;
    const lb_domain_block *block;
    const int *numbers;
    uint32_t rows, columns; /* of its tensors; rows 0: of one dimension */
} call;

/* An operand of the type that the block or the function gives it, its sa parameters 1, 0, 0; with a
 * list of data, but for the output. */
static lb_case_tensor *put_shaped(call *k, lb_role role, unsigned rank, const uint32_t *shape,
                                  int32_t *data)
{
    const lb_el_type own = role == LB_ROLE_OUT ? k->block->to : k->block->from;
    lb_case_tensor *t = lb_build_operand(&k->build, role, rank, shape);
    t->type = own ? own : t->type;
    if (lb_is_sa((uint32_t)t->type))
        lb_build_sa(&k->build, t, 1, 0, 0);
    t->has_data = data != NULL;
    if (data)
        t->data = (lb_values){.items = data, .count = lb_build_count(t)};
    return t;
}

static lb_case_tensor *put(call *k, lb_role role, int32_t *data)
{
    const uint32_t shape[] = {k->rows, k->columns};
    return put_shaped(k, role, k->rows ? 2 : 1, k->rows ? shape : shape + 1, data);
}

static int32_t *one_number(call *k, int value)
{
    int32_t *data = lb_arena_array(k->build.arena, 1, sizeof *data);
    data[0] = value;
    return data;
}

static void lay_scalar(call *k, int32_t *all)
{
    const int place = k->numbers[0];
    const uint32_t shape[] = {k->columns};
    int32_t *scalar = one_number(k, k->numbers[1]);
    put_shaped(k, LB_ROLE_IN1, place != 1, shape, place == 1 ? scalar : all);
    put_shaped(k, LB_ROLE_IN2, place != 2, shape, place == 2 ? scalar : all);
}

static void lay_slope(call *k, int32_t *all)
{
    const int slope = k->numbers[0];
    const uint32_t one[] = {1};
    put(k, LB_ROLE_IN, all);
    k->build.c->config.axis = -1; /* where there is one */
    put_shaped(k, LB_ROLE_SLOPE, slope & 1, one, one_number(k, slope));
}

static void lay_slopes(call *k, unsigned axis, int32_t *inputs, const int32_t *slopes)
{
    uint32_t shape[] = {1, 1};
    shape[axis] = axis ? k->columns : k->rows;
    k->build.c->config.axis = (int)axis;
    put(k, LB_ROLE_IN, inputs);
    put_shaped(k, LB_ROLE_SLOPE, 2, shape, (int32_t *)slopes);
}

static void lay_out(call *k)
{
    input_lists *i = all_inputs();
    const lb_domain_block *block = k->block;
    const uint32_t type = block->from ? block->from : k->build.c->kernel->in_type;
    const bool is_16 = lb_container_bits(type) == 16;
    const uint32_t inputs = (uint32_t)block->inputs, all = is_16 ? LB_ALL_OF_16 : LB_ALL_OF_8;
    int32_t *list = is_16 ? i->all_16 : i->all_8;
    k->columns = block->lay == LB_LAY_TWOS ? 2 : block->lay == LB_LAY_LONG ? 2 * all : all;
    k->rows = block->lay == LB_LAY_TWOS ? inputs : inputs / all;
    if (block->lay == LB_LAY_ALL || block->lay == LB_LAY_PAIRS || block->lay == LB_LAY_SCALAR ||
        block->lay == LB_LAY_SLOPE) {
        k->columns = inputs;
        k->rows = 0;
    }
    switch (block->lay) {
    case LB_LAY_PAIRS:
        put(k, LB_ROLE_IN1, i->slow_8);
        put(k, LB_ROLE_IN2, i->fast_8);
        break;
    case LB_LAY_SCALAR:
        lay_scalar(k, list);
        break;
    case LB_LAY_SLOPE:
        lay_slope(k, list);
        break;
    case LB_LAY_SLOPES:
        lay_slopes(k, 0, is_16 ? i->all_16 : i->fast_8,
                   block->slopes ? block->slopes[k->numbers[0]] : i->all_8);
        break;
    case LB_LAY_ACROSS:
        lay_slopes(k, 1, i->slow_8, i->all_8);
        break;
    default:
        put(k, LB_ROLE_IN,
            block->lay == LB_LAY_ALL    ? list
            : block->lay == LB_LAY_ROWS ? i->fast_8
            : is_16                     ? i->twos_16
                                        : i->twos_8);
    }
    put(k, LB_ROLE_OUT, NULL);
}

static char *case_id(const lb_kernel *kernel, const lb_domain_block *block, const int *numbers,
                     lb_arena *arena)
{
    char text[256];
    size_t used = (size_t)snprintf(text, sizeof text, "%s%s%s", lb_kernel_short_name(kernel),
                                   block->label[0] ? "." : "", block->label);
    for (size_t a = 0; a < LB_DOMAIN_AXES && block->axes[a].count; a++) {
        const lb_axis *axis = &block->axes[a];
        for (unsigned i = 0; i < lb_axis_told(axis) && used < sizeof text; i++)
            used += (size_t)snprintf(text + used, sizeof text - used, ".%s=%d", axis->names[i],
                                     numbers[i]);
        numbers += lb_axis_numbers(axis);
    }
    return lb_arena_strdup(arena, text);
}

/* ---- What the names of numbers say ---- */

static const struct {
    lb_role role;
    const char *names[3]; /* of frac_bits, scale, zero point */
} formats[] = {
    {LB_ROLE_IN, {"frac_bits", "scale", "zero_point"}},
    {LB_ROLE_IN, {"scale_frac_bits", "", ""}},
    {LB_ROLE_IN, {"in_frac_bits", "in_scale", "in_zero_point"}},
    {LB_ROLE_OUT, {"out_frac_bits", "out_scale", "out_zero_point"}},
    {LB_ROLE_IN, {"f_in", "s_in", "z_in"}},
    {LB_ROLE_SLOPE, {"f_slope", "s_slope", "z_slope"}},
    {LB_ROLE_OUT, {"f_out", "s_out", "z_out"}},
    {LB_ROLE_IN1, {"f1", "s1", "z1"}},
    {LB_ROLE_IN2, {"f2", "s2", "z2"}},
    {LB_ROLE_OUT, {"fo", "so", "zo"}},
};

enum { ALL_ROWS = -1 };

static void set_format(lb_case_operand *operand, unsigned what, int row, int value)
{
    lb_case_tensor *t = operand->present ? operand->tensors : NULL;
    if (t && !t->scale && what == 0)
        lb_build_fx(t, value);
    const size_t first = row == ALL_ROWS ? 0 : (size_t)row;
    for (size_t j = first; t && j < t->quant_count && (row == ALL_ROWS || j == first); j++)
        if (what == 0)
            t->scale_frac_bits[j] = (int8_t)value;
        else
            *(what == 1 ? &t->scale[j] : &t->zero_point[j]) = (int16_t)value;
}

/* A number of a format; of operands that have to be quantized alike one name says both
 * (elementwise.md 2). */
static void set_by_name(lb_case *c, const char *name, int row, int value)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        for (unsigned what = 0; what < 3; what++) {
            if (strcmp(formats[i].names[what], name) != 0)
                continue;
            set_format(&c->operand[formats[i].role], what, row, value);
            if (formats[i].role == LB_ROLE_IN1)
                set_format(&c->operand[LB_ROLE_IN2], what, row, value);
            if (i == 0 && c->operand[LB_ROLE_SLOPE].present)
                set_format(&c->operand[LB_ROLE_OUT], what, row, value);
            return;
        }
    const lb_config_field *field = lb_config_field_named(c->kernel->config_kind, name);
    if (field)
        lb_config_set(&c->config, field, 0, value);
}

static void set_point(lb_case *c, const lb_axis axes[LB_DOMAIN_AXES], const int *number, int row)
{
    for (size_t a = 0; a < LB_DOMAIN_AXES && axes[a].count; a++)
        for (unsigned i = 0; i < lb_axis_numbers(&axes[a]); i++)
            set_by_name(c, axes[a].names[i], row, *number++);
}

/* Each row has its entry of the parameters of both tensors. */
static void set_rows(call *k)
{
    int numbers[LB_DOMAIN_NUMBERS];
    for (int role = LB_ROLE_IN; role <= LB_ROLE_OUT; role++)
        if (k->build.c->operand[role].present)
            lb_build_spread(&k->build, k->build.c->operand[role].tensors, 0);
    for (uint32_t row = 0; row < k->rows; row++) {
        lb_axes_point(k->block->rows, row, numbers);
        set_point(k->build.c, k->block->rows, numbers, (int)row);
    }
}

void lb_sweep_case(const lb_sweep_domain *domain, uint64_t index, lb_arena *arena, lb_case *c)
{
    int numbers[LB_DOMAIN_NUMBERS] = {0};
    const lb_domain_block *block = domain->blocks;
    uint64_t left = index;
    for (; left >= lb_block_calls(block); block++)
        left -= lb_block_calls(block);
    memset(c, 0, sizeof *c);
    lb_axes_point(block->axes, left, numbers);
    c->kernel = lb_kernel_find(domain->function);
    c->function = lb_arena_strdup(arena, domain->function);
    c->id = case_id(c->kernel, block, numbers, arena);
    c->line = (unsigned)(index + 1);
    call k = {.build = {.arena = arena, .c = c}, .block = block, .numbers = numbers};
    lay_out(&k);
    if (block->lay == LB_LAY_ROWS)
        set_rows(&k);
    set_point(c, block->axes, numbers, ALL_ROWS);
}

/* ---- Words ---- */

char *lb_sweep_number(uint64_t value, lb_arena *arena)
{
    if (value < 1000)
        return lb_arena_printf(arena, "%" PRIu64, value);
    return lb_arena_printf(arena, "%s,%03" PRIu64, lb_sweep_number(value / 1000, arena),
                           value % 1000);
}

char *lb_sweep_words(const lb_sweep_domain *domain, lb_arena *arena)
{
    char *words = lb_arena_strdup(arena, "");
    for (const lb_domain_block *block = domain->blocks; block->lay; block++)
        words = lb_arena_printf(arena, "%s%s%s (%s %s of %s inputs)", words, words[0] ? "; " : "",
                                block->words, lb_sweep_number(lb_block_calls(block), arena),
                                lb_block_calls(block) == 1 ? "call" : "calls",
                                lb_sweep_number(block->inputs, arena));
    return words;
}

/* Words and every number of every axis: two domains with equal texts have equal cases. */
static char *full_text(const lb_sweep_domain *domain, lb_arena *arena)
{
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    if (!memory)
        lb_out_of_memory(0);
    fprintf(memory, "%s\n%s\n", domain->function, lb_sweep_words(domain, arena));
    for (const lb_domain_block *block = domain->blocks; block->lay; block++)
        for (size_t a = 0; a < LB_DOMAIN_AXES && block->axes[a].count; a++) {
            const lb_axis *axis = &block->axes[a];
            fprintf(memory, "%s.%s", block->label, axis->names[0]);
            for (size_t point = 0; point < axis->count; point++) {
                int numbers[LB_AXIS_NUMBERS];
                lb_axis_point(axis, point, numbers);
                for (unsigned i = 0; i < lb_axis_told(axis); i++)
                    fprintf(memory, "%c%d", i ? ',' : ' ', numbers[i]);
            }
            fputc('\n', memory);
        }
    if (fclose(memory) != 0)
        lb_out_of_memory(length);
    char *kept = lb_arena_strdup(arena, text);
    free(text);
    return kept;
}

static void make_case(void *user, size_t index, lb_arena *arena, lb_case *c)
{
    lb_sweep_case(user, index, arena, c);
}

lb_suite *lb_sweep_suite(lb_sweep_domain *domain)
{
    lb_arena arena = {0};
    const lb_kernel *kernel = lb_kernel_find(domain->function);
    lb_suite *suite = lb_suite_made(
        lb_arena_printf(&arena, "sweep.%s", lb_kernel_short_name(kernel)),
        lb_arena_printf(&arena, "sweep %s", domain->function), full_text(domain, &arena),
        (size_t)lb_sweep_call_count(domain), 1u << kernel->set, make_case, domain);
    lb_arena_free(&arena);
    return suite;
}
