#!/bin/sh
# lastbit certify: ports that pass a plain run of all suites, and are told; ports that are right; packages that are signed.
# Usage: test_certify.sh LASTBIT BROKEN_PORTS VECTORS [SEEDS]
# SEEDS 0: neither ports that were prepared nor packages, which take many minutes under sanitizers.
set -u
lastbit=$1 ports=$2 vectors=$3 seeds=${4:-1}
. "$(dirname "$0")/expect.sh"
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"

BROKEN_HEART=$work/heart
export BROKEN_HEART
certify() { "$lastbit" certify --diagnose off --show 9 "$@"; }

# ---- Ports that were prepared: a plain run passes, in one process. ----

# prepared PORT FUNCTION REASON CASES
prepared() {
    [ "$seeds" -gt 0 ] || return 0
    expect 0 '^[1-9][0-9]* passed, 0 failed' "$lastbit" run --diagnose off --jobs 1 --function "$2" --port "$ports/$1.so" "$vectors"
    for n in $(seq "$seeds"); do
        expect 1 "$3" certify --seed "$n" --cases "$4" --function "$2" --port "$ports/$1.so"
    done
    # It is told of that function alone, among all others.
    expect 1 ' [1-9][0-9]* failed, 0 skipped' certify --seed 1 --cases "$4" --function "$2" --function '*relu_sa8' \
        --report "$work/r" --port "$ports/$1.so"
    grep '"verdict":"\(fail\|error\)"' "$work/r/results.json" | grep -v "\"function\":\"$2\"" | grep -q . &&
        wrong "$1: verdicts of other functions too"
}
BROKEN_LEARN=1 "$lastbit" run --quiet --diagnose off --sandbox off --jobs 1 --function mli_krn_eltwise_add_sa8 \
    --port "$ports/knows_by_heart.so" "$vectors" >/dev/null || wrong "nothing is learned"
prepared knows_by_heart mli_krn_eltwise_add_sa8 'exact' 40
prepared last_input mli_krn_fully_connected_sa8_sa8_sa32 'exact' 40
prepared once_in_1000 mli_krn_argmax_fx16 'not the same when the call is made again' 160
prepared seen_addresses mli_krn_leaky_relu_fx8 'not the same when the call is made again' 40
# The last of the calls that are made again stands where the first one of the next case will stand.
expect 1 ' [1-9][0-9]* failed, 0 skipped' certify --seed 4 --function mli_krn_leaky_relu_fx8 --port "$ports/last_address.so"

# ---- A right port ----

expect 0 '^[1-9][0-9]* passed, 0 failed, 0 skipped$' certify --seed 5 --cases 4 --port "$ports/clean.so" --report "$work/c"
grep -q '"certify_seed":"5","calls":12,' "$work/c/results.json" || wrong "the results do not tell the seed"
expect 0 'Repetition | each result 2 times, the cases in another order each time; each call 12 times, its buffers' \
    "$lastbit" report statement "$work/c/results.json" --format md -o -
grep -q '^| Cases | 600 made of the seed, 0 from files |$' "$work/out" || complain "the statement does not tell the cases"
# In this process calls are made once, and nobody says otherwise.
expect 0 '^Certification: .* from files: 0[.]$' certify --seed 5 --cases 2 --function '*argmax*'
grep -q 'each call made 1 time[.]$' "$work/out" || complain "the builtin port is said to be called again"
expect 0 '^Certification: 600 cases made of seed 5, which was given; from files: 0[.] Each call was made 12 times' \
    certify --seed 5 --cases 4 --port "$ports/clean.so"
expect 0 ' 0 failed, 0 skipped$' certify --seed 5 --cases 2 --jobs 2
# A view in the place of a tensor that held one value: a pointer, wherever the port's memory is.
expect 0 '^160 passed, 0 failed, 0 skipped$' certify --seed 4000000007 --function '*create_subtensor' --port "$ports/clean.so"
# A seed is drawn, another each time, and told.
certify --cases 2 --function '*argmax*' --report "$work/one" >/dev/null && certify --cases 2 --function '*argmax*' --report "$work/two" >/dev/null
for run in one two; do
    grep -q '"certify_seed":"[1-9][0-9]*","certify_drawn":"20[0-9T:-]*Z"' "$work/$run/results.json" || wrong "no seed is drawn"
