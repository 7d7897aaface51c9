#!/bin/sh
# test_profile_walk.sh LASTBIT DEVIANT VECTORS: the profile of a port whose numerics no built-in profile has serves in
# every command that takes a profile as a built-in one does: run, sweep, strength, coverage, explain, guard, tolerance.
set -u
lastbit=$1 deviant=$2 sources=$3
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export LB_DEVIANT="ROUND=AWAY SYMMETRIC=1"
failed=0
mine=$work/mine.yaml
fully_connected=$sources/vectors/fully_connected.yaml
leaky_relu=$sources/vectors/leaky_relu.yaml
{
    printf '%s\n' 'format: lastbit/profile-1' 'name: mine' 'rounding: up' 'accumulator: full' \
        'width: {8x8: 32, 16x8: 32, 16x16: 64}' 'overflow: wrap' 'features:'
    for group in 'fully_connected fx16_fx8' 'fully_connected fx16' 'fully_connected sa8' 'fully_connected fx8' \
        'leaky_relu fx16' 'leaky_relu sa8' 'leaky_relu fx8'; do
        echo "  $group: {rounding: away, lowest-output: symmetric}"
    done
} >"$mine"

# expect STATUS WORDS OPTION...: lastbit ends with the status, and a line of what it says matches the words.
expect() {
    status=$1 words=$2
    shift 2
    "$lastbit" "$@" >"$work/out.txt" 2>&1
    got=$?
    [ $got = "$status" ] && grep -q -e "$words" "$work/out.txt" && return
    echo "test_profile_walk: lastbit $*: status $got, not $status, or no \"$words\": $(tail -5 "$work/out.txt")" >&2
    failed=1
}

expect 0 ' 0 failed' run --port "$deviant" --profile "$mine" --case 'leaky_relu_*' --case 'fully_connected_*' "$leaky_relu" \
    "$fully_connected"
expect 1 ' 1 failed' run --profile "$mine" --case 'fully_connected_*' "$fully_connected" # ours has other numerics
expect 0 '^9780 passed, 0 failed' sweep --port "$deviant" --profile "$mine" mli_krn_leaky_relu_fx8
expect 0 '^strength [1-9][0-9]*\.' vectors strength --profile "$mine" -f mli_krn_fully_connected_sa8_sa8_sa32 "$fully_connected"
expect 0 '^[0-9]* functions: [1-9]' vectors coverage --profile "$mine" "$fully_connected"
case=fully_connected_sa8_sa8_sa32.bias_saturates
expect 0 'rsh .*half from zero' explain --profile "$mine" --case $case "$fully_connected"
expect 0 'rsh .*half up' explain --profile up-full --case $case "$fully_connected"
expect 1 "smallest headroom: .* $case \[mine\]" guard --profile "$mine" --case "$case" "$fully_connected"
expect 0 ' 0 failed' run --port "$deviant" --profile "$mine" --tolerance derived --case 'leaky_relu_*' "$leaky_relu"
sed 's/lowest-output/lowest-input/' "$mine" >"$work/wrong.yaml"
expect 2 'wrong.yaml:8:.*unknown feature' run --profile "$work/wrong.yaml" "$leaky_relu"
[ $failed = 0 ] && echo "test_profile_walk: serves everywhere"
exit $failed
