//! A primal-dual interior point method for the cone problem, for starts that are far from the solution: Nesterov–Todd scaling and
//! Mehrotra's predictor and corrector (L. Vandenberghe, "The CVXOPT linear and quadratic cone program solvers", 2010), on the
//! same matrix as the Newton method. De Saxcé's term follows the velocities until the gap has fallen, then it stays and is
//! solved for again (the fixed point of Acary and Cadoux 2011).
//!
//! Each contact is scaled by the root of its compliance: x = λ̂ √W, z = (û + s e_n)/√W, x and z in K, x · z = 0.

use super::block_cholesky::{BlockCholesky, Column, PairPlace, dot};
use super::cone_problem::ConeProblem;
use super::friction_cone::{project, tangent};
use super::{GlobalSettings, Work};
use crate::solver::Impulse;

/// Steps of one solve at most.
const MAX_STEPS: usize = 60;

/// Solves with a sliding term that stays, at most.
const MAX_ROUNDS: usize = 3;

/// The sliding term follows until the gap has fallen to this share.
const FOLLOWS_UNTIL: f64 = 1e-3;

/// A step goes so far towards the surface of the cones.
const TO_SURFACE: f64 = 0.99;

/// Steps without progress after which the best iterate is taken.
const MAX_STALLED: usize = 6;

/// Equations that are missed by so many times the least so far, and by more than the law, are lost to rounding.
const LOST: f64 = 4.0;

/// A round begins where the one before missed the law by more than so many times what the sliding terms have changed by.
const FROM_CHANGE: f64 = 10.0;

/// An impulse of which the normal part stops a contact by less than this counts as none, m/s.
const CARRIES: f64 = 1e-6;

type Vector = [f64; 4];

/// Impulses and velocities of all contacts, scaled.
#[derive(Clone)]
struct Iterate {
    changes: Vec<Column>,
    x: Vec<Vector>,
    z: Vec<Vector>,
}

/// A direction of the same.
struct Direction {
    changes: Vec<Column>,
    x: Vec<Vector>,
    z: Vec<Vector>,
}

/// What is left of the equations.
struct Residual {
    /// z − (û + s e_n)/√W.
    velocity: Vec<Vector>,
    /// Mw − Jᵀλ̂.
    momentum: Vec<Column>,
}

/// Scaled impulses of structures in which nothing slides: without sliding terms the problem is a convex one, and few steps solve it.
/// Where something slides they are as if it moved away from the other body too. `None` where the method found nothing.
pub fn solve_sticking(
    problem: &ConeProblem,
    parts: (&mut BlockCholesky, &[Option<PairPlace>]),
    settings: &GlobalSettings,
    work: &mut Work,
) -> Option<Vec<Impulse>> {
    let mut method = InteriorPoint::new(problem);
    let start = method.inside();
    let end = method.run(parts, Some(start), settings.velocity_tolerance, work, &mut Vec::new())?;
    Some(method.impulses(&end))
}

/// Scaled impulses, and whether they satisfy the law as well as the settings ask, where all bodies are fast a hundredth of
/// their sliding less well. `None` where the method found nothing.
pub fn solve(
    problem: &ConeProblem,
    (matrix, places): (&mut BlockCholesky, &[Option<PairPlace>]),
    settings: &GlobalSettings,
    work: &mut Work,
) -> Option<(Vec<Impulse>, bool)> {
    let mut method = InteriorPoint::new(problem);
    let mut best: Option<(Vec<Impulse>, f64)> = None;
    let mut is_good = false;
    let mut start = None;
    for _ in 0..MAX_ROUNDS {
        let mut way = Vec::new();
        let run = method.run((matrix, places), start.take(), settings.velocity_tolerance, work, &mut way);
        let Some(end) = run else { break };
        let impulses = method.impulses(&end);
        let natural_map = problem.natural_map(&impulses, &[]);
        let slides = problem.contacts.iter().map(|contact| tangent(&contact.velocity(&end.changes)));
        let slides: Vec<f64> = slides.collect();
        let carries = |k: &usize| impulses[*k][0] * problem.contacts[*k].compliance > CARRIES;
        let fastest = (0..slides.len()).filter(carries).map(|k| slides[k]).fold(0.0, f64::max);
        if best.as_ref().is_none_or(|(_, known)| natural_map < *known) {
            best = Some((impulses, natural_map));
        }
        is_good = best.as_ref().is_some_and(|(_, map)| *map < 10.0 * settings.velocity_tolerance + 1e-2 * fastest);
        if is_good {
            break;
        }
        let mut change = 0.0_f64;
        for (sliding, (slide, scale)) in method.sliding.iter_mut().zip(slides.iter().zip(&method.scales)) {
            change = change.max((slide - *sliding * scale).abs());
            *sliding = slide / scale;
        }
        // The next round begins where this one was still as far from its end as the sliding terms have changed.
        let place = way.iter().rposition(|(_, law)| *law > FROM_CHANGE * change).unwrap_or(0);
        start = Some(if way.is_empty() { method.inside() } else { way.swap_remove(place).0 });
    }
    best.map(|(impulses, _)| (impulses, is_good))
}

