//! What is known to make values differ from the published ones (docs/results.md, docs/methods.md).

use drystone_replica::Variant;

use super::{About, Note};
use crate::study::StudyKind;

/// The notes on a variant.
pub fn known_notes(variant: Variant) -> Vec<Note> {
    let of_variant: &[(About, &str, &str)] = match variant {
        Variant::Published => &PUBLISHED,
        Variant::Earlier => &EARLIER,
        Variant::Corrected => &CORRECTED,
    };
    let note = |&(about, cells, text): &(About, &str, &str)| Note { about, cells: cells.into(), text: text.into() };
    of_variant.iter().chain(&BOTH).map(note).collect()
}

const PUBLISHED: [(About, &str, &str); 2] = [
    (
        About::Table8,
        "Spikes and Wedges by closest points, excess:",
        "these columns of the paper were made with an older closest-points method, whose edge–edge normal is the separation; with \
         that setting both excesses are as published.",
    ),
    (
        About::Table8,
        "Wedges by consistent vertex, quality:",
        "one of the four contacts misses the expected normal by almost exactly the tolerance of 1e-4.",
    ),
];

const EARLIER: [(About, &str, &str); 1] = [(
    About::Table8,
    "Most opposing and intersection:",
    "the columns of table 8 were made with the later code of these two methods (variant published); the earlier one goes with \
     tables 6 and 7.",
)];

const CORRECTED: [(About, &str, &str); 6] = [
    (
        About::Table8,
        "Two points (Spikes, Spike and wedge, Wedges):",
        "the published columns are reproduced with the normals that obstruct the motion most; two convex corners that pass each \
         other are parted by the plane that obstructs it least. The methods are judged by the latter here.",
    ),
    (
        About::Table8,
        "Intersection:",
        "normals have unit length. In the published row, vertex–face normals have twice the area of the face as length, so that \
         none of them matches.",
    ),
    (
        About::Table8,
        "Vertex only and consistent vertex:",
        "the closest face in place of the farthest; a vertex within 0.1 mm of a face counts as inside and leaves through it.",
    ),
    (
        About::Table8,
        "Most opposing:",
        "the mean of both normals in place of A's own. On a sliding point no face of the spike opposes the ground, so that the mean is \
         neither normal. A pair is refused when either vertex is behind the other's face.",
    ),
    (
        About::Table8,
        "SAT and growth distance, excess:",
        "our tetrahedra join every surface triangle to one inner point, so that many thin ones meet at an edge; each pair of them \
         adds contacts. Repetitions are dropped completely, not between neighbours only.",
    ),
    (
        About::Table8,
        "Cliff edges and internal edges:",
        "exact coordinates touch exactly everywhere, where the recorded ones are off by some 1e-7 m.",
    ),
];

const BOTH: [(About, &str, &str); 6] = [
    (
        About::Table8,
        "Parry on hulls, triangle meshes and compounds:",
        "contact generators of another library, not in the paper and the same in every variant. Hulls fill hollows, so that no normal \
         inside of one can be right.",
    ),
    (
        About::Table7,
        "Pillar, all methods:",
        "the published numbers come from an older state of the paper's program. Its bodies touch exactly, so the last bit decides which \
         contacts there are: a wider ground alone changes the count of volume SAT from 542 to 472. Read order and size, not digits.",
    ),
    (
        About::Table6,
        "Counts over 500 steps:",
        "the motion is chaotic once contacts differ; the public state of the paper's program does not give the published means either \
         (closest points 160 in place of 267, intersection 155 in place of 868).",
    ),
    (
        About::Wall,
        "Wall:",
        "the values of A_hor, A_ver and A_gnd in the paper belong to other terms of its equation 4 than their names say; the sum, \
         37.59 m², is right. Shares of right normals are given in words there and are not compared digit by digit.",
    ),
    (
        About::Arch,
        "Arch:",
        "the paper takes the line between two stones' centres as expected normal. That is exact inside pillars and between arch stones, \
         but tilted by 6.0° where the arch stands on the pillars.",
    ),
    (
        About::Study(StudyKind::Perturbation),
        "Noise:",
        "along x and z, as in the paper's program; its text says x and y. One seed a run: the curves of another seed differ.",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_has_notes_on_every_table() {
        for variant in [Variant::Corrected, Variant::Published] {
            let notes = known_notes(variant);
            for about in [About::Table6, About::Table7, About::Table8, About::Wall, About::Arch] {
                assert!(notes.iter().any(|n| n.about == about && n.cells.ends_with(':') && n.text.ends_with('.')));
            }
        }
    }
}
