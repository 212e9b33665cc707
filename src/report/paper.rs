//! What the paper prints about pillar, wall and arch (K. Erleben, ACM TOG 37(3), 2018: table 7, sections 8.2 and 8.3).

use drystone_contact::generator::Method;

/// Published values of a method in a complex scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Printed {
    /// Contacts with the expected normal, per cent.
    pub quality: Option<f64>,
    /// How many contacts.
    pub contacts: Option<usize>,
    /// Contacts by the least number.
    pub excess: Option<f64>,
    /// P, measured by expected contact area.
    pub coverage: Option<f64>,
}

/// Table 7: quality in per cent, contacts, excess.
const PILLAR: [(Method, f64, usize, f64); 8] = [
    (Method::ClosestPoints, 97.9, 188, 4.7),
    (Method::Intersection, 15.4, 722, 18.1),
    (Method::VertexOnly, 60.8, 51, 1.3),
    (Method::ConsistentVertex, 35.3, 34, 0.8),
    (Method::VolumeSat, 20.9, 540, 13.5),
    (Method::SurfaceSat, 52.9, 607, 15.2),
    (Method::GrowthDistance, 24.6, 622, 15.6),
    (Method::MostOpposing, 91.6, 214, 5.3),
];

/// The least number of contacts of the pillar (paper, figure 6), by which its excess is counted.
pub const PILLAR_MINIMUM: usize = 40;

/// What is printed; shares that the text gives in words ("20% … incorrect") are taken as such.
pub fn printed(scene: &str, method: Method) -> Option<Printed> {
    let area = |quality: f64, coverage: f64| {
        Some(Printed { quality: Some(quality), contacts: None, excess: None, coverage: Some(coverage) })
    };
    match (scene, method) {
        ("pillar", _) => PILLAR.iter().find(|row| row.0 == method).map(|&(_, quality, contacts, excess)| Printed {
            quality: Some(quality),
            contacts: Some(contacts),
            excess: Some(excess),
            coverage: None,
        }),
        ("wall", Method::ClosestPoints) => area(80.0, 0.89),
        ("wall", Method::MostOpposing) => area(100.0, 0.93),
        ("arch", Method::ClosestPoints) => area(70.0, 0.64),
        ("arch", Method::MostOpposing) => area(50.0, 0.90),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_printed_table_agrees_with_itself() {
        for (_, quality, contacts, excess) in PILLAR {
            assert!((contacts as f64 / PILLAR_MINIMUM as f64 - excess).abs() <= 0.051);
            let right = (quality / 100.0 * contacts as f64).round();
            assert!((100.0 * right / contacts as f64 - quality).abs() <= 0.051);
        }
        assert_eq!(printed("spikes", Method::Intersection), None);
    }
}
