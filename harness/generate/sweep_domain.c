/* Small domains: which function has which, and from a call's number to its case. See
 * sweep_domain.h.
 */
#include "harness/generate/sweep_domain.h"
#include "harness/base/xalloc.h"
#include "harness/generate/sweep_block.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Functions ---- */

static bool is_for(const lb_sweep_row *row, const lb_kernel *kernel)
{
    return row->pattern == lb_pattern_of(kernel) &&
           (row->in_type == 0 || row->in_type == kernel->in_type) &&
           (row->out_type == 0 || row->out_type == kernel->out_type) &&
           (row->ops == 0 || row->ops >> kernel->op & 1) &&
           (row->config_kind == 0 || row->config_kind == (unsigned)kernel->config_kind) &&
           (!row->function || strcmp(row->function, kernel->name) == 0) &&
           row->has_axis == (kernel->config_kind == LB_CONFIG_AXIS);
}

static const lb_sweep_block *blocks_of(const lb_kernel *kernel)
{
    static const lb_sweep_row *const tables[] = {lb_sweep_unary, lb_sweep_slopes, lb_sweep_pairs,
                                                 lb_sweep_conversions, lb_sweep_litert};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (const lb_sweep_row *row = tables[i]; row->blocks; row++)
            if (is_for(row, kernel))
                return row->blocks;
    return NULL;
}

size_t lb_sweep_domains(lb_sweep_domain domains[LB_SWEEP_MOST])
{
    size_t count = 0;
    const lb_kernel *kernel;
    for (size_t k = 0; count < LB_SWEEP_MOST && (kernel = lb_kernel_at(k)) != NULL; k++) {
        const lb_sweep_block *blocks = blocks_of(kernel);
        if (blocks)
            domains[count++] = (lb_sweep_domain){kernel->name, blocks};
    }
    return count;
}

/* ---- Counting ---- */

static uint64_t block_calls(const lb_sweep_block *block)
{
    uint64_t count = 1;
    for (size_t a = 0; a < LB_SWEEP_MAX_AXES && block->axes[a].count; a++)
        count *= block->axes[a].count;
    return count;
}

uint64_t lb_sweep_call_count(const lb_sweep_domain *domain)
{
    uint64_t count = 0;
    for (const lb_sweep_block *block = domain->blocks; block->fill; block++)
        count += block_calls(block);
    return count;
}

uint64_t lb_sweep_input_count(const lb_sweep_domain *domain)
{
    uint64_t count = 0;
    for (const lb_sweep_block *block = domain->blocks; block->fill; block++)
        count += block_calls(block) * block->inputs;
    return count;
}

/* ---- Points ---- */

static unsigned axis_numbers(const lb_sweep_axis *axis)
{
    unsigned count = 0;
    while (count < LB_SWEEP_AXIS_NUMBERS && axis->names[count])
        count++;
    return count;
}

static void axis_point(const lb_sweep_axis *axis, size_t point, int *numbers)
{
    const size_t in_range = axis->count - axis->list_count;
    const unsigned count = axis->splits ? 1 : axis_numbers(axis);
    if (axis->make)
        axis->make(axis, point, numbers);
    else if (point < in_range)
        numbers[0] = axis->first + (axis->step ? axis->step : 1) * (int)point;
    else
        memcpy(numbers, axis->list + (point - in_range) * count, count * sizeof *numbers);
    if (axis->splits)
        lb_sweep_split(numbers[0], &numbers[0], &numbers[1]);
}

/* The numbers of call `index` of the block, the last axis fastest. */
static void block_point(const lb_sweep_block *block, uint64_t index,
                        int numbers[LB_SWEEP_MAX_NUMBERS])
{
    size_t point[LB_SWEEP_MAX_AXES] = {0}, axis_count = 0;
    while (axis_count < LB_SWEEP_MAX_AXES && block->axes[axis_count].count)
        axis_count++;
    for (size_t a = axis_count; a-- > 0;) {
        point[a] = (size_t)(index % block->axes[a].count);
        index /= block->axes[a].count;
    }
    for (size_t a = 0; a < axis_count; a++) {
        axis_point(&block->axes[a], point[a], numbers);
        numbers += axis_numbers(&block->axes[a]);
    }
}

