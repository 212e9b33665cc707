//! All experiments with closed-form solutions by the reference solver and by both presets of the soft step, each within bounds of its own. The
//! example `closed_forms` prints the figures for docs/physics.md.

use crate::closed_forms::{Figure, figures, solvers};

/// What each of them may be off by at most: by `prox-gauss-seidel`, `soft` and `soft-accurate`.
const BOUNDS: [(&str, [f64; 3]); 44] = [
    ("fall for 3 s", [1e-9, 9e-2, 6e-2]),
    ("its velocity", [1e-9, 1e-9, 1e-9]),
    ("spin of a slab for 20 s: energy", [1e-9, 1e-9, 1e-9]),
    ("length of its angular momentum", [1e-9, 1e-9, 1e-9]),
    ("direction of its angular momentum", [4e-5, 7e-8, 7e-8]),
    ("axis of a symmetric top in 4 s", [3e-4, 8e-4, 8e-4]),
    ("block on an incline, tan θ = 0.995 μ, 9 s", [1e-9, 1e-9, 1e-9]),
    ("tan θ = 1.005 μ, 1.1 μ, 2 μ: velocity after 1 s", [6e-6, 3e-9, 1e-7]),
    ("velocity across the slope", [9e-6, 6e-8, 4e-8]),
    ("thrown up the incline at 3 m/s", [3e-4, 9e-3, 6e-3]),
    ("block pushed at 0.99 of what it bears, after 2 s", [1e-9, 1e-9, 1e-9]),
    ("pushed with 1.02 μmg below the height b/μ, after 0.5 s", [2e-8, 2e-8, 3e-9]),
    ("pushed with 0.995 μmg above it, after 0.1 s", [4e-2, 3e-2, 3e-2]),
    ("two boxes that slide on each other, on the way", [2e-4, 2e-4, 2e-4]),
    ("both, in the end", [2e-4, 2e-4, 2e-4]),
    ("their momentum along the ground, of the first", [2e-7, 2e-7, 1e-5]),
    ("energy gained in a step, of the first", [1e-9, 1e-9, 1e-9]),
    ("without friction, after 1 s", [6e-7, 9e-7, 3e-7]),
    ("its energy", [5e-7, 5e-7, 3e-7]),
    ("disc slowed by torsional friction, on the way", [5e-6, 1e-9, 1e-9]),
    ("box on a belt, on the way", [3e-5, 8e-4, 9e-7]),
    ("on the belt, in the end", [1e-9, 2e-6, 2e-8]),
    ("turntable, ω²r = 0.5 μg, Δt = 5 ms, 0.2 s: outward", [3e-3, 4e-3, 4e-3]),
    ("the same with ω²r = 0.96 μg", [6e-3, 1e-2, 2e-2]),
    ("the same with Δt = 2.5 ms", [3e-3, 5e-3, 6e-3]),
    ("stack of ten, force between two of them after 6 s", [1e-9, 8e-6, 7e-6]),
    ("the fastest of them", [1e-9, 3e-6, 1e-7]),
    ("the farthest moved in 10 s more", [1e-9, 2e-6, 2e-6]),
    ("stacks of prisms that fall by 1 mm, after 1.5 s", [1e-9, 2e-5, 2e-5]),
    ("cube that lands on a face", [8e-5, 6e-4, 1e-9]),
    ("on a face, thrown at 3.2 m/s to the side", [1e-4, 3e-2, 3e-2]),
    ("on an edge", [8e-5, 6e-4, 1e-9]),
    ("frustums, a cylinder, tables that land", [4e-4, 2e-3, 3e-4]),
    ("the same, thrown at 1 m/s to the side", [6e-4, 0.09, 0.04]),
    ("falls from 1 m, three bounces, e = 0.3…0.9, Δt = 10 ms", [3e-2, 2e-2, 8e-3]),
    ("the same with Δt = 2 ms", [2e-2, 5e-3, 2e-3]),
    ("a hundred elastic bounces", [1e-3, 3e-2, 2e-2]),
    ("fall without restitution from 0.05…1 m: rises by", [1e-9, 4e-7, 1e-9]),
    ("the deepest in the ground", [3e-7, 3e-5, 1e-9]),
    ("seven cubes that collide, 3 s: linear momentum", [1e-9, 1e-9, 1e-9]),
    ("their angular momentum", [1e-9, 3e-3, 3e-3]),
    ("energy gained in a step, of the first", [1e-9, 1e-9, 1e-9]),
    ("seven slabs, three different moments: angular momentum", [8e-4, 3e-3, 3e-3]),
    ("their energy gained in a step, of the first", [1e-9, 4e-8, 1e-9]),
];

#[test]
fn each_solver_is_within_its_bounds() {
    for (k, (name, settings)) in solvers().iter().enumerate() {
        let found = figures(settings);
        assert_eq!(found.len(), BOUNDS.len());
        for (Figure { what, law, off, unit }, (of, bounds)) in found.iter().zip(BOUNDS) {
            assert_eq!(*what, of);
            assert!(*off <= bounds[k], "{what}, {law}: off by {off:.1e} {unit} by {name}, at most {:.1e}", bounds[k]);
        }
    }
}
