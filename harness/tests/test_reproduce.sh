#!/bin/sh
# The lines that a run prints ("reproduce:", "explain:") and the command in its report are pasted into a shell as they stand: they
# must be accepted, and make the same case fail again. Usage: test_reproduce.sh LASTBIT AGENT BROKEN_LIBRARY SOURCE_DIR
set -u
lastbit=$1 agent=$2 library=$3 profiles=$4/vectors/profiles sweep=mli_krn_eltwise_mul_fx8
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
mkdir "$work/bin" "$work/a b" "$work/a b/plat form"
ln -s "$lastbit" "$work/bin/lastbit"
ln -s "$agent" "$work/a b/the agent's \$HOME"
cp "$library" "$work/a b/wrong port's.so"
PATH=$work/bin:$PATH
unset SLURM_PROCID SLURM_NTASKS
cd "$work/a b" || exit 1

fail() {
    echo "FAILED: $*"
    sed 's/^/  | /' "$work/out" | head -30
    failed=1
}

# An id and a file name with all that a shell, a pattern or an option parser could trip over. The recorded value 6 is wrong for every port.
id=$(printf "it's \\\\\\\\ [1] * \$(touch %s) \`x\` \\\\\"q\\\\\" ; & | # ~ !" "$work/touched")
cat >"-o'dd \$name.json" <<SUITE
{"format":"lastbit/cases-1","suite":"t","cases":[
{"id":"$id","function":"mli_krn_relu_fx8","config":{"type":"gen"},"inputs":{"in":{"type":"fx8","shape":[2],"frac_bits":0,"data":[-1,5]}},
"outputs":{"out":{"type":"fx8","shape":[2],"frac_bits":0}},"expect":[{"profiles":["up-full"],"status":"ok","outputs":{"out":[0,6]}}]},
{"id":"other","function":"mli_krn_relu_fx8","config":{"type":"gen"},"inputs":{"in":{"type":"fx8","shape":[2],"frac_bits":0,"data":[-1,5]}},
"outputs":{"out":{"type":"fx8","shape":[2],"frac_bits":0}}}]}
SUITE
cp "$profiles/up-full.yaml" "plat form/own's.yaml"
printf 'format: lastbit/tolerance-1\nlimits:\n  - {function: "mli_krn_relu_*", max_steps: 0.2}\n' >"tol's.yaml"

# paste_line WHICH PATTERN: the line after WHICH in the output of the last run must end with status 1 and show the pattern.
paste_line() {
    which=$1 pattern=$2
    line=$(sed -n "s/^ *$which *//p" "$work/out" | head -n 1)
    [ -n "$line" ] || { fail "no line $which"; return; }
    printf '%s\n' "$line" >"$work/line"
    sh "$work/line" >"$work/again" 2>&1
    status=$?
    if [ "$status" -ne 1 ] || ! grep -q -e "$pattern" "$work/again"; then
        cp "$work/again" "$work/out"
        fail "exit status $status, expected 1 and $pattern of: $line"
    fi
}

# try PATTERN OPTION...: the case fails, and so do its lines; what the lines must say is PATTERN.
try() {
    pattern=$1
    shift
    lastbit run "$@" --report "$work/report" -- "-o'dd \$name.json" >"$work/out" 2>&1
    [ $? -eq 1 ] || fail "run $*"
    cp "$work/out" "$work/first"
    grep -q -e "reproduce: lastbit run.*$pattern" "$work/out" || fail "run $*: the line must say $pattern"
    paste_line reproduce: '^0 passed, 1 failed, 0 skipped$'
    cp "$work/first" "$work/out"
    paste_line explain: 'recorded 6 (0x06) diverges'
    # "Command" of the report: the whole run again.
    python3 -c 'import json,sys; print("command: " + json.load(open(sys.argv[1]))["run"]["command"])' "$work/report/results.json" |
        cat >"$work/out"
    paste_line command: '[0-9]* passed, 1 failed'
}

try "'-o'" --profile up-full
try '--misalign=1 --time-limit 7.25' --misalign --time-limit 7.25 --profile up-full
try '--guard error' --guard error --profile up-full
try '--cpu portable' --cpu portable --profile up-full
try "--port 'exec:'" --port "exec:'./the agent'\\''s \$HOME'" --profile up-full --time-limit 20
try "--port 'exec:\"./the agent'" --port "exec:\"./the agent's \\\$HOME\"" --misalign --profile up-full
try "--port 'wrong port'" --port "wrong port's.so" --profile up-full
[ -e "$work/touched" ] && fail "an id was run as a command"

try "own'.*'s.yaml'" --profile "plat form/own's.yaml"
try "--tolerance 'tol'.*'s.yaml'" --tolerance "tol's.yaml" --profile up-full

# A suite that is made: the line names the command that made it.
lastbit sweep --port "wrong port's.so" --misalign --profile up-full --time-limit 30.5 "$sweep" >"$work/out" 2>&1
paste_line reproduce: "^0 passed, 1 failed"
grep -q "reproduce: lastbit sweep $sweep --port 'wrong port'.*'s.so' --misalign=1 --time-limit 30.5 --case" "$work/out" || fail "line of a sweep"
exit $failed
