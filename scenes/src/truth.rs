//! What is known about the contacts of a scene.

use std::fmt;
use std::str::FromStr;

use drystone_contact::generator::UnknownName;
use drystone_engine::BodyId;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Which of two truths contacts are judged by.
///
/// They differ in the three Two-points cases: the published table is reproduced with the normals that obstruct the
/// motion most, while two convex corners that pass each other are parted by the plane that obstructs it least. And in the
/// Arch, where the paper takes the line between centres of mass for the normal of an interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TruthKind {
    /// The plane along which the bodies can go on.
    Corrected,
    /// The normals of the published table.
    Published,
}

impl TruthKind {
    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            TruthKind::Corrected => "corrected",
            TruthKind::Published => "published",
        }
    }
}

impl fmt::Display for TruthKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for TruthKind {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let both = [TruthKind::Corrected, TruthKind::Published];
        let known = || both.map(TruthKind::name).join(", ");
        let found = both.into_iter().find(|t| t.name() == name);
        found.ok_or_else(|| UnknownName { kind: "truth", name: name.into(), known: known() })
    }
}

/// The contacts that a pair of bodies should have.
#[derive(Clone, Debug, PartialEq)]
pub struct PairTruth {
    /// One body.
    pub a: BodyId,
    /// The other.
    pub b: BodyId,
    /// The expected normals, unit, world frame; either sense counts.
    pub normals: Vec<DVec3>,
    /// The least number of contacts that describe the touching pose.
    pub minimum: usize,
    /// The area of the contact where it is known, m²: of a plane interface across the first of the normals.
    pub area: Option<f64>,
}

impl PairTruth {
    /// Two bodies that touch in one plane across `normal`, on an area in m².
    pub fn interface(a: BodyId, b: BodyId, normal: DVec3, minimum: usize, area: f64) -> Self {
        PairTruth { a, b, normals: vec![normal], minimum, area: Some(area) }
    }
}

/// The truth about a scene: about pairs of bodies that are not named, that they have no contacts.
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

    /// The least number of contacts of the whole scene.
    pub fn minimum(&self) -> usize {
        self.pairs.iter().map(|p| p.minimum).sum()
    }

    /// The number of expected normals of the whole scene.
    pub fn normals(&self) -> usize {
        self.pairs.iter().map(|p| p.normals.len()).sum()
    }
}
