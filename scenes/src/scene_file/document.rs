//! The keys of a scene file, as they are written: before names are looked up and numbers checked.

use std::fmt;
use std::marker::PhantomData;
use std::path::PathBuf;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use drystone_contact::shape::tetgen::TetgenSettings;
use drystone_contact::solid::Description;
use drystone_engine::Friction;

use super::error::{SceneFileError, SceneFileProblem};
use super::joint_entry::JointEntry;

/// The whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document {
    pub schema: Option<String>,
    pub name: String,
    pub title: Option<String>,
    pub body_count: Option<usize>,
    pub time_step: Option<f64>,
    pub step: Option<usize>,
    #[serde(default)]
    pub friction_model: FrictionModelEntry,
    pub gravity: Option<Tuple<f64, 3>>,
    pub damping: Option<Damping>,
    #[serde(default)]
    pub materials: Vec<String>,
    #[serde(default)]
    pub interaction: Vec<InteractionEntry>,
    #[serde(default)]
    pub body: Vec<BodyEntry>,
    #[serde(default)]
    pub joint: Vec<JointEntry>,
    #[serde(default)]
    pub excluded: Vec<Tuple<String, 2>>,
    #[serde(default)]
    pub truth: Vec<TruthEntry>,
    pub published_truth: Option<Vec<TruthEntry>>,
}

impl Document {
    /// Refuses programs but for TetGen itself, as it is found on the PATH: that is run whether it is named or not.
    pub fn check_programs(&self) -> Result<(), SceneFileError> {
        for body in &self.body {
            let program = body.fill.as_ref().and_then(|fill| fill.program.as_deref());
            if let Some(program) = program.filter(|program| *program != TetgenSettings::default().program()) {
                let found = program.display().to_string();
                let place = format!("body \"{}\", fill.program", body.name);
                return Err(SceneFileError::at(place, SceneFileProblem::Program { found }));
            }
        }
        Ok(())
    }
}

/// Forces against the motion.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Damping {
    pub linear: Option<f64>,
    pub angular: Option<f64>,
}

/// How friction bounds the impulses of a contact.
#[derive(Clone, Copy, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum FrictionModelEntry {
    /// By one coefficient.
    #[default]
    Ball,
    /// By three coefficients together.
    Ellipsoid,
    /// By three coefficients, each for itself.
    Box,
}

/// What happens between two materials.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InteractionEntry {
    pub between: Tuple<String, 2>,
    pub friction: FrictionEntry,
    #[serde(default)]
    pub restitution: f64,
}

/// A body.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BodyEntry {
    pub name: String,
    pub material: String,
    #[serde(default)]
    pub fixed: bool,
    #[serde(default)]
    pub kinematic: bool,
    pub phase: Option<Vec<PhaseEntry>>,
    #[serde(default)]
    pub frame: Frame,
    pub position: Option<Tuple<f64, 3>>,
    pub orientation_xyzw: Option<Tuple<f64, 4>>,
    pub rotation: Option<RotationEntry>,
    pub velocity: Option<Tuple<f64, 3>>,
    pub angular_velocity: Option<Tuple<f64, 3>>,
    pub density: Option<f64>,
    pub mass: Option<f64>,
    pub inertia: Option<Tuple<f64, 3>>,
    pub shape: ShapeEntry,
    pub eroded: Option<ShapeEntry>,
    pub fill: Option<FillEntry>,
    pub locked_translation: Option<Tuple<bool, 3>>,
    pub locked_rotation: Option<Tuple<bool, 3>>,
    pub force: Option<Tuple<f64, 3>>,
    pub torque: Option<Tuple<f64, 3>>,
    pub groups: Option<GroupsEntry>,
}

/// Which bodies a body touches, one group a bit.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupsEntry {
    pub member: u32,
    pub with: u32,
}

/// A stretch of the motion of a kinematic body.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PhaseEntry {
    pub duration: f64,
    pub velocity: Option<Tuple<f64, 3>>,
    pub angular_velocity: Option<Tuple<f64, 3>>,
}

/// Which frame a body's shape is given in.
#[derive(Clone, Copy, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Frame {
    /// Any; the body frame follows from the shape.
    #[default]
    Shape,
    /// The body frame.
    Body,
}

/// A rotation by an axis and an angle.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RotationEntry {
    pub axis: Tuple<f64, 3>,
    pub degrees: f64,
}