done
[ "$(sed -n 's/.*"certify_seed":"\([0-9]*\)".*/\1/p' "$work/one/results.json")" = \
    "$(sed -n 's/.*"certify_seed":"\([0-9]*\)".*/\1/p' "$work/two/results.json")" ] && wrong "the same seed is drawn twice"
# A run that is gone on with keeps its seed, and when that was drawn; the journal alone tells it too.
drawn=$(grep -o '"certify_seed":"[^"]*","certify_drawn":"[^"]*"' "$work/one/results.json")
sed -i '4,$d' "$work/one/journal.jsonl"
expect 2 'its "certify_seed" is another' certify --cases 2 --function '*argmax*' --seed 1 --resume --report "$work/one"
expect 0 '^16 passed, 0 failed, 0 skipped$' certify --cases 2 --function '*argmax*' --resume --report "$work/one"
for file in results.json journal.jsonl; do
    grep -qF "$drawn" "$work/one/$file" || wrong "a run that is gone on with: $file does not say $drawn"
done
expect 0 'drawn at 20[0-9T:-]*Z' "$lastbit" report markdown "$work/one/journal.jsonl" -o -
# The same seed makes the same cases, on every machine: their digest.
grep -q '"sha256":"b57bbe995a3b7a28595c9486ef94f49f34c34f064df23b179256fc5b326bc823","cases":600' "$work/c/results.json" || complain "seed 5 makes other cases: $(grep -o '"suites":.*' "$work/c/results.json" | head -c 300)"
expect 2 'expected' certify --cases 0
expect 2 . certify no_operand

# ---- How strong what was tried is: measured on the same cases ----

expect 0 'Strength of what was tried | not told; lastbit vectors strength --json --seed 5 --cases 4 measures it' \
    "$lastbit" report statement "$work/c/results.json" --format md -o -
"$lastbit" vectors strength --json --seed 5 --cases 4 --function '*argmax*' >"$work/strength.json" || wrong "no strength of a seed"
expect 0 '^16 passed' certify --port "$ports/clean.so" --seed 5 --cases 4 --function '*argmax_fx16' \
    --strength "$work/strength.json" --report "$work/s"
expect 0 'Strength of what was tried | [1-9][0-9.]* %, [0-9,]* of [0-9,]* known faults would be caught' \
    "$lastbit" report statement "$work/s/results.json" --format md -o -
expect 2 'says nothing of certify --cases 4 as it is now' certify --port "$ports/clean.so" --seed 6 --cases 4 --function '*argmax_fx16' \
    --strength "$work/strength.json"
expect 2 'suites, or --seed of a certification, not both' "$lastbit" vectors strength --seed 5 "$vectors/relu.yaml"

end() {
    [ $failed -eq 0 ] && echo "certify: as expected"
    exit $failed
}
[ "$seeds" -gt 0 ] || end

# ---- Packages: made again from the seed, and signed ----

package() { "$lastbit" report package -o "$work/c.tar.gz" "$@" "$work/c/results.json"; }
for name in maker other; do ssh-keygen -q -t ed25519 -N '' -f "$work/$name"; done
expect 0 '' package
expect 0 '^verified: 7 members; the results say 2400 passed, 0 failed, 0 skipped$' "$lastbit" report verify "$work/c.tar.gz"
grep -q '^2[0-9]* results held against the exact model' "$work/out" || complain "the cases are not made again"
expect 1 'is not signed' "$lastbit" report verify --key "$work/maker.pub" "$work/c.tar.gz"
expect 0 '' package --sign "$work/maker"
expect 0 'skipped; signed with the ED25519 key SHA256:[^ ]*$' "$lastbit" report verify --key "$work/maker.pub" "$work/c.tar.gz"
expect 0 'skipped; signed with the ED25519 key .*, whose that is nobody said (--key)$' "$lastbit" report verify "$work/c.tar.gz"
expect 1 'the signature is not that of this file and the key' "$lastbit" report verify --key "$work/other.pub" "$work/c.tar.gz"
expect 1 'holds no public key' "$lastbit" report verify --key /dev/null "$work/c.tar.gz"
expect 1 'holds no public key: expected .* ends in .pub' "$lastbit" report verify --key "$work/maker" "$work/c.tar.gz"
expect 2 'not signed: .*no_such_key signs nothing' package --sign "$work/no_such_key"
# Without the program nobody knows.
expect 2 'not signed: there is no program ssh-keygen' env PATH=/nonexistent "$lastbit" report package -o "$work/c.tar.gz" \
    --sign "$work/maker" "$work/c/results.json"
