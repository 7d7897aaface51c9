#!/bin/sh
# "lastbit vectors from-tflite" as a user meets it: a model becomes a suite of its layers, which runs on the built-in
# port; a layer that is wrong is named. Usage: test_tflite.sh LASTBIT WRITE_MODELS NETWORKS
set -u
lastbit=$1 networks=$3
. "$(dirname "$0")/expect.sh"
"$2" "$work" || complain "the models are not written"
from="$lastbit vectors from-tflite"

# shellcheck disable=SC2086 # several words
expect 0 'small.jsonl: 5 cases; 0 operators without one' $from "$work/small.tflite" -o "$work/small.jsonl"
expect 0 '5 cases, ok' "$lastbit" vectors check "$work/small.jsonl"
expect 0 'network small.tflite .litert-double[a-z, -]*., 5 layers: the port.s outputs are the exact model.s; noise at the end: 0[.][0-9]* % exact' \
    "$lastbit" run --report "$work/good" "$work/small.jsonl"
grep -q '10 results are the exact model.s, 10 a recorded one as well' "$work/out" || complain "expectations are recorded"
for word in '<section id="drift"' '05.softmax_s8'; do
    grep -q "$word" "$work/good/report.html" || complain "report.html lacks $word"
done
expect 0 '^10 passed, 0 failed, 0 skipped$' "$lastbit" run --feed port "$work/small.jsonl"
# A layer that adds another zero point than the model says.
sed 's/^\({"id":"01.depthwise.*"output_offset":\)-20/\1-19/' "$work/small.jsonl" >"$work/other.jsonl"
expect 1 '^FAIL 01.depthwise_conv_2d_s8' "$lastbit" run --diagnose off "$work/other.jsonl"

# The network that is kept is that model, and its suite what the command makes of it.
cmp "$work/small.tflite" "$networks/cnn.tflite" || wrong "cnn.tflite is not the model that is written here"
(cd "$networks" && expect 0 'cnn.jsonl: 5 cases' "$lastbit" vectors from-tflite cnn.tflite -o "$work/cnn.jsonl")
cmp "$work/cnn.jsonl" "$networks/cnn.jsonl" || wrong "cnn.jsonl is not what its model gives"
expect 0 '^10 passed, 0 failed, 0 skipped$' "$lastbit" run --report "$work/kept" "$networks"
grep -q '| cnn.tflite | litert-double[a-z, -]* | `05.softmax_s8` |' "$work/kept/summary.md" || complain "summary.md has no drift"

# What the set has not is named, and cuts the chain.
# shellcheck disable=SC2086
expect 0 'operators.1. custom operator Wobble: no case: the kernel set has no such operator' $from "$work/cut.tflite" -o "$work/cut.jsonl"
grep -q 'operators.4. RELU: no case: "real" is float32' "$work/out" || complain "an operator of float is named"
expect 0 '^4 passed, 0 failed, 0 skipped$' "$lastbit" run "$work/cut.jsonl"

# All other operators, on standard output, in the other profile.
# shellcheck disable=SC2086
$from -n litert-single "$work/others.tflite" >"$work/others.jsonl" 2>"$work/out" || complain "others.tflite has a suite"
expect 0 '^36 passed, 0 failed, 0 skipped$' "$lastbit" run "$work/others.jsonl"

# What is no model.
head -c 700 "$work/small.tflite" >"$work/short.tflite"
# shellcheck disable=SC2086
expect 2 'short.tflite: byte [0-9]*: .* of the file' $from "$work/short.tflite"
# shellcheck disable=SC2086
expect 2 'the identifier TFL3 is not there' $from "$work/small.jsonl"
# shellcheck disable=SC2086
expect 2 'No such file' $from "$work/none.tflite"
# shellcheck disable=SC2086
expect 2 'its name ends in .jsonl' $from -o "$work/x.json" "$work/small.tflite"
# shellcheck disable=SC2086
expect 3 'No such file' $from -o "$work/none/x.jsonl" "$work/small.tflite"

exit $failed
