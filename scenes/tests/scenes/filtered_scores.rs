//! What the normal-cone filter makes of the contacts of every method in the ten cases, cell by cell: a change of any is to be
//! meant. `filtered_scores.csv` has what `drystone assess --filter --model MODEL --csv FILE` shows of them.

use drystone_contact::generator::cone_filter::{ConeFilter, Filtered, Sides, Verdict};
use drystone_contact::generator::methods;
use drystone_contact::generator::{Generator, Method, Placed};
use drystone_contact::split_mix::SplitMix;
use drystone_contact::{Contact, Pose, Twist};
use drystone_engine::{BodyId, ContactBetween};
use drystone_scenes::cases::{Case, Model};
use drystone_scenes::detection::{Detection, Moment, detect};
use drystone_scenes::extended::Extended;
use drystone_scenes::filtering::{Filtering, filtering};
use drystone_scenes::measure::{Matching, Score, score};
use drystone_scenes::scene::Scene;
use drystone_scenes::transformed::{exchanged, moved};
use drystone_scenes::truth::TruthKind;
use glam::DVec3;
use std::sync::Arc;

/// A method in a case: what it found, and what the filter says.
struct Judged {
    case: Case,
    method: Method,
    scene: Scene,
    detection: Detection,
    filtering: Filtering,
}

impl Judged {
    fn scores(&self) -> [Score; 2] {
        let truth = self.scene.truth(TruthKind::Corrected).at(&self.detection.poses);
        [&self.detection.contacts, &self.filtering.kept].map(|list| score(list, &truth, &Matching::default()))
    }
}

fn judged(model: Model, methods: &[Method], filter: &ConeFilter) -> Vec<Judged> {
    let of = |(case, method): (Case, Method)| {
        let scene = case.scene(model, None).unwrap();
        let detection = detect(&scene, &method, Moment::Step(scene.scored_step)).unwrap();
        let filtering = filtering(&scene, &method, &detection, filter);
        Judged { case, method, scene, detection, filtering }
    };
    Case::ALL.into_iter().flat_map(|case| methods.iter().map(move |m| (case, m.clone()))).map(of).collect()
}

fn published_or_peers() -> Vec<Method> {
    [&methods::local()[..], &methods::peers()].concat()
}

/// The scores of the filtered contacts, and that neither quality nor coverage is lost.
#[test]
fn scores_are_those_written_down() {
    let expected = include_str!("filtered_scores.csv").lines().filter(|line| !line.starts_with('#')).skip(1);
    let mut found = Vec::new();
    for (name, model) in [("procedural", Model::Procedural), ("recorded", Model::Recorded)] {
        for of in judged(model, &published_or_peers(), &ConeFilter::default()) {
            let [plain, kept] = of.scores();
            let cell =
                format!("{name},{},{},{},{},{}", of.case, of.method, kept.contacts, kept.matching, kept.coverage);
            assert_eq!(kept.coverage, plain.coverage, "{cell}");
            // A list of nothing but wrong contacts has quality 0 as it has without them.
            assert!(kept.quality >= plain.quality, "{cell}");
            found.push(cell);
        }
    }
    let expected: Vec<&str> = expected.collect();
    let different: Vec<_> = found.iter().enumerate().filter(|(k, f)| expected.get(*k) != Some(&f.as_str())).collect();
    assert!(different.is_empty() && expected.len() == found.len(), "found: {different:#?}");
}

/// Mean quality (%), coverage (%) and excess of the local methods over the ten cases, each without and with the filter: the
/// table of docs/filter.md.
#[test]
fn means_are_those_of_the_documentation() {
    let page = include_str!("../../../docs/filter.md");
    for method in methods::local() {
        let all = judged(Model::Procedural, std::slice::from_ref(&method), &ConeFilter::default());
        let mean = |value: &dyn Fn(&Score) -> f64| {
            let sums = all.iter().map(Judged::scores).fold([0.0; 2], |s, [p, k]| [s[0] + value(&p), s[1] + value(&k)]);
            let [plain, kept] = sums.map(|sum| sum / Case::ALL.len() as f64);
            format!("{plain:.1} | {kept:.1}")
        };
        let cells = [mean(&|s| 100.0 * s.quality), mean(&|s| 100.0 * s.coverage), mean(&|s| s.excess)];
        let line = format!("| {method} | {} |", cells.join(" | "));
        assert!(page.lines().any(|l| l == line), "not in docs/filter.md: {line}");
    }
}

/// How near counts as on a feature decides how many contacts are kept, but not which normals: quality stays.
#[test]
fn quality_does_not_hang_on_the_distance() {
    let qualities = |near| -> Vec<f64> {
        let filter = ConeFilter { near, ..ConeFilter::default() };
        judged(Model::Procedural, &methods::local(), &filter).iter().map(|of| of.scores()[1].quality).collect()
    };
    let usual = qualities(ConeFilter::default().near);
    for near in [0.002, 0.1] {
        assert_eq!(qualities(near), usual, "{near}");
    }
}

