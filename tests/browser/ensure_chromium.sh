#!/bin/sh
# Prints the path of a Chromium that starts, after installing one where that is possible.
# Prints nothing where there is none: the browser tests are skipped then, but under CI=true that fails.
set -u

. "$(dirname "$0")/../debian.sh"

starts() { "$1" --version >/dev/null 2>&1; }

find_chromium() {
    for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable \
        "/Applications/Chromium.app/Contents/MacOS/Chromium" \
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"; do
        [ -n "$name" ] || continue
        path=$(command -v "$name") || continue
        # Ubuntu's package is a stub that only asks for a snap; it does not start.
        if starts "$path"; then
            printf '%s\n' "$path"
            return 0
        fi
    done
    return 1
}

if [ -n "${CHROMIUM:-}" ] && ! command -v "$CHROMIUM" >/dev/null; then
    say "CHROMIUM=$CHROMIUM is not there; looking for another."
fi
find_chromium && exit 0

if can_install; then
    say "No Chromium found; installing Debian's (chromium, fonts-noto-cjk)."
    apt update
    apt install --yes --no-install-recommends chromium fonts-noto-cjk
    find_chromium && exit 0
fi

say "No Chromium: THE BROWSER TESTS ARE SKIPPED."
say "Missing is one of chromium, chromium-browser or google-chrome on the PATH."
say "Install it (Debian: apt install chromium fonts-noto-cjk) or name it: CHROMIUM=/path/to/chromium make test"
[ "${CI:-}" = true ] && exit 1
exit 0
