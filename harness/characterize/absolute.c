/* Features with nothing left to a profile's base: see absolute.h. */
#include "harness/characterize/absolute.h"

static lb_operands operands_of(lb_types types)
{
    return types == LB_TYPES_FX16       ? LB_OPERANDS_16X16
           : types == LB_TYPES_FX16_FX8 ? LB_OPERANDS_16X8
                                        : LB_OPERANDS_8X8;
}

static void put(lb_feature_set *set, int family, lb_types types, lb_feature feature, unsigned value)
{
    if (set->value[feature] == 0 && lb_feature_applies(feature, family, types))
        set->value[feature] = (uint8_t)value;
}

lb_feature_set lb_features_absolute_of(const lb_profile *profile, const lb_feature_set *features,
                                       int family, lb_types types)
{
    lb_feature_set set = *features;
    unsigned rounding = (unsigned)profile->rounding + 1;
    put(&set, family, types, LB_FEATURE_ROUNDING, rounding);
    put(&set, family, types, LB_FEATURE_SCALE_ROUNDING, rounding);
    put(&set, family, types, LB_FEATURE_REQUANTIZE,
        profile->reduced ? LB_REQUANTIZE_REDUCED : LB_REQUANTIZE_FULL);
    put(&set, family, types, LB_FEATURE_ACC_BITS, (unsigned)profile->acc_bits[operands_of(types)]);
    put(&set, family, types, LB_FEATURE_OVERFLOW,
        profile->acc_saturates ? LB_SUM_SATURATE : LB_SUM_WRAP);
    put(&set, family, types, LB_FEATURE_BIAS_BITS,
        set.value[LB_FEATURE_REQUANTIZE] == LB_REQUANTIZE_REDUCED ? LB_BIAS_TOP_16
                                                                  : LB_BIAS_ALL_BITS);
    if (set.value[LB_FEATURE_REQUANTIZE] == LB_REQUANTIZE_HIGH)
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
