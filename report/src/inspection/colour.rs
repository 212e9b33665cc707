//! The colours of contacts and what they mean.
//!
//! Colours are sRGB, 0…255. Categories take the eight colours of Okabe and Ito, which colour-blind people tell apart; amounts a
//! ramp whose lightness grows evenly.

use drystone_contact::Feature;
use drystone_contact::generator::cone_filter::{Sides, Verdict};
use drystone_contact::generator::{Method, methods};
use serde::{Deserialize, Serialize};

use super::examination::{Examined, ExaminedContact};

/// An sRGB colour.
pub type Rgb = [u8; 3];

/// What contacts are coloured by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ColourBy {
    /// All blue, as in the figures of the paper.
    Plain,
    /// How well the normal agrees with an expected one.
    #[default]
    Quality,
    /// The method that found it.
    Method,
    /// The kinds of the two features that it comes from.
    FeaturePair,
    /// What the normal-cone filter says of it.
    Verdict,
    /// The distance along the normal.
    Gap,
    /// The size of the force.
    Force,
}

drystone_contact::named!(ColourBy, "colouring":
    Plain = "plain",
    Quality = "quality",
    Method = "method",
    FeaturePair = "feature-pair",
    Verdict = "verdict",
    Gap = "gap",
    Force = "force",
);

/// The blue of contacts in the figures of the paper.
pub const BLUE: Rgb = [33, 60, 220];
/// What nothing is known of.
pub const UNKNOWN: Rgb = [140, 140, 140];
/// The highlighted contact.
pub const SELECTED: Rgb = [255, 196, 0];

const ORANGE: Rgb = [230, 159, 0];
const SKY: Rgb = [86, 180, 233];
const GREEN: Rgb = [0, 158, 115];
const YELLOW: Rgb = [240, 228, 66];
const OKABE_BLUE: Rgb = [0, 114, 178];
const VERMILION: Rgb = [213, 94, 0];
const PURPLE: Rgb = [204, 121, 167];
const BLACK: Rgb = [30, 30, 30];

/// Quality from 0 to 1: what is not right is to be seen, so right is calm.
const QUALITY: [(f64, Rgb); 4] =
    [(0.0, [214, 39, 40]), (0.9, [255, 152, 0]), (0.999, [240, 228, 66]), (1.0, [44, 160, 84])];
/// Gaps from the deepest to the widest: penetration red, none grey, apart blue.
const GAP: [(f64, Rgb); 3] = [(-1.0, [202, 0, 32]), (0.0, [170, 170, 170]), (1.0, [5, 113, 176])];
/// Forces from none to the largest.
const FORCE: [(f64, Rgb); 4] =
    [(0.0, [68, 1, 84]), (0.35, [49, 104, 142]), (0.7, [53, 183, 121]), (1.0, [253, 231, 37])];

/// What the colours of a list of contacts mean.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Legend {
    /// Colours for names.
    Names {
        /// What the colours tell.
        title: String,
        /// Colour, name, and how many contacts have it.
        entries: Vec<(Rgb, String, usize)>,
    },
    /// Colours between stops, for values.
    Ramp {
        /// What the colours tell, with the unit.
        title: String,
        /// Value and colour, values ascending; linear between stops.
        stops: Vec<(f64, Rgb)>,
        /// How many contacts have no value.
        unknown: usize,
    },
}

/// The colours of a list of contacts.
#[derive(Clone, Debug, PartialEq)]
pub struct Colouring {
    /// One a contact.
    pub colours: Vec<Rgb>,
    /// What they mean.
    pub legend: Legend,
}

