#!/bin/sh
# "lastbit port new" writes a port that compiles as it is against an installed lastbit and passes the suites; "lastbit port info" tells about ports.
# Usage: test_port_new.sh LASTBIT BINARY_DIR VECTORS C_COMPILER C_FLAGS
set -u
lastbit=$1 built=$2 vectors=$3 compiler=$4 flags=$5
. "$(dirname "$0")/expect.sh"

suites=$(find "$vectors" -maxdepth 1 -name '*.yaml' ! -name chains.yaml ! -name tolerance.yaml ! -name float4.yaml)
port=$work/my_port
expect 0 'a starting port' "$lastbit" port new "$port"
expect 2 'is not empty' "$lastbit" port new "$port"
expect 2 "make this one first: mkdir -p .*/no/such/" "$lastbit" port new "$work/no/such/place"
expect 0 . cmake --install "$built" --prefix "$work/prefix"
# Ninja: CMake's own choice is make, which nothing else here needs.
expect 0 . cmake -G Ninja -S "$port" -B "$port/build" "-DCMAKE_C_COMPILER=$compiler" "-DCMAKE_C_FLAGS=$flags" "-DCMAKE_PREFIX_PATH=$work/prefix"
expect 0 . cmake --build "$port/build"
# shellcheck disable=SC2086
{
    expect 0 '[1-9][0-9]* passed, 0 failed, 0 skipped' "$lastbit" run --port "$port/build/libmy_port.so" $suites
    expect 0 '[1-9][0-9]* passed, 0 failed, 0 skipped' "$lastbit" run --port "exec:$port/build/my_port_agent" $suites
}

# Its own kernel is the one that is called, and a function left out is skipped.
sed -i 's/return mli_krn_relu_fx8(in, cfg, out);/(void)in, (void)cfg, (void)out; return MLI_STATUS_NOT_SUPPORTED;/' "$port/own_kernels.c"
sed -i 's/# LB_WITHOUT_mli_krn_sigm_fx8/LB_WITHOUT_mli_krn_relu_fx16/' "$port/CMakeLists.txt"
expect 0 . cmake --build "$port/build"
expect 1 'the port gave not_supported' "$lastbit" run --port "$port/build/libmy_port.so" "$vectors/relu.yaml"
expect 1 '[1-9][0-9]* skipped' "$lastbit" run --port "$port/build/libmy_port.so" "$vectors/relu.yaml"
expect 0 '^missing *mli_krn_relu_fx16' "$lastbit" port info "$port/build/libmy_port.so"
expect 0 '^restart *[0-9.]* ms' "$lastbit" port info "exec:$built/lastbit-agent"
expect 0 '^functions *[1-9]' "$lastbit" port info builtin
expect 2 'No such file' "$lastbit" port info "$work/nothing.so"
# The commands that it prints, in a place of their own: from the build folder, and from an installed prefix that was moved.
# try_new PROGRAM PATTERN NAME OPTION...
try_new() {
    program=$1 pattern=$2 name=$3
    shift 3
    mkdir -p "$work/user" && cd "$work/user" && rm -rf "./$name"
    "$program" port new "$@" "$name" >told || wrong "port new $*"
    # Only what the time of this test needs: a compiler's flags, Ninja, one profile.
    sed -n 's/^  //p' told | sed "s|^cmake |cmake -G Ninja -DCMAKE_C_FLAGS='$flags' |; s|^cmake -G Ninja \(.*\) -G Ninja|cmake -G Ninja \1|
        s| run --port| run --level smoke --profile up-full --port|" >commands
    [ "$(wc -l <commands)" = 2 ] || wrong "port new $* prints other than two commands"
    expect 0 "$pattern" sh -e commands
    cd - >/dev/null || exit 1
}
mv "$work/prefix" "$work/moved"
try_new "$lastbit" '^[1-9][0-9]* passed, 0 failed' first
try_new "$work/moved/bin/lastbit" '^[1-9][0-9]* passed, 0 failed' dsp7
[ -s "$work/user/dsp7/build/libdsp7.so" ] || wrong "names do not follow the port's"
expect 0 "^functions *150 of 150, and 0 of lastbit's 20 extensions" "$lastbit" port info "$work/user/dsp7/build/libdsp7.so"
try_new "$work/moved/bin/lastbit" '^[1-9][0-9]* passed, 0 failed' theirs \
    --include "$work/moved/include" --include "$work/moved/include/api" --library "$(find "$work/moved" -name 'libmli*.a')"
