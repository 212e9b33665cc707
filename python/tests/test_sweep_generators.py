"""Contact methods in Python as methods of sweeps."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
import threading
from pathlib import Path

import drystone as ds
import numpy as np
import pytest

sweep = ds.sweep
SCRIPT = '''
import sys
import threading
import drystone as ds

class Deepest(ds.Generator):
    """Some contacts of semi-local, the deepest ones."""
    version = "1"
    reach = 0.02

    def __init__(self, count):
        self.count = count
        self._asked = set()                                # does not count, and is not the same in two processes

    def contacts(self, a, pose_a, b, pose_b):
        found = ds.contacts(a, pose_a, b, pose_b)
        return found[found["gap"].argsort(kind="stable")[: self.count]]

def plan():
    methods = [Deepest(1), Deepest(100), "semi-local"]
    scored = ds.sweep.grid(scene=["cliff-edges", "spikes"], method=methods, noise=[0, 0.01], seed=range(3))
    return scored + ds.sweep.grid(scene="spikes", method=methods[:2], steps=20)

if __name__ == "__main__":
    done = ds.sweep.run(plan(), sys.argv[1], workers=int(sys.argv[2]), progress=False)
    print(done.executed, len(done), len(done.failures()))
'''


class Mine(ds.Generator):
    version = "1"

    def contacts(self, a, pose_a, b, pose_b):
        return ds.contacts(a, pose_a, b, pose_b)


def test_two_workers_run_a_class_of_a_script_and_results_are_found_again(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)

    def said(folder: str, workers: int) -> str:
        return subprocess.check_output([sys.executable, script, tmp_path / folder, str(workers)], text=True).strip()

    assert said("two", 2) == "26 26 0" and said("two", 2) == "0 26 0"
    assert said("none", 0) == "26 26 0" and said("none", 0) == "0 26 0"
    plan = runpy.run_path(str(script))["plan"]()
    two, none = (sweep.Results(plan, tmp_path / name).to_polars().drop("seconds", "wall_seconds") for name in ("two", "none"))
    assert len(two) == 26 and two.equals(none)
    deepest, all_of_them, usual = (
        two.filter((two["method"] == name) & (two["settings"].str.contains(text))) for name, text in
        [("Deepest", '"count": 1,'), ("Deepest", '"count": 100,'), ("semi-local", "")]
    )
    assert (deepest.height, all_of_them.height, usual.height) == (9, 9, 8)
    same = ("scene", "noise", "seed", "contacts", "coverage", "quality", "strict_contacts")
    scored = all_of_them.filter(all_of_them["contacts"].is_not_null())
    assert scored.height == 8 and scored.select(same).equals(usual.select(same))
    assert set(deepest["variant"]) == {"1"} and deepest["end_contacts"].max() >= 1


def test_results_are_known_by_version_and_attributes() -> None:
    class Kept(Mine):
        name = "Kept"

        def __init__(self, limits, cache=None) -> None:
            self.limits, self._cache = limits, cache

    def ids(*generators: ds.Generator) -> list[str]:
        return sweep.grid(scene="spikes", method=list(generators)).ids

    one = ids(Kept([1, 2]))
    assert one == ids(Kept((1, 2))) == ids(Kept(np.array([1, 2]), cache={3})) == ids(Kept([1, 2]), Kept([1, 2]))
    (job,) = sweep.grid(scene="spikes", method=Kept([1, 2]))
    assert job.description["method"] == {"name": "Kept", "variant": "1", "settings": {"limits": [1, 2], "reach": 1e-4}}
    assert sweep.Plan([json.loads(json.dumps(job.entry))]).ids == one
    Kept.version = "2"
    two = ids(Kept([1, 2]))
    Kept.reach = 0.5
    three = ids(Kept([1, 2]))
    assert len({*one, *two, *three, *ids(Kept([1, 3]))}) == 4


def test_an_exception_is_the_error_of_its_job_alone(tmp_path: Path) -> None:
    class Failing(Mine):
        name = "Failing"

        def contacts(self, a, pose_a, b, pose_b):
            raise ZeroDivisionError("on purpose")

    plan = sweep.grid(scene="spikes", method=[Failing(), Mine()]) + sweep.grid(scene="spikes", method=Failing(), steps=3)
    done = sweep.run(plan, tmp_path, workers=0, progress=False)
    assert done.failures()["error"].to_list() == ["ZeroDivisionError: on purpose"] * 2 and len(done.table()) == 1


def test_ctrl_c_is_no_failure_of_a_job(tmp_path: Path) -> None:
    class Stopped(Mine):
        name = "Stopped"

        def contacts(self, a, pose_a, b, pose_b):
            raise KeyboardInterrupt

    for more in [{}, {"steps": 3}]:
        with pytest.raises(KeyboardInterrupt):
            sweep.run(sweep.grid(scene="spikes", method=Stopped(), **more), tmp_path, workers=0, progress=False)
    assert not list(tmp_path.glob("parts/*.parquet"))


def test_no_job_sees_what_another_one_has_left(tmp_path: Path) -> None:
    class Counting(Mine):
        name = "Counting"

        def __init__(self) -> None:
            self._calls = 0

        def contacts(self, a, pose_a, b, pose_b):
            self._calls += 1
            assert self._calls <= 20, "it was called for another job"
            return super().contacts(a, pose_a, b, pose_b)

    plan = sweep.grid(scene="spikes", method=Counting(), noise=0.01, seed=range(30))
    assert sweep.run(plan, tmp_path, workers=0, progress=False).failures().is_empty()


def test_what_cannot_be_known_or_sent_is_refused() -> None:
    class Nameless(ds.Generator):
        pass

    class Taken(Mine):
        name = "semi-local"

    class Holding(Mine):
        def __init__(self, **attributes) -> None:
            vars(self).update(attributes)

    other = type("Mine", (Mine,), {"version": "1"})
    for method, kind, says in [
        (Nameless(), TypeError, 'version = "1"'),
        (Taken(), ds.MethodError, "a method semi-local already"),
        (Holding(at=object()), TypeError, "Holding.at is no plain data"),
        (Holding(at=float("nan")), TypeError, "Holding.at is no plain data"),
        (Holding(_lock=threading.Lock()), TypeError, "cannot be sent to workers"),
        ([Mine(), other()], ValueError, "two classes Mine with the version 1"),
    ]:
        with pytest.raises(kind, match=says):
            sweep.grid(scene="spikes", method=method)
