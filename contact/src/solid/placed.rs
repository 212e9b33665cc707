//! A solid in another place.

use std::sync::Arc;

use glam::{DMat3, DVec3};
use thiserror::Error;

use super::Description;
use super::description::part;
use super::{BoundedMass, Crossing, NoNormal, OrientedBox, ROUNDING, Relation, Solid, StraightEdge};
use crate::bounds::Bounds;
use crate::pose::Pose;
use crate::shape::{MassProperties, MassPropertiesError, SurfacePoint, Triangles};

/// The length of a quaternion may differ from one by this much; it is then normalised.
const UNIT: f64 = 1e-6;

/// Below this a component of an axis (dimensionless) is zero, and what has no end does not get one farther off.
const ALONG_AXIS: f64 = 1e-15;

/// The pose is no rigid motion.
#[derive(Clone, Debug, Error, PartialEq)]
#[error(
    "a {kind} cannot be placed at the translation {translation} with the quaternion (x, y, z, w) {rotation:?}: the \
     translation must be finite and the quaternion of length one"
)]
pub struct PlacedError {
    /// What should be placed.
    pub kind: &'static str,
    /// m.
    pub translation: DVec3,
    /// x, y, z, w.
    pub rotation: [f64; 4],
}

/// A solid that is turned and moved: `pose` takes its frame to the frame of this one.
///
/// It keeps the promises of the solid; a box is widened by what the change of the frame rounds.
#[derive(Clone, Debug)]
pub struct Placed {
    solid: Arc<dyn Solid>,
    pose: Pose,
    turn: DMat3,
    bounds: Bounds,
}

impl Placed {
    /// A solid at a pose.
    ///
    /// # Errors
    /// [`PlacedError`] unless the translation is finite and the rotation of length one.
    pub fn new(solid: Arc<dyn Solid>, pose: Pose) -> Result<Self, PlacedError> {
        let is_unit = (pose.rotation.length() - 1.0).abs() <= UNIT;
        if !pose.translation.is_finite() || !is_unit {
            let (translation, rotation) = (pose.translation, pose.rotation.to_array());
            return Err(PlacedError { kind: solid.kind(), translation, rotation });
        }
        let pose = Pose::from_parts(pose.translation, pose.rotation.normalize());
        let turn = DMat3::from_quat(pose.rotation);
        let bounds = moved(&solid.bounds(), &turn, pose.translation);
        Ok(Self { solid, pose, turn, bounds })
    }

    /// The solid in its own frame.
    pub fn solid(&self) -> &Arc<dyn Solid> {
        &self.solid
    }

    /// From the frame of the solid to the frame of this one.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    fn seen_by_solid(&self, point: DVec3) -> DVec3 {
        self.turn.transpose() * (point - self.pose.translation)
    }

    fn placed_point(&self, point: DVec3) -> DVec3 {
        self.turn * point + self.pose.translation
    }

    /// What the change of the frame rounds, for points with coordinates up to `size`, m.
    fn rounding(&self, size: f64) -> f64 {
        ROUNDING * (size + self.pose.translation.abs().max_element())
    }
}

/// The box around a turned and moved one; what has no end keeps having none.
fn moved(bounds: &Bounds, turn: &DMat3, translation: DVec3) -> Bounds {
    let (mut low, mut high) = (translation, translation);
    for k in 0..3 {
        for j in 0..3 {
            let entry = turn.col(j)[k];
            let times = |end: f64| if end.is_infinite() && entry.abs() <= ALONG_AXIS { 0.0 } else { entry * end };
            let (a, b) = (times(bounds.low[j]), times(bounds.high[j]));
            low[k] += a.min(b);
            high[k] += a.max(b);
        }
    }
    let rounding = ROUNDING * (bounds.largest_finite_coordinate() + translation.abs().max_element());
    Bounds { low, high }.grown(rounding)
}

