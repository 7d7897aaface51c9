#!/bin/bash
# Completions: what bash, zsh and fish offer for command lines, as far as these shells are there.
# Usage: test_completion.sh LASTBIT
set -u
lastbit=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# Where each command line may go on: what the shell is asked with | a word that it must offer.
lines() {
    cat <<'LINES'
lastbit vec|vectors
lastbit vectors chec|check
lastbit report mer|merge
lastbit run --guar|--guard
lastbit run --guard er|error
lastbit run --judge tol|tolerance
lastbit vectors list --lo|--long
lastbit vectors strength --level sta|standard
lastbit cast --to bfl|bfloat16
lastbit encodings convert --to 0|0.6.1
lastbit run --profile convergent-r|convergent-reduced
lastbit run --level smo|smoke
lastbit run --function mli_krn_relu_f|mli_krn_relu_fx8
lastbit sweep mli_krn_tanh|mli_krn_tanh_fx16
lastbit port functions mli_krn_lstm_cell_f|mli_krn_lstm_cell_fx16
lastbit rule numerics.4|numerics.4.2
lastbit run vectors/fully|vectors/fully_connected.yaml
lastbit vectors check vectors/recorded/lst|vectors/recorded/lstm.jsonl
LINES
}

# check SHELL LINE WORD OFFERED
check() {
    case " $4 " in
        *" $3 "*) ;;
        *)
            echo "FAILED: $1: \"$2\": no $3 in: $4"
            failed=1
            ;;
    esac
}

offered_by_bash() {
    # shellcheck disable=SC2206
    COMP_WORDS=($1)
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    COMPREPLY=()
    _lastbit
    echo "${COMPREPLY[*]}"
}

# What the script gives zsh's own _describe and _arguments for the line: they complete in a terminal only.
offered_by_zsh() {
    cat >"$work/ask.zsh" <<'ZSH'
compdef() { }
_describe() { print -r -- ${${(P)2}%%:*} }
_arguments() { print -r -- ${${${${@:#-s}//[()]/ }//\[*\]/ }//=/ } }
words=(${=1}) CURRENT=${#words}
source $2
_lastbit
ZSH
    timeout 10 zsh -f "$work/ask.zsh" "$1" "$work/_lastbit"
}

"$lastbit" completion bash >"$work/bash" && "$lastbit" completion zsh >"$work/_lastbit" &&
    "$lastbit" completion fish >"$work/fish" || exit 1
# Names of functions stand in a script once.
for script in bash _lastbit fish; do
    [ "$(grep -o 'mli_krn_tanh_fx16' "$work/$script" | wc -l)" = 1 ] || { echo "FAILED: $script: a function several times"; failed=1; }
done
tried=bash
# shellcheck source=/dev/null
source "$work/bash"
while IFS='|' read -r line word; do
    check bash "$line" "$word" "$(offered_by_bash "$line")"
done < <(lines)
for option in $("$lastbit" help run | sed -n 's/^ \{2,6\}\(-[a-z], \)\{0,1\}\(--[a-z-]*\).*/\2/p'); do
    check bash "lastbit run --" "$option" "$(offered_by_bash "lastbit run --")"
done
touch "$work/a_suite.yaml"
# No files where none belong.
cd "$work" || exit 1
touch smoke.yaml 12 mli_krn_relu_fx8.yaml numerics.yaml
for line in 'lastbit run vectors/toler' 'lastbit run --level smo' 'lastbit run --jobs 1' 'lastbit sweep mli_krn_re' 'lastbit rule nume' 'lastbit run --case smo'; do
    case $(offered_by_bash "$line") in
        *yaml* | *12*) echo "FAILED: bash: \"$line\": files are offered: $(offered_by_bash "$line")"; failed=1 ;;
    esac
done
check bash "a file" "$work/a_suite.yaml" "$(offered_by_bash "lastbit run $work/a_su")"

if command -v zsh >/dev/null 2>&1; then
    tried="$tried zsh"
    while IFS='|' read -r line word; do
        check zsh "$line" "$word" "$(offered_by_zsh "$line")"
    done < <(lines)
fi
if command -v fish >/dev/null 2>&1; then
    tried="$tried fish"
    while IFS='|' read -r line word; do
        check fish "$line" "$word" "$(HOME=$work fish -c "source $work/fish; complete -C '$line'" 2>&1 | cut -f 1 | tr '\n' ' ')"
    done < <(lines)
fi
"$lastbit" completion csh >"$work/out" 2>&1 && failed=1
grep -q 'csh: expected bash, zsh or fish' "$work/out" || { echo "FAILED: completion csh"; failed=1; }
echo "tried: $tried (ci/setup shells brings all)"
exit $failed
