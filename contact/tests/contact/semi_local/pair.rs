//! Pairs of solids at their places.

use drystone_contact::generator::semi_local::SemiLocal;
use drystone_contact::generator::{Generator, Placed};
use drystone_contact::shape::Shape;
use drystone_contact::{Contact, Pose, Twist};
use glam::{DMat3, DQuat, DVec3};

use super::random::Random;
use super::soup::{Soup, meetings};

/// Two solids, their poses and velocities.
#[derive(Clone)]
pub struct Pair<'s> {
    pub shapes: [&'s Shape; 2],
    pub poses: [Pose; 2],
    pub twists: [Twist; 2],
}

/// The lengths of a pair, m.
#[derive(Clone, Copy)]
pub struct Lengths {
    /// The thickness of the thinner solid.
    pub thickness: f64,
    /// The diagonal of the larger bounding box.
    pub size: f64,
    /// The settings of the generator as lengths.
    pub envelope: f64,
    pub depth: f64,
    pub same: f64,
}

impl<'s> Pair<'s> {
    /// At the origin, not turned, with random velocities.
    pub fn new(shapes: [&'s Shape; 2], random: &mut Random) -> Self {
        let twists = [0; 2].map(|_| Twist { linear: random.point(), angular: random.point() });
        Self { shapes, poses: [Pose::IDENTITY; 2], twists }
    }

    pub fn contacts(&self) -> Vec<Contact> {
        let [a, b] = [0, 1].map(|i| Placed { shape: self.shapes[i], pose: self.poses[i], twist: self.twists[i] });
        SemiLocal::default().contacts(&a, &b).unwrap()
    }

    pub fn soups(&self) -> [Soup; 2] {
        [0, 1].map(|i| Soup::new(self.shapes[i], &self.poses[i]))
    }

    pub fn lengths(&self) -> Lengths {
        let method = SemiLocal::default();
        // Three volumes by the area.
        let thickness =
            |s: &Shape| 3.0 * s.surface().unwrap().volume() / s.surface().unwrap().areas().iter().sum::<f64>();
        let thickness = thickness(self.shapes[0]).min(thickness(self.shapes[1]));
        let size = self.shapes.map(|s| s.surface().unwrap().bounds()).map(|(l, h)| l.distance(h));
        Lengths {
            thickness,
            size: size[0].max(size[1]),
            envelope: method.envelope * thickness,
            depth: method.depth * thickness,
            same: method.same * thickness,
        }
    }

    /// Moves B along a unit vector so that it has just left A; `depth` (m) less far.
    pub fn touch_along(&mut self, direction: DVec3, depth: f64) {
        let [a, b] = self.soups();
        let reach = a.support(direction) + b.support(-direction);
        let last = meetings(&a, &b, direction, -2.0 * self.lengths().size, reach + 1.0).last().copied();
        self.poses[1].translation += direction * (last.unwrap_or(reach) - depth);
    }

    /// Moves B so that it overlaps A a little: along a direction by a twentieth of the thickness or almost nothing.
    fn meet(&mut self, direction: DVec3, random: &mut Random) {
        // A point of the one on a point of the other, so that both meet along the direction.
        let [a, b] = [0, 1].map(|i| self.poses[i].transform_point(point_on(self.shapes[i], random)));
        self.poses[1].translation += a - b;
        let depth = self.lengths().thickness * random.magnitude(1e-6, 0.05);
        self.touch_along(direction, depth);
    }

    /// The other one first.
    pub fn swapped(&self) -> Self {
        let mut pair = self.clone();
        pair.shapes.swap(0, 1);
        pair.poses.swap(0, 1);
        pair.twists.swap(0, 1);
        pair
    }

    /// All of it moved.
    pub fn moved(&self, by: &Pose) -> Self {
        let turn = |t: &Twist| Twist { linear: by.rotation * t.linear, angular: by.rotation * t.angular };
        Self {
            shapes: self.shapes,
            poses: self.poses.map(|p| *by * p),
            twists: [turn(&self.twists[0]), turn(&self.twists[1])],
        }
    }
}

/// A point of a surface, body frame, m.
fn point_on(shape: &Shape, random: &mut Random) -> DVec3 {
    let [a, b, c] = shape.surface().unwrap().corners(random.below(shape.surface().unwrap().triangles().len()) as u32);
    let (s, t) = (random.share(), random.share());
    let (s, t) = if s + t > 1.0 { (1.0 - s, 1.0 - t) } else { (s, t) };
    a + (b - a) * s + (c - a) * t
}

/// Turned at random, in touch along a random direction; the depth along it is up to a twentieth of the thickness, or almost
/// none.
pub fn shallow<'s>(shapes: [&'s Shape; 2], random: &mut Random) -> Pair<'s> {
    let mut pair = Pair::new(shapes, random);
    pair.poses = [0; 2].map(|_| Pose::from_parts(DVec3::ZERO, random.rotation()));
    let direction = random.direction();
    pair.meet(direction, random);
    pair
}

