#!/bin/sh
# usage: run.sh [PART COMPILER [FLAG...]]
# Uses sqt in every way in which a project can, from C and from C++, in a temporary folder. The program is always
# numerics_probe.c: it runs every stage and compares the bits.
#   PART      embed     add_subdirectory, FetchContent
#             install   cmake --install, then find_package and pkg-config where the installed tree was moved
#             flags     plain compiler calls on copied files, with flags that people use; or with FLAG..., to learn
#                       whether they keep the bits
#   COMPILER  gcc or clang, with its C++ compiler; 77 is returned where it does not exist
# Without arguments: all parts with both. CGLM names the folder of cglm where the compiler does not find it by itself.
set -eu
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)

if [ $# -eq 0 ]; then
    status=0
    for part in embed install flags; do
        for compiler in gcc clang; do
            printf '==== %s with %s\n' "$part" "$compiler"
            result=0
            sh "$0" "$part" "$compiler" || result=$?
            [ "$result" -eq 0 ] || [ "$result" -eq 77 ] || status=1
        done
    done
    exit "$status"
fi

part=$1 cc=$2
case $cc in
gcc) cxx=g++ ;;
clang) cxx=clang++ ;;
*)
    echo "usage: run.sh [embed|install|flags gcc|clang [FLAG...]]" >&2
    exit 2
    ;;
esac
shift 2
for program in "$cc" "$cxx"; do
    if ! command -v "$program" >/dev/null; then
        echo "skipped: there is no $program"
        exit 77
    fi
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
log=$work/log

fail() {
    printf 'failed: %s\n' "$*"
    exit 1
}

quietly() { # quietly COMMAND...: its output is shown where it fails
    "$@" >"$log" 2>&1 || {
        cat "$log"
        fail "$*"
    }
}

keeps_bits() { # keeps_bits WHAT PROGRAM
    "$2" >"$log" || {
        cat "$log"
        fail "$1 does not keep the bits"
    }
    printf '%s: %s\n' "$1" "$(tail -n 1 "$log")"
}

configure() { # configure SOURCE BUILD OPTION...
    source=$1 build=$2
    shift 2
    quietly cmake -S "$source" -B "$build" -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" \
        ${CGLM:+-DSQT_CGLM_INCLUDE_DIR="$CGLM"} "$@"
}

use() { # use PROJECT OPTION...: builds a project of this folder and runs its programs
    project=$1
    shift
    configure "$here/$project" "$work/$project" "$@"
    quietly cmake --build "$work/$project" -j 2
    keeps_bits "$project, C" "$(find "$work/$project" -name probe_c -type f)"
    keeps_bits "$project, C++" "$(find "$work/$project" -name probe_cxx -type f)"
}

# ---- add_subdirectory and FetchContent

embed() {
    use add_subdirectory -DSQT_SOURCE="$top"
    use fetch_content -DCMAKE_BUILD_TYPE=Release -DFETCHCONTENT_SOURCE_DIR_SQT="$top"
}

# ---- find_package and pkg-config

expected_tree() { # expected_tree LIBDIR: what an installation consists of, nothing else
    for header in "$top"/include/sqt/*.h; do echo "include/sqt/${header##*/}"; done
    for file in cmake/sqt/sqtConfig-release.cmake cmake/sqt/sqtConfig.cmake cmake/sqt/sqtConfigVersion.cmake \
        libsqt.a pkgconfig/sqt.pc; do
        echo "$1/$file"
    done
}

install_and_move() { # install_and_move LIBDIR: to "$moved"
    configure "$top" "$work/build" -DCMAKE_BUILD_TYPE=Release -DSQT_BUILD_TESTS=OFF -DSQT_BUILD_EXAMPLES=OFF \
        -DCMAKE_INSTALL_PREFIX="$work/prefix" -DCMAKE_INSTALL_LIBDIR="$1"
    quietly cmake --build "$work/build" -j 2
    quietly cmake --install "$work/build"
    expected_tree "$1" | sort >"$work/expected"
    (cd "$work/prefix" && find . ! -type d | sed 's|^\./||' | sort) >"$work/installed"
    diff "$work/expected" "$work/installed" || fail "other files are installed than expected"
    sed "s|^$work/prefix/||" "$work/build/install_manifest.txt" | tr -d '\r' | sort >"$work/manifest"
    [ -z "$(tail -c 1 "$work/manifest")" ] || echo >>"$work/manifest"
    diff "$work/expected" "$work/manifest" || fail "files are installed outside the prefix"
    rm -rf "$work/build"
    moved="$work/moved elsewhere"
    mv "$work/prefix" "$moved"
    strange=$(grep -rlF -e "$work" -e "$top" "$moved" || true)
    [ -z "$strange" ] || fail "files name the folder of the build: $strange"
    printf '%s files installed, and moved\n' "$(wc -l <"$work/expected")"
}

header_version() { # of base.h, as 0.1.0
    sed -n 's/^#define SQT_VERSION_[A-Z]* \([0-9]*\)$/\1/p' "$top/include/sqt/base.h" | paste -s -d . -
}

with_pkg_config() { # with_pkg_config WHAT COMPILER SOURCE
    eval "set -- \"\$1\" \"\$2\" \"\$3\" $(pkg-config --cflags --libs sqt)"
    what=$1 compiler=$2 source=$3
    shift 3
    quietly "$compiler" "$source" "$@" -o "$work/probe"
    keeps_bits "$what" "$work/probe"
}

