//! Steps that the published program of the assessment suite made, made again.
//!
//! The numbers are a state before a step, the contacts found in it and the state after it, as the program PROX of
//! Kenny Erleben, University of Copenhagen (MIT licence) wrote them, with the nine digits that name a 32-bit number.
//! Single precision gives the states to the last bit. Double precision solves the same problems and ends elsewhere,
//! because the iteration has not converged when its sweeps are used up.

use drystone_contact::{Contact, Feature};
use drystone_engine::solver::{RFactor, Solution, SolverSettings};
use drystone_engine::{Body, BodyId, ContactBetween, Friction, Interaction, MaterialTable, StepSettings};
use drystone_replica::stepper::{Arithmetic, PublishedSettings, step};
use glam::{DQuat, DVec3, Vec3};

/// Where a body is and how it moves: m, quaternion in the order s, x, y, z, m/s, rad/s.
#[derive(Debug, PartialEq)]
struct State {
    position: [f64; 3],
    orientation: [f64; 4],
    velocity: [f64; 3],
    angular_velocity: [f64; 3],
}

/// Mass (kg) and principal moments of inertia (kg m²).
struct Inertia {
    mass: f64,
    moments: [f64; 3],
}

/// One body that moves against one fixed body; contacts as point (m) and normal from the
/// moving body to the fixed one.
struct Recorded {
    name: &'static str,
    body: Inertia,
    before: State,
    contacts: &'static [[f64; 6]],
    after: State,
}

impl State {
    /// The nearest 32-bit numbers.
    fn rounded(&self) -> Self {
        fn round<const N: usize>(numbers: [f64; N]) -> [f64; N] {
            numbers.map(|x| f64::from(x as f32))
        }
        State {
            position: round(self.position),
            orientation: round(self.orientation),
            velocity: round(self.velocity),
            angular_velocity: round(self.angular_velocity),
        }
    }

    fn of(body: &Body) -> Self {
        let q = body.orientation;
        State {
            position: body.position.to_array(),
            orientation: [q.w, q.x, q.y, q.z],
            velocity: body.velocity.to_array(),
            angular_velocity: body.angular_velocity.to_array(),
        }
    }

    /// The largest difference of a velocity component, m/s or rad/s.
    fn velocity_difference(&self, other: &Self) -> f64 {
        let own = self.velocity.iter().chain(&self.angular_velocity);
        let pairs = own.zip(other.velocity.iter().chain(&other.angular_velocity));
        pairs.fold(0.0, |largest, (x, y)| (x - y).abs().max(largest))
    }
}

/// How far a velocity of the first four steps may be off in double precision (m/s or rad/s).
const TOLERANCE: f64 = 2e-4;

/// By how much double precision misses the velocities of the other steps at least (m/s or rad/s).
const MISS: f64 = 1e-3;

/// The bodies before the step, their materials and the contacts.
fn prepared(recorded: &Recorded) -> ([Body; 2], MaterialTable, Vec<ContactBetween>) {
    let mut materials = MaterialTable::new();
    let stone = materials.add("Stone").unwrap();
    materials.set(stone, stone, Interaction::dry(Friction::isotropic(0.65))).unwrap();
    let before = recorded.before.rounded();
    let Inertia { mass, moments } = recorded.body;
    let mut body = Body::dynamic(mass, moments.into(), stone).unwrap();
    let [s, x, y, z] = before.orientation;
    body.position = before.position.into();
    body.orientation = DQuat::from_xyzw(x, y, z, s);
    body.velocity = before.velocity.into();
    body.angular_velocity = before.angular_velocity.into();
    let contacts = recorded
        .contacts
        .iter()
        .map(|&[px, py, pz, nx, ny, nz]| ContactBetween {
            a: BodyId::new(0),
            b: BodyId::new(1),
            contact: Contact {
                position: DVec3::new(px, py, pz),
                normal: DVec3::new(nx, ny, nz),
                gap: 0.0,
                feature_a: Feature::Tetrahedron(0),
                feature_b: Feature::Tetrahedron(0),
            },
        })
        .collect();
    ([body, Body::fixed(stone)], materials, contacts)
}

