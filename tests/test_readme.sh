#!/bin/sh
# usage: test_readme.sh README PROGRAM
# The program that the README shows is the one that is built, every file that it links to is there, and no header is left
# out.
set -eu
readme=$1 program=$2
folder=$(dirname "$readme")
failures=0
fail() {
    printf 'failed: %s\n' "$*"
    failures=$((failures + 1))
}

case $(cat "$readme") in
*"$(cat "$program")"*) ;;
*) fail "$readme does not contain $program word for word" ;;
esac

links=$(grep -o ']([^)]*)' "$readme" | sed 's/^](//; s/)$//' | grep -v '^[a-z]*://' | sort -u)
count=0
for link in $links; do
    count=$((count + 1))
    [ -e "$folder/$link" ] || fail "links to $link, which is not there"
done
[ "$count" -ge 20 ] || fail "only $count links were found"

for header in "$folder"/include/sqt/*.h; do
    name=${header##*/}
    grep -q "sqt/$name" "$readme" || fail "does not name $name"
done
printf '%s links\n' "$count"
[ "$failures" -eq 0 ]