try_new "$work/moved/bin/lastbit" 'Functions provided: 2 of ' cores --native
# What it lacks is told in one line, and listed where somebody asks.
expect 0 '^missing *148: --missing lists them$' "$lastbit" port info "$work/user/cores/build/libcores.so"
grep -q mli_krn_conv2d "$work/out" && complain "port info lists 148 functions unasked"
expect 0 '^missing *mli_krn_conv2d' "$lastbit" port info --missing "$work/user/cores/build/libcores.so"
[ "$(grep -c '^\(missing\|  *\) *mli_' "$work/out")" = 148 ] || complain "port info --missing lists other than 148 functions"
# What it does not tell is nobody's difference: fields of outputs, refusals.
if [ -s "$work/user/cores/build/libcores.so" ]; then
    expect 0 'all oracles agree' "$lastbit" explain --port "$work/user/cores/build/libcores.so" "$vectors/relu.yaml" \
        --case relu_fx8.relu6.format_copied --profile up-full
    expect 0 'not called: the case asks for a refusal' "$lastbit" explain --port "$work/user/cores/build/libcores.so" \
        "$vectors/relu.yaml" --case relu_fx8.bad.type_before_shape --profile up-full
fi
try_new "$work/moved/bin/lastbit" '^[1-9][0-9]* passed, 0 failed' 'far away' --agent
try_new "$work/moved/bin/lastbit" 'Functions provided: 2 of ' "a b's" --native
# A configuration key that no function has; one of another function is 0.
if [ -f "$work/user/cores/kernels.c" ]; then
    cp "$work/user/cores/kernels.c" "$work/kernels.c"
    sed -i 's/call, "type", 0/call, "tpye", 0/' "$work/user/cores/kernels.c"
    expect 0 'Linking' cmake --build "$work/user/cores/build"
    for way in "$work/user/cores/build/libcores.so" "exec:$work/user/cores/build/cores_agent"; do
        expect 1 'asks lb_native_number for "tpye", and no function has such a key: did you mean type' \
            "$lastbit" run --profile up-full --port "$way" "$vectors/relu.yaml" "$vectors/faults_permute.jsonl"
    done
    grep -q '^[1-9][0-9]* passed, [1-9][0-9]* failed' "$work/out" || wrong "kernels that ask for keys that exist do not pass"
    sed 's/call, "type", 0/call, "axis", 0/' "$work/kernels.c" >"$work/user/cores/kernels.c"
    expect 0 'Linking' cmake --build "$work/user/cores/build"
    expect 1 'the port gave' "$lastbit" run --level smoke --profile up-full --port "$work/user/cores/build/libcores.so" "$vectors/relu.yaml"
    grep -q 'no function has such a key' "$work/out" && wrong "a key of other functions is told as none"