/// The state after the published step, and its solution.
fn replay<V: Arithmetic>(recorded: &Recorded) -> (State, Solution) {
    let (mut bodies, materials, contacts) = prepared(recorded);
    let report = step::<V>(&mut bodies, &materials, &PublishedSettings::default(), |_| Ok(contacts)).unwrap();
    (State::of(&bodies[0]), report.solution)
}

/// The state after a step of the engine from the same contacts, and its solution.
fn engine_step(recorded: &Recorded, solver: SolverSettings) -> (State, Solution) {
    let (mut bodies, materials, contacts) = prepared(recorded);
    let settings = StepSettings { solver, ..StepSettings::default() };
    let report = drystone_engine::step(&mut bodies, &materials, &settings, |_| Ok(contacts.clone())).unwrap();
    (State::of(&bodies[0]), report.solution)
}

#[test]
fn single_precision_gives_published_steps_to_the_last_bit() {
    for recorded in &RECORDED {
        let (after, _) = replay::<Vec3>(recorded);
        assert_eq!(after, recorded.after.rounded(), "{}", recorded.name);
    }
}

#[test]
fn double_precision_follows_some_published_steps_and_misses_others() {
    for (i, recorded) in RECORDED.iter().enumerate() {
        let (after, _) = replay::<DVec3>(recorded);
        let off = after.velocity_difference(&recorded.after);
        assert!(if i < 4 { off < TOLERANCE } else { off > MISS }, "{}: off by {off}", recorded.name);
    }
}

/// The two ways to go back after a divergent sweep lead to visibly different steps, and the corrected one solves the
/// problem better.
#[test]
fn the_rollback_matters_where_sweeps_diverge() {
    for recorded in &RECORDED[..3] {
        let (_, published) = replay::<DVec3>(recorded);
        let (after, corrected) = engine_step(recorded, SolverSettings::default());
        let off = after.velocity_difference(&recorded.after);
        assert!(published.divergences > 0 && off > 10.0 * TOLERANCE, "{}: {off}", recorded.name);
        let residuals = [published.natural_residual, corrected.natural_residual];
        assert!(residuals[1] < 0.5 * residuals[0], "{}: {residuals:?}", recorded.name);
    }
}

/// Without a reduction nothing goes back, and the iteration passes the divergent sweeps instead of repeating them.
#[test]
fn sweeps_without_reduction_go_on_after_a_divergent_one() {
    for recorded in &RECORDED[..2] {
        for r_factor in [RFactor::Local { reduction: 1.0 }, RFactor::BLOCKED] {
            let (_, solution) = engine_step(recorded, SolverSettings { r_factor, ..SolverSettings::default() });
            assert!(solution.divergences > 0, "{}", recorded.name);
            let residual = solution.natural_residual;
            assert!(residual < 1e-3, "{} {r_factor:?}: {residual}", recorded.name);
        }
    }
}

const SPIKE: Inertia = Inertia { mass: 4096.0, moments: [1409.02429, 1409.02429, 1048.57642] };

const WEDGE: Inertia = Inertia { mass: 12288.002, moments: [14417.9229, 11796.4834, 5242.88184] };

/// The spike as it comes to the crack.
const AT_THE_CRACK: State = State {
    position: [2.4000001, 1.79999995, -8.7979295e-09],
    orientation: [0.0, 0.0, -0.707106829, 0.707106709],
    velocity: [0.800000012, 0.0, 0.0],
    angular_velocity: [0.0, 0.0, 0.0],
};

/// The spike after its first step by the contacts of the opposing method.
const IN_THE_CRACK: State = State {
    position: [2.40754986, 1.79966307, 1.61751777e-05],
    orientation: [0.000813106832, -0.000807137985, -0.707092047, 0.707120657],
    velocity: [0.70995307, -0.0673758835, 0.00323679531],
    angular_velocity: [-0.00813663378, 0.00168829062, -0.458274454],
};

