#!/bin/sh
# Networks, as a user meets them: templates become suites whose layers feed each other, the port is judged layer by layer,
# drift with depth is told. Usage: test_networks.sh LASTBIT SOURCE_DIR BROKEN_PORTS
set -u
lastbit=$1 networks=$2/vectors/networks ports=$3
. "$(dirname "$0")/expect.sh"

cp "$networks"/* "$work"

# The suites that are kept are what the templates give.
make_suite() { # NAME [OPTION...]
    name=$1
    shift
    "$lastbit" vectors from-encodings "$work/$name.encodings" --template "$work/$name.yaml" -o "$work/$name.jsonl" "$@"
}
for name in cnn lstm; do
    expect 0 '' make_suite $name
    cmp "$work/$name.jsonl" "$networks/$name.jsonl" >"$work/out" 2>&1 || complain "$name.jsonl is not what its template gives"
done
rm "$work"/*.yaml

# All layers agree; the exact model drifts from the real one, and the port with it.
expect 0 'network networks.cnn \[up-full, up-reduced, convergent-full, convergent-reduced\], 7 layers: the port.s outputs are the exact model.s; noise at the end: 0[.][0-9]* % exact' \
    "$lastbit" run --report "$work/good" "$work/cnn.jsonl" "$work/lstm.jsonl"
grep -q '"drift":\[' "$work/good/results.json" || complain "results.json has no drift"
for word in '<section id="drift"' 'path class="drift-exact" d="M' 'path class="drift-port" d="M' 'cnn.7.softmax'; do
    grep -q "$word" "$work/good/report.html" || complain "report.html lacks $word"
done
grep -q '| networks.lstm | up-full, up-reduced, [a-z, -]* | `lstm.4.softmax` | 0 of 3 | [0-9.]* % | [0-9.]* % |' "$work/good/summary.md" ||
    complain "summary.md has no table of networks"
# Profiles that agree share a chart and a table.
for count in 'class="drift" viewBox' '<h3>networks'; do
    [ "$(grep -o "$count" "$work/good/report.html" | wc -l)" = 2 ] || complain "report.html: not 2 of: $count"
done
[ "$(grep -c 'lstm.4.softmax.*% |$' "$work/good/summary.md")" = 1 ] || complain "summary.md has a layer several times"
expect 0 '^44 passed, 0 failed, 0 skipped$' "$lastbit" run --feed exact "$work/cnn.jsonl" "$work/lstm.jsonl"
expect 0 '^44 passed, 0 failed, 0 skipped$' "$lastbit" run --feed port "$work/cnn.jsonl" "$work/lstm.jsonl"
"$lastbit" run --shard 1/2 --report "$work/one" "$work/cnn.jsonl" >"$work/out" 2>&1
"$lastbit" run --shard 2/2 --report "$work/two" "$work/cnn.jsonl" >"$work/out" 2>&1
expect 0 '' "$lastbit" report merge -o "$work/merged.json" "$work/one/results.json" "$work/two/results.json"
[ "$(grep -o '"layer":"cnn.7.softmax"' "$work/merged.json" | wc -l)" = 4 ] || complain "merged results lose the drift"

# A port that is only files is run from end to end too: formats that a kernel gives come as they must be.
expect 0 '' "$lastbit" vectors export -o "$work/files" --with-expected "$work/cnn.jsonl" "$work/lstm.jsonl"
(cd "$work/files/cases" && tar cf - --transform 's|/expected/|/|' ./*/expected/*) | tar xf - -C "$work/files/cases"
for feed in suite port; do
    expect 0 '^11 passed, 0 failed' "$lastbit" run --feed $feed --port "files:$work/files" "$work/files/suites"
    expect 0 'lstm .*the exact model.s; noise at the end: \([0-9.]*\) % exact, \1 % port' \
        "$lastbit" run --feed $feed --port "files:$work/files" "$work/files/suites"
done

# A port that is wrong: the first layer where it parts is named, and what is fed by it drifts on.
broken="$lastbit run -n up-full --diagnose off --port $ports/padding_with_zero.so"
# shellcheck disable=SC2086 # several words
expect 1 'the port parts from the exact model at layer cnn.1.conv1 ([0-9]* of 256 elements)' $broken "$work/cnn.jsonl"
# shellcheck disable=SC2086
expect 1 'reproduce: .*--feed port .*--case cnn.1.conv1' $broken --feed port "$work/cnn.jsonl"
# shellcheck disable=SC2086
expect 1 'out.*port gave' $broken --feed port --case cnn.4.conv2 "$work/cnn.jsonl"
cp "$networks/cnn.yaml" "$work/fed.yaml"
expect 0 '' "$lastbit" vectors from-encodings "$work/cnn.encodings" --template "$work/fed.yaml" -o "$work/fed.jsonl" \
    --feed port --port "$ports/padding_with_zero.so"
cmp -s "$work/fed.jsonl" "$work/cnn.jsonl" && complain "--feed port gives what the exact model gives"

# What is wrong with a template is told, with the case.
change() { # SED PATTERN
    sed "$1" "$networks/cnn.yaml" >"$work/bad.yaml"
    expect 2 "$2" "$lastbit" vectors from-encodings "$work/cnn.encodings" --template "$work/bad.yaml" -o "$work/bad.jsonl"
}
change 's/case: cnn.1.conv1/case: nothing/' 'bad.yaml: case cnn.2.depthwise: no case before it is called nothing'
change 's/case: cnn.1.conv1/case: cnn.2.depthwise/' 'feed\[0\].case: a case cannot feed itself'
change 's/case: cnn.1.conv1, to: in/case: cnn.1.conv1, to: weights/' '"out" of the layer cnn.1.conv1 has 256 elements, and "weights" has 36'
change 's/case: cnn.1.conv1, to: in/case: cnn.1.conv1, to: bias/' '"out" of the layer cnn.1.conv1 is sa8, and "bias" is sa32'
change 's/case: cnn.1.conv1, to: in/case: cnn.1.conv1, from: cell, to: in/' 'the layer cnn.1.conv1 has no output "cell"'
change '/cnn.2/,/dw.weight/s/in: {type: sa8, shape: \[8, 8, 4\], encoding: {tensor: conv1}}/in: {type: sa8, shape: [8, 8, 4], encoding: {tensor: dw}}/; s/input: conv1, weights: dw/input: dw, weights: dw/' \
    'its codes would mean other numbers'
change 's/case: cnn.1.conv1, to: in/case: cnn.1.conv1, to: out/' 'cnn.2.depthwise'
change 's/feed: \[{case: cnn.1.conv1, to: in}\]/feed: [{case: cnn.1.conv1}]/' 'feed\[0\].to: the key is missing'
expect 2 'expected one profile' make_suite lstm --profile all --template "$networks/lstm.yaml"

# Layers that are not there, and layers in a circle, are errors of their cases alone.
sed 's/"case":"cnn.3.maxpool"/"case":"gone"/; s/"case":"cnn.5.avepool"/"case":"cnn.7.softmax"/' "$networks/cnn.jsonl" >"$work/circle.jsonl"
expect 1 '"feed": the suite has no case gone' "$lastbit" run -n up-full --feed exact "$work/circle.jsonl"
expect 1 '"feed": the cases feed each other in a circle' "$lastbit" run -n up-full --feed exact --case cnn.6.fc "$work/circle.jsonl"
expect 0 'layers: ' "$lastbit" run -n up-full "$work/circle.jsonl"

# Arrays beside the template are named from the folder of the suite.
mkdir "$work/below" "$work/beside"
cp "$networks/cnn.npz" "$networks/cnn.yaml" "$networks/cnn.encodings" "$work/below"
expect 0 '' "$lastbit" vectors from-encodings "$work/below/cnn.encodings" --template "$work/below/cnn.yaml" -o "$work/up.jsonl"
grep -q '"npz":"below/cnn.npz"' "$work/up.jsonl" || complain "paths of arrays are not those of the suite"
expect 0 '^7 passed, 0 failed' "$lastbit" run -n up-full "$work/up.jsonl"
expect 2 'cnn.npz lies outside of the folder of the suite' "$lastbit" vectors from-encodings "$work/below/cnn.encodings" \
    --template "$work/below/cnn.yaml" -o "$work/beside/cnn.jsonl"

# LiteRT: offsets, multipliers, shifts and limits are made of the encodings, and the suite is plain integers.
litert=$networks/litert_cnn.yaml made=$work/litert_cnn.jsonl
from="$lastbit vectors from-encodings $networks/cnn.encodings --template"
# shellcheck disable=SC2086 # several words
expect 0 '' $from "$litert" -o "$made"
expect 0 '^16 passed, 0 failed, 0 skipped$' "$lastbit" run "$made"
expect 0 '8 layers: the port.s outputs are the exact model.s' "$lastbit" run "$made"
# They are what requantize gives of the same tensors.
expect 0 'input_offset: 28, output_offset: -128, activation_min: -128, activation_max: 127' "$lastbit" requantize \
    --encodings "$networks/cnn.encodings" --layer image,conv1.weight,conv1 --activation relu
for list in multiplier shift; do
    data=$(sed -n "s/^  $list: .*data: \[\(.*\)\]}/\1/p" "$work/out" | tr -d ' ')
    grep -q "\"$list\":{\"type\":\"s32\",\"shape\":\[4\],\"data\":\[$data\]}" "$made" || complain "$list of conv1: $data"
done
grep -q '"input_offset":28,"output_offset":-128,' "$made" || complain "offsets of conv1"

# made_wrong PATTERN SED: what is told of the template with this mistake.
made_wrong() {
    sed "$2" "$litert" >"$work/wrong.yaml"
    cmp -s "$litert" "$work/wrong.yaml" && wrong "sed '$2' changes nothing"
    # shellcheck disable=SC2086
    expect 2 "wrong.yaml:[0-9]*:.*$1" $from "$work/wrong.yaml" -o "$work/wrong.jsonl"
}
made_wrong 'has no tensor "imago".*image' 's/in: \(.*\)tensor: image}/in: \1tensor: imago}/'
made_wrong 'cannot be s16: U_BITWIDTH: it has 8 bits, not 16' 's/in: {type: s8, shape: \[1, 8, 8, 1\]/in: {type: s16, shape: [1, 8, 8, 1]/'
made_wrong 'U_AXIS: 4 channels, and the shape has no dimension 7' 's/conv1.weight, axis: 0/conv1.weight, axis: 7/'
made_wrong 'U_AXIS: 4 channels, and dimension 1 has 3' 's/conv1.weight, axis: 0/conv1.weight, axis: 1/'
made_wrong 'the zero point is -28, and the kernel knows none: a symmetric' 's/tensor: conv1.weight, axis: 0}, real_data.*/tensor: image}}/'
made_wrong 'activation_min is made of the encodings' 's/config: {filter/config: {activation_min: 3, filter/'
made_wrong 'its scale and zero point are not given' 's/out: {type: s8, shape: \[1, 8, 8, 4\], encoding: {tensor: dw}}/out: {type: s8, shape: [1, 8, 8, 4]}/'
made_wrong 'and the input has 0.0155036 and -128' 's/shape: \[1, 1, 1, 6\], encoding: {tensor: conv2}/shape: [1, 1, 1, 6], encoding: {tensor: mean}/'
made_wrong 'scale 0.010317 and zero point 68, and the kernel gives 0.00390625 and -128' 's/out: {type: s8, shape: \[1, 5\]}/out: {type: s8, shape: [1, 5], encoding: {tensor: fc}}/'
made_wrong 'stride_height: the key is missing' '0,/stride_height: 1, /s///'
made_wrong 'relu7' 's/activation: relu}/activation: relu7}/'
made_wrong 'litert_softmax_s8 has no alpha' 's/{beta: 1}/{alpha: 1}/'
made_wrong 'beta is 0' 's/{beta: 1}/{beta: 0}/'
made_wrong 'multiplier is made of the encodings' 's/^      bias: {type: s32, shape: \[5\]/      multiplier: {type: s32, shape: [5]}\n&/'
made_wrong 'litert_fully_connected_per_channel' 's/litert_fully_connected_per_channel_s8/litert_fully_connected_s8/'
made_wrong 'functions of two kernel sets' '$a\  - {id: other, function: mli_krn_relu_fx8, config: {type: relu6}, inputs: {in: {type: fx8, shape: [2], frac_bits: 4, data: [1, 2]}}, outputs: {out: {type: fx8, shape: [2], frac_bits: 4}}}'
sed 's/"scale": 0.015450779596964519/"scale": 1e-60/;s/"min": -1.545077959696452/"min": -1e-58/;s/"max": 2.3948708375295005/"max": 1.55e-58/' \
    "$networks/cnn.encodings" >"$work/tiny.encodings"
expect 2 'scale 0 is 1e-60, which as float32 is not above 0' "$lastbit" vectors from-encodings "$work/tiny.encodings" --template "$litert"
# shellcheck disable=SC2086
expect 2 'up-full is a profile of MLI' $from "$litert" -n up-full
sed -n '1,/cnn.2/p' "$litert" | sed '/cnn.2/d;s/template-1/cases-1/;s/tensor: image/file: cnn.encodings, tensor: image/' >"$work/plain.yaml"
expect 2 'a suite holds the integers that are made of encodings' "$lastbit" vectors check "$work/plain.yaml"

# Scales and zero points of all tensors.
expect 0 '^"conv1.weight": {type: s8, scale: \[0.00546046346, .*\], zero_point: 0, axis: 0}$' \
    "$lastbit" encodings convert --to litert "$networks/cnn.encodings"
expect 0 '^"image": {type: s8, scale: 0.0154507793, zero_point: -28}$' "$lastbit" encodings convert --to litert "$networks/cnn.encodings"
expect 1 'U_AXIS' "$lastbit" encodings convert --to litert --axis conv1.weight=3:5 "$networks/cnn.encodings"

exit $failed
