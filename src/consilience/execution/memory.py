"""Whether the work will fit, asked before it starts."""

import os
import re
import subprocess
import sys
from pathlib import Path

from ..exceptions import MemoryLimitError

_USABLE = 0.8  # of what is free: estimates are rough, and others work here too
_UNITS = ("B", "kB", "MB", "GB", "TB", "PB")


def format_bytes(n_bytes: float) -> str:
    """Write a number of bytes as people read it, in powers of 1000.

    Examples
    --------
    >>> from consilience.execution import format_bytes
    >>> format_bytes(812), format_bytes(12_345_678)
    ('812 B', '12.3 MB')
    """
    size = float(n_bytes)
    for unit in _UNITS:
        if size < 999.5 or unit == _UNITS[-1]:
            break
        size /= 1000
    return f"{size:.0f} {unit}" if unit == "B" or size >= 99.95 else f"{size:.1f} {unit}"


def check_memory(needed: float, what: str, available: int | None = None) -> None:
    """Refuse work that cannot fit in the memory that is free now.

    Parameters
    ----------
    needed : float
        Bytes that the work will hold at its peak, as estimated.
    what : str
        What needs them, as the start of a sentence.
    available : int, default=None
        Bytes that are free; None asks the system, and a system that does not tell passes.

    Raises
    ------
    MemoryLimitError
        With both figures.

    Examples
    --------
    >>> from consilience.execution import check_memory
    >>> check_memory(12.3e9, "Ranking 900,000 features", available=7_900_000_000)
    Traceback (most recent call last):
    ...
    consilience.exceptions.MemoryLimitError: Ranking 900,000 features needs about 12.3 GB and this
    machine has 7.9 GB free; use a machine with more memory, fewer jobs, or fewer features.
    """
    free = available_memory() if available is None else available
    if free is not None and needed > free:
        raise MemoryLimitError(
            f"{what} needs about {format_bytes(needed)} and this machine has {format_bytes(free)} "
            "free; use a machine with more memory, fewer jobs, or fewer features."
        )


def affordable_jobs(n_jobs: int, needed_each: float, available: int | None = None) -> int:
    """Lower a number of jobs to what fits in the memory that is free now, but not below one.

    A machine with many cores and little memory then takes longer instead of failing; the answer
    does not depend on the number of jobs.

    Parameters
    ----------
    n_jobs : int
        How many would run at the same time.
    needed_each : float
        Bytes that one of them will hold at its peak, as estimated.
    available : int, default=None
        Bytes that are free; None asks the system, and a system that does not tell lowers nothing.

    Examples
    --------
    >>> from consilience.execution.memory import affordable_jobs
    >>> affordable_jobs(16, needed_each=2e9, available=10_000_000_000)
    4
    """
    free = available_memory() if available is None else available
    if free is None or needed_each <= 0:
        return n_jobs
    return max(1, min(n_jobs, int(_USABLE * free // needed_each)))


def available_memory() -> int | None:
    """Bytes that this process may still take, or None where the system does not tell.

    On Linux the limit of a container or batch job (control groups) counts as well as the machine.

    Examples
    --------
    >>> from consilience.execution import available_memory
    >>> free = available_memory()
    >>> free is None or free > 0
    True
    """
    if sys.platform == "linux":
        figures = [_linux_available(), *_cgroup_available()]
    elif sys.platform == "darwin":
        figures = [_macos_available()]
    elif os.name == "nt":
        figures = [_windows_available()]
    else:
        figures = []
    known = [figure for figure in figures if figure is not None]
    return min(known) if known else None


def _linux_available(path: Path = Path("/proc/meminfo")) -> int | None:
    match = re.search(r"^MemAvailable:\s+(\d+) kB", _read(path), re.MULTILINE)
    return int(match[1]) * 1024 if match else None


def _cgroup_available(
    root: Path = Path("/sys/fs/cgroup"), membership: Path = Path("/proc/self/cgroup")
) -> list[int]:
    """Room below the memory limit of every control group that this process is in."""
    room = []
    for line in _read(membership).splitlines():
        _, controllers, group = line.split(":", 2)
        if controllers == "":  # version 2: one tree for all controllers
            base, limit, usage = root, "memory.max", "memory.current"
        elif "memory" in controllers.split(","):
            base, limit, usage = root / "memory", "memory.limit_in_bytes", "memory.usage_in_bytes"
        else:
            continue
        # Inside a container the path may be that of the host and not exist; the root then holds.
        folder = base / group.lstrip("/")
        for level in (folder, *folder.parents):
            most, used = _read(level / limit).strip(), _read(level / usage).strip()
            if most.isdigit() and used.isdigit():
                # Cached pages of files count as used, yet the kernel gives them back on demand.
                statistics = _read(level / "memory.stat")
                cached = re.search(r"^inactive_file (\d+)", statistics, re.MULTILINE)
                room.append(max(0, int(most) - int(used) + int(cached[1] if cached else 0)))
            if level == base:
                break
    return room


def _macos_available() -> int | None:
    try:
        text = subprocess.run(
            ["/usr/bin/vm_stat"], capture_output=True, text=True, timeout=5, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    return _parse_vm_stat(text)


def _parse_vm_stat(text: str) -> int | None:
    """Bytes in pages that are free or that macOS gives back on demand."""
    size = re.search(r"page size of (\d+) bytes", text)
    names = "free|inactive|speculative|purgeable"
    pages = [int(count) for count in re.findall(rf"^Pages (?:{names}):\s+(\d+)\.", text, re.M)]
    return int(size[1]) * sum(pages) if size and pages else None


def _windows_available() -> int | None:
    import ctypes

    class MemoryStatus(ctypes.Structure):
        # Names and order as in the documentation of GlobalMemoryStatusEx.
        _fields_ = (
            ("length", ctypes.c_ulong),
            ("load", ctypes.c_ulong),
            *((name, ctypes.c_ulonglong) for name in ("total", "free", "a", "b", "c", "d", "e")),
        )

    status = MemoryStatus(length=ctypes.sizeof(MemoryStatus))
    done = ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status))
    return int(status.free) if done else None


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
