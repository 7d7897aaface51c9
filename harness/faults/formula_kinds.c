/* Formulas in another form: the exact model asks it where a kernel may do otherwise
 * (reference/mli/forms.h). And how far a movement goes. */
#include "harness/faults/reading_runs.h"
#include "harness/faults/views.h"
#include "reference/describe/element_copy.h"
#include "reference/mli/float4_function.h"
#include "reference/mli/forms.h"
#include "reference/mli/mov_plan.h"

/* Which: the number of the kind, or the argument. */
bool lb_run_form(lb_fault_run *run)
{
    const int16_t number = run->fault->kind->does.number;
    lb_fault_view view;
    if (!lb_view_begin(&view, run))
        return false;
    run->form = number != 0 ? number : run->fault->argument;
    lb_view_run_with_fields(&view);
    run->form = 0;
    return lb_view_has_changed(run);
}

/* ---- Movement: configurations read otherwise ---- */

/* No memory but the call's own is touched: places outside of the source are padding to the model,
 * and the destination is checked with its new fields. */
static bool is_sound(const lb_call *call)
{
    const lb_tensor *in = call->tensor[LB_ROLE_IN], *out = call->tensor[LB_ROLE_OUT];
    const lb_config *cfg = &call->config;
    unsigned seen = 0;
    for (uint32_t i = 0; i < in->rank && i < LB_MAX_RANK; i++) {
        if (cfg->perm_dim[i] >= in->rank || (seen >> cfg->perm_dim[i] & 1) != 0)
            return false;
        seen |= 1u << cfg->perm_dim[i];
        lb_mov_dim dim = lb_mov_dim_of(in, cfg, i);
        bool lists = lb_is_per_axis(in) && in->sa.dim == (int32_t)dim.source &&
                     lb_axis_lists_of(out, in) == LB_LISTS_OWN;
        if (cfg->sub_sample_step[dim.source] == 0 || dim.count < 0 ||
            dim.count + dim.dst_skip > UINT32_MAX ||
            (lists && !lb_axis_lists_hold(out, (uint64_t)(dim.count + dim.dst_skip))))
            return false;
    }
    return true;
}

bool lb_read_mov_run_with_fields(lb_fault_view *view, bool changed)
{
    return changed && is_sound(view->call) ? lb_view_run_with_fields(view) : lb_view_drop(view);
}

/* Elements along a dimension whose size is not given: with these of its numbers; or by the size. */
enum { OFFSET = 1, BEFORE = 2, AFTER = 4, ALL = OFFSET | BEFORE | AFTER };
enum { COUNTED, NO_AFTER_OFFSET, WHOLE_STEPS, UP_TO_SIZE, SIZE_IN_STEPS };

static uint32_t counted(const lb_config *cfg, uint32_t length, uint32_t d, int with)
{
    const uint32_t more =
        (with & BEFORE ? cfg->padding_pre[d] : 0u) + (with & AFTER ? cfg->padding_post[d] : 0u);
    const uint32_t all = length + more, less = with & OFFSET ? cfg->offset[d] : 0;
    return with == ALL || all > less ? all - less : 0;
}

static uint32_t other_extent(const lb_number_edit *does, const lb_config *cfg, uint32_t length,
                             uint32_t d)
{
    const uint32_t size = cfg->size[d], offset = cfg->offset[d], step = cfg->sub_sample_step[d];
    const uint32_t due = size != 0 ? size : counted(cfg, length, d, ALL);
    switch (does->at) {
    case WHOLE_STEPS:
        return step > 0 ? due / step * step : due;
    case UP_TO_SIZE: /* it names the end */
        return size > offset ? size - offset : 0;
    case SIZE_IN_STEPS: /* it counts what is left after subsampling */
        return size < UINT16_MAX ? size * step : 0;
    case NO_AFTER_OFFSET:
        return size != 0 ? size
                         : counted(cfg, length, d, offset > 0 ? does->number : BEFORE | AFTER);
    default:
        return size != 0 ? size : counted(cfg, length, d, does->number);
    }
}

