//! Experiments with closed-form solutions, by any contact solver: what a world is off by. The tests in `physics` hold the reference
//! solver to bounds with the same set-ups, and all solvers in `physics/side_by_side.rs`; the example `closed_forms` prints all figures.

use drystone_engine::WorldSettings;
use drystone_engine::soft_step::SoftSettings;
use drystone_engine::solver::ContactSolver;

pub mod bounce;
pub mod free_motion;
pub mod incline;
pub mod landing;
pub mod momentum;
pub mod pushed_block;
pub mod sliding;
pub mod stack;
pub mod turntable;
pub mod workbench;

/// What one experiment found.
pub struct Figure {
    pub what: &'static str,
    /// The closed-form solution.
    pub law: &'static str,
    /// The largest difference from it.
    pub off: f64,
    /// Of the difference; empty if it is relative.
    pub unit: &'static str,
}

impl Figure {
    const fn new(what: &'static str, law: &'static str, off: f64, unit: &'static str) -> Self {
        Self { what, law, off, unit }
    }
}

/// Settings of an example of each solver, none of which lets bodies sleep: the reference, the default, the accurate preset.
pub fn solvers() -> [(&'static str, WorldSettings); 3] {
    let awake = |soft: SoftSettings| {
        let mut settings = WorldSettings::default();
        settings.step.contact_solver = ContactSolver::Soft(SoftSettings { sleep_time: 0.0, ..soft });
        settings
    };
    [
        ("prox-gauss-seidel", WorldSettings::gauss_seidel()),
        ("soft", awake(SoftSettings::FAST)),
        ("soft-accurate", awake(SoftSettings::ACCURATE)),
    ]
}

/// All experiments by these settings.
pub fn figures(settings: &WorldSettings) -> Vec<Figure> {
    [
        free_motion::figures(settings),
        incline::figures(settings),
        pushed_block::figures(settings),
        sliding::figures(settings),
        turntable::figures(settings),
        stack::figures(settings),
        landing::figures(settings),
        bounce::figures(settings),
        momentum::figures(settings),
    ]
    .into_iter()
    .flatten()
    .collect()
}
