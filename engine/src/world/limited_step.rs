//! A step whose motion is limited to what is free of impact.
//!
//! 1. The bodies move on with their old velocities, as in any step, but no farther than to the first impact.
//! 2. There contacts are looked for and solved, with the forces of the whole time step.
//! 3. The bodies move on for the time that is left, no farther than to the next impact. If there is one, 2 and 3 are
//!    repeated without forces; pairs that hinder the motion again and again are asked to part.
//!
//! A pair that hinders the motion at once although its contacts were solved has features near each other that the
//! generator knows no contact of; they become contacts.

use super::detection::{Found, may_touch};
use super::error::named;
use super::report::{Lap, StepCounts, Timings, WorldReport, deepest};
use super::solving::Portion;
use super::{World, WorldError, WorldSettings};
use crate::body::{Body, BodyId, Pose};
use crate::broad_phase::{Bounds, BroadPhase};
use crate::impact::{Approach, ImpactLimit, ImpactReport, Motion, Moving, Outcome, near_contacts};
use crate::stepper::{Energy, Load, check_states, ids};
use drystone_contact::shape::{Polyhedron, Shape, Surface, Tetrahedra};
use drystone_contact::{Contact, Feature};
use glam::DVec3;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// A motion that ends before this share of the time step is over was hindered at once.
const STALL: f64 = 1e-3;

/// After so many parts without any motion a step is given up.
const MOST_STALLS: usize = 16;

/// Orientations whose squared length is off by no more than this share are of unit length.
const UNIT: f64 = 16.0 * f64::EPSILON;

type Places = (usize, usize);

/// How far all bodies can move.
struct Reach {
    fraction: f64,
    /// The pairs that stop the motion, in ascending order.
    pairs: Vec<Places>,
}

/// What is known of the impacts of a step.
#[derive(Default)]
struct Course {
    /// The time that has gone by, s.
    elapsed: f64,
    /// The first impact: fraction of the step, and pair.
    first: Option<(f64, Places)>,
    /// Pairs that meet at the start of the step; none before it was looked.
    overlapping: Option<BTreeSet<Places>>,
    /// How often pairs have hindered the motion.
    impacts: BTreeMap<Places, u32>,
    /// Pairs that hindered it at once: they get contacts from their own features.
    hindering: BTreeSet<Places>,
    added: usize,
}

impl World {
    /// [`World::step`] with a limit to impacts.
    pub(super) fn limited_step(
        &mut self,
        settings: &WorldSettings,
        limit: &ImpactLimit,
    ) -> Result<WorldReport, WorldError> {
        let (mut whole, mut timings) = (Lap::start(), Timings::default());
        let step = &settings.step;
        let mut bodies = self.scripted_bodies();
        let handles = self.handles.dense().to_vec();
        let ids = ids(&bodies).map_err(|e| named(e, &handles))?;
        check_states(&bodies, &ids, "before").map_err(|e| named(e, &handles))?;
        if let Some(i) = self.entries.iter().position(|entry| entry.surface().is_none()) {
            return Err(WorldError::CcdShape { body: handles[i], kind: self.entries[i].shape.kind() });
        }
        bodies.iter_mut().for_each(turn_only);
        let energy_before = Energy::of(&bodies, &step.forces);
        let mut poses: Vec<Pose> = bodies.iter().map(Body::pose).collect();
        let mut course = Course::default();
        self.advance(&bodies, &mut poses, step.time_before_detection(), limit, &mut course);

        let (mut contacts, mut impulses, mut islands, mut detected_at) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (mut counts, mut pairs, mut parts, mut stalls) = (StepCounts::default(), 0, 0, 0);
        let (mut memory, mut deepest_penetration) = (None, 0.0);
        let mut corrections = Vec::new();
        while parts < limit.parts {
            let is_first = parts == 0;
            parts += 1;
            let mut found = self.find(&bodies, &poses, &mut timings)?;
            detected_at.clone_from(&poses);
            self.add_near_contacts(&poses, limit, &mut course, &mut found);
            let portion = Portion { limit: Some(limit), is_first, impacts: Some(&course.impacts) };
            let outcome = self.solve_looking_ahead(&bodies, &poses, &poses, &mut found, portion, &mut timings)?;
            for (body, next) in bodies.iter_mut().zip(&outcome.next) {
                (body.velocity, body.angular_velocity) = (next.velocity, next.angular_velocity);
            }
            if is_first {
                memory = Some(self.remembered(&found, &detected_at, &outcome.lasting));
            }
            // What is reported belongs to the poses of the last part.
            deepest_penetration = deepest(&outcome.contacts).max(deepest_penetration);
            (contacts, impulses, islands) = (outcome.contacts, outcome.impulses, outcome.reports);
            counts += outcome.counts;
            pairs = pairs.max(found.pairs.len());
            corrections = outcome.corrections;
            let rest = (step.time_step - course.elapsed).max(0.0);
            let reach = self.advance(&bodies, &mut poses, rest, limit, &mut course);
            if reach.fraction == 1.0 {
                course.elapsed = step.time_step;
                break;
            }
            if reach.fraction * rest < STALL * step.time_step {
                course.hindering.extend(reach.pairs);
            }
            stalls = if reach.fraction == 0.0 { stalls + 1 } else { 0 };
            if stalls == MOST_STALLS {
                break;
            }
        }
        self.correct(&bodies, &mut poses, &corrections, limit, &mut course);
        for (body, pose) in bodies.iter_mut().zip(&poses) {
            (body.position, body.orientation) = (pose.translation, pose.rotation);
        }
        check_states(&bodies, &ids, "after").map_err(|e| named(e, &handles))?;

        self.memory = memory.unwrap_or_default();
        self.memory_time_step = step.time_step;
        self.bodies = bodies;
        self.entries.iter_mut().for_each(|entry| entry.load = Load::NONE);
        self.time += course.elapsed;
        self.steps += 1;
        let energy_after = Energy::of(&self.bodies, &step.forces);
        let pair = |(a, b): Places| (BodyId::new(a as u32), BodyId::new(b as u32));
        let impact = ImpactReport {
            parts,
            fraction: course.first.map_or(1.0, |(fraction, _)| fraction),
            pair: course.first.map(|(_, places)| pair(places)),
            advanced: course.elapsed,
            overlapping: course.overlapping.into_iter().flatten().map(pair).collect(),
            added_contacts: course.added,
        };
        timings.total = whole.next();
        Ok(WorldReport {
            step: self.steps,
            time: self.time,
            handles,
            contacts,
            impulses,
            poses: detected_at,
            pairs,
            islands,
            energy_before,
            energy_after,
            deepest_penetration,
            counts,
            impact: Some(impact),
            backtracking: None,
            timings,
        })
    }