fi
# A function's name as a plain text: nothing holds it to the list, so the port's files are looked through.
if [ -f "$work/kernels.c" ]; then
    none='is no function.s name'
    sed 's/LB_NATIVE_NAME(mli_krn_relu_fx8)/"mli_krn_rely_fx8"/' "$work/kernels.c" >"$work/user/cores/kernels.c"
    expect 0 'Linking' cmake --build "$work/user/cores/build"
    for way in "$work/user/cores/build/libcores.so" "exec:$work/user/cores/build/cores_agent"; do
        expect 0 '"mli_krn_rely_fx8" is no function.s name.*did you mean mli_krn_relu_fx8?' "$lastbit" port info "$way"
    done
    expect 0 "$none" "$lastbit" run --profile up-full --port "$work/user/cores/build/libcores.so" "$vectors/faults_permute.jsonl"
    sed 's/LB_NATIVE_NAME(mli_krn_relu_fx8)/"mli_krn_relu_fx8"/' "$work/kernels.c" >"$work/user/cores/kernels.c"
    expect 0 'Linking' cmake --build "$work/user/cores/build"
    expect 0 'native' "$lastbit" port info "$work/user/cores/build/libcores.so"
    grep -q "$none" "$work/out" && wrong "a name that is right is told as none"
    cp "$work/kernels.c" "$work/user/cores/kernels.c"
fi
sed -i 's/LB_NATIVE_NAME(mli_krn_relu_fx8)/LB_NATIVE_NAME(mli_krn_rely_fx8)/' "$work/user/cores/kernels.c"
expect 1 'LB_NATIVE_IS_mli_krn_rely_fx8' cmake --build "$work/user/cores/build"
if command -v arm-none-eabi-gcc >/dev/null 2>&1 && command -v qemu-system-arm >/dev/null 2>&1; then
    flags='-Os -mcpu=cortex-m4 -mthumb -ffunction-sections -fdata-sections' # not those of this machine
    try_new "$work/moved/bin/lastbit" 'Functions provided: 2 of ' board --bare-metal
else
    echo "not tried: --bare-metal (ci/setup cross)"
fi
expect 2 'expected one of --mli' "$lastbit" port new --native --agent "$work/x"
expect 2 'go together' "$lastbit" port new --include "$work" "$work/x"
expect 2 'nowhere: No such file' "$lastbit" port new --include "$work/nowhere" --library m "$work/x"
expect 2 'begins with a letter' "$lastbit" port new "$work/1x"

# Functions, with what a call consists of.
expect 0 '^  config  *type (none|gen|relu1|relu6)$' "$lastbit" port functions mli_krn_relu_fx8
expect 0 '^  weights  *sa8, read$' "$lastbit" port functions '*fully_connected_sa8*'
[ "$("$lastbit" port functions softmax | grep '^mli_')" = "$("$lastbit" port functions 'softmax_*' | grep '^mli_')" ] ||
    wrong "port functions: a part of a name and a pattern differ"
[ "$("$lastbit" port functions mli_krn_conv2d_hwcn_sa8_sa8_sa32 | grep -c '^mli_')" = 1 ] ||
    wrong "port functions: a name is taken for a part of others"
expect 2 'did you mean mli_krn_relu_fx8' "$lastbit" port functions mli_krn_rely_fx8
[ "$("$lastbit" port functions | grep -c '^mli_')" = 170 ] || wrong "port functions: not all"
expect 0 '"key":"stride_width","type":"u8","count":1,"may_be_short":false,"required":true,"sort":"step","neutral":1' \
    "$lastbit" port functions --json mli_krn_conv2d_hwcn_fx16
expect 0 '"function":"mli_krn_sigm_create_lut".*"fills":\[{"key":"type"' "$lastbit" port functions --json sigm_create_lut
[ "$("$lastbit" port functions --json | grep -c '"set":"mli","tried":true')" = 170 ] || wrong "port functions --json: not all"
[ "$("$lastbit" port functions --json 'litert_*' | grep -c '"set":"litert","tried":true')" = 60 ] || wrong "port functions --json: not all of LiteRT"
"$lastbit" port functions --json | python3 -c 'import json, sys; json.load(sys.stdin)' || wrong "port functions --json"
expect 2 'no function matches' "$lastbit" port functions --json nothing

expect 2 'expected one of new, info' "$lastbit" port
expect 2 'sail: no such command' "$lastbit" port sail
expect 2 'no DIR given: expected a folder' "$lastbit" port new
expect 0 '^Usage: lastbit port new \[OPTION...\] DIR' "$lastbit" port new --help
exit $failed
