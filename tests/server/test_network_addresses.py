"""The addresses at which phones reach the computer, the likeliest first."""

from __future__ import annotations

import errno
import socket
import struct
import sys
from pathlib import Path

import pytest

from referee.server import addresses
from referee.server.addresses import Interface, likeliest

HOME = Interface("192.168.1.5", "wlan0", gateway=True)
VPN = Interface("10.8.0.2", "tun0", gateway=True, tunnel=True)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ([VPN, HOME], ["192.168.1.5", "10.8.0.2"]),
        # a company's VPN has a network that homes have, too
        (
            [Interface("192.168.200.9", "wg0", tunnel=True), Interface("10.0.0.7", "en0")],
            ["10.0.0.7", "192.168.200.9"],
        ),
        # containers and virtual machines beside the network of a house without a router of its own
        (
            [
                Interface("172.17.0.1", "docker0", tunnel=True),
                Interface("172.20.3.4", "eth0", gateway=True),
                Interface("192.168.122.1", "virbr0", tunnel=True),
            ],
            ["172.20.3.4", "192.168.122.1", "172.17.0.1"],
        ),
        # Windows: nobody knows the names of interfaces, and the VPN is asked first
        (
            [Interface("10.8.0.2"), Interface("172.28.96.1"), Interface("192.168.0.12")],
            ["192.168.0.12", "10.8.0.2", "172.28.96.1"],
        ),
        ([Interface("203.0.113.9", "eth0"), HOME], ["192.168.1.5", "203.0.113.9"]),
        ([Interface("127.0.0.1", "lo"), Interface("169.254.3.1", "eth1"), HOME], ["192.168.1.5"]),
        ([VPN], ["10.8.0.2"]),
        ([HOME, HOME], ["192.168.1.5"]),
        ([], []),
    ],
)
def test_the_likeliest_address_is_first_and_every_other_is_there(
    found: list[Interface], expected: list[str]
) -> None:
    assert likeliest(found) == expected


ROUTES = """Iface Destination Gateway Flags RefCnt Use Metric Mask MTU Window IRTT
tun0 00000000 0100080A 0003 0 0 0 00000080 0 0 0
wlan0 00000000 0101A8C0 0003 0 0 600 00000000 0 0 0
wlan0 0001A8C0 00000000 0001 0 0 600 00FFFFFF 0 0 0
"""


class Machine:
    """What the system says: its interfaces, the address from which it sends, its routes."""

    def __init__(self, at: Path, patch: pytest.MonkeyPatch, **interfaces: str) -> None:
        self.interfaces, self.patch = interfaces, patch
        patch.setattr("fcntl.ioctl", self.ioctl)
        patch.setattr(socket, "if_nameindex", lambda: list(enumerate((*interfaces, "ifb0"))))
        patch.setattr(addresses, "_of_name", list)
        self.routes = at / "route"
        patch.setattr(addresses, "ROUTES", self.routes)

    def ioctl(self, asked: socket.socket, request: int, name: bytes) -> bytes:
        known = self.interfaces.get(of := name.rstrip(b"\0").decode())
        if known is None:
            raise OSError(errno.EADDRNOTAVAIL, "has none")
        if request == addresses.ASKED["linux"][1]:
            flags = addresses.POINT_TO_POINT if of.startswith("nord") else 0x1043
            return name[:16] + struct.pack("H", flags) + name[18:]
        return name[:20] + socket.inet_aton(known) + name[24:]

    def sends(self, *routed: str) -> None:
        self.patch.setattr(addresses, "_routed", lambda: iter(routed))


pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="asks Linux")


def test_a_vpn_that_takes_the_way_to_the_internet_is_not_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = Machine(
        tmp_path, monkeypatch, lo="127.0.0.1", tun0="10.8.0.2", wlan0="192.168.1.5", eth1="10.1.1.1"
    )
    machine.sends("10.8.0.2", "192.168.1.5")
    machine.routes.write_text(ROUTES)
    assert addresses.lan_addresses() == ["192.168.1.5", "10.1.1.1", "10.8.0.2"]


def test_a_tunnel_is_known_whatever_its_name_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = Machine(tmp_path, monkeypatch, nordlynx="10.5.0.2", bond0="10.0.0.8")
    machine.sends("10.5.0.2")
    assert addresses.lan_addresses() == ["10.0.0.8", "10.5.0.2"]


@pytest.mark.parametrize("routed", [["10.99.3.7"], []])
def test_the_hotspot_of_a_phone_is_before_its_provider(
    routed: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = Machine(tmp_path, monkeypatch, rmnet0="10.99.3.7", swlan0="10.43.0.1")
    machine.sends(*routed)
    monkeypatch.setattr(sys, "getandroidapilevel", lambda: 24, raising=False)
    assert addresses.lan_addresses() == ["10.43.0.1", "10.99.3.7"]


def test_an_address_of_an_interface_that_the_system_does_not_tell_is_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = Machine(tmp_path, monkeypatch)
    machine.sends("192.168.1.5")
    assert addresses.lan_addresses() == ["192.168.1.5"]


def test_this_computer_is_asked() -> None:
    """Whatever the machine of the tests has: the answers of its system are understood."""
    found = {interface.name: interface.address for interface in addresses._interfaces([])}
    assert found["lo"] == "127.0.0.1"
    assert set(addresses._routed()) <= set(found.values())