struct InteriorPoint<'p> {
    problem: &'p ConeProblem,
    /// √W of each contact.
    scales: Vec<f64>,
    /// s/√W.
    sliding: Vec<f64>,
}

impl<'p> InteriorPoint<'p> {
    /// Without sliding terms.
    fn new(problem: &'p ConeProblem) -> Self {
        let scales = problem.contacts.iter().map(|contact| contact.compliance.sqrt()).collect();
        Self { problem, scales, sliding: vec![0.0; problem.contacts.len()] }
    }

    /// The scaled impulses of an iterate, within their cones.
    fn impulses(&self, at: &Iterate) -> Vec<Impulse> {
        at.x.iter().zip(&self.scales).map(|(x, scale)| project(&x.map(|x| x / scale)).0).collect()
    }

    fn velocities(&self, changes: &[Column]) -> Vec<Vector> {
        let velocity =
            |(contact, scale): (&super::cone_problem::ConeContact, &f64)| contact.velocity(changes).map(|u| u / scale);
        self.problem.contacts.iter().zip(&self.scales).map(velocity).collect()
    }

    /// Jᵀ of scaled impulses.
    fn momenta(&self, x: &[Vector]) -> Vec<Column> {
        let mut momenta = vec![[0.0; 6]; self.problem.masses.len()];
        for ((contact, scale), x) in self.problem.contacts.iter().zip(&self.scales).zip(x) {
            contact.add_impulse(&x.map(|x| x / scale), 1.0, &mut momenta);
        }
        momenta
    }

    fn residual(&self, at: &Iterate, velocities: &[Vector]) -> Residual {
        let velocity = |k: usize| {
            let mut rest: Vector = std::array::from_fn(|i| at.z[k][i] - velocities[k][i]);
            rest[0] -= self.sliding[k];
            rest
        };
        let pushed = self.momenta(&at.x);
        let momentum = |body: usize| {
            let mass = &self.problem.masses[body];
            std::array::from_fn(|i| dot(&mass[i], &at.changes[body]) - pushed[body][i])
        };
        Residual {
            velocity: (0..at.z.len()).map(velocity).collect(),
            momentum: (0..pushed.len()).map(momentum).collect(),
        }
    }

    /// The largest velocity by which an iterate misses the equations, and by which it misses x = P_K(x − z), m/s.
    fn missing(&self, at: &Iterate, residual: &Residual) -> (f64, f64) {
        let (mut equations, mut law) = (0.0_f64, 0.0_f64);
        for (rest, scale) in residual.velocity.iter().zip(&self.scales) {
            rest.iter().for_each(|x| equations = equations.max((x * scale).abs()));
        }
        for (body, momentum) in residual.momentum.iter().enumerate() {
            self.problem.change(body, momentum).iter().for_each(|x| equations = equations.max(x.abs()));
        }
        for ((x, z), scale) in at.x.iter().zip(&at.z).zip(&self.scales) {
            let (nearest, _) = project(&std::array::from_fn(|i| x[i] - z[i]));
            for (x, nearest) in x.iter().zip(nearest) {
                let distance = scale * (x - nearest).abs();
                law = if distance <= law { law } else { distance };
            }
        }
        (equations, law)
    }

