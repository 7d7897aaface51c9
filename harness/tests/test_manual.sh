#!/bin/sh
# Manual pages: one for each command, whole, and content for mandoc and groff, as far as these are there.
# Usage: test_manual.sh LASTBIT
set -u
lastbit=$1
. "$(dirname "$0")/expect.sh"

mkdir "$work/man"
"$lastbit" manual --output "$work/man" || wrong "manual --output"

# has_page WORD...: the page of this command has all options of its help.
has_page() {
    page=$work/man/$(echo lastbit "$@" | tr ' ' -).1
    [ -s "$page" ] || { wrong "no page of: $*"; return; }
    "$lastbit" manual "$@" >"$work/page" || wrong "manual $*"
    cmp -s "$page" "$work/page" || wrong "$page is not what \"manual $*\" prints"
    for section in NAME SYNOPSIS DESCRIPTION OPTIONS '"EXIT STATUS"'; do
        grep -qx "\\.SH $section" "$page" || wrong "$page: no section $section"
    done
    sed 's/\\-/-/g; s/\\f[BRI]//g' "$page" >"$work/plain"
    "$lastbit" help "$@" | sed -n 's/^ \{2,6\}\(-[a-zA-Z], \)\{0,1\}\(--[a-z-]*\).*/\2/p' >"$work/options"
    while read -r option; do
        grep -q -e "^\(-[a-zA-Z], \)\{0,1\}$option\([ []\|\$\)" "$work/plain" || wrong "$page: no $option"
    done <"$work/options"
}

has_page
"$lastbit" completion bash >"$work/bash" || wrong "completion bash"
# All commands, as the register has them.
sed -n "s/^    '\(.*\)')\$/\1/p" "$work/bash" >"$work/commands"
[ "$(wc -l <"$work/commands")" -gt 30 ] || wrong "only $(wc -l <"$work/commands") commands"
while read -r words; do
    # shellcheck disable=SC2086
    has_page $words
done <"$work/commands"
[ "$(find "$work/man" -name '*.1' | wc -l)" = "$(wc -l <"$work/commands")" ] || wrong "pages without a command"

"$lastbit" manual rnu >"$work/out" 2>&1 && wrong "a page of no command"
grep -q 'no such command; did you mean run' "$work/out" || wrong "manual rnu: $(cat "$work/out")"
"$lastbit" manual --output "$work/nowhere" 2>/dev/null
[ $? = 3 ] || wrong "pages into a folder that is not there"

tried=
if command -v mandoc >/dev/null 2>&1; then
    tried=mandoc
    mandoc -T lint -W warning "$work"/man/*.1 >"$work/lint" 2>&1 || { cat "$work/lint"; wrong "mandoc warns"; }
fi
if command -v groff >/dev/null 2>&1; then
    tried="$tried groff"
    for page in "$work"/man/*.1; do
        groff -ww -man -Tutf8 "$page" >/dev/null 2>"$work/warnings"
        [ ! -s "$work/warnings" ] || { cat "$work/warnings"; wrong "groff warns about $page"; }
    done
fi
echo "$(wc -l <"$work/commands") pages; held against: ${tried:-nothing, neither mandoc nor groff is installed (ci/setup test shells)}"
exit $failed
