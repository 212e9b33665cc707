//! Random numbers, poses and shapes, of which some are as bad as a program may give them.

use std::f64::consts::{FRAC_PI_2, TAU};

use drystone_engine::contact::shape::Shape;
use drystone_engine::contact::split_mix::SplitMix;
use drystone_engine::{Pose, Solid};
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// A number that is written with all its bits, `NaN` and `inf` included, which JSON does not have.
#[derive(Clone, Copy, Debug)]
pub struct Number(pub f64);

impl Serialize for Number {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        format!("{:?}", self.0).serialize(to)
    }
}

impl<'d> Deserialize<'d> for Number {
    fn deserialize<D: serde::Deserializer<'d>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map(Self).map_err(serde::de::Error::custom)
    }
}

/// Three numbers.
pub type Triple = [Number; 3];

pub fn vector(numbers: Triple) -> DVec3 {
    DVec3::from_array(numbers.map(|x| x.0))
}

pub fn triple(v: DVec3) -> Triple {
    v.to_array().map(Number)
}

/// A sequence of random choices.
pub struct Random(SplitMix);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(SplitMix::new(seed))
    }

    pub fn below(&mut self, count: usize) -> usize {
        self.0.next_below(count)
    }

    pub fn is(&mut self, probability: f64) -> bool {
        self.0.next_fraction() < probability
    }

    pub fn one_of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0.next_between(low, high)
    }

    /// A number whose logarithm to the base of ten is spread evenly.
    pub fn power(&mut self, low: f64, high: f64) -> f64 {
        libm::exp10(self.between(low, high))
    }

    pub fn vector(&mut self, size: f64) -> DVec3 {
        DVec3::from_array([(); 3].map(|()| size * self.between(-1.0, 1.0)))
    }

    /// A point of a lattice: many of them are in one plane, on one line, or the same.
    pub fn lattice(&mut self, size: usize) -> DVec3 {
        DVec3::from_array([(); 3].map(|()| self.below(2 * size + 1) as f64 - size as f64))
    }

    /// A number that no formula expects.
    pub fn hostile(&mut self) -> f64 {
        let numbers = [
            [0.0, -0.0, f64::NAN, f64::INFINITY],
            [f64::NEG_INFINITY, f64::MAX, f64::MIN_POSITIVE, 5e-324],
            [-1.0, 1e-300, 1e154, -1e9],
        ];
        numbers.as_flattened()[self.below(12)]
    }

    /// A vector with such numbers.
    pub fn hostile_vector(&mut self) -> DVec3 {
        let mut v = self.vector(1.0);
        v[self.below(3)] = self.hostile();
        v
    }

    pub fn rotation(&mut self) -> DQuat {
        match self.below(4) {
            0 => DQuat::IDENTITY,
            1 => DQuat::from_rotation_y(FRAC_PI_2 * self.below(4) as f64),
            2 => DQuat::from_axis_angle(self.vector(1.0).normalize_or(DVec3::X), self.power(-16.0, 0.0)),
            _ => self.0.next_rotation(),
        }
    }

    /// A pose at which bodies of a size may touch, be in each other or far apart.
    pub fn pose(&mut self, size: f64) -> Pose {
        let place = match self.below(7) {
            0 => DVec3::ZERO,
            1 => size * self.lattice(1),
            2 => 0.5 * size * self.lattice(2),
            3 => size * self.lattice(1) + self.vector(1e-9 * size),
            4 => self.vector(1e-6 * size),
            5 => self.vector(1e9 * size),
            _ => self.vector(1.5 * size),
        };
        Pose::from_parts(place, self.rotation())
    }
}

/// What a shape is, so that it can be made again from a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    Cuboid(Triple),
    Ball(Number),
    Capsule(Number, Number),
    Cylinder(Number, Number),
    Cone(Number, Number),
    RoundedBox(Triple, Number),
    Hull(Vec<Triple>),
    /// Two cuboids of these sides, the second one moved.
    Compound([Triple; 2], Triple),
}

