#!/bin/sh
# What a run claims: nothing is green that was not tested, and a part never looks like the whole.
# Usage: test_claims.sh LASTBIT SOURCE_DIR SMALL_AGENT
set -u
lastbit=$1 vectors=$2/vectors small=exec:$3
. "$(dirname "$0")/expect.sh"

run() { "$lastbit" run "$@"; }

relu='{"id":"ID","function":"mli_krn_relu_fx8","config":{"type":"gen"},"inputs":{"in":{"type":"fx8","shape":[2],"frac_bits":0,"data":[-1,5]}},"outputs":{"out":{"type":"fx8","shape":[2],"frac_bits":0}}}'
suite() { printf '{"format":"lastbit/cases-1","suite":"t","cases":[%s]}' "$2" >"$work/$1"; }
suite empty.json ''
suite one.json "$(printf '%s' "$relu" | sed 's/ID/a/')"
suite two.json "$(printf '%s' "$relu" | sed 's/ID/a/'),$(printf '%s' "$relu" | sed 's/ID/b/')"

# nothing tested: a status of its own, with the reason
expect 4 'nothing was tested: the suites have no case$' run "$work/empty.json"
expect 4 'the suites have 1 case, and none in shard 2 of 2$' run --shard 2/2 "$work/one.json"
expect 4 'no case in shard 1 of 2 is one that the options choose$' run --shard 1/2 --case zzz "$work/one.json"
expect 2 'no case is left to be tried' run --case zzz "$work/one.json"
expect 4 'all 1 results were skipped, for the reasons above$' run --port "$small" --profile convergent-full "$work/one.json"
expect 4 '^skipped: 1 result: the port is built for up-full$' run --port "$small" --profile convergent-full "$work/one.json"
expect 4 '^skipped: [0-9]* results: not provided by the port$' run --port "$small" "$vectors/lstm.yaml"
expect 4 '^0 passed, 0 failed, ' "$lastbit" sweep --port "$small" --profile convergent-full --case '*.type=3.*' mli_krn_relu_fx8
printf -- '- {case: "*", owner: o, reason: known, expires: 2999-12-31}\n' >"$work/waivers.yaml"
printf '%s' "$(cat "$work/one.json")" | sed 's/"outputs":{"out"/"expect":[{"profiles":["up-full"],"status":"ok","outputs":{"out":[9,9]}}],&/' >"$work/bad.json"
expect 4 'no result passed, 0 skipped, 1 waived$' run --profile up-full --waivers "$work/waivers.yaml" "$work/bad.json"
expect 1 '0 passed, 1 failed' run --profile up-full "$work/bad.json"

# a recording that stands alone is no fault of the port, and every document says so
expect 1 'bad.json:1: case a .up-full.: the recorded result is not what the exact model gives: out.0.: recorded 9 (0x09), exact model 0 (0x00); 2 of 2 differ' \
    "$lastbit" vectors check "$work/bad.json"
expect 1 'bad.json: 1 case, 1 recorded result differs from the exact model$' "$lastbit" vectors check "$work/bad.json"
expect 1 'the recording is wrong: .*"lastbit vectors check" and "lastbit explain" show both values' \
    run --profile up-full --report "$work/recording" "$work/bad.json"
grep -qE 'fault of the catalogue|^1\. ' "$work/out" && wrong "a wrong recording is diagnosed as a fault of the port"
expect 1 '' grep -e '"fault":' -e '"faults":.' "$work/recording/results.json"
for document in report.html junit.xml summary.md results.json; do
    grep -q 'the recording is wrong' "$work/recording/$document" || wrong "$document does not say that the recording is wrong"
done
for document in report.html summary.md; do
    sed 's/\\//g' "$work/recording/$document" | grep -q '1 failing result belongs to no cause (the recording is wrong: 1)' ||
        wrong "$document does not count a wrong recording"
