/* Looking up functions in the table (kernel_table.c), and running one of them on its exact model.
 * Spec: api.md 4. */
#include "kernels.h"

#include <string.h>

const lb_kernel_set *const lb_kernel_sets[LB_SET_COUNT] = {
    [LB_SET_MLI] = &lb_set_mli, [LB_SET_LITERT] = &lb_set_litert};

size_t lb_kernel_number(const lb_kernel *kernel)
{
    size_t before = 0;
    for (unsigned s = 0; s < kernel->set; s++)
        before += *lb_kernel_sets[s]->kernel_count;
    return before + (size_t)(kernel - lb_kernel_sets[kernel->set]->kernels);
}

size_t lb_kernel_total(void)
{
    size_t total = 0;
    for (unsigned s = 0; s < LB_SET_COUNT; s++)
        total += *lb_kernel_sets[s]->kernel_count;
    return total;
}

const lb_kernel *lb_kernel_at(size_t number)
{
    for (unsigned s = 0; s < LB_SET_COUNT; s++) {
        if (number < *lb_kernel_sets[s]->kernel_count)
            return &lb_kernel_sets[s]->kernels[number];
        number -= *lb_kernel_sets[s]->kernel_count;
    }
    return NULL;
}

const char *lb_kernel_name_at(const void *unused, size_t number)
{
    const lb_kernel *kernel = lb_kernel_at(number);
    (void)unused;
    return kernel ? kernel->name : NULL;
}

const lb_profile *lb_profile_named(const char *name)
{
    for (unsigned s = 0; s < LB_SET_COUNT; s++)
        for (unsigned p = 0; p < lb_kernel_sets[s]->profile_count; p++)
            if (strcmp(lb_kernel_sets[s]->profiles[p].name, name) == 0)
                return &lb_kernel_sets[s]->profiles[p];
    return NULL;
}

static const lb_kernel *find_in_other_sets(const char *name)
{
    for (unsigned s = LB_SET_MLI + 1; s < LB_SET_COUNT; s++)
        for (size_t i = 0; i < *lb_kernel_sets[s]->kernel_count; i++)
            if (strcmp(lb_kernel_sets[s]->kernels[i].name, name) == 0)
                return &lb_kernel_sets[s]->kernels[i];
    return NULL;
}

const lb_kernel *lb_kernel_find(const char *name)
{
    enum { PREFIX = 8 }; /* "mli_krn_", "mli_hlp_", ...: what tells names apart begins behind it */
    if (strlen(name) < PREFIX)
        return NULL;
    if (strncmp(name, "mli", 3) != 0)
        return find_in_other_sets(name);
    for (size_t i = 0; i < lb_kernel_count; i++)
        if (lb_kernels[i].name[PREFIX] == name[PREFIX] && strcmp(lb_kernels[i].name, name) == 0)
            return &lb_kernels[i];
    return NULL;
}

const lb_role_spec *lb_kernel_role(const lb_kernel *kernel, lb_role role)
{
    for (const lb_role_spec *spec = kernel->roles; spec->use != LB_USE_NONE; spec++)
        if (spec->role == role)
            return spec;
    return NULL;
}

lb_config_kind lb_filled_config(const lb_kernel *kernel)
{
    return lb_config_filled_by(kernel->config_kind);
}

const char *lb_kernel_short_name(const lb_kernel *kernel)
{
    static const char *const prefixes[] = {"mli_krn_", "mli_hlp_", "mli_", "litert_"};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (strncmp(kernel->name, prefixes[i], strlen(prefixes[i])) == 0)
            return kernel->name + strlen(prefixes[i]);
    return kernel->name;
}

bool lb_role_is_weights(lb_role role)
{
    return role == LB_ROLE_WEIGHTS || role == LB_ROLE_WEIGHTS_IN || role == LB_ROLE_WEIGHTS_OUT;
}

uint32_t lb_variant_type(const lb_kernel *kernel, lb_role role)
{
    return lb_role_is_weights(role)                       ? kernel->weights_type
           : role == LB_ROLE_BIAS                         ? kernel->bias_type
           : role == LB_ROLE_OUT && kernel->out_type != 0 ? kernel->out_type
                                                          : kernel->in_type;
}

