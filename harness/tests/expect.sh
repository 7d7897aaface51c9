# Sourced by tests of the command line: `. "$(dirname "$0")/expect.sh"`. A work folder that goes away with the test, and
# commands held to an exit status and a pattern. A test ends with `exit $failed`.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# wrong WORD...: something is not as it must be.
wrong() {
    echo "FAILED: $*"
    failed=1
}

# complain WORD...: the same, with what the last command told.
complain() {
    wrong "$@"
    sed 's/^/  | /' "$work/out" | head -n 20
}

# expect STATUS PATTERN COMMAND...: its exit status, and a pattern that standard output or standard error must show; ''
# is none. What was told stands in $work/out.
expect() {
    want=$1 pattern=$2
    shift 2
    "$@" >"$work/out" 2>&1
    got=$?
    if [ "$got" -ne "$want" ] || { [ -n "$pattern" ] && ! grep -q -e "$pattern" "$work/out"; }; then
        complain "$* (exit status $got, expected $want; expected to read: $pattern)"
    fi
}