done
expect 1 '^1 results, 1 failing: 0 causes' "$lastbit" diagnose --profile up-full builtin "$work/bad.json"
sed '/id: mov_async.life_cycle/,$d; s/out: .1, 2, 3./out: [1, 2, 4]/' "$vectors/movement_sequences.yaml" >"$work/sequence.yaml"
expect 1 'sequence.yaml:6: case mov_async.at_load_time .*recorded .*4.*, exact model .*3' "$lastbit" vectors check "$work/sequence.yaml"
expect 1 '4 results, 4 failing: 0 causes' "$lastbit" diagnose builtin "$work/sequence.yaml"

# a port of one profile is tried in it, if nobody says otherwise
expect 0 '^1 passed, 0 failed, 0 skipped$' run --port "$small" "$work/one.json"
expect 0 '^1 passed, 0 failed, 3 skipped$' run --port "$small" --profile all "$work/one.json"

# what is asked for
expect 1 '^lastbit: --fail-on-skip: 3 results were skipped$' run --fail-on-skip --port "$small" --profile all "$work/one.json"
expect 0 '^4 passed' run --fail-on-skip "$work/one.json"
expect 1 '^lastbit: --min-passed 5: only 4 passed$' run --min-passed 5 "$work/one.json"
expect 0 '^4 passed' run --min-passed 4 "$work/one.json"
expect 2 'expected a number' run --min-passed few "$work/one.json"
expect 0 '^4 passed' run --require-functions mli_krn_relu_fx8 "$work/one.json"
expect 1 'require-functions: mli_krn_relu_fx16 has no result that passed$' run --require-functions mli_krn_relu_fx8,mli_krn_relu_fx16 "$work/one.json"
expect 1 'require-functions: mli_krn_lstm_cell_fx16 is not provided by the port$' run --require-functions all --port "$small" "$work/one.json"
expect 0 '' run --profile up-full --require-functions mli_mov_prepare,mli_mov_wait "$vectors/movement_sequences.yaml"
expect 2 'no such function: mli_krn_relu_fx9; did you mean mli_krn_relu_fx8' run --require-functions mli_krn_relu_fx9 "$work/one.json"
expect 2 'mli_hlp_compile_options_string: no case can try this function' run --require-functions mli_hlp_compile_options_string "$work/one.json"
expect 2 'expected names of functions with commas, or all' run --require-functions '' "$work/one.json"

# beside every verdict: functions provided and profiles tried; a part says that it is one, in fields and in every document
part='Part of the suites: shard 1 of 2; only cases that match a\* or b; only cases up to the level standard; 1 of 4 profiles'
all=$("$lastbit" port functions | grep -c '^mli_') mli=$("$lastbit" port functions | grep '^mli_' | grep -vc '^mli_ext_')
provided="Functions provided: $mli of $mli, and $((all - mli)) of lastbit.*s $((all - mli)) extensions. Profiles tried: 1 of 4"
judged='Judged otherwise than by default: other bits pass where they are within tolerance; accumulators that are too narrow are not looked for; buffers begin one'
expect 0 "^$part.\$" run --shard 1/2 --case 'a*' --case b --level standard --profile up-full --judge tolerance --guard off \
    --misalign --time-limit 7 --report "$work/part" "$work/two.json"
for line in "$part" "$provided" "$judged"; do
    for document in report.html junit.xml summary.md; do
        sed 's/\\//g' "$work/part/$document" | grep -q -e "$line" ||
            wrong "$document of a part does not say: $line"
    done
done
for field in '"coverage_level":"standard"' '"judge":"tolerance"' '"guard":"off"' '"buffers":"misaligned"' '"time_limit_seconds":7' \
    "\"functions_provided\":$mli" "\"functions_all\":$mli" "\"extensions_all\":$((all - mli))" '"profiles_tried":1' '"profiles_all":4' '"cases":\["a\*","b"\]'; do
    expect 0 '' grep -q "$field" "$work/part/results.json"
done
for document in report.html summary.md; do
    grep -q 'Passed what was run' "$work/part/$document" || wrong "$document of a part reads Passed"
done
expect 0 '' run --port "$small" --report "$work/small" "$work/one.json"
expect 0 "$((mli - 20)) of $mli functions provided" cat "$work/small/summary.md"
expect 0 'Passed what was run' cat "$work/small/summary.md"
# Extensions, which MLI does not have, are counted and skipped apart.
expect 4 "^skipped: [0-9]* results: of lastbit's extensions (mli_ext_\*), which the port does not have\$" run --port "$small" \
    --function 'mli_ext_*' "$(dirname "$0")/../../vectors"