impl Form {
    /// A form of about a metre, or of another scale, thin ones and hulls of points in one plane among them. A speck that is followed over a metre,
    /// as extreme forms are, takes a step seconds.
    pub fn random(random: &mut Random, extreme: bool) -> Self {
        let [least, most, thinnest] = if extreme { [-9.0, 6.0, -12.0] } else { [-1.0, 2.0, -2.0] };
        let scale = if random.is(0.8) { 1.0 } else { random.power(least, most) };
        let thin = if random.is(0.8) { 1.0 } else { random.power(thinnest, 0.0) };
        let mut length = || Number(scale * random.between(0.2, 1.0));
        let (a, b, c) = (length(), length(), length());
        let sides = [a, Number(thin * b.0), c];
        match random.below(12) {
            0..3 => Self::Cuboid(sides),
            3 => Self::Ball(a),
            4 => Self::Capsule(a, Number(thin * b.0)),
            5 => Self::Cylinder(a, Number(thin * b.0)),
            6 => Self::Cone(a, Number(thin * b.0)),
            7 => Self::RoundedBox(sides, Number(0.3 * thin * c.0)),
            8 => Self::Compound([sides, [b, a, c]], triple(random.vector(scale))),
            kind => {
                let count = 4 + random.below(20);
                let flat = DVec3::new(scale, thin * scale, scale);
                let mut point = || if kind == 9 { random.lattice(2) } else { random.vector(1.0) };
                Self::Hull((0..count).map(|_| triple(flat * point())).collect())
            }
        }
    }

    /// With one number replaced by one that no formula expects.
    pub fn spoilt(self, random: &mut Random) -> Self {
        let bad = Number(random.hostile());
        match self {
            Self::Ball(_) => Self::Ball(bad),
            Self::Capsule(_, h) => Self::Capsule(bad, h),
            Self::Cylinder(r, _) => Self::Cylinder(r, bad),
            Self::Cone(r, _) => Self::Cone(r, bad),
            Self::RoundedBox(half, _) => Self::RoundedBox(half, bad),
            Self::Cuboid(_) | Self::Compound(..) => Self::Cuboid(triple(random.hostile_vector())),
            Self::Hull(mut points) => {
                points[0] = triple(random.hostile_vector());
                Self::Hull(points)
            }
        }
    }

    /// The solid of a density, kg/m³, if there is one.
    pub fn solid(&self, density: f64) -> Result<Solid, String> {
        let cuboid = |sides: Triple| Solid::cuboid(vector(sides), density);
        let solid = match self {
            Self::Cuboid(sides) => cuboid(*sides),
            Self::Ball(r) => Solid::ball(r.0, density),
            Self::Capsule(r, h) => Solid::capsule(r.0, h.0, density),
            Self::Cylinder(r, h) => Solid::cylinder(r.0, h.0, density),
            Self::Cone(r, h) => Solid::cone(r.0, h.0, density),
            Self::RoundedBox(half, r) => Solid::rounded_box(vector(*half), r.0, density),
            Self::Hull(points) => Solid::convex_hull(&points.iter().map(|p| vector(*p)).collect::<Vec<_>>(), density),
            Self::Compound([first, second], place) => {
                let part = |sides: Triple, place: DVec3| {
                    let shape = cuboid(sides).map_err(|error| error.to_string())?.shape;
                    Ok::<_, String>(((*shape).clone(), Pose::from_translation(place)))
                };
                let parts = [part(*first, DVec3::ZERO)?, part(*second, vector(*place))?];
                Solid::compound(parts, density)
            }
        };
        solid.map_err(|error| error.to_string())
    }
}

/// The size of a shape, m: no less than its radius.
pub fn size(shape: &Shape) -> f64 {
    let radius = shape.radius();
    if radius.is_finite() { radius } else { 1.0 }
}

/// An angle, rad.
pub fn angle(random: &mut Random) -> f64 {
    random.between(-TAU, TAU)
}
