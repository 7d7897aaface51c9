#!/bin/sh
# lastbit diagnose on ports that are wrong on purpose: the fault by name, state and crashes told as such, and the sad paths.
# Usage: test_diagnose.sh LASTBIT FOLDER-WITH-BROKEN-PORTS TREE all|few
set -u
export ASAN_OPTIONS=handle_segv=0:handle_abort=0 # a crash of a port is to be one
lastbit=$1 ports=$2 tree=$3 part=$4
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
wrong=0

fail() {
    echo "test_diagnose: $1" >&2
    [ -s "$scratch/out" ] && sed 's/^/    /' "$scratch/out" >&2
    wrong=1
}

# expect STATUS NAME-PATTERN PORT SUITE...: the exit status, and a line of the JSON that matches.
seconds=20 limit=4
expect() {
    status=$1 pattern=$2 port=$3
    shift 3
    "$lastbit" diagnose --json --seconds "$seconds" --time-limit "$limit" "$port" "$@" >"$scratch/out" 2>"$scratch/err"
    got=$?
    [ $got = "$status" ] || fail "$port: exit status $got, not $status: $(cat "$scratch/err")"
    grep -q "$pattern" "$scratch/out" || fail "$port: nothing matches $pattern"
    adds_up "$scratch/out" || fail "$port: the causes do not add up"
}

# adds_up FILE: what the causes have and what belongs to none is all that fails, and the most stands first.
adds_up() {
    python3 - "$1" <<'PYTHON'
import json, sys
found = json.load(open(sys.argv[1]))
causes, rest = found.get("faults", []), found.get("without_cause", [])
failing = found["failing"] if "failing" in found else found["tally"]["fail"] + found["tally"]["error"]
claimed = [c["results"] for c in causes]
wrong = sum(claimed) + sum(r["results"] for r in rest) != failing or claimed != sorted(claimed, reverse=True)
wrong = wrong or any(c["explained"] > c["results"] for c in causes)
if wrong:
    print(failing, [(c["results"], c["explained"], c["name"]) for c in causes], rest)
sys.exit(wrong)
PYTHON
}

v=$tree/vectors
expect 0 '"failing":0,' "$ports/clean.so" "$v/relu.yaml" "$v/eltwise.yaml"
expect 1 '"name":"rounding.truncates' "$ports/truncation.so" "$v/coverage_eltwise.jsonl" "$v/coverage_eltwise.jsonl"
# Of what it remembers no fault makes the numbers: it would look for one until its time is over.
seconds=4
expect 1 '"name":"state"' "$ports/stale_cache.so" "$v/rnn_dense.yaml" "$v/coverage_rnn_dense.jsonl"
seconds=20
expect 1 'signal 11' "$ports/crash_on_odd_channels.so" "$v/depthwise_conv2d.yaml"
# What is wrong is told where nobody knows how: a number that is no status, an input that is written.
expect 1 '"name":"status.garbled' "$ports/garbled_tensor.so" "$v/coverage_eltwise.jsonl"
expect 1 '"name":"writing.input.changed at in","sentence":"[^"]*","certainty":"one"' "$ports/input_modified.so" "$v/softmax.yaml"
expect 1 '"name":"writing.stray' "$ports/scratch_overrun.so" "$v/gru.yaml"
# A function that hangs does not take all the time.
limit=1
expect 1 'did not return within' "$ports/hangs.so" "$v/l2_normalize.yaml" "$v/relu.yaml"
# Crashes, hangs and stray bytes of one function are causes of their own, and nothing that failed is nowhere.
expect 1 '"name":"writing.beyond_end at out' "$ports/three_troubles.so" --profile up-full "$v/pairs_maxpool.jsonl" \
    "$v/coverage_maxpool.jsonl"
grep -q 'signal 11' "$scratch/out" && grep -q 'did not return within' "$scratch/out" || fail "crashes or hangs beside stray bytes are not told"
"$lastbit" run --show 0 --profile up-full --time-limit 1 --report "$scratch/troubles" --port "$ports/three_troubles.so" "$v/pairs_maxpool.jsonl" \
    "$v/coverage_maxpool.jsonl" >"$scratch/out" 2>&1
adds_up "$scratch/troubles/results.json" || fail "run: results of a function that crashes, hangs and writes outside are forgotten"
limit=4
# A layout that is no fault of the bank is told by probes.
expect 1 '"sentence":"reads several dimensions back to front: weights, dimensions 0 and 3","certainty":"one"' "$ports/weights_backwards.so" "$v/coverage_conv2d.jsonl"
# So are elements of other operands.
expect 1 '"sentence":"begins with the first element again after every 11: in2, element by element","certainty":"partly"' \
    "$ports/second_operand_again.so" "$v/coverage_eltwise.jsonl"
