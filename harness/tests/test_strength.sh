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
        --function '*permute_*' --function '*argmax*' --function '*fully_connected_fx*' "$tree/vectors" >"$scratch/out" 2>"$scratch/err" ||
        { echo "test_strength: $level cannot be measured"; cat "$scratch/err"; wrong=1; }
    for floor in "$@"; do
        got=$(awk -v family="${floor%:*}" '$1 == family { print $6 }' "$scratch/out")
        awk -v got="${got:-0}" -v floor="${floor#*:}" 'BEGIN { exit !(got >= floor) }' ||
            { echo "test_strength: $level: ${floor%:*}: ${got:-nothing} %, expected ${floor#*:}"; wrong=1; }
    done
}

hold smoke fully_connected:62 maxpool:71 argmax:69 relu:65 permute:79
hold standard fully_connected:83 maxpool:95 argmax:88 relu:89 permute:91
exit $wrong
