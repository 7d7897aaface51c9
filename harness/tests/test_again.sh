#!/bin/sh
# lastbit run --repeat, and failing results tried again alone: a port with state, a port that is wrong always, one that crashes, a right one.
# Usage: test_again.sh LASTBIT FOLDER-WITH-BROKEN-PORTS TREE
set -u
export ASAN_OPTIONS=handle_segv=0:handle_abort=0:detect_leaks=0 # a crash of a port is to be one
lastbit=$1 ports=$2 tree=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
wrong=0

# expect STATUS PATTERN ARGUMENT...: of lastbit run; a pattern beginning with ! must not be there.
expect() {
    status=$1 pattern=$2
    shift 2
    "$lastbit" run --diagnose off "$@" >"$scratch/out" 2>&1
    got=$?
    [ $got = "$status" ] || { echo "test_again: $*: exit status $got, not $status"; sed 's/^/    /' "$scratch/out"; wrong=1; }
    shows "$scratch/out" "$pattern"
}

shows() { # FILE PATTERN
    case $2 in
    !*) ! grep -q -e "${2#!}" "$1" || { echo "test_again: $1 shows ${2#!}"; wrong=1; } ;;
    *) grep -q -e "$2" "$1" || { echo "test_again: $1 does not show $2"; sed 's/^/    /' "$1" | head -30; wrong=1; } ;;
    esac
}

v=$tree/vectors seventh=$ports/every_seventh_call.so
relu="$v/relu.yaml --case *fx8*"

# State between calls: told of the result, in the sum and in every document.
expect 1 'tried again: passes alone: state between calls, or nondeterministic$' --port "$seventh" -j 1 --report "$scratch/state" $relu
shows "$scratch/out" '^[1-9][0-9]* failing results\{0,1\} pass.* alone: '
for document in results.json report.html junit.xml summary.md; do
    shows "$scratch/state/$document" 'passes alone: state between calls, or nondeterministic'
done
failed=$(grep -c '"verdict":"fail"' "$scratch/state/results.json")

# Gone on with, nothing changes; another run of the same is the same.
expect 1 'tried again: passes alone' --port "$seventh" -j 1 --report "$scratch/state" --resume $relu
[ "$failed" = "$(grep -c '"verdict":"fail"' "$scratch/state/results.json")" ] || { echo 'test_again: --resume changes results'; wrong=1; }

# More orders show more of it; the results count once each, the documents say how often they were made.
expect 1 'not the same each time: passed at first, failed in repetition' --port "$seventh" -j 1 --repeat 4 --seed 3 --report "$scratch/four" $relu
shows "$scratch/four/results.json" '"repeats":4'
shows "$scratch/four/summary.md" 'every result was made 4 times'
[ "$failed" -lt "$(grep -c '"verdict":"fail"' "$scratch/four/results.json")" ] || { echo 'test_again: --repeat finds no more'; wrong=1; }
[ "$(grep -c '"order":' "$scratch/four/results.json")" = "$(grep -c '"order":' "$scratch/state/results.json")" ] || { echo 'test_again: other results'; wrong=1; }

# The time of a result is the median of all: not that of the first time, which the journal has.
call_times() { grep -o '"microseconds":[0-9.e+-]*' "$1" | sort | uniq -c; }
[ "$(call_times "$scratch/four/results.json")" != "$(call_times "$scratch/four/journal.jsonl")" ] || { echo 'test_again: no medians'; wrong=1; }

# Wrong in every call, crashes, garbage: no state, and never told as such.
expect 1 '!alone' --port "$ports/output_stride_ignored.so" --repeat 2 "$v/relu.yaml"
expect 1 '!alone' --port "$ports/crash_on_odd_channels.so" --repeat 2 "$v/depthwise_conv2d.yaml"
expect 1 '!not the same' --port "$ports/reset.so" --repeat 2 "$v/activation.yaml"

# Right: the same each time, in one process, in several, and of sequences.
expect 0 '0 failed, 0 skipped' --repeat 3 --seed 5 "$v/relu.yaml" "$v/movement_sequences.yaml"
expect 0 '0 failed, 0 skipped' --repeat 2 -j 0 "$v/relu.yaml"
expect 0 '0 failed, 0 skipped' --repeat 2 --shard 1/2 "$v/relu.yaml"
expect 2 'expected' --repeat 0 "$v/relu.yaml"
expect 2 'expected' --repeat many "$v/relu.yaml"
exit $wrong