/* ---- Cases ---- */

lb_sweep_inputs *lb_sweep_inputs_new(void)
{
    lb_sweep_inputs *inputs = lb_resized(NULL, sizeof *inputs);
    for (int i = 0; i < LB_SWEEP_8; i++)
        inputs->all_8[i] = i - 128;
    for (int i = 0; i < LB_SWEEP_16_ROWS * LB_SWEEP_16; i++)
        inputs->all_16[i] = i % LB_SWEEP_16 - 32768;
    for (int i = 0; i < LB_SWEEP_PAIRS; i++) {
        inputs->slow_8[i] = i / LB_SWEEP_8 - 128;
        inputs->fast_8[i] = i % LB_SWEEP_8 - 128;
        inputs->rows_8[2 * i] = inputs->slow_8[i];
        inputs->rows_8[2 * i + 1] = inputs->fast_8[i];
    }
    for (int i = 0; i < LB_SWEEP_16; i++) {
        inputs->rows_16[2 * i] = INT16_MAX;
        inputs->rows_16[2 * i + 1] = i - 32768;
    }
    return inputs;
}

void lb_sweep_inputs_free(lb_sweep_inputs *inputs)
{
    free(inputs);
}

/* "mli_krn_sigm_fx8" without what all functions share. */
static const char *short_name(const char *function)
{
    return lb_kernel_short_name(lb_kernel_find(function));
}

static char *case_id(const lb_sweep_domain *domain, const lb_sweep_block *block, const int *numbers,
                     lb_arena *arena)
{
    char text[256];
    size_t used = (size_t)snprintf(text, sizeof text, "%s%s%s", short_name(domain->function),
                                   block->label[0] ? "." : "", block->label);
    for (size_t a = 0; a < LB_SWEEP_MAX_AXES && block->axes[a].count; a++)
        for (unsigned i = 0; i < axis_numbers(&block->axes[a]) && used < sizeof text; i++)
            used += (size_t)snprintf(text + used, sizeof text - used, ".%s=%d",
                                     block->axes[a].names[i], *numbers++);
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

static void set_format(lb_case_operand *operand, unsigned what, int value)
{
    lb_case_tensor *t = operand->present ? operand->tensors : NULL;
    if (t && !t->scale && what == 0)
        lb_build_fx(t, value);
    for (size_t j = 0; t && j < t->quant_count; j++)
        if (what == 0)
            t->scale_frac_bits[j] = (int8_t)value;
        else
            *(what == 1 ? &t->scale[j] : &t->zero_point[j]) = (int16_t)value;
}

/* A number of a format; of operands that have to be quantized alike one name says both
 * (elementwise.md 2). */
static void set_by_name(lb_case *c, const char *name, int value)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        for (unsigned what = 0; what < 3; what++) {
            if (strcmp(formats[i].names[what], name) != 0)
                continue;
            set_format(&c->operand[formats[i].role], what, value);
            if (formats[i].role == LB_ROLE_IN1)
                set_format(&c->operand[LB_ROLE_IN2], what, value);
            if (i == 0 && c->operand[LB_ROLE_SLOPE].present)
                set_format(&c->operand[LB_ROLE_OUT], what, value);
            return;
        }
    for (const lb_config_field *f = lb_config_fields(c->kernel->config_kind); f->name; f++)
        if (strcmp(f->name, name) == 0)
            lb_config_set(&c->config, f, 0, value);
}

