//! Vertices, each with a time of its own: free ones, those that are prescribed, and those of affine bodies. Certificates and contact do not know
//! the difference.

use drystone_contact::parallel::prelude::*;
use glam::{DAffine3, DMat3, DVec3};
use serde::{Deserialize, Serialize};

use super::affine_body::AffineBody;
use super::blocks::{BlockMotion, Blocks};
use super::clock::Ticks;
use super::speculative::KickLog;

/// Marks a vertex of no body.
const FREE: u32 = u32::MAX;

/// Vertices that run straight between kicks. All lists have the same length and order, but that of bodies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Vertices {
    /// Where each free one is at its time, m.
    positions: Vec<DVec3>,
    /// Of each free one, m/s.
    velocities: Vec<DVec3>,
    /// When each free one was kicked last.
    times: Vec<Ticks>,
    /// 1/kg; zero of those that no force moves; of one of a body what an impulse at it gives.
    inverse_masses: Vec<f64>,
    balls: Vec<VelocityBall>,
    /// Those whose velocities have left their balls.
    left: Vec<u32>,
    bodies: Vec<AffineBody>,
    /// The body of each.
    body_of: Vec<u32>,
    /// A body that is deformed too much.
    distorted: Option<u32>,
    /// Kicks of the window that is running.
    #[serde(skip)]
    log: Option<KickLog>,
    /// The last window whose log was ended, or the beginning of the one that is running.
    window: [Ticks; 2],
    /// Memory of a log.
    #[serde(skip)]
    spare: KickLog,
}

/// Where all are and how they move, each from a time on.
#[derive(Clone, Debug)]
pub struct Motion {
    positions: Vec<DVec3>,
    velocities: Vec<DVec3>,
    times: Vec<Ticks>,
    bodies: Vec<(DAffine3, DAffine3, Ticks)>,
}

/// What certificates take a velocity to be: anything in a ball. As long as it stays in, they hold.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct VelocityBall {
    /// m/s.
    pub centre: DVec3,
    /// m/s.
    pub radius: f64,
    /// Whether it was left since it was set.
    is_left: bool,
}

impl VelocityBall {
    /// Holds all velocities.
    const WHOLE: Self = Self { centre: DVec3::ZERO, radius: f64::INFINITY, is_left: false };
}

impl Vertices {
    /// Vertices at rest at the start, with positions in m and inverse masses in 1/kg, of which there are as many.
    pub fn at_rest(positions: Vec<DVec3>, inverse_masses: Vec<f64>) -> Self {
        assert_eq!(positions.len(), inverse_masses.len(), "a mass for each position");
        let count = positions.len();
        Self {
            positions,
            velocities: vec![DVec3::ZERO; count],
            times: vec![Ticks::default(); count],
            inverse_masses,
            balls: vec![VelocityBall::WHOLE; count],
            left: Vec::new(),
            bodies: Vec::new(),
            body_of: vec![FREE; count],
            distorted: None,
            log: None,
            window: [Ticks::default(); 2],
            spare: KickLog::default(),
        }
    }

    /// Takes vertices for those of bodies, whose numbers they have.
    pub fn with_bodies(mut self, bodies: Vec<AffineBody>) -> Self {
        for (number, body) in (0..).zip(&bodies) {
            for v in body.vertices() {
                self.body_of[v as usize] = number;
                self.inverse_masses[v as usize] = body.mobility(v, v);
            }
        }
        self.bodies = bodies;
        self
    }

    /// Whether all lists have one length, no vertex is ahead of a time, and vertices are those of bodies that there are.
    pub(super) fn is_consistent(&self, now: Ticks) -> bool {
        let lengths =
            [self.velocities.len(), self.times.len(), self.inverse_masses.len(), self.balls.len(), self.body_of.len()];
        let count = self.positions.len();
        let is_of = |body: u32| body == FREE || (body as usize) < self.bodies.len();
        lengths == [count; 5]
            && self.times.iter().all(|time| *time <= now)
            && self.left.iter().all(|v| (*v as usize) < count)
            && self.body_of.iter().all(|&body| is_of(body))
            && self.bodies.iter().all(|body| body.is_consistent(count, now))
            && self.log.is_none()
    }