/// Colours contacts. `method` is what found them.
pub fn colouring(by: ColourBy, examined: &Examined, method: &Method) -> Colouring {
    let contacts = &examined.contacts[..];
    let with =
        |count: usize| Legend::Names { title: "Contacts".into(), entries: vec![(BLUE, "contact".into(), count)] };
    match by {
        ColourBy::Plain => Colouring { colours: vec![BLUE; contacts.len()], legend: with(contacts.len()) },
        ColourBy::Quality => ramp("Normal quality |n·e|", QUALITY.to_vec(), contacts, |c| c.quality),
        ColourBy::Method => names("Method", contacts, |_| (method_colour(method), method.name().into())),
        ColourBy::FeaturePair => names("Features", contacts, |c| {
            let pair = FeaturePair::of(c);
            (pair.colour(), pair.name().into())
        }),
        ColourBy::Verdict => names("Verdict of the normal-cone filter", contacts, |c| verdict_entry(c.verdict)),
        ColourBy::Gap => {
            let largest = largest(contacts, |c| Some(c.between.contact.gap.abs()));
            let stops = GAP.map(|(value, colour)| (value * largest, colour)).to_vec();
            ramp("Gap (m)", stops, contacts, |c| Some(c.between.contact.gap))
        }
        ColourBy::Force => {
            let force = |c: &ExaminedContact| c.force.map(|f| f.length());
            let largest = largest(contacts, force);
            let stops = FORCE.map(|(value, colour)| (value * largest, colour)).to_vec();
            ramp("Force (N)", stops, contacts, force)
        }
    }
}

/// Largest value of a list, and never zero.
fn largest(contacts: &[ExaminedContact], value: impl Fn(&ExaminedContact) -> Option<f64>) -> f64 {
    let largest = contacts.iter().filter_map(value).filter(|v| v.is_finite()).fold(0.0, f64::max);
    if largest > 0.0 { largest } else { 1.0 }
}

fn ramp(
    title: &str,
    stops: Vec<(f64, Rgb)>,
    contacts: &[ExaminedContact],
    value: impl Fn(&ExaminedContact) -> Option<f64>,
) -> Colouring {
    let values: Vec<Option<f64>> = contacts.iter().map(value).collect();
    let colours = values.iter().map(|v| v.map_or(UNKNOWN, |v| on_ramp(&stops, v))).collect();
    let unknown = values.iter().filter(|v| v.is_none()).count();
    Colouring { colours, legend: Legend::Ramp { title: title.into(), stops, unknown } }
}

/// The colour of a value on a ramp, linear between stops and constant outside.
pub fn on_ramp(stops: &[(f64, Rgb)], value: f64) -> Rgb {
    let after = stops.iter().position(|(stop, _)| *stop >= value).unwrap_or(stops.len());
    match (after.checked_sub(1).map(|k| stops[k]), stops.get(after)) {
        (Some((low, from)), Some(&(high, to))) => {
            let t = if high > low { (value - low) / (high - low) } else { 1.0 };
            std::array::from_fn(|k| (f64::from(from[k]) + t * (f64::from(to[k]) - f64::from(from[k]))).round() as u8)
        }
        (Some((_, colour)), None) | (None, Some(&(_, colour))) => colour,
        (None, None) => UNKNOWN,
    }
}

/// Colours by name; entries in the order of their names.
fn names(title: &str, contacts: &[ExaminedContact], entry: impl Fn(&ExaminedContact) -> (Rgb, String)) -> Colouring {
    let mut entries: Vec<(Rgb, String, usize)> = Vec::new();
    let mut colours = Vec::with_capacity(contacts.len());
    for contact in contacts {
        let (colour, name) = entry(contact);
        colours.push(colour);
        match entries.iter_mut().find(|(_, known, _)| *known == name) {
            Some((_, _, count)) => *count += 1,
            None => entries.push((colour, name, 1)),
        }
    }
    entries.sort_by(|p, q| p.1.cmp(&q.1));
    Colouring { colours, legend: Legend::Names { title: title.into(), entries } }
}

/// The colour of a method, wherever several are shown.
pub fn method_colour(method: &Method) -> Rgb {
    let palette = [
        OKABE_BLUE,
        ORANGE,
        GREEN,
        VERMILION,
        SKY,
        PURPLE,
        YELLOW,
        BLACK,
        [148, 103, 189],
        [140, 86, 75],
        [127, 127, 60],
        [23, 160, 180],
        [96, 96, 220],
        [230, 40, 120],
    ];
    let index = methods::all().iter().position(|m| m.name() == method.name());
    index.map_or(UNKNOWN, |index| palette[index % palette.len()])
}

