//! The published figures of the assessment paper beside which ours stand: table 8 for the ten cases, table 7 for the
//! Pillar, the covered areas of sections 8.2 and 8.3 for Wall and Arch; table 6 counts the Pillar's contacts over a run.
//! The data are in `data/`.

use std::str::Lines;

use serde::Serialize;

const CASES: &str = include_str!("../data/table8.csv");
const PILLAR: &str = include_str!("../data/table7.csv");
const PILLAR_RUN: &str = include_str!("../data/table6.csv");
const AREAS: &str = include_str!("../data/published_areas.csv");

/// What is published of a method in a scene, as printed; `None` where nothing is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Published {
    /// Coverage of expected normals, 0…1.
    pub coverage: Option<f64>,
    /// Quality, 0…1; one digit of the percentage is printed.
    pub quality: Option<f64>,
    /// Excess, a factor with one digit; `None` also where the paper has "(*)": no contacts were found.
    pub excess: Option<f64>,
    /// Number of contacts.
    pub contacts: Option<usize>,
    /// P, the covered share of the contact area, 0…1 with two digits.
    pub area_coverage: Option<f64>,
}

/// The published figures of a method in a scene, both by their names, if there are any.
pub fn published(scene: &str, method: &str) -> Option<Published> {
    let percent = |cell: &str| cell.parse::<f64>().ok().map(|p| p / 100.0);
    let number = |cell: &str| cell.parse::<f64>().ok();
    let nothing = Published::default();
    if let Some([coverage, quality, excess]) = line(CASES, scene, method) {
        let (coverage, quality) = (percent(coverage), percent(quality));
        return Some(Published { coverage, quality, excess: number(excess), ..nothing });
    }
    if let Some([quality, contacts, excess]) = line(PILLAR, scene, method) {
        let contacts = contacts.parse().ok();
        return Some(Published { quality: percent(quality), contacts, excess: number(excess), ..nothing });
    }
    line(AREAS, scene, method).map(|[area]| Published { area_coverage: number(area), ..nothing })
}

/// The published contacts a step over the first 500 steps (table 6): mean, fewest, most, standard deviation.
pub fn contact_statistics(scene: &str, method: &str) -> Option<[f64; 4]> {
    let cells: [&str; 4] = line(PILLAR_RUN, scene, method)?;
    let numbers: Vec<f64> = cells.iter().filter_map(|cell| cell.parse().ok()).collect();
    numbers.try_into().ok()
}

/// The cells of a table after those of method and scene.
fn line<const N: usize>(table: &'static str, scene: &str, method: &str) -> Option<[&'static str; N]> {
    let lines: Lines<'static> = table.lines();
    lines.filter(|line| !line.starts_with('#')).find_map(|line| {
        let (in_method, rest) = line.split_once(',')?;
        let (in_scene, rest) = rest.split_once(',')?;
        let cells: Vec<&str> = rest.split(',').collect();
        if (in_method, in_scene) == (method, scene) { cells.try_into().ok() } else { None }
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

    const METHODS: [&str; 8] = [
        "closest-points",
        "intersection",
        "vertex-only",
        "consistent-vertex",
        "volume-sat",
        "surface-sat",
        "growth-distance",
        "most-opposing",
    ];

    /// The lines of a table but for comments and its head: the method and the scene of each.
    fn cells(table: &'static str) -> Vec<(&'static str, &'static str)> {
        let lines = table.lines().filter(|line| !line.starts_with('#'));
        let names =
            lines.filter_map(|line| line.split_once(',').and_then(|(m, rest)| Some((m, rest.split(',').next()?))));
        names.filter(|(method, _)| METHODS.contains(method)).collect()
    }

    #[test]
    fn the_table_is_whole() {
        let cases = cells(CASES);
        assert_eq!(cases.len(), 80);
        let mut excesses = 0;
        for (method, case) in cases {
            let cell = published(case, method).unwrap();
            let is_share = |share: Option<f64>| (0.0..=1.0).contains(&share.unwrap());
            assert!(is_share(cell.coverage) && is_share(cell.quality));
            excesses += usize::from(cell.excess.is_some());
        }
        assert_eq!(excesses, 78);
        for method in METHODS {
            let cell = published("pillar", method).unwrap();
            // Table 7 is consistent with itself: the excess is by 40 contacts.
            let excess = cell.contacts.unwrap() as f64 / 40.0;
            assert!(prints_alike(excess, cell.excess.unwrap()), "{method}: {excess}");
            let [mean, min, max, deviation] = contact_statistics("pillar", method).unwrap();
            assert!(min < mean && mean < max && deviation < mean);
        }
        let area = |scene, method| published(scene, method).and_then(|p| p.area_coverage);
        assert_eq!(area("wall", "most-opposing"), Some(0.93));
        assert_eq!(area("arch", "closest-points"), Some(0.64));
        assert_eq!(published("arch", "vertex-only"), None);
        assert_eq!(published("no-such-scene", "volume-sat"), None);
    }

    #[test]
    fn halves_are_printed_as_in_the_paper() {
        for (measured, printed) in [(1.25, 1.2), (2.25, 2.2), (1.75, 1.8), (3.25, 3.2), (5.75, 5.8)] {
            assert!(prints_alike(measured, printed));
        }
        assert!(!prints_alike(1.3, 1.2));
    }
}
