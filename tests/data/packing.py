"""Binary tables in every format that can be packed, and what packing them must give."""

import gzip

import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_array_equal
from scipy import io, sparse
from sklearn.datasets import dump_svmlight_file

from consilience import BitMatrix, read_table
from consilience.data.pack import plan_packing

matrices = arrays(
    np.uint8, st.tuples(st.integers(2, 140), st.integers(1, 9)), elements=st.integers(0, 1)
)
RNG = np.random.default_rng(0)
X = RNG.integers(0, 2, (131, 23)).astype(np.uint8)
Y = np.arange(131) % 3
NAMES = [f"gene {j}" for j in range(23)]


def classes(n):
    return np.array(["ill", "well"])[np.arange(n) % 2]


def csv(dense, separator=",", zero="0", one="1", end="\n"):
    y = classes(len(dense))
    lines = [separator.join(["id", *(f"f{j}" for j in range(dense.shape[1])), "state"])]
    for i, row in enumerate(dense):
        cells = [one if value else zero for value in row]
        lines.append(separator.join([f"s{i}", *cells, y[i]]))
    return end.join(lines) + end


def write_csv(path, dense):
    path.write_text(csv(dense), encoding="utf-8")
    return {"target": "state"}


def write_gz(path, dense):
    path.write_bytes(gzip.compress(csv(dense, "\t").encode()))
    return {"target": -1}


def write_transposed(path, dense):
    y = classes(len(dense))
    lines = ["\t".join(["", *(f"s{i}" for i in range(len(dense)))]), "\t".join(["state", *y])]
    lines += ["\t".join([f"f{j}", *map(str, column)]) for j, column in enumerate(dense.T)]
    path.write_text("\n".join(lines), encoding="utf-8")
    return {"target": "state", "transpose": True}


def write_svmlight(path, dense):
    dump_svmlight_file(dense.astype(float), np.arange(len(dense)) % 2, str(path), zero_based=False)
    return {}


def write_labels(path, n):
    labels = path.with_name("classes.txt")
    labels.write_text("\n".join(classes(n)), encoding="utf-8")
    return labels


def write_mtx(path, dense):
    entries = sparse.coo_array(dense)
    order = np.random.default_rng(1).permutation(entries.nnz)
    shuffled = sparse.coo_array(
        (entries.data[order], (entries.row[order], entries.col[order])), dense.shape
    )
    with path.open("wb") as file:
        io.mmwrite(file, shuffled, comment="made\nfor a test", symmetry="general")
    return {"labels": write_labels(path, len(dense))}


def write_mtx_turned(path, dense):
    given = write_mtx(path, dense.T)
    return given | {"labels": write_labels(path, len(dense)), "transpose": True}


def write_mtx_array(path, dense):
    with path.open("wb") as file:
        io.mmwrite(file, dense.astype(float), symmetry="general")
    return {"labels": write_labels(path, len(dense))}


def write_mtx_gz(path, dense):
    plain = path.with_suffix("")
    given = write_mtx(plain, dense)
    path.write_bytes(gzip.compress(plain.read_bytes()))
    return given


def npz(**options):
    def write(path, dense):
        form = options.get("form", np.asarray)(dense)
        given = {"y": classes(len(dense)), "sample_names": [f"s{i}" for i in range(len(dense))]}
        if options.get("transpose"):
            form = form.T
        if sparse.issparse(form):
            given |= {"data": form.data, "indices": form.indices, "indptr": form.indptr}
            given |= {"shape": np.array(form.shape), "format": np.array(form.format.encode())}
        else:
            given["X"] = form
        save = np.savez_compressed if options.get("compressed") else np.savez
        save(path, **given)
        return {"transpose": True} if options.get("transpose") else {}

    return write


def h5ad(form):
    def write(path, dense):
        anndata = pytest.importorskip("anndata")
        import pandas as pd

        obs = pd.DataFrame(
            {"state": classes(len(dense))}, index=[f"s{i}" for i in range(len(dense))]
        )
        var = pd.DataFrame(index=[f"f{j}" for j in range(dense.shape[1])])
        anndata.AnnData(form(dense.astype(np.float32)), obs=obs, var=var).write_h5ad(path)
        return {"target": "state"}

    return write


def write_parquet(path, dense):
    import pandas as pd

    frame = pd.DataFrame(dense, columns=[f"f{j}" for j in range(dense.shape[1])])
    frame["state"] = classes(len(dense))
    frame.to_parquet(path)
    return {"target": "state"}


def write_bits(path, dense):
    BitMatrix.from_array(dense).save(path, y=classes(len(dense)), target="state")
    return {}


FORMATS = {
    "x.csv": write_csv,
    "x.tsv.gz": write_gz,
    "turned.tsv": write_transposed,
    "x.svmlight": write_svmlight,
    "x.mtx": write_mtx,
    "turned.mtx": write_mtx_turned,
    "array.mtx": write_mtx_array,
    "x.mtx.gz": write_mtx_gz,
    "dense.npz": npz(compressed=True),
    "fortran.npz": npz(form=np.asfortranarray),
    "turned.npz": npz(form=lambda dense: dense.astype(float), transpose=True),
    "csr.npz": npz(form=sparse.csr_array, compressed=True),
    "csc.npz": npz(form=sparse.csc_array),
    "csr_turned.npz": npz(form=sparse.csr_array, transpose=True),
    "x.parquet": write_parquet,
    "x.bits": write_bits,
}
H5AD = {"dense": np.asarray, "csr": sparse.csr_matrix, "csc": sparse.csc_matrix}


def check(path, given, dense, memory=1 << 20, piece=1 << 18):
    out = path.with_name("out.bits")
    with pytest.MonkeyPatch.context() as patch:
        for module in ("npz", "mtx", "h5ad", "memory"):
            patch.setattr(f"consilience.data.pack_{module}.PIECE", piece)
        n_ones = plan_packing(path, out, **given, memory=memory).run()
    table, whole = read_table(out), read_table(path, **given)
    assert n_ones == dense.sum()
    assert_array_equal(table.X.toarray(), dense)
    assert_array_equal(table.X.words, BitMatrix.from_array(dense).words)
    assert_array_equal(table.y, whole.y)
    assert table.y.dtype.kind == whole.y.dtype.kind
    assert table.target == whole.target
    assert_array_equal(table.feature_names, whole.feature_names)
    if whole.sample_names is None:
        assert table.sample_names is None
    else:
        assert_array_equal(table.sample_names, whole.sample_names)
    out.unlink()
