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

exit $failed
