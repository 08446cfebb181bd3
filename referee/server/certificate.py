"""A certificate for this machine's own names, from an authority that can sign nothing else.

Phones trust the authority once; it signs short-lived certificates for the addresses that the
machine has today. It is limited to private addresses and local names, so its stolen key cannot be
used to imitate a site on the internet.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

AUTHORITY_DAYS = 3650
DAYS = 397  # days that browsers accept
RENEWED_BEFORE = timedelta(days=30)
NETWORKS: tuple[IPv4Network | IPv6Network, ...] = tuple(
    ip_network(text)
    for text in (
        "10.0.0.0/8",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "169.254.0.0/16",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "fc00::/7",
        "fe80::/10",
        "::1/128",
    )
)
DOMAINS = ("localhost", "local", "lan", "home.arpa", "internal")


class Certificate(NamedTuple):
    """Files for a server, and the authority that phones have to trust (DER)."""

    chain: Path
    key: Path
    authority: bytes
    fingerprint: str


def certificate(folder: Path, addresses: Sequence[str], now: datetime | None = None) -> Certificate:
    """The certificate for ``addresses`` (IP addresses), kept in ``folder``.

    It is made, or replaced 30 days before it expires, or if it lacks an address of today.
    """
    now = now or datetime.now(UTC)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    authority, signer = _authority(folder, now)
    names = _names(addresses)
    chain, key = folder / "server.pem", folder / "server.key"
    if not _still_good(chain, key, authority, names, now):
        own = ec.generate_private_key(ec.SECP256R1())
        leaf = _leaf(own.public_key(), authority, signer, names, now)
        _keep_key(key, own)
        _keep(chain, _pem(leaf) + _pem(authority))
    print_of = authority.fingerprint(hashes.SHA256()).hex(":").upper()
    return Certificate(chain, key, authority.public_bytes(serialization.Encoding.DER), print_of)


def _names(addresses: Iterable[str]) -> list[x509.GeneralName]:
    """The names and addresses in the certificate; those outside the constraints are left out."""
    host = socket.gethostname().split(".")[0].lower()
    names: list[x509.GeneralName] = [x509.DNSName("localhost")]
    if host.isascii() and host not in ("", "localhost"):
        names.append(x509.DNSName(f"{host}.local"))
    for address in dict.fromkeys(["127.0.0.1", *addresses]):
        ip = ip_address(address)
        if any(ip in network for network in NETWORKS if network.version == ip.version):
            names.append(x509.IPAddress(ip))
    return names


def _authority(folder: Path, now: datetime) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    """The authority of this machine and its key, kept in ``folder``; made if there is none."""
    kept, key = folder / "authority.pem", folder / "authority.key"
    if kept.exists() and key.exists():
        known = x509.load_pem_x509_certificate(kept.read_bytes())
        signer = serialization.load_pem_private_key(key.read_bytes(), None)
        fresh = known.not_valid_after_utc - now > timedelta(days=DAYS)
        if isinstance(signer, ec.EllipticCurvePrivateKey) and fresh:
            return known, signer
    signer = ec.generate_private_key(ec.SECP256R1())
    name = f"Fudami on {socket.gethostname()[:40]}"
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    permitted = [x509.IPAddress(network) for network in NETWORKS]
    made = (
        _builder(subject, subject, signer.public_key(), now, AUTHORITY_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs=True), critical=True)
        .add_extension(
            x509.NameConstraints([*map(x509.DNSName, DOMAINS), *permitted], None), critical=True
        )
        .add_extension(
            x509.SubjectKeyIdentifier.from_public_key(signer.public_key()), critical=False
        )
        .sign(signer, hashes.SHA256())
    )
    _keep_key(key, signer)
    _keep(kept, _pem(made))
    return made, signer


def _leaf(
    own: ec.EllipticCurvePublicKey,
    authority: x509.Certificate,
    signer: ec.EllipticCurvePrivateKey,
    names: Sequence[x509.GeneralName],
    now: datetime,
) -> x509.Certificate:
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Fudami")])
    issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key())
    return (
        _builder(subject, authority.subject, own, now, DAYS)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(issuer, critical=False)
        .sign(signer, hashes.SHA256())
    )


def _builder(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePublicKey,
    now: datetime,
    days: int,
) -> x509.CertificateBuilder:
    builder = x509.CertificateBuilder(subject_name=subject, issuer_name=issuer, public_key=key)
    return (
        builder.serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))  # the clocks of devices differ
        .not_valid_after(now + timedelta(days=days - 1))
    )


def _usage(*, signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs,
        crl_sign=signs,
        encipher_only=False,
        decipher_only=False,
    )


def _still_good(
    chain: Path,
    key: Path,
    authority: x509.Certificate,
    names: Sequence[x509.GeneralName],
    now: datetime,
) -> bool:
    if not chain.exists() or not key.exists():
        return False
    known = x509.load_pem_x509_certificates(chain.read_bytes())
    if known[-1] != authority or known[0].not_valid_after_utc - now < RENEWED_BEFORE:
        return False
    covered = known[0].extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return set(names) <= set(covered)


def _pem(made: x509.Certificate) -> bytes:
    return made.public_bytes(serialization.Encoding.PEM)


def _keep_key(path: Path, key: ec.EllipticCurvePrivateKey) -> None:
    kind = serialization.PrivateFormat.PKCS8
    plain = serialization.NoEncryption()
    _keep(path, key.private_bytes(serialization.Encoding.PEM, kind, plain))


def _keep(path: Path, content: bytes) -> None:
    """Write a file atomically, readable by its owner only."""
    half = path.with_suffix(path.suffix + ".new")
    with os.fdopen(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)
    half.replace(path)
