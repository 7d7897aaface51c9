#!/bin/sh
# How strong our own suites are does not fall: the faults of the bank that they catch, in families that are quick to measure.
# Usage: test_strength.sh LASTBIT TREE
set -u
lastbit=$1 tree=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
wrong=0

# hold LEVEL PERCENT FAMILY:PERCENT...: of all families, and of these; measured in one profile; the floors lie just below
# what was measured.
hold() {
    level=$1 all=$2
    shift 2
    "$lastbit" vectors strength --level "$level" --profile up-full --function 'mli_krn_*relu_*' --function '*maxpool_hwc_*' \
        --function '*permute_*' --function '*argmax*' --function '*fully_connected_fx*' --function '*convert*' \
        --function '*mov_tensor_sync' --function '*sigm_*' --function 'mli_hlp_*' --function 'mli_ext_*' \
        "$tree/vectors" >"$scratch/out" 2>"$scratch/err" ||
        { echo "test_strength: $level cannot be measured"; cat "$scratch/err"; wrong=1; }
    awk -v level="$level" -v all="$all" -v own="$*" '
        BEGIN { n = split(own, of, /[ :]/); for (i = 1; i < n; i += 2) floor[of[i]] = of[i + 1] }
        $1 == "all" { exit bad }
        NR > 1 { seen[$1] = 1; least = $1 in floor ? floor[$1] : all
            if ($6 + 0 < least) { print "test_strength: " level ": " $1 ": " $6 " %, expected " least; bad = 1 } }
        END { for (f in floor) if (!(f in seen)) { print "test_strength: " level ": " f ": not measured"; bad = 1 }
            exit bad }' "$scratch/out" || wrong=1
}

hold smoke 86 fully_connected:80 maxpool:89 argmax:87 relu:94 permute:95 leaky_relu:87 sigm:88 lut:74 convert:85 \
    helper:93 mov:97 float4:84
hold standard 92 fully_connected:97 maxpool:98 argmax:94 relu:98 leaky_relu:93 sigm:91 permute:99 lut:91 convert:89 \
    helper:97 mov:98 float4:93
exit $wrong
