"""What the scripts that put peers beside Drystone share: a scene of deformable surfaces as `drystone scenes --write` writes it, the run of Drystone,
and ipctk as the judge of intersections."""
import csv
import pathlib
import subprocess
import sys
import tempfile
import tomllib

import ipctk
import numpy as np


class Scene:
    """Positions n x 3 (m), triangles m x 3, masses (kg), springs and bending (J) at each vertex, velocities at the start (m/s), prescribed vertices."""

    def __init__(self, path):
        scene = tomllib.loads(pathlib.Path(path).read_text())
        self.name, self.frame, self.duration = scene["name"], scene["time_step"], scene["duration"]
        self.law, self.gravity = scene["contact"], np.array(scene["gravity"])
        positions, triangles, masses, velocities, bending, springs, ends = [], [], [], [], [], [], []
        first = 0
        for surface in scene["surface"]:
            if "particle" in surface:
                sys.exit(f"{self.name} has particles, which this script does not know")
            points, corners, material = np.array(surface["vertices"]), np.array(surface["triangles"]), surface["material"]
            p = points[corners]
            area = 0.5 * np.linalg.norm(np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]), axis=1)
            mass = np.zeros(len(points))
            np.add.at(mass, corners, material["area_density"] * area[:, None] / 3)
            velocity = np.tile(surface.get("velocity", [0.0, 0.0, 0.0]), (len(points), 1))
            for a, b in ipctk.edges(corners):
                length = np.linalg.norm(points[a] - points[b])
                # ½ k L (l/L − 1)² is ½ (k/L) (l − L)².
                springs.append((a + first, b + first, length, material["stretching"] / length, material["damping"] / length))
            for group in surface.get("prescribed", []):
                if any(key["time"] > 0 for key in group.get("key", [])):
                    sys.exit(f"{self.name} has prescribed vertices that change their velocities, which this script does not know")
                here = group.get("vertices", range(len(points)))
                velocity[here] = group["key"][-1]["velocity"] if group.get("key") else 0.0
                ends += [v + first for v in here]
            positions.append(points)
            triangles.append(corners + first)
            masses.append(mass)
            velocities.append(velocity)
            bending += [material["bending"]] * len(points)
            first += len(points)
        self.positions, self.triangles, self.masses, self.velocities = map(
            np.concatenate, (positions, triangles, masses, velocities)
        )
        self.springs, self.bending, self.ends = springs, np.array(bending), np.array(sorted(ends), int)
        self.mesh = ipctk.CollisionMesh(self.positions, ipctk.edges(self.triangles), self.triangles)

    def lengths(self, positions):
        """Of all springs, m."""
        ends = np.array([spring[:2] for spring in self.springs])
        return np.linalg.norm(positions[ends[:, 0]] - positions[ends[:, 1]], axis=1)

    def has_intersections(self, positions):
        return not np.isfinite(positions).all() or ipctk.has_intersections(self.mesh, positions)


def vertices(path):
    """Of an OBJ file, n x 3, m."""
    rows = [line.split() for line in pathlib.Path(path).read_text().splitlines()]
    return np.array([[float(x) for x in row[1:4]] for row in rows if row[:1] == ["v"]])


def run(command):
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr.strip().splitlines()[-1])


def by_drystone(program, name, until=None, threads=1):
    """The scene by name or file, the positions of all frames, the start included, and a row of figures for each (`--csv`)."""
    ipctk.set_logger_level(ipctk.LoggerLevel.off)
    with tempfile.TemporaryDirectory() as folder:
        file, objs, rows = (pathlib.Path(folder, name) for name in ("scene.toml", "objs", "run.csv"))
        run([program, "scenes", "--write", file, "--scene", name])
        scene = Scene(file)
        frames = round((until or scene.duration) / scene.frame)
        command = [program, "simulate", file, "--steps", str(frames), "--export-obj", objs, "--csv", rows, "--threads", str(threads)]
        run(command)
        figures = [{k: float(v) for k, v in row.items() if v and k != "vertex_steps"} for row in csv.DictReader(rows.open())]
        return scene, [vertices(path) for path in sorted(objs.glob("*.obj"))], figures