void lb_sweep_case(const lb_sweep_domain *domain, lb_sweep_inputs *inputs, uint64_t index,
                   lb_arena *arena, lb_case *c)
{
    int numbers[LB_SWEEP_MAX_NUMBERS] = {0}, *number = numbers;
    const lb_sweep_block *block = domain->blocks;
    uint64_t left = index;
    for (; left >= block_calls(block); block++)
        left -= block_calls(block);
    memset(c, 0, sizeof *c);
    block_point(block, left, numbers);
    c->kernel = lb_kernel_find(domain->function);
    c->function = lb_arena_strdup(arena, domain->function);
    c->id = case_id(domain, block, numbers, arena);
    c->line = (unsigned)(index + 1);
    lb_sweep_call call = {
        .build = {.arena = arena, .c = c}, .inputs = inputs, .block = block, .numbers = numbers};
    block->fill(&call);
    for (size_t a = 0; a < LB_SWEEP_MAX_AXES && block->axes[a].count; a++)
        for (unsigned i = 0; i < axis_numbers(&block->axes[a]); i++)
            set_by_name(c, block->axes[a].names[i], *number++);
}

/* ---- Bricks ---- */

lb_case_tensor *lb_sweep_put(lb_sweep_call *call, lb_role role, unsigned rank,
                             const uint32_t *shape, int32_t *data)
{
    const lb_el_type own = role == LB_ROLE_OUT ? call->block->to : call->block->from;
    lb_case_tensor *t = lb_build_operand(&call->build, role, rank, shape);
    t->type = own ? own : t->type;
    if (lb_is_sa((uint32_t)t->type))
        lb_build_sa(&call->build, t, 1, 0, 0);
    t->has_data = data != NULL;
    if (data)
        t->data = (lb_values){.items = data, .count = lb_build_count(t)};
    return t;
}

void lb_sweep_fill_all(lb_sweep_call *call)
{
    const uint32_t shape[] = {(uint32_t)call->block->inputs};
    const uint32_t type = call->block->from ? call->block->from : call->build.c->kernel->in_type;
    lb_sweep_put(call, LB_ROLE_IN, 1, shape,
                 lb_container_bits(type) == 16 ? call->inputs->all_16 : call->inputs->all_8);
    lb_sweep_put(call, LB_ROLE_OUT, 1, shape, NULL);
}

int32_t *lb_sweep_one_number(lb_sweep_call *call, int value)
{
    int32_t *data = lb_arena_array(call->build.arena, 1, sizeof *data);
    data[0] = value;
    return data;
}

void lb_sweep_split(int difference, int *in, int *out)
{
    *in = (difference - (difference & 1)) / 2;
    *out = *in - difference;
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
    for (const lb_sweep_block *block = domain->blocks; block->fill; block++)
        words = lb_arena_printf(arena, "%s%s%s (%s %s of %s inputs)", words, words[0] ? "; " : "",
                                block->words, lb_sweep_number(block_calls(block), arena),
                                block_calls(block) == 1 ? "call" : "calls",
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
    for (const lb_sweep_block *block = domain->blocks; block->fill; block++)
        for (size_t a = 0; a < LB_SWEEP_MAX_AXES && block->axes[a].count; a++) {
            const lb_sweep_axis *axis = &block->axes[a];
            fprintf(memory, "%s.%s", block->label, axis->names[0]);
            for (size_t point = 0; point < axis->count; point++) {
                int numbers[LB_SWEEP_AXIS_NUMBERS];
                axis_point(axis, point, numbers);
                for (unsigned i = 0; i < axis_numbers(axis); i++)
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
    const lb_sweep_maker *maker = user;
    lb_sweep_case(maker->domain, maker->inputs, index, arena, c);
}

lb_suite *lb_sweep_suite(const lb_sweep_domain *domain, lb_sweep_inputs *inputs,
                         lb_sweep_maker *maker)
{
    lb_arena arena = {0};
    *maker = (lb_sweep_maker){domain, inputs};
    lb_suite *suite =
        lb_suite_made(lb_arena_printf(&arena, "sweep.%s", short_name(domain->function)),
                      lb_arena_printf(&arena, "sweep %s", domain->function),
                      full_text(domain, &arena), (size_t)lb_sweep_call_count(domain),
                      1u << lb_kernel_find(domain->function)->set, make_case, maker);
    lb_arena_free(&arena);
    return suite;
}
