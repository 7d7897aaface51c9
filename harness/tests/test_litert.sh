#!/bin/sh
# The second kernel set, as a user meets it: all recordings of LiteRT on the built-in port, what a wrong number looks
# like, and what is said where the sets do not go together. Usage: test_litert.sh LASTBIT SOURCE_DIR
set -u
lastbit=$1 vectors=$2/vectors recorded=$2/vectors/litert/recorded
. "$(dirname "$0")/expect.sh"

# Of the eleven cases that are undefined in one of the profiles nothing is recorded there, and nothing is asked.
expect 0 '^7051 passed, 0 failed, 0 skipped$' "$lastbit" run --diagnose off "$recorded"
grep -q 'Profiles tried: 2 of 2' "$work/out" || complain "both profiles are tried"
grep -q '7051 results are the exact model.s, 7051 a recorded one as well' "$work/out" || complain "model and recording are asked"
expect 0 '^1 passed, 0 failed, 0 skipped$' "$lastbit" run --diagnose off "$recorded/conv_2d_s8.jsonl" --case conv_2d_s8.multiplier.small
expect 0 '^1 functions: [0-9]* of [0-9]* points hit' "$lastbit" vectors coverage --function litert_relu_s8 "$recorded/relu.jsonl"
grep -q 'missed.* litert.16' "$work/out" || complain "what is missed is named, with its section"
expect 0 'litert_relu_s8: [0-9]* of [0-9]* pairs reached' "$lastbit" vectors coverage --pairwise --function litert_relu_s8 "$recorded/relu.jsonl"
expect 0 '[1-9][0-9]* cases reach [1-9][0-9]* of [0-9]* missed points' "$lastbit" vectors generate --cover --patience 50 --function litert_relu_s8 -o "$work/found.jsonl" "$recorded/relu.jsonl"
expect 0 ', 0 failed, 0 skipped' "$lastbit" run "$work/found.jsonl"
expect 0 '^128 passed, 0 failed, 0 skipped$' "$lastbit" run -n litert-single "$recorded/relu.jsonl"

# A run is of one set: where the suites of the other are is said.
expect 2 "litert_relu[*]: no case is left to be tried (its suites are in vectors/litert)" "$lastbit" run --function 'litert_relu*' "$vectors/relu.yaml"

# A number that is wrong by one, in the profile that has it.
sed -n 1p "$recorded/conv_2d_s8.jsonl" >"$work/wrong.jsonl"
sed -n 2p "$recorded/conv_2d_s8.jsonl" | sed 's/\["litert-double"\],"outputs":{"out":\[-23,/["litert-double"],"outputs":{"out":[-22,/' >>"$work/wrong.jsonl"
expect 1 '^1 passed, 1 failed, 0 skipped$' "$lastbit" run --diagnose off "$work/wrong.jsonl"
grep -q 'out\[0,0,0,0\]: recorded result says -22 .*, the port gave -23' "$work/out" || complain "the element is named"
expect 1 'k1x1 \[litert-double\]: the recorded result is not what the exact model gives: out\[0,0,0,0\]' "$lastbit" vectors check "$work/wrong.jsonl"
expect 1 'k1x1 \[litert-double\].*: the recorded result stands alone' "$lastbit" vectors crosscheck "$work/wrong.jsonl"
expect 0 '^232 recorded cases: exact model right in 456 of 456 results; port right in 456 of 456' "$lastbit" vectors crosscheck --cpu portable "$recorded/softmax.jsonl"

# Its steps add up to the result, and name what they read.
expect 0 'out\[0,0,0,0\] = -23 ' "$lastbit" explain "$recorded/conv_2d_s8.jsonl" --case conv_2d_s8.k1x1 -n litert-single
grep -q 'in\[0,0,0,1\]=118 + 92' "$work/out" || complain "the offset is added"
grep -q 'multiplier\[0\]=2088290330' "$work/out" || complain "the multiplier of the channel is read"
expect 0 'litert.12' "$lastbit" explain "$recorded/softmax.jsonl" --case softmax_s16.scale.0.00015259

# Operands of fewer dimensions are those at the end; one that is repeated has one index.
expect 0 'in1.dimension 2 of four = dimension 2 of four = 2 of 3$' "$lastbit" explain "$recorded/add.jsonl" --case add_s16.shape.3x5 --index 2,3
grep -q 'in1\[2,3\]=' "$work/out" || complain "the steps of an element of fewer dimensions are told"
expect 0 'in1.dimension 0 of four = 0 = 0 of 1$' "$lastbit" explain "$recorded/add.jsonl" --case add_s8.n1to1

