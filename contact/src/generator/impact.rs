//! Contacts at the time of impact: what a generator reports where the shapes will meet within a step.
//!
//! A generator looks at the shapes where they are. A shape that moves in a step by more than a small share of its
//! thickness may be past the surface of another one by then, or past the whole of it. So the motion is followed: as long
//! as planes keep the shapes apart, and by conservative advancement until they are near each other; from
//! there the generator is asked at poses that lie no farther apart than [`SPACING`], and the contacts of the first pose
//! at which the step would violate any are returned, as they are there. [`Impact::contacts_now`] transports them to the poses at which the step is solved:
//! they are speculative contacts, whose gap closes no sooner than the step ends.

mod heights;
mod kept_apart;
mod known;
mod pieces;

use glam::DVec3;

use self::kept_apart::apart_from_surface;
pub(super) use self::kept_apart::lowest;
use self::known::Known;
use self::pieces::PieceCouple;
use super::semi_local::convex_core::{PlacedCore, apart_by_faces};
use super::{Generator, GeneratorError, Placed, Workspace};
use crate::contact::{Contact, Feature};
use crate::pose::{Pose, Twist, advance};
use crate::shape::features::Placement;
use crate::shape::separating_axes::SeparatingAxes;
use crate::shape::{Ball, Shape};

/// Poses of the search are so far apart, as a share of the thickness of the thinner shape: well below the depth at which
/// a generator still knows which features have met.
pub const SPACING: f64 = 0.02;

/// A contact is violated by a motion that ends deeper than this share of the thickness of the thinner shape; motions
/// that are shorter are not followed.
pub const ALLOWED: f64 = 0.02;

/// The shapes are looked at so often at most. A motion that needs more is followed no farther.
const MAX_LOOKS: usize = 512;

/// Planes are asked for no less than this share of the time between two looks: they cost a quarter of a look.
const SHORTEST: f64 = 0.2;

/// After planes have kept the shapes apart for a time, so many times that time is tried.
const LONGER: f64 = 4.0;

/// Two shapes that move with constant velocities, their twists, for a time.
#[derive(Clone, Copy, Debug)]
pub struct Motion<'a> {
    /// A and B where the motion begins.
    pub placed: [Placed<'a>; 2],
    /// How long it lasts, s.
    pub duration: f64,
    /// How deep the shapes may be in each other where it ends, m; see [`allowed_depth`].
    pub allowed: f64,
}

/// How deep two shapes may be in each other at the end of a motion by default, m: [`ALLOWED`].
pub fn allowed_depth(a: &Shape, b: &Shape) -> f64 {
    ALLOWED * a.thickness().min(b.thickness())
}

/// A distance by which two shapes at these poses are apart for certain, m: no more than the first of two, and `None` if it is not above
/// the second.
pub fn distance_apart(shapes: [&Shape; 2], poses: &[Pose; 2], [most, least]: [f64; 2]) -> Option<f64> {
    if shapes.iter().any(|shape| shape.as_compound().is_some()) {
        PieceCouple::all_apart(&PieceCouple::near(shapes, *poses, most), [most, least])
    } else {
        apart_of(shapes, poses, f64::NEG_INFINITY, [most, least], None)
    }
}

/// The same of two shapes that are no compounds, whose boxes are apart by `of_boxes`, m; minus infinity if that is not known. `pairs` are the
/// facets that are looked at, all of them if they are not given.
fn apart_of(
    [a, b]: [&Shape; 2],
    [pose_a, pose_b]: &[Pose; 2],
    of_boxes: f64,
    [most, least]: [f64; 2],
    pairs: Option<&[(u32, u32)]>,
) -> Option<f64> {
    let apart = match (a.features(), b.features()) {
        (Some(a), Some(b)) => return a.apart(b, &Placement::of(pose_a, pose_b), [most, least], pairs),
        _ if a.as_open_surface().is_some() || b.as_open_surface().is_some() => {
            let (surface, own, shape, at) = match a.as_open_surface() {
                Some(surface) => (surface, pose_a, b, pose_b),
                None => (b.as_open_surface()?, pose_b, a, pose_a),
            };
            apart_from_surface(surface, shape, &(own.inverse() * *at), most)
        }
        _ => {
            let of_boxes = if of_boxes.is_finite() {
                of_boxes
            } else {
                let ((low, high), (other_low, other_high)) = (a.bounds_at(pose_a), b.bounds_at(pose_b));
                (low - other_high).max(other_low - high).max_element()
            };
            let of_faces = || match (a.core(), b.core()) {
                (Some(a), Some(b)) => {
                    let [a, b] = [(a, *pose_a), (b, *pose_b)].map(|(rounded, pose)| PlacedCore { rounded, pose });
                    apart_by_faces(&a, &b, most)
                }
                _ => f64::NEG_INFINITY,
            };
            if of_boxes < most { of_boxes.max(of_faces()).min(most) } else { most }
        }
    };
    (apart > least).then_some(apart)
}

