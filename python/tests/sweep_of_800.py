"""A sweep of 800 jobs, in which five workers and the driver are killed, against an undisturbed run. Prints what was seen, and fails if a row is missing,
is there twice or differs.

usage: python sweep_of_800.py
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import dask
import drystone as ds
import polars as pl
from distributed import Client, LocalCluster
from drystone.sweep._columns import TIMES


def plan(seeds: int = 200) -> ds.sweep.Plan:
    return ds.sweep.grid(
        scene=["cliff-edges", "internal-edges"], method=["semi-local", "volume-sat"], noise=0.01, seed=range(seeds)
    )


def killed(folder: Path) -> tuple[int, ds.sweep.Results]:
    """The driver is killed once, then five workers of another one."""
    parts = lambda: len(list(folder.glob("parts/*.parquet")))  # noqa: E731
    driver = subprocess.Popen([sys.executable, __file__, str(folder)], stderr=subprocess.DEVNULL)
    while parts() < 10:
        assert driver.poll() is None, "the driver ended too soon"
        time.sleep(0.01)
    driver.kill()
    driver.wait()
    there = len(ds.sweep.Results(plan(), folder))
    # A place whose worker has just been killed again when the cluster looks for it is not given up.
    dask.config.set({"distributed.deploy.lost-worker-timeout": "1 hour"})
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50) as cluster:
        with Client(cluster) as client:

            def killer() -> None:
                for _ in range(5):
                    before = parts()
                    while parts() == before:
                        time.sleep(0.01)
                    os.kill(list(client.run(os.getpid, on_error="ignore").values())[0], signal.SIGKILL)

            thread = threading.Thread(target=killer)
            thread.start()
            done = ds.sweep.run(plan(), folder, client=client, chunk_seconds=0.1)
            thread.join()
    return there, done


def main() -> None:
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary)
        start = time.monotonic()
        alone = ds.sweep.run(plan(), place / "alone", workers=0, progress=False)
        print(f"undisturbed, in one process: {len(alone)} rows in {time.monotonic() - start:.1f} s")
        there, done = killed(place / "killed")
        rows = sum(pl.read_parquet(path).height for path in (place / "killed" / "parts").glob("*.parquet"))
        print(f"driver killed at {there} rows, five workers killed after: {len(done)} rows, {rows} in the parts")
        same = done.to_polars().drop(TIMES).equals(alone.to_polars().drop(TIMES))
        print(f"failures: {len(done.failures())}; equal to the undisturbed run but for times: {same}")
        again = ds.sweep.run(plan(), place / "killed", progress=False).executed
        print(f"run again: {again} jobs executed")
        assert same and len(done) == rows == 800 and done.executed == 800 - there and again == 0
        with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0") as cluster, Client(cluster) as client:
            # What is not jobs' time on one worker, at chunks of 1 s; twelve times as many jobs, as 0.1 s of it are for the start.
            many = plan(2400)
            start = time.monotonic()
            single = ds.sweep.run(many, place / "single", client=client, chunk_seconds=1.0, progress=False)
            wall, jobs = time.monotonic() - start, float(single.to_polars()["wall_seconds"].sum())
        print(f"one worker, chunks of 1 s: {wall:.2f} s, of which jobs {jobs:.2f} s: {100 * (wall / jobs - 1):.1f} % more")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        ds.sweep.run(plan(), sys.argv[1], workers=2, chunk_seconds=0.1)
    else:
        main()
