#!/bin/sh
# Says whether PostgreSQL's programs are here, after installing Debian's where that is possible.
# Exit status 1: there are none, and what needs a server is skipped.
set -u

. "$(dirname "$0")/debian.sh"

is_here() {
    for folder in "${POSTGRES_BIN:-}" /usr/lib/postgresql/*/bin; do
        [ -x "$folder/initdb" ] && return 0
    done
    command -v initdb >/dev/null
}

is_here && exit 0

if can_install; then
    say "No PostgreSQL found; installing Debian's (postgresql)."
    # the tests start servers of their own: none that runs for the machine
    as_root mkdir -p /etc/postgresql-common/createcluster.d
    echo 'create_main_cluster = false' |
        as_root tee /etc/postgresql-common/createcluster.d/referee-tests.conf >/dev/null
    apt update
    apt install --yes --no-install-recommends postgresql
    is_here && exit 0
fi

say "No PostgreSQL: THE STORE IS NOT TRIED ON A SERVER."
say "Install it (Debian: apt install postgresql) or name the folder of initdb: POSTGRES_BIN=/path make test"
exit 1