    /// An iterate well inside of the cones.
    fn inside(&self) -> Iterate {
        let changes = vec![[0.0; 6]; self.problem.masses.len()];
        let size = self.velocities(&changes).iter().flatten().fold(1e-9_f64, |size, u| size.max(u.abs()));
        let inside = vec![[size, 0.0, 0.0, 0.0]; self.problem.contacts.len()];
        Iterate { changes, x: inside.clone(), z: inside }
    }

    /// The solution for sliding terms that stay, from an iterate, or for such that follow the velocities until the gap has fallen. `way` is
    /// where it came through with terms that stay, each with the velocity by which it misses the law, m/s.
    fn run(
        &mut self,
        (matrix, places): (&mut BlockCholesky, &[Option<PairPlace>]),
        start: Option<Iterate>,
        tolerance: f64,
        work: &mut Work,
        way: &mut Vec<(Iterate, f64)>,
    ) -> Option<Iterate> {
        let count = self.problem.contacts.len();
        let mut follows = start.is_none();
        let mut at = start.unwrap_or_else(|| self.inside());
        let first_gap = mean_product(&at.x, &at.z);
        let mut least = f64::INFINITY;
        let mut best: Option<(Iterate, f64)> = None;
        let mut stalled = 0;
        for _ in 0..MAX_STEPS {
            if self.problem.interruption.is_wanted() {
                return None;
            }
            let velocities = self.velocities(&at.changes);
            let gap = mean_product(&at.x, &at.z);
            follows &= gap >= FOLLOWS_UNTIL * first_gap;
            if follows {
                self.sliding.iter_mut().zip(&velocities).for_each(|(sliding, velocity)| *sliding = tangent(velocity));
            }
            let residual = self.residual(&at, &velocities);
            let (equations, law) = self.missing(&at, &residual);
            if !(gap.is_finite() && law.is_finite() && equations.is_finite()) {
                break;
            }
            if equations < tolerance && law < tolerance {
                return Some(at);
            }
            // The smaller the gap, the more of the equations is lost to rounding.
            if !follows && equations > law && equations > LOST * least {
                break;
            }
            least = least.min(equations);
            if !follows {
                way.push((at.clone(), law));
            }
            let missing = equations.max(law);
            let is_better = best.as_ref().is_none_or(|(_, known)| missing < *known) || follows;
            stalled =
                if follows || best.as_ref().is_none_or(|(_, known)| missing <= 0.95 * known) { 0 } else { stalled + 1 };
            if is_better {
                best = Some((at.clone(), missing));
            }
            if stalled >= MAX_STALLED {
                break;
            }
            let scalings: Vec<Scaling> = at.x.iter().zip(&at.z).map(|(x, z)| Scaling::of(x, z)).collect();
            self.problem.assemble(matrix, places, |k, contact| {
                Some(scalings[k].inverse_square().map(|row| row.map(|x| x / contact.compliance)))
            });
            work.interior_point_steps += 1;
            if !matrix.factorize() {
                break;
            }
            // λ = W x = W⁻¹ z.
            let centres: Vec<Vector> = scalings.iter().zip(&at.x).map(|(scaling, x)| scaling.apply(x)).collect();
            let towards: Vec<Vector> = centres.iter().map(|centre| jordan(centre, centre).map(|x| -x)).collect();
            let predicted = self.direction(matrix, &scalings, &centres, &residual, &towards);
            let share = longest(&at, &predicted).min(1.0);
            let moved = |from: &[Vector], by: &[Vector]| -> Vec<Vector> {
                from.iter().zip(by).map(|(a, b)| std::array::from_fn(|i| a[i] + share * b[i])).collect()
            };
            let ahead = mean_product(&moved(&at.x, &predicted.x), &moved(&at.z, &predicted.z));
            let centring = (ahead / gap).clamp(0.0, 1.0).powi(3) * gap;
            let corrected: Vec<Vector> = (0..count)
                .map(|k| {
                    let second =
                        jordan(&scalings[k].apply(&predicted.x[k]), &scalings[k].apply_inverse(&predicted.z[k]));
                    let mut target: Vector = std::array::from_fn(|i| towards[k][i] - second[i]);
                    target[0] += centring;
                    target
                })
                .collect();
            let step = self.direction(matrix, &scalings, &centres, &residual, &corrected);
            let share = (TO_SURFACE * longest(&at, &step)).min(1.0);
            for (own, by) in at.changes.iter_mut().zip(&step.changes) {
                (0..6).for_each(|i| own[i] += share * by[i]);
            }
            for (own, by) in at.x.iter_mut().zip(&step.x).chain(at.z.iter_mut().zip(&step.z)) {
                (0..4).for_each(|i| own[i] += share * by[i]);
            }
            if share < 1e-6 {
                break;
            }
        }
        best.map(|(at, _)| at)
    }

