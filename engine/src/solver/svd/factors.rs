//! The thin factors of A = G_R G_Cᵀ.
//!
//! With M⁻¹ = L Lᵀ the rows of G_R = R L are the motions that contacts resist, those of G_C = C L the directions in
//! which they push, in coordinates in which the kinetic energy is half the square. A static contact has three rows,
//! the same in both; a dynamic one has its normal in G_R and the edge of its cone in G_C.

use super::{ContactStatus, ForceBody, ForceContact};
use crate::solver::Twist;
use glam::DMat3;

/// One row of the factors. Columns 0–5 belong to the first body, 6–11 to the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// The contact.
    pub contact: usize,
    /// The indices of the two bodies among those that yield; none for one that does not.
    pub bodies: [Option<usize>; 2],
    /// The motion that is resisted.
    pub resisted: [f64; 12],
    /// The direction of the force.
    pub pushed: [f64; 12],
    /// The force along normal, s and t for an unknown of one.
    pub direction: [f64; 3],
    /// The part of b that no motion of the bodies makes.
    pub bias: f64,
}

/// A contact in scaled coordinates: its two bodies, its three rows, and the biases of the rows.
#[derive(Clone, Copy, Debug)]
struct Scaled {
    bodies: [Option<usize>; 2],
    rows: [[f64; 12]; 3],
    bias: [f64; 3],
}

/// Bodies and contacts in scaled coordinates.
#[derive(Clone, Debug)]
pub struct System {
    contacts: Vec<Scaled>,
    /// The free motion of the bodies that yield, L⁻¹ a, six numbers for each.
    pub free: Vec<f64>,
}

impl System {
    /// Scales bodies and contacts, which have been checked.
    pub fn new(bodies: &[ForceBody], contacts: &[ForceContact]) -> Self {
        let mut indices = vec![None; bodies.len()];
        let mut scales = Vec::with_capacity(bodies.len());
        let mut free = Vec::new();
        // What of the free motion the scaled coordinates do not hold: that of bodies that do not yield in some way.
        let mut rests = Vec::with_capacity(bodies.len());
        for (index, body) in indices.iter_mut().zip(bodies) {
            let scale = Scale::of(body);
            let (scaled, rest) = scale.split(&body.free);
            if body.inverse_mass > 0.0 {
                *index = Some(free.len() / 6);
                free.extend(scaled);
            }
            scales.push(scale);
            rests.push(rest);
        }
        let scaled = |contact: &ForceContact| {
            let ends = contact.bodies.map(|body| body.index());
            let mut rows = [[0.0; 12]; 3];
            let mut bias = contact.bias;
            for ((row, jacobian), bias) in rows.iter_mut().zip(&contact.jacobian).zip(&mut bias) {
                for (side, &body) in ends.iter().enumerate() {
                    let part = &jacobian.as_chunks::<6>().0[side];
                    row[6 * side..6 * side + 6].copy_from_slice(&scales[body].row(part));
                    *bias += part.iter().zip(&rests[body]).map(|(j, x)| j * x).sum::<f64>();
                }
            }
            Scaled { bodies: ends.map(|body| indices[body]), rows, bias }
        };
        Self { contacts: contacts.iter().map(scaled).collect(), free }
    }

    /// The rows of all contacts that bear a force. `edges` holds the friction along s and t for a normal force of one.
    pub fn rows(&self, statuses: &[ContactStatus], edges: &[[f64; 2]]) -> Vec<Row> {
        let mut rows = Vec::with_capacity(3 * self.contacts.len());
        for (contact, (scaled, status)) in self.contacts.iter().zip(statuses).enumerate() {
            let Scaled { bodies, rows: [normal, s, t], bias } = *scaled;
            let row = |resisted, pushed, direction, bias| Row { contact, bodies, resisted, pushed, direction, bias };
            match status {
                ContactStatus::Static => {
                    rows.push(row(normal, normal, [1.0, 0.0, 0.0], bias[0]));
                    rows.push(row(s, s, [0.0, 1.0, 0.0], bias[1]));
                    rows.push(row(t, t, [0.0, 0.0, 1.0], bias[2]));
                }
                ContactStatus::Dynamic => {
                    let [es, et] = edges[contact];
                    let length = (1.0 + es * es + et * et).sqrt();
                    let direction = [1.0 / length, es / length, et / length];
                    let pushed =
                        std::array::from_fn(|k| direction[0] * normal[k] + direction[1] * s[k] + direction[2] * t[k]);
                    rows.push(row(normal, pushed, direction, bias[0]));
                }
                ContactStatus::Inactive => {}
            }
        }
        rows
    }

