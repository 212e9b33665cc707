//! The keys of a joint in a scene file, as they are written.

use serde::Deserialize;

use drystone_engine::JointKind;

use super::document::{RotationEntry, Tuple};

/// A joint.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointEntry {
    pub name: String,
    pub kind: JointKind,
    /// Body A; the world if left out.
    pub a: Option<String>,
    pub b: Option<String>,
    /// The joints that a gear or rack couples.
    pub joints: Option<Tuple<String, 2>>,
    pub ratio: Option<f64>,
    pub point: Option<Tuple<f64, 3>>,
    pub points: Option<Tuple<Tuple<f64, 3>, 2>>,
    pub axis: Option<Tuple<f64, 3>>,
    pub axes: Option<Tuple<Tuple<f64, 3>, 2>>,
    pub orientation_xyzw: Option<Tuple<f64, 4>>,
    pub rotation: Option<RotationEntry>,
    /// In the body frames: where each lies, m, and its quaternion x, y, z, w.
    pub frames: Option<Tuple<Tuple<f64, 7>, 2>>,
    pub x: Option<CoordinateEntry>,
    pub y: Option<CoordinateEntry>,
    pub z: Option<CoordinateEntry>,
    pub rx: Option<CoordinateEntry>,
    pub ry: Option<CoordinateEntry>,
    pub rz: Option<CoordinateEntry>,
    pub angle: Option<CoordinateEntry>,
    pub displacement: Option<CoordinateEntry>,
    pub twist: Option<CoordinateEntry>,
    pub swing: Option<CoordinateEntry>,
    pub distance: Option<CoordinateEntry>,
    pub breaking_force: Option<f64>,
    pub breaking_torque: Option<f64>,
    pub collides: Option<bool>,
}

/// What a coordinate of a joint does.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoordinateEntry {
    /// m or rad.
    pub limits: Option<Tuple<f64, 2>>,
    pub motor: Option<MotorEntry>,
    /// N or N m.
    pub friction: Option<f64>,
}

/// What drives a coordinate: one of `velocity`, `position` and `rest` says how.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MotorEntry {
    pub velocity: Option<f64>,
    pub position: Option<f64>,
    pub rest: Option<f64>,
    pub stiffness: Option<f64>,
    pub damping: Option<f64>,
    pub max_force: Option<f64>,
}

impl JointEntry {
    /// The coordinates that are given, with their keys.
    pub fn coordinates(&self) -> impl Iterator<Item = (&'static str, &CoordinateEntry)> {
        let keys = [
            ("x", &self.x),
            ("y", &self.y),
            ("z", &self.z),
            ("rx", &self.rx),
            ("ry", &self.ry),
            ("rz", &self.rz),
            ("angle", &self.angle),
            ("displacement", &self.displacement),
            ("twist", &self.twist),
            ("swing", &self.swing),
            ("distance", &self.distance),
        ];
        keys.into_iter().filter_map(|(key, entry)| Some((key, entry.as_ref()?)))
    }

    /// Which of the keys that say where the joint is are given.
    pub fn place_keys(&self) -> impl Iterator<Item = &'static str> {
        let keys = [
            ("point", self.point.is_some()),
            ("points", self.points.is_some()),
            ("axis", self.axis.is_some()),
            ("axes", self.axes.is_some()),
            ("orientation_xyzw", self.orientation_xyzw.is_some()),
            ("rotation", self.rotation.is_some()),
            ("frames", self.frames.is_some()),
        ];
        keys.into_iter().filter_map(|(key, is_given)| is_given.then_some(key))
    }
}

/// The coordinates of a kind by the keys of a scene file.
pub fn coordinate_keys(kind: JointKind) -> &'static [(&'static str, usize)] {
    match kind {
        JointKind::Hinge => &[("angle", 3)],
        JointKind::Slider => &[("displacement", 0)],
        JointKind::Ball => &[("rx", 3), ("ry", 4), ("rz", 5)],
        JointKind::Universal => &[("rx", 3), ("rz", 5)],
        JointKind::ConeTwist => &[("twist", 3), ("swing", 4)],
        JointKind::SixDof => &[("x", 0), ("y", 1), ("z", 2), ("rx", 3), ("ry", 4), ("rz", 5)],
        JointKind::Distance | JointKind::Rope | JointKind::Spring => &[("distance", 0)],
        JointKind::Fixed | JointKind::Gear | JointKind::Rack | JointKind::LockedAxes => &[],
    }
}