    /// The Newton direction whose complementarity goes to `target`.
    fn direction(
        &self,
        matrix: &BlockCholesky,
        scalings: &[Scaling],
        centres: &[Vector],
        residual: &Residual,
        target: &[Vector],
    ) -> Direction {
        let count = scalings.len();
        // dx = q − W⁻² dz, dz = J dw/√W − r.
        let q: Vec<Vector> = (0..count).map(|k| scalings[k].apply_inverse(&divide(&centres[k], &target[k]))).collect();
        let squares: Vec<[[f64; 4]; 4]> = scalings.iter().map(Scaling::inverse_square).collect();
        let pushed: Vec<Vector> = (0..count)
            .map(|k| {
                let back = times(&squares[k], &residual.velocity[k]);
                std::array::from_fn(|i| q[k][i] + back[i])
            })
            .collect();
        let momenta = self.momenta(&pushed);
        let right: Vec<Column> = momenta
            .iter()
            .zip(&residual.momentum)
            .map(|(momentum, rest)| std::array::from_fn(|i| momentum[i] - rest[i]))
            .collect();
        let changes = matrix.solve(&right);
        let (mut x, mut z) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for (k, contact) in self.problem.contacts.iter().enumerate() {
            let velocity = contact.velocity(&changes);
            let dz: Vector =
                std::array::from_fn(|i| (velocity[i] - contact.bias[i]) / self.scales[k] - residual.velocity[k][i]);
            let back = times(&squares[k], &dz);
            x.push(std::array::from_fn(|i| q[k][i] - back[i]));
            z.push(dz);
        }
        Direction { changes, x, z }
    }
}

/// x · z over the number of contacts.
fn mean_product(x: &[Vector], z: &[Vector]) -> f64 {
    let sum: f64 = x.iter().zip(z).map(|(x, z)| inner(x, z)).sum();
    sum / x.len() as f64
}