# Sums of 64 bits have a bias of 64 bits, which is written as it was read.
expect 0 'ok$' "$lastbit" vectors check "$recorded/fully_connected_s16.jsonl"
expect 0 '192 results, 0 with an accumulator too narrow' "$lastbit" guard "$recorded/conv_2d_s8.jsonl"

# What is undefined is not judged; what does not belong together is said.
edit() {
    sed -n 1p "$recorded/conv_2d_s8.jsonl" >"$work/$1.jsonl"
    sed -n 2p "$recorded/conv_2d_s8.jsonl" | sed -e 's/,"expect":.*/}/' -e "$2" >>"$work/$1.jsonl"
}
edit stride 's/"stride_height":1/"stride_height":0/'
expect 4 'breaks window of litert_conv_2d_s8' "$lastbit" run "$work/stride.jsonl"
edit shift 's/"data":\[-8,-9,-8,-9,-6\]/"data":[31,-9,-8,-9,-6]/'
expect 4 'a multiplier, a shift or a limit lies where the function is not defined' "$lastbit" run "$work/shift.jsonl"
edit limit 's/"activation_max":[-0-9]*/"activation_max":128/'
expect 4 'breaks limits of litert_conv_2d_s8' "$lastbit" run "$work/limit.jsonl"
edit shared 's/"outputs":{"out":{\(.*\)}}}$/"outputs":{"out":{\1,"data_in":{"tensor":"in","element":1}}}}/'
expect 4 'breaks memory of litert_conv_2d_s8' "$lastbit" run "$work/shared.jsonl"
edit type 's/"multiplier":{"type":"s32"/"multiplier":{"type":"s64"/'
expect 4 'breaks types of inputs of litert_conv_2d_s8' "$lastbit" run "$work/type.jsonl"
edit field 's/"input_offset"/"in_offset"/'
expect 2 'config.input_offset: the key is missing' "$lastbit" run "$work/field.jsonl"
edit limit 's/"input_offset":92/"input_offset":2147483648/'
expect 2 'input_offset' "$lastbit" run "$work/limit.jsonl"
edit name 's/"litert_conv_2d_s8"/"litert_conv2d_s8"/'
expect 2 'unknown function "litert_conv2d_s8"; did you mean litert_conv_2d_s8?' "$lastbit" run "$work/name.jsonl"
edit int8 's/"type":"s8"/"type":"sa8"/'
expect 2 'unknown name "sa8"; .*s8' "$lastbit" run "$work/int8.jsonl"
# Faults of its functions are those of the same tables, on the functions that the suites call.
expect 0 'faults; [0-9]* more are proved equivalent$' "$lastbit" vectors strength --list --function litert_fully_connected_s8 --steps 1 --tries 5 "$vectors/litert/fully_connected.yaml"
grep -q '^litert_fully_connected ' "$work/out" || complain "the family is told"
grep -q '^conv2d ' "$work/out" && complain "functions that no suite calls are told"
expect 0 '^60 passed, 0 failed, 0 skipped$' sh -c '"$1" vectors generate --family litert_mul --count 30 --seed 4 | "$1" run --diagnose off -' sh "$lastbit"

expect 1 'litert_conv_2d_s16 has no result that passed' "$lastbit" run --require-functions all "$recorded/add.jsonl"
expect 2 "no such function: litert_ad_s8; did you mean litert_add_s8" "$lastbit" run --require-functions litert_ad_s8 "$recorded/add.jsonl"
expect 2 'a run is of one kernel set' "$lastbit" run "$recorded/add.jsonl" "$vectors/relu.yaml"
# The folder of all suites is MLI's; the one of the other set is named.
expect 0 '.' "$lastbit" vectors list "$vectors"
grep -q litert "$work/out" && complain "suites of LiteRT are among those of MLI"
expect 0 'litert_conv_2d_s8' "$lastbit" vectors list "$vectors/litert"
expect 2 'up-full is one of mli' "$lastbit" run -n up-full "$recorded/add.jsonl"
expect 2 'litert-single is one of litert' "$lastbit" run -n litert-single "$vectors/relu.yaml"

# Whole domains.
expect 0 '^200 passed, 0 failed, 0 skipped$' "$lastbit" sweep litert_requantize_s8_s16
grep -q 'exhaustive: litert_requantize_s8_s16, 100 calls, 25,600 inputs' "$work/out" || complain "the domain is told"
expect 2 'a run is of one kernel set' "$lastbit" sweep '*'

# A report of it is whole.
expect 0 ' passed, 0 failed' "$lastbit" run --report "$work/report" "$recorded/depthwise_conv_2d_s8.jsonl"
expect 0 '' "$lastbit" report package -o "$work/report.zip" "$work/report/results.json"
expect 0 '199 passed, 0 failed, 0 skipped' "$lastbit" report verify "$work/report.zip"

exit $failed
