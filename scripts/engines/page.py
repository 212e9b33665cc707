"""The page of the board, and its data."""

import csv
from pathlib import Path

from . import pictures

CASES = (
    "spike-in-crack spike-in-hole wedge-in-crack sliding-spike sliding-wedge spikes spike-and-wedge wedges cliff-edges internal-edges"
).split()
STRUCTURES = ["pillar", "wall", "arch"]
FURTHER = "l-corner box-on-step tip-on-cliff gear-teeth ring-on-peg saddle-on-saddle spike-on-saddle tiled-floor triangulated-floor".split()
SCENES = CASES + STRUCTURES + FURTHER

# From the JSON of `drystone score`.
COLUMNS = "moment scene method contacts matching coverage quality minimum excess minimum_at_pose excess_at_pose".split()

TEXT = """# The board: contacts of other engines

What the contacts of other engines are worth in Drystone's [scenes](scenes.md), beside those of its own methods. Written by

```console
$ {command}
```

which installs the packages named in `scripts/engines/requirements.txt`, asks each engine in each of its configurations
(`scripts/engines/`) for the contacts of all pairs of bodies whose boxes are within 1 cm, and has the lists scored by `drystone score`.
All scores are in [board.csv](board.csv).

{versions}.

- **Perfect**: coverage and quality are 100 %, as in table 8 of the paper.
- **Strictly**: each contact is right in [place, sense and gap](strict-scores.md) as well, and each expected normal has such a contact.
- **Motion**: of the scenes in which a motion is expected, those in which all bodies [move as they should](strict-scores.md#what-the-contacts-do) with
  these contacts in one step.
- **Area**: the share of the interfaces that the contacts span.

## What is unfair to whom
- Bodies just touch at t = 0. FCL, DART and Drake report contacts of bodies that overlap only: for them the steps count. MuJoCo, Bullet, Coal,
  rapier and Newton look 1 cm ahead, the distance that Drystone's own methods choose by themselves.
- Engines that take convex shapes alone (`-hull`) cannot be right in cracks and holes; their users would give them convex pieces. Those are by CoACD for
  MuJoCo and rapier (`-coacd`), up to a millimetre off the bodies. Coal, Bullet and Newton would do better with pieces as well.
- `drake-hydroelastic` gives a pressure over a surface; scored are the middles of its polygons, without a gap, and nothing says how many there should be. Its
  solids are compliant: it wants more overlap than there is here.
- `bullet-manifold` makes three steps of 1 ns, as many as its manifold of four points takes to fill. Newton, rapier from Python, and the shapes of
  Bullet are in single precision: strict lengths are 0.2 % of the thickness, which that is enough for.
- Where bodies touch exactly, rapier in single precision has directions that are none (`wedges`, `saddle-on-saddle`: no answer) or any (`cliff-edges`).
  `parry-…` are its algorithms in double precision.
- Steps after the first are reached by steps with `semi-local`. All engines see the same poses.
- In step 3 of `spikes`, `wedges` and `spike-and-wedge` the facets that meet have turned by 0.0045 rad against each other. `semi-local` takes them for parallel
  and gives the mean of their normals, 0.0023 rad from that of the expected motion; each thousandth of a radian changes what the impact does by 0.6 m/s²,
  and bodies miss their motion from 0.1 m/s² on.
- Meshes of DART are those of its loader, in single precision.
- What is scored is the list of points and normals. Engines with good friction on few points may stack better than the list says, which is why the motion is
  here too.
- On convex stacks Coal's patches and MuJoCo are as right as Drystone: see the areas.
"""


def is_perfect(row: dict) -> bool:
    """By the measures of the paper."""
    return row["coverage"] == 1 and row["quality"] == 1


def is_strict(row: dict) -> bool:
    """Also in everything else."""
    strict = row["strict"]
    right = [strict["contacts"], strict["normals"], strict["pairs"]]
    return is_perfect(row) and all(count["right"] == count["of"] for count in right)


def moves(row: dict) -> bool | None:
    """Whether all bodies move as they should; None where nothing is expected."""
    physics = row["physics"]
    return None if physics is None else physics["bodies"]["right"] == physics["bodies"]["of"]


