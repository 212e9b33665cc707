//! Solids that hold all points within some distance of another.

use drystone_contact::Pose;
use drystone_scenes::toc::region::Region;
use glam::DVec3;

/// A solid that holds all points no farther from a placed one than `by` (m). With `by` below zero the solid holds no point
/// that is nearer than −`by` to the outside.
pub fn grown((region, pose): &(Region, Pose), by: f64) -> (Region, Pose) {
    let moved = |along: f64| Pose::from_parts(pose.translation + pose.rotation * DVec3::Y * along, pose.rotation);
    let all = |list: &[(Region, Pose)]| list.iter().map(|one| grown(one, by)).collect();
    match region {
        Region::HalfSpace => (Region::HalfSpace, moved(by)),
        Region::Ball { radius } => (Region::Ball { radius: radius + by }, *pose),
        Region::Cuboid { half } => (Region::Cuboid { half: *half + by }, *pose),
        Region::Cylinder { radius, half_height } => {
            (Region::Cylinder { radius: radius + by, half_height: half_height + by }, *pose)
        }
        Region::Cone { radius, height } => {
            // Its base and its side move out, so that the tip rises by more.
            let taller = height + by + by * radius.hypot(*height) / radius;
            let lower = -0.25 * height - by;
            (Region::Cone { radius: radius * taller / height, height: taller }, moved(lower + 0.25 * taller))
        }
        Region::Torus { major, minor } => (Region::Torus { major: *major, minor: minor + by }, *pose),
        Region::Intersection(list) => (Region::Intersection(all(list)), *pose),
        Region::Union(list) => (Region::Union(all(list)), *pose),
        Region::Difference(both) => {
            let [first, second] = &**both;
            (Region::Difference(Box::new([grown(first, by), grown(second, -by)])), *pose)
        }
    }
}

#[test]
fn grown_solids_hold_what_is_near() {
    use super::distance::distance;
    use drystone_contact::split_mix::SplitMix;
    let mut random = SplitMix::new(4);
    let by = 0.1;
    let regions = [
        Region::HalfSpace,
        Region::Ball { radius: 0.8 },
        Region::Cuboid { half: DVec3::new(0.9, 0.5, 0.3) },
        Region::Cylinder { radius: 0.5, half_height: 0.8 },
        Region::Cone { radius: 0.7, height: 1.2 },
        Region::Torus { major: 0.6, minor: 0.3 },
    ];
    for region in regions {
        let (larger, to_larger) = grown(&(region.clone(), Pose::IDENTITY), by);
        let (smaller, to_smaller) = grown(&(region.clone(), Pose::IDENTITY), -by);
        let seen = |pose: &Pose, point: DVec3| pose.rotation.inverse() * (point - pose.translation);
        let mut near = 0;
        for _ in 0..4000 {
            let point = DVec3::from_array(std::array::from_fn(|_| random.next_between(-1.5, 1.5)));
            if distance(&region, point) <= by {
                near += 1;
                assert!(distance(&larger, seen(&to_larger, point)) <= 1e-12, "{region:?} {point}");
            }
            if distance(&smaller, seen(&to_smaller, point)) <= 0.0 {
                let beside = point + random.next_rotation() * DVec3::X * by;
                assert!(distance(&region, beside) <= 1e-12, "{region:?} {point} {beside}");
            }
        }
        assert!(near > 100, "{region:?}: {near}");
    }
}
