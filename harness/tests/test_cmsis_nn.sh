#!/bin/sh
# "lastbit port new --cmsis-nn": headers in the shape of CMSIS-NN's with our own kernels behind them become a port, which
# passes in both roundings and both ways; mistakes in the library are found, steps beside the buffers that it asks for too.
# The differences that CMSIS-NN is known to have (litert.24) are told by name, and nothing else is told so.
# Usage: test_cmsis_nn.sh LASTBIT SOURCE_DIR LIBRARY C_COMPILER C_FLAGS
set -u
lastbit=$1 recorded=$2/vectors/litert/recorded compiler=$4
flags="$5 -I$2/impl/litert/include"
. "$(dirname "$0")/expect.sh"
library=$3 checkout="$work/check out" port="$work/my ports/mine"
mkdir "$work/my ports"
cp -r "$2/harness/tests/cmsis_nn" "$checkout"
functions=$checkout/Include/arm_nnfunctions.h kernels=$checkout/Source/Own/kernels.c

expect 0 '/build/libmine.so vectors/litert$' "$lastbit" port new --cmsis-nn "$checkout" "$port"
expect 2 'expected a checkout, with Include/arm_nnfunctions.h in it' "$lastbit" port new --cmsis-nn "$work" "$work/other"
expect 2 'expected a checkout, with Include/arm_nnfunctions.h in it' "$lastbit" port new --cmsis-nn "$work/none" "$work/other"
expect 2 'expected one of --mli' "$lastbit" port new --litert --cmsis-nn "$checkout" "$work/other"
expect 2 'go with --mli' "$lastbit" port new --cmsis-nn "$checkout" --library x --include . "$work/other"

# build FOLDER [OPTION...]: the port with options of cmake.
build() {
    folder=$port/$1
    shift
    expect 0 . cmake -G Ninja -S "$port" -B "$folder" "-DCMAKE_C_COMPILER=$compiler" \
        "-DCMAKE_C_FLAGS=$flags -Wall -Wextra -Werror" "-DCMSIS_NN_LIBRARY=$library" "$@"
    expect 0 . cmake --build "$folder"
}

# What is no checkout: no header, one of its headers missing, no sources; and a library that is not there.
# refused PATTERN [OPTION...]: what cmake says.
refused() {
    pattern=$1
    shift
    expect 1 "$pattern" cmake -G Ninja -S "$port" -B "$work/refused" "-DCMAKE_C_COMPILER=$compiler" "$@"
    rm -rf "$work/refused"
}
for file in Include/arm_nnfunctions.h Include/arm_nn_types.h; do
    mv "$checkout/$file" "$work/moved"
    refused "${file#*/}"
    mv "$work/moved" "$checkout/$file"
done
mv "$checkout/Source" "$work/Source"
refused 'Source has no folders with C'
mv "$work/Source" "$checkout/Source"
refused 'expected the library in CMSIS_NN_LIBRARY' -DCMSIS_NN_BUILT=ON
refused "$PWD/none.a is not there" -DCMSIS_NN_BUILT=ON -DCMSIS_NN_LIBRARY=none.a

