#!/bin/sh
# Builds everything in ./build and runs every test: sh tests/run.sh [--long]
# --long runs the random tests at full length. Whatever is missing on Debian and its kin is installed first, without
# ever asking a question. Tests of real files look for them in the folder that SQT_ASSETS names (references and the
# evaluator in ../reference and ../oracle beside it); where it is not set they are skipped.
set -eu

case "$#:${1:-}" in
0:) ;;
1:--long) export SQT_RANDOM_FILES=300 ;;
*)
    echo "usage: sh tests/run.sh [--long]" >&2
    exit 2
    ;;
esac

top=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=need.sh
. "$top/tests/need.sh"
need_for_tests
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

jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
echo "Building in $top/build ..." >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { cmake -S "$top" -B "$top/build" -DCMAKE_BUILD_TYPE=Release -DSQT_BUILD_TESTS=ON -DSQT_BUILD_EXAMPLES=ON &&
    cmake --build "$top/build" -j "$jobs"; } >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
cd "$top/build"
ctest --output-on-failure -j "$jobs"
