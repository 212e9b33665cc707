//! The further scenes, in the touching pose and in two later steps.

use drystone_contact::generator::methods;
use drystone_contact::split_mix::SplitMix;
use drystone_engine::Pose;
use drystone_scenes::assessment::{Assessment, assess};
use drystone_scenes::contact_region::RegionSettings;
use drystone_scenes::detection::Moment;
use drystone_scenes::further::Further;
use drystone_scenes::measure::Matching;
use drystone_scenes::scene::Scene;
use drystone_scenes::transformed::{exchanged, moved};
use drystone_scenes::truth::TruthKind;
use glam::DVec3;

/// Facets tilted against each other by less than `angles.parallel`, or a bit more than it: the scene, and how many
/// contacts there are in place of those that the pose needs. Their normals are right.
const TAKEN_FOR_FLAT: [(Further, usize, usize); 3] =
    [(Further::CubeOnShallowRoof, 6, 2), (Further::CubeInShallowValley, 6, 4), (Further::CubeOnShallowTip, 5, 1)];

/// Coverage, quality, the number of contacts, and how many the pose needs.
fn found(scene: &Scene, moment: Moment) -> (f64, f64, usize, usize) {
    let request = Assessment {
        truth: TruthKind::Corrected,
        moment: Some(moment),
        matching: Matching::default(),
        region: RegionSettings::default(),
        filter: None,
    };
    let row = assess(scene, &methods::semi_local(), &request).unwrap().row;
    (row.score.coverage, row.score.quality, row.score.contacts, row.minimum_at_pose)
}

/// Coverage and quality 100 %, and as many contacts as the pose needs, but for those above.
#[test]
fn contacts_are_right_at_the_start_and_later() {
    for further in Further::ALL {
        let scene = further.scene().unwrap();
        for moment in [Moment::Start, Moment::Step(2), Moment::Step(5)] {
            let (coverage, quality, contacts, needed) = found(&scene, moment);
            let flat = TAKEN_FOR_FLAT.iter().find(|(scene, ..)| *scene == further);
            let expected = flat.map_or((needed, needed), |&(_, found, needed)| (found, needed));
            assert!(needed > 0, "{further} at {moment:?}");
            assert_eq!((coverage, quality), (1.0, 1.0), "{further} at {moment:?}");
            assert_eq!((contacts, needed), expected, "{further} at {moment:?}");
        }
    }
}

/// The whole scene elsewhere and turned, so that what lies in one plane does so up to rounding; and with the bodies exchanged.
#[test]
fn contacts_are_the_same_elsewhere_and_exchanged() {
    let mut sequence = SplitMix::new(4);
    let mut failures = Vec::new();
    for further in Further::ALL {
        let scene = further.scene().unwrap();
        let expected = found(&scene, Moment::Start);
        let mut others = vec![("exchanged", exchanged(&scene))];
        for _ in 0..4 {
            let motion = Pose::from_parts(DVec3::new(3.0, -5.0, 7.0), sequence.next_rotation());
            others.push(("moved", moved(&scene, &motion).unwrap()));
        }
        for (how, other) in others {
            let found = found(&other, Moment::Start);
            if found != expected {
                failures.push(format!("{further} {how}: {found:?} instead of {expected:?}"));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}