expect 0 '' run --report "$work/whole" "$work/two.json"
expect 1 '' grep -e 'Part of the suites' -e 'Passed what was run' "$work/whole/summary.md" "$work/whole/report.html"
expect 0 'lastbit: Passed$' cat "$work/whole/summary.md"
# a journal says the same
expect 0 'only cases that match a\\\?\*' "$lastbit" report markdown "$work/part/journal.jsonl" -o -

# coverage: what counts does not depend on what was reached, so that shards merge to what the whole run says
whole="$vectors/lstm.yaml $vectors/coverage_lstm.jsonl $vectors/coverage_avepool.jsonl $vectors/leaky_relu.yaml"
expect 0 '' run --show 0 --report "$work/all" $whole
for count in 1 2 3 7; do
    shards=
    for index in $(seq "$count"); do
        run --show 0 --shard "$index/$count" --report "$work/s$count.$index" $whole >"$work/out" 2>&1
        [ $? -le 1 ] || wrong "shard $index/$count"
        shards="$shards $work/s$count.$index/results.json"
    done
    expect 0 '' "$lastbit" report merge -o "$work/merged.json" $shards
    python3 - "$work/all/results.json" "$work/merged.json" <<'PYTHON' || wrong "$count shards, merged, are not the whole run"
import json, sys
a, b = (json.load(open(path)) for path in sys.argv[1:])
for document in a, b:
    for key in "started", "seconds", "command":
        document["run"].pop(key)
    for result in document["results"]:
        result.pop("microseconds", None)
for key in a:
    if a[key] != b.get(key):
        sys.exit(f"{key} differs")
PYTHON
done

# points are counted per profile: what one profile reaches is still missed in another
expect 0 'functions: [0-9]* of [0-9]* points' "$lastbit" vectors coverage --function mli_krn_leaky_relu_fx8 --profile up-full "$vectors/leaky_relu.yaml"
one_profile=$(sed -n 's/.*functions: [0-9]* of \([0-9]*\) points.*/\1/p' "$work/out")
expect 0 'missed value.requantize.tie_down.positive .* in convergent-reduced$' "$lastbit" vectors coverage --function mli_krn_leaky_relu_fx8 \
    --profile up-full,convergent-reduced "$vectors/leaky_relu.yaml"
expect 0 "functions: [0-9]* of $((one_profile * 2)) points" "$lastbit" vectors coverage --function mli_krn_leaky_relu_fx8 --profile up-full,up-reduced \
    "$vectors/leaky_relu.yaml"
expect 0 '' run --profile up-full --report "$work/spots" "$work/one.json"
expect 0 '"missed":."[a-z0-9_.]* .up-full.",' cat "$work/spots/results.json"

# cases that overflow on purpose stay out of the figures of headroom and deviation, and a document says so
expect 0 '^12 passed' run --profile up-full,up-reduced --case 'guard.fc_16x8.*' --report "$work/meant" "$vectors/guard_limits.yaml"
grep -q 'too narrow' "$work/out" && wrong "the terminal counts what overflows on purpose"
sed 's/,overflow_on_purpose//' "$work/meant/results.json" >"$work/untagged.json"
expect 0 '' "$lastbit" report markdown "$work/untagged.json" -o "$work/untagged.md"
expect 0 '' "$lastbit" report html "$work/untagged.json" -o "$work/untagged.html"
expect 0 'headroom.*-1 bits' cat "$work/untagged.md"
expect 1 '' grep -e 'headroom.*-1 bit' "$work/meant/summary.md"
expect 0 '8 results of cases that overflow on purpose are left out of headroom and deviation' cat "$work/meant/summary.md"
expect 0 '8 results of cases that overflow on purpose are left out of headroom and deviation' cat "$work/meant/report.html"
expect 0 '>-1 bit' cat "$work/untagged.html"
expect 1 '' grep -e '>-1 bit' "$work/meant/report.html"

