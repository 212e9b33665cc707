//! The scores of the corrected variants, cell by cell: a change of any is to be meant. `corrected_scores.csv` has what
//! `drystone assess --model MODEL --csv FILE` shows of them.

use drystone_contact::generator::methods;
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
            for method in methods::all() {
                let detection = detect(&scene, &method, Moment::Step(scene.scored_step)).unwrap();
                let truth = scene.truth(TruthKind::Corrected).at(&detection.poses);
                let score = score(&detection.contacts, &truth, &Matching::default());
                found.push(format!("{name},{case},{method},{},{},{}", score.contacts, score.matching, score.coverage));
            }
        }
    }
    let expected: Vec<&str> = expected.collect();
    assert_eq!(expected.len(), found.len());
    let different: Vec<_> = expected.iter().zip(&found).filter(|(e, f)| **e != f.as_str()).collect();
    assert!(different.is_empty(), "expected, found: {different:#?}");
}

/// Bodies have turned by then, in the Two-points cases by 1.7°, and so have the facets that carry the expected normals.
#[test]
fn semi_local_contacts_are_all_right_ten_steps_on() {
    for case in Case::ALL {
        let scene = case.scene(Model::Procedural, None).unwrap();
        let found = detect(&scene, &methods::semi_local(), Moment::Step(10)).unwrap();
        let judged = |truth| score(&found.contacts, &truth, &Matching::default());
        let now = judged(scene.truth(TruthKind::Corrected).at(&found.poses));
        assert_eq!((now.coverage, now.quality), (1.0, 1.0), "{case}");
        let as_at_the_start = judged(scene.truth(TruthKind::Corrected));
        assert_eq!(as_at_the_start.quality < 1.0, case.has_two_truths(), "{case}");
    }
}
