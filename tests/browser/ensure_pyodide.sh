#!/bin/sh
# Prints the path of Pyodide's tarball, after fetching it with npm where that is possible.
# Prints nothing where it cannot be had: the tests of the packed app are skipped then, but under
# CI=true that fails.
set -u

top=$(dirname "$0")/../..
version=$(sed -n 's/^VERSION = "\(.*\)"$/\1/p' "$top/referee/pack/pyodide.py")
folder=${XDG_CACHE_HOME:-$HOME/.cache}/referee
file=$folder/pyodide-$version.tgz

if [ ! -f "$file" ]; then
    mkdir -p "$folder"
    npm pack --silent --pack-destination "$folder" "pyodide@$version" >/dev/null 2>&1
fi
if [ -f "$file" ]; then
    printf '%s\n' "$file"
    exit 0
fi
printf '%s\n' "No Pyodide $version, and npm cannot fetch it: THE TESTS OF THE PACKED APP ARE SKIPPED." >&2
[ "${CI:-}" = true ] && exit 1
exit 0
