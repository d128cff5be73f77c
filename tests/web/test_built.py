"""What is built and packed: small enough, installable, and all in the wheel."""

import gzip
import json
import shutil
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

from qwixx.server.app import PAGES

MOST_JAVASCRIPT = 60_000
ROOT = Path(__file__).parents[2]


def test_the_first_game_needs_little_javascript() -> None:
    scripts = list((PAGES / "assets").glob("*.js"))
    assert scripts
    assert sum(len(gzip.compress(script.read_bytes(), 9)) for script in scripts) <= MOST_JAVASCRIPT


def test_the_manifest_makes_it_an_app() -> None:
    manifest = json.loads((PAGES / "assets" / "manifest.webmanifest").read_text("utf-8"))
    assert manifest["display"] == "standalone"
    assert manifest["start_url"] == "/"
    for icon in manifest["icons"]:
        file = PAGES / icon["src"].lstrip("/")
        if icon["type"] == "image/png":
            width, height = struct.unpack(">II", file.read_bytes()[16:24])
            assert icon["sizes"] == f"{width}x{height}"
        else:
            assert file.is_file()
    assert any(icon.get("purpose") == "maskable" for icon in manifest["icons"])


def test_the_service_worker_keeps_what_the_page_is_made_of() -> None:
    worker = (PAGES / "sw.js").read_text("utf-8")
    for file in [*(PAGES / "assets").glob("*.js"), *(PAGES / "assets").glob("*.css")]:
        assert f"/assets/{file.name}" in worker
    assert not [place for place in ("__VERSION__", "__FILES__") if place in worker], "every place is filled in"


def test_the_wheel_brings_the_page_along(tmp_path: Path) -> None:
    """An installed `qwixx serve` needs no node."""
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("*.egg-info", "__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path)
    build = "from setuptools import build_meta; print(build_meta.build_wheel('.'))"
    subprocess.run([sys.executable, "-c", build], cwd=tmp_path, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    packed = {name.removeprefix("qwixx/server/web/") for name in names if name.startswith("qwixx/server/web/")}
    assert packed == {str(path.relative_to(PAGES)) for path in PAGES.rglob("*") if path.is_file()}
    assert "index.html" in packed
