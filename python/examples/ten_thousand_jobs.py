"""A sweep of 10,000 jobs: how much noise do the methods stand? All cores work; started again, it goes on with what is missing.

usage: python ten_thousand_jobs.py [FOLDER] [SEEDS]    SEEDS: 250 for 10,000 jobs
"""

import sys

import drystone as ds
import polars as pl

METHODS = ["semi-local", "volume-sat", "most-opposing", "closest-points", "vertex-only"]

if __name__ == "__main__":
    folder = sys.argv[1] if len(sys.argv) > 1 else "ten-thousand-jobs"
    seeds = int(sys.argv[2]) if len(sys.argv) > 2 else 250
    plan = ds.sweep.grid(
        scene=["cliff-edges", "internal-edges"], method=METHODS, noise=[1e-4, 1e-3, 1e-2, 3e-2], seed=range(seeds)
    )
    done = ds.sweep.run(plan, folder)
    quality = done.table().group_by("scene", "method", "noise").agg(pl.col("quality").mean(), pl.len())
    with pl.Config(tbl_rows=-1):
        print(quality.pivot("noise", index=["scene", "method"], values="quality", sort_columns=True).sort("scene", "method"))
    print(f"{len(done)} of {len(plan)} jobs, {len(done.failures())} failed")
