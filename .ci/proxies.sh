#!/bin/sh
# `proxies.sh FOLDER` puts nginx and Caddy into FOLDER, from Debian's packages, if they are not on the
# path. The packages are unpacked, not installed: nothing starts, and nothing else is changed.
# If that is impossible, it prints so, and the tests behind a proxy are skipped.
set -u
folder=$1
mkdir -p "$folder"

say() { printf '%s\n' "$*" >&2; }

have() { PATH="$folder:$PATH:/usr/sbin:/usr/local/sbin" command -v "$1" >/dev/null; }

fetch() { (cd "$folder" && apt-get -qq -o Acquire::Retries=3 download "$1") 2>/dev/null; }

updated=
for name in nginx caddy; do
    have "$name" && continue
    if command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null; then
        if ! fetch "$name" && [ -z "$updated" ] && [ "$(id -u)" -eq 0 ]; then
            apt-get -qq -o Acquire::Retries=3 -o DPkg::Lock::Timeout=60 update >/dev/null 2>&1
            updated=yes
            fetch "$name"
        fi
        for package in "$folder/$name"_*.deb; do
            [ -e "$package" ] && dpkg-deb -x "$package" "$folder/root"
        done
        for program in "$folder/root/usr/sbin/$name" "$folder/root/usr/bin/$name"; do
            [ -x "$program" ] && ln -sf "$program" "$folder/$name"
        done
    fi
    case $name in nginx) asked=-v ;; *) asked=version ;; esac
    if ! "$folder/$name" "$asked" >/dev/null 2>&1; then
        rm -f "$folder/$name"
        say "No $name: THE TESTS BEHIND IT ARE SKIPPED. (Debian: apt install $name)"
    fi
done
