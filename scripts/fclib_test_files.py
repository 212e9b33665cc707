#!/usr/bin/env python3
"""Makes the small problems in scenes/tests/data/fclib that are not of the collection itself.

    pip install h5py numpy
    scripts/fclib_test_files.py scenes/tests/data/fclib

Three contacts between two bodies whose masses are coupled: in the global form with a full M and the same M with its zeros left out, in
the local form by numpy's W, in all the ways in which HDF5 and FCLIB store it; and what is refused.
"""

import pathlib
import sys

import h5py
import numpy as np

CONTACTS, BODIES = 3, 2
RANDOM = np.random.default_rng(7)
H = np.round(RANDOM.uniform(-1, 1, (6 * BODIES, 3 * CONTACTS)), 3)
MU, W_FREE = [0.3, 0.5, 0.0], np.round(RANDOM.uniform(-1, 1, 3 * CONTACTS), 3)
FORCE = np.round(RANDOM.uniform(-1, 1, 6 * BODIES), 3)
ROOT = np.round(RANDOM.uniform(-0.2, 0.2, (6 * BODIES, 6 * BODIES)), 3)
FULL = 2 * np.eye(6 * BODIES) + ROOT @ ROOT.T
BLOCKS = FULL * np.kron(np.eye(BODIES), np.ones((6, 6)))


def write_matrix(group, matrix, nz, integer="<i4"):
    """A matrix in one of the forms of FCLIB: compressed columns (-1), compressed rows (-2), triplets (0)."""
    rows, columns = matrix.shape
    lines = matrix.T if nz == -1 else matrix
    along, across = np.nonzero(lines)
    starts = np.searchsorted(along, np.arange(len(lines) + 1))
    p, i = (starts, across) if nz < 0 else (across, along)
    sizes = {"nzmax": len(across), "m": rows, "n": columns, "nz": nz if nz < 0 else len(across)}
    for name, value in sizes.items():
        group.create_dataset(name, data=np.array([value], integer))
    for name, values in {"p": p, "i": i}.items():
        group.create_dataset(name, data=np.array(values, integer))
    group.create_dataset("x", data=np.array(lines[along, across], "<f8"))


def write_global(path, mass, nz, group="fclib_global", spacedim=3, **options):
    """The problem in the global form."""
    with h5py.File(path, "w", **options) as file:
        group = file.create_group(group)
        group.create_dataset("spacedim", data=np.array([spacedim], "<i4"))
        write_matrix(group.create_group("M"), mass, nz)
        write_matrix(group.create_group("H"), H, nz)
        vectors = group.create_group("vectors")
        for name, values in {"f": FORCE, "w": W_FREE, "mu": MU}.items():
            vectors.create_dataset(name, data=np.array(values, "<f8"))
        if spacedim == 5:
            vectors.create_dataset("mu_r", data=np.array(MU, "<f8"))


def write_local(path, w, q, nz, integer="<i4", chunks=None, **options):
    """The problem in the local form."""
    with h5py.File(path, "w", **options) as file:
        group = file.create_group("fclib_local")
        group.create_dataset("spacedim", data=np.array([3], integer))
        write_matrix(group.create_group("W"), w, nz, integer)
        vectors = group.create_group("vectors")
        vectors.create_dataset("q", data=np.array(q, "<f8"), chunks=chunks)
        vectors.create_dataset("mu", data=np.array(MU, "<f8"))


def main():
    folder = pathlib.Path(sys.argv[1])
    inverse = np.linalg.inv(FULL)
    w, q = H.T @ inverse @ H, H.T @ inverse @ FORCE + W_FREE
    w = (w + w.T) / 2
    write_global(folder / "full-mass.hdf5", FULL, -1)
    write_global(folder / "block-mass.hdf5", BLOCKS, 0)
    write_global(folder / "rolling.hdf5", FULL, -1, group="fclib_global_rolling", spacedim=5)
    write_local(folder / "full-mass-local.hdf5", w, q, -2)
    write_local(folder / "full-mass-latest.hdf5", w, q, 0, integer="<i8", libver="latest")
    write_local(folder / "chunks.hdf5", w, q, -1, chunks=(3,))
    skew = np.zeros_like(w)
    skew[0, 3], skew[3, 0] = 1e-3, -1e-3
    write_local(folder / "asymmetric.hdf5", w + np.abs(w).max() * skew, q, -1)


if __name__ == "__main__":
    main()