install_package() {
    # Once with the folder of a multi-architecture system, once with the usual one.
    libdir=lib
    [ "$cc" = clang ] || libdir=lib/$(gcc -print-multiarch)
    install_and_move "${libdir%/}"
    use find_package -DCMAKE_PREFIX_PATH="$moved"
    export PKG_CONFIG_PATH="$moved/${libdir%/}/pkgconfig"
    [ "$(pkg-config --modversion sqt)" = "$(header_version)" ] || fail "sqt.pc and base.h state different versions"
    with_pkg_config 'pkg-config, C' "$cc" "$here/numerics_probe.c"
    with_pkg_config 'pkg-config, C++' "$cxx" "$here/numerics_probe.cc"
}

# ---- plain calls of the compiler

works() { # works FLAG...: whether a program that is built with these flags runs here
    echo 'int main(void) { return 0; }' | "$cc" "$@" -x c - -o "$work/works" >/dev/null 2>&1 && "$work/works"
}

compile() { # compile FLAG...: every source into the folder objects; the flags are free of spaces
    rm -rf "$work/objects"
    mkdir "$work/objects"
    (cd "$work/objects" && printf '%s\n' "$work"/sqt/src/*.c "$work"/sqt/src/simd/*.c |
        xargs -n 1 -P 2 "$cc" "$@" ${CGLM:+-isystem "$CGLM"} -I"$work/sqt/include" -c)
}

build_probe() { # build_probe COMPILER SOURCE FLAG...: with the objects
    compiler=$1 source=$2
    shift 2
    "$compiler" "$@" -I"$work/sqt/include" "$here/$source" "$work"/objects/*.o -lm -o "$work/probe"
}

try() { # try keeps|tells FLAG...: builds and runs; `tells` leaves it to the flags, if only the probe says so
    promise=$1
    shift
    if ! works "$@"; then
        printf 'not here: %s\n' "$*"
        return 0
    fi
    quietly compile "$@"
    for language in c cc; do
        if [ "$language" = c ]; then
            quietly build_probe "$cc" numerics_probe.c "$@"
        else
            # shellcheck disable=SC2046 # words without spaces
            quietly build_probe "$cxx" numerics_probe.cc $(printf '%s\n' "$@" | grep -v '^-std=')
        fi
        result=0
        "$work/probe" >"$log" 2>&1 || result=$?
        last=$(tail -n 1 "$log")
        case $promise:$result:$(grep -c 'THIS BUILD BREAKS' "$log") in
        keeps:0:0 | tells:0:0) outcome='same bits' ;;
        tells:1:1) outcome='BREAKS THE BITS, and the probe tells' ;;
        *)
            cat "$log"
            fail "$* (.$language): status $result, $last"
            ;;
        esac
        printf '%s (.%s): %s\n' "$*" "$language" "$outcome"
    done
}

refuses() { # refuses FLAG...: every source stops at the #error that names the flag
    for file in "$work"/sqt/src/*.c "$work"/sqt/src/simd/*.c; do
        if "$cc" "$@" ${CGLM:+-isystem "$CGLM"} -I"$work/sqt/include" -fsyntax-only "$file" >"$log" 2>&1; then
            fail "$* compiles ${file##*/}"
        fi
        grep -q '#error\|error: "sqt\|error: "32-bit' "$log" || fail "$*: ${file##*/} fails for another reason: $(cat "$log")"
    done
    printf '%s: every source refuses\n' "$*"
}

flags() { # flags [FLAG...]
    mkdir "$work/sqt"
    cp -R "$top/src" "$top/include" "$work/sqt"
    if [ $# -gt 0 ]; then
        try tells "$@"
        return
    fi
    refuses -ffast-math
    refuses -Ofast
    if works -m32; then refuses -m32 -mno-sse2; fi
    try keeps -std=c11 -O2
    # A program may be built with any flags: the headers do no arithmetic. -Ofast also makes the process flush denormals.
    quietly build_probe "$cc" numerics_probe.c -Ofast
    keeps_bits 'a program built with -Ofast' "$work/probe"
    # And the probe sees other bits where there are any.
    quietly "$cc" -Dmain=probe_main -I"$work/sqt/include" -c "$here/numerics_probe.c" -o "$work/objects/probe.o"
    quietly build_probe "$cc" round_upward.c
    result=0
    "$work/probe" >"$log" || result=$?
    if [ "$result" -ne 1 ] || ! grep -q '^scalar: blend gives other bits$' "$log"; then
        cat "$log"
        fail 'the probe does not see that a process rounds upward'
    fi
    echo 'rounding upward: the probe tells'

    try keeps -std=c11 -O0
    try keeps -std=gnu11 -O3 -march=native
    # clang's option overrides its own pragma; gcc heeds the pragma.
    if [ "$cc" = clang ]; then contracts=tells; else contracts=keeps; fi
    try "$contracts" -O2 -ffp-contract=fast -march=native
    # What each compiles in reasonable time: clang takes minutes for -O1 -fsanitize=undefined, gcc for all three.
    if [ "$cc" = clang ]; then
        try keeps -O0 -fsanitize=address,undefined -fno-sanitize-recover=all
    else
        try keeps -O1 -fsanitize=undefined -fno-sanitize-recover=all
    fi
}

case $part in
embed) embed ;;
install) install_package ;;
flags) flags "$@" ;;
*) fail "there is no part $part" ;;
esac
