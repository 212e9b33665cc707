//! What a run was like, for people.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use super::audit::Audit;
use super::surfaces::SurfaceSummary;
use crate::engine::backtracking::{BacktrackingReport, EventKind};
use crate::engine::simulator::{Limit, Simulator, SimulatorKind};
use crate::engine::solver::svd::Failure;
use crate::engine::solver::{ContactSolver, SvdStatus};
use crate::engine::world::StepCounts;
use crate::engine::{CcdReport, Energy, WorldReport};

/// What is gathered over the steps of a run.
#[derive(Default)]
pub struct Summary {
    steps: u32,
    /// Broad phase, narrow phase, solver, post-stabilisation, all.
    phases: [Duration; 5],
    contacts: usize,
    most_contacts: usize,
    last_contacts: usize,
    most_iterations: usize,
    /// Depth (m) and step.
    deepest: (f64, u64),
    energy: Option<(Energy, Energy)>,
    /// Potential energy that position correction has added, J.
    position_correction_energy: f64,
    /// How many steps have hit each limit.
    limits: BTreeMap<Limit, u32>,
    /// Speculative contacts.
    speculative_contacts: usize,
    /// What the events of an event-driven simulator were.
    events: Option<Events>,
    svd: StepCounts,
    /// What the global method missed at most, m/s.
    natural_map: f64,
    /// What continuous collision detection did.
    ccd: Option<Ccd>,
    /// Of systems that the SVD force method left to others: why, and how many.
    failures: BTreeMap<String, usize>,
    /// What there is to say of deformable surfaces.
    surfaces: SurfaceSummary,
}

/// What continuous collision detection did.
#[derive(Default)]
struct Ccd {
    /// Steps with an impact, and with more substeps than one.
    steps: u32,
    divided: u32,
    most_substeps: usize,
    /// Steps that ended early, and the time that is missing in them, s.
    ended: u32,
    missing: f64,
    /// Steps at whose start bodies met, and those of the last one.
    overlapping: u32,
    overlap_now: usize,
}

/// What the events of an event-driven simulator were.
struct Events {
    /// By kind, in the order of [`EVENTS`].
    counts: [usize; 5],
    vclip_calls: usize,
    halvings: usize,
    tamed: usize,
    /// The least distance at any accepted state, m.
    least_gap: f64,
    /// Time that is missing in steps that ended early, s.
    missing: f64,
}

const EVENTS: [(EventKind, &str); 5] = [
    (EventKind::Collision, "collisions"),
    (EventKind::Contact, "contacts"),
    (EventKind::Rebound, "rebounds"),
    (EventKind::Return, "returns"),
    (EventKind::Stick, "stops of sliding"),
];

impl Default for Events {
    fn default() -> Self {
        Self { counts: [0; 5], vclip_calls: 0, halvings: 0, tamed: 0, least_gap: f64::INFINITY, missing: 0.0 }
    }
}

impl Events {
    fn add(&mut self, report: &BacktrackingReport) {
        for event in &report.events {
            for (count, (kind, _)) in self.counts.iter_mut().zip(EVENTS) {
                *count += usize::from(event.kind == kind);
            }
        }
        self.vclip_calls += report.work.vclip_calls;
        self.halvings += report.work.halvings;
        self.tamed += report.work.tamed;
        self.least_gap = self.least_gap.min(report.least_gap);
        self.missing += report.unfinished;
    }

    fn text(&self) -> String {
        let kinds = self.counts.iter().zip(EVENTS).map(|(count, (_, name))| format!("{count} {name}"));
        let mut text = format!("{}; {} V-Clip calls", kinds.collect::<Vec<_>>().join(", "), self.vclip_calls);
        if self.least_gap.is_finite() {
            let _ = write!(text, "; least gap {:.3e} m", self.least_gap);
        }
        let counts = [(self.halvings, "halved intervals"), (self.tamed, "collisions without restitution or friction")];
        for (count, what) in counts.into_iter().filter(|(count, _)| *count > 0) {
            let _ = write!(text, "; {count} {what}");
        }
        if self.missing > 0.0 {
            let _ = write!(text, "; {:.3e} s are not stepped", self.missing);
        }
        text
    }
}

impl Ccd {
    fn add(&mut self, ccd: &CcdReport, time_step: f64) {
        self.steps += u32::from(ccd.pair.is_some());
        self.divided += u32::from(ccd.substeps > 1);
        self.most_substeps = self.most_substeps.max(ccd.substeps);
        self.ended += u32::from(ccd.advanced < time_step);
        self.missing += time_step - ccd.advanced;
        self.overlap_now = ccd.overlapping.len();
        self.overlapping += u32::from(self.overlap_now > 0);
    }

