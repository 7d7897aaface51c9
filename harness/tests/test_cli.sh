#!/bin/sh
# The command line as a user meets it: exit statuses, messages, documents. Usage: test_cli.sh LASTBIT SOURCE_DIR
set -u
lastbit=$1
vectors=$2/vectors
. "$(dirname "$0")/expect.sh"

suite() { # NAME CASES
    printf '{"format":"lastbit/cases-1","suite":"t","cases":[%s]}' "$2" >"$work/$1"
}
relu='{"id":"ID","function":"mli_krn_relu_fx8","config":{"type":"gen"},"inputs":{"in":{"type":"fx8","shape":[2],"frac_bits":0,"data":[-1,5]}},"outputs":{"out":{"type":"fx8","shape":[2],"frac_bits":0}},"expect":[{"profiles":["up-full"],"status":"ok","outputs":{"out":[0,VALUE]}}]}'
case_of() { printf '%s' "$relu" | sed "s/ID/$1/; s/VALUE/$2/"; }

suite good.json "$(case_of a 5)"
suite bad.json "$(case_of a 5),$(case_of b 6)"
suite broken.json "$(case_of a 5),$(case_of a 5)"
mkdir "$work/empty"

# help and version
expect 0 '^Usage: lastbit COMMAND' "$lastbit" --help
expect 0 '^lastbit [0-9]' "$lastbit" --version
expect 2 'Usage' "$lastbit"
expect 2 'no such command' "$lastbit" frobnicate
# Every command, also those behind another one's name: help in 80 columns, and what all helps have.
commands_of() {
    "$lastbit" "$@" --help | awk '/^[^ ].*:$/ { in_list = $0 !~ /^(Options|Arguments|Exit status|Examples?):$/; next }
        /^$/ { in_list = 0 } in_list && /^  [a-z]/ { print $1 }'
}
for command in $(commands_of); do
    expect 0 'sage: lastbit '$command "$lastbit" $command --help
    "$lastbit" help $command >"$work/help" || wrong "help $command"
    inner=
    grep -q '^Usage: lastbit [a-z]* COMMAND' "$work/help" && inner=$(commands_of $command)
    for one in $inner; do
        expect 0 "sage: lastbit $command $one" "$lastbit" $command $one --help
        "$lastbit" help $command $one >>"$work/help" || wrong "help $command $one"
    done
    long=$(awk 'length($0) > 80' "$work/help")
    [ -z "$long" ] || wrong "help of $command: longer than 80 columns: $long"
    grep -q '^Exit status:' "$work/help" || wrong "help of $command: no exit status"
done
expect 0 'lastbit vectors check' "$lastbit" help vectors check
expect 2 'vectors: chek: no such command; did you mean check' "$lastbit" help vectors chek
expect 2 'lastbit: rnu: no such command; did you mean run' "$lastbit" rnu
expect 2 '--guard eror: expected warn, off or error; did you mean error' "$lastbit" run --guard eror x
expect 2 '--s may be more than one option' "$lastbit" run --s x
expect 2 '--quiet takes no value' "$lastbit" run --quiet=3 x
expect 2 '--port needs a value' "$lastbit" run --port
expect 2 'unknown option -x' "$lastbit" run -x

# run: verdicts
expect 0 '^1 passed, 0 failed, 0 skipped$' "$lastbit" run --profile up-full "$work/good.json"
expect 0 '^4 passed, 0 failed, 0 skipped$' "$lastbit" run "$work/good.json"
# Installed suites have the names that guides call them by, anywhere.
from_elsewhere() { (cd "$work/empty" && "$lastbit" "$@"); }
expect 0 ' passed, 0 failed' from_elsewhere run -q vectors/argmax.yaml
expect 0 'vectors/argmax.yaml: [0-9]* cases, ok' from_elsewhere vectors check vectors/argmax.yaml
expect 2 'did you mean vectors/argmax.yaml?' from_elsewhere run argmax
expect 2 'vectors/nothing.yaml: there is no such file or folder' from_elsewhere run vectors/nothing.yaml
mkdir "$work/empty/vectors" && cp "$work/good.json" "$work/empty/vectors"
expect 0 '^4 passed' from_elsewhere run vectors
rm -r "$work/empty/vectors"
expect 1 '^7 passed, 1 failed, 0 skipped$' "$lastbit" run "$work/bad.json"
expect 1 'out\[1\]: recorded result says 6 (0x06), the port gave 5 (0x05); 1 of 2 differ' "$lastbit" run "$work/bad.json"
expect 1 'reproduce: lastbit run .*bad.json --case b --profile up-full' "$lastbit" run "$work/bad.json"
expect 0 '^4 passed' "$lastbit" run --case 'a*' "$work/bad.json"
expect 0 '^4 passed' "$lastbit" run --jobs 0 "$work/good.json"
expect 4 '^0 passed, 0 failed, 0 skipped$' "$lastbit" run --shard 2/2 "$work/good.json"
expect 1 'and 1 more that did not pass' "$lastbit" run --show 0 "$work/bad.json"
expect 1 '^::error file=.*bad.json,line=[0-9]*,title=mli_' "$lastbit" run --annotate github "$work/bad.json"
expect 1 '^##vso\[task.logissue type=error;sourcepath=' "$lastbit" run --annotate azure "$work/bad.json"
expect 1 '^::error file=' env GITHUB_ACTIONS=true "$lastbit" run "$work/bad.json"
expect 1 '^##teamcity\[testFailed ' env TEAMCITY_VERSION=2031.1 "$lastbit" run "$work/bad.json"
expect 2 'annotate jenkins' "$lastbit" run --annotate jenkins "$work/bad.json"
expect 1 '[0-9] failed' "$lastbit" run --annotate gitlab --report "$work/annotated" "$work/bad.json"
grep -q '"check_name":"numbers"' "$work/annotated/gl-code-quality-report.json" || { echo "no code quality report"; exit 1; }
expect 0 '"version":"2.1.0"' "$lastbit" report sarif "$work/annotated/results.json" -o -
expect 0 '^not ok ' "$lastbit" report tap "$work/annotated/results.json" -o -
expect 0 'no difference between the results' "$lastbit" report diff --markdown "$work/annotated/results.json" "$work/annotated/results.json"
expect 2 'expected new, slower, headroom, tolerance or strength' "$lastbit" report diff --fail-on later a b
expect 0 'Conformance statement' "$lastbit" report statement "$work/annotated/results.json" -o -

