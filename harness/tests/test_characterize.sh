#!/bin/sh
# test_characterize.sh LASTBIT DEVIANT VECTORS EXPECTED rows|few|unlisted: every deviant is found out, in at most 300 calls and
# 30 seconds of processor time, as EXPECTED says; the profile that is written gives its bits on all suites of its
# families; and what cannot be found out is told. "rows": what EXPECTED says, and no more; "few": the rows that the
# checks below look at, and these checks; "unlisted": EXPECTED holds numerics that no feature says, NAME|CHOICES|FAMILIES|MUST:
# each ends as unknown, or, unless it must be unknown, as a profile that gives all its bits.
set -u
lastbit=$1 deviant=$2 sources=$3 expected=$4 part=$5
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
complain() {
    echo "test_characterize: $*" >&2
    failed=1
}

# The numerics of a profile file, on one line.
numerics_of() {
    sed -n '/^rounding:/,$p' "$1" | grep -v '^#' | tr -s ' \n' '  ' | sed 's/ *$//'
}

# That of its name, or the first one with cases of it.
suite_of() {
    if [ -f "$sources/vectors/$1.yaml" ]; then
        echo "$sources/vectors/$1.yaml"
    else
        grep -lE "^ *- id: $1_" "$sources"/vectors/*.yaml | head -n 1
    fi
}

patterns_of() {
    for family in "$@"; do printf ' --case %s_*' "$family"; done
}

while IFS='|' read -r name choices families must; do
    case $part:$name in
    *:'#'*) continue ;;
    unlisted:?*) ;;
    *) continue ;;
    esac
    # shellcheck disable=SC2086
    LB_DEVIANT="$choices" "$lastbit" characterize --seconds 12 --port "$deviant" -o "$work/$name.yaml" $families >"$work/$name.txt" 2>&1
    got=$?
    calls=$(sed -n 's/^\([0-9]*\) calls, .*/\1/p' "$work/$name.txt")
    [ "${calls:-999}" -le 300 ] || complain "$name: $calls calls"
    if [ $got = 1 ]; then
        grep -q ': unknown: ' "$work/$name.txt" || complain "$name: unknown, and no reason"
        continue
    fi
    [ $got = 0 ] || complain "$name: status $got: $(tail -3 "$work/$name.txt")"
    [ -z "$must" ] || complain "$name: named wrongly: $(grep '^characterized' "$work/$name.txt")"
    suites=
    for family in $families; do suites="$suites $(suite_of "$family")"; done
    # shellcheck disable=SC2086
    LB_DEVIANT="$choices" "$lastbit" run --port "$deviant" --profile "$work/$name.yaml" $(patterns_of $families) $suites >"$work/run.txt" 2>&1 ||
        complain "$name: named wrongly: $(tail -1 "$work/run.txt")"
done <"$expected"

while IFS='|' read -r name choices families status numerics; do
    case $part:$name in
    unlisted:*) continue ;;
    *: | *:'#'*) continue ;;
    rows:* | few:up_full | few:truncates | few:unheard_of | few:changes_its_mind) ;;
    *) continue ;;
    esac
    # What is found is asked here, on a machine of any speed; what --seconds does, below.
    # shellcheck disable=SC2086
    LB_DEVIANT="$choices" "$lastbit" characterize --seconds 120 --port "$deviant" -o "$work/$name.yaml" $families >"$work/$name.txt" 2>&1
    got=$?
    [ "$got" = "$status" ] || complain "$name: status $got, not $status: $(tail -3 "$work/$name.txt")"
    got=$(numerics_of "$work/$name.yaml")
    [ "$got" = "$numerics" ] || complain "$name: found
  $got
not
  $numerics"
    calls=$(sed -n 's/^\([0-9]*\) calls, .*/\1/p' "$work/$name.txt")
    [ "${calls:-999}" -le 300 ] || complain "$name: $calls calls"
    grep -q 'the time was up' "$work/$name.txt" && complain "$name: the time was up"
    [ "$status" = 0 ] || continue
    suites=
    for family in $families; do suites="$suites $(suite_of "$family")"; done
    # shellcheck disable=SC2086
    LB_DEVIANT="$choices" "$lastbit" run --port "$deviant" --profile "$work/$name.yaml" $(patterns_of $families) $suites >"$work/run.txt" 2>&1 ||
        complain "$name: lastbit run with its profile: $(tail -1 "$work/run.txt")"
done <"$expected"

if [ "$part" != few ]; then
    [ $failed = 0 ] && echo "test_characterize: all found"
    exit $failed
fi

grep -q 'other results for the same call' "$work/changes_its_mind.txt" || complain "changes_its_mind: not told so"
grep -q 'no combination of features' "$work/unheard_of.txt" || complain "unheard_of: not told so"

# A port that hangs, and one that is slow: --seconds holds for waiting, too.
bounded() {
    name=$1 most=$2
    shift 2
    begun=$(date +%s)
    "$lastbit" characterize "$@" >"$work/$name.txt" 2>&1
    [ $? = 1 ] || complain "$name: status"
    [ $(($(date +%s) - begun)) -le "$most" ] || complain "$name: took $(($(date +%s) - begun)) seconds"
}
LB_DEVIANT="SLEEPS_MS=100000" bounded hangs 12 --seconds 3 --port "$deviant" fully_connected
[ "$(grep -c ': unknown: the port did not return within 0\.[0-9]* s and was stopped' "$work/hangs.txt")" -ge 2 ] ||
    complain "hangs: not told so: $(cat "$work/hangs.txt")"
