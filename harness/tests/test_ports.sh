#!/bin/sh
# Ports that run elsewhere give the same verdicts as the built-in one: an agent on a pipe, on TCP and on a serial line, a shared library, an agent
# with other headers; noisy lines too. Usage: test_ports.sh LASTBIT SOURCE_DIR BINARY_DIR GOLDEN_DIR
set -u
lastbit=$1 vectors=$2/vectors built=$3 level=${4-standard}
work=$(mktemp -d)
helpers=
trap 'for p in $helpers; do kill "$p" 2>/dev/null; done; rm -rf "$work"' EXIT
failed=0

fail() {
    echo "FAILED: $*"
    failed=1
}

# verdicts NAME PORT PATH...: the results of a run, one a line, without what depends on port and time.
verdicts() {
    name=$1 port=$2
    shift 2
    "$lastbit" run --show 3 --port "$port" --report "$work/$name" "$@" >"$work/$name.out" 2>&1
    echo "exit status $?" >"$work/$name.verdicts"
    python3 - "$work/$name/results.json" >>"$work/$name.verdicts" <<'PYTHON'
import json, sys
for r in json.load(open(sys.argv[1]))["results"]:
    if r["function"].startswith("mli_ext_"):  # no part of the API: not every port here has them
        continue
    for key in ("reproduce", "microseconds"):
        r.pop(key, None)
    # Of an undefined call the reason says whether the port was called: only one in a process of its own is.
    r["reason"] = r.get("reason", "").replace("; the port was called and is not judged", "; the port was not called")
    print(json.dumps(r, sort_keys=True))
PYTHON
}

# same NAME PORT OF PATH...: the verdicts must be those of the run called OF.
same() {
    name=$1 port=$2 of=$3
    shift 3
    verdicts "$name" "$port" "$@"
    if [ "$(wc -l <"$work/$name.verdicts")" -lt 2 ] || ! cmp -s "$work/$name.verdicts" "$work/$of.verdicts"; then
        fail "$port does not give the verdicts of builtin ($of)"
        diff "$work/$of.verdicts" "$work/$name.verdicts" | cut -c1-600 | head -6
        head -20 "$work/$name.out"
    fi
}

# expect STATUS PATTERN ARGUMENT...
expect() {
    want=$1 pattern=$2
    shift 2
    "$lastbit" "$@" >"$work/out" 2>&1
    got=$?
    if [ "$got" -ne "$want" ] || ! grep -q -e "$pattern" "$work/out"; then
        fail "lastbit $*: exit status $got, expected $want; expected to read: $pattern"
        sed 's/^/  | /' "$work/out" | head -20
    fi
}

