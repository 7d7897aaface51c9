#!/bin/sh
# Ports of LiteRT kernels: our implementation behind the kit as a library and as a program, and a port that "lastbit port
# new --litert" has made, as it stands and with mistakes in it.
# Usage: test_litert_port.sh LASTBIT SOURCE_DIR LIBRARY AGENT MLI_AGENT C_COMPILER C_FLAGS
set -u
lastbit=$1 vectors=$2/vectors recorded=$2/vectors/litert/recorded library=$3 agent=$4 mli_agent=$5 compiler=$6 flags=$7
. "$(dirname "$0")/expect.sh"

# All that is recorded, over the wire; buffers off their boundaries.
for port in "$library" "exec:$agent"; do
    expect 0 '^7051 passed, 0 failed, 0 skipped$' "$lastbit" run --diagnose off --port "$port" "$recorded"
    grep -q 'Functions provided: 60 of 60. Profiles tried: 2 of 2.' "$work/out" || complain "all functions are provided"
    expect 0 '^functions    60 of 60 of LiteRT$' "$lastbit" port info "$port"
    grep -q '^profiles     litert-double litert-single$' "$work/out" || complain "its profiles are told"
    grep -q 'of 150' "$work/out" && complain "functions of MLI are counted that the port has not one of"
done
expect 0 ' passed, 0 failed' "$lastbit" run --misalign=1 --port "$library" "$recorded/softmax.jsonl" "$recorded/add.jsonl"
expect 4 'not provided by the port' "$lastbit" run --port "$library" "$vectors/relu.yaml"
# An agent with MLI alone says nothing of other sets.
expect 4 'not provided by the port' "$lastbit" run --port "exec:$mli_agent" "$recorded/relu.jsonl"
expect 0 '^functions    150 of 150' "$lastbit" port info "exec:$mli_agent"
grep -q LiteRT "$work/out" && complain "functions of LiteRT are counted that the port has not one of"

# A certification, of cases that nobody has seen; whoever is handed it makes them again.
certify() { "$lastbit" certify --set litert --seed 5 --cases 4 --diagnose off "$@"; }
expect 0 '^480 passed, 0 failed, 0 skipped$' certify --port "$library" --report "$work/c"
expect 0 '^Certification: 240 cases made of seed 5' certify --port "$library"
grep -q 'Functions provided: 60 of 60. Profiles tried: 2 of 2.' "$work/out" || complain "what was certified is told"
expect 0 '^240 passed, 0 failed, 0 skipped$' "$lastbit" certify --profile litert-single --seed 6 --cases 4 --port "exec:$agent"
expect 2 'has functions of LiteRT, and none of MLI: expected --set litert$' "$lastbit" certify --cases 4 --port "$library"
expect 2 'profile up-full is one of mli, and the cases are of litert$' certify --profile up-full
expect 0 '' "$lastbit" report package -o "$work/c.tar.gz" "$work/c"
expect 0 '^verified: 7 members; the results say 480 passed, 0 failed, 0 skipped$' "$lastbit" report verify "$work/c.tar.gz"
grep -q '^480 results held against the exact model, 0 not' "$work/out" || complain "the cases are not made again"
sed 's/"certify_seed":"5"/"certify_seed":"6"/' "$work/c/results.json" >"$work/forged.json"
expect 0 '' "$lastbit" report package -o "$work/forged.tar.gz" "$work/forged.json"
expect 1 'seed 6 makes other cases here' "$lastbit" report verify "$work/forged.tar.gz"

# Cases as plain files, and a port that is files: here what the exact model gives.
expect 0 ': 361 cases for litert-single, 0 left out' "$lastbit" vectors export --with-expected -n litert-single -o "$work/files" \
    "$recorded/fully_connected_s16.jsonl" "$recorded/mean.jsonl"
for case in "$work"/files/cases/*; do cp "$case"/expected/* "$case"; done
expect 0 '^361 passed, 0 failed, 0 skipped$' "$lastbit" run --port "files:$work/files" "$work/files/suites"
grep -q '"dtype":.*"<i8"' "$work"/files/cases/00001*/case.json || wrong "sums of 64 bits have no bias of 64 bits"
expect 0 'cases for litert-double' "$lastbit" vectors export -f c -o "$work/headers" "$recorded/relu.jsonl"

# A port of one's own.
port=$work/mine
expect 0 '/build/libmine.so vectors/litert$' "$lastbit" port new --litert "$port"
expect 2 'expected one of --mli' "$lastbit" port new --litert --native "$work/other"
expect 2 'go with --mli' "$lastbit" port new --litert --library x --include . "$work/other"
expect 0 . cmake -G Ninja -S "$port" -B "$port/build" "-DCMAKE_C_COMPILER=$compiler" "-DCMAKE_C_FLAGS=$flags -Wall -Wextra -Werror"
expect 0 . cmake --build "$port/build"
expect 0 '^224 passed, 0 failed, 6827 skipped$' "$lastbit" run --port "$port/build/libmine.so" "$recorded"
expect 0 '^missing      58: --missing lists them$' "$lastbit" port info "exec:$port/build/mine_agent"

