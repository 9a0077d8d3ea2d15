#!/bin/sh
# usage: mutate.sh [--seed N] [--count N] [--jobs N] [--only PATTERN] [--keep FOLDER]
# Do the tests see faults? Makes COUNT (120) seeded faults in src/, one at a time, in copies of the tree in a temporary
# folder; builds what is affected with -O1 and runs the unit tests until one fails; one that does not end is caught as
# well. Exits with 0 where at least 95% were caught. The same SEED (1) makes the same faults.
#
# A fault does not count where the compiler refuses it, where it makes the same machine code, or where
# mutate_equivalent.txt explains why nothing can tell it from the original.
#
#   --only PATTERN  only files of src/ that match the pattern of the shell, such as 'src/clip*'
#   --jobs N        as many at once (2)
#   --keep FOLDER   leaves the results there: a line a fault, in `results`
set -eu
export LC_ALL=C

seed=1 count=120 jobs=2 only='*' keep=
while [ $# -ge 2 ]; do
    case $1 in
    --seed) seed=$2 ;;
    --count) count=$2 ;;
    --jobs) jobs=$2 ;;
    --only) only=$2 ;;
    --keep) keep=$2 ;;
    *) break ;;
    esac
    shift 2
done
if [ $# -ne 0 ]; then
    echo "usage: mutate.sh [--seed N] [--count N] [--jobs N] [--only PATTERN] [--keep FOLDER]" >&2
    exit 2
fi

[ -z "$keep" ] || mkdir -p "$keep"
top=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
pids=
# shellcheck disable=SC2086,SC2154 # a list of words; the status is set here
trap 'status=$?; [ -z "$pids" ] || kill $pids 2>/dev/null || true; wait; rm -rf "$work"; exit $status' EXIT
trap 'exit 1' HUP INT TERM
# shellcheck disable=SC3045 # where there is such a limit
ulimit -c 0 2>/dev/null || true
separator=$(printf '\037')

# One state of the tree, however long this takes.
mkdir "$work/tree"
(cd "$top" && cp -R CMakeLists.txt README.md src include tests examples "$work/tree")
tree=$work/tree

# ---- The faults

built_here() { # built_here FILE: not for another processor
    case $(uname -m):${1##*/} in
    x86_64:kernels_neon* | i?86:kernels_neon* | *:kernels_wasm*) return 1 ;;
    aarch64:kernels_sse* | aarch64:kernels_avx* | aarch64:v4_x86*) return 1 ;;
    arm64:kernels_sse* | arm64:kernels_avx* | arm64:v4_x86*) return 1 ;;
    esac
}