# A cast that is wrong at one number is told by what is special about it, and where.
expect 1 '"sentence":"rounds ties towards zero where they go to the even code: out".*"condition":"the right value is 2 or less' "$ports/cast_tie.so" "$v/faults_float4.jsonl"
# A fault under a condition has one name in all functions, and is not held against what passes where the condition fails.
expect 1 '"name":"term.missing at bias, accumulator with the bias"' "$ports/bias_lost_when_deep.so" \
    "$v/coverage_conv2d.jsonl" "$v/coverage_group_conv2d.jsonl"
grep -q '"functions":2,"condition":"in.shape\[2\] is 9 or more' "$scratch/out" || fail "no condition in two functions"
[ "$(grep -o '"sentence":' "$scratch/out" | wc -l)" = 1 ] || fail "one fault in two functions is told as several"
# A limit is tried at its border, by cases made for it, where no case of the suite stands near.
expect 1 '"condition":"in.shape\[2\] is 75 or more"' "$ports/bias_lost_when_deep.so" --profile up-full \
    --function mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32 "$v/faults_depthwise_conv2d.jsonl"
# A call of many steps is explained by the fault that others show, and is no finding of its own.
expect 1 '"name":"result.off_by_one' "$ports/softmax_zero_point.so" "$v/coverage_softmax.jsonl" "$v/faults_softmax.jsonl"
[ "$(grep -o '"sentence":' "$scratch/out" | wc -l)" = 1 ] || fail "a large call is a finding of its own"
# What no fault of the bank says is told by the numbers that wrong elements alone have.
expect 1 'wrong are exactly the elements where the element of in is -1"' "$ports/minus_one_kept.so" \
    "$v/coverage_leaky_relu.jsonl" "$v/leaky_relu.yaml"
# A kernel that knows no gaps is one fault, not one for each operand.
expect 1 '"name":"reading.all_dense at operands and outputs"' "$ports/gaps_ignored.so" "$v/eltwise.yaml" "$v/faults_eltwise.jsonl"
# Sad paths.
"$lastbit" run --diagnose never "$v/relu.yaml" >"$scratch/out" 2>&1; [ $? = 2 ] || fail "--diagnose never: no status 2"
"$lastbit" diagnose >"$scratch/out" 2>&1; [ $? = 2 ] || fail "no port: no status 2"
"$lastbit" diagnose --level deepest builtin "$v/relu.yaml" >"$scratch/out" 2>&1; [ $? = 2 ] || fail "no such level: no status 2"
"$lastbit" diagnose "$scratch/none.so" "$v/relu.yaml" >"$scratch/out" 2>&1; [ $? = 2 ] || fail "no such port: no status 2"
"$lastbit" diagnose --case none builtin "$v/relu.yaml" >"$scratch/out" 2>&1; [ $? = 2 ] || fail "no such case: no status 2"

# With sanitizers the rest takes too long beside what it adds: test_diagnose_bank.c, test_again.sh and others go there too.
[ "$part" = few ] && exit $wrong

# Whatever numbers a movement, a scalar or a window is read with, one fault tells all that fails.
expect 1 '"name":"reading.neutral at padding_pre, in all directions, in indices alone"' "$ports/padding_not_subtracted.so" "$v/faults_mov.jsonl" "$v/coverage_mov.jsonl"
expect 1 '"name":"reading.form.scalar_low_half","sentence":"[^"]*","certainty":"one"' \
    "$ports/scalar_in_a_byte.so" "$v/coverage_eltwise.jsonl" "$v/eltwise.yaml"
expect 1 '"name":"reading.clamped at in.row, in all directions","sentence":"[^"]*","certainty":"one"' \
    "$ports/windows_at_the_edge.so" "$v/pooling.yaml" "$v/faults_pooling.jsonl" "$v/coverage_maxpool.jsonl"
expect 1 '"name":"reading.off_by at in.row: +1","sentence":"[^"]*","certainty":"\(one\|partly\)"' \
    "$ports/last_row_as_padding.so" "$v/coverage_conv2d.jsonl"
[ "$(grep -o '"sentence":' "$scratch/out" | wc -l)" = 1 ] || fail "a row taken for padding is told as several faults"
expect 1 '"name":"limits.low_of_six at [^"]*","sentence":"[^"]*","certainty":"one"' "$ports/relu6_below_zero.so" \
    "$v/coverage_relu.jsonl" "$v/faults_relu.jsonl"