    fn text(&self) -> String {
        let Self { steps, divided, most_substeps, ended, missing, overlapping, overlap_now } = self;
        let mut text = format!("impacts in {steps} steps; {divided} steps in substeps, at most {most_substeps}");
        if *ended > 0 {
            let _ = write!(text, "; {ended} steps ended early, {missing:.3e} s are not stepped");
        }
        if *overlapping > 0 {
            let _ = write!(
                text,
                "; bodies overlapped at the start of {overlapping} steps, {overlap_now} pairs in the last"
            );
        }
        text
    }
}

impl Summary {
    /// Adds a step.
    pub fn add(&mut self, report: &WorldReport, time_step: f64) {
        if let Some(surfaces) = &report.asynchronous {
            return self.surfaces.add(report, surfaces, time_step);
        }
        if let Some(ccd) = &report.ccd {
            self.ccd.get_or_insert_default().add(ccd, time_step);
        }
        let timings = &report.timings;
        let phases =
            [timings.broad_phase, timings.narrow_phase, timings.solver, timings.post_stabilisation, timings.total];
        for (sum, phase) in self.phases.iter_mut().zip(phases) {
            *sum += phase;
        }
        self.steps += 1;
        self.last_contacts = report.contacts.len();
        self.contacts += self.last_contacts;
        self.most_contacts = self.most_contacts.max(self.last_contacts);
        self.most_iterations = self.most_iterations.max(report.iterations());
        if report.deepest_penetration > self.deepest.0 {
            self.deepest = (report.deepest_penetration, report.step);
        }
        let (start, _) = self.energy.unwrap_or((report.energy_before, report.energy_after));
        self.energy = Some((start, report.energy_after));
        self.position_correction_energy += report.position_correction_energy;
        for limit in report.limits() {
            *self.limits.entry(limit).or_default() += 1;
        }
        self.speculative_contacts += report.counts.speculative_contacts;
        if let Some(report) = &report.backtracking {
            self.events.get_or_insert_default().add(report);
        }
        self.svd.svd_exact += report.counts.svd_exact;
        self.svd.svd_fallbacks += report.counts.svd_fallbacks;
        self.svd.svd_inconsistent += report.counts.svd_inconsistent;
        self.svd.svd_solves += report.counts.svd_solves;
        self.svd.svd_rank_deficient += report.counts.svd_rank_deficient;
        self.svd.torsion_ignored += report.counts.torsion_ignored;
        self.svd.asleep = report.counts.asleep;
        self.svd.global_newton += report.counts.global_newton;
        self.svd.global_interior_point += report.counts.global_interior_point;
        self.svd.global_fallbacks += report.counts.global_fallbacks;
        self.svd.global_factorizations += report.counts.global_factorizations;
        for global in report.islands.iter().filter_map(|island| island.global) {
            self.natural_map = self.natural_map.max(global.natural_map);
        }
        for svd in report.islands.iter().filter_map(|island| island.svd) {
            if let Some(text) = fallback(svd.status) {
                *self.failures.entry(text).or_default() += 1;
            }
        }
    }

