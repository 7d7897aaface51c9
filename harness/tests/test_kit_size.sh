#!/bin/sh
# The kit stays small on a microcontroller: code under 16 KB, and nothing asked of the C library but four functions.
# Usage: test_kit_size.sh SOURCE_DIR
set -u
cd "$1/harness/port_kit" || exit 1
command -v arm-none-eabi-gcc >/dev/null || {
    echo "SKIPPED: arm-none-eabi-gcc is not installed (ci/setup cross)"
    exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for options in "" "-DLB_KIT_NATIVE"; do
    # shellcheck disable=SC2086
    arm-none-eabi-gcc -std=c99 -mcpu=cortex-m4 -mthumb -Os -Wall -Wextra -Wpedantic -Werror $options -I. -I../../impl/include \
        -I../../impl/include/api -c lb_kit.c -o "$work/kit.o" || exit 1
    text=$(arm-none-eabi-size "$work/kit.o" | awk 'NR == 2 { print $1 }')
    ram=$(arm-none-eabi-size "$work/kit.o" | awk 'NR == 2 { print $2 + $3 }')
    foreign=$(arm-none-eabi-nm -u "$work/kit.o" | awk '{ print $2 }' | grep -vE '^(mli_|lb_)|^(memcpy|memmove|memset|strlen)$')
    echo "lb_kit.c $options: $text bytes of code and constants, $ram bytes of RAM"
    [ "$text" -lt 16384 ] || exit 1
    [ -z "$foreign" ] || {
        echo "FAILED: the kit asks for $foreign"
        exit 1
    }
done