    /// The gap at which the contacts of two bodies count as closed, m.
    pub(super) fn clearance(&self, limit: &ImpactLimit, a: usize, b: usize) -> f64 {
        limit.clearance([a, b].map(|i| self.method.generator().margin(&self.entries[i].shape)))
    }

    /// Moves the bodies with their velocities for `duration` (s), or up to the first impact.
    fn advance(
        &self,
        bodies: &[Body],
        poses: &mut [Pose],
        duration: f64,
        limit: &ImpactLimit,
        course: &mut Course,
    ) -> Reach {
        let motion = |(body, &pose): (&Body, &Pose)| {
            let moves = !body.is_fixed();
            let [velocity, angular_velocity] =
                [body.velocity, body.angular_velocity].map(|v| if moves { v } else { DVec3::ZERO });
            Motion { pose, velocity, angular_velocity, duration }
        };
        let motions: Vec<Motion> = bodies.iter().zip(poses.iter()).map(motion).collect();
        let reach = self.reach(bodies, &motions, limit, course);
        for (pose, motion) in poses.iter_mut().zip(&motions) {
            *pose = motion.at(reach.fraction);
        }
        course.elapsed += reach.fraction * duration;
        for &pair in &reach.pairs {
            *course.impacts.entry(pair).or_insert(0) += 1;
        }
        if let (None, Some(&pair)) = (course.first, reach.pairs.first()) {
            course.first = Some((course.elapsed / self.settings.step.time_step, pair));
        }
        reach
    }

    /// Makes changes of position (m, rad by body), or as much of them as is free of impact.
    fn correct(
        &self,
        bodies: &[Body],
        poses: &mut [Pose],
        corrections: &[(usize, [f64; 6])],
        limit: &ImpactLimit,
        course: &mut Course,
    ) {
        if corrections.is_empty() {
            return;
        }
        let still = |&pose: &Pose| Motion { pose, velocity: DVec3::ZERO, angular_velocity: DVec3::ZERO, duration: 1.0 };
        let mut motions: Vec<Motion> = poses.iter().map(still).collect();
        for &(body, [x, y, z, p, q, r]) in corrections {
            motions[body].velocity = DVec3::new(x, y, z);
            motions[body].angular_velocity = DVec3::new(p, q, r);
        }
        let reach = self.reach(bodies, &motions, limit, course);
        for (pose, motion) in poses.iter_mut().zip(&motions) {
            *pose = motion.at(reach.fraction);
        }
    }

