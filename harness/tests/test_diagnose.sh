#!/bin/sh
# lastbit diagnose on ports that are wrong on purpose: the fault by name, state and crashes told as such, and the sad paths.
# Usage: test_diagnose.sh LASTBIT FOLDER-WITH-BROKEN-PORTS TREE
set -u
export ASAN_OPTIONS=handle_segv=0:handle_abort=0 # a crash of a port is to be one
lastbit=$1 ports=$2 tree=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
wrong=0

fail() {
    echo "test_diagnose: $1" >&2
    [ -s "$scratch/out" ] && sed 's/^/    /' "$scratch/out" >&2
    wrong=1
}

# expect STATUS NAME-PATTERN PORT SUITE...: the exit status, and a line of the JSON that matches.
expect() {
    status=$1 pattern=$2 port=$3
    shift 3
    "$lastbit" diagnose --json --seconds 20 --time-limit 4 "$port" "$@" >"$scratch/out" 2>"$scratch/err"
    got=$?
    [ $got = "$status" ] || fail "$port: exit status $got, not $status: $(cat "$scratch/err")"
    grep -q "$pattern" "$scratch/out" || fail "$port: nothing matches $pattern"
}

v=$tree/vectors
expect 0 '"failing":0,' "$ports/clean.so" "$v/relu.yaml" "$v/eltwise.yaml"
expect 1 '"name":"rounding.truncates' "$ports/truncation.so" "$v/coverage_eltwise.jsonl" "$v/coverage_eltwise.jsonl"
expect 1 '"name":"state"' "$ports/stale_cache.so" "$v/rnn_dense.yaml" "$v/coverage_rnn_dense.jsonl"
expect 1 'signal 11' "$ports/crash_on_odd_channels.so" "$v/depthwise_conv2d.yaml"
# A layout that is no fault of the bank is told by probes.
expect 1 '"sentence":"reads weights backwards in dimension 0, 3","certainty":"one"' "$ports/weights_backwards.so" "$v/coverage_conv2d.jsonl"
# The smallest case is named with a line that shows it again.
expect 1 'reproduce":"lastbit run --port' "$ports/truncation.so" "$v/coverage_eltwise.jsonl"
line=$(sed -n 's/.*"reproduce":"\(lastbit run[^"]*\)".*/\1/p' "$scratch/out" | head -n 1)
(cd "$tree" && eval "\"$lastbit\" ${line#lastbit}" >"$scratch/again" 2>&1)
[ $? = 1 ] || fail "the reproducing line does not fail: $line"

# A run tells the causes first, and its results name theirs.
"$lastbit" run --quiet --show 1 --report "$scratch/report" --port "$ports/truncation.so" "$v/coverage_eltwise.jsonl" >"$scratch/out" 2>&1
[ $? = 1 ] || fail "run: no status 1"
sed -n 1p "$scratch/out" | grep -q '^1. cuts the fraction off' || fail "run: its first line is not the cause"
grep -q '^"faults":\[' "$scratch/report/results.json" || fail "run: no causes in results.json"
grep -q '"fault":"rounding.truncates' "$scratch/report/results.json" || fail "run: no result names its cause"
grep -q '^### Causes' "$scratch/report/summary.md" || fail "run: no causes in summary.md"
grep -q 'message="rounding.truncates' "$scratch/report/junit.xml" || fail "run: no cause in the messages of junit.xml"
grep -q 'id="faults"' "$scratch/report/report.html" || fail "run: no causes in report.html"
"$lastbit" report csv "$scratch/report/results.json" -o "$scratch/again.csv" || fail "results.json with causes is not read"
"$lastbit" run --quiet --diagnose off --port "$ports/truncation.so" "$v/coverage_eltwise.jsonl" >"$scratch/out" 2>&1
sed -n 1p "$scratch/out" | grep -q '^FAIL' || fail "--diagnose off: the first line is no failure"

# Sad paths.
"$lastbit" run --diagnose never "$v/relu.yaml" >"$scratch/out" 2>&1; [ $? = 2 ] || fail "--diagnose never: no status 2"
"$lastbit" diagnose >"$scratch/out" 2>&1; [ $? = 2 ] || fail "no port: no status 2"
"$lastbit" diagnose builtin >"$scratch/out" 2>&1; [ $? = 2 ] || fail "no suite: no status 2"
"$lastbit" diagnose --level deepest builtin "$v/relu.yaml" >"$scratch/out" 2>&1; [ $? = 2 ] || fail "no such level: no status 2"
"$lastbit" diagnose "$scratch/none.so" "$v/relu.yaml" >"$scratch/out" 2>&1; [ $? = 2 ] || fail "no such port: no status 2"
"$lastbit" diagnose --case none builtin "$v/relu.yaml" >"$scratch/out" 2>&1; [ $? = 2 ] || fail "no such case: no status 2"
exit $wrong
