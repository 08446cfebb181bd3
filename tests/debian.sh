# Read by the scripts that install what tests need, where Debian's packages can be had.

say() { printf '%s\n' "$*" >&2; }

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -n "$@"; fi
}

can_install() {
    command -v apt-get >/dev/null || return 1
    [ "$(id -u)" -eq 0 ] || sudo -n true 2>/dev/null
}

apt() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq \
        -o Acquire::Retries=3 -o DPkg::Lock::Timeout=120 "$@" >/dev/null
}