# a package: every case that the run chose has a result in every profile, and no other has
repack() { # SED-SCRIPT: changes results.json of a package and makes all else fit
    rm -rf "$work/un" && mkdir "$work/un" && tar -xzf "$work/p.tar.gz" -C "$work/un"
    (cd "$work/un/lastbit-package" && sed -i "$1" results.json &&
        "$lastbit" report html results.json -o report.html && "$lastbit" report markdown results.json -o summary.md &&
        rm MANIFEST.sha256 && find . -type f | sed 's|^[.]/||' | sort | xargs sha256sum >../sums && mv ../sums MANIFEST.sha256)
    tar -czf "$work/changed.tar.gz" -C "$work/un" lastbit-package
}
expect 0 '' "$lastbit" report package -o "$work/p.tar.gz" "$work/whole/results.json"
expect 0 '^verified' "$lastbit" report verify "$work/p.tar.gz"
# by whom: in the statement inside, and held to the environment
expect 0 '' "$lastbit" report package -o "$work/meta.tar.gz" --meta 'Tested by=A. "Mole" <a@b>' --meta 'For=B & C' "$work/whole/results.json"
tar -xzf "$work/meta.tar.gz" -C "$work"
expect 0 'A. &quot;Mole&quot; &lt;a@b&gt;' cat "$work/lastbit-package/statement.html"
expect 0 '"stated":\["Tested by=A. ."Mole." <a@b>","For=B & C"\],$' cat "$work/lastbit-package/environment.json"
expect 0 '^verified' "$lastbit" report verify "$work/meta.tar.gz"
expect 2 '\-\-meta nobody: expected LABEL=TEXT' "$lastbit" report package -o "$work/none.tar.gz" --meta nobody "$work/whole/results.json"
[ ! -e "$work/none.tar.gz" ] || expect 0 'no package' false
repack_meta() { # SED-SCRIPT: changes environment.json, and packs anew
    sed -i "$1" "$work/lastbit-package/environment.json"
    (cd "$work/lastbit-package" && rm MANIFEST.sha256 && find . -type f | sed 's|^[.]/||' | sort | xargs sha256sum >../sums && mv ../sums MANIFEST.sha256)
    tar -czf "$work/changed.tar.gz" -C "$work" lastbit-package
}
repack_meta 's/A. ..Mole../X/'
expect 1 'statement.html: is not what the results make' "$lastbit" report verify "$work/changed.tar.gz"
repack_meta 's/"For=B & C"/"nobody"/'
expect 1 'environment.json: stated: expected LABEL=TEXT' "$lastbit" report verify "$work/changed.tar.gz"
repack_meta 's/"nobody"/7/'
expect 1 'environment.json: stated: expected LABEL=TEXT' "$lastbit" report verify "$work/changed.tar.gz"
repack '/"id":"b"/d; s/"pass":8/"pass":4/; s/^\({"order":3,.*\),$/\1/'
expect 1 'a result is missing: case "b" of suite "t" in profile up-reduced' "$lastbit" report verify "$work/changed.tar.gz"
expect 0 '' run --case a --report "$work/chosen" "$work/two.json"
expect 0 '' "$lastbit" report package -o "$work/p.tar.gz" "$work/chosen/results.json"
expect 0 '^verified' "$lastbit" report verify "$work/p.tar.gz"
repack 's/"cases":\["a"\],//'
expect 1 'a result is missing: case "b" of suite "t"' "$lastbit" report verify "$work/changed.tar.gz"
repack 's/"cases":\["a"\]/"cases":["b"]/'
expect 1 'a result is there that the run did not choose: case "a" of suite "t"' "$lastbit" report verify "$work/changed.tar.gz"
expect 0 '' run --shard 2/2 --profile up-full --report "$work/half" "$work/two.json"
expect 0 '' "$lastbit" report package -o "$work/p.tar.gz" "$work/half/results.json"
expect 0 '^verified' "$lastbit" report verify "$work/p.tar.gz"