LB_DEVIANT="SLEEPS_MS=100" bounded slow 12 --seconds 3 --port "$deviant" fully_connected eltwise
grep -q ': unknown: no call or no time was left for it' "$work/slow.txt" || complain "slow: not told so: $(cat "$work/slow.txt")"
grep -q '^the time was up before all was found out: --seconds gives more' "$work/slow.txt" || complain "slow: no advice"

# Our own implementation has the four numerics of the host.
for profile in up-full up-reduced convergent-full convergent-reduced; do
    "$lastbit" characterize --profile $profile fully_connected >"$work/builtin.txt" 2>&1 || complain "builtin $profile: status"
    grep -qx "characterized as: $profile" "$work/builtin.txt" || complain "builtin asked for $profile: $(grep '^characterized' "$work/builtin.txt")"
done
[ "$(grep -c 'statuses: \([1-9][0-9]*\) of \1 checks that were tried are made;' "$work/builtin.txt")" = 4 ] || complain "builtin: checks of statuses"
grep -q 'statuses:' "$work/up_full.txt" && complain "a native port is asked for statuses"

# Guard judges by the width that the family has.
printf '%s\n' 'format: lastbit/profile-1' 'name: narrow' 'rounding: up' 'accumulator: full' \
    'width: {8x8: 32, 16x8: 32, 16x16: 64}' 'overflow: wrap' 'features:' \
    '  fully_connected sa8: {accumulator-bits: 20}' >"$work/narrow.yaml"
"$lastbit" guard --profile "$work/narrow.yaml" --case 'fully_connected_sa8_sa8_sa32.*' "$sources/vectors/fully_connected.yaml" >"$work/out.txt" 2>&1
grep -q '^ *-13 *33 *20 ' "$work/out.txt" || complain "guard: not the width of the family: $(cat "$work/out.txt")"

# A profile that was found says what the port does: how far that is from real numbers is told, and fails where it is
# asked for.
truncating_pool() {
    LB_DEVIANT="ROUND=ZERO" "$lastbit" run --port "$deviant" --profile "$work/truncates.yaml" --case 'avepool_*' "$@" \
        "$sources/vectors/pooling.yaml" >"$work/out.txt" 2>&1
}
truncating_pool || complain "truncating pool: $(tail -1 "$work/out.txt")"
grep -q '^1 of the results that pass lies farther from the real numbers' "$work/out.txt" || complain "the distance is not told"
truncating_pool --tolerance derived && complain "--tolerance derived fails nothing"
grep -q 'out of tolerance of the real model' "$work/out.txt" || complain "--tolerance derived: no reason"

# A run in the wrong numerics says how the right ones are found; one in those says in its documents what they are.
truncating() {
    LB_DEVIANT="ROUND=ZERO" "$lastbit" run --port "$deviant" --case 'fully_connected_*' --case 'avepool_*' "$@" \
        "$sources/vectors/fully_connected.yaml" "$sources/vectors/pooling.yaml" >"$work/out.txt" 2>&1
}
advice="lastbit characterize --port $deviant"
truncating --profile up-full && complain "a run in the wrong numerics passes"
grep -qF "$advice" "$work/out.txt" || complain "a run in the wrong numerics does not suggest to find the right ones"
truncating --profile "$work/truncates.yaml" --report "$work/report" || complain "with a report: $(tail -1 "$work/out.txt")"
grep -qF "$advice" "$work/out.txt" && complain "a run in the right numerics suggests to find others"
for file in results.json report.html; do
    grep -q 'truncates.yaml): characterized as rounding' "$work/report/$file" || complain "$file: not what the port is characterized as"
done

# In words.
LB_DEVIANT="ROUND=AWAY" "$lastbit" characterize --port "$deviant" --against up-full fully_connected >"$work/words.txt" 2>&1
grep -q 'fully_connected fx8 departs from up-full:' "$work/words.txt" || complain "against: $(tail -5 "$work/words.txt")"
grep -q 'rounding: away, not up' "$work/words.txt" || complain "against: the feature is not named"
grep -q 'in numbers: 1 of' "$work/words.txt" || complain "against: no numbers"

# What is wrong is refused with its place.
refused() {
    "$lastbit" run --profile "$work/wrong.yaml" "$sources/vectors/fully_connected.yaml" >"$work/out.txt" 2>&1
    [ $? = 2 ] && grep -q "$1" "$work/out.txt" || complain "wrong profile: expected \"$1\": $(cat "$work/out.txt")"
}
head='format: lastbit/profile-1
name: wrong
rounding: up
accumulator: full
width: {8x8: 32, 16x8: 32, 16x16: 64}
overflow: wrap
features:'
printf '%s\n  conv2d sa8: {roundng: away}\n' "$head" >"$work/wrong.yaml"
refused 'wrong.yaml:8:.*unknown feature'
printf '%s\n  conv2d sa8: {rounding: sideways}\n' "$head" >"$work/wrong.yaml"
refused 'wrong.yaml:8:.*sideways'
printf '%s\n  conv2d sa8: {accumulator-bits: 80}\n' "$head" >"$work/wrong.yaml"
refused 'wrong.yaml:8:'
printf '%s\n  conv2d sa9: {rounding: away}\n' "$head" >"$work/wrong.yaml"
refused 'wrong.yaml:8:.*operand types'
printf '%s\n  conv2d fx16: {requantize: full}\n' "$head" >"$work/wrong.yaml"
refused 'wrong.yaml:8:.*no such feature'
printf '%s\n  conv2d sa8: {lanes: 4}\n' "$head" >"$work/wrong.yaml"
refused 'wrong.yaml:8:.*do not go together'
"$lastbit" characterize no_such_family >"$work/out.txt" 2>&1
[ $? = 2 ] || complain "an unknown family is not refused"

[ $failed = 0 ] && echo "test_characterize: all found"
exit $failed
