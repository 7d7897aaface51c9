/* Violated rules in words: see rule.h. Names of rules are ROLE.CONDITION. Spec: numerics.md
 * 2, 9; conv.md 11. */
#include "harness/explain/rule.h"

#include <inttypes.h>
#include <string.h>

static const struct {
    const char *condition; /* behind the dot */
    const char *words;     /* what must be so of the role */
} conditions[] = {
    {"tensor", "must be a tensor: not NULL, rank at most 4, data not NULL, capacity at most 2^31 - "
               "1 bytes and at least what its "
               "elements take, gaps included, dimensions and strides above 0, and no stride less "
               "than what lies inside it"},
    {"present", "must not be NULL"},
    {"quant", "must have usable quantization parameters: scales above 0, zero points in range, "
              "lists with the capacity of "
              "their entries"},
    {"quant_lists", "must have lists of quantization parameters that can be read or written"},
    {"type", "must have the element type that this function is for"},
    {"type_equals_in", "must have the element type of in"},
    {"type_equals_in1", "must have the element type of in1"},
    {"rank", "must have the rank that this function is for"},
    {"shape", "must have the shape that the call gives"},
    {"shape_equals_in", "must have the rank and shape of in"},
    {"shape_equals_operands", "must have the shape of the operand that is no scalar"},
    {"inner_stride", "must have elements of its last dimension side by side: a stride of 1"},
    {"contiguous", "must have no gaps between its elements"},
    {"per_tensor", "must be quantized per tensor, not per axis"},
    {"axis", "must have an axis inside its rank"},
    {"axis_equals_in", "must be quantized along the axis of in"},
    {"axes", "must be quantized along the axis that this function is for"},
    {"axis_matches_weights",
     "must be quantized per tensor where weights are, and per channel where they are"},
    {"scale", "must have the scale of in times that of weights, in every channel"},
    {"frac_bits", "must not have more fractional bits than the products have"},
    {"frac_bits_equal_in", "must have the format of in"},
    {"quant_equals_in1", "must have the quantization of in1"},
    {"apart_from_in", "must not share memory with in"},
    {"scratch_apart_from_in", "must have scratch memory apart from in"},
    {"length_equals_channels", "must have an element for each output channel"},
    {"channels_equal_weights", "must have as many channels as weights are for"},
    {"channels_equal_out", "must have as many channels as out"},
    {"count_equals_weights_rows", "must have as many elements as weights have rows"},
    {"one_channel", "must have one input channel for each filter"},
    {"whole_groups", "must divide into whole groups of channels"},
    {"kernel_size", "must have the kernel size that this function is for"},
    {"height_fits", "must not be higher than the padded input allows"},
    {"width_fits", "must not be wider than the padded input allows"},
    {"height_exact", "must have the height that the transposed convolution gives"},
    {"width_exact", "must have the width that the transposed convolution gives"},
    {"room", "must have room for all that is written"},
    {"size", "must have the sizes that the window allows"},
    {"scalar", "must be a scalar: rank 0, or one element"},
    {"stride_width", "must have a stride above 0"},
    {"stride_height", "must have a stride above 0"},
    {"padding_width", "must have a padding smaller than the kernel"},
    {"padding_height", "must have a padding smaller than the kernel"},
    {"dilation_width", "must have a dilation that this function takes"},
    {"dilation_height", "must have a dilation that this function takes"},
    {"permutation", "must name every dimension once"},
    {"topk", "must ask for at least one and at most all elements of a slice"},
    {"inputs_num", "must say 1 to 4 inputs, as many as are given"},
    {"scratch", "must have scratch memory with the capacity that the gates take"},
};

void lb_explain_rule_sentence(lb_doc *doc, const char *rule)
{
    size_t role = strcspn(rule, ".");
    for (size_t i = 0; rule[role] && i < sizeof conditions / sizeof conditions[0]; i++)
        if (strcmp(rule + role + 1, conditions[i].condition) == 0) {
            lb_doc_bytes(doc, rule, role);
            lb_doc_char(doc, ' ');
            lb_doc_puts(doc, conditions[i].words);
            return;
        }
    lb_doc_puts(doc, rule);
}

/* ---- Fields ---- */

static void put_numbers(lb_doc *doc, const char *name, const int64_t *numbers, uint32_t count)
{
    lb_doc_printf(doc, ", %s [", name);
    for (uint32_t i = 0; i < count; i++)
        lb_doc_printf(doc, "%s%" PRId64, i ? "," : "", numbers[i]);
    lb_doc_char(doc, ']');
}

