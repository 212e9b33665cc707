//! Options that several subcommands share: how scenes are made, when contacts are looked at, how they are judged.

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};

use super::output::note;
use crate::contact::generator::cone_filter::{ConeFilter, Sides};
use crate::engine::soft_step::SoftSettings;
use crate::engine::solver::ContactSolver;
use crate::replica::Variant;
use crate::scenes::builtin::BuiltIn;
use crate::scenes::cases::Model;
use crate::scenes::detection::Moment;
use crate::scenes::measure::Matching;
use crate::scenes::opening::{self, What};
use crate::scenes::scene::Scene;
use crate::scenes::scene_file::Programs;
use crate::scenes::truth::TruthKind;

/// How methods are read and scenes made.
#[derive(Args, Clone, Debug)]
pub struct SceneOptions {
    /// How methods are read: the paper's text (corrected), the behaviour behind its table of the ten cases (published)
    /// or an earlier form of three methods, behind its tables of the Pillar (earlier).
    #[arg(long, default_value = "corrected", value_name = "VARIANT")]
    pub variant: Variant,

    /// Bodies of the built-in scenes: exact coordinates (procedural) or those behind the published tables (recorded),
    /// which go with the published and earlier variants unless told otherwise.
    #[arg(long, value_enum)]
    pub model: Option<ModelName>,

    /// Size of a built-in scene with procedural bodies: of the ten cases the scene size S (default 20, cliff edges 8), of
    /// larger scenes a number of bodies, rows or storeys (`drystone scenes`). The others have one size.
    #[arg(long, allow_negative_numbers = true, value_name = "S", value_parser = above_zero)]
    pub size: Option<f64>,

    /// Length of a time step in seconds (default 0.01).
    #[arg(long, allow_negative_numbers = true, value_name = "SECONDS", value_parser = above_zero)]
    pub dt: Option<f64>,

    /// Shift every body by up to this along x and along z, in metres.
    #[arg(long, allow_negative_numbers = true, value_name = "METRES", requires = "seed", value_parser = above_zero)]
    pub perturb: Option<f64>,

    /// Where the shifts start from.
    #[arg(long, value_name = "N", requires = "perturb")]
    pub seed: Option<u64>,

    /// Split every tetrahedron into eight, N times.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=4), default_value_t = 0)]
    pub refine: u32,

    /// Run the programs that a scene file names (`fill.program`). Only for files from people whom you trust.
    #[arg(long)]
    pub allow_programs: bool,
}

/// How scenes are stepped.
#[derive(Args, Clone, Debug)]
pub struct StepOptions {
    /// The solver that finds the impulses of a step: prox-gauss-seidel, soft or soft-accurate (substeps with soft contacts, for
    /// many bodies), global (large structures at rest), or svd (impulses of least norm).
    #[arg(long, value_name = "NAME", default_value_t = ContactSolver::default())]
    pub solver: ContactSolver,
}

/// When contacts are looked at.
#[derive(Args, Clone, Debug)]
pub struct MomentOptions {
    /// The time step to look at, from 1 (default: the one in the published table).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub step: Option<u32>,

    /// Look at the exact touching pose at t = 0, without any motion.
    #[arg(long, value_enum, conflicts_with = "step")]
    pub pose: Option<PoseName>,
}

/// How contacts are judged.
#[derive(Args, Clone, Debug)]
pub struct JudgingOptions {
    /// By which truth contacts are judged; published goes with the variants published and
    /// earlier unless told otherwise.
    #[arg(long, value_name = "TRUTH")]
    pub truth: Option<TruthKind>,

    /// A normal n matches an expected one e if | |n·e| − 1 | is below this.
    #[arg(
        long, allow_negative_numbers = true, value_name = "T", default_value_t = Matching::default().tolerance, value_parser = above_zero
    )]
    pub tolerance: f64,
}

/// Whether contacts are filtered.
#[derive(Args, Clone, Debug)]
pub struct FilterOptions {
    /// Leave only contacts whose normals lie in the normal cones of the features that they lie on, each once. --filter=a and
    /// --filter=b test one side alone, as other engines do.
    #[arg(
        long, value_enum, value_name = "SIDES", num_args = 0..=1, require_equals = true, default_missing_value = "both"
    )]
    pub filter: Option<SidesName>,
}

/// On which sides of a contact normals are tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SidesName {
    /// On both.
    Both,
    /// On the first body alone.
    A,
    /// On the second body alone.
    B,
}