# run: what never returns is undefined, and no port is asked to do it
wait_after() { # ID STEPS
    printf '{"id":"%s","function":"mli_mov_sequence","config":{"offset":[0,0,0,0],"size":[0,0,0,0],"sub_sample_step":[1,1,1,1],"dst_offset":[0,0,0,0],"dst_mem_stride":[0,0,0,0],"perm_dim":[0,1,2,3],"padding_pre":[0,0,0,0],"padding_post":[0,0,0,0]},"handles":{"h":{"dma_ch":0,"num_ch":0,"state":"invalid"}},"inputs":{"in":{"type":"fx8","shape":[1],"frac_bits":0,"data":[1]}},"outputs":{"out":{"type":"fx8","shape":[1],"frac_bits":0,"data":[9]}},"steps":[{"call":"mli_mov_prepare","handle":"h"},%s{"call":"mli_mov_wait","handle":"h"}]}' "$1" "$2"
}
suite wait.json "$(wait_after started '{"call":"mli_mov_start","handle":"h"},'),$(wait_after endless '')"
expect 0 '^4 passed, 0 failed, 4 skipped$' "$lastbit" run --report "$work/wait" "$work/wait.json"
expect 0 'undefined: mli_mov_wait at step 1, ' cat "$work/wait/results.json"

# explain
expect 1 'explain:   lastbit explain .*bad.json --case b --profile up-full --index 1$' "$lastbit" run "$work/bad.json"
expect 1 'result    out\[1\] = 5 (0x05); recorded 6 (0x06) diverges' "$lastbit" explain "$work/bad.json" --case b --profile up-full --index 1
expect 0 'all oracles agree on the whole call' "$lastbit" explain "$work/bad.json" --case a
expect 0 '"steps":\[{"number":1,"operation":"max"' "$lastbit" explain --json "$work/bad.json" --case a
expect 2 'expected --case ID' "$lastbit" explain "$work/bad.json"
expect 2 'no case zzzz; there are a, b' "$lastbit" explain "$work/bad.json" --case zzzz
expect 2 '2 cases match \*; expected one' "$lastbit" explain "$work/bad.json" --case '*'
expect 2 'past the end of out' "$lastbit" explain "$work/bad.json" --case a --index 2
expect 2 'numbers with commas' "$lastbit" explain "$work/bad.json" --case a --index 1.5
expect 2 '--role nope: expected out or cell' "$lastbit" explain "$work/bad.json" --case a --role nope
expect 2 'no such profile' "$lastbit" explain "$work/bad.json" --case a --profile nope
expect 2 'no such file' "$lastbit" explain "$work/nowhere.json" --case a
expect 2 'expected no more than one FILE' "$lastbit" explain "$work/bad.json" "$work/good.json" --case a
expect 2 'is a sequence of movement calls' "$lastbit" explain "$vectors/movement_sequences.yaml" --case "$("$lastbit" vectors list "$vectors/movement_sequences.yaml" | sed -n '1s/\t.*//p')"
# run: every CPU level; a result names its own, and so does the line that reproduces it
expect 0 '^[0-9]* passed, 0 failed' "$lastbit" run --cpu all --report "$work/levels_report" "$work/good.json"
for level in $("$lastbit" bench --json --runs 1 --run-time 0 add_s8_64k | sed 's/.*"cpu":"\([^"]*\)".*/\1/'); do
    [ "$(grep -o "\"cpu\":\"$level\"" "$work/levels_report/results.json" | wc -l)" -eq 4 ] ||
        wrong "run --cpu all has no four results at $level"
done
all=$(grep -o '"verdict":' "$work/levels_report/results.json" | wc -l)
expect 0 "^$all passed, 0 failed" "$lastbit" run --cpu all --resume --report "$work/levels_report" "$work/good.json"
expect 2 'made by another run' "$lastbit" run --cpu portable --resume --report "$work/levels_report" "$work/good.json"
expect 1 'reproduce: lastbit run --cpu portable .*bad.json --case b --profile up-full' "$lastbit" run --cpu portable "$work/bad.json"
expect 1 'explain:   lastbit explain --cpu portable .*bad.json --case b' "$lastbit" run --cpu portable "$work/bad.json"
expect 1 'recorded 6 (0x06) diverges' "$lastbit" explain --cpu portable "$work/bad.json" --case b --profile up-full --index 1
expect 2 'expected one level' "$lastbit" explain --cpu all "$work/bad.json" --case b
expect 2 'no level of port builtin on this machine; it has portable' "$lastbit" run --cpu abacus "$work/good.json"
expect 0 '^256 passed' "$lastbit" sweep --cpu portable mli_krn_relu_fx8 --case 'relu_fx8.type=3.*' --profile up-full

# run: what is wrong with the command line or a suite
expect 2 'no such profile' "$lastbit" run --profile nope "$work/good.json"
expect 2 'named twice' "$lastbit" run --profile up-full,up-full "$work/good.json"
expect 2 'expected I/N' "$lastbit" run --shard 3/2 "$work/good.json"
expect 2 'a number from 0' "$lastbit" run --jobs many "$work/good.json"
expect 2 'expected seconds' "$lastbit" run --time-limit 0 "$work/good.json"
expect 2 'needs --report' "$lastbit" run --resume "$work/good.json"
expect 2 'no case is left to be tried' "$lastbit" run --case zzz "$work/good.json"
expect 2 'nope.json' "$lastbit" run "$work/nope.json"
expect 2 'empty' "$lastbit" run "$work/empty"
expect 2 'broken.json:1:.*nothing was run\|nothing was run' "$lastbit" run "$work/good.json" "$work/broken.json"
expect 2 'unknown option --frobnicate' "$lastbit" run --frobnicate "$work/good.json"
expect 2 'port nowhere.so' "$lastbit" run --port nowhere.so "$work/good.json"

