/* Features with nothing left to a profile's base: see absolute.h. */
#include "harness/characterize/absolute.h"

static lb_operands operands_of(const lb_profile *profile, const lb_feature_set *set, int family,
                               lb_types types)
{
    uint8_t bits = set->value[LB_FEATURE_MULTIPLIER_BITS];
    if (family == LB_FAMILY_SOFTMAX)
        return LB_OPERANDS_16X8;
    if (family == LB_FAMILY_L2_NORMALIZE)
        return LB_OPERANDS_16X16;
    if (family == LB_FAMILY_AVEPOOL && types != LB_TYPES_FX16)
        return types == LB_TYPES_FX8 || bits > 7 || (bits == 0 && profile->avepool16)
                   ? LB_OPERANDS_16X8
                   : LB_OPERANDS_8X8;
    return types == LB_TYPES_FX16       ? LB_OPERANDS_16X16
           : types == LB_TYPES_FX16_FX8 ? LB_OPERANDS_16X8
                                        : LB_OPERANDS_8X8;
}

/* Where the feature is not set, and means something beside those that are. */
static void put(lb_feature_set *set, int family, lb_types types, lb_feature feature, unsigned value)
{
    if (set->value[feature] != 0 || !lb_feature_applies(feature, family, types) ||
        !lb_feature_allows(feature, (uint8_t)value, family))
        return;
    set->value[feature] = (uint8_t)value;
    if (lb_features_conflict(set))
        set->value[feature] = 0;
}

lb_feature_set lb_features_absolute_of(const lb_profile *profile, const lb_feature_set *features,
                                       int family, lb_types types)
{
    lb_feature_set set = *features;
    unsigned rounding = (unsigned)profile->rounding + 1;
    put(&set, family, types, LB_FEATURE_ROUNDING, rounding);
    put(&set, family, types, LB_FEATURE_SCALE_ROUNDING, rounding);
    put(&set, family, types, LB_FEATURE_INNER_ROUNDING, set.value[LB_FEATURE_ROUNDING]);
    put(&set, family, types, LB_FEATURE_TABLE_ROUNDING, set.value[LB_FEATURE_ROUNDING]);
    /* Recurrent functions know of `reduced` in the bias alone. */
    bool reduced = profile->reduced && set.value[LB_FEATURE_REQUANTIZE] == 0;
    if (lb_family_is_recurrent(family))
        put(&set, family, types, LB_FEATURE_BIAS_BITS,
            profile->reduced ? LB_BIAS_TOP_16 : LB_BIAS_ALL_BITS);
    put(&set, family, types, LB_FEATURE_REQUANTIZE,
        reduced ? LB_REQUANTIZE_REDUCED : LB_REQUANTIZE_FULL);
    put(&set, family, types, LB_FEATURE_REQUANTIZE, LB_REQUANTIZE_FULL);
    if (family == LB_FAMILY_AVEPOOL)
        put(&set, family, types, LB_FEATURE_MULTIPLIER_BITS, profile->avepool16 ? 15 : 7);
    put(&set, family, types, LB_FEATURE_ACC_BITS,
        (unsigned)profile->acc_bits[operands_of(profile, &set, family, types)]);
    put(&set, family, types, LB_FEATURE_OVERFLOW,
        profile->acc_saturates ? LB_SUM_SATURATE : LB_SUM_WRAP);
    bool wraps = set.value[LB_FEATURE_OVERFLOW] == LB_SUM_WRAP;
    put(&set, family, types, LB_FEATURE_BIAS,
        wraps && lb_family_is_recurrent(family) ? LB_BIAS_AFTER_WRAPPING
                                                : LB_BIAS_AFTER_SATURATING);
    put(&set, family, types, LB_FEATURE_BIAS_BITS,
        set.value[LB_FEATURE_REQUANTIZE] == LB_REQUANTIZE_REDUCED ? LB_BIAS_TOP_16
                                                                  : LB_BIAS_ALL_BITS);
    put(&set, family, types, LB_FEATURE_FIRST_ROUNDING, LB_ROUND_UP + 1);
    return set;
}

lb_feature_set lb_features_absolute(const lb_profile *profile, int family, lb_types types)
{
    static const lb_feature_set none;
    return lb_features_absolute_of(
        profile, profile->has_features ? &profile->features.of[family][types] : &none, family,
        types);
}
