#!/bin/sh
# usage: test_symbols.sh ARCHIVE INCLUDE SOURCE [SANITIZERS]
# The library keeps no state but one word, and calls nothing but a few functions of the C library. Every function that
# the headers in the folder INCLUDE declare is in the ARCHIVE, and is called in SOURCE, the test of allocations.
# NM and SIZE name the programs to look with. Sanitizers add data and calls of their own: then there is nothing to see.
set -eu
export LC_ALL=C
archive=$1 include=$2 source=$3
nm=${NM:-nm} size=${SIZE:-size}
failures=0

if [ -n "${4:-}" ]; then
    echo "skipped: the library is built with sanitizers"
    exit 77
fi

fail() {
    printf 'failed: %s\n' "$*"
    failures=$((failures + 1))
}

# Tables of function pointers are constant once they are relocated: .data.rel.ro is no state.
sections=$("$size" -A "$archive")
writable=$(printf '%s\n' "$sections" |
    awk '$1 ~ /^\.(t?data|t?bss)(\.|$)/ && $1 !~ /^\.data\.rel\.ro/ && $2 > 0 { print $1, $2 }')
bytes=$(printf '%s\n' "$writable" | awk '{ sum += $2 } END { print sum + 0 }')
printf 'writable data: %s bytes\n' "$bytes"
[ "$bytes" -eq 4 ] || fail "writable data other than one word of 4 bytes: $writable"

symbols=$("$nm" "$archive")
common=$(printf '%s\n' "$symbols" | awk '$2 == "C" { print $3 }')
[ -z "$common" ] || fail "common symbols: $common"

defined=$(printf '%s\n' "$symbols" | awk 'NF == 3 && $2 ~ /[A-TV-Z]/ { print $3 }' | sort -u)
others=$(printf '%s\n' "$defined" | grep -v '^_\{0,1\}sqt_' || true)
[ -z "$others" ] || fail "names without the prefix sqt_: $others"

undefined=$(printf '%s\n' "$symbols" | awk '$1 == "U" { print $2 }' | sort -u)
for name in $undefined; do
    case $name in
    memcpy | memmove | memset | memcmp | strlen | strcmp | sqrt | sqrtf | floor | floorf) continue ;;
    __stack_chk_fail | _GLOBAL_OFFSET_TABLE_) continue ;; # what a distribution's compiler adds
    esac
    printf '%s\n' "$defined" | grep -qx "$name" || fail "calls $name"
done

count=0
headers=$(ls "$include"/sqt/*.h | grep -v '/cglm\.h$') # whose functions are static inline
# shellcheck disable=SC2086 # a list of files
public=$(sed -n 's/^[A-Za-z][A-Za-z0-9_ *]*[ *]\(sqt_[a-z0-9_]*\)(.*/\1/p' $headers | sort -u)
for name in $public; do
    count=$((count + 1))
    printf '%s\n' "$defined" | grep -qx "_\{0,1\}$name" || fail "$name is declared and not there"
    grep -q "[^a-z_]$name(" "$source" || fail "$name is not called in ${source##*/}"
done
printf '%s public functions\n' "$count"
[ "$count" -ge 158 ] || fail "only $count public functions were found"
[ "$failures" -eq 0 ]
