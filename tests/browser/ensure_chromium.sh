#!/bin/sh
# Prints the path of a Chromium that starts, after installing one where that is possible.
# Prints nothing where there is none: the browser tests are skipped then, but under CI=true that fails.
# `--shell`: rather the one that has no windows. It is the same engine, and opening a page for a new
# phone costs it a third.
set -u

. "$(dirname "$0")/../debian.sh"

names="chromium chromium-browser google-chrome google-chrome-stable"
if [ "${1:-}" = --shell ]; then
    names="chromium-headless-shell $names"
else
    names="$names chromium-headless-shell"
fi

starts() { "$1" --version >/dev/null 2>&1; }

find_chromium() {
    for name in "${CHROMIUM:-}" $names \
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
if found=$(find_chromium); then
    case "${1:-} ${CHROMIUM:-} $found" in
    "--shell  "*headless*) ;;
    "--shell  "*)
        say "Only a Chromium with windows ($found): the browser tests take several times as long."
        say "Debian: apt install chromium-headless-shell"
        ;;
    esac
    printf '%s\n' "$found"
    exit 0
fi

if can_install; then
    apt update
    for package in ${1:+chromium-headless-shell} chromium; do
        say "No Chromium found; installing Debian's ($package, fonts-noto-cjk)."
        apt install --yes --no-install-recommends "$package" fonts-noto-cjk
        find_chromium && exit 0
    done
fi

say "No Chromium: THE BROWSER TESTS ARE SKIPPED."
say "Missing is one of chromium, chromium-browser or google-chrome on the PATH."
say "Install it (Debian: apt install chromium fonts-noto-cjk) or name it: CHROMIUM=/path/to/chromium make test"
[ "${CI:-}" = true ] && exit 1
exit 0