const RECORDED: [Recorded; 7] = [
    Recorded {
        name: "spike in crack, intersection, step 1",
        body: SPIKE,
        before: AT_THE_CRACK,
        contacts: &[[2.40400004, 1.1920929e-07, -3.66425809e-07, 2.0, -2.0, 0.0]],
        after: State {
            position: [2.40746045, 1.79995334, -8.69692496e-09],
            orientation: [0.000998193515, -0.000998193398, -0.707106173, 0.707106054],
            velocity: [0.692086518, -0.0093210265, 2.02009236e-08],
            angular_velocity: [1.93244887e-09, 6.1916495e-08, -0.564663649],
        },
    },
    Recorded {
        name: "wedge in crack, vertex only, step 1",
        body: WEDGE,
        before: State {
            position: [-2.4000001, 1.60000002, -6.99382241e-08],
            orientation: [-4.37113883e-08, 1.0, 0.0, 0.0],
            velocity: [0.800000012, 0.0, 0.0],
            angular_velocity: [0.0, 0.0, 0.0],
        },
        contacts: &[
            [-2.39600015, -2.38418579e-07, 1.59999967, 0.707106769, -0.707106769, 0.0],
            [-2.39600015, 2.38418579e-07, -1.60000038, 0.707106769, -0.707106769, 0.0],
        ],
        after: State {
            position: [-2.39259362, 1.60001075, -1.06344605e-05],
            orientation: [6.08152186e-06, 0.999999404, -0.00111292, -2.29125308e-05],
            velocity: [0.681288481, 0.00213911384, -0.00211290456],
            angular_velocity: [-0.00245009363, 0.0091650337, -0.445168108],
        },
    },
    Recorded {
        name: "wedges, consistent vertex, step 2",
        body: WEDGE,
        before: State {
            position: [-2.38876891, 1.5548203, -0.000182654359],
            orientation: [0.000509186415, 0.999996364, -0.00147700147, 0.00219420809],
            velocity: [1.04623771, -4.23592567, -0.0365168862],
            angular_velocity: [-0.203692287, -0.877684295, -0.590801358],
        },
        contacts: &[
            [-2.37897158, -0.0696285963, -1.59708309, -0.948683262, -0.316227734, 0.0],
            [-2.37897158, -0.0696285963, -1.59708309, 0.948683262, -0.316227734, 0.0],
            [-2.4000001, 0.0, 1.60000002, 0.946759045, -0.321817815, 0.00896790158],
            [-2.4000001, 0.0, 1.60000002, -0.950501204, -0.310625315, -0.0076961047],
        ],
        after: State {
            position: [-2.37832952, 1.53342426, -0.000349157723],
            orientation: [0.00102363445, 0.999979138, -0.00461508753, 0.0044042347],
            velocity: [1.04165614, -0.043261528, 0.00321621075],
            angular_velocity: [0.000805944204, -0.00701534748, -0.664438903],
        },
    },
    Recorded {
        name: "spike in crack, opposing, step 2",
        body: SPIKE,
        before: IN_THE_CRACK,
        contacts: &[
            [2.40285087, -0.000655149866, 0.000178390532, 0.94722414, -0.320571959, 9.75435341e-06],
            [2.40285206, -0.000391569745, 0.000968998706, -0.001465393, -0.316301316, -0.948657572],
            [2.40198326, 0.00172074977, 0.000266052142, -0.001465393, -0.316301316, -0.948657572],
            [2.40198565, 0.00224796566, 9.02637839e-05, -0.001465393, -0.316301316, -0.948657572],
            [2.40464425, 0.00464436738, -0.00159133528, 0.94722414, -0.320571959, 9.75435341e-06],
            [2.40464568, 0.00490791956, -0.00080072711, -0.001465393, -0.316301316, -0.948657572],
        ],
        after: State {
            position: [2.4146502, 1.79851127, 6.55957119e-05],
            orientation: [0.00243196404, -0.00240412867, -0.707028151, 0.707177222],
            velocity: [0.710113406, -0.162993848, 0.00664731301],
            angular_velocity: [-0.0259576421, 0.00453772442, -0.451306969],
        },
    },
    Recorded {
        name: "spike in crack, opposing, step 1",
        body: SPIKE,
        before: AT_THE_CRACK,
        contacts: &[
            [2.40400004, 1.1744654e-07, -3.71714066e-07, 0.0, -0.316227555, -0.948683321],
            [2.40310001, 0.000300151878, -3.66381101e-07, 0.948683262, -0.316227734, -4.71216097e-08],
            [2.40389991, 0.00270005525, 0.000999592361, 0.948683262, -0.316227734, -4.71216097e-08],
            [2.40300012, 0.00300002284, -0.00100033951, 0.0, -0.316227555, -0.948683321],
        ],
        after: IN_THE_CRACK,
    },
    Recorded {
        name: "spike and wedge, intersection, step 1",
        body: SPIKE,
        before: State {
            position: [0.0, 1.79999995, -8.7979295e-09],
            orientation: [0.0, 0.0, -0.707106829, 0.707106709],
            velocity: [-1.20000005, -4.80000019, 0.0],
            angular_velocity: [0.0, 0.0, 0.0],
        },
        contacts: &[
            [-0.00600000005, -0.0239999294, -3.66425809e-07, -7.68000031, -2.56000018, 0.0],
            [-0.00600000005, -0.0239999294, -3.66425809e-07, 7.68000031, -2.56000018, 0.0],
            [-0.0062999865, -0.00210000575, -0.00660029799, -0.948683321, -0.316227794, 0.0],
            [-0.00630000234, -0.00209987164, 0.00659972429, -0.948683262, -0.316227764, 0.0],
            [0.000899940729, -0.000300168991, -0.00780028105, 0.948683321, -0.316227794, 0.0],
            [0.000899988925, -0.000299998559, 0.00779962027, 0.948683262, -0.316227764, 0.0],
        ],
        after: State {
            position: [-0.0114374058, 1.77598405, 8.27308497e-08],
            orientation: [-0.0010774181, 0.00107748492, -0.707106054, 0.707105935],
            velocity: [-1.08748114, -0.00317764282, 1.83057564e-05],
            angular_velocity: [1.05230138e-05, 1.88355334e-05, 0.609498858],
        },
    },
    Recorded {
        name: "spikes, opposing, step 1",
        body: SPIKE,
        before: State {
            position: [2.4000001, 1.79999995, -8.7979295e-09],
            orientation: [0.0, 0.0, -0.707106829, 0.707106709],
            velocity: [-1.20000005, -4.80000019, 0.0],
            angular_velocity: [0.0, 0.0, 0.0],
        },
        contacts: &[
            [2.39400005, -0.0236999113, 0.000899687991, 0.0, -0.316227615, -0.948683321],
            [2.39300013, -0.0212998912, 9.96815506e-05, 0.0, -0.316227615, -0.948683321],
            [2.39300013, -0.0206998996, -0.00010031549, 0.0, -0.316227615, -0.948683321],
            [2.39699984, -0.0147003559, -0.00210016267, 0.0, -0.316227615, -0.948683321],
            [2.39699984, -0.00930008106, -0.00390025321, 0.0, -0.316227615, -0.948683321],
        ],
        after: State {
            position: [2.38802862, 1.75246239, 0.000760191237],
            orientation: [-5.56594568e-05, 4.91594656e-05, -0.705708027, 0.708502769],
            velocity: [-1.19426763, -4.70750904, 0.152040005],
            angular_velocity: [-0.790518761, -0.00183847849, 0.0296472888],
        },
    },
];
