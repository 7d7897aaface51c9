#!/bin/sh
# What a run tells, and which cases it chooses: --function, --tag, --exclude, --max-fail, a suite on standard input,
# the story at the end. Usage: test_triage.sh LASTBIT BROKEN_PORTS
set -u
lastbit=$1 ports=$2
. "$(dirname "$0")/expect.sh"

# case FUNCTION TYPE ID VALUE TAGS: a recorded result of VALUE; 5 is right.
one() {
    printf '{"id":"%s","function":"%s","config":{"type":"gen"},"tags":[%s],"inputs":{"in":{"type":"%s","shape":[2],"frac_bits":0,"data":[-1,5]}},"outputs":{"out":{"type":"%s","shape":[2],"frac_bits":0}},"expect":[{"profiles":["up-full"],"status":"ok","outputs":{"out":[0,%s]}}]}' "$3" "$1" "$5" "$2" "$2" "$4"
}
narrow=mli_krn_relu_fx8 wide=mli_krn_relu_fx16
cases="$(one $narrow fx8 a 5 '"smoke"'),$(one $narrow fx8 b 6 '"edge"'),$(one $wide fx16 c 5 '"edge","smoke"'),$(one $wide fx16 d 7 '')"
printf '{"format":"lastbit/cases-1","suite":"t","cases":[%s]}' "$cases" >"$work/t.json"

run() { "$lastbit" run -n up-full --diagnose off "$@"; }

# Which cases are chosen, and that every document says so.
expect 1 '^1 passed, 1 failed, 0 skipped$' run --function '*_fx16' "$work/t.json"
expect 1 'only functions that match \*_fx16' run --function '*_fx16' "$work/t.json"
expect 1 '^1 passed, 1 failed, 0 skipped$' run --tag edge "$work/t.json"
expect 0 '^1 passed, 0 failed, 0 skipped$' run --tag edge --function '*fx16' "$work/t.json"
expect 0 '^2 passed, 0 failed, 0 skipped$' run --exclude b --exclude d "$work/t.json"
expect 1 '^0 passed, 1 failed, 0 skipped$' run --exclude smoke --exclude "$wide" --case '[ab]' --case d --tag '*' "$work/t.json"
expect 2 'tag nothing: no case is left to be tried' run --tag nothing "$work/t.json"
expect 1 'failed' run --function '*_fx16' --exclude c --report "$work/r1" "$work/t.json"
for key in '"functions":\["\*_fx16"\]' '"excluded":\["c"\]'; do
    grep -q "$key" "$work/r1/results.json" || wrong "results.json does not hold $key"
done
expect 0 'only functions that match .*_fx16; without what matches c; ' cat "$work/r1/summary.md"
expect 2 'made by another run' run --resume --function '*_fx16' --report "$work/r1" "$work/t.json"
expect 1 '^0 passed, 1 failed' run --resume --function '*_fx16' --exclude c --report "$work/r1" "$work/t.json"
expect 0 'only functions that match .*_fx16; without' "$lastbit" report markdown "$work/r1/journal.jsonl" -o -
for i in 1 2; do run --function '*fx8' --shard $i/2 --report "$work/s$i" "$work/t.json" >/dev/null; done
run --function '*fx16' --shard 2/2 --report "$work/s3" "$work/t.json" >/dev/null
expect 0 . "$lastbit" report merge -o "$work/merged.json" "$work/s1/results.json" "$work/s2/results.json"
expect 2 'patterns of functions are others' "$lastbit" report merge -o "$work/merged.json" "$work/s1/results.json" "$work/s3/results.json"

# A run that stops early says so, is a part, and goes on where it is asked to.
expect 1 'the run stopped after 1 failing result' run --jobs 1 --max-fail 1 --report "$work/r2" "$work/t.json"
expect 1 '^1 passed, 1 failed, 0 skipped$' run --jobs 1 --max-fail 1 --report "$work/r2" "$work/t.json"
grep -q '"stopped_at":1' "$work/r2/results.json" || wrong "results.json does not say that the run stopped"
expect 1 '^2 passed, 2 failed, 0 skipped$' run --jobs 1 --resume --report "$work/r2" "$work/t.json"
grep -q '"stopped_at"' "$work/r2/results.json" && wrong "a run that went on to its end says that it stopped"
expect 1 '^2 passed, 2 failed, 0 skipped$' run --jobs 1 --max-fail 2 "$work/t.json"
expect 1 '^2 passed, 2 failed, 0 skipped$' run --jobs 0 --max-fail 3 "$work/t.json"
expect 2 'max-fail 0: expected' run --max-fail 0 "$work/t.json"

# A suite on standard input: three formats, more than one worker, and lines that can be pasted.
expect 1 'reproduce: lastbit run - --case b --profile up-full$' run - <"$work/t.json"
{
    echo '{"format":"lastbit/cases-1","suite":"t"}'
    one $narrow fx8 a 5 '' && echo
    one $wide fx16 c 5 '' && echo
} >"$work/t.jsonl"
expect 0 '^2 passed, 0 failed, 0 skipped$' run --jobs 2 - <"$work/t.jsonl"
printf 'format: lastbit/cases-1\nsuite: t\ncases:\n  - %s\n' "$(one $narrow fx8 a 5 '')" >"$work/t.yaml"
expect 0 '^1 passed, 0 failed, 0 skipped$' run - <"$work/t.yaml"
expect 2 '^-: the file is empty' run - </dev/null
expect 0 '"file":"-"' sh -c '"$1" run -n up-full --case a --report "$2/r3" - <"$2/t.json" >/dev/null && cat "$2/r3/results.json"' - "$lastbit" "$work"
expect 1 '^1 passed, 1 failed' sh -c 'cat "$2/t.json" | "$1" run -n up-full --diagnose off --function "*fx8" -' - "$lastbit" "$work"

