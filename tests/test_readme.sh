#!/bin/sh
# usage: test_readme.sh README PROGRAM
# The program that the README shows is the one that is built.
set -eu
case $(cat "$1") in
*"$(cat "$2")"*) echo "the same text" ;;
*)
    echo "failed: $1 does not contain $2 word for word"
    exit 1
    ;;
esac