    /// The text, one fact a line. `audit` has measured overlaps, `names` are those of bodies, `drift` names the body that has moved most, and how far (m).
    pub fn text(
        &self,
        simulator: &dyn Simulator,
        audit: &Audit,
        names: &[String],
        drift: Option<(String, f64)>,
    ) -> String {
        if simulator.kind() == SimulatorKind::Asynchronous {
            return self.surfaces.text(simulator, audit.intersections());
        }
        let mut text = String::new();
        let mut line = |what: &str, value: String| {
            let _ = writeln!(text, "{what:<22} {value}");
        };
        let steps = self.steps.max(1);
        let milliseconds = |phase: Duration| format!("{:.3}", 1e3 * phase.as_secs_f64() / f64::from(steps));
        let [broad, narrow, solver, positions, all] = self.phases.map(milliseconds);
        line("steps", format!("{}, to step {} at {:.6} s", self.steps, simulator.steps(), simulator.time()));
        line("bodies", simulator.bodies().len().to_string());
        line(
            "ms a step",
            format!("{all}: broad phase {broad}, narrow phase {narrow}, solver {solver}, positions {positions}"),
        );
        line(
            "contacts",
            format!(
                "{:.1} a step, at most {}, {} in the last",
                self.contacts as f64 / f64::from(steps),
                self.most_contacts,
                self.last_contacts
            ),
        );
        if self.speculative_contacts > 0 {
            line(
                "speculative contacts",
                format!("{}, where a step would have led bodies into each other", self.speculative_contacts),
            );
        }
        match self.deepest {
            (depth, step) if depth > 0.0 => line("deepest contact", format!("{depth:.3e} m, in step {step}")),
            _ => line("deepest contact", "none".into()),
        }
        line("largest overlap", audit.text(names));
        if let Some((before, after)) = self.energy {
            let (kinetic, potential) = (after.kinetic, after.potential);
            let change = after.total() - before.total();
            line("energy", format!("{change:+.6e} J, to {kinetic:.6e} J kinetic and {potential:.6e} J potential"));
        }
        if self.position_correction_energy != 0.0 {
            line("position correction", format!("{:+.6e} J potential", self.position_correction_energy));
        }
        if let Some(ccd) = &self.ccd {
            line("CCD", ccd.text());
        }
        line("simulator", simulator.kind().to_string());
        if let Some(events) = &self.events {
            line("events", events.text());
        }
        let solver = simulator.contact_solver();
        line("solver", solver.map_or("none".into(), |solver| solver.to_string()));
        if let Some(ContactSolver::Svd(_)) = solver {
            line("islands", self.islands());
        }
        if let Some(ContactSolver::Global(_)) = solver {
            line("islands", self.global_islands());
        }
        if let Some(ContactSolver::Soft(_)) = solver {
            line("islands at rest", self.global_islands());
            line("asleep", format!("{} bodies at the end", self.svd.asleep));
        }
        if simulator.kind() == SimulatorKind::TimeStepping {
            line("sweeps", format!("at most {}", self.most_iterations));
        }
        line("caps that were hit", self.caps());
        if let Some((body, distance)) = drift {
            line("largest drift", format!("{distance:.3e} m, {body}"));
        }
        if let Some(bytes) = peak_memory() {
            let each = bytes / simulator.bodies().len().max(1) as u64;
            line("peak memory", format!("{:.1} MiB, {:.1} KiB a body", mebibytes(bytes), 1024.0 * mebibytes(each)));
        }
        text
    }

    /// What the SVD force method did.
    fn islands(&self) -> String {
        let counts = &self.svd;
        let solved = counts.svd_exact + counts.svd_fallbacks + counts.svd_inconsistent;
        let mut text = format!(
            "{} exact, {} by fall-back, {} inconsistent; {:.1} solves each, {} rank-deficient",
            counts.svd_exact,
            counts.svd_fallbacks,
            counts.svd_inconsistent,
            counts.svd_solves as f64 / solved.max(1) as f64,
            counts.svd_rank_deficient
        );
        for (why, count) in &self.failures {
            let _ = write!(text, "; {why}: {count}");
        }
        if counts.torsion_ignored > 0 {
            let _ = write!(text, "; torsional friction left out of {} contacts", counts.torsion_ignored);
        }
        text
    }

    /// What the global method did.
    fn global_islands(&self) -> String {
        let counts = &self.svd;
        let solved = counts.global_newton + counts.global_interior_point + counts.global_fallbacks;
        format!(
            "{} by Newton's method, {} by interior points, {} left to sweeps; {:.2} factorizations each, natural map at most {:.1e} m/s",
            counts.global_newton,
            counts.global_interior_point,
            counts.global_fallbacks,
            counts.global_factorizations as f64 / solved.max(1) as f64,
            self.natural_map,
        )
    }

    fn caps(&self) -> String {
        let hit = self.limits.iter().map(|(limit, steps)| format!("{limit} in {steps} of {} steps", self.steps));
        let hit: Vec<String> = hit.collect();
        if hit.is_empty() { "none".into() } else { hit.join("; ") }
    }
}

/// How and why a system was left to another method.
fn fallback(status: SvdStatus) -> Option<String> {
    let (by, why) = match status {
        SvdStatus::Exact | SvdStatus::Inconsistent => return None,
        SvdStatus::Equilibrium(why) => ("equilibrium within cones", why),
        SvdStatus::Complementarity(why) => ("complementarity", why),
        SvdStatus::ProximalGaussSeidel(why) => ("prox-gauss-seidel", why),
        SvdStatus::Undecided(why) => ("nothing", why),
    };
    let why = match why {
        Failure::Repeated => "repeated statuses",
        Failure::SolveLimit => "too many solves",
        Failure::Balance => "balance",
        Failure::Motion => "contradictory biases",
        Failure::NotFinite => "numbers that are not finite",
    };
    Some(format!("{by} for {why}"))
}

fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// The most memory that the process has had at a time, bytes; only where the system says it as Linux does.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(1024 * kibibytes)
}
