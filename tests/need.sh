# shellcheck shell=sh
# Sourced by the scripts that build: notes which packages are missing, and installs them where that takes no question.

needed=

has_header() { # has_header COMPILER LANGUAGE HEADER
    printf '#include <%s>\n' "$3" | "$1" -x "$2" -E - >/dev/null 2>&1
}

has_program() { command -v "$1" >/dev/null 2>&1; }

need() { # need PACKAGE TEST...: notes the package unless the test succeeds
    package=$1
    shift
    "$@" >/dev/null 2>&1 || needed="$needed $package"
}

install_needed() {
    [ -n "$needed" ] || return 0
    if ! has_program apt-get; then
        echo "Missing, by their Debian names:$needed. Install what your system calls them, then run this again." >&2
        exit 1
    fi
    if [ "$(id -u)" -eq 0 ]; then
        root=
    elif has_program sudo && sudo -n true >/dev/null 2>&1; then
        root='sudo -n'
    else
        echo "apt-get install -y$needed" >&2
        exit 1
    fi
    # shellcheck disable=SC2086 # both are lists of words
    if $root apt-get update -q </dev/null >&2 &&
        $root env DEBIAN_FRONTEND=noninteractive apt-get install -yq $needed </dev/null >&2; then
        needed=
        return 0
    fi
    echo "The installation failed. By hand: apt-get install -y$needed" >&2
    exit 1
}

need_for_build() { # a C compiler (CC) and a C++ compiler (CXX), CMake, and what the tool is built with
    need gcc has_program "${CC:-cc}"
    need g++ has_program "${CXX:-c++}"
    need cmake has_program cmake
    need make has_program make
    # Where there is no compiler yet, no header is found either, and all are asked for: apt-get skips what is there.
    need libcglm-dev has_header "${CC:-cc}" c cglm/cglm.h
    need libtinygltf-dev has_header "${CXX:-c++}" c++ tiny_gltf.h
    need nlohmann-json3-dev has_header "${CXX:-c++}" c++ nlohmann/json.hpp
    need libpng-dev has_header "${CC:-cc}" c png.h
}

need_for_tests() {
    need_for_build
    need binutils has_program size
    need libcmocka-dev has_header "${CC:-cc}" c cmocka.h
    need libcjson-dev has_header "${CC:-cc}" c cjson/cJSON.h
}
