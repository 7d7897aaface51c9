#!/bin/sh
# test_same_cases.sh LASTBIT EXPECTED: made-up cases are the same whatever compiler has built lastbit: sums of what each
# family gives stand in EXPECTED. After a change of what is made: test_same_cases.sh LASTBIT > EXPECTED.
set -eu
lastbit=$1
families=$(sed -n 's/^ *X([A-Z0-9_]*, "\([a-z0-9_]*\)".*/\1/p' \
    "$(dirname "$0")/../../reference/describe/families.h" "$(dirname "$0")/../../reference/litert/rows.h")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

sums() {
    for family in $families; do
        for options in --small '--bad 2' ''; do
            # shellcheck disable=SC2086
            "$lastbit" vectors generate --family "$family" $options --count 60 --seed 77 >"$folder/cases"
            printf '%s %s %s\n' "$(md5sum <"$folder/cases" | cut -d' ' -f1)" "$family" "$options"
        done
    done
}

sums >"$folder/sums"
if [ $# -lt 2 ]; then
    cat "$folder/sums"
elif ! diff "$2" "$folder/sums"; then
    echo "test_same_cases: other cases are made than $2 says"
    exit 1
fi