impl Solid for Placed {
    fn kind(&self) -> &'static str {
        self.solid.kind()
    }

    fn bounds(&self) -> Bounds {
        self.bounds
    }

    fn extent(&self, direction: DVec3) -> f64 {
        direction.dot(self.pose.translation) + self.solid.extent(self.turn.transpose() * direction)
    }

    fn relation(&self, turned: &OrientedBox) -> Relation {
        let margin = self.rounding(turned.centre.abs().max_element() + turned.radius());
        let seen = OrientedBox {
            centre: self.seen_by_solid(turned.centre),
            axes: self.turn.transpose() * turned.axes,
            half: turned.half + margin,
        };
        self.solid.relation(&seen)
    }

    /// As that of the solid, of a box that is larger by rounding.
    fn slack(&self, radius: f64) -> f64 {
        // A box farther off is not undecided: its distance then exceeds the slack that is known for it.
        let size = self.bounds.largest_finite_coordinate() + 2.0 * radius;
        let margin = 4.0 * self.rounding(size);
        self.solid.slack(radius + margin) + margin
    }

    fn crossings(&self, from: DVec3, to: DVec3, crossings: &mut Vec<Crossing>) {
        let first = crossings.len();
        self.solid.crossings(self.seen_by_solid(from), self.seen_by_solid(to), crossings);
        for crossing in &mut crossings[first..] {
            crossing.normal = crossing.normal.map(|normal| self.turn * normal);
        }
    }

    fn contains(&self, point: DVec3) -> bool {
        self.solid.contains(self.seen_by_solid(point))
    }

    /// As close as that of the solid.
    fn nearest(&self, point: DVec3) -> Result<SurfacePoint, NoNormal> {
        match self.solid.nearest(self.seen_by_solid(point)) {
            Ok(near) => Ok(SurfacePoint {
                position: self.placed_point(near.position),
                normal: self.turn * near.normal,
                distance: near.distance,
            }),
            Err(error) => Err(NoNormal { point: self.placed_point(error.point), ..error }),
        }
    }

    fn samples(&self, spacing: f64, samples: &mut Vec<DVec3>) {
        let first = samples.len();
        // The change of the frame may move two points apart by rounding.
        self.solid.samples(spacing * (1.0 - ROUNDING), samples);
        for sample in &mut samples[first..] {
            *sample = self.placed_point(*sample);
        }
    }

    fn is_closed(&self) -> bool {
        self.solid.is_closed()
    }

    fn thickness(&self) -> f64 {
        self.solid.thickness()
    }

    fn mass_properties(&self, density: f64) -> Result<BoundedMass, MassPropertiesError> {
        let own = self.solid.mass_properties(density)?;
        let MassProperties { volume, mass, centre, inertia, .. } = own.properties;
        let turned = self.turn * inertia * self.turn.transpose();
        let inertia = 0.5 * (turned + turned.transpose());
        Ok(BoundedMass {
            properties: MassProperties::new(volume, mass, self.placed_point(centre), inertia)?,
            volume_error: own.volume_error,
            // Rows of a rotation have sums of magnitudes up to √3.
            centre_error: 3.0_f64.sqrt() * own.centre_error,
            inertia_error: 3.0 * own.inertia_error,
        })
    }

    fn triangles(&self) -> Triangles {
        let mut triangles = self.solid.triangles();
        for vertex in &mut triangles.vertices {
            *vertex = self.placed_point(*vertex);
        }
        triangles
    }

    fn description(&self) -> Option<Description> {
        part(self).map(|part| Description::Placed(Box::new(part)))
    }

    fn ball_radius(&self) -> Option<f64> {
        self.solid.ball_radius().filter(|_| self.pose.translation == DVec3::ZERO)
    }

    fn is_flat(&self) -> bool {
        self.solid.is_flat()
    }

    fn edges(&self, edges: &mut Vec<StraightEdge>) {
        let begin = edges.len();
        self.solid.edges(edges);
        for edge in &mut edges[begin..] {
            edge.ends = edge.ends.map(|end| self.placed_point(end));
            edge.faces = edge.faces.map(|face| self.turn * face);
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;
    use crate::solid::laws;
    use crate::solid::stand_ins::{StandInBlock, StandInHalfSpace};

    fn pose(scale: f64) -> Pose {
        Pose::from_parts(DVec3::new(3.0, -2.0, 1.0) * scale, DQuat::from_xyzw(0.5, -0.1, 0.3, 0.8).normalize())
    }

    #[test]
    fn a_placed_block_keeps_the_laws() {
        for (seed, scale) in [(1, 1e-6), (2, 1.0), (3, 1e6)] {
            let half = DVec3::new(1.0, 0.5, 0.3) * scale;
            let (pose, placed) = (pose(scale), Placed::new(Arc::new(StandInBlock { half }), pose(scale)).unwrap());
            let inside = |point: DVec3| {
                // By the rotation of the quaternion, not the matrix.
                let depth = (pose.rotation.inverse() * (point - pose.translation)).abs() - half;
                (depth.max_element().abs() > 1e-12 * scale).then_some(depth.max_element() < 0.0)
            };
            laws::check(&placed, pose.translation, scale, 300, seed, inside);
            let corner = pose.translation + pose.rotation * half;
            assert!((0..3).all(|k| placed.bounds().low[k] <= corner[k] && corner[k] <= placed.bounds().high[k]));
            let near = placed.nearest(corner + pose.rotation * DVec3::new(-0.1, 0.2, -0.1) * scale).unwrap();
            assert!((near.normal - pose.rotation * DVec3::Y).length() < 1e-12);
            assert!((near.distance - 0.2 * scale).abs() < 1e-12 * scale);
        }
    }

    #[test]
    fn mass_and_what_has_no_end_turn() {
        let half = DVec3::new(1.0, 0.5, 0.3);
        let solid: Arc<dyn Solid> = Arc::new(StandInBlock { half });
        let (own, placed) = (solid.mass_properties(2.0).unwrap(), Placed::new(solid, pose(1.0)).unwrap());
        let found = placed.mass_properties(2.0).unwrap().properties;
        assert!((found.principal_moments - own.properties.principal_moments).length() < 1e-12);
        assert!((found.centre - pose(1.0).translation).length() < 1e-12);
        let quarter = Pose::from_parts(DVec3::X, DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2));
        let bounds = Placed::new(Arc::new(StandInHalfSpace), quarter).unwrap().bounds();
        // Points with y ≤ 0 become points with x ≥ 1.
        assert!(
            (bounds.low.x - 1.0).abs() < 1e-12 && bounds.low.y == f64::NEG_INFINITY && bounds.high == DVec3::INFINITY
        );
    }

    #[test]
    fn what_is_no_motion_is_refused() {
        let block: Arc<dyn Solid> = Arc::new(StandInBlock { half: DVec3::ONE });
        for pose in [
            Pose::from_parts(DVec3::NAN, DQuat::IDENTITY),
            Pose::from_parts(DVec3::ZERO, DQuat::from_xyzw(0.0, 0.0, 0.0, 2.0)),
            Pose::from_parts(DVec3::ZERO, DQuat::from_xyzw(0.0, f64::NAN, 0.0, 1.0)),
        ] {
            let error = Placed::new(Arc::clone(&block), pose).unwrap_err().to_string();
            assert!(error.contains("block") && error.contains("length one"), "{error}");
        }
    }
}