expect 0 '' package --sign "$work/maker"
expect 1 'the signature was not looked at: there is no program ssh-keygen here' \
    env PATH=/nonexistent "$lastbit" report verify --key "$work/maker.pub" "$work/c.tar.gz"
# Signed anew by somebody else; signed for another purpose; another file under a signature.
expect 0 '' package --sign "$work/other"
expect 1 'the signature is not that of this file and the key' "$lastbit" report verify --key "$work/maker.pub" "$work/c.tar.gz"
ssh-keygen -q -Y sign -f "$work/maker" -n file <"$work/c.tar.gz" >"$work/c.tar.gz.sig" 2>/dev/null
expect 1 'the signature is not' "$lastbit" report verify --key "$work/maker.pub" "$work/c.tar.gz"
expect 0 '' package --sign "$work/maker"
cp "$work/c.tar.gz.sig" "$work/kept.sig"
expect 0 '' "$lastbit" report package -o "$work/c.tar.gz" --meta 'Tested by=nobody' "$work/c/results.json"
cp "$work/kept.sig" "$work/c.tar.gz.sig"
expect 1 'the signature is not that of this file' "$lastbit" report verify "$work/c.tar.gz"

# Results that tell another seed, more cases, fewer, or cases of a file.
forge() { # SED-SCRIPT WORDS
    sed "$1" "$work/c/results.json" >"$work/forged.json"
    cmp -s "$work/forged.json" "$work/c/results.json" && wrong "$2: nothing was forged"
    "$lastbit" report package -o "$work/forged.tar.gz" "$work/forged.json" >/dev/null 2>&1
    expect 1 "$2" timeout 60 "$lastbit" report verify "$work/forged.tar.gz"
}
forge 's/"certify_seed":"5"/"certify_seed":"6"/' 'seed 6 makes other cases here'
forge 's/"certify_seed":"5"/"certify_seed":"x"/' 'make no certification'
forge 's/certify --cases 4/certify --cases 1000000/g; s/"cases":600/"cases":150000000/' 'none was made again'
forge 's/certify --cases 4/certify --cases 1000000/g' 'makes 150000000 cases here; the results tell of 600'
forge 's/certify --cases 4/certify --cases 2/g' 'makes 300 cases here; the results tell of 600'

# A part is verified like the whole: one function, one case; with limits, and with calls that fail.
printf 'format: lastbit/tolerance-1\nlimits:\n  - {function: "*", max_steps: 4, mean_steps: 3}\n' >"$work/pol.yaml"
part() { # PORT WORDS OPTION...: its package is what it says
    port=$1 said=$2
    shift 2
    "$lastbit" certify --quiet --diagnose off --seed 6 --cases 36 --port "$ports/$port.so" --report "$work/part" "$@" >/dev/null
    "$lastbit" report package -o "$work/part.tar.gz" "$work/part" || wrong "part: no package"
    grep -q "$said" "$work/part/results.json" || wrong "part: no $said in the results"
    expect 0 '^verified: .* results say' "$lastbit" report verify "$work/part.tar.gz"
}
part clean '' --function '*argmax_fx16' --case '*.9'
part last_input '"verdict":"fail".*"reproduce":"lastbit certify' --function mli_krn_fully_connected_sa8_sa8_sa32
# Sums of these cases are as large as the accumulator can hold, and larger: no real number stands for them.
overflowed='"limit_source":"not judged: the accumulator of 123 elements left its width"'
part clean "$overflowed" --function '*avepool_hwc_sa8' --tolerance "$work/pol.yaml"
part clean "$overflowed" --function '*avepool_hwc_sa8' # all of it passes: an error is not held against the model
sed 's/of 123 elements left/of 122 elements left/' "$work/part/results.json" >"$work/part/forged.json"
"$lastbit" report package -o "$work/part.tar.gz" "$work/part/forged.json"
expect 1 'the source of a limit is "not judged: the accumulator of 122' "$lastbit" report verify "$work/part.tar.gz"

end
