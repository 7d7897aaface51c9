# Helpers of the scripts in this folder; they are sourced, never run.
# A script sets lb_root (the tree) before it sources this file.

lb_started=$(date +%s)

# A heading with the seconds since the script began.
lb_step() {
    printf '== [%3d s] %s\n' $(($(date +%s) - lb_started)) "$*"
}

lb_cores() {
    getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1
}

# lb_logged LOG WHAT COMMAND...: runs the command with its output in LOG. If it fails: the last lines of that, and what
# failed; the exit status is the command's.
lb_logged() {
    lb_log=$1
    lb_what=$2
    shift 2
    lb_ended=0
    "$@" >"$lb_log" 2>&1 || lb_ended=$?
    [ "$lb_ended" != 0 ] || return 0
    tail -n 20 "$lb_log"
    echo "$lb_what failed with status $lb_ended (the whole log: $lb_log)"
    return "$lb_ended"
}

# The files of the tree in the current folder: what git tracks or would add, or, where there is no repository
# (a released archive) or git refuses to read it (another owner), everything outside build folders.
lb_files() {
    if [ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$(pwd -P)" ]; then
        git ls-files --cached --others --exclude-standard | while IFS= read -r lb_file; do
            [ ! -f "$lb_file" ] || printf '%s\n' "$lb_file"
        done
    else
        find . \( -name .git -o -path './build*' \) -prune -o -type f -print | sed 's,^\./,,'
    fi | LC_ALL=C sort
}

# lb_configure_and_build PRESET TARGET [CMAKE-ARGUMENT...]: shows what is wrong, else the progress of the build on a
# terminal, and in a log nothing.
lb_configure_and_build() {
    lb_preset=$1
    lb_target=$2
    shift 2
    mkdir -p "build/$lb_preset"
    lb_logged "build/$lb_preset/configure.log" "cmake --preset $lb_preset" cmake --preset "$lb_preset" "$@" || return 1
    set --
    [ -t 1 ] || set -- -- --quiet
    cmake --build --preset "$lb_preset" --target "$lb_target" "$@" || {
        echo "cmake --build --preset $lb_preset --target $lb_target failed"
        return 1
    }
}
