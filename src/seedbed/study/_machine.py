"""On what machine and with what versions results were made."""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from seedbed._core._engine import instruction_set

_PACKAGES = ("seedbed", "numpy", "scipy", "scikit-learn", "polars")


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def describe_machine() -> dict[str, Any]:
    """Processor, system, versions, and the commit where seedbed runs from its repository."""
    return {
        "cpu": _processor(),
        "cores": os.cpu_count(),
        "instruction_set": instruction_set(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "versions": {name: _version(name) for name in _PACKAGES},
        "commit": _commit(),
    }


def available_bytes() -> int:
    """Memory that can be taken now: the machine's, or what the control group leaves."""
    limits = [_meminfo("MemAvailable")]
    group = Path("/sys/fs/cgroup")
    try:
        limit = (group / "memory.max").read_text().strip()
        if limit != "max":
            limits.append(int(limit) - int((group / "memory.current").read_text()))
    except (OSError, ValueError):
        pass  # no such control group: the machine's memory is the limit
    return max(0, min(limits))


def _meminfo(name: str) -> int:
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith(name + ":"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass  # not Linux
    return 8 * 2**30


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass  # not Linux
    return platform.processor() or platform.machine()


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _commit() -> str | None:
    source = Path(__file__).resolve().parents[3]
    if not (source / ".git").exists():
        return None
    try:
        asked = subprocess.run(
            ["git", "-C", str(source), "rev-parse", "--short=12", "HEAD"],
            capture_output=True,
            text=True,
            check=True,
            timeout=5,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return asked.stdout.strip()
