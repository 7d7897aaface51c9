#!/bin/sh
# Which profile a port of LiteRT kernels has, function by function: our own, and the same with one edit.
# Usage: test_litert_characterize.sh LASTBIT SOURCE_DIR C_COMPILER C_FLAGS
set -u
lastbit=$1 source=$2 compiler=$3 flags=$4
. "$(dirname "$0")/expect.sh"
kit=$source/harness/port_kit

# told LINE: it stands in what was told.
told() { grep -q -e "$1" "$work/out" || complain "expected to read: $1"; }

# port FILE EDIT: our implementation with this edit, as a library, in $port.
port() {
    rm -rf "$work/impl"
    mkdir "$work/impl"
    cp -r "$source/impl/litert" "$work/impl/litert"
    sed "$2" "$source/impl/litert/$1" >"$work/impl/litert/$1"
    cmp -s "$work/impl/litert/$1" "$source/impl/litert/$1" && wrong "'$2' changes nothing in $1"
    port=$work/changed.so
    # The options of this build are words.
    # shellcheck disable=SC2086
    expect 0 '' "$compiler" $flags -std=c17 -O1 -w -D_GNU_SOURCE= -DLB_KIT_NATIVE -fPIC -shared "-I$work" "-I$source" \
        "-I$work/impl/litert" "-I$work/impl/litert/include" "-I$kit" -o "$port" "$work"/impl/litert/*.c "$kit/lb_kit.c" \
        "$kit/port_litert.c" -lm
}

# ---- Ours has the profile in which it is asked, all of it ----
for profile in litert-double litert-single; do
    expect 0 "^characterized as: $profile\$" "$lastbit" characterize -n $profile
    for family in conv_2d add mul mean requantize; do told "^litert_$family: $profile ("; done
    for family in average_pool_2d max_pool_2d l2_normalization; do told "^litert_$family: all profiles give its bits ("; done
    grep -q -e unknown -e 'time was up' "$work/out" && complain "something is unknown"
done
expect 0 '^litert_mul_s8 departs from litert-single: it is litert-double$' "$lastbit" characterize --against litert-single litert_mul
expect 0 '^nothing that was settled departs from litert-double$' "$lastbit" characterize --against litert-double litert_mul

# ---- Kernels with weights that round once in a port that says it rounds twice ----
port weights.c 's/lb_litert_scale32(s->profile, /lb_litert_scale32(LB_LITERT_SINGLE, /'
expect 0 '^characterized as: several profiles, see above$' "$lastbit" characterize --port "$port"
told '^litert_conv_2d: litert-single (2 of 2 functions'
told '^litert_add: litert-double (4 of 4 functions'

# ---- Halves that are rounded up where they are rounded away from zero: no profile, and which is nearest ----
port fixed.h 's/ (mask >> 1) + (v < 0)/ (mask >> 1)/'
expect 1 '^litert_sub_s8: unknown: no profile gives its bits; nearest: litert-double, of whose [0-9]* elements' \
    "$lastbit" characterize --port "$port"
told '^litert_relu: all profiles give its bits (2 of 6 functions'
told '^    litert_relu6_s8$'

# ---- Two results for one call ----
port activation.c 's/^        int64_t y = lb_litert_scale32(profile, v, p->multiplier, p->shift);/        struct timespec now;\n        timespec_get(\&now, TIME_UTC);\n        int64_t y = now.tv_nsec % 199 - 99;/; 1i #include <time.h>'
expect 1 '^litert_relu_s8: unknown: the same call gave two results' "$lastbit" characterize --port "$port" litert_relu

# ---- Command lines ----
expect 2 'numerics of LiteRT are built-in profiles, and need no file' "$lastbit" characterize -o "$work/x.yaml" litert_mul
expect 2 'it is no profile of LiteRT' "$lastbit" characterize --against up-full litert_mul
expect 2 'litert_foo: no such family' "$lastbit" characterize litert_foo
expect 4 'characterized as: unknown' "$lastbit" characterize --port "$port" relu

exit $failed
