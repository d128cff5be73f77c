"""Secrets that protect a seat. A key is known to its holder alone; a table keeps only its hash."""

import hmac
import secrets
from hashlib import sha256

_ID_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
_ID_LENGTH = 8


def new_key() -> str:
    return secrets.token_urlsafe(24)


def hashed(key: str) -> str:
    return sha256(key.encode("utf-8", "replace")).hexdigest()


def fits(shown: str, kept: str) -> bool:
    """Whether the hash of a key is the one that is kept; compares in constant time, also where nothing is kept."""
    return hmac.compare_digest(shown, kept or "-" * 64)


def new_table_id() -> str:
    """Short enough to be read out, without letters that are mistaken for others."""
    return "".join(secrets.choice(_ID_LETTERS) for _ in range(_ID_LENGTH))