/// A shape: by a mesh file, as a box, as a primitive, as a general solid, inline, as parts, as a height field, or as an open surface.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShapeEntry {
    pub file: Option<PathBuf>,
    #[serde(rename = "box")]
    pub cuboid: Option<Tuple<f64, 3>>,
    pub vertices: Option<Vec<Tuple<f64, 3>>>,
    pub triangles: Option<Vec<Tuple<u32, 3>>>,
    pub tetrahedra: Option<Vec<Tuple<u32, 4>>>,
    /// Frames from which, one after the other, a surface is seen: where each lies, m, and its quaternion x, y, z, w.
    pub frames: Option<Vec<Tuple<f64, 7>>>,
    /// The name of a kind of primitive.
    pub primitive: Option<String>,
    /// Its dimensions, m.
    pub dimensions: Option<Vec<f64>>,
    /// A general solid.
    pub solid: Option<Description>,
    /// The parts of a compound.
    pub parts: Option<Vec<PartEntry>>,
    pub height_field: Option<HeightFieldEntry>,
    /// The triangles are a surface that need not be closed.
    pub surface: Option<SurfaceSides>,
    pub scale: Option<f64>,
}

impl ShapeEntry {
    /// Whether no key is given.
    pub fn is_empty(&self) -> bool {
        let Self {
            file,
            cuboid,
            vertices,
            triangles,
            tetrahedra,
            frames,
            primitive,
            dimensions,
            solid,
            parts,
            height_field,
            surface,
            scale,
        } = self;
        file.is_none()
            && cuboid.is_none()
            && (vertices.is_none() && triangles.is_none() && tetrahedra.is_none() && frames.is_none())
            && (primitive.is_none() && dimensions.is_none())
            && (solid.is_none() && parts.is_none() && height_field.is_none() && surface.is_none() && scale.is_none())
    }
}

/// A part of a compound: a shape and where its frame is in that of the compound.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartEntry {
    pub shape: ShapeEntry,
    pub position: Option<Tuple<f64, 3>>,
    pub orientation_xyzw: Option<Tuple<f64, 4>>,
    pub rotation: Option<RotationEntry>,
}

/// Heights over a grid.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeightFieldEntry {
    /// Along z.
    pub rows: usize,
    /// Along x.
    pub columns: usize,
    /// Of columns along x, of rows along z, m.
    pub spacing: Tuple<f64, 2>,
    /// Row by row, m.
    pub heights: Vec<f64>,
}

/// Which sides of an open surface hold bodies off.
#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum SurfaceSides {
    OneSided,
    TwoSided,
}

/// How surfaces are filled with tetrahedra.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FillEntry {
    #[serde(default)]
    pub method: FillMethod,
    pub program: Option<PathBuf>,
    pub quality: Option<f64>,
    pub maximum_volume: Option<f64>,
    pub timeout: Option<f64>,
}

/// The ways to fill a surface.
#[derive(Clone, Copy, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum FillMethod {
    #[default]
    Automatic,
    Cone,
    Fan,
    Tetgen,
}

/// The truth about a pair of bodies.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TruthEntry {
    pub bodies: Tuple<String, 2>,
    pub normals: Vec<Tuple<f64, 3>>,
    pub carriers: Option<Vec<String>>,
    pub minimum: usize,
    /// m².
    pub area: Option<f64>,
}

/// An array of exactly `N` values. (TOML arrays that are too long would pass as a Rust array.)
pub struct Tuple<T, const N: usize>(pub [T; N]);

impl<'de, T: Deserialize<'de>, const N: usize> Deserialize<'de> for Tuple<T, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(TupleVisitor(PhantomData))
    }
}

struct TupleVisitor<T, const N: usize>(PhantomData<T>);

impl<'de, T: Deserialize<'de>, const N: usize> Visitor<'de> for TupleVisitor<T, N> {
    type Value = Tuple<T, N>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an array of {N} values")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Self::Value, A::Error> {
        let mut values = Vec::with_capacity(N);
        while values.len() < N
            && let Some(value) = sequence.next_element()?
        {
            values.push(value);
        }
        let mut count = values.len();
        while sequence.next_element::<IgnoredAny>()?.is_some() {
            count += 1;
        }
        let values = if count == N { values.try_into().ok() } else { None };
        values.map(Tuple).ok_or_else(|| A::Error::invalid_length(count, &self))
    }
}

/// One coefficient, or three by name.
pub struct FrictionEntry(pub Friction);

/// The three coefficients by name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NamedFriction {
    s: f64,
    t: f64,
    torsion: f64,
}

impl<'de> Deserialize<'de> for FrictionEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FrictionVisitor)
    }
}

struct FrictionVisitor;

impl<'de> Visitor<'de> for FrictionVisitor {
    type Value = FrictionEntry;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, or a table of `s`, `t` and `torsion`")
    }

    fn visit_f64<E: Error>(self, coefficient: f64) -> Result<Self::Value, E> {
        Ok(FrictionEntry(Friction::isotropic(coefficient)))
    }

    fn visit_i64<E: Error>(self, coefficient: i64) -> Result<Self::Value, E> {
        self.visit_f64(coefficient as f64)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        let NamedFriction { s, t, torsion } = NamedFriction::deserialize(MapAccessDeserializer::new(map))?;
        Ok(FrictionEntry(Friction { s, t, torsion }))
    }
}