    /// How far all bodies can move together. The first time in a step it is found out who meets at the start.
    fn reach(&self, bodies: &[Body], motions: &[Motion], limit: &ImpactLimit, course: &mut Course) -> Reach {
        let moving: Vec<Moving<'_>> =
            motions.par_iter().enumerate().map(|(i, &motion)| self.moving(i, motion)).collect();
        let horizon = limit.horizon(limit.clearance);
        let swept: Vec<Option<Bounds>> = moving.par_iter().map(Moving::swept).collect();
        let mut broad_phase = BroadPhase::new();
        for (i, bounds) in (0..).zip(&swept) {
            if let Some(bounds) = bounds.filter(|b| b.low.is_finite() && b.high.is_finite()) {
                broad_phase.set(i, bounds.grown(0.5 * horizon + crate::impact::ROUNDING * bounds.largest_coordinate()));
            }
        }
        let dense = self.handles.dense();
        let known = course.overlapping.as_ref();
        let pairs = broad_phase.pairs(|a, b| {
            let (a, b) = (a as usize, b as usize);
            let moves = !(motions[a].is_still() && motions[b].is_still());
            (moves || known.is_none())
                && may_touch([a, b], bodies, &self.entries, dense, &self.excluded)
                && known.is_none_or(|known| !known.contains(&(a, b)))
        });
        let outcomes: Vec<Outcome> = pairs
            .par_iter()
            .map(|&(a, b)| self.approach([a as usize, b as usize], &moving, limit).limit(limit, known.is_none()))
            .collect();
        let mut reach = Reach { fraction: 1.0, pairs: Vec::new() };
        let mut overlapping = BTreeSet::new();
        for (&(a, b), outcome) in pairs.iter().zip(outcomes) {
            let pair = (a as usize, b as usize);
            match outcome {
                Outcome::Overlapping => {
                    overlapping.insert(pair);
                }
                Outcome::Free => {}
                Outcome::Impact(fraction) if fraction < reach.fraction => {
                    reach = Reach { fraction, pairs: vec![pair] };
                }
                Outcome::Impact(fraction) if fraction == reach.fraction => reach.pairs.push(pair),
                Outcome::Impact(_) => {}
            }
        }
        course.overlapping.get_or_insert(overlapping);
        reach
    }

    fn moving(&self, i: usize, motion: Motion) -> Moving<'_> {
        let entry = &self.entries[i];
        Moving::new(entry.topology(), entry.surface().map_or(&[][..], Surface::vertices), motion)
    }

    fn approach<'w>(&'w self, [a, b]: [usize; 2], moving: &[Moving<'w>], limit: &ImpactLimit) -> Approach<'w> {
        let surfaces = [a, b].map(|i| self.entries[i].surface().expect("a step takes polyhedra only"));
        Approach { a: moving[a], b: moving[b], surfaces, clearance: self.clearance(limit, a, b) }
    }

    /// Adds contacts between near features of the pairs that hindered the motion, behind those of the generator.
    fn add_near_contacts(&self, poses: &[Pose], limit: &ImpactLimit, course: &mut Course, found: &mut Found) {
        for &(a, b) in &course.hindering {
            let still = |i: usize| {
                let motion =
                    Motion { pose: poses[i], velocity: DVec3::ZERO, angular_velocity: DVec3::ZERO, duration: 0.0 };
                self.moving(i, motion)
            };
            let surfaces = [a, b].map(|i| self.entries[i].surface().expect("a step takes polyhedra only"));
            let approach = Approach { a: still(a), b: still(b), surfaces, clearance: self.clearance(limit, a, b) };
            let shapes = [a, b].map(|i| &*self.entries[i].shape);
            let contacts = near_contacts(&approach).into_iter().map(|contact| Contact {
                feature_a: in_mesh(contact.feature_a, shapes[0]),
                feature_b: in_mesh(contact.feature_b, shapes[1]),
                ..contact
            });
            let place = found.pairs.binary_search(&(a, b)).unwrap_or_else(|place| {
                found.pairs.insert(place, (a, b));
                found.lists.insert(place, Vec::new());
                place
            });
            let before = found.lists[place].len();
            found.lists[place].extend(contacts);
            course.added += found.lists[place].len() - before;
        }
    }
}

/// Makes the orientation of unit length, as that of a body that has moved is: otherwise the body would change its size
/// in the motion.
fn turn_only(body: &mut Body) {
    if (body.orientation.length_squared() - 1.0).abs() > UNIT {
        body.orientation = body.orientation.normalize();
    }
}

/// A feature of a shape's surface in the numbering of its tetrahedral mesh, if it has one by now.
fn in_mesh(feature: Feature, shape: &Shape) -> Feature {
    let mesh = shape.as_polyhedron().and_then(Polyhedron::known_tetrahedra).map(Tetrahedra::mesh);
    let Some((mesh, surface)) = mesh.zip(shape.surface()) else { return feature };
    let of = |list: &[u32], i: u32| list.get(i as usize).copied().unwrap_or(i);
    match feature {
        Feature::Vertex(v) => Feature::Vertex(of(mesh.surface_vertices(), v)),
        Feature::Face(f) => Feature::Face(of(mesh.surface_faces(), f)),
        Feature::Edge(e) => {
            let ends = surface.edges()[e as usize].vertices.map(|v| of(mesh.surface_vertices(), v));
            let is_it = |&[i, j]: &[u32; 2]| ends == [i, j] || ends == [j, i];
            mesh.edges().iter().position(is_it).map_or(feature, |edge| Feature::Edge(edge as u32))
        }
        other => other,
    }
}