/* Another number of elements along each dimension, fields and all. */
static bool run_extent(lb_fault_run *run)
{
    lb_fault_view view;
    bool changed = false;
    if (!lb_view_begin(&view, run))
        return false;
    lb_config *cfg = &view.call->config;
    const lb_tensor *in = view.call->tensor[LB_ROLE_IN];
    for (uint32_t d = 0; d < in->rank; d++) {
        uint32_t due = cfg->size[d] != 0 ? cfg->size[d] : counted(cfg, in->shape[d], d, ALL);
        uint32_t other = other_extent(&run->fault->kind->does, cfg, in->shape[d], d);
        if (other == 0 || other == due)
            continue;
        cfg->size[d] = other;
        changed = true;
    }
    return lb_read_mov_run_with_fields(&view, changed);
}

static bool own_stride_ignored(lb_fault_run *run)
{
    lb_fault_view view;
    bool changed = false;
    if (!lb_view_begin(&view, run))
        return false;
    lb_tensor *out = view.call->tensor[LB_ROLE_OUT];
    for (uint32_t d = 0; d < LB_MAX_RANK; d++) {
        changed |= out->mem_stride[d] != 0;
        out->mem_stride[d] = 0;
    }
    return changed ? lb_view_run_with_fields(&view) : lb_view_drop(&view);
}

#define MOVEMENT "pooling_and_movement.md 4.1, 4.2"
#define EXTENT(name_, words_, prior_, at_, number_)                                                \
    LB_READING_BY("mov.extent." name_, words_,                                                     \
                  "how many elements a dimension has: size, offset, padding", MOVEMENT, prior_,    \
                  lb_places_mov, NULL, run_extent, .at = (at_), .number = (number_))

/* clang-format off */
const lb_fault_kind lb_fault_movement_kinds[] = {
    LB_READING_BY("mov.padding.as_zero_point", "writes the zero point where there is no source", "memset with the zero point", MOVEMENT, 5, lb_places_mov, NULL, lb_run_form, .number = LB_MOV_PADDING_ZERO_POINT),
    EXTENT("whole_steps", "counts whole steps only: rounds the number of elements down", 6, WHOLE_STEPS, 0),
    EXTENT("up_to_size", "takes the size for the end of what is moved", 4, UP_TO_SIZE, 0),
    EXTENT("size_in_steps", "counts the size after subsampling", 4, SIZE_IN_STEPS, 0),
    EXTENT("without_offset", "takes the whole length, offset or not", 4, COUNTED, BEFORE | AFTER),
    EXTENT("without_padding", "leaves padding out of the extent", 4, COUNTED, OFFSET),
    EXTENT("without_padding_before", "leaves the padding before out of the extent", 3, COUNTED, OFFSET | AFTER),
    EXTENT("without_padding_after", "leaves the padding after out of the extent", 3, COUNTED, OFFSET | BEFORE),
    EXTENT("padding_after_block", "leaves the padding after out where there is an offset", 2, NO_AFTER_OFFSET, OFFSET | BEFORE),
    LB_READING("mov.dst_own_stride.ignored", "ignores the strides that the destination brings along", "strides of dst that are not 0", MOVEMENT, 5, lb_places_mov, NULL, own_stride_ignored),
    LB_READING_BY("mov.dst_packed.without_offset", "packs the destination as if nothing lay before the destination offset", "strides of dst: products of its extents, offsets included", MOVEMENT, 5, lb_places_mov, NULL, lb_run_form, .number = LB_MOV_PACKED_WITHOUT_OFFSET),
    LB_READING_BY("mov.part_alone", "moves the part that is asked for where the original copies everything", "the shortcut for whole copies", MOVEMENT, 5, lb_places_mov, NULL, lb_run_form, .number = LB_MOV_PART_ALONE),
    LB_READING_BY("mov.whole_copy.in_bytes", "copies as many bytes as there are elements, where everything is copied", "the length of the copy", MOVEMENT, 6, lb_places_mov, NULL, lb_run_form, .number = LB_MOV_WHOLE_IN_BYTES),
    LB_READING_BY("mov.padding.stale", "leaves padding as the destination was", "the elements that have no source", MOVEMENT, 6, lb_places_mov, NULL, lb_run_form, .number = LB_MOV_PADDING_STALE),
    LB_READING_BY("mov.lists.zero_outside", "writes scale 0 for padded channels", "per-axis parameters", "pooling_and_movement.md 4.4", 4, lb_places_mov, NULL, lb_run_form, .number = LB_MOV_LISTS_ZERO_OUTSIDE),
    {.name = NULL},
};
/* clang-format on */

