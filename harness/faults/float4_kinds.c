/* Faults of the extensions for element formats (float4.md): the exact model with another form of
 * its formulas. The functions tell no steps. */
#include "harness/call/model.h"
#include "harness/faults/places.h"
#include "harness/faults/views.h"
#include "reference/mli/float4_function.h"

static bool run_form(lb_fault_run *run)
{
    lb_context context = {.profile = run->profile, .form = run->fault->kind->does.number};
    if (!lb_fault_has_result(run) || !run->out->tensors[LB_ROLE_OUT][0].data.mem.ptr)
        return false;
    lb_model_exact(&context, &run->out->call);
    return true;
}

LB_OWN_ROLES(functions, LB_NO_DIMS,
             at->role == LB_ROLE_OUT && lb_float4_form_shows(kernel, at->kind->does.number), 0)

#define FORM(form, row, text, where, spec, likely)                                                 \
    {                                                                                              \
        .name = "float4." row, .group = LB_FAULTS_WRITING, .words = text, .look_for = where,       \
        .sections = "float4.md " spec, .prior = likely, .places = functions,                       \
        .describe = lb_tell_role, .run = run_form, .does.number = LB_F4_##form                     \
    }
#define ROUNDING "how the mantissa is rounded"
#define LARGEST  "saturation"
#define SIGN     "the sign bit"
#define NANS     "the branch for NaN"
#define MANTISSA "exponent 0: no leading 1"
#define BYTE     "order of shift and mask; the last byte"
#define SCALE    "how the exponent of the block is formed"

/* clang-format off */
const lb_fault_kind lb_fault_float4_kinds[] = {
    FORM(TIES_AWAY, "ties_away", "rounds ties away from zero where they go to the even code", ROUNDING, "2", 8),
    FORM(TIES_TO_ZERO, "ties_to_zero", "rounds ties towards zero where they go to the even code", ROUNDING, "2", 6),
    FORM(TRUNCATES, "truncates", "cuts the mantissa where it should round", ROUNDING, "2", 8),
    FORM(ROUNDS_UP, "rounds_up", "rounds every fraction away from zero", ROUNDING, "2", 3),
    FORM(FLUSHES_HALF, "half_flushed", "gives 0 in place of 0.5, the subnormal number", "flush to zero", "1, 2", 7),
    FORM(FLUSHES_BELOW_ONE, "below_one_flushed", "gives 0 for all that is less than 1", "flush to zero before rounding", "1, 2", 5),
    FORM(BEYOND_IS_ZERO, "beyond_is_zero", "gives 0 for what is more than 6", LARGEST, "2", 4),
    FORM(BEYOND_WRAPS, "beyond_wraps", "lets what is too large run over into the sign", LARGEST, "2", 5),
    FORM(ZERO_LOSES_SIGN, "zero_loses_sign", "gives +0 in place of -0", SIGN, "1.1, 2", 7),
    FORM(LOSES_SIGN, "loses_sign", "loses the sign", SIGN, "1, 2", 5),
    FORM(NAN_IS_ZERO, "nan_is_zero", "gives 0 for NaN", NANS, "2.2", 5),
    FORM(NAN_KEEPS_SIGN, "nan_keeps_sign", "gives 6 with the sign of the NaN", NANS, "2.2", 6),
    FORM(NAN_OF_OTHER_RULE, "nan_of_other_rule", "treats NaN by the other rule (document, library)", NANS, "2.2", 6),
    FORM(NAN_SIGN_AS_IS, "nan_sign_as_is", "gives NaN its own sign, which should be turned", NANS, "2.2", 6),
    FORM(NAN_SIGN_IGNORED, "nan_sign_ignored", "gives NaN of both signs the code of a positive one", NANS, "2.2", 5),
    FORM(THROUGH_BFLOAT16, "through_bfloat16", "rounds twice, first to bfloat16", "conversions on the way", "2", 5),
    FORM(THROUGH_FLOAT16, "through_float16", "rounds twice, first to float16", "conversions on the way", "2", 5),
    FORM(HALF_IS_ZERO, "half_read_as_zero", "takes the code of 0.5, the subnormal number, for 0", MANTISSA, "1", 6),
    FORM(HALF_IS_NORMAL, "half_read_as_normal", "takes the code of 0.5 for a normal number: 0.75", MANTISSA, "1", 6),
    FORM(ZERO_IS_HALF, "zero_read_as_half", "takes the code of 0 for a normal number: 0.5", MANTISSA, "1", 4),
    FORM(FIRST_IN_HIGH_BITS, "first_in_high_bits", "takes the first of two elements from the high bits", BYTE, "3", 7),
    FORM(ODD_REPEATED, "odd_repeated", "repeats the last element of an odd number in the high bits, which should be 0", BYTE, "3", 6),
    FORM(ODD_KEPT, "odd_kept", "leaves the high bits behind an odd number as they were, which should be 0", BYTE, "3", 6),
    FORM(ODD_ALL_ONES, "odd_all_ones", "sets the high bits behind an odd number, which should be 0", BYTE, "3", 4),
    FORM(SIGN_NOT_EXTENDED, "sign_not_extended", "does not extend the sign of an element", "the shift to the right of a signed byte", "4.1", 7),
    FORM(SIGN_EXTENDED, "sign_extended", "extends a sign that elements do not have", "the shift to the right of a signed byte", "3", 6),
    FORM(SCALE_NEAREST, "scale.nearest", "rounds the exponent of the scale to the nearest", SCALE, "4.2", 5),
    FORM(SCALE_UP, "scale.up", "rounds the exponent of the scale up", SCALE, "4.2", 6),
    FORM(SCALE_UP_BEYOND_LARGEST, "scale.up_beyond_largest", "takes the next exponent where the largest element would saturate (mantissas of 1.75 and more)", SCALE, "4.2", 6),
    FORM(SCALE_ONE_MORE, "scale.one_more", "takes the exponent of the scale as one more", "the bias: 127", "4.2", 6),
    FORM(SCALE_ONE_LESS, "scale.one_less", "takes the exponent of the scale as one less", "the bias: 127", "4.2", 6),
    FORM(SCALE_OF_SIGNED, "scale.of_signed", "looks for the largest of the block among positive elements alone", "magnitudes", "4.2", 6),
    FORM(SCALE_OF_FIRST, "scale.of_first", "takes the first element of the block for the largest", "how the search begins", "4.2", 3),
    FORM(SCALE_OF_NEXT_BLOCK, "scale.of_next_block", "takes the scale of the next block", "the index into the scales", "4.2", 4),
    FORM(SCALE_OF_HALF_BLOCKS, "scale.of_half_blocks", "goes on to the next scale after 16 elements in place of 32", "the size of a block", "4.2", 5),
    FORM(SCALE_NAN_IGNORED, "scale.nan_ignored", "does not know the scale that stands for NaN", NANS, "4.2", 6),
    FORM(SCALE_ZERO_IS_ZERO, "scale.zero_is_zero", "takes the scale with exponent 0 for the number 0", SCALE, "4.2", 5),
    FORM(RESULT_FLUSHED, "result_flushed", "gives 0 for results below the normal numbers", "flush to zero", "4.2", 6),
    FORM(RESULT_HELD, "result_held", "gives the largest number in place of infinity", LARGEST, "4.2", 4),
    {.name = NULL},
};
/* clang-format on */
