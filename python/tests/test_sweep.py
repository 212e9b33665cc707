"""Sweeps: every row, each once, whatever is killed."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import dask
import drystone as ds
import numpy as np
import polars as pl
import pytest
from distributed import Client, LocalCluster, WorkerPlugin
from drystone.sweep._columns import COLUMNS, TIMES, schema

sweep = ds.sweep
STONES = """
name = "stones"
materials = ["stone"]
interaction = [{ between = ["stone", "stone"], friction = 0.6 }]
[[body]]
name = "ground"
material = "stone"
fixed = true
shape.box = [4, 1, 4]
[[body]]
name = "stone"
material = "stone"
density = 2400
position = [0, 1, 0]
shape.box = [1, 1, 1]
[[truth]]
bodies = ["ground", "stone"]
normals = [[0, 1, 0]]
minimum = 4
"""


def plan_of(count: int, **more) -> ds.sweep.Plan:
    """So many jobs of some milliseconds each."""
    return sweep.grid(scene="spikes", method=["semi-local", "volume-sat"], noise=0.01, seed=range(count // 2), **more)


def content(results: ds.sweep.Results) -> pl.DataFrame:
    """All that is the same in every run."""
    return results.to_polars().drop(TIMES)


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    # By default a place is empty for ever whose worker has just been killed again when the cluster looks for it.
    with dask.config.set({"distributed.deploy.lost-worker-timeout": "1 hour"}):
        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50) as cluster:
            with Client(cluster) as client:
                yield client


def workers(client: Client) -> list[int]:
    return list(client.run(os.getpid, on_error="ignore").values())


def kill(process: int) -> None:
    os.kill(process, signal.SIGKILL)


def wait_for(condition, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it does not come"
        time.sleep(0.01)


def test_a_grid_has_all_combinations_once() -> None:
    plan = sweep.grid(
        scene=["spikes", ds.Scene("cliff-edges"), ds.Scene.from_toml(STONES)],
        method=["semi-local", ds.Method("semi-local"), ds.Method("vclip", depth=0.2)],
        noise=np.array([0, 0.01]),
        seed=range(3),
        level=np.int64(0),
    )
    # One of the methods is there twice, and without noise all seeds are one job.
    assert len(plan) == 3 * 2 * (1 + 3) == len(set(plan.ids))
    assert [job.description["noise"] for job in plan][:5] == [None, 0.01, 0.01, 0.01, None]
    shards = [plan.shard(index, 5) for index in range(5)]
    assert sorted(id for shard in shards for id in shard.ids) == sorted(plan.ids)
    assert max(map(len, shards)) - min(map(len, shards)) <= 1
    assert (shards[0] + plan).ids[: len(shards[0])] == shards[0].ids and len(shards[0] + plan) == len(plan)
    again = sweep.Plan(job.entry for job in plan)
    assert again.ids == plan.ids and repr(plan) == "<drystone.sweep.Plan 24 jobs>"


def test_ids_are_those_of_the_program(program: Path) -> None:
    plan = sweep.grid(scene=["spikes", ds.Scene.from_toml(STONES)], method=["volume-sat", ds.Method("vclip", depth=0.2)], steps=5, step=2)
    lines = "".join(json.dumps(job.entry) + "\n" for job in plan)
    said = subprocess.run([program, "job"], input=lines, capture_output=True, text=True, check=True).stdout
    found = [json.loads(line) for line in said.splitlines()]
    assert [one["id"] for one in found] == plan.ids
    assert [one["job"] for one in found] == [job.description for job in plan]
    assert all(len(one["rows"]) == 1 and one["end"]["steps"] == 5 for one in found)


def test_the_study_of_noise_is_a_sweep(tmp_path: Path, program: Path) -> None:
    methods = ["most-opposing", "vertex-only"]
    given = [word for method in methods for word in ("--method", method)]
    said = subprocess.run([program, "study", "perturbation", *given, "--csv", "-"], capture_output=True, check=True).stdout
    study = pl.read_csv(said).select("method", "noise", "seed", "contacts", "matching", "quality")
    plan = sweep.grid(scene="pillar", method=methods, noise=[0.01, 0.02, 0.03], seed=range(5), step=2)
    found = sweep.run(plan, tmp_path, workers=0, progress=False).table().select(study.columns)
    # Without noise the study has one run a method, of seed 0 or none.
    study = study.filter(pl.col("noise") > 0).cast(dict(found.schema))
    assert study.height == 30 and study.sort("method", "noise", "seed").equals(found.sort("method", "noise", "seed"))


def test_wrong_axes_are_refused() -> None:
    for wrong, kind, says in [
        ({"scene": "spikes"}, TypeError, "needs method"),
        ({"scene": "spikes", "method": "vclip", "speed": 3}, TypeError, "no axis speed"),
        ({"scene": "spikes", "method": object()}, TypeError, "method has a value of the kind object"),
        ({"scene": "tower", "method": "vclip"}, ds.SceneError, "box-stack"),
        ({"scene": "spikes", "method": ["vclip", "gjk"]}, ds.MethodError, "job 1: .*volume-sat"),
        ({"scene": "spikes", "method": "vclip", "noise": 0.1}, ValueError, "needs a seed"),
        ({"scene": "spikes", "method": "vclip", "steps": 0}, ValueError, "steps is 0"),
        ({"scene": "card-house", "method": "vclip"}, ds.SceneError, "nothing is known"),
    ]:
        with pytest.raises(kind, match=says):
            sweep.grid(**wrong)

    plan = plan_of(2)
    with pytest.raises(ValueError, match="from 0 to 2"):
        plan.shard(3, 3)
    for wrong in [{"workers": -1}, {"checkpoint_every": 0}, {"chunk_seconds": float("nan")}]:
        with pytest.raises(ValueError, match=next(iter(wrong))):
            sweep.run(plan, "nowhere", **wrong)


def test_what_is_missing_is_said() -> None:
    code = """
