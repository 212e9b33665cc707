//! Queries of a world against a loop over all of its bodies, while these move, come and go.

use crate::cases;
use drystone_contact::query as shapes;
use drystone_contact::shape::{
    Ball, Compound, CompoundPart, Ellipsoid, HalfSpace, HeightField, MeshSides, RoundedBox, Shape, TriangleMesh,
};
use drystone_contact::split_mix::SplitMix;
use drystone_engine::broad_phase::Bounds;
use drystone_engine::query::{BodyProjection, BodyRayHit, Fill, Proximity, QueryFilter, Ray, ShapeMotion};
use drystone_engine::{Body, BodyHandle, Groups, NewBody, Pose, Solid, World, WorldError};
use glam::DVec3;
use std::sync::Arc;

fn vector(random: &mut SplitMix, size: f64) -> DVec3 {
    DVec3::from_array([0; 3].map(|_| random.next_between(-size, size)))
}

fn pose(random: &mut SplitMix, size: f64) -> Pose {
    Pose::from_parts(vector(random, size), random.next_rotation())
}

/// A ground without an end, and cubes, balls and ellipsoids above it; some in groups of their own.
fn world(random: &mut SplitMix, count: usize) -> World {
    let mut world = World::default();
    let stone = world.materials_mut().add("stone").unwrap();
    let friction = drystone_engine::Interaction::dry(drystone_engine::Friction::sliding(0.5));
    world.materials_mut().set(stone, stone, friction).unwrap();
    let ground = Body::fixed(stone).at(DVec3::NEG_Y * 5.0, glam::DQuat::IDENTITY).unwrap();
    world.add(NewBody::new(ground, Arc::new(HalfSpace.into()))).unwrap();
    let solids = [
        Solid::cuboid(DVec3::new(0.8, 0.5, 1.1), 1000.0).unwrap(),
        Solid::new(&Ball::new(0.4).unwrap().into(), 1000.0).unwrap(),
        Solid::new(&Ellipsoid::new(DVec3::new(0.3, 0.5, 0.7)).unwrap().into(), 1000.0).unwrap(),
    ];
    for k in 0..count {
        let mut new = solids[k % 3].dynamic(stone, pose(random, 4.0)).unwrap();
        new.groups = if k % 5 == 0 { Groups { member: 2, with: u32::MAX } } else { Groups::ALL };
        world.add(new).unwrap();
    }
    world
}

/// The bodies that a filter lets through, with their shapes and poses.
fn seen<'w>(world: &'w World, filter: &QueryFilter<'_>) -> Vec<(BodyHandle, &'w Shape, Pose)> {
    let all = world.handles().iter().zip(world.bodies());
    let passes = |(handle, body): &(&BodyHandle, &Body)| {
        world.groups(**handle).unwrap().touch(filter.groups)
            && !filter.exclude.contains(*handle)
            && filter.predicate.is_none_or(|sees| sees(**handle, body))
    };
    all.filter(passes).map(|(&h, body)| (h, &**world.shape(h).unwrap(), body.pose())).collect()
}

