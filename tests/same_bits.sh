#!/bin/sh
# The same bits with every compiler, optimisation, instruction set and machine that is at hand:
#
#     sh tests/same_bits.sh [--all] [--import PROGRAM] [FOLDER]
#
# Builds tests/same_bits.c with the library in FOLDER (else in one that is removed at the end), once for each line of
# the table below, and runs it: the embedded character against the hashes of same_bits_golden.h, and real files, whose
# hashes have to be the same in every build. Each run takes all instruction sets, with denormals and without.
#
# --all      a missing toolchain is an error; else its lines are left out
# --import   the program same_bits_import of a build, which makes raw numbers of glTF files: those of tests/data and of
#            the folder that SQT_ASSETS names. Default: that of build/.
#
#     sh tests/same_bits.sh --files SAME_BITS IMPORT FOLDER
#
# Runs one build on the real files alone.
#
# After a change of bits that is meant (SQT_NUMERICS_VERSION then goes up), of the stages or of the character, the
# hashes are renewed by
#     build/tests/same_bits --golden >tests/same_bits_golden.h
set -eu

top=$(cd "$(dirname "$0")/.." && pwd)

# NAME|COMPILER|FLAGS OF THE LIBRARY|FLAGS OF EVERYTHING|RUN BY
#
# Not here, because they break the promise and are known to:
# - clang -ffp-contract=fast: it overrides the pragma in the sources. (gcc's optimize pragma overrides the flag.)
# - emcc -msimd128 -O2 with SLP vectorisation, its default: that of emscripten 3.1.6 has changed results of valid loops.
# - -ffast-math, and 32-bit x86 without -msse2 -mfpmath=sse: the sources refuse them.
table() {
    cat <<'END'
gcc-O2|gcc|-std=c11 -O2||
gcc-O0|gcc|-std=c11 -O0||
gcc-O1|gcc|-std=c11 -O1||
gcc-O3|gcc|-std=c11 -O3||
gcc-gnu-native|gcc|-std=gnu11 -O3 -march=native||
gcc-native-contract|gcc|-std=c11 -O3 -march=native -ffp-contract=fast||
clang-O0|clang|-std=c11 -O0||
clang-O1|clang|-std=c11 -O1||
clang-O2|clang|-std=c11 -O2||
clang-O3|clang|-std=c11 -O3||
clang-gnu-native|clang|-std=gnu11 -O3 -march=native||
gcc-m32|gcc|-std=c11 -O2|-m32 -msse2 -mfpmath=sse|
clang-m32|clang|-std=c11 -O2|-m32 -msse2 -mfpmath=sse|
aarch64-gcc-O0|aarch64-linux-gnu-gcc|-std=c11 -O0|-static|qemu-aarch64-static
aarch64-gcc-gnu-O3|aarch64-linux-gnu-gcc|-std=gnu11 -O3|-static|qemu-aarch64-static
aarch64-clang-O2|clang|-std=c11 -O2|--target=aarch64-linux-gnu -static|qemu-aarch64-static
wasm-simd|emcc|-std=c11 -O2 -msimd128 -fno-slp-vectorize||node
wasm-scalar|emcc|-std=c11 -O2||node
END
}

# Debian has emscripten's modules for node outside of node's own folder.
NODE_PATH=${NODE_PATH:-}${NODE_PATH:+:}/usr/share/nodejs
export NODE_PATH