# waivers: waived is neither passed nor failed; expired and unused ones are errors
waiver() { printf -- '- {case: "%s", owner: o, reason: "%s", expires: %s}\n' "$1" "$2" "$3"; }
waiver b known 2999-12-31 >"$work/waivers.yaml"
waiver b known 2001-12-31 >"$work/expired.yaml"
{ waiver b known 2999-12-31; waiver z unknown 2999-12-31; } >"$work/unused.yaml"
expect 0 '^7 passed, 0 failed, 1 skipped$' "$lastbit" run --waivers "$work/waivers.yaml" "$work/bad.json"
expect 0 '^1 failure is waived' "$lastbit" run --jobs 0 --waivers "$work/waivers.yaml" "$work/bad.json"
expect 2 'expired.yaml:1:.*has expired' "$lastbit" run --waivers "$work/expired.yaml" "$work/bad.json"
expect 2 'unused.yaml:2: unused waiver' "$lastbit" run --waivers "$work/unused.yaml" "$work/bad.json"
expect 0 '' "$lastbit" run --case a --waivers "$work/unused.yaml" "$work/bad.json"
expect 2 'waivers.yaml:1: unused waiver' "$lastbit" run --waivers "$work/waivers.yaml" "$work/good.json"
expect 0 '' "$lastbit" run --waivers "$work/waivers.yaml" --report "$work/waived" "$work/bad.json"
expect 0 '' grep -q '"verdict":"waived".*"waiver":"o: known, until 2999-12-31","was":"fail"' "$work/waived/results.json"
expect 2 'made by another run' "$lastbit" run --resume --report "$work/waived" "$work/bad.json"
expect 1 '' "$lastbit" run --report "$work/failed" "$work/bad.json"
expect 0 'Waived | 1 | o: known, until 2999' "$lastbit" report markdown "$work/failed/results.json" --waivers "$work/waivers.yaml" -o -
expect 2 'unused waiver' "$lastbit" report markdown "$work/failed/results.json" --waivers "$work/unused.yaml" -o -
expect 2 'has expired' "$lastbit" report markdown "$work/failed/results.json" --waivers "$work/expired.yaml" -o -

# packages: every byte counts, and what stands in one holds together
package=$work/p.tar.gz
expect 0 '' "$lastbit" report package -o "$package" --waivers "$work/waivers.yaml" "$work/failed/results.json"
expect 0 '^verified: 9 members' "$lastbit" report verify "$package"
expect 0 '^8 results held against the exact model, 0 not' "$lastbit" report verify "$package"
bytes=$(wc -c <"$package")
for part in 0 3 9 13 15 16 30 47 48 $((bytes / 7)) $((bytes / 3)) $((bytes / 2)) $((bytes - 9)) $((bytes - 8)) $((bytes - 1)); do
    cp "$package" "$work/changed.tar.gz"
    byte=$(od -An -tu1 -j "$part" -N 1 "$package" | tr -d ' ')
    printf "\\$(printf %o $((byte ^ 1)))" | dd of="$work/changed.tar.gz" bs=1 seek="$part" conv=notrunc 2>/dev/null
    expect 1 '^NOT verified' "$lastbit" report verify "$work/changed.tar.gz"
done
{ cat "$package"; echo; } >"$work/changed.tar.gz"
expect 1 '^NOT verified' "$lastbit" report verify "$work/changed.tar.gz"
head -c 3000 "$package" >"$work/changed.tar.gz"
expect 1 'damaged or cut' "$lastbit" report verify "$work/changed.tar.gz"

# changed and packed anew, without and with a manifest that fits
repack() { # SED-SCRIPT FILE
    rm -rf "$work/un" && mkdir "$work/un" && tar -xzf "$package" -C "$work/un"
    sed -i "$1" "$work/un/lastbit-package/$2"
    tar -czf "$work/changed.tar.gz" -C "$work/un" lastbit-package
}
reseal() {
    (cd "$work/un/lastbit-package" && rm MANIFEST.sha256 && find . -type f | sed 's|^[.]/||' | sort | xargs sha256sum >../sums && mv ../sums MANIFEST.sha256)
    tar -czf "$work/changed.tar.gz" -C "$work/un" lastbit-package
}
repack 's/"elements":2/"elements":3/' results.json
expect 1 'results.json: was changed: its SHA-256 is' "$lastbit" report verify "$work/changed.tar.gz"
repack 's/x/y/' waivers.yaml
expect 1 'waivers.yaml: was changed' "$lastbit" report verify "$work/changed.tar.gz"
repack 's/"function":"mli_krn_relu_fx8"/"function":"mli_krn_relu_fx16"/' results.json
reseal
expect 1 'the function is "mli_krn_relu_fx16" in the results, but "mli_krn_relu_fx8" by the exact model' "$lastbit" report verify "$work/changed.tar.gz"
repack 's/"verdict":"fail"/"verdict":"pass"/; s/"pass":7,"fail":1/"pass":8,"fail":0/' results.json
reseal
expect 1 'the verdict is pass, but an oracle differs' "$lastbit" report verify "$work/changed.tar.gz"
repack 's/"status_expected":"ok"/"status_expected":"bad_tensor"/' results.json
reseal
expect 1 'status_expected is "bad_tensor" in the results, but "ok"' "$lastbit" report verify "$work/changed.tar.gz"
repack 's/Failed/Passed/' report.html
reseal
expect 1 'report.html: is not what the results make' "$lastbit" report verify "$work/changed.tar.gz"
repack 's/"data":\[-1,5\]/"data":[-1,4]/' suites/001-bad.json
reseal
expect 1 'is not the suite of the results' "$lastbit" report verify "$work/changed.tar.gz"
repack 's/gcc\|clang/tcc/' environment.json
reseal
expect 1 'environment.json: does not say what the results say' "$lastbit" report verify "$work/changed.tar.gz"
rm "$work/un/lastbit-package/summary.md"
echo x >"$work/un/lastbit-package/more.txt"
reseal
expect 1 'summary.md: is missing' "$lastbit" report verify "$work/changed.tar.gz"
expect 1 'more.txt: does not belong' "$lastbit" report verify "$work/changed.tar.gz"
expect 2 'No such file' "$lastbit" report verify "$work/nothing"
expect 2 'no FILE given: expected a package' "$lastbit" report verify
expect 2 'where to' "$lastbit" report package "$work/failed/results.json"
expect 3 'cannot write' "$lastbit" report package -o "$work/no/such/p.tar.gz" "$work/failed/results.json"
expect 2 'unused waiver' "$lastbit" report package -o "$package" --waivers "$work/unused.yaml" "$work/failed/results.json"
cp "$work/bad.json" "$work/kept.json"
sed -i 's/5/4/' "$work/bad.json"
expect 2 'this is not the suite that was run' "$lastbit" report package -o "$work/q.tar.gz" "$work/failed/results.json"
mv "$work/kept.json" "$work/bad.json"
[ ! -e "$work/q.tar.gz" ] || wrong "a package that could not be made is there"

# run: report folder, journal, resume
expect 1 'report: ' "$lastbit" run --report "$work/deep/report" "$work/bad.json"
for file in results.json report.html junit.xml summary.md journal.jsonl; do
    [ -s "$work/deep/report/$file" ] || wrong "$file is missing"
