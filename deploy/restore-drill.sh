#!/bin/sh
# Checks that a copy can be restored, without touching the live data; run it from time to time.
#
#   restore-drill.sh               makes a backup of the live data and tries to restore it
#   restore-drill.sh COPY          tries a copy, such as one that `litestream restore -o COPY` wrote
#
# The copy is restored into an empty folder and checked there; every match in it must be equal to that
# of the live data, or the beginning of it. REFEREE_DATA names the folder of the live data, as for the
# program; REFEREE names the program. Exit status 1: do not rely on this copy.
set -eu
umask 077

referee=${REFEREE:-referee}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
seconds() { date +%s; }

began=$(seconds)
copy=${1:-}
if [ -z "$copy" ]; then
    copy=$folder/copy.db
    $referee backup "$copy" >/dev/null
    echo "backup:  $(($(seconds) - began)) s"
fi

began=$(seconds)
mkdir "$folder/data"
REFEREE_DATA=$folder/data $referee restore --yes "$copy" >/dev/null
REFEREE_DATA=$folder/data $referee doctor >"$folder/doctor" || {
    cat "$folder/doctor"
    echo "DRILL FAILED: the restored data are not intact" >&2
    exit 1
}
echo "restore: $(($(seconds) - began)) s, with every check"

REFEREE_DATA=$folder/data $referee export --to "$folder/back" >/dev/null
$referee export --to "$folder/live" >/dev/null
same=0 older=0 wrong=0
for record in "$folder"/back/*; do
    [ -e "$record" ] || continue
    live=$folder/live/${record##*/}
    if cmp -s "$record" "$live"; then
        same=$((same + 1))
    elif [ -e "$live" ] && head -c "$(wc -c <"$record")" "$live" | cmp -s - "$record"; then
        older=$((older + 1))
    else
        echo "differs from what is live: ${record##*/}" >&2
        wrong=$((wrong + 1))
    fi
done
there=$(find "$folder/live" -type f | wc -l)
echo "matches: $same as they are live, $older that have gone on since, $wrong that differ, $there live"
[ "$wrong" -eq 0 ] || { echo "DRILL FAILED" >&2; exit 1; }
[ "$there" -eq 0 ] || [ "$((same + older))" -gt 0 ] || { echo "DRILL FAILED: no match" >&2; exit 1; }