# started FILE: the last word of the first line that a helper prints.
started() {
    tries=0
    while [ ! -s "$1" ] && [ $tries -lt 100 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    head -n 1 "$1" | sed 's/.* //'
}

agent=$built/lastbit-agent
library=$built/harness/tests/broken_ports/clean.so
other=$built/harness/tests/other_headers/lastbit_other_agent
native=$built/harness/port_kit/lastbit_example_native
small=$built/harness/port_kit/lastbit_small_agent
noisy=$built/harness/port_kit/lastbit_noisy_agent

# All suites through a library; each other way of calling the same kernels gets a sixth of them, and
# whole what has few cases of a function. The level deep tries sums, not what a port has to do with them.
same_sixth() {
    verdicts "sixth_$1" builtin --level "$level" --shard "$1/6" "$vectors"
    same "$2" "$3" "sixth_$1" --level "$level" --shard "$1/6" "$vectors"
}
verdicts own builtin --level "$level" "$vectors"
same own_library "$library" own --level "$level" "$vectors"
same_sixth 1 own_exec "exec:$agent"
same_sixth 2 own_other "exec:$other"
few="$vectors/tables.yaml $vectors/helpers.yaml $vectors/movement_config.yaml $vectors/movement_sequences.yaml"
# shellcheck disable=SC2086
{
    verdicts few builtin $few
    same few_exec "exec:$agent" few $few
    same few_other "exec:$other" few $few
}
if [ "$level" = smoke ]; then # programs that are watched are slow: every eighth of the recorded cases
    verdicts recorded builtin --shard 1/8 "$vectors/recorded"
    same recorded_exec "exec:$agent" recorded --shard 1/8 "$vectors/recorded"
    same recorded_library "$library" recorded --shard 1/8 "$vectors/recorded"
    same recorded_other "exec:$other" recorded --shard 1/8 "$vectors/recorded"
fi

# Devices: one process at a time, and no fresh library.
"$agent" --listen 0 >"$work/tcp" &
helpers="$helpers $!"
tcp=tcp:$(started "$work/tcp")
verdicts relu builtin "$vectors/relu.yaml" "$vectors/lstm.yaml"
same relu_tcp "$tcp" relu "$vectors/relu.yaml" "$vectors/lstm.yaml"
expect 0 'needs a library that has just been loaded\|0 failed' run --port "$tcp" "$vectors/movement_sequences.yaml"

# Native kernels: what they do not have, refuse or decline is skipped.
expect 0 '^[1-9][0-9]* passed, 0 failed, [1-9][0-9]* skipped$' run --level "$level" --port "exec:$native" "$vectors"
expect 0 'native' port info "exec:$native"

# A small port: cases that do not fit, other profiles and missing functions are skipped with their reason, all others pass.
expect 0 '^[1-9][0-9]* passed, 0 failed, [1-9][0-9]* skipped$' run --profile all --level "$level" --report "$work/small" --port "exec:$small" "$vectors"
for reason in 'bytes of memory, and the port has' 'the port is built for up-full' 'not provided by the port'; do
    grep -q "$reason" "$work/small/results.json" || fail "no case is skipped because: $reason"
done
expect 0 '^missing *mli_krn_lstm_cell_fx16$' port info --missing "exec:$small"

# Buffers as little aligned as their elements allow: the verdicts are those of aligned ones.
expect 0 '^[1-9][0-9]* passed, 0 failed' run --level "$level" --shard 3/3 "$vectors"
aligned=$(tail -n 1 "$work/out")
expect 0 "^$aligned\$" run --level "$level" --shard 3/3 --misalign "$vectors"
expect 0 '^[1-9][0-9]* passed, 0 failed' run --level "$level" --shard 3/3 --misalign --port "$library" "$vectors"

# Noise in both directions.
verdicts noise builtin "$vectors/relu.yaml"
for seed in 1; do
    same "noise_$seed" "exec:$noisy $seed" noise "$vectors/relu.yaml"
done
"$noisy" --pty >"$work/pty" &
helpers="$helpers $!"
terminal=$(started "$work/pty")
if [ -n "$terminal" ]; then
    same noise_serial "serial:$terminal:115200" noise "$vectors/relu.yaml"
else
    echo "no pseudo-terminals here: the serial line was not tried"
fi

# What cannot be a port.
expect 2 'No such file' run --port ./no_such_port.so "$vectors/relu.yaml"
expect 2 'a folder is no port; a port is builtin' run --port "$vectors" "$vectors/relu.yaml"
expect 2 'it is no shared library; a port is builtin' diagnose "$vectors/relu.yaml"
expect 2 'exit status 127' run --port 'exec:no_such_command_at_all' "$vectors/relu.yaml"
expect 2 'exit status 3' run --port 'exec:exit 3' "$vectors/relu.yaml"
expect 2 'expected a command or file name' run --port 'exec: ' "$vectors/relu.yaml"
expect 2 'no frame' run --port 'exec:echo hello' "$vectors/relu.yaml"
expect 2 'requests come back' run --port exec:cat "$vectors/relu.yaml"
expect 2 'expected tcp:HOST:PORT' run --port tcp:host "$vectors/relu.yaml"
expect 2 'serial:DEVICE' run --port serial:/dev/null:7 "$vectors/relu.yaml"
expect 2 'lb_kit_serve' run --port "$built/impl/libmli.so" "$vectors/relu.yaml"

# A port whose program is killed from outside in the middle of a run costs a verdict at most, not the run.
cat >"$work/kill_one" <<EOF2
#!/bin/sh
[ -e "$work/once" ] || { touch "$work/once"; (sleep 0.2; kill -9 \$\$) & }
exec "$agent"
EOF2
chmod +x "$work/kill_one"
"$lastbit" run --jobs 1 --level "$level" --shard 1/8 --port "exec:$work/kill_one" "$vectors" >"$work/out" 2>&1
[ -e "$work/once" ] || fail "no agent was killed"
sed -n '$p' "$work/out" | grep -q ' passed, [01] failed' || fail "a killed agent cost more than one verdict: $(tail -n 1 "$work/out")"

exit $failed
