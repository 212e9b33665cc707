//! Vertices, each with a time of its own.

use glam::DVec3;

use super::clock::Ticks;

/// Vertices that run straight between kicks. All lists have the same length and order.
#[derive(Clone, Debug, PartialEq)]
pub struct Vertices {
    /// Where each is at its time, m.
    positions: Vec<DVec3>,
    /// m/s.
    velocities: Vec<DVec3>,
    /// When each was kicked last.
    times: Vec<Ticks>,
    /// 1/kg; zero of those that no force moves.
    inverse_masses: Vec<f64>,
    balls: Vec<VelocityBall>,
    /// Those whose velocities have left their balls.
    left: Vec<u32>,
}

/// What certificates take a velocity to be: anything in a ball. As long as it stays in, they hold.
#[derive(Clone, Copy, Debug, PartialEq)]
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
        }
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
        let v = vertex as usize;
        self.positions[v] + self.velocities[v] * now.since(self.times[v])
    }

    /// m/s.
    pub fn velocity(&self, vertex: u32) -> DVec3 {
        self.velocities[vertex as usize]
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
    }

    /// One of those whose velocities have left their balls, each once.
    pub fn pop_left(&mut self) -> Option<u32> {
        self.left.pop()
    }

    /// Changes the momentum of a vertex, kg m/s. One without inverse mass, and an impulse of zero, change nothing, the time of
    /// the vertex included: what does not happen leaves no trace in the rounding.
    pub fn kick(&mut self, vertex: u32, impulse: DVec3, now: Ticks) {
        let change = impulse * self.inverse_mass(vertex);
        if change != DVec3::ZERO {
            self.set_velocity(vertex, self.velocity(vertex) + change, now);
        }
    }

    /// Gives a vertex another velocity from now on, m/s.
    pub fn set_velocity(&mut self, vertex: u32, velocity: DVec3, now: Ticks) {
        let v = vertex as usize;
        if self.times[v] != now {
            self.positions[v] = self.position(vertex, now);
            self.times[v] = now;
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