# A library that has not all: a function is not declared, one otherwise, one is declared and nowhere defined, and what is not
# called stands in a header beside; and a structure has another name. The rest is on trial, with nothing to edit.
cp "$functions" "$work/arm_nnfunctions.h"
cp "$checkout/Include/arm_nn_types.h" "$work/arm_nn_types.h"
sed '/^POOL(arm_max_pool_s8/d' "$kernels" >"$checkout/Source/Own/cut.c"
# shellcheck disable=SC2086 # flags are words
expect 0 '' "$compiler" $flags -fPIC "-I$checkout/Include" -c "$checkout/Source/Own/cut.c" -o "$work/cut.o"
expect 0 '' ar rc "$work/libcut.a" "$work/cut.o"
rm "$checkout/Source/Own/cut.c"
sed -e '/arm_fully_connected_per_channel_s8/,/;/d' -e '/arm_convolve_wrapper_s16(/s/cmsis_nn_bias_data/int64_t/' \
    -e '/arm_vector_sum_s8/,/;/d' "$work/arm_nnfunctions.h" >"$functions"
{
    echo '#include <arm_nn_types.h>'
    sed -n '/^own_status arm_vector_sum_s8/,/;/s/own_status/arm_cmsis_nn_status/p' "$work/arm_nnfunctions.h"
    echo 'int32_t rhs_offset, const int32_t *bias);'
} >"$checkout/Include/arm_nnsupportfunctions.h"
sed 's/cmsis_nn_bias_data/other_data/' "$work/arm_nn_types.h" >"$checkout/Include/arm_nn_types.h"
cd "$work" || exit 1 # libraries are named from here
build lacking -DCMSIS_NN_BUILT=ON "-DCMSIS_NN_LIBRARY=libcut.a;$library"
expect 0 'Left out.*declare.*: arm_convolve_wrapper_s16, arm_fully_connected_per_channel_s8$' cmake "$port/lacking"
expect 0 ' passed, 0 failed' "$lastbit" run --diagnose off --port "$port/lacking/libmine.so" "$recorded"
grep -q 'Functions provided: 18 of 60' "$work/out" || complain "18 functions of a library that has not all"
expect 0 'litert_max_pool_2d_s8' "$lastbit" port info --missing "$port/lacking/libmine.so"
mv "$work/arm_nnfunctions.h" "$functions"
mv "$work/arm_nn_types.h" "$checkout/Include/arm_nn_types.h"
rm "$checkout/Include/arm_nnsupportfunctions.h"

# All that both sets have, in both roundings; the library's other functions for the same.
build build
expect 0 ' passed, 0 failed' "$lastbit" run --diagnose off --port "$port/build/libmine.so" "$recorded"
grep -q 'Functions provided: 21 of 60. Profiles tried: 1 of 2.' "$work/out" || complain "21 functions in one profile"
passed=$(sed -n 's/ passed, 0 failed.*//p' "$work/out")
[ "${passed:-0}" -gt 1600 ] || complain "more than 1600 results pass"
expect 0 "^$passed passed, 0 failed" "$lastbit" run --diagnose off --port "exec:'$port/build/mine_agent'" "$recorded"
build single -DCMSIS_NN_SINGLE_ROUNDING=ON -DCMSIS_NN_DIRECT=ON
expect 0 ' passed, 0 failed' "$lastbit" run --diagnose off --port "$port/single/libmine.so" "$recorded"
grep -q 'Profiles tried: 1 of 2' "$work/out" || complain "the profile that rounds once is tried"
expect 4 'built for litert-single' "$lastbit" run -n litert-double --port "$port/single/libmine.so" "$recorded/softmax.jsonl"

# try SUITE PATTERN SED: what is told of the library with this mistake.
cp "$kernels" "$work/kernels.c"
try() {
    sed "$3" "$work/kernels.c" >"$kernels"
    cmp -s "$work/kernels.c" "$kernels" && wrong "sed '$3' changes nothing"
    expect 0 . cmake --build "$port/build"
    expect 1 "$2" "$lastbit" run --diagnose off --port "$port/build/libmine.so" "$recorded/$1.jsonl"
}
# The query of a buffer is too small.
try transpose_conv_s8 'SIGSEGV\|Segmentation\|crash' '/^int32_t arm_transpose_conv_s8_get_buffer_size/,/^}/s/return own_row/return -4 + own_row/'
# A byte too many behind, and one in front.
try conv_2d_s8 'refuses the call with the status 100' '/^static void use/,/^}/s/(size_t)bytes)/(size_t)bytes + (bytes % 4 != 0))/'
try conv_2d_s8 'refuses the call with the status 100' '/^static void use/,/^}/s/^}/    if (bytes > 0)\n        ((char *)ctx->buf)[-1] = 0;\n}/'
# It refuses, and it declines: skipped.
try max_pool_2d 'refuses the call with the status 1$\|refuses the call with the status 1 \|status 1' 's/^POOL(arm_max_pool_s8.*/own_status arm_max_pool_s8(OWN_POOL(int8_t)) { (void)ctx, (void)params, (void)in_dims, (void)in, (void)filter_dims, (void)out_dims, (void)out; return ARM_CMSIS_NN_ARG_ERROR; }/'
sed 's/^POOL(arm_max_pool_s8.*/own_status arm_max_pool_s8(OWN_POOL(int8_t)) { (void)ctx, (void)params, (void)in_dims, (void)in, (void)filter_dims, (void)out_dims, (void)out; return ARM_CMSIS_NN_NO_IMPL_ERROR; }/' \
    "$work/kernels.c" >"$kernels"
