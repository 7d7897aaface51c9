#!/bin/sh
# Blocks of a library port lie in shared memory: its process hardly reads or writes while it is called. Where the system
# gives no such memory everything goes over the line, and the same port shows it. Usage: test_shared.sh LASTBIT PORT
set -u
. "$(dirname "$0")/expect.sh"
lastbit=$1 port=$2
{
    echo '{"format":"lastbit/cases-1","suite":"shared"}'
    for i in 1 2 3 4 5 6; do
        printf '{"id":"big.%s","function":"mli_krn_relu_fx8","config":{"type":"gen"},' "$i"
        printf '"inputs":{"in":{"type":"fx8","shape":[100000],"frac_bits":3,"data":{"generator":"uniform","seed":%s}}},' "$i"
        printf '"outputs":{"out":{"type":"fx8","shape":[100000],"frac_bits":3}}}\n'
    done
} >"$work/big.jsonl"
run() { "$lastbit" run --diagnose off --jobs 1 --profile up-full --port "$@" "$work/big.jsonl"; }
# No file of this size, which is more than the run writes itself: there is no shared memory.
run_small_files() { (ulimit -f 4096 && run "$@"); }

expect 0 '^6 passed, 0 failed' run "$port"
expect 1 '^2 passed, 4 failed' run_small_files "$port"
exit $failed
