//! The published scores of the ten cases (assessment paper, table 8; data in `data/table8.csv`).

use drystone_contact::generator::Method;
use serde::Serialize;

const TABLE: &str = include_str!("../data/table8.csv");

/// A cell of the published table, as printed: one digit after the point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Published {
    /// Coverage, 0…1.
    pub coverage: f64,
    /// Quality, 0…1.
    pub quality: f64,
    /// Excess, a factor; `None` where the paper has "(*)": no contacts were found.
    pub excess: Option<f64>,
}

/// The published scores of a method in a scene, if the table has them.
pub fn published(scene: &str, method: Method) -> Option<Published> {
    TABLE.lines().filter(|line| !line.starts_with('#')).find_map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        let [in_method, in_scene, coverage, quality, excess] = cells[..] else {
            return None;
        };
        if (in_method, in_scene) != (method.name(), scene) {
            return None;
        }
        let percent = |cell: &str| cell.parse::<f64>().ok().map(|p| p / 100.0);
        Some(Published { coverage: percent(coverage)?, quality: percent(quality)?, excess: excess.parse().ok() })
    })
}

/// Whether a measured value prints as the published one: with one digit after the point, halves to the even digit as
/// in the binary value (1.25 → 1.2).
pub fn prints_alike(measured: f64, published: f64) -> bool {
    format!("{measured:.1}") == format!("{published:.1}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::Case;

    #[test]
    fn the_table_is_whole() {
        let mut excesses = 0;
        for case in Case::ALL {
            for method in Method::ALL {
                let cell = published(case.name(), method).unwrap();
                assert!((0.0..=1.0).contains(&cell.coverage) && (0.0..=1.0).contains(&cell.quality));
                excesses += usize::from(cell.excess.is_some());
            }
        }
        assert_eq!(excesses, 78);
        assert_eq!(published("no-such-scene", Method::VolumeSat), None);
    }

    #[test]
    fn halves_are_printed_as_in_the_paper() {
        for (measured, printed) in [(1.25, 1.2), (2.25, 2.2), (1.75, 1.8), (3.25, 3.2), (5.75, 5.8)] {
            assert!(prints_alike(measured, printed));
        }
        assert!(!prints_alike(1.3, 1.2));
    }
}
