use super::*;
use crate::builtin::BuiltIn;
use crate::cases::{Case, Model};
use crate::contact_region::{RegionCorner, RegionSettings, region_corners};
use crate::detection::{Moment, detect};
use crate::measure::score;
use drystone_contact::generator::methods;
use drystone_contact::split_mix::SplitMix;
use drystone_contact::{Contact, Feature};
use drystone_engine::Body;
use glam::{DQuat, DVec2};

/// Half the side of the cube of cliff-edges; the frustum's top is in y = 3.2.
const HALF: f64 = 1.6;

fn scene() -> Scene {
    Case::CliffEdges.scene(Model::Procedural, None).unwrap()
}

fn poses(scene: &Scene) -> Vec<Pose> {
    scene.states().iter().map(Body::pose).collect()
}

fn contact(a: u32, b: u32, position: DVec3, normal: DVec3, gap: f64) -> ContactBetween {
    let feature = Feature::Tetrahedron(0);
    let contact = Contact { position, normal, gap, feature_a: feature, feature_b: feature };
    ContactBetween { a: BodyId::new(a), b: BodyId::new(b), contact }
}

/// The four corners of the cube on the frustum: known by heart.
fn right() -> Vec<ContactBetween> {
    let corner = |x: f64, z: f64| contact(0, 1, DVec3::new(x * HALF, 2.0 * HALF, z * HALF), DVec3::Y, 0.0);
    vec![corner(-1.0, -1.0), corner(-1.0, 1.0), corner(1.0, -1.0), corner(1.0, 1.0)]
}

fn judge_at(scene: &Scene, contacts: &[ContactBetween], poses: &[Pose]) -> Strict {
    let truth = scene.truth.at(poses);
    strict(scene, contacts, &truth, poses, &Matching::default(), &StrictSettings::default())
}

fn judge(contacts: &[ContactBetween]) -> Strict {
    let scene = scene();
    judge_at(&scene, contacts, &poses(&scene))
}

fn changed(change: impl Fn(&mut ContactBetween)) -> Vec<ContactBetween> {
    let mut contacts = right();
    contacts.iter_mut().for_each(change);
    contacts
}

fn count(right: usize, of: usize) -> Count {
    Count { right, of }
}

#[test]
fn a_right_list_is_right_in_everything() {
    let found = judge(&right());
    let all = [found.orientation, found.position, found.gap, found.touching, found.distinct, found.contacts];
    assert_eq!(all, [count(4, 4); 6]);
    assert_eq!((found.pairs, found.normals, found.missing.len()), (count(1, 1), count(1, 1), 0));
    assert!(found.farthest.unwrap() < 1e-12 && found.gap_error.unwrap() < 1e-12);
    // The other order of the bodies is as good.
    let swapped = changed(|c| *c = contact(1, 0, c.contact.position, -DVec3::Y, 0.0));
    assert_eq!(judge(&swapped), found);
}

/// Each cheat has full marks by the measures of the paper, and none where it cheats.
#[test]
fn cheats_are_caught_where_they_cheat() {
    let scene = scene();
    let paper = |contacts: &[ContactBetween]| {
        let score = score(contacts, &scene.truth, &Matching::default());
        (score.coverage, score.quality, score.excess)
    };
    let nothing = |found: &Strict| (found.contacts, found.normals) == (count(0, 4), count(0, 1));

    let reversed = changed(|c| c.contact.normal = -c.contact.normal);
    let found = judge(&reversed);
    assert_eq!(paper(&reversed), (1.0, 1.0, 1.0));
    assert_eq!((found.orientation, found.position, found.gap), (count(0, 4), count(4, 4), count(4, 4)));
    assert!(nothing(&found));

    let far = changed(|c| c.contact.position = DVec3::splat(100.0));
    let found = judge(&far);
    assert_eq!(paper(&far), (1.0, 1.0, 1.0));
    assert_eq!((found.position, found.distinct), (count(0, 4), count(1, 4)));
    // From (100, 100, 100) to the nearest points of the cube and of the frustum's top.
    let away = |y: f64| DVec3::new(100.0 - HALF, 100.0 - y, 100.0 - HALF).length();
    assert!((found.farthest.unwrap() - away(2.0 * HALF)).abs() < 1e-9 && away(4.0 * HALF) < away(2.0 * HALF));
    assert!(nothing(&found));
    // So far away that no surface tells anything.
    let found = judge(&changed(|c| c.contact.position = DVec3::splat(1e200)));
    assert_eq!((found.orientation, found.position, found.gap), (count(0, 4), count(0, 4), count(0, 4)));

    let deep = changed(|c| c.contact.gap = -7.0);
    let found = judge(&deep);
    assert_eq!(paper(&deep), (1.0, 1.0, 1.0));
    assert_eq!((found.gap, found.orientation, found.position), (count(0, 4), count(4, 4), count(4, 4)));
    assert!((found.gap_error.unwrap() - 7.0).abs() < 1e-12);
    assert!(nothing(&found));
}