# The story at the end, in this order: failing cases, what fails by function, scope, numbers.
run "$work/t.json" >"$work/out" 2>&1
order=$(grep -n -e '^FAIL b ' -e '^FAIL d ' -e '^  what failed, by function' -e "^  $narrow  *1 " -e '^Functions provided' -e '^2 passed' "$work/out" | sed 's/^[0-9]*:\(....\).*/\1/' | tr '\n' '|')
[ "$order" = 'FAIL|FAIL|  wh|  ml|Func|2 pa|' ] || wrong "the story is told in another order: $order"
expect 1 '^2 passed, 2 failed, 0 skipped$' "$lastbit" diagnose -n up-full builtin "$work/t.json"
expect 1 "^  $wide  *1 " "$lastbit" diagnose -n up-full builtin "$work/t.json"

# A case is one block, whatever its profiles saw, and in whatever order.
value() { printf '{"profiles":["%s"],"status":"ok","outputs":{"out":[0,%s]}}' "$1" "$2"; }
printf '{"format":"lastbit/cases-1","suite":"t","cases":[%s]}' "$(one $narrow fx8 e 5 '' | sed 's/"expect".*//')\"expect\":[$(
    value up-full 6),$(value up-reduced 7),$(value convergent-full 6),$(value convergent-reduced 7)]}" >"$work/profiles.json"
expect 1 '^FAIL e \[up-full, convergent-full\]' "$lastbit" run --diagnose off "$work/profiles.json"
[ "$(grep -c '^FAIL ' "$work/out")" = 1 ] || complain "one case takes several blocks"
grep -q '^  in \[up-reduced, convergent-reduced\]: out\[1\]: recorded result says 7 .*, the port gave 5 ' "$work/out" ||
    complain "what the other profiles saw is not told"
grep -q 'reproduce: .* --profile up-full,convergent-full,up-reduced,convergent-reduced$' "$work/out" ||
    complain "the line does not try all that failed"

# report diff says a case once as well.
mkdir "$work/good"
sed 's/\[0,[67]\]/[0,5]/g' "$work/profiles.json" >"$work/good/profiles.json"
(cd "$work/good" && "$lastbit" run --report a profiles.json) >/dev/null 2>&1
(cd "$work" && "$lastbit" run --diagnose off --report good/b profiles.json) >/dev/null 2>&1
expect 1 '^  e \[up-full, up-reduced, convergent-full, convergent-reduced\]: pass -> fail' "$lastbit" report diff "$work/good/a" "$work/good/b"
[ "$(grep -c '^  e ' "$work/out")" = 1 ] || complain "report diff says a case several times"
grep -q -- ' --profile up-full,up-reduced,convergent-full,convergent-reduced$' "$work/out" || complain "its line does not try all that failed"
expect 1 '"newly_failing":4,' "$lastbit" report diff --json "$work/good/a" "$work/good/b"

# The simplest failure of each function has every step behind the element that differs, in every document.
"$lastbit" run -n up-full --report "$work/r5" "$work/t.json" >/dev/null 2>&1
[ "$(grep -o '"explanation":' "$work/r5/results.json" | wc -l)" -ge 2 ] || wrong "results.json does not explain both functions"
grep -q '"map_operands":"in\[1\]"' "$work/r5/results.json" || wrong "results.json does not tell the operands of a wrong element"
grep -q '<table class="explain">' "$work/r5/report.html" || wrong "the page has no table of steps"
grep -q '^  #1  *max ' "$work/r5/junit.xml" || wrong "JUnit does not hold the steps"

run "$work/t.json" | grep -q "$(printf '\033')" && wrong "colours into a pipe"
run --color always "$work/t.json" | grep -q "$(printf '\033\\[1;31m')" || wrong "--color always gives no colours"
run "$work/t.json" | grep -q "$(printf '\037')" && wrong "the mark of whole lines is printed"

# A sweep tells causes where it is asked to, on the terminal and in its results; its failures have no suite to be found in.
sweep() { "$lastbit" sweep --show 0 --port "$ports/other_rounding.so" --profile up-full --shard 1/40 "$@" mli_krn_sigm_sa8; }
expect 1 '^1[.] .*rounds halves in the other mode' sweep --diagnose 5 --report "$work/sweep"
failing=$(sed -n 's/^[0-9]* passed, \([0-9]*\) failed.*/\1/p' "$work/out")
grep -q "^   explains $failing of $failing failing results; nothing contradicts it$" "$work/out" || complain "the cause does not explain the sweep"
grep -q "^   reproduce: lastbit sweep mli_krn_sigm_sa8 --port .* --case sigm_sa8[^ ]* --profile up-full$" "$work/out" || complain "no line to try the case again"
[ "$(grep -c '"fault":' "$work/sweep/results.json")" = "$failing" ] || wrong "results of the sweep do not name their cause"
expect 1 " $failing failed" sweep
grep -q '^1[.] ' "$work/out" && complain "a sweep looks for causes unasked"

[ $failed = 0 ] && echo "all as expected"
exit $failed
