#!/usr/bin/env python3
"""Turns problems of the FCLIB format (HDF5) into the text that the solver's tests read.

    pip install h5py numpy
    scripts/fclib_to_text.py INPUT.hdf5 ... --into engine/data/fclib

Both forms of FCLIB are read. The local one is u = W r + q with 0 <= r_n perpendicular to u_n and friction within mu r_n.
The global one is M v = H r + f, u = H' v + w; it becomes the local one with W = H' M^-1 H and q = H' M^-1 f + w, for a
diagonal M (all of the collection's rigid bodies). Each contact has spacedim rows, normal first.

Matrices come in three forms, told by nz: -1 compressed columns (p: column starts, i: rows), -2 compressed rows (p: row
starts, i: columns), otherwise nz triplets, where p holds the columns and i the rows. Triplets of the same place add up.

The text: "contacts N", then for each contact "contact MU Q_N Q_S Q_T", then for each block on or above the diagonal that
is not all zero "block ROW COLUMN" and nine entries by rows. The blocks below the diagonal are the transposes. Numbers are
the shortest that read back to the same 64 bits.
"""

import argparse
import os
import pathlib
import sys
import tempfile

import h5py
import numpy as np


def matrix(group):
    """The matrix of an FCLIB group, dense."""
    rows, columns, nz = (int(group[name][0]) for name in ("m", "n", "nz"))
    p, i, x = (group[name][()] for name in ("p", "i", "x"))
    dense = np.zeros((rows, columns))
    if nz >= 0:
        np.add.at(dense, (i[:nz], p[:nz]), x[:nz])
    elif nz == -1:
        np.add.at(dense, (i, np.repeat(np.arange(columns), np.diff(p))), x)
    elif nz == -2:
        np.add.at(dense, (np.repeat(np.arange(rows), np.diff(p)), i), x)
    else:
        raise ValueError(f"{group.name}: nz is {nz}; known are -1, -2 and counts of triplets")
    return dense


def local_problem(file):
    """W, q and mu."""
    form = "fclib_local" if "fclib_local" in file else "fclib_global"
    if form not in file:
        raise ValueError(f"{file.filename}: neither fclib_local nor fclib_global is there; rolling friction is not handled")
    group = file[form]
    if int(group["spacedim"][0]) != 3:
        raise ValueError(f"{file.filename}: only problems with three rows a contact are handled")
    vectors = {name: data[()] for name, data in group["vectors"].items()}
    if form == "fclib_local":
        return matrix(group["W"]), vectors["q"], vectors["mu"]
    mass, h = matrix(group["M"]), matrix(group["H"])
    diagonal = mass.diagonal()
    if np.count_nonzero(mass) != np.count_nonzero(diagonal) or not (diagonal > 0).all():
        raise ValueError(f"{file.filename}: M must be diagonal and positive")
    # The sums run over the few rows of H that are not zero, so that no library decides their order.
    moved = np.zeros(h.shape[1])
    for row, change in zip(h, vectors["f"] / diagonal):
        columns = np.flatnonzero(row)
        moved[columns] += row[columns] * change
    return product(h, diagonal), moved + vectors["w"], vectors["mu"]


def product(h, diagonal):
    """H' M^-1 H, summed in the order of the rows of H."""
    w = np.zeros((h.shape[1], h.shape[1]))
    for row, mass in zip(h, diagonal):
        columns = np.flatnonzero(row)
        w[np.ix_(columns, columns)] += np.outer(row[columns], row[columns]) / mass
    return w


def text(w, q, mu):
    """The lines of a problem."""
    numbers = lambda values: " ".join(repr(float(value)) for value in values)
    count = len(mu)
    yield f"contacts {count}"
    for k in range(count):
        yield "contact " + numbers([mu[k], *q[3 * k : 3 * k + 3]])
    for row in range(count):
        for column in range(row, count):
            block = w[3 * row : 3 * row + 3, 3 * column : 3 * column + 3]
            if block.any():
                yield f"block {row} {column} " + numbers(block.flat)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("inputs", nargs="+", type=pathlib.Path)
    parser.add_argument("--into", required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    for path in arguments.inputs:
        with h5py.File(path) as file:
            w, q, mu = local_problem(file)
        skew = np.abs(w - w.T).max() / np.abs(w).max()
        if skew > 1e-12:
            raise ValueError(f"{path}: W is not symmetric ({skew:.1e}); the text has one half of it alone")
        print(f"{path.name}: {len(mu)} contacts, W is symmetric up to {skew:.1e} of its largest entry", file=sys.stderr)
        with tempfile.NamedTemporaryFile("w", dir=arguments.into, delete=False) as output:
            output.write("\n".join(text(w, q, mu)) + "\n")
        os.chmod(output.name, 0o644)
        os.replace(output.name, arguments.into / f"{path.stem}.txt")


if __name__ == "__main__":
    main()