done
head -c 700 "$work/deep/report/journal.jsonl" >"$work/cut" && cp "$work/cut" "$work/deep/report/journal.jsonl"
cp "$work/deep/report/results.json" "$work/first.json"
expect 1 '^7 passed, 1 failed, 0 skipped$' "$lastbit" run --resume --report "$work/deep/report" "$work/bad.json"
without_times() { sed -E 's/"(started|seconds|microseconds|command)":("[^"]*"|[0-9.e+-]+),?//g' "$1"; }
without_times "$work/first.json" >"$work/first.plain"
without_times "$work/deep/report/results.json" >"$work/second.plain"
cmp -s "$work/first.plain" "$work/second.plain" || wrong "a resumed run has another report"
expect 2 'made by another run' "$lastbit" run --resume --report "$work/deep/report" "$work/good.json"
expect 3 'cannot' "$lastbit" run --report /proc/nowhere "$work/good.json"

# sweep
expect 0 '^mli_krn_relu_fx8  1,280 calls, 327,680 inputs$' "$lastbit" sweep --list
expect 0 '^1 function, 256 calls, 65,536 inputs, each in every profile$' "$lastbit" sweep --list mli_krn_sigm_fx8
expect 0 '^5120 passed, 0 failed, 0 skipped$' "$lastbit" sweep mli_krn_relu_fx8 --report "$work/sweep"
grep -q '^exhaustive: mli_krn_relu_fx8, 1,280 calls, 327,680 inputs: all 256 inputs' "$work/out" ||
    wrong "the sweep does not say what is exhaustive"
for file in results.json report.html summary.md; do
    grep -q 'xhaustive.*all 256 inputs at every frac.\{0,1\}_bits' "$work/sweep/$file" ||
        wrong "$file does not say exhaustive"
done
expect 0 '^1 passed' "$lastbit" sweep mli_krn_relu_fx8 --case relu_fx8.type=3.frac_bits=4 --profile up-full --report "$work/part"
grep -q exhaustive "$work/out" "$work/part/results.json" &&
    wrong "one call of a sweep is called exhaustive"
expect 0 '^exhaustive together with the other shards' "$lastbit" sweep mli_krn_relu_fx8 --shard 2/3 --report "$work/shard"
expect 0 '^1708 passed' "$lastbit" sweep --resume mli_krn_relu_fx8 --shard 2/3 --report "$work/shard"
expect 2 'made by another run' "$lastbit" sweep --resume mli_krn_leaky_relu_fx8 --shard 2/3 --report "$work/shard"
expect 0 '^5120 passed' "$lastbit" sweep mli_krn_relu_fx8 'mli_krn_relu_fx[8]'
expect 2 'no function given' "$lastbit" sweep
expect 2 'did you mean mli_krn_relu_fx8' "$lastbit" sweep mli_krn_relo_fx8
expect 2 'no such function' "$lastbit" sweep 'mli_nothing_*'
expect 2 'mli_krn_softmax_sa8 has no small domain' "$lastbit" sweep mli_krn_softmax_sa8
expect 2 'no case is left to be tried' "$lastbit" sweep mli_krn_relu_fx8 --case zzz
expect 2 'unknown option' "$lastbit" run --list "$work/good.json"

# tolerance
policy() { # NAME LINES
    printf 'format: lastbit/tolerance-1\nlimits:\n%s\n' "$2" >"$1"
}
mkdir "$work/held"
cp "$vectors/relu.yaml" "$work/held"
policy "$work/strict.yaml" '  - {function: "mli_krn_relu_*", max_steps: 0.2}'
policy "$work/wide.yaml" '  - {function: "mli_krn_relu_*", max_steps: 9000}'
policy "$work/wrong.yaml" '  - {function: "mli_krn_relo_*", max_steps: 1}'
expect 0 '0 failed' "$lastbit" run "$work/held"
expect 1 'out of tolerance of the real model: out: 300 % of max_steps 0.2 (.*strict.yaml:3)' \
    "$lastbit" run --tolerance "$work/strict.yaml" "$work/held"
expect 1 "reproduce: lastbit run --tolerance .*strict.yaml .*relu.yaml --case" \
    "$lastbit" run --tolerance "$work/strict.yaml" "$work/held"
expect 1 'wide.yaml:3: max_steps 9000 is larger than the signal of case relu_' \
    "$lastbit" run --tolerance "$work/wide.yaml" "$work/held"
expect 2 'wrong.yaml:3:16: limits\[0\].function: no function matches' \
    "$lastbit" run --tolerance "$work/wrong.yaml" "$work/held"
expect 2 'No such file' "$lastbit" run --tolerance "$work/none.yaml" "$work/held"
expect 2 'is a folder' "$lastbit" run --tolerance "$work" "$work/held"
cp "$work/strict.yaml" "$work/held/tolerance.yaml"
expect 1 'held/tolerance.yaml:3' "$lastbit" run "$work/held"
expect 0 '0 failed' "$lastbit" run --tolerance derived "$work/held"
expect 0 '0 failed' "$lastbit" run --tolerance off "$work/held"
expect 0 '0 failed' "$lastbit" run --judge tolerance --tolerance derived "$work/held"
expect 2 '--judge close: expected exact or tolerance' "$lastbit" run --judge close "$work/held"
expect 2 'turns off' "$lastbit" run --judge tolerance --tolerance off "$work/held"
expect 1 '4 failed' "$lastbit" run --report "$work/held-report" --tolerance "$work/strict.yaml" \
    --case relu_sa8.relu6.limit_truncates "$work/held"
grep -q '"limit_source":"[^"]*strict.yaml:3"' "$work/held-report/results.json" ||
    wrong "results.json does not name the policy"
expect 2 'made by another run' "$lastbit" run --resume --report "$work/held-report" --tolerance derived \
    --case relu_sa8.relu6.limit_truncates "$work/held"

# guard
limits=$vectors/guard_limits.yaml
profiles=$vectors/profiles
expect 0 '^Tightest: some inputs of .*worst_511 reach [0-9]* bits; its own reach [0-9]*; the register has 32, which' "$lastbit" guard \
    --profile up-full --case '*.worst_511' "$limits"
grep -q '^headroom: width less needed' "$work/out" || complain "guard: no legend"
expect 0 'headroom  needed  width' "$lastbit" guard --profile up-full --case '*.worst_511' "$limits"
expect 1 '^      -1      33     32      8     9      34      16x8      512        4 ' \
    "$lastbit" guard --by case --case '*.worst_512.over_32' "$limits"
expect 0 "the port's guard bits are those of the profiles" "$lastbit" guard --case '*.worst_511' "$limits"
expect 0 'fx16_fx16 of the port says 32 guard bits, the profile dsp-fxapi-up gives 8' \
    "$lastbit" guard --profile "$profiles/dsp-fxapi-up.yaml" --case '*.fc_16x16.worst_511' "$limits"
