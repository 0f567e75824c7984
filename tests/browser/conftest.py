"""A real Chromium without a window, found on this machine and never downloaded."""

import os
import shutil

import pytest

from consilience.report.render import write_report
from report.real import (
    alternatives_result,
    committee_result,
    dafs_result,
    demo_result,
    lone_result,
    nominal_result,
    planted_result,
    search_result,
    wrapper_result,
)
from report.standin import make_result
from report.standin_dafs import make_dafs

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)
REQUIRED = os.environ.get("CONSILIENCE_REQUIRE_BROWSER") == "1"


def find(*names):
    return next((path for path in map(shutil.which, names) if path), None)


def executables():
    """Paths of Chromium and its driver; without them skip, or fail where they are required."""
    browser = find("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    driver = find("chromedriver", "chromium.chromedriver")
    missing = [name for name, path in [("chromium", browser), ("chromedriver", driver)] if not path]
    if missing:
        reason = f"{' and '.join(missing)} not found on the PATH; install Debian's chromium-driver"
        pytest.fail(reason) if REQUIRED else pytest.skip(reason)
    return browser, driver


def start(profile):
    if REQUIRED:
        from selenium import webdriver
    else:
        webdriver = pytest.importorskip("selenium.webdriver")
    from selenium.webdriver.chrome.service import Service

    browser, driver = executables()
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options, service=Service(driver))


@pytest.fixture(scope="session")
def chromium(tmp_path_factory):
    driver = start(tmp_path_factory.mktemp("profile"))
    yield driver
    driver.quit()


@pytest.fixture(scope="session")
def pages(tmp_path_factory):
    """Reports as files, by name."""
    folder = tmp_path_factory.mktemp("reports")
    results = {
        "demo": demo_result(),
        "evil": planted_result(evil=True),
        "ten": make_result(
            classes=[f"a class with a long name {k}" for k in range(10)],
            n_samples=300,
            names=["N" * 200],
        ),
        "nominal": nominal_result(),
        "alternatives": alternatives_result(),
        "evil alternatives": alternatives_result(evil=True),
        "dafs": dafs_result(),
        "evil dafs": dafs_result(evil=True),
        "wide dafs": make_dafs(
            n_features=4000,
            n_subspaces=900,
            subspace_size=60,
            missed=40,
            m=12,
            names=["N" * 200],
            classes=[f"a class with a long name {k}" for k in range(10)],
        ),
        "committee": committee_result(),
        "evil committee": committee_result(evil=True),
        "search": search_result(alpha="auto", n_neighbors="auto"),
        "evil search": search_result(evil=True),
        "climb": search_result("hill-climbing", evaluated=False),
        "random": search_result("random-subspace", n_estimators=40),
        "crowd": search_result(n_estimators=15, evaluated=False),
        "lone": lone_result(),
        "wrapper": wrapper_result(stop="permutation"),
        "evil wrapper": wrapper_result(stop="permutation", evil=True),
        "bred wrapper": wrapper_result(search="genetic", evaluated=False),
        "each class": wrapper_result(n_classes=3, multiclass="ovr"),
        "binary": make_result(binary=True, evaluate=False, warnings=["w" * 300]),
    }
    return {name: write_report(r, folder / f"{name}.html") for name, r in results.items()}


@pytest.fixture
def visit(chromium, pages):
    """Open a report at a width, with a colour scheme, with or without scripts."""

    def go(name, width=1200, dark=False, scripts=True):
        send = chromium.execute_cdp_cmd
        send("Emulation.setScriptExecutionDisabled", {"value": not scripts})
        send(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500},
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        send("Emulation.setEmulatedMedia", {"features": [scheme]})
        for kind in ("browser", "performance"):
            chromium.get_log(kind)  # forget what earlier pages said
        chromium.get(pages[name].as_uri())
        if scripts:
            from selenium.webdriver.support.ui import WebDriverWait

            WebDriverWait(chromium, 60, 0.05).until(
                lambda d: d.execute_script(
                    "return document.documentElement.dataset.figures === 'drawn'"
                )
            )
        return chromium

    yield go
    chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
