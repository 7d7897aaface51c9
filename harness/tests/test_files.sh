#!/bin/sh
# Ports that are only files, as a user meets them: exported, answered, judged; answers that are missing, cut short or of
# another type; and the oracle. Usage: test_files.sh LASTBIT SOURCE_DIR
set -u
lastbit=$1 vectors=$2/vectors
. "$(dirname "$0")/expect.sh"

# answer DIR: every case is answered as the exact model would.
answer() {
    (cd "$1/cases" && tar cf - --transform 's|/expected/|/|' ./*/expected/*) | tar xf - -C "$1/cases"
}

judge() {
    "$lastbit" run --diagnose off --port "files:$1" "$1/suites"
}

# Every form goes out and comes back, whatever the strides, types, byte order and width of words.
for form in 'npy little 32' 'raw little 32' 'raw big 32' 'hex little 8' 'hex big 64' 'hex little 128'; do
    # shellcheck disable=SC2086 # three words
    set -- $form
    dir=$work/$1$2$3
    expect 0 "put the outputs beside them" "$lastbit" vectors export --format "$1" --byte-order "$2" --word-bits "$3" \
        --with-expected -o "$dir" "$vectors/conv2d.yaml" "$vectors/lstm.yaml" "$vectors/convert.yaml"
    expect 1 '^0 passed, [1-9][0-9]* failed, [0-9]* skipped$' judge "$dir"
    expect 1 'no output: .*cases/000[0-9]*_[^ ]*/out.npy (or .raw, .hex) is missing' judge "$dir"
    answer "$dir"
    expect 0 '^[1-9][0-9]* passed, 0 failed, 0 skipped$' judge "$dir"
done

# A profile of one's own device; the suites as they were, too.
expect 0 'cases for convergent-reduced' "$lastbit" vectors export -n convergent-reduced --with-expected -o "$work/one" "$vectors/relu.yaml"
answer "$work/one"
expect 0 ' passed, 0 failed' "$lastbit" run --diagnose off --port "files:$work/one" "$vectors/relu.yaml"
expect 4 'the cases were exported for convergent-reduced' "$lastbit" run --profile up-full --port "files:$work/one" "$vectors/relu.yaml"
expect 4 'not provided' "$lastbit" run --port "files:$work/one" "$vectors/argmax.yaml"

# Wrong elements are failures; what is no answer is an error that says so.
first=$(ls -d "$work"/one/cases/00001_*)
cp "$first/out.npy" "$work/out.npy"
size=$(wc -c <"$work/out.npy")
{ head -c $((size - 1)) "$work/out.npy"; printf '\125'; } >"$first/out.npy"
expect 1 'the port gave' judge "$work/one"
head -c $((size - 1)) "$work/out.npy" >"$first/out.npy"
expect 1 'bytes of elements, and its shape and dtype ask for' judge "$work/one"
sed 's/(\([0-9]*\),)/(1,\1)/' "$work/out.npy" | head -c "$size" >"$first/out.npy"
expect 1 'its shape is \[1,[0-9]*\], and \[[0-9]*\] is expected\|bytes of elements' judge "$work/one"
sed 's/|i1/|O1/; s/<i2/<O2/' "$work/out.npy" >"$first/out.npy"
expect 1 "its dtype is '.O[12]'; integers of 1 to 8 bytes" judge "$work/one"
printf 'PK' >"$first/out.npy"
expect 1 'it does not begin with' judge "$work/one"
rm "$first/out.npy"
mkdir "$first/out.npy"
expect 1 'is a folder' judge "$work/one"
rmdir "$first/out.npy"
cp "$work/out.npy" "$first/out.npy"
echo '{"status": "fine"}' >"$first/status.json"
expect 1 'status.json: {"status": "ok"} or another status is expected' judge "$work/one"
echo '{"status": "bad_tensor"}' >"$first/status.json"
expect 1 'the port gave bad_tensor' judge "$work/one"
rm "$first/status.json"
expect 0 ' passed, 0 failed' judge "$work/one"

# A hex dump that a simulation never wrote; words too many and too few.
hex=$work/hexlittle8
one=$(ls -d "$hex"/cases/00001_*)
cp "$one/out.hex" "$work/out.hex"
sed '1s/.*/xx/' "$work/out.hex" >"$one/out.hex"
expect 1 'out.hex: line 1: a digit is x or z' judge "$hex"
sed 1d "$work/out.hex" >"$one/out.hex"
expect 1 'it is cut short' judge "$hex"
cat "$work/out.hex" "$work/out.hex" >"$one/out.hex"
expect 1 'more words than the tensor has' judge "$hex"

# Results as lines in one file.
expect 0 '' "$lastbit" vectors export -f json -o "$work/lines" --with-expected "$vectors/relu.yaml"
for folder in "$work"/lines/cases/*; do
    name=cases/$(basename "$folder")
    sed -n '/^\t"expected":/,$p' "$folder/case.json" | tr -d '\n\t' | sed "s|^\"expected\":{|{\"folder\":\"$name\",|; s|}}}\$|}}|"
    echo
done >"$work/lines/results.jsonl"
expect 0 ' passed, 0 failed, 0 skipped' judge "$work/lines"
sed -n 1p "$work/lines/results.jsonl" >"$work/line"
cat "$work/line" >>"$work/lines/results.jsonl"
expect 2 'the case has a line already' judge "$work/lines"
echo 'nonsense' >"$work/lines/results.jsonl"
expect 2 'results.jsonl:1: it is no JSON' judge "$work/lines"

# Headers for C compile.
expect 0 '' "$lastbit" vectors export -f c -o "$work/c" --with-expected "$vectors/fully_connected.yaml"
for header in "$work"/c/cases/0000[1-9]*/case.h; do
    grep -q 'static const int' "$header" || complain "$header has no array"
done

# A case that has changed since is no skip.
mkdir "$work/changed"
sed 's/"data":\[\(-*[0-9]*\),/"data":[1,/' "$work/one/suites/001.jsonl" >"$work/changed/001.jsonl"
expect 1 'the case has changed since it was exported' "$lastbit" run --diagnose off --port "files:$work/one" "$work/changed"

# Arrays of NumPy are data of cases, and digests of theirs are in results.
array=$(ls "$work"/npylittle32/cases/*conv2d_sa8.padding_left/inputs/in.npy)
cp "$array" "$work/in.npy"
suite() {
    echo "{\"format\":\"lastbit/cases-1\",\"suite\":\"n\",\"cases\":[{\"id\":\"n\",\"function\":\"mli_krn_relu_sa8\",\"config\":{\"type\":\"gen\"},\"inputs\":{\"in\":{\"type\":\"$1\",\"shape\":$2,\"scale\":1,\"scale_frac_bits\":3,\"zero_point\":0,\"axis\":-1,\"data\":{\"npy\":\"$3\"}}},\"outputs\":{\"out\":{\"type\":\"sa8\",\"shape\":$2,\"scale\":1,\"scale_frac_bits\":3,\"zero_point\":0,\"axis\":-1}}}]}" >"$work/npy.json"
}
shape="[$(tr -d '\0' <"$work/in.npy" | LC_ALL=C sed -n "s/.*'shape': (\([0-9, ]*\)).*/\1/p")]"
suite sa8 "$shape" in.npy
expect 0 '^4 passed, 0 failed' "$lastbit" run --report "$work/npy_report" "$work/npy.json"
grep -q 'in.npy' "$work/npy_report/results.json" || complain "results do not name in.npy"
suite sa8 '[1,1]' in.npy
expect 2 'npy: .*in.npy: it has more elements than the 1 expected' "$lastbit" run "$work/npy.json"
suite sa8 "$shape" ../in.npy
expect 2 'lies elsewhere; a name inside the suite' "$lastbit" run "$work/npy.json"
suite sa8 "$shape" none.npy
expect 2 'none.npy: No such file' "$lastbit" run "$work/npy.json"
suite sa8 "$shape" npy.json
expect 2 'npy.json: it is no .npy file' "$lastbit" run "$work/npy.json"

# Arrays of an archive, stored and deflated; their dimensions in another order; real numbers.
corpus=$vectors/../harness/fuzz/corpus/npz
cp "$corpus"/*.npz "$work"
array() { # DATA SHAPE [KEY]
    suite sa8 "$2" x
    sed "s|\"data\":{\"npy\":\"x\"}|\"${3-data}\":$1|" "$work/npy.json" >"$work/npz.json"
}
array '{"npz":"stored.npz","member":"a"}' '[2,3]'
expect 0 '^4 passed, 0 failed' "$lastbit" run --report "$work/npz_report" "$work/npz.json"
grep -q '"role":"npz"' "$work/npz_report/results.json" || complain "results do not name stored.npz"
array '{"npz":"stored.npz","member":"a.npy","axes":[1,0]}' '[3,2]'
"$lastbit" vectors export -f json --with-expected -o "$work/axes" "$work/npz.json" >/dev/null
tr -d '\n\t ' <"$work/axes/cases/00001_n/case.json" | grep -q '"out":\[0,3,1,4,2,5\]' ||
    complain "axes do not put dimensions in order"
array '{"npz":"stored.npz","member":"a","axes":[0,0]}' '[2,3]'
expect 2 'axes: the array has 2 dimensions; each dimension of the array once' "$lastbit" run "$work/npz.json"
array '{"npz":"deflated.npz","member":"a"}' '[50]' real_data
expect 0 '^4 passed, 0 failed' "$lastbit" run "$work/npz.json"
array '{"npz":"deflated.npz","member":"a"}' '[50]'
expect 2 'the elements are floating-point numbers; integers: the containers' "$lastbit" run "$work/npz.json"
array '{"npz":"stored.npz","member":"c"}' '[2,3]'
expect 2 'it has no member "c"; it has: a.npy, b.npy' "$lastbit" run "$work/npz.json"
array '{"npz":"stored.npz"}' '[2,3]'
expect 2 'not clear which array this is; {npy: FILE}, or {npz: FILE, member: NAME}' "$lastbit" run "$work/npz.json"
for broken in 'cut it is no ZIP archive, or it is cut short' 'far a member lies outside of it' 'longer damaged' \
    'directory ZIP64'; do
    array "{\"npz\":\"${broken%% *}.npz\",\"member\":\"a\"}" '[20000]' real_data
    expect 2 "${broken#* }" "$lastbit" run "$work/npz.json"
done
mkdir "$work/elsewhere" "$work/linked"
cp "$work/stored.npz" "$work/elsewhere"
ln -s ../elsewhere/stored.npz "$work/linked/stored.npz"
array '{"npz":"stored.npz","member":"a"}' '[2,3]'
cp "$work/npz.json" "$work/linked"
expect 2 'stored.npz lies elsewhere; a name inside the suite' "$lastbit" run "$work/linked/npz.json"

# An object a verdict, and nothing else, for programs.
"$lastbit" run -q --json - "$work/npz.json" >"$work/verdicts" 2>"$work/out" || complain "run --json -"
[ "$(grep -c '^{"order":.*"verdict":"pass".*}$' "$work/verdicts")" = 4 ] && [ "$(wc -l <"$work/verdicts")" = 4 ] ||
    complain "--json - is not one object a verdict"
tail -n 1 "$work/out" | grep -q '^4 passed, 0 failed' || complain "--json -: the last line on standard error is not the tally"
expect 2 'json .*none/x: No such file' "$lastbit" run --json "$work/none/x" "$work/npz.json"
if [ -w /dev/full ]; then
    expect 3 'json.*No space left' "$lastbit" run --json /dev/full "$work/npz.json"
fi

# Fields that somebody tells are held to what they must be; statuses that nobody tells are said to be.
expect 0 '' "$lastbit" vectors export -o "$work/fields" --with-expected --case maxpool_fx8.by_hand "$vectors/pooling.yaml"
fields=$(ls -d "$work"/fields/cases/00001_*)
cp "$fields/expected/out.npy" "$fields"
expect 0 '^1 passed' "$lastbit" run --report "$work/fields_report" --port "files:$work/fields" "$work/fields/suites"
grep -q 'statuses: not told' "$work/fields_report/report.html" || complain "the report does not say that statuses are not told"
echo '{"status":"ok","changed":{"out":{"frac_bits":-100}}}' >"$fields/status.json"
expect 1 'out.frac_bits: .* -100' judge "$work/fields"
echo '{"status":"ok","changed":{"out":{"scale":1}}}' >"$fields/status.json"
expect 1 'changed.out.scale: rank, shape' judge "$work/fields"
echo '{"status":"ok","changed":{"in":{"frac_bits":1}}}' >"$fields/status.json"
expect 1 'changed: an output with its fields is expected' judge "$work/fields"

# Shards are those of run, and share nothing.
for shard in 1 2 3; do
    expect 0 '' "$lastbit" vectors export -o "$work/shard$shard" --shard $shard/3 "$vectors/relu.yaml"
done
[ "$(cat "$work"/shard[123]/index.jsonl | grep -c '"digest"')" = "$(cat "$work"/shard[123]/index.jsonl | grep '"digest"' | sort -u | wc -l)" ] ||
    complain "a case is in two shards"
expect 2 'expected I/N' "$lastbit" vectors export -o "$work/none" --shard 4/3 "$vectors/relu.yaml"
expect 0 "lastbit run --port 'files:.*a b' '.*a b/suites'" "$lastbit" vectors export -o "$work/a b" "$vectors/relu.yaml"

# Packages hold the arrays.
expect 0 '' "$lastbit" report package -o "$work/package.tar.gz" "$work/npz_report/results.json"
expect 0 '^verified' "$lastbit" report verify "$work/package.tar.gz"

# What was exported must not change behind its back; what is gone has not.
in=$(ls -d "$work"/one/cases/00001_*)/inputs/in.npy
cp "$in" "$work/kept.npy"
printf x >>"$in"
expect 1 'in.npy: it is not what was exported: its digest is another' judge "$work/one"
rm "$in"
expect 0 ' passed, 0 failed' judge "$work/one"
mv "$work/kept.npy" "$in"

# Bad indexes and folders.
expect 2 'index.jsonl: No such file or directory; "lastbit vectors export" makes such a folder' "$lastbit" run --port "files:$work/none" "$vectors/relu.yaml"
mkdir "$work/bad"
for line in '' 'x' '{}' '{"format":"lastbit/export-1","files":"zip"}' \
    '{"format":"lastbit/export-1","files":"raw","byte_order":"little","profile":"up-full","word_bits":7}'; do
    printf '%s\n' "$line" >"$work/bad/index.jsonl"
    expect 2 'index.jsonl:1: .*; export the cases again' "$lastbit" run --port "files:$work/bad" "$vectors/relu.yaml"
done
{
    sed -n 1p "$work/one/index.jsonl"
    sed -n '2s|"folder":"|&../|p' "$work/one/index.jsonl"
} >"$work/bad/index.jsonl"
expect 2 'index.jsonl:2: "folder" is no name inside the export' "$lastbit" run --port "files:$work/bad" "$vectors/relu.yaml"
expect 2 'the folder is not empty' "$lastbit" vectors export -o "$work/bad" "$vectors/relu.yaml"
expect 2 'a device has one' "$lastbit" vectors export -n all -o "$work/all" "$vectors/relu.yaml"
expect 2 'no case matches' "$lastbit" vectors export -c nothing -o "$work/nothing" "$vectors/relu.yaml"
expect 2 'left out: sequences of movement calls' "$lastbit" vectors export -o "$work/seq" "$vectors/movement_sequences.yaml"

# The oracle answers as the recordings say, at once, and says what is no case.
expect 0 '"id":"[^"]*","expect":\[{"profiles":\[' sh -c "'$lastbit' oracle <'$vectors/recorded/relu.jsonl'"
{
    sed -n 1p "$vectors/recorded/permute.jsonl"
    sed -n '2,$s/,"expect":.*/}/p' "$vectors/recorded/permute.jsonl"
} >"$work/bare.jsonl"
"$lastbit" oracle <"$work/bare.jsonl" | sed 's/.*"expect":/"expect":/; s/,"changed".*//' >"$work/answers"
sed -n '2,$s/.*"expect":/"expect":/p' "$vectors/recorded/permute.jsonl" | sed 's/,"changed".*//' >"$work/recorded"
cmp "$work/answers" "$work/recorded" >"$work/out" 2>&1 || complain "the oracle does not give what is recorded in permute.jsonl"
expect 1 '{"line":1,"error":"-:1' sh -c "echo '{\"id\":\"x\"}' | '$lastbit' oracle"
expect 1 '{"line":2,"error":' sh -c "printf '\n{' | '$lastbit' oracle"

exit $failed