expect 1 '"acc_bits":40,.*"headroom_bits":-1,"overflow":"persistent","verdict":"fail"}$' \
    "$lastbit" guard --json --profile "$profiles/dsp-fxapi-up.yaml" --case '*.fc_16x16.worst_512' "$limits"
expect 0 '^8 witnesses: 8 right, 0 failed' "$lastbit" guard --witness --case '*.fc_8x8.worst_511' "$limits"
expect 0 '^[1-9][0-9]* witnesses: [0-9]* right, 0 failed' \
    "$lastbit" guard --witness --witness-out "$work/witness.jsonl" --case 'conv2d_sa8.pad*' --case 'gru*' \
    --case '*worst_511' --profile up-full "$vectors/conv2d.yaml" "$vectors/gru.yaml" "$limits"
expect 0 'cases, ok$' "$lastbit" vectors check "$work/witness.jsonl"
expect 0 ' passed, 0 failed, 0 skipped' "$lastbit" run "$work/witness.jsonl"
expect 2 'no PATH given: expected a suite' "$lastbit" guard
expect 2 'no case matches' "$lastbit" guard --case zzz "$limits"
expect 0 '^0 results' "$lastbit" guard "$vectors/relu.yaml"
expect 2 'expected function, group or case' "$lastbit" guard --by colour "$limits"
expect 2 'no such profile' "$lastbit" guard --profile nope "$limits"
printf 'format: lastbit/profile-1\nname: core\nrounding: sideways\n' >"$work/core.yaml"
expect 2 'core.yaml:3:11: rounding: unknown name "sideways"' "$lastbit" guard --profile "$work/core.yaml" "$limits"
expect 2 'core.yaml:3:11: rounding' "$lastbit" run --profile "$work/core.yaml" "$limits"
expect 2 'core.yaml:3:11: rounding' "$lastbit" sweep --profile "$work/core.yaml" mli_krn_relu_fx8
expect 2 'nowhere.yaml: No such file' "$lastbit" run --profile nowhere.yaml "$limits"
# Cases that overflow on purpose stay out of what is told of a run; those of others are counted.
cp "$vectors/recorded/fully_connected.jsonl" "$work/theirs.jsonl"
expect 0 "^accumulator too narrow in [1-9][0-9]* results" "$lastbit" run --profile up-full "$work/theirs.jsonl"
expect 0 "^vacuous: [a-z]" "$lastbit" run --profile up-full "$work/theirs.jsonl"
# What lastbit's own suites mean to do is not told: a green run ends in what was tried, what it proves, and where the report
# is, before the tally; a sweep, which is every input, is not accused; --quiet prints the tally alone.
"$lastbit" run --report "$work/green" "$vectors/recorded/fully_connected.jsonl" "$vectors/networks" >"$work/out" 2>&1 || complain "a green run"
[ "$(sed 's/ .*//' "$work/out" | tr '\n' ' ')" = "Functions Bit report: $(tail -n 1 "$work/out" | sed 's/ .*//') " ] ||
    complain "a green run ends in other than three lines and the tally"
grep -q '^Bit for bit: [1-9][0-9]* results are the exact model.s, [1-9][0-9]* a recorded one as well; coverage: ' "$work/out" || complain "agreement"
grep -q '"vacuous":"[^"]' "$work/green/results.json" && wrong "lastbit's own cases are called vacuous"
expect 0 '^Bit for bit: 5120 results' "$lastbit" sweep mli_krn_relu_fx8
grep -e vacuous -e 'vectors coverage' "$work/out" && wrong "a sweep is accused, or sent to a command that cannot list it"
expect 1 '^[1-9][0-9]* passed, 16 failed, 0 skipped$' "$lastbit" run --quiet --guard error "$limits"
[ "$(wc -l <"$work/out")" = 1 ] || complain "--quiet prints more than the tally"
expect 0 '^48 passed, 0 failed, 0 skipped$' "$lastbit" run --guard off "$limits"
expect 1 '^32 passed, 16 failed, 0 skipped$' "$lastbit" run --guard error "$limits"
expect 1 'the accumulator (16x8) has 32 bits, and the sums of this case take 33' "$lastbit" run --guard error "$limits"
expect 1 'reproduce: lastbit run --guard error .*guard_limits.yaml --case' "$lastbit" run --guard error "$limits"
expect 0 'sa8_sa8 of the port says 16 guard bits, the profile vector-guard2-up gives 8' \
    "$lastbit" run --profile "$profiles/vector-guard2-up.yaml" --case '*.fc_8x8.worst_511' "$limits"
expect 2 'expected warn, off or error' "$lastbit" run --guard loud "$limits"
expect 0 '^1 passed' "$lastbit" run --profile "$profiles/vector-guard2-up.yaml" --case '*.fc_8x8.worst_511' "$limits"

# report: documents from stored results
for kind in html junit markdown csv; do
    expect 0 '' "$lastbit" report $kind "$work/deep/report/results.json" -o "$work/document"
    [ -s "$work/document" ] || wrong "report $kind wrote nothing"
done
expect 2 '' "$lastbit" report html "$work/good.json" -o "$work/document"
expect 2 '' "$lastbit" report frobnicate "$work/deep/report/results.json" -o "$work/document"

# bench: every level beside its peak, and what is wrong with the command line
quick="--runs 1 --run-time 0"
expect 0 '^row  *cpu  *time' "$lastbit" bench $quick add_s8_64k
expect 0 '^add_s8_64k  *portable .* GB/s ' "$lastbit" bench $quick --cpu portable 'add_s8*'
expect 0 '^dw3x3_s8_56x128' "$lastbit" bench --list mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32_k3x3
expect 0 '^{"row":"add_s8_64k","cpu":"portable","seconds":[0-9.e-]*,"rate":[0-9.e+]*,"unit":"GB/s","peak":[0-9.e+]*,"percent_of_peak":[0-9.e+-]*}$' \
    "$lastbit" bench --json $quick --cpu portable add_s8_64k
"$lastbit" bench --json $quick mli_krn_sigm_sa8 >"$work/speed.json" || wrong "bench --json"
grep -c '' "$work/speed.json" >"$work/levels"
expect 0 'sigmoid_s8_64k .*[0-9] %$' "$lastbit" bench --baseline "$work/speed.json" $quick sigmoid_s8_64k add_s8_64k
expect 0 'add_s8_64k .* new$' "$lastbit" bench --baseline "$work/speed.json" $quick sigmoid_s8_64k add_s8_64k
[ "$(grep -c '^sigmoid' "$work/out")" -eq "$(cat "$work/levels")" ] ||
    wrong "the table of bench has other levels than its JSON"