# shards of machines that have the same suites and the same policy in different folders; another policy
for place in here there; do
    mkdir "$work/$place"
    cp "$work/two.json" "$work/$place"
    printf 'format: lastbit/tolerance-1\nlimits:\n  - {function: "*", max_steps: 2}\n' >"$work/$place/tolerance.yaml"
done
expect 0 '' run --shard 1/2 --report "$work/h1" "$work/here/two.json"
# (what the parts tell of their command lines is the first one's, without its shard, however that is spelled)
expect 0 '' run -q --shard=1/2 --report "$work/h1" "$work/here/two.json"
expect 0 '"whole_command":"lastbit run -q --report ' cat "$work/h1/results.json"
expect 0 '' run -qs1/2 --report "$work/h1" "$work/here/two.json"
expect 0 '"whole_command":"lastbit run -q --report ' cat "$work/h1/results.json"
expect 0 '' run -s1/2 --report "$work/h1" "$work/here/two.json"
expect 0 '"whole_command":"lastbit run --report ' cat "$work/h1/results.json"
expect 0 '' run -qs 1/2 --report "$work/h1" "$work/here/two.json"
expect 0 '"whole_command":"lastbit run -q --report ' cat "$work/h1/results.json"
expect 0 '' run --shard 2/2 --report "$work/h2" "$work/there/two.json"
expect 0 '^8 passed' "$lastbit" report merge -o "$work/merged.json" "$work/h1/results.json" "$work/h2/results.json"
expect 0 '"command":"lastbit run -q --report ' cat "$work/merged.json"
expect 1 '' grep -o whole_command "$work/merged.json"
sed -i 's/max_steps: 2/max_steps: 3/' "$work/there/tolerance.yaml"
expect 0 '' run --shard 2/2 --report "$work/h2" "$work/there/two.json"
expect 2 'the tolerance is .*: not shards of one run' "$lastbit" report merge -o "$work/merged.json" "$work/h1/results.json" "$work/h2/results.json"

# the time limit is that of a call: a chain of calls that each keep it may take longer
cat >"$work/slow.py" <<'PYTHON'
import os, subprocess, sys, threading, time
agent = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
def back():
    while data := os.read(agent.stdout.fileno(), 65536):
        os.write(1, data)
threading.Thread(target=back, daemon=True).start()
while data := os.read(0, 65536):
    time.sleep(0.03)
    os.write(agent.stdin.fileno(), data)
PYTHON
sed 's/"inputs"/"chain":{"steps":60,"feed":[{"from":"out","to":"in"}]},&/' "$work/one.json" >"$work/chain.json"
expect 0 '^1 passed, 0 failed' run --time-limit 1 --port "exec:python3 $work/slow.py ${small#exec:}" "$work/chain.json"

# calls for which the API promises nothing are not judged
zeros='[0,0,0,0]'
suite moved.json '{"id":"twice","function":"mli_mov_tensor_sync","config":{"perm_dim":[0,0,2,3],"sub_sample_step":[1,1,1,1],"offset":'$zeros',"size":'$zeros',"dst_offset":'$zeros',"dst_mem_stride":'$zeros',"padding_pre":'$zeros',"padding_post":'$zeros'},"inputs":{"in":{"type":"fx8","shape":[2,2],"frac_bits":0,"data":[1,2,3,4]}},"outputs":{"out":{"type":"fx8","shape":[2,2],"frac_bits":0}}}'
expect 4 '^skipped: 4 results: undefined: the API promises nothing for a call that breaks cfg.defined of mli_mov_tensor_sync; the port was not called$' run "$work/moved.json"
python3 - "$vectors/coverage_lstm.jsonl" >"$work/far.jsonl" <<'PYTHON'
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
case = next(c for c in lines[1:] if "sa8" in c["function"] and isinstance(c["outputs"]["out"].get("zero_point"), int)
            and "status" not in c["id"] and -128 <= c["outputs"]["out"]["zero_point"] <= 127 and not c.get("expect"))
case["outputs"]["out"]["zero_point"] = 300
print(json.dumps(lines[0]))
print(json.dumps(case))
PYTHON
expect 4 'undefined: .* breaks out.quant of mli_krn_lstm_cell_sa8_sa8_sa32' run "$work/far.jsonl"
exit $failed
