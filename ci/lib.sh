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

# lb_configure_and_build PRESET TARGET [CMAKE-ARGUMENT...]: shows everything where something is wrong, else the progress of
# the build on a terminal, and in a log nothing.
lb_configure_and_build() {
    lb_preset=$1
    lb_target=$2
    shift 2
    mkdir -p "build/$lb_preset"
    lb_log=build/$lb_preset/configure.log
    if ! cmake --preset "$lb_preset" "$@" >"$lb_log" 2>&1; then
        cat "$lb_log"
        echo "cmake --preset $lb_preset failed"
        return 1
    fi
    if [ -t 1 ]; then
        cmake --build --preset "$lb_preset" --target "$lb_target"
    else
        cmake --build --preset "$lb_preset" --target "$lb_target" -- --quiet
    fi
}
