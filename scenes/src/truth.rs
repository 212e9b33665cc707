//! What is known about the contacts of a scene.

use drystone_contact::generator::Method;
use drystone_engine::{BodyId, Pose};
use drystone_replica::Variant;
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

use crate::scene::SceneBody;

/// Which of two truths contacts are judged by.
///
/// They differ in the three Two-points cases: the published table is reproduced with the normals that obstruct the
/// motion most, while two convex corners that pass each other are parted by the plane that obstructs it least. And in the
/// Arch, where the paper takes the line between centres of mass for the normal of an interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TruthKind {
    /// The plane along which the bodies can go on. Normals turn with the body whose facet they belong to.
    Corrected,
    /// The normals of the published table, fixed in the world as they were there.
    Published,
}

drystone_contact::named!(TruthKind, "truth":
    Corrected = "corrected",
    Published = "published",
);

impl TruthKind {
    /// The truth that goes with a variant.
    pub fn of(variant: Variant) -> Self {
        match variant {
            Variant::Corrected => Self::Corrected,
            Variant::Published | Variant::Earlier => Self::Published,
        }
    }

    /// The truth that goes with a method: that of its variant, the corrected one where it has none of ours.
    pub fn of_method(method: &Method) -> Self {
        Variant::read(method).map_or(Self::Corrected, Self::of)
    }
}

/// A direction that contacts of a pair should have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExpectedNormal {
    /// Unit, world frame; either sense counts.
    pub direction: DVec3,
    /// The body that it turns with; `None`: it is fixed in the world.
    pub carrier: Option<Carrier>,
}

/// The body whose facet an expected normal belongs to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Carrier {
    /// The body.
    pub body: BodyId,
    /// The orientation, body to world, in which the normal has its direction.
    pub orientation: DQuat,
}

impl From<DVec3> for ExpectedNormal {
    /// A normal that is fixed in the world.
    fn from(direction: DVec3) -> Self {
        ExpectedNormal { direction, carrier: None }
    }
}

impl ExpectedNormal {
    /// The normal where its carrier has one of these poses, one for each body in the order of ids; as it is without one.
    pub fn at(&self, poses: &[Pose]) -> Self {
        let turned = |carrier: Carrier| {
            let Some(&Pose { rotation: orientation, .. }) = poses.get(carrier.body.index()) else { return *self };
            let in_body = carrier.orientation.inverse() * self.direction;
            // A body that has not turned leaves every bit of the direction as it is.
            let is_turned = orientation != carrier.orientation;
            let direction = if is_turned { (orientation * in_body).normalize() } else { self.direction };
            ExpectedNormal { direction, carrier: Some(Carrier { orientation, ..carrier }) }
        };
        self.carrier.map_or(*self, turned)
    }
}

/// The contacts that a pair of bodies should have.
#[derive(Clone, Debug, PartialEq)]
pub struct PairTruth {
    /// One body.
    pub a: BodyId,
    /// The other.
    pub b: BodyId,
    /// The expected normals.
    pub normals: Vec<ExpectedNormal>,
    /// The minimal number of contacts that describe the touching pose.
    pub minimum: usize,
    /// The area of the contact where it is known, m²: of a plane interface across the first of the normals.
    pub area: Option<f64>,
}

impl PairTruth {
    /// Two bodies that touch in one plane across `normal`, which is fixed in the world, on an area in m².
    pub fn interface(a: BodyId, b: BodyId, normal: DVec3, minimum: usize, area: f64) -> Self {
        PairTruth { a, b, normals: vec![normal.into()], minimum, area: Some(area) }
    }

    /// The directions of the expected normals, unit, world frame; either sense counts.
    pub fn directions(&self) -> impl Iterator<Item = DVec3> {
        self.normals.iter().map(|normal| normal.direction)
    }
}

/// The truth about a scene at its start: about pairs of bodies that are not named, that they have no contacts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Truth {
    /// One entry a pair.
    pub pairs: Vec<PairTruth>,
}

impl Truth {
    /// The entry of a pair, in either order.
    pub fn of(&self, a: BodyId, b: BodyId) -> Option<&PairTruth> {
        self.pairs.iter().find(|p| (p.a, p.b) == (a, b) || (p.a, p.b) == (b, a))
    }

