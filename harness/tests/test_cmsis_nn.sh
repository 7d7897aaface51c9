#!/bin/sh
# "lastbit port new --cmsis-nn": headers in the shape of CMSIS-NN's with our own kernels behind them become a port, which
# passes in both roundings and both ways; mistakes in the library are found, steps beside the buffers that it asks for too.
# Usage: test_cmsis_nn.sh LASTBIT SOURCE_DIR LIBRARY C_COMPILER C_FLAGS
set -u
lastbit=$1 recorded=$2/vectors/litert/recorded compiler=$4
flags="$5 -I$2/impl/litert/include"
. "$(dirname "$0")/expect.sh"
library=$3 checkout=$work/checkout port=$work/mine
cp -r "$2/harness/tests/cmsis_nn" "$checkout"

expect 0 '/build/libmine.so vectors/litert$' "$lastbit" port new --cmsis-nn "$checkout" "$port"
expect 2 'expected a checkout, with Include/arm_nnfunctions.h in it' "$lastbit" port new --cmsis-nn "$work" "$work/other"
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

# All that both sets have, in both roundings; the library's other functions for the same.
build build
expect 0 ' passed, 0 failed' "$lastbit" run --diagnose off --port "$port/build/libmine.so" "$recorded"
grep -q 'Functions provided: 21 of 60. Profiles tried: 1 of 2.' "$work/out" || complain "21 functions in one profile"
passed=$(sed -n 's/ passed, 0 failed.*//p' "$work/out")
[ "${passed:-0}" -gt 1600 ] || complain "more than 1600 results pass"
expect 0 "^$passed passed, 0 failed" "$lastbit" run --diagnose off --port "exec:$port/build/mine_agent" "$recorded"
build single -DCMSIS_NN_SINGLE_ROUNDING=ON -DCMSIS_NN_DIRECT=ON
expect 0 ' passed, 0 failed' "$lastbit" run --diagnose off --port "$port/single/libmine.so" "$recorded"
grep -q 'Profiles tried: 1 of 2' "$work/out" || complain "the profile that rounds once is tried"
expect 4 'built for litert-single' "$lastbit" run -n litert-double --port "$port/single/libmine.so" "$recorded/softmax.jsonl"

# try SUITE PATTERN SED: what is told of the library with this mistake.
kernels=$checkout/Source/Own/kernels.c
cp "$kernels" "$work/kernels.c"
try() {
    sed "$3" "$work/kernels.c" >"$kernels"
    cmp -s "$work/kernels.c" "$kernels" && wrong "sed '$3' changes nothing"
    expect 0 . cmake --build "$port/build"
    expect 1 "$2" "$lastbit" run --diagnose off --port "$port/build/libmine.so" "$recorded/$1.jsonl"
}
# D5: offsets of int16 additions are ignored. D4: the query of a buffer is too small.
try add '^FAIL add_s16' 's/{in1_offset, in1_mult,/{sizeof(T) == 2 ? 0 : in1_offset, in1_mult,/'
try transpose_conv_s8 'SIGSEGV\|Segmentation\|crash' '/^int32_t arm_transpose_conv_s8_get_buffer_size/,/^}/s/4 \* out_dims->w/3 * out_dims->w/'
# A byte too many behind, and one in front.
try conv_2d_s8 'refuses the call with the status 100' '/^static void use/,/^}/s/(size_t)bytes)/(size_t)bytes + (bytes % 4 != 0))/'
try conv_2d_s8 'refuses the call with the status 100' '/^static void use/,/^}/s/^}/    if (bytes > 0)\n        ((char *)ctx->buf)[-1] = 0;\n}/'
# It refuses, and it declines: skipped.
try max_pool_2d 'refuses the call with the status 1$\|refuses the call with the status 1 \|status 1' 's/^POOL(arm_max_pool_s8.*/own_status arm_max_pool_s8(OWN_POOL(int8_t)) { (void)ctx, (void)params, (void)in_dims, (void)in, (void)filter_dims, (void)out_dims, (void)out; return ARM_CMSIS_NN_ARG_ERROR; }/'
sed 's/^POOL(arm_max_pool_s8.*/own_status arm_max_pool_s8(OWN_POOL(int8_t)) { (void)ctx, (void)params, (void)in_dims, (void)in, (void)filter_dims, (void)out_dims, (void)out; return ARM_CMSIS_NN_NO_IMPL_ERROR; }/' \
    "$work/kernels.c" >"$kernels"
expect 0 . cmake --build "$port/build"
expect 0 'passed, 0 failed' "$lastbit" run --port "$port/build/libmine.so" "$recorded/max_pool_2d.jsonl"

exit $failed