expect 0 '' "$lastbit" bench $quick --baseline "$work/speed.json" --report "$work/speed_report" sigmoid_s8_64k
grep -q '"row":"sigmoid_s8_64k"' "$work/speed_report/results.json" && grep -q sigmoid_s8_64k "$work/speed_report/report.html" ||
    wrong "bench --report tells no speed"
expect 0 '^litert_add_s8_64k  *portable .* GB/s ' "$lastbit" bench $quick --cpu portable litert_add_s8
expect 0 '^litert_fc_s8_1024x1000' "$lastbit" bench --list --profile litert-single
expect 2 'did you mean add_s8_64k' "$lastbit" bench add_s8_65k
expect 2 'no row times this function' "$lastbit" bench mli_hlp_count_elem_num
expect 2 'no level of port builtin on this machine; it has portable' "$lastbit" bench --cpu abacus
expect 2 'from 1 to 1000' "$lastbit" bench --runs 0
expect 2 'good.json:1: expected an object of' "$lastbit" bench --baseline "$work/good.json" add_s8_64k
expect 2 'No such file' "$lastbit" bench --baseline "$work/none.json" add_s8_64k
expect 2 'one built-in profile' "$lastbit" bench --profile all

# vectors
expect 0 'ok' "$lastbit" vectors check "$work/good.json" "$vectors"
expect 2 'ids are unique' "$lastbit" vectors check "$work/broken.json"
expect 0 'relu_sa8.gen.zero_point' "$lastbit" vectors list "$vectors"

# coverage of the functions' behaviours
expect 0 'mli_krn_relu_fx8 .* [1-9]' "$lastbit" vectors coverage --function mli_krn_relu_fx8 "$work/good.json"
expect 0 'missed type.relu6' "$lastbit" vectors coverage --function mli_krn_relu_fx8 "$work/good.json"
expect 0 '"totals"' "$lastbit" vectors coverage --json "$work/good.json"
expect 0 'status.ok.numerics.md 9.hit' "$lastbit" vectors coverage --list --function mli_krn_relu_fx8 "$work/good.json"
expect 1 'asks for 100' "$lastbit" vectors coverage --require 100 --function mli_krn_relu_fx8 "$work/good.json"
expect 0 '' "$lastbit" vectors coverage --require 1 --function mli_krn_relu_fx8 "$work/good.json"
expect 2 'no function matches' "$lastbit" vectors coverage --function 'mli_nothing*' "$work/good.json"
expect 2 'a percentage' "$lastbit" vectors coverage --require 200 "$work/good.json"
# Only the functions that the suites call count, unless others are named.
expect 1 'of [0-9]* points are missed' "$lastbit" vectors coverage --require 100 "$work/good.json"
expect 1 'of 1[0-9][0-9][0-9][0-9][0-9] points are missed' "$lastbit" vectors coverage --require 100 --function '*' "$work/good.json"
expect 2 'no such family; there are conv2d, ' "$lastbit" vectors generate --family bogus
expect 0 'functions were not searched to their end: 0.001 seconds were up' "$lastbit" vectors generate --cover --seconds 0.001 --family eltwise "$work/good.json" -o "$work/found.jsonl"
expect 2 'no PATH given' "$lastbit" vectors coverage
expect 0 'strength [0-9.]* % of [1-9]' "$lastbit" vectors strength --function mli_krn_relu_fx8 --jobs 2 "$work/good.json"
expect 0 'survives: mli_krn_relu_fx8: .*does not check' "$lastbit" vectors strength --list --function mli_krn_relu_fx8 "$work/good.json"
expect 0 '"survivors"' "$lastbit" vectors strength --json --function mli_krn_relu_fx8 "$work/good.json"
expect 1 'asks for 100' "$lastbit" vectors strength --require 100 --function mli_krn_relu_fx8 "$work/good.json"
# run --strength: the figures in results and documents; of these suites, as they are
"$lastbit" vectors strength --json --function mli_krn_relu_fx8 "$work/good.json" >"$work/strength.json"
expect 0 '' "$lastbit" run --strength "$work/strength.json" --report "$work/strong" "$work/good.json"
expect 0 '"strength_faults":[1-9][0-9]*,"strength_caught":[1-9][0-9]*,"strength_level":"deep"' cat "$work/strong/results.json"
expect 0 'faults of the bank are caught by the suites (level deep)' cat "$work/strong/summary.md"
expect 0 'known faults are caught by the suites (level deep)' cat "$work/strong/report.html"
expect 2 'says nothing of .*bad.json as it is now' "$lastbit" run --strength "$work/strength.json" "$work/bad.json"
expect 2 'vectors strength --json"' "$lastbit" run --strength "$work/good.json" "$work/good.json"
expect 2 'no_such_file: No such file' "$lastbit" run --strength "$work/no_such_file" "$work/good.json"
expect 0 'strength [0-9.]* % of [1-9]' "$lastbit" vectors strength --function '*argmax*' "$vectors/coverage_argmax.jsonl" # extents of 0
expect 2 'no function matches' "$lastbit" vectors strength --function 'mli_nothing*' "$work/good.json"
expect 2 'a number from 1 to 64' "$lastbit" vectors strength --jobs 0 "$work/good.json"
expect 2 'no PATH given' "$lastbit" vectors strength
expect 0 'good.json' "$lastbit" vectors select --budget 5 --function mli_krn_relu_fx8 "$work/good.json"
expect 0 '"gain"' "$lastbit" vectors select --json --budget 2s --function mli_krn_relu_fx8 "$work/good.json"
expect 2 'a number of cases' "$lastbit" vectors select --budget 5x "$work/good.json"
expect 0 'strength' "$lastbit" vectors strength --shard 1/1 --keep "$work/rows" --function mli_krn_relu_fx8 -n up-full "$work/good.json"
printf '{"function":"mli_krn_relu_fx8","prof' >>"$work/rows"
expect 0 'strength [0-9.]* % of [1-9]' "$lastbit" vectors strength --keep "$work/rows" --function mli_krn_relu_fx8 "$work/good.json"
expect 2 'on other suites or with other options' "$lastbit" vectors strength --keep "$work/rows" --tries 5 "$work/good.json"
expect 2 'No such file' "$lastbit" vectors strength --keep "$work/no_such_folder/rows" "$work/good.json"
expect 2 'expected I/N' "$lastbit" vectors strength --shard 3/2 "$work/good.json"
expect 0 ' 1 cases' "$lastbit" pack --c --select 1 --profile up-full -o "$work/selected" "$work/good.json"
expect 2 'a number of cases' "$lastbit" pack --c --select few -o "$work/selected" "$work/good.json"
suite same.json '{"id":"same","function":"mli_krn_relu_fx8","config":{"type":"gen"},"inputs":{"in":{"type":"fx8","shape":[2],"frac_bits":0,"data":[-1,-5]}},"outputs":{"out":{"type":"fx8","shape":[2],"frac_bits":0}}}'
expect 0 'vacuous: .*same.json.*all 2 outputs are the same' "$lastbit" vectors coverage "$work/same.json"
expect 0 'vacuous: same .*all 2 outputs are the same' "$lastbit" run "$work/same.json"
# Outputs of 0.5 and 1 are the same where halves go up, and not where they go to even numbers: each profile has its own.
suite half.json '{"id":"half","function":"mli_krn_eltwise_mul_fx8","inputs":{"in1":{"type":"fx8","shape":[2],"frac_bits":1,"data":[1,2]},"in2":{"type":"fx8","shape":[2],"frac_bits":0,"data":[1,1]}},"outputs":{"out":{"type":"fx8","shape":[2],"frac_bits":0}}}'
for which in up-full,up-reduced,convergent-full,convergent-reduced convergent-full,up-full up-reduced convergent-reduced; do
    "$lastbit" run -q -n $which --json - "$work/half.json" >"$work/out" 2>/dev/null
    grep -q '"profile":"up-[^}]*"vacuous":"all 2' "$work/out" || [ $which = convergent-reduced ] ||
        wrong "-n $which: a result that proves little is not marked"
    grep -q '"profile":"convergent-[^}]*"vacuous":"all 2' "$work/out" && wrong "-n $which: the mark of another profile is copied"