fn inner(a: &Vector, b: &Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

fn times(matrix: &[[f64; 4]; 4], x: &Vector) -> Vector {
    matrix.each_ref().map(|row| inner(row, x))
}

/// The product of the Jordan algebra of the cone.
fn jordan(a: &Vector, b: &Vector) -> Vector {
    [inner(a, b), a[0] * b[1] + b[0] * a[1], a[0] * b[2] + b[0] * a[2], a[0] * b[3] + b[0] * a[3]]
}

/// The y whose product with a is b.
fn divide(a: &Vector, b: &Vector) -> Vector {
    let across = a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    let first = (a[0] * b[0] - across) / determinant(a);
    [first, (b[1] - first * a[1]) / a[0], (b[2] - first * a[2]) / a[0], (b[3] - first * a[3]) / a[0]]
}

fn determinant(a: &Vector) -> f64 {
    let length = tangent(a);
    (a[0] - length) * (a[0] + length)
}

/// How many times a direction may be added before a contact leaves its cone.
fn longest(at: &Iterate, direction: &Direction) -> f64 {
    let both = at.x.iter().zip(&direction.x).chain(at.z.iter().zip(&direction.z));
    both.map(|(from, by)| to_surface(from, by)).fold(f64::INFINITY, f64::min)
}

fn to_surface(from: &Vector, by: &Vector) -> f64 {
    let mixed = from[0] * by[0] - (from[1] * by[1] + from[2] * by[2] + from[3] * by[3]);
    let square = by[0] * by[0] - (by[1] * by[1] + by[2] * by[2] + by[3] * by[3]);
    let own = determinant(from);
    let mut longest = if by[0] < 0.0 { -from[0] / by[0] } else { f64::INFINITY };
    let root = mixed * mixed - square * own;
    if root >= 0.0 {
        let q = -(mixed + root.sqrt().copysign(mixed));
        for share in [q / square, own / q] {
            if share.is_finite() && share > 0.0 {
                longest = longest.min(share);
            }
        }
    }
    longest
}

/// The symmetric scaling W with W x = W⁻¹ z.
struct Scaling {
    /// Of determinant one.
    axis: Vector,
    factor: f64,
}

impl Scaling {
    fn of(x: &Vector, z: &Vector) -> Self {
        let root = |a: &Vector| determinant(a).max(1e-300).sqrt();
        let (size_x, size_z) = (root(x), root(z));
        let (x, z) = (x.map(|a| a / size_x), z.map(|a| a / size_z));
        let half = (0.5 * (1.0 + inner(&x, &z))).sqrt();
        let axis = std::array::from_fn(|i| (z[i] + if i == 0 { x[i] } else { -x[i] }) / (2.0 * half));
        Self { axis, factor: (size_z / size_x).sqrt() }
    }

    fn apply(&self, a: &Vector) -> Vector {
        self.reflected(a, 1.0, self.factor)
    }

    fn apply_inverse(&self, a: &Vector) -> Vector {
        self.reflected(a, -1.0, 1.0 / self.factor)
    }

    fn reflected(&self, a: &Vector, sign: f64, factor: f64) -> Vector {
        let axis = self.axis;
        let across = sign * (axis[1] * a[1] + axis[2] * a[2] + axis[3] * a[3]);
        let along = sign * (a[0] + across / (1.0 + axis[0]));
        let part = |i: usize| factor * (a[i] + along * axis[i]);
        [factor * (axis[0] * a[0] + across), part(1), part(2), part(3)]
    }

    /// W⁻².
    fn inverse_square(&self) -> [[f64; 4]; 4] {
        let sign = |i: usize| if i == 0 { 1.0 } else { -1.0 };
        let factor = 1.0 / (self.factor * self.factor);
        std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let diagonal = if i == j { sign(i) } else { 0.0 };
                factor * (2.0 * sign(i) * self.axis[i] * sign(j) * self.axis[j] - diagonal)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn in_cone() -> impl Strategy<Value = Vector> {
        [-1.0..1.0f64, -1.0..1.0, -1.0..1.0, 0.01..2.0].prop_map(|[a, b, c, rest]| {
            let length = (a * a + b * b + c * c).sqrt();
            [length + rest, a, b, c]
        })
    }

    fn near(a: &Vector, b: &Vector) -> bool {
        a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-8 * (1.0 + a.abs()))
    }

    proptest! {
        #[test]
        fn the_scaling_takes_both_to_one_point(x in in_cone(), z in in_cone()) {
            let scaling = Scaling::of(&x, &z);
            let centre = scaling.apply(&x);
            prop_assert!(near(&centre, &scaling.apply_inverse(&z)));
            prop_assert!(near(&scaling.apply_inverse(&centre), &x));
            let twice = scaling.apply_inverse(&scaling.apply_inverse(&z));
            prop_assert!(near(&twice, &times(&scaling.inverse_square(), &z)));
        }

        #[test]
        fn a_division_is_undone_by_a_product(a in in_cone(), b in in_cone()) {
            prop_assert!(near(&jordan(&a, &divide(&a, &b)), &b));
        }

        #[test]
        fn the_longest_step_ends_on_the_surface(from in in_cone(), by in [-1.0..1.0f64, -1.0..1.0, -1.0..1.0, -1.0..1.0]) {
            let share = to_surface(&from, &by);
            let at = |share: f64| -> Vector { std::array::from_fn(|i| from[i] + share * by[i]) };
            let height = |v: &Vector| v[0] - tangent(v);
            if share.is_finite() {
                prop_assert!(height(&at(share)).abs() < 1e-6 * (1.0 + share));
                prop_assert!(height(&at(0.99 * share)) > 0.0);
            } else {
                prop_assert!(height(&at(1e6)) > 0.0);
            }
        }
    }
}
