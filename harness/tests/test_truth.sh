#!/bin/sh
# On what the truth rests, as a user meets it: sections of the specification, recorded results and their witnesses.
# Usage: test_truth.sh LASTBIT SOURCE_DIR BUILD_DIR
set -u
lastbit=$1 vectors=$2/vectors broken=$3/harness/tests/broken_ports
. "$(dirname "$0")/expect.sh"

# rule
expect 0 '^### 4.2 Bias$' "$lastbit" rule numerics.4.2
expect 0 '^### 4.2 Bias$' "$lastbit" rule 'numerics.md 4.2'
expect 0 '^### 4.2 Bias$' "$lastbit" rule numerics.md 4.2
expect 0 '^- \*\*D4\*\*' "$lastbit" rule 'conv.md 11 D4'
expect 0 '^## 8. GRU$' "$lastbit" rule numerics.1 recurrent.8
expect 0 '^conv.4.3  *Accumulation' "$lastbit" rule --list
expect 0 '^api.7 ' "$lastbit" rule --list api
expect 2 'numeric.4: there is no such section; did you mean numerics?' "$lastbit" rule numeric.4
expect 2 '"lastbit rule --list numerics" has those there are' "$lastbit" rule numerics.44
expect 2 'no NAME given' "$lastbit" rule
expect 2 'there is no such section' "$lastbit" rule --list nothing
expect 2 'unknown option --lits; did you mean --list' "$lastbit" rule --lits
# What is printed is what stands on the page.
"$lastbit" rule numerics.4.2 | sed 1,2d >"$work/section"
sed -n '/^### 4.2 /,/^### 4.3 /p' "$2/reference/mli/spec/numerics.md" | sed '$d' | cmp -s - "$work/section" || wrong "rule numerics.4.2 is not what reference/mli/spec/numerics.md has"
# LiteRT's sections are numbered through its pages.
expect 0 '^### 2.3 scale32: ' "$lastbit" rule litert.2.3
expect 0 '^## 4. conv_2d$' "$lastbit" rule litert/weights.4
expect 0 '^litert/cmsis_nn.md$' "$lastbit" rule litert
expect 0 '^litert.22.10 ' "$lastbit" rule --list
expect 0 '^litert.22.10 ' "$lastbit" rule --list litert
expect 2 '"lastbit rule --list litert" has those there are' "$lastbit" rule litert''.77
# explain tells the names of sections.
expect 0 '(numerics.md 6: ReLU limits)' "$lastbit" explain "$vectors/relu.yaml" --case relu_sa8.relu6.limit_truncates
expect 0 '"section":"numerics.md 6","section_title":"ReLU limits"' "$lastbit" explain --json "$vectors/relu.yaml" --case relu_sa8.relu6.limit_truncates

# A mention of several sections prints them all.
expect 0 '^### 4.4 Guard bits$' "$lastbit" rule 'numerics.md 4.2, 4.4'

# crosscheck: all agree; a number in a recording, or a port, stands alone.
expect 0 '^220 recorded cases: exact model right in 880 of 880 results; port right in 880 of 880 (portable)' \
    "$lastbit" vectors crosscheck "$vectors/recorded/permute.jsonl"
