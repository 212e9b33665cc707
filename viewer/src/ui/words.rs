//! What a contact comes from and what is said of it, in words.

use drystone::contact::Feature;
use drystone::contact::generator::cone_filter::{Sides, Verdict};
use drystone::engine::{BodyId, BodyKind};
use drystone_report::inspection::Subject;

use crate::model::shown::RIGHT;

/// A feature with its kind and number.
pub fn feature(feature: Feature) -> String {
    let (kind, number) = match feature {
        Feature::Vertex(n) => ("mesh vertex", n),
        Feature::Edge(n) => ("mesh edge", n),
        Feature::Face(n) => ("mesh face", n),
        Feature::Tetrahedron(n) => ("tetrahedron", n),
        Feature::Facet(n) => ("facet", n),
        Feature::FacetEdge(n) => ("edge", n),
        Feature::FacetVertex(n) => ("vertex", n),
        Feature::PieceFace(n) => ("face of a convex piece", n),
        Feature::PieceEdge(n) => ("edge of a convex piece", n),
        Feature::PieceVertex(n) => ("vertex of a convex piece", n),
        Feature::Surface(n) => ("smooth surface", n),
        Feature::Overlap(n) => ("part of the overlap", n),
    };
    format!("{kind} {n}", n = number)
}

/// What the normal-cone filter says, and why.
pub fn verdict(verdict: Verdict, a: &str, b: &str) -> String {
    match verdict {
        Verdict::Kept => format!("Kept: its normal is one that a plane between {a} and {b} can have at this place."),
        Verdict::Merged { into } => {
            format!("Merged: it says what contact {into} says, at the same place in the same direction.")
        }
        Verdict::Rejected { by } => {
            let whose = match by {
                Sides::A => format!("{a} has"),
                Sides::B => format!("{b} has"),
                Sides::Both => format!("neither {a} nor {b} has"),
            };
            let not = if by == Sides::Both { "" } else { "no " };
            let any = if by == Sides::Both { "such a normal" } else { "such normal" };
            format!("Rejected: {whose} {not}{any} at the features that the point lies on, or the point lies on none.")
        }
    }
}

/// What a quality means.
pub fn quality(quality: Option<f64>) -> String {
    match quality {
        None => "unknown: nothing is known of what this scene's contacts should be".into(),
        Some(0.0) => "0: across every expected normal, or no contact is expected here".into(),
        Some(q) if q > RIGHT => format!("{q:.4}: right"),
        Some(q) => format!("{q:.4}: {:.1}° from the nearest expected normal", q.clamp(0.0, 1.0).acos().to_degrees()),
    }
}

/// What moves a body.
pub fn kind(kind: BodyKind) -> &'static str {
    match kind {
        BodyKind::Dynamic => "dynamic",
        BodyKind::Fixed => "fixed",
        BodyKind::Kinematic => "kinematic",
    }
}

/// The name of a body.
pub fn body(subject: &Subject, id: BodyId) -> &str {
    subject.body(id).map_or("?", |body| &body.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_says_whose_fault_it_is() {
        let by = |by| verdict(Verdict::Rejected { by }, "wedge", "floor");
        assert!(by(Sides::A).contains("wedge has no such normal"), "{}", by(Sides::A));
        assert!(by(Sides::B).contains("floor has no such normal"), "{}", by(Sides::B));
        assert!(by(Sides::Both).contains("neither wedge nor floor has such a normal"), "{}", by(Sides::Both));
        assert!(verdict(Verdict::Merged { into: 7 }, "a", "b").contains("contact 7"));
        assert!(verdict(Verdict::Kept, "a", "b").starts_with("Kept"));
    }

    #[test]
    fn a_quality_is_an_angle() {
        assert!(quality(Some(0.5)).contains("60.0°"));
        assert!(quality(Some(1.0)).contains("right"));
        assert!(quality(Some(0.0)).contains("no contact is expected"));
        assert!(quality(None).contains("unknown"));
        assert_eq!(feature(Feature::PieceEdge(3)), "edge of a convex piece 3");
    }
}
