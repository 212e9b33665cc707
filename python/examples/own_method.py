"""A contact method of one's own beside three of the project: the deepest contact of each pair alone."""

import drystone as ds
import numpy as np


class Deepest(ds.Generator):
    """The deepest contact that semi-local finds."""

    reach = 0.02

    def contacts(self, a: ds.Shape, pose_a: np.ndarray, b: ds.Shape, pose_b: np.ndarray, /) -> np.ndarray:
        found = ds.contacts(a, pose_a, b, pose_b)
        return found[np.argsort(found["gap"], kind="stable")[:1]]


scores = ds.assess(["cliff-edges", "internal-edges", "spikes"], [Deepest(), "semi-local", "volume-sat", "most-opposing"])
print(f"{'scene':<16}{'method':<16}{'coverage':>9}{'quality':>9}{'contacts':>9}{'needed':>8}")
for row in scores.rows:
    print(
        f"{row['scene']:<16}{row['method']:<16}{row['coverage']:>9.2f}{row['quality']:>9.2f}{row['contacts']:>9}{row['minimum']:>8}"
    )