/// A face of the one along a face of the other, and perhaps an edge along an edge, but for a small angle or none.
pub fn faced<'s>(shapes: [&'s Shape; 2], random: &mut Random) -> Pair<'s> {
    let mut pair = Pair::new(shapes, random);
    let triangle = |s: &Shape, random: &mut Random| random.below(s.surface().unwrap().triangles().len());
    let [s, t] = [triangle(shapes[0], random), triangle(shapes[1], random)];
    let frame = |shape: &Shape, t: usize, sign: f64| {
        let [p, q, _] = shape.surface().unwrap().corners(t as u32);
        let (x, z) = ((q - p).normalize(), shape.surface().unwrap().normals()[t] * sign);
        DQuat::from_mat3(&DMat3::from_cols(x, z.cross(x), z))
    };
    let turn =
        if random.chance(0.5) { DQuat::IDENTITY } else { DQuat::from_axis_angle(DVec3::Z, random.between(-3.0, 3.0)) };
    let tilt = [0.0, 1e-12, 1e-9, 1e-6, 1e-4, 1e-3, 0.01, 0.03, 0.1][random.below(9)];
    let tilt = DQuat::from_axis_angle(random.direction(), tilt);
    let world = random.rotation();
    let of_b = frame(shapes[0], s, 1.0) * turn * tilt * frame(shapes[1], t, -1.0).inverse();
    pair.poses = [DQuat::IDENTITY, of_b].map(|q| Pose::from_parts(DVec3::ZERO, (world * q).normalize()));
    let direction =
        if random.chance(0.7) { world * shapes[0].surface().unwrap().normals()[s] } else { random.direction() };
    pair.meet(direction, random);
    pair
}

/// Two solids of a lattice, turned by quarters, faces, edges and vertices in line: just in touch, a little inside or a little
/// apart.
pub fn aligned<'s>(shapes: [&'s Shape; 2], random: &mut Random) -> Pair<'s> {
    let mut pair = Pair::new(shapes, random);
    let step = [1.0, 1.0, 0.5, 0.25][random.below(4)];
    pair.poses = [0; 2].map(|_| Pose::from_parts(random.point() * 0.0, random.cube_rotation()));
    // The middle of a face of B at a place on or beside a face of A.
    let middle = |i: usize, random: &mut Random| {
        let t = random.below(shapes[i].surface().unwrap().triangles().len()) as u32;
        pair.poses[i].transform_point(
            shapes[i].surface().unwrap().corners(t)[0].midpoint(shapes[i].surface().unwrap().corners(t)[1]),
        )
    };
    let between = middle(0, random) - middle(1, random);
    pair.poses[1].translation = (between / step).round() * step;
    let direction = random.cube_rotation() * DVec3::X;
    let thickness = pair.lengths().thickness;
    let depth = match random.below(3) {
        0 => 0.0,
        1 => thickness * random.magnitude(1e-6, 0.05),
        _ => -thickness * random.magnitude(1e-6, 0.015),
    };
    // Faces in line only graze each other along the direction: look a little beside, too.
    pair.touch_along(direction, depth);
    pair
}
