"""Grasp stability: two fingers on rails press a cube from both sides. Which friction and which force hold it, by which contact method?

The cube stays if twice friction times force exceeds its weight, which the last column says.

usage: python grasp_stability.py [FOLDER]
"""

import sys
import tempfile

import drystone as ds
import polars as pl

WEIGHT = 1000 * 0.1**3 * 9.82  # N
GRIP = """
name = "grip-{friction}-{force}"
time_step = 0.005
materials = ["rubber"]
interaction = [{{ between = ["rubber", "rubber"], friction = {friction} }}]

[[body]]
name = "cube"
material = "rubber"
density = 1000
shape.box = [0.1, 0.1, 0.1]

[[body]]
name = "left"
material = "rubber"
density = 2000
position = [-0.0605, 0, 0]
shape.box = [0.02, 0.06, 0.06]

[[body]]
name = "right"
material = "rubber"
density = 2000
position = [0.0605, 0, 0]
shape.box = [0.02, 0.06, 0.06]

[[joint]]
name = "left rail"
kind = "slider"
b = "left"
axis = [1, 0, 0]
displacement.motor = {{ velocity = 0.1, max_force = {force} }}

[[joint]]
name = "right rail"
kind = "slider"
b = "right"
axis = [-1, 0, 0]
displacement.motor = {{ velocity = 0.1, max_force = {force} }}
"""


def study(folder: str, steps: int = 200, methods: tuple[str, ...] = ("semi-local", "most-opposing")) -> pl.DataFrame:
    """How far the cube falls in so many steps, and whether it is held at the end: one row for each friction, force and method."""
    grips = [
        {"scene": f"grip-{friction}-{force}", "friction": friction, "force": force}
        for friction in (0.2, 0.4, 0.8)
        for force in (5, 10, 20)
    ]
    scenes = [ds.Scene.from_toml(GRIP.format(**grip)) for grip in grips]
    done = ds.sweep.run(ds.sweep.grid(scene=scenes, method=methods, steps=steps, bodies=True), folder)
    cube = pl.col("end_bodies").list.first().struct
    fall, speed = -cube.field("position").list.get(1), cube.field("velocity").list.get(1).abs()
    table = done.table().join(pl.DataFrame(grips), on="scene", how="left")
    expected = 2 * pl.col("friction") * pl.col("force") > WEIGHT
    return table.select(
        "friction", "force", "method", fall.alias("fall"), (speed < 1e-3).alias("held"), expected.alias("expected")
    )


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary, pl.Config(tbl_rows=-1):
        print(study(sys.argv[1] if len(sys.argv) > 1 else temporary))
