#!/bin/sh
# Builds the tool and plays an asset through the whole path: sh examples/run.sh [FILE]
# Without FILE it plays a character that is built in. Whatever is missing on Debian and its kin is installed first,
# without ever asking a question.
set -eu

top=$(cd "$(dirname "$0")/.." && pwd)

# shellcheck source=../tests/need.sh
. "$top/tests/need.sh"
need gcc has_program cc
need g++ has_program c++
need cmake has_program cmake
need make has_program make
# Where there is no compiler yet, no header is found either, and all are asked for: apt-get skips what is there.
need libcglm-dev has_header cc c cglm/cglm.h
need libtinygltf-dev has_header c++ c++ tiny_gltf.h
need nlohmann-json3-dev has_header c++ c++ nlohmann/json.hpp
need libpng-dev has_header cc c png.h
install_needed

echo "Building in $top/build ..." >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { cmake -S "$top" -B "$top/build" -DCMAKE_BUILD_TYPE=Release -DSQT_BUILD_TESTS=OFF -DSQT_BUILD_EXAMPLES=ON &&
    cmake --build "$top/build" --target sqt_tool; } >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi

"$top/build/bin/sqt" play "$@"
