//! The published figures of the benchmark beside which ours stand: tables 1 and 2 of the paper. The data are in `data/`.

use drystone_contact::ccd::Kind;
use serde::Serialize;

const TABLE_1: &str = include_str!("../../data/ccd_table1.csv");
const TABLE_2: &str = include_str!("../../data/ccd_table2.csv");

/// The paper's methods, as it abbreviates them, in the order of table 1.
pub const METHODS: [&str; 9] = ["IRF", "UIRF", "FPRF", "TCCD", "RP", "RRP", "BSC", "MSRF", "Ours"];

/// The paper's data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Data {
    /// The handcrafted queries.
    Hand,
    /// The queries of simulations.
    Sim,
}

/// Figures of a method, as printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Published {
    /// Mean time a query, µs.
    pub microseconds: &'static str,
    /// They do not meet, but the method says so.
    pub false_positives: &'static str,
    /// They meet, but the method does not say so.
    pub false_negatives: &'static str,
}

/// The paper's abbreviation of a method of ours that does the same; `None`: the paper has none.
pub fn abbreviation(method: &str) -> Option<&'static str> {
    match method {
        "interval" => Some("IRF"),
        "univariate-interval" => Some("UIRF"),
        "floating-cubic" => Some("FPRF"),
        "root-parity" => Some("RRP"),
        "separation-polynomial" => Some("MSRF"),
        "inclusion" | "inclusion-printed" | "inclusion-published-code" => Some("Ours"),
        _ => None,
    }
}

/// A cell of table 1.
pub fn table_1(data: Data, kind: Kind, abbreviation: &str) -> Option<Published> {
    line(TABLE_1, &[data_name(data), kind_name(kind), abbreviation])
}

/// The separations d of table 2, m, as printed there from top to bottom.
pub const SEPARATIONS: [f64; 5] = [1e-2, 1e-8, 1e-16, 1e-30, 1e-100];

/// A cell of table 2.
pub fn table_2(separation: f64, data: Data, kind: Kind, abbreviation: &str) -> Option<Published> {
    line(TABLE_2, &[&format!("{separation:e}"), data_name(data), kind_name(kind), abbreviation])
}

fn data_name(data: Data) -> &'static str {
    match data {
        Data::Hand => "hand",
        Data::Sim => "sim",
    }
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::VertexFace => "vertex-face",
        Kind::EdgeEdge => "edge-edge",
    }
}

/// The three cells behind these.
fn line(table: &'static str, begins: &[&str]) -> Option<Published> {
    table.lines().filter(|line| !line.starts_with('#')).find_map(|line| {
        let cells: Vec<&'static str> = line.split(',').collect();
        let (first, rest) = cells.split_at_checked(begins.len())?;
        let &[microseconds, false_positives, false_negatives] = rest else { return None };
        (first == begins).then_some(Published { microseconds, false_positives, false_negatives })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [Kind; 2] = [Kind::VertexFace, Kind::EdgeEdge];

    /// A printed number.
    fn number(text: &str) -> Option<f64> {
        let (digits, factor) = match text.strip_suffix('K') {
            Some(digits) => (digits, 1e3),
            None => text.strip_suffix('M').map_or((text, 1.0), |digits| (digits, 1e6)),
        };
        digits.parse().ok().map(|value: f64| value * factor)
    }

    #[test]
    fn every_cell_is_there_and_a_number() {
        let is_sound = |p: Published| {
            [p.microseconds, p.false_positives, p.false_negatives].into_iter().all(|text| number(text).is_some())
        };
        for data in [Data::Hand, Data::Sim] {
            for kind in KINDS {
                assert!(METHODS.iter().all(|method| is_sound(table_1(data, kind, method).unwrap())));
                for d in SEPARATIONS {
                    assert!(["MSRF", "Ours"].iter().all(|method| is_sound(table_2(d, data, kind, method).unwrap())));
                }
            }
        }
        assert_eq!(table_1(Data::Hand, Kind::EdgeEdge, "Ours").unwrap().microseconds, "3029.83");
        assert_eq!(table_1(Data::Sim, Kind::VertexFace, "TCCD").unwrap().false_positives, "95638");
        assert_eq!(table_2(1e-2, Data::Sim, Kind::EdgeEdge, "Ours").unwrap().false_positives, "8.3M");
        assert_eq!(table_2(1e-30, Data::Hand, Kind::EdgeEdge, "MSRF").unwrap().false_negatives, "157");
        assert_eq!(table_2(1e-3, Data::Hand, Kind::EdgeEdge, "MSRF"), None);
    }

    #[test]
    fn ours_misses_nothing_in_print() {
        for data in [Data::Hand, Data::Sim] {
            for kind in KINDS {
                assert_eq!(table_1(data, kind, "Ours").unwrap().false_negatives, "0");
                assert!(SEPARATIONS.iter().all(|&d| table_2(d, data, kind, "Ours").unwrap().false_negatives == "0"));
            }
        }
    }
}