/// How fast the surface of a shape turns, rad/s: that of a ball does not move as it turns.
fn turning(placed: &Placed<'_>) -> f64 {
    if placed.shape.kind() == Ball::KIND { 0.0 } else { placed.twist.angular.length() }
}

/// The first pose of a motion at which there are contacts that the motion would violate.
#[derive(Clone, Debug, PartialEq)]
pub struct Impact {
    /// When it is, s from the start of the motion.
    pub time: f64,
    /// The contacts there. None if the search was given up here.
    pub contacts: Vec<Contact>,
}

impl Motion<'_> {
    /// The poses of A and B after some time, s.
    pub fn poses(&self, time: f64) -> [Pose; 2] {
        let at = |&Placed { pose, twist, .. }: &Placed<'_>| {
            if time == 0.0 { pose } else { advance(pose, twist.linear, twist.angular, time) }
        };
        [at(&self.placed[0]), at(&self.placed[1])]
    }

    /// No point of one shape moves faster against the other than this, m/s.
    pub fn speed(&self) -> f64 {
        let [a, b] = &self.placed;
        let spin = |placed: &Placed<'_>| {
            let spin = turning(placed);
            if spin > 0.0 { spin * placed.shape.radius() } else { 0.0 }
        };
        (b.twist.linear - a.twist.linear).length() + spin(a) + spin(b)
    }

    /// The thickness of the thinner shape, m.
    fn thickness(&self) -> f64 {
        self.placed[0].shape.thickness().min(self.placed[1].shape.thickness())
    }

    /// Contacts from the start of the motion as they are after some time (s), each at the points that face each other across
    /// it, with a normal that turns with A.
    pub fn transported(&self, contacts: &[Contact], time: f64) -> Vec<Contact> {
        let (now, then) = (self.poses(0.0), self.poses(time));
        let turn = then[0].rotation * now[0].rotation.inverse();
        let transported = |contact: &Contact| {
            let [a, b] = ends(contact, now);
            let (a, b, normal) = (then[0].transform_point(a), then[1].transform_point(b), turn * contact.normal);
            Contact { position: 0.5 * (a + b), normal, gap: normal.dot(b - a), ..*contact }
        };
        contacts.iter().map(transported).collect()
    }

    /// The first impact that the contacts `held`, as they are where the motion begins, do not prevent. The search of a motion that is no
    /// number, or too fast for its speed to be one, is given up at once.
    ///
    /// # Errors
    /// As [`Generator::contacts`].
    pub fn first_impact(
        &self,
        generator: &dyn Generator,
        held: &[Contact],
        workspace: &mut Workspace,
    ) -> Result<Option<Impact>, GeneratorError> {
        let (speed, thickness) = (self.speed(), self.thickness());
        let allowed = self.allowed;
        let is_known = |Twist { linear, angular }: Twist| (linear.length() + angular.length()).is_finite();
        if !self.placed.iter().all(|placed| is_known(placed.twist)) {
            return Ok(Some(Impact { time: 0.0, contacts: Vec::new() }));
        }
        // Shapes without an end that turn have no speed.
        if !(speed * self.duration > allowed && speed.is_finite()) {
            return Ok(None);
        }
        let shapes = self.placed.map(|placed| placed.shape);
        if self.is_separated_along_any(held) {
            return Ok(None);
        }
        let spacing = SPACING * thickness;
        let step = spacing / speed;
        let mut longest = self.duration;
        // Planes of facets tell nothing of depths that the generator does not see.
        let planes = Motion { allowed: allowed.min(self.seen_depth()), ..*self };
        let known = Known::of(held, &self.placed, self.more_than_allowed());
        let begins_deep = held.iter().any(|c| matches!(c.feature_a, Feature::Overlap(_)));
        let is_compound = shapes.iter().any(|shape| shape.as_compound().is_some());
        // What touches is not farther apart than that.
        let touches = held.iter().any(|contact| contact.gap <= 2.0 * spacing);
        let mut looks = generator.most_looks_on_the_way(shapes[0], shapes[1]);
        let mut time = 0.0;
        let mut meeting = std::mem::take(&mut workspace.meeting);
        let has_ends = planes.separating_axes().find_near(shapes, &mut meeting);
        if has_ends && meeting.is_empty() {
            workspace.meeting = meeting;
            return Ok(None);
        }
        // What may meet on the way is near where the motion begins.
        let (now, distance) = (self.poses(0.0), self.reach(self.duration) + allowed);
        let (mut of_parts, mut whole);
        let near_pieces: &mut [PieceCouple<'_>] = if is_compound {
            of_parts = if has_ends {
                PieceCouple::of(shapes, now, &meeting, distance)
            } else {
                PieceCouple::near(shapes, now, distance)
            };
            &mut of_parts
        } else {
            let known = workspace.memory.as_ref().and_then(|memory| memory.near.as_deref());
            whole = [PieceCouple::whole(shapes, now, distance, known)];
            &mut whole
        };
        workspace.meeting = meeting;
        if near_pieces.iter().all(PieceCouple::is_apart) {
            return Ok(None);
        }
        for _ in 0..MAX_LOOKS {
            let mut poses = self.poses(time);
            near_pieces.iter_mut().for_each(|couple| couple.move_to(&poses));
            let free = planes.kept_apart((time, &poses), [SHORTEST * step, longest], &known, near_pieces);
            let is_long = free.is_some_and(|free| free >= 2.0 * step || time + free >= self.duration);
            // Conservative advancement: what is farther apart than a distance stays apart as long as it takes at least.
            let reach = self.reach(self.duration - time) + allowed;
            let apart = || PieceCouple::all_apart(near_pieces, [reach, 2.0 * spacing]);
            if let Some(distance) = if is_long || (time == 0.0 && touches) { None } else { apart() } {
                time += distance / speed;
                if distance == reach || time >= self.duration {
                    return Ok(None);
                }
                continue;
            }
            if let Some(free) = free {
                time += free;
                if time >= self.duration {
                    return Ok(None);
                }
                longest = LONGER * free;
                continue;
            }
            longest = step;
            // Where the motion begins the contacts are known.
            if time == 0.0 && !held.is_empty() {
                time = step.min(self.duration);
                poses = self.poses(time);
            }
            if looks == 0 {
                break;
            }
            looks -= 1;
            let there = [0, 1].map(|k| Placed { pose: poses[k], ..self.placed[k] });
            let mut contacts = Vec::new();
            generator.contacts_on_the_way(&there[0], &there[1], begins_deep, workspace, &mut contacts)?;
            let end = self.poses(self.duration);
            contacts.retain(|c| {
                !self.is_held(c, time, held) && gap_after(c, poses, end) < -self.depth_allowed(c, poses, held)
            });
            if !contacts.is_empty() {
                return Ok(Some(Impact { time, contacts }));
            }
            if time >= self.duration {
                return Ok(None);
            }
            time = (time + step).min(self.duration);
        }
        Ok(Some(Impact { time, contacts: Vec::new() }))
    }

    /// Whether the normal of a contact is an axis along which the shapes stay apart all the way, but for the depth of the contact and the
    /// allowed depth.
    fn is_separated_along_any(&self, held: &[Contact]) -> bool {
        if held.is_empty() {
            return false;
        }
        let poses = [0.0, 0.5 * self.duration, self.duration].map(|time| self.poses(time));
        // Along an axis that does not turn the height of a point has at most this second derivative.
        let turning = |placed: &Placed<'_>| {
            let spin = turning(placed);
            if spin > 0.0 { spin * spin * placed.shape.radius() } else { 0.0 }
        };
        let sag = self.duration * self.duration / 32.0 * self.placed.iter().map(turning).sum::<f64>();
        let height = |poses: &[Pose; 2], axis: DVec3| {
            let [a, b] = self.placed.map(|placed| placed.shape);
            lowest(b, &poses[1], axis) + lowest(a, &poses[0], -axis)
        };
        // The contacts of a plane have one normal.
        held.chunk_by(|contact, next| contact.normal == next.normal).any(|plane| {
            let axis = plane[0].normal;
            let least = sag - self.allowed - deepest(plane, self.more_than_allowed());
            poses.iter().rev().all(|at| height(at, axis) >= least)
        })
    }

    /// The axes that do not turn along which boxes around solid pieces may stay apart all the way, but for the allowed depth: such pieces never
    /// meet. It says nothing of facets: through a sheet that is thinner than that depth others may pass.
    fn separating_axes(&self) -> SeparatingAxes<2> {
        let centripetal = |placed: &Placed<'_>| {
            let spin = turning(placed);
            if spin > 0.0 { spin * spin * placed.shape.radius() } else { 0.0 }
        };
        // Between the ends the height of a point falls by this below the straight line from one to the other.
        let sag = self.duration * self.duration / 8.0 * self.placed.iter().map(centripetal).sum::<f64>();
        SeparatingAxes::new(&[0.0, self.duration].map(|time| self.poses(time)), sag - self.allowed)
    }

    /// How deep the generator sees well, m.
    fn seen_depth(&self) -> f64 {
        allowed_depth(self.placed[0].shape, self.placed[1].shape)
    }

    /// How much deeper than is allowed shapes may be along the normals of contacts that begin deep, m: as far as the generator sees well.
    fn more_than_allowed(&self) -> f64 {
        (self.seen_depth() - self.allowed).max(0.0)
    }

    /// No point of one shape comes nearer to the other than by this within a time (s), m: a rotation, however fast, takes no
    /// point farther than the diameter of the ball that it stays in.
    fn reach(&self, time: f64) -> f64 {
        let [a, b] = &self.placed;
        let turning = |placed: &Placed<'_>| {
            let spin = turning(placed);
            if spin == 0.0 { 0.0 } else { placed.shape.radius() * (spin * time).min(2.0) }
        };
        (b.twist.linear - a.twist.linear).length() * time + turning(a) + turning(b)
    }

    /// Whether one of the contacts from the start takes care of a contact: it is between the same features, and they are
    /// not deeper in each other now than there, as they would be if they had turned too far for its plane. A depth from
    /// the start is no matter of the motion.
    fn is_held(&self, contact: &Contact, time: f64, held: &[Contact]) -> bool {
        let features = |c: &Contact| -> (Feature, Feature) { (c.feature_a, c.feature_b) };
        let mut same = held.iter().filter(|h| features(h) == features(contact)).peekable();
        if time == 0.0 && (contact.gap < -self.allowed || same.peek().is_some()) {
            return true;
        }
        let is_known = same.peek().is_some();
        is_known && contact.gap >= same.map(|h| h.gap).fold(0.0, f64::min) - self.allowed
    }

    /// How deep the shapes may be at the end of the motion at a contact that was found at `poses`, m: the allowed depth, or, if
    /// they begin deep in each other, as deep as the same points are where the motion begins.
    fn depth_allowed(&self, contact: &Contact, poses: [Pose; 2], held: &[Contact]) -> f64 {
        if held.iter().any(|h| h.gap < -self.allowed) {
            self.allowed.max(-gap_after(contact, poses, self.poses(0.0)))
        } else {
            self.allowed
        }
    }
}