expect 1 '"name":"reading.times at padding_left: stride_width[^"]*","sentence":"[^"]*","certainty":"one"' "$ports/padding_in_strides.so" \
    "$v/coverage_conv2d.jsonl" "$v/conv2d.yaml"
expect 1 '"name":"limits.zero_point_of_input[^"]*","sentence":"[^"]*","certainty":"one"' "$ports/limits_of_input.so" \
    "$v/coverage_fully_connected.jsonl" "$v/fully_connected.yaml"
# A factor and the shift that belongs to it are left out: neither alone would show.
expect 1 '"name":"shift.missing at positive.requantize[^"]* + value.left_out (1) at requantize, at or above zero[^"]*","sentence":"[^"]*","certainty":"one"' \
    "$ports/positive_side_unscaled.so" "$v/coverage_leaky_relu.jsonl" "$v/leaky_relu.yaml"
# Where results are stored in other places it is no matter of what they are made of.
expect 1 '"name":"writing: writes elements to other places than theirs"' "$ports/odd_columns_one_row_up.so" \
    "$v/coverage_conv2d.jsonl" "$v/conv2d.yaml"
# A fault of every step of an operation says which steps they are, where they are two.
expect 1 '"name":"saturation.wraps at every shl: first, aligned; second, aligned"' "$ports/operands_wrap.so" --profile up-full \
    "$v/domains_eltwise.jsonl"
# A library built for another profile is told as that, with the option by which it is judged so.
"$lastbit" run --port "$ports/other_rounding.so" --profile up-full "$v/eltwise.yaml" "$v/pooling.yaml" "$v/fully_connected.yaml" \
    >"$scratch/out" 2>&1
grep -q '^numerics of convergent-full: "--profile convergent-full" judges the port by these' "$scratch/out" ||
    fail "a run in another profile does not say which"
# A wrong table is told by what is wrong in it, and what looks up in it fails under it.
expect 1 '"sentence":"fills the table of tanh wrong: length is 345, not 344; output_offset is left as it was, not set to 0","certainty":"one"' \
    "$ports/table_too_long.so" "$v/tables.yaml" "$v/activation.yaml"
[ "$(grep -o '"sentence":' "$scratch/out" | wc -l)" = 1 ] || fail "what looks up in a wrong table is a finding of its own"
expect 1 '"sentence":"fills the table of softmax wrong: the data pointer is moved by 716 bytes"' \
    "$ports/table_pointer_moved.so" "$v/tables.yaml" "$v/softmax.yaml"
[ "$(grep -o '"sentence":' "$scratch/out" | wc -l)" = 1 ] || fail "what looks up in a table that is elsewhere is a finding of its own"
expect 1 '"name":"writing.table.refused.type_kept"' "$ports/table_room_first.so" "$v/tables.yaml"
# What is read outside of a tensor is no state, and told with its place.
expect 1 '"name":"reading.outside at in, behind it","sentence":"reads outside of in, behind it","certainty":"one"' "$ports/reads_behind.so" \
    "$v/pooling.yaml" "$v/coverage_maxpool.jsonl"
# A sanitizer's run-time library takes the fault for its own: that the port crashes is told, not where it read.
grep -q __asan_init "$ports/reads_behind.so" || grep -q 'it reads 2 bytes behind in, where nobody may' "$scratch/out" ||
    fail "how far behind its input a port reads is not told"
# The same in a chain of calls.
printf '%s' '{"format":"lastbit/cases-1","suite":"t","cases":[{"id":"chain","function":"mli_krn_maxpool_hwc_fx8","config":{
"kernel_width":1,"kernel_height":1,"stride_width":1,"stride_height":1,"padding_left":0,"padding_right":0,"padding_top":0,"padding_bottom":0},
"chain":{"steps":3,"feed":[{"from":"out","to":"in"}]},
"inputs":{"in":{"type":"fx8","shape":[2,2,1],"frac_bits":3,"data":[1,2,3,-100]}},
"outputs":{"out":{"type":"fx8","shape":[2,2,1],"frac_bits":3}}}]}' >"$scratch/chain.json"
expect 1 '"name":"reading.outside at in, behind it"' "$ports/reads_behind.so" --profile up-full "$scratch/chain.json"
expect 1 '"results":' "$ports/every_seventh_call.so" "$v/relu.yaml" "$v/coverage_relu.jsonl"
grep -q 'reading.outside' "$scratch/out" && fail "a port that is wrong now and then is taken for one that reads outside"
# Zeros are no element of the operand, and a reading that goes on past the end is more than that.
printf '%s' '{"format":"lastbit/cases-1","suite":"t","cases":[{"id":"f","function":"mli_krn_relu_fx16","config":{"type":"none"},"inputs":{
"in":{"type":"fx16","shape":[5],"frac_bits":0,"data":[1,2,3,4,5]}},"outputs":{"out":{"type":"fx16","shape":[5],"frac_bits":0}}}]}' >"$scratch/fifth.json"
expect 1 'makes outputs of no element of in' "$ports/every_fifth_zero.so" "$scratch/fifth.json"
grep -q 'takes the element' "$scratch/out" && fail "zeros are told as another element"
# Sections of the specification are those of the function; all cases that were left out need no more effort.
expect 1 '"sentence":"reads a dimension back to front: in[^"]*",.*"section":"numerics.md 2; pooling_and_movement.md 1.3"' "$ports/rows_backwards.so" \
    "$v/permute.yaml" "$v/coverage_permute.jsonl"
