#!/bin/sh
# Baked packs as a user meets them: written, compiled, played; wrong kernels, damaged packs and wrong command lines.
# Usage: test_pack.sh LASTBIT SOURCE_DIR COMPILER LIBRARY LITERT_LIBRARY [COMPILER-OPTION...]
set -u
lastbit=$1 tree=$2 compiler=$3 library=$4 litert_library=$5
shift 5
options="$*"
vectors=$tree/vectors
. "$(dirname "$0")/expect.sh"

# compile PROGRAM FOLDER SOURCE-OR-OPTION...: the player of FOLDER with what follows.
compile() {
    program=$1 folder=$2
    shift 2
    # The options of this build are words.
    # shellcheck disable=SC2086
    if ! "$compiler" -O1 -std=c17 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Werror \
        $options -D_GNU_SOURCE= -I"$folder" "$folder/lb_pack.c" "$@" -o "$work/$program" 2>"$work/out"; then
        complain "compiling $program"
    fi
}
# build PROGRAM FOLDER SOURCE-OR-OPTION...: the same with our library of MLI.
build() {
    compile "$@" -I"$tree/impl/include" -I"$tree/impl/include/api" "$tree/harness/port_kit/port_lastbit.c" "$library"
}
# build_litert PROGRAM FOLDER SOURCE-OR-OPTION...: with that of LiteRT, behind an interface of its own.
build_litert() {
    compile "$@" -DLB_KIT_NATIVE -I"$tree" -I"$tree/impl/litert/include" "$litert_library" -lm
}
fault="-Dmli_krn_eltwise_add_sa8=seeded_fault_eltwise_add_sa8 $tree/ci/platforms/seeded_fault.c"

# ---- Packs of many kinds of cases, none above 8 KB; everything passes ----
suites="$vectors/relu.yaml $vectors/eltwise.yaml $vectors/helpers.yaml $vectors/data_movement.yaml $vectors/movement_config.yaml
    $vectors/movement_sequences.yaml $vectors/lstm.yaml $vectors/rnn_dense.yaml $vectors/convert.yaml $vectors/conv2d_status.yaml"
# shellcheck disable=SC2086
expect 0 ' packs, ' "$lastbit" pack --c --max-bytes 8K -o "$work/packs" $suites
results=$(sed -n 's/.* cases, \([0-9]*\) results.*/\1/p' "$work/out")
grep -q 'mov_async.at_load_time: left out' "$work/out" || complain "the case that needs a fresh library is not named"
[ "$(ls "$work/packs" | grep -c '^lb_pack_[0-9]*.c$')" -ge 3 ] || complain "fewer than three packs"
for file in "$work"/packs/lb_pack_[0-9]*.c; do
    bytes=$(sed -n 's/^const uint8_t lb_pack_[0-9]*\[\([0-9]*\)\] = {$/\1/p' "$file")
    [ "${bytes:-8193}" -le 8192 ] || complain "$file has ${bytes:-unknown} bytes"
done
build trial "$work/packs" -DLB_PACK_PRINT "$work"/packs/lb_pack_*.c
expect 0 "^$results passed, 0 failed, 0 skipped\$" "$work/trial"

# ---- What a case leaves in the library is nobody's later; a value of a type without a width is one byte ----
expect 0 ' packs, ' "$lastbit" pack --c -o "$work/left" -c 'mov_sequence.callback.*' -c 'mov_async.life_cycle' \
    -c eltwise_max_fx8.fault.check.late.1 "$vectors/faults_mov.jsonl" "$vectors/movement_sequences.yaml" "$vectors/faults_eltwise.jsonl"
build left_behind "$work/left" -DLB_PACK_PRINT "$work"/left/lb_pack_*.c
expect 0 '^32 passed, 0 failed, 0 skipped$' "$work/left_behind"

# ---- A wrong kernel is named, by number and by name ----
# shellcheck disable=SC2086
build faulty "$work/packs" -DLB_PACK_PRINT $fault "$work"/packs/lb_pack_*.c
expect 1 '^FAIL [0-9]*:[0-9]* eltwise_add_sa8.each_operand_rounds \[up-full\] out\[2\]: expected -3, got -2$' "$work/faulty"
grep -v -e '^FAIL [0-9:]* eltwise_add_sa8' -e ' passed, ' "$work/out" && complain "something else fails"
where=$(sed -n 's/^FAIL \([0-9]*\):\([0-9]*\) eltwise_add_sa8.each.*/\1 \2/p' "$work/out" | head -n 1)
grep -q "^$where eltwise_add_sa8.each_operand_rounds " "$work/packs/packs.txt" || complain "packs.txt has another case at $where"