def write_data(path: Path, rows: list[dict]) -> None:
    """Writes the scores as CSV."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*COLUMNS, "perfect", "strict", "motion", "area_coverage"])
        for row in rows:
            area = row["area"] and abs(row["area"]["coverage"])
            judged = [is_perfect(row), is_strict(row), moves(row)]
            values = [row[column] for column in COLUMNS] + [None if x is None else int(x) for x in judged] + [area]
            writer.writerow(["" if value is None else value for value in values])


def name_of(step: int) -> str:
    """What a moment is called."""
    return "t = 0" if step == 0 else f"step {step}"


def table(head: list[str], lines: list[list[str]]) -> str:
    """A table in Markdown."""
    rows = [head, ["---"] * len(head), *lines]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows) + "\n"


def by_merit(rows: list[dict]) -> list[str]:
    """The configurations, those first that are perfect in most of the ten cases, then in most scenes."""

    def perfect(method: str, scenes: list[str]) -> int:
        return sum(is_perfect(row) for row in rows if row["method"] == method and row["scene"] in scenes)

    methods = dict.fromkeys(row["method"] for row in rows)
    return sorted(methods, key=lambda method: (-perfect(method, CASES), -perfect(method, SCENES), method))


def at_start(rows: list[dict]) -> dict:
    """The scores at t = 0 by scene and configuration."""
    return {(row["scene"], row["method"]): row for row in rows if row["moment"] == 0}


def shown_wrong(rows: list[dict]) -> dict[str, list[str]]:
    """By scene the configurations whose pictures are shown."""
    return pictures.chosen(at_start(rows), by_merit(rows), CASES + FURTHER, is_perfect)


def page(
    command: str, rows: list[dict], failures: list[tuple], versions: list[str], steps: list[int], place: str | None
) -> str:
    """All of it; `place`: the folder of the pictures as the page names it, if there are any."""
    known = {(row["moment"], row["scene"], row["method"]): row for row in rows}
    methods = by_merit(rows)

    def count(method: str, scenes: list[str], step: int, judge) -> str:
        found = [judge(known[step, scene, method]) for scene in scenes if (step, scene, method) in known]
        expected = [one for one in found if one is not None]
        return f"{sum(expected)} of {len(expected)}" if expected else "–"

    parts = [TEXT.format(command=command, versions=", ".join(versions))]
    for title, scenes in (("The ten cases", CASES), ("Further scenes", FURTHER)):
        present = [scene for scene in scenes if any(key[1] == scene for key in known)]
        if not present:
            continue
        head = [title.lower()] + [f"{what}, {name_of(step)}" for what in ("perfect", "strictly", "motion") for step in steps]
        lines = [
            [method] + [count(method, present, step, judge) for judge in (is_perfect, is_strict, moves) for step in steps]
            for method in methods
        ]
        parts.append(f"## {title}\n{table(head, lines)}")
    present = [scene for scene in STRUCTURES if any(key[1] == scene for key in known)]
    if present:
        head = ["structures"] + [f"{scene}, {name_of(step)}" for scene in present for step in steps]

        def stands(method: str, scene: str, step: int) -> str:
            row = known.get((step, scene, method))
            if row is None:
                return "–"
            area = abs(row["area"]["coverage"]) if row["area"] else 0.0
            return f"{100 * row['coverage']:.0f} / {100 * row['quality']:.0f}, area {area:.2f}" + ("" if moves(row) else ", moves")

        lines = [[method] + [stands(method, scene, step) for scene in present for step in steps] for method in methods]
        text = "Coverage / quality in per cent, and the area; `moves`: a body moves that should rest.\n\n"
        parts.append(f"## Structures\n{text}{table(head, lines)}")
    for step in steps:
        shown = [scene for scene in CASES + FURTHER if any(key[:2] == (step, scene) for key in known)]
        if not shown:
            continue

        def cell(method: str, scene: str) -> str:
            row = known.get((step, scene, method))
            if row is None:
                return "–"
            if row["contacts"] == 0:
                return "none"
            if is_perfect(row):
                return "✓✓" if is_strict(row) else "✓"
            return f"{100 * row['coverage']:.0f} / {100 * row['quality']:.0f}"

        lines = [[scene] + [cell(method, scene) for method in methods] for scene in shown]
        text = "Coverage / quality in per cent; ✓ perfect, ✓✓ also strictly; `none`: no contacts; –: no answer.\n\n"
        parts.append(f"## Scene by scene, {name_of(step)}\n{text}{table([name_of(step), *methods], lines)}")
    if place and shown_wrong(rows):
        parts.append(pictures.section(at_start(rows), shown_wrong(rows), place))
    if failures:
        lines = [[name_of(step), scene, method, text.replace("|", "/")] for step, scene, method, text in failures]
        parts.append(f"## Without an answer\n{table(['moment', 'scene', 'configuration', 'why'], lines)}")
    return "\n".join(parts)