/* ---- Helpers: views of parts of tensors; the order among the largest ---- */

LB_OWN_NUMBERS(selections, lb_pattern_of(kernel) == LB_PATTERN_SLICES, LB_LARGEST_EQUAL_STAYS,
               LB_LARGEST_FIRST, LB_LARGEST_LAST, LB_LARGEST_SMALLEST_FIRST,
               LB_LARGEST_LAST_IN_FIRST_ROW, LB_LARGEST_FIRST_IN_LAST_ROW,
               LB_LARGEST_FIRST_TWO_EXCHANGED, LB_LARGEST_RIGHT_OF_EQUALS)

LB_OWN_NUMBERS(subtensors,
               kernel->config_kind == LB_CONFIG_SUB_TENSOR ||
                   kernel->config_kind == LB_CONFIG_POINT_TO_SUBTENSOR,
               0)

LB_OWN_NUMBERS(boxes, kernel->config_kind == LB_CONFIG_SUB_TENSOR, 0)

#define HELPERS "numerics.md 8; pooling_and_movement.md 5"
#define LARGEST "elementwise.md 9"

/* clang-format off */
const lb_fault_kind lb_fault_helper_kinds[] = {
    LB_READING_BY("subtensor.dense", "counts where a part begins as if the tensor had no gaps", "offsets from shapes in place of mem_stride", HELPERS, 6, subtensors, NULL, lb_run_form, .number = LB_VIEW_DENSE),
    LB_READING_BY("subtensor.sizes", "gives a part the sizes of dimensions that are left out", "the index of the dimension that stays: size[kept[d]]", HELPERS, 5, boxes, NULL, lb_run_form, .number = LB_VIEW_SIZES),
    LB_READING_BY("subtensor.strides", "gives a part the strides of dimensions that are left out", "the index of the dimension that stays: mem_stride[kept[d]]", HELPERS, 5, boxes, NULL, lb_run_form, .number = LB_VIEW_STRIDES),
    LB_READING("selection", "selects or sorts the largest otherwise", "> for >=, the order of the heap", LARGEST, 5, selections, "{n=|an equal element does not replace|the first of equals|the last of equals|the smallest first|of equals the last of the first row of memory|of equals the first of the last row of memory|the second largest before the largest|of two equal ones in the heap the second}", lb_run_form),
    LB_READING_BY("places.in_own_slice", "counts places from the beginning of their slice", "the base of a slice is not added", LARGEST, 6, lb_places_argmax, NULL, lb_run_form, .number = LB_LARGEST_FROM_SLICE),
    {.name = NULL},
};
/* clang-format on */

/* ---- Element formats: float4.md. The functions tell no steps ---- */

LB_OWN_ROLES(float4_functions, LB_NO_DIMS,
             at->role == LB_ROLE_OUT &&
                 lb_float4_form_shows(kernel, (lb_float4_form)at->kind->does.number),
             0)

#define FORM(form, row, text, where, spec, likely)                                                 \
    {                                                                                              \
        .name = "float4." row, .group = LB_FAULTS_WRITING, .words = text, .look_for = where,       \
        .sections = "float4.md " spec, .prior = likely, .places = float4_functions,                \
        .place = "{role}", .run = lb_run_form, .does.number = LB_F4_##form                         \
    }
#define ROUNDING "how the mantissa is rounded"
#define BEYOND   "saturation"
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
    FORM(BEYOND_IS_ZERO, "beyond_is_zero", "gives 0 for what is more than 6", BEYOND, "2", 4),
    FORM(BEYOND_WRAPS, "beyond_wraps", "lets what is too large run over into the sign", BEYOND, "2", 5),
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
    FORM(RESULT_HELD, "result_held", "gives the largest number in place of infinity", BEYOND, "4.2", 4),
    {.name = NULL},
};
/* clang-format on */
