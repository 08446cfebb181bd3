#!/bin/sh
# Installs the program beside this file at the first start of each version, then serves. Double-click it.
cd "$(dirname "$0")" || exit 1
if ! cmp -s ../../CHANGELOG.md venv/ready; then
    for name in python3.15 python3.14 python3.13 python3.12 python3.11 python3; do
        if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            python=$name
            break
        fi
    done
    if [ -z "${python:-}" ]; then
        echo 'Python 3.11 or newer is needed: https://www.python.org/downloads/'
        exit 1
    fi
    echo 'Installing, once ...'
    "$python" -m venv --clear venv &&
        venv/bin/python -m pip install --quiet --disable-pip-version-check ../.. &&
        cp ../../CHANGELOG.md venv/ready || {
        echo 'The installation failed; see above. It needs the internet once.'
        exit 1
    }
fi
exec venv/bin/referee serve "$@"
