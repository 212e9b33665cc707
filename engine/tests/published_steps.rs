//! Steps that the published program of the assessment suite made, made again.
//!
//! The numbers are a state before a step, the contacts found in it and the velocity after it, as the program PROX of
//! Kenny Erleben, University of Copenhagen (MIT licence) wrote them. It computes in single precision, so the last
//! digits differ.

use drystone_contact::{Contact, Feature};
use drystone_engine::solver::{RFactor, Rollback, SolverSettings};
use drystone_engine::{
    Body, BodyId, ContactBetween, Friction, Interaction, MaterialTable, StepReport, StepSettings, step,
};
use glam::{DQuat, DVec3};

/// One body that moves against one fixed body. Lengths in m, masses in kg, quaternions in the order s, x, y, z, contacts
/// as point and normal from the moving body to the fixed one.
struct Recorded {
    name: &'static str,
    mass: f64,
    inertia: [f64; 3],
    position: [f64; 3],
    orientation: [f64; 4],
    velocity: [f64; 3],
    angular_velocity: [f64; 3],
    contacts: &'static [[f64; 6]],
    velocity_after: [f64; 3],
    angular_velocity_after: [f64; 3],
}

/// How far a velocity may be off (m/s or rad/s): what rounding to single precision does to these steps.
const TOLERANCE: f64 = 2e-4;

fn replay(recorded: &Recorded, solver: SolverSettings) -> (f64, StepReport) {
    let mut materials = MaterialTable::new();
    let stone = materials.add("Stone").unwrap();
    materials.set(stone, stone, Interaction::dry(Friction::isotropic(0.65))).unwrap();
    let [s, x, y, z] = recorded.orientation;
    let body = Body::dynamic(recorded.mass, recorded.inertia.into(), stone)
        .and_then(|body| body.at(recorded.position.into(), DQuat::from_xyzw(x, y, z, s)))
        .and_then(|body| body.moving(recorded.velocity.into(), recorded.angular_velocity.into()))
        .unwrap();
    let mut bodies = [body, Body::fixed(stone)];
    let contacts: Vec<ContactBetween> = recorded
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
    let settings = StepSettings { solver, ..StepSettings::default() };
    let report = step(&mut bodies, &materials, &settings, |_| Ok(contacts.clone())).unwrap();
    let off = (bodies[0].velocity - DVec3::from(recorded.velocity_after)).abs().max_element();
    let spin = (bodies[0].angular_velocity - DVec3::from(recorded.angular_velocity_after)).abs().max_element();
    (off.max(spin), report)
}

fn rolling_back(rollback: Rollback) -> SolverSettings {
    SolverSettings { rollback, ..SolverSettings::default() }
}

#[test]
fn published_steps_are_reproduced() {
    for recorded in &RECORDED {
        let (off, _) = replay(recorded, rolling_back(Rollback::Published));
        assert!(off < TOLERANCE, "{}: off by {off}", recorded.name);
    }
}

/// The two ways to go back after a divergent sweep lead to visibly different steps, and the corrected one solves the
/// problem better.
#[test]
fn the_rollback_matters_where_sweeps_diverge() {
    for recorded in &RECORDED[..3] {
        let (_, published) = replay(recorded, rolling_back(Rollback::Published));
        let (off, corrected) = replay(recorded, rolling_back(Rollback::Corrected));
        assert!(published.solution.divergences > 0 && off > 10.0 * TOLERANCE, "{}: {off}", recorded.name);
        let residuals = [published.solution.natural_residual, corrected.solution.natural_residual];
        assert!(residuals[1] < 0.5 * residuals[0], "{}: {residuals:?}", recorded.name);
    }
}

/// Without a reduction nothing goes back, and the iteration passes the divergent sweeps instead of repeating them.
#[test]
fn sweeps_without_reduction_go_on_after_a_divergent_one() {
    for recorded in &RECORDED[..2] {
        for r_factor in [RFactor::Local { reduction: 1.0 }, RFactor::BLOCKED] {
            let settings = SolverSettings { r_factor, ..SolverSettings::default() };
            let (_, report) = replay(recorded, settings);
            assert!(report.solution.divergences > 0, "{}", recorded.name);
            let residual = report.solution.natural_residual;
            assert!(residual < 1e-3, "{} {r_factor:?}: {residual}", recorded.name);
        }
    }
}

