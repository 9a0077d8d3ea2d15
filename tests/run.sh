#!/bin/sh
# Builds everything in ./build and runs every test: sh tests/run.sh [--long|--mutate]
# --long runs the fuzzers (fuzz/run_long.sh) and the random tests at full length; --mutate asks, in place of all that,
# whether the tests see faults that are made on purpose (mutate.sh). Whatever is missing on Debian and its kin is
# installed first, without ever asking a question. Tests of real files look for them in the folder that SQT_ASSETS names
# (references and the evaluator in ../reference and ../oracle beside it); where it is not set they are skipped.
set -eu

fuzz=
case "$#:${1:-}" in
0:) ;;
1:--long)
    export SQT_RANDOM_FILES=300
    fuzz=yes
    ;;
1:--mutate) ;;
*)
    echo "usage: sh tests/run.sh [--long|--mutate]" >&2
    exit 2
    ;;
esac

top=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=need.sh
. "$top/tests/need.sh"
need_for_tests
need pkg-config has_program pkg-config # of tests/consumer
if [ -n "${SQT_ASSETS:-}" ]; then
    need python3 has_program python3
    # The tests run in a folder of their own.
    case $SQT_ASSETS in
    /*) ;;
    *) SQT_ASSETS=$PWD/$SQT_ASSETS ;;
    esac
    export SQT_ASSETS
else
    unset SQT_ASSETS
fi
install_needed
if [ "${1:-}" = --mutate ]; then exec sh "$top/tests/mutate.sh"; fi

jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
echo "Building in $top/build ..." >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { cmake -S "$top" -B "$top/build" -DCMAKE_BUILD_TYPE=Release -DSQT_BUILD_TESTS=ON -DSQT_BUILD_EXAMPLES=ON &&
    cmake --build "$top/build" -j "$jobs"; } >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
if [ -n "$fuzz" ]; then
    sh "$top/tests/fuzz/run_long.sh"
fi
cd "$top/build"
ctest --output-on-failure -j "$jobs"
