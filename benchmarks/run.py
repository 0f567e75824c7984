"""Run all benchmarks (or those named) and print the ratios: `make bench`."""

import importlib
import os
import platform
import sys
from importlib import metadata

from timing import readable

WORKLOADS = (
    "filters_binary", "filters_bootstraps", "ridge_rfe", "svm_rfe", "relieff", "mrmr_features",
    "cfs", "markov_blanket", "k_medoids", "comparison", "itemsets", "subspace_loo", "dafs_nested",
    "qifs_round", "bayes_subsets", "genetic_run", "genetic_growth", "dynamic_integration",
    "wrapper_search", "wrapper_paper", "dask_workers", "start_up", "thrombin_memory",
)  # fmt: skip
PACKAGES = (
    "consilience", "numpy", "scipy", "scikit-learn", "numba", "skrebate", "mrmr_selection", "mrmrs",
    "kmedoids", "pyfim", "sklearn-genetic-opt", "pymoo", "imbalanced-learn", "mlxtend",
    "distributed",
)  # fmt: skip


def cell(line, seconds):
    return f"{seconds:.3g} GB" if "GB" in line.workload else readable(seconds)


def version(name):
    try:
        return f"{name} {metadata.version(name)}"
    except metadata.PackageNotFoundError:
        return f"no {name}"


def main(names):
    versions = ", ".join(version(name) for name in PACKAGES)
    machine = f"{platform.machine()}, {os.cpu_count()} cores, one thread"
    print(f"{machine}; Python {platform.python_version()}, {versions}; best of several rounds.\n")
    print("| workload | peer | peer | consilience | ratio | promised | holds |")
    print("|---|---|---|---|---|---|---|")
    for name in names or WORKLOADS:
        for line in importlib.import_module(name).run():
            cells = [
                line.workload,
                line.peer,
                cell(line, line.peer_seconds),
                cell(line, line.our_seconds),
                f"{line.ratio:,.2f}x",
                f"{'at most' if line.at_most else 'at least'} {line.promised:,}x",
                "yes" if line.holds else "NO",
            ]
            print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
