"""Other hosts, as network namespaces of this machine, each with a cable of its own."""

import contextlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest


class Host:
    """A network namespace with a cable to this one."""

    def __init__(self, number):
        self.name, self.cable = f"consilience{number}", f"cons{number}"
        net = f"10.{77 + number // 250 % 100}.{number % 250}"
        self.here, self.there = f"{net}.1", f"{net}.2"
        self.inside = ["ip", "netns", "exec", self.name]

    def plug_in(self):
        ip("netns", "add", self.name)
        ip("link", "add", self.cable, "type", "veth", "peer", "name", "eth0", "netns", self.name)
        ip("addr", "add", f"{self.here}/24", "dev", self.cable)
        # Large packets: what is measured is what is sent, and not how it is wrapped.
        ip("link", "set", self.cable, "mtu", "65000", "up")
        for words in (
            ["addr", "add", f"{self.there}/24", "dev", "eth0"],
            ["link", "set", "eth0", "mtu", "65000", "up"],
            ["link", "set", "lo", "up"],
        ):
            subprocess.run([*self.inside, "ip", *words], check=True, capture_output=True)

    def route(self, other):
        """Reach another host through this machine."""
        Path("/proc/sys/net/ipv4/ip_forward").write_text("1")
        words = ["ip", "route", "add", f"{other.there}/32", "via", self.here]
        subprocess.run([*self.inside, *words], check=True, capture_output=True)

    def received(self):
        """Bytes that have come to the host over its cable."""
        told = Path(f"/sys/class/net/{self.cable}/statistics/tx_bytes")  # from our end
        return int(told.read_text())

    def pull(self):
        ip("link", "set", self.cable, "down")

    def push(self):
        ip("link", "set", self.cable, "up")

    def close(self):
        for words in (["link", "del", self.cable], ["netns", "del", self.name]):
            with contextlib.suppress(subprocess.CalledProcessError):
                ip(*words)


def ip(*words):
    subprocess.run(["ip", *words], check=True, capture_output=True)


def make_hosts(n_hosts):
    """Hosts that are plugged in; None, and the reason, where they cannot be made."""
    if not shutil.which("ip"):
        return None, "no command ip here, to make a network namespace with"
    hosts = [Host(n_hosts * os.getpid() % 25_000 + k) for k in range(n_hosts)]
    try:
        for made in hosts:
            made.plug_in()
    except subprocess.CalledProcessError as error:
        for made in hosts:
            made.close()
        said = error.stderr.decode().strip()
        return None, f"only root can make a network namespace ({said})"
    return hosts, ""


@pytest.fixture
def two_hosts():
    """Two other hosts."""
    hosts, reason = make_hosts(2)
    if hosts is None:
        pytest.skip(reason)
    yield hosts
    for made in hosts:
        made.close()


@pytest.fixture
def host(two_hosts):
    """Another host."""
    return two_hosts[0]