# try PATTERN SED: what is told of the port with this change, in both ways.
cp "$port/kernels.c" "$work/kernels.c"
try() {
    sed "$2" "$work/kernels.c" >"$port/kernels.c"
    cmp -s "$work/kernels.c" "$port/kernels.c" && wrong "sed '$2' changes nothing"
    expect 0 . cmake --build "$port/build"
    for way in "$port/build/libmine.so" "exec:$port/build/mine_agent"; do
        expect 1 "$1" "$lastbit" run --diagnose off --port "$way" "$recorded/fully_connected_s8.jsonl"
    done
}
# Rounded once where it must be twice; the profile that rounds once is right.
try 'fully_connected_s8.ties.1 \[litert-double\]' 's/if (once)/if (once || 1)/'
grep -q '^reproduce: .* --profile litert-single' "$work/out" && complain "nothing is wrong where sums are rounded once"
# That is within tolerance of the real numbers; a mistake of more than a rounding is not.
expect 0 ' passed, 0 failed' "$lastbit" run --diagnose off --judge tolerance --port "$port/build/libmine.so" "$recorded/fully_connected_s8.jsonl"
grep -q 'other bits pass where they are within tolerance' "$work/out" || complain "it is told how results were judged"
try 'the port gave' 's/n->weights_offset)/0)/'
expect 1 'weights_offset' "$lastbit" run --diagnose off --judge tolerance --port "$port/build/libmine.so" "$recorded/fully_connected_s8.jsonl"
try 'asks lb_native_number for "input_ofset", and no function has such a key: did you mean input_offset' 's/"input_offset"/"input_ofset"/'
try 'it refuses the call with the status 7' 's/^    my_fully_connected_s8(in->data/    return 7;\n&/'
try 'the port wrote outside its buffers' 's/^    my_fully_connected_s8(in->data/    ((int8_t *)out->data)[count_of(out)] = 1;\n&/'
# Wrong in one of 1,000 calls: the recordings do not tell, a certification does.
sed 's/^    my_fully_connected_s8(in->data/    static unsigned calls;\n&/; s/^                          count_of(in) \/ inputs.*/&\n    ((int8_t *)out->data)[0] ^= ++calls % 1000 == 0;/' \
    "$work/kernels.c" >"$port/kernels.c"
expect 0 . cmake --build "$port/build"
expect 0 '^[1-9][0-9]* passed, 0 failed' "$lastbit" run --diagnose off --jobs 1 --port "$port/build/libmine.so" \
    "$recorded/fully_connected_s8.jsonl"
expect 1 'not the same when the call is made again' "$lastbit" certify --set litert --seed 1 --cases 44 --diagnose off --show 9 \
    --function litert_fully_connected_s8 --port "$port/build/libmine.so" --report "$work/seldom"
grep -q 'reproduce: lastbit certify --cases 44 --set litert --port .* --seed 1 ' "$work/out" || complain "the line that reproduces it"
expect 0 '' "$lastbit" report package -o "$work/seldom.tar.gz" "$work/seldom"
expect 0 '^verified: ' "$lastbit" report verify "$work/seldom.tar.gz"
# One rounding alone: the other is not tried.
sed 's/LB_KIT_BOTH_LITERT/LB_KIT_LITERT_SINGLE/' "$work/kernels.c" >"$port/kernels.c"
expect 0 . cmake --build "$port/build"
expect 0 'Profiles tried: 1 of 2' "$lastbit" run --port "$port/build/libmine.so" "$recorded/fully_connected_s8.jsonl"
expect 4 'the port is built for litert-single' "$lastbit" run -n litert-double --port "$port/build/libmine.so" "$recorded/fully_connected_s8.jsonl"
# A name that no function has.
sed 's/LB_NATIVE_NAME(litert_relu6_s8)/LB_NATIVE_NAME(litert_relu7_s8)/' "$work/kernels.c" >"$port/kernels.c"
expect 1 'LB_NATIVE_IS_litert_relu7_s8' cmake --build "$port/build"
sed 's/LB_NATIVE_NAME(litert_relu6_s8)/"litert_rellu6_s8"/' "$work/kernels.c" >"$port/kernels.c"
expect 0 . cmake --build "$port/build"
expect 0 '"litert_rellu6_s8" is no function.s name.*did you mean litert_relu6_s8?' "$lastbit" port info "$port/build/libmine.so"

exit $failed
