#!/bin/sh
# usage: test_headers.sh INCLUDE CC [CXX]
# Each header in INCLUDE/sqt compiles alone, and twice, as C11 and (where there is a C++ compiler) as C++17, without a
# warning; it includes nothing but three headers of the C library and its own kind.
set -eu
export LC_ALL=C
include=$1 cc=$2 cxx=${3:-}
warnings='-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror'
failures=0

fail() {
    printf 'failed: %s\n' "$*"
    failures=$((failures + 1))
}

compile() { # compile NAME COMPILER OPTION...: the header NAME, twice
    name=$1
    shift
    # shellcheck disable=SC2086 # a list of words
    printf '#include <sqt/%s>\n#include <sqt/%s>\nint nothing_else;\n' "$name" "$name" |
        "$@" $warnings -fsyntax-only -I"$include" - || fail "$name: $*"
}

count=0
for header in "$include"/sqt/*.h; do
    name=${header##*/}
    count=$((count + 1))
    compile "$name" "$cc" -x c -std=c11
    [ -z "$cxx" ] || compile "$name" "$cxx" -x c++ -std=c++17
    strange=$(grep -E '^[[:space:]]*#[[:space:]]*include' "$header" |
        grep -vE '#include (<(stddef|stdint|stdbool)\.h>|"[a-z_]+\.h")$' || true)
    # The one header that converts for those who use cglm.
    [ -z "$strange" ] || [ "$name" = cglm.h ] || fail "$name: $strange"
    grep -q "#include \"$name\"" "$include/sqt/sqt.h" || [ "$name" = sqt.h ] || [ "$name" = cglm.h ] ||
        fail "$name is not in sqt.h"
done
printf '%s headers, as C11%s\n' "$count" "${cxx:+ and C++17}"
[ "$count" -ge 13 ] || fail "only $count headers were found"
[ "$failures" -eq 0 ]