static void put_quantization(lb_doc *doc, const lb_tensor *t)
{
    if (lb_is_fx(t->el_type)) {
        lb_doc_printf(doc, ", frac_bits %d", t->frac_bits);
        return;
    }
    if (!lb_is_sa(t->el_type))
        return;
    if (t->sa.dim >= 0) {
        lb_doc_printf(
            doc, ", quantized along axis %d: scale of %u bytes, zero_point %u, scale_frac_bits %u",
            t->sa.dim, t->sa.scale.capacity_bytes, t->sa.zero_point.capacity_bytes,
            t->sa.scale_frac_bits.capacity_bytes);
        return;
    }
    lb_doc_printf(doc, ", scale %d, scale_frac_bits %d, zero_point %d", t->sa.scale.mem.i16,
                  t->sa.scale_frac_bits.mem.i8, t->sa.zero_point.mem.i16);
}

static void put_tensor(lb_doc *doc, const char *name, const lb_tensor *t)
{
    int64_t shape[LB_MAX_RANK], stride[LB_MAX_RANK];
    uint32_t rank = t->rank < LB_MAX_RANK ? t->rank : LB_MAX_RANK;
    const char *type = lb_el_type_name(t->el_type);
    for (uint32_t d = 0; d < rank; d++) {
        shape[d] = t->shape[d];
        stride[d] = t->mem_stride[d];
    }
    lb_doc_printf(doc, "  %-12s ", name);
    if (type)
        lb_doc_puts(doc, type);
    else
        lb_doc_printf(doc, "type 0x%x", t->el_type);
    lb_doc_printf(doc, ", rank %u", t->rank);
    put_numbers(doc, "shape", shape, rank);
    put_numbers(doc, "mem_stride", stride, rank);
    lb_doc_printf(doc, ", capacity %u bytes%s", t->data.capacity_bytes,
                  t->rank > 0 && !t->data.mem.ptr ? ", data NULL" : "");
    put_quantization(doc, t);
    lb_doc_char(doc, '\n');
}

static void put_operand(lb_doc *doc, const lb_replayed *replayed, int role)
{
    const lb_case_operand *operand = &replayed->test_case->operand[role];
    for (unsigned i = 0; i < operand->count; i++) {
        char name[32];
        snprintf(name, sizeof name, operand->is_list ? "%s[%u]" : "%s", lb_role_name((lb_role)role),
                 i);
        put_tensor(doc, name, &replayed->before.tensors[role][i]);
    }
}

static void put_config(lb_doc *doc, const lb_replayed *replayed)
{
    const lb_kernel *kernel = replayed->test_case->kernel;
    const char *lead = "  cfg          ";
    for (const lb_config_field *field = lb_config_fields(kernel->config_kind); field && field->name;
         field++) {
        lb_doc_printf(doc, "%s%s", lead, field->name);
        lead = ", ";
        for (unsigned i = 0; i < field->count; i++)
            lb_doc_printf(doc, "%s%" PRId64, i ? "," : " ",
                          lb_config_get(&replayed->test_case->config, field, i));
    }
    if (*lead == ',')
        lb_doc_char(doc, '\n');
}

/* Does the rule speak of the role: does its name begin with it, or have it as a word? */
static bool concerns(const char *rule, const char *role)
{
    size_t length = strlen(role);
    for (const char *at = strstr(rule, role); at; at = strstr(at + 1, role)) {
        bool begins = at == rule || at[-1] == '_' || at[-1] == '.';
        bool ends = at[length] == '\0' || at[length] == '_' || at[length] == '.';
        if (begins && ends)
            return true;
    }
    return false;
}

/* Rules of the configuration, and conditions of a role that the configuration decides. */
static bool reads_config(const char *rule)
{
    static const char *const decided[] = {"height_fits", "width_fits", "height_exact",
                                          "width_exact"};
    size_t role = strcspn(rule, ".");
    bool reads = role == 3 && memcmp(rule, "cfg", 3) == 0;
    for (size_t i = 0; rule[role] && i < sizeof decided / sizeof *decided; i++)
        reads = reads || strcmp(rule + role + 1, decided[i]) == 0;
    return reads;
}

void lb_explain_rule_facts(lb_doc *doc, const lb_replayed *replayed, const char *rule)
{
    const lb_case *c = replayed->test_case;
    size_t before = doc->length;
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        if (!concerns(rule, lb_role_name((lb_role)role)))
            continue;
        if (c->null_role[role])
            lb_doc_printf(doc, "  %-12s NULL\n", lb_role_name((lb_role)role));
        else if (c->operand[role].present)
            put_operand(doc, replayed, role);
    }
    bool about_config = reads_config(rule);
    if (about_config && c->null_config)
        lb_doc_puts(doc, "  cfg          NULL\n");
    else if (about_config)
        put_config(doc, replayed);
    for (int role = 0; doc->length == before && role < LB_ROLE_COUNT; role++)
        if (c->operand[role].present && !c->null_role[role])
            put_operand(doc, replayed, role);
}
