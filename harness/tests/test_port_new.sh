#!/bin/sh
# "lastbit port new" writes a port that compiles as it is against an installed lastbit and passes the suites; "lastbit port info" tells about ports.
# Usage: test_port_new.sh LASTBIT BINARY_DIR VECTORS C_COMPILER C_FLAGS
set -u
lastbit=$1 built=$2 vectors=$3 compiler=$4 flags=$5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# expect STATUS PATTERN COMMAND...
expect() {
    want=$1 pattern=$2
    shift 2
    "$@" >"$work/out" 2>&1
    got=$?
    if [ "$got" -ne "$want" ] || ! grep -q -e "$pattern" "$work/out"; then
        echo "FAILED: $*: exit status $got, expected $want; expected to read: $pattern"
        tail -n 20 "$work/out" | sed 's/^/  | /'
        failed=1
    fi
}

suites=$(find "$vectors" -maxdepth 1 -name '*.yaml' ! -name chains.yaml ! -name tolerance.yaml ! -name float4.yaml)
port=$work/my_port
expect 0 'a starting port' "$lastbit" port new "$port"
expect 2 'is not empty' "$lastbit" port new "$port"
expect 2 'No such file' "$lastbit" port new "$work/no/such/place"
expect 0 '' cmake --install "$built" --prefix "$work/prefix"
# Ninja: CMake's own choice is make, which nothing else here needs.
expect 0 '' cmake -G Ninja -S "$port" -B "$port/build" "-DCMAKE_C_COMPILER=$compiler" "-DCMAKE_C_FLAGS=$flags" "-DCMAKE_PREFIX_PATH=$work/prefix"
expect 0 '' cmake --build "$port/build"
# shellcheck disable=SC2086
{
    expect 0 '[1-9][0-9]* passed, 0 failed, 0 skipped' "$lastbit" run --quiet --port "$port/build/libmy_port.so" $suites
    expect 0 '[1-9][0-9]* passed, 0 failed, 0 skipped' "$lastbit" run --quiet --port "exec:$port/build/my_agent" $suites
}

# Its own kernel is the one that is called, and a function left out is skipped.
sed -i 's/return mli_krn_relu_fx8(in, cfg, out);/(void)in, (void)cfg, (void)out; return MLI_STATUS_NOT_SUPPORTED;/' "$port/own_kernels.c"
sed -i 's/# LB_WITHOUT_mli_krn_sigm_fx8/LB_WITHOUT_mli_krn_relu_fx16/' "$port/CMakeLists.txt"
expect 0 '' cmake --build "$port/build"
expect 1 'the port gave not_supported' "$lastbit" run --quiet --port "$port/build/libmy_port.so" "$vectors/relu.yaml"
expect 1 '[1-9][0-9]* skipped' "$lastbit" run --quiet --port "$port/build/libmy_port.so" "$vectors/relu.yaml"
expect 0 '^missing *mli_krn_relu_fx16' "$lastbit" port info "$port/build/libmy_port.so"
expect 0 '^restart *[0-9.]* ms' "$lastbit" port info "exec:$built/lastbit-agent"
expect 0 '^functions *[1-9]' "$lastbit" port info builtin
expect 2 'No such file' "$lastbit" port info "$work/nothing.so"
expect 2 'expected one of new, info' "$lastbit" port
expect 2 'sail: no such command' "$lastbit" port sail
expect 2 'no DIR given: expected a folder' "$lastbit" port new
expect 0 '^Usage: lastbit port new \[OPTION...\] DIR' "$lastbit" port new --help
exit $failed