/// What a test on one side leaves of the contacts on cliff edges.
#[test]
fn one_side_is_not_enough_on_cliff_edges() {
    let page = include_str!("../../../docs/filter.md");
    for method in methods::local() {
        let scene = Case::CliffEdges.scene(Model::Procedural, None).unwrap();
        let detection = detect(&scene, &method, Moment::Step(scene.scored_step)).unwrap();
        let quality = |list: &[ContactBetween]| {
            100.0 * score(list, &scene.truth(TruthKind::Corrected), &Matching::default()).quality
        };
        let with = |sides| {
            let filter = ConeFilter { sides, ..ConeFilter::default() };
            quality(&filtering(&scene, &method, &detection, &filter).kept)
        };
        let plain = quality(&detection.contacts);
        let cells = [plain, with(Sides::A), with(Sides::B), with(Sides::Both)].map(|q| format!("{q:.0}"));
        let line = format!("| {method} | {} |", cells.join(" | "));
        assert!(page.lines().any(|l| l == line), "not in docs/filter.md: {line}");
    }
}

/// Verdicts turn round when the bodies change places, and stay when the whole scene moves.
#[test]
fn verdicts_know_neither_order_nor_place() {
    let mut sequence = SplitMix::new(3);
    for of in judged(Model::Procedural, &methods::all(), &ConeFilter::default()) {
        let Judged { case, method, scene, detection, filtering: before } = of;
        let judge = |scene: &Scene, detection: &Detection| {
            filtering(scene, &method, detection, &ConeFilter::default()).verdicts
        };
        let last = scene.bodies.len() - 1;
        let other = |id: BodyId| BodyId::new((last - id.index()) as u32);
        let turned = |c: &ContactBetween| ContactBetween {
            a: other(c.b),
            b: other(c.a),
            contact: Contact { normal: -c.contact.normal, ..c.contact },
        };
        let mut poses = detection.poses.clone();
        poses.reverse();
        let contacts = detection.contacts.iter().map(turned).collect();
        let swapped = judge(&exchanged(&scene), &Detection { contacts, poses, ..detection.clone() });
        let other_way = |v: &Verdict| match v {
            Verdict::Rejected { by: Sides::A } => Verdict::Rejected { by: Sides::B },
            Verdict::Rejected { by: Sides::B } => Verdict::Rejected { by: Sides::A },
            v => *v,
        };
        assert_eq!(swapped.iter().map(other_way).collect::<Vec<_>>(), before.verdicts, "{case} {method}");

        for _ in 0..10 {
            let motion = Pose::from_parts(DVec3::new(3.0, -40.0, 5.0), sequence.next_rotation());
            let elsewhere = |c: &ContactBetween| {
                let (position, normal) =
                    (motion.transform_point(c.contact.position), motion.rotation * c.contact.normal);
                ContactBetween { contact: Contact { position, normal, ..c.contact }, ..*c }
            };
            let contacts = detection.contacts.iter().map(elsewhere).collect();
            let poses = detection.poses.iter().map(|pose| motion * *pose).collect();
            let after = judge(&moved(&scene, &motion).unwrap(), &Detection { contacts, poses, ..detection.clone() });
            assert_eq!(after, before.verdicts, "{case} {method}");
        }
    }
}

/// The wrapper around a method leaves what the assessment says that the filter keeps.
#[test]
fn the_wrapper_is_the_same_filter() {
    for of in judged(Model::Recorded, &methods::all(), &ConeFilter::default()) {
        let generator = Filtered { generator: Arc::clone(of.method.generator()), filter: ConeFilter::default() };
        let placed = |i: usize| {
            let (shape, pose) = (&*of.scene.bodies[i].shape, of.detection.poses[i]);
            Placed { shape, pose, twist: Twist::default() }
        };
        for pair in of.detection.contacts.chunk_by(|p, q| (p.a, p.b) == (q.a, q.b)) {
            let (a, b) = (pair[0].a, pair[0].b);
            if matches!(of.method.name(), "semi-local" | "time-of-contact" | "vclip") {
                // Look at velocities and at the step before, which are not asked for here.
                continue;
            }
            let kept: Vec<Contact> =
                of.filtering.kept.iter().filter(|c| (c.a, c.b) == (a, b)).map(|c| c.contact).collect();
            let found = generator.contacts(&placed(a.index()), &placed(b.index())).unwrap();
            assert_eq!(found, kept, "{} {}", of.case, of.method);
        }
    }
}

/// The semi-local generator makes the same test on its way to a contact: the filter has nothing to reject.
#[test]
fn nothing_semi_local_is_rejected() {
    let cases = [Model::Procedural, Model::Recorded]
        .into_iter()
        .flat_map(|model| Case::ALL.map(|case| case.scene(model, None).unwrap()));
    for scene in cases.chain(Extended::ALL.iter().map(|scene| scene.scene().unwrap())) {
        for moment in [Moment::Start, Moment::Step(1), Moment::Step(2)] {
            let detection = detect(&scene, &methods::semi_local(), moment).unwrap();
            let filter = ConeFilter::default();
            let judged = filtering(&scene, &methods::semi_local(), &detection, &filter);
            let is_rejected = |v: &Verdict| matches!(v, Verdict::Rejected { .. });
            let rejected: Vec<_> =
                detection.contacts.iter().zip(&judged.verdicts).filter(|(_, v)| is_rejected(v)).collect();
            assert!(rejected.is_empty(), "{} at {moment:?}: {rejected:#?}", scene.name);
        }
    }
}