grep -q '"section":"[^"]*\(conv\|recurrent\).md' "$scratch/out" && fail "sections of other functions are told"
"$lastbit" diagnose --time-limit 1 --profile up-full "$ports/hangs.so" "$v/coverage_l2_normalize.jsonl" >"$scratch/out" 2>&1
grep -q 'effort was spent' "$scratch/out" && fail "more effort is asked for where it tries nothing more"
grep -q '^of functions that crash or hang again and again, not all cases were tried$' "$scratch/out" || fail "what was passed over is not told"
"$lastbit" vectors strength --list --steps 1 -n up-full --function '*softmax_fx16' "$v/softmax.yaml" >"$scratch/out" 2>&1
grep -q 'any \.\. any' "$scratch/out" && fail "a proof says that a number is anything"
grep -q 'its operands are any number, 0 .. 0' "$scratch/out" || fail "a proof with one bounded operand is not told"
# Limits are tried on the port, and told with what was seen on both sides: the suite has 10 and 64, the port is wrong from 37 on.
python3 - >"$scratch/limit.json" <<'PYTHON'
import json
cases = []
for k in range(6):
    data = [2, 6, 10, 8, 3, 1, 4, 7] if k % 2 else [1, 5, 10, 64, 100, 127, 3, 9]
    tensor = {"type": "fx8", "shape": [8], "frac_bits": 3}
    cases.append({"id": f"v{k}", "function": "mli_krn_relu_fx8", "config": {"type": "none"},
                  "inputs": {"in": dict(tensor, data=data[k:] + data[:k])}, "outputs": {"out": tensor}})
print(json.dumps({"format": "lastbit/cases-1", "suite": "t", "cases": cases}))
PYTHON
expect 1 'wrong are exactly the elements where the right value is 32 or more (seen at 43, not at 31; none between was tried)' "$ports/above_36.so" --profile up-full \
    "$scratch/limit.json"
grep -qE '(or more|below [0-9]*|or less)[";,]' "$scratch/out" && fail "a limit is told without what was seen on its sides"
# A name that more results contradict than it gives is no cause.
expect 1 '"results":' "$ports/zeros_at_random.so" "$v/fully_connected.yaml" "$v/coverage_fully_connected.jsonl"
grep -q '"sentence":"writes zeros' "$scratch/out" && fail "zeros that twice as many results contradict are told as a cause"
# The smallest case is named with a line that shows it again.
expect 1 'reproduce":"lastbit run --port' "$ports/truncation.so" "$v/coverage_eltwise.jsonl"
line=$(sed -n 's/.*"reproduce":"\(lastbit run[^"]*\)".*/\1/p' "$scratch/out" | head -n 1)
(cd "$tree" && eval "\"$lastbit\" ${line#lastbit}" >"$scratch/again" 2>&1)
[ $? = 1 ] || fail "the reproducing line does not fail: $line"

# A run ends with the causes, a table of what failed, and the tally; its results name their causes.
"$lastbit" run --show 1 --report "$scratch/report" --port "$ports/truncation.so" "$v/coverage_eltwise.jsonl" >"$scratch/out" 2>&1
[ $? = 1 ] || fail "run: no status 1"
order=$(grep -nE '^FAIL |^1\. cuts the fraction off|what failed, by function|^  mli_krn_eltwise[a-z0-9_]* +[0-9]+ +- +- +- +-$|^[0-9]+ passed' \
    "$scratch/out" | cut -d: -f2 | cut -c1-12 | tr '\n' '|')
