use super::*;
use glam::DMat3;

/// Bricks in a row of the wall, and rows: one island that is large enough for several threads.
const WIDTH: u32 = 40;
const ROWS: u32 = 12;

/// A wall of bricks of one metre, each over two, with a bond of contacts; the highest ones are pushed.
fn wall() -> (Vec<SolverBody>, Vec<SoftContact>) {
    let body = |x: f64, y: f64, inverse_mass: f64, speed: f64| SolverBody {
        position: DVec3::new(x, y, 0.0),
        inverse_mass,
        inverse_inertia: DMat3::from_diagonal(DVec3::new(4.0, 5.0, 6.0) * inverse_mass),
        twist: [speed, 0.0, 0.1 * speed, 0.0, 0.3 * speed, 0.0],
        forced_change: if inverse_mass > 0.0 { [0.0, -0.0982, 0.0, 0.0, 0.0, 0.0] } else { [0.0; 6] },
    };
    let mut bodies = vec![body(0.0, -0.5, 0.0, 0.0)];
    let mut contacts = Vec::new();
    for row in 0..ROWS {
        for k in 0..WIDTH {
            let x = f64::from(k) + if row % 2 == 0 { 0.0 } else { 0.5 };
            let own = bodies.len() as u32;
            bodies.push(body(x, f64::from(row) + 0.5, 1e-3, if row == ROWS - 1 { 0.7 } else { 0.0 }));
            let below: Vec<u32> = match row {
                0 => vec![0],
                _ if row % 2 == 0 => [own - WIDTH - 1, own - WIDTH].into_iter().skip(usize::from(k == 0)).collect(),
                _ => [own - WIDTH, own - WIDTH + 1].into_iter().take(if k == WIDTH - 1 { 1 } else { 2 }).collect(),
            };
            for (i, &a) in below.iter().enumerate() {
                for z in [-0.5, 0.5] {
                    let position = DVec3::new(x - 0.25 + 0.5 * i as f64, f64::from(row), z);
                    contacts.push(SoftContact {
                        a,
                        b: own,
                        position,
                        normal: DVec3::Y,
                        gap: -1e-6 * f64::from(k),
                        slack: 0.0,
                        friction: [0.5, 0.3, 0.1],
                        bounce: 0.0,
                        impulse: [0.0; 4],
                    });
                }
            }
        }
    }
    (bodies, contacts)
}

fn solved(instructions: Instructions, threads: usize) -> (Vec<Impulse>, Vec<Twist>) {
    let (bodies, mut contacts) = wall();
    let settings = SoftSettings::ACCURATE;
    let movers: Vec<Mover> =
        bodies.iter().map(|body| Mover::new(body, body.inverse_mass > 0.0, settings.substeps)).collect();
    let mut step = SoftStep { instructions, ..SoftStep::default() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| step.solve(&Interruption::NEVER, &movers, &mut contacts, (&settings, 0.01))).unwrap();
    let twists = (0..movers.len()).map(|k| step.twist(k, &movers[k])).collect();
    (step.totals, twists)
}

#[test]
fn the_same_bits_with_all_instructions_and_threads() {
    let first = solved(Instructions::Baseline, 1);
    assert!(first.0.iter().any(|impulse| impulse[0] > 0.0));
    for (instructions, threads) in
        [(Instructions::Widest, 1), (Instructions::Avx2, 1), (Instructions::Widest, 3), (Instructions::Baseline, 8)]
    {
        assert_eq!(solved(instructions, threads), first, "{instructions:?}, {threads}");
    }
}

#[test]
fn impulses_keep_momentum_and_stay_in_their_cones() {
    let (bodies, contacts) = wall();
    let (impulses, twists) = solved(Instructions::Widest, 1);
    let mut momentum = DVec3::ZERO;
    for (body, twist) in bodies.iter().zip(&twists).filter(|(body, _)| body.inverse_mass > 0.0) {
        let change = |k: usize| twist[k] - body.twist[k] - body.forced_change[k];
        momentum += DVec3::new(change(0), change(1), change(2)) / body.inverse_mass;
    }
    let mut pushed = DVec3::ZERO;
    for (contact, &[n, s, t, torsion]) in contacts.iter().zip(&impulses) {
        let [x, y, z] = contact.friction;
        assert!((s / x).hypot(t / y).hypot(torsion / z) <= n * (1.0 + 1e-12) + 1e-12);
        let [u, v] = crate::solver::contact_problem::tangents(contact.normal);
        if contact.a == 0 {
            pushed += contact.normal * n + u * s + v * t;
        }
    }
    assert!((momentum - pushed).length() < 1e-9 * pushed.length(), "{momentum} {pushed}");
}
