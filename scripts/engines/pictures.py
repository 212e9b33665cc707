"""Pictures of lists that are wrong, for the page of the board; `drystone score --pictures` draws them."""

import shutil
from pathlib import Path

# Methods of Drystone itself; those of parry are an outside library.
OWN = {"semi-local", "vclip", "closest-points"}

# Of a scene no more than this many are shown.
MOST = 3

TEXT = """At t = 0, of each scene up to three engines that have contacts there and are not perfect, each by its best configuration. An arrow points from A to
B; green: its normal is expected; red, with a hollow dot: it is not. Coverage / quality in per cent. Where little of the bodies is in contact, it is
enlarged.
"""


def chosen(rows: dict, methods: list[str], scenes: list[str], is_perfect) -> dict[str, list[str]]:
    """By scene the configurations to show, of `methods`, which are in the order of their merit; `rows` by scene and method."""
    of_scenes = {}
    for scene in scenes:
        of_engines = {}
        for method in methods:
            if method not in OWN and (scene, method) in rows:
                of_engines.setdefault(method.split("-")[0], method)
        shown = [m for m in of_engines.values() if rows[scene, m]["contacts"] > 0 and not is_perfect(rows[scene, m])]
        if shown:
            of_scenes[scene] = shown[:MOST]
    return of_scenes


def copy(drawn: Path, folder: Path, of_scenes: dict[str, list[str]]) -> None:
    """Copies those to show as SCENE-CONFIGURATION.svg, in place of the pictures that were in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.svg"):
        old.unlink()
    for scene, methods in of_scenes.items():
        for method in methods:
            shutil.copyfile(drawn / scene / f"{method}.svg", folder / f"{scene}-{method}.svg")


def section(rows: dict, of_scenes: dict[str, list[str]], place: str) -> str:
    """The section of the page; `place`: the folder of the pictures as the page names it."""
    lines = ["## Wrong ones in pictures", TEXT, "|" + " |" * (MOST + 1), "|" + "---|" * (MOST + 1)]
    for scene, methods in of_scenes.items():
        cells = [scene]
        for method in methods:
            row = rows[scene, method]
            score = f"{100 * row['coverage']:.0f} / {100 * row['quality']:.0f}"
            title = f"Contacts of {method} in {scene}"
            cells.append(f'<img src="{place}/{scene}-{method}.svg" width="270" alt="{title}"><br>{method}, {score}')
        cells += [""] * (MOST + 1 - len(cells))
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"
