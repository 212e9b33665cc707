"""Engines asked in processes of their own, so that one that crashes takes no other with it."""

import csv
import importlib
import multiprocessing
import queue
from pathlib import Path

import numpy as np

from .scene import near_pairs, read

# A configuration may take so long in a scene, s.
LIMIT = 600


def ask(module: str, name: str, folder: Path, step: int, path: Path) -> None:
    """Writes the contacts of a configuration in a scene as a list (docs/contact-lists.md)."""
    contacts = importlib.import_module(f".{module}", __package__).CONFIGURATIONS[name]
    bodies = read(folder, step)
    rows = []
    for i, j in near_pairs(bodies):
        for position, normal, gap in contacts(bodies[i], bodies[j]):
            length = np.linalg.norm(normal)
            if not (np.isfinite(length) and length > 0):
                raise ValueError(f"the normal {np.asarray(normal).tolist()} between {bodies[i].name} and {bodies[j].name}")
            values = [*np.asarray(position, float), *(np.asarray(normal, float) / length), float(gap)]
            rows.append([i, j, *(repr(float(value)) for value in values)])
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow("body_a body_b px py pz nx ny nz gap".split())
        writer.writerows(rows)


def answer(tasks, results) -> None:
    """Answers tasks until there is none."""
    for task in iter(tasks.get, None):
        try:
            ask(*task)
            results.put(None)
        except Exception as error:  # Whatever an engine throws is its result.
            results.put(" ".join(f"{type(error).__name__}: {error}".split())[:200])


class Worker:
    """The process of an engine, made anew where it has ended."""

    def __init__(self):
        self.context = multiprocessing.get_context("spawn")
        self.process = None

    def run(self, task) -> str | None:
        """What went wrong; None if nothing did."""
        if self.process is None or not self.process.is_alive():
            self.tasks, self.results = self.context.Queue(), self.context.Queue()
            self.process = self.context.Process(target=answer, args=(self.tasks, self.results), daemon=True)
            self.process.start()
        self.tasks.put(task)
        for _ in range(10 * LIMIT):
            try:
                return self.results.get(timeout=0.1)
            except queue.Empty:
                if not self.process.is_alive():
                    return f"the process ended with status {self.process.exitcode}"
        self.process.kill()
        self.process.join()
        return f"no answer in {LIMIT} s"

    def end(self) -> None:
        """Lets the process end."""
        if self.process is not None and self.process.is_alive():
            self.tasks.put(None)
            self.process.join()
