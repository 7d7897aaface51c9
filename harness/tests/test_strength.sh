#!/bin/sh
# How strong our own suites are does not fall: the faults of the bank that they catch, in families that are quick to measure.
# Usage: test_strength.sh LASTBIT TREE
set -u
lastbit=$1 tree=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
wrong=0

# hold LEVEL FAMILY:PERCENT...: measured in one profile; the floors lie just below what was measured.
hold() {
    level=$1
    shift
    "$lastbit" vectors strength --level "$level" --profile up-full --function 'mli_krn_relu_*' --function '*maxpool_hwc_*' \
        --function '*permute_*' --function '*argmax*' --function '*fully_connected_fx*' --function '*convert*' \
        --function '*prelu*' --function '*leaky_relu_*' --function '*mov_tensor_sync' --function '*sigm_*' \
        --function 'mli_hlp_*' --function 'mli_ext_*' "$tree/vectors" >"$scratch/out" 2>"$scratch/err" ||
        { echo "test_strength: $level cannot be measured"; cat "$scratch/err"; wrong=1; }
    for floor in "$@"; do
        got=$(awk -v family="${floor%:*}" '$1 == family { print $6 }' "$scratch/out")
        awk -v got="${got:-0}" -v floor="${floor#*:}" 'BEGIN { exit !(got >= floor) }' ||
            { echo "test_strength: $level: ${floor%:*}: ${got:-nothing} %, expected ${floor#*:}"; wrong=1; }
    done
}

hold smoke fully_connected:74 maxpool:89 argmax:86 relu:92 permute:95 leaky_relu:87 prelu:86 sigm:82 lut:64 convert:84 \
    helper:93 mov:94 float4:82
hold standard fully_connected:92 maxpool:98 argmax:93 relu:96 permute:98 leaky_relu:92 prelu:91 sigm:85 lut:84 \
    convert:88 helper:95 mov:98 float4:87
exit $wrong
