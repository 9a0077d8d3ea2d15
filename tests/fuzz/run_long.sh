#!/bin/sh
# Builds the fuzz targets with clang, libFuzzer and the sanitizers, and runs so many executions in all: sh
# tests/fuzz/run_long.sh [EXECUTIONS]. Without a number, 5,000,000. SQT_FUZZ_BUILD names another folder than
# ./build-fuzz, SQT_FUZZ_SEED another seed than 1, SQT_FUZZ_TARGETS fewer targets. What is found stays in the build
# folder, in found/.
set -eu

executions=${1:-5000000}
case $executions in
'' | *[!0-9]*)
    echo "usage: sh tests/fuzz/run_long.sh [EXECUTIONS]" >&2
    exit 2
    ;;
esac

top=$(cd "$(dirname "$0")/../.." && pwd)
build=${SQT_FUZZ_BUILD:-$top/build-fuzz}
seed=${SQT_FUZZ_SEED:-1}
# shellcheck source=../need.sh
. "$top/tests/need.sh"
fuzzes() {
    echo 'int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n) { return d && n ? 0 : 0; }' |
        clang -fsanitize=fuzzer,address,undefined -x c - -o /dev/null
}
need clang has_program clang
need cmake has_program cmake
need make has_program make
need libcglm-dev has_header clang c cglm/cglm.h
need libtinygltf-dev has_header clang++ c++ tiny_gltf.h
need nlohmann-json3-dev has_header clang++ c++ nlohmann/json.hpp
install_needed
need "libclang-rt-$(clang -dumpversion | cut -d. -f1)-dev" fuzzes
install_needed

mkdir -p "$build/found"
echo "Building in $build ..." >&2
if ! { cmake -S "$top" -B "$build" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_COMPILER=clang \
    -DCMAKE_CXX_COMPILER=clang++ -DSQT_BUILD_FUZZ=ON -DSQT_BUILD_TESTS=OFF -DSQT_BUILD_EXAMPLES=ON &&
    cmake --build "$build" -j "$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)"; } >"$build/build.log" 2>&1; then
    cat "$build/build.log" >&2
    exit 1
fi

export ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1:quarantine_size_mb=16
export UBSAN_OPTIONS=print_stacktrace=1
run() { # run TARGET CORPUS PERCENT LARGEST_INPUT OPTION...: that part of the executions
    target=$1 committed=$top/tests/fuzz/corpus/$2 runs=$((executions * $3 / 100)) largest=$4
    shift 4
    case " ${SQT_FUZZ_TARGETS:-skeleton clip channel mesh skin motion blend gltf gltf_json} " in
    *" $target "*) ;;
    *) return 0 ;;
    esac
    corpus=$build/corpus/$target log=$build/$target.log
    mkdir -p "$corpus" # the first folder is the one that libFuzzer writes to
    echo "fuzz_$target: $runs executions ..." >&2
    started=$(date +%s)
    if "$build/tests/fuzz/fuzz_$target" -runs="$runs" -seed="$seed" -max_len="$largest" -timeout=25 \
        -rss_limit_mb=3000 -artifact_prefix="$build/found/$target-" -print_final_stats=1 "$@" "$corpus" "$committed" \
        >"$log" 2>&1; then
        verdict=clean
    else
        tail -n 60 "$log" >&2
        verdict=FOUND
        failed=1
    fi
    ran=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    total=$((total + ${ran:-0}))
    printf 'fuzz_%-9s %9s executions %6s s  %s\n' "$target" "${ran:-0}" "$(($(date +%s) - started))" "$verdict"
}

failed=0
total=0
run skeleton skeleton 12 500 -len_control=20
run clip clip 13 500 -len_control=20
run channel channel 12 700 -len_control=20
run mesh mesh 18 500 -len_control=20
run skin skin 10 500 -len_control=20
run motion motion 10 300 -len_control=20
run blend blend 8 400 -len_control=20
# Bytes at random, then files that stay JSON: more than half of these are read and played. Exceptions leave the frames
# that they pass in AddressSanitizer's second stack, where looking for a free one takes ever longer.
ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=0:quarantine_size_mb=16
run gltf gltf 5 4096 -len_control=20 -entropic=0 -dict="$top/tests/fuzz/gltf.dict"
run gltf_json gltf 12 4096 -len_control=0 -entropic=0
echo "$total executions in all, seed $seed"
exit $failed