done
# A run that is gone on with ends in the same results wherever it was cut, in all profiles, these marks among them.
"$lastbit" run -q --report "$work/whole" "$work/theirs.jsonl" "$work/half.json" "$work/same.json" >/dev/null
grep -q '"vacuous":"' "$work/whole/results.json" || wrong "a whole run has no marks"
without_times "$work/whole/results.json" >"$work/whole.plain"
bytes=$(wc -c <"$work/whole/journal.jsonl")
for share in 15 35 50 65 80 95 99; do
    mkdir -p "$work/cut_run"
    head -c $((bytes * share / 100)) "$work/whole/journal.jsonl" >"$work/cut_run/journal.jsonl"
    "$lastbit" run -q --resume --report "$work/cut_run" "$work/theirs.jsonl" "$work/half.json" "$work/same.json" >/dev/null
    without_times "$work/cut_run/results.json" | cmp -s - "$work/whole.plain" || wrong "cut at $share %: other results"
done
# Those of lastbit's own suites are counted; what finds faults has the tag.
expect 0 "^vacuous, in lastbit's own suites: 3 cases whose point is something else" "$lastbit" vectors coverage "$vectors/recorded/permute.jsonl" "$work/same.json"
[ "$(grep -c '^vacuous: ' "$work/out")" = 1 ] || complain "not the user's vacuous case alone is named"
expect 0 '"own":	true' "$lastbit" vectors coverage --json "$vectors/recorded/permute.jsonl"
expect 0 'points' "$lastbit" vectors coverage --profile up-full "$vectors"/faults_*.jsonl
grep '^vacuous' "$work/out" && wrong "cases of the generated suites prove little and are not marked so"
expect 2 'no case of this level' "$lastbit" run --level smoke "$work/good.json"
levels() { # a case of each level, in the middle of others
    printf '{"format":"lastbit/cases-1","suite":"levels"}\n'
    for i in 1 2 3; do
        case_of "a$i" 5 | sed 's/"expect"/"tags":["smoke"],"expect"/'; echo
        case_of "b$i" 5; echo
        case_of "c$i" 5 | sed 's/"expect"/"tags":["deep"],"expect"/'; echo
    done
}
levels >"$work/levels.jsonl"
for level in smoke:3 standard:6 deep:9; do
    expect 0 "^${level#*:} passed, 0 failed, 0 skipped$" "$lastbit" run --profile up-full --level ${level%:*} "$work/levels.jsonl"
done
expect 0 '^1 passed, 0 failed' "$lastbit" run --profile up-full --level smoke --case a2 "$work/levels.jsonl"
expect 2 'expected smoke, standard or deep' "$lastbit" run --level huge "$work/good.json"
expect 0 'cases reach' "$lastbit" vectors generate --cover --patience 200 --function mli_krn_relu_fx8 "$work/good.json" -o "$work/found.jsonl"

# vectors strength --catches: what one case catches, three do not
expect 0 '^[1-9][0-9]* faults are caught by fewer than 3 cases' "$lastbit" vectors strength --catches 3 --profile up-full --function mli_krn_relu_fx8 "$work/good.json"

# vectors generate --pairwise, vectors coverage --pairwise
expect 0 'relu_fx8: .* pairs reached, .* cases more' "$lastbit" vectors generate --pairwise --patience 300 --function mli_krn_relu_fx8 "$work/good.json" -o "$work/found.jsonl"
expect 0 '^[1-9][0-9]* passed, 0 failed' "$lastbit" run --quiet "$work/found.jsonl"
expect 0 'relu_fx8: .* pairs reached; of those that no try reaches the checks exclude [1-9][0-9]*, and [0-9]* are open' \
    "$lastbit" vectors coverage --pairwise --function mli_krn_relu_fx8 "$work/good.json" "$work/found.jsonl"
expect 0 'in.extent\[0\]=1 with out.extent\[0\]=even: excluded by check out.shape_equals_in' \
    "$lastbit" vectors coverage --pairwise --list --function mli_krn_relu_fx8 "$work/good.json" "$work/found.jsonl"
expect 0 'sigm_fx16: .* pairs reached' "$lastbit" vectors coverage --pairwise --function 'mli_krn_sigm*' "$vectors/recorded/activation_lut.jsonl" # has shapes of 2^33 elements on the way
expect 2 'needs the suites' "$lastbit" vectors generate --pairwise
expect 1 'of [0-9]* pairs are missed; --require asks for 100 %' \
    "$lastbit" vectors coverage --pairwise --require 100 --function mli_krn_relu_fx8 "$work/good.json"
expect 2 'pairwise has no --json' "$lastbit" vectors coverage --pairwise --json "$work/good.json"

# vectors generate: cases of every family, which a right port passes in every profile
for family in conv2d permute convert helper lut mov float4; do
    expect 0 '' "$lastbit" vectors generate --family $family --count 60 --seed 3 -o "$work/made.jsonl"
    expect 0 '^240 passed, 0 failed, 0 skipped$' "$lastbit" run "$work/made.jsonl"
