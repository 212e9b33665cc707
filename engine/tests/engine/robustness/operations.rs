//! Random operations: whatever a program does between steps, states stay finite, and the same calls give the same
//! bits on any number of threads, also from a snapshot on.

use super::workbench::{at, is_sound, slab, stone};
use drystone_engine::{Body, BodyHandle, Groups, MaterialId, Pose, Solid, World, WorldError, WorldSettings};
use glam::{DQuat, DVec3};
use proptest::prelude::*;
use rayon::ThreadPool;

/// One call, with numbers that are used as each call wants them.
#[derive(Clone, Debug)]
enum Operation {
    AddDynamic([f64; 3], f64),
    AddKinematic([f64; 3]),
    Remove(usize),
    Force(usize, [f64; 3]),
    Teleport(usize, [f64; 3], f64),
    Throw(usize, [f64; 3]),
    Exclude(usize, usize, bool),
    Regroup(usize, u32),
    Step,
}

fn operation() -> impl Strategy<Value = Operation> {
    let place = || [-1.5..1.5f64, 0.0..3.0f64, -1.5..1.5f64];
    let vector = || prop::array::uniform3(-1.0..1.0f64);
    let which = || 0usize..8;
    prop_oneof![
        3 => (place(), -6.0..6.0f64).prop_map(|(p, exponent)| Operation::AddDynamic(p, exponent)),
        1 => place().prop_map(Operation::AddKinematic),
        1 => which().prop_map(Operation::Remove),
        1 => (which(), vector()).prop_map(|(i, f)| Operation::Force(i, f)),
        1 => (which(), place(), -3.0..3.0f64).prop_map(|(i, p, angle)| Operation::Teleport(i, p, angle)),
        1 => (which(), vector()).prop_map(|(i, v)| Operation::Throw(i, v)),
        1 => (which(), which(), any::<bool>()).prop_map(|(i, j, on)| Operation::Exclude(i, j, on)),
        1 => (which(), 0u32..4).prop_map(|(i, groups)| Operation::Regroup(i, groups)),
        6 => Just(Operation::Step),
    ]
}

struct Bench {
    world: World,
    material: MaterialId,
    /// Alive and removed.
    handles: Vec<BodyHandle>,
    cube: Solid,
}

impl Bench {
    fn new() -> Self {
        let mut world = World::default();
        let material = stone(&mut world);
        let ground = world.add(slab().fixed(material, at(0.0, -0.5, 0.0)).unwrap()).unwrap();
        Self { world, material, handles: vec![ground], cube: Solid::cuboid(DVec3::ONE, 1.0).unwrap() }
    }

    fn body(&self, number: usize) -> BodyHandle {
        self.handles[number % self.handles.len()]
    }

    /// Does what is asked; calls with stale handles must fail, all others succeed.
    fn make(&mut self, operation: &Operation) {
        match *operation {
            Operation::AddDynamic([x, y, z], exponent) => {
                // Masses from a milligram to a thousand tonnes.
                let solid = Solid { mass: libm::exp10(exponent), ..self.cube.clone() };
                let solid = Solid { moments: DVec3::splat(solid.mass / 6.0), ..solid };
                let new = solid.dynamic(self.material, at(x, y, z)).unwrap();
                self.handles.push(self.world.add(new).unwrap());
            }
            Operation::AddKinematic([x, y, z]) => {
                let new = self.cube.kinematic(self.material, at(x, y, z)).unwrap();
                self.handles.push(self.world.add(new).unwrap());
            }
            Operation::Remove(i) => {
                let handle = self.body(i);
                let alive = self.world.contains(handle);
                assert_eq!(self.world.remove(handle).is_ok(), alive);
                assert!(!self.world.contains(handle));
            }
            Operation::Force(i, force) => {
                let handle = self.body(i);
                let pushed = self.world.apply_force_at(handle, DVec3::from(force) * 1e3, DVec3::ONE);
                assert_eq!(pushed.is_ok(), self.world.contains(handle));
            }
            Operation::Teleport(i, place, angle) => {
                let handle = self.body(i);
                if let Ok(body) = self.world.body_mut(handle) {
                    body.position = DVec3::from(place);
                    body.orientation = DQuat::from_rotation_x(angle);
                }
            }
            Operation::Throw(i, velocity) => {
                let handle = self.body(i);
                if let Ok(body) = self.world.body_mut(handle) {
                    body.velocity = DVec3::from(velocity) * 1e3;
                    body.angular_velocity = DVec3::from(velocity) * -10.0;
                }
            }
            Operation::Exclude(i, j, excluded) => {
                let (a, b) = (self.body(i), self.body(j));
                let alive = a != b && self.world.contains(a) && self.world.contains(b);
                assert_eq!(self.world.set_excluded(a, b, excluded).is_ok(), alive);
            }
            Operation::Regroup(i, with) => {
                let handle = self.body(i);
                let set = self.world.set_groups(handle, Groups { member: 1, with });
                assert_eq!(set.is_ok(), self.world.contains(handle));
            }
            Operation::Step => {
                let before = bits(self.world.bodies());
                match self.world.step() {
                    Ok(report) => assert!(report.impulses.iter().flatten().all(|x| x.is_finite())),
                    // A step that leads to no state is refused, and then nothing has moved.
                    Err(WorldError::State { when: "after", .. } | WorldError::Solver { .. }) => {
                        assert_eq!(bits(self.world.bodies()), before);
                    }
                    Err(error) => panic!("{error}"),
                }
                assert!(is_sound(&self.world));
            }
        }
    }
}

