//! Distances from solids in closed form.

use drystone_scenes::toc::region::Region;
use glam::{DVec2, DVec3};

/// How far a point is from a solid of one of the kinds with certified answers, m; zero or less inside.
pub fn distance(region: &Region, point: DVec3) -> f64 {
    let off_axis = DVec2::new(DVec2::new(point.x, point.z).length(), point.y);
    match *region {
        Region::HalfSpace => point.y,
        Region::Ball { radius } => point.length() - radius,
        Region::Cuboid { half } => (point.abs() - half).max(DVec3::ZERO).length(),
        Region::Cylinder { radius, half_height } => {
            (off_axis.abs() - DVec2::new(radius, half_height)).max(DVec2::ZERO).length()
        }
        Region::Cone { radius, height } => from_cone(off_axis, radius, height),
        Region::Torus { major, minor } => (off_axis - DVec2::new(major, 0.0)).length() - minor,
        Region::Intersection(_) | Region::Union(_) | Region::Difference(_) => panic!("{region:?} has no closed form"),
    }
}

/// By the distance from the axis and the height.
fn from_cone(point: DVec2, radius: f64, height: f64) -> f64 {
    let (rim, tip) = (DVec2::new(radius, -0.25 * height), DVec2::new(0.0, 0.75 * height));
    let is_above_base = point.y >= rim.y;
    if is_above_base && (tip - rim).perp_dot(point - rim) >= 0.0 {
        return 0.0;
    }
    let from_segment = |a: DVec2, b: DVec2| {
        let share = (point - a).dot(b - a) / (b - a).length_squared();
        point.distance(a.lerp(b, share.clamp(0.0, 1.0)))
    };
    from_segment(rim, tip).min(from_segment(DVec2::new(0.0, rim.y), rim))
}

#[test]
fn distances_are_those_of_the_nearest_of_many_points() {
    // Points inside by the inequalities that certified answers are made of, on a grid.
    use drystone_scenes::toc::interval::{Interval, Rate};
    use drystone_scenes::toc::region::Verdict;
    let regions = [
        Region::Ball { radius: 0.8 },
        Region::Cuboid { half: DVec3::new(0.9, 0.5, 0.3) },
        Region::Cylinder { radius: 0.5, half_height: 0.8 },
        Region::Cone { radius: 0.7, height: 1.2 },
        Region::Torus { major: 0.6, minor: 0.3 },
    ];
    const N: i32 = 30;
    let grid = |i: i32| f64::from(i - N) / f64::from(N);
    let all = || (0..=2 * N).map(grid);
    for region in regions {
        let is_inside = |p: DVec3| {
            let there = p.to_array().map(Rate::constant);
            region.verdict(&there, &there, Interval::point(0.0)) != Verdict::Outside
        };
        let points = all().flat_map(|x| all().flat_map(move |y| all().map(move |z| DVec3::new(x, y, z))));
        let inside: Vec<DVec3> = points.filter(|&p| is_inside(p)).collect();
        assert!(inside.len() > 1000, "{region:?}");
        let mut random = drystone_contact::split_mix::SplitMix::new(8);
        for _ in 0..40 {
            let point = random.next_rotation() * DVec3::X * random.next_between(0.0, 2.0);
            let nearest = inside.iter().map(|p| p.distance(point)).fold(f64::INFINITY, f64::min);
            let known = distance(&region, point).max(0.0);
            // No point of the grid is nearer, and some is about as near.
            assert!(known <= nearest + 1e-12, "{region:?} {point}: {known} {nearest}");
            assert!(nearest <= known + 0.06, "{region:?} {point}: {known} {nearest}");
        }
    }
}
