#!/bin/sh
# The tour: every step gives what it says, the fault is named, and the report is there.
# Usage: test_demo.sh LASTBIT
set -u
lastbit=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

reads() {
    grep -q -e "$1" "$work/out" || {
        echo "FAILED: the tour does not say: $1"
        failed=1
    }
}

"$lastbit" demo --no-open --output "$work/it's a tour" >"$work/out" 2>&1 || {
    echo "FAILED: exit status $?"
    tail -20 "$work/out"
    failed=1
}
reads '^1\. takes stride_height and stride_width for each other'
reads '^   in mli_krn_conv2d_hwcn_sa8_sa8_sa32'
reads 'the strides have changed places'
reads '^128 passed, 0 failed, 0 skipped$'
reads "rm -r '.*it'.*'s a tour'\$"
[ -s "$work/it's a tour/report/report.html" ] || {
    echo "FAILED: no report"
    failed=1
}
"$lastbit" demo --output /proc/no_such >"$work/out" 2>&1
[ $? = 3 ] || {
    echo "FAILED: a folder that cannot be made is not status 3"
    failed=1
}
reads 'demo: /proc/no_such: cannot make this folder'
exit $failed
