#!/bin/sh
# Shows that a copy can be put back, without touching what is live; run it from time to time.
#
#   restore-drill.sh               makes a backup of the live data and tries that
#   restore-drill.sh COPY          tries a copy, such as one that `litestream restore -o COPY` wrote
#
# The copy goes into an empty folder of its own and is checked there; every match in it must be what
# the live data hold, or the beginning of it. REFEREE_DATA says where the live data are, as for the
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
    echo "DRILL FAILED: the data that were put back are not well" >&2
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