/// The depth of the deepest contact, m, no more than `most`. What is deep in the other shape without features has none.
fn deepest(contacts: &[Contact], most: f64) -> f64 {
    let has_features = |c: &&Contact| !matches!(c.feature_a, Feature::Overlap(_));
    contacts.iter().filter(has_features).map(|c| -c.gap).fold(0.0, f64::max).min(most)
}

/// The points of A and of B that face each other across a contact, each in the frame of its shape, m.
fn ends(contact: &Contact, poses: [Pose; 2]) -> [DVec3; 2] {
    let half = contact.normal * (0.5 * contact.gap);
    [
        poses[0].inverse_transform_point(contact.position - half),
        poses[1].inverse_transform_point(contact.position + half),
    ]
}

/// The gap along the contact's normal once the points that face each other across it at `poses` are at the poses `then`.
fn gap_after(contact: &Contact, poses: [Pose; 2], then: [Pose; 2]) -> f64 {
    let [a, b] = ends(contact, poses);
    contact.normal.dot(then[1].transform_point(b) - then[0].transform_point(a))
}

impl Impact {
    /// The contacts where the motion begins: at the points that are to meet, with such a gap that it is closed at the
    /// end of the motion by as much as the velocities there say, and no less than zero.
    pub fn contacts_now(&self, motion: &Motion<'_>) -> Vec<Contact> {
        let (poses, end) = (motion.poses(self.time), motion.poses(motion.duration));
        let now = motion.placed.map(|placed| placed.pose);
        let is_still = motion.placed.map(|placed| placed.twist == Twist::default());
        let transported = |contact: &Contact| {
            let locals = ends(contact, poses);
            let [a, b] = [0, 1].map(|k| now[k].transform_point(locals[k]));
            // On the body that moves: there its velocity is asked for.
            let position = match is_still {
                [true, false] => b,
                [false, true] => a,
                _ => 0.5 * (a + b),
            };
            let velocity = |placed: &Placed<'_>| {
                placed.twist.linear + placed.twist.angular.cross(position - placed.pose.translation)
            };
            let approach = contact.normal.dot(velocity(&motion.placed[1]) - velocity(&motion.placed[0]));
            let gap = gap_after(contact, poses, end) - motion.duration * approach;
            Contact { position, gap: gap.max(0.0), ..*contact }
        };
        self.contacts.iter().map(transported).collect()
    }
}
