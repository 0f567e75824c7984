import pytest

from consilience.exceptions import MemoryLimitError
from consilience.execution import available_memory, check_memory, format_bytes
from consilience.execution import memory as module


@pytest.mark.parametrize(
    ("n_bytes", "text"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1.0 kB"),
        (99_949, "99.9 kB"),
        (99_950, "100 kB"),
        (999_999, "1.0 MB"),
        (12_345_678_901, "12.3 GB"),
        (5e18, "5000 PB"),
    ],
)
def test_bytes_read_well(n_bytes, text):
    assert format_bytes(n_bytes) == text


def test_too_much_is_refused_with_both_figures():
    with pytest.raises(MemoryLimitError, match=r"X needs about 12.3 GB and .* 7.9 GB free; use"):
        check_memory(12.3e9, "X", available=7_900_000_000)
    check_memory(1, "X", available=1)
    check_memory(1, "X")


@pytest.mark.parametrize(
    ("n_jobs", "each", "free", "expected"),
    [(8, 1e9, 4e9, 3), (2, 1e9, 40e9, 2), (8, 1e9, 1e6, 1), (8, 0, 1e6, 8)],
)
def test_fewer_jobs_where_memory_is_short(n_jobs, each, free, expected):
    assert module.affordable_jobs(n_jobs, each, free) == expected


def test_a_system_that_does_not_tell_passes(monkeypatch):
    monkeypatch.setattr(module.sys, "platform", "plan9")
    monkeypatch.setattr(module.os, "name", "plan9")
    assert available_memory() is None
    check_memory(1e30, "X")


def test_free_memory_is_a_sensible_number():
    free = available_memory()
    assert free is None or 1e6 < free < 1e15


def test_meminfo(tmp_path):
    path = tmp_path / "meminfo"
    path.write_text("MemTotal:       100 kB\nMemAvailable:    42 kB\n")
    assert module._linux_available(path) == 42 * 1024
    assert module._linux_available(tmp_path / "absent") is None


@pytest.mark.parametrize("version", [1, 2])
def test_the_limit_of_a_container_counts(tmp_path, version):
    membership = tmp_path / "cgroup"
    if version == 2:
        membership.write_text("0::/user/job\n")
        base, limit, usage = tmp_path, "memory.max", "memory.current"
    else:
        membership.write_text("5:cpu,cpuacct:/x\n4:memory:/user/job\n")
        base, limit, usage = tmp_path / "memory", "memory.limit_in_bytes", "memory.usage_in_bytes"
    for level, most in ((base / "user", "9000"), (base / "user" / "job", "max")):
        level.mkdir(parents=True)
        (level / limit).write_text(f"{most}\n")
        (level / usage).write_text("5000\n")
        (level / "memory.stat").write_text("anon 1\ninactive_file 300\nactive_file 4\n")
    assert module._cgroup_available(tmp_path, membership) == [9000 - 5000 + 300]
    assert module._cgroup_available(tmp_path, tmp_path / "absent") == []


def test_vm_stat_of_macos():
    text = (
        "Mach Virtual Memory Statistics: (page size of 16384 bytes)\n"
        "Pages free:                               10.\n"
        "Pages active:                            999.\n"
        "Pages inactive:                           20.\n"
        "Pages speculative:                         3.\n"
        'Pages purgeable:                           4.\n"Translation faults":  5.\n'
    )
    assert module._parse_vm_stat(text) == 37 * 16384
    assert module._parse_vm_stat("") is None