expect 0 . cmake --build "$port/build"
expect 0 'passed, 0 failed' "$lastbit" run --port "$port/build/libmine.so" "$recorded/max_pool_2d.jsonl"

cp "$work/kernels.c" "$kernels"

# differences MASK SUITE COUNT PATTERN...: of a library with these differences so many results fail, and each cause that is
# told fits one of the patterns, which are all told.
header=$checkout/Source/Own/differences.h
cp "$header" "$work/differences.h"
differences() {
    mask=$1 suite=$recorded$2 count=$3
    shift 3
    sed "s/^#define OWN_DIFFERENCES 0/#define OWN_DIFFERENCES $mask/" "$work/differences.h" >"$header"
    expect 0 . cmake --build "$port/build"
    expect 1 "passed, $count failed" "$lastbit" run --report "$work/report" --port "$port/build/libmine.so" "$suite"
    grep '^[0-9]*[.] ' "$work/out" >"$work/causes"
    for pattern; do
        grep -q "^[0-9]*[.] $pattern" "$work/causes" || complain "$mask: told: $pattern"
        grep -v "^[0-9]*[.] $pattern" "$work/causes" >"$work/others"
        mv "$work/others" "$work/causes"
    done
    [ ! -s "$work/causes" ] || wrong "$mask: told besides: $(cat "$work/causes")"
}
each() { # NUMBER...: the patterns of these.
    for number; do echo "known difference D$number of CMSIS-NN, litert.24: "; done
}
one() { # NUMBER SUITE COUNT
    differences $((1 << $1)) "/$2.jsonl" "$3" "$(each "$1")"
}
one 1 transpose_conv_s8 37
one 2 transpose_conv_s8 38
one 3 transpose_conv_s8 10
one 4 transpose_conv_s8 17
one 5 add 4
one 5 fully_connected_s16 8
one 6 conv_2d_s16 2
one 7 conv_2d_s16 2
one 8 softmax 3
one 9 conv_2d_s16 3
one 10 max_pool_2d 4
one 11 depthwise_conv_2d_s8 2
# Those of the newest version: as many as litert.24 counts there, 28 that differ and 65 that are stopped.
IFS='
'
# shellcheck disable=SC2046 # a pattern a line
differences 4092 '' 93 $(each 2 3 4 5 6 7 8 9 10 11)
# Those of v7.0.0, and a mistake beside them.
sed 's/{in1_offset, in2_offset, out_offset, /{in1_offset, in2_offset, 0 * out_offset, /' "$work/kernels.c" >"$kernels"
# shellcheck disable=SC2046
differences 4094 '' 181 $(each 1 2 3 4 5 6 7 8 9 10 11) "probably: leaves the second number out: result, with the output's offset"
grep -q '"known difference D9 of CMSIS-NN"' "$work/report/results.json" || complain "results.json groups results under D9"
# Mistakes where there are differences are no such: another stride, no bias, another shift, one offset.
mistake() { # SUITE COUNT SED PATTERN
    sed "$3" "$work/kernels.c" >"$kernels"
    cmp -s "$work/kernels.c" "$kernels" && wrong "sed '$3' changes nothing"
    differences 0 "/$1.jsonl" "$2" "$4"
}
mistake transpose_conv_s8 83 '/^own_status arm_transpose/,/^}/s/tile(params->stride), tile/{params->stride.h, params->stride.w}, tile/' \
    'takes stride_height and stride_width for each other'
mistake conv_2d_s16 115 's/const lb_litert_bias of = {bias->data, bias/const lb_litert_bias of = {NULL, bias/' \
    'probably: leaves the second number out: bias'
mistake add 2 's/{in1_offset, in1_mult,/{sizeof(T) == 2 ? 0 : in1_offset, in1_mult,/' \
    'probably: leaves the second number out: in1.result'
mistake transpose_conv_s8 172 '/^int32_t arm_transpose_conv_s8_get_buffer_size/,/^}/s/return own_row/return -4 + own_row/' \
    'gives no result: '

exit $failed