expect 0 '^400 recorded cases: exact model right in 800 of 800 results' "$lastbit" vectors crosscheck "$vectors/recorded/avepool16.jsonl"
relu='{"id":"a","function":"mli_krn_relu_fx8","config":{"type":"gen"},"inputs":{"in":{"type":"fx8","shape":[2],"frac_bits":0,"data":[-1,5]}},"outputs":{"out":{"type":"fx8","shape":[2],"frac_bits":0}}'
printf '{"format":"lastbit/cases-1","suite":"t","cases":[%s,"expect":[{"profiles":["up-full"],"status":"ok","outputs":{"out":[-1,5]}}]}]}' "$relu" >"$work/wrong.json"
printf '{"format":"lastbit/cases-1","suite":"t","cases":[%s}]}' "$relu" >"$work/none.json"
expect 1 'wrong.json:1: a \[up-full\] at portable: the recorded result stands alone' "$lastbit" vectors crosscheck "$work/wrong.json"
expect 1 '^1 recorded case: exact model right in 0 of 1 results; port right in 0 of 1' "$lastbit" vectors crosscheck "$work/wrong.json"
expect 2 'no case of these suites has a recorded result' "$lastbit" vectors crosscheck "$work/none.json"
expect 2 'no PATH given' "$lastbit" vectors crosscheck
expect 2 'no such file' "$lastbit" vectors crosscheck "$work/absent.json"
expect 2 'no level of port builtin' "$lastbit" vectors crosscheck --cpu z80 "$work/wrong.json"
expect 1 'conv2d.jsonl:.*: the port stands alone' "$lastbit" vectors crosscheck --port "$broken/dilation_ignored.so" "$vectors/recorded/conv2d.jsonl"
# Few: each that crashes costs a process.
{ head -n 1 "$vectors/recorded/depthwise_conv2d.jsonl"; grep -m 12 'sa8_sa8_sa32"' "$vectors/recorded/depthwise_conv2d.jsonl"; } >"$work/few.jsonl"
expect 1 '^not tried: [1-9]' "$lastbit" vectors crosscheck --port "$broken/crash_on_odd_channels.so" "$work/few.jsonl"

# A failure names its rule; results.json and the page have it too, and the page the rule's text.
expect 1 "the rule: elementwise.md 3: relu (lastbit rule 'elementwise.md 3')" "$lastbit" run --report "$work/report" "$work/wrong.json"
expect 0 '"section":"elementwise.md 3"' cat "$work/report/results.json"
expect 0 '<a href="#rule-elementwise-md-3">elementwise.md 3: relu</a>' cat "$work/report/report.html"
expect 0 '<details class="rule" id="rule-elementwise-md-3"><summary>elementwise.md 3: relu</summary>' cat "$work/report/report.html"
expect 0 'with the limits from the quantization of \*\*in\*\*' cat "$work/report/report.html"
# What a port refuses or does not refuse: the section that has the checks.
expect 1 "the rule: conv.md 11: Status (lastbit rule 'conv.md 11')" "$lastbit" run --port "$broken/dilation_ignored.so" "$vectors/recorded/conv2d.jsonl"

# A case that needs a library as it was loaded finds one, at every level.
expect 0 '^401 recorded cases: exact model right in 1,604 of 1,604 results' "$lastbit" vectors crosscheck "$vectors/recorded/data_movement.jsonl"

# avepool_multiplier_bits: another platform, other numbers.
wide="$vectors/profiles/avepool16-up.yaml"
expect 0 '^400 passed, 0 failed, 0 skipped$' "$lastbit" run --profile "$wide" "$vectors/recorded/avepool16.jsonl"
sed 's/"avepool_multiplier_bits":16,//g' "$vectors/recorded/avepool16.jsonl" >"$work/eight.jsonl"
expect 1 '^[1-9][0-9]* passed, [1-9][0-9]* failed, 0 skipped$' "$lastbit" run --profile up-full "$work/eight.jsonl"

# record: what a port gives, marked with where it comes from; nothing is lost, and nothing that is there is overwritten.
sed 's/,"expect":.*/}/' "$vectors/recorded/permute.jsonl" >"$work/bare.jsonl"
expect 0 '^.*bare_r.jsonl: 880 results recorded, 0 were recorded before and stay, 0 not recorded$' \
    "$lastbit" vectors record -o "$work/bare_r.jsonl" "$work/bare.jsonl"
expect 0 '"from":{"port":"builtin","described":"lastbit.s own implementation.*","sha256":"[0-9a-f]*"}' cat "$work/bare_r.jsonl"
# What is the same in all profiles is recorded once, a configuration that the function fills too.
"$lastbit" vectors record --replace -o "$work/filled.jsonl" "$vectors/movement_config.yaml" >/dev/null
expect 0 '' grep -q '"expect":\[{"profiles":\["up-full","up-reduced","convergent-full","convergent-reduced"\],.*"config":{"offset":.*}}\]}$' \
    "$work/filled.jsonl"

