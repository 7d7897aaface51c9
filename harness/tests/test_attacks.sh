#!/bin/sh
# Nobody cheats, and nothing partial reads as whole: runs that are stopped. Usage: test_attacks.sh LASTBIT BROKEN_PORTS
# VECTORS
set -u
lastbit=$1 ports=$2 vectors=$3
. "$(dirname "$0")/expect.sh"

run() { "$lastbit" run --diagnose off "$@"; }

# ---- A run that is stopped: whoever reads what is left of it must see that it is not whole. ----

# stop SIGNAL STATUS: the port hangs in its second case.
stop() {
    rm -rf "$work/r"
    mkdir "$work/r"
    for old in results.json report.html summary.md junit.xml; do echo old >"$work/r/$old"; done
    "$lastbit" run --diagnose off --jobs 1 --time-limit 60 --port "$ports/hangs.so" --report "$work/r" \
        "$vectors/l2_normalize.yaml" >"$work/out" 2>"$work/err" &
    runner=$!
    while ! sed 1d "$work/r/journal.jsonl" 2>/dev/null | grep -q order; do sleep 0.05; done
    kill -"$1" $runner
    wait $runner
    status=$?
    [ "$status" -eq "$2" ] || wrong "a run that is stopped by SIG$1 gives $status"
    sed -n '$p' "$work/out" | grep -q "^stopped: [0-9]* of $all results (signal $(($2 - 128)), " ||
        wrong "SIG$1: the last line is $(tail -n 1 "$work/out")"
    [ "$(ls "$work/r")" = journal.jsonl ] || wrong "SIG$1: documents of an older run are left: $(ls "$work/r")"
}
all=$("$lastbit" run --json - "$vectors/l2_normalize.yaml" 2>/dev/null | grep -c '"order"')
for pair in INT:130 TERM:143 HUP:129; do stop "${pair%:*}" "${pair#*:}"; done

for kind in html markdown statement junit tap github azure teamcity gitlab sarif csv; do
    "$lastbit" report $kind "$work/r/journal.jsonl" -o "$work/doc" 2>"$work/err" || wrong "report $kind of a journal fails"
    grep -q "INCOMPLETE: [0-9]* of $all results" "$work/err" || wrong "report $kind does not say so on standard error"
    [ $kind = csv ] || grep -q INCOMPLETE "$work/doc" || wrong "$kind of a stopped run does not say INCOMPLETE"
    grep -q '\(All\|all\) [0-9]* results are right' "$work/doc" && wrong "$kind of a stopped run says that all is right"
done
"$lastbit" report html "$work/r/journal.jsonl" -o "$work/doc" 2>/dev/null
grep -q '<h1 id="verdict">INCOMPLETE</h1>' "$work/doc" || wrong "the headline of the page is not INCOMPLETE"

# A journal of a lastbit that did not count yet is not whole either.
sed '1s/"expected":[0-9]*,//' "$work/r/journal.jsonl" >"$work/old.jsonl"
expect 0 'how many the run was to have is not told' "$lastbit" report markdown "$work/old.jsonl" -o -

# Cases that words or levels choose are counted, shards too; what is whole says nothing.
for choice in "--case *relu6*" "--level smoke" "--shard 2/3" "--function *fx8 --exclude *relu1*"; do
    # shellcheck disable=SC2086
    set -- $choice
    run -n up-full "$@" --report "$work/w" "$vectors/relu.yaml" >"$work/out" || wrong "$choice: does not pass"
    count=$(grep -c '"order"' "$work/w/results.json")
    grep -q "\"expected\":$count[,}]" "$work/w/results.json" || wrong "$choice: $count results, others are expected"
    grep -q 'stopped\|INCOMPLETE' "$work/out" "$work/w/summary.md" && wrong "$choice: a whole run says that it is not"
    expect 0 . "$lastbit" report statement "$work/w/journal.jsonl" -o -
    "$lastbit" report statement "$work/w/journal.jsonl" -o - 2>&1 | grep -q INCOMPLETE &&
        wrong "$choice: the journal of a whole run is said to be short"
done

# --max-fail stops as well.
run -n up-full --jobs 1 --max-fail 1 --time-limit 1 --port "$ports/hangs.so" --report "$work/m" "$vectors/l2_normalize.yaml" \
    >"$work/out" 2>&1
sed -n '$p' "$work/out" | grep -q '^stopped: [0-9]* of [0-9]* results (--max-fail 1)$' ||
    wrong "--max-fail: the last line is $(tail -n 1 "$work/out")"
grep -q 'Failed, and INCOMPLETE' "$work/m/report.html" || wrong "--max-fail: the page does not say INCOMPLETE"

[ $failed -eq 0 ] && echo "attacks: as expected"
exit $failed