    /// Drops memory that is used again.
    pub(super) fn clear(&mut self) {
        self.spare = KickLog::default();
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Where a vertex is at a time no earlier than its last kick, m.
    pub fn position(&self, vertex: u32, now: Ticks) -> DVec3 {
        if let Some(body) = self.body_of(vertex) {
            return self.bodies[body as usize].position_of(vertex, now);
        }
        let v = vertex as usize;
        self.positions[v] + self.velocities[v] * now.since(self.times[v])
    }

    /// m/s.
    pub fn velocity(&self, vertex: u32) -> DVec3 {
        match self.body_of(vertex) {
            Some(body) => self.bodies[body as usize].velocity_of(vertex),
            None => self.velocities[vertex as usize],
        }
    }

    /// The number of the body of a vertex; `None` if it is free.
    pub fn body_of(&self, vertex: u32) -> Option<u32> {
        Some(self.body_of[vertex as usize]).filter(|&body| body != FREE)
    }

    /// All bodies.
    pub fn bodies(&self) -> &[AffineBody] {
        &self.bodies
    }

    /// The velocity that a vertex gets by a unit impulse at another, along it, 1/kg.
    pub fn mobility(&self, vertex: u32, other: u32) -> f64 {
        if vertex == other {
            return self.inverse_mass(vertex);
        }
        match [self.body_of(vertex), self.body_of(other)] {
            [Some(body), Some(same)] if body == same => self.bodies[body as usize].mobility(vertex, other),
            _ => 0.0,
        }
    }

    /// 1/kg.
    pub fn inverse_mass(&self, vertex: u32) -> f64 {
        self.inverse_masses[vertex as usize]
    }

    /// What certificates take the velocity of a vertex to be.
    pub fn ball(&self, vertex: u32) -> &VelocityBall {
        &self.balls[vertex as usize]
    }

    /// Puts the ball of a vertex around its velocity, with a radius in m/s.
    pub fn set_ball(&mut self, vertex: u32, radius: f64) {
        let centre = self.velocity(vertex);
        self.balls[vertex as usize] = VelocityBall { centre, radius, is_left: false };
        if let Some(body) = self.body_of(vertex) {
            self.bodies[body as usize].set_ball(radius);
        }
    }

    /// One of those whose velocities have left their balls, each once.
    pub fn pop_left(&mut self) -> Option<u32> {
        self.left.pop()
    }

    /// A body whose shape has changed so much that it may be turned inside out.
    pub fn distorted(&self) -> Option<u32> {
        self.distorted
    }

    /// Changes the momentum of a vertex, kg m/s. One without inverse mass, and an impulse of zero, change nothing, the time of
    /// the vertex included: what does not happen leaves no trace in the rounding.
    pub fn kick(&mut self, vertex: u32, impulse: DVec3, now: Ticks) {
        if let Some(body) = self.body_of(vertex) {
            if self.bodies[body as usize].is_movable() {
                self.log_body(body, now);
                self.bodies[body as usize].kick(vertex, impulse, now);
                self.has_changed(body);
            }
            return;
        }
        let change = impulse * self.inverse_mass(vertex);
        if change != DVec3::ZERO {
            self.set_velocity(vertex, self.velocity(vertex) + change, now);
        }
    }

    /// Where all are and how they move.
    pub fn motion(&self) -> Motion {
        Motion {
            positions: self.positions.clone(),
            velocities: self.velocities.clone(),
            times: self.times.clone(),
            bodies: self.bodies.iter().map(AffineBody::motion).collect(),
        }
    }

    /// Goes back to a motion.
    pub fn set_motion(&mut self, motion: &Motion) {
        self.positions.clone_from(&motion.positions);
        self.velocities.clone_from(&motion.velocities);
        self.times.clone_from(&motion.times);
        for (body, &of) in self.bodies.iter_mut().zip(&motion.bodies) {
            body.set_motion(of);
        }
        self.distorted = None;
        self.left.clear();
        for ball in &mut self.balls {
            ball.is_left = false;
        }
    }

    /// Logs kicks from now on.
    pub fn begin_log(&mut self, now: Ticks) {
        let mut log = std::mem::take(&mut self.spare);
        log.clear(self.len(), self.bodies.len());
        self.push_all(&mut log, now);
        self.window[0] = now;
        self.log = Some(log);
    }

    /// The kicks up to now.
    pub fn end_log(&mut self, now: Ticks) -> KickLog {
        let mut log = self.log.take().unwrap_or_default();
        self.push_all(&mut log, now);
        self.window[1] = now;
        log
    }

    /// Gives the memory of a log back.
    pub fn return_log(&mut self, log: KickLog) {
        self.spare = log;
    }

    /// The beginning and the end of the last log; `None` if no time passed.
    pub fn window(&self) -> Option<[Ticks; 2]> {
        Some(self.window).filter(|[from, to]| from < to)
    }

    fn push_all(&self, log: &mut KickLog, now: Ticks) {
        for vertex in (0..self.len() as u32).filter(|&vertex| self.body_of(vertex).is_none()) {
            log.push_vertex(vertex, now, self.position(vertex, now));
        }
        for (number, body) in (0..).zip(&self.bodies) {
            log.push_body(number, now, body.placement(now));
        }
    }

    /// Logs a body that is about to be kicked.
    fn log_body(&mut self, body: u32, now: Ticks) {
        if let Some(log) = &mut self.log {
            let moving = &self.bodies[body as usize];
            if moving.time() != now {
                log.push_body(body, now, moving.placement(now));
            }
        }
    }

    /// Accelerates all that forces move, m/s.
    pub fn accelerate(&mut self, change: DVec3, now: Ticks) {
        for vertex in 0..self.len() as u32 {
            let v = vertex as usize;
            if self.body_of[v] == FREE && self.inverse_masses[v] > 0.0 {
                self.set_velocity(vertex, self.velocities[v] + change, now);
            }
        }
        for body in 0..self.bodies.len() as u32 {
            if self.bodies[body as usize].is_movable() {
                let change = DAffine3 { matrix3: DMat3::ZERO, translation: change };
                self.log_body(body, now);
                self.bodies[body as usize].change_velocity(&change, now);
                self.has_changed(body);
            }
        }
    }

    /// A body acts against its strain for a step, s.
    pub fn keep_shape(&mut self, body: u32, step: f64, now: Ticks) {
        self.log_body(body, now);
        self.bodies[body as usize].keep_shape(step, now);
        self.has_changed(body);
        if !self.bodies[body as usize].is_regular(now) {
            self.distorted = Some(body);
        }
    }

    /// Says how long the steps of a body are, s.
    pub fn set_step(&mut self, body: u32, step: f64) {
        self.bodies[body as usize].set_step(step);
    }

    /// Moves a body on a straight way to a placement at a later time.
    pub fn send(&mut self, body: u32, to: Option<(Ticks, DAffine3)>, now: Ticks) {
        self.log_body(body, now);
        let moving = &mut self.bodies[body as usize];
        let from = moving.placement(now);
        let velocity = to.map_or(DAffine3 { matrix3: DMat3::ZERO, translation: DVec3::ZERO }, |(time, to)| {
            let time = time.since(now);
            let (matrix3, translation) =
                ((to.matrix3 - from.matrix3) / time, (to.translation - from.translation) / time);
            DAffine3 { matrix3, translation }
        });
        moving.set_velocity(velocity, now);
        self.has_changed(body);
    }

    /// Looks for velocities that have left their balls, if any may have.
    fn has_changed(&mut self, body: u32) {
        let moving = &self.bodies[body as usize];
        if moving.is_too_fast() {
            self.distorted = Some(body);
        }
        if moving.is_in_balls() {
            return;
        }
        let mut margin = f64::INFINITY;
        for vertex in moving.vertices() {
            let ball = &mut self.balls[vertex as usize];
            let room = ball.radius - (moving.velocity_of(vertex) - ball.centre).length();
            if room >= 0.0 {
                margin = margin.min(room);
            } else if !ball.is_left {
                ball.is_left = true;
                self.left.push(vertex);
            }
        }
        self.bodies[body as usize].set_reference(margin);
    }

    /// Whether a window is running.
    pub fn is_logging(&self) -> bool {
        self.log.is_some()
    }

    /// Takes velocities over from blocks whose forces have acted: in a window on several threads.
    pub fn take_over(&mut self, blocks: &Blocks, motions: &[BlockMotion], now: Ticks) {
        let Some(log) = &mut self.log else {
            return blocks.all_changed(motions).for_each(|(vertex, velocity)| self.set_velocity(vertex, velocity, now));
        };
        let motion =
            self.positions.par_iter_mut().zip(&mut self.velocities).zip(&mut self.times).zip(log.vertices_mut());
        let left = motion.enumerate().in_tasks_of(256).filter_map(|(v, (((position, velocity), time), path))| {
            let changed = blocks.changed(v, motions)?;
            if *time != now {
                *position += *velocity * now.since(*time);
                *time = now;
                path.push((now, *position));
            }
            *velocity = changed;
            (!velocity.is_finite()).then_some(v as u32)
        });
        // There are no balls in windows; this is how a velocity that is none is found.
        self.left.extend(left.min());
    }

    /// Gives a free vertex another velocity from now on, m/s.
    pub fn set_velocity(&mut self, vertex: u32, velocity: DVec3, now: Ticks) {
        let v = vertex as usize;
        if self.times[v] != now {
            self.positions[v] += self.velocities[v] * now.since(self.times[v]);
            self.times[v] = now;
            if let Some(log) = &mut self.log {
                log.push_vertex(vertex, now, self.positions[v]);
            }
        }
        self.velocities[v] = velocity;
        let ball = &mut self.balls[v];
        let is_in = (velocity - ball.centre).length_squared() <= ball.radius * ball.radius;
        if !is_in && !ball.is_left {
            ball.is_left = true;
            self.left.push(vertex);
        }
    }
}