# The recordings of the port hold where those of the real system do, and the other way round.
expect 0 '^220 recorded cases: exact model right in 880 of 880 results; port right in 880 of 880' "$lastbit" vectors crosscheck "$work/bare_r.jsonl"
expect 2 'bare_r.jsonl exists; choose another name, or --replace it' "$lastbit" vectors record -o "$work/bare_r.jsonl" "$work/bare.jsonl"
printf '{"format":"lastbit/cases-1","suite":"t","cases":[%s,"expect":[{"profiles":["up-full"],"status":"ok","outputs":{"out":[0,6]}}]}]}' "$relu" >"$work/wrong.json"
expect 0 ' 3 results recorded, 1 were recorded before and stay, 0 not recorded$' "$lastbit" vectors record -o "$work/kept.jsonl" "$work/wrong.json"
expect 1 'kept.jsonl:2: a \[up-full\] at portable: the recorded result stands alone' "$lastbit" vectors crosscheck "$work/kept.jsonl"
expect 0 ' 4 results recorded, 0 were recorded before and stay, 0 not recorded$' "$lastbit" vectors record --replace -o "$work/kept.jsonl" "$work/wrong.json"
expect 0 '^1 recorded case: exact model right in 4 of 4 results' "$lastbit" vectors crosscheck "$work/kept.jsonl"
# What has been recorded is defined, whatever the call: nothing of it is left out for being undefined.
for family in convert helpers pooling relu; do
    expect 0 ' 0 were recorded before and stay, 0 not recorded$' \
        "$lastbit" vectors record --replace --profile up-full -o "$work/all_$family.jsonl" "$vectors/recorded/$family.jsonl"
done
# A port that is wrong is recorded as it is, and found out by the two others.
expect 0 ' 0 not recorded$' "$lastbit" vectors record --replace --profile up-full --port "$broken/dilation_ignored.so" -o "$work/dilated.jsonl" "$vectors/recorded/conv2d.jsonl"
expect 1 'the recorded result stands alone' "$lastbit" vectors crosscheck "$work/dilated.jsonl"
expect 0 '"port":".*dilation_ignored.so","described":"broken: [^"]*","sha256":"'"$(sha256sum <"$broken/dilation_ignored.so" | cut -c1-64)" \
    cat "$work/dilated.jsonl"
# Undefined calls get nothing: an accumulator that overflows.
expect 1 'worst_512.over_32 \[up-full\]: not recorded: an accumulator overflows' "$lastbit" vectors record -o "$work/guard.jsonl" "$vectors/guard_limits.yaml"
expect 1 'left out: sequences of movement calls are not written' "$lastbit" vectors record -o "$work/moves.jsonl" "$vectors/movement_sequences.yaml"
expect 2 'its accumulators are not those of the host' "$lastbit" vectors record --profile "$vectors/profiles/dsp-fxapi-up.yaml" -o "$work/dsp.jsonl" "$work/wrong.json"
expect 2 'up-full and mine have the same numerics\|mine and up-full have the same numerics' sh -c "sed 's/^name: .*/name: mine/; /^avepool/d' '$wide' >'$work/mine.yaml'; '$lastbit' vectors record --profile '$work/mine.yaml,up-full' -o '$work/twice.jsonl' '$work/wrong.json'"
expect 2 'no SUITE given' "$lastbit" vectors record -o "$work/x.jsonl"
expect 2 'expected -o FILE' "$lastbit" vectors record "$work/wrong.json"
expect 3 'No such file or directory' "$lastbit" vectors record -o "$work/no/x.jsonl" "$work/wrong.json"

[ "$failed" = 0 ] && echo "all as expected"
exit "$failed"