impl FilterOptions {
    /// The filter, if one is asked for.
    pub fn filter(&self) -> Option<ConeFilter> {
        let sides = match self.filter? {
            SidesName::Both => Sides::Both,
            SidesName::A => Sides::A,
            SidesName::B => Sides::B,
        };
        Some(ConeFilter { sides, ..ConeFilter::default() })
    }
}

/// Where the bodies of a built-in scene come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ModelName {
    /// Exact coordinates, our tetrahedra.
    Procedural,
    /// The coordinates and tetrahedra behind the published tables.
    Recorded,
}

/// A pose to look at in place of a time step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PoseName {
    /// The pose at t = 0.
    Start,
}

impl StepOptions {
    /// Refuses a scene whose joints or locked axes the solver does not hold, if it is stepped at all.
    pub fn check(&self, scene: &Scene, moment: Option<Moment>) -> Result<()> {
        if !scene.is_held_by(self.solver) && moment != Some(Moment::Start) {
            bail!(
                "scene {} has joints or locked axes, which the solver {} does not hold; give --solver soft or global, or --pose \
                 start, which needs no step",
                scene.name,
                self.solver
            );
        }
        Ok(())
    }
}

impl MomentOptions {
    /// When contacts are looked at, if not in each scene's own step.
    pub fn moment(&self) -> Option<Moment> {
        match (self.pose, self.step) {
            (Some(PoseName::Start), _) => Some(Moment::Start),
            (None, step) => step.map(|n| Moment::Step(n as usize)),
        }
    }
}

impl JudgingOptions {
    /// The truth that contacts are judged by.
    pub fn truth(&self, variant: Variant) -> TruthKind {
        self.truth.unwrap_or(TruthKind::of(variant))
    }

    /// How normals are matched.
    pub fn matching(&self) -> Matching {
        Matching { tolerance: self.tolerance }
    }
}

impl SceneOptions {
    /// The model of built-in scenes.
    pub fn model(&self) -> Model {
        match self.model {
            Some(ModelName::Procedural) => Model::Procedural,
            Some(ModelName::Recorded) => Model::Recorded,
            None => Model::of(self.variant),
        }
    }

    /// The name of that model.
    pub fn model_name(&self) -> &'static str {
        match self.model() {
            Model::Procedural => "procedural",
            Model::Recorded => "recorded",
        }
    }

    /// The scene of a name or in a file, changed as the options say. What is not as in the file is noted.
    pub fn scene(&self, name: &str, solver: ContactSolver) -> Result<Scene> {
        let what: What = name.parse()?;
        // The variant has a say where bodies of both kinds may be.
        let model =
            if matches!(what, What::BuiltIn(_)) { Some(self.model()) } else { self.model.map(|_| self.model()) };
        let opened = opening::open(
            &what,
            &opening::SceneOptions {
                model,
                size: self.size,
                time_step: self.dt,
                perturbation: self.perturb.zip(self.seed),
                refinement: self.refine as usize,
                solver,
                programs: if self.allow_programs { Programs::Allowed } else { Programs::Refused },
            },
        )?;
        opened.notes.iter().for_each(|text| note(&format!("{name}: {text}")));
        Ok(opened.scene)
    }

    /// The scene of a name or in a file, stepped by a solver that holds its joints and locked axes, if it has any.
    pub fn held_scene(&self, name: &str) -> Result<Scene> {
        let mut scene = self.scene(name, ContactSolver::default())?;
        hold(&mut scene);
        Ok(scene)
    }

    /// The same, refused if nothing is known of the contacts that it should have.
    pub fn held_scene_with_truth(&self, name: &str) -> Result<Scene> {
        let mut scene = self.scene_with_truth(name, ContactSolver::default())?;
        hold(&mut scene);
        Ok(scene)
    }

    /// The scene of a name or in a file, refused if nothing is known of the contacts that it should have.
    pub fn scene_with_truth(&self, name: &str, solver: ContactSolver) -> Result<Scene> {
        if name.parse().is_ok_and(|built_in: BuiltIn| !built_in.has_truth()) {
            bail!(
                "scene {name} cannot be scored: nothing is known of the contacts that it should have; \
                 `drystone contacts` writes those that a method finds"
            );
        }
        self.scene(name, solver)
    }
}

fn hold(scene: &mut Scene) {
    if !scene.joints.is_empty() || scene.locked_body().is_some() {
        scene.set_solver(ContactSolver::Soft(SoftSettings::default()));
    }
}

/// A number of an option that must be finite and above zero.
pub fn above_zero(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok().filter(|x| x.is_finite() && *x > 0.0);
    value.ok_or_else(|| "it must be a finite number above zero".into())
}
