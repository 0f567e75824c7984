"""Imports point down the layers of the design, and only to public names of other libraries."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import consilience

SOURCE = Path(consilience.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))

# From the top: a part may import parts of lower layers and itself, never beside itself or up.
LAYERS = [
    {"__main__"},
    {"cli"},
    {"report"},
    {"evaluation"},
    {"ensemble", "committee"},
    {"learners", "results"},
    {"aggregation", "integration", "search", "selectors", "sampling"},
    {"diversity", "significance", "stability"},  # measures, where users look for them
    {"measures", "models", "data", "execution"},
    {"kernels"},
]
FREE = {"exceptions", "heard", "registry"}  # for all to import; they import nothing but each other
HEAVY = ("sklearn", "pandas", "numba", "scipy", "plotly", "pyarrow", "imblearn", "distributed")


def part_of(path):
    """The first name below the package: a folder, or a module of its own."""
    return path.relative_to(SOURCE).with_suffix("").parts[0]


def layer_of(part):
    return next(depth for depth, parts in enumerate(LAYERS) if part in parts)


def modules_imported(path):
    """Every module that a file imports as (module, name or None), own ones absolute."""
    package = ["consilience", *path.relative_to(SOURCE).parts[:-1]]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, None) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield from ((module, alias.name) for alias in node.names)


def own_parts_imported(path):
    """Parts of consilience that a file imports."""
    for module, name in modules_imported(path):
        root, *rest = module.split(".")
        if root == "consilience":
            if rest:
                yield rest[0]
            elif name != "__version__":
                yield name


def identify(path):
    return path.relative_to(SOURCE).as_posix()


def test_every_part_has_its_layer():
    known = set().union(*LAYERS) | FREE | {"__init__"}
    assert {part_of(path) for path in FILES} <= known


@pytest.mark.parametrize("path", FILES, ids=identify)
def test_imports_point_down(path):
    part, imported = part_of(path), set(own_parts_imported(path))
    if part == "__init__":
        assert not imported  # it finds names when they are asked for
    elif part in FREE:
        assert imported <= FREE
    else:
        below = set().union(*LAYERS[layer_of(part) + 1 :])
        allowed = below | FREE | {part}
        if part == "cli":  # the command line may speak of the package as its users do
            allowed |= set(consilience.__all__)
        assert imported <= allowed


@pytest.mark.parametrize("path", FILES, ids=identify)
def test_other_libraries_are_used_through_public_names(path):
    for module, name in modules_imported(path):
        root, *rest = module.split(".")
        if root in ("consilience", "__future__"):
            continue
        private = [part for part in [root, *rest, name or ""] if part.startswith("_")]
        assert not private, f"{module} {name}"


@pytest.mark.parametrize("path", FILES, ids=identify)
def test_no_file_is_longer_than_400_lines(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


@pytest.mark.parametrize("path", FILES, ids=identify)
def test_every_file_says_what_it_is_for(path):
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


def test_kernels_are_compiled_by_one_rule():
    for path in FILES:
        if identify(path) == "kernels/_numba.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            called = getattr(node, "attr", getattr(node, "id", None))
            assert called not in ("njit", "vectorize", "guvectorize"), identify(path)
        for module, name in modules_imported(path):
            assert not (module == "numba" and name in ("jit", "njit", "prange")), identify(path)


def test_kernels_know_numpy_and_numba_alone():
    for path in FILES:
        if part_of(path) == "kernels":
            roots = {module.split(".")[0] for module, _ in modules_imported(path)}
            # llvmlite is what numba.extending gives to write an instruction in.
            allowed = {"consilience", "numpy", "numba", "llvmlite", "typing", "math"}
            assert roots <= allowed, identify(path)


def test_dask_is_imported_in_one_file():
    for path in FILES:
        roots = {module.split(".")[0] for module, _ in modules_imported(path)}
        assert identify(path) == "execution/dask_cluster.py" or not roots & {"dask", "distributed"}


def test_nothing_is_pickled():
    for path in FILES:
        roots = {module.split(".")[0] for module, _ in modules_imported(path)}
        if identify(path) != "execution/parcel.py":  # of the link to a cluster, which has no files
            assert not roots & {"pickle", "dill", "cloudpickle", "shelve", "marshal"}, identify(
                path
            )
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "load":
                if getattr(node.func.value, "id", "") == "np":
                    words = {word.arg: ast.literal_eval(word.value) for word in node.keywords
                             if word.arg == "allow_pickle"}  # fmt: skip
                    assert words == {"allow_pickle": False}, identify(path)


@pytest.mark.parametrize(
    "program",
    [
        "import consilience; dir(consilience); consilience.__version__",
        "import consilience.exceptions, consilience.registry",
        "from consilience.cli import main\n"
        "import sys\n"
        "sys.argv = ['consilience', '--help']\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code\n",
        "from consilience.cli import main\n"
        "import sys\n"
        "sys.argv = ['consilience', '--version']\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code\n",
    ],
    ids=["import", "exceptions", "--help", "--version"],
)
def test_what_must_be_quick_imports_nothing_heavy(program):
    report = f"\nimport sys\nprint('HEAVY', [m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", program + report],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "HEAVY []"