import_files() { # import_files IMPORT FOLDER: FOLDER/*.raw
    mkdir -p "$2"
    for file in "$top"/tests/data/*.gltf "${SQT_ASSETS:-/nowhere}"/*.gltf "${SQT_ASSETS:-/nowhere}"/*.glb; do
        [ -f "$file" ] || continue
        "$1" "$file" "$2/$(basename "$file").raw"
    done
}

line_of() { # line_of NAME: sets compiler, library, common, runner
    line=$(table | grep "^$1|")
    compiler=$(echo "$line" | cut -d'|' -f2)
    library=$(echo "$line" | cut -d'|' -f3)
    common=$(echo "$line" | cut -d'|' -f4)
    runner=$(echo "$line" | cut -d'|' -f5)
}

usable() { # usable: whether what the line names can build and run a program
    [ -z "$runner" ] || command -v "$runner" >/dev/null 2>&1 || return 1
    command -v "$compiler" >/dev/null 2>&1 || return 1
    [ "$compiler" = emcc ] && return 0
    # shellcheck disable=SC2086 # flags are lists of words
    printf '#include <stdio.h>\n#include <math.h>\nint main(void) { return puts("") < 0; }\n' |
        "$compiler" $common -x c - -o /dev/null >/dev/null 2>&1
}

# shellcheck disable=SC2086 # flags are lists of words
compile() { # compile FOLDER: FOLDER/same_bits, or same_bits.js
    link=
    [ "$compiler" != emcc ] || link='-sNODERAWFS=1 -sALLOW_MEMORY_GROWTH=1 -sSINGLE_FILE=1'
    mkdir -p "$1/library" "$1/test" || return
    (cd "$1/library" && $compiler $library $common -isystem "$folder/include" -I"$top/include" -c \
        "$top"/src/*.c "$top"/src/simd/*.c) || return
    # What makes the inputs has no pragmas: it is never to be contracted.
    (cd "$1/test" && $compiler -std=c11 -O1 -ffp-contract=off $common -I"$top/include" -I"$top/examples/asset" -c \
        "$top/tests/same_bits.c" "$top/tests/same_bits_input.c" "$top/tests/same_bits_raw.c" \
        "$top/tests/same_bits_stages.c" "$top/examples/asset/asset.c" "$top"/examples/asset/character*.c) || return
    $compiler -O1 $common $link "$1"/test/*.o "$1"/library/*.o -lm -o "$1/$program"
}

build_and_run() { # build_and_run NAME: one line of the table, in $folder
    line_of "$1"
    here=$folder/$1
    mkdir -p "$here"
    program=same_bits
    [ "$compiler" != emcc ] || program=same_bits.js
    started=$(date +%s)
    if ! compile "$here" >"$here/compiled" 2>&1; then
        cat "$here/compiled"
        echo "$1: does not build"
        return 1
    fi
    built=$(date +%s)
    status=same
    # shellcheck disable=SC2086 # may be empty
    {
        $runner "$here/$program" >"$here/character" 2>"$here/messages" || status=DIFFERENT
        : >"$here/real"
        if [ -n "$(ls "$folder/raw")" ]; then
            (cd "$folder/raw" && $runner "$here/$program" ./*.raw) >"$here/real" 2>>"$here/messages" || status=DIFFERENT
        fi
    }
    printf '%-20s %-10s %s (%d s to build, %d s to run)\n' "$1" "$status" "$(grep -m1 sets: "$here/messages" || true)" \
        $((built - started)) $(($(date +%s) - built))
    if [ $status != same ]; then
        grep -v '^sets:' "$here/messages" | head -n 40
        return 1
    fi
}

case ${1:-} in
--files)
    raw=$4/raw
    rm -rf "$raw"
    import_files "$3" "$raw"
    exec "$2" "$raw"/*.raw
    ;;
--one) # as xargs calls it, with the folder in the environment
    build_and_run "$2"
    exit
    ;;
esac

all=
import=$top/build/tests/same_bits_import
folder=
while [ $# -gt 0 ]; do
    case $1 in
    --all) all=1 ;;
    --import)
        import=$2
        shift
        ;;
    -*)
        sed -n '4p' "$0" >&2
        exit 2
        ;;
    *) folder=$1 ;;
    esac
    shift
done
if [ -z "$folder" ]; then
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
fi
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
export folder
started=$(date +%s)

rm -rf "$folder/raw" "$folder/include"
mkdir -p "$folder/raw" "$folder/include"
# A compiler for another machine looks elsewhere. A folder that holds only cglm hides nothing of that machine's headers.
cglm=$(echo '#include <cglm/cglm.h>' | "${CC:-cc}" -M -x c - | tr ' ' '\n' | grep '/cglm/cglm\.h$')
ln -s "$(dirname "$cglm")" "$folder/include/cglm"
if [ -x "$import" ]; then
    import_files "$import" "$folder/raw"
elif [ -n "$all" ]; then
    echo "There is no $import: build the project first." >&2
    exit 1
else
    echo "No same_bits_import: real files are left out." >&2
fi

names=
for name in $(table | cut -d'|' -f1); do
    line_of "$name"
    if usable; then
        names="$names $name"
    elif [ -n "$all" ] && [ "$common" = "${common#-m32}" ]; then # 32-bit headers are not asked for
        echo "$name: there is no $compiler, or no $runner" >&2
        exit 1
    else
        echo "$name: left out"
    fi
done

failed=0
# shellcheck disable=SC2086 # a list of words
printf '%s\n' $names | xargs -n 1 -P "$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)" sh "$0" --one || failed=1

first=${names# }
first=${first%% *}
for name in $names; do
    for part in character real; do
        if ! cmp -s "$folder/$first/$part" "$folder/$name/$part"; then
            echo "$name gives other bits than $first:"
            diff "$folder/$first/$part" "$folder/$name/$part" | head -n 20
            failed=1
        fi
    done
done
[ $failed = 0 ] || exit 1
awk '/ all / { bytes += $(NF - 1) } END { print "bytes hashed in each run of a set: " bytes }' \
    "$folder/$first/character" "$folder/$first/real"
echo "the same bits in $(echo "$names" | wc -w) builds (after $(($(date +%s) - started)) s)"
