#!/bin/sh
# lastbit explain on ports that are wrong on purpose: the call that a run names, the tensor that is wrong, and whether a fault
# of the bank is named.
# Usage: test_explain.sh LASTBIT FOLDER-WITH-BROKEN-PORTS TREE
set -u
lastbit=$1 ports=$2 tree=$3
v=$tree/vectors
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
wrong=0

fail() {
    echo "test_explain: $1" >&2
    [ -s "$scratch/out" ] && sed 's/^/    /' "$scratch/out" >&2
    wrong=1
}

# expect STATUS COMMAND...: the exit status; what it prints is kept.
expect() {
    status=$1
    shift
    "$lastbit" "$@" >"$scratch/out" 2>&1
    got=$?
    [ $got = "$status" ] || fail "$*: exit status $got, not $status"
}
has() { grep -q -- "$1" "$scratch/out" || fail "nothing matches $1"; }
lacks() { grep -q -- "$1" "$scratch/out" && fail "something matches $1"; }

# A fault of the bank, by its sentence and by its name; counts are of all elements.
case=eltwise_mul_fx16.extent.out_elements.8
expect 1 explain --port "$ports/truncation.so" "$v/coverage_eltwise.jsonl" --case $case --profile up-full
has 'requantize.rounding (step #[0-9]*, rsh: .*cuts the fraction off (towards minus infinity)'
has 'explains 5 of 5 wrong elements, and leaves 3 of 3 others right'
expect 1 explain --json --port "$ports/truncation.so" "$v/coverage_eltwise.jsonl" --case $case --profile up-full
has '"fault":"rounding.truncates at requantize, in steps of the output","words":"cuts the fraction off'

# With buffers misaligned too.
expect 1 explain --misalign --port "$ports/truncation.so" "$v/coverage_eltwise.jsonl" --case $case --profile up-full
has 'requantize.rounding'

# What a diagnosis of the family's cases names comes first, though for this case alone another fault would.
case=eltwise_add_sa8.scalar.in1.rank0
expect 1 explain --json --port "$ports/zero_point_omitted.so" "$v/coverage_eltwise.jsonl" --case $case --profile up-full
has '"candidates":\[{[^}]*"fault":"reading.zero_point.missing at in1"'
has '"diagnosis":"reading.zero_point.missing at in1"'
expect 1 explain --json --seconds 0 --port "$ports/zero_point_omitted.so" "$v/coverage_eltwise.jsonl" --case $case --profile up-full
lacks '"diagnosis":'
lacks '"candidates":\[{[^}]*"fault":"reading.zero_point'

# In place, the output is what differs, in explanations and in runs.
case=eltwise_mul_fx16.cross.in_place_and_gaps
expect 1 explain --port "$ports/truncation.so" "$v/coverage_eltwise.jsonl" --case $case --profile up-full
lacks 'in2 input'
expect 1 run --diagnose off --port "$ports/truncation.so" "$v/coverage_eltwise.jsonl" --case $case --profile up-full
has 'out\[[0-9,]*\]: exact model says'
has 'the rule: elementwise.md 5'
lacks 'an input!'

# An input that the port alone has changed leaves the other two agreeing.
expect 1 run --diagnose off --port "$ports/input_modified.so" "$v/relu.yaml" "$v/eltwise.yaml" "$v/softmax.yaml" "$v/conv2d.yaml"
lacks 'all differ'

# A chain is explained at the call that the run names.
"$lastbit" run --diagnose off --port "$ports/other_rounding.so" "$v/chains.yaml" --profile up-full >"$scratch/out" 2>&1
id=$(sed -n 's/^FAIL \([^ ]*\) .*/\1/p' "$scratch/out" | head -n 1)
step=$(sed -n 's/.*first difference at step \([0-9]*\) of.*/\1/p' "$scratch/out" | head -n 1)
[ -n "$id" ] && [ -n "$step" ] || fail "no chain fails"
expect 1 explain --port "$ports/other_rounding.so" "$v/chains.yaml" --case "$id" --profile up-full
has "^call      $step of "

# A sequence is judged on the port that is asked for, and its line says so.
"$lastbit" explain --port builtin "$v/movement_sequences.yaml" --case mov_async.at_load_time >"$scratch/out" 2>&1
has 'gives what it should'
exit $wrong