case $order in
"FAIL eltwise"*"|1. cuts the |  what faile|  mli_krn_el|"[0-9]*) ;;
*) fail "run: failures, causes, table, tally do not follow each other: $order" ;;
esac
[ "$(grep -c '^FAIL ' "$scratch/out")" = 1 ] || fail "run: --show 1 shows more than a case"
grep -q '"kind":"numbers"' "$scratch/report/results.json" || fail "run: no result tells its kind"
"$lastbit" run --diagnose off --show 1 --color always --port "$ports/truncation.so" "$v/coverage_eltwise.jsonl" |
    grep -q "$(printf '^\033\\[1;31mFAIL ')" || fail "run: --color always has no colour"
"$lastbit" run --diagnose off --show 1 --port "$ports/truncation.so" "$v/coverage_eltwise.jsonl" |
    grep -q "$(printf '\033')" && fail "run: colours in a pipe"
"$lastbit" run --diagnose off --profile up-full --time-limit 1 --port "$ports/hangs.so" --case '*fx16*' "$v/l2_normalize.yaml" >"$scratch/out" 2>&1
grep -qE '^  mli_krn_l2_normalize_fx16 +- +- +- +- +[0-9]+$' "$scratch/out" || fail "run: a hang is not counted as time"
# Results of a function that hangs are not all tried again, and none is forgotten.
"$lastbit" run --show 0 --profile up-full --time-limit 1 --report "$scratch/hung" --port "$ports/hangs.so" "$v/coverage_l2_normalize.jsonl" \
    >"$scratch/out" 2>&1
adds_up "$scratch/hung/results.json" || fail "run: results of a function that hangs are forgotten"
grep -q '^3 failing results belong to none of these (no result, and not tried again, as their function crashes or hangs: 3)$' \
    "$scratch/out" || fail "run: it does not say what has no cause"
grep -q 'failing results belong to none of these' "$scratch/hung/summary.md" || fail "summary.md does not say what has no cause"
grep -q 'failing results belong to none of these' "$scratch/hung/report.html" || fail "report.html does not say what has no cause"
"$lastbit" report merge -o "$scratch/merged.json" "$scratch/hung/results.json" >/dev/null || fail "results with without_cause are not merged"
adds_up "$scratch/merged.json" || fail "merged results forget what has no cause"
"$lastbit" run --diagnose off --port "$ports/crash_on_odd_channels.so" "$v/depthwise_conv2d.yaml" >"$scratch/out" 2>&1
grep -qE '^  mli_krn_depthwise_c.* +- +- +- +[0-9]+ +-$' "$scratch/out" || fail "run: a crash is not counted as one"
grep -q '^"faults":\[' "$scratch/report/results.json" || fail "run: no causes in results.json"
grep -q '"fault":"rounding.truncates' "$scratch/report/results.json" || fail "run: no result names its cause"
grep -q '^### Causes' "$scratch/report/summary.md" || fail "run: no causes in summary.md"
grep -q 'message="rounding.truncates' "$scratch/report/junit.xml" || fail "run: no cause in the messages of junit.xml"
grep -q 'id="faults"' "$scratch/report/report.html" || fail "run: no causes in report.html"
# One word for how sure a cause is, in every document; results of before, which have none, are read.
for pair in 'one:' 'several:probably: ' 'partly:possible cause: '; do
    certainty=${pair%%:*} hedge=${pair#*:}
    sed "s/\"certainty\":\"[a-z]*\"/\"certainty\":\"$certainty\"/; s/,\"hedge\":\"[a-z ]*\"//" "$scratch/report/results.json" >"$scratch/hedged.json"
    for kind in html markdown junit github sarif; do
        "$lastbit" report $kind "$scratch/hedged.json" -o "$scratch/hedged" || fail "report $kind of results without a hedge"
        tr -d '*' <"$scratch/hedged" | grep -qE "(>|1\. |: |; |%3B )${hedge}cuts the fraction off" ||
            fail "report $kind: a cause that is $certainty does not begin with \"$hedge\""
        [ -n "$hedge" ] || ! grep -qE '(probably|possible cause): cuts' "$scratch/hedged" || fail "report $kind: a certain cause is hedged"
    done
    "$lastbit" report merge -o "$scratch/merged.json" "$scratch/hedged.json" >/dev/null
    [ -z "$hedge" ] || grep -q "\"hedge\":\"${hedge%: }\"" "$scratch/merged.json" || fail "results.json has no hedge \"$hedge\""
done
"$lastbit" report csv "$scratch/report/results.json" -o "$scratch/again.csv" || fail "results.json with causes is not read"
"$lastbit" run --diagnose off --port "$ports/truncation.so" "$v/coverage_eltwise.jsonl" >"$scratch/out" 2>&1
sed -n 1p "$scratch/out" | grep -q '^FAIL' || fail "--diagnose off: the first line is no failure"
exit $wrong
