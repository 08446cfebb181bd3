"""At which addresses the phones in the room can reach this computer, the likeliest first.

With a VPN the way to the internet leads through its tunnel, and virtual machines and containers
have networks of their own: no phone reaches these, but only the people at the table know for sure.
"""

from __future__ import annotations

import re
import socket
import struct
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import NamedTuple

# A connected but unused datagram socket shows from which address the system would send. Nothing is
# sent. The first target is reserved for documentation: it stands for "far away".
TARGETS = ("198.51.100.1", "192.168.255.254", "10.255.255.254", "172.31.255.254")

ASKED = {"linux": (0x8915, 0x8913), "android": (0x8915, 0x8913), "darwin": (0xC0206921, 0xC0206911)}
"""SIOCGIFADDR and SIOCGIFFLAGS: the address of an interface and its flags, see netdevice(7)."""
POINT_TO_POINT = 0x10  # flag: a tunnel, or a modem
ROUTES = Path("/proc/net/route")
GATEWAY = 0x2  # flag of a route
NEAR = ("wl", "sw", "ap", "en", "et")
"""How names of interfaces of a network at hand begin; a phone's to its provider is named rmnet0."""
TUNNELS = re.compile(
    r"u?tun|tap|wg|ppp|ipsec|tailscale|zt|docker|podman|br-|veth|cni|lxc|virbr|vmnet|vboxnet|wsl",
    re.IGNORECASE,
)
"""How names of tunnels begin, and of networks of containers and virtual machines."""
HOMES = [ip_network(net) for net in ("192.168.0.0/16", "10.0.0.0/8", "172.16.0.0/12")]
"""The networks of homes, the likeliest first; a virtual machine often has one of the last."""


class Interface(NamedTuple):
    """An address of this computer; ``name``: that of its interface, "" if unknown.

    ``gateway``: the way to other networks leads over it.
    """

    address: str
    name: str = ""
    gateway: bool = False
    tunnel: bool = False


def lan_addresses() -> list[str]:
    """This computer's IPv4 addresses on its networks, the likeliest first."""
    routed = list(_routed())
    named = list(_interfaces(routed))
    others = [*routed, *(_of_name() if sys.platform == "win32" or not (routed or named) else ())]
    known = {interface.address for interface in named}
    found = [*named, *(Interface(address) for address in others if address not in known)]
    return likeliest(found, phone=hasattr(sys, "getandroidapilevel"))


def likeliest(found: Iterable[Interface], *, phone: bool = False) -> list[str]:
    """The addresses of ``found`` that another device can have a way to, the likeliest first.

    ``phone``: the server is a phone, whose gateway is its provider's: its hotspot comes first.
    """

    def rank(interface: Interface) -> tuple[bool, bool, bool, int]:
        far = phone and interface.name[:2] not in NEAR
        return interface.tunnel, far, not interface.gateway, _home(interface.address)

    addresses = (interface.address for interface in sorted(found, key=rank))
    alone = ("127.", "0.", "169.254.")  # the last: an interface without a network
    return [address for address in dict.fromkeys(addresses) if not address.startswith(alone)]


def _home(address: str) -> int:
    places = (place for place, net in enumerate(HOMES) if ip_address(address) in net)
    return next(places, len(HOMES))


def _routed() -> Iterator[str]:
    for target in TARGETS:
        with (
            suppress(OSError),  # no route there
            socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe,
        ):
            probe.connect((target, 9))
            yield probe.getsockname()[0]


def _of_name() -> list[str]:
    """The addresses of this computer's name: under Windows all that it has.

    Elsewhere asked last, because a name server may be slow or missing.
    """
    with suppress(OSError):
        named = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
        return [str(address[0]) for *_, address in named]
    return []


def _interfaces(routed: list[str]) -> Iterator[Interface]:
    """The interfaces under Linux, Android and macOS. ``routed``: see ``_routed``."""
    if sys.platform not in ASKED:
        return
    gateways = _gateways()
    for _, name in socket.if_nameindex():
        with suppress(OSError):  # it has no address
            address, flags = _asked(name)
            first = name in gateways if gateways else address in routed[:1]
            tunnel = bool(flags & POINT_TO_POINT or TUNNELS.match(name))
            yield Interface(address, name, first, tunnel)


def _asked(name: str) -> tuple[str, int]:
    """The address of the interface ``name``, and its flags."""
    from fcntl import ioctl  # not under Windows

    address, flags = ASKED[sys.platform]
    request = name.encode().ljust(40, b"\0")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        found = ioctl(asked, address, request)[20:24]
        return socket.inet_ntoa(found), struct.unpack_from("H", ioctl(asked, flags, request), 16)[0]


def _gateways() -> set[str]:
    """The interfaces over which a default route leads, under Linux."""
    with suppress(OSError):
        lines = [line.split() for line in ROUTES.read_text(encoding="ascii").splitlines()[1:]]
        return {
            name
            for name, target, _gateway, flags, _, _, _, mask, *_ in lines
            if int(target, 16) == int(mask, 16) == 0 and int(flags, 16) & GATEWAY
        }
    return set()