lb_types lb_types_of(const lb_kernel *kernel)
{
    if (kernel->in_type == 0)
        return LB_TYPES_ANY;
    if (lb_is_sa(kernel->in_type))
        return LB_TYPES_SA8;
    if (kernel->in_type == LB_FX8)
        return LB_TYPES_FX8;
    return kernel->weights_type == LB_FX8 ? LB_TYPES_FX16_FX8 : LB_TYPES_FX16;
}

/* What holds for the whole family stands where models look for it in every profile. */
static void apply_features(lb_profile *p, const lb_profile *base, int family, int64_t *lanes)
{
    const uint8_t *v = p->at.value;
    if (v[LB_FEATURE_ROUNDING] != 0)
        p->rounding = (lb_rounding)(v[LB_FEATURE_ROUNDING] - 1);
    if (v[LB_FEATURE_SCALE_ROUNDING] == 0)
        p->at.value[LB_FEATURE_SCALE_ROUNDING] = (uint8_t)(base->rounding + 1);
    if (v[LB_FEATURE_REQUANTIZE] != 0 && !lb_family_is_recurrent(family))
        p->reduced = v[LB_FEATURE_REQUANTIZE] == LB_REQUANTIZE_REDUCED;
    for (int i = 0; v[LB_FEATURE_ACC_BITS] != 0 && i < LB_OPERANDS_COUNT; i++)
        p->acc_bits[i] = v[LB_FEATURE_ACC_BITS];
    if (v[LB_FEATURE_OVERFLOW] != 0)
        p->acc_saturates = v[LB_FEATURE_OVERFLOW] == LB_SUM_SATURATE;
    p->lanes = v[LB_FEATURE_LANES] != 0 ? lanes : NULL;
}

const lb_profile *lb_profile_of(const lb_profile *profile, const lb_kernel *kernel,
                                lb_profile_here *here)
{
    if (!profile->has_features)
        return profile;
    const lb_feature_set *own = &profile->features.of[kernel->family][lb_types_of(kernel)];
    if (!lb_features_any(own))
        return profile;
    here->profile = *profile;
    here->profile.has_features = false;
    here->profile.at = *own;
    apply_features(&here->profile, profile, (int)kernel->family, here->lanes);
    return &here->profile;
}

void lb_model_exact(const lb_context *context, lb_call *call)
{
    lb_profile_here here;
    lb_context own = *context;
    own.profile = lb_profile_of(context->profile, call->kernel, &here);
    call->kernel->exact(&own, call);
}

/* Does a result of these features lie as near the real one as the real model says, wherever nothing
 * overflows? Else there is no limit to be derived (features.md 1). */
static bool follows_real_numbers(const lb_profile *profile, int family)
{
    const uint8_t *v = profile->at.value;
    static const lb_feature unlike[] = {LB_FEATURE_BIAS,           LB_FEATURE_PADDING,
                                        LB_FEATURE_OUT_ZERO_POINT, LB_FEATURE_RIGHT_SHIFT,
                                        LB_FEATURE_LEFT_SHIFT,     LB_FEATURE_RELU_LIMITS};
    bool weighted = lb_feature_applies(LB_FEATURE_RELU_LIMITS, family, LB_TYPES_SA8) &&
                    family != LB_FAMILY_RELU;
    if (weighted) {
        for (size_t i = 0; i < sizeof unlike / sizeof unlike[0]; i++)
            if (v[unlike[i]] != 0)
                return false;
        return true;
    }
    /* The others' real models know the rounding and the width alone. */
    for (int f = 0; f < LB_FEATURE_COUNT; f++) {
        bool known = f == LB_FEATURE_ROUNDING || f == LB_FEATURE_ACC_BITS ||
                     (f == LB_FEATURE_OVERFLOW && v[f] != LB_SUM_AT_END);
        bool other = f == LB_FEATURE_INNER_ROUNDING || f == LB_FEATURE_TABLE_ROUNDING;
        bool same = (other || f == LB_FEATURE_SCALE_ROUNDING) && v[f] == profile->rounding + 1;
        bool nearer = f == LB_FEATURE_SCALE_ROUNDING && v[f] == LB_ROUND_UP + 1;
        if (v[f] != 0 && !known && !same && !nearer)
            return false;
    }
    return true;
}

static void forget_spans(const lb_call *call, lb_real_outputs *outputs)
{
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        size_t count = outputs->span[role] ? lb_element_count(call->tensor[role]) : 0;
        for (size_t i = 0; i < count; i++)
            outputs->span[role][i] = lb_span_unknown(outputs->span[role][i].value);
    }
}

