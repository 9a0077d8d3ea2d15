#!/bin/sh
# Builds the tool and plays an asset through the whole path: sh examples/run.sh [FILE]
# Without FILE it plays a character that is built in. Whatever is missing on Debian and its kin is installed first,
# without ever asking a question.
set -eu

top=$(cd "$(dirname "$0")/.." && pwd)

# shellcheck source=../tests/need.sh
. "$top/tests/need.sh"
need_for_build
install_needed

echo "Building in $top/build ..." >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { cmake -S "$top" -B "$top/build" -DCMAKE_BUILD_TYPE=Release -DSQT_BUILD_TESTS=OFF -DSQT_BUILD_EXAMPLES=ON &&
    cmake --build "$top/build" --target sqt_tool -j "$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)"; } >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi

"$top/build/bin/sqt" play "$@"
