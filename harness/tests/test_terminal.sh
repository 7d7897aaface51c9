#!/bin/sh
# What a run tells on a terminal: no line of prose beyond its width, lines to be pasted whole, colours unless they are not
# wanted. Skipped, with the reason, where no pseudo-terminal can be had. Usage: test_terminal.sh LASTBIT
set -u
lastbit=$1
. "$(dirname "$0")/expect.sh"

# A system without pseudo-terminals: `script` is there and fails. This test must say so, not fail.
if [ "${2:-}" != inner ]; then
    mkdir "$work/shadow"
    printf '#!/bin/sh\necho "script: failed to create pseudo-terminal" >&2\nexit 1\n' >"$work/shadow/script"
    chmod +x "$work/shadow/script"
    expect 77 '^SKIPPED: .*failed to create pseudo-terminal' env "PATH=$work/shadow:$PATH" "$0" "$lastbit" inner
fi

if ! told=$(script -qec true /dev/null </dev/null 2>&1); then
    [ $failed = 0 ] || exit 1
    echo "SKIPPED: no pseudo-terminal: $(echo "$told" | tail -n 1) (a mounted /dev/pts, and the package bsdutils)"
    exit 77
fi

on_terminal() { script -qec "stty cols $1; $2" /dev/null </dev/null | tr -d '\r' | sed 's/.*\x1b\[K//'; }
cat >"$work/t.json" <<'SUITE'
{"format":"lastbit/cases-1","suite":"t","cases":[
{"id":"b","function":"mli_krn_relu_fx8","config":{"type":"gen"},
 "inputs":{"in":{"type":"fx8","shape":[2],"frac_bits":0,"data":[-1,5]}},"outputs":{"out":{"type":"fx8","shape":[2],"frac_bits":0}},
 "expect":[{"profiles":["up-full"],"status":"ok","outputs":{"out":[0,6]}}]}]}
SUITE
command="'$lastbit' run -n up-full --diagnose off '$work/t.json'"
on_terminal 60 "$command" >"$work/out"
grep -q "$(printf '\033\\[1;31m')" "$work/out" || wrong "no colours on a terminal"
long=$(sed 's/\x1b\[[0-9;]*m//g' "$work/out" | grep -v -e ' lastbit run ' -e ' lastbit explain ' | awk 'length($0) > 60')
[ -z "$long" ] || wrong "lines beyond a terminal of 60 columns: $long"
grep -q 'explain:   lastbit explain .*t.json --case b --profile up-full --index 1$' "$work/out" || wrong "a line to be pasted is broken"
on_terminal 80 "NO_COLOR=1 $command" | grep -q "$(printf '\033')" && wrong "colours in spite of NO_COLOR"
on_terminal 80 "$command --color never" | grep -q "$(printf '\033\\[1')" && wrong "colours in spite of --color never"

# Who verifies a certification says how far it is, of its cases and of its results.
"$lastbit" certify --quiet --cases 2 --seed 3 --function '*argmax_fx16' --report "$work/c" >"$work/out" || wrong "no certification"
"$lastbit" report package -o "$work/c.tar.gz" "$work/c" || wrong "no package"
script -qec "'$lastbit' report verify '$work/c.tar.gz'" /dev/null </dev/null >"$work/out"
for bar in '[1-9][0-9]* cases made' '8 results'; do
    grep -q "\[[#.]*\] [0-9]* of $bar " "$work/out" || wrong "verify does not say how far it is of $bar"
done
"$lastbit" report verify "$work/c.tar.gz" 2>&1 | grep -q '\[[#.]*\]' && wrong "a bar where there is no terminal"
[ $failed = 0 ] && echo "all as expected"
exit $failed