# ---- One pack alone; functions that are not there; digests without names ----
build one "$work/packs" -DLB_PACK_PRINT -DLB_PACK=lb_pack_001 "$work/packs/lb_pack_main.c" "$work/packs/lb_pack_001.c"
expect 0 ' passed, 0 failed, 0 skipped$' "$work/one"
build less "$work/packs" -DLB_PACK_PRINT -DLB_WITHOUT_mli_krn_relu_fx8 "$work"/packs/lb_pack_*.c
expect 0 ' passed, 0 failed, [1-9][0-9]* skipped$' "$work/less"
expect 0 ' packs, ' "$lastbit" pack -o "$work/digests" --digests --no-names --profile up-full "$vectors/eltwise.yaml"
# shellcheck disable=SC2086
build short "$work/digests" -DLB_PACK_PRINT $fault "$work"/digests/lb_pack_*.c
expect 1 '^FAIL 0:[0-9]*  \[up-full\] out (CRC-32): expected ' "$work/short"

# ---- What lb_pack_run gives ----
cat >"$work/values.c" <<'EOF'
#include "lb_pack.h"
#include "lb_packs.h"
#include <stdio.h>
#include <string.h>

static uint8_t memory[LB_PACKS_MEMORY], copy[1 << 16];
static int wrong;

static void check(const char *what, long expected, long got)
{
    if (expected == got)
        return;
    printf("%s: expected %ld, got %ld\n", what, expected, got);
    wrong = 1;
}

static int run_copy(void)
{
    const uint8_t *const pack = copy;
    return lb_pack_run(&pack, 1, memory, sizeof memory, 0);
}

int main(void)
{
    static const uint8_t *const packs[] = {LB_PACKS};
    const uint32_t count = sizeof packs / sizeof packs[0];
    const uint32_t bytes = packs[0][16] | (uint32_t)packs[0][17] << 8;
    check("failed", FAILED, lb_pack_run(packs, count, memory, sizeof memory, 0));
    check("word", FAILED ? LB_PACK_WORD_FAIL : LB_PACK_WORD_PASS, lb_pack_words[LB_PACK_VERDICT]);
    check("words agree", FAILED, lb_pack_words[LB_PACK_FAILED]);
    check("first is named", FAILED == 0, lb_pack_words[LB_PACK_FIRST_CASE] == 0xFFFFFFFFu);
    check("nothing fits", LB_PACK_NOTHING_TRIED, lb_pack_run(packs, count, memory, 64, 0));
    check("word for nothing", LB_PACK_WORD_NONE, lb_pack_words[LB_PACK_VERDICT]);
    check("no packs", LB_PACK_NOTHING_TRIED, lb_pack_run(packs, 0, memory, sizeof memory, 0));
    memcpy(copy, packs[0], bytes);
    copy[bytes - 1] ^= 1;
    check("damaged", LB_PACK_DAMAGED, run_copy());
    memcpy(copy, packs[0], bytes);
    copy[4] = 9;
    check("other version", LB_PACK_DAMAGED, run_copy());
    memcpy(copy, packs[0], bytes);
    copy[6] ^= 3;
    check("other byte order", LB_PACK_OTHER_BYTE_ORDER, run_copy());
    return wrong;
}
EOF
expect 0 ' packs, ' "$lastbit" pack --max-bytes 16K --profile up-full -o "$work/small" "$vectors/eltwise.yaml"
build values "$work/small" -DFAILED=0 "$work/values.c" "$work"/small/lb_pack_[0-9]*.c
expect 0 '' "$work/values"
# shellcheck disable=SC2086
build values_of_fault "$work/small" -DFAILED=2 $fault "$work/values.c" "$work"/small/lb_pack_[0-9]*.c
expect 0 '' "$work/values_of_fault"