#[test]
fn bodies_that_are_apart_have_no_contacts() {
    let scene = scene();
    let mut poses = poses(&scene);
    poses[1].translation.y += 0.5;
    let found = judge_at(&scene, &right(), &poses);
    assert_eq!((found.touching, found.contacts, found.pairs), (count(0, 4), count(0, 4), count(0, 0)));
    // What touches otherwise: not of the truth, but of these poses.
    assert!(judge_at(&scene, &[], &poses).missing.is_empty());
}

#[test]
fn what_is_there_twice_counts_once() {
    let mut contacts = right();
    contacts.extend(changed(|c| c.contact.position.x += 1e-4));
    contacts.extend(changed(|c| *c = contact(1, 0, c.contact.position, -DVec3::Y, 0.0)));
    let found = judge(&contacts);
    assert_eq!((found.distinct, found.contacts, found.normals), (count(4, 12), count(4, 12), count(1, 1)));
    // At the same place across another direction it is another one.
    let mut other = right();
    other.extend(changed(|c| c.contact.normal = DVec3::X));
    assert_eq!(judge(&other).distinct, count(8, 8));
}

#[test]
fn a_pair_without_contacts_is_named() {
    let scene = BuiltIn::Pillar.scene(Model::Procedural, None).unwrap();
    let poses = poses(&scene);
    let corners = region_corners(&scene, &scene.truth, &poses, &RegionSettings::default());
    let mut contacts: Vec<ContactBetween> = corners.iter().map(RegionCorner::contact).collect();
    let found = judge_at(&scene, &contacts, &poses);
    assert_eq!((found.pairs, found.contacts, found.normals), (count(7, 7), count(40, 40), count(7, 7)));
    contacts.retain(|c| key(c.a, c.b) != [BodyId::new(2), BodyId::new(3)]);
    let found = judge_at(&scene, &contacts, &poses);
    assert_eq!((found.pairs, found.missing, found.normals), (count(6, 7), vec![[2, 3]], count(6, 7)));
}

#[test]
fn no_contacts_have_no_share() {
    let found = judge(&[]);
    assert_eq!((found.contacts.share(), found.orientation.share(), found.normals.share()), (0.0, 0.0, 0.0));
    assert_eq!((found.missing, found.farthest, found.gap_error), (vec![[0, 1]], None, None));
}

/// Distances against those of a box in closed form, gaps against how far the cube was lifted or sunk, in any frame.
#[test]
fn distances_and_gaps_are_those_of_a_box() {
    let scene = scene();
    let mut sequence = SplitMix::new(5);
    let mut next = move |low: f64, high: f64| low + (high - low) * sequence.next_fraction();
    for _ in 0..50 {
        // A gap that counts as touching.
        let lift = next(-0.02, 0.02);
        let frame = Pose::from_parts(
            DVec3::new(next(-5.0, 5.0), next(-5.0, 5.0), next(-5.0, 5.0)),
            DQuat::from_scaled_axis(DVec3::new(next(-3.0, 3.0), next(-3.0, 3.0), next(-3.0, 3.0))),
        );
        let mut moved = poses(&scene);
        moved[1].translation.y += lift;
        let moved: Vec<Pose> = moved.iter().map(|pose| frame * *pose).collect();
        // Anywhere above the top, on the cube's bottom, with a gap that is wrong by a known error.
        let place = DVec3::new(next(-1.5, 1.5), 2.0 * HALF + lift, next(-1.5, 1.5));
        let error = next(-0.1, 0.1);
        let near = contact(0, 1, frame.transform_point(place), frame.rotation * DVec3::Y, lift + error);
        let stray = DVec3::new(next(-4.0, 4.0), next(0.0, 8.0), next(-4.0, 4.0));
        let far = contact(0, 1, frame.transform_point(stray), frame.rotation * DVec3::Y, 0.0);
        let truth = scene.truth.at(&moved);
        let settings = StrictSettings::default();
        let found = examine(&scene, &[near, far], &truth, &moved, &Matching::default(), &settings);
        assert_eq!(found[0].points_from_a_to_b, Some(true));
        assert!((found[0].gap_error.unwrap() - error).abs() < 1e-9, "{:?} {error}", found[0]);
        assert!(found[0].distances[1].unwrap() < 1e-9 && (found[0].distances[0].unwrap() - lift.abs()).abs() < 1e-9);
        assert!(found[0].is_in_place && found[0].bodies_touch);
        // The box: half sides in all directions around its centre.
        let q = (stray - DVec3::new(0.0, 3.0 * HALF + lift, 0.0)).abs() - DVec3::splat(HALF);
        let outside = q.max(DVec3::ZERO).length();
        let distance = if outside > 0.0 { outside } else { -q.max_element() };
        assert!((found[1].distances[1].unwrap() - distance).abs() < 1e-9);
    }
}