void lb_model_real(const lb_context *context, const lb_call *call, lb_real_outputs *outputs)
{
    lb_profile_here here;
    lb_context own = *context;
    own.profile = lb_profile_of(context->profile, call->kernel, &here);
    call->kernel->real(&own, call, outputs);
    if (!follows_real_numbers(own.profile, (int)call->kernel->family))
        forget_spans(call, outputs);
}

#define LB_SPECIAL_NAME(name, text) [LB_SPECIAL_##name] = (text),

const char *lb_special_name(lb_special special)
{
    static const char *const names[LB_SPECIAL_COUNT] = {LB_SPECIALS(LB_SPECIAL_NAME)};
    return names[special];
}

#define LB_OP_NAME(name, text) [LB_OP_##name] = (text),

const char *lb_op_name(lb_op op)
{
    static const char *const names[LB_OP_COUNT] = {LB_OPS(LB_OP_NAME)};
    return names[op];
}

const char *lb_unsaid_words(lb_unsaid unsaid)
{
    static const char *const words[] = {
        [LB_SAID] = "",
        [LB_UNSAID_RULE] = "",
        [LB_UNSAID_WIDTH] = "a product of shape and stride leaves 31 bits",
        [LB_UNSAID_PARAMETERS] = "quantization parameters that nobody set for the element type",
        [LB_UNSAID_OVERFLOW] = "a number leaves the width in which it is computed (litert.1.5)",
        [LB_UNSAID_RANGE] =
            "a multiplier, a shift or a limit lies where the function is not defined (litert.1.5)",
    };
    return words[unsaid];
}

lb_unsaid lb_violation_unsaid(const lb_rule *rule, lb_status status)
{
    int reason = (int)status - LB_UNSAID_STATUS;
    if (reason > LB_SAID && reason < LB_UNSAID_COUNT)
        return (lb_unsaid)reason;
    return lb_rule_is_undefined(rule) ? LB_UNSAID_RULE : LB_SAID;
}

bool lb_kernel_refuses(const lb_kernel *kernel)
{
    bool refuses = false;
    for (const lb_rule *rule = kernel->rules; rule && rule->check; rule++)
        refuses = refuses || !lb_rule_is_undefined(rule);
    return refuses;
}

const lb_rule *lb_check_call(const lb_context *context, lb_call *call)
{
    call->undefined = LB_SAID;
    call->status = LB_OK;
    for (const lb_rule *rule = call->kernel->rules; rule && rule->check; rule++) {
        lb_status status = rule->check(context, call, rule); /* checks know no features */
        if (status != LB_OK) {
            call->undefined = lb_violation_unsaid(rule, status);
            call->status = status < LB_STATUS_COUNT ? status : LB_BAD_TENSOR;
            return rule;
        }
    }
    return NULL;
}

const lb_rule *lb_run_exact(const lb_context *context, lb_call *call)
{
    lb_profile_here here;
    lb_context own = *context;
    own.profile = lb_profile_of(context->profile, call->kernel, &here);
    const lb_rule *violated = lb_check_call(context, call);
    if (violated && call->kernel->refused)
        call->kernel->refused(call);
    if (violated)
        return violated;
    call->kernel->exact(&own, call);
    return NULL;
}

bool lb_kernel_writes_zeros(const lb_kernel *kernel)
{
    return kernel->family == LB_FAMILY_SOFTMAX && kernel->in_type == LB_FX8;
}

bool lb_kernel_has_avepool16(const lb_kernel *kernel)
{
    return kernel->family == LB_FAMILY_AVEPOOL && lb_is_sa(kernel->in_type);
}

int lb_kernel_numerics(const lb_kernel *kernel, const lb_profile *profile)
{
    return lb_kernel_has_avepool16(kernel) || kernel->set != LB_SET_MLI
               ? lb_profile_number(profile)
               : lb_profile_numerics(profile);
}

int lb_kernel_asked(const lb_kernel *kernel, const lb_profile *profile)
{
    int asked = lb_profile_asked(profile);
    return lb_kernel_has_avepool16(kernel) || kernel->set != LB_SET_MLI ? asked
                                                                        : asked % LB_PROFILE_COUNT;
}