fn check(world: &World, random: &mut SplitMix, filter: &QueryFilter<'_>, fill: Fill) {
    let seen = seen(world, filter);
    let ray = Ray::new(vector(random, 6.0), vector(random, 1.0)).unwrap();
    let most = if random.next_below(2) == 0 { f64::INFINITY } else { 5.0 };
    let hits: Vec<BodyRayHit> = seen
        .iter()
        .filter_map(|(body, shape, pose)| {
            let hit = shapes::cast_ray(shape, pose, &ray, most, fill).unwrap()?;
            Some(BodyRayHit { body: *body, hit })
        })
        .collect();
    let first = hits.iter().copied().reduce(|p, q| if q.hit.distance < p.hit.distance { q } else { p });
    assert_eq!(world.cast_ray(&ray, most, fill, filter).unwrap(), first);
    let mut all = Vec::new();
    for (body, shape, pose) in &seen {
        let mut own = Vec::new();
        shapes::cast_ray_all(shape, pose, &ray, most, fill, &mut own).unwrap();
        all.extend(own.into_iter().map(|hit| BodyRayHit { body: *body, hit }));
    }
    all.sort_by(|p, q| p.hit.distance.total_cmp(&q.hit.distance));
    assert_eq!(world.cast_ray_all(&ray, most, fill, filter).unwrap(), all);

    let point = vector(random, 6.0);
    // Nothing is inside of a sheet.
    let projections = seen.iter().map(|(body, shape, pose)| {
        let projection = shapes::project_point(shape, pose, point).unwrap();
        let is_sheet = matches!(shape, Shape::TriangleMesh(_));
        let distance = if is_sheet { projection.distance.abs() } else { projection.distance };
        (distance, BodyProjection { body: *body, projection })
    });
    let within = projections.filter(|p| p.0 <= most);
    let nearest = within.reduce(|p, q| if q.0 < p.0 { q } else { p }).map(|p| p.1);
    assert_eq!(world.project_point(point, most, filter).unwrap(), nearest);
    let at: Vec<BodyHandle> =
        seen.iter().filter(|(_, s, p)| shapes::contains_point(s, p, point).unwrap()).map(|b| b.0).collect();
    assert_eq!(world.bodies_at(point, filter).unwrap(), at);

    let probe: Shape = Ball::new(random.next_between(0.1, 1.5)).unwrap().into();
    let place = pose(random, 5.0);
    let touched: Vec<BodyHandle> = seen
        .iter()
        .filter(|(_, shape, pose)| shapes::overlaps([&probe, shape], [&place, pose]).unwrap())
        .map(|body| body.0)
        .collect();
    assert_eq!(world.overlap_shape(&probe, &place, filter).unwrap(), touched);
    let half = vector(random, 1.5).abs();
    let bounds = Bounds { low: point - half, high: point + half };
    let inside: Vec<BodyHandle> = seen
        .iter()
        .filter(|(_, shape, pose)| shapes::overlap_box(shape, pose, &bounds).unwrap())
        .map(|body| body.0)
        .collect();
    assert_eq!(world.overlap_box(&bounds, filter).unwrap(), inside);

    let turn = if random.next_below(2) == 0 { DVec3::ZERO } else { vector(random, 2.0) };
    let motion = ShapeMotion { translation: vector(random, 6.0), rotation: turn };
    let cast = world.cast_shape(&probe, &place, &motion, 1e-6, filter).unwrap();
    let least = seen
        .iter()
        .filter_map(|(body, shape, pose)| {
            let hit = shapes::cast_shape([&probe, shape], [&place, pose], &motion, 1e-6).unwrap()?;
            Some((*body, hit))
        })
        .reduce(|p, q| if q.1.fraction < p.1.fraction { q } else { p });
    assert_eq!(cast.map(|hit| (hit.body, hit.hit)), least);
}

/// A height field, sheets with one side and with two, and compounds of two balls and a box beside the other bodies.
fn add_ground_and_compounds(world: &mut World, random: &mut SplitMix) {
    let stone = world.materials().id("stone").unwrap();
    let hills = |x: f64, z: f64| 0.5 * libm::sin(2.0 * x) * libm::cos(z);
    let field: Arc<Shape> = Arc::new(HeightField::from_fn(20, 24, [0.5, 0.5], hills).unwrap().into());
    let at = |p: DVec3| Body::fixed(stone).at(p, glam::DQuat::IDENTITY).unwrap();
    world.add(NewBody::new(at(DVec3::new(-6.0, -4.0, -5.0)), field)).unwrap();
    for sides in [MeshSides::Front, MeshSides::Both] {
        let vertices = [DVec3::ZERO, DVec3::Z * 4.0, DVec3::X * 4.0, DVec3::new(4.0, 1.0, 4.0)];
        let sheet = TriangleMesh::new(&vertices, &[[0, 1, 2], [1, 3, 2]], sides).unwrap();
        let place = Body::fixed(stone).at(vector(random, 3.0), random.next_rotation()).unwrap();
        world.add(NewBody::new(place, Arc::new(sheet.into()))).unwrap();
    }
    let part =
        |shape: Shape, x: f64| CompoundPart { shape: Arc::new(shape), pose: Pose::from_translation(DVec3::X * x) };
    let ball = |x: f64| part(Ball::new(0.4).unwrap().into(), x);
    let bar = part(RoundedBox::new(DVec3::new(0.7, 0.1, 0.1), 0.05).unwrap().into(), 0.0);
    let dumbbell = Solid::new(&Compound::new([ball(-0.7), bar, ball(0.8)]).unwrap().into(), 1000.0).unwrap();
    for _ in 0..8 {
        world.add(dumbbell.dynamic(stone, pose(random, 4.0)).unwrap()).unwrap();
    }
}

#[test]
fn queries_are_those_of_a_loop_over_all_bodies() {
    let mut random = SplitMix::new(401);
    let plain = world(&mut random, 40);
    follow(plain, &mut random, 1_600);
}

#[test]
fn queries_of_every_kind_of_shape_are_those_of_a_loop() {
    let mut random = SplitMix::new(403);
    let mut varied = world(&mut random, 20);
    add_ground_and_compounds(&mut varied, &mut random);
    follow(varied, &mut random, 1_600);
}