fn bits(bodies: &[Body]) -> Vec<u64> {
    let numbers = |b: &Body| {
        let Pose { rotation, translation } = b.pose();
        [translation, b.velocity, b.angular_velocity]
            .map(|v| v.to_array())
            .concat()
            .into_iter()
            .chain(rotation.to_array())
    };
    bodies.iter().flat_map(|b| numbers(b).map(f64::to_bits).collect::<Vec<_>>()).collect()
}

/// The bits of all bodies in the end; with `renewed`, the world goes through a snapshot after this many operations.
fn run(operations: &[Operation], pool: &ThreadPool, renewed: Option<usize>) -> Vec<u64> {
    pool.install(|| {
        let mut bench = Bench::new();
        for (number, operation) in operations.iter().enumerate() {
            if renewed == Some(number) {
                bench.world = World::from_snapshot(&bench.world.snapshot(), &Default::default()).unwrap();
            }
            bench.make(operation);
        }
        bits(bench.world.bodies())
    })
}

#[test]
fn any_calls_keep_a_world_sound_and_give_the_same_bits() {
    let pools = [1, 2, 8].map(|n| rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap());
    let config = ProptestConfig { cases: crate::cases(1000), failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(operations in prop::collection::vec(operation(), 1..24), cut in 0usize..24)| {
        let one = run(&operations, &pools[0], None);
        prop_assert_eq!(&one, &run(&operations, &pools[1], Some(cut)));
        prop_assert_eq!(&one, &run(&operations, &pools[2], None));
    });
}

#[test]
fn what_is_excluded_from_a_snapshot_on_loses_its_contacts() {
    let operations = [
        Operation::AddKinematic([-0.4, 2.6, 0.0]),
        Operation::AddDynamic([0.0, 2.8, 0.0], 0.0),
        Operation::Step,
        Operation::Exclude(2, 1, true),
        Operation::Step,
    ];
    assert_same_from_any_snapshot(&operations);
}

/// A snapshot without any contact, with bodies that nobody has written to since the last step.
#[test]
fn a_ground_at_rest_is_the_same_from_a_snapshot_on() {
    let at_the_ground = || Operation::AddDynamic([0.0; 3], 0.0);
    assert_same_from_any_snapshot(&[
        Operation::AddDynamic([0.0, 2.9, 0.0], 0.0),
        Operation::Step,
        at_the_ground(),
        at_the_ground(),
        Operation::Teleport(1, [0.0; 3], 0.0),
        Operation::Step,
    ]);
}

/// What the soft step knows of bodies ends where another solver steps.
#[test]
fn steps_of_another_solver_leave_nothing_behind() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let run = |renewed: bool| {
        pool.install(|| {
            let mut bench = Bench::new();
            let soft = bench.world.settings().step.contact_solver;
            let other = WorldSettings::gauss_seidel().step.contact_solver;
            let at_the_ground = || Operation::AddDynamic([0.0; 3], 0.0);
            // So that some bodies are as the last soft step has left them.
            bench.make(&Operation::AddKinematic([1.4, 2.9, 1.4]));
            [at_the_ground(), at_the_ground(), at_the_ground(), Operation::Step]
                .iter()
                .for_each(|operation| bench.make(operation));
            bench.world.settings_mut().step.contact_solver = other;
            [Operation::Teleport(0, [0.0, -0.5, 0.1], 0.0), Operation::Step].iter().for_each(|o| bench.make(o));
            if renewed {
                bench.world = World::from_snapshot(&bench.world.snapshot(), &Default::default()).unwrap();
            }
            bench.make(&Operation::Step);
            bench.world.settings_mut().step.contact_solver = soft;
            for body in [2, 3, 4] {
                bench.make(&Operation::Teleport(body, [0.0; 3], 0.0));
                bench.make(&Operation::Throw(body, [0.0, -1e-4 * (4 - body) as f64, 0.0]));
            }
            bench.make(&Operation::Step);
            bits(bench.world.bodies())
        })
    };
    assert_eq!(run(false), run(true));
}

fn assert_same_from_any_snapshot(operations: &[Operation]) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for cut in 0..operations.len() {
        assert_eq!(run(operations, &pool, None), run(operations, &pool, Some(cut)), "cut {cut}");
    }
}