done
expect 0 '"call":"mli_mov_wait"' "$lastbit" vectors generate --function mli_mov_wait --count 2
expect 2 'cannot be made up' "$lastbit" vectors generate --function mli_hlp_compile_options_string
expect 0 '"mli_krn_relu_fx16"' "$lastbit" vectors generate --function 'mli_krn_relu_*' --count 4
expect 0 '"mli_krn_tanh_sa8"' "$lastbit" vectors generate --function 'mli_krn_relu_*' -f mli_krn_tanh_sa8 --count 4
expect 2 'no function matches' "$lastbit" vectors generate --function 'mli_krn_rely_*'
expect 2 'give --family NAME or --function GLOB' "$lastbit" vectors generate

# vectors generate --status: every check violated alone, which a right port passes
expect 0 'cases violate 32 of 32 checks first' "$lastbit" vectors generate --status --function mli_krn_conv2d_hwcn_fx16_k3x3 \
    -o "$work/status.jsonl"
expect 0 ', 0 failed, 0 skipped' "$lastbit" run "$work/status.jsonl"
grep -q 'Violates cfg.stride_height: stride_height is 0, not ' "$work/status.jsonl" || wrong "--status does not say what was changed"
expect 2 'goes by itself' "$lastbit" vectors generate --status --cover "$work/good.json"
expect 0 'maxpool_hwc_sa8: cfg.kernel_size: no case violates it first' "$lastbit" vectors generate --status --list --function mli_krn_maxpool_hwc_sa8

# vectors generate --faults, --pairs: what survives a suite is caught by what is made, which a right port passes
hunt() {
    "$lastbit" vectors generate --patience 60 "$@" --function mli_krn_relu_fx8 "$work/good.json"
}
expect 0 '^[1-9][0-9]* cases catch [1-9][0-9]* of [1-9]' hunt --faults -o "$work/hunted.jsonl"
expect 0 '"note":"Catches a kernel that ' cat "$work/hunted.jsonl"
expect 0 ' 0 failed, 0 skipped$' "$lastbit" run "$work/hunted.jsonl"
expect 0 '' hunt --faults --jobs 2 -o "$work/hunted2.jsonl"
expect 0 '' cmp "$work/hunted.jsonl" "$work/hunted2.jsonl"
"$lastbit" vectors strength --function mli_krn_relu_fx8 "$work/good.json" >"$work/before"
"$lastbit" vectors strength --function mli_krn_relu_fx8 "$work/good.json" "$work/hunted.jsonl" >"$work/after"
before=$(sed -n 's/^strength \([0-9]*\)\..*/\1/p' "$work/before")
after=$(sed -n 's/^strength \([0-9]*\)\..*/\1/p' "$work/after")
expect 0 '' [ "$after" -gt "$((before + 10))" ]
# ... with --catches also what one or two cases catch, by others than those
thin() {
    "$lastbit" vectors strength --catches 3 --function mli_krn_relu_fx8 "$@" | sed -n 's/ faults are caught by fewer than 3 .*//p'
}
expect 0 'faults that fewer than 3 cases of the suites catch are' hunt --faults --catches 3 --patience 120 -o "$work/thick.jsonl"
expect 0 '' [ "$(thin "$work/good.json" "$work/thick.jsonl")" -lt "$(($(thin "$work/good.json" "$work/hunted.jsonl") / 4))" ]
sed 1d "$work/thick.jsonl" | sed 's/"id":"[^"]*"//; s/"note":"[^"]*"//' | sort >"$work/bodies"
expect 0 '' [ "$(uniq "$work/bodies" | wc -l)" -eq "$(wc -l <"$work/bodies")" ]
expect 0 ' 0 failed, 0 skipped$' "$lastbit" run "$work/thick.jsonl"
expect 2 'a number from 1 to 1000' hunt --faults --catches 0
expect 0 '^[1-9][0-9]* cases tell [1-9][0-9]* of [1-9]' hunt --pairs -o "$work/paired.jsonl"
expect 0 '"note":"Tells .* from ' cat "$work/paired.jsonl"
expect 0 ' 0 failed, 0 skipped$' "$lastbit" run "$work/paired.jsonl"
expect 2 'one of --cover, --faults, --pairs and --pairwise' hunt --faults --pairs
expect 2 'needs the suites' "$lastbit" vectors generate --faults
expect 2 'no_such_folder' "$lastbit" vectors generate --faults "$work/no_such_folder"
"$lastbit" vectors generate --function mli_krn_relu_fx8 --count 80 --seed 3 -o "$work/first.jsonl"
first() {
    "$lastbit" vectors generate --faults "$@" --patience 1 --function mli_krn_relu_fx8 -o "$work/hunted.jsonl" \
        "$work/good.json"
}
expect 0 '^[0-9] cases catch ' first
expect 0 '^[1-9][0-9] cases catch ' first --first "$work/first.jsonl"
expect 2 'no_such_folder' first --first "$work/no_such_folder"
expect 2 'a number from 1 to 64' hunt --faults --jobs 0
expect 2 'smoke, standard or deep' hunt --faults --up-to all
expect 3 'no_such_folder' hunt --faults -o "$work/no_such_folder/x.jsonl"
expect 0 ' 0 failed' "$lastbit" run "$work/found.jsonl"
printf 'SF:/a/impl/x.c\nLF:4\nLH:3\nend_of_record\n' >"$work/lines.info"
expect 0 '' "$lastbit" run --lines "$work/lines.info" --report "$work/lines" "$work/good.json"
expect 0 '"room":"impl","lines":4,"lines_hit":3' cat "$work/lines/results.json"
expect 2 'no tracefile' "$lastbit" run --lines "$work/good.json" "$work/good.json"


# What was written must have arrived, whatever wrote it; and a folder for what passes by must be there.
if [ -w /dev/full ]; then
    for command in --version help 'run --help' 'port functions' 'vectors coverage' 'vectors list' 'vectors check' 'run -q' \
        'rule numerics.4.2' 'completion bash'; do
        case $command in
            vectors* | 'run -q') file=$work/good.json ;;
            *) file= ;;
        esac
        # shellcheck disable=SC2086 # words of a command
        "$lastbit" $command $file >/dev/full 2>"$work/out"
        status=$?
        [ "$status" = 3 ] && grep -q '^lastbit: standard output: ' "$work/out" ||
            complain "$command on a full disk: exit status $status"
    done
fi
expect 3 'a journal in /no/such/folder (TMPDIR): No such file' env TMPDIR=/no/such/folder "$lastbit" run "$work/good.json"

[ "$failed" -eq 0 ] && echo "command line: all as expected"
exit "$failed"