sources() {
    for file in src/*.[ch] src/simd/*.[ch] src/simd/*.inl; do
        # shellcheck disable=SC2254 # a pattern is meant
        case $file in
        $only) if built_here "$file"; then echo "$file"; fi ;;
        esac
    done
}

"${CC:-cc}" -std=c11 -O1 "$tree/tests/mutate.c" -lm -o "$work/mutate"
# shellcheck disable=SC2046 # names without spaces
(cd "$tree" && "$work/mutate" list "$seed" $(sources)) >"$work/list"

# ---- One copy of the tree a worker

make_copy() { # make_copy FOLDER: built, with the names of the tests from the fastest on
    cp -Rp "$tree" "$1"
    # Faults of type are refused: the compiler catches them. An index beyond an array traps: the tests under sanitizers
    # would see it as well, but take long to build.
    types='-Werror=incompatible-pointer-types -Werror=int-conversion -Werror=implicit-function-declaration'
    bounds='-fsanitize=bounds -fsanitize-undefined-trap-on-error'
    cmake -S "$1" -B "$1/build" -G 'Unix Makefiles' -DCMAKE_BUILD_TYPE= -DSQT_BUILD_EXAMPLES=OFF -DSQT_BUILD_TESTS=ON \
        -DCMAKE_C_FLAGS="-O1 $types $bounds"
    make -C "$1/build/tests" help | sed -n 's/^\.\.\. \(test_[a-z_0-9]*\|same_bits\)$/\1/p' | grep -v '^test_cglm' |
        sort >"$1/order.all"
    for _ in build depend; do # what depends on what is gathered the second time
        # shellcheck disable=SC2046 # names without spaces
        make -C "$1/build/tests" $(cat "$1/order.all")
    done
}

run_test() { # run_test FOLDER TEST SECONDS
    (
        cd "$1/build/tests"
        timeout -k 1 "$3" "./$2" || exit $? # by a shell of its own, which tells of signals to nobody
    ) >/dev/null 2>&1
}

time_tests() { # time_tests FOLDER: seconds and names, the fastest first; the hashes last of all
    while read -r name; do
        begin=$(date +%s)
        run_test "$1" "$name" 300 || {
            echo "$name fails without any fault" >&2
            return 1
        }
        echo "$(($(date +%s) - begin)) $name"
    done <"$1/order.all" | sort -n >"$1/order.timed"
    grep -v same_bits "$1/order.timed" >"$1/order" || true
    grep same_bits "$1/order.timed" >>"$1/order" || true
    [ "$(wc -l <"$1/order")" -eq "$(wc -l <"$1/order.all")" ]
}

objects=build/CMakeFiles/sqt.dir/src
test_objects=build/tests/CMakeFiles

code_of() { (cd "$1/$objects" && find . -name '*.o' | sort | xargs cat | cksum); }

# ---- One fault

related_tests() { # related_tests FILE: those that are the likeliest to see it
    stem=${1##*/}
    stem=${stem%.*}
    case $1 in
    src/simd/*) echo test_kernels test_skin test_blend ;;
    src/mesh_influences.h) echo test_mesh test_mesh_group ;;
    *) echo "test_$stem" ;;
    esac
}

try_tests() { # try_tests FOLDER FILE: prints the first test that fails, and how
    related=$(related_tests "$2")
    for name in $related $(cut -d' ' -f2 "$1/order"); do
        limit=$(sed -n "s/^\([0-9]*\) $name\$/\1/p" "$1/order")
        [ -n "$limit" ] || continue # no such test
        make -C "$1/build/tests" "$name/fast" >"$1/make.log" 2>&1 || {
            echo "$name (not linked)"
            return
        }
        result=0
        run_test "$1" "$name" $((limit * 8 + 10)) || result=$?
        case $result in
        0) ;;
        124 | 137) echo "$name (no end)" && return ;;
        *) echo "$name" && return ;;
        esac
    done
}

try_fault() { # try_fault FOLDER: prints what became of the fault in $file, $at, $length, $text, $before, $after
    if grep -Fxq -e "$file: $before => $after" "$tree/tests/mutate_equivalent.txt"; then
        echo listed
        return
    fi
    "$work/mutate" apply "$tree/$file" "$at" "$length" "$text" >"$1/$file"
    touch "$1/$file"
    if ! make -C "$1/build" sqt/fast >"$1/make.log" 2>&1; then
        echo refused
    elif [ "$(code_of "$1")" = "$(cat "$1/code")" ]; then
        echo same
    else
        caught_by=$(try_tests "$1" "$file")
        echo "${caught_by:-SURVIVED}"
    fi
    # As it was, times and all, so that nothing is built again for it.
    cp -p "$tree/$file" "$1/$file"
    rm -rf "${1:?}/$objects"
    cp -Rp "$1/objects" "$1/$objects"
    case $file in
    *.h) cp -Rp "$1/test_objects/." "$1/$test_objects" ;; # some tests look into src/
    esac
}

next_index() { # the queue of all workers
    until mkdir "$work/lock" 2>/dev/null; do sleep 0.05; done
    index=$(($(cat "$work/next") + 1))
    echo "$index" >"$work/next"
    rmdir "$work/lock"
}

counted() { cut -d"$separator" -f2 "$work"/results.* 2>/dev/null | grep -cvx 'refused\|same\|listed' || true; }

worker() { # worker NAME
    folder=$work/$1
    while [ "$(counted)" -lt "$count" ]; do
        next_index
        line=$(sed -n "${index}p" "$work/list")
        [ -n "$line" ] || return 0 # no more faults
        IFS=$separator read -r file number kind at length text before after <<END
$line
END
        outcome=$(try_fault "$folder")
        printf '%s\037%s\037%s\037%s\037%s\037%s => %s\n' "$index" "$outcome" "$file" "$number" "$kind" "$before" \
            "$after" >>"$work/results.$1"
        case $outcome in
        refused | same | listed) ;;
        *) echo "$(counted)/$count $file:$number $kind: $outcome" >&2 ;;
        esac
    done
}

echo "Building $jobs copies ..." >&2
name=1
while [ "$name" -le "$jobs" ]; do # each for itself: a build folder does not like to be moved
    make_copy "$work/$name" >"$work/build.$name.log" 2>&1 &
    pids="$pids $!"
    name=$((name + 1))
done
for pid in $pids; do
    wait "$pid" || {
        cat "$work"/build.*.log >&2
        exit 1
    }
done
pids=
time_tests "$work/1"

echo 0 >"$work/next"
name=1
while [ "$name" -le "$jobs" ]; do
    copy=$work/$name
    [ "$name" -eq 1 ] || cp "$work/1/order" "$copy/order"
    cp -Rp "$copy/$objects" "$copy/objects"
    cp -Rp "$copy/$test_objects" "$copy/test_objects"
    code_of "$copy" >"$copy/code"
    worker "$name" &
    pids="$pids $!"
    name=$((name + 1))
done
for pid in $pids; do
    wait "$pid" || {
        echo "a worker failed" >&2
        exit 1
    }
done
pids=

# ---- The report: the first COUNT of those that count, whatever the workers did beyond

cat "$work"/results.* | sort -n >"$work/results"
[ -z "$keep" ] || cp "$work/results" "$keep/results"
awk -F "$separator" -v count="$count" -v seed="$seed" '
    $2 ~ /^(refused|same|listed)$/ { ++skipped[$2]; next }
    made == count { next }
    {
        ++made
        ++of_kind[$5]
        if (!($3 in of_file)) ++files
        ++of_file[$3]
        if ($2 == "SURVIVED") {
            survivors = survivors sprintf("%s:%s (%s)\n    %s: %s\n", $3, $4, $5, $3, $6)
            next
        }
        ++caught
        ++caught_of_kind[$5]
        hashes += $2 ~ /^same_bits/
        endless += $2 ~ /no end/
    }
    END {
        printf "seed %s: %d faults in %d files, %d caught (%.1f%%), %d survived\n", seed, made, files, caught,
            made ? 100 * caught / made : 0, made - caught
        for (kind in of_kind) kinds = kinds sprintf("%s%s %d/%d", kinds ? ", " : "", kind, caught_of_kind[kind], of_kind[kind])
        print "by kind: " kinds
        printf "caught by the hashes of same_bits alone: %d; by a test that did not end: %d\n", hashes, endless
        printf "not counted: %d that do not compile, %d that compile to the same code, %d listed as equivalent\n",
            skipped["refused"], skipped["same"], skipped["listed"]
        if (survivors) printf "survivors:\n%s", survivors
        exit !(made > 0 && caught >= 0.95 * made)
    }' "$work/results"