fn verdict_entry(verdict: Verdict) -> (Rgb, String) {
    match verdict {
        Verdict::Kept => (GREEN, "kept".into()),
        Verdict::Merged { .. } => (SKY, "merged: says what another says".into()),
        Verdict::Rejected { by: Sides::A } => (ORANGE, "rejected: no normal of A's surface there".into()),
        Verdict::Rejected { by: Sides::B } => (PURPLE, "rejected: no normal of B's surface there".into()),
        Verdict::Rejected { by: Sides::Both } => (VERMILION, "rejected: no normal of either surface there".into()),
    }
}

/// The kinds of the two features of a contact, in either order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FeaturePair {
    /// Vertex and vertex.
    VertexVertex,
    /// Vertex and edge.
    VertexEdge,
    /// Vertex and face.
    VertexFace,
    /// Edge and edge.
    EdgeEdge,
    /// Edge and face.
    EdgeFace,
    /// Face and face.
    FaceFace,
    /// A whole tetrahedron on one side or both, or a part of the overlap.
    Tetrahedra,
}

impl FeaturePair {
    /// Of a contact.
    pub fn of(contact: &ExaminedContact) -> Self {
        let contact = &contact.between.contact;
        let kind = |feature| match feature {
            Feature::Vertex(_) | Feature::FacetVertex(_) | Feature::PieceVertex(_) => Some(0),
            Feature::Edge(_) | Feature::FacetEdge(_) | Feature::PieceEdge(_) => Some(1),
            Feature::Face(_) | Feature::Facet(_) | Feature::PieceFace(_) | Feature::Surface(_) => Some(2),
            Feature::Tetrahedron(_) | Feature::Overlap(_) => None,
        };
        let (Some(a), Some(b)) = (kind(contact.feature_a), kind(contact.feature_b)) else {
            return Self::Tetrahedra;
        };
        match (a.min(b), a.max(b)) {
            (0, 0) => Self::VertexVertex,
            (0, 1) => Self::VertexEdge,
            (0, _) => Self::VertexFace,
            (1, 1) => Self::EdgeEdge,
            (1, _) => Self::EdgeFace,
            _ => Self::FaceFace,
        }
    }

    /// For people.
    pub fn name(self) -> &'static str {
        ["vertex-vertex", "vertex-edge", "vertex-face", "edge-edge", "edge-face", "face-face", "tetrahedra"]
            [self as usize]
    }

    fn colour(self) -> Rgb {
        [BLACK, PURPLE, OKABE_BLUE, VERMILION, ORANGE, GREEN, SKY][self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_gets_the_colour_between_its_stops() {
        let stops = [(0.0, [0, 0, 0]), (1.0, [100, 200, 50]), (2.0, [0, 0, 0])];
        assert_eq!(on_ramp(&stops, 0.5), [50, 100, 25]);
        assert_eq!(on_ramp(&stops, 1.0), [100, 200, 50]);
        assert_eq!((on_ramp(&stops, -1.0), on_ramp(&stops, 9.0)), ([0, 0, 0], [0, 0, 0]));
        assert_eq!(on_ramp(&[], 1.0), UNKNOWN);
        assert_eq!(on_ramp(&stops, f64::NAN), [0, 0, 0]);
    }

    #[test]
    fn names_are_read_back() {
        for by in ColourBy::ALL {
            assert_eq!(by.name().parse::<ColourBy>().unwrap(), by);
        }
        let error = "depth".parse::<ColourBy>().unwrap_err().to_string();
        assert!(error.contains("depth") && error.contains("gap"), "{error}");
    }

    #[test]
    fn no_two_methods_have_the_same_colour() {
        let all = methods::all();
        for (k, m) in all.iter().enumerate() {
            assert!(all[..k].iter().all(|other| method_colour(other) != method_colour(m)), "{m}");
        }
    }
}