import sys, importlib.util as util
found = util.find_spec
util.find_spec = lambda name, *rest: None if name in ("distributed", "pyarrow") else found(name, *rest)
import drystone as ds
plan = ds.sweep.grid(scene="spikes", method="vclip")
assert not {"dask", "distributed", "pyarrow", "polars"} & set(sys.modules)
try:
    ds.sweep.run(plan, "nowhere")
except ImportError as error:
    print(error)
"""
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said == "sweeps need pyarrow, distributed; install them by: pip install 'drystone[sweep]'\n"


def test_results_are_those_of_assess_and_are_kept(tmp_path: Path) -> None:
    methods = ["semi-local", "volume-sat"]
    plan = sweep.grid(scene=["spikes", "pillar"], method=methods)
    done = sweep.run(plan, tmp_path, workers=0, progress=False)
    assert done.executed == len(done) == 4 and done.to_arrow().schema == schema()
    expected, found = ds.assess(["spikes", "pillar"], methods).columns(), done.to_arrow().to_pydict()
    for name in expected.keys() & COLUMNS.keys() - {"seconds"}:
        assert found[name] == expected[name], name
    assert all(wall > 0 for wall in found["wall_seconds"]) and done.failures().is_empty()
    again = sweep.run(plan, tmp_path, workers=0, progress=False)
    assert again.executed == 0 and content(again).equals(content(done))
    more = sweep.run(plan + plan_of(4), tmp_path, workers=0, progress=False)
    assert more.executed == 4 and len(more) == 8
    assert content(sweep.Results(plan, tmp_path)).equals(content(done))
    assert done.table().group_by("method").agg(pl.col("quality").mean()).height == 2
    assert list(done.to_pandas()["scene"]) == ["spikes", "spikes", "pillar", "pillar"]


def test_jobs_of_another_program_are_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_of(2)
    sweep.run(plan, tmp_path, workers=0, progress=False)
    assert len(ds._drystone._program().split(" build ")[1]) == 16
    # As another build would plan and keep them.
    other = sweep.Plan._of(job._replace(id="0" + job.id[1:] if job.id[0] != "0" else "1" + job.id[1:]) for job in plan)
    assert len(sweep.Results(other, tmp_path)) == 0
    monkeypatch.setattr("drystone.sweep._run._program", lambda: "drystone 0.0.9")
    with pytest.raises(RuntimeError, match="and the driver drystone 0.0.9"):
        sweep.run(plan_of(4), tmp_path, workers=0, progress=False)


def test_jobs_that_fail_are_rows_and_are_not_run_again(tmp_path: Path) -> None:
    plan = sweep.grid(scene="wall", method="semi-local", size=[None, 3]) + plan_of(2)
    done = sweep.run(plan, tmp_path, workers=0, progress=False)
    failed = done.failures()
    assert (len(done), len(done.table()), len(failed)) == (4, 3, 1)
    assert "SceneError: " in failed["error"][0] and "one size" in failed["error"][0] and failed["scene"][0] == "wall"
    assert sweep.run(plan, tmp_path, workers=0, progress=False).executed == 0
    assert sweep.run(plan, tmp_path, workers=0, progress=False, retry_failures=True).executed == 1
    assert len(sweep.Results(plan, tmp_path)) == 4


def test_the_folder_has_scenes_and_a_part_that_is_not_whole_does_not_count(tmp_path: Path) -> None:
    plan = sweep.grid(scene=ds.Scene.from_toml(STONES), method="semi-local", steps=20, truth="corrected", bodies=True)
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / ".tmp1.part").write_bytes(b"PAR1")
    row = sweep.run(plan, tmp_path, workers=0, progress=False).to_polars().row(0, named=True)
    assert row["coverage"] == 1.0 and row["scene"] == "stones" and row["end_contacts"] == 4
    assert [body["name"] for body in row["end_bodies"]] == ["ground", "stone"]
    text = (tmp_path / "scenes" / f"{row['scene_file']}.toml").read_text()
    assert sweep.grid(scene=ds.Scene.from_toml(text), method="semi-local", steps=20, truth="corrected", bodies=True).ids == plan.ids


def test_two_drivers_do_not_run_the_same_jobs(tmp_path: Path) -> None:
    plan = plan_of(8)
    folder = ds.sweep._folder.Folder(tmp_path)
    folder.make()
    with folder.lock(plan):
        with pytest.raises(sweep.FolderInUse, match=f"process {os.getpid()} on .* runs these jobs"):
            sweep.run(plan, tmp_path, workers=0, progress=False)
        # Other tasks of a job array may.
        parts = [sweep.run(plan.shard(index, 3), tmp_path, workers=0, progress=False) for index in range(3)]
    assert sum(part.executed for part in parts) == 8
    assert sweep.run(plan, tmp_path, workers=0, progress=False).executed == 0


def test_workers_and_the_driver_are_killed(tmp_path: Path, client: Client) -> None:
    plan = plan_of(400)
    undisturbed = sweep.run(plan, tmp_path / "undisturbed", workers=0, progress=False)
    killed = tmp_path / "killed"
    driver = f"""
