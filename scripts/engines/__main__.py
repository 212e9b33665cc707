"""Asks engines for their contacts in exported scenes, has them scored, and writes the board. See scripts/score-engines."""

import argparse
import importlib
import json
import subprocess
import sys
from pathlib import Path

from . import page, pictures
from .worker import Worker

# Modules of this package; each has CONFIGURATIONS and VERSION.
ENGINES = ["mujoco_engine", "bullet", "coal_engine", "fcl_engine", "drake_engine", "dart", "newton_engine", "rapier_engine"]

# Methods of Drystone beside them; those of parry are an outside library.
METHODS = ["semi-local", "vclip", "closest-points", "parry-convex", "parry-compound", "parry-trimesh"]

def drystone(program: str, *arguments: str, statuses=(0,)) -> str:
    """Runs the program; its standard output."""
    done = subprocess.run([program, *arguments], text=True, capture_output=True)
    if done.returncode not in statuses:
        sys.exit(f"drystone {' '.join(arguments)} ended with {done.returncode}:\n{done.stderr}")
    return done.stdout


def moment(step: int) -> list[str]:
    """The options of drystone for a step; 0 is the pose at t = 0."""
    return ["--pose", "start"] if step == 0 else ["--step", str(step)]


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="scripts/score-engines", description=__doc__)
    parser.add_argument("--program", required=True, help="the program drystone")
    parser.add_argument("--work", type=Path, required=True, help="a folder for lists and exports, made anew")
    parser.add_argument("--page", type=Path, help="where the page goes (default: only printed)")
    parser.add_argument("--data", type=Path, help="where the scores go as CSV")
    parser.add_argument("--pictures", type=Path, help="where pictures of wrong lists at t = 0 go; the page is beside its parent folder")
    parser.add_argument("--engine", action="append", help="only configurations whose names begin so; may be repeated")
    parser.add_argument("--scene", action="append", help="only these scenes; may be repeated")
    parser.add_argument("--step", action="append", type=int, help="only these steps, 0 for the pose at t = 0 (default: 0, 1, 3)")
    arguments = parser.parse_args()
    steps, scenes = arguments.step or [0, 1, 3], arguments.scene or page.SCENES
    is_wanted = lambda name: not arguments.engine or any(name.startswith(own) for own in arguments.engine)
    if arguments.work.exists():
        sys.exit(f"{arguments.work} is there already; name another folder or remove it")

    rows, failures, versions = [], [], {}
    workers = {module: Worker() for module in ENGINES}
    for module in ENGINES:
        versions[module] = importlib.import_module(f".{module}", __package__).VERSION
    for step in steps:
        exports, lists = arguments.work / f"export-{step}", arguments.work / f"lists-{step}"
        later = ["--step", str(step)] if step > 1 else []
        drystone(arguments.program, "scenes", "--export", str(exports), *later, *(x for s in scenes for x in ("--scene", s)))
        for scene in scenes:
            (lists / scene).mkdir(parents=True)
            for method in filter(is_wanted, METHODS):
                path = lists / scene / f"{method}.csv"
                command = ["contacts", "--scene", scene, "--method", method, *moment(step), "--csv", str(path)]
                done = subprocess.run([arguments.program, *command], text=True, capture_output=True)
                if done.returncode != 0:
                    failures.append((step, scene, method, done.stderr.strip().splitlines()[-1][:200]))
            for module in ENGINES:
                names = importlib.import_module(f".{module}", __package__).CONFIGURATIONS
                for name in filter(is_wanted, names):
                    wrong = workers[module].run((module, name, exports / scene, step, lists / scene / f"{name}.csv"))
                    if wrong:
                        failures.append((step, scene, name, wrong))
            print(f"step {step}: {scene}", file=sys.stderr, flush=True)
        drawn = ["--pictures", str(arguments.work / "pictures")] if step == 0 and arguments.pictures else []
        text = drystone(arguments.program, "score", *moment(step), "--contacts", str(lists), *drawn, "--json", "-")
        rows += [{"moment": step, **row} for row in json.loads(text)["rows"]]
    for worker in workers.values():
        worker.end()

    place = None
    if arguments.pictures and 0 in steps:
        pictures.copy(arguments.work / "pictures", arguments.pictures, page.shown_wrong(rows))
        place = "/".join(arguments.pictures.parts[-2:])
    if arguments.data:
        page.write_data(arguments.data, rows)
    options = [*(f"--engine {x}" for x in arguments.engine or []), *(f"--scene {x}" for x in arguments.scene or [])]
    options += [f"--step {x}" for x in arguments.step or []]
    text = page.page(" ".join(["scripts/score-engines", *options]), rows, failures, list(versions.values()), steps, place)
    if arguments.page:
        arguments.page.write_text(text)
    print(text)


if __name__ == "__main__":
    main()
