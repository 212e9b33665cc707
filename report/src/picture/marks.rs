//! Contacts as marks: a dot and its normal. Right and wrong differ in colour and in shape: filled and hollow.

use drystone_engine::ContactBetween;
use drystone_scenes::truth::{PairTruth, Truth};
use glam::DVec2;
use maud::{Markup, html};

use crate::number::coordinate;

/// Whether a contact has an expected normal of its pair.
pub fn is_right(contact: &ContactBetween, truth: &Truth, tolerance: f64) -> bool {
    let mut normals = truth.of(contact.a, contact.b).into_iter().flat_map(PairTruth::directions);
    normals.any(|e| (contact.contact.normal.dot(e).abs() - 1.0).abs() < tolerance)
}

/// A contact on the picture, pixels.
pub struct Mark {
    /// Its dot.
    pub at: DVec2,
    /// The end of its normal.
    pub tip: DVec2,
    /// Whether its normal is right.
    pub is_right: bool,
}

/// The marks as a few paths: dots are lines without length, with round ends.
pub fn marks(marks: &[Mark]) -> Markup {
    let of_class = |is_right: bool, class: &str| {
        let (mut normals, mut dots) = (String::new(), String::new());
        for mark in marks.iter().filter(|m| m.is_right == is_right && m.at.is_finite() && m.tip.is_finite()) {
            let at = format!("M{} {}", coordinate(mark.at.x), coordinate(mark.at.y));
            let along = mark.tip - mark.at;
            normals.push_str(&format!("{at}l{} {}", coordinate(along.x), coordinate(along.y)));
            dots.push_str(&format!("{at}h0"));
        }
        html! {
            @if !dots.is_empty() {
                path class={ "normal " (class) } d=(normals) {}
                path class={ "spot " (class) } d=(dots) {}
                @if !is_right { path class="hollow-spot" d=(dots) {} }
            }
        }
    };
    html! { (of_class(false, "wrong")) (of_class(true, "right")) }
}