import drystone as ds
if __name__ == "__main__":
    plan = ds.sweep.grid(scene="spikes", method=["semi-local", "volume-sat"], noise=0.01, seed=range(200))
    ds.sweep.run(plan, {str(killed)!r}, workers=2, chunk_seconds=0.1)
"""
    (tmp_path / "driver.py").write_text(driver)
    process = subprocess.Popen([sys.executable, tmp_path / "driver.py"], stderr=subprocess.DEVNULL)
    parts = lambda: len(list(killed.glob("parts/*.parquet")))  # noqa: E731
    wait_for(lambda: parts() >= 4 or process.poll() is not None)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    there = len(sweep.Results(plan, killed))
    assert 0 < there < len(plan)

    def killer() -> None:
        for _ in range(2):
            before = parts()
            wait_for(lambda: parts() > before)
            wait_for(lambda: workers(client))
            kill(workers(client)[0])

    thread = threading.Thread(target=killer)
    thread.start()
    done = sweep.run(plan, killed, client=client, chunk_seconds=0.1, progress=False)
    thread.join()
    assert done.executed == len(plan) - there and done.failures().is_empty()
    assert content(done).equals(content(undisturbed)) and len(done) == len(plan)
    assert sweep.run(plan, killed, client=client, progress=False).executed == 0


class Poison(WorkerPlugin):
    """Makes a job end the process of its worker."""

    def __init__(self, id: str) -> None:
        self.id, self.name = id, "poison"

    def setup(self, worker) -> None:
        import drystone.sweep._worker as module

        own = module._run_job

        def run_job(text: str, *rest):
            if ds.sweep.Plan([json.loads(text)]).ids == [self.id]:
                os.kill(os.getpid(), signal.SIGKILL)
            return own(text, *rest)

        module._run_job = run_job


def test_a_job_that_ends_its_worker_loses_itself_alone(tmp_path: Path) -> None:
    plan = plan_of(30)
    poison = plan.ids[11]
    with dask.config.set({"distributed.scheduler.allowed-failures": 0}):
        cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50)
    with cluster, Client(cluster) as client:
        client.register_plugin(Poison(poison))
        done = sweep.run(plan, tmp_path, client=client, progress=False)
    assert done.failures()["id"].to_list() == [poison] and "WorkerLost" in done.failures()["error"][0]
    assert len(done.table()) == len(plan) - 1
    assert sweep.run(plan, tmp_path, workers=0, progress=False).executed == 0
    # It is a job like any other where nothing ends the process.
    assert len(sweep.run(plan, tmp_path, workers=0, progress=False, retry_failures=True).table()) == len(plan)


def test_workers_that_the_cluster_has_given_up_come_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("drystone.sweep._engine._PATIENCE", 1.0)
    plan = plan_of(100)
    others, killed = multiprocessing.active_children(), []

    def killer() -> None:
        wait_for(lambda: len(list(tmp_path.glob("parts/*.parquet"))) >= 1)
        for process in set(multiprocessing.active_children()) - set(others):
            if "Dask Worker" in process.name:
                killed.append(process.pid)
                process.kill()

    thread = threading.Thread(target=killer)
    # Before a worker can have been started again.
    with dask.config.set({"distributed.deploy.lost-worker-timeout": "1ms"}):
        thread.start()
        done = sweep.run(plan, tmp_path, workers=2, chunk_seconds=0.1, progress=False)
    thread.join()
    assert len(killed) == 2 and len(done) == 100 and done.failures().is_empty()


def test_a_cluster_without_workers_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("drystone.sweep._engine._PATIENCE", 0.1)
    said = []
    with LocalCluster(n_workers=0, threads_per_worker=1, dashboard_address=":0", silence_logs=50) as cluster:
        with Client(cluster, set_as_default=False) as client:

            def starter() -> None:
                wait_for(lambda: said.append(capfd.readouterr().err) or "has no worker" in "".join(said))
                cluster.scale(1)

            thread = threading.Thread(target=starter)
            thread.start()
            done = sweep.run(plan_of(4), tmp_path, client=client)
            thread.join()
    said.append(capfd.readouterr().err)
    assert len(done) == 4 and done.failures().is_empty()
    assert "the cluster has no worker; the sweep goes on when it has one\n" in "".join(said) and "4 jobs done" in "".join(said)


def test_a_simulation_that_is_killed_three_times_ends_with_the_same_bits(tmp_path: Path, client: Client) -> None:
    plan = sweep.grid(scene="pyramid", size=4, method="semi-local", steps=1000, solver="prox-gauss-seidel", bodies=True)
    whole = sweep.run(plan, tmp_path / "whole", workers=0, progress=False)
    folder = tmp_path / "killed"
    place = folder / "checkpoints" / f"{plan.ids[0]}.checkpoint"
    deaths = []

    def killer() -> None:
        for _ in range(3):
            before = place.stat().st_mtime_ns if place.exists() else 0
            wait_for(lambda: place.exists() and place.stat().st_mtime_ns > before)
            for process in workers(client):
                kill(process)
            deaths.append(place.exists())

    thread = threading.Thread(target=killer)
    thread.start()
    done = sweep.run(plan, folder, client=client, checkpoint_every=50, progress=False)
    thread.join()
    assert deaths == [True] * 3 and not place.exists()
    assert content(done).equals(content(whole)) and done.to_polars()["end_state"][0]


def test_a_summary_goes_to_standard_error(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    sweep.run(plan_of(2), tmp_path, workers=0)
    sweep.run(plan_of(4), tmp_path, workers=0)
    said = capfd.readouterr()
    assert said.out == "" and "2 of 4 jobs are there already\n" in said.err
    assert "2 jobs done in" in said.err and "0 of them failed; 2 were there" in said.err