# ---- LiteRT: all smoke cases, of both roundings; kernels that are wrong, refuse or are not there; the other kit ----
expect 0 ' packs, .*, 0 left out' "$lastbit" pack --level smoke -o "$work/litert" "$vectors/litert"
results=$(sed -n 's/.* cases, \([0-9]*\) results.*/\1/p' "$work/out")
[ "$results" -gt 1000 ] || complain "hardly any results of LiteRT"
port=$tree/harness/port_kit/port_litert.c
build_litert litert_trial "$work/litert" -DLB_PACK_PRINT "$work"/litert/lb_pack_*.c "$port"
expect 0 "^$results passed, 0 failed, 0 skipped\$" "$work/litert_trial"
# with SED: the port with this change plays the packs.
with() {
    sed "$1" "$port" >"$work/port.c"
    cmp -s "$work/port.c" "$port" && wrong "sed '$1' changes nothing"
    build_litert litert_changed "$work/litert" -DLB_PACK_PRINT "$work"/litert/lb_pack_*.c "$work/port.c"
}
with 's/= LB_LITERT_SINGLE : LB_LITERT_DOUBLE/= LB_LITERT_SINGLE : LB_LITERT_SINGLE/; s/? LB_LITERT_SINGLE : LB_LITERT_DOUBLE/? LB_LITERT_SINGLE : LB_LITERT_SINGLE/'
expect 1 '^FAIL [0-9]*:[0-9]* [^ ]* \[litert-double\] out\[[0-9,]*\]: expected ' "$work/litert_changed"
grep -q 'FAIL.*\[litert-single\]' "$work/out" && complain "what rounds once fails where it is to"
with 's/return -(int)kernel->call(&made);/return 7;/'
expect 1 '\[litert-double\] status: expected 0, got 1073741831$' "$work/litert_changed"
with 's/return -(int)kernel->call(&made);/return LB_NATIVE_DECLINED;/'
expect 0 ' passed, 0 failed, [1-9][0-9]* skipped$' "$work/litert_changed"
build_litert litert_of_mli "$work/packs" -DLB_PACK_PRINT "$work"/packs/lb_pack_*.c "$port"
expect 1 '^0 passed, 0 failed, [1-9][0-9]* skipped$' "$work/litert_of_mli"
build mli_of_litert "$work/litert" -DLB_PACK_PRINT "$work"/litert/lb_pack_*.c
expect 1 '^0 passed, 0 failed, [1-9][0-9]* skipped$' "$work/mli_of_litert"

# ---- Packs of another time go; a recording that is wrong gives none ----
expect 0 ': 1 packs, ' "$lastbit" pack --profile up-full -o "$work/packs" "$vectors/relu.yaml"
[ ! -e "$work/packs/lb_pack_001.c" ] || complain "packs of an earlier time are still there"
cat >"$work/wrong.json" <<'EOF'
{"format":"lastbit/cases-1","suite":"t","cases":[{"id":"wrong","function":"mli_krn_relu_fx8","config":{"type":"gen"},
"inputs":{"in":{"type":"fx8","shape":[2],"frac_bits":0,"data":[-1,5]}},"outputs":{"out":{"type":"fx8","shape":[2],"frac_bits":0}},
"expect":[{"profiles":["up-full"],"status":"ok","outputs":{"out":[0,6]}}]}]}
EOF
expect 1 'wrong.json:1: case wrong \[up-full\]: what is recorded is not what the exact model gives' \
    "$lastbit" pack -o "$work/packs" "$work/wrong.json"
ls "$work"/packs/lb_pack_0* 2>/dev/null && complain "packs in spite of a wrong recording"

# ---- Wrong command lines ----
expect 2 'expected a suite' "$lastbit" pack --c
expect 2 'expected a number of bytes' "$lastbit" pack --max-bytes 12Q "$vectors"
expect 2 'expected a number of bytes' "$lastbit" pack --max-memory 0 "$vectors"
expect 2 'expected little or big' "$lastbit" pack --byte-order none "$vectors"
expect 2 'built-in profiles, and no files' "$lastbit" pack --profile "$vectors/profiles/dsp-fxapi-up.yaml" "$vectors"
expect 2 'no case matches' "$lastbit" pack -o "$work/none" --case nothing "$vectors/relu.yaml"
expect 2 'bytes, more than --max-bytes allows' "$lastbit" pack -o "$work/none" --max-bytes 100 "$vectors/relu.yaml"
expect 2 'Not a directory' "$lastbit" pack -o "$work/wrong.json" "$vectors/relu.yaml"

[ $failed -eq 0 ] && echo "test_pack: all passed"
exit $failed