/// The apex of a spike between two walls: the distances by brute force over points of all triangles.
#[test]
fn distances_to_bodies_that_are_not_convex_are_those_of_many_points() {
    let scene = Case::SpikeInCrack.scene(Model::Procedural, None).unwrap();
    let poses = poses(&scene);
    let apex = DVec3::new(0.8, 0.0, 0.0);
    const STEPS: usize = 250;
    let brute = |body: usize, point: DVec3| {
        let surface = scene.bodies[body].shape.surface().unwrap();
        let mut least = f64::INFINITY;
        for triangle in 0..surface.triangles().len() as u32 {
            let [a, b, c] = surface.corners(triangle).map(|x| poses[body].transform_point(x));
            for i in 0..=STEPS {
                for j in 0..=STEPS - i {
                    let s = DVec2::new(i as f64, j as f64) / STEPS as f64;
                    least = least.min((a + (b - a) * s.x + (c - a) * s.y).distance(point));
                }
            }
        }
        least
    };
    let mut sequence = SplitMix::new(3);
    for _ in 0..6 {
        let mut offset = || 2.0 * sequence.next_fraction() - 1.0;
        let point = apex + DVec3::new(offset(), offset(), offset());
        let list = [contact(0, 1, point, DVec3::Y, 0.0)];
        let settings = StrictSettings::default();
        let found = examine(&scene, &list, &scene.truth, &poses, &Matching::default(), &settings);
        for body in 0..2 {
            let (exact, sampled) = (found[0].distances[body].unwrap(), brute(body, point));
            // Points of a triangle are no farther apart than its sides by the steps.
            assert!(exact <= sampled + 1e-9 && sampled - exact < 0.15, "{exact} {sampled}");
        }
    }
}

/// Both walls of a crack: the apex has sunk into one and left the other. Each gap is that to its own wall.
#[test]
fn gaps_in_a_crack_are_those_to_each_wall() {
    let scene = Case::SpikeInCrack.scene(Model::Procedural, None).unwrap();
    let mut poses = poses(&scene);
    let way = 0.004;
    poses[0].translation.x += way;
    let vertices = scene.bodies[0].shape.surface().unwrap().vertices();
    let apex = vertices.iter().map(|&v| poses[0].transform_point(v)).min_by(|u, v| u.y.total_cmp(&v.y)).unwrap();
    let (left, right) = (DVec3::new(1.0, 1.0, 0.0).normalize(), DVec3::new(-1.0, 1.0, 0.0).normalize());
    let gap = way / 2f64.sqrt();
    // From the spike to the block, into its walls.
    let contacts = [contact(0, 1, apex, -left, gap), contact(0, 1, apex, -right, -gap)];
    let found = judge_at(&scene, &contacts, &poses);
    assert_eq!((found.contacts, found.normals), (count(2, 2), count(2, 2)), "{found:?}");
    assert!(found.gap_error.unwrap() < 1e-9);
    let exchanged = [contact(0, 1, apex, -left, -gap), contact(0, 1, apex, -right, gap)];
    let found = judge_at(&scene, &exchanged, &poses);
    assert_eq!((found.gap, found.orientation), (count(0, 2), count(2, 2)));
    assert!((found.gap_error.unwrap() - 2.0 * gap).abs() < 1e-9);
}

/// Bricks that were shifted into each other: points lie half way, and on other facets as well.
#[test]
fn overlapping_bricks_are_judged_across_their_joints() {
    let mut scene = BuiltIn::Wall.scene(Model::Procedural, None).unwrap();
    scene.perturb(0.01, 3);
    let found = detect(&scene, &methods::semi_local(), Moment::Start).unwrap();
    let strict = judge_at(&scene, &found.contacts, &found.poses);
    let all = found.contacts.len();
    assert_eq!((strict.orientation, strict.gap), (count(all, all), count(all, all)), "{strict:?}");
}

/// The corners of the contact regions, found by brute force, are right in all scenes with a truth.
#[test]
fn corners_of_contact_regions_are_right_everywhere() {
    let procedural = BuiltIn::all().into_iter().map(|scene| (scene, Model::Procedural));
    let recorded = BuiltIn::assessed().into_iter().map(|scene| (scene, Model::Recorded));
    for (built_in, model) in procedural.chain(recorded).filter(|(scene, _)| scene.has_truth()) {
        let scene = built_in.scene(model, None).unwrap();
        let poses = poses(&scene);
        let corners = region_corners(&scene, &scene.truth, &poses, &RegionSettings::default());
        let contacts: Vec<ContactBetween> = corners.iter().map(RegionCorner::contact).collect();
        let found = judge_at(&scene, &contacts, &poses);
        assert_eq!(found.contacts, count(contacts.len(), contacts.len()), "{built_in}: {found:?}");
        assert_eq!(found.normals, count(scene.truth.normals(), scene.truth.normals()), "{built_in}");
        let reversed: Vec<ContactBetween> = contacts
            .iter()
            .map(|c| contact(c.a.index() as u32, c.b.index() as u32, c.contact.position, -c.contact.normal, 0.0))
            .collect();
        assert_eq!(judge_at(&scene, &reversed, &poses).orientation, count(0, contacts.len()), "{built_in}");
    }
}
