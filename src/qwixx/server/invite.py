"""Ways to a table for those who are not at this machine: its address in the local network, and QR codes."""

import io
import socket

import segno

ELSEWHERE = ("192.0.2.1", 9)
"""An address set aside for examples: asking for the way there sends nothing, but tells which of ours faces outwards."""


def lan_address() -> str:
    """The address by which other machines in the room reach this one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)
        except OSError:
            return "127.0.0.1"
        address: str = probe.getsockname()[0]
        return address


def qr_svg(text: str) -> str:
    """A QR code as a drawing, dark on light in every colour scheme, as cameras want it."""
    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(out, kind="svg", border=3, light="#fff", xmldecl=False, scale=4)
    return out.getvalue().decode()


def qr_terminal(text: str) -> str:
    """A QR code in half blocks, for the terminal."""
    out = io.StringIO()
    segno.make(text, error="l", micro=False).terminal(out, border=2, compact=True)
    return out.getvalue()