/// Queries while bodies move, come and go.
fn follow(mut world: World, random: &mut SplitMix, rounds: u32) {
    let skipped = [world.handles()[3], world.handles()[7]];
    let light = |_: BodyHandle, body: &Body| body.mass() < 400.0;
    let filters = [
        QueryFilter::default(),
        QueryFilter { groups: Groups { member: u32::MAX, with: 2 }, ..QueryFilter::default() },
        QueryFilter { exclude: &skipped, predicate: Some(&light), ..QueryFilter::default() },
    ];
    for round in 0..cases(rounds) {
        let filter = &filters[round as usize % 3];
        check(&world, random, filter, if round % 2 == 0 { Fill::Solid } else { Fill::Hollow });
        match round % 40 {
            // A step, a write, a removal, another body: the next query sees it.
            9 | 19 => drop(world.step().unwrap()),
            29 => {
                let handle = world.handles()[1 + random.next_below(world.handles().len() - 1)];
                world.body_mut(handle).unwrap().position = vector(random, 4.0);
            }
            38 if world.handles().len() > 20 => {
                let handle = world.handles()[10];
                world.remove(handle).unwrap();
            }
            39 => {
                let cube = Solid::cuboid(DVec3::splat(0.6), 1000.0).unwrap();
                let stone = world.materials().id("stone").unwrap();
                world.add(cube.dynamic(stone, pose(random, 4.0)).unwrap()).unwrap();
            }
            _ => {}
        }
    }
}

#[test]
fn batches_are_the_same_on_any_number_of_threads() {
    let mut random = SplitMix::new(402);
    let world = world(&mut random, 60);
    let rays: Vec<Ray> =
        (0..300).map(|_| Ray::new(vector(&mut random, 6.0), vector(&mut random, 1.0)).unwrap()).collect();
    let points: Vec<DVec3> = (0..300).map(|_| vector(&mut random, 6.0)).collect();
    let filter = QueryFilter::default();
    let single: Vec<_> = rays.iter().map(|ray| world.cast_ray(ray, 9.0, Fill::Solid, &filter).unwrap()).collect();
    let nearest: Vec<_> = points.iter().map(|&p| world.project_point(p, 9.0, &filter).unwrap()).collect();
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            assert_eq!(world.cast_rays(&rays, 9.0, Fill::Solid, &filter).unwrap(), single);
            assert_eq!(world.project_points(&points, 9.0, &filter).unwrap(), nearest);
        });
    }
    assert!(single.iter().flatten().count() > 50);
}

/// Where a step has left a body, and not where it was when its box in the broad phase was made.
#[test]
fn queries_see_bodies_where_the_step_has_left_them() {
    let mut random = SplitMix::new(403);
    let mut world = world(&mut random, 1);
    let falling = world.handles()[1];
    world.body_mut(falling).unwrap().velocity = DVec3::new(300.0, 0.0, 0.0);
    for _ in 0..20 {
        let before = world.body(falling).unwrap().position;
        world.step().unwrap();
        let now = world.body(falling).unwrap().position;
        assert_eq!(world.bodies_at(now, &QueryFilter::default()).unwrap(), [falling]);
        assert!(world.bodies_at(before, &QueryFilter::default()).unwrap().is_empty());
    }
}

#[test]
fn distances_between_bodies() {
    let mut random = SplitMix::new(404);
    let mut world = world(&mut random, 0);
    let stone = world.materials().id("stone").unwrap();
    let cube = Solid::cuboid(DVec3::ONE, 1000.0).unwrap();
    let at = |x: f64| Pose::from_translation(DVec3::X * x);
    let [a, b, c] = [0.0, 1.75, 2.5].map(|x| world.add(cube.dynamic(stone, at(x)).unwrap()).unwrap());
    assert_eq!((world.distance(a, b).unwrap(), world.distance(b, c).unwrap()), (0.75, 0.0));
    let Proximity::Apart(closest) = world.closest_points(c, a, 5.0).unwrap() else { panic!("they are apart") };
    assert_eq!((closest.distance, closest.normal), (1.5, DVec3::NEG_X));
    assert_eq!(world.closest_points(a, c, 1.0).unwrap(), Proximity::Beyond);
    assert_eq!(world.distance(a, a), Err(WorldError::OneBody(a)));
    world.remove(b).unwrap();
    assert_eq!(world.distance(a, b), Err(WorldError::Stale(b)));
    assert!(matches!(world.bodies_at(DVec3::NAN, &QueryFilter::default()), Err(WorldError::Query(_))));
    let ray = Ray::new(DVec3::ZERO, DVec3::X).unwrap();
    assert!(world.cast_ray(&ray, f64::NAN, Fill::Solid, &QueryFilter::default()).is_err());
}