    /// The minimal number of contacts of the whole scene.
    pub fn minimum(&self) -> usize {
        self.pairs.iter().map(|p| p.minimum).sum()
    }

    /// The number of expected normals of the whole scene.
    pub fn normals(&self) -> usize {
        self.pairs.iter().map(|p| p.normals.len()).sum()
    }

    /// The truth where the bodies have these poses, one for each body in the order of ids: carried normals turned with
    /// their carriers.
    pub fn at(&self, poses: &[Pose]) -> Truth {
        self.with_normals(|_, normal| normal.at(poses))
    }

    /// The truth with all normals fixed in the world.
    pub fn fixed(&self) -> Truth {
        self.with_normals(|_, normal| normal.direction.into())
    }

    /// The truth with each normal carried by the body whose facet it belongs to: the first of the pair that has a facet
    /// across it. Normals that belong to no facet stay as they are.
    pub fn carried(&self, bodies: &[SceneBody]) -> Truth {
        /// A facet within this angle is across a normal, rad: recorded bodies have single precision.
        const PARALLEL: f64 = 1e-3;
        let carrier = |body: BodyId, direction: DVec3| {
            let SceneBody { shape, body: state, .. } = &bodies[body.index()];
            let in_body = state.orientation.inverse() * direction;
            let is_across = |facet: &DVec3| facet.cross(in_body).length() < PARALLEL;
            let has_facet = shape.surface().is_some_and(|surface| surface.normals().iter().any(is_across));
            has_facet.then_some(Carrier { body, orientation: state.orientation })
        };
        self.with_normals(|pair, &ExpectedNormal { direction, .. }| ExpectedNormal {
            direction,
            carrier: carrier(pair.a, direction).or_else(|| carrier(pair.b, direction)),
        })
    }

    fn with_normals(&self, change: impl Fn(&PairTruth, &ExpectedNormal) -> ExpectedNormal) -> Truth {
        let changed = |pair: &PairTruth| {
            let normals = pair.normals.iter().map(|normal| change(pair, normal)).collect();
            PairTruth { normals, ..pair.clone() }
        };
        Truth { pairs: self.pairs.iter().map(changed).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::{Case, Model};

    /// Of two bodies with parallel facets the first carries the normal: what bears the other, and in the Two-points cases
    /// the falling body, whose side slides over the other's apex or ridge.
    #[test]
    fn normals_belong_to_the_facets_that_are_slid_over() {
        for case in Case::ALL {
            for model in [Model::Procedural, Model::Recorded] {
                let scene = case.scene(model, None).unwrap();
                let carrier = match case {
                    Case::SpikeInCrack | Case::SpikeInHole | Case::WedgeInCrack => 1,
                    _ => 0,
                };
                for normal in &scene.truth.pairs[0].normals {
                    assert_eq!(normal.carrier.map(|c| c.body.index()), Some(carrier), "{case} {model:?}");
                }
                assert!(scene.truth(TruthKind::Published).pairs[0].normals.iter().all(|n| n.carrier.is_none()));
            }
        }
    }

    #[test]
    fn normals_turn_with_their_carrier_alone() {
        let scene = Case::Spikes.scene(Model::Procedural, None).unwrap();
        let start: Vec<Pose> = scene.bodies.iter().map(|b| b.body.pose()).collect();
        assert_eq!(scene.truth.at(&start), scene.truth);
        let turn = DQuat::from_rotation_y(0.1);
        let turned = |body: usize| {
            let mut poses = start.clone();
            poses[body].rotation = turn * poses[body].rotation;
            scene.truth.at(&poses).pairs[0].normals[0]
        };
        let before = scene.truth.pairs[0].normals[0];
        assert!(turned(0).direction.distance(turn * before.direction) < 1e-15);
        assert_eq!(turned(1), before);
        // The turned truth goes on from where it is.
        assert!(turned(0).at(&start).direction.distance(before.direction) < 1e-15);
        assert_eq!(scene.truth.fixed().pairs[0].normals[0].at(&[]), before.direction.into());
        assert_eq!(before.at(&[]), before);
    }
}
