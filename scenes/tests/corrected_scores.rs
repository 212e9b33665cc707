//! The scores of the corrected variants, cell by cell: a change of any is to be meant. `corrected_scores.csv` has what
//! `drystone assess --model MODEL --csv FILE` shows of them.

use drystone_contact::generator::{Method, Variant};
use drystone_scenes::cases::{Case, Model};
use drystone_scenes::detection::{Moment, detect};
use drystone_scenes::measure::{Matching, score};
use drystone_scenes::truth::TruthKind;

#[test]
fn scores_are_those_written_down() {
    let expected = include_str!("corrected_scores.csv").lines().filter(|line| !line.starts_with('#')).skip(1);
    let mut found = Vec::new();
    for (name, model) in [("procedural", Model::Procedural), ("recorded", Model::Recorded)] {
        for case in Case::ALL {
            let scene = case.scene(model, None).unwrap();
            for method in Method::ALL {
                let contacts =
                    detect(&scene, method, Variant::Corrected, Moment::Step(scene.scored_step)).unwrap().contacts;
                let score = score(&contacts, scene.truth(TruthKind::Corrected), &Matching::default());
                found.push(format!("{name},{case},{method},{},{},{}", score.contacts, score.matching, score.coverage));
            }
        }
    }
    let expected: Vec<&str> = expected.collect();
    assert_eq!(expected.len(), found.len());
    let different: Vec<_> = expected.iter().zip(&found).filter(|(e, f)| **e != f.as_str()).collect();
    assert!(different.is_empty(), "expected, found: {different:#?}");
}
