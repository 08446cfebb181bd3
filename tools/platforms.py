"""`make platforms`: whether every platform has a wheel of everything that the base needs.

uv resolves the base once, with the locked versions; the names of the wheels say for which platforms
they are. Nothing is installed. Each missing wheel is printed, and the exit status is 1 then. If no
package index answers, this is printed, and nothing is checked.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import unquote

from packaging.markers import Environment, Marker
from packaging.utils import parse_wheel_filename

TOP = Path(__file__).parents[1]
PYTHONS = range(11, 16)
GLIBC = r"manylinux(_2_([5-9]|[12]\d|3[0-6])|1|2010|2014)_"  # up to that of Debian 12
PLATFORMS = {
    **{
        f"Linux {cpu}, glibc": (GLIBC + cpu, "linux", cpu)
        for cpu in ("x86_64", "aarch64", "armv7l")
    },
    **{
        f"Linux {cpu}, musl": (rf"musllinux_1_[012]_{cpu}", "linux", cpu)
        for cpu in ("x86_64", "aarch64", "armv7l")
    },
    "macOS, Apple silicon": (r"macosx_(10|11|12|13|14)_\d+_(arm64|universal2)", "darwin", "arm64"),
    "macOS, Intel": (r"macosx_(10|11|12|13|14)_\d+_(x86_64|universal2)", "darwin", "x86_64"),
    "Windows x64": ("win_amd64", "win32", "AMD64"),
    "Windows arm64": ("win_arm64", "win32", "ARM64"),
    "Android": (r"android_2[1-4]_arm64_v8a", "android", "aarch64"),
    "Pyodide": (r"pyodide_2026_0_wasm32", "emscripten", "wasm32"),
}
"""Pattern of the platform's tags, and the markers ``sys_platform`` and ``platform_machine``."""
NOT_THERE = {("Android", 11), ("Android", 12)}  # wheels for it begin with Python 3.13
# the pinned Pyodide has this Python
NOT_THERE |= {("Pyodide", minor) for minor in PYTHONS if minor != 14}
BUNDLED = {"Pyodide": ("markupsafe",)}
"""Packages without a wheel that need none: `referee pack` uses their pure part."""
PATIENCE = 180  # seconds


def resolved() -> list[dict[str, Any]]:
    """The packages of the base for all platforms, in the form of pylock.toml (PEP 751).

    Raises ``OSError`` if uv gets no answer.
    """
    with TemporaryDirectory() as folder:
        lock = Path(folder, "pylock.toml")
        command = [sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--universal"]
        command += ["--python-version", "3.11", "--constraint", str(TOP / "requirements.lock")]
        command += ["--format", "pylock.toml", "--output-file", str(lock)]
        done = subprocess.run(
            [*command, str(TOP / "pyproject.toml")],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        if done.returncode:
            raise OSError(done.stderr)
        packages: list[dict[str, Any]] = tomllib.loads(lock.read_text(encoding="utf-8"))["packages"]
        return packages


def fits(wheel: Mapping[str, Any], minor: int, pattern: str) -> bool:
    """Whether CPython 3.``minor`` accepts the wheel on a platform whose tags match ``pattern``."""
    name = wheel.get("name") or unquote(wheel["url"].rpartition("/")[2])
    for tag in parse_wheel_filename(name)[3]:
        of_python = tag.interpreter in ("py3", f"py3{minor}")
        exact = tag.interpreter == f"cp3{minor}" and tag.abi in (f"cp3{minor}", "abi3", "none")
        stable = re.fullmatch(r"cp3(\d+)", tag.interpreter) if tag.abi == "abi3" else None
        if (of_python or exact or (stable and int(stable[1]) <= minor)) and (
            tag.platform == "any" or re.fullmatch(pattern, tag.platform)
        ):
            return True
    return False


def lacking(packages: list[dict[str, Any]]) -> Iterator[str]:
    """Each wheel that is missing, in a sentence."""
    for platform, (pattern, system, machine) in PLATFORMS.items():
        for minor in PYTHONS:
            if (platform, minor) in NOT_THERE:
                continue
            where: Environment = {
                "sys_platform": system,
                "platform_machine": machine,
                "platform_system": "Windows" if system == "win32" else system.title(),
                "os_name": "nt" if system == "win32" else "posix",
                "python_version": f"3.{minor}",
                "python_full_version": f"3.{minor}.0",
                "implementation_name": "cpython",
                "platform_python_implementation": "CPython",
            }
            for package in packages:
                marker = package.get("marker")
                if marker and not Marker(marker).evaluate(dict(where)):
                    continue
                if package["name"] in BUNDLED.get(platform, ()):
                    continue
                if not any(fits(wheel, minor, pattern) for wheel in package.get("wheels", ())):
                    named = f"{package['name']} {package['version']}"
                    yield f"{platform}, Python 3.{minor}: no wheel of {named}"


def main() -> int:
    try:
        packages = resolved()
    except (OSError, subprocess.TimeoutExpired) as fault:
        print(f"make platforms: uv gets no answer; NOTHING WAS CHECKED.\n{fault}")
        return 0
    missing = list(lacking(packages))
    print("\n".join(missing) or f"Wheels of {len(packages)} packages: {'; '.join(PLATFORMS)}.")
    return min(len(missing), 1)


if __name__ == "__main__":
    sys.exit(main())
