//! What a program may call between the steps of a world, as data: a log of calls is the report of a fault.

use drystone_engine::{JointKind, Pose};
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

use crate::random::{Form, Number, Random, Triple, angle, triple, vector};

/// Where and how a body is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Place {
    pub position: Triple,
    /// A rotation vector, rad.
    pub turn: Triple,
}

impl Place {
    pub fn pose(&self) -> Pose {
        Pose::from_parts(vector(self.position), DQuat::from_scaled_axis(vector(self.turn)))
    }

    fn random(random: &mut Random, size: f64) -> Self {
        let pose = random.pose(size);
        Self { position: triple(pose.translation + DVec3::Y), turn: triple(pose.rotation.to_scaled_axis()) }
    }
}

/// The kind of a body.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    Dynamic,
    Kinematic,
    Fixed,
}

/// One call. Bodies and joints are counted from the first one that was ever added; those that are gone must be refused.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Call {
    Step,
    Add {
        kind: Kind,
        form: Form,
        density: Number,
        place: Place,
    },
    Remove(usize),
    Teleport(usize, Place),
    Throw(usize, [Triple; 2]),
    SetKind(usize, Kind),
    SetMass(usize, Number, Triple),
    Impulse(usize, [Triple; 2]),
    Force(usize, [Triple; 2]),
    MoveTo(usize, Place),
    Damp(usize, [Number; 2]),
    Sensor(usize, bool),
    Exclude(usize, usize, bool),
    Lock(usize, [bool; 3], [bool; 3]),
    Join {
        kind: JointKind,
        a: Option<usize>,
        b: usize,
        point: Triple,
        axis: Triple,
        range: [Number; 2],
        motor: Option<Number>,
    },
    Unjoin(usize),
    TimeStep(Number),
    Look {
        from: Triple,
        way: Triple,
    },
    Renew,
}

/// How a world is made.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Setup {
    /// One of [`STEPS`].
    pub step: String,
    /// The name of the contact method.
    pub method: String,
    /// s.
    pub time_step: Number,
    pub friction: Number,
    pub restitution: Number,
}

/// Ways to step.
pub const STEPS: [&str; 7] = ["soft", "soft-accurate", "prox-gauss-seidel", "svd", "global", "ccd", "suite"];

/// A world and what is done with it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Log {
    pub setup: Setup,
    pub calls: Vec<Call>,
}

impl Log {
    /// A world of some bodies over a floor, and calls; one in four is hostile, one in fifty has extreme sizes and time steps.
    pub fn random(random: &mut Random, methods: &[String]) -> Self {
        let [hostile, extreme] = [0.25, 0.02].map(|share| random.is(share));
        let unusual: &[f64] = if extreme { &[1e-9, 1.0, 1e3] } else { &[1e-4, 1.0 / 60.0, 0.1] };
        let time_step = if random.is(0.7) { 0.01 } else { random.one_of(unusual) };
        let setup = Setup {
            step: random.one_of(&STEPS).into(),
            method: if random.is(0.6) { "semi-local".into() } else { random.one_of(methods) },
            time_step: Number(if hostile && random.is(0.1) { random.hostile() } else { time_step }),
            friction: Number(random.one_of(&[0.0, 0.5, 1.0, 100.0])),
            restitution: Number(random.one_of(&[0.0, 0.0, 0.5, 1.0])),
        };
        let floor = Form::Cuboid([20.0, 1.0, 20.0].map(Number));
        let place = Place { position: [0.0, -0.5, 0.0].map(Number), turn: [0.0; 3].map(Number) };
        let mut calls = vec![Call::Add { kind: Kind::Fixed, form: floor, density: Number(1000.0), place }];
        calls.extend((0..2 + random.below(5)).map(|_| Call::add(random, [false, extreme])));
        calls.extend((0..4 + random.below(28)).map(|_| Call::random(random, [hostile, extreme])));
        Self { setup, calls }
    }
}

impl Call {
    fn add(random: &mut Random, [hostile, extreme]: [bool; 2]) -> Self {
        let kind = random.one_of(&[Kind::Dynamic, Kind::Dynamic, Kind::Dynamic, Kind::Kinematic, Kind::Fixed]);
        let form = Form::random(random, extreme);
        let form = if hostile && random.is(0.3) { form.spoilt(random) } else { form };
        let density = if random.is(0.7) { 1000.0 } else { random.power(-12.0, 12.0) };
        Self::Add { kind, form, density: Number(density), place: Place::random(random, 1.0) }
    }

    fn random(random: &mut Random, [hostile, extreme]: [bool; 2]) -> Self {
        let which = random.below(10);
        let vector = |random: &mut Random, size: f64| {
            triple(if hostile && random.is(0.1) { random.hostile_vector() } else { random.vector(size) })
        };
        match random.below(34) {
            0..3 => Self::add(random, [hostile, extreme]),
            3 => Self::Remove(which),
            4 | 5 => Self::Teleport(which, Place::random(random, 1.0)),
            6 | 7 => {
                let size = random.one_of(&[1.0, 10.0, 1e3, 1e6]);
                Self::Throw(which, [vector(random, size), vector(random, size)])
            }
            8 => Self::SetKind(which, random.one_of(&[Kind::Dynamic, Kind::Kinematic, Kind::Fixed])),
            9 => {
                let mass = random.power(-12.0, 12.0);
                let moments = DVec3::ONE * mass * random.power(-3.0, 1.0);
                let mass = if hostile { random.one_of(&[mass, 0.0, -1.0, f64::NAN, f64::INFINITY]) } else { mass };
                Self::SetMass(which, Number(mass), triple(moments))
            }
            10 => Self::Impulse(which, [vector(random, 1e3), vector(random, 1.0)]),
            11 => Self::Force(which, [vector(random, 1e5), vector(random, 1.0)]),
            12 => Self::MoveTo(which, Place::random(random, 2.0)),
            13 => Self::Damp(which, [(); 2].map(|()| Number(random.power(-3.0, 9.0)))),
            14 => Self::Sensor(which, random.is(0.5)),
            15 => Self::Exclude(which, random.below(10), random.is(0.7)),
            16 => Self::Lock(which, [(); 3].map(|()| random.is(0.3)), [(); 3].map(|()| random.is(0.3))),
            17..20 => {
                let ends = [random.between(-1.0, 0.5), angle(random)];
                Self::Join {
                    kind: random.one_of(&[
                        [JointKind::Fixed, JointKind::Hinge, JointKind::Slider],
                        [JointKind::Ball, JointKind::Universal, JointKind::ConeTwist],
                        [JointKind::Distance, JointKind::Rope, JointKind::Spring],
                    ])[random.below(3)],
                    a: random.is(0.7).then(|| random.below(10)),
                    b: which,
                    point: vector(random, 1.0),
                    axis: vector(random, 1.0),
                    range: ends.map(Number),
                    motor: random.is(0.3).then(|| Number(random.power(-3.0, 6.0))),
                }
            }
            20 => Self::Unjoin(random.below(4)),
            21 if hostile => Self::TimeStep(Number(random.hostile())),
            21 => Self::TimeStep(Number(random.one_of(&[1e-9, 1e-3, 0.01, 0.1]))),
            22 => Self::Look { from: vector(random, 2.0), way: vector(random, 1.0) },
            23 => Self::Renew,
            _ => Self::Step,
        }
    }
}