const RECORDED: [Recorded; 4] = [
    Recorded {
        name: "spike in crack, intersection, step 1",
        mass: 4096.0,
        inertia: [1409.02429, 1409.02429, 1048.57642],
        position: [2.4000001, 1.79999995, -8.7979295e-09],
        orientation: [0.0, 0.0, -0.707106829, 0.707106709],
        velocity: [0.800000012, 0.0, 0.0],
        angular_velocity: [0.0, 0.0, 0.0],
        contacts: &[[2.40400004, 1.1920929e-07, -3.66425809e-07, 2.0, -2.0, 0.0]],
        velocity_after: [0.692086518, -0.0093210265, 2.02009236e-08],
        angular_velocity_after: [1.93244887e-09, 6.1916495e-08, -0.564663649],
    },
    Recorded {
        name: "wedge in crack, vertex only, step 1",
        mass: 12288.002,
        inertia: [14417.9229, 11796.4834, 5242.88184],
        position: [-2.4000001, 1.60000002, -6.99382241e-08],
        orientation: [-4.37113883e-08, 1.0, 0.0, 0.0],
        velocity: [0.800000012, 0.0, 0.0],
        angular_velocity: [0.0, 0.0, 0.0],
        contacts: &[
            [-2.39600015, -2.38418579e-07, 1.59999967, 0.707106769, -0.707106769, 0.0],
            [-2.39600015, 2.38418579e-07, -1.60000038, 0.707106769, -0.707106769, 0.0],
        ],
        velocity_after: [0.681288481, 0.00213911384, -0.00211290456],
        angular_velocity_after: [-0.00245009363, 0.0091650337, -0.445168108],
    },
    Recorded {
        name: "wedges, consistent vertex, step 2",
        mass: 12288.002,
        inertia: [14417.9229, 11796.4834, 5242.88184],
        position: [-2.38876891, 1.5548203, -0.000182654359],
        orientation: [0.000509186415, 0.999996364, -0.00147700147, 0.00219420809],
        velocity: [1.04623771, -4.23592567, -0.0365168862],
        angular_velocity: [-0.203692287, -0.877684295, -0.590801358],
        contacts: &[
            [-2.37897158, -0.0696285963, -1.59708309, -0.948683262, -0.316227734, 0.0],
            [-2.37897158, -0.0696285963, -1.59708309, 0.948683262, -0.316227734, 0.0],
            [-2.4000001, 0.0, 1.60000002, 0.946759045, -0.321817815, 0.00896790158],
            [-2.4000001, 0.0, 1.60000002, -0.950501204, -0.310625315, -0.0076961047],
        ],
        velocity_after: [1.04165614, -0.043261528, 0.00321621075],
        angular_velocity_after: [0.000805944204, -0.00701534748, -0.664438903],
    },
    Recorded {
        name: "spike in crack, opposing, step 2",
        mass: 4096.0,
        inertia: [1409.02429, 1409.02429, 1048.57642],
        position: [2.40754986, 1.79966307, 1.61751777e-05],
        orientation: [0.000813106832, -0.000807137985, -0.707092047, 0.707120657],
        velocity: [0.70995307, -0.0673758835, 0.00323679531],
        angular_velocity: [-0.00813663378, 0.00168829062, -0.458274454],
        contacts: &[
            [2.40285087, -0.000655149866, 0.000178390532, 0.94722414, -0.320571959, 9.75435341e-06],
            [2.40285206, -0.000391569745, 0.000968998706, -0.001465393, -0.316301316, -0.948657572],
            [2.40198326, 0.00172074977, 0.000266052142, -0.001465393, -0.316301316, -0.948657572],
            [2.40198565, 0.00224796566, 9.02637839e-05, -0.001465393, -0.316301316, -0.948657572],
            [2.40464425, 0.00464436738, -0.00159133528, 0.94722414, -0.320571959, 9.75435341e-06],
            [2.40464568, 0.00490791956, -0.00080072711, -0.001465393, -0.316301316, -0.948657572],
        ],
        velocity_after: [0.710113406, -0.162993848, 0.00664731301],
        angular_velocity_after: [-0.0259576421, 0.00453772442, -0.451306969],
    },
];
