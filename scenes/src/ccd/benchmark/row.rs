//! Whose figures they are.

use drystone_contact::ccd::{Kind, Settings};
use serde::{Deserialize, Serialize};

use super::{Figures, Measured, Parameter, Truth};
use crate::ccd::{Family, QuerySet};

/// Over what figures are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// One set.
    Set,
    /// All sets of a family and a kind.
    Family,
}

/// The figures of one method with its settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Over what.
    pub scope: Scope,
    /// The name of the set or of the family.
    pub name: String,
    /// The family.
    pub family: Family,
    /// The kind of the queries.
    pub kind: Kind,
    /// The method.
    pub method: String,
    /// What it was asked with.
    pub settings: Settings,
    /// What is varied, if the row is part of a sweep.
    pub sweep: Option<Parameter>,
    /// What came out.
    pub figures: Figures,
}

impl Row {
    /// Rows of a method over sets, each with its truth and its answers: one a set, then one a family and kind, in the
    /// order of [`Family::ALL`], vertex-face first.
    pub fn of(
        method: &str,
        settings: &Settings,
        sweep: Option<Parameter>,
        parts: &[(&QuerySet, &Truth, &Measured)],
    ) -> Vec<Self> {
        let row = |scope, name: &str, family, kind, figures| Self {
            scope,
            name: name.to_owned(),
            family,
            kind,
            method: method.to_owned(),
            settings: *settings,
            sweep,
            figures,
        };
        let of_set = |&(set, truth, measured): &(&QuerySet, &Truth, &Measured)| {
            row(Scope::Set, &set.name, set.family(), set.kind, Figures::of([(truth, measured)]))
        };
        let mut rows: Vec<Self> = parts.iter().map(of_set).collect();
        for family in Family::ALL {
            for kind in [Kind::VertexFace, Kind::EdgeEdge] {
                let those = parts.iter().filter(|(set, ..)| set.family() == family && set.kind == kind);
                let those: Vec<_> = those.map(|&(_, truth, measured)| (truth, measured)).collect();
                if !those.is_empty() {
                    rows.push(row(Scope::Family, family.name(), family, kind, Figures::of(those)));
                }
            }
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_a_set_then_one_a_family_and_kind() {
        let set = |name: &str, kind| QuerySet {
            name: name.into(),
            kind,
            queries: Vec::new(),
            labels: Vec::new(),
            times: None,
        };
        let sets = [
            set("touch-a", Kind::EdgeEdge),
            set("hand-b", Kind::EdgeEdge),
            set("hand-c", Kind::EdgeEdge),
            set("hand-b", Kind::VertexFace),
        ];
        let (truth, measured) = (Truth::default(), Measured::default());
        let parts: Vec<_> = sets.iter().map(|set| (set, &truth, &measured)).collect();
        let rows = Row::of("m", &Settings::default(), None, &parts);
        let names: Vec<_> = rows.iter().map(|row| (row.scope, row.name.as_str(), row.kind)).collect();
        let (vf, ee, family) = (Kind::VertexFace, Kind::EdgeEdge, Scope::Family);
        let wanted = [("touch-a", ee), ("hand-b", ee), ("hand-c", ee), ("hand-b", vf)];
        assert_eq!(names[..4], wanted.map(|(name, kind)| (Scope::Set, name, kind)));
        assert_eq!(names[4..], [(family, "hand", vf), (family, "hand", ee), (family, "touch", ee)]);
    }
}
