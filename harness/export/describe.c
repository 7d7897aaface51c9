/* case.json: see describe.h. */
#include "harness/export/describe.h"
#include "harness/coverage/class.h"
#include "harness/export/elements.h"
#include "reference/mli/weighted.h"

static cJSON *numbers(unsigned count, const uint32_t *values)
{
    cJSON *list = cJSON_CreateArray();
    for (unsigned i = 0; i < count; i++)
        cJSON_AddItemToArray(list, cJSON_CreateNumber(values[i]));
    return list;
}

static void add_entries(cJSON *node, const lb_case_tensor *t)
{
    cJSON *scales = cJSON_AddArrayToObject(node, "scale");
    cJSON *fractions = cJSON_AddArrayToObject(node, "scale_frac_bits");
    cJSON *zeros = cJSON_AddArrayToObject(node, "zero_point");
    for (size_t j = 0; j < t->quant_count; j++) {
        cJSON_AddItemToArray(scales, cJSON_CreateNumber(t->scale[j]));
        cJSON_AddItemToArray(fractions, cJSON_CreateNumber(t->scale_frac_bits[j]));
        cJSON_AddItemToArray(zeros, cJSON_CreateNumber(t->zero_point[j]));
    }
    cJSON_AddNumberToObject(node, "axis", t->axis);
}

cJSON *lb_describe_tensor(const lb_case_tensor *t, const char *file, const char *sha256)
{
    cJSON *node = cJSON_CreateObject();
    lb_layout layout = lb_layout_of(t);
    if (file)
        cJSON_AddStringToObject(node, "file", file);
    if (sha256)
        cJSON_AddStringToObject(node, "sha256", sha256);
    cJSON_AddStringToObject(node, "type", lb_el_type_name((uint32_t)t->type));
    cJSON_AddStringToObject(node, "dtype", lb_export_dtype(t->type));
    cJSON_AddItemToObject(node, "shape", numbers(layout.rank, layout.shape));
    cJSON *strides = cJSON_AddArrayToObject(node, "mem_stride");
    for (unsigned d = 0; d < layout.rank; d++)
        cJSON_AddItemToArray(strides, cJSON_CreateNumber((double)layout.stride[d]));
    if (t->scale)
        add_entries(node, t);
    else if (t->type == LB_FX8 || t->type == LB_FX16)
        cJSON_AddNumberToObject(node, "frac_bits", t->frac_bits);
    return node;
}

/* Output channels are the last dimension of out in every family of these. */
static void add_channels(cJSON *node, const lb_weighted *w, const lb_call *call)
{
    const lb_tensor *bias = call->tensor[LB_ROLE_BIAS];
    cJSON *addends = cJSON_AddArrayToObject(node, "bias");
    cJSON *multipliers = w->is_sa ? cJSON_AddArrayToObject(node, "multiplier") : NULL;
    cJSON *shifts = w->is_sa ? cJSON_AddArrayToObject(node, "shift") : NULL;
    for (uint32_t c = 0; c < bias->shape[0]; c++) {
        lb_channel channel = lb_weighted_channel(w, call, c, c, NULL);
        cJSON_AddItemToArray(addends, cJSON_CreateNumber((double)channel.bias));
        if (!w->is_sa)
            continue;
        cJSON_AddItemToArray(multipliers, cJSON_CreateNumber((double)channel.multiplier.mul.v));
        cJSON_AddItemToArray(shifts, cJSON_CreateNumber((double)channel.multiplier.shift.v));
    }
    if (!w->is_sa)
        cJSON_AddNumberToObject(node, "shift", (double)w->out_shift.v);
}

cJSON *lb_describe_requantization(const lb_profile *profile, const lb_call *before)
{
    lb_context context = {.profile = profile};
    if (!lb_cover_in(before->kernel, LB_WEIGHTED))
        return NULL;
    lb_weighted w = lb_weighted_start(&context, before);
    cJSON *node = cJSON_CreateObject();
    cJSON_AddStringToObject(node, "section", w.is_sa ? "conv.md 4" : "conv.md 3");
    cJSON_AddStringToObject(node, "rounding",
                            profile->rounding == LB_ROUND_CONVERGENT ? "convergent" : "up");
    cJSON_AddNumberToObject(node, "in_zero_point", w.in_zero_point);
    cJSON_AddNumberToObject(node, "out_zero_point", (double)w.result.zero_point.v);
    add_channels(node, &w, before);
    cJSON_AddNumberToObject(node, "low", (double)w.result.limits.low.v);
    cJSON_AddNumberToObject(node, "high", (double)w.result.limits.high.v);
    return node;
}
