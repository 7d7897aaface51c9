#!/bin/sh
# Kernels of LiteRT with one mistake each, made of our own by one edit: `diagnose` names it first.
# Usage: test_litert_mistakes.sh LASTBIT SOURCE_DIR LIBRARY C_COMPILER C_FLAGS [NAME...]
set -u
lastbit=$1 source=$2 library=$3 compiler=$4 flags=$5
shift 5
suites=$source/vectors/litert
. "$(dirname "$0")/expect.sh"
kit=$source/harness/port_kit

# mistake NAME FILE EDIT NAME-OF-THE-FAULT SUITE FUNCTION [PROFILE]: the mistaken file stands before the library that has
# the right one, so that the linker takes it.
mistake() {
    case " $wanted " in "  " | *" $1 "*) ;; *) return ;; esac
    mkdir -p "$work/$1"
    sed "$3" "$source/impl/litert/$2" >"$work/$1/$2"
    cmp -s "$work/$1/$2" "$source/impl/litert/$2" && complain "$1: the edit changes nothing"
    expect 0 '' "$compiler" $flags -std=c17 -O1 -w -D_GNU_SOURCE= -DLB_KIT_NATIVE -fPIC -shared "-I$source" "-I$source/impl/litert" \
        "-I$source/impl/litert/include" "-I$kit" -o "$work/$1.so" "$work/$1/$2" "$kit/lb_kit.c" "$kit/port_litert.c" \
        "$library" -lm
    "$lastbit" diagnose --json --seconds 20 --time-limit 4 --function "$6" --profile "${7:-all}" "$work/$1.so" "$suites/$5" \
        >"$work/out" 2>"$work/err" || [ $? = 1 ] || complain "$1: cannot be diagnosed: $(cat "$work/err")"
    first=$(grep -o '"name":"[^"]*","sentence"' "$work/out" | head -1)
    echo "$first" | grep -q "^\"name\":\"$4" || complain "$1: named $first, not $4"
}

wanted="$*"
mistake single_rounding weights.c 's/lb_litert_scale32(s->profile, /lb_litert_scale32(LB_LITERT_SINGLE, /' \
    'platform.profile at litert-single' recorded/conv_2d_s8.jsonl litert_conv_2d_s8 litert-double
mistake ties_up pool.c 's/sum\[k\] > 0 ? elements \/ 2 : -(elements \/ 2)/elements \/ 2/' \
    'term.sign at result, sum - n / 2' recorded/average_pool_2d.jsonl litert_average_pool_2d_s8
mistake multiplier_of_16_bits weights.c 's/lb_litert_wrap32(sum), s->multiplier\[at\]/lb_litert_wrap32(sum), s->multiplier[at] \& ~0xFFFF/' \
    'multiplier.high_half' recorded/conv_2d_s8.jsonl litert_conv_2d_s8
mistake offset_sign weights.c 's/(int16_t)(x\[i\] + x_offset)/(int16_t)(x[i] - x_offset)/' \
    'term.sign at taps, input with its offset' recorded/conv_2d_s8.jsonl litert_conv_2d_s8
mistake sums_of_32_bits weights.c 's/lb_litert_scale64(sum,/lb_litert_scale64(lb_litert_wrap32(sum),/' \
    'saturation.wraps_narrow (32) at bias' . litert_conv_2d_s16
mistake dilation_ignored convolve.c 's/c->dilation\.[hw]/1/g' \
    'reading.neutral at dilation' recorded/conv_2d_s8.jsonl litert_conv_2d_s8
mistake divisor_counts_padding pool.c 's/elements = elements_of(w)/elements = (int64_t)c->filter->h * c->filter->w/' \
    'window.whole' recorded/average_pool_2d.jsonl litert_average_pool_2d_s8
mistake crop_off_by_one convolve.c 's/(int64_t)y + c->padding.h,/(int64_t)y + c->padding.h + (c->padding.h > 0),/' \
    'reading.off_by at padding_top' recorded/transpose_conv_s8.jsonl litert_transpose_conv_s8
mistake limits_left_out weights.c 's/s->activation.min,/INT8_MIN,/; s/s->activation.max);/INT8_MAX);/' \
    'reading.neutral at activation_min: activation_max' recorded/conv_2d_s8.jsonl litert_conv_2d_s8
mistake scale_of_first_channel weights.c 's/int32_t at = s->per_channel ? channel : 0/int32_t at = 0/' \
    'reading.entry.first at multiplier and shift' recorded/conv_2d_s8.jsonl litert_conv_2d_s8
mistake search_from_zero softmax.c 's/int32_t highest = INT8_MIN;/int32_t highest = 0;/' \
    'limit.from_zero at largest of the group' . litert_softmax_s8
mistake weights_from_first_row convolve.c 's/weights_at(c, 0, i, j) + channel/weights_at(c, 0, i - rows.from, j) + channel/' \
    'reading.clamped at in.row, weights from the first one on' . litert_depthwise_conv_2d_s8
mistake offset_before_scaling elementwise.c \
    's/lb_litert_wrap32(product), p->out/lb_litert_wrap32(product + p->output_offset), p->out/; s/lb_litert_clamp(v + p->output_offset,/lb_litert_clamp(v,/' \
    'order.added_before at result' . litert_mul_s8
exit $failed