    /// The relative motion (normal, s, t) at each contact when the bodies move by `motion` in scaled coordinates.
    pub fn relative_motions(&self, motion: &[f64]) -> Vec<[f64; 3]> {
        let at =
            |scaled: &Scaled| std::array::from_fn(|k| apply(&scaled.rows[k], scaled.bodies, motion) + scaled.bias[k]);
        self.contacts.iter().map(at).collect()
    }
}

/// A row times a motion of all bodies.
#[inline]
pub fn apply(row: &[f64; 12], bodies: [Option<usize>; 2], motion: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (side, body) in bodies.into_iter().enumerate() {
        if let Some(body) = body {
            sum += (0..6).map(|k| row[6 * side + k] * motion[6 * body + k]).sum::<f64>();
        }
    }
    sum
}

/// Adds a row, as a column, times a force to the motion of all bodies.
#[inline]
pub fn spread(row: &[f64; 12], bodies: [Option<usize>; 2], force: f64, motion: &mut [f64]) {
    for (side, body) in bodies.into_iter().enumerate() {
        if let Some(body) = body {
            (0..6).for_each(|k| motion[6 * body + k] += row[6 * side + k] * force);
        }
    }
}

/// L of a body: the root of the inverse mass, and the lower Cholesky factor of the inverse inertia. A direction in
/// which it does not yield has a column of zeros.
struct Scale {
    linear: f64,
    angular: [[f64; 3]; 3],
}

impl Scale {
    fn of(body: &ForceBody) -> Self {
        let angular = if body.inverse_mass > 0.0 { lower(&body.inverse_inertia) } else { [[0.0; 3]; 3] };
        Self { linear: body.inverse_mass.sqrt(), angular }
    }

    /// A row of the Jacobian times L.
    fn row(&self, row: &[f64; 6]) -> [f64; 6] {
        let l = &self.angular;
        let mut scaled = [0.0; 6];
        for k in 0..3 {
            scaled[k] = row[k] * self.linear;
            scaled[3 + k] = (k..3).map(|i| row[3 + i] * l[i][k]).sum();
        }
        scaled
    }

    /// The motion x as L y plus a rest.
    fn split(&self, x: &Twist) -> ([f64; 6], Twist) {
        let (mut scaled, mut rest) = ([0.0; 6], *x);
        for k in 0..3 {
            if self.linear > 0.0 {
                scaled[k] = x[k] / self.linear;
                rest[k] = 0.0;
            }
        }
        for k in 0..3 {
            if self.angular[k][k] > 0.0 {
                scaled[3 + k] = rest[3 + k] / self.angular[k][k];
                rest[3 + k] = 0.0;
                (k + 1..3).for_each(|i| rest[3 + i] -= self.angular[i][k] * scaled[3 + k]);
            }
        }
        (scaled, rest)
    }
}

/// The lower Cholesky factor; a pivot without a positive value gives a column of zeros.
fn lower(matrix: &DMat3) -> [[f64; 3]; 3] {
    let m = matrix.to_cols_array_2d();
    let mut l = [[0.0; 3]; 3];
    for j in 0..3 {
        let pivot = m[j][j] - (0..j).map(|k| l[j][k] * l[j][k]).sum::<f64>();
        if pivot <= 0.0 {
            continue;
        }
        l[j][j] = pivot.sqrt();
        for i in j + 1..3 {
            l[i][j] = (m[j][i] - (0..j).map(|k| l[i][k] * l[j][k]).sum::<f64>()) / l[j][j];
        }
    }
    l
}
